#pragma once

// Runs a pair kernel over a list of pairs: rows into lanes, B relative to A, the kernel, hits
// appended to the contact arrays. Dead lanes of the last batch hold copies of the last pair.

#include <new>
#include <type_traits>

#include "kernels/core/basis/lane_counter.hpp"
#include "kernels/core/basis/manifold.hpp"
#include "kernels/core/basis/warm_start.hpp"
#include "kernels/table.hpp"

namespace widephase {
namespace {

/// A batch's pairs in their own order (lower id first), and which were named the other way round.
template <class F>
struct OwnOrder {
  Pair pairs[LaneTraits<F>::count];
  RealOf<F> is_flipped[LaneTraits<F>::count];
};

/// The bits of 1 as an integer: a flag is stored without a conversion or a branch.
constexpr std::uint32_t one_bits(float) { return 0x3f800000u; }
constexpr std::uint64_t one_bits(double) { return 0x3ff0000000000000u; }

/// A pair in its own order.
WIDEPHASE_INLINE Pair own_order(const Pair& pair) {
  std::uint64_t word;
  __builtin_memcpy(&word, &pair, 8);
  const std::uint64_t swapped = word << 32 | word >> 32;
  word ^= (word ^ swapped) & (0 - static_cast<std::uint64_t>(pair.a > pair.b));
  Pair own;
  __builtin_memcpy(static_cast<void*>(&own), &word, 8);
  return own;
}

template <class F>
WIDEPHASE_INLINE void to_own_order(const Pair* pairs, OwnOrder<F>& order) {
  using Bits = decltype(one_bits(RealOf<F>()));
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    order.pairs[i] = own_order(pairs[i]);
    const Bits flag = (0 - static_cast<Bits>(pairs[i].a > pairs[i].b)) & one_bits(RealOf<F>());
    __builtin_memcpy(&order.is_flipped[i], &flag, sizeof flag);
  }
}

/// The pairs and sources from `first` on, a whole batch: those of the list itself, or, at its
/// ragged end, copies filled up with the last pair.
template <class F>
struct TailCopy {
  Pair pairs[LaneTraits<F>::count];
  std::int64_t source[LaneTraits<F>::count];
  RealOf<F> is_live[LaneTraits<F>::count];
};

template <class F, int D, class T>
__attribute__((noinline)) void copy_tail(const PairRun<D, T>& run, std::int64_t first,
                                         TailCopy<F>& tail) {
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    const std::int64_t from = first + i < run.count ? first + i : run.count - 1;
    tail.pairs[i] = run.pairs[from];
    tail.source[i] = run.source == nullptr ? run.first_source + from : run.source[from];
    tail.is_live[i] = first + i < run.count ? RealOf<F>(1) : RealOf<F>(0);
  }
}

template <class Lanes, class F, int D, class T>
WIDEPHASE_INLINE Lanes load_lanes(const PairRun<D, T>& run, Kind kind, const T* rows,
                                  const std::int32_t* ids) {
  if constexpr (requires { Lanes::load(run, kind, rows, ids); }) {
    return Lanes::load(run, kind, rows, ids);
  } else {
    F row[4 * Lanes::quads];
    load_quads<Lanes::quads>(rows, ids, row);
    if constexpr (requires { Lanes::kind; }) {
      return Lanes(row, run.library, kind, run.question);
    } else if constexpr (requires { Lanes::library; }) {
      return Lanes(row, run.library);
    } else {
      return Lanes(row);
    }
  }
}

/// Whether shapes are read out of a library of outlines or hulls.
template <class Shape>
constexpr bool has_library = requires(Shape shape) { shape.library; };
/// Kernels of such shapes are long.
template <class Kernel>
constexpr bool is_long = has_library<typename Kernel::A> || has_library<typename Kernel::B>;

/// Whether batches of a kernel are begun some at a time, and then answered.
template <class Kernel>
constexpr bool is_in_steps = requires { typename Kernel::Batches; };

/// Whether all rows of a kernel's shapes are as long as one another, whatever kinds a run is of.
template <class Kernel>
constexpr bool has_fixed_rows = requires {
  Kernel::A::quads;
  Kernel::B::quads;
};

/// Whether a kernel's numbers and the rows of a second batch have room in the registers.
template <class Kernel>
constexpr bool is_small = requires {
  requires !is_long<Kernel> && Kernel::max_points == 1 && Kernel::A::quads + Kernel::B::quads <= 3;
};

template <class Lanes, class T>
WIDEPHASE_INLINE const T* row_of(const T* rows, Kind kind, std::int32_t id) {
  if constexpr (requires { Lanes::quads; }) {
    return rows + std::ptrdiff_t{id} * (4 * Lanes::quads);
  } else {
    return rows + std::ptrdiff_t{id} * (4 * Lanes::quads_of(kind));
  }
}

