// First impacts in scenes: the earliest of all pairs that the filters allow, beside kept scenes
// too, and what must not change a bit of an answer.
// Labels: threads emulated-x86 emulated-arm dated other-compiler

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <numeric>

#include <widephase/impact.hpp>
#include <widephase/static_scene.hpp>

#include "soa/kind_traits.hpp"
#include "support/allocations.hpp"
#include "support/executors.hpp"
#include "support/mixed_pairs.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

constexpr std::int32_t kBodies = 24;

/// A mixed scene of two worlds with tags, whose shapes are on bodies or stand. Even bodies turn.
template <int D, class T>
struct MovingWorlds {
  SceneColumns<D, T> scene;
  Column<PositionOf<T>, D> position_end;
  Column<SizeOf<T>, D == 2 ? 1 : 4> turn_end;

  MovingWorlds(std::size_t count, std::uint64_t seed, int halfspaces = 2) {
    Random random(seed);
    add_mixed(scene, {.count = count, .seed = seed, .halfspace_count = halfspaces});
    add_tags(scene, 2, seed + 1);
    scene.excluded_bodies.clear();  // of other bodies
    for_each_table(scene, [&](auto& table) {
      table.body.clear();
      constexpr bool kTurns = std::remove_cvref_t<decltype(table)>::kind != Kind::aabb;
      for (std::size_t row = 0; row < row_count(table); ++row) {
        const std::int32_t any = random.integer(0, kBodies / 2 - 1);
        const std::int32_t body = kTurns ? 2 * any + random.integer(0, 1) : 2 * any + 1;
        table.body.push_back(random.chance(0.3) ? -1 : body);
      }
    });
    for (std::int32_t body = 0; body < kBodies; ++body) {
      const Point<D> start = random.point<D>(-0.3, 0.3);
      Point<D> end = random.point<D>(-1.5, 1.5);
      if (body % 5 == 0) end = start;
      scene.bodies.position.push_back(as_row<D, PositionOf<T>>(start));
      position_end.push_back(as_row<D, PositionOf<T>>(end));
      const double angle = body % 2 == 0 ? random.uniform(-0.5, 0.5) : 0;
      if constexpr (D == 2) {
        scene.bodies.turn.push_back(0);
        turn_end.push_back(angle);
      } else {
        const Point<3> axis = random.direction<3>();
        Point<4> turn{0, 0, 0, std::cos(angle / 2)};
        for (int k = 0; k < 3; ++k) turn[k] = std::sin(angle / 2) * axis[k];
        scene.bodies.turn.push_back({0, 0, 0, 1});
        turn_end.push_back(as_row<4, SizeOf<T>>(turn));
      }
    }
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

template <int D, class T>
ImpactHits<D, T> firsts(const SceneSpan<D, T>& scene, const Motion<D, T>& motion,
                        const ShapeCastOptions& options = {}) {
  Workspace<D, T> workspace;
  ImpactHits<D, T> hits;
  first_impacts<D, T>(scene, motion, hits, workspace, options);
  return hits;
}

/// The earliest of pairs for each body, written out; `body_of(id)`.
template <int D, class T, class BodyOf>
void expect_earliest(const SceneSpan<D, T>& scene, const Motion<D, T>& motion,
                     const std::vector<Pair>& pairs, const BodyOf& body_of,
                     const ImpactHits<D, T>& found, const ShapeCastOptions& options) {
  Workspace<D, T> workspace;
  ImpactHits<D, T> all;
  ShapeCastOptions plain = options;
  plain.world_mask = {};
  time_of_impact<D, T>(scene, motion, pairs, all, workspace, plain);
  ASSERT_EQ(found.size(), static_cast<std::size_t>(kBodies));
  int met = 0;
  std::vector<Pair> as_found;
  std::vector<std::size_t> rows;
  for (std::int32_t body = 0; body < kBodies; ++body) {
    const auto row = static_cast<std::size_t>(body);
    Pair best{-1, -1};
    SizeOf<T> t = 1;
    std::size_t at = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (all.pair[i].a < 0) continue;
      for (const bool is_swapped : {false, true}) {
        const Pair pair = is_swapped ? Pair{pairs[i].b, pairs[i].a} : pairs[i];
        if (body_of(pair.b) != body) continue;
        const bool is_earlier =
            best.a < 0 || all.t[i] < t ||
            (all.t[i] == t && (pair.a != best.a ? pair.a < best.a : pair.b < best.b));
        if (!is_earlier) continue;
        best = pair;
        t = all.t[i];
        at = i;
      }
    }
    EXPECT_EQ(found.pair[row], best) << "body " << body << " at " << found.t[row] << " and " << t;
    EXPECT_EQ(found.t[row], t) << "body " << body;
    if (best.a < 0) continue;
    ++met;
    EXPECT_EQ(found.status[row], all.status[at]);
    as_found.push_back(best);
    rows.push_back(row);
  }
  // As they are named there, whichever id is lower, they have every bit of those answers.
  time_of_impact<D, T>(scene, motion, as_found, all, workspace, plain);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(found.t[rows[i]], all.t[i]);
    EXPECT_EQ(found.normal.row(rows[i]), all.normal.row(i));
    EXPECT_EQ(found.point.row(rows[i]), all.point.row(i));
    EXPECT_EQ(found.depth[rows[i]], all.depth[i]);
    EXPECT_EQ(found.feature[rows[i]], all.feature[i]);
    EXPECT_EQ(found.status[rows[i]], all.status[i]);
  }
  EXPECT_GT(met, kBodies / 8);
}

