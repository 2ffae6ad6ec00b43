#pragma once

// What the benchmarks of pairs against peers share: timing of a pass, and comparison of answers.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <span>

#include "peer_answer.hpp"

namespace widephase::bench {

constexpr double kOffDepth = 0.001;  // for shapes of size about 1

/// CPU time of this thread. A pass of a peer takes many times as long as ours, and wall time would
/// include whatever else the machine runs meanwhile.
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

/// Compares two lists of answers in the counters `differs`, `error` and `off`.
inline void compare(benchmark::State& state, std::span<const Answer> theirs,
                    std::span<const Answer> ours) {
  std::size_t differ = 0, both = 0, off = 0;
  double error = 0;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    differ += theirs[i].is_hit != ours[i].is_hit;
    if (!theirs[i].is_hit || !ours[i].is_hit) continue;
    const double difference = std::abs(theirs[i].depth - ours[i].depth);
    // This form also counts NaN.
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
