#pragma once

// The chains that 2D shapes share (`SceneColumns<2, T>::chain_geometries`).

#include <type_traits>

#include <widephase/export.h>
#include <widephase/shapes.hpp>

namespace widephase {

/// The most vertices of a chain, so that all segments have numbers.
inline constexpr std::int64_t kMostSegments = std::int64_t{1} << 29;

/// How a chain is read (`ChainTable`).
struct ChainOptions {
  bool loop = false;        ///< a segment leads from the last vertex to the first
  bool two_sided = false;   ///< both sides are fronts, not the right one alone
  std::int32_t before = 0;  ///< how many of its first segments are a neighbour's; 0 for loops
  std::int32_t after = 0;   ///< how many of its last segments are
};

/// Appends a chain and returns its index. Vertices are finite, (n, 2), in the order in which the
/// front is to the right.
///
/// Throws `Error` naming `vertices`, `before` or `after`, with the row where a number is at fault;
/// the table then stays as it was. What is allowed is in `ChainTable`.
template <class T>
WIDEPHASE_API std::int32_t add_chain(ChainTable<Owned<2, T>>& table,
                                     const std::type_identity_t<ColumnSpan<T, 2>>& vertices,
                                     const ChainOptions& options = {});

}  // namespace widephase
