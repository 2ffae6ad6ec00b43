// Hulls and boxes with edges or faces that nearly meet and are nearly parallel. Their Minkowski
// difference has sliver faces, where rounding hides the nearest point from a search. Every
// answer is right all the same, says so (no status 2), and proves itself.
// Labels: dated

#include <gtest/gtest.h>

#include <cmath>

#include <widephase/distance.hpp>

#include "reference/generate_hulls.hpp"
#include "reference/generate_turned3.hpp"
#include "reference/hull_polytope.hpp"
#include "reference/reference.hpp"
#include "reference/scaled.hpp"
#include "support/generate.hpp"
#include "support/methods.hpp"

namespace widephase::test {
namespace {

Polytope polytope_of(const Solid<3>& solid) {
  const Point<3>& half = solid.q;
  return placed(hull_polytope(solid.kind == Kind::hull ? solid.vertices
                                                       : block(half[0], half[1], half[2])),
                widened(solid.p), axes_of(solid.orientation));
}

/// How far a point is outside of a polytope.
Real outside(const Polytope& polytope, const Vec<3>& point) {
  Real most = 0;
  for (const PolytopeFace& face : polytope.faces) {
    most = std::max(most, dot(face.normal, minus(point, polytope.corners[face.corners[0]])));
  }
  return most;
}

/// What is wrong with row i of `found`; empty if nothing is. For shapes that are apart an answer
/// proves itself. Its points are in the shapes, so the distance is at most that of the points.
/// Along the normal the shapes are as far apart, so the distance is no less.
template <class T>
std::string problem_of(const SolidPair<3>& pair, const DistanceBuffer<3, T>& found, std::size_t i) {
  const Real tolerance = sizeof(T) == 4 ? 1e-5L : 1e-12L;  // of the size
  const Polytope a = polytope_of(pair.a), b = polytope_of(pair.b);
  const Reference<3> reference = reference_of(pair.a, pair.b);
  const Real most = tolerance * (1 + reference.size);
  std::string problem;
  const auto say = [&](const char* what, Real value) {
    problem += std::string(what) + " by " + std::to_string(static_cast<double>(value / most)) +
               " tolerances\n";
  };
  if (found.status[i] == static_cast<std::uint8_t>(Status::iterations)) problem += "status 2\n";
  const Real distance = found.distance[i];
  if (std::abs(distance + reference.depth) > most) {
    say("the distance is off", distance + reference.depth);
  }
  Vec<3> normal, on_a, on_b;
  for (int k = 0; k < 3; ++k) {
    normal[k] = found.normal(i, k);
    on_a[k] = found.point_a(i, k);
    on_b[k] = found.point_b(i, k);
  }
  const Real along = -(a.support(normal) + b.support(times(normal, -1)));
  if (std::abs(along - distance) > most) say("the normal parts them", along);
  // Shapes that touch have the points of a contact, which another test checks.
  if (distance < most) return problem;
  if (outside(a, on_a) > most) say("A's point is outside", outside(a, on_a));
  if (outside(b, on_b) > most) say("B's point is outside", outside(b, on_b));
  if (std::abs(length(minus(on_b, on_a)) - distance) > most) {
    say("the points are apart", length(minus(on_b, on_a)));
  }
  return problem;
}

template <class T>
void expect_right(const std::vector<SolidPair<3>>& pairs, Method method) {
  const PairScene<3, T> input(pairs);
  CollideOptions options;
  options.method = method;
  DistanceBuffer<3, T> found;
  Workspace<3, T> workspace;
  distances<3, T>(input.scene, input.pairs, found, workspace, options);
  int wrong = 0;
  for (std::size_t i = 0; i < pairs.size() && wrong < 3; ++i) {
    const SolidPair<3> pair{stored<T>(pairs[i].a), stored<T>(pairs[i].b)};
    const std::string problem = problem_of<T>(pair, found, i);
    EXPECT_EQ(problem, "") << name_of_method(method) << " of " << sizeof(T) << " bytes, pair " << i
                           << "\n"
                           << describe(pair.a) << "\n"
                           << describe(pair.b);
    wrong += problem.empty() ? 0 : 1;
  }
}

enum class Meeting { edge, face, vertex };

template <class Values>
const auto& one_of(Random& random, const Values& values) {
  return values[static_cast<std::size_t>(random.integer(0, static_cast<int>(values.size()) - 1))];
}

/// B lies against an edge, a face or a vertex of A, apart by `10^gap` or so, and is A turned by
/// `10^angle` but for its form: a box, or a hull that is A's mirror image or another one.
std::vector<SolidPair<3>> nearly_parallel(Kind a_kind, Kind b_kind, Meeting feature,
                                          std::size_t count, double least_angle, double most_angle,
                                          double least_gap, double most_gap, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<Point<3>>> hulls;
  for (int n = 0; n < 6; ++n) {
    std::vector<Point<3>> vertices = n < 2 ? block(0.5 + 0.25 * n, 0.75, 0.375)
                                           : cloud(random, 5 + n, 1, n % 2 == 0);
    for (Point<3>& vertex : vertices) {
      for (double& value : vertex) value = static_cast<float>(value);
    }
    hulls.push_back(usable(vertices, block(1, 1, 1)));
  }
  const auto any_half = [&] {
    Point<3> half = random.point<3>(0.2, 1);
    for (double& value : half) value = static_cast<float>(value);
    return half;
  };
  std::vector<SolidPair<3>> pairs;
  while (pairs.size() < count) {
    const Quaternion turn = random_orientation(random);
    Solid<3> a = box({0, 0, 0}, turn, any_half());
    if (a_kind == Kind::hull) a = hull({0, 0, 0}, turn, one_of(random, hulls));
    const double angle = std::pow(10, random.uniform(least_angle, most_angle));
    const Quaternion tilt = about(random.direction<3>(), angle);
    Solid<3> b = box({0, 0, 0}, product(product(any_of(random, cube_rotations()), turn), tilt),
                     any_half());
    if (b_kind == Kind::hull) {
      std::vector<Point<3>> vertices = hulls[static_cast<std::size_t>(random.integer(0, 1))];
      if (a_kind == Kind::hull && random.chance(0.7)) vertices = a.vertices;
      for (Point<3>& vertex : vertices) {
        for (double& value : vertex) value = -value;
      }
      b = hull({0, 0, 0}, product(turn, tilt), vertices);
    }
    const Polytope of_a = polytope_of(a), of_b = polytope_of(b);
    // The feature's corners, and a normal between those of its faces.
    const PolytopeEdge& edge = one_of(random, of_a.edges);
    std::vector<std::size_t> corners{edge.from, edge.to};
    if (feature == Meeting::face) corners = one_of(random, of_a.faces).corners;
    if (feature == Meeting::vertex) corners = {edge.from};
    Vec<3> n{};
    for (const PolytopeFace& face : of_a.faces) {
      const bool has_all = std::ranges::all_of(corners, [&](std::size_t corner) {
        return std::ranges::find(face.corners, corner) != face.corners.end();
      });
      if (has_all) n = plus(n, face.normal, random.uniform(0.05, 1));
    }
    n = times(n, 1 / length(n));
    // A point among them, and one among B's corners that are as far towards A.
    const auto among = [&](const Polytope& polytope, const std::vector<std::size_t>& of) {
      Vec<3> point{};
      Real sum = 0;
      for (const std::size_t corner : of) {
        const Real share = random.uniform(0, 1);
        point = plus(point, polytope.corners[corner], share);
        sum += share;
      }
      return times(point, 1 / sum);
    };
    const Real lowest = -of_b.support(times(n, -1));
    std::vector<std::size_t> level;
    for (std::size_t corner = 0; corner < of_b.corners.size(); ++corner) {
      if (dot(n, of_b.corners[corner]) < lowest + 3 * angle) level.push_back(corner);
    }
    const Real gap = random.chance(0.1) ? 0 : std::pow(10, random.uniform(least_gap, most_gap));
    const Vec<3> at = plus(minus(among(of_a, corners), among(of_b, level)), n, gap);
    for (int k = 0; k < 3; ++k) b.p[k] = static_cast<double>(at[k]);
    pairs.push_back({a, b});
    if (a_kind == b_kind && random.chance(0.5)) std::swap(pairs.back().a, pairs.back().b);
  }
  return pairs;
}

void expect_right_about(Meeting feature) {
  const std::size_t count = scaled(250, 40);
  struct Range {
    double least_angle, most_angle, least_gap, most_gap;
  };
  const Range floats[] = {{-4, -2, -7, -3}, {-7, -4, -7, -3}};
  const Range doubles[] = {{-11, -7, -16, -7}, {-15, -11, -16, -7}};
  std::uint64_t seed = 71;
  for (const auto& [a, b] : {std::pair{Kind::box, Kind::box}, std::pair{Kind::box, Kind::hull},
                             std::pair{Kind::hull, Kind::hull}}) {
    for (const Range& range : floats) {
      const auto pairs = nearly_parallel(a, b, feature, count, range.least_angle, range.most_angle,
                                         range.least_gap, range.most_gap, seed++);
      expect_right<float>(pairs, Method::gjk_epa);
      if (b == Kind::hull) expect_right<float>(pairs, Method::automatic);
    }
    for (const Range& range : doubles) {
      const auto pairs = nearly_parallel(a, b, feature, count, range.least_angle, range.most_angle,
                                         range.least_gap, range.most_gap, seed++);
      expect_right<double>(pairs, Method::gjk_epa);
      if (b == Kind::hull) expect_right<double>(pairs, Method::automatic);
    }
  }
}

TEST(nearly_parallel_edges, apart_by_little) { expect_right_about(Meeting::edge); }
TEST(nearly_parallel_edges, of_faces_that_are_nearly_flush) { expect_right_about(Meeting::face); }
TEST(nearly_parallel_edges, beside_a_vertex) { expect_right_about(Meeting::vertex); }

}  // namespace
}  // namespace widephase::test
