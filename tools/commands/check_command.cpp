#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include <widephase/robot_distances.hpp>
#include <widephase/robot_motions.hpp>

#include "tools/commands/check_page.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/learn_pairs.hpp"
#include "tools/commands/outputs.hpp"
#include "tools/commands/progress.hpp"
#include "tools/commands/scene_page.hpp"
#include "tools/formats/contact_sides.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/mesh_groups.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/wording.hpp"
#include "tools/robots/joint_values.hpp"
#include "tools/robots/link_name.hpp"
#include "tools/robots/read_robot.hpp"

namespace widephase::tools {

namespace {

constexpr int kFree = 0;
constexpr int kHit = 3;

struct CheckArguments {
  std::string robot;
  std::string srdf;
  std::vector<std::string> against;
  std::string page;
  CollideOptions options;
  ReadOptions read;
  std::optional<double> radius;  ///< of points
  LearnArguments learn;
  bool motions = false;
  std::optional<double> resolution;  ///< of samples of motions; none: proofs
  bool distance = false;
  bool json = false;

  Output out_file() const { return {"--out", page}; }
};

/// A row of `RobotContacts` for people.
struct NamedContact {
  std::int64_t row = 0;
  std::string link, other;
  double depth = 0;

  /// "panda_hand meets shelf_top, 3 mm deep".
  std::string text() const {
    const double millimetres = 1000 * std::abs(depth);
    return fmt::format("{} meets {}, {:.3g} mm {}", printable(link), printable(other), millimetres,
                       depth < 0 ? "apart" : "deep");
  }
};

std::string part_name(const Robot& robot, std::int32_t link, std::int32_t shape) {
  return link >= 0 ? link_name(robot, link) : fmt::format("shape {}", shape);
}

/// What is around the robot, with the names of obstacles.
struct Surroundings {
  std::optional<SceneFile> scene;
  Environment environment;
  ShapesById obstacles;

  /// With a radius the scene's spheres are points.
  void take(SceneFile file, const std::optional<double>& radius) {
    scene.emplace(std::move(file));
    if (scene->dimension() != 3) throw FileError(scene->path(), "is in 2D; robots are in 3D");
    SceneColumns<3, double> columns;
    scene->to_columns(columns);
    try {
      // Others are refused below.
      if (radius && world_count<3, double>(columns) <= 1 && !columns.domain.is_periodic()) {
        environment = Environment::points(columns.spheres.center, *radius);
      } else {
        environment = Environment(SceneSpan<3, double>(columns));
      }
    } catch (const Error& error) {
      throw FileError(scene->path(), said_of(error, *scene));
    }
    if (environment.world_count() > 1) {
      throw FileError(scene->path(), fmt::format("has {}; expected obstacles of one",
                                                 counted(environment.world_count(), "world")));
    }
    obstacles.moving = rows_of(*scene);
  }

