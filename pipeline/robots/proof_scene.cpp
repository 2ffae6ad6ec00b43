#include "pipeline/robots/proof_scene.hpp"

#include "pipeline/robots/robot_plan.hpp"

namespace widephase {

namespace {

/// Lanes of a block keep some bytes for each.
constexpr std::size_t kMostProofPairs = 1 << 20;
constexpr double kU = 0x1p-24;

}  // namespace

ProofScene::ProofScene(const Robot& robot, const Environment::State& environment,
                       const CheckQuestion& question)
    : scene_(robot.plan().check, environment, question) {
  const CheckPlan& plan = robot.plan().check;
  if (!plan.takes(question.margin) || !environment.points.empty()) return;
  if (environment.obstacles.size() * plan.units.size() + plan.pairs.size() > kMostProofPairs) {
    return;
  }
  is_there_ = true;
  job_.check = scene_.job();
  add_joints(plan);
  add_pairs(plan);
  job_.pairs = pairs_.data();
  job_.joints = joints_.data();
  job_.first_joint = first_joint_.data();
  // Rounded up. Per joint two sums, a product and the sum of a node's radius have a rounding each.
  job_.lever_error = static_cast<float>(plan.lever_error * (1 + 4 * kU));
  job_.share = static_cast<float>(1 + 8 * kU * static_cast<double>(plan.nodes.size() + 4));
}

void ProofScene::add_joints(const CheckPlan& plan) {
  for (const PlannedUnit& planned : plan.units) {
    first_joint_.push_back(static_cast<std::int32_t>(joints_.size()));
    for (std::int32_t n = planned.unit.node; n >= 0;) {
      const CheckNode& node = plan.nodes[static_cast<std::size_t>(n)];
      if (node.motion != NodeMotion::fixed) joints_.push_back(n);
      n = node.parent;
    }
  }
  first_joint_.push_back(static_cast<std::int32_t>(joints_.size()));
}

/// The place of the last joint of a unit before a node; nodes toward the base have lower numbers.
std::int32_t ProofScene::reach_until(std::int32_t unit, std::int32_t node) const {
  const auto u = static_cast<std::size_t>(unit);
  std::int32_t place = -1;
  for (std::int32_t j = first_joint_[u]; j < first_joint_[u + 1]; ++j) {
    if (joints_[static_cast<std::size_t>(j)] > node) place = j;
  }
  return place;
}

/// The node where the ways of two nodes to the base meet; -1: nowhere.
std::int32_t ProofScene::meeting(const CheckPlan& plan, std::int32_t a, std::int32_t b) const {
  while (a != b) {
    std::int32_t& farther = a > b ? a : b;
    farther = plan.nodes[static_cast<std::size_t>(farther)].parent;
  }
  return a;
}

void ProofScene::add_pairs(const CheckPlan& plan) {
  const CheckJob& check = job_.check;
  const auto are_cores = [&](const CheckUnit& unit) {
    bool are = true;
    for (std::int32_t c = unit.first_convex; c < unit.last_convex; ++c) {
      are &= is_core(check.convexes[c].core);
    }
    return are;
  };
  for (std::size_t u = 0; u < check.unit_count; ++u) {
    const CheckUnit& unit = check.units[u];
    const auto id = static_cast<std::int32_t>(u);
    const std::int32_t reach = reach_until(id, -1);
    for (std::int32_t o = unit.first_obstacle; o < unit.last_obstacle; ++o) {
      const std::int32_t obstacle = check.obstacle_list[o];
      pairs_.push_back({id, -1, obstacle, reach, -1});
      is_exact_.push_back(are_cores(unit) && is_core(check.obstacles[obstacle]) ? 1 : 0);
    }
  }
  for (std::size_t p = 0; p < check.pair_count; ++p) {
    const auto [a, b] = check.pairs[p];
    const PlannedUnit& of_a = plan.units[static_cast<std::size_t>(a)];
    const PlannedUnit& of_b = plan.units[static_cast<std::size_t>(b)];
    const std::int32_t end = meeting(plan, of_a.unit.node, of_b.unit.node);
    pairs_.push_back({a, b, -1, reach_until(a, end), reach_until(b, end)});
    is_exact_.push_back(are_cores(of_a.unit) && are_cores(of_b.unit) ? 1 : 0);
  }
}

}  // namespace widephase
