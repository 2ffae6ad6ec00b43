#pragma once

#include <cstdint>
#include <vector>

#include <widephase/decompose.hpp>

#include "geometry/orientation.hpp"
#include "geometry/triangle_mesh.hpp"

namespace widephase {

/// Joins triangles into convex parts: a side between two of them is removed if the rest stays
/// convex, after Hertel and Mehlhorn (1983). In any order this gives at most four times the fewest
/// parts possible (except for straight sides and the limit of vertices). Sides that divide no
/// reflex angle are removed first. Sides that divide two come last, since they may serve both.
/// Measured: 1.3 to 1.4 times the fewest that reflex angles and holes allow on coastlines, up to
/// 2.4 on right-angled outlines.
class ConvexParts {
 public:
  ConvexParts(const std::vector<Point2>& points, TriangleMesh mesh);
  void join();
  void append_to(GeometryTable<Owned<2, double>>& parts, DecomposeReport& report) const;

 private:
  using HalfEdge = std::int32_t;
  static constexpr std::int32_t kNone = -1;

  HalfEdge half_edge_count() const { return static_cast<HalfEdge>(origin_.size()); }
  int turn(HalfEdge a, HalfEdge b, HalfEdge c) const;
  bool is_inner(HalfEdge half_edge) const { return twin_[half_edge] != kNone; }
  HalfEdge end(HalfEdge half_edge) const { return next_[half_edge]; }
  std::vector<HalfEdge> removal_order() const;
  std::vector<bool> reflex_origins() const;
  std::int32_t part_of(HalfEdge half_edge);
  /// What a part's boundary does at a point after the side that ends there is removed.
  enum class Bend { corner, straight_inside, straight_outside, reflex };
  Bend bend_without(HalfEdge before, HalfEdge after) const;
  /// A straight side between parts leaves the point to the parts behind it, which can no longer be
  /// joined there. So this is for when nothing else is left to join.
  void join_across(HalfEdge half_edge, bool may_straighten);
  bool is_corner(HalfEdge half_edge) const;
  void append_part(HalfEdge first, GeometryTable<Owned<2, double>>& parts) const;

  const std::vector<Point2>& points_;
  std::vector<std::int32_t> origin_;  ///< by half-edge: the point where it begins
  std::vector<HalfEdge> twin_;        ///< the other side's; -1 on the outline
  std::vector<HalfEdge> next_;
  std::vector<HalfEdge> previous_;
  std::vector<bool> is_removed_;
  std::vector<std::int32_t> parent_;   ///< by triangle: the part that it went into
  std::vector<std::int32_t> corners_;  ///< by part: its corners
};

}  // namespace widephase
