#pragma once

#include <cstdint>
#include <string>

#include "scene_file.hpp"

namespace widephase::tools {

/// 1234567 as "1,234,567".
inline std::string grouped(std::int64_t number) {
  const std::string digits = std::to_string(number < 0 ? -number : number);
  std::string text = number < 0 ? "-" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

/// "1 world", "1,657 worlds".
inline std::string counted(std::int64_t number, const std::string& noun) {
  const bool needs_es = noun.ends_with("x");
  return grouped(number) + " " + noun + (number == 1 ? "" : needs_es ? "es" : "s");
}

/// "10,000 circles and 4 halfspaces", "no shapes".
inline std::string shapes_text(const SceneFile& scene) {
  std::string text;
  for (int i = 0; i < kKindCount; ++i) {
    const Kind kind = static_cast<Kind>(i);
    const std::size_t count = scene.count(kind);
    if (count == 0) continue;
    if (!text.empty()) text += ", ";
    text +=
        counted(static_cast<std::int64_t>(count), std::string(kind_name(kind, scene.dimension())));
  }
  return text.empty() ? "no shapes" : text;
}

}  // namespace widephase::tools
