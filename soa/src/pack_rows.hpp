#pragma once

// Shapes of a table into packed rows and bounds: a pass over the columns that also says whether all
// their numbers are valid. An overload a kind; the form of rows is in kernels/core/rows.hpp.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <widephase/shapes.hpp>

#include "hull_library.hpp"
#include "number_bits.hpp"
#include "polygon_library.hpp"
#include "scene_rows.hpp"
#include "turn.hpp"

namespace widephase {

/// Where the rows and bounds of a table's shapes go.
template <int D, class T>
struct Packing {
  T* rows;
  T* low[D];
  T* high[D];
  T half_margin;
  const ColumnSpan<T>* margin;
  const PolygonLibrary<T>* polygons;
  const HullLibrary<T>* hulls;

  /// By how much a shape's bounds grow: an upper bound of the exact sum.
  T reach(T radius, std::size_t row) const {
    T sum = radius + half_margin;
    if (!margin->empty()) sum = sum + (*margin)(row);
    return sum + sum * std::numeric_limits<T>::epsilon();
  }
  /// `low - reach` and `high + reach`, rounded outwards: a step of the last digit covers the
  /// rounding of the sum.
  void set_bounds(std::size_t row, int k, T low_side, T high_side, T grown) const {
    constexpr T kEpsilon = std::numeric_limits<T>::epsilon();
    const T low_sum = low_side - grown;
    const T high_sum = high_side + grown;
    low[k][row] = grown == 0 ? low_side : low_sum - std::abs(low_sum) * kEpsilon;
    high[k][row] = grown == 0 ? high_side : high_sum + std::abs(high_sum) * kEpsilon;
  }
};

template <class T>
bool is_finite(T value) {
  return value - value == 0;
}
template <class T>
bool is_size(T value) {
  return is_finite(value) && value >= 0;
}

template <int D, class T>
bool pack(const Spheres<Borrowed<D, T>>& table, std::size_t begin, std::size_t end,
          const Packing<D, T>& to) {
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    const T radius = table.radius(i);
    is_valid &= is_size(radius);
    const T grown = to.reach(radius, i);
    T* row = to.rows + i * 4;
    row[2] = 0;
    row[3] = radius;
    for (int k = 0; k < D; ++k) {
      const T center = table.center(i, k);
      is_valid &= is_finite(center);
      row[k] = center;
      to.set_bounds(i, k, center, center, grown);
    }
  }
  return is_valid;
}

template <int D, class T>
bool pack(const Capsules<Borrowed<D, T>>& table, std::size_t begin, std::size_t end,
          const Packing<D, T>& to) {
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    const T radius = table.radius(i);
    is_valid &= is_size(radius);
    const T grown = to.reach(radius, i);
    T* row = to.rows + i * 8;
    row[2] = row[6] = row[7] = 0;
    row[3] = radius;
    for (int k = 0; k < D; ++k) {
      const T a = table.a(i, k), b = table.b(i, k);
      is_valid &= is_finite(a) && is_finite(b);
      row[k] = a;
      row[4 + k] = b;
      to.set_bounds(i, k, a < b ? a : b, a < b ? b : a, grown);
    }
  }
  return is_valid;
}

template <int D, class T>
bool pack(const Aabbs<Borrowed<D, T>>& table, std::size_t begin, std::size_t end,
          const Packing<D, T>& to) {
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    const T grown = to.reach(0, i);
    constexpr int kWidth = row_width(Kind::aabb, D);
    T* row = to.rows + i * kWidth;
    if (D == 3) row[3] = row[7 % kWidth] = 0;
    for (int k = 0; k < D; ++k) {
      const T low = table.min(i, k), high = table.max(i, k);
      is_valid &= is_finite(low) && is_finite(high) && low <= high;
      row[k] = low;
      row[kWidth / 2 + k] = high;
      to.set_bounds(i, k, low, high, grown);
    }
  }
  return is_valid;
}

/// What the rounding of a turned corner can come to: products, their sum, cosine and sine.
template <class T>
T turning_error(T reach) {
  return reach * (4 * std::numeric_limits<T>::epsilon());
}

