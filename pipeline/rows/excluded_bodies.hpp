#pragma once

// Which bodies `excluded_bodies` may name.

#include <optional>
#include <string>
#include <utility>

#include "pipeline/rows/pair_filter.hpp"
#include "pipeline/rows/static_scene_state.hpp"

namespace widephase {

/// What is wrong with a row of `excluded_bodies`; nothing if it may be. Where a scene has no poses
/// of bodies, the column `body` is only a filter, of any numbers.
template <int D, class T>
std::optional<std::string> wrong_bodies(const SceneSpan<D, T>& scene, std::size_t row) {
  const std::int32_t names[2] = {scene.excluded_bodies(row, 0), scene.excluded_bodies(row, 1)};
  if (!are_names(names[0], names[1])) return wrong_names_text(names[0], names[1], "a body");
  const std::size_t own = scene.bodies.position.size();
  std::size_t kept = 0;
  if (scene.kept != nullptr) {
    const auto& state = scene.kept->state();
    if (state.body_count == 0 && !state.rows.body.empty()) return {};
    kept = state.body_count;
  }
  if (own == 0) return {};
  for (const std::int32_t name : names) {
    if (static_cast<std::size_t>(name) < own + kept) continue;
    return "names body " + number(name) + "; the scene has " + number(own) + " bodies" +
           (kept == 0 ? "" : " and the static one " + number(kept) + " behind them") +
           ", counted from 0";
  }
  return {};
}

/// Throws `Error` for the first row of `excluded_bodies` with something wrong.
template <int D, class T>
void require_bodies(const SceneSpan<D, T>& scene) {
  for (std::size_t row = 0; row < scene.excluded_bodies.size(); ++row) {
    std::optional<std::string> wrong = wrong_bodies(scene, row);
    if (!wrong) continue;
    throw Error(Finding{"excluded_bodies", static_cast<std::int64_t>(row), std::move(*wrong)});
  }
}

}  // namespace widephase
