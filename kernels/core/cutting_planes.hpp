#pragma once

// The greatest separation of polygons of many vertices, without testing each face against each
// vertex.
//
// A face's separation is the least of a formula over the other polygon's vertices; so the formula
// at any one of them, a witness, bounds it from above. A support vertex, found for one face, lowers
// the bounds of all of them:
//   choose  the face of the greatest bound;
//   scan    the other's vertices for its separation, exact, and the support vertex;
//   tighten all bounds by that vertex;
// until no bound reaches the greatest separation found.
// The cutting planes of Kelley, The Cutting-Plane Method for Solving Convex Programs (1960).
//
// Exact: each face whose separation is the greatest, equal ones among them, has a bound as high
// and so is scanned, whatever the witnesses are. Value, number and tie are those of a test of all
// faces, and do not depend on the way there.
// Ends: each round scans a face that was not scanned before, and faces that were are out. Round
// polygons about one centre need all those rounds; after `kRounds` the faces still in question are
// tested against all vertices, eight at a time.
//
// Bounds are taken in the polygon's own frame, for which a witness is turned once; the formula
// turns normals instead, and so rounds otherwise. `reach` allows for more than the two can differ
// by. With V = |v.x| + |v.y| of a witness, X the same of the other's origin, and u the relative
// error of an operation: a turned normal is off by 2u, the formula by 5u V + 4u X + 2u |offset|; a
// turned witness by 3u V + u X an axis, its bound by 11u V + 4u X + u |offset|; and |offset| is at
// most 1.5 V + X + |value|. Together that is less than 21u V + 11u X + 3u |value|; 32u are allowed.
//
// Polygons of few vertices, as in lanes beside such of many, are tested in full: to choose and to
// tighten would cost more.
// Pairs go through each step together, in loops without a chain from one pair to the next: alone,
// a pair would wait for its reductions.

#include "core/polygon_edges.hpp"

namespace widephase {
namespace {

/// The greatest of eight in lanes over all blocks of a polygon.
template <class T>
struct Top {
  T value;
  unsigned number;  ///< of one of the equal ones; never of a filler, while sums do not overflow
};

template <class T, class Op>
WIDEPHASE_INLINE Top<T> top_of(const T* blocks, int block_count, const Op& op) {
  Eight<T> best = op(blocks, 0);
  Eight<T> number = count_up<T>(), best_number = number;
  const Eight<T> eight = eight_of(T(8));
  for (int k = 1; k < block_count; ++k) {
    const Eight<T> value = op(blocks + k * PolygonLayout::block, k);
    number = number + eight;
    best_number = select_greater(value, best, number, best_number);
    best = greater(best, value);
  }
  T values[8], numbers[8];
  store(values, best);
  store(numbers, best_number);
  const auto larger = [](T a, T b) { return a > b ? a : b; };
  const T most = larger(larger(larger(values[0], values[1]), larger(values[2], values[3])),
                        larger(larger(values[4], values[5]), larger(values[6], values[7])));
  // Where sums overflow, none may equal the greatest.
  const int first = __builtin_ctz(bits_at_least(best, eight_of(most)) | 0x100u) & 7;
  return {most, static_cast<unsigned>(static_cast<int>(numbers[first]))};
}

/// One call of `op(lane)` for each of the lanes in `bits`.
template <class Op>
WIDEPHASE_INLINE void for_lanes(unsigned bits, const Op& op) {
  for (unsigned left = bits; left != 0; left &= left - 1) op(__builtin_ctz(left));
}

/// The separations of the eight faces of a block from the other polygon's vertices, which lies in
/// the faces' frame at (x, y), turned by (cosine, sine).
template <class T>
WIDEPHASE_INLINE Eight<T> separations(const T* block, int offset, T cosine, T sine, T x, T y,
                                      const T* vertices, int vertex_count) {
  const Eight<T> c8 = eight_of(cosine), s8 = eight_of(sine), x8 = eight_of(x), y8 = eight_of(y);
  const Eight<T> nx = load_eight(block + PolygonLayout::normal_x);
  const Eight<T> ny = load_eight(block + PolygonLayout::normal_y);
  // The normals in the other's frame, against its vertices as they lie in the library.
  const Eight<T> ox = nx * c8 + ny * s8, oy = ny * c8 - nx * s8;
  const auto height = [&](const T* at) __attribute__((always_inline)) {
    return ox * eight_of(at[PolygonLayout::vertex_x]) + oy * eight_of(at[PolygonLayout::vertex_y]);
  };
  // Of up to eight vertices the last is repeated. It comes first: so it changes nothing to ask it
  // again, where some heights are no numbers either.
  const auto least_of_four = [&](const T* at) __attribute__((always_inline)) {
    return lesser(lesser(height(at + 3), height(at + 2)), lesser(height(at + 1), height(at)));
  };
  Eight<T> least = least_of_four(vertices);
  if (vertex_count > 4) least = lesser(least, least_of_four(vertices + 4));
  for (int k = 8; k < vertex_count; k += 8) {
    const T* const more = vertices + k / 8 * PolygonLayout::block;
    least = lesser(least, lesser(least_of_four(more), least_of_four(more + 4)));
  }
  return least + ((nx * x8 + ny * y8) - load_eight(block + offset));
}

/// The faces of a polygon of each pair, against the other polygon's vertices.
template <class F>
class CuttingPlanes {
 public:
  using T = RealOf<F>;
  static constexpr int kLanes = LaneTraits<F>::count;
  static constexpr int kMostFaces = 64;
  static constexpr int kRounds = 16;
  /// Blocks of faces times blocks of vertices up to which a test of all is faster.
  static constexpr int kFewBlocks = 9;
  static constexpr T kLowest = -kLargest<T>;

