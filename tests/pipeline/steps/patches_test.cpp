// Pairs with several contacts, the patches of a surface: their points are matched by part and
// feature in whichever patch they are, and a patch goes on as the one that had the most of its
// points. Contacts are written by hand: only the tracker is tested.
// Labels: threads own-sets

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include <widephase/tracker.hpp>

#include "reference/generate_turned3.hpp"
#include "support/executors.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

using List = std::vector<std::int64_t>;

/// A point on a triangle of the pair's surface, which is B unless the pair is named so that it is
/// A.
struct Spot {
  std::int32_t part;
  std::uint16_t feature_a = 0, feature_b = 0;
  Point<3> at{};
};
using Patch = std::vector<Spot>;
/// The patches of a pair of the list.
struct Meeting {
  Pair pair;
  std::vector<Patch> patches;
  bool is_surface_a = false;
};

constexpr std::int32_t kBalls = 60;

/// Shapes that are named in contacts; where they are matters to no contact here.
SceneColumns<3, float> balls() {
  SceneColumns<3, float> scene;
  for (std::int32_t i = 0; i < kBalls; ++i) {
    append(scene, ball<3>({3.0 * i, 0, 0}, 1));
    scene.spheres.world.push_back({i < kBalls / 2 ? 0 : 1});
  }
  return scene;
}

ContactBuffer<3, float> contacts_of(const std::vector<Meeting>& meetings,
                                    const std::vector<std::size_t>& order, bool has_parts) {
  ContactBuffer<3, float> contacts;
  contacts.offset.push_back({0});
  for (const std::size_t i : order) {
    const Meeting& meeting = meetings[i];
    for (const Patch& patch : meeting.patches) {
      contacts.pair.push_back({meeting.pair});
      contacts.source.push_back({static_cast<std::int64_t>(i)});
      contacts.normal.push_back({0, 0, -1});
      contacts.depth.push_back({0});
      contacts.status.push_back({0});
      for (const Spot& spot : patch) {
        contacts.point.push_back(as_row<3, float>(spot.at));
        contacts.point_depth.push_back({0});
        const bool is_a = meeting.is_surface_a;
        const std::uint32_t high = is_a ? spot.feature_b : spot.feature_a;
        const std::uint32_t low = is_a ? spot.feature_a : spot.feature_b;
        contacts.feature.push_back({high << 16 | low});
        if (!has_parts) continue;
        contacts.part.push_back({is_a ? spot.part : -1, is_a ? -1 : spot.part});
      }
      contacts.offset.push_back({static_cast<std::int64_t>(contacts.point_count())});
    }
  }
  return contacts;
}

/// The places of contacts and points by the order in which the meetings lie.
std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

struct Steps {
  Tracker<3, float> tracker;
  SceneColumns<3, float> scene = balls();
  CollideOptions options;

  void operator()(const std::vector<Meeting>& meetings, bool has_parts = true) {
    take(meetings, in_order(meetings.size()), has_parts);
  }
  void take(const std::vector<Meeting>& meetings, const std::vector<std::size_t>& order,
            bool has_parts = true) {
    std::vector<Pair> pairs;
    for (const Meeting& meeting : meetings) pairs.push_back(meeting.pair);
    begin_step<3, float>(scene, pairs, tracker, options);
    end_step<3, float>(contacts_of(meetings, order, has_parts), tracker, options);
  }
  List contacts() const { return {tracker.last_contact().begin(), tracker.last_contact().end()}; }
  List points() const { return {tracker.last_point().begin(), tracker.last_point().end()}; }
  List ended() const { return {tracker.ended().contact.begin(), tracker.ended().contact.end()}; }
};

/// A box on the floor, with its side at a step: four corners and two.
const Patch kFloor{{10, 1}, {10, 2}, {12, 3}, {12, 4}};
const Patch kRiser{{20, 5}, {21, 6}};

TEST(patches, are_matched_by_their_parts_whichever_comes_first) {
  Steps step;
  step({{{0, 1}, {kFloor, kRiser}}});
  EXPECT_EQ(step.contacts(), (List{-1, -1}));
  step({{{0, 1}, {kRiser, kFloor}}});
  EXPECT_EQ(step.contacts(), (List{1, 0}));
  EXPECT_EQ(step.points(), (List{4, 5, 0, 1, 2, 3}));
  EXPECT_EQ(step.ended(), List{});
}

