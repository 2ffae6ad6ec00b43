#include "reference/outline.hpp"

namespace widephase::test {

Outline outline_of(const Solid<2>& solid, const Vec<2>& origin) {
  const Vec<2> p = minus(widened(solid.p), origin);
  const Vec<2> q = minus(widened(solid.q), origin);
  Outline corners;
  const auto add = [&](const Vec<2>& corner) {
    for (const Vec<2>& known : corners) {
      if (known[0] == corner[0] && known[1] == corner[1]) return;
    }
    corners.push_back(corner);
  };
  switch (solid.kind) {
    case Kind::capsule:
      add(p);
      add(q);
      break;
    case Kind::aabb:
      for (const Vec<2>& corner : {p, Vec<2>{q[0], p[1]}, q, Vec<2>{p[0], q[1]}}) add(corner);
      break;
    case Kind::box: {
      const Real x = solid.q[0];
      const Real y = solid.q[1];
      for (const Vec<2>& v : {Vec<2>{-x, -y}, Vec<2>{x, -y}, Vec<2>{x, y}, Vec<2>{-x, y}}) {
        add(plus(p, turned_by(solid.angle, v)));
      }
      break;
    }
    case Kind::polygon:
      for (const Point<2>& v : solid.vertices) {
        corners.push_back(plus(p, turned_by(solid.angle, widened(v))));
      }
      break;
    case Kind::circle:
      add(p);
      break;
    case Kind::hull:
    case Kind::cylinder:
    case Kind::ellipsoid:
    case Kind::cone:
    case Kind::halfspace:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;  // not in 2D, or without an outline
  }
  return corners;
}

Vec<2> to_segment(const Vec<2>& point, const Vec<2>& from, const Vec<2>& to) {
  const Vec<2> along = minus(to, from);
  const Vec<2> start = minus(from, point);
  const Real along2 = dot(along, along);
  if (!(along2 > 0)) return start;
  const Real t = -dot(start, along) / along2;
  if (t <= 0) return start;
  if (t >= 1) return minus(to, point);
  return plus(start, along, t);
}

Real distance_to_sides(const Outline& outline, const Vec<2>& point) {
  Real least = length(minus(outline[0], point));
  for (std::size_t i = 0; i < outline.size(); ++i) {
    least = std::min(least, length(to_segment(point, outline[i], next_corner(outline, i))));
  }
  return least;
}

}  // namespace widephase::test
