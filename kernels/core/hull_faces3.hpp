#pragma once

// The faces of two hulls as separating axes: bounds of their overlaps and the search for the least
// (core/hull_axes3.hpp).

#include "core/convex_shape.hpp"

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

/// The axes, from A to B in A's frame.
template <class F>
WIDEPHASE_INLINE Vec<F, 3> axis_of(const HullAxes<F>& axis) {
  return {{load(axis.normal[0].number), load(axis.normal[1].number), load(axis.normal[2].number)}};
}

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

/// The faces that a search asked before it had bounds, and their witnesses in the frame of their
/// hull.
template <class F>
struct FirstFaces {
  unsigned of_side[2] = {0, 0};  ///< the lanes in which it is a face of A, of B
  Lanes<F> face;
  Lanes<F> witness[3];
};

/// Bounds of the faces of one of the hulls in the live lanes, by the ball in the other and by the
/// first face's witness.
template <class F>
WIDEPHASE_INLINE void bound_faces(HullSearch<F>& search, int which, unsigned live,
                                  const FirstFaces<F>& first) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  const BoundedHulls<F>& others = search.side[1 - which];
  BoundedHulls<F>& side = search.side[which];
  T inner[4][kLanes];
  for (int i = 0; i < kLanes; ++i) {
    for (int k = 0; k < 4; ++k) inner[k][i] = others.hull[i].numbers[HullLayout::inner + k];
  }
  side.center =
      side.origin + rotate(side.other, Vec<F, 3>{{load(inner[0]), load(inner[1]), load(inner[2])}});
  side.radius = load(inner[3]);
  const Lanes<F> x(side.center[0]), y(side.center[1]), z(side.center[2]);
  Candidates<F, false> candidates;
  for (; live != 0; live &= live - 1) {
    const int i = __builtin_ctz(live);
    const T* const blocks = side.hull[i].face_blocks();
    const int block_count = side.hull[i].face_block_count();
    const Eight<T> radius = eight_of(inner[3][i]);
    LeastOf<T> least;
    if ((first.of_side[which] >> i & 1) == 0) {
      for (int b = 0; b < block_count; ++b) {
        const Eight<T> height =
            face_heights(blocks + b * HullLayout::face_block, {{x[i], y[i], z[i]}});
        const Eight<T> bound = height + radius;
        store(side.bounds[i] + 8 * b, bound);
        least.add(bound, b);
      }
    } else {
      const Vec<T, 3> witness{{first.witness[0][i], first.witness[1][i], first.witness[2][i]}};
      const Eight<T> asked = eight_of(first.face[i]);
      side.witness_count[i] = 1;
      for (int b = 0; b < block_count; ++b) {
        const T* const block = blocks + b * HullLayout::face_block;
        const Eight<T> height = face_heights(block, {{x[i], y[i], z[i]}});
        const Eight<T> by_witness = face_heights(block, witness);
        const Eight<T> beside = (count_up<T>() + eight_of(static_cast<T>(8 * b))) - asked;
        const Eight<T> bound =
            select_greater(eight_of(T(0.25)), beside * beside, eight_of(kLargest<T>),
                           greater(height + radius, by_witness));
        store(side.bounds[i] + 8 * b, bound);
        store(side.by_witness[i] + 8 * b, by_witness);
        least.add(bound, b);
      }
    }
    least.put(i, candidates);
  }
  const Greatest<F> best = greatest_of(candidates);
  side.least = negate(best.value);
  side.least_face = best.number;
}

/// The overlap along one face's normal of each live pair, B's where `is_b`: the axis where it is
/// the least so far. Answers the vertex of the other hull that says so, in the face's frame.
template <class F>
WIDEPHASE_INLINE Vec<F, 3> ask_face(HullSearch<F>& search, const MaskOf<F>& is_b, const F& face,
                                    const MaskOf<F>& live) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  BoundedHulls<F>* const sides = search.side;
  const unsigned bits_b = mask_bits(is_b), live_bits = mask_bits(live);
  const Rotation3<F> turn = select(is_b, sides[1].other, sides[0].other);
  const Lanes<F> faces(face);
  T plane[4][kLanes];
  HullVertices<F> vertices;
  for (int i = 0; i < kLanes; ++i) {
    const int which = static_cast<int>(bits_b >> i & 1);
    const int at = static_cast<int>(faces[i]);
    const T* const column = sides[which].hull[i].face_blocks() + HullLayout::face_place(at);
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
  const Vec<F, 3> best_normal = axis_of(axis);
  const F zero = F(0), one = F(1), which = select(is_b, one, zero);
  // From A to B in A's frame.
  const Vec<F, 3> outward = select(is_b, inwards, normal);
  const auto is_less = live & (overlap < best), is_equal = live & (overlap == best);
  // A face of A and one of B that face each other are one way out.
  const auto is_other = is_equal & (dot(outward, best_normal) < F(static_cast<T>(0.999)));
  const auto is_first = (which < side) | ((which == side) & (face < load(axis.face.number)));
  const auto is_taken = is_less | (is_equal & is_first);
  const auto take = [&](Lanes<F>& to, const MaskOf<F>& mask, const F& value) {
    store_where(mask, to.number, value);
  };
  take(axis.is_tie, is_less | is_other, select(is_less, zero, one));
  take(axis.overlap, is_less, overlap);
  take(axis.side, is_taken, which);
  take(axis.face, is_taken, face);
  take(axis.vertex, is_taken, vertex.number);
  for (int k = 0; k < 3; ++k) take(axis.normal[k], is_taken, outward[k]);
  return at;
}

/// Of each live pair asks the face of the least bound: its overlap, and its witness for the others.
template <class F>
WIDEPHASE_INLINE void ask_faces(HullSearch<F>& search, const MaskOf<F>& live) {
  using T = RealOf<F>;
  BoundedHulls<F>* const sides = search.side;
  const auto is_b = !(sides[0].least <= sides[1].least);  // A may have no faces
  const unsigned bits_b = mask_bits(is_b), live_bits = mask_bits(live);
  const F face = select(is_b, sides[1].least_face, sides[0].least_face);
  const Lanes<F> faces(face);
  // Now, long before the row is read as a whole.
  for (unsigned left = live_bits; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    sides[bits_b >> i & 1].bounds[i][static_cast<int>(faces[i])] = kLargest<T>;
  }
  const Vec<F, 3> at = ask_face(search, is_b, face, live);
  const Lanes<F> x(at[0]), y(at[1]), z(at[2]);
  Candidates<F, false> candidates;
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

/// Of live pairs whose A is a segment: its overlaps along all faces of B.
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
  side.center = side.origin;
  side.radius = zero;
  search.side[0].center = zero_vec<F, 3>();
  search.side[0].radius = zero;
  const Vec<F, 3> along = rotate(side.other, {{load(half[0]), load(half[1]), load(half[2])}});
  const Vec<F, 3> first = side.origin - along, second = side.origin + along;
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
      least.add(greater(by_first, by_second), b);
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
      -rotate_back(side.other, {{load(normal[0]), load(normal[1]), load(normal[2])}});
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
