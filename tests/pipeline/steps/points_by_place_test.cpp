// Points without a match by feature are matched by their place on the shape that was A, which moves
// and rotates as a whole. Contacts are written by hand: only the tracker is tested.
// Labels: threads own-sets

#include <gtest/gtest.h>

#include <numeric>

#include <widephase/tracker.hpp>

#include "reference/generate_turned3.hpp"
#include "support/executors.hpp"
#include "support/mixed_pairs.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

using List = std::vector<std::int64_t>;

template <int D>
struct Touch {
  Point<D> at;
  std::uint32_t feature;
  double depth = 0;
};

/// The next step with pairs that touch at these points; the normal is along the first axis.
template <int D, class T>
List take_step(Tracker<D, T>& tracker, const SceneColumns<D, T>& scene,
               const std::vector<Pair>& pairs, const std::vector<std::vector<Touch<D>>>& touches,
               double steadiness, const Threads& threads = {1, {}}) {
  CollideOptions options;
  options.steadiness = steadiness;
  options.threads = threads;
  begin_step<D, T>(scene, pairs, tracker, options);
  ContactBuffer<D, T> contacts;
  contacts.offset.push_back({0});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    contacts.pair.push_back({pairs[i]});
    contacts.source.push_back({static_cast<std::int64_t>(i)});
    Point<D> normal{};
    normal[0] = 1;
    contacts.normal.push_back(as_row<D, SizeOf<T>>(normal));
    contacts.depth.push_back({0});
    contacts.status.push_back({0});
    for (const Touch<D>& touch : touches[i]) {
      contacts.point.push_back(as_row<D, PositionOf<T>>(touch.at));
      contacts.point_depth.push_back({static_cast<SizeOf<T>>(touch.depth)});
      contacts.feature.push_back({touch.feature});
    }
    contacts.offset.push_back({static_cast<std::int64_t>(contacts.point_count())});
  }
  end_step<D, T>(contacts, tracker, options);
  return {tracker.last_point().begin(), tracker.last_point().end()};
}

// ---- Every kind with its motion

/// A rotation about the origin, then a translation.
template <int D>
struct Motion;
template <>
struct Motion<2> {
  double angle = 0;
  Point<2> by{};
  Point<2> turned(const Point<2>& v) const {
    const double c = std::cos(angle), s = std::sin(angle);
    return {c * v[0] - s * v[1], s * v[0] + c * v[1]};
  }
};
template <>
struct Motion<3> {
  Quaternion turn{0, 0, 0, 1};
  Point<3> by{};
  Point<3> turned(const Point<3>& v) const { return rotated(turn, v); }
};

template <int D>
Point<D> sum(Point<D> u, const Point<D>& v, double scale = 1) {
  for (int k = 0; k < D; ++k) u[k] += scale * v[k];
  return u;
}

template <int D>
Point<D> after(const Motion<D>& motion, const Point<D>& point) {
  return sum(motion.turned(point), motion.by);
}
template <int D>
Solid<D> after(const Motion<D>& motion, Solid<D> solid) {
  if (solid.kind == Kind::halfspace) {
    solid.p = motion.turned(solid.p);
    for (int k = 0; k < D; ++k) solid.size += solid.p[k] * motion.by[k];
    return solid;
  }
  const bool has_ends = solid.kind == Kind::capsule || solid.kind == Kind::aabb;
  solid.p = after(motion, solid.p);
  if (has_ends) solid.q = after(motion, solid.q);
  if constexpr (D == 2) {
    solid.angle += motion.angle;
  } else {
    solid.orientation = product(motion.turn, solid.orientation);
  }
  return solid;
}

