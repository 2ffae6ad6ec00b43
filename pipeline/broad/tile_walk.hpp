#pragma once

// Walks tile trees level by level and appends pairs of ids in an order that does not depend on
// threads or instruction set: lists of pairs of tiles, taken in blocks of kBlockPairs.

#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <widephase/pairs.hpp>

#include "pipeline/broad/tile_tree.hpp"
#include "pipeline/rows/pair_filter.hpp"
#include "soa/crew.hpp"
#include "soa/large_pages.hpp"
#include "soa/number_text.hpp"

namespace widephase {

/// Blocks that are worth a chunk of a walk.
inline constexpr std::size_t kBlockGrain = 32;
/// Pairs of a window, to be multiplied by the threads: two chunks per thread.
inline constexpr std::size_t kWindowPairs = 2 * kBlockGrain * kBlockPairs;

/// How many pairs a call may store. All threads add what they find to one count. Once it is too
/// large they store nothing but continue counting, up to `kCountedCaps` times the cap. Whether it
/// gets there depends only on the pairs, since each is counted once.
class PairCap {
 public:
  void start(std::size_t most) {
    const std::size_t one = most == 0 ? 1 : most;
    most_ = most;
    end_ = one > kNoCap / kCountedCaps ? kNoCap : one * kCountedCaps;
    found_.store(0, std::memory_order_relaxed);
  }
  bool is_set() const { return most_ != kNoCap; }
  bool is_passed() const { return found_.load(std::memory_order_relaxed) > most_; }
  /// Whether counting may stop.
  bool has_ended() const { return found_.load(std::memory_order_relaxed) >= end_; }

  /// Counts the pairs from `first` on; empties the list if there are too many in all.
  void count(std::size_t first, Column<Pair>& pairs) {
    found_.fetch_add(pairs.size() - first, std::memory_order_relaxed);
    if (is_passed()) pairs.clear();
  }

  /// Throws `CapacityError` and empties the list if there are too many.
  void require(Column<Pair>& pairs) const {
    if (!is_passed()) return;
    pairs.clear();
    const bool is_exact = !has_ended();
    const std::size_t found = is_exact ? found_.load(std::memory_order_relaxed) : end_;
    AnswerCounts needed;
    needed.pairs = static_cast<std::int64_t>(found);
    needed.exact = is_exact;
    throw CapacityError({"max_pairs", -1,
                         "is " + number(most_) + "; the answer needs " +
                             (is_exact ? "" : "at least ") + number(found)},
                        needed);
  }

 private:
  std::size_t most_ = kNoCap;
  std::size_t end_ = kNoCap;
  std::atomic<std::size_t> found_{0};
};

/// One step of a walk: both sides of its pairs are opened, or one.
struct WalkStep {
  enum class Opens { both, first, second };

  WalkLevel level;
  Opens opens;

  /// The most pairs that come out of one.
  std::size_t most() const { return opens == Opens::both ? kTileLanes * kTileLanes : kTileLanes; }
};

/// The most steps of two trees, if each level is opened separately.
inline constexpr int kMostSteps = 2 * kMostLevels;

struct WalkScratch {
  /// The input of each step, that of the last step first: a lower tree does not touch the lists of
  /// its first steps.
  Column<Pair> lists[kMostSteps];
  std::vector<Column<Pair>> parts;  ///< the output of each chunk
  Column<std::size_t> offsets;

  std::size_t bytes() const {
    std::size_t sum = offsets.bytes();
    for (const Column<Pair>& list : lists) sum += list.bytes();
    for (const Column<Pair>& part : parts) sum += part.bytes();
    return sum;
  }
};

template <int D, class T>
class Walker {
 public:
  Walker(const BroadTable<D, T>& kernels, const Crew& crew, WalkScratch& scratch,
         const PairFilter& filter, PairCap& cap, Column<Pair>& pairs)
      : kernels_(kernels),
        crew_(crew),
        scratch_(scratch),
        filter_(filter),
        cap_(cap),
        pairs_(pairs) {}

  /// The pairs of leaves that the last walk of one tree opened.
  std::size_t opened() const { return opened_; }

