// Every pair of kinds on every instruction set against the reference in degenerate cases: ties,
// touching, zero lengths and radii, parallel and nearly parallel.
// Labels: long own-sets dated

#include <gtest/gtest.h>

#include <functional>

#include "reference/generate_turned.hpp"
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
    check_pairs_everywhere<D, T>(grid_pairs<D>(a, b, count_for(a, b, 500, 20), 31), {0, 0.25});
  });
}

TEST_P(pairs_degenerate, nearly_on_the_quarter_grid) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_pairs_everywhere<D, T>(near_grid_pairs<D>(a, b, count_for(a, b, 500, 20), 32), {0, 0.25});
  });
}

TEST_P(pairs_degenerate, quarter_grid_turned) {
  if (GetParam().a == Kind::aabb || GetParam().b == Kind::aabb) return;
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_pairs_everywhere<D, T>(turned_grid_pairs<D>(a, b, count_for(a, b, 600, 24), 35),
                                 {0, 0.25});
  });
}

TEST_P(pairs_degenerate, quarter_grid_far_from_the_origin) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_pairs_everywhere<D, T>(
        far_pairs<D>(grid_pairs<D>(a, b, count_for(a, b, 300, 16), 33), 34), {0, 0.25});
  });
}

TEST(outlines, a_box_thinner_than_rounding_against_a_square) {
  // Rotated by 45 degrees, its corners differ by an ulp only because of rounding.
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
  // At the distance of the circle's centre, the polygon's corners are a few roundings apart.
  const Solid<2> circle = ball<2>({-0.53973215818405151, -0.3520905077457428}, 3174.074462890625);
  const double x = 0.00066477787913754582, y = 0.0017445939593017101;
  check_pairs_everywhere<2, float>(
      {{circle, polygon({-697.833251953125, -2286.211669921875}, -3.4029250144958496,
                        {{-x, -y}, {x, -y}, {x, y}, {-x, y}})}},
      {0});
}

TEST(outlines, sides_level_but_for_a_rounding_are_one_way) {
  // Two regular outlines with equal rotation have two sides that face each other: not a tie. Flush
  // sides that meet end to end are not a tie either, though EPA reaches the corner that both have
  // there.
  std::vector<SolidPair<2>> pairs;
  const double quarter = std::acos(-1.0) / 2;
  pairs.push_back(
      {box({-0.5, -0.25}, quarter, {0.5, 0.75}), box({0.5, -0.25}, 0, {0.25, 0.5}, 0.5)});
  pairs.push_back({box({761992, -458762.25}, quarter, {0.75, 0.75}),
                   box({761992.75, -458762.25}, 0, {0, 0.75}, 0.25)});
  pairs.push_back(
      {box({-0.60921201588507179, -0.86825153020380386}, 8.0275447388151875, {0.5, 0.25}),
       polygon({-0.073550914802324535, -1.0281489497790393}, 6.4567484120202918,
               {{-0.5, -0.75}, {0.5, -0.75}, {0.5, 0.75}, {-0.5, 0.75}}, 0.75)});
  check_pairs_everywhere<2, double>(pairs, {0, 0.25});
  Random random(51);
  pairs.clear();
  for (std::size_t i = 0; i < scaled(2000, 80); ++i) {
    const int corners = static_cast<int>(random.integer(10, 40));
    const std::vector<Point<2>> vertices = regular(corners, 1);
    const double angle = random.uniform(-4, 4), turn = 4 * quarter / corners;
    const Point<2> direction = random.direction<2>();
    pairs.push_back({polygon({0, 0}, angle, vertices),
                     polygon({direction[0], direction[1]},
                             angle + turn * static_cast<double>(random.integer(0, 7)), vertices)});
  }
  check_pairs_everywhere<2, double>(pairs, {0});
}

