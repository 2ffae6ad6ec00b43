#pragma once

// The manifold of two convex cores in space whose way out is known, a pair at a time: where a face
// of one is flush with the contact plane, what of the other faces it is clipped to that face
// (core/face_clipper.hpp). Two edges that lie along one another give two points, two that cross the
// one where they do; all else one, which the search for the way has found.

#include "core/face_clipper.hpp"

namespace widephase {
namespace {

/// A point where two cores touch: on A's, from A's middle.
template <class T>
struct CorePoint {
  Vec<T, 3> on_a;
  T depth;
  T feature_a;
  T feature_b;
};

template <class T>
struct CoreManifold {
  int count;
  CorePoint<T> points[4];
};

/// The points of a batch, put lane by lane. A lane without any has one of no meaning.
template <class F>
struct PointTable {
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  T position[4][3][lanes], depth[4][lanes], feature_a[4][lanes], feature_b[4][lanes];
  T exists[4][lanes];
  unsigned open;  ///< the lanes whose points are still to be found

  PointTable() { clear(); }
  WIDEPHASE_INLINE void clear() {
    const F zero = F(0);
    open = 0;
    for (int p = 0; p < 4; ++p) {
      for (int k = 0; k < 3; ++k) store(position[p][k], zero);
      store(depth[p], zero);
      store(feature_a[p], zero);
      store(feature_b[p], zero);
      store(exists[p], F(p == 0 ? 1 : 0));
    }
  }
  void put(int lane, const CoreManifold<T>& points) {
    for (int p = 0; p < points.count; ++p) {
      const CorePoint<T>& point = points.points[p];
      for (int k = 0; k < 3; ++k) position[p][k][lane] = point.on_a[k];
      depth[p][lane] = point.depth;
      feature_a[p][lane] = point.feature_a;
      feature_b[p][lane] = point.feature_b;
      exists[p][lane] = 1;
    }
  }
  /// The points of a lane of another table.
  WIDEPHASE_INLINE void put(int lane, const PointTable& other, int from) {
    for (int p = 0; p < 4; ++p) {
      for (int k = 0; k < 3; ++k) position[p][k][lane] = other.position[p][k][from];
      depth[p][lane] = other.depth[p][from];
      feature_a[p][lane] = other.feature_a[p][from];
      feature_b[p][lane] = other.feature_b[p][from];
      exists[p][lane] = other.exists[p][from];
    }
  }
  /// The points, from `from` on and as much deeper as both radii `reach`.
  void read(const Vec<F, 3>& from, const F& reach, Manifold<F, 3, 4>& manifold) const {
    for (int p = 0; p < 4; ++p) {
      ManifoldPoint<F, 3>& point = manifold.points[p];
      for (int k = 0; k < 3; ++k) point.position[k] = from[k] + load(position[p][k]);
      point.depth = load(depth[p]) + reach;
      point.feature = {load(feature_a[p]), load(feature_b[p])};
      point.exists = load(exists[p]);
    }
    sort_points(manifold.points);
  }
};

/// What is known of a pair before its points: how B's core leaves A's.
template <class T>
struct CoreContact {
  Vec<T, 3> normal;  ///< from A to B, of unit length
  T depth;
  T least_depth;         ///< of points that stay
  CorePoint<T> deepest;  ///< where no face or edge says more
};

/// A stretch of a face's rim that is as far out as the face is, to within `slack`: the longest of
/// them. Answers false where there is none.
template <class T>
struct LevelEdge {
  Vec<T, 3> from, along;
  T end_feature[2];
  T feature;
};
template <class T>
bool find_level_edge(const ConvexFace<T>& face, const Vec<T, 3>& direction, T slack,
                     LevelEdge<T>& edge) {
  T highest = -kInfinite<T>;
  for (int c = 0; c < face.count; ++c) {
    const T height = dot(direction, face.corner[c]);
    highest = height > highest ? height : highest;
  }
  T longest2 = 0;
  for (int c = 0; c < (face.count == 2 ? 1 : face.count); ++c) {
    const int next = c + 1 == face.count ? 0 : c + 1;
    const Vec<T, 3> along = face.corner[next] - face.corner[c];
    if (highest - dot(direction, face.corner[c]) > slack ||
        highest - dot(direction, face.corner[next]) > slack || !(dot(along, along) > longest2)) {
      continue;
    }
    longest2 = dot(along, along);
    edge = {face.corner[c],
            along,
            {face.corner_feature[c], face.corner_feature[next]},
            face.edge_feature[c]};
  }
  return longest2 > 0;
}

/// Two points where both cores have edges along one another, one where they cross; answers how many
/// were put.
template <class T>
int put_edges(const LevelEdge<T>& a, const LevelEdge<T>& b, const Vec<T, 3>& apart,
              const CoreContact<T>& contact, T slack, CoreManifold<T>& manifold) {
  const T along2 = dot(a.along, a.along), other2 = dot(b.along, b.along);
  const Vec<T, 3> to_b = (apart + b.from) - a.from;
  const Vec<T, 3> n = cross(a.along, b.along);
  const auto put = [&](T t, int a_end, int b_end) {
    manifold.points[manifold.count++] = {a.from + t * a.along, contact.depth,
                                         a_end >= 0 ? a.end_feature[a_end] : a.feature,
                                         b_end >= 0 ? b.end_feature[b_end] : b.feature};
  };
  // Parallel where their ends are astray by no more than what counts as flush.
  if (!(dot(n, n) <= (slack * slack) * along2)) {
    const auto end_at = [&](T t, T length2) {
      const T from_end = slack / root(length2);
      return t <= from_end ? 0 : t >= 1 - from_end ? 1 : -1;
    };
    const auto is_beside = [&](T t, T length2) {
      const T beyond = t < 0 ? -t : t - 1;
      return beyond > 0 && (beyond * beyond) * length2 > slack * slack;
    };
    // Seen along the contact's normal, which knows its direction better than the edges' product.
    const T area = dot(n, contact.normal);
    if (area == 0) return 0;
    const T t = dot(cross(to_b, b.along), contact.normal) / area;
    // B's share from the point itself: of edges nearly along one another both are known badly.
    const T u = dot(t * a.along - to_b, b.along) / other2;
    if (is_beside(t, along2) || is_beside(u, other2)) return 0;
    put(t < 0 ? T(0) : t > 1 ? T(1) : t, end_at(t, along2), end_at(u, other2));
    return 1;
  }
  const T aside = dot(cross(a.along, contact.normal), to_b);
  if (!(aside * aside <= (slack * slack) * along2)) return 0;
  T at[2];
  at[0] = dot(to_b, a.along) / along2;
  at[1] = dot(to_b + b.along, a.along) / along2;
  const int low_end = at[0] <= at[1] ? 0 : 1;
  const T low = at[low_end], high = at[1 - low_end];
  const T start = low > 0 ? low : T(0), end = high < 1 ? high : T(1);
  if (!((end - start) * root(along2) > slack)) return 0;
  put(start, low <= 0 ? 0 : -1, low >= 0 ? low_end : -1);
  put(end, high >= 1 ? 1 : -1, high <= 1 ? 1 - low_end : -1);
  return manifold.count;
}

/// Faces are flush as for boxes: the middle of the face is as far behind its foremost corner.
/// `size` is that by which coordinates round.
template <class T>
WIDEPHASE_INLINE T flush_slack(T size) {
  return (sizeof(T) == 4 ? T(16e-7) : T(16e-14)) * size;
}

template <class F>
WIDEPHASE_INLINE F flush_slacks(const F& sizes) {
  return F(flush_slack(RealOf<F>(1))) * sizes;
}

/// A face without the corners that lag by more than `slack`, of those that keep three: what of a
/// face of hulls that is flat only to rounding is level. Its new edges are no edges of the core.
template <class T>
const ConvexFace<T>& level_part(const ConvexFace<T>& face, const Vec<T, 3>& direction, T slack,
                                ConvexFace<T>& part) {
  if (face.count <= 3 || face.lag <= slack) return face;
  T highest = -kInfinite<T>;
  for (int c = 0; c < face.count; ++c) {
    const T height = dot(direction, face.corner[c]);
    highest = height > highest ? height : highest;
  }
  part.count = 0;
  int from[ConvexFace<T>::most_corners];
  for (int c = 0; c < face.count; ++c) {
    if (highest - dot(direction, face.corner[c]) > slack) continue;
    from[part.count] = c;
    part.add(face.corner[c], face.corner_feature[c], face.edge_feature[c]);
  }
  if (part.count < 3) return face;
  for (int c = 0; c < part.count; ++c) {
    const int next = c + 1 == part.count ? 0 : c + 1;
    const bool is_own = from[next] == (from[c] + 1 == face.count ? 0 : from[c] + 1);
    part.along[c] = is_own ? face.along[from[c]] : part.corner[next] - part.corner[c];
    if (!is_own) part.edge_feature[c] = face.face_feature;
  }
  part.face_feature = face.face_feature;
  part.normal = face.normal;
  part.radius = 0;
  part.lag = slack;
  return part;
}

template <class T>
WIDEPHASE_INLINE bool is_flush(const ConvexFace<T>& face, const Vec<T, 3>& direction, T slack) {
  // A face of a few roundings is level whichever way it looks.
  return face.count >= 3 && face.lag <= slack && dot(face.normal, direction) > T(0.9);
}

/// The points of a flush face, A's where `by_a`, with what of the other core it meets; answers
/// whether what is deepest of that lies over the face, or beside it and what does is as deep but
/// for a little.
template <class T>
bool put_face(const ConvexFace<T>& reference, const ConvexFace<T>& incident, const Vec<T, 3>& apart,
              const CoreContact<T>& contact, T rounding, T slack, bool by_a,
              CoreManifold<T>& manifold) {
  const Vec<T, 3> outward = by_a ? contact.normal : -contact.normal;
  FaceClipper<T> clipper(reference, incident, by_a ? apart : -apart, outward, rounding);
  clipper.clip();
  FaceCorner<T> kept[4];
  const int count = clipper.reduce(-contact.least_depth, kept);
  if (count == 0) return false;
  const T lag = kept[0].height + contact.depth;
  if (!(lag <= rounding + slack)) {
    const Vec<T, 3>& deepest = contact.deepest.on_a;
    // What a face of hulls that is rough by more than the slack lacks at most.
    constexpr T kMostSlacks = 12;
    if (!(lag <= kMostSlacks * slack) || clipper.is_over(by_a ? deepest : deepest - apart))
      return false;
  }
  for (int n = 0; n < count; ++n) {
    const FaceCorner<T>& corner = kept[n];
    const Vec<T, 3> at = clipper.place(corner);
    const T depth = n == 0 || -corner.height > contact.depth ? contact.depth : -corner.height;
    manifold.points[manifold.count++] = {by_a ? at : (apart + at) + corner.height * outward, depth,
                                         by_a ? corner.reference_feature : corner.incident_feature,
                                         by_a ? corner.incident_feature : corner.reference_feature};
  }
  return true;
}

/// The points of two cores, of which these faces meet. `size` is that by which coordinates round.
/// Answers false where neither face has the other before it, nor do edges meet: then it is the one
/// that the search found.
template <class T>
__attribute__((noinline)) bool find_points(const ConvexFace<T>& face_a, const ConvexFace<T>& face_b,
                                           const Vec<T, 3>& apart, T size,
                                           const CoreContact<T>& contact,
                                           CoreManifold<T>& manifold) {
  manifold.count = 0;
  const T slack = flush_slack(size);
  const T rounding = 32 * kRounding<T> * size;
  // A face that is flush whole before what of another is.
  ConvexFace<T> part;
  const bool is_whole_a = is_flush(face_a, contact.normal, slack);
  const bool is_whole_b = is_flush(face_b, -contact.normal, slack);
  const ConvexFace<T>& level_a =
      is_whole_a || is_whole_b ? face_a : level_part(face_a, contact.normal, slack, part);
  if (is_flush(level_a, contact.normal, slack)) {
    if (put_face(level_a, face_b, apart, contact, rounding, slack, true, manifold)) return true;
    // A cap reaches beyond the sides between the points of its rim, which A's face may meet alone.
    if (is_whole_b && face_b.radius > 0 &&
        put_face(face_b, level_a, apart, contact, rounding, slack, false, manifold)) {
      return true;
    }
  } else {
    const ConvexFace<T>& level_b =
        is_whole_b ? face_b : level_part(face_b, -contact.normal, slack, part);
    if (is_flush(level_b, -contact.normal, slack) &&
        put_face(level_b, face_a, apart, contact, rounding, slack, false, manifold)) {
      return true;
    }
  }
  LevelEdge<T> edge_a, edge_b;
  if (find_level_edge(face_a, contact.normal, slack, edge_a) &&
      find_level_edge(face_b, -contact.normal, slack, edge_b) &&
      put_edges(edge_a, edge_b, apart, contact, slack, manifold) > 0) {
    return true;
  }
  manifold.points[manifold.count++] = contact.deepest;
  return false;
}

}  // namespace
}  // namespace widephase