/// The allowed pairs without those of two unbounded shapes.
template <int D, class T>
std::vector<Pair> pairs_that_can_meet(const SceneColumns<D, T>& scene) {
  const SceneLayout layout = layout_of(scene);
  std::vector<Pair> pairs = allowed_pairs(scene);
  std::erase_if(pairs, [&](const Pair pair) {
    return !can_be_cast(layout.kind_of(pair.a), layout.kind_of(pair.b), D);
  });
  return pairs;
}

TEST(impact_scenes, the_earliest_of_all_allowed_pairs) {
  in_every_dimension_and_precision([]<int D, class T>() {
    for (const double margin : {0.0, 0.05}) {
      for (const StartOverlap start : {StartOverlap::report, StartOverlap::pass}) {
        const MovingWorlds<D, T> worlds(scaled(60, 40), 11);
        const std::vector<ShapeTags> tags = tags_of(worlds.scene);
        const auto body_of = [&](std::int32_t id) {
          return tags[static_cast<std::size_t>(id)].body;
        };
        ShapeCastOptions options;
        options.margin = margin;
        options.start_overlap = start;
        std::vector<Pair> pairs;
        for (const Pair pair : pairs_that_can_meet(worlds.scene)) {
          if (body_of(pair.a) >= 0 || body_of(pair.b) >= 0) pairs.push_back(pair);
        }
        expect_earliest<D, T>(worlds.scene, worlds.motion(), pairs, body_of,
                              firsts<D, T>(worlds.scene, worlds.motion(), options), options);
      }
    }
  });
}

