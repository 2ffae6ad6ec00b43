#pragma once

// Which feature of a core a point is on that lies between some of its vertices.

#include "core/convex_face.hpp"

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

template <class T>
bool has_vertex(const HullView<T>& hull, int face, int vertex) {
  for (int i = hull.face_start(face); i < hull.face_start(face + 1); ++i) {
    if (hull.face_vertices()[i] == vertex) return true;
  }
  return false;
}

/// `point` is in the hull's frame.
template <class T>
T hull_feature_between(const int* vertices, int count, const HullView<T>& hull,
                       const Vec<T, 3>& point, T rounding) {
  int other = -1;
  bool has_three = false;
  for (int n = 1; n < count; ++n) {
    if (vertices[n] == vertices[0] || vertices[n] == other) continue;
    has_three = other >= 0;
    if (other < 0) other = vertices[n];
  }
  const int first = vertices[0];
  if (other < 0) return vertex_feature(T(first));
  for (int i = hull.vertex_starts()[first]; i < hull.vertex_starts()[first + 1]; ++i) {
    const int face = hull.vertex_faces()[i];
    bool has_all = true;
    for (int n = 1; n < count; ++n) has_all = has_all && has_vertex(hull, face, vertices[n]);
    if (!has_all) continue;
    if (has_three) return face_feature(T(face));
    const int start = hull.face_start(face), end = hull.face_start(face + 1);
    for (int at = start; at < end; ++at) {
      const int v = hull.face_vertices()[at];
      const int w = hull.face_vertices()[at + 1 == end ? start : at + 1];
      if ((v == first && w == other) || (v == other && w == first)) {
        return edge_feature(T(hull.face_edges()[at]));
      }
    }
    return face_feature(T(face));
  }
  // A sliver between vertices of several faces: the one whose plane the point is highest over; of
  // those that it is over as high, but for rounding, the one that it is farthest inside of.
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
  return face_feature(T(best));
}

/// Of a cylinder: by where the point lies, to `rounding`.
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

/// The feature of a core that a point is on, which lies between these vertices and is outermost
/// along `direction`.
template <class T>
T feature_between(const ConvexShape<T>& shape, const int* vertices, int count,
                  const Vec<T, 3>& direction, const Vec<T, 3>& point, T rounding) {
  switch (shape.kind) {
    case Kind::sphere:
      return 0;
    case Kind::capsule:
      for (int n = 1; n < count; ++n) {
        if (vertices[n] != vertices[0]) return edge_feature(T(0));
      }
      return vertex_feature(T(vertices[0]));
    case Kind::hull:
      return hull_feature_between(vertices, count, shape.hull(), rotate_back(shape.turn, point),
                                  rounding);
    case Kind::cylinder:
      // The search knows where on the round side by the root of rounding.
      return cylinder_feature_at(point, shape, root(kRounding<T>) * shape.reach + rounding);
    default:
      return box_feature_between(vertices, count, direction, shape);
  }
}

}  // namespace
}  // namespace widephase
