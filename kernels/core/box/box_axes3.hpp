#pragma once

// Two boxes in 3D: the separating axes.
//
// Fifteen directions can be the least exit: three faces of each box, and nine cross products of an
// edge of A with an edge of B. If the boxes are apart, the axis of the greatest separation gives
// the distance in two cases: a vertex is nearest to a face, or two edges are nearest within their
// ends. Otherwise a vertex of one box is nearest to an edge or a vertex of the other.
//
// Edge axes are compared without normalizing: o1 / l1 < o2 / l2 becomes o1 |o1| l2^2 < o2 |o2|
// l1^2. The squared length comes from the components themselves, and B's extent along the axis from
// its columns. For nearly parallel edges, 1 - R^2 or a table of |R| would lose the digits of both.
// Sources: Gottschalk, Lin, Manocha 1996 (the fifteen axes);
// Ericson, Real-Time Collision Detection, 4.4.1.

#include "kernels/core/basis/warm_start.hpp"
#include "kernels/core/round/ball.hpp"

namespace widephase {
namespace {

/// Two boxes, with B in A's frame.
template <class F>
struct BoxPair3 {
  Rotation3<F> turn;  ///< column j is B's axis j
  Vec<F, 3> center;
  Vec<F, 3> half_a;
  Vec<F, 3> half_b;
  Vec<F, 3> center_in_b;  ///< B's centre from A's, along B's axes
};

/// The direction in which two boxes' cores overlap least.
template <class F>
struct BoxAxis3 {
  Vec<F, 3> normal;  ///< unit, A to B, in A's frame
  F overlap;         ///< negative: apart by at least that much
  F is_tie;
  F number;  ///< A's face 0 ... 2, B's face 3 ... 5, edges of A's axis i and B's axis j 6 + 3 i + j
};

/// -1 if x is negative, otherwise 1.
template <class F>
WIDEPHASE_INLINE F sign_of(const F& x) {
  return select(x < F(0), F(-1), F(1));
}

/// The component with the number `index`.
template <class F>
WIDEPHASE_INLINE F at_index(const Vec<F, 3>& v, const F& index) {
  return select(index == F(0), v[0], select(index == F(1), v[1], v[2]));
}
template <class F>
WIDEPHASE_INLINE Vec<F, 3> column_at(const Rotation3<F>& turn, const F& index) {
  return select(index == F(0), turn.column[0],
                select(index == F(1), turn.column[1], turn.column[2]));
}
/// The unit vector along an axis.
template <class F>
WIDEPHASE_INLINE Vec<F, 3> axis_at(const F& index) {
  return each_axis<F, 3>([&](int k) { return one_where<F>(index == F(k)); });
}
/// The next axis in the cycle 0, 1, 2, 0.
template <class F>
WIDEPHASE_INLINE F next_axis(const F& axis) {
  return select(axis == F(2), F(0), axis + F(1));
}

/// How far a box with these half extents reaches along a direction in its frame.
template <class F>
WIDEPHASE_INLINE F reach_along(const Vec<F, 3>& direction, const Vec<F, 3>& half) {
  return abs(direction[0]) * half[0] + abs(direction[1]) * half[1] + abs(direction[2]) * half[2];
}

/// The axes of A and B whose cross product is the axis with this number.
template <class F>
struct CrossedAxes {
  F of_a;
  F of_b;
};
template <class F>
WIDEPHASE_INLINE CrossedAxes<F> crossed_axes(const F& axis_number) {
  const F number = axis_number - F(6);
  const F i = select(number >= F(6), F(2), select(number >= F(3), F(1), F(0)));
  return {i, number - F(3) * i};
}

template <class F>
WIDEPHASE_INLINE BoxAxis3<F> least_overlap(const BoxPair3<F>& pair) {
  const F zero = F(0), one = F(1);
  const Rotation3<F>& r = pair.turn;
  const Vec<F, 3>&t = pair.center, &h = pair.half_a, &k = pair.half_b;
  F overlap[6], place[6];
  const Rotation3<F> back = inverse(r);
  for (int i = 0; i < 3; ++i) {
    place[i] = t[i];
    place[3 + i] = pair.center_in_b[i];
    overlap[i] = (h[i] + reach_along(back.column[i], k)) - abs(place[i]);
    overlap[3 + i] = (k[i] + reach_along(r.column[i], h)) - abs(place[3 + i]);
  }
  BoxAxis3<F> best;
  best.overlap = overlap[0];
  best.number = zero;
  best.is_tie = one_where<F>(place[0] == zero);
  for (int i = 1; i < 6; ++i) {
    const auto is_better = overlap[i] < best.overlap;
    auto is_other = overlap[i] == best.overlap;
    if (i >= 3) {
      // A parallel axis of B is the same direction as A's best one: not a tie.
      const Vec<F, 3>& c = r.column[i - 3];
      const F along = at_index(c, best.number);
      const F across2 = dot(c, c) - along * along;
      is_other = is_other & ((best.number >= F(3)) | (across2 > roundings<F>(32)));
    }
    best.is_tie =
        select(is_better, one_where<F>(place[i] == zero), select(is_other, one, best.is_tie));
    best.overlap = select(is_better, overlap[i], best.overlap);
    best.number = select(is_better, F(i), best.number);
  }

  F best_length2 = one;
  F least = best.overlap * abs(best.overlap);  // squared, with the overlap's sign
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      // The axis e_i x column j is -b along i1 and a along i2.
      const F a = r.column[j][i1], b = r.column[j][i2];
      const F length2 = a * a + b * b;
      const F middle = abs(t[i2] * a - t[i1] * b);
      const auto reach_of = [&](int m) __attribute__((always_inline)) {
        return k[m] * abs(r.column[m][i2] * a - r.column[m][i1] * b);
      };
      const F reach = (h[i1] * abs(b) + h[i2] * abs(a)) + (reach_of(j1) + reach_of(j2));
      // An edge axis that beats a face by no more than rounding is nearly that face's normal. The
      // boxes need not meet at its edges, so keep the face.
      const F edge_overlap = (reach - middle) + roundings<F>(16) * (reach + middle);
      const F square = edge_overlap * abs(edge_overlap);
      const auto is_usable = length2 > parallel_sin2<F>();
      const auto is_better = is_usable & (square * best_length2 < least * length2);
      const auto is_equal = is_usable & (square * best_length2 == least * length2);
      best.is_tie =
          select(is_better, one_where<F>(middle == zero), select(is_equal, one, best.is_tie));
      best.overlap = select(is_better, reach - middle, best.overlap);
      least = select(is_better, square, least);
      best_length2 = select(is_better, length2, best_length2);
      best.number = select(is_better, F(6 + 3 * i + j), best.number);
    }
  }

