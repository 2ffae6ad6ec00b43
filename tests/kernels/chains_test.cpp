// Contacts with chains: no joint is felt, and what counts is what the definition says, over all
// segments and in double.

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/scaled.hpp"
#include "support/lines.hpp"

namespace widephase::test {
namespace {

template <class T>
class chains : public ::testing::Test {};
template <class T_>
struct In {
  using T = T_;
};
using Precisions = testing::Types<In<float>, In<double>, In<Mixed>>;
TYPED_TEST_SUITE(chains, Precisions);

std::vector<double> any_cuts(Random& random, double from, double to) {
  std::vector<double> places{from, to};
  const int cuts = static_cast<int>(random.uniform(1, 40));
  for (int i = 0; i < cuts; ++i) places.push_back(random.uniform(from, to));
  std::sort(places.begin(), places.end());
  return places;
}

/// How far a shape of scene `lines` reaches down: what a halfspace below it says.
template <class T>
double depth_over(const Lines<T>& lines, double height) {
  SceneColumns<2, T> scene = lines.scene;
  scene.chains = {};
  scene.halfspaces.normal.push_back({0, 1});
  scene.halfspaces.offset.push_back({static_cast<PositionOf<T>>(height)});
  Workspace<2, T> workspace;
  DistanceBuffer<2, T> answer;
  const Pair pair{0, 1};
  distances<2, T>(scene, {&pair, 1}, answer, workspace);
  return -static_cast<double>(answer.distance[0]);
}

TYPED_TEST(chains, no_joint_of_level_ground_is_felt_however_it_is_cut) {
  using T = typename TypeParam::T;
  Random random(71);
  for (int n = 0; n < static_cast<int>(scaled(600, 200)); ++n) {
    Lines<T> lines;
    const Kind kind = kFlatShapes[n % 5];
    const double angle = n / 5 % 3 == 0 ? 0 : random.uniform(-3, 3);
    lines.add_shape(kind, {random.uniform(-3, 3), random.uniform(0.1, 1.2)},
                    {random.uniform(0.1, 1), random.uniform(0.1, 1)}, angle);
    lines.place(lines.add(line_of(any_cuts(random, -6, 6), [](double) { return 0.0; })));
    const double depth = depth_over(lines, 0);
    const ContactBuffer<2, T> contacts = contacts_of(lines.scene);
    // The middle of each shape is above the ground.
    if (std::abs(depth) < 1e-5) continue;
    ASSERT_EQ(contacts.size(), depth > 0 ? 1u : 0u) << n;
    if (depth < 0) continue;
    EXPECT_NEAR(static_cast<double>(contacts.normal(0, 0)), 0, 1e-5) << n;
    EXPECT_NEAR(static_cast<double>(contacts.normal(0, 1)), -1, 1e-5) << n;
    EXPECT_NEAR(static_cast<double>(contacts.depth[0]), depth, 1e-5) << n;
  }
}

TYPED_TEST(chains, contacts_of_round_shapes_are_the_local_minima_of_the_distance) {
  using T = typename TypeParam::T;
  Random random(72);
  std::int64_t minima = 0;
  for (int n = 0; n < static_cast<int>(scaled(600, 200)); ++n) {
    std::vector<double> places{-3};
    while (places.back() < 3) places.push_back(places.back() + random.uniform(0.05, 0.6));
    std::vector<Point2d> line = line_of(places, [&](double) { return random.uniform(-0.3, 0.3); });
    for (Point2d& p : line) {
      for (double& x : p) x = static_cast<double>(static_cast<SizeOf<T>>(x));
    }
    Lines<T> lines;
    lines.place(lines.add(line, {.two_sided = true}));
    FlatCore core;
    const auto given = [](double x) { return static_cast<double>(static_cast<SizeOf<T>>(x)); };
    const Point2d center{given(random.uniform(-2, 2)), given(random.uniform(0.3, 1.2))};
    core.radius = given(random.uniform(0.1, 0.6));
    if (n % 2 == 0) {
      core.corners = {center};
      lines.add_circle(center, core.radius);
    } else {
      const Point2d half{given(random.uniform(0.05, 0.5)), given(random.uniform(0.05, 0.5))};
      const double angle = given(random.uniform(-3, 3));
      lines.add_box(center, half, angle, core.radius);
      for (const Point2d& sign : {Point2d{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
        const double x = sign[0] * half[0], y = sign[1] * half[1];
        core.corners.push_back({center[0] + std::cos(angle) * x - std::sin(angle) * y,
                                center[1] + std::sin(angle) * x + std::cos(angle) * y});
      }
    }
    bool crosses = false;
    for (std::size_t s = 0; s + 1 < line.size(); ++s) {
      crosses |= nearest_of(core, line[s], line[s + 1]).distance < 1e-5;
    }
    if (crosses) continue;
    const auto expected = local_minima(core, line, false, core.radius);
    const ContactBuffer<2, T> contacts = contacts_of(lines.scene);
    const double most = n % 2 == 0 || sizeof(SizeOf<T>) == 8 ? 1e-5 : 1e-4;
    for (const LocalMinimum& one : expected) {
      ++minima;
      if (core.radius - one.distance < most) continue;
      // A patch has the depth of its deepest contact, and normals within 5 degrees of it.
      bool is_found = false;
      for (std::size_t c = 0; c < contacts.size(); ++c) {
        const double cosine = static_cast<double>(contacts.normal(c, 0)) * one.normal[0] +
                              static_cast<double>(contacts.normal(c, 1)) * one.normal[1];
        is_found |= cosine > 0.9959 &&
                    static_cast<double>(contacts.depth[c]) > core.radius - one.distance - most;
      }
      EXPECT_TRUE(is_found) << n << ": " << one.normal[0] << " " << one.normal[1];
    }
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      if (static_cast<double>(contacts.depth[c]) < most) continue;
      bool is_one = false;
      for (const LocalMinimum& one : expected) {
        const double x = static_cast<double>(contacts.normal(c, 0)) - one.normal[0];
        const double y = static_cast<double>(contacts.normal(c, 1)) - one.normal[1];
        const double depth = static_cast<double>(contacts.depth[c]);
        is_one |= std::hypot(x, y) < 1e-3 && std::abs(depth - core.radius + one.distance) < most;
      }
      EXPECT_TRUE(is_one) << n << ": contact " << c << " is of no local minimum";
    }
  }
  EXPECT_GT(minima, 100);
}

TYPED_TEST(chains, a_loop_is_the_polygon_of_its_vertices_to_what_touches_it_from_outside) {
  using T = typename TypeParam::T;
  Random random(73);
  const std::vector<Point2d> corners{{1, 0}, {0.5, 0.8}, {-0.6, 0.7}, {-1, -0.2}, {0.2, -0.9}};
  int touching = 0;
  for (int n = 0; n < static_cast<int>(scaled(400, 200)); ++n) {
    Lines<T> solid, line;
    Column<SizeOf<T>, 2> points;
    for (const Point2d& p : corners) points.push_back(Lines<T>::size(p));
    solid.scene.polygons.center.push_back({});
    solid.scene.polygons.turn.push_back({0});
    solid.scene.polygons.geometry.push_back({add_polygon(solid.scene.geometries, points.span())});
    line.place(line.add(corners, {.loop = true}));
    const double turn = random.uniform(-3.2, 3.2), far = random.uniform(1.0, 1.5);
    const Point2d center{far * std::cos(turn), far * std::sin(turn)};
    solid.add_circle(center, 0.4);
    line.add_circle(center, 0.4);
    const ContactBuffer<2, T> expected = contacts_of(solid.scene);
    const ContactBuffer<2, T> contacts = contacts_of(line.scene);
    if (expected.size() == 1 && static_cast<double>(expected.depth[0]) > 0.39) continue;
    ASSERT_EQ(contacts.size(), expected.size()) << n;
    if (contacts.size() == 0) continue;
    ++touching;
    for (int k = 0; k < 2; ++k) {
      EXPECT_NEAR(static_cast<double>(contacts.normal(0, k)),
                  static_cast<double>(expected.normal(0, k)), 1e-4);
      EXPECT_NEAR(static_cast<double>(contacts.point(0, k)),
                  static_cast<double>(expected.point(0, k)), 1e-4);
    }
    EXPECT_NEAR(static_cast<double>(contacts.depth[0]), static_cast<double>(expected.depth[0]),
                1e-5);
  }
  EXPECT_GT(touching, 10);
}

/// Contacts without names of parts, which cuts change.
template <class T>
std::vector<std::array<double, 3>> forces_of(const ContactBuffer<2, T>& contacts) {
  std::vector<std::array<double, 3>> forces;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    forces.push_back({static_cast<double>(contacts.normal(c, 0)),
                      static_cast<double>(contacts.normal(c, 1)),
                      static_cast<double>(contacts.depth[c])});
  }
  std::sort(forces.begin(), forces.end());
  return forces;
}
template <class T>
void expect_alike(const ContactBuffer<2, T>& a, const ContactBuffer<2, T>& b, double most, int n) {
  const auto x = forces_of(a), y = forces_of(b);
  ASSERT_EQ(x.size(), y.size()) << n;
  for (std::size_t c = 0; c < x.size(); ++c) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(x[c][k], y[c][k], most) << n;
  }
}

TEST(chains, cuts_within_segments_change_no_contact) {
  Random random(74);
  int found = 0;
  for (int n = 0; n < static_cast<int>(scaled(600, 200)); ++n) {
    std::vector<double> places{-3};
    while (places.back() < 3) places.push_back(places.back() + random.uniform(0.2, 0.9));
    const std::vector<Point2d> line =
        line_of(places, [&](double) { return random.uniform(-0.3, 0.3); });
    std::vector<Point2d> cut;
    for (std::size_t v = 0; v < line.size(); ++v) {
      cut.push_back(line[v]);
      for (int k = 0; v + 1 < line.size() && k < 3; ++k) {
        cut.push_back(plus2(line[v], less2(line[v + 1], line[v]), 0.25 * (k + 1)));
      }
    }
    const Kind kind = kFlatShapes[n % 5];
    const Point2d center{random.uniform(-2, 2), random.uniform(0.1, 0.8)};
    const Point2d half{random.uniform(0.1, 0.5), random.uniform(0.1, 0.5)};
    const double angle = random.uniform(-3, 3);
    Lines<double> whole, parts;
    whole.place(whole.add(line));
    parts.place(parts.add(cut));
    whole.add_shape(kind, center, half, angle);
    parts.add_shape(kind, center, half, angle);
    const ContactBuffer<2, double> expected = contacts_of(whole.scene);
    found += expected.size() > 0;
    expect_alike(contacts_of(parts.scene), expected, 1e-9, n);
  }
  EXPECT_GT(found, 50);
}

TEST(chains, the_vertex_at_which_a_loop_begins_changes_nothing_but_numbers) {
  Random random(75);
  for (int n = 0; n < static_cast<int>(scaled(500, 200)); ++n) {
    std::vector<Point2d> ring;
    for (int v = 0; v < 12; ++v) {
      const double far = random.uniform(0.7, 1.3), turn = v * 0.5235987755982988;
      ring.push_back({far * std::cos(turn), far * std::sin(turn)});
    }
    Lines<double> one, other;
    one.place(one.add(ring, {.loop = true}));
    std::rotate(ring.begin(), ring.begin() + 5, ring.end());
    other.place(other.add(ring, {.loop = true}));
    const double turn = random.uniform(-3, 3);
    const Point2d center{1.3 * std::cos(turn), 1.3 * std::sin(turn)};
    const double angle = random.uniform(-3, 3);
    for (Lines<double>* lines : {&one, &other}) {
      lines->add_shape(kFlatShapes[n % 5], center, {0.4, 0.3}, angle);
    }
    expect_alike(contacts_of(one.scene), contacts_of(other.scene), 0, n);
  }
}

TEST(chains, a_line_in_two_parts_that_know_each_other_is_felt_as_the_whole) {
  Random random(76);
  for (int n = 0; n < static_cast<int>(scaled(500, 200)); ++n) {
    std::vector<double> places{-3};
    while (places.back() < 3) places.push_back(places.back() + random.uniform(0.1, 0.6));
    const bool is_level = n % 2 == 0;
    const std::vector<Point2d> line =
        line_of(places, [&](double) { return is_level ? 0 : random.uniform(-0.2, 0.2); });
    // The first part ends at a vertex in the middle; each knows some segments of the other.
    const auto half = static_cast<std::ptrdiff_t>(line.size() / 2);
    const auto count = static_cast<std::ptrdiff_t>(line.size());
    const auto known = static_cast<std::int32_t>(half - 1);
    Lines<double> whole, parts;
    whole.place(whole.add(line));
    parts.place(parts.add({line.begin(), line.begin() + half + 1 + known}, {.after = known}));
    parts.place(parts.add({line.begin() + half - known, line.begin() + count}, {.before = known}));
    const Kind kind = kFlatShapes[n % 5];
    const Point2d center{line[static_cast<std::size_t>(half)][0] + random.uniform(-0.5, 0.5),
                         random.uniform(0.1, 0.7)};
    const double angle = random.uniform(-3, 3);
    for (Lines<double>* lines : {&whole, &parts}) {
      lines->add_shape(kind, center, {0.4, 0.3}, angle);
    }
    // What both parts have is there twice.
    auto expected = forces_of(contacts_of(whole.scene)),
         found = forces_of(contacts_of(parts.scene));
    const auto is_in = [](const std::array<double, 3>& one, const auto& all) {
      for (const auto& other : all) {
        if (std::hypot(one[0] - other[0], one[1] - other[1]) < 0.09 && other[2] >= one[2] - 1e-9) {
          return true;
        }
      }
      return false;
    };
    for (const auto& one : expected) EXPECT_TRUE(is_in(one, found)) << n << ": is lost";
    for (const auto& one : found) EXPECT_TRUE(is_in(one, expected)) << n << ": is a ghost";
  }
}

TEST(chains, one_sided_lines_are_met_from_their_right_alone) {
  // Along x: the right is below. A circle of radius 0.5 above or below by 0.3.
  for (const bool two_sided : {false, true}) {
    for (const double y : {-0.3, 0.3}) {
      Lines<float> lines;
      lines.place(lines.add({{-2, 0}, {2, 0}}, {.two_sided = two_sided}));
      lines.add_circle({0, y}, 0.5);
      const ContactBuffer<2, float> contacts = contacts_of(lines.scene);
      ASSERT_EQ(contacts.size(), two_sided || y < 0 ? 1u : 0u);
      if (contacts.size() == 0) continue;
      EXPECT_FLOAT_EQ(contacts.normal(0, 1), y < 0 ? 1.0f : -1.0f);
      EXPECT_NEAR(contacts.depth[0], 0.2f, 1e-6f);
    }
  }
}

TEST(chains, a_box_over_a_ledge_leaves_by_the_shorter_way) {
  // The ledge's corner is (2, 0): free above it and to its right.
  const std::vector<Point2d> ledge{{2, -3}, {2, 0}, {1, 0}, {-5, 0}};
  for (const bool is_beside : {false, true}) {
    Lines<float> lines;
    lines.place(lines.add(ledge));
    // 0.1 over the side and 0.3 below the top, or 0.4 and 0.05.
    lines.add_box(is_beside ? Point2d{2.4, 0.2} : Point2d{2.1, 0.45}, {0.5, 0.5});
    const ContactBuffer<2, float> contacts = contacts_of(lines.scene);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts.normal(0, is_beside ? 0 : 1), -1, 1e-6f);
    EXPECT_NEAR(contacts.depth[0], is_beside ? 0.1f : 0.05f, 1e-6f);
    EXPECT_EQ(contacts.point_count(), 2u);
  }
}

