// Shapes that stay in touch in the same way keep their features while they tremble.
//
// Each shape is placed with a face, an edge or a vertex at the origin, facing up. The smaller one
// is then turned over and placed on the other, at an angle, overlapping slightly or slightly apart.
// The touching features follow from these two. Trembling by much less than it takes to bring other
// features into touch must not change them.
// Labels: long

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "support/features3.hpp"
#include "support/generate.hpp"
#include "support/manifold3.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

/// How deep the shapes overlap or how far apart they are, and the margin of the calls. All points
/// of a flat touch are within it. For a cylinder on its rim, other rim points are not: the ones
/// next to the lowest are higher by 1 - cos(11.25 degrees) = 0.019 of its radius, 0.5, times its
/// lean, 0.6, which is 0.0058.
constexpr double kDepth = 0.002;
constexpr double kMargin = 0.003;

enum class Role { face, edge, vertex };
constexpr const char* kRoleNames[] = {"face", "edge", "vertex"};

using Half = std::uint32_t;

/// A shape with one of its features at the origin; no other point of it is as far along `up`.
struct Laid {
  Solid<3> solid;
  Point<3> up;
  Half feature;            ///< where it touches in a point
  std::vector<Half> ends;  ///< an edge's ends, a face's corners; none where they are no vertices
};

Half vertex(int index) { return feature_half(Feature::vertex, index); }
Half edge(int index) { return feature_half(Feature::edge, index); }
Half face(int index) { return feature_half(Feature::face, index); }

/// Features of a block from -half to half: its upper face, the edge along x of the upper sides of y
/// and z, its uppermost corner. Nothing is half way between two features.
Laid laid_block(Role role, const Point<3>& half) {
  if (role == Role::face) {
    return {aabb<3>({-half[0], -half[1], -2 * half[2]}, {half[0], half[1], 0}),
            {0, 0, 1},
            face(5),
            {vertex(4), vertex(5), vertex(6), vertex(7)}};
  }
  if (role == Role::edge) {
    return {aabb<3>({-half[0], -2 * half[1], -2 * half[2]}, {half[0], 0, 0}),
            {0, 0.6, 0.8},
            edge(3),
            {vertex(6), vertex(7)}};
  }
  return {aabb<3>({-2 * half[0], -2 * half[1], -2 * half[2]}, {0, 0, 0}),
          {2. / 7, 3. / 7, 6. / 7},
          vertex(7),
          {}};
}

/// The feature of a hull with the corners of the box's feature; hulls number them in another order.
template <class T>
Half hull_feature(const std::vector<Point<3>>& vertices, Half box_feature) {
  const auto kind = static_cast<Feature>(box_feature >> 14);
  const std::vector<int> sides = sides_of_feature(kind, static_cast<int>(box_feature & 0x3fff));
  std::set<int> corners;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    bool is_own = true;
    for (int k = 0; k < 3; ++k) {
      is_own = is_own && vertices[v][k] * sides[static_cast<std::size_t>(k)] >= 0;
    }
    if (is_own) corners.insert(static_cast<int>(v));
  }
  if (kind == Feature::vertex) return vertex(*corners.begin());
  const HullTopology<T>& surface = topology_of<T>(vertices);
  for (std::size_t e = 0; kind == Feature::edge && e < surface.edges.size(); ++e) {
    if (std::set<int>{surface.edges[e].a, surface.edges[e].b} == corners) {
      return edge(static_cast<int>(e));
    }
  }
  for (int f = 0; f < surface.face_count(); ++f) {
    const auto row = static_cast<std::size_t>(f);
    std::set<int> own;
    for (auto i = surface.face_offsets[row]; i < surface.face_offsets[row + 1]; ++i) {
      own.insert(surface.face_vertices[static_cast<std::size_t>(i)]);
    }
    if (own == corners) return face(f);
  }
  ADD_FAILURE() << "the hull is no block";
  return 0;
}

