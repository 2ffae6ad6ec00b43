// Meshes: made, refused, linked, read by the library that kernels see.
// Labels: plain threads

#include <widephase/meshes.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include <widephase/scene.hpp>

#include "geometry/mesh_library.hpp"
#include "geometry/validate_meshes.hpp"
#include "support/error_of.hpp"

namespace widephase::test {
namespace {

template <class T>
using Table = MeshTable<Owned<3, T>>;
template <class T>
using Span = MeshTable<Borrowed<3, T>>;

template <class T>
Span<T> span_of(const Table<T>& table) {
  Span<T> span;
  Table<T>::for_each_column([](auto, const auto& column, auto& view) { view = column; }, table,
                            span);
  return span;
}

template <class T>
using Vertices = Column<T, 3>;
using Indices = Column<std::int32_t, 3>;

template <class T>
Vertices<T> square() {
  return {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
}
Indices two_triangles() { return {{0, 1, 2}, {0, 2, 3}}; }

/// A square of two triangles, and a tetrahedron.
template <class T>
Table<T> two_meshes() {
  Table<T> table;
  add_mesh(table, square<T>(), two_triangles());
  add_mesh(table, Vertices<T>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
           Indices{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
  return table;
}

/// A wavy grid of `side` x `side` cells.
template <class T>
Table<T> grid(int side) {
  Vertices<T> vertices;
  Indices indices;
  for (int y = 0; y <= side; ++y) {
    for (int x = 0; x <= side; ++x) vertices.push_back({T(x), T(y), T((x * 7 + y * 5) % 11) / 8});
  }
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const int at = y * (side + 1) + x;
      indices.push_back({at, at + 1, at + side + 2});
      indices.push_back({at, at + side + 2, at + side + 1});
    }
  }
  Table<T> table;
  add_mesh(table, vertices, indices);
  return table;
}

/// The first mesh of a table, each triangle with vertices of its own.
template <class T>
Table<T> soup_of(const Table<T>& from) {
  Vertices<T> vertices;
  Indices indices;
  for (std::size_t t = 0; t < from.indices.size(); ++t) {
    const auto first = static_cast<std::int32_t>(3 * t);
    indices.push_back({first, first + 1, first + 2});
    for (int c = 0; c < 3; ++c) {
      const auto v = static_cast<std::size_t>(from.indices(t, c));
      vertices.push_back({from.vertices(v, 0), from.vertices(v, 1), from.vertices(v, 2)});
    }
  }
  Table<T> table;
  add_mesh(table, vertices, indices);
  return table;
}

template <class T>
const T* corner_of(const MeshView<T>& mesh, std::int32_t triangle, int corner) {
  return mesh.positions + 3 * std::ptrdiff_t{mesh.corners[3 * triangle + corner]};
}

/// The places of level 0 whose bounds meet a box, by the tree.
template <class T>
std::set<std::int32_t> walk(const MeshView<T>& mesh, const std::array<T, 3>& low,
                            const std::array<T, 3>& high) {
  std::set<std::int32_t> found;
  std::vector<std::array<std::int32_t, 2>> open;  // level, tile
  if (mesh.level_count > 0) open.push_back({mesh.level_count - 1, 0});
  while (!open.empty()) {
    const auto [level, n] = open.back();
    open.pop_back();
    const T* const tile = mesh.tiles + std::ptrdiff_t{96} * (mesh.level_begin[level] + n);
    for (int i = 0; i < kMeshTile; ++i) {
      bool meets = true;
      for (int k = 0; k < 3; ++k) {
        meets &= tile[16 * k + i] <= high[k] && tile[48 + 16 * k + i] >= low[k];
      }
      if (!meets) continue;
      if (level == 0) {
        found.insert(mesh.order[n * kMeshTile + i]);
      } else {
        open.push_back({level - 1, n * kMeshTile + i});
      }
    }
  }
  return found;
}

/// The tree has each triangle that may be met once, and finds those near a box.
template <class T>
void expect_right_tree(const MeshView<T>& mesh, std::uint32_t seed) {
  std::set<std::int32_t> all(mesh.order, mesh.order + mesh.place_count);
  ASSERT_EQ(all.size(), static_cast<std::size_t>(mesh.place_count));
  std::mt19937 random(seed);
  for (int question = 0; question < 40; ++question) {
    std::array<T, 3> low, high;
    for (int k = 0; k < 3; ++k) {
      const double share = static_cast<double>(random() % 1000) / 1000;
      low[k] = mesh.low[k] + (mesh.high[k] - mesh.low[k]) * static_cast<T>(share);
      high[k] = low[k] + (mesh.high[k] - mesh.low[k]) / T(question % 7 + 1);
    }
    std::set<std::int32_t> wanted;
    for (const std::int32_t t : all) {
      bool meets = true;
      for (int k = 0; k < 3; ++k) {
        T least = corner_of(mesh, t, 0)[k], most = least;
        for (int c = 1; c < 3; ++c) {
          least = std::min(least, corner_of(mesh, t, c)[k]);
          most = std::max(most, corner_of(mesh, t, c)[k]);
        }
        meets &= least <= high[k] && most >= low[k];
      }
      if (meets) wanted.insert(t);
    }
    ASSERT_EQ(walk(mesh, low, high), wanted);
  }
}

template <class T>
class meshes : public ::testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(meshes, Reals);

TYPED_TEST(meshes, lie_one_behind_the_other) {
  using T = TypeParam;
  Table<T> table = two_meshes<T>();
  EXPECT_EQ(table.vertex_offsets[2], 8);
  EXPECT_EQ(table.triangle_offsets[1], 2);
  EXPECT_EQ(table.triangle_offsets[2], 6);
  EXPECT_TRUE(table.two_sided.empty());
  EXPECT_EQ(add_mesh(table, square<T>(), two_triangles(), true), 2);
  EXPECT_EQ(table.two_sided[1], 0);
  EXPECT_EQ(table.two_sided[2], 1);
  EXPECT_TRUE(table.beyond.empty());
  EXPECT_EQ(add_mesh(table, square<T>(), two_triangles(), false, 1), 3);
  EXPECT_EQ(table.beyond[2], 0);
  EXPECT_EQ(table.beyond[3], 1);
  EXPECT_EQ(mesh_summary(table, 3).beyond, 1);
}

TYPED_TEST(meshes, are_refused_and_leave_the_table_as_it_was) {
  using T = TypeParam;
  Table<T> table = two_meshes<T>();
  const auto error = [&](const Vertices<T>& vertices, const Indices& indices) {
    return error_of([&] { add_mesh(table, vertices, indices); });
  };
  EXPECT_EQ(error(square<T>(), {{0, 1, 2}, {0, 4, 3}}),
            "indices[1] names vertex 4; the mesh has 4 vertices, counted from 0");
  EXPECT_EQ(error(square<T>(), {{0, 1, -1}}),
            "indices[0] names vertex -1; the mesh has 4 vertices, counted from 0");
  Vertices<T> bad = square<T>();
  bad(2, 1) = std::numeric_limits<T>::quiet_NaN();
  EXPECT_EQ(error(bad, two_triangles()),
            "vertices[2] is nan; a vertex must be three finite numbers");
  EXPECT_EQ(error({}, {}), "indices has 0 triangles; a mesh must have a triangle with an area");
  EXPECT_EQ(error({{0, 0, 0}, {1, 1, 1}, {3, 3, 3}}, {{0, 1, 2}, {0, 0, 1}}),
            "indices has 2 triangles; a mesh must have a triangle with an area");
  EXPECT_EQ(table.vertex_offsets.size(), 3u);
  EXPECT_EQ(table.vertices.size(), 8u);
}

TYPED_TEST(meshes, of_two_triangles_are_linked_over_the_diagonal) {
  using T = TypeParam;
  MeshLibrary<T> library;
  ASSERT_TRUE(library.update(span_of(two_meshes<T>()), {}));
  const MeshView<T>& mesh = library.views()[0];
  // 0-1, 1-2, 2-0 and 0-2, 2-3, 3-0: edge 2 of the first is edge 0 of the second.
  const std::vector<std::int32_t> across{-1, -1, 1, 0, -1, -1};
  EXPECT_EQ(std::vector<std::int32_t>(mesh.across, mesh.across + 6), across);
  const std::vector<std::int32_t> ring_begin{0, 2, 3, 5, 6}, ring{0, 1, 0, 0, 1, 1};
  EXPECT_EQ(std::vector<std::int32_t>(mesh.ring_begin, mesh.ring_begin + 5), ring_begin);
  EXPECT_EQ(std::vector<std::int32_t>(mesh.ring, mesh.ring + 6), ring);
  const MeshView<T>& closed = library.views()[1];
  EXPECT_TRUE(std::all_of(closed.across, closed.across + 12, [](auto t) { return t >= 0; }));
}

TYPED_TEST(meshes, weld_vertices_at_one_place) {
  using T = TypeParam;
  // The square as STL has it; -0 is 0.
  Table<T> table;
  add_mesh(
      table,
      Vertices<T>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {T(-0.0), 0, 0}, {1, 1, T(-0.0)}, {0, 1, 0}},
      Indices{{0, 1, 2}, {3, 4, 5}});
  MeshLibrary<T> library;
  ASSERT_TRUE(library.update(span_of(table), {}));
  const MeshView<T>& mesh = library.views()[0];
  EXPECT_EQ(mesh.vertex_count, 4);
  EXPECT_EQ(mesh.across[2], 1);
  EXPECT_EQ(mesh.across[3], 0);
  const MeshSummary summary = mesh_summary(table, 0);
  EXPECT_EQ(summary.vertices, 4);
  EXPECT_EQ(summary.borders, 4);
}

TYPED_TEST(meshes, count_borders_flips_duplicates_and_triangles_without_area) {
  using T = TypeParam;
  Vertices<T> vertices = square<T>();
  vertices.push_back({T(0.5), 0, 1});
  vertices.push_back({2, 2, 0});
  Table<T> table;
  // The diagonal is run twice in one direction: a flip. Triangle 2 repeats the first, from another
  // vertex on; 3 and 4 have no area; 5 is the first from behind, a third one at its edges.
  add_mesh(table, vertices,
           Indices{{0, 1, 2}, {2, 0, 3}, {1, 2, 0}, {0, 2, 5}, {1, 1, 4}, {0, 2, 1}});
  const MeshSummary all = mesh_summary(table, 0);
  EXPECT_EQ(all.triangles, 6);
  EXPECT_EQ(all.duplicates, 1);
  EXPECT_EQ(all.without_area, 2);
  EXPECT_EQ(all.borders, 3) << "the diagonal, of three triangles, and two outer edges";
  EXPECT_EQ(all.flips, 0);
  Table<T> flipped;
  add_mesh(flipped, square<T>(), Indices{{0, 1, 2}, {2, 0, 3}});
  const MeshSummary flip = mesh_summary(flipped, 0);
  EXPECT_EQ(flip.flips, 1);
  EXPECT_EQ(flip.borders, 5);
  MeshLibrary<T> library;
  ASSERT_TRUE(library.update(span_of(table), {}));
  const MeshView<T>& mesh = library.views()[0];
  EXPECT_EQ(mesh.place_count, 3);
  EXPECT_EQ(mesh.across[6], kRepeated);
  EXPECT_EQ(mesh.across[9], kWithoutArea);
}

/// A band of three squares whose end is turned: every inner edge is run in opposite directions but
/// one.
TYPED_TEST(meshes, of_one_side_have_a_flip) {
  using T = TypeParam;
  Table<T> table;
  add_mesh(table,
           Vertices<T>{{1, 0, 0}, {1, 0, 1}, {-1, 1, 0}, {-1, 1, 1}, {-1, -1, 0}, {-1, -1, 1}},
           Indices{{0, 2, 3}, {0, 3, 1}, {2, 4, 5}, {2, 5, 3}, {4, 1, 0}, {4, 0, 5}});
  const MeshSummary summary = mesh_summary(table, 0);
  EXPECT_EQ(summary.flips, 1);
  MeshLibrary<T> library;
  EXPECT_TRUE(library.update(span_of(table), {}));
}

TYPED_TEST(meshes, have_trees_that_find_what_is_near) {
  using T = TypeParam;
  for (const int side : {1, 2, 3, 11, 12, 40, 150}) {
    MeshLibrary<T> library;
    ASSERT_TRUE(library.update(span_of(grid<T>(side)), {}));
    const MeshView<T>& mesh = library.views()[0];
    ASSERT_EQ(mesh.place_count, 2 * side * side);
    expect_right_tree(mesh, static_cast<std::uint32_t>(side));
  }
}

TYPED_TEST(meshes, are_alike_on_any_number_of_threads) {
  using T = TypeParam;
  const Table<T> table = grid<T>(150);
  MeshLibrary<T> one, three;
  ASSERT_TRUE(one.update(span_of(table), Threads{1, {}}));
  ASSERT_TRUE(three.update(span_of(table), Threads{3, {}}));
  const MeshView<T>&a = one.views()[0], &b = three.views()[0];
  EXPECT_TRUE(std::equal(a.order, a.order + a.place_count, b.order));
  EXPECT_TRUE(std::equal(a.across, a.across + 3 * a.triangle_count, b.across));
  const int last = a.level_count - 1;
  EXPECT_TRUE(std::equal(a.tiles, a.tiles + 96 * (a.level_begin[last] + 1), b.tiles));
}

TYPED_TEST(meshes, take_up_to_80_bytes_per_triangle_in_float) {
  using T = TypeParam;
  MeshLibrary<T> library;
  ASSERT_TRUE(library.update(span_of(grid<T>(150)), {}));
  const double bytes = static_cast<double>(library.bytes()) / (2 * 150 * 150);
  EXPECT_LE(bytes, sizeof(T) == 4 ? 80 : 110);
  // Each triangle with vertices of its own, as in STL files.
  Table<T> soup = soup_of(grid<T>(150));
  MeshLibrary<T> library_of_soup;
  ASSERT_TRUE(library_of_soup.update(span_of(soup), {}));
  EXPECT_LE(static_cast<double>(library_of_soup.bytes()) / (2 * 150 * 150), bytes);
  ASSERT_TRUE(library_of_soup.update(span_of(soup), {}));
  EXPECT_EQ(library_of_soup.builds(), 1);
  // All vertices at a place must move together.
  soup.vertices(0, 2) += T(0.25);
  ASSERT_TRUE(library_of_soup.update(span_of(soup), {}));
  EXPECT_EQ(library_of_soup.builds(), 2);
  for (std::size_t v = 0; v < soup.vertices.size(); ++v) soup.vertices(v, 2) += T(1);
  ASSERT_TRUE(library_of_soup.update(span_of(soup), {}));
  EXPECT_EQ(library_of_soup.refits(), 1);
}

/// A vertex of no triangle is read too: it must be finite.
TYPED_TEST(meshes, with_vertices_of_no_triangle_are_kept) {
  using T = TypeParam;
  Vertices<T> vertices = square<T>();
  vertices.push_back({T(0.5), T(0.5), 1});
  Table<T> table;
  add_mesh(table, vertices, two_triangles());
  MeshLibrary<T> library;
  ASSERT_TRUE(library.update(span_of(table), {}));
  table.vertices(4, 2) = 2;
  ASSERT_TRUE(library.update(span_of(table), {}));
  EXPECT_EQ(library.builds(), 1);
  table.vertices(4, 2) = std::numeric_limits<T>::quiet_NaN();
  EXPECT_FALSE(library.update(span_of(table), {}));
}

TYPED_TEST(meshes, are_kept_refitted_or_built) {
  using T = TypeParam;
  Table<T> table = two_meshes<T>();
  MeshLibrary<T> library;
  const auto expect_counts = [&](int builds, int refits, const char* why) {
    ASSERT_TRUE(library.update(span_of(table), {})) << why;
    EXPECT_EQ(library.builds(), builds) << why;
    EXPECT_EQ(library.refits(), refits) << why;
  };
  expect_counts(2, 0, "two meshes");
  expect_counts(2, 0, "the same two");
  table.vertices(2, 2) = T(0.25);
  expect_counts(2, 1, "a vertex of the first");
  EXPECT_EQ(library.views()[0].high[2], T(0.25));
  table.indices(1, 1) = 1;
  expect_counts(3, 1, "a corner of the first");
  table.indices(1, 1) = 2;
  expect_counts(4, 1, "and back");
  table.two_sided = {0, 1};
  expect_counts(4, 1, "sides are no geometry");
  EXPECT_TRUE(library.views()[1].is_two_sided);
  table.vertices.set(3, {0, 0, 0});
  expect_counts(5, 1, "two vertices met: triangle 1 has no area");
  EXPECT_EQ(library.views()[0].vertex_count, 3);
  table.vertices.set(3, {0, 1, 0});
  expect_counts(6, 1, "and parted");
  table.vertices.set(3, {T(0.5), T(0.5), T(0.25)});
  expect_counts(6, 2, "over the diagonal");
  table.vertices(3, 2) = T(0.125);
  expect_counts(7, 2, "on the diagonal: triangle 1 has no area");
  table.vertices(3, 0) = std::numeric_limits<T>::infinity();
  EXPECT_FALSE(library.update(span_of(table), {}));
  EXPECT_EQ(library.size(), 0u);
  table.vertices(3, 0) = 0;
  expect_counts(9, 2, "all anew");
}

TYPED_TEST(meshes, have_a_tree_of_their_own_and_one_of_what_is_beyond) {
  using T = TypeParam;
  Table<T> table = two_meshes<T>();
  MeshLibrary<T> library;
  const auto expect_counts = [&](std::int64_t builds, std::int64_t refits) {
    ASSERT_TRUE(library.update(span_of(table), {}));
    EXPECT_EQ(library.builds(), builds);
    EXPECT_EQ(library.refits(), refits);
  };
  expect_counts(2, 0);
  EXPECT_EQ(library.views()[0].beyond, nullptr);
  table.beyond = {1, 0};
  expect_counts(3, 0);
  const MeshView<T>& first = library.views()[0];
  EXPECT_EQ(first.own_count, 1);
  ASSERT_TRUE(first.place_count == 1 && first.beyond != nullptr);
  EXPECT_TRUE(first.order[0] == 0 && first.beyond->place_count == 1);
  EXPECT_EQ(first.beyond->order[0], 1);
  EXPECT_EQ(library.views()[1].beyond, nullptr);
  // Vertex 3 is of the neighbour's triangle alone.
  const T high = first.high[1];
  table.vertices(3, 1) += T(0.5);
  expect_counts(3, 1);
  EXPECT_EQ(library.views()[0].high[1], high);
  EXPECT_EQ(library.views()[0].beyond->high[1], table.vertices(3, 1));
  table.beyond = {0, 0};
  expect_counts(4, 1);
  EXPECT_EQ(library.views()[0].beyond, nullptr);
  EXPECT_EQ(library.views()[0].high[1], table.vertices(3, 1));
}

/// Vertices that move a little leave the tree; shuffled ones need another.
TYPED_TEST(meshes, that_moved_have_right_trees) {
  using T = TypeParam;
  Table<T> table = grid<T>(40);
  MeshLibrary<T> library;
  ASSERT_TRUE(library.update(span_of(table), {}));
  std::mt19937 random(7);
  for (int step = 0; step < 4; ++step) {
    for (std::size_t v = 0; v < table.vertices.size(); ++v) {
      for (int k = 0; k < 3; ++k) {
        const T far = step < 2 ? T(0.01) : T(30);
        table.vertices(v, k) += far * static_cast<T>(random() % 1000) / 1000;
      }
    }
    ASSERT_TRUE(library.update(span_of(table), {}));
    expect_right_tree(library.views()[0], static_cast<std::uint32_t>(step));
  }
  EXPECT_EQ(library.builds(), 1);
  EXPECT_EQ(library.refits(), 4);
}

TYPED_TEST(meshes, of_a_million_equal_triangles_are_one) {
  using T = TypeParam;
  Indices equal, flat;
  for (int t = 0; t < 1000000; ++t) {
    equal.push_back({t % 3, (t + 1) % 3, (t + 2) % 3});
    flat.push_back({0, 1, t % 2});
  }
  flat.set(999999, {0, 1, 2});
  Table<T> table;
  add_mesh(table, square<T>(), equal);
  add_mesh(table, square<T>(), flat);
  MeshLibrary<T> library;
  ASSERT_TRUE(library.update(span_of(table), {}));
  EXPECT_EQ(library.views()[0].place_count, 1);
  EXPECT_EQ(library.views()[1].place_count, 1);
  EXPECT_EQ(mesh_summary(table, 0).duplicates, 999999);
}

/// Collinear by the numbers, not by their rounding: 0.1, 0.2 and 0.3 are not evenly apart.
TYPED_TEST(meshes, have_exact_areas) {
  using T = TypeParam;
  Table<T> table;
  add_mesh(table, Vertices<T>{{0, 0, 0}, {T(0.1), T(0.1), 0}, {T(0.3), T(0.3), 0}, {1, 2, 3}},
           Indices{{0, 1, 2}, {0, 1, 3}});
  EXPECT_EQ(mesh_summary(table, 0).without_area, 1);
  Table<T> nearly;
  add_mesh(
      nearly,
      Vertices<T>{
          {0, 0, 0}, {T(0.1), T(0.1), 0}, {T(0.3), std::nextafter(T(0.3), T(1)), 0}, {1, 2, 3}},
      Indices{{0, 1, 2}, {0, 1, 3}});
  EXPECT_EQ(mesh_summary(nearly, 0).without_area, 0);
}

struct BadMesh {
  const char* text;  ///< the finding
  std::function<void(Table<float>&)> spoil;
};

TEST(validate_meshes, says_which_array_and_row) {
  const std::vector<BadMesh> cases{
      {"meshes.vertex_offsets[0] is 1; the first geometry begins at 0",
       [](Table<float>& t) { t.vertex_offsets[0] = 1; }},
      {"meshes.vertex_offsets[2] is 7; the last offset must be the count of vertices, 8",
       [](Table<float>& t) { t.vertex_offsets[2] = 7; }},
      {"meshes.triangle_offsets[2] is 1, below the 2 before it; geometries lie one after the other",
       [](Table<float>& t) { t.triangle_offsets[2] = 1; }},
      {"meshes.triangle_offsets is empty, but meshes.indices has 6 rows; it must begin with 0 and "
       "end with their count",
       [](Table<float>& t) { t.triangle_offsets.clear(); }},
      {"meshes.triangle_offsets has 1 meshes, but meshes.vertex_offsets has 2",
       [](Table<float>& t) {
         t.triangle_offsets = {0, 6};
       }},
      {"meshes.two_sided has 1 rows, but meshes.vertex_offsets has 2 meshes",
       [](Table<float>& t) { t.two_sided = {1}; }},
      {"meshes.vertices[5] is inf; a vertex must be three finite numbers",
       [](Table<float>& t) { t.vertices(5, 1) = std::numeric_limits<float>::infinity(); }},
      {"meshes.indices[3] names vertex 4; mesh 1 has 4 vertices, counted from 0",
       [](Table<float>& t) { t.indices(3, 1) = 4; }},
      {"meshes.triangle_offsets[0] begins mesh 0, which has 2 triangles; a mesh must have a "
       "triangle with an area",
       [](Table<float>& t) {
         for (int row = 0; row < 2; ++row) t.indices.set(static_cast<std::size_t>(row), {1, 1, 2});
       }},
      {"meshes.triangle_offsets[0] begins mesh 0, which has 0 triangles; a mesh must have a "
       "triangle with an area",
       [](Table<float>& t) {
         t.triangle_offsets = {0, 0, 6};
       }},
  };
  for (const BadMesh& bad : cases) {
    SceneColumns<3, float> scene;
    scene.mesh_geometries = two_meshes<float>();
    ASSERT_TRUE((validate<3, float>(scene).empty()));
    bad.spoil(scene.mesh_geometries);
    const auto findings = validate<3, float>(scene, 0, 10);
    ASSERT_GE(findings.size(), 1u) << bad.text;
    EXPECT_EQ(findings[0].array +
                  (findings[0].row < 0 ? "" : "[" + std::to_string(findings[0].row) + "]") + " " +
                  findings[0].message,
              bad.text);
    // What `validate` says is what the library refuses.
    MeshLibrary<float> library;
    EXPECT_FALSE(library.update(span_of(scene.mesh_geometries), {})) << bad.text;
  }
}

/// A mesh that is not there may be the offsets' fault: they are told of first.
TEST(validate_meshes, says_what_is_wrong_with_offsets_before_what_names_a_mesh) {
  SceneColumns<3, float> scene;
  scene.mesh_geometries = two_meshes<float>();
  scene.meshes.center.push_back({0, 0, 0});
  scene.meshes.turn.push_back({0, 0, 0, 1});
  scene.meshes.geometry.push_back({1});
  ASSERT_TRUE((validate<3, float>(scene).empty()));
  scene.mesh_geometries.vertex_offsets.resize(1);
  const auto findings = validate<3, float>(scene, 0, 10);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].array, "meshes.vertex_offsets");
  EXPECT_EQ(findings[1].array, "mesh.geometry");
}

}  // namespace
}  // namespace widephase::test
