#include "pipeline/robots/node_convex.hpp"

#include <algorithm>
#include <cmath>

#include "pipeline/robots/convex_core.hpp"

namespace widephase {

namespace {

using Vector = std::array<double, 3>;

void set_axes(const Frame& frame, NodeConvex& convex) {
  convex.center = frame.position;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t j = 0; j < 3; ++j) {
      convex.core.axis[k][j] = static_cast<float>(frame.column[k][j]);
    }
  }
}
void set_box(const Frame& frame, const Vector& half, NodeConvex& convex) {
  convex.core.core = CheckCore::box;
  set_axes(frame, convex);
  for (std::size_t k = 0; k < 3; ++k) convex.core.size[k] = static_cast<float>(half[k]);
  convex.reach = length(convex.center) + length(half);
}
void set_cylinder(const Frame& frame, double radius, double half, NodeConvex& convex) {
  convex.core.core = CheckCore::cylinder;
  set_axes(frame, convex);
  convex.core.size[0] = static_cast<float>(radius);
  convex.core.size[2] = static_cast<float>(half);
  convex.reach = length(convex.center) + std::hypot(radius, half);
}
/// A hull in a body whose frame is `body`.
void set_hull(const SceneColumns<3, double>& shapes, std::size_t row, const Frame& body,
              const std::vector<Ball>& balls, std::vector<float>& to, NodeConvex& convex) {
  const Frame frame = body.times(pose_of(shapes.hulls, row));
  const auto& sets = shapes.geometries;
  const auto set = static_cast<std::size_t>(shapes.hulls.geometry[row]);
  std::vector<Vector> vertices;
  Vector low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300}, mean{};
  const auto begin = static_cast<std::size_t>(sets.offsets[set]);
  const auto end = static_cast<std::size_t>(sets.offsets[set + 1]);
  for (std::size_t v = begin; v < end; ++v) {
    vertices.push_back(frame.placed(sets.vertices.row(v)));
    const Vector& vertex = vertices.back();
    mean = plus(mean, 1 / static_cast<double>(end - begin), vertex);
    convex.reach = std::max(convex.reach, length(vertex));
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], vertex[k]);
      high[k] = std::max(high[k], vertex[k]);
    }
  }
  if (vertices.size() > kMostConvexVertices) {
    const Vector half = plus(plus({}, 0.5, high), -0.5, low);
    Frame box;
    box.position = plus(low, 1, half);
    set_box(box, half, convex);
    convex.is_exact = false;
    return;
  }
  convex.core.core = CheckCore::hull;
  convex.center = mean;
  for (Vector& vertex : vertices) vertex = plus(vertex, -1, mean);
  append_vertices(vertices, to, convex.core.first_vertex, convex.core.vertex_count);
  convex.inside = mean;
  const double rounding = rounding_of(shapes.hulls.radius, row);
  for (const Ball& ball : balls) {
    const double inner = ball.least - rounding;
    if (!(inner > static_cast<double>(convex.core.inner))) continue;
    convex.core.inner = static_cast<float>(inner);
    convex.inside = body.placed(ball.center);
  }
}

}  // namespace

NodeConvex convex_of(const SceneColumns<3, double>& shapes, Kind kind, std::size_t row,
                     const Frame& frame, double margin, const std::vector<Ball>& balls,
                     std::vector<float>& vertices) {
  NodeConvex convex;
  convex.ball_count = balls.size();
  convex.core.core = CheckCore::point;
  switch (kind) {
    case Kind::sphere:
      convex.center = frame.placed(shapes.spheres.center.row(row));
      convex.radius = shapes.spheres.radius[row];
      convex.reach = length(convex.center);
      break;
    case Kind::capsule: {
      convex.center = frame.placed(shapes.capsules.a.row(row));
      const Vector end = frame.placed(shapes.capsules.b.row(row));
      const Vector along = plus(end, -1, convex.center);
      for (std::size_t k = 0; k < 3; ++k) {
        convex.core.axis[0][k] = static_cast<float>(along[k]);
      }
      convex.core.core = CheckCore::segment;
      convex.radius = shapes.capsules.radius[row];
      convex.reach = length(convex.center) + length(along);
      break;
    }
    case Kind::aabb: {
      const Vector low = shapes.aabbs.min.row(row), high = shapes.aabbs.max.row(row);
      const Vector half = plus(plus({}, 0.5, high), -0.5, low);
      Frame middle;
      middle.position = plus(low, 1, half);
      set_box(frame.times(middle), half, convex);
      break;
    }
    case Kind::box:
      set_box(frame.times(pose_of(shapes.boxes, row)), shapes.boxes.half_extents.row(row), convex);
      convex.radius = rounding_of(shapes.boxes.radius, row);
      break;
    case Kind::cylinder:
      set_cylinder(frame.times(pose_of(shapes.cylinders, row)), shapes.cylinders.radius[row],
                   shapes.cylinders.half_height[row], convex);
      convex.radius = rounding_of(shapes.cylinders.rounding, row);
      break;
    case Kind::ellipsoid:
      set_box(frame.times(pose_of(shapes.ellipsoids, row)), shapes.ellipsoids.half_extents.row(row),
              convex);
      convex.radius = rounding_of(shapes.ellipsoids.rounding, row);
      convex.is_exact = false;
      break;
    case Kind::cone:
      set_cylinder(frame.times(pose_of(shapes.cones, row)), shapes.cones.radius[row],
                   shapes.cones.half_height[row], convex);
      convex.radius = rounding_of(shapes.cones.rounding, row);
      convex.is_exact = false;
      break;
    case Kind::hull:
      set_hull(shapes, row, frame, balls, vertices, convex);
      convex.radius = rounding_of(shapes.hulls.radius, row);
      break;
    case Kind::polygon:
    case Kind::halfspace:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;
  }
  convex.radius += margin;
  return convex;
}

}  // namespace widephase
