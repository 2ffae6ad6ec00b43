#pragma once

#include <algorithm>
#include <cmath>

#include "pipeline/robots/gather.hpp"

namespace widephase {

/// Throws for the first configuration that has no meaning, by the name of its array.
template <class T>
void expect_placed(const Robot& robot, const Configurations<T>& q, const char* array) {
  Gatherer<T> gatherer(robot, q, false);
  Column<double> numbers;
  numbers.resize_uninitialized(robot.plan().slot_count * kRobotBlock);
  for (std::size_t first = 0; first < q.count; first += kRobotBlock) {
    const std::size_t count = std::min(kRobotBlock, q.count - first);
    gatherer.gather(first, count, numbers.plane());
    for (std::size_t i = 0; i < count; ++i) {
      if (gatherer.status(i) == ConfigurationStatus::placed) continue;
      try {
        refuse_configuration(robot, q, first + i, false);
      } catch (const Error& error) {
        if (!error.finding()) throw;
        throw Error(Finding{array, error.finding()->row, error.finding()->message});
      }
    }
  }
}

/// Surfaces have no contact with what is behind them, at any margin: no distance shows that they
/// are free.
inline void expect_provable(const SceneColumns<3, double>& shapes, const char* array) {
  bool is_one_sided = row_count(shapes.heightfields) != 0;
  const auto& two_sided = shapes.mesh_geometries.two_sided;
  for (std::size_t row = 0; row < row_count(shapes.meshes); ++row) {
    const auto mesh = static_cast<std::size_t>(shapes.meshes.geometry[row]);
    is_one_sided = is_one_sided || two_sided.empty() || two_sided[mesh] == 0;
  }
  if (!is_one_sided) return;
  throw Error(Finding{array, -1,
                      "has height fields or one-sided meshes; proofs are for solids and two-sided "
                      "meshes, so check samples instead"});
}

inline void expect_above_0(const char* name, double value) {
  if (value > 0 && std::isfinite(value)) return;
  throw Error(Finding{name, -1, "is " + number(value) + "; expected a finite number above 0"});
}

}  // namespace widephase
