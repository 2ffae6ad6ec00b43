#include "pipeline/rows/static_scene.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "pipeline/broad/find_pairs.hpp"
#include "pipeline/narrow/workspace.hpp"
#include "pipeline/steps/static_scene_state.hpp"
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
  const GeometryTable<Owned<D, T>>& sets = state_->geometries;
  return state_->rows.bytes() + state_->tree.bytes() + sets.vertices.bytes() +
         sets.offsets.bytes() + sets.inner.bytes() + state_->excluded_owners.bytes();
}

namespace {

constexpr std::size_t kPairsAChunk = 16384;
constexpr std::size_t kBytesACopy = std::size_t{1} << 18;

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
template <class V>
void append_rows(const V& from, Column<std::int32_t, 2>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) to.push_back({from(i, 0), from(i, 1)});
}

template <class T>
void copy_numbers(const Threads& threads, const T* from, std::size_t count, T* to) {
  constexpr std::size_t kNumbers = kBytesACopy / sizeof(T);
  for_chunks(threads, (count + kNumbers - 1) / kNumbers, [&](std::size_t chunk) {
    const std::size_t begin = chunk * kNumbers;
    std::memcpy(to + begin, from + begin, std::min(kNumbers, count - begin) * sizeof(T));
  });
}

}  // namespace

template <int D, class T>
void JoinedScenes<D, T>::join_rows(const SceneRows<D, T>& kept, std::uint64_t stamp,
                                   const Threads& threads) {
  const bool is_other = stamp != stamp_;
  stamp_ = 0;  // until all rows are in place
  std::int64_t total = 0;
  for (int k = 0; k < kKindCount; ++k) {
    const Kind kind = static_cast<Kind>(k);
    const std::int32_t moving_count = moving.layout.count(kind),
                       kept_count = kept.layout.count(kind);
    joined.layout.first[k] = static_cast<std::int32_t>(total);
    shift_moving_[k] = joined.layout.first[k] - moving.layout.first[k];
    total += moving_count;
    shift_kept_[k] = static_cast<std::int32_t>(total) - kept.layout.first[k];
    total += kept_count;
    if (total > std::numeric_limits<std::int32_t>::max()) {
      throw Error("both scenes hold more than 2147483647 shapes; split them into several calls");
    }
    const bool is_laid_anew = is_other || room_[k] < moving_count;
    if (kept_count == 0) {
      room_[k] = moving_count;
    } else if (is_laid_anew) {
      room_[k] = is_other ? moving_count : std::max(moving_count, 2 * room_[k]);
    }
    joined.rows_before[k] = room_[k] - moving_count;
    const auto join = [&](const auto& of_kept, auto& of_moving, auto& rows, int numbers) {
      if (kept_count == 0) {
        rows.swap(of_moving);
        return;
      }
      const auto width = static_cast<std::size_t>(numbers);
      if (is_laid_anew) {
        const std::size_t before = static_cast<std::size_t>(room_[k]) * width;
        rows.clear();
        resize_scratch(rows, before + static_cast<std::size_t>(kept_count) * width);
        copy_numbers(threads, of_kept.plane(), static_cast<std::size_t>(kept_count) * width,
                     rows.plane() + before);
      }
      copy_numbers(threads, of_moving.plane(), static_cast<std::size_t>(moving_count) * width,
                   rows.plane() + static_cast<std::size_t>(joined.rows_before[k]) * width);
    };
    join(kept.rows[k], moving.rows[k], joined.rows[k], row_width(kind, D));
    if constexpr (is_mixed<T>) {
      join(kept.anchors[k], moving.anchors[k], joined.anchors[k], anchor_width(kind));
    }
    if (kind == instance_kind(D)) {
      if (kept.has_middles() && !is_mixed<T>) {
        join(kept.rests, moving.rests, joined.rests, kAnchorNumbers);
      } else {
        joined.rests.clear();
      }
    }
  }
  joined.layout.first[kKindCount] = static_cast<std::int32_t>(total);
  joined.geometry_of = &kept;
  stamp_ = stamp;
}

template <int D, class T>
void JoinedScenes<D, T>::join_margins(const SceneRows<D, T>& kept) {
  joined.margin.clear();
  if (moving.margin.empty() && kept.margin.empty()) return;
  joined.margin.resize_uninitialized(static_cast<std::size_t>(joined.layout.shape_count()));
  const auto put = [&](const SceneRows<D, T>& from, const auto& shifts) {
    for (int k = 0; k < kKindCount; ++k) {
      const std::int32_t begin = from.layout.first[k], end = from.layout.first[k + 1];
      SizeOf<T>* const to = joined.margin.plane() + (begin + shifts[static_cast<std::size_t>(k)]);
      for (std::int32_t id = begin; id < end; ++id) {
        to[id - begin] =
            from.margin.empty() ? SizeOf<T>{0} : from.margin[static_cast<std::size_t>(id)];
      }
    }
  };
  put(moving, shift_moving_);
  put(kept, shift_kept_);
}

template <int D, class T>
void JoinedScenes<D, T>::join_worlds(const SceneRows<D, T>& kept) {
  joined.world.clear();
  if (moving.world.empty() && kept.world.empty()) return;
  const auto moving_count = static_cast<std::size_t>(moving.layout.shape_count());
  const auto kept_count = static_cast<std::size_t>(kept.layout.shape_count());
  joined.world.resize_uninitialized(moving_count + kept_count);
  for (std::size_t id = 0; id < moving_count; ++id) {
    joined.world[id] = moving.world_of(static_cast<std::int32_t>(id));
  }
  for (std::size_t id = 0; id < kept_count; ++id) {
    joined.world[moving_count + id] = kept.world_of(static_cast<std::int32_t>(id));
  }
}

template <int D, class T>
std::size_t JoinedScenes<D, T>::bytes() const {
  return moving.bytes() + joined.bytes() + excluded.bytes() + excluded_across.bytes() +
         excluded_owners.bytes() + found.bytes() + pairs.bytes();
}

template <int D, class T>
void build_static_scene(SceneArgument<D, T> scene, StaticScene<D, T>& kept,
                        Workspace<D, T>& workspace, const CollideOptions& options) {
  static std::atomic<std::uint64_t> last_stamp{0};
  StaticScene<D, T> made;
  auto& state = made.state();
  kept = StaticScene<D, T>();
  refuse_warm_starts(options, "build_static_scene");
  refuse_steadiness(options, "build_static_scene");
  refuse_world_choice(options, "build_static_scene");
  SceneRows<D, T>& rows = state.rows;
  rows.update(scene, options.margin, chosen_isa(options.isa), options.threads);
  copy_rows(scene.geometries.vertices, state.geometries.vertices);
  copy_rows(scene.geometries.offsets, state.geometries.offsets);
  copy_rows(scene.geometries.inner, state.geometries.inner);
  copy_rows(scene.excluded_owners, state.excluded_owners);
  state.domain = scene.domain;
  state.margin = options.margin;
  Column<std::uint8_t> fixed;
  fixed.resize_uninitialized(rows.bounds.size());
  std::fill_n(fixed.plane(), fixed.size(), std::uint8_t{1});
  FilterSpan filters;
  cut_filters(rows, fixed.size(), filters);
  filters.fixed = fixed;
  build_scene_tree<D, PositionOf<T>>(rows.bounds, unbounded_ids(rows.layout), filters, scene.domain,
                                     state.tree, workspace.state().pair_workspace,
                                     pair_options_of(options));
  rows.bounds = {};
  state.stamp = ++last_stamp;
  kept = std::move(made);
}

