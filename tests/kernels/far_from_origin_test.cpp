// Shapes far from an origin get the same answers as near ones: point sets far from the origin of
// their own frame, and shapes far from the origin of the world above halfspaces at any angle.
// Labels: dated

#include <gtest/gtest.h>

#include <widephase/bodies.hpp>
#include <widephase/static_scene.hpp>
#include <widephase/support.hpp>

#include "reference/generate_turned3.hpp"
#include "reference/scaled.hpp"
#include "support/generate.hpp"
#include "support/methods.hpp"
#include "support/scenes.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

template <class T>
constexpr Real kEpsilon = std::numeric_limits<SizeOf<T>>::epsilon();

template <int D>
constexpr Kind kInstances = D == 2 ? Kind::polygon : Kind::hull;

/// Converts a point from a shape's own frame to the world.
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

/// A point set with vertices around `middle` in its own frame, as stored in T, and the same shape
/// with vertices around the origin. Both are at the same place in the world.
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
  // Moves the frame's origin so that `middle` is at the requested centre.
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

/// Corners of a body of radius 0.5 to 1 around the origin, in steps of 2^-12, which are exact in
/// float up to 4,096.
template <int D>
std::vector<Point<D>> any_corners(Random& random) {
  std::vector<Point<D>> corners;
  for (int side = 0; side < 2 * D; ++side) {  // one per axis and sign, so that it is not flat
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

/// Pairs with A, or one of two point sets B, stored far from its origin.
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

/// What is wrong with the contacts of `far`, which should equal those of `near`.
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
                  << describe(a) << "\n"
                  << describe(b);
  }
  EXPECT_EQ(wrong, 0);
}

