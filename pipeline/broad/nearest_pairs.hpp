#pragma once

// The pairs of a world in ascending order of the lower bound of their distance. A heap of pairs of
// nodes, of which the nearest is opened first (Hjaltason and Samet, Incremental distance join
// algorithms for spatial databases, 1998, section 2). Once the heap's smallest bound exceeds the
// smallest distance of the pairs so far, all other pairs are farther.

#include <cmath>

#include "pipeline/broad/world_trees.hpp"
#include "pipeline/rows/pair_filter.hpp"
#include "pipeline/rows/static_scene.hpp"
#include "soa/ascending.hpp"

namespace widephase {

/// The relative error allowed for computed distances and depths, ten times what docs/conventions.md
/// promises, and the rounding of the bounds' arithmetic, relative to the numbers' size.
template <class T>
inline constexpr double kDistanceSlack = sizeof(T) == 4 ? 1e-4 : 1e-11;
template <class T>
inline constexpr double kRoundingSlack = 8 * static_cast<double>(std::numeric_limits<T>::epsilon());

/// The inputs of all searches of a call. A kept scene has trees of its own, whose nodes are counted
/// downwards from -1; its shapes never meet one another.
template <int D, class T>
struct NearestInputs {
  const SceneRows<D, T>& rows;  ///< of both scenes
  const WorldTrees<D, T>& trees;
  const WorldTrees<D, T>* kept_trees;  ///< null: none is kept
  const JoinedScenes<D, T>* joined;    ///< null likewise: then ids are those of `rows`
  const PairFilter& filter;
  bool moving_pairs;
  UnboundedIds unbounded;  ///< the ids of halfspaces of `rows`

  static bool is_kept(std::int32_t node) { return node < 0; }
  static std::int32_t kept_node(std::int32_t node) { return ~node; }
  const BoundsNode<D, T>& node(std::int32_t index) const {
    return is_kept(index) ? kept_trees->node(~index) : trees.node(index);
  }
  std::int32_t left(std::int32_t node) const { return is_kept(node) ? node - 1 : node + 1; }
  std::int32_t right(std::int32_t index) const {
    return is_kept(index) ? ~node(index).right : node(index).right;
  }
  /// The shape at a place of the tree that the node is of.
  std::int32_t id(std::int32_t node, std::int32_t place) const {
    if (joined == nullptr) return trees.id(place);
    return is_kept(node) ? joined->of_kept(kept_trees->id(place))
                         : joined->of_moving(trees.id(place));
  }
};

template <int D, class T>
class NearestPairs {
 public:
  /// Begins with a world's own shapes and those of world -1.
  void start(const NearestInputs<D, T>& inputs, std::int32_t world) {
    heap_.clear();
    limit_ = std::numeric_limits<double>::infinity();
    if (!inputs.rows.is_world_answered(world)) return;
    const Group own = group_of(inputs, world, false), shared = group_of(inputs, -1, false);
    const Group kept_own = group_of(inputs, world, true), kept_shared = group_of(inputs, -1, true);
    if (inputs.moving_pairs) push_groups(inputs, own, own);
    if (inputs.moving_pairs) push_groups(inputs, own, shared);
    push_groups(inputs, own, kept_own);
    push_groups(inputs, own, kept_shared);
    push_groups(inputs, shared, kept_own);
    for (const Group& group : {own, kept_own}) {
      push_halfspaces(inputs, own, group);
      push_halfspaces(inputs, shared, group);
    }
    for (const Group& group : {shared, kept_shared}) push_halfspaces(inputs, own, group);
  }

  /// Pairs farther than this are ignored: a distance that was found, or an upper bound of the
  /// minimum.
  void limit(double distance) { limit_ = distance < limit_ ? distance : limit_; }

  /// Whether no remaining pair can be as near as the limit.
  bool is_done() const { return heap_.empty() || heap_.front().least > limit_; }

  /// Writes the next `most` pairs to `next`, or as many as remain within the limit.
  void advance(const NearestInputs<D, T>& inputs, std::size_t most) {
    next.clear();
    while (next.size() < most && !is_done()) {
      const Entry entry = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end(), is_farther);
      heap_.pop_back();
      switch (entry.what) {
        case What::shapes:
          next.push_back({entry.a, entry.b});
          break;
        case What::nodes:
          open(inputs, entry.a, entry.b);
          break;
        case What::halfspace:
          open_halfspace(inputs, entry.a, entry.b);
          break;
      }
    }
  }

  std::size_t bytes() const {
    return heap_.capacity() * sizeof(Entry) + next.capacity() * sizeof(Pair);
  }

  std::vector<Pair> next;

 private:
  enum class What : std::uint8_t { shapes, nodes, halfspace };
  struct Entry {
    double least;
    std::int32_t a;  ///< an id (`shapes`) or a node
    std::int32_t b;  ///< an id (`shapes`, `halfspace`) or a node
    What what;
  };
  static bool is_farther(const Entry& left, const Entry& right) { return left.least > right.least; }

