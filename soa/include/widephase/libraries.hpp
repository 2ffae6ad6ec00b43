#pragma once

// What shapes share and name by their column `geometry`: point sets, height fields, meshes, chains.
// shapes.hpp describes the shapes.

#include <cstdint>
#include <string_view>

#include <widephase/columns.hpp>

namespace widephase {

/// Point sets of shared geometries, CSR: geometry g has vertices offsets[g] ... offsets[g+1] - 1,
/// each in the frame of the shape that names it. `add_polygon` and `add_hull` append to it.
template <class Storage>
struct GeometryTable {
  /// The vertices of all geometries: in 2D 3 to 64 each, convex and counter-clockwise; in 3D 4 to
  /// 255.
  typename Storage::template Column<typename Storage::Real, Storage::dimension> vertices;
  /// Ascending, from 0; one entry more than geometries, or empty where there are none.
  typename Storage::template Column<std::int64_t> offsets;
  /// In 2D, empty or one row per vertex: not 0 where the edge from it to the next lies between
  /// parts of one owner (`decompose`), and gives no contact normals.
  typename Storage::template Column<std::uint8_t> inner;

  /// Calls `visit(name, columns...)` for each column above, with that of every table given.
  template <class Visit, class... Tables>
  static constexpr void for_each_column(Visit&& visit, Tables&... tables) {
    visit(std::string_view("vertices"), tables.vertices...);
    visit(std::string_view("offsets"), tables.offsets...);
    visit(std::string_view("inner"), tables.inner...);
  }
};

/// Heights of shared height fields, CSR: field f has samples offsets[f] ... offsets[f+1] - 1, row
/// by row. Sample (row, col) is at (col * cell x, row * cell y, height) of the field's frame.
/// `add_heightfield` appends to it.
///
/// Every cell has two triangles, cut from (row, col) to (row + 1, col + 1). The one with
/// (row, col + 1) has the number 2 * (row * columns + col), the other the next one.
template <class Storage>
struct HeightfieldTable {
  /// The samples of all fields. NaN: all triangles at that sample are holes.
  typename Storage::template Column<typename Storage::Real> heights;
  /// Ascending, from 0; one entry more than fields, or empty where there are none.
  typename Storage::template Column<std::int64_t> offsets;
  /// By field: samples in a row, >= 2. A field has two rows or more.
  typename Storage::template Column<std::int32_t> columns;
  /// By field: from a sample to the next along x and y, > 0.
  typename Storage::template Column<typename Storage::Real, 2> cell;
  /// Empty, or by field the fields beyond its borders at -x, +x, -y and +y, -1 for none. Their
  /// first or last samples are those of the border, so that no shape feels the seam.
  typename Storage::template Column<std::int32_t, 4> neighbours;

  /// Calls `visit(name, columns...)` for each column above, with that of every table given.
  template <class Visit, class... Tables>
  static constexpr void for_each_column(Visit&& visit, Tables&... tables) {
    visit(std::string_view("heights"), tables.heights...);
    visit(std::string_view("offsets"), tables.offsets...);
    visit(std::string_view("columns"), tables.columns...);
    visit(std::string_view("cell"), tables.cell...);
    visit(std::string_view("neighbours"), tables.neighbours...);
  }
};

/// Triangles of shared meshes, CSR: mesh m has vertices vertex_offsets[m] ... vertex_offsets[m+1] -
/// 1 and triangles triangle_offsets[m] ... triangle_offsets[m+1] - 1, in the frame of the shape
/// that names it. `add_mesh` appends to it.
///
/// Vertices at one place are one vertex. Triangles of one plane and line have no area and meet
/// nothing; they keep their numbers.
template <class Storage>
struct MeshTable {
  /// The vertices of all meshes, finite.
  typename Storage::template Column<typename Storage::Real, Storage::dimension> vertices;
  /// Ascending, from 0; one entry more than meshes, or empty where there are none.
  typename Storage::template Column<std::int64_t> vertex_offsets;
  /// The triangles of all meshes: three vertices each, counted from the first one of their mesh,
  /// counter-clockwise as seen from the front.
  typename Storage::template Column<std::int32_t, 3> indices;
  /// Ascending, from 0; as many entries as `vertex_offsets`.
  typename Storage::template Column<std::int64_t> triangle_offsets;
  /// Empty, or by mesh: 0 where shapes behind a triangle do not meet it, else both sides are
  /// fronts.
  typename Storage::template Column<std::uint8_t> two_sided;
  /// Empty, or by mesh: how many of its last triangles are neighbours' beyond its borders. They
  /// meet nothing, but tell what is felt at the border.
  typename Storage::template Column<std::int32_t> beyond;

