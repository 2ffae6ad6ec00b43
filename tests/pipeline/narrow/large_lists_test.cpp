// Lists so long that contacts go through blocks and bypass the caches, and rows are prefetched:
// they give the same contacts as the parts of the list one by one.
// Labels: threads host

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "soa/stream_copy.hpp"
#include "support/compare.hpp"
#include "support/executors.hpp"

namespace widephase::test {
namespace {

constexpr std::size_t kPart = 50000;

/// More rows than the caches near a core hold: spheres and capsules, with a third of the pairs in
/// contact.
SceneColumns<3, float> many_shapes() {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> place(0, 1.2f), length(-0.5f, 0.5f);
  SceneColumns<3, float> scene;
  for (int i = 0; i < 30000; ++i) {
    scene.spheres.center.push_back({place(random), place(random), place(random)});
    scene.spheres.radius.push_back({0.4f});
  }
  for (int i = 0; i < 60000; ++i) {
    const std::array<float, 3> a{place(random), place(random), place(random)};
    scene.capsules.a.push_back(a);
    scene.capsules.b.push_back({a[0] + length(random), a[1] + length(random), a[2]});
    scene.capsules.radius.push_back({0.2f});
  }
  return scene;
}

/// Pairs of all kinds, with either shape first.
std::vector<Pair> many_pairs(std::size_t count) {
  std::mt19937 random(6);
  std::uniform_int_distribution<std::int32_t> id(0, 89999);
  std::vector<Pair> pairs;
  while (pairs.size() < count) {
    const Pair pair{id(random), id(random)};
    if (pair.a != pair.b) pairs.push_back(pair);
  }
  return pairs;
}

TEST(large_lists, give_the_contacts_of_their_parts) {
  const SceneColumns<3, float> scene = many_shapes();
  // More pairs than the count from which contacts are streamed, ending within a batch.
  const std::vector<Pair> pairs = many_pairs((std::size_t{1} << 18) + 8 * 4096 + 5);
  CollideOptions options;
  options.order = Order::source;
  options.threads.count = 1;
  Workspace<3, float> workspace;

  std::map<std::int64_t, std::vector<std::uint64_t>> expected;
  for (std::size_t begin = 0; begin < pairs.size(); begin += kPart) {
    ContactBuffer<3, float> contacts;
    const std::span<const Pair> part =
        std::span(pairs).subspan(begin, std::min(kPart, pairs.size() - begin));
    collide_pairs(scene, part, contacts, workspace, options);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      expected[contacts.source[i] + static_cast<std::int64_t>(begin)] = answer_bits(contacts, i);
    }
  }
  ASSERT_GT(expected.size(), pairs.size() / 10);
  ASSERT_LT(expected.size(), pairs.size());

  for (const int threads : {1, 2, 3, 8}) {
    SCOPED_TRACE(threads);
    options.threads.count = threads;
    ContactBuffer<3, float> contacts;
    collide_pairs(scene, pairs, contacts, workspace, options);
    EXPECT_TRUE(is_consistent(contacts));
    ASSERT_EQ(contacts.size(), expected.size());
    std::size_t i = 0;
    for (const auto& [source, bits] : expected) {
      ASSERT_EQ(contacts.source[i], source);
      ASSERT_EQ(contacts.pair[i], pairs[static_cast<std::size_t>(source)]);
      ASSERT_EQ(answer_bits(contacts, i), bits) << describe(contacts, i);
      ++i;
    }
  }
}

TEST(large_lists, an_executor_may_run_backwards_on_any_number_of_threads) {
  const SceneColumns<3, float> scene = many_shapes();
  const std::vector<Pair> pairs = many_pairs(30000);
  CollideOptions options;
  options.threads.count = 1;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> expected;
  collide_pairs(scene, pairs, expected, workspace, options);
  ASSERT_GT(expected.size(), 1000u);
  for (const int threads : {1, 4, 100}) {
    SCOPED_TRACE(threads);
    options.threads.executor.for_each = run_backwards;
    options.threads.executor.threads = threads;
    ContactBuffer<3, float> contacts;
    collide_pairs(scene, pairs, contacts, workspace, options);
    EXPECT_TRUE(same_contacts(contacts, expected));
  }
}

TEST(large_lists, of_pairs_that_never_meet_are_empty) {
  SceneColumns<2, double> scene;
  for (int i = 0; i < 200; ++i) {
    scene.halfspaces.normal.push_back({0, 1});
    scene.halfspaces.offset.push_back({-1.0 * i});
  }
  std::vector<Pair> pairs;
  for (std::int32_t a = 0; a < 200; ++a) {
    for (std::int32_t b = a + 1; b < 200; ++b) pairs.push_back({a, b});
  }
  CollideOptions options;
  options.threads.count = 2;
  Workspace<2, double> workspace;
  ContactBuffer<2, double> contacts;
  collide_pairs(scene, pairs, contacts, workspace, options);
  EXPECT_EQ(contacts.size(), 0u);
  EXPECT_TRUE(is_consistent(contacts));
}

TEST(stream_copy, copies_no_more_and_no_less) {
  std::array<unsigned char, 512> from{}, expected{};
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<unsigned char>(i * 7 + 1);
  alignas(64) std::array<unsigned char, 512> to{};
  for (std::size_t at = 0; at < 70; ++at) {
    for (std::size_t bytes = 0; bytes < 300; bytes += bytes < 140 ? 1 : 13) {
      to.fill(0);
      expected.fill(0);
      std::copy_n(from.begin() + 3, bytes, expected.begin() + static_cast<std::ptrdiff_t>(at));
      stream_copy(to.data() + at, from.data() + 3, bytes);
      end_stream_copies();
      ASSERT_EQ(to, expected) << at << " " << bytes;
    }
  }
}

}  // namespace
}  // namespace widephase::test
