// widephase.Table and Rows: columns by name, and parts of them by rows.

#include "tables.hpp"

#include <pybind11/stl.h>

#include <algorithm>

namespace widephase::python {

namespace {

py::object rows_in(const HeldColumn& column) {
  return column.given.is_listed ? column.made : py::object(column.given.array);
}

/// Either every column that is not optional is given, or none at all.
void require(std::string_view table, const std::vector<ColumnHandle>& handles,
             const std::vector<const ColumnHandle*>& given) {
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
    {"geometry", "(n,) int32: indices into geometries, heightfield_, mesh_ or chain_geometries"},
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
    if (table.empty() || table == "heightfields" || table == "meshes" ||
        table == "chains") return;
    if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
  });
}

/// Some rows of a table, by whatever NumPy takes as an index.
struct RowsObject {
  TableObject table;
  py::object index;
  py::array places;  ///< their numbers, (n,), or () for one row

  bool is_one() const { return places.ndim() == 0; }

  py::object get(std::string_view field) const {
    const py::object given = table.get(field);
    if (given.is_none()) return given;
    if (!py::isinstance<Wxyz>(given)) return given.attr("__getitem__")(index);
    const py::object rows = given.cast<const Wxyz&>().rows.attr("__getitem__")(index);
    return py::cast(Wxyz{py::cast<py::array>(rows)});
  }

  void set(const py::kwargs& given) const {
    const std::vector<ColumnHandle> handles = table.columns();
    HeldColumns held = table.scene->held;
    std::vector<std::pair<std::string, py::object>> values;
    for (const auto& [word, value] : given) {
      const ColumnHandle& handle = find(handles, table.table, py::cast<std::string>(word));
      make_writable(held, handle);
      values.emplace_back(handle.name(), value_of(value, handle, held.at(handle.name())));
    }
    commit(*table.scene, std::move(held));
    for (const auto& [name, value] : values) {
      rows_in(table.scene->held.at(name)).attr("__setitem__")(index, value);
    }
  }

 private:
  /// The column as an array of its own where it stands for a default or one row for all.
  void make_writable(HeldColumns& held, const ColumnHandle& handle) const {
    const std::string name = handle.name();
    const auto found = held.find(name);
    if (found != held.end() && found->second.repeat_count < 0) {
      if (py::cast<bool>(rows_in(found->second).attr("flags").attr("writeable"))) return;
      refuse(name, "is an array that must not be written");
    }
    HeldColumn column;
    column.given.array = py::cast<py::array>(found != held.end() ? found->second.made.attr("copy")()
                                                                 : defaults(handle));
    column.given.object = column.made = column.given.array;
    column.given.is_listed = true;
    held.insert_or_assign(name, std::move(column));
  }

  py::object defaults(const ColumnHandle& handle) const {
    const py::module_ numpy = py::module_::import("numpy");
    const std::string type(name_of(handle.type));
    if (handle.field == "key") {
      const std::int64_t first = table.first_id();
      return numpy.attr("arange")(first, first + table.rows(), py::arg("dtype") = type);
    }
    py::object row = py::cast(0);
    if (handle.field == "category") row = py::cast(1);
    if (handle.field == "mask") row = py::cast(0xFFFFFFFFU);
    if (handle.field == "owner" || handle.field == "body") row = py::cast(-1);
    if (handle.field == "orientation") row = py::make_tuple(0, 0, 0, 1);
    if (!handle.is_optional) refuse(handle.name(), "has no rows; set() gives the table some");
    py::object shape = py::make_tuple(table.rows());
    if (handle.width > 1) shape = py::make_tuple(table.rows(), handle.width);
    return numpy.attr("full")(shape, row, py::arg("dtype") = type);
  }

  /// The value as an array that NumPy can write into the rows of the column.
  py::object value_of(py::handle given, const ColumnHandle& handle,
                      const HeldColumn& column) const {
    const std::string name = handle.name();
    py::object value = py::reinterpret_borrow<py::object>(given);
    // One row of an array stands for all, as that of a list does.
    if (py::isinstance<py::array>(value) &&
        py::reinterpret_borrow<py::array>(value).ndim() == (handle.width == 1 ? 0 : 1)) {
      value = value.attr("tolist")();
    }
    const Given taken = take(value, name, handle.type, handle.width);
    const py::ssize_t rows = is_one() ? 1 : places.shape(0);
    if (!taken.is_single && taken.array.shape(0) != rows) {
      refuse(name, "has " + std::to_string(taken.array.shape(0)) +
                       " rows; the part of the table has " + std::to_string(rows));
    }
    const py::dtype type = py::cast<py::array>(rows_in(column)).dtype();
    const bool is_wide = handle.is_real() && type.itemsize() == 8;
    py::array array = converted(taken.array, name, is_wide ? Number::float64 : handle.type);
    if (taken.is_single && (array.size() == 1)) return array.attr("reshape")(py::make_tuple());
    if (taken.is_single || is_one())
      array = py::cast<py::array>(array.attr("reshape")(handle.width));
    const bool is_kept_wxyz = py::isinstance<Wxyz>(column.object());
    if (taken.is_wxyz != is_kept_wxyz) {
      const int shift = is_kept_wxyz ? 1 : -1;
      return py::module_::import("numpy").attr("roll")(array, shift, py::arg("axis") = -1);
    }
    return array;
  }
};