  /// The other side of a row of pairs.
  std::string other(const Robot& robot, const RobotPairs& pairs, std::size_t row) const {
    if (pairs.obstacle[row] >= 0) return obstacles.word(pairs.obstacle[row]);
    return part_name(robot, pairs.other_link[row], pairs.other_shape[row]);
  }
};

/// A file of points, as spheres of the radius.
SceneFile read_points(const std::string& path, double radius, std::vector<std::string>& notes) {
  const Format format = detect_format(path);
  ReadOptions options;
  options.radius = radius;
  if (format != Format::ply) return read_scene(path, format, options, notes);
  SceneColumns<3, double> points;
  for (const MeshGroup& group : read_ply(path, MeshUse::all_vertices)) {
    for (const auto& point : group.points) points.spheres.center.push_back(point);
  }
  points.spheres.radius.resize(points.spheres.center.size(), radius);
  return SceneFile::of<3, double>(path, points);
}

std::vector<NamedContact> contacts_of(const Robot& robot, const Configurations<double>& q,
                                      const Surroundings& around, const CheckArguments& arguments) {
  RobotContacts found;
  Workspace<3, double> workspace;
  contacts(robot, q, around.environment, found, workspace, arguments.options);
  std::vector<NamedContact> named;
  for (std::size_t i = 0; i < found.depth.size(); ++i) {
    NamedContact& contact = named.emplace_back();
    contact.row = found.configuration[i];
    contact.depth = found.depth[i];
    contact.link = part_name(robot, found.link[i], found.shape[i]);
    contact.other = around.other(robot, found, i);
  }
  return named;
}

/// A line per configuration that touches: its deepest pair, and how many others.
std::string lines_of(const std::vector<NamedContact>& contacts, std::size_t& rows) {
  std::string text;
  rows = 0;
  for (std::size_t begin = 0; begin < contacts.size(); ++rows) {
    std::size_t end = begin, deepest = begin;
    for (; end < contacts.size() && contacts[end].row == contacts[begin].row; ++end) {
      if (contacts[end].depth > contacts[deepest].depth) deepest = end;
    }
    text += fmt::format("row {}: {}", contacts[begin].row, contacts[deepest].text());
    if (end - begin > 1) {
      text += fmt::format(" ({} more)", grouped(static_cast<std::int64_t>(end - begin - 1)));
    }
    text += "\n";
    begin = end;
  }
  return text;
}

/// Names from files may have bytes that are no UTF-8.
void print_json(const nlohmann::ordered_json& json) {
  using Json = nlohmann::ordered_json;
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

nlohmann::ordered_json json_of(const NamedContact& contact) {
  return {{"row", contact.row},
          {"link", contact.link},
          {"other", contact.other},
          {"depth", contact.depth}};
}

/// "3 of 20 configurations hit".
std::string count_text(std::size_t hits, std::size_t count, const std::string& noun) {
  return fmt::format("{} of {} {}\n", grouped(static_cast<std::int64_t>(hits)),
                     counted(static_cast<std::int64_t>(count), noun), hits == 1 ? "hits" : "hit");
}

int check_configurations(const Robot& robot, const Configurations<double>& q,
                         const Surroundings& around, const CheckArguments& arguments) {
  const std::vector<NamedContact> contacts = contacts_of(robot, q, around, arguments);
  std::size_t rows = 0;
  const std::string lines = lines_of(contacts, rows);
  if (arguments.json) {
    nlohmann::ordered_json json{{"configurations", q.count}, {"hits", rows}};
    json["contacts"] = nlohmann::ordered_json::array();
    for (const NamedContact& contact : contacts) json["contacts"].push_back(json_of(contact));
    print_json(json);
  } else {
    print_text(lines + count_text(rows, q.count, "configuration"), {arguments.out_file()});
  }
  return rows == 0 ? kFree : kHit;
}

/// The nearest pair of each configuration.
int check_distances(const Robot& robot, const Configurations<double>& q, const Surroundings& around,
                    const CheckArguments& arguments) {
  RobotDistances found;
  Workspace<3, double> workspace;
  min_distance(robot, q, around.environment, found, workspace, {}, arguments.options);
  std::string text;
  std::size_t hits = 0;
  nlohmann::ordered_json json{{"configurations", q.count}, {"hits", 0}};
  json["nearest"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < q.count; ++i) {
    if (found.shape[i] < 0) {
      text += fmt::format("row {}: nothing may meet\n", i);
      continue;
    }
    const std::string link = part_name(robot, found.link[i], found.shape[i]);
    const std::string other = around.other(robot, found, i);
    hits += found.distance[i] <= arguments.options.margin ? 1 : 0;
    text += fmt::format("row {}: {} and {}, {:.6g}\n", i, printable(link), printable(other),
                        found.distance[i]);
    json["nearest"].push_back(
        {{"row", i}, {"link", link}, {"other", other}, {"distance", found.distance[i]}});
  }
  json["hits"] = hits;
  if (arguments.json) {
    print_json(json);
  } else {
    print_text(text + count_text(hits, q.count, "configuration"), {arguments.out_file()});
  }
  return hits == 0 ? kFree : kHit;
}

/// Motions from each configuration to the next one, proven free or sampled. `steps` gets
/// configurations along them for a page.
int check_path(const Robot& robot, const Configurations<double>& q, const Surroundings& around,
               const CheckArguments& arguments, std::vector<double>& steps) {
  Configurations<double> from = q, to = q;
  from.count = to.count = q.count - 1;
  to.first += q.width;
  MotionChecks checks;
  MotionOptions wanted;
  wanted.proof = !arguments.resolution;
  wanted.resolution = arguments.resolution.value_or(wanted.resolution);
  Workspace<3, double> workspace;
  check_motions(robot, from, to, around.environment, checks, workspace, wanted, arguments.options);
  if (!arguments.page.empty()) steps = steps_along(q, checks);
  std::string text;
  std::size_t hits = 0, undecided = 0;
  nlohmann::ordered_json json{{"motions", from.count}, {"hits", 0}, {"undecided", 0}};
  json["proof"] = wanted.proof;
  if (!wanted.proof) json["resolution"] = wanted.resolution;
  json["found"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < from.count; ++i) {
    if (checks.status[i] == MotionStatus::free) continue;
    if (checks.status[i] == MotionStatus::undecided) {
      ++undecided;
      text += fmt::format("rows {} to {}: undecided, too near to something\n", i, i + 1);
      json["found"].push_back({{"row", i}, {"status", "undecided"}});
      continue;
    }
    ++hits;
    const double t = checks.at[i];
    std::vector<double> there;
    for (std::size_t v = 0; v < q.width; ++v) {
      const double a = q.first[i * q.width + v], b = q.first[(i + 1) * q.width + v];
      there.push_back(t == 1 ? b : a + t * (b - a));
    }
    Configurations<double> one(there, q.width);
    one.count = 1;
    const std::vector<NamedContact> contacts = contacts_of(robot, one, around, arguments);
    const auto deepest = std::ranges::max_element(contacts, {}, &NamedContact::depth);
    text += fmt::format("rows {} to {}: at {:.4g} of the way {}\n", i, i + 1, t,
                        deepest == contacts.end() ? "it touches" : deepest->text());
    nlohmann::ordered_json row{{"row", i}, {"status", "hit"}, {"at", t}};
    row["contacts"] = nlohmann::ordered_json::array();
    for (NamedContact contact : contacts) {
      contact.row = static_cast<std::int64_t>(i);
      row["contacts"].push_back(json_of(contact));
    }
    json["found"].push_back(std::move(row));
  }
  json["hits"] = hits;
  json["undecided"] = undecided;
  if (arguments.json) {
    print_json(json);
  } else {
    print_text(text + count_text(hits, from.count, "motion"), {arguments.out_file()});
  }
  return hits + undecided == 0 ? kFree : kHit;
}

/// A fault of configurations is one of --joints, in rows that count as those of the output.
FileError said_of_joints(const CheckArguments& arguments, const Error& error) {
  const std::optional<Finding>& finding = error.finding();
  const bool is_end = finding && finding->array == "to";
  const bool is_of_joints =
      finding && finding->row >= 0 && (finding->array == "q" || finding->array == "from" || is_end);
  if (!is_of_joints || arguments.read.joints.empty()) {
    return FileError(arguments.robot, said(error));
  }
  // A motion goes from its row to the next one.
  return FileError(arguments.read.joints, fmt::format("row {} {}", finding->row + (is_end ? 1 : 0),
                                                      printable(finding->message)));
}

int run_check(const CheckArguments& arguments) {
  if (arguments.radius && arguments.against.size() != 1) {
    throw UsageError("--radius is that of the points of one file; give one --against");
  }
  for (const std::string& written : {arguments.page, arguments.learn.srdf}) {
    for (const std::string& read : {arguments.robot, arguments.srdf}) {
      if (!is_same_file(read, written)) continue;
      throw UsageError(fmt::format("{} is read here; name another file to write", written));
    }
  }
  check_ending("--out", arguments.page, {".html"});
  check_streams({arguments.out_file()}, arguments.json);
  if (!arguments.page.empty()) require_page();
  Progress progress("loading " + arguments.robot);
  std::vector<std::string> notes;
  const RobotFile file = read_robot(arguments.robot, detect_format(arguments.robot), arguments.srdf,
                                    arguments.read, notes);
  const Robot robot = robot_of(arguments.robot, file.columns);
  if (arguments.learn.count > 0) {
    progress.finish();
    for (const std::string& note : notes) print_error(printable(note));
    learn_pairs(arguments.learn, file, robot, arguments.options, arguments.json);
    return kFree;
  }
  const std::vector<JointValue> values = joint_values_of(robot);
  std::vector<double> numbers;
  std::size_t count = 0;
  for (const std::vector<double>& row :
       read_joint_values(arguments.read.joints, values, arguments.read.ignore_columns, notes)) {
    numbers.insert(numbers.end(), row.begin(), row.end());
    ++count;
  }
  if (arguments.motions && count < 2) {
    throw UsageError("--motions go from each configuration to the next; give --joints two or more");
  }
  Surroundings around;
  if (!arguments.against.empty()) {
    progress.stage(fmt::format("loading {}", fmt::join(arguments.against, ", ")));
    const std::optional<double>& radius = arguments.radius;
    around.take(radius ? read_points(arguments.against.front(), *radius, notes)
                       : read_scenes(arguments.against, {}, {}, arguments.against.front(), notes),
                radius);
  }
  progress.finish();
  for (const std::string& note : notes) print_error(printable(note));
  Configurations<double> q(numbers, values.size());
  q.count = count;  // of a robot without joints too
  std::vector<double> steps;
  try {
    const int code = arguments.motions    ? check_path(robot, q, around, arguments, steps)
                     : arguments.distance ? check_distances(robot, q, around, arguments)
                                          : check_configurations(robot, q, around, arguments);
    if (arguments.page.empty()) return code;
    Configurations<double> shown = q;
    if (arguments.motions) {
      shown = Configurations<double>(steps, q.width);
      if (q.width == 0) shown.count = 1;
    }
    const SceneFile* const scene = around.scene ? &*around.scene : nullptr;
    const std::size_t bytes = write_check_page(
        arguments.page, {arguments.robot, robot, file.names, around.environment, scene}, shown,
        arguments.options);
    if (!arguments.json) {
      print_text(fmt::format("wrote {} ({}, {:.1f} MB)\n", arguments.page,
                             counted(static_cast<std::int64_t>(shown.count), "step"),
                             static_cast<double>(bytes) / (1 << 20)),
                 {arguments.out_file()});
    }
    return code;
  } catch (const Error& error) {
    throw said_of_joints(arguments, error);
  }
}

}  // namespace

std::function<int()> add_check(CLI::App& app) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = add_command(
      app, "check", "Find which configurations of a robot touch it or its surroundings");
  command->add_option("ROBOT", arguments->robot, "A robot: URDF or MJCF")
      ->required()
      ->transform(input_file());
  command
      ->add_option(
          "--srdf", arguments->srdf,
          "Of URDF: the file of links that never meet, SRDF or MoveIt's matrix in YAML; all "
          "others may (default: bodies that a joint connects never meet)")
      ->type_name("FILE")
      ->transform(input_file());
  CLI::Option* const joints = command->add_option(
      "--joints", arguments->read.joints,
      "Values between commas (radians, metres), or a file with a line per configuration (.csv, "
      ".npy), as for convert (default: where the robot starts)");
  CLI::Option* const against = command->add_option(
      "--against", arguments->against,
      "What surrounds the robot: a planning scene, a scene, or another file that "
      "convert reads (may be given several times)");
  against->type_name("FILE")->allow_extra_args(false);
  command
      ->add_option("--radius", arguments->radius,
                   "The file of --against has points of this radius: the vertices of a PLY, or a "
                   "CSV x,y,z")
      ->type_name("LENGTH")
      ->check(CLI::Validator(check_radius, ""))
      ->needs(against);
  add_margin(*command, arguments->options.margin,
             "Also count what is apart by no more than this (default: 0)");
  command
      ->add_option("--threads", arguments->options.threads.count,
                   "How many threads work (default: as many as the machine has)")
      ->type_name("N")
      ->transform(whole_number(0, 1024));
  command->add_option("--keyframe", arguments->read.keyframe,
                      "Of MJCF: the keyframe, by name or number from 0, where joints start");
  command
      ->add_option("--package-path", arguments->read.package_path,
                   "A folder of packages, or a package, for the package:// of a URDF robot's "
                   "meshes (may be given several times)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command
      ->add_option("--allow-files", arguments->read.allow_files,
                   "A folder below which the files that a robot names may be, beside its own (may "
                   "be given several times)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  CLI::Option* const ignore = command->add_flag(
      "--ignore-columns", arguments->read.ignore_columns,
      "Leave out columns of a CSV of --joints that name no joint, such as the time");
  CLI::Option* const distance =
      command->add_flag("--distance", arguments->distance,
                        "Print the nearest pair of each configuration and its distance, below 0 "
                        "for what overlaps");
  CLI::Option* const motions = command->add_flag(
      "--motions", arguments->motions,
      "Check the motions from each configuration to the next one, for all times between");
  motions->excludes(distance);
  command
      ->add_option("--resolution", arguments->resolution,
                   "Of --motions: ask samples at most this far apart, as a length of values "
                   "(radians, metres), instead of proving what is between")
      ->type_name("R")
      ->check(CLI::Validator(check_distance, ""))
      ->needs(motions);
  CLI::Option* const learn = command->add_option(
      "--learn", arguments->learn.count,
      "Ask this many random configurations instead, such as 10000, which links always touch and "
      "which never do; that they never do is known of these alone");
  learn->type_name("N")->transform(whole_number(1, std::numeric_limits<std::int32_t>::max()));
  for (CLI::Option* other : {joints, against, ignore, distance, motions}) learn->excludes(other);
  command
      ->add_option("--seed", arguments->learn.seed,
                   "Of --learn: which random configurations (default: 1)")
      ->type_name("N")
      ->transform(whole_number(0, std::numeric_limits<std::int64_t>::max()))
      ->needs(learn);
  command
      ->add_option("--write-srdf", arguments->learn.srdf,
                   "Of --learn: the SRDF to write, with the pairs that a joint connects, always "
                   "touch or never do")
      ->type_name("FILE")
      ->transform(output_file())
      ->needs(learn);
  command->add_flag("--json", arguments->json, "Print one JSON object and nothing else");
  CLI::Option* const page = command->add_option(
      "-o,--out", arguments->page,
      "Write a page too: .html, with a step per configuration, or many along each of --motions, "
      "and the contacts of each");
  page->type_name("FILE")->transform(output_file())->excludes(learn);
  command->footer(
      "Prints a line per configuration that touches: its deepest pair, with lengths in metres.\n"
      "Rows count from 0, below a header of names. Motions are linear in the values of joints, "
      "and\n"
      "angles are not wrapped; one that passes too near to be sure is undecided. By --resolution\n"
      "only samples are known. Exit codes: 0 all are free, 3 some touch or are undecided, 1 a\n"
      "problem in the input, 2 wrong usage.\n"
      "\n"
      "Examples:\n"
      "  widephase check arm.urdf --srdf arm.srdf --joints q.csv --against shelf.yaml\n"
      "  widephase check arm.urdf --joints 0,-0.785,0,-2.356,0,1.571,0.785\n"
      "  widephase check arm.urdf --joints path.csv --against shelf.yaml --motions\n"
      "  widephase check arm.urdf --joints path.csv --motions --resolution 0.03 --json\n"
      "  widephase check arm.urdf --joints path.csv --against shelf.yaml --motions -o path.html\n"
      "  widephase check arm.urdf --joints q.npy --against shelf.yaml --margin 0.01 --json\n"
      "  widephase check arm.urdf --learn 10000 --write-srdf arm.srdf\n");
  return [arguments] { return run_check(*arguments); };
}

}  // namespace widephase::tools
