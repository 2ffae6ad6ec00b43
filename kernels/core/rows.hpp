#pragma once

// Packed rows: what a pair kernel reads of a shape, in quads of four numbers so that a transpose
// in registers brings the rows of many pairs into lanes. Written by `update_bounds`
// (soa/src/update_bounds.cpp). Unused numbers are 0.
//
//   sphere     center..., [3] = radius                      one quad
//   capsule    a..., [3] = radius | b...                    two quads
//   aabb       2D: min, max                                 one quad
//              3D: min... | max...                          two quads
//   halfspace  unit normal..., [3] = offset                 one quad
//
// `take_origin` makes a shape relative to a point of its own, which is then a zero that the
// compiler knows; `move_back` makes the other one relative to the same point.

#include "lanes/vec.hpp"

namespace widephase {
namespace {

template <class F, int D>
struct SphereLanes {
  static constexpr int quads = 1;
  Vec<F, D> center;
  F radius;

  WIDEPHASE_INLINE explicit SphereLanes(const F (&row)[4])
      : center(each_axis<F, D>([&](int k) { return row[k]; })), radius(row[3]) {}
  WIDEPHASE_INLINE Vec<F, D> bounds_center() const { return center; }
  WIDEPHASE_INLINE Vec<F, D> take_origin() {
    const Vec<F, D> origin = center;
    center = zero_vec<F, D>();
    return origin;
  }
  WIDEPHASE_INLINE void move_back(const Vec<F, D>& by) { center = center - by; }
};

template <class F, int D>
struct CapsuleLanes {
  static constexpr int quads = 2;
  Vec<F, D> a;
  Vec<F, D> b;
  F radius;

  WIDEPHASE_INLINE explicit CapsuleLanes(const F (&row)[8])
      : a(each_axis<F, D>([&](int k) { return row[k]; })),
        b(each_axis<F, D>([&](int k) { return row[4 + k]; })),
        radius(row[3]) {}
  WIDEPHASE_INLINE Vec<F, D> bounds_center() const { return F(0.5f) * a + F(0.5f) * b; }
  WIDEPHASE_INLINE Vec<F, D> take_origin() {
    const Vec<F, D> origin = a;
    a = zero_vec<F, D>();
    b = b - origin;
    return origin;
  }
  WIDEPHASE_INLINE void move_back(const Vec<F, D>& by) {
    a = a - by;
    b = b - by;
  }
};

template <class F, int D>
struct AabbLanes {
  static constexpr int quads = D == 2 ? 1 : 2;
  Vec<F, D> min;
  Vec<F, D> max;

  WIDEPHASE_INLINE explicit AabbLanes(const F (&row)[4 * quads])
      : min(each_axis<F, D>([&](int k) { return row[k]; })),
        max(each_axis<F, D>([&](int k) { return row[(D == 2 ? 2 : 4) + k]; })) {}
  WIDEPHASE_INLINE Vec<F, D> bounds_center() const { return F(0.5f) * min + F(0.5f) * max; }
  WIDEPHASE_INLINE Vec<F, D> take_origin() {
    const Vec<F, D> origin = min;
    min = zero_vec<F, D>();
    max = max - origin;
    return origin;
  }
  WIDEPHASE_INLINE void move_back(const Vec<F, D>& by) {
    min = min - by;
    max = max - by;
  }
};

template <class F, int D>
struct HalfspaceLanes {
  static constexpr int quads = 1;
  Vec<F, D> normal;
  F offset;

  WIDEPHASE_INLINE explicit HalfspaceLanes(const F (&row)[4])
      : normal(each_axis<F, D>([&](int k) { return row[k]; })), offset(row[3]) {}
  /// Halfspaces are endless along periodic axes: every image of one is the same.
  WIDEPHASE_INLINE Vec<F, D> bounds_center() const { return zero_vec<F, D>(); }
  WIDEPHASE_INLINE void move_back(const Vec<F, D>& by) { offset = offset - dot(normal, by); }
};

}  // namespace
}  // namespace widephase
