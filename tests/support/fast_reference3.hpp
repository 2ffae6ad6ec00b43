#pragma once

// Judges a 3D answer in about a microsecond, in plain double, from both sides. It shares no code
// with the kernels, nor with reference.hpp, which takes a thousand times as long.
//
// Every direction n gives an upper bound of the depth: moving B along it by h_A(n) + h_B(-n)
// separates the shapes (h is how far a shape reaches along n). So the reported depth must be that
// of the reported normal. That it is the least is shown
//   - for cores that are apart, by the contact's own points: moved to the cores, or very near to
//     them, they are as far from each other as the depth says;
//   - for cores that overlap, by every direction that may have the least depth (a normal of their
//     difference). For segments and boxes, these are perpendicular to any two of their edges. For
//     polytopes, they are the face normals of both, and the directions perpendicular to two edges
//     whose normals cross. For cylinders see fast_cylinders3.hpp.
// An unnecessary direction only costs time and never gives a false alarm: a direction that beats
// the report is measured by the reach of both shapes before it counts.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "reference/hull_polytope.hpp"
#include "reference/round_core.hpp"
#include "reference/vec3d.hpp"

namespace widephase::test {

using Axes3d = std::array<Vec3d, 3>;
inline Vec3d turned(const Axes3d& axes, Vec3d v) {
  return v.x * axes[0] + (v.y * axes[1] + v.z * axes[2]);
}
inline Vec3d along(const Axes3d& axes, Vec3d v) {
  return {dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)};
}
/// The axes rotated by a quaternion x, y, z, w of any length but 0.
Axes3d axes_of(double x, double y, double z, double w);

/// The corners, faces and edges of a convex polytope; it has fewer faces if it is flat.
struct FastPolytope {
  struct Face {
    Vec3d normal;
    double offset;
  };
  struct Edge {
    Vec3d point;
    Vec3d direction;  ///< along left's normal x right's normal
    int left, right;  ///< faces; -1 for a segment, which has all normals around it
  };
  std::vector<Vec3d> corners;
  std::vector<Face> faces;
  std::vector<Edge> edges;

  double support(Vec3d n) const {
    double most = dot(corners[0], n);
    for (const Vec3d& corner : corners) most = std::max(most, dot(corner, n));
    return most;
  }
  double reach() const {
    double most = 0;
    for (const Vec3d& corner : corners) most = std::max(most, length(corner));
    return most;
  }
  /// Rotates, then moves the polytope into `result`, which keeps its memory.
  void place(const Axes3d& axes, Vec3d center, FastPolytope& result) const {
    result.corners.clear();
    result.faces.clear();
    result.edges.clear();
    for (const Vec3d& corner : corners) result.corners.push_back(center + turned(axes, corner));
    for (const Face& face : faces) {
      const Vec3d normal = turned(axes, face.normal);
      result.faces.push_back({normal, face.offset + dot(normal, center)});
    }
    for (const Edge& edge : edges) {
      result.edges.push_back(
          {center + turned(axes, edge.point), turned(axes, edge.direction), edge.left, edge.right});
    }
  }
};

/// The hull of `vertices`, each of which must be a vertex of it.
FastPolytope fast_polytope(const std::vector<Point<3>>& vertices);

