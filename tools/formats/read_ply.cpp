// PLY (Turk, The PLY Polygon File Format, 1994), text and binary, as one group of faces. A header
// names elements, each with a number of rows, and their properties: numbers or lists of numbers.
// Read are x, y and z of `vertex` and the list vertex_indices (or vertex_index) of `face`; the
// rest, such as colors and normals, is skipped.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "tools/formats/cut_face.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/mesh_groups.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

enum class Number { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::optional<Number> number_named(std::string_view word) {
  constexpr std::pair<std::string_view, Number> kNames[] = {
      {"char", Number::int8},      {"int8", Number::int8},       {"uchar", Number::uint8},
      {"uint8", Number::uint8},    {"short", Number::int16},     {"int16", Number::int16},
      {"ushort", Number::uint16},  {"uint16", Number::uint16},   {"int", Number::int32},
      {"int32", Number::int32},    {"uint", Number::uint32},     {"uint32", Number::uint32},
      {"float", Number::float32},  {"float32", Number::float32}, {"double", Number::float64},
      {"float64", Number::float64}};
  for (const auto& [name, number] : kNames) {
    if (name == word) return number;
  }
  return std::nullopt;
}

bool is_whole(Number number) { return number < Number::float32; }

std::size_t size_of(Number number) {
  constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return kSizes[static_cast<std::size_t>(number)];
}

struct Property {
  std::string name;
  Number number{};
  std::optional<Number> count;  ///< of a list, the number that says how long it is
};

struct Element {
  std::string name;
  std::size_t rows = 0;
  std::vector<Property> properties;
};

struct Header {
  enum class Form { text, little, big } form = Form::text;
  std::vector<Element> elements;
  long lines = 0;
  std::size_t size = 0;
};

class HeaderReader {
 public:
  HeaderReader(const std::string& path, std::string_view bytes) : path_(path), bytes_(bytes) {}

