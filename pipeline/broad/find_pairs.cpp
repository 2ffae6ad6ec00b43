#include "pipeline/broad/find_pairs.hpp"

#include <cmath>

#include "kernels/table.hpp"
#include "pipeline/broad/pair_workspace.hpp"
#include "pipeline/broad/tree_builder.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

template <int D, class T>
PairWorkspace<D, T>::PairWorkspace() : state_(std::make_unique<State>()) {}
template <int D, class T>
PairWorkspace<D, T>::~PairWorkspace() = default;
template <int D, class T>
PairWorkspace<D, T>::PairWorkspace(PairWorkspace&&) noexcept = default;
template <int D, class T>
PairWorkspace<D, T>& PairWorkspace<D, T>::operator=(PairWorkspace&&) noexcept = default;
template <int D, class T>
std::size_t PairWorkspace<D, T>::bytes() const {
  return state_->bytes();
}

namespace {

template <int D, class T>
class PairFinder {
 public:
  using State = typename PairWorkspace<D, T>::State;

  PairFinder(const BoundsSpan<D, T>& bounds, UnboundedIds unbounded,
             const ColumnSpan<T, D>& halfspace_normal, const ColumnSpan<T>& halfspace_offset,
             const Domain<D, T>& domain, std::span<const std::uint8_t> world_mask,
             Column<Pair>& pairs, State& state, const PairOptions& options, PairSequence sequence)
      : kernels_(kernel_table<D, T>(chosen_isa(options.isa)).broad),
        boxes_(box_source(bounds)),
        unbounded_(unbounded),
        halfspace_normal_(halfspace_normal),
        halfspace_offset_(halfspace_offset),
        is_periodic_(domain.is_periodic()),
        world_mask_(world_mask),
        keeps_order_(options.keeps_order),
        sequence_(sequence),
        pairs_(pairs),
        state_(state),
        crew_(crew_of(options.threads, bounds.size())),
        bounded_count_(bounds.size() - static_cast<std::size_t>(unbounded.count())) {}

  void find(const ColumnSpan<std::int32_t>& world, std::size_t count, const Domain<D, T>& domain) {
    if (is_periodic_) {
      boxes_ = state_.periodic.wrap(crew_, boxes_, count, unbounded_, domain);
      state_.periodic.require_room();
    }
    state_.groups.group(crew_, world, world_mask_, count, unbounded_, state_.group);
    const std::vector<WorldRange>& worlds = state_.groups.ranges();
    if (is_any_large(worlds)) state_.filter.make_bytes(crew_, count);
    if (keeps_order_ && state_.kept.size() < worlds.size()) state_.kept.resize(worlds.size());
    std::size_t next = 0;
    if (!worlds.empty() && worlds[0].world == -1) {
      shared_range_ = &worlds[0];
      find_in_world(*shared_range_, crew_, state_.scratch_of(0), state_.shared_tree, pairs_);
      next = 1;
    }
    find_in_worlds<D, T>(
        state_, crew_, next, pairs_,
        [&](const WorldRange& range, const Crew& crew, WorldScratch<D, T>& scratch,
            Column<Pair>& pairs) { find_in_world(range, crew, scratch, scratch.tree, pairs); });
    if (!state_.cap.has_ended()) return;
    // The threads decided which worlds were walked, and how far, so kept orders begin anew.
    for (KeptOrder<D, T>& kept : state_.kept) kept.box_count = 0;
  }

 private:
  BoxSource<D, T> source_of(const WorldRange& range) const {
    return state_.groups.source_of(range, boxes_);
  }

  /// Whether the boxes of any world are so many that columns by id are not in the cache.
  static bool is_any_large(const std::vector<WorldRange>& worlds) {
    constexpr std::size_t kLarge = 16384;
    return std::any_of(worlds.begin(), worlds.end(),
                       [](const WorldRange& range) { return range.box_count() >= kLarge; });
  }

  // --- one world ---

