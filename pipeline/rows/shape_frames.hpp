#pragma once

// The frames of shapes, kept from step to step, so that a place on a shape is found again after the
// shape has moved and rotated.

#include <bit>
#include <cmath>

#include "soa/large_pages.hpp"
#include "soa/threads.hpp"
#include "soa/turn.hpp"

namespace widephase {

/// A shape's own frame. Its size divides that of a cache line.
template <int D, class T>
struct alignas(std::bit_ceil(D * sizeof(PositionOf<T>) +
                             (D == 2 ? 2 : 4) * sizeof(SizeOf<T>))) ShapeFrame {
  /// The centre; a capsule's `a`, the middle of an aabb, the foot of a halfspace's normal.
  PositionOf<T> origin[D];
  /// In 3D a quaternion x y z w, in 2D an angle and 0. Capsules and halfspaces have their unit axis
  /// here (0 for a capsule that is a ball), since their rotation about it is invisible.
  SizeOf<T> turn[D == 2 ? 2 : 4];
};

/// Whether a frame knows an axis alone.
constexpr bool is_axial(Kind kind) {
  switch (kind) {
    case Kind::capsule:
    case Kind::halfspace:
      return true;
    case Kind::sphere:
    case Kind::aabb:
    case Kind::box:
    case Kind::polygon:
    case Kind::hull:
    case Kind::cylinder:
    case Kind::ellipsoid:
    case Kind::cone:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      return false;
  }
  return false;
}

template <int D, class T>
struct ShapeFrames {
  using Frame = ShapeFrame<D, T>;
  SceneLayout layout;
  Column<Frame> frame;  ///< by id

  bool empty() const { return frame.empty(); }
  Kind kind_of(std::int32_t id) const { return layout.kind_of(id); }
  const Frame& operator[](std::int32_t id) const { return frame[static_cast<std::size_t>(id)]; }

  /// Reads a scene with its shapes placed. Invalid shapes have frames of NaN or of any numbers.
  void read(const SceneSpan<D, T>& scene, const SceneLayout& of_scene, const Threads& threads) {
    layout = of_scene;
    resize_scratch(frame, static_cast<std::size_t>(layout.shape_count()));
    for_each_table(scene, [&](const auto& table) {
      using Table = std::remove_cvref_t<decltype(table)>;
      const std::size_t rows = row_count(table);
      Frame* const to = frame.plane() + layout.first[static_cast<int>(Table::kind)];
      for_chunks(threads, (rows + kRowsAChunk - 1) / kRowsAChunk, [&](std::size_t chunk) {
        const std::size_t begin = chunk * kRowsAChunk;
        const std::size_t end = begin + kRowsAChunk < rows ? begin + kRowsAChunk : rows;
        for (std::size_t i = begin; i < end; ++i) to[i] = frame_of(table, i);
      });
    });
  }
  void clear() { frame.clear(); }
  std::size_t bytes() const { return frame.bytes(); }

 private:
  static constexpr std::size_t kRowsAChunk = 16384;

  template <class Table>
  static Frame frame_of(const Table& table, std::size_t i) {
    Frame frame{};
    if constexpr (D == 3 && !is_axial(Table::kind)) frame.turn[3] = 1;
    if constexpr (requires { table.center; }) {
      for (int k = 0; k < D; ++k) frame.origin[k] = table.center(i, k);
    }
    if constexpr (requires { table.turn; }) {
      for (int k = 0; k < (D == 2 ? 1 : 4); ++k) frame.turn[k] = table.turn(i, k);
    }
    if constexpr (Table::kind == Kind::aabb) {
      // Halved first, since the sum may exceed the largest number.
      for (int k = 0; k < D; ++k) frame.origin[k] = table.min(i, k) / 2 + table.max(i, k) / 2;
    }
    if constexpr (is_axial(Table::kind)) {
      double axis[D], square = 0;
      for (int k = 0; k < D; ++k) {
        if constexpr (Table::kind == Kind::capsule) {
          axis[k] = static_cast<double>(table.b(i, k)) - static_cast<double>(table.a(i, k));
        } else {
          axis[k] = static_cast<double>(table.normal(i, k));
        }
        square += axis[k] * axis[k];
      }
      const double length = std::sqrt(square);
      for (int k = 0; k < D; ++k) {
        if (length > 0) frame.turn[k] = static_cast<SizeOf<T>>(axis[k] / length);
        if constexpr (Table::kind == Kind::capsule) {
          frame.origin[k] = table.a(i, k);
        } else {
          const double foot = axis[k] * (static_cast<double>(table.offset(i)) / square);
          frame.origin[k] = static_cast<PositionOf<T>>(foot);
        }
      }
    }
    return frame;
  }
};

/// Rotates `v` as a shape rotates from one frame to another; for shapes with only an axis, by the
/// shortest rotation between the axes.
template <class T>
std::array<double, 2> turned(std::array<double, 2> v, const ShapeFrame<2, T>& from,
                             const ShapeFrame<2, T>& to, bool is_axial) {
  const double x0 = from.turn[0], y0 = from.turn[1], x1 = to.turn[0], y1 = to.turn[1];
  Turn2<double> turn{x0 * x1 + y0 * y1, x0 * y1 - y0 * x1};
  if (!is_axial) turn = turn_of(x1 - x0);
  if (turn.cosine == 0 && turn.sine == 0) return v;  // a ball
  return {turn.cosine * v[0] - turn.sine * v[1], turn.sine * v[0] + turn.cosine * v[1]};
}
template <class T>
std::array<double, 3> turned(std::array<double, 3> v, const ShapeFrame<3, T>& from,
                             const ShapeFrame<3, T>& to, bool is_axial) {
  const double w0 = from.turn[3], w1 = to.turn[3];
  const double a[3] = {from.turn[0], from.turn[1], from.turn[2]};
  const double b[3] = {to.turn[0], to.turn[1], to.turn[2]};
  const auto cross = [](const auto& p, const auto& q, int k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    return p[i] * q[j] - p[j] * q[i];
  };
  // `to` times the conjugate of `from`. For axes, as quaternions with w = 0, this is twice the
  // shortest rotation; with 1 added to w it is once.
  double u[3], w = w0 * w1 + (is_axial ? 1 : 0), square = 0;
  for (int k = 0; k < 3; ++k) {
    w += a[k] * b[k];
    u[k] = w0 * b[k] - w1 * a[k] + cross(a, b, k);
    square += u[k] * u[k];
  }
  // v + 2 u x (w v + u x v) / |quaternion|^2, which needs no unit length.
  square += w * w;
  if (!(square > 0)) return v;  // an axis that has turned round
  double inner[3];
  for (int k = 0; k < 3; ++k) inner[k] = w * v[k] + cross(u, v, k);
  std::array<double, 3> result;
  for (int k = 0; k < 3; ++k) result[k] = v[k] + 2 * cross(u, inner, k) / square;
  return result;
}

}  // namespace widephase
