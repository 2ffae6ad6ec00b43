#pragma once

#include <optional>
#include <vector>

#include <widephase/shapes.hpp>

namespace widephase {

/// What is wrong with the columns of a table before any vertex is read: offsets from 0 upwards to
/// the count of vertices, `inner` empty or as long as the vertices. A table with nothing in it is
/// right.
template <class T>
std::optional<Finding> wrong_polygon_layout(const GeometryTable<Borrowed<2, T>>& polygons);

/// What is wrong with the geometries of a 2D scene, the first of each geometry, in their order, at
/// most `limit`: its layout, 3 to 64 vertices a geometry, finite, strictly convex and
/// counter-clockwise (exactly), `inner` of 0 and 1.
template <class T>
std::vector<Finding> polygon_findings(const GeometryTable<Borrowed<2, T>>& polygons,
                                      std::size_t limit);

/// Whether `polygon_findings` would find nothing, for every call to ask: one pass over the
/// vertices, the exact predicate only for corners within rounding of straight.
template <class T>
bool are_valid_polygons(const GeometryTable<Borrowed<2, T>>& polygons);

}  // namespace widephase
