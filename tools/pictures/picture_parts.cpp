#include "tools/pictures/picture_parts.hpp"

#include <algorithm>
#include <cmath>

#include "soa/kind_traits.hpp"

namespace widephase::tools {

namespace {

constexpr double kPageWidth = 1200;
constexpr double kMostHeight = 1000;
constexpr double kMargin = 28;
constexpr double kTitleHeight = 74;
constexpr double kLegendHeight = 64;

/// Grey for no contacts, then from light to dark in even steps of lightness.
constexpr Color kColors[kClassCount] = {{226, 228, 233}, {254, 222, 140}, {252, 184, 99},
                                        {243, 144, 83},  {226, 104, 86},  {198, 68, 101},
                                        {158, 45, 118},  {112, 30, 116},  {64, 16, 92}};
constexpr const char* kLabels[kClassCount] = {"0",   "1",     "2",     "3",   "4-5",
                                              "6-9", "10-29", "30-99", "100+"};
constexpr int kFirstOfClass[kClassCount] = {0, 1, 2, 3, 4, 6, 10, 30, 100};

/// The largest number of the form 1, 2 or 5 times a power of ten that is at most `value`.
double round_length(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power <= value) return factor * power;
  }
  return power;
}

}  // namespace

void Extent::add(const Point& point, double radius) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    min[axis] = std::min(min[axis], point[axis] - radius);
    max[axis] = std::max(max[axis], point[axis] + radius);
  }
}

void Extent::pad(double share) {
  double longest = 0;
  double farthest = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    longest = std::max(longest, max[axis] - min[axis]);
    farthest = std::max({farthest, std::abs(min[axis]), std::abs(max[axis])});
  }
  // An extent below kLeast is shown as a point. Doubles far from the origin are about 1e-16 of
  // their distance apart, so the padding must be larger than that.
  constexpr double kLeast = 1e-100;
  const double added = std::max(longest > kLeast ? longest * share : 1, farthest * 1e-14);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    min[axis] -= added;
    max[axis] += added;
  }
}

Extent extent_of(const PictureScene& scene) {
  Extent extent;
  for (const DrawnShape& shape : scene.shapes) {
    if (traits_of(shape.kind).is_unbounded) continue;
    extent.add(shape.a, reach(shape));
    extent.add(shape.b, reach(shape));
  }
  for (const DrawnRay& ray : scene.rays) {
    extent.add(ray.from);
    if (ray.is_hit) extent.add(ray.to);
  }
  if (scene.has_domain) {
    extent.add(scene.domain_min);
    extent.add(scene.domain_max);
  }
  for (const DrawnShape& shape : scene.shapes) {
    if (!extent.is_empty()) break;
    Point foot = shape.a;
    for (double& value : foot) value *= shape.radius;
    extent.add(foot, 1);
  }
  if (extent.is_empty()) extent.add({}, 1);
  return extent;
}

namespace {

/// Half the smallest width of a convex outline, which is perpendicular to one of its edges. 0
/// without edges.
double half_width(const std::vector<std::array<double, 2>>& corners) {
  double least = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto [x, y] = corners[i];
    const auto [next_x, next_y] = corners[(i + 1) % corners.size()];
    const double length = std::hypot(next_x - x, next_y - y);
    double width = 0;
    for (const auto& [other_x, other_y] : corners) {
      const double area = (next_x - x) * (other_y - y) - (next_y - y) * (other_x - x);
      if (length > 0) width = std::max(width, area / length);
    }
    if (width > 0 && (least == 0 || width < least)) least = width;
  }
  return least / 2;
}

/// The length of a cylinder's or a cone's axis.
double height(const DrawnShape& shape) {
  return std::hypot(shape.b[0] - shape.a[0], shape.b[1] - shape.a[1], shape.b[2] - shape.a[2]);
}

/// The lesser of two sizes; of a flat shape the other one.
double less_of(double one, double other) {
  return one > 0 && other > 0 ? std::min(one, other) : std::max(one, other);
}

}  // namespace

double reach(const DrawnShape& shape) {
  const bool is_round = shape.kind == Kind::cylinder || shape.kind == Kind::cone;
  return shape.radius + (is_round ? shape.rounding : 0);  // the bounds of others include it
}

