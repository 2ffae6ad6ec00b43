#pragma once

// Judges a 3D answer in about a microsecond, in plain double, from both sides; shares nothing with
// the kernels, nor with reference.hpp, which takes a thousand times as long.
//
// Every direction n bounds the depth from above: moving B along it by h_A(n) + h_B(-n) parts the
// shapes (h: the farthest a shape reaches along n). So the reported normal must take the reported
// depth. That nothing less will do is shown
//   - of cores that are apart: by the contact's own points, which are in the cores, or nearly:
//   moved
//     there, they are as far from each other as the depth says;
//   - of cores that overlap: by every direction that may have the least depth (a normal of their
//     difference). Of segments and boxes: across any two of their edges. Of polytopes: the faces of
//     either, and across two edges whose normals cross. With a cylinder: see there.
// A direction that is tried in vain costs strength and never alarms falsely: whatever beats the
// report is measured by the reach of both shapes before it counts.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "support/hull_polytope.hpp"

namespace widephase::test {

struct Vec3d {
  double x = 0, y = 0, z = 0;

  friend Vec3d operator+(Vec3d u, Vec3d v) { return {u.x + v.x, u.y + v.y, u.z + v.z}; }
  friend Vec3d operator-(Vec3d u, Vec3d v) { return {u.x - v.x, u.y - v.y, u.z - v.z}; }
  friend Vec3d operator-(Vec3d u) { return {-u.x, -u.y, -u.z}; }
  friend Vec3d operator*(double s, Vec3d u) { return {s * u.x, s * u.y, s * u.z}; }
};
inline double dot(Vec3d u, Vec3d v) { return u.x * v.x + u.y * v.y + u.z * v.z; }
inline double length(Vec3d u) { return std::sqrt(dot(u, u)); }
inline Vec3d cross(Vec3d u, Vec3d v) {
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}
using Axes3d = std::array<Vec3d, 3>;
inline Vec3d turned(const Axes3d& axes, Vec3d v) {
  return v.x * axes[0] + (v.y * axes[1] + v.z * axes[2]);
}
inline Vec3d along(const Axes3d& axes, Vec3d v) {
  return {dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)};
}
/// Of a quaternion x, y, z, w of any length but 0.
inline Axes3d axes_of(double x, double y, double z, double w) {
  const double s = 2 / (x * x + y * y + z * z + w * w);
  return {Vec3d{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
          Vec3d{s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
          Vec3d{s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}};
}

/// Corners, faces and edges of a convex polytope; fewer faces where it is flat.
struct FastPolytope {
  struct Face {
    Vec3d normal;
    double offset;
  };
  struct Edge {
    Vec3d point;
    Vec3d direction;  ///< along left's normal x right's
    int left, right;  ///< faces; -1 of a segment, about which every normal is one
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
  /// The same turned and then moved, into `result`, which keeps its memory.
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

/// The hull of `vertices`, all of which are corners of it.
inline FastPolytope fast_polytope(const std::vector<Point<3>>& vertices) {
  std::vector<Vec<3>> corners;
  for (const Point<3>& vertex : vertices) corners.push_back(widened(vertex));
  const Polytope exact = exhausted_hull(corners);
  const auto narrow = [](const Vec<3>& v) {
    return Vec3d{static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
  };
  FastPolytope result;
  for (const Vec<3>& corner : exact.corners) result.corners.push_back(narrow(corner));
  std::map<std::pair<std::size_t, std::size_t>, int> face_of;
  for (const PolytopeFace& face : exact.faces) {
    const auto row = static_cast<int>(result.faces.size());
    result.faces.push_back({narrow(face.normal), static_cast<double>(exact.support(face.normal))});
    for (std::size_t i = 0; i < face.corners.size(); ++i) {
      face_of[{face.corners[i], face.corners[(i + 1) % face.corners.size()]}] = row;
    }
  }
  for (const PolytopeEdge& edge : exact.edges) {
    const auto left = face_of.find({edge.from, edge.to}),
               right = face_of.find({edge.to, edge.from});
    if (left == face_of.end() || right == face_of.end()) continue;
    const Vec<3> across = cross(exact.faces[static_cast<std::size_t>(left->second)].normal,
                                exact.faces[static_cast<std::size_t>(right->second)].normal);
    const Vec3d direction = narrow(edge.direction);
    result.edges.push_back({result.corners[edge.from],
                            dot(across, edge.direction) < 0 ? -direction : direction, left->second,
                            right->second});
  }
  return result;
}

/// A shape as the judge sees it: a core about `center`, which is the sum of up to three segments
/// (`generators`, half of each), a polytope or a cylinder, and a radius.
struct FastShape {
  Kind kind = Kind::sphere;
  Vec3d center;  ///< a halfspace's normal, of unit length
  Axes3d axes{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
  Vec3d half;         ///< a box's, an aabb's; a capsule's is `generators[0]`
  double radius = 0;  ///< the rounding's
  double offset = 0;  ///< a halfspace's
  double cylinder_radius = 0, half_height = 0;
  const FastPolytope* hull = nullptr;  ///< in its own frame
  std::array<Vec3d, 3> generators;
  int generator_count = 0;
  double reach = 0;  ///< of the core, from its centre

  /// Of the core, which is moved so that `origin` is at 0.
  double support(Vec3d n, Vec3d origin) const {
    const double middle = dot(n, center - origin);
    if (kind == Kind::hull) return middle + hull->support(along(axes, n));
    if (kind == Kind::cylinder) return middle + around(n);
    double sum = middle;
    for (int i = 0; i < generator_count; ++i) {
      sum += std::abs(dot(n, generators[static_cast<std::size_t>(i)]));
    }
    return sum;
  }
  /// A cylinder's reach from its centre.
  double around(Vec3d n) const {
    const double x = dot(n, axes[0]), y = dot(n, axes[1]);
    return cylinder_radius * std::sqrt(x * x + y * y) + half_height * std::abs(dot(n, axes[2]));
  }
  /// The nearest point of the core; of a hull one that is nearly so, for points close to it.
  Vec3d nearest(Vec3d point) const {
    Vec3d local = along(axes, point - center);
    if (kind == Kind::sphere) return center;
    if (kind == Kind::capsule) {
      const double square = dot(generators[0], generators[0]);
      const double share = square > 0 ? dot(generators[0], point - center) / square : 0;
      return center + std::clamp(share, -1.0, 1.0) * generators[0];
    }
    if (kind == Kind::cylinder) {
      const double away = std::sqrt(local.x * local.x + local.y * local.y);
      const double share = away > cylinder_radius ? cylinder_radius / away : 1;
      local = {share * local.x, share * local.y, std::clamp(local.z, -half_height, half_height)};
    } else if (kind == Kind::hull) {
      // Back behind the face that it is farthest above, again and again.
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
};

/// Sets `generators` and `reach` from the rest.
inline void finish(FastShape& shape) {
  if (shape.kind == Kind::aabb || shape.kind == Kind::box) {
    shape.generators = {shape.half.x * shape.axes[0], shape.half.y * shape.axes[1],
                        shape.half.z * shape.axes[2]};
    shape.generator_count = 3;
    shape.reach = length(shape.half);
  }
  if (shape.kind == Kind::capsule) {
    shape.generator_count = 1;
    shape.reach = length(shape.generators[0]);
  }
  if (shape.kind == Kind::cylinder)
    shape.reach = std::hypot(shape.cylinder_radius, shape.half_height);
  if (shape.kind == Kind::hull) shape.reach = shape.hull->reach();
}

/// The core of any kind but cylinder and halfspace as a polytope, `origin` at 0.
inline void core_polytope(const FastShape& shape, Vec3d origin, FastPolytope& result) {
  const Vec3d center = shape.center - origin;
  if (shape.kind == Kind::hull) return shape.hull->place(shape.axes, center, result);
  result.corners.assign(1, center);
  result.faces.clear();
  result.edges.clear();
  if (shape.generator_count == 1) {
    const Vec3d g = shape.generators[0];
    result.corners = {center - g, center + g};
    const double size = length(g);
    if (size > 0) result.edges.push_back({center, 1 / size * g, -1, -1});
  }
  if (shape.generator_count != 3) return;
  const auto& g = shape.generators;
  result.corners.clear();
  for (int i = 0; i < 8; ++i) {
    result.corners.push_back(center + ((i & 1) != 0 ? g[0] : -g[0]) +
                             ((i & 2) != 0 ? g[1] : -g[1]) + ((i & 4) != 0 ? g[2] : -g[2]));
  }
  const std::array<double, 3> half{shape.half.x, shape.half.y, shape.half.z};
  for (std::size_t k = 0; k < 3; ++k) {
    const double middle = dot(shape.axes[k], center);
    result.faces.push_back({-shape.axes[k], half[k] - middle});
    result.faces.push_back({shape.axes[k], half[k] + middle});
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    for (int side = 0; side < 4; ++side) {
      const bool up_i = (side & 1) != 0, up_j = (side & 2) != 0;
      const Vec3d point = center + (up_i ? g[i] : -g[i]) + (up_j ? g[j] : -g[j]);
      // axes[i] x axes[j] = axes[k].
      result.edges.push_back({point, up_i == up_j ? shape.axes[k] : -shape.axes[k],
                              static_cast<int>(2 * i) + (up_i ? 1 : 0),
                              static_cast<int>(2 * j) + (up_j ? 1 : 0)});
    }
  }
}

/// The least of what was tried, each by the reach of both cores.
class LeastDepth {
 public:
  LeastDepth(const FastShape& a, const FastShape& b) : a_(a), b_(b) {}
  double least() const { return least_; }
  Vec3d normal() const { return normal_; }

  double along(Vec3d n) const { return a_.support(n, a_.center) + b_.support(-n, a_.center); }
  /// `n` of unit length.
  void consider(Vec3d n) {
    const double depth = along(n);
    if (!(depth < least_)) return;
    least_ = depth;
    normal_ = n;
  }
  /// The same where the depth is known to be no less than `bound`.
  void consider(Vec3d n, double bound) {
    if (bound < least_) consider(n);
  }

 private:
  const FastShape& a_;
  const FastShape& b_;
  double least_ = std::numeric_limits<double>::infinity();
  Vec3d normal_;
};

/// Sums of segments: across every two of them.
inline void try_generators(const FastShape& a, const FastShape& b, LeastDepth& best) {
  std::array<Vec3d, 6> all;
  std::size_t count = 0;
  for (const FastShape* shape : {&a, &b}) {
    for (int i = 0; i < shape->generator_count; ++i) {
      all[count++] = shape->generators[static_cast<std::size_t>(i)];
    }
  }
  const Vec3d apart = b.center - a.center;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const Vec3d n = cross(all[i], all[j]);
      const double square = dot(n, n);
      if (!(square > 0)) continue;
      double depth = -std::abs(dot(n, apart));
      for (std::size_t k = 0; k < count; ++k) depth += std::abs(dot(n, all[k]));
      const double size = std::sqrt(square);
      best.consider((dot(n, apart) < 0 ? -1 : 1) / size * n, depth / size);
    }
  }
}

/// Whether the normals of an edge of A meet those of one of B, turned round: `dots_a` are of A's
/// face normals with B's edge, `dots_b` the other way round.
inline bool normals_cross(const FastPolytope::Edge& a, const FastPolytope::Edge& b, double left_a,
                          double right_a, double left_b, double right_b) {
  if (a.left >= 0 && left_a * right_a > 0) return false;
  if (b.left >= 0 && left_b * right_b > 0) return false;
  // On the same half of the sphere: of the two crossings of the great circles.
  return a.left < 0 || b.left < 0 || left_b * right_a <= 0;
}

/// Polytopes: the faces of both, and two edges.
inline void try_polytopes(const FastPolytope& a, const FastPolytope& b, LeastDepth& best) {
  for (const auto& face : a.faces) {
    double deepest = dot(-face.normal, b.corners[0]);
    for (const Vec3d& corner : b.corners) deepest = std::max(deepest, -dot(face.normal, corner));
    best.consider(face.normal, face.offset + deepest);
  }
  for (const auto& face : b.faces) {
    double deepest = -dot(face.normal, a.corners[0]);
    for (const Vec3d& corner : a.corners) deepest = std::max(deepest, -dot(face.normal, corner));
    best.consider(-face.normal, face.offset + deepest);
  }
  static thread_local std::vector<double> dots;
  for (const auto& edge_a : a.edges) {
    dots.clear();
    for (const auto& face : b.faces) dots.push_back(dot(face.normal, edge_a.direction));
    for (const auto& edge_b : b.edges) {
      double left_a = 0, right_a = 0, left_b = 0, right_b = 0;
      if (edge_b.left >= 0) {
        left_b = dots[static_cast<std::size_t>(edge_b.left)];
        right_b = dots[static_cast<std::size_t>(edge_b.right)];
        if (left_b * right_b > 0) continue;
      }
      Vec3d outwards;
      if (edge_a.left >= 0) {
        const Vec3d left = a.faces[static_cast<std::size_t>(edge_a.left)].normal;
        const Vec3d right = a.faces[static_cast<std::size_t>(edge_a.right)].normal;
        left_a = dot(left, edge_b.direction);
        right_a = dot(right, edge_b.direction);
        outwards = left + right;
      } else if (edge_b.left >= 0) {
        outwards = -(b.faces[static_cast<std::size_t>(edge_b.left)].normal +
                     b.faces[static_cast<std::size_t>(edge_b.right)].normal);
      } else {
        outwards = edge_b.point - edge_a.point;
      }
      if (!normals_cross(edge_a, edge_b, left_a, right_a, left_b, right_b)) continue;
      Vec3d n = cross(edge_a.direction, edge_b.direction);
      const double size = length(n);
      if (!(size > 0)) continue;
      n = (dot(n, outwards) < 0 ? -1 : 1) / size * n;
      best.consider(n, dot(n, edge_a.point - edge_b.point));
    }
  }
}

}  // namespace widephase::test
