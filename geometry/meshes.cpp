#include <widephase/meshes.hpp>

#include <limits>
#include <string>
#include <vector>

#include "geometry/add_geometry.hpp"
#include "geometry/mesh_links.hpp"
#include "geometry/validate_meshes.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/number_text.hpp"
#include "soa/resize_together.hpp"

namespace widephase {

namespace {

template <class T>
MeshTable<Borrowed<3, T>> borrowed(const MeshTable<Owned<3, T>>& table) {
  MeshTable<Borrowed<3, T>> span;
  MeshTable<Owned<3, T>>::for_each_column(
      [](auto, const auto& column, auto& view) { view = column; }, table, span);
  return span;
}
template <class T>
const MeshTable<Borrowed<3, T>>& borrowed(const MeshTable<Borrowed<3, T>>& table) {
  return table;
}

}  // namespace

template <class T>
std::int32_t add_mesh(MeshTable<Owned<3, T>>& table,
                      const std::type_identity_t<ColumnSpan<T, 3>>& vertices,
                      const ColumnSpan<std::int32_t, 3>& indices, bool two_sided,
                      std::int32_t beyond) {
  require_layout("vertices", vertices);
  require_layout("indices", indices);
  const std::size_t meshes = table.vertex_offsets.empty() ? 0 : table.vertex_offsets.size() - 1;
  if (meshes >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw Error("the table holds 2147483647 meshes already; share them between shapes");
  }
  // The mesh alone: what is given may be the table's own.
  MeshTable<Owned<3, T>> alone;
  const auto copy = [](const auto& from, auto& to) {
    to.resize_uninitialized(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (int k = 0; k < 3; ++k) to(i, k) = from(i, k);
    }
  };
  copy(vertices, alone.vertices);
  copy(indices, alone.indices);
  alone.vertex_offsets = {0, static_cast<std::int64_t>(vertices.size())};
  alone.triangle_offsets = {0, static_cast<std::int64_t>(indices.size())};
  alone.beyond = {beyond};
  if (std::optional<Finding> wrong = wrong_mesh(borrowed(alone), 0)) {
    const bool is_of_vertices = wrong->array.starts_with("meshes.vert");
    const bool is_beyond = wrong->array == "meshes.beyond";
    const bool is_of_all = is_beyond || wrong->array.ends_with("_offsets");
    std::string message = wrong->message;
    if (const std::string begins = "begins mesh 0, which "; message.starts_with(begins)) {
      message.erase(0, begins.size());
    }
    // It is the first only here.
    if (const std::string has = "; mesh 0 has "; message.find(has) != std::string::npos) {
      message.replace(message.find(has), has.size(), "; the mesh has ");
    }
    const char* const array = is_beyond ? "beyond" : is_of_vertices ? "vertices" : "indices";
    throw Error(Finding{array, is_of_all ? -1 : wrong->row, std::move(message)});
  }
  // Reserve room first: what follows cannot fail half way.
  const std::size_t first_vertex = table.vertices.size(), first_triangle = table.indices.size();
  make_room(table.vertices, first_vertex + vertices.size());
  make_room(table.indices, first_triangle + indices.size());
  make_room(table.vertex_offsets, meshes + 2);
  make_room(table.triangle_offsets, meshes + 2);
  const bool has_two_sided = two_sided || !table.two_sided.empty();
  const bool has_beyond = beyond > 0 || !table.beyond.empty();
  if (has_two_sided) make_room(table.two_sided, meshes + 1);
  if (has_beyond) make_room(table.beyond, meshes + 1);
  if (has_two_sided) table.two_sided.resize(meshes + 1);
  if (has_beyond) table.beyond.resize(meshes + 1);
  const auto append = [](const auto& from, auto& to) {
    const std::size_t first = to.size();
    to.resize_uninitialized(first + from.size());
    for (int k = 0; k < 3; ++k) std::copy_n(from.plane(k), from.size(), to.plane(k) + first);
  };
  append(alone.vertices, table.vertices);
  append(alone.indices, table.indices);
  for (auto* const offsets : {&table.vertex_offsets, &table.triangle_offsets}) {
    if (offsets->empty()) offsets->push_back({0});
  }
  table.vertex_offsets.push_back({static_cast<std::int64_t>(table.vertices.size())});
  table.triangle_offsets.push_back({static_cast<std::int64_t>(table.indices.size())});
  if (!table.two_sided.empty()) table.two_sided[meshes] = two_sided ? 1 : 0;
  if (!table.beyond.empty()) table.beyond[meshes] = beyond;
  return static_cast<std::int32_t>(meshes);
}

template <class Storage>
MeshSummary mesh_summary(const MeshTable<Storage>& table, std::int32_t index) {
  using T = typename Storage::Real;
  const auto& given = borrowed(table);
  if (auto wrong = wrong_mesh_layout(given)) throw Error(std::move(*wrong));
  const std::size_t offsets = given.vertex_offsets.size();
  const std::int64_t meshes = offsets == 0 ? 0 : static_cast<std::int64_t>(offsets) - 1;
  if (index < 0 || index >= meshes) {
    throw Error(Finding{
        "index", -1,
        "is " + number(index) + "; the table has " + number(meshes) + " meshes, counted from 0"});
  }
  const auto m = static_cast<std::size_t>(index);
  if (auto wrong = wrong_mesh(given, m)) throw Error(std::move(*wrong));
  const auto first_vertex = static_cast<std::size_t>(given.vertex_offsets(m));
  const auto vertices = static_cast<std::size_t>(given.vertex_offsets(m + 1)) - first_vertex;
  const auto first_triangle = static_cast<std::size_t>(given.triangle_offsets(m));
  const auto triangles = static_cast<std::size_t>(given.triangle_offsets(m + 1)) - first_triangle;
  std::vector<std::int32_t> number_of(vertices);
  const std::int32_t places =
      weld_vertices(given.vertices, first_vertex, vertices, number_of.data());
  std::vector<T> positions(3 * static_cast<std::size_t>(places));
  for (std::size_t v = 0; v < vertices; ++v) {
    for (int k = 0; k < 3; ++k) {
      positions[3 * static_cast<std::size_t>(number_of[v]) + k] =
          given.vertices(first_vertex + v, k);
    }
  }
  std::vector<std::int32_t> corners(3 * triangles), across(3 * triangles), ring(3 * triangles);
  std::vector<std::int32_t> ring_begin(static_cast<std::size_t>(places) + 1);
  for (std::size_t t = 0; t < triangles; ++t) {
    for (int c = 0; c < 3; ++c) {
      corners[3 * t + c] =
          number_of[static_cast<std::size_t>(given.indices(first_triangle + t, c))];
    }
  }
  const MeshCounts counts =
      link_triangles(positions.data(),
                     MeshLinks{corners.data(), static_cast<std::int32_t>(triangles), places,
                               across.data(), ring_begin.data(), ring.data()},
                     Threads{1, {}});
  return {static_cast<std::int64_t>(triangles),
          given.beyond.empty() ? 0 : given.beyond(m),
          places,
          counts.borders,
          counts.flips,
          counts.duplicates,
          counts.without_area};
}

#define WIDEPHASE_INSTANTIATE(T)                                                                \
  template WIDEPHASE_API std::int32_t add_mesh(                                                 \
      MeshTable<Owned<3, T>>&, const std::type_identity_t<ColumnSpan<T, 3>>&,                   \
      const ColumnSpan<std::int32_t, 3>&, bool, std::int32_t);                                  \
  template WIDEPHASE_API MeshSummary mesh_summary(const MeshTable<Owned<3, T>>&, std::int32_t); \
  template WIDEPHASE_API MeshSummary mesh_summary(const MeshTable<Borrowed<3, T>>&, std::int32_t);
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
