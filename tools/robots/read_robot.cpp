#include "tools/robots/read_robot.hpp"

#include <fmt/format.h>

#include <widephase/worlds.hpp>

#include "tools/formats/file_error.hpp"

namespace widephase::tools {

Robot robot_of(const std::string& path, const RobotColumns& columns) {
  try {
    return Robot(columns);
  } catch (const Error& error) {
    throw FileError(path, fmt::format("makes a robot whose {}", said(error)));
  }
}

SceneFile scene_in_configurations(const std::string& path, const Robot& robot, RobotNames names,
                                  const Configurations<double>& q) {
  SceneColumns<3, double> scene;
  try {
    replicate(robot.shapes(), static_cast<std::int32_t>(q.count), scene);
  } catch (const Error& error) {
    throw FileError(path, said(error));
  }
  place(robot, q, scene.bodies);
  names.repeat(robot.shapes(), q.count);
  return scene_file_of(path, std::move(scene), names);
}

RobotFile read_robot(const std::string& path, Format format, const std::string& srdf,
                     const ReadOptions& options, std::vector<std::string>& notes) {
  if (format == Format::urdf) {
    if (options.keyframe.empty()) return read_urdf_robot(path, srdf, options, notes);
    throw UsageError(fmt::format("{} is for MJCF; {} is URDF", option("keyframe"), path));
  }
  if (format != Format::mjcf) {
    throw FileError(
        path, fmt::format("is read as {}; expected a robot in URDF or MJCF", format_name(format)));
  }
  if (srdf.empty()) return read_mjcf_robot(path, options, notes);
  throw UsageError(
      fmt::format("{} is for URDF; {} is MJCF, which excludes pairs itself", option("srdf"), path));
}

}  // namespace widephase::tools
