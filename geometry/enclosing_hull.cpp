// Simpler hulls around others: add_hull with max_vertices.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <widephase/hulls.hpp>

#include "geometry/find_hull.hpp"
#include "geometry/orientation3.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

namespace {

using Point = std::array<double, 3>;

template <class Visit>
bool all_triangles(const TriangleMesh& mesh, Visit visit) {
  for (std::size_t h = 0; h < mesh.origin.size(); h += 3) {
    if (!visit(mesh.origin[h], mesh.origin[h + 1], mesh.origin[h + 2])) return false;
  }
  return true;
}

/// A triangle of a core.
struct CoreFace {
  std::array<Point3, 3> corners;
  OrientedPlane plane;
  double size;  ///< the length of the plane's normal
  Point3 middle;
  double radius;  ///< of a ball about the middle, around the corners
  /// No angle has a sine below 2^-20. Then the rounded normal is off by less than 2^-30 of its
  /// length, and heights by that share of the distance from a corner.
  bool is_plump;
};

/// What rounding cannot change of heights above plump faces, and of distances from these, in the
/// units of a core. Its coordinates are at most about 1, so that its points are less than 4 apart.
double slack_of(double distance) { return 0x1p-26 * (1 + distance); }

/// What must be enclosed: all corners of the points' hull.
struct Core {
  const HullPoints& points;
  TriangleMesh mesh;
  std::vector<std::int32_t> vertices;
  std::vector<CoreFace> faces;

  Core(const HullPoints& of, TriangleMesh hull)
      : points(of), mesh(std::move(hull)), vertices(vertices_of(mesh)) {
    all_triangles(mesh, [&](std::int32_t a, std::int32_t b, std::int32_t c) {
      const auto point = [&](std::int32_t v) { return points.points[static_cast<std::size_t>(v)]; };
      const std::array<Point3, 3> corners{point(a), point(b), point(c)};
      const OrientedPlane plane(corners[0], corners[1], corners[2]);
      const Point3 middle = times(1.0 / 3, sum(corners[0], sum(corners[1], corners[2])));
      double longest = 0, radius = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        longest = std::max(longest, length(difference(corners[i], corners[(i + 1) % 3])));
        radius = std::max(radius, length(difference(corners[i], middle)));
      }
      const double size = length(plane.normal());
      const bool is_plump = size > 0x1p-20 * longest * longest;
      faces.push_back({corners, plane, size, middle, radius, is_plump});
      return true;
    });
  }
};

/// A hull around a core.
struct Enclosure {
  std::vector<Point> vertices;  ///< numbers of the scene's type
  double excess = 0;            ///< in the units of the core
};

/// A point's distance from the core, 0 inside: the distance from the faces that it sees. If that is
/// at most `enough`, any number from it to `enough`.
double distance_to(const Core& core, Point3 p, double enough) {
  std::vector<std::pair<double, const CoreFace*>> seen;  // first what each is not nearer than
  for (const CoreFace& face : core.faces) {
    if (face.plane.side(p) <= 0) continue;
    double bound = 0;
    if (face.is_plump) {
      bound = std::max(length(difference(p, face.middle)) - face.radius,
                       face.plane.scaled_height(p) / face.size);
    }
    seen.emplace_back(bound, &face);
  }
  std::sort(seen.begin(), seen.end());
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [bound, face] : seen) {
    if (bound - slack_of(bound) > least) break;
    least = std::min(least,
                     distance_to_triangle(p, face->corners[0], face->corners[1], face->corners[2]));
    if (least <= enough) break;
  }
  return std::isfinite(least) ? least : 0;
}

/// What may be scaled up to enclose a core, in its units.
struct Shape {
  std::vector<Point3> points;
  TriangleMesh mesh;
};

Shape shape_of(std::vector<Point3> points) {
  Shape shape{std::move(points), {}};
  std::vector<std::int32_t> all(shape.points.size());
  std::iota(all.begin(), all.end(), 0);
  find_triangle_hull(shape.points, all, shape.mesh);
  return shape;
}

/// The factor by which a shape must grow about a point inside it to enclose the core; none if the
/// point is not inside.
std::optional<double> factor_of(const Core& core, const Shape& shape, Point3 centre) {
  double factor = 1;
  const bool is_inside =
      all_triangles(shape.mesh, [&](std::int32_t a, std::int32_t b, std::int32_t c) {
        const Point3 normal = normal_of(shape.points, {a, b, c});
        const double reach =
            dot(normal, difference(shape.points[static_cast<std::size_t>(a)], centre));
        if (!(reach > 0)) return false;
        for (const std::int32_t v : core.vertices) {
          const Point3 p = difference(core.points.points[static_cast<std::size_t>(v)], centre);
          factor = std::max(factor, dot(normal, p) / reach);
        }
        return true;
      });
  return is_inside ? std::optional(factor) : std::nullopt;
}

