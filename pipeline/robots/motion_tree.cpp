#include "pipeline/robots/motion_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "pipeline/robots/gather.hpp"
#include "soa/join_column.hpp"
#include "soa/kind_traits.hpp"

namespace widephase {

namespace {

using Vector = std::array<double, 3>;

Vector plus(const Vector& a, double factor, const Vector& b) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(const Vector& a) { return std::sqrt(dot(a, a)); }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector vector_of(const double* numbers) { return {numbers[0], numbers[1], numbers[2]}; }

/// The moves of a joint, in the order in which they act.
std::vector<MoveType> moves_of(JointMotion motion) {
  switch (motion) {
    case JointMotion::turn:
      return {MoveType::turn};
    case JointMotion::slide:
      return {MoveType::slide};
    case JointMotion::plane:
      return {MoveType::slide, MoveType::slide, MoveType::turn};
    case JointMotion::ball:
      return {MoveType::ball};
    case JointMotion::floating:
      return {MoveType::slide, MoveType::slide, MoveType::slide, MoveType::ball};
  }
  return {};
}

}  // namespace

Vector MotionTree::Frame::turned(const Vector& v) const {
  return plus(plus(plus({}, v[0], column[0]), v[1], column[1]), v[2], column[2]);
}
Vector MotionTree::Frame::placed(const Vector& v) const { return plus(position, 1, turned(v)); }

MotionTree::MotionTree(const Robot& robot) : robot_(robot) {
  const RobotPlan& plan = robot.plan();
  last_move_.assign(plan.body_count, -1);
  frames_.resize(plan.body_count);
  for (std::size_t s = 0; s < plan.body_count; ++s) {
    const RobotStep& step = plan.steps[s];
    std::int32_t last = step.parent < 0 ? -1 : last_move_[static_cast<std::size_t>(step.parent)];
    for (std::int32_t j = step.first_joint; j < step.last_joint; ++j) {
      const RobotJoint& joint = plan.joints[static_cast<std::size_t>(j)];
      std::int32_t slot = joint.slot;
      for (const MoveType type : moves_of(joint.motion)) {
        const std::int32_t depth = last < 0 ? 0 : moves_[static_cast<std::size_t>(last)].depth + 1;
        moves_.push_back({type, slot++, last, depth});
        last = static_cast<std::int32_t>(moves_.size()) - 1;
      }
    }
    last_move_[static_cast<std::size_t>(step.frame)] = last;
  }
  axis_.resize(moves_.size());
  point_.resize(moves_.size());
  scale_.resize(moves_.size());
  speed_.resize(moves_.size());
  before_.resize(moves_.size());
  quaternion_.resize(moves_.size());
  std::vector<double> start;
  for (const RobotValue& value : robot.values()) start.push_back(value.start);
  Configurations<double> q(start, start.size());
  q.count = 1;
  Gatherer<double> gatherer(robot, q, false);
  Column<double> numbers;
  numbers.resize_uninitialized(plan.slot_count * kRobotBlock);
  gatherer.gather(0, 1, numbers.plane());
  place(numbers.plane(), kRobotBlock);
  add_parts(robot);
}

/// A part per body and owner, in a ball about those of its shapes.
void MotionTree::add_parts(const Robot& robot) {
  const SceneSpan<3, double> shapes = robot.shapes();
  const SceneLayout layout = layout_of(shapes);
  const BoundsBuffer<3, double>& bounds = robot.plan().start_bounds->of(robot.shapes());
  Column<std::int32_t> owner, body;
  join_column<std::int32_t>(
      column_of_kinds<std::int32_t>(shapes, [](const auto& table) { return table.owner; }), layout,
      {1, {}}, -1, owner);
  join_column<std::int32_t>(
      column_of_kinds<std::int32_t>(shapes, [](const auto& table) { return table.body; }), layout,
      {1, {}}, -1, body);
  std::map<std::array<std::int32_t, 2>, std::vector<std::int32_t>> groups;
  for (std::int32_t id = 0; id < layout.shape_count(); ++id) {
    const auto row = static_cast<std::size_t>(id);
    groups[{body.empty() ? -1 : body[row], owner.empty() ? -1 : owner[row]}].push_back(id);
  }
  part_of_shape_.resize(static_cast<std::size_t>(layout.shape_count()));
  for (const auto& [key, ids] : groups) {
    const Frame frame = key[0] < 0 ? Frame{} : frames_[static_cast<std::size_t>(key[0])];
    std::vector<Vector> centers;
    std::vector<double> radii;
    Vector middle{};
    for (const std::int32_t id : ids) {
      const auto row = static_cast<std::size_t>(id);
      const Kind kind = layout.kind_of(id);
      Vector center{}, half{};
      double radius = std::numeric_limits<double>::infinity();
      if (!traits_of(kind).is_unbounded) {
        for (std::size_t k = 0; k < 3; ++k) {
          const double low = bounds.min(row, static_cast<int>(k));
          const double high = bounds.max(row, static_cast<int>(k));
          center[k] = 0.5 * low + 0.5 * high;
          half[k] = 0.5 * high - 0.5 * low;
        }
        radius = length(half);
      }
      // From the world into the frame of the body.
      const Vector away = plus(center, -1, frame.position);
      centers.push_back(
          {dot(away, frame.column[0]), dot(away, frame.column[1]), dot(away, frame.column[2])});
      radii.push_back(radius);
      middle = plus(middle, 1.0 / static_cast<double>(ids.size()), centers.back());
      part_of_shape_[row] = static_cast<std::int32_t>(parts_.size());
    }
    double most = 0;
    for (std::size_t i = 0; i < centers.size(); ++i) {
      most = std::max(most, length(plus(centers[i], -1, middle)) + radii[i]);
    }
    parts_.push_back({key[0], middle, most * (1 + 1e-9)});
  }
  for (std::size_t a = 0; a < parts_.size(); ++a) {
    for (std::size_t b = a + 1; b < parts_.size(); ++b) {
      const auto first = static_cast<std::int32_t>(a), second = static_cast<std::int32_t>(b);
      if (last_move_of(first) != last_move_of(second)) pairs_.push_back({first, second});
    }
  }
  centers_.resize(parts_.size());
}

void MotionTree::move(Frame& frame, const RobotJoint& joint, std::size_t& next,
                      const double* numbers, std::size_t stride) {
  const auto number = [&](std::int32_t slot) {
    return numbers[static_cast<std::size_t>(slot) * stride];
  };
  const auto slide = [&](const Vector& axis) {
    axis_[next] = frame.turned(axis);
    scale_[next] = 1;
    frame.position = plus(frame.position, number(moves_[next].slot), axis_[next]);
    ++next;
  };
  const auto rotate = [&](const std::array<double, 4>& turn) {
    const Vector anchor = vector_of(joint.anchor);
    const Vector pivot = frame.placed(anchor);
    const Turn3<double> rotation = turn_of<double>(turn);
    std::array<Vector, 3> columns;
    for (std::size_t k = 0; k < 3; ++k) columns[k] = frame.turned(rotation.column[k]);
    point_[next] = pivot;
    frame.column = columns;
    frame.position = plus(pivot, -1, frame.turned(anchor));
    ++next;
  };
  const auto turn = [&](const Vector& axis) {
    const Turn2<double> half = turn_of(0.5 * number(moves_[next].slot));
    axis_[next] = frame.turned(axis);
    scale_[next] = 1;
    rotate({half.sine * axis[0], half.sine * axis[1], half.sine * axis[2], half.cosine});
  };
  const auto ball = [&] {
    std::array<double, 4> q{};
    double square = 0;
    for (std::int32_t k = 0; k < 4; ++k) {
      q[static_cast<std::size_t>(k)] = number(moves_[next].slot + k);
      square += q[static_cast<std::size_t>(k)] * q[static_cast<std::size_t>(k)];
    }
    scale_[next] = 1 / std::sqrt(square);
    before_[next] = frame.column;
    quaternion_[next] = q;
    for (double& part : q) part *= scale_[next];
    rotate(q);
  };
  switch (joint.motion) {
    case JointMotion::turn:
      return turn(vector_of(joint.axis));
    case JointMotion::slide:
      return slide(vector_of(joint.axis));
    case JointMotion::plane: {
      // Both lengths are along the frame before them.
      slide(vector_of(joint.plane[0]));
      slide(vector_of(joint.plane[1]));
      return turn(vector_of(joint.axis));
    }
    case JointMotion::ball:
      return ball();
    case JointMotion::floating:
      for (std::size_t k = 0; k < 3; ++k) {
        Vector axis{};
        axis[k] = 1;
        slide(axis);
      }
      return ball();
  }
}

void MotionTree::place(const double* numbers, std::size_t stride) {
  stride_ = stride;
  const RobotPlan& plan = robot_.plan();
  std::size_t next = 0;
  for (std::size_t s = 0; s < plan.body_count; ++s) {
    const RobotStep& step = plan.steps[s];
    Frame frame = step.parent < 0 ? Frame{} : frames_[static_cast<std::size_t>(step.parent)];
    frame.position = frame.placed(vector_of(step.position));
    const Turn3<double> turn =
        turn_of<double>(std::array{step.turn[0], step.turn[1], step.turn[2], step.turn[3]});
    std::array<Vector, 3> columns;
    for (std::size_t k = 0; k < 3; ++k) columns[k] = frame.turned(turn.column[k]);
    frame.column = columns;
    for (std::int32_t j = step.first_joint; j < step.last_joint; ++j) {
      move(frame, plan.joints[static_cast<std::size_t>(j)], next, numbers, stride);
    }
    frames_[static_cast<std::size_t>(step.frame)] = frame;
  }
  for (std::size_t p = 0; p < centers_.size(); ++p) {
    centers_[p] = placed(parts_[p].body, parts_[p].center);
  }
}

void MotionTree::set_speeds(const double* differences) {
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    const auto slot = static_cast<std::size_t>(moves_[m].slot);
    double square = 0;
    for (std::size_t k = 0; k < (moves_[m].type == MoveType::ball ? 4 : 1); ++k) {
      const double part = differences[(slot + k) * stride_];
      square += part * part;
    }
    speed_[m] = std::sqrt(square);
  }
}