TEST(outlines, a_core_flush_with_a_side_is_one_way_with_it) {
  // The core's side is rotated by the rounding of its ends.
  Random random(56);
  std::vector<SolidPair<2>> pairs;
  for (std::size_t i = 0; i < scaled(3000, 120); ++i) {
    const int corners = static_cast<int>(random.integer(3, 12));
    const double angle = random.uniform(-4, 4), half_turn = std::acos(-1.0) / corners;
    // Along the side from corner 0 to the next, and how far inside of it.
    const double out = angle + half_turn, apothem = std::cos(half_turn), half = std::sin(half_turn);
    const double behind = random.uniform(0, 0.2);
    const auto place = [&](double along) {
      return Point<2>{(apothem - behind) * std::cos(out) - along * std::sin(out),
                      (apothem - behind) * std::sin(out) + along * std::cos(out)};
    };
    const double from = half * random.uniform(-1, 1);
    pairs.push_back({capsule<2>(place(from), place(from + half * random.uniform(0.1, 1)),
                                random.chance(0.5) ? 0 : 0.25),
                     polygon({0, 0}, angle, regular(corners, 1))});
  }
  check_pairs_everywhere<2, float>(pairs, {0});
  check_pairs_everywhere<2, double>(pairs, {0});
}

TEST(outlines, boxes_without_a_width_that_face_each_other_have_two_points) {
  // Both stand upright; of the two corners at each end GJK has the one whose long side looks away.
  const double quarter = std::acos(-1.0) / 2;
  check_pairs_everywhere<2, double>(
      {{box({-0.25, 0.5}, 0, {0, 1}, 0.75), box({0.5, 0.5}, quarter, {1, 0}, 0.5)}}, {0.25});
}

TEST(outlines, a_flat_polygon_whose_sides_fall_a_little_each_is_not_one_line) {
  // Each of its sides is level with the next to rounding, and the last ones slope by ten times
  // that.
  check_pairs_everywhere<2, float>({{polygon({0, 0}, 6.0728316307067871,
                                             {{-0.38416001200675964, -6.2016342781134881e-06},
                                              {-0.0015987544320523739, -6.7170490183343645e-06},
                                              {0.38120588660240173, -6.2098533817334101e-06},
                                              {0.70597541332244873, -4.7572643779858481e-06},
                                              {0.92326653003692627, -2.5804247343330644e-06},
                                              {0.99999874830245972, -1.0738925304565328e-08},
                                              {0.92449015378952026, 2.5605818336771335e-06},
                                              {0.70823639631271362, 4.7420771807082929e-06},
                                              {0.38416001200675964, 6.2016342781134881e-06},
                                              {0.0015987544320523739, 6.7170490183343645e-06},
                                              {-0.38120588660240173, 6.2098533817334101e-06},
                                              {-0.70597541332244873, 4.7572643779858481e-06},
                                              {-0.92326653003692627, 2.5804247343330644e-06},
                                              {-0.99999874830245972, 1.0738925304565328e-08},
                                              {-0.92449015378952026, -2.5605818336771335e-06},
                                              {-0.70823639631271362, -4.7420771807082929e-06}}),
                                     capsule<2>({0.89471924304962158, 0.087715588510036469},
                                                {-0.90446168184280396, -0.061974495649337769}, 0)}},
                                   {0});
}

TEST(outlines, a_circle_beside_the_end_of_a_side_by_next_to_nothing) {
  // 5e-11 on the side's part of its end, where the corner is as near to 20 digits.
  check_pairs_everywhere<2, double>(
      {{box({0, -0.25}, 4.7123889803352279, {0.5, 0.49999999386424288}, 0.5),
        ball<2>({1.0000120282602611, -0.75}, 0.5)}},
      {0});
}

TEST(capsules, a_centre_on_a_core_but_for_rounding_leaves_straight_across) {
  // In the middle between an end and the core's middle, which is at the origin.
  std::vector<SolidPair<2>> pairs{{capsule<2>({0.74848669767379761, -0.047620180994272232},
                                              {-0.99798226356506348, 0.063493572175502777}, 0.25),
                                   ball<2>({-0.49899113178253174, 0.031746786087751389}, 0)}};
  std::vector<SolidPair<3>> solids;
  Random random(52);
  for (std::size_t i = 0; i < scaled(4000, 160); ++i) {
    const Point<2> e = random.direction<2>();
    const Point<3> d = random.direction<3>();
    pairs.push_back(
        {capsule<2>({-e[0], -e[1]}, {e[0], e[1]}, 0.25), ball<2>({e[0] / 2, e[1] / 2}, 0.25)});
    solids.push_back({capsule<3>({-d[0], -d[1], -d[2]}, d, 0.25),
                      ball<3>({d[0] / 2, d[1] / 2, d[2] / 2}, 0.25)});
  }
  check_pairs_everywhere<2, float>(pairs, {0});
  check_pairs_everywhere<2, double>(pairs, {0});
  check_pairs_everywhere<3, float>(solids, {0});
  check_pairs_everywhere<3, double>(solids, {0});
}

