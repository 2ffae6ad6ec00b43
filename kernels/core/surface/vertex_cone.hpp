#pragma once

// The directions that are felt at a vertex of a mesh with very many edges: those along which none
// of the edges rises. To ask every edge for each arc of directions would take the square of their
// number, so the edges' own directions are sorted along a curve that keeps near ones together, and
// have a binary tree of bounds. Edges that go on, or back, as others do are in one place then.

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
    Vector low, high;  ///< of the edges' directions
    double rounding;   ///< the least of theirs
  };

  /// Takes room for the edges of a vertex of up to `triangles`; false if there is none.
  bool take_room(std::int32_t triangles, Arena& arena) {
    const auto most = static_cast<std::size_t>(2 * triangles);
    along_ = arena.take<Vector>(most);
    key_ = arena.take<double>(most);
    order_ = arena.take<std::int32_t>(most);
    rounding_ = arena.take<double>(most);
    node_ = arena.take<Node>(4 * (most / kLeaf + 1));
    return along_ != nullptr && key_ != nullptr && order_ != nullptr && rounding_ != nullptr &&
           node_ != nullptr;
  }

  /// Begins anew; then come the edges, by `add`, and `build`. `level_rise`: a length, how far
  /// rounding moves what is level; `sine_rounding` is relative.
  void begin(double level_rise, double sine_rounding) {
    count_ = 0;
    level_rise_ = level_rise;
    sine_rounding_ = sine_rounding;
  }
  void add(const Vector& along) {
    if (dot(along, along) > 0) along_[count_++] = along;
  }
  void build() {
    for (std::int32_t n = 0; n < count_; ++n) {
      const double length = root(dot(along_[n], along_[n]));
      along_[n] = scaled(along_[n], 1 / length);
      key_[n] = place_on_curve(along_[n]);
      order_[n] = n;
      rounding_[n] = level_rise_ / length + sine_rounding_;
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
        grow(node, node_[2 * n + 1]);
        continue;
      }
      node.low = {{kInfinite<double>, kInfinite<double>, kInfinite<double>}};
      node.high = -node.low;
      node.rounding = kInfinite<double>;
      for_each_of(n, [&](std::int32_t e) { grow(node, {along_[e], along_[e], rounding_[e]}); });
    }
  }

  /// Whether no edge rises along a direction.
  bool is_felt(const Vector& u) const { return steepest(u, true) < 0; }

  /// Which of the directions from one to another are felt, as shares of the way.
  bool find_felt(const Vector& from, const Vector& to, double& low, double& high) const {
    low = 0;
    high = 1;
    const auto between = [&](double share) { return scaled(from, 1 - share) + scaled(to, share); };
    while (low + sine_rounding_ < high) {
      const bool is_low_felt = is_felt(between(low));
      const std::int32_t worst = steepest(between(is_low_felt ? high : low), false);
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
  /// Where a unit direction is on a curve through all of them: the bits of its numbers in turn.
  static double place_on_curve(const Vector& u) {
    constexpr int kBits = 16;
    std::uint32_t number[3];
    for (int k = 0; k < 3; ++k) {
      number[k] = static_cast<std::uint32_t>((u[k] * 0.499 + 0.5) * (1 << kBits));
    }
    std::uint64_t place = 0;
    for (int bit = kBits; bit-- > 0;) {
      for (int k = 0; k < 3; ++k) place = 2 * place + (number[k] >> bit & 1);
    }
    return static_cast<double>(place);
  }
  static void grow(Node& node, const Node& other) {
    for (int k = 0; k < 3; ++k) {
      node.low[k] = other.low[k] < node.low[k] ? other.low[k] : node.low[k];
      node.high[k] = other.high[k] > node.high[k] ? other.high[k] : node.high[k];
    }
    node.rounding = other.rounding < node.rounding ? other.rounding : node.rounding;
  }
  template <class Op>
  void for_each_of(std::int32_t leaf, const Op& op) const {
    const std::int32_t first = (leaf - leaves_) * kLeaf;
    for (std::int32_t n = first; n < first + kLeaf && n < count_; ++n) op(order_[n]);
  }

  /// By how much the edges of a node may rise along a direction, more than by rounding.
  double most_rise(std::int32_t n, const Vector& u) const {
    const Node& node = node_[n];
    if (!(node.low[0] <= node.high[0])) return 0;  // no edges
    Vector corner;
    for (int k = 0; k < 3; ++k) corner[k] = u[k] >= 0 ? node.high[k] : node.low[k];
    return dot(u, corner) - node.rounding;
  }

  /// The edge that rises most along a direction by more than rounding; -1 if none does. If any will
  /// do, it is not the most. Of two nodes the one whose edges may rise more is opened first.
  std::int32_t steepest(const Vector& u, bool any_will_do) const {
    struct Open {
      std::int32_t node;
      double rise;
    };
    double most = 0;
    std::int32_t best = -1;
    Open open[64];
    int open_count = 1;
    open[0] = {1, most_rise(1, u)};
    while (open_count > 0) {
      const Open next = open[--open_count];
      if (!(next.rise > most)) continue;
      const std::int32_t n = next.node;
      if (n < leaves_) {
        const Open a{2 * n, most_rise(2 * n, u)}, b{2 * n + 1, most_rise(2 * n + 1, u)};
        open[open_count++] = a.rise >= b.rise ? b : a;
        open[open_count++] = a.rise >= b.rise ? a : b;
        continue;
      }
      for_each_of(n, [&](std::int32_t edge) {
        const double rise = dot(u, along_[edge]) - rounding_[edge];
        if (!(rise > most)) return;
        most = rise;
        best = edge;
      });
      if (any_will_do && best >= 0) return best;
    }
    return best;
  }

  Vector* along_ = nullptr;
  double *key_ = nullptr, *rounding_ = nullptr;
  std::int32_t* order_ = nullptr;
  Node* node_ = nullptr;
  std::int32_t count_ = 0, leaves_ = 1;
  double level_rise_ = 0, sine_rounding_ = 0;
};

}  // namespace
}  // namespace widephase
