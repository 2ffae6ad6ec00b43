#pragma once

// Packs the shapes of a table into rows and bounds: one pass over the columns, which also checks
// all numbers. One overload per kind; kernels/core/basis/rows.hpp describes the rows.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <widephase/shapes.hpp>

#include "geometry/chain_library.hpp"
#include "geometry/heightfield_library.hpp"
#include "geometry/hull_library.hpp"
#include "geometry/mesh_library.hpp"
#include "geometry/middle.hpp"
#include "geometry/polygon_library.hpp"
#include "kernels/table.hpp"
#include "pipeline/rows/scene_rows.hpp"
#include "soa/number_bits.hpp"
#include "soa/turn.hpp"

namespace widephase {

/// Where the rows and bounds of a table's shapes go.
template <int D, class T>
struct Packing {
  using Size = SizeOf<T>;
  using Position = PositionOf<T>;
  Size* rows;
  Position* anchors;             ///< only for `Mixed`
  Size* rests;                   ///< null if there are none
  const SceneSpan<D, T>* given;  ///< the scene before its shapes were placed
  Position* low[D];              ///< null if no bounds are wanted
  Position* high[D];
  Size half_margin;
  const ColumnSpan<Size>* margin;
  const PolygonLibrary<Size>* polygons;
  const HullLibrary<Size>* hulls;
  const HeightfieldLibrary<Size>* heightfields;
  const MeshLibrary<Size>* meshes;
  const ChainLibrary<Size>* chains;
  decltype(KernelTable<D, Size>::find_turns) find_turns;

  /// Component k of a point of row i, as its packed row has it: unchanged, or relative to the row's
  /// first anchor. `point` is which of `points` anchors per row.
  Size put_point(std::size_t i, int k, Position value, int point = 0, int points = 1) const {
    if constexpr (is_mixed<T>) {
      Position* const row = anchors + i * static_cast<std::size_t>(kAnchorNumbers * points);
      row[kAnchorNumbers * point + k] = value;
      for (int rest = D; k == 0 && rest < kAnchorNumbers; ++rest) {
        row[kAnchorNumbers * point + rest] = 0;
      }
      return static_cast<Size>(value - row[k]);
    } else {
      return value;
    }
  }

  /// The packed row of row i of the table.
  template <class Table>
  Size* row(const Table&, std::size_t i) const {
    return rows + i * static_cast<std::size_t>(row_width(Table::kind, D));
  }

