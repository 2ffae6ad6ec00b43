#pragma once

// Floors of tiles in 2D and shapes that rest on them, for the tests of flush parts.

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/reference.hpp"
#include "reference/solids.hpp"

namespace widephase::test {

inline constexpr double kFlatTolerance = 1e-4;

/// Where a floor is: its own frame has its top at y = 0.
struct FlatPose {
  double angle = 0;
  Point<2> at{0, 0};
  Point<2> turned(const Point<2>& p) const {
    const double c = std::cos(angle), s = std::sin(angle);
    return {c * p[0] - s * p[1], s * p[0] + c * p[1]};
  }
  Point<2> placed(const Point<2>& p) const {
    const Point<2> q = turned(p);
    return {at[0] + q[0], at[1] + q[1]};
  }
  Point<2> up() const { return turned({0, 1}); }
};

enum class FlatTiling { even, mixed, bricks, wedges };

/// Tiles over -4 to 4, their tops at 0. Bricks are two rows with joints apart, wedges are cut by a
/// slanted line each. `gap` and `step` are the most by which tiles are smaller and higher.
inline std::vector<Solid<2>> flat_tiles(Random& random, FlatTiling tiling, Kind kind,
                                        const FlatPose& pose, double gap = 0, double step = 0) {
  std::vector<Solid<2>> tiles;
  const auto add = [&](const Point<2>& low, const Point<2>& high) {
    const Point<2> half{(high[0] - low[0]) / 2, (high[1] - low[1]) / 2};
    const Point<2> middle{(high[0] + low[0]) / 2, (high[1] + low[1]) / 2};
    const Point<2> at = pose.placed(middle);
    if (kind == Kind::aabb) {
      tiles.push_back(aabb<2>(low, high));
    } else if (kind == Kind::box) {
      tiles.push_back(box(at, pose.angle, half));
    } else {
      tiles.push_back(polygon(
          at, pose.angle,
          {{-half[0], -half[1]}, {half[0], -half[1]}, {half[0], half[1]}, {-half[0], half[1]}}));
    }
  };
  const auto add_row = [&](double left, double top, double deep) {
    for (double x = left; x < 4;) {
      const double width = tiling == FlatTiling::mixed ? random.uniform(0.2, 1.5) : 0.5;
      const double inset = random.uniform(0, gap) / 2, rise = random.uniform(0, step);
      const double under = tiling == FlatTiling::mixed ? deep * random.uniform(0.5, 1) : deep;
      add({x + inset, top - under}, {x + width - inset, top + rise});
      x += width;
    }
  };
  if (tiling == FlatTiling::wedges) {
    double top = -4, bottom = -4;
    while (top < 4) {
      const double next = top + random.uniform(0.2, 0.8);
      const double under = std::max(bottom + 0.1, next + random.uniform(-0.4, 0.4));
      const Point<2> at = pose.placed({top, 0});
      tiles.push_back(polygon(
          at, pose.angle, {{0, 0}, {bottom - top, -0.4}, {under - top, -0.4}, {next - top, 0}}));
      top = next;
      bottom = under;
    }
    return tiles;
  }
  add_row(-4, 0, 0.4);
  if (tiling == FlatTiling::bricks) add_row(-4.25, -0.4, 0.4);
  return tiles;
}

inline constexpr std::array kFlatBodies{Kind::circle, Kind::capsule, Kind::aabb, Kind::box,
                                        Kind::polygon};

/// A shape of a kind about the origin, rotated by an angle, 0.1 to 0.8 wide.
inline Solid<2> flat_body(Random& random, Kind kind, double angle) {
  const auto size = [&] { return random.uniform(0.05, 0.4); };
  switch (kind) {
    case Kind::circle:
      return ball<2>({0, 0}, size());
    case Kind::capsule: {
      const double half = size();
      const Point<2> end{half * std::cos(angle), half * std::sin(angle)};
      return capsule<2>({-end[0], -end[1]}, end, size() / 2);
    }
    case Kind::aabb: {
      const Point<2> half{size(), size()};
      return aabb<2>({-half[0], -half[1]}, half);
    }
    case Kind::box:
      return box({0, 0}, angle, {size(), size()}, random.chance(0.3) ? 0.02 : 0);
    case Kind::polygon: {
      const int count = random.integer(3, 12);
      std::vector<Point<2>> corners;
      const double scale = size();
      for (int v = 0; v < count; ++v) {
        const double turn = 6.283185307179586 * (v - 0.5) / count - 1.5707963267948966;
        corners.push_back({scale * std::cos(turn), scale * std::sin(turn)});
      }
      return polygon({0, 0}, angle, strictly_convex(corners), random.chance(0.3) ? 0.02 : 0);
    }
    case Kind::hull:
    case Kind::cylinder:
    case Kind::halfspace:
    case Kind::ellipsoid:
    case Kind::cone:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;
  }
  return {};
}

/// The length that separates a shape from the half-plane below `at` along `up`.
inline double depth_below(const Solid<2>& solid, const Point<2>& at, const Point<2>& up) {
  const Vec<2> n{up[0], up[1]};
  const Real low = -core_support<2>(solid, times(n, -1)) - radius_of(solid);
  return static_cast<double>(dot(n, Vec<2>{at[0], at[1]}) - low);
}

/// Contacts of one scene in 2D between parts, which 1 owns, and bodies.
template <class T>
struct FlatAsked {
  SceneColumns<2, T> scene;
  ContactBuffer<2, T> contacts;
  std::vector<std::int32_t> ids;  ///< of the shapes in the order given

