// Parts of a concave outline: whatever touches the outline is found, however it is cut, and no
// contact has a direction that the outline's own edges and corners do not have.
// Labels: emulated-arm own-sets

#include <gtest/gtest.h>

#include <cmath>

#include "reference/solids.hpp"

namespace widephase::test {
namespace {

/// A square from 0 to 2 cut along its diagonal. The halves have owner 7, so the diagonal is inner.
template <class T>
SceneColumns<2, T> cut_square() {
  SceneColumns<2, T> scene;
  scene.geometries.vertices = {{0, 0}, {2, 0}, {2, 2}, {0, 0}, {2, 2}, {0, 2}};
  scene.geometries.offsets = {0, 3, 6};
  scene.geometries.inner = {0, 0, 1, 1, 0, 0};
  scene.polygons.center = {{0, 0}, {0, 0}};
  scene.polygons.turn = {0, 0};
  scene.polygons.geometry = {0, 1};
  scene.polygons.radius = {0, 0};
  scene.polygons.owner = {7, 7};
  return scene;
}

template <class T>
bool is_along_an_axis(const ContactBuffer<2, T>& contacts, std::size_t i) {
  return std::abs(contacts.normal(i, 0) * contacts.normal(i, 1)) < T(1e-6);
}

template <class T>
void expect_square_like() {
  // Shapes all over the square: circles, capsules, boxes and polygons, sharp and rounded.
  for (const Method method : {Method::automatic, Method::gjk_epa}) {
    for (const Isa isa : usable_isas()) {
      SceneColumns<2, T> scene = cut_square<T>();
      SceneColumns<2, T> whole;
      append(whole, aabb<2>({0, 0}, {2, 2}));
      Random random(5);
      for (int i = 0; i < 400; ++i) {
        const Point<2> center = random.point<2>(-0.6, 2.6);
        Solid<2> solid = ball<2>(center, random.uniform(0.05, 0.3));
        if (i % 4 == 1) {
          solid = capsule<2>(center, {center[0] + 0.3, center[1] + random.uniform(-0.4, 0.4)}, 0.1);
        }
        if (i % 4 == 2) solid = box(center, random.uniform(-3, 3), {0.2, 0.1}, 0.05);
        if (i % 4 == 3) {
          solid = polygon(center, random.uniform(-3, 3), {{-0.2, -0.1}, {0.3, 0}, {-0.1, 0.2}});
        }
        append(scene, solid);
        append(whole, solid);
      }
      scene.geometries.inner.resize(scene.geometries.vertices.size(), 0);
      scene.polygons.owner.resize(scene.polygons.geometry.size(), -1);
      const auto collide_one = [&](const SceneColumns<2, T>& input, ContactBuffer<2, T>& contacts) {
        Workspace<2, T> workspace;
        CollideOptions options;
        options.isa = isa;
        options.method = method;
        collide<2, T>(input, contacts, workspace, options);
      };
      ContactBuffer<2, T> parts, square;
      collide_one(scene, parts);
      collide_one(whole, square);
      // The rows that touch the square, by kind, in either scene.
      const auto touching = [&](const SceneColumns<2, T>& input,
                                const ContactBuffer<2, T>& contacts, bool is_parts) {
        const SceneLayout layout = layout_of(SceneSpan<2, T>(input));
        std::vector<std::vector<bool>> found(kKindCount, std::vector<bool>(400, false));
        for (std::size_t i = 0; i < contacts.size(); ++i) {
          const auto is_ours = [&](std::int32_t id) {
            return is_parts ? layout.kind_of(id) == Kind::polygon && layout.row(id) < 2
                            : layout.kind_of(id) == Kind::aabb;
          };
          const Pair pair = contacts.pair[i];
          if (is_ours(pair.a) == is_ours(pair.b)) continue;
          const std::int32_t other = is_ours(pair.a) ? pair.b : pair.a;
          const int shift = is_parts && layout.kind_of(other) == Kind::polygon ? 2 : 0;
          found[static_cast<std::size_t>(layout.kind_of(other))]
               [static_cast<std::size_t>(layout.row(other) - shift)] = true;
        }
        return found;
      };
      EXPECT_EQ(touching(scene, parts, true), touching(whole, square, false)) << isa_name(isa);
      // No circle touches the diagonal: away from the corners, normals are those of the sides.
      const SceneLayout layout = layout_of(SceneSpan<2, T>(scene));
      int count = 0;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const Pair pair = parts.pair[i];
        if (layout.kind_of(pair.a) != Kind::circle || layout.kind_of(pair.b) != Kind::polygon ||
            layout.row(pair.b) >= 2) {
          continue;
        }
        const auto row = static_cast<std::size_t>(layout.row(pair.a));
        const T x = scene.circles.center(row, 0), y = scene.circles.center(row, 1);
        const bool is_beside_corner = (x < 0 || x > 2) && (y < 0 || y > 2);
        if (is_beside_corner) continue;
        ++count;
        EXPECT_TRUE(is_along_an_axis(parts, i))
            << isa_name(isa) << " circle at (" << x << ", " << y << ") normal ("
            << parts.normal(i, 0) << ", " << parts.normal(i, 1) << ")";
      }
      EXPECT_GT(count, 50);
    }
  }
}

TEST(inner_edges, halves_of_a_square_act_as_the_square) {
  expect_square_like<float>();
  expect_square_like<double>();
}

TEST(inner_edges, a_circle_in_the_middle_leaves_over_the_sides) {
  // The centre is in the lower half, 0.7 from the right side and its radius 0.25; over the diagonal
  // it would leave by 0.4 / sqrt(2) and the radius. It is too far from the upper half.
  for (const Isa isa : usable_isas()) {
    SceneColumns<2, double> scene = cut_square<double>();
    append(scene, ball<2>({1.3, 0.9}, 0.25));
    ContactBuffer<2, double> contacts;
    Workspace<2, double> workspace;
    CollideOptions options;
    options.isa = isa;
    options.order = Order::id;
    collide<2, double>(scene, contacts, workspace, options);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(contacts.pair[0], (Pair{0, 1}));
    EXPECT_NEAR(contacts.depth[0], 0.95, 1e-15);
    EXPECT_NEAR(contacts.normal(0, 0), -1, 1e-15);
    EXPECT_EQ(contacts.status[0], 0);
  }
}

TEST(level_edges, a_circle_over_the_second_of_two_level_edges) {
  // Polygons given as they are may have corners that turn by less than rounding: the upper side
  // from (2, 1) over (1, 1 + 2^-52) to (0, 1). Whichever edge rounding prefers, the circle over
  // either is 0.25 deep.
  const auto check = [](Method method, Isa isa) {
    SceneColumns<2, double> scene;
    scene.geometries.vertices = {{0, 0}, {2, 0}, {2, 1}, {1, 1 + 0x1p-52}, {0, 1}};
    scene.geometries.offsets = {0, 5};
    scene.polygons.center = {{0, 0}};
    scene.polygons.turn = {0};
    scene.polygons.geometry = {0};
    for (int i = 0; i < 19; ++i) append(scene, ball<2>({0.05 + 0.1 * i, 1.5}, 0.75));
    ContactBuffer<2, double> contacts;
    Workspace<2, double> workspace;
    CollideOptions options;
    options.isa = isa;
    options.method = method;
    std::vector<Pair> pairs;
    for (int i = 0; i < 19; ++i) pairs.push_back({i, 19});
    collide_pairs<2, double>(scene, pairs, contacts, workspace, options);
    ASSERT_EQ(contacts.size(), 19u);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      EXPECT_NEAR(contacts.depth[i], 0.25, 1e-14) << isa_name(isa) << " circle " << i;
    }
  };
  for (const Isa isa : usable_isas()) {
    check(Method::automatic, isa);
    check(Method::gjk_epa, isa);
  }
}