double half_width(const DrawnShape& shape) {
  switch (shape.kind) {
    case Kind::halfspace:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      return 0;
    case Kind::sphere:
    case Kind::capsule:
      return shape.radius;
    case Kind::polygon:
      return half_width(shape.corners) + shape.radius;
    case Kind::hull:
      return shape.surface->half_width + shape.radius;
    case Kind::cylinder:
      return shape.rounding + less_of(shape.radius, height(shape) / 2);
    case Kind::cone: {
      // Across the side, the triangle seen from the side is 2 radius * height / side wide.
      const double side = std::hypot(shape.radius, height(shape));
      const double across = side > 0 ? shape.radius * (height(shape) / side) : 0;
      return shape.rounding + (across > 0 ? std::min(height(shape) / 2, across)
                                          : std::max(height(shape) / 2, shape.radius));
    }
    case Kind::box:
      if (!shape.corners.empty()) return half_width(shape.corners) + shape.radius;
      break;
    case Kind::ellipsoid:
      return shape.rounding + less_of(less_of(shape.half[0], shape.half[1]), shape.half[2]);
    case Kind::aabb:
      break;
  }
  double least = 0;
  for (const Point& edge : shape.axes) {
    const double width = std::hypot(edge[0], edge[1], edge[2]);
    if (width > 0 && (least == 0 || width < least)) least = width;
  }
  return least;
}

Point turned(const DrawnShape& hull, const Point& direction) {
  Point to{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t k = 0; k < 3; ++k) to[k] += direction[axis] * hull.axes[axis][k];
  }
  return to;
}

Point placed(const DrawnShape& hull, const Point& point) {
  Point at = turned(hull, point);
  for (std::size_t k = 0; k < 3; ++k) at[k] += hull.center[k];
  return at;
}

int class_of(int contacts) {
  int index = 0;
  while (index + 1 < kClassCount && contacts >= kFirstOfClass[index + 1]) ++index;
  return index;
}

Color class_color(int index) { return kColors[index]; }

Page fit_page(double min_x, double min_y, double max_x, double max_y) {
  Page page;
  const double room = kPageWidth - 2 * kMargin;
  page.scale = std::min(room / (max_x - min_x), kMostHeight / (max_y - min_y));
  page.width = (max_x - min_x) * page.scale;
  page.height = (max_y - min_y) * page.scale;
  page.left = kMargin + (room - page.width) / 2;
  page.top = kTitleHeight;
  page.min_x = min_x;
  page.max_y = max_y;
  return page;
}

