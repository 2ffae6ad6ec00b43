#pragma once

// All generators of scenes/, and properties of a scene's shapes by id.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <widephase/collide.hpp>

#include "scenes/scenes.hpp"

namespace widephase::test {

/// Calls `test(name)` for each generator of D dimensions.
template <int D, class Test>
void for_each_generator(const Test& test) {
  for (const scenes::Generator& generator : scenes::generators()) {
    if (!generator.is_in(D)) continue;
    SCOPED_TRACE(std::string(generator.name));
    test(generator.name);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// A column of every table, by id; `otherwise` if it is empty.
template <int D, class T, class Get, class U>
std::vector<U> by_id(const SceneColumns<D, T>& scene, const Get& get, U otherwise) {
  std::vector<U> values;
  for_each_table(scene, [&](const auto& table) {
    for (std::size_t i = 0; i < row_count(table); ++i) {
      values.push_back(value_or(get(table), i, otherwise));
    }
  });
  return values;
}

template <int D, class T>
std::vector<std::int32_t> worlds_by_id(const SceneColumns<D, T>& scene) {
  return by_id(scene, [](const auto& table) -> auto& { return table.world; }, 0);
}

template <int D, class T>
std::size_t body_count(const SceneColumns<D, T>& scene) {
  const SceneLayout layout = layout_of(scene);
  return static_cast<std::size_t>(layout.shape_count() - layout.count(Kind::halfspace) -
                                  layout.count(Kind::heightfield) - layout.count(Kind::mesh));
}

}  // namespace widephase::test
