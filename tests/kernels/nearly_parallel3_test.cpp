// Nearly parallel cores and edges in 3D: rods end to end and side by side, capsules along a box's
// edge, boxes of a lattice with tiny rotations, an edge over an edge. Rounding hides which features
// are nearest, but not how far apart they are.
//
// Each answer is its own certificate. Its two points are in the shapes and as far apart as the
// distance says, so the distance is not larger. Along the normal the shapes are as far apart, so
// the distance is not smaller.
// Labels: dated

#include <gtest/gtest.h>

#include <widephase/distance.hpp>

#include "reference/generate_turned3.hpp"
#include "support/many_pairs3.hpp"

namespace widephase::test {
namespace {

struct SolidPair {
  Solid<3> a;
  Solid<3> b;
};

Point<3> sum(const Point<3>& a, const Point<3>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Point<3> times(double factor, const Point<3>& a) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}
Point<3> axis(int k, double length = 1) {
  Point<3> result{0, 0, 0};
  result[k] = length;
  return result;
}

/// The rounding of a shape of size 1.
template <class T>
constexpr int kDigits = sizeof(T) == 4 ? 7 : 14;

template <class T>
class NearlyParallel {
 public:
  explicit NearlyParallel(std::uint64_t seed) : random_(seed) {}

  /// Draws an angle of 1e-12 ... 1e-2, or 0; the lengths of the next pair depend on it.
  void begin() {
    angle_ = random_.chance(0.1) ? 0 : power(-12, -2);
    size_ = random_.chance(0.5) ? 1 : power(-3, 3);
  }

  /// Rods side by side, or one continuing after the end of the other, at a distance of `gap()`.
  SolidPair rods() {
    const double length_a = random_.chance(0.5) ? 1 : power(-1.3, 0);
    const double length_b = random_.chance(0.5) ? 1 : power(-1.3, 0);
    const double start = random_.chance(0.5) ? length_a + gap() : random_.uniform(-1, 1);
    const Point<3> along_b = rotated(about(random_.template direction<3>(), angle_), axis(0));
    Point<3> a = {0, 0, 0}, b = axis(0, length_a);
    Point<3> c = {start, gap(), random_.chance(0.5) ? 0 : gap()},
             d = sum(c, times(length_b, along_b));
    if (random_.chance(0.5)) std::swap(a, b);
    if (random_.chance(0.5)) std::swap(c, d);
    const Quaternion turn = turn_of_all();
    const auto place = [&](const Point<3>& p) { return times(size_, rotated(turn, p)); };
    return {capsule<3>(place(a), place(b), radius()), capsule<3>(place(c), place(d), radius())};
  }

  /// A capsule along an edge of a box or beside it, beyond one face or two.
  SolidPair along_edge(bool is_aabb) {
    const Point<3> half = halves();
    const int k = random_.integer(0, 2), i = (k + 1) % 3, j = (k + 2) % 3;
    Point<3> middle = axis(k, random_.chance(0.3) ? 0 : random_.uniform(-1, 1) * half[k]);
    middle[i] = sign() * (half[i] + gap());
    middle[j] = random_.chance(0.7) ? sign() * (half[j] + gap()) : random_.uniform(-1, 1) * half[j];
    const double length = half[k] * (random_.chance(0.5) ? 1 : power(-1, 0.6));
    const Point<3> along =
        times(length, rotated(about(random_.template direction<3>(), angle_), axis(k)));
    const Quaternion turn = is_aabb ? Quaternion{0, 0, 0, 1} : turn_of_all();
    const auto place = [&](const Point<3>& p) { return times(size_, rotated(turn, p)); };
    const Solid<3> rod =
        capsule<3>(place(sum(middle, times(-1, along))), place(sum(middle, along)), radius());
    const Point<3> high = times(size_, half);
    if (is_aabb) return {rod, aabb<3>(times(-1, high), high)};
    return {rod, box({0, 0, 0}, turn, high, radius())};
  }

