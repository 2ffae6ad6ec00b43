// Rays against meshes, judged by all their triangles in long double, aimed at edges and vertices,
// and with all that must not change a bit.
// Labels: threads emulated-x86 emulated-arm dated other-compiler optimized

#include <gtest/gtest.h>

#include "support/asked_rays.hpp"
#include "support/executors.hpp"
#include "support/mesh_shapes.hpp"

namespace widephase::test {
namespace {

constexpr std::uint32_t kFace = feature_half(Feature::face, 0);

/// One mesh at the origin.
template <class T>
SceneColumns<3, T> scene_of(const MeshShape& mesh, bool two_sided, double radius = 0) {
  Ground<T> ground;
  ground.place_mesh(ground.add_mesh_of(mesh.vertices, mesh.triangles, two_sided), {}, kLevel,
                    radius);
  return ground.scene;
}

using Corners = std::array<Vec<3>, 3>;
template <class T>
std::vector<Corners> triangles_of(const MeshShape& mesh) {
  std::vector<Corners> all;
  for (const auto& triangle : mesh.triangles) {
    Corners corners;
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        corners[k][axis] =
            static_cast<SizeOf<T>>(mesh.vertices[static_cast<std::size_t>(triangle[k])][axis]);
      }
    }
    all.push_back(corners);
  }
  return all;
}

/// The first t at which a triangle is met; edges are moved out by `slack`.
Real first_of(const std::vector<Corners>& all, bool two_sided, const Vec<3>& origin,
              const Vec<3>& direction, Real slack) {
  Real first = std::numeric_limits<Real>::infinity();
  for (const Corners& t : all) {
    const Vec<3> normal = cross(minus(t[1], t[0]), minus(t[2], t[0]));
    const Real rise = dot(normal, direction);
    if (rise == 0 || (!two_sided && rise > 0)) continue;
    const Real at = dot(normal, minus(t[0], origin)) / rise;
    const Vec<3> p = plus(origin, direction, at);
    bool is_in = at >= 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec<3> along = minus(t[(k + 1) % 3], t[k]);
      const Vec<3> inward = cross(normal, along);
      is_in &= dot(inward, minus(p, t[k])) / length(inward) >= -slack;
    }
    if (is_in) first = std::min(first, at);
  }
  return first;
}
Real apart_of(const Corners& t, const Vec<3>& p) {
  std::array<Point3d, 3> corners;
  Point3d at;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t axis = 0; axis < 3; ++axis) corners[k][axis] = static_cast<double>(t[k][axis]);
    at[k] = static_cast<double>(p[k]);
  }
  return nearest_on(corners, at).distance;
}

/// Whether a point is in a triangle's bounds grown by a reach: no other is as near.
bool has_in_bounds(const Corners& t, const Vec<3>& p, Real reach) {
  bool is_in = true;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [low, high] = std::minmax({t[0][k], t[1][k], t[2][k]});
    is_in &= p[k] >= low - reach && p[k] <= high + reach;
  }
  return is_in;
}

MeshShape shape_of(int number, Random& random) {
  if (number % 3 == 0) return bumpy_ball(random, 2, 0.1);
  if (number % 3 == 1) {
    return grid_mesh(6, 0.5, [&](int, int) { return random.uniform(-0.3, 0.3); });
  }
  return box_mesh({1, 0.75, 0.5});
}

template <class T>
RayColumns<3, T> rays_about(const MeshShape& mesh, std::size_t count, Random& random) {
  RayColumns<3, T> rays;
  for (std::size_t i = 0; i < count; ++i) {
    Ray<3> ray;
    ray.origin = random.point<3>(-3, 4);
    Point<3> aim = random.point<3>(-1, 1);
    const auto any = [&] {
      return mesh.vertices[static_cast<std::size_t>(
          random.integer(0, static_cast<int>(mesh.vertices.size()) - 1))];
    };
    const Point3d vertex = any();
    for (int k = 0; k < 3; ++k) {
      if (i % 3 == 1) aim[k] = static_cast<float>(vertex[static_cast<std::size_t>(k)]);
      if (i % 5 == 0) ray.origin[k] = std::round(ray.origin[k] * 2) / 2;
      ray.direction[k] = aim[k] - ray.origin[k];
    }
    if (i % 7 == 0) ray.direction[random.integer(0, 2)] = random.chance(0.5) ? 0.0 : -0.0;
    if (i % 4 == 0) ray.max_t = random.uniform(0, 2);
    rays.add(ray);
  }
  return rays;
}

