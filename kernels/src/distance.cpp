#include <widephase/distance.hpp>

#include "pair_distances.hpp"

namespace widephase {

template <int D, class T>
void distances(SceneArgument<D, T> scene, std::span<const Pair> pairs, DistanceBuffer<D, T>& result,
               Workspace<D, T>& workspace, const CollideOptions& options) {
  require_warm_starts(options, pairs.size());
  refuse_steadiness(options, "distances");
  refuse_world_choice(options, "distances");
  CollideOptions plain = options;
  plain.margin = 0;
  update_bounds(scene, workspace, plain);
  auto& state = workspace.state();
  const SceneLayout& layout = state.rows.layout;
  const KernelTable<D, SizeOf<T>>& table = kernel_table<D, SizeOf<T>>(chosen_isa(options.isa));
  if (options.method == Method::gjk_epa) state.rows.require_outlines();
  state.narrow.bucket(state.rows, pairs, false, table, options.threads);
  const std::int32_t first_halfspace = layout.first[static_cast<int>(Kind::halfspace)];
  for (std::size_t row = 0; row < pairs.size() && layout.count(Kind::halfspace) > 1; ++row) {
    if (pairs[row].a < first_halfspace || pairs[row].b < first_halfspace) continue;
    throw Error(Finding{"pairs", static_cast<std::int64_t>(row),
                        "names two halfspaces, which have no distance; leave such pairs out"});
  }
  find_distances<D, T>(scene, pairs.size(), options, table, state);
  resize_uninitialized(result, pairs.size());
  for (std::size_t contact = 0; contact < pairs.size(); ++contact) {
    put_distance(state.contacts, contact, static_cast<std::size_t>(state.contacts.source[contact]),
                 result);
  }
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                          \
  template void distances(SceneArgument<D, T>, std::span<const Pair>, DistanceBuffer<D, T>&, \
                          Workspace<D, T>&, const CollideOptions&);
WIDEPHASE_INSTANTIATE(2, float)
WIDEPHASE_INSTANTIATE(2, double)
WIDEPHASE_INSTANTIATE(2, Mixed)
WIDEPHASE_INSTANTIATE(3, float)
WIDEPHASE_INSTANTIATE(3, double)
WIDEPHASE_INSTANTIATE(3, Mixed)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase
