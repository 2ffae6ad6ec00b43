#include "tools/formats/read_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <filesystem>

#include "tools/formats/csv.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/height_grid.hpp"
#include "tools/formats/hull_groups.hpp"
#include "tools/formats/json.hpp"
#include "tools/formats/merge_scenes.hpp"
#include "tools/formats/npz.hpp"
#include "tools/formats/scene_names.hpp"
#include "tools/formats/surface_groups.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/wide_texts.hpp"

namespace widephase::tools {

using namespace std::string_view_literals;

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names{
      "npz", "json", "csv",  "lammps-data", "lammps-dump", "trajectory", "vtu",     "obj",
      "stl", "ply",  "urdf", "mjcf",        "planning",    "esri-grid",  "geotiff", "geojson"};
  return names;
}

std::string_view format_name(Format format) {
  return format_names()[static_cast<std::size_t>(format)];
}

Format format_from_name(std::string_view name) {
  const auto& names = format_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw UsageError(fmt::format("{} is not a format", name));
  return static_cast<Format>(found - names.begin());
}

namespace {

std::string ending(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos || path.find('/', dot) != std::string::npos) return {};
  return lower_case(path.substr(dot + 1));
}

/// Whether a line starts with numbers, like the lines of a trajectory.
bool begins_with_numbers(std::string_view line, std::size_t count) {
  std::vector<std::string_view> words;
  split_blanks(line, words);
  double value;
  if (words.size() < count) return false;
  return std::all_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](std::string_view word) { return parse_number(word, value); });
}

/// The name of the first XML element; empty if the text is not XML.
std::string_view first_element(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  for (const auto& [begin, end] :
       {std::pair<std::string_view, std::string_view>{"<?", "?>"}, {"<!--", "-->"}, {"<!", ">"}}) {
    if (!text.starts_with(begin)) continue;
    const std::size_t at = text.find(end, begin.size());
    return at == text.npos ? std::string_view{} : first_element(text.substr(at + end.size()));
  }
  if (!text.starts_with("<")) return {};
  text.remove_prefix(1);
  return text.substr(0, text.find_first_of(" \t\r\n/>"));
}

/// Whether a text has no control bytes, which archives and images are full of.
bool is_text(std::string_view start) {
  return std::none_of(start.begin(), start.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' && (c < '\t' || c > '\r');
  });
}

/// The first line that is neither empty nor a comment.
std::string_view first_line(std::string_view text) {
  Lines lines(without_mark(text));
  std::string_view line;
  while (lines.next(line)) {
    if (!trim(line).empty() && trim(line).front() != '#') return line;
  }
  return {};
}

std::optional<Format> format_of_content(std::string_view start) {
  start = without_mark(start);
  const std::string_view text = trim(start);
  if (start.starts_with("ply\n") || start.starts_with("ply\r")) return Format::ply;
  if (text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06")) return Format::npz;
  for (const std::string_view mark : {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv}) {
    if (start.starts_with(mark)) return Format::geotiff;
  }
  if (!is_text(start)) return std::nullopt;
  if (lower_case(text.substr(0, 5)) == "ncols") return Format::esri_grid;
  if (text.starts_with("ITEM:")) return Format::lammps_dump;
  const std::string_view element = first_element(start);
  if (element == "VTKFile") return Format::vtu;
  if (element == "robot") return Format::urdf;
  if (element == "mujoco") return Format::mjcf;
  if (text.starts_with("{")) return Format::json;
  for (const std::string_view word : {" xlo xhi", "\nAtoms", " atom types"}) {
    if (text.find(word) != text.npos) return Format::lammps_data;
  }
  const std::string_view line = first_line(start);
  if (is_trajectory_header(line) || begins_with_numbers(line, 4)) return Format::trajectory;
  if (line.find(',') != line.npos) return Format::csv;
  return std::nullopt;
}

/// What a file is instead, whose format is not read; empty if that is unknown.
std::string other_format_text(std::string_view start, const std::string& word) {
  if (start.find_first_not_of(" \t\r\n") == start.npos) return "is empty";
  if (start.starts_with("\x93NUMPY")) {
    return "is a single NumPy array; a scene is an archive of named arrays, as in "
           "numpy.savez(\"scene.npz\", **{\"circle.center\": centers, \"circle.radius\": radii})";
  }
  if (start.starts_with("\x1f\x8b") || start.starts_with("BZh") ||
      start.starts_with("\xfd"
                        "7zXZ") ||
      start.starts_with("\x28\xb5\x2f\xfd")) {
    return "is compressed; unpack it first";
  }
  constexpr std::string_view kMeshes[] = {"off", "dae", "gltf", "glb", "fbx", "stp",  "step",
                                          "3ds", "usd", "usda", "vtk", "vtp", "blend"};
  if (std::ranges::find(kMeshes, word) != std::end(kMeshes)) {
    return fmt::format("is of the format {}, which is not read; save the mesh as OBJ, STL or PLY",
                       word);
  }
  return {};
}

}  // namespace