  const auto is_a = best.number < F(3);
  const F axis_of_b = best.number - F(3);
  Vec<F, 3> direction = select(is_a, axis_at(best.number), column_at(r, axis_of_b));
  // If the centres are level along the axis, B leaves in its positive direction.
  F side = select(is_a, at_index(t, best.number), at_index(pair.center_in_b, axis_of_b));
  const auto is_edge = best.number >= F(6);
  if (any<F>(is_edge)) {
    const CrossedAxes<F> axes = crossed_axes(best.number);
    const Vec<F, 3> across = cross(axis_at(axes.of_a), column_at(r, axes.of_b));
    const F size = sqrt(select(is_edge, best_length2, one));
    direction = select(is_edge, across / size, direction);
    side = select(is_edge, dot(across, t), side);
    best.overlap = select(is_edge, divide(best.overlap, size), best.overlap);
  }
  best.normal = sign_of(side) * direction;
  return best;
}

/// The size that the rounding of coordinates scales with.
template <class F>
WIDEPHASE_INLINE F size_of(const BoxPair3<F>& pair) {
  const auto sum = [](const Vec<F, 3>& v) { return abs(v[0]) + abs(v[1]) + abs(v[2]); };
  return sum(pair.center) + (sum(pair.half_a) + sum(pair.half_b));
}

/// For overlapping boxes: replaces the axis by the normal of last step's face, if that face's
/// overlap is the least within the steadiness. Otherwise replaces an edge axis by the face of least
/// overlap, under the same condition. Returns where the axis was replaced.
template <class F>
__attribute__((noinline)) F take_steady_face(const BoxPair3<F>& pair, const WarmStartLanes<F>& warm,
                                             BoxAxis3<F>& axis) {
  const F last = last_faces(warm, 3);
  const Rotation3<F> back = inverse(pair.turn);
  const auto overlap_of = [&](int face) __attribute__((always_inline)) {
    const int k = face % 3;
    return face < 3
               ? (pair.half_a[k] + reach_along(back.column[k], pair.half_b)) - abs(pair.center[k])
               : (pair.half_b[k] + reach_along(pair.turn.column[k], pair.half_a)) -
                     abs(pair.center_in_b[k]);
  };
  F least = F(kLargest<RealOf<F>>), number = F(-1), of_last = least;
  for (int face = 0; face < 6; ++face) {
    const F overlap = overlap_of(face);
    const auto is_less = overlap < least;
    least = select(is_less, overlap, least);
    number = select(is_less, F(face), number);
    of_last = select(last == F(face), overlap, of_last);
  }
  const F most = axis.overlap + F(warm.steadiness);
  const auto is_last = of_last <= most;
  number = select(is_last, last, number);
  const F overlap = select(is_last, of_last, least);
  const auto is_kept = (number >= F(0)) & !(number == axis.number) & (axis.overlap >= F(0)) &
                       (overlap <= most) & (is_last | (axis.number >= F(6)));
  const auto is_a = number < F(3);
  const F along = select(is_a, number, number - F(3));
  const F place = at_index(select(is_a, pair.center, pair.center_in_b), along);
  const Vec<F, 3> direction = select(is_a, axis_at(along), column_at(pair.turn, along));
  axis.normal = select(is_kept, sign_of(place) * direction, axis.normal);
  axis.overlap = select(is_kept, overlap, axis.overlap);
  axis.is_tie = select(is_kept, F(0), axis.is_tie);
  axis.number = select(is_kept, number, axis.number);
  return one_where<F>(is_kept);
}

template <class F>
WIDEPHASE_INLINE BoxAxis3<F> select(const MaskOf<F>& mask, const BoxAxis3<F>& yes,
                                    const BoxAxis3<F>& no) {
  return {select(mask, yes.normal, no.normal), select(mask, yes.overlap, no.overlap),
          select(mask, yes.is_tie, no.is_tie), select(mask, yes.number, no.number)};
}

}  // namespace
}  // namespace widephase
