// Two cylinders with equal depths along an arc, or that touch by less than rounding. A search
// seldom leaves a case open (status 2), and each case where it once did is answered.

#include <gtest/gtest.h>

#include "reference/vec3d.hpp"
#include "support/generate.hpp"
#include "support/methods.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

const Quaternion kUpright{0, 0, 0, 1};
const Quaternion kAlongX = about({0, 1, 0}, 2 * kEighthTurn);
const Quaternion kAlongY = about({1, 0, 0}, 2 * kEighthTurn);

/// Each pair has a correct contact within the margin, on every instruction set and by every method;
/// `check(contact)` checks more.
template <class T, class Check>
void expect_right(const std::vector<SolidPair<3>>& pairs, double margin, const Check& check) {
  const PairScene<3, T> input(pairs);
  for (const Isa isa : usable_isas()) {
    for (const Method method : kMethods) {
      CollideOptions options;
      options.isa = isa;
      options.method = method;
      options.margin = margin;
      options.order = Order::source;
      ContactBuffer<3, T> contacts;
      Workspace<3, T> workspace;
      collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
      ASSERT_EQ(contacts.size(), pairs.size());
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        const SolidPair<3> pair{stored<T>(pairs[i].a), stored<T>(pairs[i].b)};
        const Contact<3, T> contact = contact_at(contacts, i);
        check(contact);
        EXPECT_EQ(
            (contact_problem<3, T>(pair.a, pair.b, reference_of(pair.a, pair.b), margin, contact)),
            "")
            << describe(contact);
      }
    }
  }
}

/// Each pair has this depth, and no answer is left open.
template <class T>
void expect_each(const std::vector<SolidPair<3>>& pairs, double depth) {
  expect_right<T>(pairs, 0, [&](const Contact<3, T>& contact) {
    EXPECT_NEAR(contact.depth, depth, sizeof(T) == 4 ? 1e-6 : 1e-14) << describe(contact);
    EXPECT_NE(contact.status, 2) << describe(contact);
  });
}
void expect_both(const std::vector<SolidPair<3>>& pairs, double depth) {
  expect_each<float>(pairs, depth);
  expect_each<double>(pairs, depth);
}

/// All pairs have a contact within the margin with a single direction.
template <class T>
void expect_known(const std::vector<SolidPair<3>>& pairs, double margin) {
  expect_right<T>(pairs, margin, [](const Contact<3, T>& contact) {
    EXPECT_EQ(contact.status, 0) << describe(contact);
  });
}

/// What is left of status 2 with 200,000 pairs a family, as shares of their contacts, and in
/// brackets what it was of 20,000 where EPA alone had a say:
///
///   family            float              double
///   special           0      (0.84%)     0       (1.4%)
///   quarter grid      0.07%  (0.17%)     0.15%   (0.76%)
///   near it           0.04%  (0.08%)     0.07%   (0.22%)
///   turned            0.06%  (0.28%)     0.14%   (1.1%)
///   far away          0.05%  (0.16%)     0.14%   (0.92%)
///   crossing          0.001% (0.01%)     0.005%  (0.005%)
///   stacked           0.001% (0)         0.001%  (0.04%)
///   random, sized, one centre, corner to corner: 0
///
/// Those are corners of the one at the middle of the other's cap, needles, and ways between rims
/// that are as short along an arc. The depth of none was off by more than 1e-6 of the size.
template <class T>
void expect_few_open(const char* family, const std::vector<SolidPair<3>>& pairs, double margin) {
  const PairScene<3, T> input(pairs);
  CollideOptions options;
  options.margin = margin;
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
  const auto open = static_cast<std::size_t>(std::ranges::count(contacts.status, 2));
  EXPECT_GT(contacts.size(), pairs.size() / 6) << family;
  EXPECT_LE(open, 2 + contacts.size() / 400)
      << family << " in " << sizeof(T) << " bytes, of " << contacts.size();
}

TEST(two_cylinders, a_corner_on_the_axis_leaves_a_quarter_turn_of_ways) {
  // Along (cos t, sin t, 0) A reaches 0.75, and B, whose middle is at (1, 1, -0.5), from
  // (cos t + sin t) - (|cos t| + |sin t|) on: that is 0 for a quarter turn. Up and down A has 1, B
  // 1.5 at least.
  const Solid<3> a = cylinder({0, 0, 0}, kUpright, 1, 0.75);
  const Solid<3> b = cylinder({1, 1, -0.5}, kAlongY, 1, 1);
  expect_both({{a, b}, {b, a}}, 0.75);
}