Format detect_format(const std::string& path) {
  constexpr std::size_t kStart = 8192;
  const std::string word = ending(path);
  if (word == "npz") return Format::npz;
  if (word == "json") return Format::json;
  if (word == "csv") {
    // Trajectories are written as CSV too; their header tells.
    const bool is_trajectory = is_trajectory_header(first_line(read_start(path, kStart)));
    return is_trajectory ? Format::trajectory : Format::csv;
  }
  if (word == "vtu") return Format::vtu;
  if (word == "obj") return Format::obj;
  if (word == "stl") return Format::stl;
  if (word == "ply") return Format::ply;
  if (word == "urdf") return Format::urdf;
  if (word == "mjcf") return Format::mjcf;
  if (word == "yaml" || word == "yml") return Format::planning;
  if (word == "asc") return Format::esri_grid;
  if (word == "tif" || word == "tiff") return Format::geotiff;
  if (word == "geojson" || word == "topojson") return Format::geojson;
  const std::string start = read_start(path, kStart);
  if (const std::optional<Format> format = format_of_content(start)) return *format;
  if (const std::string text = other_format_text(start, word); !text.empty()) {
    throw FileError(path, text);
  }
  throw FileError(path, fmt::format("is of no known format; say which with {}: {}",
                                    option("format"), fmt::join(format_names(), ", ")));
}

Format output_format(const std::string& path, std::string_view advice) {
  const std::string word = ending(path);
  if (word == "npz") return Format::npz;
  if (word == "json") return Format::json;
  if (word == "csv") return Format::csv;
  throw UsageError(fmt::format("{} does not end in .npz, .json or .csv; {}", path, advice));
}

double units_per_metre(std::string_view unit) {
  return unit == "m" ? 1 : unit == "cm" ? 100 : unit == "mm" ? 1000 : 0;
}

namespace {

std::vector<NamedArray> read_scene_arrays(const std::string& path) {
  std::vector<NamedArray> arrays = read_npz(path, is_scene_name);
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(arrays, [&](const NamedArray& entry) { return entry.name == name; });
  };
  if (has("pair") && has("normal") && has("depth")) {
    throw FileError(path, "holds contacts, which a scene was collided to; expected that scene");
  }
  return arrays;
}

SceneFile read_mesh(const std::string& path, Format format, const ReadOptions& options,
                    std::vector<std::string>& notes) {
  const MeshUse use = options.surface ? MeshUse::surface : MeshUse::hull;
  std::vector<MeshGroup> groups = format == Format::obj   ? read_obj(path, use)
                                  : format == Format::stl ? read_stl(path, use)
                                                          : read_ply(path, use);
  for (MeshGroup& group : groups) {
    if (options.unit.empty()) break;
    for (std::array<double, 3>& point : group.points) {
      for (double& value : point) value /= units_per_metre(options.unit);
    }
  }
  return options.surface ? scene_of_surfaces(path, groups, options.weld, notes)
                         : scene_of_hulls(path, groups, options.max_vertices, notes);
}

