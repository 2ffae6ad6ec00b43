#pragma once

#include <widephase/export.h>
#include <widephase/columns.hpp>
#include <widephase/executor.hpp>
#include <widephase/isa.hpp>

namespace widephase {

/// Closest points of a point and a segment, row by row.
template <int D, class T>
struct PointSegmentBuffer {
  Column<T, D> point;   ///< the segment's point nearest to the given one
  Column<T> parameter;  ///< 0 at `a`, 1 at `b`; 0 for a segment of no length
  Column<T> distance;   ///< >= 0, between the two points
};

/// Closest points of two segments, row by row.
template <int D, class T>
struct SegmentSegmentBuffer {
  Column<T, D> first;          ///< on the first segment
  Column<T, D> second;         ///< on the second
  Column<T> first_parameter;   ///< 0 at `a`, 1 at `b`; 0 for a segment of no length
  Column<T> second_parameter;  ///< 0 at `c`, 1 at `d`; likewise
  Column<T> distance;          ///< >= 0, between the two points
};

/// The point of segment a-b nearest to `point`, for each row. Throws `Error` unless all columns
/// have the same length. Source: Ericson, Real-Time Collision Detection, 5.1.2.
template <int D, class T>
WIDEPHASE_API void closest_points(const ColumnSpan<T, D>& point, const ColumnSpan<T, D>& a,
                                  const ColumnSpan<T, D>& b, PointSegmentBuffer<D, T>& result,
                                  Isa isa = Isa::widest);

/// The nearest points of segments a-b and c-d, for each row. For parallel segments that lie along
/// one another this is the pair in the middle of the stretch they share; for crossing ones in 2D,
/// the crossing. Source: Ericson, Real-Time Collision Detection, 5.1.9, with endpoints compared so
/// that nearly parallel segments keep their digits.
template <int D, class T>
WIDEPHASE_API void closest_points(const ColumnSpan<T, D>& a, const ColumnSpan<T, D>& b,
                                  const ColumnSpan<T, D>& c, const ColumnSpan<T, D>& d,
                                  SegmentSegmentBuffer<D, T>& result, Isa isa = Isa::widest);

}  // namespace widephase
