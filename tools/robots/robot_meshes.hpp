#pragma once

// The meshes that a robot names, as convex hulls.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "tools/formats/read_scene.hpp"
#include "tools/robots/robot_scene.hpp"

namespace widephase::tools {

/// How the points of a mesh become those of its hull: relative to a reference frame, then scaled
/// axis by axis. A negative scale mirrors.
struct MeshPlace {
  Frame3 reference;
  Vector3 scale{1, 1, 1};
};

/// A file that a robot names as a mesh.
struct MeshFile {
  std::string path;    ///< of the file
  std::string naming;  ///< the file that names it
  std::string type;    ///< "obj", "stl" or another ending; empty: the ending of `path`
};

/// Each mesh becomes one hull around all of its points, however many groups it has. Throws a
/// `FileError` or an `Error`; the caller says which element named the mesh.
class RobotMeshes {
 public:
  RobotMeshes(const ReadOptions& options, RobotScene& scene);

  /// The hull's index in the scene. A mesh that is named again in one place is read once.
  std::int32_t add_file(const MeshFile& file, const MeshPlace& place);
  std::int32_t add_points(const std::vector<std::array<double, 3>>& points, const std::string& name,
                          const MeshPlace& place);

  /// "arm.urdf: 12 meshes became convex hulls", and how far simpler hulls exceed.
  void write_notes(const std::string& robot, std::vector<std::string>& notes) const;

 private:
  RobotScene& scene_;
  std::vector<std::string> folders_;
  int max_vertices_;
  std::size_t bytes_left_;  ///< all files together have the limit of one
  std::map<std::pair<std::string, std::array<double, 10>>, std::int32_t> known_;
  int simplified_ = 0;
  double most_excess_ = 0;
  std::string most_exceeding_;
};

}  // namespace widephase::tools
