#pragma once

// Strides: the part of a search that needs no nearest points. Boxes, and in 2D polygons, are a core
// within a radius. Along every axis that may separate two cores the gap shrinks no faster than the
// bodies approach along it, plus for each its turn rate times its reach. No axis lets the shapes
// meet before its gap is used up, so the largest step of all axes is taken, not that of the widest
// gap; an axis whose gap does not shrink ends the search. What is near, at the start or later, is
// left to distances.
//
// All is in double, one pair at a time.

#include <algorithm>
#include <cmath>

#include "pipeline/narrow/workspace.hpp"
#include "pipeline/questions/impact_step.hpp"
#include "soa/turn.hpp"

namespace widephase {

/// Strides of a pair at most; distances go on from there.
constexpr int kMostStrides = 32;
/// Polygons of more vertices are left to distances.
constexpr int kMostStrideCorners = 16;

/// The core of a shape in its body's frame, how it is rounded, and how its body turns.
template <int D>
struct StrideCore;

template <>
struct StrideCore<2> {
  int corners = 0;
  double x[kMostStrideCorners] = {}, y[kMostStrideCorners] = {};
  double normal_x[kMostStrideCorners] = {}, normal_y[kMostStrideCorners] = {};
  double offset[kMostStrideCorners] = {};  ///< of the side from this corner to the next
  double radius = 0;
  Turn2<double> start{1, 0};  ///< of the body

  /// Whether it has sides; else it is left to distances.
  bool finish() {
    for (int i = 0; i < corners; ++i) {
      const int next = i + 1 == corners ? 0 : i + 1;
      const double along_x = x[next] - x[i], along_y = y[next] - y[i];
      const double length = std::sqrt(along_x * along_x + along_y * along_y);
      if (!(length > 0)) return false;
      normal_x[i] = along_y / length;
      normal_y[i] = -along_x / length;
      offset[i] = normal_x[i] * x[i] + normal_y[i] * y[i];
    }
    return corners > 2;
  }
};

template <>
struct StrideCore<3> {
  double center[3] = {};
  Turn3<double> turn{};
  double half[3] = {};
  double radius = 0;
  std::array<double, 4> start{0, 0, 0, 1};  ///< of the body
};

/// What the axes say together.
struct AxisVotes {
  double aim;      ///< the gap to keep
  double turning;  ///< how fast turns close any gap
  double widest = -std::numeric_limits<double>::infinity();
  double step = 0;
  bool never = false;

