// What lies far from an origin is answered as if it were near: point sets stored far from the origin
// of their own frame, and shapes far from the origin of the world over halfspaces at any angle.

#include <gtest/gtest.h>

#include <widephase/bodies.hpp>
#include <widephase/static_scene.hpp>
#include <widephase/support.hpp>

#include "support/generate.hpp"
#include "support/generate_turned3.hpp"
#include "support/methods.hpp"
#include "support/scaled.hpp"
#include "support/scenes.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

template <class T>
constexpr Real kEpsilon = std::numeric_limits<SizeOf<T>>::epsilon();

template <int D>
constexpr Kind kInstances = D == 2 ? Kind::polygon : Kind::hull;

/// A point of a shape's own frame, in the world.
template <int D>
Vec<D> in_world(const Solid<D>& solid, const Point<D>& own) {
  Vec<D> place = widened(solid.p);
  if constexpr (D == 2) {
    return plus(place, turned_by(solid.angle, widened(own)));
  } else {
    const auto axes = axes_of(solid.orientation);
    for (int k = 0; k < 3; ++k) place = plus(place, axes[static_cast<std::size_t>(k)], own[k]);
    return place;
  }
}

template <int D>
Point<D> rounded(const Vec<D>& v) {
  Point<D> result;
  for (int k = 0; k < D; ++k) result[k] = static_cast<double>(v[k]);
  return result;
}

/// A point set whose vertices lie about `middle` in its own frame, as stored in T, and the same
/// shape with vertices about the origin: both are at one place in the world.
template <int D>
struct FarShape {
  Solid<D> far;
  Solid<D> near;
};
template <int D, class T>
FarShape<D> stored_far(Solid<D> solid, const Point<D>& middle) {
  for (Point<D>& vertex : solid.vertices) {
    for (int k = 0; k < D; ++k) vertex[k] += middle[k];
  }
  // The frame's origin goes to where the middle is then at the centre that was asked for.
  const Vec<D> wanted = widened(solid.p);
  solid.p = {};
  solid.p = rounded<D>(minus(wanted, in_world(solid, middle)));
  FarShape<D> shape;
  shape.far = stored<T>(solid);
  shape.near = shape.far;
  shape.near.p = rounded<D>(in_world(shape.far, middle));
  for (Point<D>& vertex : shape.near.vertices) {
    for (int k = 0; k < D; ++k) vertex[k] -= middle[k];
  }
  return shape;
}

template <int D>
Point<D> any_middle(Random& random) {
  Point<D> middle;
  for (int k = 0; k < D; ++k) middle[k] = random.integer(700, 1300) * (random.chance(0.5) ? 1 : -1);
  if (random.chance(0.3)) middle[0] = 0;
  return middle;
}

/// Corners of a body of radius 0.5 to 1 about the origin, in steps of 2^-12, which float has up to
/// 4,096.
template <int D>
std::vector<Point<D>> any_corners(Random& random) {
  std::vector<Point<D>> corners;
  for (int side = 0; side < 2 * D; ++side) {  // one an axis and way: it is not flat
    corners.push_back({});
    corners.back()[side / 2] = side % 2 == 0 ? 0.5 : -0.5;
  }
  for (int more = random.integer(2, 20); more > 0; --more) {
    corners.push_back(random.direction<D>());
    const double radius = random.uniform(0.5, 1);
    for (double& value : corners.back()) value = std::round(value * radius * 4096) / 4096;
  }
  if constexpr (D == 2) return strictly_convex(corners);
  return corners;
}

/// Pairs of which A, and of two point sets B, is stored far from its origin.
template <int D, class T>
struct FarPairs {
  std::vector<SolidPair<D>> far, near;

  FarPairs(Kind other, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    for (SolidPair<D> pair : random_pairs<D>(kInstances<D>, other, count, seed)) {
      pair.a.vertices = any_corners<D>(random);
      if (other == kInstances<D>) pair.b.vertices = any_corners<D>(random);
      const FarShape<D> a = stored_far<D, T>(pair.a, any_middle<D>(random));
      FarShape<D> b{stored<T>(pair.b), stored<T>(pair.b)};
      if (other == kInstances<D>) b = stored_far<D, T>(pair.b, any_middle<D>(random));
      if (random.chance(0.5)) {
        far.push_back({a.far, b.far});
        near.push_back({a.near, b.near});
      } else {
        far.push_back({b.far, a.far});
        near.push_back({b.near, a.near});
      }
    }
  }
};

/// What is wrong with the contacts of `far`, which are those of `near`.
template <int D, class T>
void check_far_pairs(const FarPairs<D, T>& pairs, double margin, Method method) {
  const PairScene<D, T> input(pairs.far);
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  CollideOptions options;
  options.margin = margin;
  options.method = method;
  options.order = Order::source;
  collide_pairs<D, T>(input.scene, input.pairs, contacts, workspace, options);
  std::size_t next = 0;
  int wrong = 0;
  for (std::size_t i = 0; i < pairs.near.size(); ++i) {
    const auto& [a, b] = pairs.near[i];
    const Reference<D> reference = reference_of(a, b);
    const Expected expected = expected_contact<D, T>(reference, margin);
    const bool is_contact =
        next < contacts.size() && contacts.source[next] == static_cast<std::int64_t>(i);
    std::string problem;
    if (is_contact) {
      const Contact<D, T> contact = contact_at<D, T>(contacts, next++);
      problem = contact_problem<D, T>(a, b, reference, margin, contact);
      if (problem.empty()) continue;
      problem += describe(contact);
    }
    if (is_contact == (expected == Expected::yes) || expected == Expected::either) {
      if (problem.empty()) continue;
    }
    if (++wrong > 3) continue;
    ADD_FAILURE() << (is_contact ? "a contact" : "no contact") << ": " << problem << "\n"
                  << describe(a) << "\n" << describe(b);
  }
  EXPECT_EQ(wrong, 0);
}

template <int D, class T>
void check_far_point_sets() {
  for (const Kind other : kinds(D)) {
    SCOPED_TRACE(std::string(kind_name(other, D)));
    const FarPairs<D, T> pairs(other, scaled(200, 20), 5);
    for (const Method method : {Method::automatic, Method::gjk_epa}) {
      check_far_pairs(pairs, 0.1, method);
    }
  }
}

TEST(far_from_origin, point_sets_stored_a_thousand_from_their_origin_in_float) {
  check_far_point_sets<2, float>();
  check_far_point_sets<3, float>();
}
TEST(far_from_origin, point_sets_stored_a_thousand_from_their_origin_in_double) {
  check_far_point_sets<2, double>();
  check_far_point_sets<3, double>();
}
TEST(far_from_origin, point_sets_stored_a_thousand_from_their_origin_in_mixed) {
  check_far_point_sets<2, Mixed>();
  check_far_point_sets<3, Mixed>();
}

}  // namespace
}  // namespace widephase::test
