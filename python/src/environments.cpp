// widephase.Environment: obstacles of robots, from scenes or points.

#include "environments.hpp"

#include "calls.hpp"

namespace widephase::python {

namespace {

std::shared_ptr<EnvironmentObject> environment_of(const SceneObject& scene) {
  return with_scene(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    if constexpr (D == 3) {
      py::gil_scoped_release released;
      return std::make_shared<EnvironmentObject>(EnvironmentObject{Environment(span)});
    } else {
      refuse("scene", "is in 2D; robots are in 3D");
      return std::shared_ptr<EnvironmentObject>();
    }
  });
}

std::shared_ptr<EnvironmentObject> points_of(const py::object& xyz, double radius, int threads) {
  Threads all;
  all.count = threads;
  const Rows rows = borrow(xyz, "points", Number::float64, 3);
  const auto points = span_of<double, 3>(rows);
  py::gil_scoped_release released;
  return std::make_shared<EnvironmentObject>(
      EnvironmentObject{Environment::points(points, radius, all)});
}

}  // namespace

void bind_environments(py::module_& module) {
  py::class_<EnvironmentObject, std::shared_ptr<EnvironmentObject>>(
      module, "Environment",
      "Obstacles that stay, for many calls: the shapes of a 3D scene, which is copied in float64.\n"
      "Obstacle i is shape i of the scene. If shapes are of worlds above 0, calls need the world "
      "of\n"
      "each configuration; else every obstacle meets all of them. Threads may share it.")
      .def(py::init(&environment_of), py::arg("scene"))
      .def_static(
          "points", &points_of, py::arg("xyz"), py::arg("radius"), py::kw_only(),
          py::arg("threads") = 0,
          "Points (n, 3) with one radius >= 0, such as a depth camera's; obstacle i is point i. "
          "All\n"
          "answers are those for as many spheres, made for 10^5 to 10^6 of them; only the time `at`\n"
          "that a proof found to touch may be another. The points are copied in float64; a value\n"
          "that is not finite is an error. `threads`, 0 for all, build.")
      .def("__len__", [](const EnvironmentObject& self) { return self.environment.size(); })
      .def_property_readonly(
          "world_count",
          [](const EnvironmentObject& self) { return self.environment.world_count(); },
          "1 if every obstacle meets every configuration.")
      .def("__repr__", [](const EnvironmentObject& self) {
        return "<Environment of " + std::to_string(self.environment.size()) + " obstacles>";
      });
}

}  // namespace widephase::python
