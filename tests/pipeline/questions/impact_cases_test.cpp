// Times of impact whose answers follow from the geometry, what overlaps at the start, terrain, and
// what is refused.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include <widephase/distance.hpp>
#include <widephase/heightfields.hpp>
#include <widephase/impact.hpp>
#include <widephase/meshes.hpp>
#include <widephase/static_scene.hpp>

#include "reference/solids.hpp"
#include "support/error_of.hpp"
#include "support/ground.hpp"
#include "support/mixed_pairs.hpp"
#include "support/moving_pair.hpp"

namespace widephase::test {
namespace {

template <int D, class T>
ImpactHits<D, T> impacts(const SceneColumns<D, T>& scene, const Motion<D, T>& motion,
                         const std::vector<Pair>& pairs, const ShapeCastOptions& options = {}) {
  Workspace<D, T> workspace;
  ImpactHits<D, T> hits;
  ShapeCastOptions alone = options;
  alone.threads.count = 1;
  time_of_impact(scene, motion, pairs, hits, workspace, alone);
  return hits;
}

/// One body at `start`, which a shape of the scene is given to by the test.
template <int D, class T>
struct OneBody {
  SceneColumns<D, T> scene;
  Column<PositionOf<T>, D> position_end;
  Column<SizeOf<T>, D == 2 ? 1 : 4> turn_end;

