// Single steps of the tracker: a step that throws does not count, a step may be forgotten between
// its two calls, and the tracker takes excluded pairs and steadiness, but no warm starts of the
// caller.
// Labels: host

#include <gtest/gtest.h>

#include <vector>

#include <widephase/tracker.hpp>

#include "support/error_of.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

/// A call that throws does not count as a step.
TEST(tracker, goes_on_from_the_last_step_that_was_one) {
  SceneColumns<3, float> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  append(scene, ball<3>({1, 0, 0}, 1));
  Tracker<3, float> tracker;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  EXPECT_EQ(error_of([&] { end_step<3, float>(contacts, tracker); }),
            "contacts have no begin_step before them; call it once for each");
  collide<3, float>(scene, contacts, workspace, tracker);
  ASSERT_EQ(tracker.last_contact().size(), 1u);
  EXPECT_EQ(tracker.last_contact()[0], -1);
  SceneColumns<3, float> wrong = scene;
  wrong.spheres.radius[0] = -1;
  EXPECT_EQ(error_of([&] { collide<3, float>(wrong, contacts, workspace, tracker); }),
            "sphere.radius[0] is -1; radius must be a finite number >= 0");
  CollideOptions capped;
  capped.max_contacts = 0;
  EXPECT_EQ(error_of([&] { collide<3, float>(scene, contacts, workspace, tracker, capped); }),
            "max_contacts is 0; the answer needs 1");
  const std::vector<Pair> outside{{0, 2}};
  EXPECT_EQ(
      error_of([&] { collide_pairs<3, float>(scene, outside, contacts, workspace, tracker); }),
      validate_pairs(layout_of(scene), outside).front().text());
  // Contacts of pairs that are not the step's.
  const std::vector<Pair> pairs{{0, 1}}, others{{1, 0}};
  collide_pairs<3, float>(scene, others, contacts, workspace);
  begin_step<3, float>(scene, pairs, tracker);
  EXPECT_EQ(error_of([&] { end_step<3, float>(contacts, tracker); }),
            "contacts are not of the pairs that begin_step was given");
  collide<3, float>(scene, contacts, workspace, tracker);
  ASSERT_EQ(tracker.last_contact().size(), 1u);
  EXPECT_EQ(tracker.last_contact()[0], 0);
  EXPECT_EQ(tracker.ended().size(), 0u);
}

TEST(tracker, has_its_own_warm_starts) {
  SceneColumns<3, float> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  Tracker<3, float> tracker;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  std::vector<WarmStart> words(1);
  CollideOptions options;
  options.warm_starts = words;
  EXPECT_EQ(error_of([&] { collide<3, float>(scene, contacts, workspace, tracker, options); }),
            "warm_starts are the tracker's own; leave them empty");
  EXPECT_EQ(
      error_of([&] { collide_pairs<3, float>(scene, {}, contacts, workspace, tracker, options); }),
      "warm_starts are the tracker's own; leave them empty");
}

TEST(tracker, may_forget_between_the_two_calls_of_a_step) {
  SceneColumns<3, float> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  append(scene, ball<3>({1, 0, 0}, 1));
  Tracker<3, float> tracker;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  const std::vector<Pair> pairs{{0, 1}};
  collide_pairs<3, float>(scene, pairs, contacts, workspace, tracker);
  begin_step<3, float>(scene, pairs, tracker);
  tracker.forget();
  end_step<3, float>(contacts, tracker);
  ASSERT_EQ(tracker.last_contact().size(), 1u);
  EXPECT_EQ(tracker.last_contact()[0], -1);
  EXPECT_EQ(tracker.ended().size(), 0u);
}

TEST(tracker, forgets_worlds_by_a_byte_for_each_of_the_last_step) {
  // Two balls that overlap, in world 2 of three.
  SceneColumns<3, float> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  append(scene, ball<3>({1, 0, 0}, 1));
  scene.spheres.world = {2, 2};
  Tracker<3, float> tracker;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  const std::vector<std::uint8_t> bytes{0, 1, 0, 0};
  // Before the first step there is no world.
  tracker.forget(std::span(bytes).first(1));
  collide<3, float>(scene, contacts, workspace, tracker);
  EXPECT_EQ(error_of([&] { tracker.forget(std::span(bytes).first(2)); }),
            "worlds has 2 entries; the scene has 3 worlds, so give it as many or more");
  tracker.forget(bytes);
  collide<3, float>(scene, contacts, workspace, tracker);
  EXPECT_EQ(tracker.last_contact()[0], 0);
  tracker.forget(std::vector<std::uint8_t>{0, 0, 1});
  collide<3, float>(scene, contacts, workspace, tracker);
  EXPECT_EQ(tracker.last_contact()[0], -1);
}

/// Two steps of ten balls in a row, each of which meets the next unless the pair is excluded: the
/// second step's contacts are the first's.
template <int D>
void expect_steady_steps(const std::vector<Pair>& excluded) {
  SceneColumns<D, float> scene;
  for (int i = 0; i < 10; ++i) append(scene, ball<D>({0.9 * i}, 0.5));
  for (const Pair& pair : excluded) scene.excluded.push_back({pair.a, pair.b});
  Tracker<D, float> tracker;
  Workspace<D, float> workspace;
  ContactBuffer<D, float> contacts;
  CollideOptions options;
  options.steadiness = 0.1;
  for (const std::int64_t last : {-1, 0}) {
    collide<D, float>(scene, contacts, workspace, tracker, options);
    ASSERT_EQ(contacts.size(), 9 - excluded.size());
    EXPECT_EQ(tracker.last_contact()[0], last);
  }
}

TEST(tracker, takes_excluded_pairs_and_steadiness_in_2d) { expect_steady_steps<2>({{0, 1}}); }

TEST(tracker, takes_steadiness_where_there_is_nothing_to_keep) { expect_steady_steps<3>({}); }

}  // namespace
}  // namespace widephase::test
