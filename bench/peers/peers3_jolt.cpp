// Jolt (5.0 or newer) in 3D: GJK, then EPA if the shapes overlap, then one face is clipped against
// the other, as in a step of its simulation. Convex radii are 0, so that its shapes equal ours. The
// deepest point uses the same call without faces. Overlaps and distances only use its GJK, which
// counts shapes nearer than its tolerance (1e-4) as overlapping. A cone is a tapered cylinder with
// a top radius of 0. It has no ellipsoids: its spheres only scale by the same factor along all
// axes. Linked and run with 5.5.0, built as bench/peers/README.md says.

#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/Geometry/ConvexSupport.h>
#include <Jolt/Geometry/GJKClosestPoint.h>
#include <Jolt/Physics/Collision/CollideShape.h>
#include <Jolt/Physics/Collision/CollisionCollectorImpl.h>
#include <Jolt/Physics/Collision/CollisionDispatch.h>
#include <Jolt/Physics/Collision/ManifoldBetweenTwoFaces.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/CapsuleShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/CylinderShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/Collision/Shape/TaperedCylinderShape.h>
#include <Jolt/Physics/PhysicsSettings.h>
#include <Jolt/RegisterTypes.h>

#include <cfloat>
#include <stdexcept>

#include "peer_flags.hpp"
#include "peer_shapes.hpp"
#include "peers.hpp"

namespace widephase::bench {
namespace {

/// Points of the clipped face that are farther than 0.02 from the other face are left out. Up to
/// version 5.2, Jolt takes the square of this length; its setting is then called
/// mManifoldToleranceSq.
template <class Settings>
constexpr float point_reach() {
  constexpr float reach = 0.02f;
  return requires(Settings settings) { settings.mManifoldToleranceSq; } ? reach * reach : reach;
}

/// Jolt is set up once per program.
void start_jolt() {
  static const bool started = [] {
    JPH::RegisterDefaultAllocator();
    JPH::Factory::sInstance = new JPH::Factory();
    JPH::RegisterTypes();
    return true;
  }();
  static_cast<void>(started);
}

JPH::RefConst<JPH::Shape> cone(float half_height, float radius) {
  JPH::TaperedCylinderShapeSettings settings(half_height, 0.0f, radius, 0.0f);
  settings.SetEmbedded();
  const auto made = settings.Create();
  if (made.HasError()) throw std::runtime_error("Jolt made no cone");
  return made.Get();
}

struct JoltShapes {
  std::vector<JPH::RefConst<JPH::Shape>> shapes;  ///< by id
  std::vector<JPH::Mat44> places;                 ///< at the centres of mass

  explicit JoltShapes(const SceneColumns<3, float>& scene) {
    std::vector<JPH::RefConst<JPH::Shape>> hulls;
    for (std::size_t g = 0; g < geometry_count(scene); ++g) {
      std::vector<JPH::Vec3> points;
      for (const auto& v : geometry_vertices(scene, g)) points.emplace_back(v[0], v[1], v[2]);
      JPH::ConvexHullShapeSettings settings(points.data(), static_cast<int>(points.size()), 0.0f);
      settings.SetEmbedded();
      settings.mHullTolerance = 1e-6f;  // its default drops vertices
      const auto made = settings.Create();
      if (made.HasError() ||
          static_cast<const JPH::ConvexHullShape&>(*made.Get()).GetNumPoints() != points.size()) {
        throw std::runtime_error("Jolt made no hull of a geometry, or one of fewer vertices");
      }
      hulls.push_back(made.Get());
    }
    // Jolt's capsules, cylinders and cones point along y.
    const JPH::Quat y_to_z(std::sqrt(0.5f), 0, 0, std::sqrt(0.5f));
    for (const PeerShape& shape : peer_shapes(scene)) {
      const auto size = [&](int k) { return static_cast<float>(shape.size[k]); };
      JPH::Quat turn(static_cast<float>(shape.turn[0]), static_cast<float>(shape.turn[1]),
                     static_cast<float>(shape.turn[2]), static_cast<float>(shape.turn[3]));
      JPH::RefConst<JPH::Shape> made;
      switch (shape.kind) {
        case Kind::sphere:
          made = new JPH::SphereShape(size(0));
          break;
        case Kind::capsule:
          made = new JPH::CapsuleShape(size(1), size(0));
          turn = turn * y_to_z;
          break;
        case Kind::cylinder:
          made = new JPH::CylinderShape(size(1), size(0), 0.0f);
          turn = turn * y_to_z;
          break;
        case Kind::cone:
          made = cone(size(1), size(0));
          turn = turn * y_to_z;
          break;
        case Kind::ellipsoid:
          throw std::runtime_error("Jolt has no ellipsoids");
        case Kind::box:
          made = new JPH::BoxShape(JPH::Vec3(size(0), size(1), size(2)), 0.0f);
          break;
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
      const JPH::Vec3 center(static_cast<float>(shape.center[0]),
                             static_cast<float>(shape.center[1]),
                             static_cast<float>(shape.center[2]));
      places.push_back(
          JPH::Mat44::sRotationTranslation(turn, center + turn * made->GetCenterOfMass()));
      shapes.push_back(made);
    }
  }
};

/// Computes the points of every hit and keeps the largest depth.
class Collector : public JPH::CollideShapeCollector {
 public:
  explicit Collector(bool with_points) : with_points_(with_points) {}
  void AddHit(const JPH::CollideShapeResult& hit) override {
    answer.is_hit = true;
    if (hit.mPenetrationDepth > answer.depth) {
      answer.depth = hit.mPenetrationDepth;
      const JPH::Vec3 normal = hit.mPenetrationAxis.NormalizedOr(JPH::Vec3::sZero());
      answer.normal = {normal.GetX(), normal.GetY(), normal.GetZ()};
    }
    if (!with_points_) return;
    JPH::ContactPoints on_a, on_b;
    JPH::ManifoldBetweenTwoFaces(hit.mContactPointOn1, hit.mContactPointOn2, hit.mPenetrationAxis,
                                 point_reach<JPH::PhysicsSettings>(), hit.mShape1Face,
                                 hit.mShape2Face, on_a,
                                 on_b JPH_IF_DEBUG_RENDERER(, JPH::RVec3::sZero()));
    if (on_a.size() > 4) {
      JPH::PruneContactPoints(hit.mPenetrationAxis.Normalized(), on_a,
                              on_b JPH_IF_DEBUG_RENDERER(, JPH::RVec3::sZero()));
    }
    point_count_ = on_a.size();
  }
  Answer answer{false, -std::numeric_limits<double>::max(), {}};

