// The broad phase against brute force: families of boxes, filters, worlds, threads, workspaces.
// Labels: threads emulated-arm long dated own-sets

#include <gtest/gtest.h>

#include <thread>

#include "reference/scaled.hpp"
#include "support/boxes.hpp"
#include "support/executors.hpp"

namespace widephase::test {
namespace {

template <class Case>
class find_pairs_of : public testing::Test {};
TYPED_TEST_SUITE(find_pairs_of, BoxCases);

TYPED_TEST(find_pairs_of, every_family_and_count_equals_brute_force) {
  WIDEPHASE_CASE
  for (const auto& family : families<D, T>()) {
    for (const int count : {0, 1, 2, 3, 15, 16, 17, 33, 100, 255, 256, 257, 700, 1000}) {
      SCOPED_TRACE(std::string(family.name) + " " + std::to_string(count));
      Random random(static_cast<std::uint64_t>(count) + 1);
      expect_right(family.make(count, random));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(find_pairs_of, five_thousand_boxes_equal_brute_force) {
  WIDEPHASE_CASE
  for (const auto& family : families<D, T>()) {
    SCOPED_TRACE(family.name);
    Random random(5);
    expect_right(family.make(scaled(5000, 600), random));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TYPED_TEST(find_pairs_of, boxes_apart_or_over_by_less_than_a_float_equal_brute_force) {
  WIDEPHASE_CASE
  // Rows of unit boxes, each up to 1e-9 off its place. The walk's boxes are rounded to float, so
  // only the unrounded ones tell; of 20 boxes a call of the walk leaves a few pairs open, of 3000
  // more than it notes.
  for (const int count : {20, 300, 3000}) {
    Random random(53);
    Boxes<D, T> boxes;
    for (int i = 0; i < count; ++i) {
      std::array<double, D> centre;
      for (int d = 0, rest = i; d < D; ++d, rest /= 14) {
        centre[d] = rest % 14 + 0.5 + 1e-9 * random.integer(-1, 1);
      }
      add_around(boxes, centre, same<D>(0.5));
    }
    expect_right(boxes);
  }
}

TYPED_TEST(find_pairs_of, any_stride_is_read_in_place) {
  WIDEPHASE_CASE
  Random random(3);
  const Boxes<D, T> boxes = uniform<D, T>(777, random);
  std::vector<T> rows;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (int d = 0; d < D; ++d) rows.push_back(boxes.bounds.min(i, d));
    for (int d = 0; d < D; ++d) rows.push_back(boxes.bounds.max(i, d));
  }
  constexpr std::ptrdiff_t kStride = 2 * D * sizeof(T);
  const BoundsSpan<D, T> bounds(
      ColumnSpan<T, D>::interleaved(rows.data(), boxes.size(), kStride),
      ColumnSpan<T, D>::interleaved(rows.data() + D, boxes.size(), kStride));
  Column<Pair> pairs;
  PairWorkspace<D, T> workspace;
  find_pairs<D, T>(bounds, {}, {}, pairs, workspace);
  EXPECT_TRUE(to_pairs(pairs) == found_pairs(boxes));
}

// --- filters ---

TYPED_TEST(find_pairs_of, filters_alone_and_together_equal_brute_force) {
  WIDEPHASE_CASE
  for (const unsigned which :
       {1u, 2u, 4u, 8u, 16u, 32u, 64u, 63u, 127u, 128u, 136u, 255u, 257u, 511u}) {
    for (const int count : {5, 40, 300, 900}) {
      SCOPED_TRACE(std::to_string(which) + " " + std::to_string(count));
      Random random(which);
      Boxes<D, T> boxes = uniform<D, T>(count, random);
      add_filters(boxes, which, random);
      expect_right(boxes);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(find_pairs_of, filters_of_a_large_world_equal_brute_force) {
  // From 16,384 boxes on, filters go by bytes: numbers of up to 256 classes of categories with
  // masks, and eight bits of each name.
  WIDEPHASE_CASE
  constexpr int kCount = 17000;
  Random random(53);
  const Boxes<D, T> plain = uniform<D, T>(kCount, random);
  const Pairs all = found_pairs(plain);
  const auto expect_passing = [&](const auto& add) {
    Boxes<D, T> boxes = plain;
    add(boxes);
    Pairs passing;
    for (const auto& [a, b] : all) {
      if (passes(boxes, static_cast<std::size_t>(a), static_cast<std::size_t>(b))) {
        passing.emplace_back(a, b);
      }
    }
    EXPECT_GT(passing.size(), all.size() / 8);
    EXPECT_LT(passing.size(), all.size());
    for (const int threads : {1, 2}) {
      EXPECT_TRUE(found_pairs(boxes, with(Isa::widest, threads)) == passing) << threads;
    }
  };
  // Classes 0 to `most`, the last of them at the last box alone.
  const auto add_classes = [&](Boxes<D, T>& boxes, int most, bool has_categories, bool has_masks) {
    for (int i = 0; i < kCount; ++i) {
      const int named = i + 1 == kCount ? most : random.integer(0, most - 1);
      if (has_categories) boxes.category.push_back(static_cast<std::uint32_t>(named));
      if (has_masks) boxes.mask.push_back(static_cast<std::uint32_t>(most - named));
    }
  };
  const auto add_names = [&](std::vector<std::int32_t>& names) {
    // -1 is no name. More than 256 others share their bytes.
    for (int i = 0; i < kCount; ++i) names.push_back(random.integer(0, 600) / 2 - 1);
    // Neighbours mostly are of one name, so that some pairs are left out.
    for (const auto& [a, b] : all) {
      if (random.integer(0, 2) == 0) {
        names[static_cast<std::size_t>(a)] = names[static_cast<std::size_t>(b)];
      }
    }
  };
  for (const int most : {7, 255, 256, 4000}) {
    SCOPED_TRACE(most);
    expect_passing([&](auto& boxes) { add_classes(boxes, most, true, true); });
    expect_passing([&](auto& boxes) { add_classes(boxes, most, true, false); });
    expect_passing([&](auto& boxes) { add_classes(boxes, most, false, true); });
  }
  expect_passing([&](auto& boxes) { add_names(boxes.owner); });
  expect_passing([&](auto& boxes) { add_names(boxes.body); });
  expect_passing([&](auto& boxes) {
    for (std::size_t i = 0; i < all.size(); i += 97) {
      boxes.excluded.push_back({all[i].first, all[i].second});
      boxes.excluded.push_back({all[i].second, all[(i + 48) % all.size()].first});
    }
  });
  expect_passing([&](auto& boxes) {
    add_classes(boxes, 100, true, true);
    add_names(boxes.owner);
    add_names(boxes.body);
    boxes.excluded.push_back({all[0].first, all[0].second});
  });
}

TYPED_TEST(find_pairs_of, columns_of_another_length_are_refused_by_name) {
  WIDEPHASE_CASE
  Random random(1);
  Boxes<D, T> boxes = uniform<D, T>(10, random);
  boxes.owner = {1, 2, 3};
  try {
    found_pairs(boxes);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    ASSERT_TRUE(error.finding().has_value());
    EXPECT_EQ(error.finding()->array, "owner");
  }
  boxes.owner.clear();
  boxes.world.assign(10, 0);
  boxes.world[7] = -2;
  try {
    found_pairs(boxes);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    ASSERT_TRUE(error.finding().has_value());
    EXPECT_EQ(error.finding()->array, "world");
    EXPECT_EQ(error.finding()->row, 7);
  }
  boxes.world[7] = 3;
  boxes.world_mask = {1, 1, 1};
  try {
    found_pairs(boxes);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    ASSERT_TRUE(error.finding().has_value());
    EXPECT_EQ(error.finding()->array, "world_mask");
  }
}

// --- worlds ---

/// Worlds of unequal sizes in mixed rows.
template <int D, class T>
Boxes<D, T> some_worlds(int count, bool with_shared, Random& random) {
  Boxes<D, T> boxes = uniform<D, T>(count, random);
  for (int i = 0; i < count; ++i) {
    const int draw = random.integer(0, 99);
    const int world = draw < 50 ? 0 : draw < 70 ? 3 : draw < 72 ? 4 : 5 + random.integer(0, 19);
    boxes.world.push_back(with_shared && draw % 10 == 0 ? -1 : world);
  }
  return boxes;
}

TYPED_TEST(find_pairs_of, a_world_alone_gives_the_sequence_it_gives_among_others) {
  WIDEPHASE_CASE
  for (const bool with_shared : {false, true}) {
    Random random(17);
    const Boxes<D, T> boxes = some_worlds<D, T>(3000, with_shared, random);
    const Pairs all = found_pairs(boxes);
    for (const std::int32_t world : {0, 3, 4, 7, 12, 24}) {
      std::vector<int> names;
      Pairs alone = found_pairs(only_worlds(boxes, {-1, world}, names));
      for (auto& [a, b] : alone) {
        a = names[static_cast<std::size_t>(a)];
        b = names[static_cast<std::size_t>(b)];
      }
      Pairs among;
      for (const auto& [a, b] : all) {
        const std::int32_t world_a = boxes.world[static_cast<std::size_t>(a)];
        const std::int32_t world_b = boxes.world[static_cast<std::size_t>(b)];
        if ((world_a == -1 || world_a == world) && (world_b == -1 || world_b == world)) {
          among.emplace_back(a, b);
        }
      }
      ASSERT_TRUE(alone == among) << world;
    }
  }
}

TYPED_TEST(find_pairs_of, pairs_come_by_world_those_of_shared_shapes_first) {
  WIDEPHASE_CASE
  Random random(18);
  const Boxes<D, T> boxes = some_worlds<D, T>(2000, true, random);
  std::int32_t before = -1;
  for (const auto& [a, b] : found_pairs(boxes)) {
    const std::int32_t world = std::max(boxes.world[static_cast<std::size_t>(a)],
                                        boxes.world[static_cast<std::size_t>(b)]);
    ASSERT_GE(world, before);
    before = world;
  }
}

TYPED_TEST(find_pairs_of, thousands_of_worlds_grouped_or_mixed_equal_brute_force) {
  WIDEPHASE_CASE
  for (const bool is_grouped : {true, false}) {
    Random random(19);
    Boxes<D, T> boxes;
    constexpr int kWorlds = 3000;
    for (int i = 0; i < kWorlds * 5; ++i) {
      add_around(boxes, anywhere<D>(random, 0, 4), same<D>(0.5));
      const int world = is_grouped ? i / 5 : random.integer(0, kWorlds - 1);
      boxes.world.push_back(world * 1000);
    }
    // Brute force within each world, since comparing all boxes would take minutes.
    std::vector<std::vector<std::size_t>> members(kWorlds);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      members[static_cast<std::size_t>(boxes.world[i] / 1000)].push_back(i);
    }
    Pairs expected;
    for (const auto& ids : members) {
      for (const std::size_t a : ids) {
        for (const std::size_t b : ids) {
          if (a < b && overlap(boxes, a, b)) {
            expected.emplace_back(static_cast<int>(a), static_cast<int>(b));
          }
        }
      }
    }
    const Pairs found = found_pairs(boxes);
    ASSERT_TRUE(sorted(found) == sorted(expected));
    for (const int threads : {2, 3, 8}) {
      ASSERT_TRUE(found_pairs(boxes, with(Isa::widest, threads)) == found) << threads;
    }
  }
}

// Six boxes in one place, two in each of worlds 0, 1 and 2: a pair in each. Then they are in worlds
// that the mask leaves out. No range of the first call may be left in the second.
TYPED_TEST(find_pairs_of, a_mask_may_leave_out_every_box) {
  WIDEPHASE_CASE
  Boxes<D, T> boxes;
  for (int i = 0; i < 6; ++i) add_around(boxes, same<D>(0), same<D>(1));
  boxes.world = {2, 1, 0, 2, 1, 0};
  Column<Pair> pairs;
  PairWorkspace<D, T> workspace;
  find_pairs<D, T>(boxes.bounds, boxes.filters(), {}, pairs, workspace);
  EXPECT_EQ(pairs.size(), 3u);
  boxes.world = {2, 1, 2, 2, 1, 2};
  boxes.world_mask = {1, 0, 0};
  find_pairs<D, T>(boxes.bounds, boxes.filters(), {}, pairs, workspace);
  EXPECT_EQ(pairs.size(), 0u);
}

// --- threads, workspaces ---

/// The caller's own executor, which runs the chunks from last to first on two threads.
void run_on_two_threads(void*, std::size_t count, void (*function)(std::size_t, void*),
                        void* context) {
  std::thread other([&] {
    for (std::size_t i = count; i-- > 0;) {
      if (i % 2 == 1) function(i, context);
    }
  });
  for (std::size_t i = count; i-- > 0;) {
    if (i % 2 == 0) function(i, context);
  }
  other.join();
}

template <int D, class T>
void expect_same_on_any_threads(const Boxes<D, T>& boxes) {
  const Pairs found = found_pairs(boxes);
  for (const int threads : kThreadCounts) {
    ASSERT_TRUE(found_pairs(boxes, with(Isa::widest, threads)) == found) << threads;
  }
  PairOptions options;
  options.threads.executor.for_each = run_on_two_threads;
  options.threads.executor.threads = 3;
  ASSERT_TRUE(found_pairs(boxes, options) == found);
  for (const Isa isa : isas()) {
    ASSERT_TRUE(found_pairs(boxes, with(isa, 2)) == found) << isa_name(isa);
  }
}

TYPED_TEST(find_pairs_of, threads_and_executors_do_not_change_the_sequence) {
  WIDEPHASE_CASE
  for (const auto make : {uniform<D, T>, clustered<D, T>, two_outliers<D, T>, one_huge<D, T>,
                          tiles<D, T>, sticks<D, T>, points_in_a_line<D, T>}) {
    Random random(31);
    // More than two chunks of each stage.
    const Boxes<D, T> boxes = make(static_cast<int>(scaled(40000, 20000)), random);
    expect_same_on_any_threads(boxes);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TYPED_TEST(find_pairs_of, threads_do_not_change_the_sequence_of_worlds_and_images) {
  WIDEPHASE_CASE
  Random random(37);
  // More than three chunks of each stage, also in the large world.
  const int count = static_cast<int>(scaled(150000, 60000));
  Boxes<D, T> boxes = uniform<D, T>(count, random);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    // World 40 is large, the others are not.
    boxes.world.push_back(i % 2 == 0 ? 40 : i % 1000 == 1 ? -1 : random.integer(0, 99));
  }
  expect_same_on_any_threads(boxes);
  for (int d = 0; d < D; ++d) {
    boxes.domain.max[d] = static_cast<T>(side_of<D, T>(count));
    boxes.domain.periodic[d] = d != 1;
  }
  expect_same_on_any_threads(boxes);
}

TYPED_TEST(find_pairs_of, the_place_of_world_minus_one_does_not_change_the_sequence) {
  WIDEPHASE_CASE
  // Worlds 0 to 2 of 400 boxes each, and 12 of world -1: in front, behind, between two worlds, and
  // in the middle of world 0.
  constexpr int kOwn = 1200, kShared = 12;
  Random random(43);
  const Boxes<D, T> own = power_law<D, T>(kOwn, random), shared = power_law<D, T>(kShared, random);
  Pairs first;
  for (const int place : {0, kOwn, 400, 291}) {
    Boxes<D, T> boxes;
    std::vector<int> name;  // own boxes by their number, those of world -1 behind them
    const auto add = [&](const Boxes<D, T>& from, int begin, int end, int named_from) {
      for (int i = begin; i < end; ++i) {
        boxes.add(from.bounds.min.row(static_cast<std::size_t>(i)),
                  from.bounds.max.row(static_cast<std::size_t>(i)));
        boxes.world.push_back(named_from == 0 ? i / 400 : -1);
        name.push_back(named_from + i);
      }
    };
    add(own, 0, place, 0);
    add(shared, 0, kShared, kOwn);
    add(own, place, kOwn, 0);
    for (const int threads : {1, 3}) {
      Pairs named;
      for (const auto& [a, b] : found_pairs(boxes, with(Isa::widest, threads))) {
        const int name_a = name[static_cast<std::size_t>(a)];
        const int name_b = name[static_cast<std::size_t>(b)];
        named.emplace_back(std::min(name_a, name_b), std::max(name_a, name_b));
      }
      if (place == 0) first = named;
      ASSERT_GT(named.size(), 5u);
      EXPECT_TRUE(named == first) << place << ", " << threads << " threads";
    }
  }
}

TYPED_TEST(find_pairs_of, twenty_thousand_boxes_on_two_threads_equal_brute_force) {
  WIDEPHASE_CASE
  for (const auto make : {power_law<D, T>, two_outliers<D, T>, sticks<D, T>}) {
    Random random(41);
    const Boxes<D, T> boxes = make(scaled(20000, 2000), random);
    ASSERT_TRUE(sorted(found_pairs(boxes, with(Isa::widest, 2))) == expected_pairs(boxes));
  }
}

TYPED_TEST(find_pairs_of, one_workspace_serves_calls_of_any_size) {
  WIDEPHASE_CASE
  PairWorkspace<D, T> workspace;
  Column<Pair> pairs;
  Random random(47);
  for (const int count : {1000, 3, 0, 257, 5000, 16, 1}) {
    const Boxes<D, T> boxes = power_law<D, T>(count, random);
    find_pairs<D, T>(boxes.bounds, {}, {}, pairs, workspace);
    ASSERT_TRUE(to_pairs(pairs) == found_pairs(boxes));
  }
}

}  // namespace
}  // namespace widephase::test
