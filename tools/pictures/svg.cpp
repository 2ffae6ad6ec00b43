#include "tools/pictures/svg.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace widephase::tools {

void Svg::number(double value) {
  char digits[64];
  const auto result = fmt::format_to_n(digits, sizeof(digits), "{:.{}f}", value, digits_);
  std::string_view text(digits, std::min(result.size, sizeof(digits)));
  if (text.find('.') != text.npos) {
    while (text.back() == '0') text.remove_suffix(1);
    if (text.back() == '.') text.remove_suffix(1);
  }
  if (text == "-0") text = "0";
  if (text.starts_with("0.")) text.remove_prefix(1);
  text_.append(text);
}

void Svg::point(double x, double y) {
  number(x);
  text_.push_back(' ');
  number(y);
}

void Svg::circle(double x, double y, double radius, std::string_view attributes) {
  add("<circle cx=\"");
  number(x);
  add("\" cy=\"");
  number(y);
  add("\" r=\"");
  number(radius);
  add("\"{}/>\n", attributes);
}

void Svg::capsule_path(double ax, double ay, double bx, double by, double radius) {
  const double length = std::hypot(bx - ax, by - ay);
  const double ux = length > 0 ? (bx - ax) / length : 1;
  const double uy = length > 0 ? (by - ay) / length : 0;
  const double sx = -uy * radius;
  const double sy = ux * radius;
  const auto arc_to = [&](double x, double y) {
    add("A");
    point(radius, radius);
    add(" 0 0 0 ");
    point(x, y);
  };
  add("M");
  point(ax + sx, ay + sy);
  add("L");
  point(bx + sx, by + sy);
  arc_to(bx - sx, by - sy);
  add("L");
  point(ax - sx, ay - sy);
  arc_to(ax + sx, ay + sy);
  add("Z");
}

void Svg::cylinder_path(double ax, double ay, double bx, double by, double ux, double uy,
                        double radius, double flatness) {
  const double sx = uy * radius;
  const double sy = -ux * radius;
  const auto arc_to = [&](double x, double y) {
    add("A");
    point(radius, radius * flatness);
    add(" {:.2f} 0 1 ", std::atan2(sy, sx) * 180 / std::numbers::pi);
    point(x, y);
  };
  add("M");
  point(ax + sx, ay + sy);
  add("L");
  point(bx + sx, by + sy);
  arc_to(bx - sx, by - sy);
  add("L");
  point(ax - sx, ay - sy);
  arc_to(ax + sx, ay + sy);
  add("Z");
}

void Svg::cone_path(double base_x, double base_y, double apex_x, double apex_y, double ux,
                    double uy, double radius, double flatness) {
  const double away = std::hypot(apex_x - base_x, apex_y - base_y), minor = radius * flatness;
  if (!(away > minor)) {
    return cylinder_path(base_x, base_y, base_x, base_y, ux, uy, radius, flatness);
  }
  // Where the tangents from a point on an axis of the ellipse touch it: along and across this axis.
  const double along = minor * (minor / away);
  const double across = radius * std::sqrt(1 - (minor / away) * (minor / away));
  add("M");
  point(apex_x, apex_y);
  add("L");
  point(base_x + along * ux - across * uy, base_y + along * uy + across * ux);
  add("A");
  point(radius, minor);
  add(" {:.2f} 1 1 ", std::atan2(-ux, uy) * 180 / std::numbers::pi);
  point(base_x + along * ux + across * uy, base_y + along * uy - across * ux);
  add("Z");
}

void Svg::polygon_path(const double* xy, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    add("{}", i == 0 ? "M" : "L");
    point(xy[2 * i], xy[2 * i + 1]);
  }
  if (count > 0) add("Z");
}

void Svg::rounded_path(const double* xy, std::size_t count, double radius) {
  if (radius == 0 || count == 0) return polygon_path(xy, count);
  std::array<double, 2> begin{};
  bool has_begun = false;
  const auto arc_to = [&](double x, double y) {
    add("A");
    point(radius, radius);
    add(" 0 0 0 ");
    point(x, y);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const double* from = xy + 2 * i;
    const double* to = xy + 2 * ((i + 1) % count);
    const double length = std::hypot(to[0] - from[0], to[1] - from[1]);
    if (length == 0) continue;
    const double out_x = (from[1] - to[1]) / length * radius;
    const double out_y = (to[0] - from[0]) / length * radius;
    if (has_begun) {
      arc_to(from[0] + out_x, from[1] + out_y);
    } else {
      begin = {from[0] + out_x, from[1] + out_y};
      has_begun = true;
      add("M");
      point(begin[0], begin[1]);
    }
    add("L");
    point(to[0] + out_x, to[1] + out_y);
  }
  if (!has_begun) {  // all corners coincide: draw a circle as two halves
    begin = {xy[0] - radius, xy[1]};
    add("M");
    point(begin[0], begin[1]);
    arc_to(xy[0] + radius, xy[1]);
  }
  arc_to(begin[0], begin[1]);
  add("Z");
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
  }
  return result;
}

std::string hex(Color color) {
  const auto byte = [](double value) {
    return static_cast<int>(std::clamp(value, 0.0, 255.0) + 0.5);
  };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(color.red), byte(color.green), byte(color.blue));
}

Color mix(Color from, Color to, double share) {
  const auto between = [&](double a, double b) { return a + (b - a) * share; };
  return {between(from.red, to.red), between(from.green, to.green), between(from.blue, to.blue)};
}

}  // namespace widephase::tools
