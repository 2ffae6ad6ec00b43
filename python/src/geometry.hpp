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

  template <int D, class T>
  SharedGeometries<D, T> shared() const {
    const auto& held = std::get<SharedGeometries<D, T>>(table);
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
