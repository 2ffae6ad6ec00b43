#pragma once

// What rays and casts share: how kernels see the shapes that were read, and a hash's columns.

#include <cstddef>

#include "kernels/ray_table.hpp"
#include "pipeline/rows/scene_rows.hpp"
#include "soa/hasher.hpp"

namespace widephase {

/// Shapes as kernels read them, by the ids of the rows.
template <int D, class T>
RayShapes<D, T> shapes_of_rows(const SceneRows<D, T>& rows) {
  RayShapes<D, T> shapes{};
  for (int k = 0; k <= kKindCount; ++k) shapes.first[k] = rows.layout.first[k];
  const auto first_row = [&](Kind kind) {
    return std::ptrdiff_t{rows.layout.first[static_cast<int>(kind)]} -
           rows.rows_before[static_cast<std::size_t>(kind)];
  };
  for (int k = 0; k < kKindCount; ++k) {
    const Kind kind = static_cast<Kind>(k);
    if (rows.rows[k].empty()) continue;
    shapes.rows[k] = rows.rows[k].plane() - first_row(kind) * row_width(kind, D);
    if constexpr (is_mixed<T>) {
      shapes.anchors[k] = rows.anchors[k].plane() - first_row(kind) * anchor_width(kind);
    }
  }
  if (!rows.rests.empty()) {
    shapes.rests = rows.rests.plane() - first_row(instance_kind(D)) * kAnchorNumbers;
  }
  if constexpr (D == 2) {
    shapes.library = rows.polygon_library().numbers.plane();
    shapes.chains = rows.chain_library().views();
  } else {
    shapes.library = rows.hull_library().numbers.plane();
    shapes.indices = rows.hull_library().indices.plane();
    shapes.fields = rows.heightfield_library().fields.data();
    shapes.meshes = rows.mesh_library().views();
  }
  shapes.margins = rows.margin.empty() ? nullptr : rows.margin.plane();
  return shapes;
}

/// The columns that both have, to a hash.
template <class Hits>
void add_hits(Hasher& hasher, const Hits& hits) {
  hasher.add_column(hits.shape);
  hasher.add_column(hits.t);
  hasher.add_column(hits.normal);
  hasher.add_column(hits.point);
  hasher.add_column(hits.feature);
  hasher.add_column(hits.status);
}

}  // namespace widephase