WIDEPHASE_INLINE const double* anchor_of(const double* anchors, int width, std::int32_t id) {
  return anchors + std::ptrdiff_t{id} * width;
}

/// Asks for the rows of a batch some batches ahead, where they are not at hand: as long ahead as
/// memory takes, by what kernels take for a pair; in steps in any case, for the next round of
/// batches, since asking takes next to nothing of their time.
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE void prefetch_rows(const PairRun<D, T>& run, std::int64_t first) {
  constexpr std::int64_t kAhead = Kernel::max_points == 1 || is_in_steps<Kernel> ? 64 : 32;
  if (!run.is_far && !is_in_steps<Kernel>) return;
  if (run.count - first < kAhead + LaneTraits<F>::count) return;
  const Pair* const pairs = run.pairs + first + kAhead;
  const auto ask = [&](const auto& order) __attribute__((always_inline)) {
    for (int i = 0; i < LaneTraits<F>::count; ++i) {
      const Pair own = order(pairs[i]);
      __builtin_prefetch(row_of<typename Kernel::A>(run.rows_a, run.kind_a, own.a));
      __builtin_prefetch(row_of<typename Kernel::B>(run.rows_b, run.kind_b, own.b));
    }
  };
  if (run.is_ascending) {
    ask([](const Pair& pair) { return pair; });
  } else {
    ask(own_order);
  }
  if (run.anchors_a == nullptr) return;
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    const Pair own = own_order(pairs[i]);
    __builtin_prefetch(anchor_of(run.anchors_a, run.anchor_width_a, own.a));
    __builtin_prefetch(anchor_of(run.anchors_b, run.anchor_width_b, own.b));
  }
}

/// The same for what the rows of outlines lead to in the library, whose places must be at hand.
template <class Lanes, class F, int D, class T>
WIDEPHASE_INLINE void prefetch_outline(const PairRun<D, T>& run, const T* row) {
  if constexpr (requires { Lanes::place_column; }) {
    constexpr int kLine = 64 / static_cast<int>(sizeof(T));
    // A block and the records of four edges: all of a small outline. For the distance of most
    // outlines by their support points the vertices are enough.
    constexpr bool is_by_support = requires(Lanes lanes) { lanes.question; };
    const int numbers = is_by_support && run.question == Question::deepest
                            ? PolygonLayout::normal_x
                            : PolygonLayout::block + 4 * PolygonLayout::record;
    const T* const outline =
        run.library + std::ptrdiff_t{PolygonLayout::record} * integer_in(row[Lanes::place_column]);
    for (int k = 0; k < numbers; k += kLine) __builtin_prefetch(outline + k);
  }
}
template <class F, class Kernel, int D, class T>
__attribute__((noinline)) void prefetch_outlines(const PairRun<D, T>& run, std::int64_t first) {
  constexpr std::int64_t kAhead = 32;
  if (run.count - first < kAhead + LaneTraits<F>::count) return;
  const Pair* const pairs = run.pairs + first + kAhead;
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    const Pair own = own_order(pairs[i]);
    prefetch_outline<typename Kernel::A, F>(
        run, row_of<typename Kernel::A>(run.rows_a, run.kind_a, own.a));
    prefetch_outline<typename Kernel::B, F>(
        run, row_of<typename Kernel::B>(run.rows_b, run.kind_b, own.b));
  }
}

/// Margins that differ from shape to shape are rare: out of the way of the loop.
template <class F, int D, class T>
__attribute__((noinline)) void gather_margins(const PairRun<D, T>& run, const Pair* pairs,
                                              T (&margins)[LaneTraits<F>::count]) {
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    margins[i] = run.margin + (run.margins[pairs[i].a] + run.margins[pairs[i].b]);
  }
}

/// The nearest whole number (ties to even) of a number below 2^22 (float) or 2^51 (double):
/// adding 1.5 times the spacing-1 power leaves no bits for a fraction. Larger ones are whole or
/// nearly so.
template <class F>
WIDEPHASE_INLINE F nearest_whole(const F& x) {
  using T = RealOf<F>;
  const F shift = F(sizeof(T) == 4 ? T(12582912.0) : T(6755399441055744.0));
  return (x + shift) - shift;
}

/// How many periods away the image of B is that is nearest to A, by the centres of their bounds.
template <class F, int D, class T>
WIDEPHASE_INLINE F whole_periods(const PairRun<D, T>& run, int k, const F& apart) {
  return nearest_whole(apart * F(run.inverse_period[k]));
}

