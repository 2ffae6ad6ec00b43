#pragma once

// Pairs with a cylinder, by support functions. Along the unit vector n a cylinder reaches
// r |n across its axis| + h |n along it| from its centre.
//
// The largest ball about the origin inside the difference Z = A - B touches the surface of Z. Where
// it touches, the surface has a single normal, which is the direction of least depth. So the
// candidates are the normals of the smooth pieces of Z. For a cylinder and a polytope these pieces
// are
//   - the caps, the polytope's faces, and the parallelograms of a side line and an edge;
//   - a corner along the round side: straight away from the axis;
//   - an edge along the rim: perpendicular to the edge, a function of one angle with minima
//     to search for.
// For two cylinders they are
//   - the caps, the parallelogram of two side lines, and straight away from either axis;
//   - a side line along the other's rim: perpendicular to the line's axis, also a function of
//     one angle;
//   - rim against rim: a search over the sphere with the rims' centres fixed.
// If the cores are apart, the direction of least depth is unique. It is one of these too, or points
// straight from a corner to the cylinder. Every direction that is tried bounds the depth from
// above. If rounding spoils a candidate at the border of two pieces, the candidate of the other
// piece has the same depth to rounding.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "reference/polytope.hpp"

namespace widephase::test {

struct CylinderCore {
  Vec<3> center;
  std::array<Vec<3>, 3> axes;  ///< the last is the cylinder's axis
  Real half_height;
  Real radius;

  Vec<3> local(const Vec<3>& point) const { return along_axes(axes, minus(point, center)); }
  Vec<3> turned(const Vec<3>& v) const {
    return plus(plus(times(axes[0], v[0]), axes[1], v[1]), axes[2], v[2]);
  }
  /// The part of `n` perpendicular to the axis.
  Vec<3> across(const Vec<3>& n) const { return turned({dot(n, axes[0]), dot(n, axes[1]), 0}); }
  /// The length of the part of `n` perpendicular to the axis.
  Real lean(const Vec<3>& n) const {
    const Real x = dot(n, axes[0]), y = dot(n, axes[1]);
    return std::sqrt(x * x + y * y);
  }
  Real support(const Vec<3>& n) const {
    return dot(n, center) + radius * lean(n) + half_height * std::abs(dot(n, axes[2]));
  }
};

/// The cylinder's core relative to `origin`.
inline CylinderCore cylinder_of(const Solid<3>& solid, const Vec<3>& origin) {
  return {minus(widened(solid.p), origin), axes_of(solid.orientation), solid.q[2], solid.size};
}

/// From the surface of a cylinder at the origin to a point outside; 0 if the point is inside.
Vec<3> from_solid_cylinder(const Vec<3>& local, Real half_height, Real radius);

/// Distance of a point to the surface, from inside or outside.
Real distance_to_cylinder(const CylinderCore& cylinder, const Vec<3>& point);

/// The overlap of a cylinder and a point along n = cos(t) u + sin(t) w.
struct RimCircle {
  Vec<3> u;       ///< perpendicular to the cylinder's axis
  Vec<3> w;       ///< perpendicular to u; both have unit length
  Real w_across;  ///< lengths of w's parts perpendicular to the axis and along it
  Real w_along;
  Real radius;
  Real half_height;
  Vec<3> apart;  ///< from the centre of the cylinder to the point

