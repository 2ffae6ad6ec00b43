#pragma once

// What the benchmarks share besides the scenes of scenes/ (pair_sets.hpp has lists of pairs).

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <widephase/collide.hpp>

#include "scenes/random.hpp"
#include "scenes/scenes.hpp"

namespace widephase::bench {

/// The aim of a row, in the row's unit.
struct Aim {
  const char* row;
  double value;
};

/// Adds the counter `to_aim`, the measured value over the aim, if the row has an aim.
template <class State, std::size_t N>
void report_aim(State& state, const Aim (&aims)[N], const std::string& row, double measured) {
  for (const Aim& aim : aims) {
    if (row == aim.row) state.counters["to_aim"] = measured / aim.value;
  }
}

using scenes::generate;
using scenes::Random;

/// Sorts the shapes along a coarse curve through space.
template <class T>
void sort_in_space(SceneColumns<3, T>& scene) {
  const std::size_t count = scene.spheres.radius.size();
  T most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) most = std::max(most, scene.spheres.center(i, k));
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t key = 0;
    for (int bit = 9; bit >= 0; --bit) {
      for (int k = 0; k < 3; ++k) {
        const auto cell = static_cast<std::uint32_t>(scene.spheres.center(i, k) / most * 1023);
        key = key << 1 | (cell >> bit & 1);
      }
    }
    order[i] = {key, static_cast<std::uint32_t>(i)};
  }
  std::sort(order.begin(), order.end());
  SceneColumns<3, T> sorted;
  sorted.spheres.center.resize_uninitialized(count);
  sorted.spheres.radius.resize_uninitialized(count);
  for (std::size_t i = 0; i < count; ++i) {
    sorted.spheres.center.set(i, scene.spheres.center.row(order[i].second));
    sorted.spheres.radius[i] = scene.spheres.radius[order[i].second];
  }
  scene = std::move(sorted);
}

}  // namespace widephase::bench
