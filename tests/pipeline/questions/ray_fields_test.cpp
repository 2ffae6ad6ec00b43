// Rays against height fields, judged by all their triangles in long double, in positions where
// triangles share what is hit, and with all that must not change a bit.
// Labels: threads emulated-x86 emulated-arm dated other-compiler optimized

#include <gtest/gtest.h>

#include <numeric>

#include "support/allocations.hpp"
#include "support/asked_rays.hpp"
#include "support/executors.hpp"
#include "support/field_rays.hpp"

namespace widephase::test {
namespace {

constexpr std::uint32_t kFace = feature_half(Feature::face, 0);
constexpr std::uint32_t vertex(int number) { return feature_half(Feature::vertex, number); }
constexpr std::uint32_t edge(int number) { return feature_half(Feature::edge, number); }

template <class T>
struct Field {
  int rows, columns;
  double cell;
  Height height;
  std::array<double, 3> center{};
  Quat turn = kLevel;

  Ground<T> ground() const {
    Ground<T> made;
    made.place_field(made.add_field(rows, columns, cell, height), center, turn);
    return made;
  }
  FieldReference reference() const {
    return FieldReference(rows, columns, static_cast<SizeOf<T>>(cell), [&](int row, int column) {
      return static_cast<Real>(static_cast<SizeOf<T>>(height(row, column)));
    });
  }
  std::array<Vec<3>, 3> axes() const {
    Quaternion stored;
    for (std::size_t k = 0; k < 4; ++k) stored[k] = static_cast<SizeOf<T>>(turn[k]);
    std::array<Vec<3>, 3> made = axes_of(stored);
    for (Vec<3>& axis : made) axis = times(axis, 1 / length(axis));
    return made;
  }
};

/// Judges all answers; returns how many rays hit.
template <class T>
int judge(const Field<T>& field, const RayColumns<3, T>& rays, const CastOptions& options) {
  using S = SizeOf<T>;
  const RayHits<3, T> hits = ask(field.ground().scene, rays, options);
  const FieldReference reference = field.reference();
  const std::array<Vec<3>, 3> axes = field.axes();
  const Real margin = static_cast<S>(options.margin);
  int faults = 0, hit_count = 0;
  for (std::size_t i = 0; i < rays.size() && faults < 3; ++i) {
    Vec<3> from, along, origin, direction;
    for (int k = 0; k < 3; ++k) {
      from[k] = static_cast<Real>(rays.origin(i, k)) -
                static_cast<Real>(static_cast<PositionOf<T>>(field.center[k]));
      along[k] = rays.direction(i, k);
    }
    for (int k = 0; k < 3; ++k) {
      origin[k] = dot(axes[k], from);
      direction[k] = dot(axes[k], along);
    }
    const Real speed = length(direction), most = rays.max_t[i];
    const Real size = reference.size + length(origin) + margin;
    const Real tolerance = (sizeof(S) == 4 ? 2e-6L : 1e-13L) * size;
    const Real end = std::min(most, (4 * size + 1) / speed);
    // Farther away the rounding of a direction decides.
    const auto wide = reference.ask(origin, direction, margin, tolerance, end);
    const auto tight = reference.ask(origin, direction, margin, -tolerance, end);
    const bool is_hit = hits.shape[i] == 0;
    hit_count += is_hit ? 1 : 0;
    const Real t = hits.t[i], slack = 64 * tolerance / speed;
    const auto status = static_cast<CastStatus>(hits.status[i]);
    const bool is_inside = status == CastStatus::started_inside;
    const std::string fault = [&]() -> std::string {
      if (!(t >= 0 && t <= most)) return "t is not from 0 to max_t";
      if (is_hit == (status == CastStatus::none)) return "the status is not that of the shape";
      if (hits.part[i] != -1 && !is_hit) return "a miss has a part";
      if (is_inside && !wide.is_inside) return "it does not start inside";
      const bool wants_exit = options.inside == Inside::exit && wide.is_inside;
      if (options.inside == Inside::leave && wide.is_inside && !is_hit) return "";
      if (options.inside == Inside::leave && is_inside) return "what it starts in is hit";
      if (wants_exit && !is_hit) {
        const bool is_left = wide.leave < std::min(most, end * (1 - 1e-9L)) - slack;
        return tight.is_inside && is_left ? "the way out is missed" : "";
      }
      if (!is_hit) return tight.enter <= std::min(most, end) - slack ? "it is missed" : "";
      if (!is_inside && tight.is_inside) return "it starts inside";
      if (is_inside && options.inside == Inside::hit) {
        if (t != 0 || hits.part[i] != -1 || hits.feature[i] != 0) return "it is not a start";
        for (int k = 0; k < 3; ++k) {
          if (hits.point(i, k) != rays.origin(i, k)) return "the point is not the origin";
          if (std::abs(hits.normal(i, k) + along[k] / speed) > 1e-6L) return "not against it";
        }
        return "";
      }
      if (is_inside) {
        const bool is_far = wide.leave >= end * (1 - 1e-9L);
        if (is_far && t > end) return "";
        if (t < tight.leave - slack) return "it leaves too early";
        if (t > wide.leave + slack) return "it leaves too late";
      } else if (t > end) {
        return tight.enter > end ? "" : "it enters too late";
      } else if (t < wide.enter - slack || t > tight.enter + slack) {
        return "it enters elsewhere";
      }
      Vec<3> apart, out, point, normal;
      for (int k = 0; k < 3; ++k) {
        apart[k] = static_cast<Real>(hits.point(i, k)) -
                   static_cast<Real>(static_cast<PositionOf<T>>(field.center[k]));
        out[k] = hits.normal(i, k);
      }
      for (int k = 0; k < 3; ++k) {
        point[k] = dot(axes[k], apart);
        normal[k] = dot(axes[k], out);
      }
      const Real reach = 4 * tolerance + (sizeof(S) == 4 ? 1e-6L : 1e-14L) * t * speed;
      if (std::abs(length(normal) - 1) > (sizeof(S) == 4 ? 1e-6L : 1e-14L)) return "not unit";
      const Prism* const part = reference.find(hits.part[i]);
      if (part == nullptr) return "the part is no triangle";
      if (std::abs(FieldReference::apart(*part, point)) > reach) return "it is not on its part";
      const Vec<3> there = plus(origin, direction, t);
      if (length(minus(plus(point, normal, margin), there)) > 4 * reach) return "not at the ray";
      const Real leads = dot(normal, direction) / speed;
      if (!is_inside && leads > 1e-5L) return "the normal does not look at the ray";
      const std::uint32_t feature = hits.feature[i];
      if (feature == kFace && length(minus(normal, part->normal)) > 1e-5L) return "not the face's";
      if (feature != kFace && margin == 0) {
        if (std::abs(normal[2]) > 1e-6L) return "a wall's normal is not level";
        const bool is_corner = feature < edge(0);
        if (is_corner) return feature < vertex(0) || feature > vertex(2) ? "no vertex" : "";
        if (feature > edge(2)) return "no edge";
        const int k = static_cast<int>(feature - edge(0));
        if (!part->is_border[k]) return "there is no wall";
        if (length(minus(normal, part->out[k])) > 1e-5L) return "not the wall's normal";
      }
      return "";
    }();
    if (fault.empty()) continue;
    ++faults;
    std::ostringstream text;
    text.precision(17);
    text << fault << ": ray " << i << ", origin";
    for (int k = 0; k < 3; ++k) text << ' ' << rays.origin(i, k);
    text << ", direction";
    for (int k = 0; k < 3; ++k) text << ' ' << rays.direction(i, k);
    text << ", max_t " << rays.max_t[i] << "; t " << hits.t[i] << ", status " << int{hits.status[i]}
         << ", part " << hits.part[i] << ", feature " << std::hex << hits.feature[i]
         << "; reference enters " << static_cast<double>(wide.enter) << " to "
         << static_cast<double>(tight.enter) << ", leaves " << static_cast<double>(tight.leave)
         << " to " << static_cast<double>(wide.leave);
    ADD_FAILURE() << text.str();
  }
  return hit_count;
}

/// Rough ground with some holes.
Height rough(std::uint64_t seed, int columns, double holes) {
  std::vector<double> heights;
  Random random(seed);
  for (int i = 0; i < columns * columns; ++i) {
    heights.push_back(random.chance(holes) ? kHole : std::round(random.uniform(-1, 1) * 64) / 64);
  }
  return [=](int row, int column) {
    return heights[static_cast<std::size_t>(row * columns + column)];
  };
}

/// A ray in the field's frame, moved to where the field is.
template <class T>
void add_ray(const Field<T>& field, const Point<3>& from, const Point<3>& along, double most,
             RayColumns<3, T>& rays) {
  const std::array<Vec<3>, 3> axes = field.axes();
  Ray<3> ray;
  for (int k = 0; k < 3; ++k) {
    ray.origin[k] = field.center[k];
    for (int j = 0; j < 3; ++j) {
      ray.origin[k] += static_cast<double>(axes[j][k]) * from[j];
      ray.direction[k] += static_cast<double>(axes[j][k]) * along[j];
    }
  }
  ray.max_t = most;
  rays.add(ray);
}

/// From anywhere about the field, some through samples and along edges.
template <class T>
RayColumns<3, T> rays_at(const Field<T>& field, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  RayColumns<3, T> rays;
  const double side = (field.columns - 1) * field.cell;
  for (std::size_t i = 0; i < count; ++i) {
    Point<3> from = random.point<3>(-0.3 * side, 1.3 * side), aim = random.point<3>(0, side);
    from[2] = random.uniform(-2, 3);
    aim[2] = random.uniform(-1, 1);
    const auto on_grid = [&](double x) { return std::round(x / field.cell) * field.cell; };
    Point<3> along;
    if (i % 2 == 0) {
      for (int k = 0; k < 2; ++k) from[k] = on_grid(from[k]);
      for (int k = 0; k < 2; ++k) aim[k] = on_grid(aim[k]);
    }
    for (int k = 0; k < 3; ++k) along[k] = aim[k] - from[k];
    if (i % 8 == 2) along = {0, 0, random.chance(0.7) ? -1.0 : 1.0};
    if (i % 8 == 4) along[random.integer(0, 1)] = random.chance(0.5) ? 0.0 : -0.0;
    if (i % 8 == 6) along[1] = along[0];  // along diagonals
    if (i % 8 == 7) along[2] = 0;
    if (along[0] == 0 && along[1] == 0 && along[2] == 0) along[2] = -1;
    const double speed = std::pow(10, random.uniform(-1, 1));
    for (double& x : along) x *= speed;
    add_ray(field, from, along, random.chance(0.3) ? random.uniform(0, 2) / speed : 0.0, rays);
  }
  return rays;
}

template <class T>
void check_all(const Field<T>& field, std::uint64_t seed, std::size_t count) {
  const RayColumns<3, T> rays = rays_at(field, count, seed);
  for (const Inside inside : {Inside::hit, Inside::leave, Inside::exit}) {
    CastOptions options;
    options.inside = inside;
    SCOPED_TRACE("inside " + std::to_string(static_cast<int>(inside)));
    EXPECT_GT(judge(field, rays, options), static_cast<int>(count / 8));
  }
}

template <class T>
void check_random() {
  Random random(11);
  for (std::uint64_t seed = 0; seed < scaled(12, 4); ++seed) {
    SCOPED_TRACE("field " + std::to_string(seed));
    Field<T> field{7, 7, 0.5, rough(seed, 7, seed % 3 == 0 ? 0.0 : 0.15)};
    if (seed % 2 == 1) {
      field.turn = any_turn(random);
      field.center = {random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
    }
    check_all(field, seed + 100, 200);
  }
}
TEST(ray_fields, are_those_of_all_triangles_in_float) { check_random<float>(); }
TEST(ray_fields, are_those_of_all_triangles_in_double) { check_random<double>(); }
TEST(ray_fields, are_those_of_all_triangles_mixed) { check_random<Mixed>(); }

template <class T>
void check_balls(double margin) {
  Random random(12);
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    Field<T> field{4, 4, 0.5, rough(seed + 40, 4, seed == 0 ? 0.0 : 0.1)};
    if (seed == 1) {
      field.turn = any_turn(random);
      field.center = {1, -2, 3};
    }
    const RayColumns<3, T> rays = rays_at(field, scaled(60, 20), seed + 200);
    for (const Inside inside : {Inside::hit, Inside::leave, Inside::exit}) {
      CastOptions options;
      options.inside = inside;
      options.margin = margin;
      SCOPED_TRACE("field " + std::to_string(seed) + ", inside " +
                   std::to_string(static_cast<int>(inside)) + ", margin " + std::to_string(margin));
      judge(field, rays, options);
    }
  }
}
TEST(ray_fields, a_margin_casts_a_ball) {
  for (const double margin : {0.03125, 0.375}) {
    check_balls<float>(margin);
    check_balls<double>(margin);
    check_balls<Mixed>(margin);
  }
}

TEST(ray_fields, far_origins_keep_their_digits) {
  // Mixed: the field is at 1e9, and so are the rays. Float: rays from a distance of 1,000.
  Field<Mixed> far{7, 7, 0.5, rough(3, 7, 0)};
  far.center = {1e9, -1e9, 12345};
  CastOptions options;
  EXPECT_GT(judge(far, rays_at(far, 200, 5), options), 50);
  const Field<float> field{7, 7, 0.5, rough(4, 7, 0)};
  RayColumns<3, float> rays;
  Random random(6);
  for (int i = 0; i < 200; ++i) {
    Point<3> aim = random.point<3>(0.5, 2.5);
    aim[2] = random.uniform(-1, 0);
    Point<3> from = random.direction<3>(), along;
    for (double& x : from) x *= 1000;
    from[2] = std::abs(from[2]) + 10;
    for (int k = 0; k < 3; ++k) along[k] = aim[k] - from[k];
    add_ray(field, from, along, 0, rays);
  }
  EXPECT_GT(judge(field, rays, options), 150);
}

TEST(ray_fields, no_ray_passes_between_triangles) {
  // Down through samples, edges and diagonals of ground without holes, from all sides.
  const Field<float> field{33, 33, 0.1, rough(8, 33, 0)};
  RayColumns<3, float> rays;
  Random random(9);
  for (int i = 0; i < 20000; ++i) {
    const double column = random.integer(6, 26), row = random.integer(6, 26);
    const double share = i % 2 == 0 ? 0.0 : random.uniform(0, 1);
    const double x = column + (i % 3 != 1 ? share : 0), y = row + (i % 3 != 0 ? share : 0);
    const Point<3> along{random.uniform(-1, 1), random.uniform(-1, 1), -1};
    const double height = 4 + random.uniform(0, 4);
    // Aimed at a place 1.5 below the ground, so that the surface is crossed on the way.
    add_ray(field, {x * 0.1 - height * 0.05 * along[0], y * 0.1 - height * 0.05 * along[1], height},
            {0.05 * along[0], 0.05 * along[1], along[2]}, 12, rays);
  }
  const RayHits<3, float> hits = ask(field.ground().scene, rays);
  int misses = 0, walls = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    misses += hits.shape[i] < 0 ? 1 : 0;
    walls += hits.shape[i] == 0 && hits.feature[i] != kFace ? 1 : 0;
  }
  EXPECT_EQ(misses, 0);
  EXPECT_EQ(walls, 0);
}

TEST(ray_fields, the_lowest_triangle_is_named) {
  // Level ground of 3 x 3 samples: triangle 2 (3 row + column) + half.
  const Field<float> field{3, 3, 1, [](int, int) { return 0.0; }};
  RayColumns<3, float> rays;
  add_ray(field, {1, 1, 1}, {0, 0, -1}, 0, rays);      // the middle sample
  add_ray(field, {1.5, 1.5, 1}, {0, 0, -1}, 0, rays);  // a diagonal
  add_ray(field, {1, 1.5, 1}, {0, 0, -1}, 0, rays);    // between columns
  add_ray(field, {2, 2, 1}, {0, 0, -1}, 0, rays);      // the last corner
  add_ray(field, {1, 1, 1}, {-1e-3, 0, -1}, 0, rays);  // past the middle sample
  add_ray(field, {2, 1, 1}, {-1, 0, -1}, 0, rays);     // onto it, along a row
  add_ray(field, {2, 2, 1}, {-1, -1, -1}, 0, rays);    // and along the diagonal
  const RayHits<3, float> hits = ask(field.ground().scene, rays);
  const int parts[] = {0, 8, 6, 8, 1, 0, 0};
  for (std::size_t i = 0; i < hits.size(); ++i) {
    EXPECT_EQ(hits.part[i], parts[i]) << i;
    EXPECT_EQ(hits.feature[i], kFace) << i;
    EXPECT_EQ(hits.t[i], 1) << i;
    EXPECT_EQ(hits.normal(i, 2), 1) << i;
  }
}

TEST(ray_fields, walls_and_holes) {
  // Ground of 4 x 4 samples at 0; sample (0, 0) is missing, so its two triangles are.
  const Field<float> field{4, 4, 1,
                           [](int row, int column) { return row + column == 0 ? kHole : 0.0; }};
  RayColumns<3, float> rays;
  add_ray(field, {-1, 2.5, -5}, {1, 0, 0}, 0, rays);    // the wall at -x
  add_ray(field, {2.5, 5, -100}, {0, -1, 0}, 0, rays);  // the one at +y, far below
  add_ray(field, {0.5, 0.25, 1}, {0, 0, -1}, 0, rays);  // through the hole
  add_ray(field, {0.5, -1, -2}, {0, 1, 0}, 0, rays);    // through the hole into its wall
  add_ray(field, {-1, 2.5, 0}, {1, 0, 0}, 0, rays);     // along the ground: it touches
  add_ray(field, {3, 3.5, 1}, {0, 0, -1}, 0, rays);     // beside the border
  add_ray(field, {3, 2.5, 1}, {0, 0, -1}, 0, rays);     // on it
  const RayHits<3, float> hits = ask(field.ground().scene, rays);
  const int shapes[] = {0, 0, -1, 0, 0, -1, 0};
  const float times[] = {1, 2, 0, 2, 1, 0, 1};
  // Triangles 2 (4 row + column) + half.
  const int parts[] = {17, 21, -1, 8, 17, -1, 20};
  for (std::size_t i = 0; i < hits.size(); ++i) {
    EXPECT_EQ(hits.shape[i], shapes[i]) << i;
    if (hits.shape[i] < 0) continue;
    EXPECT_EQ(hits.t[i], times[i]) << i;
    EXPECT_EQ(hits.part[i], parts[i]) << i;
  }
  EXPECT_EQ(hits.normal(0, 0), -1);
  EXPECT_EQ(hits.feature[0], edge(2));
  EXPECT_EQ(hits.normal(1, 1), 1);
  EXPECT_EQ(hits.feature[1], edge(1));
  EXPECT_EQ(hits.point(1, 2), -100);
  EXPECT_EQ(hits.feature[4], kFace);
  // Both triangles of the cell of sample (0, 0) are holes: the wall is that of the row above.
  EXPECT_EQ(hits.feature[3], edge(0));
  EXPECT_EQ(hits.normal(3, 1), -1);
}

TEST(ray_fields, inside_is_endless_downwards) {
  const Field<double> field{3, 3, 1, [](int, int) { return 1.0; }};
  RayColumns<3, double> rays;
  add_ray(field, {0.5, 0.5, -1e6}, {0, 0, -1}, 0, rays);
  add_ray(field, {0.5, 0.5, -1e6}, {0, 0, 2}, 0, rays);
  add_ray(field, {0.5, 0.75, -1e6}, {-1, 0, 0}, 0, rays);
  CastOptions options;
  RayHits<3, double> hits = ask(field.ground().scene, rays, options);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(hits.status[i], static_cast<std::uint8_t>(CastStatus::started_inside));
    EXPECT_EQ(hits.part[i], -1);
  }
  options.inside = Inside::exit;
  hits = ask(field.ground().scene, rays, options);
  EXPECT_EQ(hits.shape[0], -1);
  EXPECT_EQ(hits.t[1], 500000.5);
  EXPECT_EQ(hits.normal(1, 2), 1);
  EXPECT_EQ(hits.t[2], 0.5);
  EXPECT_EQ(hits.normal(2, 0), -1);
  EXPECT_EQ(hits.feature[2], edge(2));
  options.inside = Inside::leave;
  hits = ask(field.ground().scene, rays, options);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(hits.shape[i], -1);
}