template <int D, class T>
void check_far_point_sets() {
  for (const Kind other : kinds(D)) {
    SCOPED_TRACE(std::string(kind_name(other, D)));
    const FarPairs<D, T> pairs(other, scaled(40, 10), 5);
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

/// The corners of a cube of side 1 around a point.
std::vector<Point<3>> cube_about(const Point<3>& middle) {
  std::vector<Point<3>> corners;
  for (int c = 0; c < 8; ++c) {
    corners.push_back(middle);
    for (int k = 0; k < 3; ++k) corners.back()[k] += (c >> k & 1) != 0 ? 0.5 : -0.5;
  }
  return corners;
}

/// How two shapes of one frame are placed in the world.
enum class Carried { by_themselves, by_bodies, against_a_static_scene };

/// Two crates of one mesh with side 1, whose centres are `apart` along x in the mesh's frame.
template <class T>
struct Crates {
  SceneColumns<3, T> scene;

  Crates(const Point<3>& middle, double apart, const Point<3>& center, const Quaternion& turn,
         Carried carried) {
    for (const double x : {0.0, apart}) {
      Solid<3> crate =
          hull({0, 0, 0}, {0, 0, 0, 1}, cube_about({middle[0] + x, middle[1], middle[2]}));
      if (carried != Carried::by_bodies) {
        crate.p = center;
        crate.orientation = turn;
      } else {
        scene.hulls.body.push_back({x == 0 ? 0 : 1});  // shapes of one body never meet
        scene.bodies.position.push_back(as_row<3, PositionOf<T>>(center));
        std::array<SizeOf<T>, 4> row;
        for (int w = 0; w < 4; ++w) row[static_cast<std::size_t>(w)] = SizeOf<T>(turn[w]);
        scene.bodies.turn.push_back(row);
      }
      append(scene, crate);
    }
  }

  ContactBuffer<3, T> contacts(Carried carried, const CollideOptions& options) const {
    ContactBuffer<3, T> found;
    Workspace<3, T> workspace;
    if (carried != Carried::against_a_static_scene) {
      collide<3, T>(scene, found, workspace, options);
      return found;
    }
    SceneColumns<3, T> moving = scene;
    moving.geometries = {};
    moving.hulls.center.resize(1);
    moving.hulls.turn.resize(1);
    moving.hulls.geometry.resize(1);
    moving.hulls.radius.resize(1);
    StaticScene<3, T> kept;
    build_static_scene<3, T>(scene, kept, workspace, options);
    collide<3, T>(moving, kept, found, workspace, options);
    return found;
  }
};

template <class T>
void check_crates() {
  // Their sides of 1 overlap by 1 - 0.75 or are 0.25 apart, in any common pose. This must be exact
  // to within 4 epsilons of a side at the centres, plus 4 of the answer. Centres in eighths are
  // exact in float. Half of the poses move the mesh's centre back to the world's origin.
  Random random(7);
  for (int i = 0; i < 40; ++i) {
    const Point<3> middle{random.integer(-8000, 8000) / 8.0, random.integer(4000, 8000) / -8.0,
                          500};
    const Quaternion turn = random.direction<4>();
    const Point<3> back = rotated(turn, middle);
    Point<3> center = random.point<3>(-1000, 1000);
    if (i % 2 == 0) center = {-back[0], -back[1], -back[2]};
    for (const Carried carried :
         {Carried::by_themselves, Carried::by_bodies, Carried::against_a_static_scene}) {
      for (const double apart : {0.75, 1.25}) {
        const Crates<T> crates(middle, apart, center, turn, carried);
        CollideOptions options;
        options.margin = 0.5;
        for (const Method method : kMethods) {
          options.method = method;
          const ContactBuffer<3, T> contacts = crates.contacts(carried, options);
          // With the static scene, the first crate also collides with its own copy there.
          ASSERT_GE(contacts.size(), 1u);
          const std::size_t last = contacts.size() - 1;
          ASSERT_NEAR(contacts.depth[last], 1 - apart, static_cast<double>(8 * kEpsilon<T>))
              << "carried " << static_cast<int>(carried) << " by " << name_of_method(method);
        }
      }
    }
  }
}

TEST(far_from_origin, crates_of_one_mesh_stay_as_far_apart_wherever_the_mesh_lies) {
  check_crates<float>();
  check_crates<double>();
  check_crates<Mixed>();
}

template <int D, class T>
void check_support_points() {
  // The support point of the far point set is that of the same set around its origin, moved to its
  // centre in the world. They agree to within 4 epsilons of the set's extent plus half a step of
  // the world's numbers.
  Random random(9);
  for (std::size_t i = 0; i < scaled(200, 20); ++i) {
    Solid<D> solid = random_solid<D>(random, kInstances<D>, {}, 1);
    solid.vertices = any_corners<D>(random);
    solid.p = random.point<D>(-100, 100);
    const Point<D> own_middle = any_middle<D>(random);
    const FarShape<D> shape = stored_far<D, T>(solid, own_middle);
    Solid<D> about_origin = shape.near;
    about_origin.p = {};
    Column<SizeOf<T>, D> direction;
    direction.push_back(as_row<D, SizeOf<T>>(random.direction<D>()));
    const std::int32_t ids[] = {0};
    SupportBuffer<D, T> far, near;
    Workspace<D, T> workspace;
    SceneColumns<D, T> far_scene, near_scene;
    append(far_scene, shape.far);
    append(near_scene, about_origin);
    support_points<D, T>(far_scene, ids, direction, far, workspace);
    support_points<D, T>(near_scene, ids, direction, near, workspace);
    ASSERT_EQ(far.feature[0], near.feature[0]);
    const Vec<D> middle = in_world(shape.far, own_middle);
    // In 2D, cosine and sine are doubles: their rounding moves the vector to the centre.
    const Real turn = D == 2 ? length(widened(own_middle)) * 0x1p-52L : 0;
    for (int k = 0; k < D; ++k) {
      const Real expected = middle[k] + static_cast<Real>(near.point(0, k));
      const Real step = std::numeric_limits<PositionOf<T>>::epsilon() * std::abs(expected) / 2;
      ASSERT_NEAR(static_cast<double>(far.point(0, k) - expected), 0,
                  static_cast<double>(step + turn + 4 * 2 * kEpsilon<T>));
    }
  }
}

TEST(far_from_origin, support_points_of_point_sets_stored_a_thousand_away) {
  check_support_points<2, float>();
  check_support_points<3, float>();
  check_support_points<2, double>();
  check_support_points<3, double>();
  check_support_points<2, Mixed>();
  check_support_points<3, Mixed>();
}

/// A shape of radius about 1, far away, and a halfspace at any angle that may touch it.
template <int D, class T>
SolidPair<D> over_a_plane(Random& random, Kind kind, double far) {
  Solid<D> solid = random_solid<D>(random, kind, random.point<D>(-far, far), 1);
  if (kind == kInstances<D>) solid.vertices = any_corners<D>(random);
  solid = stored<T>(solid);
  Point<D> normal = random.direction<D>();
  if (random.chance(0.2)) normal = rounded<D>(times(widened(normal), 1.00004L));
  const Point<D>& place = solid.p;
  Real height = random.uniform(-1, 1);
  for (int k = 0; k < D; ++k) height += static_cast<Real>(normal[k]) * place[k];
  return {solid, stored<T>(halfspace<D>(normal, static_cast<double>(height)))};
}

template <int D, class T>
void check_heights(double far) {
  // Rounding is that of a shape of size 1 to 2, however far away it is; the reference's heights
  // have 64 bits. The rounding of a normal, 2^-25 in float, would be 3e-5 at 1,000 and 3e-3 at
  // 10^5.
  for (const Kind kind : kinds(D)) {
    if (kind == Kind::halfspace) continue;
    SCOPED_TRACE(std::string(kind_name(kind, D)) + " at " + std::to_string(far));
    Random random(11);
    std::vector<SolidPair<D>> pairs;
    for (std::size_t i = 0; i < scaled(500, 50); ++i) {
      pairs.push_back(over_a_plane<D, T>(random, kind, far));
    }
    const PairScene<D, T> input(pairs);
    DistanceBuffer<D, T> answers;
    Workspace<D, T> workspace;
    distances<D, T>(input.scene, input.pairs, answers, workspace);
    double most = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Real depth = reference_of(pairs[i].a, pairs[i].b).depth;
      most = std::max(most, std::abs(static_cast<double>(answers.distance[i] + depth)));
    }
    EXPECT_LE(most, static_cast<double>(8 * kEpsilon<T>) + far * 0x1p-60)
        << most / double(kEpsilon<T>);
  }
}

TEST(far_from_origin, heights_over_halfspaces_keep_the_digits_that_were_stored) {
  for (const double far : {1e3, 1e5}) {
    check_heights<2, float>(far);
    check_heights<3, float>(far);
    check_heights<2, double>(far);
    check_heights<3, double>(far);
  }
}

}  // namespace
}  // namespace widephase::test
