#pragma once

// The faces of two hulls as separating axes: bounds of their overlaps and the search for the least
// overlap (core/hull/hull_axes3.hpp).

#include "kernels/core/support/convex_shape.hpp"

namespace widephase {
namespace {

/// Points of the other hull that are kept as witnesses for edges.
inline constexpr int kMostWitnesses = 6;
inline constexpr int kMostFaceBlocks = 64;
inline constexpr int kMostEdges = 768;

template <class F>
WIDEPHASE_INLINE Vec<F, 3> load_vec(const Lanes<F> (&lanes)[3]) {
  return {{load(lanes[0].number), load(lanes[1].number), load(lanes[2].number)}};
}
template <class F>
WIDEPHASE_INLINE Vec<RealOf<F>, 3> vec_of(const Lanes<F> (&lanes)[3], int i) {
  return {{lanes[0][i], lanes[1][i], lanes[2][i]}};
}

/// Frames in other frames, one pair per lane. They are read in lanes and one pair at a time.
template <class F>
struct LaneFrames {
  using T = RealOf<F>;
  Lanes<F> turn[3][3], origin[3];

  WIDEPHASE_INLINE void set(const Rotation3<F>& turns, const Vec<F, 3>& origins) {
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) turn[k][j] = Lanes<F>(turns.column[k][j]);
      origin[k] = Lanes<F>(origins[k]);
    }
  }
  WIDEPHASE_INLINE Rotation3<F> turns() const {
    return {{load_vec(turn[0]), load_vec(turn[1]), load_vec(turn[2])}};
  }
  WIDEPHASE_INLINE Vec<F, 3> origins() const { return load_vec(origin); }
  WIDEPHASE_INLINE Rotation3<T> turn_of(int i) const {
    return {{vec_of(turn[0], i), vec_of(turn[1], i), vec_of(turn[2], i)}};
  }
  WIDEPHASE_INLINE Vec<T, 3> origin_of(int i) const { return vec_of(origin, i); }
};

/// One of the two hulls of each pair of a batch: its faces and the bounds of their overlaps.
template <class F>
struct BoundedHulls {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  HullView<T> hull[lanes];
  const T* base;        ///< the offsets of edge records count from here
  LaneFrames<F> other;  ///< the other hull's frame in this one
  Lanes<F> center[3];   ///< of a ball within the other hull, in this frame
  Lanes<F> radius;      ///< of that ball
  Lanes<F> cell;        ///< of the other hull's table of directions: the way to this hull
  T* bounds[lanes];     ///< lower bounds of each face's overlap
  int witness_count[lanes];
  /// Points of the other hull, in this frame; the last is unread. Rows of heights would leave L1.
  Lanes<F> witness[kMostWitnesses + 1][3];
  /// Small hulls and segments: one row per witness instead, its height for each face.
  T* by_witness[lanes];
  int vertex[2][lanes] = {};  ///< of the other hull: the last two witnesses
  Lanes<F> least;             ///< of the bounds
  Lanes<F> least_face;
};

/// The axis of least overlap of each pair.
template <class F>
struct HullAxes {
  Lanes<F> overlap;
  Lanes<F> is_tie;
  Lanes<F> is_edge;
  Lanes<F> side;  ///< 0 for a face of A, 1 for one of B
  Lanes<F> face;
  Lanes<F> vertex;  ///< of the other hull, where it is deepest below the face
  Lanes<F> edge_a, edge_b;
  Lanes<F> is_alone;   ///< edges: told apart from all other features of their hulls
  Lanes<F> normal[3];  ///< from A to B in A's frame
  Lanes<F> point[3];   ///< edges: A's point nearest to B's edge, in A's frame
};

/// The axes, from A to B in A's frame.
template <class F>
WIDEPHASE_INLINE Vec<F, 3> axis_of(const HullAxes<F>& axis) {
  return load_vec(axis.normal);
}

/// A batch of pairs on its way through the steps. The caller sets its hulls and frames.
template <class F>
struct HullSearch {
  using T = RealOf<F>;
  BoundedHulls<F> side[2];
  HullAxes<F> axis;
  Lanes<F> size;        ///< coordinates round by shares of it
  Lanes<F> reach;       ///< of the smaller hull, from its middle
  Lanes<F> most;        ///< larger overlaps need not be told apart
  unsigned live;        ///< the lanes that are asked for
  unsigned small;       ///< the lanes whose hulls are small
  unsigned open;        ///< the lanes that may still have a face with a smaller overlap
  unsigned common = 0;  ///< in a test: the lanes where a point is known to be in both hulls
};

