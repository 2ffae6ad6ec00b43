#pragma once

// The convex polygons that 2D shapes share as geometries (`SceneColumns<2, T>::geometries`): built
// from any points, measured, made convex.

#include <type_traits>
#include <vector>

#include <widephase/export.h>
#include <widephase/shapes.hpp>

namespace widephase {

/// The fewest vertices of a polygon.
inline constexpr int kFewestPolygonVertices = 3;
/// The most vertices of a polygon. Outlines with more are for `decompose`.
inline constexpr int kMostPolygonVertices = 64;

/// The tolerance of polygons, in epsilons of the scene's number type times the extent of the point
/// set (the longer side of its bounds). A vertex nearer than this to the line through its
/// neighbours is dropped, one farther out is kept. A point computed to lie on an edge is off by
/// about 1 of them.
inline constexpr double kFlatCornerEpsilons = 4;

/// Appends the convex hull of `points` (n, 2) as a geometry and returns its index. The points may
/// be in any order, with duplicates and interior points. They are in the frame of the shapes that
/// will name the geometry; none is recentred or moved.
///
/// The polygon is strictly convex, counter-clockwise, and begins at its vertex of the lowest row in
/// `points`: vertices that already are such a polygon keep their order and numbers. Of equal points
/// the first counts. Vertices nearer than `kFlatCornerEpsilons` to the line through their
/// neighbours are dropped; this moves the outline by a few of that tolerance at most. Where
/// `polygons.inner` is used, it says 0 for the new edges.
///
/// Throws `Error` naming `points` (and the row) for numbers that are not finite, fewer than 3
/// distinct points, no area beyond the tolerance, and more than 64 vertices. The table then stays
/// as it was. Andrew's monotone chain (Information Processing Letters 9, 1979) with an exact
/// orientation predicate, O(n log n).
template <class T>
WIDEPHASE_API std::int32_t add_polygon(GeometryTable<Owned<2, T>>& polygons,
                                       const std::type_identity_t<ColumnSpan<T, 2>>& points);

/// Appends a rectangle around the origin, its first vertex at (-half_x, -half_y), and returns its
/// index. Both halves are lengths above 0, else `Error`.
template <class T>
WIDEPHASE_API std::int32_t add_box_polygon(GeometryTable<Owned<2, T>>& polygons,
                                           std::type_identity_t<T> half_x,
                                           std::type_identity_t<T> half_y);

/// Appends a regular polygon of `count` (3 to 64) vertices around the origin, the first at
/// (circumradius, 0), and returns its index. `circumradius` is a length above 0, else `Error`.
template <class T>
WIDEPHASE_API std::int32_t add_regular_polygon(GeometryTable<Owned<2, T>>& polygons, int count,
                                               std::type_identity_t<T> circumradius);

/// Appends a polygon inscribed in the capsule of `radius` (above 0) around the segment from
/// (-half_length, 0) to (half_length, 0), and returns its index. Each cap is `arc_segments` (1 to
/// 31) edges. So the polygon has 2 (arc_segments + 1) vertices, the first at (half_length,
/// -radius). It falls short of the caps by at most radius (1 - cos(pi / (2 arc_segments))).
/// `half_length` may be 0 with 2 or more `arc_segments`. Anything else is an `Error`.
template <class T>
WIDEPHASE_API std::int32_t add_capsule_polygon(GeometryTable<Owned<2, T>>& polygons,
                                               std::type_identity_t<T> half_length,
                                               std::type_identity_t<T> radius, int arc_segments);

/// Replaces each point set by its hull as `add_polygon` builds it; indices of geometries stay.
/// Where `polygons.inner` is used, its edges must keep their places: the polygons must then be
/// convex and counter-clockwise as given, and nothing is changed. Throws `Error` naming
/// `polygons.vertices` or `polygons.offsets`, the row and the geometry; the table then stays as it
/// was.
template <class T>
WIDEPHASE_API void make_convex(GeometryTable<Owned<2, T>>& polygons);

/// The same, but a point set without a hull becomes empty, which `validate` does not accept, and
/// `refused` gets what is wrong with each of these, in their order. Throws `Error` for columns that
/// do not fit together.
template <class T>
WIDEPHASE_API void make_convex(GeometryTable<Owned<2, T>>& polygons, std::vector<Finding>& refused);

/// The polygons in `float`, such as the parts of `decompose` for a scene in `float` or `Mixed`.
/// Each vertex is rounded to nearest; a polygon that stays strictly convex keeps all of them. In
/// the others, vertices that rounding put on or inside the hull are dropped, and the rest keep
/// their order. A polygon that rounding left without area becomes a triangle: its two vertices
/// farthest apart and the one farthest from the line between them, moved aside by a few roundings.
/// So vertices move by a few roundings of the polygon's largest coordinate at most, and indices of
/// geometries stay. An edge that replaces several is `inner` where these were for more than half of
/// their length.
///
/// `polygons` are as `make_convex` leaves them: convex and counter-clockwise, or empty, which they
/// stay. Throws `Error` for columns that do not fit together. Also throws it, naming
/// `polygons.vertices` and the row, for numbers that are not finite or beyond `float`.
WIDEPHASE_API GeometryTable<Owned<2, float>> rounded_polygons(
    const GeometryTable<Borrowed<2, double>>& polygons);

/// Measures of a polygon, without the rounding radius of the shapes that name it.
template <class T>
struct PolygonProperties {
  T area;                     ///< of unit length^2
  std::array<T, 2> centroid;  ///< in the frame of the vertices
  T second_moment;            ///< about the centroid, at density 1: unit length^4
};

/// The measures of geometry `index` of a valid table, which owns or borrows. Computed in double
/// from the vertices relative to the first, so that polygons far from their origin keep their
/// digits. Throws `Error` for an index out of range.
template <template <int, class> class Storage, class T>
WIDEPHASE_API PolygonProperties<T> properties(const GeometryTable<Storage<2, T>>& polygons,
                                              std::int32_t index);

/// The unit outward normals of geometry `index`, (vertices, 2): row i is that of the edge from
/// vertex i to the next. Each component is within two roundings. Throws `Error` for an index out
/// of range.
template <class Storage>
WIDEPHASE_API Column<typename Storage::Real, 2> edge_normals(const GeometryTable<Storage>& polygons,
                                                             std::int32_t index);

}  // namespace widephase
