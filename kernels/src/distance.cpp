#include <widephase/distance.hpp>

#include "workspace.hpp"

namespace widephase {

namespace {

/// Every pair is nearer than this; twice as much is still a number.
template <class T>
constexpr double kAnyDistance = static_cast<double>(std::numeric_limits<T>::max() / 8);

/// The contact's deepest point into the row of its pair.
template <int D, class T>
void put_distance(const ContactBuffer<D, T>& contacts, std::size_t contact,
                  DistanceBuffer<D, T>& distances) {
  const auto row = static_cast<std::size_t>(contacts.source[contact]);
  auto deepest = static_cast<std::size_t>(contacts.offset[contact]);
  const auto end = static_cast<std::size_t>(contacts.offset[contact + 1]);
  // Of points as deep, that of the lowest features in the pair's natural order: the same one
  // whichever shape is named first.
  const bool is_swapped = contacts.pair[contact].a > contacts.pair[contact].b;
  const auto natural_feature = [&](std::size_t point) {
    const std::uint32_t feature = contacts.feature[point];
    return is_swapped ? feature << 16 | feature >> 16 : feature;
  };
  for (std::size_t point = deepest + 1; point < end; ++point) {
    const T depth = contacts.point_depth[point], most = contacts.point_depth[deepest];
    if (depth > most || (depth == most && natural_feature(point) < natural_feature(deepest))) {
      deepest = point;
    }
  }
  const T depth = contacts.depth[contact];
  distances.distance[row] = -depth;
  distances.feature[row] = contacts.feature[deepest];
  distances.status[row] = contacts.status[contact];
  for (int k = 0; k < D; ++k) {
    const T normal = contacts.normal(contact, k), point = contacts.point(deepest, k);
    distances.normal(row, k) = normal;
    distances.point_a(row, k) = point;
    distances.point_b(row, k) = point - depth * normal;
  }
}

}  // namespace

template <int D, class T>
void distances(SceneArgument<D, T> scene, std::span<const Pair> pairs, DistanceBuffer<D, T>& result,
               Workspace<D, T>& workspace, const CollideOptions& options) {
  require_warm_starts(options, pairs.size());
  CollideOptions plain = options;
  plain.margin = 0;
  update_bounds(scene, workspace, plain);
  auto& state = workspace.state();
  const SceneLayout& layout = state.rows.layout;
  const KernelTable<D, T>& table = kernel_table<D, T>(chosen_isa(options.isa));
  if (options.method == Method::gjk_epa) state.rows.require_outlines();
  state.narrow.bucket(state.rows, pairs, false, table, options.threads);
  const std::int32_t first_halfspace = layout.first[static_cast<int>(Kind::halfspace)];
  for (std::size_t row = 0; row < pairs.size() && layout.count(Kind::halfspace) > 1; ++row) {
    if (pairs[row].a < first_halfspace || pairs[row].b < first_halfspace) continue;
    throw Error(Finding{"pairs", static_cast<std::int64_t>(row),
                        "names two halfspaces, which have no distance; leave such pairs out"});
  }
  state.narrow.find_contacts(
      {state.rows, scene.domain, kAnyDistance<T>, options.method, table, options.warm_starts,
       Question::deepest},
      options.threads, state.contacts, state.stats);
  const auto resize = [&](auto& column) { column.resize_uninitialized(pairs.size()); };
  resize(result.distance);
  resize(result.normal);
  resize(result.point_a);
  resize(result.point_b);
  resize(result.feature);
  resize(result.status);
  // Numbers beyond those that docs/conventions.md allows are no contact.
  if (state.contacts.size() != pairs.size()) {
    throw Error("a distance overflows; keep lengths below 1e9 (float) or 1e75 (double)");
  }
  for (std::size_t contact = 0; contact < pairs.size(); ++contact) {
    put_distance(state.contacts, contact, result);
  }
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                          \
  template void distances(SceneArgument<D, T>, std::span<const Pair>, DistanceBuffer<D, T>&, \
                          Workspace<D, T>&, const CollideOptions&);
WIDEPHASE_INSTANTIATE(2, float)
WIDEPHASE_INSTANTIATE(2, double)
WIDEPHASE_INSTANTIATE(3, float)
WIDEPHASE_INSTANTIATE(3, double)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase
