#pragma once

// The greatest separation of polygons with many vertices, without testing each face against each
// vertex.
//
// A face's separation is the minimum of a formula over the other polygon's vertices. So the formula
// at any one vertex, a witness, bounds the separation from above. First, a few witnesses, around
// where the other polygon is nearest, bound all faces. Then, while many faces may still be the
// best, a round does two things:
//   scan    finds the exact separation of the face with the greatest bound, and its support vertex;
//   tighten lowers all bounds by that vertex.
// Last, the few faces whose bounds reach the greatest separation found are tested. These are the
// cutting planes of Kelley, The Cutting-Plane Method for Solving Convex Programs (1960).
//
// The result is exact. Each face with the greatest separation, including equal ones, has a bound at
// least as high, so it is scanned or tested whatever the witnesses are. Value, number and tie are
// those of a test of all faces, and do not depend on the path of the search. Rounds are few for two
// reasons. A round does not get cheaper as lanes finish, and a pair whose polygons have nearly the
// same centre would need one round per face. Each lane decides on its own which faces are left to
// test, so its answer depends on no other pair.
//
// Bounds are computed in the polygon's own frame, so a witness is rotated once. The formula rotates
// normals instead, so it rounds differently. `reach` allows for more than the two can differ by.
// Let V = |v.x| + |v.y| of a witness, X the same of the other's origin, and u the relative error of
// an operation. A rotated normal is off by 2u, and the formula by 5u V + 4u X + 2u |offset|. A
// rotated witness is off by 3u V + u X per axis, and its bound by 11u V + 4u X + u |offset|.
// |offset| is at most 1.5 V + X + |value|. Together that is less than 21u V + 11u X + 3u |value|;
// the code allows 32u.
//
// A batch may also hold polygons of few vertices. They are tested in full, because choosing and
// tightening would cost more. All pairs go through each step together, in loops without a
// dependency from one pair to the next. Alone, a pair would wait for the latency of its reductions.

#include "kernels/core/polygon/polygon_edges.hpp"