  /// `approach`: how fast the bodies close the gap by moving.
  void add(double gap, double approach) {
    widest = std::max(widest, gap);
    const double room = gap - aim;
    if (!(room > 0)) return;
    const double closing = approach + turning;
    if (closing <= 0) {
      never = true;
    } else {
      step = std::max(step, room / closing);
    }
  }
};

inline Turn2<double> turn_at(const StrideCore<2>& core, const BodyMotion<2>* motion, double t) {
  if (motion == nullptr || !(motion->rate > 0)) return core.start;
  const double c = (1 - t) + t * motion->turn_end[0], s = t * motion->turn_end[1];
  const double length = std::sqrt(c * c + s * s);
  return {(core.start.cosine * c - core.start.sine * s) / length,
          (core.start.sine * c + core.start.cosine * s) / length};
}

/// Votes of the sides of one core; the other is at (x, y) from it, in the world.
inline void vote_of_sides(const StrideCore<2>& own, const Turn2<double>& turn,
                          const StrideCore<2>& other, const Turn2<double>& turn_other,
                          const double (&apart)[2], const double (&velocity)[2], AxisVotes& votes) {
  // The other body in the frame of this one.
  const auto back = [&](double x, double y, double& to_x, double& to_y) {
    to_x = turn.cosine * x + turn.sine * y;
    to_y = turn.cosine * y - turn.sine * x;
  };
  double at_x, at_y, moves_x, moves_y, cosine, sine;
  back(apart[0], apart[1], at_x, at_y);
  back(velocity[0], velocity[1], moves_x, moves_y);
  back(turn_other.cosine, turn_other.sine, cosine, sine);
  const double radii = own.radius + other.radius;
  for (int i = 0; i < own.corners; ++i) {
    const double n_x = own.normal_x[i], n_y = own.normal_y[i];
    const double m_x = cosine * n_x + sine * n_y, m_y = cosine * n_y - sine * n_x;
    double least = m_x * other.x[0] + m_y * other.y[0];
    for (int v = 1; v < other.corners; ++v) {
      least = std::min(least, m_x * other.x[v] + m_y * other.y[v]);
    }
    const double gap = least + (n_x * at_x + n_y * at_y) - own.offset[i] - radii;
    votes.add(gap, -(n_x * moves_x + n_y * moves_y));
  }
}

inline void vote(const StrideCore<2>& a, const BodyMotion<2>* motion_a, const StrideCore<2>& b,
                 const BodyMotion<2>* motion_b, double t, const double (&apart)[2],
                 const double (&velocity)[2], AxisVotes& votes) {
  const Turn2<double> turn_a = turn_at(a, motion_a, t), turn_b = turn_at(b, motion_b, t);
  vote_of_sides(a, turn_a, b, turn_b, apart, velocity, votes);
  const double back[2] = {-apart[0], -apart[1]}, velocity_back[2] = {-velocity[0], -velocity[1]};
  vote_of_sides(b, turn_b, a, turn_a, back, velocity_back, votes);
}

/// The axes of a box in the world, and its centre from its body's.
struct StrideBox {
  double axis[3][3];
  double center[3];
};

inline StrideBox placed_box(const StrideCore<3>& core, const BodyMotion<3>* motion, double t) {
  std::array<double, 4> q = core.start;
  if (motion != nullptr && motion->rate > 0) {
    for (std::size_t w = 0; w < 4; ++w) {
      q[w] = (1 - t) * motion->turn_start[w] + t * motion->turn_end[w];
    }
  }
  const Turn3<double> body = turn_of<double>(q);
  const auto& column = body.column;
  const auto image = [&](const auto& point, double(&to)[3]) {
    for (std::size_t k = 0; k < 3; ++k) {
      to[k] = column[0][k] * point[0] + column[1][k] * point[1] + column[2][k] * point[2];
    }
  };
  StrideBox box;
  image(core.center, box.center);
  for (std::size_t axis = 0; axis < 3; ++axis) image(core.turn.column[axis], box.axis[axis]);
  return box;
}

inline void vote(const StrideCore<3>& a, const BodyMotion<3>* motion_a, const StrideCore<3>& b,
                 const BodyMotion<3>* motion_b, double t, const double (&apart)[3],
                 const double (&velocity)[3], AxisVotes& votes) {
  const StrideBox box_a = placed_box(a, motion_a, t), box_b = placed_box(b, motion_b, t);
  // B in A's frame.
  double cosine[3][3], size[3][3], at[3], moves[3];
  for (int i = 0; i < 3; ++i) {
    at[i] = moves[i] = 0;
    for (int j = 0; j < 3; ++j) cosine[i][j] = 0;
    for (int k = 0; k < 3; ++k) {
      const double n = box_a.axis[i][k];
      at[i] += n * (apart[k] + box_b.center[k] - box_a.center[k]);
      moves[i] += n * velocity[k];
      for (int j = 0; j < 3; ++j) cosine[i][j] += n * box_b.axis[j][k];
    }
    for (int j = 0; j < 3; ++j) size[i][j] = std::abs(cosine[i][j]);
  }
  const double radii = a.radius + b.radius;
  const auto add = [&](double place, double speed, double reach) {
    votes.add(std::abs(place) - reach - radii, place < 0 ? speed : -speed);
  };
  for (int i = 0; i < 3; ++i) {
    add(at[i], moves[i],
        a.half[i] + (b.half[0] * size[i][0] + b.half[1] * size[i][1] + b.half[2] * size[i][2]));
  }
  for (int j = 0; j < 3; ++j) {
    add(at[0] * cosine[0][j] + at[1] * cosine[1][j] + at[2] * cosine[2][j],
        moves[0] * cosine[0][j] + moves[1] * cosine[1][j] + moves[2] * cosine[2][j],
        b.half[j] + (a.half[0] * size[0][j] + a.half[1] * size[1][j] + a.half[2] * size[2][j]));
  }
  constexpr double kParallel = 1e-8;  // squared sine: between such edges the axis is noise
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double square = cosine[i1][j] * cosine[i1][j] + cosine[i2][j] * cosine[i2][j];
      if (square < kParallel) continue;
      const double scale = 1 / std::sqrt(square);
      const double reach = a.half[i1] * size[i2][j] + a.half[i2] * size[i1][j] +
                           b.half[j1] * size[i][j2] + b.half[j2] * size[i][j1];
      add(scale * (at[i2] * cosine[i1][j] - at[i1] * cosine[i2][j]),
          scale * (moves[i2] * cosine[i1][j] - moves[i1] * cosine[i2][j]), scale * reach);
    }
  }
}

/// A shape that strides.
template <int D>
struct Strider {
  StrideCore<D> core;
  ShapeReach reach;
  const BodyMotion<D>* motion = nullptr;  ///< null: it stands
};

