#include "reference/round_core.hpp"

#include "reference/direction_search.hpp"

namespace widephase::test {

namespace {

Vec<3> unit(const Vec<3>& v) { return times(v, 1 / length(v)); }

/// Two unit vectors perpendicular to `n` and to each other.
std::array<Vec<3>, 2> tangents(const Vec<3>& n) {
  int least = 0;
  for (int k = 1; k < 3; ++k) least = std::abs(n[k]) < std::abs(n[least]) ? k : least;
  Vec<3> axis{};
  axis[least] = 1;
  const Vec<3> u = unit(cross(n, axis));
  return {u, cross(n, u)};
}

/// The same core in double, all lengths over `scale`.
class NarrowCore {
 public:
  NarrowCore(const RoundCore& core, Real scale)
      : kind_(core.kind),
        center_(narrow(times(core.center, 1 / scale))),
        axes_{narrow(core.axes[0]), narrow(core.axes[1]), narrow(core.axes[2])},
        half_(narrow(times(core.half, 1 / scale))),
        radius_(static_cast<double>(core.radius / scale)) {
    for (const Vec<3>& corner : core.polytope.corners) {
      corners_.push_back(narrow(times(corner, 1 / scale)));
    }
  }

  /// As `RoundCore::point`.
  Vec3d point(Vec3d n) const {
    if (!corners_.empty()) {
      return *std::ranges::max_element(corners_, {}, [&](Vec3d corner) { return dot(corner, n); });
    }
    const Vec3d m{dot(axes_[0], n), dot(axes_[1], n), dot(axes_[2], n)};
    Vec3d local;
    if (kind_ == Kind::ellipsoid) {
      const Vec3d scaled{half_.x * m.x, half_.y * m.y, half_.z * m.z};
      const double reach = length(scaled);
      if (!(reach > 0)) return center_;
      local = {half_.x * (scaled.x / reach), half_.y * (scaled.y / reach),
               half_.z * (scaled.z / reach)};
    } else {
      const double lean = std::sqrt(m.x * m.x + m.y * m.y);
      const bool is_up = kind_ == Kind::cone ? 2 * half_.z * m.z > radius_ * lean : m.z > 0;
      const double share = lean > 0 && !(kind_ == Kind::cone && is_up) ? radius_ / lean : 0;
      local = {share * m.x, share * m.y, is_up ? half_.z : -half_.z};
    }
    return center_ + (local.x * axes_[0] + (local.y * axes_[1] + local.z * axes_[2]));
  }

