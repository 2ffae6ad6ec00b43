// Scene.heightfield_geometries: the samples that height fields name.

#include "heightfields.hpp"

#include <pybind11/stl.h>

#include <cmath>
#include <optional>

#include <widephase/heightfields.hpp>

#include "library_object.hpp"

namespace widephase::python {

namespace {

constexpr std::string_view kFieldTable = "heightfields";

struct FieldsObject : LibraryObject {
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
    LibraryObject::set({{"heights", heights},
                        {"offsets", offsets},
                        {"columns", in_a_row},
                        {"cell", cell},
                        {"neighbours", neighbours}},
                       "heights", "fields need heights, offsets, columns and cell");
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
        append(held, handle, offsets_with("offsets", static_cast<std::int64_t>(samples.size())));
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
  return py::cast(FieldsObject{{scene, kFieldTable}});
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