  /// Pairs within a tree.
  void walk(const TileTree<D, T>& tree) {
    if (tree.box_count < 2) return;
    step_count_ = 0;
    opened_ = 0;
    names_ = tree.names.empty() ? nullptr : tree.names.plane();
    walk_down(tree, tree, tree.level_count - 2);
    names_ = nullptr;
  }

  /// Pairs of two trees in one frame.
  void walk(const TileTree<D, T>& a, const TileTree<D, T>& b) {
    if (a.box_count == 0 || b.box_count == 0) return;
    step_count_ = 0;
    int level_a = a.level_count - 1;
    int level_b = b.level_count - 1;
    // A list holds (lane of `level_a`, lane of `level_b`): both are roots.
    for (; level_a > level_b; --level_a) add_descent(a, b, level_a - 1, level_b, Opens::first);
    for (; level_b > level_a; --level_b) add_descent(a, b, level_a, level_b - 1, Opens::second);
    walk_down(a, b, level_a - 1);
  }

  /// Pairs {id of `kept`, id of `asked`} of the trees of two sets in one frame.
  ///
  /// The trees are opened so that nodes of similar extent meet, however different the counts. When
  /// the tree of fewer boxes ends, its boxes go on alone: a hundred large boxes among a million
  /// then cost no more than a hundred queries. Opening the larger tree first would be a pass over
  /// it.
  void walk_sets(const TileTree<D, T>& kept, const TileTree<D, T>& asked) {
    if (kept.box_count == 0 || asked.box_count == 0) return;
    step_count_ = 0;
    int level_asked = asked.level_count - 1;
    int level_kept = kept.level_count - 1;
    const int like_gap = gap_of_like_extent(kept.box_count, asked.box_count);
    while (level_asked > 0 || level_kept > 0) {
      const int gap = level_kept - level_asked;
      const bool opens_asked = level_asked > 0 && (gap <= like_gap || level_kept == 0);
      const bool opens_kept = level_kept > 0 && (gap >= like_gap || level_asked == 0);
      const float* const parents[2] = {asked.level[level_asked], kept.level[level_kept]};
      level_asked -= opens_asked ? 1 : 0;
      level_kept -= opens_kept ? 1 : 0;
      // Kernels prefetch tiles of the second tree; the first tree's is at hand.
      add_step({{asked.level[level_asked], kept.level[level_kept]},
                {parents[0], parents[1]},
                {nullptr, nullptr},
                false,
                true},
               opens_asked && opens_kept ? Opens::both
               : opens_asked             ? Opens::first
                                         : Opens::second);
    }
    take_steps(1, trees_opener(),
               [&](Pair* out, std::size_t count) { return keep_of_sets(asked, kept, out, count); });
  }

  /// Pairs of a tree's boxes and halfspaces in its frame. `halfspaces_exact` (double only): normal
  /// and offset, D + 1 numbers each.
  void walk(const TileTree<D, T>& tree, const HalfspaceRow<D>* halfspaces,
            const T* halfspaces_exact, std::size_t count) {
    if (tree.box_count == 0 || count == 0) return;
    step_count_ = 0;
    for (int level = tree.level_count - 2; level >= 0; --level) {
      add_step(level_of(tree, tree, level), Opens::first);
    }
    const auto open = [&](const WalkStep& step, const Pair* in, std::size_t n, Pair* out) {
      return kernels_.halfspaces(step.level, halfspaces, in, n, out);
    };
    take_steps(count, open, [&](Pair* out, std::size_t found) {
      if constexpr (TileTree<D, T>::kHasExact) {
        found = keep_reaching(tree, halfspaces, halfspaces_exact, out, found);
      }
      return found;
    });
  }

 private:
  using Opens = WalkStep::Opens;

  /// How many blocks follow unnoted after one with more unsure pairs than are noted.
  static constexpr int kBlocksUnnoted = 64;

  /// How many levels above nodes of `b` nodes of `a` have the same width if both sets fill the same
  /// space: the logarithm of the counts' ratio to base 16, rounded away from 0.
  static int gap_of_like_extent(std::size_t a, std::size_t b) {
    const int doublings = static_cast<int>(std::bit_width(a)) - static_cast<int>(std::bit_width(b));
    return doublings < 0 ? (doublings - 3) / 4 : (doublings + 3) / 4;
  }

