// What a static scene's trees have been through changes no answer: the margin that it was built
// with, orders kept from step to step, and the order in which rays are sorted.
// Labels: threads

#include <gtest/gtest.h>

#include <cmath>

#include "support/asked_rays.hpp"
#include "support/executors.hpp"
#include "support/worlds_scene.hpp"

#include <widephase/nearest.hpp>

namespace widephase::test {
namespace {

/// Rays from places of a cube of a side along directions of any kind.
template <int D, class T>
RayColumns<D, T> rays_in(std::size_t count, double side, std::uint64_t seed, int worlds = 1) {
  Random random(seed);
  RayColumns<D, T> rays;
  for (std::size_t i = 0; i < count; ++i) {
    Ray<D> ray;
    ray.origin = random.point<D>(0, side);
    ray.direction = random.direction<D>();
    if (random.chance(0.3)) ray.max_t = random.uniform(0, side);
    rays.add(ray, worlds == 1 ? 0 : random.integer(-1, worlds - 1));
  }
  return rays;
}

/// Moves each shape by up to `most` along each axis.
template <int D, class T>
void move_all(SceneColumns<D, T>& scene, double most, Random& random) {
  const auto move = [&](auto& column) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      for (int k = 0; k < D; ++k) {
        column(i, k) += static_cast<SizeOf<T>>(random.uniform(-most, most));
      }
    }
  };
  for_each_table(scene, [&](auto& table) {
    if constexpr (requires { table.center; }) move(table.center);
  });
}

template <int D, class T>
void check_margins(std::uint64_t seed) {
  SceneColumns<D, T> scene;
  const std::size_t count = scaled(600, 200);
  add_mixed(scene, {.count = count, .seed = seed});
  const double side = 1.2 * std::pow(static_cast<double>(count), 1.0 / D);
  RayColumns<D, T> rays = rays_in<D, T>(scaled(3000, 1000), side, seed + 1);
  // Some along the sides of shapes' boxes, where the last bit decides.
  Workspace<D, T> workspace;
  for_each_table(scene, [&](const auto& table) {
    if constexpr (requires {
                    table.center;
                    table.radius;
                    table.radius.size();
                  }) {
      for (std::size_t i = 0; i < table.center.size() && table.radius.size() != 0; ++i) {
        Ray<D> ray;
        for (int k = 0; k < D; ++k) ray.origin[k] = static_cast<double>(table.center(i, k));
        ray.origin[0] -= 3;
        ray.origin[1] += static_cast<double>(table.radius[i]);
        ray.direction[0] = 1;
        for (int k = 1; k < D; ++k) ray.direction[k] = 0;
        rays.add(ray, 0);
      }
    }
  });
  StaticScene<D, T> kept;
  build_static_scene(scene, kept, workspace);
  for (const double asked : {0.0, 0.0625}) {
    CastOptions options;
    options.margin = asked;
    const std::uint64_t expected = hash(answers(kept, rays.span(), RayPath::by_counts, options));
    for (const double margin : {1e-3, 0.3}) {
      CollideOptions building;
      building.margin = margin;
      StaticScene<D, T> wider;
      build_static_scene(scene, wider, workspace, building);
      for (const RayPath path : {RayPath::packets, RayPath::singles}) {
        EXPECT_EQ(hash(answers(wider, rays.span(), path, options)), expected) << margin;
      }
      // Rows that are read again keep that so.
      const std::vector<std::int32_t> ids{0, 3, static_cast<std::int32_t>(count / 2)};
      update_static_scene(scene, ids, wider, workspace);
      EXPECT_EQ(hash(answers(wider, rays.span(), RayPath::by_counts, options)), expected);
    }
  }
}

TEST(kept_trees, rays_do_not_depend_on_the_margin_that_the_scene_was_built_with) {
  check_margins<2, float>(11);
  check_margins<3, float>(12);
  check_margins<2, double>(13);
  check_margins<3, double>(14);
  check_margins<3, Mixed>(15);
}

