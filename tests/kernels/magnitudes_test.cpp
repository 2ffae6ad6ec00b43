// Numbers of any magnitude that a column may hold: no answer is NaN, and no depth is infinite.
// Labels: dated

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>

#include <widephase/distance.hpp>

#include "reference/generate_turned3.hpp"
#include "reference/reference.hpp"
#include "reference/scaled.hpp"
#include "support/compare.hpp"
#include "support/generate.hpp"
#include "support/generate_round.hpp"
#include "support/methods.hpp"

namespace widephase::test {
namespace {

constexpr int kShapes = 800;

/// Shapes of all kinds with numbers between the smallest and the largest of T; many are equal or
/// zero.
template <int D, class T>
SceneColumns<D, T> shapes_of_any_size(double least_exponent, double most_exponent,
                                      std::uint64_t seed) {
  Random random(61 + seed);
  const auto number = [&] {
    const double size = std::pow(10, random.uniform(least_exponent, most_exponent));
    return static_cast<T>(random.chance(0.5) ? -size : size);
  };
  SceneColumns<D, T> scene;
  for (int i = 0; i < kShapes; ++i) {
    std::array<T, D> a{}, b{}, low{}, high{}, normal{};
    for (int k = 0; k < D; ++k) {
      a[k] = random.chance(0.1) ? T{0} : number();
      b[k] = random.chance(0.2) ? a[k] : number();
      low[k] = std::min(a[k], b[k]);
      high[k] = std::max(a[k], b[k]);
    }
    normal[static_cast<std::size_t>(i % D)] = i % 2 == 0 ? T{1} : T{-1};
    auto& balls = [&]() -> auto& {
      if constexpr (D == 2) {
        return scene.circles;
      } else {
        return scene.spheres;
      }
    }();
    balls.center.push_back(a);
    balls.radius.push_back({std::abs(number())});
    scene.capsules.a.push_back(a);
    scene.capsules.b.push_back(b);
    scene.capsules.radius.push_back({std::abs(number())});
    scene.aabbs.min.push_back(low);
    scene.aabbs.max.push_back(high);
    scene.halfspaces.normal.push_back(normal);
    scene.halfspaces.offset.push_back({number()});
  }
  return scene;
}

/// Boxes with numbers of the same range, angles too, and polygons; the vertices of these keep
/// within the lengths that docs/conventions.md gives, so that they are convex in every arithmetic.
template <class T>
void add_turned_shapes(SceneColumns<2, T>& scene, double least_exponent, double most_exponent,
                       std::uint64_t seed) {
  Random random(63 + seed);
  const auto size = [&] {
    const double value = std::pow(10, random.uniform(least_exponent, most_exponent));
    return random.chance(0.2) ? T{0} : static_cast<T>(value);
  };
  const auto number = [&] { return random.chance(0.5) ? -size() : size(); };
  const auto angle = [&] {
    return random.chance(0.3) ? number() : static_cast<T>(random.uniform(-7, 7));
  };
  scene.geometries.offsets = {0};
  const double least_length = sizeof(T) == 4 ? -6 : -60;
  const double most_length = sizeof(T) == 4 ? 9 : 75;
  for (int i = 0; i < kShapes; ++i) {
    scene.boxes.center.push_back({number(), number()});
    scene.boxes.turn.push_back({angle()});
    scene.boxes.half_extents.push_back({size(), size()});
    scene.boxes.radius.push_back({size()});
    scene.polygons.center.push_back({number(), number()});
    scene.polygons.turn.push_back({angle()});
    scene.polygons.geometry.push_back({i});
    scene.polygons.radius.push_back({size()});
    const auto scale = static_cast<T>(std::pow(10, random.uniform(least_length, most_length)));
    scene.geometries.vertices.push_back({-scale, -scale});
    scene.geometries.vertices.push_back({scale, -scale});
    if (i % 2 == 0) scene.geometries.vertices.push_back({scale, scale});
    scene.geometries.vertices.push_back({-scale, scale});
    scene.geometries.offsets.push_back(
        {static_cast<std::int64_t>(scene.geometries.vertices.size())});
  }
}

/// Boxes, cylinders and hulls with numbers of the same range, turned by quaternions as near to unit
/// length as they must be; the vertices keep within the lengths that docs/conventions.md gives.
template <class T>
void add_turned_shapes(SceneColumns<3, T>& scene, double least_exponent, double most_exponent,
                       std::uint64_t seed) {
  Random random(64 + seed);
  const auto size = [&] {
    const double value = std::pow(10, random.uniform(least_exponent, most_exponent));
    return random.chance(0.2) ? T{0} : static_cast<T>(value);
  };
  const auto number = [&] { return random.chance(0.5) ? -size() : size(); };
  const auto place = [&](auto& table) {
    const Quaternion q = random_orientation(random);
    table.center.push_back({number(), number(), number()});
    table.turn.push_back(
        {static_cast<T>(q[0]), static_cast<T>(q[1]), static_cast<T>(q[2]), static_cast<T>(q[3])});
    if constexpr (requires { table.radius; }) table.radius.push_back({size()});
    if constexpr (requires { table.rounding; }) table.rounding.push_back({size()});
    if constexpr (requires { table.half_height; }) table.half_height.push_back({size()});
  };
  for (int i = 0; i < kShapes; ++i) {
    place(scene.boxes);
    scene.boxes.half_extents.push_back({size(), size(), size()});
  }
  for (int i = 0; has_kind(3, Kind::cylinder) && i < kShapes; ++i) {
    place(scene.cylinders);
    place(scene.cones);
    place(scene.ellipsoids);
    scene.ellipsoids.half_extents.push_back({size(), size(), size()});
  }
  const double least_length = sizeof(T) == 4 ? -6 : -60;
  const double most_length = sizeof(T) == 4 ? 9 : 75;
  for (int i = 0; has_kind(3, Kind::hull) && i < kShapes; ++i) {
    place(scene.hulls);
    scene.hulls.geometry.push_back({i});
    const auto scale = static_cast<T>(std::pow(10, random.uniform(least_length, most_length)));
    if (i % 2 == 0) {
      add_box_hull(scene.geometries, scale, scale, scale);
    } else {
      add_icosphere_hull(scene.geometries, 0, scale);
    }
  }
}

template <int D, class T>
void expect_numbers(double least_exponent, double most_exponent, std::uint64_t seed = 0) {
  SCOPED_TRACE(std::to_string(D) + "D, 10^" + std::to_string(most_exponent));
  SceneColumns<D, T> scene = shapes_of_any_size<D, T>(least_exponent, most_exponent, seed);
  add_turned_shapes<T>(scene, least_exponent, most_exponent, seed);
  const std::int32_t shape_count = layout_of(scene).shape_count();
  Random random(62 + seed);
  std::vector<Pair> pairs;
  while (pairs.size() < 60000) {
    const Pair pair{random.integer(0, shape_count - 1), random.integer(0, shape_count - 1)};
    if (pair.a != pair.b) pairs.push_back(pair);
  }
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  collide_pairs<D, T>(scene, pairs, contacts, workspace);
  ASSERT_GT(contacts.size(), pairs.size() / 10);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    bool has_nan = false;
    for (int k = 0; k < D; ++k) has_nan |= std::isnan(contacts.normal(i, k));
    for (auto j = contacts.offset[i]; j < contacts.offset[i + 1]; ++j) {
      const auto row = static_cast<std::size_t>(j);
      has_nan |= std::isnan(contacts.point_depth[row]);
      for (int k = 0; k < D; ++k) has_nan |= std::isnan(contacts.point(row, k));
    }
    ASSERT_FALSE(has_nan) << describe(contacts, i);
    ASSERT_TRUE(std::isfinite(contacts.depth[i])) << describe(contacts, i);
  }
}

TEST(magnitudes, all_that_float_has) {
  expect_numbers<2, float>(-44, 38.4);
  expect_numbers<3, float>(-44, 38.4);
  expect_numbers<3, float>(37, 38.5);
  expect_numbers<3, float>(-44, -10);
}
TEST(magnitudes, all_that_double_has) {
  expect_numbers<2, double>(-320, 308.2);
  expect_numbers<3, double>(-320, 308.2);
  expect_numbers<3, double>(307, 308.2);
  // Among these is a point between two edges, finite, whose depth is a difference of two numbers
  // that overflow.
  expect_numbers<3, double>(307, 308.2, 0x9e3779b97f4a7c15u * (std::uint64_t{7} << 32));
}

/// Lengths of 1e-29 in float, whose squares are 0: a corner is as far as the face beside it.
TEST(magnitudes, corners_whose_squared_distance_vanishes_have_a_normal) {
  SceneColumns<2, float> scene;
  const float size = 1e-29f;
  add_regular_polygon(scene.geometries, 3, size);
  append(scene, ball<2>({1.5e-29, 1.5e-29}, 3e-29));
  for (const float x : {0.0f, 2e-29f}) {
    scene.polygons.center.push_back({x, -x});
    scene.polygons.turn.push_back({0.25f});
    scene.polygons.geometry.push_back({0});
    scene.polygons.radius.push_back({3e-29f});
  }
  std::vector<Pair> pairs{{0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 2}, {2, 1}};
  Workspace<2, float> workspace;
  ContactBuffer<2, float> contacts;
  collide_pairs<2, float>(scene, pairs, contacts, workspace);
  ASSERT_EQ(contacts.size(), pairs.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    EXPECT_NEAR(std::hypot(contacts.normal(i, 0), contacts.normal(i, 1)), 1, 1e-6)
        << describe(contacts, i);
  }
}

/// Capsules with cores down to where squares vanish and beyond, within and beside shapes of size 1.
template <int D, class T>
void expect_unit_normals() {
  Random random(65);
  std::vector<SolidPair<D>> pairs;
  for (const Kind kind : kinds(D)) {
    for (int i = 0; i < 400; ++i) {
      const double length = std::pow(10, random.uniform(sizeof(T) == 4 ? -30 : -250, -1));
      const Point<D> middle = random.point<D>(-0.5, 0.5), along = random.direction<D>();
      Solid<D> core = capsule<D>({}, {}, random.chance(0.5) ? 0 : random.uniform(0, 1));
      for (int k = 0; k < D; ++k) core.q[k] = length * along[k];
      Solid<D> other = random_solid<D>(random, kind, middle, 1);
      if (kind == Kind::capsule && i % 2 == 0) {
        other = core;
        for (int k = 0; k < D; ++k) other.q[k] = length * (k == 0 ? 1 : along[k]);
      }
      pairs.push_back({core, other});
    }
  }
  const PairScene<D, T> input(pairs);
  for (const Method method : kMethods) {
    SCOPED_TRACE(name_of_method(method));
    CollideOptions options;
    options.method = method;
    options.margin = 2;
    Workspace<D, T> workspace;
    ContactBuffer<D, T> contacts;
    collide_pairs<D, T>(input.scene, input.pairs, contacts, workspace, options);
    ASSERT_GT(contacts.size(), pairs.size() * 9 / 10);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      double square = 0;
      for (int k = 0; k < D; ++k) {
        square +=
            static_cast<double>(contacts.normal(i, k)) * static_cast<double>(contacts.normal(i, k));
      }
      ASSERT_NEAR(square, 1, sizeof(T) == 4 ? 2e-6 : 4e-15)
          << describe(solid_of(input.scene, contacts.pair[i].a)) << "\n"
          << describe(solid_of(input.scene, contacts.pair[i].b)) << "\n"
          << describe(contacts, i);
    }
  }
}

