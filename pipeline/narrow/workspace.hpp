#pragma once

#include <widephase/collide.hpp>

#include "pipeline/broad/world_rounds.hpp"
#include "pipeline/narrow/call_checks.hpp"
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
  AnyContactScratch any_contact;
  MinDistanceScratch<D, T> min_distance;
  JoinedScenes<D, T> joined_scenes;
  CollideStats stats;
};

/// Reads a scene into the workspace, whose stages begin anew.
template <int D, class T>
void update_rows(const SceneSpan<D, T>& scene, const CollideOptions& options, Bounds wanted,
                 typename Workspace<D, T>::State& state) {
  const Stopwatch watch;
  state.pairs.clear();
  state.stats = {};
  state.stats.isa = chosen_isa(options.isa);
  state.stats.threads = thread_count(options.threads);
  state.rows.update(scene, options.margin, state.stats.isa, options.threads,
                    {options.world_mask, options.world_status}, nullptr, wanted);
  state.stats.shapes = state.rows.layout.shape_count();
  state.stats.broad_seconds = watch.seconds();
}

template <int D, class T>
void require_same_scene(const SceneSpan<D, T>& scene, const SceneRows<D, T>& rows) {
  if (!rows.is_read || layout_of(scene).first != rows.layout.first) {
    throw Error("the workspace was not updated for this scene; call update_bounds first");
  }
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
    throw CapacityError(
        {cap, -1, "is " + number(most) + "; the answer needs " + number(count)},
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

/// What every call does before the kernels run over its pairs: checks, bins, and returns the inputs
/// of the chunks.
template <int D, class T>
typename NarrowPhase<D, T>::Inputs begin_contacts(const SceneSpan<D, T>& scene,
                                                  std::span<const Pair> pairs,
                                                  typename Workspace<D, T>::State& state,
                                                  const CollideOptions& options) {
  require_same_scene(scene, state.rows);
  if (options.order == Order::world) state.rows.require_few_worlds("order world");
  require_margin(options);
  require_warm_starts(options, pairs.size());
  const bool is_own = pairs.data() == state.pairs.plane() && pairs.size() == state.pairs.size();
  const Isa isa = chosen_isa(options.isa);
  state.stats.isa = isa;
  state.stats.threads = thread_count(options.threads);
  state.stats.pairs = static_cast<std::int64_t>(pairs.size());
  const KernelTable<D, SizeOf<T>>& table = kernel_table<D, SizeOf<T>>(isa);
  if (options.method == Method::gjk_epa) state.rows.require_outlines();
  state.narrow.bucket(state.rows, pairs, is_own, table, options.threads);
  typename NarrowPhase<D, T>::Inputs inputs{state.rows,     scene.domain, options.margin,
                                            options.method, table,        options.warm_starts};
  inputs.steadiness = options.steadiness;
  return inputs;
}

}  // namespace widephase