TEST(chains, shapes_in_a_valley_meet_both_its_sides) {
  Lines<float> lines;
  lines.place(lines.add({{3, 3}, {0, 0}, {-3, 3}}));
  lines.add_circle({0, 0.5}, 0.4);
  lines.add_box({0, 0.5}, {0.4, 0.2});
  const ContactBuffer<2, float> contacts = contacts_of(lines.scene);
  int of_circle = 0, of_box = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (contacts.pair[c].b != lines.chain_id()) continue;
    contacts.pair[c].a == 0 ? ++of_circle : ++of_box;
    EXPECT_NEAR(std::abs(contacts.normal(c, 0)), std::sqrt(0.5f), 1e-6f);
    // 0.4 - 0.5 / sqrt(2); the box's corner (0.4, 0.3) is 0.1 / sqrt(2) behind.
    EXPECT_NEAR(contacts.depth[c],
                contacts.pair[c].a == 0 ? 0.4 - 0.5 * std::sqrt(0.5) : 0.1 * std::sqrt(0.5), 1e-6);
  }
  EXPECT_EQ(of_circle, 2);
  EXPECT_EQ(of_box, 2);
}

TYPED_TEST(chains, polygons_of_few_and_of_many_vertices_meet_a_chain_together) {
  using T = typename TypeParam::T;
  // Regular polygons whose lowest vertex is 1 below their centres and 0.25 below the ground.
  Lines<T> lines;
  lines.place(lines.add({{9, 0}, {3, 0}, {-9, 0}}));
  for (const int vertices : {4, 40, 3, 20}) {
    Column<SizeOf<T>, 2> points;
    for (int v = 0; v < vertices; ++v) {
      const double turn = -1.5707963267948966 + v * 6.283185307179586 / vertices;
      points.push_back(Lines<T>::size({std::cos(turn), std::sin(turn)}));
    }
    auto& polygons = lines.scene.polygons;
    polygons.geometry.push_back({add_polygon(lines.scene.geometries, points.span())});
    const double x = -6 + 4 * static_cast<double>(polygons.turn.size());
    polygons.center.push_back(Lines<T>::at({x, 0.75}));
    polygons.turn.push_back({0});
  }
  const ContactBuffer<2, T> contacts = contacts_of(lines.scene);
  ASSERT_EQ(contacts.size(), 4u);
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(contacts.pair[c].a, static_cast<std::int32_t>(c));
    EXPECT_NEAR(static_cast<double>(contacts.depth[c]), 0.25, 1e-6);
    EXPECT_NEAR(static_cast<double>(contacts.normal(c, 1)), -1, 1e-6);
  }
}

