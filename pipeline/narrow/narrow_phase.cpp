#include "pipeline/narrow/narrow_phase.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "pipeline/narrow/contact_room.hpp"
#include "pipeline/narrow/pair_cost.hpp"
#include "pipeline/narrow/pair_distances.hpp"
#include "pipeline/narrow/stopwatch.hpp"
#include "soa/ascending.hpp"
#include "soa/instantiate.hpp"
#include "soa/kind_traits.hpp"
#include "soa/stream_copy.hpp"
#include "soa/threads.hpp"

namespace widephase {

namespace {

/// The most pairs that a thread takes at a time: their contacts stay in its second-level cache.
constexpr std::size_t kPairsAChunk = 4096;
/// Chunks of costly pairs are cut to take about this long, so that threads finish together and
/// starting a thread pays. Shorter calls use one thread.
constexpr double kChunkNanoseconds = 50e3;
/// Chunks begin at multiples of this, so that all batches except a kind's last one are full.
constexpr std::size_t kPairsAStep = 64;
/// From this many pairs on, contacts are written past the caches, which they would overflow.
constexpr std::size_t kPairsToStream = std::size_t{1} << 18;

/// From this size of the packed rows of two kinds on, prefetching them pays.
constexpr std::size_t kFarBytes = std::size_t{1} << 20;

/// The most points of a contact.
template <int D>
constexpr std::size_t kMostPoints = D == 2 ? 2 : 4;

/// Copies a block to its place among all contacts; overwrites its offsets, which began at 0.
template <int D, class T>
void copy_block(ContactBuffer<D, T>& block, std::size_t contact, std::size_t point, bool is_stream,
                ContactBuffer<D, T>& contacts) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    block.offset[i] += static_cast<std::int64_t>(point);
  }
  const auto copy_to = [&](std::size_t at, std::size_t count) {
    return [=](const auto& from, auto& to) {
      using C = std::remove_cvref_t<decltype(from)>;
      if (count == 0) return;  // columns without rows may have no planes
      for (int w = 0; w < C::width; ++w) {
        const std::size_t bytes = count * sizeof(typename C::value_type);
        if (is_stream) {
          stream_copy(to.plane(w) + at, from.plane(w), bytes);
        } else {
          std::memcpy(to.plane(w) + at, from.plane(w), bytes);
        }
      }
    };
  };
  for_each_contact_column(copy_to(contact, block.size()), block, contacts);
  copy_to(contact, block.size())(block.offset, contacts.offset);
  for_each_point_column(copy_to(point, block.point_count()), block, contacts);
  if (is_stream) end_stream_copies();
}

/// Whether a call's method uses support points for a pair of kinds. Polygons with edges inside
/// their owner always use axes, since their direction is restricted.
template <int D, class T>
bool is_by_support(const typename NarrowPhase<D, T>::Inputs& inputs, KindsOfPair kinds) {
  if (inputs.method != Method::gjk_epa || has_unbounded(kinds) || has_surface(kinds)) return false;
  return D == 3 || !has_instances(kinds, D) || !inputs.rows.polygon_library().has_any_inner;
}

template <int D, class T>
const PairKernel<D, SizeOf<T>>& kernel_of(const typename NarrowPhase<D, T>::Inputs& inputs,
                                          int kind) {
  return is_by_support<D, T>(inputs, kinds_of(kind)) ? inputs.table.by_support
                                                     : inputs.table.pairs[kind];
}