  OneBody(const Point<D>& start, const Point<D>& end) {
    scene.bodies.position.push_back(as_row<D, PositionOf<T>>(start));
    position_end.push_back(as_row<D, PositionOf<T>>(end));
  }
  Motion<D, T> motion() const {
    Motion<D, T> motion;
    motion.position_end = position_end;
    if constexpr (D == 2) {
      motion.angle_end = turn_end;
    } else {
      motion.orientation_end = turn_end;
    }
    return motion;
  }
};

TEST(impact_cases, a_bullet_does_not_pass_through_a_thin_wall) {
  in_every_dimension_and_precision([]<int D, class T>() {
    // A bullet of radius 0.01 from x = -10 to 90; the wall is 0.001 thick and begins at 0.
    Point<D> start{}, end{}, low{}, high{};
    start[0] = -10;
    end[0] = 90;
    for (int k = 0; k < D; ++k) low[k] = k == 0 ? 0 : -5;
    for (int k = 0; k < D; ++k) high[k] = k == 0 ? 0.001 : 5;
    OneBody<D, T> one(start, end);
    append(one.scene, ball<D>({}, 0.01));
    balls(one.scene).body.push_back(0);
    append(one.scene, aabb<D>(low, high));
    const auto hits = impacts<D, T>(one.scene, one.motion(), {{1, 0}});
    // They meet after 9.99 of 100; the tolerance is 1e-4 of the bullet: 1e-8 of the way.
    const double rounding = sizeof(SizeOf<T>) == 4 ? 1e-7 : 1e-13;
    EXPECT_LE(hits.t[0], 0.0999 + rounding);
    EXPECT_GE(hits.t[0], 0.0999 - 1e-8 - rounding);
    EXPECT_EQ(hits.status[0], static_cast<std::uint8_t>(CastStatus::hit));
    EXPECT_EQ(hits.pair[0], (Pair{1, 0}));
    EXPECT_EQ(hits.normal(0, 0), -1);
    EXPECT_NEAR(static_cast<double>(hits.point(0, 0)), 0, 1e-6);
    EXPECT_EQ(hits.depth[0], 0);
  });
}

TEST(impact_cases, a_rod_meets_a_point_in_the_middle_of_its_turn) {
  // A rod without width from the origin to (1, 0) turns by less than half a turn to either side;
  // the point is on the line that halves the angle. So it is met at t = 1/2.
  for (const double angle : {0.5, 1.5, 2.5, 3.1}) {
    for (const double sign : {-1.0, 1.0}) {
      OneBody<2, double> one({0, 0}, {0, 0});
      append(one.scene, box({0.5, 0}, 0, {0.5, 0}));
      one.scene.boxes.body.push_back(0);
      one.scene.bodies.turn.push_back(0.25);
      one.turn_end.push_back(0.25 + sign * angle);
      const double half = 0.25 + sign * angle / 2;
      append(one.scene, ball<2>({0.9 * std::cos(half), 0.9 * std::sin(half)}, 0));
      const auto hits = impacts<2, double>(one.scene, one.motion(), {{0, 1}, {1, 0}});
      for (const std::size_t i : {0U, 1U}) {
        EXPECT_LE(hits.t[i], 0.5 + 1e-12) << angle;
        EXPECT_GE(hits.t[i], 0.5 - 1e-4) << angle;
      }
    }
  }
}

TEST(impact_cases, quaternions_take_the_shorter_way) {
  // A rod along x turns about z by 60 degrees to y; a ball lies at 30 degrees, another at -30.
  const double s = std::sin(std::numbers::pi / 6), c = std::cos(std::numbers::pi / 6);
  for (const double sign : {1.0, -1.0}) {
    OneBody<3, double> one({0, 0, 0}, {0, 0, 0});
    append(one.scene, ball<3>({2 * c, 2 * s, 0}, 0.01));
    append(one.scene, ball<3>({2 * c, -2 * s, 0}, 0.01));
    append(one.scene, box({1.5, 0, 0}, {0, 0, 0, 1}, {1.5, 0.001, 0.001}));
    one.scene.boxes.body.push_back(0);
    one.scene.spheres.body.push_back(-1);
    one.scene.spheres.body.push_back(-1);
    one.scene.bodies.turn.push_back({0, 0, 0, 1});
    one.turn_end.push_back({0, 0, sign * s, sign * c});
    const auto hits = impacts<3, double>(one.scene, one.motion(), {{2, 0}, {2, 1}});
    EXPECT_EQ(hits.status[0], static_cast<std::uint8_t>(CastStatus::hit));
    // The rod's side meets the ball a little before, by 0.011 / 2 radians. In the middle the rate
    // is 4 |d| / |s| (motions.hpp), here 4 times the tangent of a quarter of the turn.
    EXPECT_NEAR(hits.t[0], 0.5 - 0.0055 / (4 * std::tan(std::numbers::pi / 12)), 1e-5);
    EXPECT_EQ(hits.status[1], static_cast<std::uint8_t>(CastStatus::none));
    EXPECT_EQ(hits.t[1], 1);
    EXPECT_EQ(hits.pair[1], (Pair{-1, -1}));
  }
}

TEST(impact_cases, half_a_turn_in_space_is_answered) {
  // The quaternions are at right angles; the signs choose the way, here over +y.
  OneBody<3, double> one({0, 0, 0}, {0, 0, 0});
  append(one.scene, ball<3>({0, 2, 0}, 0.01));
  append(one.scene, ball<3>({0, -2, 0}, 0.01));
  append(one.scene, box({1.5, 0, 0}, {0, 0, 0, 1}, {1.5, 0.001, 0.001}));
  one.scene.spheres.body.push_back(-1);
  one.scene.spheres.body.push_back(-1);
  one.scene.boxes.body.push_back(0);
  one.scene.bodies.turn.push_back({0, 0, 0, 1});
  one.turn_end.push_back({0, 0, 1, 0});
  const auto hits = impacts<3, double>(one.scene, one.motion(), {{2, 0}, {2, 1}});
  // Before the middle by 0.011 / 2 radians; the rate is 4 there.
  EXPECT_NEAR(hits.t[0], 0.5 - 0.0055 / 4, 1e-5);
  EXPECT_EQ(hits.status[1], static_cast<std::uint8_t>(CastStatus::none));
}

TEST(impact_cases, starts_that_overlap_have_the_bits_of_distances) {
  in_every_dimension_and_precision([]<int D, class T>() {
    std::vector<SolidPair<D>> solids;
    for (const SolidPair<D>& pair : mixed_pairs<D>(scaled(10, 10), 5)) {
      if (pair.a.kind == Kind::aabb || pair.b.kind == Kind::aabb) continue;
      if (pair.a.kind == Kind::halfspace && pair.b.kind == Kind::halfspace) continue;
      solids.push_back({stored<T>(pair.a), stored<T>(pair.b)});
    }
    PairScene<D, T> input(solids);
    // All shapes on one of two bodies, which are moved and rotated at the start; all of B rotate.
    const SceneLayout layout = layout_of(input.scene);
    std::vector<std::int32_t> body(static_cast<std::size_t>(layout.shape_count()));
    for (const Pair pair : input.pairs) body[static_cast<std::size_t>(pair.b)] = 1;
    std::size_t id = 0;
    for_each_table(input.scene, [&](auto& table) {
      for (std::size_t row = 0; row < row_count(table); ++row) table.body.push_back(body[id++]);
    });
    Motion<D, T> motion;
    Column<PositionOf<T>, D> end;
    Column<SizeOf<T>, D == 2 ? 1 : 4> turn_end;
    Point<D> at{};
    at[1] = 0.3;
    for (int b = 0; b < 2; ++b) {
      input.scene.bodies.position.push_back(as_row<D, PositionOf<T>>(at));
      at[0] += b;
      end.push_back(as_row<D, PositionOf<T>>(at));
      if constexpr (D == 2) {
        input.scene.bodies.turn.push_back(0.3F);
        turn_end.push_back(0.3F + static_cast<float>(b));
      } else {
        input.scene.bodies.turn.push_back({0, 0.6F, 0, 0.8F});
        turn_end.push_back({0, b == 0 ? 0.6F : 0, 0, b == 0 ? 0.8F : 1});
      }
    }
    motion.position_end = end;
    if constexpr (D == 2) {
      motion.angle_end = turn_end;
    } else {
      motion.orientation_end = turn_end;
    }
    for (Pair& pair : input.pairs) pair = {std::min(pair.a, pair.b), std::max(pair.a, pair.b)};
    Workspace<D, T> workspace;
    DistanceBuffer<D, T> found;
    distances(input.scene, input.pairs, found, workspace);
    const auto hits = impacts<D, T>(input.scene, motion, input.pairs);
    ShapeCastOptions passing, leaving;
    passing.start_overlap = StartOverlap::pass;
    leaving.start_overlap = StartOverlap::leave_apart;
    const auto passed = impacts<D, T>(input.scene, motion, input.pairs, passing);
    const auto left = impacts<D, T>(input.scene, motion, input.pairs, leaving);
    int inside = 0, reported = 0;
    for (std::size_t i = 0; i < input.pairs.size(); ++i) {
      const bool is_inside = found.distance[i] <= 0;
      EXPECT_EQ(hits.status[i] == static_cast<std::uint8_t>(CastStatus::started_inside), is_inside);
      if (!is_inside) {
        EXPECT_EQ(hits.t[i], passed.t[i]);
        EXPECT_EQ(hits.t[i], left.t[i]);
        continue;
      }
      ++inside;
      EXPECT_EQ(hits.t[i], 0);
      EXPECT_EQ(hits.depth[i], -found.distance[i]);
      EXPECT_EQ(hits.feature[i], found.feature[i]);
      for (int k = 0; k < D; ++k) {
        EXPECT_EQ(hits.normal(i, k), found.normal(i, k));
        EXPECT_EQ(hits.point(i, k), found.point_a(i, k));
      }
      EXPECT_EQ(passed.status[i], static_cast<std::uint8_t>(CastStatus::none));
      reported += left.status[i] == static_cast<std::uint8_t>(CastStatus::started_inside);
    }
    EXPECT_GT(inside, 50);
    EXPECT_GT(reported, 10);
    EXPECT_LT(reported, inside - 10);
  });
}

TEST(impact_cases, what_leaves_an_overlap_is_passed_over) {
  // Two balls overlap by 0.5; B moves away, across or deeper.
  for (const double way : {1.0, 0.0, -1.0}) {
    OneBody<3, float> one({1.5, 0, 0}, {1.5 + way, way == 0 ? 3.0 : 0, 0});
    append(one.scene, ball<3>({0, 0, 0}, 1));
    append(one.scene, ball<3>({0, 0, 0}, 1));
    for (const int body : {-1, 0}) one.scene.spheres.body.push_back(body);
    ShapeCastOptions options;
    options.start_overlap = StartOverlap::leave_apart;
    const auto hits = impacts<3, float>(one.scene, one.motion(), {{0, 1}}, options);
    const bool is_deeper = way < 0;
    EXPECT_EQ(hits.status[0],
              static_cast<std::uint8_t>(is_deeper ? CastStatus::started_inside : CastStatus::none));
  }
}

TEST(impact_cases, margins_are_met_that_far_away) {
  // Balls of radius 1 whose centres come from 10 apart to 0: with a margin of 0.5 and their own
  // 0.25 each they meet at a distance of 3.
  OneBody<2, double> one({10, 0}, {0, 0});
  append(one.scene, ball<2>({0, 0}, 1));
  append(one.scene, ball<2>({0, 0}, 1));
  for (const int body : {-1, 0}) one.scene.circles.body.push_back(body);
  for (int i = 0; i < 2; ++i) one.scene.circles.margin.push_back(0.25);
  ShapeCastOptions options;
  options.margin = 0.5;
  options.tolerance = 1e-6;
  const auto hits = impacts<2, double>(one.scene, one.motion(), {{0, 1}}, options);
  EXPECT_LE(hits.t[0], 0.7);
  EXPECT_GE(hits.t[0], 0.7 - 1e-7);
}

TEST(impact_cases, what_keeps_a_few_tolerances_apart_meets_the_limit_of_steps) {
  // A ball circles another about its middle, always as far away. A step goes by about that over the
  // speed of the turn, 1.1, so 4,096 of them are the whole way if it is 2e-3, but not if 2e-6.
  for (const double apart : {2e-6, 2e-3}) {
    OneBody<2, double> one({0, 0}, {0, 0});
    append(one.scene, ball<2>({0, 0}, 1));
    append(one.scene, ball<2>({1.1 + apart, 0}, 0.1));
    for (const int body : {-1, 0}) one.scene.circles.body.push_back(body);
    one.scene.bodies.turn.push_back(0);
    one.turn_end.push_back(1);
    ShapeCastOptions options;
    options.tolerance = apart / 20;
    const auto hits = impacts<2, double>(one.scene, one.motion(), {{0, 1}}, options);
    const bool is_far = apart > 1e-3;
    EXPECT_EQ(hits.status[0],
              static_cast<std::uint8_t>(is_far ? CastStatus::none : CastStatus::bound));
    EXPECT_GT(hits.t[0], 0.001);
  }
}

TEST(impact_cases, far_from_the_origin_in_mixed_precision) {
  // 1e6 away, where float has steps of 0.06.
  OneBody<3, Mixed> one({1e6, 2, 3}, {1e6 + 1, 2, 3});
  append(one.scene, ball<3>({0, 0, 0}, 0.125));
  append(one.scene, ball<3>({1e6 + 0.75, 2, 3}, 0.125));
  for (const int body : {0, -1}) one.scene.spheres.body.push_back(body);
  const auto hits = impacts<3, Mixed>(one.scene, one.motion(), {{1, 0}});
  EXPECT_NEAR(hits.t[0], 0.5F, 2e-5F);
  EXPECT_NEAR(hits.point(0, 0), 1e6 + 0.625, 1e-6);
}

TEST(impact_cases, terrain) {
  const auto check = []<class T>() {
    // A flat field and a sheet over it, at heights 0 and 1; a ball of radius 0.5 falls from 5 to
    // -5 beside the sheet, another one on it, a third passes above both.
    SceneColumns<3, T> scene;
    const std::vector<SizeOf<T>> heights(9);
    add_heightfield(scene.heightfield_geometries,
                    ColumnSpan<SizeOf<T>>::interleaved(heights.data(), 9, sizeof(SizeOf<T>)), 3,
                    SizeOf<T>{4}, SizeOf<T>{4});
    scene.heightfields.center.push_back({0, 0, 0});
    scene.heightfields.turn.push_back({0, 0, 0, 1});
    scene.heightfields.geometry.push_back(0);
    const std::vector<SizeOf<T>> corners{4, 0, 1, 8, 0, 1, 8, 8, 1, 4, 8, 1};
    const std::vector<std::int32_t> triangles{0, 1, 2, 0, 2, 3};
    add_mesh(scene.mesh_geometries,
             ColumnSpan<SizeOf<T>, 3>::interleaved(corners.data(), 4, 3 * sizeof(SizeOf<T>)),
             ColumnSpan<std::int32_t, 3>::interleaved(triangles.data(), 2, 12), true);
    scene.meshes.center.push_back({0, 0, 0});
    scene.meshes.turn.push_back({0, 0, 0, 1});
    scene.meshes.geometry.push_back(0);
    Column<PositionOf<T>, 3> end;
    for (int i = 0; i < 3; ++i) {
      append(scene, ball<3>({0, 0, 0}, 0.5));
      scene.spheres.body.push_back(i);
    }
    scene.bodies.position.push_back({2, 3, 5});
    scene.bodies.position.push_back({6, 3, 5});
    scene.bodies.position.push_back({2, 3, 3});
    end.push_back({2, 3, -5});
    end.push_back({6, 3, -5});
    end.push_back({7, 6, 3});
    Motion<3, T> motion;
    motion.position_end = end;
    const auto hits = impacts<3, T>(scene, motion, {{0, 3}, {1, 4}, {1, 3}, {2, 3}, {2, 4}});
    EXPECT_NEAR(static_cast<double>(hits.t[0]), 0.45, 1e-5);
    EXPECT_NEAR(static_cast<double>(hits.t[1]), 0.35, 1e-5);
    EXPECT_NEAR(static_cast<double>(hits.t[2]), 0.45, 1e-5);
    EXPECT_LE(hits.t[0], SizeOf<T>{0.450001F});
    EXPECT_EQ(hits.status[3], static_cast<std::uint8_t>(CastStatus::none));
    EXPECT_EQ(hits.status[4], static_cast<std::uint8_t>(CastStatus::none));
    Workspace<3, T> workspace;
    ImpactHits<3, T> first;
    first_impacts(scene, motion, first, workspace);
    EXPECT_EQ(first.pair[0], (Pair{3, 0}));
    EXPECT_EQ(first.pair[1], (Pair{4, 1}));
    EXPECT_EQ(first.status[2], static_cast<std::uint8_t>(CastStatus::none));
    EXPECT_EQ(first.t[1], hits.t[1]);
    EXPECT_EQ(first.normal(1, 2), 1);
    EXPECT_NEAR(static_cast<double>(first.point(1, 2)), 1, 1e-5);

    // The sheet itself falls on a ball that stands below it, at 0.5 in the middle of its way, and
    // turns about the vertical meanwhile.
    scene.meshes.body.push_back(3);
    scene.bodies.position.push_back({0, 0, 5});
    for (int i = 0; i < 4; ++i) scene.bodies.turn.push_back({0, 0, 0, 1});
    Column<SizeOf<T>, 4> turn_end;
    for (int i = 0; i < 4; ++i) turn_end.push_back({0, 0, i == 3 ? 0.6F : 0, i == 3 ? 0.8F : 1});
    end.push_back({0, 0, -5});
    append(scene, ball<3>({2.4, 6.8, 0.5}, 0.5));
    scene.spheres.body.push_back(-1);
    motion.position_end = end;
    motion.orientation_end = turn_end;
    // The mesh is 1 above its body, so it is at 1 at t = 0.5. Turned by half of the angle, whose
    // sine and cosine are 0.6 and 0.8, its point (6, 4) is over the ball then: (2.4, 6.8).
    const auto falling = impacts<3, T>(scene, motion, {{3, 5}});
    EXPECT_NEAR(static_cast<double>(falling.t[0]), 0.5, 1e-3);
    EXPECT_LE(falling.t[0], SizeOf<T>{0.500001F});
  };
  check.template operator()<float>();
  check.template operator()<double>();
  check.template operator()<Mixed>();
}

/// A box that stands, and one on a body.
template <class T>
OneBody<2, T> two_boxes(const Solid<2>& standing, const Solid<2>& moving, const BodyWay<2>& way) {
  OneBody<2, T> one(way.start, way.end);
  append(one.scene, standing);
  append(one.scene, moving);
  for (const int body : {-1, 0}) one.scene.boxes.body.push_back(body);
  one.scene.bodies.turn.push_back(static_cast<T>(way.angle_start));
  one.turn_end.push_back(static_cast<T>(way.angle_end));
  return one;
}

TEST(impact_cases, published_box2d_50_starts_that_overlap_are_met_at_the_start) {
  // The motion leaves the other box.
  const auto one = two_boxes<float>(box({0, 0}, 0.2, {1, 1}), box({0, 0}, 0.5, {1, 1}),
                                    {{0.5, 0.25}, {9, 0}, 0, 1});
  const auto hits = impacts<2, float>(one.scene, one.motion(), {{0, 1}, {1, 0}});
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_EQ(hits.t[i], 0);
    EXPECT_EQ(hits.status[i], static_cast<std::uint8_t>(CastStatus::started_inside));
    EXPECT_GT(hits.depth[i], 1);
  }
}

TEST(impact_cases, published_box2d_115_no_touch_whatever_the_whole_turns) {
  // They come no nearer than 6.818 (at t = 1, separately computed). Box2D found a touch, and did
  // not end where the angles had their 81 whole turns.
  const auto check = []<class T>() {
    for (const double whole : {0.0, 162 * std::numbers::pi}) {
      const auto one = two_boxes<T>(
          box({24, -60}, 2.95, {25, 5}), box({0, 0}, 0, {2.5, 2.5}),
          {{53.474274, -50.252514}, {54.595478, -51.083473}, 513.36676 - whole, 513.62781 - whole});
      for (const double margin : {6.81, 6.83}) {
        ShapeCastOptions options;
        options.margin = margin;
        const auto hits = impacts<2, T>(one.scene, one.motion(), {{0, 1}}, options);
        const CastStatus expected = margin < 6.82 ? CastStatus::none : CastStatus::hit;
        EXPECT_EQ(hits.status[0], static_cast<std::uint8_t>(expected)) << margin;
      }
    }
  };
  check.template operator()<float>();
  check.template operator()<double>();
}

TEST(impact_cases, published_box2d_120_what_has_turned_away_is_not_met) {
  // A rod from -1.5 to 1.5 along x turns by a right angle while a small box falls along x = 1.4
  // from 5 to -5. It is met if it stands. But from t = 0.33 on, when the box is at 1.7, its end is
  // left of 1.4 - 0.05.
  for (const bool is_turning : {false, true}) {
    OneBody<2, double> one = two_boxes<double>(
        box({0, 0}, 0, {1.5, 0.01}), box({0, 0}, 0, {0.05, 0.05}), {{1.4, 5}, {1.4, -5}, 0, 0});
    one.scene.boxes.body[0] = 1;
    one.scene.bodies.position.push_back({0, 0});
    one.scene.bodies.turn.push_back(0);
    one.position_end.push_back({0, 0});
    one.turn_end.push_back(is_turning ? std::numbers::pi / 2 : 0);
    const auto hits = impacts<2, double>(one.scene, one.motion(), {{0, 1}});
    const CastStatus expected = is_turning ? CastStatus::none : CastStatus::hit;
    EXPECT_EQ(hits.status[0], static_cast<std::uint8_t>(expected));
  }
}

TEST(impact_cases, published_fcl_555_speeds_of_both_add_up) {
  // Two bodies move towards each other, from 8 apart to 8 past one another. Their faces, 1 from
  // their origins, meet after 6 of 16. FCL added signed bounds, which cancelled.
  Ground<double> ground;
  ground.add_box({0, 0, 0}, {1, 1, 1});
  ground.add_box({0, 0, 0}, {1, 1, 1});
  ground.place_mesh(ground.add_mesh_of({{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}},
                                       {{0, 2, 1}, {0, 3, 2}}, false));
  SceneColumns<3, double>& scene = ground.scene;
  for (const int body : {0, 1}) scene.boxes.body.push_back(body);
  scene.meshes.body.push_back(1);
  Column<double, 3> end;
  for (const double z : {-4.0, 4.0}) {
    scene.bodies.position.push_back({0, 0, z});
    end.push_back({0, 0, -z});
  }
  Motion<3, double> motion;
  motion.position_end = end;
  const auto hits = impacts<3, double>(scene, motion, {{0, 1}, {0, ground.mesh_id()}});
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_LE(hits.t[i], 0.375 + 1e-12) << i;
    EXPECT_GE(hits.t[i], 0.375 - 1e-4 / 16) << i;
  }
}

