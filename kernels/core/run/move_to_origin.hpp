#pragma once

// Moves both shapes of a batch to A's origin. It takes B's image nearest to A in a periodic domain,
// and anchors in double in mixed precision.

#include <type_traits>

#include "kernels/core/run/fetch_batch.hpp"

namespace widephase {
namespace {

/// The nearest whole number (ties to even) of a number below 2^22 (float) or 2^51 (double). Adding
/// 1.5 times the power of two whose spacing is 1 leaves no bits for a fraction. Larger numbers are
/// whole or nearly so.
template <class F>
WIDEPHASE_INLINE F nearest_whole(const F& x) {
  using T = RealOf<F>;
  const F shift = F(sizeof(T) == 4 ? T(12582912.0) : T(6755399441055744.0));
  return (x + shift) - shift;
}

/// How many periods away B's image nearest to A is, by the centres of their bounds.
template <class F, int D, class T>
WIDEPHASE_INLINE F whole_periods(const PairRun<D, T>& run, int k, const F& apart) {
  return nearest_whole(apart * F(run.inverse_period[k]));
}

/// What to subtract from B to bring the centre of its bounds nearest to that of A's.
template <class F, int D, class T, class A, class B>
WIDEPHASE_INLINE Vec<F, D> image_shift(const PairRun<D, T>& run, const A& a, const B& b) {
  const Vec<F, D> apart = b.bounds_center() - a.bounds_center();
  return each_axis<F, D>(
      [&](int k) { return F(T(run.period[k])) * whole_periods(run, k, apart[k]); });
}

// --- Mixed precision: rows are relative to a point of their shape, an anchor in double ---

/// B's anchors relative to A's, one row per lane. The difference is formed in double and rounded
/// once. For a plane, [3] is its offset there.
template <class F, bool HigherFirst, int D, int Anchors, bool IsPlane>
__attribute__((noinline)) void anchors_apart(const PairRun<D, float>& run, const Pair* pairs,
                                             float (*apart)[4 * Anchors]) {
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    const Pair own = kernel_pair<HigherFirst>(pairs[i]);
    const double* const a = anchor_of(run.anchors_a, run.anchor_width_a, own.a);
    const double* const b = anchor_of(run.anchors_b, run.anchor_width_b, own.b);
    if constexpr (IsPlane) {
      double offset = b[3];
      for (int k = 0; k < D; ++k) offset -= b[k] * a[k];
      apart[i][3] = static_cast<float>(offset);
    } else {
      for (int n = 0; n < 4 * Anchors; ++n) apart[i][n] = static_cast<float>(b[n] - a[n % 4]);
    }
  }
}

/// The same minus `images` whole periods; `images` has one row of lanes for each of D axes.
template <class F, bool HigherFirst, int D, int Anchors>
__attribute__((noinline)) void images_apart(const PairRun<D, float>& run, const Pair* pairs,
                                            const float* images, float (*apart)[4 * Anchors]) {
  constexpr int kLanes = LaneTraits<F>::count;
  for (int i = 0; i < kLanes; ++i) {
    const Pair own = kernel_pair<HigherFirst>(pairs[i]);
    const double* const a = anchor_of(run.anchors_a, run.anchor_width_a, own.a);
    const double* const b = anchor_of(run.anchors_b, run.anchor_width_b, own.b);
    for (int n = 0; n < 4 * Anchors; ++n) {
      const int k = n % 4;
      const double shift = k < D ? run.period[k] * static_cast<double>(images[k * kLanes + i]) : 0;
      apart[i][n] = static_cast<float>((b[n] - shift) - a[k]);
    }
  }
}

/// Places B relative to A's anchor; in a periodic domain, its image nearest to A.
template <class F, bool HigherFirst, class A, class B, int D>
WIDEPHASE_INLINE void move_by_anchors(const PairRun<D, float>& run, const Pair* pairs, const A& a,
                                      B& b) {
  constexpr int kLanes = LaneTraits<F>::count;
  constexpr bool kIsPlane = requires { B::is_plane; };
  constexpr RowsInOrder<kLanes> kRows;
  alignas(64) float apart[kLanes][4 * B::anchors];
  F to[4 * B::anchors];
  anchors_apart<F, HigherFirst, D, B::anchors, kIsPlane>(run, pairs, apart);
  load_quads<B::anchors, 1>(apart[0], kRows.index, to);
  b.move_to(to);
  if constexpr (!kIsPlane) {  // a plane is endless along periodic axes
    if (!run.is_periodic) return;
    const Vec<F, D> centers = b.bounds_center() - a.bounds_center();
    float images[D * kLanes];
    for (int k = 0; k < D; ++k) store(images + k * kLanes, whole_periods(run, k, centers[k]));
    images_apart<F, HigherFirst, D, B::anchors>(run, pairs, images, apart);
    load_quads<B::anchors, 1>(apart[0], kRows.index, to);
    b.move_to(to);
  }
}

/// What `to_scene` needs besides the manifold.
template <class F, int D>
struct EmitContext {
  Vec<F, D> origin;
  Vec<F, D> shift;  ///< what B was moved back by, in a periodic domain
  F is_flipped;
  bool has_flips;
  bool has_shift;
  bool has_anchors;  ///< points then stay on the kernel's A, relative to its anchor
  Vec<F, D> rest;    ///< what rounding removed from `origin`
  bool has_rest;
};

/// What rounding removed from the centres of a batch's As and Bs; rarely needed.
template <class F, bool HigherFirst, int D, class T>
__attribute__((noinline)) void gather_rests(const PairRun<D, T>& run, const Pair* pairs,
                                            Vec<F, D>& of_a, Vec<F, D>& of_b) {
  constexpr int kLanes = LaneTraits<F>::count;
  T a[D][kLanes] = {}, b[D][kLanes] = {};
  for (int i = 0; i < kLanes; ++i) {
    const Pair own = kernel_pair<HigherFirst>(pairs[i]);
    for (int k = 0; k < D; ++k) {
      if (run.rests_a != nullptr) a[k][i] = run.rests_a[std::ptrdiff_t{own.a} * 4 + k];
      if (run.rests_b != nullptr) b[k][i] = run.rests_b[std::ptrdiff_t{own.b} * 4 + k];
    }
  }
  of_a = each_axis<F, D>([&](int k) { return load(a[k]); });
  of_b = each_axis<F, D>([&](int k) { return load(b[k]); });
}

/// Moves two shapes relative to A; `to_scene` moves the result back.
template <class F, bool HigherFirst, class A, class B, int D, class T>
WIDEPHASE_INLINE void move_to_origin(const PairRun<D, T>& run, const Pair* pairs, A& a, B& b,
                                     EmitContext<F, D>& context) {
  context.shift = zero_vec<F, D>();
  context.has_anchors = false;
  if constexpr (std::is_same_v<T, float>) context.has_anchors = run.anchors_a != nullptr;
  if (context.has_anchors) {
    if constexpr (std::is_same_v<T, float>) move_by_anchors<F, HigherFirst>(run, pairs, a, b);
  } else if constexpr (!requires { B::is_plane; }) {  // a plane is endless along periodic axes
    if (run.is_periodic) context.shift = image_shift<F, D>(run, a, b);
  }
  context.origin = a.take_origin();
  b.move_back(context.origin + context.shift);
  context.has_rest = false;
  if constexpr (has_library<A> || has_library<B>) {
    if (run.rests_a == nullptr && run.rests_b == nullptr) return;
    Vec<F, D> of_b;
    gather_rests<F, HigherFirst>(run, pairs, context.rest, of_b);
    context.has_rest = true;
    b.move_back(context.rest - of_b);
  }
}

}  // namespace
}  // namespace widephase
