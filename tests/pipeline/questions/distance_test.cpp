// Distances and nearest points of every pair of kinds against the reference, by every method on
// every instruction set.
// Labels: long dated

#include <gtest/gtest.h>

#include <widephase/distance.hpp>

#include "support/apart.hpp"
#include "support/distance_lists.hpp"
#include "support/methods.hpp"
#include "support/mixed_pairs.hpp"
#include "support/overlaps.hpp"
#include "support/pair_kinds.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

/// The largest coordinate of a shape's position, which points round relative to.
template <int D>
Real place_of(const Solid<D>& a, const Solid<D>& b) {
  Real place = 0;
  for (const Solid<D>& solid : {a, b}) {
    if (solid.kind == Kind::halfspace) continue;
    for (const double value : solid.p) place = std::max<Real>(place, std::abs(value));
    for (const double value : solid.q) place = std::max<Real>(place, std::abs(value));
  }
  return place;
}

/// Whether to check features and ties: among edges that are level to rounding, any may be named,
/// and two of them may tie.
enum class Features { named, of_level_edges };

/// What is wrong with row `row` for A and B, as stored in `T`; empty if nothing is.
template <int D, class T>
std::string row_problem(const Solid<D>& a, const Solid<D>& b, const Reference<D>& reference,
                        const DistanceRow<D>& row, Features features) {
  std::ostringstream text;
  text.precision(12);
  const Real tolerance = kDepthTolerance<T> * reference.size;
  const Vec<D>& n = row.normal;
  if (!(std::abs(length(n) - 1) <= 4 * kUnitTolerance<T>)) {
    text << "the normal's length is " << length(n) << "; ";
  }
  // As in verify.hpp for cylinders: if EPA stops at its limit, the depth is an upper bound. On a
  // round side, a depth that is larger by rounding may belong to a point that is the square root of
  // rounding away.
  const bool is_on_round = has_round(a, b);
  const bool is_open = may_be_open(a, b);
  const Real above = is_open && row.status == 2 ? kOpenTolerance * reference.size : 0;
  const Real aside = is_on_round ? above + std::sqrt(kDepthTolerance<T>) * reference.size : 0;
  if (!(-row.distance - reference.depth <= tolerance + above) ||
      !(row.distance + reference.depth <= tolerance)) {
    text << "the distance should be " << -reference.depth << "; ";
  }
  if (a.kind == Kind::halfspace || b.kind == Kind::halfspace) {
    if (!(length(minus(n, reference.normals[0])) <= 4 * kUnitTolerance<T>)) {
      text << "the normal is not the halfspace's; ";
    }
  } else if (!(depth_along(a, b, n) <= reference.depth + tolerance + above)) {
    text << "the normal is not that of the least distance or depth; ";
  }
  if (row.status > (is_open ? 2 : 1)) text << "the status is no answer; ";
  if (row.status == 1 && features == Features::named && !has_tie(a, b, reference, 4 * tolerance)) {
    text << "the status claims a tie and the direction is unique; ";
  }

  const Real rounding = 4 * kUnitTolerance<T> * (place_of(a, b) + reference.size);
  const Vec<D> partner = plus(row.point_a, n, row.distance);
  if (!(length(minus(row.point_b, partner)) <= rounding)) {
    text << "point_b is not point_a + distance * normal; ";
  }
  const Real point_tolerance = 4 * tolerance + rounding + aside;
  const Vec<D> core_a = plus(row.point_a, n, -radius_of(a));
  const Vec<D> core_b = plus(row.point_b, n, radius_of(b));
  const Real off_a = distance_to_core_surface(a, core_a);
  const Real off_b = distance_to_core_surface(b, core_b);
  if (!(off_a <= point_tolerance)) text << "point_a is off A's surface by " << off_a << "; ";
  if (!(off_b <= point_tolerance)) text << "point_b is off B's surface by " << off_b << "; ";
  if (a.kind != Kind::halfspace && !(dot(n, core_a) >= core_support(a, n) - point_tolerance)) {
    text << "point_a is not outermost; ";
  }
  if (b.kind != Kind::halfspace &&
      !(-dot(n, core_b) >= core_support(b, times(n, -1)) - point_tolerance)) {
    text << "point_b is not outermost; ";
  }
  if (features == Features::of_level_edges) return text.str();
  const std::string problem_a =
      feature_problem<T>(a, row.feature >> 16, core_a, 4 * point_tolerance);
  if (!problem_a.empty()) text << "A's feature " << problem_a << "; ";
  const std::string problem_b =
      feature_problem<T>(b, row.feature & 0xffff, core_b, 4 * point_tolerance);
  if (!problem_b.empty()) text << "B's feature " << problem_b << "; ";
  return text.str();
}

