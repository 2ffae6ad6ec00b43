#pragma once

// Pairs of edges of two hulls as separating axes: those that the bounds leave, on the Gauss map
// (core/hull/hull_axes3.hpp).

#include "kernels/core/gjk/gjk3.hpp"
#include "kernels/core/hull/hull_faces3.hpp"
#include "kernels/lanes/codes.hpp"

namespace widephase {
namespace {

/// Sets the codes of a hull's faces: one bit for each bound that rules out a face's edges. Answers
/// whether some edge may be left: no bound rules out all of them.
template <class F>
WIDEPHASE_INLINE bool set_codes(const BoundedHulls<F>& side, int lane, RealOf<F> best,
                                std::int16_t* codes) {
  using T = RealOf<F>;
  const HullView<T>& hull = side.hull[lane];
  const T by_ball = best - side.radius[lane];
  const Vec<T, 3> center = vec_of(side.center, lane);
  const int block_count = hull.face_block_count(), witness_count = side.witness_count[lane];
  const T* const rows = side.by_witness[lane];
  CommonBits<T> common;
  for_each_faces(block_count, [&]<int N>(int b) {
    const T* const block = hull.face_blocks() + b * HullLayout::face_block;
    const FaceRow<T, N> faces(block);
    const Row<T, N> least = row_of<N>(best), height = faces.heights(center);
    const Row<T, N> lowest =
        lesser(height, height * load_of_faces<N>(block + HullLayout::arc_share));
    // One bit for each witness that bounds a face well enough.
    CodeRow<T, N> code;
    code.set_unless_greater(row_of<N>(by_ball), lowest);
    if (rows != nullptr) {
      const T* row = rows + 8 * b;
      for (int w = 0; w < witness_count; ++w, row += 8 * block_count) {
        code.set_unless_greater(least, load_row<N>(row));
      }
    } else {
      for (int w = 0; w < witness_count; ++w) {
        code.set_unless_greater(least, faces.heights(vec_of(side.witness[w], lane)));
      }
    }
    code.store(codes + 8 * b);
    common.add(code, codes + 8 * b);
  });
  return (hull.face_count == 0) | !common.has_any();
}

/// The edges of a hull that may have a shorter exit than the best face, by the faces' codes.
/// Answers how many.
template <class T>
WIDEPHASE_INLINE int remaining_edges(const HullView<T>& hull, const std::int16_t* codes,
                                     std::int16_t* edges) {
  if (hull.face_count == 0) {
    edges[0] = 0;
    return 1;
  }
  return find_pairs_apart(codes, 8 * hull.face_block_count(), hull.edge_faces(), hull.edge_count,
                          edges);
}

/// The place of an edge's record, in eights of numbers from the side's base.
template <class F>
WIDEPHASE_INLINE std::int32_t edge_record(const BoundedHulls<F>& side, int lane, int edge) {
  const std::ptrdiff_t first = side.hull[lane].edges() - side.base;
  return static_cast<std::int32_t>(first / HullLayout::record) +
         edge * (HullLayout::edge / HullLayout::record);
}

/// The number of an edge, from its record.
template <class F>
WIDEPHASE_INLINE int edge_number(const BoundedHulls<F>& side, int lane, std::int32_t record) {
  return (record - edge_record(side, lane, 0)) / (HullLayout::edge / HullLayout::record);
}

/// Pairs of edges that are evaluated together.
template <class F>
struct EdgePairs {
  static constexpr int lanes = LaneTraits<F>::count;
  static constexpr int most = 32 * lanes;
  int count;
  std::int32_t pair[most];       ///< of hulls: the row of its frame
  std::int32_t record[2][most];  ///< in eights of numbers from the side's base

  /// Fills up the last batch with copies of the last pair of edges.
  WIDEPHASE_INLINE void fill() {
    for (int at = count; at % lanes != 0; ++at) {
      pair[at] = pair[count - 1];
      for (auto& records : record) records[at] = records[count - 1];
    }
  }
};

/// Edges as lines, from their records.
template <class F>
struct HullEdgeLines {
  Vec<F, 3> from;
  Vec<F, 3> along;
  Vec<F, 3> left, right;  ///< normals of their faces
  F left_gap, right_gap;  ///< of these faces