/// A shape near the origin and a motion whose rotation the shape shows. A ball or aabb does not
/// rotate. A capsule or halfspace does not rotate about its axis, and a halfspace only moves along
/// it.
template <int D>
Solid<D> any_solid(Random& random, Kind kind) {
  if (kind == Kind::halfspace) return halfspace<D>(random.direction<D>(), random.uniform(-2, 2));
  return random_solid<D>(random, kind, random.point<D>(-0.2, 0.2), 0.6);
}
Motion<2> any_motion(Random& random, const Solid<2>& solid) {
  Motion<2> motion;
  motion.by = random.point<2>(-3, 3);
  if (solid.kind != Kind::sphere && solid.kind != Kind::aabb) motion.angle = random.uniform(-3, 3);
  if (solid.kind == Kind::halfspace) motion.by = sum({}, motion.turned(solid.p), motion.by[0]);
  return motion;
}
Motion<3> any_motion(Random& random, const Solid<3>& solid) {
  Motion<3> motion;
  motion.by = random.point<3>(-3, 3);
  if (solid.kind == Kind::sphere || solid.kind == Kind::aabb) return motion;
  Point<3> about_it = random.direction<3>();
  if (solid.kind == Kind::capsule || solid.kind == Kind::halfspace) {
    const Point<3> axis = solid.kind == Kind::capsule ? sum(solid.q, solid.p, -1) : solid.p;
    const Point<3> d = about_it;
    about_it = {axis[1] * d[2] - axis[2] * d[1], axis[2] * d[0] - axis[0] * d[2],
                axis[0] * d[1] - axis[1] * d[0]};
  }
  motion.turn = about(about_it, random.uniform(-3, 3));
  if (solid.kind == Kind::halfspace) motion.by = sum({}, motion.turned(solid.p), motion.by[0]);
  return motion;
}

/// As many points as a contact may have, far from one another.
template <int D>
std::vector<Touch<D>> any_touches(Random& random) {
  std::vector<Touch<D>> touches;
  while (touches.size() < (D == 2 ? 2 : 4)) {
    const Point<D> at = random.point<D>(-1, 1);
    bool is_near = false;
    for (const Touch<D>& other : touches) {
      double square = 0;
      for (int k = 0; k < D; ++k) square += (at[k] - other.at[k]) * (at[k] - other.at[k]);
      is_near |= square < 0.09;
    }
    if (!is_near) touches.push_back({at, static_cast<std::uint32_t>(touches.size())});
  }
  return touches;
}

/// The order of two shapes of a kind in the second step.
enum class Naming { same, other_way_round, ids_exchanged };

/// A scene of X and Y, in this order, or with bodies at their motions.
template <int D, class T>
SceneColumns<D, T> scene_of(const Solid<D>& x, const Solid<D>& y, const Motion<D>& motion_of_x,
                            const Motion<D>& motion_of_y, bool has_bodies, bool is_exchanged) {
  SceneColumns<D, T> scene;
  for (const bool is_y : {is_exchanged, !is_exchanged}) {
    const Motion<D>& motion = is_y ? motion_of_y : motion_of_x;
    const Solid<D>& solid = is_y ? y : x;
    append(scene, has_bodies ? solid : after(motion, solid));
    with_table(scene, solid.kind, [&](auto& table) {
      table.key.push_back({is_y ? 2 : 1});
      if (!has_bodies) return;
      table.body.push_back({static_cast<std::int32_t>(table.body.size())});
      scene.bodies.position.push_back(as_row<D, PositionOf<T>>(motion.by));
      if constexpr (D == 2) {
        scene.bodies.turn.push_back({static_cast<SizeOf<T>>(motion.angle)});
      } else {
        std::array<SizeOf<T>, 4> turn;
        for (int w = 0; w < 4; ++w) turn[w] = static_cast<SizeOf<T>>(motion.turn[w]);
        scene.bodies.turn.push_back(turn);
      }
    });
  }
  return scene;
}