/// The rows with A and B exchanged: distance and normal equal to the bit, points to rounding.
template <int D, class T>
std::string mirror_problem(const DistanceBuffer<D, T>& rows, const DistanceBuffer<D, T>& mirrored,
                           std::size_t i, Real rounding) {
  std::string text;
  if (bits_of(rows.distance[i]) != bits_of(mirrored.distance[i])) text += "another distance; ";
  if (rows.status[i] != mirrored.status[i]) text += "another status; ";
  const std::uint32_t feature = mirrored.feature[i];
  if (rows.feature[i] != (feature << 16 | feature >> 16)) text += "other features; ";
  for (int k = 0; k < D; ++k) {
    // Zeros with different signs are the same direction.
    if (rows.normal(i, k) != -mirrored.normal(i, k)) text += "another normal; ";
  }
  const DistanceRow<D> row = row_of(rows, i), other = row_of(mirrored, i);
  if (!(length(minus(row.point_a, other.point_b)) <= rounding) ||
      !(length(minus(row.point_b, other.point_a)) <= rounding)) {
    text += "the points are not exchanged; ";
  }
  return text;
}

/// Checks every pair against the reference on one instruction set, and to the bit on the others, by
/// every method, and in the other order too. Reports at most five wrong pairs per list.
template <int D, class T>
void check_distances(std::vector<SolidPair<D>> solids, Features features = Features::named) {
  std::vector<Reference<D>> references;
  for (SolidPair<D>& pair : solids) {
    pair.a = stored<T>(pair.a);
    pair.b = stored<T>(pair.b);
    references.push_back(reference_of(pair.a, pair.b));
  }
  const PairScene<D, T> input(solids);
  std::vector<Pair> swapped;
  for (const Pair& pair : input.pairs) swapped.push_back({pair.b, pair.a});
  const std::vector<Isa> isas = usable_isas();
  for (const Method method : kMethods) {
    SCOPED_TRACE(name_of_method(method));
    const auto rows = ask_distances<D, T>(input.scene, input.pairs, isas.front(), method);
    const auto mirrored = ask_distances<D, T>(input.scene, swapped, isas.front(), method);
    ASSERT_EQ(rows.distance.size(), solids.size());
    ASSERT_EQ(rows.normal.size(), solids.size());
    ASSERT_EQ(rows.point_a.size(), solids.size());
    ASSERT_EQ(rows.point_b.size(), solids.size());
    ASSERT_EQ(rows.feature.size(), solids.size());
    ASSERT_EQ(rows.status.size(), solids.size());
    int wrong_count = 0;
    for (std::size_t i = 0; i < solids.size() && wrong_count < 5; ++i) {
      const Solid<D>& a = solids[i].a;
      const Solid<D>& b = solids[i].b;
      const Real rounding = 8 * kUnitTolerance<T> * (place_of(a, b) + references[i].size);
      std::string problem = row_problem<D, T>(a, b, references[i], row_of(rows, i), features) +
                            apart_flaw(a, b, rows, i);
      const std::string swap = mirror_problem(rows, mirrored, i, rounding);
      if (!swap.empty()) problem += "exchanged: " + swap + describe_row(mirrored, i);
      if (problem.empty()) continue;
      ++wrong_count;
      ADD_FAILURE() << "pair " << i << ": " << problem << "\n  A " << describe(a) << "\n  B "
                    << describe(b) << "\n  least depth " << static_cast<double>(references[i].depth)
                    << "\n  " << describe_row(rows, i);
    }
    const auto open_count = std::count(rows.status.begin(), rows.status.end(), std::uint8_t{2});
    EXPECT_LE(static_cast<std::size_t>(open_count), most_open(rows.status.size()));
    for (const Isa isa : isas) {
      EXPECT_TRUE(same_rows(ask_distances<D, T>(input.scene, input.pairs, isa, method), rows))
          << isa_name(isa);
    }
    if (method != Method::automatic) continue;
    const auto by_axes = ask_distances<D, T>(input.scene, input.pairs, isas.front(), Method::sat);
    EXPECT_TRUE(same_rows(by_axes, rows)) << "sat";
  }
}

