#pragma once

// Which feature of a core contains a point that lies between some of its vertices.

#include "kernels/core/faces/convex_face.hpp"
#include "kernels/core/round/ball.hpp"

namespace widephase {
namespace {

template <class T>
T box_feature_between(const int* vertices, int count, const Vec<T, 3>& direction,
                      const ConvexShape<T>& shape) {
  int varying = 0;
  for (int n = 1; n < count; ++n) varying |= vertices[n] ^ vertices[0];
  const int sides = vertices[0];
  if (varying == 0) return vertex_feature(T(sides));
  for (int k = 0; k < 3; ++k) {
    if (varying != 1 << k) continue;
    return edge_feature(T(4 * k + ((sides & ((1 << k) - 1)) | (sides >> (k + 1) << k))));
  }
  for (int k = 0; k < 3; ++k) {
    if (varying == (7 & ~(1 << k))) return face_feature(T(2 * k + (sides >> k & 1)));
  }
  int axis = 0;
  T slope[3];
  for (int k = 0; k < 3; ++k) {
    slope[k] = dot(shape.turn.column[k], direction);
    if (magnitude(slope[k]) > magnitude(slope[axis])) axis = k;
  }
  return face_feature(T(2 * axis + (slope[axis] > 0 ? 1 : 0)));
}

/// The face for a sliver between vertices of several faces: the face whose plane the point is
/// highest over. Among faces with equal heights, up to rounding, it is the one that the point is
/// farthest inside. `point` is in the hull's frame.
template <class T>
__attribute__((noinline)) int sliver_face(const HullView<T>& hull, const Vec<T, 3>& point,
                                          T rounding) {
  int best = 0;
  T highest = -kInfinite<T>;
  const auto height_over = [&](int face) {
    return dot(hull.face_normal(face), point) - hull.face_offset(face);
  };
  for (int face = 0; face < hull.face_count; ++face) {
    const T height = height_over(face);
    if (!(height > highest)) continue;
    highest = height;
    best = face;
  }
  T most = inside_of_face(hull, best, point);
  for (int face = 0; face < hull.face_count && most < 0; ++face) {
    if (!(height_over(face) >= highest - rounding)) continue;
    const T inside = inside_of_face(hull, face, point);
    if (!(inside > most)) continue;
    most = inside;
    best = face;
  }
  return best;
}

/// `point` is in the hull's frame.
template <class T>
T hull_feature_between(const int* vertices, int count, const HullView<T>& hull,
                       const Vec<T, 3>& point, T rounding) {
  const int first = vertices[0];
  int other = -1, third = -1;
  for (int n = 1; n < count; ++n) {
    if (vertices[n] == first || vertices[n] == other) continue;
    (other < 0 ? other : third) = vertices[n];
  }
  if (other < 0) return vertex_feature(T(first));
  const int face = hull.face_of(first, other, third < 0 ? first : third);
  if (face < 0) return face_feature(T(sliver_face(hull, point, rounding)));
  const int edge = third < 0 ? hull.edge_between(face, first, other) : -1;
  return edge < 0 ? face_feature(T(face)) : edge_feature(T(edge));
}

/// The feature of a cone that contains a point, from where the point lies, to `rounding`. Of a base
/// and a side at the same place, the one that faces the direction more.
template <class T>
T cone_feature_at(const Vec<T, 3>& point, const ConvexShape<T>& shape, const Vec<T, 3>& direction,
                  T rounding) {
  const T height = root(dot(shape.axis[2], shape.axis[2]));
  const T radius = root(dot(shape.axis[0], shape.axis[0]));
  const T z = dot(shape.turn.column[2], point);
  const T x = dot(shape.turn.column[0], point), y = dot(shape.turn.column[1], point);
  const T across = root(x * x + y * y);
  const bool is_at_base = z + height <= rounding;
  if (is_at_base && radius > 0 && radius - across <= rounding) {
    return edge_feature(T(rim_part(x, y)));
  }
  if (height - z <= rounding && across <= rounding) return vertex_feature(T(kSideLine + 1));
  if (is_at_base && radius == 0) return vertex_feature(T(kSideLine));
  const bool is_base = is_at_base && dot(shape.turn.column[2], direction) < 0;
  return face_feature(T(is_base ? 0 : kSideFace));
}

/// The feature of a cylinder that contains a point, from where the point lies, to `rounding`.
template <class T>
T cylinder_feature_at(const Vec<T, 3>& point, const ConvexShape<T>& shape, T rounding) {
  const T height = root(dot(shape.axis[2], shape.axis[2]));
  const T radius = root(dot(shape.axis[0], shape.axis[0]));
  const T z = dot(shape.turn.column[2], point);
  const T x = dot(shape.turn.column[0], point), y = dot(shape.turn.column[1], point);
  const bool is_upper = z > 0;
  const bool is_at_end = height - magnitude(z) <= rounding;
  const bool is_at_side = radius - root(x * x + y * y) <= rounding;
  if (!is_at_end) return face_feature(T(kSideFace));
  if (!is_at_side) return face_feature(T(is_upper ? 1 : 0));
  return edge_feature(T((is_upper ? kRimPoints : 0) + rim_part(x, y)));
}

/// A lane's three vertices; some of them may be the same.
template <class F>
struct ThreeVertices {
  F number[3];

