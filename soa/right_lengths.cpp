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
      [&](auto, auto, const auto& column) {
        if (!column.empty()) [[unlikely]] is_right &= wrong_layout(column).empty();
      },
      scene);
  for_each_table(scene, [&](const auto& table) {
    const std::size_t rows = row_count(table);
    for_each_field(table, [&](const auto& field, const auto& column) {
      // Most columns are empty. Code for them alone fits the cache for instructions, which counts
      // in small scenes.
      if (!column.empty()) [[unlikely]] {
        is_right &= column.size() == rows && wrong_layout(column).empty();
      } else if (!field.is_optional && rows != 0) [[unlikely]] {
        is_right = false;
      }
    });
  });
  return is_right;
}

#define WIDEPHASE_INSTANTIATE(D, T)                                        \
  template bool has_right_lengths(const BodyTable<Borrowed<D, T>>& bodies); \
  template bool has_right_lengths(const Scene<Borrowed<D, T>>& scene);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
