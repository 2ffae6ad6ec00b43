#pragma once

// The shapes of a robot as cores in the frames of its nodes.

#include <vector>

#include <widephase/robot.hpp>

#include "kernels/robot_table.hpp"
#include "pipeline/robots/frame.hpp"
#include "soa/kind_traits.hpp"

namespace widephase {

/// A shape's core in the frame of its node; `core` has no numbers that are rounded yet.
struct NodeConvex {
  CheckObstacle core{};
  std::array<double, 3> center{}, inside{};  ///< of the box or hull
  double radius = 0;                         ///< with the margin of the shape
  bool is_exact = true;  ///< whether it is that core; else the core is around it
  double reach = 0;      ///< how far from its node it is at most
  std::size_t ball_count = 0;
};

/// The shape of a row in a body whose frame in the node is `frame`. `margin` is the shape's own,
/// and `balls` are those of it in the body. Appends vertices of hulls.
NodeConvex convex_of(const SceneColumns<3, double>& shapes, Kind kind, std::size_t row,
                     const Frame& frame, double margin, const std::vector<Ball>& balls,
                     std::vector<float>& vertices);

}  // namespace widephase
