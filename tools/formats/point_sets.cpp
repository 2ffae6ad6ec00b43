#include "tools/formats/point_sets.hpp"

#include "soa/instantiate.hpp"

namespace widephase::tools {

namespace {

/// Appends the rows of a column.
template <class T, int W>
void append(const Column<T, W>& from, Column<T, W>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) to.push_back(from.row(i));
}

/// Appends the offsets of a library, whose rows follow `before` others; returns how many geometries
/// were there.
std::int32_t append_offsets(const Column<std::int64_t>& from, std::size_t before,
                            Column<std::int64_t>& to) {
  if (to.empty()) to.push_back({0});
  const auto count = static_cast<std::int32_t>(to.size() - 1);
  for (std::size_t i = 1; i < from.size(); ++i) {
    to.push_back({from[i] + static_cast<std::int64_t>(before)});
  }
  return count;
}

template <class Table>
void renumber(std::int32_t by, Table& table) {
  for (std::size_t i = 0; i < table.geometry.size(); ++i) table.geometry[i] += by;
}

template <class T>
void give_heightfields(SceneColumns<3, T>& moving, SceneColumns<3, T>& kept) {
  auto& from = moving.heightfield_geometries;
  auto& to = kept.heightfield_geometries;
  if (from.offsets.empty()) return;
  const std::int32_t fields = append_offsets(from.offsets, to.heights.size(), to.offsets);
  append(from.heights, to.heights);
  append(from.columns, to.columns);
  append(from.cell, to.cell);
  if (!from.neighbours.empty() || !to.neighbours.empty()) {
    to.neighbours.resize(static_cast<std::size_t>(fields), -1);
    for (std::size_t f = 0; f < from.columns.size(); ++f) {
      std::array<std::int32_t, 4> row{-1, -1, -1, -1};
      if (!from.neighbours.empty()) row = from.neighbours.row(f);
      for (std::int32_t& other : row) other += other < 0 ? 0 : fields;
      to.neighbours.push_back(row);
    }
  }
  from = {};
  renumber(fields, moving.heightfields);
}

template <class T>
void give_meshes(SceneColumns<3, T>& moving, SceneColumns<3, T>& kept) {
  auto& from = moving.mesh_geometries;
  auto& to = kept.mesh_geometries;
  if (from.vertex_offsets.empty()) return;
  append_offsets(from.triangle_offsets, to.indices.size(), to.triangle_offsets);
  const std::int32_t meshes =
      append_offsets(from.vertex_offsets, to.vertices.size(), to.vertex_offsets);
  append(from.vertices, to.vertices);
  append(from.indices, to.indices);
  if (!from.two_sided.empty() || !to.two_sided.empty()) {
    to.two_sided.resize(static_cast<std::size_t>(meshes));
    from.two_sided.resize(from.vertex_offsets.size() - 1);
    append(from.two_sided, to.two_sided);
  }
  if (!from.beyond.empty() || !to.beyond.empty()) {
    to.beyond.resize(static_cast<std::size_t>(meshes));
    from.beyond.resize(from.vertex_offsets.size() - 1);
    append(from.beyond, to.beyond);
  }
  from = {};
  renumber(meshes, moving.meshes);
}

template <class T>
void give_chains(SceneColumns<2, T>& moving, SceneColumns<2, T>& kept) {
  auto& from = moving.chain_geometries;
  auto& to = kept.chain_geometries;
  if (from.offsets.empty()) return;
  const std::int32_t chains = append_offsets(from.offsets, to.vertices.size(), to.offsets);
  append(from.vertices, to.vertices);
  const auto give = [&](auto& theirs, auto& ours) {
    if (theirs.empty() && ours.empty()) return;
    ours.resize(static_cast<std::size_t>(chains));
    theirs.resize(from.offsets.size() - 1);
    append(theirs, ours);
  };
  give(from.loop, to.loop);
  give(from.two_sided, to.two_sided);
  give(from.before, to.before);
  give(from.after, to.after);
  from = {};
  renumber(chains, moving.chains);
}

template <int D, class T>
void give_sets(SceneColumns<D, T>& moving, SceneColumns<D, T>& kept) {
  auto& from = moving.geometries;
  auto& to = kept.geometries;
  if (from.offsets.empty()) return;
  const std::size_t before = to.vertices.size();
  const std::int32_t sets = append_offsets(from.offsets, before, to.offsets);
  append(from.vertices, to.vertices);
  if (!from.inner.empty() || !to.inner.empty()) {
    to.inner.resize(before);
    for (std::size_t i = 0; i < from.vertices.size(); ++i) {
      to.inner.push_back({from.inner.empty() ? std::uint8_t{0} : from.inner[i]});
    }
  }
  from = {};
  if constexpr (D == 2) renumber(sets, moving.polygons);
  if constexpr (D == 3) renumber(sets, moving.hulls);
}

}  // namespace

template <int D, class T>
void give_point_sets(SceneColumns<D, T>& moving, SceneColumns<D, T>& kept) {
  give_sets(moving, kept);
  if constexpr (D == 2) {
    give_chains(moving, kept);
  } else {
    give_heightfields(moving, kept);
    give_meshes(moving, kept);
  }
}

#define WIDEPHASE_INSTANTIATE(D, T) \
  template void give_point_sets(SceneColumns<D, T>&, SceneColumns<D, T>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::tools
