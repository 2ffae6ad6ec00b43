// What must not change any bit: the instruction set, threads, neighbours in the list, the order of
// a pair.
// Labels: threads other-compiler emulated-x86 emulated-arm long dated

#include <gtest/gtest.h>

#include <numeric>

#include "support/compare.hpp"
#include "support/executors.hpp"
#include "support/methods.hpp"
#include "support/mixed_pairs.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

template <int D, class T>
void collide_list(const PairScene<D, T>& input, std::span<const Pair> pairs, Isa isa, Order order,
                  ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace, double margin = 0.25,
                  Method method = Method::automatic) {
  CollideOptions options;
  options.method = method;
  options.isa = isa;
  options.order = order;
  options.margin = margin;
  options.threads.count = 1;
  collide_pairs<D, T>(input.scene, pairs, contacts, workspace, options);
}

template <int D, class T>
void collide_list(const PairScene<D, T>& input, std::span<const Pair> pairs, Isa isa, Order order,
                  ContactBuffer<D, T>& contacts, double margin = 0.25,
                  Method method = Method::automatic) {
  Workspace<D, T> workspace;
  collide_list(input, pairs, isa, order, contacts, workspace, margin, method);
}

TEST(invariance, instruction_sets_agree_on_pairs) {
  in_every_dimension_and_precision([]<int D, class T>() {
    const PairScene<D, T> input(mixed_pairs<D>(scaled(40, 4), 41));
    // It keeps what was computed for the hulls, which no instruction set has a part in.
    Workspace<D, T> workspace;
    for (const Method method : kMethods) {
      ContactBuffer<D, T> expected;
      collide_list(input, input.pairs, usable_isas().front(), Order::kind, expected, workspace,
                   0.25, method);
      ASSERT_TRUE(is_consistent(expected));
      ASSERT_GT(expected.size(), input.pairs.size() / 10);
      for (const Isa isa : usable_isas()) {
        ContactBuffer<D, T> contacts;
        collide_list(input, input.pairs, isa, Order::kind, contacts, workspace, 0.25, method);
        EXPECT_TRUE(same_contacts(contacts, expected))
            << isa_name(isa) << ", " << name_of_method(method);
      }
    }
  });
}

TEST(invariance, instruction_sets_agree_on_scenes) {
  in_every_dimension_and_precision([]<int D, class T>() {
    SceneColumns<D, T> scene;
    add_mixed(scene, {scaled(1500, 200), 42});
    ContactBuffer<D, T> expected;
    for (const Isa isa : usable_isas()) {
      ContactBuffer<D, T> contacts;
      Workspace<D, T> workspace;
      CollideOptions options;
      options.isa = isa;
      options.margin = 0.0625;
      collide<D, T>(scene, contacts, workspace, options);
      if (isa == usable_isas().front()) expected = contacts;
      EXPECT_TRUE(same_contacts(contacts, expected)) << isa_name(isa);
    }
    EXPECT_GT(expected.size(), scaled(1500, 200) / 4);
  });
}

TEST(invariance, lists_of_any_length_agree) {
  // Lengths about the widths of vectors and tiles: each contact as in the long list.
  in_every_dimension_and_precision([]<int D, class T>() {
    const PairScene<D, T> input(mixed_pairs<D>(scaled(8, 4), 43));
    // One workspace for all lists: it keeps what was computed for the hulls.
    Workspace<D, T> workspace;
    for (const Isa isa : usable_isas()) {
      ContactBuffer<D, T> all;
      collide_list(input, input.pairs, isa, Order::source, all, workspace);
      for (const std::size_t count :
           {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 129, 255}) {
        if (count > input.pairs.size()) break;
        const std::size_t begin = input.pairs.size() - count;
        ContactBuffer<D, T> some;
        collide_list(input, std::span(input.pairs).subspan(begin), isa, Order::source, some,
                     workspace);
        ASSERT_LE(some.size(), all.size());
        const std::size_t first = all.size() - some.size();
        ASSERT_TRUE(first == 0 || all.source[first - 1] < static_cast<std::int64_t>(begin));
        for (std::size_t i = 0; i < some.size(); ++i) {
          ASSERT_EQ(some.source[i] + static_cast<std::int64_t>(begin), all.source[first + i]);
          ASSERT_EQ(answer_bits(some, i), answer_bits(all, first + i))
              << isa_name(isa) << ", " << count << " pairs: " << describe(some, i) << "\n"
              << describe(all, first + i);
        }
      }
    }
  });
}

