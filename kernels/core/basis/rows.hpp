#pragma once

// Packed rows: the numbers of a shape that a pair kernel reads. They come in quads of four, so that
// a transpose in registers brings the rows of many pairs into lanes. `update_bounds` writes them
// (pipeline/rows/pack_rows.hpp). Unused numbers are 0.
//
//   sphere     center..., [3] = radius                      one quad
//   capsule    a..., [3] = radius | b...                    two quads
//   aabb       2D: min, max                                 one quad
//              3D: min... | max...                          two quads
//   box        2D: center, cosine, sine | half extents, radius
//              3D: center..., [3] = radius | its axis k..., [3] = half extent k: four quads
//   polygon    center, cosine, sine | radius, place in the polygon library, vertex count (both as
//              the bits of an integer), 1 if it has edges inside its owner     two quads
//   hull       center..., [3] = radius | its axis k..., [3] = place in the hull library as the bits
//              of an integer, 0, 0: four quads
//   cylinder   center..., [3] = rounding | its axis k..., [3] = radius, radius, half height: four
//              quads; a cone the same
//   ellipsoid  center..., [3] = rounding + least radius of curvature | its axis k..., [3] = half
//              extent k: four quads
//   heightfield center..., [3] = 0 | its axis k..., [3] = number in the heightfield library as the
//              bits of an integer, 0, 0: four quads; a mesh the same, [3] = thickness
//   chain      center, cosine, sine | thickness, number in the chain library as the bits of an
//              integer, 0, 0     two quads
//   halfspace  unit normal..., [3] = offset | the low parts of all four, to be added: two quads; in
//              double the high part of a normal's component has 26 bits
//
// `row_kind` is the kind whose packed rows the lanes read, and `quads` their size.
//
// `take_origin` moves a shape so that a point of its own becomes the origin, a zero that the
// compiler knows. `move_back` moves the other shape by the same amount.
//
// In mixed precision rows already start at such a point. `move_to` then places the other shape
// relative to A's point: by one or two `anchors`, or by a plane's offset.

#include "kernels/lanes/vec.hpp"
#include "kernels/table.hpp"

namespace widephase {
namespace {

/// 0, 1, 2, ...: the rows in order, for `load_quads`.
template <int N>
struct RowsInOrder {
  std::int32_t index[N];
  constexpr RowsInOrder() : index{} {
    for (int i = 0; i < N; ++i) index[i] = i;
  }
};

template <class F, int D>
struct SphereLanes {
  static constexpr Kind row_kind = Kind::sphere;
  static constexpr int quads = 1;
  Vec<F, D> center;
  F radius;

  WIDEPHASE_INLINE explicit SphereLanes(const F (&row)[4])
      : center(each_axis<F, D>([&](int k) { return row[k]; })), radius(row[3]) {}
  WIDEPHASE_INLINE Vec<F, D> bounds_center() const { return center; }
  WIDEPHASE_INLINE Vec<F, D> take_origin() {
    const Vec<F, D> origin = center;
    center = zero_vec<F, D>();
    return origin;
  }
  WIDEPHASE_INLINE void move_back(const Vec<F, D>& by) { center = center - by; }
  static constexpr int anchors = 1;
  WIDEPHASE_INLINE void move_to(const F (&to)[4]) {
    center = each_axis<F, D>([&](int k) { return to[k]; });
  }
};

template <class F, int D>
struct CapsuleLanes {
  static constexpr Kind row_kind = Kind::capsule;
  static constexpr int quads = 2;
  Vec<F, D> a;
  Vec<F, D> b;
  Vec<F, D> along;  ///< b - a as the row has them; moving the ends would round it
  F radius;

  WIDEPHASE_INLINE explicit CapsuleLanes(const F (&row)[8])
      : a(each_axis<F, D>([&](int k) { return row[k]; })),
        b(each_axis<F, D>([&](int k) { return row[4 + k]; })),
        along(b - a),
        radius(row[3]) {}
  WIDEPHASE_INLINE Vec<F, D> bounds_center() const { return F(0.5f) * a + F(0.5f) * b; }
  WIDEPHASE_INLINE Vec<F, D> take_origin() {
    const Vec<F, D> origin = a;
    a = zero_vec<F, D>();
    b = b - origin;
    return origin;
  }
  WIDEPHASE_INLINE void move_back(const Vec<F, D>& by) {
    a = a - by;
    b = b - by;
  }
  static constexpr int anchors = 2;
  WIDEPHASE_INLINE void move_to(const F (&to)[8]) {
    a = each_axis<F, D>([&](int k) { return to[k]; });
    b = each_axis<F, D>([&](int k) { return to[4 + k]; });
  }
};

template <class F, int D>
struct AabbLanes {
  static constexpr Kind row_kind = Kind::aabb;
  static constexpr int quads = D == 2 ? 1 : 2;
  Vec<F, D> min;
  Vec<F, D> max;

