// Every pair of kinds on every instruction set against the reference: random shapes, and sizes
// spread over seven decades.
// Labels: other-compiler long own-sets dated

#include <gtest/gtest.h>

#include "support/generate.hpp"
#include "support/pair_kinds.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

class pairs_accuracy : public ::testing::TestWithParam<PairKindCase> {};

TEST_P(pairs_accuracy, random_shapes) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_pairs_everywhere<D, T>(random_pairs<D>(a, b, scaled(400, 16), 21), {0, 0.5});
  });
}

TEST_P(pairs_accuracy, sizes_from_a_thousandth_to_ten_thousand) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_pairs_everywhere<D, T>(sized_pairs<D>(a, b, scaled(400, 16), 22), {0, 0.01});
  });
}

TEST_P(pairs_accuracy, far_from_the_origin) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_pairs_everywhere<D, T>(far_pairs<D>(random_pairs<D>(a, b, scaled(200, 16), 23), 24),
                                 {0, 0.5});
  });
}

TEST(polygon_polygon, many_corners) {
  check_pairs_everywhere<2, float>(pairs_of_many_corners(scaled(600, 16), 25), {0, 0.5});
  check_pairs_everywhere<2, double>(pairs_of_many_corners(scaled(600, 16), 26), {0, 0.5});
}

INSTANTIATE_TEST_SUITE_P(kinds, pairs_accuracy, ::testing::ValuesIn(all_pair_kinds()), case_name);

}  // namespace
}  // namespace widephase::test
