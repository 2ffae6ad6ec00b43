#pragma once

// How far obstacles are at least from places that a robot can reach: a grid for the check in float
// (kernels/robots/grid.hpp).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/robot_table.hpp"

namespace widephase {

struct Obstacle;

/// A box, and a world.
struct GridPlace {
  std::array<double, 3> low{}, high{};
  std::int32_t world = -1;
  bool operator==(const GridPlace&) const = default;
};

class ObstacleGrid {
 public:
  /// `size` is no less than any coordinate of what asks.
  ObstacleGrid(const GridPlace& place, double size, std::span<const Obstacle> obstacles,
               std::span<const std::int32_t> ids);

  /// As it is read, for as long as this lives.
  const CheckGrid& grid() const { return grid_; }
  /// What making one costs, as the number of times that it spares asking an obstacle of a lane.
  static constexpr double kCost = 1 << 22;

 private:
  struct Known {
    const Obstacle* obstacle;
    double distance;
  };
  void measure(std::array<std::int32_t, 3> first, std::int32_t side, std::size_t begin);

  std::vector<Known> open_;  ///< obstacles of the boxes that are halved, one list behind the other
  std::vector<double> distance_;
  std::vector<std::uint16_t> apart_;
  CheckGrid grid_{};
};

}  // namespace widephase
