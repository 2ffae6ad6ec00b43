// Two surfaces (meshes, height fields, chains): whether they meet, how far they are apart, and
// where their distance has local minima, as brute force over all pairs of their pieces says.
// Labels: dated

#include <gtest/gtest.h>

#include "support/lines.hpp"
#include "support/mesh_shapes.hpp"
#include "support/two_surfaces.hpp"

namespace widephase::test {
namespace {

template <class T>
class two_surfaces : public ::testing::Test {};
template <class Scalar>
struct In {
  using T = Scalar;
};
using Precisions = ::testing::Types<In<float>, In<double>, In<Mixed>>;
TYPED_TEST_SUITE(two_surfaces, Precisions);

/// A length of the scenes here that rounding of rows may move.
template <class T>
constexpr double kRounded = sizeof(SizeOf<T>) == 4 ? 4e-6 : 1e-12;

template <int D, class T>
Vec<D> row_of(const Column<T, D>& column, std::size_t row) {
  Vec<D> v;
  for (int k = 0; k < D; ++k) v[k] = static_cast<Real>(column(row, k));
  return v;
}

struct Counts {
  int meeting = 0, apart = 0, places = 0;
};

/// Judges one pair of a scene. `size`: about that of the pair.
template <int D, class T>
void judge(const SceneColumns<D, T>& scene, Pair pair, double size, double margin, Counts& counts) {
  const PlacedSurface<D> a = surface_at(scene, pair.a), b = surface_at(scene, pair.b);
  const BruteDistance<D> brute = brute_distance(a, b);
  const double rounding = kRounded<T> * size;
  const Real radii = a.thickness + b.thickness;
  Workspace<D, T> workspace;
  const std::vector<Pair> pairs{pair, {pair.b, pair.a}};
  DistanceBuffer<D, T> answer;
  distances<D, T>(scene, pairs, answer, workspace);
  std::vector<std::uint8_t> meets(2);
  CollideOptions options;
  options.margin = static_cast<SizeOf<T>>(margin);
  test_pairs<D, T>(scene, pairs, meets, workspace, options);
  ContactBuffer<D, T> contacts;
  collide_pairs<D, T>(scene, pairs, contacts, workspace, options);
  EXPECT_EQ(meets[0], meets[1]);
  EXPECT_EQ(meets[0] != 0, contacts.size() > 0);
  EXPECT_EQ(answer.distance[0], answer.distance[1]);
  // The other way round all is mirrored.
  for (int k = 0; k < D; ++k) {
    EXPECT_EQ(answer.normal(0, k), 0 - answer.normal(1, k));
    EXPECT_NEAR(static_cast<double>(answer.point_a(0, k)),
                static_cast<double>(answer.point_b(1, k)), rounding);
  }
  if (brute.is_unsure(rounding)) return;
  if (brute.meets()) {
    ++counts.meeting;
    EXPECT_EQ(answer.distance[0], 0);
    EXPECT_EQ(answer.status[0], static_cast<int>(Status::crossing));
    EXPECT_EQ(meets[0], 1);
    ASSERT_EQ(contacts.size(), 2u);
    EXPECT_EQ(contacts.status[0], static_cast<int>(Status::crossing));
    EXPECT_EQ(contacts.depth[0], 0);
    ASSERT_EQ(contacts.point_count(), 2u);
    const Vec<D> at = row_of(contacts.point, 0);
    // On one of them at least: what is below a field is not on it.
    EXPECT_LT(std::min(distance_to(a, at), distance_to(b, at)), rounding + a.thickness);
    EXPECT_GE(contacts.part(0, 0), 0);
    EXPECT_GE(contacts.part(0, 1), 0);
    return;
  }
  ++counts.apart;
  const Real distance = std::max<Real>(brute.distance - radii, 0);
  EXPECT_NEAR(static_cast<double>(answer.distance[0]), static_cast<double>(distance), rounding);
  if (brute.distance > 1e-3L * size) {
    const Vec<D> n = row_of(answer.normal, 0);
    const Vec<D> on_a = plus(row_of(answer.point_a, 0), n, -a.thickness);
    EXPECT_NEAR(static_cast<double>(length(n)), 1, 1e-5);
    EXPECT_LT(distance_to(a, on_a), rounding);
    EXPECT_LT(distance_to(b, plus(on_a, n, brute.distance)), 4 * rounding);
  }
  // The contacts within the margin.
  const Real limit = radii + static_cast<Real>(options.margin);
  if (brute.distance < 1e-3L * size && brute.distance > 0) return;  // directions round
  const auto places = brute_places(a, b, limit + rounding);
  const double lean = sizeof(SizeOf<T>) == 4 ? 2e-3 : 1e-6;  // of directions
  Real deepest = -std::numeric_limits<Real>::infinity();
  for (std::size_t i = 0; i < contacts.size() && contacts.source[i] == 0; ++i) {
    const Vec<D> n = row_of(contacts.normal, i);
    const auto depth = static_cast<Real>(contacts.depth[i]);
    deepest = std::max(deepest, depth);
    EXPECT_TRUE(std::any_of(places.begin(), places.end(),
                            [&](const BrutePlace<D>& place) {
                              return place.slack < lean && length(minus(place.normal, n)) < lean &&
                                     std::abs(radii - place.distance - depth) < 4 * rounding;
                            }))
        << "a contact of depth " << static_cast<double>(depth) << " is at no local minimum";
    const auto first = contacts.offset[i], end = contacts.offset[i + 1];
    ASSERT_GT(end, first);
    bool has_depth = false;
    for (auto p = first; p < end; ++p) {
      const auto row = static_cast<std::size_t>(p);
      const auto own = static_cast<Real>(contacts.point_depth[row]);
      has_depth |= contacts.point_depth[row] == contacts.depth[i];
      EXPECT_LE(own, depth);
      EXPECT_GE(own, -static_cast<Real>(options.margin) - rounding);
      const Vec<D> on_a = plus(row_of(contacts.point, row), n, -a.thickness);
      EXPECT_LT(distance_to(a, on_a), 4 * rounding);
      // Where pieces lean, the patch's normal leaves the point beside the other surface.
      const Vec<D> on_b = plus(on_a, n, radii - own);
      EXPECT_LT(distance_to(b, on_b), 4 * rounding + 0.1L * (radii - own));
      const std::int32_t part_a = contacts.part(row, 0), part_b = contacts.part(row, 1);
      EXPECT_TRUE(std::find(a.numbers.begin(), a.numbers.end(), part_a) != a.numbers.end());
      EXPECT_TRUE(std::find(b.numbers.begin(), b.numbers.end(), part_b) != b.numbers.end());
    }
    EXPECT_TRUE(has_depth);
  }
  for (const BrutePlace<D>& place : places) {
    if (place.slack > 1e-13L || place.distance > limit - rounding) continue;
    ++counts.places;
    bool is_found = false;
    for (std::size_t i = 0; i < contacts.size() && contacts.source[i] == 0; ++i) {
      is_found |= dot(row_of(contacts.normal, i), place.normal) > 0.995L;
    }
    EXPECT_TRUE(is_found) << "a local minimum " << static_cast<double>(place.distance)
                          << " away has no contact";
  }
}

Point3d at_random(Random& random, double reach) {
  const Point<3> p = random.point<3>(-reach, reach);
  return {p[0], p[1], p[2]};
}

/// Two meshes at any turn, from crossing to a margin apart.
template <class T>
void judge_meshes(const MeshShape& first, const MeshShape& second, bool two_sided, double reach,
                  double thickness, int poses, std::uint64_t seed) {
  Random random(seed);
  Counts counts;
  for (int i = 0; i < poses; ++i) {
    Ground<T> ground;
    const std::int32_t one = ground.add_mesh_of(first.vertices, first.triangles, two_sided);
    const std::int32_t two = ground.add_mesh_of(second.vertices, second.triangles, two_sided);
    ground.place_mesh(one, {0.5, -0.25, 0.125}, any_turn(random), thickness);
    ground.place_mesh(two, at_random(random, reach), any_turn(random), thickness);
    SCOPED_TRACE("pose " + std::to_string(i));
    judge<3, T>(ground.scene, {0, 1}, 4, 0.2, counts);
  }
  EXPECT_GT(counts.meeting, poses / 20);
  EXPECT_GT(counts.apart, poses / 20);
}

TYPED_TEST(two_surfaces, of_meshes_are_as_all_pairs_of_triangles_say) {
  using T = typename TypeParam::T;
  Random random(3);
  for (const bool two_sided : {false, true}) {
    SCOPED_TRACE(two_sided);
    judge_meshes<T>(bumpy_ball(random, 2, 0.2), bumpy_ball(random, 1, 0.1), two_sided, 2, 0, 20,
                    11);
    judge_meshes<T>(box_mesh({1, 0.5, 0.25}), box_mesh({0.5, 0.5, 0.5}), two_sided, 1.5, 0, 20, 12);
    judge_meshes<T>(grid_mesh(6, 0.4, [&](int, int) { return random.uniform(-0.2, 0.2); }),
                    bumpy_ball(random, 1, 0.1), two_sided, 2.5, 0.05, 20, 13);
    judge_meshes<T>(moebius_band(12), knife_mesh(5), two_sided, 1.5, 0, 20, 14);
  }
}

TYPED_TEST(two_surfaces, of_fields_are_as_all_pairs_of_triangles_say) {
  using T = typename TypeParam::T;
  Random random(5);
  Counts meshes, fields;
  for (int i = 0; i < 24; ++i) {
    SCOPED_TRACE("pose " + std::to_string(i));
    const auto rough = [&](int, int) {
      return random.chance(0.1) ? kHole : random.uniform(-0.3, 0.3);
    };
    Ground<T> ground;
    const Quat lean = i % 3 == 0 ? kLevel : any_turn(random);
    ground.place_field(ground.add_field(7, 6, 0.5, rough), {0.25, 0, 0}, lean);
    const MeshShape ball = bumpy_ball(random, 1, 0.2);
    Point3d at =
        turned(lean, {random.uniform(-1, 4), random.uniform(-1, 4), random.uniform(-1, 2.5)});
    ground.place_mesh(ground.add_mesh_of(ball.vertices, ball.triangles, i % 2 == 0), at,
                      any_turn(random), i % 4 == 0 ? 0.1 : 0);
    judge<3, T>(ground.scene, {0, 1}, 6, 0.3, meshes);
    // Another field, its own up about towards the first one's: floor and ceiling.
    Ground<T> two;
    two.place_field(two.add_field(5, 6, 0.5, rough));
    Quat over{1, random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2)};
    double norm = 0;
    for (const double x : over) norm += x * x;
    for (double& x : over) x /= std::sqrt(norm);
    two.place_field(two.add_field(6, 4, 0.4, rough),
                    {random.uniform(-1, 2), random.uniform(0, 3), random.uniform(0.2, 1.5)},
                    i % 4 == 3 ? any_turn(random) : over);
    judge<3, T>(two.scene, {0, 1}, 6, 0.3, fields);
  }
  EXPECT_GT(meshes.meeting, 3);
  EXPECT_GT(meshes.apart, 3);
  EXPECT_GT(fields.meeting, 3);
  EXPECT_GT(fields.apart, 3);
}

TYPED_TEST(two_surfaces, of_chains_are_as_all_pairs_of_segments_say) {
  using T = typename TypeParam::T;
  Random random(7);
  Counts counts;
  const auto ragged = [&](int count, bool is_loop) {
    std::vector<Point2d> points;
    for (int i = 0; i < count; ++i) {
      const double turn = 6.283185307 * i / count, r = random.uniform(0.6, 1);
      points.push_back(is_loop ? Point2d{r * std::cos(turn), r * std::sin(turn)}
                               : Point2d{0.2 * i, random.uniform(-0.3, 0.3)});
    }
    return points;
  };
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE("pose " + std::to_string(i));
    Lines<T> lines;
    const double thickness = i % 3 == 0 ? 0.05 : 0;
    for (int side = 0; side < 2; ++side) {
      const bool is_loop = (i >> side) % 2 == 0;
      ChainOptions options;
      options.loop = is_loop;
      options.two_sided = (i >> (1 + side)) % 2 == 0;
      lines.place(lines.add(ragged(random.integer(3, 40), is_loop), options),
                  {random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)}, random.uniform(-3, 3),
                  thickness);
    }
    judge<2, T>(lines.scene, {0, 1}, 4, 0.2, counts);
  }
  EXPECT_GT(counts.meeting, 20);
  EXPECT_GT(counts.apart, 20);
  EXPECT_GT(counts.places, 20);
}