  WIDEPHASE_INLINE explicit AabbLanes(const F (&row)[4 * quads])
      : min(each_axis<F, D>([&](int k) { return row[k]; })),
        max(each_axis<F, D>([&](int k) { return row[(D == 2 ? 2 : 4) + k]; })) {}
  WIDEPHASE_INLINE AabbLanes(const Vec<F, D>& low, const Vec<F, D>& high) : min(low), max(high) {}
  WIDEPHASE_INLINE Vec<F, D> bounds_center() const { return F(0.5f) * min + F(0.5f) * max; }
  WIDEPHASE_INLINE Vec<F, D> take_origin() {
    const Vec<F, D> origin = min;
    min = zero_vec<F, D>();
    max = max - origin;
    return origin;
  }
  WIDEPHASE_INLINE void move_back(const Vec<F, D>& by) {
    min = min - by;
    max = max - by;
  }
  static constexpr int anchors = 2;
  WIDEPHASE_INLINE void move_to(const F (&to)[8]) {
    min = each_axis<F, D>([&](int k) { return to[k]; });
    max = each_axis<F, D>([&](int k) { return to[4 + k]; });
  }
};

template <class F, int D>
struct BoxLanes;

template <class F>
struct BoxLanes<F, 2> {
  static constexpr Kind row_kind = Kind::box;
  static constexpr int quads = 2;
  Vec<F, 2> center;
  Rotation<F> rotation;
  Vec<F, 2> half_extents;
  F radius;

  WIDEPHASE_INLINE explicit BoxLanes(const F (&row)[8])
      : center{{row[0], row[1]}},
        rotation{row[2], row[3]},
        half_extents{{row[4], row[5]}},
        radius(row[6]) {}
  /// From an aabb: axis-aligned, with sharp corners.
  WIDEPHASE_INLINE explicit BoxLanes(const AabbLanes<F, 2>& box)
      : center(F(0.5f) * box.min + F(0.5f) * box.max),
        rotation{F(1), F(0)},
        half_extents(F(0.5f) * box.max - F(0.5f) * box.min),
        radius(F(0)) {}
  WIDEPHASE_INLINE Vec<F, 2> bounds_center() const { return center; }
  WIDEPHASE_INLINE Vec<F, 2> take_origin() {
    const Vec<F, 2> origin = center;
    center = zero_vec<F, 2>();
    return origin;
  }
  WIDEPHASE_INLINE void move_back(const Vec<F, 2>& by) { center = center - by; }
  static constexpr int anchors = 1;
  WIDEPHASE_INLINE void move_to(const F (&to)[4]) {
    center = each_axis<F, 2>([&](int k) { return to[k]; });
  }
};

template <class F>
struct BoxLanes<F, 3> {
  static constexpr Kind row_kind = Kind::box;
  static constexpr int quads = 4;
  Vec<F, 3> center;
  Rotation3<F> rotation;
  Vec<F, 3> half_extents;
  F radius;