/// If a corner of the other shape is on the axis of an upright cylinder of radius 3/4, all
/// directions of an arc have the same depth, and the status says so.
template <class T>
void expect_ties_about_the_axis(const Solid<3>& other) {
  const PairScene<3, T> input({{cylinder({0, 0, 0}, kUpright, 1, 0.75), other}});
  for (const Method method : kMethods) {
    CollideOptions options;
    options.method = method;
    ContactBuffer<3, T> contacts;
    Workspace<3, T> workspace;
    collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
    ASSERT_EQ(contacts.size(), 1u) << describe(other);
    EXPECT_NEAR(static_cast<double>(contacts.depth[0]), 0.75, 1e-6) << describe(other);
    EXPECT_EQ(contacts.status[0], 1) << name_of_method(method) << " " << describe(other);
  }
}

TEST(two_cylinders, a_corner_on_the_axis_is_a_tie_on_every_side) {
  // A cylinder along y of radius and half height r about (-r, -r, z) has corners at x = 0, y = 0:
  // all directions between -x and -y take 0.75. The other sides are the same. A capsule's end
  // gives half a turn of directions.
  for (const double r : {1.0, 0.5, 0.25}) {
    for (const double x : {-r, r}) {
      for (const double y : {-r, r}) {
        for (const double z : {0.0, -0.5, 0.25}) {
          expect_ties_about_the_axis<float>(cylinder({x, y, z}, kAlongY, r, r));
          expect_ties_about_the_axis<double>(cylinder({x, y, z}, kAlongY, r, r));
        }
      }
    }
  }
  expect_ties_about_the_axis<float>(capsule<3>({0, 0, 0}, {1, 0, 0}, 0));
  expect_ties_about_the_axis<double>(capsule<3>({0, 0, 0}, {1, 0, 0}, 0));
}

TEST(two_cylinders, axes_that_cross_at_right_angles_leave_either_way) {
  // A of radius 0.5 and half height 2 about z, B of 0.25 and 2 about x: along y the radii are 0.75,
  // along the axes 2.25.
  const Solid<3> a = cylinder({0, 0, 0}, kUpright, 2, 0.5);
  expect_both({{a, cylinder({0, 0, 0}, kAlongX, 2, 0.25)}}, 0.75);
  // A needle adds nothing; a corner of the flat one, seen along it, is at the other's centre.
  expect_both({{a, cylinder({0, 0, 0}, kAlongX, 2, 0)}}, 0.5);
  expect_both({{a, cylinder({0.5, 0, 0}, kUpright, 0, 0.5)}}, 0.5);
}

TEST(two_cylinders, one_that_is_a_point_leaves_as_a_point) {
  const Solid<3> point = cylinder({0, 0, 0}, kUpright, 0, 0);
  for (const Quaternion& turn : {kUpright, kAlongX, about({0, 1, 0}, kEighthTurn)}) {
    const Solid<3> a = cylinder({0, 0, 0}, turn, 1, 1), b = cylinder({0, 0, 0}, turn, 3, 0.25);
    expect_both({{a, point}, {point, a}}, 1);
    expect_both({{b, point}, {point, b}}, 0.25);
  }
}

TEST(two_cylinders, along_one_another_but_for_a_tilt_that_no_search_can_tell) {
  // Two equal cylinders in one place, tilted by 7e-15.
  const double radius = 0.2638155588074354, half = 0.63511893482376225;
  const Solid<3> a =
      cylinder({0, 0, 0},
               {0.41112487896582106, 0.3701545138052586, 0.56719525594502018, 0.61012417706430444},
               half, radius);
  const Solid<3> b =
      cylinder({0, 0, 0},
               {0.41112487896581751, 0.37015451380526226, 0.5671952559450183, 0.61012417706430633},
               half, radius);
  expect_both({{a, b}, {b, a}}, 2 * radius);
}

TEST(two_cylinders, along_one_another_but_for_a_small_tilt) {
  // Tilted by 1e-14 to 0.1 rad, in one place or near it: all directions perpendicular to both have
  // nearly the same depth. The least is perpendicular to one axis, where the other has its side or
  // its rim.
  Random random(57);
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < scaled(600, 200); ++i) {
    const auto length = [&] { return random.uniform(0.1, 1); };
    const Solid<3> a = cylinder({0, 0, 0}, kUpright, length(), length());
    Solid<3> b = i % 2 == 0 ? a : cylinder({0, 0, 0}, kUpright, length(), length());
    b = turned_by(about(random.direction<3>(), std::pow(10, random.uniform(-14, -1))), b);
    if (i % 4 >= 2) {
      const double away = random.chance(0.5) ? 1e-9 : random.uniform(0, 0.5);
      const Point<3> way = random.direction<3>();
      b = moved<3>(b, {away * way[0], away * way[1], away * way[2]});
    }
    pairs.push_back(turned_by(random.direction<4>(), {a, b}));
  }
  check_pairs_everywhere<3, float>(pairs, {0});
  check_pairs_everywhere<3, double>(pairs, {0});
  expect_few_open<float>("tilted", pairs, 0);
  expect_few_open<double>("tilted", pairs, 0);
}

