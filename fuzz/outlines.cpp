// Any rings cut into convex parts: the result is valid polygons with vertices of the outline, or an
// error.

#include <set>
#include <utility>

#include <widephase/decompose.hpp>

#include "drawn.hpp"

namespace widephase::fuzz {
namespace {

void run(Drawn& drawn) {
  drawn.draw_unit();
  Column<double, 2> vertices;
  std::vector<std::int64_t> ring_offsets{0};
  const int rings = drawn.below(6);
  for (int ring = 0; ring < rings; ++ring) {
    const Column<double, 2> points = draw_points<2, double>(drawn, 40, false);
    for (std::size_t i = 0; i < points.size(); ++i) vertices.push_back(points.row(i));
    const bool is_any = drawn.byte() == 255;
    ring_offsets.push_back(is_any ? static_cast<std::int64_t>(drawn.bits(8))
                                  : static_cast<std::int64_t>(vertices.size()));
  }
  GeometryTable<Owned<2, double>> parts;
  try {
    const DecomposeReport report = decompose({vertices, ring_offsets}, parts);
    SceneColumns<2, double> scene;
    scene.geometries = parts;
    require(validate<2, double>(scene).empty(), "parts are valid polygons");
    require(report.vertex_count == static_cast<std::int64_t>(parts.vertices.size()) &&
                report.part_count + 1 == static_cast<std::int64_t>(parts.offsets.size()),
            "parts are counted");
    std::set<std::pair<double, double>> given;
    for (std::size_t i = 0; i < vertices.size(); ++i) given.emplace(vertices(i, 0), vertices(i, 1));
    for (std::size_t i = 0; i < parts.vertices.size(); ++i) {
      // Except for numbers that count as 0.
      const double x = parts.vertices(i, 0), y = parts.vertices(i, 1);
      require(x == 0 || y == 0 || given.contains({x, y}), "vertices of parts are the outline's");
    }
  } catch (const Error&) {
    require(parts.vertices.empty() && parts.offsets.size() <= 1, "refused parts stay as they were");
  }
}

}  // namespace
}  // namespace widephase::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  widephase::fuzz::Drawn drawn(data, size);
  widephase::fuzz::run(drawn);
  return 0;
}
