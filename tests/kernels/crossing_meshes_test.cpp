// Convex shapes that cross meshes of many forms, rough and not convex, of one side and two, judged
// over all triangles: every contact's normal, depth and points, and that none is missing.
// Labels: dated

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "support/cut_meshes.hpp"
#include "support/mesh_judge.hpp"

namespace widephase::test {
namespace {

enum class Form {
  soup,      ///< triangles anywhere, through each other
  crumpled,  ///< a sheet whose vertices are moved any way
  ball,      ///< closed, with dents
  level,     ///< floors, steps and walls along the axes
  book,      ///< sheets that meet in one edge
  needles,   ///< a sheet of slivers
  fan,       ///< a hundred triangles around one vertex
  cut,       ///< a sheet whose triangles have vertices of others on their edges
};
constexpr std::array kForms{Form::soup, Form::crumpled, Form::ball, Form::level,
                            Form::book, Form::needles,  Form::fan,  Form::cut};
constexpr std::array<const char*, kForms.size()> kFormNames{"soup", "crumpled", "ball", "level",
                                                            "book", "needles",  "fan",  "cut"};

void add_triangle(PlacedMesh& mesh, const std::array<Point<3>, 3>& corners) {
  const auto first = static_cast<std::int32_t>(mesh.vertices.size());
  for (const Point<3>& corner : corners) mesh.vertices.push_back(corner);
  mesh.triangles.push_back({first, first + 1, first + 2});
}

/// Two triangles; corners counter-clockwise.
void add_quad(PlacedMesh& mesh, const Point<3>& a, const Point<3>& b, const Point<3>& c,
              const Point<3>& d) {
  add_triangle(mesh, {a, b, c});
  add_triangle(mesh, {a, c, d});
}

template <class Place>
PlacedMesh sheet(int rows, int columns, const Place& place) {
  PlacedMesh mesh;
  for (int row = 0; row <= rows; ++row) {
    for (int column = 0; column <= columns; ++column) mesh.vertices.push_back(place(row, column));
  }
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int at = row * (columns + 1) + column, next = at + columns + 1;
      mesh.triangles.push_back({at, at + 1, next + 1});
      mesh.triangles.push_back({at, next + 1, next});
    }
  }
  return mesh;
}

/// A closed ball around the origin: a grid of angles with its poles drawn together.
PlacedMesh dented_ball(Random& random) {
  constexpr int kRows = 7, kColumns = 12;
  PlacedMesh mesh;
  for (int row = 0; row <= kRows; ++row) {
    const double turn = std::numbers::pi * row / kRows;
    for (int column = 0; column < kColumns; ++column) {
      const bool is_pole = row == 0 || row == kRows;
      if (is_pole && column > 0) {
        mesh.vertices.push_back(mesh.vertices[mesh.vertices.size() - 1]);
        continue;
      }
      const double around = 2 * std::numbers::pi * column / kColumns;
      const double radius = random.uniform(1.1, 2);
      mesh.vertices.push_back({radius * std::sin(turn) * std::cos(around),
                               radius * std::sin(turn) * std::sin(around),
                               -radius * std::cos(turn)});
    }
  }
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      const int a = row * kColumns + column, b = row * kColumns + (column + 1) % kColumns;
      mesh.triangles.push_back({a, b, b + kColumns});
      mesh.triangles.push_back({a, b + kColumns, a + kColumns});
    }
  }
  return mesh;
}

/// Tiles of a few heights with the faces between them, all along the axes.
PlacedMesh random_level(Random& random) {
  constexpr int kSide = 5;
  std::array<std::array<double, kSide>, kSide> height;
  for (auto& row : height) {
    for (double& tile : row) tile = 0.25 * random.integer(0, 4);
  }
  PlacedMesh mesh;
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      const double z = height[row][column];
      const double x = column, y = row;
      add_quad(mesh, {x, y, z}, {x + 1, y, z}, {x + 1, y + 1, z}, {x, y + 1, z});
      if (column + 1 < kSide && height[row][column + 1] != z) {
        const double other = height[row][column + 1];
        add_quad(mesh, {x + 1, y, z}, {x + 1, y, other}, {x + 1, y + 1, other}, {x + 1, y + 1, z});
      }
      if (row + 1 < kSide && height[row + 1][column] != z) {
        const double other = height[row + 1][column];
        add_quad(mesh, {x, y + 1, z}, {x + 1, y + 1, z}, {x + 1, y + 1, other}, {x, y + 1, other});
      }
    }
  }
  return mesh;
}

