// The picture of a 3D scene: an orthographic view from above and to one side, z up, far shapes
// first.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "tools/pictures/picture_fields.hpp"
#include "tools/pictures/picture_parts.hpp"

namespace widephase::tools {

namespace {

double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Point opposite(const Point& direction) { return {-direction[0], -direction[1], -direction[2]}; }

/// An orthographic view with z up. `right`, `up` and `toward` (the viewer) are a right-handed
/// frame.
struct Camera {
  static constexpr double kAzimuth = -0.6;    // radians about z, 0 looks along +y
  static constexpr double kElevation = 0.45;  // radians above the horizon
  Point right{std::cos(kAzimuth), std::sin(kAzimuth), 0};
  Point up{-std::sin(kElevation) * std::sin(kAzimuth), std::sin(kElevation) * std::cos(kAzimuth),
           std::cos(kElevation)};
  Point toward{std::cos(kElevation) * std::sin(kAzimuth),
               -std::cos(kElevation) * std::cos(kAzimuth), std::sin(kElevation)};
};

Point corner(const Extent& extent, int index) {
  return {(index & 1) != 0 ? extent.max[0] : extent.min[0],
          (index & 2) != 0 ? extent.max[1] : extent.min[1],
          (index & 4) != 0 ? extent.max[2] : extent.min[2]};
}

/// For each pixel, how near the shapes in contact, as balls, come to the viewer. Finds the contacts
/// that are hidden.
class DepthMap {
 public:
  DepthMap(const Page& page)
      : page_(page),
        columns_(static_cast<int>(page.width) + 1),
        rows_(static_cast<int>(page.height) + 1),
        depth_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), -1e300) {}

  void add_ball(double x, double y, double depth, double radius) {
    const double pixels = radius * page_.scale;
    const int first_row = pixel(std::ceil(y - page_.top - pixels), 0, rows_);
    const int last_row = pixel(std::floor(y - page_.top + pixels), -1, rows_ - 1);
    for (int row = first_row; row <= last_row; ++row) {
      const double dy = row - (y - page_.top);
      const double half = std::sqrt(std::max(0.0, pixels * pixels - dy * dy));
      const int first = pixel(std::ceil(x - page_.left - half), 0, columns_);
      const int last = pixel(std::floor(x - page_.left + half), -1, columns_ - 1);
      for (int column = first; column <= last; ++column) {
        const double dx = column - (x - page_.left);
        const double rise = std::sqrt(std::max(0.0, pixels * pixels - dx * dx - dy * dy));
        double& nearest = at(column, row);
        nearest = std::max(nearest, depth + rise / page_.scale);
      }
    }
  }

  bool is_hidden(double x, double y, double depth) {
    const int column = pixel(std::round(x - page_.left), -1, columns_);
    const int row = pixel(std::round(y - page_.top), -1, rows_);
    if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return false;
    return at(column, row) > depth;
  }

 private:
  /// Clamped first: values may be far outside of the page and of the range of int.
  static int pixel(double value, int least, int most) {
    return static_cast<int>(std::clamp<double>(value, least, most));
  }

  double& at(int column, int row) {
    return depth_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                  static_cast<std::size_t>(column)];
  }

  const Page& page_;
  int columns_;
  int rows_;
  std::vector<double> depth_;
};

/// A corner of a box with any orientation.
Point corner(const DrawnShape& box, int index) {
  Point point;
  for (std::size_t k = 0; k < 3; ++k) {
    point[k] = (box.a[k] + box.b[k]) / 2;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      point[k] += ((index >> axis & 1) != 0 ? 1 : -1) * box.axes[axis][k];
    }
  }
  return point;
}

