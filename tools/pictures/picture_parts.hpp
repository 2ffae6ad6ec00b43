#pragma once

// What the picture of a scene is made of, whatever its dimension and precision, and the parts
// that flat and spatial pictures share.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <widephase/scene.hpp>

#include "tools/pictures/svg.hpp"

namespace widephase::tools {

using Point = std::array<double, 3>;  // z is 0 in 2D

/// A hull in its own frame.
struct DrawnSurface {
  std::vector<Point> vertices;
  std::vector<std::vector<std::size_t>> faces;  ///< counter-clockwise seen from outside
  std::vector<Point> normals;                   ///< of the faces, outwards, of length 1
  double half_width = 0;                        ///< half the least distance across a face
};

struct DrawnShape {
  Kind kind = Kind::sphere;
  Point a{};          ///< centre; a; min (of the corners); middle of the lower end; normal
  Point b{};          ///< centre; b; max (of the corners); middle of the upper end; unused
  double radius = 0;  ///< a halfspace's offset
  /// Corners of a box or polygon in 2D, counter-clockwise, to be rounded by the radius.
  std::vector<std::array<double, 2>> corners;
  /// In 3D, of an aabb or box half its edges, the radius included; of a hull or cylinder where its
  /// turn takes the axes.
  std::array<Point, 3> axes{};
  double rounding = 0;                          ///< of a box in 3D: the radius among its axes
  Point center{};                               ///< of a hull: where its frame lies
  std::shared_ptr<const DrawnSurface> surface;  ///< of a hull
  std::int32_t world = 0;
  int contacts = 0;
};

/// A scene's shapes by id.
template <int D, class T>
std::vector<DrawnShape> drawn_shapes(const SceneColumns<D, T>& scene);

struct DrawnContact {
  Point point{};
  Point normal{};
  double size = 0;  ///< half width of the smaller shape
};

struct PictureScene {
  int dimension = 2;
  bool is_overlay = false;  ///< several worlds on top of one another
  std::vector<DrawnShape> shapes;
  std::vector<DrawnContact> contacts;
  bool has_domain = false;
  Point domain_min{};
  Point domain_max{};
  std::array<bool, 3> periodic{};
  std::string title;
  std::string caption;
  std::string note;  ///< what was left out, if anything
};

/// A box along the axes that grows.
struct Extent {
  Point min{1e300, 1e300, 1e300};
  Point max{-1e300, -1e300, -1e300};
  bool is_empty() const { return min[0] > max[0]; }
  void add(const Point& point, double radius = 0);
  void pad(double share);
};
/// The extent of all shapes that end somewhere, and of the domain.
Extent extent_of(const PictureScene& scene);

/// A direction and a point of a hull's own frame where it lies.
Point turned(const DrawnShape& hull, const Point& direction);
Point placed(const DrawnShape& hull, const Point& point);

/// Half the width of a shape; 0 for a halfspace.
double half_width(const DrawnShape& shape);

/// Numbers of contacts that share a colour.
inline constexpr int kClassCount = 9;
int class_of(int contacts);
Color class_color(int index);

/// Where the scene lies on the page: from numbers of the scene to pixels.
struct Page {
  double scale = 1;  ///< pixels a unit
  double left = 0;
  double top = 0;
  double width = 0;   ///< of the scene's part
  double height = 0;  ///< of the scene's part
  double min_x = 0;
  double max_y = 0;
  double x(double scene_x) const { return left + (scene_x - min_x) * scale; }
  double y(double scene_y) const { return top + (max_y - scene_y) * scale; }
};

/// The page for a scene that covers these intervals.
Page fit_page(double min_x, double min_y, double max_x, double max_y);

/// The median of the shapes' half widths in pixels: decides line widths and digits.
double typical_size(const PictureScene& scene, double scale);

/// Everything before the scene: size, styles, title.
void begin_page(Svg& svg, const Page& page, const PictureScene& scene);
/// Everything after it: legend and scale bar.
void end_page(Svg& svg, const Page& page, const PictureScene& scene);

/// The bar in the corner that says how long a round length is; `y` is the legend's top.
void draw_scale_bar(Svg& svg, const Page& page, double y);

/// Pixels between contacts if they lay evenly: longer marks would cover one another.
double mark_room(const Page& page, const PictureScene& scene);

/// Lines along normals and dots at the points, as one group.
struct ContactMark {
  double x, y;    ///< pixels
  double dx, dy;  ///< the normal's end, from there
};
void draw_contacts(Svg& svg, const std::vector<ContactMark>& marks, double typical,
                   std::string_view id, double opacity);

std::string draw2(const PictureScene& scene);
std::string draw3(const PictureScene& scene);

}  // namespace widephase::tools
