// Bullet's floors. `bullet`: a mesh of triangles (btBvhTriangleMeshShape). `bullet_edges`: the
// same, whose normals btInternalEdgeUtility adjusts as points are added; depths and points stay as
// they were. `bullet_field`: a btHeightfieldTerrainShape. Margins of the floors are 0.

#include <BulletCollision/CollisionDispatch/btInternalEdgeUtility.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>

#include "ghosts.hpp"
#include "peer_bullet.hpp"
#include "peer_flags.hpp"

namespace widephase::bench {
namespace {

enum class Way { mesh, adjusted, field };

bool adjust(btManifoldPoint& point, const btCollisionObjectWrapper* shape, int, int,
            const btCollisionObjectWrapper* floor, int part, int triangle) {
  btAdjustInternalEdgeContacts(point, floor, shape, part, triangle);
  return false;
}

class BulletFloor : public FloorPeer {
 public:
  BulletFloor(const Floor& floor, const SceneColumns<3, float>& shapes, Way way)
      : shapes_(shapes), way_(way) {
    btTransform place = btTransform::getIdentity();
    const int samples = floor.cells + 1;
    const auto half = static_cast<btScalar>(floor.side() / 2);
    if (way == Way::field) {
      for (std::size_t c = 0; c < floor.corners(); ++c) heights_.push_back(floor.height(c));
      const auto [low, high] = floor.range();
      floor_ = std::make_unique<btHeightfieldTerrainShape>(samples, samples, heights_.data(), low,
                                                           high, 2, false);
      floor_->setLocalScaling({floor.cell, floor.cell, 1});
      place.setOrigin({half, half, (low + high) / 2});
    } else {
      for (int row = 0; row < samples; ++row) {
        for (int column = 0; column < samples; ++column) {
          for (const int k : {column, row})
            vertices_.push_back(static_cast<btScalar>(k) * floor.cell);
          const int at = row * samples + column, above = at + samples;
          vertices_.push_back(floor.height(static_cast<std::size_t>(at)));
          if (row == floor.cells || column == floor.cells) continue;
          indices_.insert(indices_.end(), {at, at + 1, above + 1, at, above + 1, above});
        }
      }
      triangles_ = std::make_unique<btTriangleIndexVertexArray>(
          static_cast<int>(indices_.size() / 3), indices_.data(), 3 * int{sizeof(int)},
          static_cast<int>(vertices_.size() / 3), vertices_.data(), 3 * int{sizeof(btScalar)});
      auto mesh = std::make_unique<btBvhTriangleMeshShape>(triangles_.get(), true);
      if (way == Way::adjusted) {
        btGenerateInternalEdgeInfo(mesh.get(), &edges_);
        object_.setCollisionFlags(object_.getCollisionFlags() |
                                  btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
      }
      floor_ = std::move(mesh);
    }
    floor_->setMargin(0);
    object_.setCollisionShape(floor_.get());
    object_.setWorldTransform(place);
  }

  void find(std::size_t id, std::vector<FloorPoint>& points) override {
    gContactAddedCallback = way_ == Way::adjusted ? adjust : nullptr;
    const btCollisionObject& shape = *shapes_.objects[id];
    const btCollisionObjectWrapper a(nullptr, shape.getCollisionShape(), &shape,
                                     shape.getWorldTransform(), -1, -1);
    const btCollisionObjectWrapper b(nullptr, floor_.get(), &object_, object_.getWorldTransform(),
                                     -1, -1);
    btCollisionAlgorithm* const algorithm =
        shapes_.dispatcher.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    btManifoldResult result(&a, &b);
    algorithm->processCollision(&a, &b, shapes_.info, &result);
    btManifoldArray manifolds;
    algorithm->getAllContactManifolds(manifolds);
    for (int m = 0; m < manifolds.size(); ++m) {
      // Its normal leads from the second object of the manifold to the first.
      const bool is_second = manifolds[m]->getBody1() == &object_;
      for (int i = 0; i < manifolds[m]->getNumContacts(); ++i) {
        const btManifoldPoint& point = manifolds[m]->getContactPoint(i);
        if (point.getDistance() > 0) continue;
        const btScalar z = point.m_normalWorldOnB.z();
        points.push_back({is_second ? z : -z, -point.getDistance()});
      }
    }
    algorithm->~btCollisionAlgorithm();
    shapes_.dispatcher.freeCollisionAlgorithm(algorithm);
  }

 private:
  BulletObjects shapes_;
  Way way_;
  std::vector<btScalar> heights_, vertices_;
  std::vector<int> indices_;
  std::unique_ptr<btTriangleIndexVertexArray> triangles_;
  btTriangleInfoMap edges_;
  std::unique_ptr<btConcaveShape> floor_;
  btCollisionObject object_;
};

template <Way way>
std::unique_ptr<FloorPeer> make(const Floor& floor, const SceneColumns<3, float>& shapes) {
  return std::make_unique<BulletFloor>(floor, shapes, way);
}

}  // namespace

WIDEPHASE_ADAPTER void add_peers(FloorPeers& peers) {
  peers = {{"bullet", std::to_string(btGetVersion()), WIDEPHASE_PEER_FLAGS},
           {{"bullet", make<Way::mesh>},
            {"bullet_edges", make<Way::adjusted>},
            {"bullet_field", make<Way::field>}}};
}

}  // namespace widephase::bench
