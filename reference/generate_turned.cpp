#include "reference/generate_turned.hpp"

namespace widephase::test {

std::vector<Point<2>> regular(int count, double radius, double first) {
  std::vector<Point<2>> vertices;
  for (int i = 0; i < count; ++i) {
    const double angle = first + 8 * kEighthTurn * i / count;
    vertices.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return vertices;
}

std::vector<Point<2>> random_vertices(Random& random, int count, double radius, double inner) {
  for (;;) {
    std::vector<Point<2>> vertices;
    for (int i = 0; i < count; ++i) {
      const double angle = 8 * kEighthTurn * (i + random.uniform(-0.4, 0.4)) / count;
      const double reach = radius * random.uniform(inner, 1);
      vertices.push_back({reach * std::cos(angle), reach * std::sin(angle)});
    }
    vertices = usable(vertices, {});
    if (!vertices.empty()) return vertices;
  }
}

Solid<2> random_box(Random& random, const Point<2>& center, double size) {
  Point<2> half = random.point<2>(0.05 * size, size);
  if (random.chance(0.1)) half[random.integer(0, 1)] *= std::pow(10, random.uniform(-4, -3));
  const double radius = random.chance(0.5) ? 0 : size * random.uniform(0, 0.4);
  return box(center, random_angle(random), half, radius);
}

Solid<2> random_polygon(Random& random, const Point<2>& center, double size) {
  std::vector<Point<2>> vertices;
  const double which = random.uniform(0, 1);
  if (which < 0.6) {
    vertices = random_vertices(random, random.integer(3, 8), size, 0.4);
  } else if (which < 0.72) {
    vertices = random_vertices(random, random.integer(9, 16), size, 0.97);
  } else if (which < 0.8) {
    vertices = regular(random.integer(3, 16), size * random.uniform(0.3, 1));
  } else if (which < 0.85) {
    vertices = regular(64, size * random.uniform(0.3, 1), random.uniform(0, 1));
  } else if (which < 0.9) {
    vertices = rectangle(size * random.uniform(0.05, 1), size * random.uniform(0.05, 1));
  } else {
    const double flat = std::pow(10, random.uniform(-4, -3));
    const std::vector<Point<2>> full = random_vertices(random, random.integer(3, 6), size, 0.4);
    for (const Point<2>& v : full) vertices.push_back(scaled_by(v, 1, flat));
    vertices = usable(vertices, full);
  }
  const double angle = random_angle(random);
  Point<2> place = center;
  if (random.chance(0.2)) {
    // The vertices are ten sizes from the origin of their frame, and the frame moves back as far.
    const Point<2> direction = random.direction<2>();
    std::vector<Point<2>> far;
    for (const Point<2>& v : vertices) {
      far.push_back({v[0] + 10 * size * direction[0], v[1] + 10 * size * direction[1]});
    }
    far = usable(far, {});
    if (!far.empty()) {
      vertices = far;
      const double c = std::cos(angle);
      const double s = std::sin(angle);
      place[0] -= 10 * size * (c * direction[0] - s * direction[1]);
      place[1] -= 10 * size * (s * direction[0] + c * direction[1]);
    }
  }
  const double radius = random.chance(0.5) ? 0 : size * random.uniform(0, 0.4);
  return polygon(place, angle, vertices, radius);
}

Solid<2> grid_polygon(Random& random, const Point<2>& center) {
  const double x = random.integer(1, 4) * 0.25;
  const double y = random.integer(1, 4) * 0.25;
  std::vector<Point<2>> vertices = rectangle(x, y);
  switch (random.integer(0, 5)) {
    case 0:
      vertices = {{0, 0}, {x, 0}, {0, y}};
      break;
    case 1:
      vertices = {{-x, 0}, {0, -y}, {x, 0}, {0, y}};
      break;
    case 2:
      vertices = {{-x, -2 * y}, {x, -2 * y}, {2 * x, -y}, {2 * x, y},
                  {x, 2 * y},   {-x, 2 * y}, {-2 * x, y}, {-2 * x, -y}};
      break;
    case 3: {
      std::vector<Point<2>> any;
      for (int i = 0; i < 9; ++i) {
        any.push_back({random.integer(-4, 4) * 0.25, random.integer(-4, 4) * 0.25});
      }
      vertices = usable(any, vertices);
      break;
    }
    default:
      break;
  }
  if (random.chance(0.2)) {
    const Point<2> offset{random.integer(-8, 8) * 0.25, random.integer(-8, 8) * 0.25};
    for (Point<2>& v : vertices) v = {v[0] + offset[0], v[1] + offset[1]};
  }
  return polygon(center, grid_angle(random), vertices, grid_radius(random));
}

void shake_turned(Random& random, Solid<2>& solid) {
  const auto shake = [&](double& value) {
    const double amount = std::pow(10, random.uniform(-9, -2));
    if (random.chance(0.5)) value += amount * random.uniform(-1, 1);
  };
  shake(solid.angle);
  for (double& value : solid.p) shake(value);
  if (solid.kind == Kind::box) {
    for (double& value : solid.q) {
      shake(value);
      value = std::abs(value);
    }
    return;
  }
  std::vector<Point<2>> vertices = solid.vertices;
  for (Point<2>& v : vertices) {
    for (double& value : v) {
      if (random.chance(0.5)) shake(value);
    }
  }
  solid.vertices = usable(vertices, solid.vertices);
}

std::vector<Solid<2>> special_boxes() {
  const double quarter = 2 * kEighthTurn;
  std::vector<Solid<2>> boxes;
  for (const double radius : {0.0, 0.25}) {
    boxes.push_back(box({0, 0}, 0, {1, 1}, radius));
    boxes.push_back(box({0, 0}, quarter, {1, 1}, radius));      // the same again
    boxes.push_back(box({0, 0}, kEighthTurn, {1, 1}, radius));  // on its corners
    boxes.push_back(box({0, 0}, 0, {2, 0.25}, radius));         // a beam through
    boxes.push_back(box({0, 0}, quarter, {2, 0.25}, radius));   // and across
    boxes.push_back(box({0, 0}, 0, {0.5, 0.5}, radius));        // inside
    boxes.push_back(box({0.25, 0}, kEighthTurn, {0.25, 0.25}, radius));
    boxes.push_back(box({2, 0}, 0, {1, 1}, radius));              // shares an edge
    boxes.push_back(box({0, 1.5}, 0, {0.25, 0.5}, radius));       // within an edge
    boxes.push_back(box({2, 0.5}, 2 * quarter, {1, 1}, radius));  // shares a part of one
    boxes.push_back(box({2, 2}, 0, {1, 1}, radius));              // a corner
    boxes.push_back(box({2, 2}, -quarter, {1, 1}, radius));
    boxes.push_back(box({2, 0}, kEighthTurn, {std::sqrt(0.5), std::sqrt(0.5)}, radius));
    boxes.push_back(box({1.5, 1.5}, kEighthTurn, {1, std::sqrt(0.5)}, radius));
    boxes.push_back(box({2.25, 0}, 0, {1, 1}, radius));     // apart
    boxes.push_back(box({0, 0}, 0, {1, 0}, radius));        // flat
    boxes.push_back(box({0, 1}, 0, {1, 0}, radius));        // flat, on an edge
    boxes.push_back(box({0, 0}, quarter, {3, 0}, radius));  // flat, through
    boxes.push_back(box({1, 1}, kEighthTurn, {1, 0}, radius));
    boxes.push_back(box({0, 0}, kEighthTurn, {0, 0}, radius));  // a point
    boxes.push_back(box({1, 1}, 0, {0, 0}, radius));            // a point on a corner
    boxes.push_back(box({1, 0.5}, 1, {0, 0}, radius));          // on an edge
  }
  return boxes;
}

std::vector<Solid<2>> special_polygons() {
  const double quarter = 2 * kEighthTurn;
  const std::vector<Point<2>> square = rectangle(1, 1);
  const std::vector<Point<2>> diamond{{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  const std::vector<Point<2>> triangle{{0, 0}, {2, 0}, {0, 2}};
  const std::vector<Point<2>> octagon{{-0.5, -1}, {0.5, -1}, {1, -0.5}, {1, 0.5},
                                      {0.5, 1},   {-0.5, 1}, {-1, 0.5}, {-1, -0.5}};
  std::vector<Solid<2>> polygons;
  for (const double radius : {0.0, 0.25}) {
    polygons.push_back(polygon({0, 0}, 0, square, radius));
    polygons.push_back(polygon({0, 0}, quarter, square, radius));
    polygons.push_back(polygon({0, 0}, kEighthTurn, square, radius));
    polygons.push_back(polygon({0, 0}, 0, {{1, -1}, {1, 1}, {-1, 1}, {-1, -1}}, radius));
    polygons.push_back(polygon({2, 0}, 0, square, radius));  // shares an edge
    polygons.push_back(polygon({2, 2}, 0, square, radius));  // a corner
    polygons.push_back(polygon({2, 1}, 2 * quarter, square, radius));
    polygons.push_back(polygon({0, 0}, 0, rectangle(0.5, 0.5), radius));  // inside
    polygons.push_back(polygon({0, 0}, 0, rectangle(3, 0.25), radius));   // a beam through
    polygons.push_back(polygon({0, 0}, 0, diamond, radius));              // corners on edges
    polygons.push_back(polygon({2, 0}, 0, diamond, radius));              // a corner on an edge
    polygons.push_back(polygon({1.5, 1.5}, 0, diamond, radius));          // its edge on a corner
    polygons.push_back(polygon({0, 0}, 0, triangle, radius));
    polygons.push_back(polygon({1, 1}, 0, triangle, radius));
    polygons.push_back(polygon({-1, 1}, quarter, triangle, radius));
    polygons.push_back(polygon({0, 0}, 0, octagon, radius));
    polygons.push_back(polygon({2, 0}, quarter, octagon, radius));
    polygons.push_back(polygon({1.75, 1.75}, 0, octagon, radius));
    // The square again, far from the origin of its frame.
    polygons.push_back(polygon({-8, 4}, 0, {{7, -5}, {9, -5}, {9, -3}, {7, -3}}, radius));
    polygons.push_back(polygon({0, 0}, 0, regular(64, 1), radius));
    polygons.push_back(polygon({2, 0}, 0, regular(64, 1), radius));  // touches at (1, 0)
    polygons.push_back(polygon({0, 0}, 0, regular(5, 1), radius));
    polygons.push_back(polygon({0, 0}, 0, rectangle(2, 0x1p-10), radius));  // a sliver
  }
  return polygons;
}

}  // namespace widephase::test
