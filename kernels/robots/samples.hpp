#pragma once

// The numbers of samples on motions, in the lanes of a block, as the pipeline computes them one by
// one: to the bit.

#include "kernels/robot_table.hpp"

namespace widephase {
namespace {

/// Cost: some 6 operations per number, lane and run; a block of one motion has one run.
void place_samples(const SampleJob& job) {
  for (std::size_t r = 0; r < job.run_count; ++r) {
    const SampleRun& run = job.runs[r];
    double times[kRobotBlock];
    for (std::size_t i = 0; i < kRobotBlock; ++i) {
      const double t = (run.first + (static_cast<double>(i) - run.lane)) / run.steps;
      times[i] = t < 1 ? t : 1;
    }
    for (std::size_t n = 0; n < job.number_count; ++n) {
      const SampleNumber& number = job.numbers[n];
      const double from = run.from[number.value], to = run.to[number.value], way = to - from;
      double* const lanes = job.lanes + n * kRobotBlock;
      for (std::size_t i = 0; i < kRobotBlock; ++i) {
        const double on_way = from + times[i] * way;
        const double value = times[i] < 1 ? on_way : to;
        const double moved = number.multiplier * value + number.offset;
        lanes[i] = static_cast<double>(i) < run.lane ? lanes[i] : moved;
      }
    }
  }
}

}  // namespace
}  // namespace widephase
