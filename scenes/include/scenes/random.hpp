#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>

namespace widephase::scenes {

/// Numbers that are the same on every machine. The standard defines the output of std::mt19937_64,
/// but not that of its distributions. So numbers are made from it here by sums, products, quotients
/// and square roots in double, which IEEE 754 rounds exactly.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// A number in [low, high), in 2^53 steps.
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  int below(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }

  /// A nearly normal number with mean 0 and variance 1, between -6 and 6: the sum of twelve uniform
  /// numbers with variance 1 / 12 each.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform(0, 1);
    return sum;
  }

  template <int D>
  std::array<double, D> point(double low, double high) {
    std::array<double, D> point;
    for (double& value : point) value = uniform(low, high);
    return point;
  }

  /// A uniformly distributed orientation x y z w, of unit length to rounding. Combines two points
  /// of the unit disc into one on the sphere in 4D (Marsaglia, Annals of Mathematical Statistics
  /// 43, 1972).
  std::array<double, 4> orientation() {
    const auto [x, y] = in_disc();
    const auto [z, w] = in_disc();
    const double square = z * z + w * w;
    const double scale = std::sqrt((1 - (x * x + y * y)) / square);
    return {x, y, z * scale, w * scale};
  }

  template <class List>
  void shuffle(List& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[engine_() % i]);
  }

 private:
  /// A point inside the unit circle, but not its centre.
  std::array<double, 2> in_disc() {
    for (;;) {
      const std::array<double, 2> point = this->point<2>(-1, 1);
      const double square = point[0] * point[0] + point[1] * point[1];
      if (square < 1 && square > 0x1p-60) return point;
    }
  }

  std::mt19937_64 engine_;
};

}  // namespace widephase::scenes