  void find_in_world(const WorldRange& range, const Crew& crew, WorldScratch<D, T>& scratch,
                     TileTree<D, T>& tree, Column<Pair>& pairs) {
    if (state_.cap.has_ended()) return;
    const bool is_shared = range.world == -1;
    const BoxSource<D, T> source = source_of(range);
    const std::size_t count = range.box_count();
    TreeBuilder<D, T> builder(kernels_, crew, scratch.build);
    Walker<D, T> walker(kernels_, crew, scratch.walk, state_.filter, state_.cap, pairs);
    if (keeps_order_) {
      KeptOrder<D, T>& kept = kept_of(range);
      builder.build(tree, source, count, kept);
      walker.walk(tree);
      kept.count_opened(walker.opened());
    } else {
      builder.build(tree, source, count, sequence_, &state_.filter);
      walker.walk(tree);
    }

    const TileTree<D, T>& shared = state_.shared_tree;
    const bool meets_shared =
        !is_shared && shared_range_ != nullptr && shared_range_->box_count() != 0 && count != 0;
    const TileTree<D, T>* framed = &tree;
    if (meets_shared) {
      if constexpr (TileTree<D, T>::kHasExact) {
        builder.build(scratch.framed, source, count, sequence_, nullptr, shared.origin);
        framed = &scratch.framed;
      }
      walker.walk(shared, *framed);
    }
    if (is_periodic_) {
      const bool are_all = count == bounded_count_;
      const Box<D, T>* const known = are_all ? state_.periodic.hull() : nullptr;
      const Box<D, T> hull =
          known != nullptr ? *known : hull_of(crew, source, count, scratch.hulls);
      walk_ghosts(crew, builder, walker, scratch, source, count, hull, tree);
      if (meets_shared) {
        const BoxSource<D, T> shared_source = source_of(*shared_range_);
        const std::size_t shared_count = shared_range_->box_count();
        walk_ghosts(crew, builder, walker, scratch, source, count,
                    hull_of(crew, shared_source, shared_count, scratch.hulls), shared);
        walk_ghosts(crew, builder, walker, scratch, shared_source, shared_count, hull, *framed);
      }
    }
    if (unbounded_.count() == 0) return;
    scratch.halfspaces.clear();
    if (!is_shared && shared_range_ != nullptr) {
      add_halfspaces(*shared_range_, tree.origin, scratch.halfspaces);
    }
    add_halfspaces(range, tree.origin, scratch.halfspaces);
    walk_halfspaces(walker, scratch, tree);
    if (!is_shared && shared_range_ != nullptr) {
      scratch.halfspaces.clear();
      add_halfspaces(range, shared.origin, scratch.halfspaces);
      walk_halfspaces(walker, scratch, shared);
    }
  }

  /// The kept order of the range; that of another world in its place is useless.
  KeptOrder<D, T>& kept_of(const WorldRange& range) const {
    const auto place = static_cast<std::size_t>(&range - state_.groups.ranges().data());
    KeptOrder<D, T>& kept = state_.kept[place];
    if (kept.world != range.world) kept.box_count = 0;
    kept.world = range.world;
    return kept;
  }

  void walk_ghosts(const Crew& crew, TreeBuilder<D, T>& builder, Walker<D, T>& walker,
                   WorldScratch<D, T>& scratch, const BoxSource<D, T>& source, std::size_t count,
                   const Box<D, T>& region, const TileTree<D, T>& others) {
    if (others.box_count == 0) return;
    scratch.ghosts.make(crew, source, count, state_.periodic.period(), region, Images::half);
    builder.build(scratch.ghost_tree, scratch.ghosts.source(), scratch.ghosts.ids.size(),
                  others.origin, scratch.ghosts.ids.plane());
    walker.walk(others, scratch.ghost_tree);
  }

  // --- halfspaces ---

  void add_halfspaces(const WorldRange& range, const T* origin, HalfspaceList<D, T>& list) const {
    for (std::size_t place = range.split; place < range.end; ++place) {
      const std::size_t id = state_.groups.id_at(place);
      const std::size_t row = id - static_cast<std::size_t>(unbounded_.begin);
      HalfspaceRow<D> halfspace{};
      halfspace.id = static_cast<std::int32_t>(id);
      T offset = halfspace_offset_[row];
      T size = std::abs(offset);
      for (int d = 0; d < D; ++d) {
        const T normal = halfspace_normal_(row, d);
        halfspace.normal[d] = static_cast<float>(normal);
        const T term = normal * origin[d];
        offset -= term;
        size += std::abs(term);
      }
      if constexpr (TileTree<D, T>::kHasExact) {
        offset += size * (4 * std::numeric_limits<T>::epsilon());
        const float rounded = static_cast<float>(offset);
        halfspace.offset = static_cast<double>(rounded) < offset
                               ? std::nextafter(rounded, std::numeric_limits<float>::infinity())
                               : rounded;
        for (int d = 0; d < D; ++d) list.exact.push_back(halfspace_normal_(row, d));
        list.exact.push_back(halfspace_offset_[row]);
      } else {
        halfspace.offset = offset;
      }
      list.rows.push_back(halfspace);
    }
  }