  WIDEPHASE_INLINE explicit BoxLanes(const F (&row)[16])
      : center{{row[0], row[1], row[2]}},
        rotation{{{{row[4], row[5], row[6]}},
                  {{row[8], row[9], row[10]}},
                  {{row[12], row[13], row[14]}}}},
        half_extents{{row[7], row[11], row[15]}},
        radius(row[3]) {}
  WIDEPHASE_INLINE Vec<F, 3> bounds_center() const { return center; }
  WIDEPHASE_INLINE Vec<F, 3> take_origin() {
    const Vec<F, 3> origin = center;
    center = zero_vec<F, 3>();
    return origin;
  }
  WIDEPHASE_INLINE void move_back(const Vec<F, 3>& by) { center = center - by; }
  static constexpr int anchors = 1;
  WIDEPHASE_INLINE void move_to(const F (&to)[4]) {
    center = each_axis<F, 3>([&](int k) { return to[k]; });
  }
};

/// The integer whose bits are stored in place of a number, as in rows.
template <class T>
WIDEPHASE_INLINE std::int32_t integer_in(const T& number) {
  std::int32_t value;
  __builtin_memcpy(&value, &number, sizeof value);
  return value;
}

/// The polygon library, as `geometry/polygon_library.hpp` writes it. Each polygon has blocks of
/// eight faces and vertices, then one record per edge. A polygon of many vertices also has sectors
/// of directions, each with the vertices that can be the support point there. A place in the
/// library counts in records.
struct PolygonLayout {
  static constexpr int record = 8;    ///< numbers per record: p, q, unit normal, and the two below
  static constexpr int block = 48;    ///< numbers per block: eight of each of the following
  static constexpr int vertex_x = 0;  ///< the last vertex is repeated
  static constexpr int vertex_y = 8;
  static constexpr int normal_x = 16;
  static constexpr int normal_y = 24;
  static constexpr int offset = 32;        ///< of a face; huge where a place has none
  static constexpr int outer_offset = 40;  ///< `offset`, but huge for edges inside the owner
  static constexpr int block_count(int vertex_count) { return (vertex_count + 7) >> 3; }
  /// A row's count holds the vertex count, plus `flat` if the polygon has nearly flat corners
  /// (`mark_flat_corners` of geometry/polygon_library.cpp).
  static constexpr int flat = 256;
  static constexpr int vertex_count(int counts) { return counts & (flat - 1); }
  static constexpr int inner = 6;  ///< in a record: 1 if the edge lies inside its owner
  static constexpr int flat_after =
      7;  ///< in a record: 1 where the corner at its end is nearly flat
  /// Polygons with at least this many vertices have sectors of 22.5 degrees. A sector's number is
  /// the sum of 8 if y < 0, 4 if x < 0, 2 if |y| > |x|, and 1 if the smaller of |x| and |y| is more
  /// than `sector_slope` times the larger.
  static constexpr int least_with_sectors = 17;
  static constexpr int sectors = 16;
  static constexpr int sector = 24;  ///< numbers per sector: eight of each below, ascending
  static constexpr int sector_x = 0;
  static constexpr int sector_y = 8;
  static constexpr int sector_number = 16;  ///< of the vertex; all are -1 if eight do not suffice
  static constexpr double sector_slope = 0x1.a827999fcef32p-2;  ///< tan(22.5 degrees)
};

template <class F>
struct PolygonLanes {
  static constexpr Kind row_kind = Kind::polygon;
  static constexpr int quads = 2;
  static constexpr int place_column = 5;
  Vec<F, 2> center;
  Rotation<F> rotation;
  F radius;
  F place;   ///< bits
  F counts;  ///< bits: vertex count, plus `PolygonLayout::flat`
  F has_inner;
  const RealOf<F>* library;

  WIDEPHASE_INLINE PolygonLanes(const F (&row)[8], const RealOf<F>* polygons)
      : center{{row[0], row[1]}},
        rotation{row[2], row[3]},
        radius(row[4]),
        place(row[place_column]),
        counts(row[6]),
        has_inner(row[7]),
        library(polygons) {}
  /// The middle of the bounds. It visits all vertices; only periodic domains need it.
  __attribute__((noinline)) Vec<F, 2> bounds_center() const {
    using T = RealOf<F>;
    constexpr int kLanes = LaneTraits<F>::count;
    T places[kLanes], words[kLanes], cosines[kLanes], sines[kLanes], x[kLanes], y[kLanes];
    store(places, place);
    store(words, counts);
    store(cosines, rotation.cosine);
    store(sines, rotation.sine);
    for (int i = 0; i < kLanes; ++i) {
      const T* const blocks =
          library + std::ptrdiff_t{PolygonLayout::record} * integer_in(places[i]);
      const int count = PolygonLayout::vertex_count(integer_in(words[i]));
      T low[2] = {0, 0}, high[2] = {0, 0};
      for (int v = 0; v < count; ++v) {
        const T* const block = blocks + v / 8 * PolygonLayout::block + v % 8;
        const T vx = block[PolygonLayout::vertex_x], vy = block[PolygonLayout::vertex_y];
        const T at[2] = {cosines[i] * vx - sines[i] * vy, sines[i] * vx + cosines[i] * vy};
        for (int k = 0; k < 2; ++k) {
          low[k] = v == 0 || at[k] < low[k] ? at[k] : low[k];
          high[k] = v == 0 || at[k] > high[k] ? at[k] : high[k];
        }
      }
      x[i] = T(0.5) * (low[0] + high[0]);
      y[i] = T(0.5) * (low[1] + high[1]);
    }
    return center + Vec<F, 2>{{load(x), load(y)}};
  }
  WIDEPHASE_INLINE Vec<F, 2> take_origin() {
    const Vec<F, 2> origin = center;
    center = zero_vec<F, 2>();
    return origin;
  }
  WIDEPHASE_INLINE void move_back(const Vec<F, 2>& by) { center = center - by; }
  static constexpr int anchors = 1;
  WIDEPHASE_INLINE void move_to(const F (&to)[4]) {
    center = each_axis<F, 2>([&](int k) { return to[k]; });
  }
};

/// The outline of any 2D kind that has one, stored like a polygon's row: other kinds' packed rows
/// are not outlines. Its features are numbered as for its own kind.
template <class F>
struct OutlineLanes : PolygonLanes<F> {
  Kind kind;
  Question question;
  WIDEPHASE_INLINE OutlineLanes(const F (&row)[8], const RealOf<F>* outlines, Kind of_kind,
                                Question asked = Question::points)
      : PolygonLanes<F>(row, outlines), kind(of_kind), question(asked) {}
};

template <class F, int D>
struct HalfspaceLanes {
  static constexpr Kind row_kind = Kind::halfspace;
  static constexpr int quads = 2;
  Vec<F, D> normal;
  F offset;
  // As the row holds them: each is the sum of two parts.
  Vec<F, D> normal_high, normal_low;
  F offset_low;

