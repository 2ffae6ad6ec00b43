#include "support/generate_trouble3.hpp"

#include <numbers>
#include <stdexcept>

#include "support/generate.hpp"

namespace widephase::test {

std::string name_of(Trouble trouble) {
  switch (trouble) {
    case Trouble::walls:
      return "walls";
    case Trouble::bundles:
      return "bundles";
    case Trouble::end_to_end:
      return "end_to_end";
    case Trouble::stacks:
      return "stacks";
    case Trouble::edges:
      return "edges";
    case Trouble::along_edges:
      return "along_edges";
    default:
      return "lattice";
  }
}

bool has_pairs(Trouble trouble, Kind a, Kind b) {
  const auto is_upright = [](Kind kind) { return kind == Kind::aabb || kind == Kind::halfspace; };
  if (!has_kernel(3, a, b) || (is_upright(a) && is_upright(b))) return false;
  const bool has_sphere = a == Kind::sphere || b == Kind::sphere;
  const bool has_plane = a == Kind::halfspace || b == Kind::halfspace;
  switch (trouble) {
    case Trouble::bundles:
    case Trouble::end_to_end:
      return !has_sphere && !has_plane;
    case Trouble::stacks:
      return true;
    case Trouble::edges:
      // An aabb has no edge on top.
      return !has_sphere && !has_plane && !is_upright(a) && !is_upright(b);
    case Trouble::along_edges:
      return !has_plane && !is_thin(b) && !is_round(b);
    default:
      return !has_plane;
  }
}

namespace {

const Quaternion kLevel{0, 0, 0, 1};

double power_between(Random& random, double low, double high) {
  return std::pow(10, random.uniform(low, high));
}

/// 1e-8 to 10^`high`. Half are 1e-5 to 1e-3, where most errors in float were found.
double slight(Random& random, double high) {
  return random.chance(0.5) ? power_between(random, -5, -3) : power_between(random, -8, high);
}

/// A rotation about any axis by 1e-8 to 1e-2; one in ten is by 0.
Quaternion slight_turn(Random& random) {
  const Point<3> axis = random.direction<3>();
  return random.chance(0.1) ? kLevel : about(axis, slight(random, -2));
}

/// A gap of 1e-8 to 0.1 with either sign; one in ten is 0.
double slight_gap(Random& random) {
  if (random.chance(0.1)) return 0;
  const double gap = slight(random, -1);
  return random.chance(0.4) ? -gap : gap;
}

/// A body centred at the origin with half extents `half`, longest in x. For round kinds the y half
/// is the radius, and the core of a capsule and the apex of a cone are at x. Hulls are blocks, and
/// one in three a prism with six sides along x.
Solid<3> body(Random& random, Kind kind, const Point<3>& half) {
  const Quaternion along_x = about({0, 1, 0}, std::numbers::pi / 2);
  switch (kind) {
    case Kind::sphere:
      return ball<3>({}, half[1]);
    case Kind::capsule:
      return capsule<3>({-half[0], 0, 0}, {half[0], 0, 0}, half[1]);
    case Kind::aabb:
      return aabb<3>({-half[0], -half[1], -half[2]}, half);
    case Kind::box:
      return box({}, kLevel, half);
    case Kind::hull: {
      if (random.chance(0.67)) return hull({}, kLevel, block(half[0], half[1], half[2]));
      std::vector<Point<3>> vertices;
      for (const Point<3>& v : prism(regular(6, half[1]), half[0])) {
        vertices.push_back({v[2], v[1], v[0]});
      }
      return hull({}, kLevel, vertices);
    }
    case Kind::cylinder:
      return cylinder({}, along_x, half[0], half[1]);
    case Kind::halfspace:
      return halfspace<3>({0, 0, 1}, half[2]);
    case Kind::ellipsoid:
      return ellipsoid({}, kLevel, half);
    case Kind::cone:
      return cone({}, along_x, half[0], half[1]);
    case Kind::polygon:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;
  }
  throw std::logic_error("no solid in 3D");
}

/// Few sizes, so that hulls of one form have few geometries.
double any_of(Random& random, std::initializer_list<double> choice) {
  return choice.begin()[random.integer(0, static_cast<int>(choice.size()) - 1)];
}

/// How far the body reaches along each axis.
Point<3> reach(const Solid<3>& solid, const Point<3>& half) {
  if (solid.kind == Kind::sphere) return {half[1], half[1], half[1]};
  if (solid.kind == Kind::capsule || has_rim(solid.kind)) return {half[0], half[1], half[1]};
  if (solid.kind == Kind::hull && solid.vertices.size() == 12) {
    return {half[0], half[1] * std::sqrt(0.75), half[1]};
  }
  return half;
}

/// One shape at the origin, the other beside it and slightly rotated.
SolidPair<3> placed_pair(Random& random, Trouble trouble, Kind kind_a, Kind kind_b) {
  Point<3> half_a{0.5, 0.5, 0.5}, half_b = half_a;
  if (trouble == Trouble::bundles || trouble == Trouble::end_to_end) {
    for (Point<3>* half : {&half_a, &half_b}) {
      const double thin = any_of(random, {0.001, 0.05, 0.1});
      *half = {any_of(random, {0.5, 1, 2.5}), thin, thin};
    }
  } else if (trouble == Trouble::along_edges || trouble == Trouble::edges) {
    half_a = {any_of(random, {0.5, 1}), any_of(random, {0.001, 0.05, 0.5}), 0.5};
    half_a[2] = half_a[1];
    half_b = {any_of(random, {0.5, 1}), any_of(random, {0.1, 0.5}), 0.5};
  }
  Solid<3> a = body(random, kind_a, half_a), b = body(random, kind_b, half_b);
  const Point<3> a_reach = reach(a, half_a), b_reach = reach(b, half_b);
  const auto beside = [&](int k) { return a_reach[k] + b_reach[k] + slight_gap(random); };
  const auto aside = [&](int k) { return (a_reach[k] + b_reach[k]) * random.uniform(-1, 1); };
  const double sign = random.chance(0.5) ? 1 : -1;
  Point<3> to{};
  if (trouble == Trouble::walls) {
    // Beside it, diagonally across an edge or a corner, or shifted by half a block.
    const int shared = random.integer(1, 3);
    for (int k = 0; k < 3; ++k) to[k] = k < shared ? beside(k) : slight_gap(random);
    if (random.chance(0.3)) to[random.integer(0, 2)] *= 0.5;
    if (random.chance(0.5)) to = {to[2], to[0], to[1]};
  } else if (trouble == Trouble::bundles) {
    to = {aside(0), beside(1), random.chance(0.5) ? 0 : beside(2)};
  } else if (trouble == Trouble::end_to_end) {
    // The ends meet, or pass one another slightly, and lie slightly to the side of one another.
    const double past = random.chance(0.2) ? 0 : power_between(random, -5, -1);
    const double apart = random.chance(0.3) ? 0 : power_between(random, -4, -1);
    to = {a_reach[0] + b_reach[0] + (random.chance(0.5) ? past : -past),
          random.chance(0.5) ? beside(1) : apart, random.chance(0.8) ? 0 : apart};
  } else if (trouble == Trouble::stacks) {
    to = {aside(0), aside(1), beside(2)};
    if (random.chance(0.2)) to[0] = to[1] = 0;
  } else if (trouble == Trouble::edges) {
    // Both stand on an edge along x, and B's edge crosses A's.
    const Quaternion on_edge = about({1, 0, 0}, std::numbers::pi / 4);
    const auto turn_up = [&](Solid<3>& solid) { solid = turned_by(on_edge, solid); };
    const bool is_round_a = a.kind == Kind::capsule || is_round(a.kind);
    const bool is_round_b = b.kind == Kind::capsule || is_round(b.kind);
    const auto height = [](bool is_round, const Point<3>& r) {
      return is_round ? r[2] : (r[1] + r[2]) / std::numbers::sqrt2;
    };
    turn_up(a);
    turn_up(b);
    if (random.chance(0.4)) {
      b = turned_by(about({0, 0, 1}, random.uniform(0, std::numbers::pi)), b);
    }
    to = {random.chance(0.5) ? 0 : aside(0), random.chance(0.6) ? 0 : slight_gap(random),
          height(is_round_a, a_reach) + height(is_round_b, b_reach) + slight_gap(random)};
  } else {
    // Along B's edge from corner to corner, above it between the normals of its two faces.
    const double angle = random.uniform(0, std::numbers::pi / 2);
    // In half of the pairs, the core is at the edge itself.
    const double away = slight_gap(random) + (random.chance(0.5) ? 0 : a_reach[1]);
    to = {aside(0), b_reach[1] + away * std::cos(angle), b_reach[2] + away * std::sin(angle)};
  }
  if (trouble != Trouble::stacks && trouble != Trouble::along_edges) {
    to[0] *= sign;
    to[1] *= sign;
  }
  const Quaternion turn = slight_turn(random);
  if (kind_b != Kind::aabb && kind_b != Kind::halfspace) {
    return {a, moved<3>(turned_by(turn, b), to)};
  }
  // B stays level, and A is rotated and placed relative to it. On a halfspace, A is on top.
  if (kind_b == Kind::aabb) to = {-to[0], -to[1], -to[2]};
  return {moved<3>(turned_by(turn, a), to), b};
}

/// Rounds every number to float.
Solid<3> in_float(Solid<3> solid) {
  const auto narrow = [](double& value) { value = static_cast<float>(value); };
  for (int k = 0; k < 3; ++k) {
    narrow(solid.p[k]);
    narrow(solid.q[k]);
  }
  narrow(solid.size);
  narrow(solid.rounding);
  for (int k = 0; k < 4; ++k) narrow(solid.orientation[k]);
  for (Point<3>& vertex : solid.vertices) {
    for (double& value : vertex) narrow(value);
  }
  return solid;
}

Solid<3> scaled_solid(Solid<3> solid, double scale) {
  for (int k = 0; k < 3; ++k) {
    if (solid.kind != Kind::halfspace) solid.p[k] *= scale;
    solid.q[k] *= scale;
  }
  solid.size *= scale;
  solid.rounding *= scale;
  for (Point<3>& vertex : solid.vertices) {
    for (double& value : vertex) value *= scale;
  }
  return solid;
}

}  // namespace

std::vector<SolidPair<3>> troubled_pairs(Trouble trouble, Kind a, Kind b, std::size_t count,
                                         std::uint64_t seed) {
  if (trouble == Trouble::lattice) {
    std::vector<SolidPair<3>> pairs = near_grid_pairs<3>(a, b, count, seed);
    for (SolidPair<3>& pair : pairs) pair = {in_float(pair.a), in_float(pair.b)};
    return pairs;
  }
  Random random(seed);
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    SolidPair<3> pair = placed_pair(random, trouble, a, b);
    const bool is_upright = a == Kind::aabb || b == Kind::aabb || b == Kind::halfspace;
    if (!is_upright && random.chance(0.5)) pair = turned_by(random_orientation(random), pair);
    const double scale = any_of(random, {1, 1, 1, 0x1p-7, 0x1p6});
    pair = {scaled_solid(pair.a, scale), scaled_solid(pair.b, scale)};
    pairs.push_back({in_float(pair.a), in_float(pair.b)});
  }
  return pairs;
}

}  // namespace widephase::test
