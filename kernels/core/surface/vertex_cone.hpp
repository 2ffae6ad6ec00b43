#pragma once

// The directions that are felt at a vertex of a mesh with very many edges: those along which none
// of the edges rises. To ask every edge for each arc of directions would take the square of their
// number, so the edges are sorted by their angle around an axis and have a binary tree of bounds.

#include "kernels/core/surface/heap_sort.hpp"
#include "kernels/core/surface/listed_triangles.hpp"

namespace widephase {
namespace {

/// Vertices of so many triangles have their edges sorted.
inline constexpr int kManyAround = 64;

class VertexCone {
 public:
  static constexpr std::int32_t kLeaf = 8;
  struct Node {
    Vector low, high;
  };

  /// Takes room for the edges of a vertex of up to `triangles`; false if there is none.
  bool take_room(std::int32_t triangles, Arena& arena) {
    const auto most = static_cast<std::size_t>(2 * triangles);
    along_ = arena.take<Vector>(most);
    key_ = arena.take<double>(most);
    order_ = arena.take<std::int32_t>(most);
    node_ = arena.take<Node>(4 * (most / kLeaf + 1));
    return along_ != nullptr && key_ != nullptr && order_ != nullptr && node_ != nullptr;
  }

  /// Begins anew; then come the edges, by `add`, and `build`.
  void begin() { count_ = 0; }
  void add(const Vector& along) { along_[count_++] = along; }
  /// `level_rise`: a length, how far rounding moves what is level; `sine_rounding` is relative.
  void build(const Vector& axis, double level_rise, double sine_rounding) {
    level_rise_ = level_rise;
    sine_rounding_ = sine_rounding;
    const Vector x_axis = across_of(axis), y_axis = cross(axis, x_axis);
    for (std::int32_t n = 0; n < count_; ++n) {
      const double x = dot(along_[n], x_axis), y = dot(along_[n], y_axis);
      const double size = magnitude(x) + magnitude(y);
      // Grows with the angle, from -2 to 2.
      const double turn = size > 0 ? 1 - x / size : 0;
      key_[n] = y < 0 ? -turn : turn;
      order_[n] = n;
    }
    heap_sort(order_, count_, [&](std::int32_t a, std::int32_t b) {
      return key_[a] != key_[b] ? key_[a] < key_[b] : a < b;
    });
    leaves_ = 1;
    while (leaves_ * kLeaf < count_) leaves_ *= 2;
    for (std::int32_t n = 2 * leaves_; n-- > 1;) {
      Node& node = node_[n];
      if (n < leaves_) {
        node = node_[2 * n];
        grow(node, node_[2 * n + 1].low, node_[2 * n + 1].high);
        continue;
      }
      node.low = {{kInfinite<double>, kInfinite<double>, kInfinite<double>}};
      node.high = -node.low;
      for_each_of(n, [&](const Vector& along) { grow(node, along, along); });
    }
  }

  /// Whether no edge rises along a direction.
  bool is_felt(const Vector& u) const { return steepest(u) < 0; }

  /// Which of the directions from one to another are felt, as shares of the way.
  bool find_felt(const Vector& from, const Vector& to, double& low, double& high) const {
    low = 0;
    high = 1;
    const auto between = [&](double share) { return scaled(from, 1 - share) + scaled(to, share); };
    while (low + sine_rounding_ < high) {
      const bool is_low_felt = steepest(between(low)) < 0;
      const std::int32_t worst = is_low_felt ? steepest(between(high)) : steepest(between(low));
      if (worst < 0) return true;
      const double at_from = dot(from, along_[worst]), at_to = dot(to, along_[worst]);
      const double share = at_from / (at_from - at_to);
      // It rises along all of the way that is left.
      if (!(is_low_felt ? share < high && share > low : share > low && share < high)) return false;
      (is_low_felt ? high : low) = share;
    }
    return false;
  }

 private:
  static void grow(Node& node, const Vector& low, const Vector& high) {
    for (int k = 0; k < 3; ++k) {
      node.low[k] = low[k] < node.low[k] ? low[k] : node.low[k];
      node.high[k] = high[k] > node.high[k] ? high[k] : node.high[k];
    }
  }
  template <class Op>
  void for_each_of(std::int32_t leaf, const Op& op) const {
    const std::int32_t first = (leaf - leaves_) * kLeaf;
    for (std::int32_t n = first; n < first + kLeaf && n < count_; ++n) op(along_[order_[n]]);
  }

  /// The edge that rises most along a direction by more than rounding; -1 if none does.
  std::int32_t steepest(const Vector& u) const {
    double most = 0;
    std::int32_t best = -1;
    std::int32_t open[64];
    int open_count = 1;
    open[0] = 1;
    while (open_count > 0) {
      const std::int32_t n = open[--open_count];
      const Node& node = node_[n];
      if (!(node.low[0] <= node.high[0])) continue;  // no edges
      Vector corner;
      for (int k = 0; k < 3; ++k) corner[k] = u[k] >= 0 ? node.high[k] : node.low[k];
      if (!(dot(u, corner) - level_rise_ > most)) continue;
      if (n < leaves_) {
        open[open_count++] = 2 * n;
        open[open_count++] = 2 * n + 1;
        continue;
      }
      const std::int32_t first = (n - leaves_) * kLeaf;
      for (std::int32_t i = first; i < first + kLeaf && i < count_; ++i) {
        const Vector& along = along_[order_[i]];
        const double rise =
            dot(u, along) - (level_rise_ + sine_rounding_ * root(dot(along, along)));
        if (!(rise > most)) continue;
        most = rise;
        best = order_[i];
      }
    }
    return best;
  }

  Vector* along_ = nullptr;
  double* key_ = nullptr;
  std::int32_t* order_ = nullptr;
  Node* node_ = nullptr;
  std::int32_t count_ = 0, leaves_ = 1;
  double level_rise_ = 0, sine_rounding_ = 0;
};

}  // namespace
}  // namespace widephase
