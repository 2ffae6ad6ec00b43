#include "support/placed_outlines.hpp"

namespace widephase::test {

CutOutline cut_in_float(std::string name, Rings rings) {
  for (auto& ring : rings) {
    for (Point2& point : ring) {
      const volatile float x = static_cast<float>(point.x), y = static_cast<float>(point.y);
      point = {x, y};
    }
  }
  CutOutline cut{std::move(name), std::move(rings), {}, {}};
  cut.report = decompose(OutlineColumns(cut.rings).span(), cut.parts);
  return cut;
}

namespace {

Real distance_to_rings(const PlacedOutline& outline, const Vec<2>& point) {
  Real least = std::numeric_limits<Real>::max();
  for (const BoundedOutline& ring : outline.rings) {
    if (!ring.corners.empty()) least = std::min(least, distance_to_sides(ring.corners, point));
  }
  return least;
}

}  // namespace

bool is_in_rings(const PlacedOutline& outline, const Vec<2>& point) {
  bool is_odd = false;
  for (const BoundedOutline& ring : outline.rings) {
    for (std::size_t i = 0; i < ring.corners.size(); ++i) {
      const Vec<2>& a = ring.corners[i];
      const Vec<2>& b = next_corner(ring.corners, i);
      if ((a[1] > point[1]) == (b[1] > point[1])) continue;
      is_odd ^= (cross(minus(b, a), minus(point, a)) > 0) == (b[1] > a[1]);
    }
  }
  return is_odd;
}

Meeting meeting_of(const PlacedOutline& a, const PlacedOutline& b, Real tolerance) {
  bool is_near = false;
  for (const BoundedOutline& ring_a : a.rings) {
    for (const BoundedOutline& ring_b : b.rings) {
      if (!ring_a.is_within(ring_b, tolerance)) continue;
      for (std::size_t i = 0; i < ring_a.corners.size(); ++i) {
        const Vec<2>& p = ring_a.corners[i];
        const Vec<2>& q = next_corner(ring_a.corners, i);
        BoundedOutline side;
        side.add(p);
        side.add(q);
        if (!side.is_within(ring_b, tolerance)) continue;
        for (std::size_t j = 0; j < ring_b.corners.size(); ++j) {
          const Vec<2>& r = ring_b.corners[j];
          const Vec<2>& s = next_corner(ring_b.corners, j);
          bool is_beside = false;
          for (int k = 0; k < 2; ++k) {
            is_beside = is_beside || std::max(p[k], q[k]) + tolerance < std::min(r[k], s[k]) ||
                        std::max(r[k], s[k]) + tolerance < std::min(p[k], q[k]);
          }
          if (is_beside) continue;
          const Real least =
              std::min(std::min(length(to_segment(p, r, s)), length(to_segment(q, r, s))),
                       std::min(length(to_segment(r, p, q)), length(to_segment(s, p, q))));
          if (least <= tolerance) {
            is_near = true;
            continue;
          }
          const Vec<2> pq = minus(q, p), rs = minus(s, r);
          const bool is_crossing = (cross(pq, minus(r, p)) > 0) != (cross(pq, minus(s, p)) > 0) &&
                                   (cross(rs, minus(p, r)) > 0) != (cross(rs, minus(q, r)) > 0);
          if (is_crossing) return Meeting::together;
        }
      }
    }
  }
  const auto is_deep = [&](const Vec<2>& point) {
    return is_in_rings(a, point) && is_in_rings(b, point) &&
           (!is_near ||
            (distance_to_rings(a, point) > tolerance && distance_to_rings(b, point) > tolerance));
  };
  // Rings that do not cross are inside or outside as a whole, so one vertex of each is enough.
  for (const PlacedOutline* own : {&a, &b}) {
    const PlacedOutline& other = own == &a ? b : a;
    for (const BoundedOutline& ring : own->rings) {
      for (const Vec<2>& corner : ring.corners) {
        const bool is_inside = is_in_rings(other, corner);
        if (!is_near && is_inside) return Meeting::together;
        if (!is_near) break;
        // If a corner is deep inside the other outline, so is some of its own solid.
        if (is_inside && distance_to_rings(other, corner) > 2 * tolerance) return Meeting::together;
      }
    }
    if (!is_near) continue;
    for (const PlacedPart& part : own->parts) {
      Vec<2> middle{0, 0};
      for (const Vec<2>& corner : part.corners) {
        middle = plus(middle, corner, 1 / static_cast<Real>(part.corners.size()));
      }
      if (is_deep(middle)) return Meeting::together;
    }
  }
  return is_near ? Meeting::unclear : Meeting::apart;
}

}  // namespace widephase::test
