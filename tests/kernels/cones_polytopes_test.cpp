// Cones that overlap boxes and hulls: the minimum translation comes from a list of directions. None
// may be missing from it, wherever the cone is.
// Labels: own-sets

#include <gtest/gtest.h>

#include "support/generate.hpp"
#include "support/generate_round.hpp"
#include "support/methods.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

const Quaternion kUpright{0, 0, 0, 1};

/// Where an upright cone is beside or in a polytope. Then both are turned.
enum class Place { any, deep, shallow, axis_through_vertex, apex_at_vertex, on_base, side_at_edge };
constexpr Place kPlaces[] = {Place::any,
                             Place::deep,
                             Place::shallow,
                             Place::axis_through_vertex,
                             Place::apex_at_vertex,
                             Place::on_base,
                             Place::side_at_edge};

/// The corners of a polytope of about 1 around the origin: blocks, prisms, clouds of 4 to 64.
std::vector<Point<3>> corners_of(Random& random, Kind kind) {
  const auto half = [&] { return random.uniform(0.2, 1.5); };
  const std::vector<Point<3>> box = block(half(), half(), half());
  if (kind != Kind::hull || random.chance(0.15)) return box;
  if (random.chance(0.15)) {
    return usable(prism({{-half(), -half()}, {half(), -half()}, {half(), half()}}, half()), box);
  }
  const int counts[] = {4, 5, 8, 16, 16, 32, 64};
  std::vector<Point<3>> points =
      cloud(random, counts[random.integer(0, 6)], half(), random.chance(0.7));
  if (random.chance(0.2)) points = scaled_by(points, {1, 1, random.chance(0.5) ? 0.02 : 10.});
  return usable(points, box);
}

Solid<3> polytope_of(Kind kind, const std::vector<Point<3>>& corners) {
  if (kind == Kind::hull) return hull({0, 0, 0}, kUpright, corners);
  Point<3> most{0, 0, 0};
  for (const auto& p : corners) {
    for (int k = 0; k < 3; ++k) most[k] = std::max(most[k], p[k]);
  }
  if (kind == Kind::box) return box({0, 0, 0}, kUpright, most);
  return aabb<3>({-most[0], -most[1], -most[2]}, most);
}

SolidPair<3> overlapping_pair(Random& random, Kind kind, Place place) {
  const std::vector<Point<3>> corners = corners_of(random, kind);
  const auto length = [&] { return random.uniform(0.2, 1.5); };
  const double half = length(), radius = random.chance(0.2) ? half / 20 : length();
  const auto any_corner = [&] {
    return corners[static_cast<std::size_t>(
        random.integer(0, static_cast<int>(corners.size()) - 1))];
  };
  const Point<3> p = any_corner(), q = any_corner();
  const double share = random.uniform(0, 1);
  Point<3> middle;
  for (int k = 0; k < 3; ++k) middle[k] = p[k] + share * (q[k] - p[k]);
  double z = 0;
  for (const auto& corner : corners) z = std::max(z, corner[2]);
  const double off = random.chance(0.3) ? 0 : random.uniform(-0.3, 0.3);
  Point<3> at{0, 0, 0};
  switch (place) {
    case Place::any:
      at = random.point<3>(-2, 2);
      break;
    case Place::deep:
      at = random.chance(0.2) ? Point<3>{0, 0, 0} : random.point<3>(-0.3, 0.3);
      break;
    case Place::shallow:
      at = random.direction<3>();
      for (double& x : at) x *= 0.7 * (1 + half);
      break;
    case Place::axis_through_vertex:
      at = {p[0], p[1], p[2] + random.uniform(-1, 1) * half};
      break;
    case Place::apex_at_vertex:
      at = {p[0], p[1], p[2] - half + off};
      break;
    case Place::on_base:
      at = {middle[0], middle[1], z + half - std::abs(off)};
      break;
    case Place::side_at_edge:
      at = {middle[0], middle[1] + 0.5 * radius + off, middle[2]};
      break;
  }
  const SolidPair<3> pair{polytope_of(kind, corners), cone(at, kUpright, half, radius)};
  if (kind == Kind::aabb) {
    // The cone alone may turn: by quarters or any way.
    const Quaternion turn =
        random.chance(0.5) ? about({1, 0, 0}, 2 * kEighthTurn) : random.direction<4>();
    return random.chance(0.5) ? pair : SolidPair<3>{pair.a, cone(at, turn, half, radius)};
  }
  if (place == Place::any || random.chance(0.1)) {
    return {turned_by(random.direction<4>(), pair.a), pair.b};
  }
  return random.chance(0.8) ? turned_by(random.direction<4>(), pair) : pair;
}