  using Node = BoundsNode<D, T>;
  /// The shapes of a world in one of the scenes.
  struct Group {
    WorldPlaces places;
    std::int32_t root;
    bool is_kept;
    bool has_boxes() const { return places.begin < places.split; }
  };
  static Group group_of(const NearestInputs<D, T>& inputs, std::int32_t world, bool is_kept) {
    if (!is_kept) {
      const WorldPlaces places = inputs.trees.world(world);
      return {places, places.root, false};
    }
    if (inputs.kept_trees == nullptr) return {{}, 0, true};
    const WorldPlaces places = inputs.kept_trees->world(world);
    return {places, NearestInputs<D, T>::kept_node(places.root), true};
  }
  void push_groups(const NearestInputs<D, T>& inputs, const Group& a, const Group& b) {
    if (a.has_boxes() && b.has_boxes()) push_nodes(inputs, a.root, b.root);
  }
  /// Those of a group with the shapes of another.
  void push_halfspaces(const NearestInputs<D, T>& inputs, const Group& shapes,
                       const Group& halfspaces) {
    if (!shapes.has_boxes()) return;
    const std::int32_t tree = halfspaces.is_kept ? -1 : 0;
    for (std::int32_t place = halfspaces.places.split; place < halfspaces.places.end; ++place) {
      push_halfspace(inputs, shapes.root, inputs.id(tree, place));
    }
  }
  struct Bounds {
    PositionOf<T> min[D];
    PositionOf<T> max[D];
  };
  static Bounds bounds_of(const NearestInputs<D, T>& inputs, std::int32_t id) {
    Bounds bounds;
    for (int k = 0; k < D; ++k) {
      bounds.min[k] = inputs.rows.bounds.min(static_cast<std::size_t>(id), k);
      bounds.max[k] = inputs.rows.bounds.max(static_cast<std::size_t>(id), k);
    }
    return bounds;
  }

  /// Boxes that overlap, and the shapes in them, separate along the axis of the smallest overlap. A
  /// part of an outline may be pushed out of the whole outline instead: by no more than both are
  /// wide.
  struct Gap {
    double widest = -std::numeric_limits<double>::infinity();  ///< of all axes
    double squares = 0;  ///< sum over axes along which the boxes are apart
    double size = 0;     ///< sum of the widths of both boxes
    double least(bool has_inner_edges) const {
      if (widest > 0) return std::sqrt(squares) - kSlack * (std::sqrt(squares) + size);
      const double exit = has_inner_edges ? -size : widest;
      return exit - kSlack * (size - exit);
    }
  };
  static constexpr double kSlack = kDistanceSlack<SizeOf<T>>;

  template <class A, class B>
  static Gap gap_of(const A& a, const B& b) {
    Gap gap;
    for (int k = 0; k < D; ++k) {
      const double low_a = a.min[k], high_a = a.max[k], low_b = b.min[k], high_b = b.max[k];
      const double apart = std::max(low_b - high_a, low_a - high_b);
      gap.widest = std::max(gap.widest, apart);
      gap.squares += apart > 0 ? apart * apart : 0;
      gap.size += (high_a - low_a) + (high_b - low_b);
    }
    return gap;
  }
  static bool has_inner_edges(const NearestInputs<D, T>& inputs) {
    return D == 2 && inputs.rows.polygon_library().has_any_inner;
  }

  /// No two points of the boxes are farther apart.
  static double most_of(const Bounds& a, const Bounds& b, double size) {
    double squares = 0;
    for (int k = 0; k < D; ++k) {
      const double low_a = a.min[k], high_a = a.max[k], low_b = b.min[k], high_b = b.max[k];
      const double span = std::max(high_b - low_a, high_a - low_b);
      squares += span * span;
    }
    const double most = std::sqrt(squares);
    return most + kSlack * (most + size);
  }

  /// A lower bound of the distances of a halfspace's pairs with shapes in the box.
  template <class A>
  static double least_of(const NearestInputs<D, T>& inputs, const A& a, std::int32_t halfspace) {
    const auto row = static_cast<std::size_t>(halfspace - inputs.unbounded.begin);
    const double offset = inputs.rows.halfspace_offset[row];
    double least = -offset, magnitude = std::abs(offset), size = 0;
    for (int k = 0; k < D; ++k) {
      const double normal = inputs.rows.halfspace_normal(row, k);
      const double term = normal * (normal < 0 ? a.max[k] : a.min[k]);
      least += term;
      magnitude += std::abs(term);
      size += static_cast<double>(a.max[k]) - static_cast<double>(a.min[k]);
    }
    return least - kSlack * (size + std::abs(least)) - kRoundingSlack<PositionOf<T>> * magnitude;
  }

