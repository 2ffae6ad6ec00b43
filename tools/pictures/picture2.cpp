// The picture of a 2D scene, seen from above. In a periodic domain, shapes are wrapped into it and
// drawn again where they cross a side. The picture then shows the images that collide.

#include <algorithm>
#include <cmath>

#include "tools/pictures/picture_parts.hpp"

namespace widephase::tools {

namespace {

class Picture2 {
 public:
  explicit Picture2(const PictureScene& scene) : scene_(scene) {
    Extent extent = extent_of(scene);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      if (!scene.periodic[axis]) continue;
      extent.min[axis] = scene.domain_min[axis];
      extent.max[axis] = scene.domain_max[axis];
    }
    extent.min[2] = extent.max[2] = 0;
    extent.pad(0.02);
    // A row of shapes would give a narrow strip, so add space above and below.
    const double wanted = (extent.max[0] - extent.min[0]) / 6;
    const double missing = wanted - (extent.max[1] - extent.min[1]);
    if (missing > 0) {
      extent.min[1] -= missing / 2;
      extent.max[1] += missing / 2;
    }
    extent_ = extent;
    page_ = fit_page(extent.min[0], extent.min[1], extent.max[0], extent.max[1]);
    typical_ = typical_size(scene, page_.scale);
    svg_.set_digits(typical_ < 5 ? 2 : 1);
  }

  std::string draw() {
    begin_page(svg_, page_, scene_);
    define();
    svg_.add("<g clip-path=\"url(#view)\">\n");
    draw_halfspaces();
    draw_domain();
    svg_.add("<g clip-path=\"url(#inside)\">\n");
    for (int index = 0; index < kClassCount; ++index) draw_class(index);
    draw_rays(svg_, page_, scene_, typical_, [&](const Point& at) {
      return std::array<double, 2>{page_.x(at[0]), page_.y(at[1])};
    });
    draw_contact_marks();
    svg_.add("</g>\n</g>\n");
    end_page(svg_, page_, scene_);
    return std::string(svg_.text());
  }

 private:
  void define() {
    svg_.add(
        "<defs><clipPath id=\"view\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\"/></clipPath>",
        page_.left, page_.top, page_.width, page_.height);
    Extent inside = extent_;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      if (!scene_.periodic[axis]) continue;
      inside.min[axis] = scene_.domain_min[axis];
      inside.max[axis] = scene_.domain_max[axis];
    }
    svg_.add(
        "<clipPath id=\"inside\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\"/></clipPath>",
        page_.x(inside.min[0]), page_.y(inside.max[1]),
        (inside.max[0] - inside.min[0]) * page_.scale,
        (inside.max[1] - inside.min[1]) * page_.scale);
    svg_.add(
        "<pattern id=\"hatch2\" width=\"9\" height=\"9\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\"><rect width=\"9\" height=\"9\" fill=\"#f3f4f7\"/>"
        "<path d=\"M0 0v9\" stroke=\"#aab1c0\" stroke-width=\"2\"/></pattern></defs>\n");
  }

  /// The part of the view where dot(normal, p) <= offset, as corners of a polygon.
  std::vector<double> solid_part(const DrawnShape& shape) const {
    const double corners[4][2] = {{extent_.min[0], extent_.min[1]},
                                  {extent_.max[0], extent_.min[1]},
                                  {extent_.max[0], extent_.max[1]},
                                  {extent_.min[0], extent_.max[1]}};
    std::vector<double> part;
    for (int i = 0; i < 4; ++i) {
      const double* p = corners[i];
      const double* q = corners[(i + 1) % 4];
      const double height = shape.a[0] * p[0] + shape.a[1] * p[1] - shape.radius;
      const double next = shape.a[0] * q[0] + shape.a[1] * q[1] - shape.radius;
      if (height <= 0) part.insert(part.end(), {page_.x(p[0]), page_.y(p[1])});
      if ((height <= 0) == (next <= 0)) continue;
      const double share = height / (height - next);
      part.insert(part.end(),
                  {page_.x(p[0] + (q[0] - p[0]) * share), page_.y(p[1] + (q[1] - p[1]) * share)});
    }
    return part;
  }

  void draw_halfspaces() {
    for (const DrawnShape& shape : scene_.shapes) {
      if (shape.kind != Kind::halfspace) continue;
      const std::vector<double> part = solid_part(shape);
      const Color edge = mix(class_color(class_of(shape.contacts)), {40, 48, 66}, 0.45);
      svg_.add("<path fill=\"url(#hatch2)\" stroke=\"{}\" stroke-width=\"2\" d=\"", hex(edge));
      svg_.polygon_path(part.data(), part.size() / 2);
      svg_.add("\"/>\n");
    }
  }

  void draw_domain() {
    if (!scene_.has_domain) return;
    svg_.add(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" "
        "stroke=\"#6b7486\" stroke-width=\"1.4\"{}/>\n",
        page_.x(scene_.domain_min[0]), page_.y(scene_.domain_max[1]),
        (scene_.domain_max[0] - scene_.domain_min[0]) * page_.scale,
        (scene_.domain_max[1] - scene_.domain_min[1]) * page_.scale,
        scene_.periodic[0] || scene_.periodic[1] ? " stroke-dasharray=\"7 5\"" : "");
  }

