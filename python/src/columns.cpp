// Columns of a scene: the arrays that were given, read in place or converted for every call.

#include "tables.hpp"

namespace widephase::python {

namespace {

template <class T, int W>
Number number_of_column(const ColumnSpan<T, W>&) {
  return number_of<T>();
}

template <class T, int W>
constexpr int width_of_column(const ColumnSpan<T, W>&) {
  return W;
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
    py::array made = converted(column.listed_numbers(), name, type);
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
  for_each_column(scene,
                  [&](std::string_view table, std::string_view field, bool, const auto& column) {
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
  return has_wide_sizes       ? Precision::wide
         : has_wide_positions ? Precision::mixed
                              : Precision::narrow;
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

}  // namespace

void repeat_row(HeldColumn& column, py::ssize_t count, int width) {
  if (count != 1) {
    column.repeat_count = count;
    return;
  }
  // One row is an array that may be written.
  column.given.array = py::cast<py::array>(repeated(column.given.array, 1, width).attr("copy")());
  column.given.is_single = false;
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

bool HeldColumn::is_wide() const {
  const py::dtype type = given.array.dtype();
  return !given.is_listed && type.kind() == 'f' && type.itemsize() >= 8;
}

py::array HeldColumn::listed_numbers() const {
  if (!made || repeat_count >= 0) return given.array;
  const auto now = py::cast<py::array>(made);
  const py::object same = py::module_::import("numpy").attr("array_equal")(
      now, given.array.attr("astype")(now.dtype()), true);
  return py::cast<bool>(same) ? given.array : now;
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

std::shared_ptr<SceneObject> make_scene(int dimension, std::optional<Precision> precision) {
  if (dimension != 2 && dimension != 3) {
    refuse("dimension", "is " + std::to_string(dimension) + "; expected 2 or 3");
  }
  auto scene = std::make_shared<SceneObject>();
  scene->precision_given = precision;
  scene->columns = empty_columns(dimension, precision.value_or(Precision::narrow));
  if (precision == Precision::wide) {
    scene->geometries =
        dimension == 2 ? make_geometries<2, double>() : make_geometries<3, double>();
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
  AnyOf<SceneSpan> columns = is_other ? empty_columns(scene.dimension(), precision) : scene.columns;
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
  AnyOf<SceneSpan> columns = is_other ? empty_columns(scene.dimension(), precision) : scene.columns;
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

}  // namespace widephase::python