SceneFile read_any(const std::string& path, Format format, const ReadOptions& options,
                   std::vector<std::string>& notes) {
  switch (format) {
    case Format::npz:
      return SceneFile(path, read_scene_arrays(path), true);
    case Format::json:
      return read_json(path);
    case Format::csv:
      return read_csv(path, options.radius);
    case Format::lammps_data:
      return read_lammps_data(path, options, notes);
    case Format::lammps_dump:
      return read_lammps_dump(path, options);
    case Format::trajectory:
      return read_trajectory(path, options);
    case Format::vtu:
      return read_vtu(path, options);
    case Format::obj:
    case Format::stl:
    case Format::ply:
      return read_mesh(path, format, options, notes);
    case Format::urdf:
      return read_urdf(path, options, notes);
    case Format::mjcf:
      return read_mjcf(path, options, notes);
    case Format::esri_grid:
      return read_esri_grid(path);
    case Format::geotiff:
      return read_geotiff(path, notes);
    case Format::geojson:
      return read_chains(path, notes);
    case Format::planning:
      break;
  }
  // What surrounds a robot does so in each of its configurations, which are worlds.
  SceneFile scene = read_planning(path);
  if (!options.world) scene.set_world(-1);
  return scene;
}

void expect_folders(std::string_view name, const std::vector<std::string>& folders) {
  std::error_code ignored;
  for (const std::string& folder : folders) {
    if (std::filesystem::is_directory(folder, ignored)) continue;
    throw UsageError(fmt::format("{} is not a folder", option(name, folder)));
  }
}

constexpr std::string_view kMeshes = "meshes (obj, stl, ply, and those of urdf and mjcf)";

void check_options(const std::string& path, Format format, const ReadOptions& options) {
  const auto refuse = [&](std::string_view name, std::string_view formats, std::string_view is) {
    throw UsageError(
        fmt::format("{0} is for {1}, and {2} {3}; leave {0} out", option(name), formats, path, is));
  };
  const std::string is_other = fmt::format("is of the format {}", format_name(format));
  if (format != Format::trajectory && !is_mesh_format(format) && !options.unit.empty()) {
    refuse("unit", "trajectories and meshes", is_other);
  }
  if (!options.unit.empty() && units_per_metre(options.unit) == 0) {
    throw UsageError(fmt::format("{} is not a unit that is known; expected m, cm or mm",
                                 option("unit", options.unit)));
  }
  if ((format == Format::npz || format == Format::json) && options.radius) {
    throw UsageError(fmt::format("{} has radii of its own; leave {} out", path, option("radius")));
  }
  if (is_mesh_format(format) && options.radius)
    refuse("radius", "particles", "becomes hulls or surfaces");
  if ((is_robot_format(format) || is_map_format(format)) && options.radius) {
    refuse("radius", "particles", is_other);
  }
  const bool is_robot = format == Format::urdf || format == Format::mjcf;
  if (!is_robot && !options.joints.empty()) refuse("joints", "urdf and mjcf", is_other);
  if (options.joints.empty() && options.ignore_columns) {
    throw UsageError(fmt::format("{} is for the file of {}; leave it out", option("ignore_columns"),
                                 option("joints")));
  }
  if (format != Format::mjcf && !options.keyframe.empty()) refuse("keyframe", "mjcf", is_other);
  if (format != Format::urdf && !options.package_path.empty()) {
    refuse("package_path", "urdf", is_other);
  }
  if (format != Format::urdf && !options.srdf.empty()) refuse("srdf", "urdf", is_other);
  if (!is_robot && !options.allow_files.empty()) refuse("allow_files", "urdf and mjcf", is_other);
  expect_folders("allow_files", options.allow_files);
  expect_folders("package_path", options.package_path);
  if (format != Format::lammps_data && !options.style.empty()) {
    refuse("style", "lammps-data", is_other);
  }
  if (!is_mesh_format(format) && !is_robot && options.max_vertices != 0) {
    refuse("max_vertices", kMeshes, is_other);
  }
  if (!is_mesh_format(format) && !is_robot && options.surface) refuse("surface", kMeshes, is_other);
  if (options.surface && options.max_vertices != 0) {
    throw UsageError(fmt::format("{} is for hulls, and {} makes none of meshes; leave one out",
                                 option("max_vertices"), option("surface")));
  }
  if (options.weld && !options.surface) {
    throw UsageError(fmt::format("{} is for surfaces; add {} or leave it out", option("weld"),
                                 option("surface")));
  }
  if (options.weld && !(*options.weld > 0 && std::isfinite(*options.weld))) {
    throw UsageError(fmt::format("{} is not a distance; expected a finite number above 0",
                                 option("weld", fmt::format("{}", *options.weld))));
  }
}

}  // namespace

