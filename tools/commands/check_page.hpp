#pragma once

// The page of `widephase check`: a robot and its surroundings, a step per configuration.

#include <string>

#include <widephase/robot_motions.hpp>

#include "tools/formats/scene_file.hpp"
#include "tools/robots/read_robot.hpp"

namespace widephase::tools {

/// What a page shows of a robot.
struct CheckedRobot {
  const std::string& path;
  const Robot& robot;
  const RobotNames& names;
  const Environment& environment;
  const SceneFile* around;  ///< what the environment was made of; null: nothing
};

/// Configurations along the motions from each row of `q` to the next one, row by row: at most 0.05
/// of values apart unless there would be more than 2,000, and the one where each motion hits.
std::vector<double> steps_along(const Configurations<double>& q, const MotionChecks& checks);

/// Writes the page of some configurations, with contacts as by the options, and returns its size in
/// bytes. Throws a `FileError` if browsers would not open it.
std::size_t write_check_page(const std::string& out, const CheckedRobot& checked,
                             const Configurations<double>& q, CollideOptions options);

}  // namespace widephase::tools