/// Adds the anchors to points of mixed precision. If a pair was named the other way round, the
/// point is on the shape named first, near it as stored.
template <int D>
void place_points(const PairKernel<D, float>& kernel, const PairRun<D, float>& run,
                  const SceneRows<D, Mixed>& rows, std::size_t first_contact,
                  const Column<float, D>& points, ContactBuffer<D, Mixed>& contacts) {
  const std::size_t count = contacts.size();
  const Pair* const pairs = contacts.pair.plane();
  const std::int64_t* const offsets = contacts.offset.plane();
  const std::int64_t first_point = offsets[first_contact];
  const float* from[D];
  double* to[D];
  for (int k = 0; k < D; ++k) {
    from[k] = points.plane(k) - first_point;
    to[k] = contacts.point.plane(k);
  }
  const auto anchor_at = [&](std::size_t i) {
    const auto [low, high] = ascending(pairs[i]);
    const std::int32_t own_a = kernel.takes_higher_first ? high : low;
    return run.anchors_a + std::ptrdiff_t{own_a} * run.anchor_width_a;
  };
  std::size_t next = first_contact;
  if (kernel.max_points == 1) {  // axis by axis, so that the compiler vectorizes it
    constexpr std::size_t kAtOnce = 64;
    double at[D][kAtOnce];
    const std::ptrdiff_t apart = first_point - static_cast<std::ptrdiff_t>(first_contact);
    for (; next < count; next += std::min(kAtOnce, count - next)) {
      const std::size_t size = std::min(kAtOnce, count - next);
      for (std::size_t i = 0; i < size; ++i) {
        const double* const anchor = anchor_at(next + i);
        for (int k = 0; k < D; ++k) at[k][i] = anchor[k];
      }
      const std::ptrdiff_t place = apart + static_cast<std::ptrdiff_t>(next);
      for (int k = 0; k < D; ++k) {
        for (std::size_t i = 0; i < size; ++i) to[k][place + i] = at[k][i] + from[k][place + i];
      }
    }
  }
  for (std::size_t i = next; i < count; ++i) {
    const double* const anchor = anchor_at(i);
    for (std::int64_t p = offsets[i]; p < offsets[i + 1]; ++p) {
      for (int k = 0; k < D; ++k) to[k][p] = anchor[k] + static_cast<double>(from[k][p]);
    }
  }
  // Joined scenes have no bounds. Their pairs ascend: the shape named first is the kernel's B, and
  // only where that has the lower id.
  const auto middle_of = [&](std::size_t id, int k) {
    if (rows.bounds.size() != 0) return 0.5 * rows.bounds.min(id, k) + 0.5 * rows.bounds.max(id, k);
    const double* const anchors =
        run.anchors_b + static_cast<std::ptrdiff_t>(id) * run.anchor_width_b;
    return 0.5 * anchors[k] + 0.5 * anchors[run.anchor_width_b - kAnchorNumbers + k];
  };
  for (std::size_t i = first_contact; i < count && !run.is_ascending; ++i) {
    if ((pairs[i].a < pairs[i].b) != kernel.takes_higher_first) continue;
    const auto row = static_cast<std::size_t>(pairs[i].a);
    for (std::int64_t p = offsets[i]; p < offsets[i + 1]; ++p) {
      const double depth = contacts.point_depth[static_cast<std::size_t>(p)];
      for (int k = 0; k < D; ++k) {
        double at = to[k][p] + depth * static_cast<double>(contacts.normal(i, k));
        if (run.period[k] != 0 && !traits_of(run.kind_b).is_unbounded) {
          at -= run.period[k] * std::nearbyint((at - middle_of(row, k)) / run.period[k]);
        }
        to[k][p] = at;
      }
    }
  }
}

/// Appends the contacts of a run without surfaces to `contacts`, which has room for them.
template <int D, class T>
void append_run(const PairKernel<D, SizeOf<T>>& kernel, const PairRun<D, SizeOf<T>>& run,
                const SceneRows<D, T>& rows, ContactBuffer<D, T>& contacts,
                ContactBlock<D, T>& block, Column<std::byte>& room, bool has_parts,
                KindWork& work) {
  const std::size_t first_contact = contacts.size();
  const std::size_t first_point = contacts.point_count();
  ContactCursor<D, SizeOf<T>> cursor{};
  cursor.pair = contacts.pair.plane();
  cursor.source = contacts.source.plane();
  cursor.normal = contacts.normal.plane();
  cursor.normal_stride = contacts.normal.plane(1) - contacts.normal.plane();
  cursor.depth = contacts.depth.plane();
  cursor.status = contacts.status.plane();
  cursor.offset = contacts.offset.plane();
  if constexpr (is_mixed<T>) {
    cursor.point = block.points.plane() - first_point;
    cursor.point_stride = block.points.plane(1) - block.points.plane();
  } else {
    cursor.point = contacts.point.plane();
    cursor.point_stride = contacts.point.plane(1) - contacts.point.plane();
  }
  cursor.point_depth = contacts.point_depth.plane();
  cursor.feature = contacts.feature.plane();
  cursor.contact_count = static_cast<std::int64_t>(first_contact);
  cursor.point_count = static_cast<std::int64_t>(first_point);
  cursor.point_counts = block.point_counts.plane() - first_contact;
  cursor.room = room.plane();
  cursor.lanes = work.lanes;
  kernel.find_contacts(run, cursor);
  set_sizes(contacts, static_cast<std::size_t>(cursor.contact_count),
            static_cast<std::size_t>(cursor.point_count), has_parts);
  for (int side = 0; has_parts && side < 2; ++side) {
    std::int32_t* const part = contacts.part.plane(side);
    std::fill(part + first_point, part + contacts.point_count(), -1);
  }
  if constexpr (is_mixed<T>) {
    place_points(kernel, run, rows, first_contact, block.points, contacts);
  }
  work.lanes = cursor.lanes;
}

}  // namespace

