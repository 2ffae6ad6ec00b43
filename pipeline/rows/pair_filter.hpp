#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>

#include <widephase/pairs.hpp>

#include "pipeline/rows/filter_bytes.hpp"
#include "soa/column_layout.hpp"
#include "soa/number_text.hpp"

namespace widephase {

inline constexpr std::uint64_t kEmptySlot = ~std::uint64_t{0};

inline std::uint64_t pair_key(std::int32_t a, std::int32_t b) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 |
         static_cast<std::uint32_t>(b);
}

/// The high bits of a product with 2^64 / golden ratio (Knuth, vol. 3, 6.4).
inline std::size_t pair_slot(std::uint64_t key, std::size_t slot_count) {
  const int bits = std::countr_zero(slot_count);
  return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15u >> (64 - bits));
}

/// One bit per number, or per its low bits.
class BitSet {
 public:
  /// For numbers below `count`; of many more than `most_set` numbers only the low bits count.
  void clear(std::size_t count, std::size_t most_set) {
    const std::size_t words = std::bit_ceil(std::min(count, most_set * 16) / 64 + 1);
    mask_ = words * 64 - 1;
    words_.resize_uninitialized(words);
    std::fill_n(words_.plane(), words, std::uint64_t{0});
  }
  void set(std::int32_t number) {
    const std::size_t bit = static_cast<std::uint32_t>(number) & mask_;
    words_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  bool has(std::size_t number) const {
    const std::size_t bit = number & mask_;
    return (words_[bit / 64] >> (bit % 64) & 1) != 0;
  }
  std::size_t bytes() const { return words_.bytes(); }

 private:
  Column<std::uint64_t> words_;
  std::size_t mask_ = 0;
};

/// Pairs of ids or owners that never meet: open addressing over a power of two of slots.
class ExcludedPairs {
 public:
  void clear(std::size_t pair_count) {
    const std::size_t slots = std::bit_ceil(pair_count * 2 + 2);
    slots_.resize_uninitialized(slots);
    std::fill_n(slots_.plane(), slots, kEmptySlot);
  }
  void add(std::int32_t a, std::int32_t b) {
    const std::uint64_t key = pair_key(a, b);
    slots_[slot_of(key)] = key;
  }
  bool has(std::int32_t a, std::int32_t b) const {
    const std::uint64_t key = pair_key(a, b);
    return slots_[slot_of(key)] == key;
  }
  std::size_t bytes() const { return slots_.bytes(); }

 private:
  /// The slot of the key, or the one where it would go.
  std::size_t slot_of(std::uint64_t key) const {
    const std::size_t slots = slots_.size();
    std::size_t slot = pair_slot(key, slots);
    while (slots_[slot] != kEmptySlot && slots_[slot] != key) slot = (slot + 1) & (slots - 1);
    return slot;
  }

  Column<std::uint64_t> slots_;  ///< kEmptySlot is an empty one
};

/// Whether both are names of owners or bodies.
inline bool are_names(std::int32_t first, std::int32_t second) {
  const auto is_name = [](std::int32_t name) {
    return name >= 0 && name < std::numeric_limits<std::int32_t>::max();
  };
  return is_name(first) && is_name(second);
}
/// `what`: "an owner" or "a body".
inline std::string wrong_names_text(std::int32_t first, std::int32_t second, const char* what) {
  return "is (" + number(first) + ", " + number(second) + "); " + what + " must be 0 to " +
         number(std::numeric_limits<std::int32_t>::max() - 1);
}

/// Pairs of owners or of bodies that never meet.
class ExcludedNames {
 public:
  void set(const ColumnSpan<std::int32_t, 2>& excluded) {
    has_any_ = !excluded.empty();
    if (!has_any_) return;
    is_excluded_.fill(0);
    among_few_.fill(0);
    pairs_.clear(excluded.size());
    for (std::size_t i = 0; i < excluded.size(); ++i) {
      const std::int32_t first = excluded(i, 0), second = excluded(i, 1);
      if (are_few(first, second)) {
        among_few_[low_bits(first)] |= std::uint64_t{1} << second;
        among_few_[low_bits(second)] |= std::uint64_t{1} << first;
      }
      is_excluded_[low_bits(first)] = 1;
      is_excluded_[low_bits(second)] = 1;
      pairs_.add(std::min(first, second), std::max(first, second));
    }
  }
  bool has_any() const { return has_any_; }
  /// -1 is not a name.
  bool has(std::int32_t a, std::int32_t b) const {
    if (are_few(a, b)) return (among_few_[low_bits(a)] >> b & 1) != 0;
    if ((a == -1) | (b == -1) | !(is_excluded_[low_bits(a)] & is_excluded_[low_bits(b)])) {
      return false;
    }
    return pairs_.has(std::min(a, b), std::max(a, b));
  }
  std::size_t bytes() const { return pairs_.bytes(); }

