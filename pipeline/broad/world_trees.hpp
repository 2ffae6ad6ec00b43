#pragma once

// A tree over the bounds of each world, for what the tile tree isn't made for: pairs of shapes in
// the order of how near their bounds are. A world's shapes are halved across the longest side of
// the box round them, until a leaf has eight or fewer.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <widephase/pairs.hpp>

#include "pipeline/rows/scene_rows.hpp"
#include "soa/threads.hpp"
#include "soa/unbounded_ids.hpp"

namespace widephase {

inline constexpr std::int32_t kShapesALeaf = 8;
/// Worlds of about as many shapes are a chunk.
inline constexpr std::int32_t kShapesATreeChunk = 2048;

template <int D, class T>
struct BoundsNode {
  PositionOf<T> min[D];
  PositionOf<T> max[D];
  std::int32_t begin;  ///< places of its shapes in `ids`
  std::int32_t end;
  std::int32_t right;  ///< the left child is the next node; 0 for a leaf
  // What filters see of all shapes together.
  std::int32_t owner;  ///< of every shape; -1 where they differ
  std::int32_t body;
  std::uint32_t category;  ///< of any shape
  std::uint32_t mask;
  bool is_fixed;  ///< every shape is

  bool is_leaf() const { return right == 0; }
};

/// The shapes of a world: places [begin, split) of the ids are bounded, [split, end) unbounded.
struct WorldPlaces {
  std::int32_t begin;
  std::int32_t split;
  std::int32_t end;
  std::int32_t root;  ///< of its tree, where it has bounded shapes
};

template <int D, class T>
class WorldTrees {
 public:
  /// Trees of all worlds that are answered, and of world -1.
  void build(const SceneRows<D, T>& rows, UnboundedIds unbounded, const FilterSpan& filters,
             const Threads& threads) {
    rows_ = &rows;
    unbounded_ = unbounded;
    filters_ = filters;
    group(rows);
    // A tree of n shapes has leaves of four or more, or is one.
    nodes_.resize(ids_.size() / 2 + worlds_.size());
    cuts_.assign(1, 0);
    for (std::size_t w = 0; w < worlds_.size(); ++w) {
      worlds_[w].root = worlds_[w].begin / 2 + static_cast<std::int32_t>(w);
      const std::int32_t in_chunk = worlds_[w].end - worlds_[cuts_.back()].begin;
      if (in_chunk >= kShapesATreeChunk || w + 1 == worlds_.size()) cuts_.push_back(w + 1);
    }
    for_chunks(threads, cuts_.size() - 1, [&](std::size_t chunk) {
      for (std::size_t w = cuts_[chunk]; w < cuts_[chunk + 1]; ++w) {
        const WorldPlaces& world = worlds_[w];
        if (world.begin < world.split) build_node(world.root, world.begin, world.split);
      }
    });
  }

  /// One without shapes if the number is beyond the largest.
  WorldPlaces world(std::int32_t number) const {
    const auto place = static_cast<std::size_t>(number + 1);
    return place < worlds_.size() ? worlds_[place] : WorldPlaces{};
  }
  const BoundsNode<D, T>& node(std::int32_t index) const {
    return nodes_[static_cast<std::size_t>(index)];
  }
  std::int32_t id(std::int32_t place) const { return ids_[static_cast<std::size_t>(place)]; }

  /// For trees that stay: they need no more of the scene.
  void forget_scene() {
    rows_ = nullptr;
    filters_ = {};
  }

  std::size_t bytes() const {
    return nodes_.capacity() * sizeof(BoundsNode<D, T>) + ids_.bytes() +
           worlds_.capacity() * sizeof(WorldPlaces) + cuts_.capacity() * sizeof(std::size_t);
  }

