// Polygons and hulls of any points: the result is valid, or the table does not change.

#include <exception>

#include "drawn.hpp"

namespace widephase::fuzz {
namespace {

template <int D, class T>
void check_table(const GeometryTable<Owned<D, T>>& table) {
  SceneColumns<D, T> scene;
  scene.geometries = table;
  require(validate<D, T>(scene).empty(), "geometries that were built are valid");
}

template <int D, class T>
void run(Drawn& drawn) {
  GeometryTable<Owned<D, T>> table;
  drawn.draw_unit();
  const int way = drawn.below(4);
  if (way == 0) {
    // Any point sets, in some cases with wrong offsets.
    table.vertices = draw_points<D, T>(drawn, 60, false);
    table.offsets.push_back({0});
    const int sets = drawn.below(6);
    for (int i = 0; i < sets; ++i) {
      const auto rows = static_cast<std::int64_t>(table.vertices.size());
      const bool is_any = drawn.byte() == 255;
      table.offsets.push_back(
          {is_any ? static_cast<std::int64_t>(drawn.bits(8))
           : i + 1 == sets
               ? rows
               : std::min(rows, table.offsets[table.offsets.size() - 1] + drawn.below(30))});
    }
    SceneColumns<D, T> scene;
    scene.geometries = table;
    (void)validate<D, T>(scene, 0, 100);
    GeometryTable<Owned<D, T>> other = table;
    try {
      make_convex(table);
      check_table<D, T>(table);
    } catch (const Error&) {
    }
    try {
      std::vector<Finding> refused;
      make_convex(other, refused);
    } catch (const Error&) {
    }
    return;
  }
  const Column<T, D> points = draw_points<D, T>(drawn, 255, false);
  try {
    std::int32_t index = 0;
    if constexpr (D == 3) {
      if (way == 1) {
        const SimplerHull<T> hull = add_hull(table, points, 4 + drawn.below(60));
        require(std::isfinite(hull.excess) && hull.excess >= 0, "an excess is a length");
        index = hull.index;
      } else {
        index = add_hull(table, points);
      }
    } else {
      index = add_polygon(table, points);
    }
    check_table<D, T>(table);
    if constexpr (D == 3) {
      const HullTopology<T> surface = hull_topology(table, index);
      require(table.vertices.size() + static_cast<std::size_t>(surface.face_count()) ==
                  surface.edges.size() + 2,
              "vertices - edges + faces is 2");
      require(is_finite(surface.normals), "normals are numbers");
    } else {
      require(is_finite(edge_normals(table, index)), "normals are numbers");
    }
    (void)properties(table, index);
  } catch (const Error&) {
    require(table.vertices.empty() && table.offsets.size() <= 1, "a refused table stays as it was");
  }
}

}  // namespace
}  // namespace widephase::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace widephase::fuzz;
  Drawn drawn(data, size);
  switch (drawn.below(4)) {
    case 0:
      run<2, float>(drawn);
      break;
    case 1:
      run<3, float>(drawn);
      break;
    case 2:
      run<2, double>(drawn);
      break;
    default:
      run<3, double>(drawn);
  }
  return 0;
}
