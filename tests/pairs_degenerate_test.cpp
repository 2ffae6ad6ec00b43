// Every pair of kinds on every instruction set against the reference where geometry is
// degenerate: ties, touching, zero lengths and radii, parallel and nearly parallel.

#include <gtest/gtest.h>

#include <functional>

#include "support/generate.hpp"
#include "support/pair_kinds.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

class pairs_degenerate : public ::testing::TestWithParam<PairKindCase> {};

TEST_P(pairs_degenerate, special_places) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_pairs_everywhere<D, T>(special_pairs<D>(a, b), {0, 0.75});
  });
}

TEST_P(pairs_degenerate, quarter_grid) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_pairs_everywhere<D, T>(grid_pairs<D>(a, b, scaled(500, 50), 31), {0, 0.25});
  });
}

TEST_P(pairs_degenerate, nearly_on_the_quarter_grid) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_pairs_everywhere<D, T>(near_grid_pairs<D>(a, b, scaled(500, 50), 32), {0, 0.25});
  });
}

TEST_P(pairs_degenerate, quarter_grid_turned) {
  if (GetParam().a == Kind::aabb || GetParam().b == Kind::aabb) return;
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_pairs_everywhere<D, T>(turned_grid_pairs<D>(a, b, scaled(600, 60), 35), {0, 0.25});
  });
}

TEST_P(pairs_degenerate, quarter_grid_far_from_the_origin) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_pairs_everywhere<D, T>(far_pairs<D>(grid_pairs<D>(a, b, scaled(300, 40), 33), 34),
                                 {0, 0.25});
  });
}

TEST(outlines, a_box_thinner_than_rounding_against_a_square) {
  // Turned by 45 degrees, its corners are an ulp apart by rounding alone.
  std::vector<SolidPair<2>> pairs;
  for (double half = 1e-20; half < 1e-4; half *= 10) {
    const Solid<2> square =
        polygon({-0.75, 0.75}, 0, {{-0.75, -0.75}, {0.75, -0.75}, {0.75, 0.75}, {-0.75, 0.75}});
    pairs.push_back({square, box({-0.75, 1}, 1.75 * std::acos(-1.0), {half, 0.75}, 0.25)});
    pairs.push_back({capsule<2>({-0.5, 0.75}, {0.5, -1}, 0),
                     box({-0.25, 0.5}, std::acos(-1.0), {0.5, half}, 0)});
  }
  check_pairs_everywhere<2, float>(pairs, {0});
  check_pairs_everywhere<2, double>(pairs, {0});
}

TEST(outlines, a_small_outline_in_a_large_circle) {
  // At the distance of its circle's centre the polygon's corners are few units of rounding apart.
  const Solid<2> circle = ball<2>({-0.53973215818405151, -0.3520905077457428}, 3174.074462890625);
  const double x = 0.00066477787913754582, y = 0.0017445939593017101;
  check_pairs_everywhere<2, float>(
      {{circle, polygon({-697.833251953125, -2286.211669921875}, -3.4029250144958496,
                        {{-x, -y}, {x, -y}, {x, y}, {-x, y}})}},
      {0});
}

/// In float and double.
void check_in_3d(const std::vector<SolidPair<3>>& pairs, std::initializer_list<double> margins) {
  check_pairs_everywhere<3, float>(pairs, margins);
  check_pairs_everywhere<3, double>(pairs, margins);
}

TEST(boxes_in_3d, edges_that_cross_at_0003_rad_and_less) {
  for (const Kind a : {Kind::capsule, Kind::aabb, Kind::box}) {
    for (const Kind b : {Kind::capsule, Kind::aabb, Kind::box}) {
      if (a != Kind::box && b != Kind::box) continue;
      SCOPED_TRACE(name_of({3, a, b}));
      check_in_3d(crossing_edges(a, b, scaled(500, 50), 36), {0, 0.25});
    }
  }
}

TEST(boxes_in_3d, needles_and_plates) { check_in_3d(thin_boxes(scaled(800, 80), 37), {0, 0.25}); }

TEST(boxes_in_3d, one_centre) { check_in_3d(concentric_boxes(scaled(500, 50), 38), {0}); }

TEST(boxes_in_3d, faces_flush_to_rounding) {
  check_in_3d(stacked_boxes(scaled(800, 80), 39), {0, 0.0625});
  check_in_3d(far_pairs<3>(stacked_boxes(scaled(300, 40), 40), 41), {0, 0.0625});
}

// The way from core to box is a hundredth of the core's length and more: rounding that turns it
// moves the core's far end by a hundred times as much.
TEST(boxes_in_3d, a_long_core_that_passes_an_edge) {
  check_in_3d(
      {{capsule<3>({5.7638430595397949, -4.3245677947998047, -2.2727079391479492},
                   {-5.8443059921264648, 5.878840446472168, 1.9275381565093994},
                   1.1232340335845947),
        aabb<3>({-0.64973211288452148, 1.224067211151123, -0.25344419479370117},
                {-0.51648211479187012, 1.2436337471008301, -0.16857147216796875})},
       {capsule<3>({0.54302889108657837, 1.8178236484527588, 0.14857396483421326},
                   {1.110184907913208, 1.3518465757369995, 2.1433491706848145},
                   0.46220308542251587),
        aabb<3>({-0.23977848887443542, 1.1952631499694824, 0.31716561317443848},
                {1.5740786790847778, 1.3107340335845947, 2.132441520690918})},
       {capsule<3>({-1.1205357313156128, 2.7357280254364014, 0.019192790612578392},
                   {-1.6088935136795044, 1.2124395370483398, -0.98356491327285767},
                   0.20139282941818237),
        box({-1.4062536954879761, 2.0182316303253174, -0.58941203355789185},
            {-0.45804277062416077, 0.45804277062416077, 0.45804277062416077, 0.60876142978668213},
            {0.089911513030529022, 0.0080391420051455498, 0.047543119639158249},
            0.0036807754077017307)}},
      {0, 0.25});
}