  void push(const Entry& entry) {
    if (entry.least > limit_) return;
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end(), is_farther);
  }

  void push_nodes(const NearestInputs<D, T>& inputs, std::int32_t a, std::int32_t b) {
    const Node& of_a = inputs.node(a);
    const Node& of_b = inputs.node(b);
    if (!may_meet(of_a, of_b)) return;
    push({gap_of(of_a, of_b).least(has_inner_edges(inputs)), a, b, What::nodes});
  }
  void push_halfspace(const NearestInputs<D, T>& inputs, std::int32_t node, std::int32_t id) {
    push({least_of(inputs, inputs.node(node), id), node, id, What::halfspace});
  }

  void open(const NearestInputs<D, T>& inputs, std::int32_t a, std::int32_t b) {
    const Node& of_a = inputs.node(a);
    const Node& of_b = inputs.node(b);
    if (of_a.is_leaf() && of_b.is_leaf()) {
      push_shapes(inputs, a, b);
    } else if (a == b) {
      push_nodes(inputs, inputs.left(a), inputs.left(a));
      push_nodes(inputs, inputs.left(a), inputs.right(a));
      push_nodes(inputs, inputs.right(a), inputs.right(a));
    } else if (of_b.is_leaf() || (!of_a.is_leaf() && size_of(of_a) >= size_of(of_b))) {
      push_nodes(inputs, inputs.left(a), b);
      push_nodes(inputs, inputs.right(a), b);
    } else {
      push_nodes(inputs, a, inputs.left(b));
      push_nodes(inputs, a, inputs.right(b));
    }
  }
  static double size_of(const Node& node) {
    double size = 0;
    for (int k = 0; k < D; ++k) {
      size += static_cast<double>(node.max[k]) - static_cast<double>(node.min[k]);
    }
    return size;
  }

  void push_shapes(const NearestInputs<D, T>& inputs, std::int32_t leaf_a, std::int32_t leaf_b) {
    const Node& a = inputs.node(leaf_a);
    const Node& b = inputs.node(leaf_b);
    const bool has_inner = has_inner_edges(inputs);
    Bounds of_b[kShapesALeaf];
    for (std::int32_t j = b.begin; j < b.end; ++j) {
      of_b[j - b.begin] = bounds_of(inputs, inputs.id(leaf_b, j));
    }
    Pair pairs[kShapesALeaf * kShapesALeaf];
    Entry entries[kShapesALeaf * kShapesALeaf];
    std::size_t count = 0;
    for (std::int32_t i = a.begin; i < a.end; ++i) {
      const std::int32_t id_a = inputs.id(leaf_a, i);
      const Bounds of_a = bounds_of(inputs, id_a);
      for (std::int32_t j = leaf_a == leaf_b ? i + 1 : b.begin; j < b.end; ++j) {
        const Gap gap = gap_of(of_a, of_b[j - b.begin]);
        // The distance of boxes is at least that along one axis: most pairs need no square root.
        if (gap.widest > 0 && gap.widest - kSlack * (gap.widest + gap.size) > limit_) continue;
        const double least = gap.least(has_inner);
        if (least > limit_) continue;
        const std::int32_t id_b = inputs.id(leaf_b, j);
        pairs[count] = ascending({id_a, id_b});
        entries[count] = {least, pairs[count].a, pairs[count].b, What::shapes};
        ++count;
      }
    }
    count = inputs.filter.keep(pairs, count);
    // The kept entries are in order, so one walk finds them.
    const Entry* nearest = nullptr;
    const Entry* entry = entries;
    for (std::size_t i = 0; i < count; ++i, ++entry) {
      while (entry->a != pairs[i].a || entry->b != pairs[i].b) ++entry;
      push(*entry);
      if (nearest == nullptr || entry->least < nearest->least) nearest = entry;
    }
    if (nearest == nullptr) return;
    const Bounds one = bounds_of(inputs, nearest->a), other = bounds_of(inputs, nearest->b);
    limit(most_of(one, other, gap_of(one, other).size));
  }

  void open_halfspace(const NearestInputs<D, T>& inputs, std::int32_t node, std::int32_t id) {
    const Node& of = inputs.node(node);
    if (!of.is_leaf()) {
      push_halfspace(inputs, inputs.left(node), id);
      push_halfspace(inputs, inputs.right(node), id);
      return;
    }
    Pair pairs[kShapesALeaf];
    std::size_t count = 0;
    for (std::int32_t i = of.begin; i < of.end; ++i) {
      pairs[count++] = ascending({inputs.id(node, i), id});
    }
    count = inputs.filter.keep(pairs, count);
    for (std::size_t i = 0; i < count; ++i) {
      const Pair pair = pairs[i];
      const std::int32_t bounded = pair.a == id ? pair.b : pair.a;
      push({least_of(inputs, bounds_of(inputs, bounded), id), pair.a, pair.b, What::shapes});
    }
  }

  std::vector<Entry> heap_;
  double limit_ = 0;
};

}  // namespace widephase
