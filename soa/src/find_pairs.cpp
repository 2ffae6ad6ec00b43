#include "find_pairs.hpp"

#include <cmath>
#include <memory>

#include "periodic.hpp"
#include "table.hpp"
#include "tile_walk.hpp"

namespace widephase {
namespace {

/// Worlds from this size on get all threads one after another; smaller ones are dealt out whole.
constexpr std::size_t kLargeWorld = 50000;

/// Shapes and halfspaces of one world: places [begin, split) and [split, end) of the ids in the
/// order of worlds.
struct WorldRange {
  std::int32_t world;
  std::size_t begin;
  std::size_t split;
  std::size_t end;
  std::size_t box_count() const { return split - begin; }
};

template <int D, class T>
struct HalfspaceList {
  std::vector<HalfspaceRow<D>> rows;
  std::vector<T> exact;  ///< normal and offset, double only

  void clear() {
    rows.clear();
    exact.clear();
  }
  std::size_t bytes() const {
    return rows.capacity() * sizeof(HalfspaceRow<D>) + exact.capacity() * sizeof(T);
  }
};

/// What one thread needs to find the pairs of one world after another.
template <int D, class T>
struct WorldScratch {
  TileTree<D, T> tree;
  TileTree<D, T> framed;  ///< `tree` in the frame of world -1's, double only
  TileTree<D, T> ghost_tree;
  Ghosts<D, T> ghosts;
  HalfspaceList<D, T> halfspaces;
  BuildScratch<D, T> build;
  WalkScratch walk;
  Column<Pair> pairs;

  std::size_t bytes() const {
    return tree.bytes() + framed.bytes() + ghost_tree.bytes() + ghosts.bytes() +
           halfspaces.bytes() + build.bytes() + walk.bytes() + pairs.bytes();
  }
};

}  // namespace

template <int D, class T>
struct PairWorkspace<D, T>::State {
  PairFilter filter;
  PeriodicBoxes<D, T> periodic;
  std::vector<WorldRange> worlds;
  Column<std::uint64_t> world_records;
  Column<std::uint64_t> world_swap;
  Column<std::uint32_t> counters;
  Column<std::int32_t> ids;
  std::vector<std::unique_ptr<WorldScratch<D, T>>> scratch;
  TileTree<D, T> shared_tree;
  std::vector<std::size_t> cuts;

  WorldScratch<D, T>& scratch_of(std::size_t chunk) {
    while (scratch.size() <= chunk) scratch.push_back(std::make_unique<WorldScratch<D, T>>());
    return *scratch[chunk];
  }
  std::size_t bytes() const {
    std::size_t sum = filter.bytes() + periodic.bytes() + world_records.bytes() +
                      world_swap.bytes() + counters.bytes() + ids.bytes() + shared_tree.bytes();
    for (const auto& one : scratch) sum += one->bytes();
    return sum;
  }
};

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

  PairFinder(const BoundsSpan<D, T>& bounds, std::int32_t first_halfspace,
             const ColumnSpan<T, D>& halfspace_normal, const ColumnSpan<T>& halfspace_offset,
             const Domain<D, T>& domain, Column<Pair>& pairs, State& state,
             const PairOptions& options)
      : kernels_(kernel_table<D, T>(chosen_isa(options.isa)).broad),
        first_halfspace_(static_cast<std::size_t>(first_halfspace)),
        halfspace_normal_(halfspace_normal),
        halfspace_offset_(halfspace_offset),
        is_periodic_(domain.is_periodic()),
        pairs_(pairs),
        state_(state) {
    for (int d = 0; d < D; ++d) {
      boxes_.min[d] = bounds.min.plane(d);
      boxes_.max[d] = bounds.max.plane(d);
    }
    boxes_.min_stride = bounds.min.stride();
    boxes_.max_stride = bounds.max.stride();
    crew_.threads = &options.threads;
    // Not asked for where there would be one chunk anyway: the answer may wake a thread pool.
    crew_.size = bounds.size() < 2 * kBoxGrain ? 1 : thread_count(options.threads);
  }