PlacedMesh random_mesh(Random& random, Form form) {
  switch (form) {
    case Form::soup: {
      PlacedMesh mesh;
      for (int t = 0; t < 40; ++t) {
        const Point<3> at = random.point<3>(-2, 2);
        std::array<Point<3>, 3> corners;
        for (Point<3>& corner : corners) {
          corner = random.point<3>(-1, 1);
          for (int k = 0; k < 3; ++k) corner[k] += at[k];
        }
        add_triangle(mesh, corners);
      }
      return mesh;
    }
    case Form::crumpled:
      return sheet(6, 6, [&](int row, int column) {
        const Point<3> off = random.point<3>(-0.45, 0.45);
        return Point<3>{column + off[0], row + off[1], 2 * off[2]};
      });
    case Form::ball:
      return dented_ball(random);
    case Form::level:
      return random_level(random);
    case Form::book: {
      // Leaves of two triangles each, all at one edge.
      PlacedMesh mesh;
      const int leaves = random.integer(3, 7);
      for (int leaf = 0; leaf < leaves; ++leaf) {
        const double turn = random.uniform(-3.2, 3.2);
        const double x = 2 * std::cos(turn), y = 2 * std::sin(turn);
        add_quad(mesh, {0, 0, -1}, {x, y, -1}, {x, y, 1}, {0, 0, 1});
      }
      return mesh;
    }
    case Form::needles:
      return sheet(4, 40, [&](int row, int column) {
        return Point<3>{0.05 * column, row + 0., 0.2 * std::sin(row) + random.uniform(-0.03, 0.03)};
      });
    case Form::fan: {
      // Peaks, pits and rough ones.
      const int count = random.integer(90, 110);
      const double rough = random.chance(0.5) ? 0 : random.uniform(0, 0.2);
      PlacedMesh mesh;
      mesh.vertices.push_back({0, 0, random.uniform(-1, 1)});
      for (int n = 0; n < count; ++n) {
        const double turn = 2 * std::numbers::pi * n / count;
        mesh.vertices.push_back(
            {1.5 * std::cos(turn), 1.5 * std::sin(turn), random.uniform(-rough, rough)});
        mesh.triangles.push_back({0, n + 1, n + 1 == count ? 1 : n + 2});
      }
      return mesh;
    }
    case Form::cut: {
      const PlacedMesh mesh = sheet(3, 3, [&](int row, int column) {
        return Point<3>{column + 0., row + 0., random.uniform(-0.5, 0.5)};
      });
      return cut_at_edges(random, mesh, 2, [&] { return random.uniform(0.3, 0.7); });
    }
  }
  return {};
}

/// A shape near a point of a triangle: crossing it, resting on it or beside it.
Solid<3> solid_near(Random& random, const PlacedMesh& mesh, Kind kind) {
  const double size = random.chance(0.7) ? random.uniform(0.2, 0.8) : random.uniform(0.8, 2);
  Solid<3> solid = random_solid<3>(random, kind, {0, 0, 0}, size);
  if (random.chance(0.4)) solid = turned_to(solid, mesh.orientation, {0, 0, 0});
  const auto& triangle =
      mesh.triangles[static_cast<std::size_t>(random.integer(0, int(mesh.triangles.size()) - 1))];
  std::array<double, 3> share{random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)};
  if (random.chance(0.2)) share[static_cast<std::size_t>(random.integer(0, 2))] = 0;
  const double sum = share[0] + share[1] + share[2];
  Vec<3> at{};
  std::array<Vec<3>, 3> corner;
  for (std::size_t k = 0; k < 3; ++k) {
    corner[k] = widened(mesh.vertices[static_cast<std::size_t>(triangle[k])]);
    at = plus(at, corner[k], share[k] / sum);
  }
  Vec<3> front = cross(minus(corner[1], corner[0]), minus(corner[2], corner[0]));
  if (length(front) == 0) front = {0, 0, 1};
  front = times(front, (random.chance(0.8) ? 1 : -1) / length(front));
  const auto axes = axes_of(mesh.orientation);
  const auto placed = [&](const Vec<3>& v) {
    return plus(plus(times(axes[0], v[0]), axes[1], v[1]), axes[2], v[2]);
  };
  front = placed(front);
  const Real low = core_support(solid, times(front, -1)) + radius_of(solid) + Real{mesh.radius};
  const double depth =
      random.chance(0.5) ? random.uniform(0, 0.1) * size : random.uniform(-0.3, 0.9) * size;
  const Vec<3> to = plus(plus(widened(mesh.center), placed(at), 1), front, low - depth);
  return moved(solid, Point<3>{double(to[0]), double(to[1]), double(to[2])});
}

