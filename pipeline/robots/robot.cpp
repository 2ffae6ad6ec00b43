// A robot's columns, checked, and the plan by which `place` follows them.

#include <widephase/robot.hpp>

#include <cmath>
#include <limits>

#include "pipeline/robots/robot_plan.hpp"
#include "soa/number_text.hpp"
#include "soa/turn.hpp"

namespace widephase {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Vector = std::array<double, 3>;

[[noreturn]] void refuse(const char* array, std::size_t row, const std::string& message) {
  throw Error(Finding{array, static_cast<std::int64_t>(row), message});
}

/// A column has one row for each of `count`, or is empty if it may be.
template <class C>
void expect_rows(const char* array, const C& column, std::size_t count, bool is_optional = false) {
  if (column.size() == count || (is_optional && column.size() == 0)) return;
  throw Error(
      Finding{array, -1, "has " + number(column.size()) + " rows; expected " + number(count)});
}

template <class C>
void expect_finite(const char* array, const C& column) {
  for (std::size_t row = 0; row < column.size(); ++row) {
    for (int w = 0; w < C::width; ++w) {
      if (!std::isfinite(column(row, w))) {
        refuse(array, row, "has " + number(column(row, w)) + "; expected finite numbers");
      }
    }
  }
}

void expect_unit_turns(const char* array, const Column<double, 4>& turns) {
  for (std::size_t row = 0; row < turns.size(); ++row) {
    if (!is_unit(turns.row(row))) {
      refuse(array, row, "is not a quaternion of unit length; normalize it");
    }
  }
}

/// Indices from `least` (-1 or 0) up to below `count`.
void expect_indices(const char* array, const Column<std::int32_t>& indices, std::int32_t least,
                    std::size_t count) {
  for (std::size_t row = 0; row < indices.size(); ++row) {
    const std::int32_t index = indices[row];
    if (index >= least && (index < 0 || static_cast<std::size_t>(index) < count)) continue;
    refuse(array, row,
           "is " + number(index) + "; there are " + number(count) + " rows" +
               (least < 0 ? ", and -1 is none" : ""));
  }
}

bool has_axis(JointType type) {
  return type == JointType::revolute || type == JointType::continuous ||
         type == JointType::prismatic || type == JointType::planar;
}
bool is_angle(JointType type) {
  return type == JointType::revolute || type == JointType::continuous;
}

JointMotion motion_of(JointType type) {
  switch (type) {
    case JointType::prismatic:
      return JointMotion::slide;
    case JointType::planar:
      return JointMotion::plane;
    case JointType::floating:
      return JointMotion::floating;
    case JointType::ball:
      return JointMotion::ball;
    case JointType::fixed:
    case JointType::revolute:
    case JointType::continuous:
      return JointMotion::turn;
  }
  return JointMotion::turn;
}

void check_frames(const RobotColumns& robot) {
  const RobotBodies& bodies = robot.bodies;
  const std::size_t count = bodies.name.size();
  expect_rows("bodies.parent", bodies.parent, count);
  expect_rows("bodies.position", bodies.position, count);
  expect_rows("bodies.turn", bodies.turn, count);
  expect_indices("bodies.parent", bodies.parent, -1, count);
  expect_finite("bodies.position", bodies.position);
  expect_unit_turns("bodies.turn", bodies.turn);
  const RobotLinks& links = robot.links;
  expect_rows("links.body", links.body, links.name.size());
  expect_rows("links.position", links.position, links.name.size());
  expect_rows("links.turn", links.turn, links.name.size());
  expect_indices("links.body", links.body, -1, count);
  expect_finite("links.position", links.position);
  expect_unit_turns("links.turn", links.turn);
}

void check_joint(const RobotJoints& joints, std::size_t row) {
  const JointType type = joints.type[row];
  if (type > JointType::ball) refuse("joints.type", row, "is not a type of joint");
  if (has_axis(type)) {
    double square = 0;
    for (int k = 0; k < 3; ++k) square += joints.axis(row, k) * joints.axis(row, k);
    if (!(std::abs(square - 1) <= 1e-4)) {
      refuse("joints.axis", row, "is not of unit length; normalize it");
    }
  }
  if (!joints.anchor.empty() && joints.anchor.row(row) != Vector{} && !is_angle(type) &&
      type != JointType::ball) {
    refuse("joints.anchor", row, "is not 0 for a joint that is not revolute, continuous or ball");
  }
  if (!joints.lower.empty() && !(joints.lower[row] <= joints.upper[row])) {
    refuse("joints.lower", row,
           "is " + number(joints.lower[row]) + ", and upper " + number(joints.upper[row]) +
               "; expected a range, of infinite numbers for none");
  }
  const bool is_scaled =
      !joints.multiplier.empty() && (joints.multiplier[row] != 1 || joints.offset[row] != 0);
  if (is_scaled && !has_one_value(type)) {
    refuse("joints.multiplier", row, "or offset is set for a joint that has not one value");
  }
  const std::int32_t mimic = joints.mimic.empty() ? -1 : joints.mimic[row];
  if (mimic < 0) return;
  const auto named = static_cast<std::size_t>(mimic);
  if (!has_one_value(type) || !has_one_value(joints.type[named]) || joints.mimic[named] >= 0) {
    refuse("joints.mimic", row,
           "is " + number(mimic) +
               "; expected, for a joint of one value, another that has one of "
               "its own");
  }
}

void check_joints(const RobotColumns& robot) {
  const RobotJoints& joints = robot.joints;
  const std::size_t count = joints.name.size();
  expect_rows("joints.type", joints.type, count);
  expect_rows("joints.body", joints.body, count);
  expect_rows("joints.axis", joints.axis, count);
  expect_rows("joints.anchor", joints.anchor, count, true);
  expect_rows("joints.lower", joints.lower, count, true);
  expect_rows("joints.upper", joints.upper, joints.lower.size());
  expect_rows("joints.mimic", joints.mimic, count, true);
  expect_rows("joints.multiplier", joints.multiplier, count, true);
  expect_rows("joints.offset", joints.offset, joints.multiplier.size());
  expect_indices("joints.body", joints.body, 0, robot.bodies.name.size());
  expect_indices("joints.mimic", joints.mimic, -1, count);
  expect_finite("joints.axis", joints.axis);
  expect_finite("joints.anchor", joints.anchor);
  expect_finite("joints.multiplier", joints.multiplier);
  expect_finite("joints.offset", joints.offset);
  for (std::size_t row = 0; row < count; ++row) check_joint(joints, row);
}

/// The numbers of a configuration, joint by joint.
std::vector<RobotValue> values_of(const RobotColumns& robot) {
  const RobotJoints& joints = robot.joints;
  std::vector<RobotValue> values;
  for (std::size_t row = 0; row < joints.name.size(); ++row) {
    const JointType type = joints.type[row];
    if (!joints.mimic.empty() && joints.mimic[row] >= 0) continue;
    const auto add = [&](const char* part, double start, bool is_turn) {
      const std::string name = joints.name[row];
      values.push_back({*part == '\0' ? name : name + "." + part, static_cast<std::int32_t>(row),
                        start, is_turn, -kInfinity, kInfinity});
    };
    if (has_one_value(type)) {
      add("", 0, is_angle(type));
      if (joints.lower.empty()) continue;
      values.back().lower = joints.lower[row];
      values.back().upper = joints.upper[row];
    }
    if (type == JointType::planar || type == JointType::floating) {
      add("x", 0, false);
      add("y", 0, false);
    }
    if (type == JointType::planar) add("angle", 0, true);
    if (type == JointType::floating) add("z", 0, false);
    if (type == JointType::floating || type == JointType::ball) {
      const bool is_first = robot.quaternions == QuaternionOrder::wxyz;
      if (is_first) add("qw", 1, false);
      for (const char* part : {"qx", "qy", "qz"}) add(part, 0, false);
      if (!is_first) add("qw", 1, false);
    }
  }
  if (robot.start.empty()) return values;
  expect_rows("start", robot.start, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i].start = robot.start[i];
  return values;
}

/// Rows in which each is behind its parent. Throws for a ring.
std::vector<std::size_t> order_of(const Column<std::int32_t>& parents) {
  std::vector<std::vector<std::size_t>> children(parents.size() + 1);
  for (std::size_t row = 0; row < parents.size(); ++row) {
    children[static_cast<std::size_t>(parents[row] + 1)].push_back(row);
  }
  std::vector<std::size_t> order = children[0];
  for (std::size_t next = 0; next < order.size(); ++next) {
    const std::vector<std::size_t>& below = children[order[next] + 1];
    order.insert(order.end(), below.begin(), below.end());
  }
  if (order.size() == parents.size()) return order;
  std::vector<bool> is_placed(parents.size());
  for (const std::size_t row : order) is_placed[row] = true;
  std::size_t row = 0;
  while (is_placed[row]) ++row;
  refuse("bodies.parent", row, "leads around a ring; expected a tree");
}

RobotStep step_of(std::size_t frame, std::int32_t parent, const Vector& position,
                  const std::array<double, 4>& turn) {
  RobotStep step{};
  step.frame = static_cast<std::int32_t>(frame);
  step.parent = parent;
  double square = 0;
  for (const double part : turn) square += part * part;
  for (int k = 0; k < 3; ++k) step.position[k] = position[static_cast<std::size_t>(k)];
  for (int k = 0; k < 4; ++k) {
    step.turn[k] = turn[static_cast<std::size_t>(k)] / std::sqrt(square);
    step.has_turn |= k < 3 && step.turn[k] != 0;
  }
  return step;
}

/// The joint as the kernel reads it; `slot` is that of its first number.
RobotJoint joint_of(const RobotJoints& joints, std::size_t row, std::size_t slot) {
  RobotJoint joint{};
  joint.motion = motion_of(joints.type[row]);
  joint.slot = static_cast<std::int32_t>(slot);
  double square = 0;
  for (int k = 0; k < 3; ++k) square += joints.axis(row, k) * joints.axis(row, k);
  double axis[3] = {0, 0, 1};
  if (has_axis(joints.type[row])) {
    for (int k = 0; k < 3; ++k) axis[k] = joints.axis(row, k) / std::sqrt(square);
  }
  for (int k = 0; k < 3; ++k) {
    joint.axis[k] = axis[k];
    if (!joints.anchor.empty()) joint.anchor[k] = joints.anchor(row, k);
    joint.has_anchor |= joint.anchor[k] != 0;
  }
  // The shortest rotation from z to the axis d takes v to v - (v . (z + d)) / (1 + z . d) (z + d)
  // for v across z. Near straight down, 1 + z . d has few digits; straight down it is about x.
  const double across = axis[0] * axis[0] + axis[1] * axis[1];
  const double raised = axis[2] > 0 ? 1 + axis[2] : across / (1 - axis[2]);
  for (int i = 0; i < 2; ++i) {
    joint.plane[i][i] = across == 0 && axis[2] < 0 && i == 1 ? -1 : 1;
    if (across == 0) continue;
    for (int k = 0; k < 3; ++k) {
      joint.plane[i][k] -= axis[i] / raised * (k == 2 ? raised : axis[k]);
    }
  }
  return joint;
}

RobotPlan plan_of(const RobotColumns& robot, const std::vector<RobotValue>& values) {
  const RobotJoints& joints = robot.joints;
  std::vector<std::vector<std::size_t>> joints_of(robot.bodies.name.size());
  for (std::size_t row = 0; row < joints.name.size(); ++row) {
    if (joints.type[row] == JointType::fixed) continue;
    joints_of[static_cast<std::size_t>(joints.body[row])].push_back(row);
  }
  std::vector<std::int32_t> first_value(joints.name.size(), -1);
  for (std::size_t value = values.size(); value-- > 0;) {
    first_value[static_cast<std::size_t>(values[value].joint)] = static_cast<std::int32_t>(value);
  }
  RobotPlan plan;
  plan.body_count = robot.bodies.name.size();
  plan.link_count = robot.links.name.size();
  for (const std::size_t body : order_of(robot.bodies.parent)) {
    RobotStep step = step_of(body, robot.bodies.parent[body], robot.bodies.position.row(body),
                             robot.bodies.turn.row(body));
    step.first_joint = static_cast<std::int32_t>(plan.joints.size());
    for (const std::size_t row : joints_of[body]) {
      const RobotJoint& joint = plan.joints.emplace_back(joint_of(joints, row, plan.slot_count));
      const std::int32_t mimic = joints.mimic.empty() ? -1 : joints.mimic[row];
      const bool is_scaled = !joints.multiplier.empty();
      plan.slots.push_back(
          {joint.slot, first_value[mimic < 0 ? row : static_cast<std::size_t>(mimic)],
           static_cast<std::int32_t>(row), joint.motion, is_scaled ? joints.multiplier[row] : 1,
           is_scaled ? joints.offset[row] : 0});
      plan.slot_count += static_cast<std::size_t>(number_count(joint.motion));
    }
    step.last_joint = static_cast<std::int32_t>(plan.joints.size());
    plan.steps.push_back(step);
  }
  for (std::size_t link = 0; link < plan.link_count; ++link) {
    plan.steps.push_back(step_of(plan.body_count + link, robot.links.body[link],
                                 robot.links.position.row(link), robot.links.turn.row(link)));
  }
  return plan;
}

}  // namespace

