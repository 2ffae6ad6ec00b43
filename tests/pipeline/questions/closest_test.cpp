// Closest points of many points and segments, against the distance of the reference.
// Labels: emulated-arm dated

#include <gtest/gtest.h>

#include "support/compare.hpp"
#include "support/generate.hpp"

namespace widephase::test {
namespace {

template <int D>
struct Segments {
  std::vector<Point<D>> a, b, c, d;
};

/// Random segments, segments on the quarter grid (parallel, crossing, of length 0), near the grid,
/// and far away.
template <int D, class T>
Segments<D> assorted_segments(std::size_t count, std::uint64_t seed) {
  Segments<D> result;
  const auto add = [&](const std::vector<SolidPair<D>>& pairs) {
    for (const auto& pair : pairs) {
      const Solid<D> first = stored<T>(pair.a);
      const Solid<D> second = stored<T>(pair.b);
      result.a.push_back(first.p);
      result.b.push_back(first.q);
      result.c.push_back(second.p);
      result.d.push_back(second.q);
    }
  };
  const Kind kind = Kind::capsule;
  add(random_pairs<D>(kind, kind, count, seed));
  add(grid_pairs<D>(kind, kind, 2 * count, seed + 1));
  add(near_grid_pairs<D>(kind, kind, 2 * count, seed + 2));
  add(sized_pairs<D>(kind, kind, count, seed + 3));
  add(far_pairs<D>(random_pairs<D>(kind, kind, count, seed + 4), seed + 5));
  add(special_pairs<D>(kind, kind));
  return result;
}

template <int D, class T>
Column<T, D> column_of(const std::vector<Point<D>>& points) {
  Column<T, D> column;
  for (const Point<D>& point : points) {
    std::array<T, D> row;
    for (int k = 0; k < D; ++k) row[static_cast<std::size_t>(k)] = static_cast<T>(point[k]);
    column.push_back(row);
  }
  return column;
}

template <int D, class T>
Vec<D> row_of(const Column<T, D>& column, std::size_t row) {
  Vec<D> result;
  for (int k = 0; k < D; ++k) result[k] = column(row, k);
  return result;
}

template <int D>
Real largest(const Point<D>& point) {
  Real result = 0;
  for (const double value : point) result = std::max<Real>(result, std::abs(value));
  return result;
}

/// Checks a point given by `parameter` on the segment p-q.
template <int D, class T>
std::string parameter_problem(const Point<D>& p, const Point<D>& q, const Vec<D>& point,
                              T parameter, Real tolerance) {
  if (!(parameter >= 0 && parameter <= 1)) return "the parameter is outside of 0 to 1; ";
  const Vec<D> start = widened(p);
  const Vec<D> along = minus(widened(q), start);
  if (length(along) == 0 && parameter != 0) return "a segment of no length has parameter 0; ";
  const Vec<D> place = plus(start, along, static_cast<Real>(parameter));
  return length(minus(place, point)) <= tolerance ? "" : "the point is not at the parameter; ";
}

template <class Parameters>
class closest : public ::testing::Test {};
template <int Dimension, class Scalar>
struct In {
  static constexpr int D = Dimension;
  using T = Scalar;
};
using Every = ::testing::Types<In<2, float>, In<2, double>, In<3, float>, In<3, double>>;
TYPED_TEST_SUITE(closest, Every);

TYPED_TEST(closest, point_and_segment) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  const Segments<D> input = assorted_segments<D, T>(scaled(300, 30), 111);
  const Column<T, D> point = column_of<D, T>(input.c);
  const Column<T, D> a = column_of<D, T>(input.a);
  const Column<T, D> b = column_of<D, T>(input.b);
  PointSegmentBuffer<D, T> expected;
  for (const Isa isa : usable_isas()) {
    PointSegmentBuffer<D, T> result;
    closest_points<D, T>(point, a, b, result, isa);
    ASSERT_EQ(result.distance.size(), input.a.size());
    ASSERT_EQ(result.point.size(), input.a.size());
    ASSERT_EQ(result.parameter.size(), input.a.size());
    if (isa == usable_isas().front()) expected = result;
    for (std::size_t i = 0; i < input.a.size(); ++i) {
      const Reference<D> reference =
          reference_of(ball<D>(input.c[i], 0), capsule<D>(input.a[i], input.b[i], 0));
      const Real tolerance = kDepthTolerance<T> * reference.size;
      const Real rounding =
          tolerance + 4 * kUnitTolerance<T> * std::max(largest(input.a[i]), largest(input.b[i]));
      const Vec<D> found = row_of(result.point, i);
      std::string problem =
          parameter_problem(input.a[i], input.b[i], found, result.parameter[i], rounding);
      if (!(std::abs(result.distance[i] - reference.core_distance) <= tolerance)) {
        problem += "the distance should be " +
                   std::to_string(static_cast<double>(reference.core_distance)) + "; ";
      }
      if (!(length(minus(found, widened(input.c[i]))) <=
            reference.core_distance + rounding + tolerance)) {
        problem += "a nearer point exists; ";
      }
      EXPECT_EQ(bits_of(result.distance[i]), bits_of(expected.distance[i])) << isa_name(isa);
      EXPECT_EQ(bits_of(result.parameter[i]), bits_of(expected.parameter[i])) << isa_name(isa);
      ASSERT_EQ(problem, "") << isa_name(isa) << " row " << i << ": "
                             << describe(ball<D>(input.c[i], 0)) << "\n"
                             << describe(capsule<D>(input.a[i], input.b[i], 0)) << "\n distance "
                             << result.distance[i] << " parameter " << result.parameter[i];
    }
  }
}

TYPED_TEST(closest, segment_and_segment) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  const Segments<D> input = assorted_segments<D, T>(scaled(300, 30), 112);
  const Column<T, D> a = column_of<D, T>(input.a);
  const Column<T, D> b = column_of<D, T>(input.b);
  const Column<T, D> c = column_of<D, T>(input.c);
  const Column<T, D> d = column_of<D, T>(input.d);
  SegmentSegmentBuffer<D, T> expected;
  for (const Isa isa : usable_isas()) {
    SegmentSegmentBuffer<D, T> result;
    closest_points<D, T>(a, b, c, d, result, isa);
    ASSERT_EQ(result.distance.size(), input.a.size());
    if (isa == usable_isas().front()) expected = result;
    for (std::size_t i = 0; i < input.a.size(); ++i) {
      const Solid<D> first = capsule<D>(input.a[i], input.b[i], 0);
      const Solid<D> second = capsule<D>(input.c[i], input.d[i], 0);
      const Reference<D> reference = reference_of(first, second);
      const Real tolerance = kDepthTolerance<T> * reference.size;
      Real place = 0;
      for (const auto& point : {input.a[i], input.b[i], input.c[i], input.d[i]}) {
        place = std::max(place, largest(point));
      }
      const Real rounding = tolerance + 4 * kUnitTolerance<T> * place;
      const Vec<D> on_first = row_of(result.first, i);
      const Vec<D> on_second = row_of(result.second, i);
      std::string problem =
          parameter_problem(input.a[i], input.b[i], on_first, result.first_parameter[i], rounding) +
          parameter_problem(input.c[i], input.d[i], on_second, result.second_parameter[i],
                            rounding);
      if (!(std::abs(result.distance[i] - reference.core_distance) <= tolerance)) {
        problem += "the distance should be " +
                   std::to_string(static_cast<double>(reference.core_distance)) + "; ";
      }
      if (!(length(minus(on_first, on_second)) <= reference.core_distance + 2 * rounding)) {
        problem += "nearer points exist; ";
      }
      EXPECT_EQ(bits_of(result.distance[i]), bits_of(expected.distance[i])) << isa_name(isa);
      EXPECT_EQ(bits_of(result.first_parameter[i]), bits_of(expected.first_parameter[i]))
          << isa_name(isa);
      ASSERT_EQ(problem, "") << isa_name(isa) << " row " << i << ": " << describe(first) << "\n"
                             << describe(second) << "\n distance " << result.distance[i]
                             << " parameters " << result.first_parameter[i] << ", "
                             << result.second_parameter[i];
    }
  }
}

