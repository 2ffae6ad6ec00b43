// Columns that own, columns that borrow, and scenes made of them.
// Labels: plain

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "support/scenes.hpp"

namespace widephase::test {
namespace {

TEST(column, keeps_rows_while_it_grows) {
  Column<float, 3> column;
  for (int i = 0; i < 1000; ++i) {
    column.push_back({1.0f * i, 2.0f * i, 3.0f * i});
  }
  ASSERT_EQ(column.size(), 1000u);
  for (int i = 0; i < 1000; ++i) {
    const std::array<float, 3> expected{1.0f * i, 2.0f * i, 3.0f * i};
    ASSERT_EQ(column.row(static_cast<std::size_t>(i)), expected);
  }
}

TEST(column, planes_are_aligned_and_an_odd_number_of_cache_lines_apart) {
  for (const std::size_t count : {1u, 16u, 100u, 4096u, 16384u}) {
    Column<double, 3> column;
    column.reserve(count);
    column.resize(count);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(column.plane(0)) % 64, 0u);
    const auto lines = (column.plane(1) - column.plane(0)) * 8 / 64;
    EXPECT_EQ(lines % 2, 1) << count;
    const auto bytes = static_cast<std::size_t>(lines) * 64;
    EXPECT_GE(bytes, count * 8 + (Column<double, 3>::padding_bytes));
  }
}

TEST(column, resizing_fills_new_rows_only) {
  Column<int> column{1, 2, 3};
  column.resize(5, 7);
  EXPECT_EQ(std::vector<int>(column.begin(), column.end()), (std::vector<int>{1, 2, 3, 7, 7}));
  column.resize(2);
  column.resize(3, 9);
  EXPECT_EQ(std::vector<int>(column.begin(), column.end()), (std::vector<int>{1, 2, 9}));
}

TEST(column, copies_are_apart_and_moves_take_over) {
  Column<float, 2> column{{1, 2}, {3, 4}};
  Column<float, 2> copy = column;
  copy(0, 0) = 9;
  EXPECT_EQ(column(0, 0), 1);
  const float* plane = column.plane();
  const Column<float, 2> moved_to = std::move(column);
  EXPECT_EQ(moved_to.plane(), plane);
  EXPECT_EQ(moved_to(1, 1), 4);
  copy = Column<float, 2>();
  EXPECT_TRUE(copy.empty());
  // A larger one into a smaller one, and the reverse.
  Column<float, 2> large;
  for (int i = 0; i < 100; ++i) large.push_back({1.0f * i, 0});
  Column<float, 2> target{{5, 5}};
  target = large;
  EXPECT_EQ(target.size(), 100u);
  EXPECT_EQ(target(99, 0), 99);
  target = Column<float, 2>{{6, 7}};
  ASSERT_EQ(target.size(), 1u);
  EXPECT_EQ(target(0, 1), 7);
}

TEST(column, rows_of_one_number_or_structure_are_appended_with_and_without_braces) {
  SceneColumns<3, float> scene;
  scene.spheres.radius.push_back(0.5f);
  scene.spheres.radius.push_back({0.25f});
  scene.spheres.radius.push_back(2);
  scene.spheres.radius.push_back(scene.spheres.radius[0]);
  scene.spheres.radius.push_back(scene.spheres.radius.row(1));
  ASSERT_EQ(scene.spheres.radius.size(), 5u);
  const std::vector<float> expected{0.5f, 0.25f, 2, 0.5f, 0.25f};
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), scene.spheres.radius.begin()));

  scene.spheres.world.push_back(-1);
  scene.spheres.fixed.push_back(1);
  scene.hulls.geometry.push_back(7);
  scene.spheres.key.push_back(std::int64_t{1} << 40);
  SceneColumns<2, double> flat;
  flat.boxes.turn.push_back(0.1);
  SceneColumns<3, Mixed> mixed;
  mixed.spheres.radius.push_back(0.5f);
  mixed.halfspaces.offset.push_back(0.1);
  EXPECT_EQ(scene.spheres.world[0], -1);
  EXPECT_EQ(scene.spheres.fixed[0], 1);
  EXPECT_EQ(scene.hulls.geometry[0], 7);
  EXPECT_EQ(scene.spheres.key[0], std::int64_t{1} << 40);
  EXPECT_EQ(flat.boxes.turn[0], 0.1);
  EXPECT_EQ(mixed.spheres.radius[0], 0.5f);
  EXPECT_EQ(mixed.halfspaces.offset[0], 0.1);

  Column<Pair> pairs;
  pairs.push_back(Pair{0, 1});
  pairs.push_back({Pair{2, 3}});
  scene.excluded.push_back({4, 5});
  EXPECT_EQ(pairs[0].b, 1);
  EXPECT_EQ(pairs[1].a, 2);
  EXPECT_EQ(scene.excluded(0, 1), 5);
}

TEST(column, an_empty_one_has_no_planes_and_an_empty_span) {
  const Column<double, 3> column;
  EXPECT_EQ(column.plane(2), nullptr);
  EXPECT_TRUE(column.span().empty());
  const Column<double, 3> copy = column;
  EXPECT_TRUE(copy.empty());
}

