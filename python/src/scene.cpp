// widephase.Scene.

#include "chains.hpp"
#include "copies.hpp"
#include "heightfields.hpp"
#include "meshes.hpp"
#include "tables.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <optional>

#include <widephase/notes.hpp>

#include "tools/formats/file_error.hpp"

namespace widephase::python {

namespace {

/// The attribute name of a kind: "spheres", "boxes".
std::string plural(std::string_view kind) {
  return std::string(kind) + (kind.ends_with('x') || kind.ends_with('h') ? "es" : "s");
}

template <int D>
std::vector<std::string_view> kinds() {
  std::vector<std::string_view> words;
  const SceneSpan<D, float> scene;
  for_each_table(scene,
                 [&]<class Table>(const Table&) { words.push_back(kind_name(Table::kind, D)); });
  return words;
}

template <class Of>
auto with_columns(const SceneObject& scene, const Of& of) {
  return std::visit(of, scene.columns);
}

std::int32_t shape_count(const SceneObject& scene) {
  return with_columns(scene, [](const auto& columns) { return layout_of(columns).shape_count(); });
}

void set_domain(SceneObject& scene, const std::vector<double>& min, const std::vector<double>& max,
                const std::optional<std::vector<bool>>& periodic) {
  const auto check = [&](std::string_view name, std::size_t size) {
    if (size != static_cast<std::size_t>(scene.dimension())) {
      refuse(name, "has " + std::to_string(size) + " numbers; it must have " +
                       std::to_string(scene.dimension()));
    }
  };
  check("domain.min", min.size());
  check("domain.max", max.size());
  if (periodic) check("domain.periodic", periodic->size());
  HeldDomain domain{min, max, std::vector<bool>(min.size(), true)};
  if (periodic) domain.periodic = *periodic;
  scene.domain = std::move(domain);
  settle(scene);
}

py::object domain_of(const SceneObject& scene) {
  settle(scene);
  return with_columns(
      scene, []<int D, class T>(const Scene<Borrowed<D, T>>& columns) -> py::object {
        const auto& domain = columns.domain;
        if (!domain.is_periodic()) return py::none();
        return py::make_tuple(py::tuple(py::cast(domain.min)), py::tuple(py::cast(domain.max)),
                              py::tuple(py::cast(domain.periodic)));
      });
}

py::list list_of_findings(const std::vector<Finding>& findings) {
  py::list list;
  for (const Finding& finding : findings) {
    list.append(py::make_tuple(finding.array, finding.row, tools::said(finding)));
  }
  return list;
}

py::list findings_of(const SceneObject& scene, double margin, std::size_t limit) {
  const std::vector<Finding> findings =
      with_scene(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
        py::gil_scoped_release released;
        return validate<D, T>(span, margin, limit);
      });
  return list_of_findings(findings);
}

py::list notes_about(const SceneObject& scene) {
  std::vector<Finding> notes = with_scene(
      scene,
      []<int D, class T>(const Scene<Borrowed<D, T>>& span) { return notes_of<D, T>(span); });
  leave_out_needless(scene, notes);
  return list_of_findings(notes);
}

SceneLayout layout_of_rows(const tools::SceneRows& rows) {
  SceneLayout layout;
  for (std::size_t kind = 0; kind < kKindCount; ++kind) {
    layout.first[kind + 1] = layout.first[kind] + static_cast<std::int32_t>(rows.kinds[kind].count);
  }
  return layout;
}

/// The kinds and rows of ids; those of a static scene are behind the others, as in contacts.
py::tuple locate_ids(const SceneObject& scene, const py::object& ids,
                     const std::shared_ptr<StaticSceneObject>& kept) {
  const HeldValues<std::int32_t> held = borrow_values<std::int32_t>(ids, "ids");
  const SceneLayout moving =
      with_columns(scene, [](const auto& columns) { return layout_of(columns); });
  const SceneLayout level = kept == nullptr ? SceneLayout() : layout_of_rows(kept->rows->rows);
  const std::int32_t moving_count = moving.shape_count();
  const auto total = std::int64_t{moving_count} + level.shape_count();
  const auto count = static_cast<py::ssize_t>(held.values.size());
  py::array_t<std::uint8_t> kinds(count);
  py::array_t<std::int32_t> rows(count);
  for (py::ssize_t i = 0; i < count; ++i) {
    const std::int32_t id = held.values[static_cast<std::size_t>(i)];
    if (id < 0 || id >= total) {
      refuse("ids", "is " + std::to_string(id) + "; the ids are 0 to " + std::to_string(total - 1),
             i);
    }
    const SceneLayout& layout = id < moving_count ? moving : level;
    const std::int32_t own = id < moving_count ? id : id - moving_count;
    kinds.mutable_at(i) = static_cast<std::uint8_t>(layout.kind_of(own));
    rows.mutable_at(i) = layout.row(own);
  }
  return py::make_tuple(kinds, rows);
}

std::vector<std::string> kind_words(const SceneObject& scene) {
  std::vector<std::string> words;
  for (int kind = 0; kind < kKindCount; ++kind) {
    words.emplace_back(kind_name(static_cast<Kind>(kind), scene.dimension()));
  }
  return words;
}

template <class Class>
void bind_table_attributes(Class& cls) {
  const auto add = [&](std::string_view word, int dimension) {
    const std::string attribute = plural(word);
    if (py::hasattr(cls, attribute.c_str())) return;
    const auto is_among = [&](const auto& words) {
      return std::find(words.begin(), words.end(), word) != words.end();
    };
    const bool is_of_both = is_among(kinds<2>()) && is_among(kinds<3>());
    const std::string text = "The table of " + attribute +
                             (is_of_both ? "" : ", in " + std::to_string(dimension) + "D alone") +
                             ".";
    cls.def_property_readonly(
        attribute.c_str(),
        [word, attribute](const std::shared_ptr<SceneObject>& scene) {
          const auto words = scene->dimension() == 2 ? kinds<2>() : kinds<3>();
          if (std::find(words.begin(), words.end(), word) == words.end()) {
            throw py::attribute_error("a " + std::to_string(scene->dimension()) +
                                      "D scene has no " + attribute);
          }
          return TableObject{scene, word};
        },
        text.c_str());
  };
  for (const std::string_view word : kinds<2>()) add(word, 2);
  for (const std::string_view word : kinds<3>()) add(word, 3);
}

py::object excluded_of(const SceneObject& scene, std::string_view name) {
  const auto found = scene.held.find(name);
  return found == scene.held.end() ? py::none() : found->second.object();
}

void set_excluded(SceneObject& scene, std::string_view name, const py::object& given) {
  const std::vector<ColumnHandle> handles = columns_of(scene, "");
  const ColumnHandle& handle = find(handles, "", name);
  HeldColumns held = scene.held;
  held.erase(handle.name());
  if (is_given(given)) {
    HeldColumn column;
    column.given = take(given, name, handle.type, handle.width);
    if (column.given.is_single) repeat_row(column, 1, handle.width);
    held.emplace(handle.name(), std::move(column));
  }
  commit(scene, std::move(held));
}

}  // namespace

