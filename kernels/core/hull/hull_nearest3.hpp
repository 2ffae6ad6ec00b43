#pragma once

// A point or a segment and a hull, one pair per lane, in the hull's frame. If the point is within
// the hull, the nearest face's plane answers. Outside, the face that the point is highest over is
// the nearest if the point is straight above it. If not, the nearest feature is on edges. The
// nearest point on that face's edges is taken. The hull's support point along the gap from it to
// the point proves it, since the distance is no less than the separation along the gap. If it is
// not the nearest, the next face is the one across that edge, or the highest at that vertex. This
// takes a few steps, each nearer than the last.

#include "kernels/core/basis/lane_counter.hpp"
#include "kernels/core/faces/face_rings.hpp"
#include "kernels/core/gjk/gjk3.hpp"
#include "kernels/core/hull/hull_faces3.hpp"
#include "kernels/core/round/segment.hpp"

namespace widephase {
namespace {

inline constexpr int kMostNearestSteps = 6;

/// A batch's hulls, and one point for each in its frame.
template <class F>
struct PointHulls {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  HullView<T> hull[lanes];
  Vec<F, 3> point;
  Lanes<F> at[3];  ///< the same point

  WIDEPHASE_INLINE PointHulls(const ConvexLanes<F>& shape, const Vec<F, 3>& local)
      : point(local), at{Lanes<F>(local[0]), Lanes<F>(local[1]), Lanes<F>(local[2])} {
    const Lanes<F> places(shape.place());
    for (int i = 0; i < lanes; ++i) {
      hull[i] = HullView<T>(shape.library, shape.indices, integer_in(places[i]));
    }
  }
  WIDEPHASE_INLINE Vec<T, 3> point_of(int lane) const {
    return {{at[0][lane], at[1][lane], at[2][lane]}};
  }
};

/// The feature of each hull that is nearest to its point.
template <class F>
struct NearestOnHulls {
  Lanes<F> depth;      ///< of the point below the hull's surface
  Lanes<F> toward[3];  ///< unit, from the hull to the point, or to where the point leaves it
  Lanes<F> feature;
  Lanes<F> face;  ///< the face that the point is highest over
  unsigned open;  ///< lanes in which rounding hides the nearest feature
};

/// The face that each point is highest over, the lowest of equals.
template <class F>
WIDEPHASE_INLINE void find_highest_faces(const PointHulls<F>& pairs, unsigned live,
                                         NearestOnHulls<F>& found) {
  using T = RealOf<F>;
  Candidates<F, false> candidates;
  for (; live != 0; live &= live - 1) {
    const int i = __builtin_ctz(live);
    const T* const blocks = pairs.hull[i].face_blocks();
    const int block_count = pairs.hull[i].face_block_count();
    const Vec<T, 3> point = pairs.point_of(i);
    LeastOf<T> least;
    for (int b = 0; b < block_count; ++b) {
      least.add(face_heights(blocks + b * HullLayout::face_block, point));
    }
    least.put(i, candidates);
  }
  const Greatest<F> best = greatest_of(candidates);
  found.depth = Lanes<F>(negate(best.value));
  found.face = Lanes<F>(best.number);
}

/// Lanes of `inside` whose point is equally deep below another face.
template <class F>
WIDEPHASE_INLINE unsigned has_level_faces(const PointHulls<F>& pairs, unsigned inside,
                                          const NearestOnHulls<F>& found) {
  using T = RealOf<F>;
  unsigned tied = 0;
  for (; inside != 0; inside &= inside - 1) {
    const int i = __builtin_ctz(inside);
    const T* const blocks = pairs.hull[i].face_blocks();
    const Eight<T> depth = eight_of(found.depth[i]);
    const Vec<T, 3> point = pairs.point_of(i);
    int level = 0;
    for (int b = 0; b < pairs.hull[i].face_block_count(); ++b) {
      level +=
          bit_count(bits_at_least(depth, face_heights(blocks + b * HullLayout::face_block, point)));
    }
    if (level > 1) tied |= 1u << i;
  }
  return tied;
}

/// The nearest point on one face of each hull.
template <class F>
struct NearestOnRing {
  MaskOf<F> is_above;  ///< the point is straight above or below the face
  Vec<F, 3> gap;       ///< from the edges to the point, if it is not
  F distance2;
  Vec<F, 3> from;  ///< the corner where the nearest edge begins, or the nearest corner
  F corner[2];     ///< the features of the edge's corners, or twice that of the nearest corner
  F feature;
};

/// The feature of the corner after corner c, in lanes that have that many.
template <class F>
WIDEPHASE_INLINE F next_corner_feature(const FaceRingLanes<F>& rings, int c) {
  const auto is_last = F(static_cast<RealOf<F>>(c + 1)) >= load(rings.count);
  const int next = c + 1 < rings.most_count ? c + 1 : 0;
  return select(is_last, load(rings.corner_feature[0]), load(rings.corner_feature[next]));
}

/// Whether nothing of a hull is beyond the feature between two of its vertices, if its `farthest`
/// vertex lies there by `rise`. A vertex that is beyond by only a rounding of the distance may be
/// as far aside as the hull is large.
template <class F>
WIDEPHASE_INLINE MaskOf<F> is_outermost(const F (&corner)[2], const SupportPoint3<F>& farthest,
                                        const F& rise) {
  const F feature = vertex_feature(farthest.number);
  return (rise <= F(0)) | (feature == corner[0]) | (feature == corner[1]);
}

template <class F>
WIDEPHASE_INLINE NearestOnRing<F> nearest_on_ring(const FaceRingLanes<F>& rings,
                                                  const Vec<F, 3>& point) {
  using T = RealOf<F>;
  const F zero = F(0), one = F(1);
  const Vec<F, 3> normal = rings.normals();
  const F count = load(rings.count);
  NearestOnRing<F> best{zero == zero,     zero_vec<F, 3>(), F(kLargest<T>),
                        zero_vec<F, 3>(), {zero, zero},     zero};
  Vec<F, 3> from = rings.corner_at(0);
  for (int c = 0; c < rings.most_count; ++c) {
    const auto exists = F(static_cast<T>(c)) < count;
    const Vec<F, 3> to = rings.corner_at(c + 1);
    const Vec<F, 3> along = to - from, from_start = point - from;
    best.is_above = best.is_above & ((dot(cross(along, from_start), normal) >= zero) | !exists);
    // As in GJK: perpendicular to the edge, from the end that is nearer to the foot. If rounding
    // hides that a corner is nearer, an edge gives the better direction.
    const F inverse2 = divide_or_zero(one, dot(along, along));
    const F t = dot(from_start, along) * inverse2;
    const Vec<F, 3> start = select(t > F(0.5f), point - to, from_start);
    const Vec<F, 3> across = inverse2 * cross(cross(along, start), along);
    const F beside2 = dot(across, across), start2 = dot(from_start, from_start);
    const F least = best.distance2 - roundings<F>(4) * best.distance2;
    const auto is_corner = exists & (start2 < least);
    best.distance2 = select(is_corner, start2, best.distance2);
    const auto is_edge = exists & (t > zero) & (t < one) &
                         (beside2 <= best.distance2 + roundings<F>(4) * best.distance2);
    best.distance2 = select(is_edge, beside2, best.distance2);
    best.gap = select(is_edge, across, select(is_corner, from_start, best.gap));
    best.from = select(is_edge | is_corner, from, best.from);
    const F corner = load(rings.corner_feature[c]);
    best.corner[0] = select(is_edge | is_corner, corner, best.corner[0]);
    best.corner[1] =
        select(is_edge, next_corner_feature(rings, c), select(is_corner, corner, best.corner[1]));
    best.feature =
        select(is_edge, load(rings.edge_feature[c]), select(is_corner, corner, best.feature));
    from = to;
  }
  return best;
}

/// The next face if an edge or a vertex of `face` is not the nearest feature. If neither is,
/// because distances overflow, answers the number of faces.
template <class T>
WIDEPHASE_INLINE int next_face(const HullView<T>& hull, int face, T feature,
                               const Vec<T, 3>& point) {
  if (!(feature >= vertex_feature(T(0)))) return hull.face_count;
  if (feature >= edge_feature(T(0))) {
    const std::int16_t* const both =
        hull.edge_faces() + 2 * static_cast<int>(feature - edge_feature(T(0)));
    return both[0] == face ? both[1] : both[0];
  }
  const int vertex = static_cast<int>(feature - vertex_feature(T(0)));
  int highest = face;
  T height = -kInfinite<T>;
  for (int n = hull.vertex_starts()[vertex]; n < hull.vertex_starts()[vertex + 1]; ++n) {
    const int other = hull.vertex_faces()[n];
    const T over = dot(hull.face_normal(other), point) - hull.face_offset(other);
    if (other == face || !(over > height)) continue;
    height = over;
    highest = other;
  }
  return highest;
}

/// Finds the nearest features in the lanes of `outside`, whose highest faces are known. `rounding`
/// is the rounding of coordinates.
template <class F>
__attribute__((noinline)) void find_nearest_outside(const PointHulls<F>& pairs, unsigned outside,
                                                    const F& rounding, NearestOnHulls<F>& found,
                                                    LaneCounter<F>& counter) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  found.open = 0;
  FaceRingLanes<F> rings;
  T offset[kLanes] = {};
  HullVertices<F> vertices;
  for (int i = 0; i < kLanes; ++i) vertices.set(i, pairs.hull[i]);
  Lanes<F> face = found.face;
  const F highest = load(found.depth.number);
  const auto put = [&](const MaskOf<F>& where, const Vec<F, 3>& toward, const F& depth,
                       const F& feature) {
    for (int k = 0; k < 3; ++k) store_where(where, found.toward[k].number, toward[k]);
    store_where(where, found.depth.number, depth);
    store_where(where, found.feature.number, feature);
  };
  for (int step = 0; outside != 0; ++step) {
    if (step == kMostNearestSteps) {
      found.open |= outside;
      return;
    }
    counter.add_step_of(outside);
    for (unsigned left = outside; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const HullView<T>& hull = pairs.hull[i];
      const int at = static_cast<int>(face[i]);
      if (at >= hull.face_count ||
          hull.face_start(at + 1) - hull.face_start(at) > FaceRingLanes<F>::most) {
        outside &= ~(1u << i);
        found.open |= 1u << i;
        continue;
      }
      rings.set(i, hull, at);
      offset[i] = hull.face_offset(at);
    }
    rings.fill();
    const NearestOnRing<F> nearest = nearest_on_ring(rings, pairs.point);
    const auto is_outside = lanes_of<F>(outside);
    const Vec<F, 3> normal = rings.normals();
    const F below = load(offset) - dot(normal, pairs.point);
    const auto is_above = is_outside & nearest.is_above & (below <= highest + rounding);
    put(is_above, normal, below, load(rings.face_feature));
    outside &= ~mask_bits(is_above);
    if (outside == 0) return;
    // How far the hull's vertices lie beyond the nearest point.
    const F distance = sqrt(nearest.distance2);
    const SupportPoint3<F> farthest = farthest_vertex(vertices, nearest.gap, outside);
    const F rise = dot(nearest.gap, farthest.point - nearest.from);
    const F beyond = divide_or_zero(greater(rise, F(0)), distance);
    const auto is_nearest = is_outside & (!is_above) &
                            is_outermost(nearest.corner, farthest, rise) & (beyond <= rounding) &
                            (distance > rounding) & (distance <= F(kLargest<T>));
    put(is_nearest, nearest.gap / distance, beyond - distance, nearest.feature);
    outside &= ~mask_bits(is_nearest);
    const Lanes<F> feature(nearest.feature);
    for (unsigned left = outside; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const int now = static_cast<int>(face[i]);
      face.number[i] = static_cast<T>(next_face(pairs.hull[i], now, feature[i], pairs.point_of(i)));
    }
  }
}

/// The nearest points of a segment and one face of each hull.
template <class F>
struct SegmentOnRing {
  MaskOf<F> is_above;   ///< the lower end is straight above or below the face
  MaskOf<F> is_second;  ///< the second end is the lower one
  F height;             ///< of the lower end
  Vec<F, 3> gap;        ///< from the nearest edge to the segment
  F distance2;
  F s, t;        ///< parameters on the segment and on that edge
  F corner[2];   ///< the features of the edge's corners
  F edge;        ///< its feature
  Vec<F, 3> at;  ///< on that edge
};

template <class F>
WIDEPHASE_INLINE SegmentOnRing<F> nearest_on_ring(const FaceRingLanes<F>& rings, const F& offset,
                                                  const Vec<F, 3>& first, const Vec<F, 3>& second) {
  using T = RealOf<F>;
  const F zero = F(0);
  const Vec<F, 3> normal = rings.normals();
  const F count = load(rings.count);
  const F over_first = dot(normal, first) - offset, over_second = dot(normal, second) - offset;
  SegmentOnRing<F> best;
  best.is_second = over_second < over_first;
  best.height = lesser(over_first, over_second);
  best.is_above = zero == zero;
  best.gap = best.at = zero_vec<F, 3>();
  best.distance2 = F(kLargest<T>);
  best.s = best.t = best.corner[0] = best.corner[1] = best.edge = zero;
  F best_inner = zero;  // how many of the two parameters are not at ends
  const Vec<F, 3> lower = select(best.is_second, second, first);
  Vec<F, 3> from = rings.corner_at(0);
  for (int c = 0; c < rings.most_count; ++c) {
    const auto exists = F(static_cast<T>(c)) < count;
    const Vec<F, 3> to = rings.corner_at(c + 1);
    const SegmentPair<F, 3> lines(first, second, from, to);
    best.is_above = best.is_above & ((dot(cross(lines.v, lower - from), normal) >= zero) | !exists);
    const SegmentGap3<F> nearest = gap_between(
        lines, [&](const MaskOf<F>& is_second, const MaskOf<F>& is_to)
                   __attribute__((always_inline)) {
                     return select(is_second, second, first) - select(is_to, to, from);
                   });
    const SegmentParameters<F>& at = nearest.at;
    const Vec<F, 3>& gap = nearest.gap;
    const F &distance2 = nearest.distance2, &inner = nearest.inner;
    // If rounding hides which is nearer, the one with more of them has the better direction.
    const F slack = roundings<F>(4) * best.distance2;
    const auto is_better =
        exists & ((distance2 < best.distance2 - slack) |
                  ((inner > best_inner) & (distance2 <= best.distance2 + slack)));
    best_inner = select(is_better, inner, best_inner);
    best.gap = select(is_better, gap, best.gap);
    best.distance2 = select(is_better, distance2, best.distance2);
    best.s = select(is_better, at.s, best.s);
    best.t = select(is_better, at.t, best.t);
    best.at = select(is_better, point_at(from, to, at.t), best.at);
    best.edge = select(is_better, load(rings.edge_feature[c]), best.edge);
    best.corner[0] = select(is_better, load(rings.corner_feature[c]), best.corner[0]);
    best.corner[1] = select(is_better, next_corner_feature(rings, c), best.corner[1]);
    from = to;
  }
  return best;
}

/// The features of a segment and a hull that are nearest to each other.
template <class F>
struct SegmentFeatures {
  F of_segment, of_hull;
};

/// In the lanes of `asked`, where A's core is a segment apart from B's hull, finds the nearest
/// features, in the form in which GJK would leave them, and by name. `face` is where to begin,
/// `apart` a lower bound of the distance, `rounding` the rounding of coordinates. Puts the lanes in
/// which the first face itself is the nearest feature into `by_face`, and answers those in which
/// rounding hides the nearest feature.
template <class F>
__attribute__((noinline)) unsigned find_nearest_of_segments(
    const CorePair<F>& pair, const HullView<RealOf<F>> (&hulls)[LaneTraits<F>::count],
    Lanes<F> face, const F& apart, const F& rounding, unsigned asked, Simplex3<F>& found,
    SegmentFeatures<F>& features, unsigned& by_face, LaneCounter<F>& counter) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  const F zero = F(0), one = F(1), two = F(2), three = F(3);
  const Rotation3<F>& turn = pair.b.shape.turn;
  const Vec<F, 3>& half = pair.a.axis[0];
  const Vec<F, 3> middle = -rotate_back(turn, pair.apart), along = rotate_back(turn, half);
  const Vec<F, 3> first = middle - along, second = middle + along;
  FaceRingLanes<F> rings;
  T offset[kLanes] = {};
  unsigned open = 0;
  by_face = 0;
  for (int step = 0; asked != 0; ++step) {
    if (step == kMostNearestSteps) return open | asked;
    counter.add_step_of(asked);
    for (unsigned left = asked; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const HullView<T>& hull = hulls[i];
      const int at = static_cast<int>(face[i]);
      if (at >= hull.face_count ||
          hull.face_start(at + 1) - hull.face_start(at) > FaceRingLanes<F>::most) {
        asked &= ~(1u << i);
        open |= 1u << i;
        continue;
      }
      rings.set(i, hull, at);
      offset[i] = hull.face_offset(at);
    }
    rings.fill();
    const SegmentOnRing<F> nearest = nearest_on_ring(rings, load(offset), first, second);
    const auto is_asked = lanes_of<F>(asked);
    const auto is_above = is_asked & nearest.is_above & (nearest.height > rounding) &
                          (nearest.height >= apart - rounding);
    if (step == 0) by_face = mask_bits(is_above);
    // How much nearer to each other the parts beyond the nearest points are.
    const F distance = sqrt(nearest.distance2);
    const unsigned by_edge = asked & ~mask_bits(is_above);
    const SupportPoint3<F> farthest = farthest_vertex(pair.b.vertices, nearest.gap, by_edge);
    const F rise = dot(nearest.gap, farthest.point - nearest.at);
    const F slope = dot(nearest.gap, second - first);
    const F fall = greater(nearest.s * slope, (nearest.s - one) * slope);
    const F beyond = divide_or_zero(greater(rise, zero) + fall, distance);
    const F nearest_corner = select(nearest.t <= zero, nearest.corner[0], nearest.corner[1]);
    const auto is_on_edge = (nearest.t > zero) & (nearest.t < one);
    const F touched[2] = {select(is_on_edge, nearest.corner[0], nearest_corner), nearest_corner};
    const auto is_nearest = lanes_of<F>(by_edge) & is_outermost(touched, farthest, rise) &
                            (fall <= (roundings<F>(16) * distance) * length(second - first)) &
                            (beyond <= rounding) & (distance > rounding) &
                            (distance <= F(kLargest<T>));
    const auto is_done = is_above | is_nearest;
    const unsigned done = mask_bits(is_done);
    if (done != 0) {
      const F end = select(is_above, select(nearest.is_second, one, zero), nearest.s);
      const Vec<F, 3> lower = select(nearest.is_second, second, first);
      const Vec<F, 3> toward = select(is_above, nearest.height * rings.normals(), nearest.gap);
      const auto is_inner_s = (end > zero) & (end < one);
      const auto is_inner_t = (!is_above) & is_on_edge;
      const F vertices = vertex_feature(zero);
      const F low = nearest.corner[0] - vertices, high = nearest.corner[1] - vertices;
      const F ends[2] = {select(is_inner_s, zero, end), select(is_inner_s, one, end)};
      const F corners[2] = {select(is_inner_t | (nearest.t <= zero), low, high),
                            select(is_inner_t | (nearest.t >= one), high, low)};
      const auto put = [&](F& to, const F& value) { to = select(is_done, value, to); };
      const Vec<F, 3> on_a = (two * end - one) * half;
      const Vec<F, 3> on_b =
          rotate(turn, select(is_above, lower - nearest.height * rings.normals(), nearest.at));
      const Vec<F, 3> gap = rotate(turn, toward);
      for (int k = 0; k < 3; ++k) {
        DifferenceVertex3<F>& v = found.v[k];
        put(v.a, ends[k == 0 ? 0 : 1]);
        put(v.b,
            select(is_above, load(rings.corner_feature[k]) - vertices, corners[k == 0 ? 0 : 1]));
        for (int j = 0; j < 3; ++j) {
          put(v.of_a[j], on_a[j]);
          put(v.of_b[j], on_b[j]);
        }
        put(found.share[k], k == 0 ? one : zero);
        put(found.nearest[k], gap[k]);
      }
      put(features.of_segment, select(is_inner_s, edge_feature(zero), vertex_feature(end)));
      put(features.of_hull, select(is_above, load(rings.face_feature),
                                   select(is_inner_t, nearest.edge, nearest_corner)));
      put(found.size, select(is_above, three, select(is_inner_s | is_inner_t, two, one)));
      put(found.distance, select(is_above, nearest.height, distance - beyond));
      put(found.is_overlap, zero);
      put(found.is_capped, zero);
    }
    asked &= ~done;
    const F feature = select(is_on_edge, nearest.edge, nearest_corner);
    const Vec<F, 3> point = first + (two * nearest.s) * along;
    const Lanes<F> features(feature);
    const Lanes<F> at[3] = {Lanes<F>(point[0]), Lanes<F>(point[1]), Lanes<F>(point[2])};
    for (unsigned left = asked; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const int now = static_cast<int>(face[i]);
      face.number[i] = static_cast<T>(
          next_face<T>(hulls[i], now, features[i], {{at[0][i], at[1][i], at[2][i]}}));
    }
  }
  return open;
}

}  // namespace
}  // namespace widephase