TEST(patches, of_a_feature_on_two_triangles_tell_them_apart) {
  Steps step;
  step({{{0, 1}, {{{10, 1}}, {{11, 1}}}}});
  step({{{0, 1}, {{{11, 1}}, {{10, 1}}}}});
  EXPECT_EQ(step.points(), (List{1, 0}));
  // The same triangle, another of its edges.
  step({{{0, 1}, {{{11, 1, 7}}}}});
  EXPECT_EQ(step.points(), List{-1});
}

TEST(patches, hand_points_to_one_another) {
  Steps step;
  step({{{0, 1}, {kFloor, kRiser}}});
  // The last corner of the floor now is the riser's.
  step({{{0, 1}, {{{10, 1}, {10, 2}, {12, 3}}, {{12, 4}, {20, 5}, {21, 6}}}}});
  EXPECT_EQ(step.contacts(), (List{0, 1}));
  EXPECT_EQ(step.points(), (List{0, 1, 2, 3, 4, 5}));
}

TEST(patches, that_part_go_on_where_most_points_are) {
  Steps step;
  step({{{0, 1}, {kFloor}}});
  step({{{0, 1}, {{{10, 1}}, {{10, 2}, {12, 3}, {12, 4}}}}});
  EXPECT_EQ(step.contacts(), (List{-1, 0}));
  EXPECT_EQ(step.points(), (List{0, 1, 2, 3}));
  EXPECT_EQ(step.ended(), List{});
  // Equal shares: the lower one.
  step({{{0, 1}, {kFloor}}});
  step({{{0, 1}, {{{10, 1}, {10, 2}}, {{12, 3}, {12, 4}}}}});
  EXPECT_EQ(step.contacts(), (List{0, -1}));
}

TEST(patches, that_join_end_but_for_the_one_with_most_points) {
  Steps step;
  step({{{0, 1}, {{{10, 1}}, {{10, 2}, {12, 3}, {12, 4}}}}});
  step({{{0, 1}, {kFloor}}});
  EXPECT_EQ(step.contacts(), List{1});
  EXPECT_EQ(step.points(), (List{0, 1, 2, 3}));
  EXPECT_EQ(step.ended(), List{0});
  EXPECT_EQ(step.tracker.ended().pair[0], (Pair{0, 1}));
}

TEST(patches, without_common_points_go_on_in_their_order) {
  Steps step;
  // A ball that rolls from triangle to triangle, at a wall that it leaves.
  step({{{0, 1}, {{{10}}, {{20}}}}});
  step({{{0, 1}, {{{11}}}}});
  EXPECT_EQ(step.contacts(), List{0});
  EXPECT_EQ(step.points(), List{-1});
  EXPECT_EQ(step.ended(), List{1});
  step({{{0, 1}, {{{12}}, {{11}}}}});
  EXPECT_EQ(step.contacts(), (List{-1, 0}));
}

TEST(patches, are_matched_by_place_with_steadiness) {
  Steps step;
  step.options.steadiness = 0.01;
  step({{{0, 1}, {{{10, 0, 0, {0, 0, 1}}}, {{20, 0, 0, {1, 0, 0}}}}}});
  step({{{0, 1}, {{{11, 0, 0, {0, 0.005, 1}}}, {{20, 0, 0, {1, 0, 0}}}}}});
  EXPECT_EQ(step.points(), (List{0, 1}));
  // A point that is matched by name is not there for another one.
  step({{{0, 1}, {{{11, 0, 0, {0, 0, 1}}, {12, 0, 0, {0, 0.005, 1}}}}}});
  EXPECT_EQ(step.points(), (List{0, -1}));
}

TEST(patches, of_a_pair_that_is_named_the_other_way_round) {
  Steps step;
  step({{{0, 1}, {{{10, 1, 7}, {12, 3, 8}}, kRiser}}});
  step({{{1, 0}, {kRiser, {{10, 1, 7}, {12, 3, 8}}}, true}});
  EXPECT_EQ(step.contacts(), (List{1, 0}));
  EXPECT_EQ(step.points(), (List{2, 3, 0, 1}));
  step({{{1, 0}, {kRiser}, true}});
  EXPECT_EQ(step.points(), (List{0, 1}));
  step({{{0, 1}, {kRiser}}});
  EXPECT_EQ(step.points(), (List{0, 1}));
}

