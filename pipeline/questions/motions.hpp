#pragma once

// How bodies move from t = 0 to 1: positions along straight lines, orientations along a straight
// line that is normalized. The rate of such a turn has a bound without sines: with d and s the
// difference and the sum of both ends, as numbers of unit length, the line passes 0 at the distance
// |s| / 2 and is |d| long, so it is seen from there at an angular rate of up to 2 |d| / |s|. For a
// quaternion, which turns by twice its angle, this is 4 |d| / |s|.

#include <algorithm>
#include <cmath>
#include <string>

#include "pipeline/narrow/impact_scratch.hpp"
#include "soa/column_layout.hpp"
#include "soa/number_text.hpp"
#include "soa/turn.hpp"

namespace widephase {

constexpr const char* turn_end_name(int dimension) {
  return dimension == 2 ? "angle_end" : "orientation_end";
}

/// The angle between (1, 0) and the point at `t` of the line from there to (cosine, sine), by
/// Newton's method on our own sine: with the residual angle e it leaves about e^3 / 6.
inline double angle_on_line(double cosine, double sine, double angle, double t) {
  const double x = (1 - t) + t * cosine, y = t * sine;
  const double length = std::sqrt(x * x + y * y);
  double found = t * angle;
  for (int i = 0; i < 8; ++i) {
    const Turn2<double> turn = turn_of(found);
    const double error = (y * turn.cosine - x * turn.sine) / length;
    found += error;
    if (std::abs(error) < 1e-9) break;
  }
  return found;
}

/// The turn of a body in 2D. The angle must be less than half a turn.
inline void set_turn(BodyMotion<2>& motion, const std::array<double, 1>& start,
                     const std::array<double, 1>& end) {
  const double angle = end[0] - start[0];
  const Turn2<double> turn = turn_of(angle);
  motion.turn_start[0] = start[0];
  motion.turn_end[0] = turn.cosine;
  motion.turn_end[1] = turn.sine;
  motion.turn_end[2] = angle;
  // The tangent of half the angle, in the form that does not cancel.
  const double tangent = turn.cosine > 0 ? std::abs(turn.sine) / (1 + turn.cosine)
                                         : (1 - turn.cosine) / std::abs(turn.sine);
  motion.rate = angle == 0 ? 0 : 2 * tangent;
  motion.half_cosine = 1 / std::sqrt(1 + tangent * tangent);
  motion.middle = 1 / (1 + tangent * tangent);
}

/// The same in 3D. At 90 degrees between the quaternions, half a turn, the signs choose the arc.
inline void set_turn(BodyMotion<3>& motion, const std::array<double, 4>& start,
                     const std::array<double, 4>& end) {
  double lengths[2] = {}, dot = 0;
  for (int w = 0; w < 4; ++w) {
    lengths[0] += start[w] * start[w];
    lengths[1] += end[w] * end[w];
    dot += start[w] * end[w];
  }
  const double sign = dot < 0 ? -1 : 1;
  bool is_turned = false;
  double d = 0, s = 0;
  const double* const a = motion.turn_start;
  const double* const b = motion.turn_end;
  for (int w = 0; w < 4; ++w) {
    is_turned |= sign * end[w] != start[w];
    motion.turn_start[w] = start[w] / std::sqrt(lengths[0]);
    motion.turn_end[w] = sign * end[w] / std::sqrt(lengths[1]);
    d += (b[w] - a[w]) * (b[w] - a[w]);
    s += (b[w] + a[w]) * (b[w] + a[w]);
  }
  if (!is_turned) return;
  motion.rate = 4 * std::sqrt(d / s);
  motion.half_cosine = std::min(1.0, s / 2 - 1);  // |a + b|^2 = 2 + 2 cos
  motion.middle = std::min(1.0, s / 4);
  // The vector part of end times the conjugate of start.
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    motion.axis[k] = (a[3] * b[k] - b[3] * a[k]) + (a[i] * b[j] - a[j] * b[i]);
    square += motion.axis[k] * motion.axis[k];
  }
  const double length = std::sqrt(square);
  for (double& number : motion.axis) number = length > 0 ? number / length : 0;
}

