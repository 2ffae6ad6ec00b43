#pragma once

// Two hulls in space: the separating axes, by bounds. The minimum translation of overlapping hulls
// is across a face of either hull or across an edge of each.
//
// Faces. A face f of one hull overlaps the other hull by h(f) = d - min(n.w). For any point w of
// the other hull, d - n.w is a lower bound of h(f), and so is d - n.c + r for a ball within it. The
// first such points are three vertices from a table that each hull has for the directions to
// another hull (core/hull/hull_bounds3.hpp). Then only the face with the smallest bound is
// evaluated. Its support vertex w is another witness that raises the bounds of all other faces of
// its hull. This ends when the smallest bound is no less than the best overlap: after one or two
// faces of 28.
//
// Edges. Along a direction between the normals of an edge's two faces, the two faces' overlaps
// against any one point mix with weights whose sum is at least 1. So an edge is ruled out if a
// witness's bounds of both faces are no less than the best overlap. It is also ruled out if the
// ball's bounds are, with the weights' sum between 1 and the face's share
// (geometry/hull_library.cpp). The edges that are left, a few per hull, meet on the Gauss map or do
// not. If a pair meets and has the least overlap, the gaps behind their faces prove that they are
// outermost, or, near rounding, support points.
//
// All pairs of a batch take each step together, in short loops over those that need it. Work on
// blocks of eight faces or vertices is done one hull at a time, with faces (vertices) in lanes, so
// that no step waits only for a number of its own pair. Frames, the least bounds and pairs of edges
// have pairs in lanes. A round of faces waits for the one before, and most rounds evaluate only a
// few pairs of a batch. So several batches take their rounds in turn, and the pairs of edges of all
// batches form one list.
//
// Small hulls (8 vertices, or a box and a hull of 16) have all of their faces evaluated at every
// vertex of the other hull (core/hull/hull_heights3.hpp). This takes a few hundred operations
// without a branch, and leaves all vertices as witnesses for the edges.
//
// If the question is only whether hulls overlap, the search ends when a witness or a ball's middle
// is within the other hull by more than rounding: both hulls contain it.
//
// For a segment, its two ends give the overlaps of all faces of the other hull at once. They are
// all the witnesses that its edges need.
//
// If the face of the last step's axis is known, it is evaluated first, before any bounds are made:
// hulls that it separates do not need them. Any face's overlap is an upper bound of the least, and
// equal overlaps are ordered by their numbers, so the answer does not depend on it. (Trying last
// step's edges as well, for an upper bound, was measured slower, since they must be evaluated
// again.) With steadiness this face stays the exit of overlapping hulls while its overlap is within
// the steadiness of the least. In the same way, any face comes before edges of it. The last two
// witnesses of each hull take the place of the table's, in the pass that makes the bounds. After
// that, only one pair in five evaluates another face.
//
// Sources: Gottschalk, Lin, Manocha 1996 (separating axes); Gregorius, GDC 2013 (the Gauss map).

#include "kernels/core/basis/warm_start.hpp"
#include "kernels/core/hull/hull_bounds3.hpp"
#include "kernels/core/hull/hull_heights3.hpp"

