#pragma once

#include <widephase/collide.hpp>

#include "pipeline/broad/cast_scratch.hpp"
#include "pipeline/broad/find_flush.hpp"
#include "pipeline/broad/find_pairs.hpp"
#include "pipeline/broad/nearest_scratch.hpp"
#include "pipeline/broad/ray_scratch.hpp"
#include "pipeline/broad/world_rounds.hpp"
#include "pipeline/narrow/call_checks.hpp"
#include "pipeline/narrow/impact_scratch.hpp"
#include "pipeline/narrow/narrow_phase.hpp"
#include "pipeline/narrow/stopwatch.hpp"
#include "pipeline/rows/static_scene.hpp"
#include "soa/number_text.hpp"
#include "soa/threads.hpp"

namespace widephase {

template <int D, class T>
struct Workspace<D, T>::State {
  SceneRows<D, T> rows;
  PairWorkspace<D, PositionOf<T>> pair_workspace;
  Column<Pair> pairs;
  NarrowPhase<D, T> narrow;
  ContactSorter<D, T> sorter;
  ContactBuffer<D, T> contacts;  // for distances
  Column<SizeOf<T>, D> points;   // `Mixed` support points relative to their anchors
  Column<std::int32_t> ids;      // of support points, by rows
  AnyContactScratch any_contact;
  MinDistanceScratch<D, T> min_distance;
  RayScratch<D, T> rays;
  NearestScratch<D, T> nearest;
  CastScratch<D, T> casts;
  ImpactScratch<D, T> impact;
  JoinedScenes<D, T> joined_scenes;
  FlushParts flush;
  CollideStats stats;