 private:
  static Vec3d narrow(const Vec<3>& v) {
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
  }
  Kind kind_;
  Vec3d center_;
  std::array<Vec3d, 3> axes_;
  Vec3d half_;
  double radius_;
  std::vector<Vec3d> corners_;
};

}  // namespace

RoundCore round_core(const Solid<3>& solid, const Vec<3>& origin) {
  RoundCore core;
  core.kind = solid.kind;
  core.center = minus(widened(solid.p), origin);
  if (is_round(solid.kind)) {
    core.axes = axes_of(solid.orientation);
    core.half = widened(solid.q);
    core.radius = solid.size;
  } else {
    core.polytope = polytope_of(solid, origin);
  }
  return core;
}

RoundCore rolled_core(const Solid<3>& solid, const Vec<3>& origin) {
  RoundCore core = round_core(solid, origin);
  if (core.kind != Kind::ellipsoid) return core;
  const auto [least, most] = std::minmax({core.half[0], core.half[1], core.half[2]});
  if (most > 0) core.ball = least / most * least;
  return core;
}

Vec<3> RoundCore::point(const Vec<3>& n) const {
  if (has_corners()) {
    std::size_t best = 0;
    Real most = dot(polytope.corners[0], n);
    for (std::size_t i = 1; i < polytope.corners.size(); ++i) {
      const Real height = dot(polytope.corners[i], n);
      if (height > most) best = i;
      most = std::max(most, height);
    }
    return polytope.corners[best];
  }
  const Vec<3> m = local(n);
  Vec<3> result{};
  if (kind == Kind::ellipsoid) {
    const Vec<3> scaled{half[0] * m[0], half[1] * m[1], half[2] * m[2]};
    const Real reach = length(scaled);
    for (int k = 0; k < 3 && reach > 0; ++k) {
      result[k] = half[k] * (scaled[k] / reach) - ball * (m[k] / length(m));
    }
  } else {
    const Real lean = std::sqrt(m[0] * m[0] + m[1] * m[1]);
    const bool is_up =
        kind == Kind::cone ? half[2] * m[2] > radius * lean - half[2] * m[2] : m[2] > 0;
    result[2] = is_up ? half[2] : -half[2];
    if (lean > 0 && !(kind == Kind::cone && is_up)) {
      result[0] = radius * m[0] / lean;
      result[1] = radius * m[1] / lean;
    }
  }
  return plus(center, turned(result));
}

Real RoundCore::bend(const Vec<3>& n, const Vec<3>& u, const Vec<3>& v) const {
  if (has_corners()) return 0;
  const Vec<3> m = local(n), p = local(u), q = local(v);
  if (kind == Kind::ellipsoid) {
    Vec<3> em, ep, eq;
    for (int k = 0; k < 3; ++k) {
      em[k] = half[k] * m[k];
      ep[k] = half[k] * p[k];
      eq[k] = half[k] * q[k];
    }
    const Real reach = length(em);
    if (!(reach > 0)) return 0;
    return (dot(ep, eq) - dot(ep, em) / reach * (dot(eq, em) / reach)) / reach - ball * dot(p, q);
  }
  const Real lean = std::sqrt(m[0] * m[0] + m[1] * m[1]);
  if (!(lean > 0) || (kind == Kind::cone && 2 * half[2] * m[2] > radius * lean)) return 0;
  const Real along_p = (m[0] * p[1] - m[1] * p[0]) / lean;
  const Real along_q = (m[0] * q[1] - m[1] * q[0]) / lean;
  return radius / lean * along_p * along_q;
}

void RoundCore::kinks(const Vec<3>& n, Real slack, std::vector<LineCircle>& circles,
                      std::vector<Vec<3>>& normals) const {
  const auto add_circle = [&](const Vec<3>& axis, Real level) {
    if (std::abs(dot(n, axis) - level) <= slack) circles.push_back({axis, level});
  };
  if (has_corners()) {
    Real reach = 0;
    for (const Vec<3>& corner : polytope.corners) {
      reach = std::max(reach, length(minus(corner, polytope.corners[0])));
    }
    const Real least = polytope.support(n) - slack * reach;
    for (const PolytopeEdge& edge : polytope.edges) {
      if (dot(polytope.corners[edge.from], n) < least) continue;
      if (dot(polytope.corners[edge.to], n) < least) continue;
      add_circle(edge.direction, 0);
    }
    for (const PolytopeFace& face : polytope.faces) {
      if (std::abs(dot(face.normal, n)) < 1 - slack) continue;
      normals.push_back(face.normal);
      normals.push_back(times(face.normal, -1));  // a flat core's other side
    }
    return;
  }
  for (const Vec<3>& axis : axes) {
    normals.push_back(axis);
    normals.push_back(times(axis, -1));
  }
  if (kind == Kind::ellipsoid) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int i = (static_cast<int>(k) + 1) % 3, j = (static_cast<int>(k) + 2) % 3;
      if (half[i] == 0 && half[j] == 0) add_circle(axes[k], 0);  // a segment
    }
    return;
  }
  if (kind == Kind::cylinder) return add_circle(axes[2], 0);
  const Real side = std::hypot(radius, 2 * half[2]);
  if (side > 0) add_circle(axes[2], radius / side);
  if (radius == 0) add_circle(axes[2], 0);
}

