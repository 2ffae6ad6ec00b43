// Bullet in 3D. `bullet`: its contact algorithms; but for two boxes, which have one of
// their own (ODE's), that is GJK and EPA, then, between polyhedra, one face clipped against the
// other, which measures depths along that face's normal and now and then leaves no point of a pair
// that overlaps. `bullet_sat`: separating axes between polyhedra in place of GJK and EPA, which
// Bullet has as an option; it tries every pair of edges (5 ms a pair at 64 vertices), so only hulls
// of up to 16 have the row. Distances by its GJK.

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>

#include "peer_bullet.hpp"
#include "peers3.hpp"

namespace widephase::bench {
namespace {

Answer deepest(const btPersistentManifold& manifold) {
  Answer answer{false, -std::numeric_limits<double>::max(), {}};
  for (int i = 0; i < manifold.getNumContacts(); ++i) {
    const btManifoldPoint& point = manifold.getContactPoint(i);
    if (!(-point.getDistance() > answer.depth)) continue;
    answer.depth = -point.getDistance();
    // Bullet's is from B to A.
    const btVector3& normal = point.m_normalWorldOnB;
    answer.normal = {-normal.x(), -normal.y(), -normal.z()};
  }
  answer.is_hit = answer.depth >= 0;
  return answer;
}

std::unique_ptr<Peer> make(const SceneColumns<3, float>& scene, Question question, bool by_axes) {
  auto bullet = std::make_shared<BulletObjects>(scene);
  bullet->info.m_enableSatConvex = by_axes;
  if (question == Question::contact) {
    return one_by_one([bullet](const Pair pair) {
      Answer answer;
      bullet->collide(pair,
                      [&](const btPersistentManifold& manifold) { answer = deepest(manifold); });
      return answer;
    });
  }
  return one_by_one([bullet, simplex = btVoronoiSimplexSolver(),
                     epa = btGjkEpaPenetrationDepthSolver()](const Pair pair) mutable {
    const btCollisionObject& a = *bullet->objects[static_cast<std::size_t>(pair.a)];
    const btCollisionObject& b = *bullet->objects[static_cast<std::size_t>(pair.b)];
    btGjkPairDetector detector(static_cast<const btConvexShape*>(a.getCollisionShape()),
                               static_cast<const btConvexShape*>(b.getCollisionShape()), &simplex,
                               &epa);
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
    input.m_transformA = a.getWorldTransform();
    input.m_transformB = b.getWorldTransform();
    btPointCollector result;
    detector.getClosestPoints(input, result, nullptr);
    return Answer{result.m_hasResult, -result.m_distance, {}};
  });
}

}  // namespace

std::vector<PeerMaker> bullet_peers() {
  const auto make_with = [](bool by_axes) {
    return [=](const SceneColumns<3, float>& scene, Question question) {
      return make(scene, question, by_axes);
    };
  };
  return {{"bullet", [](Kind, Kind, Variant, Question) { return true; }, make_with(false)},
          {"bullet_sat",
           [](Kind a, Kind b, Variant variant, Question question) {
             return question == Question::contact && b == Kind::hull &&
                    (a == Kind::box || a == Kind::hull) && hull_vertices(variant) <= 16;
           },
           make_with(true)}};
}

}  // namespace widephase::bench
