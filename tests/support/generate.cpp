#include "support/generate.hpp"

namespace widephase::test {

template <int D>
Solid<D> random_solid(Random& random, Kind kind, const Point<D>& center, double size) {
  Point<D> p = center;
  Point<D> q = center;
  if (kind == Kind::sphere) return ball<D>(center, size * random.uniform(0.2, 1));
  if constexpr (D == 2) {
    if (kind == Kind::box) return random_box(random, center, size);
    if (kind == Kind::polygon) return random_polygon(random, center, size);
  } else {
    if (kind == Kind::box) return random_box3(random, center, size);
    if (kind == Kind::hull) return random_hull(random, center, size);
    if (kind == Kind::cylinder) return random_cylinder(random, center, size);
    if (kind == Kind::ellipsoid) return random_ellipsoid(random, center, size);
    if (kind == Kind::cone) return random_cone(random, center, size);
  }
  if (kind == Kind::halfspace) {
    const Point<D> normal = random.direction<D>();
    double offset = size * random.uniform(-1, 1);
    for (int k = 0; k < D; ++k) offset += normal[k] * center[k];
    return halfspace<D>(normal, offset);
  }
  for (int k = 0; k < D; ++k) {
    const double half = size * random.uniform(0.05, 1);
    const bool is_turned = kind == Kind::capsule && random.chance(0.5);
    p[k] += is_turned ? half : -half;
    q[k] -= is_turned ? half : -half;
  }
  if (kind == Kind::aabb) return aabb<D>(p, q);
  return capsule<D>(p, q, size * random.uniform(0, 0.6));
}

template <int D>
Solid<D> snapped(Solid<D> solid) {
  const auto snap = [](double& value) { value = std::round(value * 4) / 4; };
  for (double& value : solid.p) snap(value);
  for (double& value : solid.q) snap(value);
  snap(solid.size);
  snap(solid.rounding);
  solid.angle = std::round(solid.angle / kEighthTurn) * kEighthTurn;
  if constexpr (D == 3) solid.orientation = snapped(solid.orientation);
  std::vector<Point<D>> vertices = solid.vertices;
  for (Point<D>& v : vertices) {
    for (double& value : v) snap(value);
  }
  if (!vertices.empty()) solid.vertices = usable(vertices, solid.vertices);
  return solid;
}

template <int D>
std::vector<SolidPair<D>> random_pairs(Kind a, Kind b, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<SolidPair<D>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const Point<D> center = random.point<D>(-2, 2);
    Point<D> other = random.point<D>(-2, 2);
    for (int k = 0; k < D; ++k) other[k] += center[k];
    pairs.push_back({random_solid<D>(random, a, center, 1), random_solid<D>(random, b, other, 1)});
  }
  return pairs;
}

std::vector<SolidPair<2>> pairs_of_many_corners(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  const auto outline = [&] {
    const int corners = random.chance(0.2) ? random.integer(3, 8) : random.integer(9, 64);
    const double size = random.chance(0.5) ? 1 : random.uniform(0.5, 2);
    const std::vector<Point<2>> round = regular(corners, size);
    const double flat = random.chance(0.5) ? 1 : std::pow(10, random.uniform(-2, 0));
    std::vector<Point<2>> vertices;
    for (const Point<2>& v : round) vertices.push_back(scaled_by(v, 1, flat));
    return polygon({0, 0}, random_angle(random), usable(vertices, round),
                   random.chance(0.7) ? 0 : random.uniform(0, 0.5));
  };
  std::vector<SolidPair<2>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    SolidPair<2> pair{outline(), outline()};
    if (random.chance(0.4)) {
      pair.b = pair.a;
      const auto corners = static_cast<double>(pair.b.vertices.size());
      if (random.chance(0.7)) pair.b.angle += 8 * kEighthTurn * random.integer(0, 63) / corners;
      if (random.chance(0.3)) pair.b.angle += std::pow(10, random.uniform(-16, -1));
    }
    const Point<2> direction = random.chance(0.3) ? Point<2>{1, 0} : random.direction<2>();
    double apart = random.uniform(0, 4);
    if (random.chance(0.4)) apart = random.integer(0, 2);
    if (random.chance(0.1)) apart = std::pow(10, random.uniform(-16, -1));
    pair.b.p = {direction[0] * apart, direction[1] * apart};
    pairs.push_back(pair);
  }
  return pairs;
}

