#pragma once

// Bounds of shapes while they move, for the broad phase. A body's centre keeps to the box of both
// its ends. Seen from there, a point turns along an arc of up to half a turn, so along each axis it
// stays within both its ends but for the arc's height over its chord: the distance from the
// centre times 1 - cos(angle / 2). The boxes of both ends alone would be too small.

#include <algorithm>
#include <cmath>

#include "pipeline/narrow/workspace.hpp"
#include "pipeline/questions/motions.hpp"

namespace widephase {

/// The interval of an axis that a shape needs, given its bounds at both ends.
template <int D, class P>
void sweep_box(const BodyMotion<D>& motion, double height, BoundsBuffer<D, P>& bounds,
               const BoundsBuffer<D, P>& at_end, std::size_t id) {
  constexpr double kRounding = 8 * static_cast<double>(std::numeric_limits<P>::epsilon());
  for (int k = 0; k < D; ++k) {
    const double start = motion.start[k], end = motion.at(k, 1);
    const double from[2] = {static_cast<double>(bounds.min(id, k)),
                            static_cast<double>(at_end.min(id, k))};
    const double to[2] = {static_cast<double>(bounds.max(id, k)),
                          static_cast<double>(at_end.max(id, k))};
    if (!(from[0] <= to[0])) continue;  // it meets nothing
    const double low = std::min(start, end) + std::min(from[0] - start, from[1] - end) - height;
    const double high = std::max(start, end) + std::max(to[0] - start, to[1] - end) + height;
    const double size = std::abs(start) + std::abs(end) + std::abs(low) + std::abs(high);
    const double rounding = std::isfinite(size) ? kRounding * size : 0;
    bounds.min(id, k) = static_cast<P>(low - rounding);
    bounds.max(id, k) = static_cast<P>(high + rounding);
  }
}

/// The largest size that a shape's partner may have, or how far two points go past one another: the
/// tolerance of points and of what has no bounds goes by these.
template <int D, class T>
double largest_extent(const SceneSpan<D, T>& scene, const ImpactScratch<D, T>& scratch) {
  double most = 0;
  const auto consider = [&](double size) {
    if (std::isfinite(size)) most = std::max(most, size);
  };
  for (const ShapeReach& reach : scratch.shapes) consider(reach.size);
  if (scene.kept != nullptr) {
    const auto& kept = scene.kept->state().rows;
    for (std::int32_t id = 0; id < kept.layout.shape_count(); ++id) {
      if (traits_of(kept.layout.kind_of(id)).is_unbounded) continue;
      consider(size_of_bounds(kept.bounds, static_cast<std::size_t>(id), 0));
    }
  }
  for (const BodyMotion<D>& body : scratch.bodies) {
    double square = 0;
    for (const double shift : body.shift) square += shift * shift;
    consider(2 * std::sqrt(square));
  }
  return most;
}

/// How far apart a shape and its partner may be and still count as met.
inline double nearness_of(const ShapeReach& reach, double tolerance, double largest) {
  if (tolerance > 0) return tolerance;
  return 1e-4 * (reach.size > 0 && std::isfinite(reach.size) ? reach.size : largest);
}

/// Grows the bounds of a scene, which was read at the start, to those of its motions. Shapes that
/// stand become fixed, so that they meet moving ones alone, if the scene has no fixed ones.
template <int D, class T>
void sweep_bounds(const SceneSpan<D, T>& scene, const Motion<D, T>& motion,
                  const ShapeCastOptions& options, SceneRows<D, T>& rows,
                  ImpactScratch<D, T>& scratch) {
  constexpr std::size_t kRows = 4096;
  if (scratch.bodies.empty()) return;
  SceneSpan<D, T> end = scene;
  end.kept = nullptr;
  end.excluded = {};  // it may name kept shapes
  end.bodies = end_poses<D, T>(scene.bodies, motion);
  const SceneRows<D, T>* const libraries =
      scene.kept == nullptr ? &rows : &scene.kept->state().rows;
  if (scene.kept != nullptr) {
    end.for_each_geometry_column([](auto, auto, auto& span, const auto& column) { span = column; },
                                 end, scene.kept->state().libraries);
  }
  WorldChoice choice;
  choice.mask = {rows.world_mask.plane(), rows.world_mask.size()};
  if (scene.kept != nullptr) {
    choice.worlds = scene.kept->state().world_count;
    choice.shapes = scene.kept->state().rows.layout.shape_count();
  }
  scratch.end_rows.update(end, options.margin, chosen_isa(options.isa), options.threads, choice,
                          libraries, Bounds::wanted);

  const std::size_t count = scratch.shapes.size();
  const double largest = options.tolerance > 0 ? 0 : largest_extent<D, T>(scene, scratch);
  const UnboundedIds unbounded = unbounded_ids(rows.layout);
  // Shapes that are fixed and move may meet those that stand.
  const bool may_be_fixed = rows.fixed.empty();
  if (may_be_fixed) rows.fixed.resize(count, 0);
  for_chunks(options.threads, (count + kRows - 1) / kRows, [&](std::size_t chunk) {
    for (std::size_t id = chunk * kRows; id < std::min(count, (chunk + 1) * kRows); ++id) {
      const ShapeReach& reach = scratch.shapes[id];
      if (reach.body < 0) {
        if (may_be_fixed) rows.fixed[id] = 1;
        continue;
      }
      const BodyMotion<D>& of_body = scratch.bodies[static_cast<std::size_t>(reach.body)];
      const double height = of_body.half_cosine < 1 ? reach.core * (1 - of_body.half_cosine) : 0;
      if (unbounded.has(id)) continue;
      const double near = nearness_of(reach, options.tolerance, largest);
      sweep_box<D>(of_body, height + near, rows.bounds, scratch.end_rows.bounds, id);
    }
  });
  // A halfspace that turns may meet anything; one that does not reaches farthest at an end.
  const auto first = static_cast<std::size_t>(unbounded.begin);
  for (std::size_t row = 0; row < rows.halfspace_offset.size(); ++row) {
    const std::int32_t body = scratch.shapes[first + row].body;
    if (body < 0) continue;
    using Position = PositionOf<T>;
    // Beyond all that is allowed, and finite.
    constexpr auto kAnywhere = static_cast<Position>(sizeof(Position) == 4 ? 1e30 : 1e150);
    const double at_end = static_cast<double>(scratch.end_rows.halfspace_offset[row]);
    Position& offset = rows.halfspace_offset[row];
    if (scratch.bodies[static_cast<std::size_t>(body)].rate > 0) {
      offset = kAnywhere;
    } else {
      const double near = nearness_of(scratch.shapes[first + row], options.tolerance, largest);
      offset = static_cast<Position>(std::max(static_cast<double>(offset), at_end) + near);
    }
  }
}

}  // namespace widephase
