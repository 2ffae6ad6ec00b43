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
// meets on the Gauss map or not.
//
// All pairs of a batch take each step together: what a step does to blocks of eight faces or
// vertices it does a hull at a time, with faces (vertices) in lanes; all else, the least and the
// greatest of those eights too, with pairs in lanes. So no step waits for a number of its own pair
// alone.
// Where the last step's axis is known it comes first. A face's overlap is asked in any case, so
// that the order alone changes. That of two edges is an upper bound of the least: faces of greater
// bounds need not be asked then, and the edges themselves are asked again at their turn. Sources:
// Gottschalk, Lin, Manocha 1996 (separating axes); Gregorius, GDC 2013 (the Gauss map).

#include "core/convex_shape.hpp"
#include "core/gjk3.hpp"
#include "lanes/codes.hpp"

namespace widephase {
namespace {

/// Points of the other hull that are kept as witnesses for edges.
inline constexpr int kMostWitnesses = 3;
inline constexpr int kMostFaceBlocks = 64;
inline constexpr int kMostEdges = 768;

/// One of the two hulls of each pair of a batch: its faces and what bounds their overlaps.
template <class F>
struct BoundedHulls {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  HullView<T> hull[lanes];
  const T* base;         ///< records of edges are counted from here
  Rotation3<F> other;    ///< the other hull's axes in this frame
  Vec<F, 3> origin;      ///< of the other's frame, in this one
  Vec<F, 3> center;      ///< of a ball within the other hull, in this frame
  F radius;              ///< of that ball
  T* bounds[lanes];      ///< of the overlap of each face, from below
  T* by_witness[lanes];  ///< rows of what each witness says of each face
  int witness_count[lanes];
  F least;  ///< of the bounds
  F least_face;
};

/// The axis of the least overlap of each pair.
template <class F>
struct HullAxes {
  Lanes<F> overlap;
  Lanes<F> is_tie;
  Lanes<F> is_edge;
  Lanes<F> side;  ///< 0 for a face of A, 1 for one of B
  Lanes<F> face;
  Lanes<F> vertex;  ///< of the other hull, where the face is deepest
  Lanes<F> edge_a, edge_b;
  Lanes<F> normal[3];  ///< from A to B in A's frame
  Lanes<F> point[3];   ///< of edges, where A's is nearest to B's, in A's frame
};

/// A batch of pairs on its way through the steps. Its hulls and frames are set by the caller.
template <class F>
struct HullSearch {
  using T = RealOf<F>;
  BoundedHulls<F> side[2];
  HullAxes<F> axis;
  Lanes<F> size;  ///< coordinates round by shares of it
  F most;         ///< overlaps beyond it need not be told apart
  /// Bounds of one hull after the other.
  T room[LaneTraits<F>::count * 2 * (2 + kMostWitnesses) * 8 * kMostFaceBlocks];
};

template <class T>
WIDEPHASE_INLINE Eight<T> face_heights(const T* block, const Vec<T, 3>& point) {
  const Eight<T> x = eight_of(point[0]), y = eight_of(point[1]), z = eight_of(point[2]);
  return load_eight(block + HullLayout::offset) -
         ((load_eight(block) * x + load_eight(block + 8) * y) + load_eight(block + 16) * z);
}

/// The least of a row of eights, the first of equals: `Candidates` of the greatest, negated.
template <class T>
struct LeastOf {
  Eight<T> value = eight_of(kInfinite<T>);
  Eight<T> number = count_up<T>();

