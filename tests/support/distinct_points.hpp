#pragma once

// Points that a manifold has twice: in one place, as deep, under the features of a shape that has
// no extent between them. A place alone does not tell: ends of a capsule that stands on A are over
// one another, what is shorter than rounding has its ends in one place, and corners may fall
// together with where an edge is cut, by rounding.

#include <array>
#include <set>

#include "reference/solid.hpp"

namespace widephase::test {

/// Whether a contact's features name a vertex.
inline bool names_vertex(std::uint32_t feature) {
  const auto is_vertex = [](std::uint32_t half) {
    return half >> 14 == static_cast<std::uint32_t>(Feature::vertex);
  };
  return is_vertex(feature >> 16) || is_vertex(feature & 0xffff);
}

/// Whether two features of a shape are one, or in one place since the shape is degenerate.
template <int D>
bool is_one_place(const Solid<D>& solid, std::uint32_t first, std::uint32_t second);

}  // namespace widephase::test