// --- Cases in words ---

/// Contacts of shapes 0 and 1 of a scene.
template <int D, class T>
ContactBuffer<D, T> ask(const SceneColumns<D, T>& scene, double margin) {
  CollideOptions options;
  options.margin = static_cast<SizeOf<T>>(margin);
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  collide_pairs<D, T>(scene, std::vector<Pair>{{0, 1}}, contacts, workspace, options);
  return contacts;
}
template <int D, class T>
double distance_of(const SceneColumns<D, T>& scene) {
  Workspace<D, T> workspace;
  DistanceBuffer<D, T> answer;
  distances<D, T>(scene, std::vector<Pair>{{0, 1}}, answer, workspace);
  return static_cast<double>(answer.distance[0]);
}

template <class T>
SceneColumns<3, T> two_meshes(const MeshShape& first, const Point3d& at, const MeshShape& second,
                              const Point3d& there, double thickness = 0,
                              const Quat& turn = kLevel) {
  Ground<T> ground;
  const std::int32_t a = ground.add_mesh_of(first.vertices, first.triangles);
  const std::int32_t b = ground.add_mesh_of(second.vertices, second.triangles);
  ground.place_mesh(a, at, kLevel, thickness);
  ground.place_mesh(b, there, turn, thickness);
  return ground.scene;
}

