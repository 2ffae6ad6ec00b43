#pragma once

// What an instruction set's object provides to the rest of the library: plain functions over plain
// structs. Every such object includes this header, so it has no inline function.

#include <cstddef>
#include <cstdint>

#include <widephase/isa.hpp>
#include <widephase/types.hpp>
#include <widephase/warm_start.hpp>

#include "kernels/broad_table.hpp"

namespace widephase {

/// A column as a kernel reads it: row i lies at byte `i * stride`.
template <class T>
struct Plane {
  const T* data;
  std::ptrdiff_t stride;
};

/// What a caller wants to know about pairs: all points, the deepest or nearest point (others may
/// come with it), or only whether they are in contact.
enum class Question : std::uint8_t { points, deepest, contact };

/// A run: pairs of one kind, and what their kernel reads. `rows_a` and `rows_b` point to the packed
/// rows of the two kinds (see kernels/core/basis/rows.hpp), offset so that shape ids index them.
template <int D, class T>
struct PairRun {
  const T* rows_a;
  const T* rows_b;
  /// In mixed precision: the positions of the shapes (pipeline/rows/scene_rows.hpp), offset
  /// in the same way. Rows are then relative to a point of their shape. Otherwise null.
  const double* anchors_a;
  const double* anchors_b;
  int anchor_width_a;  ///< numbers per shape
  int anchor_width_b;
  /// What rounding removed from the centres of polygons or hulls: four numbers per shape, offset
  /// in the same way (geometry/middle.hpp). Null for other kinds, and if nothing was removed.
  const T* rests_a;
  const T* rests_b;
  /// The library of polygons (kernels/core/basis/rows.hpp, PolygonLayout) or hulls
  /// (kernels/core/support/hull_view.hpp).
  const T* library;
  const std::int16_t* indices;  ///< of hulls
  Kind kind_a;                  ///< of the kernel's A
  Kind kind_b;
  Question question;
  const Pair* pairs;
  std::int64_t count;
  bool is_ascending;           ///< every pair is named in the order that the kernel takes
  bool is_far;                 ///< the rows exceed the caches near the core
  bool is_library_far;         ///< the library exceeds them
  const std::int64_t* source;  ///< if null, the source of pair i is first_source + i
  std::int64_t first_source;
  WarmStart* warm_starts;  ///< indexed by source; null if there are none
  T steadiness;            ///< of `CollideOptions`
  T margin;
  const T* margins;  ///< by id, added to `margin`; null if no shape has its own
  bool is_periodic;
  double period[D];     ///< length of the domain; 0 along axes that do not wrap
  T inverse_period[D];  ///< 1 / period; 0 along axes that do not wrap
};

/// Lanes in the steps of a kernel (`CollideStats::KindStats::lanes`).
struct LaneCount {
  std::int64_t in_use;
  std::int64_t ran;
};

/// Where contacts are written: arrays with room for every pair of the run, plus one wide vector.
template <int D, class T>
struct ContactCursor {
  Pair* pair;
  std::int64_t* source;
  T* normal;  ///< component k starts at k * normal_stride
  std::ptrdiff_t normal_stride;
  T* depth;
  std::uint8_t* status;
  std::int64_t* offset;
  T* point;
  std::ptrdiff_t point_stride;
  T* point_depth;
  std::uint32_t* feature;
  std::uint8_t* point_counts;  ///< scratch, one byte per contact of the run
  void* room;                  ///< scratch, `PairKernel::room_bytes`, aligned to 64
  std::int64_t contact_count;
  std::int64_t point_count;
  LaneCount lanes;  ///< sum over the runs so far
};

/// The ids of a kind: [first, end).
struct IdRange {
  std::int32_t first;
  std::int32_t end;
};

/// What a check of a run of pairs found.
struct PairCheck {
  bool is_outside;      ///< an A is outside `a` or a B is outside `b`
  bool has_equal;       ///< a shape is paired with itself
  bool has_descending;  ///< a pair has a > b
};

/// When a kernel reads and writes words of warm starts: never, only with steadiness, or always.
enum class Words : std::uint8_t { none, steady, always };

/// A set of kinds, one bit each.
using KindBits = std::uint32_t;
static_assert(kKindCount <= 32);

/// A kernel for one kind of pair, or for several.
template <int D, class T>
struct PairKernel {
  /// Appends the contacts of the run. Null if the pair has no kernel.
  void (*find_contacts)(const PairRun<D, T>& run, ContactCursor<D, T>& cursor);
  int max_points;
  /// The size of its scratch beyond the stack: threads may have small stacks
  /// (docs/architecture.md).
  std::size_t room_bytes;
  Words words;
  KindBits kinds_a;  ///< whose rows it reads as A
  KindBits kinds_b;
  bool takes_higher_first;  ///< its A has the higher id of a pair, and the higher kind
};

/// Queries for support points of shapes of one kind.
template <int D, class T>
struct SupportRun {
  static constexpr Question question = Question::points;
  Kind kind;
  const T* rows;  ///< offset so that ids index them; in 2D the outlines' rows
  const T* library;
  const std::int16_t* indices;  ///< of hulls
  const T* rests;               ///< as in `PairRun`
  const std::int32_t* ids;
  std::int64_t count;
  Plane<T> direction[D];
  T* point[D];
  std::uint32_t* feature;
};

template <int D, class T>
struct ClosestTable {
  void (*point_segment)(std::int64_t count, const Plane<T> (&point)[D], const Plane<T> (&a)[D],
                        const Plane<T> (&b)[D], T* const (&closest)[D], T* parameter, T* distance);
  void (*segment_segment)(std::int64_t count, const Plane<T> (&a)[D], const Plane<T> (&b)[D],
                          const Plane<T> (&c)[D], const Plane<T> (&d)[D], T* const (&first)[D],
                          T* const (&second)[D], T* first_parameter, T* second_parameter,
                          T* distance);
};

template <int D, class T>
struct KernelTable {
  Isa isa;
  int lanes;
  PairCheck (*check_pairs)(const Pair* pairs, std::size_t count, IdRange a, IdRange b);
  /// Only in 2D: cosines and sines of angles in radians (soa/turn.hpp).
  void (*find_turns)(const T* angles, std::size_t count, T* cosines, T* sines);
  PairKernel<D, T> pairs[kPairKindCount];
  /// GJK and EPA for any two kinds that have support points. In 2D it takes the rows of outlines.
  PairKernel<D, T> by_support;
  void (*support_points)(const SupportRun<D, T>& run);
  ClosestTable<D, T> closest;
  BroadTable<D, T> broad;
};

/// The table of an instruction set that is in this build and that the CPU has (`chosen_isa`).
template <int D, class T>
const KernelTable<D, T>& kernel_table(Isa isa);

}  // namespace widephase