  bool has_bounds() const { return low[0] != nullptr; }
  /// How much a shape's bounds grow: an upper bound of the exact sum.
  Size reach(Size radius, std::size_t row) const {
    Size sum = radius + half_margin;
    if (!margin->empty()) sum = sum + (*margin)(row);
    return sum + sum * std::numeric_limits<Size>::epsilon();
  }
  /// The same of many.
  void reach(const Size* radius, std::size_t first, std::size_t count, Size* reaches) const {
    for (std::size_t i = 0; i < count; ++i) reaches[i] = radius[i] + half_margin;
    for (std::size_t i = 0; i < count && !margin->empty(); ++i) reaches[i] += (*margin)(first + i);
    constexpr Size kEpsilon = std::numeric_limits<Size>::epsilon();
    for (std::size_t i = 0; i < count; ++i) reaches[i] += reaches[i] * kEpsilon;
  }
  /// `low - reach` and `high + reach`, rounded outwards: a step of the last digit covers the
  /// rounding of the sum.
  void set_bounds(std::size_t row, int k, Position low_side, Position high_side,
                  Position grown) const {
    if (!has_bounds()) return;
    constexpr Position kEpsilon = std::numeric_limits<Position>::epsilon();
    const Position low_sum = low_side - grown;
    const Position high_sum = high_side + grown;
    low[k][row] = grown == 0 ? low_side : low_sum - std::abs(low_sum) * kEpsilon;
    high[k][row] = grown == 0 ? high_side : high_sum + std::abs(high_sum) * kEpsilon;
  }
  /// The same of many, of points.
  void set_bounds(std::size_t first, std::size_t count, int k, const Position* point,
                  const Size* grown) const {
    Position* const to_low = low[k] + first;
    Position* const to_high = high[k] + first;
    constexpr Position kEpsilon = std::numeric_limits<Position>::epsilon();
    for (std::size_t i = 0; i < count; ++i) {
      const Position by = grown[i], low_sum = point[i] - by, high_sum = point[i] + by;
      to_low[i] = by == 0 ? point[i] : low_sum - std::abs(low_sum) * kEpsilon;
      to_high[i] = by == 0 ? point[i] : high_sum + std::abs(high_sum) * kEpsilon;
    }
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

/// Copies component `k` of `count` rows from `first` on.
template <class T, int W>
void read_rows(const ColumnSpan<T, W>& column, int k, std::size_t first, std::size_t count, T* to) {
  if (column.stride() == sizeof(T)) {
    std::memcpy(to, column.plane(k) + first, count * sizeof(T));
  } else {
    for (std::size_t i = 0; i < count; ++i) to[i] = column(first + i, k);
  }
}

/// Number by number, between arrays of its own, so that the compiler vectorizes it.
template <int D, class T>
bool pack(const Spheres<Borrowed<D, T>>& table, std::size_t begin, std::size_t end,
          const Packing<D, T>& to) {
  constexpr std::size_t kAtOnce = 64;
  using Size = SizeOf<T>;
  Size radius[kAtOnce], grown[kAtOnce];
  PositionOf<T> center[4][kAtOnce];
  for (int k = D; k < 4; ++k) std::fill_n(center[k], kAtOnce, PositionOf<T>{0});
  int wrong = 0;
  for (std::size_t first = begin; first < end; first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, end - first);
    read_rows(table.radius, 0, first, count, radius);
    for (std::size_t i = 0; i < count; ++i) wrong |= is_size(radius[i]) ? 0 : 1;
    for (int k = 0; k < D; ++k) {
      read_rows(table.center, k, first, count, center[k]);
      for (std::size_t i = 0; i < count; ++i) wrong |= is_finite(center[k][i]) ? 0 : 1;
    }
    for (std::size_t i = 0; i < count; ++i) {
      Size* const row = to.row(table, first + i);
      for (std::size_t k = 0; k < 3; ++k) row[k] = is_mixed<T> ? 0 : Size(center[k][i]);
      row[3] = radius[i];
      if constexpr (is_mixed<T>) {
        PositionOf<T>* const anchor = to.anchors + (first + i) * kAnchorNumbers;
        for (std::size_t k = 0; k < 4; ++k) anchor[k] = center[k][i];
      }
    }
    if (!to.has_bounds()) continue;
    to.reach(radius, first, count, grown);
    for (int k = 0; k < D; ++k) to.set_bounds(first, count, k, center[k], grown);
  }
  return wrong == 0;
}

/// A core that is shorter along every axis is packed as a point. Otherwise the fourth power of its
/// length would vanish, or keep too few digits for a normal of unit length. This is below the range
/// of docs/conventions.md.
template <class T>
inline constexpr T kPointCore = sizeof(T) == 4 ? T(1e-7) : T(1e-66);

template <int D, class T>
bool pack(const Capsules<Borrowed<D, T>>& table, std::size_t begin, std::size_t end,
          const Packing<D, T>& to) {
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    const SizeOf<T> radius = table.radius(i);
    is_valid &= is_size(radius);
    const SizeOf<T> grown = to.reach(radius, i);
    bool is_point = true;
    for (int k = 0; k < D; ++k) {
      is_point &= std::abs(table.b(i, k) - table.a(i, k)) < kPointCore<SizeOf<T>>;
    }
    SizeOf<T>* row = to.row(table, i);
    row[2] = row[6] = row[7] = 0;
    row[3] = radius;
    for (int k = 0; k < D; ++k) {
      const PositionOf<T> a = table.a(i, k), b = table.b(i, k);
      is_valid &= is_finite(a) && is_finite(b);
      row[k] = to.put_point(i, k, a, 0, 2);
      row[4 + k] = to.put_point(i, k, is_point ? a : b, 1, 2);
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
    const SizeOf<T> grown = to.reach(0, i);
    constexpr int kWidth = row_width(Kind::aabb, D);
    SizeOf<T>* row = to.row(table, i);
    if (D == 3) row[3] = row[7 % kWidth] = 0;
    for (int k = 0; k < D; ++k) {
      const PositionOf<T> low = table.min(i, k), high = table.max(i, k);
      is_valid &= is_finite(low) && is_finite(high) && low <= high;
      row[k] = to.put_point(i, k, low, 0, 2);
      row[kWidth / 2 + k] = to.put_point(i, k, high, 1, 2);
      PositionOf<T> rounding = 0;  // of the kernel's float differences
      if constexpr (is_mixed<T>) rounding = (high - low) * std::numeric_limits<float>::epsilon();
      to.set_bounds(i, k, low, high, grown + rounding);
    }
  }
  return is_valid;
}

/// The largest rounding of a rotated corner: products, their sum, cosine and sine.
template <class T>
T turning_error(T reach) {
  return reach * (4 * std::numeric_limits<T>::epsilon());
}

/// `pack_row(i, angle, turn)` for the rows of a table in 2D; returns whether all of them are valid.
/// A kernel computes the rotations of many rows at once.
template <class T, class Table, class PackRow>
bool pack_turned(const Table& table, std::size_t begin, std::size_t end, const Packing<2, T>& to,
                 const PackRow& pack_row) {
  using Size = SizeOf<T>;
  constexpr std::size_t kAtOnce = 64;
  Size angles[kAtOnce], cosines[kAtOnce], sines[kAtOnce];
  bool is_valid = true;
  for (std::size_t first = begin; first < end; first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, end - first);
    for (std::size_t i = 0; i < count; ++i) angles[i] = table.turn(first + i);
    to.find_turns(angles, count, cosines, sines);
    for (std::size_t i = 0; i < count; ++i) {
      is_valid &= pack_row(first + i, angles[i], Turn2<Size>{cosines[i], sines[i]});
    }
  }
  return is_valid;
}

template <class T>
bool pack(const Boxes<Borrowed<2, T>>& table, std::size_t begin, std::size_t end,
          const Packing<2, T>& to) {
  using Size = SizeOf<T>;
  const auto pack_row = [&](std::size_t i, Size angle, const Turn2<Size>& turn) {
    const PositionOf<T> x = table.center(i, 0), y = table.center(i, 1);
    const Size half_x = table.half_extents(i, 0), half_y = table.half_extents(i, 1);
    const Size radius = value_or(table.radius, i, Size{0});
    const bool is_valid = is_finite(x) && is_finite(y) && is_finite(angle) && is_size(half_x) &&
                          is_size(half_y) && is_size(radius);
    Size* row = to.row(table, i);
    row[0] = to.put_point(i, 0, x);
    row[1] = to.put_point(i, 1, y);
    row[2] = turn.cosine;
    row[3] = turn.sine;
    row[4] = half_x;
    row[5] = half_y;
    row[6] = radius;
    row[7] = 0;
    const Size cosine = std::abs(turn.cosine), sine = std::abs(turn.sine);
    const Size reach_x = cosine * half_x + sine * half_y;
    const Size reach_y = sine * half_x + cosine * half_y;
    const Size grown = to.reach(radius, i) + turning_error(half_x + half_y);
    to.set_bounds(i, 0, x - reach_x, x + reach_x, grown + turning_error(std::abs(x)));
    to.set_bounds(i, 1, y - reach_y, y + reach_y, grown + turning_error(std::abs(y)));
    return is_valid;
  };
  return pack_turned(table, begin, end, to, pack_row);
}

/// The rotation of row i of a table in 3D, and whether its quaternion is valid.
template <class T, class Table>
Turn3<T> turn_of_row(const Table& table, std::size_t i, bool& is_valid) {
  const std::array<double, 4> quaternion{table.turn(i, 0), table.turn(i, 1), table.turn(i, 2),
                                         table.turn(i, 3)};
  is_valid &= is_unit(quaternion);
  return turn_of<T>(quaternion);
}

/// The centre, radius and axes of a row of sixteen numbers; the last number of each axis is not
/// written.
template <class T>
void put_pose(const std::array<PositionOf<T>, 3>& center, std::size_t i,
              const Turn3<SizeOf<T>>& turn, SizeOf<T> radius, const Packing<3, T>& to,
              SizeOf<T>* row) {
  row[3] = radius;
  for (int k = 0; k < 3; ++k) {
    row[k] = to.put_point(i, k, center[static_cast<std::size_t>(k)]);
    for (int j = 0; j < 3; ++j) row[4 * (j + 1) + k] = turn.column[j][k];
  }
}

template <int D, class T, class Table>
std::array<PositionOf<T>, std::size_t{D}> center_of_row(const Table& table, std::size_t i,
                                                        bool& is_valid) {
  std::array<PositionOf<T>, std::size_t{D}> center;
  for (int k = 0; k < D; ++k) {
    center[static_cast<std::size_t>(k)] = table.center(i, k);
    is_valid &= is_finite(table.center(i, k));
  }
  return center;
}

/// The place of the middle of row i's point set, for a set apart from its origin, in twice the
/// digits of the row, from the poses as given. Beyond the range of numbers `center` is unchanged.
template <int D, class T, class Table, class Library>
void move_to_middle(const Table& given, std::size_t i, const Library& library, std::size_t set,
                    const Packing<D, T>& to, std::array<PositionOf<T>, std::size_t{D}>& center) {
  using Size = SizeOf<T>;
  using N = std::conditional_t<std::is_same_v<T, double>, TwoTerms, double>;
  if (!library.has_middles) return;
  Size* const rest = to.rests == nullptr ? nullptr : to.rests + i * kAnchorNumbers;
  if (rest != nullptr) std::fill_n(rest, kAnchorNumbers, Size{0});
  std::array<N, std::size_t{D}> middle;
  bool is_apart = false;
  for (std::size_t k = 0; k < D; ++k) {
    const Size own = library.middle(set, static_cast<int>(k));
    middle[k] = number_from<N>(own);
    is_apart |= own != 0;
  }
  if (!is_apart) return;
  const auto place = place_in_world<N, D, T>(given, to.given->bodies, i, middle);
  for (std::size_t k = 0; k < D; ++k) {
    const auto rounded = static_cast<PositionOf<T>>(high_of(place[k]));
    if (!is_finite(rounded)) continue;
    center[k] = rounded;
    if (rest == nullptr) continue;
    rest[k] =
        static_cast<Size>(high_of(sum_of(place[k], number_from<N>(-static_cast<double>(rounded)))));
  }
}

template <class T>
bool pack(const Boxes<Borrowed<3, T>>& table, std::size_t begin, std::size_t end,
          const Packing<3, T>& to) {
  using Size = SizeOf<T>;
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    const Size radius = value_or(table.radius, i, Size{0});
    is_valid &= is_size(radius);
    const Turn3<Size> turn = turn_of_row<Size>(table, i, is_valid);
    const Size half[3] = {table.half_extents(i, 0), table.half_extents(i, 1),
                          table.half_extents(i, 2)};
    const Size grown = to.reach(radius, i) + turning_error(half[0] + half[1] + half[2]);
    Size* row = to.row(table, i);
    put_pose<T>(center_of_row<3, T>(table, i, is_valid), i, turn, radius, to, row);
    for (int k = 0; k < 3; ++k) {
      is_valid &= is_size(half[k]);
      row[4 * (k + 1) + 3] = half[k];
      Size reach = 0;
      for (int j = 0; j < 3; ++j) reach += std::abs(turn.column[j][k]) * half[j];
      const PositionOf<T> center = table.center(i, k);
      to.set_bounds(i, k, center - reach, center + reach, grown + turning_error(std::abs(center)));
    }
  }
  return is_valid;
}

