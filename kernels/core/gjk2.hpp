#pragma once

// Distance and minimum translation of convex outlines in the plane from support points alone: GJK
// on the outlines' Minkowski difference, then, where they overlap, EPA from GJK's simplex.
//
// A simplex step has a lane a pair; support points are scans of one outline with eight vertices in
// lanes. A lane that has finished gets the next pair of the block at once, so that long searches do
// not hold up short ones. What a search says is which features are nearest; distance, normal and
// points are then computed from those (pairs/outline_outline.hpp).
//
// GJK ends: while a single vertex is the nearest point, its distance falls strictly, so that no
// vertex of the difference comes twice; once two vertices bracket the nearest point, each step
// moves one of them inwards along the boundary. The difference has at most nA + nB vertices, so
// that 2 (nA + nB) steps are enough, 256 for the largest outlines. A vertex that is known already,
// or that lies no farther than rounding, ends a search; the limit stands behind both. EPA adds a
// vertex of the difference a step, at most nA + nB.
// Sources: Gilbert, Johnson, Keerthi 1988; van den Bergen, Collision Detection in Interactive 3D
// Environments, 4.3.

#include "core/polygon_edges.hpp"

namespace widephase {
namespace {

/// Pairs that are searched together.
inline constexpr int kSearchPairs = 256;
inline constexpr int kMostGjkSteps = 256;
inline constexpr int kMostEpaSteps = 128;

/// Poses of B's outline in A's frame, and where the outlines lie in the library.
template <class T>
struct OutlinePairs {
  T cosine[kSearchPairs];
  T sine[kSearchPairs];
  T x[kSearchPairs];
  T y[kSearchPairs];
  const T* vertices_a[kSearchPairs];  ///< x of the first eight; y follows 8 later
  const T* vertices_b[kSearchPairs];
  std::int32_t blocks_a[kSearchPairs];
  std::int32_t blocks_b[kSearchPairs];
};

/// Which features of a pair are nearest.
enum class Nearest : std::uint8_t {
  vertices,  ///< a vertex of each; of outlines that overlap: both are the same point
  edge,      ///< two vertices of the difference and the edge between them
};

template <class T>
struct NearestFeatures {
  Nearest kind[kSearchPairs];
  bool is_overlap[kSearchPairs];  ///< by EPA
  bool is_tie[kSearchPairs];
  bool is_capped[kSearchPairs];  ///< a limit of steps was met
  T normal_x[kSearchPairs];      ///< from A to B, in A's frame, not of unit length
  T normal_y[kSearchPairs];
  std::int16_t vertex_a[kSearchPairs][2];  ///< ends of the difference's edge; one of `vertices`
  std::int16_t vertex_b[kSearchPairs][2];
};

/// A vertex of the Minkowski difference A - B: where it is and of which vertices it is made.
template <class F>
struct DifferenceVertex {
  Vec<F, 2> point;
  Vec<F, 2> of_a;  ///< relative to A's origin
  Vec<F, 2> of_b;  ///< relative to B's
  F a;             ///< numbers of the vertices
  F b;
};
template <class F>
WIDEPHASE_INLINE DifferenceVertex<F> select(const MaskOf<F>& mask, const DifferenceVertex<F>& yes,
                                            const DifferenceVertex<F>& no) {
  return {select(mask, yes.point, no.point), select(mask, yes.of_a, no.of_a),
          select(mask, yes.of_b, no.of_b), select(mask, yes.a, no.a), select(mask, yes.b, no.b)};
}
/// The way from one to another: shape by shape, so that the edge of a small shape far from a large
/// one's origin keeps its digits.
template <class F>
WIDEPHASE_INLINE Vec<F, 2> way(const DifferenceVertex<F>& from, const DifferenceVertex<F>& to) {
  return (to.of_a - from.of_a) - (to.of_b - from.of_b);
}
template <class F>
WIDEPHASE_INLINE MaskOf<F> is_same(const DifferenceVertex<F>& x, const DifferenceVertex<F>& y) {
  return (x.a == y.a) & (x.b == y.b);
}

/// A lane's pair and its pose, changed lane by lane.
template <class F>
struct SearchLanes {
  using T = RealOf<F>;
  static constexpr int count = LaneTraits<F>::count;
  std::int32_t slot[count];  ///< -1: no pair left for this lane
  T cosine[count], sine[count], x[count], y[count];
  const T* vertices_a[count];
  const T* vertices_b[count];
  std::int32_t blocks_a[count], blocks_b[count];
  bool has_blocks;

