#pragma once

// Rays against a height field by definition, in long double and without any walk: all triangles,
// each as the endless solid below it. It shares no code with the kernels.

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "support/ground.hpp"
#include "support/rays.hpp"

namespace widephase::test {

/// A triangle of a field and all below it.
struct Prism {
  std::int32_t number = 0;
  Vec<3> vertex[3];
  Vec<3> normal{};         ///< upwards
  Vec<3> out[3];           ///< of the wall under each edge
  bool is_border[3] = {};  ///< nothing is behind this edge
  bool is_corner[3] = {};  ///< some triangle at this vertex is missing

  void set_planes() {
    const Vec<3> across = cross(minus(vertex[1], vertex[0]), minus(vertex[2], vertex[0]));
    normal = times(across, 1 / length(across));
    for (int k = 0; k < 3; ++k) {
      const Vec<3> along = minus(vertex[(k + 1) % 3], vertex[k]);
      const Real size = std::hypot(along[0], along[1]);
      out[k] = {along[1] / size, -along[0] / size, 0};
    }
  }
  /// Whether a ray may come nearer than `margin`, by the bounds of all below the triangle.
  bool may_meet(const Vec<3>& origin, const Vec<3>& direction, Real margin, Real end) const {
    Real first = 0, last = end;
    for (int k = 0; k < 3; ++k) {
      const auto [least, most] = std::minmax({vertex[0][k], vertex[1][k], vertex[2][k]});
      Real low = least - margin - origin[k], high = most + margin - origin[k];
      if (k == 2) low = -std::numeric_limits<Real>::infinity();
      if (direction[k] == 0) {
        if (low > 0 || high < 0) return false;
        continue;
      }
      const Real a = low / direction[k], b = high / direction[k];
      first = std::max(first, std::min(a, b));
      last = std::min(last, std::max(a, b));
    }
    return first <= last;
  }
};

struct FieldReference {
  std::vector<Prism> prisms;
  Real size = 0;

  /// `height(row, column)` as stored.
  FieldReference(int rows, int columns, Real cell, const std::function<Real(int, int)>& height) {
    const auto is_there = [&](int row, int column, int half) {
      if (row < 0 || column < 0 || row >= rows - 1 || column >= columns - 1) return false;
      const Real third = half == 0 ? height(row, column + 1) : height(row + 1, column);
      return !std::isnan(height(row, column) + height(row + 1, column + 1) + third);
    };
    const auto is_inner = [&](int row, int column) {
      return is_there(row - 1, column - 1, 0) && is_there(row - 1, column - 1, 1) &&
             is_there(row - 1, column, 1) && is_there(row, column - 1, 0) &&
             is_there(row, column, 0) && is_there(row, column, 1);
    };
    const auto at = [&](int row, int column) {
      return Vec<3>{column * cell, row * cell, height(row, column)};
    };
    for (int row = 0; row + 1 < rows; ++row) {
      for (int column = 0; column + 1 < columns; ++column) {
        for (int half = 0; half < 2; ++half) {
          if (!is_there(row, column, half)) continue;
          Prism prism;
          prism.number = 2 * (row * columns + column) + half;
          prism.vertex[0] = at(row, column);
          prism.vertex[1] = half == 0 ? at(row, column + 1) : at(row + 1, column + 1);
          prism.vertex[2] = half == 0 ? at(row + 1, column + 1) : at(row + 1, column);
          prism.set_planes();
          const bool behind[2][3] = {{is_there(row - 1, column, 1), is_there(row, column + 1, 1),
                                      is_there(row, column, 1)},
                                     {is_there(row, column, 0), is_there(row + 1, column, 0),
                                      is_there(row, column - 1, 0)}};
          prism.is_corner[0] = !is_inner(row, column);
          prism.is_corner[2 - half] = !is_inner(row + 1, column + 1);
          prism.is_corner[1 + half] =
              half == 0 ? !is_inner(row, column + 1) : !is_inner(row + 1, column);
          for (int k = 0; k < 3; ++k) {
            prism.is_border[k] = !behind[half][k];
            size = std::max(size, length(prism.vertex[k]));
          }
          prisms.push_back(prism);
        }
      }
    }
  }

