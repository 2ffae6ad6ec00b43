#pragma once

// Options that several subcommands share.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "tools/commands/option_values.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/wording.hpp"

namespace widephase::tools {

/// What is wrong with a length that must be above 0; empty: nothing.
inline std::string check_distance(const std::string& text) {
  double distance = 0;
  const bool is_number = CLI::detail::lexical_cast(text, distance);
  if (is_number && std::isfinite(distance) && distance > 0) return {};
  return fmt::format("{} is not a distance; expected a finite number > 0", text);
}

/// A length that may be 0, by what messages call it.
inline void add_length(CLI::App& command, const std::string& name, const std::string& noun,
                       double& length, const std::string& description) {
  const auto check = [noun](const std::string& text) -> std::string {
    double value = 0;
    const bool is_number = CLI::detail::lexical_cast(text, value);
    if (is_number && std::isfinite(value) && value >= 0) return {};
    return fmt::format("{} is not a {}; expected a finite number >= 0", text, noun);
  };
  command.add_option(name, length, description)
      ->type_name("LENGTH")
      ->check(CLI::Validator(check, ""));
}
inline void add_margin(CLI::App& command, double& margin, const std::string& description) {
  add_length(command, "--margin", "margin", margin, description);
}

/// What is wrong with a radius; empty: nothing.
inline std::string check_radius(const std::string& text) {
  double radius = 0;
  const bool is_number = CLI::detail::lexical_cast(text, radius);
  if (is_number && std::isfinite(radius) && radius >= 0) return {};
  return fmt::format("{} is not a radius; expected a finite number >= 0", text);
}

inline void add_precision(CLI::App& command, std::string& precision) {
  command
      .add_option("--precision", precision,
                  "float, double or mixed (default: float where every column is float32, mixed for "
                  "float64 positions beside float32 sizes, else double)")
      ->type_name("WORD")
      ->transform(one_of({"float", "double", "mixed"}));
}

/// The precision that the word asks for; the file's where it is empty.
inline Precision precision_of(std::string_view word, const SceneFile& file) {
  if (word == "float") return Precision::single;
  if (word == "double") return Precision::twofold;
  if (word == "mixed") return Precision::mixed;
  return file.precision();
}

/// Which world a picture or page shows: by its number, or by the number of its frame.
struct WorldChoice {
  std::optional<std::int32_t> world;
  std::optional<std::int64_t> frame;
};

inline void add_world_options(CLI::App& command, WorldChoice& choice, const std::string& world,
                              const std::string& frame) {
  CLI::Option* by_world =
      command.add_option("--world", choice.world, world)
          ->type_name("N")
          ->transform(whole_number(0, std::numeric_limits<std::int32_t>::max()));
  command.add_option("--frame", choice.frame, frame)
      ->type_name("N")
      ->transform(whole_number(std::numeric_limits<std::int64_t>::min(),
                               std::numeric_limits<std::int64_t>::max()))
      ->excludes(by_world);
}

/// The chosen world; none for all. Throws a `UsageError` for one that the scene does not have.
inline std::optional<std::int32_t> chosen_world(const SceneFile& scene, std::int64_t worlds,
                                                const WorldChoice& choice) {
  const auto frames = scene.frames();
  const std::string have =
      fmt::format("{} has {}, numbered from 0{}", scene.path(), counted(worlds, "world"),
                  frames.empty() ? "" : ", of " + frames_text(scene));
  if (choice.world && *choice.world >= std::max<std::int64_t>(worlds, 1)) {
    throw UsageError(fmt::format(
        "{}; --world {} is not among them{}", have, *choice.world,
        std::ranges::find(frames, *choice.world) == frames.end()
            ? ""
            : fmt::format(" (--frame {} goes by the number of the frame)", *choice.world)));
  }
  if (!choice.frame) return choice.world;
  if (frames.empty()) {
    throw UsageError(fmt::format("{}, and no numbers of frames (world.frame); use --world", have));
  }
  const auto found = std::ranges::find(frames, *choice.frame);
  if (found == frames.end()) {
    const auto nearest = std::ranges::min_element(frames, {}, [&](std::int64_t frame) {
      return std::abs(static_cast<double>(frame) - static_cast<double>(*choice.frame));
    });
    throw UsageError(fmt::format("{}; --frame {} is not among them, the nearest is {} (world {})",
                                 have, *choice.frame, *nearest, nearest - frames.begin()));
  }
  const auto again = std::find(found + 1, frames.end(), *choice.frame);
  if (again != frames.end()) {
    throw UsageError(
        fmt::format("{}; --frame {} is that of the worlds {} and {}, so choose by "
                    "--world",
                    have, *choice.frame, found - frames.begin(), again - frames.begin()));
  }
  return static_cast<std::int32_t>(found - frames.begin());
}

}  // namespace widephase::tools
