#pragma once

// The columns of every kind of shape, described once: owning tables (`Owned`), borrowed views
// (`Borrowed`), files, validation and conversion all walk them by `for_each_field`. A kind is added
// by a struct here and its line in the scene's list below.

#include <string_view>
#include <type_traits>

#include <widephase/export.h>
#include <widephase/columns.hpp>
#include <widephase/libraries.hpp>
#include <widephase/types.hpp>

namespace widephase {

/// Columns that own their numbers, of the precision `T` (`float`, `double` or `Mixed`).
template <int D, class T>
struct WIDEPHASE_API Owned {
  static constexpr int dimension = D;  ///< 2 or 3
  static constexpr bool owns = true;   ///< a scene of these can be viewed by one that borrows
  using Precision = T;                 ///< `float`, `double` or `Mixed`
  using Real = SizeOf<T>;              ///< of sizes
  using Position = PositionOf<T>;      ///< of positions
  using Geometries = Owned<D, Real>;   ///< of point sets, whose vertices are sizes
  using Owner = void;                  ///< it is not a view
  /// A column of `W` numbers per row.
  template <class U, int W = 1>
  using Column = widephase::Column<U, W>;
};

/// Columns that borrow the caller's arrays.
template <int D, class T>
struct WIDEPHASE_API Borrowed {
  static constexpr int dimension = D;    ///< 2 or 3
  static constexpr bool owns = false;    ///< the caller's arrays must outlive it
  using Precision = T;                   ///< `float`, `double` or `Mixed`
  using Real = SizeOf<T>;                ///< of sizes
  using Position = PositionOf<T>;        ///< of positions
  using Geometries = Borrowed<D, Real>;  ///< of point sets, whose vertices are sizes
  using Owner = Owned<D, T>;             ///< of what a view may be of
  /// A column of `W` numbers per row.
  template <class U, int W = 1>
  using Column = ColumnSpan<U, W>;
};

/// What a column's numbers must satisfy; `validate` checks it for each row.
enum class Rule : std::uint8_t {
  finite,            ///< neither infinite nor NaN
  non_negative,      ///< finite and >= 0
  unit,              ///< squared length within 1e-4 of 1
  geometry,          ///< an index into the polygons or hulls
  at_least_minus_1,  ///< worlds, owners, bodies: -1 to 2^31 - 2
  flag,              ///< 0 or 1
  any,               ///< every number of the type
};

/// A column's name in files and messages, and its rule. An optional
/// column may be empty: every row then has the default.
struct Field {
  std::string_view name;  ///< "center", "half_extents"; a file's column is "sphere.center"
  Rule rule;              ///< for every number of it
  bool is_optional;       ///< may be empty
  bool is_position;       ///< moves with the shape (may be of a wider type than sizes)
};

/// A column that every shape of the table has.
constexpr Field required(std::string_view name, Rule rule) { return {name, rule, false, false}; }
/// A column of positions, finite and required.
constexpr Field position(std::string_view name) { return {name, Rule::finite, false, true}; }
/// A column that may be empty.
constexpr Field optional(std::string_view name, Rule rule) { return {name, rule, true, false}; }

/// The columns that every kind may have. All optional.
template <class Storage>
struct Tags {
  /// A column as the storage has it.
  template <class U, int W = 1>
  using Column = typename Storage::template Column<U, W>;

  Column<std::int32_t> world;  ///< shapes of different worlds never meet; -1 meets all; default 0
  /// A pair is kept if each shape's category shares a bit with the other's mask; default 1.
  Column<std::uint32_t> category;
  Column<std::uint32_t> mask;             ///< see `category`; default all bits
  Column<std::int32_t> owner;             ///< shapes of one owner never meet; default -1: none
  Column<std::uint8_t> fixed;             ///< two fixed shapes never meet; default 0
  Column<typename Storage::Real> margin;  ///< a length >= 0, added to the call's; default 0
  Column<std::int64_t> key;               ///< a lasting name, unique within a world; default the id
  Column<std::int32_t> body;              ///< shapes of one body never meet; default -1: none

