// Rays in scenes: the nearest of all shapes, filters and worlds by their rules written out, and
// what must not change a bit of an answer.
// Labels: threads emulated-x86 emulated-arm dated other-compiler

#include <gtest/gtest.h>

#include <numeric>

#include "pipeline/narrow/workspace.hpp"
#include "support/asked_rays.hpp"
#include "support/error_of.hpp"
#include "support/executors.hpp"
#include "support/two_scenes.hpp"
#include "support/worlds_scene.hpp"

namespace widephase::test {
namespace {

/// Rays from within and about a scene, some of which start in shapes.
template <int D, class T>
RayColumns<D, T> rays_about(std::size_t count, double side, std::uint64_t seed,
                            std::int32_t worlds = 1) {
  Random random(seed);
  RayColumns<D, T> rays;
  for (std::size_t i = 0; i < count; ++i) {
    Ray<D> ray;
    // Neighbours share an origin, as a sensor's rays do; every third one goes along an axis.
    const Point<D> from = random.point<D>(0, side);
    const Point<D> along = random.direction<D>();
    for (int k = 0; k < D; ++k) {
      ray.origin[k] =
          i % 64 < 32 && i % 32 != 0 ? rays.origin(i - 1, k) : std::round(from[k] * 4) / 4;
      ray.direction[k] = i % 3 == 0 && k != 0 ? (i % 2 == 0 ? 0.0 : -0.0) : along[k];
    }
    if (ray.direction[0] == 0) ray.direction[0] = 1;
    if (random.chance(0.3)) ray.max_t = random.uniform(0, side);
    rays.add(ray, worlds == 1 ? 0 : random.integer(-1, worlds - 1));
  }
  return rays;
}

template <int D, class T>
SceneColumns<D, T> mixed_scene(std::size_t count, std::uint64_t seed) {
  SceneColumns<D, T> scene;
  add_mixed(scene, {.count = count, .seed = seed});
  return scene;
}
double side_of_scene(std::size_t count, int dimension) {
  return 1.2 * std::pow(static_cast<double>(count), 1.0 / dimension);
}

/// The least t, and the lowest id of those, over calls for each shape alone.
template <int D, class T>
void check_nearest(std::uint64_t seed, const CastOptions& options) {
  const std::size_t count = scaled(60, 20);
  const SceneColumns<D, T> scene = mixed_scene<D, T>(count, seed);
  const SceneLayout layout = layout_of(scene);
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  build_static_scene(scene, kept, workspace);
  const auto rays = rays_about<D, T>(200, side_of_scene(count, D), seed + 1);
  const RayHits<D, T> hits = answers(kept, rays.span(), RayPath::by_counts, options);
  RayHits<D, T> best;
  for (std::int32_t id = 0; id < layout.shape_count(); ++id) {
    // Alone: all others are of an owner that these rays leave out.
    SceneColumns<D, T> alone = scene;
    for_each_table(alone, [&](auto& table) {
      const int kind = static_cast<int>(std::remove_cvref_t<decltype(table)>::kind);
      for (std::int32_t row = 0; row < layout.count(static_cast<Kind>(kind)); ++row) {
        table.owner.push_back(layout.first[kind] + row == id ? 1 : 0);
      }
    });
    StaticScene<D, T> one;
    build_static_scene(alone, one, workspace);
    RaySpan<D, T> asked = rays.span();
    const std::int32_t others = 0;
    asked.filters.owner = ColumnSpan<std::int32_t>::repeated(&others, rays.size());
    const RayHits<D, T> own = answers(one, asked, RayPath::singles, options);
    if (id == 0) {
      best = own;
      continue;
    }
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const bool is_better = own.shape[i] == id && (best.shape[i] == -1 || own.t[i] < best.t[i]);
      if (!is_better) continue;
      best.shape[i] = own.shape[i];
      best.t[i] = own.t[i];
      best.normal.set(i, own.normal.row(i));
      best.point.set(i, own.point.row(i));
      best.feature[i] = own.feature[i];
      best.status[i] = own.status[i];
    }
  }
  EXPECT_EQ(hash(hits), hash(best));
  std::vector<std::uint8_t> any(rays.size(), 2);
  any_hit(kept, rays.span(), any, workspace, options);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    EXPECT_EQ(any[i], best.shape[i] >= 0 ? 1 : 0) << i;
  }
  EXPECT_GT(std::count_if(best.shape.begin(), best.shape.end(), [](auto id) { return id >= 0; }),
            40);
}

