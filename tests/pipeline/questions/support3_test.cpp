// Support points in 3D against every vertex of the cores and the closed form of cylinders, the
// features that they name, and what must not change a bit of them.
// Labels: threads emulated-x86 emulated-arm dated own-sets

#include <gtest/gtest.h>

#include "support/support_points.hpp"

namespace widephase::test {
namespace {

class support3_kind : public ::testing::TestWithParam<Kind> {};

TEST_P(support3_kind, is_farther_than_any_point_of_the_shape) {
  const auto list = random_questions<3>(GetParam(), scaled(100, 10), 71);
  check_support<float>(list);
  check_support<double>(list);
}

std::vector<Kind> bounded_kinds() {
  std::vector<Kind> all(kinds(3).begin(), kinds(3).end());
  std::erase(all, Kind::halfspace);
  return all;
}

INSTANTIATE_TEST_SUITE_P(kinds, support3_kind, ::testing::ValuesIn(bounded_kinds()),
                         [](const ::testing::TestParamInfo<Kind>& info) {
                           return std::string(kind_name(info.param, 3));
                         });

TEST(support3, special_shapes_along_axes_and_diagonals) {
  check_support<float>(special_questions<3>());
  check_support<double>(special_questions<3>());
}

TEST(support3, kinds_mixed) {
  const auto list = mixed_questions<3>(scaled(30, 4), 72);
  check_support<float>(list);
  check_support<double>(list);
}

constexpr std::uint32_t vertex(int number) { return feature_half(Feature::vertex, number); }
constexpr std::uint32_t edge(int number) { return feature_half(Feature::edge, number); }
constexpr std::uint32_t face(int number) { return feature_half(Feature::face, number); }

const Quaternion kUpright{0, 0, 0, 1};
/// x' = y, y' = z, z' = x.
const Quaternion kOnSide{0.5, 0.5, 0.5, 0.5};

TEST(support3, of_a_sphere_is_whole) {
  // (2, 3, 6) is 7 long.
  check_answers<3>({{ball<3>({1, 2, 3}, 0.5), {0, 0, 3}, {1, 2, 3.5}, 0},
                    {ball<3>({1, 2, 3}, 3.5), {2, -3, 6}, {2, 0.5, 6}, 0},
                    {ball<3>({1, 2, 3}, 0), {-1, 0, 0}, {1, 2, 3}, 0}});
}

TEST(support3, of_a_capsule_names_the_end) {
  const Solid<3> rod = capsule<3>({-1, 0, 2}, {1, 0, 2}, 0.5);
  check_answers<3>({{rod, {1, 0, 0}, {1.5, 0, 2}, vertex(1)},
                    {rod, {-2, 0, 0}, {-1.5, 0, 2}, vertex(0)},
                    {rod, {6, 0, 8}, {1.3, 0, 2.4}, vertex(1)},
                    // Both ends are as far.
                    {rod, {0, 1, 0}, {-1, 0.5, 2}, vertex(0)},
                    {rod, {0, 0, -7}, {-1, 0, 1.5}, vertex(0)},
                    {capsule<3>({2, 1, 0}, {0, 1, 0}, 0), {0, 1, 3}, {2, 1, 0}, vertex(0)},
                    {capsule<3>({2, 1, 0}, {2, 1, 0}, 1), {1, 0, 0}, {3, 1, 0}, vertex(0)}});
}

/// A box's corners by the bits of their numbers, and of those that are as far the lowest.
std::vector<SupportAnswer<3>> corners_of(const Solid<3>& solid, Point<3> low, Point<3> high) {
  std::vector<SupportAnswer<3>> answers;
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        // An axis across the direction leaves the choice: the lower side has the bit 0.
        answers.push_back(
            {solid,
             {x * 1.0, y * 2.0, z * 0.5},
             {x > 0 ? high[0] : low[0], y > 0 ? high[1] : low[1], z > 0 ? high[2] : low[2]},
             vertex((x > 0 ? 1 : 0) + (y > 0 ? 2 : 0) + (z > 0 ? 4 : 0))});
      }
    }
  }
  return answers;
}

