#pragma once

// What a broad phase beside ours gives to peers_broad_bench.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <widephase/bounds.hpp>
#include <widephase/pairs.hpp>

#include "peer_build.hpp"

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
  std::string who;
  std::unique_ptr<BroadPeer> (*make)(const BoundsBuffer<3, float>& boxes);
};

/// All that an adapter offers.
struct BroadPeers {
  PeerBuild build;
  std::vector<BroadPeerMaker> makers;
};

template <class Made>
std::unique_ptr<BroadPeer> make_broad(const BoundsBuffer<3, float>& boxes) {
  return std::make_unique<Made>(boxes);
}

}  // namespace widephase::bench