  Header read() {
    next();
    if (line_ != "ply") fail("does not begin with ply, as a PLY file does");
    next();
    const bool is_format = words_.size() == 3 && words_[0] == "format" && words_[2] == "1.0";
    const std::string_view form = is_format ? words_[1] : std::string_view{};
    if (form == "binary_little_endian") {
      header_.form = Header::Form::little;
    } else if (form == "binary_big_endian") {
      header_.form = Header::Form::big;
    } else if (form != "ascii") {
      fail(
          fmt::format("is {}; expected format and ascii, binary_little_endian or "
                      "binary_big_endian, and 1.0",
                      in_quotes(line_)));
    }
    for (next(); line_ != "end_header"; next()) {
      if (words_.empty() || words_[0] == "comment" || words_[0] == "obj_info") continue;
      if (words_[0] == "element") {
        read_element();
      } else if (words_[0] == "property") {
        read_property();
      } else {
        fail(fmt::format("is {}; expected element, property, comment or end_header",
                         in_quotes(line_)));
      }
    }
    header_.size = at_;
    return std::move(header_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(path_, header_.lines, what);
  }

  /// Lines end in LF, CR LF or CR alone. What the first one ends in tells which: after a header
  /// that ends in CR the numbers may begin with the byte of LF.
  void next() {
    if (header_.lines == 0) {
      const std::size_t end = bytes_.find_first_of("\r\n");
      ending_ = end == bytes_.npos                         ? "\n"
                : bytes_[end] == '\n'                      ? "\n"
                : bytes_.substr(end + 1).starts_with('\n') ? "\r\n"
                                                           : "\r";
    }
    const std::size_t end = bytes_.find(ending_, at_);
    if (end == bytes_.npos) {
      throw FileError(path_, "ends before end_header; the file is not whole");
    }
    ++header_.lines;
    line_ = trim(bytes_.substr(at_, end - at_));
    at_ = end + ending_.size();
    split_blanks(line_, words_);
  }

  void read_element() {
    std::int64_t rows = 0;
    if (words_.size() != 3 || !parse_number(words_[2], rows) || rows < 0) {
      fail(fmt::format("is {}; expected element, a name and a number of rows", in_quotes(line_)));
    }
    const auto is_same = [&](const Element& other) { return other.name == words_[1]; };
    if (std::ranges::any_of(header_.elements, is_same)) {
      fail(fmt::format("has a second element {}", in_quotes(words_[1])));
    }
    header_.elements.push_back({std::string(words_[1]), static_cast<std::size_t>(rows), {}});
  }

  void read_property() {
    const bool is_list = words_.size() == 5 && words_[1] == "list";
    const std::optional<Number> number = is_list              ? number_named(words_[3])
                                         : words_.size() == 3 ? number_named(words_[1])
                                                              : std::nullopt;
    const std::optional<Number> count = is_list ? number_named(words_[2]) : std::nullopt;
    if (!number || (is_list && (!count || !is_whole(*count)))) {
      fail(
          fmt::format("is {}; expected property, a type and a name, or property list, a type of "
                      "whole numbers, a type and a name",
                      in_quotes(line_)));
    }
    if (header_.elements.empty()) fail("has a property before the first element");
    header_.elements.back().properties.push_back({std::string(words_.back()), *number, count});
  }

  const std::string& path_;
  std::string_view bytes_;
  std::string_view ending_;
  std::size_t at_ = 0;
  std::string_view line_;
  std::vector<std::string_view> words_;
  Header header_;
};

/// What a row of an element is called in messages.
std::string row_text(const Element& element, std::size_t row) {
  return fmt::format("{} {}, counted from 0", element.name, row);
}

/// The numbers of a file in text. Every row has a line.
class TextNumbers {
 public:
  TextNumbers(const std::string& path, std::string_view text, long lines)
      : path_(path), lines_(text), lines_before_(lines) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(path_, lines_before_ + lines_.number(), what);
  }
  void begin_row(const Element& element, std::size_t row) {
    std::string_view line;
    do {
      if (!lines_.next(line)) {
        throw FileError(
            path_, fmt::format("ends before {}; the file is not whole", row_text(element, row)));
      }
      split_blanks(line, words_);
    } while (words_.empty());
    place_ = 0;
  }
  double next(Number number) {
    if (place_ == words_.size()) fail("ends before all properties of its element");
    const std::string_view word = words_[place_++];
    double value = 0;
    if (!parse_number(word, value) || (is_whole(number) && value != std::floor(value))) {
      fail(fmt::format("has {} where a {} is expected", in_quotes(word),
                       is_whole(number) ? "whole number" : "number"));
    }
    return value;
  }
  void skip(Number, std::size_t count) {
    if (count > words_.size() - place_) fail("ends before all properties of its element");
    place_ += count;
  }
  void end_row() const {
    if (place_ != words_.size()) {
      fail(fmt::format("has {} numbers; expected the {} of its element's properties", words_.size(),
                       place_));
    }
  }
  /// What is left of the line or file, in numbers of at least `size` bytes.
  std::size_t most_left(std::size_t) const { return words_.size() - place_; }
  void end() {
    std::string_view line;
    while (lines_.next(line)) {
      if (!trim(line).empty()) fail("follows the last element; expected the end of the file");
    }
  }

 private:
  const std::string& path_;
  Lines lines_;
  long lines_before_;
  std::vector<std::string_view> words_;
  std::size_t place_ = 0;
};

class BinaryNumbers {
 public:
  BinaryNumbers(const std::string& path, std::string_view bytes, bool is_big)
      : path_(path),
        bytes_(bytes),
        is_swapped_(is_big != (std::endian::native == std::endian::big)) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(path_, fmt::format("has {}, which {}", row_text(*element_, row_), what));
  }
  void begin_row(const Element& element, std::size_t row) {
    element_ = &element;
    row_ = row;
  }
  double next(Number number) {
    expect(size_of(number));
    switch (number) {
      case Number::int8:
        return take<std::int8_t>();
      case Number::uint8:
        return take<std::uint8_t>();
      case Number::int16:
        return take<std::int16_t>();
      case Number::uint16:
        return take<std::uint16_t>();
      case Number::int32:
        return take<std::int32_t>();
      case Number::uint32:
        return take<std::uint32_t>();
      case Number::float32:
        return static_cast<double>(take<float>());
      case Number::float64:
        break;
    }
    return take<double>();
  }
  void skip(Number number, std::size_t count) {
    if (count > most_left(size_of(number))) expect(bytes_.size() + 1);
    bytes_.remove_prefix(count * size_of(number));
  }
  void end_row() const {}
  std::size_t most_left(std::size_t size) const { return bytes_.size() / size; }
  void end() const {
    if (bytes_.find_first_not_of(" \t\r\n") == bytes_.npos) return;
    throw FileError(path_,
                    fmt::format("has {} bytes after its last element; expected the end of the file",
                                bytes_.size()));
  }

