// What `replicate` refuses.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "support/error_of.hpp"

#include <widephase/bodies.hpp>

namespace widephase::test {
namespace {

TEST(replicate, refuses_what_no_world_could_own) {
  SceneColumns<2, float> scene;
  SceneColumns<2, float> copy;
  EXPECT_EQ(error_of([&] { replicate(scene, 0, copy); }), "world_count is 0; it must be 1 or more");
  scene.circles.center = {{0, 0}};
  scene.circles.radius = {1};
  scene.circles.world = {2};
  EXPECT_EQ(
      error_of([&] { replicate(scene, 2, copy); }),
      "circle.world[0] is 2; the shapes of a template are of world 0, or of -1 to exist once");
  scene.circles.world = {-1};
  scene.circles.body = {0};
  scene.bodies.position = {{0, 0}};
  EXPECT_EQ(error_of([&] { replicate(scene, 2, copy); }),
            "circle.body[0] carries a shape of world -1, which exists once; every world has bodies "
            "of its own");
  scene.circles.world = {0};
  scene.excluded = {{0, 1}};
  EXPECT_EQ(error_of([&] { replicate(scene, 2, copy); }),
            "excluded[0] names shape 1; the scene's ids are 0 to 0");
  scene.excluded.clear();
  scene.circles.center = {{0, 0}, {1, 0}};
  scene.circles.radius = {1, 1};
  scene.circles.world = {0, 0};
  scene.circles.body = {0, 0};
  EXPECT_EQ(error_of([&] { replicate(scene, 2000000000, copy); }),
            "world_count is 2000000000; the copy would hold more than 2147483647 shapes or bodies");
}

TEST(replicate, refuses_bodies_that_the_template_does_not_have) {
  SceneColumns<3, float> scene;
  scene.spheres.center = {{0, 0, 0}};
  scene.spheres.radius = {1};
  scene.bodies.position = {{0, 0, 0}, {0, 0, 0}};
  SceneColumns<3, float> farm;
  for (const std::int32_t body : {-2, 2, 2147483646}) {
    scene.spheres.body = {body};
    EXPECT_EQ(error_of([&] { replicate<3, float>(scene, 3, farm); }),
              "sphere.body[0] is " + std::to_string(body) +
                  "; the template has 2 bodies, and -1 is none");
  }
}

}  // namespace
}  // namespace widephase::test