std::vector<SolidPair<3>> pairs_at(Place place, Kind kind, std::size_t count, std::uint64_t seed,
                                   double unit = 1) {
  Random random(seed);
  std::vector<SolidPair<3>> pairs(count);
  for (auto& pair : pairs) {
    pair = overlapping_pair(random, kind, place);
    pair = {in_unit(unit, pair.a), in_unit(unit, pair.b)};
  }
  return pairs;
}

template <class T>
ContactBuffer<3, T> contacts_of(const PairScene<3, T>& input, Isa isa, Method method) {
  CollideOptions options;
  options.isa = isa;
  options.method = method;
  options.order = Order::source;
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
  return contacts;
}

/// The depths are those of the search, or less where that leaves its answer open; a tie is one for
/// both, but for rounding.
template <class T>
void expect_as_searched(const std::vector<SolidPair<3>>& pairs, double unit) {
  const PairScene<3, T> input(pairs);
  const Isa isa = usable_isas().back();
  const auto listed = contacts_of(input, isa, Method::automatic);
  const auto searched = contacts_of(input, isa, Method::gjk_epa);
  ASSERT_EQ(listed.size(), searched.size());
  EXPECT_GT(listed.size(), pairs.size() / 10);
  const double slack = unit * (sizeof(T) == 4 ? 1e-5 : 1e-13);
  std::size_t ties = 0, open = 0, wrong = 0;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const double own = static_cast<double>(listed.depth[i]);
    const double other = static_cast<double>(searched.depth[i]);
    const bool is_right = own <= other + slack && (own >= other - slack || searched.status[i] == 2);
    if (!is_right && ++wrong <= 3) {
      const auto at = static_cast<std::size_t>(listed.source[i]);
      ADD_FAILURE() << sizeof(T) << " bytes: " << own << " " << other << "\n"
                    << describe(pairs[at].a) << "\n"
                    << describe(pairs[at].b);
    }
    ties += (listed.status[i] == 1) != (searched.status[i] == 1) ? 1 : 0;
    open += listed.status[i] == 2 ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0u) << "of " << listed.size();
  EXPECT_LE(ties, 2 + listed.size() / 200);
  EXPECT_LE(open, most_open(listed.size()));
}

class cones_polytopes : public ::testing::TestWithParam<Kind> {};

TEST_P(cones_polytopes, exits_are_as_short_as_those_of_a_search) {
  for (const Place place : kPlaces) {
    SCOPED_TRACE(static_cast<int>(place));
    const auto pairs = pairs_at(place, GetParam(), scaled(1000, 100), 31);
    expect_as_searched<float>(pairs, 1);
    expect_as_searched<double>(pairs, 1);
  }
}

TEST_P(cones_polytopes, exits_are_as_short_at_any_scale) {
  for (const double unit : {1e-3, 1e4}) {
    const auto pairs = pairs_at(Place::any, GetParam(), scaled(300, 50), 32, unit);
    expect_as_searched<float>(pairs, unit);
    expect_as_searched<double>(pairs, unit);
  }
}

TEST_P(cones_polytopes, contacts_are_right_by_the_reference) {
  for (const Place place : kPlaces) {
    SCOPED_TRACE(static_cast<int>(place));
    const auto pairs = pairs_at(place, GetParam(), scaled(40, 10), 33);
    check_pairs_everywhere<3, float>(pairs, {0});
    check_pairs_everywhere<3, double>(pairs, {0});
  }
}

INSTANTIATE_TEST_SUITE_P(kinds, cones_polytopes,
                         ::testing::Values(Kind::aabb, Kind::box, Kind::hull));

