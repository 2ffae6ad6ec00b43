// A scene that borrows the caller's arrays, in any layout, gives the answers of one that owns
// columns.

#include <gtest/gtest.h>

#include <cstring>
#include <list>

#include "support/compare.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

/// Byte buffers that outlive the spans that refer to them.
using Store = std::list<std::vector<std::byte>>;

/// A layout of a column: rows `stride` bytes apart from `offset` on, with contiguous components.
struct Layout {
  std::ptrdiff_t extra;  ///< bytes between rows beyond the row's own
  std::size_t offset;    ///< bytes before the first row
  bool is_reversed;      ///< rows from last to first, by a negative stride
};

template <class T, int W>
ColumnSpan<T, W> lend(const Column<T, W>& column, const Layout& layout, Store& store) {
  if (column.empty()) return {};
  const auto row_bytes = static_cast<std::ptrdiff_t>(W * sizeof(T)) + layout.extra;
  const auto count = static_cast<std::ptrdiff_t>(column.size());
  // Exactly as long as needed, so that a sanitizer detects any read past the end.
  store.emplace_back(layout.offset + static_cast<std::size_t>(count * row_bytes - layout.extra));
  std::byte* bytes = store.back().data() + layout.offset;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const std::ptrdiff_t place = layout.is_reversed ? count - 1 - i : i;
    for (int w = 0; w < W; ++w) {
      const T value = column(static_cast<std::size_t>(i), w);
      std::memcpy(bytes + place * row_bytes + w * static_cast<int>(sizeof(T)), &value, sizeof(T));
    }
  }
  const auto* first =
      reinterpret_cast<const T*>(layout.is_reversed ? bytes + (count - 1) * row_bytes : bytes);
  return ColumnSpan<T, W>::interleaved(first, column.size(),
                                       layout.is_reversed ? -row_bytes : row_bytes);
}

template <int D, class T>
SceneSpan<D, T> lend(const SceneColumns<D, T>& scene, const Layout& layout, Store& store) {
  SceneSpan<D, T> view(scene);
  const auto lend_tags = [&](auto& table, const auto& owner) {
    table.world = lend(owner.world, layout, store);
    table.category = lend(owner.category, layout, store);
    table.mask = lend(owner.mask, layout, store);
    table.owner = lend(owner.owner, layout, store);
    table.fixed = lend(owner.fixed, layout, store);
    table.margin = lend(owner.margin, layout, store);
    table.body = lend(owner.body, layout, store);
  };
  balls(view).center = lend(balls(scene).center, layout, store);
  balls(view).radius = lend(balls(scene).radius, layout, store);
  lend_tags(balls(view), balls(scene));
  view.capsules.a = lend(scene.capsules.a, layout, store);
  view.capsules.b = lend(scene.capsules.b, layout, store);
  view.capsules.radius = lend(scene.capsules.radius, layout, store);
  lend_tags(view.capsules, scene.capsules);
  view.aabbs.min = lend(scene.aabbs.min, layout, store);
  view.aabbs.max = lend(scene.aabbs.max, layout, store);
  lend_tags(view.aabbs, scene.aabbs);
  if constexpr (D == 2) {
    view.boxes.center = lend(scene.boxes.center, layout, store);
    view.boxes.turn = lend(scene.boxes.turn, layout, store);
    view.boxes.half_extents = lend(scene.boxes.half_extents, layout, store);
    view.boxes.radius = lend(scene.boxes.radius, layout, store);
    lend_tags(view.boxes, scene.boxes);
    view.polygons.center = lend(scene.polygons.center, layout, store);
    view.polygons.turn = lend(scene.polygons.turn, layout, store);
    view.polygons.geometry = lend(scene.polygons.geometry, layout, store);
    view.polygons.radius = lend(scene.polygons.radius, layout, store);
    lend_tags(view.polygons, scene.polygons);
    view.geometries.vertices = lend(scene.geometries.vertices, layout, store);
    view.geometries.offsets = lend(scene.geometries.offsets, layout, store);
  }
  view.halfspaces.normal = lend(scene.halfspaces.normal, layout, store);
  view.halfspaces.offset = lend(scene.halfspaces.offset, layout, store);
  lend_tags(view.halfspaces, scene.halfspaces);
  view.excluded = lend(scene.excluded, layout, store);
  view.excluded_owners = lend(scene.excluded_owners, layout, store);
  return view;
}

