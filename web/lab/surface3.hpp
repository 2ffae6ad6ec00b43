#pragma once

// What a core in space is bounded by, and which edges of two of them make an axis.

#include <vector>

#include "kernels/core/support/convex_shape.hpp"

namespace widephase::lab {
namespace {

/// The corners, faces and edges of a core in the scene's axes, from its middle on. Face -1 of an
/// edge is none.
template <class T>
struct Surface {
  struct Edge {
    int from, to;
    int left, right;
  };
  std::vector<Vec<T, 3>> corners;
  std::vector<std::vector<int>> faces;
  std::vector<Vec<T, 3>> normals;
  std::vector<Edge> edges;

  explicit Surface(const ConvexShape<T>& shape) {
    switch (shape.form) {
      case CoreForm::hull:
        read_hull(shape);
        break;
      case CoreForm::box:
        read_box(shape);
        break;
      case CoreForm::point:
        corners.push_back(Vec<T, 3>{{0, 0, 0}});
        break;
      case CoreForm::segment:
        for (int end = 0; end < 2; ++end) corners.push_back(vertex_of(shape, end));
        edges.push_back({0, 1, -1, -1});
        break;
      case CoreForm::cylinder:  // have no corners, and the lab offers none
      case CoreForm::ellipsoid:
      case CoreForm::cone:
        break;
    }
  }
  Vec<T, 3> along(const Edge& edge) const { return at(edge.to) - at(edge.from); }

 private:
  const Vec<T, 3>& at(int corner) const { return corners[static_cast<std::size_t>(corner)]; }
  void read_hull(const ConvexShape<T>& shape) {
    const HullView<T> hull = shape.hull();
    for (int v = 0; v < hull.vertex_count; ++v) corners.push_back(vertex_of(shape, v));
    for (int f = 0; f < hull.face_count; ++f) {
      faces.emplace_back(hull.face_vertices() + hull.face_start(f),
                         hull.face_vertices() + hull.face_start(f + 1));
      normals.push_back(rotate(shape.turn, hull.face_normal(f)));
    }
    for (int e = 0; e < hull.edge_count; ++e) {
      edges.push_back({hull.edge_vertex(e, 0), hull.edge_vertex(e, 1), hull.edge_faces()[2 * e],
                       hull.edge_faces()[2 * e + 1]});
    }
  }
  /// Numbered as docs/conventions.md has a box's features.
  void read_box(const ConvexShape<T>& shape) {
    for (int v = 0; v < 8; ++v) corners.push_back(vertex_of(shape, v));
    for (int axis = 0; axis < 3; ++axis) {
      const int i = 1 << (axis + 1) % 3, j = 1 << (axis + 2) % 3;
      for (int side = 0; side < 2; ++side) {
        const int from = side << axis;
        faces.push_back(side == 1 ? std::vector<int>{from, from + i, from + i + j, from + j}
                                  : std::vector<int>{from, from + j, from + i + j, from + i});
        normals.push_back(side == 1 ? shape.turn.column[axis] : -shape.turn.column[axis]);
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      const int low = axis == 0 ? 1 : 0, high = axis == 2 ? 1 : 2;
      for (int sides = 0; sides < 4; ++sides) {
        const int from = (sides & 1) << low | (sides >> 1) << high;
        edges.push_back({from, from | 1 << axis, 2 * low + (sides & 1), 2 * high + (sides >> 1)});
      }
    }
  }
};

/// Whether the arcs of two edges' normals cross on the sphere, the second one's negated: only then
/// is their cross product a normal of the difference (Gregorius, GDC 2013). An edge without faces
/// has a whole circle.
template <class T>
bool do_arcs_cross(const Surface<T>& first, const typename Surface<T>::Edge& e,
                   const Surface<T>& second, const typename Surface<T>::Edge& f) {
  const auto normal = [](const Surface<T>& of, int face) {
    return of.normals[static_cast<std::size_t>(face)];
  };
  const auto spans = [&](const Surface<T>& of, const typename Surface<T>::Edge& edge,
                         const Vec<T, 3>& along) {
    return dot(normal(of, edge.left), along) * dot(normal(of, edge.right), along) < 0;
  };
  const Vec<T, 3> u = first.along(e), v = second.along(f);
  if (e.left < 0 && f.left < 0) return true;
  if (e.left < 0) return spans(second, f, u);
  if (f.left < 0) return spans(first, e, v);
  const Vec<T, 3> a = normal(first, e.left), b = normal(first, e.right);
  const Vec<T, 3> c = -normal(second, f.left), d = -normal(second, f.right);
  const Vec<T, 3> b_a = cross(b, a), d_c = cross(d, c);
  const T cba = dot(c, b_a), dba = dot(d, b_a), adc = dot(a, d_c), bdc = dot(b, d_c);
  return cba * dba < 0 && adc * bdc < 0 && cba * bdc > 0;
}

}  // namespace
}  // namespace widephase::lab
