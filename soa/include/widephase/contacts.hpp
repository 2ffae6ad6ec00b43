#pragma once

#include <widephase/export.h>
#include <widephase/columns.hpp>
#include <widephase/types.hpp>

namespace widephase {

/// Contacts as arrays: one row per touching pair, and the points of its manifold. A pair with a
/// surface has one row per patch, one after the other, ascending by their lowest part.
///
/// Contact i has the points `offset[i]` ... `offset[i + 1] - 1`, ascending by feature, or with
/// parts by part and feature. Lengths are in the units of the scene.
template <int D, class T>
struct WIDEPHASE_API ContactBuffer {
  Column<Pair> pair;               ///< shape ids; A is the first named
  Column<std::int64_t> source;     ///< place in the pair list
  Column<SizeOf<T>, D> normal;     ///< unit, from A to B
  Column<SizeOf<T>> depth;         ///< moving B by depth * normal separates; < 0: apart by -depth
  Column<std::uint8_t> status;     ///< a `Status`
  Column<std::int64_t> offset;     ///< size() + 1 entries into the points
  /// On the face of A that meets B, moved by A's radius along the normal; B's is point -
  /// point_depth * normal, likewise. The deepest is on both surfaces, and so are all points of
  /// shapes without rounding. Others of capsules and rounded shapes that lean may lie inside.
  Column<PositionOf<T>, D> point;
  Column<SizeOf<T>> point_depth;   ///< of this point, along the contact's normal; like `depth`
  Column<std::uint32_t> feature;   ///< high half A's, low half B's (`feature_half`)
  /// The triangles (2D: segments) of A and of B that the point is on and its feature belongs to, -1
  /// for a shape without. Empty unless the scene has a surface.
  Column<std::int32_t, 2> part;
  /// With `Order::world`: the first contact of each world, worlds + 1 entries (the contacts of
  /// pairs of two shapes of world -1 come before the first). Otherwise empty.
  Column<std::int64_t> world_offset;

  /// Contacts.
  std::size_t size() const { return pair.size(); }
  /// Points of all contacts together.
  std::size_t point_count() const { return point_depth.size(); }

  /// Takes all contacts away and keeps the memory.
  void clear();
  /// Bytes held.
  std::size_t bytes() const;
};

/// op(column) for each column with one row per contact, without `offset`; for several buffers,
/// op(column of the first, column of the second, ...).
template <class Op, class First, class... Rest>
void for_each_contact_column(const Op& op, First& first, Rest&... rest) {
  op(first.pair, rest.pair...);
  op(first.source, rest.source...);
  op(first.normal, rest.normal...);
  op(first.depth, rest.depth...);
  op(first.status, rest.status...);
}
/// The same for the columns with a row per point. `part` is one of them where the first buffer has
/// it.
template <class Op, class First, class... Rest>
void for_each_point_column(const Op& op, First& first, Rest&... rest) {
  op(first.point, rest.point...);
  op(first.point_depth, rest.point_depth...);
  op(first.feature, rest.feature...);
  if (!first.part.empty()) op(first.part, rest.part...);
}

/// A hash of every contact array, lengths included, without an empty `part`; alike on every
/// machine. 16 hex digits when printed.
template <int D, class T>
WIDEPHASE_API std::uint64_t hash(const ContactBuffer<D, T>& contacts);

/// A hash of what the contacts are, in whatever order and wherever their pairs were listed: that of
/// several buffers together is the sum of theirs. Goes by all columns but `source`, `offset` and
/// `world_offset`; points without a `part` count as -1. Alike on every machine.
template <int D, class T>
WIDEPHASE_API std::uint64_t content_hash(const ContactBuffer<D, T>& contacts);

}  // namespace widephase
