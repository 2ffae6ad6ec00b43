#pragma once

// What the benchmarks against Bullet share.

#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "peer_shapes.hpp"

namespace widephase::bench {

/// Bullet's objects for the shapes of a scene, by id. Margins are 0 if Bullet allows it, so that
/// its shapes equal ours.
struct BulletObjects {
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btCollisionObject>> objects;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDispatcherInfo info;

  explicit BulletObjects(const SceneColumns<3, float>& scene) {
    std::vector<btCollisionShape*> hulls;
    for (std::size_t g = 0; g < geometry_count(scene); ++g) {
      auto hull = std::make_unique<btConvexHullShape>();
      for (const auto& vertex : geometry_vertices(scene, g)) {
        hull->addPoint({vertex[0], vertex[1], vertex[2]}, false);
      }
      hull->recalcLocalAabb();
      hulls.push_back(keep_polyhedron(std::move(hull)));
    }
    for (const PeerShape& shape : peer_shapes(scene)) {
      const auto size = [&](int k) { return static_cast<btScalar>(shape.size[k]); };
      btCollisionShape* made = nullptr;
      switch (shape.kind) {
        case Kind::sphere:
          made = keep(std::make_unique<btSphereShape>(size(0)));
          break;
        case Kind::capsule:
          made = keep(std::make_unique<btCapsuleShapeZ>(size(0), 2 * size(1)));
          break;
        case Kind::box:
          made =
              keep_polyhedron(std::make_unique<btBoxShape>(btVector3(size(0), size(1), size(2))));
          break;
        case Kind::cylinder:
          made = keep(std::make_unique<btCylinderShapeZ>(btVector3(size(0), size(0), size(1))));
          made->setMargin(0);
          break;
        case Kind::cone:
          made = keep(std::make_unique<btConeShapeZ>(size(0), 2 * size(1)));
          made->setMargin(0);
          break;
        case Kind::ellipsoid:
          throw std::runtime_error("Bullet has no ellipsoids");
        case Kind::hull:
          made = hulls[shape.geometry];
          break;
        case Kind::aabb:
        case Kind::polygon:
        case Kind::halfspace:
        case Kind::heightfield:
        case Kind::mesh:
        case Kind::chain:
          break;  // `peer_shapes` returns none
      }
      btTransform place;
      place.setOrigin({static_cast<btScalar>(shape.center[0]),
                       static_cast<btScalar>(shape.center[1]),
                       static_cast<btScalar>(shape.center[2])});
      place.setRotation({static_cast<btScalar>(shape.turn[0]), static_cast<btScalar>(shape.turn[1]),
                         static_cast<btScalar>(shape.turn[2]),
                         static_cast<btScalar>(shape.turn[3])});
      objects.push_back(std::make_unique<btCollisionObject>());
      objects.back()->setCollisionShape(made);
      objects.back()->setWorldTransform(place);
      thresholds_.push_back(made->getContactBreakingThreshold(gContactBreakingThreshold));
    }
  }

  BulletObjects(const BulletObjects&) = delete;
  ~BulletObjects() {
    for (auto& row : algorithms_) {
      for (Algorithm& made : row) end(made);
    }
  }

  /// Calls `use` with the manifold of a pair. The next pair of these types uses the same manifold.
  template <class Use>
  void collide(const Pair pair, Use&& use) {
    const auto id_a = static_cast<std::size_t>(pair.a), id_b = static_cast<std::size_t>(pair.b);
    const btCollisionObject &a = *objects[id_a], &b = *objects[id_b];
    const btCollisionObjectWrapper wrap_a(nullptr, a.getCollisionShape(), &a, a.getWorldTransform(),
                                          -1, -1);
    const btCollisionObjectWrapper wrap_b(nullptr, b.getCollisionShape(), &b, b.getWorldTransform(),
                                          -1, -1);
    const Algorithm& made = algorithm_of(wrap_a, wrap_b);
    made.manifold->clearManifold();
    made.manifold->setBodies(&a, &b);
    made.manifold->setContactBreakingThreshold(std::min(thresholds_[id_a], thresholds_[id_b]));
    btManifoldResult result(&wrap_a, &wrap_b);
    result.setPersistentManifold(made.manifold);
    made.algorithm->processCollision(&wrap_a, &wrap_b, info, &result);
    use(static_cast<const btPersistentManifold&>(*made.manifold));
  }

 private:
  /// A simulation keeps one for each pair of objects; here there is one for each pair of types.
  struct Algorithm {
    btCollisionAlgorithm* algorithm = nullptr;
    btPersistentManifold* manifold = nullptr;
    bool owns_manifold = false;  ///< true for two boxes or two spheres
  };

  const Algorithm& algorithm_of(const btCollisionObjectWrapper& a,
                                const btCollisionObjectWrapper& b) {
    Algorithm& made = algorithms_[static_cast<std::size_t>(a.getCollisionShape()->getShapeType())]
                                 [static_cast<std::size_t>(b.getCollisionShape()->getShapeType())];
    if (made.algorithm != nullptr) return made;
    made.manifold = dispatcher.getNewManifold(a.getCollisionObject(), b.getCollisionObject());
    made.algorithm = dispatcher.findAlgorithm(&a, &b, made.manifold, BT_CONTACT_POINT_ALGORITHMS);
    btManifoldArray owned;
    made.algorithm->getAllContactManifolds(owned);
    made.owns_manifold = owned.size() > 0;
    if (made.owns_manifold) {
      dispatcher.releaseManifold(made.manifold);
      made.manifold = owned[0];
    }
    return made;
  }

  void end(const Algorithm& made) {
    if (made.algorithm == nullptr) return;
    made.algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm(made.algorithm);
    if (!made.owns_manifold) dispatcher.releaseManifold(made.manifold);
  }

  btCollisionShape* keep(std::unique_ptr<btCollisionShape> shape) {
    shapes.push_back(std::move(shape));
    return shapes.back().get();
  }

  /// Adds the faces, without which a polyhedron would only give one point.
  btCollisionShape* keep_polyhedron(std::unique_ptr<btPolyhedralConvexShape> shape) {
    shape->setMargin(0);
    shape->initializePolyhedralFeatures();
    return keep(std::move(shape));
  }

  using ByType = std::array<Algorithm, MAX_BROADPHASE_COLLISION_TYPES>;
  std::array<ByType, MAX_BROADPHASE_COLLISION_TYPES> algorithms_;
  std::vector<btScalar> thresholds_;  ///< by id: contact points this near are kept
};

}  // namespace widephase::bench