TEST(magnitudes, short_cores_have_normals_of_unit_length) {
  expect_unit_normals<2, float>();
  expect_unit_normals<3, float>();
  expect_unit_normals<2, double>();
  expect_unit_normals<3, double>();
}

/// A core of 3e-4 and less, up to its thousandfold away: the ends as seen from the centre round by
/// as much as turns the core by 1e-4.
template <int D>
void expect_way_to_short_core() {
  Random random(66);
  std::vector<SolidPair<D>> pairs;
  for (int i = 0; i < 2000; ++i) {
    const double length = std::pow(10, random.uniform(-6, -3.5));
    const double away = length * std::pow(10, random.uniform(-1, 3));
    const Point<D> along = random.direction<D>(), aside = random.direction<D>();
    Solid<D> core = capsule<D>({}, {}, length), circle = ball<D>({}, away);
    for (int k = 0; k < D; ++k) {
      core.q[k] = length * along[k];
      circle.p[k] = length * random.uniform(0, 1) * along[k] + away * aside[k];
    }
    pairs.push_back({stored<float>(circle), stored<float>(core)});
  }
  const PairScene<D, float> input(pairs);
  CollideOptions options;
  options.order = Order::source;
  options.margin = 1;
  Workspace<D, float> workspace;
  ContactBuffer<D, float> contacts;
  collide_pairs<D, float>(input.scene, input.pairs, contacts, workspace, options);
  ASSERT_EQ(contacts.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Reference<D> reference = reference_of(pairs[i].a, pairs[i].b);
    const Real distance = reference.core_distance;
    const Vec<D> core = minus(widened(pairs[i].b.q), widened(pairs[i].b.p));
    // Nearer than the core is long, the nearest point rounds by the core.
    const Real rounding = 1e-6L + 4e-7L * length(core) / distance;
    for (int k = 0; k < D; ++k) {
      ASSERT_NEAR(contacts.normal(i, k), reference.core_gap[k] / distance, rounding)
          << describe(pairs[i].a) << "\n"
          << describe(pairs[i].b);
    }
  }
}