namespace {

template <int D, class T>
void require_matching(const SceneSpan<D, T>& moving, const typename StaticScene<D, T>::State& kept,
                      const CollideOptions& options) {
  const std::size_t sets = moving.geometries.vertices.size() + moving.geometries.offsets.size();
  if (sets != 0) {
    throw Error(Finding{D == 2 ? "polygons.vertices" : "hulls.vertices", -1,
                        "has " + number(moving.geometries.vertices.size()) +
                            " rows; moving shapes name the point sets of the static scene, so give "
                            "all of them to build_static_scene"});
  }
  if (row_count(moving.halfspaces) != 0) {
    throw Error(Finding{"halfspace.normal", -1,
                        "has " + number(row_count(moving.halfspaces)) +
                            " rows; halfspaces do not move, give them to build_static_scene"});
  }
  const Domain<D, PositionOf<T>>&a = moving.domain, &b = kept.domain;
  if (a.periodic != b.periodic || (a.is_periodic() && (a.min != b.min || a.max != b.max))) {
    throw Error(
        Finding{"domain", -1, "is another than the static scene's; give both the same one"});
  }
  if (options.margin > kept.margin) {
    throw Error("the margin is " + number(options.margin) +
                "; the static scene was built for margins up to " + number(kept.margin) +
                ", so build it with the largest one");
  }
  if (options.max_pairs != kNoCap) {
    throw Error(Finding{"max_pairs", -1,
                        "is not for a static scene, whose pairs come from several searches; cap "
                        "max_contacts and max_points"});
  }
  if (D == 2 && options.method == Method::gjk_epa) {
    throw Error("the method gjk_epa is not for a static scene in 2D; take automatic or sat");
  }
}

/// `excluded` of the moving scene, from reported ids to rows of what is searched.
template <int D, class T>
void split_excluded(const SceneSpan<D, T>& moving, const SceneLayout& kept,
                    JoinedScenes<D, T>& own) {
  own.excluded.clear();
  own.excluded_across.clear();
  const std::int32_t count = own.moving.layout.shape_count();
  const std::int64_t total = std::int64_t{count} + kept.shape_count();
  const UnboundedIds unbounded = unbounded_ids(kept);
  for (std::size_t i = 0; i < moving.excluded.size(); ++i) {
    const std::int32_t ids[2] = {moving.excluded(i, 0), moving.excluded(i, 1)};
    if (std::min(ids[0], ids[1]) < 0 || std::max(ids[0], ids[1]) >= total) {
      throw Error(Finding{"excluded", static_cast<std::int64_t>(i),
                          "is (" + number(ids[0]) + ", " + number(ids[1]) +
                              "); there are " + number(count) + " moving shapes and " +
                              number(kept.shape_count()) +
                              " static ones behind them, whose ids begin at 0"});
    }
    const std::int32_t low = std::min(ids[0], ids[1]), high = std::max(ids[0], ids[1]) - count;
    if (low >= count) continue;  // two static ones
    if (high < 0) {
      own.excluded.push_back({low, high + count});
    } else if (unbounded.has(high)) {
      own.excluded.push_back({low, count + (high - unbounded.begin)});
    } else {
      own.excluded_across.push_back({high, low});
    }
  }
}

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

/// Pairs of moving shapes, and of these with kept halfspaces, by reported ids.
template <int D, class T>
void find_moving_pairs(const SceneSpan<D, T>& moving, const SceneRows<D, T>& kept,
                       const CollideOptions& options, typename Workspace<D, T>::State& state) {
  JoinedScenes<D, T>& own = state.joined_scenes;
  SceneRows<D, T>& rows = own.moving;
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
    const Column<std::int32_t> no_body;
    add(rows.fixed, is_fixed, std::uint8_t{1});
    add(rows.body, no_body, std::int32_t{-1});
  }
  FilterSpan filters = rows.filters(moving);
  filters.excluded = own.excluded;
  filters.excluded_owners = own.excluded_owners;
  find_scene_pairs<D, PositionOf<T>>(
      rows.bounds, {count, count + halfspaces}, kept.halfspace_normal, kept.halfspace_offset,
      filters, moving.domain, state.pairs, state.pair_workspace, pair_options_of(options));
  std::size_t left = 0;
  for (const Pair pair : state.pairs) {
    const bool is_moving = pair.b < count;
    state.pairs[left] = {pair.a, is_moving ? pair.b : pair.b + unbounded.begin};
    left += !is_moving || options.moving_pairs ? 1 : 0;
  }
  state.pairs.resize_uninitialized(left);
}

/// Appends pairs of moving shapes with kept ones other than halfspaces. Then all pairs get joined
/// ids, with A the lower one in both lists.
template <int D, class T>
void find_pairs_across(const SceneSpan<D, T>& moving, const typename StaticScene<D, T>::State& kept,
                       const CollideOptions& options, typename Workspace<D, T>::State& state) {
  JoinedScenes<D, T>& own = state.joined_scenes;
  const SceneRows<D, T>& rows = own.moving;
  const SceneLayout& layout = kept.rows.layout;
  const std::int32_t count = rows.layout.shape_count();
  const auto boxes = static_cast<std::size_t>(count);
  FilterSpan filters = rows.filters(moving);
  cut_filters(rows, boxes, filters);
  filters.fixed = first_rows(rows.fixed, boxes);
  filters.body = {};
  filters.excluded = own.excluded_across;
  filters.excluded_owners = own.excluded_owners;
  find_pairs<D, PositionOf<T>>(kept.tree, first_boxes(rows.bounds, boxes), filters, own.found,
                               state.pair_workspace, pair_options_of(options));

  const std::size_t before = state.pairs.size();
  resize_scratch(state.pairs, before + own.found.size());
  resize_scratch(own.pairs, state.pairs.size());
  const auto in_chunks = [&](std::size_t pairs, const auto& op) {
    for_chunks(options.threads, (pairs + kPairsAChunk - 1) / kPairsAChunk, [&](std::size_t chunk) {
      const std::size_t end = std::min(pairs, (chunk + 1) * kPairsAChunk);
      for (std::size_t i = chunk * kPairsAChunk; i < end; ++i) op(i);
    });
  };
  const auto put = [&](std::size_t i, Pair reported, Pair joined) {
    const bool is_ascending = joined.a < joined.b;
    own.pairs[i] = is_ascending ? joined : Pair{joined.b, joined.a};
    state.pairs[i] = is_ascending ? reported : Pair{reported.b, reported.a};
  };
  // Pairs of moving shapes, or of one and a halfspace.
  in_chunks(before, [&](std::size_t i) {
    const Pair pair = state.pairs[i];
    put(i, pair,
        {own.of_moving(pair.a),
         pair.b < count ? own.of_moving(pair.b) : own.of_kept(layout, pair.b - count)});
  });
  in_chunks(own.found.size(), [&](std::size_t i) {
    const std::int32_t of_kept = own.found[i].a, of_moving = own.found[i].b;
    put(before + i, {of_moving, count + of_kept},
        {own.of_moving(of_moving), own.of_kept(layout, of_kept)});
  });
}

}  // namespace

