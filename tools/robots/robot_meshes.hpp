#pragma once

// The meshes that a robot names, as convex hulls or surfaces.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/formats/mesh_groups.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/surface_groups.hpp"
#include "tools/robots/robot_scene.hpp"

namespace widephase::tools {

/// How the points of a mesh become those of its shape: relative to a reference frame, then scaled
/// axis by axis. A negative scale mirrors.
struct MeshPlace {
  Frame3 reference;
  Vector3 scale{1, 1, 1};
};

/// A file that a robot names as a mesh.
struct MeshFile {
  std::string path;    ///< of the file
  std::string naming;  ///< the file that names it
  std::string type;    ///< "obj", "stl", "ply" or another ending; empty: the ending of `path`
};

/// Each mesh becomes one hull around all of its points, or one surface of all of its faces, however
/// many groups it has. Throws a `FileError` or an `Error`; the caller says which element named the
/// mesh.
class RobotMeshes {
 public:
  RobotMeshes(const ReadOptions& options, RobotScene& scene);

  /// The index of its hull or surface in the scene. A mesh that is named again in one place is read
  /// once.
  std::int32_t add_file(const MeshFile& file, const MeshPlace& place);
  std::int32_t add_group(MeshGroup group, const std::string& name, const MeshPlace& place);
  /// Adds a shape with such an index, and returns its number.
  std::size_t add_shape(const Frame3& frame, std::int32_t geometry, const ShapeTags& tags);
  bool makes_surfaces() const { return is_surface_; }

  /// "arm.urdf: 12 meshes became convex hulls", and how far simpler hulls exceed.
  void write_notes(const std::string& robot, std::vector<std::string>& notes) const;

 private:
  std::int32_t add_hull(const MeshGroup& group, const std::string& name);

  RobotScene& scene_;
  std::vector<std::string> folders_;
  int max_vertices_;
  bool is_surface_;
  std::optional<double> weld_;
  Welded welded_;
  std::size_t bytes_left_;  ///< all files together have the limit of one
  std::map<std::pair<std::string, std::array<double, 10>>, std::int32_t> known_;
  int simplified_ = 0;
  double most_excess_ = 0;
  std::string most_exceeding_;
};

}  // namespace widephase::tools
