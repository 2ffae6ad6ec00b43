// An ellipsoid that overlaps a box, an aabb, a hull or a cylinder: the exit by a descent and its
// proof in lanes, and what these leave to the search.
// Labels: own-sets

#include <gtest/gtest.h>

#include "support/generate.hpp"
#include "support/generate_round.hpp"
#include "support/methods.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

const Quaternion kUpright{0, 0, 0, 1};
constexpr Kind kOthers[] = {Kind::aabb, Kind::box, Kind::hull, Kind::cylinder};

TEST(ellipsoid_exits, of_all_families_are_least) {
  for (const Kind other : kOthers) {
    for (const RoundFamily family : kRoundFamilies) {
      Random random(81);
      std::vector<SolidPair<3>> pairs(scaled(24, 6));
      for (auto& pair : pairs) pair = round_pair(random, family, other, Kind::ellipsoid);
      SCOPED_TRACE(name_of(family));
      check_pairs_everywhere<3, float>(pairs, {0});
      check_pairs_everywhere<3, double>(pairs, {0});
    }
  }
}

/// The pair has this depth and normal, on every instruction set.
template <class T>
void expect_exit(const Solid<3>& a, const Solid<3>& b, double depth, const Point<3>& normal,
                 const Point<3>& point) {
  const PairScene<3, T> input({{a, b}});
  const double near = sizeof(T) == 4 ? 1e-6 : 1e-14;
  for (const Isa isa : usable_isas()) {
    CollideOptions options;
    options.isa = isa;
    ContactBuffer<3, T> contacts;
    Workspace<3, T> workspace;
    collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
    ASSERT_EQ(contacts.size(), 1u) << isa_name(isa);
    const Contact<3, T> contact = contact_at(contacts, 0);
    EXPECT_EQ(contact.status, 0) << describe(contact);
    EXPECT_NEAR(static_cast<double>(contacts.depth[0]), depth, near) << describe(contact);
    EXPECT_EQ(contacts.offset[1], 1) << describe(contact);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(static_cast<double>(contacts.normal(0, k)), normal[k], near) << describe(contact);
      EXPECT_NEAR(static_cast<double>(contacts.point(0, k)), point[k], near) << describe(contact);
    }
  }
}
void expect_both(const Solid<3>& a, const Solid<3>& b, double depth, const Point<3>& normal,
                 const Point<3>& point) {
  expect_exit<float>(a, b, depth, normal, point);
  expect_exit<double>(a, b, depth, normal, point);
}

TEST(ellipsoid_exits, a_box_is_left_over_a_face_an_edge_and_a_vertex) {
  // Half extents 1, 2, 3. The ellipsoid has half extents 0.5, 0.75 and 1 along the same axes.
  const Solid<3> block = box({0, 0, 0}, kUpright, {1, 2, 3});
  // Its middle is on the face x = 1, so it leaves by its half extent there.
  expect_both(block, ellipsoid({1, 0.25, 0.5}, kUpright, {0.5, 0.75, 1}), 0.5, {1, 0, 0},
              {1, 0.25, 0.5});
  // Half of it is inside: 0.75 beyond the face at y = 2, from a middle 0.25 inside.
  expect_both(block, ellipsoid({0, 1.75, 0}, kUpright, {0.5, 0.75, 1}), 1, {0, 1, 0}, {0, 2, 0});
  // A spheroid round about z, with the radius 0.5, 0.3 and 0.1 beyond the faces at the edge along
  // z: sqrt 0.1 away from it.
  const double edge = std::sqrt(0.1);
  expect_both(block, ellipsoid({1.3, 2.1, 0.5}, kUpright, {0.5, 0.5, 0.75}), 0.5 - edge,
              {0.3 / edge, 0.1 / edge, 0}, {1, 2, 0.5});
  // A ball of the radius 0.5 that is 0.1, 0.2 and 0.2 beyond the vertex: 0.3 away from it.
  expect_both(block, ellipsoid({1.1, 2.2, 3.2}, kUpright, {0.5, 0.5, 0.5}), 0.2,
              {1 / 3., 2 / 3., 2 / 3.}, {1, 2, 3});
}

TEST(ellipsoid_exits, a_cylinder_is_left_over_its_cap_side_and_rim) {
  // Radius 1, from z = -1 to 1.
  const Solid<3> can = cylinder({0, 0, 0}, kUpright, 1, 1);
  expect_both(can, ellipsoid({0.25, 0, 1.25}, kUpright, {0.5, 0.75, 0.5}), 0.25, {0, 0, 1},
              {0.25, 0, 1});
  expect_both(can, ellipsoid({1, 0, 0.25}, kUpright, {0.5, 0.75, 0.5}), 0.5, {1, 0, 0},
              {1, 0, 0.25});
  // A ball of the radius 0.75 that is 0.3 out and 0.4 up from the rim.
  expect_both(can, ellipsoid({1.3, 0, 1.4}, kUpright, {0.75, 0.75, 0.75}), 0.25, {0.6, 0, 0.8},
              {1, 0, 1});
}

TEST(ellipsoid_exits, a_deep_middle_takes_the_nearest_face_unless_the_ellipsoid_is_long_there) {
  // The middle is 0.4 below x = 1 and 0.5 below y = 1. Along x the ellipsoid has 0.9, along y 0.3:
  // leaving along y takes 0.8, along x 1.3.
  const Solid<3> cube = box({0, 0, 0}, kUpright, {1, 1, 1});
  expect_both(cube, ellipsoid({0.6, 0.5, 0}, kUpright, {0.9, 0.3, 0.6}), 0.8, {0, 1, 0},
              {0.6, 1, 0});
}

