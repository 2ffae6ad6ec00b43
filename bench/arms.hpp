#pragma once

// Robot arms as planners hold them: one configuration per world, links of spheres, and a shelf of
// boxes that every world meets.

#include <array>
#include <cmath>
#include <cstdint>

#include <widephase/bodies.hpp>

#include "scenes.hpp"

namespace widephase::bench {

struct Arms {
  SceneColumns<3, float> placed;   ///< spheres, where the configurations put them
  SceneColumns<3, float> carried;  ///< the same in the frames of bodies
  SceneColumns<3, float> shelf;    ///< in world -1
};

/// The shelf behind the arm's own shapes, in one scene.
inline SceneColumns<3, float> with_shelf(SceneColumns<3, float> arms,
                                         const SceneColumns<3, float>& shelf) {
  arms.boxes = shelf.boxes;
  return arms;
}

struct ArmLink {
  int body;
  int spheres;
  double radius;
  double length;
};
/// Eight bodies; the last carries a hand and two fingers. 59 spheres.
inline constexpr ArmLink kArmLinks[] = {
    {0, 1, 0.08, 0.1},   {1, 4, 0.06, 0.24},  {2, 4, 0.06, 0.16},  {3, 4, 0.055, 0.16},
    {4, 4, 0.055, 0.12}, {5, 12, 0.04, 0.26}, {6, 3, 0.05, 0.05},  {7, 5, 0.03, 0.08},
    {7, 18, 0.02, 0.12}, {7, 2, 0.012, 0.03}, {7, 2, 0.012, 0.03},
};
inline constexpr double kJointHeights[] = {0.1, 0.24, 0.16, 0.16, 0.12, 0.26, 0.05};

/// Unit quaternion x y z w and place of a body.
struct ArmFrame {
  std::array<double, 4> turn{0, 0, 0, 1};
  std::array<double, 3> at{0, 0, 0};

  std::array<double, 3> point(const std::array<double, 3>& p) const {
    const double x = turn[0], y = turn[1], z = turn[2], w = turn[3];
    const std::array<double, 3> t{2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]),
                                  2 * (x * p[1] - y * p[0])};
    return {at[0] + p[0] + w * t[0] + y * t[2] - z * t[1],
            at[1] + p[1] + w * t[1] + z * t[0] - x * t[2],
            at[2] + p[2] + w * t[2] + x * t[1] - y * t[0]};
  }
  /// The frame at the end of a link, turned about its own z axis or its y axis.
  ArmFrame next(double length, double angle, bool is_about_z) const {
    const double s = std::sin(angle / 2), c = std::cos(angle / 2);
    const double x = turn[0], y = turn[1], z = turn[2], w = turn[3];
    ArmFrame frame;
    frame.at = point({0, 0, length});
    frame.turn =
        is_about_z
            ? std::array<double, 4>{x * c + y * s, y * c - x * s, z * c + w * s, w * c - z * s}
            : std::array<double, 4>{x * c - z * s, y * c + w * s, z * c + x * s, w * c - y * s};
    return frame;
  }
};

/// A shelf of four boards, two sides and a back, and a table.
inline SceneColumns<3, float> shelf_of_boxes() {
  SceneColumns<3, float> scene;
  const auto add = [&](std::array<float, 3> at, std::array<float, 3> half) {
    scene.boxes.center.push_back(at);
    scene.boxes.half_extents.push_back(half);
    scene.boxes.turn.push_back({0, 0, 0.130526f, 0.991445f});
    scene.boxes.world.push_back({-1});
    scene.boxes.fixed.push_back({1});
    scene.boxes.owner.push_back({100});
  };
  for (const float z : {0.1f, 0.45f, 0.8f, 1.15f}) add({0.6f, 0, z}, {0.15f, 0.4f, 0.01f});
  for (const float y : {-0.4f, 0.4f}) add({0.6f, y, 0.625f}, {0.15f, 0.01f, 0.525f});
  add({0.75f, 0, 0.625f}, {0.01f, 0.4f, 0.525f});
  add({0, 0, -0.05f}, {0.6f, 0.6f, 0.02f});
  return scene;
}

inline Arms make_arms(std::int32_t worlds, std::uint64_t seed) {
  Arms arms;
  arms.shelf = shelf_of_boxes();
  Random random(seed);
  for (std::int32_t world = 0; world < worlds; ++world) {
    ArmFrame frames[8];
    for (int body = 1; body < 8; ++body) {
      const double most = body % 2 == 1 ? 2.8 : 1.6;
      frames[body] = frames[body - 1].next(kJointHeights[body - 1], random.uniform(-most, most),
                                           body % 2 == 1);
    }
    for (const ArmFrame& frame : frames) {
      arms.carried.bodies.position.push_back({static_cast<float>(frame.at[0]),
                                              static_cast<float>(frame.at[1]),
                                              static_cast<float>(frame.at[2])});
      arms.carried.bodies.turn.push_back(
          {static_cast<float>(frame.turn[0]), static_cast<float>(frame.turn[1]),
           static_cast<float>(frame.turn[2]), static_cast<float>(frame.turn[3])});
    }
    std::int32_t owner = 0;
    for (const ArmLink& link : kArmLinks) {
      const bool is_finger = owner >= 9;
      const double first = link.body < 7 ? 0.03 : owner == 7 ? 0.02 : is_finger ? 0.16 : 0.11;
      for (int i = 0; i < link.spheres; ++i) {
        // The hand is two rows across; fingers stand on either side of it.
        std::array<double, 3> at{0, 0, first + link.length * i / link.spheres};
        if (owner == 8) at = {0, 0.09 * (i % 9 - 4) / 4, 0.11 + 0.03 * (i / 9)};
        if (is_finger) at[1] = owner == 9 ? 0.05 : -0.05;
        const std::array<double, 3> in_world = frames[link.body].point(at);
        for (SceneColumns<3, float>* scene : {&arms.placed, &arms.carried}) {
          const std::array<double, 3>& p = scene == &arms.placed ? in_world : at;
          auto& spheres = scene->spheres;
          spheres.center.push_back(
              {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
          spheres.radius.push_back({static_cast<float>(link.radius)});
          spheres.world.push_back({world});
          spheres.owner.push_back({owner});
        }
        arms.carried.spheres.body.push_back({world * 8 + link.body});
      }
      ++owner;
    }
  }
  // Links that meet at a joint or nearly so; the base and the shelf stand where they stand.
  for (SceneColumns<3, float>* scene : {&arms.placed, &arms.carried}) {
    for (std::int32_t a = 0; a < 11; ++a) {
      for (std::int32_t b = a + 1; b < 11; ++b) {
        if (kArmLinks[b].body - kArmLinks[a].body > 2) continue;
        scene->excluded_owners.push_back({a, b});
      }
    }
    scene->excluded_owners.push_back({0, 100});
  }
  return arms;
}

}  // namespace widephase::bench
