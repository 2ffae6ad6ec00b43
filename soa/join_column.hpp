#pragma once

// Optional columns of a scene's tables as one column by id.

#include <widephase/executor.hpp>
#include <widephase/scene.hpp>

#include "soa/threads.hpp"

namespace widephase {

inline constexpr std::size_t kShapesAChunk = 16384;

/// Brings an optional column of all tables into one by id, or empties it when no table has it;
/// `default_of(id)` where a table has none.
template <int D, class T, class N, class Member, class Default>
void join_column_by_id(const SceneSpan<D, T>& scene, const SceneLayout& layout,
                       const Threads& threads, const Member& column_of, const Default& default_of,
                       Column<N>& joined) {
  bool is_present = false;
  for_each_table(scene, [&](const auto& table) { is_present |= !column_of(table).empty(); });
  joined.clear();
  if (!is_present) return;
  joined.resize_uninitialized(static_cast<std::size_t>(layout.shape_count()));
  for_each_table(scene, [&](const auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    const std::size_t rows = row_count(table);
    const auto first = static_cast<std::size_t>(layout.first[static_cast<int>(Table::kind)]);
    N* const to = joined.plane() + first;
    const auto& column = column_of(table);
    for_chunks(threads, (rows + kShapesAChunk - 1) / kShapesAChunk, [&](std::size_t chunk) {
      const std::size_t begin = chunk * kShapesAChunk;
      const std::size_t end = begin + kShapesAChunk < rows ? begin + kShapesAChunk : rows;
      for (std::size_t i = begin; i < end; ++i) to[i] = value_or(column, i, default_of(first + i));
    });
  });
}

template <int D, class T, class N, class Member>
void join_column(const SceneSpan<D, T>& scene, const SceneLayout& layout, const Threads& threads,
                 const Member& column_of, N default_value, Column<N>& joined) {
  join_column_by_id(
      scene, layout, threads, column_of, [=](std::size_t) { return default_value; }, joined);
}

}  // namespace widephase