TEST(column, a_size_that_cannot_be_had_throws_and_leaves_the_rows) {
#ifdef WIDEPHASE_SANITIZED
  GTEST_SKIP() << "the sanitizers end the program where operator new would throw";
#endif
  Column<float, 3> column{{1, 2, 3}};
  // The size in bytes of the larger ones overflows.
  for (const int bits : {58, 60, 61, 62, 63}) {
    EXPECT_THROW(column.reserve(std::size_t{1} << bits), std::bad_alloc) << bits;
  }
  EXPECT_THROW(column.reserve(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
  EXPECT_THROW(column.resize(std::numeric_limits<std::size_t>::max() / sizeof(float)),
               std::bad_alloc);
  ASSERT_EQ(column.size(), 1u);
  EXPECT_EQ(column(0, 2), 3);
}

TEST(column_span, reads_interleaved_planar_and_repeated_rows) {
  const std::vector<float> rows{1, 2, 3, 4, 5, 6};
  const auto interleaved = ColumnSpan<float, 2>::interleaved(rows.data(), 3);
  EXPECT_EQ(interleaved(2, 0), 5);
  EXPECT_EQ(interleaved(0, 1), 2);
  const auto every_third = ColumnSpan<float>::interleaved(rows.data() + 2, 2, 3 * sizeof(float));
  EXPECT_EQ(every_third[0], 3);
  EXPECT_EQ(every_third[1], 6);
  const auto planes = ColumnSpan<float, 2>::planes({rows.data(), rows.data() + 3}, 3);
  EXPECT_EQ(planes(2, 1), 6);
  const auto repeated = ColumnSpan<float, 3>::repeated(rows.data(), 1000);
  EXPECT_EQ(repeated.size(), 1000u);
  EXPECT_EQ(repeated(999, 2), 3);
  const auto backwards = ColumnSpan<float>::interleaved(
      rows.data() + 5, 6, -static_cast<std::ptrdiff_t>(sizeof(float)));
  EXPECT_EQ(backwards[0], 6);
  EXPECT_EQ(backwards[5], 1);
}

TEST(column_span, reads_what_is_not_aligned) {
  std::vector<unsigned char> bytes(1 + 3 * sizeof(double));
  for (int i = 0; i < 3; ++i) {
    const double value = 1.5 * i;
    std::memcpy(bytes.data() + 1 + i * static_cast<int>(sizeof(double)), &value, sizeof(double));
  }
  const auto span =
      ColumnSpan<double>::interleaved(reinterpret_cast<const double*>(bytes.data() + 1), 3);
  EXPECT_EQ(span[2], 3.0);
}

TEST(scene_columns, can_be_copied_and_moved) {
  using Columns = SceneColumns<3, float>;
  using Span = SceneSpan<3, float>;
  EXPECT_TRUE(std::is_copy_constructible_v<Columns>);
  EXPECT_TRUE(std::is_move_constructible_v<Columns>);
  EXPECT_TRUE(std::is_copy_assignable_v<Columns>);
  EXPECT_TRUE(std::is_move_assignable_v<Columns>);
  EXPECT_TRUE(std::is_copy_constructible_v<Span>);
  EXPECT_TRUE(std::is_copy_assignable_v<Span>);
}

TEST(scene_span, borrows_every_column_of_the_owner) {
  SceneColumns<2, double> scene;
  add_mixed(scene, {50, 5});
  add_tags(scene, 3, 6);
  scene.domain = {{0, 1}, {100, 101}, {true, false}};
  const SceneSpan<2, double> view(scene);
  EXPECT_EQ(view.circles.center.plane(1), scene.circles.center.plane(1));
  EXPECT_EQ(view.capsules.b.plane(0), scene.capsules.b.plane(0));
  EXPECT_EQ(view.aabbs.world.plane(), scene.aabbs.world.plane());
  EXPECT_EQ(view.halfspaces.body.size(), scene.halfspaces.body.size());
  EXPECT_EQ(view.excluded.size(), scene.excluded.size());
  EXPECT_EQ(view.excluded_owners.size(), scene.excluded_owners.size());
  EXPECT_EQ(view.excluded_bodies.size(), scene.excluded_bodies.size());
  EXPECT_EQ(view.boxes.turn.plane(), scene.boxes.turn.plane());
  EXPECT_EQ(view.polygons.geometry.plane(), scene.polygons.geometry.plane());
  EXPECT_GT(scene.polygons.geometry.size(), 0u);
  EXPECT_EQ(view.geometries.offsets.size(), scene.polygons.geometry.size() + 1);
  EXPECT_EQ(view.geometries.vertices.plane(1), scene.geometries.vertices.plane(1));
  EXPECT_EQ(view.domain.max[1], 101);
  EXPECT_TRUE(view.domain.periodic[0]);
  EXPECT_EQ(layout_of(view).shape_count(), layout_of(scene).shape_count());
}

TEST(scene_layout, counts_ids_over_kinds_in_their_order) {
  SceneColumns<3, float> scene;
  append(scene, halfspace<3>({0, 0, 1}, 0));
  for (int i = 0; i < 4; ++i) append(scene, aabb<3>({}, {1, 1, 1}));
  for (int i = 0; i < 2; ++i) append(scene, ball<3>({}, 1));
  const SceneLayout layout = layout_of(scene);
  EXPECT_EQ(layout.shape_count(), 7);
  EXPECT_EQ(layout.count(Kind::aabb), 4);
  EXPECT_EQ(layout.id(Kind::aabb, 3), 5);
  EXPECT_EQ(layout.kind_of(5), Kind::aabb);
  EXPECT_EQ(layout.row(5), 3);
  EXPECT_EQ(layout.kind_of(6), Kind::halfspace);
}

TEST(pair_kinds, number_every_two_kinds_once) {
  int expected = 0;
  for (int a = 0; a < kKindCount; ++a) {
    for (int b = a; b < kKindCount; ++b) {
      const auto first = static_cast<Kind>(a);
      const auto second = static_cast<Kind>(b);
      EXPECT_EQ(pair_kind(first, second), expected);
      EXPECT_EQ(pair_kind(second, first), expected);
      EXPECT_EQ(kinds_of(expected).a, first);
      EXPECT_EQ(kinds_of(expected).b, second);
      ++expected;
    }
  }
  EXPECT_EQ(expected, kPairKindCount);
  EXPECT_EQ(kPairKindCount, 91);
  EXPECT_EQ(pair_kind_name(pair_kind(Kind::heightfield, Kind::box), 3), "box_heightfield");
  EXPECT_EQ(pair_kind_name(pair_kind(Kind::capsule, Kind::circle), 2), "circle_capsule");
  EXPECT_EQ(pair_kind_name(pair_kind(Kind::sphere, Kind::halfspace), 3), "sphere_halfspace");
}

TEST(pair_kinds, have_kernels_among_known_kinds_but_two_halfspaces) {
  for (const int dimension : {2, 3}) {
    for (const Kind a : kinds(dimension)) {
      for (const Kind b : kinds(dimension)) {
        EXPECT_EQ(has_kernel(dimension, a, b), a != Kind::halfspace || b != Kind::halfspace);
      }
    }
  }
}

TEST(contact_buffer, hashes_every_array) {
  const auto fill = [](ContactBuffer<2, float>& contacts) {
    contacts.pair.push_back({Pair{0, 1}});
    contacts.source.push_back({0});
    contacts.normal.push_back({1, 0});
    contacts.depth.push_back({0.5f});
    contacts.status.push_back({0});
    contacts.offset.push_back({0});
    contacts.offset.push_back({1});
    contacts.point.push_back({2, 3});
    contacts.point_depth.push_back({0.5f});
    contacts.feature.push_back({0});
  };
  ContactBuffer<2, float> expected;
  fill(expected);
  const std::vector<void (*)(ContactBuffer<2, float>&)> changes{
      [](auto& c) { c.pair[0].b = 2; },         [](auto& c) { c.source[0] = 1; },
      [](auto& c) { c.normal(0, 1) = -0.0f; },  [](auto& c) { c.depth[0] = 0.25f; },
      [](auto& c) { c.status[0] = 1; },         [](auto& c) { c.point(0, 1) = 4; },
      [](auto& c) { c.point_depth[0] = 0; },    [](auto& c) { c.feature[0] = 7; },
      [](auto& c) { c.world_offset = {0, 1}; }, [](auto& c) { c.part.push_back({-1, 0}); }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    ContactBuffer<2, float> contacts;
    fill(contacts);
    EXPECT_EQ(hash(contacts), hash(expected));
    changes[i](contacts);
    EXPECT_NE(hash(contacts), hash(expected)) << i;
  }
  ContactBuffer<2, float> contacts;
  fill(contacts);
  contacts.clear();
  EXPECT_EQ(contacts.size(), 0u);
  EXPECT_EQ(contacts.point_count(), 0u);
}

TEST(contact_buffer, walks_its_parts_if_it_has_rows_of_them) {
  const auto columns = [](auto&... contacts) {
    int count = 0;
    for_each_point_column([&](auto&...) { ++count; }, contacts...);
    return count;
  };
  ContactBuffer<3, float> contacts, other;
  contacts.point.push_back({1, 2, 3});
  contacts.point_depth.push_back({0.5f});
  contacts.feature.push_back({0});
  EXPECT_EQ(columns(contacts), 3);
  const std::size_t bytes = contacts.bytes();
  contacts.part.push_back({-1, 7});
  EXPECT_EQ(columns(contacts), 4);
  EXPECT_EQ(columns(contacts, other), 4);
  EXPECT_EQ(columns(other, contacts), 3);
  EXPECT_EQ(contacts.bytes(), bytes + contacts.part.bytes());
  contacts.clear();
  EXPECT_TRUE(contacts.part.empty());
  EXPECT_EQ(contacts.bytes(), bytes + contacts.part.bytes() + contacts.offset.bytes());
}

TEST(version, is_the_headers) { EXPECT_EQ(version(), WIDEPHASE_VERSION); }

}  // namespace
}  // namespace widephase::test
