#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/formats/output_file.hpp"
#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

enum class Format {
  npz,
  json,
  csv,
  lammps_data,
  lammps_dump,
  trajectory,
  vtu,
  obj,
  stl,
  ply,
  urdf,
  mjcf,
  planning,
  esri_grid,
  geotiff,
  geojson
};

/// "npz", "lammps-data", ...: the values of `--from`.
std::string_view format_name(Format format);
const std::vector<std::string>& format_names();
Format format_from_name(std::string_view name);

/// By the ending of the file name, or else by how the file starts.
Format detect_format(const std::string& path);

/// Whether the format holds scenes (npz, json, csv). Files of other formats are converted.
constexpr bool is_scene_format(Format format) { return format <= Format::csv; }

/// Whether the format holds meshes, whose groups become hulls or surfaces.
constexpr bool is_mesh_format(Format format) {
  return format >= Format::obj && format <= Format::ply;
}

/// Whether the format holds robots and their surroundings, whose shapes have all sizes.
constexpr bool is_robot_format(Format format) {
  return format >= Format::urdf && format <= Format::planning;
}

/// Whether the format holds maps: rasters of heights, which become height fields, or lines, which
/// become chains.
constexpr bool is_map_format(Format format) { return format >= Format::esri_grid; }

/// What a file of particles, a mesh or a robot may leave open.
struct ReadOptions {
  std::optional<double> radius;  ///< the radius of every particle, in the scene's unit
  /// The unit of a trajectory or a mesh, which become metres: "m", "cm" or "mm"; empty: what the
  /// header of a trajectory says, and a mesh stays as it is.
  std::string unit;
  int dimension = 0;             ///< 0: as the file suggests
  std::string periodic;          ///< axes, "none"; empty: as the file says
  int max_vertices = 0;          ///< of the hulls of meshes: 4 to 255; 0: as many as hulls may have
  std::string joints;            ///< of a URDF or MJCF robot: see joint_values.hpp
  /// The atom style of a LAMMPS data file, "sphere" or "atomic"; empty: as the file says.
  std::string style;
  /// Folders that may also contain the files that a robot names, besides its own folder.
  std::vector<std::string> allow_files;
  std::string keyframe;  ///< of an MJCF model: name or number; empty: the initial configuration
  /// Folders with the packages (or each a package) that a URDF robot names.
  std::vector<std::string> package_path;
  std::optional<int> world;  ///< of all shapes, for a file that names none; -1: all worlds
  bool ignore_columns = false;  ///< of a CSV file of joints, those that name no joint
  bool surface = false;         ///< meshes become surfaces instead of hulls
  /// The distance within which vertices of surfaces become one.
  std::optional<double> weld;
  /// The file of links of a URDF robot that never meet; empty: those that a joint connects.
  std::string srdf = {};
};

/// `notes` gets what the user should know if the scene differs from the file.
SceneFile read_scene(const std::string& path, Format format, const ReadOptions& options,
                     std::vector<std::string>& notes);
SceneFile read_scene(const std::string& path, Format format, const ReadOptions& options = {});
/// Reads several files into one scene (`merged`), to be written to `path`. An option is for the
/// inputs whose format takes it; one that no input takes is an error. `format`: of all; empty: each
/// as its name or beginning tells.
SceneFile read_scenes(const std::vector<std::string>& inputs, std::optional<Format> format,
                      const ReadOptions& options, const std::string& path,
                      std::vector<std::string>& notes);
/// Reads a format that holds scenes. For others a `FileError` says how to convert the file.
SceneFile read_complete_scene(const std::string& path);

/// The format for the ending of an output file. The error for an unknown ending gives `advice`.
Format output_format(const std::string& path, std::string_view advice = "rename it");

/// Writes npz, json or csv. Returns the names of what the format cannot hold.
std::vector<std::string> write_scene(const SceneFile& scene, Format format, OutputFile& file);

/// How many of a unit are a metre: 1, 100 or 1000; 0 for other units.
double units_per_metre(std::string_view unit);

/// Whether the first line of a trajectory names its columns: a frame and others.
bool is_trajectory_header(std::string_view line);

SceneFile read_lammps_data(const std::string& path, const ReadOptions& options,
                           std::vector<std::string>& notes);
SceneFile read_lammps_dump(const std::string& path, const ReadOptions& options);
SceneFile read_trajectory(const std::string& path, const ReadOptions& options);
SceneFile read_vtu(const std::string& path, const ReadOptions& options);
SceneFile read_urdf(const std::string& path, const ReadOptions& options,
                    std::vector<std::string>& notes);
SceneFile read_mjcf(const std::string& path, const ReadOptions& options,
                    std::vector<std::string>& notes);
SceneFile read_planning(const std::string& path);
/// The lines of GeoJSON or TopoJSON as two-sided chains.
SceneFile read_chains(const std::string& path, std::vector<std::string>& notes);

/// The particles that a reader collects. Positions have three numbers; a 2D scene keeps two.
struct Particles {
  std::vector<double> positions;
  std::vector<double> radii;
  std::vector<std::int64_t> keys;    ///< empty: no keys
  std::vector<std::int32_t> worlds;  ///< empty: one world
  std::vector<std::int64_t> frames;  ///< of each world; empty: unknown
  std::vector<double> domain;        ///< 3 for min, 3 for max; empty: no box
  std::vector<std::uint8_t> periodic;
};

/// Whether all z are equal and the box is no thicker than the largest particle (a layer of discs).
bool is_flat(const Particles& particles);

SceneFile scene_of(const std::string& path, const Particles& particles, int dimension);

}  // namespace widephase::tools