/// Searches that take their steps in turn, so that each one's waiting is hidden by the others.
inline constexpr int kMostSearches = 4;

/// Pairs of several searches.
template <class F>
struct SearchedPairs {
  struct Place {
    HullSearch<F>* search;
    int lane;
  };
  static constexpr int most = kMostSearches * LaneTraits<F>::count;
  Place place[most];
  int count;

  WIDEPHASE_INLINE void add(HullSearch<F>& search, unsigned lanes) {
    for (; lanes != 0; lanes &= lanes - 1) place[count++] = {&search, __builtin_ctz(lanes)};
  }
};

/// Room for the bounds of a search, one hull's after the other's. Each row begins where a register
/// may, so that none lies in two lines of the cache.
template <class F>
struct BoundsRoom {
  static constexpr int rows = 3;  ///< of the largest hulls
  static constexpr int size = LaneTraits<F>::count * 2 * rows * 8 * kMostFaceBlocks;
  alignas(64) RealOf<F> numbers[size];
};

/// Reads one value of `face_block` for the faces from a block on.
template <int N, class T>
WIDEPHASE_INLINE Row<T, N> load_of_faces(const T* block) {
  if constexpr (N == 16) {
    return join(load_eight(block), load_eight(block + HullLayout::face_block));
  } else {
    return load_eight(block);
  }
}

/// The planes of one block of faces, or of two.
template <class T, int N>
struct FaceRow {
  Row<T, N> x, y, z, offset;

  WIDEPHASE_INLINE explicit FaceRow(const T* block)
      : x(load_of_faces<N>(block)),
        y(load_of_faces<N>(block + 8)),
        z(load_of_faces<N>(block + 16)),
        offset(load_of_faces<N>(block + HullLayout::offset)) {}
  /// How deep a point is below each plane.
  WIDEPHASE_INLINE Row<T, N> heights(const Vec<T, 3>& point) const {
    return offset - ((x * row_of<N>(point[0]) + y * row_of<N>(point[1])) + z * row_of<N>(point[2]));
  }
};

/// Calls `visit.template operator()<N>(b)` for blocks of faces: two at a time (N = 16), then the
/// one that is left (N = 8).
template <class Visit>
WIDEPHASE_INLINE void for_each_faces(int block_count, const Visit& visit) {
  int b = 0;
  for (; b + 1 < block_count; b += 2) visit.template operator()<16>(b);
  if (b < block_count) visit.template operator()<8>(b);
}

template <class T>
WIDEPHASE_INLINE Eight<T> face_heights(const T* block, const Vec<T, 3>& point) {
  return FaceRow<T, 8>(block).heights(point);
}

/// The least of a row of eights, the first of equals. It is stored negated, as `Candidates` of the
/// greatest.
template <class T>
struct LeastOf {
  Eight<T> value = eight_of(kInfinite<T>);
  Eight<T> number = count_up<T>();
  Eight<T> next = count_up<T>();