class Picture3 {
 public:
  explicit Picture3(const PictureScene& scene) : scene_(scene), extent_(extent_of(scene)) {
    box_ = extent_;
    box_.pad(0.06);
    Extent seen;
    for (int index = 0; index < 8 && scene.has_domain; ++index) {
      seen.add(screen(corner(extent_, index)));
    }
    for (const DrawnShape& shape : scene.shapes) {
      switch (shape.kind) {
        case Kind::halfspace:
          for (const Point& point : plane_corners(shape)) seen.add(point);
          break;
        case Kind::aabb:
        case Kind::box:
          for (int index = 0; index < 8; ++index) seen.add(screen(corner(shape, index)));
          break;
        case Kind::hull:
          for (const Point& vertex : shape.surface->vertices) {
            seen.add(screen(placed(shape, vertex)), shape.radius);
          }
          break;
        case Kind::heightfield:
        case Kind::mesh:
        case Kind::chain:
          for (int index = 0; index < 8; ++index) {
            seen.add(screen(corner(Extent{shape.a, shape.b}, index)));
          }
          break;
        case Kind::sphere:
        case Kind::capsule:
        case Kind::cylinder:
          seen.add(screen(shape.a), reach(shape));
          seen.add(screen(shape.b), reach(shape));
          break;
        case Kind::cone:
          seen.add(screen(shape.a), reach(shape));
          seen.add(screen(shape.b), shape.rounding);
          break;
        case Kind::ellipsoid: {
          const SeenEllipse ellipse = seen_ellipse(shape);
          const Point middle = screen(middle_of(shape));
          seen.add({middle[0] - ellipse.reach[0], middle[1] - ellipse.reach[1], middle[2]},
                   shape.rounding);
          seen.add({middle[0] + ellipse.reach[0], middle[1] + ellipse.reach[1], middle[2]},
                   shape.rounding);
          break;
        }
        case Kind::polygon:  // only in 2D
          break;
      }
    }
    for (const DrawnRay& ray : scene.rays) {
      seen.add(screen(ray.from));
      if (ray.is_hit) seen.add(screen(ray.to));
    }
    if (seen.is_empty()) seen.add({}, 1);
    seen.min[2] = seen.max[2] = 0;
    seen.pad(0.02);
    page_ = fit_page(seen.min[0], seen.min[1], seen.max[0], seen.max[1]);
    typical_ = typical_size(scene, page_.scale);
    svg_.set_digits(typical_ < 5 ? 2 : 1);
  }

  std::string draw() {
    begin_page(svg_, page_, scene_);
    define();
    draw_halfspaces(true);
    draw_domain(false);
    draw_fields();
    draw_shapes();
    draw_domain(true);
    draw_rays(svg_, page_, scene_, typical_, [&](const Point& at) { return on_page(at); });
    draw_contact_marks();
    draw_halfspaces(false);
    end_page(svg_, page_, scene_);
    return std::string(svg_.text());
  }

 private:
  /// x and y in the plane of the page, then the distance toward the viewer.
  Point screen(const Point& point) const {
    return {dot(camera_.right, point), dot(camera_.up, point), dot(camera_.toward, point)};
  }

  void define() {
    svg_.add("<defs>");
    for (int index = 0; index < kClassCount; ++index) {
      const Color color = class_color(index);
      svg_.add(
          "<radialGradient id=\"g{}\" cx=\".36\" cy=\".3\" r=\".78\">"
          "<stop stop-color=\"{}\"/><stop offset=\".42\" stop-color=\"{}\"/>"
          "<stop offset=\"1\" stop-color=\"{}\"/></radialGradient>",
          index, hex(mix(color, {255, 255, 255}, 0.62)), hex(color),
          hex(mix(color, {28, 32, 52}, 0.5)));
    }
    svg_.add(
        "<pattern id=\"hatch3\" width=\"9\" height=\"9\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\"><rect width=\"9\" height=\"9\" fill=\"#f3f4f7\"/>"
        "<path d=\"M0 0v9\" stroke=\"#d3d7e0\" stroke-width=\"2\"/></pattern></defs>\n"
        "<style>");
    for (int index = 0; index < kClassCount; ++index) {
      const Color color = class_color(index);
      svg_.add(".c{0}{{fill:url(#g{0});stroke:{1}}}", index, hex(mix(color, {28, 32, 52}, 0.55)));
      // Shades of the faces towards x, y and z: the light comes from above and from the left.
      const double shades[] = {0.30, 0.10, -0.30};
      for (int axis = 0; axis < 3; ++axis) {
        const Color to = shades[axis] > 0 ? Color{28, 32, 52} : Color{255, 255, 255};
        svg_.add(".f{}{}{{fill:{}}}", index, axis, hex(mix(color, to, std::abs(shades[axis]))));
      }
    }
    // Shapes without contacts are faint, so that contacts deep in a heap can be seen.
    if (!scene_.contacts.empty()) svg_.add(".c0{{fill-opacity:.1;stroke-opacity:.3}}");
    svg_.add("</style>\n");
  }

