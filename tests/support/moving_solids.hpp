#pragma once

// Solids on bodies that move, and the reference for when they meet: the separation of shapes that
// are placed in long double, at times so close to one another that its fastest change shows none
// between them can have been missed.

#include <cmath>
#include <limits>
#include <sstream>
#include <string>

#include <widephase/impact.hpp>

#include "support/moving_gap.hpp"

namespace widephase::test {

/// The turn at t of the line between both ends, normalized: an angle; in 3D a quaternion.
inline Real angle_at(const BodyWay<2>& way, Real t) {
  const Real a = way.angle_start, b = way.angle_end;
  return std::atan2((1 - t) * std::sin(a) + t * std::sin(b),
                    (1 - t) * std::cos(a) + t * std::cos(b));
}
inline Vec<4> quaternion_at(const BodyWay<3>& way, Real t) {
  Vec<4> a = widened(way.turn_start), b = widened(way.turn_end);
  a = times(a, 1 / length(a));
  b = times(b, 1 / length(b));
  const Vec<4> sum = plus(times(a, 1 - t), b, dot(a, b) < 0 ? -t : t);
  return times(sum, 1 / length(sum));
}

/// A solid of a body's frame in the world.
inline Solid<2> placed(Solid<2> solid, const BodyWay<2>& way, Real t) {
  const Real angle = angle_at(way, t);
  const auto turn = [&](const Point<2>& p) {
    return Point<2>{static_cast<double>(std::cos(angle) * p[0] - std::sin(angle) * p[1]),
                    static_cast<double>(std::sin(angle) * p[0] + std::cos(angle) * p[1])};
  };
  if (solid.kind != Kind::aabb) {
    solid.p = turn(solid.p);
    if (solid.kind == Kind::capsule) solid.q = turn(solid.q);
    solid.angle += static_cast<double>(angle);
  }
  Point<2> at;
  for (int k = 0; k < 2; ++k) at[k] = static_cast<double>((1 - t) * way.start[k] + t * way.end[k]);
  return moved(solid, at);
}
inline Solid<3> placed(Solid<3> solid, const BodyWay<3>& way, Real t) {
  const Vec<4> q = quaternion_at(way, t);
  const std::array<Vec<3>, 3> axes =
      axes_of({static_cast<double>(q[0]), static_cast<double>(q[1]), static_cast<double>(q[2]),
               static_cast<double>(q[3])});
  const auto turn = [&](const Point<3>& p) {
    Point<3> result;
    for (int k = 0; k < 3; ++k) {
      result[k] = static_cast<double>(axes[0][k] * p[0] + axes[1][k] * p[1] + axes[2][k] * p[2]);
    }
    return result;
  };
  if (solid.kind != Kind::aabb) {
    solid.p = turn(solid.p);
    if (solid.kind == Kind::capsule) solid.q = turn(solid.q);
    const Vec<3> u{q[0], q[1], q[2]};
    const Vec<4> own = widened(solid.orientation);
    const Vec<3> v{own[0], own[1], own[2]};
    const Vec<3> imaginary = plus(plus(times(v, q[3]), u, own[3]), cross(u, v));
    for (int k = 0; k < 3; ++k) solid.orientation[k] = static_cast<double>(imaginary[k]);
    solid.orientation[3] = static_cast<double>(q[3] * own[3] - dot(u, v));
  }
  Point<3> at;
  for (int k = 0; k < 3; ++k) at[k] = static_cast<double>((1 - t) * way.start[k] + t * way.end[k]);
  return moved(solid, at);
}

/// The fastest turn on the way, by angles.
inline Real turn_rate(const BodyWay<2>& way) {
  return 2 * std::tan(std::abs(Real{way.angle_end} - way.angle_start) / 2);
}
inline Real turn_rate(const BodyWay<3>& way) {
  const Vec<4> a = quaternion_at(way, 0), b = quaternion_at(way, 1);
  const Real cosine = std::min<Real>(1, std::abs(dot(a, b)));
  return 4 * std::tan(std::acos(cosine) / 2);
}

/// How far a solid reaches from its body's origin; a halfspace has no end.
template <int D>
Real reach_of(const Solid<D>& solid) {
  if (solid.kind == Kind::halfspace) return std::numeric_limits<Real>::infinity();
  if (solid.kind == Kind::aabb || solid.kind == Kind::capsule) {
    return std::max(length(widened(solid.p)), length(widened(solid.q))) + solid.size;
  }
  return length(widened(solid.p)) + core_reach(solid) + radius_of(solid);
}

template <int D>
Real separation_at(const MovingPair<D>& pair, Real t) {
  return -reference_of(placed(pair.a, pair.way_a, t), placed(pair.b, pair.way_b, t)).depth;
}

/// A bound on the separation from below: of balls about the bodies' origins.
template <int D>
Real separation_of_balls(const MovingPair<D>& pair, Real t) {
  Vec<D> apart{};
  for (int k = 0; k < D; ++k) {
    apart[k] = (1 - t) * (Real{pair.way_b.start[k]} - pair.way_a.start[k]) +
               t * (Real{pair.way_b.end[k]} - pair.way_a.end[k]);
  }
  return length(apart) - reach_of(pair.a) - reach_of(pair.b);
}

/// No separation changes faster than this.
template <int D>
Real fastest_change(const MovingPair<D>& pair) {
  Vec<D> way{}, apart[2]{};
  for (int k = 0; k < D; ++k) {
    const Real a = Real{pair.way_a.end[k]} - pair.way_a.start[k];
    const Real b = Real{pair.way_b.end[k]} - pair.way_b.start[k];
    way[k] = b - a;
    apart[0][k] = Real{pair.way_b.start[k]} - pair.way_a.start[k];
    apart[1][k] = Real{pair.way_b.end[k]} - pair.way_a.end[k];
  }
  const Real between = std::max(length(apart[0]), length(apart[1]));
  const Real reach_a = reach_of(pair.a), reach_b = reach_of(pair.b);
  const auto of_turn = [&](const BodyWay<D>& turning, Real reach, Real other) {
    const Real rate = turn_rate(turning);
    return rate == 0 ? 0 : rate * std::min(reach, between + other);
  };
  return length(way) + of_turn(pair.way_a, reach_a, reach_b) +
         of_turn(pair.way_b, reach_b, reach_a);
}

/// One answer.
struct ImpactRow {
  CastStatus status;
  double t;
};

/// What is wrong with an answer; empty if nothing is. `rounding` is a length, and `samples` bounds
/// how close the times are.
template <int D>
std::string impact_flaw(const MovingPair<D>& pair, const ImpactRow& row, Real margin,
                        Real tolerance, Real rounding, int samples = 4096) {
  std::ostringstream text;
  text.precision(12);
  const bool is_met = row.status != CastStatus::none;
  const Real until = is_met ? Real{row.t} : 1;
  const Real fastest = fastest_change(pair);
  const std::function<Real(Real)> quick = quick_gap(pair);
  const auto bound_at = [&](Real t) { return quick ? quick(t) : separation_of_balls(pair, t); };
  for (Real t = 0; t <= until;) {
    Real rest = t > 0 ? bound_at(t) - margin : -1;
    if (rest < 0) rest = separation_at(pair, t) - margin;
    if (rest < -rounding && !(row.status == CastStatus::started_inside && t == 0)) {
      text << (is_met ? "late: " : "missed: ") << "at " << t << " there is " << rest
           << " beyond the margin; ";
      return text.str();
    }
    if (t == 0 && row.status == CastStatus::started_inside) {
      if (rest > rounding) text << "does not start inside, but " << rest << " apart; ";
      if (row.t != 0) text << "starts inside at t " << row.t << "; ";
      return text.str();
    }
    if (!(fastest > 0)) break;
    t += std::max(rest / fastest, Real{1} / samples);
  }
  if (row.status == CastStatus::hit) {
    const Real rest = separation_at(pair, row.t) - margin;
    if (rest > tolerance + rounding) text << "early: " << rest << " is left; ";
    if (rest < -rounding) text << "late: " << rest << " is left; ";
  }
  return text.str();
}

/// The scene of many pairs, each shape on its own body: bodies 2 i and 2 i + 1.
template <int D, class T>
struct MovingScene {
  SceneColumns<D, T> scene;
  Column<PositionOf<T>, D> position_end;
  Column<SizeOf<T>, D == 2 ? 1 : 4> turn_end;
  std::vector<Pair> pairs;

