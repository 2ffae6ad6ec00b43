// Caps on what collide stores: counts are exact at the boundary, the answer is the same within it,
// and nothing is stored beyond it.
// Labels: threads host

#include <gtest/gtest.h>

#include <functional>

#include <widephase/worlds.hpp>

#include "reference/scaled.hpp"
#include "support/compare.hpp"
#include "support/error_of.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

template <int D, class T>
using Collide = std::function<void(const CollideOptions&, ContactBuffer<D, T>&, Workspace<D, T>&)>;

/// The error of a call that exceeds its caps; nothing is stored.
template <int D, class T>
AnswerCounts needed_by(const Collide<D, T>& call, const CollideOptions& options,
                       ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace) {
  try {
    call(options, contacts, workspace);
    ADD_FAILURE() << "the caps should be too small";
  } catch (const CapacityError& error) {
    EXPECT_EQ(contacts.size(), 0u);
    EXPECT_EQ(contacts.point_count(), 0u);
    EXPECT_TRUE(is_consistent(contacts));
    EXPECT_TRUE(error.finding().has_value());
    return error.needed();
  }
  return {};
}

template <int D, class T>
void expect_exact_caps(const Collide<D, T>& call, CollideOptions options) {
  ContactBuffer<D, T> expected, contacts;
  Workspace<D, T> workspace;
  options.threads.count = 1;
  call(options, expected, workspace);
  const std::size_t contact_count = expected.size(), point_count = expected.point_count();
  ASSERT_GT(contact_count, 10u);
  const std::int64_t pair_count = workspace.stats().pairs;
  for (const int threads : {1, 2, 3, 8}) {
    SCOPED_TRACE(threads);
    options.threads.count = threads;
    options.max_contacts = contact_count;
    options.max_points = point_count;
    call(options, contacts, workspace);
    ASSERT_TRUE(same_contacts(contacts, expected));
    for (const std::size_t cap : {contact_count - 1, contact_count / 2, std::size_t{0}}) {
      options.max_contacts = cap;
      options.max_points = kNoCap;
      const AnswerCounts needed = needed_by(call, options, contacts, workspace);
      EXPECT_EQ(needed.pairs, pair_count);
      EXPECT_EQ(needed.contacts, static_cast<std::int64_t>(contact_count));
      EXPECT_EQ(needed.points, static_cast<std::int64_t>(point_count));
    }
    options.max_contacts = kNoCap;
    options.max_points = point_count - 1;
    const AnswerCounts needed = needed_by(call, options, contacts, workspace);
    EXPECT_EQ(needed.contacts, static_cast<std::int64_t>(contact_count));
    EXPECT_EQ(needed.points, static_cast<std::int64_t>(point_count));
    options.max_points = kNoCap;
    call(options, contacts, workspace);
    ASSERT_TRUE(same_contacts(contacts, expected));
  }
}

