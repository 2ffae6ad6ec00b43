#include <widephase/nearest.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "pipeline/broad/asked_trees.hpp"
#include "pipeline/broad/curve_order.hpp"
#include "pipeline/broad/nearest_pairs.hpp"
#include "pipeline/broad/pair_workspace.hpp"
#include "pipeline/narrow/pair_distances.hpp"
#include "pipeline/narrow/workspace.hpp"
#include "soa/hasher.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

namespace {

/// Points of a piece, which one thread takes at a time.
constexpr std::size_t kPointsAPiece = 1024;
/// The candidates that a thread finds before they are measured: these stay in its second cache.
constexpr std::size_t kPairsABlock = 16384;

// --- What the caller gives ---

template <int D, class T>
void check_call(const typename StaticScene<D, T>::State& kept,
                const ColumnSpan<PositionOf<T>, D>& points, std::size_t k, SizeOf<T> max_distance,
                const FilterSpan& filters, const CollideOptions& options) {
  require_threads(options.threads);
  refuse_warm_starts(options, "nearest_shapes");
  refuse_steadiness(options, "nearest_shapes");
  refuse_patches(options, "nearest_shapes");
  CollideOptions own = options;
  own.world_mask = {};
  refuse_world_choice(own, "nearest_shapes");
  require_address("world_mask", options.world_mask);
  require_address("world_mask", filters.world_mask);
  if (!options.world_mask.empty() && !filters.world_mask.empty()) {
    throw Error(Finding{"world_mask", -1,
                        "is given by the options and by the filters; leave one of them empty"});
  }
  if (kept.domain.is_periodic()) {
    throw Error(Finding{"domain", -1,
                        "is periodic; nearest_shapes knows no images, so keep a scene that does "
                        "not wrap"});
  }
  require_layout("points", points);
  require_filters(filters, points.size(), "point");
  const std::size_t most_rows = std::numeric_limits<std::int32_t>::max();
  if (k < 1 || k > most_rows || (!points.empty() && k > most_rows / points.size())) {
    throw Error(Finding{"k", -1,
                        "is " + number(k) + " for " + number(points.size()) +
                            " points; it must be 1 or more, and both together below 2^31"});
  }
  if (!(max_distance >= 0)) {
    throw Error(
        Finding{"max_distance", -1, "is " + number(max_distance) + "; it must be a number >= 0"});
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int axis = 0; axis < D; ++axis) {
      if (std::isfinite(points(i, axis))) continue;
      throw Error(Finding{
          "points", static_cast<std::int64_t>(i),
          "is " + number(points(i, axis)) + " along axis " + number(axis) + "; it must be finite"});
    }
  }
}

/// Points as shapes.
template <int D, class T>
SceneSpan<D, T> as_spheres(const StaticScene<D, T>& kept,
                           const ColumnSpan<PositionOf<T>, D>& points) {
  static constexpr SizeOf<T> kNoRadius = 0;
  SceneSpan<D, T> scene;
  auto& balls = [&]() -> auto& {
    if constexpr (D == 2) {
      return scene.circles;
    } else {
      return scene.spheres;
    }
  }
  ();
  balls.center = points;
  balls.radius = ColumnSpan<SizeOf<T>>::repeated(&kNoRadius, points.size());
  scene.domain = kept.state().domain;
  scene.kept = &kept;
  return scene;
}

// --- Order and pieces ---