class distance_pairs : public ::testing::TestWithParam<PairKindCase> {};

TEST_P(distance_pairs, random_shapes) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_distances<D, T>(random_pairs<D>(a, b, scaled(80, 8), 81));
  });
}

TEST_P(distance_pairs, quarters_and_nearly_quarters) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_distances<D, T>(grid_pairs<D>(a, b, scaled(80, 8), 82));
    check_distances<D, T>(near_grid_pairs<D>(a, b, scaled(80, 8), 83));
  });
}

TEST_P(distance_pairs, sizes_from_a_thousandth_to_ten_thousand) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_distances<D, T>(sized_pairs<D>(a, b, scaled(60, 8), 84));
  });
}

TEST_P(distance_pairs, far_from_the_origin) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_distances<D, T>(far_pairs<D>(random_pairs<D>(a, b, scaled(60, 8), 85), 86));
  });
}

INSTANTIATE_TEST_SUITE_P(kinds, distance_pairs, ::testing::ValuesIn(all_pair_kinds()), case_name);

/// A polygon 10 wide whose level sides are divided by nearly flat corners, which validation allows.
/// Each is outside the side by a few of the smallest steps, or by up to a thousand times as many.
template <class T>
Solid<2> polygon_of_flat_corners(Random& random) {
  const double half = std::pow(2.0, random.integer(-6, 1));
  std::vector<Point<2>> vertices{{-5, -half}, {5, -half}, {5, half}, {-5, half}};
  const double steps = random.chance(0.5) ? 1 : std::pow(2.0, random.integer(0, 10));
  const double step = steps * std::numeric_limits<T>::epsilon() * half;
  for (const double side : {-half, half}) {
    const int parts = random.integer(1, 4);
    for (int k = 1; k < parts; ++k) {
      const double x = 10 * (k + random.uniform(-0.2, 0.2)) / parts - 5;
      vertices.push_back({x, side + (side < 0 ? -step : step) * k * (parts - k)});
    }
  }
  const double radius = random.chance(0.5) ? 0 : random.uniform(0, 1);
  return polygon(random.point<2>(-3, 3), random.uniform(-4, 4), strictly_convex(vertices), radius);
}

TEST(distance, polygons_with_corners_that_are_nearly_flat) {
  const auto check = []<class T>(T) {
    Random random(93);
    std::vector<SolidPair<2>> pairs;
    for (const Kind kind : kinds(2)) {
      for (std::size_t i = 0; i < scaled(300, 60); ++i) {
        const Solid<2> flat = polygon_of_flat_corners<T>(random);
        const double far = std::pow(10.0, random.uniform(0, 3));
        const Point<2> center{random.uniform(-far, far), random.uniform(-far, far)};
        const Solid<2> other = kind == Kind::polygon && random.chance(0.5)
                                   ? polygon_of_flat_corners<T>(random)
                                   : random_solid<2>(random, kind, center, 2);
        const SolidPair<2> pair =
            kind == Kind::halfspace ? SolidPair<2>{flat, other} : SolidPair<2>{other, flat};
        pairs.push_back({stored<T>(pair.a), stored<T>(pair.b)});
      }
    }
    check_distances<2, T>(pairs, Features::of_level_edges);
    EXPECT_GT(check_overlaps<T>(pairs).fewest_contacts, scaled(300, 60));
  };
  check(float{});
  check(double{});
}

