#include "reference/solid.hpp"

namespace widephase::test {

template <int D>
std::string describe(const Solid<D>& solid) {
  std::ostringstream text;
  text.precision(17);
  const auto write = [&](const char* name, const auto& values) {
    text << ' ' << name << " (";
    for (const double& value : values) text << (&value == values.begin() ? "" : ", ") << value;
    text << ')';
  };
  text << kind_name(solid.kind, D);
  switch (solid.kind) {
    case Kind::capsule:
      write("a", solid.p);
      write("b", solid.q);
      text << " radius " << solid.size;
      break;
    case Kind::aabb:
      write("min", solid.p);
      write("max", solid.q);
      break;
    case Kind::box:
      write("center", solid.p);
      if (D == 2) text << " angle " << solid.angle;
      if (D == 3) write("orientation", solid.orientation);
      write("half extents", solid.q);
      text << " radius " << solid.size;
      break;
    case Kind::polygon:
    case Kind::hull:
      write("center", solid.p);
      if (D == 2) text << " angle " << solid.angle;
      if (D == 3) write("orientation", solid.orientation);
      text << " vertices {";
      for (const Point<D>& vertex : solid.vertices) {
        for (int k = 0; k < D; ++k) text << (k == 0 ? "{" : ", ") << vertex[k];
        text << "}, ";
      }
      text << "} radius " << solid.size;
      break;
    case Kind::cylinder:
    case Kind::cone:
      write("center", solid.p);
      write("orientation", solid.orientation);
      text << " half height " << solid.q[D - 1] << " radius " << solid.size;
      if (solid.rounding != 0) text << " rounding " << solid.rounding;
      break;
    case Kind::ellipsoid:
      write("center", solid.p);
      write("orientation", solid.orientation);
      write("half extents", solid.q);
      if (solid.rounding != 0) text << " rounding " << solid.rounding;
      break;
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;
    case Kind::halfspace:
      write("normal", solid.p);
      text << " offset " << solid.size;
      break;
    case Kind::sphere:
      write("center", solid.p);
      text << " radius " << solid.size;
      break;
  }
  return text.str();
}

std::vector<Point<2>> strictly_convex(const std::vector<Point<2>>& points) {
  const auto is_before = [](const Point<2>& u, const Point<2>& v) {
    return u[0] != v[0] ? u[0] < v[0] : u[1] < v[1];
  };
  const auto turns_left = [](const Point<2>& u, const Point<2>& v, const Point<2>& w) {
    using Real = long double;
    return (Real{v[0]} - u[0]) * (Real{w[1]} - v[1]) > (Real{v[1]} - u[1]) * (Real{w[0]} - v[0]);
  };
  std::vector<Point<2>> sorted = points;
  std::sort(sorted.begin(), sorted.end(), is_before);
  std::vector<Point<2>> hull;
  for (const bool is_upper : {false, true}) {
    const std::size_t begin = hull.size();
    for (const Point<2>& point : sorted) {
      while (hull.size() >= begin + 2 && !turns_left(hull[hull.size() - 2], hull.back(), point)) {
        hull.pop_back();
      }
      hull.push_back(point);
    }
    // The last point of one chain is the first point of the other.
    if (!hull.empty()) hull.pop_back();
    if (!is_upper) std::reverse(sorted.begin(), sorted.end());
  }
  for (const Point<2>& point : points) {
    const auto first = std::find_if(hull.begin(), hull.end(), [&](const Point<2>& v) {
      return v[0] == point[0] && v[1] == point[1];
    });
    if (first == hull.end()) continue;
    std::rotate(hull.begin(), first, hull.end());
    break;
  }
  return hull;
}

template <class T, int D>
Column<T, D> points_column(const std::vector<Point<D>>& points) {
  Column<T, D> column;
  for (const Point<D>& point : points) {
    std::array<T, D> row;
    for (int k = 0; k < D; ++k) row[static_cast<std::size_t>(k)] = static_cast<T>(point[k]);
    column.push_back(row);
  }
  return column;
}

template <class T>
std::vector<Point<3>> hull_vertices(const std::vector<Point<3>>& points) {
  GeometryTable<Owned<3, T>> table;
  const Column<T, 3> column = points_column<T>(points);
  add_hull(table, column.span());
  std::vector<Point<3>> vertices;
  for (std::size_t i = 0; i < table.vertices.size(); ++i) {
    vertices.push_back({static_cast<double>(table.vertices(i, 0)),
                        static_cast<double>(table.vertices(i, 1)),
                        static_cast<double>(table.vertices(i, 2))});
  }
  return vertices;
}

template <class T, int D>
Solid<D> stored(Solid<D> solid) {
  // Written through memory, because g++ 12.2 at -O2 drops the rounding of some elements when it
  // vectorizes double -> float -> double over the arrays of a struct.
  const auto round = [](double& value) {
    const volatile SizeOf<T> narrow = static_cast<SizeOf<T>>(value);
    value = static_cast<double>(narrow);
  };
  const auto round_if = [&](bool is_size, double& value) {
    if (is_size || !is_mixed<T>) round(value);
  };
  const bool is_plane = solid.kind == Kind::halfspace;
  const bool has_two_points = solid.kind == Kind::capsule || solid.kind == Kind::aabb;
  for (double& value : solid.p) round_if(is_plane, value);
  for (double& value : solid.q) round_if(!has_two_points, value);
  round_if(!is_plane, solid.size);
  round(solid.angle);
  round(solid.rounding);
  for (double& value : solid.orientation) round(value);
  for (Point<D>& vertex : solid.vertices) {
    for (double& value : vertex) round(value);
  }
  if constexpr (D == 2) {
    if (solid.kind == Kind::polygon) solid.vertices = strictly_convex(solid.vertices);
  } else {
    if (solid.kind == Kind::hull) solid.vertices = hull_vertices<SizeOf<T>>(solid.vertices);
  }
  return solid;
}

template <int D>
Solid<D> moved(Solid<D> solid, const Point<D>& offset) {
  for (int k = 0; k < D; ++k) {
    if (solid.kind == Kind::halfspace) {
      solid.size += solid.p[k] * offset[k];
    } else {
      solid.p[k] += offset[k];
      if (solid.kind == Kind::capsule || solid.kind == Kind::aabb) solid.q[k] += offset[k];
    }
  }
  return solid;
}

#define WIDEPHASE_INSTANTIATE(D)                           \
  template std::string describe<D>(const Solid<D>& solid); \
  template Solid<D> moved<D>(Solid<D> solid, const Point<D>& offset)
WIDEPHASE_INSTANTIATE(2);
WIDEPHASE_INSTANTIATE(3);
#undef WIDEPHASE_INSTANTIATE

#define WIDEPHASE_INSTANTIATE(D, T) \
  template Column<T, D> points_column<T, D>(const std::vector<Point<D>>& points)
WIDEPHASE_INSTANTIATE(2, float);
WIDEPHASE_INSTANTIATE(2, double);
WIDEPHASE_INSTANTIATE(3, float);
WIDEPHASE_INSTANTIATE(3, double);
#undef WIDEPHASE_INSTANTIATE

#define WIDEPHASE_INSTANTIATE(D, T) template Solid<D> stored<T, D>(Solid<D> solid)
WIDEPHASE_INSTANTIATE(2, float);
WIDEPHASE_INSTANTIATE(2, double);
WIDEPHASE_INSTANTIATE(2, Mixed);
WIDEPHASE_INSTANTIATE(3, float);
WIDEPHASE_INSTANTIATE(3, double);
WIDEPHASE_INSTANTIATE(3, Mixed);
#undef WIDEPHASE_INSTANTIATE

#define WIDEPHASE_INSTANTIATE(T) \
  template std::vector<Point<3>> hull_vertices<T>(const std::vector<Point<3>>& points)
WIDEPHASE_INSTANTIATE(float);
WIDEPHASE_INSTANTIATE(double);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