  template <class T>
  WIDEPHASE_INLINE HullEdgeLines(const T* base, const std::int32_t* record) {
    constexpr int kLanes = LaneTraits<F>::count;
    std::int32_t last[kLanes];
    for (int i = 0; i < kLanes; ++i) last[i] = record[i] + 1;
    F ends[8], others[8];
    load_quads<2, 1>(base, record, ends);
    load_quads<2, 1>(base, last, others);
    from = {{ends[0], ends[1], ends[2]}};
    along = Vec<F, 3>{{ends[3], ends[4], ends[5]}} - from;
    left = {{ends[6], ends[7], others[0]}};
    right = {{others[1], others[2], others[3]}};
    left_gap = others[HullLayout::edge_gaps - HullLayout::record];
    right_gap = others[HullLayout::edge_gaps - HullLayout::record + 1];
  }
};

/// The frames of B's hulls in A's, one row per pair, and the overlap that edges must beat.
template <class F>
struct FrameRows {
  using T = RealOf<F>;
  T row[SearchedPairs<F>::most * 16];

  WIDEPHASE_INLINE void set(int i, const LaneFrames<F>& frames, int lane, T most) {
    T* const to = row + 16 * i;
    for (int k = 0; k < 9; ++k) to[k] = frames.turn[k / 3][k % 3][lane];
    for (int k = 0; k < 3; ++k) to[9 + k] = frames.origin[k][lane];
    to[12] = most;
  }
};

/// Edges that beat a face by no more than this count as the face.
template <class T>
WIDEPHASE_INLINE T edge_rounding(T size) {
  return 16 * kRounding<T> * size;
}

/// An arc of the Gauss map, from the normal of one face of an edge to the other's, and the plane
/// perpendicular to an edge of the other hull.
template <class F>
struct ArcAndPlane {
  F of_left, of_right;  ///< how far the normals are off the plane, times the other edge's length
  F own_lean;           ///< how far the normals lean along their own edge
  F own_length, other_length;

  WIDEPHASE_INLINE ArcAndPlane(const Vec<F, 3>& left, const Vec<F, 3>& right, const Vec<F, 3>& own,
                               const Vec<F, 3>& other, const F& length, const F& length_of_other)
      : of_left(dot(left, other)),
        of_right(dot(right, other)),
        own_lean(divide(greater(abs(dot(left, own)), abs(dot(right, own))), length)),
        own_length(length),
        other_length(length_of_other) {}