TEST(impact_scenes, kept_shapes_are_met_as_those_that_stand) {
  in_every_dimension_and_precision([]<int D, class T>() {
    MovingWorlds<D, T> worlds(scaled(50, 40), 21, 0);
    worlds.scene.excluded_owners.clear();  // those of both scenes count
    SceneColumns<D, T> walls;
    add_mixed(walls, {.count = 40, .seed = 22, .halfspace_count = 2});
    add_tags(walls, 2, 23);
    walls.excluded.clear();
    walls.excluded_owners.clear();
    walls.excluded_bodies.clear();
    StaticScene<D, T> kept;
    Workspace<D, T> workspace;
    // Moving shapes name the point sets of the kept scene: those of both.
    SceneSpan<D, T> scene = worlds.scene;
    const std::int64_t sets = [&] {
      const auto& own = walls.geometries.offsets;
      return own.empty() ? 0 : static_cast<std::int64_t>(own.size()) - 1;
    }();
    SceneColumns<D, T> named = worlds.scene;
    const auto append_sets = [&](const auto& from, auto& to) {
      const std::int64_t before = static_cast<std::int64_t>(to.vertices.size());
      for (std::size_t v = 0; v < from.vertices.size(); ++v) {
        to.vertices.push_back(from.vertices.row(v));
      }
      if (to.offsets.empty() && !from.offsets.empty()) to.offsets.push_back(0);
      for (std::size_t s = 1; s < from.offsets.size(); ++s) {
        to.offsets.push_back(before + from.offsets[s]);
      }
    };
    append_sets(worlds.scene.geometries, walls.geometries);
    with_table(named, D == 2 ? Kind::polygon : Kind::hull, [&](auto& table) {
      if constexpr (requires { table.geometry; }) {
        for (std::size_t row = 0; row < row_count(table); ++row) {
          table.geometry(row) += static_cast<std::int32_t>(sets);
        }
      }
    });
    scene = named;
    scene.geometries = {};
    build_static_scene(walls, kept, workspace);
    scene.kept = &kept;
    const std::int32_t moving = layout_of(named).shape_count();
    const std::vector<ShapeTags> tags = tags_of(worlds.scene);
    const auto body_of = [&](std::int32_t id) {
      return id < moving ? tags[static_cast<std::size_t>(id)].body : -1;
    };
    for (const bool is_among_moving : {false, true}) {
      ShapeCastOptions options;
      options.moving_pairs = is_among_moving;
      const ImpactHits<D, T> found = firsts<D, T>(scene, worlds.motion(), options);
      std::vector<Pair> pairs;
      if (is_among_moving) {
        for (const Pair pair : pairs_that_can_meet(worlds.scene)) {
          if (body_of(pair.a) >= 0 || body_of(pair.b) >= 0) pairs.push_back(pair);
        }
      }
      const std::vector<ShapeTags> wall_tags = tags_of(walls);
      for (std::int32_t a = 0; a < moving; ++a) {
        if (body_of(a) < 0) continue;
        const ShapeTags& p = tags[static_cast<std::size_t>(a)];
        // A kept shape is fixed, and its bodies are others.
        if (p.fixed != 0) continue;
        for (std::int32_t w = 0; w < static_cast<std::int32_t>(wall_tags.size()); ++w) {
          const ShapeTags& q = wall_tags[static_cast<std::size_t>(w)];
          const bool is_world = p.world == q.world || p.world == -1 || q.world == -1;
          const bool is_masked = (p.category & q.mask) != 0 && (q.category & p.mask) != 0;
          const bool is_own = p.owner >= 0 && p.owner == q.owner;
          if (is_world && is_masked && !is_own) pairs.push_back({a, moving + w});
        }
      }
      expect_earliest<D, T>(scene, worlds.motion(), pairs, body_of, found, options);
    }
  });
}

TEST(impact_scenes, near_misses_of_points_are_candidates) {
  // A point passes a ball of radius 100, or a second point, by less than the tolerance of the pair,
  // which goes by the ball or by how far the point goes: 100.
  in_every_dimension_and_precision([]<int D, class T>() {
    for (const double radius : {100.0, 0.0}) {
      SceneColumns<D, T> ball_alone, point_alone, both;
      const auto add = [&](SceneColumns<D, T>& scene, double size, std::int32_t body) {
        append(scene, ball<D>({}, size));
        balls(scene).body.push_back(body);
      };
      add(ball_alone, radius, -1);
      add(point_alone, 0, 0);
      add(both, radius, -1);
      add(both, 0, 0);
      Point<D> start{}, end{};
      start[0] = -50;
      end[0] = 50;
      start[1] = end[1] = radius + 0.004;
      for (SceneColumns<D, T>* scene : {&point_alone, &both}) {
        scene->bodies.position.push_back(as_row<D, PositionOf<T>>(start));
      }
      Column<PositionOf<T>, D> position_end;
      position_end.push_back(as_row<D, PositionOf<T>>(end));
      Motion<D, T> motion;
      motion.position_end = position_end;
      Workspace<D, T> workspace;
      ImpactHits<D, T> hits;
      time_of_impact<D, T>(both, motion, std::vector<Pair>{{0, 1}}, hits, workspace);
      ASSERT_EQ(hits.pair[0], (Pair{0, 1}));
      EXPECT_EQ(hash(firsts<D, T>(both, motion)), hash(hits));
      StaticScene<D, T> kept;
      build_static_scene(ball_alone, kept, workspace);
      SceneSpan<D, T> beside = point_alone;
      beside.kept = &kept;
      const ImpactHits<D, T> first = firsts<D, T>(beside, motion);
      EXPECT_EQ(first.pair[0], (Pair{1, 0}));
      EXPECT_EQ(first.t[0], hits.t[0]);
    }
  });
}