double MotionTree::reach_until(std::int32_t part, std::int32_t end, double width) const {
  const auto row = static_cast<std::size_t>(part);
  double reach = 0;
  for (std::int32_t m = last_move_of(part); m != end;
       m = moves_[static_cast<std::size_t>(m)].before) {
    const auto at = static_cast<std::size_t>(m);
    const double moved = speed_[at] * scale_[at] * width;
    if (moved == 0) continue;
    if (moves_[at].type == MoveType::slide) {
      reach += moved;
      continue;
    }
    const Vector away = plus(centers_[row], -1, point_[at]);
    const bool is_ball = moves_[at].type == MoveType::ball;
    const double rho = is_ball ? length(away) : length(cross(axis_[at], away));
    reach += (is_ball ? 2 * std::min(1.0, moved) : std::min(2.0, moved)) *
             (rho + parts_[row].radius + reach);
  }
  return reach * (1 + 1e-9);
}

std::int32_t MotionTree::last_move_of(std::int32_t part) const {
  const std::int32_t body = parts_[static_cast<std::size_t>(part)].body;
  return body < 0 ? -1 : last_move_[static_cast<std::size_t>(body)];
}

std::int32_t MotionTree::meeting(std::int32_t a, std::int32_t b) const {
  std::int32_t x = last_move_of(a), y = last_move_of(b);
  const auto depth = [&](std::int32_t m) {
    return m < 0 ? -1 : moves_[static_cast<std::size_t>(m)].depth;
  };
  while (x != y) {
    std::int32_t& deeper = depth(x) >= depth(y) ? x : y;
    deeper = moves_[static_cast<std::size_t>(deeper)].before;
  }
  return x;
}

