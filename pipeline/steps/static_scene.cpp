#include "pipeline/rows/static_scene.hpp"

#include <algorithm>
#include <atomic>

#include "pipeline/broad/find_pairs.hpp"
#include "pipeline/broad/world_trees.hpp"
#include "pipeline/narrow/workspace.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/large_pages.hpp"
#include "soa/number_text.hpp"
#include "soa/threads.hpp"
#include "soa/unbounded_ids.hpp"

namespace widephase {

template <int D, class T>
StaticScene<D, T>::StaticScene() : state_(std::make_unique<State>()) {}
template <int D, class T>
StaticScene<D, T>::~StaticScene() = default;
template <int D, class T>
StaticScene<D, T>::StaticScene(StaticScene&&) noexcept = default;
template <int D, class T>
StaticScene<D, T>& StaticScene<D, T>::operator=(StaticScene&&) noexcept = default;
template <int D, class T>
std::size_t StaticScene<D, T>::size() const {
  return static_cast<std::size_t>(state_->rows.layout.shape_count());
}
template <int D, class T>
std::size_t StaticScene<D, T>::bytes() const {
  std::size_t libraries = 0;
  state_->libraries.for_each_geometry_column(
      [&](auto, auto, const auto& column) { libraries += column.bytes(); }, state_->libraries);
  const std::lock_guard lock(state_->nearest_mutex);
  return (state_->nearest_trees == nullptr ? 0 : state_->nearest_trees->bytes()) +
         state_->flush.bytes() + state_->rows.bytes() + state_->tree.bytes() + libraries +
         state_->excluded_owners.bytes() + state_->own_bounds.min.bytes() +
         state_->own_bounds.max.bytes() + state_->named->bytes();
}

namespace {

constexpr std::size_t kPairsAChunk = 16384;

template <class V, int W>
ColumnSpan<V, W> first_rows(const Column<V, W>& column, std::size_t count) {
  std::array<const V*, W> planes{};
  if (column.empty()) return {};
  for (int w = 0; w < W; ++w) planes[w] = column.plane(w);
  return {planes, count, sizeof(V)};
}
template <int D, class T>
BoundsSpan<D, T> first_boxes(const BoundsBuffer<D, T>& bounds, std::size_t count) {
  return {first_rows(bounds.min, count), first_rows(bounds.max, count)};
}

/// The filters that kept and moving boxes both have, only of the first rows.
template <int D, class T>
void cut_filters(const SceneRows<D, T>& rows, std::size_t count, FilterSpan& filters) {
  filters.world = first_rows(rows.world, count);
  filters.category = first_rows(rows.category, count);
  filters.mask = first_rows(rows.mask, count);
  filters.owner = first_rows(rows.owner, count);
}
PairOptions pair_options_of(const CollideOptions& options) {
  PairOptions pair_options;
  pair_options.threads = options.threads;
  pair_options.isa = options.isa;
  pair_options.keeps_order = options.keeps_order;
  return pair_options;
}

template <class V, int W>
void copy_rows(const ColumnSpan<V, W>& from, Column<V, W>& to) {
  to.resize_uninitialized(from.size());
  for (int w = 0; w < W; ++w) {
    for (std::size_t i = 0; i < from.size(); ++i) to(i, w) = from(i, w);
  }
}
}  // namespace

template <int D, class T>
void finish_static_scene(typename StaticScene<D, T>::State& state,
                         PairWorkspace<D, PositionOf<T>>& workspace,
                         const CollideOptions& options) {
  static std::atomic<std::uint64_t> last_stamp{0};
  const SceneRows<D, T>& rows = state.rows;
  Column<std::uint8_t> fixed;
  fixed.resize(rows.bounds.size(), 1);
  build_scene_tree<D, PositionOf<T>>(rows.bounds, unbounded_ids(rows.layout),
                                     kept_filters(rows, fixed), state.domain, state.tree, workspace,
                                     pair_options_of(options));
  state.nearest_trees.reset();
  state.stamp = ++last_stamp;
}

template <int D, class T>
void build_static_scene(SceneArgument<D, T> scene, StaticScene<D, T>& kept,
                        Workspace<D, T>& workspace, const CollideOptions& options) {
  StaticScene<D, T> none;  // made now: nothing may fail later on
  if (!kept.has_state()) kept = StaticScene<D, T>();
  try {
    refuse_warm_starts(options, "build_static_scene");
    refuse_steadiness(options, "build_static_scene");
    refuse_world_choice(options, "build_static_scene");
    if (scene.kept != nullptr) {
      throw Error(
          Finding{"kept", -1, "is given; a static scene keeps no other one, so join the two"});
    }
    auto& state = kept.state();
    state.stamp = 0;
    SceneRows<D, T>& rows = state.rows;
    const Isa isa = chosen_isa(options.isa);
    state.own_bounds.min.clear();
    state.own_bounds.max.clear();
    if (options.margin > 0) {
      rows.update(scene, 0, isa, options.threads);
      std::swap(state.own_bounds, rows.bounds);
    }
    rows.update(scene, options.margin, isa, options.threads);
    find_flush_parts<D, T>(scene, options, rows, state.flush);
    scene.for_each_geometry_column(
        [](auto, auto, const auto& from, auto& to) { copy_rows(from, to); }, scene,
        state.libraries);
    copy_rows(scene.excluded_owners, state.excluded_owners);
    state.domain = scene.domain;
    state.margin = options.margin;
    for (std::size_t id = 0; id < rows.body.size(); ++id) rows.body[id] = kept_body(rows.body[id]);
    state.world_count = rows.world_count();
    state.body_count = scene.bodies.position.size();
    auto named = std::make_shared<NamedShapes<D, T>>();
    named->layout = rows.layout;
    named->names.read(scene, rows.layout, options.threads);
    named->frames.read(rows.placed_scene(scene), rows.layout, options.threads);
    state.named = std::move(named);
    finish_static_scene<D, T>(state, workspace.state().pair_workspace, options);
  } catch (...) {
    kept = std::move(none);
    throw;
  }
}

namespace {

/// A column of the moving scene with rows for the kept halfspaces behind.
template <class V>
void add_halfspaces(Column<V>& column, const Column<V>& kept, const SceneLayout& moving_layout,
                    const SceneLayout& kept_layout, V otherwise) {
  if (column.empty() && kept.empty()) return;
  const auto count = static_cast<std::size_t>(moving_layout.shape_count());
  if (column.empty()) {
    column.resize_uninitialized(count);
    std::fill_n(column.plane(), count, otherwise);
  }
  const UnboundedIds unbounded = unbounded_ids(kept_layout);
  const auto first = static_cast<std::size_t>(unbounded.begin);
  const auto halfspaces = static_cast<std::size_t>(unbounded.count());
  column.resize_uninitialized(count + halfspaces);
  for (std::size_t i = 0; i < halfspaces; ++i) {
    column[count + i] = kept.empty() ? otherwise : kept[first + i];
  }
}

}  // namespace

/// Pairs of moving shapes, and of these with kept halfspaces, by reported ids.
template <int D, class T>
void JoinedScenes<D, T>::find_moving(const SceneSpan<D, T>& scene, const Kept& kept_scene,
                                     const CollideOptions& options, SceneRows<D, T>& rows,
                                     Column<Pair>& reported, PairSequence sequence,
                                     PairWorkspace<D, PositionOf<T>>& workspace) {
  const SceneRows<D, T>& kept = kept_scene.rows;
  const std::int32_t count = rows.layout.shape_count();
  const UnboundedIds unbounded = unbounded_ids(kept.layout);
  const std::int32_t halfspaces = unbounded.count();
  if (!options.moving_pairs && halfspaces == 0) return;
  const auto all = static_cast<std::size_t>(count) + static_cast<std::size_t>(halfspaces);
  rows.bounds.min.resize_uninitialized(all);
  rows.bounds.max.resize_uninitialized(all);
  if (halfspaces != 0) {
    const auto add = [&](auto& column, const auto& of_kept, auto otherwise) {
      add_halfspaces(column, of_kept, rows.layout, kept.layout, otherwise);
    };
    add(rows.world, kept.world, std::int32_t{0});
    add(rows.category, kept.category, std::uint32_t{1});
    add(rows.mask, kept.mask, ~std::uint32_t{0});
    add(rows.owner, kept.owner, std::int32_t{-1});
    const Column<std::uint8_t> is_fixed;
    add(rows.fixed, is_fixed, std::uint8_t{1});
    add(rows.body, kept.body, std::int32_t{-1});
  }
  FilterSpan filters = rows.filters(scene);
  filters.excluded = excluded_;
  filters.excluded_owners = excluded_owners_;
  filters.excluded_bodies = excluded_bodies_;
  if (!options.moving_pairs) {
    // As if all moving shapes were of one body: they meet halfspaces alone.
    one_body_.resize_uninitialized(all);
    std::fill_n(one_body_.plane(), all, std::int32_t{-1});
    std::fill_n(one_body_.plane(), count, std::int32_t{0});
    filters.body = one_body_;
  }
  find_more_pairs<D, PositionOf<T>>(rows.bounds, {count, count + halfspaces}, kept.halfspace_normal,
                                    kept.halfspace_offset, filters, scene.domain, reported,
                                    workspace, pair_options_of(options), sequence);
  rows.bounds.min.resize_uninitialized(static_cast<std::size_t>(count));
  rows.bounds.max.resize_uninitialized(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < reported.size(); ++i) {
    reported[i].b += reported[i].b < count ? 0 : unbounded.begin;
  }
}

/// Appends pairs of moving shapes with kept ones other than halfspaces. Then all pairs get joined
/// ids, with A the lower one in both lists.
template <int D, class T>
void JoinedScenes<D, T>::find_across(const SceneSpan<D, T>& scene, const Kept& kept,
                                     const CollideOptions& options, const SceneRows<D, T>& rows,
                                     Column<Pair>& reported, PairSequence sequence,
                                     PairWorkspace<D, PositionOf<T>>& workspace) {
  const std::int32_t count = rows.layout.shape_count();
  const auto boxes = static_cast<std::size_t>(count);
  FilterSpan filters = rows.filters(scene);
  cut_filters(rows, boxes, filters);
  filters.fixed = first_rows(rows.fixed, boxes);
  // Bodies of both differ, so they are compared only for those that are excluded.
  filters.body =
      excluded_bodies_.empty() ? ColumnSpan<std::int32_t>() : first_rows(rows.body, boxes);
  filters.excluded = excluded_across_;
  filters.excluded_owners = excluded_owners_;
  filters.excluded_bodies = excluded_bodies_;
  find_more_pairs<D, PositionOf<T>>(kept.tree, first_boxes(rows.bounds, boxes), filters, found_,
                                    workspace, pair_options_of(options), sequence);

  const std::size_t before = reported.size();
  resize_scratch(reported, before + found_.size());
  resize_scratch(pairs, reported.size());
  const auto in_chunks = [&](std::size_t total, const auto& op) {
    for_chunks(options.threads, (total + kPairsAChunk - 1) / kPairsAChunk, [&](std::size_t chunk) {
      const std::size_t end = std::min(total, (chunk + 1) * kPairsAChunk);
      for (std::size_t i = chunk * kPairsAChunk; i < end; ++i) op(i);
    });
  };
  const auto put = [&](std::size_t i, Pair by_reported_ids, Pair by_joined_ids) {
    const bool is_ascending = by_joined_ids.a < by_joined_ids.b;
    const auto turned = [&](Pair pair) { return is_ascending ? pair : Pair{pair.b, pair.a}; };
    pairs[i] = turned(by_joined_ids);
    reported[i] = turned(by_reported_ids);
  };
  // Pairs of moving shapes, or of one and a halfspace.
  in_chunks(before, [&](std::size_t i) {
    const Pair pair = reported[i];
    put(i, pair, {of_moving(pair.a), pair.b < count ? of_moving(pair.b) : of_kept(pair.b - count)});
  });
  in_chunks(found_.size(), [&](std::size_t i) {
    const auto [kept_id, moving_id] = found_[i];
    put(before + i, {moving_id, count + kept_id}, {of_moving(moving_id), of_kept(kept_id)});
  });
}

template <int D, class T>
void JoinedScenes<D, T>::find(const SceneSpan<D, T>& scene, const Kept& kept,
                              const CollideOptions& options, SceneRows<D, T>& moving,
                              Column<Pair>& reported, PairSequence sequence,
                              PairWorkspace<D, PositionOf<T>>& workspace) {
  reported.clear();
  pairs.clear();
  begin_pairs(workspace, options.max_pairs);
  find_moving(scene, kept, options, moving, reported, sequence, workspace);
  find_across(scene, kept, options, moving, reported, sequence, workspace);
  end_pairs(workspace, reported);
}

template <int D, class T>
void locate(const SceneSpan<D, T>& scene, std::span<const std::int32_t> ids, std::span<Kind> kinds,
            std::span<std::int32_t> rows) {
  const SceneLayout layout = layout_of(scene);
  if (scene.kept == nullptr) return locate(layout, ids, kinds, rows);
  if (kinds.size() != ids.size() || rows.size() != ids.size()) {
    throw Error("locate: ids, kinds and rows must have the same length");
  }
  require_address("ids", ids);
  require_address("kinds", kinds);
  require_address("rows", rows);
  const SceneLayout& kept = scene.kept->state().rows.layout;
  const std::int32_t first_kept = layout.shape_count();
  const std::int64_t count = std::int64_t{first_kept} + kept.shape_count();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= count) {
      throw Error(Finding{"ids", static_cast<std::int64_t>(i),
                          "is " + number(ids[i]) + "; the ids of the scene and of what it keeps " +
                              "are 0 to " + number(count - 1)});
    }
    const bool is_kept = ids[i] >= first_kept;
    const SceneLayout& own = is_kept ? kept : layout;
    const std::int32_t id = is_kept ? ids[i] - first_kept : ids[i];
    kinds[i] = own.kind_of(id);
    rows[i] = own.row(id);
  }
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                              \
  template class WIDEPHASE_API StaticScene<D, T>; /* robot.hpp has named it before */            \
  template void finish_static_scene<D, T>(                                                       \
      StaticScene<D, T>::State&, PairWorkspace<D, PositionOf<T>>&, const CollideOptions&);       \
  template void build_static_scene(SceneArgument<D, T>, StaticScene<D, T>&, Workspace<D, T>&,    \
                                   const CollideOptions&);                                       \
  template void locate(const SceneSpan<D, T>&, std::span<const std::int32_t>, std::span<Kind>,   \
                       std::span<std::int32_t>);                                                 \
  template void JoinedScenes<D, T>::find(const SceneSpan<D, T>&, const Kept&,                    \
                                         const CollideOptions&, SceneRows<D, T>&, Column<Pair>&, \
                                         PairSequence, PairWorkspace<D, PositionOf<T>>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