  void add_step(const WalkLevel& level, Opens opens) { steps_[step_count_++] = {level, opens}; }

  static WalkLevel level_of(const TileTree<D, T>& a, const TileTree<D, T>& b, int level) {
    const bool is_leaf = level == 0;
    const bool with_ids = is_leaf && !TileTree<D, T>::kHasExact;
    return {{a.level[level], b.level[level]},
            {a.level[level + 1], b.level[level + 1]},
            {with_ids ? a.lane_ids.plane() : nullptr, with_ids ? b.lane_ids.plane() : nullptr},
            &a == &b,
            !is_leaf};
  }

  void add_descent(const TileTree<D, T>& a, const TileTree<D, T>& b, int level_a, int level_b,
                   Opens side) {
    // The opened side's tiles are one level lower; the kept side's boxes are lanes of its level.
    add_step({{a.level[level_a], b.level[level_b]},
              {a.level[level_a], b.level[level_b]},
              {nullptr, nullptr},
              false,
              true},
             side);
  }

  /// Takes the steps so far, and then those from `level` of both trees to the leaves.
  void walk_down(const TileTree<D, T>& a, const TileTree<D, T>& b, int level) {
    for (; level >= 0; --level) add_step(level_of(a, b, level), Opens::both);
    if constexpr (TileTree<D, T>::kHasExact) {
      if (&a == &b) {
        const float slack = slack_of(a);
        std::atomic<int> unnoted{0};
        const auto open = [&](const WalkStep& step, const Pair* in, std::size_t n, Pair* out) {
          return step.level.with_itself ? kernels_.walk(step.level, in, n, out, nullptr)
                                        : walk_leaves(a, step.level, in, n, out, slack, unnoted);
        };
        take_steps(1, open, [](Pair*, std::size_t found) { return found; });
        return;
      }
    }
    take_steps(1, trees_opener(), [&](Pair* out, std::size_t found) {
      if constexpr (TileTree<D, T>::kHasExact) {
        found = keep_overlapping(a, b, out, found, ordered);
      }
      return found;
    });
  }

  /// An overlap of a tree's boxes by more than this is one of the unrounded ones: twice what
  /// `rounded_outwards` (kernels/broad/centres.hpp) can have added to both.
  static float slack_of(const TileTree<D, T>& tree) {
    const float* const root = tree.level[tree.level_count - 1];
    float farthest = 0;
    for (int k = 0; k < 2 * D; ++k) farthest = std::max(farthest, std::abs(root[k * kTileLanes]));
    return farthest * (8 * kOutwards) + 4 * std::numeric_limits<float>::min();
  }
  /// The pairs of leaves of a tree with unrounded boxes, which are read only where the others leave
  /// it open. Blocks with too many such pairs come together, as in stacks or beside a far shape: the
  /// next `unnoted` ones are not walked twice. Either way gives the same pairs.
  std::size_t walk_leaves(const TileTree<D, T>& tree, const WalkLevel& level, const Pair* in,
                          std::size_t n, Pair* out, float slack, std::atomic<int>& unnoted) const {
    const auto look_up_all = [&] {
      const std::size_t count = kernels_.walk(level, in, n, out, nullptr);
      return keep_overlapping(tree, tree, out, count, ordered);
    };
    if (unnoted.load(std::memory_order_relaxed) > 0) {
      unnoted.fetch_sub(1, std::memory_order_relaxed);
      return look_up_all();
    }
    UnsurePairs unsure;
    unsure.slack = slack;
    unsure.count = 0;
    WalkLevel with_rows = level;
    with_rows.ids[0] = with_rows.ids[1] = tree.lane_ids.plane();
    const std::size_t found = kernels_.walk(with_rows, in, n, out, &unsure);
    if (unsure.count > kMostUnsure) {
      unnoted.store(kBlocksUnnoted, std::memory_order_relaxed);
      return look_up_all();
    }
    bool are_all_met = true;
    for (std::uint32_t k = 0; k < unsure.count; ++k) {
      Pair& rows = out[unsure.at[k]];
      if (overlap(exact_box(tree, rows.a), exact_box(tree, rows.b))) continue;
      rows = {-1, -1};
      are_all_met = false;
    }
    if (are_all_met && tree.ids == nullptr && tree.first_id == 0) return found;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < found; ++i) {
      const Pair rows = out[i];
      if (rows.a >= 0) out[kept++] = ordered(tree.id_of_row(rows.a), tree.id_of_row(rows.b));
    }
    return kept;
  }

