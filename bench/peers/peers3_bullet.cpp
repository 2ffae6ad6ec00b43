// Bullet in 3D. `bullet`: its contact algorithms, which make manifolds of boxes and hulls, and one
// point per call for other pairs. They use closed forms for spheres and capsules with one another,
// and the routine of ODE for two boxes. For other pairs they use GJK and EPA, then, between
// polyhedra, clip one face against the other. Clipping measures depths along the normal of that
// face, and now and then leaves no point for a pair that overlaps. `bullet_sat`: separating axes
// between polyhedra instead of GJK and EPA, an option of Bullet. It tries every pair of edges (5 ms
// per pair at 64 vertices), so only hulls of up to 16 have this row. `bullet_epa`: GJK and EPA
// only, without faces or manifolds. Overlaps use the closed forms and the routine for two boxes, or
// else the same GJK, which stops when it is sure that cores overlap or finds the shapes apart by
// more than kNear. Distances use it too; those of cylinders are off by up to 0.003. It has no
// ellipsoids.
//
// Its pipeline: setOrigin, then btCollisionWorld's performDiscreteCollisionDetection with a
// btDbvtBroadphase, which keeps trees, pairs and manifolds from step to step. Its pools have room
// for three pairs per body. Contacts are its manifolds.

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>

#include "peer_bullet.hpp"
#include "peer_flags.hpp"
#include "peers.hpp"

namespace widephase::bench {
namespace {

/// For yes or no, shapes nearer than this are measured, so that rounding does not decide.
constexpr btScalar kNear = 0.002f;
constexpr btScalar kFar = 1e9f;

Answer deepest(const btPersistentManifold& manifold) {
  Answer answer{false, -std::numeric_limits<double>::max(), {}};
  for (int i = 0; i < manifold.getNumContacts(); ++i) {
    const btManifoldPoint& point = manifold.getContactPoint(i);
    if (!(-point.getDistance() > answer.depth)) continue;
    answer.depth = -point.getDistance();
    // Bullet's normal is from B to A.
    const btVector3& normal = point.m_normalWorldOnB;
    answer.normal = {-normal.x(), -normal.y(), -normal.z()};
  }
  answer.is_hit = answer.depth >= 0;
  return answer;
}

/// A peer that uses the contact algorithms.
std::unique_ptr<Peer> make_contacts(const SceneColumns<3, float>& scene, bool by_axes) {
  auto bullet = std::make_shared<BulletObjects>(scene);
  bullet->info.m_enableSatConvex = by_axes;
  return one_by_one([bullet](const Pair pair) {
    Answer answer;
    bullet->collide(pair,
                    [&](const btPersistentManifold& manifold) { answer = deepest(manifold); });
    return answer;
  });
}

/// Records that GJK asked for the depth of overlapping cores, and gives none.
struct OverlapNoted : btConvexPenetrationDepthSolver {
  bool was_asked = false;
  bool calcPenDepth(btSimplexSolverInterface&, const btConvexShape*, const btConvexShape*,
                    const btTransform&, const btTransform&, btVector3& axis, btVector3&, btVector3&,
                    btIDebugDraw*) override {
    was_asked = true;
    axis.setZero();  // otherwise GJK would use the nearest points, which are not set
    return false;
  }
};

/// GJK with a depth solver, one pair after the other.
template <class Depths>
class Gjk {
 public:
  explicit Gjk(std::shared_ptr<BulletObjects> bullet) : bullet_(std::move(bullet)) {}

  Depths& depths() { return depths_; }

  /// No result if the surfaces are apart by more than `near`.
  btPointCollector operator()(const Pair pair, btScalar near) {
    const btCollisionObject& a = *bullet_->objects[static_cast<std::size_t>(pair.a)];
    const btCollisionObject& b = *bullet_->objects[static_cast<std::size_t>(pair.b)];
    const auto* shape_a = static_cast<const btConvexShape*>(a.getCollisionShape());
    const auto* shape_b = static_cast<const btConvexShape*>(b.getCollisionShape());
    btGjkPairDetector detector(shape_a, shape_b, &simplex_, &depths_);
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
    input.m_transformA = a.getWorldTransform();
    input.m_transformB = b.getWorldTransform();
    const btScalar reach = shape_a->getMargin() + shape_b->getMargin() + near;
    input.m_maximumDistanceSquared = reach * reach;
    btPointCollector result;
    detector.getClosestPoints(input, result, nullptr);
    return result;
  }

