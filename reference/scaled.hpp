#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace widephase::test {

/// `count` times the environment variable WIDEPHASE_TEST_SCALE (default 1), but at least `least`.
/// Emulated runs set it below 1.
inline std::size_t scaled(std::size_t count, std::size_t least = 1) {
  const char* text = std::getenv("WIDEPHASE_TEST_SCALE");
  const double scale = text == nullptr ? 1.0 : std::atof(text);
  if (!(scale > 0)) return count;
  return std::max(least,
                  static_cast<std::size_t>(std::llround(static_cast<double>(count) * scale)));
}

}  // namespace widephase::test
