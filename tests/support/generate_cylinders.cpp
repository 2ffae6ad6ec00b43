#include "support/generate_cylinders.hpp"

namespace widephase::test {

Solid<3> random_cylinder(Random& random, const Point<3>& center, double size) {
  double half_height = size * random.uniform(0.05, 1);
  double radius = size * random.uniform(0.05, 1);
  double& thin = random.chance(0.5) ? half_height : radius;
  if (random.chance(0.1)) thin *= std::pow(10, random.uniform(-4, -3));
  if (random.chance(0.03)) thin = 0;
  const Quaternion orientation = random_orientation(random);
  Random other = random;  // so that what follows does not change
  const double rounding = other.chance(0.75) ? 0 : size * other.uniform(0, 0.4);
  return cylinder(center, orientation, half_height, radius, rounding);
}

void shake_cylinder(Random& random, Solid<3>& solid) {
  shake_box3(random, solid);
  solid.q[0] = solid.q[1] = 0;
  const double amount = std::pow(10, random.uniform(-9, -2));
  if (random.chance(0.5)) solid.size = std::abs(solid.size + amount * random.uniform(-1, 1));
}

std::vector<Solid<3>> special_cylinders() {
  const Quaternion level{0, 0, 0, 1};
  const Quaternion along_x = about({0, 1, 0}, 2 * kEighthTurn);
  const Quaternion along_y = about({1, 0, 0}, 2 * kEighthTurn);
  const Quaternion leaning = about({0, 1, 0}, kEighthTurn);
  const Quaternion on_corner = about({1, -1, 0}, std::acos(std::sqrt(1. / 3)));
  const double root2 = std::sqrt(2.);
  return {
      cylinder({0, 0, 0}, level, 1, 1),      // inscribed
      cylinder({0, 0, 0}, level, 1, root2),  // circumscribed
      cylinder({0, 0, 0}, along_x, 1, 1),
      cylinder({0, 0, 0}, leaning, 1, 1),
      cylinder({0, 0, 0}, level, 0.5, 0.25),  // inside
      cylinder({0.25, 0, 0.25}, along_y, 0.25, 0.5),
      cylinder({0, 0, 0}, along_x, 3, 0.25),       // through
      cylinder({0, 0, 1.5}, level, 0.5, 0.5),      // a cap on a face
      cylinder({0.75, 0, 1.5}, level, 0.5, 0.5),   // partly
      cylinder({0, 0, 2}, level, 1, 1),            // a cap on a cap
      cylinder({1, 1, 1.5}, level, 0.5, 0.5),      // on a corner
      cylinder({2, 0, 0}, level, 1, 1),            // a line of the side on a face
      cylinder({2, 0, 1}, level, 1, 1),            // partly
      cylinder({0, 0, 2}, along_x, 3, 1),          // lies on a face
      cylinder({1, 2, 0}, along_x, 0.5, 1),        // partly
      cylinder({2, 0, 0}, along_y, 2, 1),          // crosses another's axis
      cylinder({1 + root2, 0, 0}, leaning, 1, 1),  // its rim on a face
      cylinder({1.5, 0, 1.5}, leaning, 0.5, 2),    // its cap near an edge
      cylinder({0, 0, 2}, on_corner, 0.5, 0.5),
      cylinder({2, 2, 0}, level, 1, root2),  // a line of the side on an edge
      cylinder({2.25, 0, 0}, level, 1, 1),   // apart
      cylinder({0, 0, 2.5}, level, 1, 1),
      cylinder({2, 2, 2.5}, on_corner, 1, 0.25),
      cylinder({0, 0, 0}, level, 0, 1),  // a disc
      cylinder({0, 0, 1}, level, 0, 0.5),
      cylinder({1, 0, 0}, along_x, 0, 2),
      cylinder({0, 0, 0}, along_y, 3, 0),  // a segment
      cylinder({1, 0, 0}, level, 0.5, 0),
      cylinder({1, 1, 1}, leaning, 0, 0),  // a point
      cylinder({0, 0, 0}, level, 0, 0),
      cylinder({0, 0, 0}, level, 0x1p-10, 2),  // a plate through
  };
}

namespace {

/// A shape with an extent, long in x, whose core, or an edge or line of it, lies along x through
/// the origin. There, `outwards` (1 or -1) times (0, 1, 1) points out of it.
Solid<3> long_solid(Random& random, Kind kind, double outwards) {
  const double half = random.chance(0.5) ? 10 : random.uniform(1, 20);
  const double along = half * random.uniform(-0.8, 0.8);
  if (kind == Kind::capsule) {
    return capsule<3>({along - half, 0, 0}, {along + half, 0, 0}, grid_radius(random));
  }
  const double width = random.chance(0.2) ? half / 1000 : random.uniform(0.05, 1);
  const Point<3> center{along, -outwards * width, -outwards * width};
  if (kind == Kind::cylinder) {
    const double inwards = -outwards * width * std::sqrt(0.5);
    return cylinder({along, inwards, inwards}, about({0, 1, 0}, 2 * kEighthTurn), half, width);
  }
  if (kind == Kind::ellipsoid) {
    const double inwards = -outwards * width * std::sqrt(0.5);
    return ellipsoid({along, inwards, inwards}, {0, 0, 0, 1}, {half, width, width});
  }
  if (kind == Kind::cone) {
    // The middle of its line is `width / 2` from the axis, and falls to the apex.
    const double out = outwards * width / 2 * std::sqrt(0.5);
    const Quaternion turn = about({0, -outwards, outwards}, std::atan2(width, 2 * half));
    const Point<3> middle = rotated(turn, {0, out, out});
    const Solid<3> lying = cone({0, 0, 0}, about({0, 1, 0}, 2 * kEighthTurn), half, width);
    return moved<3>(turned_by(turn, lying), {along - middle[0], -middle[1], -middle[2]});
  }
  if (kind == Kind::hull) {
    return hull(center, {0, 0, 0, 1}, block(half, width, width), random.chance(0.8) ? 0 : 0.125);
  }
  if (kind == Kind::box) {
    return box(center, {0, 0, 0, 1}, {half, width, width}, random.chance(0.8) ? 0 : 0.125);
  }
  return aabb<3>({along - half, center[1] - width, center[2] - width},
                 {along + half, center[1] + width, center[2] + width});
}

}  // namespace

std::vector<SolidPair<3>> crossing_edges(Kind a, Kind b, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  const Point<3> out{0, 1, 1};
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    SolidPair<3> pair{long_solid(random, a, 1), long_solid(random, b, -1)};
    double angle = std::pow(10, random.uniform(-9, -1));
    if (random.chance(0.5)) angle = random.chance(0.5) ? 0.003 : 1e-6;
    if (random.chance(0.5)) angle = -angle;
    // Rotates the shape that is not an aabb. A box also rolls a little, so that no face is
    // symmetric.
    const bool turns_b = b != Kind::aabb;
    Solid<3>& turning = turns_b ? pair.b : pair.a;
    if (turning.kind == Kind::aabb) continue;
    if (random.chance(0.5)) {
      turning = turned_by(about({1, 0, 0}, random.uniform(-0.5, 0.5)), turning);
    }
    turning = turned_by(about(out, angle), turning);
    double lift = random.uniform(-0.01, 0.01);
    if (random.chance(0.5)) lift = random.uniform(-20, 20) * std::abs(angle);
    if (random.chance(0.1)) lift = 0;
    pair.b = moved<3>(pair.b, {0, lift, lift});
    if (a != Kind::aabb && b != Kind::aabb && random.chance(0.7)) {
      pair = turned_by(random.direction<4>(), pair);
    }
    pairs.push_back(pair);
  }
  return pairs;
}

