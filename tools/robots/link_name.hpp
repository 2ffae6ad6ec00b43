#pragma once

// What messages call a link.

#include <fmt/format.h>

#include <string>

#include <widephase/robot.hpp>

namespace widephase::tools {

/// Its name, or its number if it has none.
inline std::string link_name(const Robot& robot, std::int32_t link) {
  const std::vector<std::string>& names = robot.columns().links.name;
  const auto row = static_cast<std::size_t>(link);
  return row < names.size() && !names[row].empty() ? names[row] : fmt::format("link {}", link);
}

}  // namespace widephase::tools