  WIDEPHASE_INLINE explicit HalfspaceLanes(const F (&row)[8])
      : normal(each_axis<F, D>([&](int k) { return row[k] + row[4 + k]; })),
        offset(row[3]),
        normal_high(each_axis<F, D>([&](int k) { return row[k]; })),
        normal_low(each_axis<F, D>([&](int k) { return row[4 + k]; })),
        offset_low(row[7]) {}
  /// Halfspaces are endless along periodic axes, so all images of one are the same.
  WIDEPHASE_INLINE Vec<F, D> bounds_center() const { return zero_vec<F, D>(); }
  /// The offset and dot(normal, by) may be large and their difference small. So the difference is
  /// formed with twice the digits and rounded once: it is then as exact as the stored row.
  WIDEPHASE_INLINE void move_back(const Vec<F, D>& by) {
    offset = offset_from(by);
    offset_low = F(0);
  }
  static constexpr int anchors = 1;
  static constexpr bool is_plane = true;
  WIDEPHASE_INLINE void move_to(const F (&to)[4]) {
    offset = to[3];
    offset_low = F(0);
  }

 private:
  WIDEPHASE_INLINE F offset_from(const Vec<F, D>& by) const {
    using T = RealOf<F>;
    constexpr int kLanes = LaneTraits<F>::count;
    if constexpr (sizeof(T) == 4) {
      alignas(64) T high[D + 1][kLanes], low[D + 1][kLanes], at[D][kLanes], sums[kLanes];
      for (int k = 0; k < D; ++k) {
        store(high[k], normal_high[k]);
        store(low[k], normal_low[k]);
        store(at[k], by[k]);
      }
      store(high[D], offset);
      store(low[D], offset_low);
      for (int i = 0; i < kLanes; ++i) {
        double sum = static_cast<double>(high[D][i]) + static_cast<double>(low[D][i]);
        for (int k = 0; k < D; ++k) {
          const double part = static_cast<double>(high[k][i]) + static_cast<double>(low[k][i]);
          sum -= part * static_cast<double>(at[k][i]);
        }
        sums[i] = static_cast<T>(sum);
      }
      return load(sums);
    } else {
      // The error-free sums and products of Dekker and Knuth. `by` splits into 26 bits and a rest.
      // The products of the 26 bits with the normal's 26 bits are exact, and the rounding error of
      // their sum is found exactly. All other terms are smaller by 2^-26, and so is their rounding.
      F sum = offset, rest = offset_low;
      for (int k = 0; k < D; ++k) {
        const F scaled = F(T(134217729)) * by[k];  // 2^27 + 1
        const F high = scaled - (scaled - by[k]);
        const F term = normal_high[k] * high;
        const F less = sum - term;
        const F took = sum - less;  // `term`, except for rounding
        const F error = (sum - (less + took)) + (took - term);
        rest = rest + (error - (normal_high[k] * (by[k] - high) + normal_low[k] * by[k]));
        sum = less;
      }
      const F all = sum + rest;
      const F plain = offset - dot(normal, by);  // if the splitting overflows
      return select(all - all == F(0), all, plain);
    }
  }
};

}  // namespace
}  // namespace widephase
