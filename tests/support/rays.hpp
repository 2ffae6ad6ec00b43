#pragma once

// Rays, and what the reference says of answers to them.

#include <algorithm>
#include <string>
#include <vector>

#include "reference/height.hpp"
#include "support/generate.hpp"
#include "support/scenes.hpp"

namespace widephase::test {

template <int D>
struct Ray {
  Point<D> origin{};
  Point<D> direction{};
  double max_t = 0;  ///< 0: none
};

/// A shape and a ray that asks it alone.
template <int D>
struct RayCase {
  Solid<D> solid;
  Ray<D> ray;
};

/// The columns of rays, as their owner.
template <int D, class T>
struct RayColumns {
  Column<PositionOf<T>, D> origin;
  Column<SizeOf<T>, D> direction;
  Column<SizeOf<T>> max_t;
  Column<std::int32_t> world;

  void add(const Ray<D>& ray, std::int32_t of_world = 0) {
    using S = SizeOf<T>;
    origin.push_back(as_row<D, PositionOf<T>>(ray.origin));
    direction.push_back(as_row<D, S>(ray.direction));
    max_t.push_back(ray.max_t == 0 ? std::numeric_limits<S>::max() : static_cast<S>(ray.max_t));
    world.push_back(of_world);
  }
  RaySpan<D, T> span() const {
    RaySpan<D, T> rays;
    rays.origin = origin;
    rays.direction = direction;
    rays.max_t = max_t;
    rays.filters.world = world;
    return rays;
  }
  std::size_t size() const { return world.size(); }
};

/// Answers to cases, each in a world of its own.
template <int D, class T>
struct AskedCases {
  SceneColumns<D, T> scene;
  std::vector<std::int32_t> ids;  ///< of each case's shape
  RayColumns<D, T> rays;
  StaticScene<D, T> kept;
  Workspace<D, T> workspace;
  RayHits<D, T> hits;

  AskedCases(const std::vector<RayCase<D>>& cases, const CastOptions& options) {
    std::vector<std::pair<Kind, std::int32_t>> rows;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      rows.push_back({cases[i].solid.kind, append(scene, cases[i].solid)});
      with_table(scene, cases[i].solid.kind,
                 [&](auto& table) { table.world.push_back(static_cast<std::int32_t>(i)); });
      rays.add(cases[i].ray, static_cast<std::int32_t>(i));
    }
    const SceneLayout layout = layout_of(scene);
    for (const auto& [kind, row] : rows) {
      ids.push_back(layout.first[static_cast<int>(kind)] + row);
    }
    build_static_scene(scene, kept, workspace);
    cast_rays(kept, rays.span(), hits, workspace, options);
  }
};

/// How far an answer may be from the reference.
struct RayTolerance {
  double of_size;  ///< of the shape's size, its distance and the way
};
template <class S>
constexpr double ray_tolerance() {
  return sizeof(S) == 4 ? 4e-6 : 1e-13;
}