TEST(magnitudes, a_short_core_far_away_turns_no_normal) {
  expect_way_to_short_core<2>();
  expect_way_to_short_core<3>();
}

/// In a unit of 2^-power, all lengths are multiplied by 2^power, and so is the answer.
template <class T>
void expect_same_in_all_units(const std::vector<SolidPair<3>>& pairs, std::span<const int> powers) {
  for (const Method method : kMethods) {
    CollideOptions options;
    options.method = method;
    DistanceBuffer<3, T> ones;
    for (const int power : powers) {
      std::vector<SolidPair<3>> scaled_pairs;
      for (const SolidPair<3>& pair : pairs) {
        const double unit = std::ldexp(1, power);
        scaled_pairs.push_back({in_unit(unit, pair.a), in_unit(unit, pair.b)});
      }
      const PairScene<3, T> input(scaled_pairs);
      DistanceBuffer<3, T> found;
      Workspace<3, T> workspace;
      distances<3, T>(input.scene, input.pairs, found, workspace, options);
      if (power == 0) ones = found;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const double distance = std::ldexp(static_cast<double>(found.distance[i]), -power);
        EXPECT_NEAR(distance, static_cast<double>(ones.distance[i]),
                    sizeof(T) == 4 ? 2e-6 : 4e-14)
            << name_of_method(method) << ", 2^" << power << "\n"
            << describe(pairs[i].a) << "\n"
            << describe(pairs[i].b);
        EXPECT_TRUE(found.status[i] != 2 || ones.status[i] == 2) << "2^" << power << "\n"
                                                                 << describe(pairs[i].a) << "\n"
                                                                 << describe(pairs[i].b);
      }
    }
  }
}