 private:
  std::shared_ptr<BulletObjects> bullet_;
  btVoronoiSimplexSolver simplex_;
  Depths depths_;
};

using GjkEpa = Gjk<btGjkEpaPenetrationDepthSolver>;

std::unique_ptr<Peer> make_deepest(const SceneColumns<3, float>& scene) {
  return one_by_one(
      [gjk = GjkEpa(std::make_shared<BulletObjects>(scene))](const Pair pair) mutable {
        const btPointCollector result = gjk(pair, kNear);
        const btVector3& normal = result.m_normalOnBInWorld;
        return Answer{result.m_hasResult && result.m_distance <= 0,
                      -result.m_distance,
                      {-normal.x(), -normal.y(), -normal.z()}};
      });
}

/// Whether the contact algorithm of two shapes is faster than GJK.
bool has_own_algorithm(const btCollisionObject& a, const btCollisionObject& b) {
  const int of_a = a.getCollisionShape()->getShapeType();
  const int of_b = b.getCollisionShape()->getShapeType();
  const auto is_round = [](int type) {
    return type == SPHERE_SHAPE_PROXYTYPE || type == CAPSULE_SHAPE_PROXYTYPE;
  };
  return (is_round(of_a) && is_round(of_b)) ||
         (of_a == BOX_SHAPE_PROXYTYPE && of_b == BOX_SHAPE_PROXYTYPE);
}

std::unique_ptr<Peer> make_overlap(const SceneColumns<3, float>& scene) {
  auto bullet = std::make_shared<BulletObjects>(scene);
  return one_by_one(
      [bullet, gjk = Gjk<OverlapNoted>(bullet), gjk_epa = GjkEpa(bullet)](const Pair pair) mutable {
        Answer answer;
        if (has_own_algorithm(*bullet->objects[static_cast<std::size_t>(pair.a)],
                              *bullet->objects[static_cast<std::size_t>(pair.b)])) {
          bullet->collide(pair, [&](const btPersistentManifold& manifold) {
            answer.is_hit = deepest(manifold).is_hit;
          });
          return answer;
        }
        gjk.depths().was_asked = false;
        btPointCollector result = gjk(pair, kNear);
        // It also asks for the depth of some shapes that are apart by less than 0.001.
        if (result.m_hasResult && gjk.depths().was_asked) result = gjk_epa(pair, kNear);
        answer.is_hit = result.m_hasResult ? result.m_distance <= 0 : gjk.depths().was_asked;
        return answer;
      });
}

std::unique_ptr<Peer> make_distance(const SceneColumns<3, float>& scene) {
  return one_by_one(
      [gjk = GjkEpa(std::make_shared<BulletObjects>(scene))](const Pair pair) mutable {
        const btPointCollector result = gjk(pair, kFar);
        return Answer{result.m_hasResult, -result.m_distance, {}};
      });
}

std::unique_ptr<Peer> make(const SceneColumns<3, float>& scene, const Asked& asked) {
  if (asked.question == Question::overlap) return make_overlap(scene);
  if (asked.question == Question::distance) return make_distance(scene);
  return make_contacts(scene, false);
}

std::unique_ptr<Peer> make_by_axes(const SceneColumns<3, float>& scene, const Asked&) {
  return make_contacts(scene, true);
}

std::unique_ptr<Peer> make_by_epa(const SceneColumns<3, float>& scene, const Asked&) {
  return make_deepest(scene);
}

bool has(const Asked& asked) {
  if (is_of(asked, Kind::ellipsoid)) return false;
  const bool is_manifold = are_polyhedra(asked.a, asked.b);
  return asked.question != (is_manifold ? Question::deepest : Question::manifold);
}

bool has_axes(const Asked& asked) {
  return asked.question == Question::manifold && are_polyhedra(asked.a, asked.b) &&
         asked.b == Kind::hull && hull_vertices(asked.variant) <= 16;
}

bool has_epa(const Asked& asked) {
  return asked.question == Question::deepest && !is_of(asked, Kind::ellipsoid);
}

class BulletPipeline : public Pipeline<3> {
 public:
  explicit BulletPipeline(const SceneColumns<3, float>& scene)
      : bodies_(scene), configuration_(sized_for(bodies_.objects.size())) {
    for (auto& object : bodies_.objects) world_.addCollisionObject(object.get());
  }
  ~BulletPipeline() override {
    // Otherwise each object would search all pairs for its own.
    struct Everything : btOverlapCallback {
      bool processOverlap(btBroadphasePair&) override { return true; }
    } everything;
    broad_phase_.getOverlappingPairCache()->processAllOverlappingPairs(&everything, &dispatcher_);
    for (auto& object : bodies_.objects) world_.removeCollisionObject(object.get());
  }
  std::size_t step(const Centers<3>& centers) override {
    for (std::size_t i = 0; i < bodies_.objects.size(); ++i) {
      bodies_.objects[i]->getWorldTransform().setOrigin(
          {centers(i, 0), centers(i, 1), centers(i, 2)});
    }
    world_.performDiscreteCollisionDetection();
    std::size_t contacts = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold* manifold = dispatcher_.getManifoldByIndexInternal(i);
      bool is_touching = false;
      for (int p = 0; p < manifold->getNumContacts(); ++p) {
        is_touching |= manifold->getContactPoint(p).getDistance() <= 0;
      }
      contacts += is_touching;
    }
    return contacts;
  }

 private:
  static btDefaultCollisionConstructionInfo sized_for(std::size_t bodies) {
    btDefaultCollisionConstructionInfo info;
    const int pairs = std::max(3 * static_cast<int>(bodies), 64);
    info.m_defaultMaxPersistentManifoldPoolSize = pairs;
    info.m_defaultMaxCollisionAlgorithmPoolSize = pairs;
    return info;
  }

  BulletObjects bodies_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;
  btCollisionWorld world_{&dispatcher_, &broad_phase_, &configuration_};
};

}  // namespace

WIDEPHASE_ADAPTER void add_peers(Peers<3>& peers) {
  const int version = btGetVersion();
  peers = {{"bullet", std::to_string(version / 100) + "." + std::to_string(version % 100),
            WIDEPHASE_PEER_FLAGS},
           {{"bullet", has, make},
            {"bullet_sat", has_axes, make_by_axes},
            {"bullet_epa", has_epa, make_by_epa}},
           {pipeline_maker<BulletPipeline, 3>("bullet")}};
}

}  // namespace widephase::bench