  WIDEPHASE_INLINE void add(const Eight<T>& values) {
    number = select_greater(value, values, next, number);
    value = lesser(value, values);
    next = next + eight_of(T(8));
  }
  WIDEPHASE_INLINE void add(const Sixteen<T>& values) {
    add(low_half(values));
    add(high_half(values));
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

/// The same of a row of sixteens and at most one eight, its last: faster for many.
template <class T>
struct LeastOfSixteens {
  Sixteen<T> value = row_of<16>(kInfinite<T>);
  Sixteen<T> number = join(count_up<T>(), count_up<T>() + eight_of(T(8)));
  Sixteen<T> next = number;

  WIDEPHASE_INLINE void add(const Sixteen<T>& values) {
    number = select_greater(value, values, next, number);
    value = lesser(value, values);
    next = next + row_of<16>(T(16));
  }
  WIDEPHASE_INLINE void add(const Eight<T>& values) { add(join(values, eight_of(kInfinite<T>))); }
  WIDEPHASE_INLINE LeastOf<T> of_eights() const {
    const Eight<T> low = low_half(value), high = high_half(value);
    const Eight<T> of_low = low_half(number), of_high = high_half(number);
    const Eight<T> first = lesser(of_low, of_high);
    LeastOf<T> least;
    least.value = lesser(low, high);
    least.number = select_greater(low, high, of_high, select_greater(high, low, of_low, first));
    return least;
  }
};

/// The face of each pair whose overlap is evaluated, and its support vertex.
template <class F>
struct AskedFaces {
  unsigned of_b;  ///< the lanes in which it is one of B
  Lanes<F> face;
  Lanes<F> vertex;  ///< of the other hull, the farthest inwards
  Lanes<F> at[3];   ///< in the face's frame

  WIDEPHASE_INLINE int side(int i) const { return static_cast<int>(of_b >> i & 1); }
  WIDEPHASE_INLINE int face_of(int i) const { return static_cast<int>(face[i]); }
};

/// Whether two faces of a pair are one exit, such as a face of A and one of B that face each other.
template <class F>
WIDEPHASE_INLINE bool is_one_exit(const HullSearch<F>& search, int i, int side, int face,
                                 int other_side, int other_face) {
  using T = RealOf<F>;
  const auto outward = [&](int s, int f) {
    const Vec<T, 3> normal = search.side[s].hull[i].face_normal(f);
    return s == 0 ? normal : -rotate_back(search.side[1].other.turn_of(i), normal);
  };
  return !(dot(outward(side, face), outward(other_side, other_face)) < static_cast<T>(0.999));
}

/// Handles an overlap that is equal to the least so far, which is rare.
template <class F>
__attribute__((noinline)) void settle_tie(HullSearch<F>& search, int i,
                                          const AskedFaces<F>& asked) {
  using T = RealOf<F>;
  HullAxes<F>& axis = search.axis;
  const int side = static_cast<int>(axis.side[i]), face = static_cast<int>(axis.face[i]);
  if (side > 1) return;
  const int asked_side = asked.side(i), asked_face = asked.face_of(i);
  if (!is_one_exit(search, i, asked_side, asked_face, side, face)) axis.is_tie.number[i] = 1;
  if (asked_side < side || (asked_side == side && asked_face < face)) {
    axis.side.number[i] = static_cast<T>(asked_side);
    axis.face.number[i] = asked.face[i];
    axis.vertex.number[i] = asked.vertex[i];
  }
}

/// Evaluates the overlaps along the normals of the given faces, one per live pair. An overlap that
/// is the least so far becomes the axis, except for its normal. Answers the pairs that overlap
/// along them.
template <class F>
WIDEPHASE_INLINE unsigned ask_face(HullSearch<F>& search, unsigned live, AskedFaces<F>& asked) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  const BoundedHulls<F>(&sides)[2] = search.side;
  HullVertices<F> others;
  T of_normal[3][kLanes] = {}, offset[kLanes] = {}, of_vertex[3][kLanes] = {};
  for (unsigned left = live; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left), which = asked.side(i);
    const T* const column =
        sides[which].hull[i].face_blocks() + HullLayout::face_place(asked.face_of(i));
    for (int k = 0; k < 3; ++k) of_normal[k][i] = column[8 * k];
    offset[i] = column[HullLayout::offset];
    others.set(i, sides[1 - which].hull[i]);
  }
  const auto of_b = lanes_of<F>(asked.of_b);
  const Rotation3<F> turn = select(of_b, sides[1].other.turns(), sides[0].other.turns());
  const Vec<F, 3> origin = select(of_b, sides[1].other.origins(), sides[0].other.origins());
  const Vec<F, 3> normal{{load(of_normal[0]), load(of_normal[1]), load(of_normal[2])}};
  FarthestFours<F> fours;
  fours.scan(others, -rotate_back(turn, normal), live);
  asked.vertex = Lanes<F>(fours.farthest());
  for (unsigned left = live; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const T* const vertex =
        others.blocks[i] + HullLayout::vertex_place(static_cast<int>(asked.vertex[i]));
    for (int k = 0; k < 3; ++k) of_vertex[k][i] = vertex[8 * k];
  }
  const Vec<F, 3> at =
      origin + rotate(turn, {{load(of_vertex[0]), load(of_vertex[1]), load(of_vertex[2])}});
  for (int k = 0; k < 3; ++k) asked.at[k] = Lanes<F>(at[k]);
  HullAxes<F>& axis = search.axis;
  const F overlap = load(offset) - dot(normal, at), best = load(axis.overlap.number);
  for (unsigned left = mask_bits(overlap == best) & live; left != 0; left &= left - 1) {
    settle_tie(search, __builtin_ctz(left), asked);
  }
  // Which ones are less is hard to predict, so there is no branch.
  const auto is_less = (overlap < best) & lanes_of<F>(live);
  const auto take = [&](Lanes<F>& to, const F& value) { store_where(is_less, to.number, value); };
  take(axis.overlap, overlap);
  take(axis.is_tie, F(0));
  take(axis.side, select(of_b, F(1), F(0)));
  take(axis.face, load(asked.face.number));
  take(axis.vertex, load(asked.vertex.number));
  return mask_bits(!(overlap < F(0))) & live;
}

