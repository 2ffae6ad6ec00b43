#pragma once

// The least support h(n) of a convex body Z over parts of the sphere of directions, bounded from
// both sides: over points, arcs and spherical triangles. The bounds of a part are those of
// direction_search.hpp: the value of a matrix game over the support points at its corners. The part
// with the lowest bound is halved at its longest side. Directions outside of the parts are never
// asked.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "reference/direction_search.hpp"
#include "reference/vec3d.hpp"

namespace widephase::test {

template <class Point>
class FeltSearch {
 public:
  /// `point(n)` is Z's farthest point along the unit direction n.
  explicit FeltSearch(Point point) : point_(std::move(point)) {}

  /// Adds a part of the sphere with one, two or three corners, shorter than half a turn.
  void add(const std::vector<Vec3d>& corners) {
    std::array<std::size_t, 3> nodes{};
    for (std::size_t k = 0; k < 3; ++k) {
      nodes[k] = k < corners.size() ? node(corners[k]) : nodes[k - 1];
    }
    if (corners.size() > 1) push(nodes);
  }

  /// Searches until the bounds are within `gap`, or `most` directions were asked.
  void run(double gap, std::size_t most) {
    while (!cells_.empty()) {
      std::pop_heap(cells_.begin(), cells_.end(), is_above);
      const Cell cell = cells_.back();
      if (cell.bound >= upper_ - gap || nodes_.size() >= most) {
        lower_ = std::min({upper_, cell.bound, lower_dropped_});
        return;
      }
      cells_.pop_back();
      std::size_t longest = 0;
      double most_apart = -1;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d side = nodes_[cell.corner[k]].n - nodes_[cell.corner[(k + 1) % 3]].n;
        if (dot(side, side) > most_apart) longest = k;
        most_apart = std::max(most_apart, dot(side, side));
      }
      const std::size_t i = cell.corner[longest], j = cell.corner[(longest + 1) % 3];
      const std::size_t k = cell.corner[(longest + 2) % 3];
      if (!(most_apart > 1e-18)) {  // rounding hides what is between
        lower_dropped_ = std::min(lower_dropped_, cell.bound);
        continue;
      }
      const std::size_t middle = node(nodes_[i].n + nodes_[j].n);
      // The third corner of an arc is one of its two.
      push({i, middle, k == j ? middle : k});
      push({middle, j, k == i ? middle : k});
    }
    lower_ = std::min(upper_, lower_dropped_);
  }

  double upper() const { return upper_; }
  double lower() const { return lower_; }
  Vec3d normal() const { return normal_; }

 private:
  struct Node {
    Vec3d n, point;
  };
  struct Cell {
    std::array<std::size_t, 3> corner;
    double bound;
  };
  static bool is_above(const Cell& u, const Cell& v) { return u.bound > v.bound; }

  std::size_t node(Vec3d n) {
    n = 1 / length(n) * n;
    const Vec3d at = point_(n);
    if (dot(at, n) < upper_) {
      upper_ = dot(at, n);
      normal_ = n;
    }
    nodes_.push_back({n, at});
    return nodes_.size() - 1;
  }

  void push(const std::array<std::size_t, 3>& corner) {
    std::array<std::array<double, 3>, 3> m;
    double longest2 = 0;
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 3; ++column) {
        m[row][column] = dot(nodes_[corner[row]].point, nodes_[corner[column]].n);
      }
      const Vec3d side = nodes_[corner[row]].n - nodes_[corner[(row + 1) % 3]].n;
      longest2 = std::max(longest2, dot(side, side));
    }
    double bound = game_value(m);
    // A unit direction is p / |p|, with p in the plane of the corners: see direction_search.hpp.
    if (bound < 0) bound /= std::sqrt(std::max(1 - longest2 / 3, 1e-3));
    if (bound >= upper_) return;
    cells_.push_back({corner, bound});
    std::push_heap(cells_.begin(), cells_.end(), is_above);
  }

  Point point_;
  std::vector<Node> nodes_;
  std::vector<Cell> cells_;
  double upper_ = std::numeric_limits<double>::infinity();
  double lower_ = -std::numeric_limits<double>::infinity();
  double lower_dropped_ = std::numeric_limits<double>::infinity();
  Vec3d normal_;
};

}  // namespace widephase::test
