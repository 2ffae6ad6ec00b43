// The reference for hulls: derived by hand, against boxes and random directions, moved and rotated.
// Labels: plain reference

#include <gtest/gtest.h>

#include "support/features3.hpp"
#include "support/reference_checks.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

const Quaternion kLevel{0, 0, 0, 1};
const Quaternion kOnEdge = about({0, 0, 1}, kEighthTurn);
const std::initializer_list<Kind> kOthers{Kind::sphere, Kind::capsule, Kind::aabb, Kind::box,
                                          Kind::hull};

/// What is wrong with the surface found by brute force; empty if nothing is.
std::string surface_problem(const Polytope& surface) {
  std::map<std::pair<std::size_t, std::size_t>, int> ways;
  for (const PolytopeFace& face : surface.faces) {
    for (std::size_t i = 0; i < face.corners.size(); ++i) {
      const std::size_t from = face.corners[i];
      const std::size_t to = face.corners[(i + 1) % face.corners.size()];
      const std::size_t after = face.corners[(i + 2) % face.corners.size()];
      if (++ways[{from, to}] > 1) return "two faces go along an edge the same way";
      const Vec<3> bend = cross(minus(surface.corners[to], surface.corners[from]),
                                minus(surface.corners[after], surface.corners[to]));
      if (!(dot(bend, face.normal) > 0)) return "a face is not convex";
    }
  }
  for (const auto& [edge, count] : ways) {
    if (!ways.contains({edge.second, edge.first})) return "an edge has one face";
  }
  const std::size_t edges = surface.edges.size();
  if (ways.size() != 2 * edges) return "edges are missing";
  if (surface.corners.size() + surface.faces.size() != edges + 2) return "Euler's relation fails";
  return "";
}

TEST(reference_hulls, surfaces_by_exhaustion) {
  const Polytope cube = exhausted_hull({{-1, -1, -1},
                                        {1, -1, -1},
                                        {-1, 1, -1},
                                        {1, 1, -1},
                                        {-1, -1, 1},
                                        {1, -1, 1},
                                        {-1, 1, 1},
                                        {1, 1, 1}});
  EXPECT_EQ(cube.faces.size(), 6u);
  EXPECT_EQ(cube.edges.size(), 12u);
  EXPECT_EQ(cube.directions.size(), 3u);
  EXPECT_EQ(cube.normals.size(), 3u);
  for (const PolytopeFace& face : cube.faces) EXPECT_EQ(face.corners.size(), 4u);
  Random random(1);
  for (std::size_t i = 0; i < scaled(1000, 100); ++i) {
    const bool is_float = random.chance(0.5);
    const Solid<3> solid =
        random.chance(0.7) ? random_hull(random, {0, 0, 0}, 1) : grid_hull(random, {0, 0, 0});
    const Solid<3> kept = is_float ? stored<float>(solid) : stored<double>(solid);
    ASSERT_EQ(surface_problem(hull_polytope(kept.vertices)), "") << describe(kept);
    ASSERT_EQ(describe(is_float ? stored<float>(kept) : stored<double>(kept)), describe(kept));
  }
}

/// A box with three extents, as a hull.
Solid<3> as_hull(const Solid<3>& solid) {
  return hull(solid.p, solid.orientation, block(solid.q[0], solid.q[1], solid.q[2]), solid.size);
}

TEST(reference_hulls, a_box_as_a_hull_agrees_with_generators) {
  std::size_t count = 0;
  const auto check = [&](const std::vector<SolidPair<3>>& pairs) {
    for (const auto& [a, b] : pairs) {
      const auto is_full = [](const Solid<3>& solid) {
        return solid.kind == Kind::box && std::min({solid.q[0], solid.q[1], solid.q[2]}) > 0;
      };
      const Reference<3> expected = zonotope_reference_of(a, b);
      const double tolerance = 1e-17 * static_cast<double>(expected.size);
      for (const int which : {1, 2, 3}) {
        if (((which & 1) != 0 && !is_full(a)) || ((which & 2) != 0 && !is_full(b))) continue;
        const Solid<3> first = (which & 1) != 0 ? as_hull(a) : a;
        const Solid<3> second = (which & 2) != 0 ? as_hull(b) : b;
        const Reference<3> r = reference_of(first, second);
        const std::string text = describe(a) + " and " + describe(b);
        ASSERT_NEAR(static_cast<double>(r.depth - expected.depth), 0, tolerance) << text;
        ++count;
      }
    }
  };
  for (const Kind other : {Kind::sphere, Kind::capsule, Kind::aabb, Kind::box}) {
    check(random_pairs<3>(Kind::box, other, scaled(100, 10), 5));
    check(sized_pairs<3>(Kind::box, other, scaled(100, 10), 6));
    check(grid_pairs<3>(other, Kind::box, scaled(200, 20), 7));
    check(near_grid_pairs<3>(other, Kind::box, scaled(200, 20), 8));
    check(special_pairs<3>(Kind::box, other));
    if (other != Kind::sphere) check(crossing_edges(Kind::box, other, scaled(200, 20), 11));
  }
  check(thin_boxes(scaled(200, 20), 12));
  check(concentric_boxes(scaled(200, 20), 13));
  check(stacked_boxes(scaled(200, 20), 14));
  EXPECT_GT(count, scaled(3000, 300));
}

