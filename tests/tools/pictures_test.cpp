// Pictures of hulls, cylinders, ellipsoids and cones: what is drawn where, parsed from the SVG.
// Labels: plain

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <widephase/collide.hpp>
#include <widephase/hulls.hpp>

#include "tools/pictures/picture.hpp"

namespace widephase::tools {
namespace {

/// How the camera sees z: it is 0.45 radians above the horizon.
const double kSineOfElevation = std::sin(0.45);
const double kCosineOfElevation = std::cos(0.45);

/// A drawn path: its class, and each closed part as text.
struct Path {
  std::string css;
  std::vector<std::string> parts;
};

std::vector<double> numbers_of(const std::string& text) {
  std::vector<double> numbers;
  const std::regex number("-?[0-9.]+");
  for (std::sregex_iterator match(text.begin(), text.end(), number), end; match != end; ++match) {
    numbers.push_back(std::stod(match->str()));
  }
  return numbers;
}

class pictures : public ::testing::Test {
 protected:
  template <int D>
  static std::string draw(const SceneColumns<D, double>& scene) {
    const ContactBuffer<D, double> no_contacts;
    return picture_of(scene, no_contacts, {std::nullopt, "scene"});
  }
  static std::vector<Path> paths(const std::string& picture) {
    std::vector<Path> found;
    const std::regex pattern("<path class=\"([a-z0-9]+)\"[^>]* d=\"([^\"]*)\"/>");
    for (std::sregex_iterator match(picture.begin(), picture.end(), pattern), end; match != end;
         ++match) {
      Path path{(*match)[1], {}};
      std::istringstream parts((*match)[2]);
      for (std::string part; std::getline(parts, part, 'Z');) path.parts.push_back(part);
      found.push_back(path);
    }
    return found;
  }
  /// Each face with its class and sorted corners, wherever its path starts.
  static std::multiset<std::pair<std::string, std::vector<std::array<double, 2>>>> faces(
      const std::string& picture) {
    std::multiset<std::pair<std::string, std::vector<std::array<double, 2>>>> found;
    for (const Path& path : paths(picture)) {
      for (const std::string& part : path.parts) {
        if (part.find('A') != part.npos) continue;
        const std::vector<double> numbers = numbers_of(part);
        std::vector<std::array<double, 2>> corners;
        for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
          corners.push_back({numbers[i], numbers[i + 1]});
        }
        std::sort(corners.begin(), corners.end());
        found.emplace(path.css, corners);
      }
    }
    return found;
  }
  /// The radius of the only circle drawn, in pixels.
  static double circle_radius(const std::string& picture) {
    std::smatch match;
    EXPECT_TRUE(std::regex_search(picture, match, std::regex("<circle [^>]*r=\"([0-9.]+)\"")));
    return std::stod(match[1]);
  }
  /// Where the lines and arcs of a path end.
  static std::vector<std::array<double, 2>> ends_of(const std::string& part) {
    std::vector<std::array<double, 2>> ends;
    const std::regex step("([MLA])([^MLA]*)");
    for (std::sregex_iterator match(part.begin(), part.end(), step), end; match != end; ++match) {
      const std::vector<double> numbers = numbers_of((*match)[2]);
      ends.push_back({numbers[numbers.size() - 2], numbers.back()});
    }
    return ends;
  }
  static double top_of(const std::string& part) {
    double top = 1e9;
    for (const auto& [x, y] : ends_of(part)) top = std::min(top, y);
    return top;
  }
  /// The width and height of a path that has ends where it is widest and highest.
  static std::array<double, 2> size_of(const std::string& part) {
    std::array<double, 2> least{1e9, 1e9}, most{-1e9, -1e9};
    for (const auto& end : ends_of(part)) {
      for (std::size_t k = 0; k < 2; ++k) {
        least[k] = std::min(least[k], end[k]);
        most[k] = std::max(most[k], end[k]);
      }
    }
    return {most[0] - least[0], most[1] - least[1]};
  }
  static void set_domain(SceneColumns<3, double>& scene) {
    scene.domain.min = {-4, -4, -4};
    scene.domain.max = {4, 4, 4};
  }
};

TEST_F(pictures, a_box_as_a_hull_is_drawn_as_the_box) {
  // Half extents 1, 2, 0.5, with various axes and rotations of 0.8 and 2.2 radians, away from the
  // origin. The hull's vertices are moved by (0.5, 0, 0) in its frame, and its centre back by the
  // same.
  for (const std::array<double, 4>& turn :
       {std::array<double, 4>{0, 0, 0, 1},
        {0.6 * std::sin(0.4), 0.8 * std::sin(0.4), 0, std::cos(0.4)},
        {0.8 * std::sin(1.1), 0, 0.6 * std::sin(1.1), std::cos(1.1)}}) {
    SceneColumns<3, double> boxes;
    set_domain(boxes);
    boxes.boxes.center = {{0.5, -0.25, 1}};
    boxes.boxes.turn = {turn};
    boxes.boxes.half_extents = {{1, 2, 0.5}};
    SceneColumns<3, double> hulls;
    set_domain(hulls);
    Column<double, 3> corners;
    for (int i = 0; i < 8; ++i) {
      corners.push_back(
          {(i & 1) != 0 ? 1.5 : -0.5, (i & 2) != 0 ? 2.0 : -2.0, (i & 4) != 0 ? 0.5 : -0.5});
    }
    add_hull(hulls.geometries, corners.span());
    // Where the turn takes the x axis.
    const auto [x, y, z, w] = turn;
    const std::array<double, 3> axis{1 - 2 * (y * y + z * z), 2 * (x * y + z * w),
                                     2 * (x * z - y * w)};
    hulls.hulls.center = {{0.5 - 0.5 * axis[0], -0.25 - 0.5 * axis[1], 1 - 0.5 * axis[2]}};
    hulls.hulls.turn = {turn};
    hulls.hulls.geometry = {0};
    const auto drawn = faces(draw(boxes));
    EXPECT_EQ(drawn.size(), 3u);
    EXPECT_EQ(faces(draw(hulls)), drawn);
  }
}

TEST_F(pictures, a_rounded_hull_has_a_round_outline_and_its_faces_in_front) {
  // A tetrahedron of corner (0, 0, 0) and edges along the axes, rounded by 0.5: the viewer, at
  // negative x and y and above, sees the faces x = 0 and y = 0.
  SceneColumns<3, double> scene;
  set_domain(scene);
  scene.spheres.center = {{3, 3, 3}};
  scene.spheres.radius = {0.5};
  const Column<double, 3> corners{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
  add_hull(scene.geometries, corners.span());
  scene.hulls.center = {{0, 0, 0}};
  scene.hulls.turn = {{0, 0, 0, 1}};
  scene.hulls.geometry = {0};
  scene.hulls.radius = {0.5};
  const std::string picture = draw(scene);
  const double radius = circle_radius(picture);
  const std::vector<Path> drawn = paths(picture);
  ASSERT_EQ(drawn.size(), 3u);
  // All four corners are on the outline, each with an arc of the sphere's radius.
  EXPECT_EQ(std::count(drawn[0].parts[0].begin(), drawn[0].parts[0].end(), 'A'), 4);
  EXPECT_NE(drawn[0].parts[0].find(fmt::format("A{0:g} {0:g} 0 0 0 ", radius)), std::string::npos)
      << drawn[0].parts[0];
  EXPECT_EQ(drawn[1].css, "f00");
  EXPECT_EQ(drawn[2].css, "f01");
  // The faces are moved outwards, by the radius along x and y. Two units along z are as many
  // pixels upwards as the camera leaves of them, on both faces.
  const double unit = radius / 0.5;
  const auto shown = faces(picture);
  for (const auto& [css, face] : shown) {
    ASSERT_EQ(face.size(), 3u) << css;
    double rise = 0;
    for (const auto& p : face) {
      for (const auto& q : face) {
        if (std::abs(p[0] - q[0]) < 0.2) rise = std::max(rise, p[1] - q[1]);
      }
    }
    EXPECT_NEAR(rise, 2 * unit * kCosineOfElevation, 0.2) << css;
  }
  EXPECT_EQ(shown.size(), 2u);
}

TEST_F(pictures, a_cylinder_is_two_lines_and_two_ellipses) {
  // Upright, radius 1, two high, beside a sphere of radius 1: the rims are as wide as the sphere
  // and as flat as the camera sees them; the middles of the ends are 2 apart, seen aslant.
  SceneColumns<3, double> scene;
  set_domain(scene);
  scene.spheres.center = {{3, 3, 0}};
  scene.spheres.radius = {1};
  scene.cylinders.center = {{0, 0, 0.5}};
  scene.cylinders.turn = {{0, 0, 0, 1}};
  scene.cylinders.half_height = {1};
  scene.cylinders.radius = {1};
  const std::string picture = draw(scene);
  const double radius = circle_radius(picture);
  const std::vector<Path> drawn = paths(picture);
  ASSERT_EQ(drawn.size(), 2u);
  EXPECT_EQ(drawn[0].css, "c0");
  EXPECT_EQ(drawn[1].css, "f02");  // the upper end, in the light from above
  for (const Path& path : drawn) {
    // M x y L x y A rx ry angle 0 1 x y L x y A rx ry angle 0 1 x y
    const std::vector<double> n = numbers_of(path.parts[0]);
    ASSERT_EQ(n.size(), 20u);
    for (const std::size_t arc : {4u, 13u}) {
      EXPECT_NEAR(n[arc], radius, 0.11);
      EXPECT_NEAR(n[arc + 1], radius * kSineOfElevation, 0.11);
      EXPECT_NEAR(std::remainder(n[arc + 2], 180), 0, 1e-9);
      EXPECT_EQ(n[arc + 4], 1);  // the arc that bulges outward
    }
    // From the lower left to the upper left, round the top to the right, down and round the bottom.
    EXPECT_NEAR(n[9] - n[2], 2 * radius, 0.3);
    EXPECT_NEAR(n[3], n[10], 0.11);
    const double height = &path == &drawn[0] ? 2 * radius * kCosineOfElevation : 0;
    EXPECT_NEAR(n[1] - n[3], height, 0.3);
    EXPECT_NEAR(n[12] - n[10], height, 0.3);
  }
}

TEST_F(pictures, a_cylinder_upside_down_shows_its_other_end) {
  // Turned by half a turn about x: its own lower end is up, and the picture the same.
  const auto drawn = [](const std::array<double, 4>& turn) {
    SceneColumns<3, double> scene;
    set_domain(scene);
    scene.cylinders.center = {{1, 2, 0}};
    scene.cylinders.turn = {turn};
    scene.cylinders.half_height = {1.5};
    scene.cylinders.radius = {0.5};
    std::vector<std::vector<double>> numbers;
    for (const Path& path : paths(draw(scene))) {
      EXPECT_EQ(path.parts.size(), 1u);
      numbers.push_back(numbers_of(path.parts[0]));
    }
    return numbers;
  };
  const auto upright = drawn({0, 0, 0, 1});
  const auto turned = drawn({1, 0, 0, 0});
  ASSERT_EQ(upright.size(), 2u);
  ASSERT_EQ(turned.size(), 2u);
  // The path begins across: at the third of its corners.
  EXPECT_NEAR(turned[1][0], upright[1][9], 0.11);
  EXPECT_NEAR(turned[1][1], upright[1][10], 0.11);
}

TEST_F(pictures, hulls_and_cylinders_without_size_in_some_direction) {
  // A disc, a segment, a point; and a hull far from the origin of its frame.
  SceneColumns<3, double> scene;
  scene.cylinders.center = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}};
  scene.cylinders.turn = {{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}};
  scene.cylinders.half_height = {0, 1, 0};
  scene.cylinders.radius = {1, 0, 0};
  const Column<double, 3> corners{{1000, 0, 0}, {1002, 0, 0}, {1000, 2, 0}, {1000, 0, 2}};
  add_hull(scene.geometries, corners.span());
  scene.hulls.center = {{-1000, 0, 0}};
  scene.hulls.turn = {{0, 0, 0, 1}};
  scene.hulls.geometry = {0};
  const std::string picture = draw(scene);
  EXPECT_EQ(picture.find("nan"), std::string::npos);
  EXPECT_EQ(picture.find("inf"), std::string::npos);
  EXPECT_NE(picture.find("4 shapes, 0 contacts"), std::string::npos);
  // The page shows these few units, not a thousand: a unit has more than 100 pixels.
  const auto shown = faces(picture);
  ASSERT_FALSE(shown.empty());
  for (const auto& [css, face] : shown) {
    EXPECT_GT(face.back()[0] - face.front()[0], 100) << css;
  }
}