TEST(support3, of_an_aabb_names_its_sides_and_the_lowest_of_equals) {
  check_answers<3>(corners_of(aabb<3>({1, -1, 3}, {4, 2, 3.5}), {1, -1, 3}, {4, 2, 3.5}));
}

TEST(support3, of_a_box_names_its_sides_and_the_lowest_of_equals) {
  check_answers<3>(corners_of(box({2, 1, 0}, kUpright, {1, 3, 2}), {1, -2, -2}, {3, 4, 2}));
  // Rounded by 3.5: the direction (2, 3, 6), 7 long, leaves the corner by (1, 1.5, 3).
  const Solid<3> rounded = box({0, 0, 0}, kUpright, {1, 1, 1}, 3.5);
  check_answers<3>({{rounded, {2, 3, 6}, {2, 2.5, 4}, vertex(7)},
                    {rounded, {2, -3, 6}, {2, -2.5, 4}, vertex(5)},
                    {rounded, {0, 2, 0}, {-1, 4.5, -1}, vertex(2)}});
}

TEST(support3, of_a_flat_box_is_the_lowest_of_the_corners_that_coincide) {
  check_answers<3>({{box({0, 0, 0}, kUpright, {2, 0, 1}), {1, 1, 1}, {2, 0, 1}, vertex(5)},
                    {box({0, 0, 0}, kUpright, {2, 0, 1}), {0, 1, 0}, {-2, 0, -1}, vertex(0)},
                    {box({0, 0, 0}, kUpright, {0, 0, 1}), {1, 1, 1}, {0, 0, 1}, vertex(4)},
                    {aabb<3>({0, 0, 0}, {0, 3, 0}), {1, 1, 1}, {0, 3, 0}, vertex(2)},
                    {aabb<3>({1, 1, 1}, {1, 1, 1}), {1, 1, 1}, {1, 1, 1}, vertex(0)}});
}

TEST(support3, of_a_turned_box_turns_the_numbers_along) {
  // Half extents 1, 2, 3 reach 1 along y, 2 along z and 3 along x.
  const Solid<3> solid = box({0, 0, 0}, kOnSide, {1, 2, 3});
  check_answers<3>({{solid, {1, 1, 1}, {3, 1, 2}, vertex(7)},
                    {solid, {1, -1, -1}, {3, -1, -2}, vertex(4)},
                    {solid, {-1, 1, -1}, {-3, 1, -2}, vertex(1)},
                    {solid, {-1, -1, 1}, {-3, -1, 2}, vertex(2)}});
}

TEST(support3, of_a_hull_names_the_vertex_and_the_lowest_of_equals) {
  // The cube's corners in an order of their own.
  const std::vector<Point<3>> cube{{1, 1, 1},  {-1, -1, -1}, {1, -1, 1},  {-1, 1, -1},
                                   {1, 1, -1}, {-1, 1, 1},   {1, -1, -1}, {-1, -1, 1}};
  ASSERT_EQ(hull_vertices<float>(cube).size(), cube.size());
  const Solid<3> solid = hull({2, 0, 0}, kUpright, cube, 3.5);
  std::vector<SupportAnswer<3>> answers;
  for (std::size_t i = 0; i < cube.size(); ++i) {
    // (2, 3, 6) is 7 long: the rounding leaves the corner by half of that.
    const Point<3> way{cube[i][0] * 2, cube[i][1] * 3, cube[i][2] * 6};
    const Point<3> point{2 + cube[i][0] + way[0] / 2, cube[i][1] + way[1] / 2,
                         cube[i][2] + way[2] / 2};
    answers.push_back({solid, way, point, vertex(static_cast<int>(i))});
  }
  check_answers<3>(answers);
  const Solid<3> sharp = hull({2, 0, 0}, kUpright, cube);
  check_answers<3>({
      {sharp, {1, 0, 0}, {3, 1, 1}, vertex(0)},     // of 0, 2, 4, 6
      {sharp, {-1, 0, 0}, {1, -1, -1}, vertex(1)},  // of 1, 3, 5, 7
      {sharp, {0, 1, 0}, {3, 1, 1}, vertex(0)},     // of 0, 3, 4, 5
      {sharp, {0, -1, 0}, {1, -1, -1}, vertex(1)},  // of 1, 2, 6, 7
      {sharp, {0, 0, -2}, {1, -1, -1}, vertex(1)},  // of 1, 3, 4, 6
      {sharp, {1, -1, 0}, {3, -1, 1}, vertex(2)},   // of 2, 6
      {sharp, {0, 1, -1}, {1, 1, -1}, vertex(3)},   // of 3, 4
      {sharp, {-3, 0, 3}, {1, 1, 1}, vertex(5)},    // of 5, 7
  });
}