/// What must be taken from B to bring the centre of its bounds nearest to that of A's.
template <class F, int D, class T, class A, class B>
WIDEPHASE_INLINE Vec<F, D> image_shift(const PairRun<D, T>& run, const A& a, const B& b) {
  const Vec<F, D> apart = b.bounds_center() - a.bounds_center();
  return each_axis<F, D>(
      [&](int k) { return F(T(run.period[k])) * whole_periods(run, k, apart[k]); });
}

// --- Mixed precision: rows begin at a point of their shape's, an anchor in double ---

/// Where B's anchors are from A's on, a row a lane: the difference formed in double and rounded
/// once. Of a plane [3] is its offset there.
template <class F, int D, int Anchors, bool IsPlane>
__attribute__((noinline)) void anchors_apart(const PairRun<D, float>& run, const Pair* pairs,
                                             float (*apart)[4 * Anchors]) {
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    const Pair own = own_order(pairs[i]);
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

/// The same less `images` whole periods, D rows of lanes.
template <class F, int D, int Anchors>
__attribute__((noinline)) void images_apart(const PairRun<D, float>& run, const Pair* pairs,
                                            const float* images, float (*apart)[4 * Anchors]) {
  constexpr int kLanes = LaneTraits<F>::count;
  for (int i = 0; i < kLanes; ++i) {
    const Pair own = own_order(pairs[i]);
    const double* const a = anchor_of(run.anchors_a, run.anchor_width_a, own.a);
    const double* const b = anchor_of(run.anchors_b, run.anchor_width_b, own.b);
    for (int n = 0; n < 4 * Anchors; ++n) {
      const int k = n % 4;
      const double shift = k < D ? run.period[k] * static_cast<double>(images[k * kLanes + i]) : 0;
      apart[i][n] = static_cast<float>((b[n] - shift) - a[k]);
    }
  }
}

/// Puts B where it is from A's anchor on; in a periodic domain its image that is nearest to A.
template <class F, class A, class B, int D>
WIDEPHASE_INLINE void move_by_anchors(const PairRun<D, float>& run, const Pair* pairs, const A& a,
                                      B& b) {
  constexpr int kLanes = LaneTraits<F>::count;
  constexpr bool kIsPlane = requires { B::is_plane; };
  constexpr RowsInOrder<kLanes> kRows;
  alignas(64) float apart[kLanes][4 * B::anchors];
  F to[4 * B::anchors];
  anchors_apart<F, D, B::anchors, kIsPlane>(run, pairs, apart);
  load_quads<B::anchors, 1>(apart[0], kRows.index, to);
  b.move_to(to);
  if constexpr (!kIsPlane) {  // which is endless along periodic axes
    if (!run.is_periodic) return;
    const Vec<F, D> centers = b.bounds_center() - a.bounds_center();
    float images[D * kLanes];
    for (int k = 0; k < D; ++k) store(images + k * kLanes, whole_periods(run, k, centers[k]));
    images_apart<F, D, B::anchors>(run, pairs, images, apart);
    load_quads<B::anchors, 1>(apart[0], kRows.index, to);
    b.move_to(to);
  }
}

/// What `place` needs beside the manifold.
template <class F, int D>
struct EmitContext {
  Vec<F, D> origin;
  Vec<F, D> shift;  ///< that B was moved back by, in a periodic domain
  F is_flipped;
  bool has_flips;
  bool has_shift;
  bool has_anchors;  ///< then points stay those of the pair's own order, from A's anchor on
  Vec<F, D> rest;    ///< what rounding took off `origin`
  bool has_rest;
};

/// The manifold of the pair as the caller named it: absolute, and mirrored where it was named the
/// other way round. The mirrored point is computed from the reported numbers, so that it is
/// `point - point_depth * normal` to the bit.
template <class F, int D, int K>
WIDEPHASE_INLINE void place(const EmitContext<F, D>& context, Manifold<F, D, K>& manifold) {
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

/// Appends the batches' points in the order (lane 0, lane 1, ...), those that exist.
template <class F, int D, class T, int N>
WIDEPHASE_INLINE void append_points(const ManifoldPoint<F, D> (&batches)[N],
                                    ContactCursor<D, T>& cursor) {
  for (int n = 0; n < N; ++n) {
    const Compressor<T> hit(mask_bits(batches[n].exists > F(0)));
    store_points(hit, batches[n], cursor.point_count, cursor);
    cursor.point_count += hit.count();
  }
}

/// Lane by lane, x before y.
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

/// Appends the lanes of `hits` to the arrays; the points of one-point kernels by the count of
/// contacts, a second count being a register too many.
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
  if constexpr (K == 1) {
    store_points(hit, manifold.points[0], at, cursor);
  } else {
    F point_count = manifold.points[0].exists;
    for (int p = 1; p < K; ++p) point_count = point_count + manifold.points[p].exists;
    hit.store_bytes(cursor.point_counts + at, point_count);
    emit_points<F, D, T>(manifold.points, cursor);
  }
  cursor.contact_count += hit.count();
}

/// Whether a kernel looks at its pairs twice: a first look at all of them says of each whether it
/// may be in contact, and what it found is handed on for those that may.
template <class Kernel>
constexpr bool looks_twice = requires { typename Kernel::FirstLook; };

template <class Kernel>
struct FirstLookOf {
  struct Type {};
};
template <class Kernel>
  requires looks_twice<Kernel>
struct FirstLookOf<Kernel> {
  using Type = typename Kernel::FirstLook;
};

/// A batch of pairs as fetched.
template <class F, class Kernel>
struct FetchedBatch {
  typename Kernel::A a;
  typename Kernel::B b;
  F margin;
  F is_flipped;
  const Pair* pairs;
  std::int64_t first_source;    ///< of the first lane, where they count up
  const std::int64_t* sources;  ///< null where they count up
  unsigned live;
  typename FirstLookOf<Kernel>::Type found;  ///< of a batch that is looked at again
};

template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE FetchedBatch<F, Kernel> fetch_batch(const PairRun<D, T>& run, std::int64_t first,
                                                     TailCopy<F>& tail) {
  prefetch_rows<F, Kernel>(run, first);
  if constexpr (is_long<Kernel> && has_fixed_rows<Kernel>) {
    if (run.is_library_far) prefetch_outlines<F, Kernel>(run, first);
  }
  const Pair* pairs = run.pairs + first;
  const std::int64_t* sources = run.source == nullptr ? nullptr : run.source + first;
  unsigned live = LaneTraits<F>::all;
  if (run.count - first < LaneTraits<F>::count) {
    copy_tail<F>(run, first, tail);
    pairs = tail.pairs;
    sources = tail.source;
    live = (1u << (run.count - first)) - 1u;
  }
  OwnOrder<F> order;
  const Pair* own = pairs;
  F is_flipped = F(0);
  if (!run.is_ascending) {
    to_own_order(pairs, order);
    own = order.pairs;
    is_flipped = load(order.is_flipped);
  }
  F margin = F(run.margin);
  if (run.margins != nullptr) {
    T margins[LaneTraits<F>::count];
    gather_margins<F>(run, own, margins);
    margin = load(margins);
  }
  return {load_lanes<typename Kernel::A, F>(run, run.kind_a, run.rows_a, &own->a),
          load_lanes<typename Kernel::B, F>(run, run.kind_b, run.rows_b, &own->b),
          margin,
          is_flipped,
          pairs,
          run.first_source + first,
          sources,
          live,
          {}};
}

/// What rounding took off the centres of a batch's As, and of its Bs: seldom any.
template <class F, int D, class T>
__attribute__((noinline)) void gather_rests(const PairRun<D, T>& run, const Pair* pairs,
                                            Vec<F, D>& of_a, Vec<F, D>& of_b) {
  constexpr int kLanes = LaneTraits<F>::count;
  T a[D][kLanes] = {}, b[D][kLanes] = {};
  for (int i = 0; i < kLanes; ++i) {
    const Pair own = own_order(pairs[i]);
    for (int k = 0; k < D; ++k) {
      if (run.rests_a != nullptr) a[k][i] = run.rests_a[std::ptrdiff_t{own.a} * 4 + k];
      if (run.rests_b != nullptr) b[k][i] = run.rests_b[std::ptrdiff_t{own.b} * 4 + k];
    }
  }
  of_a = each_axis<F, D>([&](int k) { return load(a[k]); });
  of_b = each_axis<F, D>([&](int k) { return load(b[k]); });
}

/// Makes two shapes relative to A; `place` puts the answer back.
template <class F, class A, class B, int D, class T>
WIDEPHASE_INLINE void move_to_origin(const PairRun<D, T>& run, const Pair* pairs, A& a, B& b,
                                     EmitContext<F, D>& context) {
  context.shift = zero_vec<F, D>();
  context.has_anchors = false;
  if constexpr (std::is_same_v<T, float>) context.has_anchors = run.anchors_a != nullptr;
  if (context.has_anchors) {
    if constexpr (std::is_same_v<T, float>) move_by_anchors<F>(run, pairs, a, b);
  } else if (run.is_periodic) {
    context.shift = image_shift<F, D>(run, a, b);
  }
  context.origin = a.take_origin();
  b.move_back(context.origin + context.shift);
  context.has_rest = false;
  if constexpr (has_library<A> || has_library<B>) {
    if (run.rests_a == nullptr && run.rests_b == nullptr) return;
    Vec<F, D> of_b;
    gather_rests<F>(run, pairs, context.rest, of_b);
    context.has_rest = true;
    b.move_back(context.rest - of_b);
  }
}

/// What a run works in that is too large for the stacks of some threads: the caller gives it, where
/// a kernel has any (`PairKernel::room_bytes`).
template <class F, class Kernel, int D>
struct RunRoom {};
template <class F, class Kernel, int D>
requires(is_in_steps<Kernel>) struct RunRoom<F, Kernel, D> {
  static constexpr int most = Kernel::Batches::most;
  typename Kernel::Batches batches;
  FetchedBatch<F, Kernel> fetched[most];
  EmitContext<F, D> contexts[most];
  WarmStarts<F> warm[most];
};
template <class F, class Kernel, int D>
requires(!is_in_steps<Kernel> && requires { typename Kernel::Room; }) struct RunRoom<F, Kernel, D> {
  typename Kernel::Room of_kernel;
};
template <class F, class Kernel, int D>
constexpr std::size_t room_bytes = std::is_empty_v<RunRoom<F, Kernel, D>>
                                       ? 0
                                       : sizeof(RunRoom<F, Kernel, D>);

/// A kernel's contacts: those with room take it last.
template <class F, class Kernel, int D, class... Rest>
WIDEPHASE_INLINE auto contact_in(RunRoom<F, Kernel, D>*,
                                 Rest&... rest) requires(requires { Kernel::contact(rest...); }) {
  return Kernel::contact(rest...);
}
template <class F, class Kernel, int D, class... Rest>
WIDEPHASE_INLINE auto contact_in(RunRoom<F, Kernel, D>* room, Rest&... rest) requires(requires {
  Kernel::contact(rest..., room->of_kernel);
}) {
  return Kernel::contact(rest..., room->of_kernel);
}

/// Whether a kernel begins where the last step's search ended, and whether it searches.
template <class F, class Kernel, int D>
constexpr bool begins_warm = looks_twice<Kernel> ||
                             requires(RunRoom<F, Kernel, D>* room, const typename Kernel::A& a,
                                      const typename Kernel::B& b, const F& margin,
                                      WarmStarts<F> warm, LaneCounter<F> counter) {
  contact_in(room, a, b, margin, warm, counter);
};
template <class F, class Kernel, int D>
constexpr bool counts_lanes = requires(RunRoom<F, Kernel, D>* room, const typename Kernel::A& a,
                                       const typename Kernel::B& b, const F& margin,
                                       LaneCounter<F> counter) {
  contact_in(room, a, b, margin, counter);
};

/// Whether a kernel has no search, and reads and writes words for the sake of steadiness alone.
template <class Kernel>
constexpr bool is_warm_when_steady = requires { Kernel::is_warm_when_steady; };
template <class Kernel, int D, class T>
WIDEPHASE_INLINE bool has_words(const PairRun<D, T>& run) {
  return run.warm_starts != nullptr && (!is_warm_when_steady<Kernel> || run.steadiness > 0);
}

/// The word of a batch's lane.
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE WarmStart& word_of(const PairRun<D, T>& run, const FetchedBatch<F, Kernel>& batch,
                                    int i) {
  return run.warm_starts[batch.sources == nullptr ? batch.first_source + i : batch.sources[i]];
}
/// Reads the words of a batch's live lanes, before the search.
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE void read_words(const PairRun<D, T>& run, const FetchedBatch<F, Kernel>& batch,
                                 WarmStarts<F>& warm) {
  if (!has_words<Kernel>(run)) return;
  warm = {};
  warm.is_given = true;
  warm.steadiness = run.steadiness;
  for (unsigned left = batch.live; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    warm.pair[i] = word_of(run, batch, i);
  }
}
/// Touching within the margin, by a depth that has not overflowed: what is computed from such a one
/// would be NaN.
template <class F, int D, int K>
WIDEPHASE_INLINE MaskOf<F> is_within(const Manifold<F, D, K>& manifold, const F& margin) {
  return (manifold.depth >= negate(margin)) & (abs(manifold.depth) <= F(kLargest<RealOf<F>>));
}

/// Writes them back, after it, with the points of what was found.
template <class F, class Kernel, int D, class T, class Found>
WIDEPHASE_INLINE void write_words(const PairRun<D, T>& run, const FetchedBatch<F, Kernel>& batch,
                                  const Found& manifold, WarmStarts<F>& warm) {
  if (!warm.is_given) return;
  if constexpr (D == 3 && Kernel::max_points == 4) {
    if (run.steadiness > 0 && run.question == Question::points) {
      note_points(manifold, mask_bits(is_within(manifold, batch.margin)), warm);
    }
  }
  for (unsigned left = batch.live; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    word_of(run, batch, i) = warm.pair[i];
  }
}

/// Moves the batch's shapes on the way.
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE void set_context(const PairRun<D, T>& run, FetchedBatch<F, Kernel>& batch,
                                  EmitContext<F, D>& context) {
  move_to_origin(run, batch.pairs, batch.a, batch.b, context);
  context.is_flipped = batch.is_flipped;
  context.has_flips = !run.is_ascending;
  context.has_shift = run.is_periodic;
}
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE auto contact_of(const PairRun<D, T>& run, FetchedBatch<F, Kernel>& batch,
                                 EmitContext<F, D>& context, RunRoom<F, Kernel, D>* room,
                                 LaneCounter<F>& counter) {
  const typename Kernel::A& a = batch.a;
  const typename Kernel::B& b = batch.b;
  const F& margin = batch.margin;
  set_context(run, batch, context);
  if constexpr (begins_warm<F, Kernel, D>) {
    WarmStarts<F> warm;
    read_words<F, Kernel>(run, batch, warm);
    const auto manifold = [&] {
      if constexpr (looks_twice<Kernel>) {
        return Kernel::contact(a, b, margin, batch.found, warm);
      } else {
        return contact_in(room, a, b, margin, warm, counter);
      }
    }();
    write_words<F, Kernel>(run, batch, manifold, warm);
    return manifold;
  } else if constexpr (counts_lanes<F, Kernel, D>) {
    return contact_in(room, a, b, margin, counter);
  } else {
    return Kernel::contact(a, b, margin);
  }
}

/// `contact_of` for long kernels of several points: what the loop around them holds would else push
/// their numbers out of the registers.
template <class F, class Kernel, int D, class T>
__attribute__((noinline)) auto contact_apart_of(const PairRun<D, T>& run,
                                                FetchedBatch<F, Kernel>& batch,
                                                EmitContext<F, D>& context,
                                                RunRoom<F, Kernel, D>* room,
                                                LaneCounter<F>& counter) {
  return contact_of(run, batch, context, room, counter);
}
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE auto answer_of(const PairRun<D, T>& run, FetchedBatch<F, Kernel>& batch,
                                EmitContext<F, D>& context, RunRoom<F, Kernel, D>* room,
                                LaneCounter<F>& counter) {
  if constexpr (D == 3 && is_long<Kernel> && Kernel::max_points > 1) {
    return contact_apart_of(run, batch, context, room, counter);
  } else {
    return contact_of(run, batch, context, room, counter);
  }
}

/// Whether no point has overflowed; the one point of a small kernel does not where its depth has
/// not.
template <class F, int D, int K>
WIDEPHASE_INLINE MaskOf<F> has_finite_points(const Manifold<F, D, K>& manifold) {
  F sum = F(0);
  if constexpr (K > 1) {
    for (const ManifoldPoint<F, D>& point : manifold.points) {
      F of_point = point.position[0];
      for (int k = 1; k < D; ++k) of_point = of_point + point.position[k];
      sum = sum + select(point.exists > F(0), of_point, F(0));
    }
  }
  return sum - sum == F(0);
}

/// Appends those of a batch's contacts that are such.
template <class F, class Kernel, int D, class T, class Found>
WIDEPHASE_INLINE void emit_batch(const FetchedBatch<F, Kernel>& batch,
                                 const EmitContext<F, D>& context, const TailCopy<F>& tail,
                                 Found& manifold, ContactCursor<D, T>& cursor) {
  const auto is_hit = is_within(manifold, batch.margin);
  unsigned hits = mask_bits(is_hit) & batch.live;
  if (hits == 0) return;
  if constexpr (Kernel::max_points > 1) {
    if constexpr (D == 3) {
      // Radii that are added round.
      const F least = F(0) - batch.margin;
      for (auto& point : manifold.points) point.depth = greater(point.depth, least);
    }
    keep_points(is_hit, manifold);
    if (batch.live != LaneTraits<F>::all) keep_points(load(tail.is_live) > F(0), manifold);
    // A branch that is hardly ever taken: the stores need not wait for the points.
    const auto is_finite = has_finite_points(manifold);
    if (__builtin_expect((hits & ~mask_bits(is_finite)) != 0, 0)) {
      hits &= mask_bits(is_finite);
      keep_points(is_finite, manifold);
    }
  }
  place(context, manifold);
  emit(manifold, hits, batch.first_source, batch.pairs, batch.sources, cursor);
}

template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE void collide_batch(const PairRun<D, T>& run, FetchedBatch<F, Kernel>& batch,
                                    const TailCopy<F>& tail, RunRoom<F, Kernel, D>* room,
                                    ContactCursor<D, T>& cursor, LaneCounter<F>& counter) {
  EmitContext<F, D> context;
  counter.live = batch.live;
  auto manifold = answer_of(run, batch, context, room, counter);
  emit_batch(batch, context, tail, manifold, cursor);
}

/// Pairs that a first look left, and what it found.
template <class F, class Kernel>
struct LookQueue {
  using Found = typename Kernel::FirstLook;
  static constexpr int lanes = LaneTraits<F>::count;
  static constexpr int most_looks = 8 * lanes;         ///< until whole batches are taken out
  static constexpr int room = most_looks + 2 * lanes;  ///< for those left over and a vector more
  static constexpr int columns = sizeof(Found) / sizeof(F);  ///< it is made of batches alone
  int count = 0;
  Pair pairs[room];
  std::int64_t sources[room];
  RealOf<F> numbers[columns][room] = {};

  WIDEPHASE_INLINE void add(const FetchedBatch<F, Kernel>& batch, unsigned bits) {
    const Compressor<RealOf<F>> left(bits);
    left.store_pairs(pairs + count, batch.pairs);
    if (batch.sources == nullptr) {
      left.store_sources(sources + count, batch.first_source);
    } else {
      left.store_sources(sources + count, batch.sources);
    }
    F column[columns];
    __builtin_memcpy(static_cast<void*>(column), &batch.found, sizeof batch.found);
    for (int n = 0; n < columns; ++n) left.store(numbers[n] + count, column[n]);
    count += left.count();
  }
  WIDEPHASE_INLINE Found found(int at) const {
    F column[columns];
    for (int n = 0; n < columns; ++n) column[n] = load(numbers[n] + at);
    Found all;
    __builtin_memcpy(static_cast<void*>(&all), column, sizeof all);
    return all;
  }
  /// Drops the first ones but for less than a batch.
  WIDEPHASE_INLINE void drop(int dropped) {
    count -= dropped;
    __builtin_memcpy(pairs, pairs + dropped, lanes * sizeof pairs[0]);
    __builtin_memcpy(sources, sources + dropped, lanes * sizeof sources[0]);
    for (auto& column : numbers) store(column, load(column + dropped));
  }
};

/// A first look at some batches, then the manifolds of what it left: lanes that miss would cost as
/// much as those that hit. Rows are read again, out of the nearest cache.
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE void collide_in_two_looks(const PairRun<D, T>& run, TailCopy<F>& tail,
                                           RunRoom<F, Kernel, D>* room, ContactCursor<D, T>& cursor,
                                           LaneCounter<F>& counter) {
  constexpr int kLanes = LaneTraits<F>::count;
  LookQueue<F, Kernel> queue;
  PairRun<D, T> left = run;
  left.pairs = queue.pairs;
  left.source = queue.sources;
  left.is_far = false;
  for (std::int64_t first = 0; first < run.count; first += queue.most_looks) {
    const bool is_last = run.count - first <= queue.most_looks;
    const std::int64_t end = is_last ? run.count : first + queue.most_looks;
    for (std::int64_t at = first; at < end; at += kLanes) {
      auto batch = fetch_batch<F, Kernel>(run, at, tail);
      EmitContext<F, D> context;
      move_to_origin(run, batch.pairs, batch.a, batch.b, context);
      const auto may_meet = Kernel::first_look(batch.a, batch.b, batch.margin, batch.found);
      // Words are kept of pairs that are apart, too.
      const unsigned asked = has_words<Kernel>(run) ? LaneTraits<F>::all : mask_bits(may_meet);
      queue.add(batch, asked & batch.live);
    }
    left.count = queue.count;
    const int taken = is_last ? queue.count : queue.count / kLanes * kLanes;
    for (int at = 0; at < taken; at += kLanes) {
      auto batch = fetch_batch<F, Kernel>(left, at, tail);
      batch.found = queue.found(at);
      collide_batch(left, batch, tail, room, cursor, counter);
    }
    if (!is_last) queue.drop(taken);
  }
}

/// A run of a kernel in steps: all batches of a round take one before any takes the next.
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE void collide_in_steps(const PairRun<D, T>& run, TailCopy<F>& tail,
                                       RunRoom<F, Kernel, D>& room, ContactCursor<D, T>& cursor,
                                       LaneCounter<F>& counter) {
  auto& [batches, fetched, contexts, warm] = room;
  constexpr int kMost = Kernel::Batches::most;
  for (std::int64_t first = 0; first < run.count;) {
    int count = 0;
    for (; count < kMost && first < run.count; ++count, first += LaneTraits<F>::count) {
      FetchedBatch<F, Kernel>& batch = fetched[count];
      batch = fetch_batch<F, Kernel>(run, first, tail);
      set_context(run, batch, contexts[count]);
      counter.live = batch.live;
      read_words<F, Kernel>(run, batch, warm[count]);
      batches.begin(count, batch.a, batch.b, counter);
    }
    batches.find_axes(count, run.question == Question::contact, warm, counter);
    for (int n = 0; n < count; ++n) {
      const FetchedBatch<F, Kernel>& batch = fetched[n];
      counter.live = batch.live;
      batches.answer(n, batch.a, batch.b, batch.margin, warm[n], counter);
    }
    batches.find_points(counter);
    for (int n = 0; n < count; ++n) {
      auto manifold = batches.manifold(n, fetched[n].a, fetched[n].b, fetched[n].margin, counter);
      write_words<F, Kernel>(run, fetched[n], manifold, warm[n]);
      emit_batch(fetched[n], contexts[n], tail, manifold, cursor);
    }
  }
}

template <class F, class Kernel, int D, class T>
void find_contacts(const PairRun<D, T>& run, ContactCursor<D, T>& result) {
  // A copy: stores of bytes could otherwise change the pointers, for all that the compiler knows.
  ContactCursor<D, T> cursor = result;
  if (run.count == 0) return;
  constexpr int kLanes = LaneTraits<F>::count;
  const std::int64_t first_contact = cursor.contact_count;
  const std::int64_t first_point = cursor.point_count;
  if constexpr (Kernel::max_points == 1) {
    // One count serves contacts and points.
    cursor.point += first_point - first_contact;
    cursor.point_depth += first_point - first_contact;
    cursor.feature += first_point - first_contact;
  }
  TailCopy<F> tail{};  // g++ does not see that a batch of one lane never has one
  LaneCounter<F> counter;
  RunRoom<F, Kernel, D>* room = nullptr;
  if constexpr (room_bytes < F, Kernel, D >> 0) room = new (cursor.room) RunRoom<F, Kernel, D>;
  if constexpr (looks_twice<Kernel>) {
    collide_in_two_looks<F, Kernel>(run, tail, room, cursor, counter);
  } else if constexpr (is_in_steps<Kernel>) {
    collide_in_steps<F, Kernel>(run, tail, *room, cursor, counter);
  } else if constexpr (is_small<Kernel>) {
    // Rows of a small kernel come a batch ahead of their use: a core sees about one batch far, and
    // would else wait for them and for the square root in turn. Large ones need the registers.
    auto next = fetch_batch<F, Kernel>(run, 0, tail);
    for (std::int64_t first = 0; first < run.count; first += kLanes) {
      auto batch = next;
      if (run.count - first > kLanes) next = fetch_batch<F, Kernel>(run, first + kLanes, tail);
      collide_batch(run, batch, tail, room, cursor, counter);
    }
  } else {
    for (std::int64_t first = 0; first < run.count; first += kLanes) {
      auto batch = fetch_batch<F, Kernel>(run, first, tail);
      collide_batch(run, batch, tail, room, cursor, counter);
    }
  }
  std::int64_t* const offsets = cursor.offset;
  const std::int64_t end = cursor.contact_count;
  std::int64_t offset = first_point;
  if constexpr (Kernel::max_points == 1) {
    for (std::int64_t i = first_contact; i < end; ++i) offsets[i] = offset + (i - first_contact);
    offset += end - first_contact;
  } else {
    const std::uint8_t* const point_counts = cursor.point_counts;
    for (std::int64_t i = first_contact; i < end; ++i) {
      offsets[i] = offset;
      offset += point_counts[i];
    }
  }
  result.contact_count = end;
  result.point_count = offset;
  result.lanes.in_use += run.count + counter.sum.in_use;
  result.lanes.ran += (run.count + kLanes - 1) / kLanes * kLanes + counter.sum.ran;
}

template <class Kernel, int D, class T>
constexpr PairKernel<D, T> make_pair_kernel() {
  static_assert(alignof(RunRoom<Batch<T>, Kernel, D>) <= 64);
  return {&find_contacts<Batch<T>, Kernel, D, T>, Kernel::max_points,
          room_bytes<Batch<T>, Kernel, D>};
}

}  // namespace
}  // namespace widephase