/// Two polygons, taken as given, with inner edges.
template <class T>
SceneColumns<2, T> two_polygons(const std::vector<Point<2>>& a, const std::vector<Point<2>>& b,
                                const std::vector<std::uint8_t>& inner, T radius) {
  SceneColumns<2, T> scene;
  for (const auto* polygon : {&a, &b}) {
    if (polygon == &a) scene.geometries.offsets.push_back({0});
    for (const Point<2>& v : *polygon) {
      scene.geometries.vertices.push_back({static_cast<T>(v[0]), static_cast<T>(v[1])});
    }
    scene.geometries.offsets.push_back(
        {static_cast<std::int64_t>(scene.geometries.vertices.size())});
  }
  for (const std::uint8_t is_inner : inner) scene.geometries.inner.push_back({is_inner});
  scene.polygons.center = {{0, 0}, {0, 0}};
  scene.polygons.turn = {0, 0};
  scene.polygons.geometry = {0, 1};
  scene.polygons.radius = {radius, radius};
  scene.polygons.owner = {0, 1};
  return scene;
}

TEST(inner_edges, an_inner_edge_makes_no_tie) {
  // The right half of a square of side 2, cut vertically, and shapes in its centre. They separate
  // over its right side as easily as over the cut, which does not count.
  for (const Isa isa : usable_isas()) {
    SceneColumns<2, double> scene = two_polygons<double>(
        {{1, 0}, {2, 0}, {2, 2}, {1, 2}}, {{1.25, 1}, {1.5, 0.75}, {1.75, 1}, {1.5, 1.25}},
        {0, 0, 0, 1, 0, 0, 0, 0}, 0);
    append(scene, ball<2>({1.5, 1}, 0.25));
    append(scene, capsule<2>({1.375, 1}, {1.625, 1}, 0.125));
    ContactBuffer<2, double> contacts;
    Workspace<2, double> workspace;
    CollideOptions options;
    options.isa = isa;
    const std::vector<Pair> pairs{{0, 2}, {1, 2}, {3, 2}};
    collide_pairs<2, double>(scene, pairs, contacts, workspace, options);
    ASSERT_EQ(contacts.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(contacts.status[i], 0) << isa_name(isa);
      EXPECT_EQ(contacts.depth[i], 0.75);
      EXPECT_EQ(contacts.normal(i, 0), -1);
    }
  }
}

