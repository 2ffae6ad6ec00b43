#pragma once

// What `distances` and `min_distance` share: pairs to contacts of any distance, and those to rows.

#include <widephase/distance.hpp>

#include "workspace.hpp"

namespace widephase {

/// Every pair is nearer than this; twice as much is still a number.
template <class T>
inline constexpr double kAnyDistance = static_cast<double>(std::numeric_limits<T>::max() / 8);

/// The contact's deepest point into a row of distances.
template <int D, class T>
void put_distance(const ContactBuffer<D, T>& contacts, std::size_t contact, std::size_t row,
                  DistanceBuffer<D, T>& distances) {
  auto deepest = static_cast<std::size_t>(contacts.offset[contact]);
  const auto end = static_cast<std::size_t>(contacts.offset[contact + 1]);
  // Of points as deep, that of the lowest features in the pair's natural order: the same one
  // whichever shape is named first.
  const bool is_swapped = contacts.pair[contact].a > contacts.pair[contact].b;
  const auto natural_feature = [&](std::size_t point) {
    const std::uint32_t feature = contacts.feature[point];
    return is_swapped ? feature << 16 | feature >> 16 : feature;
  };
  for (std::size_t point = deepest + 1; point < end; ++point) {
    const SizeOf<T> depth = contacts.point_depth[point], most = contacts.point_depth[deepest];
    if (depth > most || (depth == most && natural_feature(point) < natural_feature(deepest))) {
      deepest = point;
    }
  }
  const SizeOf<T> depth = contacts.depth[contact];
  distances.distance[row] = -depth;
  distances.feature[row] = contacts.feature[deepest];
  distances.status[row] = contacts.status[contact];
  for (int k = 0; k < D; ++k) {
    const SizeOf<T> normal = contacts.normal(contact, k);
    const PositionOf<T> point = contacts.point(deepest, k);
    distances.normal(row, k) = normal;
    distances.point_a(row, k) = point;
    distances.point_b(row, k) =
        point - static_cast<PositionOf<T>>(depth) * static_cast<PositionOf<T>>(normal);
  }
}

/// A contact of each of the pairs that `state.narrow` has bucketed, `pairs` of them, into
/// `state.contacts`.
template <int D, class T>
void find_distances(const SceneSpan<D, T>& scene, std::size_t pairs, const CollideOptions& options,
                    const KernelTable<D, SizeOf<T>>& table,
                    typename Workspace<D, T>::State& state) {
  state.narrow.find_contacts({state.rows, scene.domain, kAnyDistance<SizeOf<T>>, options.method,
                              table, options.warm_starts, Question::deepest},
                             options.threads, state.contacts, state.stats);
  // Numbers beyond those that docs/conventions.md allows are no contact.
  if (state.contacts.size() != pairs) {
    throw Error("a distance overflows; keep lengths below 1e9 (float) or 1e75 (double)");
  }
}

template <int D, class T>
void resize_uninitialized(DistanceBuffer<D, T>& distances, std::size_t rows) {
  const auto resize = [&](auto& column) { column.resize_uninitialized(rows); };
  resize(distances.distance);
  resize(distances.normal);
  resize(distances.point_a);
  resize(distances.point_b);
  resize(distances.feature);
  resize(distances.status);
}

}  // namespace widephase