/// The block as a box or as a hull, with the hull's vertices from the top down.
template <class T>
Laid laid_turned_block(Kind kind, Role role, const Point<3>& half) {
  Laid laid = laid_block(role, half);
  Point<3> center;
  for (int k = 0; k < 3; ++k) center[k] = (laid.solid.p[k] + laid.solid.q[k]) / 2;
  const Quaternion level{0, 0, 0, 1};
  if (kind == Kind::box) {
    laid.solid = box(center, level, half);
    return laid;
  }
  std::vector<Point<3>> vertices = block(half[0], half[1], half[2]);
  std::reverse(vertices.begin(), vertices.end());
  laid.solid = stored<T>(hull(center, level, vertices));
  laid.feature = hull_feature<T>(laid.solid.vertices, laid.feature);
  for (Half& end : laid.ends) end = hull_feature<T>(laid.solid.vertices, end);
  return laid;
}

/// A cylinder's upper cap, the line of its side and the point of its upper rim in the middle of
/// the stretch from vertex 18 to vertex 19, three sixteenths of a turn from the first axis. A line
/// of the side touches a face with both its ends, else in a point of the side's face.
Laid laid_cylinder(Role role, double half_height, double radius) {
  const Quaternion level{0, 0, 0, 1};
  if (role == Role::face) {
    return {cylinder({0, 0, -half_height}, level, half_height, radius), {0, 0, 1}, face(1), {}};
  }
  const double angle = 3.0 / 16 * 2 * std::acos(-1.0);
  const double x = std::cos(angle), y = std::sin(angle);
  if (role == Role::edge) {
    return {cylinder({-radius * x, -radius * y, 0}, level, half_height, radius),
            {x, y, 0},
            face(2),
            {vertex(32), vertex(33)}};
  }
  return {cylinder({-radius * x, -radius * y, -half_height}, level, half_height, radius),
          {0.6 * x, 0.6 * y, 0.8},
          edge(18),
          {}};
}

/// A cone's base, the line of its side three sixteenths of a turn from the first axis, and its
/// apex.
Laid laid_cone(Role role, double half_height, double radius) {
  const Quaternion level{0, 0, 0, 1};
  if (role == Role::face) {
    const Quaternion down = about({1, 0, 0}, std::acos(-1.0));
    return {cone({0, 0, -half_height}, down, half_height, radius), {0, 0, 1}, face(0), {}};
  }
  if (role == Role::vertex) {
    return {cone({0, 0, -half_height}, level, half_height, radius), {0, 0, 1}, vertex(33), {}};
  }
  const double angle = 3.0 / 16 * 2 * std::acos(-1.0);
  const double x = std::cos(angle), y = std::sin(angle), side = std::hypot(radius, 2 * half_height);
  return {cone({-radius / 2 * x, -radius / 2 * y, 0}, level, half_height, radius),
          {2 * half_height / side * x, 2 * half_height / side * y, radius / side},
          face(2),
          {vertex(32), vertex(33)}};
}

bool has_role(Kind kind, Role role) {
  if (has_one_point(kind)) return role == Role::vertex;
  if (kind == Kind::capsule) return role != Role::face;
  return kind != Kind::halfspace || role == Role::face;
}

template <class T>
Laid laid(Kind kind, Role role, double size) {
  switch (kind) {
    case Kind::sphere:
      return {ball<3>({0, 0, -size}, size), {0, 0, 1}, 0, {}};
    case Kind::capsule:
      // It lies, and leans on its end b.
      if (role == Role::edge) {
        return {capsule<3>({-size, 0, -size / 4}, {size, 0, -size / 4}, size / 4),
                {0, 0, 1},
                edge(0),
                {vertex(0), vertex(1)}};
      }
      return {
          capsule<3>({-size / 2, 0, -size}, {0, 0, -size / 4}, size / 4), {0, 0, 1}, vertex(1), {}};
    case Kind::cylinder:
      return laid_cylinder(role, 0.8 * size, size);
    case Kind::ellipsoid:
      return {ellipsoid({0, 0, -0.8 * size}, {0, 0, 0, 1}, {size, 0.9 * size, 0.8 * size}),
              {0, 0, 1},
              0,
              {}};
    case Kind::cone:
      return laid_cone(role, 0.8 * size, size);
    case Kind::halfspace:
      return {halfspace<3>({0, 0, 1}, 0), {0, 0, 1}, 0, {}};
    case Kind::aabb:
      return laid_block(role, {size, 0.9 * size, 0.8 * size});
    case Kind::box:
    case Kind::hull:
      return laid_turned_block<T>(kind, role, {size, 0.9 * size, 0.8 * size});
    case Kind::polygon:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;
  }
  throw std::logic_error("no solid in 3D");
}

