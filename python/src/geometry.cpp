// widephase.Geometries, hulls and polygons, and concave outlines.

#include "scene.hpp"

#include <pybind11/stl.h>

#include <widephase/decompose.hpp>
#include <widephase/hulls.hpp>
#include <widephase/polygons.hpp>

namespace widephase::python {

namespace {

/// Takes the table out of the object while a call changes it without the interpreter's lock. If
/// others use the table, the call changes a copy.
template <int D, class T>
class TableLease {
 public:
  explicit TableLease(GeometriesObject& geometries)
      : geometries_(geometries), table_(geometries.shared<D, T>()) {
    std::get<SharedGeometries<D, T>>(geometries_.table).reset();
    geometries_.widened.reset();
    if (table_.use_count() == 1) return;
    const SharedGeometries<D, T> shared = table_;
    try {
      table_ = std::make_shared<GeometryTable<Owned<D, T>>>(*shared);
    } catch (...) {
      geometries_.table = shared;
      throw;
    }
  }
  ~TableLease() { geometries_.table = table_; }
  TableLease(const TableLease&) = delete;
  TableLease& operator=(const TableLease&) = delete;

  GeometryTable<Owned<D, T>>& table() { return *table_; }

 private:
  GeometriesObject& geometries_;
  SharedGeometries<D, T> table_;
};

/// Calls `change(table)` without the interpreter's lock.
template <class Change>
auto change(GeometriesObject& geometries, const Change& change) {
  return std::visit(
      [&]<int D, class T>(const SharedGeometries<D, T>&) {
        TableLease<D, T> lease(geometries);
        py::gil_scoped_release released;
        return change(lease.table());
      },
      geometries.table);
}

[[noreturn]] void refuse_dimension(std::string_view what, int dimension) {
  refuse("geometries",
         "are not of " + std::to_string(dimension) + "D; " + std::string(what) + " needs those");
}

/// The same for geometries of one dimension; the error names `what`, which needs it.
template <int D, class Change>
auto change_of(GeometriesObject& geometries, std::string_view what, const Change& wanted) {
  using Answer = decltype(wanted(std::declval<GeometryTable<Owned<D, float>>&>()));
  return change(geometries, [&]<int E, class T>(GeometryTable<Owned<E, T>>& table) -> Answer {
    if constexpr (E == D) return wanted(table);
    refuse_dimension(what, D);
  });
}

/// Calls `look(table)`, which only reads the table.
template <class Look>
auto look(const GeometriesObject& geometries, const Look& look) {
  return std::visit([&]<int D, class T>(
                        const SharedGeometries<D, T>&) { return look(geometries.shared<D, T>()); },
                    geometries.table);
}

std::int32_t add_points(GeometriesObject& geometries, const py::object& points) {
  return std::visit(
      [&]<int D, class T>(const SharedGeometries<D, T>&) {
        const Rows rows = borrow(points, "points", number_of<T>(), D);
        TableLease<D, T> lease(geometries);
        py::gil_scoped_release released;
        if constexpr (D == 2) return add_polygon(lease.table(), span_of<T, D>(rows));
        if constexpr (D == 3) return add_hull(lease.table(), span_of<T, D>(rows));
      },
      geometries.table);
}

template <class T>
py::tuple enclosing(GeometriesObject& geometries, const py::object& points, int max_vertices) {
  const Rows rows = borrow(points, "points", number_of<T>(), 3);
  SimplerHull<T> hull;
  {
    TableLease<3, T> lease(geometries);
    py::gil_scoped_release released;
    hull = add_hull(lease.table(), span_of<T, 3>(rows), max_vertices);
  }
  return py::make_tuple(hull.index, hull.excess);
}

py::tuple add_enclosing(GeometriesObject& geometries, const py::object& points, int max_vertices) {
  return std::visit(Overloaded{[&]<class T>(const SharedGeometries<3, T>&) {
                                 return enclosing<T>(geometries, points, max_vertices);
                               },
                               [&]<class T>(const SharedGeometries<2, T>&) -> py::tuple {
                                 refuse_dimension("add_enclosing", 3);
                               }},
                    geometries.table);
}

std::int32_t add_box(GeometriesObject& geometries, const std::vector<double>& half_extents) {
  return change(geometries, [&]<int D, class T>(GeometryTable<Owned<D, T>>& table) {
    if (half_extents.size() != static_cast<std::size_t>(D)) {
      refuse("half_extents", "has " + std::to_string(half_extents.size()) +
                                 " numbers; it must have " + std::to_string(D));
    }
    const auto half = [&](std::size_t axis) { return static_cast<T>(half_extents[axis]); };
    if constexpr (D == 2) return add_box_polygon(table, half(0), half(1));
    if constexpr (D == 3) return add_box_hull(table, half(0), half(1), half(2));
  });
}

std::int32_t add_regular(GeometriesObject& geometries, int count, double circumradius) {
  return change_of<2>(geometries, "add_regular_polygon",
                      [&](auto& table) { return add_regular_polygon(table, count, circumradius); });
}

std::int32_t add_capsule(GeometriesObject& geometries, double half_length, double radius,
                         int arc_segments) {
  return change_of<2>(geometries, "add_capsule", [&]<class T>(GeometryTable<Owned<2, T>>& table) {
    return add_capsule_polygon(table, static_cast<T>(half_length), static_cast<T>(radius),
                               arc_segments);
  });
}

std::int32_t add_tetrahedron(GeometriesObject& geometries, double circumradius) {
  return change_of<3>(geometries, "add_tetrahedron",
                      [&]<class T>(GeometryTable<Owned<3, T>>& table) {
                        return add_tetrahedron_hull(table, static_cast<T>(circumradius));
                      });
}

std::int32_t add_cylinder(GeometriesObject& geometries, int sides, double half_height,
                          double radius) {
  return change_of<3>(geometries, "add_cylinder", [&]<class T>(GeometryTable<Owned<3, T>>& table) {
    return add_cylinder_hull(table, sides, static_cast<T>(half_height), static_cast<T>(radius));
  });
}

std::int32_t add_cone(GeometriesObject& geometries, int sides, double half_height, double radius) {
  return change_of<3>(geometries, "add_cone", [&]<class T>(GeometryTable<Owned<3, T>>& table) {
    return add_cone_hull(table, sides, static_cast<T>(half_height), static_cast<T>(radius));
  });
}

std::int32_t add_icosphere(GeometriesObject& geometries, int subdivisions, double radius) {
  return change_of<3>(geometries, "add_icosphere", [&]<class T>(GeometryTable<Owned<3, T>>& table) {
    return add_icosphere_hull(table, subdivisions, static_cast<T>(radius));
  });
}

/// Scenes may share the arrays of a table, so they are read-only.
template <class AnyColumn>
py::object read_only(const AnyColumn& column, std::shared_ptr<const void> owner) {
  py::array array = exposed(column, std::move(owner));
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::object measures(const GeometriesObject& geometries, std::int32_t index) {
  return look(geometries, [&]<int D, class T>(const SharedGeometries<D, T>& table) -> py::object {
    py::dict answer;
    const auto measured = properties(*table, index);
    answer["centroid"] = py::array(py::cast(measured.centroid)).attr("astype")(py::dtype::of<T>());
    if constexpr (D == 2) {
      answer["area"] = measured.area;
      answer["second_moment"] = measured.second_moment;
    } else {
      answer["volume"] = measured.volume;
      answer["inertia"] = py::array(py::cast(measured.inertia)).attr("astype")(py::dtype::of<T>());
    }
    return answer;
  });
}

template <class T>
py::array array_of(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

template <class T>
py::object topology_of(const GeometryTable<Owned<3, T>>& hulls, std::int32_t index) {
  const auto owner = std::make_shared<HullTopology<T>>(hull_topology(hulls, index));
  py::dict answer;
  answer["face_offsets"] = array_of(owner->face_offsets);
  answer["face_vertices"] = array_of(owner->face_vertices);
  answer["twins"] = array_of(owner->twins);
  answer["normals"] = exposed(owner->normals, owner);
  answer["offsets"] = exposed(owner->offsets, owner);
  static_assert(sizeof(HullEdge) == 4 * sizeof(std::int32_t));
  answer["edges"] =
      array_over(Number::int32, owner->edges.data(), static_cast<py::ssize_t>(owner->edges.size()),
                 sizeof(HullEdge), 4, sizeof(std::int32_t), owner);
  return answer;
}

py::object topology(const GeometriesObject& geometries, std::int32_t index) {
  return look(geometries, Overloaded{[&]<class T>(const SharedGeometries<3, T>& table) {
                                       return topology_of(*table, index);
                                     },
                                     [&]<class T>(const SharedGeometries<2, T>&) -> py::object {
                                       refuse_dimension("topology", 3);
                                     }});
}

template <class T>
py::array normals_of(const GeometryTable<Owned<2, T>>& polygons, std::int32_t index) {
  return copied(edge_normals(polygons, index));
}

py::array normals_of_edges(const GeometriesObject& geometries, std::int32_t index) {
  return look(geometries, Overloaded{[&]<class T>(const SharedGeometries<2, T>& table) {
                                       return normals_of(*table, index);
                                     },
                                     [&]<class T>(const SharedGeometries<3, T>&) -> py::array {
                                       refuse_dimension("edge_normals", 2);
                                     }});
}

template <class T, int W>
void fill(Column<T, W>& column, const ColumnSpan<T, W>& rows) {
  column.resize_uninitialized(rows.size());
  for (int w = 0; w < W; ++w) {
    for (std::size_t i = 0; i < rows.size(); ++i) column(i, w) = rows(i, w);
  }
}

std::shared_ptr<GeometriesObject> geometries_of(int dimension, const py::object& precision,
                                                const py::object& vertices,
                                                const py::object& offsets,
                                                const py::object& inner) {
  const auto make = [&]<int D, class T>() {
    GeometryTable<Owned<D, T>> table;
    const std::string word = D == 2 ? "polygons" : "hulls";
    if (is_given(vertices) != is_given(offsets)) {
      refuse(word + (is_given(offsets) ? ".vertices" : ".offsets"),
             "is missing; vertices and offsets need one another");
    }
    if (is_given(vertices)) {
      fill(table.vertices, span_of<T, D>(borrow(vertices, word + ".vertices", number_of<T>(), D)));
      fill(table.offsets,
           span_of<std::int64_t, 1>(borrow(offsets, word + ".offsets", Number::int64, 1)));
    }
    if (is_given(inner)) {
      if (D == 3) refuse_dimension("inner", 2);
      fill(table.inner, span_of<std::uint8_t, 1>(borrow(inner, word + ".inner", Number::uint8, 1)));
    }
    {
      py::gil_scoped_release released;
      make_convex(table);
    }
    return make_geometries<D, T>(std::move(table));
  };
  if (dimension != 2 && dimension != 3) {
    refuse("dimension", "is " + std::to_string(dimension) + "; expected 2 or 3");
  }
  // Scenes in mixed precision keep sizes in float, and geometries are sizes.
  if (precision_named(precision) == Precision::wide) {
    return dimension == 2 ? make.template operator()<2, double>()
                          : make.template operator()<3, double>();
  }
  return dimension == 2 ? make.template operator()<2, float>()
                        : make.template operator()<3, float>();
}

struct DecomposedObject {
  std::shared_ptr<GeometriesObject> parts;
  DecomposeReport report;
};

DecomposedObject decompose_rings(const py::sequence& rings,
                                 std::shared_ptr<GeometriesObject> parts) {
  if (parts == nullptr) parts = make_geometries<2, double>();
  if (!std::holds_alternative<SharedGeometries<2, double>>(parts->table)) {
    refuse("parts", "are not of 2D in double, as outlines are cut");
  }
  Column<double, 2> vertices;
  std::vector<std::int64_t> offsets{0};
  for (std::size_t ring = 0; ring < py::len(rings); ++ring) {
    const std::string name = "rings[" + std::to_string(ring) + "]";
    const Rows rows = borrow(rings[ring], name, Number::float64, 2);
    const auto span = span_of<double, 2>(rows);
    for (std::size_t i = 0; i < span.size(); ++i) vertices.push_back({span(i, 0), span(i, 1)});
    offsets.push_back(static_cast<std::int64_t>(vertices.size()));
  }
  TableLease<2, double> lease(*parts);
  DecomposeReport report;
  {
    py::gil_scoped_release released;
    report = decompose({vertices, offsets}, lease.table());
  }
  return {parts, report};
}

}  // namespace

bool GeometriesObject::are_wide() const {
  return std::visit(
      []<int D, class T>(const SharedGeometries<D, T>& held) {
        return std::is_same_v<T, double> && unchanging(held)->offsets.size() > 1;
      },
      table);
}

void bind_geometry(py::module_& module) {
  py::class_<GeometriesObject, std::shared_ptr<GeometriesObject>>(
      module, "Geometries",
      "The convex polygons (2D, 3 to 64 vertices) or hulls (3D, 4 to 255) that shapes name by\n"
      "index.\n\n"
      "dimension: 2 or 3; precision: 'float32' or 'float64', that of the scene's sizes. It begins\n"
      "with vertices (v, d), offsets (g + 1,) int64 and inner (v,) uint8 (2D), as in scene files.\n"
      "Geometry g is the hull of rows offsets[g] to offsets[g + 1] - 1. A scene that has the\n"
      "object sees what is added later; existing arrays and running calls do not.")
      .def(py::init(&geometries_of), py::arg("dimension"), py::arg("precision") = "float32",
           py::arg("vertices") = py::none(), py::arg("offsets") = py::none(),
           py::arg("inner") = py::none())
      .def("__len__",
           [](const GeometriesObject& self) {
             return look(self, [](const auto& table) {
               return table->offsets.empty() ? std::size_t{0} : table->offsets.size() - 1;
             });
           })
      .def_property_readonly("dimension", &GeometriesObject::dimension, "2 or 3.")
      .def_property_readonly(
          "precision",
          [](const GeometriesObject& self) {
            return std::string(self.table.index() % 2 == 0 ? "float" : "double");
          },
          "'float' or 'double'.")
      .def_property_readonly(
          "vertices",
          [](const GeometriesObject& self) {
            return look(self, [](const auto& table) { return read_only(table->vertices, table); });
          },
          "(v, d) vertices of all geometries, in the scene's unit of length. To be read.")
      .def_property_readonly(
          "offsets",
          [](const GeometriesObject& self) {
            return look(self, [](const auto& table) { return read_only(table->offsets, table); });
          },
          "(g + 1,) int64: geometry g has the vertices offsets[g] to offsets[g + 1] - 1.")
      .def_property_readonly(
          "inner",
          [](const GeometriesObject& self) {
            return look(self, [](const auto& table) { return read_only(table->inner, table); });
          },
          "(v,) uint8, or empty: 1 where the edge from this vertex on lies inside its owner (2D).")
      .def("add", &add_points, py::arg("points"),
           "Appends the convex hull of points (n, d), in the scene's unit of length, and returns\n"
           "its index.")
      .def("add_enclosing", &add_enclosing, py::arg("points"), py::arg("max_vertices"),
           "Appends a hull of at most max_vertices (4 to 255) vertices around points (n, 3).\n"
           "Returns (index, excess): no point of it is farther than excess from the points' hull.")
      .def("add_box", &add_box, py::arg("half_extents"),
           "Appends a box around the origin, half_extents (d,) lengths > 0; returns its index.")
      .def("add_regular_polygon", &add_regular, py::arg("count"), py::arg("circumradius"),
           "Appends a regular polygon of 3 to 64 vertices, the first at (circumradius, 0).")
      .def("add_capsule", &add_capsule, py::arg("half_length"), py::arg("radius"),
           py::arg("arc_segments"),
           "Appends a polygon inscribed in a capsule along x, each cap of 1 to 31 edges.")
      .def("add_tetrahedron", &add_tetrahedron, py::arg("circumradius"),
           "Appends a regular tetrahedron around the origin; returns its index.")
      .def("add_cylinder", &add_cylinder, py::arg("sides"), py::arg("half_height"),
           py::arg("radius"), "Appends a prism of 3 to 127 sides, inscribed in a cylinder along z.")
      .def("add_cone", &add_cone, py::arg("sides"), py::arg("half_height"), py::arg("radius"),
           "Appends a pyramid of 3 to 254 sides, inscribed in a cone along z. "
           "A smooth cone is a row of Scene.cones.")
      .def("add_icosphere", &add_icosphere, py::arg("subdivisions"), py::arg("radius"),
           "Appends a polyhedron in a ball: 12, 42 or 162 vertices for 0, 1 or 2 subdivisions.")
      .def("measures", &measures, py::arg("index"),
           "A dict: centroid (d,), and area and second_moment (2D, about the centroid) or volume\n"
           "and inertia (6,): xx yy zz xy xz yz about the centroid (3D), at density 1.")
      .def("topology", &topology, py::arg("index"),
           "A dict of a hull's surface: face_offsets (f + 1,), face_vertices (h,), twins (h,),\n"
           "normals (f, 3), offsets (f,), edges (e, 4). An edge is a, b, left and right face.\n"
           "Types are int32 and the geometries'.")
      .def("edge_normals", &normals_of_edges, py::arg("index"),
           "(v, 2) unit outward normals of a polygon's edges.")
      .def(py::pickle(
          [](const GeometriesObject& self) {
            return look(self, [&]<int D, class T>(const SharedGeometries<D, T>& table) {
              return py::make_tuple(D, name_of(number_of<T>()), exposed(table->vertices, table),
                                    exposed(table->offsets, table), exposed(table->inner, table));
            });
          },
          [](const py::tuple& state) {
            const bool has_some = py::len(state[3]) != 0;
            const auto or_none = [&](std::size_t i) {
              return has_some && py::len(state[i]) != 0 ? py::object(state[i]) : py::none();
            };
            return geometries_of(py::cast<int>(state[0]), state[1], or_none(2), or_none(3),
                                 or_none(4));
          }));

  const auto read = [](auto DecomposeReport::* field) {
    return [field](const DecomposedObject& self) { return self.report.*field; };
  };
  py::class_<DecomposedObject>(module, "Decomposed", "What decompose made of an outline.")
      .def_readonly("parts", &DecomposedObject::parts, "Geometries, the new parts its last ones.")
      .def_property_readonly("area", read(&DecomposeReport::area),
                             "Of the outer ring, minus holes.")
      .def_property_readonly("part_count", read(&DecomposeReport::part_count), "Parts appended.")
      .def_property_readonly("vertex_count", read(&DecomposeReport::vertex_count),
                             "Their vertices.")
      .def_property_readonly("duplicate_points", read(&DecomposeReport::duplicate_points),
                             "Vertices that repeat the one before, left out.")
      .def_property_readonly("cancelled_edges", read(&DecomposeReport::cancelled_edges),
                             "Stretches that run there and back.")
      .def_property_readonly("dropped_rings", read(&DecomposeReport::dropped_rings),
                             "Holes of fewer than three points or without area.")
      .def_property_readonly(
          "is_repaired", [](const DecomposedObject& self) { return self.report.is_repaired(); },
          "Whether the outline had flaws.");

  module.def(
      "decompose", &decompose_rings, py::arg("rings"), py::arg("parts") = nullptr,
      "Cuts an outline with holes into convex parts.\n\n"
      "rings: (n, 2) float64 arrays or lists, the outer one first, in any unit of length.\n"
      "parts: Geometries of 2D in double to append to; without it new ones are made. Vertices\n"
      "of parts are the outline's, to the bit; `inner` marks edges between parts. Raises\n"
      "Error for outlines that cross themselves or enclose no area.");
}

}  // namespace widephase::python
