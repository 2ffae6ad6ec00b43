#include <widephase/closest.hpp>
#include <widephase/types.hpp>

#include "kernels/table.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/resize_together.hpp"

namespace widephase {

namespace {

template <class T, int D>
void to_planes(const ColumnSpan<T, D>& column, Plane<T> (&planes)[D]) {
  for (int k = 0; k < D; ++k) planes[k] = {column.plane(k), column.stride()};
}

template <class T, int D>
void require_rows(const char* name, const ColumnSpan<T, D>& column, std::size_t expected) {
  if (column.size() != expected) {
    throw Error(Finding{
        name, -1,
        "has " + number(column.size()) + " rows; the others have " + number(expected)});
  }
  require_layout(name, column);
}

}  // namespace

template <int D, class T>
void closest_points(const ColumnSpan<T, D>& point, const ColumnSpan<T, D>& a,
                    const ColumnSpan<T, D>& b, PointSegmentBuffer<D, T>& result, Isa isa) {
  const std::size_t count = point.size();
  require_rows("point", point, count);
  require_rows("a", a, count);
  require_rows("b", b, count);
  resize_together(count, result.point, result.parameter, result.distance);
  if (count == 0) return;
  Plane<T> p[D], start[D], end[D];
  to_planes(point, p);
  to_planes(a, start);
  to_planes(b, end);
  T* closest[D];
  for (int k = 0; k < D; ++k) closest[k] = result.point.plane(k);
  kernel_table<D, T>(chosen_isa(isa))
      .closest.point_segment(static_cast<std::int64_t>(count), p, start, end, closest,
                             result.parameter.plane(), result.distance.plane());
}

template <int D, class T>
void closest_points(const ColumnSpan<T, D>& a, const ColumnSpan<T, D>& b, const ColumnSpan<T, D>& c,
                    const ColumnSpan<T, D>& d, SegmentSegmentBuffer<D, T>& result, Isa isa) {
  const std::size_t count = a.size();
  require_rows("a", a, count);
  require_rows("b", b, count);
  require_rows("c", c, count);
  require_rows("d", d, count);
  resize_together(count, result.first, result.second, result.first_parameter,
                  result.second_parameter, result.distance);
  if (count == 0) return;
  Plane<T> planes[4][D];
  to_planes(a, planes[0]);
  to_planes(b, planes[1]);
  to_planes(c, planes[2]);
  to_planes(d, planes[3]);
  T* first[D];
  T* second[D];
  for (int k = 0; k < D; ++k) {
    first[k] = result.first.plane(k);
    second[k] = result.second.plane(k);
  }
  kernel_table<D, T>(chosen_isa(isa))
      .closest.segment_segment(static_cast<std::int64_t>(count), planes[0], planes[1], planes[2],
                               planes[3], first, second, result.first_parameter.plane(),
                               result.second_parameter.plane(), result.distance.plane());
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                      \
  template void closest_points(const ColumnSpan<T, D>&, const ColumnSpan<T, D>&,         \
                               const ColumnSpan<T, D>&, PointSegmentBuffer<D, T>&, Isa); \
  template void closest_points(const ColumnSpan<T, D>&, const ColumnSpan<T, D>&,         \
                               const ColumnSpan<T, D>&, const ColumnSpan<T, D>&,         \
                               SegmentSegmentBuffer<D, T>&, Isa);
WIDEPHASE_FOR_EACH_SPACE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