TEST(patches, of_repeated_pairs_are_those_of_the_same_repeat) {
  Steps step;
  step({{{0, 1}, {kFloor}}, {{0, 1}, {kRiser, kFloor}}});
  step({{{0, 1}, {kFloor, kRiser}}, {{0, 1}, {kFloor, kRiser}}, {{0, 1}, {kFloor}}});
  EXPECT_EQ(step.contacts(), (List{0, -1, 2, 1, -1}));
  // One that is there once goes on once.
  step({{{0, 1}, {kFloor, kRiser}}});
  step({{{0, 1}, {kRiser}}, {{0, 1}, {kFloor}}});
  EXPECT_EQ(step.contacts(), (List{1, -1}));
  EXPECT_EQ(step.ended(), List{0});
}

TEST(patches, that_are_forgotten_begin_and_do_not_end) {
  Steps step;
  const Pair in_world_1{kBalls - 2, kBalls - 1};
  step({{{0, 1}, {kFloor, kRiser}}, {in_world_1, {kFloor, kRiser}}});
  step.tracker.forget(std::vector<std::uint8_t>{0, 1});
  step({{{0, 1}, {kFloor}}, {in_world_1, {kFloor}}});
  EXPECT_EQ(step.contacts(), (List{0, -1}));
  EXPECT_EQ(step.ended(), List{1});
  step.tracker.forget();
  step({{{0, 1}, {kFloor}}});
  EXPECT_EQ(step.contacts(), List{-1});
  EXPECT_EQ(step.ended(), List{});
}

TEST(patches, follow_steps_without_parts_and_are_followed_by_them) {
  Steps step;
  // Without parts they are -1.
  step({{{0, 1}, {{{-1, 2}, {-1, 1}}}}, {{0, 2}, {{{-1, 5}}}}}, false);
  step({{{0, 1}, {{{-1, 1}, {-1, 2}, {10, 1}}}}, {{0, 2}, {{{20, 5}}}}});
  EXPECT_EQ(step.contacts(), (List{0, 1}));
  EXPECT_EQ(step.points(), (List{1, 0, -1, -1}));
  step({{{0, 2}, {{{-1, 5}}}}, {{0, 1}, {{{-1, 1}}}}}, false);
  EXPECT_EQ(step.contacts(), (List{1, 0}));
  EXPECT_EQ(step.points(), (List{-1, 0}));
  step({{{0, 1}, {{{-1, 1}}}}}, false);
  EXPECT_EQ(step.contacts(), List{1});
  EXPECT_EQ(step.points(), List{1});
}

// ---- Any patches, against maps

/// Last step's contacts of a pair's repeat, and what the tracker must say of this one's.
class Expected {
 public:
  List contacts, points, ended;

  void step(const std::vector<Meeting>& meetings, const std::vector<std::size_t>& order) {
    std::vector<Known> now;
    std::vector<std::size_t> first_of(meetings.size());
    for (const std::size_t i : order) {
      first_of[i] = now.size();
      for (const Patch& patch : meetings[i].patches) now.push_back({patch, point_count(now)});
    }
    contacts.assign(now.size(), -1);
    points.assign(point_count(now), -1);
    std::map<std::tuple<std::int32_t, std::int32_t, int>, Range> of_now;
    std::map<std::pair<std::int32_t, std::int32_t>, int> repeats;
    std::vector<bool> has_gone_on(last_.size(), false);
    for (std::size_t i = 0; i < meetings.size(); ++i) {
      const auto [low, high] = std::minmax(meetings[i].pair.a, meetings[i].pair.b);
      // A repeat that does not touch is not counted.
      if (meetings[i].patches.empty()) continue;
      const int repeat = repeats[{low, high}]++;
      const Range range{first_of[i], first_of[i] + meetings[i].patches.size()};
      of_now[{low, high, repeat}] = range;
      const auto before = of_last_.find({low, high, repeat});
      if (before != of_last_.end()) match(now, range, before->second, has_gone_on);
    }
    ended.clear();
    for (std::size_t i = 0; i < last_.size(); ++i) {
      if (!has_gone_on[i]) ended.push_back(static_cast<std::int64_t>(i));
    }
    last_ = std::move(now);
    of_last_ = std::move(of_now);
  }

 private:
  struct Known {
    Patch patch;
    std::size_t first_point;
  };
  struct Range {
    std::size_t begin, end;
  };

  static std::size_t point_count(const std::vector<Known>& known) {
    return known.empty() ? 0 : known.back().first_point + known.back().patch.size();
  }
  static auto name_of(const Spot& spot) {
    return std::tuple(spot.part, spot.feature_a, spot.feature_b);
  }

