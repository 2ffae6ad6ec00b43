#include "soa/join_column.hpp"

#include <algorithm>

namespace widephase {

namespace {

/// `default_of(id)` for the shapes of a table without the column.
template <class N, class Default>
void join(const ColumnOfKinds<N>& columns, const SceneLayout& layout, const Threads& threads,
          const Default& default_of, Column<N>& joined) {
  joined.clear();
  const auto is_empty = [](const ColumnSpan<N>& column) { return column.empty(); };
  if (std::all_of(columns.begin(), columns.end(), is_empty)) return;
  joined.resize_uninitialized(static_cast<std::size_t>(layout.shape_count()));
  for (int kind = 0; kind < kKindCount; ++kind) {
    const auto rows = static_cast<std::size_t>(layout.count(static_cast<Kind>(kind)));
    const auto first = static_cast<std::size_t>(layout.first[kind]);
    const ColumnSpan<N> column = columns[static_cast<std::size_t>(kind)];
    N* const to = joined.plane() + first;
    for_chunks(threads, (rows + kShapesAChunk - 1) / kShapesAChunk, [&](std::size_t chunk) {
      const std::size_t begin = chunk * kShapesAChunk;
      const std::size_t end = std::min(begin + kShapesAChunk, rows);
      if (column.empty()) {
        for (std::size_t i = begin; i < end; ++i) to[i] = default_of(first + i);
      } else {
        for (std::size_t i = begin; i < end; ++i) to[i] = column[i];
      }
    });
  }
}

}  // namespace

template <class N>
void join_column(const ColumnOfKinds<N>& columns, const SceneLayout& layout, const Threads& threads,
                 N default_value, Column<N>& joined) {
  join(columns, layout, threads, [=](std::size_t) { return default_value; }, joined);
}

void join_keys(const ColumnOfKinds<std::int64_t>& keys, const SceneLayout& layout,
               const Threads& threads, Column<std::int64_t>& joined) {
  join(
      keys, layout, threads, [](std::size_t id) { return static_cast<std::int64_t>(id); }, joined);
}

#define WIDEPHASE_INSTANTIATE(N)                                                           \
  template void join_column(const ColumnOfKinds<N>&, const SceneLayout&, const Threads&, N, \
                            Column<N>&);
WIDEPHASE_INSTANTIATE(float)
WIDEPHASE_INSTANTIATE(double)
WIDEPHASE_INSTANTIATE(std::int32_t)
WIDEPHASE_INSTANTIATE(std::uint32_t)
WIDEPHASE_INSTANTIATE(std::uint8_t)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase
