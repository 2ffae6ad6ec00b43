#pragma once

#include <cstdint>
#include <string>

#include "tools/robots/read_robot.hpp"

namespace widephase::tools {

/// What `check --learn` asks.
struct LearnArguments {
  std::int64_t count = 0;  ///< random configurations; 0: it is not asked
  std::int64_t seed = 1;
  std::string srdf;  ///< the file to write; empty: none
};

/// Prints which links touched always and never in random configurations, and writes the SRDF.
void learn_pairs(const LearnArguments& arguments, const RobotFile& file, const Robot& robot,
                 const CollideOptions& options, bool json);

}  // namespace widephase::tools