/// The rotation that takes one unit vector to another.
Quaternion turn_between(const Point<3>& from, const Point<3>& to) {
  const Point<3> axis{from[1] * to[2] - from[2] * to[1], from[2] * to[0] - from[0] * to[2],
                      from[0] * to[1] - from[1] * to[0]};
  const double sine = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const double cosine = from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
  if (sine > 1e-9) return about(axis, std::atan2(sine, cosine));
  if (cosine > 0) return {0, 0, 0, 1};
  const Vec<3> over = across(widened(from))[0];
  return about(
      {static_cast<double>(over[0]), static_cast<double>(over[1]), static_cast<double>(over[2])},
      std::acos(-1.0));
}

Point<3> negative(const Point<3>& v) { return {-v[0], -v[1], -v[2]}; }

/// One shape placed on the other, and the features of the points where they touch.
struct Touch {
  Solid<3> ground, tool;
  Point<3> up;  ///< out of the ground
  std::set<std::pair<Half, Half>> features;
};

/// The tool's `on` on the ground's `under`, turned about the upright by 0.3 rad, aside by a few
/// hundredths where the ground is a face; `depth` deep.
template <class T>
Touch touch_of(Kind ground_kind, Role under, Kind tool_kind, Role on, double depth) {
  const Laid ground = laid<T>(ground_kind, under, 2);
  const Laid tool = laid<T>(tool_kind, on, 0.5);
  Touch touch{ground.solid, tool.solid, ground.up, {}};
  // An aabb stays, and the other one is turned to it.
  if (tool_kind == Kind::aabb) {
    touch.up = negative(tool.up);
    const Quaternion over = turn_between(ground.up, touch.up);
    touch.ground = turned_by(product(about(touch.up, 0.3), over), touch.ground);
  } else {
    const Quaternion over = turn_between(tool.up, negative(ground.up));
    touch.tool = turned_by(product(about(touch.up, 0.3), over), touch.tool);
  }
  Point<3> offset;
  const Vec<3> up = widened(touch.up);
  const auto aside = across(up);
  for (int k = 0; k < 3; ++k) {
    offset[k] = -depth * touch.up[k];
    if (under == Role::face) {
      offset[k] += static_cast<double>(0.05L * aside[0][k] + 0.03L * aside[1][k]);
    }
  }
  touch.tool = moved<3>(touch.tool, offset);
  if (under == Role::face && on != Role::vertex) {
    for (const Half end : tool.ends) touch.features.insert({ground.feature, end});
  } else {
    touch.features = {{ground.feature, tool.feature}};
  }
  return touch;
}

/// The pair after each of 1000 random steps. Each step moves and rotates by up to a tenth of `most`
/// along and about every axis; nothing goes farther than `most` from the start.
std::vector<SolidPair<3>> trembling(const Touch& touch, double most, std::uint64_t seed) {
  Random random(seed);
  Point<3> place{}, angle{};
  const auto step = [&](Point<3>& value) {
    for (double& part : value) {
      part = std::clamp(part + most / 10 * random.uniform(-1, 1), -most, most);
    }
  };
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < scaled(1000, 30); ++i) {
    step(place);
    step(angle);
    const double size = std::sqrt(angle[0] * angle[0] + angle[1] * angle[1] + angle[2] * angle[2]);
    SolidPair<3> pair{touch.ground, touch.tool};
    Solid<3>& turning = pair.b.kind == Kind::aabb ? pair.a : pair.b;
    if (turning.kind != Kind::aabb) turning = turned_by(about(angle, size), turning);
    pair.b = moved<3>(pair.b, place);
    pairs.push_back(pair);
  }
  return pairs;
}