TYPED_TEST(closest, parallel_segments_meet_in_the_middle_of_the_shared_stretch) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  // From 0 to 4 along x, and from 7 to 2 one above: they share 2 to 4, whose middle is 3.
  const Column<T, D> a = column_of<D, T>({{0, 0}});
  const Column<T, D> b = column_of<D, T>({{4, 0}});
  const Column<T, D> c = column_of<D, T>({{7, 1}});
  const Column<T, D> d = column_of<D, T>({{2, 1}});
  SegmentSegmentBuffer<D, T> result;
  closest_points<D, T>(a, b, c, d, result);
  EXPECT_EQ(result.distance[0], 1);
  EXPECT_NEAR(static_cast<double>(result.first(0, 0)), 3, 1e-6);
  EXPECT_NEAR(static_cast<double>(result.second(0, 0)), 3, 1e-6);
  EXPECT_NEAR(static_cast<double>(result.first_parameter[0]), 0.75, 1e-6);
  EXPECT_NEAR(static_cast<double>(result.second_parameter[0]), 0.8, 1e-6);
}

TYPED_TEST(closest, crossing_segments_meet_in_the_crossing) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  // (0, 0) to (4, 4) and (0, 2) to (2, 0) cross in (1, 1), at a quarter and a half.
  SegmentSegmentBuffer<D, T> result;
  closest_points<D, T>(column_of<D, T>({{0, 0}}), column_of<D, T>({{4, 4}}),
                       column_of<D, T>({{0, 2}}), column_of<D, T>({{2, 0}}), result);
  EXPECT_NEAR(static_cast<double>(result.distance[0]), 0, 1e-6);
  EXPECT_NEAR(static_cast<double>(result.first_parameter[0]), 0.25, 1e-6);
  EXPECT_NEAR(static_cast<double>(result.second_parameter[0]), 0.5, 1e-6);
}

