// Wavefront OBJ (appendix B1 of its Advanced Visualizer manual) as groups of faces. Every `g` or
// `o` starts a group; its points are the vertices that its faces name.

#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "tools/formats/cut_face.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/mesh_groups.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

/// Reads the vertices itself and leaves faces and groups to tinyobjloader, which would read words
/// that are not numbers as 0 and would not round decimals to the nearest double. The rest of a file
/// (materials, weights, curves, texture coordinates) does not change a shape.
class ObjLines {
 public:
  ObjLines(const std::string& path, const std::string& text, MeshUse use)
      : path_(path), lines_(text), use_(use) {}

  /// `groups` gets a line for each line of the file.
  void read(std::vector<std::array<double, 3>>& vertices, std::string& groups) {
    std::string_view line;
    while (lines_.next(line)) {
      split_blanks(line, words_);
      const auto comment = std::find_if(words_.begin(), words_.end(),
                                        [](std::string_view word) { return word[0] == '#'; });
      words_.erase(comment, words_.end());
      const std::string_view word = words_.empty() ? std::string_view{} : words_[0];
      expect_keyword(word);
      if (word == "v") {
        vertices.push_back(read_vertex());
        groups += "v 0 0 0";
      } else if (word == "f") {
        add_face(static_cast<std::int64_t>(vertices.size()), groups);
      } else if (word == "g" || word == "o") {
        groups += word;
        groups += ' ';  // the name may be missing, but not the blank
        for (std::size_t i = 1; i < words_.size(); ++i) groups += fmt::format("{} ", words_[i]);
      }
      groups += '\n';
    }
    if (largest_ > static_cast<std::int64_t>(vertices.size())) {
      throw FileError(path_, line_of_largest_,
                      fmt::format("names vertex {}; the file has {}", largest_, vertices.size()));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(path_, lines_.number(), what);
  }

  /// Skips keywords of materials and curves. Anything that is not a word is an error, because it
  /// may hide the text after it: for example the byte order mark of a second file that was appended
  /// to the first.
  void expect_keyword(std::string_view word) const {
    const auto is_sign = [](char c) { return c > ' ' && c <= '~'; };
    if (std::ranges::all_of(word, is_sign)) return;
    fail(fmt::format("begins with {}; expected a word of the format such as v or f",
                     in_quotes(word)));
  }

  std::array<double, 3> read_vertex() const {
    if (words_.size() < 4) {
      fail(fmt::format("has a vertex of {} numbers; expected v x y z", words_.size() - 1));
    }
    std::array<double, 3> vertex;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!parse_number(words_[i + 1], vertex[i]) || !std::isfinite(vertex[i])) {
        fail(fmt::format("has {} where a finite number is expected", in_quotes(words_[i + 1])));
      }
    }
    return vertex;
  }

  void add_face(std::int64_t vertices_so_far, std::string& groups) {
    if (words_.size() < 4) {
      fail(fmt::format("has a face of {} vertices; expected 3 or more", words_.size() - 1));
    }
    if (use_ == MeshUse::surface && words_.size() - 1 > kMostCorners) {
      fail(fmt::format("has a face of {} vertices; a surface has faces of 3 to {}",
                       words_.size() - 1, kMostCorners));
    }
    groups += 'f';
    for (std::size_t i = 1; i < words_.size(); ++i) {
      const std::string_view word = words_[i].substr(0, words_[i].find('/'));
      std::int64_t number;
      if (!parse_number(word, number) || number == 0) {
        fail(
            fmt::format("has {} where the number of a vertex is expected: from 1, or from -1 "
                        "backwards",
                        in_quotes(words_[i])));
      }
      if (number < -vertices_so_far) {
        fail(fmt::format("names vertex {}; the file has {} before it", number, vertices_so_far));
      }
      if (number > largest_) {
        largest_ = number;
        line_of_largest_ = lines_.number();
      }
      groups += fmt::format(" {}", number);
    }
  }

  const std::string& path_;
  Lines lines_;
  MeshUse use_;
  std::vector<std::string_view> words_;
  std::int64_t largest_ = 0;
  long line_of_largest_ = 0;
};

/// Gives a group the vertices that the faces name, each once and in the file's order, and the
/// triangles of a surface.
void add_faces(const tinyobj::mesh_t& mesh, const std::vector<std::array<double, 3>>& vertices,
               MeshUse use, MeshGroup& group) {
  std::vector<std::size_t> rows;
  for (const tinyobj::index_t& index : mesh.indices) {
    rows.push_back(static_cast<std::size_t>(index.vertex_index));
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  for (const std::size_t row : rows) group.points.push_back(vertices[row]);
  if (use != MeshUse::surface) return;
  std::vector<std::int32_t> corners;
  auto index = mesh.indices.begin();
  for (const auto corner_count : mesh.num_face_vertices) {
    corners.clear();
    for (std::size_t i = 0; i < corner_count; ++i, ++index) {
      const auto row = static_cast<std::size_t>(index->vertex_index);
      const auto found = std::lower_bound(rows.begin(), rows.end(), row);
      corners.push_back(static_cast<std::int32_t>(found - rows.begin()));
    }
    cut_face(group.points, corners, group.triangles);
  }
}

}  // namespace

std::vector<MeshGroup> read_obj(const std::string& path, MeshUse use) {
  return read_obj(path, read_text(path), use);
}

std::vector<MeshGroup> read_obj(const std::string& path, const std::string& text, MeshUse use) {
  std::vector<std::array<double, 3>> vertices;
  std::string kept;
  ObjLines(path, text, use).read(vertices, kept);
  if (vertices.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw FileError(path, fmt::format("has {} vertices; expected at most {}", vertices.size(),
                                      std::numeric_limits<std::int32_t>::max()));
  }
  tinyobj::attrib_t attributes;
  std::vector<tinyobj::shape_t> shapes;
  std::vector<tinyobj::material_t> materials;
  std::string warning;
  std::string error;
  std::istringstream stream(std::move(kept));
  const bool is_triangulated = false;
  if (!tinyobj::LoadObj(&attributes, &shapes, &materials, &warning, &error, &stream, nullptr,
                        is_triangulated)) {
    throw FileError(path, fmt::format("is not an OBJ file: {}", trim(error)));
  }
  std::vector<MeshGroup> groups;
  for (const tinyobj::shape_t& shape : shapes) {
    if (shape.mesh.indices.empty()) continue;
    MeshGroup& group = groups.emplace_back();
    group.name = std::string(trim(shape.name));
    add_faces(shape.mesh, vertices, use, group);
  }
  if (groups.empty() && use == MeshUse::hull_of_all_vertices_without_faces && !vertices.empty()) {
    groups.emplace_back().points = std::move(vertices);
  }
  return groups;
}

}  // namespace widephase::tools