  /// The shift that moves a position into the domain.
  double wrap(double value, std::size_t axis) const {
    if (!scene_.periodic[axis]) return 0;
    const double length = scene_.domain_max[axis] - scene_.domain_min[axis];
    return -std::floor((value - scene_.domain_min[axis]) / length) * length;
  }

  /// Calls `draw(dx, dy)` for the shape inside the domain and for each image that reaches into it.
  template <class Draw>
  void for_each_image(const DrawnShape& shape, Draw&& draw) const {
    Extent reach;
    reach.add(shape.a, shape.radius);
    reach.add(shape.b, shape.radius);
    std::array<std::vector<double>, 2> moves;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double home = wrap((reach.min[axis] + reach.max[axis]) / 2, axis);
      moves[axis].push_back(home);
      if (!scene_.periodic[axis]) continue;
      const double length = scene_.domain_max[axis] - scene_.domain_min[axis];
      if (reach.min[axis] + home < scene_.domain_min[axis]) moves[axis].push_back(home + length);
      if (reach.max[axis] + home > scene_.domain_max[axis]) moves[axis].push_back(home - length);
    }
    for (const double dx : moves[0]) {
      for (const double dy : moves[1]) draw(dx, dy);
    }
  }

  void draw_class(int index) {
    const Color color = class_color(index);
    const Color edge = mix(color, {40, 48, 66}, index == 0 ? 0.3 : 0.4);
    const double width = std::clamp(typical_ * 0.09, 0.12, 1.2);
    // Several worlds lie on top of one another: shapes without contacts are faint, others stand
    // out.
    const double opacity = !scene_.is_overlay ? 1 : index == 0 ? 0.10 : 0.30;
    svg_.add("<g fill=\"{}\" stroke=\"{}\" stroke-width=\"{:.2f}\" stroke-linejoin=\"round\"{}>\n",
             hex(color), hex(edge), width,
             scene_.is_overlay ? fmt::format(" fill-opacity=\"{:g}\" stroke-opacity=\"{:g}\"",
                                             opacity, opacity / 2)
                               : "");
    for (const DrawnShape& shape : scene_.shapes) {
      if (shape.kind == Kind::halfspace || class_of(shape.contacts) != index) continue;
      for_each_image(shape, [&](double dx, double dy) { draw_shape(shape, dx, dy); });
    }
    svg_.add("</g>\n");
  }

  void draw_shape(const DrawnShape& shape, double dx, double dy) {
    const double ax = page_.x(shape.a[0] + dx);
    const double ay = page_.y(shape.a[1] + dy);
    const double bx = page_.x(shape.b[0] + dx);
    const double by = page_.y(shape.b[1] + dy);
    const double radius = shape.radius * page_.scale;
    switch (shape.kind) {
      case Kind::circle:
        svg_.circle(ax, ay, radius);
        break;
      case Kind::capsule:
        svg_.add("<path d=\"");
        svg_.capsule_path(ax, ay, bx, by, radius);
        svg_.add("\"/>\n");
        break;
      case Kind::aabb: {
        const double corners[] = {ax, ay, bx, ay, bx, by, ax, by};
        svg_.add("<path d=\"");
        svg_.polygon_path(corners, 4);
        svg_.add("\"/>\n");
        break;
      }
      case Kind::box:
      case Kind::polygon: {
        std::vector<double> corners;
        for (const auto& [x, y] : shape.corners) {
          corners.insert(corners.end(), {page_.x(x + dx), page_.y(y + dy)});
        }
        svg_.add("<path d=\"");
        svg_.rounded_path(corners.data(), shape.corners.size(), radius);
        svg_.add("\"/>\n");
        break;
      }
      case Kind::chain: {
        // As wide as it is thick, and as other lines at least.
        svg_.add("<path fill=\"none\" stroke-linecap=\"round\" stroke-width=\"{:.2f}\" d=\"",
                 std::max(2 * radius, 1.2));
        const char* command = "M";
        for (const auto& [x, y] : shape.corners) {
          svg_.add("{}{:.2f} {:.2f}", command, page_.x(x + dx), page_.y(y + dy));
          command = "L";
        }
        svg_.add("\"/>\n");
        break;
      }
      case Kind::hull:  // only in 3D
      case Kind::cylinder:
      case Kind::ellipsoid:
      case Kind::cone:
      case Kind::heightfield:
      case Kind::mesh:
      case Kind::halfspace:  // drawn earlier
        break;
    }
  }

  void draw_contact_marks() {
    const double room = mark_room(page_, scene_);
    std::vector<ContactMark> marks;
    for (const DrawnContact& contact : scene_.contacts) {
      const double x = contact.point[0] + wrap(contact.point[0], 0);
      const double y = contact.point[1] + wrap(contact.point[1], 1);
      const double length =
          std::clamp(0.55 * contact.size * page_.scale, 1.0, std::min(26.0, 1 + room));
      marks.push_back(
          {page_.x(x), page_.y(y), contact.normal[0] * length, -contact.normal[1] * length});
    }
    draw_contacts(svg_, marks, std::min(typical_, room / 2), "contacts",
                  scene_.is_overlay ? 0.7 : 1);
  }

  const PictureScene& scene_;
  Extent extent_;
  Page page_;
  double typical_ = 1;
  Svg svg_;
};

}  // namespace

std::string draw2(const PictureScene& scene) { return Picture2(scene).draw(); }

}  // namespace widephase::tools