 private:
  /// Whether both have a bit in `among_few_`: links of a robot do, and are asked for most.
  static bool are_few(std::int32_t a, std::int32_t b) {
    return static_cast<std::uint32_t>(a | b) < kFew;
  }
  std::size_t low_bits(std::int32_t name) const {
    return static_cast<std::uint32_t>(name) % is_excluded_.size();
  }

  static constexpr std::uint32_t kFew = 64;

  ExcludedPairs pairs_;
  std::array<std::uint64_t, kFew> among_few_;
  /// Whether a name with these low bits is in any pair: most are not, and need no look-up.
  std::array<std::uint8_t, 4096> is_excluded_;
  bool has_any_ = false;
};

template <class Column>
void check_length(const Column& column, const char* name, std::size_t box_count) {
  if (column.empty()) return;
  if (column.size() != box_count) {
    throw Error(Finding{name, -1,
                        "has " + number(column.size()) + " rows; give one a box (" +
                            number(box_count) + ") or none"});
  }
  require_layout(name, column);
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

/// Throws `Error` if a column's length is not `box_count`, or it cannot be read.
inline void check_lengths(const FilterSpan& filters, std::size_t box_count) {
  check_length(filters.world, "world", box_count);
  check_length(filters.category, "category", box_count);
  check_length(filters.mask, "mask", box_count);
  check_length(filters.owner, "owner", box_count);
  check_length(filters.fixed, "fixed", box_count);
  check_length(filters.body, "body", box_count);
  require_layout("excluded", filters.excluded);
  require_layout("excluded_owners", filters.excluded_owners);
  require_layout("excluded_bodies", filters.excluded_bodies);
  require_address("world_mask", filters.world_mask);
}

/// What the filters may go by for several shapes together: the name that all have; -1: none.
struct SharedNames {
  std::int32_t owner = -1;
  std::int32_t body = -1;
  friend bool operator==(const SharedNames&, const SharedNames&) = default;
};

/// The filters for single pairs: all but the world, by which the trees are split. They see pairs
/// whose boxes overlap, one block at a time. Columns are borrowed.
class PairFilter {
 public:
  /// Pairs a < b of one set. Throws `Error` if a column's length is not `box_count` or an excluded
  /// id does not exist.
  void set(const FilterSpan& filters, std::size_t box_count);
  /// Pairs (row of `a`, row of `b`), with `b.excluded`; `a` is already checked.
  void set(const FilterSpan& a, std::size_t count_a, const FilterSpan& b, std::size_t count_b);
  /// For many pairs of one large set: `keep` reads bytes, and columns only where these leave a pair
  /// open.
  void make_bytes(const Crew& crew, std::size_t box_count);

  /// Moves the pairs to keep to the front, in order, and counts them.
  std::size_t keep(Pair* pairs, std::size_t count) const;

  /// The names of a row of the first set.
  SharedNames names_of(std::size_t row) const {
    return {a_.owner.empty() ? -1 : a_.owner[row], a_.body.empty() ? -1 : a_.body[row]};
  }
  bool has_names() const { return !a_.owner.empty() || !a_.body.empty(); }
  /// Whether owners and bodies let shapes of the first set meet that have these names.
  bool may_meet(const SharedNames& a, const SharedNames& b) const {
    const bool is_one = (a.owner != -1 && a.owner == b.owner) || (a.body != -1 && a.body == b.body);
    return !is_one && !(excluded_owners_.has_any() && excluded_owners_.has(a.owner, b.owner)) &&
           !(excluded_bodies_.has_any() && excluded_bodies_.has(a.body, b.body));
  }

  std::size_t bytes() const {
    return excluded_.bytes() + may_be_excluded_a_.bytes() + may_be_excluded_b_.bytes() +
           excluded_owners_.bytes() + excluded_bodies_.bytes() + classes_.bytes() +
           owner_bytes_.bytes() + body_bytes_.bytes();
  }

 private:
  void set_columns(const FilterSpan& a, const FilterSpan& b);
  void set_excluded_names(const FilterSpan& filters);
  void clear_excluded(std::size_t pair_count, std::size_t count_a, std::size_t count_b);
  void exclude(std::int32_t a, std::int32_t b);

  FilterSpan a_;
  FilterSpan b_;
  CategoryClasses classes_;
  NameBytes owner_bytes_;
  NameBytes body_bytes_;
  bool is_active_ = false;
  ExcludedPairs excluded_;
  /// Whether a shape may be the A, or the B, of an excluded pair: if not, no look-up is needed.
  BitSet may_be_excluded_a_;
  BitSet may_be_excluded_b_;
  bool has_pairs_ = false;
  ExcludedNames excluded_owners_;
  ExcludedNames excluded_bodies_;
};

inline bool is_row(std::int32_t row, std::size_t count) {
  return row >= 0 && static_cast<std::size_t>(row) < count;
}

inline void PairFilter::set(const FilterSpan& filters, std::size_t box_count) {
  check_lengths(filters, box_count);
  const ColumnSpan<std::int32_t, 2>& excluded = filters.excluded;
  clear_excluded(excluded.size(), box_count, box_count);
  for (std::size_t i = 0; i < excluded.size(); ++i) {
    const std::int32_t a = excluded(i, 0);
    const std::int32_t b = excluded(i, 1);
    if (!is_row(a, box_count) || !is_row(b, box_count)) {
      throw Error(Finding{"excluded", static_cast<std::int64_t>(i),
                          "is (" + number(a) + ", " + number(b) + "); there are " +
                              number(box_count) + " shapes, whose ids begin at 0"});
    }
    exclude(std::min(a, b), std::max(a, b));
  }
  set_excluded_names(filters);
  set_columns(filters, filters);
}

inline void PairFilter::set(const FilterSpan& a, std::size_t count_a, const FilterSpan& b,
                            std::size_t count_b) {
  check_lengths(b, count_b);
  const ColumnSpan<std::int32_t, 2>& excluded = b.excluded;
  clear_excluded(excluded.size(), count_a, count_b);
  for (std::size_t i = 0; i < excluded.size(); ++i) {
    const std::int32_t row_a = excluded(i, 0);
    const std::int32_t row_b = excluded(i, 1);
    if (!is_row(row_a, count_a) || !is_row(row_b, count_b)) {
      throw Error(Finding{"excluded", static_cast<std::int64_t>(i),
                          "is (" + number(row_a) + ", " + number(row_b) +
                              "); the tree has " + number(count_a) +
                              " boxes and is asked about " + number(count_b) +
                              "; give a row of the first and a row of the others, from 0"});
    }
    exclude(row_a, row_b);
  }
  set_excluded_names(b);
  set_columns(a, b);
}

inline void PairFilter::set_columns(const FilterSpan& a, const FilterSpan& b) {
  a_ = a;
  b_ = b;
  classes_.clear();
  owner_bytes_.clear();
  body_bytes_.clear();
  is_active_ = has_pairs_;
  for (const FilterSpan* side : {&a_, &b_}) {
    is_active_ |= !side->category.empty() || !side->mask.empty() || !side->owner.empty() ||
                  !side->fixed.empty() || !side->body.empty();
  }
}

inline void PairFilter::make_bytes(const Crew& crew, std::size_t box_count) {
  if (!a_.category.empty() || !a_.mask.empty()) {
    classes_.set(crew, a_.category, a_.mask, box_count);
  }
  if (!a_.owner.empty()) owner_bytes_.set(crew, a_.owner);
  if (!a_.body.empty()) body_bytes_.set(crew, a_.body);
}

inline void PairFilter::clear_excluded(std::size_t pair_count, std::size_t count_a,
                                       std::size_t count_b) {
  has_pairs_ = pair_count != 0;
  if (!has_pairs_) return;
  may_be_excluded_a_.clear(count_a, pair_count);
  may_be_excluded_b_.clear(count_b, pair_count);
  excluded_.clear(pair_count);
}

inline void PairFilter::exclude(std::int32_t a, std::int32_t b) {
  may_be_excluded_a_.set(a);
  may_be_excluded_b_.set(b);
  excluded_.add(a, b);
}

inline void PairFilter::set_excluded_names(const FilterSpan& filters) {
  const auto set = [](const char* array, const ColumnSpan<std::int32_t, 2>& excluded,
                      const char* what, const auto& is_right, ExcludedNames& names) {
    for (std::size_t i = 0; i < excluded.size(); ++i) {
      const std::int32_t first = excluded(i, 0), second = excluded(i, 1);
      if (is_right(first, second)) continue;
      throw Error(
          Finding{array, static_cast<std::int64_t>(i), wrong_names_text(first, second, what)});
    }
    names.set(excluded);
  };
  set("excluded_owners", filters.excluded_owners, "an owner", are_names, excluded_owners_);
  // Below -1 are bodies of a kept scene.
  const auto are_bodies = [](std::int32_t first, std::int32_t second) {
    return first != -1 && second != -1;
  };
  set("excluded_bodies", filters.excluded_bodies, "a body", are_bodies, excluded_bodies_);
}

inline std::size_t PairFilter::keep(Pair* pairs, std::size_t count) const {
  if (!is_active_) return count;
  const auto has = [&](auto column) { return !(a_.*column).empty() || !(b_.*column).empty(); };
  if (classes_.is_set()) {
    count = keep_if(pairs, count,
                    [&](std::size_t a, std::size_t b) { return classes_.may_meet(a, b); });
  } else if (has(&FilterSpan::category) || has(&FilterSpan::mask)) {
    const auto category = [](const FilterSpan& side, std::size_t row) {
      return side.category.empty() ? 1u : side.category[row];
    };
    const auto mask = [](const FilterSpan& side, std::size_t row) {
      return side.mask.empty() ? ~0u : side.mask[row];
    };
    count = keep_if(pairs, count, [&](std::size_t a, std::size_t b) {
      return (category(a_, a) & mask(b_, b)) != 0 && (category(b_, b) & mask(a_, a)) != 0;
    });
  }
  const auto differ_or_none = [&](const ColumnSpan<std::int32_t>& of_a,
                                  const ColumnSpan<std::int32_t>& of_b, const NameBytes& bytes) {
    if (of_a.empty() || of_b.empty()) return;
    const auto differ = [&](std::size_t a, std::size_t b) {
      const std::int32_t value = of_a[a];
      return (value != of_b[b]) | (value == -1);
    };
    count = bytes.is_set() ? keep_if(pairs, count,
                                     [&](std::size_t a, std::size_t b) {
                                       return bytes.surely_differ(a, b) || differ(a, b);
                                     })
                           : keep_if(pairs, count, differ);
  };
  differ_or_none(a_.owner, b_.owner, owner_bytes_);
  differ_or_none(a_.body, b_.body, body_bytes_);
  if (!a_.fixed.empty() && !b_.fixed.empty()) {
    count = keep_if(pairs, count, [&](std::size_t a, std::size_t b) {
      return a_.fixed[a] == 0 || b_.fixed[b] == 0;
    });
  }
  if (has_pairs_) {
    count = keep_if(pairs, count, [&](std::size_t a, std::size_t b) {
      const bool may_be_a = may_be_excluded_a_.has(a), may_be_b = may_be_excluded_b_.has(b);
      return !(may_be_a & may_be_b) ||
             !excluded_.has(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
    });
  }
  const auto not_excluded = [&](const ExcludedNames& names, const ColumnSpan<std::int32_t>& of_a,
                                const ColumnSpan<std::int32_t>& of_b) {
    if (!names.has_any() || of_a.empty() || of_b.empty()) return;
    count = keep_if(pairs, count,
                    [&](std::size_t a, std::size_t b) { return !names.has(of_a[a], of_b[b]); });
  };
  not_excluded(excluded_owners_, a_.owner, b_.owner);
  not_excluded(excluded_bodies_, a_.body, b_.body);
  return count;
}

}  // namespace widephase
