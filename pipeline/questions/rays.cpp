#include <widephase/rays.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "pipeline/broad/asked_trees.hpp"
#include "pipeline/broad/curve_order.hpp"
#include "pipeline/broad/pair_workspace.hpp"
#include "pipeline/narrow/workspace.hpp"
#include "pipeline/questions/asked_shapes.hpp"
#include "pipeline/questions/way_checks.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/number_text.hpp"
#include "soa/resize_together.hpp"

namespace widephase {

namespace {

/// Rays that one thread takes at a time.
constexpr std::size_t kRaysATask = 1024;
/// Looking fields over pays if they have no more samples per ray: it takes half a nanosecond each.
constexpr std::size_t kSamplesARay = 32;
/// Sorting pays for so many rays of one world that lie apart, among so many shapes: their tree is
/// larger than the second cache.
constexpr std::size_t kLeastSorted = 4096, kLeastShapes = 16384;

// --- What the caller gives ---

template <int D, class T>
void check_columns(const RaySpan<D, T>& rays) {
  require_layout("origin", rays.origin);
  require_layout("direction", rays.direction);
  require_layout("max_t", rays.max_t);
  const std::size_t count = rays.size();
  require_rows("direction", rays.direction.size(), count, "ray", false);
  require_rows("max_t", rays.max_t.size(), count, "ray", true);
  require_filters(rays.filters, count, "ray");
}

/// What is wrong with a ray.
template <int D, class T>
std::optional<Finding> wrong_ray(const RaySpan<D, T>& rays, std::size_t row) {
  using S = SizeOf<T>;
  const auto finding = [&](const char* array, std::string message) {
    return Finding{array, static_cast<std::int64_t>(row), std::move(message)};
  };
  S square = 0;
  for (int k = 0; k < D; ++k) {
    const PositionOf<T> at = rays.origin(row, k);
    if (!std::isfinite(at)) {
      return finding("origin",
                     "is " + number(at) + " along axis " + number(k) + "; it must be finite");
    }
    square += rays.direction(row, k) * rays.direction(row, k);
  }
  using Limits = std::numeric_limits<S>;
  if (!(square >= Limits::min()) || !(square <= Limits::max())) {
    return finding("direction",
                   "must be finite and of a length whose square neither vanishes nor overflows, "
                   "about 1 at best");
  }
  if (rays.max_t.empty()) return {};
  return wrong_end(rays.max_t[row], row);
}

/// Whether all rays are right.
template <int D, class T>
bool are_right(const RaySpan<D, T>& rays, std::size_t begin, std::size_t end) {
  using S = SizeOf<T>;
  using Limits = std::numeric_limits<S>;
  bool is_right = true;
  for (std::size_t i = begin; i < end; ++i) {
    S square = 0;
    PositionOf<T> zero = 0;
    for (int k = 0; k < D; ++k) {
      square += rays.direction(i, k) * rays.direction(i, k);
      const PositionOf<T> at = rays.origin(i, k);
      zero += at - at;
    }
    is_right = is_right && square >= Limits::min() && square <= Limits::max() && zero == 0;
  }
  for (std::size_t i = begin; !rays.max_t.empty() && i < end; ++i) {
    const S most = rays.max_t[i];
    is_right = is_right && most >= 0 && most <= Limits::max();
  }
  return is_right;
}

std::int32_t world_of_ray(const FilterSpan& filters, std::size_t row) {
  return filters.world.empty() ? 0 : filters.world[row];
}

/// Checks all rays and makes the mask of worlds that are answered; empty if all are.
template <int D, class T>
void choose_worlds(const RaySpan<D, T>& rays, std::int32_t kept_worlds, const CastOptions& options,
                   Column<std::uint8_t>& mask) {
  mask.clear();
  const std::size_t count = rays.size();
  const FilterSpan& filters = rays.filters;
  if (!options.world_mask.empty() && !filters.world_mask.empty()) {
    throw Error(Finding{"world_mask", -1,
                        "is given by the options and by the filters; leave one of them empty"});
  }
  const std::span<const std::uint8_t> given =
      options.world_mask.empty() ? filters.world_mask : options.world_mask;
  require_address("world_mask", given);
  require_address("world_status", options.world_status);
  std::atomic<bool> is_right = true;
  for_chunks(options.threads, (count + kRaysATask - 1) / kRaysATask, [&](std::size_t chunk) {
    const std::size_t end = std::min(count, (chunk + 1) * kRaysATask);
    if (!are_right(rays, chunk * kRaysATask, end)) is_right.store(false, std::memory_order_relaxed);
  });
  if (given.empty() && options.world_status.empty()) {
    for (std::size_t i = 0; i < count && !is_right; ++i) {
      if (world_of_ray(filters, i) < -1) return;  // told by what groups them
      if (std::optional<Finding> wrong = wrong_ray(rays, i)) throw Error(std::move(*wrong));
    }
    return;
  }
  std::int32_t largest = kept_worlds - 1;
  for (std::size_t i = 0; i < count; ++i) {
    largest = std::max(largest, world_of_ray(filters, i));
  }
  const auto worlds = static_cast<std::size_t>(largest) + 1;
  if (!given.empty()) require_entry_a_world("world_mask", given.size(), worlds);
  if (!options.world_status.empty()) {
    require_entry_a_world("world_status", options.world_status.size(), worlds);
  }
  mask.resize_uninitialized(worlds);
  for (std::size_t w = 0; w < worlds; ++w) mask[w] = given.empty() || given[w] != 0 ? 1 : 0;
  const auto status = [](WorldStatus value) { return static_cast<std::uint8_t>(value); };
  for (std::size_t w = 0; w < options.world_status.size(); ++w) {
    const bool is_wanted = given.empty() || (w < given.size() && given[w] != 0);
    options.world_status[w] = status(is_wanted ? WorldStatus::answered : WorldStatus::left_out);
  }
  for (std::size_t i = 0; i < count && !is_right; ++i) {
    const std::int32_t world = world_of_ray(filters, i);
    if (world < -1) break;  // told by what groups them
    const bool is_answered = world < 0 || mask[static_cast<std::size_t>(world)] != 0;
    if (!is_answered) continue;
    std::optional<Finding> wrong = wrong_ray(rays, i);
    if (wrong) leave_out_world(world, std::move(*wrong), mask, options.world_status);
  }
}

// --- What rays meet ---

template <int D, class T>
RayShapes<D, T> shapes_of(const typename StaticScene<D, T>::State& kept) {
  RayShapes<D, T> shapes = shapes_of_rows<D, T>(kept.rows);
  // A float tree without a margin has the shapes' own boxes.
  const bool has_margin = kept.margin > 0;
  if (sizeof(PositionOf<T>) == 8 || has_margin) {
    const BoundsBuffer<D, PositionOf<T>>& own = has_margin ? kept.own_bounds : kept.rows.bounds;
    for (int k = 0; k < D; ++k) {
      shapes.box_min[k] = own.min.plane(k);
      shapes.box_max[k] = own.max.plane(k);
    }
  }
  return shapes;
}

/// Finds the tops of all fields' blocks; false, and none, where rays are too few to pay for it.
template <class T>
bool find_tops(const SceneRows<3, T>& rows, std::size_t ray_count, const Threads& threads,
               RayScratch<3, T>& scratch) {
  using S = SizeOf<T>;
  const auto& fields = rows.heightfield_library().fields;
  const auto blocks = [](std::int32_t samples) {
    return (samples - 1 + kFieldBlock - 1) / kFieldBlock;
  };
  std::size_t samples = 0, count = 0;
  for (const HeightfieldView<S>& field : fields) {
    samples += static_cast<std::size_t>(field.rows) * static_cast<std::size_t>(field.columns);
    count += static_cast<std::size_t>(blocks(field.rows)) *
             static_cast<std::size_t>(blocks(field.columns));
  }
  if (fields.empty() || samples / kSamplesARay > ray_count) return false;
  scratch.tops.resize_uninitialized(count);
  scratch.fields.clear();
  S* to = scratch.tops.plane();
  for (const HeightfieldView<S>& field : fields) {
    const std::int32_t block_columns = blocks(field.columns);
    scratch.fields.push_back({to, block_columns});
    const auto block_rows = static_cast<std::size_t>(blocks(field.rows));
    for_chunks(threads, block_rows, [&](std::size_t block_row) {
      S* const tops = to + static_cast<std::ptrdiff_t>(block_row) * block_columns;
      std::fill_n(tops, block_columns, -std::numeric_limits<S>::infinity());
      const std::int32_t first = static_cast<std::int32_t>(block_row) * kFieldBlock;
      const std::int32_t last = std::min(first + kFieldBlock, field.rows - 1);
      for (std::int32_t row = first; row <= last; ++row) {
        const S* const heights = field.heights + std::ptrdiff_t{row} * field.columns;
        for (std::int32_t block = 0; block < block_columns; ++block) {
          const std::int32_t begin = block * kFieldBlock;
          const std::int32_t end = std::min(begin + kFieldBlock, field.columns - 1);
          S top = tops[block];
          for (std::int32_t column = begin; column <= end; ++column) {
            top = heights[column] > top ? heights[column] : top;
          }
          tops[block] = top;
        }
      }
    });
    to += static_cast<std::ptrdiff_t>(block_rows) * block_columns;
  }
  return true;
}

/// Cuts the rays into pieces of one world, and these into tasks.
template <int D, class T>
void cut_tasks(RayScratch<D, T>& scratch) {
  scratch.pieces.clear();
  scratch.tasks.clear();
  std::size_t in_task = kRaysATask;
  const std::vector<WorldRange>& ranges = scratch.groups.ranges();
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    for (std::size_t begin = ranges[r].begin; begin < ranges[r].end;) {
      const std::size_t end = std::min(ranges[r].end, begin + kRaysATask);
      if (in_task + (end - begin) > kRaysATask) {
        scratch.tasks.push_back(scratch.pieces.size());
        in_task = 0;
      }
      in_task += end - begin;
      scratch.pieces.push_back({r, begin, end});
      begin = end;
    }
  }
  scratch.tasks.push_back(scratch.pieces.size());
  scratch.counts.assign(scratch.tasks.size() - 1, RayCounts{});
}

/// The octant of a ray's direction.
template <int D, class T>
struct Octant {
  static constexpr int bits = D;
  const ColumnSpan<SizeOf<T>, D>& direction;
  std::uint64_t operator()(std::int32_t row) const {
    std::uint64_t octant = 0;
    for (int k = 0; k < D; ++k) {
      octant |= std::uint64_t{direction(static_cast<std::size_t>(row), k) < 0} << k;
    }
    return octant;
  }
};

/// Whether rays that follow one another have little in common: most of a sample's neighbours start
/// far apart, by the extent of all starts.
template <int D, class T>
bool are_apart(const RaySpan<D, T>& rays, const BoxSource<D, PositionOf<T>>& source,
               std::size_t count) {
  using P = PositionOf<T>;
  constexpr std::size_t kSamples = 256, kPartsApart = 16;
  const auto row_of = [&](std::size_t place) {
    return static_cast<std::size_t>(source.ids == nullptr
                                        ? source.first + static_cast<std::int32_t>(place)
                                        : source.ids[place]);
  };
  const std::size_t step = count / kSamples;
  P extent = 0;
  for (int k = 0; k < D; ++k) {
    P least = rays.origin(row_of(0), k), most = least;
    for (std::size_t i = 0; i < count; i += step) {
      const P at = rays.origin(row_of(i), k);
      least = std::min(least, at);
      most = std::max(most, at);
    }
    extent = std::max(extent, most - least);
  }
  std::size_t apart = 0;
  for (std::size_t i = 0; i + 1 < count; i += step) {
    P way = 0;
    for (int k = 0; k < D; ++k) {
      way = std::max(way, std::abs(rays.origin(row_of(i + 1), k) - rays.origin(row_of(i), k)));
    }
    apart += way * P(kPartsApart) > extent ? 1 : 0;
  }
  return 2 * apart > kSamples;
}

/// Sorts the rays of worlds in which that pays; `order` is empty if there is none.
template <int D, class T>
void sort_rays(const RaySpan<D, T>& rays, const BroadTable<D, PositionOf<T>>& broad,
               const Crew& crew, BuildScratch<D, PositionOf<T>>& build, std::size_t shapes,
               RayScratch<D, T>& scratch) {
  using P = PositionOf<T>;
  scratch.order.clear();
  if (shapes < kLeastShapes) return;
  BoxSource<D, P> all{};
  for (int k = 0; k < D; ++k) all.min[k] = all.max[k] = rays.origin.plane(k);
  all.min_stride = all.max_stride = rays.origin.stride();
  for (const WorldRange& range : scratch.groups.ranges()) {
    const std::size_t count = range.end - range.begin;
    if (count < kLeastSorted) continue;
    const BoxSource<D, P> source = scratch.groups.template source_of<D, P>(range, all);
    if (!are_apart<D, T>(rays, source, count)) continue;
    if (scratch.order.empty()) {
      std::size_t places = 0;
      for (const WorldRange& of : scratch.groups.ranges()) places = std::max(places, of.end);
      scratch.order.resize_uninitialized(places);
      for (std::size_t i = 0; i < places; ++i) {
        scratch.order[i] = static_cast<std::int32_t>(scratch.groups.id_at(i));
      }
    }
    order_along_curve<D, P>(source, count, broad, crew, build, scratch.frame_of,
                            scratch.order.plane() + range.begin, Octant<D, T>{rays.direction});
  }
}

template <class N, int W>
void set_planes(const ColumnSpan<N, W>& column, Plane<N> (&planes)[W]) {
  for (int w = 0; w < W; ++w) planes[w] = {column.plane(w), column.stride()};
}

/// The answer of rays in worlds that are left out.
template <int D, class T>
void write_misses(const RayJob<D, T>& job, const RaySpan<D, T>& rays, const WorldMask& mask) {
  using S = SizeOf<T>;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (mask.has(world_of_ray(rays.filters, i))) continue;
    if (job.any != nullptr) {
      job.any[i] = 0;
      continue;
    }
    job.shape[i] = -1;
    job.t[i] = std::numeric_limits<S>::max();
    if (!rays.max_t.empty() && rays.max_t[i] >= 0 && rays.max_t[i] < job.t[i]) {
      job.t[i] = rays.max_t[i];
    }
    job.status[i] = static_cast<std::uint8_t>(CastStatus::none);
    if (job.feature == nullptr) continue;
    job.feature[i] = 0;
    if (job.part != nullptr) job.part[i] = -1;
    for (int k = 0; k < D; ++k) {
      const PositionOf<T> at = rays.origin(i, k);
      job.normal[k][i] = 0;
      job.point[k][i] = std::isfinite(at) ? at : 0;
    }
  }
}

