#pragma once

// triangle_triangle: how far two triangles are apart, and whether one reaches below another.
//
// Frame: any, in double. Two triangles are nearest where a vertex of one is over the face of the
// other, or where two edges are; they meet where an edge passes through a face as well (Ericson,
// Real-Time Collision Detection, 2005, sections 5.1.9 and 5.1.10). In lanes only the distance and
// which of these 21 candidates has it are found, the first of equals; `nearest_of_pair` makes the
// points of the few pairs that count. Edges that are nearly parallel have some nearest points.
// Cost: about 250 operations per pair; pairs that the planes part are told at once.

#include "kernels/core/surface/listed_triangles.hpp"
#include "kernels/lanes/vec.hpp"

namespace widephase {
namespace {

/// Candidates: vertex k of A over B's face is k, of B over A's 3 + k; edge i of A and j of B are
/// 6 + 3 i + j; edge i of A through B is 15 + i, of B through A 18 + i.
inline constexpr int kOverA = 3, kOfEdges = 6, kThroughB = 15, kThroughA = 18;

/// A face with what tells whether a point is over it.
template <class F>
struct FaceLanes {
  Vec<F, 3> vertex[3], edge[3];
  Vec<F, 3> normal, inward[3];
  F size2;  ///< of the normal

  explicit WIDEPHASE_INLINE FaceLanes(const Vec<F, 3> (&corners)[3]) {
    for (int k = 0; k < 3; ++k) {
      vertex[k] = corners[k];
      edge[k] = corners[(k + 1) % 3] - corners[k];
    }
    normal = cross(edge[0], edge[1]);
    size2 = dot(normal, normal);
    for (int k = 0; k < 3; ++k) inward[k] = cross(normal, edge[k]);
  }
  /// How far a point is above the plane, times the normal's length.
  WIDEPHASE_INLINE F height(const Vec<F, 3>& p) const { return dot(normal, p - vertex[0]); }
  WIDEPHASE_INLINE MaskOf<F> is_over(const Vec<F, 3>& p) const {
    return ((dot(inward[0], p - vertex[0]) >= F(0)) & (dot(inward[1], p - vertex[1]) >= F(0))) &
           (dot(inward[2], p - vertex[2]) >= F(0));
  }
};

/// A side of a triangle, with what two of them are asked again and again.
template <class F>
struct SideLanes {
  Vec<F, 3> from, along;
  F size2, inverse2;  ///< the inverse of a length of 0 is 1