  /// Boxes of a lattice; the second has a tiny rotation and is beyond one, two or three faces.
  SolidPair neighbours(bool is_aabb) {
    const Point<3> half_a = halves(), half_b = random_.chance(0.5) ? half_a : halves();
    Point<3> center;
    const int beside = random_.integer(0, 3);
    for (int k = 0; k < 3; ++k) {
      center[k] = k == beside ? random_.uniform(-1, 1) * (half_a[k] + half_b[k])
                              : sign() * (half_a[k] + half_b[k] + gap());
    }
    const Quaternion turn = is_aabb ? Quaternion{0, 0, 0, 1} : turn_of_all();
    const Quaternion turn_b = product(turn, about(random_.template direction<3>(), angle_));
    const Point<3> high = times(size_, half_a);
    const Solid<3> b = box(times(size_, rotated(turn, center)), turn_b, times(size_, half_b));
    if (is_aabb) return {aabb<3>(times(-1, high), high), b};
    return {box({0, 0, 0}, turn, high), b};
  }

  /// An edge of A along z, farthest along x, and an edge of B over it.
  SolidPair edge_over_edge() {
    const Point<3> half_a = halves(), half_b = halves();
    const double lean_a = random_.uniform(0.2, 1.3), lean_b = random_.uniform(0.2, 1.3);
    const Quaternion turn_a = about(axis(2), lean_a);
    const Quaternion turn_b =
        product(about(random_.template direction<3>(), angle_), about(axis(2), lean_b));
    const Point<3> edge_a = rotated(turn_a, {half_a[0], -half_a[1], 0});
    const Point<3> edge_b = rotated(turn_b, {-half_b[0], half_b[1], 0});
    const Point<3> between{gap(), random_.chance(0.5) ? 0 : gap(),
                           random_.uniform(-1, 1) * (half_a[2] + half_b[2])};
    const Point<3> center = sum(sum(edge_a, times(-1, edge_b)), between);
    return {box({0, 0, 0}, turn_a, times(size_, half_a)),
            box(times(size_, center), turn_b, times(size_, half_b))};
  }

 private:
  double power(double low, double high) { return std::pow(10, random_.uniform(low, high)); }
  double sign() { return random_.chance(0.5) ? 1 : -1; }
  /// A gap that the angle opens over part of the length, or any gap; one in eight overlaps.
  double gap() {
    if (random_.chance(0.05)) return 0;
    const double size = random_.chance(0.5) ? angle_ * power(-2.5, 0.5) : power(-kDigits<T>, -1);
    return random_.chance(0.125) ? -size : size;
  }
  double radius() { return random_.chance(0.5) ? 0 : size_ * power(-3, -0.5); }
  Point<3> halves() {
    if (random_.chance(0.25)) return {0.5, 0.5, 0.5};
    return {power(-1.5, 0), power(-1.5, 0), power(-1.5, 0)};
  }
  Quaternion turn_of_all() {
    return random_.chance(0.4) ? Quaternion{0, 0, 0, 1} : random_.template direction<4>();
  }

