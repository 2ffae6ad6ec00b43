// Lines of maps (GeoJSON, TopoJSON) as chains, one per line. Lines have no front, so chains are
// two-sided.

#include <fmt/format.h>

#include "tools/formats/file_error.hpp"
#include "tools/formats/read_outlines.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/wording.hpp"

namespace widephase::tools {

SceneFile read_chains(const std::string& path, std::vector<std::string>& notes) {
  const Outlines lines = read_lines(path);
  if (lines.list.empty()) {
    throw FileError(path, fmt::format("holds no lines; outlines become convex parts by: widephase "
                                      "decompose {} -o scene.npz",
                                      path == kStandardInput ? "-" : path));
  }
  std::vector<double> vertices;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint8_t> loops;
  for (const Outline& line : lines.list) {
    const std::size_t count = line.vertices.size();
    bool has_length = false;
    for (std::size_t v = 0; v < count; ++v) {
      const std::array<double, 2> at = line.position(v);
      has_length |= at != line.position(0);
    }
    if (!has_length) {
      throw FileError(path, fmt::format("{}has no length; a line needs two vertices at different "
                                        "places",
                                        line.place.empty() ? "" : line.place + ": "));
    }
    // A loop does not repeat its first vertex.
    const bool is_loop = count > 2 && line.position(0) == line.position(count - 1);
    for (std::size_t v = 0; v + (is_loop ? 1 : 0) < count; ++v) {
      const std::array<double, 2> at = line.position(v);
      vertices.insert(vertices.end(), at.begin(), at.end());
    }
    offsets.push_back(static_cast<std::int64_t>(vertices.size() / 2));
    loops.push_back(is_loop ? 1 : 0);
  }
  if (lines.ignored_count > 0) {
    notes.push_back(fmt::format("{}: left out {}; lines become chains", path,
                                counted(lines.ignored_count, "object")));
  }
  const std::size_t count = loops.size();
  std::vector<std::int32_t> geometry(count);
  for (std::size_t i = 0; i < count; ++i) geometry[i] = static_cast<std::int32_t>(i);
  std::vector<NamedArray> arrays;
  const auto add = [&]<class T>(const char* name, const std::vector<T>& values,
                                std::vector<std::size_t> shape) {
    arrays.push_back({name, Array::of(values, std::move(shape))});
  };
  add("dimension", std::vector<std::int32_t>{2}, {});
  add("chain.center", std::vector<double>(2 * count, 0.0), {count, 2});
  add("chain.angle", std::vector<double>(count, 0.0), {count});
  add("chain.geometry", geometry, {count});
  const std::size_t vertex_count = vertices.size() / 2;
  add("chains.vertices", vertices, {vertex_count, 2});
  add("chains.offsets", offsets, {count + 1});
  add("chains.loop", loops, {count});
  add("chains.two_sided", std::vector<std::uint8_t>(count, 1), {count});
  return SceneFile(path, std::move(arrays));
}

}  // namespace widephase::tools
