#pragma once

// Identifies shapes from step to step: world and key, of moving and of kept shapes separately.

#include <algorithm>
#include <memory>

#include "pipeline/rows/shape_frames.hpp"
#include "soa/ascending.hpp"
#include "soa/join_column.hpp"
#include "soa/radix_sort.hpp"

namespace widephase {

struct ShapeNames {
  std::size_t count = 0;
  Column<std::int64_t> key;    ///< empty: the ids
  Column<std::int32_t> world;  ///< empty: all in world 0

  std::int64_t key_of(std::size_t id) const {
    return key.empty() ? static_cast<std::int64_t>(id) : key[id];
  }
  std::int32_t world_of(std::size_t id) const { return world.empty() ? 0 : world[id]; }
  /// As `widephase::world_count` of the scene.
  std::size_t world_count() const {
    if (count == 0) return 0;
    std::int32_t largest = 0;
    for (std::size_t id = 0; id < world.size(); ++id) largest = std::max(largest, world[id]);
    return static_cast<std::size_t>(largest) + 1;
  }

  template <int D, class T>
  void read(const SceneSpan<D, T>& scene, const SceneLayout& layout, const Threads& threads) {
    count = static_cast<std::size_t>(layout.shape_count());
    join_keys(column_of_kinds<std::int64_t>(scene, [](const auto& table) { return table.key; }),
              layout, threads, key);
    join_column(column_of_kinds<std::int32_t>(scene, [](const auto& table) { return table.world; }),
                layout, threads, std::int32_t{0}, world);
  }
  void clear() {
    count = 0;
    key.clear();
    world.clear();
  }
  std::size_t bytes() const { return key.bytes() + world.bytes(); }
};

/// The ids of shapes in another step.
class ShapeMatch {
 public:
  /// If no shape that is in both steps has changed its id, nothing is sorted.
  void match(const Crew& crew, const ShapeNames& from, const ShapeNames& to) {
    is_identity_ = has_same_ids(from, to);
    if (is_identity_) {
      shared_ = std::min(from.count, to.count);
      return;
    }
    sort(crew, from, from_places_);
    sort(crew, to, to_places_);
    id_.resize_uninitialized(from.count);
    std::size_t at = 0;
    for (const std::uint32_t place : from_places_) {
      while (at < to.count && name_of(to, to_places_[at]) < name_of(from, place)) ++at;
      const bool is_there = at < to.count && name_of(to, to_places_[at]) == name_of(from, place);
      id_[place] = is_there ? static_cast<std::int32_t>(to_places_[at++]) : -1;
    }
  }

  /// Whether ids are the same in both steps.
  bool is_identity() const { return is_identity_; }
  /// -1 if the other step has no such shape.
  std::int32_t operator()(std::int32_t id) const {
    const auto place = static_cast<std::size_t>(id);
    if (is_identity_) return place < shared_ ? id : -1;
    return id_[place];
  }

  std::size_t bytes() const {
    return id_.bytes() + from_places_.bytes() + to_places_.bytes() + records_.bytes() +
           swap_.bytes() + counters_.bytes();
  }

 private:
  struct Name {
    std::int32_t world;
    std::uint64_t key;
    friend auto operator<=>(const Name&, const Name&) = default;
  };
  static Name name_of(const ShapeNames& names, std::size_t id) {
    return {names.world_of(id), static_cast<std::uint64_t>(names.key_of(id))};
  }

  template <class N>
  static bool has_same_rows(const Column<N>& a, const Column<N>& b, std::size_t count) {
    return count == 0 || std::memcmp(a.plane(), b.plane(), count * sizeof(N)) == 0;
  }
  static bool has_same_ids(const ShapeNames& a, const ShapeNames& b) {
    const std::size_t count = std::min(a.count, b.count);
    const bool is_alike = a.key.empty() == b.key.empty() && a.world.empty() == b.world.empty();
    if (is_alike) {
      return (a.key.empty() || has_same_rows(a.key, b.key, count)) &&
             (a.world.empty() || has_same_rows(a.world, b.world, count));
    }
    for (std::size_t id = 0; id < count; ++id) {
      if (name_of(a, id) != name_of(b, id)) return false;
    }
    return true;
  }

  void sort(const Crew& crew, const ShapeNames& names, Column<std::uint32_t>& places) {
    places.resize_uninitialized(names.count);
    for (std::size_t i = 0; i < names.count; ++i) places[i] = static_cast<std::uint32_t>(i);
    const auto by = [&](const auto& word_of) {
      sort_places(crew, word_of, records_, swap_, counters_, places);
    };
    by([&](std::uint32_t id) { return static_cast<std::uint32_t>(names.key_of(id)); });
    by([&](std::uint32_t id) {
      return static_cast<std::uint32_t>(static_cast<std::uint64_t>(names.key_of(id)) >> 32);
    });
    by([&](std::uint32_t id) { return static_cast<std::uint32_t>(names.world_of(id) + 1); });
  }

