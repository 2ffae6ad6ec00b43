#pragma once

// The direction and the points in which a cylinder's rim or side meets another core, to rounding.
//
// A search knows the minimum translation to rounding. It knows the direction, and the place on a
// rim, only to the root of rounding. Between the features that it found, the depth is a smooth
// function of the direction, h(n) = n.(p_A(n) - p_B(-n)), and is stationary. Its slope is the part
// of p_A - p_B perpendicular to n. Its curvature is that of the rims, radius / sine of the angle to
// the axis, less the depth. Newton steps find the zero of the slope. Edges keep n perpendicular to
// them; two edges that lie along one another, one of which may be a line of a side, act as one. The
// result is taken if support points show that it is not a longer exit.
//
// Two kinds of meeting leave no such step. Where an edge crosses a line of a side, the direction is
// across both. Where a vertex or an edge touches a cap within its rim, it is the cap's, and the rim
// has no direction of its own.

#include "kernels/core/faces/convex_manifold.hpp"
#include "kernels/core/support/polytope3.hpp"

namespace widephase {
namespace {

/// The feature of a core that is outermost about a direction.
template <class T>
struct RimFeature {
  bool is_known = false;  ///< if not, it is a face, whose direction is fixed
  bool is_round = false;
  bool is_edge = false;  ///< from `point - along` to `point + along`
  Vec<T, 3> point{}, along{};
  Vec<T, 3> turn{};  ///< the unit vector along which the point of a round feature moves
  T curvature = 0;   ///< how far that point moves per radian
};

template <class T>
RimFeature<T> rim_feature(const ConvexShape<T>& shape, const int* numbers, int count,
                          const Vec<T, 3>& direction) {
  RimFeature<T> feature;
  int other = numbers[0];
  bool has_three = false;
  for (int k = 1; k < count; ++k) {
    if (numbers[k] == numbers[0] || numbers[k] == other) continue;
    has_three = other != numbers[0];
    other = numbers[k];
  }
  feature.is_edge = other != numbers[0];
  if (shape.form != CoreForm::cylinder) {
    feature.is_known = !has_three;
    const Vec<T, 3> from = vertex_of(shape, numbers[0]), to = vertex_of(shape, other);
    feature.point = T(0.5) * (from + to);
    feature.along = T(0.5) * (to - from);
    return feature;
  }
  const T x = dot(shape.turn.column[0], direction), y = dot(shape.turn.column[1], direction);
  const T sine = root(x * x + y * y), radius = root(dot(shape.axis[0], shape.axis[0]));
  feature.is_known = feature.is_round = sine > 0;
  if (!feature.is_known) return feature;
  const Vec<T, 3>& up = shape.axis[2];
  feature.is_edge = feature.is_edge && dot(up, up) > 0;
  feature.point = (x / sine) * shape.axis[0] + (y / sine) * shape.axis[1];
  if (!feature.is_edge) feature.point = feature.point + (numbers[0] == 1 ? up : -up);
  feature.along = up;
  feature.turn = (x / sine) * shape.turn.column[1] - (y / sine) * shape.turn.column[0];
  feature.curvature = radius / sine;
  return feature;
}

/// Whether two edges are parallel, up to the rounding of the shorter one.
template <class T>
bool lies_along(const RimFeature<T>& a, const RimFeature<T>& b, T rounding) {
  const T of_a = dot(a.along, a.along), of_b = dot(b.along, b.along);
  const Vec<T, 3> across = cross(a.along, b.along);
  return dot(across, across) <= (rounding * rounding) * (of_a > of_b ? of_a : of_b);
}

/// Moves a contact's normal and witness to those between the features that the witness names.
/// Answers whether that worked. `rounding` is that of the pair's coordinates. If the depth is less
/// exact than that, it becomes the depth between the features.
template <class T>
bool settle_on_rim(const ShapePair<T>& pair, T& depth, T rounding, Vec<T, 3>& normal,
                   Witness<T>& witness) {
  constexpr int kMostSteps = 8;
  constexpr T kMostStep = T(0.1);
  Vec<T, 3> n = normal;
  RimFeature<T> a, b;
  Vec<T, 3> gap;
  for (int step = 0;; ++step) {
    a = rim_feature(pair.a, witness.a, witness.count, n);
    b = rim_feature(pair.b, witness.b, witness.count, -n);
    if (!a.is_known || !b.is_known || !(a.is_round || b.is_round) ||
        (a.is_edge && b.is_edge && !lies_along(a, b, rounding))) {
      return false;
    }
    gap = (a.point - b.point) - pair.apart;
    if (step == kMostSteps) break;
    const T height = dot(n, gap);
    // The normal turns in one direction across an edge, or in two.
    Vec<T, 3> tangent[2];
    int tangent_count = 1;
    if (a.is_edge || b.is_edge) {
      const Vec<T, 3> edge = unit_of(a.is_edge ? a.along : b.along);
      n = unit_of(n - dot(n, edge) * edge);
      tangent[0] = unit_of(cross(n, edge));
    } else {
      tangent_count = 2;
      tangent[0] = across_of(n);
      tangent[1] = cross(n, tangent[0]);
    }
    T slope[2], bend[2][2];
    for (int i = 0; i < tangent_count; ++i) {
      slope[i] = dot(tangent[i], gap);
      for (int j = 0; j < tangent_count; ++j) {
        bend[i][j] = i == j ? -height : T(0);
        for (const RimFeature<T>* f : {&a, &b}) {
          if (f->is_round)
            bend[i][j] += f->curvature * dot(f->turn, tangent[i]) * dot(f->turn, tangent[j]);
        }
      }
    }
    if (!(bend[0][0] > 0)) return false;
    Vec<T, 3> by = (-slope[0] / bend[0][0]) * tangent[0];
    if (tangent_count == 2) {
      const T area = bend[0][0] * bend[1][1] - bend[0][1] * bend[1][0];
      if (!(area > 0)) return false;
      by = ((bend[0][1] * slope[1] - bend[1][1] * slope[0]) / area) * tangent[0] +
           ((bend[1][0] * slope[0] - bend[0][0] * slope[1]) / area) * tangent[1];
    }
    const T size2 = dot(by, by);
    if (!(size2 <= kMostStep * kMostStep)) return false;
    n = unit_of(n + by);
    if (size2 <= 16 * kRounding<T> * kRounding<T> && step > 0) step = kMostSteps - 1;
  }
  const T height = dot(n, farthest(pair, n).point);
  if (!(height <= depth + rounding)) return false;
  const T settled = height < depth - rounding ? height : depth;
  // Finds where along its edge the other core's point is.
  Vec<T, 3> aside = gap - settled * n;
  Vec<T, 3> on_a = a.point, on_b = b.point;
  if (a.is_edge || b.is_edge) {
    const Vec<T, 3> along = unit_of(a.is_edge ? a.along : b.along);
    const auto half_of = [&](const RimFeature<T>& f) {
      return f.is_edge ? magnitude(dot(f.along, along)) : T(0);
    };
    // A's middle is at 0, B's at -ahead: the middle of what they have in common.
    const T ahead = dot(aside, along), half_a = half_of(a), half_b = half_of(b);
    const T low = -half_a > -ahead - half_b ? -half_a : -ahead - half_b;
    const T high = half_a < half_b - ahead ? half_a : half_b - ahead;
    if (!(low <= high)) return false;
    const T middle = T(0.5) * (low + high);
    aside = aside - ahead * along;
    on_a = on_a + middle * along;
    on_b = on_b + (middle + ahead) * along;
  }
  if (!(dot(aside, aside) <= rounding * rounding)) return false;
  normal = n;
  depth = settled;
  witness.on_a = on_a;
  witness.on_b = on_b;
  return true;
}

/// Moves a contact's normal and witness to where an edge of one core crosses a line of the other's
/// side. Answers whether the features that the witness names are such.
template <class T>
bool settle_across_line(const ShapePair<T>& pair, T& depth, T rounding, Vec<T, 3>& normal,
                        Witness<T>& witness) {
  constexpr T kLeastSine = T(0.01);
  const RimFeature<T> edge_a = rim_feature(pair.a, witness.a, witness.count, normal);
  const RimFeature<T> edge_b = rim_feature(pair.b, witness.b, witness.count, -normal);
  if (!edge_a.is_known || !edge_b.is_known || !edge_a.is_edge || !edge_b.is_edge) return false;
  const Vec<T, 3> along_a = unit_of(edge_a.along), along_b = unit_of(edge_b.along);
  const Vec<T, 3> across = cross(along_a, along_b);
  const T area = dot(across, across);
  if (!(area > kLeastSine * kLeastSine)) return false;
  const Vec<T, 3> n = unit_of(dot(across, normal) < 0 ? -across : across);
  const T height = dot(n, farthest(pair, n).point);
  if (!(height <= depth + rounding)) return false;
  const T settled = height < depth - rounding ? height : depth;
  // The lines of sides about the exact direction.
  const RimFeature<T> a = rim_feature(pair.a, witness.a, witness.count, n);
  const RimFeature<T> b = rim_feature(pair.b, witness.b, witness.count, -n);
  const Vec<T, 3> gap = ((a.point - b.point) - pair.apart) - settled * n;
  const T at_a = dot(cross(along_b, gap), across) / area;
  const T at_b = dot(cross(along_a, gap), across) / area;
  const auto is_beyond = [&](T at, const Vec<T, 3>& half) {
    return !(magnitude(at) <= root(dot(half, half)) + rounding);
  };
  if (is_beyond(at_a, a.along) || is_beyond(at_b, b.along)) return false;
  const Vec<T, 3> beside = (gap + at_a * along_a) - at_b * along_b;
  if (!(dot(beside, beside) <= rounding * rounding)) return false;
  normal = n;
  depth = settled;
  witness.on_a = a.point + at_a * along_a;
  witness.on_b = b.point + at_b * along_b;
  return true;
}

/// Moves a contact's normal to the axis of a cylinder, A if `is_a`, that it lies along but for the
/// root of rounding, and the witness to a point of the other core over the cap: its own or a vertex
/// that it names. Answers whether there is one.
template <class T>
bool settle_over_cap(const ShapePair<T>& pair, bool is_a, T& depth, T rounding, Vec<T, 3>& normal,
                     Witness<T>& witness) {
  const ConvexShape<T>&cap = is_a ? pair.a : pair.b, &other = is_a ? pair.b : pair.a;
  if (cap.form != CoreForm::cylinder) return false;
  const Vec<T, 3>& up = cap.turn.column[2];
  const T cosine = dot(normal, up);
  if (!(magnitude(cosine) >= 1 - 16 * kRounding<T>)) return false;
  // Else all of the rim is level, and what is over the cap is clipped.
  const T size = rounding / (32 * kRounding<T>);
  if (level_count(cap, normal, flush_slack(size)) != 1) return false;
  const Vec<T, 3> n = cosine < 0 ? -up : up;
  const T height = dot(n, farthest(pair, n).point);
  if (!(height <= depth + rounding)) return false;
  const T settled = height < depth - rounding ? height : depth;
  const T half = root(dot(cap.axis[2], cap.axis[2]));
  const T radius = root(dot(cap.axis[0], cap.axis[0])) + rounding;
  const Vec<T, 3> gap = settled * n;
  const int* const numbers = is_a ? witness.b : witness.a;
  for (int k = -1; k < witness.count; ++k) {
    Vec<T, 3> on_other = is_a ? witness.on_b : witness.on_a;
    if (k >= 0) {
      const RimFeature<T> vertex = rim_feature(other, numbers + k, 1, is_a ? -n : n);
      if (!vertex.is_known) continue;
      on_other = vertex.point;
    }
    const Vec<T, 3> on_cap = is_a ? (pair.apart + on_other) + gap : (on_other - gap) - pair.apart;
    const T above = dot(on_cap, up);
    const Vec<T, 3> across = on_cap - above * up;
    if (!(magnitude(magnitude(above) - half) <= rounding) ||
        !(dot(across, across) <= radius * radius)) {
      continue;
    }
    normal = n;
    depth = settled;
    witness.on_a = is_a ? on_cap : on_other;
    witness.on_b = is_a ? on_other : on_cap;
    if (k >= 0) {
      (is_a ? witness.b : witness.a)[0] = numbers[k];
      witness.count = 1;
    }
    return true;
  }
  return false;
}

}  // namespace
}  // namespace widephase
