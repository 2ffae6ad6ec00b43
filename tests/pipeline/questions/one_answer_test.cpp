// Every question in bulk has the same bits in a world alone and among others, on any threads and by
// any instruction set.
// Labels: threads

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include <widephase/widephase.hpp>

#include "support/casts.hpp"
#include "support/executors.hpp"
#include "support/rays.hpp"
#include "support/two_scenes.hpp"

namespace widephase::test {
namespace {

constexpr std::int32_t kWorlds = 2, kBodiesAWorld = 8;
constexpr std::int32_t kBodies = (kWorlds + 1) * kBodiesAWorld;  // of world -1 first

/// What is asked, and what its rows are called in the whole.
template <int D, class T>
struct Asked {
  SceneColumns<D, T> kept, moving;
  std::vector<std::int32_t> kept_ids, moving_ids;
  CastColumns<D, T> ways;  ///< a row per moving shape
  Column<PositionOf<T>, D> position_end;
  Column<SizeOf<T>, D == 2 ? 1 : 4> turn_end;
  RayColumns<D, T> rays;
  Column<PositionOf<T>, D> points;  ///< in the worlds of the rays
  std::vector<std::size_t> ray_rows;
};

template <int D, class T>
std::vector<std::int32_t> worlds_of(const SceneColumns<D, T>& scene) {
  std::vector<std::int32_t> worlds;
  for_each_table(scene, [&](const auto& table) {
    for (std::size_t row = 0; row < row_count(table); ++row) worlds.push_back(table.world[row]);
  });
  return worlds;
}

template <int D, class T>
Asked<D, T> whole_of(std::size_t count, std::uint64_t seed) {
  const TwoScenes<D, T> two(mixed_scene<D, T>(count, seed, 0), 3);
  Asked<D, T> asked;
  asked.kept = two.kept;
  asked.moving = two.moving;
  for (SceneColumns<D, T>* scene : {&asked.moving, &asked.kept}) {
    for_each_table(*scene, [&](auto& table) {
      constexpr bool kTurns = std::remove_cvref_t<decltype(table)>::kind != Kind::aabb;
      for (std::size_t row = 0; row < row_count(table); ++row) {
        const auto at = static_cast<std::int32_t>(row);
        table.world.push_back(at % (kWorlds + 1) - 1);
        const std::int32_t body = kTurns ? at % kBodiesAWorld : 2 * (at % (kBodiesAWorld / 2)) + 1;
        if (scene == &asked.moving) {
          table.body.push_back((table.world[row] + 1) * kBodiesAWorld + body);
        }
      }
    });
  }
  Random random(seed + 1);
  for (std::int32_t body = 0; body < kBodies; ++body) {  // even ones turn
    const double angle = body % 2 == 0 ? random.uniform(-0.5, 0.5) : 0;
    asked.moving.bodies.position.push_back({});
    asked.position_end.push_back(as_row<D, PositionOf<T>>(random.point<D>(-1.5, 1.5)));
    if constexpr (D == 2) {
      asked.moving.bodies.turn.push_back(0);
      asked.turn_end.push_back(angle);
    } else {
      asked.moving.bodies.turn.push_back({0, 0, 0, 1});
      asked.turn_end.push_back(as_row<4, SizeOf<T>>({0, std::sin(angle), 0, std::cos(angle)}));
    }
  }
  const SceneLayout of_kept = layout_of(asked.kept), of_moving = layout_of(asked.moving);
  for (std::int32_t id = 0; id < of_kept.shape_count(); ++id) asked.kept_ids.push_back(id);
  for (std::int32_t id = 0; id < of_moving.shape_count(); ++id) {
    asked.moving_ids.push_back(id);
    Point<D> along = random.direction<D>();
    for (double& x : along) x = random.chance(0.1) ? 0 : 3 * x;
    asked.ways.add(along, random.uniform(0.5, 2));
  }
  const double side = 1.2 * std::pow(static_cast<double>(count), 1.0 / D);
  for (std::size_t i = 0; i < 150; ++i) {
    Ray<D> ray;
    ray.origin = random.point<D>(0, side);
    ray.direction = random.direction<D>();
    asked.rays.add(ray, static_cast<std::int32_t>(i) % kWorlds);
    asked.points.push_back(as_row<D, PositionOf<T>>(random.point<D>(0, side)));
    asked.ray_rows.push_back(i);
  }
  return asked;
}

/// The shapes and rays of one world, with the shapes of world -1.
template <int D, class T>
Asked<D, T> alone_of(const Asked<D, T>& whole, std::int32_t world) {
  Asked<D, T> asked;
  const auto is_in = [&](std::int32_t other) { return other == world || other == -1; };
  const auto in_world = [&](const auto& table) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < row_count(table); ++row) {
      if (is_in(table.world[row])) rows.push_back(row);
    }
    return rows;
  };
  asked.kept = rows_of(whole.kept, in_world);
  asked.moving = rows_of(whole.moving, in_world);
  asked.moving.bodies = whole.moving.bodies;
  asked.position_end = whole.position_end;
  asked.turn_end = whole.turn_end;
  const std::vector<std::int32_t> kept = worlds_of(whole.kept), moving = worlds_of(whole.moving);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (is_in(kept[i])) asked.kept_ids.push_back(static_cast<std::int32_t>(i));
  }
  for (std::size_t i = 0; i < moving.size(); ++i) {
    if (!is_in(moving[i])) continue;
    asked.moving_ids.push_back(static_cast<std::int32_t>(i));
    asked.ways.direction.push_back(whole.ways.direction.row(i));
    asked.ways.max_t.push_back(whole.ways.max_t.row(i));
  }
  for (std::size_t i = 0; i < whole.rays.size(); ++i) {
    if (whole.rays.world[i] != world) continue;
    asked.rays.origin.push_back(whole.rays.origin.row(i));
    asked.rays.direction.push_back(whole.rays.direction.row(i));
    asked.rays.max_t.push_back(whole.rays.max_t[i]);
    asked.rays.world.push_back(world);
    asked.points.push_back(whole.points.row(i));
    asked.ray_rows.push_back(i);
  }
  return asked;
}

