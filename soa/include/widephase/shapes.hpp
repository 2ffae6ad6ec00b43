#pragma once

// The columns of every kind of shape, described once: owning tables (`Owned`), borrowed views
// (`Borrowed`), files, validation and conversion all walk these `fields()`. A kind is added by
// a struct here and its line in the scene's list below.

#include <string_view>
#include <tuple>

#include <widephase/export.h>
#include <widephase/columns.hpp>
#include <widephase/types.hpp>

namespace widephase {

/// Columns that own their numbers, of the precision `T` (`float`, `double` or `Mixed`).
template <int D, class T>
struct WIDEPHASE_API Owned {
  static constexpr int dimension = D;
  static constexpr bool owns = true;
  using Real = SizeOf<T>;
  using Position = PositionOf<T>;
  using Geometries = Owned<D, Real>;
  template <class U, int W = 1>
  using Column = widephase::Column<U, W>;
};

/// Columns that borrow the caller's arrays.
template <int D, class T>
struct WIDEPHASE_API Borrowed {
  static constexpr int dimension = D;
  static constexpr bool owns = false;
  using Real = SizeOf<T>;
  using Position = PositionOf<T>;
  using Geometries = Borrowed<D, Real>;
  using Owner = Owned<D, T>;
  template <class U, int W = 1>
  using Column = ColumnSpan<U, W>;
};

/// What a column's numbers must satisfy; `validate` checks it for each row.
enum class Rule : std::uint8_t {
  finite,
  non_negative,      ///< finite and >= 0
  unit,              ///< squared length within 1e-4 of 1
  geometry,          ///< an index into the polygons or hulls
  at_least_minus_1,  ///< worlds, owners, bodies: -1 to 2^31 - 2
  flag,              ///< 0 or 1
  any,
};

/// A column's name in files and messages, its place in the struct, and its rule. An optional
/// column may be empty: every row then has the default.
template <class Member>
struct Field {
  std::string_view name;
  Member member;
  Rule rule;
  bool is_optional;
  bool is_position;  ///< moves with the shape (may be of a wider type than sizes)
};

template <class Member>
constexpr Field<Member> required(std::string_view name, Member member, Rule rule) {
  return {name, member, rule, false, false};
}
template <class Member>
constexpr Field<Member> position(std::string_view name, Member member) {
  return {name, member, Rule::finite, false, true};
}
template <class Member>
constexpr Field<Member> optional(std::string_view name, Member member, Rule rule) {
  return {name, member, rule, true, false};
}

/// The columns that every kind may have. All optional.
template <class Storage>
struct Tags {
  template <class U, int W = 1>
  using Column = typename Storage::template Column<U, W>;

  Column<std::int32_t> world;  ///< shapes of different worlds never meet; -1 meets all; default 0
  Column<std::uint32_t> category;         ///< default 1
  Column<std::uint32_t> mask;             ///< default all bits
  Column<std::int32_t> owner;             ///< shapes of one owner never meet; default -1: none
  Column<std::uint8_t> fixed;             ///< two fixed shapes never meet; default 0
  Column<typename Storage::Real> margin;  ///< added to the call's; default 0
  Column<std::int64_t> key;               ///< a lasting name, unique within a world; default the id
  Column<std::int32_t> body;              ///< shapes of one body never meet; default -1: none

  static constexpr auto tag_fields() {
    return std::make_tuple(optional("world", &Tags::world, Rule::at_least_minus_1),
                           optional("category", &Tags::category, Rule::any),
                           optional("mask", &Tags::mask, Rule::any),
                           optional("owner", &Tags::owner, Rule::at_least_minus_1),
                           optional("fixed", &Tags::fixed, Rule::flag),
                           optional("margin", &Tags::margin, Rule::non_negative),
                           optional("key", &Tags::key, Rule::any),
                           optional("body", &Tags::body, Rule::at_least_minus_1));
  }
};

/// Circles in 2D, spheres in 3D.
template <class Storage>
struct Spheres : Tags<Storage> {
  static constexpr Kind kind = Kind::sphere;
  static constexpr int D = Storage::dimension;
  using Real = typename Storage::Real;
  typename Storage::template Column<typename Storage::Position, D> center;
  typename Storage::template Column<Real> radius;

  static constexpr auto fields() {
    return std::make_tuple(position("center", &Spheres::center),
                           required("radius", &Spheres::radius, Rule::non_negative));
  }
};

/// The points within `radius` of the segment from `a` to `b`; `a == b` is a ball, radius 0 a
/// segment.
template <class Storage>
struct Capsules : Tags<Storage> {
  static constexpr Kind kind = Kind::capsule;
  static constexpr int D = Storage::dimension;
  using Real = typename Storage::Real;
  typename Storage::template Column<typename Storage::Position, D> a;
  typename Storage::template Column<typename Storage::Position, D> b;
  typename Storage::template Column<Real> radius;

  static constexpr auto fields() {
    return std::make_tuple(position("a", &Capsules::a), position("b", &Capsules::b),
                           required("radius", &Capsules::radius, Rule::non_negative));
  }
};

/// Boxes along the axes, closed, `min <= max`.
template <class Storage>
struct Aabbs : Tags<Storage> {
  static constexpr Kind kind = Kind::aabb;
  static constexpr int D = Storage::dimension;
  using Real = typename Storage::Real;
  typename Storage::template Column<typename Storage::Position, D> min;
  typename Storage::template Column<typename Storage::Position, D> max;

