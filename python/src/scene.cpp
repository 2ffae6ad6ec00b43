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
  Number type;  ///< in the scene's precision
  int width;

  std::string name() const { return column_name(table, field); }
  bool is_real() const { return type == Number::float32 || type == Number::float64; }
};

template <class T, int W>
Number number_of_column(const ColumnSpan<T, W>&) {
  return number_of<T>();
}

template <class T, int W>
constexpr int width_of_column(const ColumnSpan<T, W>&) {
  return W;
}

std::vector<ColumnHandle> columns_of(const SceneObject& scene, std::string_view wanted) {
  std::vector<ColumnHandle> handles;
  std::visit(
      [&](const auto& columns) {
        for_each_column(columns, [&](std::string_view table, std::string_view field,
                                     bool is_optional, const auto& column) {
          if (table != wanted) return;
          handles.push_back(
              {table, field, is_optional, number_of_column(column), width_of_column(column)});
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

/// The rows of a column in the scene's type: in place, or converted.
Rows rows_of(HeldColumn& column, std::string_view name, Number type, int width) {
  if (!column.given.is_listed) {
    std::shared_ptr<Buffer> buffer = column.buffer;
    // Others may read it: a running call, or a copy of the scene.
    if (buffer.use_count() > 2) buffer.reset();
    Rows rows = read(column.given, name, type, width, std::move(buffer));
    column.buffer = rows.buffer;
    return rows;
  }
  const bool is_made = column.made && is_type(py::cast<py::array>(column.made).dtype(), type);
  if (!is_made) {
    // What was listed has more digits than what became of it, unless somebody wrote to that.
    py::array source = column.given.array;
    if (column.made && column.repeat_count < 0) {
      const auto made = py::cast<py::array>(column.made);
      const py::object same = py::module_::import("numpy").attr("array_equal")(
          made, source.attr("astype")(made.dtype()), true);
      if (!py::cast<bool>(same)) source = made;
    }
    py::array made = converted(source, name, type);
    if (column.repeat_count >= 0) made = repeated(made, column.repeat_count, width);
    column.made = made;
  }
  Given as_array;
  as_array.object = column.made;
  as_array.array = py::cast<py::array>(column.made);
  return read(as_array, name, type, width);
}

/// Sets the columns of `span` to the arrays: all of them, or those that are new.
template <int D, class T>
void place_columns(SceneSpan<D, T>& span, HeldColumns& held, bool all) {
  for_each_column(span, [&]<class U, int W>(std::string_view table, std::string_view field, bool,
                                            ColumnSpan<U, W>& column) {
    const std::string name = column_name(table, field);
    const auto found = held.find(name);
    if (found == held.end()) {
      column = {};
      return;
    }
    if (found->second.is_placed && !all) return;
    column = span_of<U, W>(rows_of(found->second, name, number_of<U>(), W));
    found->second.is_placed = true;
  });
}

/// Says of columns whether they are sizes.
template <int D>
void mark_sizes(HeldColumns& held) {
  const SceneSpan<D, Mixed> scene;
  for_each_column(scene, [&](std::string_view table, std::string_view field, bool,
                             const auto& column) {
    const auto found = held.find(column_name(table, field));
    if (found == held.end()) return;
    found->second.is_size = number_of_column(column) == Number::float32;
  });
}

/// As files: the widest positions and the widest sizes say it.
Precision precision_called_for(const SceneObject& scene, const HeldColumns& held) {
  if (scene.precision_given) return *scene.precision_given;
  bool has_wide_positions = false;
  bool has_wide_sizes = scene.geometries->are_wide();
  for (const auto& [name, column] : held) {
    if (!column.is_wide()) continue;
    (column.is_size ? has_wide_sizes : has_wide_positions) = true;
  }
  return has_wide_sizes ? Precision::wide
                        : has_wide_positions ? Precision::mixed : Precision::narrow;
}

Precision precision_now(const SceneObject& scene) {
  return std::visit([]<int D, class T>(const Scene<Borrowed<D, T>>&) { return precision_of<T>(); },
                    scene.columns);
}

AnyOf<SceneSpan> empty_columns(int dimension, Precision precision) {
  const auto of = [&]<int D>() -> AnyOf<SceneSpan> {
    if (precision == Precision::narrow) return SceneSpan<D, float>();
    if (precision == Precision::wide) return SceneSpan<D, double>();
    return SceneSpan<D, Mixed>();
  };
  return dimension == 2 ? of.template operator()<2>() : of.template operator()<3>();
}

/// A table of shapes, named after their kind, or the table "bodies".
struct TableObject {
  std::shared_ptr<SceneObject> scene;
  std::string_view table;

  std::vector<ColumnHandle> columns() const { return columns_of(*scene, table); }

  py::ssize_t rows() const {
    const auto found = scene->held.find(columns().front().name());
    return found == scene->held.end() ? 0 : static_cast<py::ssize_t>(py::len(rows_in(found->second)));
  }

  void set(const py::kwargs& given) {
    const std::vector<ColumnHandle> handles = columns();
    HeldColumns held = scene->held;
    for (const ColumnHandle& handle : handles) held.erase(handle.name());
    std::vector<const ColumnHandle*> all;
    py::ssize_t count = -1;
    std::string counted;
    for (const auto& [word, array] : given) {
      if (!is_given(array)) continue;
      const ColumnHandle& handle = find(handles, table, py::cast<std::string>(word));
      const std::string name = handle.name();
      HeldColumn& column = held[name];
      column.given = take(array, name, handle.type, handle.width);
      all.push_back(&handle);
      if (column.given.is_single) continue;
      const py::ssize_t rows = column.given.array.shape(0);
      if (count >= 0 && rows != count) {
        refuse(name, "has " + std::to_string(rows) + " rows; " + counted + " has " +
                         std::to_string(count));
      }
      count = rows;
      counted = name;
    }
    require(handles, all);
    for (const ColumnHandle* handle : all) {
      HeldColumn& column = held.at(handle->name());
      if (column.given.is_single) column.repeat_count = count < 0 ? 1 : count;
    }
    commit(*scene, std::move(held));
  }

  const ColumnHandle* find_handle(const std::vector<ColumnHandle>& handles,
                                  std::string_view field) const {
    for (const ColumnHandle& handle : handles) {
      if (handle.field == field) return &handle;
    }
    throw py::attribute_error(std::string(table) + " has no column " + std::string(field) +
                              "; there are " + names_of(handles));
  }

  py::object get(std::string_view field) const {
    const std::vector<ColumnHandle> handles = columns();
    const auto found = scene->held.find(find_handle(handles, field)->name());
    return found == scene->held.end() ? py::none() : found->second.object();
  }

  void assign(std::string_view field, const py::object& array) {
    const std::vector<ColumnHandle> handles = columns();
    const ColumnHandle& handle = find(handles, table, field);
    const std::string name = handle.name();
    HeldColumns held = scene->held;
    if (!is_given(array)) {
      if (!handle.is_optional) refuse(name, "is needed; set() without arguments empties a table");
      held.erase(name);
      commit(*scene, std::move(held));
      return;
    }
    HeldColumn column;
    column.given = take(array, name, handle.type, handle.width);
    const py::ssize_t given_rows = column.given.is_single ? 1 : column.given.array.shape(0);
    if (column.given.is_single && rows() > 0) {
      column.repeat_count = rows();
    } else if (given_rows != rows()) {
      refuse(name, "has " + std::to_string(given_rows) + " rows; the table has " +
                       std::to_string(rows()) +
                       ", and set() gives it columns of another length");
    }
    held.insert_or_assign(name, std::move(column));
    commit(*scene, std::move(held));
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
      if (scene->held.contains(handle.name())) {
        set.append(set.empty() ? "" : ", ").append(handle.field);
      }
    }
    return "<widephase.Table " + std::string(table) + ", " + std::to_string(rows()) + " rows" +
           (set.empty() ? "" : ": " + set) + ">";
  }

 private:
  static py::object rows_in(const HeldColumn& column) {
    return column.given.is_listed ? column.made : py::object(column.given.array);
  }

  /// Either every column that is not optional is given, or none at all.
  void require(const std::vector<ColumnHandle>& handles,
               const std::vector<const ColumnHandle*>& given) const {
    if (given.empty()) return;
    std::string needed;
    const ColumnHandle* missing = nullptr;
    for (const ColumnHandle& handle : handles) {
      if (handle.is_optional) continue;
      needed.append(needed.empty() ? "" : ", ").append(handle.field);
      const auto is_it = [&](const ColumnHandle* entry) { return entry == &handle; };
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
    if (column.given.is_single) column.repeat_count = 1;
    held.emplace(handle.name(), std::move(column));
  }
  commit(scene, std::move(held));
}

}  // namespace

bool HeldColumn::is_wide() const {
  const py::dtype type = given.array.dtype();
  return !given.is_listed && type.kind() == 'f' && type.itemsize() >= 8;
}

std::optional<Precision> precision_named(const py::object& word) {
  if (!is_given(word)) return {};
  std::string name;
  if (py::isinstance<py::str>(word)) {
    name = py::cast<std::string>(word);
  } else {
    try {
      name = py::cast<std::string>(
          py::str(py::module_::import("numpy").attr("dtype")(word).attr("name")));
    } catch (const py::error_already_set&) {
      name = py::cast<std::string>(py::repr(word));
    }
  }
  if (name == "float32" || name == "float") return Precision::narrow;
  if (name == "float64" || name == "double") return Precision::wide;
  if (name == "mixed") return Precision::mixed;
  refuse("precision", "is " + name + "; expected float32, float64 or mixed");
}

int SceneObject::dimension() const {
  return std::visit([]<int D, class T>(const Scene<Borrowed<D, T>>&) { return D; }, columns);
}

std::string_view SceneObject::precision() const {
  settle(*this);
  return std::visit(
      []<int D, class T>(const Scene<Borrowed<D, T>>&) -> std::string_view {
        return is_mixed<T> ? "mixed" : std::is_same_v<T, float> ? "float" : "double";
      },
      columns);
}

std::shared_ptr<SceneObject> make_scene(int dimension, std::optional<Precision> precision) {
  if (dimension != 2 && dimension != 3) {
    refuse("dimension", "is " + std::to_string(dimension) + "; expected 2 or 3");
  }
  auto scene = std::make_shared<SceneObject>();
  scene->precision_given = precision;
  scene->columns = empty_columns(dimension, precision.value_or(Precision::narrow));
  if (precision == Precision::wide) {
    scene->geometries = dimension == 2 ? make_geometries<2, double>() : make_geometries<3, double>();
  } else {
    scene->geometries = dimension == 2 ? make_geometries<2, float>() : make_geometries<3, float>();
  }
  return scene;
}

void commit(SceneObject& scene, HeldColumns held) {
  if (scene.dimension() == 2) mark_sizes<2>(held);
  if (scene.dimension() == 3) mark_sizes<3>(held);
  const Precision precision = precision_called_for(scene, held);
  const bool is_other = precision != precision_now(scene);
  AnyOf<SceneSpan> columns =
      is_other ? empty_columns(scene.dimension(), precision) : scene.columns;
  std::visit([&](auto& span) { place_columns(span, held, is_other); }, columns);
  scene.columns = columns;
  scene.held = std::move(held);
}

void settle(const SceneObject& scene) {
  const Precision precision = precision_called_for(scene, scene.held);
  const bool is_other = precision != precision_now(scene);
  bool is_converted = false;
  for (auto& [name, column] : scene.held) {
    if (column.buffer == nullptr) continue;
    column.is_placed = false;
    is_converted = true;
  }
  AnyOf<SceneSpan> columns =
      is_other ? empty_columns(scene.dimension(), precision) : scene.columns;
  std::visit(
      [&]<int D, class T>(Scene<Borrowed<D, T>>& span) {
        if (is_other || is_converted) place_columns(span, scene.held, is_other);
        span.domain = {};
        if (!scene.domain) return;
        for (std::size_t k = 0; k < static_cast<std::size_t>(D); ++k) {
          span.domain.min[k] = static_cast<PositionOf<T>>(scene.domain->min[k]);
          span.domain.max[k] = static_cast<PositionOf<T>>(scene.domain->max[k]);
          span.domain.periodic[k] = scene.domain->periodic[k];
        }
      },
      columns);
  scene.columns = columns;
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
            self.domain.reset();
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