namespace widephase {
namespace {

/// Memory for finding axes, too large for a stack.
template <class F>
struct AxesRoom {
  BoundsRoom<F> bounds;
  FirstFaces<F> first[kMostSearches];
  HullAxes<F> by_first[kMostSearches], by_face[kMostSearches];
  SearchedPairs<F> overlapping;
  EdgesRoom<F> edges;
};

/// Evaluates the faces of the last step's axes.
template <class F>
__attribute__((noinline)) void ask_first_faces(const WarmStartLanes<F>& warm, HullSearch<F>& search,
                                               FirstFaces<F>& first) {
  using T = RealOf<F>;
  AskedFaces<F> asked;
  asked.face = Lanes<F>(F(0));
  unsigned live = mask_bits(load(search.axis.overlap.number) >= F(0));
  for (; live != 0; live &= live - 1) {
    const int i = __builtin_ctz(live);
    const FaceGuess guess = FaceGuess::of(warm.pair[i].axis);
    if (!guess.is_given || guess.face >= search.side[guess.side].hull[i].face_count) continue;
    first.of_side[guess.side] |= 1u << i;
    asked.face.number[i] = static_cast<T>(guess.face);
  }
  const unsigned given = first.of_side[0] | first.of_side[1];
  if (given == 0) return;
  asked.of_b = first.of_side[1];
  ask_face(search, given, asked);
  // Pairs that have all faces evaluated at all vertices decide by those numbers what is level with
  // touching.
  const unsigned decided_later =
      search.side[0].hull[0].face_count > 0 ? search.small : LaneTraits<F>::all;
  const F overlap = load(search.axis.overlap.number);
  const unsigned is_level = given & decided_later & mask_bits(overlap < F(0)) &
                            mask_bits(overlap >= negate(height_rounding(search)));
  store_where(lanes_of<F>(is_level), search.axis.overlap.number, F(kInfinite<T>));
  first.face = asked.face;
  for (int i = 0; i < LaneTraits<F>::count; ++i) first.witness[i] = vec_of(asked.at, i);
  // Otherwise the normals follow when all faces are evaluated.
  const bool has_faces = search.side[0].hull[0].face_count > 0;
  if (warm.steadiness > 0 || !has_faces) set_normals(search, given);
}

/// For a yes/no test: finds the live lanes in which the middle of the ball within one hull is
/// inside the other hull. Reads bounds made by the ball alone. The middle's depth there is a lower
/// bound of all faces' overlaps.
template <class F>
WIDEPHASE_INLINE unsigned take_common_centers(unsigned live, HullSearch<F>& search) {
  unsigned common = 0;
  for (int s = 0; s < 2; ++s) {
    const F depth = load(search.side[s].least.number) - load(search.side[s].radius.number);
    const unsigned is_within = live & mask_bits(depth >= load(search.most.number));
    store_where(lanes_of<F>(is_within), search.axis.overlap.number, depth);
    common |= is_within;
  }
  return common;
}

/// Keeps the faces of other axes as the exit, whatever came after. Such a face must overlap by no
/// more than the least overlap plus the steadiness, and the deepest point must lie over it. That is
/// so if its witness lies over it, or if the axis has an edge of that face. `asked` are the lanes
/// of each side's faces.
template <class F>
__attribute__((noinline)) void keep_faces(const HullAxes<F>& faces, const unsigned (&asked)[2],
                                          const F& steadiness, HullSearch<F>& search) {
  using T = RealOf<F>;
  HullAxes<F>& axis = search.axis;
  const F least = load(axis.overlap.number), overlap = load(faces.overlap.number);
  const auto is_same = (load(axis.is_edge.number) == F(0)) &
                       (load(axis.side.number) == load(faces.side.number)) &
                       (load(axis.face.number) == load(faces.face.number));
  const unsigned is_near =
      mask_bits((!is_same) & (least >= F(0)) & (overlap <= least + steadiness));
  unsigned kept = 0;
  for (int s = 0; s < 2; ++s) {
    for (unsigned left = asked[s] & is_near; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const BoundedHulls<F>& side = search.side[s];
      const HullView<T>&hull = side.hull[i], &other = search.side[1 - s].hull[i];
      const int face = static_cast<int>(faces.face[i]);
      if (face >= hull.face_count) continue;
      const int edge = static_cast<int>(s == 0 ? axis.edge_a[i] : axis.edge_b[i]);
      const std::int16_t* const of_edge = hull.edge_faces() + 2 * edge;
      const bool is_by_edge = axis.is_edge[i] > 0 && (of_edge[0] == face || of_edge[1] == face);
      const Vec<T, 3> witness =
          side.other.origin_of(i) +
          rotate(side.other.turn_of(i), other.vertex(static_cast<int>(faces.vertex[i])));
      if (is_by_edge ||
          inside_of_face(hull, face, witness) >= -32 * kRounding<T> * search.size[i]) {
        kept |= 1u << i;
      }
    }
  }
  if (kept == 0) return;
  const auto is_kept = lanes_of<F>(kept);
  const auto put = [&](Lanes<F>& to, const F& value) { store_where(is_kept, to.number, value); };
  put(axis.overlap, overlap);
  put(axis.is_tie, F(0));
  put(axis.is_edge, F(0));
  put(axis.side, load(faces.side.number));
  put(axis.face, load(faces.face.number));
  put(axis.vertex, load(faces.vertex.number));
  for (int k = 0; k < 3; ++k) put(axis.normal[k], load(faces.normal[k].number));
}

/// Reads the last step's witnesses.
template <class F>
WIDEPHASE_INLINE void read_vertices(const WarmStartLanes<F>& warm, HullSearch<F>& search,
                                    FirstFaces<F>& first) {
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    const std::uint64_t word = warm.pair[i].axis;
    first.has_words |= (FaceGuess::of(word).is_given ? 1u : 0u) << i;
    const VertexGuess guess = VertexGuess::of(word);
    for (int s = 0; s < 2; ++s) {
      for (int n = 0; n < 2; ++n) search.side[s].vertex[n][i] = guess.vertex[s][n];
    }
  }
}

/// Keeps for the next step the faces with the least overlap, or those known to separate the hulls,
/// and the last witnesses.
template <class F>
__attribute__((noinline)) void keep_axes(const HullSearch<F>& search, unsigned asked,
                                         WarmStartLanes<F>& warm) {
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

/// The rounds of faces. In a test they end for a pair when a common point is known.
template <class F, bool IsTest>
__attribute__((noinline)) void ask_open_faces(HullSearch<F>* searches, int count) {
  unsigned open;
  do {
    open = 0;
    for (int n = 0; n < count; ++n) {
      if (searches[n].open == 0) continue;
      ask_faces<F, IsTest>(searches[n]);
      open |= searches[n].open;
    }
  } while (open != 0);
}

/// Makes the bounds of the faces of a search, and finds which of its pairs are open.
template <class F>
WIDEPHASE_INLINE void begin_faces(bool is_test, bool is_warm, HullSearch<F>& search,
                                  FirstFaces<F>& first) {
  const F overlap = load(search.axis.overlap.number);
  const unsigned live = mask_bits(overlap >= F(0));
  const unsigned bounded = is_test ? live : live & ~search.small;
  set_balls(search);
  search.open = search.common = 0;
  if (bounded != 0) {
    const bool by_ball_alone = is_test && !is_warm;
    for (int s = 0; s < 2; ++s) {
      if (by_ball_alone) {
        bound_faces<false, false>(search, s, bounded, first);
        continue;
      }
      set_first_vertices(search, s, bounded, first);
      if (is_warm) {
        bound_faces<true, true>(search, s, bounded, first);
      } else {
        bound_faces<true, false>(search, s, bounded, first);
      }
    }
    if (by_ball_alone) search.common = take_common_centers(bounded, search);
    // At least one face whose overlap is known.
    search.open = bounded & ~(search.small | search.common) &
                  mask_bits((overlap > F(kLargest<RealOf<F>>)) | needs_more(search));
  }
  ask_small_hulls(search, live & search.small & ~search.common, is_test);
}

/// Gives the hulls of searches room for their bounds and answers for how many searches. The first
/// one always has enough room. Others get it while everything in use stays in the near caches.
template <class F>
WIDEPHASE_INLINE int set_rooms(HullSearch<F>* searches, int count, BoundsRoom<F>& room) {
  using T = RealOf<F>;
  constexpr std::size_t kNearBytes = std::size_t{1} << 17;
  constexpr std::size_t kBytes = sizeof room.numbers;
  constexpr int kNear = static_cast<int>((kBytes < kNearBytes ? kBytes : kNearBytes) / sizeof(T));
  int used = 0;
  for (int n = 0; n < count; ++n) {
    HullSearch<F>& search = searches[n];
    search.small = small_hulls(search);
    const bool is_segment = search.side[0].hull[0].face_count == 0;
    for (int s = 0; s < 2; ++s) {
      BoundedHulls<F>& side = search.side[s];
      for (int i = 0; i < LaneTraits<F>::count; ++i) {
        const bool is_small = (search.small >> i & 1) != 0;
        // A segment has no faces, but it gets one block of room all the same.
        const int blocks = side.hull[i].face_block_count();
        const int size = 8 * (blocks > 0 ? blocks : 1);
        const int rows = is_small ? search.side[1 - s].hull[i].vertex_count : is_segment ? 2 : 0;
        const int all = ((1 + rows) * size + 15) & ~15;
        if (n > 0 && used + all > kNear) return n;
        side.bounds[i] = room.numbers + used;
        side.by_witness[i] = rows > 0 ? side.bounds[i] + size : nullptr;
        side.witness_count[i] = 0;
        used += all;
      }
    }
  }
  return count;
}

/// Finds the axes of searches whose hulls and frames are set, as many as there is room for, and
/// answers how many. An overlap below 0 means that the hulls are apart; it need not be the least.
/// Lanes that are not asked for keep minus infinity.
template <class F>
__attribute__((noinline)) int find_some_axes(HullSearch<F>* searches, int given, bool is_test,
                                             AxesRoom<F>& room, WarmStartLanes<F>* warm,
                                             LaneCounter<F>& counter) {
  using T = RealOf<F>;
  const int count = set_rooms(searches, given, room.bounds);
  const F zero = F(0);
  for (int n = 0; n < count; ++n) {
    HullAxes<F>& axis = searches[n].axis;
    // No contact if no face has an overlap that is a number.
    axis.overlap =
        Lanes<F>(select(lanes_of<F>(searches[n].live), F(kInfinite<T>), F(-kInfinite<T>)));
    axis.side = Lanes<F>(F(2));
    for (Lanes<F>* lanes :
         {&axis.is_tie, &axis.is_edge, &axis.is_alone, &axis.face, &axis.vertex, &axis.edge_a,
          &axis.edge_b, &axis.normal[0], &axis.normal[1], &axis.normal[2]}) {
      *lanes = Lanes<F>(zero);
    }
  }
  const bool has_faces = searches[0].side[0].hull[0].face_count > 0;
  FirstFaces<F>* const first = room.first;
  for (int n = 0; n < count; ++n) first[n].clear();
  const bool is_warm = warm[0].is_given;
  for (int n = 0; is_warm && n < count; ++n) {
    ask_first_faces(warm[n], searches[n], first[n]);
    read_vertices(warm[n], searches[n], first[n]);
  }
  const bool is_steady = warm[0].steadiness > 0;
  HullAxes<F>* const by_first = room.by_first;
  for (int n = 0; is_steady && n < count; ++n) by_first[n] = searches[n].axis;
  if (has_faces) {
    for (int n = 0; n < count; ++n) begin_faces(is_test, is_warm, searches[n], first[n]);
    if (is_test) {
      ask_open_faces<F, true>(searches, count);
    } else {
      ask_open_faces<F, false>(searches, count);
    }
    for (int n = 0; n < count; ++n) set_normals(searches[n], searches[n].live);
  } else {
    for (int n = 0; n < count; ++n) {
      ask_faces_of_segments(searches[n], load(searches[n].axis.overlap.number) >= zero);
    }
  }
  HullAxes<F>* const by_face = room.by_face;
  for (int n = 0; is_steady && n < count; ++n) by_face[n] = searches[n].axis;
  SearchedPairs<F>& pairs = room.overlapping;
  pairs.count = 0;
  for (int n = 0; n < count; ++n) {
    const unsigned overlapping = mask_bits(load(searches[n].axis.overlap.number) >= zero);
    pairs.add(searches[n], overlapping & ~searches[n].common);
  }
  ask_all_edges(pairs, room.edges, counter);
  for (int n = 0; n < count; ++n) {
    if (is_steady) {
      // Last step's face before others, then any face before edges.
      keep_faces(by_first[n], first[n].of_side, F(warm[n].steadiness), searches[n]);
      const HullSearch<F>& search = searches[n];
      const unsigned edges = search.live & mask_bits(load(search.axis.is_edge.number) > F(0));
      const unsigned of_b = mask_bits(load(by_face[n].side.number) == F(1));
      const unsigned of_a = mask_bits(load(by_face[n].side.number) == F(0));
      keep_faces(by_face[n], {edges & of_a, edges & of_b}, F(warm[n].steadiness), searches[n]);
    }
    if (warm[n].is_given) keep_axes(searches[n], searches[n].live, warm[n]);
  }
  return count;
}

/// Finds the axes of all searches.
template <class F>
WIDEPHASE_INLINE void find_hull_axes(HullSearch<F>* searches, int count, bool is_test,
                                     AxesRoom<F>& room, WarmStartLanes<F>* warm,
                                     LaneCounter<F>& counter) {
  for (int done = 0; done < count;) {
    done += find_some_axes(searches + done, count - done, is_test, room, warm + done, counter);
  }
}

}  // namespace
}  // namespace widephase
