#include "pipeline/robots/contact_worlds.hpp"

#include "soa/optional_default.hpp"

namespace widephase {

namespace {

template <class T, int W>
void append(Column<T, W>& to, std::size_t rows, const Column<T, W>& from, std::size_t more,
            T otherwise) {
  if (to.empty() && from.empty()) return;
  if (to.empty()) to.resize(rows, otherwise);
  for (std::size_t row = 0; row < more; ++row) {
    std::array<T, W> values;
    values.fill(otherwise);
    to.push_back(from.empty() ? values : from.row(row));
  }
}

/// Appends offsets of a list that goes on behind `shift` entries.
void append_offsets(Column<std::int64_t>& to, const Column<std::int64_t>& from,
                    std::int64_t shift) {
  for (std::size_t i = to.empty() ? 0 : 1; i < from.size(); ++i) to.push_back(from[i] + shift);
}
template <class T, int W>
void append_rows(Column<T, W>& to, const Column<T, W>& from) {
  for (std::size_t row = 0; row < from.size(); ++row) to.push_back(from.row(row));
}
using Shapes = SceneColumns<3, double>;

/// Rows of an optional column of a library behind `before` ones, of which there are `more`.
template <class T, int W>
void append_library(Column<T, W>& to, std::int32_t before, const Column<T, W>& from,
                    std::int32_t more, T otherwise) {
  append(to, static_cast<std::size_t>(before), from, static_cast<std::size_t>(more), otherwise);
}

}  // namespace

void append_libraries(SceneColumns<3, double>& to, const SceneColumns<3, double>& obstacles) {
  append_offsets(to.geometries.offsets, obstacles.geometries.offsets,
                 static_cast<std::int64_t>(to.geometries.vertices.size()));
  append_rows(to.geometries.vertices, obstacles.geometries.vertices);
  auto& fields = to.heightfield_geometries;
  const auto& more_fields = obstacles.heightfield_geometries;
  const std::int32_t field = geometry_count(fields.offsets),
                     added = geometry_count(more_fields.offsets);
  append_offsets(fields.offsets, more_fields.offsets,
                 static_cast<std::int64_t>(fields.heights.size()));
  append_rows(fields.heights, more_fields.heights);
  append_rows(fields.columns, more_fields.columns);
  append_rows(fields.cell, more_fields.cell);
  append_library(fields.neighbours, field, more_fields.neighbours, added, -1);
  for (std::int32_t row = field; !more_fields.neighbours.empty() && row < field + added; ++row) {
    for (int k = 0; k < 4; ++k) {
      std::int32_t& other = fields.neighbours(static_cast<std::size_t>(row), k);
      other += other < 0 ? 0 : field;
    }
  }
  auto& meshes = to.mesh_geometries;
  const auto& more_meshes = obstacles.mesh_geometries;
  const std::int32_t mesh = geometry_count(meshes.vertex_offsets),
                     more = geometry_count(more_meshes.vertex_offsets);
  append_offsets(meshes.vertex_offsets, more_meshes.vertex_offsets,
                 static_cast<std::int64_t>(meshes.vertices.size()));
  append_offsets(meshes.triangle_offsets, more_meshes.triangle_offsets,
                 static_cast<std::int64_t>(meshes.indices.size()));
  append_rows(meshes.vertices, more_meshes.vertices);
  append_rows(meshes.indices, more_meshes.indices);
  append_library(meshes.two_sided, mesh, more_meshes.two_sided, more, std::uint8_t{0});
  append_library(meshes.beyond, mesh, more_meshes.beyond, more, 0);
}

bool can_move_beside(const SceneColumns<3, double>& shapes) {
  bool can = row_count(shapes.halfspaces) == 0;
  shapes.for_each_geometry_column(
      [&](auto, auto, const auto& column) { can = can && column.empty(); }, shapes);
  return can;
}

SceneColumns<3, double> with_shapes(const SceneColumns<3, double>& shapes,
                                    const SceneColumns<3, double>& more) {
  Shapes joined = shapes;
  for_each_table_pair(joined, more, [](auto& to, const auto& from) {
    const std::size_t rows = row_count(to), added = row_count(from);
    for_each_field_pair(to, from, [&](const Field& field, auto& own, const auto& column) {
      using Number = std::remove_cvref_t<decltype(own(0))>;
      append(own, rows, column, added, optional_default<Number>(field.name));
    });
    to.key.clear();
  });
  const auto renumber = [](auto& table, const auto& own, std::int32_t geometries) {
    for (std::size_t row = row_count(own); row < row_count(table); ++row) {
      table.geometry[row] += geometries;
    }
  };
  renumber(joined.hulls, shapes.hulls, geometry_count(shapes.geometries.offsets));
  renumber(joined.heightfields, shapes.heightfields,
           geometry_count(shapes.heightfield_geometries.offsets));
  renumber(joined.meshes, shapes.meshes, geometry_count(shapes.mesh_geometries.vertex_offsets));
  append_libraries(joined, more);
  const SceneLayout before = layout_of(shapes), after = layout_of(joined);
  for (std::size_t row = 0; row < joined.excluded.size(); ++row) {
    std::array<std::int32_t, 2> ids = joined.excluded.row(row);
    for (std::int32_t& id : ids) id = after.id(before.kind_of(id), before.row(id));
    for (int k = 0; k < 2; ++k) joined.excluded(row, k) = ids[static_cast<std::size_t>(k)];
  }
  return joined;
}

SceneColumns<3, double> joined_with(const SceneColumns<3, double>& shapes,
                                    const SceneColumns<3, double>& obstacles) {
  Shapes joined = with_shapes(shapes, obstacles);
  for_each_table_pair(joined, shapes, [](auto& table, const auto& of_robot) {
    const std::size_t rows = row_count(table);
    if (table.fixed.empty()) table.fixed.resize(rows, 0);
    for (std::size_t row = row_count(of_robot); row < rows; ++row) table.fixed[row] = 1;
  });
  return joined;
}

void make_one_owner(const SceneColumns<3, double>& shapes, SceneColumns<3, double>& joined) {
  for_each_table_pair(joined, shapes, [](auto& table, const auto& of_robot) {
    if (table.owner.empty()) table.owner.resize(row_count(table), -1);
    for (std::size_t row = 0; row < row_count(of_robot); ++row) table.owner[row] = 0;
  });
  joined.excluded_owners.clear();
}

}  // namespace widephase
