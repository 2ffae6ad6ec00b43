#pragma once

// Scenes of 2D shapes of all kinds beside chains, written in doubles, and what counts as a contact
// with a chain by the definition, over all of its segments.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <widephase/widephase.hpp>

#include "reference/random.hpp"

namespace widephase::test {

using Point2d = std::array<double, 2>;

inline constexpr Kind kFlatShapes[] = {Kind::circle, Kind::capsule, Kind::aabb, Kind::box,
                                       Kind::polygon};

/// A scene in which rows are written as doubles.
template <class T>
struct Lines {
  SceneColumns<2, T> scene;
  using Size = SizeOf<T>;
  using Position = PositionOf<T>;

  static std::array<Position, 2> at(const Point2d& p) {
    return {static_cast<Position>(p[0]), static_cast<Position>(p[1])};
  }
  static std::array<Size, 2> size(const Point2d& p) {
    return {static_cast<Size>(p[0]), static_cast<Size>(p[1])};
  }
  static Size number(double x) { return static_cast<Size>(x); }

  std::int32_t add(const std::vector<Point2d>& vertices, const ChainOptions& options = {}) {
    Column<Size, 2> points;
    for (const Point2d& vertex : vertices) points.push_back(size(vertex));
    return add_chain(scene.chain_geometries, points.span(), options);
  }
  void place(std::int32_t geometry, const Point2d& center = {}, double angle = 0,
             double radius = 0) {
    scene.chains.center.push_back(at(center));
    scene.chains.turn.push_back({number(angle)});
    scene.chains.geometry.push_back({geometry});
    scene.chains.fixed.push_back({1});
    if (radius > 0 || !scene.chains.radius.empty()) {
      scene.chains.radius.resize(scene.chains.geometry.size());
      scene.chains.radius[scene.chains.geometry.size() - 1] = number(radius);
    }
  }
  void add_circle(const Point2d& center, double radius) {
    scene.circles.center.push_back(at(center));
    scene.circles.radius.push_back({number(radius)});
  }
  void add_box(const Point2d& center, const Point2d& half, double angle = 0, double radius = 0) {
    scene.boxes.center.push_back(at(center));
    scene.boxes.turn.push_back({number(angle)});
    scene.boxes.half_extents.push_back(size(half));
    scene.boxes.radius.push_back({number(radius)});
  }
  /// A shape of any kind, half extents about `half`.
  void add_shape(Kind kind, const Point2d& center, const Point2d& half, double angle) {
    const Point2d axis{half[0] * std::cos(angle), half[0] * std::sin(angle)};
    if (kind == Kind::circle) return add_circle(center, half[1]);
    if (kind == Kind::box) return add_box(center, half, angle);
    if (kind == Kind::capsule) {
      scene.capsules.a.push_back(at({center[0] - axis[0], center[1] - axis[1]}));
      scene.capsules.b.push_back(at({center[0] + axis[0], center[1] + axis[1]}));
      scene.capsules.radius.push_back({number(half[1])});
      return;
    }
    if (kind == Kind::aabb) {
      scene.aabbs.min.push_back(at({center[0] - half[0], center[1] - half[1]}));
      scene.aabbs.max.push_back(at({center[0] + half[0], center[1] + half[1]}));
      return;
    }
    Column<Size, 2> points;
    for (int v = 0; v < 5; ++v) {
      const double turn = v * 1.2566370614359172;
      points.push_back(size({half[0] * std::cos(turn), half[1] * std::sin(turn)}));
    }
    const std::int32_t polygon = add_polygon(scene.geometries, points.span());
    scene.polygons.center.push_back(at(center));
    scene.polygons.turn.push_back({number(angle)});
    scene.polygons.geometry.push_back({polygon});
  }
  std::int32_t chain_id(std::int32_t row = 0) const {
    return layout_of(scene).id(Kind::chain, row);
  }
};

template <class T>
ContactBuffer<2, T> contacts_of(const SceneColumns<2, T>& scene,
                                const CollideOptions& options = {}) {
  Workspace<2, T> workspace;
  ContactBuffer<2, T> contacts;
  collide(scene, contacts, workspace, options);
  return contacts;
}

/// From (x, 0) to (-x, 0), free above: the front is to the right of the way.
inline std::vector<Point2d> line_of(const std::vector<double>& places,
                                    const std::function<double(double)>& height) {
  std::vector<Point2d> line;
  for (std::size_t i = places.size(); i-- > 0;) line.push_back({places[i], height(places[i])});
  return line;
}

/// The corners of a core about the origin of the scene, counter-clockwise, and how round it is.
struct FlatCore {
  std::vector<Point2d> corners;
  double radius = 0;
  Point2d inner{};
};

inline double dot2(const Point2d& a, const Point2d& b) { return a[0] * b[0] + a[1] * b[1]; }
inline Point2d less2(const Point2d& a, const Point2d& b) { return {a[0] - b[0], a[1] - b[1]}; }
inline Point2d plus2(const Point2d& a, const Point2d& b, double by) {
  return {a[0] + by * b[0], a[1] + by * b[1]};
}

/// The point of a segment that is nearest to another one.
inline Point2d nearest_on(const Point2d& p, const Point2d& a, const Point2d& b) {
  const Point2d along = less2(b, a);
  const double length2 = dot2(along, along);
  const double share = length2 > 0 ? dot2(less2(p, a), along) / length2 : 0;
  return plus2(a, along, std::min(1.0, std::max(0.0, share)));
}

struct NearPair {
  double distance = std::numeric_limits<double>::infinity();
  Point2d on_core{}, on_line{};
};

/// Nearest points of a core's outline and a segment; 0 where they cross or the core holds it.
inline NearPair nearest_of(const FlatCore& core, const Point2d& a, const Point2d& b) {
  NearPair best;
  const auto add = [&](const Point2d& on_core, const Point2d& on_line) {
    const Point2d apart = less2(on_core, on_line);
    const double distance = std::sqrt(dot2(apart, apart));
    if (distance < best.distance) best = {distance, on_core, on_line};
  };
  const std::size_t count = core.corners.size();
  bool is_inside = count > 2;
  for (std::size_t v = 0; v < count; ++v) {
    const Point2d &p = core.corners[v], &q = core.corners[(v + 1) % count];
    add(p, nearest_on(p, a, b));
    add(nearest_on(a, p, q), a);
    add(nearest_on(b, p, q), b);
    const Point2d out{q[1] - p[1], p[0] - q[0]};
    is_inside &= dot2(out, less2(a, p)) <= 0;
    const Point2d along = less2(b, a), own = less2(q, p);
    const double across = own[0] * along[1] - own[1] * along[0];
    if (across == 0) continue;
    const Point2d from = less2(a, p);
    const double s = (from[0] * along[1] - from[1] * along[0]) / across;
    const double t = (from[0] * own[1] - from[1] * own[0]) / across;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) return {0, plus2(p, own, s), plus2(p, own, s)};
  }
  if (is_inside) return {0, a, a};
  return best;
}

