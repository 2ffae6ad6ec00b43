#pragma once

#include "pipeline/rows/pack_rows.hpp"

namespace widephase {

template <class T>
bool pack(const Meshes<Borrowed<3, T>>& table, std::size_t begin, std::size_t end,
          const Packing<3, T>& to) {
  using Size = SizeOf<T>;
  using Position = PositionOf<T>;
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    const std::int32_t geometry = table.geometry(i);
    if (geometry < 0 || geometry >= static_cast<std::int64_t>(to.meshes->size())) return false;
    const MeshView<Size>& mesh = to.meshes->views()[geometry];
    const Size radius = value_or(table.radius, i, Size{0});
    is_valid &= is_size(radius);
    const Turn3<Size> turn = turn_of_row<Size>(table, i, is_valid);
    Size* row = to.row(table, i);
    put_pose<T>(center_of_row<3, T>(table, i, is_valid), i, turn, radius, to, row);
    row[7] = number_of_bits<Size>(geometry);
    row[11] = row[15] = 0;
    if (!to.has_bounds()) continue;
    Size middle[3], half[3], size = 0;
    for (int k = 0; k < 3; ++k) {
      // Halves first: a sum may overflow.
      middle[k] = Size(0.5) * mesh.low[k] + Size(0.5) * mesh.high[k];
      half[k] = std::max(mesh.high[k] - middle[k], middle[k] - mesh.low[k]);
      size += std::abs(middle[k]) + half[k];
    }
    const Size grown = to.reach(radius, i) + turning_error(size);
    for (int k = 0; k < 3; ++k) {
      Size at = 0, reach = 0;
      for (int j = 0; j < 3; ++j) {
        at += turn.column[j][k] * middle[j];
        reach += std::abs(turn.column[j][k]) * half[j];
      }
      const Position center = table.center(i, k);
      to.set_bounds(i, k, center + (at - reach), center + (at + reach),
                    grown + turning_error(std::abs(center)));
    }
  }
  return is_valid;
}

}  // namespace widephase