template <int D, class T>
void expect_points_to_follow(Kind kind, bool has_bodies, Naming naming) {
  constexpr double kSteadiness = 0.05, kDepth = 0.25;
  Random random(701);
  for (int turn = 0; turn < 10; ++turn) {
    const Solid<D> x = any_solid<D>(random, kind), y = any_solid<D>(random, kind);
    const Motion<D> motion_of_x = any_motion(random, x), motion_of_y = any_motion(random, y);
    const bool is_exchanged = naming == Naming::ids_exchanged;
    const SceneColumns<D, T> first = scene_of<D, T>(x, y, {}, {}, has_bodies, false);
    const SceneColumns<D, T> second =
        scene_of<D, T>(x, y, motion_of_x, motion_of_y, has_bodies, is_exchanged);
    const std::vector<Touch<D>> touches = any_touches<D>(random);
    const auto count = static_cast<std::int64_t>(touches.size());
    // X is B if it is not first: the point is then on Y, and `depth` along the normal from its
    // partner on X.
    const bool is_b = naming != Naming::same;
    for (const double noise : {0.6, 1.4}) {
      std::vector<Touch<D>> moved;
      List followed;
      for (std::int64_t p = count; p-- > 0;) {
        Point<D> at = after(motion_of_x, touches[static_cast<std::size_t>(p)].at);
        at = sum(at, random.direction<D>(), noise * kSteadiness);
        if (is_b) at[0] += kDepth;
        moved.push_back({at, 100 + static_cast<std::uint32_t>(p), is_b ? kDepth : 0});
        followed.push_back(noise < 1 ? p : -1);
      }
      for (const double steadiness : {0.0, kSteadiness}) {
        Tracker<D, T> tracker;
        const List none(static_cast<std::size_t>(count), -1);
        EXPECT_EQ((take_step<D, T>(tracker, first, {{0, 1}}, {touches}, steadiness)), none);
        const Pair pair = naming == Naming::other_way_round ? Pair{1, 0} : Pair{0, 1};
        EXPECT_EQ((take_step<D, T>(tracker, second, {pair}, {moved}, steadiness)),
                  steadiness > 0 ? followed : none);
        EXPECT_EQ(tracker.last_contact()[0], 0);
      }
    }
  }
}

TEST(points_by_place, follow_a_shape_of_any_kind) {
  in_every_dimension_and_precision([]<int D, class T>() {
    for (const Kind kind : kinds(D)) {
      for (const bool has_bodies : {false, true}) {
        for (const Naming naming : {Naming::same, Naming::other_way_round, Naming::ids_exchanged}) {
          SCOPED_TRACE(testing::Message() << kind_name(kind, D) << (has_bodies ? ", bodies " : " ")
                                          << static_cast<int>(naming));
          expect_points_to_follow<D, T>(kind, has_bodies, naming);
        }
      }
    }
  });
}

TEST(points_by_place, follow_a_capsule_that_is_a_ball) {
  SceneColumns<3, float> first, second;
  for (auto* scene : {&first, &second}) {
    const double x = scene == &first ? 0 : 5;
    append(*scene, capsule<3>({x, 0, 0}, {x, 0, 0}, 1));
    append(*scene, ball<3>({x + 1, 0, 0}, 1));
  }
  Tracker<3, float> tracker;
  take_step<3, float>(tracker, first, {{1, 0}}, {{{{1, 0, 0}, 1}}}, 0.01);
  EXPECT_EQ((take_step<3, float>(tracker, second, {{1, 0}}, {{{{6, 0.005, 0}, 2}}}, 0.01)),
            (List{0}));
}

// ---- Several candidates

/// A ball at rest and one beside it.
template <class T>
SceneColumns<3, T> two_balls() {
  SceneColumns<3, T> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  append(scene, ball<3>({2, 0, 0}, 1));
  return scene;
}

/// Points along a line; no feature of `now` is one of `last` unless given.
List match_on_a_line(const std::vector<double>& last, const std::vector<double>& now,
                     double steadiness, std::vector<std::uint32_t> features = {}) {
  const SceneColumns<3, double> scene = two_balls<double>();
  std::vector<Touch<3>> before, after;
  for (std::size_t p = 0; p < last.size(); ++p) {
    before.push_back({{last[p], 0, 0}, static_cast<std::uint32_t>(p)});
  }
  for (std::size_t p = 0; p < now.size(); ++p) {
    const auto other = static_cast<std::uint32_t>(100 + p);
    after.push_back({{now[p], 0, 0}, features.empty() ? other : features[p]});
  }
  Tracker<3, double> tracker;
  take_step<3, double>(tracker, scene, {{0, 1}}, {before}, steadiness);
  return take_step<3, double>(tracker, scene, {{0, 1}}, {after}, steadiness);
}

