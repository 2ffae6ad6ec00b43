#include "reference/generate_turned3.hpp"

namespace widephase::test {

Quaternion product(const Quaternion& first, const Quaternion& second) {
  const auto [x, y, z, w] = first.values;
  const auto [a, b, c, d] = second.values;
  return {w * a + x * d + y * c - z * b, w * b - x * c + y * d + z * a,
          w * c + x * b - y * a + z * d, w * d - x * a - y * b - z * c};
}

const std::vector<Quaternion>& cube_rotations() {
  static const std::vector<Quaternion> kRotations = [] {
    std::vector<Quaternion> rotations;
    // Components of -1, 0 and 1: one, two or all four are not 0. The last of these is positive.
    for (int code = 0; code < 81; ++code) {
      Quaternion q{};
      int count = 0;
      double last = 0;
      for (int k = 0, rest = code; k < 4; ++k, rest /= 3) {
        q[k] = rest % 3 - 1;
        count += q[k] != 0;
        if (q[k] != 0) last = q[k];
      }
      if (last < 0 || count == 0 || count == 3) continue;
      rotations.push_back(scaled_by(q, 1 / std::sqrt(count)));
    }
    return rotations;
  }();
  return kRotations;
}

const std::vector<Quaternion>& eighth_turns() {
  static const std::vector<Quaternion> kTurns = [] {
    std::vector<Quaternion> turns;
    for (const double angle : {-3., -1., 1., 3.}) {
      for (const Point<3>& axis :
           {Point<3>{1, 0, 0}, Point<3>{0, 1, 0}, Point<3>{0, 0, 1}, Point<3>{1, 1, 0},
            Point<3>{0, 1, -1}, Point<3>{1, 1, 1}, Point<3>{-1, 1, 1}}) {
        turns.push_back(about(axis, angle * kEighthTurn));
        turns.push_back(product(turns.back(), cube_rotations()[10]));
      }
    }
    return turns;
  }();
  return kTurns;
}

Solid<3> random_box3(Random& random, const Point<3>& center, double size) {
  Point<3> half = random.point<3>(0.05 * size, size);
  if (random.chance(0.1)) half[random.integer(0, 2)] *= std::pow(10, random.uniform(-4, -3));
  const double radius = random.chance(0.5) ? 0 : size * random.uniform(0, 0.4);
  return box(center, random_orientation(random), half, radius);
}

void shake_box3(Random& random, Solid<3>& solid) {
  const auto shake = [&](double& value) {
    const double amount = std::pow(10, random.uniform(-9, -2));
    if (random.chance(0.5)) value += amount * random.uniform(-1, 1);
  };
  for (double& value : solid.p) shake(value);
  for (double& value : solid.q) {
    shake(value);
    value = std::abs(value);
  }
  for (double& value : solid.orientation) shake(value);
  const double square = square_of(solid.orientation);
  if (std::abs(square - 1) > 9e-5) {
    solid.orientation = scaled_by(solid.orientation, 1 / std::sqrt(square));
  }
}

Quaternion snapped(const Quaternion& orientation) {
  Quaternion best{};
  double most = -1;
  for (const auto* choice : {&cube_rotations(), &eighth_turns()}) {
    for (const Quaternion& q : *choice) {
      double sum = 0;
      for (int k = 0; k < 4; ++k) sum += q[k] * orientation[k];
      if (std::abs(sum) > most) best = q;
      most = std::max(most, std::abs(sum));
    }
  }
  return best;
}

Solid<3> turned_by(const Quaternion& turn, Solid<3> solid) {
  solid.p = rotated(turn, solid.p);
  if (solid.kind == Kind::capsule) solid.q = rotated(turn, solid.q);
  // Has no effect for kinds without an orientation.
  solid.orientation = product(turn, solid.orientation);
  return solid;
}

std::vector<Solid<3>> special_boxes3() {
  const Quaternion level{0, 0, 0, 1};
  const Quaternion on_edge = about({0, 0, 1}, kEighthTurn);
  // Equal components: the rotation exchanges axes exactly.
  const Quaternion quarter{std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
  // The diagonal of the cube points up, so it stands on a corner.
  const Quaternion on_corner = about({1, -1, 0}, std::acos(std::sqrt(1. / 3)));
  const double root2 = std::sqrt(2.);
  const double root3 = std::sqrt(3.);
  std::vector<Solid<3>> boxes;
  for (const double radius : {0.0, 0.25}) {
    boxes.push_back(box({0, 0, 0}, level, {1, 1, 1}, radius));
    boxes.push_back(box({0, 0, 0}, quarter, {1, 1, 1}, radius));      // the same again
    boxes.push_back(box({0, 0, 0}, on_edge, {1, 1, 1}, radius));      // concentric
    boxes.push_back(box({0, 0, 0}, on_corner, {1, 1, 1}, radius));    // concentric
    boxes.push_back(box({0, 0, 0}, level, {0.5, 0.5, 0.5}, radius));  // inside
    boxes.push_back(box({0.25, 0, 0}, on_edge, {0.25, 0.25, 0.25}, radius));
    boxes.push_back(box({2, 0, 0}, level, {1, 1, 1}, radius));              // shares a face
    boxes.push_back(box({2, 0.5, 0.5}, quarter, {1, 1, 1}, radius));        // a part of one
    boxes.push_back(box({0, 0, 1.5}, level, {0.25, 0.25, 0.5}, radius));    // within a face
    boxes.push_back(box({0, 0, 2}, on_edge, {1, 1, 1}, radius));            // an octagon of one
    boxes.push_back(box({2, 2, 0}, level, {1, 1, 1}, radius));              // an edge
    boxes.push_back(box({2, 2, 2}, quarter, {1, 1, 1}, radius));            // a corner
    boxes.push_back(box({1 + root2, 0, 0}, on_edge, {1, 1, 1}, radius));    // its edge on a face
    boxes.push_back(box({0, 0, 1 + root3}, on_corner, {1, 1, 1}, radius));  // its corner on one
    boxes.push_back(box({0, 0, 0.5 + root3}, on_corner, {1, 1, 1}, radius));
    boxes.push_back(box({1.5, 1.5, 0}, on_edge, {root2 / 2, 2, 0.5}, radius));  // on an edge
    // A beam across the upright edge at (1, 1). Its foremost edge is 1 from its centre line, so the
    // two edges touch. Then a beam that leans by 45 degrees and overlaps.
    boxes.push_back(box({1 + root2 / 2, 1 + root2 / 2, 0}, about({1, 1, 0}, 2 * kEighthTurn),
                        {root2 / 2, root2 / 2, 3}, radius));
    boxes.push_back(box({1.5, 1.5, 0}, about({1, 1, 0}, kEighthTurn), {0.75, 0.75, 3}, radius));
    boxes.push_back(box({1, 0, 1}, about({0, 1, 0}, kEighthTurn), {2, 2, 0.25}, radius));
    boxes.push_back(box({2.25, 0, 0}, level, {1, 1, 1}, radius));     // apart
    boxes.push_back(box({0, 0, 0}, level, {3, 0.25, 0.25}, radius));  // a beam through
    boxes.push_back(box({0, 0, 0}, on_edge, {3, 0.25, 0.25}, radius));
    boxes.push_back(box({0, 0, 0}, quarter, {2, 2, 0.25}, radius));  // a plate through
    boxes.push_back(box({0, 0, 0}, on_edge, {2, 2, 0.25}, radius));  // plates cross
    boxes.push_back(box({0, 0, 0}, level, {1, 1, 0}, radius));       // flat
    boxes.push_back(box({0, 0, 0}, on_corner, {2, 2, 0}, radius));
    boxes.push_back(box({0, 0, 1}, on_edge, {1, 1, 0}, radius));    // flat, on a face
    boxes.push_back(box({0, 0, 0}, quarter, {0, 0, 3}, radius));    // a stick through
    boxes.push_back(box({0, 1, 1}, level, {1, 0, 0}, radius));      // along an edge
    boxes.push_back(box({0, 0, 1}, on_edge, {1, 0, 0}, radius));    // a stick on a face
    boxes.push_back(box({0, 0, 0}, on_corner, {0, 0, 0}, radius));  // a point
    boxes.push_back(box({1, 1, 1}, level, {0, 0, 0}, radius));      // on a corner
    boxes.push_back(box({1, 0.5, 0}, on_edge, {0, 0, 0}, radius));  // on a face
  }
  return boxes;
}

std::vector<SolidPair<3>> thin_boxes(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  const auto thin = [&] {
    Point<3> half{1, 1, 1};
    const int axis = random.integer(0, 2);
    const double thinness = random.chance(0.5) ? 1e-3 : 1e-4;
    if (random.chance(0.5)) {
      half = {thinness, thinness, thinness};
      half[axis] = 1;
    } else {
      half[axis] = thinness;
    }
    return box(random.point<3>(-1, 1), random_orientation(random), half,
               random.chance(0.7) ? 0 : 0.05);
  };
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    SolidPair<3> pair{thin(), random.chance(0.3) ? random_box3(random, {0, 0, 0}, 1) : thin()};
    if (random.chance(0.3)) pair.b.p = pair.a.p;
    if (random.chance(0.3)) pair.b.orientation = pair.a.orientation;
    pairs.push_back(pair);
  }
  return pairs;
}

std::vector<SolidPair<3>> concentric_boxes(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const Point<3> center = random.point<3>(-2, 2);
    SolidPair<3> pair{random_box3(random, center, 1), random_box3(random, center, 1)};
    const double which = random.uniform(0, 1);
    if (which < 0.3) pair.b.q = pair.a.q;
    if (which < 0.6) {
      pair.b.orientation = product(pair.a.orientation, grid_orientation(random));
      if (std::abs(square_of(pair.b.orientation) - 1) > 9e-5) pair.b.orientation = {0, 0, 0, 1};
    }
    if (random.chance(0.2)) pair.b.p[random.integer(0, 2)] += 1e-7 * random.uniform(-1, 1);
    pairs.push_back(pair);
  }
  return pairs;
}