TEST(ray_fields, a_height_scan_has_the_heights_of_the_ground) {
  // 187 rays down, 11 x 17, 0.1 apart, against a plane that rises 0.25 along x and 0.5 along y.
  const Field<float> field{17, 17, 0.25,
                           [](int row, int column) { return 0.0625 * column + 0.125 * row; }};
  RayColumns<3, float> rays;
  for (int i = 0; i < 187; ++i) {
    add_ray(field, {1 + 0.1 * (i % 11), 1 + 0.1 * (i / 11), 8}, {0, 0, -1}, 0, rays);
  }
  const RayHits<3, float> hits = ask(field.ground().scene, rays);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    ASSERT_EQ(hits.shape[i], 0);
    const double height = 0.25 * rays.origin(i, 0) + 0.5 * rays.origin(i, 1);
    EXPECT_NEAR(hits.t[i], 8 - height, 5e-7);
    EXPECT_NEAR(hits.point(i, 2), height, 5e-7);
    EXPECT_EQ(hits.point(i, 0), rays.origin(i, 0));
  }
}

TEST(ray_fields, a_seam_to_a_neighbour_has_no_wall) {
  // Two fields side by side, each the other's neighbour along x.
  Ground<float> ground;
  const auto hills = [](int, int column) { return column % 2 == 0 ? 0.0 : 0.5; };
  ground.place_field(ground.add_field(5, 5, 1, hills));
  ground.place_field(ground.add_field(5, 5, 1, hills), {4, 0, 0});
  auto& neighbours = ground.scene.heightfield_geometries.neighbours;
  neighbours.clear();
  neighbours.push_back({-1, 1, -1, -1});
  neighbours.push_back({0, -1, -1, -1});
  RayColumns<3, float> rays;
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    Ray<3> ray;
    const double y = random.uniform(0.5, 3.5);
    ray.origin = {4 - 3 * random.uniform(0.1, 1), y, 3};
    ray.direction = {4 - ray.origin[0], 0, -3};
    rays.add(ray);
  }
  const RayHits<3, float> hits = ask(ground.scene, rays);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    ASSERT_GE(hits.shape[i], 0);
    EXPECT_EQ(hits.feature[i], kFace);
  }
}