  /// Calls `visit(name, columns...)` for each column above, with that of every table given.
  template <class Visit, class... Tables>
  static constexpr void for_each_column(Visit&& visit, Tables&... tables) {
    visit(std::string_view("vertices"), tables.vertices...);
    visit(std::string_view("vertex_offsets"), tables.vertex_offsets...);
    visit(std::string_view("indices"), tables.indices...);
    visit(std::string_view("triangle_offsets"), tables.triangle_offsets...);
    visit(std::string_view("two_sided"), tables.two_sided...);
    visit(std::string_view("beyond"), tables.beyond...);
  }
};

/// Vertices of shared chains, CSR: chain c has vertices offsets[c] ... offsets[c+1] - 1, in the
/// frame of the shape that names it. Segment s leads from its vertex s to the next one, that of a
/// loop also from the last to the first. `add_chain` appends to it.
///
/// The front of a segment is to its right, so a counter-clockwise loop is a solid's outline. Equal
/// vertices that follow each other are one; segments without length keep their numbers and meet
/// nothing.
template <class Storage>
struct ChainTable {
  /// The vertices of all chains, finite.
  typename Storage::template Column<typename Storage::Real, Storage::dimension> vertices;
  /// Ascending, from 0; one entry more than chains, or empty where there are none.
  typename Storage::template Column<std::int64_t> offsets;
  /// Empty, or by chain: not 0 where a segment leads from the last vertex to the first.
  typename Storage::template Column<std::uint8_t> loop;
  /// Empty, or by chain: 0 where shapes behind a segment do not meet it, else both sides are
  /// fronts.
  typename Storage::template Column<std::uint8_t> two_sided;
  /// Empty, or by chain: how many of its first segments are a neighbour's beyond its end; 0 for
  /// loops. They meet nothing, but tell what is felt at the end.
  typename Storage::template Column<std::int32_t> before;
  /// The same of its last segments.
  typename Storage::template Column<std::int32_t> after;

  /// Calls `visit(name, columns...)` for each column above, with that of every table given.
  template <class Visit, class... Tables>
  static constexpr void for_each_column(Visit&& visit, Tables&... tables) {
    visit(std::string_view("vertices"), tables.vertices...);
    visit(std::string_view("offsets"), tables.offsets...);
    visit(std::string_view("loop"), tables.loop...);
    visit(std::string_view("two_sided"), tables.two_sided...);
    visit(std::string_view("before"), tables.before...);
    visit(std::string_view("after"), tables.after...);
  }
};

/// What shapes name by their column `geometry`, by dimension.
template <class Storage, int D = Storage::dimension>
struct SceneGeometries;

/// In 2D.
template <class Storage>
struct SceneGeometries<Storage, 2> {
  /// What `polygon.geometry` indexes.
  GeometryTable<typename Storage::Geometries> geometries;
  /// What `chain.geometry` indexes.
  ChainTable<typename Storage::Geometries> chain_geometries;

  /// Calls `visit(library, name, columns...)` for each column of the libraries, with that of every
  /// scene given: "polygons", "vertices".
  template <class Visit, class... Scenes>
  static constexpr void for_each_geometry_column(Visit&& visit, Scenes&... scenes) {
    GeometryTable<typename Storage::Geometries>::for_each_column(
        [&](std::string_view name, auto&... columns) { visit("polygons", name, columns...); },
        scenes.geometries...);
    ChainTable<typename Storage::Geometries>::for_each_column(
        [&](std::string_view name, auto&... columns) { visit("chains", name, columns...); },
        scenes.chain_geometries...);
  }
};

/// In 3D.
template <class Storage>
struct SceneGeometries<Storage, 3> {
  /// What `hull.geometry` indexes.
  GeometryTable<typename Storage::Geometries> geometries;
  /// What `heightfield.geometry` indexes.
  HeightfieldTable<typename Storage::Geometries> heightfield_geometries;
  /// What `mesh.geometry` indexes.
  MeshTable<typename Storage::Geometries> mesh_geometries;

  /// Calls `visit(library, name, columns...)` for each column of the libraries, with that of every
  /// scene given: "hulls", "vertices".
  template <class Visit, class... Scenes>
  static constexpr void for_each_geometry_column(Visit&& visit, Scenes&... scenes) {
    GeometryTable<typename Storage::Geometries>::for_each_column(
        [&](std::string_view name, auto&... columns) { visit("hulls", name, columns...); },
        scenes.geometries...);
    HeightfieldTable<typename Storage::Geometries>::for_each_column(
        [&](std::string_view name, auto&... columns) { visit("heightfields", name, columns...); },
        scenes.heightfield_geometries...);
    MeshTable<typename Storage::Geometries>::for_each_column(
        [&](std::string_view name, auto&... columns) { visit("meshes", name, columns...); },
        scenes.mesh_geometries...);
  }
};

}  // namespace widephase