template <int D, class T>
void expect_exact_caps_of_scene(std::size_t count, int worlds, Order order, std::uint64_t seed) {
  SceneColumns<D, T> scene;
  add_mixed(scene, {count, seed, 0.8});
  if (worlds > 1) add_tags(scene, worlds, seed + 1);
  CollideOptions options;
  options.order = order;
  options.margin = 0.0625;
  const SceneSpan<D, T> view(scene);
  const Collide<D, T> whole = [&](const CollideOptions& asked, auto& contacts, auto& workspace) {
    collide<D, T>(view, contacts, workspace, asked);
  };
  expect_exact_caps<D, T>(whole, options);

  Workspace<D, T> workspace;
  update_bounds<D, T>(view, workspace, options);
  find_pairs<D, T>(view, workspace, options);
  const std::vector<Pair> pairs(workspace.pairs().begin(), workspace.pairs().end());
  const Collide<D, T> list = [&](const CollideOptions& asked, auto& contacts, auto& scratch) {
    collide_pairs<D, T>(view, pairs, contacts, scratch, asked);
  };
  expect_exact_caps<D, T>(list, options);
  const Collide<D, T> stages = [&](const CollideOptions& asked, auto& contacts, auto& scratch) {
    update_bounds<D, T>(view, scratch, asked);
    find_contacts<D, T>(view, pairs, contacts, scratch, asked);
  };
  expect_exact_caps<D, T>(stages, options);

  // Too many pairs: contacts are not counted.
  options.max_pairs = pairs.size() - 1;
  ContactBuffer<D, T> contacts;
  for (const int threads : {1, 2, 3, 8}) {
    options.threads.count = threads;
    const AnswerCounts needed = needed_by<D, T>(whole, options, contacts, workspace);
    EXPECT_EQ(needed.pairs, static_cast<std::int64_t>(pairs.size()));
    EXPECT_EQ(needed.contacts, -1);
    EXPECT_EQ(needed.points, -1);
    EXPECT_TRUE(workspace.pairs().empty());
  }
  options.max_pairs = pairs.size();
  whole(options, contacts, workspace);
  EXPECT_EQ(workspace.pairs().size(), pairs.size());
  // The caller's own pairs are not part of the answer.
  options.max_pairs = 0;
  list(options, contacts, workspace);
  EXPECT_GT(contacts.size(), 0u);
}

TEST(capped_contacts, are_exact_at_the_boundary_in_2d) {
  expect_exact_caps_of_scene<2, float>(scaled(9000, 1500), 1, Order::kind, 71);
  expect_exact_caps_of_scene<2, double>(scaled(4000, 1000), 9, Order::world, 72);
}
TEST(capped_contacts, are_exact_at_the_boundary_in_3d) {
  expect_exact_caps_of_scene<3, double>(scaled(1500, 500), 1, Order::source, 73);
  expect_exact_caps_of_scene<3, float>(scaled(1500, 500), 9, Order::id, 74);
}

TEST(capped_contacts, beyond_the_cap_are_not_stored) {
  // Two overlapping spheres, listed many times: more pairs than are written in place.
  SceneColumns<3, float> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  append(scene, ball<3>({1, 0, 0}, 1));
  const std::vector<Pair> pairs(300000, Pair{0, 1});
  for (const int threads : {1, 3}) {
    CollideOptions options;
    options.threads.count = threads;
    options.max_contacts = 1000;
    ContactBuffer<3, float> contacts;
    Workspace<3, float> workspace;
    const Collide<3, float> call = [&](const CollideOptions& asked, auto& found, auto& scratch) {
      collide_pairs<3, float>(scene, pairs, found, scratch, asked);
    };
    EXPECT_EQ(needed_by(call, options, contacts, workspace).contacts, 300000);
    EXPECT_LT(contacts.bytes(), std::size_t{1} << 20);
    EXPECT_LT(workspace.bytes(), std::size_t{2} << 20);
    EXPECT_EQ(error_of([&] { call(options, contacts, workspace); }),
              "max_contacts is 1000; the answer needs 300000");
    options.max_contacts = kNoCap;
    options.max_points = 299999;
    EXPECT_EQ(error_of([&] { call(options, contacts, workspace); }),
              "max_points is 299999; the answer needs 300000");
  }
}

TEST(capped_contacts, any_contact_keeps_to_the_cap_of_pairs) {
  SceneColumns<2, float> scene;
  for (int i = 0; i < 10; ++i) append(scene, ball<2>({0.1 * i, 0}, 1));
  std::vector<std::uint8_t> is_contact(1);
  Workspace<2, float> workspace;
  CollideOptions options;
  options.max_pairs = 44;
  EXPECT_THROW((any_contact<2, float>(scene, is_contact, workspace, options)), CapacityError);
  options.max_pairs = 45;
  options.max_contacts = 0;  // it keeps none
  any_contact<2, float>(scene, is_contact, workspace, options);
  EXPECT_EQ(is_contact[0], 1);
}

}  // namespace
}  // namespace widephase::test
