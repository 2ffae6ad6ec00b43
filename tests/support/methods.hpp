#pragma once

#include <string>
#include <widephase/collide.hpp>

namespace widephase::test {

/// The methods that differ: `sat` has the bits of `automatic`, as `check_pairs_everywhere` checks of
/// all families, and the test of distances.
inline constexpr Method kMethods[] = {Method::automatic, Method::gjk_epa};

inline std::string name_of_method(Method method) {
  return method == Method::gjk_epa ? "gjk_epa" : "auto";
}

}  // namespace widephase::test