Vec<3> nearest_on_ellipsoid(const Vec<3>& half, const Vec<3>& local) {
  // The gradient of the surface at x leads to the point: y - x = t (x / e^2), so
  // x = e^2 y / (t + e^2), where the sum of (e y / (t + e^2))^2 is 1. It falls as t rises from
  // minus the least e^2 on. s = t + that has no cancellation.
  Vec<3> y;
  for (int k = 0; k < 3; ++k) y[k] = std::abs(local[k]);
  int thin = 0;
  for (int k = 1; k < 3; ++k) thin = half[k] < half[thin] ? k : thin;
  const Real e0 = half[thin];
  const auto point_at = [&](Real s) {
    Vec<3> share{};
    for (int k = 0; k < 3; ++k) {
      const Real below = s + (half[k] - e0) * (half[k] + e0);
      if (half[k] * y[k] > 0) share[k] = below > 0 ? half[k] * y[k] / below : 1e300L;
    }
    return share;
  };
  // The thinnest axis alone reaches 1 at s = e y; all together before the root of their squares.
  Real low = e0 * y[thin], high = 0;
  for (int k = 0; k < 3; ++k) high = std::hypot(high, half[k] * y[k]);
  Vec<3> share = point_at(low);
  if (length(share) > 1) {
    for (int round = 0; round < 200; ++round) {
      // Halved by ratio while they are far apart.
      const Real middle = low > 0 && high > 4 * low            ? std::sqrt(low) * std::sqrt(high)
                          : low == 0 && high > 0 && round < 60 ? high * 1e-3L
                                                               : (low + high) / 2;
      if (!(middle > low && middle < high)) break;
      (length(point_at(middle)) > 1 ? low : high) = middle;
    }
    share = point_at(high);
  } else {
    // The point is on or next to the plane of the two longer axes, in the middle.
    Real rest = 1;
    for (int k = 0; k < 3; ++k) rest -= k == thin ? 0 : share[k] * share[k];
    share[thin] = std::sqrt(std::max<Real>(rest, 0));
  }
  Vec<3> result;
  for (int k = 0; k < 3; ++k) result[k] = std::copysign(half[k] * share[k], local[k]);
  return result;
}

Real distance_to_ellipsoid(const Vec<3>& half, const Vec<3>& local) {
  return length(minus(local, nearest_on_ellipsoid(half, local)));
}

Vec<3> nearest_on_cone(Real half_height, Real radius, const Vec<3>& local) {
  const Real rho = std::hypot(local[0], local[1]), z = local[2];
  Real nearest = std::min(rho, radius), height = -half_height;
  const Real base = std::hypot(rho - nearest, z + half_height);
  // The side from the rim to the apex.
  const Real side2 = radius * radius + 4 * half_height * half_height;
  if (side2 > 0) {
    const Real t = std::clamp<Real>(
        ((radius - rho) * radius + (z + half_height) * 2 * half_height) / side2, 0, 1);
    const Real at = radius * (1 - t), up = half_height * (2 * t - 1);
    if (std::hypot(rho - at, z - up) < base) nearest = at, height = up;
  }
  const Real share = rho > 0 ? nearest / rho : 0;
  return {rho > 0 ? local[0] * share : nearest, local[1] * share, height};
}

Real distance_to_cone(Real half_height, Real radius, const Vec<3>& local) {
  return length(minus(local, nearest_on_cone(half_height, radius, local)));
}

RoundPair::RoundPair(const Solid<3>& solid_a, const Solid<3>& solid_b)
    : a(round_core(solid_a, widened(solid_a.p))), b(round_core(solid_b, widened(solid_a.p))) {}

