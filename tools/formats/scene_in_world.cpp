#include "tools/formats/scene_in_world.hpp"

#include <widephase/bodies.hpp>

#include "soa/instantiate.hpp"

namespace widephase::tools {

template <int D, class T>
SceneColumns<D, T> scene_in_world(const SceneColumns<D, T>& scene) {
  PlacedScene<D, T> placed;
  place(scene, SceneSpan<D, T>(scene).bodies, placed);
  SceneColumns<D, T> result = scene;
  for_each_table_pair(placed.scene(), result, [](const auto& table, auto& columns) {
    for_each_field_pair(table, columns, [](const auto&, const auto& moved, auto& column) {
      for (int w = 0; w < std::remove_cvref_t<decltype(column)>::width; ++w) {
        for (std::size_t row = 0; row < column.size(); ++row) column(row, w) = moved(row, w);
      }
    });
  });
  return result;
}

#define WIDEPHASE_INSTANTIATE(D, T) \
  template SceneColumns<D, T> scene_in_world(const SceneColumns<D, T>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::tools