  /// The rows that kernels read: those of the scene, or of it and what it keeps.
  SceneRows<D, T>& asked_rows() { return joined_scenes.is_in_use() ? joined_scenes.joined : rows; }
  /// The pairs that were found, by the ids of these rows.
  std::span<const Pair> found_pairs() const {
    const Column<Pair>& found = joined_scenes.is_in_use() ? joined_scenes.pairs : pairs;
    return {found.plane(), found.size()};
  }
};

/// Finds the shapes of a scene that lie flush, which `rows` has read.
template <int D, class T>
void find_flush_parts(const SceneSpan<D, T>& scene, const CollideOptions& options,
                      const SceneRows<D, T>& rows, FlushParts& found) {
  require_flush(options);
  GeometryTable<Borrowed<D, SizeOf<T>>> geometries = scene.geometries;
  if (scene.kept != nullptr) {
    const auto& kept = scene.kept->state().libraries.geometries;
    geometries.vertices = kept.vertices;
    geometries.offsets = kept.offsets;
    geometries.inner = kept.inner;
  }
  find_flush(scene, rows, geometries, options.flush_tolerance, options.threads, found);
}

/// Reads a scene into the workspace, whose stages begin anew.
template <int D, class T>
void update_rows(const SceneSpan<D, T>& scene, const CollideOptions& options, Bounds wanted,
                 typename Workspace<D, T>::State& state, Stopwatch& watch) {
  state.pairs.clear();
  state.narrow.clear_kinds(state.stats);
  state.stats.shapes = state.stats.pairs = 0;  // also of a scene that is refused below
  state.stats.broad_seconds = state.stats.narrow_seconds = state.stats.track_seconds = 0;
  state.stats.isa = chosen_isa(options.isa);
  state.stats.threads = thread_count(options.threads);
  JoinedScenes<D, T>& joined = state.joined_scenes;
  joined.leave();
  if (scene.kept == nullptr) {
    state.rows.update(scene, options.margin, state.stats.isa, options.threads,
                      {options.world_mask, options.world_status}, nullptr, wanted);
  } else {
    joined.read(scene, scene.kept->state(), options, wanted, state.rows);
  }
  find_flush_parts<D, T>(scene, options, state.rows, state.flush);
  state.stats.shapes = state.asked_rows().layout.shape_count();
  state.stats.broad_seconds = watch.lap();
}
template <int D, class T>
void update_rows(const SceneSpan<D, T>& scene, const CollideOptions& options, Bounds wanted,
                 typename Workspace<D, T>::State& state) {
  Stopwatch watch;
  update_rows<D, T>(scene, options, wanted, state, watch);
}

/// `find_pairs` of the stages, whose pairs are in the order that the caller needs.
template <int D, class T>
void find_pairs(const SceneSpan<D, T>& scene, typename Workspace<D, T>::State& state,
                const CollideOptions& options, PairSequence sequence);

template <int D, class T>
void require_same_scene(const SceneSpan<D, T>& scene,
                        const typename Workspace<D, T>::State& state) {
  const SceneRows<D, T>& rows = state.rows;
  const JoinedScenes<D, T>& joined = state.joined_scenes;
  const bool has_same_kept =
      scene.kept == nullptr ? !joined.is_in_use() : joined.is_of(scene.kept->state());
  if (!rows.is_read || !has_same_kept || layout_of(scene).first != rows.layout.first) {
    throw Error("the workspace was not updated for this scene; call update_bounds first");
  }
}

/// Throws `Error` if a scene and what it keeps have too many worlds for `what`.
template <int D, class T>
void require_few_worlds(const SceneSpan<D, T>& scene, const SceneRows<D, T>& rows,
                        std::string_view what) {
  if (scene.kept == nullptr) return rows.require_few_worlds(what);
  const auto& kept = scene.kept->state();
  const std::int64_t kept_shapes = kept.rows.layout.shape_count();
  if (kept.world_count > most_worlds(kept_shapes + rows.layout.shape_count())) {
    kept.rows.require_few_worlds(what, rows.layout.shape_count());
  }
  rows.require_few_worlds(what, kept_shapes);
}

/// Throws `CapacityError` for more contacts or points than may be stored.
inline void require_room(const CollideOptions& options, const CollideStats& stats) {
  AnswerCounts needed{stats.pairs, 0, 0};
  for (const CollideStats::KindStats& kind : stats.kinds) {
    needed.contacts += kind.contacts;
    needed.points += kind.points;
  }
  const auto require = [&](const char* cap, std::size_t most, std::int64_t count) {
    if (static_cast<std::size_t>(count) <= most) return;
    throw CapacityError({cap, -1, "is " + number(most) + "; the answer needs " + number(count)},
                        needed);
  };
  require("max_contacts", options.max_contacts, needed.contacts);
  require("max_points", options.max_points, needed.points);
}

/// Runs steps that write contacts; if one throws, there are none.
template <int D, class T, class Steps>
void write_contacts(ContactBuffer<D, T>& contacts, const Steps& steps) {
  try {
    steps();
  } catch (...) {
    contacts.clear();
    throw;
  }
}

/// The caller's pairs by the ids of the rows that kernels read. Throws `Error` for pairs of a kept
/// scene that are not of it; others are checked later.
template <int D, class T>
std::span<const Pair> row_pairs(const SceneSpan<D, T>& scene, std::span<const Pair> pairs,
                                typename Workspace<D, T>::State& state,
                                const CollideOptions& options) {
  JoinedScenes<D, T>& joined = state.joined_scenes;
  if (!joined.is_in_use()) return pairs;
  const auto& kept = scene.kept->state();
  if (!state.rows.world_mask.empty()) joined.require_worlds(state.rows, kept);
  if (is_mixed<T> && scene.domain.is_periodic()) joined.require_bounds(state.rows, kept);
  return joined.joined_pairs(pairs, options.threads);
}

/// Gives the inputs the shapes that lie flush.
template <int D, class T>
void add_flush_sides(const SceneSpan<D, T>& scene, const typename Workspace<D, T>::State& state,
                     typename NarrowPhase<D, T>::Inputs& inputs) {
  const JoinedScenes<D, T>& joined = state.joined_scenes;
  const auto add = [&](const FlushParts& parts, const SceneLayout& layout, const auto& shift) {
    FlushSide& side = inputs.flush[inputs.flush_count++];
    if (!parts.empty()) side.view = parts.view();
    std::copy(layout.first.begin(), layout.first.end(), side.first);
    std::copy(shift.begin(), shift.end(), side.shift);
  };
  const FlushParts* const kept = scene.kept == nullptr ? nullptr : &scene.kept->state().flush;
  if (state.flush.empty() && (kept == nullptr || kept->empty())) return;
  std::array<std::int32_t, kKindCount> none{};
  add(state.flush, state.rows.layout, kept == nullptr ? none : joined.shift_moving());
  if (kept != nullptr) add(*kept, scene.kept->state().rows.layout, joined.shift_kept());
}

/// What every call does before the kernels run over its pairs: checks, bins, and returns the inputs
/// of the chunks.
template <int D, class T>
typename NarrowPhase<D, T>::Inputs begin_contacts(const SceneSpan<D, T>& scene,
                                                  std::span<const Pair> pairs,
                                                  typename Workspace<D, T>::State& state,
                                                  const CollideOptions& options) {
  require_same_scene(scene, state);
  if (options.order == Order::world) require_few_worlds<D, T>(scene, state.rows, "order world");
  require_margin(options);
  require_warm_starts(options, pairs.size());
  require_patches(options);
  const bool is_own = pairs.data() == state.pairs.plane() && pairs.size() == state.pairs.size();
  const Isa isa = chosen_isa(options.isa);
  state.stats.isa = isa;
  state.stats.threads = thread_count(options.threads);
  state.stats.pairs = static_cast<std::int64_t>(pairs.size());
  const KernelTable<D, SizeOf<T>>& table = kernel_table<D, SizeOf<T>>(isa);
  SceneRows<D, T>& rows = state.asked_rows();
  if (options.method == Method::gjk_epa) rows.require_outlines();
  const std::span<const Pair> by_rows =
      is_own ? state.found_pairs() : row_pairs<D, T>(scene, pairs, state, options);
  state.narrow.bucket(rows, by_rows, is_own, table, options.threads);
  typename NarrowPhase<D, T>::Inputs inputs{rows,           scene.domain, options.margin,
                                            options.method, table,        options.warm_starts};
  inputs.steadiness = options.steadiness;
  inputs.most_patches = options.most_patches;
  inputs.patch_angle = options.patch_angle;
  add_flush_sides<D, T>(scene, state, inputs);
  if (state.joined_scenes.is_in_use()) {
    inputs.reported = pairs.data();
    inputs.row_pairs = by_rows.data();
  }
  return inputs;
}

}  // namespace widephase