template <int D, class T>
PairRun<D, SizeOf<T>> NarrowPhase<D, T>::make_run(const Inputs& inputs,
                                                  const PairStretch& chunk) const {
  using Size = SizeOf<T>;
  const SceneRows<D, T>& rows = inputs.rows;
  const Domain<D, PositionOf<T>>& domain = inputs.domain;
  const bool takes_higher_first = kernel_of<D, T>(inputs, chunk.pair_kind).takes_higher_first;
  KindsOfPair kinds = kinds_of(chunk.pair_kind);
  const bool as_outlines = D == 2 && is_by_support<D, T>(inputs, kinds);
  if (takes_higher_first) std::swap(kinds.a, kinds.b);
  const auto first_row = [&](Kind kind) {
    return std::ptrdiff_t{rows.layout.first[static_cast<int>(kind)]} -
           rows.rows_before[static_cast<std::size_t>(kind)];
  };
  const auto rows_by_id = [&](Kind kind) {
    const bool is_outline = as_outlines && kind != instance_kind(D);
    const int width = row_width(is_outline ? instance_kind(D) : kind, D);
    const auto& from = is_outline ? rows.outlines : rows.rows;
    return from[static_cast<std::size_t>(kind)].plane() - first_row(kind) * width;
  };
  PairRun<D, Size> run{};
  run.kind_a = kinds.a;
  run.kind_b = kinds.b;
  run.rows_a = rows_by_id(kinds.a);
  run.rows_b = rows_by_id(kinds.b);
  if constexpr (is_mixed<T>) {
    const auto anchors_by_id = [&](Kind kind) {
      return rows.anchors[static_cast<std::size_t>(kind)].plane() -
             first_row(kind) * anchor_width(kind);
    };
    run.anchors_a = anchors_by_id(kinds.a);
    run.anchors_b = anchors_by_id(kinds.b);
    run.anchor_width_a = anchor_width(kinds.a);
    run.anchor_width_b = anchor_width(kinds.b);
  }
  const auto rests_by_id = [&](Kind kind) -> const Size* {
    if (kind != instance_kind(D) || rows.rests.empty()) return nullptr;
    return rows.rests.plane() - first_row(kind) * kAnchorNumbers;
  };
  run.rests_a = rests_by_id(kinds.a);
  run.rests_b = rests_by_id(kinds.b);
  const auto& library = [&]() -> const Column<Size>& {
    if constexpr (D == 2) {
      return rows.polygon_library().numbers;
    } else {
      return rows.hull_library().numbers;
    }
  }();
  run.library = library.plane();
  run.indices = rows.hull_library().indices.plane();
  run.pairs = pairs_.data() + chunk.begin;
  run.count = static_cast<std::int64_t>(chunk.count);
  run.is_ascending = is_ascending_ && !takes_higher_first;
  run.question = inputs.question;
  const auto row_bytes = [&](Kind kind) {
    const auto k = static_cast<std::size_t>(kind);
    return rows.rows[k].size() * sizeof(Size) + rows.anchors[k].size() * sizeof(double);
  };
  run.is_far = row_bytes(kinds.a) + (kinds.a == kinds.b ? 0 : row_bytes(kinds.b)) > kFarBytes;
  run.is_library_far = library.size() * sizeof(Size) > kFarBytes;
  run.source = source_.empty() ? nullptr : source_.plane() + chunk.begin;
  run.first_source = static_cast<std::int64_t>(chunk.begin);
  run.warm_starts = inputs.warm_starts.empty() ? nullptr : inputs.warm_starts.data();
  run.steadiness = static_cast<Size>(inputs.steadiness);
  run.margin = static_cast<Size>(inputs.margin);
  run.margins = rows.margin.empty() ? nullptr : rows.margin.plane();
  run.is_periodic = domain.is_periodic();
  for (int k = 0; k < D; ++k) {
    if (!domain.periodic[k]) continue;
    run.period[k] = domain.max[k] - domain.min[k];
    run.inverse_period[k] = static_cast<Size>(1 / run.period[k]);
  }
  return run;
}