Vec<3> RoundPair::settled_on_circle(const LineCircle& circle, const Vec<3>& n) const {
  const Real across = std::sqrt(std::max<Real>(1 - circle.level * circle.level, 0));
  const Vec<3> out = plus(n, circle.axis, -dot(n, circle.axis));
  if (!(length(out) > 0) || !(across > 0)) return circle.axis;
  const Vec<3> u = unit(out), w = cross(circle.axis, u);
  // At an angle from u, given by its cosine and sine.
  struct Turn {
    Real c, s;
  };
  const auto turn_by = [](Real angle) { return Turn{std::cos(angle), std::sin(angle)}; };
  const auto along = [&](const Turn& t) {
    return plus(times(circle.axis, circle.level), plus(times(u, t.c), w, t.s), across);
  };
  const auto slope = [&](const Turn& t) {
    return dot(point(along(t)), plus(times(w, t.c), u, -t.s));
  };
  // Downhill by growing steps until it rises, then by halves.
  const Real sign = slope({1, 0}) > 0 ? -1 : 1;
  Real low = 0, high = 1e-9L;
  while (high < 4 && sign * slope(turn_by(sign * high)) < 0) {
    low = high;
    high *= 3;
  }
  while (high - low > 1) {
    const Real middle = (low + high) / 2;
    (sign * slope(turn_by(sign * middle)) < 0 ? low : high) = middle;
  }
  Turn from = turn_by(sign * low), to = turn_by(sign * high);
  const auto between = [&] {
    const Turn sum{from.c + to.c, from.s + to.s};
    const Real size = std::hypot(sum.c, sum.s);
    return Turn{sum.c / size, sum.s / size};
  };
  for (Real arc = high - low; arc > 1e-20L; arc /= 2) {
    const Turn middle = between();
    (sign * slope(middle) < 0 ? from : to) = middle;
  }
  return unit(along(between()));
}

Vec<3> RoundPair::settled(Vec<3> n) const {
  Real here = support(n);
  int idle = 0;  // steps that lower it no more
  for (int round = 0; round < 60 && idle < 3; ++round) {
    const auto t = tangents(n);
    const Vec<3> z = point(n), back = times(n, -1);
    const auto bend = [&](std::size_t i, std::size_t j) {
      return a.bend(n, t[i], t[j]) + b.bend(back, t[i], t[j]) - (i == j ? here : 0);
    };
    const Real g0 = dot(z, t[0]), g1 = dot(z, t[1]);
    const Real h00 = bend(0, 0), h01 = bend(0, 1), h11 = bend(1, 1);
    // Along each principal axis the step that would make the slope 0, always downhill.
    const Real middle = (h00 + h11) / 2, half = std::hypot((h00 - h11) / 2, h01);
    const Real turn = std::atan2(h01, (h00 - h11) / 2) / 2;
    const Real c = std::cos(turn), s = std::sin(turn);
    const Real steep = std::abs(middle) + half;
    if (!(steep > 0)) return n;
    const Real small = (h00 * h11 - h01 * h01) / (middle + std::copysign(half, middle));
    const Real first = middle >= 0 ? middle + half : small;
    const Real second = middle >= 0 ? small : middle - half;
    const auto pace = [&](Real curve) { return 1 / std::max(std::abs(curve), 1e-16L * steep); };
    const Real along = -(c * g0 + s * g1) * pace(first);
    const Real aside = -(c * g1 - s * g0) * pace(second);
    const Real s0 = c * along - s * aside, s1 = s * along + c * aside;
    const Real stride = std::hypot(s0, s1);
    if (!(stride > 1e-19L)) return n;
    Real share = std::min<Real>(1, 0.3L / stride);
    bool was_taken = false;
    for (int halving = 0; halving < 40 && !was_taken; ++halving, share /= 2) {
      const Vec<3> next = unit(plus(plus(n, t[0], share * s0), t[1], share * s1));
      const Real there = support(next);
      // Changes in the last steps are below rounding.
      was_taken = there < here || (halving == 0 && stride < 1e-7L);
      if (!was_taken) continue;
      if (!(there < here)) ++idle;
      n = next;
      here = there;
    }
    if (!was_taken) return n;
  }
  return n;
}

