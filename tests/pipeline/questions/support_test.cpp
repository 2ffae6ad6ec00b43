// Support points in 2D against every point of the cores, the vertices that they name, and what must
// not change a bit of them.
// Labels: threads emulated-arm dated own-sets

#include <gtest/gtest.h>

#include "support/support_points.hpp"

namespace widephase::test {
namespace {

class support_kind : public ::testing::TestWithParam<Kind> {};

TEST_P(support_kind, is_farther_than_any_point_of_the_shape) {
  const auto list = random_questions<2>(GetParam(), scaled(100, 10), 61);
  check_support<float>(list);
  check_support<double>(list);
}

INSTANTIATE_TEST_SUITE_P(kinds, support_kind,
                         ::testing::Values(Kind::circle, Kind::capsule, Kind::aabb, Kind::box,
                                           Kind::polygon),
                         [](const ::testing::TestParamInfo<Kind>& info) {
                           return std::string(kind_name(info.param, 2));
                         });

TEST(support, special_shapes_along_axes_and_diagonals) {
  check_support<float>(special_questions<2>());
  check_support<double>(special_questions<2>());
}

TEST(support, kinds_mixed) {
  const auto list = mixed_questions<2>(scaled(30, 4), 62);
  check_support<float>(list);
  check_support<double>(list);
}

constexpr std::uint32_t vertex(int number) { return feature_half(Feature::vertex, number); }

TEST(support, of_a_circle_is_whole) {
  check_answers<2>({{ball<2>({1, 2}, 0.5), {3, 0}, {1.5, 2}, 0},
                    {ball<2>({1, 2}, 0.5), {-3, 4}, {0.7, 2.4}, 0},
                    {ball<2>({1, 2}, 0), {0, -1}, {1, 2}, 0}});
}

TEST(support, of_a_capsule_names_the_end) {
  const Solid<2> rod = capsule<2>({-1, 0}, {1, 0}, 0.5);
  check_answers<2>({{rod, {1, 0}, {1.5, 0}, vertex(1)},
                    {rod, {-2, 0}, {-1.5, 0}, vertex(0)},
                    {rod, {6, 8}, {1.3, 0.4}, vertex(1)},
                    // Both ends are as far.
                    {rod, {0, 1}, {-1, 0.5}, vertex(0)},
                    {rod, {0, -7}, {-1, -0.5}, vertex(0)},
                    {capsule<2>({2, 1}, {0, 1}, 0), {0, 1}, {2, 1}, vertex(0)},
                    {capsule<2>({2, 1}, {2, 1}, 1), {1, 0}, {3, 1}, vertex(0)}});
}

/// A box's corners by the bits of their numbers, and of the two ends of a side the lower.
std::vector<SupportAnswer<2>> corners_of(const Solid<2>& solid, Point<2> low, Point<2> high) {
  return {{solid, {-1, -2}, low, vertex(0)},
          {solid, {2, -1}, {high[0], low[1]}, vertex(1)},
          {solid, {-1, 2}, {low[0], high[1]}, vertex(2)},
          {solid, {3, 1}, high, vertex(3)},
          {solid, {0, -1}, low, vertex(0)},
          {solid, {-1, 0}, low, vertex(0)},
          {solid, {5, 0}, {high[0], low[1]}, vertex(1)},
          {solid, {0, 1}, {low[0], high[1]}, vertex(2)}};
}

TEST(support, of_an_aabb_names_its_sides_and_the_lowest_of_two) {
  check_answers<2>(corners_of(aabb<2>({1, -1}, {4, 2}), {1, -1}, {4, 2}));
}

TEST(support, of_a_box_names_its_sides_and_the_lowest_of_two) {
  check_answers<2>(corners_of(box({2, 1}, 0, {1, 3}), {1, -2}, {3, 4}));
  // Rounded by 0.5: the direction (0.6, 0.8) leaves the corner by (0.3, 0.4).
  check_answers<2>({{box({0, 0}, 0, {1, 1}, 0.5), {0.6, 0.8}, {1.3, 1.4}, vertex(3)},
                    {box({0, 0}, 0, {1, 1}, 0.5), {0, 2}, {-1, 1.5}, vertex(2)},
                    {box({0, 0}, 0, {1, 1}, 0.5), {0, -2}, {-1, -1.5}, vertex(0)}});
}

TEST(support, of_a_flat_box_is_the_lowest_of_the_corners_that_coincide) {
  check_answers<2>({{box({0, 0}, 0, {2, 0}), {1, 0}, {2, 0}, vertex(1)},
                    {box({0, 0}, 0, {2, 0}), {-1, 1}, {-2, 0}, vertex(0)},
                    {box({0, 0}, 0, {2, 0}), {0, 1}, {-2, 0}, vertex(0)},
                    {box({0, 0}, 0, {0, 2}), {1, 1}, {0, 2}, vertex(2)},
                    {box({0, 0}, 0, {0, 2}), {1, 0}, {0, -2}, vertex(0)},
                    {aabb<2>({0, 0}, {0, 3}), {0, 1}, {0, 3}, vertex(2)},
                    {aabb<2>({1, 1}, {1, 1}), {1, 1}, {1, 1}, vertex(0)}});
}

TEST(support, of_a_turned_box_turns_the_numbers_along) {
  // By 45 degrees the upper corner (1, 1) comes to the top.
  const double root = std::sqrt(2.0);
  check_answers<2>({{box({3, 0}, kEighthTurn, {1, 1}), {0, 1}, {3, root}, vertex(3)},
                    {box({3, 0}, kEighthTurn, {1, 1}), {1, 0}, {3 + root, 0}, vertex(1)},
                    {box({3, 0}, kEighthTurn, {1, 1}), {-1, 0}, {3 - root, 0}, vertex(2)},
                    {box({3, 0}, kEighthTurn, {1, 1}), {0, -4}, {3, -root}, vertex(0)}});
}

TEST(support, of_a_polygon_names_the_vertex_and_the_lowest_of_two) {
  const std::vector<Point<2>> square{{1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
  const Solid<2> solid = polygon({2, 0}, 0, square, 0.5);
  check_answers<2>({{solid, {0.8, -0.6}, {3.4, -1.3}, vertex(0)},
                    {solid, {0.8, 0.6}, {3.4, 1.3}, vertex(1)},
                    {solid, {-0.8, 0.6}, {0.6, 1.3}, vertex(2)},
                    {solid, {-0.8, -0.6}, {0.6, -1.3}, vertex(3)},
                    {solid, {1, 0}, {3.5, -1}, vertex(0)},
                    {solid, {0, 1}, {3, 1.5}, vertex(1)},
                    {solid, {-1, 0}, {0.5, 1}, vertex(2)},
                    // The last side ends at the first vertex.
                    {solid, {0, -1}, {3, -1.5}, vertex(0)}});
}

TEST(support, ties_among_more_than_eight_vertices) {
  // Vertices 9 and 10 of twelve bound the side at the top; 11 and 0 that on the left.
  const std::vector<Point<2>> vertices{{-4, -1}, {-3, -3}, {-1, -4},   {1, -4}, {3, -3}, {4, -1},
                                       {4, 1},   {3, 3},   {2, 3.625}, {1, 4},  {-1, 4}, {-4, 1}};
  ASSERT_EQ(strictly_convex(vertices).size(), vertices.size());
  const Solid<2> solid = polygon({0, 0}, 0, vertices);
  check_answers<2>({{solid, {0, 1}, {1, 4}, vertex(9)},
                    {solid, {-1, 0}, {-4, -1}, vertex(0)},
                    {solid, {1, 0}, {4, -1}, vertex(5)},
                    {solid, {0, -1}, {-1, -4}, vertex(2)},
                    {solid, {-1, 4}, {-1, 4}, vertex(10)},
                    {solid, {-4, 1.5}, {-4, 1}, vertex(11)}});
}

TEST(support, directions_of_any_length) { check_directions_of_any_length<2>(); }

TEST(support, directions_of_any_stride) { check_directions_of_any_stride<2>(); }

TEST(support, lists_of_any_length_agree) { check_lists_of_any_length<2>(); }

TEST(support, wrong_questions_are_named) { check_wrong_questions<2>(); }

}  // namespace
}  // namespace widephase::test
