#pragma once

// The sizes of each kind's packed rows, which the pipeline writes and the kernels read.
// `make_pair_kernel` checks at compile time that rows in lanes have these sizes. The instruction
// sets' objects ask only there: they must not share a function with others.

#include <widephase/types.hpp>

#include "soa/kind_traits.hpp"

namespace widephase {

/// Numbers of a point among the anchors.
inline constexpr int kAnchorNumbers = 4;

struct KindRows {
  int width2;   ///< numbers per packed row in 2D (kernels/core/basis/rows.hpp); 0 if it has none
  int width3;   ///< in 3D
  int anchors;  ///< points that are kept in double in mixed precision
};

constexpr KindRows rows_of(Kind kind) {
  switch (kind) {
    case Kind::sphere:
      return {4, 4, 1};
    case Kind::capsule:
      return {8, 8, 2};
    case Kind::aabb:
      return {4, 8, 2};
    case Kind::box:
      return {8, 16, 1};
    case Kind::polygon:
    case Kind::chain:
      return {8, 0, 1};
    case Kind::hull:
    case Kind::cylinder:
    case Kind::ellipsoid:
    case Kind::cone:
    case Kind::heightfield:
    case Kind::mesh:
      return {0, 16, 1};
    case Kind::halfspace:
      return {8, 8, 1};
  }
  return {};
}

/// Numbers of a packed row of a kind.
constexpr int row_width(Kind kind, int dimension) {
  return dimension == 2 ? rows_of(kind).width2 : rows_of(kind).width3;
}
/// Numbers of a shape's anchors.
constexpr int anchor_width(Kind kind) { return kAnchorNumbers * rows_of(kind).anchors; }

constexpr bool has_every_row() {
  for (int k = 0; k < kKindCount; ++k) {
    const Kind kind = static_cast<Kind>(k);
    for (const int dimension : {2, 3}) {
      if (is_in(kind, dimension) != (row_width(kind, dimension) > 0)) return false;
    }
  }
  return true;
}
static_assert(has_every_row());

}  // namespace widephase
