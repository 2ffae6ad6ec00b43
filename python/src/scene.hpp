#pragma once

// What a widephase.Scene and its tables hold: views of the caller's arrays, and the objects that
// keep these alive.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include <widephase/scene.hpp>

#include "arrays.hpp"
#include "geometry.hpp"
#include "labels.hpp"

namespace widephase::python {

/// One alternative per dimension and precision. An object that calls fill may also hold none.
template <template <int, class> class Of, class... None>
using AnyOf = std::variant<None..., Of<2, float>, Of<2, double>, Of<2, Mixed>, Of<3, float>,
                           Of<3, double>, Of<3, Mixed>>;

/// The types of a scene's numbers.
enum class Precision : std::uint8_t { narrow, wide, mixed };

/// "float32", "float64" or "mixed"; also "float", "double" and NumPy's types. None: no value.
/// Throws `Error` for others.
std::optional<Precision> precision_named(const py::object& word);

/// The word for the precision of a scene's type.
template <class T>
constexpr std::string_view precision_word = is_mixed<T>                ? "mixed"
                                            : std::is_same_v<T, float> ? "float"
                                                                       : "double";

template <class T>
constexpr Precision precision_of() {
  return is_mixed<T>                ? Precision::mixed
         : std::is_same_v<T, float> ? Precision::narrow
                                    : Precision::wide;
}

/// A column as a scene keeps it.
/// An array with room for more rows behind those that are used, of which columns are views.
struct GrownArray {
  py::array rows;
  py::ssize_t used = 0;
};

struct HeldColumn {
  Given given;
  py::ssize_t repeat_count = -1;   ///< of a single row that stands for all
  py::object made;                 ///< lists as an array of the scene's type
  std::shared_ptr<Buffer> buffer;  ///< every call converts the array anew; null: read in place
  std::shared_ptr<GrownArray> grown_given, grown_made;  ///< where `append` puts rows; else null
  bool is_placed = false;          ///< whether the scene's span has it
  bool is_size = false;            ///< of sizes, not of positions

  /// What the attribute returns.
  const py::object& object() const { return given.is_listed ? made : given.object; }
  /// Whether it is an array of the caller's in float64, which widens the scene.
  bool is_wide() const;
  /// The numbers of lists with all their digits, or what somebody wrote in place of these.
  py::array listed_numbers() const;
};
using HeldColumns = std::map<std::string, HeldColumn, std::less<>>;

/// The box of a periodic scene.
struct HeldDomain {
  std::vector<double> min, max;
  std::vector<bool> periodic;
};

struct SceneObject {
  /// Views of the arrays, in the scene's precision. `settle` brings them up to date.
  mutable AnyOf<SceneSpan> columns;
  mutable HeldColumns held;                  ///< by column name
  std::optional<Precision> precision_given;  ///< none: that of the widest columns, as files have it
  std::optional<HeldDomain> domain;
  std::shared_ptr<GeometriesObject> geometries;
  py::object pairs = py::none();  ///< of a loaded file, if it has any
  SharedLabels labels;            ///< names and frames; null: none
  bool is_placed = false;         ///< by `place`: its bodies need no poses

  int dimension() const;
  std::string_view precision() const;
};

/// Takes notes away that are not for this scene: the bodies of placed shapes need no poses.
inline void leave_out_needless(const SceneObject& scene, std::vector<Finding>& notes) {
  if (!scene.is_placed) return;
  std::erase_if(notes, [](const Finding& note) { return note.array.ends_with(".body"); });
}

/// Throws `Error` unless `dimension` is 2 or 3.
std::shared_ptr<SceneObject> make_scene(int dimension, std::optional<Precision> precision);

/// Gives the scene other columns, or throws and leaves it as it was.
void commit(SceneObject& scene, HeldColumns held);

/// Makes `columns` a view of the arrays as they are now: in the precision that they call for, and
/// with the numbers of arrays of other types converted anew.
void settle(const SceneObject& scene);

/// Calls `visit(table, field, is_optional, column)` for every column that a scene borrows, except
/// its point sets.
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
  if constexpr (D == 2) {
    using Chains = std::remove_cvref_t<decltype(scene.chain_geometries)>;
    Chains::for_each_column(
        [&](std::string_view field, auto& column) {
          visit(std::string_view("chains"), field, field != "vertices" && field != "offsets",
                column);
        },
        scene.chain_geometries);
  } else {
    using Library = std::remove_cvref_t<decltype(scene.heightfield_geometries)>;
    Library::for_each_column(
        [&](std::string_view field, auto& column) {
          visit(std::string_view("heightfields"), field, field == "neighbours", column);
        },
        scene.heightfield_geometries);
    using Meshes = std::remove_cvref_t<decltype(scene.mesh_geometries)>;
    Meshes::for_each_column(
        [&](std::string_view field, auto& column) {
          visit(std::string_view("meshes"), field, field == "two_sided" || field == "beyond",
                column);
        },
        scene.mesh_geometries);
  }
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
  std::vector<std::shared_ptr<Buffer>> buffers;
  SharedGeometries<D, SizeOf<T>> geometries;
};