/// Question, whether it is of world -1, and row in the whole: the bits.
using Bits = std::map<std::tuple<std::string, bool, std::size_t>, std::vector<std::uint64_t>>;

/// Asks everything. Ids are those of the whole.
template <int D, class T>
Bits ask_all(const Asked<D, T>& asked, const CollideOptions& plain) {
  Bits bits;
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  build_static_scene(asked.kept, kept, workspace, plain);
  SceneSpan<D, T> moving = asked.moving;
  moving.kept = &kept;
  const std::vector<std::int32_t> worlds = worlds_of(asked.moving);
  const std::size_t count = worlds.size();
  const auto put = [&](const std::string& question, bool is_shared, std::size_t row,
                       const auto&... numbers) {
    std::vector<std::uint64_t>& to = bits[{question, is_shared, row}];
    const auto add = [&](double number) { to.push_back(std::bit_cast<std::uint64_t>(number)); };
    (add(static_cast<double>(numbers)), ...);
    return [&to](const auto& column, std::size_t from) {
      for (int k = 0; k < D; ++k) {
        to.push_back(std::bit_cast<std::uint64_t>(static_cast<double>(column(from, k))));
      }
    };
  };
  const auto kept_name = [&](std::int32_t id) {
    return id < 0 ? id : asked.kept_ids[static_cast<std::size_t>(id)];
  };
  // Kept shapes after all moving ones.
  const auto name = [&](std::int32_t id) {
    if (id < 0) return id;
    const auto at = static_cast<std::size_t>(id);
    return at < count ? asked.moving_ids[at] : 10000 + kept_name(id - static_cast<int>(count));
  };
  const auto put_hits = [&](const std::string& question, const auto& hits, std::size_t i,
                            bool is_shared, std::size_t row, std::int32_t shape) {
    const auto add =
        put(question, is_shared, row, shape, hits.t[i], hits.feature[i], hits.status[i]);
    add(hits.normal, i);
    add(hits.point, i);
  };

  CastOptions of_rays;
  static_cast<CollideOptions&>(of_rays) = plain;
  RayHits<D, T> ray_hits;
  for (const Inside inside : {Inside::hit, Inside::leave, Inside::exit}) {
    of_rays.inside = inside;
    const std::string mode = std::to_string(static_cast<int>(inside));
    cast_rays(kept, asked.rays.span(), ray_hits, workspace, of_rays);
    std::vector<std::uint8_t> any(asked.rays.size());
    any_hit(kept, asked.rays.span(), any, workspace, of_rays);
    for (std::size_t i = 0; i < any.size(); ++i) {
      const std::size_t row = asked.ray_rows[i];
      put_hits("cast_rays " + mode, ray_hits, i, false, row, kept_name(ray_hits.shape[i]));
      put("any_hit " + mode, false, row, any[i]);
    }
  }
  FilterSpan filters;
  filters.world = asked.rays.world;
  NearestHits<D, T> near;
  nearest_shapes(kept, asked.points, 3, std::numeric_limits<SizeOf<T>>::max(), filters, near,
                 workspace, plain);
  for (std::size_t i = 0; i < near.size(); ++i) {
    const auto add = put("nearest_shapes", false, 3 * asked.ray_rows[i / 3] + i % 3,
                         kept_name(near.shape[i]), near.distance[i]);
    add(near.normal, i);
    add(near.point, i);
  }
  std::vector<std::uint8_t> overlaps(count);
  any_overlap<D, T>(asked.moving, kept, overlaps, workspace, plain);
  ShapeCastOptions of_casts;
  static_cast<CollideOptions&>(of_casts) = plain;
  CastHits<D, T> casts;
  cast_shapes<D, T>(asked.moving, asked.ways.direction, asked.ways.max_t, kept, casts, workspace,
                    of_casts);
  // Every moving shape and the third after it of its world.
  std::vector<Pair> pairs;
  CastColumns<D, T> ways;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_shared = worlds[i] == -1;
    const auto row = static_cast<std::size_t>(asked.moving_ids[i]);
    put("any_overlap", is_shared, row, overlaps[i]);
    put_hits("cast_shapes", casts, i, is_shared, row, kept_name(casts.shape[i]));
    std::size_t other = i;
    for (int found = 0; found < 3 && ++other < count;) found += worlds[other] == worlds[i] ? 1 : 0;
    if (other == count) continue;
    const auto a = static_cast<std::int32_t>(i), b = static_cast<std::int32_t>(other);
    pairs.push_back(row % 2 == 0 ? Pair{a, b} : Pair{b, a});
    ways.direction.push_back(asked.ways.direction.row(i));
    ways.max_t.push_back(asked.ways.max_t.row(i));
  }
  cast_pairs(moving, pairs, ways.direction, ways.max_t, casts, workspace, of_casts);
  Motion<D, T> motion;
  motion.position_end = asked.position_end;
  if constexpr (D == 2) {
    motion.angle_end = asked.turn_end;
  } else {
    motion.orientation_end = asked.turn_end;
  }
  ImpactHits<D, T> impacts;
  time_of_impact(moving, motion, pairs, impacts, workspace, of_casts);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair pair = pairs[i];
    const bool is_shared = worlds[static_cast<std::size_t>(pair.a)] == -1;
    const auto row = static_cast<std::size_t>(name(pair.a) * 10000 + name(pair.b));
    put_hits("cast_pairs", casts, i, is_shared, row, name(casts.shape[i]));
    put_hits("time_of_impact", impacts, i, is_shared, row, name(impacts.pair[i].a));
  }
  first_impacts(moving, motion, impacts, workspace, of_casts);
  for (std::size_t body = 0; body < impacts.size(); ++body) {
    const bool is_shared = body < static_cast<std::size_t>(kBodiesAWorld);
    put_hits("first_impacts", impacts, body, is_shared, body, name(impacts.pair[body].a));
    put("first_impacts of", is_shared, body, name(impacts.pair[body].b));
  }
  return bits;
}

