#include "support/outline_contacts.hpp"

namespace widephase::test {

namespace {

/// The distance of a point from a solid polygon: 0 inside, or else the least distance to an edge.
long double distance_to(const std::vector<Point2>& polygon, Point2 p) {
  bool is_inside = true;
  long double least = std::numeric_limits<long double>::max();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point2 a = polygon[i], b = polygon[(i + 1) % polygon.size()];
    is_inside = is_inside && orientation(a, b, p) >= 0;
    const long double ux = static_cast<long double>(b.x) - a.x;
    const long double uy = static_cast<long double>(b.y) - a.y;
    const long double px = static_cast<long double>(p.x) - a.x;
    const long double py = static_cast<long double>(p.y) - a.y;
    const long double t = std::clamp((px * ux + py * uy) / (ux * ux + uy * uy), 0.0L, 1.0L);
    least = std::min(least, std::hypot(px - t * ux, py - t * uy));
  }
  return is_inside ? 0 : least;
}

/// The distance to the union of the parts, which other checks compare with the outline. Spikes that
/// were left out do not belong to it.
long double distance_to_solid(const Parts& parts, Point2 p) {
  long double least = std::numeric_limits<long double>::max();
  for (const std::vector<Point2>& part : polygons_of(parts)) {
    least = std::min(least, distance_to(part, p));
  }
  return least;
}

}  // namespace

std::string contacts_problem(const Rings& rings, const Parts& parts, int circle_count,
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
    if (contacts.pair[i].b < circle_count) continue;  // skip two circles
    touches[static_cast<std::size_t>(contacts.pair[i].a)] = true;
  }
  for (int i = 0; i < circle_count; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const Point2 center{scene.circles.center(row, 0), scene.circles.center(row, 1)};
    const double radius = scene.circles.radius[row];
    const long double distance = distance_to_solid(parts, center);
    if (std::abs(distance - radius) < 1e-12L * size) continue;
    if (touches[row] != (distance <= radius)) {
      std::ostringstream text;
      text.precision(17);
      text << "the circle at (" << center.x << ", " << center.y << ") of radius " << radius
           << " is " << static_cast<double>(distance) << " from the solid and is "
           << (touches[row] ? "" : "not ") << "reported";
      return text.str();
    }
  }
  return "";
}

}  // namespace widephase::test
