// Scene.heightfield_geometries: the samples that height fields name.

#include "heightfields.hpp"

#include <pybind11/stl.h>

#include <cmath>
#include <optional>

#include <widephase/heightfields.hpp>

#include "tables.hpp"

namespace widephase::python {

namespace {

constexpr std::string_view kTable = "heightfields";

py::module_ numpy() { return py::module_::import("numpy"); }

/// The columns of the scene's library, and what is held of each.
struct FieldsObject {
  std::shared_ptr<SceneObject> scene;

  std::vector<ColumnHandle> columns() const { return columns_of(*scene, kTable); }

  py::object get(std::string_view field) const {
    const auto found = scene->held.find(column_name(kTable, field));
    return found == scene->held.end() ? py::none() : found->second.object();
  }
  std::size_t size() const {
    return std::visit(
        []<int D, class T>(const Scene<Borrowed<D, T>>& span) {
          if constexpr (D == 3) return span.heightfield_geometries.columns.size();
          return std::size_t{0};
        },
        scene->columns);
  }

  void set(const py::object& heights, const py::object& offsets, const py::object& in_a_row,
           const py::object& cell, const py::object& neighbours) const {
    const std::vector<ColumnHandle> handles = columns();
    HeldColumns held = scene->held;
    for (const ColumnHandle& handle : handles) held.erase(handle.name());
    const std::pair<std::string_view, const py::object&> given[] = {{"heights", heights},
                                                                    {"offsets", offsets},
                                                                    {"columns", in_a_row},
                                                                    {"cell", cell},
                                                                    {"neighbours", neighbours}};
    for (const auto& [word, array] : given) {
      if (!is_given(array)) continue;
      const ColumnHandle& handle = find(handles, kTable, word);
      HeldColumn& column = held[handle.name()];
      column.given = take(array, handle.name(), handle.type, handle.width);
      if (column.given.is_single) repeat_row(column, 1, handle.width);
    }
    for (const ColumnHandle& handle : handles) {
      const bool has_any = held.contains(column_name(kTable, "heights"));
      if (handle.is_optional || held.contains(handle.name()) == has_any) continue;
      refuse(handle.name(), has_any ? "is missing; fields need heights, offsets, columns and cell"
                                    : "is given without heightfields.heights");
    }
    commit(*scene, std::move(held));
  }

  /// A column with rows behind those it has, as an array of our own.
  void append(HeldColumns& held, const ColumnHandle& handle, const py::object& rows) const {
    py::object all = rows;
    const py::object known = get(handle.field);
    if (!known.is_none()) {
      all = numpy().attr("concatenate")(py::make_tuple(known, rows));
    }
    HeldColumn column;
    column.given = take(all, handle.name(), handle.type, handle.width);
    column.given.is_listed = true;
    column.given.is_single = false;
    held.insert_or_assign(handle.name(), std::move(column));
  }

  std::int32_t add(const py::object& heights, const py::object& cell) const {
    const py::array samples = py::array::ensure(heights);
    if (!samples || samples.ndim() != 2) {
      refuse("heights", "is not an array of rows; it must be (rows, columns), NaN for holes");
    }
    const auto number = static_cast<std::int32_t>(size());
    const py::object sizes = numpy().attr("broadcast_to")(
        numpy().attr("asarray")(cell, py::arg("dtype") = "float64"), py::make_tuple(1, 2));
    const py::object flat = samples.attr("astype")("float64").attr("reshape")(-1);
    {
      // What is wrong is told before anything changes.
      const auto values = py::array_t<double, py::array::c_style | py::array::forcecast>(flat);
      const auto sides = py::array_t<double, py::array::c_style | py::array::forcecast>(sizes);
      HeightfieldTable<Owned<3, double>> alone;
      add_heightfield(alone,
                      ColumnSpan<double>(std::span<const double>(
                          values.data(), static_cast<std::size_t>(values.size()))),
                      static_cast<std::int32_t>(samples.shape(1)), sides.at(0, 0), sides.at(0, 1));
    }
    HeldColumns held = scene->held;
    for (const ColumnHandle& handle : columns()) {
      if (handle.field == "heights") append(held, handle, flat);
      if (handle.field == "cell") append(held, handle, sizes);
      if (handle.field == "columns") {
        append(held, handle, numpy().attr("array")(py::make_tuple(samples.shape(1)), "int32"));
      }
      if (handle.field == "offsets") {
        const py::object known = get("offsets");
        const std::int64_t end =
            known.is_none() ? 0 : py::cast<std::int64_t>(known.attr("__getitem__")(-1));
        py::list rows;
        if (known.is_none()) rows.append(0);
        rows.append(end + static_cast<std::int64_t>(samples.size()));
        append(held, handle, numpy().attr("array")(rows, "int64"));
      }
      if (handle.field == "neighbours" && !get("neighbours").is_none()) {
        append(held, handle, numpy().attr("full")(py::make_tuple(1, 4), -1, "int32"));
      }
    }
    commit(*scene, std::move(held));
    return number;
  }

