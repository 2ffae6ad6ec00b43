#include "pipeline/broad/bounds_tree_state.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "kernels/table.hpp"
#include "pipeline/broad/find_pairs.hpp"
#include "pipeline/broad/pair_workspace.hpp"
#include "pipeline/broad/tree_builder.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"

namespace widephase {
namespace {

/// Two trees are walked in one frame (double only). A world takes that of the first world if it
/// keeps enough digits: up to this many times its own extent away, boxes of a 2^14th of the extent
/// are still distinct. The boxes asked about then need few frames.
constexpr double kFarthestFrame = 1024;

/// The box around boxes with finite sides.
template <int D, class T>
Box<D, T> finite_hull(const BoxSource<D, T>& source, std::size_t count) {
  Box<D, T> hull;
  for (int d = 0; d < D; ++d) {
    hull.min[d] = std::numeric_limits<T>::max();
    hull.max[d] = std::numeric_limits<T>::lowest();
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Box<D, T> box = box_of(source, i);
    if (!is_valid(box)) continue;
    for (int d = 0; d < D; ++d) {
      if (std::isfinite(box.min[d])) hull.min[d] = std::min(hull.min[d], box.min[d]);
      if (std::isfinite(box.max[d])) hull.max[d] = std::max(hull.max[d], box.max[d]);
    }
  }
  return hull;
}

template <int D, class T>
bool is_near(const Box<D, T>& hull, const T* origin) {
  T extent = 0;
  T farthest = 0;
  for (int d = 0; d < D; ++d) {
    extent = std::max(extent, hull.max[d] - hull.min[d]);
    farthest = std::max({farthest, origin[d] - hull.min[d], hull.max[d] - origin[d]});
  }
  return farthest <= static_cast<T>(kFarthestFrame) * extent;
}

}  // namespace

template <int D, class T>
BoundsTree<D, T>::BoundsTree() : state_(std::make_unique<State>()) {}
template <int D, class T>
BoundsTree<D, T>::~BoundsTree() = default;
template <int D, class T>
BoundsTree<D, T>::BoundsTree(BoundsTree&&) noexcept = default;
template <int D, class T>
BoundsTree<D, T>& BoundsTree<D, T>::operator=(BoundsTree&&) noexcept = default;
template <int D, class T>
std::size_t BoundsTree<D, T>::size() const {
  return state_->size;
}
template <int D, class T>
std::size_t BoundsTree<D, T>::bytes() const {
  return state_->bytes();
}

namespace {

template <int D, class T>
void check_tree_input(const BoundsSpan<D, T>& bounds, const FilterSpan& filters) {
  check_count(bounds);
  check_lengths(filters, bounds.size());
  const auto require_none = [](const char* array, std::size_t size) {
    if (size == 0) return;
    throw Error(
        Finding{array, -1,
                "has " + number(size) + " rows; a tree takes none, give them where it is asked"});
  };
  require_none("excluded", filters.excluded.size());
  require_none("excluded_owners", filters.excluded_owners.size());
  require_none("excluded_bodies", filters.excluded_bodies.size());
  require_none("world_mask", filters.world_mask.size());
}

/// Builds the tree of a range of `kept.groups`, from all boxes by their ids.
template <int D, class T>
void build_range(const BroadTable<D, T>& kernels, const Crew& crew, const BoxSource<D, T>& boxes,
                 const typename BoundsTree<D, T>::State& kept, std::size_t range,
                 BuildScratch<D, T>& scratch) {
  TreeBuilder<D, T> builder(kernels, crew, scratch);
  const WorldRange& world = kept.groups.ranges()[range];
  const BoxSource<D, T> source = kept.groups.source_of(world, boxes);
  const T* origin = nullptr;
  if constexpr (TileTree<D, T>::kHasExact) {
    const T* const first = kept.trees[0].origin;
    if (range != 0 && is_near(finite_hull(source, world.box_count()), first)) origin = first;
  }
  TileTree<D, T>& tree = kept.trees[range];
  tree.keeps_exact = TileTree<D, T>::kHasExact;
  const std::size_t count = world.box_count();
  if (!kept.orders.is_kept || count == 0) return builder.build(tree, source, count, origin);
  if (count >= kLeastKept) return builder.build(tree, source, count, kept.orders.large[range]);
  std::uint8_t& age = kept.orders.age[range];
  std::int32_t* const rows = kept.orders.rows.plane() + world.begin;
  if (age > 0 && age < kMostOrdered) {
    builder.build_in_order(tree, source, count, origin, rows);
    ++age;
  } else {
    builder.build_listed(tree, source, count, origin, rows);
    age = 1;
  }
}

/// Keeps the boxes for the trees that are made later.
template <int D, class T>
void keep_boxes(const Crew& crew, const BoxSource<D, T>& boxes, std::size_t count,
                typename BoundsTree<D, T>::State& kept) {
  const std::size_t ranges = kept.groups.ranges().size();
  kept.boxes.min.clear();
  kept.boxes.max.clear();
  kept.is_made.clear();
  bool has_late = false;
  for (std::size_t range = 0; range < ranges; ++range) has_late |= kept.is_late(range);
  if (!has_late) return;
  kept.is_made.assign(ranges, 0);
  resize_scratch(kept.boxes.min, count);
  resize_scratch(kept.boxes.max, count);
  crew.run_ranges(count, crew.chunk_count(count, kBoxGrain), 1,
                  [&](std::size_t, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) {
                      const Box<D, T> box = box_of(boxes, i);
                      for (int d = 0; d < D; ++d) {
                        kept.boxes.min(i, d) = box.min[d];
                        kept.boxes.max(i, d) = box.max[d];
                      }
                    }
                  });
}

/// Builds one tree per world, except those that are made later; `boxes` are those of
/// `kept.groups`.
template <int D, class T>
void build_worlds(const BroadTable<D, T>& kernels, const Crew& crew, const BoxSource<D, T>& boxes,
                  typename BoundsTree<D, T>::State& kept,
                  typename PairWorkspace<D, T>::State& state) {
  const std::vector<WorldRange>& worlds = kept.groups.ranges();
  if (kept.trees.size() < worlds.size()) kept.trees.resize(worlds.size());
  const auto build = [&](std::size_t w, const Crew& threads, WorldScratch<D, T>& scratch) {
    if (kept.is_late(w)) return;
    build_range<D, T>(kernels, threads, boxes, kept, w, scratch.build);
  };
  const auto alone = [&](std::size_t w, const Crew& all) { build(w, all, state.scratch_of(0)); };
  const auto dealt = [&](const std::vector<std::size_t>& cuts) {
    const std::size_t chunks = cuts.size() - 1;
    state.scratch_of(chunks - 1);
    crew.run(chunks, [&](std::size_t chunk) {
      for (std::size_t w = cuts[chunk]; w < cuts[chunk + 1]; ++w) {
        build(w, Crew{}, *state.scratch[chunk]);
      }
    });
  };
  if (worlds.empty()) return;
  // The other trees depend on where the first one lies.
  alone(0, crew);
  visit_worlds(crew, worlds, 1, state.cuts, alone, dealt);
}

}  // namespace

