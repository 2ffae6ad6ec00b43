// FCL's dynamic tree of bounding boxes for peers_broad_bench: objects are registered in one call,
// and the tree is collided with itself. Objects are points whose boxes are set by hand.

#include <fcl/fcl.h>

#include "peer_flags.hpp"
#include "peers_broad.hpp"

namespace widephase::bench {
namespace {

class FclTree : public BroadPeer {
 public:
  explicit FclTree(const BoundsBuffer<3, float>& boxes) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      Eigen::Vector3f half, centre;
      for (int d = 0; d < 3; ++d) {
        const auto axis = static_cast<std::size_t>(d);
        half[d] = (boxes.max(i, axis) - boxes.min(i, axis)) / 2;
        centre[d] = (boxes.max(i, axis) + boxes.min(i, axis)) / 2;
      }
      auto shape = std::make_shared<fcl::Boxf>(2 * half);
      objects_.push_back(
          std::make_unique<fcl::CollisionObjectf>(shape, Eigen::Matrix3f::Identity(), centre));
      objects_.back()->setUserData(reinterpret_cast<void*>(i));
      all_.push_back(objects_.back().get());
    }
  }

  std::span<const Pair> find() override {
    pairs_.clear();
    fcl::DynamicAABBTreeCollisionManagerf manager;
    manager.registerObjects(all_);
    manager.setup();
    manager.collide(&pairs_, [](fcl::CollisionObjectf* a, fcl::CollisionObjectf* b, void* list) {
      if (!a->getAABB().overlap(b->getAABB())) return false;
      const auto id = [](const fcl::CollisionObjectf* object) {
        return static_cast<std::int32_t>(reinterpret_cast<std::size_t>(object->getUserData()));
      };
      static_cast<std::vector<Pair>*>(list)->push_back({id(a), id(b)});
      return false;
    });
    return pairs_;
  }

 private:
  std::vector<std::unique_ptr<fcl::CollisionObjectf>> objects_;
  std::vector<fcl::CollisionObjectf*> all_;
  std::vector<Pair> pairs_;
};

}  // namespace

WIDEPHASE_ADAPTER void add_peers(BroadPeers& peers) {
  peers = {{"broad_fcl", FCL_VERSION, WIDEPHASE_PEER_FLAGS}, {{"fcl", make_broad<FclTree>}}};
}

}  // namespace widephase::bench