TEST(two_cylinders, beside_one_another_by_less_than_a_search_can_tell) {
  // Equal orientations, 2e-6 and 3e-6 apart. Also a rim above another's rim, 0.25 apart.
  const Quaternion turn{-0.9909029531544844, 0.056469948719368578, 0.043606979160972663,
                        -0.1141092182507964};
  const Quaternion other{0.63707919870369889, 0.51197491261190553, -0.4724298289159804,
                         -0.32988155478216957};
  const std::vector<SolidPair<3>> pairs{
      {cylinder({0, 0, 0}, turn, 0.25, 0.74107833414782776),
       cylinder({-1.4670692067860829, 0.18062238958270346, 0.10898771262520175}, turn, 0.25,
                0.74107833414782776)},
      {cylinder({0, 0, 0}, other, 0.25, 0.78899411378008921),
       cylinder({0.093706648701441256, -0.99397494233054717, 0.31618848028888569}, other,
                0.35917290449438699, 0.25)},
      {cylinder({-0.0078778384292580717, 0.55896148316470118, 0.75},
                {0.22288938533841357, 0.97484374230102344, 0, 0}, 0.5, 0.25),
       cylinder(
           {-0.11651899969049509, 0.33380132221296904, -0.25},
           {0.68931862077832484, -0.15760659582729369, 0.68931862077832484, 0.15760659582729369}, 0,
           0.25)}};
  expect_known<double>(pairs, 0.5);
}

TEST(two_cylinders, one_that_is_next_to_nothing_wide_apart_from_another) {
  // Rounding stopped the search near, but not at, the direction from rim to rim. Also a side line
  // that is far longer than the cap below it is wide.
  const Solid<3> needle = cylinder(
      {1.2973483800888062, -1.0420584678649902, 2.1558823585510254},
      {0.29313507676124573, 0.073043718934059143, -0.835765540599823, -0.45851102471351624},
      0.79159951210021973, 5.7260243920609355e-05);
  const Solid<3> disc = cylinder(
      {1.8486636877059937, -1.4020603895187378, 1.7680964469909668},
      {0.022471880540251732, -0.092333801090717316, 0.32583248615264893, -0.94063949584960938},
      0.25573259592056274, 0.19401164352893829);
  const Solid<3> line = cylinder(
      {1.7195059061050415, 0.0023947092704474926, -1.1791131496429443},
      {0.27805820107460022, 0.90635663270950317, 0.31699103116989136, 0.026794752106070518},
      0.83238798379898071, 3.5519056837074459e-05);
  const Solid<3> drum = cylinder(
      {3.2370891571044922, -0.6009819507598877, 8.1137189865112305},
      {0.023042045533657074, -0.79746580123901367, 0.44281470775604248, 0.40918511152267456},
      3.3689744472503662, 1.8400669097900391);
  const std::vector<SolidPair<3>> pairs{{disc, needle}, {needle, disc}, {line, drum}, {drum, line}};
  expect_known<float>(pairs, 6.5);
  expect_known<double>(pairs, 6.5);
}

/// Another shape about the origin, and where it is foremost along a unit vector.
struct Lower {
  Solid<3> solid;
  Vec3d reach;
};
Lower lower_solid(Random& random, Kind kind, Vec3d n) {
  const double half = random.uniform(0.5, 1.5), radius = random.uniform(0.5, 1.5);
  const double top = std::copysign(half, n.z), across = std::hypot(n.x, n.y);
  if (kind == Kind::capsule) return {capsule<3>({0, 0, -half}, {0, 0, half}, 0), {0, 0, top}};
  if (kind == Kind::cylinder) {
    return {cylinder({0, 0, 0}, kUpright, half, radius),
            {radius * n.x / across, radius * n.y / across, top}};
  }
  if (kind == Kind::cone) {
    const Vec3d rim{radius * n.x / across, radius * n.y / across, -half}, apex{0, 0, half};
    return {cone({0, 0, 0}, kUpright, half, radius), dot(apex, n) > dot(rim, n) ? apex : rim};
  }
  const Vec3d corner{std::copysign(1, n.x), std::copysign(radius, n.y), top};
  if (kind == Kind::box) return {box({0, 0, 0}, kUpright, {1, radius, half}), corner};
  if (kind == Kind::hull) {
    std::vector<Point<3>> corners;
    for (int c = 0; c < 8; ++c) {
      corners.push_back(
          {c % 2 == 0 ? -1.0 : 1.0, c / 2 % 2 == 0 ? -radius : radius, c / 4 == 0 ? -half : half});
    }
    return {hull({0, 0, 0}, kUpright, corners), corner};
  }
  return {aabb<3>({-1, -radius, -half}, {1, radius, half}), corner};
}