  /// Whether the arc crosses the plane. An arc that ends near the plane may cross it. Faces are
  /// planar only up to rounding, so their normals may be as far off that plane as they lean along
  /// their own edge.
  WIDEPHASE_INLINE MaskOf<F> may_cross() const {
    const F slack = other_length * (F(2) * own_lean + roundings<F>(4));
    return (lesser(of_left, of_right) <= slack) & (greater(of_left, of_right) >= negate(slack));
  }
  /// How far all other vertices of the edge's hull are below the edge, at least, along the normal
  /// in which the arc crosses the plane; 0 if rounding could tell otherwise.
  ///
  /// This normal is a * left + b * right with a >= |r| / (|l| + |r|) and b >= |l| / (|l| + |r|),
  /// for l and r the distances of left and right from the plane, on its two sides. A vertex is
  /// below one of the faces by its gap at least, and not above the other one. The faces of a sharp
  /// edge look away from each other, so rounding could turn the normal inwards. A segment has no
  /// other vertices.
  WIDEPHASE_INLINE F gap_below(const Vec<F, 3>& left, const Vec<F, 3>& right, const F& left_gap,
                               const F& right_gap, const Vec<F, 3>& own,
                               const Vec<F, 3>& normal) const {
    const F l = abs(of_left), r = abs(of_right), rounding = roundings<F>(8) * other_length;
    const F gap = divide(lesser((r - rounding) * left_gap, (l - rounding) * right_gap), l + r);
    const auto is_outward =
        r * dot(left, normal) + l * dot(right, normal) >= F(RealOf<F>(0.0625)) * (l + r);
    const F lean = own_lean + divide(abs(dot(normal, own)), own_length);
    const auto has_others = left_gap < F(kLargest<RealOf<F>>);
    const F below =
        select(has_others, select((of_left * of_right < F(0)) & is_outward, gap, F(0)), left_gap);
    return select(lean <= roundings<F>(8), below, F(0));
  }
};

/// Overlaps along the cross products of pairs of edges.
template <class F>
struct EdgeOverlaps {
  MaskOf<F> meets;  ///< on the Gauss map, and the overlap is below the limit given
  F overlap;
  Vec<F, 3> normal;  ///< out of A, in A's frame
  Vec<F, 3> point;   ///< A's point nearest to B's edge
  F gap;             ///< all other vertices are below their hull's edge by as much
};

template <class F>
WIDEPHASE_INLINE EdgeOverlaps<F> edge_overlaps(const EdgePairs<F>& edges, int first,
                                               const FrameRows<F>& frames,
                                               const HullSearch<F>& search) {
  F frame[16];
  load_quads<4, 1>(frames.row, edges.pair + first, frame);
  const Rotation3<F> turn{{{{frame[0], frame[1], frame[2]}},
                           {{frame[3], frame[4], frame[5]}},
                           {{frame[6], frame[7], frame[8]}}}};
  const Vec<F, 3> origin{{frame[9], frame[10], frame[11]}};
  const HullEdgeLines<F> a(search.side[0].base, edges.record[0] + first);
  const HullEdgeLines<F> in_b(search.side[1].base, edges.record[1] + first);
  const F zero = F(0);
  const Vec<F, 3> along = rotate(turn, in_b.along);
  const Vec<F, 3> left = rotate(turn, in_b.left), right = rotate(turn, in_b.right);
  const Vec<F, 3> across = across_both(a.along, along);
  // Outwards from A, and into B.
  const Vec<F, 3> out_a = a.left + a.right, out_b = left + right;
  const Vec<F, 3> n = select(dot(across, out_a - out_b) < zero, -across, across);
  const F n2 = dot(n, n);
  const F length_a = length(a.along), length_b = length(along);
  const ArcAndPlane<F> arc_a(a.left, a.right, a.along, along, length_a, length_b);
  const ArcAndPlane<F> arc_b(left, right, along, a.along, length_b, length_a);
  const auto meets = arc_a.may_cross() & arc_b.may_cross() & (dot(n, out_b) < zero) &
                     (dot(n, out_a) >= zero) &
                     (n2 > parallel_sin2<F>() * (dot(a.along, a.along) * dot(along, along)));
  const Vec<F, 3> from = origin + rotate(turn, in_b.from);
  const F size = sqrt(n2);
  const Vec<F, 3> crossed = cross(a.along, along);
  const F share = divide(dot(cross(from - a.from, along), crossed), dot(crossed, crossed));
  const Vec<F, 3> normal = n / size;
  const F gap = lesser(arc_a.gap_below(a.left, a.right, a.left_gap, a.right_gap, a.along, normal),
                       arc_b.gap_below(left, right, in_b.left_gap, in_b.right_gap, along, -normal));
  EdgeOverlaps<F> found{meets, divide(dot(n, a.from - from), size), normal,
                        a.from + clamp(share, zero, F(1)) * a.along, gap};
  found.meets = found.meets & (found.overlap < frame[12]);
  return found;
}

/// Whether edges that meet are outermost in their hulls, if the gaps of their faces do not say so:
/// support points check what rounding says of the Gauss map.
template <class F>
struct OutermostEdges {
  using T = RealOf<F>;
  bool are_outermost;
  T overlap;       ///< of the hulls along the normal
  bool are_alone;  ///< told apart from all other features of their hulls by more than rounding

  WIDEPHASE_INLINE OutermostEdges(const HullSearch<F>& search, int i, const Vec<T, 3>& normal,
                                  T most, T slack, int edge_a, int edge_b) {
    const LaneFrames<F>& other = search.side[0].other;
    const HullView<T>&hull_a = search.side[0].hull[i], &hull_b = search.side[1].hull[i];
    const LevelVertices<T> level_a(hull_a, normal, slack);
    const LevelVertices<T> level_b(hull_b, -rotate_back(other.turn_of(i), normal), slack);
    const Vec<T, 3> of_a = hull_a.vertex(level_a.number);
    const Vec<T, 3> of_b =
        other.origin_of(i) + rotate(other.turn_of(i), hull_b.vertex(level_b.number));
    overlap = dot(normal, of_a - of_b);
    are_outermost = overlap <= most;
    are_alone = level_a.count == 2 && level_b.count == 2 && level_a.has_edge(hull_a, edge_a) &&
                level_b.has_edge(hull_b, edge_b);
  }
};

/// The ones of `EdgePairs` that meet.
template <class F>
struct MeetingEdges {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  static constexpr int room = EdgePairs<F>::most + lanes;
  int count;
  T number[room];  ///< among the pairs of edges
  T overlap[room], normal[3][room], point[3][room], gap[room];

