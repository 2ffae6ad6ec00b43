#pragma once

// Whether a smooth core may leave another one equally far in another direction.

#include "kernels/core/support/polytope3.hpp"

namespace widephase {
namespace {

/// How far a direction is turned to look for ties.
template <class T>
inline constexpr T kSmoothTurn = T(0.05);

/// The directions in which a smooth core may be left equally far: `n` mirrored in a plane of its
/// axes, or turned about an axis that it is round about. Until `ask` answers true for one.
/// For one pair or for pairs in lanes; `unit` makes a vector's length 1.
template <class T, class N, class IsRound, class Unit, class Ask>
WIDEPHASE_INLINE bool ask_turned(const Rotation3<N>& turn, const Vec<N, 3>& n,
                                 const IsRound& is_round, const Unit& unit, const Ask& ask) {
  for (int k = 0; k < 3; ++k) {
    const Vec<N, 3>& u = turn.column[k];
    if (ask(n - (N(2) * dot(n, u)) * u)) return true;
    if (!is_round(k)) continue;
    const Vec<N, 3> round = cross(u, n);
    for (const T by : {-kSmoothTurn<T>, kSmoothTurn<T>}) {
      if (ask(unit(n + N(by) * round))) return true;
    }
  }
  return false;
}

/// Whether the exit has a tie: turned about an axis that a core is round about, or mirrored in a
/// plane of a core's axes, it is equally short.
template <class T>
bool has_smooth_tie(const ShapePair<T>& pair, const Vec<T, 3>& n, T depth, T rounding) {
  const auto is_tie = [&](const Vec<T, 3>& other) {
    const Vec<T, 3> turn = other - n;
    return dot(turn, turn) >= kSmoothTurn<T> * kSmoothTurn<T> / 2 &&
           dot(other, farthest(pair, other).point) <= depth + rounding;
  };
  for (const ConvexShape<T>* shape : {&pair.a, &pair.b}) {
    if (has_vertices(shape->form)) continue;
    const auto is_round = [&](int k) {
      return shape->form == CoreForm::ellipsoid
                 ? shape->ellipsoid.share[(k + 1) % 3] == shape->ellipsoid.share[(k + 2) % 3]
                 : k == 2;
    };
    if (ask_turned<T>(shape->turn, n, is_round, unit_of<T>, is_tie)) return true;
  }
  return is_tie(-n);
}

}  // namespace
}  // namespace widephase
