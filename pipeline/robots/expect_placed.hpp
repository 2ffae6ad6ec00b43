#pragma once

#include <algorithm>

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

}  // namespace widephase
