// Scene.mesh_geometries: the triangles that meshes name.

#include "meshes.hpp"

#include <pybind11/stl.h>

#include <widephase/meshes.hpp>

#include "library_object.hpp"

namespace widephase::python {

namespace {

constexpr std::string_view kMeshTable = "meshes";

struct MeshesObject : LibraryObject {
  std::size_t size() const {
    return std::visit(
        []<int D, class T>(const Scene<Borrowed<D, T>>& span) {
          std::size_t offsets = 0;
          if constexpr (D == 3) offsets = span.mesh_geometries.vertex_offsets.size();
          return offsets == 0 ? std::size_t{0} : offsets - 1;
        },
        scene->columns);
  }

  void set(const py::object& vertices, const py::object& vertex_offsets, const py::object& indices,
           const py::object& triangle_offsets, const py::object& two_sided,
           const py::object& beyond) const {
    LibraryObject::set({{"vertices", vertices},
                        {"vertex_offsets", vertex_offsets},
                        {"indices", indices},
                        {"triangle_offsets", triangle_offsets},
                        {"two_sided", two_sided},
                        {"beyond", beyond}},
                       "vertices",
                       "meshes need vertices, vertex_offsets, indices and triangle_offsets");
  }

  std::int32_t add(const py::object& vertices, const py::object& indices, bool two_sided,
                   std::int32_t beyond) const {
    using Vertices = py::array_t<double, py::array::c_style | py::array::forcecast>;
    using Indices = py::array_t<std::int32_t, py::array::c_style>;
    const Vertices points = Vertices::ensure(vertices);
    if (!points || points.ndim() != 2 || points.shape(1) != 3) {
      PyErr_Clear();
      refuse("vertices", "is not an array (v, 3) of numbers");
    }
    const py::array given = py::array::ensure(indices);
    if (!given || given.ndim() != 2 || given.shape(1) != 3 ||
        (given.dtype().kind() != 'i' && given.dtype().kind() != 'u')) {
      PyErr_Clear();
      refuse("indices", "is not an array (t, 3) of integers");
    }
    const py::object wide = given.attr("astype")("int64");
    if (given.size() != 0 && (py::cast<std::int64_t>(wide.attr("max")()) > INT32_MAX ||
                              py::cast<std::int64_t>(wide.attr("min")()) < INT32_MIN)) {
      refuse("indices", "has numbers beyond int32");
    }
    const Indices triangles = Indices::ensure(wide.attr("astype")("int32"));
    {
      // What is wrong is told before anything changes.
      MeshTable<Owned<3, double>> alone;
      add_mesh(alone,
               ColumnSpan<double, 3>::interleaved(points.data(),
                                                  static_cast<std::size_t>(points.shape(0))),
               ColumnSpan<std::int32_t, 3>::interleaved(
                   triangles.data(), static_cast<std::size_t>(triangles.shape(0))),
               false, beyond);
    }
    const std::size_t number = size();
    HeldColumns held = scene->held;
    for (const ColumnHandle& handle : columns()) {
      if (handle.field == "vertices") append(held, handle, points);
      if (handle.field == "indices") append(held, handle, triangles);
      if (handle.field == "vertex_offsets") {
        append(held, handle, offsets_with(handle.field, points.shape(0)));
      }
      if (handle.field == "triangle_offsets") {
        append(held, handle, offsets_with(handle.field, triangles.shape(0)));
      }
      // Meshes before have 0 if nothing was said.
      const auto append_last = [&](const char* field, std::int32_t last, const char* type) {
        if (handle.field != field) return;
        const bool has_any = !get(field).is_none();
        if (last == 0 && !has_any) return;
        py::object rows = numpy().attr("zeros")(has_any ? 1 : number + 1, type);
        rows.attr("__setitem__")(-1, last);
        append(held, handle, rows);
      };
      append_last("two_sided", two_sided ? 1 : 0, "uint8");
      append_last("beyond", beyond, "int32");
    }
    commit(*scene, std::move(held));
    return static_cast<std::int32_t>(number);
  }

  py::dict summary(std::int32_t index) const {
    settle(*scene);
    return std::visit(
        [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) -> py::dict {
          py::dict counts;
          if constexpr (D == 3) {
            const MeshSummary found = mesh_summary(span.mesh_geometries, index);
            counts["triangles"] = found.triangles;
            counts["beyond"] = found.beyond;
            counts["vertices"] = found.vertices;
            counts["borders"] = found.borders;
            counts["flips"] = found.flips;
            counts["duplicates"] = found.duplicates;
            counts["without_area"] = found.without_area;
          }
          return counts;
        },
        scene->columns);
  }
};

}  // namespace

py::object meshes_of(const std::shared_ptr<SceneObject>& scene) {
  if (scene->dimension() == 2) throw py::attribute_error("a 2D scene has no mesh_geometries");
  return py::cast(MeshesObject{{scene, kMeshTable}});
}

void bind_meshes(py::module_& module) {
  py::class_<MeshesObject> meshes(
      module, "MeshGeometries",
      "The triangles that Scene.meshes name by index, as in scene files.\n\n"
      "Mesh m has the vertices vertex_offsets[m] to vertex_offsets[m + 1] - 1 and the triangles\n"
      "triangle_offsets[m] to triangle_offsets[m + 1] - 1. Arrays are read anew by each call, as\n"
      "those of a Table are.");
  meshes
      .def("set", &MeshesObject::set, py::kw_only(), py::arg("vertices") = py::none(),
           py::arg("vertex_offsets") = py::none(), py::arg("indices") = py::none(),
           py::arg("triangle_offsets") = py::none(), py::arg("two_sided") = py::none(),
           py::arg("beyond") = py::none(),
           "Gives the scene these meshes instead of those it has; set() takes all away. On an\n"
           "error nothing changes.")
      .def(
          "add", &MeshesObject::add, py::arg("vertices"), py::arg("indices"),
          py::arg("two_sided") = false, py::arg("beyond") = 0,
          "Appends a mesh of vertices (v, 3) and triangles (t, 3), counter-clockwise as seen from\n"
          "the front; the last `beyond` are neighbours'. Returns its index. The arrays are copied.")
      .def("summary", &MeshesObject::summary, py::arg("index"),
           "Counts of triangles, those beyond, vertices, borders, flips, duplicates and triangles\n"
           "without area.")
      .def("__len__", &MeshesObject::size)
      .def("__repr__", [](const MeshesObject& self) {
        return "<widephase.MeshGeometries, " + std::to_string(self.size()) + " meshes>";
      });
  const auto column = [&](const char* field, const char* text) {
    meshes.def_property_readonly(
        field, [field](const MeshesObject& self) { return self.get(field); }, text);
  };
  column("vertices", "(v, 3) vertices of all meshes, in the scene's unit of length.");
  column("vertex_offsets", "(m + 1,) int64: where the vertices of each mesh begin, and the end.");
  column("indices", "(t, 3) int32: vertices of each triangle, counted within its mesh.");
  column("triangle_offsets",
         "(m + 1,) int64: where the triangles of each mesh begin, and the end.");
  column("two_sided", "(m,) uint8 or None: whether shapes behind a triangle meet it too.");
  column("beyond", "(m,) int32 or None: how many of the last triangles are neighbours'.");
}

}  // namespace widephase::python