  void match(const std::vector<Known>& now, Range range, Range before,
             std::vector<bool>& has_gone_on) {
    std::map<std::tuple<std::int32_t, std::uint16_t, std::uint16_t>, std::vector<std::size_t>> left;
    std::map<std::size_t, std::size_t> patch_of;
    for (std::size_t i = before.end; i-- > before.begin;) {
      for (std::size_t p = last_[i].patch.size(); p-- > 0;) {
        left[name_of(last_[i].patch[p])].push_back(last_[i].first_point + p);
        patch_of[last_[i].first_point + p] = i;
      }
    }
    std::map<std::pair<std::size_t, std::size_t>, int> common;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      for (std::size_t p = 0; p < now[i].patch.size(); ++p) {
        auto& others = left[name_of(now[i].patch[p])];
        if (others.empty()) continue;
        points[now[i].first_point + p] = static_cast<std::int64_t>(others.back());
        ++common[{i, patch_of[others.back()]}];
        others.pop_back();
      }
    }
    std::vector<std::tuple<int, std::size_t, std::size_t>> wishes;
    for (const auto& [both, count] : common) wishes.emplace_back(-count, both.first, both.second);
    std::sort(wishes.begin(), wishes.end());
    // Those without common points come last, in their order.
    for (std::size_t i = range.begin; i < range.end; ++i) {
      for (std::size_t other = before.begin; other < before.end; ++other) {
        wishes.emplace_back(1, i, other);
      }
    }
    for (const auto& [rank, i, other] : wishes) {
      if (contacts[i] >= 0 || has_gone_on[other]) continue;
      contacts[i] = static_cast<std::int64_t>(other);
      has_gone_on[other] = true;
    }
  }

  std::vector<Known> last_;
  std::map<std::tuple<std::int32_t, std::int32_t, int>, Range> of_last_;
};

/// Up to six patches of up to four points, whose names are few, so that many are there again.
Meeting any_meeting(Random& random, Pair pair) {
  Meeting meeting{pair, {}, random.chance(0.5)};
  const int patches = random.chance(0.02) ? 40 : random.integer(0, 6);
  for (int i = 0; i < patches; ++i) {
    Patch patch(static_cast<std::size_t>(random.integer(1, 4)));
    for (Spot& spot : patch) {
      spot.part = random.integer(0, 3);
      spot.feature_a = static_cast<std::uint16_t>(random.integer(0, 2));
      spot.feature_b = static_cast<std::uint16_t>(random.integer(0, 2));
    }
    meeting.patches.push_back(patch);
  }
  return meeting;
}

void shuffle(Random& random, std::vector<std::size_t>& order) {
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1],
              order[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
  }
}

void expect_matches(Random& random, std::size_t pair_count, int steps, int most_threads) {
  std::vector<Steps> trackers(static_cast<std::size_t>(most_threads));
  Expected expected;
  for (int s = 0; s < steps; ++s) {
    std::vector<Meeting> meetings;
    for (std::size_t i = 0; i < pair_count; ++i) {
      Pair pair{random.integer(0, kBalls - 2), kBalls - 1};
      if (random.chance(0.7)) pair.b = random.integer(pair.a + 1, kBalls - 1);
      meetings.push_back(any_meeting(random, pair));
      // A surface stays the one that it was.
      const bool is_low = (pair.a + pair.b) % 2 == 0;
      if (meetings.back().is_surface_a != is_low)
        std::swap(meetings.back().pair.a, meetings.back().pair.b);
    }
    std::vector<std::size_t> order = in_order(pair_count);
    shuffle(random, order);
    expected.step(meetings, order);
    for (int t = 0; t < most_threads; ++t) {
      Steps& step = trackers[static_cast<std::size_t>(t)];
      step.options.threads.count = t + 1;
      step.take(meetings, order);
      ASSERT_EQ(step.contacts(), expected.contacts) << s << ", " << t + 1 << " threads";
      ASSERT_EQ(step.points(), expected.points) << s << ", " << t + 1 << " threads";
      ASSERT_EQ(step.ended(), expected.ended) << s << ", " << t + 1 << " threads";
    }
  }
}

TEST(patches, of_few_pairs_are_matched_as_maps_do) {
  Random random(2901);
  for (int i = 0; i < 60; ++i) expect_matches(random, 1 + static_cast<std::size_t>(i) % 20, 6, 1);
}

TEST(patches, of_many_pairs_are_matched_as_maps_do_on_any_threads) {
  // More than 2 * 8,192 contacts, which threads share.
  Random random(2902);
  expect_matches(random, 6000, 3, 3);
}

}  // namespace
}  // namespace widephase::test
