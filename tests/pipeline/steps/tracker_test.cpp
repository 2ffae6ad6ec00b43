// The tracker against a map from ids to the contacts of the last step. Shapes come, go, change rows
// and worlds; pairs repeat, in either order; worlds are left out and forgotten.
// Labels: threads long dated host

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <tuple>

#include "support/compare.hpp"
#include "support/executors.hpp"
#include "support/mixed_pairs.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

struct Name {
  std::int32_t world;
  std::int64_t key;
  friend auto operator<=>(const Name&, const Name&) = default;
};

/// A shape that exists over several steps.
template <int D>
struct Lasting {
  Solid<D> solid;
  Name name;
};

/// A key for the n-th shape, of either sign and any size.
std::int64_t key_of(std::uint64_t n) {
  if (n % 3 == 0) return static_cast<std::int64_t>(n);
  return static_cast<std::int64_t>((n + 1) * 0x9e3779b97f4a7c15u);
}

template <int D>
class Crowd {
 public:
  Crowd(std::size_t count, int worlds, double side, std::uint64_t seed)
      : random_(seed), worlds_(worlds), side_(side) {
    for (std::size_t i = 0; i < count; ++i) add();
  }

  void move() {
    for (Lasting<D>& shape : shapes) {
      if (shape.solid.kind == Kind::halfspace) continue;
      shape.solid = moved<D>(shape.solid, random_.template point<D>(-0.03, 0.03));
    }
  }
  void exchange(double share) {
    const auto count = static_cast<std::size_t>(share * static_cast<double>(shapes.size()));
    for (std::size_t i = 0; i < count; ++i) {
      shapes.erase(shapes.begin() + random_.integer(0, static_cast<int>(shapes.size()) - 1));
      add();
    }
  }
  void shuffle() {
    for (std::size_t i = shapes.size(); i > 1; --i) {
      std::swap(shapes[i - 1],
                shapes[static_cast<std::size_t>(random_.integer(0, static_cast<int>(i) - 1))]);
    }
  }

  template <class T>
  SceneColumns<D, T> scene(bool has_keys) const {
    SceneColumns<D, T> scene;
    for (const Lasting<D>& shape : shapes) {
      append(scene, shape.solid);
      with_table(scene, shape.solid.kind, [&](auto& table) {
        table.world.push_back({shape.name.world});
        if (has_keys) table.key.push_back({shape.name.key});
      });
    }
    return scene;
  }

  Random& random() { return random_; }
  std::vector<Lasting<D>> shapes;

 private:
  void add() {
    const Kind kind = bounded_kind(random_, D);
    const std::int32_t world = random_.chance(0.1) ? -1 : random_.integer(0, worlds_ - 1);
    shapes.push_back({random_solid<D>(random_, kind, random_.template point<D>(0, side_), 0.6),
                      {world, key_of(next_++)}});
  }

  Random random_;
  int worlds_;
  double side_;
  std::uint64_t next_ = 0;
};

template <int D, class T>
std::vector<Name> names_of(const SceneColumns<D, T>& scene) {
  std::vector<Name> names;
  for (const Kind kind : kinds(D)) {
    with_table(scene, kind, [&](const auto& table) {
      for (std::size_t i = 0; i < row_count(table); ++i) {
        const auto id = static_cast<std::int64_t>(names.size());
        names.push_back({value_or(table.world, i, std::int32_t{0}), value_or(table.key, i, id)});
      }
    });
  }
  return names;
}

/// Two names, the smaller first, and which of their pairs it is.
using PairName = std::tuple<Name, Name, int>;

std::vector<PairName> pair_names(const std::vector<Name>& names, std::span<const Pair> pairs) {
  std::map<std::pair<Name, Name>, int> seen;
  std::vector<PairName> result;
  for (const Pair pair : pairs) {
    const Name a = names[static_cast<std::size_t>(pair.a)];
    const Name b = names[static_cast<std::size_t>(pair.b)];
    const auto both = std::minmax(a, b);
    result.emplace_back(both.first, both.second, seen[both]++);
  }
  return result;
}

