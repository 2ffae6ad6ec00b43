#pragma once

// A point and a hull, a lane a pair, in the hull's frame. Within the hull the nearest face's plane
// answers. Outside, the face that the point is highest over is the nearest if the point is straight
// above it. If not, what is nearest lies on edges: the nearest of that face's is taken, and is
// proven by the hull's farthest vertex along the way from it to the point, since the distance is no
// less than the two are apart along that way. Where it is not the nearest, the next face is the one
// across that edge, or the highest at that vertex: a few steps, each nearer than the last.

#include "core/face_rings.hpp"
#include "core/hull_faces3.hpp"
#include "core/lane_counter.hpp"
#include "core/segment.hpp"

namespace widephase {
namespace {

inline constexpr int kMostNearestSteps = 6;

/// A batch's hulls, and a point each in their frames.
template <class F>
struct PointHulls {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  HullView<T> hull[lanes];
  Vec<F, 3> point;
  Lanes<F> at[3];  ///< the same

  WIDEPHASE_INLINE PointHulls(const ConvexLanes<F>& shape, const Vec<F, 3>& local)
      : point(local), at{Lanes<F>(local[0]), Lanes<F>(local[1]), Lanes<F>(local[2])} {
    const Lanes<F> places(shape.half[0]);
    for (int i = 0; i < lanes; ++i) {
      hull[i] = HullView<T>(shape.library, shape.indices, integer_in(places[i]));
    }
  }
  WIDEPHASE_INLINE Vec<T, 3> point_of(int lane) const {
    return {{at[0][lane], at[1][lane], at[2][lane]}};
  }
};

/// What of each hull is nearest to its point.
template <class F>
struct NearestOnHulls {
  Lanes<F> depth;      ///< of the point in the hull
  Lanes<F> toward[3];  ///< unit, from the hull to the point, or to where it leaves the hull
  Lanes<F> feature;
  Lanes<F> face;  ///< that the point is highest over
  unsigned open;  ///< lanes in which rounding hides what is nearest
};

/// The face that each point is highest over, the lowest of equals.
template <class F>
WIDEPHASE_INLINE void find_highest_faces(const PointHulls<F>& pairs, unsigned live,
                                         NearestOnHulls<F>& found) {
  using T = RealOf<F>;
  Candidates<F, false> candidates(true);
  for (; live != 0; live &= live - 1) {
    const int i = __builtin_ctz(live);
    const T* const blocks = pairs.hull[i].face_blocks();
    const int block_count = pairs.hull[i].face_block_count();
    const Vec<T, 3> point = pairs.point_of(i);
    LeastOf<T> least;
    for (int b = 0; b < block_count; ++b) {
      least.add(face_heights(blocks + b * HullLayout::face_block, point), b);
    }
    least.put(i, candidates);
  }
  const Greatest<F> best = greatest_of(candidates);
  found.depth = Lanes<F>(negate(best.value));
  found.face = Lanes<F>(best.number);
}

/// Lanes of `inside` whose point is as deep below another face.
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

/// The nearest point of one face of each hull's.
template <class F>
struct NearestOnRing {
  MaskOf<F> is_above;  ///< the point is straight above the face or below
  Vec<F, 3> way;       ///< to the point, where it is not
  F distance2;
  Vec<F, 3> from;  ///< the corner that the nearest edge begins at, or which is nearest
  F feature;
};

template <class F>
WIDEPHASE_INLINE NearestOnRing<F> nearest_on_ring(const FaceRings<F>& rings,
                                                  const Vec<F, 3>& point) {
  using T = RealOf<F>;
  const F zero = F(0), one = F(1);
  const Vec<F, 3> normal = rings.normals();
  const F count = load(rings.count);
  NearestOnRing<F> best{zero == zero, zero_vec<F, 3>(), F(kLargest<T>), zero_vec<F, 3>(), zero};
  Vec<F, 3> from = rings.corner_at(0);
  for (int c = 0; c < rings.most_count; ++c) {
    const auto exists = F(static_cast<T>(c)) < count;
    const Vec<F, 3> to = rings.corner_at(c + 1);
    const Vec<F, 3> along = to - from, from_start = point - from;
    best.is_above = best.is_above & ((dot(cross(along, from_start), normal) >= zero) | !exists);
    // As in GJK: perpendicular to the edge, from the end that is nearer to the foot; an edge has
    // the better direction where rounding hides that a corner is nearer.
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
    best.way = select(is_edge, across, select(is_corner, from_start, best.way));
    best.from = select(is_edge | is_corner, from, best.from);
    best.feature = select(is_edge, load(rings.edge_feature[c]),
                          select(is_corner, load(rings.corner_feature[c]), best.feature));
    from = to;
  }
  return best;
}

/// The face to go on with where an edge or a vertex of `face` is not the nearest.
template <class T>
WIDEPHASE_INLINE int next_face(const HullView<T>& hull, int face, T feature,
                               const Vec<T, 3>& point) {
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

/// In lanes of `outside`, whose highest faces are found: what is nearest. `rounding` is what
/// coordinates round by.
template <class F>
__attribute__((noinline)) void find_nearest_outside(const PointHulls<F>& pairs, unsigned outside,
                                                    const F& rounding, NearestOnHulls<F>& found,
                                                    LaneCounter<F>& counter) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  found.open = 0;
  FaceRings<F> rings;
  T offset[kLanes] = {};
  HullVertices<F> vertices;
  for (int i = 0; i < kLanes; ++i) vertices.set(i, pairs.hull[i]);
  Lanes<F> face = found.face;
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
      if (hull.face_start(at + 1) - hull.face_start(at) > FaceRings<F>::most) {
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
    const auto is_above = is_outside & nearest.is_above;
    const Vec<F, 3> normal = rings.normals();
    put(is_above, normal, load(offset) - dot(normal, pairs.point), load(rings.face_feature));
    outside &= ~mask_bits(is_above);
    if (outside == 0) return;
    // How far the hull's vertices are beyond the nearest point.
    const F distance = sqrt(nearest.distance2);
    const SupportPoint3<F> farthest = farthest_vertex(vertices, nearest.way, outside);
    const F gap = greater(dot(nearest.way, farthest.point - nearest.from), F(0));
    const F beyond = divide_or_zero(gap, distance);
    const auto is_nearest = is_outside & (!nearest.is_above) & (beyond <= rounding) &
                            (distance > rounding) & (distance <= F(kLargest<T>));
    put(is_nearest, nearest.way / distance, beyond - distance, nearest.feature);
    outside &= ~mask_bits(is_nearest);
    const Lanes<F> feature(nearest.feature);
    for (unsigned left = outside; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const int now = static_cast<int>(face[i]);
      face.number[i] = static_cast<T>(next_face(pairs.hull[i], now, feature[i], pairs.point_of(i)));
    }
  }
}

}  // namespace
}  // namespace widephase
