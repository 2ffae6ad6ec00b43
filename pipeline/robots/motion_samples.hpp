#pragma once

// Samples of motions in the check in float: they fill the lanes of blocks in the order of time,
// since the first that touches is asked for.

#include <optional>
#include <span>
#include <vector>

#include "pipeline/robots/check_scene.hpp"
#include "pipeline/robots/robot_plan.hpp"

namespace widephase {

/// Motions row by row, as values of configurations in double.
struct MotionRows {
  const double* from;
  const double* to;
  std::size_t width;

  /// A motion is exactly in `to` at t = 1.
  double value(std::size_t motion, double t, std::size_t v) const {
    const double a = from[motion * width + v], b = to[motion * width + v];
    return t == 1 ? b : a + t * (b - a);
  }
};

/// How far a motion is asked. Its samples are those at k / steps, from k = 0 to `steps`.
struct SampledMotion {
  std::size_t motion = 0;
  double steps = 1;
  double next = 0;                      ///< the first sample that was not asked
  std::optional<double> touching = {};  ///< the first one that surely touches
  std::vector<double> unsure = {};      ///< those before it that have to be asked in double
};

class MotionSampler {
 public:
  /// For `count` samples or so. Without a plan of the robot's check all are unsure.
  MotionSampler(const Robot& robot, const Environment& environment, std::int32_t world,
                const CollideOptions& options, double count);

  /// Asks each motion on until a sample surely touches, many are unsure or none is left.
  void ask(const MotionRows& rows, std::span<SampledMotion> motions) const;

 private:
  class Blocks;
  /// Whether the check takes all numbers on the way.
  bool is_plain(const MotionRows& rows, std::size_t motion) const;

  const CheckPlan& plan_;
  const RobotTable& table_;
  const Threads& threads_;
  std::vector<SampleNumber> numbers_;
  std::vector<std::int32_t> turns_;  ///< the first values of quaternions
  std::optional<CheckScene> scene_;
};

}  // namespace widephase