/// The expected answers of the tracker, from maps.
template <int D, class T>
class ReferenceTracker {
 public:
  void step(const SceneColumns<D, T>& scene, std::span<const Pair> pairs,
            const ContactBuffer<D, T>& contacts) {
    const std::vector<Name> names = names_of(scene);
    const std::vector<PairName> pair_name = pair_names(names, pairs);
    last_contact.clear();
    last_point.assign(contacts.point_count(), -1);
    std::map<PairName, Entry> now;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const PairName name = pair_name[static_cast<std::size_t>(contacts.source[i])];
      Entry entry{static_cast<std::int64_t>(i),
                  contacts.pair[i],
                  names[static_cast<std::size_t>(contacts.pair[i].a)],
                  names[static_cast<std::size_t>(contacts.pair[i].b)],
                  {}};
      const auto before = entries_.find(name);
      last_contact.push_back(before == entries_.end() ? -1 : before->second.contact);
      for (auto p = contacts.offset[i]; p < contacts.offset[i + 1]; ++p) {
        const std::uint32_t feature = contacts.feature[static_cast<std::size_t>(p)];
        entry.points.push_back({feature, p});
        if (before == entries_.end()) continue;
        const bool is_swapped = before->second.a != entry.a;
        const std::uint32_t wanted =
            is_swapped ? (feature & 0xffff) << 16 | feature >> 16 : feature;
        for (const auto& [of_point, point] : before->second.points) {
          if (of_point == wanted) last_point[static_cast<std::size_t>(p)] = point;
        }
      }
      now[name] = entry;
    }
    ended.clear();
    for (const auto& [name, entry] : entries_) {
      if (now.count(name) == 0) ended[entry.contact] = entry;
    }
    entries_ = std::move(now);
  }
  void forget(std::span<const std::uint8_t> worlds) {
    for (auto at = entries_.begin(); at != entries_.end();) {
      const std::int32_t world =
          std::max(std::get<0>(at->first).world, std::get<1>(at->first).world);
      const bool is_forgotten = world >= 0 && static_cast<std::size_t>(world) < worlds.size() &&
                                worlds[static_cast<std::size_t>(world)] != 0;
      at = is_forgotten ? entries_.erase(at) : std::next(at);
    }
  }
  void forget() { entries_.clear(); }

  struct Entry {
    std::int64_t contact;
    Pair pair;
    Name a, b;  ///< as they were named
    std::vector<std::pair<std::uint32_t, std::int64_t>> points;
  };
  std::vector<std::int64_t> last_contact, last_point;
  std::map<std::int64_t, Entry> ended;  ///< by contact

 private:
  std::map<PairName, Entry> entries_;
};

template <int D, class T>
void expect_equal(const Tracker<D, T>& tracker, const ReferenceTracker<D, T>& reference) {
  const auto values = [](const Column<std::int64_t>& column) {
    return std::vector<std::int64_t>(column.begin(), column.end());
  };
  EXPECT_EQ(values(tracker.last_contact()), reference.last_contact);
  EXPECT_EQ(values(tracker.last_point()), reference.last_point);
  const EndedContacts& ended = tracker.ended();
  ASSERT_EQ(ended.size(), reference.ended.size());
  std::size_t i = 0;
  for (const auto& [contact, entry] : reference.ended) {
    EXPECT_EQ(ended.contact[i], contact);
    EXPECT_EQ(ended.pair[i], entry.pair);
    EXPECT_EQ(ended.key(i, 0), entry.a.key);
    EXPECT_EQ(ended.key(i, 1), entry.b.key);
    EXPECT_EQ(ended.world[i], std::max(entry.a.world, entry.b.world));
    ++i;
  }
}

/// How often each answer occurred, so that a test cannot pass if nothing happens.
struct Tally {
  std::int64_t begun = 0, persisted = 0, ended = 0, points = 0, points_kept = 0;

  template <int D, class T>
  void add(const Tracker<D, T>& tracker) {
    for (const std::int64_t last : tracker.last_contact()) ++(last < 0 ? begun : persisted);
    for (const std::int64_t last : tracker.last_point()) {
      ++points;
      points_kept += last < 0 ? 0 : 1;
    }
    ended += static_cast<std::int64_t>(tracker.ended().size());
  }
};

