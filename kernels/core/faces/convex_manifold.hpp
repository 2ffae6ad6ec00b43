#pragma once

// The manifold of two convex cores in space whose exit is known, one pair at a time. Its points are
// the corners of the overlap of the faces that meet, seen along the exit
// (core/faces/face_clipper.hpp). Each has its own depth along the exit, whatever feature the exit
// belongs to. If none of these is as deep as the pair, the point that the search for the exit has
// found is added. Two edges that lie along one another, beside the faces that meet, give two
// points.

#include "kernels/core/basis/room.hpp"
#include "kernels/core/faces/face_clipper.hpp"

namespace widephase {
namespace {

/// A point where two cores touch: on A's core, relative to A's middle.
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

/// The points of a batch, put lane by lane. A lane without points has one without meaning.
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
  /// Puts the points of a lane of another table.
  WIDEPHASE_INLINE void put(int lane, const PointTable& other, int from) {
    for (int p = 0; p < 4; ++p) {
      for (int k = 0; k < 3; ++k) position[p][k][lane] = other.position[p][k][from];
      depth[p][lane] = other.depth[p][from];
      feature_a[p][lane] = other.feature_a[p][from];
      feature_b[p][lane] = other.feature_b[p][from];
      exists[p][lane] = other.exists[p][from];
    }
  }
  PointNames names(int lane) const {
    PointNames names{};
    for (int p = 0; p < 4; ++p) {
      if (!(exists[p][lane] > 0)) continue;
      names.name[p] = PointNames::name_of(static_cast<int>(feature_a[p][lane]),
                                          static_cast<int>(feature_b[p][lane]));
    }
    return names;
  }
  /// Reads the points, moved by `from` and deeper by both radii, `reach`.
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
  T least_depth;          ///< of points that are kept
  T steadiness;           ///< how much less deep a point that stands for the deepest may be
  CorePoint<T> deepest;   ///< used if no face or edge says more
  bool is_exact = false;  ///< the deepest point is, and no other is deeper
  PointNames last{};      ///< the points of the last step, with steadiness
};

/// Memory for work on one pair at a time, too large for a stack: the faces that meet, another face
/// of either core, and the clipper. A function that has set a face must not call others that set
/// the same face until it is done with it.
template <class T>
struct FacesRoom {
  ConvexFace<T> a, b;
  ConvexFace<T> beside;
  RoomFor<FaceClipper<T>> clipper;
};

/// The longest stretch of a face's rim that is as far out as the face, within `slack`. Answers
/// false if there is none. A cap's rim reaches beyond the stretches between its sampled points.
template <class T>
struct LevelEdge {
  Vec<T, 3> from, along;
  T end_feature[2];
  T feature;
};
template <class T>
bool find_level_edge(const ConvexFace<T>& face, const Vec<T, 3>& direction, T slack,
                     LevelEdge<T>& edge) {
  T highest = face.radius > 0 ? dot(direction, face.foremost) : -kInfinite<T>;
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

/// Puts two points if both cores have edges along one another, or one where they cross. Answers how
/// many.
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
  // Parallel if the ends deviate by no more than what counts as flush.
  if (!(dot(n, n) <= (slack * slack) * along2)) {
    const auto end_at = [&](T t, T length2) {
      const T from_end = slack / root(length2);
      return t <= from_end ? 0 : t >= 1 - from_end ? 1 : -1;
    };
    const auto is_beside = [&](T t, T length2) {
      const T beyond = t < 0 ? -t : t - 1;
      return beyond > 0 && (beyond * beyond) * length2 > slack * slack;
    };
    // Seen along the contact's normal, whose direction is known better than the edges' product.
    const T area = dot(n, contact.normal);
    if (area == 0) return 0;
    const T t = dot(cross(to_b, b.along), contact.normal) / area;
    // B's share from the point itself: if edges nearly lie along one another, both are inaccurate.
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

/// Features that lag by less count as level. Coordinates round by shares of `size`.
template <class T>
WIDEPHASE_INLINE T flush_slack(T size) {
  return (sizeof(T) == 4 ? T(16e-7) : T(16e-14)) * size;
}

template <class F>
WIDEPHASE_INLINE F flush_slack_lanes(const F& sizes) {
  return F(flush_slack(RealOf<F>(1))) * sizes;
}

/// How far a polygon or a cap faces a direction; 0 for everything else.
template <class T>
WIDEPHASE_INLINE T slope_of(const ConvexFace<T>& face, const Vec<T, 3>& direction) {
  const T slope = face.count >= 3 ? dot(face.normal, direction) : T(0);
  return slope > kLeastSlope<T> ? slope : T(0);
}

/// Whether A's face is the reference face, in whose plane the other is seen. A cap comes before a
/// polygon, because its rim is round only in its own plane. Then comes the face that faces the
/// normal more, then A's.
template <class T>
WIDEPHASE_INLINE bool is_reference(const ConvexFace<T>& a, T slope_a, const ConvexFace<T>& b,
                                   T slope_b) {
  const bool cap_a = slope_a > 0 && a.radius > 0, cap_b = slope_b > 0 && b.radius > 0;
  return cap_a != cap_b ? cap_a : slope_a >= slope_b;
}

/// Whether A's axes decide which points are chosen. An edge's axes come first, then a cap's, then
/// those of the face with fewer corners, then A's.
template <class T>
WIDEPHASE_INLINE bool is_lasting(const ConvexFace<T>& a, const ConvexFace<T>& b) {
  const auto rank = [](const ConvexFace<T>& face) {
    return face.count < 3 ? 0 : face.radius > 0 ? 1 : face.count;
  };
  return b.count == 1 || (a.count > 1 && rank(a) <= rank(b));
}

template <class T>
WIDEPHASE_INLINE bool is_at(const CorePoint<T>& point, const CorePoint<T>& other, T near) {
  const Vec<T, 3> off = point.on_a - other.on_a;
  return dot(off, off) <= near * near;
}

/// If only one point is where the search has found the deepest one, it gets that one's features.
template <class T>
void name_as_found(const CorePoint<T>& found, T near, CorePoint<T>* points, int count) {
  int there = -1;
  for (int n = 0; n < count; ++n) {
    const bool is_named =
        points[n].feature_a == found.feature_a && points[n].feature_b == found.feature_b;
    if (!is_named && !is_at(points[n], found, near)) continue;
    if (is_named || there >= 0) return;
    there = n;
  }
  if (there < 0) return;
  points[there].feature_a = found.feature_a;
  points[there].feature_b = found.feature_b;
}

/// A single point gets the features of the search's point if it is there. Over a cap's rim, which
/// an edge may pass within rounding, it gets the place too, because the search knows it better.
template <class T>
WIDEPHASE_INLINE void match_found(const CorePoint<T>& found, T near, T rounding, T cap_radius,
                                  CorePoint<T>& point) {
  if (cap_radius > 0 && is_at(point, found, root(4 * cap_radius * rounding))) {
    point = found;
  } else {
    name_as_found(found, near, &point, 1);
  }
}

/// A clipper's corner as a point with its own depth; `by_a` if the reference face is A's.
template <class T>
WIDEPHASE_INLINE CorePoint<T> point_at_corner(const FaceClipper<T>& clipper,
                                              const FaceCorner<T>& corner, const Vec<T, 3>& apart,
                                              const Vec<T, 3>& outward, bool by_a) {
  const Vec<T, 3> at = clipper.position_of(corner);
  return {by_a ? at : (apart + at) + corner.height * outward, -corner.height,
          by_a ? corner.reference_feature : corner.incident_feature,
          by_a ? corner.incident_feature : corner.reference_feature};
}

/// Whether rounding has put a corner of a face that is nearly seen from its edge beyond where a
/// core ends along the normal, by more than `rounding`.
template <class T>
WIDEPHASE_INLINE bool is_astray(const CoreContact<T>& contact, const ConvexFace<T>& face,
                                const CorePoint<T>& point, T rounding) {
  constexpr T kMostSlope = T(1) / 16;
  if (!contact.is_exact || magnitude(dot(face.normal, contact.normal)) > kMostSlope) return false;
  const T of_a = dot(point.on_a - contact.deepest.on_a, contact.normal);
  const T of_b = of_a - (point.depth - contact.depth);
  return of_a > rounding || of_b < -rounding;
}

/// The deepest point has the pair's depth, whatever rounding says, unless with steadiness another
/// one stands for it (`find_depths` in lanes).
template <class T>
void set_pair_depth(T depth, T rounding, T steadiness, CoreManifold<T>& manifold) {
  T most = -kInfinite<T>;
  for (int n = 0; n < manifold.count; ++n) {
    most = manifold.points[n].depth > most ? manifold.points[n].depth : most;
  }
  const bool is_exact = !(steadiness > 0);
  for (int n = 0; n < manifold.count; ++n) {
    T& own = manifold.points[n].depth;
    if ((is_exact && own >= most) || !(own < depth - rounding)) own = depth;
  }
}

/// Puts the points where a reference face, A's if `by_a`, meets the other core. If no corner is as
/// deep as the pair, within `slack` and the steadiness, adds the point that the search has found.
/// Answers whether a corner is that deep.
template <class T>
bool put_face(const ConvexFace<T>& reference, const ConvexFace<T>& incident, const Vec<T, 3>& apart,
              const CoreContact<T>& contact, T rounding, T slack, bool by_a,
              CoreManifold<T>& manifold, RoomFor<FaceClipper<T>>& room) {
  const Vec<T, 3> outward = by_a ? contact.normal : -contact.normal;
  FaceClipper<T>& clipper = room.make(reference, incident, by_a ? apart : -apart, outward, rounding,
                                      -contact.least_depth);
  clipper.clip();
  const T lag = (rounding + slack) + (contact.depth >= 0 ? contact.steadiness : T(0));
  // With steadiness the foremost point of a cap may be missing: as the cap jitters, that point goes
  // around it.
  T least_height = clipper.least_height();
  if (!(least_height + contact.depth <= (rounding + slack) + contact.steadiness)) {
    clipper.add_foremost((rounding + slack) - contact.depth);
    least_height = clipper.least_height();
  }
  const bool is_met = least_height + contact.depth <= lag;
  if (!is_met) {
    const CorePoint<T>& found = contact.deepest;
    const Vec<T, 3> on_b = (found.on_a - apart) - contact.depth * contact.normal;
    clipper.join(by_a ? found.on_a : on_b, -contact.depth, by_a ? found.feature_a : found.feature_b,
                 by_a ? found.feature_b : found.feature_a);
    least_height = clipper.least_height();
  }
  FaceCorner<T> kept[4];
  if (!is_met && clipper.count() == 1) {
    manifold.points[manifold.count++] = contact.deepest;
    return false;
  }
  const bool a_lasts = is_lasting(by_a ? reference : incident, by_a ? incident : reference);
  const T steady = contact.steadiness - (least_height + contact.depth);
  const T level = steady > rounding ? steady : rounding;
  const int count =
      clipper.choose(level, a_lasts != by_a, !by_a, contact.steadiness, contact.last, kept);
  bool is_beyond = false;
  for (int n = 0; n < count; ++n) {
    CorePoint<T> point = point_at_corner(clipper, kept[n], apart, outward, by_a);
    if ((contact.is_exact && point.depth > contact.depth + lag) ||
        is_astray(contact, reference, point, rounding + slack)) {
      if (is_beyond) continue;
      is_beyond = true;
      point = contact.deepest;
    }
    manifold.points[manifold.count++] = point;
  }
  set_pair_depth(contact.depth, rounding, contact.steadiness, manifold);
  const T near = slack + rounding;
  if (count == 1) {
    const T cap_radius = reference.radius > 0 ? reference.radius : incident.radius;
    match_found(contact.deepest, near, rounding, cap_radius, manifold.points[0]);
  }
  // A vertex near an edge or a vertex is over faces that it does not meet, so one point gets the
  // search's features. With steadiness a face over a face is an exception: jitter decides which of
  // its corners is nearest.
  const bool is_steady = contact.steadiness > 0 && count > 2;
  if (contact.depth < 0 && !is_steady) {
    name_as_found(contact.deepest, near, manifold.points, manifold.count);
  }
  return is_met;
}

/// The face of a hull on the other side of an edge, which a feature names. -1 if the edge is not the
/// face's own: rounding may name one that ends at the face.
template <class T>
WIDEPHASE_INLINE int face_across(const HullView<T>& hull, int face, T feature) {
  const std::int16_t* const faces =
      hull.edge_faces() + 2 * static_cast<int>(feature - edge_feature(T(0)));
  if (faces[0] != face && faces[1] != face) return -1;
  return faces[0] == face ? faces[1] : faces[0];
}

/// Finds the face beside `face` of a core: across the edge that `feature` names, or else the face
/// that leans from the direction as much to the other side, at the vertex that `feature` may name.
/// Answers whether there is one.
template <class T>
bool find_face_beside(const ConvexShape<T>& shape, const ConvexFace<T>& face, T feature,
                      const Vec<T, 3>& direction, T slack, ConvexFace<T>& beside) {
  if (face.radius > 0) return false;
  const bool is_edge = feature >= edge_feature(T(0)) && feature < face_feature(T(0));
  if (shape.form == CoreForm::hull && is_edge) {
    const HullView<T> hull = shape.hull();
    const int number =
        face_across(hull, static_cast<int>(face.face_feature - face_feature(T(0))), feature);
    if (number < 0) return false;
    set_hull_face(shape, hull, number, beside);
  } else {
    const T slope = dot(face.normal, direction);
    find_face<T>(shape, (2 * slope) * direction - face.normal, slack, nullptr, beside);
  }
  bool is_beside = beside.count >= 3 && beside.radius == 0 &&
                   beside.face_feature != face.face_feature &&
                   dot(beside.normal, direction) > kLeastSlope<T>;
  if (is_beside && feature < edge_feature(T(0))) {
    // At a vertex both faces meet.
    is_beside = false;
    for (int c = 0; c < beside.count; ++c) is_beside |= beside.corner_feature[c] == feature;
  }
  return is_beside;
}

/// Puts the points of a line, the other core's if `by_a`, over a face. If the face's shape is
/// given, also over the face beside it, across the edge that the line may lie along. The points are
/// the ends of the interval over both. For the rest see `put_face`.
template <class T>
bool put_line(const ConvexFace<T>& face, const ConvexShape<T>* shape, const ConvexFace<T>& line,
              const Vec<T, 3>& apart, const CoreContact<T>& contact, T rounding, T slack, bool by_a,
              CoreManifold<T>& manifold, FacesRoom<T>& room) {
  const Vec<T, 3> outward = by_a ? contact.normal : -contact.normal;
  const Vec<T, 3> stretch = line.corner[1] - line.corner[0];
  // Seen along the normal. If the line is parallel to it, any direction across will do.
  const Vec<T, 3>& n = contact.normal;
  Vec<T, 3> across = stretch - dot(stretch, n) * n;
  across = across - dot(across, n) * n;
  const T least_across = 16 * kRounding<T> * root(dot(stretch, stretch));
  const bool stands = !(dot(across, across) > least_across * least_across);
  const Vec<T, 3> along = stands ? across_of(n) : unit_of(across);
  CorePoint<T> found[2 * 2 + 1];
  int count = 0, low = 0, high = 0, deepest = 0;
  const auto along_line = [&](int n) { return dot(found[n].on_a, along); };
  const auto add = [&](const CorePoint<T>& point) {
    found[count++] = point;
    if (along_line(count - 1) < along_line(low)) low = count - 1;
    if (along_line(count - 1) > along_line(high)) high = count - 1;
    if (point.depth > found[deepest].depth) deepest = count - 1;
  };
  // Answers whether a part of the line that is deep enough may continue beside the face.
  const auto clip = [&](const ConvexFace<T>& reference) {
    FaceClipper<T>& clipper = room.clipper.make(reference, line, by_a ? apart : -apart, outward,
                                                rounding, -contact.least_depth);
    clipper.clip();
    bool goes_on = clipper.count() == 0;
    for (int n = 0; n < clipper.count(); ++n) {
      const FaceCorner<T>& corner = clipper.corner(n);
      goes_on |= corner.reference_feature != reference.face_feature;
      const CorePoint<T> point = point_at_corner(clipper, corner, apart, outward, by_a);
      // Where a line leaves a face that is steep along the normal, rounding may put the corner
      // deeper than the pair.
      if (point.depth > contact.depth + (rounding + slack)) continue;
      if (!is_astray(contact, reference, point, rounding + slack)) add(point);
    }
    return goes_on;
  };
  const T edge = by_a ? contact.deepest.feature_a : contact.deepest.feature_b;
  if (clip(face) && shape != nullptr &&
      find_face_beside(*shape, face, edge, outward, slack, room.beside)) {
    clip(room.beside);
  }
  const T lag = (rounding + slack) + (contact.depth >= 0 ? contact.steadiness : T(0));
  const bool is_met = count > 0 && found[deepest].depth >= contact.depth - lag;
  if (!is_met) add(contact.deepest);
  const T length = root(dot(stretch, stretch)), least = T(1e-4) * length;
  const T level = contact.steadiness > rounding ? contact.steadiness : rounding;
  const auto is_one_name = [&](int n, int m) {
    return found[n].feature_a == found[m].feature_a && found[n].feature_b == found[m].feature_b;
  };
  if (is_one_name(low, high) || !(along_line(high) - along_line(low) > least)) {
    match_found(contact.deepest, slack + rounding, rounding, face.radius, found[deepest]);
    manifold.points[manifold.count++] = found[deepest];
  } else {
    const T least_depth = contact.depth - level;
    if (!(found[low].depth >= least_depth || found[high].depth >= least_depth)) {
      // It replaces the end of its own name, so that no two have one, or else the nearer end.
      const T at = along_line(deepest);
      const bool is_near_low = at - along_line(low) < along_line(high) - at;
      const bool is_low = is_one_name(low, deepest) || (is_near_low && !is_one_name(high, deepest));
      (is_low ? low : high) = deepest;
    }
    manifold.points[manifold.count++] = found[low];
    manifold.points[manifold.count++] = found[high];
    // Not for the ends of a cylinder's line, which are points of its rims.
    if (contact.depth < 0 && line.face_feature != face_feature(T(kSideFace))) {
      name_as_found(contact.deepest, slack + rounding, manifold.points, manifold.count);
    }
  }
  set_pair_depth(contact.depth, rounding, contact.steadiness, manifold);
  return is_met;
}

/// Finds the points of two cores whose faces meet. If the cores' shapes are given, a line of one
/// that may lie along an edge of the other is clipped to both faces there. Coordinates round by
/// shares of `size`. Answers false if neither face has the other core before it as deep as the
/// pair, and no edges meet. Then one point is the one that the search has found.
template <class T>
__attribute__((noinline)) bool find_points(const ConvexFace<T>& face_a, const ConvexFace<T>& face_b,
                                           const Vec<T, 3>& apart, T size,
                                           const CoreContact<T>& contact, CoreManifold<T>& manifold,
                                           FacesRoom<T>& room,
                                           const ConvexShape<T>* shape_a = nullptr,
                                           const ConvexShape<T>* shape_b = nullptr) {
  manifold.count = 0;
  const T slack = flush_slack(size);
  const T rounding = 32 * kRounding<T> * size;
  const T slope_a = slope_of(face_a, contact.normal), slope_b = slope_of(face_b, -contact.normal);
  bool is_met = false;
  if (slope_a > 0 || slope_b > 0) {
    const bool by_a = is_reference(face_a, slope_a, face_b, slope_b);
    const ConvexFace<T>&own = by_a ? face_a : face_b, &other = by_a ? face_b : face_a;
    is_met = other.count == 2 ? put_line(own, by_a ? shape_a : shape_b, other, apart, contact,
                                         rounding, slack, by_a, manifold, room)
                              : put_face(own, other, apart, contact, rounding, slack, by_a,
                                         manifold, room.clipper);
    if (manifold.count > 1) return is_met;
  }
  LevelEdge<T> edge_a, edge_b;
  if (find_level_edge(face_a, contact.normal, slack, edge_a) &&
      find_level_edge(face_b, -contact.normal, slack, edge_b)) {
    CoreManifold<T> along;
    along.count = 0;
    const int count = put_edges(edge_a, edge_b, apart, contact, slack, along);
    if (count > 1 || (count == 1 && !is_met)) {
      manifold = along;
      return true;
    }
  }
  if (manifold.count == 0) manifold.points[manifold.count++] = contact.deepest;
  return is_met;
}

}  // namespace
}  // namespace widephase