  Vec<3> direction(Real c, Real s) const { return plus(times(u, c), w, s); }
  Real across(Real c, Real s) const {
    const Real part = s * w_across;
    return std::sqrt(c * c + part * part);
  }
  Real value(Real c, Real s) const {
    return radius * across(c, s) + half_height * std::abs(s) * w_along - c * dot(apart, u) -
           s * dot(apart, w);
  }
  Real slope(Real c, Real s) const {
    const Real reach = across(c, s);
    // (w_across^2 - 1) = -w_along^2.
    const Real rim = reach > 0 ? -radius * w_along * w_along * s * c / reach : 0;
    return rim + half_height * (s < 0 ? -c : c) * w_along + s * dot(apart, u) - c * dot(apart, w);
  }
  /// The derivative of the slope. The reach of an ellipse plus its second derivative is its radius
  /// of curvature, w_across^2 / reach^3.
  Real bend(Real c, Real s) const {
    const Real reach = across(c, s);
    const Real rim = reach > 0 ? radius * w_across * w_across / (reach * reach * reach) : 0;
    return rim - value(c, s);
  }
};

/// The circle of directions perpendicular to `direction`, at any angle to the cylinder's axis.
RimCircle circle_across(const CylinderCore& cylinder, const Vec<3>& direction, const Vec<3>& point);

/// Calls `consider(n)` for the local minima of the circle whose value may be below `limit`.
///
/// The function is smooth except for possible kinks where the quarters of the circle meet. At a
/// minimum the slope changes from falling to rising, either at a kink or between two samples of a
/// quarter. A shallow minimum may lie between two samples together with a maximum; then the slope
/// has an extremum between them.
template <class Consider>
void for_each_minimum(const RimCircle& circle, Real limit, Consider&& consider) {
  constexpr std::size_t kQuarter = 17, kCount = 4 * kQuarter;
  static const Real kStep = 2 * std::acos(Real{-1}) / (kCount - 4);
  static const std::array<std::array<Real, 2>, kCount> kTurns = [] {
    std::array<std::array<Real, 2>, kCount> turns;
    for (std::size_t i = 0; i < kCount; ++i) {
      const std::size_t quarter = i / kQuarter, in_quarter = i % kQuarter;
      Real t = static_cast<Real>(i - quarter) * kStep;
      // Stay next to the kinks, not on them.
      if (in_quarter == 0) t += 1e-15L;
      if (in_quarter == kQuarter - 1) t -= 1e-15L;
      turns[i] = {std::cos(t), std::sin(t)};
    }
    return turns;
  }();
  // No slope of the function is steeper than this.
  const Real steepest = length(circle.apart) + circle.radius + circle.half_height;
  const Real most = limit + kStep * steepest;
  // Angles as cosine and sine, so that halving an interval only needs a square root.
  struct Turn {
    Real c, s;
  };
  // A zero of `f`, which has one sign at `low` and the other at `high`.
  const auto zero_of = [](const auto& f, Turn low, Turn high) {
    const bool is_falling = f(low) > 0;
    for (int round = 0; round < 64; ++round) {
      const Real c = low.c + high.c, s = low.s + high.s, norm = std::sqrt(c * c + s * s);
      const Turn middle{c / norm, s / norm};
      ((f(middle) > 0) == is_falling ? low : high) = middle;
    }
    return low;
  };
  const auto slope = [&](Turn t) { return circle.slope(t.c, t.s); };
  const auto bend = [&](Turn t) { return circle.bend(t.c, t.s); };
  std::array<bool, kCount> is_up;
  for (std::size_t i = 0; i < kCount; ++i) {
    is_up[i] = circle.slope(kTurns[i][0], kTurns[i][1]) > 0;
  }
  constexpr Real kEnds[4][2] = {{0, 1}, {-1, 0}, {0, -1}, {1, 0}};  // ends of the quarters
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::size_t next = (i + 1) % kCount;
    const bool is_low_up = is_up[i], is_high_up = is_up[next];
    if (is_low_up && !is_high_up) continue;
    const auto& [c, s] = kTurns[i];
    const auto& [next_c, next_s] = kTurns[next];
    if (circle.value(c, s) > most) continue;
    const bool is_minimum = !is_low_up && is_high_up;
    if (i % kQuarter == kQuarter - 1) {
      const auto& [end_c, end_s] = kEnds[i / kQuarter];
      if (is_minimum) consider(circle.direction(end_c, end_s));
      continue;
    }
    Turn begin{c, s}, end{next_c, next_s};
    if (!is_minimum) {
      // Falling at both ends: the slope may rise above 0 between them. Rising at both ends: the
      // reverse.
      const bool is_low_bent_up = circle.bend(c, s) > 0;
      if (is_low_bent_up == is_low_up) continue;
      if ((circle.bend(next_c, next_s) > 0) == is_low_bent_up) continue;
      const Turn turn = zero_of(bend, begin, end);
      if ((slope(turn) > 0) == is_low_up) continue;
      (is_low_up ? begin : end) = turn;
    }
    const Turn t = zero_of(slope, begin, end);
    consider(circle.direction(t.c, t.s));
  }
}

/// Directions spread over the sphere, with the near neighbours of each.
struct SphereSamples {
  std::vector<Vec<3>> directions;
  std::vector<std::vector<std::size_t>> near;
};

const SphereSamples& sphere_samples();

/// Two discs; `apart` leads from the centre of the second to the centre of the first. Along n they
/// overlap by dot(apart, n) plus the reach of both.
struct DiscPair {
  const CylinderCore& a;
  const CylinderCore& b;
  Vec<3> apart;