/// x, y, z >= 0 and x + y + z <= 1.
const std::vector<Point<3>> kCorner{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

TEST(reference_hulls, a_ball_at_a_tetrahedron) {
  const Solid<3> solid = hull({0, 0, 0}, kLevel, kCorner);
  // Off the slanted face: (1, 1, 1) has x + y + z = 3, 2 / sqrt(3) over the plane.
  expect_depth(solid, ball<3>({1, 1, 1}, 0.5), 0.5 - 2 / std::sqrt(3.));
  // Off an edge: (-0.3, -0.4) from the z axis; off a corner: (0, 0, 3) is 2 above (0, 0, 1).
  expect_depth(solid, ball<3>({-0.3, -0.4, 0.5}, 0.25), -0.25);
  expect_depth(solid, ball<3>({0, 0, 3}, 0.25), -1.75);
  // Inside, 0.125 from the face x = 0 and farther from the others.
  expect_depth(solid, ball<3>({0.125, 0.25, 0.25}, 0.25), 0.375);
  // The same in a frame that is 10 away; rounding is relative to that distance.
  const Solid<3> far = hull({-10, 0, 0}, kLevel, shifted_by(kCorner, {10, 0, 0}));
  expect_depth(far, ball<3>({0.125, 0.25, 0.25}, 0.25), 0.375);
  EXPECT_GT(reference_of(far, ball<3>({0.125, 0.25, 0.25}, 0.25)).size, 20);
}

TEST(reference_hulls, octahedra) {
  // Its reach is 1: corners on the axes, faces 1 / sqrt(3) from the centre, edges sqrt(0.5).
  const Solid<3> solid = hull({0, 0, 0}, kLevel, octahedron(1, 1, 1));
  const auto other = [](const Point<3>& center) {
    return hull(center, kLevel, octahedron(1, 1, 1), 0.25);
  };
  // Corner to corner along x; face to face along the diagonal; edges, across z, along (1, 1, 0).
  expect_depth(solid, other({2.5, 0, 0}), -0.25);
  expect_depth(solid, other({1, 1, 1}), 0.25 - (std::sqrt(3.) - 2 / std::sqrt(3.)));
  expect_depth(solid, other({1.5, 1.5, 0}), 0.25 - (1.5 * std::sqrt(2.) - std::sqrt(2.)));
  // Concentric: through faces.
  expect_depth(solid, other({0, 0, 0}), 0.25 + 2 / std::sqrt(3.));
  EXPECT_TRUE(has_tie(solid, other({0, 0, 0}), reference_of(solid, other({0, 0, 0})), 1e-9L));
  // A corner 0.75 above the floor less 1: 0.25 in.
  expect_depth(hull({3, 4, 0.75}, kLevel, octahedron(1, 1, 1)), halfspace<3>({0, 0, 1}, 0), 0.25);
}

TEST(reference_hulls, edges_that_cross) {
  // The upper edge of a roof along x, and the lower edge of one, turned upside down, along y.
  const std::vector<Point<3>> roof{{-2, -1, -1}, {2, -1, -1}, {-2, 1, -1},
                                   {2, 1, -1},   {-2, 0, 1},  {2, 0, 1}};
  std::vector<Point<3>> keel;
  for (const Point<3>& v : roof) keel.push_back({v[1], v[0], -v[2]});
  const Solid<3> lower = hull({0, 0, 0}, kLevel, roof);
  expect_depth(lower, hull({0.25, 0.5, 2.125}, kLevel, keel), -0.125);
  expect_depth(lower, hull({0.25, 0.5, 1.875}, kLevel, keel), 0.125);
  // Turned by 45 degrees they still cross.
  expect_depth(lower, hull({0.25, 0.5, 1.875}, kOnEdge, keel, 0.5), 0.625);
  EXPECT_FALSE(has_tie(lower, hull({0.25, 0.5, 1.875}, kLevel, keel),
                       reference_of(lower, hull({0.25, 0.5, 1.875}, kLevel, keel)), 1e-3L));
}

TEST(reference_hulls, prisms_and_needles) {
  // A prism over a hexagon of circumradius 1, its side sqrt(0.75) from the axis, beside a wall.
  const Solid<3> hexagon =
      hull({0, 0, 0}, about({0, 0, 1}, kEighthTurn / 1.5), prism(regular(6, 1), 2));
  EXPECT_NEAR(static_cast<double>(reference_of(hexagon, aabb<3>({0.75, -4, -1}, {2, 4, 1})).depth),
              std::sqrt(0.75) - 0.75, 1e-15);
  // A needle of 1e-3 above a plate of 1e-4: 0.5 apart, minus half of each.
  const Solid<3> plate = hull({0, 0, 0}, kLevel, block(1, 1, 0.5e-4));
  expect_depth(plate, hull({0.25, 0.25, 0.5}, kOnEdge, block(1, 0.5e-3, 0.5e-3)),
               0.5e-4 + 0.5e-3 - 0.5);
}

template <class Check>
void for_each_family(Check&& check) {
  for (const Kind other : kOthers) {
    check(random_pairs<3>(Kind::hull, other, scaled(40, 5), 21));
    check(sized_pairs<3>(other, Kind::hull, scaled(40, 5), 22));
    check(grid_pairs<3>(Kind::hull, other, scaled(60, 6), 23));
    check(near_grid_pairs<3>(Kind::hull, other, scaled(60, 6), 24));
    if (other == Kind::sphere || other == Kind::capsule) continue;
    check(stacked_solids(Kind::hull, other, scaled(60, 6), 25));
    if (other == Kind::aabb) continue;
    check(corner_to_corner(Kind::hull, other, scaled(60, 6), 26));
    check(concentric_solids(Kind::hull, other, scaled(40, 4), 27));
  }
}

TEST(reference_hulls, no_direction_beats_it) {
  for_each_family([](const std::vector<SolidPair<3>>& pairs) { no_direction_beats_it<3>(pairs); });
}

TEST(reference_hulls, moved_and_turned_pairs_keep_their_depths) {
  Random random(31);
  for_each_family([&](const std::vector<SolidPair<3>>& pairs) {
    for (const auto& [a, b] : pairs) {
      const Reference<3> expected = reference_of(a, b);
      const double tolerance = 1e-15 * static_cast<double>(expected.size + 40);
      const Point<3> offset = random.point<3>(-9, 9);
      const Reference<3> there = reference_of(moved(a, offset), moved(b, offset));
      ASSERT_NEAR(static_cast<double>(there.depth - expected.depth), 0, 2 * tolerance)
          << describe(a) << " and " << describe(b);
      const Reference<3> mirrored = reference_of(b, a);
      ASSERT_NEAR(static_cast<double>(mirrored.depth - expected.depth), 0, 1e-17 * expected.size);
      if (a.kind == Kind::aabb || b.kind == Kind::aabb) continue;
      const SolidPair<3> turned = turned_by(random.direction<4>(), {a, b});
      ASSERT_NEAR(static_cast<double>(reference_of(turned.a, turned.b).depth - expected.depth), 0,
                  8 * tolerance)
          << describe(a) << " and " << describe(b);
    }
  });
}

TEST(reference_hulls, distances_to_the_surface_agree_with_a_boxs) {
  Random random(33);
  for (std::size_t i = 0; i < scaled(300, 30); ++i) {
    const Solid<3> solid = random_box3(random, random.point<3>(-1, 1), 1);
    const Vec<3> point = widened(random.point<3>(-2, 2));
    ASSERT_NEAR(static_cast<double>(distance_to_core_surface(as_hull(solid), point) -
                                    distance_to_core_surface(solid, point)),
                0, 1e-17);
    const Solid<3> plane = halfspace<3>(random.direction<3>(), random.uniform(-1, 1));
    ASSERT_NEAR(static_cast<double>(reference_of(as_hull(solid), plane).depth -
                                    reference_of(solid, plane).depth),
                0, 1e-17);
  }
}

TEST(reference_hulls, a_hull_comes_back_from_a_scene) {
  Random random(35);
  const Solid<3> first = random_hull(random, {1, 2, 3}, 1);
  const Solid<3> second = hull({4, 5, 6}, about({1, 2, 3}, 1), kCorner, 0.5);
  SceneColumns<3, float> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  EXPECT_EQ(append(scene, first), 0);
  EXPECT_EQ(append(scene, second), 1);
  EXPECT_EQ(describe(solid_of(scene, 1)), describe(stored<float>(first)));
  EXPECT_EQ(describe(solid_of(scene, 2)), describe(stored<float>(second)));
  EXPECT_TRUE((validate<3, float>(scene).empty()));
  with_table(scene, Kind::hull, [](const auto& table) { EXPECT_EQ(row_count(table), 2u); });
}

TEST(reference_hulls, families_are_valid_scenes) {
  const auto check = [](const std::vector<SolidPair<3>>& pairs) {
    const PairScene<3, float> in_float(pairs);
    EXPECT_EQ(in_float.pairs.size(), pairs.size());
    const auto findings = validate<3, float>(in_float.scene);
    EXPECT_TRUE(findings.empty()) << findings[0].message;
    const PairScene<3, double> in_double(pairs);
    EXPECT_TRUE((validate<3, double>(in_double.scene).empty()));
  };
  for (const Kind kind : {Kind::hull, Kind::cylinder}) {
    check(random_pairs<3>(kind, Kind::sphere, scaled(300, 30), 41));
    check(sized_pairs<3>(kind, Kind::sphere, scaled(300, 30), 42));
    check(grid_pairs<3>(kind, Kind::sphere, scaled(300, 30), 43));
    check(near_grid_pairs<3>(kind, Kind::sphere, scaled(300, 30), 44));
    check(turned_grid_pairs<3>(kind, kind, scaled(100, 30), 45));
    check(far_pairs<3>(random_pairs<3>(kind, kind, scaled(100, 30), 46), 47));
    check(special_pairs<3>(kind, Kind::sphere));
    check(crossing_edges(kind, kind, scaled(100, 30), 48));
    check(stacked_solids(kind, kind, scaled(100, 30), 49));
    check(concentric_solids(kind, kind, scaled(100, 30), 50));
    check(corner_to_corner(kind, kind, scaled(100, 30), 51));
  }
}

TEST(reference_hulls, features_by_their_numbers) {
  // A block with corners at (+-1, +-2, +-3), rotated by a quarter turn about z and 10 away along x.
  // Its own x points along y, its own y along -x. Its vertices are numbered like a box's.
  const Solid<3> solid = hull({10, 0, 0}, about({0, 0, 1}, 2 * kEighthTurn), block(1, 2, 3));
  const auto is_at = [&](Feature kind, int index, const Vec<3>& point) {
    return feature_problem<double>(solid, feature_half(kind, index), point, 1e-9L).empty();
  };
  // Vertex 5 has x = 1, y = -2, z = 3 in its own frame: (12, 1, 3).
  EXPECT_TRUE(is_at(Feature::vertex, 5, {12, 1, 3}));
  EXPECT_FALSE(is_at(Feature::vertex, 4, {12, 1, 3}));
  EXPECT_FALSE(is_at(Feature::vertex, 8, {12, 1, 3}));
  // Edges ascend by (a, b): 0 1, 0 2, 0 4, 1 3, ...: number 2 is along z at x = -1, y = -2.
  EXPECT_TRUE(is_at(Feature::edge, 2, {12, -1, 0.5}));
  EXPECT_FALSE(is_at(Feature::edge, 2, {12, -1, 3.5}));
  EXPECT_FALSE(is_at(Feature::edge, 3, {12, -1, 0.5}));
  EXPECT_FALSE(is_at(Feature::edge, 12, {12, -1, 0.5}));
  // Faces are sorted by their vertices; each starts with its lowest vertex, counter-clockwise from
  // outside: 0 1 5 4 (y = -2), 0 2 3 1 (z = -3), 0 4 6 2 (x = -1), ...
  EXPECT_TRUE(is_at(Feature::face, 0, {12, 0.5, 1}));
  EXPECT_TRUE(is_at(Feature::face, 1, {9, 0.5, -3}));
  EXPECT_TRUE(is_at(Feature::face, 2, {9, -1, 1}));
  EXPECT_FALSE(is_at(Feature::face, 2, {9, -1, 3.5}));
  EXPECT_FALSE(is_at(Feature::face, 0, {9, -1, 1}));
  EXPECT_FALSE(is_at(Feature::face, 6, {9, -1, 1}));
  EXPECT_FALSE(is_at(Feature::whole, 0, {12, 1, 3}));
}

}  // namespace
}  // namespace widephase::test