/// Answers all rays: what `job` says of the outputs.
template <int D, class T>
void cast(const StaticScene<D, T>& scene, const RaySpan<D, T>& rays, RayJob<D, T>& job,
          Workspace<D, T>& workspace, const CastOptions& options) {
  using P = PositionOf<T>;
  const auto& kept = scene.state();
  RayScratch<D, T>& scratch = workspace.state().rays;
  const std::size_t count = rays.size();
  const Isa isa = chosen_isa(options.isa);
  const bool has_filter = set_filter<D, T>(kept, rays.filters, count, scratch);
  choose_worlds<D, T>(rays, kept.world_count, options, scratch.world_mask);
  const WorldMask mask({scratch.world_mask.plane(), scratch.world_mask.size()});
  const Crew crew = crew_of(options.threads, count);
  scratch.groups.group(crew, rays.filters.world, mask, count, {}, scratch.group);
  const BroadTable<D, P>& broad = kernel_table<D, P>(isa).broad;
  BuildScratch<D, P>& build = workspace.state().pair_workspace.state().scratch_of(0).build;
  find_worlds<D, T>(kept, mask, broad, build, scratch);
  cut_tasks(scratch);
  sort_rays<D, T>(rays, broad, crew, build, scene.size(), scratch);

  RayShapes<D, T> shapes = shapes_of<D, T>(kept);
  if constexpr (D == 3) {
    if (find_tops<T>(kept.rows, count, options.threads, scratch)) {
      shapes.tops = scratch.fields.data();
    }
  }
  job.shapes = &shapes;
  set_planes(rays.origin, job.origin);
  set_planes(rays.direction, job.direction);
  if (!rays.max_t.empty()) job.max_t = {rays.max_t.plane(), rays.max_t.stride()};
  job.margin = static_cast<SizeOf<T>>(options.margin);
  job.inside = options.inside;
  job.path = scratch.path;
  if (has_filter) {
    job.may_meet = &may_meet_kept;
    job.filter = &scratch.filter;
  }
  if (!mask.is_empty()) write_misses<D, T>(job, rays, mask);
  const RayTable<D, T>& table = ray_table<D, T>(isa);
  for_chunks(options.threads, scratch.tasks.size() - 1, [&](std::size_t task) {
    for (std::size_t p = scratch.tasks[task]; p < scratch.tasks[task + 1]; ++p) {
      const RayPiece& piece = scratch.pieces[p];
      const WorldRange& range = scratch.groups.ranges()[piece.range];
      const RayWorld& world = scratch.worlds[piece.range];
      const BoxSource<D, float> places = scratch.groups.template source_of<D, float>(range, {});
      RayJob<D, T> own = job;
      own.trees = scratch.trees.data() + world.first_tree;
      own.tree_count = static_cast<std::int32_t>(world.tree_count);
      own.halfspaces = scratch.halfspaces.data() + world.first_halfspace;
      own.halfspace_count = static_cast<std::int32_t>(world.halfspace_count);
      const std::size_t from = piece.begin - range.begin;
      own.order = places.ids == nullptr ? nullptr : places.ids + from;
      if (!scratch.order.empty()) {
        own.order = scratch.order.plane() + piece.begin;
        // Long rays have little in common even then.
        if (own.path == RayPath::by_counts && rays.max_t.empty()) own.path = RayPath::singles;
      }
      own.first_ray = places.first + static_cast<std::int64_t>(from);
      own.count = static_cast<std::int64_t>(piece.end - piece.begin);
      table.cast(own, scratch.counts[task]);
    }
  });
  if (options.stats == nullptr) return;
  CastStats stats;
  stats.isa = isa;
  stats.threads = thread_count(options.threads);
  stats.rays = static_cast<std::int64_t>(count);
  for (const RayCounts& of_task : scratch.counts) {
    stats.hits += of_task.hits;
    stats.packet_rays += of_task.packet_rays;
    stats.tiles += of_task.tiles;
    stats.tests += of_task.tests;
  }
  *options.stats = stats;
}