/// How far the same height may be off when it is computed in two ways.
template <class F>
WIDEPHASE_INLINE F height_rounding(const HullSearch<F>& search) {
  return roundings<F>(8) * load(search.size.number);
}

/// The lanes in which a face may have a smaller overlap than those evaluated. Bounds are rounded,
/// so a face whose bound is level with the least overlap is evaluated too: which faces are, and so
/// whether hulls that touch overlap, must not depend on the points that gave the bounds. Evaluated
/// faces have the largest number for a bound, from which rounding of huge hulls may not take away.
template <class F>
WIDEPHASE_INLINE MaskOf<F> needs_more(const HullSearch<F>& search) {
  const F bound = lesser(load(search.side[0].least.number), load(search.side[1].least.number));
  const F least = bound - height_rounding(search);
  const F overlap = load(search.axis.overlap.number);
  return (least <= lesser(overlap, load(search.most.number))) & (overlap >= F(0)) &
         (bound < F(kLargest<RealOf<F>>));
}

/// For each open pair, evaluates the face with the smallest lower bound; its support vertex
/// tightens the other faces' bounds. Pairs that need more stay open. In a test, pairs whose witness
/// is within both hulls become common and need nothing else.
template <class F, bool IsTest>
WIDEPHASE_INLINE void ask_faces(HullSearch<F>& search) {
  using T = RealOf<F>;
  BoundedHulls<F>(&sides)[2] = search.side;
  AskedFaces<F> asked;
  const auto of_a = load(sides[0].least.number) <= load(sides[1].least.number);
  asked.of_b = ~mask_bits(of_a);
  asked.face =
      Lanes<F>(select(of_a, load(sides[0].least_face.number), load(sides[1].least_face.number)));
  for (unsigned left = search.open; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    // Stored now, long before the row is read as a whole.
    sides[asked.side(i)].bounds[i][asked.face_of(i)] = kLargest<T>;
  }
  const unsigned overlapping = ask_face(search, search.open, asked);
  FarthestFours<F> fours;
  if (overlapping != LaneTraits<F>::all) fours.clear();
  for (unsigned left = overlapping; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    BoundedHulls<F>& here = sides[asked.side(i)];
    const T* const blocks = here.hull[i].face_blocks();
    const int block_count = here.hull[i].face_block_count();
    T* const bounds = here.bounds[i];
    const int number =
        here.witness_count[i] < kMostWitnesses ? here.witness_count[i] : kMostWitnesses;
    here.vertex[1][i] = here.vertex[0][i];
    here.vertex[0][i] = static_cast<int>(asked.vertex[i]);
    here.witness_count[i] = number < kMostWitnesses ? number + 1 : number;
    const Vec<T, 3> at = vec_of(asked.at, i);
    for (int k = 0; k < 3; ++k) here.witness[number][k].number[i] = at[k];
    LeastOfSixteens<T> sixteens;
    const T most_here = search.most[i];
    bool is_within = true;
    for_each_faces(block_count, [&]<int N>(int b) {
      const Row<T, N> height = FaceRow<T, N>(blocks + b * HullLayout::face_block).heights(at);
      if constexpr (IsTest) {
        is_within &= bits_at_least(height, row_of<N>(most_here)) == (1u << N) - 1;
      }
      const Row<T, N> bound = greater(load_row<N>(bounds + 8 * b), height);
      store(bounds + 8 * b, bound);
      sixteens.add(bound);
    });
    const LeastOf<T> least = sixteens.of_eights();
    fours.set(i, eight_of(T(0)) - least.value, least.number);
    if constexpr (IsTest) search.common |= (is_within ? 1u : 0u) << i;
  }
  F greatest;
  const F face = fours.farthest(greatest);
  const unsigned of_side[2] = {overlapping & ~asked.of_b, overlapping & asked.of_b};
  for (int s = 0; s < 2; ++s) {
    const auto is_here = lanes_of<F>(of_side[s]);
    store_where(is_here, sides[s].least.number, negate(greatest));
    store_where(is_here, sides[s].least_face.number, face);
  }
  search.open = overlapping & mask_bits(needs_more(search)) & ~search.common;
}