  /// Calls `visit(field, columns...)` for each column above, with that of every table given, in the
  /// order of files.
  template <class Visit, class... Tables>
  static constexpr void for_each_tag(Visit&& visit, Tables&... tables) {
    visit(optional("world", Rule::at_least_minus_1), tables.world...);
    visit(optional("category", Rule::any), tables.category...);
    visit(optional("mask", Rule::any), tables.mask...);
    visit(optional("owner", Rule::at_least_minus_1), tables.owner...);
    visit(optional("fixed", Rule::flag), tables.fixed...);
    visit(optional("margin", Rule::non_negative), tables.margin...);
    visit(optional("key", Rule::any), tables.key...);
    visit(optional("body", Rule::at_least_minus_1), tables.body...);
  }
};

/// Circles in 2D, spheres in 3D.
template <class Storage>
struct Spheres : Tags<Storage> {
  static constexpr Kind kind = Kind::sphere;                                ///< of its shapes
  static constexpr int D = Storage::dimension;                              ///< 2 or 3
  using Real = typename Storage::Real;                                      ///< of sizes
  typename Storage::template Column<typename Storage::Position, D> center;  ///< of the ball
  typename Storage::template Column<Real> radius;                           ///< >= 0

  /// Like `for_each_tag`, for the columns of its own.
  template <class Visit, class... Tables>
  static constexpr void for_each_own(Visit&& visit, Tables&... tables) {
    visit(position("center"), tables.center...);
    visit(required("radius", Rule::non_negative), tables.radius...);
  }
};

/// The points within `radius` of the segment from `a` to `b`; `a == b` is a ball, radius 0 a
/// segment.
template <class Storage>
struct Capsules : Tags<Storage> {
  static constexpr Kind kind = Kind::capsule;                          ///< of its shapes
  static constexpr int D = Storage::dimension;                         ///< 2 or 3
  using Real = typename Storage::Real;                                 ///< of sizes
  typename Storage::template Column<typename Storage::Position, D> a;  ///< an end of the core
  typename Storage::template Column<typename Storage::Position, D> b;  ///< the other end
  typename Storage::template Column<Real> radius;                      ///< >= 0

  /// Like `for_each_tag`, for the columns of its own.
  template <class Visit, class... Tables>
  static constexpr void for_each_own(Visit&& visit, Tables&... tables) {
    visit(position("a"), tables.a...);
    visit(position("b"), tables.b...);
    visit(required("radius", Rule::non_negative), tables.radius...);
  }
};

/// Boxes along the axes, closed, `min <= max`.
template <class Storage>
struct Aabbs : Tags<Storage> {
  static constexpr Kind kind = Kind::aabb;                               ///< of its shapes
  static constexpr int D = Storage::dimension;                           ///< 2 or 3
  using Real = typename Storage::Real;                                   ///< of sizes
  typename Storage::template Column<typename Storage::Position, D> min;  ///< the lower corner
  typename Storage::template Column<typename Storage::Position, D> max;  ///< the upper corner

  /// Like `for_each_tag`, for the columns of its own.
  template <class Visit, class... Tables>
  static constexpr void for_each_own(Visit&& visit, Tables&... tables) {
    visit(position("min"), tables.min...);
    visit(position("max"), tables.max...);
  }
};

/// The orientation of a shape: an angle in radians in 2D, a unit quaternion x y z w in 3D.
template <class Storage>
using Turn =
    typename Storage::template Column<typename Storage::Real, Storage::dimension == 2 ? 1 : 4>;

/// The column of a `Turn`, whose name and rule are the dimension's: "angle" or "orientation".
constexpr Field turn_field(int dimension) {
  return dimension == 2 ? required("angle", Rule::finite) : required("orientation", Rule::unit);
}

/// Oriented boxes, rounded by `radius` outside their half extents.
template <class Storage>
struct Boxes : Tags<Storage> {
  static constexpr Kind kind = Kind::box;                                   ///< of its shapes
  static constexpr int D = Storage::dimension;                              ///< 2 or 3
  using Real = typename Storage::Real;                                      ///< of sizes
  typename Storage::template Column<typename Storage::Position, D> center;  ///< of the box
  Turn<Storage> turn;                                       ///< of its axes about the center
  typename Storage::template Column<Real, D> half_extents;  ///< >= 0, along its own axes
  typename Storage::template Column<Real> radius;           ///< >= 0; default 0: sharp