  WIDEPHASE_INLINE void add(const Eight<T>& values, int block) {
    number =
        select_greater(value, values, count_up<T>() + eight_of(static_cast<T>(8 * block)), number);
    value = lesser(value, values);
  }
  WIDEPHASE_INLINE void read(T& least, int& at) const {
    least = reduce_eight(value, [](T a, T b) { return lesser_of(a, b); });
    at = lowest_number(number, bits_at_least(eight_of(least), value));
  }
  template <class F>
  WIDEPHASE_INLINE void put(int lane, Candidates<F, false>& candidates) const {
    candidates.set(lane, eight_of(T(0)) - value, number, number);
  }
};

/// Bounds by the ball in the other hulls.
template <class F>
WIDEPHASE_INLINE void bound_by_ball(const BoundedHulls<F>& others, BoundedHulls<F>& side) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  T inner[4][kLanes];
  for (int i = 0; i < kLanes; ++i) {
    for (int k = 0; k < 4; ++k) inner[k][i] = others.hull[i].numbers[HullLayout::inner + k];
  }
  side.center =
      side.origin + rotate(side.other, Vec<F, 3>{{load(inner[0]), load(inner[1]), load(inner[2])}});
  side.radius = load(inner[3]);
  const Lanes<F> x(side.center[0]), y(side.center[1]), z(side.center[2]);
  Candidates<F, false> candidates(true);
  for (int i = 0; i < kLanes; ++i) {
    const T* const blocks = side.hull[i].face_blocks();
    const Eight<T> radius = eight_of(inner[3][i]);
    LeastOf<T> least;
    for (int b = 0; b < side.hull[i].face_block_count(); ++b) {
      const Eight<T> height =
          face_heights(blocks + b * HullLayout::face_block, {{x[i], y[i], z[i]}});
      const Eight<T> bound = height + radius;
      store(side.bounds[i] + 8 * b, bound);
      least.add(bound, b);
    }
    least.put(i, candidates);
  }
  const Greatest<F> best = greatest_of(candidates);
  side.least = negate(best.value);
  side.least_face = best.number;
}

/// Of each live pair asks the face of the least bound: its overlap, and its witness for the others.
template <class F>
WIDEPHASE_INLINE void ask_faces(HullSearch<F>& search, const MaskOf<F>& live) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  BoundedHulls<F>* const sides = search.side;
  const auto is_b = sides[1].least < sides[0].least;
  const unsigned bits_b = mask_bits(is_b), live_bits = mask_bits(live);
  const Rotation3<F> turn = select(is_b, sides[1].other, sides[0].other);
  const F face = select(is_b, sides[1].least_face, sides[0].least_face);
  const Lanes<F> faces(face);
  T plane[4][kLanes];
  HullVertices<F> vertices;
  for (int i = 0; i < kLanes; ++i) {
    const int which = static_cast<int>(bits_b >> i & 1);
    const int at = static_cast<int>(faces[i]);
    const T* const column = sides[which].hull[i].face_blocks() + HullLayout::face_place(at);
    // Now, long before the row is read as a whole.
    sides[which].bounds[i][at] = kLargest<T>;
    for (int k = 0; k < 4; ++k) plane[k][i] = column[8 * k];
    vertices.set(i, sides[1 - which].hull[i]);
  }
  const Vec<F, 3> normal{{load(plane[0]), load(plane[1]), load(plane[2])}};
  const Vec<F, 3> inwards = -rotate_back(turn, normal);  // in the other's frame
  const SupportPoint3<F> vertex = farthest_vertex(vertices, inwards, live_bits);
  const Vec<F, 3> at = select(is_b, sides[1].origin, sides[0].origin) + rotate(turn, vertex.point);
  const F overlap = load(plane[3]) - dot(normal, at);

