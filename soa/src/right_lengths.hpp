#pragma once

#include <limits>

#include <widephase/scene.hpp>

namespace widephase {

/// Bodies and lists of pairs have no more rows, as shapes have not: their numbers are such
/// integers.
inline constexpr std::size_t kMostRows = std::numeric_limits<std::int32_t>::max();

/// Whether every column of each table has a row a shape, or is optional and empty, and none has too
/// many.
template <int D, class T>
bool has_right_lengths(const SceneSpan<D, T>& scene) {
  bool is_right = scene.bodies.position.size() <= kMostRows && scene.excluded.size() <= kMostRows &&
                  scene.excluded_owners.size() <= kMostRows;
  for_each_table(scene, [&](const auto& table) {
    for_each_field(table, [&](const auto& field, const auto& column) {
      const bool is_left_out = field.is_optional && column.empty();
      is_right &= is_left_out || column.size() == row_count(table);
    });
  });
  return is_right;
}

}  // namespace widephase
