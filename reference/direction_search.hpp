#pragma once

// The least support h(n) of a convex body Z over all unit directions n, bounded from both sides.
//
// Directions are covered by spherical triangles. Each corner n_i has a support point z_i of Z, so
// h(n_i) = z_i.n_i, the least of which bounds the minimum from above. Any average w of the three
// points lies in Z too, so h(n) >= w.n. Where w.n_i > 0 at all three corners, w.n is least at one
// of them. The average that makes this least value largest is the value of a matrix game. Triangles
// whose bound is at least the best value are dropped. The one with the lowest bound is divided, at
// the edge along which h bends most, so that triangles become as long as h is flat. On smooth
// pieces, the gap between the bounds shrinks with the square of the triangles, and there is none on
// cones about a corner. So the least of all minima is enclosed, whatever the body, unless
// directions along an arc, or all, are equally short to the gap that is asked for.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "reference/vec3d.hpp"

namespace widephase::test {

/// The largest bound from below over a triangle: rows are support points, columns are corners.
inline double game_value(const std::array<std::array<double, 3>, 3>& m) {
  const auto least_of = [&](const std::array<double, 3>& w) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 3; ++i) {
      least = std::min(least, w[0] * m[0][i] + w[1] * m[1][i] + w[2] * m[2][i]);
    }
    return least;
  };
  // Equal at all corners: perpendicular to the differences of columns.
  const Vec3d u{m[0][1] - m[0][0], m[1][1] - m[1][0], m[2][1] - m[2][0]};
  const Vec3d v{m[0][2] - m[0][0], m[1][2] - m[1][0], m[2][2] - m[2][0]};
  const Vec3d w = cross(u, v);
  const double sum = w.x + w.y + w.z;
  if (std::abs(sum) > 0 && w.x / sum >= 0 && w.y / sum >= 0 && w.z / sum >= 0) {
    const double value = least_of({w.x / sum, w.y / sum, w.z / sum});
    if (std::isfinite(value)) return value;
  }
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t l = (k + 1) % 3;
    const auto consider = [&](double t) {
      std::array<double, 3> weights{};
      weights[k] = 1 - t;
      weights[l] = t;
      best = std::max(best, least_of(weights));
    };
    consider(0);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      const double at_k = m[k][i] - m[k][j], at_l = m[l][i] - m[l][j];
      if ((at_k < 0) != (at_l < 0)) consider(at_k / (at_k - at_l));
    }
  }
  return best;
}

class DirectionSearch {
 public:
  struct Node {
    Vec3d n, point;
    double height;
  };

  double upper() const { return upper_; }
  /// No direction has less.
  double lower() const { return lower_; }
  Vec3d normal() const { return normal_; }
  bool is_proven() const { return lower_ >= upper_ - gap_; }
  std::size_t node_count() const { return nodes_.size(); }

  /// What ends a search before the bounds are within the gap, besides `most` directions.
  struct Ends {
    std::size_t most;
    /// A direction that is lower than the bound already known by more than the gap.
    bool below = false;
    /// No hope to come within the gap with `most`, as where directions along an arc are equal.
    bool hopeless = false;
  };