TEST(chains, a_halfspace_meets_the_lowest_vertices) {
  Lines<float> lines;
  lines.place(lines.add({{-1, 0.1}, {0, -0.2}, {1, -0.2}, {2, 0.3}}), {0, 0.1}, 0, 0.05);
  lines.scene.chains.fixed.clear();
  lines.scene.halfspaces.normal.push_back({0, 1});
  lines.scene.halfspaces.offset.push_back({0});
  const ContactBuffer<2, float> contacts = contacts_of(lines.scene);
  ASSERT_EQ(contacts.size(), 1u);
  // The lowest are 0.1 below the line, and the chain is 0.05 thick.
  EXPECT_NEAR(contacts.depth[0], 0.15f, 1e-6f);
  ASSERT_EQ(contacts.point_count(), 2u);
  EXPECT_NEAR(contacts.point(0, 0), 0, 1e-6f);
  EXPECT_NEAR(contacts.point(1, 0), 1, 1e-6f);
  EXPECT_EQ(contacts.part(0, 0), -1);
  EXPECT_EQ(contacts.part(0, 1), 0);
  EXPECT_EQ(contacts.part(1, 1), 1);
}

TEST(chains, parts_and_features_name_segments_and_vertices) {
  // Segments 0 to 2, from right to left; a segment without length between the last two has 2.
  Lines<float> lines;
  lines.place(lines.add({{3, 0}, {1, 0}, {-1, 0}, {-1, 0}, {-3, 1}}));
  lines.add_circle({2, 0.4}, 0.5);
  lines.add_circle({1, 0.4}, 0.5);
  lines.add_circle({-2.2, 0.9}, 0.5);
  const ContactBuffer<2, float> contacts = contacts_of(lines.scene);
  std::vector<std::array<std::int32_t, 3>> named;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (contacts.pair[c].b != lines.chain_id()) continue;
    const auto point = static_cast<std::size_t>(contacts.offset[c]);
    named.push_back({contacts.pair[c].a, contacts.part(point, 1),
                     static_cast<std::int32_t>(contacts.feature[point] & 0xffff)});
  }
  const auto edge = static_cast<std::int32_t>(feature_half(Feature::edge, 0));
  const auto end = static_cast<std::int32_t>(feature_half(Feature::vertex, 1));
  EXPECT_EQ(named,
            (std::vector<std::array<std::int32_t, 3>>{{0, 0, edge}, {1, 0, end}, {2, 3, edge}}));
}

