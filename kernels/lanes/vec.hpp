#pragma once

#include "kernels/lanes/lanes.hpp"

namespace widephase {
namespace {

/// One point or direction per lane.
template <class F, int D>
struct Vec {
  F axis[D];
  WIDEPHASE_INLINE F& operator[](int k) { return axis[k]; }
  WIDEPHASE_INLINE const F& operator[](int k) const { return axis[k]; }
};

/// The vector whose component k is op(k). It is written out, because the compiler keeps a loop's
/// array in memory until it has unrolled the loop. That is too late to use registers.
template <class F, int D, class Op>
WIDEPHASE_INLINE Vec<F, D> each_axis(const Op& op) {
  static_assert(D == 2 || D == 3);
  if constexpr (D == 2) {
    return {{op(0), op(1)}};
  } else {
    return {{op(0), op(1), op(2)}};
  }
}

template <class F, int D>
WIDEPHASE_INLINE Vec<F, D> operator+(const Vec<F, D>& a, const Vec<F, D>& b) {
  return each_axis<F, D>([&](int k) { return a[k] + b[k]; });
}
template <class F, int D>
WIDEPHASE_INLINE Vec<F, D> operator-(const Vec<F, D>& a, const Vec<F, D>& b) {
  return each_axis<F, D>([&](int k) { return a[k] - b[k]; });
}
template <class F, int D>
WIDEPHASE_INLINE Vec<F, D> operator-(const Vec<F, D>& a) {
  return each_axis<F, D>([&](int k) { return negate(a[k]); });
}
template <class F, int D>
WIDEPHASE_INLINE Vec<F, D> operator*(const F& scale, const Vec<F, D>& a) {
  return each_axis<F, D>([&](int k) { return scale * a[k]; });
}
template <class F, int D>
WIDEPHASE_INLINE Vec<F, D> operator/(const Vec<F, D>& a, const F& divisor) {
  return each_axis<F, D>([&](int k) { return divide(a[k], divisor); });
}
template <class F, int D>
WIDEPHASE_INLINE Vec<F, D> select(const MaskOf<F>& mask, const Vec<F, D>& yes,
                                  const Vec<F, D>& no) {
  return each_axis<F, D>([&](int k) { return select(mask, yes[k], no[k]); });
}

template <class F, int D>
WIDEPHASE_INLINE F dot(const Vec<F, D>& a, const Vec<F, D>& b) {
  if constexpr (D == 2) {
    return a[0] * b[0] + a[1] * b[1];
  } else {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
}
template <class F>
WIDEPHASE_INLINE Vec<F, 3> cross(const Vec<F, 3>& a, const Vec<F, 3>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}
template <class F>
WIDEPHASE_INLINE F cross(const Vec<F, 2>& a, const Vec<F, 2>& b) {
  return a[0] * b[1] - a[1] * b[0];
}
/// The sum of a vector's absolute coordinates. It bounds the rounding of products with it.
template <class F, int D>
WIDEPHASE_INLINE F coordinate_size(const Vec<F, D>& v) {
  F sum = abs(v[0]);
  for (int k = 1; k < D; ++k) sum = sum + abs(v[k]);
  return sum;
}
/// The vector rotated left by a quarter turn.
template <class F>
WIDEPHASE_INLINE Vec<F, 2> perpendicular(const Vec<F, 2>& a) {
  return {{negate(a[1]), a[0]}};
}
/// A rotation in 2D.
template <class F>
struct Rotation {
  F cosine;
  F sine;
};
template <class F>
WIDEPHASE_INLINE Rotation<F> select(const MaskOf<F>& mask, const Rotation<F>& yes,
                                    const Rotation<F>& no) {
  return {select(mask, yes.cosine, no.cosine), select(mask, yes.sine, no.sine)};
}
template <class F>
WIDEPHASE_INLINE Vec<F, 2> rotate(const Rotation<F>& by, const Vec<F, 2>& v) {
  return {{by.cosine * v[0] - by.sine * v[1], by.sine * v[0] + by.cosine * v[1]}};
}
template <class F>
WIDEPHASE_INLINE Vec<F, 2> rotate_back(const Rotation<F>& by, const Vec<F, 2>& v) {
  return {{by.cosine * v[0] + by.sine * v[1], by.cosine * v[1] - by.sine * v[0]}};
}
/// The rotation from frame `from` to frame `to`: if v has coordinates in `to`, then
/// rotate(between(from, to), v) gives the same vector in `from`.
template <class F>
WIDEPHASE_INLINE Rotation<F> between(const Rotation<F>& from, const Rotation<F>& to) {
  return {from.cosine * to.cosine + from.sine * to.sine,
          from.cosine * to.sine - from.sine * to.cosine};
}
/// A rotation in 3D; column k is where axis k goes.
template <class F>
struct Rotation3 {
  Vec<F, 3> column[3];
};
template <class F>
WIDEPHASE_INLINE Rotation3<F> select(const MaskOf<F>& mask, const Rotation3<F>& yes,
                                     const Rotation3<F>& no) {
  return {{select(mask, yes.column[0], no.column[0]), select(mask, yes.column[1], no.column[1]),
           select(mask, yes.column[2], no.column[2])}};
}
template <class F>
WIDEPHASE_INLINE Vec<F, 3> rotate(const Rotation3<F>& by, const Vec<F, 3>& v) {
  return each_axis<F, 3>([&](int k) {
    return by.column[0][k] * v[0] + by.column[1][k] * v[1] + by.column[2][k] * v[2];
  });
}
template <class F>
WIDEPHASE_INLINE Vec<F, 3> rotate_back(const Rotation3<F>& by, const Vec<F, 3>& v) {
  return each_axis<F, 3>([&](int k) { return dot(by.column[k], v); });
}
template <class F>
WIDEPHASE_INLINE Rotation3<F> between(const Rotation3<F>& from, const Rotation3<F>& to) {
  return {{rotate_back(from, to.column[0]), rotate_back(from, to.column[1]),
           rotate_back(from, to.column[2])}};
}
template <class F>
WIDEPHASE_INLINE Rotation3<F> inverse(const Rotation3<F>& turn) {
  return {{{{turn.column[0][0], turn.column[1][0], turn.column[2][0]}},
           {{turn.column[0][1], turn.column[1][1], turn.column[2][1]}},
           {{turn.column[0][2], turn.column[1][2], turn.column[2][2]}}}};
}
template <class F, int D>
WIDEPHASE_INLINE F length(const Vec<F, D>& a) {
  return sqrt(dot(a, a));
}
template <class F, int D>
WIDEPHASE_INLINE Vec<F, D> zero_vec() {
  return each_axis<F, D>([](int) { return F(0); });
}
/// The unit vector of axis 0: the documented direction if no other is better.
template <class F, int D>
WIDEPHASE_INLINE Vec<F, D> first_axis() {
  return each_axis<F, D>([](int k) { return F(k == 0 ? 1 : 0); });
}

}  // namespace
}  // namespace widephase