  FlatAsked(const std::vector<Solid<2>>& parts, const std::vector<Solid<2>>& bodies,
            CollideOptions options = {}, double tolerance = kFlatTolerance) {
    std::vector<std::pair<Kind, std::int32_t>> rows;
    for (const auto* list : {&parts, &bodies}) {
      for (const Solid<2>& solid : *list) {
        const std::int32_t row = append<2, T>(scene, stored<T>(solid));
        rows.push_back({solid.kind, row});
        const bool is_part = list == &parts;
        with_table(scene, solid.kind, [&](auto& table) {
          const auto count = static_cast<std::size_t>(row) + 1;
          table.owner.resize(count, is_part ? 1 : -1);
          table.category.resize(count, is_part ? 1 : 2);
          table.mask.resize(count, is_part ? 2 : 1);
        });
      }
    }
    const SceneLayout layout = layout_of(scene);
    for (const auto& [kind, row] : rows) ids.push_back(layout.id(kind, row));
    options.flush_tolerance = tolerance;
    options.threads.count = 1;
    Workspace<2, T> workspace;
    collide<2, T>(scene, contacts, workspace, options);
  }

  struct Found {
    Point<2> normal;  ///< from the first shape
    double depth;
    std::vector<Point<2>> points;  ///< on the contact's A
    std::vector<std::uint32_t> features;
    std::vector<double> depths;
    int status;
  };
  std::vector<Found> between(std::size_t first, std::size_t second) const {
    std::vector<Found> found;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const Pair pair = contacts.pair[c];
      const bool is_it = pair.a == ids[first] && pair.b == ids[second];
      if (!is_it && !(pair.b == ids[first] && pair.a == ids[second])) continue;
      const double sign = is_it ? 1 : -1;
      Found one{{sign * static_cast<double>(contacts.normal(c, 0)),
                 sign * static_cast<double>(contacts.normal(c, 1))},
                static_cast<double>(contacts.depth[c]),
                {},
                {},
                {},
                contacts.status[c]};
      for (auto p = static_cast<std::size_t>(contacts.offset[c]);
           p < static_cast<std::size_t>(contacts.offset[c + 1]); ++p) {
        one.points.push_back(
            {static_cast<double>(contacts.point(p, 0)), static_cast<double>(contacts.point(p, 1))});
        one.features.push_back(contacts.feature[p]);
        one.depths.push_back(static_cast<double>(contacts.point_depth[p]));
      }
      found.push_back(one);
    }
    return found;
  }
};

inline double flat_distance(const Point<2>& a, const Point<2>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1]);
}

}  // namespace widephase::test
