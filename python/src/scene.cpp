// widephase.Scene and its tables of columns.

#include "scene.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <optional>

#include <widephase/notes.hpp>

#include "tools/formats/file_error.hpp"

namespace widephase::python {

namespace {

/// A column of any type, so that code that uses it by name is compiled once per type.
struct ColumnHandle {
  std::string_view table;
  std::string_view field;
  bool is_optional;
  Number type;
  int width;
  void* column;
  void (*set)(void* column, const Rows& rows);

  std::string name() const { return column_name(table, field); }
};

template <class T, int W>
ColumnHandle handle_of(std::string_view table, std::string_view field, bool is_optional,
                       ColumnSpan<T, W>& column) {
  return {table, field, is_optional, number_of<T>(), W, &column, [](void* self, const Rows& rows) {
            *static_cast<ColumnSpan<T, W>*>(self) = span_of<T, W>(rows);
          }};
}

std::vector<ColumnHandle> columns_of(SceneObject& scene, std::string_view wanted) {
  std::vector<ColumnHandle> handles;
  std::visit(
      [&](auto& columns) {
        for_each_column(columns, [&](std::string_view table, std::string_view field,
                                     bool is_optional, auto& column) {
          if (table == wanted) handles.push_back(handle_of(table, field, is_optional, column));
        });
      },
      scene.columns);
  return handles;
}

std::string names_of(const std::vector<ColumnHandle>& handles) {
  std::string names;
  for (const ColumnHandle& handle : handles) {
    names.append(names.empty() ? "" : ", ").append(handle.field);
  }
  return names;
}

const ColumnHandle& find(const std::vector<ColumnHandle>& handles, std::string_view table,
                         std::string_view field) {
  for (const ColumnHandle& handle : handles) {
    if (handle.field == field) return handle;
  }
  refuse(column_name(table, field), "is not a column of this scene; those of " +
                                        std::string(table) + " are " + names_of(handles));
}

void keep(SceneObject& scene, const ColumnHandle& handle, Rows rows) {
  handle.set(handle.column, rows);
  scene.arrays.insert_or_assign(handle.name(), std::move(rows.given));
}

/// A table of shapes, named after their kind, or the table "bodies".
struct TableObject {
  std::shared_ptr<SceneObject> scene;
  std::string_view table;

  std::vector<ColumnHandle> columns() const { return columns_of(*scene, table); }

  py::ssize_t rows() const {
    const std::string first = columns().front().name();
    const auto found = scene->arrays.find(first);
    return found == scene->arrays.end()
               ? 0
               : static_cast<py::ssize_t>(py::len(array_of(found->second)));
  }

  void set(const py::kwargs& given) {
    const std::vector<ColumnHandle> handles = columns();
    std::vector<std::pair<const ColumnHandle*, Rows>> all;
    py::ssize_t count = -1;
    std::string counted;
    for (const auto& [word, array] : given) {
      if (!is_given(array)) continue;
      const ColumnHandle& handle = find(handles, table, py::cast<std::string>(word));
      const std::string name = handle.name();
      all.emplace_back(&handle, borrow(array, name, handle.type, handle.width));
      const Rows& rows = all.back().second;
      if (rows.is_single) continue;
      if (count >= 0 && rows.count != count) {
        refuse(name, "has " + std::to_string(rows.count) + " rows; " + counted + " has " +
                         std::to_string(count));
      }
      count = rows.count;
      counted = name;
    }
    require(handles, all);
    for (const ColumnHandle& handle : handles) {
      handle.set(handle.column, {});
      scene->arrays.erase(handle.name());
    }
    for (auto& [handle, rows] : all) {
      if (rows.is_single) repeat(rows, count < 0 ? 1 : count);
      keep(*scene, *handle, std::move(rows));
    }
  }

  py::object get(std::string_view field) const {
    const std::vector<ColumnHandle> handles = columns();
    const auto is_it = [&](const ColumnHandle& handle) { return handle.field == field; };
    if (std::none_of(handles.begin(), handles.end(), is_it)) {
      throw py::attribute_error(std::string(table) + " has no column " + std::string(field) +
                                "; there are " + names_of(handles));
    }
    const auto found = scene->arrays.find(column_name(table, field));
    return found == scene->arrays.end() ? py::none() : found->second;
  }