  /// The other polygon's place is in this one's frame. `offset` is the column of `PolygonLayout`.
  WIDEPHASE_INLINE CuttingPlanes(const PolygonPlaces<F>& own, const PolygonPlaces<F>& other,
                                 const Placement<F>& at, int offset)
      : cosine_(at.turn.cosine),
        sine_(at.turn.sine),
        x_(at.center[0]),
        y_(at.center[1]),
        offset_(offset) {
    for (int i = 0; i < kLanes; ++i) {
      faces_[i] = own.blocks(i);
      vertices_[i] = other.blocks(i);
      face_blocks_[i] = own.block_count(i);
      vertex_blocks_[i] = other.block_count(i);
      vertex_count_[i] = static_cast<unsigned>(other.count(i));
      extent_[i] = T(0);
      top_[i] = kLowest;
      many_ |= static_cast<unsigned>(face_blocks_[i] * vertex_blocks_[i] > kFewBlocks) << i;
    }
  }

  /// Begins with witnesses about the other's vertex farthest toward this one's origin.
  __attribute__((noinline)) void begin_near() {
    unsigned nearest[kLanes];
    for_lanes(many_, [&](int i) __attribute__((always_inline)) {
      const T x = x_[i], y = y_[i], c = cosine_[i], s = sine_[i];
      nearest[i] = support(i, -(x * c + y * s), x * s - y * c).number;
    });
    for_lanes(many_, [&](int i) __attribute__((always_inline)) {
      const unsigned at = nearest[i], step = step_of(i);
      begin(i, at, before(i, at, step), after(i, at, step));
    });
  }
  /// Begins with witnesses about the other's face of each lane.
  __attribute__((noinline)) void begin_at(const F& face) {
    const Lanes<F> number(face);
    for_lanes(many_, [&](int i) __attribute__((always_inline)) {
      const auto at = static_cast<unsigned>(static_cast<int>(number[i]));
      const unsigned next = after(i, at, 1), step = step_of(i);
      begin(i, at, next, before(i, at, step), after(i, next, step));
    });
  }

  /// The greatest separation, if it is not below `floor`; else some value that is.
  __attribute__((noinline)) Greatest<F> search(const F& floor) {
    Greatest<F> best{F(kLowest), F(0), F(0)};
    if (many_ != LaneTraits<F>::all) best = best_of_few();
    for (int round = 0;; ++round) {
      const F least = reach(greater(best.value, floor));
      const unsigned open = mask_bits(load(top_) >= least);
      if (open == 0) return best;
      store(value_, F(kLowest));
      if (round == kRounds) {
        test_open_faces(open, least, best);
        return best;
      }
      for_lanes(open, [&](int i) __attribute__((always_inline)) { scan(i); });
      take({load(value_), load(number_), F(0)}, best);
      for_lanes(open, [&](int i) __attribute__((always_inline)) {
        const Eight<T> x8 = eight_of(witness_x_[i]), y8 = eight_of(witness_y_[i]);
        bound_faces(i, [&](const T* bounds, const Eight<T>& nx, const Eight<T>& ny,
                           const Eight<T>& offset) __attribute__((always_inline)) {
          return lesser(load_eight(bounds), (nx * x8 + ny * y8) - offset);
        });
      });
    }
  }

