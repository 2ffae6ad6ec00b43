// What is valid and yet seldom meant.
// Labels: plain

#include <gtest/gtest.h>

#include <widephase/notes.hpp>
#include <widephase/static_scene.hpp>

namespace widephase::test {
namespace {

std::vector<std::string> texts_of(const SceneSpan<3, float>& scene) {
  std::vector<std::string> texts;
  for (const Finding& note : notes_of(scene)) texts.push_back(note.text());
  return texts;
}

/// Balls of four worlds.
SceneColumns<3, float> balls_of_worlds() {
  SceneColumns<3, float> scene;
  for (int world = 0; world < 4; ++world) {
    scene.spheres.center.push_back({0, 0, 0});
    scene.spheres.radius.push_back({1});
    scene.spheres.world.push_back({world});
  }
  return scene;
}

TEST(notes, tell_of_tables_that_are_in_world_0_alone) {
  SceneColumns<3, float> scene = balls_of_worlds();
  EXPECT_TRUE(texts_of(scene).empty());
  scene.halfspaces.normal = {{0, 0, 1}};
  scene.halfspaces.offset = {0};
  EXPECT_EQ(texts_of(scene), (std::vector<std::string>{
                                 "halfspace.world is not given, so its 1 row is in world 0 of 4 "
                                 "only; -1 puts them in all"}));
  EXPECT_TRUE((validate<3, float>(scene).empty()));
  scene.halfspaces.world = {-1};
  EXPECT_TRUE(texts_of(scene).empty());
  // Nobody names a world, or all name the only one.
  scene.halfspaces.world.clear();
  scene.spheres.world.clear();
  EXPECT_TRUE(texts_of(scene).empty());
  scene.spheres.world = {0, 0, 0, 0};
  EXPECT_TRUE(texts_of(scene).empty());
}

TEST(notes, tell_of_what_is_kept) {
  SceneColumns<3, float> moving = balls_of_worlds(), level;
  level.aabbs.min = {{0, 0, 0}, {2, 2, 2}};
  level.aabbs.max = {{1, 1, 1}, {3, 3, 3}};
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene<3, float>(level, kept, workspace);
  moving.kept = &kept;
  EXPECT_EQ(texts_of(moving),
            (std::vector<std::string>{"kept.world is not given, so its 2 rows are in world 0 of 4 "
                                      "only; -1 puts them in all"}));
  level.aabbs.world = {-1, 2};
  build_static_scene<3, float>(level, kept, workspace);
  EXPECT_TRUE(texts_of(moving).empty());
  moving.spheres.world.clear();
  EXPECT_EQ(texts_of(moving).size(), 1u);
}

TEST(notes, tell_of_owners_that_both_scenes_have) {
  SceneColumns<3, float> moving = balls_of_worlds(), level;
  moving.spheres.world.clear();
  moving.spheres.owner = {7, 4, -1, 0};
  level.aabbs.min = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  level.aabbs.max = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  moving.kept = &kept;
  const auto owned_by = [&](Column<std::int32_t> owners) {
    level.aabbs.owner = std::move(owners);
    build_static_scene<3, float>(level, kept, workspace);
    return texts_of(moving);
  };
  EXPECT_TRUE(owned_by({8, 9, -1}).empty());
  EXPECT_TRUE(owned_by({1, 5, 6}).empty());  // between the others, and none of them
  EXPECT_TRUE(owned_by({-1, -1, -1}).empty());
  EXPECT_TRUE(owned_by({}).empty());
  EXPECT_EQ(owned_by({9, 7, 7}),
            (std::vector<std::string>{"kept.owner has owner 7 that the scene has too: shapes of "
                                      "one owner never meet, so number them on if they are not "
                                      "the same objects"}));
  ContactBuffer<3, float> contacts;
  CollideOptions options;
  options.moving_pairs = false;
  collide<3, float>(moving, contacts, workspace, options);
  EXPECT_EQ(contacts.size(), 10u);  // of 4 balls and 3 boxes in one place, 2 pairs of owner 7
  EXPECT_EQ(owned_by({7, 0, 1}),
            (std::vector<std::string>{"kept.owner has 2 owners from 0 to 7 that the scene has "
                                      "too: shapes of one owner never meet, so number them on if "
                                      "they are not the same objects"}));
  moving.spheres.owner.clear();
  EXPECT_TRUE(texts_of(moving).empty());
}

TEST(notes, tell_of_a_fixed_scene_that_asks_what_is_kept) {
  SceneColumns<3, float> level;
  level.spheres.center = {{0, 0, 0}};
  level.spheres.radius = {1};
  SceneColumns<3, float> asking = level;
  asking.spheres.fixed = {1};
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  EXPECT_TRUE(texts_of(asking).empty());
  build_static_scene<3, float>(level, kept, workspace);
  asking.kept = &kept;
  EXPECT_EQ(texts_of(asking),
            (std::vector<std::string>{
                "fixed is set for every shape, and what is kept counts as fixed, so nothing meets: "
                "keep this scene, and ask with the one that moves"}));
  asking.capsules.a = {{0, 0, 0}};
  asking.capsules.b = {{0, 0, 1}};
  asking.capsules.radius = {1};
  EXPECT_TRUE(texts_of(asking).empty());
}

TEST(notes, tell_of_bodies_without_poses_and_of_shapes_without_a_category) {
  SceneColumns<3, float> scene = balls_of_worlds();
  scene.spheres.body = {-1, -1, -1, -1};
  EXPECT_TRUE(texts_of(scene).empty());
  scene.spheres.body = {-1, 2, 0, -1};
  EXPECT_EQ(texts_of(scene), (std::vector<std::string>{
                                 "sphere.body is given, and bodies has no poses: the column only "
                                 "filters, so shapes of one body never meet"}));
  scene.excluded_bodies = {{0, 2}};
  EXPECT_TRUE(texts_of(scene).empty());  // the filter is meant
  scene.excluded_bodies.clear();
  scene.bodies.position = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  EXPECT_TRUE(texts_of(scene).empty());
  scene.spheres.category = {1, 2, 4, 8};
  EXPECT_TRUE(texts_of(scene).empty());
  scene.spheres.category = {1, 0, 4, 8};
  EXPECT_EQ(texts_of(scene), (std::vector<std::string>{
                                 "sphere.category[1] is 0: a shape without a bit meets nothing; "
                                 "the default is 1"}));
  scene.spheres.category = {1, 0, 4, 0};
  EXPECT_EQ(texts_of(scene).front(),
            "sphere.category[1] is 0, as in 1 more: a shape without a bit meets nothing; the "
            "default is 1");
}

}  // namespace
}  // namespace widephase::test