/// A scene that moves, built anew into one `StaticScene` in each step, with its order kept.
template <int D, class T>
void check_steps(SceneColumns<D, T> scene, double side, int worlds, std::uint64_t seed) {
  Random random(seed);
  const auto rays = rays_in<D, T>(scaled(600, 200), side, seed + 1, worlds);
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  CollideOptions keeping;
  keeping.keeps_order = true;
  NearestHits<D, T> near, expected_near;
  for (int step = 0; step < 36; ++step) {
    // A step with a jump, and one in which shapes go; the order of the latter is of no use.
    move_all(scene, step == 20 ? side : 0.05, random);
    if (step == 25) {
      scene.excluded.clear();
      for_each_table(scene, [&](auto& table) {
        if constexpr (requires {
                        table.center;
                        table.radius;
                      }) {
          for_each_field(table, [&](const auto&, auto& column) {
            if (column.size() > 1) column.resize_uninitialized(column.size() - 1);
          });
        }
      });
    }
    keeping.threads.count = step % 3 + 1;
    build_static_scene(scene, kept, workspace, keeping);
    StaticScene<D, T> anew;
    build_static_scene(scene, anew, workspace);
    const RayHits<D, T> hits = answers(kept, rays.span());
    ASSERT_EQ(hash(hits), hash(answers(anew, rays.span()))) << "step " << step;
    FilterSpan filters;
    filters.world = rays.world;
    const auto most = std::numeric_limits<SizeOf<T>>::max();
    nearest_shapes(kept, rays.origin, 2, most, filters, near, workspace);
    nearest_shapes(anew, rays.origin, 2, most, filters, expected_near, workspace);
    ASSERT_EQ(hash(near), hash(expected_near)) << "step " << step;
  }
  // Without the option all is sorted anew.
  build_static_scene(scene, kept, workspace);
  StaticScene<D, T> anew;
  build_static_scene(scene, anew, workspace);
  EXPECT_EQ(hash(answers(kept, rays.span())), hash(answers(anew, rays.span())));
}

TEST(kept_trees, an_order_that_is_kept_changes_no_bit) {
  // Worlds of a few shapes, and one of many.
  check_steps(worlds_scene<2, float>(400, 21), 10, kWorlds, 22);
  check_steps(worlds_scene<3, float>(400, 23), 6, kWorlds, 24);
  check_steps(worlds_scene<3, double>(300, 25), 6, kWorlds, 26);
  const std::size_t count = 700;
  const double side = 1.2 * std::cbrt(static_cast<double>(count));
  SceneColumns<3, float> many;
  add_mixed(many, {.count = count, .seed = 27});
  check_steps(many, side, 1, 28);
  SceneColumns<3, Mixed> mixed;
  add_mixed(mixed, {.count = count, .seed = 29});
  check_steps(mixed, side, 1, 30);
}

TEST(kept_trees, rays_that_are_sorted_have_the_answers_of_those_that_are_not) {
  // Rays are sorted from 4,096 of a world on, among 16,384 shapes.
  Random random(31);
  SceneColumns<3, float> scene;
  for (int i = 0; i < 17000; ++i) append(scene, ball<3>(random.point<3>(0, 40), 0.3));
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene(scene, kept, workspace);
  RayColumns<3, float> rays = rays_in<3, float>(10000, 40, 32);
  for (std::size_t i = 0; i < rays.size(); ++i) rays.world[i] = i % 8 == 0 ? 1 : 0;
  for (const bool has_mask : {false, true}) {
    CastOptions options;
    const std::vector<std::uint8_t> mask{1, 0};
    if (has_mask) options.world_mask = mask;
    for (const int threads : kThreadCounts) {
      options.threads.count = threads;
      const RayHits<3, float> hits = answers(kept, rays.span(), RayPath::by_counts, options);
      std::size_t met = 0;
      for (std::size_t first = 0; first < rays.size(); first += 1000) {
        RayColumns<3, float> part;
        for (std::size_t i = first; i < first + 1000; ++i) {
          part.origin.push_back(rays.origin.row(i));
          part.direction.push_back(rays.direction.row(i));
          part.max_t.push_back(rays.max_t[i]);
          part.world.push_back(rays.world[i]);
        }
        const RayHits<3, float> own = answers(kept, part.span(), RayPath::by_counts, options);
        for (std::size_t i = 0; i < 1000; ++i) {
          ASSERT_EQ(own.shape[i], hits.shape[first + i]);
          ASSERT_EQ(own.t[i], hits.t[first + i]);
          ASSERT_EQ(own.normal.row(i), hits.normal.row(first + i));
          met += own.shape[i] >= 0 ? 1 : 0;
        }
      }
      EXPECT_GT(met, 3000u);
    }
  }
}

}  // namespace
}  // namespace widephase::test
