#pragma once

// Bullet beside our casts: btContinuousConvexCollision, by which its worlds answer convexSweepTest,
// a pair at a time.

#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>

#include "peer_bullet.hpp"

namespace widephase::bench {

/// Whether Bullet has shapes of a kind as a scene of the benchmark has them.
inline bool is_of_bullet(Kind kind) { return kind != Kind::aabb && kind != Kind::ellipsoid; }

class BulletCasts {
 public:
  explicit BulletCasts(const SceneColumns<3, float>& scene) : bullet_(scene) {}

  /// t, or 2 if nothing is met up to 1.
  float cast(const Pair pair, const std::array<float, 3>& along) {
    const btCollisionObject& a = *bullet_.objects[static_cast<std::size_t>(pair.a)];
    const btCollisionObject& b = *bullet_.objects[static_cast<std::size_t>(pair.b)];
    const btTransform &stands = a.getWorldTransform(), &from = b.getWorldTransform();
    btTransform to = from;
    to.setOrigin(from.getOrigin() + btVector3(along[0], along[1], along[2]));
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depths;
    btContinuousConvexCollision caster(static_cast<const btConvexShape*>(b.getCollisionShape()),
                                       static_cast<const btConvexShape*>(a.getCollisionShape()),
                                       &simplex, &depths);
    btConvexCast::CastResult result;
    result.m_fraction = 1;
    return caster.calcTimeOfImpact(from, to, stands, stands, result) ? result.m_fraction : 2;
  }

 private:
  BulletObjects bullet_;
};

}  // namespace widephase::bench