/// A flat box and a hull of its form under the plane z = 0, with what is apart from them by margin
/// and radius but for a few roundings. All numbers are below 0.5, as their sum is, so that none
/// rounds before that.
template <class T>
std::vector<SolidPair<3>> apart_by_margin_and_radius(T margin, std::size_t count) {
  constexpr double kHalf = 1.0 / 64;
  Random random(53);
  std::vector<Point<3>> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back({i & 1 ? kHalf : -kHalf, i & 2 ? kHalf : -kHalf, i & 4 ? kHalf : -kHalf});
  }
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const T radius = static_cast<T>(random.uniform(0.125, 0.2));
    T gap = std::nextafter(margin + radius, T(0));
    for (int step = 0; step < 4; ++step) {
      const Point<3> lowest{0, 0, gap};
      const Quaternion turn{0, 0, 0, 1};
      for (const Solid<3>& a : {box({0, 0, -kHalf}, turn, {kHalf, kHalf, kHalf}, radius),
                                hull({0, 0, -kHalf}, turn, corners, radius)}) {
        pairs.push_back({a, ball<3>(lowest, 0)});
        pairs.push_back({a, capsule<3>(lowest, {0, 0, gap + 2 * kHalf}, 0)});
        pairs.push_back({a, aabb<3>({-kHalf, -kHalf, gap}, {kHalf, kHalf, gap + 2 * kHalf})});
        pairs.push_back({a, cylinder({0, 0, gap + kHalf}, turn, kHalf, kHalf)});
      }
      gap = std::nextafter(gap, T(1));
    }
  }
  return pairs;
}

TEST(cores, apart_by_margin_and_radius_but_for_rounding_have_a_whole_answer_or_none) {
  check_pairs_everywhere<3, float>(apart_by_margin_and_radius(0.25f, scaled(60, 20)), {0.25});
  check_pairs_everywhere<3, double>(apart_by_margin_and_radius(0.25, scaled(60, 20)), {0.25});
}

/// Calls `check(a, b)` with both orders of every pair of these kinds that has a hull or a cylinder
/// and a kernel.
void for_each_hull_and_cylinder(std::initializer_list<Kind> kinds,
                                const std::function<void(Kind a, Kind b)>& check) {
  for (const Kind a : kinds) {
    for (const Kind b : kinds) {
      const bool has_either =
          a == Kind::hull || b == Kind::hull || a == Kind::cylinder || b == Kind::cylinder;
      if (!has_either || !has_kernel(3, a, b)) continue;
      SCOPED_TRACE(name_of({3, a, b}));
      check(a, b);
    }
  }
}

TEST(hulls_and_cylinders, edges_and_sides_that_cross_at_0003_rad_and_less) {
  for_each_hull_and_cylinder(
      {Kind::capsule, Kind::aabb, Kind::box, Kind::hull, Kind::cylinder},
      [](Kind a, Kind b) { check_in_3d(crossing_edges(a, b, scaled(300, 30), 42), {0, 0.25}); });
}

TEST(hulls_and_cylinders, faces_flush_to_rounding) {
  for_each_hull_and_cylinder(
      {Kind::aabb, Kind::box, Kind::hull, Kind::cylinder}, [](Kind a, Kind b) {
        check_in_3d(stacked_solids(a, b, scaled(200, 20), 43), {0, 0.0625});
        check_in_3d(far_pairs<3>(stacked_solids(a, b, scaled(60, 10), 44), 45), {0, 0.0625});
      });
}

TEST(hulls_and_cylinders, one_centre) {
  for_each_hull_and_cylinder({Kind::box, Kind::hull, Kind::cylinder}, [](Kind a, Kind b) {
    check_in_3d(concentric_solids(a, b, scaled(300, 30), 46), {0});
  });
}

TEST(hulls_and_cylinders, balls_beside_and_over_small_cylinders) {
  Random random(48);
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < scaled(600, 60); ++i) {
    const Quaternion turn = random.direction<4>();
    const double half_height = std::pow(10, random.uniform(-3, -1));
    const double radius = std::pow(10, random.uniform(-3, -1));
    // From the ball's centre, as the cylinder has it: over a cap, or beside the side.
    const double away = random.uniform(0.2, 1);
    const bool is_over = i % 3 == 0;
    const Point<3> from{is_over ? random.uniform(0, 1.5) * radius : away, 0,
                        is_over ? away : random.uniform(-1.5, 1.5) * half_height};
    pairs.push_back({ball<3>({0, 0, 0}, random.uniform(0.3, 1)),
                     cylinder(rotated(turn, from), turn, half_height, radius)});
  }
  check_in_3d(pairs, {0, 0.25});
}

TEST(hulls_and_cylinders, corner_to_corner) {
  for_each_hull_and_cylinder({Kind::box, Kind::hull, Kind::cylinder}, [](Kind a, Kind b) {
    check_in_3d(corner_to_corner(a, b, scaled(300, 30), 47), {0, 0.25});
  });
}

INSTANTIATE_TEST_SUITE_P(kinds, pairs_degenerate, ::testing::ValuesIn(all_pair_kinds()), case_name);

}  // namespace
}  // namespace widephase::test
