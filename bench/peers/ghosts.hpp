#pragma once

// How peers answer ghosts_bench: contacts of shapes with a level floor that is cut into triangles.

#include <memory>
#include <string>
#include <vector>

#include <widephase/scene.hpp>

#include "peer_build.hpp"

namespace widephase::bench {

/// A square of cells on the plane z = 0, from the origin along x and y. Each cell is two triangles.
struct Floor {
  int cells = 64;  ///< along each side
  float cell = 0.1f;
  double side() const { return cells * static_cast<double>(cell); }
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