template <int D, class T>
double NarrowPhase<D, T>::cost_of(const Inputs& inputs, int pair_kind) const {
  const KindsOfPair kinds = kinds_of(pair_kind);
  const auto numbers = [](const auto& library) {
    const auto count = static_cast<double>(std::max<std::size_t>(library.place.size(), 1));
    return static_cast<double>(library.geometry_numbers()) / count;
  };
  return pair_nanoseconds(
      D, kinds, is_by_support<D, T>(inputs, kinds),
      D == 2 ? numbers(inputs.rows.polygon_library()) : numbers(inputs.rows.hull_library()));
}

template <int D, class T>
void NarrowPhase<D, T>::cut_chunks(const Inputs& inputs) {
  chunks_.clear();
  nanoseconds_ = 0;
  has_parts_ = has_surfaces(inputs.rows.layout);
  if (buckets_.size() == 1 && buckets_.front().count <= kPairsAStep) {
    chunks_.push_back(buckets_.front());  // whatever they cost
    return;
  }
  for (const PairStretch& bucket : buckets_) {
    const double cost = cost_of(inputs, bucket.pair_kind) * static_cast<double>(bucket.count);
    const std::size_t chunks = std::max(static_cast<std::size_t>(cost / kChunkNanoseconds),
                                        (bucket.count - 1) / kPairsAChunk) +
                               1;
    const std::size_t steps = (bucket.count + chunks * kPairsAStep - 1) / (chunks * kPairsAStep);
    const std::size_t size = steps * kPairsAStep;
    for (std::size_t at = 0; at < bucket.count; at += size) {
      chunks_.push_back({bucket.pair_kind, bucket.begin + at, std::min(size, bucket.count - at)});
    }
    nanoseconds_ += cost;
  }
}

template <int D, class T>
int NarrowPhase<D, T>::most_points_of(const Inputs& inputs, int pair_kind) {
  return kernel_of<D, T>(inputs, pair_kind).max_points;
}

template <int D, class T>
bool NarrowPhase<D, T>::has_classes(const Inputs& inputs, int pair_kind) const {
  // Pairs with surfaces are not computed in lanes.
  const KindsOfPair kinds = kinds_of(pair_kind);
  return D == 2 && inputs.rows.polygon_library().has_any_large && has_instances(kinds, D) &&
         !has_surface(kinds);
}