template <class T>
bool pack(const Boxes<Borrowed<2, T>>& table, std::size_t begin, std::size_t end,
          const Packing<2, T>& to) {
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    const T x = table.center(i, 0), y = table.center(i, 1);
    const T half_x = table.half_extents(i, 0), half_y = table.half_extents(i, 1);
    const T angle = table.turn(i);
    const T radius = value_or(table.radius, i, T{0});
    is_valid &= is_finite(x) && is_finite(y) && is_finite(angle) && is_size(half_x) &&
                is_size(half_y) && is_size(radius);
    const Turn2<T> turn = turn_of(angle);
    T* row = to.rows + i * 8;
    row[0] = x;
    row[1] = y;
    row[2] = turn.cosine;
    row[3] = turn.sine;
    row[4] = half_x;
    row[5] = half_y;
    row[6] = radius;
    row[7] = 0;
    const T cosine = std::abs(turn.cosine), sine = std::abs(turn.sine);
    const T reach_x = cosine * half_x + sine * half_y, reach_y = sine * half_x + cosine * half_y;
    const T grown = to.reach(radius, i) + turning_error(half_x + half_y);
    to.set_bounds(i, 0, x - reach_x, x + reach_x, grown + turning_error(std::abs(x)));
    to.set_bounds(i, 1, y - reach_y, y + reach_y, grown + turning_error(std::abs(y)));
  }
  return is_valid;
}

/// The turn of row i of a table in 3D, and whether its quaternion is one.
template <class T, class Table>
Turn3<T> turn_of_row(const Table& table, std::size_t i, bool& is_valid) {
  const std::array<double, 4> quaternion{table.turn(i, 0), table.turn(i, 1), table.turn(i, 2),
                                         table.turn(i, 3)};
  is_valid &= is_unit(quaternion);
  return turn_of<T>(quaternion);
}

/// The centre, radius and axes of a row of sixteen numbers; the last of each axis is left.
template <class T, class Table>
void put_pose(const Table& table, std::size_t i, const Turn3<T>& turn, T radius, T* row,
              bool& is_valid) {
  row[3] = radius;
  for (int k = 0; k < 3; ++k) {
    const T center = table.center(i, k);
    is_valid &= is_finite(center);
    row[k] = center;
    for (int j = 0; j < 3; ++j) row[4 * (j + 1) + k] = turn.column[j][k];
  }
}

template <class T>
bool pack(const Boxes<Borrowed<3, T>>& table, std::size_t begin, std::size_t end,
          const Packing<3, T>& to) {
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    const T radius = value_or(table.radius, i, T{0});
    is_valid &= is_size(radius);
    const Turn3<T> turn = turn_of_row<T>(table, i, is_valid);
    const T half[3] = {table.half_extents(i, 0), table.half_extents(i, 1),
                       table.half_extents(i, 2)};
    const T grown = to.reach(radius, i) + turning_error(half[0] + half[1] + half[2]);
    T* row = to.rows + i * 16;
    put_pose(table, i, turn, radius, row, is_valid);
    for (int k = 0; k < 3; ++k) {
      is_valid &= is_size(half[k]);
      row[4 * (k + 1) + 3] = half[k];
      T reach = 0;
      for (int j = 0; j < 3; ++j) reach += std::abs(turn.column[j][k]) * half[j];
      to.set_bounds(i, k, row[k] - reach, row[k] + reach, grown + turning_error(std::abs(row[k])));
    }
  }
  return is_valid;
}

template <class T>
bool pack(const Cylinders<Borrowed<3, T>>& table, std::size_t begin, std::size_t end,
          const Packing<3, T>& to) {
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    const T half_height = table.half_height(i), radius = table.radius(i);
    is_valid &= is_size(half_height) && is_size(radius);
    const Turn3<T> turn = turn_of_row<T>(table, i, is_valid);
    const T grown = to.reach(0, i) + turning_error(half_height + radius);
    T* row = to.rows + i * 16;
    put_pose(table, i, turn, T{0}, row, is_valid);
    row[7] = row[11] = radius;
    row[15] = half_height;
    for (int k = 0; k < 3; ++k) {
      const T x = turn.column[0][k], y = turn.column[1][k];
      const T reach = std::abs(turn.column[2][k]) * half_height + std::sqrt(x * x + y * y) * radius;
      to.set_bounds(i, k, row[k] - reach, row[k] + reach, grown + turning_error(std::abs(row[k])));
    }
  }
  return is_valid;
}

