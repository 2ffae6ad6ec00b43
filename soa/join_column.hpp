#pragma once

// Optional columns of a scene's tables as one column by id.

#include <widephase/executor.hpp>
#include <widephase/scene.hpp>

#include "soa/threads.hpp"

namespace widephase {

inline constexpr std::size_t kShapesAChunk = 16384;

/// A column that every table may have, by the kind of the table.
template <class N>
using ColumnOfKinds = std::array<ColumnSpan<N>, kKindCount>;

/// `column_of(table)` of all tables.
template <class N, int D, class T, class Member>
ColumnOfKinds<N> column_of_kinds(const SceneSpan<D, T>& scene, const Member& column_of) {
  ColumnOfKinds<N> columns;
  for_each_table(scene, [&](const auto& table) {
    columns[static_cast<std::size_t>(std::remove_cvref_t<decltype(table)>::kind)] =
        column_of(table);
  });
  return columns;
}

/// Brings a column of all tables into one by id, or empties it if no table has it. The shapes of a
/// table without it get `default_value`.
template <class N>
void join_column(const ColumnOfKinds<N>& columns, const SceneLayout& layout, const Threads& threads,
                 N default_value, Column<N>& joined);

/// The same for keys: a shape of a table without them gets its id.
void join_keys(const ColumnOfKinds<std::int64_t>& keys, const SceneLayout& layout,
               const Threads& threads, Column<std::int64_t>& joined);

}  // namespace widephase
