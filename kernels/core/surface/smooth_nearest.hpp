#pragma once

// The nearest points of a core without vertices and a triangle, to rounding. GJK knows the distance
// to rounding, but the direction only to the root of it, and may name a feature beside the nearest
// one. Over a face the normal is the direction. At an edge or a vertex Newton steps find it
// (core/smooth). It is the triangle's if no vertex rises over the feature along it: of all
// directions only one has such points.

#include "kernels/core/smooth/smooth_contact.hpp"
#include "kernels/core/surface/listed_triangles.hpp"

namespace widephase {
namespace {

class SmoothNearest {
 public:
  SmoothNearest(const ConvexShape<double>& core, double touching, FacesRoom<double>& room)
      : core_(core), touching_(touching), room_(room) {}

  /// Corrects what GJK has found of an apart triangle.
  void settle(ListedTriangle& triangle) {
    const bool is_on_plane = triangle.below >= 0 || triangle.distance <= touching_ - triangle.below;
    if (triangle.feature == kOfFace && is_on_plane) return;
    const ListedTriangle found = triangle;
    if (found.feature != kOfFace && settle_at(found, found.feature, triangle)) return;
    for (int edge = 0; edge < 3; ++edge) {
      if (settle_at(found, kOfEdge + edge, triangle)) return;
    }
  }

 private:
  bool settle_at(const ListedTriangle& found, int feature, ListedTriangle& triangle) {
    const bool is_edge = feature < kOfVertex;
    const int first = is_edge ? feature - kOfEdge : feature - kOfVertex;
    const Vector &from = found.vertex[first], &to = found.vertex[is_edge ? (first + 1) % 3 : first];
    ConvexShape<double> other{};
    other.form = is_edge ? CoreForm::segment : CoreForm::point;
    other.axis[0] = scaled(to - from, 0.5);
    other.turn.column[0] = unit_of(other.axis[0]);
    other.turn.column[1] = across_of(other.turn.column[0]);
    other.turn.column[2] = cross(other.turn.column[0], other.turn.column[1]);
    other.reach = root(dot(other.axis[0], other.axis[0]));
    const Vector middle = scaled(from + to, 0.5);
    const ShapePair<double> pair{core_, other, middle};
    const double size = size_of(pair), rounding = 32 * kRounding<double> * size;
    Vector normal = -found.away;
    double depth = dot(normal, farthest(pair, normal).point);
    Witness<double> witness{found.on_core,
                            found.on_triangle - middle,
                            is_edge ? 2 : 1,
                            {0, 0, 0},
                            {0, is_edge ? 1 : 0, is_edge ? 1 : 0}};
    if (!settle_smooth(pair, size, rounding, false, normal, depth, witness, room_)) return false;
    if (!(depth < 0)) return false;
    for (const Vector& vertex : found.vertex) {
      if (dot(normal, vertex - from) < -rounding && dot(normal, vertex - to) < -rounding) {
        return false;
      }
    }
    const int end = is_edge && witness.is_one(witness.b) ? witness.b[0] : -1;
    triangle.feature = end < 0 ? feature : kOfVertex + (first + end) % 3;
    triangle.distance = -depth;
    triangle.away = -normal;
    triangle.on_core = witness.on_a;
    triangle.on_triangle = witness.on_a - scaled(normal, depth);
    return true;
  }

  const ConvexShape<double>& core_;
  double touching_;
  FacesRoom<double>& room_;
};

}  // namespace
}  // namespace widephase