/// Calls `check(i, features)` with the features of each pair, A's first.
template <class T, class Check>
void for_each_answer(const std::vector<SolidPair<3>>& solids, Check&& check) {
  const PairScene<3, T> input(solids);
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  CollideOptions options;
  options.margin = kMargin;
  options.order = Order::source;
  collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
  ASSERT_EQ(contacts.size(), solids.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) check(i, contact_at(contacts, i));
}

std::string describe_features(const std::set<std::pair<Half, Half>>& features) {
  std::string text;
  for (const auto& [a, b] : features) {
    text += " (" + describe_feature(a) + ", " + describe_feature(b) + ")";
  }
  return text;
}

/// A line of the side of a cylinder or cone (edge 32) counts as a point of the side (face 2): what
/// crosses it may be called either.
Half side_as_face(const Solid<3>& solid, Half half) {
  return has_rim(solid.kind) && half == edge(32) ? face(2) : half;
}

/// Every step must have the features of the touch, in either order. With `has_others`, other
/// points, which are less deep, may come and go.
template <class T>
void expect_steady(const Touch& touch, double most, bool has_others = false) {
  for (const bool is_swapped : {false, true}) {
    std::vector<SolidPair<3>> pairs = trembling(touch, most, 81);
    std::set<std::pair<Half, Half>> expected = touch.features;
    if (is_swapped) {
      for (SolidPair<3>& pair : pairs) std::swap(pair.a, pair.b);
      expected.clear();
      for (const auto& [a, b] : touch.features) expected.insert({b, a});
    }
    int wrong_count = 0;
    std::string first;
    for_each_answer<T>(pairs, [&](std::size_t i, const Contact<3, T>& contact) {
      std::set<std::pair<Half, Half>> found;
      for (const std::uint32_t feature : contact.features) {
        found.insert(
            {side_as_face(pairs[i].a, feature >> 16), side_as_face(pairs[i].b, feature & 0xffff)});
      }
      if (found == expected) return;
      if (has_others && std::ranges::includes(found, expected)) return;
      if (wrong_count++ > 0) return;
      first = "step " + std::to_string(i) + ":" + describe_features(found) + "\n  A " +
              describe(pairs[i].a) + "\n  B " + describe(pairs[i].b) + "\n  " + describe(contact);
    });
    EXPECT_EQ(wrong_count, 0) << (is_swapped ? "swapped, " : "") << "instead of"
                              << describe_features(expected) << " first at " << first;
  }
}

struct PairCase {
  Kind ground, tool;
};

std::string name_of(const PairCase& pair) {
  return std::string(kind_name(pair.tool, 3)) + "_on_" + std::string(kind_name(pair.ground, 3));
}
void PrintTo(const PairCase& pair, std::ostream* out) { *out << name_of(pair); }

std::vector<PairCase> all_pairs() {
  std::vector<PairCase> pairs;
  for (const Kind ground : kinds(3)) {
    for (const Kind tool : kinds(3)) {
      // Two aabbs are never at an angle; they have their own test.
      const bool is_fixed = ground == Kind::aabb && tool == Kind::aabb;
      if (tool != Kind::halfspace && !is_fixed) pairs.push_back({ground, tool});
    }
  }
  return pairs;
}

class steady_features : public ::testing::TestWithParam<PairCase> {};

/// In both precisions, overlapping by `depth` or apart.
void check_roles(const PairCase& pair, Role under, Role on, double depth, double most,
                 bool has_others = false) {
  if (!has_role(pair.ground, under) || !has_role(pair.tool, on)) return;
  const auto check = [&]<class T>(T) {
    SCOPED_TRACE(std::string(kRoleNames[static_cast<int>(on)]) + " on " +
                 kRoleNames[static_cast<int>(under)] + (depth > 0 ? ", overlapping" : ", apart") +
                 (sizeof(T) == 4 ? ", float" : ", double"));
    expect_steady<T>(touch_of<T>(pair.ground, under, pair.tool, on, depth), most, has_others);
  };
  check(float{});
  check(double{});
}