/// The rows of the points, world by world, in each along a Hilbert curve.
template <int D, class T>
void sort_points(const ColumnSpan<PositionOf<T>, D>& points,
                 const BroadTable<D, PositionOf<T>>& broad, const Crew& crew,
                 typename Workspace<D, T>::State& state) {
  using P = PositionOf<T>;
  RayScratch<D, T>& asked = state.rays;
  NearestScratch<D, T>& scratch = state.nearest;
  BuildScratch<D, P>& build = state.pair_workspace.state().scratch_of(0).build;
  BoxSource<D, P> all{};
  for (int k = 0; k < D; ++k) all.min[k] = all.max[k] = points.plane(k);
  all.min_stride = all.max_stride = points.stride();
  scratch.order.resize_uninitialized(points.size());
  for (const WorldRange& range : asked.groups.ranges()) {
    const BoxSource<D, P> source = asked.groups.template source_of<D, P>(range, all);
    const std::size_t count = range.end - range.begin;
    std::int32_t* const order = scratch.order.plane() + range.begin;
    const auto row_of = [&](std::size_t place) {
      return source.ids == nullptr ? source.first + static_cast<std::int32_t>(place)
                                   : source.ids[place];
    };
    if (count <= kPacketPoints) {
      for (std::size_t i = 0; i < count; ++i) order[i] = row_of(i);
      continue;
    }
    order_along_curve<D, P>(source, count, broad, crew, build, scratch.frame_of, order);
  }
}

template <int D, class T>
void cut_pieces(RayScratch<D, T>& asked) {
  asked.pieces.clear();
  const std::vector<WorldRange>& ranges = asked.groups.ranges();
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    for (std::size_t begin = ranges[r].begin; begin < ranges[r].end; begin += kPointsAPiece) {
      asked.pieces.push_back({r, begin, std::min(ranges[r].end, begin + kPointsAPiece)});
    }
  }
}

// --- Candidates ---

template <int D, class T>
NearestJob<D, PositionOf<T>> job_of(const typename StaticScene<D, T>::State& kept,
                                    const ColumnSpan<PositionOf<T>, D>& points, std::size_t k,
                                    SizeOf<T> max_distance) {
  using P = PositionOf<T>;
  const SceneRows<D, T>& rows = kept.rows;
  const auto scene_size = static_cast<std::size_t>(rows.layout.shape_count());
  NearestJob<D, P> job{};
  job.first_of_kind = rows.layout.first.data();
  for (int axis = 0; axis < D; ++axis) {
    job.point[axis] = {points.plane(axis), points.stride()};
    // The boxes of a float tree are those of the shapes.
    if (sizeof(P) == 4) continue;
    job.box_min[axis] = rows.bounds.min.plane(axis);
    job.box_max[axis] = rows.bounds.max.plane(axis);
  }
  job.grown = static_cast<P>(kept.margin);
  SizeOf<T> widest = 0;
  for (const SizeOf<T> margin : rows.margin) widest = std::max(widest, margin);
  job.grown += static_cast<P>(widest);
  job.slack = static_cast<P>(kDistanceSlack<SizeOf<T>>);
  job.has_inner_edges = D == 2 && rows.polygon_library().has_any_inner;
  job.k = static_cast<std::int64_t>(std::clamp<std::size_t>(scene_size, 1, k));
  job.most = static_cast<P>(max_distance);
  job.is_scattered = scene_size > 2 * points.size();
  return job;
}

/// Finds the candidates of a piece's next points: as many as there is room for, but at least some.
template <int D, class T>
void find_candidates(const NearestTable<D, PositionOf<T>>& table, NearestJob<D, PositionOf<T>> job,
                     const RayScratch<D, T>& asked, const RayPiece& piece,
                     const Column<std::int32_t>& order, NearBlock<PositionOf<T>>& block) {
  const RayWorld& world = asked.worlds[piece.range];
  job.trees = asked.trees.data() + world.first_tree;
  job.tree_count = static_cast<std::int32_t>(world.tree_count);
  job.halfspaces = asked.halfspaces.data() + world.first_halfspace;
  job.halfspace_count = static_cast<std::int32_t>(world.halfspace_count);
  job.order = order.plane() + piece.begin;
  job.count = static_cast<std::int64_t>(piece.end - piece.begin);
  block.bounds.resize_uninitialized(static_cast<std::size_t>(job.k) * kPacketPoints);
  block.pair_count.resize_uninitialized(kPointsAPiece);
  job.bounds = block.bounds.plane();
  job.pair_count = block.pair_count.plane();
  for (std::size_t room = std::max(kPairsABlock, block.pairs.size());; room *= 2) {
    block.found.resize_uninitialized(room);
    block.least.resize_uninitialized(room * kPacketPoints);
    block.pairs.resize_uninitialized(room);
    job.found = block.found.plane();
    job.least = block.least.plane();
    job.found_room = room;
    job.pairs = block.pairs.plane();
    job.pair_room = room;
    block.done = table.find(job);
    if (block.done.points != 0) return;
  }
}

