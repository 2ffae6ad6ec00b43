#pragma once

// Planes that a core crosses. An area of a mesh in one plane may be cut into triangles in any way,
// of which the core crosses only some. The others count as crossed too, so that the area's edges
// and vertices are left as if it were one triangle.

#include "kernels/core/surface/listed_triangles.hpp"
#include "kernels/core/surface/mesh_seams.hpp"
#include "kernels/core/surface/vertex_cone.hpp"

namespace widephase {
namespace {

/// Triangles whose normals have this cosine, 1e-5 rad, are in one plane or parallel ones.
inline constexpr double kSamePlane = 1 - 5e-11;

/// Whether two triangles are in one plane and look to the same side of it, to a length.
WIDEPHASE_INLINE bool are_in_one_plane(const ListedTriangle& a, const ListedTriangle& b,
                                       double rounding) {
  if (a.is_flipped != b.is_flipped || !(dot(a.normal, b.normal) >= kSamePlane)) return false;
  const auto holds = [&](const ListedTriangle& plane, const ListedTriangle& other) {
    bool is_in = true;
    for (const Vector& vertex : other.vertex) {
      is_in &= magnitude(dot(plane.normal, vertex - plane.vertex[0])) <= rounding;
    }
    return is_in;
  };
  return holds(a, b) || holds(b, a);
}

/// Counts the triangles of a mesh as hit that are in the plane of a hit one, hang together with it
/// there and are no farther from the core than it is below the plane: a way out at a place takes at
/// least its distance. `is_near(triangle, distance)` tells that. Both arrays have room for all;
/// `reach` is the core's.
template <class T, class IsNear>
void hit_planes(const FieldTriangles<T>& surface, double reach, const IsNear& is_near,
                TriangleList& list, std::int32_t* hits, std::int32_t* planes) {
  const double rounding = width_of_seams(*surface.mesh());
  std::int32_t count = 0;
  for (std::int32_t t = 0; t < list.count; ++t) {
    if (list.triangle[t].state != TriangleState::hit) continue;
    planes[count] = t;
    hits[count++] = t;
  }
  if (count == list.count) return;
  for (std::int32_t n = 0; n < count; ++n) {
    const ListedTriangle& triangle = list.triangle[hits[n]];
    const auto add = [&](const TrianglePlace& at) {
      const std::int32_t other = list.find(at);
      if (other < 0) return;
      ListedTriangle& beside = list.triangle[other];
      if (beside.state == TriangleState::hit || beside.is_behind) return;
      const ListedTriangle& plane = list.triangle[planes[n]];
      if (!are_in_one_plane(plane, beside, rounding) || !is_near(beside, plane.below)) return;
      set_hit(beside);
      beside.is_beside = true;
      planes[count] = planes[n];
      hits[count++] = other;
    };
    for (int edge = 0; edge < 3; ++edge) {
      const TrianglePlace across = across_edge(triangle.place, edge).place;
      if (across.row >= 0) {
        add(across);
      } else if (is_alone_at_edge(triangle.place, edge, kManyAround)) {
        SeamParts parts;
        find_seam(surface, triangle.place, triangle.vertex, edge, reach, parts);
        for (int k = 0; k < parts.count; ++k) add(parts.part[k].across.place);
      }
    }
  }
}

}  // namespace
}  // namespace widephase
