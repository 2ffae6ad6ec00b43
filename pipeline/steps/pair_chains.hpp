#pragma once

// Matches the pairs of a list with those of the list before. A pair is in the chain of its lower id
// and is looked up there; one pass per list. Long chains, and pairs that are in a list several
// times, are sorted and merged instead. No hash is probed.

#include <algorithm>
#include <atomic>

#include <widephase/types.hpp>

#include "soa/ascending.hpp"
#include "soa/large_pages.hpp"
#include "soa/radix_sort.hpp"

namespace widephase {

/// Pairs that are worth a chunk of a pass.
inline constexpr std::size_t kPairGrain = 8192;
inline constexpr std::uint32_t kNoPair = 0xffffffffu;
inline constexpr Pair kNoIds{-1, -1};

/// A pair of a list, at its place there.
struct PairLink {
  Pair pair;           ///< as it was named; -1 if there is none
  std::uint32_t next;  ///< place of the next pair of its chain, or `kNoPair`, or `kInNoChain`
  std::uint32_t tag;   ///< the caller's
};

/// A list in chains, about as many as pairs: a power of two per lower id, chosen by the last bits
/// of the higher id.
class PairChains {
 public:
  /// Raw pointers, so that stores in a loop cannot alias the members.
  struct View {
    std::uint32_t* heads;
    PairLink* links;
    int bits;

    /// The chain of a pair of ids in ascending order; prefetches its head.
    std::size_t chain_of(Pair ids) const {
      const std::size_t chain = PairChains::chain_of(ids, bits);
      __builtin_prefetch(heads + chain, 1);
      return chain;
    }
    /// `is_shared`: other threads push at the same time.
    void push(std::size_t chain, std::uint32_t place, Pair pair, std::uint32_t tag,
              bool is_shared) const {
      std::uint32_t next = place;
      if (is_shared) {
        next = std::atomic_ref(heads[chain]).exchange(place, std::memory_order_relaxed);
      } else {
        std::swap(next, heads[chain]);
      }
      links[place] = {pair, next, tag};
    }
    /// Leaves a place out of the chains, with a pair that is not to be found or none.
    void skip(std::size_t place, std::uint32_t tag, Pair pair = kNoIds) const {
      links[place] = {pair, kInNoChain, tag};
    }
  };

  /// Makes room for pairs of ids below `id_count` at `count` places, and one more to skip.
  void begin(const Crew& crew, std::size_t id_count, std::size_t count) {
    bits_ = 0;
    while ((id_count << bits_) < count && bits_ < kMostBits) ++bits_;
    count_ = count;
    resize_scratch(links_, count + 1);
    resize_scratch(heads_, id_count << bits_);
    crew.run_ranges(heads_.size(), crew.chunk_count(heads_.size(), kPairGrain), 1,
                    [&](std::size_t, std::size_t begin, std::size_t end) {
                      std::fill(heads_.plane() + begin, heads_.plane() + end, kNoPair);
                    });
  }
  /// Makes room for lookups of ids below `id_count`.
  void cover(std::size_t id_count) {
    heads_.resize(std::max(heads_.size(), id_count << bits_), kNoPair);
  }
  void make_room_of(const PairChains& other) {
    links_.reserve(other.links_.capacity());
    heads_.reserve(other.heads_.capacity());
  }
  void clear() {
    count_ = 0;
    heads_.clear();
  }

  View view() { return {heads_.plane(), links_.plane(), bits_}; }
  std::size_t size() const { return count_; }
  const PairLink& operator[](std::size_t place) const { return links_[place]; }
  /// op(place) for the pairs of a lower id.
  template <class Op>
  void for_each_of(std::int32_t lower, const Op& op) const {
    const std::size_t first = chain_of({lower, 0}, bits_);
    for (std::size_t chain = first; chain < first + (std::size_t{1} << bits_); ++chain) {
      for (std::uint32_t at = heads_[chain]; at != kNoPair; at = links_[at].next) op(at);
    }
  }

  template <class IsOut>
  void remove_if(const IsOut& is_out) {
    std::fill_n(heads_.plane(), heads_.size(), kNoPair);
    for (std::size_t place = 0; place < count_; ++place) {
      const auto [pair, next, tag] = links_[place];
      if (pair.a < 0) continue;
      if (is_out(pair)) {
        view().skip(place, tag);
      } else if (next != kInNoChain) {
        view().push(chain_of(ascending(pair), bits_), static_cast<std::uint32_t>(place), pair, tag,
                    false);
      }
    }
  }

  std::size_t bytes() const { return heads_.bytes() + links_.bytes(); }