  bool is_outside_seen(const DrawnShape& halfspace) const {
    return dot(halfspace.a, camera_.toward) >= 0;
  }

  /// The plane as far as the box around the scene reaches: its crossings with the edges, by angle.
  std::vector<Point> plane_corners(const DrawnShape& shape) const {
    std::vector<Point> corners;
    Point middle{};
    for (int from = 0; from < 8; ++from) {
      for (int axis = 0; axis < 3; ++axis) {
        const int to = from | 1 << axis;
        if (to == from) continue;
        Point at = corner(box_, from);
        const Point end = corner(box_, to);
        const double low = dot(shape.a, at) - shape.radius;
        const double high = dot(shape.a, end) - shape.radius;
        if ((low > 0) == (high > 0)) continue;
        const auto along = static_cast<std::size_t>(axis);
        at[along] += (end[along] - at[along]) * low / (low - high);
        corners.push_back(screen(at));
        middle[0] += corners.back()[0];
        middle[1] += corners.back()[1];
      }
    }
    for (double& value : middle)
      value /= static_cast<double>(std::max<std::size_t>(corners.size(), 1));
    std::sort(corners.begin(), corners.end(), [&](const Point& a, const Point& b) {
      return std::atan2(a[1] - middle[1], a[0] - middle[0]) <
             std::atan2(b[1] - middle[1], b[0] - middle[0]);
    });
    return corners;
  }

  void draw_halfspaces(bool seen_from_outside) {
    for (const DrawnShape& shape : scene_.shapes) {
      if (shape.kind != Kind::halfspace || is_outside_seen(shape) != seen_from_outside) continue;
      std::vector<double> part;
      for (const Point& point : plane_corners(shape)) {
        part.insert(part.end(), {page_.x(point[0]), page_.y(point[1])});
      }
      if (part.empty()) continue;
      const Color edge = mix(class_color(class_of(shape.contacts)), {40, 48, 66}, 0.45);
      svg_.add(
          "<path fill=\"url(#hatch3)\" fill-opacity=\"{}\" stroke=\"{}\" "
          "stroke-width=\"1.5\" d=\"",
          seen_from_outside ? 1.0 : 0.25, hex(edge));
      svg_.polygon_path(part.data(), part.size() / 2);
      svg_.add("\"/>\n");
    }
  }