TEST_F(pictures, an_ellipsoid_is_the_ellipse_that_the_camera_sees) {
  // Upright, one to each side and two up, beside a sphere of radius 1. Across, it is as wide as the
  // sphere. Upwards it reaches as far as its half axes do, by Pythagoras: 1 times the sine of the
  // elevation and 2 times its cosine.
  SceneColumns<3, double> scene;
  set_domain(scene);
  scene.spheres.center = {{3, 3, 0}};
  scene.spheres.radius = {1};
  scene.ellipsoids.center = {{0, 0, 0.5}};
  scene.ellipsoids.turn = {{0, 0, 0, 1}};
  scene.ellipsoids.half_extents = {{1, 1, 2}};
  const std::string sharp = draw(scene);
  const double radius = circle_radius(sharp);
  const double up = std::hypot(kSineOfElevation, 2 * kCosineOfElevation);
  ASSERT_EQ(paths(sharp).size(), 1u);
  EXPECT_EQ(paths(sharp)[0].css, "c0");
  // M x y L x y A rx ry angle 0 1 x y L x y A rx ry angle 0 1 x y
  const std::vector<double> n = numbers_of(paths(sharp)[0].parts[0]);
  ASSERT_EQ(n.size(), 20u);
  for (const std::size_t arc : {4u, 13u}) {
    EXPECT_NEAR(n[arc], up * radius, 0.2);
    EXPECT_NEAR(n[arc + 1], radius, 0.2);
    EXPECT_NEAR(std::abs(std::remainder(n[arc + 2], 180)), 90, 1e-9);
  }
  EXPECT_NEAR(std::abs(n[10] - n[1]), 2 * up * radius, 0.3);
  EXPECT_NEAR(n[9], n[0], 0.11);
  // Rounded by a half, it reaches this much farther to every side.
  scene.ellipsoids.rounding = {0.5};
  const std::string rounded = draw(scene);
  const double unit = circle_radius(rounded);
  const auto [width, height] = size_of(paths(rounded)[0].parts[0]);
  EXPECT_NEAR(width, 2 * 1.5 * unit, 0.5);
  EXPECT_NEAR(height, 2 * (up + 0.5) * unit, 0.5);
  std::smatch arc;
  const std::string outline = paths(rounded)[0].parts[0];
  ASSERT_TRUE(std::regex_search(outline, arc, std::regex("A([0-9.]+) ([0-9.]+) 0 0 0 ")));
  EXPECT_NEAR(std::stod(arc[1]), unit / 2, 0.11);
  EXPECT_EQ(arc[1], arc[2]);
}

