// Caps on the pairs of the broad phase: counts are exact up to 64 times the cap, and beyond that a
// lower bound, for any threads. Memory is bounded.
// Labels: threads long own-sets

#include <gtest/gtest.h>

#include <functional>

#include <widephase/bounds_tree.hpp>

#include "reference/scaled.hpp"
#include "support/boxes.hpp"
#include "support/executors.hpp"

namespace widephase::test {
namespace {

template <class Case>
class capped_pairs : public testing::Test {};
TYPED_TEST_SUITE(capped_pairs, BoxCases);

using FindPairs = std::function<void(const PairOptions& options, Column<Pair>& pairs)>;

/// The number of `all` pairs that is counted: from 64 times the cap on, no more than that (a cap of
/// 0 counts as 1).
std::size_t counted(std::size_t all, std::size_t cap) {
  return std::min(all, 64 * std::max(cap, std::size_t{1}));
}

/// A cap of exactly the number of pairs passes and gives the uncapped answer. A smaller one throws
/// with the exact count, unless it is a 64th or less.
void expect_exact_cap(const FindPairs& find) {
  Column<Pair> pairs;
  find(with(Isa::widest, 1), pairs);
  const Pairs all = to_pairs(pairs);
  ASSERT_GT(all.size(), 3u);
  OwnThreads own{4};
  for (const Threads& threads : all_threads(own)) {
    SCOPED_TRACE(threads.count);
    PairOptions options;
    options.threads = threads;
    // With other thread counts, only the boundary and 0 are tested.
    const std::size_t part = all.size() / 64;  // 64 times as many are all pairs, or nearly all
    std::vector<std::size_t> enough{all.size()}, too_few{all.size() - 1, part + 1, part, 1, 0};
    if (threads.count == 1) {
      enough.insert(enough.end(), {all.size() + 1, 2 * all.size()});
      too_few.push_back(all.size() / 2);
    }
    for (const std::size_t cap : enough) {
      options.max_pairs = cap;
      find(options, pairs);
      ASSERT_TRUE(to_pairs(pairs) == all) << cap;
    }
    for (const std::size_t cap : too_few) {
      if (cap >= all.size()) continue;
      const std::size_t number = counted(all.size(), cap);
      const bool is_exact = all.size() < 64 * std::max(cap, std::size_t{1});
      options.max_pairs = cap;
      try {
        find(options, pairs);
        FAIL() << "a cap of " << cap << " should throw";
      } catch (const CapacityError& error) {
        EXPECT_EQ(error.needed().pairs, static_cast<std::int64_t>(number));
        EXPECT_EQ(error.needed().exact, is_exact);
        EXPECT_EQ(error.needed().contacts, -1);
        EXPECT_EQ(error.needed().points, -1);
        ASSERT_TRUE(error.finding().has_value());
        EXPECT_EQ(error.finding()->text(), "max_pairs is " + std::to_string(cap) +
                                               "; the answer needs " +
                                               (is_exact ? "" : "at least ") +
                                               std::to_string(number));
      }
      EXPECT_TRUE(pairs.empty());
    }
  }
}

/// Boxes in one world, in many small ones and in large ones, with filters, and in a periodic
/// domain.
template <int D, class T>
std::vector<Boxes<D, T>> capped_cases(int count) {
  Random random(61);
  std::vector<Boxes<D, T>> cases{uniform<D, T>(count, random), sticks<D, T>(count, random),
                                 one_place<D, T>(400, random), identical<D, T>(20, random)};
  cases.push_back(uniform<D, T>(count, random));
  for (std::size_t i = 0; i < cases.back().size(); ++i) {
    cases.back().world.push_back(i % 2 == 0 ? 40 : i % 100 == 1 ? -1 : random.integer(0, 29));
  }
  cases.push_back(uniform<D, T>(count, random));
  for (int d = 0; d < D; ++d) {
    cases.back().domain.max[d] = static_cast<T>(side_of<D, T>(count));
    cases.back().domain.periodic[d] = d != 1;
  }
  cases.push_back(uniform<D, T>(700, random));
  add_filters(cases.back(), 127, random);
  return cases;
}

TYPED_TEST(capped_pairs, of_one_set_are_exact_at_the_boundary) {
  WIDEPHASE_CASE
  PairWorkspace<D, T> workspace;
  for (const Boxes<D, T>& boxes : capped_cases<D, T>(static_cast<int>(scaled(20000, 3000)))) {
    expect_exact_cap([&](const PairOptions& options, Column<Pair>& pairs) {
      find_pairs<D, T>(boxes.bounds, boxes.filters(), boxes.domain, pairs, workspace, options);
    });
    if (testing::Test::HasFatalFailure()) return;
  }
}

TYPED_TEST(capped_pairs, of_a_tree_are_exact_at_the_boundary) {
  WIDEPHASE_CASE
  PairWorkspace<D, T> workspace;
  BoundsTree<D, T> tree;
  for (Boxes<D, T>& boxes : capped_cases<D, T>(static_cast<int>(scaled(20000, 3000)))) {
    boxes.excluded.clear();
    FilterSpan filters = boxes.filters();
    build_tree<D, T>(boxes.bounds, filters, boxes.domain, tree, workspace);
    expect_exact_cap([&](const PairOptions& options, Column<Pair>& pairs) {
      find_pairs<D, T>(tree, boxes.bounds, filters, pairs, workspace, options);
    });
    if (testing::Test::HasFatalFailure()) return;
  }
}

TYPED_TEST(capped_pairs, beyond_the_cap_are_not_stored) {
  WIDEPHASE_CASE
  // All boxes share a point, so that there are n (n - 1) / 2 pairs of 8 bytes.
  const std::size_t count = scaled(8000, 6000);
  Random random(62);
  Boxes<D, T> boxes;
  for (std::size_t i = 0; i < count; ++i) {
    add_around(boxes, same<D>(-7), anywhere<D>(random, 0.5, 2));
  }
  for (const bool has_worlds : {false, true}) {
    // Half of them are in 40 worlds; all of these overlap the other half.
    for (std::size_t i = 0; i < count && has_worlds; ++i) {
      boxes.world.push_back(i % 2 == 0 ? -1 : static_cast<std::int32_t>(i / 2 % 40));
    }
    const auto n = static_cast<std::int64_t>(count);
    const std::int64_t half = n / 2, a_world = half / 40;
    const std::int64_t among_worlds = 40 * (a_world * (a_world - 1) / 2);
    const std::int64_t all =
        has_worlds ? half * (half - 1) / 2 + half * half + among_worlds : n * (n - 1) / 2;
    for (const int threads : {1, 2}) {
      Column<Pair> pairs;
      PairWorkspace<D, T> workspace;
      PairOptions options = with(Isa::widest, threads);
      // With a cap of a 64th plus 1, all pairs are counted: the memory is that of all pairs.
      options.max_pairs = static_cast<std::size_t>(all / 64 + 1);
      try {
        find_pairs<D, T>(boxes.bounds, boxes.filters(), boxes.domain, pairs, workspace, options);
        FAIL();
      } catch (const CapacityError& error) {
        EXPECT_EQ(error.needed().pairs, all);
        EXPECT_TRUE(error.needed().exact);
      }
      const std::size_t bytes = workspace.bytes() + pairs.bytes();
      EXPECT_LT(bytes, static_cast<std::size_t>(all) * sizeof(Pair) / 3);
      EXPECT_LT(bytes, (std::size_t{48} << 20) * static_cast<std::size_t>(threads));
    }
  }
}

TYPED_TEST(capped_pairs, far_beyond_the_cap_are_not_counted) {
  WIDEPHASE_CASE
  // 60,000 boxes at one place: 1.8e9 pairs. All instruction sets and threads stop at 64,000. So do
  // 600 worlds of 100 boxes, which have 600 * 4,950 pairs.
  const std::size_t count = 60000;
  Boxes<D, T> boxes;
  for (std::size_t i = 0; i < count; ++i) add_around(boxes, same<D>(3), same<D>(1));
  PairWorkspace<D, T> workspace;
  Column<Pair> pairs;
  OwnThreads own{4};
  for (const bool has_worlds : {false, true}) {
    for (std::size_t i = 0; i < count && has_worlds; ++i) {
      boxes.world.push_back(static_cast<std::int32_t>(i % 600));
    }
    for (const Isa isa : built_isas()) {
      if (!cpu_has(isa)) continue;
      for (const Threads& threads : all_threads(own)) {
        PairOptions options;
        options.isa = isa;
        options.threads = threads;
        options.max_pairs = 1000;
        try {
          find_pairs<D, T>(boxes.bounds, boxes.filters(), {}, pairs, workspace, options);
          FAIL();
        } catch (const CapacityError& error) {
          EXPECT_EQ(error.needed().pairs, 64000);
          EXPECT_FALSE(error.needed().exact);
          EXPECT_STREQ(error.what(), "max_pairs is 1000; the answer needs at least 64000");
        }
        EXPECT_TRUE(pairs.empty());
      }
    }
  }
}

TYPED_TEST(capped_pairs, a_count_that_ended_leaves_no_mark_on_a_kept_order) {
  WIDEPHASE_CASE
  // Boxes in a row that touch, in worlds; then all at one place, beyond the cap; then in a row
  // again. The pairs come in the order of a first call, whichever threads worked until counting
  // stopped.
  Boxes<D, T> apart, together;
  for (int i = 0; i < 6000; ++i) {
    add_around(apart, same<D>(i / 6), same<D>(0.75));
    add_around(together, same<D>(0), same<D>(1));
    apart.world.push_back(i % 6);
    together.world.push_back(i % 6);
  }
  PairOptions options;
  options.keeps_order = true;
  Pairs expected;
  OwnThreads own{4};
  for (const Threads& threads : all_threads(own)) {
    options.threads = threads;
    PairWorkspace<D, T> workspace;
    Column<Pair> pairs;
    options.max_pairs = kNoCap;
    find_pairs<D, T>(apart.bounds, apart.filters(), {}, pairs, workspace, options);
    if (expected.empty()) expected = to_pairs(pairs);
    options.max_pairs = 100;
    EXPECT_THROW((find_pairs<D, T>(together.bounds, together.filters(), {}, pairs, workspace,
                                   options)),
                 CapacityError);
    options.max_pairs = kNoCap;
    find_pairs<D, T>(apart.bounds, apart.filters(), {}, pairs, workspace, options);
    ASSERT_FALSE(expected.empty());
    EXPECT_TRUE(to_pairs(pairs) == expected);
  }
}

TYPED_TEST(capped_pairs, of_nothing_pass_any_cap) {
  WIDEPHASE_CASE
  PairWorkspace<D, T> workspace;
  Column<Pair> pairs;
  PairOptions options;
  options.max_pairs = 0;
  Boxes<D, T> boxes;
  find_pairs<D, T>(boxes.bounds, {}, {}, pairs, workspace, options);
  add_around(boxes, same<D>(0), same<D>(1));
  find_pairs<D, T>(boxes.bounds, {}, {}, pairs, workspace, options);
  EXPECT_TRUE(pairs.empty());
}

}  // namespace
}  // namespace widephase::test
