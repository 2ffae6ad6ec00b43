#pragma once

// The convex hulls that 3D shapes share as geometries (`SceneColumns<3, T>::geometries`): built
// from any points, measured, their faces and edges found.

#include <type_traits>
#include <vector>

#include <widephase/export.h>
#include <widephase/shapes.hpp>

namespace widephase {

/// The fewest vertices of a hull: those of a tetrahedron.
inline constexpr int kFewestHullVertices = 4;
/// The most vertices of a hull. `add_hull` with a limit makes simpler ones that enclose the points.
inline constexpr int kMostHullVertices = 255;

/// The tolerance of hulls, in epsilons of the scene's number type times the extent of the points
/// (the longest side of their bounds). A vertex nearer than this to the hull of the others is
/// dropped, one farther out is kept. The vertices of a face are within this of its plane. A
/// computed point of a face, for instance a rotated one, is off by up to about 4 of them.
inline constexpr double kFlatHullEpsilons = 16;

/// Appends the convex hull of `points` (n, 3) as a geometry and returns its index. The points may
/// be in any order, with duplicates and points inside, on faces and on edges. They are in the frame
/// of the shapes that will name the geometry; none is recentred or moved.
///
/// The vertices are in the order of their rows in `points`: those that already are a hull keep
/// their numbers. Of equal points the first counts. Vertices within `kFlatHullEpsilons` of the hull
/// of the others are dropped, the flattest first, and one of two neighbours at a time. This moves
/// the surface by a few of that tolerance at most. Points are refused if they are within the
/// tolerance of the plane of one of their faces, before or after that. This refuses all sets
/// thinner than a third of it, and none thicker than a few.
///
/// Throws `Error` naming `points` (and the row) for numbers that are not finite, fewer than 4
/// distinct points, no volume beyond the tolerance, and more than 255 vertices. The table then
/// stays as it was. Coordinates below 1e-75 of the largest count as 0 in all decisions. Quickhull
/// (Barber, Dobkin, Huhdanpaa, ACM TOMS 22, 1996) with an exact orientation predicate.
template <class T>
WIDEPHASE_API std::int32_t add_hull(GeometryTable<Owned<3, T>>& hulls,
                                    const std::type_identity_t<ColumnSpan<T, 3>>& points);

/// What `add_hull` returns for a limited number of vertices.
template <class T>
struct SimplerHull {
  std::int32_t index;  ///< of the geometry
  T excess;            ///< no point of the hull is farther than this from the hull of the points
};

/// The same with at most `max_vertices` (4 to 255) vertices: a simpler hull that encloses all
/// points, to the bit. If the points' own hull is small enough, it is that one, grown where points
/// lie within the tolerance outside it. Otherwise the vertices are not points of the set. Farthest
/// points are chosen one after the other, and their hull is scaled up until it encloses all. The
/// bounds, or a tetrahedron around them, are taken if they exceed less. Throws `Error` as above,
/// and if the numbers lack the range or the digits for it.
template <class T>
WIDEPHASE_API SimplerHull<T> add_hull(GeometryTable<Owned<3, T>>& hulls,
                                      const std::type_identity_t<ColumnSpan<T, 3>>& points,
                                      int max_vertices);

/// Appends a box around the origin and returns its index. Bit k of a vertex's number is set on the
/// upper side of axis k. The halves are lengths above 0, else `Error`.
template <class T>
WIDEPHASE_API std::int32_t add_box_hull(GeometryTable<Owned<3, T>>& hulls,
                                        std::type_identity_t<T> half_x,
                                        std::type_identity_t<T> half_y,
                                        std::type_identity_t<T> half_z);

/// Appends a regular tetrahedron around the origin and returns its index. Every vertex is at (+-,
/// +-, +-) circumradius / sqrt(3) with an even number of minuses. Its edges are sqrt(8 / 3) times
/// as long. `circumradius` is a length above 0, else `Error`.
template <class T>
WIDEPHASE_API std::int32_t add_tetrahedron_hull(GeometryTable<Owned<3, T>>& hulls,
                                                std::type_identity_t<T> circumradius);

/// Appends a prism inscribed in a cylinder along z around the origin and returns its index. It has
/// `sides` (3 to 127) vertices at -half_height, the first at (radius, 0), then as many at
/// half_height. It falls short of the cylinder by radius (1 - cos(pi / sides)). Both lengths are
/// above 0, else `Error`.
template <class T>
WIDEPHASE_API std::int32_t add_cylinder_hull(GeometryTable<Owned<3, T>>& hulls, int sides,
                                             std::type_identity_t<T> half_height,
                                             std::type_identity_t<T> radius);

/// Appends a pyramid inscribed in a cone along z and returns its index. It has `sides` (3 to 254)
/// vertices at -half_height, the first at (radius, 0), and the tip at (0, 0, half_height). Both
/// lengths are above 0, else `Error`.
template <class T>
WIDEPHASE_API std::int32_t add_cone_hull(GeometryTable<Owned<3, T>>& hulls, int sides,
                                         std::type_identity_t<T> half_height,
                                         std::type_identity_t<T> radius);

/// Appends a polyhedron inscribed in a ball around the origin and returns its index. It is an
/// icosahedron whose edges were halved and moved onto the ball `subdivisions` (0 to 2) times, with
/// 12, 42 or 162 vertices. `radius` is a length above 0, else `Error`.
template <class T>
WIDEPHASE_API std::int32_t add_icosphere_hull(GeometryTable<Owned<3, T>>& hulls, int subdivisions,
                                              std::type_identity_t<T> radius);

/// Replaces each point set by its hull as `add_hull` builds it; indices of geometries stay. Throws
/// `Error` naming `hulls.vertices` or `hulls.offsets`, the row and the geometry; the table then
/// stays as it was.
template <class T>
WIDEPHASE_API void make_convex(GeometryTable<Owned<3, T>>& hulls);

/// The same, but a point set without a hull becomes empty, which `validate` does not accept, and
/// `refused` gets what is wrong with each of these, in their order. Throws `Error` for columns that
/// do not fit together.
template <class T>
WIDEPHASE_API void make_convex(GeometryTable<Owned<3, T>>& hulls, std::vector<Finding>& refused);

/// Measures of a hull, without the rounding radius of the shapes that name it.
template <class T>
struct HullProperties {
  T volume;                   ///< of unit length^3
  std::array<T, 3> centroid;  ///< in the frame of the vertices
  /// About the centroid, at density 1: the entries xx, yy, zz, xy, xz, yz of the symmetric tensor
  /// (xy is minus the integral of x y), unit length^5.
  std::array<T, 6> inertia;
};

/// The measures of geometry `index` of a valid table, which owns or borrows. Computed in double
/// from the vertices relative to one of them, so that hulls far from their origin keep their
/// digits. Throws `Error` for an index out of range and for points that are not a hull.
template <template <int, class> class Storage, class T>
WIDEPHASE_API HullProperties<T> properties(const GeometryTable<Storage<3, T>>& hulls,
                                           std::int32_t index);

/// Where two faces meet.
struct HullEdge {
  std::int32_t a;      ///< a vertex of the geometry
  std::int32_t b;      ///< another, above a
  std::int32_t left;   ///< the face that runs from a to b
  std::int32_t right;  ///< the one that runs from b to a
  /// Whether all four numbers are the same.
  friend bool operator==(const HullEdge&, const HullEdge&) = default;
};

/// The surface of a hull. Faces are convex polygons of 3 or more vertices, counter-clockwise seen
/// from outside. Every edge has two faces, every vertex three or more, and two faces share at most
/// one edge. So vertices - edges + faces is 2.
///
/// Half-edge i begins at face_vertices[i] and goes to the next vertex of its face, the last one's
/// to the first.
template <class T>
struct HullTopology {
  std::vector<std::int32_t> face_offsets;   ///< face f has the places from [f] to [f + 1] - 1
  std::vector<std::int32_t> face_vertices;  ///< numbers in the geometry, each face's lowest first
  std::vector<std::int32_t> twins;          ///< of a half-edge: the one that runs back along it
  Column<T, 3> normals;                     ///< of a face, outwards, unit to rounding
  Column<T> offsets;                        ///< of a face: the largest dot(normal, vertex) of all
  std::vector<HullEdge> edges;              ///< ascending by (a, b)

  /// Faces, 4 or more.
  std::int32_t face_count() const { return static_cast<std::int32_t>(face_offsets.size()) - 1; }
};

/// The surface of geometry `index` of a valid table, which owns or borrows. Triangles of the exact
/// hull are joined, those nearest to one plane first. A face stays convex, with all its vertices
/// within `kFlatHullEpsilons` of a plane that has the whole hull behind it. Faces are ascending by
/// their vertices; the order of the vertices changes only their numbers. Throws `Error` for an
/// index out of range and for points that are not a hull.
template <class Storage>
WIDEPHASE_API HullTopology<typename Storage::Real> hull_topology(
    const GeometryTable<Storage>& hulls, std::int32_t index);

}  // namespace widephase