 private:
  bool with_points_;
  volatile std::size_t point_count_ = 0;  // volatile, so that the points are not optimized away
};

/// Overlaps of the shapes, or distances of their cores minus the radii.
Answer by_gjk(const JoltShapes& jolt, std::size_t a, std::size_t b, bool is_overlap) {
  using JPH::ConvexShape;
  const JPH::Vec3 unscaled = JPH::Vec3::sReplicate(1.0f);
  const auto mode = is_overlap ? ConvexShape::ESupportMode::IncludeConvexRadius
                               : ConvexShape::ESupportMode::ExcludeConvexRadius;
  ConvexShape::SupportBuffer memory_a, memory_b;
  const auto* of_a = static_cast<const ConvexShape*>(jolt.shapes[a].GetPtr())
                         ->GetSupportFunction(mode, memory_a, unscaled);
  const auto* of_b = static_cast<const ConvexShape*>(jolt.shapes[b].GetPtr())
                         ->GetSupportFunction(mode, memory_b, unscaled);
  const JPH::Mat44 b_to_a = jolt.places[a].InversedRotationTranslation() * jolt.places[b];
  const JPH::TransformedConvexObject placed_b(b_to_a, *of_b);
  JPH::Vec3 axis = b_to_a.GetTranslation();
  if (axis.IsNearZero()) axis = JPH::Vec3::sAxisX();
  constexpr float tolerance = JPH::cDefaultCollisionTolerance;
  JPH::GJKClosestPoint gjk;
  if (is_overlap) return {gjk.Intersects(*of_a, placed_b, tolerance, axis), 0, {}};
  JPH::Vec3 on_a, on_b;
  const float square =
      gjk.GetClosestPoints(*of_a, placed_b, tolerance, FLT_MAX, axis, on_a, on_b);
  const double distance = std::sqrt(square) - of_a->GetConvexRadius() - of_b->GetConvexRadius();
  return {distance > 0, -distance, {}};
}

std::unique_ptr<Peer> make(const SceneColumns<3, float>& scene, const Asked& asked) {
  start_jolt();
  const auto jolt = std::make_shared<JoltShapes>(scene);
  if (asked.question == Question::overlap || asked.question == Question::distance) {
    return one_by_one([jolt, is_overlap = asked.question == Question::overlap](const Pair pair) {
      return by_gjk(*jolt, static_cast<std::size_t>(pair.a), static_cast<std::size_t>(pair.b),
                    is_overlap);
    });
  }
  JPH::CollideShapeSettings settings;
  const bool with_points = asked.question == Question::manifold;
  if (with_points) settings.mCollectFacesMode = JPH::ECollectFacesMode::CollectFaces;
  return one_by_one([jolt, settings, with_points](const Pair pair) {
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    const JPH::Vec3 unscaled = JPH::Vec3::sReplicate(1.0f);
    Collector collector(with_points);
    JPH::CollisionDispatch::sCollideShapeVsShape(
        jolt->shapes[a], jolt->shapes[b], unscaled, unscaled, jolt->places[a], jolt->places[b],
        JPH::SubShapeIDCreator(), JPH::SubShapeIDCreator(), settings, collector);
    return collector.answer;
  });
}

bool has(const Asked& asked) {
  if (is_of(asked, Kind::ellipsoid)) return false;
  return asked.question != Question::manifold || has_many_points(asked.a, asked.b);
}

}  // namespace

WIDEPHASE_ADAPTER void add_peers(Peers<3>& peers) {
  peers = {{"jolt", version_of(JPH_VERSION_MAJOR, JPH_VERSION_MINOR, JPH_VERSION_PATCH),
            WIDEPHASE_PEER_FLAGS},
           {{"jolt", has, make}},
           {}};
}

}  // namespace widephase::bench