 private:
  static constexpr int kMostBits = 4;
  static constexpr std::uint32_t kInNoChain = kNoPair - 1;

  static std::size_t chain_of(Pair ids, int bits) {
    const std::uint32_t last = static_cast<std::uint32_t>(ids.b) & ((1u << bits) - 1);
    return static_cast<std::size_t>(ids.a) << bits | last;
  }

  Column<std::uint32_t> heads_;  ///< by chain: the place of its first pair, or `kNoPair`
  Column<PairLink> links_;
  std::size_t count_ = 0;
  int bits_ = 0;
};

/// Matches lists through their chains. Keeps its scratch.
class PairMatch {
 public:
  /// Puts the pairs of `list` into the chains `now`, which have begun, and finds each in `last`:
  /// `list.take(place, last place or kNoPair)`, which may be called once more for pairs that were
  /// not found. A list has
  /// - `kIsUnique`: no pair is in it twice, nor in the last one;
  /// - `enter(place)`, first of all: false for places that are skipped;
  /// - `skipped(place)`: the pair of such a place, or `kNoIds`;
  /// - `leave(begin, end)`, after all between were taken;
  /// - `pair_at(place)`, `tag_at(place)`;
  /// - `asked(pair)`: the pair by the last list's ids, a < 0 if it cannot be there;
  /// - `source_at(place)`, `last_source_at(place)`: the order of equal pairs.
  template <class List>
  void run(const Crew& crew, PairChains& last, PairChains& now, const List& list) {
    const std::size_t count = now.size();
    const std::size_t chunks = crew.chunk_count(count, kPairGrain);
    resize_scratch(unsure_, count);
    unsure_counts_.resize_uninitialized(chunks);
    std::fill_n(unsure_counts_.plane(), chunks, std::uint32_t{0});
    crew.run_ranges(count, chunks, 1, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      std::uint32_t* unsure = unsure_.plane() + begin;
      for (std::size_t at = begin; at < end; at += kBlock) {
        unsure = match_block(last.view(), now.view(), at, std::min(end, at + kBlock), chunks > 1,
                             list, unsure);
      }
      unsure_counts_[chunk] = static_cast<std::uint32_t>(unsure - unsure_.plane() - begin);
    });
    std::size_t total = 0;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      const std::size_t begin = Crew::boundary(count, chunks, 1, chunk);
      std::copy_n(unsure_.plane() + begin, unsure_counts_[chunk], unsure_.plane() + total);
      total += unsure_counts_[chunk];
    }
    unsure_.resize_uninitialized(total);
    merge(crew, last, list);
  }

  /// After `run`, if pairs of the last list were taken more than once: the k-th of equal pairs
  /// takes the k-th.
  template <class List>
  void run_again(const Crew& crew, const PairChains& last, std::size_t count, const List& list) {
    resize_scratch(unsure_, count);
    std::size_t total = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (list.enter(i) && list.asked(list.pair_at(i)).a >= 0) {
        unsure_[total++] = static_cast<std::uint32_t>(i);
      }
    }
    unsure_.resize_uninitialized(total);
    merge(crew, last, list);
  }

  std::size_t bytes() const {
    return unsure_.bytes() + unsure_counts_.bytes() + others_.bytes() + found_.bytes() +
           records_.bytes() + swap_.bytes() + counters_.bytes();
  }

 private:
  static constexpr std::size_t kBlock = 128;
  static constexpr int kLongestChain = 12;
  static constexpr std::uint32_t kSeveral = kNoPair - 1;

  /// Appends the places of [begin, end) that must be merged to `unsure`. All pairs take a step
  /// along their chains before any takes the next, so that nothing waits for memory or branches on
  /// one pair.
  template <class List>
  static std::uint32_t* match_block(const PairChains::View last, const PairChains::View now,
                                    std::size_t begin, std::size_t end, bool is_shared,
                                    const List list, std::uint32_t* unsure) {
    Pair pairs[kBlock], ids[kBlock];
    std::uint32_t places[kBlock], at[kBlock], found[kBlock];
    std::size_t now_chain[kBlock], last_chain[kBlock];
    std::uint16_t left[kBlock];
    std::size_t count = 0, left_count = 0;
    for (std::size_t place = begin; place < end; ++place) {
      if (!list.enter(place)) {
        now.skip(place, list.tag_at(place), list.skipped(place));
        continue;
      }
      const Pair pair = list.pair_at(place), asked = ascending(list.asked(pair));
      pairs[count] = pair;
      places[count] = static_cast<std::uint32_t>(place);
      now_chain[count] = now.chain_of(ascending(pair));
      ids[count] = asked;
      // A pair that cannot be there equals none, whatever the chain.
      last_chain[count] = asked.a < 0 ? 0 : last.chain_of(asked);
      ++count;
    }
    for (std::size_t i = 0; i < count; ++i) {
      at[i] = last.heads[last_chain[i]];
      __builtin_prefetch(last.links + (at[i] == kNoPair ? 0 : at[i]));  // without a branch
      found[i] = kNoPair;
      left[left_count] = static_cast<std::uint16_t>(i);
      left_count += at[i] != kNoPair ? 1 : 0;
      now.push(now_chain[i], places[i], pairs[i], list.tag_at(places[i]), is_shared);
    }
    for (int step = 0; left_count > 0 && step < kLongestChain; ++step) {
      std::size_t still_left = 0;
      for (std::size_t j = 0; j < left_count; ++j) {
        const std::uint16_t i = left[j];
        const PairLink link = last.links[at[i]];
        const bool is_same = (link.pair.a ^ link.pair.b ^ ids[i].a) == ids[i].b;
        const bool is_first = List::kIsUnique | (found[i] == kNoPair);
        // Numbers and masks, since a branch would be unpredictable.
        const std::uint32_t same = 0 - static_cast<std::uint32_t>(is_same);
        const std::uint32_t other = is_first ? at[i] : kSeveral;
        found[i] = (other & same) | (found[i] & ~same);
        at[i] = link.next;
        left[still_left] = i;
        const bool is_done = (link.next == kNoPair) | (List::kIsUnique & is_same);
        still_left += static_cast<std::size_t>(!is_done);
      }
      left_count = still_left;
    }
    for (std::size_t j = 0; j < left_count; ++j) found[left[j]] = kSeveral;
    for (std::size_t i = 0; i < count; ++i) {
      if (found[i] == kSeveral) {
        if (ids[i].a >= 0) *unsure++ = places[i];
        found[i] = kNoPair;
      }
      list.take(places[i], found[i]);
    }
    list.leave(begin, end);
    return unsure;
  }

  /// Matches the places in `unsure_`.
  template <class List>
  void merge(const Crew& crew, const PairChains& last, const List& list) {
    if (unsure_.empty()) return;
    const auto ids_here = [&](std::uint32_t place) {
      return ascending(list.asked(list.pair_at(place)));
    };
    const auto ids_there = [&](std::uint32_t place) { return ascending(last[place].pair); };
    sort(crew, ids_here, [&](std::uint32_t place) { return list.source_at(place); }, unsure_);
    others_.clear();
    std::int32_t lower = -1;
    for (const std::uint32_t place : unsure_) {
      if (ids_here(place).a == lower) continue;
      lower = ids_here(place).a;
      last.for_each_of(lower, [&](std::uint32_t other) { others_.push_back({other}); });
    }
    sort(crew, ids_there, [&](std::uint32_t place) { return list.last_source_at(place); }, others_);
    resize_scratch(found_, unsure_.size());
    const auto is_before = [](Pair a, Pair b) { return a.a != b.a ? a.a < b.a : a.b < b.b; };
    std::size_t at = 0;
    for (std::size_t i = 0; i < unsure_.size(); ++i) {
      const Pair ids = ids_here(unsure_[i]);
      while (at < others_.size() && is_before(ids_there(others_[at]), ids)) ++at;
      const bool is_found = at < others_.size() && ids_there(others_[at]) == ids;
      found_[i] = is_found ? others_[at++] : kNoPair;
    }
    crew.run_ranges(unsure_.size(), crew.chunk_count(unsure_.size(), kPairGrain), 1,
                    [&](std::size_t, std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) list.take(unsure_[i], found_[i]);
                    });
  }

  /// By lower id, higher id and source.
  template <class IdsOf, class SourceOf>
  void sort(const Crew& crew, const IdsOf& ids_of, const SourceOf& source_of,
            Column<std::uint32_t>& places) {
    const auto by = [&](const auto& key_of) {
      sort_places(crew, key_of, records_, swap_, counters_, places);
    };
    by(source_of);
    by([&](std::uint32_t place) { return static_cast<std::uint32_t>(ids_of(place).b); });
    by([&](std::uint32_t place) { return static_cast<std::uint32_t>(ids_of(place).a); });
  }

  Column<std::uint32_t> unsure_, unsure_counts_;
  Column<std::uint32_t> others_;  ///< places of the last list
  Column<std::uint32_t> found_;   ///< by place in `unsure_`
  Column<std::uint64_t> records_, swap_;
  Column<std::uint32_t> counters_;
};

}  // namespace widephase
