#include "soa/right_lengths.hpp"

#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

template <int D, class T>
bool has_right_lengths(const BodyTable<Borrowed<D, T>>& bodies) {
  return bodies.position.size() <= kMostRows &&
         (bodies.turn.empty() || bodies.turn.size() == bodies.position.size()) &&
         wrong_layout(bodies.position).empty() && wrong_layout(bodies.turn).empty();
}

template <int D, class T>
bool has_right_lengths(const Scene<Borrowed<D, T>>& scene) {
  bool is_right =
      has_right_lengths(scene.bodies) && scene.excluded.size() <= kMostRows &&
      scene.excluded_owners.size() <= kMostRows && wrong_layout(scene.excluded).empty() &&
      scene.excluded_bodies.size() <= kMostRows && wrong_layout(scene.excluded_owners).empty() &&
      wrong_layout(scene.excluded_bodies).empty();
  scene.for_each_geometry_column(
      [&](auto, auto, const auto& column) { is_right &= wrong_layout(column).empty(); }, scene);
  for_each_table(scene, [&](const auto& table) {
    for_each_field(table, [&](const auto& field, const auto& column) {
      const bool is_left_out = field.is_optional && column.empty();
      is_right &= is_left_out || column.size() == row_count(table);
      is_right &= wrong_layout(column).empty();
    });
  });
  return is_right;
}

#define WIDEPHASE_INSTANTIATE(D, T)                                        \
  template bool has_right_lengths(const BodyTable<Borrowed<D, T>>& bodies); \
  template bool has_right_lengths(const Scene<Borrowed<D, T>>& scene);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