template <int D, class T>
void expect_reference(bool has_keys, std::uint64_t seed) {
  constexpr int kWorlds = 4;
  Crowd<D> crowd(scaled(300, 60), kWorlds, D == 2 ? 4.5 : 2.8, seed);
  Random& random = crowd.random();
  Tracker<D, T> tracker;
  ReferenceTracker<D, T> reference;
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  Tally tally;
  for (int step = 0; step < 16; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    crowd.move();
    if (step % 3 == 1) crowd.exchange(0.1);
    if (has_keys && step % 4 == 2) crowd.shuffle();
    if (step == 9) crowd.shapes[0].name.world = (crowd.shapes[0].name.world + 2) % kWorlds;
    SceneColumns<D, T> scene = crowd.template scene<T>(has_keys);
    if (step == 11) scene = {};
    CollideOptions options;
    options.margin = 0.05;
    options.order = static_cast<Order>(step % 4);
    options.threads.count = 1 + step % 8;
    std::vector<std::uint8_t> mask(kWorlds, 1);
    if (step % 5 == 3) {
      mask[static_cast<std::size_t>(random.integer(0, kWorlds - 1))] = 0;
      options.world_mask = mask;
    }
    std::vector<Pair> pairs;
    if (step % 4 == 3) {
      // A caller's own list: the found pairs in any order, with either shape first, and with
      // repeats.
      collide<D, T>(scene, contacts, workspace, options);
      pairs.assign(workspace.pairs().begin(), workspace.pairs().end());
      for (std::size_t i = pairs.size(); i > 1; --i) {
        std::swap(pairs[i - 1],
                  pairs[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
      }
      const std::size_t found = pairs.size();
      for (std::size_t i = 0; i < found; ++i) {
        if (random.chance(0.3)) pairs.push_back(pairs[i]);
        if (random.chance(0.4)) std::swap(pairs[i].a, pairs[i].b);
      }
      collide_pairs<D, T>(scene, pairs, contacts, workspace, tracker, options);
    } else {
      collide<D, T>(scene, contacts, workspace, tracker, options);
      pairs.assign(workspace.pairs().begin(), workspace.pairs().end());
    }
    reference.step(scene, pairs, contacts);
    expect_equal(tracker, reference);
    if (::testing::Test::HasFailure()) return;
    tally.add(tracker);
    if (step == 6) {
      std::vector<std::uint8_t> forgotten(kWorlds, 0);
      forgotten[1] = forgotten[2] = 1;
      tracker.forget(forgotten);
      reference.forget(forgotten);
    }
    if (step == 13) {
      tracker.forget();
      reference.forget();
    }
  }
  EXPECT_GT(tally.begun, 100);
  EXPECT_GT(tally.persisted, 100);
  EXPECT_GT(tally.ended, 20);
  EXPECT_GT(tally.points_kept, tally.points / 5);
}

TEST(tracker, says_what_a_map_by_keys_says) {
  in_every_dimension_and_precision([]<int D, class T>() {
    expect_reference<D, T>(true, 301);
    expect_reference<D, T>(false, 302);
  });
}

/// Long lists, which threads share, with rows of a few and of thousands of pairs.
TEST(tracker, says_so_of_long_lists_on_any_threads) {
  const std::size_t small_count = scaled(6000, 3000);
  SceneColumns<2, float> scene;
  Random random(303);
  for (std::size_t i = 0; i < small_count; ++i) {
    append(scene, ball<2>(random.point<2>(-40, 40), 0.8));
  }
  append(scene, aabb<2>({-40, -40}, {40, 40}));  // overlaps all
  const auto shape_count = static_cast<std::int32_t>(small_count + 1);
  std::vector<std::int64_t> keys(small_count + 1);
  std::iota(keys.begin(), keys.end(), 1000);
  scene.aabbs.key.push_back({7});
  Tracker<2, float> trackers[8];
  ReferenceTracker<2, float> reference;
  ContactBuffer<2, float> contacts;
  Workspace<2, float> workspace;
  std::vector<Pair> pairs;
  for (int step = 0; step < 4; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    // Part of the list changes, and once all ids change.
    for (std::size_t i = 0; i < (step == 0 ? 40000u : 300u); ++i) {
      Pair pair{random.integer(0, shape_count - 1), random.integer(0, 3)};
      if (i % 2 == 0) pair.b = random.integer(0, shape_count - 1);
      if (pair.a == pair.b) continue;
      if (step == 0) {
        pairs.push_back(pair);
      } else {
        pairs[static_cast<std::size_t>(random.integer(0, static_cast<int>(pairs.size()) - 1))] =
            pair;
      }
    }
    if (step == 2) {
      std::rotate(keys.begin(), keys.begin() + 1, keys.begin() + static_cast<long>(small_count));
    }
    scene.circles.key.clear();
    for (std::size_t i = 0; i < small_count; ++i) scene.circles.key.push_back({keys[i]});
    CollideOptions options;
    options.margin = 30;
    for (const int threads : {1, 2, 3, 8}) {
      options.threads.count = threads;
      collide_pairs<2, float>(scene, pairs, contacts, workspace, trackers[threads - 1], options);
      if (threads == 1) reference.step(scene, pairs, contacts);
      expect_equal(trackers[threads - 1], reference);
      ASSERT_FALSE(::testing::Test::HasFailure()) << threads << " threads";
    }
    Tally tally;
    tally.add(trackers[0]);
    EXPECT_GT(tally.begun, step == 0 ? 2000 : 20);
    if (step == 1 || step == 3) {
      EXPECT_GT(tally.persisted, 2000);
    }
  }
}

/// The scene's own pairs; one shape has thousands of them.
TEST(tracker, says_so_of_a_shape_that_meets_all) {
  Random random(306);
  Tracker<2, float> tracker, shared;
  ReferenceTracker<2, float> reference;
  ContactBuffer<2, float> contacts;
  Workspace<2, float> workspace;
  Tally tally;
  for (int step = 0; step < 4; ++step) {
    SceneColumns<2, float> scene;
    append(scene, ball<2>({0, 0}, 30));  // the lowest id
    for (int i = 0; i < 3000; ++i) append(scene, ball<2>(random.point<2>(-20, 20), 0.1));
    CollideOptions options;
    options.threads.count = 1;
    collide<2, float>(scene, contacts, workspace, tracker, options);
    const std::vector<Pair> pairs(workspace.pairs().begin(), workspace.pairs().end());
    reference.step(scene, pairs, contacts);
    expect_equal(tracker, reference);
    options.threads.count = 3;
    collide<2, float>(scene, contacts, workspace, shared, options);
    expect_equal(shared, reference);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "step " << step;
    tally.add(tracker);
  }
  EXPECT_GE(tally.persisted, 3 * 3000);
  EXPECT_GT(tally.ended, 20);
}

/// The words at the end of a step are those at the start of the next, whatever the ids are.
TEST(tracker, takes_the_kth_of_shapes_of_one_name_for_the_kth) {
  // Circles in a row in a box, four of them named 5, in two worlds.
  const auto step = [](std::vector<std::int64_t> keys, std::vector<std::int32_t> worlds,
                       Tracker<2, float>& tracker) {
    SceneColumns<2, float> scene;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      scene.circles.center.push_back({static_cast<float>(3 * i), 0});
      scene.circles.radius.push_back({1});
      scene.circles.key.push_back({keys[i]});
      scene.circles.world.push_back({worlds[i]});
    }
    scene.aabbs.min.push_back({-9, -9});
    scene.aabbs.max.push_back({99, 9});
    scene.aabbs.key.push_back({1});
    scene.aabbs.world.push_back({-1});
    ContactBuffer<2, float> contacts;
    Workspace<2, float> workspace;
    CollideOptions options;
    options.order = Order::id;
    collide<2, float>(scene, contacts, workspace, tracker, options);
    EXPECT_EQ(contacts.size(), keys.size());
    std::vector<std::int64_t> last;
    for (std::size_t i = 0; i < contacts.size(); ++i) last.push_back(tracker.last_contact()[i]);
    return last;
  };
  using List = std::vector<std::int64_t>;
  Tracker<2, float> tracker;
  EXPECT_EQ(step({5, 5, 5, 9, 5}, {0, 0, 0, 0, 1}, tracker), (List{-1, -1, -1, -1, -1}));
  EXPECT_EQ(step({5, 5, 5, 9, 5}, {0, 0, 0, 0, 1}, tracker), (List{0, 1, 2, 3, 4}));
  EXPECT_EQ(step({8, 9, 5, 5, 5}, {0, 0, 1, 0, 0}, tracker), (List{-1, 3, 4, 0, 1}));
  EXPECT_EQ(tracker.ended().size(), 1u);
  EXPECT_EQ(step({5, 5, 5}, {0, 0, 0}, tracker), (List{3, 4, -1}));
}

/// The face and side of a word. Which vertices are beside it depends on the path of the search.
std::uint64_t face_of(std::uint64_t axis) { return axis & 0xffffff; }
/// The word with A and B exchanged. The given face (bit 0) is then the other's (bit 1). Of the
/// vertices, one byte each from bit 24 on, the other's come first.
std::uint64_t seen_from_b(std::uint64_t axis) {
  const std::uint64_t face = (axis & 1) != 0 ? face_of(axis) ^ 2 : 0;
  return face | (axis >> 40 & 0xffff) << 24 | (axis >> 24 & 0xffff) << 40;
}

TEST(tracker, carries_warm_starts_by_keys) {
  const auto check = [&]<class T>(T) {
    Crowd<3> crowd(scaled(400, 300), 3, 2.6, 304);
    Tracker<3, T> tracker;
    Workspace<3, T> workspace;
    ContactBuffer<3, T> contacts, cold;
    std::map<PairName, std::pair<Name, WarmStart>> words_of_last;
    std::int64_t kept = 0, swapped = 0, mirrored = 0;
    for (int step = 0; step < 8; ++step) {
      crowd.move();
      if (step % 2 == 1) crowd.exchange(0.05);
      if (step % 3 == 2) crowd.shuffle();
      const SceneColumns<3, T> scene = crowd.template scene<T>(true);
      CollideOptions options;
      options.margin = 0.1;
      options.threads.count = 1;
      update_bounds<3, T>(scene, workspace, options);
      find_pairs<3, T>(scene, workspace, options);
      const std::vector<Pair> pairs(workspace.pairs().begin(), workspace.pairs().end());
      const std::vector<Name> names = names_of(scene);
      const std::vector<PairName> pair_name = pair_names(names, pairs);
      std::vector<WarmStart> cold_words(pairs.size());
      options.warm_starts = cold_words;
      find_contacts<3, T>(scene, pairs, cold, workspace, options);
      // A face that separates two hulls is kept, where a search from the start may end at another.
      std::vector<bool> overlaps(pairs.size(), false);
      for (std::size_t i = 0; i < cold.size(); ++i) {
        overlaps[static_cast<std::size_t>(cold.source[i])] = cold.depth[i] > 0;
      }
      options.warm_starts = begin_step<3, T>(scene, pairs, tracker, options);
      ASSERT_EQ(options.warm_starts.size(), pairs.size());
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const WarmStart word = options.warm_starts[i];
        const auto before = words_of_last.find(pair_name[i]);
        if (before == words_of_last.end()) {
          EXPECT_EQ(word, WarmStart{});
          continue;
        }
        const auto& [lower, last_word] = before->second;
        if (lower == names[static_cast<std::size_t>(std::min(pairs[i].a, pairs[i].b))]) {
          EXPECT_EQ(word, last_word);
          kept += word == WarmStart{} ? 0 : 1;
        } else if (last_word.axis != 0) {
          EXPECT_EQ(word.axis, seen_from_b(last_word.axis));
          if (!overlaps[i]) continue;
          ++swapped;
          mirrored += face_of(word.axis) == face_of(cold_words[i].axis) ? 1 : 0;
        }
      }
      find_contacts<3, T>(scene, pairs, contacts, workspace, options);
      words_of_last.clear();
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        words_of_last[pair_name[i]] = {
            names[static_cast<std::size_t>(std::min(pairs[i].a, pairs[i].b))],
            options.warm_starts[i]};
      }
      end_step(contacts, tracker, options);
      // Both have the same pairs and depths.
      ASSERT_EQ(contacts.size(), cold.size());
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        ASSERT_EQ(contacts.source[i], cold.source[i]);
        EXPECT_NEAR(contacts.depth[i], cold.depth[i], sizeof(T) == 4 ? 1e-4 : 1e-11);
      }
    }
    EXPECT_GT(kept, 100);
    EXPECT_GT(swapped, 10);
    EXPECT_GT(mirrored, swapped * 6 / 10);  // some faces change in a step
  };
  check(float{});
  check(double{});
}

TEST(tracker, leaves_the_same_bits_on_any_threads) {
  const auto check = [&]<class T>(T) {
    Workspace<3, T> workspace;
    Tracker<3, T> trackers[9];
    Crowd<3> crowd(scaled(400, 100), 2, 3, 305);
    for (int step = 0; step < 4; ++step) {
      crowd.move();
      const SceneColumns<3, T> scene = crowd.template scene<T>(true);
      CollideOptions options;
      options.steadiness = 0.01;
      ContactBuffer<3, T> expected, contacts;
      options.threads.count = 1;
      collide<3, T>(scene, expected, workspace, trackers[0], options);
      for (int threads = 2; threads <= 8; ++threads) {
        options.threads.count = threads;
        collide<3, T>(scene, contacts, workspace, trackers[threads], options);
        EXPECT_TRUE(same_contacts(contacts, expected)) << step << ", " << threads;
      }
      options.threads = {1, {run_backwards, nullptr, 4}};
      collide<3, T>(scene, contacts, workspace, trackers[1], options);
      EXPECT_TRUE(same_contacts(contacts, expected)) << step;
    }
  };
  check(float{});
  check(double{});
}

}  // namespace
}  // namespace widephase::test
