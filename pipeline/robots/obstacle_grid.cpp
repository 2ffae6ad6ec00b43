#include "pipeline/robots/obstacle_grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "pipeline/robots/environment_state.hpp"

namespace widephase {

namespace {

using Vector = std::array<double, 3>;

/// The most cells of a grid: 0.13 MB.
constexpr double kMostCells = 1 << 16;
/// More than the rounding of a distance in float, a share of some 2^-22.
constexpr double kApartSlack = 0x1p-20;
/// Units of distances, for a step from cell to cell; the largest one has at most 16 bits.
constexpr double kUnitsAStep = 32, kMostUnits = 65000;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double outside(double x, double size) { return std::max(x - size, 0.0); }

/// A number that changes by no more than the place does, and is no more than the distance. It may
/// be below 0.
double apart_from(const Obstacle& obstacle, const Vector& place) {
  if (!(obstacle.extent + obstacle.radius < kMostExtent)) return 0;
  Vector v;
  for (std::size_t k = 0; k < 3; ++k) v[k] = place[k] - obstacle.center[k];
  double square = 0;
  switch (obstacle.core) {
    case CheckCore::point:
      square = dot(v, v);
      break;
    case CheckCore::segment: {
      const double t = std::clamp(dot(v, obstacle.axis[0]) * obstacle.size[0], 0.0, 1.0);
      for (std::size_t k = 0; k < 3; ++k) v[k] -= t * obstacle.axis[0][k];
      square = dot(v, v);
      break;
    }
    case CheckCore::box:
    case CheckCore::hull:  // its box
      for (std::size_t k = 0; k < 3; ++k) {
        const double beyond = outside(std::abs(dot(v, obstacle.axis[k])), obstacle.size[k]);
        square += beyond * beyond;
      }
      break;
    case CheckCore::cylinder: {
      const double along = dot(v, obstacle.axis[2]);
      const double across = std::sqrt(std::max(dot(v, v) - along * along, 0.0));
      const double radial = outside(across, obstacle.size[0]);
      const double axial = outside(std::abs(along), obstacle.size[2]);
      square = radial * radial + axial * axial;
      break;
    }
    case CheckCore::halfspace:
      return outside(dot(obstacle.axis[2], place), obstacle.size[0]) - obstacle.radius;
  }
  return std::sqrt(square) - obstacle.radius;
}

}  // namespace

ObstacleGrid::ObstacleGrid(const GridPlace& place, double size, std::span<const Obstacle> obstacles,
                           std::span<const std::int32_t> ids) {
  Vector range;
  for (std::size_t k = 0; k < 3; ++k) range[k] = place.high[k] - place.low[k];
  double step = std::max(*std::max_element(range.begin(), range.end()) / kMostCells, 1e-12);
  const auto cells = [&](std::size_t k) { return std::max(1.0, std::ceil(range[k] / step)); };
  while (cells(0) * cells(1) * cells(2) > kMostCells) step *= 1.01;
  grid_.step = static_cast<float>(step);
  grid_.inverse = static_cast<float>(1 / step);
  // Half the diagonal of cells that rounding moves, as those of points.
  grid_.reach = static_cast<float>(0.55 * std::sqrt(3.0) * step + 0x1p-20 * size);
  std::int32_t longest = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    grid_.low[k] = static_cast<float>(place.low[k]);
    grid_.high[k] = static_cast<float>(place.high[k]);
    grid_.size[k] = static_cast<std::int32_t>(cells(k));
    longest = std::max(longest, grid_.size[k]);
    const double middle = 0.5 * place.low[k] + 0.5 * place.high[k];
    grid_.first[k] = static_cast<float>(middle - 0.5 * (cells(k) - 1) * step);
  }
  for (const std::int32_t id : ids) {
    open_.push_back({&obstacles[static_cast<std::size_t>(id)], 0});
  }
  distance_.resize(static_cast<std::size_t>(cells(0) * cells(1) * cells(2)));
  measure({0, 0, 0}, static_cast<std::int32_t>(std::bit_ceil(static_cast<unsigned>(longest))), 0);
  open_ = {};
  // Roundings of the numbers that the distance is of, and its own.
  double most = 0;
  for (double& one : distance_) {
    one = std::max(one * (1 - kApartSlack) - kRoundings * (size + std::abs(one)), 0.0);
    most = std::max(most, one);
  }
  grid_.unit = static_cast<float>(std::max(step / kUnitsAStep, most / kMostUnits));
  const double units = (1 - kApartSlack) / static_cast<double>(grid_.unit);
  for (const double one : distance_) apart_.push_back(static_cast<std::uint16_t>(one * units));
  distance_ = {};
  grid_.apart = apart_.data();
}

/// Measures those of a cube of cells that are in the grid, by the obstacles from `begin` on that
/// may be the nearest.
void ObstacleGrid::measure(std::array<std::int32_t, 3> first, std::int32_t side,
                           std::size_t begin) {
  Vector middle;
  for (std::size_t k = 0; k < 3; ++k) {
    if (first[k] >= grid_.size[k]) return;
    // The middle of one cell is as the kernel has it, to the bit.
    const float cell = static_cast<float>(first[k]) + 0.5f * static_cast<float>(side - 1);
    middle[k] = static_cast<double>(grid_.first[k] + cell * grid_.step);
  }
  const std::size_t end = open_.size();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = begin; i < end; ++i) {
    open_[i].distance = apart_from(*open_[i].obstacle, middle);
    least = std::min(least, open_[i].distance);
  }
  if (side == 1) {
    const auto index = [&](std::size_t k) { return static_cast<std::size_t>(first[k]); };
    const auto x = static_cast<std::size_t>(grid_.size[0]);
    const auto y = static_cast<std::size_t>(grid_.size[1]);
    distance_[(index(2) * y + index(1)) * x + index(0)] = least;
    return;
  }
  const double half = 0.5 * std::sqrt(3.0) * (side - 1) * static_cast<double>(grid_.step);
  // Middles are rounded to float: among coordinates far larger than cells by more than the slack
  // here. One that is left out is then nearer by less than what is taken off all distances at the
  // end for the rounding of the robot's and obstacles' numbers, kRoundings of the size.
  for (std::size_t i = begin; i < end; ++i) {
    if (open_[i].distance <= least + 2.001 * half) open_.push_back(Known(open_[i]));
  }
  for (std::int32_t child = 0; child < 8; ++child) {
    std::array<std::int32_t, 3> corner = first;
    for (int k = 0; k < 3; ++k)
      corner[static_cast<std::size_t>(k)] += (child >> k & 1) * (side / 2);
    measure(corner, side / 2, end);
  }
  open_.resize(end);
}

}  // namespace widephase