SceneFile read_scene(const std::string& path, Format format, const ReadOptions& options) {
  std::vector<std::string> notes;
  return read_scene(path, format, options, notes);
}

SceneFile read_scene(const std::string& path, Format format, const ReadOptions& options,
                     std::vector<std::string>& notes) {
  check_options(path, format, options);
  SceneFile scene = read_any(path, format, options, notes);
  if (options.dimension != 0 && options.dimension != scene.dimension()) {
    throw UsageError(fmt::format("{} is a {}D scene; expected {}", path, scene.dimension(),
                                 option("dimension", std::to_string(scene.dimension()))));
  }
  if (!options.periodic.empty()) scene.set_periodic(options.periodic);
  if (options.world) scene.set_world(*options.world);
  return scene;
}

namespace {

/// What a format takes of the options that are meant for one of several inputs.
ReadOptions options_of(Format format, const ReadOptions& given) {
  ReadOptions options = given;
  const bool has_sizes = is_scene_format(format) || is_mesh_format(format) ||
                         is_robot_format(format) || is_map_format(format);
  if (has_sizes || format == Format::lammps_data) options.radius.reset();
  if (format != Format::trajectory) options.unit.clear();
  const bool is_robot = format == Format::urdf || format == Format::mjcf;
  if (!is_robot) options.joints.clear();
  if (!is_robot) options.ignore_columns = false;
  if (!is_robot) options.allow_files.clear();
  if (format != Format::mjcf) options.keyframe.clear();
  if (format != Format::urdf) options.package_path.clear();
  if (format != Format::urdf) options.srdf.clear();
  if (format != Format::lammps_data) options.style.clear();
  if (!is_mesh_format(format) && !is_robot) {
    options.max_vertices = 0;
    options.surface = false;
    options.weld.reset();
  }
  if (is_robot_format(format) || is_mesh_format(format) || is_map_format(format)) {
    options.periodic.clear();
  }
  return options;
}

/// Gives the first input what no input takes, so that it says what is wrong with that.
void refuse_rest(const ReadOptions& given, std::vector<ReadOptions>& taken) {
  const auto refuse = [&](auto member) {
    const auto has = [&](const ReadOptions& options) { return options.*member == given.*member; };
    if (std::ranges::none_of(taken, has)) taken.front().*member = given.*member;
  };
  refuse(&ReadOptions::radius);
  refuse(&ReadOptions::unit);
  refuse(&ReadOptions::joints);
  refuse(&ReadOptions::ignore_columns);
  refuse(&ReadOptions::allow_files);
  refuse(&ReadOptions::keyframe);
  refuse(&ReadOptions::package_path);
  refuse(&ReadOptions::srdf);
  refuse(&ReadOptions::style);
  refuse(&ReadOptions::max_vertices);
  refuse(&ReadOptions::surface);
  refuse(&ReadOptions::weld);
  refuse(&ReadOptions::periodic);
}

}  // namespace

SceneFile read_scenes(const std::vector<std::string>& inputs, std::optional<Format> format,
                      const ReadOptions& options, const std::string& path,
                      std::vector<std::string>& notes) {
  std::vector<Format> formats;
  std::vector<ReadOptions> taken;
  for (const std::string& input : inputs) {
    formats.push_back(format ? *format : detect_format(input));
    taken.push_back(options_of(formats.back(), options));
  }
  refuse_rest(options, taken);
  std::vector<SceneFile> scenes;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    scenes.push_back(read_scene(inputs[i], formats[i], taken[i], notes));
  }
  if (scenes.size() == 1) return std::move(scenes.front());
  std::vector<const SceneFile*> all;
  for (const SceneFile& scene : scenes) all.push_back(&scene);
  return merged(path, all, notes);
}

