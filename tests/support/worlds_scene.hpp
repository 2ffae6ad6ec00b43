#pragma once

// A scene of many worlds, for queries with one answer per world.

#include <vector>

#include "support/scenes.hpp"

namespace widephase::test {

inline constexpr std::int32_t kWorlds = 23;

/// A mixed scene with all filters, in worlds of unequal sizes. Every fifth world is empty; some
/// shapes are in all worlds.
template <int D, class T>
SceneColumns<D, T> worlds_scene(std::size_t count, std::uint64_t seed, double spacing = 0.45);

template <int D, class T>
std::vector<std::int32_t> world_by_id(const SceneColumns<D, T>& scene);

}  // namespace widephase::test
