#include "reference/generate_hulls.hpp"

namespace widephase::test {

std::vector<Point<3>> usable(const std::vector<Point<3>>& points,
                             const std::vector<Point<3>>& otherwise) {
  try {
    const std::vector<Point<3>> vertices = hull_vertices<double>(points);
    hull_vertices<float>(vertices);
    return vertices;
  } catch (const Error&) {
    return otherwise;
  }
}

std::vector<Point<3>> scaled_by(std::vector<Point<3>> points, const Point<3>& scale) {
  for (Point<3>& point : points) {
    for (int k = 0; k < 3; ++k) point[k] *= scale[k];
  }
  return points;
}

std::vector<Point<3>> shifted_by(std::vector<Point<3>> points, const Point<3>& offset) {
  for (Point<3>& point : points) {
    for (int k = 0; k < 3; ++k) point[k] += offset[k];
  }
  return points;
}

std::vector<Point<3>> block(double x, double y, double z) {
  std::vector<Point<3>> vertices;
  for (int i = 0; i < 8; ++i) {
    vertices.push_back({(i & 1) != 0 ? x : -x, (i & 2) != 0 ? y : -y, (i & 4) != 0 ? z : -z});
  }
  return vertices;
}

std::vector<Point<3>> prism(const std::vector<Point<2>>& outline, double half) {
  std::vector<Point<3>> vertices;
  for (const double z : {-half, half}) {
    for (const Point<2>& v : outline) vertices.push_back({v[0], v[1], z});
  }
  return vertices;
}

namespace {

std::vector<Point<3>> tetrahedron(double size) {
  return {{size, size, size}, {size, -size, -size}, {-size, size, -size}, {-size, -size, size}};
}

}  // namespace

std::vector<Point<3>> cloud(Random& random, int count, double size, bool is_round) {
  for (;;) {
    std::vector<Point<3>> points;
    for (int i = 0; i < count; ++i) {
      Point<3> point = is_round ? random.direction<3>() : random.point<3>(-1, 1);
      for (double& value : point) value *= size;
      points.push_back(point);
    }
    points = usable(points, {});
    if (!points.empty()) return points;
  }
}

std::vector<Point<3>> random_hull_vertices(Random& random, double size) {
  const double which = random.uniform(0, 1);
  const auto part = [&] { return size * random.uniform(0.1, 1); };
  if (which < 0.12) return cloud(random, 4, size, true);
  if (which < 0.15) return tetrahedron(part() / std::sqrt(3.));
  if (which < 0.27) return block(part(), part(), part());
  if (which < 0.4) {
    const std::vector<Point<2>> outline = regular(random.integer(3, 10), part());
    return usable(prism(outline, part()), block(size, size, size));
  }
  if (which < 0.72) return cloud(random, random.integer(5, 16), size, true);
  if (which < 0.87) return cloud(random, random.integer(5, 16), size, false);
  if (which < 0.89) return cloud(random, 32, size, true);
  if (which < 0.9) return cloud(random, 64, size, true);
  const std::vector<Point<3>> full = cloud(random, random.integer(4, 12), size, random.chance(0.5));
  Point<3> scale{1, 1, 1};
  if (random.chance(0.5)) {
    scale = {1e-3, 1e-3, 1e-3};
    scale[random.integer(0, 2)] = 1;
  } else {
    scale[random.integer(0, 2)] = 1e-4;
  }
  return usable(scaled_by(full, scale), full);
}

Solid<3> random_hull(Random& random, const Point<3>& center, double size) {
  std::vector<Point<3>> vertices = random_hull_vertices(random, size);
  const Quaternion orientation = random_orientation(random);
  Point<3> place = center;
  if (random.chance(0.2)) {
    // The vertices are ten sizes from the origin of their frame, and the frame moves back as far.
    Point<3> offset = random.direction<3>();
    for (double& value : offset) value *= 10 * size;
    const std::vector<Point<3>> far = usable(shifted_by(vertices, offset), {});
    if (!far.empty()) {
      vertices = far;
      const Point<3> turned = rotated(orientation, offset);
      for (int k = 0; k < 3; ++k) place[k] -= turned[k];
    }
  }
  const double radius = random.chance(0.5) ? 0 : size * random.uniform(0, 0.4);
  return hull(place, orientation, vertices, radius);
}

Solid<3> grid_hull(Random& random, const Point<3>& center) {
  const auto quarters = [&] { return random.integer(1, 4) * 0.25; };
  const double x = quarters(), y = quarters(), z = quarters();
  std::vector<Point<3>> vertices = block(x, y, z);
  switch (random.integer(0, 6)) {
    case 0:
      vertices = {{0, 0, 0}, {x, 0, 0}, {0, y, 0}, {0, 0, z}};
      break;
    case 1:
      vertices = octahedron(x, y, z);
      break;
    case 2:
      vertices = prism({{-x, -2 * y},
                        {x, -2 * y},
                        {2 * x, -y},
                        {2 * x, y},
                        {x, 2 * y},
                        {-x, 2 * y},
                        {-2 * x, y},
                        {-2 * x, -y}},
                       z);
      break;
    case 3:
      vertices = prism({{0, 0}, {x, 0}, {0, y}}, z);
      break;
    case 4: {
      std::vector<Point<3>> any;
      for (int i = 0; i < 10; ++i) {
        any.push_back({random.integer(-4, 4) * 0.25, random.integer(-4, 4) * 0.25,
                       random.integer(-4, 4) * 0.25});
      }
      vertices = usable(any, vertices);
      break;
    }
    default:
      break;
  }
  if (random.chance(0.2)) {
    vertices = shifted_by(vertices, {random.integer(-8, 8) * 0.25, random.integer(-8, 8) * 0.25,
                                     random.integer(-8, 8) * 0.25});
  }
  return hull(center, grid_orientation(random), vertices, grid_radius(random));
}

void shake_hull(Random& random, Solid<3>& solid) {
  std::vector<Point<3>> vertices = solid.vertices;
  for (Point<3>& vertex : vertices) {
    for (double& value : vertex) {
      const double amount = std::pow(10, random.uniform(-9, -2));
      if (random.chance(0.3)) value += amount * random.uniform(-1, 1);
    }
  }
  solid.vertices = usable(vertices, solid.vertices);
  shake_box3(random, solid);
  solid.q = {};
}

std::vector<Solid<3>> special_hulls() {
  const Quaternion level{0, 0, 0, 1};
  const Quaternion on_edge = about({0, 0, 1}, kEighthTurn);
  const Quaternion quarter{std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
  const Quaternion on_corner = about({1, -1, 0}, std::acos(std::sqrt(1. / 3)));
  const double root2 = std::sqrt(2.);
  const double root3 = std::sqrt(3.);
  const std::vector<Point<3>> cube = block(1, 1, 1);
  const std::vector<Point<3>> diamond = octahedron(1, 1, 1);
  const std::vector<Point<3>> corner{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::vector<Solid<3>> hulls;
  for (const double radius : {0.0, 0.25}) {
    hulls.push_back(hull({0, 0, 0}, level, cube, radius));
    hulls.push_back(hull({0, 0, 0}, quarter, cube, radius));                  // the same again
    hulls.push_back(hull({0, 0, 0}, on_corner, cube, radius));                // concentric
    hulls.push_back(hull({0, 0, 0}, level, block(0.5, 0.5, 0.5), radius));    // inside
    hulls.push_back(hull({2, 0.5, 0.5}, quarter, cube, radius));              // a part of a face
    hulls.push_back(hull({0, 0, 2}, on_edge, cube, radius));                  // an octagon of one
    hulls.push_back(hull({2, 2, 0}, level, cube, radius));                    // an edge
    hulls.push_back(hull({2, 2, 2}, quarter, cube, radius));                  // a corner
    hulls.push_back(hull({1 + root2, 0, 0}, on_edge, cube, radius));          // its edge on a face
    hulls.push_back(hull({0, 0, 1 + root3}, on_corner, cube, radius));        // its corner on one
    hulls.push_back(hull({0, 0, 0}, level, block(3, 0.25, 0.25), radius));    // a beam through
    hulls.push_back(hull({0, 0, 0}, on_edge, block(2, 2, 0x1p-10), radius));  // a plate through
    hulls.push_back(hull({0, 0, 0}, level, diamond, radius));                 // corners on faces
    hulls.push_back(hull({2, 0, 0}, level, diamond, radius));  // a corner on a face, from outside
    hulls.push_back(
        hull({4. / 3, 4. / 3, 4. / 3}, level, diamond, radius));   // its face on a corner
    hulls.push_back(hull({1.5, 1.5, 0}, level, diamond, radius));  // its edge across another
    hulls.push_back(hull({0, 0, 0}, level, corner, radius));
    hulls.push_back(hull({1, 1, 1}, level, corner, radius));  // from the corner on
    hulls.push_back(hull({1, 0, 0}, on_edge, corner, radius));
    hulls.push_back(hull({0, 0, 0}, level, tetrahedron(1), radius));  // inscribed
    // The cube again, with vertices far from the origin of its frame.
    hulls.push_back(hull({-8, 4, 2}, level, shifted_by(cube, {8, -4, -2}), radius));
    hulls.push_back(hull({0, 0, 0}, level, prism(regular(16, 1), 1), radius));
    hulls.push_back(hull({2, 0, 0}, level, prism(regular(16, 1), 1), radius));  // edge on a face
    hulls.push_back(hull({0, 0, 2}, level, prism(regular(16, 1), 1), radius));  // face on a face
    hulls.push_back(hull({2.25, 0, 0}, level, cube, radius));                   // apart
  }
  return hulls;
}

}  // namespace widephase::test