  void find(const ColumnSpan<std::int32_t>& world, std::size_t count, const Domain<D, T>& domain) {
    if (is_periodic_) {
      state_.periodic.wrap(crew_, boxes_, first_halfspace_, domain);
      boxes_ = state_.periodic.source();
    }
    group_by_world(world, count);
    std::size_t next = 0;
    if (state_.worlds[0].world == -1) {
      shared_range_ = &state_.worlds[0];
      find_in_world(*shared_range_, crew_, state_.scratch_of(0), state_.shared_tree, pairs_);
      next = 1;
    }
    while (next < state_.worlds.size()) next = find_in_some_worlds(next);
  }

 private:
  // --- worlds ---

  void group_by_world(const ColumnSpan<std::int32_t>& world, std::size_t count) {
    state_.worlds.clear();
    if (world.empty()) {
      state_.worlds.push_back({0, 0, first_halfspace_, count});
      return;
    }
    std::int32_t largest = world[0];
    bool is_grouped = true;
    for (std::size_t i = 0, before = 0; i < count; before = i++) {
      const std::int32_t of_box = world[i];
      if (of_box < -1) {
        throw Error(Finding{
            "world", static_cast<std::int64_t>(i),
            "is " + std::to_string(of_box) + "; a world must be -1 (meets every world) or more"});
      }
      is_grouped &= world[before] <= of_box;
      largest = of_box > largest ? of_box : largest;
    }
    if (is_grouped) {
      add_ranges(count, [&](std::size_t i) { return world[i]; });
      return;
    }
    state_.world_records.resize_uninitialized(count);
    state_.world_swap.resize_uninitialized(count);
    state_.ids.resize_uninitialized(count);
    std::uint64_t* const records = state_.world_records.plane();
    for (std::size_t i = 0; i < count; ++i) {
      records[i] = static_cast<std::uint64_t>(static_cast<std::uint32_t>(world[i] + 1)) << 32 | i;
    }
    const int bits = std::bit_width(static_cast<std::uint32_t>(largest) + 1);
    const std::uint64_t* const sorted =
        radix_sort(crew_, records, state_.world_swap.plane(), count, 32, bits, state_.counters);
    for (std::size_t i = 0; i < count; ++i) {
      state_.ids[i] = static_cast<std::int32_t>(sorted[i] & 0xFFFFFFFFu);
    }
    ids_ = state_.ids.plane();
    add_ranges(count,
               [&](std::size_t i) { return static_cast<std::int32_t>(sorted[i] >> 32) - 1; });
  }

  /// Ids ascend within a world, so its halfspaces come last.
  template <class WorldAt>
  void add_ranges(std::size_t count, const WorldAt& world_at) {
    std::size_t begin = 0;
    std::size_t halfspaces = 0;
    for (std::size_t i = 0; i < count; ++i) {
      halfspaces += id_at(i) >= first_halfspace_ ? 1 : 0;
      if (i + 1 < count && world_at(i + 1) == world_at(begin)) continue;
      state_.worlds.push_back({world_at(begin), begin, i + 1 - halfspaces, i + 1});
      begin = i + 1;
      halfspaces = 0;
    }
  }

  std::size_t id_at(std::size_t place) const {
    return ids_ == nullptr ? place : static_cast<std::size_t>(ids_[place]);
  }

  BoxSource<D, T> source_of(const WorldRange& range) const {
    BoxSource<D, T> source = boxes_;
    source.ids = ids_ == nullptr ? nullptr : ids_ + range.begin;
    source.first = ids_ == nullptr ? static_cast<std::int32_t>(range.begin) : 0;
    return source;
  }