std::vector<std::string> write_scene(const SceneFile& scene, Format format, OutputFile& file) {
  if (format == Format::csv) return write_csv(scene, file);
  if (format == Format::json) {
    write_json(scene, file);
    return {};
  }
  if (format != Format::npz) {
    throw UsageError(
        fmt::format("{} cannot be written; expected npz, json or csv", format_name(format)));
  }
  const std::int32_t dimension = scene.dimension();
  std::vector<ArrayView> views{{"dimension", Type::int32, {}, &dimension}};
  std::deque<WideTexts> texts;
  for (const NamedArray& entry : scene.arrays()) {
    ArrayView& view = views.emplace_back();
    view = {entry.name, entry.array.type(), entry.array.shape(), entry.array.bytes().data()};
    if (view.type != Type::text) continue;
    const WideTexts& wide = texts.emplace_back(wide_texts(entry.array));
    view.data = wide.characters.data();
    view.text_width = wide.width;
  }
  write_npz(views, file);
  return {};
}

bool is_flat(const Particles& particles) {
  if (particles.domain.empty() || particles.radii.empty()) return false;
  const double thickness = particles.domain[5] - particles.domain[2];
  const double largest = 2 * *std::max_element(particles.radii.begin(), particles.radii.end());
  for (std::size_t i = 2; i < particles.positions.size(); i += 3) {
    if (particles.positions[i] != particles.positions[2]) return false;
  }
  return thickness <= largest;
}

SceneFile read_complete_scene(const std::string& path) {
  const auto convert_first = [&](const std::string& what, std::string_view options) {
    return FileError(path, fmt::format("{}; convert it first: widephase convert {}{} -o scene.npz",
                                       what, path == kStandardInput ? "-" : path, options));
  };
  const Format format = detect_format(path);
  if (!is_scene_format(format)) {
    throw convert_first(fmt::format("is of the format {}", format_name(format)),
                        format == Format::trajectory ? " --radius 0.2" : "");
  }
  try {
    return read_scene(path, format);
  } catch (const NoRadius&) {
    throw convert_first("names no radius", " --radius 0.5");
  }
}

SceneFile scene_of(const std::string& path, const Particles& particles, int dimension) {
  const std::size_t count = particles.radii.size();
  for (std::size_t i = 0; dimension == 2 && i < count; ++i) {
    if (particles.positions[3 * i + 2] != particles.positions[2]) {
      throw UsageError(fmt::format("{} has particles at different z; {} needs all in one plane",
                                   path, option("dimension", "2")));
    }
  }
  const auto width = static_cast<std::size_t>(dimension);
  const std::string kind = dimension == 2 ? "circle" : "sphere";
  Array centers(Type::float64, {count, width});
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t w = 0; w < width; ++w) {
      centers.values<double>()[i * width + w] = particles.positions[3 * i + w];
    }
  }
  std::vector<NamedArray> arrays;
  arrays.push_back({"dimension", Array::of(std::vector<std::int32_t>{dimension}, {})});
  arrays.push_back({kind + ".center", std::move(centers)});
  arrays.push_back({kind + ".radius", Array::of(particles.radii)});
  if (!particles.worlds.empty()) {
    arrays.push_back({kind + ".world", Array::of(particles.worlds)});
  }
  if (!particles.frames.empty()) arrays.push_back({"world.frame", Array::of(particles.frames)});
  if (!particles.keys.empty()) arrays.push_back({kind + ".key", Array::of(particles.keys)});
  if (!particles.domain.empty()) {
    const auto part = [&](const auto& values, std::size_t first) {
      auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
      return Array::of(std::vector(begin, begin + dimension));
    };
    arrays.push_back({"domain.min", part(particles.domain, 0)});
    arrays.push_back({"domain.max", part(particles.domain, 3)});
    arrays.push_back({"domain.periodic", part(particles.periodic, 0)});
  }
  return SceneFile(path, std::move(arrays));
}

}  // namespace widephase::tools
