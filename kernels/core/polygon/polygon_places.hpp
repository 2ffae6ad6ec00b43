#pragma once

// Polygons with faces or vertices in lanes. Each pair is taken alone first: eight faces or vertices
// of a polygon fill an Eight, and a small table gets one number per face. Then the tables of a
// batch of pairs are reduced together, one pair per lane. Rotating eight normals into the other
// polygon's frame costs less than transforming vertices. Transposing the rows of all faces of many
// pairs would cost more than testing them.

#include "kernels/core/basis/eights.hpp"
#include "kernels/core/polygon/edge_manifold.hpp"

namespace widephase {
namespace {

/// Where the polygons of a batch lie. Structures hold a reference to it. If they contained it, the
/// arrays that are read one lane at a time would keep them in memory instead of registers.
template <class F>
struct PolygonPlaces {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  const T* library;
  Lanes<F> place_bits;
  Lanes<F> count_bits;
  bool has_flat = false;  ///< whether any polygon has nearly flat corners

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
  /// The place of the first edge of a lane's polygon.
  WIDEPHASE_INLINE int edges(int lane) const {
    return place(lane) + block_count(lane) * (PolygonLayout::block / PolygonLayout::record);
  }
  /// The candidate vertices of a lane's polygon for a sector of directions, or null.
  WIDEPHASE_INLINE const T* candidates(int lane, int sector) const {
    const int vertices = count(lane);
    if (vertices < PolygonLayout::least_with_sectors) return nullptr;
    return library + std::ptrdiff_t{PolygonLayout::record} * (edges(lane) + vertices) +
           sector * PolygonLayout::sector;
  }
  /// The vertex counts, one per lane.
  WIDEPHASE_INLINE F counts() const {
    T numbers[lanes];
    for (int i = 0; i < lanes; ++i) numbers[i] = static_cast<T>(count(i));
    return load(numbers);
  }
};

/// Replaces a number beyond the polygon's own vertices or faces by 0. If some values are NaN, the
/// padding of a block may seem the largest.
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
/// The largest value of `op(lane, block)` over the blocks of each lane's polygon, and its number.
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
template <class F>
struct FarthestVertex {
  F height;
  F number;
  Vec<F, 2> point;
};
/// For a sector without a list of candidates: searches all vertices of a lane's polygon, stores the
/// farthest as the first of eight candidates, and sets the heights of all eight.
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
  // If some heights are NaN, the padding of a block may seem the largest.
  const int number = best.number_of(most);
  const int farthest = number < places.count(lane) ? number : 0;
  const T* const at = blocks + farthest / 8 * PolygonLayout::block + farthest % 8;
  candidates[PolygonLayout::sector_x] = at[PolygonLayout::vertex_x];
  candidates[PolygonLayout::sector_y] = at[PolygonLayout::vertex_y];
  candidates[PolygonLayout::sector_number] = static_cast<T>(farthest);
  heights[0] = most;
  for (int k = 1; k < 8; ++k) heights[k] = -kLargest<T>;
}
/// For the lanes in `lanes`, the polygon's vertex farthest along a direction in its frame; among
/// equal ones the lowest.
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

/// The smallest and the largest value of each lane's polygon.
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
/// The extent of each lane's polygon along a direction in its frame.
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

/// Loads one edge per lane by number, in its polygon's own frame.
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

/// The same out of line, for rare calls and for kernels that call it often.
template <class F>
__attribute__((noinline)) EdgeLanes<F> polygon_edge_apart(const PolygonPlaces<F>& places,
                                                          F number) {
  return polygon_edge(places, number);
}

/// The number of the edge after this one, or before it where the lane is not `is_next`.
template <class F>
WIDEPHASE_INLINE F neighbor_number(const PolygonPlaces<F>& places, const F& number,
                                   const MaskOf<F>& is_next) {
  const F count = places.counts();
  const F moved = number + select(is_next, F(1), F(-1));
  return select(moved < F(0), count - F(1), select(moved >= count, F(0), moved));
}

/// The vertex count of the batch's largest polygon.
template <class F>
WIDEPHASE_INLINE int most_vertices(const PolygonPlaces<F>& places) {
  int most = 0;
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    most = most > places.count(i) ? most : places.count(i);
  }
  return most;
}
/// Whether any polygon of the batch has more than eight vertices.
template <class F>
WIDEPHASE_INLINE bool has_blocks(const PolygonPlaces<F>& places) {
  return most_vertices(places) > 8;
}

/// One number of an edge's record, at column `at`.
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

}  // namespace
}  // namespace widephase