/// One contact, straight up, of four points at the corners of a square.
template <class T>
void expect_square(const ContactBuffer<3, T>& contacts, double depth, const Point3d& middle,
                   double half) {
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.status[0], 0);
  EXPECT_NEAR(static_cast<double>(contacts.depth[0]), depth, kRounded<T>);
  EXPECT_NEAR(static_cast<double>(contacts.normal(0, 2)), 1, 1e-6);
  ASSERT_EQ(contacts.point_count(), 4u);
  for (std::size_t p = 0; p < 4; ++p) {
    for (int k = 0; k < 2; ++k) {
      EXPECT_NEAR(std::abs(static_cast<double>(contacts.point(p, k)) - middle[k]), half,
                  kRounded<T>);
    }
    EXPECT_NEAR(static_cast<double>(contacts.point_depth[p]), depth, kRounded<T>);
  }
}

const MeshShape kFlat = grid_mesh(4, 1, [](int, int) { return 0.0; });
const MeshShape kCube = box_mesh({0.5, 0.5, 0.5});

TYPED_TEST(two_surfaces, fcl_106_a_box_on_a_larger_one_has_points_at_the_corners_of_its_own_face) {
  using T = typename TypeParam::T;
  // There thirty points, some at the corners of the larger box. A tenth apart, over four cells of a
  // floor, over a box, and over a field: the smaller face has its corners half a metre from its
  // middle.
  expect_square(ask(two_meshes<T>(kFlat, {0, 0, 0}, kCube, {2, 2, 0.6}), 0.2), -0.1, {2, 2, 0},
                0.5);
  expect_square(ask(two_meshes<T>(box_mesh({3, 3, 1}), {0, 0, -1}, kCube, {1, 0.5, 0.6}), 0.2),
                -0.1, {1, 0.5, 0}, 0.5);
  Ground<T> ground;
  ground.place_field(ground.add_field(5, 5, 1, [](int, int) { return 0.0; }));
  ground.place_mesh(ground.add_mesh_of(kCube.vertices, kCube.triangles), {2, 2, 0.6});
  expect_square(ask(ground.scene, 0.2), -0.1, {2, 2, 0}, 0.5);
  // Thick by 0.0625 each and 0.1 apart: 0.025 deep. Points are on the lower one's rounded face.
  const auto thick = ask(two_meshes<T>(kFlat, {0, 0, 0}, kCube, {2, 2, 0.6}, 0.0625), 0);
  expect_square(thick, 0.025, {2, 2, 0}, 0.5);
  EXPECT_NEAR(static_cast<double>(thick.point(0, 2)), 0.0625, kRounded<T>);
  EXPECT_EQ(distance_of(two_meshes<T>(kFlat, {0, 0, 0}, kCube, {2, 2, 0.6}, 0.0625)), 0);
}