double MotionTree::reach(std::int32_t a, std::int32_t b, double width) const {
  const std::int32_t end = meeting(a, b);
  return reach_until(a, end, width) + reach_until(b, end, width);
}

// The rotation of a quaternion q of any length turns with its part k as by the vector of
// 2 e_k q* / |q|^2, with e_k that part alone and q* the conjugate.
void MotionTree::add_speeds(std::int32_t part, std::int32_t end, const Vector& point,
                            const Vector& normal, double sign, std::vector<double>& by_slot) const {
  for (std::int32_t m = last_move_of(part); m != end;
       m = moves_[static_cast<std::size_t>(m)].before) {
    const auto at = static_cast<std::size_t>(m);
    const auto slot = static_cast<std::size_t>(moves_[at].slot);
    const Vector away = plus(point, -1, point_[at]);
    switch (moves_[at].type) {
      case MoveType::slide:
        by_slot[slot] += sign * dot(normal, axis_[at]);
        break;
      case MoveType::turn:
        by_slot[slot] += sign * dot(normal, cross(axis_[at], away));
        break;
      case MoveType::ball: {
        const auto& q = quaternion_[at];
        const Vector v{q[0], q[1], q[2]};
        for (std::size_t k = 0; k < 4; ++k) {
          Vector own{};
          if (k < 3) own[k] = 1;
          const Vector turn =
              k < 3 ? plus(plus({}, q[3], own), -1, cross(own, v)) : plus({}, -1, v);
          Vector in_world{};
          for (std::size_t j = 0; j < 3; ++j) in_world = plus(in_world, turn[j], before_[at][j]);
          const double factor = 2 * scale_[at] * scale_[at];
          by_slot[slot + k] += sign * factor * dot(normal, cross(in_world, away));
        }
        break;
      }
    }
  }
}

void MotionTree::gradient(std::int32_t a, std::int32_t b, const Vector& point_a,
                          const Vector& point_b, const Vector& normal,
                          std::vector<double>& by_slot) const {
  by_slot.assign(robot_.plan().slot_count, 0);
  const std::int32_t end = b < 0 ? -1 : meeting(a, b);
  add_speeds(a, end, point_a, normal, -1, by_slot);
  if (b >= 0) add_speeds(b, end, point_b, normal, 1, by_slot);
}

double MotionTree::size() const {
  double most = 0;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (std::isfinite(parts_[p].radius)) {
      most = std::max(most, length(centers_[p]) + parts_[p].radius);
    }
  }
  return most;
}

double MotionTree::most_reach(double width) const {
  double most = 0;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    most = std::max(most, reach(static_cast<std::int32_t>(p), width));
  }
  for (const auto& [a, b] : pairs_) most = std::max(most, reach(a, b, width));
  return most;
}

}  // namespace widephase
