#include "geometry/triangle_mesh.hpp"

#include <array>
#include <cmath>

namespace widephase {

namespace {

constexpr std::int32_t kNone = -1;
/// Maps take less than one flip per side; the worst outlines would take the square of the number of
/// sides.
constexpr std::int64_t kMostTurnsPerSide = 16;

/// Whether d lies inside the circle through a, b, c (counter-clockwise), beyond rounding.
bool is_in_circle(Point2 a, Point2 b, Point2 c, Point2 d) {
  const Point2 p{a.x - d.x, a.y - d.y};
  const Point2 q{b.x - d.x, b.y - d.y};
  const Point2 r{c.x - d.x, c.y - d.y};
  const auto square = [](Point2 v) { return v.x * v.x + v.y * v.y; };
  const auto cross = [](Point2 v, Point2 w) { return v.x * w.y - v.y * w.x; };
  const auto cross_size = [](Point2 v, Point2 w) {
    return std::abs(v.x * w.y) + std::abs(v.y * w.x);
  };
  const double determinant =
      square(p) * cross(q, r) + square(q) * cross(r, p) + square(r) * cross(p, q);
  const double size =
      square(p) * cross_size(q, r) + square(q) * cross_size(r, p) + square(r) * cross_size(p, q);
  // Ten times the error bound, so that rounding never flips a side back and forth.
  return determinant > 1e-14 * size;
}

class Flipper {
 public:
  Flipper(const std::vector<Point2>& points, TriangleMesh& mesh) : points_(points), mesh_(mesh) {}

  void run() {
    std::vector<std::int32_t> waiting;
    for (std::int32_t h = mesh_.size() - 1; h >= 0; --h) {
      if (mesh_.twin[h] > h) waiting.push_back(h);
    }
    std::int64_t turns_left = kMostTurnsPerSide * static_cast<std::int64_t>(waiting.size());
    while (!waiting.empty() && turns_left > 0) {
      const std::int32_t half_edge = waiting.back();
      waiting.pop_back();
      if (mesh_.twin[half_edge] == kNone || !should_turn(half_edge)) continue;
      for (const std::int32_t side : turn_side(half_edge)) waiting.push_back(side);
      --turns_left;
    }
  }

 private:
  Point2 point(std::int32_t half_edge) const { return points_[mesh_.origin[half_edge]]; }

  bool should_turn(std::int32_t half_edge) const {
    const std::int32_t other = mesh_.twin[half_edge];
    const Point2 a = point(half_edge);
    const Point2 b = point(other);
    const Point2 c = point(TriangleMesh::previous(half_edge));
    const Point2 d = point(TriangleMesh::previous(other));
    return is_in_circle(a, b, c, d) && orientation(d, b, c) > 0 && orientation(c, a, d) > 0;
  }

  /// From the triangles abc and bad to adc and bcd; returns the four sides around them.
  std::array<std::int32_t, 4> turn_side(std::int32_t ab) {
    const std::int32_t ba = mesh_.twin[ab];
    const std::int32_t bc = TriangleMesh::next(ab);
    const std::int32_t ca = TriangleMesh::previous(ab);
    const std::int32_t ad = TriangleMesh::next(ba);
    const std::int32_t db = TriangleMesh::previous(ba);
    connect(ab, mesh_.twin[ad]);
    connect(ba, mesh_.twin[bc]);
    mesh_.origin[bc] = mesh_.origin[db];
    mesh_.origin[ad] = mesh_.origin[ca];
    connect(bc, ad);
    return {ab, ba, ca, db};
  }

  void connect(std::int32_t half_edge, std::int32_t other) {
    mesh_.twin[half_edge] = other;
    if (other != kNone) mesh_.twin[other] = half_edge;
  }

  const std::vector<Point2>& points_;
  TriangleMesh& mesh_;
};

}  // namespace

void make_delaunay(const std::vector<Point2>& points, TriangleMesh& mesh) {
  Flipper(points, mesh).run();
}

}  // namespace widephase
