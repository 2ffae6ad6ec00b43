#include "pipeline/robots/enclosing_balls.hpp"

#include <algorithm>
#include <limits>

#include "geometry/find_hull.hpp"

namespace widephase {

namespace {

using Vector = std::array<double, 3>;

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Unit vectors along a way and across it.
std::array<Vector, 3> axes_along(const Vector& way) {
  const Vector first = plus({}, 1 / length(way), way);
  std::size_t least = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (std::abs(first[k]) < std::abs(first[least])) least = k;
  }
  Vector across{};
  across[least] = 1;
  across = cross(first, across);
  across = plus({}, 1 / length(across), across);
  return {first, across, cross(first, across)};
}

/// A box along some axes.
struct Box {
  Vector low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  void add(const Vector& point, const std::array<Vector, 3>& axes) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], dot(point, axes[k]));
      high[k] = std::max(high[k], dot(point, axes[k]));
    }
  }
  Vector middle(const std::array<Vector, 3>& axes) const {
    Vector sum{};
    for (std::size_t k = 0; k < 3; ++k) sum = plus(sum, 0.5 * low[k] + 0.5 * high[k], axes[k]);
    return sum;
  }
};

/// How far a place inside of a hull is from its faces at least; far below 0 for one that is not
/// surely inside.
template <class Corner>
double inner_radius(const Vector& place, const TriangleMesh& mesh, const Corner& corner,
                    double size) {
  constexpr double kLeastSine = 1e-6, kShare = 1e-9;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t edge = 0; edge < mesh.origin.size(); edge += 3) {
    const Vector a = corner(edge);
    const Vector u = plus(corner(edge + 1), -1, a), v = plus(corner(edge + 2), -1, a);
    const Vector normal = cross(u, v);
    const double area = length(normal);
    if (!(area > kLeastSine * std::max(dot(u, u), dot(v, v)))) return -1e30;
    least = std::min(least, dot(plus(a, -1, place), normal) / area);
  }
  // Outside an edge or a corner may be farther away than all planes of faces.
  least -= kShare * (size + length(place));
  return least > 0 ? least : -1e30;
}

}  // namespace

Ball enclosing(const std::vector<Ball>& balls) {
  Vector center{};
  for (const Ball& ball : balls) {
    center = plus(center, 1.0 / static_cast<double>(balls.size()), ball.center);
  }
  const auto farthest = [&] {
    std::pair<double, std::size_t> most{-1, 0};
    for (std::size_t i = 0; i < balls.size(); ++i) {
      const double far = length(plus(balls[i].center, -1, center)) + balls[i].most;
      if (far > most.first) most = {far, i};
    }
    return most;
  };
  for (int step = 1; balls.size() > 1 && step <= 500; ++step) {
    const Vector way = plus(balls[farthest().second].center, -1, center);
    center = plus(center, 1.0 / (step + 1), way);
  }
  return {center, -1e30, farthest().first * (1 + 1e-12)};
}

std::vector<Ball> balls_of_hull(const std::vector<Vector>& vertices, int most) {
  HullPoints points;
  HullVertices found;
  std::vector<Ball> corners;
  for (const Vector& vertex : vertices) corners.push_back({vertex, 0, 0});
  if (find_hull(vertices, std::numeric_limits<double>::epsilon(), points, found)) {
    return {enclosing(corners)};
  }
  Vector way{};
  for (const Vector& a : vertices) {
    for (const Vector& b : vertices) {
      const Vector between = plus(b, -1, a);
      if (dot(between, between) > dot(way, way)) way = between;
    }
  }
  way = plus({}, 1 / length(way), way);
  const std::array<Vector, 3> axes = axes_along(way);
  const auto corner = [&](std::size_t edge) {
    const auto point = static_cast<std::size_t>(found.mesh.origin[edge]);
    return vertices[points.rows[point]];
  };
  Box whole;
  for (const Vector& vertex : vertices) whole.add(vertex, axes);
  const double far = whole.high[0] - whole.low[0];
  const double radius =
      0.5 * std::hypot(whole.high[1] - whole.low[1], whole.high[2] - whole.low[2]);
  const double wanted = std::ceil(far / (0.6 * radius));
  const int count = wanted < most ? static_cast<int>(std::max(wanted, 1.0)) : most;
  std::vector<Ball> balls;
  for (int i = 0; i < count; ++i) {
    const double low = whole.low[0] + far * i / count;
    const double high = i + 1 == count ? whole.high[0] : whole.low[0] + far * (i + 1) / count;
    std::vector<Vector> slice;
    for (std::size_t edge = 0; edge < found.mesh.origin.size(); ++edge) {
      const Vector from = corner(edge);
      const Vector to = corner(edge % 3 == 2 ? edge - 2 : edge + 1);
      const double start = dot(from, axes[0]), stop = dot(to, axes[0]);
      if (start >= low && start <= high) slice.push_back(from);
      for (const double plane : {low, high}) {
        if ((start < plane) == (stop < plane)) continue;
        slice.push_back(plus(from, (plane - start) / (stop - start), plus(to, -1, from)));
      }
    }
    Box box;
    for (const Vector& point : slice) box.add(point, axes);
    Ball ball{box.middle(axes), inner_radius(box.middle(axes), found.mesh, corner, far), 0};
    for (const Vector& point : slice) {
      ball.most = std::max(ball.most, length(plus(point, -1, ball.center)));
    }
    ball.most += 1e-12 * (far + length(ball.center));
    balls.push_back(ball);
  }
  return balls;
}

}  // namespace widephase
