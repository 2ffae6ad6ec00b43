// The start of a search changes its time but not its result: with the words of the last step, with
// those of other pairs, and with any bits.
// Labels: long dated own-sets

#include <gtest/gtest.h>

#include <limits>

#include "support/compare.hpp"
#include "support/error_of.hpp"
#include "support/methods.hpp"
#include "support/mixed_pairs.hpp"
#include "support/pair_kinds.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

/// Any bits; most have a form that the library writes, often with small numbers.
WarmStart any_word(Random& random) {
  const auto bits = [&](int count) {
    return static_cast<std::uint64_t>(random.uniform(0, 1) * static_cast<double>(1u << count));
  };
  WarmStart word{
      bits(31) << 33 | bits(31) << 2 | bits(2), bits(31) << 33 | bits(31) << 2 | bits(2), {}};
  for (std::uint32_t& name : word.points) name = static_cast<std::uint32_t>(bits(31));
  if (random.chance(0.8)) {
    const int range = random.chance(0.5) ? 3 : 6;
    word.axis = bits(2) | bits(range) << 8;
    for (int k = 0; k < 4; ++k) word.axis |= bits(range) << (24 + 8 * k);
    word.simplex = bits(2);
    for (int k = 0; k < 6; ++k) word.simplex |= bits(range) << (8 + 8 * k);
  }
  return word;
}

SolidPair<3> moved_a_little(const SolidPair<3>& pair, Random& random) {
  const Point<3> by = random.point<3>(-0.01, 0.01);
  SolidPair<3> after{pair.a, moved<3>(pair.b, by)};
  if (after.b.kind != Kind::aabb) after.b = turned_by(about({by[1], by[2], by[0]}, by[0]), after.b);
  return after;
}

/// Pairs of these kinds from every family.
std::vector<SolidPair<3>> pairs_of(Kind a, Kind b, std::uint64_t seed) {
  std::vector<SolidPair<3>> pairs = random_pairs<3>(a, b, count_for(a, b, 200, 10), seed);
  for (const auto& family : {grid_pairs<3>(a, b, count_for(a, b, 100, 5), seed + 1),
                             near_grid_pairs<3>(a, b, count_for(a, b, 100, 5), seed + 2),
                             sized_pairs<3>(a, b, count_for(a, b, 100, 5), seed + 3)}) {
    pairs.insert(pairs.end(), family.begin(), family.end());
  }
  return pairs;
}

template <class T>
std::vector<Reference<3>> references_of(std::vector<SolidPair<3>>& pairs) {
  std::vector<Reference<3>> references;
  for (SolidPair<3>& pair : pairs) {
    pair.a = stored<T>(pair.a);
    pair.b = stored<T>(pair.b);
    references.push_back(reference_of(pair.a, pair.b));
  }
  return references;
}

class warm_starts : public ::testing::TestWithParam<PairKindCase> {};

TEST_P(warm_starts, change_no_answer_whatever_they_are) {
  for_each_real(GetParam(), [&]<int D, class T>(Kind a, Kind b) {
    if constexpr (D == 3) {
      std::vector<SolidPair<3>> pairs = pairs_of(a, b, 91);
      const std::vector<Reference<3>> references = references_of<T>(pairs);
      Random random(92);
      for (const Method method : kMethods) {
        for (const double margin : {0., 0.25}) {
          std::vector<WarmStart> words(pairs.size());
          for (WarmStart& word : words) word = any_word(random);
          check_pairs<3, T>(pairs, references, margin, usable_isas().back(), method, words);
          // The words of the same poses, then for each pair the words of the pair before.
          check_pairs<3, T>(pairs, references, margin, usable_isas().back(), method, words);
          std::rotate(words.begin(), words.begin() + 1, words.end());
          check_pairs<3, T>(pairs, references, margin, usable_isas().back(), method, words);
        }
      }
    }
  });
}

