#pragma once

// What the broad phase of a peer offers to peers_broad_bench.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <widephase/bounds.hpp>
#include <widephase/pairs.hpp>

#include "peer_build.hpp"

namespace widephase::bench {

/// The broad phase of a peer over some boxes, with its objects made.
class BroadPeer {
 public:
  virtual ~BroadPeer() = default;
  /// From boxes to pairs, with a new tree. Each pair comes once, in either order. The pairs stay
  /// valid until the next call.
  virtual std::span<const Pair> find() = 0;
};

struct BroadPeerMaker {
  std::string who;
  std::unique_ptr<BroadPeer> (*make)(const BoundsBuffer<3, float>& boxes);
};

/// Everything that an adapter offers.
struct BroadPeers {
  PeerBuild build;
  std::vector<BroadPeerMaker> makers;
};

template <class Made>
std::unique_ptr<BroadPeer> make_broad(const BoundsBuffer<3, float>& boxes) {
  return std::make_unique<Made>(boxes);
}

}  // namespace widephase::bench