namespace {

/// Up to four points of a convex body.
struct Simplex {
  std::array<Vec<3>, 4> points;
  std::size_t count = 0;
};

/// The point of a simplex that is nearest to the origin. Drops the corners that it does not need;
/// four are left if the origin is inside.
Vec<3> reduce_to_nearest(Simplex& simplex) {
  Simplex best;
  Vec<3> nearest{};
  const auto consider = [&](const Simplex& part, const std::array<Real, 3>& weights) {
    Real sum = 0;
    for (std::size_t i = 0; i < part.count; ++i) {
      if (!(weights[i] > 0)) return;
      sum += weights[i];
    }
    Vec<3> at{};
    for (std::size_t i = 0; i < part.count; ++i) at = plus(at, part.points[i], weights[i] / sum);
    if (best.count > 0 && !(dot(at, at) < dot(nearest, nearest))) return;
    best = part;
    nearest = at;
  };
  for (unsigned subset = 1; subset < 1u << simplex.count; ++subset) {
    Simplex part;
    for (std::size_t i = 0; i < simplex.count; ++i) {
      if ((subset >> i & 1) != 0) part.points[part.count++] = simplex.points[i];
    }
    const auto& [a, b, c, d] = part.points;
    if (part.count == 1) consider(part, {1});
    if (part.count == 2) consider(part, {dot(b, minus(b, a)), dot(a, minus(a, b))});
    if (part.count == 3) {
      const Vec<3> n = cross(minus(b, a), minus(c, a));
      consider(part, {dot(cross(b, c), n), dot(cross(c, a), n), dot(cross(a, b), n)});
    }
    if (part.count == 4) {
      const Real whole = dot(cross(minus(b, a), minus(c, a)), minus(d, a));
      const std::array<Real, 4> shares{dot(cross(b, c), d), -dot(cross(a, c), d),
                                       dot(cross(a, b), d), -dot(cross(a, b), c)};
      if (std::ranges::all_of(shares, [&](Real share) { return share * whole > 0; })) return {};
    }
  }
  simplex = best;
  return nearest;
}

}  // namespace

std::optional<Real> RoundPair::least_if_apart(Real size) const {
  // Gilbert, Johnson and Keerthi 1988. Every point of A - B bounds the distance from above, every
  // direction from below.
  Simplex simplex;
  Vec<3> nearest = point({1, 0, 0});
  simplex.points[simplex.count++] = nearest;
  Real least = std::numeric_limits<Real>::infinity();
  for (int round = 0; round < 100; ++round) {
    const Real distance = length(nearest);
    if (!(distance > 1e-9L * size) || simplex.count == 4) return {};
    const Vec<3> n = times(nearest, -1 / distance);
    const Vec<3> at = point(n);
    least = std::min(least, dot(at, n));
    if (distance + least <= 1e-16L * size) return least;
    simplex.points[simplex.count++] = at;
    nearest = reduce_to_nearest(simplex);
  }
  return {};
}

