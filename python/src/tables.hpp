#pragma once

// Tables of columns by name, and their rows.

#include <string>
#include <string_view>
#include <vector>

#include "scene.hpp"

namespace widephase::python {

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

/// The columns of a table; "" has the scene's lists of what is excluded.
std::vector<ColumnHandle> columns_of(const SceneObject& scene, std::string_view table);

/// "center, radius".
std::string names_of(const std::vector<ColumnHandle>& handles);

/// The column of that name; throws `Error` if there is none.
const ColumnHandle& find(const std::vector<ColumnHandle>& handles, std::string_view table,
                         std::string_view field);

/// Lets a single row of a list stand for `count` rows.
void repeat_row(HeldColumn& column, py::ssize_t count, int width);

/// A table of shapes, named after their kind, or the table "bodies".
struct TableObject {
  std::shared_ptr<SceneObject> scene;
  std::string_view table;

  std::vector<ColumnHandle> columns() const { return columns_of(*scene, table); }
  /// Throws AttributeError for a column that the table has not.
  ColumnHandle column(std::string_view field) const;
  py::ssize_t rows() const;
  void set(const py::kwargs& given);
  py::object get(std::string_view field) const;
  void assign(std::string_view field, const py::object& array);
  std::vector<std::string> names() const;
  std::int32_t first_id() const;
  std::string text() const;
};

void bind_tables(py::module_& module);

}  // namespace widephase::python
