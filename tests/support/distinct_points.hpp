#pragma once

// Detects points that a manifold has twice: in the same place with the same depth, under two
// features between which the shape has no extent. The place alone is not enough. The ends of a
// capsule that stands on A are above one another, an edge shorter than rounding has both ends in
// one place, and a corner may coincide by rounding with the point where an edge is cut.

#include <array>
#include <set>

#include "reference/solid.hpp"

namespace widephase::test {

/// Whether a contact's feature includes a vertex.
inline bool names_vertex(std::uint32_t feature) {
  const auto is_vertex = [](std::uint32_t half) {
    return half >> 14 == static_cast<std::uint32_t>(Feature::vertex);
  };
  return is_vertex(feature >> 16) || is_vertex(feature & 0xffff);
}

/// Whether two features of a shape are equal, or in the same place because the shape is degenerate.
template <int D>
bool is_one_place(const Solid<D>& solid, std::uint32_t first, std::uint32_t second);

}  // namespace widephase::test
