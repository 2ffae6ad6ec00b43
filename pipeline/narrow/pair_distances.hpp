#pragma once

// Shared by `distances` and `min_distance`: pairs become contacts of any distance, and these become
// rows.

#include <algorithm>

#include "pipeline/narrow/narrow_phase.hpp"
#include "soa/mirrored_feature.hpp"
#include "soa/resize_together.hpp"

namespace widephase {

/// Every pair is nearer than this; twice as much is still finite.
template <class T>
inline constexpr double kAnyDistance = static_cast<double>(std::numeric_limits<T>::max() / 8);

/// The question to the kernels for distances.
template <int D, class T>
typename NarrowPhase<D, T>::Inputs distance_inputs(const SceneSpan<D, T>& scene,
                                                   const CollideOptions& options,
                                                   const KernelTable<D, SizeOf<T>>& table,
                                                   const SceneRows<D, T>& rows) {
  return {rows,  scene.domain,        kAnyDistance<SizeOf<T>>, options.method,
          table, options.warm_starts, Question::deepest};
}

/// Throws if a pair has no answer: pairs with numbers beyond those that docs/conventions.md allows
/// are not contacts.
inline void require_all_distances(std::size_t answers, std::size_t pairs) {
  if (answers == pairs) return;
  throw Error("a distance overflows; keep lengths below 1e9 (float) or 1e75 (double)");
}

/// A contact's deepest point; of equally deep ones that of the lowest features in the pair's
/// natural order: the same one whichever shape is named first.
template <int D, class T>
std::size_t deepest_point(const ContactBuffer<D, T>& contacts, std::size_t contact) {
  auto deepest = static_cast<std::size_t>(contacts.offset[contact]);
  const auto end = static_cast<std::size_t>(contacts.offset[contact + 1]);
  const bool is_swapped = contacts.pair[contact].a > contacts.pair[contact].b;
  const auto natural_feature = [&](std::size_t point) {
    const std::uint32_t feature = contacts.feature[point];
    return is_swapped ? mirrored_feature(feature) : feature;
  };
  for (std::size_t point = deepest + 1; point < end; ++point) {
    const SizeOf<T> depth = contacts.point_depth[point], most = contacts.point_depth[deepest];
    if (depth > most || (depth == most && natural_feature(point) < natural_feature(deepest))) {
      deepest = point;
    }
  }
  return deepest;
}

/// Turns contacts [begin, end) with their points `point_of(i)` into rows of distances: contact i
/// into `row_of(i)`.
template <int D, class T, class PointOf, class RowOf>
void put_distances(const ContactBuffer<D, T>& contacts, std::size_t begin, std::size_t end,
                   const PointOf& point_of, const RowOf& row_of, DistanceBuffer<D, T>& rows) {
  using Position = PositionOf<T>;
  // Column by column, so that the loops are vectorized if rows are consecutive.
  const auto put = [&](const auto& value_of, auto* to) {
    for (std::size_t i = begin; i < end; ++i) to[row_of(i)] = value_of(i);
  };
  const SizeOf<T>* const depth = contacts.depth.plane();
  const std::uint32_t* const feature = contacts.feature.plane();
  const std::uint8_t* const status = contacts.status.plane();
  put([=](std::size_t i) { return -depth[i]; }, rows.distance.plane());
  put([=](std::size_t i) { return feature[point_of(i)]; }, rows.feature.plane());
  put([=](std::size_t i) { return status[i]; }, rows.status.plane());
  for (int k = 0; k < D; ++k) {
    const SizeOf<T>* const normal = contacts.normal.plane(k);
    const Position* const point = contacts.point.plane(k);
    put([=](std::size_t i) { return normal[i]; }, rows.normal.plane(k));
    put([=](std::size_t i) { return point[point_of(i)]; }, rows.point_a.plane(k));
    const auto partner = [=](std::size_t i) {
      return point[point_of(i)] -
             static_cast<Position>(depth[i]) * static_cast<Position>(normal[i]);
    };
    put(partner, rows.point_b.plane(k));
  }
}
/// The same with the deepest point of each.
template <int D, class T, class RowOf>
void put_distances(const ContactBuffer<D, T>& contacts, std::size_t begin, std::size_t end,
                   const RowOf& row_of, DistanceBuffer<D, T>& rows) {
  constexpr std::size_t kAtOnce = 256;
  std::size_t deepest[kAtOnce];
  for (std::size_t first = begin; first < end; first += kAtOnce) {
    const std::size_t next = std::min(first + kAtOnce, end);
    const auto first_point = static_cast<std::size_t>(contacts.offset[first]);
    if (static_cast<std::size_t>(contacts.offset[next]) - first_point == next - first) {
      const auto only_point = [=](std::size_t i) { return first_point + (i - first); };
      put_distances(contacts, first, next, only_point, row_of, rows);
      continue;
    }
    for (std::size_t i = first; i < next; ++i) deepest[i - first] = deepest_point(contacts, i);
    const std::size_t* const of_first = deepest;
    const auto deepest_of = [=](std::size_t i) { return of_first[i - first]; };
    put_distances(contacts, first, next, deepest_of, row_of, rows);
  }
}

/// All contacts of a chunk by their sources.
template <int D, class T>
void put_distances(const ContactBuffer<D, T>& contacts, DistanceBuffer<D, T>& rows) {
  const std::size_t count = contacts.size();
  if (count == 0) return;
  const std::int64_t* const source = contacts.source.plane();
  const auto first = static_cast<std::size_t>(source[0]);
  // Sources ascend.
  if (static_cast<std::size_t>(source[count - 1]) == first + (count - 1)) {
    put_distances(
        contacts, 0, count, [=](std::size_t i) { return first + i; }, rows);
  } else {
    put_distances(
        contacts, 0, count, [=](std::size_t i) { return static_cast<std::size_t>(source[i]); },
        rows);
  }
}

/// Throws `Error` for a pair of two kinds that have no answer, by `can_have`; `lack` says which.
inline void require_answers(const SceneLayout& layout, std::span<const Pair> pairs, int dimension,
                            bool (*can_have)(Kind, Kind, int), const char* lack) {
  bool may_be_any = false;
  for (int kind = 0; kind < kPairKindCount; ++kind) {
    const KindsOfPair kinds = kinds_of(kind);
    const bool has_both = kinds.a == kinds.b
                              ? layout.count(kinds.a) > 1
                              : layout.count(kinds.a) > 0 && layout.count(kinds.b) > 0;
    may_be_any |= has_both && !can_have(kinds.a, kinds.b, dimension);
  }
  for (std::size_t row = 0; row < pairs.size() && may_be_any; ++row) {
    const Kind a = layout.kind_of(pairs[row].a), b = layout.kind_of(pairs[row].b);
    if (can_have(a, b, dimension)) continue;
    const std::string first(kind_name(a, dimension)), second(kind_name(b, dimension));
    const std::string both = a != b ? "a " + first + " and a " + second
                                    : "two " + first + (first.ends_with("sh") ? "es" : "s");
    throw Error(Finding{"pairs", static_cast<std::int64_t>(row),
                        "names " + both + ", which have no " + lack + "; leave such pairs out"});
  }
}

template <int D, class T>
void resize_uninitialized(DistanceBuffer<D, T>& distances, std::size_t rows) {
  resize_together(rows, distances.distance, distances.normal, distances.point_a, distances.point_b,
                  distances.feature, distances.status);
}

/// The triangles of the same points.
template <int D, class T>
void put_parts(const ContactBuffer<D, T>& contacts, Column<std::int32_t, 2>& parts) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const std::size_t point = deepest_point(contacts, i);
    const auto row = static_cast<std::size_t>(contacts.source[i]);
    for (const int side : {0, 1}) parts(row, side) = contacts.part(point, side);
  }
}

}  // namespace widephase
