#pragma once

// What the programs of pairs beside peers share: a pass by the clock, and answers beside answers.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <span>

#include "peer_answer.hpp"

namespace widephase::bench {

constexpr double kOffDepth = 0.001;  // of shapes of a size of about 1

/// This thread's CPU time: a peer's pass is many times as long as ours, and the wall clock would
/// add to it what else the machine runs meanwhile.
template <class Pass>
double seconds_of(const Pass& pass) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const double start = now();
  pass();
  benchmark::ClobberMemory();
  return now() - start;
}

inline double share_of_hits(std::span<const Answer> answers) {
  const auto hits = std::count_if(answers.begin(), answers.end(),
                                  [](const Answer& answer) { return answer.is_hit; });
  return static_cast<double>(hits) / static_cast<double>(answers.size());
}

/// As the counters `differs`, `error` and `off`.
inline void compare(benchmark::State& state, std::span<const Answer> theirs,
                    std::span<const Answer> ours) {
  std::size_t differ = 0, both = 0, off = 0;
  double error = 0;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    differ += theirs[i].is_hit != ours[i].is_hit;
    if (!theirs[i].is_hit || !ours[i].is_hit) continue;
    const double difference = std::abs(theirs[i].depth - ours[i].depth);
    // Written so that a depth that is not a number counts.
    off += !(difference <= kOffDepth);
    if (!(difference <= error)) error = difference;
    ++both;
  }
  state.counters["differs"] = static_cast<double>(differ) / static_cast<double>(theirs.size());
  state.counters["error"] = error;
  state.counters["off"] =
      static_cast<double>(off) / static_cast<double>(std::max<std::size_t>(both, 1));
}

}  // namespace widephase::bench