/// Outlines of 64 corners: regular and flattened ones, apart, touching, overlapping, concentric.
/// Some pairs are the same outline twice, with any rotation down to none.
std::vector<SolidPair<2>> pairs_of_64_corners(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  const auto outline = [&] {
    const std::vector<Point<2>> round = regular(64, random.uniform(0.5, 2), random.uniform(0, 1));
    const double flat = random.chance(0.5) ? 1 : std::pow(10, random.uniform(-3, 0));
    std::vector<Point<2>> vertices;
    for (const Point<2>& v : round) vertices.push_back(scaled_by(v, 1, flat));
    const double radius = random.chance(0.5) ? 0 : random.uniform(0, 0.5);
    return polygon({0, 0}, random_angle(random), usable(vertices, round), radius);
  };
  std::vector<SolidPair<2>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    SolidPair<2> pair{outline(), outline()};
    if (random.chance(0.3)) {
      pair.b = pair.a;
      if (random.chance(0.5)) pair.b.angle += std::pow(10, random.uniform(-16, -1));
      if (random.chance(0.3)) pair.b.angle += 4 * kEighthTurn;
    }
    const Point<2> direction = random.direction<2>();
    double apart = random.uniform(0, 5);
    if (random.chance(0.3)) apart = random.chance(0.5) ? 0 : std::pow(10, random.uniform(-16, -1));
    pair.b.p = {direction[0] * apart, direction[1] * apart};
    pairs.push_back(pair);
  }
  return pairs;
}

TEST(distance, outlines_of_64_corners) {
  check_distances<2, float>(pairs_of_64_corners(scaled(150, 8), 92));
  check_distances<2, double>(pairs_of_64_corners(scaled(150, 8), 93));
}

TEST(distance, no_search_meets_its_limit) {
  const auto check = [](const auto& input, auto real) {
    using T = decltype(real);
    for (const Method method : kMethods) {
      const auto rows = ask_distances<2, T>(input.scene, input.pairs, Isa::widest, method);
      for (std::size_t i = 0; i < input.pairs.size(); ++i) {
        ASSERT_NE(rows.status[i], static_cast<std::uint8_t>(Status::iterations))
            << i << ": " << describe(solid_of(input.scene, input.pairs[i].a)) << "\n"
            << describe(solid_of(input.scene, input.pairs[i].b));
      }
    }
  };
  for (const auto& pairs : {mixed_pairs_with_distance<2>(scaled(150, 10), 94),
                            far_pairs<2>(mixed_pairs_with_distance<2>(scaled(50, 5), 95), 96),
                            pairs_of_64_corners(scaled(20000, 500), 97)}) {
    check(PairScene<2, float>(pairs), float{});
    check(PairScene<2, double>(pairs), double{});
  }
}

TEST(distance, circle_beyond_the_corner_of_a_box) {
  // The corner (1, 1); from it to the centre (4, 5) is 5 along (3, 4) / 5, of which the circle
  // takes 2.
  const auto check = []<class T>(T) {
    const PairScene<2, T> input({{ball<2>({4, 5}, 2), box({0, 0}, 0, {1, 1})}});
    for (const Isa isa : usable_isas()) {
      for (const Method method : kMethods) {
        const auto rows = ask_distances<2, T>(input.scene, input.pairs, isa, method);
        const double tolerance = sizeof(T) == 4 ? 2e-6 : 1e-14;
        EXPECT_NEAR(rows.distance[0], 3, tolerance);
        EXPECT_NEAR(rows.normal(0, 0), -0.6, tolerance);
        EXPECT_NEAR(rows.normal(0, 1), -0.8, tolerance);
        EXPECT_NEAR(rows.point_a(0, 0), 2.8, tolerance);
        EXPECT_NEAR(rows.point_a(0, 1), 3.4, tolerance);
        EXPECT_NEAR(rows.point_b(0, 0), 1, tolerance);
        EXPECT_NEAR(rows.point_b(0, 1), 1, tolerance);
        EXPECT_EQ(rows.feature[0], feature_half(Feature::vertex, 3));
        EXPECT_EQ(rows.status[0], 0);
      }
    }
  };
  check(float{});
  check(double{});
}

