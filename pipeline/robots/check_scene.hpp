#pragma once

// A robot in an environment, as the check in float asks about it.

#include <memory>
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
  double count = 0;  ///< of configurations: what takes time to make is made for many
};

/// Whether an obstacle is its core, so that something can surely touch it.
bool is_core(const CheckObstacle& obstacle);

class CheckScene {
 public:
  CheckScene(const CheckPlan& plan, const Environment::State& environment,
             const CheckQuestion& question);

  /// A job without numbers and scratch.
  const CheckJob& job() const { return job_; }
  /// The environment's ids of the job's obstacles.
  const std::vector<std::int32_t>& obstacle_ids() const { return obstacle_ids_; }

 private:
  void add_obstacles(const CheckPlan& plan, const Environment::State& environment,
                     const CheckQuestion& question);
  /// Bounds for all obstacles at once, and a tree of them.
  void add_near(const CheckPlan& plan, const Environment::State& environment,
                const CheckQuestion& question);
  /// Which units may meet points.
  void add_points(const CheckPlan& plan, const PointGrid& grid, const CheckQuestion& question);

  std::vector<CheckUnit> units_;
  std::vector<std::int32_t> list_;
  std::vector<CheckObstacle> obstacles_;
  std::vector<std::int32_t> obstacle_ids_;
  CheckPoints points_{};
  std::shared_ptr<const NearObstacles> near_;
  std::vector<std::int32_t> tree_obstacles_;
  CheckTree tree_{};
  CheckJob job_{};
};

/// A job, such as a scene's, with room for a block, for one thread.
class CheckRoom {
 public:
  CheckRoom(const CheckJob& job, std::size_t slot_count);
  CheckJob& job() { return job_; }
  const CheckJob& job() const { return job_; }
  /// The numbers of all slots, as `CheckJob` reads them.
  double* numbers() { return numbers_.plane(); }

 private:
  Column<double> numbers_;
  Column<float> scratch_;
  std::unique_ptr<bool[]> is_placed_;
  std::unique_ptr<unsigned[]> open_balls_;
  CheckJob job_;
};

}  // namespace widephase
