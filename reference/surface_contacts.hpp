#pragma once

// All places where a convex shape meets a surface, triangle by triangle, by brute force.
//
// If the shape's core is apart from a triangle, the triangle's place is the nearest one. It counts
// if its direction is felt at the feature of the surface on which it lies. If the core crosses the
// triangle, the place is the shortest way out over the directions that are felt at the triangle's
// features: the normal of its face always, arcs at convex edges, cones at vertices. An edge or a
// vertex of a height field counts if the core reaches below it. An ellipsoid is a smaller core with
// a ball around it.

#include <map>
#include <memory>
#include <vector>

#include "reference/round_core.hpp"
#include "reference/surface.hpp"

namespace widephase::test {

/// The convex kinds in 3D that have an extent.
inline constexpr std::array<Kind, 8> kConvexKinds{Kind::sphere,    Kind::capsule, Kind::aabb,
                                                  Kind::box,       Kind::hull,    Kind::cylinder,
                                                  Kind::ellipsoid, Kind::cone};

struct SurfacePlace {
  std::size_t triangle = 0;  ///< index in the surface
  Vec<3> normal{};           ///< unit, away from the surface: the shape leaves along it
  Real depth = 0;            ///< with the shape's radius; below 0: apart
  Real lower = 0;        ///< no direction that is felt takes less; where the core is apart, depth
  bool crosses = false;  ///< the core crosses the triangle
  Vec<3> point{};        ///< on the surface, if the core is apart
  /// How far the direction is from being felt at the feature of `point`, as the sine of an angle:
  /// at most 0 if it is. If rounding leaves open which feature that is, the least and the largest.
  Real least_slack = 0;
  Real most_slack = 0;
};

/// A ball's centre and a feature of the surface that is a local minimum of the distance.
struct BallPlace {
  Feature feature = Feature::face;
  std::int32_t number = -1;  ///< the lowest triangle that has the feature
  Vec<3> point{};
  Real distance = 0;
  Real slack = 0;  ///< as in SurfacePlace; faces: -1
};

/// Directions that are felt at a feature of a triangle: a part of the sphere with one corner, two
/// or three.
struct FeltPart {
  std::vector<Vec<3>> feature;  ///< its corners: one, two or three
  std::vector<Vec<3>> directions;
};
std::vector<FeltPart> felt_parts(const Surface& surface, std::size_t triangle);

/// The least ways out of a shape's core, by the corners of what it leaves: triangles, and what is
/// below features. Pairs of one shape with parts of one surface share them, so that each is
/// searched once.
struct KnownWays {
  std::map<std::vector<Vec<3>>, Real,
           bool (*)(const std::vector<Vec<3>>&, const std::vector<Vec<3>>&)>
      triangles{is_before}, below{is_before};

 private:
  static bool is_before(const std::vector<Vec<3>>& left, const std::vector<Vec<3>>& right);
};

/// A shape and a surface, both relative to the shape's position.
class SurfacePair {
 public:
  /// `surface` is relative to the world's origin less the shape's position.
  SurfacePair(const Solid<3>& solid, const Surface& surface,
              std::shared_ptr<KnownWays> known = std::make_shared<KnownWays>());

  /// The translation of the shape along `n` that takes it off the triangle.
  Real way_out(std::size_t triangle, const Vec<3>& n) const;

  /// The least way out over all directions: minus the distance if the core is apart.
  Real least_core_way_out(std::size_t triangle) const;

  /// The least way out over the directions within an angle of `n`.
  Real least_within(std::size_t triangle, const Vec<3>& n, Real angle) const;

  /// The place of one triangle. `asks_crossing`: as if the core crossed it.
  SurfacePlace place(std::size_t triangle, bool asks_crossing = false) const;

  /// How far `n` is from the directions that are felt at those of the triangle's features below
  /// which the core reaches, to a length.
  Real angle_to_felt(std::size_t triangle, const Vec<3>& n, Real tolerance) const;

  /// How much less than along `n` the shape needs along a felt direction within a hundredth of a
  /// radian from it, and which: about 0 where `n` is a least way out. Only features count below
  /// which the core reaches by more than a length.
  std::pair<Real, Vec<3>> gain_nearby(std::size_t triangle, const Vec<3>& n, Real tolerance) const;

  /// How deep the core is in what is straight below a triangle, an edge or a vertex of a height
  /// field, or in that itself of another surface; negative: by how much it is apart.
  Real depth_below(const std::vector<Vec<3>>& corners) const;
  bool reaches_below(std::size_t triangle, Real tolerance) const;
  /// Whether the core reaches by more than a length below the part of a triangle that is within a
  /// distance of its farthest corner along `n`.
  bool reaches_top(std::size_t triangle, const Vec<3>& n, Real within, Real tolerance) const;

  const Surface& surface() const { return surface_; }
  /// What is around the core, an ellipsoid's ball with it.
  Real radius() const { return radius_; }
  Real size() const { return size_; }

 private:
  Real depth_in(const std::vector<Vec<3>>& corners) const;
  Real searched_depth_below(const std::vector<Vec<3>>& corners) const;
  Real least_way_out(const Polytope& other) const;
  SurfacePlace apart_place(std::size_t triangle, const Vec<3>& n, Real distance) const;
  SurfacePlace crossing_place(std::size_t triangle) const;
  /// The least way out over parts of the sphere, as `felt_parts` has them.
  SurfacePlace least_over(std::size_t triangle,
                          const std::vector<std::vector<Vec<3>>>& parts) const;

  const std::vector<FeltPart>& felt_at(std::size_t triangle) const;

  const Surface& surface_;
  mutable std::map<std::size_t, std::vector<FeltPart>> felt_;  ///< by triangle, once it was asked
  RoundCore core_;
  Real radius_;
  Real size_;
  std::shared_ptr<KnownWays> known_;
};

/// Closed forms: all features of the surface at which the distance from `center` has a local
/// minimum, or misses it by an angle whose sine is at most `slack`.
std::vector<BallPlace> ball_places(const Surface& surface, const Vec<3>& center, Real slack);

}  // namespace widephase::test
