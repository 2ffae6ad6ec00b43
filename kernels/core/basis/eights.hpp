#pragma once

// Eight values for each pair of a batch, one for each of eight vertices or faces, and the search
// for the largest of them.

#include "kernels/core/basis/lane_array.hpp"
#include "kernels/core/basis/rows.hpp"
#include "kernels/lanes/eight.hpp"

namespace widephase {
namespace {

/// Eight values for each pair of a batch: one for each of eight places, faces or vertices.
template <class F>
struct EightValues {
  using T = RealOf<F>;
  T value[LaneTraits<F>::count * 8];
  WIDEPHASE_INLINE void set(int lane, const Eight<T>& values) { store(value + lane * 8, values); }
};

/// Eight candidates for each pair of a batch. Several values may compete for one place; the place
/// holds the first of the largest, with its number and, if `HasTies`, whether others are equal to
/// it.
template <class F, bool HasTies = true>
struct Candidates {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  static constexpr bool has_ties = HasTies;
  T value[lanes * 8];
  T number[lanes * 8];
  T is_tie[has_ties ? lanes * 8 : 8];  ///< 1 where several values of a place are the largest

  WIDEPHASE_INLINE Candidates() {
    // Without ties a caller may leave lanes unset.
    for (int i = 0; !has_ties && i < lanes; ++i) {
      store(value + i * 8, eight_of(T(0)));
      store(number + i * 8, eight_of(T(0)));
    }
  }

  WIDEPHASE_INLINE void set(int lane, const Eight<T>& values, const Eight<T>& numbers,
                            const Eight<T>& ties) {
    store(value + lane * 8, values);
    store(number + lane * 8, numbers);
    if constexpr (has_ties) store(is_tie + lane * 8, ties);
  }
};

/// The largest candidate; among equal ones the lowest number.
template <class F>
struct Greatest {
  F value;
  F number;
  F is_tie;  ///< 1 where several are the largest
};

template <class F>
WIDEPHASE_INLINE void load_eights(const RealOf<F>* rows, F (&columns)[8]) {
  constexpr RowsInOrder<LaneTraits<F>::count> kRows;
  load_quads<2, 1>(rows, kRows.index, columns);
}

template <class F>
WIDEPHASE_INLINE F greatest_of(const F (&value)[8]) {
  return greater(greater(greater(value[0], value[1]), greater(value[2], value[3])),
                 greater(greater(value[4], value[5]), greater(value[6], value[7])));
}
template <class F>
WIDEPHASE_INLINE F least_of(const F (&value)[8]) {
  return lesser(lesser(lesser(value[0], value[1]), lesser(value[2], value[3])),
                lesser(lesser(value[4], value[5]), lesser(value[6], value[7])));
}

/// The largest value at places 0 to 7; its number is the place. The comparisons run in the same
/// order as for `Candidates`, so that both give the same result when some values are NaN.
template <class F>
WIDEPHASE_INLINE Greatest<F> greatest_of(const EightValues<F>& values) {
  F value[8];
  load_eights<F>(values.value, value);
  F best = value[0];
  for (int k = 1; k < 8; ++k) best = greater(best, value[k]);
  auto is_found = value[7] == best;
  auto is_tie = is_found & !is_found;
  F number = select(is_found, F(7), F(0));
  for (int k = 6; k >= 0; --k) {
    const auto is_best = value[k] == best;
    is_tie = is_tie | (is_found & is_best);
    is_found = is_found | is_best;
    number = select(is_best, F(k), number);
  }
  return {best, number, select(is_tie, F(1), F(0))};
}

template <class F, bool HasTies>
WIDEPHASE_INLINE Greatest<F> greatest_of(const Candidates<F, HasTies>& candidates) {
  F value[8], number[8], is_tie[8];
  load_eights<F>(candidates.value, value);
  load_eights<F>(candidates.number, number);
  if constexpr (HasTies) load_eights<F>(candidates.is_tie, is_tie);
  Greatest<F> best{value[0], number[0], F(0)};
  if constexpr (HasTies) best.is_tie = is_tie[0];
  for (int k = 1; k < 8; ++k) {
    const auto is_equal = value[k] == best.value;
    const auto is_better = (value[k] > best.value) | (is_equal & (number[k] < best.number));
    if constexpr (HasTies) {
      best.is_tie = select(is_equal, F(1), select(is_better, is_tie[k], best.is_tie));
    }
    best.value = select(is_better, value[k], best.value);
    best.number = select(is_better, number[k], best.number);
  }
  return best;
}

template <class T>
WIDEPHASE_INLINE Eight<T> count_up() {
  constexpr T kNumbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  return load_eight(kNumbers);
}

/// The number at the marked places, the lowest if several are marked. Several are marked only where
/// values are equal. None is marked if values are NaN; then any place will do.
template <class T>
WIDEPHASE_INLINE int lowest_number(const Eight<T>& numbers, unsigned bits) {
  T number[8];
  store(number, numbers);
  bits = bits == 0 ? 1u : bits;
  int lowest = static_cast<int>(number[__builtin_ctz(bits)]);
  for (bits &= bits - 1; bits != 0; bits &= bits - 1) {
    const int other = static_cast<int>(number[__builtin_ctz(bits)]);
    lowest = other < lowest ? other : lowest;
  }
  return lowest;
}
template <class T>
WIDEPHASE_INLINE T lesser_of(T a, T b) {
  return b < a ? b : a;
}
template <class T>
WIDEPHASE_INLINE T greater_of(T a, T b) {
  return b > a ? b : a;
}
/// The smallest or largest of eight, without a branch that depends on the values.
template <class T, class Op>
WIDEPHASE_INLINE T reduce_eight(const Eight<T>& values, const Op& op) {
  T v[8];
  store(v, values);
  return op(op(op(v[0], v[4]), op(v[2], v[6])), op(op(v[1], v[5]), op(v[3], v[7])));
}

/// The largest over blocks of eight values, and its number; among equal values the lowest.
template <class T>
struct GreatestOf {
  Eight<T> value;
  Eight<T> number = count_up<T>(), last = number;

