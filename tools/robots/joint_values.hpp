#pragma once

#include <string>
#include <vector>

namespace widephase::tools {

/// Reads values of a robot's joints: one row per configuration, in the order of `names`.
///
/// `text` is either the numbers of one configuration between commas, or the name of a file. The
/// file is `.npy` of shape (n, joints) or (joints,), or CSV with one line per configuration. A CSV
/// file may start with a line of all joint names, in any order. An empty text is one configuration
/// of zeros.
std::vector<std::vector<double>> read_joint_values(const std::string& text,
                                                   const std::vector<std::string>& names);

}  // namespace widephase::tools
