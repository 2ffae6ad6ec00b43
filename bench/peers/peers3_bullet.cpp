// Bullet in 3D. `bullet`: its contact algorithms, which make manifolds of boxes and hulls and one
// point a call of others. For spheres and capsules with one another they are closed forms, for two
// boxes the routine of ODE; else they are GJK and EPA, then, between polyhedra, one face clipped
// against the other, which measures depths along that face's normal and now and then leaves no
// point of a pair that overlaps. `bullet_sat`: separating axes between polyhedra in place of GJK
// and EPA, which Bullet has as an option; it tries every pair of edges (5 ms a pair at 64
// vertices), so only hulls of up to 16 have the row. `bullet_epa`: GJK and EPA alone, without faces
// or manifolds. Overlaps by the closed forms and the routine of two boxes, else by the same GJK,
// which ends where it is sure that cores overlap or finds the shapes apart by more than kNear;
// distances by it too, of cylinders off by up to 0.003.

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>

#include "peer_bullet.hpp"
#include "peers3.hpp"

namespace widephase::bench {
namespace {

/// Shapes nearer than this are measured where yes or no is asked, so that rounding does not decide.
constexpr btScalar kNear = 0.002f;
constexpr btScalar kFar = 1e9f;

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

/// By the contact algorithms.
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

/// Notes that GJK asks for the depth of shapes whose cores overlap, and has none.
struct OverlapNoted : btConvexPenetrationDepthSolver {
  bool was_asked = false;
  bool calcPenDepth(btSimplexSolverInterface&, const btConvexShape*, const btConvexShape*,
                    const btTransform&, const btTransform&, btVector3& axis, btVector3&, btVector3&,
                    btIDebugDraw*) override {
    was_asked = true;
    axis.setZero();  // or the nearest points, which are not written here, would be taken
    return false;
  }
};

/// GJK with a solver of depths, one pair after the other.
template <class Depths>
class Gjk {
 public:
  explicit Gjk(std::shared_ptr<BulletObjects> bullet) : bullet_(std::move(bullet)) {}

  Depths& depths() { return depths_; }

  /// No result of shapes whose surfaces are apart by more than `near`.
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
        // It also asks for the depth of some that are apart by less than 0.001.
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

std::unique_ptr<Peer> make(const SceneColumns<3, float>& scene, Question question) {
  if (question == Question::overlap) return make_overlap(scene);
  if (question == Question::distance) return make_distance(scene);
  return make_contacts(scene, false);
}

}  // namespace

std::vector<PeerMaker> bullet_peers() {
  const auto has = [](Kind a, Kind b, Variant, Question question) {
    if (question == Question::manifold) return are_polyhedra(a, b);
    if (question == Question::deepest) return !are_polyhedra(a, b);
    return true;
  };
  const auto has_axes = [](Kind a, Kind b, Variant variant, Question question) {
    return question == Question::manifold && are_polyhedra(a, b) && b == Kind::hull &&
           hull_vertices(variant) <= 16;
  };
  const auto has_epa = [](Kind, Kind, Variant, Question question) {
    return question == Question::deepest;
  };
  return {
      {"bullet", has, make},
      {"bullet_sat", has_axes,
       [](const SceneColumns<3, float>& scene, Question) { return make_contacts(scene, true); }},
      {"bullet_epa", has_epa,
       [](const SceneColumns<3, float>& scene, Question) { return make_deepest(scene); }}};
}

}  // namespace widephase::bench
