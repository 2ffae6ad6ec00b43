#pragma once

// What the benchmarks share besides the scenes of scenes/ (pair_sets.hpp has lists of pairs).

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include <widephase/collide.hpp>

#include "scenes/random.hpp"
#include "scenes/scenes.hpp"

namespace widephase::bench {

/// The calling thread's CPU time.
inline double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// The least of the thread's CPU times of a call, after a first one.
template <class State, class Op>
double least_seconds(State& state, const Op& op) {
  op();
  double best = 1e9;
  for (auto _ : state) {
    const double start = thread_seconds();
    op();
    best = std::min(best, thread_seconds() - start);
  }
  return best;
}

/// Adds shape `i` of a scene of spheres, capsules and boxes in turn.
inline void append_in_turn(SceneColumns<3, float>& scene, std::size_t i,
                           const std::array<float, 3>& at, scenes::Random& random) {
  const auto size = static_cast<float>(random.uniform(0.2, 0.6));
  const std::array<float, 3> half{size * 0.6f, size * 0.3f, size * 0.8f};
  if (i % 3 == 0) {
    scene.spheres.center.push_back(at);
    scene.spheres.radius.push_back(size * 0.8f);
  } else if (i % 3 == 1) {
    scene.capsules.a.push_back(at);
    scene.capsules.b.push_back({at[0] + half[0], at[1] - half[1], at[2] + half[2]});
    scene.capsules.radius.push_back(size * 0.4f);
  } else {
    std::array<float, 4> turn;
    const std::array<double, 4> orientation = random.orientation();
    std::copy(orientation.begin(), orientation.end(), turn.begin());
    scene.boxes.center.push_back(at);
    scene.boxes.half_extents.push_back(half);
    scene.boxes.turn.push_back(turn);
  }
}

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