 private:
  void expect(std::size_t size) const {
    if (bytes_.size() >= size) return;
    throw FileError(
        path_, fmt::format("ends within {}; the file is not whole", row_text(*element_, row_)));
  }
  template <class T>
  T take() {
    char copy[sizeof(T)];
    std::memcpy(copy, bytes_.data(), sizeof copy);
    bytes_.remove_prefix(sizeof copy);
    if (is_swapped_) std::reverse(copy, copy + sizeof copy);
    T value;
    std::memcpy(&value, copy, sizeof value);
    return value;
  }

  const std::string& path_;
  std::string_view bytes_;
  bool is_swapped_;
  const Element* element_ = nullptr;
  std::size_t row_ = 0;
};

/// The bytes that a row has at least: its numbers, with a sign and a blank or the line's end each
/// in text.
std::size_t least_row_size(const Element& element, Header::Form form) {
  std::size_t size = 0;
  for (const Property& property : element.properties) {
    size += form == Header::Form::text ? 2 : size_of(property.count.value_or(property.number));
  }
  return size;
}

/// No count of a header may promise more than the rest of the file holds, before memory is filled.
void check_rows(const std::string& path, const Header& header, std::size_t rest) {
  std::size_t left = rest + 1;  // the last line's end may be missing
  for (const Element& element : header.elements) {
    if (element.rows == 0) continue;
    const std::size_t size = least_row_size(element, header.form);
    if (size == 0) {
      throw FileError(path, fmt::format("has rows of the element {} without properties",
                                        in_quotes(element.name)));
    }
    if (element.rows > left / size) {
      throw FileError(path, fmt::format("says that it has {} rows of {}, which take {} bytes or "
                                        "more each; after the header it has {} bytes",
                                        element.rows, in_quotes(element.name), size, rest));
    }
    left -= element.rows * size;
  }
}

bool is_index_list(const Property& property) {
  return property.count && (property.name == "vertex_indices" || property.name == "vertex_index");
}

/// Reads the elements, from numbers in text or binary.
template <class Numbers>
class BodyReader {
 public:
  BodyReader(const std::string& path, const Header& header, Numbers& numbers, MeshUse use)
      : path_(path), header_(header), numbers_(numbers), use_(use) {}

  MeshGroup read() {
    check_names();
    for (const Element& element : header_.elements) {
      for (std::size_t row = 0; row < element.rows; ++row) {
        numbers_.begin_row(element, row);
        if (element.name == "vertex") {
          read_vertex(element);
        } else {
          read_row(element);
        }
        numbers_.end_row();
      }
    }
    numbers_.end();
    finish();
    return std::move(group_);
  }

 private:
  const Element* find(std::string_view name) const {
    const auto found = std::ranges::find(header_.elements, name, &Element::name);
    return found == header_.elements.end() ? nullptr : &*found;
  }

  void check_names() {
    const Element* const vertex = find("vertex");
    for (const std::string_view axis : {"x", "y", "z"}) {
      const auto is_axis = [&](const Property& property) {
        return property.name == axis && !property.count;
      };
      if (vertex != nullptr && std::ranges::count_if(vertex->properties, is_axis) == 1) continue;
      throw FileError(path_, fmt::format("has no element vertex with one property {}", axis));
    }
    if (vertex->rows > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw FileError(path_, fmt::format("has {} vertices; expected at most {}", vertex->rows,
                                         std::numeric_limits<std::int32_t>::max()));
    }
    vertex_count_ = vertex->rows;
    const Element* const face = find("face");
    if (face == nullptr || face->rows == 0) {
      if (const Element* const strips = find("tristrips"); strips != nullptr && strips->rows > 0) {
        throw FileError(path_, "has tristrips, which are not read; expected faces");
      }
      return;
    }
    const auto index = std::ranges::find_if(face->properties, is_index_list);
    if (index == face->properties.end() || !is_whole(index->number)) {
      throw FileError(path_, "has no list vertex_indices of whole numbers in its element face");
    }
  }