TEST_F(pictures, an_ellipsoid_of_equal_extents_is_drawn_as_a_sphere) {
  // However it is turned: all half axes of its ellipse are the sphere's radius.
  SceneColumns<3, double> scene;
  set_domain(scene);
  scene.spheres.center = {{3, 3, 0}};
  scene.spheres.radius = {1};
  scene.ellipsoids.center = {{0, 0, 0}};
  scene.ellipsoids.turn = {{0.1, 0.7, -0.1, 0.7}};
  scene.ellipsoids.half_extents = {{1, 1, 1}};
  const std::string picture = draw(scene);
  const std::vector<double> n = numbers_of(paths(picture)[0].parts[0]);
  for (const std::size_t at : {4u, 5u, 13u, 14u}) EXPECT_NEAR(n[at], circle_radius(picture), 0.11);
}

TEST_F(pictures, a_cone_is_its_base_and_the_tangents_from_its_apex) {
  // Upright, radius 1, two high, beside a sphere of radius 1. From the middle of the base on the
  // page, in radii of the sphere, the apex is 2 cos(elevation) up, and the base is an ellipse with
  // half axes 1 and sin(elevation).
  SceneColumns<3, double> scene;
  set_domain(scene);
  scene.spheres.center = {{3, 3, 0}};
  scene.spheres.radius = {1};
  scene.cones.center = {{0, 0, 0}};
  scene.cones.turn = {{0, 0, 0, 1}};
  scene.cones.half_height = {1};
  scene.cones.radius = {1};
  const std::string picture = draw(scene);
  const double radius = circle_radius(picture);
  ASSERT_EQ(paths(picture).size(), 1u) << "the base is not seen from above";
  // M apex L x y A rx ry angle 1 1 x y
  const std::vector<double> n = numbers_of(paths(picture)[0].parts[0]);
  ASSERT_EQ(n.size(), 11u);
  EXPECT_NEAR(n[4], radius, 0.11);
  EXPECT_NEAR(n[5], radius * kSineOfElevation, 0.11);
  EXPECT_NEAR(std::remainder(n[6], 180), 0, 1e-9);
  EXPECT_EQ(n[7], 1);  // the longer way around the base
  const double apex = 2 * kCosineOfElevation;
  const double base_y = n[1] + apex * radius;  // y points down
  for (const std::size_t end : {2u, 9u}) {
    const double x = (n[end] - n[0]) / radius, y = (base_y - n[end + 1]) / radius;
    const double minor2 = kSineOfElevation * kSineOfElevation;
    EXPECT_NEAR(x * x + y * y / minor2, 1, 0.02) << "it is not on the ellipse";
    // The tangent in (x, y) holds all (u, v) of u x + v y / minor2 = 1.
    EXPECT_NEAR(apex * y / minor2, 1, 0.03) << "the apex is not on its tangent";
  }
  EXPECT_GT(n[2], n[9]) << "around the base from right to left";
  EXPECT_EQ(n[8], 1) << "clockwise, thus below";

  // Upside down the base is seen, in the light from above.
  scene.cones.turn = {{1, 0, 0, 0}};
  const std::vector<Path> turned = paths(draw(scene));
  ASSERT_EQ(turned.size(), 2u);
  EXPECT_EQ(turned[1].css, "f02");

  // So flat that its apex is before the base on the page: the base's ellipse alone.
  scene.cones.turn = {{0, 0, 0, 1}};
  scene.cones.half_height = {0.1};
  const std::vector<Path> flat = paths(draw(scene));
  ASSERT_EQ(flat.size(), 1u);
  EXPECT_EQ(numbers_of(flat[0].parts[0]).size(), 20u);
}