std::string_view joint_type_name(JointType type) {
  constexpr std::string_view kNames[] = {"fixed",  "revolute", "continuous", "prismatic",
                                         "planar", "floating", "ball"};
  return type <= JointType::ball ? kNames[static_cast<std::size_t>(type)] : "unknown";
}

const BoundsBuffer<3, double>& StartBounds::of(const SceneColumns<3, double>& shapes) {
  const std::lock_guard lock(mutex_);
  if (!is_known_) {
    Workspace<3, double> workspace;
    update_bounds<3, double>(shapes, workspace);
    bounds_ = workspace.bounds();
    is_known_ = true;
  }
  return bounds_;
}

Robot::Robot(RobotColumns columns) {
  check_frames(columns);
  check_joints(columns);
  columns_ = std::make_shared<RobotColumns>(std::move(columns));
  values_ = std::make_shared<std::vector<RobotValue>>(values_of(*columns_));
  const auto plan = std::make_shared<RobotPlan>(plan_of(*columns_, *values_));
  plan_ = plan;
  std::vector<double> start;
  for (const RobotValue& value : *values_) start.push_back(value.start);
  Configurations<double> configuration(start, start.size());
  configuration.count = 1;  // of a robot without joints too
  try {
    widephase::place(*this, configuration, columns_->shapes.bodies, {{1, {}}});
  } catch (const Error& error) {
    if (!error.finding()) throw;
    throw Error(Finding{"start", -1, error.finding()->message});
  }
  if (const auto findings = validate<3, double>(columns_->shapes); !findings.empty()) {
    throw Error(findings.front());
  }
  plan->check = check_plan_of(*columns_, *plan);
}

}  // namespace widephase
