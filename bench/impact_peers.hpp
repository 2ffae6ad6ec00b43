#pragma once

// Times of impact of Box2D (b2TimeOfImpact, polygons) and Bullet (btContinuousConvexCollision,
// boxes) beside ours. Box2D turns at a constant rate and Bullet about a constant axis; ours joins
// both ends by a straight line that is normalized. So times differ a little between the ends.

#include <widephase/impact.hpp>

#ifdef WIDEPHASE_BOX2D
#include <box2d/b2_polygon_shape.h>
#include <box2d/b2_time_of_impact.h>
#endif
#ifdef WIDEPHASE_BULLET
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#endif

#include <deque>
#include <vector>

namespace widephase::bench {

/// A peer's times; 1 and false where nothing is met.
struct PeerTimes {
  std::vector<double> t;
  std::vector<bool> is_met;
  bool empty() const { return t.empty(); }
  void put(bool met, double at) {
    is_met.push_back(met);
    t.push_back(met ? at : 1);
  }
};

/// Shape i is on body i; bodies 2 i and 2 i + 1 are a pair.
template <int D>
struct Moving {
  SceneColumns<D, float> scene;
  Column<float, D> position_end;
  Column<float, D == 2 ? 1 : 4> turn_end;
};

#ifdef WIDEPHASE_BOX2D
class Box2dImpacts {
 public:
  explicit Box2dImpacts(const Moving<2>& moving) {
    const auto& table = moving.scene.polygons;
    const auto& sets = moving.scene.geometries;
    for (std::size_t i = 0; i < moving.position_end.size(); ++i) {
      const auto set = static_cast<std::size_t>(table.geometry(i));
      std::vector<b2Vec2> points;
      for (auto v = sets.offsets(set); v < sets.offsets(set + 1); ++v) {
        const auto at = static_cast<std::size_t>(v);
        points.emplace_back(sets.vertices(at, 0), sets.vertices(at, 1));
      }
      shapes_.emplace_back().Set(points.data(), static_cast<int>(points.size()));
      b2Sweep& sweep = sweeps_.emplace_back();
      const auto& bodies = moving.scene.bodies;
      sweep.localCenter.SetZero();
      sweep.c0.Set(bodies.position(i, 0), bodies.position(i, 1));
      sweep.c.Set(moving.position_end(i, 0), moving.position_end(i, 1));
      sweep.a0 = bodies.turn(i);
      sweep.a = moving.turn_end(i);
      sweep.alpha0 = 0;
    }
  }
  void run(PeerTimes& times) {
    times = {};
    for (std::size_t i = 0; i < shapes_.size(); i += 2) {
      b2TOIInput input;
      input.proxyA.Set(&shapes_[i], 0);
      input.proxyB.Set(&shapes_[i + 1], 0);
      input.sweepA = sweeps_[i];
      input.sweepB = sweeps_[i + 1];
      input.tMax = 1;
      b2TOIOutput output;
      b2TimeOfImpact(&output, &input);
      const bool is_inside = output.state == b2TOIOutput::e_overlapped;
      times.put(is_inside || output.state == b2TOIOutput::e_touching, is_inside ? 0 : output.t);
    }
  }

 private:
  std::deque<b2PolygonShape> shapes_;
  std::vector<b2Sweep> sweeps_;
};
#endif

#ifdef WIDEPHASE_BULLET
class BulletImpacts {
 public:
  explicit BulletImpacts(const Moving<3>& moving) {
    const auto& bodies = moving.scene.bodies;
    for (std::size_t i = 0; i < moving.position_end.size(); ++i) {
      const auto& half = moving.scene.boxes.half_extents;
      btBoxShape& box = shapes_.emplace_back(btVector3(half(i, 0), half(i, 1), half(i, 2)));
      box.setMargin(0);
      const auto transform = [&](const auto& place, const auto& turn) {
        return btTransform(btQuaternion(turn(i, 0), turn(i, 1), turn(i, 2), turn(i, 3)),
                           btVector3(place(i, 0), place(i, 1), place(i, 2)));
      };
      start_.push_back(transform(bodies.position, bodies.turn));
      end_.push_back(transform(moving.position_end, moving.turn_end));
    }
  }
  void run(PeerTimes& times, double margin) {
    times = {};
    for (std::size_t i = 0; i < shapes_.size(); i += 2) {
      btContinuousConvexCollision question(&shapes_[i], &shapes_[i + 1], &simplex_, &depth_);
      btConvexCast::CastResult result;
      result.m_allowedPenetration = static_cast<btScalar>(margin);
      const bool is_met =
          question.calcTimeOfImpact(start_[i], end_[i], start_[i + 1], end_[i + 1], result);
      times.put(is_met, static_cast<double>(result.m_fraction));
    }
  }

 private:
  std::deque<btBoxShape> shapes_;
  std::vector<btTransform> start_, end_;
  btVoronoiSimplexSolver simplex_;
  btGjkEpaPenetrationDepthSolver depth_;
};
#endif

}  // namespace widephase::bench
