#pragma once

#include <limits>

#include <widephase/scene.hpp>

#include "soa/column_layout.hpp"

namespace widephase {

/// The most rows of bodies, lists of pairs and shapes, since their numbers are int32.
inline constexpr std::size_t kMostRows = std::numeric_limits<std::int32_t>::max();

/// Checks that all poses of bodies have equally many rows, not too many, and can be read.
template <int D, class T>
bool has_right_lengths(const BodyTable<Borrowed<D, T>>& bodies) {
  return bodies.position.size() <= kMostRows &&
         (bodies.turn.empty() || bodies.turn.size() == bodies.position.size()) &&
         wrong_layout(bodies.position).empty() && wrong_layout(bodies.turn).empty();
}

/// Checks that every column of each table has one row per shape, or is optional and empty, that
/// none has too many, and that all can be read.
template <int D, class T>
bool has_right_lengths(const SceneSpan<D, T>& scene) {
  bool is_right = has_right_lengths(scene.bodies) && scene.excluded.size() <= kMostRows &&
                  scene.excluded_owners.size() <= kMostRows &&
                  wrong_layout(scene.excluded).empty() &&
                  wrong_layout(scene.excluded_owners).empty() &&
                  wrong_layout(scene.geometries.vertices).empty() &&
                  wrong_layout(scene.geometries.offsets).empty() &&
                  wrong_layout(scene.geometries.inner).empty();
  for_each_table(scene, [&](const auto& table) {
    for_each_field(table, [&](const auto& field, const auto& column) {
      const bool is_left_out = field.is_optional && column.empty();
      is_right &= is_left_out || column.size() == row_count(table);
      is_right &= wrong_layout(column).empty();
    });
  });
  return is_right;
}

}  // namespace widephase
