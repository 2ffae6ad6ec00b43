// The module widephase._widephase; the package widephase exports its contents.

#include <pybind11/stl.h>

#include <widephase/capacity.hpp>
#include <widephase/version.hpp>

#include "calls.hpp"
#include "tools/formats/file_error.hpp"

namespace widephase::python {

namespace {

/// Makes a Python exception class that lives as long as the process.
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

/// File names and the texts in files may have any bytes.
py::str decoded_text(std::string_view bytes) {
  const auto size = static_cast<py::ssize_t>(bytes.size());
  PyObject* const text = PyUnicode_DecodeUTF8(bytes.data(), size, "surrogateescape");
  if (text == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(text);
}

py::object instance_of(py::handle type, std::string_view message,
                       const std::optional<Finding>& finding) {
  py::object instance = type(decoded_text(message));
  instance.attr("array") = finding ? py::object(decoded_text(finding->array)) : py::none();
  instance.attr("row") = finding && finding->row >= 0 ? py::cast(finding->row) : py::none();
  return instance;
}

void raise(py::handle type, const py::object& instance) {
  PyErr_SetObject(type.ptr(), instance.ptr());
}

constexpr const char* kNotMade =
    "an object was never made: its class was not called, or __init__ of it not yet; make it by "
    "calling the class, or take it from the call that answers with it";

/// Replaces the uninitialized memory that pybind11 gives to an object without a value.
void* refuse_empty_object(std::size_t) { throw py::type_error(kNotMade); }

void refuse_empty_objects(const py::module_& module) {
  for (const auto& item : py::reinterpret_borrow<py::dict>(module.attr("__dict__"))) {
    if (!py::isinstance<py::type>(item.second)) continue;
    auto* const type = reinterpret_cast<PyTypeObject*>(item.second.ptr());
    py::detail::type_info* const info = py::detail::get_type_info(type);
    if (info != nullptr) info->operator_new = &refuse_empty_object;
  }
}

void raise_no_memory(const std::string& what) {
  const std::string text =
      what + "; give fewer shapes or worlds to a call, a smaller margin, or caps on its answer "
             "(max_pairs, max_contacts, max_points)";
  PyErr_SetString(PyExc_MemoryError, text.c_str());
}

/// Where Python's names differ from the library's: every message of an error is worded by them.
constexpr Rewording kPythonWords[] = {
    {"add_hull with max_vertices", "add_enclosing"},
    {"build hulls by add_hull", "build them by Geometries.add"},
    {"build polygons by add_polygon", "build them by Geometries.add"},
    {"give warm_starts or a Tracker with it", "give a tracker with it"},
    {"build_static_scene", "StaticScene"},
};

void translate(std::exception_ptr exception) {
  try {
    if (exception) std::rethrow_exception(exception);
  } catch (const CapacityError& error) {
    const py::object instance =
        instance_of(capacity_error_type, tools::said(error), error.finding());
    instance.attr("pairs") = error.needed().pairs;
    instance.attr("contacts") = error.needed().contacts;
    instance.attr("points") = error.needed().points;
    instance.attr("exact") = error.needed().exact;
    raise(capacity_error_type, instance);
  } catch (const Error& error) {
    raise(error_type, instance_of(error_type, tools::said(error), error.finding()));
  } catch (const tools::FileError& error) {
    raise(error_type, instance_of(error_type, error.what(), {}));
  } catch (const tools::UsageError& error) {
    raise(error_type, instance_of(error_type, error.what(), {}));
  } catch (const py::cast_error& error) {
    if (!is_of_unmade(error)) throw;
    PyErr_SetString(PyExc_TypeError, kNotMade);
  } catch (const NoMemory& error) {
    raise_no_memory(error.what());
  } catch (const std::bad_alloc&) {
    raise_no_memory("out of memory: what a call holds of its scene and answer is too large");
  } catch (const std::length_error&) {
    raise_no_memory("out of memory: what a call holds of its scene and answer is too large");
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
  widephase::tools::caller_words = kPythonWords;
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
  refuse_empty_objects(module);
}