  /// op(k, place of number k) for the unrounded box of a row.
  template <class Op>
  static void for_each_exact(const TileTree<D, T>& tree, std::int32_t row, const Op& op) {
    const BoxSource<D, T>& from = tree.source;
    const std::ptrdiff_t box =
        from.ids == nullptr ? std::ptrdiff_t{from.first} + row : from.ids[row];
    for (int k = 0; k < 2 * D; ++k) {
      const std::ptrdiff_t stride = k < D ? from.min_stride : from.max_stride;
      const auto* const column =
          reinterpret_cast<const std::byte*>(k < D ? from.min[k] : from.max[k - D]);
      op(k, tree.keeps_exact ? tree.exact.plane() + std::ptrdiff_t{row} * kExactNumbers<D> + k
                             : reinterpret_cast<const T*>(column + box * stride));
    }
  }
  struct ExactBox {
    T number[2 * D];
  };
  static ExactBox exact_box(const TileTree<D, T>& tree, std::int32_t row) {
    ExactBox box;
    for_each_exact(tree, row, [&](int k, const T* from) { box.number[k] = *from; });
    return box;
  }
  static bool overlap(const ExactBox& a, const ExactBox& b) {
    bool is_met = true;
    for (int d = 0; d < D; ++d) {
      is_met &= (a.number[d] <= b.number[D + d]) & (b.number[d] <= a.number[D + d]);
    }
    return is_met;
  }

  auto trees_opener() const {
    return [this](const WalkStep& step, const Pair* in, std::size_t n, Pair* out) {
      return step.opens == Opens::both
                 ? kernels_.walk(step.level, in, n, out, nullptr)
                 : kernels_.descend(step.level, step.opens == Opens::first ? 0 : 1, in, n, out);
    };
  }

  /// All steps, beginning with the pairs (0, 0), (0, 1), ... (0, roots - 1).
  /// `open(step, in, count, out)` opens pairs, and `finish(out, count)` turns those of the last
  /// step into pairs of ids.
  template <class Open, class Finish>
  void take_steps(std::size_t roots, const Open& open, const Finish& finish) {
    Column<Pair>& list = list_of(0);
    list.resize_uninitialized(roots);
    for (std::size_t i = 0; i < roots; ++i) list[i] = {0, static_cast<std::int32_t>(i)};
    take_step(0, open, finish);
  }

  Column<Pair>& list_of(int step) { return scratch_.lists[step_count_ - 1 - step]; }

  /// Step by step. If pairs are capped, one window of each step's list goes down to the pairs
  /// before the next one: the order is the same, and no list is longer than a window gives.
  template <class Open, class Finish>
  void take_step(int number, const Open& open, const Finish& finish) {
    const WalkStep& step = steps_[number];
    const Column<Pair>& list = list_of(number);
    const std::size_t window =
        cap_.is_set() ? kWindowPairs * static_cast<std::size_t>(crew_.size) : list.size();
    for (std::size_t begin = 0; begin < list.size() && !cap_.has_ended(); begin += window) {
      const std::span<const Pair> part(list.plane() + begin, std::min(window, list.size() - begin));
      if (number + 1 < step_count_) {
        Column<Pair>& next = list_of(number + 1);
        next.clear();
        run_level(part, step.most(), next,
                  [&](const Pair* in, std::size_t n, Pair* out) { return open(step, in, n, out); });
        if (names_ != nullptr && number + 2 == step_count_) leave_names_out(next);
        take_step(number + 1, open, finish);
        continue;
      }
      opened_ += part.size();
      const std::size_t first = pairs_.size();
      run_level(part, step.most(), pairs_, [&](const Pair* in, std::size_t n, Pair* out) {
        return filter_.keep(out, finish(out, open(step, in, n, out)));
      });
      if (cap_.is_set()) cap_.count(first, pairs_);
    }
  }