/// A row of a cylinder or a cone, of half height and radius; `reach_of` says how far the sharp
/// shape reaches along an axis of the scene to either side.
template <class T, class Table, class ReachOf>
bool pack_round(const Table& table, std::size_t begin, std::size_t end, const Packing<3, T>& to,
                const ReachOf& reach_of) {
  using Size = SizeOf<T>;
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    const Size half_height = table.half_height(i), radius = table.radius(i);
    const Size rounding = value_or(table.rounding, i, Size{0});
    is_valid &= is_size(half_height) && is_size(radius) && is_size(rounding);
    const Turn3<Size> turn = turn_of_row<Size>(table, i, is_valid);
    const Size grown = to.reach(rounding, i) + turning_error(half_height + radius);
    Size* row = to.row(table, i);
    put_pose<T>(center_of_row<3, T>(table, i, is_valid), i, turn, rounding, to, row);
    row[7] = row[11] = radius;
    row[15] = half_height;
    for (int k = 0; k < 3; ++k) {
      const Size x = turn.column[0][k], y = turn.column[1][k];
      const auto [low, high] =
          reach_of(turn.column[2][k] * half_height, std::sqrt(x * x + y * y) * radius);
      const PositionOf<T> center = table.center(i, k);
      to.set_bounds(i, k, center + low, center + high, grown + turning_error(std::abs(center)));
    }
  }
  return is_valid;
}