  WIDEPHASE_INLINE SideLanes() = default;
  WIDEPHASE_INLINE SideLanes(const Vec<F, 3>& begin, const Vec<F, 3>& way)
      : from(begin), along(way), size2(dot(way, way)) {
    inverse2 = divide(F(1), select(size2 > F(0), size2, F(1)));
  }
};

/// The nearest points of two edges, as shares of them.
template <class F>
WIDEPHASE_INLINE void nearest_of_edges(const SideLanes<F>& a, const SideLanes<F>& b, F& share_a,
                                       F& share_b) {
  const F zero(0), one(1);
  const Vec<F, 3> apart = a.from - b.from;
  const F both = dot(a.along, b.along);
  const F of_a = dot(a.along, apart), of_b = dot(b.along, apart);
  const F sine2 = a.size2 * b.size2 - both * both;
  const F crossing = divide(both * of_b - of_a * b.size2, select(sine2 > zero, sine2, one));
  const F first = clamp(select(sine2 > zero, crossing, zero), zero, one);
  share_b = clamp((both * first + of_b) * b.inverse2, zero, one);
  share_a = clamp((both * share_b - of_a) * a.inverse2, zero, one);
}

template <class F>
struct NearestPieces {
  F distance2, candidate;
  WIDEPHASE_INLINE void take(const MaskOf<F>& is, const F& here, int number) {
    const auto is_nearer = is & (here < distance2);
    distance2 = select(is_nearer, here, distance2);
    candidate = select(is_nearer, F(number), candidate);
  }
};

/// Whether all of three heights are on one side of a plane, farther than a square of a distance.
template <class F>
WIDEPHASE_INLINE MaskOf<F> is_parted(const F (&height)[3], const F& size2, const F& far2) {
  const F zero(0);
  const auto above = ((height[0] > zero) & (height[1] > zero)) & (height[2] > zero);
  const auto below = ((height[0] < zero) & (height[1] < zero)) & (height[2] < zero);
  F least = abs(height[0]);
  least = lesser(lesser(least, abs(height[1])), abs(height[2]));
  return (above | below) & (least * least > far2 * size2);
}

/// Distances beyond the root of `far2` may come out as infinite.
template <class F>
WIDEPHASE_INLINE NearestPieces<F> nearest_pieces(const Vec<F, 3> (&corners_a)[3],
                                                 const Vec<F, 3> (&corners_b)[3], const F& far2) {
  const FaceLanes<F> a(corners_a), b(corners_b);
  const F zero(0);
  NearestPieces<F> nearest{F(kInfinite<double>), zero};
  F of_a[3], of_b[3];  // heights of A's vertices above B's plane, and the other way round
  for (int k = 0; k < 3; ++k) {
    of_a[k] = b.height(a.vertex[k]);
    of_b[k] = a.height(b.vertex[k]);
  }
  const auto is_apart = is_parted(of_a, b.size2, far2) | is_parted(of_b, a.size2, far2);
  if (mask_bits(is_apart) == LaneTraits<F>::all) return nearest;
  for (int k = 0; k < 3; ++k) {
    const auto is = b.is_over(a.vertex[k]) & (b.size2 > zero);
    nearest.take(is, divide(of_a[k], b.size2) * of_a[k], k);  // a square may vanish
  }
  for (int k = 0; k < 3; ++k) {
    const auto is = a.is_over(b.vertex[k]) & (a.size2 > zero);
    nearest.take(is, divide(of_b[k], a.size2) * of_b[k], kOverA + k);
  }
  const auto is_any = zero <= zero;
  SideLanes<F> edges_b[3];
  for (int j = 0; j < 3; ++j) edges_b[j] = SideLanes<F>(b.vertex[j], b.edge[j]);
  for (int i = 0; i < 3; ++i) {
    const SideLanes<F> edge_a(a.vertex[i], a.edge[i]);
    for (int j = 0; j < 3; ++j) {
      F s, t;
      nearest_of_edges(edge_a, edges_b[j], s, t);
      const Vec<F, 3> apart = (a.vertex[i] + s * a.edge[i]) - (b.vertex[j] + t * b.edge[j]);
      nearest.take(is_any, dot(apart, apart), kOfEdges + 3 * i + j);
    }
  }
  const auto pass = [&](const FaceLanes<F>& of, const F(&height)[3], const FaceLanes<F>& face,
                        int first) {
    for (int i = 0; i < 3; ++i) {
      const F from = height[i], to = height[(i + 1) % 3];
      const auto crosses = ((from <= zero) & (to > zero)) | ((from >= zero) & (to < zero));
      const F share = divide(from, select(crosses, from - to, F(1)));
      const auto is = crosses & face.is_over(of.vertex[i] + share * of.edge[i]);
      nearest.take(is, zero, first + i);
    }
  };
  pass(a, of_a, b, kThroughB);
  pass(b, of_b, a, kThroughA);
  // In other lanes it is whatever the neighbours are.
  nearest.distance2 = select(is_apart, F(kInfinite<double>), nearest.distance2);
  return nearest;
}

/// Where two pieces are nearest: the points, and on which features of the pieces they are.
template <int D>
struct PieceMeeting {
  Vec<double, D> on_a, on_b;
  int feature_a, feature_b;
};

WIDEPHASE_INLINE int feature_of_share(int edge, double share) {
  constexpr double kLeast = 1e-12;
  return share <= kLeast       ? kOfVertex + edge
         : share >= 1 - kLeast ? kOfVertex + (edge + 1) % 3
                               : kOfEdge + edge;
}

/// The value of one lane.
template <class F>
WIDEPHASE_INLINE double first_lane(const F& x) {
  alignas(64) double values[LaneTraits<F>::count];
  store(values, x);
  return values[0];
}

WIDEPHASE_INLINE PieceMeeting<3> nearest_of_pair(const Vector (&a)[3], const Vector (&b)[3],
                                                 int candidate) {
  const auto foot = [](const Vector& p, const Vector(&face)[3]) {
    const Vector normal = cross(face[1] - face[0], face[2] - face[1]);
    return p - scaled(normal, dot(normal, p - face[0]) / dot(normal, normal));
  };
  const auto passing = [](const Vector(&of)[3], int edge, const Vector(&face)[3]) {
    const Vector normal = cross(face[1] - face[0], face[2] - face[1]);
    const Vector &p = of[edge], &q = of[(edge + 1) % 3];
    const double from = dot(normal, p - face[0]), to = dot(normal, q - face[0]);
    return p + scaled(q - p, from / (from - to));
  };
  if (candidate < kOverA) {
    return {a[candidate], foot(a[candidate], b), kOfVertex + candidate, kOfFace};
  }
  if (candidate < kOfEdges) {
    const int k = candidate - kOverA;
    return {foot(b[k], a), b[k], kOfFace, kOfVertex + k};
  }
  if (candidate >= kThroughA) {
    const Vector at = passing(b, candidate - kThroughA, a);
    return {at, at, kOfFace, kOfEdge + candidate - kThroughA};
  }
  if (candidate >= kThroughB) {
    const Vector at = passing(a, candidate - kThroughB, b);
    return {at, at, kOfEdge + candidate - kThroughB, kOfFace};
  }
  using F = Batch<double>;
  const auto spread = [](const Vector& v) { return Vec<F, 3>{{F(v[0]), F(v[1]), F(v[2])}}; };
  const int i = (candidate - kOfEdges) / 3, j = (candidate - kOfEdges) % 3;
  const Vector along_a = a[(i + 1) % 3] - a[i], along_b = b[(j + 1) % 3] - b[j];
  F s, t;
  nearest_of_edges(SideLanes<F>(spread(a[i]), spread(along_a)),
                   SideLanes<F>(spread(b[j]), spread(along_b)), s, t);
  const double share_a = first_lane(s), share_b = first_lane(t);
  return {a[i] + scaled(along_a, share_a), b[j] + scaled(along_b, share_b),
          feature_of_share(i, share_a), feature_of_share(j, share_b)};
}

/// Whether part of a triangle is on or straight below another one, the top of a solid: where `up`
/// leads from the first to the second. Nearer than `touching` is on it. In lanes a number:
/// `kNotBelow`, or which place is below: vertex k of the triangle is k, under or on the top's
/// vertex k 3 + k, at edge i of the top and j of the triangle 6 + 3 i + j.
inline constexpr int kNotBelow = -1;
/// A sine below which edges and faces stand along `up`, or edges are parallel from there: then
/// other places are as low.
inline constexpr double kUpright = 1e-9;
template <class F>
WIDEPHASE_INLINE F place_below(const Vec<F, 3> (&top)[3], const Vec<F, 3> (&piece)[3],
                               const Vec<F, 3>& up, const F& touching) {
  const F zero(0), one(1);
  F found(kNotBelow);
  const auto take = [&](const MaskOf<F>& is, int number) {
    found = select(is & (found < zero), F(number), found);
  };
  Vec<F, 3> of_top[3], of_piece[3];
  for (int k = 0; k < 3; ++k) {
    of_top[k] = top[(k + 1) % 3] - top[k];
    of_piece[k] = piece[(k + 1) % 3] - piece[k];
  }
  const Vec<F, 3> normal = cross(of_top[0], of_top[1]);
  const F slack = touching * coordinate_size(normal);
  for (int k = 0; k < 3; ++k) {
    auto is = dot(normal, piece[k] - top[0]) <= slack;
    for (int e = 0; e < 3; ++e) {
      const F side = dot(cross(up, of_top[e]), piece[k] - top[e]);
      is = is & (side >= negate(touching * coordinate_size(of_top[e])));
    }
    take(is, k);
  }
  const Vec<F, 3> across = cross(of_piece[0], of_piece[1]);
  const F area = dot(across, up);
  const F turn = select(area < zero, F(-1), one);
  const F own_slack = touching * coordinate_size(across);
  const F upright = F(kUpright) * coordinate_size(across);
  for (int k = 0; k < 3; ++k) {
    auto is = (abs(area) > upright) & (turn * dot(across, piece[0] - top[k]) <= own_slack);
    for (int e = 0; e < 3; ++e) {
      const F side = turn * dot(cross(up, of_piece[e]), top[k] - piece[e]);
      is = is & (side >= negate(touching * coordinate_size(of_piece[e])));
    }
    take(is, 3 + k);
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vec<F, 3> apart = top[i] - piece[j];
      const F sine = dot(up, cross(of_top[i], of_piece[j]));
      const F size = coordinate_size(of_top[i]) * coordinate_size(of_piece[j]);
      const auto crosses = abs(sine) > F(kUpright) * size;
      const F divisor = select(crosses, sine, one);
      const F s = negate(divide(dot(up, cross(apart, of_piece[j])), divisor));
      const F t = negate(divide(dot(up, cross(apart, of_top[i])), divisor));
      const F height = dot(up, (piece[j] + t * of_piece[j]) - (top[i] + s * of_top[i]));
      take(((crosses & (s >= zero)) & ((s <= one) & (t >= zero))) &
               ((t <= one) & (height <= touching)),
           6 + 3 * i + j);
    }
  }
  return found;
}

/// The point of a triangle at a place that `place_below` has found, on the features there of the
/// top (`feature_a`) and of the triangle.
WIDEPHASE_INLINE PieceMeeting<3> meeting_below(const Vector (&top)[3], const Vector (&piece)[3],
                                               const Vector& up, int place) {
  if (place < 3) return {piece[place], piece[place], kOfFace, kOfVertex + place};
  if (place < 6) {
    const Vector& at = top[place - 3];
    const Vector across = cross(piece[1] - piece[0], piece[2] - piece[1]);
    const double down = dot(across, at - piece[0]) / dot(across, up);
    const Vector there = down > 0 ? at - scaled(up, down) : at;
    return {there, there, kOfVertex + place - 3, kOfFace};
  }
  const int i = (place - 6) / 3, j = (place - 6) % 3;
  const Vector of_top = top[(i + 1) % 3] - top[i], of_piece = piece[(j + 1) % 3] - piece[j];
  const double t = -(dot(up, cross(top[i] - piece[j], of_top)) / dot(up, cross(of_top, of_piece)));
  const Vector there = piece[j] + scaled(of_piece, t);
  return {there, there, kOfEdge + i, kOfEdge + j};
}

}  // namespace
}  // namespace widephase
