#pragma once

// Contacts become patches: those whose normals agree are one, with the normal and the depth of the
// deepest, and with up to four points. The deepest of all begins the first patch, the deepest of
// the rest the next, so the numbers of triangles decide nothing but names.

#include "kernels/core/faces/convex_features.hpp"
#include "kernels/core/faces/convex_manifold.hpp"
#include "kernels/core/surface/felt_directions.hpp"

namespace widephase {
namespace {

/// A place where a core meets the surface.
struct SurfaceContact {
  Vector away;     ///< unit, from the surface towards the core
  double depth;    ///< of the core; below 0 apart
  Vector on_core;  ///< from the core's middle
  int core_vertex[4];
  int core_vertices;
  std::int32_t triangle;  ///< in the list
  int feature;            ///< of the triangle
  std::uint8_t status;
  std::int32_t patch;  ///< -1 none yet
};

/// Whether a goes before b where the deepest begins.
WIDEPHASE_INLINE bool begins_before(const SurfaceContact& a, const SurfaceContact& b) {
  if (a.depth != b.depth) return a.depth > b.depth;
  for (const int k : {2, 0, 1}) {
    if (a.away[k] != b.away[k]) return a.away[k] > b.away[k];
  }
  return a.triangle < b.triangle;
}

/// A name for a point of the surface. In double, a number of 16 bits and a triangle's fit in one.
inline constexpr double kTriangleStep = 65536;
WIDEPHASE_INLINE double surface_name(std::int32_t part, int feature) {
  const double own = feature == kOfFace    ? face_feature(0.0)
                     : feature < kOfVertex ? edge_feature(double(feature - kOfEdge))
                                           : vertex_feature(double(feature - kOfVertex));
  return double(part) * kTriangleStep + own;
}

/// Copies a face of T into one of doubles.
template <class T>
void widen(const ConvexFace<T>& from, ConvexFace<double>& to) {
  to.count = from.count;
  for (int c = 0; c < from.count; ++c) {
    to.corner[c] = widened(from.corner[c]);
    to.along[c] = widened(from.along[c]);
    to.corner_feature[c] = double(from.corner_feature[c]);
    to.edge_feature[c] = double(from.edge_feature[c]);
  }
  to.face_feature = double(from.face_feature);
  to.normal = widened(from.normal);
  to.first_axis = widened(from.first_axis);
  to.radius = double(from.radius);
  if (!(from.radius > 0)) return;
  to.middle = widened(from.middle);
  to.lag = double(from.lag);
  to.foremost = widened(from.foremost);
  to.foremost_feature = double(from.foremost_feature);
}

/// What is too large for a stack.
template <class T>
struct PatchRoom {
  ConvexFace<T> found;
  FacesRoom<double> faces;  ///< a: the core's face, b: a triangle
};

}  // namespace
}  // namespace widephase