/// An interval about a center.
template <class T>
struct Reach {
  T low, high;
};

template <class T>
bool pack(const Cylinders<Borrowed<3, T>>& table, std::size_t begin, std::size_t end,
          const Packing<3, T>& to) {
  using Size = SizeOf<T>;
  return pack_round(table, begin, end, to, [](Size up, Size rim) {
    const Size reach = std::abs(up) + rim;
    return Reach<Size>{-reach, reach};
  });
}

template <class T>
bool pack(const Cones<Borrowed<3, T>>& table, std::size_t begin, std::size_t end,
          const Packing<3, T>& to) {
  using Size = SizeOf<T>;
  // The apex is at `up`, the base about its opposite.
  return pack_round(table, begin, end, to, [](Size up, Size rim) {
    return Reach<Size>{std::min(up, -up - rim), std::max(up, rim - up)};
  });
}

template <class T>
bool pack(const Ellipsoids<Borrowed<3, T>>& table, std::size_t begin, std::size_t end,
          const Packing<3, T>& to) {
  using Size = SizeOf<T>;
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    const Size rounding = value_or(table.rounding, i, Size{0});
    is_valid &= is_size(rounding);
    const Turn3<Size> turn = turn_of_row<Size>(table, i, is_valid);
    const Size half[3] = {table.half_extents(i, 0), table.half_extents(i, 1),
                          table.half_extents(i, 2)};
    const Size least = std::min({half[0], half[1], half[2]});
    const Size most = std::max({half[0], half[1], half[2]});
    // kernels/core/support/ellipsoid_core.hpp
    const Size ball = most > 0 ? least * (least / most) : Size{0};
    const Size grown = to.reach(rounding, i) + turning_error(half[0] + half[1] + half[2]);
    Size* row = to.row(table, i);
    put_pose<T>(center_of_row<3, T>(table, i, is_valid), i, turn, rounding + ball, to, row);
    for (int k = 0; k < 3; ++k) {
      is_valid &= is_size(half[k]);
      row[4 * (k + 1) + 3] = half[k];
      // Divided by the longest extent, so that no square overflows or vanishes.
      Size square = 0;
      for (int j = 0; j < 3; ++j) {
        const Size share = most > 0 ? turn.column[j][k] * (half[j] / most) : Size{0};
        square += share * share;
      }
      const Size reach = most * std::sqrt(square);
      const PositionOf<T> center = table.center(i, k);
      to.set_bounds(i, k, center - reach, center + reach, grown + turning_error(std::abs(center)));
    }
  }
  return is_valid;
}