// --- Answers ---

template <int D, class T>
void put_none(NearestHits<D, T>& hits, std::size_t row) {
  hits.shape[row] = -1;
  hits.distance[row] = std::numeric_limits<SizeOf<T>>::max();
  for (int k = 0; k < D; ++k) {
    hits.normal(row, k) = 0;
    hits.point(row, k) = 0;
  }
}

/// Fetches the memory that a row is written to. Points in the curve's order have rows anywhere.
template <int D, class T>
void fetch_row(NearestHits<D, T>& hits, std::size_t row) {
  __builtin_prefetch(&hits.shape[row], 1);
  __builtin_prefetch(&hits.distance[row], 1);
  for (int k = 0; k < D; ++k) {
    __builtin_prefetch(hits.normal.plane(k) + row, 1);
    __builtin_prefetch(hits.point.plane(k) + row, 1);
  }
}

/// The record of a point with no shape near it.
template <int D, class T>
constexpr NearRecord<D, T> kNoneNear{{}, std::numeric_limits<SizeOf<T>>::max(), {}, -1};

/// Writes the columns from the records. A record is one place in memory to go to, a row of the
/// columns one per column.
template <int D, class T>
void put_records(const Column<NearRecord<D, T>>& records, const Crew& crew,
                 NearestHits<D, T>& hits) {
  const std::size_t chunks = crew.chunk_count(records.size(), kBoxGrain);
  crew.run_ranges(records.size(), chunks, 1, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const NearRecord<D, T>& record = records[row];
      hits.shape[row] = record.shape;
      hits.distance[row] = record.distance;
      for (int k = 0; k < D; ++k) {
        hits.normal(row, k) = record.normal[k];
        hits.point(row, k) = record.point[k];
      }
    }
  });
}

/// Writes the rows of the points that a block has measured, or their records.
template <int D, class T>
void put_nearest(NearestScratch<D, T>& scratch, const RayPiece& piece, SizeOf<T> max_distance,
                 NearBlock<PositionOf<T>>& block, NearestHits<D, T>& hits) {
  constexpr std::size_t kAhead = 8;
  const DistanceBuffer<D, T>& measured = scratch.distances;
  const auto is_nearer = [&](std::size_t left, std::size_t right) {
    const SizeOf<T> of_left = measured.distance[block.first_pair + left],
                    of_right = measured.distance[block.first_pair + right];
    if (of_left != of_right) return of_left < of_right;
    return block.pairs[left].a < block.pairs[right].a;
  };
  const auto row_of = [&](std::size_t i) {
    return static_cast<std::size_t>(scratch.order[piece.begin + i]) * hits.k;
  };
  const auto put = [&](std::size_t row, std::size_t n) {
    const std::size_t at = block.first_pair + n;
    hits.shape[row] = block.pairs[n].a;
    hits.distance[row] = measured.distance[at];
    for (int k = 0; k < D; ++k) {
      hits.normal(row, k) = measured.normal(at, k);
      hits.point(row, k) = measured.point_a(at, k);
    }
  };
  const auto record_of = [&](std::size_t n) {
    const std::size_t at = block.first_pair + n;
    NearRecord<D, T> record;
    record.shape = block.pairs[n].a;
    record.distance = measured.distance[at];
    for (int k = 0; k < D; ++k) {
      record.normal[k] = measured.normal(at, k);
      record.point[k] = measured.point_a(at, k);
    }
    return record;
  };
  const auto points = static_cast<std::size_t>(block.done.points);
  std::size_t first = 0;
  for (std::size_t i = 0; i < points; ++i) {
    const std::size_t end = first + static_cast<std::size_t>(block.pair_count[i]);
    std::size_t row = row_of(i);
    if (hits.k == 1) {
      if (i + kAhead < points) __builtin_prefetch(&scratch.records[row_of(i + kAhead)], 1);
      std::size_t nearest = first;
      for (std::size_t n = first + 1; n < end; ++n) nearest = is_nearer(n, nearest) ? n : nearest;
      const bool is_found =
          first < end && measured.distance[block.first_pair + nearest] <= max_distance;
      scratch.records[row] = is_found ? record_of(nearest) : kNoneNear<D, T>;
      first = end;
      continue;
    }
    if (i + kAhead < points) fetch_row(hits, row_of(i + kAhead));
    std::vector<std::size_t>& order = block.order;
    order.clear();
    for (; first < end; ++first) {
      if (measured.distance[block.first_pair + first] <= max_distance) order.push_back(first);
    }
    const std::size_t kept = std::min(order.size(), hits.k);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                      is_nearer);
    for (std::size_t n = 0; n < kept; ++n, ++row) put(row, order[n]);
    for (std::size_t n = kept; n < hits.k; ++n, ++row) put_none(hits, row);
  }
}

