// A second call of find_pairs or build_tree of the same size allocates no memory, and neither does
// a step with a kept order.
// Labels: host

#include <gtest/gtest.h>

#include <widephase/bounds_tree.hpp>

#include "support/allocations.hpp"
#include "support/boxes.hpp"

namespace widephase::test {
namespace {

template <class Case>
class find_pairs_allocations : public testing::Test {};
TYPED_TEST_SUITE(find_pairs_allocations, BoxCases);

TYPED_TEST(find_pairs_allocations, a_second_call_makes_none) {
  WIDEPHASE_CASE
  Random random(43);
  for (const unsigned filters : {0u, 127u}) {
    for (const int count : {40, 3000}) {
      for (const bool is_periodic : {false, true}) {
        Boxes<D, T> boxes = sticks<D, T>(count, random);
        add_filters(boxes, filters, random);
        for (int d = 0; d < D; ++d) {
          boxes.domain.max[d] = static_cast<T>(100 + 4 * side_of<D, T>(count));
          boxes.domain.periodic[d] = is_periodic;
        }
        Column<Pair> pairs;
        PairWorkspace<D, T> workspace;
        const PairOptions options = with(Isa::widest, 1);
        find_pairs<D, T>(boxes.bounds, boxes.filters(), boxes.domain, pairs, workspace, options);
        const Pairs first = to_pairs(pairs);
        const std::size_t bytes = workspace.bytes();
        const auto call = [&] {
          find_pairs<D, T>(boxes.bounds, boxes.filters(), boxes.domain, pairs, workspace, options);
        };
        EXPECT_EQ(count_allocations(call), 0);
        EXPECT_EQ(workspace.bytes(), bytes);
        EXPECT_TRUE(to_pairs(pairs) == first);
      }
    }
  }
}

TYPED_TEST(find_pairs_allocations, steps_in_a_kept_order_make_none) {
  WIDEPHASE_CASE
  for (const bool is_periodic : {false, true}) {
    Random random(10);
    constexpr int kCount = 3000;
    Boxes<D, T> boxes = uniform<D, T>(kCount, random);
    for (int i = 0; i < kCount; ++i) boxes.world.push_back(i % 2);
    for (int d = 0; d < D && is_periodic; ++d) {
      boxes.domain.max[d] = static_cast<T>(side_of<D, T>(kCount));
      boxes.domain.periodic[d] = true;
    }
    PairWorkspace<D, T> workspace;
    Column<Pair> pairs;
    PairOptions options = with(Isa::widest, 1);
    options.keeps_order = true;
    const auto call = [&] {
      find_pairs<D, T>(boxes.bounds, boxes.filters(), boxes.domain, pairs, workspace, options);
    };
    for (int step = 0; step < 60; ++step) {
      for (std::size_t i = 0; i < kCount; ++i) {
        for (int d = 0; d < D; ++d) {
          const auto distance = static_cast<T>(random.uniform(-0.1, 0.1));
          boxes.bounds.min(i, d) += distance;
          boxes.bounds.max(i, d) += distance;
        }
      }
      // One leaves its tile.
      const auto other = 2 * static_cast<std::size_t>(random.integer(1, kCount / 2 - 1));
      for (int d = 0; d < D; ++d) {
        std::swap(boxes.bounds.min(0, d), boxes.bounds.min(other, d));
        std::swap(boxes.bounds.max(0, d), boxes.bounds.max(other, d));
      }
      if (step < 30) {
        call();
      } else {
        ASSERT_EQ(count_allocations(call), 0) << step;
      }
    }
  }
}

TYPED_TEST(find_pairs_allocations, a_second_tree_and_question_make_none) {
  WIDEPHASE_CASE
  Random random(44);
  for (const unsigned filters : {0u, 63u}) {
    for (const int count : {40, 3000}) {
      for (const bool is_periodic : {false, true}) {
        Boxes<D, T> boxes = sticks<D, T>(count, random);
        Boxes<D, T> asked = sticks<D, T>(count, random);
        add_filters(boxes, filters, random);
        add_filters(asked, filters, random);
        if (filters != 0) asked.excluded = {{0, 1}, {2, 3}};
        for (int d = 0; d < D; ++d) {
          boxes.domain.max[d] = static_cast<T>(100 + 4 * side_of<D, T>(count));
          boxes.domain.periodic[d] = is_periodic;
        }
        BoundsTree<D, T> tree;
        Column<Pair> pairs;
        PairWorkspace<D, T> workspace;
        const PairOptions options = with(Isa::widest, 1);
        const auto build = [&] {
          build_tree<D, T>(boxes.bounds, boxes.filters(), boxes.domain, tree, workspace, options);
        };
        const auto ask = [&] {
          find_pairs<D, T>(tree, asked.bounds, asked.filters(), pairs, workspace, options);
        };
        build();
        ask();
        const Pairs first = to_pairs(pairs);
        const std::size_t bytes = workspace.bytes() + tree.bytes();
        EXPECT_EQ(count_allocations(build), 0);
        EXPECT_EQ(count_allocations(ask), 0);
        EXPECT_EQ(workspace.bytes() + tree.bytes(), bytes);
        EXPECT_TRUE(to_pairs(pairs) == first);
      }
    }
  }
}

}  // namespace
}  // namespace widephase::test
