// Numbers of any magnitude that a column may hold: no answer is NaN, no depth is infinite.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <widephase/hulls.hpp>
#include <widephase/polygons.hpp>

#include "support/compare.hpp"
#include "support/generate_turned3.hpp"
#include "support/methods.hpp"

namespace widephase::test {
namespace {

constexpr int kShapes = 800;

/// Shapes of all kinds with numbers between the smallest and the largest that T has, many of them
/// equal or zero.
template <int D, class T>
SceneColumns<D, T> shapes_of_any_size(double least_exponent, double most_exponent) {
  Random random(61);
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
void add_turned_shapes(SceneColumns<2, T>& scene, double least_exponent, double most_exponent) {
  Random random(63);
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
void add_turned_shapes(SceneColumns<3, T>& scene, double least_exponent, double most_exponent) {
  Random random(64);
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
    table.radius.push_back({size()});
  };
  for (int i = 0; i < kShapes; ++i) {
    place(scene.boxes);
    scene.boxes.half_extents.push_back({size(), size(), size()});
  }
  for (int i = 0; has_kind(3, Kind::cylinder) && i < kShapes; ++i) {
    place(scene.cylinders);
    scene.cylinders.half_height.push_back({size()});
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
void expect_numbers(double least_exponent, double most_exponent) {
  SCOPED_TRACE(std::to_string(D) + "D, 10^" + std::to_string(most_exponent));
  SceneColumns<D, T> scene = shapes_of_any_size<D, T>(least_exponent, most_exponent);
  add_turned_shapes<T>(scene, least_exponent, most_exponent);
  const std::int32_t shape_count = layout_of(scene).shape_count();
  Random random(62);
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

/// Polygons or hulls of several counts of faces, whose vertices are about as far out as T reaches,
/// with boxes and capsules.
template <int D, class T>
SceneColumns<D, T> shapes_whose_products_overflow() {
  using Size = SizeOf<T>;
  SceneColumns<D, T> scene;
  Random random(65);
  const auto most = static_cast<double>(std::numeric_limits<Size>::max());
  const auto length = [&] { return static_cast<Size>(random.uniform(0.01, 0.4) * most); };
  const auto position = [&] {
    std::array<PositionOf<T>, D> at{};
    for (auto& x : at) x = static_cast<Size>(random.uniform(-0.2, 0.2) * most);
    return at;
  };
  const auto place = [&](auto& table) {
    table.center.push_back(position());
    if constexpr (D == 2) {
      table.turn.push_back({static_cast<Size>(random.uniform(-3, 3))});
    } else {
      const Quaternion q = random_orientation(random);
      table.turn.push_back({static_cast<Size>(q[0]), static_cast<Size>(q[1]),
                            static_cast<Size>(q[2]), static_cast<Size>(q[3])});
    }
    table.radius.push_back({0});
  };
  for (int i = 0; i < 24; ++i) {
    if constexpr (D == 2) {
      constexpr int kCounts[] = {3, 4, 5, 7, 12, 20};
      add_regular_polygon(scene.geometries, kCounts[i % 6], length());
      place(scene.polygons);
      scene.polygons.geometry.push_back({i});
    } else {
      if (i % 3 == 0) add_tetrahedron_hull(scene.geometries, length());
      if (i % 3 == 1) add_box_hull(scene.geometries, length(), length(), length());
      if (i % 3 == 2) add_cylinder_hull(scene.geometries, 7, length(), length());
      place(scene.hulls);
      scene.hulls.geometry.push_back({i});
    }
  }
  for (int i = 0; i < 6; ++i) {
    place(scene.boxes);
    std::array<Size, D> half{};
    for (auto& x : half) x = length();
    if (i % 2 == 0) half[0] = std::numeric_limits<Size>::max();
    scene.boxes.half_extents.push_back(half);
    scene.capsules.a.push_back(position());
    scene.capsules.b.push_back(position());
    scene.capsules.radius.push_back({length()});
    if constexpr (D == 3) {
      place(scene.cylinders);
      scene.cylinders.radius[static_cast<std::size_t>(i)] = length();
      scene.cylinders.half_height.push_back({length()});
    }
  }
  return scene;
}

/// How many features of a kind a shape's polygon or hull has.
template <int D, class T>
int feature_count(const SceneColumns<D, T>& scene, std::int32_t geometry, Feature kind) {
  const auto row = static_cast<std::size_t>(geometry);
  const auto vertices =
      static_cast<int>(scene.geometries.offsets(row + 1) - scene.geometries.offsets(row));
  if constexpr (D == 3) {
    const HullTopology<SizeOf<T>> surface = hull_topology(scene.geometries, geometry);
    if (kind == Feature::face) return static_cast<int>(surface.face_count());
    if (kind == Feature::edge) return static_cast<int>(surface.edges.size());
  }
  return vertices;
}

/// Where no comparison finds a face, as where distances have overflowed, none is made up: what
/// fills up a block of eight faces was taken for one, and what lies behind the polygon read for its
/// edge.
template <int D, class T>
void expect_own_features() {
  const SceneColumns<D, T> scene = shapes_whose_products_overflow<D, T>();
  constexpr Kind kKind = D == 2 ? Kind::polygon : Kind::hull;
  const SceneLayout layout = layout_of(scene);
  std::vector<Pair> pairs;
  for (std::int32_t a = 0; a < layout.shape_count(); ++a) {
    for (std::int32_t b = 0; b < layout.shape_count(); ++b) {
      if (a != b) pairs.push_back({a, b});
    }
  }
  for (const Method method : kMethods) {
    for (const double margin : {0.0, 1e300}) {
      ContactBuffer<D, T> first;
      for (const Isa isa : usable_isas()) {
        SCOPED_TRACE(name_of_method(method) + " " + std::string(isa_name(isa)));
        CollideOptions options;
        options.method = method;
        options.margin = margin;
        options.isa = isa;
        Workspace<D, T> workspace;
        ContactBuffer<D, T> contacts;
        collide_pairs<D, T>(scene, pairs, contacts, workspace, options);
        EXPECT_GT(contacts.size(), 0u);
        if (first.size() == 0) first = contacts;
        EXPECT_TRUE(same_contacts(contacts, first));
        for (std::size_t i = 0; i < contacts.size(); ++i) {
          ASSERT_TRUE(std::isfinite(contacts.depth[i])) << describe(contacts, i);
          for (auto p = contacts.offset[i]; p < contacts.offset[i + 1]; ++p) {
            const std::uint32_t both = contacts.feature[static_cast<std::size_t>(p)];
            for (const bool is_a : {true, false}) {
              const std::int32_t id = is_a ? contacts.pair[i].a : contacts.pair[i].b;
              if (layout.kind_of(id) != kKind) continue;
              const std::uint32_t half = is_a ? both >> 16 : both & 0xffff;
              ASSERT_LT(static_cast<int>(half & 0x3fff),
                        feature_count(scene, layout.row(id), static_cast<Feature>(half >> 14)))
                  << describe(contacts, i);
            }
          }
        }
      }
    }
  }
}

TEST(magnitudes, overflow_leaves_features_their_own_in_2d) {
  expect_own_features<2, float>();
  expect_own_features<2, Mixed>();
  expect_own_features<2, double>();
}
TEST(magnitudes, overflow_leaves_features_their_own_in_3d) {
  expect_own_features<3, float>();
  expect_own_features<3, Mixed>();
  expect_own_features<3, double>();
}

}  // namespace
}  // namespace widephase::test