template <int D, class T>
void NarrowPhase<D, T>::append(const Inputs& inputs, const PairStretch& chunk,
                               ContactBuffer<D, T>& contacts, ContactBlock<D, T>& block,
                               Column<std::byte>& room) const {
  const PairKernel<D, SizeOf<T>>& kernel = kernel_of<D, T>(inputs, chunk.pair_kind);
  const bool is_surface = is_of_surfaces(chunk);
  if (kernel.find_contacts == nullptr && !is_surface) return;  // two unbounded shapes
  const bool is_timed = inputs.times_only_chunk || chunks_.size() > 1;
  const auto watch = is_timed ? std::optional<Stopwatch>(std::in_place) : std::nullopt;
  const std::size_t first_contact = contacts.size();
  const std::size_t first_point = contacts.point_count();
  KindWork& work = block.kinds[static_cast<std::size_t>(chunk.pair_kind)];
  const PairRun<D, SizeOf<T>> run = make_run(inputs, chunk);
  const auto append_part = [&](const PairRun<D, SizeOf<T>>& part, ContactBuffer<D, T>& to) {
    append_run<D, T>(kernel, part, inputs.rows, to, block, room, has_parts_, work);
  };
  bool is_split = false;
  if constexpr (D == 2) {
    is_split = has_classes(inputs, chunk.pair_kind) && block.classes.split(inputs.rows, run);
    if (is_split) {
      block.parts.clear();
      append_part(block.classes.part(run, false), block.parts);
      const std::size_t small = block.parts.size();
      append_part(block.classes.part(run, true), block.parts);
      block.classes.join(block.parts, small, contacts);
    }
  }
  if (is_surface) {
    work.stats.left_out += append_surfaces(inputs, run, contacts, room);
  } else if (!is_split) {
    append_part(run, contacts);
  }
  replace_unfelt(inputs, chunk, first_contact, contacts, block, room);
  for (std::size_t i = first_contact; inputs.reported != nullptr && i < contacts.size(); ++i) {
    contacts.pair[i] = inputs.reported[contacts.source[i]];
  }
  work.stats.pairs += run.count;
  work.stats.contacts += static_cast<std::int64_t>(contacts.size() - first_contact);
  work.stats.points += static_cast<std::int64_t>(contacts.point_count() - first_point);
  if (watch) work.stats.seconds += watch->seconds();
}

template <int D, class T>
void NarrowPhase<D, T>::append_in_place(const Inputs& inputs, ContactBuffer<D, T>& contacts) {
  make_blocks(inputs, 1, true);
  make_rooms(inputs, 1);
  // Reserves for the largest possible result: steps whose contacts come and go allocate nothing.
  const Room room = room_of(inputs);
  reserve(contacts, room.contacts, room.points, has_parts_);
  for (const PairStretch& chunk : chunks_) {
    if (!is_of_surfaces(chunk) && has_parts_) {  // patches may have taken the room
      const auto most_points =
          static_cast<std::size_t>(kernel_of<D, T>(inputs, chunk.pair_kind).max_points);
      reserve(contacts, contacts.size() + chunk.count,
              contacts.point_count() + chunk.count * most_points, has_parts_);
    }
    append(inputs, chunk, contacts, blocks_.front(), rooms_.front());
  }
}

template <int D, class T>
typename NarrowPhase<D, T>::Room NarrowPhase<D, T>::room_of(const Inputs& inputs) const {
  Room room;
  for (const PairStretch& bucket : buckets_) {
    if (is_of_surfaces(bucket)) continue;  // not known before
    room.contacts += bucket.count;
    room.points += bucket.count *
                   static_cast<std::size_t>(kernel_of<D, T>(inputs, bucket.pair_kind).max_points);
  }
  return room;
}

template <int D, class T>
std::size_t NarrowPhase<D, T>::worker_count(const Threads& threads) const {
  if (nanoseconds_ <= kChunkNanoseconds) return 1;
  return std::min(chunks_.size(), static_cast<std::size_t>(thread_count(threads)));
}

template <int D, class T>
void NarrowPhase<D, T>::make_blocks(const Inputs& inputs, std::size_t count, bool is_in_place) {
  std::size_t most_points = 1;
  bool has_any_classes = false;
  for (const PairStretch& bucket : buckets_) {
    const int max_points = kernel_of<D, T>(inputs, bucket.pair_kind).max_points;
    most_points = std::max(most_points, static_cast<std::size_t>(max_points));
    has_any_classes |= has_classes(inputs, bucket.pair_kind);
  }
  if (blocks_.size() < count) blocks_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    ContactBlock<D, T>& block = blocks_[i];
    for (const PairStretch& bucket : buckets_) {
      block.kinds[static_cast<std::size_t>(bucket.pair_kind)] = {};
    }
    block.point_counts.resize_uninitialized(kPairsAChunk);
    if (is_mixed<T>) block.points.reserve(kPairsAChunk * most_points);
    if (!is_in_place) {
      reserve(block.contacts, kPairsAChunk, kPairsAChunk * most_points, has_parts_);
    }
    if (inputs.asks_flush()) block.replaced.reserve(kPairsAChunk);
    if (!has_any_classes && !inputs.asks_flush()) continue;
    reserve(block.parts, kPairsAChunk, kPairsAChunk * most_points, has_parts_);
    if (has_any_classes) block.classes.reserve(kPairsAChunk);
  }
}

