#pragma once

#include <array>

#include <widephase/distance.hpp>
#include <widephase/stream_contacts.hpp>

#include "kernels/flush_table.hpp"
#include "kernels/table.hpp"
#include "pipeline/narrow/size_classes.hpp"
#include "pipeline/rows/scene_rows.hpp"

namespace widephase {

/// A run of the bucketed (or the caller's) list, all of one kind.
struct PairStretch {
  int pair_kind;
  std::size_t begin;
  std::size_t count;
};

/// The work done for one kind of pair.
struct KindWork {
  CollideStats::KindStats stats;  ///< without `lanes`
  LaneCount lanes{};
};
using KindsWork = std::array<KindWork, kPairKindCount>;

/// A contact that its solid does not feel as it was found (flush_contacts.cpp).
template <int D, class T>
struct ReplacedContact {
  std::size_t contact;
  SurfacePatch<T, D> patch;
};

/// Where a thread writes before the place of its contacts is known.
template <int D, class T>
struct ContactBlock {
  ContactBuffer<D, T> contacts;
  Column<std::uint8_t> point_counts;
  Column<SizeOf<T>, D> points;  ///< only for `Mixed`: relative to their anchors
  SizeClasses<T> classes;
  ContactBuffer<D, T> parts;  ///< contacts of the classes, one after the other; points put aside
  std::vector<ReplacedContact<D, SizeOf<T>>> replaced;
  KindsWork kinds;
};

/// From pairs to contacts. Keeps its scratch between calls.
template <int D, class T>
class NarrowPhase {
 public:
  /// Bins the pairs by kinds, keeping their order in each. Throws `Error` for a pair that is not of
  /// this scene. Pairs of worlds that are left out have no answer. `is_trusted` skips the checks:
  /// the pairs are our own, with a < b, of answered worlds.
  void bucket(const SceneRows<D, T>& rows, std::span<const Pair> pairs, bool is_trusted,
              const KernelTable<D, SizeOf<T>>& table, const Threads& threads);

  /// The inputs of all chunks of a call.
  struct Inputs {
    const SceneRows<D, T>& rows;
    const Domain<D, PositionOf<T>>& domain;
    double margin;
    Method method;
    const KernelTable<D, SizeOf<T>>& table;
    std::span<WarmStart> warm_starts;  ///< none, or one per pair
    Question question = Question::points;
    std::size_t max_contacts = kNoCap;
    std::size_t max_points = kNoCap;
    double steadiness = 0;
    int most_patches = 0;
    /// Whether a chunk is timed where the call has no other; if not, the whole call's time is its.
    bool times_only_chunk = true;
    double patch_angle = 5;  ///< degrees
    /// Null, or the pairs as contacts are to name them, and by the ids of `rows`.
    const Pair* reported = nullptr;
    const Pair* row_pairs = nullptr;
    /// Shapes that lie flush: those of the scene, then those of the kept one.
    std::array<FlushSide, 2> flush{};
    std::size_t flush_count = 0;

    bool asks_flush() const { return flush_count > 0 && question == Question::points; }
  };

  /// Contacts of the bucketed pairs in the order of kinds. None if there are more than the inputs
  /// allow; `stats` counts all.
  void find_contacts(const Inputs& inputs, const Threads& threads, ContactBuffer<D, T>& contacts,
                     CollideStats& stats);

  /// The same, one chunk at a time into the sink.
  void stream(const Inputs& inputs, const Threads& threads, const ContactSink<D, T>& sink,
              CollideStats& stats);

  /// is_contact[i] for each pair in the order of the list.
  void test(const Inputs& inputs, const Threads& threads, std::span<std::uint8_t> is_contact);

  /// Fills one row of `rows`, which has room, for each pair that has an answer, by its place in the
  /// list; returns how many have. `parts`: null, or as long, to fill with the triangles of A and B.
  std::size_t find_distances(const Inputs& inputs, const Threads& threads,
                             DistanceBuffer<D, T>& rows, CollideStats& stats,
                             Column<std::int32_t, 2>* parts = nullptr);

  /// If there was one chunk that was not timed, its kind takes the seconds of the call.
  void time_only_chunk(double seconds, CollideStats& stats) const {
    if (chunks_.size() != 1) return;
    stats.kinds[static_cast<std::size_t>(chunks_.front().pair_kind)].seconds = seconds;
  }
  /// Clears the counts of kinds: of all, or if these are the statistics that were written last, of
  /// the few that were counted.
  void clear_kinds(CollideStats& stats) {
    if (counted_in_ != &stats) stats.kinds = {};
    for (int i = 0; i < counted_count_; ++i) {
      stats.kinds[counted_[static_cast<std::size_t>(i)]] = {};
    }
    counted_in_ = &stats;
    counted_count_ = 0;
  }

  std::size_t bytes() const;