TEST(impact_scenes, halfspaces_that_turn_meet_shapes_however_far_away) {
  // In double up to 1e75. The halfspace below y = 0 turns by half of a right angle about the
  // origin, so that its border passes a ball at 22.5 degrees.
  constexpr double kFar = 1e60;
  SceneColumns<2, double> scene;
  append(scene, ball<2>({kFar, 0.41 * kFar}, 0.001 * kFar));
  append(scene, halfspace<2>({0, 1}, 0));
  scene.circles.body.push_back(-1);
  scene.halfspaces.body.push_back(0);
  scene.bodies.position.push_back({0, 0});
  scene.bodies.turn.push_back(0);
  Column<double> angle_end;
  angle_end.push_back(std::numbers::pi / 4);
  Motion<2, double> motion;
  motion.angle_end = angle_end;
  const ImpactHits<2, double> first = firsts<2, double>(scene, motion);
  EXPECT_EQ(first.pair[0], (Pair{0, 1}));
  // The line between both ends is at that angle in its middle, as tan(22.5 degrees) is 0.414.
  EXPECT_NEAR(first.t[0], 0.5, 0.01);
}

TEST(impact_scenes, threads_sets_and_other_pairs_change_no_bit) {
  in_every_dimension_and_precision([]<int D, class T>() {
    const MovingWorlds<D, T> worlds(scaled(80, 40), 31);
    std::vector<Pair> pairs;
    const SceneLayout layout = layout_of(worlds.scene);
    for (const Pair pair : allowed_pairs(worlds.scene)) {
      if (is_bounded(layout, pair.a) || is_bounded(layout, pair.b)) pairs.push_back(pair);
    }
    Random random(32);
    Workspace<D, T> workspace;
    ImpactHits<D, T> hits;
    ShapeCastOptions options;
    options.isa = usable_isas().front();
    options.threads.count = 1;
    time_of_impact(worlds.scene, worlds.motion(), pairs, hits, workspace, options);
    const std::uint64_t whole = hash(hits);
    const std::uint64_t first = hash(firsts<D, T>(worlds.scene, worlds.motion(), options));
    OwnThreads own{3};
    for (const Isa isa : usable_isas()) {
      for (const Threads& threads : all_threads(own)) {
        ShapeCastOptions other;
        other.isa = isa;
        other.threads = threads;
        ImpactHits<D, T> same;
        time_of_impact(worlds.scene, worlds.motion(), pairs, same, workspace, other);
        EXPECT_EQ(hash(same), whole);
        EXPECT_EQ(hash(firsts<D, T>(worlds.scene, worlds.motion(), other)), first);
      }
    }
    // Each tenth pair alone, and all in another order.
    std::vector<std::size_t> order(pairs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i-- > 1;) {
      std::swap(order[i], order[static_cast<std::size_t>(random.integer(0, static_cast<int>(i)))]);
    }
    std::vector<Pair> shuffled;
    for (const std::size_t i : order) shuffled.push_back(pairs[i]);
    ImpactHits<D, T> other;
    time_of_impact(worlds.scene, worlds.motion(), shuffled, other, workspace, options);
    for (std::size_t i = 0; i < order.size(); ++i) {
      ASSERT_EQ(other.t[i], hits.t[order[i]]);
      ASSERT_EQ(other.pair[i], hits.pair[order[i]]);
      ASSERT_EQ(other.normal.row(i), hits.normal.row(order[i]));
    }
    for (std::size_t i = 0; i < pairs.size(); i += 10) {
      const std::vector<Pair> alone{pairs[i]};
      time_of_impact(worlds.scene, worlds.motion(), alone, other, workspace, options);
      ASSERT_EQ(other.t[0], hits.t[i]);
      ASSERT_EQ(other.point.row(0), hits.point.row(i));
    }
  });
}

