// Polygons, hulls, meshes, height fields and chains of any numbers: the result is valid, or the
// table does not change.

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

template <class T>
void run_mesh(Drawn& drawn, SceneColumns<3, T>& scene) {
  const Column<T, 3> points = draw_points<3, T>(drawn, 40, false);
  const int count = std::max(1, static_cast<int>(points.size()));
  Column<std::int32_t, 3> triangles;
  for (int t = drawn.below(60); t > 0; --t) {
    std::array<std::int32_t, 3> row{};
    for (std::int32_t& v : row) {
      const int byte = drawn.byte();
      v = byte == 255 ? static_cast<std::int32_t>(drawn.bits(4)) : byte % count;
    }
    triangles.push_back(row);
  }
  MeshTable<Owned<3, T>>& table = scene.mesh_geometries;
  std::int32_t index = -1;
  try {
    index = add_mesh(table, points.span(), triangles.span(), drawn.flag());
  } catch (const Error&) {
    require(table.vertices.empty() && table.indices.empty() && table.vertex_offsets.size() <= 1,
            "a refused table of meshes stays as it was");
    return;
  }
  const MeshSummary summary = mesh_summary(table, index);
  require(summary.triangles == static_cast<std::int64_t>(triangles.size()) &&
              summary.vertices <= static_cast<std::int64_t>(points.size()) &&
              summary.duplicates + summary.without_area <= summary.triangles,
          "a mesh is made of what was given");
}

template <class T>
void run_heightfield(Drawn& drawn, SceneColumns<3, T>& scene) {
  Column<T> heights;
  for (int i = drawn.below(60); i > 0; --i) heights.push_back(drawn.real<T>());
  const std::int32_t columns = drawn.below(12) - 1;
  const T x = drawn.real<T>(), y = drawn.real<T>();
  HeightfieldTable<Owned<3, T>>& table = scene.heightfield_geometries;
  std::int32_t index = -1;
  try {
    index = add_heightfield(table, heights, columns, x, y);
  } catch (const Error&) {
    require(table.heights.empty() && table.columns.empty() && table.cell.empty() &&
                table.offsets.size() <= 1,
            "a refused table of height fields stays as it was");
    return;
  }
  const auto rows = static_cast<std::int32_t>(heights.size()) / columns;
  for (std::int32_t cell = 0; cell < (rows - 1) * columns; ++cell) {
    if (cell % columns == columns - 1) continue;
    for (std::int32_t half = 0; half < 2; ++half) {
      const HeightfieldTriangle<T> triangle = heightfield_triangle(table, index, 2 * cell + half);
      bool has_hole = false;
      for (const auto& vertex : triangle.vertices) has_hole |= std::isnan(vertex[2]);
      require(has_hole == triangle.is_hole, "a triangle is a hole where a height is none");
    }
  }
}

template <class T>
void run_chain(Drawn& drawn, SceneColumns<2, T>& scene) {
  const Column<T, 2> points = draw_points<2, T>(drawn, 60, false);
  ChainOptions options;
  options.loop = drawn.flag();
  options.two_sided = drawn.flag();
  options.before = drawn.below(20) - 4;
  options.after = drawn.below(20) - 4;
  ChainTable<Owned<2, T>>& table = scene.chain_geometries;
  try {
    add_chain(table, points.span(), options);
  } catch (const Error&) {
    require(table.vertices.empty() && table.offsets.size() <= 1 && table.loop.empty() &&
                table.two_sided.empty() && table.before.empty() && table.after.empty(),
            "a refused table of chains stays as it was");
    return;
  }
  require(table.vertices.size() == points.size(), "a chain is made of what was given");
}

/// Surfaces of any numbers.
template <class T>
void run_surfaces(Drawn& drawn) {
  drawn.draw_unit();
  SceneColumns<3, T> scene;
  run_mesh(drawn, scene);
  run_heightfield(drawn, scene);
  require(validate<3, T>(scene).empty(), "surfaces that were built are valid");
  SceneColumns<2, T> flat;
  run_chain(drawn, flat);
  require(validate<2, T>(flat).empty(), "chains that were built are valid");
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
               : std::min(rows, std::min(rows, table.offsets[table.offsets.size() - 1]) +
                                    drawn.below(30))});
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
  const int way = drawn.byte();
  // Other bytes draw the same as when the corpus was made.
  if (way >= 248)
    return (way % 2 == 0 ? run_surfaces<float>(drawn) : run_surfaces<double>(drawn)), 0;
  switch (way % 4) {
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
