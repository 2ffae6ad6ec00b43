#pragma once

// What an instruction set's object offers to the rest of the library: plain functions over plain
// structs. This header is read by every such object, so it holds no inline function.

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

/// What of pairs is asked: all their points, the deepest or nearest one (others may come with it),
/// or whether they are in contact, and nothing of how.
enum class Question : std::uint8_t { points, deepest, contact };

/// Pairs of one kind with what their kernel reads. `rows_a` and `rows_b` are the packed rows of
/// the two kinds (see kernels/core/basis/rows.hpp), moved so that shape ids index them.
template <int D, class T>
struct PairRun {
  const T* rows_a;
  const T* rows_b;
  /// In mixed precision: where the shapes are (pipeline/rows/scene_rows.hpp), moved likewise; rows
  /// then begin at a point of their shape's. Null else.
  const double* anchors_a;
  const double* anchors_b;
  int anchor_width_a;  ///< numbers a shape
  int anchor_width_b;
  /// What rounding took off the centres of polygons or hulls, four numbers a shape, moved likewise
  /// (geometry/middle.hpp). Null of other kinds, and where there is none.
  const T* rests_a;
  const T* rests_b;
  /// The library of polygons (kernels/core/basis/rows.hpp, PolygonLayout) or hulls
  /// (kernels/core/support/convex.hpp).
  const T* library;
  const std::int16_t* indices;  ///< of hulls
  Kind kind_a;                  ///< of the kernel's A
  Kind kind_b;
  Question question;
  const Pair* pairs;
  std::int64_t count;
  bool is_ascending;           ///< every pair of this run is named as the kernel takes it
  bool is_far;                 ///< the rows overflow the caches near the core
  bool is_library_far;         ///< the library does
  const std::int64_t* source;  ///< null: source of pair i is first_source + i
  std::int64_t first_source;
  WarmStart* warm_starts;  ///< by source; null where there are none
  T steadiness;            ///< of `CollideOptions`
  T margin;
  const T* margins;  ///< by id, added to `margin`; null when no shape has one of its own
  bool is_periodic;
  double period[D];     ///< length of the domain; 0 along axes that do not wrap
  T inverse_period[D];  ///< 1 / period; 0 along axes that do not wrap
};

/// Lanes over the steps of a kernel (`CollideStats::KindStats::lanes`).
struct LaneCount {
  std::int64_t in_use;
  std::int64_t ran;
};

/// Where contacts go: arrays with room for every pair of the run and one wide vector more.
template <int D, class T>
struct ContactCursor {
  Pair* pair;
  std::int64_t* source;
  T* normal;  ///< component k begins at k * normal_stride
  std::ptrdiff_t normal_stride;
  T* depth;
  std::uint8_t* status;
  std::int64_t* offset;
  T* point;
  std::ptrdiff_t point_stride;
  T* point_depth;
  std::uint32_t* feature;
  std::uint8_t* point_counts;  ///< scratch, a byte a contact of the run
  void* room;                  ///< scratch, `PairKernel::room_bytes` aligned to 64
  std::int64_t contact_count;
  std::int64_t point_count;
  LaneCount lanes;  ///< of the runs so far
};

/// The ids of a kind: [first, end).
struct IdRange {
  std::int32_t first;
  std::int32_t end;
};

/// What a look at a run of pairs says.
struct PairCheck {
  bool is_outside;      ///< an A outside `a` or a B outside `b`
  bool has_equal;       ///< a shape with itself
  bool has_descending;  ///< a pair with a > b
};

/// Whether a kernel reads and writes words of warm starts, or only for the sake of steadiness.
enum class Words : std::uint8_t { none, steady, always };

/// A kernel for one kind of pair.
template <int D, class T>
struct PairKernel {
  /// Appends the contacts of the run. Null while the pair has no kernel.
  void (*find_contacts)(const PairRun<D, T>& run, ContactCursor<D, T>& cursor);
  int max_points;
  /// What it works in beside its frame: threads may have small stacks (docs/architecture.md).
  std::size_t room_bytes;
  Words words;
  bool takes_higher_first;  ///< its A has the higher id of a pair, and the higher kind
};

/// Questions for the support points of shapes of one kind.
template <int D, class T>
struct SupportRun {
  static constexpr Question question = Question::points;
  Kind kind;
  const T* rows;  ///< so that ids index them; in 2D those of outlines
  const T* library;
  const std::int16_t* indices;  ///< of hulls
  const T* rests;               ///< as those of `PairRun`
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
  int lanes;
  PairCheck (*check_pairs)(const Pair* pairs, std::size_t count, IdRange a, IdRange b);
  /// In 2D alone: cosines and sines of angles in radians (soa/turn.hpp).
  void (*find_turns)(const T* angles, std::size_t count, T* cosines, T* sines);
  PairKernel<D, T> pairs[kPairKindCount];
  /// GJK and EPA for any two kinds that have support points. In 2D its rows are those of outlines.
  PairKernel<D, T> by_support;
  void (*support_points)(const SupportRun<D, T>& run);
  ClosestTable<D, T> closest;
  BroadTable<D, T> broad;
};

/// The table of a set that is built and that the CPU has (`chosen_isa`).
template <int D, class T>
const KernelTable<D, T>& kernel_table(Isa isa);

}  // namespace widephase