TEST(support3, ties_among_more_than_eight_vertices_of_a_hull) {
  // An octagon at z = -2 (vertices 0 to 7) and a smaller one at z = 2 (8 to 15), both with sides
  // across the axes.
  std::vector<Point<3>> vertices;
  for (const double half : {2.0, 1.0}) {
    for (const Point<2>& v : std::vector<Point<2>>{
             {2, -1}, {2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}}) {
      vertices.push_back({half * v[0], half * v[1], half == 2 ? -2.0 : 2.0});
    }
  }
  ASSERT_EQ(hull_vertices<float>(vertices).size(), vertices.size());
  const Solid<3> solid = hull({0, 0, 0}, kUpright, vertices);
  check_answers<3>({
      {solid, {0, 0, 1}, {2, -1, 2}, vertex(8)},     // of 8 to 15
      {solid, {0, 0, -1}, {4, -2, -2}, vertex(0)},   // of 0 to 7
      {solid, {1, 0, 0}, {4, -2, -2}, vertex(0)},    // of 0 and 1
      {solid, {0, -3, 0}, {-2, -4, -2}, vertex(6)},  // of 6 and 7
      {solid, {1, 0, 4}, {2, -1, 2}, vertex(8)},     // of 8 and 9
      // 2 up and 2 in: of 2, 3, 10 and 11.
      {solid, {0, 2, 1}, {2, 4, -2}, vertex(2)},
      {solid, {-1, -1, 9}, {-2, -1, 2}, vertex(13)},  // of 13 and 14
      {solid, {-3, 2, 0.5}, {-4, 2, -2}, vertex(4)},
  });
}

TEST(support3, of_a_cylinder_names_the_rim) {
  // Radius 5, half height 3. Vertex k is at k + 1/2 sixteenths of a turn, edge k leads from it to
  // the next: within half a sixteenth of the first axis, a slope of tan(pi / 16) = 0.199, is
  // edge 15.
  const Solid<3> solid = cylinder({0, 0, 10}, kUpright, 3, 5);
  check_answers<3>({
      // The slopes 0.25 and 0.5 are 0.6 and 1.2 sixteenths, 0.125 is 0.3.
      {solid, {4, 1, 1}, {20 / std::sqrt(17.0), 5 / std::sqrt(17.0), 13}, edge(16)},
      {solid, {2, 1, -1}, {10 / std::sqrt(5.0), 5 / std::sqrt(5.0), 7}, edge(0)},
      {solid, {8, 1, 1}, {40 / std::sqrt(65.0), 5 / std::sqrt(65.0), 13}, edge(31)},
      // (-3, 4): beyond the quarter turn, four sixteenths, by atan(3 / 4), 1.6 sixteenths.
      {solid, {-3, 4, 7}, {-3, 4, 13}, edge(21)},
      {solid, {-3, -4, 7}, {-3, -4, 13}, edge(16 + 9)},
      {solid, {3, -4, -7}, {3, -4, 7}, edge(13)},
      {solid, {4, -1, -1}, {20 / std::sqrt(17.0), -5 / std::sqrt(17.0), 7}, edge(14)},
      // Quarters and eighths of a turn are in the middle of an edge.
      {solid, {1, 0, 1}, {5, 0, 13}, edge(31)},
      {solid, {0, 1, -1}, {0, 5, 7}, edge(3)},
      {solid, {-1, 0, -9}, {-5, 0, 7}, edge(7)},
      {solid, {0, -1, 0.125}, {0, -5, 13}, edge(27)},
      {solid, {1, 1, 1}, {std::sqrt(12.5), std::sqrt(12.5), 13}, edge(17)},
      {solid, {-2, -2, -1}, {-std::sqrt(12.5), -std::sqrt(12.5), 7}, edge(9)},
  });
}