TEST(capsules, ends_that_meet_but_for_rounding_in_the_plane_are_parted_by_their_bodies) {
  // B's end is beyond A's core by a rounding, while B's body is on this side of it; and the
  // reverse.
  check_pairs_everywhere<2, float>(
      {{capsule<2>({0.5, 0}, {-0.5, 0}, 0.25),
        capsule<2>({-0.73981577157974243, 0.83655315637588501}, {-0.5, -1.6669443603234413e-12},
                   0.41113400459289551)}},
      {0.25});
  std::vector<SolidPair<2>> pairs{
      {capsule<2>({-0.75, 1}, {0.75, -1}, 0),
       capsule<2>({1.322281475091692, -1.1928979327573681}, {0.75000000000000011, -1}, 0)}};
  Random random(55);
  const auto dust = [&] { return 2e-16 * random.uniform(-1, 1); };
  for (std::size_t i = 0; i < scaled(4000, 160); ++i) {
    const Point<2> end = random.direction<2>(), from = random.direction<2>(),
                   to = random.direction<2>();
    pairs.push_back(
        {capsule<2>(from, end, 0.25), capsule<2>({end[0] + dust(), end[1] + dust()}, to, 0)});
  }
  check_pairs_everywhere<2, double>(pairs, {0, 0.25});
}

/// Checks in float and double.
void check_in_3d(const std::vector<SolidPair<3>>& pairs, std::initializer_list<double> margins) {
  check_pairs_everywhere<3, float>(pairs, margins);
  check_pairs_everywhere<3, double>(pairs, margins);
}

TEST(boxes_in_3d, edges_that_cross_at_0003_rad_and_less) {
  for (const Kind a : {Kind::capsule, Kind::aabb, Kind::box}) {
    for (const Kind b : {Kind::capsule, Kind::aabb, Kind::box}) {
      if (a != Kind::box && b != Kind::box) continue;
      SCOPED_TRACE(name_of({3, a, b}));
      check_in_3d(crossing_edges(a, b, scaled(500, 20), 36), {0, 0.25});
    }
  }
}

TEST(boxes_in_3d, needles_and_plates) { check_in_3d(thin_boxes(scaled(800, 32), 37), {0, 0.25}); }

TEST(boxes_in_3d, one_centre) { check_in_3d(concentric_boxes(scaled(500, 20), 38), {0}); }

TEST(boxes_in_3d, faces_flush_to_rounding) {
  check_in_3d(stacked_boxes(scaled(800, 32), 39), {0, 0.0625});
  check_in_3d(far_pairs<3>(stacked_boxes(scaled(300, 16), 40), 41), {0, 0.0625});
}

// The distance from core to box is a hundredth of the core's length or more: rounding that rotates
// its direction moves the far end of the core by a hundred times as much.
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

TEST(capsules, cores_of_one_line_beside_one_another_by_next_to_nothing) {
  // The end of one is beside the core of the other and continues along it: only rounding may be
  // removed across it.
  check_in_3d(
      {{capsule<3>({0.15372885763645172, -0.42724749445915222, 0.013407296501100063},
                   {-0.15372885763645172, 0.42724749445915222, -0.013407296501100063},
                   108.72066497802734),
        capsule<3>({0.15372885763645172, -0.42724749445915222, 0.013407242484390736},
                   {-0.15372887253761292, 0.42724752426147461, -0.013407350517809391},
                   108.72066497802734)},
       {capsule<3>({0.48251268267631531, -0.65297341346740723, -0.46463319659233093},
                   {-0.48251268267631531, 0.65297341346740723, 0.46463319659233093},
                   0.29275155067443848),
        capsule<3>({0.48251301050186157, -0.65297335386276245, -0.46463346481323242},
                   {-0.48251238465309143, 0.652973473072052, 0.46463292837142944},
                   0.29275155067443848)},
       {capsule<3>({0.047246022855748242, 0.030786297487897345, -0.36835810134225394},
                   {-0.047246022855748242, -0.030786297487897345, 0.36835810134225394}, 0),
        capsule<3>({0.047245215376796212, 0.030785863422738324, -0.36835790808379326},
                   {-0.047246830334700271, -0.030786731553056366, 0.36835829460071462}, 0)}},
      {0.25});
}

