#pragma once

#include <widephase/collide.hpp>

#include "scene_rows.hpp"
#include "table.hpp"

namespace widephase {

/// Pairs of one kind: `pairs` and `source` are runs of the bucketed (or the caller's) lists.
struct PairBucket {
  int pair_kind;
  std::size_t begin;
  std::size_t count;
};

/// A chunk of a bucket: what one thread does at a time.
struct PairChunk {
  int pair_kind;
  std::size_t begin;
  std::size_t count;
};

/// From pairs to contacts. Keeps its scratch between calls.
template <int D, class T>
class NarrowPhase {
 public:
  /// Bins the pairs by kinds, keeping their order in each; throws `Error` for a pair that is not
  /// of this scene. `is_trusted` skips the checks: the pairs are our own, with a < b.
  void bucket(const SceneRows<D, T>& rows, std::span<const Pair> pairs, bool is_trusted,
              const Threads& threads);

  /// Contacts of the bucketed pairs in the order of kinds.
  void find_contacts(const SceneRows<D, T>& rows, const Domain<D, T>& domain, double margin,
                     const KernelTable<D, T>& table, const Threads& threads,
                     ContactBuffer<D, T>& contacts, CollideStats& stats);

  /// is_contact[i] for each pair in the order of the list.
  void test(const SceneRows<D, T>& rows, const Domain<D, T>& domain, double margin,
            const KernelTable<D, T>& table, const Threads& threads,
            std::span<std::uint8_t> is_contact);

  std::size_t bytes() const;

 private:
  PairRun<D, T> make_run(const SceneRows<D, T>& rows, const Domain<D, T>& domain, double margin,
                         const PairChunk& chunk) const;
  void cut_chunks(std::size_t pairs_a_chunk);

  std::span<const Pair> pairs_;  // the caller's, or bucketed_
  Column<Pair> bucketed_;
  Column<std::int64_t> source_;  // empty: pairs are in the caller's order
  bool is_ascending_ = true;
  std::vector<PairBucket> buckets_;
  std::vector<PairChunk> chunks_;
  Column<std::int64_t> counts_;  // of kinds, a row of kPairKindCount a chunk
  std::vector<ContactBuffer<D, T>> blocks_;
  std::vector<CollideStats::KindStats> chunk_stats_;
  Column<std::uint8_t> point_counts_;
  Column<std::uint8_t> tests_;
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