template <class T>
bool pack(const Instances<Borrowed<3, T>, Kind::hull>& table, std::size_t begin, std::size_t end,
          const Packing<3, T>& to) {
  using Size = SizeOf<T>;
  const HullLibrary<Size>& hulls = *to.hulls;
  const auto geometry_count = static_cast<std::int32_t>(hulls.place.size());
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    const Size radius = value_or(table.radius, i, Size{0});
    const std::int32_t geometry = table.geometry(i);
    is_valid &= is_size(radius);
    if (geometry < 0 || geometry >= geometry_count) return false;
    const auto g = static_cast<std::size_t>(geometry);
    const Turn3<Size> turn = turn_of_row<Size>(table, i, is_valid);
    Size* row = to.row(table, i);
    std::array<PositionOf<T>, 3> middle = center_of_row<3, T>(table, i, is_valid);
    move_to_middle<3, T>(to.given->hulls, i, hulls, g, to, middle);
    put_pose<T>(middle, i, turn, radius, to, row);
    row[7] = number_of_bits<Size>(hulls.place[g]);
    row[11] = row[15] = 0;
    if (!to.has_bounds()) continue;
    const Size grown = to.reach(radius, i) + turning_error(2 * hulls.reach[g]);
    for (int k = 0; k < 3; ++k) {
      Size low[8], high[8];
      std::fill_n(low, 8, std::numeric_limits<Size>::max());
      std::fill_n(high, 8, std::numeric_limits<Size>::lowest());
      for (int block = 0; 8 * block < hulls.vertex_count[g]; ++block) {
        const Size* const x = hulls.vertices(geometry, block);
        for (int v = 0; v < 8; ++v) {
          const Size at = turn.column[0][k] * x[v] + turn.column[1][k] * x[v + 8] +
                          turn.column[2][k] * x[v + 16];
          low[v] = at < low[v] ? at : low[v];
          high[v] = at > high[v] ? at : high[v];
        }
      }
      const PositionOf<T> center = middle[static_cast<std::size_t>(k)];
      to.set_bounds(i, k, center + *std::min_element(low, low + 8),
                    center + *std::max_element(high, high + 8),
                    grown + turning_error(std::abs(center)));
    }
  }
  return is_valid;
}

