// widephase.LearnedPairs: which links of a robot touch in random configurations.

#include <pybind11/stl.h>

#include "files.hpp"
#include "robots.hpp"

namespace widephase::python {

namespace {

py::list names_of(const LearnedObject& self, const std::vector<tools::AllowedPairs::Links>& pairs) {
  const std::vector<std::string>& names = self.robot.columns().links.name;
  py::list texts;
  for (const auto& [a, b] : pairs) {
    texts.append(
        py::make_tuple(names[static_cast<std::size_t>(a)], names[static_cast<std::size_t>(b)]));
  }
  return texts;
}

}  // namespace

LearnedObject learn_allowed_of(const RobotObject& self, std::int64_t n, std::int64_t seed,
                               double margin, int threads, const std::string& isa) {
  if (n < 1) refuse("n", "is " + std::to_string(n) + "; expected 1 or more configurations");
  const CollideOptions options = options_in(margin, threads, isa);
  ScratchLease<3, double> scratch(nullptr);
  py::gil_scoped_release released;
  LearnedPairs learned;
  learn_allowed(self.robot, static_cast<std::size_t>(n), static_cast<std::uint64_t>(seed), learned,
                scratch.workspace(), options);
  tools::AllowedPairs allowed = tools::allowed_pairs_of(self.robot, learned);
  return {std::move(learned), std::move(allowed), self.robot, self.name};
}

void bind_learned_pairs(py::module_& module) {
  py::class_<LearnedObject>(
      module, "LearnedPairs",
      "Which links of a robot touched in random configurations (Robot.learn_allowed).")
      .def_property_readonly(
          "samples", [](const LearnedObject& self) { return self.pairs.samples; },
          "How many configurations were asked.")
      .def_property_readonly(
          "links", [](const LearnedObject& self) { return copied(self.pairs.links); },
          "(p, 2) int32: the pairs that may meet, the lower link first.")
      .def_property_readonly(
          "contacts", [](const LearnedObject& self) { return copied(self.pairs.contacts); },
          "(p,) int64: in how many configurations each pair touched.")
      .def_property_readonly(
          "always", [](const LearnedObject& self) { return names_of(self, self.allowed.always); },
          "Names of the pairs that touched in all of them.")
      .def_property_readonly(
          "never", [](const LearnedObject& self) { return names_of(self, self.allowed.never); },
          "Names of the pairs that touched in none, which is known of these samples alone.")
      .def_property_readonly(
          "neighbours",
          [](const LearnedObject& self) { return names_of(self, self.allowed.neighbours); },
          "Names of the pairs on one body, or on two that a joint connects, which were not asked.")
      .def(
          "write_srdf",
          [](const LearnedObject& self, const py::object& path) {
            const std::string name = path_of(path);
            py::gil_scoped_release released;
            tools::write_srdf(name, self.robot_name, self.robot, self.pairs);
          },
          py::arg("path"),
          "Writes all these pairs, and those that the robot excluded, as SRDF for Robot.load.\n"
          "The file appears complete or not at all.")
      .def("__repr__", [](const LearnedObject& self) {
        return "<LearnedPairs of " + std::to_string(self.pairs.samples) +
               " samples: " + std::to_string(self.allowed.always.size()) + " always, " +
               std::to_string(self.allowed.never.size()) + " never, " +
               std::to_string(self.allowed.neighbours.size()) + " neighbours>";
      });
}

}  // namespace widephase::python