TEST(impact_scenes, worlds_that_are_left_out) {
  MovingWorlds<3, float> worlds(60, 41);
  const auto whole = firsts<3, float>(worlds.scene, worlds.motion());
  const std::vector<ShapeTags> tags = tags_of(worlds.scene);
  // A ball of world 1 becomes invalid.
  std::size_t wrong = 0;
  while (worlds.scene.spheres.world[wrong] != 1) ++wrong;
  worlds.scene.spheres.radius.set(wrong, {-1});
  // Another shape of it names a body that is not there.
  std::size_t lost = 0;
  while (worlds.scene.boxes.world[lost] != 1) ++lost;
  worlds.scene.boxes.body.set(lost, {1 << 30});
  std::vector<std::uint8_t> status(2), mask{1, 0};
  ShapeCastOptions by_status, by_mask;
  by_status.world_status = status;
  by_mask.world_mask = mask;
  const auto answered = firsts<3, float>(worlds.scene, worlds.motion(), by_status);
  EXPECT_EQ(status[0], 0);
  EXPECT_EQ(status[1], 1);
  EXPECT_EQ(hash(answered), hash(firsts<3, float>(worlds.scene, worlds.motion(), by_mask)));
  for (std::size_t body = 0; body < answered.size(); ++body) {
    const Pair pair = answered.pair[body];
    if (pair.a < 0) continue;
    EXPECT_NE(tags[static_cast<std::size_t>(pair.a)].world, 1);
    EXPECT_NE(tags[static_cast<std::size_t>(pair.b)].world, 1);
    EXPECT_GE(answered.t[body], whole.t[body]);
  }
}

TEST(impact_scenes, a_second_call_allocates_nothing_and_a_failing_one_leaves_nothing) {
  const MovingWorlds<3, float> worlds(40, 51);
  const SceneSpan<3, float> scene = worlds.scene;
  const Motion<3, float> motion = worlds.motion();
  const std::vector<Pair> pairs = pairs_that_can_meet(worlds.scene);
  ShapeCastOptions options;
  options.threads.count = 1;
  Workspace<3, float> workspace;
  ImpactHits<3, float> hits, first;
  const auto calls = [&] {
    time_of_impact(scene, motion, pairs, hits, workspace, options);
    first_impacts(scene, motion, first, workspace, options);
  };
  calls();
  const std::uint64_t whole = hash(first);
  const std::size_t bytes = workspace.bytes();
  EXPECT_EQ(count_allocations(calls), 0);
  EXPECT_EQ(workspace.bytes(), bytes);
  EXPECT_EQ(hash(first), whole);
  for (long n = 1;; n += n < 40 ? 1 : 7) {
    ImpactHits<3, float> partial;
    Workspace<3, float> fresh;
    const bool has_failed =
        fail_allocation(n, [&] { first_impacts(scene, motion, partial, fresh, options); });
    if (!has_failed) {
      EXPECT_EQ(hash(partial), whole);
      break;
    }
    ASSERT_EQ(partial.size(), 0u);
    first_impacts(scene, motion, partial, fresh, options);
    ASSERT_EQ(hash(partial), whole);
  }
  for (long n = 1;; n += n < 40 ? 1 : 7) {
    ImpactHits<3, float> partial = hits;
    Workspace<3, float> fresh;
    if (!fail_allocation(n,
                         [&] { time_of_impact(scene, motion, pairs, partial, fresh, options); })) {
      EXPECT_EQ(hash(partial), hash(hits));
      break;
    }
    ASSERT_EQ(partial.size(), 0u) << n;
  }
}

TEST(impact_scenes, more_pairs_than_the_cap_are_an_error) {
  const MovingWorlds<2, float> worlds(60, 61);
  ShapeCastOptions options;
  options.max_pairs = 3;
  Workspace<2, float> workspace;
  ImpactHits<2, float> hits;
  EXPECT_THROW(first_impacts(worlds.scene, worlds.motion(), hits, workspace, options),
               CapacityError);
  EXPECT_EQ(hits.size(), 0u);
  // What is left in the workspace are the bounds of ways; a stage must not take them for the scene.
  EXPECT_THROW(find_pairs(worlds.scene, workspace), Error);
}

}  // namespace
}  // namespace widephase::test