TEST(support3, of_a_cylinder_along_and_across_its_axis) {
  const Solid<3> solid = cylinder({0, 0, 10}, kUpright, 3, 5);
  check_answers<3>({
      // The whole cap is as far: its middle.
      {solid, {0, 0, 2}, {0, 0, 13}, face(1)},
      {solid, {0, 0, -2}, {0, 0, 7}, face(0)},
      // The whole line of the side is: its lower end.
      {solid, {1, 0, 0}, {5, 0, 7}, edge(15)},
      {solid, {-3, 4, 0}, {-3, 4, 7}, edge(5)},
      // However little the direction leans.
      {solid, {1e-18, 0, 1}, {5, 0, 13}, edge(31)},
      {solid, {-3e-18, 4e-18, -1}, {-3, 4, 7}, edge(5)},
      {solid, {1, 0, 1e-18}, {5, 0, 13}, edge(31)},
  });
}

TEST(support3, of_a_turned_cylinder_turns_the_numbers_along) {
  // The axis leads along x, its first axis along y, its second one along z.
  const Solid<3> solid = cylinder({0, 0, 0}, kOnSide, 3, 5);
  check_answers<3>({{solid, {1, 1, 0}, {3, 5, 0}, edge(31)},
                    {solid, {-1, 0, 1}, {-3, 0, 5}, edge(3)},
                    {solid, {1, -3, 4}, {3, -3, 4}, edge(21)},
                    {solid, {-1, 0, 0}, {-3, 0, 0}, face(0)}});
}

TEST(support3, of_a_cylinder_without_radius_or_height) {
  const Solid<3> needle = cylinder({0, 0, 0}, kUpright, 3, 0);
  const Solid<3> disc = cylinder({0, 0, 0}, kUpright, 0, 5);
  const Solid<3> point = cylinder({1, 2, 3}, kUpright, 0, 0);
  check_answers<3>({{needle, {1, 2, 3}, {0, 0, 3}, vertex(16)},
                    {needle, {1, 2, -3}, {0, 0, -3}, vertex(0)},
                    {needle, {1, 2, 0}, {0, 0, -3}, vertex(0)},
                    {needle, {0, 0, 1}, {0, 0, 3}, vertex(16)},
                    {disc, {3, 4, 1}, {3, 4, 0}, edge(16 + 1)},
                    {disc, {3, 4, -1}, {3, 4, 0}, edge(1)},
                    {disc, {0, 0, -1}, {0, 0, 0}, face(0)},
                    {point, {3, 4, -1}, {1, 2, 3}, vertex(0)}});
}

TEST(support3, directions_of_any_length) { check_directions_of_any_length<3>(); }

TEST(support3, directions_of_any_stride) { check_directions_of_any_stride<3>(); }

TEST(support3, lists_of_any_length_agree) { check_lists_of_any_length<3>(); }

TEST(support3, wrong_questions_are_named) { check_wrong_questions<3>(); }

}  // namespace
}  // namespace widephase::test