  py::array triangle(std::int32_t index, std::int32_t number) const {
    settle(*scene);
    return std::visit(
        [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) -> py::array {
          if constexpr (D == 2) {
            refuse("heightfields", "are in 3D alone");
          } else {
            const auto found = heightfield_triangle(span.heightfield_geometries, index, number);
            py::array_t<SizeOf<T>> vertices({3, 3});
            for (int v = 0; v < 3; ++v) {
              for (int k = 0; k < 3; ++k) vertices.mutable_at(v, k) = found.vertices[v][k];
            }
            return std::move(vertices);
          }
        },
        scene->columns);
  }
};

}  // namespace

py::object heightfields_of(const std::shared_ptr<SceneObject>& scene) {
  if (scene->dimension() == 2) {
    throw py::attribute_error("a 2D scene has no heightfield_geometries");
  }
  return py::cast(FieldsObject{scene});
}

void bind_heightfields(py::module_& module) {
  py::class_<FieldsObject> fields(
      module, "HeightfieldGeometries",
      "The samples that Scene.heightfields name by index, as in scene files.\n\n"
      "Field f has the heights offsets[f] to offsets[f + 1] - 1, row by row. Arrays are read anew\n"
      "by each call, as those of a Table are.");
  fields
      .def("set", &FieldsObject::set, py::kw_only(), py::arg("heights") = py::none(),
           py::arg("offsets") = py::none(), py::arg("columns") = py::none(),
           py::arg("cell") = py::none(), py::arg("neighbours") = py::none(),
           "Gives the scene these fields instead of those it has, `neighbours` if there are any;\n"
           "set() takes all fields away. On an error nothing changes.")
      .def("add", &FieldsObject::add, py::arg("heights"), py::arg("cell"),
           "Appends a field of heights (rows, columns), NaN for holes, with a cell of one size or\n"
           "(x, y), in the scene's unit of length. Returns its index. The heights are copied.")
      .def("triangle", &FieldsObject::triangle, py::arg("index"), py::arg("triangle"),
           "(3, 3): the vertices in the frame of field `index` of a triangle that `part` names.")
      .def("__len__", &FieldsObject::size)
      .def("__repr__", [](const FieldsObject& self) {
        return "<widephase.HeightfieldGeometries, " + std::to_string(self.size()) + " fields>";
      });
  const auto column = [&](const char* field, const char* text) {
    fields.def_property_readonly(
        field, [field](const FieldsObject& self) { return self.get(field); }, text);
  };
  column("heights", "(h,) heights of all fields, in the scene's unit of length; NaN: a hole.");
  column("offsets", "(f + 1,) int64: where the heights of each field begin, and the last ends.");
  column("columns", "(f,) int32: samples in a row of each field.");
  column("cell", "(f, 2) lengths from a sample to the next along x and y.");
  column("neighbours",
         "(f, 4) int32 or None: fields beyond the borders at -x, +x, -y and +y, -1 for none.");
}

}  // namespace widephase::python
