#include "support/fast_reference3.hpp"

namespace widephase::test {

Axes3d axes_of(double x, double y, double z, double w) {
  const double s = 2 / (x * x + y * y + z * z + w * w);
  return {Vec3d{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
          Vec3d{s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
          Vec3d{s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}};
}

FastPolytope fast_polytope(const std::vector<Point<3>>& vertices) {
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

Vec3d FastShape::farthest(Vec3d n) const {
  if (kind == Kind::hull) {
    const Vec3d m = along(axes, n);
    const Vec3d* best = &hull->corners[0];
    double most = dot(*best, m);
    for (const Vec3d& corner : hull->corners) {
      const double height = dot(corner, m);
      if (height > most) best = &corner;
      most = std::max(most, height);
    }
    return center + turned(axes, *best);
  }
  if (kind == Kind::ellipsoid) {
    const Vec3d m = along(axes, n);
    const Vec3d scaled{half.x * m.x, half.y * m.y, half.z * m.z};
    const double size = length(scaled);
    if (!(size > 0)) return center;
    return center + turned(axes, {half.x * (scaled.x / size), half.y * (scaled.y / size),
                                  half.z * (scaled.z / size)});
  }
  if (kind == Kind::cone || kind == Kind::cylinder) {
    const Vec3d m = along(axes, n);
    const double lean = std::sqrt(m.x * m.x + m.y * m.y);
    const bool is_cone = kind == Kind::cone;
    const bool is_up = is_cone ? 2 * half_height * m.z > cylinder_radius * lean : m.z > 0;
    const double share = lean > 0 && !(is_cone && is_up) ? cylinder_radius / lean : 0;
    return center + turned(axes, {share * m.x, share * m.y, is_up ? half_height : -half_height});
  }
  Vec3d point = center;
  for (int i = 0; i < generator_count; ++i) {
    const Vec3d& g = generators[static_cast<std::size_t>(i)];
    point = point + (dot(n, g) < 0 ? -g : g);
  }
  return point;
}

Vec3d FastShape::nearest_round(Vec3d local) const {
  if (kind == Kind::ellipsoid) {
    const Vec3d share{half.x > 0     ? local.x / half.x
                      : local.x == 0 ? 0
                                     : 2,
                      half.y > 0     ? local.y / half.y
                      : local.y == 0 ? 0
                                     : 2,
                      half.z > 0     ? local.z / half.z
                      : local.z == 0 ? 0
                                     : 2};
    if (dot(share, share) <= 1) return local;
    const Vec<3> near = nearest_on_ellipsoid({half.x, half.y, half.z}, {local.x, local.y, local.z});
    return {static_cast<double>(near[0]), static_cast<double>(near[1]),
            static_cast<double>(near[2])};
  }
  // A triangle with its base from the axis to the rim.
  const double away = std::sqrt(local.x * local.x + local.y * local.y);
  const double r = cylinder_radius, h = 2 * half_height, up = local.z + half_height;
  if (up >= 0 && away * h + up * r <= r * h) return local;
  double rho = std::min(away, r), z = 0;
  if (up > 0 || away > r) {
    const double square = r * r + h * h;
    const double t = square > 0 ? std::clamp(((r - away) * r + up * h) / square, 0.0, 1.0) : 0;
    const double side_rho = r * (1 - t), side_z = h * t;
    if (std::hypot(away - side_rho, up - side_z) < std::hypot(away - rho, up - z)) {
      rho = side_rho;
      z = side_z;
    }
  }
  const double share = away > 0 ? rho / away : 0;
  return {share * local.x, share * local.y, z - half_height};
}

void finish(FastShape& shape) {
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
  if (shape.kind == Kind::cylinder || shape.kind == Kind::cone) {
    shape.reach = std::hypot(shape.cylinder_radius, shape.half_height);
  }
  if (shape.kind == Kind::ellipsoid) {
    shape.reach = std::max({shape.half.x, shape.half.y, shape.half.z});
  }
  if (shape.kind == Kind::hull) shape.reach = shape.hull->reach();
}

void core_polytope(const FastShape& shape, Vec3d origin, FastPolytope& result) {
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

void try_generators(const FastShape& a, const FastShape& b, LeastDepth& best) {
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

namespace {

/// Whether the normals of an edge of A meet those of an edge of B with opposite signs. The first
/// two numbers are A's face normals with B's edge, the others B's face normals with A's edge.
bool normals_cross(const FastPolytope::Edge& a, const FastPolytope::Edge& b, double left_a,
                   double right_a, double left_b, double right_b) {
  if (a.left >= 0 && left_a * right_a > 0) return false;
  if (b.left >= 0 && left_b * right_b > 0) return false;
  // The great circles cross at two points; this is the one on the same half of the sphere.
  return a.left < 0 || b.left < 0 || left_b * right_a <= 0;
}

}  // namespace

void try_polytopes(const FastPolytope& a, const FastPolytope& b, LeastDepth& best) {
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
