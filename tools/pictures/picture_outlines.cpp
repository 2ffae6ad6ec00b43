#include "tools/pictures/picture_outlines.hpp"

#include <algorithm>
#include <cmath>

#include "tools/pictures/picture_parts.hpp"

namespace widephase::tools {

namespace {

using Parts = GeometryTable<Owned<2, double>>;

/// Steps the hue by the golden angle, so that consecutive owners never look alike.
Color owner_color(std::int32_t owner) {
  const double hue = std::fmod(0.58 + owner * 0.6180339887498949, 1.0);
  const auto channel = [&](double shift) {
    const double at = std::fmod(hue + shift, 1.0) * 6;
    return std::clamp(std::abs(at - 3) - 1, 0.0, 1.0);
  };
  const Color full{255 * channel(0), 255 * channel(2.0 / 3), 255 * channel(1.0 / 3)};
  return mix(full, {214, 219, 228}, 0.58);
}

class OutlinesPicture {
 public:
  OutlinesPicture(const Parts& parts, const std::vector<std::int32_t>& owners)
      : parts_(parts), owners_(owners) {
    Extent extent;
    for (std::size_t i = 0; i < parts.vertices.size(); ++i) {
      extent.add({parts.vertices(i, 0), parts.vertices(i, 1), 0});
    }
    if (extent.is_empty()) extent.add({}, 1);
    extent.pad(0.02);
    page_ = fit_page(extent.min[0], extent.min[1], extent.max[0], extent.max[1]);
    // The average space per vertex on the page: thick lines must not hide the parts.
    const double room = std::sqrt(page_.width * page_.height /
                                  static_cast<double>(std::max<std::size_t>(1, owners.size())));
    width_ = std::clamp(room * 0.05, 0.15, 2.0);
    svg_.set_digits(room < 20 ? 2 : 1);
  }

  std::string draw(const std::string& title, const std::string& caption) {
    PictureScene heading;
    heading.title = title;
    heading.caption = caption;
    begin_page(svg_, page_, heading);
    for (std::size_t first = 0; first < owners_.size();) {
      std::size_t last = first;
      while (last < owners_.size() && owners_[last] == owners_[first]) ++last;
      draw_owner(first, last);
      first = last;
    }
    draw_legend();
    return std::string(svg_.text());
  }

 private:
  void draw_owner(std::size_t first, std::size_t last) {
    const Color color = owner_color(owners_[first]);
    const Color dark = mix(color, {24, 30, 46}, 0.62);
    // Draw the edges too, since filled parts leave thin gaps between them.
    svg_.add(
        "<g stroke-linejoin=\"round\" stroke-linecap=\"round\" fill=\"none\">\n"
        "<path fill=\"{0}\" stroke=\"{0}\" stroke-width=\"{1:.2f}\" d=\"",
        hex(color), width_ * 0.5);
    std::vector<double> corners;
    for (std::size_t part = first; part < last; ++part) {
      corners.clear();
      for_each_edge(part, [&](Point from, Point, bool) {
        corners.insert(corners.end(), {page_.x(from[0]), page_.y(from[1])});
      });
      svg_.polygon_path(corners.data(), corners.size() / 2);
    }
    svg_.add("\"/>\n<path stroke=\"{}\" stroke-width=\"{:.2f}\" stroke-dasharray=\"{:.2f}\" d=\"",
             hex(mix(color, dark, 0.75)), width_ * 0.6, width_ * 3);
    draw_edges(first, last, true);
    svg_.add("\"/>\n<path stroke=\"{}\" stroke-width=\"{:.2f}\" d=\"", hex(dark), width_ * 1.5);
    draw_edges(first, last, false);
    svg_.add("\"/>\n</g>\n");
  }

  void draw_edges(std::size_t first, std::size_t last, bool is_inner) {
    for (std::size_t part = first; part < last; ++part) {
      for_each_edge(part, [&](Point from, Point to, bool is_inner_edge) {
        // Parts on both sides have this edge, or pieces of it, in opposite directions: draw one of
        // them.
        if (is_inner_edge != is_inner || (is_inner && to < from)) return;
        svg_.add("M");
        svg_.point(page_.x(from[0]), page_.y(from[1]));
        svg_.add("L");
        svg_.point(page_.x(to[0]), page_.y(to[1]));
      });
    }
  }

  template <class Visit>
  void for_each_edge(std::size_t part, Visit&& visit) const {
    const auto begin = static_cast<std::size_t>(parts_.offsets[part]);
    const auto end = static_cast<std::size_t>(parts_.offsets[part + 1]);
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t next = i + 1 == end ? begin : i + 1;
      visit(Point{parts_.vertices(i, 0), parts_.vertices(i, 1), 0},
            Point{parts_.vertices(next, 0), parts_.vertices(next, 1), 0}, parts_.inner[i] != 0);
    }
  }

  void draw_legend() {
    const double y = page_.top + page_.height + 22;
    svg_.add(
        "<g font-size=\"13\" fill=\"#3a4252\">\n"
        "<path d=\"M28 {0:.1f}h34\" stroke=\"#2a3040\" stroke-width=\"2.4\"/>"
        "<text x=\"70\" y=\"{1:.1f}\">outline</text>\n"
        "<path d=\"M140 {0:.1f}h34\" stroke=\"#2a3040\" stroke-dasharray=\"4\"/>"
        "<text x=\"182\" y=\"{1:.1f}\">between parts</text>\n",
        y + 8.5, y + 13);
    draw_scale_bar(svg_, page_, y);
    svg_.add("</g>\n</svg>\n");
  }

  const Parts& parts_;
  const std::vector<std::int32_t>& owners_;
  Page page_;
  double width_ = 1;
  Svg svg_;
};

}  // namespace

void write_outlines_picture(const Parts& parts, const std::vector<std::int32_t>& owners,
                            const std::string& title, const std::string& caption,
                            OutputFile& file) {
  file.write(OutlinesPicture(parts, owners).draw(title, caption));
}

}  // namespace widephase::tools