  /// One large world, or all up to the next large one; returns the next to do.
  std::size_t find_in_some_worlds(std::size_t first) {
    const std::vector<WorldRange>& worlds = state_.worlds;
    if (crew_.size == 1) {
      for (; first < worlds.size(); ++first) find_alone(worlds[first], crew_);
      return first;
    }
    std::size_t last = first;
    while (last < worlds.size() && worlds[last].box_count() < kLargeWorld) ++last;
    if (last - first < 2) {
      find_alone(worlds[first], crew_);
      return first + 1;
    }
    deal_out(first, last);
    return last;
  }

  void find_alone(const WorldRange& range, const Crew& crew) {
    WorldScratch<D, T>& scratch = state_.scratch_of(0);
    find_in_world(range, crew, scratch, scratch.tree, pairs_);
  }

  /// Chunks of whole worlds, each on one thread, put together in order.
  void deal_out(std::size_t first, std::size_t last) {
    const std::vector<WorldRange>& worlds = state_.worlds;
    const std::size_t begin = worlds[first].begin;
    const std::size_t count = worlds[last - 1].end - begin;
    const std::size_t chunks = std::min(crew_.chunk_count(count, kBoxGrain), last - first);
    state_.cuts.assign(chunks + 1, last);
    state_.cuts[0] = first;
    std::size_t next = first;
    for (std::size_t chunk = 1; chunk < chunks; ++chunk) {
      while (next < last && worlds[next].begin - begin < count * chunk / chunks) ++next;
      state_.cuts[chunk] = next;
    }
    state_.scratch_of(chunks - 1);
    crew_.run(chunks, [&](std::size_t chunk) {
      WorldScratch<D, T>& scratch = *state_.scratch[chunk];
      scratch.pairs.clear();
      for (std::size_t w = state_.cuts[chunk]; w < state_.cuts[chunk + 1]; ++w) {
        find_in_world(worlds[w], Crew{}, scratch, scratch.tree, scratch.pairs);
      }
    });
    const std::size_t before = pairs_.size();
    std::size_t total = before;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      state_.cuts[chunk] = total;
      total += state_.scratch[chunk]->pairs.size();
    }
    resize_scratch(pairs_, total);
    crew_.run(chunks, [&](std::size_t chunk) {
      const Column<Pair>& part = state_.scratch[chunk]->pairs;
      std::copy_n(part.plane(), part.size(), pairs_.plane() + state_.cuts[chunk]);
    });
  }

  // --- one world ---

  void find_in_world(const WorldRange& range, const Crew& crew, WorldScratch<D, T>& scratch,
                     TileTree<D, T>& tree, Column<Pair>& pairs) {
    const bool is_shared = range.world == -1;
    const BoxSource<D, T> source = source_of(range);
    const std::size_t count = range.box_count();
    TreeBuilder<D, T> builder(kernels_, crew, scratch.build);
    Walker<D, T> walker(kernels_, crew, scratch.walk, state_.filter, pairs);
    builder.build(tree, source, count);
    walker.walk(tree);

    const TileTree<D, T>& shared = state_.shared_tree;
    const bool meets_shared =
        !is_shared && shared_range_ != nullptr && shared_range_->box_count() != 0 && count != 0;
    const TileTree<D, T>* framed = &tree;
    if (meets_shared) {
      if constexpr (TileTree<D, T>::kHasExact) {
        builder.build(scratch.framed, source, count, shared.origin);
        framed = &scratch.framed;
      }
      walker.walk(shared, *framed);
    }
    if (is_periodic_) {
      const Box<D, T> hull = hull_of(source, count);
      walk_ghosts(builder, walker, scratch, source, count, hull, tree);
      if (meets_shared) {
        const BoxSource<D, T> shared_source = source_of(*shared_range_);
        const std::size_t shared_count = shared_range_->box_count();
        walk_ghosts(builder, walker, scratch, source, count, hull_of(shared_source, shared_count),
                    shared);
        walk_ghosts(builder, walker, scratch, shared_source, shared_count, hull, *framed);
      }
    }
    if (first_halfspace_ == id_count()) return;
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

  void walk_ghosts(TreeBuilder<D, T>& builder, Walker<D, T>& walker, WorldScratch<D, T>& scratch,
                   const BoxSource<D, T>& source, std::size_t count, const Box<D, T>& region,
                   const TileTree<D, T>& others) {
    if (others.box_count == 0) return;
    scratch.ghosts.make(source, count, state_.periodic.period(), region);
    builder.build(scratch.ghost_tree, scratch.ghosts.source(), scratch.ghosts.ids.size(),
                  others.origin, scratch.ghosts.ids.plane());
    walker.walk(others, scratch.ghost_tree);
  }

  // --- halfspaces ---

  std::size_t id_count() const { return first_halfspace_ + halfspace_offset_.size(); }

  void add_halfspaces(const WorldRange& range, const T* origin, HalfspaceList<D, T>& list) const {
    for (std::size_t place = range.split; place < range.end; ++place) {
      const std::size_t id = id_at(place);
      const std::size_t row = id - first_halfspace_;
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
  Crew crew_;
  BoxSource<D, T> boxes_{};
  std::size_t first_halfspace_;
  const ColumnSpan<T, D>& halfspace_normal_;
  const ColumnSpan<T>& halfspace_offset_;
  bool is_periodic_;
  Column<Pair>& pairs_;
  State& state_;
  const std::int32_t* ids_ = nullptr;
  const WorldRange* shared_range_ = nullptr;
};

void check_count(std::size_t count, std::size_t min_count) {
  if (min_count != count) {
    throw Error(Finding{"max", -1,
                        "has " + std::to_string(count) + " rows and min " +
                            std::to_string(min_count) + "; give both one row a box"});
  }
  if (count > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw Error("there are more than 2147483647 boxes; split them into several calls");
  }
}

}  // namespace

template <int D, class T>
void find_scene_pairs(const BoundsSpan<D, T>& bounds, std::int32_t first_halfspace,
                      const ColumnSpan<T, D>& halfspace_normal,
                      const ColumnSpan<T>& halfspace_offset, const FilterSpan& filters,
                      const Domain<D, T>& domain, Column<Pair>& pairs,
                      PairWorkspace<D, T>& workspace, const PairOptions& options) {
  const std::size_t count = bounds.max.size();
  check_count(count, bounds.min.size());
  auto& state = workspace.state();
  state.filter.set(filters, count);
  pairs.clear();
  if (count == 0) return;
  PairFinder<D, T> finder(bounds, first_halfspace, halfspace_normal, halfspace_offset, domain,
                          pairs, state, options);
  finder.find(filters.world, count, domain);
}

template <int D, class T>
void find_pairs(const BoundsSpan<D, T>& bounds, const FilterSpan& filters,
                const Domain<D, T>& domain, Column<Pair>& pairs, PairWorkspace<D, T>& workspace,
                const PairOptions& options) {
  find_scene_pairs<D, T>(bounds, static_cast<std::int32_t>(bounds.size()), {}, {}, filters, domain,
                         pairs, workspace, options);
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                               \
  template class PairWorkspace<D, T>;                                                             \
  template void find_scene_pairs<D, T>(const BoundsSpan<D, T>&, std::int32_t,                     \
                                       const ColumnSpan<T, D>&, const ColumnSpan<T>&,             \
                                       const FilterSpan&, const Domain<D, T>&, Column<Pair>&,     \
                                       PairWorkspace<D, T>&, const PairOptions&);                 \
  template void find_pairs<D, T>(const BoundsSpan<D, T>&, const FilterSpan&, const Domain<D, T>&, \
                                 Column<Pair>&, PairWorkspace<D, T>&, const PairOptions&);
WIDEPHASE_INSTANTIATE(2, float)
WIDEPHASE_INSTANTIATE(2, double)
WIDEPHASE_INSTANTIATE(3, float)
WIDEPHASE_INSTANTIATE(3, double)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase
