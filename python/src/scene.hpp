#pragma once

// What a widephase.Scene and its tables hold: views of the caller's arrays, and the objects that
// keep these alive.

#include <functional>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include <widephase/scene.hpp>

#include "arrays.hpp"
#include "geometry.hpp"

namespace widephase::python {

/// One alternative per dimension and precision. An object that calls fill may also hold none.
template <template <int, class> class Of, class... None>
using AnyOf = std::variant<None..., Of<2, float>, Of<2, double>, Of<2, Mixed>, Of<3, float>,
                           Of<3, double>, Of<3, Mixed>>;

struct SceneObject {
  AnyOf<SceneSpan> columns;
  /// The arrays that the columns refer to, by column name.
  std::map<std::string, py::object, std::less<>> arrays;
  std::shared_ptr<GeometriesObject> geometries;
  py::object pairs = py::none();  ///< of a loaded file, if it has any

  int dimension() const;
  std::string_view precision() const;
};

/// Throws `Error` unless `dimension` is 2 or 3 and `precision` is float, double or mixed.
std::shared_ptr<SceneObject> make_scene(int dimension, std::string_view precision);

/// Calls `visit(table, field, is_optional, column)` for every column that a scene borrows, except
/// its geometries.
template <class AnyScene, class Visit>
void for_each_column(AnyScene& scene, const Visit& visit) {
  constexpr int D = std::remove_cvref_t<AnyScene>::dimension;
  for_each_table(scene, [&](auto& table) {
    constexpr Kind kind = std::remove_cvref_t<decltype(table)>::kind;
    for_each_field(table, [&](const auto& field, auto& column) {
      visit(kind_name(kind, D), field.name, field.is_optional, column);
    });
  });
  visit(std::string_view(), std::string_view("excluded"), true, scene.excluded);
  visit(std::string_view(), std::string_view("excluded_owners"), true, scene.excluded_owners);
  visit(std::string_view(), std::string_view("excluded_bodies"), true, scene.excluded_bodies);
  visit(std::string_view("bodies"), std::string_view("position"), false, scene.bodies.position);
  visit(std::string_view("bodies"), std::string_view(D == 2 ? "angle" : "orientation"), true,
        scene.bodies.turn);
}

/// "sphere.center", or "excluded" if there is no table.
inline std::string column_name(std::string_view table, std::string_view field) {
  return table.empty() ? std::string(field) : std::string(table) + "." + std::string(field);
}

/// A scene as a call reads it. It keeps its arrays alive even if the Scene object changes or ends.
template <int D, class T>
struct HeldScene {
  SceneSpan<D, T> span;
  std::vector<py::object> arrays;
  SharedGeometries<D, SizeOf<T>> geometries;
};

template <int D, class T>
HeldScene<D, T> held_scene(const SceneObject& scene, const SceneSpan<D, T>& columns) {
  HeldScene<D, T> held{columns, {}, scene.geometries->shared<D, SizeOf<T>>()};
  for (const auto& [name, array] : scene.arrays) held.arrays.push_back(array);
  held.span.geometries = {held.geometries->vertices, held.geometries->offsets,
                          held.geometries->inner};
  return held;
}

/// Calls `call(span)` with the scene and keeps its arrays alive until the call returns.
template <class Call>
decltype(auto) with_scene(const SceneObject& scene, const Call& call) {
  return std::visit(
      [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) -> decltype(auto) {
        const HeldScene<D, T> held = held_scene(scene, columns);
        return call(held.span);
      },
      scene.columns);
}

/// A scene object over columns that `owner` keeps alive. Columns that are still those of `source`
/// keep its arrays.
template <int D, class T>
std::shared_ptr<SceneObject> scene_over(const SceneSpan<D, T>& span,
                                        const std::shared_ptr<const void>& owner,
                                        std::shared_ptr<GeometriesObject> geometries,
                                        const SceneObject* source = nullptr) {
  auto made = std::make_shared<SceneObject>();
  made->columns = span;
  made->geometries = std::move(geometries);
  std::map<std::string, const void*, std::less<>> sources;
  if (source != nullptr) {
    for_each_column(std::get<SceneSpan<D, T>>(source->columns),
                    [&](std::string_view table, std::string_view field, bool, const auto& column) {
                      sources[column_name(table, field)] = column.plane();
                    });
  }
  for_each_column(span, [&](std::string_view table, std::string_view field, bool,
                            const auto& column) {
    if (column.empty()) return;
    std::string name = column_name(table, field);
    const auto found = sources.find(name);
    const bool is_sources = found != sources.end() && found->second == column.plane();
    py::object array = is_sources ? source->arrays.at(name) : py::object(exposed(column, owner));
    made->arrays.emplace(std::move(name), std::move(array));
  });
  return made;
}

void bind_scene(py::module_& module);

}  // namespace widephase::python