template <int D>
std::vector<SolidPair<D>> sized_pairs(Kind a, Kind b, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<SolidPair<D>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const double size_a = std::pow(10, random.uniform(-3, 4));
    const double size_b = std::pow(10, random.uniform(-3, 4));
    const Point<D> center = random.point<D>(-1, 1);
    Point<D> other = random.direction<D>();
    for (int k = 0; k < D; ++k) {
      other[k] = center[k] + other[k] * random.uniform(0, 1.3) * (size_a + size_b);
    }
    pairs.push_back(
        {random_solid<D>(random, a, center, size_a), random_solid<D>(random, b, other, size_b)});
  }
  return pairs;
}

template <int D>
Solid<D> grid_solid(Random& random, Kind kind) {
  const auto coordinate = [&] { return random.integer(-4, 4) * 0.25; };
  Point<D> p;
  Point<D> q;
  for (int k = 0; k < D; ++k) {
    p[k] = coordinate();
    q[k] = random.chance(0.4) ? p[k] : coordinate();
  }
  if constexpr (D == 2) {
    if (kind == Kind::box) return grid_box(random, p);
    if (kind == Kind::polygon) return grid_polygon(random, p);
  } else {
    if (kind == Kind::box) return grid_box3(random, p);
    if (kind == Kind::hull) return grid_hull(random, p);
    if (kind == Kind::cylinder) return grid_cylinder(random, p);
    if (kind == Kind::ellipsoid) return grid_ellipsoid(random, p);
    if (kind == Kind::cone) return grid_cone(random, p);
  }
  const double radius = random.integer(0, 3) * 0.25;
  if (kind == Kind::sphere) return ball<D>(p, radius);
  if (kind == Kind::capsule) return capsule<D>(p, q, radius);
  if (kind == Kind::aabb) {
    for (int k = 0; k < D; ++k) {
      if (p[k] > q[k]) std::swap(p[k], q[k]);
    }
    return aabb<D>(p, q);
  }
  Point<D> normal{};
  const int axis = random.integer(0, D - 1);
  const double sign = random.chance(0.5) ? 1 : -1;
  if (random.chance(0.5)) {
    normal[axis] = sign;
  } else {
    normal[axis] = sign * 0.6;
    normal[(axis + 1) % D] = 0.8;
  }
  return halfspace<D>(normal, coordinate());
}

template <int D>
std::vector<SolidPair<D>> grid_pairs(Kind a, Kind b, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<SolidPair<D>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    pairs.push_back({grid_solid<D>(random, a), grid_solid<D>(random, b)});
  }
  return pairs;
}

template <int D>
std::vector<SolidPair<D>> near_grid_pairs(Kind a, Kind b, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  const auto shake = [&](Solid<D>& solid) {
    if (solid.kind == Kind::halfspace) {
      solid.size += std::pow(10, random.uniform(-9, -2)) * random.uniform(-1, 1);
      return;
    }
    if constexpr (D == 2) {
      if (solid.kind == Kind::box || solid.kind == Kind::polygon) {
        return shake_turned(random, solid);
      }
    } else {
      if (solid.kind == Kind::box) return shake_box3(random, solid);
      if (solid.kind == Kind::hull) return shake_hull(random, solid);
      if (solid.kind == Kind::cylinder) return shake_cylinder(random, solid);
      if (is_searched(solid.kind)) return shake_round(random, solid);
    }
    for (int k = 0; k < D; ++k) {
      const double amount = std::pow(10, random.uniform(-9, -2));
      if (random.chance(0.5)) solid.p[k] += amount * random.uniform(-1, 1);
      if (random.chance(0.5)) solid.q[k] += amount * random.uniform(-1, 1);
      if (solid.kind == Kind::aabb && solid.p[k] > solid.q[k]) std::swap(solid.p[k], solid.q[k]);
    }
  };
  std::vector<SolidPair<D>> pairs = grid_pairs<D>(a, b, count, seed ^ 0x6e656172);
  for (SolidPair<D>& pair : pairs) {
    shake(pair.a);
    shake(pair.b);
  }
  return pairs;
}

namespace {

/// The shape rotated about the origin, in 3D about z; not for an aabb.
template <int D>
Solid<D> turned_about_origin(Solid<D> solid, double angle) {
  if constexpr (D == 3) {
    if (has_orientation(solid.kind)) {
      return turned_by(about({0, 0, 1}, angle), solid);
    }
  }
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const auto turn = [&](Point<D>& point) {
    const double x = point[0];
    point[0] = c * x - s * point[1];
    point[1] = s * x + c * point[1];
  };
  turn(solid.p);
  if (solid.kind == Kind::capsule) turn(solid.q);
  solid.angle += angle;
  return solid;
}

}  // namespace