 private:
  PairRun<D, SizeOf<T>> make_run(const Inputs& inputs, const PairStretch& chunk) const;
  /// The approximate nanoseconds of a pair of a kind.
  double cost_of(const Inputs& inputs, int pair_kind) const;
  void cut_chunks(const Inputs& inputs);
  /// Whether small and large shapes of such pairs are computed apart.
  bool has_classes(const Inputs& inputs, int pair_kind) const;
  /// Appends a chunk's contacts to `contacts`, which has room for them. The block and the worker's
  /// room are scratch.
  void append(const Inputs& inputs, const PairStretch& chunk, ContactBuffer<D, T>& contacts,
              ContactBlock<D, T>& block, Column<std::byte>& room) const;
  /// The most contacts and points that the pairs may have.
  struct Room {
    std::size_t contacts = 0;
    std::size_t points = 0;
  };
  Room room_of(const Inputs& inputs) const;
  std::size_t worker_count(const Threads& threads) const;
  /// Makes blocks with room for a chunk of any kind, and for its contacts unless they are appended
  /// in place.
  void make_blocks(const Inputs& inputs, std::size_t count, bool is_in_place);
  /// Makes for each worker the scratch of its kernels that is too large for a stack.
  void make_rooms(const Inputs& inputs, std::size_t workers);
  /// Adds up the counts of the first blocks.
  void sum_kinds(std::size_t blocks, CollideStats& stats);
  /// Gives contacts of a chunk that their solids do not feel another direction.
  void replace_unfelt(const Inputs& inputs, const PairStretch& chunk, std::size_t first_contact,
                      ContactBuffer<D, T>& contacts, ContactBlock<D, T>& block,
                      Column<std::byte>& room) const;
  /// What the kernels read of flush parts.
  static FlushRows<SizeOf<T>> flush_rows(const Inputs& inputs);
  static std::size_t flush_room_bytes(const Inputs& inputs);
  /// The most points of a contact of a kind of pair.
  static int most_points_of(const Inputs& inputs, int pair_kind);
  /// Appends the patches of a chunk of pairs with a surface and returns how many were left out. The
  /// contacts and the room grow.
  std::int64_t append_surfaces(const Inputs& inputs, const PairRun<D, SizeOf<T>>& run,
                               ContactBuffer<D, T>& contacts, Column<std::byte>& room) const;
  /// Whether a chunk's pairs have a surface: how many contacts these have is not known before.
  static bool is_of_surfaces(const PairStretch& chunk);
  bool has_surface_pairs() const;
  /// Computes all chunks with surfaces into `found_`. Memory may end here: no thread waits for
  /// another.
  void find_surface_chunks(const Inputs& inputs, const Threads& threads, std::size_t workers);
  /// Computes each chunk into a worker's block, unless it was found before, and calls `op(chunk,
  /// contacts)` there. Running workers take chunks in order.
  template <class Op>
  void for_chunks_in_order(const Inputs& inputs, const Threads& threads, std::size_t workers,
                           bool is_found, const Op& op);
  template <class Op>
  void for_blocks(const Inputs& inputs, const Threads& threads, std::size_t workers, const Op& op);
  /// On one thread, chunk after chunk, directly into the contacts.
  void append_in_place(const Inputs& inputs, ContactBuffer<D, T>& contacts);
  /// Computes each chunk into its worker's block and copies it to the chunk's place.
  void append_by_blocks(const Inputs& inputs, const Threads& threads, std::size_t workers,
                        ContactBuffer<D, T>& contacts);

  std::span<const Pair> pairs_;  // the caller's, or bucketed_
  Column<Pair> bucketed_;
  Column<std::int64_t> source_;  // empty: pairs are in the caller's order
  bool is_ascending_ = true;
  std::vector<PairStretch> buckets_;
  std::vector<PairStretch> chunks_;         // the units of work of a thread
  double nanoseconds_ = 0;                  // of all chunks, approximately
  bool has_parts_ = false;                  // of all points of the call
  Column<std::int64_t> counts_;             // per kind, one row of kPairKindCount per chunk
  std::vector<ContactBlock<D, T>> blocks_;  // one per thread, for streams several
  std::vector<ContactBuffer<D, T>> found_;  // of chunks with surfaces, by chunk
  std::vector<Column<std::byte>> rooms_;    // one per worker
  Column<std::uint8_t> chunk_notes_;
  const CollideStats* counted_in_ = nullptr;  // whose counts were written last, and of which kinds
  std::array<std::uint8_t, kPairKindCount> counted_{};
  int counted_count_ = 0;
};

/// Puts contacts into the order asked for; `sorted` is scratch of the same type.
template <int D, class T>
struct ContactSorter {
  ContactBuffer<D, T> sorted;
  Column<std::uint64_t> records;
  Column<std::uint64_t> swap;
  Column<std::uint32_t> counters;
  Column<std::uint32_t> order;

  std::size_t bytes() const {
    return sorted.bytes() + records.bytes() + swap.bytes() + counters.bytes() + order.bytes();
  }
  /// `row_pairs`: null, or by source the pairs by the ids of `rows`.
  void sort(Order order_wanted, const SceneRows<D, T>& rows, const Pair* row_pairs,
            ContactBuffer<D, T>& contacts);
};

}  // namespace widephase