/// Takes a search as far as the axes allow: `never`, or `goes_on` with its t, which is still 0 if
/// distances have to look at the start.
template <int D>
Verdict stride(ImpactSearch& search, const Strider<D>& a, const Strider<D>& b,
               const ImpactRules& rules) {
  if (a.motion == b.motion) return Verdict::goes_on;
  double velocity[D], start[D], square = 0, place = a.reach.surface + b.reach.surface;
  for (int k = 0; k < D; ++k) {
    const double from_a = a.motion == nullptr ? 0 : a.motion->start[k];
    const double from_b = b.motion == nullptr ? 0 : b.motion->start[k];
    start[k] = from_b - from_a;
    velocity[k] = (b.motion == nullptr ? 0 : b.motion->shift[k]) -
                  (a.motion == nullptr ? 0 : a.motion->shift[k]);
    square += velocity[k] * velocity[k];
    place += std::abs(from_a) + std::abs(from_b) + std::abs(velocity[k]);
  }
  const double target = rules.margin + a.reach.margin + b.reach.margin;
  const double tolerance = tolerance_of(rules, a.reach, b.reach, std::sqrt(square));
  // Nearer than this, answers are up to distances and their rounding.
  const double near =
      std::max(tolerance, 1e-5 * (a.reach.size + b.reach.size)) + rules.place * place;
  double t = 0;
  for (int i = 0; i < kMostStrides; ++i) {
    AxisVotes votes;
    votes.aim = target + tolerance / 4;
    votes.turning = 0;
    for (const Strider<D>* side : {&a, &b}) {
      if (side->motion == nullptr || !(side->motion->rate > 0)) continue;
      votes.turning += side->motion->rate_between(t, 1) * side->reach.turning;
    }
    double apart[D];
    for (int k = 0; k < D; ++k) apart[k] = start[k] + t * velocity[k];
    vote(a.core, a.motion, b.core, b.motion, t, apart, velocity, votes);
    if (!(votes.widest - target > near)) break;
    if (votes.never) return Verdict::never;
    constexpr double kRounding = 0.9999;  // of the speeds
    const double next = t + kRounding * votes.step;
    if (next > 1) return Verdict::never;
    if (!(next > t)) break;
    t = next;
  }
  if (t > 0) {
    search.t = t;
    search.steps = 1;
  }
  return Verdict::goes_on;
}

/// Reads a box or polygon of a scene, with its libraries; false for other shapes.
template <int D, class T>
bool read_core(const SceneSpan<D, T>& scene, Kind kind, std::size_t row, std::int32_t body,
               StrideCore<D>& core) {
  constexpr Kind kBox = std::remove_cvref_t<decltype(scene.boxes)>::kind;
  const auto& turns = scene.bodies.turn;
  const bool has_turn = body >= 0 && !turns.empty();
  if constexpr (D == 2) {
    if (has_turn) core.start = turn_of(static_cast<double>(turns(static_cast<std::size_t>(body))));
    const auto place = [&](const auto& table, const auto& corner_of, std::size_t corners) {
      const Turn2<double> turn = turn_of(static_cast<double>(table.turn(row)));
      core.radius = static_cast<double>(value_or(table.radius, row, 0));
      core.corners = static_cast<int>(corners);
      for (std::size_t v = 0; v < corners; ++v) {
        const auto [x, y] = corner_of(v);
        core.x[v] = static_cast<double>(table.center(row, 0)) + (turn.cosine * x - turn.sine * y);
        core.y[v] = static_cast<double>(table.center(row, 1)) + (turn.sine * x + turn.cosine * y);
      }
      return core.finish();
    };
    if (kind == kBox) {
      const auto& table = scene.boxes;
      const auto x = static_cast<double>(table.half_extents(row, 0));
      const auto y = static_cast<double>(table.half_extents(row, 1));
      const auto corner_of = [&](std::size_t v) {
        return std::pair{v == 1 || v == 2 ? x : -x, v > 1 ? y : -y};
      };
      return place(table, corner_of, 4);
    }
    if (kind != instance_kind(2)) return false;
    const auto& table = scene.polygons;
    const auto& sets = scene.geometries;
    const auto set = static_cast<std::size_t>(table.geometry(row));
    const auto begin = static_cast<std::size_t>(sets.offsets(set));
    const std::size_t corners = static_cast<std::size_t>(sets.offsets(set + 1)) - begin;
    if (corners > kMostStrideCorners) return false;
    const auto corner_of = [&](std::size_t v) {
      return std::pair{static_cast<double>(sets.vertices(begin + v, 0)),
                       static_cast<double>(sets.vertices(begin + v, 1))};
    };
    return place(table, corner_of, corners);
  } else {
    if (kind != kBox) return false;
    const auto& table = scene.boxes;
    std::array<double, 4> own;
    for (int w = 0; w < 4; ++w) {
      const auto at = static_cast<std::size_t>(w);
      own[at] = static_cast<double>(table.turn(row, w));
      if (has_turn) {
        core.start[at] = static_cast<double>(turns(static_cast<std::size_t>(body), w));
      }
    }
    core.turn = turn_of<double>(own);
    for (int k = 0; k < 3; ++k) {
      core.center[k] = static_cast<double>(table.center(row, k));
      core.half[k] = static_cast<double>(table.half_extents(row, k));
    }
    core.radius = static_cast<double>(value_or(table.radius, row, 0));
    return true;
  }
}

}  // namespace widephase