  static constexpr auto fields() {
    return std::make_tuple(position("min", &Aabbs::min), position("max", &Aabbs::max));
  }
};

/// The turn of a shape: an angle in radians in 2D, a unit quaternion x y z w in 3D.
template <class Storage>
using Turn =
    typename Storage::template Column<typename Storage::Real, Storage::dimension == 2 ? 1 : 4>;

template <class Member>
constexpr Field<Member> turn_field(Member member, int dimension) {
  return dimension == 2 ? required("angle", member, Rule::finite)
                        : required("orientation", member, Rule::unit);
}

/// Turned boxes, rounded by `radius` outside their half extents.
template <class Storage>
struct Boxes : Tags<Storage> {
  static constexpr Kind kind = Kind::box;
  static constexpr int D = Storage::dimension;
  using Real = typename Storage::Real;
  typename Storage::template Column<typename Storage::Position, D> center;
  Turn<Storage> turn;
  typename Storage::template Column<Real, D> half_extents;
  typename Storage::template Column<Real> radius;

  static constexpr auto fields() {
    return std::make_tuple(position("center", &Boxes::center), turn_field(&Boxes::turn, D),
                           required("half_extents", &Boxes::half_extents, Rule::non_negative),
                           optional("radius", &Boxes::radius, Rule::non_negative));
  }
};

/// Instances of convex geometries, rounded by `radius`: polygons in 2D, hulls in 3D.
template <class Storage, Kind K>
struct Instances : Tags<Storage> {
  static constexpr Kind kind = K;
  static constexpr int D = Storage::dimension;
  using Real = typename Storage::Real;
  typename Storage::template Column<typename Storage::Position, D> center;
  Turn<Storage> turn;
  typename Storage::template Column<std::int32_t> geometry;
  typename Storage::template Column<Real> radius;

  static constexpr auto fields() {
    return std::make_tuple(position("center", &Instances::center), turn_field(&Instances::turn, D),
                           required("geometry", &Instances::geometry, Rule::geometry),
                           optional("radius", &Instances::radius, Rule::non_negative));
  }
};

/// Cylinders along their own z, 3D only.
template <class Storage>
struct Cylinders : Tags<Storage> {
  static constexpr Kind kind = Kind::cylinder;
  static constexpr int D = Storage::dimension;
  using Real = typename Storage::Real;
  typename Storage::template Column<typename Storage::Position, D> center;
  Turn<Storage> turn;
  typename Storage::template Column<Real> half_height;
  typename Storage::template Column<Real> radius;

  static constexpr auto fields() {
    return std::make_tuple(position("center", &Cylinders::center), turn_field(&Cylinders::turn, D),
                           required("half_height", &Cylinders::half_height, Rule::non_negative),
                           required("radius", &Cylinders::radius, Rule::non_negative));
  }
};

/// Solid where `dot(normal, p) <= offset`.
template <class Storage>
struct Halfspaces : Tags<Storage> {
  static constexpr Kind kind = Kind::halfspace;
  static constexpr int D = Storage::dimension;
  using Real = typename Storage::Real;
  typename Storage::template Column<Real, D> normal;
  typename Storage::template Column<typename Storage::Position> offset;

  static constexpr auto fields() {
    return std::make_tuple(required("normal", &Halfspaces::normal, Rule::unit),
                           position("offset", &Halfspaces::offset));
  }
};

/// Point sets of shared geometries, CSR: geometry g has vertices offsets[g] ... offsets[g+1] - 1,
/// each in the frame of the shape that names it. `inner` (2D, optional) marks edges that lie
/// inside their owner.
template <class Storage>
struct GeometryTable {
  typename Storage::template Column<typename Storage::Real, Storage::dimension> vertices;
  typename Storage::template Column<std::int64_t> offsets;
  typename Storage::template Column<std::uint8_t> inner;
};

/// The scene's tables in the order of `Kind`, by dimension.
template <class Storage, int D = Storage::dimension>
struct ShapeTables;

template <class Storage>
struct ShapeTables<Storage, 2> {
  Spheres<Storage> circles;
  Capsules<Storage> capsules;
  Aabbs<Storage> aabbs;
  Boxes<Storage> boxes;
  Instances<Storage, Kind::polygon> polygons;
  Halfspaces<Storage> halfspaces;

  static constexpr auto tables() {
    return std::make_tuple(&ShapeTables::circles, &ShapeTables::capsules, &ShapeTables::aabbs,
                           &ShapeTables::boxes, &ShapeTables::polygons, &ShapeTables::halfspaces);
  }
};

template <class Storage>
struct ShapeTables<Storage, 3> {
  Spheres<Storage> spheres;
  Capsules<Storage> capsules;
  Aabbs<Storage> aabbs;
  Boxes<Storage> boxes;
  Instances<Storage, Kind::hull> hulls;
  Cylinders<Storage> cylinders;
  Halfspaces<Storage> halfspaces;

  static constexpr auto tables() {
    return std::make_tuple(&ShapeTables::spheres, &ShapeTables::capsules, &ShapeTables::aabbs,
                           &ShapeTables::boxes, &ShapeTables::hulls, &ShapeTables::cylinders,
                           &ShapeTables::halfspaces);
  }
};

/// Calls `visit(field, column)` for each column of a table: its own, then the tags.
template <class Table, class Visit>
void for_each_field(Table& table, Visit&& visit) {
  const auto each = [&](const auto&... field) { (visit(field, table.*(field.member)), ...); };
  std::apply(each, std::remove_const_t<Table>::fields());
  std::apply(each, std::remove_const_t<Table>::tag_fields());
}

/// Rows of a table: the length of its first column.
template <class Table>
std::size_t row_count(const Table& table) {
  return (table.*(std::get<0>(Table::fields()).member)).size();
}

/// The value of an optional column, or its default where the column is empty.
template <class C>
typename C::value_type value_or(const C& column, std::size_t row,
                                typename C::value_type default_value) {
  return column.empty() ? default_value : column(row);
}

}  // namespace widephase
