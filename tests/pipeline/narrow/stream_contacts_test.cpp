// Contacts in chunks: together they are those of collide, bit for bit, for any threads.
// Labels: threads long host

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>

#include <widephase/stream_contacts.hpp>

#include "reference/scaled.hpp"
#include "support/compare.hpp"
#include "support/error_of.hpp"
#include "support/executors.hpp"
#include "support/scenes.hpp"
#include "support/worlds_scene.hpp"

namespace widephase::test {
namespace {

/// Joins chunks.
template <int D, class T>
struct Joined {
  ContactBuffer<D, T> contacts;
  std::size_t chunks = 0;
  std::atomic<int> at_work{0};

  Joined() { contacts.clear(); }

  void operator()(const ContactBuffer<D, T>& chunk) {
    EXPECT_EQ(++at_work, 1);
    EXPECT_GT(chunk.size(), 0u);
    EXPECT_TRUE(is_consistent(chunk));
    const auto points = static_cast<std::int64_t>(contacts.point_count());
    const auto join = [](const auto& from, auto& to) {
      for (std::size_t i = 0; i < from.size(); ++i) to.push_back(from.row(i));
    };
    for_each_contact_column(join, chunk, contacts);
    for_each_point_column(join, chunk, contacts);
    for (std::size_t i = 1; i < chunk.offset.size(); ++i) {
      contacts.offset.push_back({points + chunk.offset[i]});
    }
    ++chunks;
    --at_work;
  }
};

template <int D, class T>
void expect_same_stream(const SceneColumns<D, T>& scene, CollideOptions options,
                        std::size_t least_contacts) {
  const SceneSpan<D, T> view(scene);
  ContactBuffer<D, T> expected, of_list;
  Workspace<D, T> reference;
  collide<D, T>(view, expected, reference, options);
  ASSERT_GT(expected.size(), least_contacts);
  // A caller's own list: in reverse, each pair in the other order, the first ones repeated.
  std::vector<Pair> pairs;
  for (const Pair pair : reference.pairs()) pairs.push_back({pair.b, pair.a});
  std::reverse(pairs.begin(), pairs.end());
  for (std::size_t i = 0; i < 100; ++i) pairs.push_back(pairs[i]);
  collide_pairs<D, T>(view, pairs, of_list, reference, options);
  Workspace<D, T> workspace;
  OwnThreads own{4};
  for (const Threads& threads : all_threads(own)) {
    SCOPED_TRACE(threads.count);
    options.threads = threads;
    Joined<D, T> joined;
    stream_collide<D, T>(view, joined, workspace, options);
    ASSERT_TRUE(same_contacts(joined.contacts, expected));
    EXPECT_EQ(workspace.stats().pairs, static_cast<std::int64_t>(workspace.pairs().size()));
    std::int64_t contacts = 0, points = 0;
    for (const CollideStats::KindStats& kind : workspace.stats().kinds) {
      contacts += kind.contacts;
      points += kind.points;
      EXPECT_LE(kind.lanes, 1);
    }
    EXPECT_EQ(contacts, static_cast<std::int64_t>(expected.size()));
    EXPECT_EQ(points, static_cast<std::int64_t>(expected.point_count()));

    Joined<D, T> joined_list;
    update_bounds<D, T>(view, workspace, options);
    stream_contacts<D, T>(view, pairs, joined_list, workspace, options);
    ASSERT_TRUE(same_contacts(joined_list.contacts, of_list));
  }
}

template <int D, class T>
void expect_same_streams() {
  SceneColumns<D, T> mixed;
  add_mixed(mixed, {scaled(D == 2 ? 6000 : 800, 300), 81, 0.7});
  expect_same_stream(mixed, {}, scaled(400, 200));

  SceneColumns<D, T> one_kind;
  Random random(82);
  const std::size_t count = scaled(6000, 3000);
  const double side = 0.8 * std::pow(static_cast<double>(count), 1.0 / D);
  for (std::size_t i = 0; i < count; ++i) {
    append(one_kind, ball<D>(random.point<D>(0, side), 0.75));
  }
  CollideOptions options;
  options.margin = 0.125;
  expect_same_stream(one_kind, options, count);
  for (int k = 0; k < D; ++k) {
    one_kind.domain.max[static_cast<std::size_t>(k)] = static_cast<T>(side);
    one_kind.domain.periodic[static_cast<std::size_t>(k)] = true;
  }
  expect_same_stream(one_kind, options, count);

  const SceneColumns<D, T> worlds = worlds_scene<D, T>(scaled(D == 2 ? 4000 : 400, 400), 83);
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(kWorlds), 1), status(mask.size());
  mask[0] = 0;
  options.world_mask = mask;
  options.world_status = status;
  options.method = Method::gjk_epa;
  expect_same_stream(worlds, options, 100);
}

TEST(stream_contacts, are_those_of_collide_in_2d_float) { expect_same_streams<2, float>(); }
TEST(stream_contacts, are_those_of_collide_in_2d_double) { expect_same_streams<2, double>(); }
TEST(stream_contacts, are_those_of_collide_in_3d_float) { expect_same_streams<3, float>(); }
TEST(stream_contacts, are_those_of_collide_in_3d_double) { expect_same_streams<3, double>(); }

/// Two overlapping spheres, and a third apart from them.
SceneColumns<3, float> three_spheres() {
  SceneColumns<3, float> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  append(scene, ball<3>({1, 0, 0}, 1));
  append(scene, ball<3>({9, 0, 0}, 1));
  return scene;
}

TEST(stream_contacts, what_the_sink_throws_ends_the_call_and_leaves_the_workspace_usable) {
  const SceneColumns<3, float> scene = three_spheres();
  const std::vector<Pair> pairs(100000, Pair{0, 1});
  Workspace<3, float> workspace;
  OwnThreads own{3};
  for (const Threads& threads : all_threads(own)) {
    SCOPED_TRACE(threads.count);
    CollideOptions options;
    options.threads = threads;
    update_bounds<3, float>(scene, workspace, options);
    std::size_t all = 0;
    const auto count = [&](const ContactBuffer<3, float>&) { ++all; };
    stream_contacts<3, float>(scene, pairs, count, workspace, options);
    ASSERT_GT(all, 10u);
    for (const std::size_t last : {std::size_t{1}, all / 2, all}) {
      std::size_t calls = 0;
      const auto thrower = [&](const ContactBuffer<3, float>&) {
        if (++calls == last) throw std::out_of_range("enough");
      };
      EXPECT_THROW((stream_contacts<3, float>(scene, pairs, thrower, workspace, options)),
                   std::out_of_range);
      EXPECT_EQ(calls, last);
    }
    ContactBuffer<3, float> contacts;
    find_contacts<3, float>(scene, pairs, contacts, workspace, options);
    EXPECT_EQ(contacts.size(), pairs.size());
  }
}

TEST(stream_contacts, chunks_without_contacts_are_not_handed_on) {
  const SceneColumns<3, float> scene = three_spheres();
  std::vector<Pair> pairs(50000, Pair{0, 2});
  Workspace<3, float> workspace;
  Joined<3, float> joined;
  update_bounds<3, float>(scene, workspace);
  stream_contacts<3, float>(scene, pairs, joined, workspace);
  stream_contacts<3, float>(scene, {}, joined, workspace);
  EXPECT_EQ(joined.chunks, 0u);
  pairs[40000] = {1, 0};
  stream_contacts<3, float>(scene, pairs, joined, workspace);
  EXPECT_EQ(joined.chunks, 1u);
  ASSERT_EQ(joined.contacts.size(), 1u);
  EXPECT_EQ(joined.contacts.source[0], 40000);
  EXPECT_EQ(joined.contacts.pair[0], (Pair{1, 0}));
}

TEST(stream_contacts, memory_does_not_grow_with_the_contacts) {
  const SceneColumns<3, float> scene = three_spheres();
  const std::vector<Pair> pairs(400000, Pair{0, 1});
  CollideOptions options;
  options.threads.count = 2;
  Workspace<3, float> workspace;
  update_bounds<3, float>(scene, workspace, options);
  std::size_t contacts = 0, largest = 0;
  const auto count = [&](const ContactBuffer<3, float>& chunk) {
    contacts += chunk.size();
    largest = std::max(largest, chunk.size());
  };
  stream_contacts<3, float>(scene, pairs, count, workspace, options);
  EXPECT_EQ(contacts, pairs.size());
  EXPECT_LE(largest, pairs.size() / 10);
  // Stored together, they would take 61 bytes each.
  EXPECT_LT(workspace.bytes(), pairs.size() * 61 / 4);
}

TEST(stream_contacts, a_sink_may_collide_on_all_threads_itself) {
  const SceneColumns<3, float> scene = three_spheres();
  const std::vector<Pair> pairs(100000, Pair{0, 1});
  Workspace<3, float> workspace, inner;
  std::size_t total = 0;
  const auto sink = [&](const ContactBuffer<3, float>& chunk) {
    ContactBuffer<3, float> again;
    collide_pairs<3, float>(scene, {chunk.pair.plane(), chunk.size()}, again, inner);
    total += again.size();
  };
  for (const int threads : {0, 1, 2, 8}) {
    CollideOptions options;
    options.threads.count = threads;
    update_bounds<3, float>(scene, workspace, options);
    total = 0;
    stream_contacts<3, float>(scene, pairs, sink, workspace, options);
    EXPECT_EQ(total, pairs.size());
  }
}

TEST(stream_contacts, what_needs_all_contacts_at_once_is_refused) {
  const SceneColumns<3, float> scene = three_spheres();
  Workspace<3, float> workspace;
  const auto sink = [](const ContactBuffer<3, float>&) { ADD_FAILURE() << "was called"; };
  const auto call = [&](const CollideOptions& options) {
    return error_of([&] { stream_collide<3, float>(scene, sink, workspace, options); });
  };
  for (const Order order : {Order::source, Order::id, Order::world}) {
    CollideOptions options;
    options.order = order;
    EXPECT_EQ(call(options),
              "order needs all contacts at once; a stream has them in order `kind`, so ask for "
              "that one or call find_contacts");
  }
  CollideOptions options;
  options.max_contacts = 7;
  EXPECT_EQ(call(options),
            "max_contacts caps what a call stores, and a stream stores none; leave "
            "it out");
  options.max_contacts = kNoCap;
  options.max_points = 7;
  EXPECT_EQ(call(options),
            "max_points caps what a call stores, and a stream stores none; leave it "
            "out");
  options.max_points = kNoCap;
  std::vector<WarmStart> warm(3);
  options.warm_starts = warm;
  EXPECT_EQ(call(options).substr(0, 11), "warm_starts");
  options.warm_starts = {};
  options.max_pairs = 0;
  EXPECT_EQ(call(options), "max_pairs is 0; the answer needs 1");
}

TEST(stream_contacts, invalid_pairs_are_told_before_the_sink_is_called) {
  const SceneColumns<3, float> scene = three_spheres();
  Workspace<3, float> workspace;
  update_bounds<3, float>(scene, workspace);
  std::vector<Pair> pairs(50000, Pair{0, 1});
  pairs.back() = {0, 3};
  const auto sink = [](const ContactBuffer<3, float>&) { ADD_FAILURE() << "was called"; };
  EXPECT_EQ(
      error_of([&] { stream_contacts<3, float>(scene, pairs, sink, workspace); }).substr(0, 12),
      "pairs[49999]");
}

}  // namespace
}  // namespace widephase::test
