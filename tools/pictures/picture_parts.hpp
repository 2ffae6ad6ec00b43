#pragma once

// The contents of a picture, for any dimension and precision, and the parts that pictures in 2D and
// 3D share.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <widephase/scene.hpp>

#include "tools/pictures/picture.hpp"
#include "tools/pictures/svg.hpp"

namespace widephase::tools {

using Point = std::array<double, 3>;  // z is 0 in 2D

/// The surface of a hull in its own frame.
struct DrawnSurface {
  std::vector<Point> vertices;
  std::vector<std::vector<std::size_t>> faces;  ///< counter-clockwise seen from outside
  std::vector<Point> normals;                   ///< of the faces, outwards, of length 1
  double half_width = 0;                        ///< half the smallest distance across a face
};

/// The samples of a height field in its own frame.
struct DrawnField {
  std::int32_t rows = 0, columns = 0;
  std::array<double, 2> cell{};
  std::vector<float> heights;  ///< row by row; NaN: a hole

  Point sample(std::int32_t row, std::int32_t column) const {
    const auto at = static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                    static_cast<std::size_t>(column);
    return {column * cell[0], row * cell[1], static_cast<double>(heights[at])};
  }
};

/// The triangles of a mesh in its own frame.
struct DrawnMesh {
  std::vector<float> vertices;        ///< x y z after one another
  std::vector<std::int32_t> corners;  ///< three vertices by triangle

  std::size_t triangle_count() const { return corners.size() / 3; }
  Point corner(std::size_t triangle, std::size_t k) const {
    const auto v = 3 * static_cast<std::size_t>(corners[3 * triangle + k]);
    return {vertices[v], vertices[v + 1], vertices[v + 2]};
  }
};

struct DrawnShape {
  Kind kind = Kind::sphere;
  /// Centre; a; min (of the corners or of an ellipsoid); centre of the lower end; normal.
  Point a{};
  /// Centre; b; max (of the corners or of an ellipsoid); centre of the upper end or apex; unused.
  Point b{};
  double radius = 0;  ///< for a halfspace, the offset
  /// Corners of a box or polygon in 2D, counter-clockwise, before rounding by the radius; the ends
  /// of a chain's segments.
  std::vector<std::array<double, 2>> corners;
  /// In 3D: half the edges of an aabb or box, including the radius; the rotated axes of other
  /// kinds, of length 1.
  std::array<Point, 3> axes{};
  Point half{};  ///< ellipsoids: half their axes, without the rounding
  /// 3D boxes: the radius, which `axes` includes. Ellipsoids, cylinders, cones: their rounding.
  double rounding = 0;
  Point center{};  ///< hulls, height fields, meshes: where the frame is
  std::shared_ptr<const DrawnSurface> surface;  ///< hulls only
  std::shared_ptr<const DrawnField> field;      ///< height fields only
  std::shared_ptr<const DrawnMesh> mesh;        ///< meshes only
  std::int32_t world = 0;
  int contacts = 0;
};

/// The shapes of a scene, by id.
template <int D, class T>
std::vector<DrawnShape> drawn_shapes(const SceneColumns<D, T>& scene);

struct DrawnContact {
  Point point{};
  Point normal{};
  double size = 0;  ///< half the width of the smaller shape
};

struct DrawnRay {
  Point from{};
  Point to{};  ///< where it hits; of a miss as far as the picture may reach
  bool is_hit = false;
};

struct PictureScene {
  int dimension = 2;
  bool is_overlay = false;  ///< several worlds are drawn on top of one another
  std::vector<DrawnShape> shapes;
  std::vector<DrawnContact> contacts;  ///< or hits, in a picture of rays
  std::vector<DrawnRay> rays;
  bool is_of_rays = false;
  bool has_domain = false;
  Point domain_min{};
  Point domain_max{};
  std::array<bool, 3> periodic{};
  std::string title;
  std::string caption;
  std::string note;  ///< what was left out, if anything
};

/// All of a picture but contacts and rays, with a caption that tells of the shapes. `is_drawn`
/// tells by id which shapes are: more do not make a better picture, only a larger file.
template <int D, class T>
PictureScene picture_without_marks(const SceneColumns<D, T>& scene,
                                   const std::vector<DrawnShape>& shapes,
                                   const PictureOptions& options, std::vector<bool>& is_drawn);

/// Whether row `i` is in a sample of about `most` of `count` rows, the same share everywhere.
bool is_in_sample(std::size_t i, std::size_t most, std::size_t count);

/// Adds to what a note tells of left-out parts.
void add_note(std::string& note, const std::string& text);

/// A growing box with sides along the axes.
struct Extent {
  Point min{1e300, 1e300, 1e300};
  Point max{-1e300, -1e300, -1e300};
  bool is_empty() const { return min[0] > max[0]; }
  void add(const Point& point, double radius = 0);
  void pad(double share);
};
/// The extent of all bounded shapes and of the domain.
Extent extent_of(const PictureScene& scene);

/// A direction or point of a hull's, a field's or a mesh's own frame, moved to the scene.
Point turned(const DrawnShape& shape, const Point& direction);
Point placed(const DrawnShape& shape, const Point& point);

/// How far a bounded shape reaches beyond `a` and `b` along any axis, at most.
double reach(const DrawnShape& shape);

/// Half the width of a shape; 0 for a halfspace, a height field or a mesh.
double half_width(const DrawnShape& shape);

/// The number of colours; similar numbers of contacts share one.
inline constexpr int kClassCount = 9;
int class_of(int contacts);
Color class_color(int index);

/// Maps the coordinates of the scene to pixels.
struct Page {
  double scale = 1;  ///< pixels per unit of length
  double left = 0;
  double top = 0;
  double width = 0;   ///< of the scene's part of the page
  double height = 0;  ///< of the scene's part of the page
  double min_x = 0;
  double max_y = 0;
  double x(double scene_x) const { return left + (scene_x - min_x) * scale; }
  double y(double scene_y) const { return top + (max_y - scene_y) * scale; }
};

/// The page for a scene that covers these intervals.
Page fit_page(double min_x, double min_y, double max_x, double max_y);

/// The median of the shapes' half widths in pixels. It decides line widths and digits.
double typical_size(const PictureScene& scene, double scale);

/// Writes what comes before the scene: size, styles, title.
void begin_page(Svg& svg, const Page& page, const PictureScene& scene);
/// Writes what comes after the scene: legend and scale bar.
void end_page(Svg& svg, const Page& page, const PictureScene& scene);

/// Draws a bar in the corner that shows a round length. `y` is the top of the legend.
void draw_scale_bar(Svg& svg, const Page& page, double y);

/// The distance in pixels between evenly spread contacts: longer marks would cover one another.
double mark_room(const Page& page, const PictureScene& scene);

/// Lines along the normals and dots at the points, in one group.
struct ContactMark {
  double x, y;    ///< in pixels
  double dx, dy;  ///< the end of the normal, relative to x and y
};
void draw_contacts(Svg& svg, const std::vector<ContactMark>& marks, double typical,
                   std::string_view id, double opacity);

/// Draws the rays of a scene, misses faint.
void draw_rays(Svg& svg, const Page& page, const PictureScene& scene, double typical,
               const std::function<std::array<double, 2>(const Point&)>& on_page);

/// The convex hull of points on the page, counter-clockwise as seen there.
std::vector<double> outline_of(std::vector<std::array<double, 2>> points);

std::string draw2(const PictureScene& scene);
std::string draw3(const PictureScene& scene);

}  // namespace widephase::tools
