#pragma once

#include <optional>
#include <vector>

#include "geometry/add_geometry.hpp"
#include "geometry/hull_vertices.hpp"

namespace widephase {

/// The hull of any points, with any number of vertices, or why there is none. `epsilon` is that of
/// the number type.
std::optional<Refusal> find_hull(const std::vector<std::array<double, 3>>& given, double epsilon,
                                 HullPoints& points, HullVertices& hull);

/// The centre of the volume that a closed mesh encloses.
Point3 centroid_of(const std::vector<Point3>& points, const TriangleMesh& mesh);

}  // namespace widephase