  Real value(const Vec<3>& n) const {
    return dot(apart, n) + a.radius * a.lean(n) + b.radius * b.lean(n);
  }

  /// The sine of the angle between the axes.
  Real tilt() const { return length(cross(a.axes[2], b.axes[2])); }

  /// The lowest direction straight away from the tip of a disc's cone; the tip itself if it is
  /// lower than all around it.
  Vec<3> lowest_beside(const CylinderCore& disc, const Vec<3>& tip) const {
    const CylinderCore& other = &disc == &a ? b : a;
    const Vec<3> across = other.across(tip);
    const Real reach = length(across);
    Vec<3> gap = apart;
    if (reach > 0) gap = plus(gap, across, other.radius / reach);
    const Real height = dot(gap, tip);
    const Vec<3> slope = plus(gap, tip, -height);
    const Real steep = length(slope), down = steep - disc.radius;
    if (!(down > 0)) return tip;
    const Vec<3> away = times(slope, -1 / steep);
    Real bend = -height;
    if (reach > 0) {
      const Real along_rim = dot(cross(other.axes[2], across), away) / reach;
      bend += other.radius / reach * along_rim * along_rim;
    }
    const Real turn = bend > 0 ? std::min<Real>(down / bend, 0.1L) : 0.1L;
    return direction_between({}, plus(tip, away, turn));
  }

  /// Descends from `n` to a local minimum on the sphere, by Newton's method with the absolute
  /// values of the curvatures.
  Vec<3> descended(Vec<3> n) const {
    Real here = value(n);
    // Nearly parallel discs have minima between their tips, as near to the tips as these are to
    // each other.
    const Real tip_reach = std::clamp(tilt() / 100, Real{1e-12L}, Real{1e-4L});
    for (int round = 0; round < 60; ++round) {
      // Near the tip of a disc's cone, every step would be too long, so try the tip itself.
      for (const CylinderCore* disc : {&a, &b}) {
        const Vec<3> tip = times(disc->axes[2], dot(n, disc->axes[2]) < 0 ? -1 : 1);
        if (!(disc->lean(n) < tip_reach && value(tip) <= here)) continue;
        const Vec<3> beside = lowest_beside(*disc, tip);
        if (!(value(beside) < value(tip))) return tip;
        // The minimum lies between the tip and where the steps have led.
        n = beside;
        here = value(n);
      }
      Vec<3> gradient = apart;
      int least = 0;
      for (int k = 1; k < 3; ++k) least = std::abs(n[k]) < std::abs(n[least]) ? k : least;
      Vec<3> axis{};
      axis[least] = 1;
      const Vec<3> e0 = direction_between({}, cross(n, axis));
      const Vec<3> e1 = cross(n, e0);
      Real h00 = -here, h01 = 0, h11 = -here;
      for (const CylinderCore* disc : {&a, &b}) {
        const Vec<3> across = disc->across(n);
        const Real reach = length(across);
        if (!(reach > 0) || !(disc->radius > 0)) continue;
        gradient = plus(gradient, across, disc->radius / reach);
        const Vec<3> along_rim = times(cross(disc->axes[2], across), 1 / reach);
        const Real curve = disc->radius / reach;
        const Real x = dot(along_rim, e0), y = dot(along_rim, e1);
        h00 += curve * x * x;
        h01 += curve * x * y;
        h11 += curve * y * y;
      }
      const Real g0 = dot(gradient, e0), g1 = dot(gradient, e1);
      // Along each principal axis of curvature, takes the step that would make the slope 0, always
      // downhill, also where the curve bends down.
      const Real bend = std::hypot((h00 - h11) / 2, h01);
      const Real turn = std::atan2(h01, (h00 - h11) / 2) / 2;
      const Real c = std::cos(turn), s = std::sin(turn);
      const Real steep = std::abs(h00) + std::abs(h11) + std::abs(h01);
      if (!(steep > 0)) return n;
      const auto pace = [&](Real curve) { return 1 / std::max(std::abs(curve), 1e-9L * steep); };
      const Real along = -(c * g0 + s * g1) * pace((h00 + h11) / 2 + bend);
      const Real aside = -(c * g1 - s * g0) * pace((h00 + h11) / 2 - bend);
      const Real s0 = c * along - s * aside, s1 = s * along + c * aside;
      const Real stride = std::hypot(s0, s1);
      if (!(stride > 1e-19L)) return n;
      Real share = std::min<Real>(1, 0.3L / stride);
      bool was_taken = false;
      for (int halving = 0; halving < 30 && !was_taken; ++halving, share /= 2) {
        const Vec<3> next = direction_between({}, plus(plus(n, e0, share * s0), e1, share * s1));
        const Real there = value(next);
        // Changes in the last steps are below rounding.
        was_taken = there < here || (halving == 0 && stride < 1e-7L);
        if (was_taken) {
          n = next;
          here = there;
        }
      }
      if (!was_taken) return n;
    }
    return n;
  }
};

