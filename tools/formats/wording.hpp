#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

/// "pile.npz" for "build/demo/pile.npz".
inline std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

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

/// "a capsule", "an aabb".
inline std::string with_article(std::string_view noun) {
  const bool is_vowel = std::string_view("aeiou").find(noun.front()) != std::string_view::npos;
  return (is_vowel ? "an " : "a ") + std::string(noun);
}

/// "1 world", "1,657 worlds".
inline std::string counted(std::int64_t number, const std::string& noun) {
  const bool needs_es = noun.ends_with("x") || noun.ends_with("sh");
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

/// "frame 2730", "frames 97 to 2730"; empty if the scene does not number its worlds.
inline std::string frames_text(const SceneFile& scene) {
  const auto frames = scene.frames();
  if (frames.empty()) return {};
  const auto [least, most] = std::ranges::minmax(frames);
  return least == most ? fmt::format("frame {}", least)
                       : fmt::format("frames {} to {}", least, most);
}

/// "crowd.npz: 41,021 circles in 1,657 worlds (2D), periodic along x".
inline std::string scene_text(const SceneFile& scene, const std::string& path) {
  std::string text = fmt::format("{}: {} in {} ({}D)", path, shapes_text(scene),
                                 counted(scene.world_count(), "world"), scene.dimension());
  const Array* periodic = scene.find("domain.periodic");
  std::string axes;
  for (std::size_t axis = 0; periodic != nullptr && axis < periodic->count(); ++axis) {
    if (periodic->values<std::uint8_t>()[axis] != 0) axes += static_cast<char>('x' + axis);
  }
  if (!axes.empty()) text += fmt::format(", periodic along {}", axes);
  if (const std::string frames = frames_text(scene); !frames.empty()) text += ", " + frames;
  return text;
}

}  // namespace widephase::tools
