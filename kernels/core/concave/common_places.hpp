#pragma once

// Where two pieces lie over one another, seen along a direction from A to B: the corners of what
// they have in common, with how far they are apart there.

#include "kernels/core/concave/concave_pair.hpp"

namespace widephase {
namespace {

/// Calls `op(on_a, gap, feature_a, feature_b)` for the corners, closed: those on an edge of the
/// other triangle too. `slack` is a length that rounding may hide. Faces and edges that stand along
/// the direction have none of their own.
template <class Op>
void for_each_common_place(const Vector (&a)[3], const Vector (&b)[3], const Vector& along,
                           double slack, const Op& op) {
  const auto over_face = [&](const Vector& at, const Vector(&face)[3], double& gap) {
    const Vector normal = cross(face[1] - face[0], face[2] - face[1]);
    const double slope = dot(normal, along);
    if (!(magnitude(slope) > kUpright * size_along_axes(normal))) return false;
    for (int k = 0; k < 3; ++k) {
      const Vector edge = face[(k + 1) % 3] - face[k];
      const double side = dot(cross(along, edge), at - face[k]);
      if (!((slope > 0 ? side : -side) >= -slack * size_along_axes(edge))) return false;
    }
    gap = dot(normal, face[0] - at) / slope;
    return true;
  };
  double gap = 0;
  for (int k = 0; k < 3; ++k) {
    if (over_face(a[k], b, gap)) op(a[k], gap, kOfVertex + k, kOfFace);
    if (over_face(b[k], a, gap)) op(b[k] + scaled(along, gap), -gap, kOfFace, kOfVertex + k);
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vector of_a = a[(i + 1) % 3] - a[i], of_b = b[(j + 1) % 3] - b[j];
      const Vector apart = a[i] - b[j];
      const double sine = dot(along, cross(of_a, of_b));
      if (!(magnitude(sine) > kUpright * size_along_axes(of_a) * size_along_axes(of_b))) continue;
      const double s = -(dot(along, cross(apart, of_b)) / sine);
      const double t = -(dot(along, cross(apart, of_a)) / sine);
      if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1)) continue;
      const Vector on_a = a[i] + scaled(of_a, s), on_b = b[j] + scaled(of_b, t);
      op(on_a, dot(along, on_b - on_a), kOfEdge + i, kOfEdge + j);
    }
  }
}

/// The same for segments: the ends of what they have in common.
template <class Op>
void for_each_common_place(const Vector2 (&a)[2], const Vector2 (&b)[2], const Vector2& along,
                           double slack, const Op& op) {
  const Vector2 across = right_of(along);
  const auto over = [&](const Vector2& at, const Vector2(&segment)[2], double& gap) {
    const Vector2 to = segment[1] - segment[0];
    const double width = dot(across, to), from = dot(across, at - segment[0]);
    if (!(magnitude(width) > kUpright * size_along_axes(to))) return false;
    const double share = from / width;
    if (!(share * magnitude(width) >= -slack && (share - 1) * magnitude(width) <= slack)) {
      return false;
    }
    gap = dot(along, (segment[0] + scaled(to, share)) - at);
    return true;
  };
  double gap = 0;
  for (int k = 0; k < 2; ++k) {
    if (over(a[k], b, gap)) op(a[k], gap, kOfVertex + k, kOfFace);
    if (over(b[k], a, gap)) op(b[k] + scaled(along, gap), -gap, kOfFace, kOfVertex + k);
  }
}

/// A place that may become a point of a patch.
template <int D>
struct CommonPlace {
  Vec<double, D> on_a;
  double gap;
  std::int32_t a, b;  ///< pieces
  int feature_a, feature_b;
};

/// The number of a place in the name of a corner (four_corners.hpp), where it is no vertex's.
inline constexpr double kPlaceName = 1 << 20;

/// Up to four places (in 2D two), the deepest one with them: their numbers.
WIDEPHASE_INLINE int choose_places(const CommonPlace<3>* places, std::int32_t count,
                                   const Vector& along, double rounding,
                                   FaceCorner<double>* corners, std::int32_t (&chosen)[4]) {
  chosen[0] = 0;
  if (count == 1) return 1;
  const Vector x_axis = across_of(along), y_axis = cross(along, x_axis);
  double span = 0;
  for (std::int32_t n = 0; n < count; ++n) {
    const Vector at = places[n].on_a - places[0].on_a;
    corners[n] = {dot(at, x_axis), dot(at, y_axis), places[n].gap, kPlaceName + n, kPlaceName + n};
    for (const double x : {magnitude(corners[n].x), magnitude(corners[n].y)}) {
      span = x > span ? x : span;
    }
  }
  const double cosine = kDiagonalCosine<double>, sine = kDiagonalSine<double>;
  const LastingAxes<double> axes{{{cosine, sine}}, {{-sine, cosine}}};
  FourCorners<double> four(corners, count, axes, kOneCornerShare<double> * span + 4 * rounding);
  FaceCorner<double> kept[4];
  const int kept_count = four.choose(rounding, false, kept);
  for (int n = 0; n < kept_count; ++n) {
    chosen[n] = static_cast<std::int32_t>(kept[n].reference_feature - kPlaceName);
  }
  return kept_count;
}
WIDEPHASE_INLINE int choose_places(const CommonPlace<2>* places, std::int32_t count,
                                   const Vector2& along, double rounding, FaceCorner<double>*,
                                   std::int32_t (&chosen)[4]) {
  const Vector2 across = right_of(along);
  const auto at = [&](std::int32_t n) { return dot(across, places[n].on_a); };
  std::int32_t first = 0, last = 0, deepest = 0;
  const auto is_end = [&](std::int32_t n, std::int32_t end, double ahead) {
    return ahead > 0 || (ahead == 0 && places[n].gap < places[end].gap);
  };
  for (std::int32_t n = 1; n < count; ++n) {
    if (is_end(n, first, at(first) - at(n))) first = n;
    if (is_end(n, last, at(n) - at(last))) last = n;
    if (places[n].gap < places[deepest].gap) deepest = n;
  }
  const double least = places[first].gap < places[last].gap ? places[first].gap : places[last].gap;
  if (!(least <= places[deepest].gap + rounding)) {
    (at(deepest) - at(first) > at(last) - at(deepest) ? last : first) = deepest;
  }
  chosen[0] = first;
  chosen[1] = last;
  if (at(last) - at(first) > 4 * rounding) return 2;
  if (places[last].gap < places[first].gap) chosen[0] = last;
  return 1;
}

}  // namespace
}  // namespace widephase
