#pragma once

// Points as the check in float reads them (kernels/robots/points.hpp): a tree of tiles of sixteen,
// and a grid of distances.

#include <array>
#include <cstdint>
#include <vector>

#include <widephase/columns.hpp>
#include <widephase/executor.hpp>

#include "kernels/robot_table.hpp"

namespace widephase {

/// Roundings of a distance to an obstacle, as shares of the largest coordinate there: of its
/// numbers, of differences and of products with unit vectors, all below 32 * 2^-24.
inline constexpr double kRoundings = 32 * 0x1p-24;
/// An obstacle beyond has no numbers in float.
inline constexpr double kMostExtent = 1e12;
/// The most cells of a grid: more leave less to the tree, but wait longer for memory. They take
/// 0.8 MB, with what finds them; the tree takes 26 bytes per point.
inline constexpr double kMostPointCells = 1 << 17;

class PointGrid {
 public:
  /// None.
  PointGrid() = default;
  PointGrid(const Column<double, 3>& points, double radius, const Threads& threads);

  bool empty() const { return points_.count == 0; }
  /// Whether it can be asked: with larger numbers nothing was made.
  bool fits_floats() const { return extent_ + radius_ < kMostExtent; }
  double radius() const { return radius_; }
  /// No coordinate is beyond.
  double extent() const { return extent_; }
  /// No point is nearer to a place.
  double apart(const std::array<double, 3>& place) const;
  /// For a robot of which no ball is beyond `size`, nor larger than `most` with the margin.
  CheckPoints checked(double size, double most) const;

 private:
  void place_cells(const std::vector<float>& positions);
  void measure_cells(const std::vector<float>& positions, const std::vector<std::int32_t>& order,
                     const Threads& threads);

  double radius_ = 0, extent_ = 0;
  std::vector<float> tiles_;
  std::vector<std::uint16_t> apart_;
  std::vector<std::int32_t> nearest_;
  CheckPoints points_{};
};

}  // namespace widephase