  /// Searches until the bounds are within `gap`. `upper` is a bound already known; `point(n)` is
  /// Z's farthest point along n.
  template <class Point>
  void run(Point&& point, double upper, double gap, const Ends& ends) {
    nodes_.clear();
    cells_.clear();
    upper_ = upper;
    gap_ = gap;
    const double known = upper;
    normal_ = {};
    const auto add = [&](Vec3d n) {
      n = 1 / length(n) * n;
      const Vec3d at = point(n);
      const double height = dot(at, n);
      if (height < upper_) {
        upper_ = height;
        normal_ = n;
      }
      nodes_.push_back({n, at, height});
      return nodes_.size() - 1;
    };
    for (const double side : {1.0, -1.0}) {
      add({side, 0, 0});
      add({0, side, 0});
      add({0, 0, side});
    }
    for (std::size_t octant = 0; octant < 8; ++octant) {
      push((octant & 1) != 0 ? 3 : 0, (octant & 2) != 0 ? 4 : 1, (octant & 4) != 0 ? 5 : 2);
    }
    lower_ = upper_ - gap_;
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    double dropped = kInfinite, rest_before = kInfinite;
    std::size_t next_look = 512;
    int slow_looks = 0;
    while (!cells_.empty()) {
      std::pop_heap(cells_.begin(), cells_.end(), is_above);
      const Cell cell = cells_.back();
      cells_.pop_back();
      lower_ = std::min({upper_ - gap_, cell.bound, dropped});
      if (cell.bound >= upper_ - gap_) return;
      bool ends_here = (ends.below && upper_ < known - gap_) || nodes_.size() >= ends.most;
      if (ends.hopeless && nodes_.size() >= next_look) {
        // Along an arc the rest falls with the square of the number of directions, else faster.
        const double rest = upper_ - std::min(cell.bound, dropped);
        const double needed = static_cast<double>(nodes_.size()) * std::sqrt(rest / gap_);
        slow_looks = rest > 0.1 * rest_before ? slow_looks + 1 : 0;
        ends_here = ends_here || (slow_looks > 1 && needed > 4 * static_cast<double>(ends.most));
        rest_before = rest;
        next_look *= 2;
      }
      if (ends_here) {
        cells_.push_back(cell);
        std::push_heap(cells_.begin(), cells_.end(), is_above);
        return;
      }
      // The direction of the plane through the three points is near a minimum, if one is here.
      const auto [i, j, k] = cell.corner;
      const Vec3d p = nodes_[i].point;
      const Vec3d facet = cross(nodes_[j].point - p, nodes_[k].point - p);
      const double size = length(facet);
      if (size > 0) {
        const Vec3d n = (dot(facet, nodes_[i].n) < 0 ? -1 : 1) / size * facet;
        const double height = dot(point(n), n);
        if (height < upper_) {
          upper_ = height;
          normal_ = n;
        }
      }
      std::size_t from = i, to = j, apex = k;
      double most_bent = bend(i, j);
      if (bend(j, k) > most_bent) {
        most_bent = bend(j, k);
        from = j, to = k, apex = i;
      }
      if (bend(k, i) > most_bent) from = k, to = i, apex = j;
      if (!(length(nodes_[from].n - nodes_[to].n) > 1e-9)) {  // rounding hides what is between
        dropped = std::min(dropped, cell.bound);
        continue;
      }
      const std::size_t middle = add(nodes_[from].n + nodes_[to].n);
      push(from, middle, apex);
      push(middle, to, apex);
    }
    lower_ = std::min(upper_ - gap_, dropped);
  }

  /// The lowest corners of the triangles that are left, apart from each other: where to look on.
  std::vector<Vec3d> open_directions(std::size_t most) const {
    std::vector<Cell> cells = cells_;
    std::sort(cells.begin(), cells.end(),
              [](const Cell& u, const Cell& v) { return u.bound < v.bound; });
    std::vector<Vec3d> found;
    const auto take = [&](Vec3d n) {
      for (const Vec3d& known : found) {
        if (length(known - n) < 0.02) return;
      }
      found.push_back(n);
    };
    if (length(normal_) > 0) take(normal_);
    for (const Cell& cell : cells) {
      if (found.size() >= most) break;
      const Vec3d sum =
          nodes_[cell.corner[0]].n + nodes_[cell.corner[1]].n + nodes_[cell.corner[2]].n;
      take(1 / length(sum) * sum);
    }
    return found;
  }

 private:
  struct Cell {
    std::array<std::size_t, 3> corner;
    double bound;
  };
  static bool is_above(const Cell& u, const Cell& v) { return u.bound > v.bound; }

  /// How much h exceeds both of its tangents along an edge.
  double bend(std::size_t i, std::size_t j) const {
    const Node &u = nodes_[i], &v = nodes_[j];
    // Below 0, directions beyond the plane of the corners have less in proportion to its distance
    // from them. Else a little, so that triangles without any bend become small too.
    const Vec3d along = u.n - v.n;
    const double low = std::min(u.height, v.height);
    const double beyond = low < 0 ? -0.25 * low : 1e-6 * low;
    return (u.height - dot(v.point, u.n)) + (v.height - dot(u.point, v.n)) +
           beyond * dot(along, along);
  }

  void push(std::size_t i, std::size_t j, std::size_t k) {
    const std::array<std::size_t, 3> corner{i, j, k};
    std::array<std::array<double, 3>, 3> m;
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 3; ++column) {
        m[row][column] = dot(nodes_[corner[row]].point, nodes_[corner[column]].n);
      }
    }
    double bound = game_value(m);
    if (bound < 0) {
      // A unit direction is p / |p|, with p in the plane of the corners. With shares s,
      // p.p = 1 - sum of s_i s_j (n_i - n_j)^2 over pairs, and the sum of s_i s_j is at most 1/3.
      double longest2 = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        const Vec3d side = nodes_[corner[c]].n - nodes_[corner[(c + 1) % 3]].n;
        longest2 = std::max(longest2, dot(side, side));
      }
      bound /= std::sqrt(1 - longest2 / 3);
    }
    if (bound >= upper_ - gap_) return;
    cells_.push_back({corner, bound});
    std::push_heap(cells_.begin(), cells_.end(), is_above);
  }

  std::vector<Node> nodes_;
  std::vector<Cell> cells_;
  double upper_ = 0, lower_ = 0, gap_ = 0;
  Vec3d normal_;
};

}  // namespace widephase::test
