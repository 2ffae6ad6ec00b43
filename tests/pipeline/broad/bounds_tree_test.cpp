// A kept tree queried with boxes, against brute force over both sets.
// Labels: threads long dated own-sets

#include <gtest/gtest.h>

#include <thread>

#include <widephase/bounds_tree.hpp>

#include "reference/scaled.hpp"
#include "support/executors.hpp"
#include "support/two_sets.hpp"

namespace widephase::test {
namespace {

template <class Case>
class bounds_tree_of : public testing::Test {};
TYPED_TEST_SUITE(bounds_tree_of, BoxCases);

TYPED_TEST(bounds_tree_of, every_family_and_count_equals_brute_force) {
  WIDEPHASE_CASE
  // Empty sides, one box, and a tree that is higher, lower or as high as the queries.
  constexpr std::pair<int, int> kCounts[] = {{0, 0},    {0, 20},    {20, 0},   {1, 1},
                                             {1, 300},  {300, 1},   {16, 17},  {700, 40},
                                             {40, 700}, {700, 600}, {3000, 5}, {5, 3000}};
  for (const auto& family : families<D, T>()) {
    for (const auto& [count, asked_count] : kCounts) {
      SCOPED_TRACE(std::string(family.name) + " " + std::to_string(count) + " " +
                   std::to_string(asked_count));
      Random random(static_cast<std::uint64_t>(count) + 1);
      expect_right(dealt(family.make(count + asked_count, random), asked_count));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(bounds_tree_of, families_asked_of_one_another_equal_brute_force) {
  WIDEPHASE_CASE
  for (const auto& family : families<D, T>()) {
    for (const auto& asked : families<D, T>()) {
      SCOPED_TRACE(std::string(family.name) + " " + asked.name);
      Random random(7);
      expect_right<D, T>({family.make(600, random), asked.make(70, random)});
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(bounds_tree_of, thousands_equal_brute_force) {
  WIDEPHASE_CASE
  for (const auto make : {uniform<D, T>, power_law<D, T>, sticks<D, T>, one_huge<D, T>}) {
    for (const int asked_count : {100, 3000}) {
      Random random(9);
      const int count = static_cast<int>(scaled(20000, 2000));
      expect_right(dealt(make(count + asked_count, random), asked_count));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(bounds_tree_of, pairs_name_the_tree_first_and_touching_counts) {
  WIDEPHASE_CASE
  // Cells [0, 1], [1, 2], ... [8, 9] along x. The query [2, 3.5] touches cell 1 and overlaps cells
  // 2 and 3.
  Boxes<D, T> cells;
  for (int i = 0; i < 9; ++i) {
    std::array<double, D> centre = same<D>(0.5);
    centre[0] = i + 0.5;
    add_around(cells, centre, same<D>(0.5));
  }
  Boxes<D, T> asked;
  std::array<double, D> centre = same<D>(0.5);
  centre[0] = 2.75;
  std::array<double, D> half = same<D>(0.5);
  half[0] = 0.75;
  add_around(asked, same<D>(-10), same<D>(1));
  add_around(asked, centre, half);
  const Pairs expected{{1, 1}, {2, 1}, {3, 1}};
  EXPECT_EQ(sorted(found_pairs<D, T>({cells, asked})), expected);
}

TYPED_TEST(bounds_tree_of, any_stride_is_read_in_place) {
  WIDEPHASE_CASE
  Random random(3);
  const TwoSets<D, T> sets{uniform<D, T>(777, random), uniform<D, T>(555, random)};
  const auto rows_of = [](const Boxes<D, T>& boxes) {
    std::vector<T> rows;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      for (int d = 0; d < D; ++d) rows.push_back(boxes.bounds.min(i, d));
      for (int d = 0; d < D; ++d) rows.push_back(boxes.bounds.max(i, d));
    }
    return rows;
  };
  constexpr std::ptrdiff_t kStride = 2 * D * sizeof(T);
  const auto span_of = [](const std::vector<T>& rows) {
    const std::size_t count = rows.size() / (2 * D);
    return BoundsSpan<D, T>(ColumnSpan<T, D>::interleaved(rows.data(), count, kStride),
                            ColumnSpan<T, D>::interleaved(rows.data() + D, count, kStride));
  };
  const std::vector<T> tree_rows = rows_of(sets.tree);
  const std::vector<T> asked_rows = rows_of(sets.asked);
  BoundsTree<D, T> tree;
  Column<Pair> pairs;
  PairWorkspace<D, T> workspace;
  build_tree<D, T>(span_of(tree_rows), {}, {}, tree, workspace);
  find_pairs<D, T>(tree, span_of(asked_rows), {}, pairs, workspace);
  EXPECT_TRUE(to_pairs(pairs) == found_pairs(sets));
}

// --- filters ---

TYPED_TEST(bounds_tree_of, filters_of_either_side_alone_and_together_equal_brute_force) {
  WIDEPHASE_CASE
  constexpr unsigned kOfColumns = 63;
  constexpr unsigned kExcluded = 64;
  constexpr unsigned kOfAsking = 128 + 256;
  for (const unsigned which : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 63u, 127u, 136u, 256u, 257u, 511u}) {
    for (const unsigned sides : {1u, 2u, 3u}) {
      for (const auto& [count, asked_count] : {std::pair{40, 60}, {900, 300}, {200, 1000}}) {
        SCOPED_TRACE(std::to_string(which) + " " + std::to_string(sides) + " " +
                     std::to_string(count));
        Random random(which);
        TwoSets<D, T> sets{uniform<D, T>(count, random), uniform<D, T>(asked_count, random)};
        if (sides & 1) add_filters(sets.tree, which & kOfColumns, random);
        add_filters(sets.asked, (sides & 2 ? which & kOfColumns : 0) | (which & kOfAsking), random);
        if (which & kExcluded) exclude_some(sets, random);
        expect_right(sets);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

template <class Run>
Finding finding_of(const Run& run) {
  try {
    run();
  } catch (const Error& error) {
    if (error.finding().has_value()) return *error.finding();
  }
  return {};
}

TYPED_TEST(bounds_tree_of, bad_columns_are_refused_by_name) {
  WIDEPHASE_CASE
  Random random(1);
  const Boxes<D, T> tree_boxes = uniform<D, T>(10, random);
  const BoundsTree<D, T> tree = built(tree_boxes, with(Isa::widest, 1));
  const auto build = [](const Boxes<D, T>& boxes) {
    return finding_of([&] { built(boxes, with(Isa::widest, 1)); });
  };
  const auto ask = [&](const Boxes<D, T>& boxes) {
    return finding_of([&] { asked_pairs(tree, boxes); });
  };
  Boxes<D, T> boxes = uniform<D, T>(8, random);
  boxes.owner = {1, 2, 3};
  EXPECT_EQ(build(boxes).array, "owner");
  EXPECT_EQ(ask(boxes).array, "owner");
  boxes.owner.clear();
  boxes.world = {0, 0, 0, 0, 0, 0, -2, 0};
  EXPECT_EQ(build(boxes).text(), "world[6] is -2; a world must be -1 (meets every world) or more");
  EXPECT_EQ(ask(boxes).text(), "world[6] is -2; a world must be -1 (meets every world) or more");
  boxes.world.clear();
  boxes.excluded = {{9, 7}};  // the tree's last, the last asked
  EXPECT_EQ(build(boxes).text(),
            "excluded has 1 rows; a tree takes none, give them where it is asked");
  EXPECT_EQ(ask(boxes).array, "");
  for (const auto& [a, b] : {std::pair{10, 0}, {0, 8}, {-1, 0}, {0, -1}}) {
    boxes.excluded = {{0, 0}, {a, b}};
    EXPECT_EQ(ask(boxes).array, "excluded");
    EXPECT_EQ(ask(boxes).row, 1);
  }
  boxes.excluded.clear();
  boxes.excluded_owners = {{1, 2}, {3, -1}};
  EXPECT_EQ(build(boxes).text(),
            "excluded_owners has 2 rows; a tree takes none, give them where it is asked");
  EXPECT_EQ(ask(boxes).text(), "excluded_owners[1] is (3, -1); an owner must be 0 to 2147483646");
  boxes.excluded_owners.clear();
  // The tree's boxes are in world 0; one query is in world 2.
  boxes.world = {0, 2, 0, 0, 0, 0, 0, 0};
  boxes.world_mask = {1, 1, 1};
  EXPECT_EQ(build(boxes).array, "world_mask");
  EXPECT_EQ(ask(boxes).array, "");
  boxes.world_mask = {1, 1};
  EXPECT_EQ(ask(boxes).text(),
            "world_mask has 2 entries; the largest world is 2, so give it one more");
  boxes.world_mask.clear();
  boxes.world.clear();
  boxes.bounds.min.resize_uninitialized(7);
  EXPECT_EQ(build(boxes).array, "max");
  EXPECT_EQ(ask(boxes).array, "max");
}

TYPED_TEST(bounds_tree_of, a_tree_whose_building_threw_is_empty) {
  WIDEPHASE_CASE
  Random random(2);
  Boxes<D, T> boxes = uniform<D, T>(50, random);
  BoundsTree<D, T> tree = built(boxes, with(Isa::widest, 1));
  EXPECT_EQ(tree.size(), 50u);
  EXPECT_FALSE(asked_pairs(tree, boxes).empty());
  boxes.world.assign(50, -3);
  PairWorkspace<D, T> workspace;
  EXPECT_THROW((build_tree<D, T>(boxes.bounds, boxes.filters(), {}, tree, workspace)), Error);
  EXPECT_EQ(tree.size(), 0u);
  boxes.world.clear();
  EXPECT_TRUE(asked_pairs(tree, boxes).empty());
}

// --- worlds ---

TYPED_TEST(bounds_tree_of, worlds_on_both_sides_with_shared_ones_equal_brute_force) {
  WIDEPHASE_CASE
  for (const int shared : {0, 1, 2, 3}) {
    Random random(17);
    TwoSets<D, T> sets{uniform<D, T>(1200, random), uniform<D, T>(900, random)};
    // Some worlds are on one side only. Bit 0: the tree has world -1; bit 1: so do the queries.
    for (std::size_t i = 0; i < sets.tree.size(); ++i) {
      sets.tree.world.push_back((shared & 1) && i % 9 == 0 ? -1 : 3 * random.integer(0, 7));
    }
    for (std::size_t i = 0; i < sets.asked.size(); ++i) {
      sets.asked.world.push_back((shared & 2) && i % 7 == 0 ? -1 : 2 * random.integer(0, 11));
    }
    expect_right(sets);
    if (testing::Test::HasFatalFailure()) return;
    // Sorted by the worlds of the queries, and within each by those of the tree.
    std::pair<int, int> before{-1, -1};
    for (const auto& [a, b] : found_pairs(sets)) {
      const std::pair<int, int> worlds{sets.asked.world[static_cast<std::size_t>(b)],
                                       sets.tree.world[static_cast<std::size_t>(a)]};
      ASSERT_GE(worlds, before);
      before = worlds;
    }
  }
}

TYPED_TEST(bounds_tree_of, thousands_of_worlds_grouped_or_mixed_equal_brute_force) {
  WIDEPHASE_CASE
  constexpr int kWorlds = 3000;
  for (const bool is_grouped : {true, false}) {
    Random random(19);
    TwoSets<D, T> sets;
    for (Boxes<D, T>* const boxes : {&sets.tree, &sets.asked}) {
      for (int i = 0; i < kWorlds * 5; ++i) {
        add_around(*boxes, anywhere<D>(random, 0, 4), same<D>(0.5));
        boxes->world.push_back(1000 * (is_grouped ? i / 5 : random.integer(0, kWorlds - 1)));
      }
    }
    // Brute force within each world, since comparing all boxes would take minutes.
    const Boxes<D, T> all = joined(sets);
    std::vector<std::vector<std::size_t>> members(kWorlds);
    for (std::size_t i = 0; i < all.size(); ++i) {
      members[static_cast<std::size_t>(all.world[i] / 1000)].push_back(i);
    }
    const std::size_t n = sets.tree.size();
    Pairs expected;
    for (const auto& rows : members) {
      for (const std::size_t a : rows) {
        for (const std::size_t b : rows) {
          if (a < n && b >= n && overlap(all, a, b)) {
            expected.emplace_back(static_cast<int>(a), static_cast<int>(b - n));
          }
        }
      }
    }
    const Pairs found = found_pairs(sets);
    ASSERT_TRUE(sorted(found) == sorted(expected));
    for (const int threads : {2, 3, 8}) {
      ASSERT_TRUE(found_pairs(sets, with(Isa::widest, threads)) == found) << threads;
    }
  }
}

TYPED_TEST(bounds_tree_of, worlds_far_from_each_other_equal_brute_force) {
  WIDEPHASE_CASE
  // World w is near 1e6 w: trees in double have their own frames, and queries are moved into each.
  Random random(23);
  TwoSets<D, T> sets;
  for (Boxes<D, T>* const boxes : {&sets.tree, &sets.asked}) {
    for (int i = 0; i < 1500; ++i) {
      const int world = random.integer(0, 5);
      std::array<double, D> centre = anywhere<D>(random, 0, 8);
      for (double& x : centre) x += 1e6 * world;
      add_around(*boxes, centre, same<D>(0.4));
      boxes->world.push_back(i % 5 == 0 ? -1 : world);
    }
  }
  expect_right(sets);
}

// --- periodic domains: numbers that are multiples of 1/64, so that wrapping is exact ---

TYPED_TEST(bounds_tree_of, periodic_axes_in_every_combination_equal_brute_force) {
  WIDEPHASE_CASE
  for (unsigned axes = 1; axes < 1u << D; ++axes) {
    for (const unsigned filters : {0u, 1u, 63u}) {
      for (const double low : {0.0, -20.0}) {
        for (const auto& [count, asked_count] :
             {std::pair{0, 5}, {1, 1}, {2, 30}, {400, 3}, {300, 400}}) {
          SCOPED_TRACE(std::to_string(axes) + " " + std::to_string(filters) + " " +
                       std::to_string(low) + " " + std::to_string(count));
          Random random(axes);
          // From -20 to 25 in a domain from 0 to 5, 6, 7: some are several periods outside.
          const double high = low == 0 ? 7 : 25;
          TwoSets<D, T> sets{on_a_grid<D, T>(count, low, high, random),
                             on_a_grid<D, T>(asked_count, low, high, random)};
          for (int d = 0; d < D; ++d) {
            sets.tree.domain.max[d] = static_cast<T>(5 + d);
            sets.tree.domain.periodic[d] = (axes >> d & 1) != 0;
          }
          add_filters(sets.tree, filters, random);
          add_filters(sets.asked, filters, random);
          expect_right(sets);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

TYPED_TEST(bounds_tree_of, a_domain_too_thin_for_a_box_of_each_side_is_refused_by_axis) {
  WIDEPHASE_CASE
  // Widths along y: 2 and 2 in the tree, 1.5 asked. Two of the tree never meet, so 3.75 is enough
  // where 3.5 is not.
  TwoSets<D, T> sets;
  add_around(sets.tree, same<D>(1), same<D>(1));
  add_around(sets.tree, same<D>(3), same<D>(1));
  add_around(sets.asked, same<D>(3), same<D>(0.5));
  add_around(sets.asked, same<D>(2), same<D>(0.75));
  sets.tree.domain.max.fill(T(3.5));
  sets.tree.domain.periodic[1] = true;
  const Finding finding = finding_of([&] { found_pairs(sets); });
  EXPECT_EQ(finding.array, "domain.max");
  EXPECT_EQ(finding.row, 1);
  sets.tree.domain.max.fill(T(3.75));
  expect_right(sets);
  sets.tree.domain.max[1] = std::numeric_limits<T>::infinity();
  EXPECT_EQ(finding_of([&] { built(sets.tree, with(Isa::widest, 1)); }).array, "domain.max");
}

// --- threads ---

template <int D, class T>
void expect_same_on_any_threads(const TwoSets<D, T>& sets) {
  const Pairs found = found_pairs(sets);
  ASSERT_FALSE(found.empty());
  const BoundsTree<D, T> tree = built(sets.tree, with(Isa::widest, 1));
  for (const int threads : kThreadCounts) {
    ASSERT_TRUE(found_pairs(sets, with(Isa::widest, threads)) == found) << threads;
    ASSERT_TRUE(asked_pairs(tree, sets.asked, with(Isa::widest, threads)) == found) << threads;
  }
  for (const Isa isa : isas()) {
    ASSERT_TRUE(found_pairs(sets, with(isa, 2)) == found) << isa_name(isa);
  }
}

TYPED_TEST(bounds_tree_of, threads_do_not_change_the_sequence) {
  WIDEPHASE_CASE
  for (const auto make : {uniform<D, T>, clustered<D, T>, two_outliers<D, T>, one_huge<D, T>,
                          tiles<D, T>, sticks<D, T>}) {
    Random random(31);
    // More than two chunks of each stage.
    const int count = static_cast<int>(scaled(60000, 40000));
    expect_same_on_any_threads(dealt(make(count, random), count / 2));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TYPED_TEST(bounds_tree_of, threads_do_not_change_the_sequence_of_worlds_and_images) {
  WIDEPHASE_CASE
  Random random(37);
  // More than two chunks of each stage, of the large world too.
  const int count = static_cast<int>(scaled(150000, 50000));
  TwoSets<D, T> sets{uniform<D, T>(count, random), uniform<D, T>(count, random)};
  for (Boxes<D, T>* const boxes : {&sets.tree, &sets.asked}) {
    for (std::size_t i = 0; i < boxes->size(); ++i) {
      // World 40 is large, the others are not.
      boxes->world.push_back(i % 2 == 0 ? 40 : i % 1000 == 1 ? -1 : random.integer(0, 99));
    }
  }
  expect_same_on_any_threads(sets);
  for (int d = 0; d < D; ++d) {
    sets.tree.domain.max[d] = static_cast<T>(side_of<D, T>(count));
    sets.tree.domain.periodic[d] = d != 1;
  }
  expect_same_on_any_threads(sets);
}

TYPED_TEST(bounds_tree_of, threads_may_ask_one_tree_at_once) {
  WIDEPHASE_CASE
  Random random(41);
  TwoSets<D, T> sets{uniform<D, T>(20000, random), uniform<D, T>(5000, random)};
  add_filters(sets.tree, 63, random);
  add_filters(sets.asked, 63, random);
  const Boxes<D, T> others = sticks<D, T>(3000, random);
  const BoundsTree<D, T> tree = built(sets.tree, with(Isa::widest, 1));
  const Pairs expected = asked_pairs(tree, sets.asked);
  const Pairs expected_of_others = asked_pairs(tree, others);
  Pairs found;
  Pairs found_of_others;
  std::thread other([&] {
    for (int i = 0; i < 10; ++i) found_of_others = asked_pairs(tree, others);
  });
  for (int i = 0; i < 10; ++i) found = asked_pairs(tree, sets.asked);
  other.join();
  EXPECT_TRUE(found == expected);
  EXPECT_TRUE(found_of_others == expected_of_others);
}

// --- what stays in memory ---

TYPED_TEST(bounds_tree_of, a_tree_outlives_what_it_was_built_of_and_may_be_moved) {
  WIDEPHASE_CASE
  Random random(43);
  TwoSets<D, T> sets{uniform<D, T>(3000, random), uniform<D, T>(2000, random)};
  add_filters(sets.tree, 63, random);
  add_filters(sets.asked, 63, random);
  const Pairs expected = expected_pairs(sets);
  BoundsTree<D, T> tree = built(sets.tree, with(Isa::widest, 1));
  const BoundsTree<D, T> moved = std::move(tree);
  sets.tree.bounds.min.resize(0);
  for (int d = 0; d < D; ++d) {
    std::fill_n(sets.tree.bounds.max.plane(d), 3000, T(0));
  }
  sets.tree.world.assign(3000, 0);
  sets.tree.owner.assign(3000, 7);
  EXPECT_TRUE(sorted(asked_pairs(moved, sets.asked)) == expected);
  EXPECT_EQ(moved.size(), 3000u);
}

TYPED_TEST(bounds_tree_of, one_tree_and_one_workspace_serve_sets_of_any_size) {
  WIDEPHASE_CASE
  BoundsTree<D, T> tree;
  PairWorkspace<D, T> workspace;
  Column<Pair> pairs;
  Random random(47);
  for (const int count : {1000, 3, 0, 257, 5000, 16, 1}) {
    TwoSets<D, T> sets;
    sets.tree = power_law<D, T>(count, random);
    add_filters(sets.tree, count % 2 == 0 ? 1 : 0, random);
    build_tree(sets.tree.bounds, sets.tree.filters(), {}, tree, workspace);
    EXPECT_EQ(tree.size(), sets.tree.size());
    for (const int asked_count : {700, 0, 20, 4000}) {
      sets.asked = power_law<D, T>(asked_count, random);
      find_pairs<D, T>(sets.asked.bounds, {}, {}, pairs, workspace);  // of one set, in between
      find_pairs(tree, sets.asked.bounds, {}, pairs, workspace);
      ASSERT_TRUE(to_pairs(pairs) == found_pairs(sets));
    }
  }
}

TYPED_TEST(bounds_tree_of, small_worlds_have_tiles_only_where_they_were_asked) {
  WIDEPHASE_CASE
  // 300 worlds of 20 boxes; the caller's boxes are gone when the questions come.
  Random random(59);
  TwoSets<D, T> sets = dealt(uniform<D, T>(6600, random), 600);
  for (std::size_t i = 0; i < sets.tree.size(); ++i) {
    sets.tree.world.push_back(static_cast<std::int32_t>(i / 20));
  }
  BoundsTree<D, T> tree;
  {
    const Boxes<D, T> gone = sets.tree;
    PairWorkspace<D, T> workspace;
    build_tree<D, T>(gone.bounds, gone.filters(), {}, tree, workspace);
  }
  const std::size_t without = tree.bytes();
  const auto expect_pairs_of = [&](std::int32_t from, std::int32_t count) {
    sets.asked.world.clear();
    for (std::size_t i = 0; i < sets.asked.size(); ++i) {
      sets.asked.world.push_back(from + static_cast<std::int32_t>(i) % count);
    }
    PairWorkspace<D, T> workspace;
    Column<Pair> pairs;
    find_pairs<D, T>(tree, sets.asked.bounds, sets.asked.filters(), pairs, workspace);
    EXPECT_FALSE(pairs.empty());
    EXPECT_EQ(to_pairs(pairs), found_pairs(sets));
    return tree.bytes();
  };
  const std::size_t with_one = expect_pairs_of(7, 1);
  EXPECT_GT(with_one, without);
  EXPECT_EQ(expect_pairs_of(7, 1), with_one);
  const std::size_t with_all = expect_pairs_of(0, 300);
  EXPECT_GT(with_all - without, 200 * (with_one - without));
  EXPECT_EQ(expect_pairs_of(-1, 1), with_all);
}

TYPED_TEST(bounds_tree_of, asking_about_few_takes_no_memory_by_the_size_of_the_tree) {
  WIDEPHASE_CASE
  // A hundred queries over 200,000 boxes, with all filters: a single byte per box of the tree would
  // show.
  Random random(53);
  TwoSets<D, T> sets = dealt(uniform<D, T>(200100, random), 100);
  Boxes<D, T>& asked = sets.asked;
  add_filters(sets.tree, 63, random);
  add_filters(asked, 63, random);
  asked.excluded = {{199999, 99}};
  const BoundsTree<D, T> tree = built(sets.tree, with(Isa::widest, 1));
  EXPECT_GT(tree.bytes(), 200000u * 2 * D * sizeof(float));
  PairWorkspace<D, T> workspace;
  Column<Pair> pairs;
  find_pairs<D, T>(tree, asked.bounds, asked.filters(), pairs, workspace, with(Isa::widest, 1));
  EXPECT_LT(workspace.bytes(), 200000u);
}

}  // namespace
}  // namespace widephase::test