  explicit MovingScene(const std::vector<MovingPair<D>>& moving) {
    std::vector<std::pair<Kind, std::int32_t>> rows;
    for (const MovingPair<D>& pair : moving) {
      add(pair.a, pair.way_a, rows);
      add(pair.b, pair.way_b, rows);
    }
    const SceneLayout layout = layout_of(scene);
    for (std::size_t i = 0; i < rows.size(); i += 2) {
      pairs.push_back({layout.id(rows[i].first, rows[i].second),
                       layout.id(rows[i + 1].first, rows[i + 1].second)});
    }
  }

  Motion<D, T> motion() const {
    Motion<D, T> motion;
    motion.position_end = position_end;
    if constexpr (D == 2) {
      motion.angle_end = turn_end;
    } else {
      motion.orientation_end = turn_end;
    }
    return motion;
  }

 private:
  void add(const Solid<D>& solid, const BodyWay<D>& way,
           std::vector<std::pair<Kind, std::int32_t>>& rows) {
    const auto body = static_cast<std::int32_t>(rows.size());
    rows.push_back({solid.kind, append(scene, solid)});
    with_table(scene, solid.kind, [&](auto& table) { table.body.push_back(body); });
    scene.bodies.position.push_back(as_row<D, PositionOf<T>>(way.start));
    position_end.push_back(as_row<D, PositionOf<T>>(way.end));
    if constexpr (D == 2) {
      scene.bodies.turn.push_back(way.angle_start);
      turn_end.push_back(way.angle_end);
    } else {
      scene.bodies.turn.push_back(as_row<4, SizeOf<T>>(way.turn_start));
      turn_end.push_back(as_row<4, SizeOf<T>>(way.turn_end));
    }
  }
};

/// The way as it is stored.
template <class T, int D>
BodyWay<D> stored_way(BodyWay<D> way) {
  const auto place = [](double& value) {
    value = static_cast<double>(static_cast<PositionOf<T>>(value));
  };
  const auto turn = [](double& value) {
    value = static_cast<double>(static_cast<SizeOf<T>>(value));
  };
  for (double& value : way.start) place(value);
  for (double& value : way.end) place(value);
  turn(way.angle_start);
  turn(way.angle_end);
  for (double& value : way.turn_start) turn(value);
  for (double& value : way.turn_end) turn(value);
  return way;
}

}  // namespace widephase::test
