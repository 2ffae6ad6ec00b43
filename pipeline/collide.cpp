#include <widephase/collide.hpp>

#include "pipeline/broad/find_pairs.hpp"
#include "pipeline/narrow/workspace.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/threads.hpp"
#include "soa/unbounded_ids.hpp"

namespace widephase {

template <int D, class T>
Workspace<D, T>::Workspace() : state_(std::make_unique<State>()) {}
template <int D, class T>
Workspace<D, T>::~Workspace() = default;
template <int D, class T>
Workspace<D, T>::Workspace(Workspace&&) noexcept = default;
template <int D, class T>
Workspace<D, T>& Workspace<D, T>::operator=(Workspace&&) noexcept = default;

template <int D, class T>
const BoundsBuffer<D, PositionOf<T>>& Workspace<D, T>::bounds() const {
  return state_->rows.bounds;
}
template <int D, class T>
const Column<Pair>& Workspace<D, T>::pairs() const {
  return state_->pairs;
}
template <int D, class T>
const CollideStats& Workspace<D, T>::stats() const {
  return state_->stats;
}
template <int D, class T>
std::size_t Workspace<D, T>::bytes() const {
  return state_->rows.bytes() + state_->pair_workspace.bytes() + state_->pairs.bytes() +
         state_->narrow.bytes() + state_->sorter.bytes() + state_->contacts.bytes() +
         state_->points.bytes() + state_->ids.bytes() + state_->any_contact.bytes() +
         state_->min_distance.bytes() + state_->rays.bytes() + state_->nearest.bytes() +
         state_->casts.bytes() + state_->impact.bytes() + state_->flush.bytes() +
         state_->joined_scenes.bytes();
}

template <int D, class T>
void update_bounds(SceneArgument<D, T> scene, Workspace<D, T>& workspace,
                   const CollideOptions& options) {
  update_rows<D, T>(scene, options, Bounds::wanted, workspace.state());
}

namespace {

template <int D, class T>
void find_pairs_timed(const SceneSpan<D, T>& scene, typename Workspace<D, T>::State& state,
                      const CollideOptions& options, PairSequence sequence, Stopwatch& watch) {
  const SceneRows<D, T>& rows = state.rows;
  if (!rows.is_read || rows.bounds.size() != static_cast<std::size_t>(rows.layout.shape_count())) {
    throw Error("the workspace has no bounds; call update_bounds first");
  }
  if (scene.kept != nullptr || state.joined_scenes.is_in_use()) {
    require_same_scene<D, T>(scene, state);
    state.joined_scenes.find(scene, scene.kept->state(), options, state.rows, state.pairs, sequence,
                             state.pair_workspace);
    state.stats.pairs = static_cast<std::int64_t>(state.pairs.size());
    state.stats.broad_seconds += watch.lap();
    return;
  }
  PairOptions pair_options;
  pair_options.threads = options.threads;
  pair_options.isa = options.isa;
  pair_options.max_pairs = options.max_pairs;
  pair_options.keeps_order = options.keeps_order;
  find_scene_pairs<D, PositionOf<T>>(rows.bounds, unbounded_ids(rows.layout), rows.halfspace_normal,
                                     rows.halfspace_offset, rows.filters(scene), scene.domain,
                                     state.pairs, state.pair_workspace, pair_options, sequence);
  state.stats.pairs = static_cast<std::int64_t>(state.pairs.size());
  state.stats.broad_seconds += watch.lap();
}

}  // namespace

template <int D, class T>
void find_pairs(const SceneSpan<D, T>& scene, typename Workspace<D, T>::State& state,
                const CollideOptions& options, PairSequence sequence) {
  Stopwatch watch;
  find_pairs_timed<D, T>(scene, state, options, sequence, watch);
}

template <int D, class T>
void find_pairs(SceneArgument<D, T> scene, Workspace<D, T>& workspace,
                const CollideOptions& options) {
  find_pairs<D, T>(scene, workspace.state(), options, PairSequence::decided);
}

namespace {

template <int D, class T>
void find_contacts_timed(const SceneSpan<D, T>& scene, std::span<const Pair> pairs,
                         ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
                         const CollideOptions& options, const Stopwatch& watch) {
  auto& state = workspace.state();
  contacts.clear();
  typename NarrowPhase<D, T>::Inputs inputs = begin_contacts(scene, pairs, state, options);
  inputs.max_contacts = options.max_contacts;
  inputs.max_points = options.max_points;
  inputs.times_only_chunk = false;
  write_contacts(contacts, [&] {
    state.narrow.find_contacts(inputs, options.threads, contacts, state.stats);
    require_room(options, state.stats);
    if (options.order == Order::world && scene.kept != nullptr) {
      state.joined_scenes.require_worlds(state.rows, scene.kept->state());
    }
    state.sorter.sort(options.order, inputs.rows, inputs.row_pairs, contacts);
  });
  state.stats.narrow_seconds = watch.seconds();
  state.narrow.time_only_chunk(state.stats.narrow_seconds, state.stats);
}

}  // namespace

template <int D, class T>
void find_contacts(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                   ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
                   const CollideOptions& options) {
  find_contacts_timed<D, T>(scene, pairs, contacts, workspace, options, Stopwatch());
}

template <int D, class T>
void collide(SceneArgument<D, T> scene, ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
             const CollideOptions& options) {
  contacts.clear();
  refuse_warm_starts(options, "collide");
  const CollideOptions own = with_chosen_isa(options);
  auto& state = workspace.state();
  Stopwatch watch;
  update_rows<D, T>(scene, own, Bounds::wanted, state, watch);
  find_pairs_timed<D, T>(scene, state, own, PairSequence::decided, watch);
  find_contacts_timed<D, T>(scene, {state.pairs.plane(), state.pairs.size()}, contacts, workspace,
                            own, watch);
}

template <int D, class T>
void collide_pairs(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                   ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
                   const CollideOptions& options) {
  contacts.clear();
  const CollideOptions own = with_chosen_isa(options);
  update_bounds(scene, workspace, own);
  find_contacts(scene, pairs, contacts, workspace, own);
}

template <int D, class T>
void test_pairs(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                std::span<std::uint8_t> is_contact, Workspace<D, T>& workspace,
                const CollideOptions& options) {
  require_entry_a_pair("is_contact", is_contact.size(), pairs.size());
  require_address("is_contact", is_contact);
  require_warm_starts(options, pairs.size());
  refuse_patches(options, "test_pairs");
  auto& state = workspace.state();
  update_rows<D, T>(scene, options, Bounds::unwanted, state);
  const KernelTable<D, SizeOf<T>>& table = kernel_table<D, SizeOf<T>>(chosen_isa(options.isa));
  SceneRows<D, T>& rows = state.asked_rows();
  if (options.method == Method::gjk_epa) rows.require_outlines();
  state.narrow.bucket(rows, row_pairs<D, T>(scene, pairs, state, options), false, table,
                      options.threads);
  state.narrow.test(
      {rows, scene.domain, options.margin, options.method, table, options.warm_starts},
      options.threads, is_contact);
}

bool has_kernel(int dimension, Kind a, Kind b) {
  const int kind = pair_kind(a, b);
  if (has_surface({a, b})) return can_meet(a, b, dimension);
  const Isa isa = built_isas().front();
  return dimension == 2 ? kernel_table<2, float>(isa).pairs[kind].find_contacts != nullptr
                        : kernel_table<3, float>(isa).pairs[kind].find_contacts != nullptr;
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                                \
  template class Workspace<D, T>;                                                                  \
  template void update_bounds(SceneArgument<D, T>, Workspace<D, T>&, const CollideOptions&);       \
  template void find_pairs(SceneArgument<D, T>, Workspace<D, T>&, const CollideOptions&);          \
  template void find_pairs(const SceneSpan<D, T>&, Workspace<D, T>::State&, const CollideOptions&, \
                           PairSequence);                                                          \
  template void find_contacts(SceneArgument<D, T>, std::span<const Pair>, ContactBuffer<D, T>&,    \
                              Workspace<D, T>&, const CollideOptions&);                            \
  template void collide(SceneArgument<D, T>, ContactBuffer<D, T>&, Workspace<D, T>&,               \
                        const CollideOptions&);                                                    \
  template void collide_pairs(SceneArgument<D, T>, std::span<const Pair>, ContactBuffer<D, T>&,    \
                              Workspace<D, T>&, const CollideOptions&);                            \
  template void test_pairs(SceneArgument<D, T>, std::span<const Pair>, std::span<std::uint8_t>,    \
                           Workspace<D, T>&, const CollideOptions&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
