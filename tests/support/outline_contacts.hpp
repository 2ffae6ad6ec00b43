#pragma once

// Contacts of a cut outline against the outline as a whole, by exhaustion over its edges.

#include "support/outlines.hpp"

namespace widephase::test {

/// How far a point is from the solid: 0 inside (even-odd rule), else the least distance to an edge.
inline long double distance_to_solid(const Rings& rings, Point2 p) {
  bool is_inside = false;
  long double least = std::numeric_limits<long double>::max();
  for (const auto& ring : rings) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point2 a = ring[i], b = ring[(i + 1) % ring.size()];
      if ((a.y > p.y) != (b.y > p.y) && orientation(a, b, p) == (b.y > a.y ? 1 : -1)) {
        is_inside = !is_inside;
      }
      const long double ux = static_cast<long double>(b.x) - a.x;
      const long double uy = static_cast<long double>(b.y) - a.y;
      const long double px = static_cast<long double>(p.x) - a.x;
      const long double py = static_cast<long double>(p.y) - a.y;
      const long double square = ux * ux + uy * uy;
      const long double t =
          square > 0 ? std::clamp((px * ux + py * uy) / square, 0.0L, 1.0L) : 0.0L;
      least = std::min(least, std::hypot(px - t * ux, py - t * uy));
    }
  }
  return is_inside ? 0 : least;
}

/// Which of some circles touch the parts but not the outline, or the other way round; empty where
/// none does. Circles within rounding of touching are left out.
inline std::string contacts_problem(const Rings& rings, const Parts& parts, int circle_count,
                                    Random& random) {
  double low[2] = {rings[0][0].x, rings[0][0].y}, high[2] = {low[0], low[1]};
  for (const Point2 p : rings[0]) {
    low[0] = std::min(low[0], p.x);
    low[1] = std::min(low[1], p.y);
    high[0] = std::max(high[0], p.x);
    high[1] = std::max(high[1], p.y);
  }
  const double size = std::max(high[0] - low[0], high[1] - low[1]);
  SceneColumns<2, double> scene;
  scene.geometries = parts;
  const std::size_t part_count = parts.offsets.size() - 1;
  for (std::size_t part = 0; part < part_count; ++part) {
    scene.polygons.center.push_back({0, 0});
    scene.polygons.turn.push_back({0});
    scene.polygons.geometry.push_back({static_cast<std::int32_t>(part)});
    scene.polygons.owner.push_back({0});
  }
  for (int i = 0; i < circle_count; ++i) {
    scene.circles.center.push_back({random.uniform(low[0] - 0.1 * size, high[0] + 0.1 * size),
                                    random.uniform(low[1] - 0.1 * size, high[1] + 0.1 * size)});
    scene.circles.radius.push_back({size * std::pow(10, random.uniform(-4, -1))});
  }
  ContactBuffer<2, double> contacts;
  Workspace<2, double> workspace;
  collide<2, double>(scene, contacts, workspace);
  std::vector<bool> touches(static_cast<std::size_t>(circle_count), false);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts.pair[i].b < circle_count) continue;  // two circles
    touches[static_cast<std::size_t>(contacts.pair[i].a)] = true;
  }
  for (int i = 0; i < circle_count; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const Point2 center{scene.circles.center(row, 0), scene.circles.center(row, 1)};
    const double radius = scene.circles.radius[row];
    const long double distance = distance_to_solid(rings, center);
    if (std::abs(distance - radius) < 1e-12L * size) continue;
    if (touches[row] != (distance <= radius)) {
      std::ostringstream text;
      text.precision(17);
      text << "the circle at (" << center.x << ", " << center.y << ") of radius " << radius
           << " is " << static_cast<double>(distance) << " from the outline and is "
           << (touches[row] ? "" : "not ") << "reported";
      return text.str();
    }
  }
  return "";
}

}  // namespace widephase::test