/// A shape as the judge sees it: a radius around a core. The core is centred at `center`. It is a
/// polytope, a cylinder, a cone, an ellipsoid, or the sum of up to three segments (`generators` has
/// half of each).
struct FastShape {
  Kind kind = Kind::sphere;
  Vec3d center;  ///< for a halfspace, the unit normal
  Axes3d axes{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
  Vec3d half;         ///< of a box, aabb or ellipsoid; a capsule has `generators[0]`
  double radius = 0;  ///< of the rounding
  double offset = 0;  ///< of a halfspace
  double cylinder_radius = 0, half_height = 0;  ///< of a cylinder or cone
  const FastPolytope* hull = nullptr;  ///< in its own frame
  std::array<Vec3d, 3> generators;
  int generator_count = 0;
  double reach = 0;  ///< how far the core reaches from its centre

  /// The support of the core relative to `origin`.
  double support(Vec3d n, Vec3d origin) const {
    const double middle = dot(n, center - origin);
    if (kind == Kind::hull) return middle + hull->support(along(axes, n));
    if (kind == Kind::cylinder) return middle + around(n);
    if (kind == Kind::ellipsoid || kind == Kind::cone) return dot(n, farthest(n) - origin);
    double sum = middle;
    for (int i = 0; i < generator_count; ++i) {
      sum += std::abs(dot(n, generators[static_cast<std::size_t>(i)]));
    }
    return sum;
  }
  /// The support of a cylinder relative to its centre.
  double around(Vec3d n) const {
    const double x = dot(n, axes[0]), y = dot(n, axes[1]);
    return cylinder_radius * std::sqrt(x * x + y * y) + half_height * std::abs(dot(n, axes[2]));
  }
  /// The farthest point of the core along `n`, for all kinds except the halfspace.
  Vec3d farthest(Vec3d n) const;
  /// The nearest point of the core. For a hull it is approximate, for points close to the hull.
  Vec3d nearest(Vec3d point) const {
    Vec3d local = along(axes, point - center);
    if (kind == Kind::sphere) return center;
    if (kind == Kind::capsule) {
      const double square = dot(generators[0], generators[0]);
      const double share = square > 0 ? dot(generators[0], point - center) / square : 0;
      return center + std::clamp(share, -1.0, 1.0) * generators[0];
    }
    if (kind == Kind::ellipsoid || kind == Kind::cone) {
      local = nearest_round(local);
    } else if (kind == Kind::cylinder) {
      const double away = std::sqrt(local.x * local.x + local.y * local.y);
      const double share = away > cylinder_radius ? cylinder_radius / away : 1;
      local = {share * local.x, share * local.y, std::clamp(local.z, -half_height, half_height)};
    } else if (kind == Kind::hull) {
      // Repeatedly project to the plane of the face that it is farthest above.
      for (int i = 0; i < 30; ++i) {
        double most = 0;
        Vec3d normal;
        for (const auto& face : hull->faces) {
          const double above = dot(face.normal, local) - face.offset;
          if (!(above > most)) continue;
          most = above;
          normal = face.normal;
        }
        if (!(most > 1e-15 * reach)) break;
        local = local - most * normal;
      }
    } else {
      local = {std::clamp(local.x, -half.x, half.x), std::clamp(local.y, -half.y, half.y),
               std::clamp(local.z, -half.z, half.z)};
    }
    return center + turned(axes, local);
  }

 private:
  Vec3d nearest_round(Vec3d local) const;
};

/// Computes `generators` and `reach` from the other members.
void finish(FastShape& shape);

/// The core as a polytope relative to `origin`, for all kinds except cylinder and halfspace.
void core_polytope(const FastShape& shape, Vec3d origin, FastPolytope& result);

/// The least depth of the directions tried, each measured by the reach of both cores.
class LeastDepth {
 public:
  LeastDepth(const FastShape& a, const FastShape& b) : a_(a), b_(b) {}
  double least() const { return least_; }
  Vec3d normal() const { return normal_; }

  double along(Vec3d n) const { return a_.support(n, a_.center) + b_.support(-n, a_.center); }
  /// `n` has unit length.
  void consider(Vec3d n) {
    const double depth = along(n);
    if (!(depth < least_)) return;
    least_ = depth;
    normal_ = n;
  }
  /// The same if the depth is known to be at least `bound`.
  void consider(Vec3d n, double bound) {
    if (bound < least_) consider(n);
  }

 private:
  const FastShape& a_;
  const FastShape& b_;
  double least_ = std::numeric_limits<double>::infinity();
  Vec3d normal_;
};

/// Sums of segments: the directions perpendicular to every two of them.
void try_generators(const FastShape& a, const FastShape& b, LeastDepth& best);

/// Polytopes: the faces of both, and every two edges.
void try_polytopes(const FastPolytope& a, const FastPolytope& b, LeastDepth& best);

}  // namespace widephase::test
