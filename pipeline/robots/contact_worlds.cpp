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
std::int32_t entries(const Column<std::int64_t>& offsets) {
  return offsets.empty() ? 0 : static_cast<std::int32_t>(offsets.size()) - 1;
}

using Shapes = SceneColumns<3, double>;

/// Libraries of more shapes behind those of a robot; only one of both has surfaces.
void append_libraries(Shapes& to, const Shapes& obstacles) {
  append_offsets(to.geometries.offsets, obstacles.geometries.offsets,
                 static_cast<std::int64_t>(to.geometries.vertices.size()));
  append_rows(to.geometries.vertices, obstacles.geometries.vertices);
  if (entries(to.heightfield_geometries.offsets) == 0) {
    to.heightfield_geometries = obstacles.heightfield_geometries;
  }
  if (entries(to.mesh_geometries.vertex_offsets) == 0) {
    to.mesh_geometries = obstacles.mesh_geometries;
  }
}

}  // namespace

bool can_move_beside(const SceneColumns<3, double>& shapes) {
  bool can = row_count(shapes.halfspaces) == 0;
  shapes.for_each_geometry_column(
      [&](auto, auto, const auto& column) { can = can && column.empty(); }, shapes);
  return can;
}

SceneColumns<3, double> with_shapes(const SceneColumns<3, double>& shapes,
                                    const SceneColumns<3, double>& more) {
  Shapes joined = shapes;
  const std::int32_t hulls = entries(shapes.geometries.offsets);
  for_each_table_pair(joined, more, [](auto& to, const auto& from) {
    const std::size_t rows = row_count(to), added = row_count(from);
    for_each_field_pair(to, from, [&](const Field& field, auto& own, const auto& column) {
      using Number = std::remove_cvref_t<decltype(own(0))>;
      append(own, rows, column, added, optional_default<Number>(field.name));
    });
    to.key.clear();
  });
  for (std::size_t row = row_count(shapes.hulls); row < row_count(joined.hulls); ++row) {
    joined.hulls.geometry[row] += hulls;
  }
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