TEST_P(steady_features, of_what_rests_on_a_face) {
  for (const double depth : {kDepth, -kDepth}) {
    check_roles(GetParam(), Role::face, Role::vertex, depth, 1e-4);
    // Ends and corners are all as deep to 1e-4: all within the margin.
    check_roles(GetParam(), Role::face, Role::edge, depth, 1e-4);
    // A cap has no corners: its tilt decides which rim points are chosen.
    if (has_rim(GetParam().tool)) continue;
    check_roles(GetParam(), Role::face, Role::face, depth, 1e-4);
    check_roles(GetParam(), Role::face, Role::face, depth, 1e-5);
  }
}

TEST_P(steady_features, of_edges_that_cross) {
  for (const double depth : {kDepth, -kDepth}) {
    check_roles(GetParam(), Role::edge, Role::edge, depth, 1e-4);
  }
}

TEST_P(steady_features, of_a_vertex_near_an_edge_or_vertex) {
  // Seen along the normal, the faces beside them have other corners nearby.
  check_roles(GetParam(), Role::edge, Role::vertex, -kDepth, 1e-4, true);
  check_roles(GetParam(), Role::vertex, Role::vertex, -kDepth, 1e-4, true);
}

INSTANTIATE_TEST_SUITE_P(kinds, steady_features, ::testing::ValuesIn(all_pairs()),
                         [](const ::testing::TestParamInfo<PairCase>& info) {
                           return name_of(info.param);
                         });

TEST(steady_features_of_aabbs, a_small_one_on_a_large_one) {
  // Upper face of the large one, the lower face's corners of the small one.
  Touch touch{
      aabb<3>({-2, -2, -2}, {2, 2, 0}), aabb<3>({-0.5, -0.4, -kDepth}, {0.6, 0.5, 1}), {}, {}};
  for (const int corner : {0, 1, 2, 3}) touch.features.insert({face(5), vertex(corner)});
  expect_steady<float>(touch, 1e-4);
  expect_steady<double>(touch, 1e-4);
}

TEST(steady_features_of_aabbs, corner_near_corner) {
  const Touch touch{aabb<3>({-2, -2, -2}, {0, 0, 0}),
                    aabb<3>({0.001, 0.0015, 0.001}, {1, 1, 1}),
                    {},
                    {{vertex(7), vertex(0)}}};
  expect_steady<float>(touch, 1e-4);
  expect_steady<double>(touch, 1e-4);
}

TEST(steady_features_of_cylinders, a_cap_on_a_face_touches_with_its_rim) {
  const auto check = []<class T>(T) {
    for (const PairCase& pair : all_pairs()) {
      const auto [ground, tool] = pair;
      if (!has_role(ground, Role::face) || !has_rim(tool)) continue;
      SCOPED_TRACE(name_of({ground, tool}) + (sizeof(T) == 4 ? ", float" : ", double"));
      const Touch touch = touch_of<T>(ground, Role::face, tool, Role::face, kDepth);
      const Half under = laid<T>(ground, Role::face, 2).feature;
      // A cylinder's upper cap was turned over: its rim has vertices and edges 16 to 31. A cone's
      // base has 0 to 15.
      const Half first = tool == Kind::cylinder ? 16 : 0;
      int wrong_count = 0;
      for_each_answer<T>(
          trembling(touch, 1e-5, 82), [&](std::size_t, const Contact<3, T>& contact) {
            bool is_right = contact.features.size() == 4;
            for (const std::uint32_t feature : contact.features) {
              const Half rim = feature & 0xffff;
              const Half number = rim & 0x3fff;
              const bool is_rim =
                  (rim == vertex(number) || rim == edge(number)) && number / 16 == first / 16;
              is_right = is_right && feature >> 16 == under && is_rim;
            }
            wrong_count += is_right ? 0 : 1;
          });
      EXPECT_EQ(wrong_count, 0);
    }
  };
  check(float{});
  check(double{});
}

}  // namespace
}  // namespace widephase::test