/// A field that all worlds share, and shapes on it.
template <class T>
SceneColumns<3, T> shared_ground(int worlds) {
  Ground<T> ground;
  ground.place_field(ground.add_field(33, 33, 0.5, rough(21, 33, 0.02)), {-1, -2, 0},
                     {0, 0, std::sin(0.3), std::cos(0.3)});
  ground.scene.heightfields.world.push_back(-1);
  Random random(22);
  for (int w = 0; w < worlds; ++w) {
    for (int i = 0; i < 20; ++i) {
      ground.add_sphere({random.uniform(0, 12), random.uniform(0, 12), random.uniform(0, 2)}, 0.4);
      ground.scene.spheres.world.push_back(w);
    }
  }
  return ground.scene;
}

template <class T>
void check_same_bits() {
  constexpr int kWorlds = 5;
  const SceneColumns<3, T> scene = shared_ground<T>(kWorlds);
  Random random(23);
  RayColumns<3, T> rays;
  for (std::size_t i = 0; i < scaled(3000, 1000); ++i) {
    Ray<3> ray;
    ray.origin = {random.uniform(-3, 14), random.uniform(-3, 14), random.uniform(-2, 4)};
    const Point<3> along = random.direction<3>();
    for (int k = 0; k < 3; ++k) ray.direction[k] = along[k];
    if (i % 3 == 0) ray.direction = {0, 0, -1};
    if (i % 4 == 0) ray.max_t = random.uniform(0, 10);
    rays.add(ray, random.integer(0, kWorlds - 1));
  }
  Workspace<3, T> workspace;
  StaticScene<3, T> kept;
  build_static_scene(scene, kept, workspace);
  for (const double margin : {0.0, 0.125}) {
    for (const Inside inside : {Inside::hit, Inside::exit}) {
      CastOptions options;
      options.threads.count = 1;
      options.isa = usable_isas().front();
      options.inside = inside;
      options.margin = margin;
      const RayHits<3, T> hits = ask(scene, rays, options, RayPath::packets);
      const std::uint64_t expected = hash(hits);
      const std::int32_t field = layout_of(scene).id(Kind::heightfield, 0);
      EXPECT_GT(std::count(hits.shape.begin(), hits.shape.end(), field), 300);
      for (std::size_t i = 0; i < hits.size(); ++i) {
        const bool is_start = hits.status[i] == 1 && inside == Inside::hit;
        ASSERT_EQ(hits.part[i] >= 0, hits.shape[i] == field && !is_start) << i;
      }
      for (const Isa isa : usable_isas()) {
        CastOptions other = options;
        other.isa = isa;
        for (const RayPath path : {RayPath::packets, RayPath::singles, RayPath::by_counts}) {
          EXPECT_EQ(hash(ask(scene, rays, other, path)), expected)
              << isa_name(isa) << ", path " << static_cast<int>(path);
          std::vector<std::uint8_t> any(rays.size(), 2);
          workspace.state().rays.path = path;
          any_hit(kept, rays.span(), any, workspace, other);
          for (std::size_t i = 0; i < rays.size(); ++i) {
            ASSERT_EQ(any[i] != 0, hits.shape[i] >= 0) << i;
          }
        }
        for (const int threads : kThreadCounts) {
          other.threads.count = threads;
          EXPECT_EQ(hash(ask(scene, rays, other)), expected) << threads << " threads";
        }
      }
      // One world among others is that world alone.
      for (std::size_t i = 0; i < rays.size(); i += 97) {
        RayColumns<3, T> one;
        one.origin.push_back(rays.origin.row(i));
        one.direction.push_back(rays.direction.row(i));
        one.max_t.push_back(rays.max_t[i]);
        one.world.push_back(rays.world[i]);
        const RayHits<3, T> alone = ask(scene, one, options);
        EXPECT_EQ(alone.t[0], hits.t[i]);
        EXPECT_EQ(alone.part[0], hits.part[i]);
        EXPECT_EQ(alone.normal(0, 2), hits.normal(i, 2));
      }
    }
  }
}
TEST(ray_fields, neither_path_nor_threads_nor_set_change_a_bit) {
  check_same_bits<float>();
  check_same_bits<double>();
  check_same_bits<Mixed>();
}