TEST(capsules, ends_that_meet_but_for_rounding_are_parted_across_both_cores) {
  // The direction from end to end, which are a rounding apart, would lead along the cores.
  std::vector<SolidPair<3>> pairs{
      {capsule<3>({0.23717241076473175, -0.35452192813388028, 0.24938007956950695},
                  {-0.23717241076473175, 0.35452192813388028, -0.24938007956950695}, 0),
       capsule<3>({-0.10265069054795073, -0.056811981661827771, -0.21540031680408039},
                  {0.23717241076473172, -0.35452192813388028, 0.24938007956950697}, 0)}};
  Random random(54);
  const auto dust = [&] { return 2e-16 * random.uniform(-1, 1); };
  for (std::size_t i = 0; i < scaled(1000, 40); ++i) {
    const Point<3> end = random.direction<3>(), from = random.direction<3>(),
                   to = random.direction<3>();
    const Point<3> beside{end[0] + dust(), end[1] + dust(), end[2] + dust()};
    pairs.push_back({capsule<3>(from, end, 0.25), capsule<3>(beside, to, 0)});
  }
  check_in_3d(pairs, {0, 0.25});
}

TEST(capsules, long_cores_that_cross_at_a_small_angle_are_parted_across_both) {
  check_in_3d(crossing_edges(Kind::capsule, Kind::capsule, scaled(1000, 40), 42), {0, 0.25});
}

TEST(boxes_in_3d, a_box_turned_by_less_than_the_least_normal_number_is_clipped) {
  // The reciprocal of the slope of its edges is infinite in float.
  check_in_3d({{aabb<3>({-0.5, -1.5, -1.25}, {0.5, 1.5, 1.25}),
                box({0, 0.75, 1.25},
                    {-1, 6.1232342629258393e-17, 6.1232342629258393e-17, 3.7493993930529855e-33},
                    {0.25, 0.5, 1}, 0.25)}},
              {0, 0.25});
}

// Parallel to the box's edge to rounding: the core's part perpendicular to it has no direction, so
// nothing may be subtracted along that from the vector to the edge.
TEST(boxes_in_3d, a_long_core_beside_an_edge_that_it_is_level_with) {
  check_in_3d(
      {{capsule<3>({-8.0807838439941406, 4.4656314849853516, -11.012850761413574},
                   {7.4438447952270508, -4.1136441230773926, 10.144802093505859}, 0.5),
        box({-1.5251411199569702, 1.1046668291091919, -2.7383370399475098},
            {0.73992365598678589, 0.089937008917331696, 0.45908728241920471, -0.48338720202445984},
            {10, 0.2742423415184021, 0.2742423415184021})},
       {capsule<3>({-12.096423149108887, 0, 0}, {7.9035763740539551, 0, 0}, 0.25),
        box({-3.8952896595001221, 0.099777929484844208, 0.035841688513755798},
            {-0.23741854727268219, -8.8663099973018689e-08, -1.4602163389554335e-07,
             0.97140747308731079},
            {10, 0.069303989410400391, 0.069303989410400391})},
       {box({-0.42059868574142456, 2.5726995468139648, 2.1458983421325684},
            {0.24509264528751373, 0.3314250111579895, -0.64566725492477417, 0.6428070068359375},
            {5.1722187995910645, 0.54113495349884033, 0.54113495349884033}),
        capsule<3>({0.03298627957701683, 0.35866051912307739, 0.40380516648292542},
                   {-0.18222956359386444, -2.3290951251983643, -2.5857338905334473}, 0)}},
      {0, 0.25});
}

