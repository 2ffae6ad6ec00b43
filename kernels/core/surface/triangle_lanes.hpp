#pragma once

// Triangles in lanes, seen from a point at the origin, in double.

#include "kernels/core/surface/listed_triangles.hpp"
#include "kernels/lanes/vec.hpp"

namespace widephase {
namespace {

/// Triangles of cells in memory, each seen from a point of its own: corner 0 is at (x[0], y[0]),
/// the opposite one at (x[1], y[1]); z is by vertex.
struct CellTriangles {
  static constexpr int lanes = LaneTraits<Batch<double>>::count;
  static constexpr int most = 192;
  alignas(64) double x[2][most], y[2][most], z[3][most];
  alignas(64) double half[most];   ///< 0 or 1, as in `TrianglePlace`
  alignas(64) double limit[most];  ///< no distance beyond this counts
  std::int32_t count = 0;

  Vector vertex(std::int32_t t, int k) const {
    const int far_x = k == 1 || (k == 2 && half[t] == 0),
              far_y = k == 2 || (k == 1 && half[t] != 0);
    return {{x[far_x][t], y[far_y][t], z[k][t]}};
  }
  /// Fills the last batch with the last triangle.
  void pad() {
    for (std::int32_t t = count; t % lanes != 0; ++t) {
      for (int k = 0; k < 2; ++k) {
        x[k][t] = x[k][count - 1];
        y[k][t] = y[k][count - 1];
      }
      for (auto& row : z) row[t] = row[count - 1];
      half[t] = half[count - 1];
      limit[t] = limit[count - 1];
    }
  }
};

/// Adds the triangles of a cell that rise to `low` over the origin. Every one is written, and the
/// next takes the place of one that does not.
template <class T>
WIDEPHASE_INLINE void add_cell(const HeightfieldView<T>& field, const Vector& origin, double low,
                               std::int32_t row, std::int32_t col, CellTriangles& to,
                               TrianglePlace* places) {
  const T* const near = field.heights + std::ptrdiff_t{row} * field.columns + col;
  const T* const far = near + field.columns;
  const double cell_x = double(field.cell[0]), cell_y = double(field.cell[1]);
  const double x[2] = {double(col) * cell_x - origin[0], double(col + 1) * cell_x - origin[0]};
  const double y[2] = {double(row) * cell_y - origin[1], double(row + 1) * cell_y - origin[1]};
  const double from = double(near[0]) - origin[2], opposite = double(far[1]) - origin[2];
  for (int half = 0; half < 2; ++half) {
    const double beside = double(half == 0 ? near[1] : far[0]) - origin[2];
    const double sum = (from + opposite) + beside;
    const bool is_high = (from >= low) | (opposite >= low) | (beside >= low);
    const std::int32_t t = to.count;
    for (int k = 0; k < 2; ++k) {
      to.x[k][t] = x[k];
      to.y[k][t] = y[k];
    }
    to.z[0][t] = from;
    to.z[1][t] = half == 0 ? beside : opposite;
    to.z[2][t] = half == 0 ? opposite : beside;
    to.half[t] = double(half);
    places[t] = {row, col, half};
    to.count += (is_high & (sum - sum == 0)) ? 1 : 0;
  }
}

template <class F>
struct TriangleLanes {
  Vec<F, 3> vertex[3];

  TriangleLanes() = default;
  TriangleLanes(const CellTriangles& from, std::int32_t first) {
    const F x0 = load(from.x[0] + first), x1 = load(from.x[1] + first);
    const F y0 = load(from.y[0] + first), y1 = load(from.y[1] + first);
    const auto is_half0 = load(from.half + first) == F(0);
    vertex[0] = {{x0, y0, load(from.z[0] + first)}};
    vertex[1] = {{x1, select(is_half0, y0, y1), load(from.z[1] + first)}};
    vertex[2] = {{select(is_half0, x1, x0), y1, load(from.z[2] + first)}};
  }
};

/// Whether points are over or under triangles; on their edges too (near_triangles.hpp).
template <class F>
WIDEPHASE_INLINE MaskOf<F> is_over(const TriangleLanes<F>& triangle, const Vec<F, 3>& point) {
  MaskOf<F> is = F(0) <= F(0);
  for (int k = 0; k < 3; ++k) {
    const Vec<F, 3>&a = triangle.vertex[k], &b = triangle.vertex[(k + 1) % 3];
    const F x = b[0] - a[0], y = b[1] - a[1];
    const F from_x = point[0] - a[0], from_y = point[1] - a[1];
    const F side = x * from_y - y * from_x;
    const F extent = (abs(x) + abs(y)) * (abs(from_x) + abs(from_y));
    is = is & (side >= F(-1e-14) * extent);
  }
  return is;
}

/// Where triangles are nearest to the origin.
template <class F>
struct NearestLanes {
  F distance2;
  F feature;             ///< as of `ListedTriangle`
  Vec<F, 3> point;       ///< for edges and vertices
  MaskOf<F> is_unclear;  ///< inside, but as near to an edge as shares of the triangle round
};

/// The least share of a triangle that counts (near_triangles.hpp).
inline constexpr double kLeastShare = 1e-12;

/// `across` is twice the triangles' area, along their normal.
template <class F>
WIDEPHASE_INLINE NearestLanes<F> nearest_to_origin(const TriangleLanes<F>& triangle,
                                                   const Vec<F, 3>& across) {
  const Vec<F, 3>&a = triangle.vertex[0], &b = triangle.vertex[1], &c = triangle.vertex[2];
  const F zero(0), one(1), least(kLeastShare);
  NearestLanes<F> nearest;
  const auto ask_edge = [&](const Vec<F, 3>& from, const Vec<F, 3>& to, int edge, bool is_first) {
    const Vec<F, 3> along = to - from;
    const F length2 = dot(along, along), at = negate(dot(from, along));
    F t = select(length2 > zero, divide(at, length2), zero);
    t = select(t > zero, select(t < one, t, one), zero);
    const Vec<F, 3> point = from + t * along;
    const F distance2 = dot(point, point);
    const F rest = one - t;
    F feature = select(rest > least, F(kOfEdge + edge), F(kOfVertex + (edge + 1) % 3));
    feature = select(t > least, feature, F(kOfVertex + edge));
    const Vec<F, 3> shared = rest * from + t * to;
    if (is_first) {
      nearest.distance2 = distance2;
      nearest.feature = feature;
      nearest.point = shared;
      return;
    }
    const auto is_nearer = distance2 < nearest.distance2;
    nearest.distance2 = select(is_nearer, distance2, nearest.distance2);
    nearest.feature = select(is_nearer, feature, nearest.feature);
    nearest.point = select(is_nearer, shared, nearest.point);
  };
  ask_edge(a, b, 0, true);
  ask_edge(b, c, 1, false);
  ask_edge(c, a, 2, false);
  const F of_c = dot(cross(a, b), across), of_a = dot(cross(b, c), across);
  const F of_b = dot(cross(c, a), across);
  const auto is_inside = (of_a > zero) & (of_b > zero) & (of_c > zero);
  const F less = (F(2 * kLeastShare)) * (of_a + of_b + of_c);
  nearest.is_unclear = is_inside & ((of_a <= less) | (of_b <= less) | (of_c <= less));
  nearest.feature = select(is_inside, F(kOfFace), nearest.feature);
  return nearest;
}

}  // namespace
}  // namespace widephase