TEST(points_by_place, are_the_nearest_first_and_each_once) {
  // From 0.25 the distances are 0.25 to 0 and 0.75 to 1; from 0.375 they are 0.375 and 0.625. The
  // first takes 0, the second the one that is left.
  EXPECT_EQ(match_on_a_line({0, 1}, {0.25, 0.375}, 1), (List{0, 1}));
  EXPECT_EQ(match_on_a_line({0, 1}, {0.375, 0.25}, 1), (List{1, 0}));
  // Both are near one point: the nearer takes it, and the other is new.
  EXPECT_EQ(match_on_a_line({0}, {0.25, 0.125}, 1), (List{-1, 0}));
  // Two points of the last step are near one point; it is taken once.
  EXPECT_EQ(match_on_a_line({0.25, 0.125}, {0}, 1), (List{1}));
  EXPECT_EQ(match_on_a_line({0, 1, 2, 3}, {3.125, 2.125, 1.125, 0.125}, 0.25), (List{3, 2, 1, 0}));
}

TEST(points_by_place, of_equally_near_ones_are_the_first) {
  EXPECT_EQ(match_on_a_line({0, 1}, {0.5}, 1), (List{0}));
  EXPECT_EQ(match_on_a_line({0}, {-0.5, 0.5}, 1), (List{0, -1}));
  EXPECT_EQ(match_on_a_line({1, 0}, {0.5, 0.5}, 1), (List{0, 1}));
}

TEST(points_by_place, are_within_the_steadiness) {
  EXPECT_EQ(match_on_a_line({0}, {0.25}, 0.25), (List{0}));
  EXPECT_EQ(match_on_a_line({0}, {0.25 + 0x1p-40}, 0.25), (List{-1}));
}

TEST(points_by_place, leave_to_features_what_features_find) {
  // Feature 0 jumped from 0 to 9 and keeps its match. The point now at 0 has no match.
  EXPECT_EQ(match_on_a_line({0}, {0, 9}, 1, {100, 0}), (List{-1, 0}));
  // It also does not take the nearer one, which is matched by its feature.
  EXPECT_EQ(match_on_a_line({0, 1}, {0.125, 0, 1}, 2, {100, 0, 101}), (List{-1, 0, 1}));
}

TEST(points_by_place, need_steadiness_in_both_steps) {
  const SceneColumns<3, float> scene = two_balls<float>();
  const std::vector<std::vector<Touch<3>>> before{{{{1, 0, 0}, 1}}}, after{{{{1, 0, 0}, 2}}};
  for (const auto& [first, second] : {std::pair{0.0, 0.1}, {0.1, 0.0}, {0.1, 0.1}}) {
    Tracker<3, float> tracker;
    take_step<3, float>(tracker, scene, {{0, 1}}, before, first);
    const bool is_matched = first > 0 && second > 0;
    EXPECT_EQ((take_step<3, float>(tracker, scene, {{0, 1}}, after, second)),
              (List{is_matched ? 0 : -1}));
  }
}

TEST(points_by_place, are_of_the_pair_that_is_not_forgotten) {
  SceneColumns<3, float> scene = two_balls<float>();
  const std::vector<std::vector<Touch<3>>> before{{{{1, 0, 0}, 1}}}, after{{{{1, 0, 0}, 2}}};
  const std::vector<std::uint8_t> worlds{1};
  for (const bool is_all : {false, true}) {
    Tracker<3, float> tracker;
    take_step<3, float>(tracker, scene, {{0, 1}}, before, 0.1);
    if (is_all) tracker.forget();
    if (!is_all) tracker.forget(worlds);
    EXPECT_EQ((take_step<3, float>(tracker, scene, {{0, 1}}, after, 0.1)), (List{-1}));
    EXPECT_EQ(tracker.last_contact()[0], -1);
  }
}

TEST(points_by_place, are_not_those_of_another_kind_with_the_key) {
  // Key 7 was a ball at the origin; now it is a box there.
  SceneColumns<3, float> first, second;
  append(first, ball<3>({0, 0, 0}, 1));
  append(first, ball<3>({2, 0, 0}, 1));
  first.spheres.key = {7, 8};
  append(second, box({0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}));
  append(second, ball<3>({2, 0, 0}, 1));
  second.boxes.key = {7};
  second.spheres.key = {8};
  Tracker<3, float> tracker;
  take_step<3, float>(tracker, first, {{0, 1}}, {{{{1, 0, 0}, 1}}}, 0.1);
  EXPECT_EQ((take_step<3, float>(tracker, second, {{1, 0}}, {{{{1, 0, 0}, 2}}}, 0.1)), (List{-1}));
  EXPECT_EQ(tracker.last_contact()[0], 0);
}

// ---- Across a periodic domain

