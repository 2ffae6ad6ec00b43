#include <widephase/worlds.hpp>

#include <limits>

#include "pipeline/narrow/pair_distances.hpp"
#include "pipeline/narrow/workspace.hpp"
#include "soa/instantiate.hpp"
#include "soa/unbounded_ids.hpp"

namespace widephase {

namespace {

/// Searches that a thread advances at a time.
constexpr std::size_t kSearchesAChunk = 16;

template <int D, class T>
void put_no_pair(WorldDistanceBuffer<D, T>& distances, std::size_t row) {
  distances.pair[row] = {-1, -1};
  distances.distance[row] = std::numeric_limits<SizeOf<T>>::max();
  for (int k = 0; k < D; ++k) {
    distances.normal(row, k) = distances.point_a(row, k) = distances.point_b(row, k) = 0;
  }
  distances.feature[row] = 0;
  distances.status[row] = 0;
}

/// Whether the contact is nearer than the row of its world.
template <int D, class T>
bool is_nearer(const ContactBuffer<D, T>& contacts, std::size_t contact,
               const WorldDistanceBuffer<D, T>& distances, std::size_t row) {
  const Pair pair = contacts.pair[contact], before = distances.pair[row];
  const SizeOf<T> distance = -contacts.depth[contact];
  if (before.a == -1 || distance != distances.distance[row]) {
    return before.a == -1 || distance < distances.distance[row];
  }
  return pair.a != before.a ? pair.a < before.a : pair.b < before.b;
}

/// Advances worlds [first, last), round by round, until all have their minimum distance.
template <int D, class T>
void find_least(const SceneSpan<D, T>& scene, std::int32_t first, std::int32_t last,
                const CollideOptions& options, WorldDistanceBuffer<D, T>& distances,
                typename Workspace<D, T>::State& state) {
  MinDistanceScratch<D, T>& scratch = state.min_distance;
  SceneRows<D, T>& rows = state.asked_rows();
  const bool has_kept = scene.kept != nullptr;
  const NearestInputs<D, T> inputs{rows,
                                   scratch.trees,
                                   has_kept ? scene.kept->state().nearest_trees.get() : nullptr,
                                   has_kept ? &state.joined_scenes : nullptr,
                                   scratch.filter,
                                   !has_kept || options.moving_pairs,
                                   unbounded_ids(rows.layout)};
  const KernelTable<D, SizeOf<T>>& table = kernel_table<D, SizeOf<T>>(chosen_isa(options.isa));
  WorldBatch& batch = scratch.batch;
  const auto worlds = static_cast<std::size_t>(last - first);
  if (scratch.searches.size() < worlds) scratch.searches.resize(worlds);
  scratch.undecided.clear();
  for (std::size_t i = 0; i < worlds; ++i) scratch.undecided.push_back(i);
  const auto for_searches = [&](const auto& op) {
    const std::size_t count = scratch.undecided.size();
    for_chunks(options.threads, (count + kSearchesAChunk - 1) / kSearchesAChunk,
               [&](std::size_t chunk) {
                 const std::size_t end = std::min(count, (chunk + 1) * kSearchesAChunk);
                 for (std::size_t i = chunk * kSearchesAChunk; i < end; ++i) {
                   op(scratch.searches[scratch.undecided[i]], scratch.undecided[i]);
                 }
               });
  };
  for_searches([&](NearestPairs<D, T>& search, std::size_t i) {
    search.start(inputs, first + static_cast<std::int32_t>(i));
  });
  for (std::size_t most = kPairsAFirstRound; !scratch.undecided.empty(); most *= 2) {
    for_searches([&](NearestPairs<D, T>& search, std::size_t) { search.advance(inputs, most); });
    batch.clear();
    for (const std::size_t i : scratch.undecided) {
      const std::size_t begin = batch.pairs.size();
      for (const Pair pair : scratch.searches[i].next) batch.pairs.push_back({pair});
      batch.worlds.push_back({static_cast<std::int32_t>(i), begin, batch.pairs.size()});
    }
    scratch.search_of_pair.resize_uninitialized(batch.pairs.size());
    for (const WorldPairs& part : batch.worlds) {
      std::fill(scratch.search_of_pair.plane() + part.begin,
                scratch.search_of_pair.plane() + part.end, part.world);
    }
    state.stats.pairs += static_cast<std::int64_t>(batch.pairs.size());
    state.narrow.bucket(rows, {batch.pairs.plane(), batch.pairs.size()}, true, table,
                        options.threads);
    state.narrow.find_contacts(distance_inputs<D, T>(scene, options, table, rows), options.threads,
                               state.contacts, state.stats);
    require_all_distances(state.contacts.size(), batch.pairs.size());
    for (std::size_t contact = 0; contact < state.contacts.size(); ++contact) {
      const auto source = static_cast<std::size_t>(state.contacts.source[contact]);
      const std::int32_t search = scratch.search_of_pair[source];
      const auto row = static_cast<std::size_t>(first + search);
      if (!is_nearer(state.contacts, contact, distances, row)) continue;
      put_distances(
          state.contacts, contact, contact + 1, [row](std::size_t) { return row; }, distances);
      distances.pair[row] = state.contacts.pair[contact];
      scratch.searches[static_cast<std::size_t>(search)].limit(distances.distance[row]);
    }
    std::erase_if(scratch.undecided, [&](std::size_t i) { return scratch.searches[i].is_done(); });
  }
}

/// Makes the trees of a kept scene unless there are some. On one thread: a pool's thread that waits
/// here might take another call's work, which would wait for this one.
template <int D, class T>
void require_nearest_trees(const typename StaticScene<D, T>::State& kept) {
  const std::lock_guard lock(kept.nearest_mutex);
  if (kept.nearest_trees != nullptr) return;
  Column<std::uint8_t> fixed;
  fixed.resize(kept.rows.bounds.size(), 1);
  Threads one;
  one.count = 1;
  auto trees = std::make_shared<WorldTrees<D, T>>();
  trees->build(kept.rows, unbounded_ids(kept.rows.layout), kept_filters(kept.rows, fixed), one);
  trees->forget_scene();
  kept.nearest_trees = std::move(trees);
}

}  // namespace

template <int D, class T>
void min_distance(SceneArgument<D, T> scene, WorldDistanceBuffer<D, T>& distances,
                  Workspace<D, T>& workspace, const CollideOptions& options) {
  refuse_warm_starts(options, "min_distance");
  refuse_steadiness(options, "min_distance");
  refuse_patches(options, "min_distance");
  for (int k = 0; k < D; ++k) {
    if (!scene.domain.periodic[k]) continue;
    throw Error(Finding{"domain.periodic", k,
                        "is set; min_distance knows no images, so give it a domain that does not "
                        "wrap"});
  }
  CollideOptions plain = options;
  plain.margin = 0;
  update_bounds(scene, workspace, plain);
  const Stopwatch watch;
  auto& state = workspace.state();
  SceneRows<D, T>& rows = state.asked_rows();
  require_few_worlds<D, T>(scene, state.rows, "min_distance");
  if (options.method == Method::gjk_epa) rows.require_outlines();
  const FilterSpan filters =
      scene.kept == nullptr ? rows.filters(scene)
                            : state.joined_scenes.require_filters(
                                  scene, state.rows, scene.kept->state(), options.moving_pairs);
  state.min_distance.filter.set(filters, static_cast<std::size_t>(rows.layout.shape_count()));
  if (scene.kept == nullptr) {
    state.min_distance.trees.build(rows, unbounded_ids(rows.layout), filters, options.threads);
  } else {
    state.min_distance.trees.build(state.rows, {}, state.rows.filters({}), options.threads);
    require_nearest_trees<D, T>(scene.kept->state());
  }
  const double tree_seconds = watch.seconds();
  state.stats.broad_seconds += tree_seconds;

  const std::int32_t worlds = rows.world_count();
  const auto resize = [&](std::size_t count) {
    distances.pair.resize_uninitialized(count);
    resize_uninitialized(distances, count);
  };
  try {
    resize(static_cast<std::size_t>(worlds));
    for (std::size_t w = 0; w < distances.pair.size(); ++w) put_no_pair(distances, w);
    for (std::int32_t first = 0; first < worlds; first += kSearchesAtOnce) {
      const std::int32_t last = std::min(worlds, first + kSearchesAtOnce);
      find_least<D, T>(scene, first, last, options, distances, state);
    }
    for (Pair& pair : std::span<Pair>(distances.pair.plane(), distances.pair.size())) {
      if (scene.kept == nullptr || pair.a < 0) continue;
      const Pair ids{state.joined_scenes.reported_id(pair.a),
                     state.joined_scenes.reported_id(pair.b)};
      pair = ids;
    }
  } catch (...) {
    resize(0);
    throw;
  }
  state.stats.narrow_seconds = watch.seconds() - tree_seconds;
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                             \
  template void min_distance(SceneArgument<D, T>, WorldDistanceBuffer<D, T>&, Workspace<D, T>&, \
                             const CollideOptions&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