/// Nearly along the axes and not far apart, in quarters.
std::vector<SolidPair<3>> tilted_pairs_with(Kind kind, std::size_t count) {
  Random random(67);
  std::vector<SolidPair<3>> pairs = grid_pairs<3>(kind, Kind::cylinder, count, 68);
  for (SolidPair<3>& pair : pairs) {
    pair.b = turned_by(about(random.direction<3>(), std::pow(10, random.uniform(-7, -1))), pair.b);
    pair = {stored<float>(pair.a), stored<float>(pair.b)};
  }
  return pairs;
}

TEST(magnitudes, pairs_with_a_cylinder_are_answered_in_all_units) {
  // From 1e-6 to 1e9, and from 1e-60 to 1e75.
  constexpr int kFloat[] = {0, -17, -12, 12, 17, 20, 27}, kDouble[] = {0, -196, -126, 126, 160, 246};
  // Half heights 1/4 and 1/2, radii 3/4 and 1/2: over one another in z by 0.85 - 0.75.
  const Solid<3> upright = cylinder({0, 0, 0}, {0, 0, 0, 1}, 0.25, 0.75);
  const Solid<3> other = cylinder({0.75, -1, 0.85}, {0, 1.5e-5, 1.5e-5, 1}, 0.5, 0.5);
  const std::vector<SolidPair<3>> over{{stored<float>(upright), stored<float>(other)}};
  expect_same_in_all_units<float>(over, kFloat);
  expect_same_in_all_units<double>(over, kDouble);
  for (const Kind kind : kinds(3)) {
    if (kind == Kind::halfspace) continue;
    const std::vector<SolidPair<3>> pairs = tilted_pairs_with(kind, scaled(400, 100));
    expect_same_in_all_units<float>(pairs, kFloat);
    expect_same_in_all_units<double>(pairs, kDouble);
  }
}

}  // namespace
}  // namespace widephase::test
