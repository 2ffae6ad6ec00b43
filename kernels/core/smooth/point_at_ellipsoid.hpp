#pragma once

// The gap between a point and an ellipsoid's core, exact however flat the ellipsoid is. The nearest
// point of an ellipsoid with half extents e to a point y outside of the core is e^2 y / (t + e^2),
// where the squares of e y / (t + e^2) add up to 1.
// Source: Eberly, Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid, 2013. The
// steps are Newton's for the reciprocal of the root of that sum, which is nearly linear: Conn,
// Gould and Toint, Trust-Region Methods, 2000, 7.3.

#include "kernels/core/epa/epa3.hpp"
#include "kernels/core/smooth/smooth_features.hpp"

namespace widephase {
namespace {

/// The outward normal of an ellipsoid where a point outside of its core is nearest, of any length;
/// both in its own frame. Answers false if the point is too far for squares.
template <class T>
bool find_normal_at(const EllipsoidCore<SingleNumbers<T>>& core, const Vec<T, 3>& point,
                    Vec<T, 3>& normal) {
  constexpr int kMostSteps = 48;
  // In units of the greatest half extent. s is t plus the least square, so that nothing cancels.
  T product[3], s = 0;
  for (int k = 0; k < 3; ++k) {
    product[k] = core.share[k] * magnitude(point[k] / core.most);
    if (core.above[k] == 0) s += product[k] * product[k];
  }
  s = root(s);
  const auto sum_at = [&](T at, T& slope) {
    T sum = slope = 0;
    for (int k = 0; k < 3; ++k) {
      if (!(product[k] > 0)) continue;
      const T below = at + core.above[k], share = product[k] / below;
      sum += share * share;
      slope -= 2 * share * share / below;
    }
    return sum;
  };
  for (int step = 0; step < kMostSteps; ++step) {
    T slope;
    const T sum = sum_at(s, slope);
    if (!(sum < kInfinite<T>)) return false;
    if (!(sum > 1)) break;
    const T next = s - 2 * sum * (root(sum) - 1) / slope;
    if (!(next > s + 2 * kRounding<T> * s)) break;
    s = next;
  }
  // With s = 0 the point is over a disc or beside a segment, and leads straight away from it.
  T longest = 0;
  for (int k = 0; k < 3; ++k) {
    const T below = s + core.above[k], scaled = point[k] / core.most;
    normal[k] = s > 0 ? scaled / below : below > 0 ? T(0) : scaled;
    longest = greater_of(longest, magnitude(normal[k]));
  }
  if (!(longest > 0 && longest < kInfinite<T>)) return false;
  for (int k = 0; k < 3; ++k) normal[k] = normal[k] / longest;
  return true;
}

/// Answers whether the cores, which are apart, are a point and an ellipsoid's, and finds the gap.
template <class T>
bool find_gap_at_ellipsoid(const ShapePair<T>& pair, T rounding, LeastExit<T>& gap) {
  const bool is_a = pair.a.form == CoreForm::ellipsoid;
  const ConvexShape<T>& shape = is_a ? pair.a : pair.b;
  if ((is_a ? pair.b : pair.a).form != CoreForm::point || shape.form != CoreForm::ellipsoid ||
      !(shape.ellipsoid.most > 0)) {
    return false;
  }
  const Vec<T, 3> middle = is_a ? pair.apart : -pair.apart;  // of the point, from the ellipsoid's
  Vec<T, 3> local;
  if (!find_normal_at(shape.ellipsoid, rotate_back(shape.turn, middle), local)) return false;
  const Vec<T, 3> out = unit_of(rotate(shape.turn, local));
  const Vec<T, 3> direction = is_a ? out : -out;
  const T depth = dot(direction, farthest(pair, direction).point);
  if (!(depth <= gap.depth + rounding)) return false;
  gap.direction = direction;
  gap.depth = depth;
  const Vec<T, 3> on_point{{0, 0, 0}}, on_shape = middle + depth * out;
  gap.witness = {is_a ? on_shape : on_point, is_a ? on_point : on_shape, 1, {0, 0, 0}, {0, 0, 0}};
  return true;
}

}  // namespace
}  // namespace widephase
