#include <widephase/distance.hpp>

#include "pipeline/narrow/pair_distances.hpp"
#include "pipeline/narrow/workspace.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

template <int D, class T>
void distances(SceneArgument<D, T> scene, std::span<const Pair> pairs, DistanceBuffer<D, T>& result,
               Workspace<D, T>& workspace, const CollideOptions& options) {
  require_warm_starts(options, pairs.size());
  refuse_steadiness(options, "distances");
  refuse_patches(options, "distances");
  refuse_world_choice(options, "distances");
  CollideOptions plain = options;
  plain.margin = 0;
  auto& state = workspace.state();
  update_rows<D, T>(scene, plain, Bounds::unwanted, state);
  SceneRows<D, T>& rows = state.asked_rows();
  const KernelTable<D, SizeOf<T>>& table = kernel_table<D, SizeOf<T>>(chosen_isa(options.isa));
  if (options.method == Method::gjk_epa) rows.require_outlines();
  const std::span<const Pair> by_rows = row_pairs<D, T>(scene, pairs, state, options);
  state.narrow.bucket(rows, by_rows, false, table, options.threads);
  require_answers(rows.layout, by_rows, D, &can_meet, "distance");
  try {
    resize_uninitialized(result, pairs.size());
    const std::size_t answers = state.narrow.find_distances(
        distance_inputs<D, T>(scene, options, table, rows), options.threads, result, state.stats);
    require_all_distances(answers, pairs.size());
  } catch (...) {
    resize_uninitialized(result, 0);
    throw;
  }
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                          \
  template void distances(SceneArgument<D, T>, std::span<const Pair>, DistanceBuffer<D, T>&, \
                          Workspace<D, T>&, const CollideOptions&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
