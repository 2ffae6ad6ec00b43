#pragma once

#include <optional>
#include <vector>

#include <widephase/shapes.hpp>

namespace widephase {

/// What is wrong with the columns of a table before any vertex is read: offsets must rise from 0 to
/// the count of vertices, and `inner` be empty or as long as the vertices. An empty table is valid.
template <class T>
std::optional<Finding> wrong_polygon_layout(const GeometryTable<Borrowed<2, T>>& polygons);

/// What is wrong with the geometries of a 2D scene, the first finding per geometry, in their order,
/// at most `limit`. Checked are the layout, 3 to 64 finite vertices per geometry, strict convexity
/// and counter-clockwise order (exactly), and `inner` of 0 and 1.
template <class T>
std::vector<Finding> polygon_findings(const GeometryTable<Borrowed<2, T>>& polygons,
                                      std::size_t limit);

/// Whether `polygon_findings` would find nothing, for every call: one pass over the vertices, with
/// the exact predicate only for corners within rounding of straight.
template <class T>
bool are_valid_polygons(const GeometryTable<Borrowed<2, T>>& polygons);

}  // namespace widephase