Point3 in_units_of(const Core& core, Point p) {
  for (double& value : p) value = std::ldexp(value, -core.points.exponent);
  return point_of(p);
}

/// Whether the hull of some vertices, in the units of the core, is certain to have an excess above
/// `most`, also if they are scaled up. It may be without some vertices: each of these was within
/// `tolerance`, times the extent, of the hull of the others. As much for rounding to the scene's
/// type.
bool is_beyond(const Core& core, const std::vector<Point3>& vertices, double tolerance,
               double most) {
  if (!std::isfinite(most)) return false;
  std::vector<std::int32_t> all(vertices.size());
  std::iota(all.begin(), all.end(), 0);
  const double lost =
      tolerance * (static_cast<double>(vertices.size()) * extent_of(vertices, all) + 1);
  return std::any_of(vertices.begin(), vertices.end(), [&](Point3 p) {
    return std::any_of(core.faces.begin(), core.faces.end(), [&](const CoreFace& face) {
      if (!face.is_plump) return false;
      const double height = face.plane.scaled_height(p) / face.size;
      return height - slack_of(height) > most + lost;
    });
  });
}

/// The hull of some vertices, numbers of type T, if they have one and it encloses the core,
/// exactly. If its excess is `most` or more, what is found may be incomplete.
template <class T>
std::optional<Enclosure> enclose(const Core& core, const std::vector<Point>& vertices,
                                 double most) {
  HullPoints points;
  HullVertices hull;
  if (find_hull(vertices, std::numeric_limits<T>::epsilon(), points, hull)) return std::nullopt;
  const auto point = [&](std::int32_t v) {
    return in_units_of(core, vertices[points.rows[static_cast<std::size_t>(v)]]);
  };
  const bool is_around =
      all_triangles(hull.mesh, [&](std::int32_t a, std::int32_t b, std::int32_t c) {
        const OrientedPlane plane(point(a), point(b), point(c));
        return std::all_of(core.vertices.begin(), core.vertices.end(), [&](std::int32_t v) {
          return plane.side(core.points.points[static_cast<std::size_t>(v)]) <= 0;
        });
      });
  if (!is_around) return std::nullopt;
  Enclosure found;
  std::vector<std::size_t> rows;
  for (const std::int32_t v : hull.vertices) {
    rows.push_back(points.rows[static_cast<std::size_t>(v)]);
    found.excess = std::max(found.excess, distance_to(core, point(v), found.excess));
    if (found.excess >= most) return found;
  }
  std::sort(rows.begin(), rows.end());
  for (const std::size_t row : rows) found.vertices.push_back(vertices[row]);
  return found;
}

/// The shape, scaled up about the centre until it encloses the core. If rounding or dropping flat
/// vertices breaks this, the factor grows by more and more epsilons. None that is certain to have
/// an excess of `most` or more is finished.
template <class T>
std::optional<Enclosure> scale_up(const Core& core, const Shape& shape, Point3 centre,
                                  double most) {
  const std::optional<double> least = factor_of(core, shape, centre);
  if (!least) return std::nullopt;
  const auto rounded = [&](double value) {
    const double kept = std::abs(value) < kLeastCoordinate ? 0 : value;
    return static_cast<double>(static_cast<T>(std::ldexp(kept, core.points.exponent)));
  };
  for (double more = 0; more < 1; more = more == 0 ? std::numeric_limits<T>::epsilon() : 2 * more) {
    const double factor = *least * (1 + more);
    std::vector<Point> vertices;
    std::vector<Point3> scaled;  // as these are rounded, in the units of the core
    for (const Point3& from : shape.points) {
      const Point3 to = factor == 1 ? from : sum(centre, times(factor, difference(from, centre)));
      vertices.push_back({rounded(to.x), rounded(to.y), rounded(to.z)});
      scaled.push_back(in_units_of(core, vertices.back()));
    }
    if (is_beyond(core, scaled, kFlatHullEpsilons * std::numeric_limits<T>::epsilon(), most)) break;
    if (auto found = enclose<T>(core, vertices, most)) return found;
  }
  return std::nullopt;
}