TEST(inner_edges, the_direction_of_another_edge_moves_nothing_away) {
  // A triangle over the nearly level edge from (6, 1.5) to (2, 2), which is inner, as its own lower
  // one is. Its corner (5, 2.1) is the nearest: 1.9 / sqrt(16.25) away. Of the outline edges the
  // side y = 2 parts the two by 0.1, though (3, 2.7), nearer to that side's end, is 0.7 above it.
  const std::vector<Point<2>> below{{0, 0}, {6, 0}, {6, 1.5}, {2, 2}, {0, 2}};
  const std::vector<Point<2>> above{{3, 2.7}, {5, 2.1}, {5, 4}};
  const std::vector<std::uint8_t> inner{0, 0, 1, 0, 0, 1, 0, 0};
  const double distance = 1.9 / std::sqrt(16.25);
  for (const Isa isa : usable_isas()) {
    ContactBuffer<2, double> contacts;
    Workspace<2, double> workspace;
    CollideOptions options;
    options.isa = isa;
    options.margin = 0.5;
    collide<2, double>(two_polygons<double>(below, above, inner, 0), contacts, workspace, options);
    ASSERT_EQ(contacts.size(), 1u) << isa_name(isa);
    EXPECT_NEAR(contacts.depth[0], -distance, 1e-15);
    EXPECT_EQ(contacts.normal(0, 1), 1);
    // Rounded by more than half the distance they overlap, by the radii less 0.1 over that side.
    options.margin = 0;
    collide<2, double>(two_polygons<double>(below, above, inner, 0.25), contacts, workspace,
                       options);
    ASSERT_EQ(contacts.size(), 1u) << isa_name(isa);
    EXPECT_NEAR(contacts.depth[0], 0.4, 1e-15);
    EXPECT_EQ(contacts.normal(0, 1), 1);
  }
}

TEST(inner_edges, a_part_without_an_outline_edge_keeps_its_own_with_status_1) {
  for (const Isa isa : usable_isas()) {
    SceneColumns<2, double> scene = cut_square<double>();
    scene.geometries.inner = {1, 1, 1, 1, 0, 0};
    append(scene, ball<2>({1.5, 0.25}, 0.5));
    ContactBuffer<2, double> contacts;
    Workspace<2, double> workspace;
    CollideOptions options;
    options.isa = isa;
    collide<2, double>(scene, contacts, workspace, options);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts.depth[0], 0.75, 1e-15);
    EXPECT_EQ(contacts.status[0], 1);
  }
}

}  // namespace
}  // namespace widephase::test
