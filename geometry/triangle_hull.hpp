#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/triangle_mesh.hpp"
#include "geometry/vector3.hpp"

namespace widephase {

/// The convex hull of `points[chosen]` as triangles, counter-clockwise seen from outside; none has
/// its corners on one line. Its vertices are exactly the extreme points, so not those inside a face
/// or edge. A face of more than three vertices is several triangles in one plane, exactly. The
/// order of the triangles follows from that of `chosen`, which names no point twice.
///
/// Returns false, with no triangles, if all lie in one plane, exactly. Coordinates are those that
/// orientation3.hpp takes. With smaller `most_vertices` it stops there: the farthest points come
/// first. Quickhull (Barber, Dobkin, Huhdanpaa, ACM TOMS 22, 1996) with exact signs.
bool find_triangle_hull(const std::vector<Point3>& points, std::span<const std::int32_t> chosen,
                        TriangleMesh& hull, std::int32_t most_vertices = INT32_MAX);

/// Some half-edge from each point, -1 for points that are not vertices.
std::vector<std::int32_t> half_edges_from(const TriangleMesh& hull, std::size_t point_count);

/// The points of a closed mesh, ascending.
std::vector<std::int32_t> vertices_of(const TriangleMesh& hull);

}  // namespace widephase