/// What both calls require.
template <int D, class T>
void check_call(const StaticScene<D, T>& scene, const RaySpan<D, T>& rays,
                const CastOptions& options, const char* call) {
  require_threads(options.threads);
  require_margin(options);
  refuse_warm_starts(options, call);
  refuse_steadiness(options, call);
  if (scene.state().domain.is_periodic()) {
    throw Error(Finding{"domain", -1, "is periodic; rays go through scenes without periodic axes"});
  }
  check_columns<D, T>(rays);
}

}  // namespace

template <int D, class T>
void cast_rays(const StaticScene<D, T>& kept, const std::type_identity_t<RaySpan<D, T>>& rays,
               RayHits<D, T>& hits, Workspace<D, T>& workspace, const CastOptions& options) {
  hits.clear();
  check_call<D, T>(kept, rays, options, "cast_rays");
  try {
    const std::size_t count = rays.size();
    resize_together(count, hits.shape, hits.t, hits.status);
    RayJob<D, T> job{};
    if (options.wants_normals) {
      resize_together(count, hits.normal, hits.point, hits.feature);
      for (int k = 0; k < D; ++k) {
        job.normal[k] = hits.normal.plane(k);
        job.point[k] = hits.point.plane(k);
      }
      job.feature = hits.feature.plane();
      if (has_surfaces(kept.state().rows.layout)) {
        hits.part.resize_uninitialized(count);
        job.part = hits.part.plane();
      }
    }
    job.shape = hits.shape.plane();
    job.t = hits.t.plane();
    job.status = hits.status.plane();
    cast<D, T>(kept, rays, job, workspace, options);
  } catch (...) {
    hits.clear();
    throw;
  }
}

