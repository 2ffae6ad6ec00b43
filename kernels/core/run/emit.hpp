#pragma once

// Appends the hits of a batch to the contact arrays.

#include "kernels/core/run/move_to_origin.hpp"

namespace widephase {
namespace {

/// Converts the manifold to what the caller asked for: absolute, and mirrored if the caller named
/// the pair in the other order. The mirrored point is computed from the reported numbers, so it
/// equals `point - point_depth * normal` to the bit.
template <class F, int D, int K>
WIDEPHASE_INLINE void to_scene(const EmitContext<F, D>& context, Manifold<F, D, K>& manifold) {
  for (int p = 0; context.has_rest && p < K; ++p) {
    manifold.points[p].position = manifold.points[p].position + context.rest;
  }
  for (int p = 0; p < K; ++p) {
    manifold.points[p].position = manifold.points[p].position + context.origin;
  }
  if (!context.has_flips) return;
  const auto is_flipped = context.is_flipped > F(0);
  for (int p = 0; p < K; ++p) {
    ManifoldPoint<F, D>& point = manifold.points[p];
    if (!context.has_anchors) {
      Vec<F, D> partner = point.position - point.depth * manifold.normal;
      if (context.has_shift) partner = partner + context.shift;
      point.position = select(is_flipped, partner, point.position);
    }
    point.feature = {select(is_flipped, point.feature.b, point.feature.a),
                     select(is_flipped, point.feature.a, point.feature.b)};
  }
  sort_points(manifold.points);
  manifold.normal = select(is_flipped, -manifold.normal, manifold.normal);
}

template <class F, int D, class T>
WIDEPHASE_INLINE void store_points(const Compressor<T>& hit, const ManifoldPoint<F, D>& point,
                                   std::int64_t at, const ContactCursor<D, T>& cursor) {
  for (int k = 0; k < D; ++k) {
    hit.store(cursor.point + k * cursor.point_stride + at, point.position[k]);
  }
  hit.store(cursor.point_depth + at, point.depth);
  hit.store_halves(cursor.feature + at, point.feature.a, point.feature.b);
}

/// Appends the existing points of the batches, each batch in the order of its lanes.
template <class F, int D, class T, int N>
WIDEPHASE_INLINE void append_points(const ManifoldPoint<F, D> (&batches)[N],
                                    ContactCursor<D, T>& cursor) {
  for (int n = 0; n < N; ++n) {
    const Compressor<T> hit(mask_bits(batches[n].exists > F(0)));
    store_points(hit, batches[n], cursor.point_count, cursor);
    cursor.point_count += hit.count();
  }
}

/// Interleaves lane by lane, x before y.
template <class F, int D>
WIDEPHASE_INLINE void zip_points(const ManifoldPoint<F, D>& x, const ManifoldPoint<F, D>& y,
                                 ManifoldPoint<F, D>& low, ManifoldPoint<F, D>& high) {
  for (int k = 0; k < D; ++k) zip(x.position[k], y.position[k], low.position[k], high.position[k]);
  zip(x.depth, y.depth, low.depth, high.depth);
  zip(x.feature.a, y.feature.a, low.feature.a, high.feature.a);
  zip(x.feature.b, y.feature.b, low.feature.b, high.feature.b);
  zip(x.exists, y.exists, low.exists, high.exists);
}

template <class F, int D, class T>
WIDEPHASE_INLINE void emit_points(const ManifoldPoint<F, D> (&points)[2],
                                  ContactCursor<D, T>& cursor) {
  if (!any<F>(points[1].exists > F(0))) {
    append_points<F, D, T, 1>({points[0]}, cursor);
    return;
  }
  ManifoldPoint<F, D> batches[2];
  zip_points(points[0], points[1], batches[0], batches[1]);
  append_points<F, D, T>(batches, cursor);
}

template <class F, int D, class T>
WIDEPHASE_INLINE void emit_points(const ManifoldPoint<F, D> (&points)[4],
                                  ContactCursor<D, T>& cursor) {
  if (is_one_point(points)) {
    append_points<F, D, T, 1>({points[0]}, cursor);
    return;
  }
  ManifoldPoint<F, D> even[2], odd[2], batches[4];
  zip_points(points[0], points[2], even[0], even[1]);
  zip_points(points[1], points[3], odd[0], odd[1]);
  zip_points(even[0], odd[0], batches[0], batches[1]);
  zip_points(even[1], odd[1], batches[2], batches[3]);
  append_points<F, D, T>(batches, cursor);
}

template <class F, int D, int K>
WIDEPHASE_INLINE void keep_points(const MaskOf<F>& is_kept, Manifold<F, D, K>& manifold) {
  for (ManifoldPoint<F, D>& point : manifold.points) {
    point.exists = select(is_kept, point.exists, F(0));
  }
}

/// Fetches the lines of `count` numbers of an array that is about to be written.
template <class T>
WIDEPHASE_INLINE void fetch_lines(const T* from, std::int64_t count) {
  constexpr std::int64_t kALine = 64 / sizeof(T);
  for (std::int64_t i = 0; i < count; i += kALine) __builtin_prefetch(from + i, 1);
}
/// Fetches what a batch soon to come will write, if about as many points as this one's. Otherwise
/// stores wait for memory until the core has no room for another one, not even on the stack.
template <class F, bool HasCounts, int D, class T>
WIDEPHASE_INLINE void fetch_ahead(std::int64_t points, const ContactCursor<D, T>& cursor) {
  constexpr std::int64_t kLanes = LaneTraits<F>::count, kAhead = 2 * kLanes;
  if constexpr (kLanes < 8) return;  // many batches share a line
  const std::int64_t at = cursor.contact_count + kAhead;
  fetch_lines(cursor.pair + at, kLanes);
  fetch_lines(cursor.source + at, kLanes);
  for (int k = 0; k < D; ++k) fetch_lines(cursor.normal + k * cursor.normal_stride + at, kLanes);
  fetch_lines(cursor.depth + at, kLanes);
  fetch_lines(cursor.status + at, kLanes);
  const std::int64_t point = (HasCounts ? cursor.point_count : cursor.contact_count) + kAhead;
  for (int k = 0; k < D; ++k) fetch_lines(cursor.point + k * cursor.point_stride + point, points);
  fetch_lines(cursor.point_depth + point, points);
  fetch_lines(cursor.feature + point, points);
}

/// Appends the lanes of `hits` to the arrays. One-point kernels index points by the contact count,
/// because a second count would be one register too many.
template <class F, int D, class T, int K>
WIDEPHASE_INLINE void emit(Manifold<F, D, K>& manifold, unsigned hits, std::int64_t first_source,
                           const Pair* pairs, const std::int64_t* sources,
                           ContactCursor<D, T>& cursor) {
  const Compressor<T> hit(hits);
  const std::int64_t at = cursor.contact_count;
  hit.store_pairs(cursor.pair + at, pairs);
  if (sources == nullptr) {
    hit.store_sources(cursor.source + at, first_source);
  } else {
    hit.store_sources(cursor.source + at, sources);
  }
  for (int k = 0; k < D; ++k) {
    hit.store(cursor.normal + k * cursor.normal_stride + at, manifold.normal[k]);
  }
  hit.store(cursor.depth + at, manifold.depth);
  hit.store_bytes(cursor.status + at, manifold.is_tie);
  const std::int64_t first_point = cursor.point_count;
  if constexpr (K == 1) {
    store_points(hit, manifold.points[0], at, cursor);
  } else {
    F point_count = manifold.points[0].exists;
    for (int p = 1; p < K; ++p) point_count = point_count + manifold.points[p].exists;
    hit.store_bytes(cursor.point_counts + at, point_count);
    emit_points<F, D, T>(manifold.points, cursor);
  }
  cursor.contact_count += hit.count();
  const std::int64_t points = K == 1 ? LaneTraits<F>::count : cursor.point_count - first_point;
  fetch_ahead<F, (K > 1)>(points, cursor);
}

/// Whether the shapes touch within the margin and the depth has not overflowed, even times a normal
/// that rounding made longer than 1. Anything computed from an overflowed depth would be NaN.
template <class F, int D, int K>
WIDEPHASE_INLINE MaskOf<F> is_within(const Manifold<F, D, K>& manifold, const F& margin) {
  using T = RealOf<F>;
  constexpr T kMostDepth = kLargest<T> * T(0.999999);
  return (manifold.depth >= negate(margin)) & (abs(manifold.depth) <= F(kMostDepth));
}

/// Whether all points and their depths are finite. One-point kernels are small and need no check:
/// their point is finite if the contact's depth is.
template <class F, int D, int K>
WIDEPHASE_INLINE MaskOf<F> has_finite_points(const Manifold<F, D, K>& manifold) {
  F sum = F(0);
  if constexpr (K > 1) {
    for (const ManifoldPoint<F, D>& point : manifold.points) {
      F of_point = point.depth - point.depth;  // 0, or NaN
      for (int k = 0; k < D; ++k) of_point = of_point + point.position[k];
      sum = sum + select(point.exists > F(0), of_point, F(0));
    }
  }
  return sum - sum == F(0);
}

/// Appends the lanes that touch within the margin and have finite points.
template <class F, class Kernel, int D, class T, class Found>
WIDEPHASE_INLINE void emit_batch(const FetchedBatch<F, Kernel>& batch,
                                 const EmitContext<F, D>& context, const TailCopy<F>& tail,
                                 Found& manifold, ContactCursor<D, T>& cursor) {
  const auto is_hit = is_within(manifold, batch.margin);
  unsigned hits = mask_bits(is_hit) & batch.live;
  if (hits == 0) return;
  if constexpr (Kernel::max_points > 1) {
    if constexpr (D == 3) {
      // Adding radii may round a depth to just below the limit.
      const F least = F(0) - batch.margin;
      for (auto& point : manifold.points) point.depth = greater(point.depth, least);
    }
    keep_points(is_hit, manifold);
    if (batch.live != LaneTraits<F>::all) keep_points(load(tail.is_live) > F(0), manifold);
    // This branch is almost never taken, so the stores need not wait for the points.
    const auto is_finite = has_finite_points(manifold);
    if (__builtin_expect((hits & ~mask_bits(is_finite)) != 0, 0)) {
      hits &= mask_bits(is_finite);
      keep_points(is_finite, manifold);
    }
  }
  to_scene(context, manifold);
  emit(manifold, hits, batch.first_source, batch.pairs, batch.sources, cursor);
}

}  // namespace
}  // namespace widephase
