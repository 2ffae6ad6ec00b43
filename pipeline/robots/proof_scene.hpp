#pragma once

// A robot in an environment, as proofs of motions in float ask about it
// (kernels/robots/proofs.hpp).

#include <vector>

#include <widephase/robot.hpp>

#include "pipeline/robots/check_scene.hpp"

namespace widephase {

class ProofScene {
 public:
  ProofScene(const Robot& robot, const Environment::State& environment,
             const CheckQuestion& question);

  /// Whether float can ask: about obstacles that are all listed, and not about very many pairs.
  bool is_there() const { return is_there_; }
  /// A job without numbers, ways and scratch.
  const ProofJob& job() const { return job_; }
  std::size_t pair_count() const { return pairs_.size(); }
  std::size_t reach_count() const { return joints_.size(); }
  /// Whether float asks the shapes of a pair, so that nothing else shows more.
  bool is_exact(std::int32_t pair) const { return is_exact_[static_cast<std::size_t>(pair)] != 0; }

 private:
  void add_joints(const CheckPlan& plan);
  void add_pairs(const CheckPlan& plan);
  std::int32_t reach_until(std::int32_t unit, std::int32_t node) const;
  std::int32_t meeting(const CheckPlan& plan, std::int32_t a, std::int32_t b) const;

  CheckScene scene_;
  std::vector<std::int32_t> joints_, first_joint_;
  std::vector<ProofPair> pairs_;
  std::vector<std::uint8_t> is_exact_;
  ProofJob job_{};
  bool is_there_ = false;
};

}  // namespace widephase