TEST(ray_scenes, the_nearest_of_all_shapes_is_hit) {
  for (const Inside inside : {Inside::hit, Inside::leave, Inside::exit}) {
    CastOptions options;
    options.inside = inside;
    check_nearest<2, float>(81, options);
    check_nearest<3, float>(82, options);
    check_nearest<2, double>(83, options);
    check_nearest<3, double>(84, options);
    check_nearest<2, Mixed>(85, options);
    check_nearest<3, Mixed>(86, options);
    options.margin = 0.125;
    check_nearest<2, float>(87, options);
    check_nearest<3, double>(88, options);
  }
}

/// The same shapes, the last row of each table first, have the same hits by other ids. Where a ray
/// meets two shapes at once each order has its own lowest id.
template <int D, class T>
void check_reversed_rows(const SceneColumns<D, T>& scene, const RayColumns<D, T>& rays,
                         const RayHits<D, T>& hits, const CastOptions& options) {
  const SceneLayout layout = layout_of(scene);
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  build_static_scene(rows_of(scene,
                             [](const auto& table) {
                               std::vector<std::size_t> rows(row_count(table));
                               std::iota(rows.rbegin(), rows.rend(), std::size_t{0});
                               return rows;
                             }),
                     kept, workspace);
  const RayHits<D, T> other = answers(kept, rays.span(), RayPath::by_counts, options);
  std::size_t ties = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    ASSERT_EQ(hits.t[i], other.t[i]) << i;
    std::int32_t id = other.shape[i];
    if (id >= 0) {
      const auto kind = static_cast<std::size_t>(layout.kind_of(id));
      id = layout.first[kind] + layout.first[kind + 1] - 1 - id;
    }
    if (id != hits.shape[i]) {
      ++ties;
      continue;
    }
    ASSERT_EQ(hits.status[i], other.status[i]) << i;
    ASSERT_EQ(hits.feature[i], other.feature[i]) << i;
    ASSERT_EQ(hits.normal.row(i), other.normal.row(i)) << i;
    ASSERT_EQ(hits.point.row(i), other.point.row(i)) << i;
  }
  EXPECT_LT(ties, rays.size() / 4);
}

/// Packets, single rays, other orders, sets, threads.
template <int D, class T>
void check_same_bits(std::uint64_t seed) {
  const std::size_t count = scaled(3000, 600);
  const SceneColumns<D, T> scene = mixed_scene<D, T>(count, seed);
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  build_static_scene(scene, kept, workspace);
  const auto rays = rays_about<D, T>(scaled(2700, 1500), side_of_scene(count, D), seed + 1);
  CastOptions options;
  options.threads.count = 1;
  options.isa = usable_isas().front();
  for (const Inside inside : {Inside::hit, Inside::leave, Inside::exit}) {
    options.inside = inside;
    const RayHits<D, T> hits = answers(kept, rays.span(), RayPath::packets, options);
    const std::uint64_t expected = hash(hits);
    for (const Isa isa : usable_isas()) {
      CastOptions other = options;
      other.isa = isa;
      for (const RayPath path : {RayPath::packets, RayPath::singles, RayPath::by_counts}) {
        EXPECT_EQ(hash(answers(kept, rays.span(), path, other)), expected)
            << isa_name(isa) << ", path " << static_cast<int>(path);
      }
      for (const int threads : kThreadCounts) {
        other.threads.count = threads;
        EXPECT_EQ(hash(answers(kept, rays.span(), RayPath::by_counts, other)), expected)
            << threads << " threads";
      }
      std::vector<std::uint8_t> any(rays.size(), 2);
      for (const RayPath path : {RayPath::packets, RayPath::singles}) {
        workspace.state().rays.path = path;
        any_hit(kept, rays.span(), any, workspace, other);
        for (std::size_t i = 0; i < rays.size(); ++i) {
          ASSERT_EQ(any[i] != 0, hits.shape[i] >= 0) << i;
        }
      }
    }
    // In another order: those that were together are with others.
    Random random(seed + 2);
    std::vector<std::size_t> order(rays.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random.bits() % i]);
    }
    RayColumns<D, T> shuffled;
    for (const std::size_t i : order) {
      shuffled.origin.push_back(rays.origin.row(i));
      shuffled.direction.push_back(rays.direction.row(i));
      shuffled.max_t.push_back(rays.max_t[i]);
      shuffled.world.push_back(rays.world[i]);
    }
    for (const RayPath path : {RayPath::packets, RayPath::by_counts}) {
      const RayHits<D, T> other = answers(kept, shuffled.span(), path, options);
      RayHits<D, T> back = hits;
      for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t row = order[i];
        back.shape[row] = other.shape[i];
        back.t[row] = other.t[i];
        back.normal.set(row, other.normal.row(i));
        back.point.set(row, other.point.row(i));
        back.feature[row] = other.feature[i];
        back.status[row] = other.status[i];
      }
      EXPECT_EQ(hash(back), expected);
    }
    check_reversed_rows<D, T>(scene, rays, hits, options);
  }
}

