#pragma once

// What a broad phase beside ours gives to peers_broad_bench.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <widephase/bounds.hpp>
#include <widephase/pairs.hpp>

namespace widephase::bench {

/// A peer's broad phase over some boxes, its objects made.
class BroadPeer {
 public:
  virtual ~BroadPeer() = default;
  /// From boxes to pairs, its tree built anew. Each pair once, in either order; good until the next
  /// call.
  virtual std::span<const Pair> find() = 0;
};

struct BroadPeerMaker {
  std::string name;
  std::unique_ptr<BroadPeer> (*make)(const BoundsBuffer<3, float>& boxes);
};

// Those that were found when the build was configured are linked and named by a macro.
BroadPeerMaker broad_bullet();
BroadPeerMaker broad_cgal();
BroadPeerMaker broad_embree();
BroadPeerMaker broad_embree_medium();
BroadPeerMaker broad_fcl();

}  // namespace widephase::bench
