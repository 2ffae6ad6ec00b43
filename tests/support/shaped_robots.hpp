#pragma once

// Robots with shapes of all kinds that have bounds, and what is around them.

#include <gtest/gtest.h>

#include <widephase/hulls.hpp>
#include <widephase/robot.hpp>

#include "reference/scaled.hpp"
#include "support/robots.hpp"

namespace widephase::test::robots {

/// A shape of a kind that has bounds, of some tenths, about a place.
inline void add_shape(Random& random, Kind kind, const std::array<double, 3>& at,
                      SceneColumns<3, double>& scene) {
  const auto size = [&] { return 0.05 + 0.1 * std::abs(random.normal()); };
  switch (kind) {
    case Kind::sphere:
      scene.spheres.center.push_back(at);
      scene.spheres.radius.push_back(size());
      break;
    case Kind::capsule: {
      const auto way = random.unit<3>();
      scene.capsules.a.push_back(at);
      scene.capsules.b.push_back(
          {at[0] + 0.4 * way[0], at[1] + 0.4 * way[1], at[2] + 0.4 * way[2]});
      scene.capsules.radius.push_back(size());
      break;
    }
    case Kind::aabb:
      scene.aabbs.min.push_back({at[0] - size(), at[1] - size(), at[2] - size()});
      scene.aabbs.max.push_back({at[0] + size(), at[1] + size(), at[2] + size()});
      break;
    case Kind::box:
      scene.boxes.center.push_back(at);
      scene.boxes.turn.push_back(random.unit<4>());
      scene.boxes.half_extents.push_back({size(), size(), size()});
      scene.boxes.radius.push_back(random.below(2) == 0 ? 0.0 : 0.05);
      break;
    case Kind::hull: {
      Column<double, 3> points;
      for (int i = 0; i < 12; ++i) {
        const auto p = random.unit<3>();
        points.push_back({0.2 * p[0], 0.3 * p[1], 0.4 * p[2]});
      }
      scene.hulls.center.push_back(at);
      scene.hulls.turn.push_back(random.unit<4>());
      scene.hulls.geometry.push_back(add_hull<double>(scene.geometries, points));
      scene.hulls.radius.push_back(random.below(2) == 0 ? 0.0 : 0.05);
      break;
    }
    case Kind::cylinder:
      scene.cylinders.center.push_back(at);
      scene.cylinders.turn.push_back(random.unit<4>());
      scene.cylinders.half_height.push_back(size());
      scene.cylinders.radius.push_back(size());
      scene.cylinders.rounding.push_back(random.below(2) == 0 ? 0.0 : 0.05);
      break;
    case Kind::ellipsoid:
      scene.ellipsoids.center.push_back(at);
      scene.ellipsoids.turn.push_back(random.unit<4>());
      scene.ellipsoids.half_extents.push_back({size(), size(), size()});
      break;
    case Kind::cone:
      scene.cones.center.push_back(at);
      scene.cones.turn.push_back(random.unit<4>());
      scene.cones.half_height.push_back(size());
      scene.cones.radius.push_back(size());
      break;
    case Kind::polygon:
    case Kind::halfspace:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      FAIL() << "a kind that is not in the list";
  }
}

inline constexpr Kind kKinds[] = {Kind::sphere,   Kind::capsule,   Kind::box,  Kind::hull,
                                  Kind::cylinder, Kind::ellipsoid, Kind::cone, Kind::aabb};

/// Spheres on all bodies, and some of the other kinds that may be turned.
inline RobotColumns robot_with_shapes(Random& random, bool has_spheres_alone) {
  RobotColumns robot = random_robot(random);
  std::vector<std::int32_t> bodies[kKindCount];
  for (std::size_t body = 0; body < robot.bodies.name.size(); ++body) {
    for (std::size_t n = 1 + random.below(3); n > 0; --n) {
      const Kind kind =
          has_spheres_alone || random.below(2) == 0 ? Kind::sphere : kKinds[random.below(7)];
      const auto at = random.vector<3>();
      add_shape(random, kind, {0.1 * at[0], 0.1 * at[1], 0.1 * at[2]}, robot.shapes);
      bodies[static_cast<std::size_t>(kind)].push_back(static_cast<std::int32_t>(body));
    }
    if (body > 0 && random.below(2) == 0) {
      robot.shapes.excluded_owners.push_back(
          {static_cast<std::int32_t>(random.below(body)), static_cast<std::int32_t>(body)});
    }
  }
  for_each_table(robot.shapes, [&](auto& table) {
    const auto kind = static_cast<std::size_t>(std::remove_cvref_t<decltype(table)>::kind);
    for (const std::int32_t body : bodies[kind]) {
      table.body.push_back(body);
      table.owner.push_back(body);
      table.category.push_back(1u + static_cast<std::uint32_t>(random.below(3)));
      table.margin.push_back(random.below(3) == 0 ? 0.01 : 0.0);
    }
  });
  return robot;
}

/// Shapes of all kinds some way off; a floor far below.
inline SceneColumns<3, double> obstacles(Random& random) {
  SceneColumns<3, double> scene;
  for (const Kind kind : kKinds) {
    for (std::size_t n = random.below(4); n > 0; --n) {
      const auto at = random.vector<3>();
      add_shape(random, kind, {2 * at[0], 2 * at[1], 2 * at[2]}, scene);
    }
  }
  for_each_table(scene, [&](auto& table) {
    for (std::size_t row = 0; row < row_count(table); ++row) {
      table.mask.push_back(random.below(4) == 0 ? 2u : ~0u);
    }
  });
  scene.halfspaces.normal.push_back({0, 0, 1});
  scene.halfspaces.offset.push_back(-8);
  return scene;
}

inline std::vector<double> values_of(const Robot& robot, std::size_t count, Random& random) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count * robot.values().size(); ++i) {
    values.push_back(random.normal());
  }
  return values;
}

}  // namespace widephase::test::robots