TEST(ray_scenes, the_way_through_the_tree_changes_no_bit) {
  check_same_bits<2, float>(91);
  check_same_bits<3, float>(92);
  check_same_bits<2, double>(93);
  check_same_bits<3, double>(94);
  check_same_bits<2, Mixed>(95);
  check_same_bits<3, Mixed>(96);
}

TEST(ray_scenes, of_equal_shapes_the_lowest_is_hit) {
  // 4,096 unit balls at the origin: all are met at once.
  SceneColumns<3, float> scene;
  for (int i = 0; i < 4096; ++i) append(scene, ball<3>({0, 0, 0}, 1));
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene(scene, kept, workspace);
  RayColumns<3, float> rays;
  for (int i = 0; i < 40; ++i) rays.add({{-3, 0.01 * i, 0}, {1, 0, 0}});
  for (const RayPath path : {RayPath::packets, RayPath::singles}) {
    const RayHits<3, float> hits = answers(kept, rays.span(), path);
    for (std::size_t i = 0; i < rays.size(); ++i) EXPECT_EQ(hits.shape[i], 0);
    EXPECT_EQ(hits.t[0], 2);
    // From within all of them: the start, nothing, and the way out of each.
    RayColumns<3, float> from_within;
    for (int i = 0; i < 40; ++i) from_within.add({{0, 0, 0}, {0, 0.25, 0}});
    for (const Inside inside : {Inside::hit, Inside::leave, Inside::exit}) {
      CastOptions options;
      options.inside = inside;
      const RayHits<3, float> inner = answers(kept, from_within.span(), path, options);
      EXPECT_EQ(inner.shape[39], inside == Inside::leave ? -1 : 0);
      EXPECT_EQ(inner.t[39], inside == Inside::hit    ? 0
                             : inside == Inside::exit ? 4
                                                      : std::numeric_limits<float>::max());
    }
  }
}

