#include "scenes/geometries.hpp"

#include <numbers>

#include <widephase/hulls.hpp>
#include <widephase/polygons.hpp>

#include "soa/turn.hpp"

namespace widephase::scenes {
namespace {

/// Adds the polygon of points on an ellipse: `next(i)` gives the angle of point i in radians, and
/// its distance from the centre as a share of the semi-axes.
template <class T, class Next>
void add_points_of_ellipse(SceneColumns<2, T>& scene, int corners, double low, double high,
                           Random& random, const Next& next) {
  const double x = random.uniform(low, high);
  const double y = random.uniform(low, high);
  Column<T, 2> points;
  for (int i = 0; i < corners; ++i) {
    const auto [angle, out] = next(i);
    const Turn2<double> turn = turn_of(angle);
    points.push_back({static_cast<T>(out * x * turn.cosine), static_cast<T>(out * y * turn.sine)});
  }
  add_polygon(scene.geometries, points);
}

struct Corner {
  double angle;
  double out;
};

}  // namespace

template <class T>
void add_small_polygons(SceneColumns<2, T>& scene, int count, double low, double high,
                        Random& random) {
  for (int g = 0; g < count; ++g) {
    const int corners = 3 + random.below(6);
    add_points_of_ellipse(scene, corners, low, high, random, [&](int i) {
      const double angle = 2 * std::numbers::pi * (i + random.uniform(0.1, 0.9)) / corners;
      return Corner{angle, random.uniform(0.95, 1)};
    });
  }
}

template <class T>
void add_large_polygons(SceneColumns<2, T>& scene, int count, double low, double high,
                        Random& random) {
  for (int g = 0; g < count; ++g) {
    constexpr int kCorners = kMostPolygonVertices;
    add_points_of_ellipse(scene, kCorners, low, high, random, [&](int i) {
      // A corner stands out by 1 - cos(2 pi / 64) = 0.0048 radii; this leaves it more than half of
      // that.
      return Corner{2 * std::numbers::pi * i / kCorners, random.uniform(0.999, 1.001)};
    });
  }
}

template <class T>
void add_hulls(SceneColumns<3, T>& scene, int count, int vertices, double low, double high,
               Random& random) {
  const double golden_angle = std::numbers::pi * (3 - std::sqrt(5.0));
  for (int g = 0; g < count; ++g) {
    const std::array<double, 3> semi_axes = random.point<3>(low, high);
    Column<T, 3> points;
    for (int i = 0; i < vertices; ++i) {
      // Bands of equal height have equal areas on the unit sphere; the angle spreads the points
      // within them.
      const double height = 1 - 2 * (i + random.uniform(0.2, 0.8)) / vertices;
      const Turn2<double> turn = turn_of(golden_angle * i + random.uniform(-0.3, 0.3));
      const double across = std::sqrt(1 - height * height);
      points.push_back({static_cast<T>(semi_axes[0] * across * turn.cosine),
                        static_cast<T>(semi_axes[1] * across * turn.sine),
                        static_cast<T>(semi_axes[2] * height)});
    }
    add_hull(scene.geometries, points);
  }
}

template <class T>
void add_hull_library(SceneColumns<3, T>& scene, double low, double high, Random& random) {
  constexpr int kLeast = 8;
  constexpr int kMost = 32;
  for (int vertices = kLeast; vertices <= kMost; ++vertices) {
    add_hulls(scene, kHullLibrarySize / (kMost - kLeast + 1), vertices, low, high, random);
  }
}

#define WIDEPHASE_INSTANTIATE(T)                                                       \
  template void add_small_polygons(SceneColumns<2, T>&, int, double, double, Random&); \
  template void add_large_polygons(SceneColumns<2, T>&, int, double, double, Random&); \
  template void add_hulls(SceneColumns<3, T>&, int, int, double, double, Random&);     \
  template void add_hull_library(SceneColumns<3, T>&, double, double, Random&);
WIDEPHASE_INSTANTIATE(float)
WIDEPHASE_INSTANTIATE(double)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::scenes
