#pragma once

// Frames of bodies and shapes in double.

#include <array>

#include <widephase/columns.hpp>

#include "pipeline/robots/enclosing_balls.hpp"
#include "soa/turn.hpp"

namespace widephase {

/// A rotation by its columns, and an origin.
struct Frame {
  std::array<std::array<double, 3>, 3> column{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  std::array<double, 3> position{};

  std::array<double, 3> turned(const std::array<double, 3>& v) const {
    std::array<double, 3> sum{};
    for (std::size_t k = 0; k < 3; ++k) sum = plus(sum, v[k], column[k]);
    return sum;
  }
  std::array<double, 3> placed(const std::array<double, 3>& v) const {
    return plus(position, 1, turned(v));
  }
  Frame times(const Frame& other) const {
    Frame product;
    for (std::size_t k = 0; k < 3; ++k) product.column[k] = turned(other.column[k]);
    product.position = placed(other.position);
    return product;
  }
};

inline Frame frame_of(const double* position, const double* turn) {
  const Turn3<double> rotation = turn_of<double>(std::array{turn[0], turn[1], turn[2], turn[3]});
  return {{rotation.column[0], rotation.column[1], rotation.column[2]},
          {position[0], position[1], position[2]}};
}

template <class Table>
Frame pose_of(const Table& table, std::size_t row) {
  const auto center = table.center.row(row);
  const std::array<double, 4> turn = table.turn.row(row);
  return frame_of(center.data(), turn.data());
}
inline double rounding_of(const Column<double>& column, std::size_t row) {
  return column.empty() ? 0 : column[row];
}

}  // namespace widephase