template <class T>
bool pack(const Instances<Borrowed<3, T>, Kind::hull>& table, std::size_t begin, std::size_t end,
          const Packing<3, T>& to) {
  const HullLibrary<T>& hulls = *to.hulls;
  const auto geometry_count = static_cast<std::int32_t>(hulls.place.size());
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    const T radius = value_or(table.radius, i, T{0});
    const std::int32_t geometry = table.geometry(i);
    is_valid &= is_size(radius);
    if (geometry < 0 || geometry >= geometry_count) return false;
    const auto g = static_cast<std::size_t>(geometry);
    const Turn3<T> turn = turn_of_row<T>(table, i, is_valid);
    T* row = to.rows + i * 16;
    put_pose(table, i, turn, radius, row, is_valid);
    row[7] = number_of_bits<T>(hulls.place[g]);
    row[11] = row[15] = 0;
    const T grown = to.reach(radius, i) + turning_error(2 * hulls.reach[g]);
    for (int k = 0; k < 3; ++k) {
      T low[8], high[8];
      std::fill_n(low, 8, std::numeric_limits<T>::max());
      std::fill_n(high, 8, std::numeric_limits<T>::lowest());
      for (int block = 0; 8 * block < hulls.vertex_count[g]; ++block) {
        const T* const x = hulls.vertices(geometry, block);
        for (int v = 0; v < 8; ++v) {
          const T at = turn.column[0][k] * x[v] + turn.column[1][k] * x[v + 8] +
                       turn.column[2][k] * x[v + 16];
          low[v] = at < low[v] ? at : low[v];
          high[v] = at > high[v] ? at : high[v];
        }
      }
      to.set_bounds(i, k, row[k] + *std::min_element(low, low + 8),
                    row[k] + *std::max_element(high, high + 8),
                    grown + turning_error(std::abs(row[k])));
    }
  }
  return is_valid;
}

template <class T>
bool pack(const Instances<Borrowed<2, T>, Kind::polygon>& table, std::size_t begin, std::size_t end,
          const Packing<2, T>& to) {
  const PolygonLibrary<T>& polygons = *to.polygons;
  const auto geometry_count = static_cast<std::int32_t>(polygons.place.size());
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    const T x = table.center(i, 0), y = table.center(i, 1);
    const T angle = table.turn(i);
    const T radius = value_or(table.radius, i, T{0});
    const std::int32_t geometry = table.geometry(i);
    const bool is_known = geometry >= 0 && geometry < geometry_count;
    is_valid &= is_finite(x) && is_finite(y) && is_finite(angle) && is_size(radius) && is_known;
    if (!is_known) return false;
    const auto g = static_cast<std::size_t>(geometry);
    const Turn2<T> turn = turn_of(angle);
    T* row = to.rows + i * 8;
    row[0] = x;
    row[1] = y;
    row[2] = turn.cosine;
    row[3] = turn.sine;
    row[4] = radius;
    row[5] = number_of_bits<T>(polygons.place[g]);
    row[6] = number_of_bits<T>(polygons.counts(g));
    row[7] = polygons.has_inner[g];
    T low[2][8], high[2][8];
    for (int v = 0; v < 8; ++v) {
      low[0][v] = low[1][v] = std::numeric_limits<T>::max();
      high[0][v] = high[1][v] = std::numeric_limits<T>::lowest();
    }
    for (int block = 0; 8 * block < polygons.vertex_count[g]; ++block) {
      const T* const vx = polygons.vertices(geometry, block);
      const T* const vy = vx + 8;
      for (int v = 0; v < 8; ++v) {
        const T at_x = turn.cosine * vx[v] - turn.sine * vy[v];
        const T at_y = turn.sine * vx[v] + turn.cosine * vy[v];
        low[0][v] = at_x < low[0][v] ? at_x : low[0][v];
        high[0][v] = at_x > high[0][v] ? at_x : high[0][v];
        low[1][v] = at_y < low[1][v] ? at_y : low[1][v];
        high[1][v] = at_y > high[1][v] ? at_y : high[1][v];
      }
    }
    const T grown = to.reach(radius, i) + turning_error(polygons.reach[g] + polygons.reach[g]);
    const T center[2] = {x, y};
    for (int k = 0; k < 2; ++k) {
      T lowest = low[k][0], highest = high[k][0];
      for (int v = 1; v < 8; ++v) {
        lowest = low[k][v] < lowest ? low[k][v] : lowest;
        highest = high[k][v] > highest ? high[k][v] : highest;
      }
      to.set_bounds(i, k, center[k] + lowest, center[k] + highest,
                    grown + turning_error(std::abs(center[k])));
    }
  }
  return is_valid;
}

template <int D, class T>
bool pack(const Halfspaces<Borrowed<D, T>>& table, std::size_t begin, std::size_t end,
          const Packing<D, T>& to) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    T square = 0;
    double exact = 0;  // `validate` asks in double
    for (int k = 0; k < D; ++k) {
      square += table.normal(i, k) * table.normal(i, k);
      exact += double(table.normal(i, k)) * double(table.normal(i, k));
    }
    const T offset = table.offset(i);
    is_valid &= std::abs(exact - 1) <= 1e-4 && is_finite(offset);
    const T size = std::sqrt(square);
    T* row = to.rows + i * 4;
    row[2] = 0;
    row[3] = offset / size;
    for (int k = 0; k < D; ++k) {
      row[k] = table.normal(i, k) / size;
      to.low[k][i] = -kInfinity;
      to.high[k][i] = kInfinity;
    }
  }
  return is_valid;
}

}  // namespace widephase
