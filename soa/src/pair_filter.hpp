#pragma once

#include <algorithm>
#include <bit>

#include <widephase/pairs.hpp>

namespace widephase {

inline constexpr std::uint64_t kNoPair = ~std::uint64_t{0};

inline std::uint64_t pair_key(std::int32_t a, std::int32_t b) {
  const auto low = static_cast<std::uint32_t>(std::min(a, b));
  const auto high = static_cast<std::uint32_t>(std::max(a, b));
  return static_cast<std::uint64_t>(low) << 32 | high;
}

/// The high bits of a product with 2^64 / golden ratio (Knuth, vol. 3, 6.4).
inline std::size_t pair_slot(std::uint64_t key, std::size_t slot_count) {
  const int bits = std::countr_zero(slot_count);
  return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15u >> (64 - bits));
}

template <class Column>
void check_length(const Column& column, const char* name, std::size_t box_count) {
  if (column.empty() || column.size() == box_count) return;
  throw Error(Finding{name, -1,
                      "has " + std::to_string(column.size()) + " rows; give one a box (" +
                          std::to_string(box_count) + ") or none"});
}

template <class Keep>
std::size_t keep_if(Pair* pairs, std::size_t count, const Keep& keep) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Pair pair = pairs[i];
    pairs[kept] = pair;
    kept += keep(static_cast<std::size_t>(pair.a), static_cast<std::size_t>(pair.b)) ? 1 : 0;
  }
  return kept;
}

/// The filters that work on single pairs: all but the world, which the trees are split by. They
/// see pairs whose boxes overlap, a block at a time.
class PairFilter {
 public:
  /// Throws `Error` when a column's length is not `box_count`. Borrows the columns.
  void set(const FilterSpan& filters, std::size_t box_count);

  /// Moves the pairs to keep to the front, in order, and counts them.
  std::size_t keep(Pair* pairs, std::size_t count) const;

  std::size_t bytes() const { return excluded_.bytes() + has_excluded_.bytes(); }

 private:
  void set_excluded(const ColumnSpan<std::int32_t, 2>& excluded, std::size_t box_count);
  bool is_excluded(Pair pair) const;

  FilterSpan columns_;
  bool is_active_ = false;
  /// Open addressing over a power of two of slots; kNoPair is an empty one.
  Column<std::uint64_t> excluded_;
  /// Whether a shape is named by any excluded pair: most are not, and need no look-up.
  Column<std::uint8_t> has_excluded_;
  bool has_pairs_ = false;
};

inline void PairFilter::set(const FilterSpan& filters, std::size_t box_count) {
  check_length(filters.world, "world", box_count);
  check_length(filters.category, "category", box_count);
  check_length(filters.mask, "mask", box_count);
  check_length(filters.owner, "owner", box_count);
  check_length(filters.fixed, "fixed", box_count);
  check_length(filters.body, "body", box_count);
  columns_ = filters;
  set_excluded(filters.excluded, box_count);
  is_active_ = !filters.category.empty() || !filters.mask.empty() || !filters.owner.empty() ||
               !filters.fixed.empty() || !filters.body.empty() || has_pairs_;
}

inline void PairFilter::set_excluded(const ColumnSpan<std::int32_t, 2>& excluded,
                                     std::size_t box_count) {
  has_pairs_ = !excluded.empty();
  if (!has_pairs_) return;
  has_excluded_.resize_uninitialized(box_count);
  std::fill_n(has_excluded_.plane(), box_count, std::uint8_t{0});
  const std::size_t slots = std::bit_ceil(excluded.size() * 2 + 2);
  excluded_.resize_uninitialized(slots);
  std::fill_n(excluded_.plane(), slots, kNoPair);
  for (std::size_t i = 0; i < excluded.size(); ++i) {
    const std::int32_t a = excluded(i, 0);
    const std::int32_t b = excluded(i, 1);
    const auto is_id = [&](std::int32_t id) {
      return id >= 0 && static_cast<std::size_t>(id) < box_count;
    };
    if (!is_id(a) || !is_id(b)) {
      throw Error(Finding{"excluded", static_cast<std::int64_t>(i),
                          "is (" + std::to_string(a) + ", " + std::to_string(b) + "); there are " +
                              std::to_string(box_count) + " shapes, whose ids begin at 0"});
    }
    has_excluded_[static_cast<std::size_t>(a)] = 1;
    has_excluded_[static_cast<std::size_t>(b)] = 1;
    const std::uint64_t key = pair_key(a, b);
    std::size_t slot = pair_slot(key, slots);
    while (excluded_[slot] != kNoPair && excluded_[slot] != key) slot = (slot + 1) & (slots - 1);
    excluded_[slot] = key;
  }
}

inline bool PairFilter::is_excluded(Pair pair) const {
  const std::size_t slots = excluded_.size();
  const std::uint64_t key = pair_key(pair.a, pair.b);
  std::size_t slot = pair_slot(key, slots);
  while (excluded_[slot] != kNoPair && excluded_[slot] != key) slot = (slot + 1) & (slots - 1);
  return excluded_[slot] == key;
}

inline std::size_t PairFilter::keep(Pair* pairs, std::size_t count) const {
  if (!is_active_) return count;
  if (!columns_.category.empty() || !columns_.mask.empty()) {
    const auto category = [&](std::size_t id) {
      return columns_.category.empty() ? 1u : columns_.category[id];
    };
    const auto mask = [&](std::size_t id) {
      return columns_.mask.empty() ? ~0u : columns_.mask[id];
    };
    count = keep_if(pairs, count, [&](std::size_t a, std::size_t b) {
      return (category(a) & mask(b)) != 0 && (category(b) & mask(a)) != 0;
    });
  }
  const auto differ_or_none = [&](const ColumnSpan<std::int32_t>& column) {
    if (column.empty()) return;
    count = keep_if(pairs, count, [&](std::size_t a, std::size_t b) {
      const std::int32_t of_a = column[a];
      return (of_a != column[b]) | (of_a == -1);
    });
  };
  differ_or_none(columns_.owner);
  differ_or_none(columns_.body);
  if (!columns_.fixed.empty()) {
    count = keep_if(pairs, count, [&](std::size_t a, std::size_t b) {
      return columns_.fixed[a] == 0 || columns_.fixed[b] == 0;
    });
  }
  if (has_pairs_) {
    count = keep_if(pairs, count, [&](std::size_t a, std::size_t b) {
      if (!(has_excluded_[a] & has_excluded_[b])) return true;
      return !is_excluded({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)});
    });
  }
  return count;
}

}  // namespace widephase
