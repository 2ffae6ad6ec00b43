#pragma once

// What a widephase.Geometries holds.

#include <memory>
#include <variant>

#include <widephase/shapes.hpp>

#include "arrays.hpp"

namespace widephase::python {

template <int D, class T>
using SharedGeometries = std::shared_ptr<GeometryTable<Owned<D, T>>>;

/// Scenes, calls and arrays share the table. While they hold it, it does not change: geometries are
/// added to a copy.
struct GeometriesObject {
  /// NULL while a call of another thread changes it.
  std::variant<SharedGeometries<2, float>, SharedGeometries<2, double>, SharedGeometries<3, float>,
               SharedGeometries<3, double>>
      table;

  /// Those of a table in float as double, as long as the table is as it was.
  mutable std::weak_ptr<const void> widened_from;
  mutable std::shared_ptr<const void> widened;

  /// The table, in double if a scene needs it so: float vertices are the same points there.
  template <int D, class T>
  SharedGeometries<D, T> shared() const {
    if (const auto* held = std::get_if<SharedGeometries<D, T>>(&table)) return unchanging(*held);
    using Other = std::conditional_t<std::is_same_v<T, float>, double, float>;
    const auto* other = std::get_if<SharedGeometries<D, Other>>(&table);
    if (other == nullptr) refuse("geometries", "are of another dimension than the scene");
    const SharedGeometries<D, Other> source = unchanging(*other);
    if (std::is_same_v<T, float> && !source->offsets.empty()) {
      refuse("geometries", "are of float64 and the scene's sizes of float32");
    }
    if (widened == nullptr || widened_from.lock() != source) {
      auto made = std::make_shared<GeometryTable<Owned<D, T>>>();
      made->vertices.resize(source->vertices.size());
      for (int w = 0; w < D; ++w) {
        for (std::size_t i = 0; i < source->vertices.size(); ++i) {
          made->vertices(i, w) = static_cast<T>(source->vertices(i, w));
        }
      }
      made->offsets = source->offsets;
      made->inner = source->inner;
      widened = made;
      widened_from = source;
    }
    return std::const_pointer_cast<GeometryTable<Owned<D, T>>>(
        std::static_pointer_cast<const GeometryTable<Owned<D, T>>>(widened));
  }

  int dimension() const { return table.index() < 2 ? 2 : 3; }
  /// Whether they are in double, and there are some.
  bool are_wide() const;

 private:
  template <class Shared>
  static const Shared& unchanging(const Shared& held) {
    if (held == nullptr) refuse("geometries", "are being changed by another thread");
    return held;
  }
};

template <int D, class T>
std::shared_ptr<GeometriesObject> make_geometries(GeometryTable<Owned<D, T>> table = {}) {
  auto made = std::make_shared<GeometriesObject>();
  made->table = std::make_shared<GeometryTable<Owned<D, T>>>(std::move(table));
  return made;
}

void bind_geometry(py::module_& module);

}  // namespace widephase::python