  void assign(std::string_view field, const py::object& array) {
    const std::vector<ColumnHandle> handles = columns();
    const ColumnHandle& handle = find(handles, table, field);
    const std::string name = handle.name();
    if (!is_given(array)) {
      if (!handle.is_optional) refuse(name, "is needed; set() without arguments empties a table");
      handle.set(handle.column, {});
      scene->arrays.erase(name);
      return;
    }
    Rows rows = borrow(array, name, handle.type, handle.width);
    if (rows.is_single) repeat(rows, this->rows());
    if (rows.count != this->rows()) {
      refuse(name, "has " + std::to_string(rows.count) + " rows; the table has " +
                       std::to_string(this->rows()) +
                       ", and set() gives it columns of another length");
    }
    keep(*scene, handle, std::move(rows));
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const ColumnHandle& handle : columns()) names.emplace_back(handle.field);
    return names;
  }

  std::int32_t first_id() const {
    return std::visit(
        [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
          const SceneLayout layout = layout_of(columns);
          std::int32_t id = -1;
          for_each_table(columns, [&]<class Table>(const Table&) {
            if (table == kind_name(Table::kind, D)) id = layout.id(Table::kind, 0);
          });
          if (id < 0) refuse(table, "are not shapes and have no ids");
          return id;
        },
        scene->columns);
  }

  std::string text() const {
    std::string set;
    for (const ColumnHandle& handle : columns()) {
      if (scene->arrays.contains(handle.name())) {
        set.append(set.empty() ? "" : ", ").append(handle.field);
      }
    }
    return "<widephase.Table " + std::string(table) + ", " + std::to_string(rows()) + " rows" +
           (set.empty() ? "" : ": " + set) + ">";
  }

 private:
  static py::object array_of(const py::object& given) {
    return py::isinstance<Wxyz>(given) ? py::object(given.cast<const Wxyz&>().rows) : given;
  }

