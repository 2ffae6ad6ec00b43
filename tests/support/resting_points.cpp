#include "support/resting_points.hpp"

#include <numbers>
#include <sstream>

#include "reference/by_vertices.hpp"
#include "reference/generate_hulls.hpp"
#include "support/features3.hpp"

namespace widephase::test {

namespace {

/// The faces of a hull, or of a box with the corners `vertices`; computed once per form.
struct Form {
  struct Face {
    Vec<3> normal;
    Real offset;
    std::vector<Vec<3>> corners;
  };
  std::vector<Face> faces;
};
const Form& form_of(const std::vector<Point<3>>& vertices) {
  return by_vertices(vertices, [&] {
    Form form;
    const HullTopology<double>& topology = topology_of<double>(vertices);
    for (std::int32_t f = 0; f < topology.face_count(); ++f) {
      const auto at = static_cast<std::size_t>(f);
      Form::Face face;
      for (int k = 0; k < 3; ++k) face.normal[k] = topology.normals(at, k);
      face.offset = topology.offsets[at];
      for (std::int32_t i = topology.face_offsets[at]; i < topology.face_offsets[at + 1]; ++i) {
        const std::int32_t vertex = topology.face_vertices[static_cast<std::size_t>(i)];
        face.corners.push_back(widened(vertices[static_cast<std::size_t>(vertex)]));
      }
      form.faces.push_back(face);
    }
    return form;
  });
}

/// The centre and axes of any shape except a capsule or a halfspace.
Frame3 placed(const Solid<3>& solid) {
  if (solid.kind == Kind::aabb) return frame_of(solid);
  return {widened(solid.p), axes_of(solid.orientation), widened(solid.q)};
}

/// Whether a point in the own frame of an ellipsoid or cone is inside.
bool is_inside(const Solid<3>& solid, const Vec<3>& local) {
  if (solid.kind == Kind::cone) {
    // As far up from the base as the side is there from the axis.
    const Real up = local[2] + solid.q[2];
    return up > 0 && std::hypot(local[0], local[1]) * 2 * solid.q[2] <
                         solid.size * (2 * static_cast<Real>(solid.q[2]) - up);
  }
  Real sum = 0;
  for (int k = 0; k < 3; ++k) {
    if (!(solid.q[k] > 0)) return false;
    sum += local[k] / solid.q[k] * (local[k] / solid.q[k]);
  }
  return sum < 1;
}

Real height_over_capsule(const Solid<3>& solid, const Vec<3>& point) {
  const Vec<3> a = widened(solid.p), along = minus(widened(solid.q), a);
  const Real square = dot(along, along);
  const Real share = square > 0 ? dot(minus(point, a), along) / square : 0;
  return length(minus(point, plus(a, along, std::clamp<Real>(share, 0, 1)))) - solid.size;
}

}  // namespace

Real height_over_surface(const Solid<3>& solid, const Vec<3>& point) {
  if (solid.kind == Kind::halfspace) {
    const Vec<3> n = widened(solid.p);
    return (dot(n, point) - solid.size) / length(n);
  }
  if (solid.kind == Kind::sphere) return length(minus(point, widened(solid.p))) - solid.size;
  if (solid.kind == Kind::capsule) return height_over_capsule(solid, point);
  const Frame3 frame = placed(solid);
  const Vec<3> local = along_axes(frame.axes, minus(point, frame.center));
  if (solid.kind == Kind::cylinder) {
    const Real over = std::abs(local[2]) - static_cast<Real>(solid.q[2]);
    const Real beside = std::hypot(local[0], local[1]) - solid.size;
    const Real outside = std::hypot(std::max<Real>(over, 0), std::max<Real>(beside, 0));
    return (outside > 0 ? outside : std::max(over, beside)) - solid.rounding;
  }
  if (solid.kind == Kind::ellipsoid || solid.kind == Kind::cone) {
    const Real off = distance_to_core_surface(solid, point);
    return (is_inside(solid, local) ? -off : off) - solid.rounding;
  }
  Real most = -std::numeric_limits<Real>::infinity();
  if (solid.kind == Kind::hull) {
    for (const Form::Face& face : form_of(solid.vertices).faces) {
      most = std::max(most, dot(face.normal, local) - face.offset);
    }
  } else {
    for (int k = 0; k < 3; ++k) most = std::max(most, std::abs(local[k]) - frame.half[k]);
  }
  return most - (solid.kind == Kind::aabb ? 0 : solid.size);
}

template <class T>
std::string points_flaw(const Solid<3>& a, const Solid<3>& b, const Contact<3, T>& contact,
                        double margin, double steadiness, double size, double slack) {
  std::ostringstream text;
  text.precision(9);
  // Stored positions are rounded; depths and normals are not.
  Real place = 0;
  for (const double value : a.p) place = std::max<Real>(place, std::abs(value));
  const Real rounding = kDepthTolerance<T> * size;
  // If the least depth is on a rim, Newton's method finds it to a few digits less than rounding.
  const Real round = has_round(a, b) ? 1e-9L * size : 0;
  const Real on_surface = 4 * rounding + 4 * kUnitTolerance<PositionOf<T>> * place + round + slack;
  Real deepest = -std::numeric_limits<Real>::infinity();
  for (std::size_t i = 0; i < contact.points.size(); ++i) {
    const Real depth = contact.point_depths[i];
    deepest = std::max(deepest, depth);
    if (!(depth <= contact.depth + rounding)) text << "point " << i << " is too deep; ";
    if (!(depth >= -margin - rounding)) text << "point " << i << " is beyond the margin; ";
    const Vec<3> partner = plus(contact.points[i], contact.normal, -depth);
    const Real above_a = height_over_surface(a, contact.points[i]);
    const Real above_b = height_over_surface(b, partner);
    if (!(std::abs(above_a) <= on_surface)) {
      text << "point " << i << " is " << above_a << " above A; ";
    }
    if (!(std::abs(above_b) <= on_surface)) {
      text << "the partner of point " << i << " is " << above_b << " above B; ";
    }
    for (std::size_t j = 0; j < i; ++j) {
      const Real apart = length(minus(contact.points[i], contact.points[j]));
      if (!(apart >= 1e-4L * size)) {
        text << "points " << j << " and " << i << " are " << apart << " apart; ";
      }
    }
  }
  const Real least = contact.depth - steadiness - rounding;
  if (!(deepest >= least)) text << "the deepest point is " << contact.depth - deepest << " short; ";
  return text.str();
}

template std::string points_flaw<float>(const Solid<3>&, const Solid<3>&, const Contact<3, float>&,
                                        double, double, double, double);
template std::string points_flaw<double>(const Solid<3>&, const Solid<3>&,
                                         const Contact<3, double>&, double, double, double, double);
template std::string points_flaw<Mixed>(const Solid<3>&, const Solid<3>&, const Contact<3, Mixed>&,
                                        double, double, double, double);

namespace {

/// The corners of the face that faces `n` most, relative to `origin`; none if there is no face, as
/// on a round side. A cap becomes an inscribed polygon.
std::vector<Vec<3>> facing_corners(const Solid<3>& solid, const Vec<3>& n, const Vec<3>& origin) {
  std::vector<Vec<3>> corners;
  if (solid.kind == Kind::capsule || solid.kind == Kind::ellipsoid ||
      solid.kind == Kind::halfspace) {
    return corners;
  }
  const Frame3 frame = placed(solid);
  const Vec<3> local = along_axes(frame.axes, n);
  const auto add = [&](const Vec<3>& v) {
    Vec<3> at = minus(frame.center, origin);
    for (int k = 0; k < 3; ++k) at = plus(at, frame.axes[static_cast<std::size_t>(k)], v[k]);
    corners.push_back(at);
  };
  if (solid.kind == Kind::cylinder || solid.kind == Kind::cone) {
    constexpr int kCorners = 48;
    const bool is_cone = solid.kind == Kind::cone;
    if (is_cone ? local[2] > -0.95L : std::abs(local[2]) < 0.7L) return corners;
    for (int i = 0; i < kCorners; ++i) {
      const double angle = 2 * std::numbers::pi * i / kCorners;
      add({solid.size * std::cos(angle), solid.size * std::sin(angle),
           std::copysign(static_cast<Real>(solid.q[2]), local[2])});
    }
    return corners;
  }
  const auto half = [&](int k) { return static_cast<double>(frame.half[k]); };
  const Form& form =
      form_of(solid.kind == Kind::hull ? solid.vertices : block(half(0), half(1), half(2)));
  const Form::Face* facing = &form.faces[0];
  for (const Form::Face& face : form.faces) {
    if (dot(face.normal, local) > dot(facing->normal, local)) facing = &face;
  }
  for (const Vec<3>& corner : facing->corners) add(corner);
  return corners;
}

double area_of(const Flat& flat) {
  double twice = 0;
  for (std::size_t i = 0; i < flat.size(); ++i) {
    const Point<2>&u = flat[i], &v = flat[(i + 1) % flat.size()];
    twice += u[0] * v[1] - u[1] * v[0];
  }
  return twice / 2;
}

/// The largest quadrilateral of the corners: tries each diagonal, with the farthest corner on
/// either side.
double greatest_of_four(const Flat& flat) {
  double greatest = 0;
  for (std::size_t i = 0; i < flat.size(); ++i) {
    for (std::size_t j = i + 1; j < flat.size(); ++j) {
      const double x = flat[j][0] - flat[i][0], y = flat[j][1] - flat[i][1];
      double left = 0, right = 0;
      for (const Point<2>& corner : flat) {
        const double twice = x * (corner[1] - flat[i][1]) - y * (corner[0] - flat[i][0]);
        left = std::max(left, twice);
        right = std::max(right, -twice);
      }
      greatest = std::max(greatest, (left + right) / 2);
    }
  }
  return greatest;
}

}  // namespace

FaceShare face_share(const Solid<3>& a, const Solid<3>& b, const Vec<3>& normal,
                     const std::vector<Vec<3>>& points) {
  const Vec<3> origin = widened(b.kind == Kind::halfspace ? a.p : b.p);
  const std::array<Vec<3>, 2> tangents = across(normal);
  const auto seen = [&](const std::vector<Vec<3>>& corners) {
    Flat flat;
    for (const Vec<3>& corner : corners) {
      flat.push_back({static_cast<double>(dot(corner, tangents[0])),
                      static_cast<double>(dot(corner, tangents[1]))});
    }
    return strictly_convex(flat);
  };
  const Flat of_a = seen(facing_corners(a, normal, origin));
  const Flat of_b = seen(facing_corners(b, times(normal, -1), origin));
  FaceShare share;
  Flat common;
  if (a.kind == Kind::halfspace) {
    common = of_b;
  } else if (b.kind == Kind::halfspace) {
    common = of_a;
  } else if (of_a.size() >= 3 && of_b.size() >= 3) {
    common = strictly_convex(clipped(of_a, of_b, 0));
  }
  share.is_face = common.size() >= 3 && width_of(common) > 1e-3 * std::sqrt(area_of(common));
  if (!share.is_face) return share;
  std::vector<Vec<3>> relative;
  for (const Vec<3>& point : points) relative.push_back(minus(point, origin));
  const Flat hull = seen(relative);
  const double greatest = greatest_of_four(common);
  share.is_quad = greatest > 0.99 * area_of(common);
  share.area = hull.size() < 3 ? 0 : area_of(hull) / greatest;
  const Point<2> center = centroid_of(common);
  share.center_above = hull.size() < 3 ? std::numeric_limits<double>::infinity()
                                       : std::max(0.0, -inside_flat(hull, center));
  return share;
}

}  // namespace widephase::test