/// On one thread: a pool's thread that waits here might take another question's work, which would
/// wait for this one.
template <int D, class T>
const TileTree<D, T>& tree_of_range(const BroadTable<D, T>& kernels,
                                    const typename BoundsTree<D, T>::State& kept, std::size_t range,
                                    BuildScratch<D, T>& scratch) {
  if (!kept.is_late(range)) return kept.trees[range];
  const std::atomic_ref is_made(kept.is_made[range]);
  if (is_made.load(std::memory_order_acquire) != 0) return kept.trees[range];
  const std::lock_guard lock(kept.mutex);
  if (is_made.load(std::memory_order_relaxed) == 0) {
    const BoundsSpan<D, T> boxes = kept.boxes;
    build_range<D, T>(kernels, Crew{}, box_source(boxes), kept, range, scratch);
    is_made.store(1, std::memory_order_release);
  }
  return kept.trees[range];
}

template <int D, class T>
void build_scene_tree(const BoundsSpan<D, T>& bounds, UnboundedIds unbounded,
                      const FilterSpan& filters, const Domain<D, T>& domain, BoundsTree<D, T>& tree,
                      PairWorkspace<D, T>& workspace, const PairOptions& options) {
  auto& kept = tree.state();
  auto& state = workspace.state();
  kept.size = 0;
  require_threads(options.threads);
  check_tree_input<D, T>(bounds, filters);
  const std::size_t count = bounds.size();
  const Crew crew = crew_of(options.threads, count);
  const BroadTable<D, T>& kernels = kernel_table<D, T>(chosen_isa(options.isa)).broad;
  BoxSource<D, T> boxes = box_source(bounds);
  kept.domain = domain;
  if (domain.is_periodic()) {
    boxes = state.periodic.wrap(crew, boxes, count, unbounded, domain);
    std::copy_n(state.periodic.widest(), D, kept.widest);
  }
  kept.groups.group(crew, filters.world, WorldMask({}), count, unbounded, state.group);
  kept.groups.keep_boxes();
  kept.hull = empty_hull<D, T>();
  for (const WorldRange& range : kept.groups.ranges()) {
    if (!domain.is_periodic()) break;
    widen(kept.hull, hull_of(crew, kept.groups.source_of(range, boxes), range.box_count(),
                             state.scratch_of(0).hulls));
  }
  kept.orders.begin(options.keeps_order, kept.groups.ranges());
  kept.filters.copy(filters);
  keep_boxes<D, T>(crew, boxes, count, kept);
  build_worlds<D, T>(kernels, crew, boxes, kept, state);
  kept.size = count;
}

