// widephase.load and Scene.save: they use the command line's readers and writers.

#include <pybind11/stl.h>

#include "calls.hpp"
#include "files.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"

namespace widephase::python {

namespace {

/// A reader's option in the syntax of `load`: "unit=", "radius=0.2", "style='sphere'".
std::string keyword(std::string_view name, std::string_view value) {
  const std::string text = std::string(name) + "=";
  if (value.empty()) return text;
  if (name == "allow_files") return text + "[" + std::string(value) + "]";
  const bool is_number = value[0] >= '0' && value[0] <= '9' &&
                         value.find_first_not_of("0123456789.e-") == std::string_view::npos;
  return text + (is_number ? std::string(value) : "'" + std::string(value) + "'");
}

/// Values of joints as the readers take them: between commas, or in a file, which lasts as long.
struct JointValues {
  explicit JointValues(const py::object& given) {
    const py::module_ os = py::module_::import("os");
    if (py::isinstance<py::str>(given) || py::isinstance<py::bytes>(given) ||
        py::hasattr(given, "__fspath__")) {
      text = path_of(given, "joints");
      return;
    }
    if (!is_given(given)) return;
    const py::array array = converted(given, "joints", Number::float64);
    if (array.ndim() != 1 && array.ndim() != 2) {
      refuse("joints", "has the shape " + py::cast<std::string>(py::str(array.attr("shape"))) +
                           "; it must be (joints,) or (configurations, joints)");
    }
    folder = py::module_::import("tempfile").attr("TemporaryDirectory")();
    const py::object path =
        os.attr("path").attr("join")(folder.attr("name"), py::str("joints.npy"));
    py::module_::import("numpy").attr("save")(path, array);
    text = path_of(path, "joints");
  }
  ~JointValues() {
    if (folder) folder.attr("cleanup")();
  }
  JointValues(const JointValues&) = delete;
  JointValues& operator=(const JointValues&) = delete;

  std::string text;
  py::object folder;
};

template <int D, class T>
std::shared_ptr<SceneObject> scene_in(const tools::SceneFile& file,
                                      std::optional<Precision> precision) {
  const auto columns = std::make_shared<SceneColumns<D, T>>();
  {
    py::gil_scoped_release released;
    file.to_columns(*columns);
  }
  auto geometries = make_geometries<D, SizeOf<T>>(std::move(columns->geometries));
  columns->geometries = {};
  return scene_over<D, T>(*columns, columns, std::move(geometries), precision);
}

/// What a scene has besides columns.
void add_rest(SceneObject& scene, const tools::SceneFile& file) {
  scene.labels = labels_of(file);
  if (const auto pairs = file.pairs()) {
    py::array_t<std::int32_t> rows({static_cast<py::ssize_t>(pairs->size()), py::ssize_t{2}});
    for (std::size_t i = 0; i < pairs->size(); ++i) {
      rows.mutable_at(static_cast<py::ssize_t>(i), 0) = (*pairs)[i].a;
      rows.mutable_at(static_cast<py::ssize_t>(i), 1) = (*pairs)[i].b;
    }
    scene.pairs = rows;
  }
}

}  // namespace

std::shared_ptr<SceneObject> scene_of(const tools::SceneFile& file,
                                      std::optional<Precision> wanted) {
  const auto in = [&]<class T>() {
    return file.dimension() == 2 ? scene_in<2, T>(file, wanted) : scene_in<3, T>(file, wanted);
  };
  const bool is_mixed_file = file.precision() == tools::Precision::mixed;
  const bool is_narrow_file = file.precision() == tools::Precision::single;
  const Precision chosen = wanted           ? *wanted
                           : is_mixed_file  ? Precision::mixed
                           : is_narrow_file ? Precision::narrow
                                            : Precision::wide;
  const std::shared_ptr<SceneObject> scene =
      chosen == Precision::mixed    ? in.template operator()<Mixed>()
      : chosen == Precision::narrow ? in.template operator()<float>()
                                    : in.template operator()<double>();
  add_rest(*scene, file);
  return scene;
}

std::string path_of(const py::object& path, std::string_view name) {
  std::string bytes = py::cast<py::bytes>(py::module_::import("os").attr("fsencode")(path));
  if (bytes.find('\0') != std::string::npos) refuse(name, "has a zero byte in it");
  return bytes;
}

void warn(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    if (PyErr_WarnEx(PyExc_UserWarning, note.c_str(), 1) != 0) throw py::error_already_set();
  }
}

