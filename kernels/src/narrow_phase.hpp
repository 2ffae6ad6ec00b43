#pragma once

#include <widephase/collide.hpp>

#include "scene_rows.hpp"
#include "table.hpp"

namespace widephase {

/// Throw `Error` where a column of the caller's, or the warm starts that it gives, have not an
/// entry a pair.
void require_entry_a_pair(const char* column, std::size_t entries, std::size_t pairs);
void require_warm_starts(const CollideOptions& options, std::size_t pairs);
/// Throw `Error` for what a call does not take.
void refuse_warm_starts(const CollideOptions& options, const char* call);
void refuse_world_choice(const CollideOptions& options, const char* call);

/// A run of the bucketed (or the caller's) list, all of one kind.
struct PairStretch {
  int pair_kind;
  std::size_t begin;
  std::size_t count;
};

/// What a thread writes to before the place of its contacts is known.
template <int D, class T>
struct ContactBlock {
  ContactBuffer<D, T> contacts;
  Column<std::uint8_t> point_counts;
  Column<SizeOf<T>, D> points;  ///< `Mixed` alone: from their anchors on
  std::array<CollideStats::KindStats, kPairKindCount> kinds;
};

/// From pairs to contacts. Keeps its scratch between calls.
template <int D, class T>
class NarrowPhase {
 public:
  /// Bins the pairs by kinds, keeping their order in each; throws `Error` for a pair that is not
  /// of this scene. Those of worlds that are left out have no answer. `is_trusted` skips the
  /// checks: the pairs are our own, with a < b, of answered worlds.
  void bucket(const SceneRows<D, T>& rows, std::span<const Pair> pairs, bool is_trusted,
              const KernelTable<D, SizeOf<T>>& table, const Threads& threads);

  /// What all chunks of a call read.
  struct Inputs {
    const SceneRows<D, T>& rows;
    const Domain<D, PositionOf<T>>& domain;
    double margin;
    Method method;
    const KernelTable<D, SizeOf<T>>& table;
    std::span<WarmStart> warm_starts;  ///< none, or one a pair
    Question question = Question::points;
  };

  /// Contacts of the bucketed pairs in the order of kinds.
  void find_contacts(const Inputs& inputs, const Threads& threads, ContactBuffer<D, T>& contacts,
                     CollideStats& stats);

  /// is_contact[i] for each pair in the order of the list.
  void test(const Inputs& inputs, const Threads& threads, std::span<std::uint8_t> is_contact);

  std::size_t bytes() const;

 private:
  using KindsStats = std::array<CollideStats::KindStats, kPairKindCount>;

  PairRun<D, SizeOf<T>> make_run(const Inputs& inputs, const PairStretch& chunk) const;
  void cut_chunks();
  /// Appends a chunk's contacts to `contacts`, which has room for them. The block is scratch.
  void append(const Inputs& inputs, const PairStretch& chunk, ContactBuffer<D, T>& contacts,
              ContactBlock<D, T>& block, KindsStats& kinds) const;
  /// Blocks for the threads that will run, with room for a chunk of any kind; answers how many.
  std::size_t make_blocks(const Inputs& inputs, const Threads& threads);
  /// Each chunk into a worker's block, and `op(chunk, contacts)` there. Chunks are taken in order
  /// by workers that run.
  template <class Op>
  void for_blocks(const Inputs& inputs, const Threads& threads, std::size_t workers, const Op& op);
  /// One thread, chunk after chunk, straight into the contacts.
  void append_in_place(const Inputs& inputs, ContactBuffer<D, T>& contacts, KindsStats& kinds);
  /// Each chunk into its worker's block, and from there to the chunk's place.
  void append_by_blocks(const Inputs& inputs, const Threads& threads, ContactBuffer<D, T>& contacts,
                        KindsStats& kinds);

  std::span<const Pair> pairs_;  // the caller's, or bucketed_
  Column<Pair> bucketed_;
  Column<std::int64_t> source_;  // empty: pairs are in the caller's order
  bool is_ascending_ = true;
  std::vector<PairStretch> buckets_;
  std::vector<PairStretch> chunks_;         // what a thread does at a time
  Column<std::int64_t> counts_;             // of kinds, a row of kPairKindCount a chunk
  std::vector<ContactBlock<D, T>> blocks_;  // one a thread
  Column<std::uint8_t> chunk_notes_;
};

/// Puts contacts into the order asked for; `sorted` is scratch of the same type.
template <int D, class T>
struct ContactSorter {
  ContactBuffer<D, T> sorted;
  Column<std::uint64_t> records;
  Column<std::uint64_t> swap;
  Column<std::uint32_t> counters;
  Column<std::uint32_t> order;

  void sort(Order order_wanted, const SceneRows<D, T>& rows, ContactBuffer<D, T>& contacts);
};

}  // namespace widephase