  HullAxes<F>& axis = search.axis;
  const F best = load(axis.overlap.number), side = load(axis.side.number);
  const Vec<F, 3> best_normal{
      {load(axis.normal[0].number), load(axis.normal[1].number), load(axis.normal[2].number)}};
  const F zero = F(0), one = F(1), which = select(is_b, one, zero);
  // From A to B in A's frame.
  const Vec<F, 3> outward = select(is_b, inwards, normal);
  const auto is_less = live & (overlap < best), is_equal = live & (overlap == best);
  // A face of A and one of B that face each other are one way out.
  const auto is_other = is_equal & (dot(outward, best_normal) < F(static_cast<T>(0.999)));
  const auto is_first = (which < side) | ((which == side) & (face < load(axis.face.number)));
  const auto is_taken = is_less | (is_equal & is_first);
  const auto take = [&](Lanes<F>& to, const MaskOf<F>& mask, const F& value) {
    store(to.number, select(mask, value, load(to.number)));
  };
  take(axis.is_tie, is_less | is_other, select(is_less, zero, one));
  take(axis.overlap, is_less, overlap);
  take(axis.side, is_taken, which);
  take(axis.face, is_taken, face);
  take(axis.vertex, is_taken, vertex.number);
  for (int k = 0; k < 3; ++k) take(axis.normal[k], is_taken, outward[k]);

  const Lanes<F> x(at[0]), y(at[1]), z(at[2]);
  Candidates<F, false> candidates(true);
  for (unsigned left = live_bits; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    BoundedHulls<F>& here = sides[bits_b >> i & 1];
    const T* const blocks = here.hull[i].face_blocks();
    const int block_count = here.hull[i].face_block_count();
    T* const bounds = here.bounds[i];
    // Beyond the last row that is kept there is one of no meaning.
    const int row_number =
        here.witness_count[i] < kMostWitnesses ? here.witness_count[i] : kMostWitnesses;
    T* const row = here.by_witness[i] + row_number * 8 * block_count;
    here.witness_count[i] = row_number < kMostWitnesses ? row_number + 1 : row_number;
    LeastOf<T> least;
    for (int b = 0; b < block_count; ++b) {
      const Eight<T> height =
          face_heights(blocks + b * HullLayout::face_block, {{x[i], y[i], z[i]}});
      const Eight<T> bound = greater(load_eight(bounds + 8 * b), height);
      store(bounds + 8 * b, bound);
      store(row + 8 * b, height);
      least.add(bound, b);
    }
    least.put(i, candidates);
  }
  const Greatest<F> found = greatest_of(candidates);
  for (int s = 0; s < 2; ++s) {
    const auto is_asked = s == 0 ? live & !is_b : live & is_b;
    sides[s].least = select(is_asked, negate(found.value), sides[s].least);
    sides[s].least_face = select(is_asked, found.number, sides[s].least_face);
  }
}

/// Edges of a hull that may have a shorter way out than the best face; answers how many.
template <class F>
WIDEPHASE_INLINE int remaining_edges(const BoundedHulls<F>& side, int lane, RealOf<F> best,
                                     const Lanes<F> (&center)[3], RealOf<F> radius,
                                     std::int16_t* codes, std::int16_t* edges) {
  using T = RealOf<F>;
  const HullView<T>& hull = side.hull[lane];
  const Eight<T> by_ball = eight_of(best - radius);
  const Eight<T> zero = eight_of(T(0)), least = eight_of(best);
  const T* const blocks = hull.face_blocks();
  const int block_count = hull.face_block_count();
  for (int b = 0; b < block_count; ++b) {
    const T* const block = blocks + b * HullLayout::face_block;
    const Eight<T> height =
        face_heights(block, {{center[0][lane], center[1][lane], center[2][lane]}});
    const Eight<T> lowest = lesser(height, height * load_eight(block + HullLayout::arc_share));
    // Bits of the witnesses that say enough of a face, as a number.
    Eight<T> code = select_greater(by_ball, lowest, zero, eight_of(T(1)));
    for (int w = 0; w < side.witness_count[lane]; ++w) {
      const Eight<T> bound = load_eight(side.by_witness[lane] + (w * block_count + b) * 8);
      code = code + select_greater(least, bound, zero, eight_of(static_cast<T>(2 << w)));
    }
    store_codes(codes + 8 * b, code);
  }
  return find_pairs_apart(codes, 8 * block_count, hull.edge_faces(), hull.edge_count, edges);
}

