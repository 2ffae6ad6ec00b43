#pragma once

// Meshes cut so that vertices lie on edges of others.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "reference/random.hpp"

namespace widephase::test {

/// The surface of a mesh in smaller triangles: `times` over, most are cut from a corner to a place
/// of the edge opposite, whatever is across it. So most vertices that are made lie on edges.
/// `share` says where, from 0 to 1.
template <class Mesh, class Share>
Mesh cut_at_edges(Random& random, Mesh cut, int times, const Share& share) {
  for (int time = 0; time < times; ++time) {
    const auto triangles = std::move(cut.triangles);
    cut.triangles.clear();
    for (const auto& triangle : triangles) {
      const auto k = static_cast<std::size_t>(random.integer(0, 3));
      if (k == 3) {
        cut.triangles.push_back(triangle);
        continue;
      }
      const std::int32_t a = triangle[k], b = triangle[(k + 1) % 3], c = triangle[(k + 2) % 3];
      const auto from = cut.vertices[static_cast<std::size_t>(a)],
                 to = cut.vertices[static_cast<std::size_t>(b)];
      const double at = share();
      auto p = from;
      for (std::size_t axis = 0; axis < 3; ++axis) p[axis] += at * (to[axis] - from[axis]);
      const auto made = static_cast<std::int32_t>(cut.vertices.size());
      cut.vertices.push_back(p);
      cut.triangles.push_back({a, made, c});
      cut.triangles.push_back({made, b, c});
    }
  }
  return cut;
}

}  // namespace widephase::test
