// Polygons and hulls so large that products of lengths overflow: features still belong to the
// shapes, depths are finite, and the bits are the same on every instruction set.
// Labels: valgrind own-sets

#include <gtest/gtest.h>

#include <limits>

#include <widephase/hulls.hpp>
#include <widephase/polygons.hpp>

#include "reference/generate_turned3.hpp"
#include "reference/scaled.hpp"
#include "support/compare.hpp"
#include "support/methods.hpp"

namespace widephase::test {
namespace {

/// Polygons or hulls with various numbers of faces, whose vertices are about as far out as T
/// allows, with boxes and capsules.
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

/// The number of vertices, edges and faces of each polygon or hull, by `Feature`.
template <int D, class T>
std::vector<std::array<int, 4>> feature_counts(const SceneColumns<D, T>& scene) {
  std::vector<std::array<int, 4>> counts;
  for (std::size_t i = 0; i + 1 < scene.geometries.offsets.size(); ++i) {
    const auto vertices =
        static_cast<int>(scene.geometries.offsets(i + 1) - scene.geometries.offsets(i));
    counts.push_back({0, vertices, vertices, 0});
    if constexpr (D == 3) {
      const auto surface = hull_topology(scene.geometries, static_cast<std::int32_t>(i));
      counts.back()[2] = static_cast<int>(surface.edges.size());
      counts.back()[3] = static_cast<int>(surface.face_count());
    }
  }
  return counts;
}

/// If no comparison finds a face, because distances overflowed, no face may be invented. A lane
/// that filled a block of eight faces was taken for one, and memory behind the polygon was read for
/// its edge.
template <int D, class T>
void expect_own_features() {
  const SceneColumns<D, T> scene = shapes_whose_products_overflow<D, T>();
  constexpr Kind kKind = D == 2 ? Kind::polygon : Kind::hull;
  const SceneLayout layout = layout_of(scene);
  const std::vector<std::array<int, 4>> counts = feature_counts(scene);
  Random random(66);
  std::vector<Pair> pairs;
  while (pairs.size() < scaled(1000, 50)) {
    const Pair pair{random.integer(0, layout.shape_count() - 1),
                    random.integer(0, layout.shape_count() - 1)};
    if (pair.a != pair.b) pairs.push_back(pair);
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
                        counts[static_cast<std::size_t>(layout.row(id))][half >> 14])
                  << describe(contacts, i);
            }
          }
        }
      }
    }
  }
}

TEST(overflow, leaves_features_their_own_in_2d) {
  expect_own_features<2, float>();
  expect_own_features<2, Mixed>();
  expect_own_features<2, double>();
}
TEST(overflow, leaves_features_their_own_in_3d) {
  expect_own_features<3, float>();
  expect_own_features<3, Mixed>();
  expect_own_features<3, double>();
}

}  // namespace
}  // namespace widephase::test
