// The module widephase._widephase; the package widephase exports its contents.

#include <pybind11/stl.h>

#include <cstdlib>
#include <cstring>

#include <widephase/capacity.hpp>
#include <widephase/version.hpp>

#include "calls.hpp"
#include "chains.hpp"
#include "heightfields.hpp"
#include "meshes.hpp"
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

/// "scene, pairs, *, margin=0.0" for "(scene: widephase.Scene, pairs: object, *, margin: float =
/// 0.0)".
std::string without_types(std::string_view arguments) {
  std::string text;
  int depth = 0;
  bool is_type = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const char letter = arguments[i];
    if (depth == 0 && letter == ':') is_type = true;
    if (depth == 0 && letter == ',') is_type = false;
    if (depth == 0 && letter == '=') {
      is_type = false;
      while (text.ends_with(' ')) text.pop_back();
    }
    if (std::string_view("([{").find(letter) != std::string_view::npos) ++depth;
    if (std::string_view(")]}").find(letter) != std::string_view::npos) --depth;
    if (is_type || letter == '\n' ||
        (letter == ' ' && (text.ends_with('=') || text.ends_with(' ')))) {
      continue;
    }
    text += letter;
  }
  return text;
}

/// A docstring that begins with a call, as a signature and the text below it.
struct Signed {
  std::string arguments;
  std::string answer;
  std::string text;
};

std::optional<Signed> signed_text(std::string_view name, std::string_view doc) {
  if (!doc.starts_with(std::string(name) + "(")) return {};
  const std::size_t begin = name.size() + 1;
  std::size_t end = begin;
  for (int depth = 1; end < doc.size(); ++end) {
    if (doc[end] == '(' || doc[end] == '[') ++depth;
    if ((doc[end] == ')' || doc[end] == ']') && --depth == 0) break;
  }
  const std::size_t blank = doc.find("\n", doc.find("->", end));
  if (end >= doc.size()) return {};
  const std::size_t arrow = doc.find("-> ", end);
  Signed found{without_types(doc.substr(begin, end - begin)), {}, {}};
  if (arrow != std::string_view::npos && arrow < end + 12) {
    found.answer =
        doc.substr(arrow + 3, blank == std::string_view::npos ? blank : blank - arrow - 3);
  }
  if (blank != std::string_view::npos) found.text = doc.substr(blank + 1);
  while (found.text.starts_with('\n')) found.text.erase(0, 1);
  return found;
}

/// What Python keeps of a function that pybind11 made; NULL for others.
PyMethodDef* method_of(py::handle function) {
  PyObject* object = function.ptr();
  if (PyInstanceMethod_Check(object)) object = PyInstanceMethod_GET_FUNCTION(object);
  if (!PyCFunction_Check(object)) return nullptr;
  PyMethodDef* const method = reinterpret_cast<PyCFunctionObject*>(object)->m_ml;
  return method->ml_doc == nullptr ? nullptr : method;
}

void set_doc(PyMethodDef& method, const std::string& doc) {
  // pybind11 frees it so.
  std::free(const_cast<char*>(method.ml_doc));
  method.ml_doc = strdup(doc.c_str());
}

/// Writes the docstring of a function so that `inspect.signature` reads it.
void sign(py::handle function) {
  if (Py_TYPE(function.ptr()) == &PyStaticMethod_Type) {
    sign(function.attr("__func__"));
    return;
  }
  PyMethodDef* const made = method_of(function);
  if (made == nullptr) return;
  PyMethodDef& method = *made;
  const std::string_view name = method.ml_name;
  const std::optional<Signed> found = signed_text(name, method.ml_doc);
  if (!found) return;
  std::string doc = std::string(name) + "(" + found->arguments + ")\n--\n\n" + found->text;
  if (!found->answer.empty() && found->answer != "None" &&
      !found->answer.starts_with("widephase._")) {
    doc += (doc.ends_with('\n') ? "" : "\n") + std::string("\nReturns ") + found->answer + ".";
  }
  set_doc(method, doc);
}

/// The same for a class, whose arguments are those of __init__.
void sign_class(py::handle cls) {
  auto* const type = reinterpret_cast<PyTypeObject*>(cls.ptr());
  const auto name = py::cast<std::string>(cls.attr("__name__"));
  const std::string doc = type->tp_doc == nullptr ? "" : type->tp_doc;
  std::optional<Signed> found = signed_text(name, doc);
  std::string text = doc;
  if (found) {
    text = found->text;
    PyMethodDef* const made = method_of(cls.attr("__dict__")["__init__"]);
    if (made != nullptr) set_doc(*made, "__init__(self, " + found->arguments + ")\n--\n\n");
  } else if (py::isinstance<py::str>(cls.attr("__init__").attr("__doc__"))) {
    found = signed_text("__init__", py::cast<std::string>(cls.attr("__init__").attr("__doc__")));
    if (!found) return;
    const std::size_t comma = found->arguments.find(", ");
    found->arguments = comma == std::string::npos ? "" : found->arguments.substr(comma + 2);
  } else {
    return;
  }
  const std::string signed_doc = name + "(" + found->arguments + ")\n--\n\n" + text;
  auto* const memory = static_cast<char*>(PyObject_Malloc(signed_doc.size() + 1));
  if (memory == nullptr) throw std::bad_alloc();
  std::memcpy(memory, signed_doc.c_str(), signed_doc.size() + 1);
  PyObject_Free(const_cast<char*>(type->tp_doc));
  type->tp_doc = memory;
  cls.attr("__doc__") = text;
}

void sign_all(const py::module_& module) {
  for (const auto& item : py::reinterpret_borrow<py::dict>(module.attr("__dict__"))) {
    sign(item.second);
    if (!py::isinstance<py::type>(item.second)) continue;
    if (py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(item.second.ptr())) == nullptr) {
      continue;
    }
    sign_class(item.second);
    for (const auto& member : py::dict(item.second.attr("__dict__"))) sign(member.second);
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
  // Whose name messages and pickles say.
  module.attr("__module__") = "widephase";
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
  bind_heightfields(module);
  bind_meshes(module);
  bind_chains(module);
  bind_scene(module);
  bind_collide(module);
  bind_queries(module);
  bind_rays(module);
  bind_casts(module);
  bind_impact(module);
  bind_tracker(module);
  bind_bodies(module);
  bind_files(module);
  bind_environments(module);
  bind_robots(module);
  bind_trees(module);
  bind_transforms(module);
  bind_labels(module);
  sign_all(module);
  refuse_empty_objects(module);
}
