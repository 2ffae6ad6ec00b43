#pragma once

// Options that several subcommands share.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "tools/formats/file_error.hpp"
#include "tools/formats/wording.hpp"

namespace widephase::tools {

inline void add_margin(CLI::App& command, double& margin, const std::string& description) {
  const auto check = [](const std::string& text) -> std::string {
    double value = 0;
    const bool is_number = CLI::detail::lexical_cast(text, value);
    if (is_number && std::isfinite(value) && value >= 0) return {};
    return fmt::format("{} is not a margin; expected a finite number >= 0", text);
  };
  command.add_option("--margin", margin, description)->check(CLI::Validator(check, ""));
}

/// Throws a `UsageError` if --world names a world that the scene does not have.
inline void check_world(const std::string& scene, std::int64_t worlds,
                        std::optional<std::int32_t> world) {
  if (!world || *world < std::max<std::int64_t>(worlds, 1)) return;
  throw UsageError(fmt::format("{} has {}, numbered from 0; --world {} is not among them", scene,
                               counted(worlds, "world"), *world));
}

}  // namespace widephase::tools
