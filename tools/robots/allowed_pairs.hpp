#pragma once

// What was learned of a robot's links, and the SRDF of it.

#include <array>
#include <string>
#include <vector>

#include <widephase/learn_allowed.hpp>

namespace widephase::tools {

/// Pairs of links with shapes, by why they need not be checked. Each pair is in one list, the lower
/// link first, and those of a list are in order.
struct AllowedPairs {
  using Links = std::array<std::int32_t, 2>;
  std::vector<Links> neighbours;  ///< of one body, or of two that a joint connects; never asked
  std::vector<Links> others;      ///< that the robot excludes besides; never asked
  std::vector<Links> always;      ///< that touched in all samples
  std::vector<Links> never;       ///< that touched in none, which is known of the samples alone
};

AllowedPairs allowed_pairs_of(const Robot& robot, const LearnedPairs& learned);

/// Writes all of these pairs as the SRDF of a robot of this name, without the links of attachments.
/// The file appears complete or not at all. Throws a `FileError` for links without a name.
void write_srdf(const std::string& path, const std::string& robot_name, const Robot& robot,
                const LearnedPairs& learned);

}  // namespace widephase::tools