  /// Either every column that is not optional is given, or none at all.
  void require(const std::vector<ColumnHandle>& handles,
               const std::vector<std::pair<const ColumnHandle*, Rows>>& given) const {
    if (given.empty()) return;
    std::string needed;
    const ColumnHandle* missing = nullptr;
    for (const ColumnHandle& handle : handles) {
      if (handle.is_optional) continue;
      needed.append(needed.empty() ? "" : ", ").append(handle.field);
      const auto is_it = [&](const auto& entry) { return entry.first == &handle; };
      if (std::none_of(given.begin(), given.end(), is_it)) missing = &handle;
    }
    if (missing != nullptr) {
      refuse(missing->name(), "is missing; " + std::string(table) + " needs " + needed);
    }
  }
};

/// The attribute name of a kind: "spheres", "boxes".
std::string plural(std::string_view kind) {
  return std::string(kind) + (kind.ends_with('x') ? "es" : "s");
}

template <int D>
std::vector<std::string_view> kinds() {
  std::vector<std::string_view> words;
  const SceneSpan<D, float> scene;
  for_each_table(scene,
                 [&]<class Table>(const Table&) { words.push_back(kind_name(Table::kind, D)); });
  return words;
}

struct ColumnText {
  std::string_view field;
  const char* text;
};

/// What `help` says about a column: shape, unit, range.
constexpr ColumnText kColumnTexts[] = {
    {"center", "(n, d) positions, in the scene's unit of length"},
    {"radius", "(n,) lengths >= 0; of boxes, polygons and hulls the rounding, default 0"},
    {"rounding", "(n,) lengths >= 0, added on all sides; default 0"},
    {"a", "(n, d) positions: where the core begins"},
    {"b", "(n, d) positions: where the core ends"},
    {"min", "(n, d) positions: the lower corners"},
    {"max", "(n, d) positions: the upper corners"},
    {"angle", "(n,) radians, counter-clockwise"},
    {"orientation", "(n, 4) unit quaternions x y z w, or wxyz(array)"},
    {"half_extents", "(n, d) lengths >= 0"},
    {"half_height", "(n,) lengths >= 0, from the center, along the shape's own z"},
    {"geometry", "(n,) int32: indices into the scene's geometries"},
    {"normal", "(n, d) unit vectors, out of the solid"},
    {"offset", "(n,) positions along the normal: solid is dot(normal, p) <= offset"},
    {"world", "(n,) int32: shapes of different worlds never meet; -1 meets all; default 0"},
    {"category", "(n,) uint32 bits; default 1"},
    {"mask", "(n,) uint32 bits: which categories it meets; default all"},
    {"owner", "(n,) int32: shapes of one owner never meet; -1: none, the default"},
    {"fixed", "(n,) uint8 or bool: two fixed shapes never meet; default 0"},
    {"margin", "(n,) lengths >= 0, added to the call's margin; default 0"},
    {"key", "(n,) int64: names that last from step to step, unique in a world; default the id"},
    {"body", "(n,) int32: the body that carries the shape; -1: none, the default"},
    {"position", "(m, d) positions of bodies, in the scene's unit of length"},
};

const char* text_of(std::string_view field) {
  for (const ColumnText& column : kColumnTexts) {
    if (column.field == field) return column.text;
  }
  return "";
}

template <int D>
void list_fields(std::vector<std::string_view>& fields) {
  const SceneSpan<D, float> scene;
  for_each_column(scene, [&](std::string_view table, std::string_view field, bool, const auto&) {
    if (table.empty()) return;
    if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
  });
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
  std::visit(
      [&]<int D, class T>(Scene<Borrowed<D, T>>& columns) {
        for (std::size_t k = 0; k < static_cast<std::size_t>(D); ++k) {
          columns.domain.min[k] = static_cast<PositionOf<T>>(min[k]);
          columns.domain.max[k] = static_cast<PositionOf<T>>(max[k]);
          columns.domain.periodic[k] = !periodic || (*periodic)[k];
        }
      },
      scene.columns);
}

py::object domain_of(const SceneObject& scene) {
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
  return list_of_findings(with_scene(scene, []<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    return notes_of<D, T>(span);
  }));
}

py::tuple locate_ids(const SceneObject& scene, const py::object& ids) {
  const HeldValues<std::int32_t> held = borrow_values<std::int32_t>(ids, "ids");
  const std::size_t count = held.values.size();
  py::array_t<std::uint8_t> kinds(static_cast<py::ssize_t>(count));
  py::array_t<std::int32_t> rows(static_cast<py::ssize_t>(count));
  static_assert(sizeof(Kind) == 1);
  locate(with_columns(scene, [](const auto& columns) { return layout_of(columns); }), held.values,
         {reinterpret_cast<Kind*>(kinds.mutable_data()), count}, {rows.mutable_data(), count});
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
  const auto found = scene.arrays.find(name);
  return found == scene.arrays.end() ? py::none() : found->second;
}

void set_excluded(SceneObject& scene, std::string_view name, const py::object& given) {
  const std::vector<ColumnHandle> handles = columns_of(scene, "");
  const ColumnHandle& handle = find(handles, "", name);
  if (!is_given(given)) {
    handle.set(handle.column, {});
    scene.arrays.erase(handle.name());
    return;
  }
  Rows rows = borrow(given, name, handle.type, handle.width);
  if (rows.is_single) repeat(rows, 1);
  keep(scene, handle, std::move(rows));
}

}  // namespace

int SceneObject::dimension() const {
  return std::visit([]<int D, class T>(const Scene<Borrowed<D, T>>&) { return D; }, columns);
}

std::string_view SceneObject::precision() const {
  return std::visit(
      []<int D, class T>(const Scene<Borrowed<D, T>>&) -> std::string_view {
        return is_mixed<T> ? "mixed" : std::is_same_v<T, float> ? "float" : "double";
      },
      columns);
}