  WIDEPHASE_INLINE void add(int first, const EdgeOverlaps<F>& found, unsigned live) {
    T numbers[lanes];
    for (int i = 0; i < lanes; ++i) numbers[i] = static_cast<T>(first + i);
    const Compressor<T> meeting(mask_bits(found.meets) & live);
    meeting.store(number + count, load(numbers));
    meeting.store(overlap + count, found.overlap);
    meeting.store(gap + count, found.gap);
    for (int k = 0; k < 3; ++k) {
      meeting.store(normal[k] + count, found.normal[k]);
      meeting.store(point[k] + count, found.point[k]);
    }
    count += meeting.count();
  }
};

/// The edges that the bounds leave, of pairs of hulls that have some of both.
template <class F>
struct RemainingEdges {
  struct Hulls {
    int pair;
    int count[2];
    std::int32_t record[2];         ///< of the first edge
    const std::int16_t* number[2];  ///< of the edges that are left
  };
  static constexpr int most = 4 * (kMostEdges + kCodesBeyond);  ///< of two pairs at least
  int count, product_count, used;
  Hulls hulls[SearchedPairs<F>::most];
  std::int16_t numbers[most];

  WIDEPHASE_INLINE void clear() { count = product_count = used = 0; }
  WIDEPHASE_INLINE bool has_room(int edge_count) const {
    return used + edge_count + 2 * kCodesBeyond <= most;
  }
};

/// Memory for evaluating edges, too large for a stack.
template <class F>
struct EdgesRoom {
  FrameRows<F> frames;
  std::int16_t codes[BoundsRoom<F>::size];  ///< there are no more faces than bounds
  RemainingEdges<F> remaining;
  EdgePairs<F> pairs;
  MeetingEdges<F> meeting;
};

/// Takes pairs of edges whose exit is shorter than the best. How many meet is hard to predict, so
/// all are computed before any is looked at.
template <class F>
__attribute__((noinline)) void ask_edges(const SearchedPairs<F>& pairs, EdgesRoom<F>& room,
                                         LaneCounter<F>& counter) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  EdgePairs<F>& edges = room.pairs;
  MeetingEdges<F>& meeting = room.meeting;
  edges.fill();
  meeting.count = 0;
  for (int first = 0; first < edges.count; first += kLanes) {
    const int count = edges.count - first < kLanes ? edges.count - first : kLanes;
    counter.add_queue(count);
    meeting.add(first, edge_overlaps(edges, first, room.frames, *pairs.place[0].search),
                count < kLanes ? (1u << count) - 1u : ~0u);
  }
  for (int n = 0; n < meeting.count; ++n) {
    const int at = static_cast<int>(meeting.number[n]);
    const auto [search, i] = pairs.place[edges.pair[at]];
    HullAxes<F>& axis = search->axis;
    const T size = search->size[i], rounding = edge_rounding(size);
    T overlap = meeting.overlap[n];
    const T least = axis.is_edge[i] > 0 ? axis.overlap[i] : axis.overlap[i] - rounding;
    if (!(overlap < least)) continue;
    const int edge_a = edge_number(search->side[0], i, edges.record[0][at]);
    const int edge_b = edge_number(search->side[1], i, edges.record[1][at]);
    const Vec<T, 3> normal{{meeting.normal[0][n], meeting.normal[1][n], meeting.normal[2][n]}};
    bool are_alone = meeting.gap[n] > 4 * flush_slack(size);
    if (!are_alone) {
      const OutermostEdges<F> found(*search, i, normal, overlap + 2 * rounding, flush_slack(size),
                                    edge_a, edge_b);
      // Edges that are nearly parallel, or not quite outermost, overlap by less than their hulls
      // do. Only what the hulls do is the same whichever edges the bounds have left.
      if (!found.are_outermost || !(found.overlap < least)) continue;
      if (found.overlap > overlap + T(0.25) * rounding) overlap = found.overlap;
      are_alone = found.are_alone;
    }
    axis.overlap.number[i] = overlap;
    axis.is_edge.number[i] = 1;
    axis.is_tie.number[i] = 0;
    axis.is_alone.number[i] = are_alone ? T(1) : T(0);
    axis.edge_a.number[i] = static_cast<T>(edge_a);
    axis.edge_b.number[i] = static_cast<T>(edge_b);
    for (int k = 0; k < 3; ++k) {
      axis.normal[k].number[i] = normal[k];
      axis.point[k].number[i] = meeting.point[k][n];
    }
  }
  edges.count = 0;
}

/// Takes all pairs of edges that are left.
template <class F>
WIDEPHASE_INLINE void add_products(const SearchedPairs<F>& pairs, EdgesRoom<F>& room,
                                   LaneCounter<F>& counter) {
  RemainingEdges<F>& remaining = room.remaining;
  EdgePairs<F>& edges = room.pairs;
  constexpr int kRecords = HullLayout::edge / HullLayout::record;
  // One loop over all: how many a pair of hulls has is hard to predict.
  int at[2] = {0, 0};
  const typename RemainingEdges<F>::Hulls* hulls = remaining.hulls;
  for (int left = remaining.product_count; left > 0; --left) {
    const BoundedHulls<F>(&sides)[2] = pairs.place[hulls->pair].search->side;
    edges.pair[edges.count] = hulls->pair;
    for (int s = 0; s < 2; ++s) {
      const std::int32_t record = hulls->record[s] + kRecords * hulls->number[s][at[s]];
      edges.record[s][edges.count] = record;
      // These records are read when all pairs of edges are known.
      __builtin_prefetch(sides[s].base + HullLayout::record * record);
    }
    ++edges.count;
    const bool is_last_b = ++at[1] == hulls->count[1];
    at[0] += is_last_b ? 1 : 0;
    at[1] = is_last_b ? 0 : at[1];
    const bool is_last = at[0] == hulls->count[0];
    at[0] = is_last ? 0 : at[0];
    hulls += is_last ? 1 : 0;
    if (edges.count == EdgePairs<F>::most) ask_edges(pairs, room, counter);
  }
  remaining.clear();
}

/// Evaluates the edges of pairs that overlap along the normals of all their faces.
template <class F>
WIDEPHASE_INLINE void ask_all_edges(const SearchedPairs<F>& pairs, EdgesRoom<F>& room,
                                    LaneCounter<F>& counter) {
  using T = RealOf<F>;
  struct WithEdges {
    int pair;
    const std::int16_t* codes;
  } with_edges[SearchedPairs<F>::most];
  int count = 0;
  // Stores the codes of all pairs before any is read: a value that is stored in halves cannot be
  // read as a whole at once.
  std::int16_t* free = room.codes;
  for (int n = 0; n < pairs.count; ++n) {
    const auto [search, i] = pairs.place[n];
    const T best = lesser_of(search->axis.overlap[i], search->most[i]);
    with_edges[count] = {n, free};
    bool has_edges = true;
    for (const BoundedHulls<F>& side : search->side) {
      has_edges &= set_codes(side, i, best, free);
      free += 8 * side.hull[i].face_block_count();
    }
    count += has_edges ? 1 : 0;
  }
  room.pairs.count = 0;
  RemainingEdges<F>& remaining = room.remaining;
  remaining.clear();
  for (int k = 0; k < count; ++k) {
    const auto [n, of_a] = with_edges[k];
    const auto [search, i] = pairs.place[n];
    const BoundedHulls<F>(&sides)[2] = search->side;
    const HullView<T>&hull_a = sides[0].hull[i], &hull_b = sides[1].hull[i];
    if (!remaining.has_room(hull_a.edge_count + hull_b.edge_count)) {
      add_products(pairs, room, counter);
    }
    room.frames.set(n, sides[0].other, i, search->axis.overlap[i]);
    std::int16_t* const first = remaining.numbers + remaining.used;
    const int count_a = remaining_edges(hull_a, of_a, first);
    const int count_b =
        remaining_edges(hull_b, of_a + 8 * hull_a.face_block_count(), first + count_a);
    remaining.hulls[remaining.count] = {n,
                                        {count_a, count_b},
                                        {edge_record(sides[0], i, 0), edge_record(sides[1], i, 0)},
                                        {first, first + count_a}};
    const int products = count_a * count_b;
    remaining.count += products > 0 ? 1 : 0;
    remaining.used += products > 0 ? count_a + count_b : 0;
    remaining.product_count += products;
  }
  add_products(pairs, room, counter);
  if (room.pairs.count > 0) ask_edges(pairs, room, counter);
}

}  // namespace
}  // namespace widephase
