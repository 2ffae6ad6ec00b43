#pragma once

#include <cmath>
#include <cstdint>

#include "reference/run_seed.hpp"
#include "reference/solid.hpp"

namespace widephase::test {

/// Random numbers that are the same on every machine (splitmix64; Steele, Lea, Flood 2014). Each
/// run (`run_seed`) uses a part of the sequence that is far from the part of any other seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed + 0x9e3779b97f4a7c15u * (run_seed() << 32)) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// A number in [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
  }
  /// An integer from low to high, both included.
  int integer(int low, int high) {
    return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(double probability) { return uniform(0, 1) < probability; }

  template <int D>
  Point<D> point(double low, double high) {
    Point<D> result;
    for (double& value : result) value = uniform(low, high);
    return result;
  }
  template <int D>
  Point<D> direction() {
    for (;;) {
      Point<D> result = point<D>(-1, 1);
      double length2 = 0;
      for (const double value : result) length2 += value * value;
      if (length2 > 1 || length2 < 0.01) continue;
      for (double& value : result) value /= std::sqrt(length2);
      return result;
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace widephase::test