TYPED_TEST(two_surfaces, fcl_491_and_574_meshes_that_cross_have_no_depth_and_say_so) {
  using T = typename TypeParam::T;
  // There distances of 0 or -1, and depths of single triangles. A cube half in another one.
  const auto scene = two_meshes<T>(kCube, {0, 0, 0}, kCube, {0.5, 0.25, 0.125});
  EXPECT_EQ(distance_of(scene), 0);
  const auto contacts = ask(scene, 0.1);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.status[0], static_cast<int>(Status::crossing));
  EXPECT_EQ(contacts.depth[0], 0);
  EXPECT_EQ(contacts.point_count(), 1u);
}

TYPED_TEST(two_surfaces, that_touch_or_are_one_cross) {
  using T = typename TypeParam::T;
  const auto crosses = [](const SceneColumns<3, T>& scene) {
    const auto contacts = ask(scene, 0);
    return contacts.size() == 1 && contacts.status[0] == static_cast<int>(Status::crossing) &&
           distance_of(scene) == 0;
  };
  EXPECT_TRUE(crosses(two_meshes<T>(kCube, {0, 0, 0}, kCube, {0, 0, 0})));       // identical
  EXPECT_TRUE(crosses(two_meshes<T>(kFlat, {0, 0, 0}, kFlat, {0.5, 0.25, 0})));  // coplanar
  EXPECT_TRUE(crosses(two_meshes<T>(kFlat, {0, 0, 0}, kCube, {2, 2, 0.5})));     // on a face
  EXPECT_TRUE(crosses(two_meshes<T>(kCube, {0, 0, 0}, kCube, {1, 1, 1})));       // at a vertex
  EXPECT_TRUE(crosses(two_meshes<T>(kCube, {0, 0, 0}, kCube, {1, 1, 0.25})));    // along an edge
  EXPECT_FALSE(crosses(two_meshes<T>(kCube, {0, 0, 0}, kCube, {1.0625, 0, 0})));
}

