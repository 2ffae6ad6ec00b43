#pragma once

#include <chrono>

namespace widephase {

/// Runs from when it is made.
class Stopwatch {
 public:
  double seconds() const { return seconds_until(Clock::now()); }
  /// The same, and begins anew at that time: stages one after the other ask a clock once.
  double lap() {
    const Clock::time_point now = Clock::now();
    const double seconds = seconds_until(now);
    start_ = now;
    return seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;
  double seconds_until(Clock::time_point end) const {
    return std::chrono::duration<double>(end - start_).count();
  }

  Clock::time_point start_ = Clock::now();
};

}  // namespace widephase