TEST_F(pictures, rounded_cylinders_and_cones_reach_farther_by_their_rounding) {
  // A cylinder and an upturned cone of radius 1, two high, rounded by a half. They are 2 * 1.5
  // wide. Upwards, the rims reach sin(elevation) beyond their middles, which are 2 cos(elevation)
  // apart; the cone's lower end is a point. The flat end keeps its size, a half farther up.
  SceneColumns<3, double> scene;
  set_domain(scene);
  scene.spheres.center = {{3, 3, 0}};
  scene.spheres.radius = {1};
  scene.cylinders.center = {{0, 0, 0}};
  scene.cylinders.turn = {{0, 0, 0, 1}};
  scene.cylinders.half_height = {1};
  scene.cylinders.radius = {1};
  scene.cylinders.rounding = {0.5};
  const auto expect_size = [](const std::string& picture, bool is_cylinder) {
    const double unit = circle_radius(picture);
    const std::vector<Path> drawn = paths(picture);
    ASSERT_EQ(drawn.size(), 2u);
    const auto [width, height] = size_of(drawn[0].parts[0]);
    EXPECT_NEAR(width, 2 * 1.5 * unit, 1);
    const double without_ends = 2 * kCosineOfElevation + kSineOfElevation;
    if (is_cylinder) {
      EXPECT_NEAR(height, (without_ends + kSineOfElevation + 2 * 0.5) * unit, 1);
    } else {  // the arc around the apex ends beside its lowest place
      EXPECT_GT(height, (without_ends + 0.5) * unit);
      EXPECT_LT(height, (without_ends + 2 * 0.5) * unit);
    }
    EXPECT_EQ(drawn[1].css, "f02");
    const std::vector<double> end = numbers_of(drawn[1].parts[0]);
    ASSERT_EQ(end.size(), 20u);
    EXPECT_NEAR(end[4], unit, 0.11);
    // Its middle is half a cosine over the rim's, which is below the outline's top by a sine and a
    // half.
    const double top = top_of(drawn[0].parts[0]);
    EXPECT_NEAR(end[1] - top, (kSineOfElevation + 0.5 - 0.5 * kCosineOfElevation) * unit, 0.3);
  };
  expect_size(draw(scene), true);
  std::swap(scene.cylinders.center, scene.cones.center);
  std::swap(scene.cylinders.half_height, scene.cones.half_height);
  std::swap(scene.cylinders.radius, scene.cones.radius);
  std::swap(scene.cylinders.rounding, scene.cones.rounding);
  scene.cylinders.turn.clear();
  scene.cones.turn = {{1, 0, 0, 0}};
  expect_size(draw(scene), false);
}