/// Pairs of edges that are asked together.
template <class F>
struct EdgePairs {
  static constexpr int lanes = LaneTraits<F>::count;
  int count = 0;
  std::int32_t pair[lanes] = {};  ///< the lane in which both hulls are
  std::int32_t edge[2][lanes] = {};
  std::int32_t record[2][lanes] = {};  ///< eights of numbers from the side's base on

  WIDEPHASE_INLINE void add(const BoundedHulls<F> (&sides)[2], int lane, int a, int b) {
    const int edges[2] = {a, b};
    for (int s = 0; s < 2; ++s) {
      const std::ptrdiff_t first = sides[s].hull[lane].edges() - sides[s].base;
      edge[s][count] = edges[s];
      record[s][count] = static_cast<std::int32_t>(first / HullLayout::record) +
                         edges[s] * (HullLayout::edge / HullLayout::record);
    }
    pair[count++] = lane;
  }
};

/// Lines of edges, as their records have them.
template <class F>
struct HullEdgeLines {
  Vec<F, 3> from;
  Vec<F, 3> along;
  Vec<F, 3> left, right;  ///< normals of their faces

  template <class T, int Lanes>
  WIDEPHASE_INLINE HullEdgeLines(const T* base, const std::int32_t (&record)[Lanes]) {
    std::int32_t last[Lanes];
    for (int i = 0; i < Lanes; ++i) last[i] = 2 * record[i] + 2;
    F ends[8], normals[4];
    load_quads<2, 1>(base, record, ends);
    load_quads<1, 1>(base, last, normals);
    from = {{ends[0], ends[1], ends[2]}};
    along = Vec<F, 3>{{ends[3], ends[4], ends[5]}} - from;
    left = {{ends[6], ends[7], normals[0]}};
    right = {{normals[1], normals[2], normals[3]}};
  }
};

/// Frames of B's hulls in A's, a row a pair.
template <class F>
struct FrameRows {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  T row[lanes * 16];

  WIDEPHASE_INLINE explicit FrameRows(const BoundedHulls<F>& side) {
    T number[lanes];
    for (int k = 0; k < 16; ++k) {
      store(number, k < 9 ? side.other.column[k / 3][k % 3] : k < 12 ? side.origin[k - 9] : F(0));
      for (int i = 0; i < lanes; ++i) row[i * 16 + k] = number[i];
    }
  }
};

/// What edges that beat a face by no more than that count for: the face.
template <class F>
WIDEPHASE_INLINE F edge_rounding(const F& size) {
  return roundings<F>(16) * size;
}

/// Whether an arc of the Gauss map, from one face's normal to the other's, crosses the plane across
/// `other`, an edge of the other hull. Where it ends near that plane it may: faces are planes but
/// for rounding, so that their normals are as far off it as they lean along their own edge.
template <class F>
WIDEPHASE_INLINE MaskOf<F> may_cross(const Vec<F, 3>& left, const Vec<F, 3>& right,
                                     const Vec<F, 3>& own, const Vec<F, 3>& other,
                                     const F& own_length, const F& other_length) {
  const F of_left = dot(left, other), of_right = dot(right, other);
  const F lean = greater(abs(dot(left, own)), abs(dot(right, own)));
  const F slack = other_length * (divide(F(2) * lean, own_length) + roundings<F>(4));
  return (lesser(of_left, of_right) <= slack) & (greater(of_left, of_right) >= negate(slack));
}

/// Overlaps across pairs of edges.
template <class F>
struct EdgeOverlaps {
  MaskOf<F> meets;  ///< on the Gauss map, and the overlap is below what was asked for
  F overlap;
  Vec<F, 3> normal;  ///< outwards of A, in its frame
  Vec<F, 3> point;   ///< of A's edge where it is nearest to B's
};