TEST(impact_cases, no_rows_and_no_motion) {
  OneBody<3, float> one({0, 0, 0}, {0, 0, 0});
  append(one.scene, ball<3>({0, 0, 0}, 1));
  append(one.scene, ball<3>({5, 0, 0}, 1));
  for (const int body : {0, -1}) one.scene.spheres.body.push_back(body);
  EXPECT_EQ((impacts<3, float>(one.scene, one.motion(), {}).size()), 0U);
  EXPECT_EQ((impacts<3, float>(one.scene, one.motion(), {{0, 1}}).status[0]),
            static_cast<std::uint8_t>(CastStatus::none));
  EXPECT_EQ((impacts<3, float>(one.scene, {}, {{0, 1}}).status[0]),
            static_cast<std::uint8_t>(CastStatus::none));
  ShapeCastOptions options;
  options.wants_normals = false;
  const auto bare = impacts<3, float>(one.scene, one.motion(), {{0, 1}}, options);
  EXPECT_EQ(bare.size(), 1U);
  EXPECT_EQ(bare.normal.size() + bare.point.size() + bare.depth.size() + bare.feature.size(), 0U);
}

TEST(impact_cases, what_is_refused) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  OneBody<2, double> one({0, 0}, {1, 0});
  append(one.scene, box({0, 0}, 0, {1, 1}));
  append(one.scene, ball<2>({5, 0}, 1));
  append(one.scene, aabb<2>({7, 0}, {8, 1}));
  one.scene.boxes.body.push_back(0);
  one.scene.bodies.turn.push_back(0.5);
  one.turn_end.push_back(0.5);
  const auto refusal = [&](const ShapeCastOptions& options = {}) {
    const std::string text = error_of([&] {
      impacts<2, double>(one.scene, one.motion(), {{0, 1}}, options);
    });
    Workspace<2, double> workspace;
    ImpactHits<2, double> hits;
    hits.t.push_back(1);
    const std::string of_firsts =
        error_of([&] { first_impacts(one.scene, one.motion(), hits, workspace, options); });
    EXPECT_EQ(text.substr(0, 20), of_firsts.substr(0, 20));
    EXPECT_EQ(hits.size(), text == "no error" ? 1U : 0U);
    return text;
  };
  EXPECT_EQ(refusal(), "no error");
  one.position_end.set(0, {0, kNan});
  EXPECT_EQ(refusal(),
            "position_end[0] is nan along axis 1; it must be finite, and so must its "
            "distance from the start");
  one.position_end.set(0, {0, 1});
  one.turn_end.set(0, {0.5 + std::numbers::pi});
  EXPECT_TRUE(refusal().starts_with("angle_end[0] is 3.64159")) << refusal();
  EXPECT_NE(refusal().find("differ by less than half a turn"), std::string::npos);
  one.turn_end.set(0, {kNan});
  EXPECT_TRUE(refusal().starts_with("angle_end[0] is nan")) << refusal();
  one.turn_end.set(0, {1});
  EXPECT_EQ(refusal(), "no error");
  one.scene.aabbs.body.push_back(0);
  EXPECT_TRUE(refusal().starts_with("aabb.body[0] is 0, which is turned")) << refusal();
  one.scene.bodies.turn.set(0, {0});
  EXPECT_TRUE(refusal().starts_with("aabb.body[0] is 0, which turns meanwhile")) << refusal();
  one.scene.aabbs.body.set(0, {-1});
  one.position_end.push_back({0, 0});
  EXPECT_TRUE(refusal().starts_with("position_end has 2 rows; give one per body")) << refusal();
  one.position_end.resize(1);
  ShapeCastOptions options;
  options.tolerance = kNan;
  EXPECT_TRUE(refusal(options).starts_with("tolerance is nan")) << refusal(options);
  options = {};
  std::vector<WarmStart> warm(1);
  options.warm_starts = warm;
  EXPECT_TRUE(refusal(options).starts_with("warm_starts")) << refusal(options);
  one.scene.domain.periodic[0] = true;
  one.scene.domain.max = {9, 9};
  EXPECT_TRUE(refusal().starts_with("domain is periodic")) << refusal();
  one.scene.domain = {};
  append(one.scene, halfspace<2>({0, 1}, -9));
  append(one.scene, halfspace<2>({1, 0}, -9));
  EXPECT_TRUE(error_of([&] {
                impacts<2, double>(one.scene, one.motion(), {{0, 1}, {3, 4}});
              }).starts_with("pairs[1] names two halfspaces"));
  EXPECT_TRUE(error_of([&] {
                impacts<2, double>(one.scene, one.motion(), {{0, 7}});
              }).starts_with("pairs[0]"));

  OneBody<3, float> turned({0, 0, 0}, {1, 0, 0});
  append(turned.scene, ball<3>({0, 0, 0}, 1));
  turned.turn_end.push_back({0, 0, 0, 2});
  EXPECT_EQ(error_of([&] { impacts<3, float>(turned.scene, turned.motion(), {}); }),
            "orientation_end[0] is not a unit quaternion x y z w; normalize it");
}

}  // namespace
}  // namespace widephase::test