TEST(hulls_and_cylinders, a_needle_that_touches_a_corner_is_apart_by_what_is_known) {
  // Proven to be apart by less than rounding; the search stopped a hundred times as far from it.
  check_pairs_everywhere<3, float>(
      {{hull({0.53439491987228394, 0.59540045261383057, -0.25760656595230103},
             {-0.028218112885951996, 0.58717620372772217, 0.76159745454788208, 0.27275851368904114},
             {{-0.48792272806167603, -0.00045290373876618232, -0.00021652709983754903},
              {0.5362887978553772, 4.467598773771897e-05, 0.00060501834377646446},
              {0.45098972320556641, -4.7947403800208122e-05, -0.00040085718501359224},
              {-0.48067823052406311, 0.00059659994440153241, -7.7280288678593934e-05},
              {-0.89835566282272339, -0.00052719761151820421, 0.00053441291674971581}}),
        box({0.36563423275947571, 0.20095941424369812, -0.27356082201004028},
            {-0.38685080409049988, 0.700081467628479, -0.53993761539459229, -0.2621065080165863},
            {0.23112630844116211, 0.56335973739624023, 0.22347499430179596})}},
      {0.25});
}

TEST(hulls_and_cylinders, a_centre_inside_on_the_line_between_two_corners) {
  // The first three vertices of EPA are in a plane through the centre. Those beyond it on either
  // side are level with a corner that the three do not reach.
  const double half = std::sqrt(0.5);
  std::vector<Point<3>> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back({i & 1 ? 0.25 : -0.25, i & 2 ? 1. : -1., i & 4 ? 1. : -1.});
  }
  const Quaternion turn = about({1, 0, 0}, 3 * kEighthTurn);
  const Solid<3> center = ball<3>({-0.125, half, 0}, 0.75);
  check_in_3d(
      {{hull({0, 0, 0}, turn, corners, 0.5), center},
       {box({0, 0, 0}, turn, {0.25, 1, 1}, 0.5), center},
       {hull({0, 0, 0}, turn, corners), capsule<3>({-0.125, half, 0}, {-0.125, half, 0}, 0)},
       {hull({0, 0, 0}, turn, corners), box({-0.125, half, 0}, turn, {0, 0, 0}, 0.25)}},
      {0});
}

/// A flat box and a hull of the same form under the plane z = 0, with shapes that are apart from
/// them by margin and radius to a few roundings. All numbers and their sum are below 0.5, so none
/// is rounded earlier.
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
  check_pairs_everywhere<3, float>(apart_by_margin_and_radius(0.25f, scaled(60, 8)), {0.25});
  check_pairs_everywhere<3, double>(apart_by_margin_and_radius(0.25, scaled(60, 8)), {0.25});
}

TEST(hulls_and_cylinders, long_edges_that_cross_are_apart_by_what_is_proven) {
  // The bounds of the distance meet to 1e-13 of the size: an answer, though not exact to rounding.
  std::vector<Point<3>> corners;
  for (int i = 0; i < 8; ++i) {
    const double thin = 0.014671185169673031;
    corners.push_back({i & 1 ? 14.671185169673031 : -14.671185169673031, i & 2 ? thin : -thin,
                       i & 4 ? thin : -thin});
  }
  check_pairs_everywhere<3, double>(
      {{box({-0.19283891062249212, 0.046962569892949668, 0.094822539513156986},
            {0.46500036830019531, 0.14851477468214733, -0.20524082228011137, 0.84828899795504686},
            {2.0597036196022307, 0.0020597036196022306, 0.0020597036196022306}),
        hull({1.3357577346932865, -0.32961753169196983, -0.65792870493908706},
             {0.54948671596373289, 0.12669925416711578, -0.21938033772648541, 0.79616827077691421},
             corners)},
       {capsule<3>({-5.8826820093944487, -3.1115738670224569, 8.3019001835083532},
                   {5.1750013814827707, 2.7372547138723293, -7.303190084043016}, 0),
        cylinder(
            {-1.0145511262928455, -0.13875251380805606, 0.020582392128695313},
            {-0.8789561943015527, 0.34287492207269626, -0.21664853606253037, 0.25087089933775891},
            10, 0.81704944232024723)}},
      {0.25});
}

TEST(hulls_and_cylinders, long_edges_that_cross_at_0003_rad_are_apart_by_what_they_are) {
  const double half = 14.953857421875, width = 0.90068751573562622;
  check_pairs_everywhere<3, float>(
      {{box({1.4405407905578613, 7.256011962890625, 3.6085536479949951},
            {0.38744056224822998, -0.02826341800391674, -0.77133297920227051, 0.50411945581436157},
            {half, width, width}),
        hull(
            {-1.0200358629226685, -4.614750862121582, -2.6425962448120117},
            {0.41365900635719299, -0.067682251334190369, -0.76792335510253906, 0.48435431718826294},
            block(10, 0.36377471685409546, 0.36377471685409546))}},
      {0.25});
}