template <class T>
void check_sharp() {
  using S = SizeOf<T>;
  Random random(31);
  for (int number = 0; number < 6; ++number) {
    const bool two_sided = number >= 3;
    const MeshShape mesh = shape_of(number, random);
    const std::vector<Corners> all = triangles_of<T>(mesh);
    const RayColumns<3, T> rays = rays_about<T>(mesh, scaled(1000, 200), random);
    const RayHits<3, T> hits = ask(scene_of<T>(mesh, two_sided), rays);
    int hit_count = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      Vec<3> origin, direction, point;
      for (int k = 0; k < 3; ++k) {
        origin[k] = rays.origin(i, k);
        direction[k] = rays.direction(i, k);
        point[k] = hits.point(i, k);
      }
      const Real slack = sizeof(S) == 4 ? 1e-5L : 1e-12L;
      const Real low = first_of(all, two_sided, origin, direction, slack);
      const Real high = first_of(all, two_sided, origin, direction, -slack);
      const Real most = rays.max_t[i];
      if (hits.shape[i] < 0) {
        EXPECT_FALSE(high <= most - slack) << number << ", ray " << i;
        EXPECT_EQ(hits.part[i], -1);
        continue;
      }
      ++hit_count;
      EXPECT_GE(hits.t[i], low - slack) << number << ", ray " << i;
      EXPECT_LE(hits.t[i], std::min(high, most) + slack) << number << ", ray " << i;
      EXPECT_EQ(hits.feature[i], kFace);
      ASSERT_TRUE(hits.part[i] >= 0 && hits.part[i] < static_cast<std::int32_t>(all.size()));
      const Corners& t = all[static_cast<std::size_t>(hits.part[i])];
      EXPECT_LE(apart_of(t, point), slack);
      Real rise = 0;
      for (int k = 0; k < 3; ++k) rise += hits.normal(i, k) * direction[k];
      EXPECT_LE(rise, 0);
    }
    EXPECT_GT(hit_count, static_cast<int>(rays.size() / 5));
  }
}
TEST(ray_meshes, are_those_of_all_triangles) {
  check_sharp<float>();
  check_sharp<double>();
  check_sharp<Mixed>();
}

TEST(ray_meshes, no_ray_passes_between_triangles) {
  Random random(32);
  for (int number = 0; number < 4; ++number) {
    const MeshShape mesh =
        grid_mesh(16, 0.1 + 0.01 * number, [&](int, int) { return random.uniform(-0.1, 0.1); });
    RayColumns<3, float> rays;
    for (std::size_t i = 0; i < scaled(5000, 1000); ++i) {
      const int row = random.integer(3, 13), column = random.integer(3, 13);
      const Point3d a = mesh.vertices[static_cast<std::size_t>(row * 17 + column)];
      const Point3d b = mesh.vertices[static_cast<std::size_t>((row + random.integer(0, 1)) * 17 +
                                                               column + random.integer(0, 1))];
      const double share = i % 2 == 0 ? 0 : random.uniform(0, 1);
      Ray<3> ray;
      for (std::size_t k = 0; k < 3; ++k) {
        const double aim =
            static_cast<float>(a[k]) * (1 - share) + static_cast<float>(b[k]) * share;
        const double away = k == 2 ? 3 : random.uniform(-0.3, 0.3);
        ray.origin[static_cast<int>(k)] = aim + away;
        ray.direction[static_cast<int>(k)] = -away;
      }
      rays.add(ray);
    }
    const RayHits<3, float> hits = ask(scene_of<float>(mesh, false), rays);
    EXPECT_EQ(std::count(hits.shape.begin(), hits.shape.end(), -1), 0);
  }
}

TEST(ray_meshes, a_ball_or_thickness_is_met_at_its_radius) {
  Random random(33);
  for (int number = 0; number < 3; ++number) {
    const MeshShape mesh = shape_of(number, random);
    const std::vector<Corners> all = triangles_of<double>(mesh);
    const RayColumns<3, double> rays = rays_about<double>(mesh, scaled(100, 40), random);
    constexpr double kRadius = 0.0625, kMargin = 0.125, kReach = kRadius + kMargin;
    const auto within = [&](const Vec<3>& p, Real reach) {
      for (const Corners& t : all) {
        if (has_in_bounds(t, p, reach) && apart_of(t, p) <= reach) return true;
      }
      return false;
    };
    for (const Inside inside : {Inside::hit, Inside::exit}) {
      CastOptions options;
      options.margin = kMargin;
      options.inside = inside;
      const RayHits<3, double> hits = ask(scene_of<double>(mesh, true, kRadius), rays, options);
      for (std::size_t i = 0; i < rays.size(); ++i) {
        Vec<3> origin, direction, point, normal;
        for (int k = 0; k < 3; ++k) {
          origin[k] = rays.origin(i, k);
          direction[k] = rays.direction(i, k);
          point[k] = hits.point(i, k);
          normal[k] = hits.normal(i, k);
        }
        const Real end = std::min<Real>(hits.t[i], 4);
        const bool is_inside = hits.status[i] == 1;
        if (hits.shape[i] < 0 && inside == Inside::exit && within(origin, kReach)) {
          // It ends before it leaves.
          EXPECT_TRUE(within(plus(origin, direction, rays.max_t[i]), kReach)) << "ray " << i;
          continue;
        }
        EXPECT_EQ(is_inside, within(origin, kReach)) << number << ", ray " << i;
        if (is_inside && inside == Inside::hit) {
          EXPECT_EQ(hits.t[i], 0);
          continue;
        }
        for (int step = 0; step < 100; ++step) {
          const Vec<3> p = plus(origin, direction, end * (step * 0.01L));
          const bool is_right = is_inside ? within(p, kReach + 1e-7L) : !within(p, kReach - 1e-7L);
          ASSERT_TRUE(is_right) << number << ", ray " << i << ", step " << step;
        }
        if (hits.shape[i] < 0) continue;
        const Vec<3> there = plus(origin, direction, hits.t[i]);
        const Corners& t = all[static_cast<std::size_t>(hits.part[i])];
        EXPECT_NEAR(static_cast<double>(apart_of(t, there)), kReach, 1e-9);
        EXPECT_NEAR(static_cast<double>(apart_of(t, point)), kRadius, 1e-9);
        EXPECT_LE(length(minus(plus(point, normal, kMargin), there)), 1e-9L);
      }
    }
  }
}