  /// Like `for_each_tag`, for the columns of its own.
  template <class Visit, class... Tables>
  static constexpr void for_each_own(Visit&& visit, Tables&... tables) {
    visit(position("center"), tables.center...);
    visit(turn_field(D), tables.turn...);
    visit(required("half_extents", Rule::non_negative), tables.half_extents...);
    visit(optional("radius", Rule::non_negative), tables.radius...);
  }
};

/// Instances of convex geometries, rounded by `radius`: polygons in 2D, hulls in 3D.
template <class Storage, Kind K>
struct Instances : Tags<Storage> {
  static constexpr Kind kind = K;               ///< of its shapes
  static constexpr int D = Storage::dimension;  ///< 2 or 3
  using Real = typename Storage::Real;          ///< of sizes
  /// Where the origin of the geometry's frame is, whether or not that is the middle of its points.
  typename Storage::template Column<typename Storage::Position, D> center;
  Turn<Storage> turn;                                        ///< about that origin
  typename Storage::template Column<std::int32_t> geometry;  ///< a row of `geometries`
  typename Storage::template Column<Real> radius;            ///< >= 0; default 0: sharp

  /// Like `for_each_tag`, for the columns of its own.
  template <class Visit, class... Tables>
  static constexpr void for_each_own(Visit&& visit, Tables&... tables) {
    visit(position("center"), tables.center...);
    visit(turn_field(D), tables.turn...);
    visit(required("geometry", Rule::geometry), tables.geometry...);
    visit(optional("radius", Rule::non_negative), tables.radius...);
  }
};

/// Cylinders along their own z, 3D only, rounded by `rounding`.
template <class Storage>
struct Cylinders : Tags<Storage> {
  static constexpr Kind kind = Kind::cylinder;                              ///< of its shapes
  static constexpr int D = Storage::dimension;                              ///< 2 or 3
  using Real = typename Storage::Real;                                      ///< of sizes
  typename Storage::template Column<typename Storage::Position, D> center;  ///< its middle
  Turn<Storage> turn;                                                       ///< of its axis from z
  typename Storage::template Column<Real> half_height;  ///< >= 0, from the center to a cap
  typename Storage::template Column<Real> radius;       ///< >= 0, of its caps
  typename Storage::template Column<Real> rounding;     ///< >= 0, outside of it; default 0: sharp

  /// Like `for_each_tag`, for the columns of its own.
  template <class Visit, class... Tables>
  static constexpr void for_each_own(Visit&& visit, Tables&... tables) {
    visit(position("center"), tables.center...);
    visit(turn_field(D), tables.turn...);
    visit(required("half_height", Rule::non_negative), tables.half_height...);
    visit(required("radius", Rule::non_negative), tables.radius...);
    visit(optional("rounding", Rule::non_negative), tables.rounding...);
  }
};

/// Ellipsoids, 3D only, rounded by `rounding`.
template <class Storage>
struct Ellipsoids : Tags<Storage> {
  static constexpr Kind kind = Kind::ellipsoid;                             ///< of its shapes
  static constexpr int D = Storage::dimension;                              ///< 3
  using Real = typename Storage::Real;                                      ///< of sizes
  typename Storage::template Column<typename Storage::Position, D> center;  ///< its middle
  Turn<Storage> turn;                                       ///< of its axes about the center
  typename Storage::template Column<Real, D> half_extents;  ///< >= 0, along its own axes
  typename Storage::template Column<Real> rounding;         ///< >= 0, outside of it; default 0

  /// Like `for_each_tag`, for the columns of its own.
  template <class Visit, class... Tables>
  static constexpr void for_each_own(Visit&& visit, Tables&... tables) {
    visit(position("center"), tables.center...);
    visit(turn_field(D), tables.turn...);
    visit(required("half_extents", Rule::non_negative), tables.half_extents...);
    visit(optional("rounding", Rule::non_negative), tables.rounding...);
  }
};

/// Circular cones along their own z, 3D only, rounded by `rounding`. The apex is up, at
/// `half_height`; the base is at `-half_height`. `add_cone_hull` makes a hull of flat sides
/// instead.
template <class Storage>
struct Cones : Tags<Storage> {
  static constexpr Kind kind = Kind::cone;                                  ///< of its shapes
  static constexpr int D = Storage::dimension;                              ///< 3
  using Real = typename Storage::Real;                                      ///< of sizes
  typename Storage::template Column<typename Storage::Position, D> center;  ///< the axis's middle
  Turn<Storage> turn;                                                       ///< of its axis from z
  typename Storage::template Column<Real> half_height;  ///< >= 0, from the center to apex and base
  typename Storage::template Column<Real> radius;       ///< >= 0, of its base
  typename Storage::template Column<Real> rounding;     ///< >= 0, outside of it; default 0: sharp