template <class Parameters>
class views : public ::testing::Test {};

template <int Dimension, class Scalar>
struct In {
  static constexpr int D = Dimension;
  using T = Scalar;
};
using Every = ::testing::Types<In<2, float>, In<2, double>, In<3, float>, In<3, double>>;
TYPED_TEST_SUITE(views, Every);

TYPED_TEST(views, of_any_layout_answer_alike) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  add_mixed(scene, {333, 91, 0.5});
  add_tags(scene, 3, 92);
  for (const Isa isa : usable_isas()) {
    CollideOptions options;
    options.isa = isa;
    options.margin = 0.0625;
    ContactBuffer<D, T> expected;
    Workspace<D, T> workspace;
    collide<D, T>(scene, expected, workspace, options);
    EXPECT_GT(expected.size(), 20u);
    const std::vector<Pair> pairs(workspace.pairs().begin(), workspace.pairs().end());
    // Contiguous rows; within structures; unaligned; last row first.
    for (const Layout& layout : {Layout{0, 0, false}, Layout{24, 8, false}, Layout{16, 16, false},
                                 Layout{0, 0, true}, Layout{8, 8, true}}) {
      SCOPED_TRACE(std::string(isa_name(isa)) + ", " + std::to_string(layout.extra) +
                   " bytes between rows, from byte " + std::to_string(layout.offset));
      Store store;
      const SceneSpan<D, T> view = lend(scene, layout, store);
      ContactBuffer<D, T> contacts;
      Workspace<D, T> fresh;
      collide<D, T>(view, contacts, fresh, options);
      EXPECT_TRUE(same_contacts(contacts, expected));
      collide_pairs<D, T>(view, pairs, contacts, fresh, options);
      EXPECT_TRUE(same_contacts(contacts, expected));
    }
  }
}

TYPED_TEST(views, of_one_row_repeated_answer_as_many_rows) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  Random random(93);
  for (int i = 0; i < 200; ++i) append(scene, ball<D>(random.point<D>(0, 8), 0.5));
  balls(scene).margin.resize(200, T(0.125));
  balls(scene).mask.resize(200, 3);
  ContactBuffer<D, T> expected;
  Workspace<D, T> workspace;
  collide<D, T>(scene, expected, workspace);
  EXPECT_GT(expected.size(), 10u);
  const T radius = T(0.5);
  const T margin = T(0.125);
  const std::uint32_t mask = 3;
  SceneSpan<D, T> view(scene);
  balls(view).radius = ColumnSpan<T>::repeated(&radius, 200);
  balls(view).margin = ColumnSpan<T>::repeated(&margin, 200);
  balls(view).mask = ColumnSpan<std::uint32_t>::repeated(&mask, 200);
  ContactBuffer<D, T> contacts;
  Workspace<D, T> fresh;
  collide<D, T>(view, contacts, fresh);
  EXPECT_TRUE(same_contacts(contacts, expected));
}

TYPED_TEST(views, of_plain_vectors) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  // Two balls 1.5 apart along x, as a simulation might store them: one vector per component.
  const std::vector<T> x{0, T(1.5)};
  const std::vector<T> other{2, 2};
  const std::vector<T> radius{1, 1};
  SceneSpan<D, T> view;
  std::array<const T*, D> planes;
  planes.fill(other.data());
  planes[0] = x.data();
  balls(view).center = ColumnSpan<T, D>::planes(planes, 2);
  balls(view).radius = radius;
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  collide<D, T>(view, contacts, workspace);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.depth[0], T(0.5));
}

}  // namespace
}  // namespace widephase::test