template <class T>
bool pack(const Instances<Borrowed<2, T>, Kind::polygon>& table, std::size_t begin, std::size_t end,
          const Packing<2, T>& to) {
  using Size = SizeOf<T>;
  const PolygonLibrary<Size>& polygons = *to.polygons;
  const auto geometry_count = static_cast<std::int32_t>(polygons.place.size());
  const auto pack_row = [&](std::size_t i, Size angle, const Turn2<Size>& turn) {
    bool is_valid = true;
    std::array<PositionOf<T>, 2> center = center_of_row<2, T>(table, i, is_valid);
    const Size radius = value_or(table.radius, i, Size{0});
    const std::int32_t geometry = table.geometry(i);
    is_valid &= is_finite(angle) && is_size(radius);
    if (geometry < 0 || geometry >= geometry_count) return false;
    const auto g = static_cast<std::size_t>(geometry);
    move_to_middle<2, T>(to.given->polygons, i, polygons, g, to, center);
    Size* row = to.row(table, i);
    row[0] = to.put_point(i, 0, center[0]);
    row[1] = to.put_point(i, 1, center[1]);
    row[2] = turn.cosine;
    row[3] = turn.sine;
    row[4] = radius;
    row[5] = number_of_bits<Size>(polygons.place[g]);
    row[6] = number_of_bits<Size>(polygons.counts(g));
    row[7] = polygons.has_inner[g];
    if (!to.has_bounds()) return is_valid;
    Size low[2][8], high[2][8];
    for (int v = 0; v < 8; ++v) {
      low[0][v] = low[1][v] = std::numeric_limits<Size>::max();
      high[0][v] = high[1][v] = std::numeric_limits<Size>::lowest();
    }
    for (int block = 0; 8 * block < polygons.vertex_count[g]; ++block) {
      const Size* const vx = polygons.vertices(geometry, block);
      const Size* const vy = vx + 8;
      for (int v = 0; v < 8; ++v) {
        const Size at_x = turn.cosine * vx[v] - turn.sine * vy[v];
        const Size at_y = turn.sine * vx[v] + turn.cosine * vy[v];
        low[0][v] = at_x < low[0][v] ? at_x : low[0][v];
        high[0][v] = at_x > high[0][v] ? at_x : high[0][v];
        low[1][v] = at_y < low[1][v] ? at_y : low[1][v];
        high[1][v] = at_y > high[1][v] ? at_y : high[1][v];
      }
    }
    const Size grown = to.reach(radius, i) + turning_error(polygons.reach[g] + polygons.reach[g]);
    for (int k = 0; k < 2; ++k) {
      Size lowest = low[k][0], highest = high[k][0];
      for (int v = 1; v < 8; ++v) {
        lowest = low[k][v] < lowest ? low[k][v] : lowest;
        highest = high[k][v] > highest ? high[k][v] : highest;
      }
      const PositionOf<T> from = center[static_cast<std::size_t>(k)];
      to.set_bounds(i, k, from + lowest, from + highest, grown + turning_error(std::abs(from)));
    }
    return is_valid;
  };
  return pack_turned(table, begin, end, to, pack_row);
}

