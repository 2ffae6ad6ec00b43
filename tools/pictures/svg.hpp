#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace widephase::tools {

/// Text of an SVG under construction, with numbers as short as the picture allows.
class Svg {
 public:
  /// Digits behind the point of every coordinate.
  void set_digits(int digits) { digits_ = digits; }

  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(fmt::appender(text_), format, std::forward<Args>(args)...);
  }
  /// A number without trailing zeros: 12.50 is 12.5, -0.00 is 0.
  void number(double value);
  /// "x y".
  void point(double x, double y);
  void circle(double x, double y, double radius, std::string_view attributes = {});
  /// The path data of a capsule's outline, two straight sides and two half circles.
  void capsule_path(double ax, double ay, double bx, double by, double radius);
  /// The outline of a cylinder seen from aside: two straight sides and half an ellipse at each end.
  /// (ux, uy) is the direction from a to b on the page, of length 1, also where a and b coincide;
  /// `flatness` the cosine by which the ends look flat, 1 for a circle.
  void cylinder_path(double ax, double ay, double bx, double by, double ux, double uy,
                     double radius, double flatness);
  void polygon_path(const double* xy, std::size_t count);
  /// The outline of a convex polygon grown by a radius: its sides moved outwards, joined by arcs.
  /// The corners are counter-clockwise as one sees them on the page, where y grows downwards.
  void rounded_path(const double* xy, std::size_t count, double radius);

  std::string_view text() const { return {text_.data(), text_.size()}; }

 private:
  fmt::memory_buffer text_;
  int digits_ = 2;
};

/// A text for markup: & < > " replaced.
std::string escaped(std::string_view text);

struct Color {
  double red, green, blue;  ///< 0 to 255
};
std::string hex(Color color);
/// `share` of the way from one colour to the other.
Color mix(Color from, Color to, double share);

}  // namespace widephase::tools