template <int D, class T>
void find_nearest(const StaticScene<D, T>& scene, const ColumnSpan<PositionOf<T>, D>& points,
                  SizeOf<T> max_distance, const FilterSpan& filters, NearestHits<D, T>& hits,
                  typename Workspace<D, T>::State& state, const CollideOptions& options) {
  using P = PositionOf<T>;
  const auto& kept = scene.state();
  const std::size_t count = points.size();
  RayScratch<D, T>& asked = state.rays;
  NearestScratch<D, T>& scratch = state.nearest;
  const Threads& threads = options.threads;
  const Isa isa = chosen_isa(options.isa);
  const SceneSpan<D, T> spheres = as_spheres(scene, points);
  CollideOptions plain = options;
  plain.margin = 0;
  update_rows<D, T>(spheres, plain, Bounds::unwanted, state);
  const bool has_filter = set_filter<D, T>(kept, filters, count, asked);
  const WorldMask mask(filters.world_mask);
  mask.require(kept.world_count - 1);  // points of world -1 ask them all
  const Crew crew = crew_of(threads, count);
  asked.groups.group(crew, filters.world, mask, count, {}, asked.group);
  const BroadTable<D, P>& broad = kernel_table<D, P>(isa).broad;
  find_worlds<D, T>(kept, mask, broad, state.pair_workspace.state().scratch_of(0).build, asked);
  sort_points<D, T>(points, broad, crew, state);
  cut_pieces(asked);
  resize_scratch(scratch.records, hits.k == 1 ? count : 0);
  for (std::size_t i = 0; i < count && !mask.is_empty(); ++i) {
    if (mask.has(filters.world.empty() ? 0 : filters.world[i])) continue;
    if (hits.k == 1) {
      scratch.records[i] = kNoneNear<D, T>;
    } else {
      for (std::size_t n = 0; n < hits.k; ++n) put_none(hits, i * hits.k + n);
    }
  }

  NearestJob<D, P> job = job_of<D, T>(kept, points, hits.k, max_distance);
  if (has_filter) {
    job.may_meet = &may_meet_kept;
    job.filter = &asked.filter;
  }
  const KernelTable<D, SizeOf<T>>& kernels = kernel_table<D, SizeOf<T>>(isa);
  const NearestTable<D, P>& table = nearest_table<D, P>(isa);
  SceneRows<D, T>& rows = state.asked_rows();
  if (options.method == Method::gjk_epa) rows.require_outlines();
  const std::size_t most = 2 * static_cast<std::size_t>(thread_count(threads));
  if (scratch.blocks.size() < most) scratch.blocks.resize(most);
  scratch.active.clear();
  for (std::size_t next = 0; next < asked.pieces.size() || !scratch.active.empty();) {
    while (scratch.active.size() < most && next < asked.pieces.size()) {
      scratch.active.push_back(next++);
    }
    const std::size_t active = scratch.active.size();
    for_chunks(threads, active, [&](std::size_t n) {
      find_candidates<D, T>(table, job, asked, asked.pieces[scratch.active[n]], scratch.order,
                            scratch.blocks[n]);
    });
    std::size_t pairs = 0;
    for (std::size_t n = 0; n < active; ++n) {
      scratch.blocks[n].first_pair = pairs;
      pairs += scratch.blocks[n].done.pairs;
    }
    resize_scratch(scratch.pairs, pairs);
    for_chunks(threads, active, [&](std::size_t n) {
      const NearBlock<P>& block = scratch.blocks[n];
      for (std::size_t i = 0; i < block.done.pairs; ++i) {
        const Pair pair = block.pairs[i];
        scratch.pairs[block.first_pair + i] = {state.joined_scenes.of_kept(pair.a),
                                               state.joined_scenes.of_moving(pair.b)};
      }
    });
    const std::span<const Pair> candidates{scratch.pairs.plane(), pairs};
    state.narrow.bucket(rows, candidates, false, kernels, threads);
    resize_uninitialized(scratch.distances, pairs);
    require_all_distances(
        state.narrow.find_distances(distance_inputs<D, T>(spheres, options, kernels, rows), threads,
                                    scratch.distances, state.stats),
        pairs);
    for_chunks(threads, active, [&](std::size_t n) {
      put_nearest<D, T>(scratch, asked.pieces[scratch.active[n]], max_distance, scratch.blocks[n],
                        hits);
    });
    std::size_t left = 0;
    for (std::size_t n = 0; n < active; ++n) {
      RayPiece& piece = asked.pieces[scratch.active[n]];
      piece.begin += static_cast<std::size_t>(scratch.blocks[n].done.points);
      if (piece.begin != piece.end) scratch.active[left++] = scratch.active[n];
    }
    scratch.active.resize_uninitialized(left);
  }
  if (hits.k == 1) put_records(scratch.records, crew, hits);
}