std::shared_ptr<SceneObject> make_scene(int dimension, std::string_view precision) {
  auto scene = std::make_shared<SceneObject>();
  const auto make = [&]<int D, class T>() {
    scene->columns = SceneSpan<D, T>();
    scene->geometries = make_geometries<D, SizeOf<T>>();
  };
  const auto of_dimension = [&]<int D>() {
    if (precision == "float") return make.template operator()<D, float>();
    if (precision == "double") return make.template operator()<D, double>();
    if (precision == "mixed") return make.template operator()<D, Mixed>();
    refuse("precision", "is " + std::string(precision) + "; expected float, double or mixed");
  };
  if (dimension != 2 && dimension != 3) {
    refuse("dimension", "is " + std::to_string(dimension) + "; expected 2 or 3");
  }
  if (dimension == 2) of_dimension.template operator()<2>();
  if (dimension == 3) of_dimension.template operator()<3>();
  return scene;
}

void bind_scene(py::module_& module) {
  py::class_<Wxyz>(module, "wxyz",
                   "Quaternions in the order w x y z for a column `orientation`, read in place:\n"
                   "wxyz(array), of shape (n, 4).")
      .def(py::init([](const py::array& rows) { return Wxyz{rows}; }), py::arg("rows"))
      .def_readonly("rows", &Wxyz::rows, "The array, (n, 4).");

  py::class_<TableObject> table(
      module, "Table",
      "Columns of one kind of shape, or of bodies; a row is a shape.\n\n"
      "NumPy arrays of the column's type are read in place, whatever their strides: what is\n"
      "written to them later is in the scene. Lists and scalars are copied, and one row or number\n"
      "stands for all. Positions are float32, or float64 of precisions double and mixed; sizes\n"
      "are float32, or float64 of double. Numbers are checked by the calls that read them.");
  table
      .def("set", &TableObject::set,
           "set(**columns): gives the table all of its columns, with equally many rows. A missing\n"
           "column has its default; set() empties the table. On an error nothing changes.")
      .def("__len__", &TableObject::rows)
      .def("__repr__", &TableObject::text)
      .def_property_readonly("columns", &TableObject::names, "The names of all columns.")
      .def_property_readonly(
          "kind", [](const TableObject& self) { return std::string(self.table); },
          "The word of the kind: 'sphere', ...; 'bodies'.")
      .def_property_readonly("first_id", &TableObject::first_id,
                             "The id of row 0; row i has first_id + i.");
  std::vector<std::string_view> fields;
  list_fields<2>(fields);
  list_fields<3>(fields);
  for (const std::string_view field : fields) {
    table.def_property(
        std::string(field).c_str(), [field](const TableObject& self) { return self.get(field); },
        [field](TableObject& self, const py::object& array) { self.assign(field, array); },
        text_of(field));
  }

  py::class_<SceneObject, std::shared_ptr<SceneObject>> scene(
      module, "Scene",
      "Shapes to collide, one table per kind.\n\n"
      "dimension: 2 or 3. precision: 'float', 'double', or 'mixed', positions in float64 beside\n"
      "sizes in float32. A shape's id is its place over all tables, in their order.");
  scene
      .def(py::init([](int dimension, const std::string& precision) {
             return make_scene(dimension, precision);
           }),
           py::arg("dimension"), py::arg("precision") = "float")
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
            return with_columns(self, []<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
              return world_count<D, T>(columns);
            });
          },
          "The largest world + 1; 0 without shapes.")
      .def_property(
          "geometries", [](const SceneObject& self) { return self.geometries; },
          [](SceneObject& self, const std::shared_ptr<GeometriesObject>& given) {
            const auto wanted = self.geometries->table.index();
            if (given == nullptr || given->table.index() != wanted) {
              refuse("geometries", "are of another dimension or precision than the scene's sizes");
            }
            self.geometries = given;
          },
          "The Geometries that polygons or hulls name; those of another scene may be shared.")
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
          "clear_domain",
          [](SceneObject& self) {
            std::visit([](auto& columns) { columns.domain = {}; }, self.columns);
          },
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
      .def("locate", &locate_ids, py::arg("ids"),
           "Kinds (n,) uint8, numbers in `kinds`, and rows (n,) int32 of ids (n,) int32.");
  bind_table_attributes(scene);
}

}  // namespace widephase::python
