#pragma once

// How far two moving shapes may go without meeting: conservative advancement (Mirtich 1996, 2.3).
//
// Along the axis between their nearest points, convex shapes have a gap that shrinks no faster than
// their centres approach along it, plus for each shape that turns its turn rate times how far it
// reaches from its body's centre. A shape that turns about u moves along n only by the part of its
// rate across n, |u x n|. And it never reaches farther along n than its farthest point, so what it
// loses by turning has an end: a wheel that spins beside a wall does not stop the search.
//
// Triangles of a surface lie on every side of a shape. So nothing is known of the gap along one
// axis alone, and all speeds count in full. A surface, or a halfspace that turns, is asked in its
// own frame: there the other shape's points move by the turn rate times their distance from its
// centre.

#include <algorithm>
#include <cmath>
#include <limits>

#include "pipeline/narrow/impact_scratch.hpp"

namespace widephase {

enum class Verdict : std::uint8_t { goes_on, meets, starts_inside, never, gives_up };

/// Steps of a pair until its t is given as a bound.
constexpr int kMostSteps = 4096;

/// A shape of a pair, at the pair's t.
template <int D>
struct ImpactSide {
  ShapeReach reach;
  const BodyMotion<D>* motion = nullptr;  ///< null: it stands
  double centre[D] = {};                  ///< of its body, or the middle of its bounds
  double centre_end[D] = {};              ///< at t = 1
  bool is_surface = false;
  bool is_unbounded = false;

  bool is_turning() const { return motion != nullptr && motion->rate > 0; }
};

/// What a distance says.
template <int D>
struct ImpactGap {
  double distance;
  double normal[D];
  double point_a[D];
  double point_b[D];
};

/// What counts as met, and how accurate distances are.
struct ImpactRules {
  double margin;
  double tolerance;  ///< 0: by the shapes' sizes
  StartOverlap start;
  double slack;  ///< relative error of a distance and error of a normal's direction
  double place;  ///< relative error of a position
};

/// Something that closes a gap at a rate until it has closed so much.
struct Closing {
  double rate = 0;
  double most = std::numeric_limits<double>::infinity();
};

/// The first time at which `room` may be used up: by `speed`, which may be negative, and both
/// others.
inline double time_to_close(double room, double speed, Closing first, Closing second) {
  const auto end_of = [](const Closing& c) {
    return c.rate > 0 ? c.most / c.rate : std::numeric_limits<double>::infinity();
  };
  if (end_of(second) < end_of(first)) std::swap(first, second);
  double time = 0;
  double rate = speed + first.rate + second.rate;
  for (const Closing& c : {first, second}) {
    const double end = end_of(c);
    if (rate > 0 && room <= rate * (end - time)) return time + room / rate;
    if (!std::isfinite(end)) return std::numeric_limits<double>::infinity();
    room -= rate * (end - time);
    time = end;
    rate -= c.rate;
  }
  rate = speed;  // exactly
  return rate > 0 ? time + room / rate : std::numeric_limits<double>::infinity();
}

template <int D>
double distance_of(const double (&a)[D], const double (&b)[D]) {
  double square = 0;
  for (int k = 0; k < D; ++k) square += (b[k] - a[k]) * (b[k] - a[k]);
  return std::sqrt(square);
}

/// The part of a turn about `axis` that moves points along `normal`.
inline double part_across(const BodyMotion<2>&, const double (&)[2]) { return 1; }
inline double part_across(const BodyMotion<3>& motion, const double (&normal)[3]) {
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double across = motion.axis[i] * normal[j] - motion.axis[j] * normal[i];
    square += across * across;
  }
  return std::sqrt(square);
}

/// The velocity along `normal`, at t = 0, of the point of a shape that is at `point`.
template <int D>
double speed_along(const ImpactSide<D>& side, const double (&point)[D], const double (&normal)[D]) {
  if (side.motion == nullptr) return 0;
  const BodyMotion<D>& motion = *side.motion;
  double arm[D], sum = 0;
  for (int k = 0; k < D; ++k) {
    arm[k] = point[k] - side.centre[k];
    sum += motion.shift[k] * normal[k];
  }
  if (!(motion.rate > 0)) return sum;
  // A normalized line begins to turn by the sine of its angle, a quaternion by half as much.
  if constexpr (D == 2) {
    return sum + motion.turn_end[1] * (arm[0] * normal[1] - arm[1] * normal[0]);
  } else {
    const double cosine = motion.half_cosine;
    const double rate = 2 * std::sqrt(std::max(0.0, 1 - cosine * cosine));
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      sum += rate * (motion.axis[i] * arm[j] - motion.axis[j] * arm[i]) * normal[k];
    }
    return sum;
  }
}

/// How far B goes as A sees it.
template <int D>
double relative_shift(const ImpactSide<D>& a, const ImpactSide<D>& b, double (&shift)[D]) {
  double square = 0;
  for (int k = 0; k < D; ++k) {
    shift[k] = (b.motion == nullptr ? 0 : b.motion->shift[k]) -
               (a.motion == nullptr ? 0 : a.motion->shift[k]);
    square += shift[k] * shift[k];
  }
  return std::sqrt(square);
}

