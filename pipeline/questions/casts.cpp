#include <widephase/casts.hpp>

#include "pipeline/broad/asked_trees.hpp"
#include "pipeline/broad/pair_workspace.hpp"
#include "pipeline/questions/cast_answers.hpp"
#include "pipeline/questions/shape_cast_checks.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

namespace {

/// What one thread takes at a time.
constexpr std::size_t kPairsATask = 256;
constexpr std::size_t kShapesATask = 128;

/// Throws `Error` for a pair of kinds that have no casts.
void require_castable(const SceneLayout& layout, std::span<const Pair> pairs, int dimension) {
  for (std::size_t row = 0; row < pairs.size(); ++row) {
    const Kind a = layout.kind_of(pairs[row].a), b = layout.kind_of(pairs[row].b);
    if (can_be_cast(a, b, dimension)) continue;
    throw Error(Finding{"pairs", static_cast<std::int64_t>(row),
                        "names a " + std::string(kind_name(a, dimension)) + " and a " +
                            std::string(kind_name(b, dimension)) +
                            ", which are never cast at each other; leave such pairs out"});
  }
}

// --- Pairs ---

template <int D, class T>
void answer_pairs(const SceneSpan<D, T>& scene, std::span<const Pair> pairs,
                  const CastOutputs<D, T>& to, typename Workspace<D, T>::State& state) {
  const ShapeCastOptions& options = to.options;
  const std::size_t count = pairs.size();
  CollideOptions plain = options;
  plain.margin = 0;
  update_rows<D, T>(scene, plain, Bounds::unwanted, state);
  const SceneRows<D, T>& rows = state.asked_rows();
  const Isa isa = chosen_isa(options.isa);
  const std::span<const Pair> by_rows = row_pairs<D, T>(scene, pairs, state, plain);
  // It checks them too.
  state.narrow.bucket(rows, by_rows, false, kernel_table<D, SizeOf<T>>(isa), options.threads);
  require_castable(rows.layout, by_rows, D);
  for (std::size_t i = 0; i < count; ++i) {
    std::optional<Finding> wrong = wrong_way<D, SizeOf<T>>(to.direction, to.max_t, i);
    if (wrong) throw Error(std::move(*wrong));
  }
  CastScratch<D, T>& scratch = state.casts;
  resize_hits(to.hits, count, options.wants_normals, has_surfaces(rows.layout));
  scratch.found.resize(count);
  const RayShapes<D, T> shapes = shapes_of_rows<D, T>(rows);
  CastPairJob<D, T> job{};
  job.ways = ways_of<D, T>(shapes, to.direction, to.max_t, options);
  job.pairs = by_rows.data();
  job.found = scratch.found.data();
  const CastTable<D, T>& table = cast_table<D, T>(isa);
  for_chunks(options.threads, (count + kPairsATask - 1) / kPairsATask, [&](std::size_t task) {
    CastPairJob<D, T> own = job;
    own.first = static_cast<std::int64_t>(task * kPairsATask);
    own.count = static_cast<std::int64_t>(std::min(kPairsATask, count - task * kPairsATask));
    table.cast_pairs(own);
  });
  const auto is_start = [&](std::size_t i) {
    return scratch.found[i].status == CastStatus::started_inside;
  };
  if (options.start_overlap == StartOverlap::leave_apart) {
    scratch.rows.clear();
    scratch.pairs.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_start(i)) continue;
      scratch.rows.push_back(static_cast<std::int32_t>(i));
      scratch.pairs.push_back(by_rows[i]);
    }
    require_all_distances(
        measure<D, T>(scene, rows, scratch.pairs, plain, state, scratch.distances),
        scratch.pairs.size());
    for (std::size_t n = 0; n < scratch.rows.size(); ++n) {
      const auto row = static_cast<std::size_t>(scratch.rows[n]);
      if (is_apart(scratch.distances, n, to.direction, row)) put_nothing(scratch.found[row]);
    }
  } else if (options.start_overlap == StartOverlap::pass) {
    for (std::size_t i = 0; i < count; ++i) {
      if (is_start(i)) put_nothing(scratch.found[i]);
    }
  }
  write_hits<D, T>(
      to, scene, rows, [&](std::size_t row) { return by_rows[row]; }, state);
  for (std::size_t i = 0; i < count; ++i) {
    if (to.hits.shape[i] >= 0) to.hits.shape[i] = pairs[i].a;
  }
}