  void set(int lane, const OutlinePairs<T>& pairs, std::int32_t new_slot) {
    slot[lane] = new_slot;
    const std::int32_t from = new_slot < 0 ? 0 : new_slot;
    cosine[lane] = pairs.cosine[from];
    sine[lane] = pairs.sine[from];
    x[lane] = pairs.x[from];
    y[lane] = pairs.y[from];
    vertices_a[lane] = pairs.vertices_a[from];
    vertices_b[lane] = pairs.vertices_b[from];
    blocks_a[lane] = pairs.blocks_a[from];
    blocks_b[lane] = pairs.blocks_b[from];
  }
  Rotation<F> turn() const { return {load(cosine), load(sine)}; }
  Vec<F, 2> center() const { return {{load(x), load(y)}}; }
};

/// The vertex farthest along `direction` of the outline that each lane has; the lowest of equals.
template <class F>
WIDEPHASE_INLINE F farthest_vertex(const RealOf<F>* const (&vertices)[LaneTraits<F>::count],
                                   const std::int32_t (&blocks)[LaneTraits<F>::count],
                                   const Vec<F, 2>& direction, bool has_blocks, Vec<F, 2>& point) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  const Lanes<F> dx(direction[0]), dy(direction[1]);
  Candidates<F> candidates(has_blocks);
  for (int i = 0; i < kLanes; ++i) {
    const Eight<T> x = eight_of(dx[i]), y = eight_of(dy[i]);
    collect<F>(
        i, blocks[i], vertices[i],
        [&](const T* eight) __attribute__((always_inline)) {
          return load_eight(eight) * x + load_eight(eight + 8) * y;
        },
        candidates);
  }
  const F number = greatest_of(candidates).number;
  const Lanes<F> numbers(number);
  T x[kLanes], y[kLanes];
  for (int i = 0; i < kLanes; ++i) {
    const int at = static_cast<int>(numbers[i]);
    const T* const vertex = vertices[i] + at / 8 * PolygonLayout::block + at % 8;
    x[i] = vertex[0];
    y[i] = vertex[8];
  }
  point = {{load(x), load(y)}};
  return number;
}

/// The vertex of the difference farthest along `direction`; `reach2` grows with the square of the
/// coordinates that it came from.
template <class F>
WIDEPHASE_INLINE DifferenceVertex<F> farthest(const SearchLanes<F>& lanes,
                                              const Vec<F, 2>& direction, F& reach2) {
  const Rotation<F> turn = lanes.turn();
  Vec<F, 2> of_b;
  DifferenceVertex<F> vertex;
  vertex.a = farthest_vertex<F>(lanes.vertices_a, lanes.blocks_a, direction, lanes.has_blocks,
                                vertex.of_a);
  vertex.b = farthest_vertex<F>(lanes.vertices_b, lanes.blocks_b, -rotate_back(turn, direction),
                                lanes.has_blocks, of_b);
  vertex.of_b = rotate(turn, of_b);
  const Vec<F, 2> center = lanes.center();
  vertex.point = vertex.of_a - (center + vertex.of_b);
  reach2 = greater(reach2, dot(vertex.of_a, vertex.of_a) + (dot(of_b, of_b) + dot(center, center)));
  return vertex;
}

/// The point of a segment from x to w nearest to the origin.
template <class F>
struct NearestOnSegment {
  Vec<F, 2> point;
  F distance2;
  MaskOf<F> is_at_w;
};
template <class F>
WIDEPHASE_INLINE NearestOnSegment<F> nearest_on_segment(const DifferenceVertex<F>& from,
                                                        const DifferenceVertex<F>& to) {
  const Vec<F, 2>&x = from.point, &w = to.point;
  const Vec<F, 2> along = way(from, to);
  const F along2 = dot(along, along);
  const auto is_at_w = dot(w, along) <= F(0);
  const auto is_at_x = dot(x, along) >= F(0);
  // Perpendicular to the segment by construction: a difference of points would lose the direction
  // near the origin.
  const Vec<F, 2> across = perpendicular(along);
  const F share = divide_or_zero(dot(across, x), along2);
  const Vec<F, 2> point = select(is_at_w, w, select(is_at_x, x, share * across));
  return {point, dot(point, point), is_at_w};
}

/// GJK's state of a batch of lanes: one or two vertices that hold the nearest point so far.
template <class F>
struct GjkLanes {
  using T = RealOf<F>;
  SearchLanes<F> lanes;
  DifferenceVertex<F> p, q;
  F size;  ///< 0: begins with this step; 1: p; 2: p and q
  Vec<F, 2> nearest;
  F distance2;
  F reach2;
  F steps;
};

/// Squared share of the coordinates under which a distance is no more than their rounding.
template <class F>
WIDEPHASE_INLINE F touching2() {
  return roundings<F>(8) * roundings<F>(8);
}

/// What a step of GJK has found out.
template <class F>
struct GjkStep {
  unsigned is_done;
  unsigned is_overlap;
  DifferenceVertex<F> third;  ///< of the triangle about the origin
  F size;                     ///< vertices of the simplex about (or on) the origin
};

template <class F>
WIDEPHASE_INLINE GjkStep<F> gjk_step(GjkLanes<F>& state) {
  const F zero = F(0), one = F(1), two = F(2);
  const auto begins = state.size == zero;
  const DifferenceVertex<F> w = farthest(state.lanes, -state.nearest, state.reach2);
  // How far w lies beyond the line through the nearest point, times the distance.
  const Vec<F, 2> to_w = way(state.p, w);
  const F gain = negate(dot(state.nearest, to_w));
  const auto is_known =
      (!begins) & (is_same(w, state.p) | ((state.size == two) & is_same(w, state.q)));
  const F rounding = roundings<F>(4);
  const auto is_stuck =
      (!begins) & ((gain <= zero) |
                   (gain * gain <= (rounding * rounding) * (dot(to_w, to_w) * state.distance2)));

  // The nearest point is on an edge that ends at w: to p, to q, or w itself.
  const NearestOnSegment<F> to_p = nearest_on_segment(state.p, w);
  const NearestOnSegment<F> to_q = nearest_on_segment(state.q, w);
  const auto is_q = (state.size == two) & (to_q.distance2 < to_p.distance2);
  const Vec<F, 2> point = select(begins, w.point, select(is_q, to_q.point, to_p.point));
  const F distance2 =
      select(begins, dot(w.point, w.point), select(is_q, to_q.distance2, to_p.distance2));
  const auto is_vertex = begins | select_mask<F>(is_q, to_q.is_at_w, to_p.is_at_w);

  // The origin within the triangle p, q, w: on the inner side of both new edges.
  const F orientation = cross(way(state.p, state.q), way(state.p, w));
  const F side_q = cross(way(state.q, w), -state.q.point);
  const F side_p = cross(way(w, state.p), -w.point);
  const auto is_within = (state.size == two) & (!is_known) &
                         (((orientation > zero) & (side_q >= zero) & (side_p >= zero)) |
                          ((orientation < zero) & (side_q <= zero) & (side_p <= zero)));
  const auto moves = (!is_known) & (!is_stuck) & (!is_within);

  const DifferenceVertex<F> kept = select(is_q, state.q, state.p);
  state.q = select(moves & (!is_vertex), kept, state.q);
  state.p = select(moves, w, state.p);
  state.size = select(moves, select(is_vertex, one, two), state.size);
  state.nearest = select(moves, point, state.nearest);
  state.distance2 = select(moves, distance2, state.distance2);
  state.steps = state.steps + one;

  const auto is_touching = state.distance2 <= touching2<F>() * state.reach2;
  const auto is_capped = state.steps >= F(kMostGjkSteps);
  GjkStep<F> step;
  step.is_overlap = mask_bits(is_within | is_touching);
  step.is_done = mask_bits((!moves) | is_touching | is_capped);
  step.third = w;
  step.size = select(is_within, F(3), state.size);
  return step;
}

/// The batch's lanes as numbers, for those that have ended.
template <class F>
struct VertexLanes {
  Lanes<F> x, y, ax, ay, bx, by, a, b;
  WIDEPHASE_INLINE explicit VertexLanes(const DifferenceVertex<F>& v)
      : x(v.point[0]),
        y(v.point[1]),
        ax(v.of_a[0]),
        ay(v.of_a[1]),
        bx(v.of_b[0]),
        by(v.of_b[1]),
        a(v.a),
        b(v.b) {}
};

/// A simplex of one to three vertices of the difference about the origin: where EPA begins.
template <class T>
struct OverlapSimplex {
  std::int32_t slot;
  int size;
  T x[3], y[3];
  T of_a[3][2], of_b[3][2];
  std::int16_t a[3], b[3];

