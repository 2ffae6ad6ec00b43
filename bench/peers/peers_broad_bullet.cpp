// Bullet's dynamic tree (btDbvt) for peers_broad_bench: leaves are inserted one by one, and the
// tree is collided with itself. Each pair comes once.

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include "peer_flags.hpp"
#include "peers_broad.hpp"

namespace widephase::bench {
namespace {

class BulletTree : public BroadPeer {
 public:
  explicit BulletTree(const BoundsBuffer<3, float>& boxes) : boxes_(boxes) {}

  std::span<const Pair> find() override {
    pairs_.clear();
    btDbvt tree;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const auto corner = [&](const auto& side) {
        return btVector3(side(i, 0), side(i, 1), side(i, 2));
      };
      tree.insert(btDbvtVolume::FromMM(corner(boxes_.min), corner(boxes_.max)),
                  reinterpret_cast<void*>(i));
    }
    Collector collector{{}, pairs_};
    tree.collideTT(tree.m_root, tree.m_root, collector);
    return pairs_;
  }

 private:
  struct Collector : btDbvt::ICollide {
    Collector(const btDbvt::ICollide& base, std::vector<Pair>& list)
        : btDbvt::ICollide(base), pairs(list) {}
    void Process(const btDbvtNode* a, const btDbvtNode* b) override {
      pairs.push_back({static_cast<std::int32_t>(reinterpret_cast<std::size_t>(a->data)),
                       static_cast<std::int32_t>(reinterpret_cast<std::size_t>(b->data))});
    }
    std::vector<Pair>& pairs;
  };

  const BoundsBuffer<3, float>& boxes_;
  std::vector<Pair> pairs_;
};

}  // namespace

WIDEPHASE_ADAPTER void add_peers(BroadPeers& peers) {
  const int version = btGetVersion();
  peers = {{"broad_bullet", std::to_string(version / 100) + "." + std::to_string(version % 100),
            WIDEPHASE_PEER_FLAGS},
           {{"bullet", make_broad<BulletTree>}}};
}

}  // namespace widephase::bench
