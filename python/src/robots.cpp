// widephase.Robot: robots from files, and their poses in many configurations.

#include "robots.hpp"

#include <pybind11/stl.h>

#include <widephase/robot_answers.hpp>
#include <widephase/robot_motions.hpp>

#include "calls.hpp"
#include "environments.hpp"
#include "files.hpp"
#include "tools/formats/file_error.hpp"

namespace widephase::python {

CollideOptions options_in(double margin, int threads, const std::string& isa) {
  if (threads < 0) refuse("threads", "is " + std::to_string(threads) + "; expected 0 or more");
  CollideOptions options;
  options.margin = margin;
  options.threads.count = threads;
  options.isa = isa_from_name(isa);
  return options;
}

namespace {

/// Never-meeting pairs of links by their names.
void exclude_links(const std::string& path, const std::vector<std::array<std::string, 2>>& pairs,
                   RobotColumns& robot) {
  for (std::size_t row = 0; row < pairs.size(); ++row) {
    const auto at = [&](std::size_t k) {
      return link_named(robot.links, path, "excluded_links", pairs[row][k],
                        static_cast<std::int64_t>(row));
    };
    robot.shapes.excluded_owners.push_back({at(0), at(1)});
  }
}

std::shared_ptr<RobotObject> load_robot(
    const py::object& path, const py::object& srdf,
    const std::vector<std::array<std::string, 2>>& excluded_links,
    const std::optional<std::string>& format, const py::object& precision, int max_vertices,
    const std::vector<py::object>& package_path, const std::vector<py::object>& allow_files,
    const std::string& keyframe, bool surface, std::optional<double> weld) {
  const std::string name = path_of(path);
  const std::string pairs = is_given(srdf) ? path_of(srdf, "srdf") : std::string();
  const std::optional<Precision> wanted = precision_named(precision);
  tools::ReadOptions options;
  options.max_vertices = max_vertices;
  options.keyframe = keyframe;
  options.surface = surface;
  options.weld = weld;
  for (const py::object& folder : package_path) options.package_path.push_back(path_of(folder));
  for (const py::object& folder : allow_files) options.allow_files.push_back(path_of(folder));
  std::vector<std::string> notes;
  std::optional<Robot> robot;
  tools::RobotNames names;
  std::string own_name;
  const tools::SceneFile shapes = [&] {
    py::gil_scoped_release released;
    tools::RobotFile file = tools::read_robot(
        name, format ? tools::format_from_name(*format) : tools::detect_format(name), pairs,
        options, notes);
    exclude_links(name, excluded_links, file.columns);
    robot.emplace(tools::robot_of(name, file.columns));
    names = file.names;
    own_name = file.name;
    return tools::scene_file_of(name, robot->shapes(), file.names);
  }();
  warn(notes);
  return std::make_shared<RobotObject>(
      RobotObject{std::move(*robot), scene_of(shapes, wanted), name, own_name, names, wanted});
}

/// Configurations in an array, which must outlive them.
template <class T>
Configurations<T> configurations_in(const py::array& array) {
  const bool is_single = array.ndim() == 1;
  Configurations<T> q;
  q.first = static_cast<const T*>(array.data());
  q.count = is_single ? 1 : static_cast<std::size_t>(array.shape(0));
  q.width = static_cast<std::size_t>(array.shape(is_single ? 0 : 1));
  q.row_stride = is_single ? 0 : array.strides(0);
  q.value_stride = array.strides(is_single ? 0 : 1);
  return q;
}

/// The array of configurations: float32 stays, all else becomes float64.
py::array configurations_of(const py::object& given) {
  const bool is_array = py::isinstance<py::array>(given);
  const bool is_narrow = is_array && is_type(py::array(given).dtype(), Number::float32);
  const bool is_wide = is_array && is_type(py::array(given).dtype(), Number::float64);
  py::array array = is_narrow || is_wide ? py::reinterpret_borrow<py::array>(given)
                                         : converted(given, "q", Number::float64);
  if (array.ndim() == 1 || array.ndim() == 2) return array;
  refuse("q", "has the shape " + py::cast<std::string>(py::str(array.attr("shape"))) +
                  "; it must be (values,) or (configurations, values)");
}

/// How `place` takes limits.
enum class Limits : std::uint8_t { ignore, error, status };

Limits limits_named(const std::string& word) {
  if (word == "ignore") return Limits::ignore;
  if (word == "error") return Limits::error;
  if (word == "status") return Limits::status;
  refuse("limits", "is '" + word + "'; expected 'ignore', 'error' or 'status'");
}

template <class T>
struct Placed {
  BodyTable<Owned<3, T>> poses;
  Column<ConfigurationStatus> status;
};

template <class T, int W>
py::object rows_of(const Column<T, W>& column, std::size_t count, std::size_t frames,
                   const std::shared_ptr<const void>& owner) {
  return exposed(column, owner).attr("reshape")(count, frames, W);
}

py::tuple place_in(const RobotObject& self, const py::object& given, const std::string& frames,
                   const std::string& limits_word, int threads, const std::string& isa) {
  const Limits limits = limits_named(limits_word);
  if (threads < 0) refuse("threads", "is " + std::to_string(threads) + "; expected 0 or more");
  RobotOptions options;
  options.threads.count = threads;
  options.isa = isa_from_name(isa);
  options.checks_limits = limits != Limits::ignore;
  if (frames == "links") {
    options.frames = RobotFrames::links;
  } else if (frames != "bodies") {
    refuse("frames", "is '" + frames + "'; expected 'bodies' or 'links'");
  }
  const py::array array = configurations_of(given);
  const std::size_t count_of_frames =
      frames == "links" ? self.robot.columns().links.name.size() : self.robot.body_count();
  const auto placed_in = [&]<class T>() -> py::tuple {
    const auto placed = std::make_shared<Placed<T>>();
    const Configurations<T> q = configurations_in<T>(array);
    if (limits == Limits::status) options.status = &placed->status;
    {
      py::gil_scoped_release released;
      place(self.robot, q, placed->poses, options);
    }
    const py::object position = rows_of(placed->poses.position, q.count, count_of_frames, placed);
    const py::object orientation = rows_of(placed->poses.turn, q.count, count_of_frames, placed);
    if (limits != Limits::status) return py::make_tuple(position, orientation);
    static_assert(sizeof(ConfigurationStatus) == 1);
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(placed->status.plane());
    return py::make_tuple(position, orientation,
                          exposed(ColumnSpan<std::uint8_t>::planes({bytes}, q.count), placed));
  };
  const bool is_narrow = is_type(array.dtype(), Number::float32);
  return is_narrow ? placed_in.template operator()<float>()
                   : placed_in.template operator()<double>();
}

/// What a call asks of a robot.
template <class T>
struct Question {
  Configurations<T> q;
  const Environment& environment;
  Workspace<3, double>& workspace;
  CollideOptions options;
  std::span<const std::int32_t> worlds;
};

/// Calls `ask(question)` for the caller's configurations.
template <class Ask>
auto asked(const py::object& given, const std::shared_ptr<EnvironmentObject>& environment,
           const py::object& worlds, double margin, int threads, const std::string& isa,
           const Ask& ask) {
  const CollideOptions options = options_in(margin, threads, isa);
  const py::array array = configurations_of(given);
  const Environment around = environment == nullptr ? Environment() : environment->environment;
  HeldValues<std::int32_t> held;
  if (is_given(worlds)) held = borrow_values<std::int32_t>(worlds, "worlds");
  ScratchLease<3, double> scratch(nullptr);
  const auto asked_in = [&]<class T>() {
    return ask(Question<T>{configurations_in<T>(array), around, scratch.workspace(), options,
                           held.values});
  };
  return is_type(array.dtype(), Number::float32) ? asked_in.template operator()<float>()
                                                 : asked_in.template operator()<double>();
}

/// Columns by name, without those that not every call writes.
template <class Found>
py::dict columns_of(const Found& found) {
  py::dict columns;
  for_each_answer(
      [&](const AnswerField& field, const auto& column) {
        if (!field.is_optional) columns[py::str(std::string(field.name))] = copied(column);
      },
      found);
  return columns;
}

/// One byte per configuration.
py::array any_contact_in(const RobotObject& self, const py::object& given,
                         const std::shared_ptr<EnvironmentObject>& environment,
                         const py::object& worlds, double margin, int threads,
                         const std::string& isa) {
  return asked(given, environment, worlds, margin, threads, isa, [&](const auto& question) {
    const std::size_t count = question.q.count;
    py::array_t<bool> answers(static_cast<py::ssize_t>(count));
    const std::span bytes(reinterpret_cast<std::uint8_t*>(answers.mutable_data()), count);
    {
      py::gil_scoped_release released;
      any_contact(self.robot, question.q, question.environment, bytes, question.workspace,
                  question.options, question.worlds);
    }
    return py::array(answers);
  });
}

py::dict first_contact_in(const RobotObject& self, const py::object& given,
                          const std::shared_ptr<EnvironmentObject>& environment,
                          const py::object& worlds, double margin, int threads,
                          const std::string& isa) {
  return asked(given, environment, worlds, margin, threads, isa, [&](const auto& question) {
    FirstContacts found;
    {
      py::gil_scoped_release released;
      first_contact(self.robot, question.q, question.environment, found, question.workspace,
                    question.options, question.worlds);
    }
    return columns_of(found);
  });
}

py::dict contacts_in(const RobotObject& self, const py::object& given,
                     const std::shared_ptr<EnvironmentObject>& environment,
                     const py::object& worlds, double margin, int threads, const std::string& isa) {
  return asked(given, environment, worlds, margin, threads, isa, [&](const auto& question) {
    RobotContacts found;
    {
      py::gil_scoped_release released;
      contacts(self.robot, question.q, question.environment, found, question.workspace,
               question.options, question.worlds);
    }
    return columns_of(found);
  });
}

py::dict min_distance_in(const RobotObject& self, const py::object& given,
                         const std::shared_ptr<EnvironmentObject>& environment,
                         const py::object& worlds, const std::optional<double>& limit,
                         bool gradient, int threads, const std::string& isa) {
  RobotDistanceOptions wanted;
  if (limit) wanted.limit = *limit;
  wanted.has_gradient = gradient;
  return asked(given, environment, worlds, 0, threads, isa, [&](const auto& question) {
    RobotDistances found;
    {
      py::gil_scoped_release released;
      min_distance(self.robot, question.q, question.environment, found, question.workspace, wanted,
                   question.options, question.worlds);
    }
    py::dict columns = columns_of(found);
    if (gradient) {
      columns["gradient"] =
          copied(found.gradient).attr("reshape")(question.q.count, question.q.width);
    }
    return columns;
  });
}

/// The status and time of each motion.
py::tuple check_motions_in(const RobotObject& self, const py::object& from, const py::object& to,
                           const std::shared_ptr<EnvironmentObject>& environment,
                           const py::object& worlds, double resolution, bool proof,
                           double least_width, double margin, int threads, const std::string& isa) {
  const py::array ends = configurations_of(configurations_of(to).attr("astype")("float64"));
  const py::object starts = configurations_of(from).attr("astype")("float64");
  MotionOptions wanted;
  wanted.resolution = resolution;
  wanted.proof = proof;
  wanted.least_width = least_width;
  const auto ask = [&]<class T>(const Question<T>& question) -> py::tuple {
    MotionChecks checks;
    // The array is in double: the other precision is never asked.
    if constexpr (std::is_same_v<T, double>) {
      const Configurations<double> last = configurations_in<double>(ends);
      py::gil_scoped_release released;
      try {
        check_motions(self.robot, question.q, last, question.environment, checks,
                      question.workspace, wanted, question.options, question.worlds);
      } catch (const Error& error) {
        if (!error.finding()) throw;
        Finding finding = *error.finding();
        if (finding.array == "from") finding.array = "start";
        if (finding.array == "to") finding.array = "end";
        throw Error(finding);
      }
    }
    Column<std::uint8_t> status;
    for (std::size_t i = 0; i < checks.status.size(); ++i) {
      status.push_back(static_cast<std::uint8_t>(checks.status[i]));
    }
    return py::make_tuple(copied(status), copied(checks.at));
  };
  return asked(starts, environment, worlds, margin, threads, isa, ask);
}

/// One world per configuration.
std::shared_ptr<SceneObject> worlds_of(const RobotObject& self, const py::object& given,
                                       int threads) {
  // Worlds are in double, as those that any_contact makes: so are their poses.
  const py::object q = configurations_of(given).attr("astype")("float64");
  const py::tuple poses = place_in(self, q, "bodies", "ignore", threads, "widest");
  const auto count = py::cast<std::int64_t>(poses[0].attr("shape").attr("__getitem__")(0));
  if (count < 1) refuse("q", "has no configurations; a scene of worlds needs one or more");
  if (count > std::numeric_limits<std::int32_t>::max()) {
    refuse("q", "has more than 2147483647 configurations; split it into several calls");
  }
  const auto scene = replicate_scene(*self.shapes, static_cast<std::int32_t>(count));
  const py::object bodies = py::cast(scene).attr("bodies");
  bodies.attr("position") = poses[0].attr("reshape")(-1, 3);
  bodies.attr("orientation") = poses[1].attr("reshape")(-1, 4);
  return scene;
}

std::vector<std::string> value_names(const RobotObject& self) {
  std::vector<std::string> names;
  for (const RobotValue& value : self.robot.values()) names.push_back(value.name);
  return names;
}

py::array start_of(const RobotObject& self) {
  Column<double> start;
  for (const RobotValue& value : self.robot.values()) start.push_back(value.start);
  return copied(start);
}

py::array limits_of(const RobotObject& self) {
  Column<double, 2> limits;
  for (const RobotValue& value : self.robot.values()) limits.push_back({value.lower, value.upper});
  return copied(limits);
}

}  // namespace

void bind_robots(py::module_& module) {
  bind_learned_pairs(module);
  py::class_<RobotObject, std::shared_ptr<RobotObject>> robot(
      module, "Robot",
      "A robot from a file (Robot.load): bodies that joints move, and the shapes on them. It "
      "never\n"
      "changes; threads may share it.");
  robot
      .def_static(
          "load", &load_robot, py::arg("path"), py::kw_only(), py::arg("srdf") = py::none(),
          py::arg("excluded_links") = std::vector<std::array<std::string, 2>>{},
          py::arg("format") = py::none(), py::arg("precision") = py::none(),
          py::arg("max_vertices") = 0, py::arg("package_path") = std::vector<py::object>{},
          py::arg("allow_files") = std::vector<py::object>{}, py::arg("keyframe") = "",
          py::arg("surface") = false, py::arg("weld") = py::none(),
          "From URDF or MJCF. srdf: a file of the links that never meet, SRDF or YAML with "
          "MoveIt's\n"
          "allowed_collision_matrix; all others may. Without it bodies that a joint connects "
          "never\n"
          "meet (MJCF: as the file says). excluded_links: more pairs of links that never meet, by\n"
          "name. precision: of the shapes, 'float64' unless given. keyframe: the start of MJCF, by "
          "name or number. The others are those of `load`.")
      .def(
          "place", &place_in, py::arg("q"), py::kw_only(), py::arg("frames") = "bodies",
          py::arg("limits") = "ignore", py::arg("threads") = 0, py::arg("isa") = "widest",
          "Forward kinematics: position (n, bodies, 3) and orientation (n, bodies, 4), x y z w, "
          "of\n"
          "each body (frames='links': of each link) in the world. q: (n, values), or (values,) "
          "for\n"
          "one configuration, in the order of value_names; float32 gives float32. A value that is\n"
          "not finite, an angle beyond 2^50 or a length beyond 1e75 is an error, and so is one\n"
          "beyond its limits with limits='error'. limits='status' adds an array (n,) uint8: 0 in\n"
          "order, 1 such a value (its poses are NaN), 2 beyond limits.")
      .def("any_contact", &any_contact_in, py::arg("q"), py::arg("environment") = nullptr,
           py::kw_only(), py::arg("worlds") = py::none(), py::arg("margin") = 0.0,
           py::arg("threads") = 0, py::arg("isa") = "widest",
           "(n,) bool: where the robot touches itself or an obstacle of the Environment. q: as in\n"
           "`place`. worlds: (n,) int32, the world of each configuration, which meets the "
           "obstacles\n"
           "of that world and of -1. margin: distances up to it count too.")
      .def("first_contact", &first_contact_in, py::arg("q"), py::arg("environment") = nullptr,
           py::kw_only(), py::arg("worlds") = py::none(), py::arg("margin") = 0.0,
           py::arg("threads") = 0, py::arg("isa") = "widest",
           "What touches first in each configuration: a dict of arrays (n,) int32, -1 where there\n"
           "is nothing. `shape` is the lowest id of a shape of the robot that touches, `link` its\n"
           "link (link_names), `obstacle` the lowest id that it touches of the environment. If it\n"
           "touches no obstacle, `other_shape` is the lowest shape of the robot that it touches, "
           "and\n"
           "`other_link` the link of that one. Arguments as those of `any_contact`.")
      .def("contacts", &contacts_in, py::arg("q"), py::arg("environment") = nullptr, py::kw_only(),
           py::arg("worlds") = py::none(), py::arg("margin") = 0.0, py::arg("threads") = 0,
           py::arg("isa") = "widest",
           "All contacts: a dict of arrays with a row per contact, by `configuration` (the row of "
           "q).\n"
           "`link`, `shape`, `obstacle`, `other_link`, `other_shape` are as in `first_contact`.\n"
           "`normal` (n, 3) goes from the robot's shape to the other; `depth` is below 0 for what "
           "is\n"
           "apart within the margin. Contact i has points offset[i] ... offset[i + 1] - 1 of "
           "`point`\n"
           "and `point_depth`. Arguments as those of `any_contact`.")
      .def(
          "check_motions", &check_motions_in, py::arg("start"), py::arg("end"),
          py::arg("environment") = nullptr, py::kw_only(), py::arg("worlds") = py::none(),
          py::arg("resolution") = 1.0 / 32, py::arg("proof") = false, py::arg("least_width") = 1e-3,
          py::arg("margin") = 0.0, py::arg("threads") = 0, py::arg("isa") = "widest",
          "Motions from start[i] to end[i], linear in q: status (n,) uint8 and at (n,) float64.\n"
          "Without proof, samples at most `resolution` apart (as a length of q) are asked: 0 none\n"
          "touches, 1 the one at `at` (0 to 1) is the first that does. proof=True: 0 nothing "
          "touches\n"
          "at any time, 1 it touches at `at`, 2 undecided by parts of `least_width`. `at` is NaN\n"
          "unless 1. Proofs are for solids and two-sided meshes. Angles are not wrapped. Other\n"
          "arguments as those of `any_contact`.")
      .def("min_distance", &min_distance_in, py::arg("q"), py::arg("environment") = nullptr,
           py::kw_only(), py::arg("worlds") = py::none(), py::arg("limit") = py::none(),
           py::arg("gradient") = false, py::arg("threads") = 0, py::arg("isa") = "widest",
           "The nearest pair of each configuration: a dict of arrays. `distance` is below 0 for "
           "what\n"
           "overlaps; `normal`, `point_a` and `point_b` go from the robot's shape to the other. "
           "Links\n"
           "and shapes are as in `first_contact`. Beyond a `limit` all ids are -1, and the\n"
           "distance is the largest finite number. gradient=True adds `gradient` (n, values), how\n"
           "fast the distance grows with each value. Other arguments as those of `any_contact`.")
      .def(
          "learn_allowed", &learn_allowed_of, py::arg("n"), py::arg("seed") = 1, py::kw_only(),
          py::arg("margin") = 0.0, py::arg("threads") = 0, py::arg("isa") = "widest",
          "Counts in how many of n random configurations each pair of links touches. Values are\n"
          "uniform within their limits; without limits angles are within a turn, and lengths stay\n"
          "at their start. That a pair never touches is known of these samples alone.")
      .def(
          "attached", &attached_to, py::arg("name"), py::arg("link"), py::arg("scene"),
          py::kw_only(), py::arg("position") = std::array<double, 3>{0, 0, 0},
          py::arg("orientation") = std::array<double, 4>{0, 0, 0, 1},
          py::arg("allowed") = std::vector<std::string>{},
          "The robot with the shapes of a Scene on a link (by name), as one more link of that "
          "name.\n"
          "position and orientation (x, y, z, w) place the scene in the frame of the link. It may\n"
          "touch that link, links of the same body, and those that `allowed` names.")
      .def("detached", &detached_from, py::arg("name"), "The robot without an attachment.")
      .def_property_readonly("attachments", &attachment_names,
                             "Names of what is attached: the last links.")
      .def("scene", &worlds_of, py::arg("q"), py::arg("threads") = 0,
           "The shapes in n worlds, world i in configuration i: for any_contact, min_distance and\n"
           "collide, beside what is `kept`.")
      .def_property_readonly(
          "shapes", [](const RobotObject& self) { return self.shapes; },
          "The Scene of the shapes in the start configuration. `owner` is the link. It is the\n"
          "template of `scene`; do not change it.")
      .def_property_readonly("value_names", &value_names,
                             "The numbers of a configuration: names of joints, without mimics;\n"
                             "joints of several have .x, .y, .z, .angle, .qx, .qy, .qz, .qw.")
      .def_property_readonly("start", &start_of, "(values,) float64: where `shapes` are.")
      .def_property_readonly("limits", &limits_of,
                             "(values, 2) float64: lower and upper limits; infinite for none.")
      .def_property_readonly(
          "body_names", [](const RobotObject& self) { return self.robot.columns().bodies.name; },
          "Names of the bodies: each has the name of its first link.")
      .def_property_readonly(
          "link_names", [](const RobotObject& self) { return self.robot.columns().links.name; },
          "Names of the links, which `owner` counts.")
      .def_property_readonly(
          "link_bodies",
          [](const RobotObject& self) { return copied(self.robot.columns().links.body); },
          "(links,) int32: the body of each link; -1 for the world.")
      .def("__repr__", [](const RobotObject& self) {
        return "<Robot of " + std::to_string(self.robot.values().size()) + " values, " +
               std::to_string(self.robot.body_count()) + " bodies, " +
               std::to_string(self.robot.columns().links.name.size()) + " links>";
      });
}

}  // namespace widephase::python