TEST(hulls_and_cylinders, a_thin_cylinder_along_a_long_edge_has_its_points_on_both) {
  // With EPA: its last face is a sliver, and its points were off by half the cylinder's length.
  check_pairs_everywhere<3, float>(
      {{box({1.0906730890274048, -0.93156611919403076, -0.93156611919403076}, {0, 0, 0, 1},
            {10, 0.93156611919403076, 0.93156611919403076}),
        cylinder(
            {-0.12616980075836182, 0.00089907279470935464, 0.0012361560948193073},
            {0.054682794958353043, 0.70498895645141602, 0.054682336747646332, 0.70498949289321899},
            1.5465387105941772, 0.0015465386677533388)}},
      {0});
}

TEST(hulls_and_cylinders, a_side_before_a_face_whose_edge_the_rim_is_level_with) {
  // Beside the face by 0.027, and 2e-6 over its lower edge: GJK is between the rim and that edge.
  const Quaternion turn{0.4372098445892334, 0.013404564931988716, -0.10815572738647461,
                        0.89273184537887573};
  check_pairs_everywhere<3, float>(
      {{cylinder({0, 0, 0}, turn, 0.67650151252746582, 0.19624063372612),
        box({0.71095407009124756, -1.4160861968994141, 0.50673925876617432}, turn,
            {0.6676596999168396, 1, 0.69564145803451538})}},
      {0.0625});
}

TEST(hulls_and_cylinders, a_cap_over_less_of_a_face_than_between_points_of_its_rim) {
  // Over a corner of a prism of seven sides, and over a larger cap's rim.
  const Quaternion turn{-0.77918261289596558, 0.1634092777967453, -0.056476321071386337,
                        0.60248011350631714};
  check_in_3d({{cylinder({0.1912504371557503, -0.39174507191568475, 1.5}, {0, 0, 0, 1}, 0.5, 0.25),
                hull({0, 0, 0}, {0, 0, 0, 1}, prism(regular(7, 0.19611847623661294), 1))},
               {cylinder({-0.75104826688766479, 0.94965654611587524, -0.71349221467971802}, turn,
                         0.75, 0.1381845623254776),
                cylinder({0, 0, 0}, turn, 0.10107680410146713, 1)}},
              {0, 0.0625});
}

/// Calls `check(a, b)` for both orders of every pair of these kinds that includes a hull or a
/// cylinder and has a kernel.
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
      [](Kind a, Kind b) { check_in_3d(crossing_edges(a, b, scaled(300, 12), 42), {0, 0.25}); });
}

TEST(hulls_and_cylinders, faces_flush_to_rounding) {
  for_each_hull_and_cylinder(
      {Kind::aabb, Kind::box, Kind::hull, Kind::cylinder}, [](Kind a, Kind b) {
        check_in_3d(stacked_solids(a, b, scaled(200, 8), 43), {0, 0.0625});
        check_in_3d(far_pairs<3>(stacked_solids(a, b, scaled(60, 8), 44), 45), {0, 0.0625});
      });
}

TEST(hulls_and_cylinders, one_centre) {
  for_each_hull_and_cylinder({Kind::box, Kind::hull, Kind::cylinder}, [](Kind a, Kind b) {
    check_in_3d(concentric_solids(a, b, scaled(300, 12), 46), {0});
  });
}

TEST(hulls_and_cylinders, balls_beside_and_over_small_cylinders) {
  Random random(48);
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < scaled(600, 24); ++i) {
    const Quaternion turn = random.direction<4>();
    const double half_height = std::pow(10, random.uniform(-3, -1));
    const double radius = std::pow(10, random.uniform(-3, -1));
    // Relative to the ball's centre, in the cylinder's frame: above a cap, or beside the side.
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
    check_in_3d(corner_to_corner(a, b, scaled(300, 12), 47), {0, 0.25});
  });
}

INSTANTIATE_TEST_SUITE_P(kinds, pairs_degenerate, ::testing::ValuesIn(all_pair_kinds()), case_name);

}  // namespace
}  // namespace widephase::test
