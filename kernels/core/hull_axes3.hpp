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
// All pairs of a batch take each step together, in short loops over those that need it: what a step
// does to blocks of eight faces or vertices it does a hull at a time, with faces (vertices) in
// lanes, so that no step waits for a number of its own pair alone. Frames, first bounds and pairs
// of edges have pairs in lanes; a round of faces does not, since most ask a few pairs of a batch.
//
// Where only is asked whether hulls overlap, a witness or a ball's middle that is within the other
// hull by more than rounding ends the search: both hulls have it.
//
// Of a segment both ends say the overlaps of all faces of the other hull at once, and are all the
// witnesses that its edges need.
//
// The face of the last step's axis comes first, where it is known: before any bounds are made,
// which hulls that it parts need not have. Any face's overlap bounds the least from above, and
// equal ones go by their numbers, so that the answer does not depend on it. (Its edges too, for an
// upper bound: measured slower, since they must be asked again.) With steadiness it stays the way
// out of hulls that overlap, while its overlap is the least but for that. The last two witnesses of
// each hull are so again, in the pass that makes the bounds: then one pair in five asks another
// face.
//
// Sources: Gottschalk, Lin, Manocha 1996 (separating axes); Gregorius, GDC 2013 (the Gauss map).

#include "core/hull_edges3.hpp"
#include "core/warm_start.hpp"