namespace {

/// A level solid with flat ends at plus and minus `height`; a cylinder may also lie on its side. A
/// cone has one, which faces the other solid; an ellipsoid none.
struct FlatEnded {
  Solid<3> solid;
  double height;
};

FlatEnded flat_ended(Random& random, Kind kind, bool is_upper) {
  const Quaternion level{0, 0, 0, 1};
  const auto length = [&] {
    return random.chance(0.5) ? random.integer(1, 4) * 0.25 : random.uniform(0.1, 1);
  };
  const double x = length(), y = length(), z = length();
  const double radius = random.chance(0.3) ? grid_radius(random) : 0;
  if (kind == Kind::aabb) return {aabb<3>({-x, -y, -z}, {x, y, z}), z};
  if (kind == Kind::box) return {box({0, 0, 0}, level, {x, y, z}, radius), z + radius};
  if (kind == Kind::ellipsoid) {
    return {ellipsoid({0, 0, 0}, level, {x, y, z}, radius), z + radius};
  }
  if (kind == Kind::cone) {
    const Quaternion down = about({1, 0, 0}, 4 * kEighthTurn);
    return {cone({0, 0, 0}, is_upper ? level : down, z, x, radius), z + radius};
  }
  if (kind == Kind::hull) {
    std::vector<Point<3>> vertices = block(x, y, z);
    if (random.chance(0.6)) vertices = prism(regular(random.integer(3, 12), x), z);
    // The upper end is smaller than the lower one.
    const bool is_tapered = random.chance(0.3);
    for (std::size_t i = vertices.size() / 2; is_tapered && i < vertices.size(); ++i) {
      vertices[i] = {vertices[i][0] / 2, vertices[i][1] / 2, vertices[i][2]};
    }
    return {hull({0, 0, 0}, level, usable(vertices, block(x, y, z)), radius), z + radius};
  }
  if (kind != Kind::cylinder || random.chance(0.7)) {
    return {cylinder({0, 0, 0}, level, z, x, radius), z + radius};
  }
  const Quaternion lying = about({0, 1, 0}, 2 * kEighthTurn);
  return {cylinder({0, 0, 0}, lying, z, x, radius), x + radius};
}

}  // namespace

