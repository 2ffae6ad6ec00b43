// STL, text and binary, as groups of faces. Every `solid` of a text file is a group; a binary file
// is one group. Normals follow from the order of corners, so they are skipped without checking
// them.

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "tools/formats/file_error.hpp"
#include "tools/formats/mesh_groups.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

// A binary file has 80 bytes of any content, the count of triangles, then for each triangle 12
// floats (a normal and three corners) and 2 bytes of any content. All numbers are little-endian.
constexpr std::size_t kHeaderSize = 80;
constexpr std::size_t kStartSize = kHeaderSize + sizeof(std::uint32_t);
constexpr std::size_t kNormalSize = 3 * sizeof(float);
constexpr std::size_t kTriangleSize = 4 * kNormalSize + 2;

constexpr const char* kExpected =
    "a binary STL file has 84 bytes and 50 for each triangle, one in text begins with solid";

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

class TextReader {
 public:
  TextReader(const std::string& path, std::string_view text) : path_(path), lines_(text) {}

  std::vector<MeshGroup> read() {
    std::vector<MeshGroup> groups;
    while (next()) {
      expect({"solid"}, "solid, as an STL file in text begins");
      MeshGroup group;
      for (std::size_t i = 1; i < words_.size(); ++i) {
        if (i > 1) group.name += ' ';
        group.name += words_[i];
      }
      read_solid(group);
      if (!group.points.empty()) groups.push_back(std::move(group));
    }
    return groups;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(path_, lines_.number(), what);
  }

  /// Moves to the next line that has words; false at the end.
  bool next() {
    while (lines_.next(line_)) {
      split_blanks(line_, words_);
      if (!words_.empty()) return true;
    }
    return false;
  }

  bool begins_with(std::initializer_list<std::string_view> words) const {
    std::size_t i = 0;
    for (const std::string_view word : words) {
      if (i == words_.size() || lower(words_[i]) != word) return false;
      ++i;
    }
    return true;
  }

  void expect(std::initializer_list<std::string_view> words, const char* expected) const {
    if (!begins_with(words)) fail(fmt::format("is {}; expected {}", in_quotes(line_), expected));
  }

  void expect_next(std::initializer_list<std::string_view> words, const char* expected) {
    if (!next()) {
      throw FileError(path_,
                      fmt::format("ends where {} is expected; the file is not whole", expected));
    }
    expect(words, expected);
  }

  void read_solid(MeshGroup& group) {
    while (true) {
      if (!next()) throw FileError(path_, "ends before endsolid; the file is not whole");
      if (begins_with({"endsolid"})) return;
      expect({"facet"}, "facet or endsolid");
      expect_next({"outer", "loop"}, "outer loop");
      for (int corner = 0; corner < 3; ++corner) {
        expect_next({"vertex"}, "vertex x y z");
        group.points.push_back(read_vertex());
      }
      expect_next({"endloop"}, "endloop after three vertices");
      expect_next({"endfacet"}, "endfacet");
    }
  }

  std::array<double, 3> read_vertex() const {
    if (words_.size() != 4) {
      fail(fmt::format("has a vertex of {} numbers; expected vertex x y z", words_.size() - 1));
    }
    std::array<double, 3> vertex;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!parse_number(words_[i + 1], vertex[i]) || !std::isfinite(vertex[i])) {
        fail(fmt::format("has {} where a finite number is expected", in_quotes(words_[i + 1])));
      }
    }
    return vertex;
  }

  const std::string& path_;
  Lines lines_;
  std::string_view line_;
  std::vector<std::string_view> words_;
};

std::uint32_t triangle_count(const std::string& bytes) {
  std::uint32_t count;
  std::memcpy(&count, bytes.data() + kHeaderSize, sizeof count);
  return count;
}

bool has_binary_size(const std::string& bytes) {
  return bytes.size() >= kStartSize &&
         bytes.size() == kStartSize + kTriangleSize * std::size_t{triangle_count(bytes)};
}

/// A binary file may start with "solid" too, but its size shows what it is: four characters of
/// text, read as a count, give 150 million triangles or more. A binary file that is cut off has a 0
/// byte in its count if the count is below 2^24.
bool is_text(const std::string& bytes) {
  const std::string_view start = std::string_view(bytes).substr(0, kStartSize);
  return !has_binary_size(bytes) && start.find('\0') == start.npos;
}

std::vector<MeshGroup> read_binary(const std::string& path, const std::string& bytes) {
  if (bytes.size() < kStartSize) {
    throw FileError(path, fmt::format("has {} bytes; {}", bytes.size(), kExpected));
  }
  const std::uint32_t count = triangle_count(bytes);
  if (!has_binary_size(bytes)) {
    throw FileError(path, fmt::format("has {} bytes and says that it has {} triangles, which take "
                                      "{}; {}",
                                      bytes.size(), count,
                                      kStartSize + kTriangleSize * std::size_t{count}, kExpected));
  }
  if (count == 0) return {};
  MeshGroup group;
  for (std::size_t triangle = 0; triangle < count; ++triangle) {
    const char* corners = bytes.data() + kStartSize + kTriangleSize * triangle + kNormalSize;
    float numbers[9];
    std::memcpy(numbers, corners, sizeof numbers);
    for (const float number : numbers) {
      if (std::isfinite(number)) continue;
      throw FileError(path, fmt::format("has {} in triangle {}, counted from 0; a vertex must be "
                                        "three finite numbers",
                                        number, triangle));
    }
    for (int corner = 0; corner < 3; ++corner) {
      const float* vertex = numbers + 3 * corner;
      group.points.push_back({vertex[0], vertex[1], vertex[2]});
    }
  }
  return {std::move(group)};
}

}  // namespace

std::vector<MeshGroup> read_stl(const std::string& path, MeshUse use) {
  return read_stl(path, read_file(path), use);
}

std::vector<MeshGroup> read_stl(const std::string& path, const std::string& bytes, MeshUse use) {
  std::vector<MeshGroup> groups =
      is_text(bytes) ? TextReader(path, without_mark(bytes)).read() : read_binary(path, bytes);
  if (use != MeshUse::surface) return groups;
  for (MeshGroup& group : groups) {
    // A file of 2^32 bytes has fewer triangles than a mesh may have.
    for (std::int32_t first = 0; static_cast<std::size_t>(first) < group.points.size();
         first += 3) {
      group.triangles.push_back({first, first + 1, first + 2});
    }
  }
  return groups;
}

}  // namespace widephase::tools