/// Two cores, at least one of them a cylinder, both relative to A's position.
struct CylinderPair {
  bool is_first;  ///< whether the cylinder is A
  CylinderCore cylinder;
  std::optional<CylinderCore> other_cylinder;
  Polytope other;

  CylinderPair(const Solid<3>& a, const Solid<3>& b)
      : is_first(a.kind == Kind::cylinder), cylinder(cylinder_of(is_first ? a : b, widened(a.p))) {
    const Solid<3>& second = is_first ? b : a;
    if (second.kind == Kind::cylinder) {
      other_cylinder = cylinder_of(second, widened(a.p));
    } else {
      other = polytope_of(second, widened(a.p));
    }
  }

  /// The translation of B along the unit vector `n` that separates the cores.
  Real support(const Vec<3>& n) const { return support_of_other(is_first ? n : times(n, -1)); }

  /// Whether the other core is a point.
  bool is_of_point() const { return !other_cylinder && other.corners.size() == 1; }
  /// For a point: the shortest vector from A's core to B's; 0 if the point is inside.
  Vec<3> gap_of_point() const {
    const Vec<3> local = cylinder.local(other.corners[0]);
    const Vec<3> gap = from_solid_cylinder(local, cylinder.half_height, cylinder.radius);
    return times(cylinder.turned(gap), is_first ? 1 : -1);
  }

