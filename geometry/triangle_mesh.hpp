#pragma once

#include <cstdint>
#include <vector>

#include "geometry/orientation.hpp"

namespace widephase {

/// Triangle t has the half-edges 3t, 3t + 1, 3t + 2, counter-clockwise.
struct TriangleMesh {
  std::vector<std::int32_t> origin;  ///< per half-edge: the point where it begins
  std::vector<std::int32_t> twin;    ///< per half-edge: the other side's; -1 on the outline

  std::int32_t size() const { return static_cast<std::int32_t>(origin.size()); }
  static std::int32_t next(std::int32_t half_edge) {
    return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
  }
  static std::int32_t previous(std::int32_t half_edge) {
    return half_edge % 3 == 0 ? half_edge + 2 : half_edge - 1;
  }
};

/// Flips sides between two triangles until the triangles are Delaunay's up to rounding. Fat
/// triangles give fewer parts than a sweep's slivers. The number of flips is limited, so an outline
/// built to need more keeps some slivers.
void make_delaunay(const std::vector<Point2>& points, TriangleMesh& mesh);

}  // namespace widephase
