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
  urdf,
  mjcf,
  planning
};

/// "npz", "lammps-data", ...: the words of `--from`.
std::string_view format_name(Format format);
const std::vector<std::string>& format_names();
Format format_from_name(std::string_view name);

/// By the ending of the name, and where that says nothing by how the file begins.
Format detect_format(const std::string& path);

/// Whether the format is one that holds scenes (npz, json, csv); from the others they are made.
constexpr bool is_scene_format(Format format) { return format <= Format::csv; }

/// Whether the format is one of meshes, whose groups become hulls.
constexpr bool is_mesh_format(Format format) {
  return format == Format::obj || format == Format::stl;
}

/// Whether the format is one of robots and their surroundings, whose shapes are complete.
constexpr bool is_robot_format(Format format) { return format >= Format::urdf; }

/// What a file of particles, of a mesh or of a robot may leave open.
struct ReadOptions {
  std::optional<double> radius;  ///< of every particle, in the unit of the scene
  std::string unit;              ///< of a trajectory's positions: "m", "cm"; empty: its header's
  int dimension = 0;             ///< 0: as the file suggests
  std::string periodic;          ///< axes, "none"; empty: as the file says
  int max_vertices = 0;          ///< of a mesh's hulls: 4 to 255, 0 as many as they have
  std::string joints;            ///< of a URDF robot: see joint_values.hpp
  std::string style;             ///< of a LAMMPS data file's atoms; empty: as the file says
  /// Folders below which the files that a MJCF model names may be, beside its own.
  std::vector<std::string> allow_files;
};

/// `notes`: what the user should know of a scene that is not quite what the file says.
SceneFile read_scene(const std::string& path, Format format, const ReadOptions& options,
                     std::vector<std::string>& notes);
SceneFile read_scene(const std::string& path, Format format, const ReadOptions& options = {});
/// Reads a format that holds scenes; a `FileError` that says how to convert for others.
SceneFile read_complete_scene(const std::string& path);

/// The format for the ending of an output's name. `advice` is for the message where it has none.
Format output_format(const std::string& path, std::string_view advice = "rename it");

/// Writes npz, json or csv. Answers what the format had no place for.
std::vector<std::string> write_scene(const SceneFile& scene, Format format, OutputFile& file);

SceneFile read_lammps_data(const std::string& path, const ReadOptions& options);
SceneFile read_lammps_dump(const std::string& path, const ReadOptions& options);
SceneFile read_trajectory(const std::string& path, const ReadOptions& options);
SceneFile read_vtu(const std::string& path, const ReadOptions& options);
SceneFile read_urdf(const std::string& path, const ReadOptions& options);
SceneFile read_mjcf(const std::string& path, const ReadOptions& options);
SceneFile read_planning(const std::string& path);

/// What the readers of particles gather: positions of three numbers, of which a 2D scene keeps
/// two.
struct Particles {
  std::vector<double> positions;
  std::vector<double> radii;
  std::vector<std::int64_t> keys;    ///< empty: none
  std::vector<std::int32_t> worlds;  ///< empty: one world
  std::vector<double> domain;        ///< 3 of min, 3 of max; empty: no box
  std::vector<std::uint8_t> periodic;
};

/// Whether all z are equal, in a box no thicker than the largest particle (a layer of discs).
bool is_flat(const Particles& particles);

SceneFile scene_of(const std::string& path, const Particles& particles, int dimension);

}  // namespace widephase::tools