/// Shapes with meshes in turn.
template <class T>
void check(const std::vector<PlacedMesh>& meshes, const std::vector<Solid<3>>& solids, Kind kind) {
  SceneColumns<3, T> scene;
  for (const PlacedMesh& mesh : meshes) append(scene, mesh);
  const std::size_t count = solids.size();
  std::vector<std::int32_t> rows;
  for (const Solid<3>& solid : solids) rows.push_back(append(scene, solid));
  const SceneLayout layout = layout_of(scene);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto mesh = static_cast<std::int32_t>(i % meshes.size());
    pairs.push_back({layout.id(kind, rows[i]), layout.id(Kind::mesh, mesh)});
  }
  std::vector<std::shared_ptr<KnownWays>> known(count);
  for (auto& ways : known) ways = std::make_shared<KnownWays>();
  for (const double margin : {0., 0.125}) {
    SCOPED_TRACE("margin " + std::to_string(margin));
    CollideOptions options;
    options.margin = margin;
    options.patch_angle = 0;
    ContactBuffer<3, T> contacts;
    Workspace<3, T> workspace;
    collide_pairs<3, T>(scene, pairs, contacts, workspace, options);
    std::size_t wrong = 0, touching = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto patches = patches_of(contacts, static_cast<std::int64_t>(i));
      touching += patches.empty() ? 0u : 1u;
      const std::string problem =
          mesh_problem<T>(meshes[i % meshes.size()], solids[i], margin, patches, known[i]);
      if (problem.empty() || ++wrong > 2) continue;
      std::string text = problem + "\n  " + describe(solids[i]);
      for (const auto& patch : patches) text += "\n  " + describe(patch);
      ADD_FAILURE() << i << ": " << text;
    }
    EXPECT_EQ(wrong, 0u) << "of " << count;
    // Few shapes, as sanitizers take, may all be apart.
    if (count >= 8) {
      EXPECT_GT(touching, 0u);
    }
  }
}

template <class T>
void check_form(Form form, Kind kind, bool two_sided, std::size_t count, std::uint64_t seed) {
  constexpr std::size_t kMeshes = 2;
  SCOPED_TRACE(two_sided ? "two-sided" : "one-sided");
  Random random(seed);
  std::vector<PlacedMesh> meshes;
  for (std::size_t m = 0; m < kMeshes; ++m) {
    PlacedMesh mesh = random_mesh(random, form);
    mesh.is_two_sided = two_sided;
    mesh.center = random.point<3>(-3, 3);
    if (random.chance(0.5)) mesh.orientation = random_orientation(random);
    if (random.chance(0.3)) mesh.radius = random.uniform(0, 0.1);
    meshes.push_back(stored<T>(mesh));
  }
  std::vector<Solid<3>> solids;
  for (std::size_t i = 0; i < count; ++i) {
    solids.push_back(stored<T>(solid_near(random, meshes[i % kMeshes], kind)));
  }
  check<T>(meshes, solids, kind);
}

/// The scan that scripts/setup fetches; empty if it is not there.
PlacedMesh scan() {
  PlacedMesh mesh;
  std::ifstream file(WIDEPHASE_SOURCE "/build/bunny/bunny.obj");
  std::string word;
  while (file >> word) {
    Point<3> row{};
    for (int k = 0; k < 3; ++k) file >> row[k];
    if (word == "v") {
      mesh.vertices.push_back(row);
    } else {
      mesh.triangles.push_back({int(row[0]) - 1, int(row[1]) - 1, int(row[2]) - 1});
    }
  }
  return mesh;
}

/// The reference searches for round cores.
std::size_t count_of(Kind kind) { return is_round(kind) || is_searched(kind) ? 8 : 20; }

class CrossingMeshes : public ::testing::TestWithParam<std::tuple<Form, Kind>> {};

TEST_P(CrossingMeshes, float_) {
  const auto [form, kind] = GetParam();
  for (const bool two_sided : {false, true}) {
    check_form<float>(form, kind, two_sided, scaled(count_of(kind), 2),
                      900 + static_cast<unsigned>(form));
  }
}
TEST_P(CrossingMeshes, double_) {
  const auto [form, kind] = GetParam();
  for (const bool two_sided : {false, true}) {
    check_form<double>(form, kind, two_sided, scaled(count_of(kind), 2),
                       950 + static_cast<unsigned>(form));
  }
}
TEST_P(CrossingMeshes, mixed) {
  const auto [form, kind] = GetParam();
  for (const bool two_sided : {false, true}) {
    check_form<Mixed>(form, kind, two_sided, scaled(count_of(kind) / 2, 2),
                      970 + static_cast<unsigned>(form));
  }
}

INSTANTIATE_TEST_SUITE_P(
    all, CrossingMeshes,
    ::testing::Combine(::testing::ValuesIn(kForms), ::testing::ValuesIn(kConvexKinds)),
    [](const auto& info) {
      return std::string(kFormNames[static_cast<std::size_t>(std::get<0>(info.param))]) + "_" +
             std::string(kind_name(std::get<1>(info.param), 3));
    });

TEST(crossing_scans, bunny) {
  PlacedMesh mesh = scan();
  if (mesh.triangles.empty()) GTEST_SKIP() << "there is no build/bunny/bunny.obj";
  ASSERT_EQ(mesh.triangles.size(), 3674u);
  Random random(990);
  for (const Kind kind : kConvexKinds) {
    mesh.is_two_sided = random.chance(0.3);
    mesh.orientation = random_orientation(random);
    const PlacedMesh kept = stored<float>(mesh);
    std::vector<Solid<3>> solids;
    for (std::size_t i = 0; i < scaled(2, 1); ++i) {
      solids.push_back(stored<float>(solid_near(random, kept, kind)));
    }
    check<float>({kept}, solids, kind);
  }
}

}  // namespace
}  // namespace widephase::test
