#pragma once

// What shape casts keep from one call to the next.

#include <cstdint>
#include <vector>

#include <widephase/distance.hpp>

#include "kernels/cast_table.hpp"
#include "pipeline/rows/pair_filter.hpp"
#include "pipeline/rows/scene_rows.hpp"

namespace widephase {

/// The overlaps at the start that one task found: (kept, moving).
struct CastStarts {
  Column<Pair> pairs;
  std::size_t count = 0;
};

template <int D, class T>
struct CastScratch {
  std::vector<CastFound> found;     ///< by row
  Column<std::int32_t> rows;        ///< of the answers that are measured
  Column<Pair> pairs;               ///< of these, by the ids of the rows that kernels read
  DistanceBuffer<D, T> distances;   ///< of these
  SceneRows<D, T> placed;           ///< both shapes of each hit, B where it touches
  Column<std::uint8_t> world_mask;  ///< by world
  std::vector<CastStarts> starts;   ///< of each task
  PairFilter filter;

  std::size_t bytes() const {
    std::size_t sum = found.capacity() * sizeof(CastFound) + rows.bytes() + pairs.bytes() +
                      placed.bytes() + world_mask.bytes() + filter.bytes() +
                      distances.distance.bytes() + distances.normal.bytes() +
                      distances.point_a.bytes() + distances.point_b.bytes() +
                      distances.feature.bytes() + distances.status.bytes();
    for (const CastStarts& of_task : starts) sum += sizeof of_task + of_task.pairs.bytes();
    return sum;
  }
};

}  // namespace widephase