// The tree of 20 triangles has 12 places more, which have no bounds.
TEST(ray_meshes, no_reach_is_so_long_that_it_meets_triangles_at_infinity) {
  MeshShape grid = grid_mesh(4, 1, [](int, int) { return 0.0; });
  grid.triangles.resize(20);
  constexpr double kMost = std::numeric_limits<double>::max();
  const SceneColumns<3, double> scene = scene_of<double>(grid, false, kMost);
  RayColumns<3, double> rays;
  rays.add({{0.5, 0.25, 3}, {-1, -1, -1}});
  rays.add({{9, 9, 3}, {0, 0, 1}});
  const RayHits<3, double> hits = ask(scene, rays);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LE(hits.shape[i], 0);
    EXPECT_LE(hits.t[i], kMost);
  }
}

TEST(ray_meshes, sides_and_starts) {
  // The square of side 2 about the origin, its front up.
  const MeshShape sheet{{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
  RayColumns<3, float> rays;
  rays.add({{0.5, 0.25, 2}, {0, 0, -1}});   // from the front
  rays.add({{0.5, 0.25, -2}, {0, 0, 1}});   // from behind
  rays.add({{0.25, 0.25, 2}, {0, 0, -1}});  // onto the diagonal
  rays.add({{0.5, 0.25, 0}, {0, 0, -1}});   // starts on it
  rays.add({{-3, 0.25, 0}, {1, 0, 0}});     // in its plane
  const RayHits<3, float> one = ask(scene_of<float>(sheet, false), rays);
  const RayHits<3, float> two = ask(scene_of<float>(sheet, true), rays);
  const int of_one[] = {0, -1, 0, 0, -1}, of_two[] = {0, 0, 0, 0, -1}, parts[] = {0, 0, 0, 0, -1};
  for (std::size_t i = 0; i < rays.size(); ++i) {
    EXPECT_EQ(one.shape[i], of_one[i]) << i;
    EXPECT_EQ(two.shape[i], of_two[i]) << i;
    EXPECT_EQ(two.part[i], parts[i]) << i;
  }
  EXPECT_EQ(one.normal(0, 2), 1);
  EXPECT_EQ(two.normal(1, 2), -1);
  EXPECT_EQ(two.t[1], 2);
  EXPECT_EQ(one.t[3], 0);
  EXPECT_EQ(one.status[3], static_cast<std::uint8_t>(CastStatus::hit));
}

template <class T>
void check_same_bits() {
  Random random(34);
  const MeshShape mesh = bumpy_ball(random, 4, 0.05);
  Ground<T> ground;
  ground.place_mesh(ground.add_mesh_of(mesh.vertices, mesh.triangles, true), {0.5, 0.25, -0.125},
                    any_turn(random));
  for (int i = 0; i < 30; ++i) {
    ground.add_sphere({random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)}, 0.25);
  }
  const RayColumns<3, T> rays = rays_about<T>(mesh, scaled(2000, 500), random);
  for (const double margin : {0.0, 0.0625}) {
    for (const Inside inside : {Inside::hit, Inside::exit}) {
      CastOptions options;
      options.threads.count = 1;
      options.isa = usable_isas().front();
      options.margin = margin;
      options.inside = inside;
      const std::uint64_t expected = hash(ask(ground.scene, rays, options, RayPath::packets));
      for (const Isa isa : usable_isas()) {
        CastOptions other = options;
        other.isa = isa;
        for (const RayPath path : {RayPath::packets, RayPath::singles, RayPath::by_counts}) {
          EXPECT_EQ(hash(ask(ground.scene, rays, other, path)), expected) << isa_name(isa);
        }
        for (const int threads : kThreadCounts) {
          other.threads.count = threads;
          EXPECT_EQ(hash(ask(ground.scene, rays, other)), expected) << threads << " threads";
        }
      }
    }
  }
}
TEST(ray_meshes, neither_path_nor_threads_nor_set_change_a_bit) {
  check_same_bits<float>();
  check_same_bits<double>();
  check_same_bits<Mixed>();
}

}  // namespace
}  // namespace widephase::test