RoundPair::Least RoundPair::least(Real size) const {
  DirectionSearch search;
  // In the pair's size, so that no search depends on the unit.
  const Real scale = size > 0 ? size : 1;
  const NarrowCore narrow_a(a, scale), narrow_b(b, scale);
  search.run([&](Vec3d n) { return narrow_a.point(n) - narrow_b.point(-n); }, 4, 1e-13,
             {.most = 1500});
  Least result;
  result.lower = search.lower() * scale;
  auto& found = result.directions;
  const auto consider = [&](const Vec<3>& n) {
    if (!(length(n) > 0)) return;
    const Vec<3> one = unit(n);
    found.emplace_back(support(one), one);
  };
  std::vector<LineCircle> circles;
  std::vector<Vec<3>> normals;
  // Where a circle of A's, one of the first, crosses one of B's.
  const auto consider_crossings = [&](std::size_t of_a) {
    for (std::size_t i = 0; i < of_a; ++i) {
      for (std::size_t j = of_a; j < circles.size(); ++j) {
        // n = x u + y v + z w, with w = u x v.
        const LineCircle &p = circles[i], &q = circles[j];
        const Vec<3> w = cross_of_units(p.axis, q.axis);
        const Real w2 = dot(w, w), k = dot(p.axis, q.axis);
        if (!(w2 > 0)) continue;
        const Real x = (p.level - k * q.level) / w2, y = (q.level - k * p.level) / w2;
        const Real rest = 1 - (p.level * x + q.level * y);
        if (!(rest >= 0)) continue;
        const Real z = std::sqrt(rest / w2);
        const Vec<3> flat = plus(times(p.axis, x), q.axis, y);
        consider(plus(flat, w, z));
        consider(plus(flat, w, -z));
      }
    }
  };
  const auto starts = search.open_directions(search.is_proven() ? 1 : 24);
  for (const Vec3d& start : starts) {
    const Vec<3> n = unit({start.x, start.y, start.z});
    constexpr Real kSlack = 1e-2L;
    circles.clear();
    normals.clear();
    consider(n);
    a.kinks(n, kSlack, circles, normals);
    const std::size_t of_a = circles.size(), normals_of_a = normals.size();
    b.kinks(times(n, -1), kSlack, circles, normals);
    for (std::size_t i = of_a; i < circles.size(); ++i) circles[i].level = -circles[i].level;
    for (std::size_t i = normals_of_a; i < normals.size(); ++i) normals[i] = times(normals[i], -1);
    for (const Vec<3>& normal : normals) consider(normal);
    for (const LineCircle& circle : circles) {
      consider(settled_on_circle(circle, n));
    }
    consider_crossings(of_a);
    consider(settled(n));
  }
  const auto sort = [&] {
    std::sort(found.begin(), found.end(),
              [](const auto& u, const auto& v) { return u.first < v.first; });
  };
  sort();
  if (!search.is_proven()) {
    // Nearly equal directions lie along a valley about an axis, which bends away from the straight
    // way that Newton's steps take. So it also walks around the axes.
    std::vector<Vec<3>> low;
    for (const auto& [depth, n] : found) {
      const auto is_near = [&](const Vec<3>& known) { return length(minus(known, n)) < 0.1L; };
      if (low.size() < 4 && std::ranges::none_of(low, is_near)) low.push_back(n);
    }
    for (Vec<3> n : low) {
      Real before = 0;
      for (int round = 0; round < 3; ++round) {
        const Real here = support(n);
        if (round > 0 && !(here < before - 1e-18L * size)) break;
        before = here;
        for (const RoundCore* core : {&a, &b}) {
          for (const Vec<3>& axis : core->axes) {
            const Vec<3> around = settled(settled_on_circle({axis, dot(n, axis)}, n));
            if (support(around) < support(n)) n = around;
          }
        }
      }
      consider(n);
    }
    sort();
  }
  // Directions that are as short if there is a symmetry: those of all faces among them.
  const Vec<3> best = found[0].second;
  constexpr Real kAnySlack = 4;
  circles.clear();
  normals.clear();
  a.kinks(best, kAnySlack, circles, normals);
  for (const Vec<3>& normal : normals) consider(normal);
  normals.clear();
  const std::size_t of_a = circles.size();
  b.kinks(times(best, -1), kAnySlack, circles, normals);
  for (const Vec<3>& normal : normals) consider(times(normal, -1));
  for (std::size_t i = of_a; i < circles.size(); ++i) circles[i].level = -circles[i].level;
  consider_crossings(of_a);
  for (const RoundCore* core : {&a, &b}) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec<3>& u = core->axes[k];
      const Vec<3> w = cross(u, best);
      const Vec<3> along = times(u, dot(best, u)), across = minus(best, along);
      consider(plus(across, along, -1));
      consider(plus(along, across, -1));
      consider(plus(plus(along, across, std::cos(0.5L)), w, std::sin(0.5L)));
    }
  }
  consider(times(best, -1));
  sort();
  return result;
}

}  // namespace widephase::test
