#include "pipeline/robots/point_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "geometry/mesh_tree.hpp"
#include "soa/threads.hpp"

namespace widephase {

namespace {

constexpr int kTileNumbers = 6 * kMeshTile;
/// Fewer points have fewer cells.
constexpr double kCellsAPoint = 4;
/// Places along an axis that tell where most points are, and the share of them at either end that
/// may be far from the others.
constexpr std::size_t kSamples = 4096;
constexpr double kFarShare = 0.01;
/// A box that holds no number of a point outside; its squares are in range.
constexpr float kEverywhere = 1e15f;
/// More than the rounding of a distance in float, a share of some 2^-22.
constexpr double kApartSlack = 0x1p-20;
/// Units of distances, for a step from cell to cell; the largest one has at most 16 bits.
constexpr double kUnitsAStep = 32, kMostUnits = 65000;

/// Where most of the points are along an axis: between the outer hundredths of them, and as far
/// beyond as half of that.
std::array<float, 2> most_of(const std::vector<float>& positions, std::size_t count,
                             std::size_t axis, std::array<float, 2> all) {
  const std::size_t step = std::max<std::size_t>(1, count / kSamples);
  std::vector<float> samples;
  for (std::size_t i = 0; i < count; i += step) samples.push_back(positions[3 * i + axis]);
  std::sort(samples.begin(), samples.end());
  const auto far = static_cast<std::size_t>(kFarShare * static_cast<double>(samples.size()));
  const float low = samples[far], high = samples[samples.size() - 1 - far];
  const float more = 0.5f * (high - low);
  return {std::max(low - more, all[0]), std::min(high + more, all[1])};
}

/// The nearest point to places one after the other, each near the last one.
class NearestPoint {
 public:
  NearestPoint(const CheckPoints& points, const float* positions, const std::int32_t* order)
      : points_(points), positions_(positions), order_(order) {}

  /// The squared distance; `place` is that of the nearest point in the order of the tree.
  float find(const std::array<float, 3>& to) {
    to_ = to;
    const float* const last = positions_ + 3 * std::ptrdiff_t{order_[place_]};
    least_ = 0;
    for (std::size_t k = 0; k < 3; ++k) least_ += (last[k] - to[k]) * (last[k] - to[k]);
    open(points_.level_count - 1, 0);
    return least_;
  }
  std::int32_t place() const { return place_; }

 private:
  void open(int level, std::int32_t tile) {
    const float* const at =
        points_.tiles + std::ptrdiff_t{kTileNumbers} * (points_.level_begin[level] + tile);
    float square[kMeshTile];
    for (int i = 0; i < kMeshTile; ++i) square[i] = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const float* const low = at + k * kMeshTile;
      const float* const high = low + 3 * kMeshTile;
      for (int i = 0; i < kMeshTile; ++i) {
        const float under = low[i] - to_[k], over = to_[k] - high[i];
        float beyond = under > over ? under : over;
        beyond = beyond > 0 ? beyond : 0;
        square[i] += beyond * beyond;
      }
    }
    while (true) {
      int nearest = 0;
      for (int i = 1; i < kMeshTile; ++i) {
        if (square[i] < square[nearest]) nearest = i;
      }
      if (!(square[nearest] < least_)) return;
      const std::int32_t next = kMeshTile * tile + nearest;
      if (level == 0) {
        least_ = square[nearest];
        place_ = next;
        return;
      }
      square[nearest] = std::numeric_limits<float>::infinity();
      open(level - 1, next);
    }
  }

  const CheckPoints& points_;
  const float* positions_;
  const std::int32_t* order_;
  std::array<float, 3> to_{};
  float least_ = 0;
  std::int32_t place_ = 0;
};

}  // namespace

PointGrid::PointGrid(const Column<double, 3>& points, double radius, const Threads& threads)
    : radius_(radius) {
  const std::size_t count = points.size();
  points_.count = static_cast<std::int32_t>(count);
  if (count == 0) return;
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t k = 0; k < 3; ++k) {
      extent_ = std::max(extent_, std::abs(points(row, static_cast<int>(k))));
    }
  }
  if (!fits_floats()) return;
  std::vector<float> positions;
  positions.reserve(3 * count + 1);
  for (std::size_t row = 0; row < count; ++row) {
    for (int k = 0; k < 3; ++k) positions.push_back(static_cast<float>(points(row, k)));
  }
  positions.push_back(0);  // read, but not used
  // A tree of triangles of three equal corners.
  std::vector<std::int32_t> corners, order(count);
  corners.reserve(3 * count);
  for (std::size_t i = 0; i < 3 * count; ++i) corners.push_back(static_cast<std::int32_t>(i / 3));
  std::iota(order.begin(), order.end(), 0);
  MeshView<float> tree;
  tree.positions = positions.data();
  tree.corners = corners.data();
  tree.order = order.data();
  const std::int32_t tiles = count_tiles(points_.count, tree);
  order_triangles(tree, order.data(), threads);
  tiles_.resize(static_cast<std::size_t>(kTileNumbers) * static_cast<std::size_t>(tiles));
  fit_tiles(tree, tiles_.data(), threads);
  points_.level_count = tree.level_count;
  std::copy_n(tree.level_begin, kMostMeshLevels, points_.level_begin);
  std::copy_n(tree.low, 3, points_.low);
  std::copy_n(tree.high, 3, points_.high);
  points_.tiles = tiles_.data();
  place_cells(positions);
  measure_cells(positions, order, threads);
}

void PointGrid::place_cells(const std::vector<float>& positions) {
  const auto count = static_cast<std::size_t>(points_.count);
  std::array<float, 2> range[3];
  double longest = 0;
  bool has_outside = false;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::array<float, 2> all{points_.low[k], points_.high[k]};
    range[k] = most_of(positions, count, k, all);
    has_outside |= range[k] != all;
    longest =
        std::max(longest, static_cast<double>(range[k][1]) - static_cast<double>(range[k][0]));
  }
  // Steps, the smallest that give no more than the wanted number of cells.
  const double most = std::min(kMostPointCells, kCellsAPoint * static_cast<double>(count));
  double step = std::max(longest / most, 1e-12);
  const auto cells = [&](std::size_t k) {
    const double length = static_cast<double>(range[k][1]) - static_cast<double>(range[k][0]);
    return std::max(1.0, std::ceil(length / step));
  };
  while (cells(0) * cells(1) * cells(2) > most) step *= 1.01;
  points_.step = static_cast<float>(step);
  points_.inverse = static_cast<float>(1 / step);
  // Half the diagonal of cells that rounding moves: by 2^17 * 3 * 2^-24 steps, and by 3 * 2^-24 of
  // what coordinates are at most.
  points_.reach = has_outside
                      ? kEverywhere
                      : static_cast<float>(0.55 * std::sqrt(3.0) * step + 0x1p-20 * extent_);
  for (std::size_t k = 0; k < 3; ++k) {
    points_.size[k] = static_cast<std::int32_t>(cells(k));
    const double middle =
        0.5 * static_cast<double>(range[k][0]) + 0.5 * static_cast<double>(range[k][1]);
    points_.first[k] = static_cast<float>(middle - 0.5 * (cells(k) - 1) * step);
    // With points outside of the grid, places outside are bounded by those in it alone.
    if (has_outside) points_.low[k] = -kEverywhere;
    if (has_outside) points_.high[k] = kEverywhere;
  }
}

void PointGrid::measure_cells(const std::vector<float>& positions,
                              const std::vector<std::int32_t>& order, const Threads& threads) {
  const auto x_cells = static_cast<std::size_t>(points_.size[0]);
  const auto rows =
      static_cast<std::size_t>(points_.size[1]) * static_cast<std::size_t>(points_.size[2]);
  std::vector<float> apart(x_cells * rows);
  nearest_.resize(x_cells * rows);
  // The kernel has the same middles, to the bit.
  const auto middle = [&](std::size_t k, std::size_t cell) {
    return points_.first[k] + static_cast<float>(cell) * points_.step;
  };
  for_chunks(threads, rows, [&](std::size_t row) {
    NearestPoint nearest(points_, positions.data(), order.data());
    const std::size_t y = row % static_cast<std::size_t>(points_.size[1]);
    const std::size_t z = row / static_cast<std::size_t>(points_.size[1]);
    for (std::size_t x = 0; x < x_cells; ++x) {
      const float square = nearest.find({middle(0, x), middle(1, y), middle(2, z)});
      apart[row * x_cells + x] =
          static_cast<float>(std::sqrt(static_cast<double>(square)) * (1 - kApartSlack));
      nearest_[row * x_cells + x] = nearest.place() / kMeshTile;
    }
  });
  const auto most = static_cast<double>(*std::max_element(apart.begin(), apart.end()));
  points_.unit = static_cast<float>(
      std::max(static_cast<double>(points_.step) / kUnitsAStep, most / kMostUnits));
  const double units = (1 - kApartSlack) / static_cast<double>(points_.unit);
  apart_.reserve(apart.size());
  for (const float one : apart) {
    apart_.push_back(static_cast<std::uint16_t>(static_cast<double>(one) * units));
  }
}

double PointGrid::apart(const std::array<double, 3>& place) const {
  std::size_t index = 0;
  double in_cell = 0, beyond = 0;
  for (std::size_t k = 3; k-- > 0;) {
    const double low = static_cast<double>(points_.low[k]);
    const double nearest = std::clamp(place[k], low, static_cast<double>(points_.high[k]));
    const double first = static_cast<double>(points_.first[k]);
    const double step = static_cast<double>(points_.step);
    const double cell = std::clamp(std::round((nearest - first) / step), 0.0,
                                   static_cast<double>(points_.size[k] - 1));
    index = index * static_cast<std::size_t>(points_.size[k]) + static_cast<std::size_t>(cell);
    in_cell += (nearest - first - cell * step) * (nearest - first - cell * step);
    beyond += (place[k] - nearest) * (place[k] - nearest);
  }
  const double known = static_cast<double>(apart_[index]) * static_cast<double>(points_.unit);
  // Middles and points are rounded to float.
  return std::max(known - std::sqrt(in_cell), std::sqrt(beyond)) * (1 - 1e-6) - 1e-6 * extent_;
}

CheckPoints PointGrid::checked(double size, double most) const {
  CheckPoints points = points_;
  points.tiles = tiles_.data();
  points.apart = apart_.data();
  points.nearest = nearest_.data();
  // A point that is farther along an axis than twice all of these is surely apart, whatever its
  // rounding, which is a share of it.
  const double near = std::min(extent_, 2 * (size + most + radius_));
  const double error = kRoundings * (size + near + radius_);
  points.least = static_cast<float>(radius_ - error);
  points.most = static_cast<float>(radius_ + error);
  return points;
}

}  // namespace widephase