/// Worlds, categories, masks, owners, bodies and excluded pairs: by a scene of only what remains.
template <int D, class T>
void check_filters(std::uint64_t seed) {
  const std::size_t count = scaled(400, 100);
  SceneColumns<D, T> scene = worlds_scene<D, T>(count, seed);
  const SceneLayout layout = layout_of(scene);
  const std::vector<ShapeTags> tags = tags_of(scene);
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  build_static_scene(scene, kept, workspace);
  RayColumns<D, T> rays = rays_about<D, T>(
      scaled(300, 100), 0.45 * std::pow(static_cast<double>(count), 1.0 / D), seed + 1, kWorlds);
  Random random(seed + 3);
  Column<std::uint32_t> category, mask;
  Column<std::int32_t> owner, body;
  Column<std::int32_t, 2> excluded, excluded_owners{{1, 2}};
  for (std::size_t i = 0; i < rays.size(); ++i) {
    category.push_back(1u << random.integer(0, 3));
    mask.push_back(static_cast<std::uint32_t>(random.integer(1, 15)));
    owner.push_back(random.integer(-1, 3));
    body.push_back(random.integer(-1, 3));
    excluded.push_back({random.integer(0, layout.shape_count() - 1), static_cast<int>(i)});
  }
  RaySpan<D, T> asked = rays.span();
  asked.filters.category = category;
  asked.filters.mask = mask;
  asked.filters.owner = owner;
  asked.filters.body = body;
  asked.filters.excluded = excluded;
  asked.filters.excluded_owners = excluded_owners;
  const RayHits<D, T> hits = answers(kept, asked);
  const RayHits<D, T> alone = answers(kept, asked, RayPath::singles);
  EXPECT_EQ(hash(hits), hash(alone));
  const auto are_listed = [&](std::int32_t a, std::int32_t b) {
    const auto in = [&](const Column<std::int32_t, 2>& list) {
      for (std::size_t i = 0; i < list.size(); ++i) {
        if ((list(i, 0) == a && list(i, 1) == b) || (list(i, 0) == b && list(i, 1) == a)) {
          return true;
        }
      }
      return false;
    };
    return a != -1 && b != -1 && (in(excluded_owners) || in(scene.excluded_owners));
  };
  const auto may_meet = [&](std::int32_t id, std::size_t ray) {
    const ShapeTags& shape = tags[static_cast<std::size_t>(id)];
    const std::int32_t world = rays.world[ray];
    return (shape.world == world || shape.world == -1 || world == -1) &&
           (shape.category & mask[ray]) != 0 && (category[ray] & shape.mask) != 0 &&
           (shape.owner != owner[ray] || shape.owner == -1) &&
           (shape.body != body[ray] || shape.body == -1) && excluded(ray, 0) != id &&
           !are_listed(shape.owner, owner[ray]);
  };
  // One call per shape and all rays, without filters.
  SceneColumns<D, T> plain = scene;
  for_each_table(plain, [&](auto& table) {
    table.world.clear();
    table.category.clear();
    table.mask.clear();
    table.owner.clear();
    table.body.clear();
    for (std::size_t row = 0; row < row_count(table); ++row) {
      const int kind = static_cast<int>(std::remove_cvref_t<decltype(table)>::kind);
      table.world.push_back(layout.first[kind] + static_cast<int>(row));
    }
  });
  plain.excluded_owners.clear();
  StaticScene<D, T> apart;
  build_static_scene(plain, apart, workspace);
  std::vector<SizeOf<T>> best(rays.size(), 0);
  std::vector<std::int32_t> shape(rays.size(), -1);
  RaySpan<D, T> each = rays.span();
  for (std::int32_t id = 0; id < layout.shape_count(); ++id) {
    each.filters.world = ColumnSpan<std::int32_t>::repeated(&id, rays.size());
    const RayHits<D, T> own = answers(apart, each);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      if (own.shape[i] != id || !may_meet(id, i)) continue;
      if (shape[i] != -1 && best[i] <= own.t[i]) continue;
      shape[i] = id;
      best[i] = own.t[i];
    }
  }
  int found = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    ASSERT_EQ(hits.shape[i], shape[i]) << i;
    if (shape[i] != -1) {
      ASSERT_EQ(hits.t[i], best[i]);
    }
    found += shape[i] != -1 ? 1 : 0;
  }
  EXPECT_GT(found, 10);

  // Worlds that a mask leaves out.
  std::vector<std::uint8_t> wanted(kWorlds), status(kWorlds, 9);
  for (std::size_t w = 0; w < wanted.size(); ++w) wanted[w] = w % 2;
  CastOptions options;
  options.world_mask = wanted;
  options.world_status = status;
  const RayHits<D, T> masked = answers(kept, rays.span(), RayPath::by_counts, options);
  const RayHits<D, T> all = answers(kept, rays.span());
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const std::int32_t world = rays.world[i];
    if (world >= 0 && wanted[static_cast<std::size_t>(world)] == 0) {
      EXPECT_EQ(masked.shape[i], -1);
      EXPECT_EQ(masked.t[i], rays.max_t[i]);
    } else if (world >= 0) {
      EXPECT_EQ(masked.shape[i], all.shape[i]);
    } else if (masked.shape[i] >= 0) {
      const std::int32_t of = tags[static_cast<std::size_t>(masked.shape[i])].world;
      EXPECT_TRUE(of == -1 || of % 2 == 1);
    }
  }
  for (std::size_t w = 0; w < wanted.size(); ++w) EXPECT_EQ(status[w], w % 2 == 1 ? 0 : 2);
}

