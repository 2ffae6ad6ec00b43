#include "pipeline/robots/motion_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "pipeline/robots/enclosing_balls.hpp"

namespace widephase {

namespace {

using Vector = std::array<double, 3>;

double beyond(double x, double size) { return std::max(std::abs(x) - size, 0.0); }

/// No part of the core is nearer.
double distance_to_core(const Vector& point, const Obstacle& obstacle) {
  const Vector d = plus(point, -1, obstacle.center);
  switch (obstacle.core) {
    case CheckCore::point:
      return length(d);
    case CheckCore::segment: {
      const double t = std::clamp(dot(d, obstacle.axis[0]) * obstacle.size[0], 0.0, 1.0);
      const Vector away = plus(d, -t, obstacle.axis[0]);
      return length(away);
    }
    case CheckCore::box: {
      double square = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double part = beyond(dot(d, obstacle.axis[k]), obstacle.size[k]);
        square += part * part;
      }
      return std::sqrt(square);
    }
    case CheckCore::cylinder: {
      const double height = dot(d, obstacle.axis[2]);
      const Vector across = plus(d, -height, obstacle.axis[2]);
      const double outside = beyond(length(across), obstacle.size[0]);
      const double above = beyond(height, obstacle.size[2]);
      return std::sqrt(outside * outside + above * above);
    }
    case CheckCore::halfspace:
      return dot(point, obstacle.axis[2]) - obstacle.size[0];
    case CheckCore::hull:
      break;
  }
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double part = std::max({obstacle.low[k] - point[k], point[k] - obstacle.high[k], 0.0});
    square += part * part;
  }
  return std::sqrt(square);
}

}  // namespace

MotionPairs::MotionPairs(const Robot& robot, const MotionTree& tree, const Environment& environment,
                         std::int32_t world, double margin, bool moving_pairs)
    : obstacles_(environment.state().obstacles), margin_(margin) {
  const CheckPlan& plan = robot.plan().check;
  for (const PlannedUnit& planned : plan.units) {
    Unit unit{planned.body,         tree.part_of(planned.shape),
              planned.bound.center, planned.bound.radius,
              balls_.size(),        balls_.size() + planned.balls.size()};
    for (const BodyBall& ball : planned.balls) {
      balls_.push_back(ball.center);
      radii_.push_back(ball.radius);
    }
    units_.push_back(unit);
  }
  bound_.resize(units_.size());
  ball_.resize(balls_.size());
  is_bound_placed_.resize(units_.size());
  is_placed_.resize(units_.size());
  reach_.resize(units_.size());
  const auto add_obstacles = [&](std::int32_t of_world) {
    for (const std::int32_t id : environment.state().obstacles_of(of_world)) {
      const Obstacle& obstacle = obstacles_[static_cast<std::size_t>(id)];
      for (std::size_t u = 0; u < plan.units.size(); ++u) {
        const PlannedUnit& unit = plan.units[u];
        if (!unit.meets_surroundings || (obstacle.category & unit.unit.mask) == 0 ||
            (obstacle.mask & unit.unit.category) == 0) {
          continue;
        }
        const bool is_core = obstacle.is_exact && obstacle.core != CheckCore::hull;
        pairs_.push_back({static_cast<std::int32_t>(u), -1, id, unit.is_exact && is_core});
      }
    }
  };
  add_obstacles(-1);
  if (world != -1) add_obstacles(world);
  if (!moving_pairs) return;
  for (const CheckPair& pair : plan.pairs) {
    pairs_.push_back({pair.a, pair.b, -1,
                      plan.units[static_cast<std::size_t>(pair.a)].is_exact &&
                          plan.units[static_cast<std::size_t>(pair.b)].is_exact});
  }
}

void MotionPairs::placed(const MotionTree& tree) {
  tree_ = &tree;
  std::fill(is_bound_placed_.begin(), is_bound_placed_.end(), std::uint8_t{0});
  std::fill(is_placed_.begin(), is_placed_.end(), std::uint8_t{0});
  width_ = -1;
}

const Vector& MotionPairs::place_bound(std::size_t unit) {
  if (is_bound_placed_[unit] == 0) {
    bound_[unit] = tree_->placed(units_[unit].body, units_[unit].center);
    is_bound_placed_[unit] = 1;
  }
  return bound_[unit];
}

void MotionPairs::place_balls(std::size_t unit) {
  if (is_placed_[unit] != 0) return;
  is_placed_[unit] = 1;
  for (std::size_t b = units_[unit].first_ball; b < units_[unit].last_ball; ++b) {
    ball_[b] = tree_->placed(units_[unit].body, balls_[b]);
  }
}

bool MotionPairs::is_apart(std::int32_t pair, double width, double share, double slack,
                           bool only_bounds) {
  const Pair& asked = pairs_[static_cast<std::size_t>(pair)];
  const auto u = static_cast<std::size_t>(asked.a);
  const Unit& a = units_[u];
  if (width != width_) std::fill(reach_.begin(), reach_.end(), -1.0);
  width_ = width;
  const Vector& bound = place_bound(u);
  if (asked.b < 0) {
    if (reach_[u] < 0) reach_[u] = tree_->reach(a.part, width);
    const Obstacle& obstacle = obstacles_[static_cast<std::size_t>(asked.obstacle)];
    const double least = reach_[u] * (1 + share) + slack + margin_ + obstacle.radius;
    const double away = distance_to_core(bound, obstacle);
    if (away > least + a.radius) return true;
    if (only_bounds) return false;
    place_balls(u);
    for (std::size_t i = a.first_ball; i < a.last_ball; ++i) {
      if (!(distance_to_core(ball_[i], obstacle) > least + radii_[i])) return false;
    }
    return true;
  }
  const auto v = static_cast<std::size_t>(asked.b);
  const Unit& b = units_[v];
  const Vector& other = place_bound(v);
  const double least = tree_->reach(a.part, b.part, width) * (1 + share) + slack + margin_;
  const auto are_apart = [&](const Vector& x, const Vector& y, double radii) {
    const Vector d = plus(x, -1, y);
    return length(d) > least + radii;
  };
  if (are_apart(bound, other, a.radius + b.radius)) return true;
  if (only_bounds) return false;
  place_balls(u);
  place_balls(v);
  for (std::size_t i = a.first_ball; i < a.last_ball; ++i) {
    if (are_apart(ball_[i], other, radii_[i] + b.radius)) continue;
    for (std::size_t j = b.first_ball; j < b.last_ball; ++j) {
      if (!are_apart(ball_[i], ball_[j], radii_[i] + radii_[j])) return false;
    }
  }
  return true;
}

}  // namespace widephase