template <int D, class T>
void build_tree(BoundsArgument<D, T> bounds, const FilterSpan& filters, const Domain<D, T>& domain,
                BoundsTree<D, T>& tree, PairWorkspace<D, T>& workspace,
                const PairOptions& options) {
  PairOptions plain = options;
  plain.keeps_order = false;
  build_scene_tree<D, T>(bounds, {}, filters, domain, tree, workspace, plain);
}

namespace {

/// The boxes of one world that are asked about, in the frame of the tree of a world that they meet.
template <int D, class T>
class AskedWorld {
 public:
  /// `period`: null unless the domain is periodic; then images that reach into `region` meet too.
  AskedWorld(const BroadTable<D, T>& kernels, const Crew& crew, const BoxSource<D, T>& source,
             std::size_t count, const double* period, const Box<D, T>& region,
             PairSequence sequence, WorldScratch<D, T>& scratch)
      : crew_(crew),
        builder_(kernels, crew, scratch.build),
        source_(source),
        count_(count),
        period_(period),
        region_(region),
        sequence_(sequence),
        scratch_(scratch) {}

  void meet(const TileTree<D, T>& kept, Walker<D, T>& walker) {
    if (!is_built_ || !std::equal(kept.origin, kept.origin + D, scratch_.tree.origin)) {
      build_for(kept);
    }
    walker.walk_sets(kept, scratch_.tree);
    if (period_ != nullptr) walker.walk_sets(kept, scratch_.ghost_tree);
  }

 private:
  void build_for(const TileTree<D, T>& kept) {
    builder_.build(scratch_.tree, source_, count_, sequence_, nullptr, kept.origin);
    if (period_ != nullptr) {
      Ghosts<D, T>& ghosts = scratch_.ghosts;
      if (!is_built_) ghosts.make(crew_, source_, count_, period_, region_, Images::all);
      builder_.build(scratch_.ghost_tree, ghosts.source(), ghosts.ids.size(), kept.origin,
                     ghosts.ids.plane());
    }
    is_built_ = true;
  }

  const Crew& crew_;
  TreeBuilder<D, T> builder_;
  BoxSource<D, T> source_;
  std::size_t count_;
  const double* period_;
  const Box<D, T>& region_;
  PairSequence sequence_;
  WorldScratch<D, T>& scratch_;
  bool is_built_ = false;
};

}  // namespace

