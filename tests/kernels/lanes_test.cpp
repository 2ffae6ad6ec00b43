// The share of lanes that do useful work, and small and large polygons in one call.
// Labels: threads

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/table.hpp"
#include "reference/scaled.hpp"
#include "support/compare.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

template <int D, class T>
double lanes_of(const SceneColumns<D, T>& scene, const std::vector<Pair>& pairs, Kind a, Kind b,
                const CollideOptions& options = {}) {
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  collide_pairs<D, T>(scene, pairs, contacts, workspace, options);
  return workspace.stats().kinds[static_cast<std::size_t>(pair_kind(a, b))].lanes;
}

template <int D, class T>
int lane_count(Isa isa) {
  return kernel_table<D, T>(isa).lanes;
}

template <int D, class T>
void add_ball(SceneColumns<D, T>& scene, T x, T radius) {
  std::array<T, D> center{};
  center[0] = x;
  scene.spheres.center.push_back(center);
  scene.spheres.radius.push_back({radius});
}

TEST(lanes, are_those_of_live_pairs_in_a_straight_kernel) {
  SceneColumns<3, float> scene;
  add_ball(scene, 0.0f, 1.0f);
  add_ball(scene, 1.5f, 1.0f);
  for (const Isa isa : built_isas()) {
    if (!cpu_has(isa)) continue;
    CollideOptions options;
    options.isa = isa;
    const int count = lane_count<3, float>(isa);
    const auto share = [&](int pairs) {
      return lanes_of(scene, std::vector<Pair>(static_cast<std::size_t>(pairs), Pair{0, 1}),
                      Kind::sphere, Kind::sphere, options);
    };
    EXPECT_EQ(share(1), 1.0 / count);
    EXPECT_EQ(share(count), 1);
    EXPECT_EQ(share(3 * count), 1);
    EXPECT_EQ(share(3 * count + 1), (3.0 * count + 1) / (4 * count));
    // Several chunks.
    EXPECT_EQ(share(64 * 200), 1);
  }
}

/// Pairs of a shape of `scene` with itself at another place: 0 and 1 need fewer steps than 2 and 3.
template <int D, class T>
void expect_search_is_counted(const SceneColumns<D, T>& scene, Kind a, Kind b) {
  for (const Isa isa : built_isas()) {
    if (!cpu_has(isa)) continue;
    CollideOptions options;
    options.isa = isa;
    options.method = Method::gjk_epa;
    options.margin = 100;
    const int count = lane_count<D, T>(isa);
    std::vector<Pair> pairs{{0, 1}};
    EXPECT_DOUBLE_EQ(lanes_of(scene, pairs, a, b, options), 1.0 / count);
    pairs.assign(static_cast<std::size_t>(count), Pair{0, 1});
    const double alike = lanes_of(scene, pairs, a, b, options);
    pairs.back() = {2, 3};
    const double differing = lanes_of(scene, pairs, a, b, options);
    if (D == 2) {
      EXPECT_EQ(alike, 1);  // no work is done for single pairs
    }
    EXPECT_GE(differing, 1.0 / count);
    if (count == 1) {
      EXPECT_EQ(differing, 1);
    } else {
      EXPECT_LT(differing, alike);
      EXPECT_LT(alike, D == 2 ? 1.01 : 1);
    }
  }
}

TEST(lanes, of_a_search_are_those_that_go_on) {
  // Two points have few steps, crossing segments more.
  SceneColumns<2, float> turned;
  turned.capsules.a = {{0, 0}, {5, 0}, {0, 0}, {0.3f, 0.4f}};
  turned.capsules.b = {{0, 0}, {5, 0}, {3, 1}, {1, -2}};
  turned.capsules.radius = {1, 1, 1, 1};
  expect_search_is_counted(turned, Kind::capsule, Kind::capsule);

  SceneColumns<3, float> boxes;
  boxes.aabbs.min = {{0, 0, 0}, {5, 0.25f, 0.125f}, {0, 0, 0}, {1, 0.5f, 0.75f}};
  boxes.aabbs.max = {{1, 1, 1}, {6, 1.25f, 1.125f}, {2, 2, 2}, {3, 2.5f, 2.75f}};
  expect_search_is_counted(boxes, Kind::aabb, Kind::aabb);
}