TEST(ray_scenes, filters_and_worlds_by_their_rules) {
  check_filters<2, float>(101);
  check_filters<3, float>(102);
  check_filters<3, double>(103);
  check_filters<2, double>(104);
}

TEST(ray_scenes, a_static_part_is_shared_by_all_worlds) {
  // A floor of world -1 below the balls of worlds 0 and 1: rays down meet their own ball first.
  SceneColumns<3, float> scene;
  append(scene, ball<3>({0, 0, 2}, 1));
  append(scene, ball<3>({5, 0, 2}, 1));
  scene.spheres.world = {0, 1};
  append(scene, aabb<3>({-9, -9, -1}, {9, 9, 0}));
  append(scene, halfspace<3>({0, 0, 1}, -4));
  scene.aabbs.world = {-1};
  scene.halfspaces.world = {-1};
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene(scene, kept, workspace);
  RayColumns<3, float> rays;
  for (const std::int32_t world : {0, 1, 7, -1}) {
    rays.add({{0, 0, 9}, {0, 0, -1}}, world);
    rays.add({{5, 0, 9}, {0, 0, -1}}, world);
    rays.add({{20, 0, 9}, {0, 0, -1}}, world);
  }
  const RayHits<3, float> hits = answers(kept, rays.span());
  // 0 and 1 are the balls, 2 the floor, 3 the halfspace; 9 - 3, 9 - 0 and 9 + 4 away.
  const std::int32_t shapes[] = {0, 2, 3, 2, 1, 3, 2, 2, 3, 0, 1, 3};
  const float times[] = {6, 9, 13, 9, 6, 13, 9, 9, 13, 6, 6, 13};
  for (std::size_t i = 0; i < rays.size(); ++i) {
    EXPECT_EQ(hits.shape[i], shapes[i]) << i;
    EXPECT_EQ(hits.t[i], times[i]) << i;
    EXPECT_EQ(hits.normal(i, 2), 1) << i;
  }
}

TEST(ray_scenes, nothing_to_meet_and_nothing_to_ask) {
  Workspace<3, float> workspace;
  StaticScene<3, float> empty;
  RayColumns<3, float> rays;
  RayHits<3, float> hits;
  cast_rays(empty, rays.span(), hits, workspace);
  EXPECT_EQ(hits.size(), 0u);
  any_hit(empty, rays.span(), {}, workspace);
  rays.add({{1, 2, 3}, {0, 0, 4}, 2.5});
  rays.add({{1, 2, 3}, {0, 0, 4}});
  cast_rays(empty, rays.span(), hits, workspace);
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits.shape[0], -1);
  EXPECT_EQ(hits.t[0], 2.5f);
  EXPECT_EQ(hits.point(0, 2), 13);
  EXPECT_EQ(hits.status[0], static_cast<std::uint8_t>(CastStatus::none));
  EXPECT_EQ(hits.normal(0, 2), 0);
  RaySpan<3, float> endless = rays.span();
  endless.max_t = {};
  cast_rays(empty, endless, hits, workspace);
  EXPECT_EQ(hits.t[1], std::numeric_limits<float>::max());
  EXPECT_EQ(hits.point(1, 2), 3);
  SceneColumns<3, float> nothing;
  StaticScene<3, float> kept;
  build_static_scene(nothing, kept, workspace);
  cast_rays(kept, endless, hits, workspace);
  EXPECT_EQ(hits.shape[0], -1);
  CastOptions options;
  options.wants_normals = false;
  cast_rays(kept, endless, hits, workspace, options);
  EXPECT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits.normal.size() + hits.point.size() + hits.feature.size(), 0u);
}