TYPED_TEST(two_surfaces, one_within_the_other_meets_a_solid_alone) {
  using T = typename TypeParam::T;
  // A cube within a larger one: fronts look away, 1.5 apart; two-sided ones have contacts.
  const MeshShape room = box_mesh({2, 2, 2});
  auto scene = two_meshes<T>(room, {0, 0, 0}, kCube, {0, 0, 0});
  EXPECT_NEAR(distance_of(scene), 1.5, kRounded<T>);
  EXPECT_EQ(ask(scene, 2).size(), 0u);
  scene.mesh_geometries.two_sided = {1, 1};
  EXPECT_EQ(ask(scene, 2).size(), 6u);  // six pairs of faces
  EXPECT_EQ(ask(scene, 1).size(), 0u);
  // Wholly below a field, over a hole, and beside it: 1 from the border's edge.
  Ground<T> ground;
  ground.place_field(ground.add_field(
      5, 5, 1, [](int row, int column) { return row == 2 && column == 2 ? kHole : 0.0; }));
  ground.place_mesh(ground.add_mesh_of(kCube.vertices, kCube.triangles), {0.75, 0.75, -7});
  EXPECT_EQ(distance_of(ground.scene), 0);
  EXPECT_EQ(ask(ground.scene, 0).size(), 1u);
  // Smaller, between the hole's walls: their edges from (2, 1) to (3, 2) and across are nearest.
  const MeshShape small = box_mesh({0.25, 0.25, 0.25});
  ground.scene.meshes.geometry[0] = ground.add_mesh_of(small.vertices, small.triangles);
  ground.scene.meshes.center.set(0, {2, 2, PositionOf<T>(-0.125)});
  EXPECT_NEAR(distance_of(ground.scene), 0.5 / std::sqrt(2), 2 * kRounded<T>);
  ground.scene.meshes.geometry[0] = 0;
  ground.scene.meshes.center.set(0, {PositionOf<T>(5.5), 2, PositionOf<T>(-0.25)});  // beside it
  EXPECT_NEAR(distance_of(ground.scene), 1, 2 * kRounded<T>);
  EXPECT_EQ(ask(ground.scene, 1.5).size(), 1u);
}