template <int D>
std::vector<SolidPair<D>> turned_grid_pairs(Kind a, Kind b, std::size_t count, std::uint64_t seed) {
  std::vector<SolidPair<D>> pairs = grid_pairs<D>(a, b, count, seed);
  Random random(seed ^ 0x7475726e);
  for (SolidPair<D>& pair : pairs) {
    const double angle = random.uniform(-4, 4);
    pair = {turned_about_origin(pair.a, angle), turned_about_origin(pair.b, angle)};
  }
  return pairs;
}

template <int D>
std::vector<SolidPair<D>> far_pairs(std::vector<SolidPair<D>> pairs, std::uint64_t seed) {
  Random random(seed);
  for (SolidPair<D>& pair : pairs) {
    Point<D> offset = random.direction<D>();
    const double distance = std::pow(10, random.uniform(4, 6));
    // Integer offsets: grid pairs do not change in double, and rarely in float.
    for (double& value : offset) value = std::round(value * distance);
    pair.a = moved(pair.a, offset);
    pair.b = moved(pair.b, offset);
  }
  return pairs;
}

template <int D>
std::vector<Solid<D>> special_solids(Kind kind) {
  std::vector<Solid<D>> solids;
  // In 2D, drops z.
  const auto at = [](double x, double y, [[maybe_unused]] double z) {
    Point<D> point;
    point[0] = x;
    point[1] = y;
    if constexpr (D == 3) point[2] = z;
    return point;
  };
  switch (kind) {
    case Kind::sphere:
      for (const double radius : {0.0, 0.5, 1.0}) {
        solids.push_back(ball<D>(at(0, 0, 0), radius));
        solids.push_back(ball<D>(at(1, 0, 0), radius));      // the middle of a face
        solids.push_back(ball<D>(at(1, 1, 0), radius));      // of an edge
        solids.push_back(ball<D>(at(-1, 1, 1), radius));     // a corner
        solids.push_back(ball<D>(at(0.5, 0.5, 0), radius));  // as near to +x as to +y
        solids.push_back(ball<D>(at(2, 0.5, 0), radius));
        solids.push_back(ball<D>(at(1.5, 1.5, 1.5), radius));
      }
      break;
    case Kind::capsule:
      for (const double radius : {0.0, 0.5}) {
        solids.push_back(capsule<D>(at(0, 0, 0), at(0, 0, 0), radius));  // of no length
        solids.push_back(capsule<D>(at(1, 1, 1), at(1, 1, 1), radius));
        solids.push_back(capsule<D>(at(-3, 0, 0), at(3, 0, 0), radius));      // pierces along x
        solids.push_back(capsule<D>(at(0, -3, 0), at(0, 3, 0), radius));      // and along y
        solids.push_back(capsule<D>(at(-2, -2, -2), at(2, 2, 2), radius));    // along the diagonal
        solids.push_back(capsule<D>(at(1, -0.5, 0), at(1, 0.5, 0), radius));  // in a face
        solids.push_back(capsule<D>(at(1, -3, 0), at(1, 3, 0), radius));      // across a face
        solids.push_back(capsule<D>(at(1, -1, 1), at(1, 1, 1), radius));      // along an edge
        solids.push_back(capsule<D>(at(-1, 1, 1), at(-3, 3, 3), radius));     // from a corner
        solids.push_back(capsule<D>(at(-0.5, 0, 0), at(0.5, 0, 0), radius));  // inside
        solids.push_back(capsule<D>(at(0, 0, 0), at(5, 0, 0), radius));  // collinear with others
        solids.push_back(capsule<D>(at(3, 0, 0), at(4, 0, 0), radius));  // collinear, end to end
        solids.push_back(capsule<D>(at(-1, 1.5, 0), at(2, 1.5, 0), radius));  // parallel to x
        solids.push_back(capsule<D>(at(2, 1.5, 0), at(-1, 1.5, 0), radius));  // and back
        solids.push_back(capsule<D>(at(-2, 2, 0), at(2, -2, 0), radius));     // across the diagonal
        solids.push_back(capsule<D>(at(0, 2, 0), at(2, 0, 0), radius));       // through an edge
      }
      break;
    case Kind::aabb:
      solids.push_back(aabb<D>(at(-1, -1, -1), at(1, 1, 1)));
      solids.push_back(aabb<D>(at(1, -1, -1), at(3, 1, 1)));               // shares a face
      solids.push_back(aabb<D>(at(1, 1, -1), at(3, 3, 1)));                // an edge
      solids.push_back(aabb<D>(at(1, 1, 1), at(2, 2, 2)));                 // a corner
      solids.push_back(aabb<D>(at(-0.5, -0.5, -0.5), at(0.5, 0.5, 0.5)));  // inside
      solids.push_back(aabb<D>(at(0, -1, -1), at(0, 1, 1)));               // flat
      solids.push_back(aabb<D>(at(0, 0, -1), at(0, 0, 1)));                // a stick
      solids.push_back(aabb<D>(at(0, 0, 0), at(0, 0, 0)));                 // a point
      solids.push_back(aabb<D>(at(1, 0, 0), at(1, 0, 0)));                 // a point on a face
      solids.push_back(aabb<D>(at(-2, -0.25, -2), at(2, 0.25, 2)));        // a plate through
      solids.push_back(aabb<D>(at(-3, -0.25, -0.25), at(3, 0.25, 0.25)));  // a beam through
      solids.push_back(aabb<D>(at(0.75, 0.75, 0.75), at(4, 4, 4)));        // equal overlaps
      break;
    case Kind::box:
      if constexpr (D == 2) {
        solids = special_boxes();
      } else {
        solids = special_boxes3();
      }
      break;
    case Kind::polygon:
      if constexpr (D == 2) solids = special_polygons();
      break;
    case Kind::hull:
      if constexpr (D == 3) solids = special_hulls();
      break;
    case Kind::cylinder:
      if constexpr (D == 3) solids = special_cylinders();
      break;
    case Kind::ellipsoid:
      if constexpr (D == 3) solids = special_ellipsoids();
      break;
    case Kind::cone:
      if constexpr (D == 3) solids = special_cones();
      break;
    case Kind::halfspace:
      for (int axis = 0; axis < D; ++axis) {
        for (const double sign : {1.0, -1.0}) {
          Point<D> normal{};
          normal[axis] = sign;
          for (const double offset : {-1.0, 0.0, 1.0})
            solids.push_back(halfspace<D>(normal, offset));
        }
      }
      solids.push_back(halfspace<D>(at(0.6, 0.8, 0), 0));
      solids.push_back(halfspace<D>(at(std::sqrt(0.5), -std::sqrt(0.5), 0), 0.5));
      if (D == 3) solids.push_back(halfspace<D>(at(1. / 3, -2. / 3, 2. / 3), -1));
      break;
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;
  }
  return solids;
}