/// A drum, or above a cone a cone, whose middle is above the other shape's, but for a little, and
/// which that one's foremost corner enters by 2e-5 to 4e-4.
SolidPair<3> drum_above(Random& random, Kind kind) {
  const Point<3> way = random.direction<3>();
  const Vec3d n{way[0], way[1], way[2]};
  const Lower lower = lower_solid(random, kind, n);
  const double half = 0.5, along = dot(lower.reach, n);
  const double height = (along + half) - std::pow(10, random.uniform(-4.7, -3.4));
  const double off =
      (random.chance(0.5) ? height : -height) * std::pow(10, random.uniform(-4.5, -2.5));
  const Vec3d side = lower.reach - along * n;
  const Vec3d middle = height * n + (off / (length(side) + 1e-9)) * side;
  const double twice = std::sqrt(2 * (1 + n.z));
  const Quaternion turn{-n.y / twice, n.x / twice, 0, twice / 2};
  const Point<3> center{middle.x, middle.y, middle.z};
  const Solid<3> drum =
      kind == Kind::cone ? cone(center, turn, half, 1) : cylinder(center, turn, half, 1);
  const SolidPair<3> pair{lower.solid, drum};
  return kind == Kind::aabb ? pair : turned_by(random.direction<4>(), pair);
}

template <class T>
void expect_drums_are_met(Kind kind, std::uint64_t seed) {
  Random random(seed);
  std::vector<SolidPair<3>> pairs(scaled(4000, 2000));
  for (auto& pair : pairs) pair = drum_above(random, kind);
  const PairScene<3, T> input(pairs);
  for (const Isa isa : usable_isas()) {
    CollideOptions options;
    options.isa = isa;
    options.order = Order::source;
    ContactBuffer<3, T> contacts;
    DistanceBuffer<3, T> apart;
    Workspace<3, T> workspace;
    collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
    distances<3, T>(input.scene, input.pairs, apart, workspace, options);
    std::vector<bool> is_met(pairs.size());
    for (const auto source : contacts.source) is_met[static_cast<std::size_t>(source)] = true;
    std::size_t overlapping = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (!(apart.distance[i] < T(-1e-5))) continue;
      ++overlapping;
      EXPECT_TRUE(is_met[i]) << describe(pairs[i].a) << " " << describe(pairs[i].b) << " by "
                             << apart.distance[i];
    }
    EXPECT_GT(overlapping, pairs.size() / 4);
  }
}

TEST(two_cylinders, a_drum_right_above_another_shape) {
  // The line between the middles is nearly along the drum's axis, where the root of a difference of
  // squares says too little about how far its cap reaches along the line.
  std::uint64_t seed = 61;
  for (const Kind kind :
       {Kind::capsule, Kind::aabb, Kind::box, Kind::cylinder, Kind::cone, Kind::hull}) {
    expect_drums_are_met<float>(kind, seed++);
    expect_drums_are_met<double>(kind, seed++);
  }
}

TEST(two_cylinders, few_are_left_open) {
  const Kind kind = Kind::cylinder;
  const std::size_t count = scaled(4000, 200);
  const auto check = [](const char* family, const std::vector<SolidPair<3>>& pairs, double margin) {
    expect_few_open<float>(family, pairs, margin);
    expect_few_open<double>(family, pairs, margin);
  };
  check("special", special_pairs<3>(kind, kind), 0.75);
  check("grid", grid_pairs<3>(kind, kind, count, 31), 0.25);
  check("near the grid", near_grid_pairs<3>(kind, kind, count, 32), 0.25);
  check("grid turned", turned_grid_pairs<3>(kind, kind, count, 35), 0.25);
  check("grid far away", far_pairs<3>(grid_pairs<3>(kind, kind, count, 33), 34), 0.25);
  check("random", random_pairs<3>(kind, kind, count, 1), 0.25);
  check("sized", sized_pairs<3>(kind, kind, count, 2), 0.25);
  check("crossing", crossing_edges(kind, kind, count, 42), 0.25);
  check("stacked", stacked_solids(kind, kind, count, 43), 0.0625);
  check("one centre", concentric_solids(kind, kind, count, 46), 0);
  check("corner to corner", corner_to_corner(kind, kind, count, 47), 0.25);
}

}  // namespace
}  // namespace widephase::test