// --- Scenes ---

bool may_meet_joined(const void* filter, std::int32_t kept, std::int32_t moving) {
  Pair pair = {std::min(kept, moving), std::max(kept, moving)};
  return static_cast<const PairFilter*>(filter)->keep(&pair, 1) == 1;
}

/// Makes the mask of worlds that are answered: those of the rows, without those of wrong ways.
template <int D, class T>
void choose_worlds(const SceneRows<D, T>& moving, const CastOutputs<D, T>& to,
                   Column<std::uint8_t>& mask) {
  const std::span<std::uint8_t> status = to.options.world_status;
  mask.resize_uninitialized(moving.world_mask.size());
  std::copy_n(moving.world_mask.plane(), mask.size(), mask.plane());
  const auto count = static_cast<std::size_t>(moving.layout.shape_count());
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t world = moving.world_of(static_cast<std::int32_t>(i));
    if (!moving.is_world_answered(world)) continue;
    std::optional<Finding> wrong = wrong_way<D, SizeOf<T>>(to.direction, to.max_t, i);
    if (!wrong) continue;
    if (mask.empty()) {
      mask.resize_uninitialized(status.size());
      std::fill_n(mask.plane(), mask.size(), std::uint8_t{1});
    }
    leave_out_world(world, std::move(*wrong), mask, status);
  }
}

template <int D, class T>
bool has_filter(const SceneSpan<D, T>& scene, const SceneRows<D, T>& moving,
                const SceneRows<D, T>& kept) {
  return !moving.category.empty() || !moving.mask.empty() || !kept.category.empty() ||
         !kept.mask.empty() || !moving.fixed.empty() || !scene.excluded.empty() ||
         (!moving.owner.empty() && !kept.owner.empty());
}

/// Takes, for each moving shape, the lowest of those that overlap it at the start and do not let it
/// leave.
template <int D, class T>
void take_starts(const SceneSpan<D, T>& scene, const CastOutputs<D, T>& to,
                 typename Workspace<D, T>::State& state) {
  CastScratch<D, T>& scratch = state.casts;
  scratch.pairs.clear();
  for (const CastStarts& of_task : scratch.starts) {
    for (std::size_t n = 0; n < of_task.count; ++n) {
      const Pair pair = of_task.pairs[n];
      const Pair joined{state.joined_scenes.of_kept(pair.a), state.joined_scenes.of_moving(pair.b)};
      scratch.pairs.push_back(joined);
    }
  }
  require_all_distances(
      measure<D, T>(scene, state.asked_rows(), scratch.pairs, to.options, state, scratch.distances),
      scratch.pairs.size());
  std::size_t at = 0;
  for (const CastStarts& of_task : scratch.starts) {
    for (std::size_t n = 0; n < of_task.count; ++n, ++at) {
      const Pair pair = of_task.pairs[n];
      const auto row = static_cast<std::size_t>(pair.b);
      if (is_apart(scratch.distances, at, to.direction, row)) continue;
      CastFound& found = scratch.found[row];
      if (found.status == CastStatus::started_inside && found.shape <= pair.a) continue;
      put_nothing(found);
      found.shape = pair.a;
      found.status = CastStatus::started_inside;
      found.t = 0;
    }
  }
}

