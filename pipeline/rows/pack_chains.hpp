#pragma once

#include "pipeline/rows/pack_rows.hpp"

namespace widephase {

template <class T>
bool pack(const Chains<Borrowed<2, T>>& table, std::size_t begin, std::size_t end,
          const Packing<2, T>& to) {
  using Size = SizeOf<T>;
  const auto pack_row = [&](std::size_t i, Size angle, const Turn2<Size>& turn) {
    const std::int32_t geometry = table.geometry(i);
    if (geometry < 0 || geometry >= static_cast<std::int64_t>(to.chains->size())) return false;
    const ChainView<Size>& chain = to.chains->views()[geometry];
    const Size radius = value_or(table.radius, i, Size{0});
    bool is_valid = is_finite(angle) && is_size(radius);
    const std::array<PositionOf<T>, 2> center = center_of_row<2, T>(table, i, is_valid);
    Size* const row = to.row(table, i);
    row[0] = to.put_point(i, 0, center[0]);
    row[1] = to.put_point(i, 1, center[1]);
    row[2] = turn.cosine;
    row[3] = turn.sine;
    row[4] = radius;
    row[5] = number_of_bits<Size>(geometry);
    row[6] = row[7] = 0;
    Size middle[2], half[2], size = 0;
    for (int k = 0; k < 2; ++k) {
      // Halves first: a sum may overflow.
      middle[k] = Size(0.5) * chain.low[k] + Size(0.5) * chain.high[k];
      half[k] = std::max(chain.high[k] - middle[k], middle[k] - chain.low[k]);
      size += std::abs(middle[k]) + half[k];
    }
    const Size grown = to.reach(radius, i) + turning_error(size);
    const Size axis[2][2] = {{turn.cosine, -turn.sine}, {turn.sine, turn.cosine}};
    for (int k = 0; k < 2; ++k) {
      const Size at = axis[k][0] * middle[0] + axis[k][1] * middle[1];
      const Size reach = std::abs(axis[k][0]) * half[0] + std::abs(axis[k][1]) * half[1];
      const PositionOf<T> from = center[static_cast<std::size_t>(k)];
      to.set_bounds(i, k, from + (at - reach), from + (at + reach),
                    grown + turning_error(std::abs(from)));
    }
    return is_valid;
  };
  return pack_turned(table, begin, end, to, pack_row);
}

}  // namespace widephase