// --- Overlaps ---

/// Tests a few pairs of each moving shape, then more of those without a contact: most that overlap
/// something show it early.
template <int D, class T>
void test_in_rounds(typename Workspace<D, T>::State& state, const SceneRows<D, T>& rows,
                    const Domain<D, PositionOf<T>>& domain, const CollideOptions& options,
                    std::span<std::uint8_t> is_overlap) {
  const KernelTable<D, SizeOf<T>>& table = kernel_table<D, SizeOf<T>>(chosen_isa(options.isa));
  NearestScratch<D, T>& scratch = state.nearest;
  const std::span<const Pair> by_rows = state.found_pairs();
  const auto moving_of = [&](std::size_t i) {
    return static_cast<std::size_t>(std::min(state.pairs[i].a, state.pairs[i].b));
  };
  // The memory that nearest shapes use for other lists of these types.
  Column<std::size_t>& open = scratch.active;
  // Pairs of each moving shape in this round, or that it overlaps something.
  Column<std::int32_t>& taken = scratch.order;
  constexpr std::int32_t kOverlaps = -1;
  open.resize_uninitialized(by_rows.size());
  std::iota(open.plane(), open.plane() + open.size(), std::size_t{0});
  taken.resize_uninitialized(is_overlap.size());
  std::fill_n(taken.plane(), taken.size(), 0);
  std::size_t* const begin = open.plane();
  std::size_t* end = begin + open.size();
  for (std::int64_t most = kPairsAFirstRound; begin != end; most *= 4) {
    const auto middle =
        std::partition(begin, end, [&](std::size_t i) { return taken[moving_of(i)]++ < most; });
    const auto count = static_cast<std::size_t>(middle - begin);
    scratch.pairs.resize_uninitialized(count);
    scratch.is_contact.resize_uninitialized(count);
    for (std::size_t n = 0; n < count; ++n) scratch.pairs[n] = by_rows[begin[n]];
    state.narrow.bucket(rows, {scratch.pairs.plane(), count}, true, table, options.threads);
    state.narrow.test({rows, domain, options.margin, options.method, table, {}}, options.threads,
                      {scratch.is_contact.plane(), count});
    for (std::size_t n = 0; n < count; ++n) {
      if (scratch.is_contact[n] != 0) taken[moving_of(begin[n])] = kOverlaps;
    }
    const auto left = std::remove_if(
        middle, end, [&](std::size_t i) { return taken[moving_of(i)] == kOverlaps; });
    end = std::copy(middle, left, begin);
    for (std::size_t i = 0; i < taken.size(); ++i) {
      if (taken[i] != kOverlaps) taken[i] = 0;
    }
  }
  for (std::size_t i = 0; i < taken.size(); ++i) is_overlap[i] = taken[i] == kOverlaps ? 1 : 0;
}

}  // namespace

