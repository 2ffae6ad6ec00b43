#pragma once

#include <widephase/bodies.hpp>
#include <widephase/scene.hpp>

namespace widephase::tools {

/// A copy in which what lies in the frame of a body lies where that is.
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

}  // namespace widephase::tools
