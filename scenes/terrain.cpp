// The scenes `terrain` and `stairs`: bodies at rest on a height field, which all worlds share.

#include <algorithm>
#include <cmath>
#include <vector>

#include <widephase/heightfields.hpp>

#include "at_rest.hpp"

namespace widephase::scenes {

namespace {

/// The side of a cell, a power of two so that places of samples are exact.
constexpr double kCell = 0.125;
/// Cells of a field's side.
int cells_of(std::size_t count) {
  constexpr int kFewest = 96;
  constexpr int kMost = 16384;
  const double places = std::ceil(std::sqrt(static_cast<double>(count)));
  return std::clamp(static_cast<int>(places * (kPlace / kCell)), kFewest, kMost);
}

/// Numbers between -1 and 1 at the corners of squares of `period` cells, joined smoothly.
class Waves {
 public:
  Waves(int cells, int period, Random& random)
      : period_(period), side_(static_cast<std::size_t>(cells / period + 2)) {
    corners_.resize(side_ * side_);
    for (double& corner : corners_) corner = random.uniform(-1, 1);
  }
  double at(int column, int row) const {
    const auto smooth = [&](int place) {
      const double t = static_cast<double>(place % period_) / period_;
      return t * t * (3 - 2 * t);
    };
    const std::size_t first = static_cast<std::size_t>(row / period_) * side_ +
                              static_cast<std::size_t>(column / period_);
    const double x = smooth(column), y = smooth(row);
    const double low = corners_[first] * (1 - x) + corners_[first + 1] * x;
    const double high = corners_[first + side_] * (1 - x) + corners_[first + side_ + 1] * x;
    return low * (1 - y) + high * y;
  }

 private:
  int period_;
  std::size_t side_;
  std::vector<double> corners_;
};

/// Hills of 8, 2 and half a unit, up to about a third as high as they are wide.
template <class T>
void add_hills(SceneColumns<3, T>& scene, int cells, Random& random) {
  const Waves hills(cells, 64, random), bumps(cells, 16, random), stones(cells, 4, random);
  Column<T> heights;
  for (int row = 0; row <= cells; ++row) {
    for (int column = 0; column <= cells; ++column) {
      heights.push_back(hills.at(column, row) + 0.25 * bumps.at(column, row) +
                        0.04 * stones.at(column, row));
    }
  }
  add_heightfield(scene.heightfield_geometries, heights, cells + 1, static_cast<T>(kCell),
                  static_cast<T>(kCell));
}

/// Square pyramids of stairs, one beside the other: steps of three cells, a riser of 0.17 in one
/// cell after each.
template <class T>
void add_steps(SceneColumns<3, T>& scene, int cells) {
  constexpr int kPyramid = 96;
  constexpr int kStep = 4;
  constexpr double kRiser = 0.17;
  const auto from_border = [](int place) {
    const int within = place % kPyramid;
    return std::min(within, kPyramid - within);
  };
  Column<T> heights;
  for (int row = 0; row <= cells; ++row) {
    for (int column = 0; column <= cells; ++column) {
      const int steps = std::min(from_border(row), from_border(column)) / kStep;
      heights.push_back(kRiser * steps);
    }
  }
  add_heightfield(scene.heightfield_geometries, heights, cells + 1, static_cast<T>(kCell),
                  static_cast<T>(kCell));
}

/// The first field of a scene, from above.
template <class T>
class Ground {
 public:
  explicit Ground(const SceneColumns<3, T>& scene)
      : heights_(scene.heightfield_geometries.heights),
        columns_(scene.heightfield_geometries.columns[0]) {}

  double side() const { return (columns_ - 1) * kCell; }

  /// The height of the surface; beyond the border that of the border.
  double height(double x, double y) const {
    const int last = columns_ - 2;
    const double column = std::clamp(x / kCell, 0.0, static_cast<double>(columns_ - 1));
    const double row = std::clamp(y / kCell, 0.0, static_cast<double>(columns_ - 1));
    const int c = std::min(static_cast<int>(column), last);
    const int r = std::min(static_cast<int>(row), last);
    const double u = column - c, v = row - r;
    const double low = sample(c, r), high = sample(c + 1, r + 1);
    return v < u ? low + u * (sample(c + 1, r) - low) + v * (high - sample(c + 1, r))
                 : low + v * (sample(c, r + 1) - low) + u * (high - sample(c, r + 1));
  }

 private:
  double sample(int column, int row) const {
    return static_cast<double>(
        heights_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                 static_cast<std::size_t>(column)]);
  }

  const Column<T>& heights_;
  int columns_;
};

/// A fixed instance of the first field and `count` bodies on it.
template <class T>
void add_bodies(SceneColumns<3, T>& scene, std::size_t count, Random& random) {
  if (scene.geometries.offsets.empty()) add_hull_library(scene, 0.24, 0.3, random);
  add_instance(scene.heightfields, {0, 0, 0}, level<3>(), 0);
  scene.heightfields.fixed.push_back({1});
  const Ground<T> ground(scene);
  for_each_place(static_cast<int>(ground.side() / kPlace), count, random,
                 [&](double x, double y) { add_at_rest(scene, ground, x, y, random); });
}

}  // namespace

template <class T>
void add_terrain(SceneColumns<3, T>& scene, std::size_t count, Random& random) {
  if (scene.heightfield_geometries.offsets.empty()) add_hills(scene, cells_of(count), random);
  add_bodies(scene, count, random);
}

template <class T>
void add_stairs(SceneColumns<3, T>& scene, std::size_t count, Random& random) {
  if (scene.heightfield_geometries.offsets.empty()) add_steps(scene, cells_of(count));
  add_bodies(scene, count, random);
}

#define WIDEPHASE_INSTANTIATE(T)                                        \
  template void add_terrain(SceneColumns<3, T>&, std::size_t, Random&); \
  template void add_stairs(SceneColumns<3, T>&, std::size_t, Random&);
WIDEPHASE_INSTANTIATE(float)
WIDEPHASE_INSTANTIATE(double)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::scenes