template <int D, class T>
void expect_alike_for_threads(Method method) {
  SceneColumns<D, T> scene;
  add_mixed(scene, {scaled(3000, 500), 7, 0.8});
  std::array<double, kPairKindCount> first{};
  for (const int threads : {1, 2, 3, 8}) {
    CollideOptions options;
    options.threads.count = threads;
    options.method = method;
    Workspace<D, T> workspace;
    ContactBuffer<D, T> contacts;
    collide<D, T>(scene, contacts, workspace, options);
    for (int kind = 0; kind < kPairKindCount; ++kind) {
      const CollideStats::KindStats& stats =
          workspace.stats().kinds[static_cast<std::size_t>(kind)];
      EXPECT_GE(stats.lanes, 0);
      EXPECT_LE(stats.lanes, 1);
      EXPECT_EQ(stats.lanes > 0, stats.pairs > 0);
      double& before = first[static_cast<std::size_t>(kind)];
      if (threads == 1) before = stats.lanes;
      EXPECT_EQ(stats.lanes, before) << pair_kind_name(kind, D);
    }
  }
}

TEST(lanes, are_alike_for_any_number_of_threads) {
  for (const Method method : {Method::automatic, Method::gjk_epa}) {
    expect_alike_for_threads<2, float>(method);
    expect_alike_for_threads<2, double>(method);
    expect_alike_for_threads<3, float>(method);
    expect_alike_for_threads<3, double>(method);
  }
}

/// Discs and boxes among polygons of 3 to 8 and of 20 vertices.
template <class T>
SceneColumns<2, T> polygons_of_two_sizes(std::size_t count) {
  SceneColumns<2, T> scene;
  add_mixed(scene, {count, 17, 0.9});
  for (int i = 0; i < 20; ++i) {
    const double angle = 0.3 * i;
    scene.geometries.vertices.push_back(
        {static_cast<T>(0.7 * std::cos(angle)), static_cast<T>(0.7 * std::sin(angle))});
  }
  scene.geometries.offsets.push_back({static_cast<std::int64_t>(scene.geometries.vertices.size())});
  const auto large = static_cast<std::int32_t>(scene.geometries.offsets.size()) - 2;
  for (std::size_t row = 0; row < scene.polygons.geometry.size(); row += 5) {
    scene.polygons.geometry[row] = large;
  }
  return scene;
}

template <class T>
void expect_sizes_change_no_bit(Method method) {
  const SceneColumns<2, T> scene = polygons_of_two_sizes<T>(scaled(3000, 400));
  Workspace<2, T> workspace;
  CollideOptions options;
  options.method = method;
  options.margin = 0.0625;
  update_bounds<2, T>(scene, workspace, options);
  find_pairs<2, T>(scene, workspace, options);
  std::vector<Pair> pairs(workspace.pairs().begin(), workspace.pairs().end());
  for (std::size_t i = 0; i < pairs.size(); i += 3) pairs[i] = {pairs[i].b, pairs[i].a};
  ContactBuffer<2, T> contacts, one;
  for (const int threads : {1, 4}) {
    options.threads.count = threads;
    find_contacts<2, T>(scene, pairs, contacts, workspace, options);
    EXPECT_TRUE(is_consistent(contacts));
    std::int64_t before = -1;
    int kind_before = -1;
    const SceneLayout layout = layout_of(scene);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      // By kind, then as the pairs.
      const Pair pair = contacts.pair[i];
      const int kind = pair_kind(layout.kind_of(pair.a), layout.kind_of(pair.b));
      EXPECT_TRUE(kind > kind_before || (kind == kind_before && contacts.source[i] > before));
      kind_before = kind;
      before = contacts.source[i];
      EXPECT_EQ(pairs[static_cast<std::size_t>(before)], pair);
      if (i % 7 != 0) continue;
      find_contacts<2, T>(scene, {&pair, 1}, one, workspace, options);
      ASSERT_EQ(one.size(), 1u);
      EXPECT_EQ(answer_bits(contacts, i), answer_bits(one, 0));
    }
  }
  // No contact is lost.
  std::vector<std::uint8_t> is_contact(pairs.size());
  test_pairs<2, T>(scene, pairs, is_contact, workspace, options);
  EXPECT_EQ(static_cast<std::size_t>(std::count(is_contact.begin(), is_contact.end(), 1)),
            contacts.size());
}

TEST(lanes, polygons_of_two_sizes_are_answered_as_each_pair_alone) {
  for (const Method method : {Method::automatic, Method::gjk_epa}) {
    expect_sizes_change_no_bit<float>(method);
    expect_sizes_change_no_bit<double>(method);
  }
}

}  // namespace
}  // namespace widephase::test
