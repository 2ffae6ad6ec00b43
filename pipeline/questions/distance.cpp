#include <widephase/distance.hpp>

#include "pipeline/narrow/pair_distances.hpp"
#include "pipeline/narrow/workspace.hpp"
#include "soa/instantiate.hpp"
#include "soa/kind_traits.hpp"

namespace widephase {

namespace {

/// Throws `Error` for a pair of two kinds that never meet.
void require_distances(const SceneLayout& layout, std::span<const Pair> pairs, int dimension) {
  bool may_be_any = false;
  for (int kind = 0; kind < kPairKindCount; ++kind) {
    const KindsOfPair kinds = kinds_of(kind);
    const bool has_both = kinds.a == kinds.b
                              ? layout.count(kinds.a) > 1
                              : layout.count(kinds.a) > 0 && layout.count(kinds.b) > 0;
    may_be_any |= has_both && !can_meet(kinds.a, kinds.b, dimension);
  }
  for (std::size_t row = 0; row < pairs.size() && may_be_any; ++row) {
    const Kind a = layout.kind_of(pairs[row].a), b = layout.kind_of(pairs[row].b);
    if (can_meet(a, b, dimension)) continue;
    const std::string first(kind_name(a, dimension)), second(kind_name(b, dimension));
    const std::string both = a != b ? "a " + first + " and a " + second
                                    : "two " + first + (first.ends_with("sh") ? "es" : "s");
    throw Error(Finding{"pairs", static_cast<std::int64_t>(row),
                        "names " + both + ", which have no distance; leave such pairs out"});
  }
}

}  // namespace

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
  require_distances(rows.layout, by_rows, D);
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
