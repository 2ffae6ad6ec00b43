#pragma once

// Polygons with faces or vertices in lanes: a pair at a time, eight faces (vertices) of a polygon
// in an Eight, one number a face into a small table; the tables of a batch of pairs are then
// reduced together, with pairs in lanes. Rotating eight normals into the other's frame costs less
// than transforming vertices, and rows of all faces of many pairs would cost more to transpose
// than to test.

#include "kernels/core/basis/eights.hpp"
#include "kernels/core/polygon/edge_manifold.hpp"

namespace widephase {
namespace {

/// Where the polygons of a batch lie. Structures refer to it: what shares one with an array that
/// is read a lane at a time would stay in memory as well.
template <class F>
struct PolygonPlaces {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  const T* library;
  Lanes<F> place_bits;
  Lanes<F> count_bits;
  bool has_flat = false;  ///< whether one has corners that are nearly flat

  WIDEPHASE_INLINE PolygonPlaces(const T* polygons, const F& places, const F& counts)
      : library(polygons), place_bits(places), count_bits(counts) {
    for (int i = 0; i < lanes; ++i) {
      has_flat |= integer_in(count_bits[i]) >= PolygonLayout::flat;
    }
  }
  WIDEPHASE_INLINE explicit PolygonPlaces(const PolygonLanes<F>& polygon)
      : PolygonPlaces(polygon.library, polygon.place, polygon.counts) {}
  WIDEPHASE_INLINE int place(int lane) const { return integer_in(place_bits[lane]); }
  WIDEPHASE_INLINE int count(int lane) const {
    return PolygonLayout::vertex_count(integer_in(count_bits[lane]));
  }
  WIDEPHASE_INLINE int block_count(int lane) const {
    return PolygonLayout::block_count(count(lane));
  }
  WIDEPHASE_INLINE const T* blocks(int lane) const {
    return library + std::ptrdiff_t{PolygonLayout::record} * place(lane);
  }
  /// The place of a lane's first edge.
  WIDEPHASE_INLINE int edges(int lane) const {
    return place(lane) + block_count(lane) * (PolygonLayout::block / PolygonLayout::record);
  }
  /// The candidates of a lane's polygon for a sector of directions, or null.
  WIDEPHASE_INLINE const T* candidates(int lane, int sector) const {
    const int vertices = count(lane);
    if (vertices < PolygonLayout::least_with_sectors) return nullptr;
    return library + std::ptrdiff_t{PolygonLayout::record} * (edges(lane) + vertices) +
           sector * PolygonLayout::sector;
  }
  /// Vertices.
  WIDEPHASE_INLINE F counts() const {
    T numbers[lanes];
    for (int i = 0; i < lanes; ++i) numbers[i] = static_cast<T>(count(i));
    return load(numbers);
  }
};

/// The number of a vertex or face that the polygon has: where some of its numbers are none, what
/// fills up a block may seem the greatest.
template <class F>
WIDEPHASE_INLINE F own_number(const PolygonPlaces<F>& places, const F& number) {
  return select(number < places.counts(), number, F(0));
}
template <bool HasTies, class F, class Op>
__attribute__((noinline)) Greatest<F> greatest_over_blocks(const PolygonPlaces<F>& places,
                                                           const Op& op) {
  Candidates<F, HasTies> candidates;
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    collect(
        i, places.block_count(i), places.blocks(i),
        [&](const RealOf<F>* block) __attribute__((always_inline)) { return op(i, block); },
        candidates);
  }
  Greatest<F> best = greatest_of(candidates);
  best.number = own_number(places, best.number);
  return best;
}
/// The greatest that `op(lane, block)` gives for the blocks of each lane's polygon, and where.
template <bool HasTies = true, class F, class Op>
WIDEPHASE_INLINE Greatest<F> greatest_over(const PolygonPlaces<F>& places, bool has_blocks,
                                           const Op& op) {
  if (has_blocks) return greatest_over_blocks<HasTies>(places, op);
  EightValues<F> values;
  for (int i = 0; i < LaneTraits<F>::count; ++i) values.set(i, op(i, places.blocks(i)));
  return greatest_of(values);
}

/// The sector of a direction (`PolygonLayout::sectors`).
template <class F>
WIDEPHASE_INLINE F sector_of(const Vec<F, 2>& direction) {
  using T = RealOf<F>;
  const F zero = F(0), x = abs(direction[0]), y = abs(direction[1]);
  const F slope = F(static_cast<T>(PolygonLayout::sector_slope));
  return (select(direction[1] < zero, F(8), zero) + select(direction[0] < zero, F(4), zero)) +
         (select(y > x, F(2), zero) + select(lesser(x, y) > slope * greater(x, y), F(1), zero));
}
/// A vertex of each lane's polygon.
template <class F>
struct FarthestVertex {
  F height;
  F number;
  Vec<F, 2> point;
};
/// The farthest of all vertices of a lane's polygon, as the first of eight candidates, for a sector
/// that has none; and their heights.
template <class F>
__attribute__((noinline)) void find_candidate(const PolygonPlaces<F>& places, int lane, RealOf<F> x,
                                              RealOf<F> y,
                                              RealOf<F> (&candidates)[PolygonLayout::sector],
                                              RealOf<F>* heights) {
  using T = RealOf<F>;
  const T* const blocks = places.blocks(lane);
  const auto height = [&](const T* block) __attribute__((always_inline)) {
    return load_eight(block + PolygonLayout::vertex_x) * eight_of(x) +
           load_eight(block + PolygonLayout::vertex_y) * eight_of(y);
  };
  GreatestOf<T> best(height(blocks));
  for (int block = 1; block < places.block_count(lane); ++block) {
    best.add(height(blocks + block * PolygonLayout::block));
  }
  const T most = best.greatest();
  // Where some heights are no numbers, what fills up a block may seem the greatest.
  const int number = best.number_of(most);
  const int farthest = number < places.count(lane) ? number : 0;
  const T* const at = blocks + farthest / 8 * PolygonLayout::block + farthest % 8;
  candidates[PolygonLayout::sector_x] = at[PolygonLayout::vertex_x];
  candidates[PolygonLayout::sector_y] = at[PolygonLayout::vertex_y];
  candidates[PolygonLayout::sector_number] = static_cast<T>(farthest);
  heights[0] = most;
  for (int k = 1; k < 8; ++k) heights[k] = -kLargest<T>;
}
/// The vertices of the lanes in `lanes` that are farthest along a direction of their polygon's
/// frame, the lowest of equals.
template <class F>
WIDEPHASE_INLINE FarthestVertex<F> farthest_in_sectors(const PolygonPlaces<F>& places,
                                                       unsigned lanes, const Vec<F, 2>& direction) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  const Lanes<F> x(direction[0]), y(direction[1]), sectors(sector_of(direction));
  const T* candidates[kLanes];
  T found[kLanes][PolygonLayout::sector];
  EightValues<F> heights{};
  for (unsigned left = lanes; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const T* const at = places.candidates(i, static_cast<int>(sectors[i]));
    if (at == nullptr || at[PolygonLayout::sector_number] < T(0)) {
      find_candidate(places, i, x[i], y[i], found[i], heights.value + i * 8);
      candidates[i] = found[i];
      continue;
    }
    heights.set(i, load_eight(at + PolygonLayout::sector_x) * eight_of(x[i]) +
                       load_eight(at + PolygonLayout::sector_y) * eight_of(y[i]));
    candidates[i] = at;
  }
  const Greatest<F> greatest = greatest_of(heights);
  const Lanes<F> places_found(greatest.number);
  T number[kLanes] = {}, at_x[kLanes] = {}, at_y[kLanes] = {};
  for (unsigned left = lanes; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const T* const at = candidates[i] + static_cast<int>(places_found[i]);
    number[i] = at[PolygonLayout::sector_number];
    at_x[i] = at[PolygonLayout::sector_x];
    at_y[i] = at[PolygonLayout::sector_y];
  }
  return {greatest.value, load(number), {{load(at_x), load(at_y)}}};
}

/// The least and the greatest number of each lane's polygon.
template <class F>
struct Extent {
  F low;
  F high;
};
template <class F, class Op>
__attribute__((noinline)) Extent<F> extent_over_blocks(const PolygonPlaces<F>& places,
                                                       const Op& op) {
  using T = RealOf<F>;
  EightValues<F> lows, highs;
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    const T* const blocks = places.blocks(i);
    Eight<T> low = op(i, blocks), high = low;
    for (int block = 1; block < places.block_count(i); ++block) {
      const Eight<T> more = op(i, blocks + block * PolygonLayout::block);
      low = lesser(low, more);
      high = greater(high, more);
    }
    lows.set(i, low);
    highs.set(i, high);
  }
  F low[8], high[8];
  load_eights<F>(lows.value, low);
  load_eights<F>(highs.value, high);
  return {least_of(low), greatest_of(high)};
}
/// The extent of each lane's polygon along a direction of its frame.
template <class F>
WIDEPHASE_INLINE Extent<F> extent_over(const PolygonPlaces<F>& places, bool has_blocks,
                                       const Vec<F, 2>& direction) {
  using T = RealOf<F>;
  const Lanes<F> x(direction[0]), y(direction[1]);
  const auto along = [&](int i, const T* block) __attribute__((always_inline)) {
    return load_eight(block + PolygonLayout::vertex_x) * eight_of(x[i]) +
           load_eight(block + PolygonLayout::vertex_y) * eight_of(y[i]);
  };
  if (has_blocks) return extent_over_blocks(places, along);
  EightValues<F> values;
  for (int i = 0; i < LaneTraits<F>::count; ++i) values.set(i, along(i, places.blocks(i)));
  F value[8];
  load_eights<F>(values.value, value);
  return {least_of(value), greatest_of(value)};
}

/// Edges by number: a lane its polygon's edge, in the polygon's own frame.
template <class F>
WIDEPHASE_INLINE EdgeLanes<F> polygon_edge(const PolygonPlaces<F>& places, const F& number) {
  constexpr int kLanes = LaneTraits<F>::count;
  const Lanes<F> numbers(number);
  std::int32_t index[kLanes];
  for (int i = 0; i < kLanes; ++i) index[i] = places.edges(i) + static_cast<int>(numbers[i]);
  F row[8];
  load_quads<2, 1>(places.library, index, row);
  const F after = number + F(1);
  const F next = select(after == places.counts(), F(0), after);
  return {{{row[0], row[1]}},   {{row[2], row[3]}},     {{row[4], row[5]}},
          edge_feature(number), vertex_feature(number), vertex_feature(next)};
}

/// The same out of line: for what is seldom asked, and for kernels that ask for many.
template <class F>
__attribute__((noinline)) EdgeLanes<F> polygon_edge_apart(const PolygonPlaces<F>& places,
                                                          F number) {
  return polygon_edge(places, number);
}

/// The number of the edge after (before, where the lane is not `is_next`).
template <class F>
WIDEPHASE_INLINE F neighbor_number(const PolygonPlaces<F>& places, const F& number,
                                   const MaskOf<F>& is_next) {
  const F count = places.counts();
  const F moved = number + select(is_next, F(1), F(-1));
  return select(moved < F(0), count - F(1), select(moved >= count, F(0), moved));
}

/// Vertices of the batch's largest polygon.
template <class F>
WIDEPHASE_INLINE int most_vertices(const PolygonPlaces<F>& places) {
  int most = 0;
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    most = most > places.count(i) ? most : places.count(i);
  }
  return most;
}
/// Whether a polygon of the batch has more than eight vertices.
template <class F>
WIDEPHASE_INLINE bool has_blocks(const PolygonPlaces<F>& places) {
  return most_vertices(places) > 8;
}

/// A number of an edge's record.
template <class F>
__attribute__((noinline)) F record_number(const PolygonPlaces<F>& places, const F& edge, int at) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  const Lanes<F> edges(edge);
  T numbers[kLanes];
  for (int i = 0; i < kLanes; ++i) {
    const T* const records = places.blocks(i) + places.block_count(i) * PolygonLayout::block;
    numbers[i] = records[static_cast<int>(edges[i]) * PolygonLayout::record + at];
  }
  return load(numbers);
}

/// Edges from one to another, counter-clockwise.
template <class F>
struct EdgeRange {
  F first;
  F last;
};
/// The number of the edge after (before, where the lane is not `is_next`).
template <class F>
WIDEPHASE_INLINE F neighbor_number(const PolygonPlaces<F>& places, const EdgeRange<F>& edges,
                                   const MaskOf<F>& is_next) {
  return neighbor_number(places, select(is_next, edges.last, edges.first), is_next);
}

/// An edge with those that are level with it but for rounding, as one: which of them is the nearest
/// to a shape `far` away is rounding's choice where all up to there move the line by no more than
/// that distance rounds, and then the shape may be beyond the end of them all. Normal and feature
/// are the edge's.
template <class F>
__attribute__((noinline)) EdgeRange<F> join_level_edges(const PolygonPlaces<F>& places,
                                                        const F& number, const F& far,
                                                        EdgeLanes<F>& edge) {
  const F zero = F(0);
  const F rounding = roundings<F>(16) * far +
                     roundings<F>(4) * (coordinate_size(edge.p) + coordinate_size(edge.q));
  EdgeRange<F> range{number, number};
  for (const bool is_next : {true, false}) {
    F& end = is_next ? range.last : range.first;
    F fall = zero;
    auto is_open = zero == zero;
    for (int step = 0; step < most_vertices(places); ++step) {
      const F after = neighbor_number(places, end, F(is_next ? 1 : 0) > zero);
      const EdgeLanes<F> next = polygon_edge_apart(places, after);
      fall = fall + abs(cross(edge.normal, next.normal)) * coordinate_size(next.q - next.p);
      is_open = is_open &
                (record_number(places, is_next ? end : after, PolygonLayout::flat_after) > zero) &
                (fall <= rounding) & (dot(edge.normal, next.normal) > zero);
      if (!any<F>(is_open)) break;
      end = select(is_open, after, end);
      if (is_next) {
        edge.q = select(is_open, next.q, edge.q);
        edge.feature_q = select(is_open, next.feature_q, edge.feature_q);
      } else {
        edge.p = select(is_open, next.p, edge.p);
        edge.feature_p = select(is_open, next.feature_p, edge.feature_p);
      }
    }
  }
  return range;
}
/// The edge of a number, joined so.
template <class F>
WIDEPHASE_INLINE EdgeRange<F> level_edges(const PolygonPlaces<F>& places, const F& number,
                                          const F& far, EdgeLanes<F>& edge) {
  edge = polygon_edge(places, number);
  if (!places.has_flat) return {number, number};
  // Copies for the call: what others keep in registers is not to have an address.
  const F first = number, distance = far;
  EdgeLanes<F> joined = edge;
  const EdgeRange<F> range = join_level_edges(places, first, distance, joined);
  edge = joined;
  return range;
}

/// The edge that another outline's nearest (deepest) point lies over: of edges that are nearly
/// level rounding may choose one whose end that point lies beyond. `opposed(normal)` gives the
/// other outline's edge most opposed to a normal, in the polygon's frame.
template <class F, class Opposed>
__attribute__((noinline)) F edge_below(const PolygonPlaces<F>& places, F number, const F& far,
                                       const Opposed& opposed) {
  const F zero = F(0);
  const F rounding = roundings<F>(16) * far;
  struct Over {
    EdgeLanes<F> edge;
    F height;
    F past_q, past_p;  ///< how far the lowest point lies beyond the ends, above 0 where it does
  };
  const auto over = [&](const F& of) {
    const EdgeLanes<F> edge = polygon_edge_apart(places, of);
    const EdgeLanes<F> other = opposed(edge.normal);
    const F height_p = dot(edge.normal, other.p - edge.p);
    const F height_q = dot(edge.normal, other.q - edge.p);
    const Vec<F, 2> lowest = select(height_q < height_p, other.q, other.p);
    const Vec<F, 2> along = perpendicular(edge.normal);
    return Over{edge, lesser(height_p, height_q), dot(along, lowest - edge.q),
                dot(along, edge.p - lowest)};
  };
  Over now = over(number);
  auto is_open = zero == zero;
  for (int step = 0; step < most_vertices(places); ++step) {
    const auto is_next = now.past_q > zero;
    const auto is_previous = now.past_p > zero;
    const F after = neighbor_number(places, number, is_next);
    const F corner =
        record_number(places, select(is_next, number, after), PolygonLayout::flat_after);
    is_open = is_open & (is_next | is_previous) & (corner > zero);
    if (!any<F>(is_open)) break;
    // Between the normals of both edges it is the corner that is nearest.
    const Over next = over(after);
    is_open = is_open & (next.height >= now.height - rounding) &
              (select(is_next, next.past_p, next.past_q) < zero);
    number = select(is_open, after, number);
    now.height = select(is_open, next.height, now.height);
    now.past_q = select(is_open, next.past_q, now.past_q);
    now.past_p = select(is_open, next.past_p, now.past_p);
  }
  return number;
}

/// The edge that faces a reference edge of another outline: of edges that are nearly level the most
/// opposed may lie beyond an end of that one. `edge_of(number)` gives the polygon's edges in the
/// frame of the reference edge.
template <class F, class EdgeOf>
__attribute__((noinline)) F edge_across(const PolygonPlaces<F>& places, F number, const F& far,
                                        const EdgeLanes<F>& reference, const EdgeOf& edge_of) {
  const F zero = F(0);
  const Vec<F, 2> along = perpendicular(reference.normal);
  const F end = dot(along, reference.q - reference.p);
  const F middle = F(static_cast<RealOf<F>>(0.5)) * end;
  const F rounding = roundings<F>(16) * far;
  auto is_open = zero == zero;
  for (int step = 0; step < most_vertices(places); ++step) {
    const EdgeLanes<F> edge = edge_of(number);
    const Vec<F, 2> to_p = edge.p - reference.p, to_q = edge.q - reference.p;
    const F place_p = dot(along, to_p), place_q = dot(along, to_q);
    const F fall = dot(reference.normal, to_p - to_q);
    const auto is_past = (lesser(place_p, place_q) > end) | (greater(place_p, place_q) < zero);
    // On over the end that is nearest: what follows is then no farther.
    const auto is_next =
        is_past & (fall >= negate(rounding)) & (abs(place_q - middle) <= abs(place_p - middle));
    const auto is_previous =
        is_past & (fall <= rounding) & (abs(place_p - middle) < abs(place_q - middle));
    const F after = neighbor_number(places, number, is_next);
    const F corner =
        record_number(places, select(is_next, number, after), PolygonLayout::flat_after);
    is_open = is_open & (is_next | is_previous) & (corner > zero);
    if (!any<F>(is_open)) break;
    number = select(is_open, after, number);
  }
  return number;
}

/// The feature of the edge of a range that a point on them, in the polygon's frame, lies on.
template <class F>
__attribute__((noinline)) F level_edge_feature(const PolygonPlaces<F>& places,
                                               const EdgeRange<F>& range, const Vec<F, 2>& point) {
  const F zero = F(0);
  F number = range.first;
  auto is_open = zero == zero;
  for (int step = 0; step < most_vertices(places); ++step) {
    const EdgeLanes<F> edge = polygon_edge_apart(places, number);
    is_open = is_open & !(number == range.last) &
              (dot(perpendicular(edge.normal), point - edge.q) > zero);
    if (!any<F>(is_open)) break;
    number = select(is_open, neighbor_number(places, number, zero == zero), number);
  }
  return edge_feature(number);
}

/// Where a frame lies in another one.
template <class F>
struct Placement {
  Rotation<F> turn;
  Vec<F, 2> center;
};
template <class F>
WIDEPHASE_INLINE Placement<F> select(const MaskOf<F>& mask, const Placement<F>& yes,
                                     const Placement<F>& no) {
  return {select(mask, yes.turn, no.turn), select(mask, yes.center, no.center)};
}
template <class F>
WIDEPHASE_INLINE Placement<F> not_moved() {
  return {{F(1), F(0)}, zero_vec<F, 2>()};
}

template <class F>
WIDEPHASE_INLINE EdgeLanes<F> placed(const EdgeLanes<F>& edge, const Placement<F>& at) {
  return {at.center + rotate(at.turn, edge.p),
          at.center + rotate(at.turn, edge.q),
          rotate(at.turn, edge.normal),
          edge.feature,
          edge.feature_p,
          edge.feature_q};
}

/// Edges joined as one.
template <class F>
struct JoinedEdge {
  const PolygonPlaces<F>& places;
  const EdgeRange<F>& range;
  F feature;  ///< that of all of them
  MaskOf<F> is_of_a;
};