  void read_vertex(const Element& element) {
    std::array<double, 3> point{};
    for (const Property& property : element.properties) {
      const auto axis =
          static_cast<std::size_t>(property.name.size() == 1 ? property.name[0] - 'x' : 3);
      if (property.count || axis >= 3) {
        skip(property);
        continue;
      }
      point[axis] = numbers_.next(property.number);
      if (!std::isfinite(point[axis])) {
        numbers_.fail(
            fmt::format("has {} for {}; expected a finite number", point[axis], property.name));
      }
    }
    group_.points.push_back(point);
  }

  void read_row(const Element& element) {
    const bool is_face = element.name == "face";
    bool is_read = false;
    for (const Property& property : element.properties) {
      if (!is_face || is_read || !is_index_list(property)) {
        skip(property);
        continue;
      }
      read_face(property);
      is_read = true;
    }
  }

  /// The length of a list, which the rest of the file can hold.
  std::size_t read_count(const Property& property) {
    const double count = numbers_.next(*property.count);
    if (!(count >= 0) ||
        count > static_cast<double>(numbers_.most_left(size_of(property.number)))) {
      numbers_.fail(fmt::format("has a list {} of {} numbers; expected as many as the list says",
                                in_quotes(property.name), count));
    }
    return static_cast<std::size_t>(count);
  }

  void skip(const Property& property) {
    numbers_.skip(property.number, property.count ? read_count(property) : 1);
  }

  void read_face(const Property& property) {
    const std::size_t count = read_count(property);
    const bool is_surface = use_ == MeshUse::surface;
    if (count < 3 || (is_surface && count > kMostCorners)) {
      numbers_.fail(fmt::format("has a face of {} vertices; expected 3 {}", count,
                                is_surface ? fmt::format("to {}", kMostCorners) : "or more"));
    }
    corners_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const double number = numbers_.next(property.number);
      if (!(number >= 0 && number < static_cast<double>(vertex_count_))) {
        numbers_.fail(
            fmt::format("names vertex {}, counted from 0; the file has {}", number, vertex_count_));
      }
      corners_.push_back(static_cast<std::int32_t>(number));
    }
    if (is_surface) {
      faces_.insert(faces_.end(), corners_.begin(), corners_.end());
      sizes_.push_back(static_cast<std::uint8_t>(count));
    } else {
      if (is_named_.empty()) is_named_.resize(vertex_count_);
      for (const std::int32_t corner : corners_) is_named_[static_cast<std::size_t>(corner)] = true;
    }
  }

  /// Faces may come before vertices, so they are cut at the end.
  void finish() {
    if (use_ == MeshUse::surface) {
      std::span<const std::int32_t> rest(faces_);
      for (const std::uint8_t size : sizes_) {
        cut_face(group_.points, rest.first(size), group_.triangles);
        rest = rest.subspan(size);
      }
      if (sizes_.empty()) group_.points.clear();
      return;
    }
    if (use_ == MeshUse::all_vertices) return;
    if (is_named_.empty() && use_ == MeshUse::hull_of_all_vertices_without_faces) return;
    is_named_.resize(vertex_count_);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < vertex_count_; ++i) {
      if (is_named_[i]) group_.points[kept++] = group_.points[i];
    }
    group_.points.resize(kept);
  }

  const std::string& path_;
  const Header& header_;
  Numbers& numbers_;
  MeshUse use_;
  std::size_t vertex_count_ = 0;
  MeshGroup group_;
  std::vector<std::int32_t> corners_, faces_;
  std::vector<std::uint8_t> sizes_;
  std::vector<bool> is_named_;  ///< by a face
};

}  // namespace

std::vector<MeshGroup> read_ply(const std::string& path, MeshUse use) {
  return read_ply(path, read_file(path), use);
}

std::vector<MeshGroup> read_ply(const std::string& path, const std::string& bytes, MeshUse use) {
  const Header header = HeaderReader(path, bytes).read();
  const std::string_view rest = std::string_view(bytes).substr(header.size);
  check_rows(path, header, rest.size());
  const auto read = [&](auto numbers) {
    return BodyReader<decltype(numbers)>(path, header, numbers, use).read();
  };
  MeshGroup group = header.form == Header::Form::text
                        ? read(TextNumbers(path, rest, header.lines))
                        : read(BinaryNumbers(path, rest, header.form == Header::Form::big));
  if (group.points.empty()) return {};
  std::vector<MeshGroup> groups;
  groups.push_back(std::move(group));
  return groups;
}

}  // namespace widephase::tools
