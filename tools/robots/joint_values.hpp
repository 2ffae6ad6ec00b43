#pragma once

#include <optional>
#include <string>
#include <vector>

#include <widephase/robot.hpp>

namespace widephase::tools {

/// One of the numbers that pose a robot: the value of a joint, or a part of it.
struct JointValue {
  std::string name;
  double start = 0;       ///< its value where none is given
  bool is_angle = false;  ///< in radians
  std::optional<double> lower, upper;
};

/// The numbers of a robot's configurations; limits without an end are none.
std::vector<JointValue> joint_values_of(const Robot& robot);

/// Reads values of a robot's joints: one row per configuration, in the order of `values`.
///
/// `text` is either the numbers of one configuration between commas, or the name of a file. The
/// file is `.npy` of shape (n, values) or (values,), or CSV with one line per configuration. A CSV
/// file may start with a line of names in any order; values that it does not name stay as they
/// start. Columns that name no value are an error, or are left out if `ignores_columns`. An empty
/// text is one configuration where all start.
///
/// `notes` gets values beyond their limits, and angles that look like degrees.
std::vector<std::vector<double>> read_joint_values(const std::string& text,
                                                   const std::vector<JointValue>& values,
                                                   bool ignores_columns,
                                                   std::vector<std::string>& notes);

}  // namespace widephase::tools