RowsObject rows_of_table(const TableObject& table, const py::object& index) {
  const py::object all = py::module_::import("numpy").attr("arange")(table.rows());
  // Whoever is out of range is told so here.
  const py::object places = all.attr("__getitem__")(index);
  return {table, index, py::array::ensure(places)};
}

}  // namespace

py::ssize_t TableObject::rows() const {
  const auto found = scene->held.find(columns().front().name());
  return found == scene->held.end() ? 0 : static_cast<py::ssize_t>(py::len(rows_in(found->second)));
}

void TableObject::set(const py::kwargs& given) {
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
      refuse(name,
             "has " + std::to_string(rows) + " rows; " + counted + " has " + std::to_string(count));
    }
    count = rows;
    counted = name;
  }
  require(table, handles, all);
  for (const ColumnHandle* handle : all) {
    HeldColumn& column = held.at(handle->name());
    if (column.given.is_single) repeat_row(column, count < 0 ? 1 : count, handle->width);
  }
  commit(*scene, std::move(held));
}

ColumnHandle TableObject::column(std::string_view field) const {
  const std::vector<ColumnHandle> handles = columns();
  for (const ColumnHandle& handle : handles) {
    if (handle.field == field) return handle;
  }
  throw py::attribute_error(std::string(table) + " has no column " + std::string(field) +
                            "; there are " + names_of(handles));
}

py::object TableObject::get(std::string_view field) const {
  const auto found = scene->held.find(column(field).name());
  return found == scene->held.end() ? py::none() : found->second.object();
}

void TableObject::assign(std::string_view field, const py::object& array) {
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
    repeat_row(column, rows(), handle.width);
  } else if (given_rows != rows()) {
    refuse(name, "has " + std::to_string(given_rows) + " rows; the table has " +
                     std::to_string(rows()) + ", and set() gives it columns of another length");
  }
  held.insert_or_assign(name, std::move(column));
  commit(*scene, std::move(held));
}

std::vector<std::string> TableObject::names() const {
  std::vector<std::string> names;
  for (const ColumnHandle& handle : columns()) names.emplace_back(handle.field);
  return names;
}

std::int32_t TableObject::first_id() const {
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

std::string TableObject::text() const {
  std::string set;
  for (const ColumnHandle& handle : columns()) {
    if (scene->held.contains(handle.name())) {
      set.append(set.empty() ? "" : ", ").append(handle.field);
    }
  }
  return "<widephase.Table " + std::string(table) + ", " + std::to_string(rows()) + " rows" +
         (set.empty() ? "" : ": " + set) + ">";
}

void bind_tables(py::module_& module) {
  py::class_<Wxyz>(module, "wxyz",
                   "Quaternions in the order w x y z for a column `orientation`, read in place:\n"
                   "wxyz(array), of shape (n, 4).")
      .def(py::init([](const py::array& rows) { return Wxyz{rows}; }), py::arg("rows"))
      .def_readonly("rows", &Wxyz::rows, "The array, (n, 4).")
      .def(py::pickle([](const Wxyz& self) { return py::make_tuple(self.rows); },
                      [](const py::tuple& state) { return Wxyz{py::cast<py::array>(state[0])}; }));

  py::class_<TableObject> table(
      module, "Table",
      "Columns of one kind of shape, or of bodies; a row is a shape.\n\n"
      "Calls read NumPy arrays anew each time: what is written to them later is in the scene.\n"
      "Those of the column's type are read in place, others are converted by every call. Lists\n"
      "and scalars are copied, and one row or number stands for all. table[rows] is a part of it.\n"
      "Numbers are checked by the calls that read them.");
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

  py::class_<RowsObject> part(
      module, "Rows",
      "Some rows of a Table: table[2:5], table[7], table[numbers], table[is_chosen].\n\n"
      "A column of it is that part of the table's column, for slices a view of it. Assigning a\n"
      "column, or set, writes into the table's arrays, yours too. A column that was not given\n"
      "becomes an array of defaults first.");
  part.def("set", &RowsObject::set,
           "set(**columns): writes these columns of the rows. Others stay. On an error nothing\n"
           "changes.")
      .def("__len__",
           [](const RowsObject& self) {
             if (self.is_one()) throw py::type_error("one row has no length");
             return self.places.shape(0);
           })
      .def("__repr__",
           [](const RowsObject& self) {
             const py::ssize_t count = self.is_one() ? 1 : self.places.shape(0);
             return "<widephase.Rows, " + std::to_string(count) + " of " + self.table.text() + ">";
           })
      .def_property_readonly(
          "ids",
          [](const RowsObject& self) {
            return self.places.attr("__add__")(self.table.first_id()).attr("astype")("int32");
          },
          "(n,) int32: the ids of the shapes.");
  for (const std::string_view field : fields) {
    part.def_property(
        std::string(field).c_str(), [field](const RowsObject& self) { return self.get(field); },
        [field](const RowsObject& self, const py::object& value) {
          py::kwargs given;
          given[py::str(std::string(field))] = value;
          self.set(given);
        },
        text_of(field));
  }
  table.def("__getitem__", &rows_of_table, py::arg("index"),
            "Rows: a part of the table, by a number, a slice, numbers or truth values.");
}

}  // namespace widephase::python