TEST(invariance, permuted_and_repeated_pairs_keep_their_answers) {
  in_every_dimension_and_precision([]<int D, class T>() {
    const PairScene<D, T> input(mixed_pairs<D>(scaled(30, 4), 44));
    ContactBuffer<D, T> expected;
    collide_list(input, input.pairs, Isa::widest, Order::source, expected);
    std::vector<std::size_t> place_of_source(input.pairs.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      place_of_source[static_cast<std::size_t>(expected.source[i])] = i;
    }
    // Any pair at any place, some several times.
    Random random(45);
    std::vector<std::size_t> picks;
    std::vector<Pair> pairs;
    std::size_t expected_count = 0;
    for (std::size_t i = 0; i < input.pairs.size(); ++i) {
      picks.push_back(
          static_cast<std::size_t>(random.integer(0, static_cast<int>(input.pairs.size()) - 1)));
      pairs.push_back(input.pairs[picks.back()]);
      expected_count += place_of_source[picks.back()] < expected.size() ? 1 : 0;
    }
    ContactBuffer<D, T> contacts;
    collide_list(input, pairs, Isa::widest, Order::source, contacts);
    ASSERT_EQ(contacts.size(), expected_count);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const std::size_t place =
          place_of_source[picks[static_cast<std::size_t>(contacts.source[i])]];
      ASSERT_LT(place, expected.size());
      ASSERT_EQ(answer_bits(contacts, i), answer_bits(expected, place))
          << describe(contacts, i) << "\n"
          << describe(expected, place);
    }
  });
}

TEST(invariance, long_lists_of_boxes_answer_each_pair_as_alone) {
  // Long enough that pairs that may meet are taken out of several blocks of batches, in every
  // share.
  in_every_dimension_and_precision([]<int D, class T>() {
    const PairScene<D, T> input(mixed_pairs<D>(scaled(20, 4), 46));
    const SceneLayout layout = layout_of(SceneSpan<D, T>(input.scene));
    Workspace<D, T> workspace;
    std::vector<Pair> boxes;
    for (const Pair& pair : input.pairs) {
      if (layout.kind_of(pair.a) == Kind::box && layout.kind_of(pair.b) == Kind::box) {
        boxes.push_back(pair);
      }
    }
    ASSERT_FALSE(boxes.empty());
    for (const double margin : {0.0, 0.25, 10.0}) {
      std::vector<ContactBuffer<D, T>> alone(boxes.size());
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        collide_list(input, std::span(boxes).subspan(i, 1), Isa::widest, Order::source, alone[i],
                     workspace, margin);
      }
      Random random(47);
      for (const std::size_t count : {127, 128, 129, 150, 400, 700}) {
        std::vector<std::size_t> picks;
        std::vector<Pair> pairs;
        std::size_t expected_count = 0;
        for (std::size_t i = 0; i < count; ++i) {
          picks.push_back(
              static_cast<std::size_t>(random.integer(0, static_cast<int>(boxes.size()) - 1)));
          pairs.push_back(boxes[picks.back()]);
          expected_count += alone[picks.back()].size();
        }
        ContactBuffer<D, T> contacts;
        collide_list(input, pairs, Isa::widest, Order::source, contacts, workspace, margin);
        ASSERT_EQ(contacts.size(), expected_count);
        for (std::size_t i = 0; i < contacts.size(); ++i) {
          const ContactBuffer<D, T>& expected =
              alone[picks[static_cast<std::size_t>(contacts.source[i])]];
          ASSERT_EQ(expected.size(), 1u);
          ASSERT_EQ(answer_bits(contacts, i), answer_bits(expected, 0)) << describe(contacts, i);
        }
      }
    }
  });
}

/// The answer to (b, a), derived from that to (a, b). A zero of a normal never has a sign.
template <int D, class T>
std::vector<std::uint64_t> mirrored_bits(const ContactBuffer<D, T>& contacts, std::size_t i) {
  std::vector<std::uint64_t> bits;
  for (int k = 0; k < D; ++k) bits.push_back(bits_of(SizeOf<T>(0) - contacts.normal(i, k)));
  bits.push_back(bits_of(contacts.depth[i]));
  bits.push_back(contacts.status[i]);
  std::vector<std::pair<std::uint32_t, std::size_t>> rows;
  for (auto j = contacts.offset[i]; j < contacts.offset[i + 1]; ++j) {
    const auto row = static_cast<std::size_t>(j);
    const std::uint32_t feature = contacts.feature[row];
    rows.emplace_back(feature << 16 | feature >> 16, row);
  }
  std::sort(rows.begin(), rows.end());
  for (const auto& [feature, row] : rows) {
    for (int k = 0; k < D; ++k) {
      using Position = PositionOf<T>;
      const Position along = Position(contacts.point_depth[row]) * Position(contacts.normal(i, k));
      bits.push_back(bits_of(static_cast<Position>(contacts.point(row, k) - along)));
    }
    bits.push_back(bits_of(contacts.point_depth[row]));
    bits.push_back(feature);
  }
  return bits;
}

