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
  double rank;     ///< in the order of contacts: the depth, less for a face's way at a vertex
  Vector on_core;  ///< from the core's middle
  int core_vertex[4];
  int core_vertices;
  std::int32_t triangle;  ///< in the list
  int feature;            ///< of the triangle
  bool is_faces;          ///< its way out is no shorter than that of a face at the feature
  std::uint8_t status;
  std::int32_t patch;  ///< -1 none yet
};

/// Whether a goes before b where the deepest begins.
WIDEPHASE_INLINE bool begins_before(const SurfaceContact& a, const SurfaceContact& b) {
  if (a.rank != b.rank) return a.rank > b.rank;
  for (const int k : {2, 0, 1}) {
    if (a.away[k] != b.away[k]) return a.away[k] > b.away[k];
  }
  // A face's own way before the same one at a vertex of another triangle.
  const bool is_of_face = a.feature == kOfFace, is_of_other_face = b.feature == kOfFace;
  return is_of_face != is_of_other_face ? is_of_face : a.triangle < b.triangle;
}

/// A name for a point of the surface. In double, a number of 16 bits and a triangle's fit in one.
inline constexpr double kTriangleStep = 65536;
WIDEPHASE_INLINE double surface_name(std::int32_t part, int feature) {
  const double own = feature == kOfFace    ? face_feature(0.0)
                     : feature < kOfVertex ? edge_feature(double(feature - kOfEdge))
                                           : vertex_feature(double(feature - kOfVertex));
  return double(part) * kTriangleStep + own;
}

/// Names an edge or a vertex of a mesh by the lowest triangle that has it.
WIDEPHASE_INLINE double lowest_name_in_mesh(const TrianglePlace& place, int feature) {
  double name = surface_name(place.row, feature);
  if (feature >= kOfVertex) {
    const TriangleAround around = around_sample(sample_of(place, feature - kOfVertex), 0);
    name = surface_name(around.place.row, kOfVertex + around.vertex);
  } else if (feature >= kOfEdge) {
    for_each_at_edge(place, feature - kOfEdge, [&](const TrianglePlace& lowest, int edge) {
      name = surface_name(lowest.row, kOfEdge + edge);
      return false;
    });
  }
  return name;
}

/// Names an edge or a vertex by the lowest triangle that has it.
template <class T>
double lowest_name(const FieldTriangles<T>& surface, const TrianglePlace& place, int feature) {
  if (place.mesh != nullptr) return lowest_name_in_mesh(place, feature);
  const auto exists = [&](const TrianglePlace& at) {
    return surface.is_own(at) && surface.exists(at);
  };
  if (feature >= kOfVertex) {
    const SamplePlace sample = sample_of(place, feature - kOfVertex);
    for (int k = 0; k < triangles_around(sample); ++k) {
      const TriangleAround around = around_sample(sample, k);
      if (!exists(around.place)) continue;
      return surface_name(surface.number_of(around.place), kOfVertex + around.vertex);
    }
  } else if (feature >= kOfEdge) {
    const TriangleAcross across = across_edge(place, feature - kOfEdge);
    if (exists(across.place) && surface.number_of(across.place) < surface.number_of(place)) {
      return surface_name(surface.number_of(across.place), kOfEdge + across.edge);
    }
  }
  return surface_name(surface.number_of(place), feature);
}

/// The same, at once, where all triangles around are in a window that is whole.
class LowestNames {
 public:
  LowestNames() {
    for (int feature = 0; feature < kOfVertex + 3; ++feature)
      own_[feature] = surface_name(0, feature);
  }
  template <class T>
  double operator()(const FieldTriangles<T>& surface, const TrianglePlace& at, int feature) const {
    const FieldWindow* const window = surface.window();
    if (window == nullptr || !window->is_whole || !window->has_cell(at.row, at.col) ||
        !window->has_cell(at.row - 1, at.col - 1)) {
      return lowest_name(surface, at, feature);
    }
    const FieldStep& step = kLowest[at.half][feature];
    const TrianglePlace lowest{at.row + step.row, at.col + step.col, step.half};
    return double(surface.number_of(lowest)) * kTriangleStep + own_[step.number];
  }