namespace widephase {
namespace {

/// One call of `op(lane)` for each of the lanes in `bits`.
template <class Op>
WIDEPHASE_INLINE void for_lanes(unsigned bits, const Op& op) {
  for (unsigned left = bits; left != 0; left &= left - 1) op(__builtin_ctz(left));
}

/// The separations of the eight faces of a block from the other polygon's vertices. In the faces'
/// frame that polygon lies at (x, y), rotated by (cosine, sine).
template <class T>
WIDEPHASE_INLINE Eight<T> separations(const T* block, int offset, T cosine, T sine, T x, T y,
                                      const T* vertices, int vertex_count) {
  const Eight<T> c8 = eight_of(cosine), s8 = eight_of(sine), x8 = eight_of(x), y8 = eight_of(y);
  const Eight<T> nx = load_eight(block + PolygonLayout::normal_x);
  const Eight<T> ny = load_eight(block + PolygonLayout::normal_y);
  // Rotate the normals into the other's frame, to meet its vertices as the library stores them.
  const Eight<T> ox = nx * c8 + ny * s8, oy = ny * c8 - nx * s8;
  const auto height = [&](const T* at) __attribute__((always_inline)) {
    return ox * eight_of(at[PolygonLayout::vertex_x]) + oy * eight_of(at[PolygonLayout::vertex_y]);
  };
  // The last vertex pads a block to eight. In a block it is compared first, so comparing it again
  // changes nothing, even if some heights are NaN.
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

/// Whether more than `count` bits are set. Not every instruction set can count bits.
WIDEPHASE_INLINE bool has_more_bits(std::uint64_t bits, int count) {
  for (int i = 0; i < count; ++i) bits &= bits - 1;
  return bits != 0;
}

/// For each pair: the faces of one polygon against the other polygon's vertices.
template <class F>
class CuttingPlanes {
 public:
  using T = RealOf<F>;
  static constexpr int kLanes = LaneTraits<F>::count;
  static constexpr int kMostFaces = 64;
  /// With at most this many blocks of faces times blocks of vertices, testing all is faster.
  static constexpr int kFewBlocks = 9;
  static constexpr T kLowest = -kLargest<T>;

  /// `at` places the other polygon in this one's frame. `offset` is the column of `PolygonLayout`.
  /// Only the pairs in `asked` are searched; the separation of the others is `kLowest`.
  WIDEPHASE_INLINE CuttingPlanes(const PolygonPlaces<F>& own, const PolygonPlaces<F>& other,
                                 const Placement<F>& at, int offset,
                                 unsigned asked = LaneTraits<F>::all)
      : own_(own), other_(other), at_(at), offset_(offset) {
    cosine_ = Lanes<F>(at.turn.cosine);
    sine_ = Lanes<F>(at.turn.sine);
    x_ = Lanes<F>(at.center[0]);
    y_ = Lanes<F>(at.center[1]);
    store(extent_, F(0));
    store(best_value_, F(kLowest));
    store(best_number_, F(0));
    store(best_is_tie_, F(0));
    for (int i = 0; i < kLanes; ++i) {
      faces_[i] = own.blocks(i);
      vertices_[i] = other.blocks(i);
      face_blocks_[i] = own.block_count(i);
      vertex_blocks_[i] = other.block_count(i);
      vertex_count_[i] = other.count(i);
      edges_[i] = other.edges(i);
      const bool is_many = face_blocks_[i] * vertex_blocks_[i] > kFewBlocks;
      many_ |= static_cast<unsigned>(is_many) << i;
    }
    const unsigned few = asked & ~many_;
    many_ &= asked;
    if (few != 0) test_few(few);
  }

  /// The other polygon's support vertex toward this one's origin.
  __attribute__((noinline)) F nearest_vertex() const {
    return farthest_in_sectors(other_, many_, -rotate_back(at_.turn, at_.center)).number;
  }

  /// The greatest separation if it is at least `floor`; otherwise some value below `floor`. The
  /// first witnesses lie around the other polygon's `vertex`.
  __attribute__((noinline)) Greatest<F> search(const F& vertex, const F& floor) {
    add_witnesses<kWitnesses>(vertex);
    unsigned lanes = bound_all<kWitnesses, false>(many_, floor);
    for (int round = 0; lanes != 0 && round < kRounds; ++round) {
      scan(lanes, own_number(own_, greatest_of(tops_).number));
      lanes = bound_all<1, true>(lanes, floor);
    }
    store(floor_, greater(load(best_value_), floor));
    for_lanes(many_, [&](int i) __attribute__((always_inline)) { test_faces(i); });
    take_tested();
    return {load(best_value_), load(best_number_), load(best_is_tie_)};
  }

 private:
  /// How far the first witnesses lie on either side of that vertex, in 64ths of the vertex count.
  static constexpr int kAside[] = {0, 4, 12};
  static constexpr int kWitnesses = 5;
  /// With at most this many faces left in question, all of them are tested.
  static constexpr int kFewFaces = 3;
  static constexpr int kRounds = 2;

  /// Tests all faces for the lanes with few faces and vertices.
  __attribute__((noinline)) void test_few(unsigned few) {
    Candidates<F> candidates;
    for (int i = 0; i < kLanes; ++i) {
      candidates.set(i, eight_of(kLowest), eight_of(T(0)), eight_of(T(0)));
    }
    for_lanes(few, [&](int i) __attribute__((always_inline)) {
      collect(
          i, face_blocks_[i], faces_[i],
          [&](const T* block) __attribute__((always_inline)) {
            return separations(block, offset_, cosine_[i], sine_[i], x_[i], y_[i], vertices_[i],
                               vertex_count_[i]);
          },
          candidates);
    });
    const Greatest<F> best = greatest_of(candidates);
    store(best_value_, best.value);
    store(best_number_, best.number);
    store(best_is_tie_, best.is_tie);
  }

  /// The lowest bound that a face with at least this separation can have.
  WIDEPHASE_INLINE F reach(const F& value) const {
    const F tiny = F(kLeastNormal<T>);
    const F extent = load(extent_) + coordinate_size(at_.center);
    const F least = value - (roundings<F>(32) * (extent + abs(value)) + tiny);
    // Lower bounds belong to faces already scanned or to padding.
    return greater(least, F(kLowest / T(8)));
  }

  /// Adds vertices of the other polygon as witnesses.
  template <int Count>
  WIDEPHASE_INLINE void add_witnesses(const F& number) {
    const Lanes<F> numbers(number);
    std::int32_t vertex[kLanes], quad[kLanes];
    for (int i = 0; i < kLanes; ++i) vertex[i] = static_cast<int>(numbers[i]);
    for (int k = 0; k < Count; ++k) {
      for (int i = 0; i < kLanes; ++i) {
        const int step = (vertex_count_[i] * kAside[(k + 1) / 2] + 63) / 64;
        const int at = vertex[i] + (k % 2 == 0 ? step : vertex_count_[i] - step);
        quad[i] = 2 * (edges_[i] + (at < vertex_count_[i] ? at : at - vertex_count_[i]));
      }
      F row[4];  // of an edge: its two ends
      load_quads<1, 1>(other_.library, quad, row);
      const Vec<F, 2> witness{{row[0], row[1]}};
      store(extent_, greater(load(extent_), coordinate_size(witness)));
      const Vec<F, 2> turned = at_.center + rotate(at_.turn, witness);
      store(witness_x_ + k * kLanes, turned[0]);
      store(witness_y_ + k * kLanes, turned[1]);
    }
  }

  /// Bounds the faces of `lanes` by their witnesses. Returns the lanes with many faces in question.
  template <int Count, bool HasBounds>
  WIDEPHASE_INLINE unsigned bound_all(unsigned lanes, const F& floor) {
    const Lanes<F> least(reach(greater(load(best_value_), floor)));
    unsigned open = 0;
    for_lanes(lanes, [&](int i) __attribute__((always_inline)) {
      bound_faces<Count, HasBounds>(i, least[i]);
      const bool is_open = has_more_bits(open_[i], kFewFaces);
      open |= static_cast<unsigned>(is_open) << i;
    });
    return open;
  }
  /// The faces of this many blocks fill a register, or those of one block fill several.
  static constexpr int kBlocksAtOnce = Sixteen<T>::parts == 1 ? 2 : 1;
  using Faces = Row<T, 8 * kBlocksAtOnce>;
  /// One of the numbers of faces. After the last block there are edges, so that there is something
  /// to read.
  static WIDEPHASE_INLINE Faces load_faces(const T* block) {
    if constexpr (kBlocksAtOnce == 1) {
      return load_eight(block);
    } else {
      return join(load_eight(block), load_eight(block + PolygonLayout::block));
    }
  }
  static WIDEPHASE_INLINE Faces faces_of(T number) { return row_of<8 * kBlocksAtOnce>(number); }
  template <int Count, bool HasBounds>
  WIDEPHASE_INLINE void bound_faces(int i, T least) {
    Faces x8[Count], y8[Count];
#pragma GCC unroll 8
    for (int k = 0; k < Count; ++k) {
      x8[k] = faces_of(witness_x_[k * kLanes + i]);
      y8[k] = faces_of(witness_y_[k * kLanes + i]);
    }
    const int offset = offset_, blocks = face_blocks_[i];
    const T* at = faces_[i];
    T* bounds = bounds_ + i * kMostFaces;
    const Faces floor = faces_of(least);
    Faces top = faces_of(kLowest), number = top;
    if constexpr (kBlocksAtOnce == 1) {
      number = count_up<T>();
    } else {
      number = join(count_up<T>(), count_up<T>() + eight_of(T(8)));
    }
    Faces top_number = number;
    std::uint64_t open = 0;
    for (int block = 0; block < blocks; block += kBlocksAtOnce) {
      const Faces nx = load_faces(at + PolygonLayout::normal_x);
      const Faces ny = load_faces(at + PolygonLayout::normal_y);
      Faces bound = nx * x8[0] + ny * y8[0];
#pragma GCC unroll 8
      for (int k = 1; k < Count; ++k) bound = lesser(bound, nx * x8[k] + ny * y8[k]);
      bound = bound - load_faces(at + offset);
      if constexpr (HasBounds) bound = lesser(load_row<8 * kBlocksAtOnce>(bounds), bound);
      if constexpr (kBlocksAtOnce == 2) {
        const bool is_last = block + 1 == blocks;
        if (is_last) bound = lesser(join(eight_of(kLargest<T>), eight_of(kLowest)), bound);
      }
      store(bounds, bound);
      open |= std::uint64_t{bits_at_least(bound, floor)} << 8 * block;
      top_number = select_greater(bound, top, number, top_number);
      top = greater(top, bound);
      number = number + faces_of(T(8 * kBlocksAtOnce));
      at += kBlocksAtOnce * PolygonLayout::block;
      bounds += 8 * kBlocksAtOnce;
    }
    if constexpr (kBlocksAtOnce == 1) {
      tops_.set(i, top, top_number, top);
    } else {
      const Eight<T> low = low_half(top), high = high_half(top);
      tops_.set(i, greater(low, high),
                select_greater(high, low, high_half(top_number), low_half(top_number)), low);
    }
    open_[i] = open;
  }

  /// Computes the separation of one face per lane. Its support vertex becomes the only witness.
  WIDEPHASE_INLINE void scan(unsigned lanes, const F& face) {
    const Lanes<F> faces(face);
    T nx[kLanes], ny[kLanes], offset[kLanes], most[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      const int number = static_cast<int>(faces[i]);
      const T* const at = faces_[i] + number / 8 * PolygonLayout::block + number % 8;
      nx[i] = at[PolygonLayout::normal_x];
      ny[i] = at[PolygonLayout::normal_y];
      offset[i] = at[offset_];
      most[i] = (lanes >> i & 1) != 0 ? kLargest<T> : kLowest;
      bounds_[i * kMostFaces + number] = kLowest;
    }
    const Vec<F, 2> normal{{load(nx), load(ny)}};
    const FarthestVertex<F> farthest =
        farthest_in_sectors(other_, lanes, -rotate_back(at_.turn, normal));
    // Rounding is symmetric about zero, so this equals the least height plus the rest.
    const F value = (dot(normal, at_.center) - load(offset)) - farthest.height;
    take({lesser(value, load(most)), face, F(0)});
    add_witnesses<1>(farthest.number);
  }

  WIDEPHASE_INLINE void take(const Greatest<F>& next) {
    const F value = load(best_value_), number = load(best_number_);
    const auto is_better = next.value > value;
    const auto is_equal = (next.value == value) & (value > F(kLowest));
    store(best_number_,
          select(is_better, next.number, select(is_equal, lesser(number, next.number), number)));
    store(best_is_tie_, select(is_better, F(0), select(is_equal, F(1), load(best_is_tie_))));
    store(best_value_, greater(value, next.value));
  }

  /// Tests faces of a lane against all vertices. The results of a batch are reduced together.
  WIDEPHASE_INLINE void test_faces(int i) {
    for (std::uint64_t faces = open_[i]; faces != 0; faces &= faces - 1) {
      const int face = __builtin_ctzll(faces);
      const T* const at = faces_[i] + face / 8 * PolygonLayout::block + face % 8;
      const T nx = at[PolygonLayout::normal_x], ny = at[PolygonLayout::normal_y];
      const Eight<T> x8 = eight_of(nx * cosine_[i] + ny * sine_[i]);
      const Eight<T> y8 = eight_of(ny * cosine_[i] - nx * sine_[i]);
      const auto height = [&](const T* block) __attribute__((always_inline)) {
        return x8 * load_eight(block + PolygonLayout::vertex_x) +
               y8 * load_eight(block + PolygonLayout::vertex_y);
      };
      const T* block = vertices_[i];
      Eight<T> least = height(block);
      for (int k = 1; k < vertex_blocks_[i]; ++k) {
        block += PolygonLayout::block;
        least = lesser(least, height(block));
      }
      heights_.set(tested_, least);
      rest_[tested_] = (nx * x_[i] + ny * y_[i]) - at[offset_];
      least_[tested_] = floor_[i];
      tested_lane_[tested_] = i;
      tested_face_[tested_] = face;
      if (++tested_ == kLanes) take_tested();
    }
  }
  __attribute__((noinline)) void take_tested() {
    F heights[8];
    load_eights<F>(heights_.value, heights);
    const F value = least_of(heights) + load(rest_);
    const Lanes<F> values(value);
    const unsigned all = (1u << tested_) - 1u;
    for_lanes(mask_bits(value >= load(least_)) & all, [&](int j) {
      const int i = tested_lane_[j];
      const T best = best_value_[i];
      if (values[j] < best) return;
      const bool is_better = values[j] > best;
      const auto number = static_cast<T>(tested_face_[j]);
      best_is_tie_[i] = is_better ? T(0) : T(1);
      best_number_[i] = is_better || number < best_number_[i] ? number : best_number_[i];
      best_value_[i] = values[j];
    });
    tested_ = 0;
  }

  const PolygonPlaces<F>& own_;
  const PolygonPlaces<F>& other_;
  Placement<F> at_;
  int offset_;
  unsigned many_ = 0;  ///< the lanes that do not test all faces
  Lanes<F> cosine_, sine_, x_, y_;
  const T* faces_[kLanes];
  const T* vertices_[kLanes];
  int face_blocks_[kLanes];
  int vertex_blocks_[kLanes];
  int vertex_count_[kLanes];
  int edges_[kLanes];  ///< the place of the other's first edge
  T extent_[kLanes];   ///< greatest |x| + |y| over the witnesses
  T witness_x_[kWitnesses * kLanes];
  T witness_y_[kWitnesses * kLanes];
  T bounds_[kLanes * kMostFaces];
  Candidates<F, false> tops_;   ///< the greatest bounds
  std::uint64_t open_[kLanes];  ///< the faces in question, as bits
  T best_value_[kLanes];
  T best_number_[kLanes];
  T best_is_tie_[kLanes];
  T floor_[kLanes];  ///< separations below this do not matter
  // Faces whose heights are computed but not yet compared.
  int tested_ = 0;
  int tested_lane_[kLanes];
  int tested_face_[kLanes];
  T rest_[kLanes] = {};
  T least_[kLanes] = {};
  EightValues<F> heights_{};
};

}  // namespace
}  // namespace widephase
