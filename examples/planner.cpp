// A planner asks whether a robot arm touches anything along its path: 64 configurations, two
// motions of 32, in one call. Each configuration is a world; the obstacles are in all worlds. A
// second call finds the nearest or deepest pair of each world with a contact.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <widephase/widephase.hpp>

namespace {

using widephase::Kind;

constexpr int kSteps = 32;  // per motion

using Point = std::array<float, 3>;

// `yaw` turns the arm about the vertical. The other angles tilt each link upwards relative to the
// previous link.
struct Configuration {
  float yaw, shoulder, elbow, wrist;
};

Point along(const Point& from, const Configuration& arm, float tilt, float length) {
  return {from[0] + length * std::cos(tilt) * std::cos(arm.yaw),
          from[1] + length * std::cos(tilt) * std::sin(arm.yaw), from[2] + length * std::sin(tilt)};
}

// Each link is an owner: shapes of the same owner never collide (the hand has three).
enum Link { column, upper_arm, forearm, hand };

// Appends the arm's capsules to the scene.
void add_arm(widephase::SceneColumns<3, float>& scene, std::int32_t world,
             const Configuration& arm) {
  const auto add = [&](Link link, const Point& a, const Point& b, float radius) {
    scene.capsules.a.push_back(a);
    scene.capsules.b.push_back(b);
    scene.capsules.radius.push_back({radius});
    scene.capsules.world.push_back({world});
    scene.capsules.owner.push_back({link});
  };
  const Point shoulder{0, 0, 0.4f};
  const Point elbow = along(shoulder, arm, arm.shoulder, 0.5f);
  const Point wrist = along(elbow, arm, arm.shoulder + arm.elbow, 0.4f);
  const float tilt = arm.shoulder + arm.elbow + arm.wrist;
  const Point palm = along(wrist, arm, tilt, 0.1f);
  add(column, {0, 0, 0.12f}, shoulder, 0.08f);
  add(upper_arm, shoulder, elbow, 0.06f);
  add(forearm, elbow, wrist, 0.05f);
  add(hand, wrist, palm, 0.04f);
  add(hand, palm, along(palm, arm, tilt + 0.5f, 0.1f), 0.01f);
  add(hand, palm, along(palm, arm, tilt - 0.5f, 0.1f), 0.01f);
}

// A table, a pillar on it and two balls. World -1 means every world. Two fixed shapes never
// collide.
void add_obstacles(widephase::SceneColumns<3, float>& scene) {
  scene.spheres.center = {{0.7f, 0.55f, 0.15f}, {0.3f, -0.6f, 0.1f}};
  scene.spheres.radius = {0.15f, 0.1f};
  scene.spheres.world = {-1, -1};
  scene.spheres.fixed = {1, 1};
  scene.aabbs.min = {{-1, -1, -0.05f}, {0.65f, -0.1f, 0}};
  scene.aabbs.max = {{1.5f, 1, 0}, {0.85f, 0.1f, 0.6f}};
  scene.aabbs.world = {-1, -1};
  scene.aabbs.fixed = {1, 1};
}

}  // namespace

int main() {
  widephase::SceneColumns<3, float> scene;
  // Neighbouring links overlap at their joint, in every world.
  scene.excluded_owners = {{column, upper_arm}, {upper_arm, forearm}, {forearm, hand}};
  add_obstacles(scene);
  for (int step = 0; step < kSteps; ++step) {
    const float t = static_cast<float>(step) / (kSteps - 1);
    add_arm(scene, step, {-1 + 2 * t, 0, -0.2f, -0.3f});
  }
  for (int step = 0; step < kSteps; ++step) {
    const float t = static_cast<float>(step) / (kSteps - 1);
    const float lift = std::fmin(1.0f, 6 * t * (1 - t));
    add_arm(scene, kSteps + step, {-1 + 2 * t, lift, -0.2f, -0.3f});
  }

  widephase::CollideOptions options;
  options.margin = 0.02;  // the clearance that the planner wants
  std::vector<std::uint8_t> is_contact(2 * kSteps);
  widephase::Workspace<3, float> workspace;
  any_contact(scene, is_contact, workspace, options);
  options.world_mask = is_contact;  // only ask about worlds with a contact
  widephase::WorldDistanceBuffer<3, float> nearest;
  min_distance(scene, nearest, workspace, options);

  // The kind of an id, and its row in the table of that kind.
  const auto layout = widephase::layout_of(scene);
  const auto name = [&](std::int32_t id) {
    return std::string(widephase::kind_name(layout.kind_of(id), 3)) + " " +
           std::to_string(layout.row(id));
  };
  const char* const motions[] = {"straight", "lifted"};
  for (int motion = 0; motion < 2; ++motion) {
    std::string touches;
    std::string what = "free";
    for (int step = 0; step < kSteps; ++step) {
      const auto world = static_cast<std::size_t>(motion * kSteps + step);
      touches += is_contact[world] != 0 ? 'x' : '.';
      if (is_contact[world] == 0 || what != "free") continue;
      what = name(nearest.pair[world].a) + " meets " + name(nearest.pair[world].b) + " in step " +
             std::to_string(step);
    }
    std::printf("%-8s %s %s\n", motions[motion], touches.c_str(), what.c_str());
  }
}