 private:
  /// Of the lanes with few faces and vertices, by a test of all.
  __attribute__((noinline)) Greatest<F> best_of_few() const {
    Candidates<F> candidates;
    for (int i = 0; i < kLanes; ++i) {
      candidates.set(i, eight_of(kLowest), eight_of(T(0)), eight_of(T(0)));
    }
    for_lanes(LaneTraits<F>::all & ~many_, [&](int i) __attribute__((always_inline)) {
      collect(
          i, face_blocks_[i], faces_[i],
          [&](const T* block) __attribute__((always_inline)) { return separations_of(i, block); },
          candidates);
    });
    return greatest_of(candidates);
  }
  WIDEPHASE_INLINE Eight<T> separations_of(int i, const T* block) const {
    return separations(block, offset_, cosine_[i], sine_[i], x_[i], y_[i], vertices_[i],
                       static_cast<int>(vertex_count_[i]));
  }

  /// The least bound that a face of at least this separation can have.
  WIDEPHASE_INLINE F reach(const F& value) const {
    const F tiny = F(kLeastNormal<T>);
    const F extent = load(extent_) + (abs(load(x_.number)) + abs(load(y_.number)));
    const F least = value - (roundings<F>(32) * (extent + abs(value)) + tiny);
    // Below, there are only faces that were scanned, or are none.
    return greater(least, F(kLowest / T(8)));
  }
  static WIDEPHASE_INLINE T size(T x, T y) { return (x < 0 ? -x : x) + (y < 0 ? -y : y); }

  /// How far apart first witnesses lie: about an eighth of a turn between the outer ones, which
  /// saves deep pairs a third of their rounds.
  WIDEPHASE_INLINE unsigned step_of(int i) const {
    return vertex_count_[i] < 16 ? 1 : vertex_count_[i] / 16;
  }
  WIDEPHASE_INLINE unsigned before(int i, unsigned vertex, unsigned by) const {
    return vertex < by ? vertex - by + vertex_count_[i] : vertex - by;
  }
  WIDEPHASE_INLINE unsigned after(int i, unsigned vertex, unsigned by) const {
    return vertex + by < vertex_count_[i] ? vertex + by : vertex + by - vertex_count_[i];
  }

  /// Takes a vertex of the other polygon as a witness.
  WIDEPHASE_INLINE void turn_witness(int i, unsigned vertex, T& x, T& y) {
    const T* const at = vertices_[i] + vertex / 8 * PolygonLayout::block + vertex % 8;
    const T vx = at[PolygonLayout::vertex_x], vy = at[PolygonLayout::vertex_y];
    const T extent = size(vx, vy);
    extent_[i] = extent > extent_[i] ? extent : extent_[i];
    x = x_[i] + (cosine_[i] * vx - sine_[i] * vy);
    y = y_[i] + (sine_[i] * vx + cosine_[i] * vy);
  }

  template <class... Vertices>
  WIDEPHASE_INLINE void begin(int i, Vertices... vertices) {
    constexpr int kCount = sizeof...(vertices);
    const unsigned numbers[kCount] = {vertices...};
    Eight<T> x8[kCount], y8[kCount];
#pragma GCC unroll 8
    for (int k = 0; k < kCount; ++k) {
      T x, y;
      turn_witness(i, numbers[k], x, y);
      x8[k] = eight_of(x);
      y8[k] = eight_of(y);
    }
    bound_faces(i, [&](const T*, const Eight<T>& nx, const Eight<T>& ny, const Eight<T>& offset)
                       __attribute__((always_inline)) {
                         Eight<T> least = nx * x8[0] + ny * y8[0];
#pragma GCC unroll 8
                         for (int k = 1; k < kCount; ++k)
                           least = lesser(least, nx * x8[k] + ny * y8[k]);
                         return least - offset;
                       });
  }