template <int D, class T>
void nearest_shapes(const StaticScene<D, T>& kept,
                    const std::type_identity_t<ColumnSpan<PositionOf<T>, D>>& points, std::size_t k,
                    SizeOf<T> max_distance, const FilterSpan& filters, NearestHits<D, T>& hits,
                    Workspace<D, T>& workspace, const CollideOptions& options) {
  hits.clear();
  check_call<D, T>(kept.state(), points, k, max_distance, filters, options);
  FilterSpan wanted = filters;
  if (wanted.world_mask.empty()) wanted.world_mask = options.world_mask;
  CollideOptions own = options;
  own.world_mask = {};
  try {
    resize_together(points.size() * k, hits.shape, hits.distance, hits.normal, hits.point);
    hits.k = k;
    find_nearest<D, T>(kept, points, max_distance, wanted, hits, workspace.state(), own);
  } catch (...) {
    hits.clear();
    throw;
  }
}

template <int D, class T>
void any_overlap(SceneArgument<D, T> moving, const StaticScene<D, T>& kept,
                 std::span<std::uint8_t> is_overlap, Workspace<D, T>& workspace,
                 const CollideOptions& options) {
  refuse_warm_starts(options, "any_overlap");
  refuse_steadiness(options, "any_overlap");
  refuse_patches(options, "any_overlap");
  require_address("is_overlap", is_overlap);
  SceneSpan<D, T> both = moving;
  both.kept = &kept;
  CollideOptions across = options;
  across.moving_pairs = false;
  const std::int32_t count = layout_of(moving).shape_count();
  if (is_overlap.size() != static_cast<std::size_t>(count)) {
    throw Error(
        Finding{"is_overlap", -1,
                "has " + number(is_overlap.size()) + " entries for " + number(count) + " shapes"});
  }
  update_bounds<D, T>(both, workspace, across);
  auto& state = workspace.state();
  find_pairs<D, T>(both, state, across, PairSequence::free);
  SceneRows<D, T>& rows = state.asked_rows();
  if (across.method == Method::gjk_epa) rows.require_outlines();
  test_in_rounds<D, T>(state, rows, both.domain, across, is_overlap);
}

template <int D, class T>
std::uint64_t hash(const NearestHits<D, T>& hits) {
  Hasher hasher;
  hasher.add_column(hits.shape);
  hasher.add_column(hits.distance);
  hasher.add_column(hits.normal);
  hasher.add_column(hits.point);
  return hasher.value();
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                            \
  template void nearest_shapes(const StaticScene<D, T>&,                                       \
                               const std::type_identity_t<ColumnSpan<PositionOf<T>, D>>&,      \
                               std::size_t, SizeOf<T>, const FilterSpan&, NearestHits<D, T>&,  \
                               Workspace<D, T>&, const CollideOptions&);                       \
  template void any_overlap(SceneArgument<D, T>, const StaticScene<D, T>&,                     \
                            std::span<std::uint8_t>, Workspace<D, T>&, const CollideOptions&); \
  template std::uint64_t hash(const NearestHits<D, T>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
