#pragma once

#include <string>
#include <vector>
#include <widephase/collide.hpp>

namespace widephase::test {

/// The methods that differ.
template <int D>
std::vector<Method> methods() {
  if (D == 2) return {Method::automatic, Method::gjk_epa};
  return {Method::automatic};
}

inline std::string name_of_method(Method method) {
  return method == Method::gjk_epa ? "gjk_epa" : "auto";
}

}  // namespace widephase::test