/// A local minimum of a core's distance from a line of segments.
struct LocalMinimum {
  double distance;
  Point2d normal;  ///< from the core into the line
};

/// All of them, by definition: the place is nearest on every segment that has it.
inline std::vector<LocalMinimum> local_minima(const FlatCore& core,
                                              const std::vector<Point2d>& line, bool is_loop,
                                              double limit) {
  std::vector<LocalMinimum> minima;
  const std::size_t count = line.size() - (is_loop ? 0 : 1);
  std::vector<NearPair> near;
  for (std::size_t s = 0; s < count; ++s) {
    near.push_back(nearest_of(core, line[s], line[(s + 1) % line.size()]));
  }
  for (std::size_t s = 0; s < count; ++s) {
    if (!(near[s].distance > 0) || near[s].distance > limit) continue;
    bool is_least = true;
    for (std::size_t o = 0; o < count; ++o) {
      const Point2d at = nearest_on(near[s].on_line, line[o], line[(o + 1) % line.size()]);
      const Point2d apart = less2(at, near[s].on_line);
      if (dot2(apart, apart) > 1e-24) continue;
      is_least &= !(near[o].distance < near[s].distance * (1 - 1e-9));
    }
    if (!is_least) continue;
    const Point2d to = less2(near[s].on_line, near[s].on_core);
    minima.push_back({near[s].distance, {to[0] / near[s].distance, to[1] / near[s].distance}});
  }
  return minima;
}

}  // namespace widephase::test