TEST(ellipsoid_exits, ties_are_named) {
  // The middles coincide, and each direction has its mirror image.
  const Solid<3> shapes[] = {box({0, 0, 0}, kUpright, {1, 1, 1}),
                             cylinder({0, 0, 0}, kUpright, 1, 1)};
  for (const Solid<3>& shape : shapes) {
    const PairScene<3, float> input({{shape, ellipsoid({0, 0, 0}, kUpright, {0.5, 0.6, 0.7})}});
    for (const Isa isa : usable_isas()) {
      CollideOptions options;
      options.isa = isa;
      ContactBuffer<3, float> contacts;
      Workspace<3, float> workspace;
      collide_pairs<3, float>(input.scene, input.pairs, contacts, workspace, options);
      ASSERT_EQ(contacts.size(), 1u);
      EXPECT_EQ(contacts.status[0], 1) << isa_name(isa);
    }
  }
}

TEST(ellipsoid_exits, close_to_ties_the_shorter_one_is_found) {
  // Middles that nearly coincide, and shapes along one another but for small turns.
  for (const double off : {1e-6, 1e-4, 1e-2}) {
    Random random(82);
    std::vector<SolidPair<3>> pairs;
    for (std::size_t i = 0; i < scaled(60, 12); ++i) {
      const auto length = [&] { return random.uniform(0.3, 1); };
      const auto some = [&] { return random.uniform(-off, off); };
      const Quaternion turn = about({some(), 1, some()}, some());
      const Solid<3> round =
          ellipsoid({some(), some(), some()}, turn, {length(), length(), length()});
      const Solid<3> other = i % 2 == 0 ? box({0, 0, 0}, kUpright, {length(), length(), length()})
                                        : cylinder({0, 0, 0}, kUpright, length(), length());
      pairs.push_back({other, round});
    }
    check_pairs_everywhere<3, float>(pairs, {0});
    check_pairs_everywhere<3, double>(pairs, {0});
  }
}

/// A block with these half extents, whose corners are moved by at most `off`.
Solid<3> block_with(const Point<3>& half, double off, Random& random) {
  const std::vector<Point<3>> corners = block(half[0], half[1], half[2]);
  std::vector<Point<3>> moved = corners;
  for (Point<3>& corner : moved) {
    for (double& x : corner) x += random.uniform(-off, off);
  }
  return hull({0, 0, 0}, kUpright, usable(moved, corners));
}

TEST(ellipsoid_exits, a_hull_is_left_over_a_face_an_edge_and_a_vertex) {
  // As the box above.
  Random random(83);
  const Solid<3> block = block_with({1, 2, 3}, 0, random);
  expect_both(block, ellipsoid({1, 0.25, 0.5}, kUpright, {0.5, 0.75, 1}), 0.5, {1, 0, 0},
              {1, 0.25, 0.5});
  const double edge = std::sqrt(0.1);
  expect_both(block, ellipsoid({1.3, 2.1, 0.5}, kUpright, {0.5, 0.5, 0.75}), 0.5 - edge,
              {0.3 / edge, 0.1 / edge, 0}, {1, 2, 0.5});
  expect_both(block, ellipsoid({1.1, 2.2, 3.2}, kUpright, {0.5, 0.5, 0.5}), 0.2,
              {1 / 3., 2 / 3., 2 / 3.}, {1, 2, 3});
  // Over a face, a thousandth of an edge away from its end.
  expect_both(block, ellipsoid({1, 1.999, 0.5}, kUpright, {0.5, 0.75, 1}), 0.5, {1, 0, 0},
              {1, 1.999, 0.5});
}

TEST(ellipsoid_exits, of_hulls_with_slivers_flat_ones_and_far_ones_are_least) {
  // Blocks whose corners are moved by so much have faces that are tilted by as little.
  for (const double off : {0., 1e-9, 1e-6, 1e-4, 1e-2, 0.2}) {
    Random random(84);
    std::vector<SolidPair<3>> pairs;
    for (std::size_t i = 0; i < scaled(72, 12); ++i) {
      const auto length = [&] { return random.uniform(0.3, 1); };
      const double thin = i % 3 == 0 ? 0.02 : i % 3 == 1 ? 0.2 : 1;
      const Point<3> half{length(), length(), thin * length()};
      // Middles that coincide, near a corner, above an edge, and anywhere.
      Point<3> at{0, 0, 0};
      if (i % 4 == 1) at = {half[0] + 0.1, half[1] + 0.1, half[2] + 0.1};
      if (i % 4 == 2) at = {half[0] + 0.1, half[1] + 0.1, 0.3 * half[2]};
      if (i % 4 == 3) at = {length() - 0.6, length() - 0.6, length() - 0.6};
      const Quaternion turn =
          i % 5 == 0 ? kUpright : about({length(), length() - 0.6, 0.2}, length());
      pairs.push_back(
          {block_with(half, off, random), ellipsoid(at, turn, {length(), length(), length()})});
    }
    SCOPED_TRACE(off);
    check_pairs_everywhere<3, float>(pairs, {0, 0.05});
    check_pairs_everywhere<3, double>(pairs, {0, 0.05});
  }
}

TEST(ellipsoid_exits, batches_of_hulls_of_any_size_have_the_same_answers) {
  Random random(85);
  std::vector<SolidPair<3>> pairs(17);
  for (auto& pair : pairs) {
    pair = round_pair(random, RoundFamily::deep, Kind::hull, Kind::ellipsoid);
  }
  for (const std::size_t count : {1u, 2u, 3u, 16u, 17u}) {
    check_pairs_everywhere<3, float>({pairs.begin(), pairs.begin() + count}, {0});
  }
}

}  // namespace
}  // namespace widephase::test
