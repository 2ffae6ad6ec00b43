#pragma once

// The public batch functions of widephase/closest.hpp, one row per lane.

#include "kernels/core/round/segment.hpp"
#include "kernels/table.hpp"

namespace widephase {
namespace {

/// Loads rows first ... first + lanes - 1 of columns with any stride; rows past `count` repeat the
/// last.
template <class F, int D, class T>
WIDEPHASE_INLINE Vec<F, D> load_rows(const Plane<T> (&planes)[D], std::int64_t first,
                                     std::int64_t count) {
  constexpr int kLanes = LaneTraits<F>::count;
  Vec<F, D> result;
  for (int k = 0; k < D; ++k) {
    T values[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      const std::int64_t row = first + i < count ? first + i : count - 1;
      __builtin_memcpy(&values[i],
                       reinterpret_cast<const char*>(planes[k].data) + row * planes[k].stride,
                       sizeof(T));
    }
    result[k] = load(values);
  }
  return result;
}

template <class F, class T>
WIDEPHASE_INLINE void store_live(T* to, const F& x, std::int64_t live) {
  constexpr int kLanes = LaneTraits<F>::count;
  if (live >= kLanes) {
    store(to, x);
    return;
  }
  T values[kLanes];
  store(values, x);
  for (int i = 0; i < live; ++i) to[i] = values[i];
}

template <class F, int D, class T>
void closest_point_segment(std::int64_t count, const Plane<T> (&point)[D], const Plane<T> (&a)[D],
                           const Plane<T> (&b)[D], T* const (&closest)[D], T* parameter,
                           T* distance) {
  for (std::int64_t first = 0; first < count; first += LaneTraits<F>::count) {
    const std::int64_t live = count - first;
    const Vec<F, D> origin = load_rows<F>(point, first, count);
    const Vec<F, D> start = load_rows<F>(a, first, count) - origin;
    const Vec<F, D> end = load_rows<F>(b, first, count) - origin;
    const Vec<F, D> along = end - start;
    const F t = closest_parameter(zero_vec<F, D>(), start, along, dot(along, along));
    const Vec<F, D> nearest = point_at(start, end, t);
    for (int k = 0; k < D; ++k) store_live(closest[k] + first, origin[k] + nearest[k], live);
    store_live(parameter + first, t, live);
    store_live(distance + first, length(nearest), live);
  }
}

template <class F, int D, class T>
void closest_segment_segment(std::int64_t count, const Plane<T> (&a)[D], const Plane<T> (&b)[D],
                             const Plane<T> (&c)[D], const Plane<T> (&d)[D],
                             T* const (&first_point)[D], T* const (&second_point)[D],
                             T* first_parameter, T* second_parameter, T* distance) {
  const F zero = F(0), one = F(1);
  for (std::int64_t first = 0; first < count; first += LaneTraits<F>::count) {
    const std::int64_t live = count - first;
    const Vec<F, D> origin = load_rows<F>(a, first, count);
    const Vec<F, D> start_a = zero_vec<F, D>();
    const Vec<F, D> end_a = load_rows<F>(b, first, count) - origin;
    const Vec<F, D> start_b = load_rows<F>(c, first, count) - origin;
    const Vec<F, D> end_b = load_rows<F>(d, first, count) - origin;
    const SegmentPair<F, D> pair(start_a, end_a, start_b, end_b);
    const auto is_parallel = are_parallel(squared_area(pair.u, pair.v), pair.uu, pair.vv);
    SegmentParameters<F> at = nearest_parameters(pair, is_parallel);

    // If parallel: the middle of the stretch they share.
    const F start = pair.uw * pair.inverse_uu, end = (pair.uw + pair.uv) * pair.inverse_uu;
    const F low = greater(lesser(start, end), zero), high = lesser(greater(start, end), one);
    const auto is_stretch = is_parallel & (high > low) & !at.is_crossing;
    const F middle = F(0.5f) * (low + high);
    const F t = clamp(divide_or_zero(middle - start, end - start), zero, one);
    at.s = select(is_stretch, middle, at.s);
    at.t = select(is_stretch, t, at.t);

    const Vec<F, D> nearest_a = point_at(start_a, end_a, at.s);
    const Vec<F, D> nearest_b = point_at(start_b, end_b, at.t);
    for (int k = 0; k < D; ++k) {
      store_live(first_point[k] + first, origin[k] + nearest_a[k], live);
      store_live(second_point[k] + first, origin[k] + nearest_b[k], live);
    }
    store_live(first_parameter + first, at.s, live);
    store_live(second_parameter + first, at.t, live);
    const F apart = length(nearest_b - nearest_a);
    store_live(distance + first, D == 2 ? select(at.is_crossing, zero, apart) : apart, live);
  }
}

template <class F, int D>
constexpr ClosestTable<D, RealOf<F>> make_closest_table() {
  return {&closest_point_segment<F, D, RealOf<F>>, &closest_segment_segment<F, D, RealOf<F>>};
}

}  // namespace
}  // namespace widephase
