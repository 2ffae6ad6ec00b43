#pragma once

// The boxes of many obstacles as a tree of tiles of sixteen, for the check in float
// (kernels/robots/tile_tree.hpp).

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/robot_table.hpp"

namespace widephase {

struct Obstacle;

class ObstacleTree {
 public:
  /// `size` is no less than any coordinate of what asks.
  ObstacleTree(double size, std::span<const Obstacle> obstacles, std::span<const std::int32_t> ids);

  /// As it is read, for as long as this lives; without the job's obstacles.
  const CheckTiles& tiles() const { return tree_; }
  /// The id at each place of level 0.
  const std::vector<std::int32_t>& ids() const { return ids_; }

 private:
  std::vector<std::int32_t> ids_;
  std::vector<float> tiles_;
  CheckTiles tree_{};
};

}  // namespace widephase