TEST_P(warm_starts, change_no_answer_step_after_step) {
  for_each_real(GetParam(), [&]<int D, class T>(Kind a, Kind b) {
    if constexpr (D == 3) {
      for (const Method method : kMethods) {
        std::vector<SolidPair<3>> pairs = random_pairs<3>(a, b, count_for(a, b, 100, 5), 93);
        std::vector<WarmStart> words(pairs.size());
        Random random(94);
        for (int step = 0; step < 5; ++step) {
          const std::vector<Reference<3>> references = references_of<T>(pairs);
          check_pairs<3, T>(pairs, references, 0.125, usable_isas().back(), method, words);
          for (SolidPair<3>& pair : pairs) pair = moved_a_little(pair, random);
        }
      }
    }
  });
}

std::vector<PairKindCase> pair_kinds_3d() {
  std::vector<PairKindCase> cases;
  for (const PairKindCase& pair : all_pair_kinds()) {
    if (pair.dimension == 3 && pair.a <= pair.b) cases.push_back(pair);
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(kinds, warm_starts, ::testing::ValuesIn(pair_kinds_3d()), case_name);

/// Takes two steps with a list on one instruction set and returns the contacts of the second.
template <class T>
ContactBuffer<3, T> second_step(const std::vector<SolidPair<3>>& first,
                                const std::vector<SolidPair<3>>& second, bool is_swapped,
                                CollideOptions options, std::vector<WarmStart>& words) {
  words.assign(first.size(), {});
  options.warm_starts = words;
  options.order = Order::source;
  options.margin = 0.25;
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  for (const auto* solids : {&first, &second}) {
    const PairScene<3, T> input(*solids);
    std::vector<Pair> pairs = input.pairs;
    if (is_swapped) {
      for (Pair& pair : pairs) std::swap(pair.a, pair.b);
    }
    collide_pairs<3, T>(input.scene, pairs, contacts, workspace, options);
  }
  return contacts;
}

TEST(warm_starts, are_the_same_bits_everywhere) {
  const auto check = [&]<class T>(T) {
    const std::vector<SolidPair<3>> first = mixed_pairs<3>(scaled(10, 2), 95);
    std::vector<SolidPair<3>> second;
    Random random(96);
    for (const SolidPair<3>& pair : first) second.push_back(moved_a_little(pair, random));
    for (const Method method : kMethods) {
      CollideOptions options;
      options.method = method;
      options.isa = usable_isas().front();
      options.threads.count = 1;
      std::vector<WarmStart> expected_words, words;
      const ContactBuffer<3, T> expected =
          second_step<T>(first, second, false, options, expected_words);
      ASSERT_GT(expected.size(), first.size() / 10);
      std::size_t word_count = 0;
      for (const WarmStart& word : expected_words) word_count += word == WarmStart{} ? 0 : 1;
      EXPECT_GT(word_count, first.size() / 10);
      for (const Isa isa : usable_isas()) {
        options.isa = isa;
        for (const int threads : {1, 3}) {
          options.threads.count = threads;
          EXPECT_TRUE(same_contacts(second_step<T>(first, second, false, options, words), expected))
              << isa_name(isa) << ", " << threads << " threads";
          EXPECT_TRUE(words == expected_words) << isa_name(isa) << ", " << threads << " threads";
        }
      }
      // The words belong to the pair, in either order.
      second_step<T>(first, second, true, options, words);
      EXPECT_TRUE(words == expected_words);
    }
  };
  check(float{});
  check(double{});
}

TEST(warm_starts, stay_as_they_are_where_nothing_is_searched) {
  const PairScene<2, float> flat(random_pairs<2>(Kind::polygon, Kind::polygon, 20, 97));
  std::vector<WarmStart> words(flat.pairs.size(), WarmStart{7, 8});
  const std::vector<WarmStart> expected = words;
  CollideOptions options;
  options.warm_starts = words;
  ContactBuffer<2, float> contacts;
  Workspace<2, float> workspace;
  collide_pairs<2, float>(flat.scene, flat.pairs, contacts, workspace, options);
  EXPECT_TRUE(words == expected);
  for (const Kind other : {Kind::hull, Kind::cylinder, Kind::box, Kind::halfspace}) {
    const PairScene<3, float> round(random_pairs<3>(Kind::sphere, other, 20, 97));
    ContactBuffer<3, float> found;
    Workspace<3, float> other_workspace;
    collide_pairs<3, float>(round.scene, round.pairs, found, other_workspace, options);
    EXPECT_TRUE(words == expected) << kind_name(other, 3);
  }
}

/// The answer and word of a pair are the same among pairs with other words, and alone.
TEST(warm_starts, are_no_matter_of_the_neighbours) {
  const std::vector<SolidPair<3>> solids = mixed_pairs<3>(scaled(5, 2), 100);
  const PairScene<3, float> input(solids);
  Random random(101);
  std::vector<WarmStart> words(solids.size());
  for (std::size_t i = 0; i < words.size(); i += 2) words[i] = any_word(random);
  for (const Isa isa : usable_isas()) {
    for (const Method method : kMethods) {
      SCOPED_TRACE(std::string(isa_name(isa)) + ", " + name_of_method(method));
      std::vector<WarmStart> together = words;
      CollideOptions options;
      options.isa = isa;
      options.method = method;
      options.order = Order::source;
      options.margin = 0.25;
      options.warm_starts = together;
      ContactBuffer<3, float> contacts, one;
      Workspace<3, float> workspace;
      collide_pairs<3, float>(input.scene, input.pairs, contacts, workspace, options);
      std::size_t next = 0;
      update_bounds<3, float>(input.scene, workspace, options);
      for (std::size_t i = 0; i < solids.size(); ++i) {
        WarmStart word = words[i];
        options.warm_starts = {&word, 1};
        find_contacts<3, float>(input.scene, {&input.pairs[i], 1}, one, workspace, options);
        EXPECT_TRUE(word == together[i]) << i;
        const bool is_hit =
            next < contacts.size() && contacts.source[next] == static_cast<std::int64_t>(i);
        ASSERT_EQ(one.size(), is_hit ? 1u : 0u) << i;
        if (!is_hit) continue;
        EXPECT_EQ(answer_bits(one, 0), answer_bits(contacts, next)) << i;
        ++next;
      }
    }
  }
}

TEST(warm_starts, serve_distances_too) {
  std::vector<SolidPair<3>> pairs = random_pairs<3>(Kind::hull, Kind::hull, scaled(200, 20), 98);
  const PairScene<3, double> input(pairs);
  std::vector<WarmStart> words(pairs.size());
  CollideOptions options;
  DistanceBuffer<3, double> cold, warm;
  Workspace<3, double> workspace;
  distances<3, double>(input.scene, input.pairs, cold, workspace, options);
  options.warm_starts = words;
  for (int round = 0; round < 2; ++round) {
    distances<3, double>(input.scene, input.pairs, warm, workspace, options);
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_NEAR(warm.distance[i], cold.distance[i], 1e-11) << i;
    EXPECT_NE(words[i].axis, 0u) << i;
  }
}

TEST(warm_starts, are_one_a_pair) {
  const PairScene<3, float> input(random_pairs<3>(Kind::hull, Kind::hull, 3, 99));
  std::vector<WarmStart> words(2);
  CollideOptions options;
  options.warm_starts = words;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  DistanceBuffer<3, float> rows;
  std::vector<std::uint8_t> is_contact(3);
  const std::string expected = "warm_starts has 2 entries for 3 pairs";
  EXPECT_EQ(error_of([&] {
              collide_pairs<3, float>(input.scene, input.pairs, contacts, workspace, options);
            }),
            expected);
  EXPECT_EQ(error_of([&] {
              test_pairs<3, float>(input.scene, input.pairs, is_contact, workspace, options);
            }),
            expected);
  EXPECT_EQ(
      error_of([&] { distances<3, float>(input.scene, input.pairs, rows, workspace, options); }),
      expected);
  EXPECT_EQ(
      error_of([&] { collide<3, float>(input.scene, contacts, workspace, options); }),
      "warm_starts are of pairs that the caller names; collide finds its own, so leave them empty "
      "or call find_pairs and find_contacts");
}

}  // namespace
}  // namespace widephase::test