TEST(distance, points_as_deep_are_the_same_either_way_round) {
  // Level sides that face each other at a distance of 0.5: both ends of the shared interval are
  // nearest. In natural order the end with the lowest features is named, otherwise its mirror
  // image.
  const auto check = []<class T>(T) {
    const std::vector<SolidPair<2>> pairs{
        {aabb<2>({0, 0}, {2, 1}), box({1.5, 2}, 0, {1, 0.5})},
        {box({0, 0}, 0, {1, 0.5}), box({0.5, -1.5}, 0, {1, 0.5})},
        {capsule<2>({0, 0}, {3, 0}, 0.25), capsule<2>({4, 1}, {1, 1}, 0.25)},
    };
    const PairScene<2, T> input(pairs);
    std::vector<Pair> swapped;
    for (const Pair& pair : input.pairs) swapped.push_back({pair.b, pair.a});
    for (const Method method : kMethods) {
      const auto rows = ask_distances<2, T>(input.scene, input.pairs, Isa::widest, method);
      const auto mirrored = ask_distances<2, T>(input.scene, swapped, Isa::widest, method);
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        EXPECT_EQ(rows.distance[i], T(0.5)) << i;
        EXPECT_EQ(mirror_problem(rows, mirrored, i, 0), "") << i << "\n"
                                                            << describe_row(rows, i) << "\n"
                                                            << describe_row(mirrored, i);
      }
    }
  };
  check(float{});
  check(double{});
}

TEST(distance, concentric_outlines_do_not_exhaust_the_search) {
  // Any direction out of the larger circle is about as long, so the search sees all 128 corners of
  // the difference before it stops.
  std::vector<SolidPair<2>> pairs;
  for (int i = 0; i < 64; ++i) {
    pairs.push_back({polygon({0, 0}, 0, regular(64, 1)),
                     polygon({0, 0}, 0.1 * kEighthTurn / 8 * i, regular(64, 0.5 + i / 64.0))});
  }
  check_distances<2, float>(pairs);
  check_distances<2, double>(pairs);
}

TEST(distance, a_side_beside_the_face_that_is_its_way_by_rounding) {
  // The cylinder's foremost line is 3e-4 beside the face of a flat box, and an edge of the box is
  // at 1e-3 rad to it. Along the edge the depth would be 2e-7 less, which rounding in float hides.
  // The lower end of the line, which is below the box, was taken for the point.
  const Solid<3> round = cylinder({1, 0, 0}, {0, 0, 0.70748257637023926, 0.70673078298568726}, 0.25,
                                  0.25002115964889526);
  const Solid<3> flat =
      box({0.74991661310195923, -0.75, 0.49999919533729553},
          {1, -2.6685222110245377e-05, 1.5803075514853049e-09, 0.0005439863889478147},
          {4.6522265620296821e-05, 0.75, 0.5}, 0.25);
  check_distances<3, float>({{round, flat}, {flat, round}});
  check_distances<3, double>({{round, flat}, {flat, round}});
}

TEST(distance, two_edges_have_their_own_direction_and_not_one_that_is_as_short) {
  // An edge at 6e-8 rad to a face crosses its border at 1e-7 of its length. All directions between
  // the face's normal and that of the edges are equal to rounding, but the shapes touch only along
  // the edges' own.
  const Solid<3> flat = aabb<3>({0.7478166002845521, -1, -0.75}, {0.75, -1, 0.5});
  const Solid<3> other =
      hull({-0.5, -0.75013820555498023, -0.25},
           {7.3152045610340757e-08, -0, -1.0000000142294216, 0.00019527385173408681},
           {{-0.74875965694938018, -1, -0.5},
            {0.75, -1.000000583889906, -0.5},
            {1.5, -0.5, -0.5},
            {1.5000002663359659, 0.5, -0.50000003908499913},
            {0.75, 1, -0.5},
            {-0.74979291459849806, 1.0000000041215202, -0.5},
            {-1.5, 0.5, -0.5},
            {-1.5, -0.5, -0.5},
            {-0.75012709351431539, -1.0013381935800587, 0.50000050499784721},
            {0.75000601597224825, -1, 0.5},
            {1.5, -0.5, 0.5},
            {1.5001277307164307, 0.5, 0.49987385995379108},
            {0.75, 1.0000000013727748, 0.5},
            {-0.74999984103941075, 1, 0.5},
            {-1.5, 0.49999999938022116, 0.5},
            {-1.5, -0.5, 0.5}},
           0.75);
  check_distances<3, double>({{flat, other}, {other, flat}});
}

}  // namespace
}  // namespace widephase::test