/// Names the points of joined edges by the edge that each lies on. `at`: the polygon's place in the
/// frame of the manifold.
template <class F>
__attribute__((noinline)) void name_points(const JoinedEdge<F>& edge, const Placement<F>& at,
                                           const F& radius_a, const F& radius_b,
                                           Manifold<F, 2, 2>& manifold) {
  const auto is_of_a = edge.is_of_a;
  const auto is_joined = !(edge.range.first == edge.range.last);
  if (!any<F>(is_joined)) return;
  for (ManifoldPoint<F, 2>& point : manifold.points) {
    // From A's surface to the core that has the edge.
    const F inwards = select(is_of_a, negate(radius_a), radius_b - point.depth);
    const Vec<F, 2> core = point.position + inwards * manifold.normal;
    const F name =
        level_edge_feature(edge.places, edge.range, rotate_back(at.turn, core - at.center));
    FeaturePair<F>& feature = point.feature;
    feature.a = select(is_joined & is_of_a & (feature.a == edge.feature), name, feature.a);
    feature.b = select(is_joined & (!is_of_a) & (feature.b == edge.feature), name, feature.b);
  }
  sort_points(manifold.points);
}

/// The number of each polygon's edge that looks most along `direction` (of about unit length), in
/// the polygon's frame. Near the direction the cosine no longer tells edges apart; there the sine
/// does.
template <class F>
WIDEPHASE_INLINE F edge_along(const PolygonPlaces<F>& places, const Vec<F, 2>& direction,
                              bool has_blocks) {
  using T = RealOf<F>;
  const Lanes<F> x(direction[0]), y(direction[1]);
  return greatest_over<false>(places, has_blocks,
                              [&](int i, const T* block) __attribute__((always_inline)) {
                                const Eight<T> dx = eight_of(x[i]), dy = eight_of(y[i]);
                                const Eight<T> nx = load_eight(block + PolygonLayout::normal_x);
                                const Eight<T> ny = load_eight(block + PolygonLayout::normal_y);
                                const Eight<T> cosine = nx * dx + ny * dy;
                                const Eight<T> sine = abs(nx * dy - ny * dx);
                                return select_greater(cosine, eight_of(T(0.7)),
                                                      eight_of(T(2)) - sine, cosine);
                              })
      .number;
}

template <class F>
__attribute__((noinline)) F edge_along_apart(const PolygonPlaces<F>& places,
                                             const Vec<F, 2>& direction, bool has_blocks) {
  return edge_along(places, direction, has_blocks);
}

/// A pair of a shape and a polygon; the shape is in the polygon's frame.
template <class F, class Shape>
struct BesidePolygon {
  const Shape& shape;
  const F& radius_a;
  const F& radius_b;
  const F& margin;
  const PolygonPlaces<F>& places;
  bool is_large;

  WIDEPHASE_INLINE BesidePolygon(const Shape& a, const F& radius_of_a, const PolygonLanes<F>& b,
                                 const PolygonPlaces<F>& places_of_b, const F& kept_margin)
      : shape(a),
        radius_a(radius_of_a),
        radius_b(b.radius),
        margin(kept_margin),
        places(places_of_b),
        is_large(has_blocks(places)) {}

  /// Joins an edge of the polygon with those that are level with it, beginning at the one that the
  /// shape is over, or, where the shape's edge is the reference, that faces it. `opposed` as
  /// `edge_below` has it.
  template <class Opposed>
  WIDEPHASE_INLINE EdgeRange<F> join_level(const F& number, const MaskOf<F>& is_reference,
                                           const F& far, const Opposed& opposed,
                                           const EdgeLanes<F>& of_shape, EdgeLanes<F>& edge) const {
    if (!places.has_flat) return {number, number};
    const F across = edge_across(places, number, far, of_shape,
                                 [&](const F& of) { return polygon_edge_apart(places, of); });
    const F first = select(is_reference, edge_below(places, number, far, opposed), across);
    edge = polygon_edge_apart(places, first);
    return join_level_edges(places, first, far, edge);
  }
  /// Names the points of the polygon's joined edges by the edge that each lies on.
  WIDEPHASE_INLINE void name_level_edges(const EdgeRange<F>& range, const F& feature,
                                         Manifold<F, 2, 2>& manifold) const {
    if (!places.has_flat) return;
    name_points(JoinedEdge<F>{places, range, feature, F(1) < F(0)}, not_moved<F>(), radius_a,
                radius_b, manifold);
  }
};

/// The places of A's outlines where the mask says so, else of B's.
template <class F, class A, class B>
WIDEPHASE_INLINE PolygonPlaces<F> selected_places(const MaskOf<F>& is_a, const A& a, const B& b) {
  return {a.library, select(is_a, a.place, b.place), select(is_a, a.counts, b.counts)};
}