  /// The directions from A to B that may have the least depth, with their depths, in ascending
  /// order. Leaves out directions whose depth exceeds the least by more than `slack`, and
  /// directions that differ from an earlier one by at most 1e-9.
  std::vector<std::pair<Real, Vec<3>>> least_directions(Real slack) const {
    std::vector<std::pair<Real, Vec<3>>> found;
    Real least = 1e300L;
    const auto consider = [&](const Vec<3>& n) {
      const Real norm = length(n);
      if (!(norm > 0)) return;
      const Vec<3> unit = times(n, 1 / norm);
      const Real depth = support_of_other(unit);
      if (depth > least + slack) return;
      least = std::min(least, depth);
      found.emplace_back(depth, unit);
    };
    const auto consider_both = [&](const Vec<3>& n) {
      consider(n);
      consider(times(n, -1));
    };
    for (const Vec<3>& axis : cylinder.axes) consider_both(axis);
    if (other_cylinder) {
      for (const Vec<3>& axis : other_cylinder->axes) consider_both(axis);
      consider_cylinder(consider, consider_both, least, slack);
    } else {
      consider_polytope(consider, consider_both, least, slack);
    }
    // Among directions of the least depth to rounding, exact ones come first: they were considered
    // before the results of searches.
    std::vector<std::pair<Real, Vec<3>>> sorted;
    for (const auto& one : found) {
      if (one.first <= least + 1e-15L * slack) sorted.push_back(one);
    }
    std::sort(found.begin(), found.end(),
              [](const auto& u, const auto& v) { return u.first < v.first; });
    found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(sorted.size()));
    sorted.insert(sorted.end(), found.begin(), found.end());
    std::vector<std::pair<Real, Vec<3>>> kept;
    for (auto& [depth, n] : sorted) {
      if (depth > least + slack) break;
      if (!is_first) n = times(n, -1);
      const bool is_known = std::any_of(kept.begin(), kept.end(), [&](const auto& known) {
        return length(minus(known.second, n)) <= 1e-9L;
      });
      if (!is_known) kept.emplace_back(depth, n);
    }
    return kept;
  }

 private:
  /// `support` for the cylinder as A.
  Real support_of_other(const Vec<3>& n) const {
    const Vec<3> back = times(n, -1);
    return cylinder.support(n) +
           (other_cylinder ? other_cylinder->support(back) : other.support(back));
  }

  template <class Consider, class ConsiderBoth>
  void consider_polytope(Consider&& consider, ConsiderBoth&& consider_both, const Real& least,
                         Real slack) const {
    for (const Vec<3>& normal : other.normals) consider_both(normal);
    for (const Vec<3>& along : other.directions) {
      consider_both(cross_of_units(cylinder.axes[2], along));
    }
    for (const Vec<3>& corner : other.corners) {
      const Vec<3> local = cylinder.local(corner);
      consider_both(cylinder.turned({local[0], local[1], 0}));
      consider(cylinder.turned(from_solid_cylinder(local, cylinder.half_height, cylinder.radius)));
    }
    for (const PolytopeEdge& edge : other.edges) {
      const RimCircle circle = circle_across(cylinder, edge.direction, other.corners[edge.from]);
      for_each_minimum(circle, least + slack, consider);
    }
  }

  template <class Consider, class ConsiderBoth>
  void consider_cylinder(Consider&& consider, ConsiderBoth&& consider_both, const Real& least,
                         Real slack) const {
    const CylinderCore& a = cylinder;
    const CylinderCore& b = *other_cylinder;
    const Vec<3> apart = minus(b.center, a.center);
    consider_both(cross_of_units(a.axes[2], b.axes[2]));
    consider_both(a.across(apart));
    consider_both(b.across(apart));
    // In directions perpendicular to A's axis, A's side reaches `radius` whatever the angle, so B's
    // rim alone varies; and the same for B. With B as A, n changes sign.
    for_each_minimum(circle_across(b, a.axes[2], a.center), least + slack - a.radius,
                     [&](const Vec<3>& n) { consider(times(n, -1)); });
    for_each_minimum(circle_across(a, b.axes[2], b.center), least + slack - b.radius, consider);
    for (const int sides : {0, 1, 2, 3}) {
      const Real side_a = (sides & 1) != 0 ? 1 : -1;
      const Real side_b = (sides & 2) != 0 ? 1 : -1;
      // Along n, the foremost rim of A is on its side_a, that of B opposite to its side_b.
      DiscPair discs{a, b, times(apart, -1)};
      discs.apart = plus(discs.apart, a.axes[2], side_a * a.half_height);
      discs.apart = plus(discs.apart, b.axes[2], side_b * b.half_height);
      for (const Vec<3>& n : low_directions(discs, side_a, side_b)) consider(discs.descended(n));
    }
  }

  /// The directions where searches start: samples that are lower than their neighbours. The
  /// function of each disc is a cone about its axis, and valleys that begin there may contain no
  /// sample. So this also takes the low points of rings about the axes.
  static std::vector<Vec<3>> low_directions(const DiscPair& discs, Real side_a, Real side_b) {
    const auto may_be = [&](const Vec<3>& n) {
      return side_a * dot(n, discs.a.axes[2]) > -0.3L && side_b * dot(n, discs.b.axes[2]) > -0.3L;
    };
    std::vector<Vec<3>> starts;
    const auto& [directions, near] = sphere_samples();
    std::vector<Real> values;
    for (const Vec<3>& n : directions) values.push_back(discs.value(n));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool is_least = std::all_of(near[i].begin(), near[i].end(), [&](std::size_t other) {
        return values[i] <= values[other];
      });
      if (is_least && may_be(directions[i])) starts.push_back(directions[i]);
    }
    constexpr std::size_t kRing = 16;
    for (const bool is_a : {true, false}) {
      const CylinderCore& disc = is_a ? discs.a : discs.b;
      const Real side = is_a ? side_a : side_b;
      const Real tilt = std::min(discs.tilt(), Real{0.003L});
      for (const Real reach :
           {0.3L * tilt, tilt, 3 * tilt, Real{0.003L}, Real{0.03L}, Real{0.1L}}) {
        if (!(reach > 0)) continue;
        std::array<Vec<3>, kRing> ring;
        std::array<Real, kRing> heights;
        for (std::size_t i = 0; i < kRing; ++i) {
          const Real turn = 2 * std::acos(Real{-1}) * static_cast<Real>(i) / kRing;
          ring[i] = direction_between(
              {}, disc.turned({reach * std::cos(turn), reach * std::sin(turn), side}));
          heights[i] = discs.value(ring[i]);
        }
        for (std::size_t i = 0; i < kRing; ++i) {
          const bool is_least = heights[i] <= heights[(i + 1) % kRing] &&
                                heights[i] <= heights[(i + kRing - 1) % kRing];
          if (is_least && may_be(ring[i])) starts.push_back(ring[i]);
        }
      }
    }
    return starts;
  }
};

}  // namespace widephase::test
