#pragma once

// Floors of tiles and shapes that rest on them, for the tests of flush parts.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "reference/generate_turned3.hpp"
#include "reference/reference.hpp"
#include "reference/solids.hpp"

namespace widephase::test {

inline constexpr double kTolerance = 1e-4;
inline const Quaternion kUpright{0, 0, 0, 1};

inline Vec<3> wide(const Point<3>& p) { return {p[0], p[1], p[2]}; }
inline Point<3> plus(const Point<3>& a, const Point<3>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

/// Where a floor is: its own frame has its top at z = 0.
struct Pose {
  Quaternion turn = kUpright;
  Point<3> at{0, 0, 0};
  Point<3> placed(const Point<3>& p) const { return plus(at, rotated(turn, p)); }
  Point<3> up() const { return rotated(turn, {0, 0, 1}); }
};

enum class Tiling { grid, bricks, mixed, prisms };

/// A rectangle of the floor, cut in two again and again.
inline void cut(Random& random, std::array<double, 4> tile, int depth,
                std::vector<std::array<double, 4>>& tiles) {
  const auto [x0, x1, y0, y1] = tile;
  if (depth == 0 || (depth < 3 && random.chance(0.2))) {
    tiles.push_back(tile);
    return;
  }
  const double share = random.uniform(0.3, 0.7);
  if (x1 - x0 > y1 - y0) {
    const double x = x0 + share * (x1 - x0);
    cut(random, {x0, x, y0, y1}, depth - 1, tiles);
    cut(random, {x, x1, y0, y1}, depth - 1, tiles);
  } else {
    const double y = y0 + share * (y1 - y0);
    cut(random, {x0, x1, y0, y}, depth - 1, tiles);
    cut(random, {x0, x1, y, y1}, depth - 1, tiles);
  }
}

/// Tiles over -4 to 4 in x and y, 0.2 to 0.6 thick. `gap` and `step` are the most by which they are
/// smaller and higher than they should be.
inline std::vector<Solid<3>> floor_tiles(Random& random, Tiling tiling, Kind kind, const Pose& pose,
                                         double gap = 0, double step = 0) {
  std::vector<std::array<double, 4>> rectangles;
  if (tiling == Tiling::mixed) {
    cut(random, {-4, 4, -4, 4}, 6, rectangles);
  } else {
    for (int row = 0; row < 8; ++row) {
      const double shift = tiling == Tiling::bricks && row % 2 != 0 ? 0.5 : 0;
      for (double x = -4 - shift; x < 4; x += 1) {
        rectangles.push_back({std::max(x, -4.0), std::min(x + 1, 4.0), row - 4.0, row - 3.0});
      }
    }
  }
  std::vector<Solid<3>> tiles;
  for (const auto& [x0, x1, y0, y1] : rectangles) {
    const double depth = tiling == Tiling::grid ? 0.4 : random.uniform(0.2, 0.6);
    const double top = random.uniform(0, step), inset = random.uniform(0, gap) / 2;
    const Point<3> half{(x1 - x0) / 2 - inset, (y1 - y0) / 2 - inset, depth / 2};
    const Point<3> middle{(x0 + x1) / 2, (y0 + y1) / 2, top - depth / 2};
    const Point<3> at = pose.placed(middle);
    if (tiling == Tiling::prisms) {
      // Two triangles, cut along one diagonal or the other.
      const bool is_rising = random.chance(0.5);
      for (const int side : {0, 1}) {
        std::vector<Point<3>> corners;
        for (const double z : {-half[2], half[2]}) {
          for (const int corner : {0, 1, 2, 3}) {
            const int left_out = is_rising ? (side == 0 ? 1 : 3) : (side == 0 ? 0 : 2);
            if (corner == left_out) continue;
            corners.push_back({corner == 1 || corner == 2 ? half[0] : -half[0],
                               corner >= 2 ? half[1] : -half[1], z});
          }
        }
        tiles.push_back(hull(at, pose.turn, corners));
      }
    } else if (kind == Kind::aabb) {
      tiles.push_back(aabb<3>({middle[0] - half[0], middle[1] - half[1], middle[2] - half[2]},
                              {middle[0] + half[0], middle[1] + half[1], middle[2] + half[2]}));
    } else if (kind == Kind::box) {
      tiles.push_back(box(at, pose.turn, half));
    } else {
      std::vector<Point<3>> corners;
      for (int v = 0; v < 8; ++v) {
        corners.push_back({v % 2 != 0 ? half[0] : -half[0], v / 2 % 2 != 0 ? half[1] : -half[1],
                           v / 4 != 0 ? half[2] : -half[2]});
      }
      tiles.push_back(hull(at, pose.turn, corners));
    }
  }
  return tiles;
}

/// A shape of a kind about the origin, with its own axes turned, from 0.1 to 0.8 wide.
inline Solid<3> body_of(Random& random, Kind kind, const Quaternion& turn) {
  const auto size = [&] { return random.uniform(0.05, 0.4); };
  switch (kind) {
    case Kind::sphere:
      return ball<3>({0, 0, 0}, size());
    case Kind::capsule: {
      const Point<3> end = rotated(turn, {size(), 0, 0});
      return capsule<3>({-end[0], -end[1], -end[2]}, end, size() / 2);
    }
    case Kind::aabb: {
      const Point<3> half{size(), size(), size()};
      return aabb<3>({-half[0], -half[1], -half[2]}, half);
    }
    case Kind::box:
      return box({0, 0, 0}, turn, {size(), size(), size()}, random.chance(0.3) ? 0.02 : 0);
    case Kind::hull: {
      std::vector<Point<3>> corners;
      for (int v = 0; v < 12; ++v) {
        const double scale = v < 6 ? 0.3 : 0.2, angle = 1.0471975511965976 * v;
        corners.push_back({scale * std::cos(angle), scale * std::sin(angle), v < 6 ? -0.2 : 0.2});
      }
      return hull({0, 0, 0}, turn, corners);
    }
    case Kind::cylinder:
      return cylinder({0, 0, 0}, turn, size(), size());
    case Kind::ellipsoid:
      return ellipsoid({0, 0, 0}, turn, {size(), size(), size()});
    case Kind::cone:
      return cone({0, 0, 0}, turn, size(), size());
    case Kind::polygon:
    case Kind::halfspace:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;
  }
  return {};
}

inline constexpr std::array kBodies{Kind::sphere, Kind::capsule,  Kind::aabb,      Kind::box,
                                    Kind::hull,   Kind::cylinder, Kind::ellipsoid, Kind::cone};

/// The length that separates a shape from the halfspace below `at` along `up`.
inline double depth_below(const Solid<3>& solid, const Point<3>& at, const Point<3>& up) {
  const Vec<3> n = wide(up);
  const Real low = -core_support<3>(solid, times(n, -1)) - radius_of(solid);
  return static_cast<double>(dot(n, wide(at)) - low);
}

}  // namespace widephase::test