template <int D, class T>
HeldScene<D, T> held_scene(const SceneObject& scene, const SceneSpan<D, T>& columns) {
  HeldScene<D, T> held{columns, {}, {}, scene.geometries->shared<D, SizeOf<T>>()};
  for (const auto& [name, column] : scene.held) {
    held.arrays.push_back(column.object());
    if (column.buffer != nullptr) held.buffers.push_back(column.buffer);
  }
  held.span.geometries = {held.geometries->vertices, held.geometries->offsets,
                          held.geometries->inner};
  return held;
}

/// Calls `call(span)` with the scene and keeps its arrays alive until the call returns.
template <class Call>
decltype(auto) with_scene(const SceneObject& scene, const Call& call) {
  settle(scene);
  return std::visit(
      [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) -> decltype(auto) {
        const HeldScene<D, T> held = held_scene(scene, columns);
        return call(held.span);
      },
      scene.columns);
}

/// A scene object over columns that `owner` keeps alive. Columns that are still those of `source`,
/// which `source_span` views, keep its arrays. Columns in double that are not wide in `undecided`
/// do not widen the scene; they only have digits for when others do.
template <int D, class T>
std::shared_ptr<SceneObject> scene_over(const SceneSpan<D, T>& span,
                                        const std::shared_ptr<const void>& owner,
                                        std::shared_ptr<GeometriesObject> geometries,
                                        std::optional<Precision> precision,
                                        const SceneObject* source = nullptr,
                                        const SceneSpan<D, T>& source_span = {},
                                        const SceneObject* undecided = nullptr) {
  auto made = make_scene(D, precision);
  made->geometries = std::move(geometries);
  std::map<std::string, const void*, std::less<>> sources;
  for_each_column(source_span,
                  [&](std::string_view table, std::string_view field, bool, const auto& column) {
                    if (source != nullptr) sources[column_name(table, field)] = column.plane();
                  });
  HeldColumns held;
  for_each_column(span, [&](std::string_view table, std::string_view field, bool,
                            const auto& column) {
    if (column.empty()) return;
    std::string name = column_name(table, field);
    const auto found = sources.find(name);
    HeldColumn& given = held[name];
    if (found != sources.end() && found->second == column.plane()) {
      given = source->held.at(name);
      given.is_placed = false;
      return;
    }
    given.given.object = given.given.array = exposed(column, owner);
    // What is ours may become wider; float64 says how wide the scene is.
    given.given.is_listed = !given.is_wide();
    if (undecided != nullptr) {
      const auto column_there = undecided->held.find(name);
      given.given.is_listed |=
          column_there == undecided->held.end() || !column_there->second.is_wide();
    }
    given.made = given.given.object;
  });
  if (span.domain.is_periodic()) {
    const auto& box = span.domain;
    HeldDomain& domain = made->domain.emplace();
    domain.min.assign(box.min.begin(), box.min.end());
    domain.max.assign(box.max.begin(), box.max.end());
    domain.periodic.assign(box.periodic.begin(), box.periodic.end());
  }
  commit(*made, std::move(held));
  return made;
}

void bind_scene(py::module_& module);

}  // namespace widephase::python
