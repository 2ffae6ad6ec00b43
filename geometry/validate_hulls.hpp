#pragma once

#include <optional>
#include <vector>

#include <widephase/hulls.hpp>

#include "geometry/hull_vertices.hpp"

namespace widephase {

/// What is wrong with the columns of a table before any vertex is read: offsets must rise from 0 to
/// the count of vertices, and `inner` be empty. An empty table is valid.
template <class T>
std::optional<Finding> wrong_hull_layout(const GeometryTable<Borrowed<3, T>>& hulls);

/// What is wrong with the geometries of a 3D scene, the first finding per geometry, in their order,
/// at most `limit`. Checked are the layout, 4 to 255 finite vertices per geometry, that every
/// vertex is farther than `kFlatHullEpsilons` from the hull of the others, and that they are not
/// all in a plane within that.
template <class T>
std::vector<Finding> hull_findings(const GeometryTable<Borrowed<3, T>>& hulls, std::size_t limit);

/// The points and the surface of a geometry. Throws the first finding if it is not a hull, and for
/// an index out of range.
struct CheckedHull {
  HullPoints points;
  HullVertices hull;
};
template <class Storage>
CheckedHull checked_hull(const GeometryTable<Storage>& hulls, std::int32_t index);

/// As `hull_topology` and `properties`, for a geometry that is checked already.
template <class T>
HullTopology<T> topology_of(const CheckedHull& checked,
                            const std::vector<std::array<double, 3>>& vertices);
template <class T>
HullProperties<T> properties_of(const CheckedHull& checked);

}  // namespace widephase
