#pragma once

// How peers answer ghosts_bench: contacts of shapes with a floor that is cut into triangles.

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <widephase/scene.hpp>

#include "peer_build.hpp"

namespace widephase::bench {

/// A square of cells from the origin along x and y. Each cell is two triangles.
struct Floor {
  int cells = 64;  ///< along each side
  float cell = 0.1f;
  std::vector<float> heights = {};  ///< of its corners, row by row; none: all are 0
  double side() const { return cells * static_cast<double>(cell); }
  float height(std::size_t corner) const { return heights.empty() ? 0 : heights[corner]; }
  std::size_t corners() const { return static_cast<std::size_t>((cells + 1) * (cells + 1)); }
  /// The least height and the greatest, at least 1 apart.
  std::array<float, 2> range() const {
    float low = height(0), high = low;
    for (const float z : heights) low = std::min(low, z), high = std::max(high, z);
    return {low, std::max(high, low + 1)};
  }
};

/// A point of contact with the floor.
struct FloorPoint {
  double up;  ///< the z of the unit normal that leads the shape away from the floor: 1 is right
  double depth;
};

/// A peer with its own copy of the floor and of the shapes.
class FloorPeer {
 public:
  virtual ~FloorPeer() = default;
  /// Appends the points of shape `id` that touch the floor.
  virtual void find(std::size_t id, std::vector<FloorPoint>& points) = 0;
};

struct FloorPeerMaker {
  std::string who;
  std::unique_ptr<FloorPeer> (*make)(const Floor& floor, const SceneColumns<3, float>& shapes);
};

/// Everything that an adapter offers.
struct FloorPeers {
  PeerBuild build;
  std::vector<FloorPeerMaker> makers;
};

}  // namespace widephase::bench