/// A number of a plane as the sum of two numbers of a row. In double the first part of a normal has
/// only 26 bits, so that products with 27 or fewer bits are exact.
inline void put_in_parts(double number, bool, float& high, float& low) {
  high = static_cast<float>(number);
  low = static_cast<float>(number - static_cast<double>(high));
}
inline void put_in_parts(TwoTerms number, bool is_normal, double& high, double& low) {
  constexpr double kSplitter = 134217729;  // 2^27 + 1
  const double scaled = kSplitter * number.high;
  high = is_normal ? scaled - (scaled - number.high) : number.high;
  low = (number.high - high) + number.low;
}

template <int D, class T>
bool pack(const Halfspaces<Borrowed<D, T>>& table, std::size_t begin, std::size_t end,
          const Packing<D, T>& to) {
  // The error of a rounded normal grows with the distance, so rows have normal and offset in two
  // parts. In mixed precision they are kept in double.
  using Position = PositionOf<T>;
  using Size = SizeOf<T>;
  using N = std::conditional_t<std::is_same_v<T, double>, TwoTerms, double>;
  constexpr Position kInfinity = std::numeric_limits<Position>::infinity();
  bool is_valid = true;
  for (std::size_t i = begin; i < end; ++i) {
    double numbers[4] = {0, 0, 0, static_cast<double>(table.offset(i))};
    N square = number_from<N>(0);
    for (int k = 0; k < D; ++k) {
      numbers[k] = static_cast<double>(table.normal(i, k));
      square = sum_of(square, product_of(number_from<N>(numbers[k]), number_from<N>(numbers[k])));
    }
    is_valid &= std::abs(high_of(square) - 1) <= 1e-4 && is_finite(table.offset(i));
    const N size = root_of(square);
    Size* const row = to.row(table, i);
    for (int n = 0; n < 4; ++n) {
      const N number = quotient_of(numbers[n], size);
      if constexpr (is_mixed<T>) {
        to.anchors[i * kAnchorNumbers + static_cast<std::size_t>(n)] = number;
        row[n] = n < 3 ? static_cast<Size>(number) : Size{0};
        row[4 + n] = 0;
      } else {
        put_in_parts(number, n < 3, row[n], row[4 + n]);
      }
    }
    for (int k = 0; k < D && to.has_bounds(); ++k) {
      to.low[k][i] = -kInfinity;
      to.high[k][i] = kInfinity;
    }
  }
  return is_valid;
}

}  // namespace widephase
