#include "support/hulls.hpp"

namespace widephase::test {

template <class T>
Column<T, 3> column_of(const Vertices3& points) {
  Column<T, 3> column;
  for (const Vertex3& p : points) {
    column.push_back({static_cast<T>(p[0]), static_cast<T>(p[1]), static_cast<T>(p[2])});
  }
  return column;
}

template <class T>
Vertices3 rows_of(const Column<T, 3>& column) {
  Vertices3 points;
  for (std::size_t row = 0; row < column.size(); ++row) {
    points.push_back({static_cast<double>(column(row, 0)), static_cast<double>(column(row, 1)),
                      static_cast<double>(column(row, 2))});
  }
  return points;
}

Vertices3 turned(const Vertices3& points, Random& random, Vertex3 shift) {
  double q[4], square = 0;
  do {
    square = 0;
    for (double& value : q) {
      value = random.uniform(-1, 1);
      square += value * value;
    }
  } while (square > 1 || square < 1e-3);
  for (double& value : q) value /= std::sqrt(square);
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                          {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                          {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  Vertices3 moved;
  for (const Vertex3& p : points) {
    Vertex3 to = shift;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) to[i] += m[i][k] * p[k];
    }
    moved.push_back(to);
  }
  return moved;
}

Vertices3 shuffled(Vertices3 points, Random& random) {
  for (std::size_t i = points.size(); i > 1; --i) {
    std::swap(points[i - 1], points[random.bits() % i]);
  }
  return points;
}

double extent_of(const Vertices3& points) {
  double extent = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [low, high] = std::minmax_element(
        points.begin(), points.end(), [&](const auto& a, const auto& b) { return a[k] < b[k]; });
    extent = std::max(extent, (*high)[k] - (*low)[k]);
  }
  return extent;
}

template <class T>
long double above(const HullTopology<T>& surface, std::int32_t face, const Vertex3& p) {
  const auto f = static_cast<std::size_t>(face);
  long double product = -static_cast<long double>(surface.offsets[f]);
  for (int k = 0; k < 3; ++k) {
    product += static_cast<long double>(surface.normals(f, k)) * p[static_cast<std::size_t>(k)];
  }
  return product;
}

template <class T>
std::string surface_problem(const Vertices3& vertices, const HullTopology<T>& surface) {
  const auto faces = static_cast<std::size_t>(surface.face_count());
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> face_of;  // by directed edge
  std::vector<int> faces_of(vertices.size());
  std::set<std::pair<std::int32_t, std::int32_t>> neighbours;
  double size = 0;
  for (const Vertex3& v : vertices) {
    for (const double value : v) size = std::max(size, std::abs(value));
  }
  const double epsilon = std::numeric_limits<T>::epsilon();
  // The rounding of the plane: of its offset, and of its normal over the extent. Vertices are
  // compared with the outermost one, whose own rounding is less than the offset's.
  const double rounding = 4 * epsilon * size;
  const double tolerance = kFlatHullEpsilons * epsilon * extent_of(vertices);
  for (std::size_t f = 0; f < faces; ++f) {
    const std::string name = "face " + std::to_string(f) + " ";
    const auto begin = static_cast<std::size_t>(surface.face_offsets[f]);
    const auto end = static_cast<std::size_t>(surface.face_offsets[f + 1]);
    if (end < begin + 3) return name + "has fewer than 3 vertices";
    double square = 0;
    for (int k = 0; k < 3; ++k) {
      square += static_cast<double>(surface.normals(f, k)) * surface.normals(f, k);
    }
    if (std::abs(square - 1) > 8 * epsilon) return name + "has no unit normal";
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t next = i + 1 == end ? begin : i + 1;
      const std::int32_t a = surface.face_vertices[i], b = surface.face_vertices[next];
      if (a < 0 || a >= static_cast<std::int32_t>(vertices.size())) return name + "has no vertex";
      ++faces_of[static_cast<std::size_t>(a)];
      if (!face_of.emplace(std::pair(a, b), static_cast<std::int32_t>(f)).second) {
        return name + "has an edge that another has in the same direction";
      }
      const auto twin = static_cast<std::size_t>(surface.twins[i]);
      if (surface.face_vertices[twin] != b || surface.twins[twin] != static_cast<std::int32_t>(i)) {
        return name + "has a wrong twin";
      }
      // Convex: seen from outside, no turn is to the right.
      const std::size_t after = next + 1 == end ? begin : next + 1;
      const std::int32_t c = surface.face_vertices[after];
      long double u[3], v[3], bend = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vertex3 &p = vertices[static_cast<std::size_t>(a)],
                      &q = vertices[static_cast<std::size_t>(b)],
                      &r = vertices[static_cast<std::size_t>(c)];
        u[k] = static_cast<long double>(q[k]) - p[k];
        v[k] = static_cast<long double>(r[k]) - q[k];
      }
      for (int k = 0; k < 3; ++k) {
        bend += (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]) *
                static_cast<long double>(surface.normals(f, k));
      }
      if (!(bend > 0)) return name + "is not convex at vertex " + std::to_string(b);
      if (a !=
              *std::min_element(surface.face_vertices.begin() + static_cast<std::ptrdiff_t>(begin),
                                surface.face_vertices.begin() + static_cast<std::ptrdiff_t>(end)) &&
          i == begin) {
        return name + "does not begin at its lowest vertex";
      }
    }
    bool touches = false;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      const auto height =
          static_cast<double>(above(surface, static_cast<std::int32_t>(f), vertices[v]));
      if (height > rounding) return name + "has a vertex above: " + std::to_string(v);
      touches |= height >= -rounding;
      const bool is_own = std::count(surface.face_vertices.begin() + static_cast<long>(begin),
                                     surface.face_vertices.begin() + static_cast<long>(end),
                                     static_cast<std::int32_t>(v)) != 0;
      if (is_own && height < -tolerance - rounding) {
        return name + "has a vertex of its own below: " + std::to_string(v);
      }
    }
    if (!touches) return name + "lies apart";
  }
  if (surface.twins.size() != 2 * surface.edges.size()) return "half-edges without an edge";
  for (std::size_t e = 0; e < surface.edges.size(); ++e) {
    const HullEdge edge = surface.edges[e];
    if (edge.a >= edge.b || edge.left == edge.right) return "a wrong edge";
    if (face_of.find({edge.a, edge.b}) == face_of.end() ||
        face_of.find({edge.b, edge.a}) == face_of.end() || face_of[{edge.a, edge.b}] != edge.left ||
        face_of[{edge.b, edge.a}] != edge.right) {
      return "an edge without its faces";
    }
    if (!neighbours.insert(std::minmax(edge.left, edge.right)).second) {
      return "two faces that share two edges";
    }
    if (e > 0 &&
        std::pair(surface.edges[e - 1].a, surface.edges[e - 1].b) >= std::pair(edge.a, edge.b)) {
      return "edges out of order";
    }
  }
  if (*std::min_element(faces_of.begin(), faces_of.end()) < 3) return "a vertex of fewer faces";
  if (vertices.size() + faces != surface.edges.size() + 2) return "Euler's relation does not hold";
  return {};
}