  const Prism* find(std::int32_t number) const {
    for (const Prism& prism : prisms) {
      if (prism.number == number) return &prism;
    }
    return nullptr;
  }
  /// How far a point is from a prism: minus the depth inside.
  static Real apart(const Prism& prism, const Vec<3>& p) {
    Real inside = dot(prism.normal, minus(p, prism.vertex[0]));
    for (int k = 0; k < 3; ++k) {
      inside = std::max(inside, dot(prism.out[k], minus(p, prism.vertex[k])));
    }
    if (inside <= 0) return inside;
    Real least = std::numeric_limits<Real>::infinity();
    // Over the face.
    bool is_over = true;
    const Real height = dot(prism.normal, minus(p, prism.vertex[0]));
    for (int k = 0; k < 3; ++k) {
      const Vec<3>&a = prism.vertex[k], &b = prism.vertex[(k + 1) % 3];
      const Vec<3> along = minus(b, a), from = minus(p, a);
      is_over &= dot(cross(prism.normal, along), from) >= 0;
      // The edge, the corner's line down, the wall.
      const Real share = std::clamp(dot(from, along) / dot(along, along), Real{0}, Real{1});
      least = std::min(least, length(minus(from, times(along, share))));
      const Real down = std::min(from[2], Real{0});
      least = std::min(least, length(minus(from, Vec<3>{0, 0, down})));
      const Vec<3> level{along[0], along[1], 0};
      const Real place = dot(from, level) / dot(level, level);
      const bool is_beside = place >= 0 && place <= 1 && from[2] <= place * along[2];
      if (is_beside) least = std::min(least, std::abs(dot(prism.out[k], from)));
    }
    if (is_over) least = std::min(least, std::abs(height));
    return least;
  }
  Real apart(const Vec<3>& p) const {
    Real least = std::numeric_limits<Real>::infinity();
    for (const Prism& prism : prisms) least = std::min(least, apart(prism, p));
    return least;
  }

  struct Stretch {
    Real low, high;
  };
  /// Where a ray is within `margin` of each prism. `slack` (maybe negative) moves faces and walls;
  /// those between triangles only outwards, so that there is no crack.
  std::vector<Stretch> stretches(const Vec<3>& origin, const Vec<3>& direction, Real margin,
                                 Real slack, Real end) const {
    std::vector<Stretch> found;
    for (const Prism& prism : prisms) {
      if (margin > 0) {
        // A little more than the margin, so that rounding leaves out none.
        if (!prism.may_meet(origin, direction, margin + slack + 1e-15L * size, end)) continue;
        const auto grown = [&](const Vec<3>& p) { return apart(prism, p) - (margin + slack); };
        const RayReference one = ray_reference_of<3>(grown, origin, direction, end);
        if (one.is_hit) found.push_back({one.starts_inside ? 0 : one.enter, one.leave});
        continue;
      }
      Real low = -std::numeric_limits<Real>::infinity(), high = -low;
      const auto cut = [&](const Vec<3>& normal, const Vec<3>& at, Real by) {
        const Real height = dot(normal, minus(origin, at)) - by, rise = dot(normal, direction);
        if (rise == 0) {
          if (height > 0) high = -std::numeric_limits<Real>::infinity();
        } else if (rise > 0) {
          high = std::min(high, -height / rise);
        } else {
          low = std::max(low, -height / rise);
        }
      };
      cut(prism.normal, prism.vertex[0], slack);
      for (int k = 0; k < 3; ++k) {
        cut(prism.out[k], prism.vertex[k], prism.is_border[k] ? slack : std::max(slack, Real{0}));
      }
      for (int k = 0; k < 3 && slack < 0; ++k) {
        if (!prism.is_corner[k]) continue;
        const Vec<3> middle = plus(prism.vertex[(k + 1) % 3], prism.vertex[(k + 2) % 3]);
        Vec<3> out = minus(prism.vertex[k], times(middle, 0.5L));
        out[2] = 0;
        cut(times(out, 1 / length(out)), prism.vertex[k], slack);
      }
      if (low <= high && high >= 0) found.push_back({std::max(low, Real{0}), high});
    }
    return found;
  }
  struct Answer {
    bool is_inside = false;
    Real enter = std::numeric_limits<Real>::infinity();
    Real leave = 0;  ///< of what begins at 0
  };
  Answer ask(const Vec<3>& origin, const Vec<3>& direction, Real margin, Real slack,
             Real end) const {
    Answer answer;
    std::vector<Stretch> all = stretches(origin, direction, margin, slack, end);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.low < b.low; });
    // What is only touched, as at a corner, may be missed.
    const Real least = -8 * slack / length(direction);
    for (const Stretch& one : all) {
      if (one.high - one.low < least) continue;
      answer.enter = std::min(answer.enter, one.low);
      answer.is_inside |= one.low <= 0;
      if (one.low <= answer.leave + 1e-15L) answer.leave = std::max(answer.leave, one.high);
    }
    return answer;
  }
};

}  // namespace widephase::test
