#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include <widephase/hulls.hpp>

#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/option_values.hpp"
#include "tools/commands/outputs.hpp"
#include "tools/commands/progress.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/wording.hpp"

namespace widephase::tools {

namespace {

struct ConvertArguments {
  std::vector<std::string> in;
  std::string out;
  std::string from;
  std::string to;
  ReadOptions options;
};

constexpr const char* kConvertFooter =
    "Reads scenes (.npz, .json, .csv), LAMMPS data files of atom styles sphere and atomic, LAMMPS "
    "text\n"
    "dumps (every step a world), trajectories of lines `id frame x y [z]` (every frame a world; a "
    "header\n"
    "may name the columns), ASCII VTK point sets (.vtu) with a radius array, and meshes (.obj, "
    ".stl,\n"
    ".ply), where each group of faces (OBJ: g, o; STL: solid) becomes a hull, or with --surface a\n"
    "mesh. Decimals are read and written as float64.\n"
    "Robots (URDF), MuJoCo's models (MJCF) and MoveIt's planning scenes (YAML) are read as their\n"
    "collision shapes, carried by bodies; what is read of each: docs/conventions.md. Their meshes\n"
    "likewise become convex hulls or surfaces. Elevation models (ESRI's ASCII grids, .asc, and\n"
    "GeoTIFF) become height fields, lines of maps (GeoJSON, TopoJSON) chains.\n"
    "Of several inputs, those that name no world are in all worlds of the others; owners, bodies,\n"
    "keys and point sets are numbered on.\n"
    "LAMMPS particles that all lie in one plane, in a box no thicker than the largest of them,\n"
    "become discs in 2D. CSV holds circles or spheres: x,y[,z],radius[,world].\n"
    "\n"
    "Examples:\n"
    "  widephase convert trajectory.txt --radius 0.2 -o crowd.npz\n"
    "  widephase convert data.powerlaw --periodic xy -o packing.npz\n"
    "  widephase convert data.spheres --style sphere -o spheres.npz\n"
    "  widephase convert pile.vtu -o pile.npz\n"
    "  widephase convert parts.obj --max-vertices 64 -o parts.npz\n"
    "  widephase convert scan.ply --surface --weld 0.0001 -o scan.npz\n"
    "  widephase convert arm.urdf --joints 0,-0.785,0,-2.356,0,1.571,0.785 -o arm.npz\n"
    "  widephase convert arm.urdf --joints motion.csv -o motion.npz    # a line, a world\n"
    "  widephase convert arm.urdf --srdf arm.srdf -o arm.npz    # links that never meet\n"
    "  widephase convert arm.urdf --package-path ~/robots -o arm.npz    # meshes become hulls\n"
    "  widephase convert humanoids.xml --keyframe squat -o humanoids.npz\n"
    "  widephase convert arena/main.xml --allow-files ../robots -o arena.npz\n"
    "  widephase convert shelf.yaml -o shelf.npz\n"
    "  widephase convert arm.urdf shelf.yaml -o both.npz\n"
    "  widephase convert valley.tif -o valley.npz\n"
    "  widephase convert walls.geojson -o walls.npz\n"
    "  widephase convert scene.json -o scene.npz\n"
    "  zcat trajectory.txt.gz | widephase convert - --radius 0.2 -o crowd.npz\n";

void run_convert(const ConvertArguments& arguments) {
  const Output out{"--out", arguments.out};
  const Format to =
      format_to_write(arguments.out, arguments.to, {Format::npz, Format::json, Format::csv});
  Progress progress(fmt::format("reading {}", fmt::join(arguments.in, ", ")));
  std::optional<Format> from;
  if (!arguments.from.empty()) from = format_from_name(arguments.from);
  std::vector<std::string> notes;
  const SceneFile scene = read_scenes(arguments.in, from, arguments.options, arguments.out, notes);
  progress.stage("writing " + arguments.out);
  OutputFile file(arguments.out);
  const std::vector<std::string> left_out = write_scene(scene, to, file);
  file.commit();
  progress.finish();
  for (const std::string& note : notes) print_error(printable(note));
  if (!left_out.empty()) {
    print_error(fmt::format("{}: left out {}, for which CSV has no place", arguments.out,
                            fmt::join(left_out, ", ")));
  }
  print_text(scene_text(scene, arguments.out) + "\n", {out});
}

}  // namespace

std::function<void()> add_convert(CLI::App& app) {
  auto arguments = std::make_shared<ConvertArguments>();
  CLI::App* command =
      add_command(app, "convert", "Turn particles, crowds, meshes, robots and scenes into scenes");
  command
      ->add_option("IN", arguments->in,
                   "The file to read; of several, the shapes are put into one scene")
      ->required()
      ->transform(input_file());
  command->add_option("-o,--out", arguments->out, "The scene to write: .npz, .json or .csv")
      ->required()
      ->type_name("FILE")
      ->transform(output_file());
  command
      ->add_option("--from", arguments->from,
                   fmt::format("Format of IN, when neither its name nor its beginning tell: {}",
                               fmt::join(format_names(), ", ")))
      ->type_name("FORMAT")
      ->transform(one_of(format_names()));
  command
      ->add_option("--to", arguments->to,
                   "Format to write, if not by the ending: npz, json, csv (default for -: npz)")
      ->type_name("FORMAT")
      ->transform(one_of({"npz", "json", "csv"}));
  command
      ->add_option("--radius", arguments->options.radius,
                   "Radius of all particles, where the file has none; in metres for crowds")
      ->type_name("LENGTH")
      ->check(CLI::Validator(check_radius, ""));
  command
      ->add_option("--unit", arguments->options.unit,
                   "Unit of the lengths in a trajectory or a mesh, which become metres: m, cm, mm "
                   "(default: a trajectory's header's, else as they are)")
      ->type_name("UNIT")
      ->transform(one_of({"m", "cm", "mm"}));
  command
      ->add_option("--dimension", arguments->options.dimension,
                   "2 or 3 (default: as the file suggests)")
      ->type_name("D")
      ->transform(one_of({"2", "3"}));
  command
      ->add_option("--periodic", arguments->options.periodic,
                   "Axes along which the box wraps round: none, x, xy, xyz, ... (default: what "
                   "the file says; a LAMMPS data file says nothing)")
      ->type_name("AXES")
      ->transform(one_of({"none", "x", "y", "z", "xy", "xz", "yz", "xyz"}));
  command
      ->add_option("--max-vertices", arguments->options.max_vertices,
                   "Most vertices of a mesh's hull, 4 to 255: one with more gets a simpler hull "
                   "that encloses it (robots: 255)")
      ->type_name("N")
      ->transform(whole_number(kFewestHullVertices, kMostHullVertices));
  command->add_flag("--surface", arguments->options.surface,
                    "Make surfaces (kind mesh) of meshes and of those of robots, not hulls");
  command
      ->add_option("--weld", arguments->options.weld,
                   "Unite the vertices of surfaces within this distance, in the scene's unit, and "
                   "say how much that moved")
      ->type_name("D")
      ->check(CLI::Validator(check_distance, ""));
  command->add_option(
      "--joints", arguments->options.joints,
      "Of a robot (URDF, MJCF): values between commas (radians, metres) in the order of its "
      "moving joints (MJCF: of qpos), or a file with a line per configuration (.csv, .npy), each "
      "of which is a world (default: URDF all 0, MJCF as the file has them)");
  command
      ->add_option("--srdf", arguments->options.srdf,
                   "Of URDF: the file of links that never meet, as for check (default: bodies that "
                   "a joint connects never meet)")
      ->type_name("FILE")
      ->transform(input_file());
  command->add_option("--keyframe", arguments->options.keyframe,
                      "Of MJCF: the keyframe, by name or number from 0, where joints start");
  command
      ->add_option("--package-path", arguments->options.package_path,
                   "A folder of packages, or a package, for the package:// of a URDF robot's "
                   "meshes (may be given several times)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command
      ->add_option("--world", arguments->options.world,
                   "Of all shapes, where the file names none; -1: in all worlds")
      ->type_name("N")
      ->transform(whole_number(-1, std::numeric_limits<int>::max() - 1));
  command->add_flag("--ignore-columns", arguments->options.ignore_columns,
                    "Leave out columns of a CSV of --joints that name no joint, such as the time");
  command
      ->add_option("--style", arguments->options.style,
                   "Atom style of a LAMMPS data file that does not say it: sphere, atomic")
      ->type_name("STYLE")
      ->transform(one_of({"sphere", "atomic"}));
  command
      ->add_option("--allow-files", arguments->options.allow_files,
                   "A folder below which the files that a robot names may be, beside its own (may "
                   "be given several times)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command->footer(kConvertFooter);
  return [arguments] { run_convert(*arguments); };
}

}  // namespace widephase::tools