namespace {

std::shared_ptr<SceneObject> load(const py::object& path, const std::optional<std::string>& format,
                                  const py::object& precision, std::optional<double> radius,
                                  const std::string& unit, int dimension,
                                  const std::string& periodic, int max_vertices,
                                  const py::object& joint_values, const std::string& style,
                                  const std::vector<py::object>& allow_files,
                                  const std::string& keyframe,
                                  const std::vector<py::object>& package_path,
                                  std::optional<int> world, bool ignore_columns, bool surface,
                                  std::optional<double> weld, const py::object& srdf) {
  const std::string name = path_of(path);
  const JointValues joints(joint_values);
  const std::optional<Precision> wanted = precision_named(precision);
  if (dimension != 0 && dimension != 2 && dimension != 3) {
    refuse("dimension", "is " + std::to_string(dimension) + "; expected 2, 3 or 0");
  }
  tools::ReadOptions options{radius,      unit,           dimension, periodic, max_vertices,
                             joints.text, style,          {},        keyframe, {},
                             world,       ignore_columns, surface,   weld};
  if (is_given(srdf)) options.srdf = path_of(srdf, "srdf");
  for (const py::object& folder : allow_files) options.allow_files.push_back(path_of(folder));
  for (const py::object& folder : package_path) options.package_path.push_back(path_of(folder));
  std::vector<std::string> notes;
  const tools::SceneFile file = [&] {
    py::gil_scoped_release released;
    const tools::Format found =
        format ? tools::format_from_name(*format) : tools::detect_format(name);
    return tools::read_scene(name, found, options, notes);
  }();
  warn(notes);
  return scene_of(file, wanted);
}

std::vector<std::string> save(const SceneObject& scene, const py::object& path) {
  const std::string name = path_of(path);
  const tools::SceneFile scene_file = file_of(scene, name);
  py::gil_scoped_release released;
  const tools::Format format = tools::output_format(name);
  tools::OutputFile file(name);
  std::vector<std::string> left_out = tools::write_scene(scene_file, format, file);
  file.commit();
  return left_out;
}

}  // namespace

tools::SceneFile file_of(const SceneObject& scene, const std::string& name) {
  return with_scene(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    std::vector<tools::NamedArray> arrays = tools::arrays_of<D, T>(span);
    add_labels(scene, arrays);
    if (is_given(scene.pairs)) {
      const Rows rows = borrow(scene.pairs, "pairs", Number::int32, 2);
      const auto pairs = span_of<std::int32_t, 2>(rows);
      if (!pairs.empty()) arrays.push_back({"pairs", tools::array_of(pairs)});
    }
    return tools::SceneFile(name, std::move(arrays));
  });
}

void take_file(SceneObject& scene, const tools::SceneFile& file) {
  scene = std::move(*scene_of(file, scene.precision_given));
}

void bind_files(py::module_& module) {
  tools::option_writer = &keyword;
  module.def(
      "load", &load, py::arg("path"), py::kw_only(), py::arg("format") = py::none(),
      py::arg("precision") = py::none(), py::arg("radius") = py::none(), py::arg("unit") = "",
      py::arg("dimension") = 0, py::arg("periodic") = "", py::arg("max_vertices") = 0,
      py::arg("joints") = "", py::arg("style") = "",
      py::arg("allow_files") = std::vector<py::object>{}, py::arg("keyframe") = "",
      py::arg("package_path") = std::vector<py::object>{}, py::arg("world") = py::none(),
      py::arg("ignore_columns") = false, py::arg("surface") = false, py::arg("weld") = py::none(),
      py::arg("srdf") = py::none(),
      "A scene from a file: .npz, .json, .csv, and all that `widephase convert` reads, with\n"
      "its options. format: if neither name nor beginning tell it. precision: 'float32',\n"
      "'float64' or 'mixed', else that of the file. radius: of every particle, a length.\n"
      "unit: 'm', 'cm' or 'mm'. periodic: axes, 'xy', or 'none'. joints: of a robot, values\n"
      "between commas, a file, or an array (joints,) or (configurations, joints).\n"
      "ignore_columns: leave out columns of such a CSV file that name no joint. style: of the\n"
      "atoms of a LAMMPS data file that does not say it,\n"
      "'sphere' or 'atomic'. allow_files: folders below which the files that a robot names may "
      "be,\n"
      "beside its own. keyframe: of an MJCF model, its name or number. package_path: folders of\n"
      "the packages that a URDF robot names. world: of all shapes, -1 for all worlds, where the\n"
      "file names none. surface: meshes become surfaces (kind mesh), not hulls, and weld is the\n"
      "distance within which their vertices become one. srdf: as of Robot.load. What differs from\n"
      "the file is a warning.\n"
      "Point sets of polygons and hulls become their hulls.");
  auto scene = py::reinterpret_borrow<py::class_<SceneObject, std::shared_ptr<SceneObject>>>(
      module.attr("Scene"));
  scene.def(
      "save", &save, py::arg("path"),
      "Writes a scene file: .npz, .json or .csv, by its ending. Returns the names of what the\n"
      "format has no place for.");
}

}  // namespace widephase::python
