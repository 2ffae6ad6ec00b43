#pragma once

// What the libraries of a scene have in common that are columns of it: height fields and meshes.

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "tables.hpp"

namespace widephase::python {

struct LibraryObject {
  std::shared_ptr<SceneObject> scene;
  std::string_view table;

  static py::module_ numpy() { return py::module_::import("numpy"); }

  /// The columns of the scene's library.
  std::vector<ColumnHandle> columns() const { return columns_of(*scene, table); }

  /// What is held of a column.
  py::object get(std::string_view field) const {
    const auto found = scene->held.find(column_name(table, field));
    return found == scene->held.end() ? py::none() : found->second.object();
  }

  /// Replaces all columns by those given. `first` is the one that others need, and `words` says so.
  void set(const std::vector<std::pair<std::string_view, py::object>>& given,
           std::string_view first, const char* words) const {
    const std::vector<ColumnHandle> handles = columns();
    HeldColumns held = scene->held;
    for (const ColumnHandle& handle : handles) held.erase(handle.name());
    for (const auto& [word, array] : given) {
      if (!is_given(array)) continue;
      const ColumnHandle& handle = find(handles, table, word);
      HeldColumn& column = held[handle.name()];
      column.given = take(array, handle.name(), handle.type, handle.width);
      if (column.given.is_single) repeat_row(column, 1, handle.width);
    }
    for (const ColumnHandle& handle : handles) {
      const bool has_any = held.contains(column_name(table, first));
      if (handle.is_optional || held.contains(handle.name()) == has_any) continue;
      refuse(handle.name(), has_any ? std::string("is missing; ") + words
                                    : "is given without " + column_name(table, first));
    }
    commit(*scene, std::move(held));
  }

  /// A column with rows behind those it has, as an array of our own. Room for more grows by
  /// doubling, so that adding many costs what they are long.
  void append(HeldColumns& held, const ColumnHandle& handle, const py::object& rows) const {
    HeldColumn column;
    column.given = take(rows, handle.name(), handle.type, handle.width);
    const py::array made = converted(column.given.array, handle.name(), handle.type);
    const py::object known = get(handle.field);
    py::object digits = known;
    if (const auto found = held.find(handle.name()); found != held.end()) {
      column.grown_given = found->second.grown_given;
      column.grown_made = found->second.grown_made;
      if (found->second.given.is_listed) digits = found->second.given.array;
    }
    column.made = grow(column.grown_made, known, made);
    column.given.array = grow(column.grown_given, digits, column.given.array);
    column.given.object = column.given.array;
    column.given.is_listed = true;
    column.given.is_single = false;
    held.insert_or_assign(handle.name(), std::move(column));
  }

  /// `known` with `rows` behind, in `grown` if it is all that is used there and the room suffices.
  static py::array grow(std::shared_ptr<GrownArray>& grown, const py::object& known,
                        const py::array& rows) {
    const py::array before = known.is_none()
                                 ? py::array(rows.attr("__getitem__")(py::slice(0, 0, 1)))
                                 : py::cast<py::array>(known);
    const py::ssize_t count = before.shape(0), total = count + rows.shape(0);
    const bool fits = grown && before.data() == grown->rows.data() && count == grown->used &&
                      total <= grown->rows.shape(0) && before.dtype().equal(grown->rows.dtype());
    if (!fits) {
      py::list shape(before.attr("shape"));
      shape[0] = count == 0 ? total : 2 * total;
      grown = std::make_shared<GrownArray>();
      grown->rows = numpy().attr("empty")(py::tuple(shape), rows.dtype());
      grown->rows.attr("__setitem__")(py::slice(0, count, 1), before);
    }
    grown->rows.attr("__setitem__")(py::slice(count, total, 1), rows);
    grown->used = total;
    return grown->rows.attr("__getitem__")(py::slice(0, total, 1));
  }

  /// The rows that `offsets` get when something of `count` rows is added.
  py::object offsets_with(std::string_view field, std::int64_t count) const {
    const py::object known = get(field);
    const std::int64_t end =
        known.is_none() ? 0 : py::cast<std::int64_t>(known.attr("__getitem__")(-1));
    py::list rows;
    if (known.is_none()) rows.append(0);
    rows.append(end + count);
    return numpy().attr("array")(rows, "int64");
  }
};

}  // namespace widephase::python
