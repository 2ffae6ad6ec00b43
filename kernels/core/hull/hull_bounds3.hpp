#pragma once

// Lower bounds of the overlaps of the faces of two hulls, before any is evaluated
// (core/hull/hull_axes3.hpp): by a ball within the other hull, and by three of its vertices. These
// are the last step's witnesses, or those that the hull's table of directions has for the way to
// this hull.

#include "kernels/core/hull/hull_faces3.hpp"

namespace widephase {
namespace {

/// What a search knows before it has bounds: a face that it has evaluated, with its witness in the
/// frame of the face's hull, and vertices of the other hull.
template <class F>
struct FirstFaces {
  static constexpr int most = HullLayout::cell_vertices;
  unsigned of_side[2];  ///< the lanes in which it is a face of A, of B
  unsigned has_words;   ///< the lanes with witnesses of the last step
  Lanes<F> face;
  Vec<RealOf<F>, 3> witness[LaneTraits<F>::count];

  WIDEPHASE_INLINE void clear() { of_side[0] = of_side[1] = has_words = 0; }
};

/// The cell of a hull's table of directions that a direction is in. A direction that is not a
/// number has a cell, too.
template <class F>
WIDEPHASE_INLINE F cells_of(const Vec<F, 3>& direction) {
  const F zero = F(0), one = F(1);
  const F x = abs(direction[0]), y = abs(direction[1]), z = abs(direction[2]);
  const auto is_y = (y > x) & (y >= z), is_z = (z > x) & (z > y);
  const auto turned = [&](int k) {
    return select(is_z, direction[(k + 2) % 3],
                  select(is_y, direction[(k + 1) % 3], direction[k % 3]));
  };
  const F major = turned(0), size = abs(major);
  // Four cells of equal width from one edge of the cube's face to the other.
  const auto place = [&](const F& along) {
    const F twice = along + along;
    return (select(twice > negate(size), one, zero) + select(along > zero, one, zero)) +
           select(twice > size, one, zero);
  };
  const F face = select(is_z, F(4), select(is_y, F(2), zero)) + select(major > zero, one, zero);
  constexpr int kSide = HullLayout::cells_a_side;
  return (face * F(kSide) + place(turned(1))) * F(kSide) + place(turned(2));
}

/// For each of the hulls, places the ball within the other hull, and finds the cell of the other
/// hull's table for the way to this hull.
template <class F>
WIDEPHASE_INLINE void set_balls(HullSearch<F>& search) {
  constexpr int kLanes = LaneTraits<F>::count;
  Vec<F, 3> inner[2], center[2];
  for (int s = 0; s < 2; ++s) {
    const BoundedHulls<F>& others = search.side[1 - s];
    BoundedHulls<F>& side = search.side[s];
    std::int32_t quad[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      quad[i] = static_cast<std::int32_t>((others.hull[i].numbers - others.base) / 4);
    }
    F numbers[4];
    load_quads<1, 1>(others.base + HullLayout::inner, quad, numbers);
    inner[1 - s] = {{numbers[0], numbers[1], numbers[2]}};
    center[s] = side.other.origins() + rotate(side.other.turns(), inner[1 - s]);
    for (int k = 0; k < 3; ++k) side.center[k] = Lanes<F>(center[s][k]);
    side.radius = Lanes<F>(numbers[3]);
  }
  for (int s = 0; s < 2; ++s) {
    search.side[s].cell = Lanes<F>(cells_of(center[1 - s] - inner[1 - s]));
  }
}

/// Places the vertices that bound the faces of one of the hulls in the live lanes. A number that
/// its hull does not have becomes the first vertex.
template <class F>
WIDEPHASE_INLINE void set_first_vertices(HullSearch<F>& search, int which, unsigned live,
                                         const FirstFaces<F>& first) {
  using T = RealOf<F>;
  constexpr int kMost = FirstFaces<F>::most;
  BoundedHulls<F>& side = search.side[which];
  const BoundedHulls<F>& others = search.side[1 - which];
  for (unsigned left = live; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const HullView<T>& hull = others.hull[i];
    const std::uint8_t* const of_cell = hull.vertices_of_cell(static_cast<int>(side.cell[i]));
    const bool has_words = (first.has_words >> i & 1) != 0;
    for (int n = 0; n < kMost; ++n) {
      int number = of_cell[n];
      if (n < 2) {
        const int last = side.vertex[n][i];
        number = has_words ? (last < hull.vertex_count ? last : 0) : number;
        side.vertex[n][i] = number;
      }
      const Vec<T, 3> own = hull.vertex(number);
      for (int k = 0; k < 3; ++k) side.witness[n][k].number[i] = own[k];
    }
  }
  const Vec<F, 3> origins = side.other.origins();
  const Rotation3<F> turns = side.other.turns();
  for (int n = 0; n < kMost; ++n) {
    const Vec<F, 3> there = origins + rotate(turns, load_vec(side.witness[n]));
    for (int k = 0; k < 3; ++k) side.witness[n][k] = Lanes<F>(there[k]);
  }
}

/// `first`, then the numbers after it.
template <int N, class T>
WIDEPHASE_INLINE Row<T, N> numbers_from(T first) {
  const Eight<T> low = count_up<T>() + eight_of(first);
  if constexpr (N == 16) {
    return join(low, low + eight_of(T(8)));
  } else {
    return low;
  }
}

/// Bounds the faces of one of the hulls in the live lanes: by the ball in the other hull and by
/// some vertices, or by the ball alone. A face that was evaluated before needs no bound.
template <bool HasVertices, bool HasFaces, class F>
WIDEPHASE_INLINE void bound_faces(HullSearch<F>& search, int which, unsigned live,
                                  const FirstFaces<F>& first) {
  using T = RealOf<F>;
  constexpr int kMost = HasVertices ? FirstFaces<F>::most : 0;
  BoundedHulls<F>& side = search.side[which];
  Candidates<F, false> candidates;
  for (; live != 0; live &= live - 1) {
    const int i = __builtin_ctz(live);
    const T* const blocks = side.hull[i].face_blocks();
    const int block_count = side.hull[i].face_block_count();
    const T radius = side.radius[i];
    const Vec<T, 3> middle = vec_of(side.center, i);
    const bool has_face = HasFaces && (first.of_side[which] >> i & 1) != 0;
    if constexpr (HasFaces) {
      for (int k = 0; has_face && k < 3; ++k) {
        side.witness[kMost - 1][k].number[i] = first.witness[i][k];
      }
    }
    Vec<T, 3> vertex[kMost + 1];
    for (int n = 0; n < kMost; ++n) vertex[n] = vec_of(side.witness[n], i);
    const T asked = has_face ? first.face[i] : T(-1);
    side.witness_count[i] = kMost;
    T* const bounds = side.bounds[i];
    LeastOfSixteens<T> least;
    for_each_faces(block_count, [&]<int N>(int b) {
      const FaceRow<T, N> faces(blocks + b * HullLayout::face_block);
      Row<T, N> bound = faces.heights(middle) + row_of<N>(radius);
      for (int n = 0; n < kMost; ++n) {
        bound = greater(bound, faces.heights(vertex[n]));
      }
      if constexpr (HasFaces) {
        const Row<T, N> beside = numbers_from<N>(static_cast<T>(8 * b) - asked);
        bound = select_greater(row_of<N>(T(0.25)), beside * beside, row_of<N>(kLargest<T>), bound);
      }
      store(bounds + 8 * b, bound);
      least.add(bound);
    });
    least.of_eights().put(i, candidates);
  }
  const Greatest<F> best = greatest_of(candidates);
  side.least = Lanes<F>(negate(best.value));
  side.least_face = Lanes<F>(best.number);
}

}  // namespace
}  // namespace widephase
