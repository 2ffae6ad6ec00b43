// A second call of find_pairs of the same size allocates nothing.

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace widephase::test