TEST(chains, boxes_keep_two_points_on_cut_ground) {
  Lines<float> lines;
  lines.place(lines.add(line_of({-3, -0.7, -0.1, 0.2, 0.9, 3}, [](double) { return 0.0; })));
  lines.add_box({0, 0.49}, {0.5, 0.5});
  const ContactBuffer<2, float> contacts = contacts_of(lines.scene);
  ASSERT_EQ(contacts.size(), 1u);
  ASSERT_EQ(contacts.point_count(), 2u);
  std::array<float, 2> x{contacts.point(0, 0), contacts.point(1, 0)};
  std::sort(x.begin(), x.end());
  EXPECT_NEAR(x[0], -0.5f, 1e-6f);
  EXPECT_NEAR(x[1], 0.5f, 1e-6f);
}

TEST(chains, lines_that_touch_themselves_have_no_joint_there) {
  // An open line that ends where it began is whole there; a line across it at a vertex too.
  Lines<double> lines;
  lines.place(lines.add({{1, 0}, {0, 0}, {-1, 0}, {0, -2}, {1, 0}}, {.two_sided = true}));
  lines.add_box({0.9, 0.29}, {0.5, 0.3});
  const ContactBuffer<2, double> contacts = contacts_of(lines.scene);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts.normal(0, 1), -1, 1e-12);
  EXPECT_NEAR(contacts.depth[0], 0.01, 1e-12);
}

