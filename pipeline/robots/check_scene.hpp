#pragma once

// A robot in an environment, as the check in float asks about it.

#include <vector>

#include "pipeline/robots/check_plan.hpp"
#include "pipeline/robots/environment_state.hpp"

namespace widephase {

/// What one call asks.
struct CheckQuestion {
  double margin = 0;
  std::int32_t world = -1;   ///< whose obstacles count beside those of -1
  bool moving_pairs = true;  ///< whether the robot meets itself
  bool has_culls = true;
};

/// Whether an obstacle is its core, so that something can surely touch it.
bool is_core(const CheckObstacle& obstacle);

class CheckScene {
 public:
  CheckScene(const CheckPlan& plan, const Environment::State& environment,
             const CheckQuestion& question);

  /// A job without numbers and scratch.
  const CheckJob& job() const { return job_; }

 private:
  void add_obstacles(const CheckPlan& plan, const Environment::State& environment,
                     const CheckQuestion& question);
  /// Which units may meet points.
  void add_points(const CheckPlan& plan, const PointGrid& grid, const CheckQuestion& question);

  std::vector<CheckUnit> units_;
  std::vector<std::int32_t> list_;
  std::vector<CheckObstacle> obstacles_;
  CheckPoints points_{};
  CheckJob job_{};
};

}  // namespace widephase
