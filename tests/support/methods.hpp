#pragma once

#include <string>
#include <widephase/collide.hpp>

namespace widephase::test {

/// The methods with different answers. `sat` gives the bits of `automatic`;
/// `check_pairs_everywhere` checks that for all families, and so does the test of distances.
inline constexpr Method kMethods[] = {Method::automatic, Method::gjk_epa};

inline std::string name_of_method(Method method) {
  return method == Method::gjk_epa ? "gjk_epa" : "auto";
}

}  // namespace widephase::test
