#pragma once

// segment_segment: how far two segments of the plane are apart, in lanes. They are nearest at an
// end of one, or cross. Frame: any, in double.

#include "kernels/core/chain/vector2.hpp"
#include "kernels/core/concave/triangle_pairs.hpp"

namespace widephase {
namespace {

/// Candidates: end k of A is k, of B 2 + k; the crossing is the last.
inline constexpr int kEndsOfB = 2, kCrossing = 4;

/// The share of a segment that is nearest to a point.
template <class F>
WIDEPHASE_INLINE F share_nearest(const Vec<F, 2>& point, const Vec<F, 2>& from,
                                 const Vec<F, 2>& along) {
  const F size2 = dot(along, along), at = dot(point - from, along);
  return clamp(divide(at, select(size2 > F(0), size2, F(1))), F(0), F(1));
}

/// The shares of two segments at which their lines cross; outside of [0, 1] if these are parallel.
template <class F>
WIDEPHASE_INLINE void shares_of_crossing(const Vec<F, 2> (&a)[2], const Vec<F, 2> (&b)[2],
                                         F& share_a, F& share_b) {
  const Vec<F, 2> along_a = a[1] - a[0], along_b = b[1] - b[0], apart = b[0] - a[0];
  const F sine = cross(along_a, along_b);
  const auto crosses = abs(sine) > F(0);
  const F divisor = select(crosses, sine, F(1));
  share_a = select(crosses, divide(cross(apart, along_b), divisor), F(-1));
  share_b = select(crosses, divide(cross(apart, along_a), divisor), F(-1));
}

template <class F>
WIDEPHASE_INLINE NearestPieces<F> nearest_pieces(const Vec<F, 2> (&a)[2], const Vec<F, 2> (&b)[2],
                                                 const F&) {
  const F zero(0), one(1);
  NearestPieces<F> nearest{F(kInfinite<double>), zero};
  const auto is_any = zero <= zero;
  const Vec<F, 2> along_a = a[1] - a[0], along_b = b[1] - b[0];
  const auto ask = [&](const Vec<F, 2>& end, const Vec<F, 2>& from, const Vec<F, 2>& along,
                       int number) {
    const Vec<F, 2> apart = end - (from + share_nearest(end, from, along) * along);
    nearest.take(is_any, dot(apart, apart), number);
  };
  for (int k = 0; k < 2; ++k) ask(a[k], b[0], along_b, k);
  for (int k = 0; k < 2; ++k) ask(b[k], a[0], along_a, kEndsOfB + k);
  F s, t;
  shares_of_crossing(a, b, s, t);
  nearest.take(((s >= zero) & (s <= one)) & ((t >= zero) & (t <= one)), zero, kCrossing);
  return nearest;
}

WIDEPHASE_INLINE PieceMeeting<2> nearest_of_pair(const Vector2 (&a)[2], const Vector2 (&b)[2],
                                                 int candidate) {
  using F = Batch<double>;
  const auto spread = [](const Vector2& v) { return Vec<F, 2>{{F(v[0]), F(v[1])}}; };
  const auto feature_of = [](double share) {
    constexpr double kLeast = 1e-12;
    return share <= kLeast ? kOfVertex : share >= 1 - kLeast ? kOfVertex + 1 : kOfFace;
  };
  const auto foot = [&](const Vector2& end, const Vector2(&on)[2], Vector2& at) {
    const Vector2 along = on[1] - on[0];
    const double share = first_lane(share_nearest(spread(end), spread(on[0]), spread(along)));
    at = on[0] + scaled(along, share);
    return feature_of(share);
  };
  PieceMeeting<2> meeting{};
  if (candidate < kEndsOfB) {
    meeting.on_a = a[candidate];
    meeting.feature_a = kOfVertex + candidate;
    meeting.feature_b = foot(a[candidate], b, meeting.on_b);
  } else if (candidate < kCrossing) {
    const int k = candidate - kEndsOfB;
    meeting.on_b = b[k];
    meeting.feature_b = kOfVertex + k;
    meeting.feature_a = foot(b[k], a, meeting.on_a);
  } else {
    const Vec<F, 2> of_a[2] = {spread(a[0]), spread(a[1])}, of_b[2] = {spread(b[0]), spread(b[1])};
    F s, t;
    shares_of_crossing(of_a, of_b, s, t);
    meeting.on_a = meeting.on_b = a[0] + scaled(a[1] - a[0], first_lane(s));
    meeting.feature_a = feature_of(first_lane(s));
    meeting.feature_b = feature_of(first_lane(t));
  }
  return meeting;
}

}  // namespace
}  // namespace widephase
