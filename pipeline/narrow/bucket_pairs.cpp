// How the narrow phase bins pairs by their two kinds: a stable counting sort in chunks, which also
// checks the pairs.

#include <algorithm>

#include "pipeline/narrow/narrow_phase.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/kind_traits.hpp"
#include "soa/large_pages.hpp"
#include "soa/threads.hpp"

namespace widephase {

namespace {

/// Pairs of a chunk while they are binned by kind.
constexpr std::size_t kPairsABucketChunk = 16384;

/// Kinds of ids and pairs, for scenes of more than one kind.
class PairClassifier {
 public:
  explicit PairClassifier(const SceneLayout& layout) {
    for (int kind = 0; kind < kKindCount; ++kind) {
      if (layout.count(static_cast<Kind>(kind)) == 0) continue;
      kinds_[count_] = kind;
      ends_[count_++] = layout.first[kind + 1];
    }
    for (int i = 0; i < count_; ++i) {
      for (int j = 0; j < count_; ++j) {
        buckets_[i * kKindCount + j] = static_cast<std::uint8_t>(
            pair_kind(static_cast<Kind>(kinds_[i]), static_cast<Kind>(kinds_[j])));
      }
    }
  }
  int kind_count() const { return count_; }
  int kind_at(int place) const { return kinds_[place]; }
  /// Which of the kinds present an id is of.
  int place(std::int32_t id) const {
    int at = 0;
    for (int i = 0; i + 1 < count_; ++i) at += id >= ends_[i];
    return at;
  }
  int bucket(Pair pair) const { return buckets_[place(pair.a) * kKindCount + place(pair.b)]; }

 private:
  int count_ = 0;
  std::array<int, kKindCount> kinds_{};
  std::array<std::int32_t, kKindCount> ends_{};
  std::array<std::uint8_t, kKindCount * kKindCount> buckets_{};
};

}  // namespace

template <int D, class T>
void NarrowPhase<D, T>::bucket(const SceneRows<D, T>& rows, std::span<const Pair> pairs,
                               bool is_trusted, const KernelTable<D, SizeOf<T>>& table,
                               const Threads& threads) {
  const SceneLayout& layout = rows.layout;
  buckets_.clear();
  source_.clear();
  pairs_ = pairs;
  is_ascending_ = true;
  if (pairs.empty()) return;
  require_address("pairs", pairs);

  const IdRange all{0, layout.shape_count()};
  const std::size_t chunk_count = (pairs.size() + kPairsABucketChunk - 1) / kPairsABucketChunk;
  const auto chunk_of = [&](std::size_t chunk) {
    const std::size_t begin = chunk * kPairsABucketChunk;
    return pairs.subspan(begin, std::min(kPairsABucketChunk, pairs.size() - begin));
  };
  const PairClassifier classifier(layout);
  // What has no kernel has no answer: two unbounded shapes, and pairs of worlds that are left out.
  constexpr Kind kUnbounded = static_cast<Kind>(unbounded_kinds().begin);
  constexpr int kNoAnswer = pair_kind(kUnbounded, kUnbounded);
  const bool has_unanswered = !is_trusted && !rows.world_mask.empty();
  const auto bucket_of = [&](Pair pair) {
    return has_unanswered && !rows.is_answered(pair) ? kNoAnswer : classifier.bucket(pair);
  };
  if (is_trusted && classifier.kind_count() == 1) {
    const Kind kind = static_cast<Kind>(classifier.kind_at(0));
    buckets_.push_back({pair_kind(kind, kind), 0, pairs.size()});
    return;
  }

  // First pass per chunk: most chunks hold one kind of pair and need no counting.
  enum : std::uint8_t { kIsWrong = 1, kIsDescending = 2 };
  chunk_notes_.resize_uninitialized(chunk_count);
  counts_.resize_uninitialized(chunk_count * kPairKindCount);
  for_chunks(threads, chunk_count, [&](std::size_t chunk) {
    const std::span<const Pair> part = chunk_of(chunk);
    std::int64_t* const counts = counts_.plane() + chunk * kPairKindCount;
    std::fill_n(counts, kPairKindCount, 0);
    chunk_notes_[chunk] = 0;
    const Pair first = part.front();
    const PairCheck of_first_in_all = table.check_pairs(&first, 1, all, all);
    IdRange a = all, b = all;
    int bucket = 0;
    if (!of_first_in_all.is_outside) {
      const int kind_a = classifier.kind_at(classifier.place(first.a));
      const int kind_b = classifier.kind_at(classifier.place(first.b));
      a = {layout.first[kind_a], layout.first[kind_a + 1]};
      b = {layout.first[kind_b], layout.first[kind_b + 1]};
      bucket = classifier.bucket(first);
    }
    PairCheck check = table.check_pairs(part.data(), part.size(), a, b);
    const bool is_uniform = !check.is_outside;
    if (!is_uniform) check = table.check_pairs(part.data(), part.size(), all, all);
    if (check.is_outside || check.has_equal) {
      chunk_notes_[chunk] = kIsWrong;
      return;
    }
    if (check.has_descending) chunk_notes_[chunk] = kIsDescending;
    if (is_uniform && !has_unanswered) {
      counts[bucket] = static_cast<std::int64_t>(part.size());
    } else {
      for (const Pair pair : part) ++counts[bucket_of(pair)];
    }
  });
  for (const std::uint8_t note : chunk_notes_) {
    if (note == kIsWrong) throw Error(validate_pairs(layout, pairs).front());
    if (note == kIsDescending) is_ascending_ = false;
  }

  std::int64_t sum = 0;
  for (int kind = 0; kind < kPairKindCount; ++kind) {
    const std::int64_t begin = sum;
    for (std::size_t chunk = 0; chunk < chunk_count; ++chunk) {
      std::int64_t& count = counts_[chunk * kPairKindCount + static_cast<std::size_t>(kind)];
      const std::int64_t in_chunk = count;
      count = sum;
      sum += in_chunk;
    }
    if (sum == begin) continue;
    buckets_.push_back(
        {kind, static_cast<std::size_t>(begin), static_cast<std::size_t>(sum - begin)});
  }
  if (buckets_.size() == 1) return;  // already in order
  resize_scratch(bucketed_, pairs.size());
  resize_scratch(source_, pairs.size());
  for_chunks(threads, chunk_count, [&](std::size_t chunk) {
    std::int64_t* const places = counts_.plane() + chunk * kPairKindCount;
    std::int64_t index = static_cast<std::int64_t>(chunk * kPairsABucketChunk);
    for (const Pair pair : chunk_of(chunk)) {
      const auto place = static_cast<std::size_t>(places[bucket_of(pair)]++);
      bucketed_[place] = pair;
      source_[place] = index++;
    }
  });
  pairs_ = {bucketed_.plane(), bucketed_.size()};
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                            \
  template void NarrowPhase<D, T>::bucket(const SceneRows<D, T>&, std::span<const Pair>, bool, \
                                          const KernelTable<D, SizeOf<T>>&, const Threads&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