double typical_size(const PictureScene& scene, double scale) {
  std::vector<double> sizes;
  for (const DrawnShape& shape : scene.shapes) {
    if (!traits_of(shape.kind).is_unbounded) sizes.push_back(half_width(shape) * scale);
  }
  if (sizes.empty()) return 10;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

void begin_page(Svg& svg, const Page& page, const PictureScene& scene) {
  const double height = page.top + page.height + kLegendHeight;
  svg.add(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Helvetica,Arial,sans-serif\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text x=\"{2}\" y=\"36\" font-size=\"22\" fill=\"#1c2230\" "
      "font-weight=\"bold\">{3}</text>\n"
      "<text x=\"{2}\" y=\"58\" font-size=\"14\" fill=\"#5a6273\">{4}{5}{6}</text>\n",
      kPageWidth, height, kMargin, escaped(scene.title), escaped(scene.caption),
      scene.note.empty() ? "" : " (", scene.note.empty() ? "" : escaped(scene.note) + ")");
}

void end_page(Svg& svg, const Page& page, const PictureScene& scene) {
  int highest = 0;
  for (const DrawnShape& shape : scene.shapes) {
    highest = std::max(highest, class_of(shape.contacts));
  }
  const double y = page.top + page.height + 22;
  double x = kMargin;
  svg.add(
      "<g font-size=\"13\" fill=\"#3a4252\">\n<text x=\"{:.0f}\" y=\"{:.0f}\">{} of a "
      "shape</text>\n",
      x, y + 13, scene.is_of_rays ? "hits" : "contacts");
  x += 128;
  for (int index = 0; index <= highest; ++index) {
    const Color color = class_color(index);
    svg.add(
        "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"42\" height=\"16\" fill=\"{}\"/>"
        "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n",
        x, y, hex(color), x + 21, y + 31, kLabels[index]);
    x += 42;
  }
  x += 28;
  if (!scene.contacts.empty()) {
    svg.add(
        "<path d=\"M{0:.1f} {1:.1f}h18\" stroke=\"#10141f\" stroke-width=\"1.6\"/>"
        "<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"3.2\" fill=\"#10141f\"/>"
        "<text x=\"{2:.1f}\" y=\"{3:.1f}\">{4} point and normal</text>\n",
        x, y + 8.5, x + 26, y + 13, scene.is_of_rays ? "hit" : "contact");
  }
  draw_scale_bar(svg, page, y);
  svg.add("</g>\n</svg>\n");
}

void draw_scale_bar(Svg& svg, const Page& page, double y) {
  const double length = round_length(kPageWidth / 5 / page.scale);
  const double end = kPageWidth - kMargin;
  const double begin = end - length * page.scale;
  svg.add(
      "<path d=\"M{0:.1f} {1:.1f}v8m0-4H{2:.1f}m0-4v8\" stroke=\"#3a4252\" "
      "stroke-width=\"1.5\" fill=\"none\"/>"
      "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"middle\">{5:g}</text>\n",
      begin, y + 2, end, (begin + end) / 2, y + 26, length);
}

/// Andrew's monotone chain: left to right along the bottom, then back along the top.
std::vector<double> outline_of(std::vector<std::array<double, 2>> points) {
  std::sort(points.begin(), points.end());
  std::vector<std::array<double, 2>> outline;
  const auto add_chain = [&](auto begin, auto end) {
    const std::size_t first = outline.size();
    for (auto p = begin; p != end; ++p) {
      while (outline.size() >= first + 2) {
        const auto& from = outline[outline.size() - 2];
        const auto& middle = outline.back();
        const double area = (middle[0] - from[0]) * ((*p)[1] - from[1]) -
                            (middle[1] - from[1]) * ((*p)[0] - from[0]);
        if (area < 0) break;  // y points down on the page: this is a left turn
        outline.pop_back();
      }
      outline.push_back(*p);
    }
    outline.pop_back();  // it is also the first point of the other chain
  };
  add_chain(points.begin(), points.end());
  add_chain(points.rbegin(), points.rend());
  std::vector<double> xy;
  for (const auto& [x, y] : outline) xy.insert(xy.end(), {x, y});
  return xy;
}

double mark_room(const Page& page, const PictureScene& scene) {
  const auto count = static_cast<double>(std::max<std::size_t>(scene.contacts.size(), 1));
  return std::sqrt(page.width * page.height / count);
}

void draw_contacts(Svg& svg, const std::vector<ContactMark>& marks, double typical,
                   std::string_view id, double opacity) {
  if (marks.empty()) return;
  const double width = std::clamp(typical / 7, 0.3, 1.6);
  const double dot = std::clamp(typical / 4, 0.7, 5.0);
  svg.add("<defs><path id=\"{}\" d=\"", id);
  for (const ContactMark& mark : marks) {
    svg.add("M");
    svg.point(mark.x, mark.y);
    svg.add("l");
    svg.point(mark.dx, mark.dy);
  }
  svg.add(
      "\"/></defs>\n<g stroke-linecap=\"round\" opacity=\"{}\">"
      "<use href=\"#{}\" stroke=\"#fff\" stroke-opacity=\".75\" stroke-width=\"{:.2f}\"/>"
      "<use href=\"#{}\" stroke=\"#10141f\" stroke-width=\"{:.2f}\"/>\n"
      "<path stroke=\"#10141f\" stroke-width=\"{:.2f}\" d=\"",
      opacity, id, width * 2.4, id, width, dot);
  for (const ContactMark& mark : marks) {
    svg.add("M");
    svg.point(mark.x, mark.y);
    svg.add("h0");
  }
  svg.add("\"/></g>\n");
}

}  // namespace widephase::tools