template <int D, class T>
void NarrowPhase<D, T>::make_rooms(const Inputs& inputs, std::size_t workers) {
  std::size_t most_bytes = flush_room_bytes(inputs);
  for (const PairStretch& bucket : buckets_) {
    most_bytes = std::max(most_bytes, kernel_of<D, T>(inputs, bucket.pair_kind).room_bytes);
  }
  if (rooms_.size() < workers) rooms_.resize(workers);
  for (std::size_t i = 0; i < workers; ++i) rooms_[i].reserve(most_bytes);
}

template <int D, class T>
void NarrowPhase<D, T>::sum_kinds(std::size_t blocks, CollideStats& stats) {
  clear_kinds(stats);
  for (const PairStretch& bucket : buckets_) {
    const auto kind = static_cast<std::size_t>(bucket.pair_kind);
    counted_[static_cast<std::size_t>(counted_count_++)] = static_cast<std::uint8_t>(kind);
    CollideStats::KindStats& sum = stats.kinds[kind];
    LaneCount lanes{};
    for (std::size_t block = 0; block < blocks; ++block) {
      const KindWork& work = blocks_[block].kinds[kind];
      sum.pairs += work.stats.pairs;
      sum.contacts += work.stats.contacts;
      sum.points += work.stats.points;
      sum.left_out += work.stats.left_out;
      sum.seconds += work.stats.seconds;
      lanes.in_use += work.lanes.in_use;
      lanes.ran += work.lanes.ran;
    }
    if (lanes.ran > 0) {
      sum.lanes = static_cast<double>(lanes.in_use) / static_cast<double>(lanes.ran);
    }
  }
}

template <int D, class T>
template <class Op>
void NarrowPhase<D, T>::for_chunks_in_order(const Inputs& inputs, const Threads& threads,
                                            std::size_t workers, bool is_found, const Op& op) {
  std::atomic<std::size_t> next_chunk{0};
  for_chunks(threads, workers, [&](std::size_t worker) {
    ContactBlock<D, T>& block = blocks_[worker];
    for (std::size_t chunk = next_chunk++; chunk < chunks_.size(); chunk = next_chunk++) {
      if (is_found && is_of_surfaces(chunks_[chunk])) {
        op(chunk, found_[chunk]);
        continue;
      }
      block.contacts.clear();
      append(inputs, chunks_[chunk], block.contacts, block, rooms_[worker]);
      op(chunk, block.contacts);
    }
  });
}

template <int D, class T>
template <class Op>
void NarrowPhase<D, T>::for_blocks(const Inputs& inputs, const Threads& threads,
                                   std::size_t workers, const Op& op) {
  make_blocks(inputs, workers, false);
  make_rooms(inputs, workers);
  for_chunks_in_order(inputs, threads, workers, false, op);
}

template <int D, class T>
void NarrowPhase<D, T>::append_by_blocks(const Inputs& inputs, const Threads& threads,
                                         std::size_t workers, ContactBuffer<D, T>& contacts) {
  // All room is made before the threads start, since a failure in one thread would hold up the
  // others. Pages of the contacts that stay empty are never touched.
  make_blocks(inputs, workers, false);
  make_rooms(inputs, workers);
  Room room = room_of(inputs);
  const bool is_found = has_surface_pairs();
  if (is_found) {
    find_surface_chunks(inputs, threads, workers);
    for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
      if (!is_of_surfaces(chunks_[chunk])) continue;
      room.contacts += found_[chunk].size();
      room.points += found_[chunk].point_count();
    }
  }
  const std::size_t most_contacts = std::min(room.contacts, inputs.max_contacts);
  reserve(contacts, most_contacts,
          std::min({room.points, inputs.max_points, most_contacts * kMostPoints<D>}), has_parts_);

  // The place of a chunk's contacts passes from chunk to chunk. A worker only waits for one that is
  // at work, however many threads there are and in whatever order they start.
  const bool is_stream = pairs_.size() >= kPairsToStream;
  std::atomic<std::uint32_t> next_placed{0};
  std::size_t contact_end = 0, point_end = 0;  // of the chunks whose place is known
  const auto fits = [&] {
    return contact_end <= inputs.max_contacts && point_end <= inputs.max_points;
  };
  for_chunks_in_order(inputs, threads, workers, is_found,
                      [&](std::size_t chunk, ContactBuffer<D, T>& block) {
                        const auto turn = static_cast<std::uint32_t>(chunk);
                        for (std::uint32_t placed = next_placed.load(std::memory_order_acquire);
                             placed != turn; placed = next_placed.load(std::memory_order_acquire)) {
                          next_placed.wait(placed, std::memory_order_acquire);
                        }
                        const std::size_t contact = contact_end, point = point_end;
                        contact_end += block.size();
                        point_end += block.point_count();
                        const bool has_place = fits();
                        // Sequentially consistent: notify_all must not check for sleepers before
                        // this store.
                        next_placed.store(turn + 1);
                        next_placed.notify_all();
                        if (has_place) copy_block(block, contact, point, is_stream, contacts);
                      });
  if (fits()) set_sizes(contacts, contact_end, point_end, has_parts_);
}