  /// Like `for_each_tag`, for the columns of its own.
  template <class Visit, class... Tables>
  static constexpr void for_each_own(Visit&& visit, Tables&... tables) {
    visit(position("center"), tables.center...);
    visit(turn_field(D), tables.turn...);
    visit(required("half_height", Rule::non_negative), tables.half_height...);
    visit(required("radius", Rule::non_negative), tables.radius...);
    visit(optional("rounding", Rule::non_negative), tables.rounding...);
  }
};

/// Solid where `dot(normal, p) <= offset`.
template <class Storage>
struct Halfspaces : Tags<Storage> {
  static constexpr Kind kind = Kind::halfspace;  ///< of its shapes
  static constexpr int D = Storage::dimension;   ///< 2 or 3
  using Real = typename Storage::Real;           ///< of sizes
  /// Unit, out of the solid; it is normalized if its squared length is off by up to 1e-4.
  typename Storage::template Column<Real, D> normal;
  typename Storage::template Column<typename Storage::Position> offset;  ///< along the normal

  /// Like `for_each_tag`, for the columns of its own.
  template <class Visit, class... Tables>
  static constexpr void for_each_own(Visit&& visit, Tables&... tables) {
    visit(required("normal", Rule::unit), tables.normal...);
    visit(position("offset"), tables.offset...);
  }
};

/// Height fields, 3D only: solids of all points below a surface. Sample (0, 0) is the origin of
/// their frame, z is up.
template <class Storage>
struct Heightfields : Tags<Storage> {
  static constexpr Kind kind = Kind::heightfield;                           ///< of its shapes
  static constexpr int D = Storage::dimension;                              ///< 3
  using Real = typename Storage::Real;                                      ///< of sizes
  typename Storage::template Column<typename Storage::Position, D> center;  ///< of sample (0, 0)
  Turn<Storage> turn;                                                       ///< about that sample
  /// A row of `SceneGeometries::heightfield_geometries`.
  typename Storage::template Column<std::int32_t> geometry;

  /// Like `for_each_tag`, for the columns of its own.
  template <class Visit, class... Tables>
  static constexpr void for_each_own(Visit&& visit, Tables&... tables) {
    visit(position("center"), tables.center...);
    visit(turn_field(D), tables.turn...);
    visit(required("geometry", Rule::geometry), tables.geometry...);
  }
};

/// Surfaces of triangles, 3D only, rounded by `radius`.
template <class Storage>
struct Meshes : Tags<Storage> {
  static constexpr Kind kind = Kind::mesh;                                  ///< of its shapes
  static constexpr int D = Storage::dimension;                              ///< 3
  using Real = typename Storage::Real;                                      ///< of sizes
  typename Storage::template Column<typename Storage::Position, D> center;  ///< of its frame
  Turn<Storage> turn;                                                       ///< about the center
  typename Storage::template Column<std::int32_t> geometry;  ///< a row of `mesh_geometries`
  typename Storage::template Column<Real> radius;            ///< >= 0, its thickness; default 0

  /// Like `for_each_tag`, for the columns of its own.
  template <class Visit, class... Tables>
  static constexpr void for_each_own(Visit&& visit, Tables&... tables) {
    visit(position("center"), tables.center...);
    visit(turn_field(D), tables.turn...);
    visit(required("geometry", Rule::geometry), tables.geometry...);
    visit(optional("radius", Rule::non_negative), tables.radius...);
  }
};

/// Lines of segments, 2D only, rounded by `radius`.
template <class Storage>
struct Chains : Tags<Storage> {
  static constexpr Kind kind = Kind::chain;                                 ///< of its shapes
  static constexpr int D = Storage::dimension;                              ///< 2
  using Real = typename Storage::Real;                                      ///< of sizes
  typename Storage::template Column<typename Storage::Position, D> center;  ///< of its frame
  Turn<Storage> turn;                                                       ///< about the center
  typename Storage::template Column<std::int32_t> geometry;  ///< a row of `chain_geometries`
  typename Storage::template Column<Real> radius;            ///< >= 0, its thickness; default 0