template <int D, class T>
void find_more_pairs(const BoundsTree<D, T>& tree, const BoundsSpan<D, T>& boxes,
                     const FilterSpan& filters, Column<Pair>& pairs, PairWorkspace<D, T>& workspace,
                     const PairOptions& options, PairSequence sequence) {
  const auto& kept = tree.state();
  auto& state = workspace.state();
  require_threads(options.threads);
  check_count(boxes);
  const std::size_t count = boxes.size();
  state.filter.set(kept.filters.span(), kept.size, filters, count);
  pairs.clear();
  const Crew crew = crew_of(options.threads, kept.size + count);
  BoxSource<D, T> asked = box_source(boxes);
  const bool is_periodic = kept.domain.is_periodic();
  const bool has_boxes = kept.size != 0 && !kept.groups.ranges().empty();
  if (is_periodic && has_boxes && count != 0) {
    asked = state.periodic.wrap(crew, asked, count, {}, kept.domain);
    state.periodic.require_room(kept.widest);
  }
  const WorldMask mask(filters.world_mask);
  state.groups.group(crew, filters.world, mask, count, {}, state.group);
  if (!has_boxes) return;
  mask.require(kept.groups.ranges().back().world);

  const BroadTable<D, T>& kernels = kernel_table<D, T>(chosen_isa(options.isa)).broad;
  const double* const period = is_periodic ? state.periodic.period() : nullptr;
  const auto find = [&](const WorldRange& range, const Crew& threads, WorldScratch<D, T>& scratch,
                        Column<Pair>& found) {
    if (state.cap.has_ended()) return;
    Walker<D, T> walker(kernels, threads, scratch.walk, state.filter, state.cap, found);
    AskedWorld<D, T> world(kernels, threads, state.groups.source_of(range, asked),
                           range.box_count(), period, kept.hull, sequence, scratch);
    if (range.world == -1) {
      for (std::size_t w = 0; w < kept.groups.ranges().size(); ++w) {
        if (!mask.has(kept.groups.ranges()[w].world)) continue;
        world.meet(tree_of_range<D, T>(kernels, kept, w, scratch.build), walker);
      }
      return;
    }
    for (const std::int32_t of_tree : {-1, range.world}) {
      const std::size_t met = kept.range_of(of_tree);
      if (met == kept.groups.ranges().size()) continue;
      world.meet(tree_of_range<D, T>(kernels, kept, met, scratch.build), walker);
    }
  };
  find_in_worlds<D, T>(state, crew, 0, pairs, find);
}

template <int D, class T>
void find_pairs(const BoundsTree<D, T>& tree, BoundsArgument<D, T> boxes, const FilterSpan& filters,
                Column<Pair>& pairs, PairWorkspace<D, T>& workspace, const PairOptions& options) {
  begin_pairs(workspace, options.max_pairs);
  find_more_pairs<D, T>(tree, boxes, filters, pairs, workspace, options);
  end_pairs(workspace, pairs);
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                                \
  template class BoundsTree<D, T>;                                                                 \
  template const TileTree<D, T>& tree_of_range<D, T>(                                              \
      const BroadTable<D, T>&, const BoundsTree<D, T>::State&, std::size_t, BuildScratch<D, T>&);  \
  template void build_scene_tree<D, T>(const BoundsSpan<D, T>&, UnboundedIds, const FilterSpan&,   \
                                       const Domain<D, T>&, BoundsTree<D, T>&,                     \
                                       PairWorkspace<D, T>&, const PairOptions&);                  \
  template void build_tree<D, T>(BoundsArgument<D, T>, const FilterSpan&, const Domain<D, T>&,     \
                                 BoundsTree<D, T>&, PairWorkspace<D, T>&, const PairOptions&);     \
  template void find_more_pairs<D, T>(const BoundsTree<D, T>&, const BoundsSpan<D, T>&,            \
                                      const FilterSpan&, Column<Pair>&, PairWorkspace<D, T>&,      \
                                      const PairOptions&, PairSequence);                           \
  template void find_pairs<D, T>(const BoundsTree<D, T>&, BoundsArgument<D, T>, const FilterSpan&, \
                                 Column<Pair>&, PairWorkspace<D, T>&, const PairOptions&);
WIDEPHASE_FOR_EACH_SPACE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
