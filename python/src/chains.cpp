// Scene.chain_geometries: the vertices that chains name.

#include "chains.hpp"

#include <pybind11/stl.h>

#include <widephase/chains.hpp>

#include "library_object.hpp"

namespace widephase::python {

namespace {

constexpr std::string_view kChainTable = "chains";

struct ChainsObject : LibraryObject {
  std::size_t size() const {
    return std::visit(
        []<int D, class T>(const Scene<Borrowed<D, T>>& span) {
          std::size_t offsets = 0;
          if constexpr (D == 2) offsets = span.chain_geometries.offsets.size();
          return offsets == 0 ? std::size_t{0} : offsets - 1;
        },
        scene->columns);
  }

  void set(const py::object& vertices, const py::object& offsets, const py::object& loop,
           const py::object& two_sided, const py::object& before, const py::object& after) const {
    LibraryObject::set({{"vertices", vertices},
                        {"offsets", offsets},
                        {"loop", loop},
                        {"two_sided", two_sided},
                        {"before", before},
                        {"after", after}},
                       "vertices", "chains need vertices and offsets");
  }

  std::int32_t add(const py::object& vertices, bool loop, bool two_sided, std::int32_t before,
                   std::int32_t after) const {
    using Vertices = py::array_t<double, py::array::c_style | py::array::forcecast>;
    const Vertices points = Vertices::ensure(vertices);
    if (!points || points.ndim() != 2 || points.shape(1) != 2) {
      PyErr_Clear();
      refuse("vertices", "is not an array (v, 2) of numbers");
    }
    {
      // What is wrong is told before anything changes.
      ChainTable<Owned<2, double>> alone;
      add_chain(alone,
                ColumnSpan<double, 2>::interleaved(points.data(),
                                                   static_cast<std::size_t>(points.shape(0))),
                {loop, two_sided, before, after});
    }
    const std::size_t number = size();
    HeldColumns held = scene->held;
    for (const ColumnHandle& handle : columns()) {
      if (handle.field == "vertices") append(held, handle, points);
      if (handle.field == "offsets") {
        append(held, handle, offsets_with(handle.field, points.shape(0)));
      }
      // Chains before have 0 if nothing was said.
      const auto append_last = [&](const char* field, std::int32_t last, const char* type) {
        if (handle.field != field) return;
        const bool has_any = !get(field).is_none();
        if (last == 0 && !has_any) return;
        py::object rows = numpy().attr("zeros")(has_any ? 1 : number + 1, type);
        rows.attr("__setitem__")(-1, last);
        append(held, handle, rows);
      };
      append_last("loop", loop ? 1 : 0, "uint8");
      append_last("two_sided", two_sided ? 1 : 0, "uint8");
      append_last("before", before, "int32");
      append_last("after", after, "int32");
    }
    commit(*scene, std::move(held));
    return static_cast<std::int32_t>(number);
  }
};

}  // namespace

py::object chains_of(const std::shared_ptr<SceneObject>& scene) {
  if (scene->dimension() == 3) throw py::attribute_error("a 3D scene has no chain_geometries");
  return py::cast(ChainsObject{{scene, kChainTable}});
}

void bind_chains(py::module_& module) {
  py::class_<ChainsObject> chains(
      module, "ChainGeometries",
      "The vertices that Scene.chains name by index, as in scene files.\n\n"
      "Chain c has the vertices offsets[c] to offsets[c + 1] - 1. Arrays are read anew by each\n"
      "call, as those of a Table are.");
  chains
      .def("set", &ChainsObject::set, py::kw_only(), py::arg("vertices") = py::none(),
           py::arg("offsets") = py::none(), py::arg("loop") = py::none(),
           py::arg("two_sided") = py::none(), py::arg("before") = py::none(),
           py::arg("after") = py::none(),
           "Gives the scene these chains instead of those it has; set() takes all away. On an\n"
           "error nothing changes.")
      .def(
          "add", &ChainsObject::add, py::arg("vertices"), py::arg("loop") = false,
          py::arg("two_sided") = false, py::arg("before") = 0, py::arg("after") = 0,
          "Appends a chain of vertices (v, 2), its front to the right. The first `before` and the\n"
          "last `after` segments are neighbours'. Returns its index. The array is copied.")
      .def("__len__", &ChainsObject::size)
      .def("__repr__", [](const ChainsObject& self) {
        return "<widephase.ChainGeometries, " + std::to_string(self.size()) + " chains>";
      });
  const auto column = [&](const char* field, const char* text) {
    chains.def_property_readonly(
        field, [field](const ChainsObject& self) { return self.get(field); }, text);
  };
  column("vertices", "(v, 2) vertices of all chains, in the scene's unit of length.");
  column("offsets", "(c + 1,) int64: where the vertices of each chain begin, and the end.");
  column("loop", "(c,) uint8 or None: whether the last vertex is joined to the first.");
  column("two_sided", "(c,) uint8 or None: whether shapes behind a segment meet it too.");
  column("before", "(c,) int32 or None: how many of the first segments are a neighbour's.");
  column("after", "(c,) int32 or None: how many of the last segments are a neighbour's.");
}

}  // namespace widephase::python