 private:
  /// Ids by world, the unbounded ones of each last. Those of worlds that are left out are in none.
  void group(const SceneRows<D, T>& rows) {
    const std::int32_t count = rows.layout.shape_count();
    worlds_.assign(static_cast<std::size_t>(rows.world_count()) + 1, WorldPlaces{});
    const auto world_at = [&](std::int32_t id) -> WorldPlaces& {
      return worlds_[static_cast<std::size_t>(rows.world_of(id) + 1)];
    };
    for (std::int32_t id = 0; id < count; ++id) {
      if (!rows.is_world_answered(rows.world_of(id))) continue;
      ++(unbounded_.has(id) ? world_at(id).end : world_at(id).split);
    }
    std::int32_t sum = 0;
    for (WorldPlaces& world : worlds_) {
      const std::int32_t bounded_count = world.split, unbounded_count = world.end;
      world.begin = world.split = sum;
      world.end = sum + bounded_count;
      sum += bounded_count + unbounded_count;
    }
    ids_.resize_uninitialized(static_cast<std::size_t>(sum));
    for (std::int32_t id = 0; id < count; ++id) {
      if (!rows.is_world_answered(rows.world_of(id))) continue;
      WorldPlaces& world = world_at(id);
      ids_[static_cast<std::size_t>(unbounded_.has(id) ? world.end++ : world.split++)] = id;
    }
  }

  /// Answers the index behind the last of the tree.
  std::int32_t build_node(std::int32_t index, std::int32_t begin, std::int32_t end) {
    BoundsNode<D, T>& node = nodes_[static_cast<std::size_t>(index)];
    node = summary_of(begin, end);
    if (end - begin <= kShapesALeaf) return index + 1;
    int axis = 0;
    for (int k = 1; k < D; ++k) {
      if (node.max[k] - node.min[k] > node.max[axis] - node.min[axis]) axis = k;
    }
    const std::int32_t middle = begin + (end - begin) / 2;
    const BoundsBuffer<D, PositionOf<T>>& bounds = rows_->bounds;
    std::int32_t* const ids = ids_.plane();
    std::nth_element(ids + begin, ids + middle, ids + end, [&](std::int32_t a, std::int32_t b) {
      const auto row_a = static_cast<std::size_t>(a), row_b = static_cast<std::size_t>(b);
      const PositionOf<T> at_a = bounds.min(row_a, axis) + bounds.max(row_a, axis);
      const PositionOf<T> at_b = bounds.min(row_b, axis) + bounds.max(row_b, axis);
      return at_a != at_b ? at_a < at_b : a < b;
    });
    const std::int32_t right = build_node(index + 1, begin, middle);
    node.right = right;
    return build_node(right, middle, end);
  }

  BoundsNode<D, T> summary_of(std::int32_t begin, std::int32_t end) const {
    BoundsNode<D, T> node{};
    node.begin = begin;
    node.end = end;
    const auto at = [](const auto& column, std::size_t row, auto otherwise) {
      return column.empty() ? otherwise : column[row];
    };
    for (std::int32_t place = begin; place < end; ++place) {
      const auto row = static_cast<std::size_t>(id(place));
      const bool is_first = place == begin;
      for (int k = 0; k < D; ++k) {
        const PositionOf<T> low = rows_->bounds.min(row, k), high = rows_->bounds.max(row, k);
        node.min[k] = is_first || low < node.min[k] ? low : node.min[k];
        node.max[k] = is_first || high > node.max[k] ? high : node.max[k];
      }
      const std::int32_t owner = at(filters_.owner, row, -1), body = at(filters_.body, row, -1);
      node.owner = is_first || owner == node.owner ? owner : -1;
      node.body = is_first || body == node.body ? body : -1;
      node.category |= at(filters_.category, row, std::uint32_t{1});
      node.mask |= at(filters_.mask, row, ~std::uint32_t{0});
      const bool is_fixed = at(filters_.fixed, row, std::uint8_t{0}) != 0;
      node.is_fixed = is_fixed && (is_first || node.is_fixed);
    }
    return node;
  }

  const SceneRows<D, T>* rows_ = nullptr;
  UnboundedIds unbounded_;
  FilterSpan filters_;
  std::vector<BoundsNode<D, T>> nodes_;
  Column<std::int32_t> ids_;
  std::vector<WorldPlaces> worlds_;  ///< from world -1 on
  std::vector<std::size_t> cuts_;
};

/// Whether filters may let a pair of shapes of the nodes through.
template <int D, class T>
bool may_meet(const BoundsNode<D, T>& a, const BoundsNode<D, T>& b) {
  if (a.owner >= 0 && a.owner == b.owner) return false;
  if (a.body >= 0 && a.body == b.body) return false;
  if (a.is_fixed && b.is_fixed) return false;
  return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

}  // namespace widephase
