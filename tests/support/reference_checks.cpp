#include "support/reference_checks.hpp"

namespace widephase::test {

template <int D>
void no_direction_beats_it(const std::vector<SolidPair<D>>& pairs) {
  Random random(11);
  for (const auto& [a, b] : pairs) {
    const Reference<D> r = reference_of(a, b);
    const auto depth = depths_of(a, b);
    Real least = 1e300L;
    for (const Vec<D>& n : r.normals) least = std::min(least, depth(n));
    // A direction attains it. Together with the distance of two points this proves both.
    ASSERT_NEAR(static_cast<double>(least - r.depth), 0, static_cast<double>(1e-14L * r.size))
        << describe(a) << " and " << describe(b);
    for (int i = 0; i < 60; ++i) {
      Vec<D> n = widened(random.direction<D>());
      // The last directions are near the best.
      if (i >= 40)
        n = plus(r.normals[0], n, static_cast<Real>(std::pow(10, random.uniform(-8, 0))));
      const Vec<D> unit = times(n, 1 / length(n));
      ASSERT_GE(static_cast<double>(depth(unit) - r.depth), -1e-14 * r.size)
          << describe(a) << " and " << describe(b);
    }
  }
}

#define WIDEPHASE_INSTANTIATE(D) \
  template void no_direction_beats_it<D>(const std::vector<SolidPair<D>>& pairs)
WIDEPHASE_INSTANTIATE(2);
WIDEPHASE_INSTANTIATE(3);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