template <int D, class T>
void collide(SceneArgument<D, T> moving, const StaticScene<D, T>& kept_scene,
             ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
             const CollideOptions& options) {
  Stopwatch watch;
  contacts.clear();
  refuse_warm_starts(options, "collide");
  refuse_steadiness(options, "a static scene");
  const auto& kept = kept_scene.state();
  auto& state = workspace.state();
  JoinedScenes<D, T>& own = state.joined_scenes;
  // The pairs will be of both scenes: no later stage of the workspace may take them for its own.
  state.rows.layout = {};
  state.rows.bounds.min.clear();
  state.rows.bounds.max.clear();
  state.pairs.clear();
  state.stats = {};
  require_matching<D, T>(moving, kept, options);
  SceneSpan<D, T> scene = moving;
  scene.geometries.vertices = kept.geometries.vertices;
  scene.geometries.offsets = kept.geometries.offsets;
  scene.geometries.inner = kept.geometries.inner;
  scene.excluded = {};  // it names kept shapes too
  const Isa isa = chosen_isa(options.isa);
  const std::int64_t kept_count = kept.rows.layout.shape_count();
  const std::int64_t moving_count = layout_of(scene).shape_count();
  const WorldChoice choice{options.world_mask, options.world_status, kept.rows.world_count(),
                           kept_count};
  if (choice.is_any()) {
    kept.rows.require_few_worlds(choice.mask.empty() ? "world_status" : "world_mask",
                                 moving_count);
  }
  own.moving.update(scene, options.margin, isa, options.threads, choice, &kept.rows);
  if (options.order == Order::world) {
    kept.rows.require_few_worlds("order world", moving_count);
    own.moving.require_few_worlds("order world", kept_count);
  }
  split_excluded<D, T>(moving, kept.rows.layout, own);
  own.excluded_owners.clear();
  append_rows(moving.excluded_owners, own.excluded_owners);
  append_rows(kept.excluded_owners, own.excluded_owners);
  state.stats.isa = isa;
  state.stats.threads = thread_count(options.threads);
  state.stats.shapes =
      std::int64_t{own.moving.layout.shape_count()} + kept.rows.layout.shape_count();

  own.join_rows(kept.rows, kept.stamp, options.threads);
  own.join_margins(kept.rows);
  if (options.order == Order::world) own.join_worlds(kept.rows);
  find_moving_pairs<D, T>(scene, kept.rows, options, state);
  find_pairs_across<D, T>(scene, kept, options, state);
  state.stats.pairs = static_cast<std::int64_t>(state.pairs.size());
  state.stats.broad_seconds = watch.seconds();

  watch = {};
  const KernelTable<D, SizeOf<T>>& table = kernel_table<D, SizeOf<T>>(isa);
  state.narrow.bucket(own.joined, {own.pairs.plane(), own.pairs.size()}, true, table,
                      options.threads);
  typename NarrowPhase<D, T>::Inputs inputs{own.joined,     kept.domain, options.margin,
                                            options.method, table,       options.warm_starts};
  inputs.max_contacts = options.max_contacts;
  inputs.max_points = options.max_points;
  write_contacts(contacts, [&] {
    state.narrow.find_contacts(inputs, options.threads, contacts, state.stats);
    require_room(options, state.stats);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      contacts.pair[i] = state.pairs[static_cast<std::size_t>(contacts.source[i])];
    }
    state.sorter.sort(options.order, own.joined, contacts);
  });
  state.stats.narrow_seconds = watch.seconds();
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                           \
  template class StaticScene<D, T>;                                                           \
  template class JoinedScenes<D, T>;                                                          \
  template void build_static_scene(SceneArgument<D, T>, StaticScene<D, T>&, Workspace<D, T>&, \
                                   const CollideOptions&);                                    \
  template void collide(SceneArgument<D, T>, const StaticScene<D, T>&, ContactBuffer<D, T>&,  \
                        Workspace<D, T>&, const CollideOptions&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
