#include "support/generate_round.hpp"

#include <numbers>

#include "reference/reference.hpp"
#include "reference/round_core.hpp"

namespace widephase::test {

namespace {

const Quaternion kLevel{0, 0, 0, 1};

double power_between(Random& random, double low, double high) {
  return std::pow(10, random.uniform(low, high));
}

double random_rounding(Random& random, double size) {
  return random.chance(0.5) ? 0 : size * random.uniform(0, 0.4);
}

}  // namespace

Solid<3> random_ellipsoid(Random& random, const Point<3>& center, double size) {
  Point<3> half = random.point<3>(0.05 * size, size);
  if (random.chance(0.3)) half[random.integer(0, 2)] = half[random.integer(0, 2)];
  if (random.chance(0.1)) half[random.integer(0, 2)] *= power_between(random, -4, -3);
  if (random.chance(0.05)) half[0] = half[1] *= power_between(random, -4, -3);
  if (random.chance(0.03)) half[random.integer(0, 2)] = 0;
  return ellipsoid(center, random_orientation(random), half,
                   random.chance(0.75) ? 0 : size * random.uniform(0, 0.4));
}

Solid<3> random_cone(Random& random, const Point<3>& center, double size) {
  double half_height = size * random.uniform(0.05, 1);
  double radius = size * random.uniform(0.05, 1);
  double& thin = random.chance(0.5) ? half_height : radius;
  if (random.chance(0.1)) thin *= power_between(random, -4, -3);
  if (random.chance(0.03)) thin = 0;
  return cone(center, random_orientation(random), half_height, radius,
              random.chance(0.75) ? 0 : size * random.uniform(0, 0.4));
}

Solid<3> grid_ellipsoid(Random& random, const Point<3>& center) {
  Point<3> half;
  for (double& value : half) value = random.integer(0, 4) * 0.25;
  if (random.chance(0.3)) half[1] = half[0];
  return ellipsoid(center, grid_orientation(random), half,
                   random.chance(0.7) ? 0 : random.integer(0, 3) * 0.25);
}

Solid<3> grid_cone(Random& random, const Point<3>& center) {
  const Quaternion orientation = grid_orientation(random);
  const double half_height = random.integer(0, 4) * 0.25, radius = random.integer(0, 4) * 0.25;
  return cone(center, orientation, half_height, radius,
              random.chance(0.7) ? 0 : random.integer(0, 3) * 0.25);
}

void shake_round(Random& random, Solid<3>& solid) {
  const Point<3> before = solid.q;
  shake_box3(random, solid);
  for (int k = 0; k < 3; ++k) {
    if (solid.kind == Kind::cone && k < 2) solid.q[k] = before[k];
    solid.q[k] = std::abs(solid.q[k]);
  }
  const double amount = power_between(random, -9, -2);
  if (solid.kind == Kind::cone && random.chance(0.5)) {
    solid.size = std::abs(solid.size + amount * random.uniform(-1, 1));
  }
}

std::vector<Solid<3>> special_ellipsoids() {
  const Quaternion along_x = about({0, 1, 0}, 2 * kEighthTurn);
  const Quaternion leaning = about({0, 1, 0}, kEighthTurn);
  const Quaternion on_corner = about({1, -1, 0}, std::acos(std::sqrt(1. / 3)));
  const double root3 = std::sqrt(3.);
  return {
      ellipsoid({0, 0, 0}, kLevel, {1, 1, 1}),              // inscribed ball
      ellipsoid({0, 0, 0}, kLevel, {root3, root3, root3}),  // circumscribed
      ellipsoid({0, 0, 0}, kLevel, {3, 1, 0.5}),
      ellipsoid({0, 0, 0}, along_x, {0.5, 0.25, 2}),
      ellipsoid({0, 0, 0}, leaning, {2, 1, 1}),  // prolate
      ellipsoid({0, 0, 2}, kLevel, {2, 2, 1}),   // oblate, lies on a face
      ellipsoid({0.5, 0, 1.5}, kLevel, {1, 0.75, 0.5}),
      ellipsoid({1.5, 1.5, 0}, kLevel, {0.5, 1, 2}),  // near an edge
      ellipsoid({1.5, 1.5, 1.5}, on_corner, {1, 1, 0.5}),
      ellipsoid({2, 0, 0}, leaning, {0.5, 2, 1}),
      ellipsoid({2.5, 0, 0}, kLevel, {1, 1, 1}),                // apart
      ellipsoid({0.25, 0, 0.25}, along_x, {0.25, 0.5, 0.125}),  // inside
      ellipsoid({0, 0, 1}, kLevel, {1, 1, 0}),                  // a disc on a face
      ellipsoid({0, 0, 0}, leaning, {2, 1, 0}),
      ellipsoid({0, 0, 0}, kLevel, {3, 0, 0}),  // a segment through
      ellipsoid({1, 1, 0}, kLevel, {0, 0, 1}),  // along an edge
      ellipsoid({0, 0, 0}, kLevel, {0, 0, 0}),  // a point
      ellipsoid({1, 1, 1}, kLevel, {0, 0, 0}),
      ellipsoid({0, 0, 0}, kLevel, {2, 2, 0x1p-10}),  // a plate through
      ellipsoid({0, 0, 2}, kLevel, {1, 0.5, 0.5}, 0.5),
      ellipsoid({0, 0, 0}, on_corner, {1, 0.5, 0.25}, 0.25),
  };
}

std::vector<Solid<3>> special_cones() {
  const Quaternion along_x = about({0, 1, 0}, 2 * kEighthTurn);
  const Quaternion down = about({1, 0, 0}, 4 * kEighthTurn);
  const Quaternion leaning = about({0, 1, 0}, kEighthTurn);
  const Quaternion on_corner = about({1, -1, 0}, std::acos(std::sqrt(1. / 3)));
  return {
      cone({0, 0, 0}, kLevel, 1, 1),
      cone({0, 0, 0}, down, 1, 1),
      cone({0, 0, 0}, along_x, 2, 0.5),        // through
      cone({0, 0, 1.5}, kLevel, 0.5, 0.5),     // stands on a face
      cone({0.75, 0, 1.5}, kLevel, 0.5, 0.5),  // partly
      cone({0, 0, 1.5}, down, 0.5, 0.5),       // on its apex
      cone({1, 1, 1.5}, down, 0.5, 0.5),       // its apex on a corner
      cone({1, 0, 1.5}, down, 0.5, 0.5),       // on an edge
      // On its side: with half height 0.5 and radius 1, the side leans by 45 degrees.
      cone({0, 0, 1 + std::sqrt(0.125)}, about({0, 1, 0}, 3 * kEighthTurn), 0.5, 1),
      cone({2, 0, 0}, kLevel, 1, 1),  // its rim on an edge or face
      cone({2, 0, 0}, leaning, 1, 1),
      cone({1.5, 1.5, 1}, on_corner, 0.5, 0.75),
      cone({0, 0, 2.25}, kLevel, 1, 1),  // apart
      cone({0, 0, 3}, down, 1, 1),
      cone({0.25, 0, 0.25}, leaning, 0.25, 0.25),  // inside
      cone({0, 0, 1}, kLevel, 0, 1),               // a disc
      cone({0, 0, 0}, leaning, 0, 2),
      cone({0, 0, 0}, along_x, 2, 0),  // a segment
      cone({1, 1, 0}, kLevel, 1, 0),
      cone({0, 0, 0}, kLevel, 0, 0),  // a point
      cone({1, 1, 1}, kLevel, 0, 0),
      cone({0, 0, 0}, kLevel, 0x1p-10, 2),  // a plate through
      cone({0, 0, 2}, kLevel, 0.5, 0.5, 0.5),
      cone({1.25, 0, 0}, leaning, 0.5, 0.5, 0.25),
  };
}

std::string name_of(RoundFamily family) {
  switch (family) {
    case RoundFamily::any:
      return "any";
    case RoundFamily::shallow:
      return "shallow";
    case RoundFamily::deep:
      return "deep";
    case RoundFamily::flat:
      return "flat";
    case RoundFamily::needle:
      return "needle";
    case RoundFamily::round:
      return "round";
    case RoundFamily::nested:
      return "nested";
    case RoundFamily::concentric:
      return "concentric";
    case RoundFamily::coaxial:
      return "coaxial";
    case RoundFamily::nearly_coaxial:
      return "nearly_coaxial";
    case RoundFamily::touching:
      return "touching";
    case RoundFamily::flush:
      return "flush";
    case RoundFamily::zero:
      return "zero";
    case RoundFamily::sized:
      return "sized";
    case RoundFamily::units:
      return "units";
    default:
      return "grid";
  }
}

namespace {

const std::vector<std::vector<Point<3>>>& hull_pool() {
  static const std::vector<std::vector<Point<3>>> kPool = [] {
    Random random(77);
    std::vector<std::vector<Point<3>>> pool;
    for (int i = 0; i < 40; ++i) {
      std::vector<Point<3>> vertices = random_hull_vertices(random, 1);
      if (vertices.size() <= 24) pool.push_back(vertices);
    }
    return pool;
  }();
  return kPool;
}

enum class Form { plain, flat, needle, round, zero };

/// Three lengths, those of one form.
Point<3> lengths(Random& random, Form form, double size) {
  Point<3> half = random.point<3>(0.1 * size, size);
  if (random.chance(0.3)) half[0] = half[1];
  const int one = random.integer(0, 2);
  const double thin = power_between(random, -4, -2);
  if (form == Form::flat) half[one] = thin * size;
  if (form == Form::needle) {
    half[(one + 1) % 3] = thin * half[(one + 1) % 3];
    half[(one + 2) % 3] = random.chance(0.5) ? half[(one + 1) % 3] : thin * size;
  }
  if (form == Form::round) {
    const double amount = power_between(random, -7, -2);
    const bool is_exact = random.chance(0.3);
    for (int k = 0; k < 3; ++k) {
      half[k] = size * (is_exact ? 1 : 1 + amount * random.uniform(-1, 1));
    }
    if (random.chance(0.3)) half[0] = half[1];
  }
  if (form == Form::zero) {
    half[one] = 0;
    if (random.chance(0.4)) half[(one + 1) % 3] = 0;
    if (random.chance(0.1)) half = {0, 0, 0};
  }
  return half;
}

/// A solid at the origin with its own axes along those of the world.
Solid<3> level_solid(Random& random, Kind kind, Form form, double size) {
  const Point<3> half = lengths(random, form, size);
  const double rounding = random_rounding(random, size);
  switch (kind) {
    case Kind::sphere:
      return ball<3>({0, 0, 0}, form == Form::zero ? 0 : half[0]);
    case Kind::capsule:
      return capsule<3>({0, 0, -half[2]}, {0, 0, half[2]}, half[0]);
    case Kind::aabb:
      return aabb<3>({-half[0], -half[1], -half[2]}, half);
    case Kind::box:
      return box({0, 0, 0}, kLevel, half, rounding);
    case Kind::hull: {
      const auto& pool = hull_pool();
      const auto last = static_cast<int>(pool.size()) - 1;
      std::vector<Point<3>> vertices = pool[static_cast<std::size_t>(random.integer(0, last))];
      // Few sizes, so that there are few point sets.
      const double scale = std::pow(10, std::round(std::log10(size)));
      if (scale != 1) vertices = scaled_by(vertices, {scale, scale, scale});
      return hull({0, 0, 0}, kLevel, vertices, rounding);
    }
    case Kind::cylinder:
      return cylinder({0, 0, 0}, kLevel, half[2], half[0], rounding);
    case Kind::ellipsoid:
      return ellipsoid({0, 0, 0}, kLevel, half, rounding);
    case Kind::cone:
      return cone({0, 0, 0}, kLevel, half[2], half[0], rounding);
    case Kind::halfspace:
    case Kind::polygon:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;
  }
  return halfspace<3>({0, 0, 1}, 0);
}

bool can_turn(const Solid<3>& solid) { return solid.kind != Kind::aabb; }

Solid<3> turned_if(const Quaternion& turn, const Solid<3>& solid) {
  return can_turn(solid) ? turned_by(turn, solid) : solid;
}

/// The farthest point of the whole solid, rounding included, along the unit vector d.
Point<3> farthest(const Solid<3>& solid, const Point<3>& d) {
  const Vec<3> n = widened(d);
  const Vec<3> point = plus(round_core(solid, {}).point(n), n, radius_of(solid));
  return {static_cast<double>(point[0]), static_cast<double>(point[1]),
          static_cast<double>(point[2])};
}

Point<3> negative(const Point<3>& d) { return {-d[0], -d[1], -d[2]}; }

/// B moved to where its farthest point against d is A's farthest point along d, then by `gap`.
Solid<3> put_against(const Solid<3>& a, const Solid<3>& b, const Point<3>& d, double gap) {
  const Point<3> at_a = farthest(a, d), at_b = farthest(b, negative(d));
  Point<3> to;
  for (int k = 0; k < 3; ++k) to[k] = at_a[k] - at_b[k] + gap * d[k];
  return moved<3>(b, to);
}

Point<3> slight_axis(Random& random) { return random.direction<3>(); }

/// Turns a level solid so that it may rest on its lowest face, line or end.
Solid<3> resting(Random& random, Solid<3> solid) {
  if (solid.kind == Kind::cone && random.chance(0.6)) {
    // On its side, whose normal leans from the axis by this angle.
    const double lean = std::atan2(2 * solid.q[2], solid.size);
    return turned_by(about({0, 1, 0}, std::numbers::pi - lean), solid);
  }
  if (solid.kind == Kind::cylinder || solid.kind == Kind::capsule ||
      solid.kind == Kind::ellipsoid) {
    if (random.chance(0.5)) return turned_by(about({0, 1, 0}, std::numbers::pi / 2), solid);
  }
  return solid;
}

double slight_gap(Random& random) {
  if (random.chance(0.2)) return 0;
  return (random.chance(0.7) ? -1 : 1) * power_between(random, -9, -1);
}

SolidPair<3> bounded_pair(Random& random, RoundFamily family, Kind kind_a, Kind kind_b) {
  double size_a = 1, size_b = 1;
  if (family != RoundFamily::units && !random.chance(0.7)) size_b = power_between(random, -1, 1);
  Form form_a = Form::plain, form_b = Form::plain;
  const auto choose_forms = [&](Form form) {
    form_a = random.chance(0.7) ? form : Form::plain;
    form_b = form_a == Form::plain || random.chance(0.5) ? form : Form::plain;
  };
  if (family == RoundFamily::flat) choose_forms(Form::flat);
  if (family == RoundFamily::needle) choose_forms(Form::needle);
  if (family == RoundFamily::round) choose_forms(Form::round);
  if (family == RoundFamily::zero) choose_forms(Form::zero);
  if (family == RoundFamily::sized) {
    size_a = power_between(random, -3, 4);
    size_b = power_between(random, -3, 4);
  }
  if (family == RoundFamily::nested) size_b = random.uniform(0.05, 0.4);
  if (family == RoundFamily::concentric && random.chance(0.3)) choose_forms(Form::round);
  if (family == RoundFamily::coaxial || family == RoundFamily::nearly_coaxial) {
    if (random.chance(0.2)) choose_forms(random.chance(0.5) ? Form::flat : Form::needle);
  }
  Solid<3> a = level_solid(random, kind_a, form_a, size_a);
  Solid<3> b = level_solid(random, kind_b, form_b, size_b);
  const auto turn_both = [&] {
    a = turned_if(random_orientation(random), a);
    b = turned_if(random_orientation(random), b);
  };
  const Point<3> d = random.direction<3>();
  const auto along_d = [&](double by) { return Point<3>{by * d[0], by * d[1], by * d[2]}; };
  // What has a direction of its own may be turned as a whole.
  bool turns_whole = false;
  switch (family) {
    case RoundFamily::shallow:
      turn_both();
      b = put_against(
          a, b, d,
          (random.chance(0.6) ? -1 : 1) * power_between(random, -6, -1) * std::min(size_a, size_b));
      break;
    case RoundFamily::touching:
      turn_both();
      b = put_against(a, b, d, 0);
      break;
    case RoundFamily::deep:
    case RoundFamily::nested: {
      turn_both();
      Point<3> to = farthest(a, d);
      const double share = random.uniform(0, family == RoundFamily::deep ? 0.5 : 1);
      for (double& value : to) value *= share;
      b = moved<3>(b, to);
      break;
    }
    case RoundFamily::concentric: {
      if (random.chance(0.5))
        turn_both();
      else if (random.chance(0.5))
        b = turned_if(any_of(random, cube_rotations()), b);
      if (random.chance(0.5)) b = moved<3>(b, along_d(power_between(random, -9, -3)));
      turns_whole = true;
      break;
    }
    case RoundFamily::coaxial:
    case RoundFamily::nearly_coaxial: {
      for (Solid<3>* solid : {&a, &b}) {
        if (solid->kind == Kind::ellipsoid && random.chance(0.7)) solid->q[1] = solid->q[0];
      }
      b = turned_if(about({0, 0, 1}, random.uniform(-3, 3)), b);
      if (random.chance(0.5)) b = turned_if(about({1, 0, 0}, std::numbers::pi), b);
      if (family == RoundFamily::nearly_coaxial) {
        b = turned_if(about(slight_axis(random), power_between(random, -9, -2)), b);
        if (random.chance(0.5)) b = moved<3>(b, along_d(power_between(random, -9, -2)));
      }
      const double reach = farthest(a, {0, 0, 1})[2] + farthest(b, {0, 0, 1})[2];
      double by = random.uniform(-1.2, 1.2) * reach;
      if (random.chance(0.2)) by = 0;
      b = moved<3>(b, {0, 0, by});
      turns_whole = true;
      break;
    }
    case RoundFamily::flush: {
      a = turned_if(about({1, 0, 0}, std::numbers::pi), resting(random, a));
      b = resting(random, b);
      b = turned_if(about({0, 0, 1}, random.uniform(-3, 3)), b);
      if (random.chance(0.8)) {
        b = turned_if(about(slight_axis(random), power_between(random, -9, -2)), b);
      }
      const double top = farthest(a, {0, 0, 1})[2], bottom = farthest(b, {0, 0, -1})[2];
      const double aside = random.chance(0.2) ? 0 : random.uniform(0, 1);
      b = moved<3>(b, {aside * d[0], aside * d[1], top - bottom + slight_gap(random)});
      turns_whole = true;
      break;
    }
    default: {
      turn_both();
      const double reach = random.uniform(0, 1.3) * (size_a + size_b);
      b = moved<3>(b, along_d(reach));
      if (random.chance(0.1)) b = put_against(a, b, d, 0);
      break;
    }
  }
  SolidPair<3> pair{a, b};
  const bool may_turn = can_turn(a) && can_turn(b);
  if (turns_whole && may_turn && random.chance(0.6)) {
    // A unit quaternion: the solids' own orientations may miss it by as much as a scene may.
    const Quaternion turn = random.direction<4>();
    pair = turned_by(random.chance(0.3) ? any_of(random, cube_rotations()) : turn, pair);
  }
  if (random.chance(0.5)) {
    const Point<3> center = random.point<3>(-2 * size_a, 2 * size_a);
    pair = {moved<3>(pair.a, center), moved<3>(pair.b, center)};
  }
  return pair;
}

Solid<3> grid_bounded(Random& random, Kind kind) {
  const Point<3> center{random.integer(-4, 4) * 0.25, random.integer(-4, 4) * 0.25,
                        random.integer(-4, 4) * 0.25};
  if (kind == Kind::ellipsoid) return grid_ellipsoid(random, center);
  if (kind == Kind::cone) return grid_cone(random, center);
  if (kind == Kind::box) return grid_box3(random, center);
  Solid<3> solid = level_solid(random, kind, Form::plain, 1);
  for (double& value : solid.p) value = std::round(4 * value) / 4;
  for (double& value : solid.q) value = std::round(4 * value) / 4;
  if (kind != Kind::hull) solid.size = std::round(4 * solid.size) / 4;
  solid.rounding = std::round(4 * solid.rounding) / 4;
  if (has_orientation(kind)) solid.orientation = grid_orientation(random);
  return moved<3>(solid, center);
}

/// `other` on a halfspace.
SolidPair<3> on_halfspace(Random& random, RoundFamily family, const Solid<3>& other) {
  const Point<3> normal = random.chance(0.2) ? Point<3>{0, 0, 1} : random.direction<3>();
  const Point<3> low = farthest(other, negative(normal));
  double offset = normal[0] * low[0] + normal[1] * low[1] + normal[2] * low[2];
  if (family == RoundFamily::touching) return {other, halfspace<3>(normal, offset)};
  offset += family == RoundFamily::shallow ? slight_gap(random) : random.uniform(-1, 2);
  return {other, halfspace<3>(normal, offset)};
}

}  // namespace

Solid<3> in_unit(double unit, Solid<3> solid) {
  if (solid.kind != Kind::halfspace) {
    for (double& value : solid.p) value *= unit;
  }
  for (double& value : solid.q) value *= unit;
  solid.size *= unit;
  solid.rounding *= unit;
  for (Point<3>& vertex : solid.vertices) {
    for (double& value : vertex) value *= unit;
  }
  return solid;
}

namespace {

SolidPair<3> pair_of_family(Random& random, RoundFamily family, Kind a, Kind b) {
  if (b != Kind::halfspace) {
    if (family != RoundFamily::grid) return bounded_pair(random, family, a, b);
    return {grid_bounded(random, a), grid_bounded(random, b)};
  }
  if (family == RoundFamily::grid) {
    return {grid_bounded(random, a), halfspace<3>({0, 0, 1}, random.integer(-4, 4) * 0.25)};
  }
  if (family == RoundFamily::flush) {
    Solid<3> solid = resting(random, level_solid(random, a, Form::plain, 1));
    if (random.chance(0.8)) {
      solid = turned_if(about(slight_axis(random), power_between(random, -9, -2)), solid);
    }
    const double offset = farthest(solid, {0, 0, -1})[2] + slight_gap(random);
    SolidPair<3> pair{solid, halfspace<3>({0, 0, 1}, offset)};
    return can_turn(solid) ? turned_by(random_orientation(random), pair) : pair;
  }
  return on_halfspace(random, family, bounded_pair(random, family, a, a).a);
}

/// Several turns together may be farther from unit length than an orientation may be.
Solid<3> with_unit_turn(Solid<3> solid) {
  const double square = square_of(solid.orientation);
  if (std::abs(square - 1) > 9e-5) {
    solid.orientation = scaled_by(solid.orientation, 1 / std::sqrt(square));
  }
  return solid;
}

}  // namespace

SolidPair<3> round_pair(Random& random, RoundFamily family, Kind a, Kind b) {
  if (a == Kind::halfspace) {
    const SolidPair<3> pair = round_pair(random, family, b, a);
    return {pair.b, pair.a};
  }
  const SolidPair<3> pair = pair_of_family(random, family, a, b);
  return {with_unit_turn(pair.a), with_unit_turn(pair.b)};
}

}  // namespace widephase::test
