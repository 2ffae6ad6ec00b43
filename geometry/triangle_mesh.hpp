#pragma once

#include <cstdint>
#include <vector>

#include "geometry/orientation.hpp"

namespace widephase {

/// Triangle t has the half-edges 3t, 3t + 1, 3t + 2, counter-clockwise.
struct TriangleMesh {
  std::vector<std::int32_t> origin;  ///< of a half-edge: the point where it begins
  std::vector<std::int32_t> twin;    ///< of a half-edge: the other side's; -1 on the outline

  std::int32_t size() const { return static_cast<std::int32_t>(origin.size()); }
  static std::int32_t next(std::int32_t half_edge) {
    return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
  }
  static std::int32_t previous(std::int32_t half_edge) {
    return half_edge % 3 == 0 ? half_edge + 2 : half_edge - 1;
  }
};

/// Turns sides between two triangles until the triangles are Delaunay's but for rounding: fat ones,
/// of which fewer parts can be made than of a sweep's slivers. The number of turns is limited, so
/// an outline made to need more keeps some slivers.
void make_delaunay(const std::vector<Point2>& points, TriangleMesh& mesh);

}  // namespace widephase
