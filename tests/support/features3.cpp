#include "support/features3.hpp"

#include "reference/by_vertices.hpp"

namespace widephase::test {

template <class T>
const HullTopology<T>& topology_of(const std::vector<Point<3>>& vertices) {
  return by_vertices(vertices, [&] {
    GeometryTable<Owned<3, T>> table;
    table.vertices = points_column<T>(vertices);
    table.offsets = {0, static_cast<std::int64_t>(vertices.size())};
    return hull_topology(table, 0);
  });
}

namespace {

/// Distance from `point` to the triangle, including its interior.
Real distance_to_triangle(const Vec<3>& point, const std::array<Vec<3>, 3>& triangle) {
  Polytope flat;
  flat.corners.assign(triangle.begin(), triangle.end());
  const Vec<3> normal = cross(minus(triangle[1], triangle[0]), minus(triangle[2], triangle[0]));
  PolytopeFace face{times(normal, 1 / length(normal)), {0, 1, 2}, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    face.along.push_back(direction_between(triangle[i], triangle[(i + 1) % 3]));
    flat.edges.push_back({i, (i + 1) % 3, face.along[i]});
  }
  if (length(normal) > 0) flat.faces.push_back(face);
  return distance_to_surface(flat, point);
}

}  // namespace

template <class T>
bool has_joined_faces(const Solid<3>& solid, const Vec<3>& n, Real slack) {
  if (solid.kind != Kind::hull) return false;
  const HullTopology<T>& surface = topology_of<T>(solid.vertices);
  const Vec<3> local = along_axes(axes_of(solid.orientation), n);
  std::vector<Real> heights;
  for (const Point<3>& vertex : solid.vertices) heights.push_back(dot(widened(vertex), local));
  const Real least = *std::max_element(heights.begin(), heights.end()) - slack;
  const auto is_outermost = [&](std::int32_t vertex) {
    return heights[static_cast<std::size_t>(vertex)] >= least;
  };
  const auto count = std::count_if(heights.begin(), heights.end(),
                                   [&](const Real height) { return height >= least; });
  for (std::size_t face = 0; face + 1 < surface.face_offsets.size(); ++face) {
    const auto begin = surface.face_vertices.begin();
    if (std::count_if(begin + surface.face_offsets[face], begin + surface.face_offsets[face + 1],
                      is_outermost) == count) {
      return false;
    }
  }
  return true;
}

template <class T>
std::string hull_feature_problem(const Solid<3>& solid, Feature kind, int index,
                                 const Vec<3>& core_point, Real tolerance) {
  const HullTopology<T>& surface = topology_of<T>(solid.vertices);
  const std::array<Vec<3>, 3> axes = axes_of(solid.orientation);
  const Vec<3> local = along_axes(axes, minus(core_point, widened(solid.p)));
  const auto corner = [&](std::int32_t i) {
    return widened(solid.vertices[static_cast<std::size_t>(i)]);
  };
  const auto row = static_cast<std::size_t>(index);
  if (kind == Feature::vertex) {
    if (row >= solid.vertices.size()) return "is no vertex of the hull";
    const bool is_there = length(minus(local, corner(index))) <= tolerance;
    return is_there ? "" : "is another vertex than the point's";
  }
  if (kind == Feature::edge) {
    if (row >= surface.edges.size()) return "is no edge of the hull";
    const HullEdge& edge = surface.edges[row];
    Polytope segment;
    segment.corners = {corner(edge.a), corner(edge.b)};
    segment.edges = {{0, 1, direction_between(segment.corners[0], segment.corners[1])}};
    return distance_to_surface(segment, local) <= tolerance ? ""
                                                            : "is another edge than the point's";
  }
  if (kind != Feature::face || index >= surface.face_count()) return "is no feature of the hull";
  const auto begin = static_cast<std::size_t>(surface.face_offsets[row]);
  const auto end = static_cast<std::size_t>(surface.face_offsets[row + 1]);
  for (std::size_t i = begin + 1; i + 1 < end; ++i) {
    const Real away = distance_to_triangle(
        local, {corner(surface.face_vertices[begin]), corner(surface.face_vertices[i]),
                corner(surface.face_vertices[i + 1])});
    if (away <= tolerance) return "";
  }
  return "is another face than the point's";
}

namespace {

/// How far a point in the own frame of a rim is from the rim's vertex `index`, or from the part of
/// the rim from there to the next one.
Real distance_to_rim(const Vec<3>& local, Real radius, Real over, Feature kind, int index) {
  const Real sixteenth = std::acos(-1.0L) / 8;
  const auto rim_point = [&](int part) {
    const Real angle = (static_cast<Real>(part) + 0.5L) * sixteenth;
    return Vec<3>{radius * std::cos(angle), radius * std::sin(angle), local[2]};
  };
  const Vec<3> from = rim_point(index), to = rim_point(index + 1);
  const Vec<3> off = minus(local, from), along = minus(to, from);
  const Real size = length(along);
  if (kind == Feature::vertex) return std::hypot(length(off), over);
  // Between the chord and the rim.
  const Real inside = size > 0 ? (along[0] * off[1] - along[1] * off[0]) / size : 0;
  const Real from_side = std::hypot(local[0], local[1]) - radius;
  return std::hypot(std::max<Real>({from_side, inside, 0}), over);
}

}  // namespace

std::string cylinder_feature_problem(const Solid<3>& solid, Feature kind, int index,
                                     const Vec<3>& core_point, Real tolerance) {
  const int most = kind == Feature::vertex ? kSideEnds + 1
                   : kind == Feature::edge ? kRimCrossings + 3
                   : kind == Feature::face ? 2
                                           : -1;
  if (index > most) return "is no feature of a cylinder";
  const CylinderCore cylinder = cylinder_of(solid, {});
  const Vec<3> local = cylinder.local(core_point);
  const Real rho = std::hypot(local[0], local[1]);
  const Real from_side = rho - cylinder.radius;
  const Real over_low = local[2] + cylinder.half_height;
  const Real over_high = local[2] - cylinder.half_height;
  Real away = 0;
  if (kind == Feature::face && index < 2) {
    away = std::hypot(std::max<Real>(from_side, 0), index == 1 ? over_high : over_low);
  } else if (kind == Feature::face || (kind == Feature::edge && index == kSideLine)) {
    away = std::hypot(from_side, std::max<Real>({over_high, -over_low, 0}));
  } else if (kind == Feature::vertex && index >= kSideEnds) {
    away = std::hypot(from_side, index == kSideEnds ? over_low : over_high);
  } else if (kind == Feature::edge && index >= kRimCrossings) {
    away = std::hypot(from_side, index < kRimCrossings + 2 ? over_low : over_high);
  } else {
    const Real over = index < kRimPoints ? over_low : over_high;
    away = distance_to_rim(local, cylinder.radius, over, kind, index);
  }
  return away <= tolerance ? "" : "is another than the point's";
}

std::string cone_feature_problem(const Solid<3>& solid, Feature kind, int index,
                                 const Vec<3>& core_point, Real tolerance) {
  const CylinderCore frame = cylinder_of(solid, {});
  const Vec<3> local = frame.local(core_point);
  const Real radius = frame.radius, over = local[2] + frame.half_height;
  const Real from_rim = std::hypot(local[0], local[1]) - radius;
  Real away = 0;
  if (kind == Feature::face && index == 0) {
    away = std::hypot(std::max<Real>(from_rim, 0), over);
  } else if ((kind == Feature::face && index == 2) ||
             (kind == Feature::edge && index == kSideLine)) {
    // From the line of the side that is straight under the point.
    Polytope line;
    line.corners = {{radius, 0, -frame.half_height}, {0, 0, frame.half_height}};
    line.edges = {{0, 1, direction_between(line.corners[0], line.corners[1])}};
    const Vec<3> there{from_rim + radius, 0, local[2]};
    away = length(minus(line.corners[0], line.corners[1])) > 0 ? distance_to_surface(line, there)
                                                               : length(there);
  } else if (kind == Feature::vertex && index == kSideEnds + 1) {
    away = std::hypot(from_rim + radius, local[2] - frame.half_height);
  } else if ((kind == Feature::vertex && index == kSideEnds) ||
             (kind == Feature::edge && (index == kRimCrossings || index == kRimCrossings + 1))) {
    away = std::hypot(from_rim, over);
  } else if ((kind == Feature::vertex || kind == Feature::edge) && index < kRimPoints) {
    away = distance_to_rim(local, radius, over, kind, index);
  } else {
    return "is no feature of a cone";
  }
  return away <= tolerance ? "" : "is another than the point's";
}

#define WIDEPHASE_INSTANTIATE(T)                                                               \
  template const HullTopology<T>& topology_of<T>(const std::vector<Point<3>>& vertices);       \
  template bool has_joined_faces<T>(const Solid<3>& solid, const Vec<3>& n, Real slack);       \
  template std::string hull_feature_problem<T>(const Solid<3>& solid, Feature kind, int index, \
                                               const Vec<3>& core_point, Real tolerance)
WIDEPHASE_INSTANTIATE(float);
WIDEPHASE_INSTANTIATE(double);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
