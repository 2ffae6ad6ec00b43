#pragma once

#include <widephase/scene.hpp>

#include "soa/copy_column.hpp"

namespace widephase {

/// The shapes of a scene and what they name, in double. Bodies, excluded pairs and the domain are
/// not copied.
template <class T>
SceneColumns<3, double> copy_shapes(const SceneSpan<3, T>& scene) {
  SceneColumns<3, double> shapes;
  for_each_table_pair(scene, shapes, [](const auto& from, auto& to) {
    for_each_field_pair(
        from, to, [](const Field&, const auto& column, auto& own) { copy_column(column, own); });
  });
  shapes.for_each_geometry_column(
      [](auto, auto, const auto& column, auto& own) { copy_column(column, own); }, scene, shapes);
  return shapes;
}

}  // namespace widephase