template <int D>
std::vector<SolidPair<D>> special_pairs(Kind a, Kind b) {
  const std::vector<Solid<D>> firsts = special_solids<D>(a);
  const std::vector<Solid<D>> seconds = special_solids<D>(b);
  const std::size_t count = firsts.size() * seconds.size();
  const std::size_t most = firsts.size() + seconds.size();
  const std::size_t chosen = is_searched(a) || is_searched(b) ? 500 : 1500;
  std::size_t stride = count / scaled(std::min(count, chosen), std::min(count, most));
  while (std::gcd(stride, seconds.size()) != 1) ++stride;
  std::vector<SolidPair<D>> pairs;
  for (std::size_t i = 0; i < count; i += stride) {
    pairs.push_back({firsts[i / seconds.size()], seconds[i % seconds.size()]});
  }
  return pairs;
}

#define WIDEPHASE_INSTANTIATE(D)                                                             \
  template Solid<D> random_solid<D>(Random & random, Kind kind, const Point<D>& center,      \
                                    double size);                                            \
  template Solid<D> snapped<D>(Solid<D> solid);                                              \
  template std::vector<SolidPair<D>> random_pairs<D>(Kind a, Kind b, std::size_t count,      \
                                                     std::uint64_t seed);                    \
  template std::vector<SolidPair<D>> sized_pairs<D>(Kind a, Kind b, std::size_t count,       \
                                                    std::uint64_t seed);                     \
  template Solid<D> grid_solid<D>(Random & random, Kind kind);                               \
  template std::vector<SolidPair<D>> grid_pairs<D>(Kind a, Kind b, std::size_t count,        \
                                                   std::uint64_t seed);                      \
  template std::vector<SolidPair<D>> near_grid_pairs<D>(Kind a, Kind b, std::size_t count,   \
                                                        std::uint64_t seed);                 \
  template std::vector<SolidPair<D>> turned_grid_pairs<D>(Kind a, Kind b, std::size_t count, \
                                                          std::uint64_t seed);               \
  template std::vector<SolidPair<D>> far_pairs<D>(std::vector<SolidPair<D>> pairs,           \
                                                  std::uint64_t seed);                       \
  template std::vector<Solid<D>> special_solids<D>(Kind kind);                               \
  template std::vector<SolidPair<D>> special_pairs<D>(Kind a, Kind b)
WIDEPHASE_INSTANTIATE(2);
WIDEPHASE_INSTANTIATE(3);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
