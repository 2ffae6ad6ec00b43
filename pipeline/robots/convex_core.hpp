#pragma once

// What the test of two convexes (kernels/robots/convex.hpp) needs of a core.

#include <array>
#include <vector>

#include "kernels/robot_table.hpp"

namespace widephase {

/// How far witnesses of that test may be off, as a share of the largest coordinate of a shape and
/// with u = 2^-24 and 3^(1/2) for lengths: choosing the support point 20 u, placing it 10 u, the
/// difference and the product with a direction 4 u, the weighted sum 10 u, a cylinder's rim 6 u.
inline constexpr double kConvexRoundings = 96 * 0x1p-24;
/// Hulls of more vertices are asked as boxes around them.
inline constexpr std::size_t kMostConvexVertices = 256;

/// Writes a point inside of a core that is no hull.
void find_inside(CheckObstacle& core);

/// Appends vertices, and writes where they are.
void append_vertices(const std::vector<std::array<double, 3>>& vertices, std::vector<float>& to,
                     std::int32_t& first, std::int32_t& count);

}  // namespace widephase