template <class Call>
std::string finding_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ray_scenes, errors_name_array_and_row) {
  SceneColumns<3, float> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene(scene, kept, workspace);
  RayHits<3, float> hits;
  RayColumns<3, float> rays;
  for (int i = 0; i < 3; ++i) rays.add({{-3, 0, 0}, {1, 0, 0}, 5});
  const auto said = [&](const RayColumns<3, float>& wrong, CastOptions options = {}) {
    return finding_of([&] { cast_rays(kept, wrong.span(), hits, workspace, options); });
  };
  EXPECT_EQ(said(rays), "no error");
  const float none = std::numeric_limits<float>::quiet_NaN();
  RayColumns<3, float> wrong = rays;
  wrong.origin(1, 2) = none;
  EXPECT_EQ(said(wrong), "origin[1] is nan along axis 2; it must be finite");
  EXPECT_EQ(hits.size(), 0u);
  wrong = rays;
  wrong.direction(2, 0) = 0;
  EXPECT_EQ(said(wrong).substr(0, 43), "direction[2] must be finite and of a length");
  wrong.direction(2, 0) = std::numeric_limits<float>::infinity();
  EXPECT_EQ(said(wrong).substr(0, 12), "direction[2]");
  wrong = rays;
  wrong.max_t[0] = -1;
  EXPECT_EQ(said(wrong), "max_t[0] is -1; it must be a finite number >= 0");
  wrong.max_t[0] = none;
  EXPECT_EQ(said(wrong).substr(0, 8), "max_t[0]");
  wrong = rays;
  wrong.max_t.resize_uninitialized(2);
  EXPECT_EQ(said(wrong), "max_t has 2 rows; give one per ray (3) or none");
  wrong = rays;
  wrong.direction.resize_uninitialized(1);
  EXPECT_EQ(said(wrong), "direction has 1 rows; give one per ray (3)");
  wrong = rays;
  wrong.world[1] = -2;
  EXPECT_EQ(said(wrong).substr(0, 14), "world[1] is -2");
  CastOptions options;
  options.margin = -1;
  EXPECT_EQ(said(rays, options).substr(0, 12), "margin is -1");
  options = {};
  options.steadiness = 1;
  EXPECT_EQ(said(rays, options).substr(0, 10), "steadiness");
  std::vector<std::uint8_t> few(2);
  EXPECT_EQ(finding_of([&] { any_hit(kept, rays.span(), few, workspace); }),
            "hits has 2 entries for 3 rays");

  // An invalid ray of a high world is told without memory for all worlds below.
  wrong = rays;
  wrong.world[2] = std::numeric_limits<std::int32_t>::max();
  wrong.direction(2, 0) = 0;
  const std::size_t bytes = workspace.bytes();
  EXPECT_EQ(said(wrong).substr(0, 12), "direction[2]");
  EXPECT_EQ(workspace.bytes(), bytes);

  // With a status the world of an invalid ray is left out, and the others are answered.
  wrong = rays;
  wrong.world = {0, 1, 1};
  wrong.direction(2, 0) = none;
  std::vector<std::uint8_t> status(2, 9);
  options = {};
  options.world_status = status;
  EXPECT_EQ(said(wrong, options), "no error");
  EXPECT_EQ(status[0], 0);
  EXPECT_EQ(status[1], 1);
  EXPECT_EQ(hits.shape[0], 0);
  EXPECT_EQ(hits.shape[1], -1);

  SceneColumns<3, float> periodic = scene;
  periodic.domain.min = {-9, -9, -9};
  periodic.domain.max = {9, 9, 9};
  periodic.domain.periodic = {true, false, false};
  StaticScene<3, float> around;
  build_static_scene(periodic, around, workspace);
  EXPECT_EQ(finding_of([&] { cast_rays(around, rays.span(), hits, workspace); }),
            "domain is periodic; rays go through scenes without periodic axes");
}

TEST(ray_scenes, an_origin_for_all_rays_is_a_column_of_stride_0) {
  SceneColumns<2, float> scene;
  append(scene, ball<2>({0, 0}, 1));
  Workspace<2, float> workspace;
  StaticScene<2, float> kept;
  build_static_scene(scene, kept, workspace);
  const float origin[2] = {-3, 0}, directions[3][2] = {{1, 0}, {0, 1}, {2, 0}};
  RaySpan<2, float> rays;
  rays.origin = ColumnSpan<float, 2>::repeated(origin, 3);
  rays.direction = ColumnSpan<float, 2>::interleaved(directions[0], 3);
  RayHits<2, float> hits;
  CastStats stats;
  CastOptions options;
  options.stats = &stats;
  cast_rays(kept, rays, hits, workspace, options);
  EXPECT_EQ(hits.t[0], 2);
  EXPECT_EQ(hits.shape[1], -1);
  EXPECT_EQ(hits.t[2], 1);
  EXPECT_EQ(stats.rays, 3);
  EXPECT_EQ(stats.hits, 2);
}

}  // namespace
}  // namespace widephase::test