template <int D, class T>
void answer_shapes(const SceneSpan<D, T>& moving, const StaticScene<D, T>& kept_scene,
                   const CastOutputs<D, T>& to, typename Workspace<D, T>::State& state) {
  using P = PositionOf<T>;
  const ShapeCastOptions& options = to.options;
  const auto& kept = kept_scene.state();
  SceneSpan<D, T> scene = moving;
  scene.kept = &kept_scene;
  CollideOptions plain = options;
  plain.margin = 0;
  update_rows<D, T>(scene, plain, Bounds::wanted, state);
  const SceneRows<D, T>& rows = state.asked_rows();
  CastScratch<D, T>& scratch = state.casts;
  RayScratch<D, T>& asked = state.rays;
  const auto count = static_cast<std::size_t>(state.rows.layout.shape_count());
  const Isa isa = chosen_isa(options.isa);
  choose_worlds<D, T>(state.rows, to, scratch.world_mask);
  const WorldMask mask(
      std::span<const std::uint8_t>(scratch.world_mask.plane(), scratch.world_mask.size()));
  const Crew crew = crew_of(options.threads, count);
  asked.groups.group(crew, state.rows.world, mask, count, {}, asked.group);
  const BroadTable<D, P>& broad = kernel_table<D, P>(isa).broad;
  find_worlds<D, T>(kept, mask, broad, state.pair_workspace.state().scratch_of(0).build, asked);
  asked.pieces.clear();
  const std::vector<WorldRange>& ranges = asked.groups.ranges();
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    for (std::size_t begin = ranges[r].begin; begin < ranges[r].end; begin += kShapesATask) {
      asked.pieces.push_back({r, begin, std::min(ranges[r].end, begin + kShapesATask)});
    }
  }

  resize_hits(to.hits, count, options.wants_normals, has_surfaces(kept.rows.layout));
  CastFound nothing{};
  put_nothing(nothing);
  scratch.found.assign(count, nothing);
  const RayShapes<D, T> shapes = shapes_of_rows<D, T>(rows);
  CastSceneJob<D, T> job{};
  job.ways = ways_of<D, T>(shapes, to.direction, to.max_t, options);
  std::array<std::int32_t, kKindCount> shift_kept{}, shift_moving{};
  for (std::size_t k = 0; k < kKindCount; ++k) {
    const Kind kind = static_cast<Kind>(k);
    const std::int32_t of_moving = state.rows.layout.first[k], of_kept = kept.rows.layout.first[k];
    if (state.rows.layout.count(kind) > 0) {
      shift_moving[k] = state.joined_scenes.of_moving(of_moving) - of_moving;
    }
    if (kept.rows.layout.count(kind) > 0) {
      shift_kept[k] = state.joined_scenes.of_kept(of_kept) - of_kept;
    }
  }
  job.first_kept = kept.rows.layout.first.data();
  job.first_moving = state.rows.layout.first.data();
  job.shift_kept = shift_kept.data();
  job.shift_moving = shift_moving.data();
  if (has_filter<D, T>(scene, state.rows, kept.rows)) {
    const FilterSpan filters = state.joined_scenes.require_filters(scene, state.rows, kept, true);
    scratch.filter.set(filters, static_cast<std::size_t>(rows.layout.shape_count()));
    job.may_meet = &may_meet_joined;
    job.filter = &scratch.filter;
  }
  job.has_starts = options.start_overlap == StartOverlap::report;
  job.found = scratch.found.data();
  const bool lists_starts = options.start_overlap == StartOverlap::leave_apart;
  const CastTable<D, T>& table = cast_table<D, T>(isa);
  if (scratch.starts.size() < asked.pieces.size()) scratch.starts.resize(asked.pieces.size());
  for (CastStarts& of_task : scratch.starts) of_task.count = 0;
  for_chunks(options.threads, asked.pieces.size(), [&](std::size_t task) {
    const RayPiece& piece = asked.pieces[task];
    const WorldRange& range = ranges[piece.range];
    const RayWorld& world = asked.worlds[piece.range];
    const BoxSource<D, float> places = asked.groups.template source_of<D, float>(range, {});
    CastSceneJob<D, T> own = job;
    own.trees = asked.trees.data() + world.first_tree;
    own.tree_count = static_cast<std::int32_t>(world.tree_count);
    own.halfspaces = asked.halfspaces.data() + world.first_halfspace;
    own.halfspace_count = static_cast<std::int32_t>(world.halfspace_count);
    CastStarts& starts = scratch.starts[task];
    if (lists_starts && starts.pairs.empty()) starts.pairs.resize(2 * kShapesATask);
    for (std::size_t begin = piece.begin; begin < piece.end;) {
      const std::size_t from = begin - range.begin;
      own.order = places.ids == nullptr ? nullptr : places.ids + from;
      own.first = places.first + static_cast<std::int64_t>(from);
      own.count = static_cast<std::int64_t>(piece.end - begin);
      if (lists_starts) {
        own.starts = starts.pairs.plane() + starts.count;
        own.room = static_cast<std::int64_t>(starts.pairs.size() - starts.count);
      }
      const CastDone done = table.cast_scene(own);
      begin += static_cast<std::size_t>(done.shapes);
      starts.count += static_cast<std::size_t>(done.starts);
      if (begin < piece.end) {
        starts.pairs.resize(2 * starts.pairs.size());
      }
    }
  });
  if (lists_starts) take_starts<D, T>(scene, to, state);
  write_hits<D, T>(
      to, scene, rows,
      [&](std::size_t row) {
        return Pair{state.joined_scenes.of_kept(scratch.found[row].shape),
                    state.joined_scenes.of_moving(static_cast<std::int32_t>(row))};
      },
      state);
}

}  // namespace