  bool is_identity_ = true;
  std::size_t shared_ = 0;  // ids below it are in both steps
  Column<std::int32_t> id_;
  Column<std::uint32_t> from_places_, to_places_;
  Column<std::uint64_t> records_, swap_;
  Column<std::uint32_t> counters_;
};

/// Shapes of a kept scene, which outlive it as long as a step needs them.
template <int D, class T>
struct NamedShapes {
  SceneLayout layout;
  ShapeNames names;
  ShapeFrames<D, T> frames;

  std::size_t bytes() const { return names.bytes() + frames.bytes(); }
};

/// The shapes of a step by reported ids: moving ones, then kept ones.
template <int D, class T>
struct StepShapes {
  SceneLayout layout;
  ShapeNames names;
  ShapeFrames<D, T> frames;  ///< empty: points were not to be matched by place, nor kept
  std::shared_ptr<const NamedShapes<D, T>> kept;  ///< null: none

  std::size_t moving_count() const { return names.count; }
  std::size_t count() const { return names.count + (kept == nullptr ? 0 : kept->names.count); }
  std::int64_t key_of(std::size_t id) const {
    return id < names.count ? names.key_of(id) : kept->names.key_of(id - names.count);
  }
  std::int32_t world_of(std::size_t id) const {
    return id < names.count ? names.world_of(id) : kept->names.world_of(id - names.count);
  }
  std::size_t world_count() const {
    return std::max(names.world_count(), kept == nullptr ? 0 : kept->names.world_count());
  }
  Kind kind_of(std::int32_t id) const {
    const std::int32_t moving = layout.shape_count();
    return id < moving ? layout.kind_of(id) : kept->layout.kind_of(id - moving);
  }
  const ShapeFrame<D, T>& frame_of(std::int32_t id) const {
    const std::int32_t moving = layout.shape_count();
    return id < moving ? frames[id] : kept->frames[id - moving];
  }
  /// The pair with the shape first that kernels take as A: that of the lower kind, then of the
  /// lower id.
  Pair natural(Pair pair) const {
    const Pair ids = ascending(pair);
    return kept != nullptr && kind_of(ids.b) < kind_of(ids.a) ? Pair{ids.b, ids.a} : ids;
  }
  void clear() {
    layout = {};
    names.clear();
    frames.clear();
    kept = nullptr;
  }
  std::size_t bytes() const { return names.bytes() + frames.bytes(); }
};

/// The reported ids of shapes in another step.
class StepMatch {
 public:
  template <int D, class T>
  void match(const Crew& crew, const StepShapes<D, T>& from, const StepShapes<D, T>& to) {
    moving_.match(crew, from.names, to.names);
    is_identity_ = moving_.is_identity();
    from_moving_ = static_cast<std::int32_t>(from.moving_count());
    to_moving_ = static_cast<std::int32_t>(to.moving_count());
    has_kept_ = from.kept != nullptr && to.kept != nullptr;
    if (from.kept == nullptr && to.kept == nullptr) return;
    // The order of kinds decides which shape kernels take as A, so it must not have changed either.
    is_identity_ &= from.layout.first == to.layout.first;
    if (!has_kept_) return;
    if (from.kept == to.kept) {
      are_kept_same_ = true;
      return;
    }
    are_kept_same_ = false;
    kept_.match(crew, from.kept->names, to.kept->names);
    is_identity_ &= kept_.is_identity() && from.kept->layout.first == to.kept->layout.first;
  }

  /// Whether ids are the same in both steps.
  bool is_identity() const { return is_identity_; }
  /// -1 if the other step has no such shape.
  std::int32_t operator()(std::int32_t id) const {
    if (id < from_moving_) return moving_(id);
    if (!has_kept_) return -1;
    const std::int32_t row = are_kept_same_ ? id - from_moving_ : kept_(id - from_moving_);
    return row < 0 ? -1 : row + to_moving_;
  }

  std::size_t bytes() const { return moving_.bytes() + kept_.bytes(); }

 private:
  ShapeMatch moving_, kept_;
  bool is_identity_ = true, has_kept_ = false, are_kept_same_ = false;
  std::int32_t from_moving_ = 0, to_moving_ = 0;
};

}  // namespace widephase
