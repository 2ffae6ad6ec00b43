// Cases of cylinders whose answers can be derived by reading: cans on tables and on one another.
//
// Each case runs in both orders and by every method: a point of A, moved back by its depth, is a
// point of B. Where a lid lies on something flat, any of its points may be reported. They must then
// lie on it, be three or four, and each be as deep as the pair.
// Labels: own-sets

#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/resting_points.hpp"

namespace widephase::test {
namespace {

/// The quaternion along x, y, z, w.
Quaternion unit(double x, double y, double z, double w) {
  const double length = std::sqrt(x * x + y * y + z * z + w * w);
  return {x / length, y / length, z / length, w / length};
}

const Quaternion kUpright{0, 0, 0, 1};
const Quaternion kAlongX{0.5, 0.5, 0.5, 0.5};       // its own z goes to x
const Quaternion kAlongY{-0.5, -0.5, -0.5, 0.5};    // and to y
const Quaternion kFifthsAboutY = unit(0, 1, 0, 3);  // its axis goes to (0.6, 0, 0.8)

const Solid<3> kFloor = halfspace<3>({0, 0, 1}, 0);         // solid below z = 0
const Solid<3> kTable = aabb<3>({-5, -5, -1}, {5, 5, 0});   // its top is at z = 0
const Solid<3> kCan = cylinder({0, 0, 0}, kUpright, 2, 1);  // its lid is at z = 2
const std::vector<Point<3>> kBlockCorners{{-5, -5, -1}, {5, -5, -1}, {-5, 5, -1}, {5, 5, -1},
                                          {-5, -5, 0},  {5, -5, 0},  {-5, 5, 0},  {5, 5, 0}};

/// The table, as each kind that can represent it.
std::vector<Solid<3>> tables() {
  return {kTable, box({0, 0, -0.5}, kUpright, {5, 5, 0.5}),
          hull({0, 0, 0}, kUpright, kBlockCorners)};
}

/// Checks the normal and depth of the contact, and its points, all equally deep. `lean` is how far
/// a search may leave the normal off, beyond rounding.
void expect_points_one_way(const Solid<3>& a, const Solid<3>& b, const Point<3>& normal,
                           double depth, const std::vector<Point<3>>& points, double margin,
                           double lean) {
  expect_derived(a, b, depth);
  ask<3>(
      a, b, margin,
      [&]<class T>(const ContactBuffer<3, T>& contacts, const Solid<3>& sa, const Solid<3>& sb) {
        const double tolerance = sizeof(T) == 4 ? 1e-5 : 1e-12;
        ASSERT_EQ(contacts.size(), 1u);
        const Contact<3, T> contact = contact_at(contacts, 0);
        SCOPED_TRACE(describe(contact));
        EXPECT_EQ(points_flaw(sa, sb, contact, margin, 0, 4), "");
        EXPECT_NEAR(static_cast<double>(contact.depth), depth, tolerance);
        EXPECT_EQ(contact.status, 0);
        for (int k = 0; k < 3; ++k) {
          EXPECT_NEAR(static_cast<double>(contact.normal[k]), normal[k], tolerance + lean);
        }
        EXPECT_EQ(contact.points.size(), points.size());
        // Where an edge leaves a face, the position is exact to 32 roundings of the larger shape.
        const double aside = (sizeof(T) == 4 ? 5e-5 : 1e-12) + 4 * lean;
        for (const Point<3>& point : points) {
          Real nearest = std::numeric_limits<Real>::infinity();
          for (const Vec<3>& found : contact.points) {
            nearest = std::min(nearest, length(minus(found, widened(point))));
          }
          EXPECT_LE(static_cast<double>(nearest), aside)
              << "(" << point[0] << ", " << point[1] << ", " << point[2] << ")";
        }
      },
      kMethods);
}

void expect_both_ways(const Solid<3>& a, const Solid<3>& b, const Answer<3>& answer,
                      double margin = 0, double lean = 0) {
  expect_points_one_way(a, b, answer.normal, answer.depth, answer.points, margin, lean);
  SCOPED_TRACE("the other way round");
  std::vector<Point<3>> partners = answer.points;
  Point<3> back = answer.normal;
  for (Point<3>& point : partners) {
    for (int k = 0; k < 3; ++k) point[k] -= answer.depth * answer.normal[k];
  }
  for (double& value : back) value = 0 - value;
  expect_points_one_way(b, a, back, answer.depth, partners, margin, lean);
}

/// A flat shape on a flat shape: three or four points.
void expect_flat_one_way(const Solid<3>& a, const Solid<3>& b, const Point<3>& normal, double depth,
                         double margin) {
  expect_derived(a, b, depth);
  ask<3>(
      a, b, margin,
      [&]<class T>(const ContactBuffer<3, T>& contacts, const Solid<3>& sa, const Solid<3>& sb) {
        const double tolerance = sizeof(T) == 4 ? 4e-6 : 1e-12;
        ASSERT_EQ(contacts.size(), 1u);
        const Contact<3, T> contact = contact_at(contacts, 0);
        SCOPED_TRACE(describe(contact));
        EXPECT_EQ(points_flaw(sa, sb, contact, margin, 0, 4), "");
        EXPECT_NEAR(static_cast<double>(contact.depth), depth, tolerance);
        EXPECT_GE(contact.points.size(), 3u);
        EXPECT_LE(contact.points.size(), 4u);
        for (int k = 0; k < 3; ++k) {
          EXPECT_NEAR(static_cast<double>(contact.normal[k]), normal[k], tolerance);
        }
        for (const Real own : contact.point_depths) {
          EXPECT_NEAR(static_cast<double>(own), depth, tolerance);
        }
      },
      kMethods);
}
void expect_flat(const Solid<3>& a, const Solid<3>& b, const Point<3>& normal, double depth,
                 double margin = 0) {
  expect_flat_one_way(a, b, normal, depth, margin);
  SCOPED_TRACE("the other way round");
  expect_flat_one_way(b, a, {0 - normal[0], 0 - normal[1], 0 - normal[2]}, depth, margin);
}

/// In double the normal is exact, and so is one of the points.
void expect_exact(const Solid<3>& a, const Solid<3>& b, const Point<3>& normal, double depth,
                  const Point<3>& point) {
  expect_derived(a, b, depth);
  ask<3>(
      a, b, 1,
      [&]<class T>(const ContactBuffer<3, T>& contacts, const Solid<3>&, const Solid<3>&) {
        if (sizeof(T) == 4) return;
        ASSERT_EQ(contacts.size(), 1u);
        const Contact<3, T> contact = contact_at(contacts, 0);
        SCOPED_TRACE(describe(contact));
        EXPECT_NEAR(static_cast<double>(contact.depth), depth, 1e-12);
        Real nearest = std::numeric_limits<Real>::infinity();
        for (const Vec<3>& found : contact.points) {
          nearest = std::min(nearest, length(minus(found, widened(point))));
        }
        EXPECT_LE(static_cast<double>(nearest), 1e-12);
        for (int k = 0; k < 3; ++k) {
          EXPECT_NEAR(static_cast<double>(contact.normal[k]), normal[k], 1e-12);
        }
      },
      kMethods);
}

TEST(sphere_cylinder, a_ball_on_the_lid) {
  // Its centre is 0.75 above the lid, its radius 1.
  expect_both_ways(ball<3>({0.25, 0, 2.75}, 1), kCan, {{0, 0, -1}, 0.25, {{0.25, 0, 1.75}}, {}});
}
TEST(sphere_cylinder, a_ball_beside_the_side) {
  expect_both_ways(ball<3>({1.5, 0, 0.5}, 0.75), kCan, {{-1, 0, 0}, 0.25, {{0.75, 0, 0.5}}, {}});
}
TEST(sphere_cylinder, a_ball_beyond_the_rim) {
  // From the centre (4, 0, 6) to the rim's (1, 0, 2): (-3, 0, -4), 5 long; radius 5.5.
  expect_both_ways(ball<3>({4, 0, 6}, 5.5), kCan, {{-0.6, 0, -0.8}, 0.5, {{0.7, 0, 1.6}}, {}});
  expect_apart(ball<3>({4, 0, 6}, 4.9375), kCan, 0, kMethods);
}
TEST(sphere_cylinder, a_ball_sunk_through_the_lid_leaves_through_it) {
  // Its centre is 0.5 below the lid and 0.75 from the side; radius 0.25.
  expect_both_ways(ball<3>({0.25, 0, 1.5}, 0.25), kCan, {{0, 0, -1}, 0.75, {{0.25, 0, 1.25}}, {}});
}
TEST(sphere_cylinder, a_ball_in_the_middle_leaves_by_any_side) {
  expect_tie(ball<3>({0, 0, 0}, 0.5), kCan, 1.5, 1, kMethods);
}

TEST(capsule_cylinder, a_rod_that_ends_in_a_lids_plane_is_nearest_to_the_rim) {
  // The search names both ends of the rod and of the side, but only these ends meet.
  const Solid<3> rod = capsule<3>({0, 0.25, -0.75}, {0, 0.25, -0.25}, 0.25);
  const double half = std::sqrt(0.5);
  expect_exact(rod, cylinder({0.75, -0.75, -0.25}, {half, 0, -half, 0}, 0.75, 0.25), {0, -1, 0},
               -0.5, {0, 0, -0.25});
  const double sixteenth = std::acos(-1.0) / 8;
  const double c = half * std::cos(sixteenth), s = half * std::sin(sixteenth);
  expect_exact(capsule<3>({-0.75, -0.25, -0.25}, {-0.75, -0.25, 0.75}, 0.25),
               cylinder({0.25, 1, 0.75}, {c, s, -c, -s}, 1, 0.25), {0, 1, 0}, -0.75,
               {-0.75, 0, 0.75});
}
TEST(capsule_cylinder, a_rod_on_the_lid) {
  expect_both_ways(capsule<3>({-0.5, 0, 2.25}, {0.5, 0, 2.25}, 0.5), kCan,
                   {{0, 0, -1}, 0.25, {{-0.5, 0, 1.75}, {0.5, 0, 1.75}}, {}});
}
TEST(capsule_cylinder, a_rod_across_the_lid_ends_where_the_lid_does) {
  expect_both_ways(capsule<3>({-3, 0, 2.25}, {3, 0, 2.25}, 0.5), kCan,
                   {{0, 0, -1}, 0.25, {{-1, 0, 1.75}, {1, 0, 1.75}}, {}});
}
TEST(capsule_cylinder, a_rod_standing_on_the_lid) {
  expect_both_ways(capsule<3>({0.25, 0, 2.5}, {0.25, 0, 5}, 0.75), kCan,
                   {{0, 0, -1}, 0.25, {{0.25, 0, 1.75}}, {}});
}
TEST(capsule_cylinder, a_rod_along_the_side) {
  expect_both_ways(capsule<3>({1.25, 0, -1}, {1.25, 0, 1}, 0.5), kCan,
                   {{-1, 0, 0}, 0.25, {{0.75, 0, -1}, {0.75, 0, 1}}, {}});
}
TEST(capsule_cylinder, a_rod_across_the_side) {
  expect_both_ways(capsule<3>({1.25, -3, 0.5}, {1.25, 3, 0.5}, 0.5), kCan,
                   {{-1, 0, 0}, 0.25, {{0.75, 0, 0.5}}, {}});
}

TEST(table_cylinder, a_can_on_a_table) {
  for (const Solid<3>& table : tables()) {
    SCOPED_TRACE(describe(table));
    expect_flat(table, cylinder({1, 2, 1.75}, kUpright, 2, 1), {0, 0, 1}, 0.25);
    expect_flat(table, cylinder({1, 2, 2}, kUpright, 2, 1), {0, 0, 1}, 0);
  }
}
TEST(table_cylinder, a_can_over_a_table_is_in_contact_within_the_margin) {
  for (const Solid<3>& table : tables()) {
    const Solid<3> can = cylinder({1, 2, 2.25}, kUpright, 2, 1);
    expect_apart(table, can, 0.125, kMethods);
    expect_flat(table, can, {0, 0, 1}, -0.25, 0.25);
  }
}
TEST(table_cylinder, a_can_half_over_the_edge_of_a_table) {
  for (const Solid<3>& table : tables()) {
    expect_flat(table, cylinder({5, 0, 1.75}, kUpright, 2, 1), {0, 0, 1}, 0.25);
  }
}
TEST(table_cylinder, a_can_lying_on_a_table_rests_on_a_line) {
  for (const Solid<3>& table : tables()) {
    expect_both_ways(table, cylinder({0, 1, 0.75}, kAlongX, 2, 1),
                     {{0, 0, 1}, 0.25, {{-2, 1, 0}, {2, 1, 0}}, {}});
  }
}
TEST(table_cylinder, a_can_lying_over_the_edge_rests_on_what_is_over_the_table) {
  for (const Solid<3>& table : tables()) {
    expect_both_ways(table, cylinder({4, 1, 0.75}, kAlongX, 2, 1),
                     {{0, 0, 1}, 0.25, {{2, 1, 0}, {5, 1, 0}}, {}});
  }
}
TEST(table_cylinder, a_can_leaning_on_its_rim_touches_with_one_point) {
  // Its axis is (0.6, 0, 0.8): its lowest point is 2 * 0.8 + 1 * 0.6 = 2.2 below its middle and
  // 2 * 0.6 - 1 * 0.8 = 0.4 behind it. A thirty-second of a turn along the rim it is 0.0115 higher.
  for (const Solid<3>& table : tables()) {
    expect_both_ways(table, cylinder({0, 0, 2.1953125}, kFifthsAboutY, 2, 1),
                     {{0, 0, 1}, 0.0046875, {{-0.4, 0, 0}}, {}});
  }
}
TEST(table_cylinder, a_can_beside_a_table_meets_its_side_along_a_line) {
  // The table's side at x = 5 reaches from z = -1 to 0, the can's beyond both.
  for (const Solid<3>& table : tables()) {
    expect_both_ways(table, cylinder({5.75, 1, -0.5}, kUpright, 2, 1),
                     {{1, 0, 0}, 0.25, {{5, 1, -1}, {5, 1, 0}}, {}});
  }
}
TEST(table_cylinder, a_can_beside_an_upright_edge_meets_it_along_a_line) {
  // The edge at (1, 1) of a post; the axis is 0.75 away along (0.6, 0.8). About the edge ways that
  // lean by the root of rounding are as short to rounding.
  expect_both_ways(aabb<3>({-1, -1, -5}, {1, 1, 5}), cylinder({1.45, 1.6, 0}, kUpright, 2, 1),
                   {{0.6, 0.8, 0}, 0.25, {{1, 1, -2}, {1, 1, 2}}, {}}, 0, 2e-3);
}
TEST(table_cylinder, a_small_block_on_the_lid_stands_on_its_own_corners) {
  const std::vector<Point<3>> corners{
      {-0.25, -0.25, 1.75}, {0.25, -0.25, 1.75}, {-0.25, 0.25, 1.75}, {0.25, 0.25, 1.75}};
  const Answer<3> answer{{0, 0, -1}, 0.25, corners, {}};
  expect_both_ways(aabb<3>({-0.25, -0.25, 1.75}, {0.25, 0.25, 3}), kCan, answer);
  expect_both_ways(box({0, 0, 2}, kUpright, {0.25, 0.25, 0.25}), kCan, answer);
}
TEST(table_cylinder, a_spike_on_the_lid_touches_with_its_tip) {
  const Solid<3> spike =
      hull({0.25, 0.25, 1.75}, kUpright, {{0, 0, 0}, {3, 0, 4}, {-3, 3, 4}, {-3, -3, 4}});
  expect_both_ways(spike, kCan, {{0, 0, -1}, 0.25, {{0.25, 0.25, 1.75}}, {}});
}

TEST(box_cylinder, a_corner_over_a_lids_rim) {
  // The normal is the lid's, along which the rim has no direction: its point is the one under the
  // corner. Boxes without an extent.
  const Solid<3> plate = box({0.25, -0.25, 0.75}, {0.5, 0.5, -0.5, 0.5}, {0.5, 0.75, 0}, 0.25);
  expect_exact(plate, cylinder({-0.75, 1, 0.25}, {0.5, -0.5, 0.5, 0.5}, 0.75, 0.25), {0, 1, 0},
               -0.25, {-0.5, 0, 0.25});
  const double half = std::sqrt(0.5);
  expect_exact(box({0, 0.25, -0.5}, {half, half, 0, 0}, {0, 0.75, 0.5}, 0.25),
               cylinder({-1, -0.5, 0}, {-half, 0, 0, half}, 0.5, 0.25, 0.25), {0, -1, 0}, 0.25,
               {-0.75, 0, 0});
}
TEST(aabb_cylinder, an_edge_that_ends_in_a_lids_plane_is_nearest_to_the_rim) {
  const double half = std::sqrt(0.5);
  expect_exact(aabb<3>({1, 0.5, -0.75}, {1, 0.5, -0.25}),
               cylinder({0.75, -0.5, -0.25}, {0, half, 0, half}, 0.25, 0.75), {0, -1, 0}, -0.25,
               {1, 0.5, -0.25});
}

TEST(cylinder_cylinder, a_can_on_a_can) {
  expect_flat(kCan, cylinder({0, 0, 3.75}, kUpright, 2, 1), {0, 0, 1}, 0.25);
  expect_flat(kCan, cylinder({0, 0, 4}, kUpright, 2, 1), {0, 0, 1}, 0);
}
TEST(cylinder_cylinder, a_can_half_over_the_rim_of_another) {
  expect_flat(kCan, cylinder({1, 0, 3.75}, kUpright, 2, 1), {0, 0, 1}, 0.25);
  expect_flat(kCan, cylinder({0.6, 0.8, 3.75}, kUpright, 2, 1), {0, 0, 1}, 0.25);
}
TEST(cylinder_cylinder, a_small_can_on_a_wide_one) {
  expect_flat(kCan, cylinder({0.25, 0.25, 2.25}, kUpright, 0.5, 0.5), {0, 0, 1}, 0.25);
}
TEST(cylinder_cylinder, two_cans_side_by_side_share_a_line) {
  // The other one stands 1 higher: the line reaches from its bottom at -1 to the lid at 2.
  expect_both_ways(kCan, cylinder({1.75, 0, 1}, kUpright, 2, 1),
                   {{1, 0, 0}, 0.25, {{1, 0, -1}, {1, 0, 2}}, {}});
}
TEST(cylinder_cylinder, two_lying_across_one_another_touch_with_one_point) {
  expect_both_ways(cylinder({0, 0, 0}, kAlongX, 2, 1), cylinder({0.5, 0.25, 1.75}, kAlongY, 2, 1),
                   {{0, 0, 1}, 0.25, {{0.5, 0, 1}}, {}});
}
TEST(cylinder_cylinder, one_lying_on_the_lid_of_another_rests_on_a_line) {
  expect_both_ways(kCan, cylinder({0, 0, 2.75}, kAlongX, 2, 1),
                   {{0, 0, 1}, 0.25, {{-1, 0, 2}, {1, 0, 2}}, {}});
}
TEST(cylinder_cylinder, two_lying_end_to_end) {
  expect_flat(cylinder({0, 0, 0}, kAlongX, 2, 1), cylinder({3.75, 0.25, 0}, kAlongX, 2, 1),
              {1, 0, 0}, 0.25);
}
TEST(cylinder_cylinder, rims_that_are_nearest_to_one_another) {
  // From the rim's (1, 0, 2) to the other one's (4, 0, 6): (3, 0, 4), 5 long.
  const Solid<3> far = cylinder({5, 0, 8}, kUpright, 2, 1);
  expect_apart(kCan, far, 4.9375, kMethods);
  expect_both_ways(kCan, far, {{0.6, 0, 0.8}, -5, {{1, 0, 2}}, {}}, 5);
}
TEST(cylinder_cylinder, a_side_that_ends_over_the_rim_of_a_lid) {
  const double half = std::sqrt(0.5);
  expect_exact(cylinder({0.75, -0.25, 0.5}, {0, half, half, 0}, 0.5, 0.25),
               cylinder({-0.75, -0.75, 1}, {-half, 0, -half, 0}, 0.5, 0.5), {-1, 0, 0}, -0.75,
               {0.5, -0.75, 0.5});
}

/// The deepest point and its partner are on the cores, to rounding. Within a margin a point that is
/// clipped may be as deep.
template <class T>
void expect_on_cores(const Solid<3>& a, const Solid<3>& b, double margin = 0.5) {
  const SolidPair<3> pair{stored<T>(a), stored<T>(b)};
  const PairScene<3, T> input({{a, b}});
  const Reference<3> reference = reference_of(pair.a, pair.b);
  for (const Isa isa : usable_isas()) {
    for (const Method method : kMethods) {
      CollideOptions options;
      options.isa = isa;
      options.method = method;
      options.margin = margin;
      ContactBuffer<3, T> contacts;
      Workspace<3, T> workspace;
      collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
      ASSERT_EQ(contacts.size(), 1u);
      const Contact<3, T> contact = contact_at(contacts, 0);
      std::size_t deepest = 0;
      while (contact.point_depths[deepest] != contact.depth) ++deepest;
      const Vec<3>& point = contact.points[deepest];
      const Vec<3> on_a = plus(point, contact.normal, -radius_of(pair.a));
      const Vec<3> on_b = plus(point, contact.normal, radius_of(pair.b) - contact.depth);
      const Real tolerance = 4 * kDepthTolerance<T> * reference.size;
      EXPECT_LE(distance_to_core_surface(pair.a, on_a), tolerance) << describe(contact);
      EXPECT_LE(distance_to_core_surface(pair.b, on_b), tolerance) << describe(contact);
      EXPECT_NEAR(contact.depth, reference.depth, tolerance);
    }
  }
}

// Rounding hides where these touch. Beside a sliver GJK's weights put the points 2e-4 (float) and
// 3e-9 (double) off the cylinder.
TEST(cylinder_points, of_a_corner_that_touches_a_rim_are_on_both) {
  expect_on_cores<float>(
      box({0, 0, 0},
          {-0.26073306798934937, -0.4823748767375946, -0.54013311862945557, 0.63842695951461792},
          {0.95685374736785889, 0.71949243545532227, 0.31188082695007324}),
      cylinder(
          {0.91576474905014038, 0.40084922313690186, -0.85294222831726074},
          {0.44775378704071045, 0.49428585171699524, -0.73607933521270752, 0.11570312082767487},
          0.086611479520797729, 0.048166077584028244));
  expect_on_cores<double>(
      cylinder(
          {0.8845360407389502, 0.23275748684331588, -0.45580239327491545},
          {0.43641464092562371, -0.86872941870417597, 0.10421325362371632, -0.20974044920525592},
          0.023836800810724493, 0.015358199099845841),
      hull({0, 0, 0},
           {-0.61079629711513039, -0.61303221205466341, 0.16631165157008032, -0.47271537415853482},
           {{-0.55540412115009397, -0.30339038208660041, 0.77426128552759133},
            {0.63737983259018904, 0.67291277527985349, 0.37541356644701579},
            {-0.52373745124942761, 0.70629266265404489, 0.47628747289826251},
            {0.11949236005103728, -0.68960611318095622, 0.7142583458055547},
            {-0.049737158044270161, -0.006523795044474927, -0.99874103510764833},
            {-0.18552415256157984, -0.051474743832585622, 0.98129054798447812}}));
}

// A rim's point is known from the normal only to the root of rounding, and both cores are round.
TEST(cylinder_points, of_a_rim_that_meets_a_cap_are_on_both) {
  expect_on_cores<double>(cylinder({1.5051520927172528, 1.6378638812260125, -1.585333431123618},
                                   {0.75159897381202923, -0.16644809780616893, 0.62254215181897155,
                                    -0.14083778793355592},
                                   0.12673598465847025, 0.23267037654661823),
                          cylinder({0.59126558490780423, 0.52446092398572475, -0.88938931160195678},
                                   {0.67530556824181798, 0.72299003989158428, 0.14347806530358487,
                                    0.025726183080686575},
                                   0.77256816425881059, 1.1774982760836565, 0.071451065593361868));
}

// Here the deepest point is not on the face, edge or end that the least depth names: what is beside
// it is as near, to rounding. Points were off by 2e-4 to 3e-3 (float) and 1e-9 to 1e-8 (double).
TEST(cylinder_points, of_a_disc_that_touches_a_corner_are_on_both) {
  expect_on_cores<double>(aabb<3>({-0.4377567632328192, -0.1815349859076319, -0.33564748783731896},
                                  {0.4377567632328192, 0.1815349859076319, 0.33564748783731896}),
                          cylinder({0.5445254045083211, -0.14006036992074189, 0.41058967968895832},
                                   {0.13000183438098861, 0.30138427534711754, -0.92625017457747671,
                                    -0.18527724017338115},
                                   0, 0.13687957718595095));
}
TEST(cylinder_points, of_a_disc_over_the_border_of_a_plate_are_on_both) {
  expect_on_cores<float>(aabb<3>({-0.66434019804000854, 0, -0.23844970762729645},
                                 {0.66434019804000854, 0, 0.23844970762729645}),
                         cylinder({-0.64714902639389038, -0.60746151208877563, 0.16878248751163483},
                                  {-0.80388724803924561, 0.12359583377838135, 0.53379964828491211,
                                   0.23140296339988708},
                                  0, 0.3708345890045166));
}
TEST(cylinder_points, of_a_disc_beside_a_cylinder_are_on_both) {
  const Solid<3> can = cylinder(
      {0.0069180838763713837, -1.2149629592895508, 2.2306911945343018},
      {-0.49495053291320801, -0.51052582263946533, 0.49914494156837463, -0.49523177742958069},
      0.667572021484375, 0.30624139308929443, 0.37195375561714172);
  const Solid<3> disc = cylinder(
      {0.096342913806438446, -0.53056067228317261, 1.2679377794265747},
      {0.29115128517150879, -0.25013408064842224, -0.78618901968002319, -0.48432502150535583}, 0,
      0.52883452177047729);
  expect_on_cores<float>(can, disc, 0);
  expect_on_cores<float>(disc, can, 0);
}
TEST(cylinder_points, of_a_rod_across_a_lid_are_on_both_where_it_leaves_the_lid) {
  expect_on_cores<double>(capsule<3>({0.52793112492550764, 2.0408901819390297, 1.6584102480007179},
                                     {0.67504575050201798, 1.3555619524536016, 0.43660256336566472},
                                     0.62766738085563989),
                          cylinder({1.7499945700134547, 2.0279746520834316, 0.74473077207419391},
                                   {-0.73312843560602303, 0.18110453348615735, -0.49981957158955664,
                                    0.42415120029614295},
                                   0.57841178680981431, 0.3499766690672107),
                          0);
}
TEST(cylinder_points, of_a_tiny_rod_beyond_a_rim_are_on_both) {
  expect_on_cores<float>(
      capsule<3>({-0.00020982815476600081, -0.00025684878346510231, -5.2628605772042647e-05},
                 {0.00020982815476600081, 0.00025684878346510231, 5.2628605772042647e-05},
                 0.32374945282936096),
      cylinder(
          {0.47867381572723389, -0.81337374448776245, 0.34895557165145874},
          {0.40395960211753845, -0.81870371103286743, -0.26316714286804199, 0.31190371513366699},
          0.00019771832739934325, 0.69717562198638916, 0.34167811274528503));
}
TEST(cylinder_points, of_cylinders_that_end_beside_one_another_are_on_both) {
  const Solid<3> slim = cylinder(
      {-0.27676452240559835, 0.55401661930892465, 1.0007768521847944},
      {1.49616281622348e-08, -3.6026612964909282e-09, -0.84297043898299295, 0.53795988605175737},
      0.35215967339190291, 0.14033052988958145);
  const Solid<3> wide = cylinder({0, 0, 0}, {1, 0, 0, 6.123233995736766e-17}, 0.64861717447372413,
                                 0.42966134480166385);
  expect_on_cores<double>(slim, wide);
  expect_on_cores<double>(wide, slim);
}

// GJK had ended 4e-5 short of the distance, along a direction 0.4 rad from that to the rim.
TEST(cylinder_points, of_a_corner_a_hair_from_a_rim_are_on_both) {
  expect_on_cores<float>(
      hull({0, 0, 0},
           {0.98459732532501221, -0.15980909764766693, 0.066993661224842072, -0.024804074317216873},
           {{0.80061763525009155, -0.11535299569368362, -0.18197682499885559},
            {0.60925257205963135, 0.30744659900665283, -0.23882530629634857},
            {-0.73958086967468262, -0.23276755213737488, -0.62004423141479492},
            {0.071040377020835876, 0.32976210117340088, -0.67032808065414429},
            {0.12566569447517395, -0.96118366718292236, -0.14895874261856079},
            {-0.76779657602310181, 0.44618195295333862, -0.22330929338932037},
            {0.75847512483596802, 0.54760849475860596, -0.66735172271728516},
            {-0.5195317268371582, -0.98141938447952271, -0.47428125143051147},
            {0.067844666540622711, -0.65422660112380981, -0.898945152759552},
            {-0.80204707384109497, -0.49094963073730469, -0.21718886494636536},
            {0.070849619805812836, 0.74426728487014771, -0.20155473053455353},
            {-0.53673392534255981, -0.42428058385848999, 0.90395599603652954}}),
      cylinder({1.7437055110931396, -0.4169650673866272, -0.37948811054229736},
               {0.5724109411239624, -0.5724109411239624, -0.5724109411239624, 0.13052618503570557},
               0.71655756235122681, 0.98136967420578003),
      1e-3);
}

// Across an edge that the axis is nearly perpendicular to, a rim is a thin ellipse. Beside its tip
// the nearest foot was sought in too few steps, and the next best exit was taken: half as deep
// again.
TEST(cylinder_exits, between_the_tip_of_a_rim_and_an_edge_are_found) {
  expect_on_cores<double>(
      box({1.6187010836105333, 1.0582419450771168, -1.1318005152386563},
          {-0.010508201056549465, -0.53820878586581733, -0.80503281853549669, -0.24928506094066674},
          {0.41358007993883938, 0.41358007993883938, 0.15054967913011197}),
      cylinder(
          {0.65808515243557242, 0.19740204643156856, -0.87526067932267704},
          {-0.70906590909790324, 0.68269555575701502, -0.073703701347561656, 0.16037480822265709},
          0.28567588914714359, 0.82771087350466477));
  expect_on_cores<double>(
      hull({-1.079203386836479, 1.8071409195507226, -1.259644554009256}, {-0.5, -0.5, -0.5, 0.5},
           {{0.81325961181335105, -0.091681906071422306, 0.57463312808461409},
            {0.44759751535827752, -0.89257174082545221, 0.054517444225847436},
            {-0.098235654226140987, 0.54335824253535092, -0.83373351648332861},
            {0.83816082886937326, 0.50441151515233051, 0.20749806825784065},
            {-0.80266053057920106, -0.20622233137994139, 0.55965026819482289},
            {-0.6507899082517804, -0.51819676716782603, -0.5549275680793424}}),
      cylinder(
          {-0.034694581418180936, 2.9337121106007822, 0.29789957259579691},
          {-0.02978690177657722, 0.73893631950840211, 0.55850738949977685, 0.37581489766822146},
          0.99366575774583288, 0.81642413565010052));
}

// A cap is nearly level with the box's upper face, through which it could leave by 0.45952. Turned
// about the edge beside that face by 0.08, its rim leaves by 0.45911. The middle of the cap is 0.05
// below the face's own overlap, so it proves nothing about that edge.
TEST(cylinder_exits, over_the_edge_beside_a_face_under_a_cap_are_found) {
  const Solid<3> a = box({0, 0, 0}, kUpright, {0.458438, 0.4293028, 0.395274});
  const Solid<3> b = cylinder({-0.2671668, -0.0128573, 0.1978661},
                              unit(-0.0989193, 0.0065363, 0, 1.995074), 0.2178162, 0.457683);
  EXPECT_NEAR(static_cast<double>(reference_of(a, b).depth), 0.45911, 1e-5);
  expect_on_cores<float>(a, b);
  expect_on_cores<double>(a, b);
}

TEST(cylinder_halfspace, a_can_on_the_floor) {
  expect_flat(cylinder({1, 2, 1.75}, kUpright, 2, 1), kFloor, {0, 0, -1}, 0.25);
}
TEST(cylinder_halfspace, a_can_lying_on_the_floor_rests_on_a_line) {
  expect_both_ways(cylinder({1, 2, 0.75}, kAlongX, 2, 1), kFloor,
                   {{0, 0, -1}, 0.25, {{-1, 2, -0.25}, {3, 2, -0.25}}, {}});
}
TEST(cylinder_halfspace, a_can_leaning_on_its_rim_touches_with_one_point) {
  // As on the table.
  expect_both_ways(cylinder({0, 0, 2.1953125}, kFifthsAboutY, 2, 1), kFloor,
                   {{0, 0, -1}, 0.0046875, {{-0.4, 0, -0.0046875}}, {}});
}

}  // namespace
}  // namespace widephase::test
