#pragma once

// Convexes of a robot against one another and against obstacles, in one lane of a block.

#include "kernels/robots/convex.hpp"
#include "kernels/robots/frames.hpp"

namespace widephase {
namespace {

/// A convex of the robot, and an obstacle or another convex.
struct ConvexPair {
  std::int32_t a, b;
  bool is_obstacle;
};

template <class F>
class ConvexLanes {
 public:
  ConvexLanes(const CheckJob& job, const LaneFrames<F>& frames) : job_(job), frames_(frames) {}

  /// `way` is how much nearer the two may be besides, for an answer that they are not.
  ConvexAnswer ask(const ConvexPair& pair, std::size_t lane, float way) const {
    const PlacedCore<F> a = placed(job_.convexes[pair.a], lane);
    if (!pair.is_obstacle) {
      const PlacedCore<F> b = placed(job_.convexes[pair.b], lane);
      return ask_convex(a, b, radii_of(a.core(), b.core(), way));
    }
    const CheckObstacle& obstacle = job_.obstacles[pair.b];
    const ConvexRadii radii = radii_of(a.core(), obstacle, way);
    if (obstacle.core == CheckCore::halfspace) return ask_halfspace(a, obstacle, radii);
    return ask_convex(a, PlacedCore<F>(obstacle, job_.obstacle_vertices), radii);
  }

 private:
  static constexpr std::size_t kLanes = LaneTraits<F>::count;

  ConvexRadii radii_of(const CheckObstacle& a, const CheckObstacle& b, float way) const {
    const float rounding = a.rounding + b.rounding;
    return {(a.least + b.least) + job_.margin - rounding,
            (a.most + b.most) + job_.margin + rounding, way};
  }
  PlacedCore<F> placed(const CheckConvex& convex, std::size_t lane) const {
    const float* const from = frames_.numbers(convex.node) + lane;
    const auto vector = [&](std::size_t k) -> Point {
      return {{from[3 * k * kLanes], from[(3 * k + 1) * kLanes], from[(3 * k + 2) * kLanes]}};
    };
    return PlacedCore<F>(convex.core, job_.vertices, {vector(0), vector(1), vector(2)}, vector(3));
  }

  const CheckJob& job_;
  const LaneFrames<F>& frames_;
};

}  // namespace
}  // namespace widephase
