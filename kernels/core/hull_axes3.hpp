#pragma once

// Two hulls in space: the separating axes, by bounds. The least way out of overlapping hulls is
// across a face of either or across an edge of each.
//
// Faces. A face f of one hull overlaps the other by h(f) = d - min(n.w). For any point w of the
// other hull d - n.w is a lower bound of it, and so is d - n.c + r for a ball within it. So only
// the face of the least bound is asked, whose support vertex w then is a witness that raises the
// bounds of all other faces of its hull, until the least bound is no less than the best overlap:
// two or three faces of 28.
//
// Edges. Along a direction between the normals of an edge's two faces, their overlaps against any
// one point mix with weights whose sum is at least 1: where a witness's bounds of both are no less
// than the best, the edge need not be asked; nor where the ball's are, with the weights' sum
// between 1 and the face's share (soa/src/hull_library.cpp). What is left, a few of each hull,
// meets on the Gauss map or not; what does and has the least overlap is proven by support points.
//
// All pairs of a batch take each step together: what a step does to blocks of eight faces or
// vertices it does a hull at a time, with faces (vertices) in lanes; all else, the least and the
// greatest of those eights too, with pairs in lanes. So no step waits for a number of its own pair
// alone.
//
// Where the last step's axis is known it comes first. A face's overlap is asked in any case, so
// that the order alone changes. That of two edges is an upper bound of the least: faces of greater
// bounds need not be asked then, and the edges themselves are asked again at their turn.
//
// Sources: Gottschalk, Lin, Manocha 1996 (separating axes); Gregorius, GDC 2013 (the Gauss map).

#include "core/hull_edges3.hpp"

namespace widephase {
namespace {

/// The axes of the last step. Faces are the first ones to be asked. Edges say how much need be told
/// apart, and which pairs are apart already; answers the others'.
template <class F>
__attribute__((noinline)) void take_guesses(const WarmStarts<F>& warm, const FrameRows<F>& frames,
                                            HullSearch<F>& search, EdgePairs<F>& guessed) {
  using T = RealOf<F>;
  BoundedHulls<F>(&sides)[2] = search.side;
  Lanes<F> least[2], face[2], most(search.most);
  for (int s = 0; s < 2; ++s) {
    least[s] = Lanes<F>(sides[s].least);
    face[s] = Lanes<F>(sides[s].least_face);
  }
  EdgePairs<F> asked;
  unsigned live = mask_bits(load(search.axis.overlap.number) >= F(0));
  for (; live != 0; live &= live - 1) {
    const int i = __builtin_ctz(live);
    const AxisGuess guess = AxisGuess::of(warm.pair[i].axis);
    if (guess.form == AxisGuess::face && guess.index < sides[guess.side].hull[i].face_count) {
      least[guess.side].number[i] = -kInfinite<T>;
      face[guess.side].number[i] = static_cast<T>(guess.index);
    }
    if (guess.form == AxisGuess::edges && guess.index < sides[0].hull[i].edge_count &&
        guess.index_b < sides[1].hull[i].edge_count) {
      asked.add(sides, i, guess.index, guess.index_b);
    }
  }
  for (int s = 0; s < 2; ++s) {
    sides[s].least = load(least[s].number);
    sides[s].least_face = load(face[s].number);
  }
  if (asked.count == 0) return;
  const EdgeOverlaps<F> found = edge_overlaps(asked, frames, search, most);
  const Lanes<F> overlaps(found.overlap), roundings(edge_rounding(load(search.size.number)));
  const unsigned meets = mask_bits(found.meets);
  for (int n = 0; n < asked.count; ++n) {
    const int i = asked.pair[n];
    const T slack = 2 * roundings[i];
    if ((meets >> n & 1) == 0 || !(overlaps[n] + slack < most[i])) continue;
    if (overlaps[n] < -slack) {
      search.axis.overlap.number[i] = overlaps[n];
      search.axis.is_edge.number[i] = 1;
      search.axis.edge_a.number[i] = static_cast<T>(asked.edge[0][n]);
      search.axis.edge_b.number[i] = static_cast<T>(asked.edge[1][n]);
      continue;
    }
    most.number[i] = overlaps[n] + slack;
    guessed.add(sides, i, asked.edge[0][n], asked.edge[1][n]);
  }
  search.most = load(most.number);
}

/// The axes for the next step.
template <class F>
__attribute__((noinline)) void keep_axes(const HullAxes<F>& axis, unsigned asked,
                                         WarmStarts<F>& warm) {
  for (; asked != 0; asked &= asked - 1) {
    const int i = __builtin_ctz(asked);
    AxisGuess guess{};
    if (axis.is_edge[i] > 0) {
      guess = {AxisGuess::edges, 0, static_cast<int>(axis.edge_a[i]),
               static_cast<int>(axis.edge_b[i])};
    } else if (axis.side[i] < 2) {
      guess = {AxisGuess::face, static_cast<int>(axis.side[i]), static_cast<int>(axis.face[i]), 0};
    }
    warm.pair[i].axis = guess.word();
  }
}

/// Finds the axes of a search whose hulls and frames are set. An overlap below 0 says that the
/// hulls are apart, and need not be the least. Lanes that are not asked keep one of minus infinity.
template <class F>
__attribute__((noinline)) void find_hull_axes(HullSearch<F>& search, const MaskOf<F>& asked,
                                              WarmStarts<F>& warm) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  T* free = search.room;
  for (int s = 0; s < 2; ++s) {
    BoundedHulls<F>& side = search.side[s];
    for (int i = 0; i < kLanes; ++i) {
      const int size = 8 * side.hull[i].face_block_count();
      side.bounds[i] = free;
      side.by_witness[i] = free + size;
      free += (2 + kMostWitnesses) * size;
      side.witness_count[i] = 0;
    }
    bound_by_ball(search.side[1 - s], side);
  }
  HullAxes<F>& axis = search.axis;
  const F zero = F(0);
  // No contact where no face has an overlap that is a number.
  axis.overlap = Lanes<F>(select(asked, F(kInfinite<T>), F(-kInfinite<T>)));
  axis.side = Lanes<F>(F(2));
  for (Lanes<F>* lanes : {&axis.is_tie, &axis.is_edge, &axis.face, &axis.vertex, &axis.edge_a,
                          &axis.edge_b, &axis.normal[0], &axis.normal[1], &axis.normal[2]}) {
    *lanes = Lanes<F>(zero);
  }
  const FrameRows<F> frames(search.side[0]);
  EdgePairs<F> guessed;
  if (warm.is_given) take_guesses(warm, frames, search, guessed);
  auto live = load(axis.overlap.number) >= zero;
  while (any<F>(live)) {
    ask_faces(search, live);
    const F least = lesser(search.side[0].least, search.side[1].least);
    const F overlap = load(axis.overlap.number);
    live = live & (least <= lesser(overlap, search.most)) & (overlap >= zero) &
           (least < F(kLargest<T>));
  }
  ask_all_edges(search, frames, guessed, mask_bits(load(axis.overlap.number) >= zero));
  if (warm.is_given) keep_axes(axis, mask_bits(asked), warm);
}

}  // namespace
}  // namespace widephase