  /// Leaves out the pairs of tiles whose shapes may not meet.
  void leave_names_out(Column<Pair>& tiles) const {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const Pair pair = tiles[i];
      tiles[kept] = pair;
      kept += filter_.may_meet(names_[pair.a], names_[pair.b]) ? 1 : 0;
    }
    tiles.resize_uninitialized(kept);
  }

  /// Turns lanes of `asked` and `kept` into ids, in the other order.
  static std::size_t keep_of_sets(const TileTree<D, T>& asked, const TileTree<D, T>& kept,
                                  Pair* pairs, std::size_t count) {
    if constexpr (TileTree<D, T>::kHasExact) {
      return keep_overlapping(asked, kept, pairs, count,
                              [](std::int32_t a, std::int32_t b) { return Pair{b, a}; });
    }
    for (std::size_t i = 0; i < count; ++i) {
      const auto lane_asked = static_cast<std::size_t>(pairs[i].a);
      const auto lane_kept = static_cast<std::size_t>(pairs[i].b);
      pairs[i] = {kept.lane_ids[lane_kept], asked.lane_ids[lane_asked]};
    }
    return count;
  }

  /// Whether boxes of lanes overlap by more than they were rounded outwards (`rounded_outwards` of
  /// kernels/broad/centres.hpp, with a factor of two to spare): then the unrounded ones overlap.
  static bool surely_overlap(const TileTree<D, T>& a, std::int32_t lane_a, const TileTree<D, T>& b,
                             std::int32_t lane_b) {
    const auto box_of_lane = [](const TileTree<D, T>& tree, std::int32_t lane) {
      const auto place = static_cast<std::size_t>(lane);
      return tree.level[0] + place / kTileLanes * kTileFloats<D> + place % kTileLanes;
    };
    const auto is_over = [](float max, float min) {
      return max - min >
             (std::abs(max) + std::abs(min)) * (4 * kOutwards) +
                 4 * std::numeric_limits<float>::min();
    };
    const float* const box_a = box_of_lane(a, lane_a);
    const float* const box_b = box_of_lane(b, lane_b);
    bool is_sure = true;
    for (int d = 0; d < D; ++d) {
      const int min = d * kTileLanes, max = (D + d) * kTileLanes;
      is_sure &= is_over(box_a[max], box_b[min]);
      is_sure &= is_over(box_b[max], box_a[min]);
    }
    return is_sure;
  }

  /// Turns lanes into `pair_of(id, id)` if the unrounded boxes overlap. These are in the caller's
  /// order, anywhere in memory, and are read only if the rounded ones leave it open.
  template <class PairOf>
  static std::size_t keep_overlapping(const TileTree<D, T>& a, const TileTree<D, T>& b, Pair* pairs,
                                      std::size_t count, const PairOf& pair_of) {
    constexpr std::size_t kAtOnce = 64;
    std::int32_t rows_a[kAtOnce], rows_b[kAtOnce];
    bool is_sure[kAtOnce];
    const auto fetch = [](int, const T* number) { __builtin_prefetch(number); };
    std::size_t kept = 0;
    for (std::size_t begin = 0; begin < count; begin += kAtOnce) {
      const std::size_t size = std::min(kAtOnce, count - begin);
      for (std::size_t i = 0; i < size; ++i) {
        const Pair lanes = pairs[begin + i];
        rows_a[i] = a.lane_ids[static_cast<std::size_t>(lanes.a)];
        rows_b[i] = b.lane_ids[static_cast<std::size_t>(lanes.b)];
        is_sure[i] = surely_overlap(a, lanes.a, b, lanes.b);
        if (is_sure[i]) continue;
        for_each_exact(a, rows_a[i], fetch);
        for_each_exact(b, rows_b[i], fetch);
      }
      for (std::size_t i = 0; i < size; ++i) {
        const bool is_met = is_sure[i] || overlap(exact_box(a, rows_a[i]), exact_box(b, rows_b[i]));
        pairs[kept] = pair_of(a.id_of_row(rows_a[i]), b.id_of_row(rows_b[i]));
        kept += is_met ? 1 : 0;
      }
    }
    return kept;
  }

  static std::size_t keep_reaching(const TileTree<D, T>& tree, const HalfspaceRow<D>* halfspaces,
                                   const T* exact, Pair* pairs, std::size_t count) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t row = tree.lane_ids[static_cast<std::size_t>(pairs[i].a)];
      const ExactBox box = exact_box(tree, row);
      const T* const plane = exact + static_cast<std::size_t>(pairs[i].b) * (D + 1);
      T dot = 0;
      T size = 0;
      for (int d = 0; d < D; ++d) {
        const T term = plane[d] == 0 ? T(0) : plane[d] * box.number[plane[d] < 0 ? D + d : d];
        dot += term;
        size += std::abs(term);
      }
      // D products and sums, each off by at most half an epsilon of the sum of sizes.
      const bool is_apart = (dot - size * (4 * std::numeric_limits<T>::epsilon()) > plane[D]) ||
                            (dot == std::numeric_limits<T>::infinity());
      pairs[kept] = ordered(tree.id_of_row(row), halfspaces[pairs[i].b].id);
      kept += is_apart ? 0 : 1;
    }
    return kept;
  }

  static Pair ordered(std::int32_t a, std::int32_t b) { return a < b ? Pair{a, b} : Pair{b, a}; }

  /// Runs a kernel over the list, with at most `most` pairs out of one, and appends the output in
  /// order.
  template <class Kernel>
  void run_level(std::span<const Pair> from, std::size_t most, Column<Pair>& out,
                 const Kernel& kernel) {
    const Pair* const list = from.data();
    const std::size_t size = from.size();
    const std::size_t blocks = (size + kBlockPairs - 1) / kBlockPairs;
    const std::size_t chunks = crew_.chunk_count(blocks, kBlockGrain);
    if (chunks == 1) {
      run_blocks(list, size, most, out, kernel);
      return;
    }
    // Uneven work: more chunks than in a streaming step would only cost buffers.
    if (scratch_.parts.size() < chunks) scratch_.parts.resize(chunks);
    crew_.run(chunks, [&](std::size_t chunk) {
      const std::size_t begin = Crew::boundary(size, chunks, kBlockPairs, chunk);
      const std::size_t end = Crew::boundary(size, chunks, kBlockPairs, chunk + 1);
      scratch_.parts[chunk].clear();
      run_blocks(list + begin, end - begin, most, scratch_.parts[chunk], kernel);
    });
    scratch_.offsets.resize_uninitialized(chunks);
    std::size_t total = out.size();
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      scratch_.offsets[chunk] = total;
      total += scratch_.parts[chunk].size();
    }
    resize_scratch(out, total);
    crew_.run(chunks, [&](std::size_t chunk) {
      const Column<Pair>& part = scratch_.parts[chunk];
      if (part.empty()) return;
      std::memcpy(out.plane() + scratch_.offsets[chunk], part.plane(), part.size() * sizeof(Pair));
    });
  }

  template <class Kernel>
  static void run_blocks(const Pair* list, std::size_t size, std::size_t most, Column<Pair>& out,
                         const Kernel& kernel) {
    // Emitters always store 16 pairs; the padding of a column has room for them.
    static_assert(Column<Pair>::padding_bytes >= kTileLanes * sizeof(Pair));
    std::size_t count = out.size();
    for (std::size_t i = 0; i < size; i += kBlockPairs) {
      const std::size_t block = size - i < kBlockPairs ? size - i : kBlockPairs;
      resize_scratch(out, count + block * most);
      count += kernel(list + i, block, out.plane() + count);
      out.resize_uninitialized(count);
    }
  }

  const BroadTable<D, T>& kernels_;
  const Crew& crew_;
  WalkScratch& scratch_;
  const PairFilter& filter_;
  PairCap& cap_;
  Column<Pair>& pairs_;
  WalkStep steps_[kMostSteps];
  int step_count_ = 0;
  std::size_t opened_ = 0;
  const SharedNames* names_ = nullptr;  ///< of the leaves' tiles
};

}  // namespace widephase