template <int D, class T>
void cast_pairs(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                const std::type_identity_t<ColumnSpan<SizeOf<T>, D>>& direction,
                const std::type_identity_t<ColumnSpan<SizeOf<T>>>& max_t, CastHits<D, T>& hits,
                Workspace<D, T>& workspace, const ShapeCastOptions& options) {
  hits.clear();
  check_shape_cast(options, scene.domain.is_periodic(), "cast_pairs");
  refuse_world_choice(options, "cast_pairs");
  check_ways<D, T>(direction, max_t, pairs.size(), "pair");
  try {
    answer_pairs<D, T>(scene, pairs, {direction, max_t, options, hits}, workspace.state());
  } catch (...) {
    hits.clear();
    throw;
  }
}

template <int D, class T>
void cast_shapes(SceneArgument<D, T> moving,
                 const std::type_identity_t<ColumnSpan<SizeOf<T>, D>>& direction,
                 const std::type_identity_t<ColumnSpan<SizeOf<T>>>& max_t,
                 const StaticScene<D, T>& kept, CastHits<D, T>& hits, Workspace<D, T>& workspace,
                 const ShapeCastOptions& options) {
  hits.clear();
  check_shape_cast(options, moving.domain.is_periodic() || kept.state().domain.is_periodic(),
                   "cast_shapes");
  require_address("world_mask", options.world_mask);
  require_address("world_status", options.world_status);
  const SceneLayout layout = layout_of(moving);
  check_ways<D, T>(direction, max_t, static_cast<std::size_t>(layout.shape_count()),
                   "moving shape");
  if (has_surfaces(layout)) {
    throw Error("cast_shapes moves convex shapes; cast surfaces as B of cast_pairs");
  }
  try {
    answer_shapes<D, T>(moving, kept, {direction, max_t, options, hits}, workspace.state());
  } catch (...) {
    hits.clear();
    throw;
  }
}

template <int D, class T>
std::uint64_t hash(const CastHits<D, T>& hits) {
  Hasher hasher;
  add_hits(hasher, hits);
  hasher.add_column(hits.depth);
  if (!hits.part.empty()) hasher.add_column(hits.part);
  return hasher.value();
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                             \
  template void cast_pairs(SceneArgument<D, T>, std::span<const Pair>,                          \
                           const std::type_identity_t<ColumnSpan<SizeOf<T>, D>>&,               \
                           const std::type_identity_t<ColumnSpan<SizeOf<T>>>&, CastHits<D, T>&, \
                           Workspace<D, T>&, const ShapeCastOptions&);                          \
  template void cast_shapes(                                                                    \
      SceneArgument<D, T>, const std::type_identity_t<ColumnSpan<SizeOf<T>, D>>&,               \
      const std::type_identity_t<ColumnSpan<SizeOf<T>>>&, const StaticScene<D, T>&,             \
      CastHits<D, T>&, Workspace<D, T>&, const ShapeCastOptions&);                              \
  template std::uint64_t hash(const CastHits<D, T>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
