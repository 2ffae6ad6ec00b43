// Two surfaces (meshes, height fields, chains): whether they meet, how far they are apart, and where
// their distance has local minima, as brute force over all pairs of their pieces says.
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
    EXPECT_TRUE(std::any_of(places.begin(), places.end(), [&](const BrutePlace<D>& place) {
      return place.slack < lean && length(minus(place.normal, n)) < lean &&
             std::abs(radii - place.distance - depth) < 4 * rounding;
    })) << "a contact of depth "
        << static_cast<double>(depth) << " is at no local minimum";
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
    judge_meshes<T>(bumpy_ball(random, 2, 0.2), bumpy_ball(random, 1, 0.1), two_sided, 2, 0, 20, 11);
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
    const auto rough = [&](int, int) { return random.chance(0.1) ? kHole : random.uniform(-0.3, 0.3); };
    Ground<T> ground;
    const Quat lean = i % 3 == 0 ? kLevel : any_turn(random);
    ground.place_field(ground.add_field(7, 6, 0.5, rough), {0.25, 0, 0}, lean);
    const MeshShape ball = bumpy_ball(random, 1, 0.2);
    Point3d at = turned(lean, {random.uniform(-1, 4), random.uniform(-1, 4), random.uniform(-1, 2.5)});
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

}  // namespace
}  // namespace widephase::test