/// 1e-4 of the smaller shape; of one that is a point, of the other; of two points, of how far they
/// go.
inline double tolerance_of(const ImpactRules& rules, const ShapeReach& a, const ShapeReach& b,
                           double shift) {
  if (rules.tolerance > 0) return rules.tolerance;
  double size = std::min(a.size, b.size);
  if (!(size > 0)) size = std::max(a.size, b.size);
  if (!(size > 0) || !std::isfinite(size)) size = shift;
  return 1e-4 * size;
}

/// How a shape that turns at a rate closes the gap.
template <int D>
Closing turning_of(const ImpactSide<D>& side, const ImpactSide<D>& other, bool is_from_all_sides,
                   const double (&normal)[D], double support, double rate,
                   const ImpactRules& rules) {
  Closing closing;
  if (!side.is_turning()) return closing;
  if (is_from_all_sides) {
    const double apart = std::max(distance_of(side.centre, other.centre),
                                  distance_of(side.centre_end, other.centre_end));
    const double of_other = apart + other.reach.core;
    closing.rate = rate * std::min(side.reach.core, of_other);
    return closing;
  }
  const double across = std::min(1.0, part_across(*side.motion, normal) + rules.slack);
  closing.rate = rate * across * side.reach.turning;
  double place = side.reach.surface;
  for (int k = 0; k < D; ++k) place += std::abs(side.centre[k]);
  closing.most = std::max(0.0, side.reach.surface - support) + rules.place * place;
  return closing;
}

/// Advances a pair from the gap at its t.
template <int D>
Verdict advance(ImpactSearch& search, const ImpactSide<D>& a, const ImpactSide<D>& b,
                const ImpactGap<D>& gap, const ImpactRules& rules) {
  const double target = rules.margin + a.reach.margin + b.reach.margin;
  const bool is_start = search.steps++ == 0;
  if (is_start && gap.distance <= target) {
    if (rules.start == StartOverlap::pass) return Verdict::never;
    const double parting =
        speed_along(b, gap.point_b, gap.normal) - speed_along(a, gap.point_a, gap.normal);
    const bool is_left = rules.start == StartOverlap::leave_apart && parting >= 0;
    return is_left ? Verdict::never : Verdict::starts_inside;
  }
  double relative[D];
  const double speed = relative_shift(a, b, relative);
  const bool is_one_body = a.motion == b.motion;  // or both stand
  if (is_one_body || (speed == 0 && !a.is_turning() && !b.is_turning())) return Verdict::never;

  const bool is_from_all_sides = a.is_surface || b.is_surface ||
                                 (a.is_unbounded && a.is_turning()) ||
                                 (b.is_unbounded && b.is_turning());
  double along = 0, support_a = 0, support_b = 0;
  for (int k = 0; k < D; ++k) {
    along -= relative[k] * gap.normal[k];
    support_a += (gap.point_a[k] - a.centre[k]) * gap.normal[k];
    support_b += (b.centre[k] - gap.point_b[k]) * gap.normal[k];
  }
  const double closing = is_from_all_sides ? speed : along + rules.slack * speed;
  // The time to use up some room, if what turns is no faster than up to `until`.
  const auto time_for = [&](double room, double until) {
    const auto closing_of = [&](const ImpactSide<D>& side, const ImpactSide<D>& other,
                                double support) {
      const double rate = side.is_turning() ? side.motion->rate_between(search.t, until) : 0;
      return turning_of(side, other, is_from_all_sides, gap.normal, support, rate, rules);
    };
    constexpr double kRounding = 0.9999;  // of the speeds
    return kRounding *
           time_to_close(room, closing, closing_of(a, b, support_a), closing_of(b, a, support_b));
  };
  const double rest = gap.distance - target;
  const double tolerance = tolerance_of(rules, a.reach, b.reach, speed);
  if (rest <= tolerance) {
    // Near, but what is left of the motion need not bring them to the margin.
    const double time = time_for(std::max(rest, 0.0), 1);
    return search.t + time > 1 ? Verdict::never : Verdict::meets;
  }
  // Aims at a quarter of the tolerance, so that rounding does not lead below the margin.
  const double aim = rest - tolerance / 4;
  const double room = std::max(aim - rules.slack * gap.distance, aim / 2);
  double next = search.t + time_for(room, 1);
  if (next > 1) return Verdict::never;
  // Turns are fastest in the middle, if they are large by far; until half of that time they are
  // not.
  if (search.t < 0.5 && (a.is_turning() || b.is_turning())) {
    const double until = search.t / 2 + 0.25;
    next = std::max(next, std::min(until, search.t + time_for(room, until)));
  }
  if (!(next > search.t) || search.steps == kMostSteps) return Verdict::gives_up;
  search.t = next;
  return Verdict::goes_on;
}

}  // namespace widephase