  WIDEPHASE_INLINE T way(int from, int to, int axis) const {
    return (of_a[to][axis] - of_a[from][axis]) - (of_b[to][axis] - of_b[from][axis]);
  }
  template <class F>
  WIDEPHASE_INLINE void put(int place, const VertexLanes<F>& vertices, int lane) {
    x[place] = vertices.x[lane];
    y[place] = vertices.y[lane];
    of_a[place][0] = vertices.ax[lane];
    of_a[place][1] = vertices.ay[lane];
    of_b[place][0] = vertices.bx[lane];
    of_b[place][1] = vertices.by[lane];
    a[place] = static_cast<std::int16_t>(vertices.a[lane]);
    b[place] = static_cast<std::int16_t>(vertices.b[lane]);
  }
};

/// GJK for pairs 0 ... count - 1: the nearest features of those apart, a simplex of the others.
/// Returns how many overlap.
template <class F>
__attribute__((noinline)) int gjk(const OutlinePairs<RealOf<F>>& pairs, int count, bool has_blocks,
                                  NearestFeatures<RealOf<F>>& found,
                                  OverlapSimplex<RealOf<F>>* overlaps) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  GjkLanes<F> state;
  state.lanes.has_blocks = has_blocks;
  int next = 0, overlap_count = 0, live = 0;
  for (int i = 0; i < kLanes; ++i) {
    live += next < count;
    state.lanes.set(i, pairs, next < count ? next++ : -1);
  }
  const auto first_direction = [&] {
    // From A's frame origin to B's: any direction will do where they coincide.
    const Vec<F, 2> center = state.lanes.center();
    const auto is_zero = (center[0] == F(0)) & (center[1] == F(0));
    return select(is_zero, first_axis<F, 2>(), -center);
  };
  state.size = state.steps = state.distance2 = state.reach2 = F(0);
  const Vec<F, 2> origin = zero_vec<F, 2>();
  state.p = state.q = {origin, origin, origin, F(-1), F(-1)};
  state.nearest = first_direction();
  while (live > 0) {
    const GjkStep<F> step = gjk_step(state);
    unsigned ended = step.is_done;
    if (ended == 0) continue;
    const VertexLanes<F> p(state.p), q(state.q), third(step.third);
    const Lanes<F> size(step.size), steps(state.steps), x(state.nearest[0]), y(state.nearest[1]);
    T refilled[kLanes];
    for (int i = 0; i < kLanes; ++i) refilled[i] = 0;
    for (; ended != 0; ended &= ended - 1) {
      const int i = __builtin_ctz(ended);
      const std::int32_t slot = state.lanes.slot[i];
      if (slot < 0) continue;
      found.is_capped[slot] = steps[i] >= static_cast<T>(kMostGjkSteps);
      found.is_tie[slot] = false;
      const bool is_overlap = step.is_overlap >> i & 1;
      found.is_overlap[slot] = is_overlap;
      if (is_overlap) {
        OverlapSimplex<T>& simplex = overlaps[overlap_count++];
        simplex.slot = slot;
        simplex.size = static_cast<int>(size[i]);
        const VertexLanes<F>* const vertices[3] = {&p, &q, &third};
        for (int v = 0; v < 3; ++v) simplex.put(v, *vertices[v], i);
      } else {
        found.kind[slot] = size[i] > 1 ? Nearest::edge : Nearest::vertices;
        found.normal_x[slot] = T(0) - x[i];
        found.normal_y[slot] = T(0) - y[i];
        found.vertex_a[slot][0] = static_cast<std::int16_t>(p.a[i]);
        found.vertex_b[slot][0] = static_cast<std::int16_t>(p.b[i]);
        found.vertex_a[slot][1] = static_cast<std::int16_t>(q.a[i]);
        found.vertex_b[slot][1] = static_cast<std::int16_t>(q.b[i]);
      }
      live -= next >= count;
      state.lanes.set(i, pairs, next < count ? next++ : -1);
      refilled[i] = 1;
    }
    const auto begins = load(refilled) > F(0);
    state.size = select(begins, F(0), state.size);
    state.steps = select(begins, F(0), state.steps);
    state.reach2 = select(begins, F(0), state.reach2);
    state.distance2 = select(begins, F(0), state.distance2);
    state.nearest = select(begins, first_direction(), state.nearest);
  }
  return overlap_count;
}

}  // namespace
}  // namespace widephase