TEST(ray_fields, parts_are_empty_without_surfaces_or_normals) {
  Ground<float> ground;
  ground.add_sphere({0, 0, 0}, 1);
  RayColumns<3, float> rays;
  rays.add({{-3, 0, 0}, {1, 0, 0}});
  EXPECT_TRUE(ask(ground.scene, rays).part.empty());
  ground.place_field(ground.add_field(2, 2, 1, [](int, int) { return -5.0; }));
  const RayHits<3, float> hits = ask(ground.scene, rays);
  ASSERT_EQ(hits.part.size(), 1u);
  EXPECT_EQ(hits.part[0], -1);
  CastOptions options;
  options.wants_normals = false;
  EXPECT_TRUE(ask(ground.scene, rays, options).part.empty());
}

TEST(ray_fields, second_calls_allocate_nothing) {
  if (!kCountsAllocations) GTEST_SKIP() << "the thread sanitizer keeps its own operator new";
  const SceneColumns<3, float> scene = shared_ground<float>(3);
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene(scene, kept, workspace);
  RayColumns<3, float> rays;
  for (int i = 0; i < 200; ++i) rays.add({{0.05 * i, 3, 4}, {0, 0, -1}}, i % 3);
  RayHits<3, float> hits;
  CastOptions options;
  options.threads.count = 1;
  const auto call = [&] { cast_rays(kept, rays.span(), hits, workspace, options); };
  call();
  EXPECT_EQ(count_allocations(call), 0);
}

}  // namespace
}  // namespace widephase::test