namespace widephase {
namespace {

/// Asks the faces of the last step's axes.
template <class F>
__attribute__((noinline)) void ask_first_faces(const WarmStarts<F>& warm, HullSearch<F>& search,
                                               FirstFaces<F>& first) {
  using T = RealOf<F>;
  AskedFace<T> asked[LaneTraits<F>::count];
  unsigned live = mask_bits(load(search.axis.overlap.number) >= F(0));
  for (; live != 0; live &= live - 1) {
    const int i = __builtin_ctz(live);
    const FaceGuess guess = FaceGuess::of(warm.pair[i].axis);
    if (!guess.is_given || guess.face >= search.side[guess.side].hull[i].face_count) continue;
    first.of_side[guess.side] |= 1u << i;
    first.face.number[i] = static_cast<T>(guess.face);
    asked[i].side = guess.side;
    asked[i].face = guess.face;
  }
  const unsigned given = first.of_side[0] | first.of_side[1];
  if (given == 0) return;
  ask_face(search, given, asked);
  for (unsigned left = given; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    first.witness[i] = asked[i].at;
  }
  set_normals(search, given);
}

/// Of a test the live lanes in which the middle of the ball within one hull is within the other, by
/// bounds that say no more than the ball; how deep it is there is an overlap of all faces.
template <class F>
WIDEPHASE_INLINE unsigned take_common_centers(const FirstFaces<F>& first, unsigned live,
                                              HullSearch<F>& search) {
  if (first.has_vertices) return 0;
  unsigned common = 0;
  for (int s = 0; s < 2; ++s) {
    const F depth = load(search.side[s].least.number) - load(search.side[s].radius.number);
    const unsigned is_within = live & mask_bits(depth >= search.most);
    store_where(lanes_of<F>(is_within), search.axis.overlap.number, depth);
    common |= is_within;
  }
  return common;
}

/// Where the axes that the first faces gave stay, whatever came after: where their overlap is the
/// least but for the steadiness, of a vertex over the face.
template <class F>
__attribute__((noinline)) void keep_first_faces(const HullAxes<F>& first,
                                                const FirstFaces<F>& faces, const F& steadiness,
                                                HullSearch<F>& search) {
  using T = RealOf<F>;
  HullAxes<F>& axis = search.axis;
  const F least = load(axis.overlap.number), overlap = load(first.overlap.number);
  const auto is_same = (load(axis.is_edge.number) == F(0)) &
                       (load(axis.side.number) == load(first.side.number)) &
                       (load(axis.face.number) == load(first.face.number));
  const unsigned is_near =
      mask_bits((!is_same) & (least >= F(0)) & (overlap <= least + steadiness));
  unsigned kept = 0;
  for (int s = 0; s < 2; ++s) {
    for (unsigned left = faces.of_side[s] & is_near; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const T inside =
          inside_of_face(search.side[s].hull[i], static_cast<int>(faces.face[i]), faces.witness[i]);
      if (inside >= -32 * kRounding<T> * search.size[i]) kept |= 1u << i;
    }
  }
  if (kept == 0) return;
  const auto is_kept = lanes_of<F>(kept);
  const auto put = [&](Lanes<F>& to, const F& value) { store_where(is_kept, to.number, value); };
  put(axis.overlap, overlap);
  put(axis.is_tie, F(0));
  put(axis.is_edge, F(0));
  put(axis.side, load(first.side.number));
  put(axis.face, load(first.face.number));
  put(axis.vertex, load(first.vertex.number));
  for (int k = 0; k < 3; ++k) put(axis.normal[k], load(first.normal[k].number));
}

/// Reads the last step's witnesses; where there are none, these are the first vertices.
template <class F>
WIDEPHASE_INLINE void read_vertices(const WarmStarts<F>& warm, HullSearch<F>& search) {
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    const VertexGuess guess = VertexGuess::of(warm.pair[i].axis);
    for (int s = 0; s < 2; ++s) {
      for (int n = 0; n < 2; ++n) search.side[s].vertex[n][i] = guess.vertex[s][n];
    }
  }
}

/// For the next step: the faces of the least overlap, or that are known to part the hulls, and the
/// last witnesses.
template <class F>
__attribute__((noinline)) void keep_axes(const HullSearch<F>& search, unsigned asked,
                                         WarmStarts<F>& warm) {
  const HullAxes<F>& axis = search.axis;
  for (; asked != 0; asked &= asked - 1) {
    const int i = __builtin_ctz(asked);
    const bool is_given = axis.side[i] < 2;
    const FaceGuess face{is_given, is_given ? static_cast<int>(axis.side[i]) : 0,
                         static_cast<int>(axis.face[i])};
    VertexGuess vertices;
    for (int s = 0; s < 2; ++s) {
      for (int n = 0; n < 2; ++n) vertices.vertex[s][n] = search.side[s].vertex[n][i];
    }
    warm.pair[i].axis = face.word() | vertices.word();
  }
}

/// The rounds of faces of a test: only until a common point is known. Answers the lanes where one
/// is.
template <class F>
__attribute__((noinline)) unsigned test_faces(HullSearch<F>& search, const FirstFaces<F>& first,
                                              const Lanes<F>& most, unsigned live) {
  unsigned common = take_common_centers(first, live, search);
  live &= ~common;
  while (live != 0) live = ask_faces<F, true>(search, most, live, common);
  return common;
}

/// Finds the axes of a search whose hulls and frames are set. An overlap below 0 says that the
/// hulls are apart, and need not be the least. Lanes that are not asked keep one of minus infinity.
template <class F>
__attribute__((noinline)) void find_hull_axes(HullSearch<F>& search, const MaskOf<F>& asked,
                                              bool is_test, BoundsRoom<F>& room,
                                              WarmStarts<F>& warm, LaneCounter<F>& counter) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  T* free = room.numbers;
  for (int s = 0; s < 2; ++s) {
    BoundedHulls<F>& side = search.side[s];
    for (int i = 0; i < kLanes; ++i) {
      // A segment has no faces: a block of room is its own all the same.
      const int blocks = side.hull[i].face_block_count();
      const int size = 8 * (blocks > 0 ? blocks : 1);
      side.bounds[i] = free;
      side.by_witness[i] = free + size;
      free += (2 + kMostWitnesses) * size;
      side.witness_count[i] = 0;
    }
  }
  HullAxes<F>& axis = search.axis;
  const F zero = F(0);
  // No contact where no face has an overlap that is a number.
  axis.overlap = Lanes<F>(select(asked, F(kInfinite<T>), F(-kInfinite<T>)));
  axis.side = Lanes<F>(F(2));
  for (Lanes<F>* lanes :
       {&axis.is_tie, &axis.is_edge, &axis.is_alone, &axis.face, &axis.vertex, &axis.edge_a,
        &axis.edge_b, &axis.normal[0], &axis.normal[1], &axis.normal[2]}) {
    *lanes = Lanes<F>(zero);
  }
  FirstFaces<F> first;
  if (warm.is_given) {
    ask_first_faces(warm, search, first);
    read_vertices(warm, search);
    if (search.side[0].hull[0].face_count > 0) first.set_vertices(search);
  }
  const bool is_steady = warm.steadiness > 0 && (first.of_side[0] | first.of_side[1]) != 0;
  HullAxes<F> by_first;
  if (is_steady) by_first = axis;
  const auto overlaps = load(axis.overlap.number) >= zero;
  unsigned common = 0;
  if (search.side[0].hull[0].face_count == 0) {
    ask_faces_of_segments(search, overlaps);
  } else {
    unsigned live = mask_bits(overlaps);
    for (int s = 0; s < 2; ++s) bound_faces(search, s, live, first);
    const Lanes<F> most(search.most);
    for (unsigned left = live; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      // One at least, whose overlap is known.
      const bool is_live = axis.overlap[i] > kLargest<T> || needs_more(search, most, i);
      live &= ~(static_cast<unsigned>(!is_live) << i);
    }
    if (is_test) {
      common = test_faces(search, first, most, live);
    } else {
      while (live != 0) live = ask_faces<F, false>(search, most, live, common);
    }
    set_normals(search, mask_bits(asked));
  }
  ask_all_edges(search, mask_bits(load(axis.overlap.number) >= zero) & ~common, counter);
  if (is_steady) {
    keep_first_faces(by_first, first, F(warm.steadiness), search);
  }
  if (warm.is_given) keep_axes(search, mask_bits(asked), warm);
}

}  // namespace
}  // namespace widephase