TYPED_TEST(two_surfaces, upright_walls_in_line_with_the_samples_are_judged_by_their_lowest_edge) {
  using T = typename TypeParam::T;
  // A wall through samples of a level field, 0.5 above it: seen from above it has no width.
  MeshShape wall;
  wall.vertices = {{1, 0, 0.5}, {1, 4, 0.5}, {1, 4, 3}, {1, 0, 3}};
  wall.triangles = {{0, 1, 2}, {0, 2, 3}};
  Ground<T> ground;
  ground.place_field(ground.add_field(5, 5, 1, [](int, int) { return 0.0; }));
  ground.place_mesh(ground.add_mesh_of(wall.vertices, wall.triangles, true), {0, 0, 0});
  EXPECT_NEAR(distance_of(ground.scene), 0.5, kRounded<T>);
  const auto contacts = ask(ground.scene, 1);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.point_count(), 2u);  // the ends of the edge
  ground.scene.meshes.center.set(0, {0, 0, PositionOf<T>(-0.625)});
  EXPECT_EQ(distance_of(ground.scene), 0);
}

TYPED_TEST(two_surfaces, triangles_without_area_and_slivers_change_nothing) {
  using T = typename TypeParam::T;
  MeshShape worn = kCube;
  worn.vertices.push_back({0, 0, 5});  // far out, of triangles without area alone
  worn.triangles.push_back({0, 8, 0});
  worn.triangles.push_back({8, 8, 8});
  worn.triangles.push_back({4, 5, 7});  // repeated
  const auto plain = two_meshes<T>(kFlat, {0, 0, 0}, kCube, {2, 2, 0.75});
  const auto worn_scene = two_meshes<T>(kFlat, {0, 0, 0}, worn, {2, 2, 0.75});
  EXPECT_EQ(distance_of(plain), distance_of(worn_scene));
  EXPECT_EQ(hash(ask(plain, 0.5)), hash(ask(worn_scene, 0.5)));
  // A needle as long as it is thin: nearest at its tip.
  MeshShape needle;
  needle.vertices = {{2, 2, 0.25}, {2, 2.000001, 3}, {2.000001, 2, 3}};
  needle.triangles = {{0, 1, 2}};
  EXPECT_NEAR(distance_of(two_meshes<T>(kFlat, {0, 0, 0}, needle, {0, 0, 0})), 0.25, kRounded<T>);
}

TYPED_TEST(two_surfaces, far_from_the_origin_are_as_near_it) {
  using T = typename TypeParam::T;
  // 2^20 m away positions have 1/8 m in float: the gap is 1/8, and positions here are stored.
  const double far = 1048576;
  for (const double from : {0.0, far}) {
    expect_square(
        ask(two_meshes<T>(kFlat, {from, from, 0}, kCube, {from + 2, from + 2, 0.625}), 0.25),
        -0.125, {from + 2, from + 2, 0}, 0.5);
  }
}

TYPED_TEST(two_surfaces, of_a_cut_surface_feel_no_seam) {
  using T = typename TypeParam::T;
  // A floor of two parts that know each other: a cube over the seam has one contact with each, its
  // normal straight; beside the seam only with the part below it.
  Ground<T> ground;
  ground.place_field(ground.add_field(5, 5, 1, [](int, int) { return 0.0; }));
  ground.place_field(ground.add_field(5, 5, 1, [](int, int) { return 0.0; }), {4, 0, 0});
  ground.place_mesh(ground.add_mesh_of(kCube.vertices, kCube.triangles), {4.25, 2, 0.625});
  auto& neighbours = ground.scene.heightfield_geometries.neighbours;
  neighbours.push_back({-1, 1, -1, -1});
  neighbours.push_back({0, -1, -1, -1});
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  CollideOptions options;
  options.margin = 0.5;
  const auto at = [&](double x) {
    ground.scene.meshes.center.set(0, {static_cast<PositionOf<T>>(x), 2, PositionOf<T>(0.625)});
    collide_pairs<3, T>(ground.scene, std::vector<Pair>{{0, 2}, {1, 2}}, contacts, workspace,
                        options);
    for (std::size_t i = 0; i < contacts.size(); ++i) EXPECT_GT(contacts.normal(i, 2), 0.99999);
    return contacts.size();
  };
  EXPECT_EQ(at(4.25), 2u);
  EXPECT_EQ(at(4.75), 1u);  // 0.25 beside the seam, nearer than the margin
}

}  // namespace
}  // namespace widephase::test
