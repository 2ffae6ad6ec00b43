// A ray through the shapes of several ranks has one machine's answer.
// Ranks: 7

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <widephase/hulls.hpp>

#include "mpi/ranks.hpp"
#include "scenes/random.hpp"
#include "scenes/scenes.hpp"

namespace widephase::test {
namespace {

/// Rays from within a box of side `side` and around it; every other one has an end.
template <int D, class T>
struct Rays {
  Column<PositionOf<T>, D> origin;
  Column<SizeOf<T>, D> direction;
  Column<SizeOf<T>> max_t;
  Column<std::uint32_t> mask;
  Column<std::int32_t, 2> excluded;

  RaySpan<D, T> span() const {
    RaySpan<D, T> rays{origin, direction, max_t, {}};
    rays.filters.mask = mask;
    rays.filters.excluded = excluded;
    return rays;
  }
};

template <int D, class T>
Rays<D, T> some_rays(std::size_t count, double side, std::int32_t shapes) {
  Rays<D, T> rays;
  scenes::Random random(9);
  for (std::size_t i = 0; i < count; ++i) {
    const auto from = random.point<D>(-0.2 * side, 1.2 * side), to = random.point<D>(0, side);
    std::array<PositionOf<T>, D> origin;
    std::array<SizeOf<T>, D> direction;
    for (std::size_t k = 0; k < D; ++k) {
      origin[k] = static_cast<PositionOf<T>>(from[k]);
      direction[k] = static_cast<SizeOf<T>>(to[k] - from[k]);
    }
    rays.origin.push_back(origin);
    rays.direction.push_back(direction);
    rays.max_t.push_back(static_cast<SizeOf<T>>(i % 2 == 0 ? 1000 : 0.1));
    rays.mask.push_back(i % 7 == 0 ? 0u : ~0u);
    rays.excluded.push_back({random.below(shapes), static_cast<std::int32_t>(i)});
  }
  return rays;
}

/// Expects one machine's hash on each of some ranks, before and after a step divides the world.
template <int D, class T>
void expect_one_hash(const SceneColumns<D, T>& scene, double side, Inside inside) {
  const Rays<D, T> rays = some_rays<D, T>(150, side, layout_of(scene).shape_count());
  CastOptions options;
  options.inside = inside;
  StaticScene<D, T> kept;
  Workspace<D, T> workspace;
  RayHits<D, T> expected;
  build_static_scene<D, T>(scene, kept, workspace);
  cast_rays<D, T>(kept, rays.span(), expected, workspace, options);
  EXPECT_GT(std::count_if(expected.shape.begin(), expected.shape.end(), [](auto id) { return id >= 0; }), 10);
  EXPECT_GT(std::count(expected.shape.begin(), expected.shape.end(), -1), 10);
  for (const int count : {1, 2, 3, 4, 7}) {
    on_ranks(count, [&](MPI_Comm ranks) {
      DistributedScene<D, T> distributed(ranks);
      distributed.take_whole(SceneSpan<D, T>(scene));
      RayHits<D, T> hits;
      distributed.cast_rays(rays.span(), hits, options);
      EXPECT_EQ(hash(hits), hash(expected)) << count << " ranks, as taken";
      ContactBuffer<D, T> contacts;
      distributed.step(contacts);
      distributed.cast_rays(rays.span(), hits, options);
      EXPECT_EQ(hash(hits), hash(expected)) << count << " ranks, divided";
    });
  }
}

TEST(rays, spheres_boxes_and_hulls_of_several_ranks_are_met_as_on_one) {
  const std::size_t count = scaled_count(500);
  expect_one_hash(scenes::generate<3, float>("uniform", {count, 3}), scenes::uniform_side<3>(count), Inside::hit);
}

TEST(rays, terrain_is_met_with_its_triangle_by_ranks_that_have_none) {
  expect_one_hash(scenes::generate<3, float>("terrain", {scaled_count(500), 3}), 10, Inside::hit);
}

TEST(rays, a_scene_in_the_plane_is_met_as_on_one_rank) {
  const std::size_t count = scaled_count(500);
  expect_one_hash(scenes::generate<2, double>("uniform", {count, 3}), scenes::uniform_side<2>(count), Inside::exit);
}

TEST(rays, bodies_carry_what_is_met) {
  SceneColumns<3, float> scene;
  for (int b = 0; b < 20; ++b) {
    scene.bodies.position.push_back({static_cast<float>(3 * b), 0, 0});
    for (int i = 0; i < 3; ++i) {
      scene.spheres.center.push_back({0, static_cast<float>(i), 0});
      scene.spheres.radius.push_back(0.6f);
      scene.spheres.body.push_back(b);
    }
  }
  Rays<3, float> rays;
  for (int i = 0; i < 30; ++i) {
    rays.origin.push_back({-5, 0.1f * static_cast<float>(i), 0});
    rays.direction.push_back({1, 0, 0});
    rays.max_t.push_back(100);
    rays.excluded.push_back({i, i});
  }
  StaticScene<3, float> kept;
  Workspace<3, float> workspace;
  RayHits<3, float> expected, hits;
  build_static_scene<3, float>(scene, kept, workspace);
  cast_rays<3, float>(kept, rays.span(), expected, workspace);
  on_ranks(3, [&](MPI_Comm ranks) {
    DistributedScene<3, float> distributed(ranks);
    distributed.take_whole(SceneSpan<3, float>(scene));
    ContactBuffer<3, float> contacts;
    distributed.step(contacts);
    const std::size_t bytes = distributed.stats().bytes;
    distributed.cast_rays(rays.span(), hits);
    EXPECT_EQ(hash(hits), hash(expected));
    distributed.step(contacts);
    EXPECT_GT(distributed.stats().bytes, bytes) << "what rays left is not counted";
  });
}

/// Hulls far from their bodies' and their own origins, and rays between them that end at some.
TEST(rays, hulls_apart_from_their_origin_are_met_as_on_one_rank) {
  SceneColumns<3, float> scene;
  const Column<float, 3> far{{1100, 0, 0}, {1101, 0, 0}, {1100.5f, 1, 0}, {1100.5f, 0.3f, 1}};
  add_hull(scene.geometries, far.span());
  Rays<3, float> rays;
  for (int i = 0; i < 60; ++i) {
    const double a = 0.3 * std::sin(i), b = 0.2 * std::cos(3 * i);
    scene.bodies.position.push_back({static_cast<float>(-1100 * std::cos(a + b) + i % 7),
                                     static_cast<float>(2 * i - 1100 * std::sin(a + b)), 0});
    scene.bodies.turn.push_back({0, 0, static_cast<float>(std::sin(a / 2)), static_cast<float>(std::cos(a / 2))});
    scene.hulls.center.push_back({0, 0, 0});
    scene.hulls.turn.push_back({0, 0, static_cast<float>(std::sin(b / 2)), static_cast<float>(std::cos(b / 2))});
    scene.hulls.geometry.push_back(0);
    scene.hulls.body.push_back(i);
    for (int k = 0; k < 3; ++k) {
      rays.origin.push_back({-20, 2 * static_cast<float>(i) + 0.3f, 0.1f + 0.2f * static_cast<float>(k)});
      rays.direction.push_back({1, 0.1f * static_cast<float>(k), 0});
      rays.max_t.push_back(100);
    }
  }
  StaticScene<3, float> kept;
  Workspace<3, float> workspace;
  RayHits<3, float> expected, hits;
  build_static_scene<3, float>(scene, kept, workspace);
  RaySpan<3, float> all = rays.span();
  // The first of each three rays is not for the body that it would meet, the second not for the next one.
  std::vector<std::int32_t> bodies;
  Column<std::int32_t, 2> pairs;
  for (int i = 0; i < 60; ++i) {
    bodies.insert(bodies.end(), {i, 100 + i, -1});
    pairs.push_back({100 + i, i});
  }
  for (const bool has_bodies : {false, true}) {
    if (has_bodies) {
      all.filters.body = bodies;
      all.filters.excluded_bodies = pairs;
    }
    cast_rays<3, float>(kept, all, expected, workspace);
    EXPECT_GT(std::count_if(expected.shape.begin(), expected.shape.end(), [](auto id) { return id >= 0; }), has_bodies ? 30 : 90);
    on_ranks(3, [&](MPI_Comm ranks) {
      Bricks bricks(3, {{{-1050}, {}, {}}});
      DistributedOptions how;
      how.partition = &bricks;
      DistributedScene<3, float> distributed(ranks, how);
      distributed.take_whole(SceneSpan<3, float>(scene));
      distributed.cast_rays(all, hits);
      EXPECT_EQ(hash(hits), hash(expected)) << "with bodies: " << has_bodies;
    });
  }
}

TEST(rays, of_equal_t_the_lowest_id_wins_whoever_has_it) {
  SceneColumns<3, float> scene;
  constexpr int kSpheres = 30, kPlaces = 5;
  for (int i = 0; i < kSpheres; ++i) {
    scene.spheres.center.push_back({static_cast<float>(4 * (i % kPlaces)), 0, 0});
    scene.spheres.radius.push_back(1);
    scene.spheres.body.push_back(i);
    scene.halfspaces.normal.push_back({0, 0, 1});
    scene.halfspaces.offset.push_back(-10);
    scene.halfspaces.body.push_back(kSpheres + i);
  }
  Rays<3, float> rays;
  std::vector<std::int32_t> bodies;
  std::vector<std::int32_t> expected_shapes;
  const SceneLayout layout = layout_of(scene);
  const auto first_of = [&](Kind kind) { return layout.first[static_cast<std::size_t>(kind)]; };
  const std::int32_t sphere = first_of(Kind::sphere), halfspace = first_of(Kind::halfspace);
  for (int i = 0; i < kPlaces; ++i) {
    for (const float height : {5.0f, 0.0f, -5.0f, -20.0f}) {  // above, in the spheres, below, in the halfspaces
      for (const bool has_body : {false, true}) {
        rays.origin.push_back({static_cast<float>(4 * i), 0, height});
        rays.direction.push_back({0, 0, -1});
        rays.max_t.push_back(100);
        const bool meets_spheres = height >= 0;
        const std::int32_t lowest = meets_spheres ? i : 0;
        bodies.push_back(!has_body ? -1 : meets_spheres ? lowest : kSpheres);
        const std::int32_t next = meets_spheres ? kPlaces : 1;
        expected_shapes.push_back((meets_spheres ? sphere : halfspace) + lowest + (has_body ? next : 0));
      }
    }
  }
  RaySpan<3, float> all = rays.span();
  all.filters.body = bodies;
  StaticScene<3, float> kept;
  Workspace<3, float> workspace;
  build_static_scene<3, float>(scene, kept, workspace);
  for (const bool wants_normals : {true, false}) {
    CastOptions options;
    options.wants_normals = wants_normals;
    RayHits<3, float> expected;
    cast_rays<3, float>(kept, all, expected, workspace, options);
    on_ranks(7, [&](MPI_Comm ranks) {
      // Rows are dealt out as cards are, from the last rank on.
      Column<std::int32_t> rows;
      SceneColumns<3, float> part;
      for (int i = kSpheres - 1; i >= 0; --i) {
        if (i % 7 != 6 - world_rank()) continue;
        const auto row = static_cast<std::size_t>(i);
        rows.push_back(i);
        part.spheres.center.push_back({scene.spheres.center(row, 0), 0, 0});
        part.spheres.radius.push_back(1);
        part.spheres.body.push_back(i);
        part.halfspaces.normal.push_back({0, 0, 1});
        part.halfspaces.offset.push_back(-10);
        part.halfspaces.body.push_back(kSpheres + i);
      }
      std::array<ColumnSpan<std::int32_t>, kKindCount> numbers;
      numbers[static_cast<std::size_t>(Kind::sphere)] = rows;
      numbers[static_cast<std::size_t>(Kind::halfspace)] = rows;
      DistributedScene<3, float> distributed(ranks);
      distributed.take(part, numbers, {});
      RayHits<3, float> hits;
      distributed.cast_rays(all, hits, options);
      EXPECT_EQ(hash(hits), hash(expected)) << wants_normals;
      EXPECT_TRUE(std::equal(hits.shape.begin(), hits.shape.end(), expected_shapes.begin(), expected_shapes.end()));
    });
  }
}

TEST(rays, what_is_wrong_is_said_on_all_ranks) {
  SceneColumns<3, float> scene = scenes::generate<3, float>("uniform", {500, 3});
  Rays<3, float> rays = some_rays<3, float>(10, 5, 10);
  on_ranks(3, [&](MPI_Comm ranks) {
    DistributedScene<3, float> distributed(ranks);
    distributed.take_whole(SceneSpan<3, float>(scene));
    RayHits<3, float> hits;
    const auto said = [&] {
      try {
        distributed.cast_rays(rays.span(), hits);
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string("nothing is wrong");
    };
    EXPECT_EQ(said(), "nothing is wrong");
    rays.excluded(4, 0) = 5000;
    EXPECT_EQ(said(), "excluded[4] names shape 5000; the world has 500, counted from 0");
    rays.excluded(4, 0) = 0;
    rays.excluded(9, 1) = 10;
    EXPECT_EQ(said(), "excluded[9] names ray 10; there are 10, counted from 0");
    rays.excluded(9, 1) = 9;
    rays.max_t[3] = -1;
    EXPECT_TRUE(said().starts_with("max_t[3] is -1")) << said();
    EXPECT_EQ(hits.size(), 0u);
    rays.max_t[3] = 1;
    auto& radius = distributed.own().spheres.radius;
    if (world_rank() == 1 && !radius.empty()) radius[0] = -1;
    EXPECT_TRUE(said().starts_with("sphere.radius[")) << said();
  });
}

}  // namespace
}  // namespace widephase::test