  Random random_;
  double angle_ = 0, size_ = 1;
};

/// The distances of many pairs of two kinds, each in both orders.
template <class T>
void expect_certain(const std::vector<SolidPair>& solids) {
  SceneColumns<3, T> scene;
  std::vector<std::array<std::int32_t, 2>> rows;
  for (const SolidPair& pair : solids) {
    const std::int32_t a = append(scene, pair.a), b = append(scene, pair.b);
    rows.push_back({a, b});
  }
  const SceneLayout layout = layout_of(scene);
  std::vector<Pair> pairs, swapped;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    pairs.push_back(
        {layout.id(solids[i].a.kind, rows[i][0]), layout.id(solids[i].b.kind, rows[i][1])});
    swapped.push_back({pairs[i].b, pairs[i].a});
  }
  Workspace<3, T> workspace;
  DistanceBuffer<3, T> found, mirrored;
  CollideOptions options;
  options.threads.count = 1;
  distances<3, T>(scene, pairs, found, workspace, options);
  distances<3, T>(scene, swapped, mirrored, workspace, options);
  // Faces that overlap by a sliver: its end is exact to rounding divided by an angle.
  const bool is_boxes = !is_thin(solids[0].a.kind);
  int slivers = is_boxes ? 1 + static_cast<int>(solids.size() / 4000) : 0;
  Judge judge;
  int shown = 0;
  for (std::size_t i = 0; i < pairs.size() && shown < 5; ++i) {
    const auto shape = [&](std::size_t which) {
      const Solid<3>& solid = which == 0 ? solids[i].a : solids[i].b;
      return fast_shape(scene, solid.kind, static_cast<std::size_t>(rows[i][which]), {});
    };
    const FastShape a = shape(0), b = shape(1);
    const FastAnswer answer{{found.normal(i, 0), found.normal(i, 1), found.normal(i, 2)},
                            -static_cast<double>(found.distance[i]),
                            {found.point_a(i, 0), found.point_a(i, 1), found.point_a(i, 2)},
                            -static_cast<double>(found.distance[i])};
    const double unit = 4 * static_cast<double>(kUnitTolerance<T>);
    const double tolerance = static_cast<double>(kDepthTolerance<T>) * Judge::size_of(a, b);
    // A component whose square is lost beside that of the distance is lost in the normal too.
    const double aside = std::sqrt(0x1p-47 * Judge::size_of(a, b) * std::abs(found.distance[i]));
    const double place = 4 * unit * length(answer.point) + (sizeof(T) == 8 ? aside : 0);
    const Verdict verdict = judge(a, b, answer, tolerance, unit, place);
    bool is_mirror = found.distance[i] == mirrored.distance[i];
    for (int k = 0; k < 3; ++k) is_mirror &= found.normal(i, k) == 0 - mirrored.normal(i, k);
    if (verdict.fault == Fault::none && is_mirror && found.status[i] != 2) continue;
    if (verdict.fault == Fault::point_outside && is_mirror && slivers-- > 0) continue;
    ++shown;
    ADD_FAILURE() << (is_mirror ? "" : "named the other way round no mirror image; ")
                  << kFaultNames[static_cast<std::size_t>(verdict.fault)] << ": " << verdict.number
                  << "\n  A " << describe(solid_of(scene, pairs[i].a)) << "\n  B "
                  << describe(solid_of(scene, pairs[i].b)) << "\n  distance " << found.distance[i]
                  << " normal " << found.normal(i, 0) << ' ' << found.normal(i, 1) << ' '
                  << found.normal(i, 2) << " status " << int{found.status[i]};
  }
}

template <class T, class Make>
void expect_family(std::uint64_t seed, const Make& make) {
  SCOPED_TRACE(sizeof(T) == 4 ? "float" : "double");
  NearlyParallel<T> family(seed);
  std::vector<SolidPair> solids;
  for (std::size_t i = 0; i < scaled(20000, 500); ++i) {
    family.begin();
    solids.push_back(make(family));
  }
  expect_certain<T>(solids);
}
template <class Make>
void expect_families(std::uint64_t seed, const Make& make) {
  expect_family<float>(seed, make);
  expect_family<double>(seed, make);
}

TEST(nearly_parallel3, rods_are_as_far_apart_as_their_points_and_their_normal_say) {
  expect_families(1, [](auto& family) { return family.rods(); });
}
TEST(nearly_parallel3, so_are_capsules_along_an_edge_of_a_box) {
  expect_families(2, [](auto& family) { return family.along_edge(false); });
}
TEST(nearly_parallel3, so_are_capsules_along_an_edge_of_an_aabb) {
  expect_families(3, [](auto& family) { return family.along_edge(true); });
}
TEST(nearly_parallel3, so_are_boxes_of_a_lattice_that_are_turned_by_a_hair) {
  expect_families(4, [](auto& family) { return family.neighbours(false); });
}
TEST(nearly_parallel3, so_are_aabbs_and_boxes) {
  expect_families(5, [](auto& family) { return family.neighbours(true); });
}
TEST(nearly_parallel3, so_are_edges_over_edges) {
  expect_families(6, [](auto& family) { return family.edge_over_edge(); });
}

/// Checks the distance of two shapes in float and double, and the certificate of each.
void expect_distance(const Solid<3>& a, const Solid<3>& b, double distance, double tolerance) {
  const auto ask = [&]<class T>(const T&) {
    expect_certain<T>({{a, b}});
    SceneColumns<3, T> scene;
    append(scene, a);
    append(scene, b);
    const Pair pair{0, 1};
    Workspace<3, T> workspace;
    DistanceBuffer<3, T> found;
    distances<3, T>(scene, {&pair, 1}, found, workspace);
    EXPECT_NEAR(static_cast<double>(found.distance[0]), distance, tolerance);
  };
  ask(float{});
  ask(double{});
}

// Two rods of length 0.825 in the plane y = 0 that differ by 1e-5 rad. A runs along (-0.2, -0.8)
// and B begins (-0.004, 0.001) from its end: just beside it, 0.0034 / 0.824621 = 0.0041231 across.
// The cores' ends are nearest, and the radii leave 0.0021231.
TEST(nearly_parallel3, a_rod_that_goes_on_beside_the_end_of_another_is_apart) {
  const Solid<3> a = capsule<3>({0, 0, 0}, {-0.2, 0, -0.8}, 0.001);
  const Solid<3> b = capsule<3>({-0.204, 0, -0.799}, {-0.403996, 0, -1.599001}, 0.001);
  expect_distance(a, b, 0.0021230, 1e-6);
}

// A core along x over the edge of a box that leans by 1e-4. The lowest point of the edge touches
// it; an unlimited lean over the corner gave a gap of 1.2 mm.
TEST(nearly_parallel3, a_core_along_the_leaning_edge_of_a_box_touches_it) {
  const Solid<3> rod = capsule<3>({-1, 0, 0}, {1, 0, 0}, 0);
  expect_distance(rod, box({0, 1.00019, 0.5}, {-5e-5, 5e-5, -8e-5, 1}, {1, 1, 0.5}), 0, 1e-6);
  // With a radius that rests on the upper edge of a box that is thin along y.
  const Solid<3> thick = capsule<3>({-1, 0, 0}, {1, 0, 0}, 0.05);
  expect_distance(thick, box({0, 0.1, -1.00005}, {-3e-5, -8e-5, -3e-5, 1}, {1, 0.1, 1}), -0.05,
                  1e-6);
}

// A capsule of radius 0.1 that leans by 0.01 over a cube's upper face at z = 0.5, its lower end
// 0.05 inside the face and its core 0.05 above: 0.1 - 0.05 deep there, whichever end it is.
TEST(nearly_parallel3, a_leaning_capsule_over_a_box_is_as_deep_as_its_lower_end) {
  const Solid<3> cube = box({0, 0, 0}, {0, 0, 0, 1}, {0.5, 0.5, 0.5});
  for (const double lean : {1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
    for (const double side : {-1.0, 1.0}) {
      const Solid<3> rod =
          capsule<3>({-0.45 * side, 0, 0.55}, {0.45 * side, 0, 0.55 + 0.9 * lean}, 0.1);
      expect_distance(rod, cube, -0.05, 1e-6);
    }
  }
}

// Two cubes of one lattice, neighbours across an edge along y, the second rotated by 1e-4. Its
// centre is 3e-5 and 1.4e-4 beyond A's faces, and the rotation brings its edge nearer. Two edges
// that cross at 1e-4 inside their ends are nearest; a vertex 2.1e-4 away was taken instead.
TEST(nearly_parallel3, cubes_whose_edges_cross_by_a_hair_are_in_contact_within_the_margin) {
  const Solid<3> a = box({0, 0, 0}, {0, 0, 0, 1}, {0.5, 0.5, 0.5});
  const Solid<3> b = box({1.00003, -9e-5, 1.00014}, {-7e-5, -4e-5, 5e-5, 1}, {0.5, 0.5, 0.5});
  expect_distance(a, b, 3.605e-5, 5e-7);
  SceneColumns<3, float> scene;
  append(scene, a);
  append(scene, b);
  const Pair pair{0, 1};
  CollideOptions options;
  options.margin = 1e-4;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  collide_pairs<3, float>(scene, {&pair, 1}, contacts, workspace, options);
  EXPECT_EQ(contacts.size(), 1u);
}

}  // namespace
}  // namespace widephase::test