/// Edges that meet have nothing of their hulls beyond them: what rounding says of the Gauss map is
/// tested by support points.
template <class F>
__attribute__((noinline)) MaskOf<F> are_outermost(const EdgePairs<F>& edges,
                                                  const HullSearch<F>& search,
                                                  const Rotation3<F>& turn, const Vec<F, 3>& origin,
                                                  const EdgeOverlaps<F>& found) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  HullVertices<F> vertices[2];
  T size[kLanes];
  for (int n = 0; n < kLanes; ++n) {
    const int i = edges.pair[n];
    for (int s = 0; s < 2; ++s) vertices[s].set(n, search.side[s].hull[i]);
    size[n] = search.size[i];
  }
  const unsigned asked = mask_bits(found.meets);
  const Vec<F, 3> of_a = farthest_vertex(vertices[0], found.normal, asked).point;
  const Vec<F, 3> inwards = -rotate_back(turn, found.normal);
  const Vec<F, 3> of_b = origin + rotate(turn, farthest_vertex(vertices[1], inwards, asked).point);
  const F overlap = dot(found.normal, of_a - of_b);
  return overlap <= found.overlap + F(2) * edge_rounding(load(size));
}

/// Of those that are below `most`, a number a pair.
template <class F>
WIDEPHASE_INLINE EdgeOverlaps<F> edge_overlaps(const EdgePairs<F>& edges,
                                               const FrameRows<F>& frames,
                                               const HullSearch<F>& search, const Lanes<F>& most) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  F frame[16];
  load_quads<4, 1>(frames.row, edges.pair, frame);
  const Rotation3<F> turn{{{{frame[0], frame[1], frame[2]}},
                           {{frame[3], frame[4], frame[5]}},
                           {{frame[6], frame[7], frame[8]}}}};
  const Vec<F, 3> origin{{frame[9], frame[10], frame[11]}};
  const HullEdgeLines<F> a(search.side[0].base, edges.record[0]);
  const HullEdgeLines<F> in_b(search.side[1].base, edges.record[1]);
  const F zero = F(0);
  const Vec<F, 3> along = rotate(turn, in_b.along);
  const Vec<F, 3> left = rotate(turn, in_b.left), right = rotate(turn, in_b.right);
  const Vec<F, 3> across = across_both(a.along, along);
  // Outwards of A, and into B.
  const Vec<F, 3> n = select(dot(across, a.left + a.right) < zero, -across, across);
  const F n2 = dot(n, n);
  const F length_a = length(a.along), length_b = length(along);
  const auto meets = may_cross(a.left, a.right, a.along, along, length_a, length_b) &
                     may_cross(left, right, along, a.along, length_b, length_a) &
                     (dot(n, left + right) < zero) &
                     (n2 > parallel_sin2<F>() * (dot(a.along, a.along) * dot(along, along)));
  const Vec<F, 3> from = origin + rotate(turn, in_b.from);
  const F size = sqrt(n2);
  const Vec<F, 3> crossed = cross(a.along, along);
  const F share = divide(dot(cross(from - a.from, along), crossed), dot(crossed, crossed));
  T limit[kLanes], is_live[kLanes];
  for (int i = 0; i < kLanes; ++i) {
    limit[i] = most[edges.pair[i]];
    is_live[i] = i < edges.count ? T(1) : T(0);
  }
  EdgeOverlaps<F> found{meets & (load(is_live) > zero), divide(dot(n, a.from - from), size),
                        n / size, a.from + clamp(share, zero, F(1)) * a.along};
  found.meets = found.meets & (found.overlap < load(limit));
  if (any<F>(found.meets)) {
    found.meets = found.meets & are_outermost(edges, search, turn, origin, found);
  }
  return found;
}