std::vector<SolidPair<3>> stacked_boxes(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto extents = [&] {
      const bool is_grid = random.chance(0.5);
      return is_grid ? Point<3>{random.integer(1, 4) * 0.25, random.integer(1, 4) * 0.25,
                                random.integer(1, 4) * 0.25}
                     : random.point<3>(0.1, 1);
    };
    SolidPair<3> pair{box({0, 0, 0}, {0, 0, 0, 1}, extents()),
                      box({0, 0, 0}, {0, 0, 0, 1}, extents())};
    if (random.chance(0.3)) pair.b.q = pair.a.q;
    if (random.chance(0.3)) pair.a.size = grid_radius(random);
    if (random.chance(0.3)) pair.b.size = grid_radius(random);
    if (random.chance(0.5)) {
      const double angle =
          random.chance(0.5) ? kEighthTurn * random.integer(0, 7) : random.uniform(-4, 4);
      pair.b.orientation = about({0, 0, 1}, angle);
    }
    // Touching, overlapping by up to a tenth, or off from touching by 1e-9 to 1e-2.
    double lift = pair.a.q[2] + pair.b.q[2] + pair.a.size + pair.b.size;
    if (random.chance(0.5)) lift -= random.uniform(0, 0.1);
    if (random.chance(0.3)) lift += std::pow(10, random.uniform(-9, -2)) * random.uniform(-1, 1);
    pair.b.p = {random.uniform(-1, 1), random.uniform(-1, 1), lift};
    if (random.chance(0.3)) pair.b.p = {0, 0, lift};
    if (random.chance(0.3)) pair.b.p = {pair.a.q[0] - pair.b.q[0], 0, lift};
    // Lay the stack on any side, then tilt most of them.
    pair = turned_by(any_of(random, cube_rotations()), pair);
    if (random.chance(0.7)) pair = turned_by(random.direction<4>(), pair);
    if (random.chance(0.5)) std::swap(pair.a, pair.b);
    pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace widephase::test