  template <class Op>
  WIDEPHASE_INLINE void bound_faces(int i, const Op& op) {
    T* const bounds = bounds_ + i * kMostFaces;
    const int offset = offset_;
    const Top<T> top = top_of(
        faces_[i], face_blocks_[i], [&](const T* block, int k) __attribute__((always_inline)) {
          const Eight<T> bound =
              op(bounds + 8 * k, load_eight(block + PolygonLayout::normal_x),
                 load_eight(block + PolygonLayout::normal_y), load_eight(block + offset));
          store(bounds + 8 * k, bound);
          return bound;
        });
    top_[i] = top.value;
    number_[i] = static_cast<T>(top.number);
  }

  /// The other's vertex farthest along a direction of its frame.
  WIDEPHASE_INLINE Top<T> support(int i, T x, T y) const {
    const Eight<T> x8 = eight_of(x), y8 = eight_of(y);
    return top_of(vertices_[i], vertex_blocks_[i],
                  [&](const T* block, int) __attribute__((always_inline)) {
                    return x8 * load_eight(block + PolygonLayout::vertex_x) +
                           y8 * load_eight(block + PolygonLayout::vertex_y);
                  });
  }

  /// The separation of the face with the greatest bound.
  WIDEPHASE_INLINE void scan(int i) {
    const auto face = static_cast<unsigned>(static_cast<int>(number_[i]));
    const T* const at = faces_[i] + face / 8 * PolygonLayout::block + face % 8;
    const T nx = at[PolygonLayout::normal_x], ny = at[PolygonLayout::normal_y];
    const T ox = nx * cosine_[i] + ny * sine_[i], oy = ny * cosine_[i] - nx * sine_[i];
    const Top<T> farthest = support(i, -ox, -oy);
    // Rounding is the same on either side of zero: this is the least height plus the rest.
    value_[i] = ((nx * x_[i] + ny * y_[i]) - at[offset_]) - farthest.value;
    bounds_[static_cast<unsigned>(i) * kMostFaces + face] = kLowest;
    turn_witness(i, farthest.number, witness_x_[i], witness_y_[i]);
  }

  static WIDEPHASE_INLINE void take(const Greatest<F>& next, Greatest<F>& best) {
    const auto is_better = next.value > best.value;
    const auto is_equal = next.value == best.value;
    best.number = select(is_better, next.number,
                         select(is_equal, lesser(best.number, next.number), best.number));
    best.is_tie = select(is_better, next.is_tie, select(is_equal, F(1), best.is_tie));
    best.value = greater(best.value, next.value);
  }

  /// The faces still in question, against all vertices.
  __attribute__((noinline)) void test_open_faces(unsigned open, const F& least, Greatest<F>& best) {
    const Lanes<F> leasts(least);
    T is_tie[kLanes] = {};
    for_lanes(open, [&](int i) {
      for (int k = 0; k < face_blocks_[i]; ++k) {
        const unsigned in_question =
            bits_at_least(load_eight(bounds_ + i * kMostFaces + 8 * k), eight_of(leasts[i]));
        if (in_question == 0) continue;
        T values[8];
        store(values, separations_of(i, faces_[i] + k * PolygonLayout::block));
        for_lanes(in_question, [&](int face) {
          if (values[face] == value_[i]) is_tie[i] = 1;
          if (!(values[face] > value_[i])) return;
          value_[i] = values[face];
          number_[i] = static_cast<T>(8 * k + face);
          is_tie[i] = 0;
        });
      }
    });
    take({load(value_), load(number_), load(is_tie)}, best);
  }

  Lanes<F> cosine_, sine_, x_, y_;
  unsigned many_ = 0;  ///< the lanes whose faces are not all tested
  int offset_;
  const T* faces_[kLanes];
  const T* vertices_[kLanes];
  int face_blocks_[kLanes];
  int vertex_blocks_[kLanes];
  unsigned vertex_count_[kLanes];
  T extent_[kLanes];  ///< greatest |x| + |y| of a witness
  T witness_x_[kLanes];
  T witness_y_[kLanes];
  T top_[kLanes];     ///< the greatest bound
  T number_[kLanes];  ///< and its face
  T value_[kLanes];   ///< that face's separation
  T bounds_[kLanes * kMostFaces];
};

}  // namespace
}  // namespace widephase