/// The turn of a body at t, as the column of bodies has it. At 0, and of a body that does not turn,
/// it is the given one, to the bit.
template <class T>
void put_turn(const Poses<2, T>& poses, std::size_t body, const BodyMotion<2>& motion, double t,
              Column<SizeOf<T>>& turn, std::size_t row) {
  double angle = poses.turn.empty() ? 0 : static_cast<double>(poses.turn(body));
  if (motion.rate > 0 && t > 0) {
    angle += angle_on_line(motion.turn_end[0], motion.turn_end[1], motion.turn_end[2], t);
  }
  turn(row) = static_cast<SizeOf<T>>(angle);
}
template <class T>
void put_turn(const Poses<3, T>& poses, std::size_t body, const BodyMotion<3>& motion, double t,
              Column<SizeOf<T>, 4>& turn, std::size_t row) {
  if (!(motion.rate > 0) || !(t > 0)) {
    for (int w = 0; w < 4; ++w) {
      const SizeOf<T> none = w == 3 ? 1 : 0;
      turn(row, w) = poses.turn.empty() ? none : poses.turn(body, w);
    }
    return;
  }
  double numbers[4], square = 0;
  for (int w = 0; w < 4; ++w) {
    numbers[w] = (1 - t) * motion.turn_start[w] + t * motion.turn_end[w];
    square += numbers[w] * numbers[w];
  }
  const double length = std::sqrt(square);
  for (int w = 0; w < 4; ++w) turn(row, w) = static_cast<SizeOf<T>>(numbers[w] / length);
}

/// Reads and checks all motions. Returns whether some body turns.
template <int D, class T>
bool read_motion(const Poses<D, T>& poses, const Motion<D, T>& motion,
                 std::vector<BodyMotion<D>>& bodies) {
  constexpr int kNumbers = D == 2 ? 1 : 4;
  const char* const turn_name = turn_end_name(D);
  const auto& end_turn = motion.turn_end();
  const std::size_t count = poses.position.size();
  const auto require_rows = [&](const char* array, std::size_t size) {
    if (size == 0 || size == count) return;
    throw Error(Finding{array, -1,
                        "has " + number(size) + " rows; give one per body of the scene (" +
                            number(count) + ") or none"});
  };
  require_layout("position_end", motion.position_end);
  require_layout(turn_name, end_turn);
  require_rows("position_end", motion.position_end.size());
  require_rows(turn_name, end_turn.size());
  bodies.assign(count, BodyMotion<D>{});
  bool is_any_turned = false;
  for (std::size_t body = 0; body < count; ++body) {
    const auto fail = [&](const char* array, std::string message) {
      throw Error(Finding{array, static_cast<std::int64_t>(body), std::move(message)});
    };
    BodyMotion<D>& to = bodies[body];
    for (int k = 0; k < D; ++k) {
      to.start[k] = static_cast<double>(poses.position(body, k));
      if (motion.position_end.empty()) continue;
      const auto end = static_cast<double>(motion.position_end(body, k));
      to.shift[k] = end - to.start[k];
      if (!std::isfinite(end) || !std::isfinite(to.shift[k])) {
        fail("position_end", "is " + number(end) + " along axis " + number(k) +
                                 "; it must be finite, and so must its distance from the "
                                 "start");
      }
    }
    if (end_turn.empty()) continue;
    std::array<double, kNumbers> start{}, end{};
    if constexpr (D == 3) start[3] = 1;
    for (int w = 0; w < kNumbers; ++w) {
      if (!poses.turn.empty()) start[w] = static_cast<double>(poses.turn(body, w));
      end[w] = static_cast<double>(end_turn(body, w));
    }
    if constexpr (D == 2) {
      constexpr double kHalfTurn = 3.141592653589793;
      if (!(std::abs(end[0] - start[0]) < kHalfTurn)) {
        fail(turn_name, "is " + number(end[0]) + " and the angle at the start " + number(start[0]) +
                            "; they must be finite and differ by less than half a turn, so cut "
                            "the motion into several");
      }
    } else if (!is_unit(end)) {
      fail(turn_name, "is not a unit quaternion x y z w; normalize it");
    }
    set_turn(to, start, end);
    is_any_turned |= to.rate > 0;
  }
  return is_any_turned;
}

/// The poses at t = 1: what does not change is that of the start.
template <int D, class T>
Poses<D, T> end_poses(const Poses<D, T>& poses, const Motion<D, T>& motion) {
  Poses<D, T> end = poses;
  if (!motion.position_end.empty()) end.position = motion.position_end;
  if (!motion.turn_end().empty()) end.turn = motion.turn_end();
  return end;
}

}  // namespace widephase
