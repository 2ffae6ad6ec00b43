#include "reference/polytope.hpp"

namespace widephase::test {

namespace {

/// The box around `center` with half extents `half` along `axes`. If some of these are 0, it
/// becomes a rectangle, a segment or a point.
Polytope box_polytope(const Vec<3>& center, const std::array<Vec<3>, 3>& axes, const Vec<3>& half) {
  Polytope result;
  std::vector<std::size_t> spans;  // the axes with an extent
  for (std::size_t k = 0; k < 3; ++k) {
    if (half[static_cast<int>(k)] > 0) spans.push_back(k);
  }
  const auto reach = [&](std::size_t i) { return half[static_cast<int>(spans[i])]; };
  // Bit i of a corner's index: whether it is on the upper side of spans[i].
  const std::size_t corner_count = std::size_t{1} << spans.size();
  for (std::size_t corner = 0; corner < corner_count; ++corner) {
    Vec<3> offset{};
    for (std::size_t i = 0; i < spans.size(); ++i) {
      offset = plus(offset, axes[spans[i]], (corner >> i & 1) != 0 ? reach(i) : -reach(i));
    }
    result.corners.push_back(plus(center, offset));
  }
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const Vec<3>& along = axes[spans[i]];
    result.directions.push_back(along);
    for (std::size_t corner = 0; corner < corner_count; ++corner) {
      if ((corner >> i & 1) == 0) result.edges.push_back({corner, corner | 1u << i, along});
    }
  }
  // A face spans all axes but one. A box has two faces per missing axis, a flat box one.
  for (std::size_t missing = 0; missing < 3 && spans.size() >= 2; ++missing) {
    const bool is_flat = spans.size() == 2;
    if (is_flat && half[static_cast<int>(missing)] > 0) continue;
    std::size_t others[2];  // indices into `spans`
    std::size_t count = 0;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (spans[i] != missing) others[count++] = i;
    }
    const std::size_t x = std::size_t{1} << others[0];
    const std::size_t y = std::size_t{1} << others[1];
    const Vec<3>& u = axes[spans[others[0]]];
    const Vec<3>& v = axes[spans[others[1]]];
    // x cross y is the missing axis, or its opposite if the missing axis is y.
    const Real sign = missing == 1 ? -1 : 1;
    result.normals.push_back(axes[missing]);
    for (const bool is_upper : {false, true}) {
      if (is_flat && is_upper) continue;
      const std::size_t base = is_upper ? corner_count - 1 - x - y : 0;
      PolytopeFace face{
          times(axes[missing], sign), {base, base + x, base + x + y, base + y}, {u, v, {}, {}}};
      face.along[2] = times(u, -1);
      face.along[3] = times(v, -1);
      if (!is_flat && is_upper != (sign > 0)) {
        face.normal = times(face.normal, -1);
        std::reverse(face.corners.begin(), face.corners.end());
        // In reverse from the last corner: back along v, back along u, and so on.
        face.along = {u, times(v, -1), times(u, -1), v};
      }
      result.faces.push_back(face);
    }
  }
  return result;
}

}  // namespace

Polytope polytope_of(const Solid<3>& solid, const Vec<3>& origin) {
  constexpr std::array<Vec<3>, 3> kAxes{Vec<3>{1, 0, 0}, Vec<3>{0, 1, 0}, Vec<3>{0, 0, 1}};
  const Vec<3> p = minus(widened(solid.p), origin);
  const Vec<3> q = minus(widened(solid.q), origin);
  if (solid.kind == Kind::box) {
    return box_polytope(p, axes_of(solid.orientation), widened(solid.q));
  }
  if (solid.kind == Kind::hull) {
    return placed(hull_polytope(solid.vertices), p, axes_of(solid.orientation));
  }
  if (solid.kind == Kind::aabb) {
    const Vec<3> half = times(minus(widened(solid.q), widened(solid.p)), 0.5L);
    return box_polytope(plus(p, half), kAxes, half);
  }
  Polytope result;
  result.corners.push_back(p);
  const Vec<3> along = minus(widened(solid.q), widened(solid.p));
  if (solid.kind == Kind::capsule && length(along) > 0) {
    result.corners.push_back(q);
    result.directions.push_back(times(along, 1 / length(along)));
    result.edges.push_back({0, 1, result.directions[0]});
  }
  return result;
}

Vec<3> nearest_on_edge(const Polytope& polytope, const PolytopeEdge& edge, const Vec<3>& point) {
  const Vec<3>& from = polytope.corners[edge.from];
  const Vec<3>& to = polytope.corners[edge.to];
  const Real t = dot(minus(point, from), edge.direction);
  if (t <= 0) return from;
  if (t >= length(minus(to, from))) return to;
  return plus(from, edge.direction, t);
}

Real distance_to_surface(const Polytope& polytope, const Vec<3>& point) {
  Real least = length(minus(polytope.corners[0], point));
  for_each_near(polytope, point,
                [&](const Vec<3>& near) { least = std::min(least, length(minus(near, point))); });
  return least;
}

}  // namespace widephase::test
