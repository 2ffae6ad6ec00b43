#pragma once

#include <optional>
#include <vector>

#include <widephase/shapes.hpp>

namespace widephase {

/// What is wrong with the columns of a table before any vertex is read: the offsets must rise from
/// 0 to the number of vertices, and the other columns have a row per chain. An empty table is
/// valid.
template <class T>
std::optional<Finding> wrong_chain_layout(const ChainTable<Borrowed<2, T>>& table);

/// What is wrong with chain `c` of a table whose layout is right: too many vertices or ones that
/// are not finite, `before` or `after` that do not fit, no own segment with a length.
template <class T>
std::optional<Finding> wrong_chain(const ChainTable<Borrowed<2, T>>& table, std::size_t c);

/// What is wrong with the chains of a scene, the first finding per chain, in their order, at most
/// `limit`.
template <class T>
std::vector<Finding> chain_findings(const ChainTable<Borrowed<2, T>>& table, std::size_t limit);

/// The segments of a chain whose layout is right, by their numbers: [own_begin, own_end) of them
/// are its own.
struct ChainSegments {
  std::int64_t first_vertex, vertices, segments, own_begin, own_end;
  bool is_loop;
};
template <class T>
ChainSegments segments_of(const ChainTable<Borrowed<2, T>>& table, std::size_t c);

}  // namespace widephase
