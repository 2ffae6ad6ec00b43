#pragma once

#include "pipeline/rows/pack_rows.hpp"

namespace widephase {

template <class T>
bool pack(const Heightfields<Borrowed<3, T>>& table, std::size_t begin, std::size_t end,
          const Packing<3, T>& to) {
  using Size = SizeOf<T>;
  using Position = PositionOf<T>;
  constexpr Position kInfinity = std::numeric_limits<Position>::infinity();
  const auto& fields = to.heightfields->fields;
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    const std::int32_t geometry = table.geometry(i);
    if (geometry < 0 || geometry >= static_cast<std::int64_t>(fields.size())) return false;
    const HeightfieldView<Size>& field = fields[static_cast<std::size_t>(geometry)];
    const Turn3<Size> turn = turn_of_row<Size>(table, i, is_valid);
    Size* row = to.row(table, i);
    put_pose<T>(center_of_row<3, T>(table, i, is_valid), i, turn, Size{0}, to, row);
    row[7] = number_of_bits<Size>(geometry);
    row[11] = row[15] = 0;
    if (!to.has_bounds()) continue;
    const Size x = static_cast<Size>(field.columns - 1) * field.cell[0];
    const Size y = static_cast<Size>(field.rows - 1) * field.cell[1];
    const Size z = field.high < field.low ? Size{0} : field.high;
    const Size grown = to.reach(0, i) + turning_error(x + y + std::abs(z));
    for (int k = 0; k < 3; ++k) {
      const Size along_x = turn.column[0][k] * x, along_y = turn.column[1][k] * y;
      const Size up = turn.column[2][k];
      // The solid has no floor: it is endless along every axis that its own z has a part of.
      const Position center = table.center(i, k);
      const Size low = std::min(along_x, Size{0}) + std::min(along_y, Size{0}) + up * z;
      const Size high = std::max(along_x, Size{0}) + std::max(along_y, Size{0}) + up * z;
      to.set_bounds(i, k, up > 0 ? -kInfinity : center + low, up < 0 ? kInfinity : center + high,
                    grown + turning_error(std::abs(center)));
    }
  }
  return is_valid;
}

}  // namespace widephase
