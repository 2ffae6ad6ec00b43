#pragma once

#include <widephase/scene.hpp>

namespace widephase {

/// Whether every column of each table has a row a shape, or is optional and empty.
template <int D, class T>
bool has_equal_lengths(const SceneSpan<D, T>& scene) {
  bool is_equal = true;
  for_each_table(scene, [&](const auto& table) {
    for_each_field(table, [&](const auto& field, const auto& column) {
      const bool is_left_out = field.is_optional && column.empty();
      is_equal &= is_left_out || column.size() == row_count(table);
    });
  });
  return is_equal;
}

}  // namespace widephase