  /// Like `for_each_tag`, for the columns of its own.
  template <class Visit, class... Tables>
  static constexpr void for_each_own(Visit&& visit, Tables&... tables) {
    visit(position("center"), tables.center...);
    visit(turn_field(D), tables.turn...);
    visit(required("geometry", Rule::geometry), tables.geometry...);
    visit(optional("radius", Rule::non_negative), tables.radius...);
  }
};

/// The scene's tables in the order of `Kind`, by dimension.
template <class Storage, int D = Storage::dimension>
struct ShapeTables;

/// In 2D, beside each table the word for its kind.
template <class Storage>
struct ShapeTables<Storage, 2> {
  Spheres<Storage> circles;                    ///< "circle"
  Capsules<Storage> capsules;                  ///< "capsule"
  Aabbs<Storage> aabbs;                        ///< "aabb"
  Boxes<Storage> boxes;                        ///< "box"
  Instances<Storage, Kind::polygon> polygons;  ///< "polygon"
  Halfspaces<Storage> halfspaces;              ///< "halfspace"
  Chains<Storage> chains;                      ///< "chain"

  /// Calls `visit(tables...)` with each table of the scenes given, in the order of `Kind`.
  template <class Visit, class... Scenes>
  static constexpr void for_each(Visit&& visit, Scenes&... scenes) {
    visit(scenes.circles...);
    visit(scenes.capsules...);
    visit(scenes.aabbs...);
    visit(scenes.boxes...);
    visit(scenes.polygons...);
    visit(scenes.halfspaces...);
    visit(scenes.chains...);
  }
};

/// In 3D, beside each table the word for its kind.
template <class Storage>
struct ShapeTables<Storage, 3> {
  Spheres<Storage> spheres;              ///< "sphere"
  Capsules<Storage> capsules;            ///< "capsule"
  Aabbs<Storage> aabbs;                  ///< "aabb"
  Boxes<Storage> boxes;                  ///< "box"
  Instances<Storage, Kind::hull> hulls;  ///< "hull"
  Cylinders<Storage> cylinders;          ///< "cylinder"
  Halfspaces<Storage> halfspaces;        ///< "halfspace"
  Ellipsoids<Storage> ellipsoids;        ///< "ellipsoid"
  Cones<Storage> cones;                  ///< "cone"
  Heightfields<Storage> heightfields;    ///< "heightfield"
  Meshes<Storage> meshes;                ///< "mesh"

  /// Calls `visit(tables...)` with each table of the scenes given, in the order of `Kind`.
  template <class Visit, class... Scenes>
  static constexpr void for_each(Visit&& visit, Scenes&... scenes) {
    visit(scenes.spheres...);
    visit(scenes.capsules...);
    visit(scenes.aabbs...);
    visit(scenes.boxes...);
    visit(scenes.hulls...);
    visit(scenes.cylinders...);
    visit(scenes.halfspaces...);
    visit(scenes.ellipsoids...);
    visit(scenes.cones...);
    visit(scenes.heightfields...);
    visit(scenes.meshes...);
  }
};

/// Calls `visit(field, column)` for each column of a table: its own, then the tags.
template <class Table, class Visit>
void for_each_field(Table& table, Visit&& visit) {
  std::remove_const_t<Table>::for_each_own(visit, table);
  std::remove_const_t<Table>::for_each_tag(visit, table);
}

/// Calls `visit(field, column, other_column)` for the columns of two tables of one kind: their own,
/// then the tags.
template <class Table, class OtherTable, class Visit>
void for_each_field_pair(Table& table, OtherTable& other, Visit&& visit) {
  std::remove_const_t<Table>::for_each_own(visit, table, other);
  std::remove_const_t<Table>::for_each_tag(visit, table, other);
}

/// Rows of a table: the length of its first column.
template <class Table>
std::size_t row_count(const Table& table) {
  std::size_t rows = 0;
  bool is_first = true;
  Table::for_each_own(
      [&](const Field&, const auto& column) {
        if (is_first) rows = column.size();
        is_first = false;
      },
      table);
  return rows;
}

/// The value of an optional column, or its default where the column is empty.
template <class C>
typename C::value_type value_or(const C& column, std::size_t row,
                                typename C::value_type default_value) {
  return column.empty() ? default_value : column(row);
}

}  // namespace widephase
