#pragma once

// A line of a cylinder's side or a capsule's core over a face of another core, with pairs in lanes.

#include "kernels/core/cylinder/round_faces.hpp"
#include "kernels/core/faces/convex_manifold.hpp"

namespace widephase {
namespace {

/// A point of a pair in each lane.
template <class F>
struct RoundPoint {
  Vec<F, 3> on_a;
  F depth, feature_a, feature_b;

  WIDEPHASE_INLINE void put(const MaskOf<F>& where, int number, PointTable<F>& table) const {
    for (int k = 0; k < 3; ++k) store_where(where, table.position[number][k], on_a[k]);
    store_where(where, table.depth[number], depth);
    store_where(where, table.feature_a[number], feature_a);
    store_where(where, table.feature_b[number], feature_b);
    store_where(where, table.exists[number], F(1));
  }
};

/// A line of a side over another core's face, seen along the normal in the face's plane, with the
/// part of it that the face is under (`put_line` and `FaceClipper`).
template <class F>
struct LineOverFace {
  using T = RealOf<F>;
  struct Seen {
    F x, y, height;
  };
  Vec<F, 3> origin, facing, outward;
  PlaneAxes<F> axes;
  F by_rise;
  Seen ends[2];
  Vec<F, 3> along;  ///< its direction across the normal
  F length;
  MaskOf<F> stands;       ///< along the normal
  F at[2];                ///< where the part begins and ends, as shares of the line
  MaskOf<F> is_cut[2];    ///< that is where the face ends
  F cut_feature[2];       ///< the face's there
  MaskOf<F> is_over;      ///< there is such a part
  MaskOf<F> is_there[2];  ///< and its end is near enough
  RoundPoint<F> points[2];

  /// `offset` leads from the middle of the face's core to that of the line's, `start` and `end`
  /// from there.
  WIDEPHASE_INLINE LineOverFace(const Vec<F, 3>& corner, const Vec<F, 3>& face_normal,
                                const Vec<F, 3>& out, const Vec<F, 3>& offset,
                                const Vec<F, 3>& start, const Vec<F, 3>& end,
                                const Vec<F, 3>& normal)
      : origin(corner),
        facing(face_normal),
        outward(out),
        axes(face_normal),
        by_rise(divide(F(1), dot(out, face_normal))) {
    const Vec<F, 3> stretch = end - start;
    const Vec<F, 3> once = stretch - dot(stretch, normal) * normal;
    const Vec<F, 3> across = once - dot(once, normal) * normal;
    length = sqrt(dot(stretch, stretch));
    const F across2 = dot(across, across), least = roundings<F>(16) * length;
    stands = !(across2 > least * least);
    along = across / select(stands, F(1), sqrt(across2));
    ends[0] = seen(offset + start);
    ends[1] = seen(offset + end);
  }
  WIDEPHASE_INLINE Seen seen(const Vec<F, 3>& position) const {
    const Vec<F, 3> from = position - origin;
    const F height = dot(from, facing) * by_rise;
    const Vec<F, 3> foot = from - height * outward;
    return {dot(foot, axes.x), dot(foot, axes.y), height};
  }

  /// Finds the points at the part's ends. The face is A's if `by_a`; corners higher than
  /// `most_height` are left out.
  WIDEPHASE_INLINE void find_points(const MaskOf<F>& by_a, const Vec<F, 3>& apart,
                                    const F& most_height, const F& rounding, const F& face,
                                    const F& line, const F (&line_end)[2]) {
    const Seen &p = ends[0], &q = ends[1];
    const auto own = [&](const auto& of_a, const auto& of_b) { return select(by_a, of_a, of_b); };
    const auto is_high = [&](const F& height) { return !(height <= most_height + rounding); };
    is_over = is_over & !stands & !(is_high(p.height) & is_high(q.height));
    for (int end = 0; end < 2; ++end) {
      const auto between = [&](const F& first, const F& second) {
        return select(is_cut[end], first + at[end] * (second - first), end == 0 ? first : second);
      };
      const F height = between(p.height, q.height);
      is_there[end] = !is_high(height);
      const F low = select(height < most_height, height, most_height);
      const Vec<F, 3> on_face = origin + (between(p.x, q.x) * axes.x + between(p.y, q.y) * axes.y);
      const F of_face = select(is_cut[end], cut_feature[end], face);
      const F of_line = select(is_cut[end], line, line_end[end]);
      points[end] = {own(on_face, (apart + on_face) + low * outward), negate(low),
                     own(of_face, of_line), own(of_line, of_face)};
    }
  }
  /// Whether no end is deeper than the pair.
  WIDEPHASE_INLINE MaskOf<F> is_sound(const F& depth, const F& slack) const {
    const F most = depth + slack;
    return !((is_there[0] & (points[0].depth > most)) | (is_there[1] & (points[1].depth > most)));
  }
  /// Whether both ends are points of the contact.
  WIDEPHASE_INLINE MaskOf<F> is_two(const F& depth, const F& rounding) const {
    const F first = dot(points[0].on_a, along), last = dot(points[1].on_a, along);
    return is_over & is_there[0] & is_there[1] &
           (greater(points[0].depth, points[1].depth) >= depth - rounding) &
           (abs(last - first) > F(T(1e-4)) * length);
  }
  WIDEPHASE_INLINE void put(const MaskOf<F>& where, const F& depth, const F& rounding,
                            PointTable<F>& table) {
    const F most = greater(points[0].depth, points[1].depth);
    for (int end = 0; end < 2; ++end) {
      F& own = points[end].depth;
      own = select((own >= most) | !(own < depth - rounding), depth, own);
      points[end].put(where, end, table);
    }
  }
};

}  // namespace
}  // namespace widephase