/// Two outlines in one frame: the one that has the reference edge, and the other.
template <class F>
struct FacingOutlines {
  const PolygonPlaces<F>& reference;
  const PolygonPlaces<F>& incident;
  Placement<F> reference_at;
  Placement<F> incident_at;

  struct Ranges {
    EdgeRange<F> of_reference;
    EdgeRange<F> of_incident;
  };
  /// Joins two edges, each in its outline's own frame, with those that are level with them.
  WIDEPHASE_INLINE Ranges join_level(F reference_number, F incident_number,
                                     EdgeLanes<F>& reference_edge,
                                     EdgeLanes<F>& incident_edge) const {
    if (!reference.has_flat && !incident.has_flat) {
      return {{reference_number, reference_number}, {incident_number, incident_number}};
    }
    const FacingOutlines copy = *this;  // as in `level_edges`
    EdgeLanes<F> joined_reference = reference_edge, joined_incident = incident_edge;
    const Ranges ranges =
        copy.join(reference_number, incident_number, joined_reference, joined_incident);
    reference_edge = joined_reference;
    incident_edge = joined_incident;
    return ranges;
  }
  __attribute__((noinline)) Ranges join(F reference_number, F incident_number,
                                        EdgeLanes<F>& reference_edge,
                                        EdgeLanes<F>& incident_edge) const {
    const F far = coordinate_size(reference_at.center - incident_at.center) +
                  ((coordinate_size(reference_edge.p) + coordinate_size(reference_edge.q)) +
                   (coordinate_size(incident_edge.p) + coordinate_size(incident_edge.q)));
    const Placement<F> incident_in_reference{
        between(reference_at.turn, incident_at.turn),
        rotate_back(reference_at.turn, incident_at.center - reference_at.center)};
    const auto opposed_number = [&](const Vec<F, 2>& normal) {
      return edge_along_apart(incident, -rotate_back(incident_in_reference.turn, normal),
                              has_blocks(incident));
    };
    // Any of several level edges may be the most opposed: all of them have the deepest point.
    const F below = edge_below(reference, reference_number, far, [&](const Vec<F, 2>& normal) {
      const F number = opposed_number(normal);
      EdgeLanes<F> edge = polygon_edge_apart(incident, number);
      join_level_edges(incident, number, far, edge);
      return placed(edge, incident_in_reference);
    });
    reference_edge = polygon_edge_apart(reference, below);
    incident_number =
        select(below == reference_number, incident_number, opposed_number(reference_edge.normal));
    const EdgeRange<F> of_reference = join_level_edges(reference, below, far, reference_edge);
    incident_number =
        edge_across(incident, incident_number, far, reference_edge, [&](const F& number) {
          return placed(polygon_edge_apart(incident, number), incident_in_reference);
        });
    incident_edge = polygon_edge_apart(incident, incident_number);
    return {of_reference, join_level_edges(incident, incident_number, far, incident_edge)};
  }
  /// Names the points of edges joined so by the edge that each lies on.
  WIDEPHASE_INLINE void name_level_edges(const Ranges& ranges, const FacingEdges<F>& edges,
                                         const F& radius_a, const F& radius_b,
                                         Manifold<F, 2, 2>& manifold) const {
    if (!reference.has_flat && !incident.has_flat) return;
    const auto by_a = edges.is_by_a > F(0);
    name_points(JoinedEdge<F>{reference, ranges.of_reference, edges.reference.feature, by_a},
                reference_at, radius_a, radius_b, manifold);
    name_points(JoinedEdge<F>{incident, ranges.of_incident, edges.incident.feature, !by_a},
                incident_at, radius_a, radius_b, manifold);
  }
  /// The edges that follow (precede) two ranges.
  WIDEPHASE_INLINE NeighborNormals<F> neighbors(const Ranges& ranges,
                                                const MaskOf<F>& is_next) const {
    const EdgeLanes<F> of_reference =
        polygon_edge_apart(reference, neighbor_number(reference, ranges.of_reference, is_next));
    const EdgeLanes<F> of_incident =
        polygon_edge_apart(incident, neighbor_number(incident, ranges.of_incident, is_next));
    return {rotate(reference_at.turn, of_reference.normal),
            rotate(incident_at.turn, of_incident.normal), of_reference.feature,
            of_incident.feature};
  }
};

}  // namespace
}  // namespace widephase