  /// Edges at the corner nearest to the viewer are drawn in front of the shapes, the others behind.
  void draw_domain(bool is_front) {
    if (!scene_.has_domain) return;
    Extent domain{scene_.domain_min, scene_.domain_max};
    int nearest = 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (camera_.toward[static_cast<std::size_t>(axis)] > 0) nearest |= 1 << axis;
    }
    svg_.add(
        "<path fill=\"none\" stroke=\"#6b7486\" stroke-width=\"1.2\" stroke-opacity=\"{}\" "
        "d=\"",
        is_front ? 0.45 : 1.0);
    for (int from = 0; from < 8; ++from) {
      for (int axis = 0; axis < 3; ++axis) {
        const int to = from | 1 << axis;
        if (to == from || (from == nearest || to == nearest) != is_front) continue;
        const Point p = screen(corner(domain, from));
        const Point q = screen(corner(domain, to));
        svg_.add("M");
        svg_.point(page_.x(p[0]), page_.y(p[1]));
        svg_.add("L");
        svg_.point(page_.x(q[0]), page_.y(q[1]));
      }
    }
    svg_.add("\"/>\n");
  }

  /// Height fields and meshes lie behind all else. Each is drawn once, however many worlds share
  /// it.
  void draw_fields() {
    std::set<std::pair<const void*, Point>> drawn;
    for (const DrawnShape& shape : scene_.shapes) {
      if (shape.field == nullptr && shape.mesh == nullptr) continue;
      const void* const surface =
          shape.mesh != nullptr ? static_cast<const void*>(shape.mesh.get()) : shape.field.get();
      if (!drawn.insert({surface, shape.center}).second) continue;
      draw_field(
          shape, camera_.toward, [&](const Point& at) { return on_page(at); }, svg_);
    }
  }

  double nearness(const DrawnShape& shape) const {
    return (screen(shape.a)[2] + screen(shape.b)[2]) / 2;
  }

  void draw_shapes() {
    std::vector<std::size_t> order(scene_.shapes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const double depth_a = nearness(scene_.shapes[a]);
      const double depth_b = nearness(scene_.shapes[b]);
      return depth_a != depth_b ? depth_a < depth_b : a < b;
    });
    svg_.add("<g stroke-width=\"{:.2f}\" stroke-linejoin=\"round\"{}>\n",
             std::clamp(typical_ * 0.05, 0.1, 0.8), scene_.is_overlay ? " opacity=\".85\"" : "");
    for (const std::size_t index : order) {
      const DrawnShape& shape = scene_.shapes[index];
      const int color = class_of(shape.contacts);
      const Point a = screen(shape.a);
      const Point b = screen(shape.b);
      const double radius = shape.radius * page_.scale;
      switch (shape.kind) {
        case Kind::sphere:
          svg_.circle(page_.x(a[0]), page_.y(a[1]), radius, fmt::format(" class=\"c{}\"", color));
          break;
        case Kind::capsule:
          svg_.add("<path class=\"c{}\" d=\"", color);
          svg_.capsule_path(page_.x(a[0]), page_.y(a[1]), page_.x(b[0]), page_.y(b[1]), radius);
          svg_.add("\"/>\n");
          break;
        case Kind::aabb:
        case Kind::box:
          draw_box(shape, color);
          break;
        case Kind::hull:
          draw_hull(shape, color);
          break;
        case Kind::cylinder:
        case Kind::cone:
          draw_round(shape, color);
          break;
        case Kind::ellipsoid:
          draw_ellipsoid(shape, color);
          break;
        case Kind::polygon:    // only in 2D
        case Kind::halfspace:  // drawn earlier, as fields are
        case Kind::heightfield:
        case Kind::mesh:
        case Kind::chain:
          break;
      }
    }
    svg_.add("</g>\n");
  }

  /// Draws the three faces that the viewer sees.
  void draw_box(const DrawnShape& box, int color) {
    for (int axis = 0; axis < 3; ++axis) {
      Point normal = box.axes[static_cast<std::size_t>(axis)];
      const int near = dot(normal, camera_.toward) > 0 ? 1 << axis : 0;
      if (near == 0) normal = opposite(normal);
      const int u = 1 << (axis + 1) % 3;
      const int v = 1 << (axis + 2) % 3;
      std::vector<double> face;
      for (const int index : {near, near | u, near | u | v, near | v}) {
        const Point seen = screen(corner(box, index));
        face.insert(face.end(), {page_.x(seen[0]), page_.y(seen[1])});
      }
      begin_face(color, shade_of(normal));
      svg_.polygon_path(face.data(), 4);
      svg_.add("\"/>\n");
    }
  }

  /// Draws the faces that the viewer sees. A rounded hull gets its outline first, then its flat
  /// parts.
  void draw_hull(const DrawnShape& hull, int color) {
    if (hull.radius > 0) {
      std::vector<std::array<double, 2>> points;
      for (const Point& vertex : hull.surface->vertices) {
        points.push_back(on_page(placed(hull, vertex)));
      }
      begin_face(color, 1);
      draw_rounded(std::move(points), hull.radius);
      svg_.add("\"/>\n");
    }
    for (int shade = 0; shade < 3; ++shade) {
      bool has_begun = false;
      for (std::size_t f = 0; f < hull.surface->faces.size(); ++f) {
        const Point normal = turned(hull, hull.surface->normals[f]);
        if (dot(normal, camera_.toward) <= 0 || shade_of(normal) != shade) continue;
        std::vector<double> face;
        for (const std::size_t v : hull.surface->faces[f]) {
          Point corner = placed(hull, hull.surface->vertices[v]);
          for (std::size_t k = 0; k < 3; ++k) corner[k] += hull.radius * normal[k];
          const auto [x, y] = on_page(corner);
          face.insert(face.end(), {x, y});
        }
        if (!has_begun) begin_face(color, shade);
        has_begun = true;
        svg_.polygon_path(face.data(), face.size() / 2);
      }
      if (has_begun) svg_.add("\"/>\n");
    }
  }

  /// Draws the outline of a cylinder or a cone, and the flat end that the viewer sees.
  void draw_round(const DrawnShape& shape, int color) {
    const bool has_apex = shape.kind == Kind::cone;
    const Point& axis = shape.axes[2];
    const Point seen = screen(axis);
    const double length = std::hypot(seen[0], seen[1]);
    const double ux = length > 0 ? seen[0] / length : 1;
    const double uy = length > 0 ? -seen[1] / length : 0;
    const double radius = shape.radius * page_.scale;
    const double flatness = std::abs(seen[2]);
    const auto [ax, ay] = on_page(shape.a);
    const auto [bx, by] = on_page(shape.b);
    svg_.add("<path class=\"c{}\" d=\"", color);
    if (shape.rounding > 0) {
      const std::array<double, 2> major{uy * radius, -ux * radius};
      const std::array<double, 2> minor{ux * radius * flatness, uy * radius * flatness};
      std::vector<std::array<double, 2>> points;
      add_ellipse({ax, ay}, major, minor, points);
      if (has_apex) {
        points.push_back({bx, by});
      } else {
        add_ellipse({bx, by}, major, minor, points);
      }
      draw_rounded(std::move(points), shape.rounding);
    } else if (has_apex) {
      svg_.cone_path(ax, ay, bx, by, ux, uy, radius, flatness);
    } else {
      svg_.cylinder_path(ax, ay, bx, by, ux, uy, radius, flatness);
    }
    svg_.add("\"/>\n");
    const bool is_upper_seen = seen[2] > 0;
    if (is_upper_seen && has_apex) return;
    Point middle = is_upper_seen ? shape.b : shape.a;
    for (std::size_t k = 0; k < 3; ++k) {
      middle[k] += (is_upper_seen ? shape.rounding : -shape.rounding) * axis[k];
    }
    const auto [x, y] = on_page(middle);
    begin_face(color, shade_of(is_upper_seen ? axis : opposite(axis)));
    svg_.cylinder_path(x, y, x, y, ux, uy, radius, flatness);
    svg_.add("\"/>\n");
  }

  void draw_ellipsoid(const DrawnShape& shape, int color) {
    const SeenEllipse ellipse = seen_ellipse(shape);
    const auto [x, y] = on_page(middle_of(shape));
    const double major = ellipse.major * page_.scale, minor = ellipse.minor * page_.scale;
    const double cosine = std::cos(ellipse.angle), sine = std::sin(ellipse.angle);
    svg_.add("<path class=\"c{}\" d=\"", color);
    if (shape.rounding > 0) {
      std::vector<std::array<double, 2>> points;
      add_ellipse({x, y}, {cosine * major, -sine * major}, {sine * minor, cosine * minor}, points);
      draw_rounded(std::move(points), shape.rounding);
    } else {
      // The ends of a cylinder without height: its direction is that of the minor axis.
      svg_.cylinder_path(x, y, x, y, sine, cosine, major, major > 0 ? minor / major : 1);
    }
    svg_.add("\"/>\n");
  }

  /// Adds places of an ellipse on the page, from its half axes.
  static void add_ellipse(const std::array<double, 2>& middle, const std::array<double, 2>& major,
                          const std::array<double, 2>& minor,
                          std::vector<std::array<double, 2>>& points) {
    constexpr int kPlaces = 64;
    for (int i = 0; i < kPlaces; ++i) {
      const double angle = 2 * std::numbers::pi * i / kPlaces;
      const double x = std::cos(angle), y = std::sin(angle);
      points.push_back(
          {middle[0] + x * major[0] + y * minor[0], middle[1] + x * major[1] + y * minor[1]});
    }
  }

  /// Writes the path around points of the page, rounded by a length of the scene.
  void draw_rounded(std::vector<std::array<double, 2>> points, double rounding) {
    const std::vector<double> outline = outline_of(std::move(points));
    svg_.rounded_path(outline.data(), outline.size() / 2, rounding * page_.scale);
  }

  /// The outline of an ellipsoid before rounding, an ellipse.
  struct SeenEllipse {
    double major, minor;          ///< half axes
    double angle;                 ///< of the major axis, from the right towards up
    std::array<double, 2> reach;  ///< to the right and up
  };

  /// The view maps the unit ball to the ellipse by the matrix M whose columns are the half axes as
  /// seen. Half axes of the ellipse are the roots of the eigenvalues of M M^T.
  SeenEllipse seen_ellipse(const DrawnShape& ellipsoid) const {
    double xx = 0, xy = 0, yy = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Point seen = screen(ellipsoid.axes[axis]);
      for (double& value : seen) value *= ellipsoid.half[axis];
      xx += seen[0] * seen[0];
      xy += seen[0] * seen[1];
      yy += seen[1] * seen[1];
    }
    const double mean = (xx + yy) / 2, spread = std::hypot((xx - yy) / 2, xy);
    return {std::sqrt(mean + spread),
            std::sqrt(std::max(0.0, mean - spread)),
            std::atan2(2 * xy, xx - yy) / 2,
            {std::sqrt(xx), std::sqrt(yy)}};
  }

  static Point middle_of(const DrawnShape& shape) {
    Point middle;
    for (std::size_t k = 0; k < 3; ++k) middle[k] = (shape.a[k] + shape.b[k]) / 2;
    return middle;
  }

  std::array<double, 2> on_page(const Point& point) const {
    const Point seen = screen(point);
    return {page_.x(seen[0]), page_.y(seen[1])};
  }

  /// The shade of the upright box's face with the most similar normal; no light from below.
  static int shade_of(const Point& normal) {
    const double x = std::abs(normal[0]), y = std::abs(normal[1]), z = std::abs(normal[2]);
    if (z >= x && z >= y) return normal[2] > 0 ? 2 : 0;
    return y >= x ? 1 : 0;
  }

  void begin_face(int color, int shade) {
    svg_.add("<path class=\"f{}{}\" stroke=\"{}\" d=\"", color, shade,
             hex(mix(class_color(color), {28, 32, 52}, 0.55)));
  }

  void draw_contact_marks() {
    DepthMap depths(page_);
    for (const DrawnShape& shape : scene_.shapes) {
      if (shape.kind != Kind::sphere || shape.contacts == 0) continue;
      const Point seen = screen(shape.a);
      depths.add_ball(page_.x(seen[0]), page_.y(seen[1]), seen[2], shape.radius);
    }
    std::vector<ContactMark> visible;
    std::vector<ContactMark> hidden;
    for (const DrawnContact& contact : scene_.contacts) {
      const Point at = screen(contact.point);
      const Point normal = screen(contact.normal);
      const double length = std::clamp(0.7 * contact.size * page_.scale, 2.0, 26.0);
      const ContactMark mark{page_.x(at[0]), page_.y(at[1]), normal[0] * length,
                             -normal[1] * length};
      // Adds a margin, since the two shapes themselves always cover the point between them.
      const bool is_hidden = depths.is_hidden(mark.x, mark.y, at[2] + 1.2 * contact.size);
      (is_hidden ? hidden : visible).push_back(mark);
    }
    draw_contacts(svg_, hidden, typical_, "hidden", 0.16);
    draw_contacts(svg_, visible, typical_, "visible", 1);
  }

  const PictureScene& scene_;
  Camera camera_;
  Extent extent_;
  Extent box_;
  Page page_;
  double typical_ = 1;
  Svg svg_;
};

}  // namespace

std::string draw3(const PictureScene& scene) { return Picture3(scene).draw(); }

}  // namespace widephase::tools