/// Numbers of an answer that a program can go on with.
void expect_bounded(const ContactBuffer<2, double>& contacts, double most) {
  EXPECT_LE(contacts.size(), 2u);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    EXPECT_NEAR(std::hypot(contacts.normal(c, 0), contacts.normal(c, 1)), 1, 1e-9);
    EXPECT_TRUE(std::abs(contacts.depth[c]) <= most) << contacts.depth[c];
    const auto point = static_cast<std::size_t>(contacts.offset[c]);
    for (int k = 0; k < 2; ++k) EXPECT_TRUE(std::abs(contacts.point(point, k)) <= most);
  }
}

TYPED_TEST(chains, circles_in_lanes_have_the_bits_of_those_searched_one_by_one) {
  // A capsule without length is searched alone, and but for its feature's name it is a circle.
  using T = typename TypeParam::T;
  Random random(74);
  std::size_t several = 0, compared = 0;
  for (int n = 0; n < 24; ++n) {
    Lines<T> lines;
    const auto place = [&](double from) {
      std::vector<double> places{from};
      while (places.back() < from + 8) places.push_back(places.back() + random.uniform(0.05, 1));
      const double steep = random.uniform(0, 0.8), bottom = random.uniform(-0.2, 0.2);
      std::vector<Point2d> line =
          line_of(places, [&](double) { return bottom + random.uniform(-steep, steep); });
      const bool is_loop = random.chance(0.3);
      if (is_loop) line.push_back({from + 4, -2});
      ChainOptions options{.loop = is_loop, .two_sided = random.chance(0.4)};
      if (!is_loop && random.chance(0.4)) options.before = options.after = 1;
      lines.place(lines.add(line, options), {random.uniform(-0.1, 0.1), 0},
                  random.chance(0.5) ? 0 : random.uniform(-0.1, 0.1),
                  random.chance(0.3) ? 0.05 : 0);
    };
    for (const double from : {-8.0, -0.5}) place(from);
    constexpr int kCircles = 200;
    for (int i = 0; i < kCircles; ++i) {
      const Point2d at{random.uniform(-8, 8), random.uniform(-1, 1)};
      const double radius = random.uniform(0.05, 0.7);
      lines.add_circle(at, radius);
      lines.add_shape(Kind::capsule, at, {0, radius}, 0);
    }
    lines.scene.circles.owner.resize(kCircles, 3);
    lines.scene.capsules.owner.resize(kCircles, 3);
    for (const double margin : {0.0, 0.125}) {
      CollideOptions options;
      options.margin = static_cast<SizeOf<T>>(margin);
      options.order = Order::id;
      options.most_patches = n % 5 == 0 ? 1 : 0;
      const ContactBuffer<2, T> contacts = contacts_of(lines.scene, options);
      ASSERT_EQ(contacts.size() % 2, 0u);
      const std::size_t half = contacts.size() / 2;
      for (std::size_t c = 0; c < half; ++c) {
        const std::size_t d = c + half;
        ASSERT_EQ(contacts.pair[c].a + kCircles, contacts.pair[d].a) << n << " contact " << c;
        ASSERT_EQ(contacts.pair[c].b, contacts.pair[d].b);
        several += c > 0 && contacts.pair[c] == contacts.pair[c - 1] ? 1 : 0;
        ++compared;
        EXPECT_EQ(contacts.normal.row(c), contacts.normal.row(d)) << n << " contact " << c;
        EXPECT_EQ(contacts.depth[c], contacts.depth[d]);
        EXPECT_EQ(contacts.status[c], contacts.status[d]);
        const auto p = static_cast<std::size_t>(contacts.offset[c]);
        const auto q = static_cast<std::size_t>(contacts.offset[d]);
        const auto points = static_cast<std::size_t>(contacts.offset[c + 1]) - p;
        ASSERT_EQ(points, static_cast<std::size_t>(contacts.offset[d + 1]) - q);
        for (std::size_t k = 0; k < points; ++k) {
          EXPECT_EQ(contacts.point.row(p + k), contacts.point.row(q + k)) << n;
          EXPECT_EQ(contacts.point_depth[p + k], contacts.point_depth[q + k]);
          EXPECT_EQ(contacts.part.row(p + k), contacts.part.row(q + k));
          EXPECT_EQ(contacts.feature[p + k] & 0xffff, contacts.feature[q + k] & 0xffff);
        }
      }
    }
  }
  EXPECT_GT(compared, 3000u);
  EXPECT_GT(several, 300u);
}

