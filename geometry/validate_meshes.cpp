#include "geometry/validate_meshes.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include <widephase/meshes.hpp>

#include "geometry/mesh_links.hpp"
#include "geometry/validate_offsets.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/number_text.hpp"

namespace widephase {

namespace {

constexpr const char* kVertexOffsets = "meshes.vertex_offsets";
constexpr const char* kTriangleOffsets = "meshes.triangle_offsets";

/// The vertices and triangles of a mesh.
template <class T>
struct MeshRows {
  std::int64_t first_vertex, vertices, first_triangle, triangles;
  MeshRows(const MeshTable<Borrowed<3, T>>& table, std::size_t m)
      : first_vertex(table.vertex_offsets(m)),
        vertices(table.vertex_offsets(m + 1) - first_vertex),
        first_triangle(table.triangle_offsets(m)),
        triangles(table.triangle_offsets(m + 1) - first_triangle) {}
};

template <class T>
bool has_area_at(const MeshTable<Borrowed<3, T>>& table, std::int64_t first_vertex,
                 std::size_t row) {
  std::array<std::array<T, 3>, 3> corner;
  for (int c = 0; c < 3; ++c) {
    const auto vertex = static_cast<std::size_t>(first_vertex + table.indices(row, c));
    for (int k = 0; k < 3; ++k) corner[c][k] = table.vertices(vertex, k);
  }
  return has_area(corner[0].data(), corner[1].data(), corner[2].data());
}

}  // namespace

template <class T>
std::optional<Finding> wrong_mesh_layout(const MeshTable<Borrowed<3, T>>& table) {
  if (auto wrong = wrong_layout(table.vertices); !wrong.empty()) {
    return Finding{"meshes.vertices", -1, wrong};
  }
  if (auto wrong = wrong_layout(table.indices); !wrong.empty()) {
    return Finding{"meshes.indices", -1, wrong};
  }
  if (auto wrong = wrong_offsets(kVertexOffsets, table.vertex_offsets, "meshes.vertices",
                                 table.vertices.size(), "vertices")) {
    return wrong;
  }
  if (auto wrong = wrong_offsets(kTriangleOffsets, table.triangle_offsets, "meshes.indices",
                                 table.indices.size(), "triangles")) {
    return wrong;
  }
  const auto count = [](const auto& offsets) { return offsets.empty() ? 0 : offsets.size() - 1; };
  const std::size_t meshes = count(table.vertex_offsets);
  if (count(table.triangle_offsets) != meshes) {
    return Finding{kTriangleOffsets, -1,
                   "has " + number(count(table.triangle_offsets)) + " meshes, but " +
                       kVertexOffsets + " has " + number(meshes)};
  }
  const auto wrong_rows = [&](const char* array, const auto& column) -> std::optional<Finding> {
    if (column.empty()) return std::nullopt;
    if (column.size() != meshes) {
      return Finding{array, -1,
                     "has " + number(column.size()) + " rows, but " + kVertexOffsets + " has " +
                         number(meshes) + " meshes"};
    }
    if (auto wrong = wrong_layout(column); !wrong.empty()) return Finding{array, -1, wrong};
    return std::nullopt;
  };
  if (auto wrong = wrong_rows("meshes.two_sided", table.two_sided)) return wrong;
  return wrong_rows("meshes.beyond", table.beyond);
}

template <class T>
std::optional<Finding> wrong_mesh(const MeshTable<Borrowed<3, T>>& table, std::size_t m) {
  const MeshRows<T> mesh(table, m);
  const auto begins = [&](std::int64_t count, const char* what) {
    return "begins mesh " + number(m) + ", which has " + number(count) + " " + what;
  };
  const auto too_many = [&](const char* array, std::int64_t count, const char* what) {
    return Finding{
        array, static_cast<std::int64_t>(m),
        begins(count, what) + "; a mesh has up to " + number(kMostTriangles) + ", so split it"};
  };
  if (mesh.vertices > kMostTriangles) return too_many(kVertexOffsets, mesh.vertices, "vertices");
  if (mesh.triangles > kMostTriangles) {
    return too_many(kTriangleOffsets, mesh.triangles, "triangles");
  }
  for (std::int64_t v = mesh.first_vertex; v < mesh.first_vertex + mesh.vertices; ++v) {
    for (int k = 0; k < 3; ++k) {
      const T value = table.vertices(static_cast<std::size_t>(v), k);
      if (std::isfinite(value)) continue;
      return Finding{"meshes.vertices", v,
                     "is " + number(value) + "; a vertex must be three finite numbers"};
    }
  }
  const std::int32_t beyond = table.beyond.empty() ? 0 : table.beyond(m);
  if (beyond < 0 || beyond > mesh.triangles) {
    return Finding{"meshes.beyond", static_cast<std::int64_t>(m),
                   "is " + number(beyond) + "; mesh " + number(m) + " has " +
                       number(mesh.triangles) + (mesh.triangles == 1 ? " triangle" : " triangles")};
  }
  const std::int64_t end_own = mesh.first_triangle + mesh.triangles - beyond;
  bool has_any = false;
  for (std::int64_t t = mesh.first_triangle; t < mesh.first_triangle + mesh.triangles; ++t) {
    const auto row = static_cast<std::size_t>(t);
    for (int c = 0; c < 3; ++c) {
      const std::int32_t vertex = table.indices(row, c);
      if (vertex >= 0 && vertex < mesh.vertices) continue;
      return Finding{"meshes.indices", t,
                     "names vertex " + number(vertex) + "; mesh " + number(m) + " has " +
                         number(mesh.vertices) + " vertices, counted from 0"};
    }
    if (!has_any && t < end_own) has_any = has_area_at(table, mesh.first_vertex, row);
  }
  if (has_any) return std::nullopt;
  return Finding{kTriangleOffsets, static_cast<std::int64_t>(m),
                 begins(mesh.triangles, mesh.triangles == 1 ? "triangle" : "triangles") +
                     "; a mesh must have a triangle with an area" +
                     (beyond > 0 ? " that is not beyond its borders" : "")};
}

template <class T>
std::vector<Finding> mesh_findings(const MeshTable<Borrowed<3, T>>& table, std::size_t limit) {
  std::vector<Finding> findings;
  if (limit == 0) return findings;
  if (auto wrong = wrong_mesh_layout(table)) {
    findings.push_back(std::move(*wrong));
    return findings;
  }
  for (std::size_t m = 0; m + 1 < table.vertex_offsets.size() && findings.size() < limit; ++m) {
    if (auto wrong = wrong_mesh(table, m)) findings.push_back(std::move(*wrong));
  }
  return findings;
}

#define WIDEPHASE_INSTANTIATE(T)                                                             \
  template std::optional<Finding> wrong_mesh_layout(const MeshTable<Borrowed<3, T>>&);       \
  template std::optional<Finding> wrong_mesh(const MeshTable<Borrowed<3, T>>&, std::size_t); \
  template std::vector<Finding> mesh_findings(const MeshTable<Borrowed<3, T>>&, std::size_t);
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