/// Expects this depth and direction, on every set.
template <class T>
void expect_exit(const Solid<3>& a, const Solid<3>& b, double depth, const Point<3>& normal,
                 int status) {
  const PairScene<3, T> input({{a, b}});
  for (const Isa isa : usable_isas()) {
    const auto contacts = contacts_of(input, isa, Method::automatic);
    ASSERT_EQ(contacts.size(), 1u);
    const double near = sizeof(T) == 4 ? 2e-6 : 1e-14;
    EXPECT_NEAR(static_cast<double>(contacts.depth[0]), depth, near) << isa_name(isa);
    EXPECT_EQ(contacts.status[0], status) << isa_name(isa);
    for (int k = 0; k < 3 && status == 0; ++k) {
      EXPECT_NEAR(static_cast<double>(contacts.normal(0, k)), normal[k], near) << isa_name(isa);
    }
  }
}
void expect_both(const Solid<3>& a, const Solid<3>& b, double depth, const Point<3>& normal,
                 int status = 0) {
  expect_exit<float>(a, b, depth, normal, status);
  expect_exit<double>(a, b, depth, normal, status);
}

TEST(cones_polytopes, a_corner_leaves_through_the_side) {
  // The side from (2, 0, -1) to the apex (0, 0, 1) has the normal (1, 0, 1) / sqrt 2 and passes
  // (1, 0, 0). The box's corner (0.75, 0, -0.25), the end of an edge along (1, 0, 0) and a face's
  // diagonal, is 0.5 / sqrt 2 below it.
  const Solid<3> cone_at = cone({0, 0, 0}, kUpright, 1, 2);
  const double s = 1 / std::sqrt(2.);
  const std::vector<Point<3>> corners{{0.75, 0, -0.25}, {3, 1, 0.25}, {3, -1, 0.25}, {3, 0, 3}};
  expect_both(hull({0, 0, 0}, kUpright, corners), cone_at, 0.5 * s, {-s, 0, -s});
}

TEST(cones_polytopes, an_edge_leaves_through_the_side_and_over_the_rim) {
  // An edge along y in the plane x = 0.75, z = -0.25, as above.
  const Solid<3> cone_at = cone({0, 0, 0}, kUpright, 1, 2);
  const double s = 1 / std::sqrt(2.);
  const std::vector<Point<3>> across{
      {0.75, -3, -0.25}, {0.75, 3, -0.25}, {3, 0, -0.125}, {1, 0, 3}};
  expect_both(hull({0, 0, 0}, kUpright, across), cone_at, 0.5 * s, {-s, 0, -s});
  // A rim of radius 2 about z at z = -1. An edge along z at x = 1.75 passes it. So the exit is
  // along x; the cone is steep, so that no slope is shorter.
  const Solid<3> steep = cone({0, 0, 9}, kUpright, 10, 2);
  const std::vector<Point<3>> upright{{1.75, 0, -9}, {1.75, 0, 0}, {9, -9, -5}, {9, 9, -5}};
  expect_both(hull({0, 0, 0}, kUpright, upright), steep, 0.25, {-1, 0, 0});
}

TEST(cones_polytopes, an_apex_in_a_face_and_a_corner_in_the_base) {
  const Solid<3> apex_up = cone({0.25, 0.25, -1.5}, kUpright, 1, 1);
  expect_both(box({0, 0, 0}, kUpright, {1, 1, 1}), apex_up, 0.5, {0, 0, -1});
  // The corner of a tetrahedron 0.25 above the middle of a wide base.
  const std::vector<Point<3>> corners{{0, 0, 0.25}, {1, 0, -3}, {-1, 1, -3}, {-1, -1, -3}};
  expect_both(hull({0, 0, 0}, kUpright, corners), cone({0.5, 0, 2}, kUpright, 2, 4), 0.25,
              {0, 0, 1});
}

TEST(cones_polytopes, a_corner_on_the_axis_is_a_tie) {
  // All directions of the side are as good: 2 below the apex of a cone of slope 1 : 2.
  const std::vector<Point<3>> corners{{0, 0, 0}, {1, 0, 9}, {-1, 1, 9}, {-1, -1, 9}};
  expect_both(hull({0, 0, 0}, kUpright, corners), cone({0, 0, 0}, kUpright, 2, 2),
              2 / std::sqrt(5.), {}, 1);
}

}  // namespace
}  // namespace widephase::test
