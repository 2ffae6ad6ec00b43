#pragma once

#include <string>
#include <vector>

namespace widephase::tools {

/// Values of a robot's joints: a row a configuration, in the order of `names`.
///
/// `text` is either the numbers of one configuration between commas, or the name of a file: `.npy`
/// of shape (n, joints) or (joints,), or CSV with a line a configuration, below a line of all
/// joints' names (in any order) or without one. Empty text is one configuration of zeros.
std::vector<std::vector<double>> read_joint_values(const std::string& text,
                                                   const std::vector<std::string>& names);

}  // namespace widephase::tools