template <class T>
double outside(const HullTopology<T>& surface, const Vertex3& point) {
  long double most = -std::numeric_limits<long double>::infinity();
  for (std::int32_t f = 0; f < surface.face_count(); ++f) {
    most = std::max(most, above(surface, f, point));
  }
  return static_cast<double>(most);
}

template <class T>
std::string hull_problem(const Vertices3& given, const HullTable<T>& table, std::int32_t index,
                         double& most_outside) {
  const Vertices3 points = rows_of(column_of<T>(given));
  const Vertices3 vertices = vertices_of(table, index);
  std::size_t row = 0;
  for (const Vertex3& v : vertices) {
    while (row < points.size() && points[row] != v) ++row;
    if (row == points.size()) return "vertices are no points, or out of order";
    if (std::find(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(row), v) !=
        points.begin() + static_cast<std::ptrdiff_t>(row)) {
      return "not the first of equal points";
    }
  }
  const HullTopology<T> surface = hull_topology(table, index);
  const std::string problem = surface_problem(vertices, surface);
  if (!problem.empty()) return problem;
  double size = 0;
  for (const Vertex3& v : points) {
    for (const double value : v) size = std::max(size, std::abs(value));
  }
  const double epsilon = std::numeric_limits<T>::epsilon();
  const double tolerance = kFlatHullEpsilons * epsilon * extent_of(points);
  for (const Vertex3& p : points) {
    most_outside = std::max(most_outside, (outside(surface, p) - 4 * epsilon * size) / tolerance);
  }
  return {};
}

#define WIDEPHASE_INSTANTIATE(T)                                                          \
  template Column<T, 3> column_of<T>(const Vertices3& points);                            \
  template Vertices3 rows_of<T>(const Column<T, 3>& column);                              \
  template long double above<T>(const HullTopology<T>& surface, std::int32_t face,        \
                                const Vertex3& p);                                        \
  template std::string surface_problem<T>(const Vertices3& vertices,                      \
                                          const HullTopology<T>& surface);                \
  template double outside<T>(const HullTopology<T>& surface, const Vertex3& point);       \
  template std::string hull_problem<T>(const Vertices3& given, const HullTable<T>& table, \
                                       std::int32_t index, double& most_outside)
WIDEPHASE_INSTANTIATE(float);
WIDEPHASE_INSTANTIATE(double);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