TEST_F(pictures, ellipsoids_and_cones_without_size_in_some_direction) {
  // A disc, a needle, a point; sharp and rounded.
  SceneColumns<3, double> scene;
  scene.ellipsoids.center = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}, {3, 0, 3}, {0, 3, 3}};
  scene.ellipsoids.half_extents = {{1, 1, 0}, {0, 0, 1}, {0, 0, 0},
                                   {1, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  scene.ellipsoids.rounding = {0, 0, 0, 0.5, 0.5, 0.5};
  scene.cones.center = {{0, 0, 6}, {3, 0, 6}, {0, 3, 6}, {0, 0, 9}, {3, 0, 9}, {0, 3, 9}};
  for (int i = 0; i < 6; ++i) {
    scene.ellipsoids.turn.push_back({0, 0, 0, 1});
    scene.cones.turn.push_back({0, 0, 0, 1});
  }
  scene.cones.half_height = {0, 1, 0, 0, 1, 0};
  scene.cones.radius = {1, 0, 0, 1, 0, 0};
  scene.cones.rounding = {0, 0, 0, 0.5, 0.5, 0.5};
  const std::string picture = draw(scene);
  EXPECT_EQ(picture.find("nan"), std::string::npos);
  EXPECT_EQ(picture.find("inf"), std::string::npos);
  EXPECT_NE(picture.find("12 shapes, 0 contacts"), std::string::npos);
  EXPECT_EQ(paths(picture).size(), 12u);
}

TEST_F(pictures, numbers_beyond_the_page_s_are_drawn_as_near_as_it_goes) {
  // Tiny, nearly as far apart as double allows, and far from the origin relative to their size.
  const std::vector<std::pair<double, double>> places_and_radii{
      {0, 1e-310}, {0, 1e-90}, {1.7e308, 1}, {1.7e308, 1.7e308}, {1e17, 1}};
  std::size_t contact_count = 0;
  for (const auto& [place, radius] : places_and_radii) {
    SceneColumns<3, double> spheres;
    spheres.spheres.center = {{place, place, place}, {place, place, place}};
    spheres.spheres.radius = {radius, radius};
    SceneColumns<2, double> circles;
    circles.circles.center = {{place, place}};
    circles.circles.radius = {radius};
    if (place == 1.7e308) {
      spheres.spheres.center.push_back({-place, -place, -place});
      spheres.spheres.radius.push_back({radius});
      circles.circles.center.push_back({-place, -place});
      circles.circles.radius.push_back({radius});
    }
    // Balls in contact hide marks behind them.
    ContactBuffer<3, double> contacts;
    Workspace<3, double> workspace;
    collide(spheres, contacts, workspace);
    contact_count += contacts.size();
    const std::string spatial = picture_of(spheres, contacts, {std::nullopt, "scene"});
    for (const std::string& picture : {spatial, draw(circles)}) {
      EXPECT_EQ(picture.find("nan"), std::string::npos) << place << " " << radius;
      EXPECT_EQ(picture.find("inf"), std::string::npos) << place << " " << radius;
      EXPECT_NE(picture.find("<circle"), std::string::npos) << place << " " << radius;
    }
  }
  EXPECT_GE(contact_count, 4u);
}

}  // namespace
}  // namespace widephase::tools