/// What is wrong with the answer to one case; empty if nothing is.
template <int D, class T>
std::string ray_fault(const RayCase<D>& asked, const RayHits<D, T>& hits, std::size_t row,
                      std::int32_t id, const CastOptions& options) {
  using S = SizeOf<T>;
  const Solid<D> solid = stored<S>(asked.solid);
  const auto heights = heights_of(solid);
  Vec<D> origin, direction;
  for (int k = 0; k < D; ++k) {
    origin[k] = static_cast<PositionOf<T>>(asked.ray.origin[k]);
    direction[k] = static_cast<S>(asked.ray.direction[k]);
  }
  const Real margin = static_cast<S>(options.margin);
  const bool has_end = asked.ray.max_t != 0;
  const Real most = has_end ? static_cast<Real>(static_cast<S>(asked.ray.max_t))
                            : static_cast<Real>(std::numeric_limits<S>::max());
  // Heights are at least distances to some point of the shape less its size.
  const Real away = std::abs(heights(origin));
  Real size = solid.kind == Kind::halfspace ? Real{1} : Real{0};
  for (int k = 0; k < D; ++k) {
    size += std::abs(static_cast<Real>(solid.q[k])) + length(origin);
    if (solid.kind != Kind::halfspace) size += std::abs(static_cast<Real>(solid.p[k]));
  }
  size += std::abs(static_cast<Real>(solid.size)) + static_cast<Real>(solid.rounding) + margin;
  for (const Point<D>& v : solid.vertices) size = std::max(size, 2 * length(widened(v)));
  const Real speed = length(direction);
  // A halfspace may be met far away, at a flat angle.
  const Real far = solid.kind == Kind::halfspace ? 1e5L : 1;
  const Real end = std::min(most, far * (2 * (away + 4 * size) + 1) / speed);
  const Real tolerance = static_cast<Real>(ray_tolerance<S>()) * (size + away);
  const auto grown = [&](const Vec<D>& p) { return heights(p) - margin; };
  const RayReference reference = ray_reference_of<D>(grown, origin, direction, end);

  const bool is_hit = hits.shape[row] == id;
  const auto status = static_cast<CastStatus>(hits.status[row]);
  const Real t = hits.t[row];
  const auto say = [&](const std::string& what) {
    std::ostringstream text;
    text.precision(17);
    text << what << ": t " << hits.t[row] << ", status " << int{hits.status[row]} << ", feature "
         << hits.feature[row] << "; reference " << (reference.is_hit ? "hit" : "missed")
         << (reference.starts_inside ? ", inside" : "") << ", enter "
         << static_cast<double>(reference.enter) << ", leave "
         << static_cast<double>(reference.leave) << ", least height "
         << static_cast<double>(reference.least_height) << "\n  " << describe(solid)
         << "\n  origin";
    for (int k = 0; k < D; ++k) text << ' ' << asked.ray.origin[k];
    text << ", direction";
    for (int k = 0; k < D; ++k) text << ' ' << asked.ray.direction[k];
    text << ", max_t " << asked.ray.max_t << ", normal";
    for (int k = 0; k < D; ++k) text << ' ' << hits.normal(row, k);
    text << ", point";
    for (int k = 0; k < D; ++k) text << ' ' << hits.point(row, k);
    return text.str();
  };
  const Real at_start = grown(origin);
  if (hits.shape[row] != -1 && !is_hit) return say("another shape is hit");
  if (!(t >= 0 && t <= most)) return say("t is not from 0 to max_t");
  if (is_hit != (status != CastStatus::none)) return say("the status is not that of the shape");
  if (status == CastStatus::bound) return say("a limit of steps was met");
  const bool is_inside = status == CastStatus::started_inside;
  const bool is_surely_inside = at_start<-tolerance, is_surely_outside = at_start> tolerance;
  if (is_hit && is_inside && is_surely_outside) return say("it does not start inside");
  if (is_hit && !is_inside && is_surely_inside) return say("it starts inside");
  const bool may_be_inside = !is_surely_outside;
  if (!is_hit) {
    if (t != most) return say("t of a miss is not max_t");
    if (options.inside == Inside::leave && may_be_inside) return {};
    if (options.inside == Inside::exit && may_be_inside) {
      return reference.leave <= most - tolerance / speed && reference.least_height < -tolerance &&
                     is_surely_inside && grown(plus(origin, direction, end)) > 0
                 ? say("the way out is missed")
                 : std::string();
    }
    return reference.least_height < -tolerance ? say("it is missed") : std::string();
  }
  if (options.inside == Inside::leave && is_inside) return say("a shape that it starts in is hit");
  if (reference.least_height > tolerance) return say("it is not there");
  const Vec<D> there = plus(origin, direction, t);
  if (is_inside && options.inside == Inside::hit) {
    if (t != 0) return say("t is not 0");
    for (int k = 0; k < D; ++k) {
      if (hits.point(row, k) != static_cast<PositionOf<T>>(asked.ray.origin[k])) {
        return say("the point is not the origin");
      }
      if (std::abs(hits.normal(row, k) + direction[k] / speed) > 1e-6L) {
        return say("the normal is not against the direction");
      }
    }
    return {};
  }
  const Real reach = tolerance + static_cast<Real>(ray_tolerance<S>()) * t * speed;
  if (std::abs(grown(there)) > reach) return say("t is not on the surface");
  // The first of both places on the surface, or the last.
  const Real middle = (reference.enter + reference.leave) / 2;
  const Real deep = grown(plus(origin, direction, middle));
  if (reference.is_hit && deep < -4 * reach) {
    const bool is_first = t < middle;
    const bool wants_first = !(is_inside && options.inside == Inside::exit);
    if (is_first != wants_first) return say("it is the other side");
  }
  Vec<D> normal, point;
  for (int k = 0; k < D; ++k) {
    normal[k] = hits.normal(row, k);
    point[k] = hits.point(row, k);
  }
  if (!(std::abs(length(normal) - 1) < (sizeof(S) == 4 ? 1e-6L : 1e-14L))) {
    return say("the normal is not a unit vector");
  }
  if (!(std::abs(heights(point)) <= reach)) return say("the point is not on the surface");
  if (!(length(minus(plus(point, normal, margin), there)) <= 4 * reach)) {
    return say("the point is not where the ray is");
  }
  // A step along the normal of a convex shape leaves it by as much.
  const Real step = size / 16;
  const Real risen = heights(plus(point, normal, step));
  if (!(std::abs(risen - step) <= 64 * reach)) return say("the normal is not that of the surface");
  return {};
}

/// A ray toward the solid about `center`, or beside it, or from within it.
template <int D>
Ray<D> random_ray(Random& random, const Point<D>& center, double size) {
  Ray<D> ray;
  const Point<D> from = random.direction<D>(), aim = random.point<D>(-1, 1);
  const double away = random.chance(0.2) ? 0.3 : random.uniform(0.5, 6);
  const double speed = std::pow(10, random.uniform(-2, 2));
  for (int k = 0; k < D; ++k) {
    ray.origin[k] = center[k] + size * away * from[k];
    ray.direction[k] = speed * (size * aim[k] - size * away * from[k]);
  }
  if (random.chance(0.3)) {
    const int axis = random.integer(0, D - 1);
    for (int k = 0; k < D; ++k) {
      if (k != axis) ray.direction[k] = random.chance(0.5) ? 0.0 : -0.0;
    }
  }
  if (random.chance(0.3)) ray.max_t = random.uniform(0, 2) / speed;
  return ray;
}

/// Origins and directions in halves: along edges, through corners, level with faces.
template <int D>
Ray<D> grid_ray(Random& random) {
  Ray<D> ray;
  bool has_length = false;
  for (int k = 0; k < D; ++k) {
    ray.origin[k] = random.integer(-8, 8) / 2.0;
    ray.direction[k] = random.integer(-1, 1);
    if (ray.direction[k] == 0 && random.chance(0.5)) ray.direction[k] = -0.0;
    has_length |= ray.direction[k] != 0;
  }
  if (!has_length) ray.direction[random.integer(0, D - 1)] = 2;
  if (random.chance(0.3)) ray.max_t = random.integer(1, 8) / 2.0;
  return ray;
}

}  // namespace widephase::test
