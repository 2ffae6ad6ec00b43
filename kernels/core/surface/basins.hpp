#pragma once

// Which ways out of a surface count. Every triangle on or over which a core lies, and every convex
// edge and vertex of these with a shorter way out between the normals around it, is a node; nodes
// are connected where the felt directions of one lead on to those of the other: not across concave
// edges. A way out counts if it is a least one: no connected node has a shorter one, and no path
// leads to one without going up. So a box over a ridge of many small triangles leaves it along the
// ridge's own directions, and the slopes' normals, along which it would have to move farther, do
// not count. On level ground all are equal, and rounding must not make several of one: least ones
// that are parted by less than `level` are one. (Zero-dimensional persistence: Edelsbrunner,
// Letscher, Zomorodian 2002.)

#include "kernels/core/surface/felt_directions.hpp"
#include "kernels/core/surface/heap_sort.hpp"

namespace widephase {
namespace {

struct Node {
  WayOut way;
  std::int32_t triangle;  ///< in the list
  int feature;            ///< of the triangle
  bool is_straight;       ///< the core's point is straight behind the vertex
  std::int32_t root;      ///< of the basin, while they grow; a root's is itself
  bool is_met;
};

class Basins {
 public:
  Basins(Node* nodes, std::int32_t* order) : nodes_(nodes), order_(order) {}

  std::int32_t add(const WayOut& way, std::int32_t triangle, int feature,
                   bool is_straight = false) {
    nodes_[count_] = {way, triangle, feature, is_straight, count_, false};
    order_[count_] = count_;
    return count_++;
  }
  std::int32_t count() const { return count_; }
  const Node& node(std::int32_t n) const { return nodes_[n]; }
  /// Whether a node is the least of its basin.
  bool is_least(std::int32_t n) const { return nodes_[n].root == n; }

  /// `for_each_beside(node, op)` calls `op` for the nodes that one is connected to, or -1.
  template <class ForEachBeside>
  void grow(double level, const ForEachBeside& for_each_beside) {
    heap_sort(order_, count_, [&](std::int32_t a, std::int32_t b) { return comes_before(a, b); });
    for (std::int32_t k = 0; k < count_; ++k) {
      const std::int32_t n = order_[k];
      Node& node = nodes_[n];
      node.is_met = true;
      std::int32_t own = n;
      for_each_beside(n, [&](std::int32_t other) {
        if (other < 0 || !nodes_[other].is_met) return;
        const std::int32_t there = root_of(other);
        if (there == own) return;
        if (own == n) {  // all that are met lie lower
          nodes_[n].root = own = there;
          return;
        }
        const bool is_lower = comes_before(there, own);
        const std::int32_t least = is_lower ? there : own, most = is_lower ? own : there;
        if (node.way.depth - nodes_[most].way.depth <= level) nodes_[most].root = least;
        nodes_[n].root = own = least;
      });
    }
  }

 private:
  bool comes_before(std::int32_t a, std::int32_t b) const {
    const double x = nodes_[a].way.depth, y = nodes_[b].way.depth;
    if (x != y) return x < y;
    // The features of fewer directions last: an edge's own direction before its triangles'.
    if (nodes_[a].feature != nodes_[b].feature) return nodes_[a].feature > nodes_[b].feature;
    return a < b;
  }
  std::int32_t root_of(std::int32_t n) {
    while (nodes_[n].root != n) {
      nodes_[n].root = nodes_[nodes_[n].root].root;
      n = nodes_[n].root;
    }
    return n;
  }

  Node* nodes_;
  std::int32_t* order_;
  std::int32_t count_ = 0;
};

}  // namespace
}  // namespace widephase