 private:
  static constexpr FieldStep kLowest[2][kOfVertex + 3] = {  // by half and feature
      {{0, 0, 0, kOfFace},
       {-1, 0, 1, kOfEdge + 1},
       {0, 0, 0, kOfEdge + 1},
       {0, 0, 0, kOfEdge + 2},
       {-1, -1, 0, kOfVertex + 2},
       {-1, 0, 0, kOfVertex + 2},
       {0, 0, 0, kOfVertex + 2}},
      {{0, 0, 1, kOfFace},
       {0, 0, 0, kOfEdge + 2},
       {0, 0, 1, kOfEdge + 1},
       {0, -1, 0, kOfEdge + 1},
       {-1, -1, 0, kOfVertex + 2},
       {0, 0, 0, kOfVertex + 2},
       {0, -1, 0, kOfVertex + 2}}};
  double own_[kOfVertex + 3];
};

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

/// A triangle as a face, seen from its front.
WIDEPHASE_INLINE void set_triangle(std::int32_t number, const Vector (&vertex)[3],
                                   const Vector& normal, bool is_flipped,
                                   ConvexFace<double>& face) {
  face.count = 0;
  face.radius = 0;
  for (int n = 0; n < 3; ++n) {
    const int k = is_flipped ? 2 - n : n, next = is_flipped ? (k + 2) % 3 : (k + 1) % 3;
    face.along[n] = vertex[next] - vertex[k];
    face.add(vertex[k], surface_name(number, kOfVertex + k),
             surface_name(number, kOfEdge + (is_flipped ? next : k)));
  }
  face.face_feature = surface_name(number, kOfFace);
  face.normal = normal;
  face.first_axis = face.along[0];
}

/// The directions by which corners are chosen (four_corners.hpp): of the shape's own face.
WIDEPHASE_INLINE void find_lasting(const ConvexFace<double>& face, const Vector& x_axis,
                                   const Vector& y_axis, Vec<double, 2>& first,
                                   Vec<double, 2>& second) {
  const auto seen = [&](const Vector& v) {
    return Vec<double, 2>{{dot(v, x_axis), dot(v, y_axis)}};
  };
  if (face.count < 2) return;
  if (face.count == 2) {
    first = seen(unit_of(face.corner[1] - face.corner[0]));
    second = {{-first[1], first[0]}};
    return;
  }
  const Vector x = unit_of(face.first_axis), y = cross(face.normal, x);
  first = seen(scaled(x, kDiagonalCosine<double>) + scaled(y, kDiagonalSine<double>));
  second = seen(scaled(y, kDiagonalCosine<double>) - scaled(x, kDiagonalSine<double>));
}

/// What is too large for a stack.
template <class T>
struct PatchRoom {
  ConvexFace<T> found;
  FacesRoom<double> faces;  ///< a: the core's face, b: a triangle
};

/// By part, then feature.
template <class T>
void sort_points(SurfacePatch<T>& patch) {
  for (int n = 1; n < patch.point_count; ++n) {
    for (int m = n; m > 0; --m) {
      SurfacePoint<T>&a = patch.points[m - 1], &b = patch.points[m];
      if (a.part < b.part || (a.part == b.part && a.feature <= b.feature)) break;
      const SurfacePoint<T> c = a;
      a = b;
      b = c;
    }
  }
}

template <class T>
std::int32_t lowest_part(const SurfacePatch<T>& patch) {
  std::int32_t lowest = 0x7fffffff;
  for (int n = 0; n < patch.point_count; ++n) {
    lowest = patch.points[n].part < lowest ? patch.points[n].part : lowest;
  }
  return lowest;
}

}  // namespace
}  // namespace widephase