TEST(invariance, swapping_a_pair_mirrors_its_answer) {
  in_every_dimension_and_precision([]<int D, class T>() {
    const PairScene<D, T> input(mixed_pairs<D>(scaled(60, 4), 46));
    std::vector<Pair> ordered;
    std::vector<Pair> swapped;
    for (const Pair& pair : input.pairs) {
      ordered.push_back({std::min(pair.a, pair.b), std::max(pair.a, pair.b)});
      swapped.push_back({ordered.back().b, ordered.back().a});
    }
    Workspace<D, T> workspace;
    for (const Isa isa : usable_isas()) {
      ContactBuffer<D, T> expected;
      ContactBuffer<D, T> contacts;
      collide_list(input, ordered, isa, Order::source, expected, workspace);
      collide_list(input, swapped, isa, Order::source, contacts, workspace);
      ASSERT_EQ(contacts.size(), expected.size());
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        ASSERT_EQ(contacts.source[i], expected.source[i]);
        ASSERT_EQ(contacts.pair[i], swapped[static_cast<std::size_t>(contacts.source[i])]);
        // The loop mirrors what is named the other way round than its kernel takes it: a halfspace
        // is a kernel's B, also where it is the lower kind.
        const bool is_mirrored =
            layout_of(input.scene).kind_of(expected.pair[i].a) == Kind::halfspace;
        ASSERT_EQ(is_mirrored ? mirrored_bits(contacts, i) : answer_bits(contacts, i),
                  is_mirrored ? answer_bits(expected, i) : mirrored_bits(expected, i))
            << isa_name(isa) << "\n  swapped " << describe(contacts, i) << "\n  ordered "
            << describe(expected, i) << "\n  first "
            << describe(solid_of(input.scene, expected.pair[i].a)) << "\n  second "
            << describe(solid_of(input.scene, expected.pair[i].b));
      }
    }
  });
}

template <int D, class T>
void threads_agree(std::size_t count, int worlds, Order order) {
  SceneColumns<D, T> scene;
  add_mixed(scene, {count, 47});
  if (worlds > 1) add_tags(scene, worlds, 48);
  const auto run = [&](const Threads& threads, ContactBuffer<D, T>& contacts) {
    Workspace<D, T> workspace;
    CollideOptions options;
    options.threads = threads;
    options.order = order;
    options.margin = 0.0625;
    collide<D, T>(scene, contacts, workspace, options);
  };
  ContactBuffer<D, T> expected;
  run({1, {}}, expected);
  ASSERT_TRUE(is_consistent(expected));
  EXPECT_GT(expected.size(), count / 20);
  OwnThreads own{3};
  for (const Threads& threads : all_threads(own)) {
    ContactBuffer<D, T> contacts;
    run(threads, contacts);
    EXPECT_TRUE(same_contacts(contacts, expected)) << threads.count << " threads";
  }
  if (count >= 10000) {
    EXPECT_GT(own.calls, 0);
  }
}

TEST(invariance, threads_agree_on_one_world_in_2d) {
  threads_agree<2, float>(scaled(20000, 2000), 1, Order::kind);
}
TEST(invariance, threads_agree_on_one_world_in_3d) {
  threads_agree<3, double>(scaled(20000, 2000), 1, Order::id);
}
TEST(invariance, threads_agree_on_many_worlds_in_2d) {
  threads_agree<2, double>(scaled(12000, 2000), 60, Order::world);
}
TEST(invariance, threads_agree_on_many_worlds_in_3d) {
  threads_agree<3, float>(scaled(12000, 2000), 60, Order::source);
}
TEST(invariance, threads_agree_on_a_small_scene) { threads_agree<3, float>(100, 1, Order::kind); }

TEST(invariance, threads_agree_on_pair_lists) {
  const PairScene<3, float> input(mixed_pairs<3>(scaled(250, 10), 49));
  const auto run = [&](const Threads& threads, ContactBuffer<3, float>& contacts) {
    Workspace<3, float> workspace;
    CollideOptions options;
    options.threads = threads;
    collide_pairs<3, float>(input.scene, input.pairs, contacts, workspace, options);
  };
  ContactBuffer<3, float> expected;
  run({1, {}}, expected);
  OwnThreads own{3};
  for (const Threads& threads : all_threads(own)) {
    ContactBuffer<3, float> contacts;
    run(threads, contacts);
    EXPECT_TRUE(same_contacts(contacts, expected)) << threads.count << " threads";
  }
}

}  // namespace
}  // namespace widephase::test