std::vector<SolidPair<3>> stacked_solids(Kind a, Kind b, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  const bool turns = a != Kind::aabb && b != Kind::aabb;
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const FlatEnded lower = flat_ended(random, a, false);
    FlatEnded upper = flat_ended(random, b, true);
    if (a == b && a != Kind::cone && random.chance(0.2)) upper = lower;
    SolidPair<3> pair{lower.solid, upper.solid};
    if (b != Kind::aabb && random.chance(0.5)) {
      const double angle =
          random.chance(0.5) ? kEighthTurn * random.integer(0, 7) : random.uniform(-4, 4);
      pair.b = turned_by(about({0, 0, 1}, angle), pair.b);
    }
    // Touching, overlapping by up to a tenth, or off from touching by 1e-9 to 1e-2.
    double lift = lower.height + upper.height;
    if (random.chance(0.5)) lift -= random.uniform(0, 0.1);
    if (random.chance(0.3)) lift += std::pow(10, random.uniform(-9, -2)) * random.uniform(-1, 1);
    Point<3> offset{random.uniform(-1, 1), random.uniform(-1, 1), lift};
    if (random.chance(0.3)) offset = {0, 0, lift};
    pair.b = moved<3>(pair.b, offset);
    if (turns) {
      pair = turned_by(any_of(random, cube_rotations()), pair);
      if (random.chance(0.7)) pair = turned_by(random.direction<4>(), pair);
    }
    if (random.chance(0.5)) std::swap(pair.a, pair.b);
    pairs.push_back(pair);
  }
  return pairs;
}

std::vector<SolidPair<3>> concentric_solids(Kind a, Kind b, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  const auto solid = [&](Kind kind, const Point<3>& center) {
    if (kind == Kind::hull) {
      return hull(center, random_orientation(random), random_hull_vertices(random, 1));
    }
    if (kind == Kind::cylinder) return random_cylinder(random, center, 1);
    return random_box3(random, center, 1);
  };
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const Point<3> center = random.point<3>(-2, 2);
    SolidPair<3> pair{solid(a, center), solid(b, center)};
    if (a == b && random.chance(0.2)) pair.b = pair.a;
    if (random.chance(0.5)) {
      pair.b.orientation = product(pair.a.orientation, grid_orientation(random));
      if (std::abs(square_of(pair.b.orientation) - 1) > 9e-5) pair.b.orientation = {0, 0, 0, 1};
    }
    if (random.chance(0.2)) pair.b.p[random.integer(0, 2)] += 1e-7 * random.uniform(-1, 1);
    pairs.push_back(pair);
  }
  return pairs;
}

namespace {

Solid<3> random_solid_without_radius(Random& random, Kind kind) {
  const Point<3> center = random.point<3>(-1, 1);
  if (kind == Kind::cylinder) {
    Solid<3> solid = random_cylinder(random, center, 1);
    solid.rounding = 0;
    return solid;
  }
  Solid<3> solid =
      kind == Kind::hull ? random_hull(random, center, 1) : random_box3(random, center, 1);
  solid.size = 0;
  return solid;
}

/// A corner of a box or hull, or a point of a cylinder's rim, in the shape's own frame.
Point<3> own_corner(Random& random, const Solid<3>& solid) {
  if (solid.kind == Kind::hull) {
    return solid.vertices[static_cast<std::size_t>(
        random.integer(0, static_cast<int>(solid.vertices.size()) - 1))];
  }
  Point<3> corner = solid.q;
  if (solid.kind == Kind::cylinder) {
    const double angle = random.integer(-4, 4) * kEighthTurn;
    corner = {solid.size * std::cos(angle), solid.size * std::sin(angle), solid.q[2]};
  }
  for (double& value : corner) value *= random.chance(0.5) ? 1 : -1;
  return corner;
}

}  // namespace

std::vector<SolidPair<3>> corner_to_corner(Kind a, Kind b, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    SolidPair<3> pair{random_solid_without_radius(random, a),
                      random_solid_without_radius(random, b)};
    const Point<3> corner_a = rotated(pair.a.orientation, own_corner(random, pair.a));
    const Point<3> local_b = own_corner(random, pair.b);
    Point<3> corner_b = rotated(pair.b.orientation, local_b);
    const double aside =
        corner_a[0] * corner_b[0] + corner_a[1] * corner_b[1] + corner_a[2] * corner_b[2];
    if (aside > 0 && random.chance(0.7)) {
      // Half a turn about an axis perpendicular to B's corner moves the corner to the opposite
      // side.
      Point<3> axis = random.direction<3>();
      const Point<3> across{axis[1] * corner_b[2] - axis[2] * corner_b[1],
                            axis[2] * corner_b[0] - axis[0] * corner_b[2],
                            axis[0] * corner_b[1] - axis[1] * corner_b[0]};
      pair.b.orientation = product(about(across, 4 * kEighthTurn), pair.b.orientation);
      corner_b = rotated(pair.b.orientation, local_b);
    }
    for (int k = 0; k < 3; ++k) pair.b.p[k] = pair.a.p[k] + corner_a[k] - corner_b[k];
    pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace widephase::test