TYPED_TEST(closest, columns_of_other_lengths_are_an_error) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  const Column<T, D> two = column_of<D, T>({{0, 0}, {1, 1}});
  const Column<T, D> one = column_of<D, T>({{0, 0}});
  const Column<T, D> none;
  PointSegmentBuffer<D, T> point_result;
  EXPECT_THROW((closest_points<D, T>(two, two, one, point_result)), Error);
  EXPECT_THROW((closest_points<D, T>(one, two, two, point_result)), Error);
  SegmentSegmentBuffer<D, T> result;
  EXPECT_THROW((closest_points<D, T>(two, two, two, one, result)), Error);
  closest_points<D, T>(none, none, none, none, result);
  EXPECT_EQ(result.distance.size(), 0u);
}

TYPED_TEST(closest, any_count_and_any_layout) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  const Segments<D> input = assorted_segments<D, T>(5, 113);
  const Column<T, D> a = column_of<D, T>(input.a);
  const Column<T, D> b = column_of<D, T>(input.b);
  const Column<T, D> c = column_of<D, T>(input.c);
  const Column<T, D> d = column_of<D, T>(input.d);
  SegmentSegmentBuffer<D, T> expected;
  closest_points<D, T>(a, b, c, d, expected);
  for (std::size_t count = 1; count < 40; ++count) {
    // Contiguous rows, as in NumPy.
    std::array<std::vector<T>, 4> rows;
    const std::array<const Column<T, D>*, 4> columns{&a, &b, &c, &d};
    std::array<ColumnSpan<T, D>, 4> spans;
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t i = 0; i < count; ++i) {
        for (int k = 0; k < D; ++k) rows[j].push_back((*columns[j])(i, k));
      }
      spans[j] = ColumnSpan<T, D>::interleaved(rows[j].data(), count);
    }
    SegmentSegmentBuffer<D, T> result;
    closest_points<D, T>(spans[0], spans[1], spans[2], spans[3], result);
    ASSERT_EQ(result.distance.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(bits_of(result.distance[i]), bits_of(expected.distance[i]));
      for (int k = 0; k < D; ++k) {
        ASSERT_EQ(bits_of(result.second(i, k)), bits_of(expected.second(i, k)));
      }
    }
  }
}

}  // namespace
}  // namespace widephase::test
