#pragma once

#include <vector>

#include "tools/pictures/picture_parts.hpp"
#include "tools/robots/frame3.hpp"

namespace widephase::tools {

/// The page's coordinates: numbers near 1 for any unit of the scene, because shaders only have
/// float.
struct PageFrame {
  Point origin{};
  double unit = 1;  ///< length 1 on the page is this length in the scene

  Point placed(const Point& place) const { return scaled(difference(place, origin), 1 / unit); }
};

inline std::vector<float> narrow(const std::vector<double>& values, const PageFrame& frame = {}) {
  std::vector<float> result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    result.push_back(static_cast<float>((values[i] - frame.origin[i % 3]) / frame.unit));
  }
  return result;
}

}  // namespace widephase::tools