  WIDEPHASE_INLINE explicit GreatestOf(const Eight<T>& first) : value(first) {}
  WIDEPHASE_INLINE void add(const Eight<T>& values) {
    last = last + eight_of(T(8));
    number = select_greater(values, value, last, number);
    value = greater(value, values);
  }
  WIDEPHASE_INLINE T greatest() const {
    return reduce_eight(value, [](T a, T b) { return greater_of(a, b); });
  }
  WIDEPHASE_INLINE int number_of(T greatest) const {
    return lowest_number(number, bits_at_least(value, eight_of(greatest)));
  }
};

/// Applies `op` to each of a shape's blocks and stores the largest value at each place in the
/// candidates of `lane`.
template <class F, bool HasTies, class Op>
WIDEPHASE_INLINE void collect(int lane, int block_count, const RealOf<F>* blocks, const Op& op,
                              Candidates<F, HasTies>& candidates) {
  using T = RealOf<F>;
  Eight<T> best = op(blocks);
  const Eight<T> eight = eight_of(T(8)), zero = eight_of(T(0)), one = eight_of(T(1));
  Eight<T> next_number = count_up<T>(), number = next_number, is_tie = zero;
  for (int block = 1; block < block_count; ++block) {
    const Eight<T> value = op(blocks + block * PolygonLayout::block);
    if constexpr (HasTies) {
      is_tie = select_greater(value, best, zero, select_greater(best, value, is_tie, one));
    }
    next_number = next_number + eight;
    number = select_greater(value, best, next_number, number);
    best = greater(best, value);
  }
  candidates.set(lane, best, number, is_tie);
}

}  // namespace
}  // namespace widephase