int SceneObject::dimension() const {
  return std::visit([]<int D, class T>(const Scene<Borrowed<D, T>>&) { return D; }, columns);
}

std::string_view SceneObject::precision() const {
  settle(*this);
  return std::visit(
      []<int D, class T>(const Scene<Borrowed<D, T>>&) -> std::string_view {
        return precision_word<T>;
      },
      columns);
}

void bind_scene(py::module_& module) {
  bind_tables(module);
  py::class_<SceneObject, std::shared_ptr<SceneObject>> scene(
      module, "Scene",
      "Shapes to collide, one table per kind.\n\n"
      "dimension: 2 or 3. precision: 'float32', 'float64', or 'mixed', positions in float64 "
      "beside\n"
      "sizes in float32; None: that of the widest columns, as of files. Then float64 arrays are\n"
      "taken as they are; otherwise every call converts them anew. A shape's id is its place over\n"
      "all tables, in their order.");
  scene
      .def(py::init([](int dimension, const py::object& precision) {
             return make_scene(dimension, precision_named(precision));
           }),
           py::arg("dimension"), py::arg("precision") = py::none())
      .def_property_readonly("dimension", &SceneObject::dimension, "2 or 3.")
      .def_property_readonly(
          "precision", [](const SceneObject& self) { return std::string(self.precision()); },
          "'float', 'double' or 'mixed'.")
      .def_property_readonly("kinds", &kind_words, "The words of kinds by number, as in locate.")
      .def("__len__", &shape_count)
      .def("__repr__",
           [](const SceneObject& self) {
             return "<widephase.Scene of " + std::to_string(shape_count(self)) + " shapes, " +
                    std::to_string(self.dimension()) + "D, " + std::string(self.precision()) + ">";
           })
      .def_property_readonly(
          "world_count",
          [](const SceneObject& self) {
            return with_scene(self, []<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
              return world_count<D, T>(columns);
            });
          },
          "The largest world + 1; 0 without shapes.")
      .def_property(
          "geometries", [](const SceneObject& self) { return self.geometries; },
          [](SceneObject& self, const std::shared_ptr<GeometriesObject>& given) {
            const bool is_narrow = self.precision_given && *self.precision_given != Precision::wide;
            if (given == nullptr || given->dimension() != self.dimension() ||
                (is_narrow && given->are_wide())) {
              refuse("geometries", "are of another dimension or precision than the scene's sizes");
            }
            self.geometries = given;
          },
          "The Geometries that polygons or hulls name; those of another scene may be shared.")
      .def_property_readonly("heightfield_geometries", &heightfields_of,
                             "The HeightfieldGeometries that heightfields name, in 3D alone.")
      .def_property_readonly("mesh_geometries", &meshes_of,
                             "The MeshGeometries that meshes name, in 3D alone.")
      .def_property_readonly("chain_geometries", &chains_of,
                             "The ChainGeometries that chains name, in 2D alone.")
      .def_property_readonly(
          "bodies",
          [](const std::shared_ptr<SceneObject>& self) {
            return TableObject{self, "bodies"};
          },
          "The table of bodies: position (m, d) and angle (m,) or orientation (m, 4). Shapes that\n"
          "name a body are in its frame. Without bodies `body` is only a filter.")
      .def_property(
          "excluded", [](const SceneObject& self) { return excluded_of(self, "excluded"); },
          [](SceneObject& self, const py::object& rows) { set_excluded(self, "excluded", rows); },
          "(k, 2) int32: ids that never meet; or None.")
      .def_property(
          "excluded_owners",
          [](const SceneObject& self) { return excluded_of(self, "excluded_owners"); },
          [](SceneObject& self, const py::object& rows) {
            set_excluded(self, "excluded_owners", rows);
          },
          "(k, 2) int32: owners that never meet; or None.")
      .def_property(
          "excluded_bodies",
          [](const SceneObject& self) { return excluded_of(self, "excluded_bodies"); },
          [](SceneObject& self, const py::object& rows) {
            set_excluded(self, "excluded_bodies", rows);
          },
          "(k, 2) int32: bodies that never meet; or None.")
      .def("set_domain", &set_domain, py::arg("min"), py::arg("max"),
           py::arg("periodic") = py::none(),
           "Makes the scene wrap round along the axes whose `periodic` (d,) is true; all of them\n"
           "without it. The box is from min (d,) to max (d,), in the scene's unit of length.")
      .def(
          "clear_domain", [](SceneObject& self) { self.domain.reset(); },
          "Makes the scene unbounded again.")
      .def_property_readonly("domain", &domain_of,
                             "The periodic domain as (min, max, periodic), or None.")
      .def_readwrite(
          "pairs", &SceneObject::pairs,
          "(m, 2) int32 or None: the pairs that a file says to test, for collide_pairs.\n"
          "collide finds its own; save writes them.")
      .def("notes", &notes_about,
           "What is valid and yet seldom meant, as validate has it. Calls warn of it.")
      .def("validate", &findings_of, py::arg("margin") = 0.0, py::arg("limit") = 1,
           "Up to `limit` faults: a list of (array, row, sentence); row -1 is the whole array.\n"
           "Empty for a valid scene.")
      .def("locate", &locate_ids, py::arg("ids"), py::arg("kept") = py::none(),
           "Kinds (n,) uint8, numbers in `kinds`, and rows (n,) int32 of ids (n,) int32. Ids from\n"
           "len(scene) on are those of the StaticScene kept, and so are their rows.");
  bind_table_attributes(scene);
  bind_copies(scene);
}

}  // namespace widephase::python