  WIDEPHASE_INLINE MaskOf<F> are_one() const {
    return (number[1] == number[0]) & (number[2] == number[0]);
  }
  /// At most two different ones.
  WIDEPHASE_INLINE MaskOf<F> are_two() const {
    return (number[1] == number[0]) | (number[2] == number[0]) | (number[2] == number[1]);
  }
};

/// `box_feature_between` in lanes.
template <class F>
WIDEPHASE_INLINE F box_feature_between(const ThreeVertices<F>& vertices, const Rotation3<F>& turn,
                                       const Vec<F, 3>& direction) {
  const F zero = F(0), one = F(1), two = F(2), four = F(4);
  F side[3], is_varying[3] = {zero, zero, zero};
  for (int n = 0; n < 3; ++n) {
    const F& number = vertices.number[n];
    const F upper = one_where<F>(number >= four), rest = number - four * upper;
    const F middle = one_where<F>(rest >= two);
    const F of[3] = {rest - two * middle, middle, upper};
    for (int k = 0; k < 3; ++k) {
      if (n == 0) side[k] = of[k];
      is_varying[k] = select(of[k] == side[k], is_varying[k], one);
    }
  }
  const F count = (is_varying[0] + is_varying[1]) + is_varying[2];
  F edge = zero, face = zero, steepest = zero, steep_face = zero;
  for (int k = 0; k < 3; ++k) {
    const F first = F(static_cast<RealOf<F>>(k));
    const F others = side[k == 0 ? 1 : 0] + two * side[k == 2 ? 1 : 2];
    const auto varies = is_varying[k] > zero;
    edge = select(varies, four * first + others, edge);
    face = select(varies, face, two * first + side[k]);
    const F slope = dot(turn.column[k], direction), size = abs(slope);
    const F side_face = two * first + one_where<F>(slope > zero);
    steep_face = k == 0 ? side_face : select(size > steepest, side_face, steep_face);
    steepest = greater(steepest, size);
  }
  return select(count == zero, vertex_feature(vertices.number[0]),
                select(count == one, edge_feature(edge),
                       face_feature(select(count == two, face, steep_face))));
}

/// The feature of a core that contains a point which lies between these vertices and is outermost
/// along `direction`.
template <class T>
T feature_between(const ConvexShape<T>& shape, const int* vertices, int count,
                  const Vec<T, 3>& direction, const Vec<T, 3>& point, T rounding) {
  switch (shape.form) {
    case CoreForm::point:
      return 0;
    case CoreForm::segment:
      for (int n = 1; n < count; ++n) {
        if (vertices[n] != vertices[0]) return edge_feature(T(0));
      }
      return vertex_feature(T(vertices[0]));
    case CoreForm::hull:
      return hull_feature_between(vertices, count, shape.hull(), rotate_back(shape.turn, point),
                                  rounding);
    case CoreForm::ellipsoid:
      return 0;
    case CoreForm::cone:
      return cone_feature_at(point, shape, direction, root(kRounding<T>) * shape.reach + rounding);
    case CoreForm::cylinder:
      // The search knows the place on the round side only to the root of rounding.
      return cylinder_feature_at(point, shape, root(kRounding<T>) * shape.reach + rounding);
    case CoreForm::box:
      return box_feature_between(vertices, count, direction, shape);
  }
  __builtin_unreachable();
}

}  // namespace
}  // namespace widephase