template <int D, class T>
void any_hit(const StaticScene<D, T>& kept, const std::type_identity_t<RaySpan<D, T>>& rays,
             std::span<std::uint8_t> hits, Workspace<D, T>& workspace, const CastOptions& options) {
  check_call<D, T>(kept, rays, options, "any_hit");
  require_address("hits", hits);
  if (hits.size() != rays.size()) {
    throw Error(
        Finding{"hits", -1,
                "has " + number(hits.size()) + " entries for " + number(rays.size()) + " rays"});
  }
  RayJob<D, T> job{};
  std::uint8_t none = 0;
  job.any = hits.empty() ? &none : hits.data();
  cast<D, T>(kept, rays, job, workspace, options);
}

template <int D, class T>
std::uint64_t hash(const RayHits<D, T>& hits) {
  Hasher hasher;
  add_hits(hasher, hits);
  if (!hits.part.empty()) hasher.add_column(hits.part);
  return hasher.value();
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                             \
  template void cast_rays(const StaticScene<D, T>&, const std::type_identity_t<RaySpan<D, T>>&, \
                          RayHits<D, T>&, Workspace<D, T>&, const CastOptions&);                \
  template void any_hit(const StaticScene<D, T>&, const std::type_identity_t<RaySpan<D, T>>&,   \
                        std::span<std::uint8_t>, Workspace<D, T>&, const CastOptions&);         \
  template std::uint64_t hash(const RayHits<D, T>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