/// A limited number of vertices of a hull, in the order of their rows: the farthest points first.
Shape chosen_shape(const HullPoints& points, const HullVertices& hull, int max_vertices) {
  TriangleMesh mesh;
  find_triangle_hull(points.points, hull.vertices, mesh, max_vertices);
  std::vector<std::int32_t> chosen = vertices_of(mesh);
  std::sort(chosen.begin(), chosen.end(), [&](std::int32_t a, std::int32_t b) {
    return points.rows[static_cast<std::size_t>(a)] < points.rows[static_cast<std::size_t>(b)];
  });
  std::vector<Point3> list;
  for (const std::int32_t v : chosen) list.push_back(points.points[static_cast<std::size_t>(v)]);
  return shape_of(std::move(list));
}

/// The corners of a box, or every other one.
Shape box_shape(Point3 low, Point3 high, bool is_tetrahedron) {
  std::vector<Point3> corners;
  for (int i = 0; i < 8; ++i) {
    const bool x = (i & 1) != 0, y = (i & 2) != 0, z = (i & 4) != 0;
    if (is_tetrahedron && (x != y) != z) continue;
    corners.push_back({x ? high.x : low.x, y ? high.y : low.y, z ? high.z : low.z});
  }
  return shape_of(std::move(corners));
}

/// The candidate with the smallest excess.
template <class T>
std::optional<Enclosure> find_enclosure(const Core& core, const HullVertices& hull,
                                        int max_vertices) {
  std::optional<Enclosure> best;
  const auto consider = [&](const Shape& shape, Point3 centre) {
    const double most = best ? best->excess : std::numeric_limits<double>::infinity();
    std::optional<Enclosure> found = scale_up<T>(core, shape, centre, most);
    if (found && (!best || found->excess < most)) best = std::move(found);
  };
  const Shape chosen = chosen_shape(core.points, hull, max_vertices);
  consider(chosen, centroid_of(chosen.points, chosen.mesh));
  if (hull.vertices.size() <= static_cast<std::size_t>(max_vertices)) return best;
  consider(chosen, centroid_of(core.points.points, core.mesh));
  Point3 low = core.points.points[0], high = low, total;
  for (const Point3& p : core.points.points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  for (const Point3& p : chosen.points) total = sum(total, p);
  consider(chosen, times(1 / static_cast<double>(chosen.points.size()), total));
  const Point3 middle = times(0.5, sum(low, high));
  for (const bool is_tetrahedron : {false, true}) {
    if (!is_tetrahedron && max_vertices < 8) continue;
    consider(box_shape(low, high, is_tetrahedron), middle);
    if (is_tetrahedron) consider(box_shape(high, low, is_tetrahedron), middle);
  }
  return best;
}

/// Rounded upwards, including the roundings of the distance itself, which is 0 only if the true one
/// is; infinity beyond the range.
template <class T>
T rounded_up(double excess, int exponent) {
  if (excess == 0) return 0;
  const double most = std::ldexp(excess + 8 * std::numeric_limits<double>::epsilon(), exponent);
  const T rounded = static_cast<T>(most);
  return static_cast<double>(rounded) < most
             ? std::nextafter(rounded, std::numeric_limits<T>::infinity())
             : rounded;
}

}  // namespace

template <class T>
SimplerHull<T> add_hull(GeometryTable<Owned<3, T>>& hulls,
                        const std::type_identity_t<ColumnSpan<T, 3>>& points, int max_vertices) {
  expect_count("max_vertices", max_vertices, kFewestHullVertices, kMostHullVertices);
  require_layout("points", points);
  const std::vector<Point> given = points_of<T, 3>(points, 0, points.size());
  HullPoints scaled;
  HullVertices hull;
  const auto refusal = find_hull(given, std::numeric_limits<T>::epsilon(), scaled, hull);
  if (refusal) throw refused_points<3>(*refusal);
  const Core core(scaled, hull.is_whole ? hull.mesh : shape_of(scaled.points).mesh);
  const std::optional<Enclosure> found = find_enclosure<T>(core, hull, max_vertices);
  const T excess = found ? rounded_up<T>(found->excess, scaled.exponent) : T(0);
  if (!found || !std::isfinite(excess)) {
    throw Error(Finding{"points", -1,
                        "has no enclosing hull of " + number(max_vertices) +
                            " vertices within the range and the digits of its numbers; choose "
                            "another unit or an origin nearer to it"});
  }
  std::vector<std::size_t> rows(found->vertices.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return {append_geometry(hulls, found->vertices, rows), excess};
}

#define WIDEPHASE_INSTANTIATE(T) \
  template SimplerHull<T> add_hull(GeometryTable<Owned<3, T>>&, const ColumnSpan<T, 3>&, int);
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
