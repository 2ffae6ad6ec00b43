#pragma once

// Robots from files: URDF with SRDF, and MJCF.

#include <string>
#include <vector>

#include <widephase/robot.hpp>

#include "tools/formats/read_scene.hpp"
#include "tools/robots/robot_scene.hpp"

namespace widephase::tools {

/// A robot as its file has it, with the names of its shapes.
struct RobotFile {
  RobotColumns columns;
  RobotNames names;
  std::string name;  ///< of the robot; empty if its file has none
};

/// Makes a robot of a file's columns; throws a `FileError` if they are faulty.
Robot robot_of(const std::string& path, const RobotColumns& columns);

/// The robot in each configuration, a world per configuration, as a file named `path` would hold
/// it. Throws the `Error` of a configuration that cannot be placed, and a `FileError` for what a scene
/// cannot hold.
SceneFile scene_in_configurations(const std::string& path, const Robot& robot, RobotNames names,
                                  const Configurations<double>& q);

/// A URDF or MJCF file. `srdf` names the file that disables links of a URDF (`read_allowed`); these
/// never meet, and all others may. Without it (empty) bodies that a joint connects never meet. Of
/// the options those of a robot's meshes and files are used, and `keyframe` as the start of MJCF.
RobotFile read_robot(const std::string& path, Format format, const std::string& srdf,
                     const ReadOptions& options, std::vector<std::string>& notes);

RobotFile read_urdf_robot(const std::string& path, const std::string& srdf,
                          const ReadOptions& options, std::vector<std::string>& notes);
RobotFile read_mjcf_robot(const std::string& path, const ReadOptions& options,
                          std::vector<std::string>& notes);

}  // namespace widephase::tools
