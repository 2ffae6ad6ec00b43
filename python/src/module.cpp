// The module widephase._widephase, which the package widephase shows as its own.

#include <pybind11/stl.h>

#include <widephase/capacity.hpp>
#include <widephase/version.hpp>

#include "calls.hpp"
#include "file_error.hpp"

namespace widephase::python {

namespace {

/// An exception of Python's, made for as long as the process lives.
py::handle make_exception(py::module_& module, const char* name, py::handle base,
                          const char* text) {
  const std::string full = std::string("widephase.") + name;
  const py::handle made = PyErr_NewExceptionWithDoc(full.c_str(), text, base.ptr(), nullptr);
  if (!made) throw py::error_already_set();
  module.attr(name) = made;
  return made;
}

py::handle error_type;
py::handle capacity_error_type;

py::object instance_of(py::handle type, const char* message,
                       const std::optional<Finding>& finding) {
  py::object instance = type(message);
  instance.attr("array") = finding ? py::cast(finding->array) : py::none();
  instance.attr("row") = finding && finding->row >= 0 ? py::cast(finding->row) : py::none();
  return instance;
}

void raise(py::handle type, const py::object& instance) {
  PyErr_SetObject(type.ptr(), instance.ptr());
}

void translate(std::exception_ptr exception) {
  try {
    if (exception) std::rethrow_exception(exception);
  } catch (const CapacityError& error) {
    const py::object instance = instance_of(capacity_error_type, error.what(), error.finding());
    instance.attr("pairs") = error.needed().pairs;
    instance.attr("contacts") = error.needed().contacts;
    instance.attr("points") = error.needed().points;
    instance.attr("exact") = error.needed().exact;
    raise(capacity_error_type, instance);
  } catch (const Error& error) {
    raise(error_type, instance_of(error_type, error.what(), error.finding()));
  } catch (const tools::FileError& error) {
    raise(error_type, instance_of(error_type, error.what(), {}));
  } catch (const tools::UsageError& error) {
    raise(error_type, instance_of(error_type, error.what(), {}));
  }
}

std::vector<std::string> isas() {
  std::vector<std::string> names;
  for (const Isa isa : built_isas()) {
    if (cpu_has(isa)) names.emplace_back(isa_name(isa));
  }
  return names;
}

std::string chosen(const std::string& name) {
  return std::string(isa_name(chosen_isa(isa_from_name(name))));
}

}  // namespace

}  // namespace widephase::python

PYBIND11_MODULE(_widephase, module) {
  using namespace widephase::python;
  error_type = make_exception(module, "Error", PyExc_ValueError,
                              "Input that cannot be answered. `array` and `row` say which, or are "
                              "None.");
  capacity_error_type = make_exception(
      module, "CapacityError", error_type,
      "More than a cap allows: `pairs`, `contacts` and `points` are the counts; -1: not counted. "
      "Where `exact` is false, `pairs` is a lower bound, 64 times max_pairs.");
  py::register_exception_translator(&translate);
  module.attr("__version__") = std::string(widephase::version());
  module.def("isas", &isas, "The instruction sets that this build and this CPU have.");
  module.def("chosen_isa", &chosen, py::arg("isa") = "widest",
             "The instruction set that a call with `isa` runs on.");
  bind_geometry(module);
  bind_scene(module);
  bind_collide(module);
  bind_queries(module);
  bind_tracker(module);
  bind_bodies(module);
  bind_files(module);
}