  void walk_halfspaces(Walker<D, T>& walker, const WorldScratch<D, T>& scratch,
                       const TileTree<D, T>& tree) const {
    walker.walk(tree, scratch.halfspaces.rows.data(), scratch.halfspaces.exact.data(),
                scratch.halfspaces.rows.size());
  }

  const BroadTable<D, T>& kernels_;
  BoxSource<D, T> boxes_;
  UnboundedIds unbounded_;
  const ColumnSpan<T, D>& halfspace_normal_;
  const ColumnSpan<T>& halfspace_offset_;
  bool is_periodic_;
  WorldMask world_mask_;
  bool keeps_order_;
  PairSequence sequence_;
  Column<Pair>& pairs_;
  State& state_;
  Crew crew_;
  std::size_t bounded_count_;
  const WorldRange* shared_range_ = nullptr;
};

}  // namespace

template <int D, class T>
void begin_pairs(PairWorkspace<D, T>& workspace, std::size_t max_pairs) {
  workspace.state().cap.start(max_pairs);
}
template <int D, class T>
void end_pairs(PairWorkspace<D, T>& workspace, Column<Pair>& pairs) {
  workspace.state().cap.require(pairs);
}

template <int D, class T>
void find_more_pairs(const BoundsSpan<D, T>& bounds, UnboundedIds unbounded,
                     const ColumnSpan<T, D>& halfspace_normal,
                     const ColumnSpan<T>& halfspace_offset, const FilterSpan& filters,
                     const Domain<D, T>& domain, Column<Pair>& pairs,
                     PairWorkspace<D, T>& workspace, const PairOptions& options,
                     PairSequence sequence) {
  require_threads(options.threads);
  check_count(bounds);
  const std::size_t count = bounds.size();
  auto& state = workspace.state();
  state.filter.set(filters, count);
  pairs.clear();
  if (count == 0) return;
  PairFinder<D, T> finder(bounds, unbounded, halfspace_normal, halfspace_offset, domain,
                          filters.world_mask, pairs, state, options, sequence);
  finder.find(filters.world, count, domain);
}

template <int D, class T>
void find_scene_pairs(const BoundsSpan<D, T>& bounds, UnboundedIds unbounded,
                      const ColumnSpan<T, D>& halfspace_normal,
                      const ColumnSpan<T>& halfspace_offset, const FilterSpan& filters,
                      const Domain<D, T>& domain, Column<Pair>& pairs,
                      PairWorkspace<D, T>& workspace, const PairOptions& options,
                      PairSequence sequence) {
  begin_pairs(workspace, options.max_pairs);
  find_more_pairs(bounds, unbounded, halfspace_normal, halfspace_offset, filters, domain, pairs,
                  workspace, options, sequence);
  end_pairs(workspace, pairs);
}

template <int D, class T>
void find_pairs(const BoundsSpan<D, T>& bounds, const FilterSpan& filters,
                const Domain<D, T>& domain, Column<Pair>& pairs, PairWorkspace<D, T>& workspace,
                const PairOptions& options) {
  find_scene_pairs<D, T>(bounds, {}, {}, {}, filters, domain, pairs, workspace, options);
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                               \
  template class PairWorkspace<D, T>;                                                             \
  template void begin_pairs(PairWorkspace<D, T>&, std::size_t);                                   \
  template void end_pairs(PairWorkspace<D, T>&, Column<Pair>&);                                   \
  template void find_more_pairs<D, T>(const BoundsSpan<D, T>&, UnboundedIds,                      \
                                      const ColumnSpan<T, D>&, const ColumnSpan<T>&,              \
                                      const FilterSpan&, const Domain<D, T>&, Column<Pair>&,      \
                                      PairWorkspace<D, T>&, const PairOptions&, PairSequence);    \
  template void find_scene_pairs<D, T>(const BoundsSpan<D, T>&, UnboundedIds,                     \
                                       const ColumnSpan<T, D>&, const ColumnSpan<T>&,             \
                                       const FilterSpan&, const Domain<D, T>&, Column<Pair>&,     \
                                       PairWorkspace<D, T>&, const PairOptions&, PairSequence);   \
  template void find_pairs<D, T>(const BoundsSpan<D, T>&, const FilterSpan&, const Domain<D, T>&, \
                                 Column<Pair>&, PairWorkspace<D, T>&, const PairOptions&);
WIDEPHASE_FOR_EACH_SPACE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