template <int D, class T>
void NarrowPhase<D, T>::find_contacts(const Inputs& inputs, const Threads& threads,
                                      ContactBuffer<D, T>& contacts, CollideStats& stats) {
  contacts.clear();
  cut_chunks(inputs);
  const std::size_t workers = worker_count(threads);
  const Room room = room_of(inputs);
  const bool has_cap = inputs.max_contacts != kNoCap || inputs.max_points != kNoCap;
  const bool fits = room.contacts <= inputs.max_contacts && room.points <= inputs.max_points &&
                    !(has_cap && has_surface_pairs());
  if (workers <= 1 && fits && pairs_.size() < kPairsToStream) {
    append_in_place(inputs, contacts);
  } else {
    append_by_blocks(inputs, threads, workers, contacts);
  }
  sum_kinds(workers, stats);
}

template <int D, class T>
void NarrowPhase<D, T>::test(const Inputs& inputs, const Threads& threads,
                             std::span<std::uint8_t> is_contact) {
  std::fill(is_contact.begin(), is_contact.end(), std::uint8_t{0});
  Inputs asked = inputs;
  asked.question = Question::contact;
  cut_chunks(asked);
  const std::size_t workers = worker_count(threads);
  for_blocks(asked, threads, workers, [&](std::size_t, const ContactBuffer<D, T>& block) {
    for (const std::int64_t source : block.source) is_contact[static_cast<std::size_t>(source)] = 1;
  });
}

template <int D, class T>
std::size_t NarrowPhase<D, T>::find_distances(const Inputs& inputs, const Threads& threads,
                                              DistanceBuffer<D, T>& rows, CollideStats& stats,
                                              Column<std::int32_t, 2>* parts) {
  cut_chunks(inputs);
  if (parts != nullptr && !has_parts_) {
    for (const int side : {0, 1}) std::fill_n(parts->plane(side), parts->size(), -1);
  }
  const std::size_t workers = worker_count(threads);
  std::atomic<std::size_t> answers{0};
  for_blocks(inputs, threads, workers, [&](std::size_t, const ContactBuffer<D, T>& block) {
    put_distances(block, rows);
    if (parts != nullptr && has_parts_) put_parts(block, *parts);
    answers += block.size();
  });
  sum_kinds(workers, stats);
  return answers;
}

template <int D, class T>
std::size_t NarrowPhase<D, T>::bytes() const {
  std::size_t sum = bucketed_.bytes() + source_.bytes() + counts_.bytes() + chunk_notes_.bytes() +
                    (buckets_.capacity() + chunks_.capacity()) * sizeof(PairStretch);
  for (const Column<std::byte>& room : rooms_) sum += sizeof room + room.bytes();
  for (const ContactBuffer<D, T>& contacts : found_) sum += sizeof contacts + contacts.bytes();
  for (const ContactBlock<D, T>& block : blocks_) {
    sum += sizeof block + block.contacts.bytes() + block.parts.bytes() +
           block.replaced.capacity() * sizeof block.replaced[0] + block.point_counts.bytes() +
           block.points.bytes() + block.classes.bytes();
  }
  return sum;
}

#define WIDEPHASE_INSTANTIATE(D, T) template class NarrowPhase<D, T>;
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