TEST(chains, lengths_whose_squares_overflow_or_vanish_end_with_numbers) {
  // Beyond what is promised (1e-60 to 1e75): no answer is wrong there but one without end.
  Lines<double> ground;
  ground.place(ground.add({{1e155, 0}, {-1e155, 0}}));
  ground.add_box({0, 0.49}, {0.5, 0.5});
  expect_bounded(contacts_of(ground.scene), 1);
  Lines<double> corner;
  corner.place(corner.add({{1, -1}, {0, 0}, {-1, -1}}));
  corner.add_circle({0, 2e-162}, 0.5);
  expect_bounded(contacts_of(corner.scene), 1);
}

TEST(chains, of_any_promised_size_are_met_alike) {
  for (const double size : {1e-59, 1e-20, 1.0, 1e20, 1e74}) {
    Lines<double> lines;
    lines.place(lines.add({{3 * size, 0}, {size, 0}, {-size, 0}, {-2 * size, size}}));
    lines.add_box({0, 0.49 * size}, {0.5 * size, 0.5 * size});
    lines.scene.boxes.owner = {5};
    lines.add_circle({0, 0.4 * size}, 0.5 * size);
    lines.scene.circles.owner = {5};
    const ContactBuffer<2, double> contacts = contacts_of(lines.scene);
    ASSERT_EQ(contacts.size(), 2u) << size;
    EXPECT_NEAR(contacts.depth[0], 0.1 * size, 1e-12 * size);
    EXPECT_NEAR(contacts.depth[1], 0.01 * size, 1e-12 * size);
    for (const std::size_t c : {0u, 1u}) EXPECT_NEAR(contacts.normal(c, 1), -1, 1e-12) << size;
  }
}

}  // namespace
}  // namespace widephase::test