/// Sets the normals of the axes that faces gave.
template <class F>
WIDEPHASE_INLINE void set_normals(HullSearch<F>& search, unsigned asked) {
  using T = RealOf<F>;
  HullAxes<F>& axis = search.axis;
  T normal[3][LaneTraits<F>::count] = {};
  for (unsigned left = asked; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const int side = static_cast<int>(axis.side[i]);
    if (side > 1) continue;
    const Vec<T, 3> outward = search.side[side].hull[i].face_normal(static_cast<int>(axis.face[i]));
    for (int k = 0; k < 3; ++k) normal[k][i] = outward[k];
  }
  const Vec<F, 3> of_face{{load(normal[0]), load(normal[1]), load(normal[2])}};
  const Vec<F, 3> inwards = -rotate_back(search.side[1].other.turns(), of_face);
  const auto is_b = load(axis.side.number) == F(1);
  const Vec<F, 3> outward = select(is_b, inwards, of_face);
  for (int k = 0; k < 3; ++k) axis.normal[k] = Lanes<F>(outward[k]);
}

/// For live pairs whose A is a segment, evaluates the overlaps along all faces of B.
template <class F>
WIDEPHASE_INLINE void ask_faces_of_segments(HullSearch<F>& search, const MaskOf<F>& live) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  BoundedHulls<F>& side = search.side[1];
  T half[3][kLanes];
  for (int i = 0; i < kLanes; ++i) {
    const Vec<T, 3> end = search.side[0].hull[i].vertex(1);
    for (int k = 0; k < 3; ++k) half[k][i] = end[k];
  }
  const F zero = F(0), one = F(1);
  const Rotation3<F> turn = side.other.turns();
  const Vec<F, 3> origin = side.other.origins();
  for (int k = 0; k < 3; ++k) {
    side.center[k] = Lanes<F>(origin[k]);
    search.side[0].center[k] = Lanes<F>(zero);
  }
  side.radius = search.side[0].radius = Lanes<F>(zero);
  const Vec<F, 3> along = rotate(turn, {{load(half[0]), load(half[1]), load(half[2])}});
  const Vec<F, 3> first = origin - along, second = origin + along;
  const Lanes<F> from[3] = {Lanes<F>(first[0]), Lanes<F>(first[1]), Lanes<F>(first[2])};
  const Lanes<F> to[3] = {Lanes<F>(second[0]), Lanes<F>(second[1]), Lanes<F>(second[2])};
  const unsigned live_bits = mask_bits(live);
  Candidates<F, false> candidates;
  for (unsigned left = live_bits; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const T* const blocks = side.hull[i].face_blocks();
    const int block_count = side.hull[i].face_block_count();
    T* const rows = side.by_witness[i];
    side.witness_count[i] = 2;
    LeastOf<T> least;
    for (int b = 0; b < block_count; ++b) {
      const T* const block = blocks + b * HullLayout::face_block;
      const Eight<T> by_first = face_heights(block, {{from[0][i], from[1][i], from[2][i]}});
      const Eight<T> by_second = face_heights(block, {{to[0][i], to[1][i], to[2][i]}});
      store(rows + 8 * b, by_first);
      store(rows + 8 * (block_count + b), by_second);
      least.add(greater(by_first, by_second));
    }
    least.put(i, candidates);
  }
  const Greatest<F> best = greatest_of(candidates);
  const F overlap = negate(best.value);
  const Lanes<F> faces(best.number), overlaps(overlap);
  T normal[3][kLanes] = {}, vertex[kLanes] = {}, is_tie[kLanes] = {};
  for (unsigned left = live_bits; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const int face = static_cast<int>(faces[i]), block_count = side.hull[i].face_block_count();
    const Vec<T, 3> outward = side.hull[i].face_normal(face);
    for (int k = 0; k < 3; ++k) normal[k][i] = outward[k];
    const T* const by_first = side.by_witness[i];
    const T* const by_second = by_first + 8 * block_count;
    vertex[i] = by_second[face] > by_first[face] ? T(1) : T(0);
    if (overlaps[i] < 0) continue;
    int level = 0;
    for (int b = 0; b < block_count; ++b) {
      level +=
          bit_count(bits_at_least(eight_of(overlaps[i]), greater(load_eight(by_first + 8 * b),
                                                                 load_eight(by_second + 8 * b))));
    }
    is_tie[i] = level > 1 ? T(1) : T(0);
  }
  const Vec<F, 3> inwards =
      -rotate_back(turn, {{load(normal[0]), load(normal[1]), load(normal[2])}});
  HullAxes<F>& axis = search.axis;
  const auto put = [&](Lanes<F>& lanes, const F& value) { store_where(live, lanes.number, value); };
  put(axis.overlap, overlap);
  put(axis.is_tie, load(is_tie));
  put(axis.side, one);
  put(axis.face, best.number);
  put(axis.vertex, load(vertex));
  for (int k = 0; k < 3; ++k) put(axis.normal[k], inwards[k]);
}

}  // namespace
}  // namespace widephase
