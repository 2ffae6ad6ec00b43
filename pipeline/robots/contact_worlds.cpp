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

/// The obstacles' libraries behind those of a robot that has hulls alone.
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

SceneColumns<3, double> joined_with(const SceneColumns<3, double>& shapes,
                                    const SceneColumns<3, double>& obstacles) {
  Shapes joined = shapes;
  const std::int32_t hulls = entries(shapes.geometries.offsets);
  for_each_table_pair(joined, obstacles, [&](auto& to, const auto& from) {
    const std::size_t rows = row_count(to), more = row_count(from);
    for_each_field_pair(to, from, [&](const Field& field, auto& own, const auto& column) {
      using Number = std::remove_cvref_t<decltype(own(0))>;
      append(own, rows, column, more, optional_default<Number>(field.name));
    });
    if (to.fixed.empty()) to.fixed.resize(rows + more, 0);
    for (std::size_t row = rows; row < rows + more; ++row) to.fixed[row] = 1;
    to.key.clear();
  });
  for (std::size_t row = row_count(shapes.hulls); row < row_count(joined.hulls); ++row) {
    joined.hulls.geometry[row] += hulls;
  }
  append_libraries(joined, obstacles);
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
