#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace widephase::tools {

/// Builds the text of an SVG. Numbers are as short as the picture allows.
class Svg {
 public:
  /// Sets the number of decimals of coordinates.
  void set_digits(int digits) { digits_ = digits; }

  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(fmt::appender(text_), format, std::forward<Args>(args)...);
  }
  /// Writes a number without trailing zeros: 12.50 becomes 12.5, -0.00 becomes 0.
  void number(double value);
  /// Writes "x y".
  void point(double x, double y);
  void circle(double x, double y, double radius, std::string_view attributes = {});
  /// The path data of a capsule's outline: two straight sides and two half circles.
  void capsule_path(double ax, double ay, double bx, double by, double radius);
  /// The outline of a cylinder seen from the side: two straight sides and half an ellipse at each
  /// end. (ux, uy) is the direction from a to b on the page. It has length 1, even if a and b
  /// coincide. `flatness` is the ratio of the axes of the ellipse, 1 for a circle.
  void cylinder_path(double ax, double ay, double bx, double by, double ux, double uy,
                     double radius, double flatness);
  /// The outline of a cone seen from the side: half an ellipse or more around the base, as in
  /// `cylinder_path`, and its tangents from the apex. (ux, uy) is the direction from the base to
  /// the apex. If the apex is seen within the base, the whole ellipse.
  void cone_path(double base_x, double base_y, double apex_x, double apex_y, double ux, double uy,
                 double radius, double flatness);
  void polygon_path(const double* xy, std::size_t count);
  /// The outline of a convex polygon grown by a radius: sides moved outward and joined by arcs. The
  /// corners are counter-clockwise as seen on the page, where y points down.
  void rounded_path(const double* xy, std::size_t count, double radius);

  std::string_view text() const { return {text_.data(), text_.size()}; }

 private:
  fmt::memory_buffer text_;
  int digits_ = 2;
};

/// Escapes & < > " for markup.
std::string escaped(std::string_view text);

struct Color {
  double red, green, blue;  ///< from 0 to 255
};
std::string hex(Color color);
/// Mixes two colours; `share` is the share of `to`.
Color mix(Color from, Color to, double share);

}  // namespace widephase::tools
