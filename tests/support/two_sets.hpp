#pragma once

// A kept tree, the boxes that query it, and brute force over both sets.

#include <widephase/bounds_tree.hpp>

#include "support/boxes.hpp"

namespace widephase::test {

/// `asked.excluded` has pairs (row of the tree, asked row); the domain is that of the tree.
template <int D, class T>
struct TwoSets {
  Boxes<D, T> tree;
  Boxes<D, T> asked;
};

/// Divides boxes evenly, so that both sets are in the same places; about `asked_count` of them
/// query.
template <int D, class T>
TwoSets<D, T> dealt(const Boxes<D, T>& all, int asked_count);

/// Both as one set, the tree's first. A column that only one side has gets the default for the
/// other.
template <int D, class T>
Boxes<D, T> joined(const TwoSets<D, T>& sets);

template <int D, class T>
Pairs expected_pairs(const TwoSets<D, T>& sets);

template <int D, class T>
BoundsTree<D, T> built(const Boxes<D, T>& boxes, const PairOptions& options);

template <int D, class T>
Pairs asked_pairs(const BoundsTree<D, T>& tree, const Boxes<D, T>& asked,
                  const PairOptions& options = with(Isa::widest, 1));

template <int D, class T>
Pairs found_pairs(const TwoSets<D, T>& sets, const PairOptions& options = with(Isa::widest, 1));

/// Checks the pairs against brute force. Every instruction set must return the same sequence,
/// whichever built the tree.
template <int D, class T>
void expect_right(const TwoSets<D, T>& sets);

/// Excludes half of the real pairs.
template <int D, class T>
void exclude_some(TwoSets<D, T>& sets, Random& random);

}  // namespace widephase::test