/// Takes those whose way out is shorter than the best.
template <class F>
__attribute__((noinline)) void ask_edges(const EdgePairs<F>& edges, const FrameRows<F>& frames,
                                         HullSearch<F>& search) {
  using T = RealOf<F>;
  HullAxes<F>& axis = search.axis;
  const Lanes<F> roundings(edge_rounding(load(search.size.number)));
  const EdgeOverlaps<F> found = edge_overlaps(edges, frames, search, axis.overlap);
  const Lanes<F> overlaps(found.overlap);
  const Lanes<F> point[3] = {Lanes<F>(found.point[0]), Lanes<F>(found.point[1]),
                             Lanes<F>(found.point[2])};
  const Lanes<F> normal[3] = {Lanes<F>(found.normal[0]), Lanes<F>(found.normal[1]),
                              Lanes<F>(found.normal[2])};
  for (unsigned left_bits = mask_bits(found.meets); left_bits != 0; left_bits &= left_bits - 1) {
    const int n_edge = __builtin_ctz(left_bits);
    const int i = edges.pair[n_edge];
    const T least = axis.is_edge[i] > 0 ? axis.overlap[i] : axis.overlap[i] - roundings[i];
    if (!(overlaps[n_edge] < least)) continue;
    axis.overlap.number[i] = overlaps[n_edge];
    axis.is_edge.number[i] = 1;
    axis.is_tie.number[i] = 0;
    axis.edge_a.number[i] = static_cast<T>(edges.edge[0][n_edge]);
    axis.edge_b.number[i] = static_cast<T>(edges.edge[1][n_edge]);
    for (int k = 0; k < 3; ++k) {
      axis.normal[k].number[i] = normal[k][n_edge];
      axis.point[k].number[i] = point[k][n_edge];
    }
  }
}

/// In lanes whose hulls overlap along all of their faces' normals: their edges.
template <class F>
WIDEPHASE_INLINE void ask_all_edges(HullSearch<F>& search, const FrameRows<F>& frames,
                                    const EdgePairs<F>& guessed, unsigned overlapping) {
  using T = RealOf<F>;
  const BoundedHulls<F>(&sides)[2] = search.side;
  Lanes<F> center[2][3], radius[2];
  for (int s = 0; s < 2; ++s) {
    for (int k = 0; k < 3; ++k) center[s][k] = Lanes<F>(sides[s].center[k]);
    radius[s] = Lanes<F>(sides[s].radius);
  }
  const Lanes<F> bests(lesser(load(search.axis.overlap.number), search.most));
  std::int16_t codes[8 * kMostFaceBlocks];
  std::int16_t remaining[2][kMostEdges];
  EdgePairs<F> edges;
  for (; overlapping != 0; overlapping &= overlapping - 1) {
    const int i = __builtin_ctz(overlapping);
    const T best = bests[i];
    int count[2];
    for (int s = 0; s < 2; ++s) {
      count[s] = remaining_edges(sides[s], i, best, center[s], radius[s][i], codes, remaining[s]);
    }
    for (int a = 0; a < count[0]; ++a) {
      for (int b = 0; b < count[1]; ++b) {
        edges.add(sides, i, remaining[0][a], remaining[1][b]);
        if (edges.count == EdgePairs<F>::lanes) {
          ask_edges(edges, frames, search);
          edges.count = 0;
        }
      }
    }
  }
  if (edges.count > 0) ask_edges(edges, frames, search);
  // Faces that they kept from being asked are not the least, whatever the bounds round to.
  if (guessed.count > 0) ask_edges(guessed, frames, search);
}

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
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
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
__attribute__((noinline)) void keep_axes(const HullAxes<F>& axis, WarmStarts<F>& warm) {
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
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
/// hulls are apart, and need not be the least.
template <class F>
__attribute__((noinline)) void find_hull_axes(HullSearch<F>& search, WarmStarts<F>& warm) {
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
  axis.overlap = Lanes<F>(F(kInfinite<T>));
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
  if (warm.is_given) keep_axes(axis, warm);
}

}  // namespace
}  // namespace widephase
