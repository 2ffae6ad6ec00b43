#pragma once

// Bullet's side of the benchmarks beside it.

#include <btBulletCollisionCommon.h>

#include <memory>

#include "peer_shapes.hpp"

namespace widephase::bench {

/// Bullet's objects for the shapes of a scene, by id. Margins are 0 where Bullet lets them be, so
/// that its shapes are ours.
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
        default:
          made = hulls[shape.geometry];
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
    }
  }

  /// Calls `use` with the manifold of a pair.
  template <class Use>
  void collide(const Pair pair, Use&& use) {
    btCollisionObject* a = objects[static_cast<std::size_t>(pair.a)].get();
    btCollisionObject* b = objects[static_cast<std::size_t>(pair.b)].get();
    const btCollisionObjectWrapper wrap_a(nullptr, a->getCollisionShape(), a,
                                          a->getWorldTransform(), -1, -1);
    const btCollisionObjectWrapper wrap_b(nullptr, b->getCollisionShape(), b,
                                          b->getWorldTransform(), -1, -1);
    btPersistentManifold* manifold = dispatcher.getNewManifold(a, b);
    btCollisionAlgorithm* algorithm =
        dispatcher.findAlgorithm(&wrap_a, &wrap_b, manifold, BT_CONTACT_POINT_ALGORITHMS);
    btManifoldResult result(&wrap_a, &wrap_b);
    result.setPersistentManifold(manifold);
    algorithm->processCollision(&wrap_a, &wrap_b, info, &result);
    // That of spheres puts its points into a manifold of its own.
    use(*result.getPersistentManifold());
    algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm(algorithm);
    dispatcher.releaseManifold(manifold);
  }

 private:
  btCollisionShape* keep(std::unique_ptr<btCollisionShape> shape) {
    shapes.push_back(std::move(shape));
    return shapes.back().get();
  }

  /// Without its faces a polyhedron would give one point.
  btCollisionShape* keep_polyhedron(std::unique_ptr<btPolyhedralConvexShape> shape) {
    shape->setMargin(0);
    shape->initializePolyhedralFeatures();
    return keep(std::move(shape));
  }
};

}  // namespace widephase::bench
