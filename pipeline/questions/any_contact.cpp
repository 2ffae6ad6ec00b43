#include <widephase/worlds.hpp>

#include "pipeline/narrow/workspace.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

namespace {

/// The runs of each world in the broad phase's list, which is ordered by world. Pairs of two shapes
/// of world -1, which come first, are in no run. With a kept scene two such lists follow each
/// other.
template <int D, class T>
void find_worlds(const SceneRows<D, T>& rows, std::span<const Pair> pairs,
                 std::vector<WorldPairs>& worlds) {
  worlds.clear();
  std::int32_t world = -1;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::int32_t of_pair = rows.world_of(pairs[i]);
    if (of_pair != world && of_pair != -1) worlds.push_back({of_pair, i, i});
    world = of_pair;
    if (world != -1) worlds.back().end = i + 1;
  }
}

/// Moves the next `count` pairs of each world into the batch.
void take(std::vector<WorldPairs>& undecided, std::span<const Pair> pairs, std::size_t count,
          WorldBatch& batch) {
  batch.clear();
  std::size_t total = 0;
  for (WorldPairs& rest : undecided) {
    const std::size_t taken = std::min(count, rest.end - rest.begin);
    batch.worlds.push_back({rest.world, total, total + taken});
    total += taken;
  }
  batch.pairs.resize_uninitialized(total);
  for (std::size_t i = 0; i < undecided.size(); ++i) {
    const WorldPairs& part = batch.worlds[i];
    std::copy_n(pairs.data() + undecided[i].begin, part.end - part.begin,
                batch.pairs.plane() + part.begin);
    undecided[i].begin += part.end - part.begin;
  }
}

}  // namespace

template <int D, class T>
void any_contact(SceneArgument<D, T> scene, std::span<std::uint8_t> is_contact,
                 Workspace<D, T>& workspace, const CollideOptions& options) {
  refuse_warm_starts(options, "any_contact");
  refuse_steadiness(options, "any_contact");
  refuse_patches(options, "any_contact");
  update_bounds(scene, workspace, options);
  auto& state = workspace.state();
  SceneRows<D, T>& rows = state.asked_rows();
  require_few_worlds<D, T>(scene, state.rows, "any_contact");
  if (scene.kept != nullptr) state.joined_scenes.require_worlds(state.rows, scene.kept->state());
  require_entry_a_world("is_contact", is_contact.size(),
                        static_cast<std::size_t>(rows.world_count()));
  require_address("is_contact", is_contact);
  find_pairs<D, T>(scene, state, options, PairSequence::free);
  const Stopwatch watch;
  const KernelTable<D, SizeOf<T>>& table = kernel_table<D, SizeOf<T>>(chosen_isa(options.isa));
  if (options.method == Method::gjk_epa) rows.require_outlines();
  std::fill(is_contact.begin(), is_contact.end(), std::uint8_t{0});

  AnyContactScratch& scratch = state.any_contact;
  WorldBatch& batch = scratch.batch;
  const std::span<const Pair> pairs = state.found_pairs();
  find_worlds(rows, pairs, scratch.undecided);
  for (std::size_t most = kPairsAFirstRound; !scratch.undecided.empty(); most *= 2) {
    take(scratch.undecided, pairs, most, batch);
    scratch.is_contact.resize_uninitialized(batch.pairs.size());
    state.narrow.bucket(rows, {batch.pairs.plane(), batch.pairs.size()}, true, table,
                        options.threads);
    state.narrow.test({rows, scene.domain, options.margin, options.method, table, {}},
                      options.threads, {scratch.is_contact.plane(), batch.pairs.size()});
    std::size_t kept = 0;
    for (std::size_t i = 0; i < batch.worlds.size(); ++i) {
      const WorldPairs& part = batch.worlds[i];
      const std::uint8_t* const answers = scratch.is_contact.plane();
      const bool is_hit = std::find(answers + part.begin, answers + part.end, std::uint8_t{1}) !=
                          answers + part.end;
      if (is_hit) is_contact[static_cast<std::size_t>(part.world)] = 1;
      const WorldPairs rest = scratch.undecided[i];
      // A world's other list may have decided it.
      if (is_contact[static_cast<std::size_t>(part.world)] == 0 && rest.begin < rest.end)
        scratch.undecided[kept++] = rest;
    }
    scratch.undecided.resize(kept);
  }
  state.stats.narrow_seconds = watch.seconds();
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                         \
  template void any_contact(SceneArgument<D, T>, std::span<std::uint8_t>, Workspace<D, T>&, \
                            const CollideOptions&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
