#include "pipeline/robots/convex_core.hpp"

#include <algorithm>

namespace widephase {

void find_inside(CheckObstacle& core) {
  for (std::size_t k = 0; k < 3; ++k) {
    core.inside[k] = core.center[k];
    if (core.core == CheckCore::segment) core.inside[k] += 0.5f * core.axis[0][k];
  }
  if (core.core == CheckCore::box) core.inner = *std::min_element(core.size, core.size + 3);
  if (core.core == CheckCore::cylinder) core.inner = std::min(core.size[0], core.size[2]);
}

void append_vertices(const std::vector<std::array<double, 3>>& vertices, std::vector<float>& to,
                     std::int32_t& first, std::int32_t& count) {
  constexpr std::size_t kTile = kVertexTile;
  const std::size_t padded = (vertices.size() + kTile - 1) / kTile * kTile;
  first = static_cast<std::int32_t>(to.size());
  count = static_cast<std::int32_t>(padded);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < padded; ++i) {
      to.push_back(static_cast<float>(vertices[std::min(i, vertices.size() - 1)][k]));
    }
  }
}

}  // namespace widephase
