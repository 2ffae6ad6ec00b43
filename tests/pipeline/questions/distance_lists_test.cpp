// Distances of lists of pairs: rows come in the order of the pairs. Threads, used workspaces,
// margins and orders change no bit, and an error names a pair that has no distance.
// Labels: threads dated

#include <gtest/gtest.h>

#include "support/distance_lists.hpp"
#include "support/methods.hpp"

namespace widephase::test {
namespace {

TEST(distance, rows_come_in_the_order_of_the_pairs) {
  in_every_dimension_and_precision([]<int D, class T>() {
    const PairScene<D, T> input(mixed_pairs_with_distance<D>(scaled(4, 2), 87));
    Workspace<D, T> workspace;  // one for all lists: it keeps what was computed for the hulls
    for (const Method method : kMethods) {
      const auto rows = ask_distances<D, T>(input.scene, input.pairs, Isa::widest, method);
      for (std::size_t i = 0; i < input.pairs.size(); ++i) {
        const std::size_t at = input.pairs.size() - 1 - i;
        if (at % 7 != 0) continue;
        // The pair alone, and twice, in its own list.
        const std::vector<Pair> twice{input.pairs[at], input.pairs[at]};
        const auto alone = ask_distances<D, T>(input.scene, twice, Isa::widest, method, workspace);
        ASSERT_EQ(alone.distance.size(), 2u);
        ASSERT_EQ(row_bits(alone, 0), row_bits(rows, at)) << at;
        ASSERT_EQ(row_bits(alone, 1), row_bits(rows, at)) << at;
      }
    }
  });
}

TEST(distance, threads_agree) {
  in_every_dimension_and_precision([]<int D, class T>() {
    const PairScene<D, T> input(mixed_pairs_with_distance<D>(scaled(10, 3), 88));
    // Long enough for threads to share it.
    std::vector<Pair> pairs;
    while (pairs.size() < scaled(20000, 2000)) {
      pairs.insert(pairs.end(), input.pairs.begin(), input.pairs.end());
    }
    for (const Method method : kMethods) {
      const auto rows = ask_distances<D, T>(input.scene, pairs, Isa::widest, method, 1);
      for (const int threads : {2, 3}) {
        EXPECT_TRUE(
            same_rows(ask_distances<D, T>(input.scene, pairs, Isa::widest, method, threads), rows))
            << threads;
      }
    }
  });
}

TEST(distance, a_reused_workspace_and_buffer_answer_the_same) {
  in_every_dimension_and_precision([]<int D, class T>() {
    const PairScene<D, T> many(mixed_pairs_with_distance<D>(3, 89));
    const PairScene<D, T> few(random_pairs<D>(Kind::capsule, Kind::aabb, 5, 90));
    DistanceBuffer<D, T> rows;
    Workspace<D, T> workspace;
    distances<D, T>(many.scene, many.pairs, rows, workspace);
    for (const Method method : kMethods) {
      CollideOptions options;
      options.method = method;
      distances<D, T>(few.scene, few.pairs, rows, workspace, options);
      EXPECT_TRUE(same_rows(rows, ask_distances<D, T>(few.scene, few.pairs, Isa::widest, method)));
    }
    distances<D, T>(few.scene, {}, rows, workspace);
    EXPECT_EQ(rows.distance.size(), 0u);
    EXPECT_EQ(rows.point_b.size(), 0u);
  });
}

TEST(distance, margins_and_order_are_not_used) {
  in_every_dimension_and_precision([]<int D, class T>() {
    PairScene<D, T> input(mixed_pairs_with_distance<D>(2, 91));
    const auto rows = ask_distances<D, T>(input.scene, input.pairs, Isa::widest, Method::automatic);
    for (const Kind kind : kinds(D)) {
      with_table(input.scene, kind, [&](auto& table) {
        for (std::size_t i = 0; i < row_count(table); ++i) table.margin.push_back({SizeOf<T>(0.5)});
      });
    }
    DistanceBuffer<D, T> others;
    Workspace<D, T> workspace;
    CollideOptions options;
    options.margin = 3;
    options.order = Order::id;
    distances<D, T>(input.scene, input.pairs, others, workspace, options);
    EXPECT_TRUE(same_rows(others, rows));
  });
}

/// Calls distances of `pairs` and returns the finding of the error.
template <int D, class T>
Finding finding_of(const SceneColumns<D, T>& scene, const std::vector<Pair>& pairs, Method method) {
  try {
    ask_distances<D, T>(scene, pairs, Isa::widest, method);
  } catch (const Error& error) {
    EXPECT_TRUE(error.finding().has_value()) << error.what();
    return error.finding().value_or(Finding{});
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(distance, wrong_pairs_are_named) {
  in_every_dimension_and_precision([]<int D, class T>() {
    SceneColumns<D, T> scene;
    Point<D> normal{};
    normal[0] = 1;
    append(scene, ball<D>({}, 1));
    append(scene, aabb<D>({}, {}));
    append(scene, halfspace<D>(normal, 0));
    append(scene, halfspace<D>(normal, 1));
    const Pair good{0, 1}, other{1, 3};
    for (const Method method : kMethods) {
      SCOPED_TRACE(name_of_method(method));
      const std::vector<Pair> bad{{2, 3}, {3, 2}, {0, 4}, {-1, 0}, {4, 0}, {0, -7}, {0, 0}, {2, 2}};
      for (const Pair pair : bad) {
        const Finding finding = finding_of<D, T>(scene, {good, other, pair, good}, method);
        EXPECT_EQ(finding.array, "pairs");
        EXPECT_EQ(finding.row, 2) << pair.a << " " << pair.b;
        EXPECT_FALSE(finding.message.empty());
      }
      EXPECT_EQ((finding_of<D, T>(scene, {{2, 3}}, method).row), 0);
      EXPECT_EQ((finding_of<D, T>(scene, {good, {3, 2}, {2, 3}}, method).row), 1);
      const auto rows =
          ask_distances<D, T>(scene, std::vector<Pair>{good, other}, Isa::widest, method);
      EXPECT_EQ(rows.distance.size(), 2u);
    }
  });
}

}  // namespace
}  // namespace widephase::test
