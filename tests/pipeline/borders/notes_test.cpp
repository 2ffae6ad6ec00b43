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

}  // namespace
}  // namespace widephase::test