TEST(points_by_place, follow_round_a_periodic_domain) {
  // X between -0.5 and 0.5, Y at 9.25, which is -0.75 of a domain from 0 to 10: they touch at -0.5.
  const auto scene = [](double x, double y, bool is_exchanged) {
    SceneColumns<2, float> scene;
    append(scene, ball<2>({is_exchanged ? y : x, 5}, is_exchanged ? 0.25 : 0.5));
    append(scene, ball<2>({is_exchanged ? x : y, 5}, is_exchanged ? 0.5 : 0.25));
    scene.circles.key = {is_exchanged ? 2 : 1, is_exchanged ? 1 : 2};
    scene.domain.max = {10, 10};
    scene.domain.periodic = {true, true};
    return scene;
  };
  const auto follow = [&](const SceneColumns<2, float>& second, double at) {
    Tracker<2, float> tracker;
    take_step<2, float>(tracker, scene(0, 9.25, false), {{0, 1}}, {{{{-0.5, 5}, 1}}}, 0.01);
    return take_step<2, float>(tracker, second, {{0, 1}}, {{{{at, 5}, 2}}}, 0.01);
  };
  // X moved back by a quarter, across the side, and is stored inside; so is the point.
  EXPECT_EQ(follow(scene(9.75, 9, false), 9.25), (List{0}));
  EXPECT_EQ(follow(scene(9.75, 9, false), 9), (List{-1}));
  // The two changed places: the point is near Y, its partner near the image of X.
  EXPECT_EQ(follow(scene(0, 9.25, true), 9.5), (List{0}));
  EXPECT_EQ(follow(scene(0, 9.25, true), 9.25), (List{-1}));
}

// ---- Many

/// Boxes on a platform that rotates and moves, in lists long enough for threads: the same in order
/// and in reverse, on one thread and many.
TEST(points_by_place, are_the_same_on_any_threads) {
  const std::size_t count = scaled(20000, 17000);
  const auto scene_at = [&](const Motion<3>& motion) {
    SceneColumns<3, float> scene;
    for (std::size_t i = 0; i < count; ++i) {
      const double x = static_cast<double>(i % 100), y = static_cast<double>(i / 100);
      append(scene, after(motion, box({x, y, 0}, {0, 0, 0, 1}, {0.4, 0.4, 0.4})));
    }
    append(scene, after(motion, box({50, 100, -5}, {0, 0, 0, 1}, {500, 500, 4.6})));
    return scene;
  };
  Random random(702);
  std::vector<Pair> pairs;
  std::vector<std::vector<Touch<3>>> touches[2];
  const Motion<3> motions[2]{{}, {about({1, 2, 3}, 0.7), {3, 4, 5}}};
  List expected;
  for (std::size_t i = 0; i < count; ++i) {
    pairs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(count)});
    for (int turn = 0; turn < 2; ++turn) touches[turn].emplace_back();
    for (std::uint32_t corner = 0; corner < 4; ++corner) {
      const double x = static_cast<double>(i % 100) + (corner % 2 == 0 ? -0.4 : 0.4);
      const double y = static_cast<double>(i / 100) + (corner / 2 == 0 ? -0.4 : 0.4);
      touches[0][i].push_back({{x, y, -0.4}, corner});
      const bool jumps = random.chance(0.2);
      const Point<3> at = after(motions[1], Point<3>{x + (jumps ? 0.1 : 0), y, -0.4});
      const std::uint32_t feature = random.chance(0.5) ? corner : corner + 4;
      touches[1][i].push_back({at, feature});
      const auto place = static_cast<std::int64_t>(4 * i + corner);
      expected.push_back(jumps && feature >= 4 ? -1 : place);
    }
  }
  const SceneColumns<3, float> scenes[2]{scene_at(motions[0]), scene_at(motions[1])};
  OwnThreads own{3, {}};
  for (const Threads& threads : all_threads(own)) {
    Tracker<3, float> tracker;
    take_step<3, float>(tracker, scenes[0], pairs, touches[0], 0.01, threads);
    EXPECT_TRUE((take_step<3, float>(tracker, scenes[1], pairs, touches[1], 0.01, threads)) ==
                expected);
    EXPECT_GT(tracker.bytes(), 2 * count * sizeof(float) * 8);
  }
}

}  // namespace
}  // namespace widephase::test