template <int D, class T>
void check(std::uint64_t seed) {
  const Asked<D, T> whole = whole_of<D, T>(240, seed);
  CollideOptions options;
  options.threads.count = 1;
  options.isa = usable_isas().front();
  const Bits expected = ask_all(whole, options);
  for (std::int32_t world = 0; world < kWorlds; ++world) {
    int compared = 0;
    for (const auto& [key, bits] : ask_all(alone_of(whole, world), options)) {
      const auto& [question, is_shared, row] = key;
      if (is_shared) continue;  // it meets the other world too
      // Bodies of the other world carry nothing.
      if (question.starts_with("first") &&
          static_cast<std::int32_t>(row) / kBodiesAWorld != world + 1) {
        continue;
      }
      const auto in_whole = expected.find(key);
      ASSERT_NE(in_whole, expected.end()) << question << ' ' << row;
      EXPECT_EQ(bits, in_whole->second) << question << ' ' << row << " in world " << world;
      ++compared;
    }
    EXPECT_GT(compared, 500);
  }
  for (const Isa isa : usable_isas()) {
    options.isa = isa;
    for (const int threads : kThreadCounts) {
      options.threads.count = threads;
      EXPECT_EQ(ask_all(whole, options), expected) << isa_name(isa) << ", " << threads;
    }
  }
}
TEST(one_answer, of_a_world_alone_or_not_on_any_threads_by_any_set) {
  check<2, float>(51);
  check<3, float>(52);
  check<3, double>(53);
}

}  // namespace
}  // namespace widephase::test
