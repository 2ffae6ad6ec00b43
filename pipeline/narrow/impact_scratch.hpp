#pragma once

// What calls with moving bodies keep from one to the next.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <widephase/collide.hpp>
#include <widephase/distance.hpp>
#include <widephase/impact.hpp>

#include "pipeline/rows/scene_rows.hpp"

namespace widephase {

/// How a body moves from t = 0 to 1, in double.
template <int D>
struct BodyMotion {
  double start[D] = {};
  double shift[D] = {};
  /// In 2D the angle, then cosine and sine of the angle by which it turns, and that angle; in 3D
  /// both unit quaternions, the second one with the sign of the shorter arc.
  double turn_start[D == 2 ? 1 : 4] = {};
  double turn_end[D == 2 ? 3 : 4] = {};
  double axis[3] = {};     ///< 3D: unit, about which it turns
  double rate = 0;         ///< radians per unit of t, at most; 0: it does not turn
  double half_cosine = 1;  ///< of half the angle by which it turns
  /// The square of the distance from 0 at which the line between both ends of the turn passes.
  double middle = 1;

  double at(int k, double t) const { return start[k] + t * shift[k]; }
  /// Radians per unit of t, at most, from one t to another. The rate goes by one over the square of
  /// the line's distance from 0, so it is largest in the middle.
  double rate_between(double from, double to) const {
    const double nearest = from > 0.5 ? from : to < 0.5 ? to : 0.5;
    const double aside = 1 - 2 * nearest;
    return rate * (middle / (middle + (1 - middle) * (aside * aside)));
  }
};

/// How far a shape reaches from the origin of its body's frame.
struct ShapeReach {
  std::int32_t body = -1;
  double core = 0;     ///< the farthest point, without the radius that rounds the shape
  double surface = 0;  ///< with it
  double turning = 0;  ///< how much its support changes per radian, at most
  double margin = 0;   ///< its own
  double size = 0;     ///< half the longest side of its bounds; infinite if it has none
};

/// A pair whose time of impact is searched.
struct ImpactSearch {
  std::int64_t row;  ///< of the caller's or of the found pairs
  Pair pair;
  double t;
  int steps;
};

/// A row of a kind's table, and the body that carries its copy.
struct CopiedRow {
  std::int32_t row;
  std::int32_t body;
};

/// The stages that answer for the copies, and what they say that `distances` does not.
template <int D, class T>
struct ImpactStages {
  Workspace<D, T> workspace;
  Column<std::int32_t, 2> parts;  ///< the triangles of A and B, if the scene has surfaces
};

template <int D, class T>
struct ImpactScratch {
  std::vector<BodyMotion<D>> bodies;
  std::vector<ShapeReach> shapes;  ///< by id
  std::vector<double> widest;      ///< by point set, the farthest vertex
  SceneRows<D, T> end_rows;        ///< the shapes at t = 1
  std::vector<ImpactSearch> searches;
  std::array<std::vector<CopiedRow>, kKindCount> rows;
  std::vector<std::int32_t> carriers;  ///< the bodies of the copies
  std::vector<double> times;           ///< of these
  SceneColumns<D, T> copies;           ///< both shapes of each pair, where they are at its t
  Column<Pair> pairs;                  ///< of copies
  DistanceBuffer<D, T> distances;
  std::vector<std::uint8_t> verdicts;  ///< of the pairs' steps
  std::unique_ptr<ImpactStages<D, T>> stages;

  std::size_t bytes() const {
    std::size_t sum =
        bodies.capacity() * sizeof(BodyMotion<D>) + shapes.capacity() * sizeof(ShapeReach) +
        (widest.capacity() + times.capacity()) * sizeof(double) + end_rows.bytes() +
        searches.capacity() * sizeof(ImpactSearch) + carriers.capacity() * sizeof(std::int32_t) +
        pairs.bytes() + verdicts.capacity() + copies.bodies.position.bytes() +
        copies.bodies.turn.bytes() + distances.distance.bytes() + distances.normal.bytes() +
        distances.point_a.bytes() + distances.point_b.bytes() + distances.feature.bytes() +
        distances.status.bytes();
    for (const auto& of_kind : rows) sum += of_kind.capacity() * sizeof(CopiedRow);
    for_each_table(copies, [&](const auto& table) {
      for_each_field(table, [&](const auto&, const auto& column) { sum += column.bytes(); });
    });
    return stages == nullptr ? sum : sum + stages->workspace.bytes() + stages->parts.bytes();
  }
};

}  // namespace widephase
