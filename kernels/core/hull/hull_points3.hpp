#pragma once

// The points of hulls that overlap along a known axis, with pairs in lanes: what
// core/faces/convex_manifold.hpp answers a pair at a time, of pairs that are plain, which are those
// whose faces and edges are told apart by more than rounding. All others are left to it.
//
// The faces that meet, the way's own or those of its edges that face it most, are clipped to one
// another, edge by edge (Liang and Barsky 1984), as seen along the way, in the frame of the hull
// whose face is the reference; where the deepest point alone is asked for and is one vertex, or
// where edges cross, that.

#include "kernels/core/faces/convex_manifold.hpp"
#include "kernels/core/faces/face_rings.hpp"
#include "kernels/core/faces/four_corners.hpp"
#include "kernels/core/hull/hull_axes3.hpp"

namespace widephase {
namespace {

/// Two unit vectors across a third one and across one another.
template <class F>
struct PlaneAxes {
  Vec<F, 3> x, y;
  WIDEPHASE_INLINE explicit PlaneAxes(const Vec<F, 3>& n) {
    const F zero = F(0);
    const F u = abs(n[0]), v = abs(n[1]), w = abs(n[2]);
    const auto is_second = v < u;
    const auto is_third = w < select(is_second, v, u);
    const Vec<F, 3> across = select(is_third, Vec<F, 3>{{n[1], negate(n[0]), zero}},
                                    select(is_second, Vec<F, 3>{{negate(n[2]), zero, n[0]}},
                                           Vec<F, 3>{{zero, n[2], negate(n[1])}}));
    x = across / length(across);
    y = cross(n, x);
  }
};

/// Faces clipped to faces, a pair a lane.
template <class F>
class FaceClippers {
 public:
  using T = RealOf<F>;
  static constexpr int most = FaceRings<F>::most;

  /// `turn` and `origin` lead from the incident hull's frame to the reference one's, where
  /// `outward` is the normal out of the reference hull; coordinates round by `rounding`.
  WIDEPHASE_INLINE FaceClippers(const FaceRings<F>& reference, const FaceRings<F>& incident,
                                const Rotation3<F>& turn, const Vec<F, 3>& origin,
                                const Vec<F, 3>& outward, const F& rounding)
      : reference_(reference),
        incident_(incident),
        normal_(reference.normals()),
        axes_(normal_),
        origin_(reference.corner_at(0)),
        outward_(outward),
        by_rise_(divide(F(1), dot(outward, normal_))),
        rounding_(rounding) {
    lean_ = {{dot(outward, axes_.x), dot(outward, axes_.y)}};
    for (int c = 0; c <= reference.most_count; ++c) rim_[c] = seen(reference.corner_at(c)).at;
    for (int s = 0; s < reference.most_count; ++s) {
      const Vec<F, 3> along = reference.corner_at(s + 1) - reference.corner_at(s);
      side_[s] = {{dot(along, axes_.x), dot(along, axes_.y)}};
      length_[s] = length(side_[s]);
    }
    for (int c = 0; c <= incident.most_count; ++c) {
      const Vec<F, 3> at = origin + rotate(turn, incident.corner_at(c));
      if (c == 0) first_incident_ = at;
      corner_[c] = seen(at);
    }
    incident_normal_ = rotate(turn, incident.normals());
    find_ends();
  }

  WIDEPHASE_INLINE void clip() {
    // Segments are not clipped there and back.
    const bool is_segment = incident_.most_count == 2;
    for (int e = 0; e < (is_segment ? 1 : incident_.most_count); ++e) clip_edge(e, is_segment);
    if (!is_segment) add_rim_corners();
    // Three at least are looked at.
    for (; count_ < 3;) add(found_[0], F(0) < F(0));
  }

  /// Up to four of the corners of heights up to `most_height`, and the least height of all.
  WIDEPHASE_INLINE F choose(const F& most_height, const MaskOf<F>& is_of_incident,
                            const F& steady_height, const F& rounding, FacePoint<F> (&kept)[4]) {
    const F zero = F(0);
    FacePoint<F> deepest = found_[0];
    deepest.height = F(kInfinite<T>);
    for (int n = 0; n < count_; ++n) {
      const auto is_lower = (found_[n].exists > zero) & (found_[n].height < deepest.height);
      deepest = select(is_lower, found_[n], deepest);
    }
    const F least_height = deepest.height;
    for (int n = 0; n < count_; ++n) {
      found_[n].exists = select(found_[n].height <= most_height, found_[n].exists, zero);
    }
    const F of_reference = span_of(reference_.most_count, [&](int c) { return rim_[c]; });
    const F of_incident = span_of(incident_.most_count, [&](int c) { return corner_[c].at; });
    const auto is_segment = load(incident_.count) == F(2);
    const F least = F(kOneCornerShare<RealOf<F>>) *
                    select(is_segment, of_incident, lesser(of_reference, of_incident));
    choose_corners<3 * most, true>(found_, count_, deepest, lasting_axes(is_of_incident), least,
                                   greater(steady_height - least_height, rounding), kept);
    return least_height;
  }

  /// Where a corner lies on the reference face, in its hull's frame.
  WIDEPHASE_INLINE Vec<F, 3> place(const FacePoint<F>& corner) const {
    return origin_ + (corner.x * axes_.x + corner.y * axes_.y);
  }

 private:
  struct Seen {
    Vec<F, 2> at;
    F height;
  };

  WIDEPHASE_INLINE Seen seen(const Vec<F, 3>& position) const {
    const Vec<F, 3> from = position - origin_;
    const F height = dot(from, normal_) * by_rise_;
    return {{{dot(from, axes_.x) - height * lean_[0], dot(from, axes_.y) - height * lean_[1]}},
            height};
  }

  /// Half the bounds of corners.
  template <class At>
  static WIDEPHASE_INLINE F span_of(int count, const At& at) {
    Vec<F, 2> low = at(0), high = low;
    for (int c = 1; c < count; ++c) {
      const Vec<F, 2> here = at(c);
      for (int k = 0; k < 2; ++k) {
        low[k] = lesser(low[k], here[k]);
        high[k] = greater(high[k], here[k]);
      }
    }
    return F(0.5f) * ((high[0] - low[0]) + (high[1] - low[1]));
  }

  /// A face's by its first edge, as in core/faces/face_clipper.hpp; a segment's by itself.
  WIDEPHASE_INLINE LastingAxes<F> lasting_axes(const MaskOf<F>& is_of_incident) const {
    const F zero = F(0);
    Vec<F, 2> along = select(is_of_incident, corner_[1].at - corner_[0].at, side_[0]);
    F rise = select(is_of_incident, corner_[1].height - corner_[0].height, zero);
    F size2 = dot(along, along) + rise * rise;
    if (incident_.most_count > 2) {
      // One that is hardly there has no direction.
      const Vec<F, 2> next = select(is_of_incident, corner_[2].at - corner_[1].at, side_[1]);
      const F next_rise = select(is_of_incident, corner_[2].height - corner_[1].height, zero);
      const F next2 = dot(next, next) + next_rise * next_rise;
      const auto is_none = size2 < F(kNoEdge<T>) * next2;
      along = select(is_none, next, along);
      rise = select(is_none, next_rise, rise);
      size2 = select(is_none, next2, size2);
    }
    const F size = sqrt(size2);
    const Vec<F, 2> x{{divide_or_zero(along[0], size), divide_or_zero(along[1], size)}};
    const auto is_segment = is_of_incident & (load(incident_.count) == F(2));
    // Across it in the face, and along the normal onto the reference plane.
    const Vec<F, 3> way = x[0] * axes_.x + x[1] * axes_.y + divide_or_zero(rise, size) * outward_;
    const Vec<F, 3> across = cross(select(is_of_incident, incident_normal_, normal_), way);
    const F height = dot(across, normal_) * by_rise_;
    const Vec<F, 2> y{
        {dot(across, axes_.x) - height * lean_[0], dot(across, axes_.y) - height * lean_[1]}};
    const LastingAxes<F> turned = LastingAxes<F>::turned(x, y);
    const Vec<F, 2> beside{{negate(x[1]), x[0]}};
    return {select(is_segment, x, turned.first), select(is_segment, beside, turned.second)};
  }

  /// The stretch that the face takes along its longest side (core/faces/face_clipper.hpp).
  WIDEPHASE_INLINE void find_ends() {
    const F zero = F(0);
    F longest = zero;
    longest_side_ = {{zero, zero}};
    for (int s = 0; s < reference_.most_count; ++s) {
      const auto is_longer = length_[s] > longest;
      longest = select(is_longer, length_[s], longest);
      longest_side_ = select(is_longer, side_[s], longest_side_);
    }
    const F slack = F(2) * rounding_ * longest;
    low_ = high_ = dot(longest_side_, rim_[0]);
    low_feature_ = high_feature_ = load(reference_.corner_feature[0]);
    for (int c = 1; c < reference_.most_count; ++c) {
      const F along = dot(longest_side_, rim_[c]);
      const F feature = load(reference_.corner_feature[c]);
      const auto is_low = along < low_;
      const auto is_high = along > high_;
      low_ = select(is_low, along, low_);
      low_feature_ = select(is_low, feature, low_feature_);
      high_ = select(is_high, along, high_);
      high_feature_ = select(is_high, feature, high_feature_);
    }
    low_ = low_ - slack;
    high_ = high_ + slack;
  }

  /// What of an edge is within the face.
  struct Stretch {
    F enter, leave;
    F enter_feature, leave_feature;  ///< 0 where the edge's own ends are within
    MaskOf<F> is_within;

    /// Cuts off where a height that is linear is below 0.
    WIDEPHASE_INLINE void cut(const F& of_p, const F& of_q, const F& feature) {
      const F zero = F(0);
      const auto p_out = of_p < zero, q_out = of_q < zero;
      is_within = is_within & !(p_out & q_out);
      const F t = divide(of_p, of_p - of_q);
      const auto is_entering = p_out & (t > enter), is_leaving = q_out & (t < leave);
      enter = select(is_entering, t, enter);
      enter_feature = select(is_entering, feature, enter_feature);
      leave = select(is_leaving, t, leave);
      leave_feature = select(is_leaving, feature, leave_feature);
    }
  };

  WIDEPHASE_INLINE void clip_edge(int e, bool is_segment) {
    const F zero = F(0), one = F(1);
    const Seen &p = corner_[e], &q = corner_[e + 1];
    Stretch stretch{zero, one, zero, zero, F(static_cast<T>(e)) < load(incident_.count)};
    for (int s = 0; s < reference_.most_count; ++s) {
      const F slack = rounding_ * length_[s];
      stretch.cut(cross(side_[s], p.at - rim_[s]) + slack, cross(side_[s], q.at - rim_[s]) + slack,
                  load(reference_.edge_feature[s]));
    }
    const F of_p = dot(longest_side_, p.at), of_q = dot(longest_side_, q.at);
    stretch.cut(of_p - low_, of_q - low_, low_feature_);
    stretch.cut(high_ - of_p, high_ - of_q, high_feature_);
    const auto is_within = stretch.is_within & (stretch.enter <= stretch.leave);
    const auto between = [&](const F& t) {
      return Seen{p.at + t * (q.at - p.at), p.height + t * (q.height - p.height)};
    };
    const F edge = load(incident_.edge_feature[e]);
    const auto is_entering = stretch.enter_feature > zero;
    const Seen first = between(stretch.enter);
    const Vec<F, 2> begin = select(is_entering, first.at, p.at);
    add({begin[0], begin[1], select(is_entering, first.height, p.height),
         select(is_entering, stretch.enter_feature, load(reference_.face_feature)),
         select(is_entering, edge, load(incident_.corner_feature[e])), zero},
        is_within);
    const Seen last = between(stretch.leave);
    const auto is_leaving = stretch.leave_feature > zero;
    if (is_segment) {
      add({select(is_leaving, last.at[0], q.at[0]), select(is_leaving, last.at[1], q.at[1]),
           select(is_leaving, last.height, q.height),
           select(is_leaving, stretch.leave_feature, load(reference_.face_feature)),
           select(is_leaving, edge, load(incident_.corner_feature[1])), zero},
          is_within);
      return;
    }
    add({last.at[0], last.at[1], last.height, stretch.leave_feature, edge, zero},
        is_within & is_leaving & (stretch.leave > stretch.enter));
  }

  WIDEPHASE_INLINE void add_rim_corners() {
    const F zero = F(0);
    F area = zero;
    for (int c = 0; c < incident_.most_count; ++c) {
      const F part = cross(corner_[c].at, corner_[c + 1].at);
      area = area + select(F(static_cast<T>(c)) < load(incident_.count), part, zero);
    }
    const F slope = dot(incident_normal_, outward_);
    const F turn = select(area > zero, F(1), F(-1));
    const auto is_face = (abs(area) > zero) & (abs(slope) > F(kLeastSlope<T>));
    for (int r = 0; r < reference_.most_count; ++r) {
      auto is_inside = is_face & (F(static_cast<T>(r)) < load(reference_.count));
      for (int c = 0; c < incident_.most_count; ++c) {
        const F side = cross(corner_[c + 1].at - corner_[c].at, rim_[r] - corner_[c].at);
        is_inside =
            is_inside & ((turn * side > zero) | (F(static_cast<T>(c)) >= load(incident_.count)));
      }
      const F height =
          divide(negate(dot(incident_normal_, reference_.corner_at(r) - first_incident_)), slope);
      add({rim_[r][0], rim_[r][1], height, load(reference_.corner_feature[r]),
           load(incident_.face_feature), zero},
          is_inside);
    }
  }

  WIDEPHASE_INLINE void add(const FacePoint<F>& corner, const MaskOf<F>& is_there) {
    found_[count_] = corner;
    found_[count_++].exists = one_where<F>(is_there);
  }

  const FaceRings<F>& reference_;
  const FaceRings<F>& incident_;
  Vec<F, 3> normal_;
  PlaneAxes<F> axes_;
  Vec<F, 3> origin_, outward_, first_incident_, incident_normal_;
  F by_rise_;
  Vec<F, 2> lean_;
  F rounding_;
  Vec<F, 2> rim_[most + 1], side_[most];
  F length_[most];
  Vec<F, 2> longest_side_;
  F low_, high_, low_feature_, high_feature_;
  Seen corner_[most + 1];
  int count_ = 0;
  FacePoint<F> found_[3 * most];
};

/// Where hulls lie, to be read a lane at a time.
template <class F>
struct HullFrames {
  Lanes<F> turn[2][3][3];  ///< of the frames of A's and B's hull
  Lanes<F> apart[3];       ///< of the middles
  Lanes<F> limit;          ///< least depth of points

  WIDEPHASE_INLINE HullFrames(const Rotation3<F>& turn_a, const Rotation3<F>& turn_b,
                              const Vec<F, 3>& middles_apart, const F& least_depth)
      : limit(least_depth) {
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) {
        turn[0][k][j] = Lanes<F>(turn_a.column[k][j]);
        turn[1][k][j] = Lanes<F>(turn_b.column[k][j]);
      }
      apart[k] = Lanes<F>(middles_apart[k]);
    }
  }
};

/// Puts the deepest point of pairs whose way out is across a face, of those in `found` where that
/// is one vertex over the face, and answers these.
template <class F>
__attribute__((noinline)) unsigned put_vertex_points(const HullSearch<F>& search,
                                                     const Rotation3<F>& turn_a, unsigned found,
                                                     PointTable<F>& table) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  const HullAxes<F>& axis = search.axis;
  const BoundedHulls<F>* const sides = search.side;
  const Lanes<F> slacks(flush_slacks(load(search.size.number)));
  T of_normal[3][kLanes] = {}, of_vertex[3][kLanes] = {};
  for (unsigned left = found; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const int which = axis.side[i] > 0 ? 1 : 0, face = static_cast<int>(axis.face[i]);
    const Vec<T, 3> normal = sides[which].hull[i].face_normal(face);
    const Vec<T, 3> vertex = sides[1 - which].hull[i].vertex(static_cast<int>(axis.vertex[i]));
    for (int k = 0; k < 3; ++k) {
      of_normal[k][i] = normal[k];
      of_vertex[k][i] = vertex[k];
    }
  }
  const auto by_b = load(axis.side.number) > F(0);
  const F depth = load(axis.overlap.number);
  const Rotation3<F> turn = select(by_b, sides[1].other.turns(), sides[0].other.turns());
  const Vec<F, 3> normal{{load(of_normal[0]), load(of_normal[1]), load(of_normal[2])}};
  const Vec<F, 3> vertex{{load(of_vertex[0]), load(of_vertex[1]), load(of_vertex[2])}};
  const Vec<F, 3> at =
      (select(by_b, sides[1].other.origins(), sides[0].other.origins()) + rotate(turn, vertex)) +
      depth * normal;
  const Vec<F, 3> facing = -rotate_back(turn, normal);
  const Lanes<F> x(at[0]), y(at[1]), z(at[2]);
  const Lanes<F> inwards[3] = {Lanes<F>(facing[0]), Lanes<F>(facing[1]), Lanes<F>(facing[2])};
  unsigned done = 0;
  for (unsigned left = found; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    const int which = axis.side[i] > 0 ? 1 : 0, face = static_cast<int>(axis.face[i]);
    const HullView<T>& hull = sides[which].hull[i];
    if (face >= hull.face_count) continue;
    const LevelVertices<T> level(sides[1 - which].hull[i],
                                 {{inwards[0][i], inwards[1][i], inwards[2][i]}}, slacks[i]);
    if (level.count != 1 || !(inside_of_face(hull, face, {{x[i], y[i], z[i]}}) >= 0)) continue;
    done |= 1u << i;
  }
  if (done == 0) return 0;
  const auto is_done = lanes_of<F>(done);
  const Vec<F, 3> on_a = rotate(turn_a, select(by_b, vertex, at));
  const F of_face = face_feature(load(axis.face.number));
  const F of_other = vertex_feature(load(axis.vertex.number));
  const auto put = [&](T(&to)[kLanes], const F& value) { store_where(is_done, to, value); };
  for (int k = 0; k < 3; ++k) put(table.position[0][k], on_a[k]);
  put(table.depth[0], depth);
  put(table.feature_a[0], select(by_b, of_other, of_face));
  put(table.feature_b[0], select(by_b, of_face, of_other));
  return done;
}

/// The face beside an edge that faces a direction more; the first of two alike.
template <class T>
WIDEPHASE_INLINE int facing_face_of_edge(const HullView<T>& hull, int edge,
                                         const Vec<T, 3>& direction, T& slope) {
  const std::int16_t* const faces = hull.edge_faces() + 2 * edge;
  const T first = dot(hull.face_normal(faces[0]), direction);
  const T second = dot(hull.face_normal(faces[1]), direction);
  slope = second > first ? second : first;
  return second > first ? faces[1] : faces[0];
}

/// The face beside an edge that both ends of a segment are over, as seen along
/// `outward`, and how far it looks there; -1 where they are over one each.
template <class T>
WIDEPHASE_INLINE int face_under_segment(const HullView<T>& hull, int edge, const Vec<T, 3>& outward,
                                        const Vec<T, 3>& middle, const Vec<T, 3>& half, T& slope) {
  const std::int16_t* const faces = hull.edge_faces() + 2 * edge;
  int best = -1;
  slope = 0;
  for (int end = 0; end < 2; ++end) {
    const Vec<T, 3> at = end == 0 ? middle - half : middle + half;
    int under = faces[0];
    T height = -kInfinite<T>, looks = 0;
    for (int f = 0; f < 2; ++f) {
      const Vec<T, 3> normal = hull.face_normal(faces[f]);
      const T here = dot(normal, outward);
      if (!(here > kLeastSlope<T>)) continue;
      const T over = (dot(normal, at) - hull.face_offset(faces[f])) / here;
      if (!(over > height)) continue;
      height = over;
      looks = here;
      under = faces[f];
    }
    if (!(looks > 0) || (end == 1 && under != best)) return -1;
    best = under;
    slope = looks;
  }
  return best;
}

/// Pairs of some batches whose way out is known, of those that are plain, on the way to their
/// points: few of a batch are such, so that they wait until all lanes have one.
template <class F>
class FaceQueue {
 public:
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  T steadiness = 0;  ///< by how much less deep a point may be that stands for the deepest

  /// Adds the pair in a lane of a search, whose points go to that lane of `table`; `last` are those
  /// of the last step. Answers false where it is not plain.
  WIDEPHASE_INLINE bool add(const HullSearch<F>& search, const HullFrames<F>& frames, int lane,
                            const PointNames& last, PointTable<F>& table) {
    const HullAxes<F>& axis = search.axis;
    const bool is_edge = axis.is_edge[lane] > 0;
    const T size = search.size[lane], slack = flush_slack(size);
    int which, face, other_face;
    Vec<T, 3> outward;
    if (is_edge) {
      const HullView<T>&hull_a = search.side[0].hull[lane], &hull_b = search.side[1].hull[lane];
      const Vec<T, 3> normal = vec_of(axis.normal, lane);
      const Vec<T, 3> in_b = -rotate_back(search.side[0].other.turn_of(lane), normal);
      T slope_a = 0, slope_b;
      int face_a = 0, face_b;
      const int edge_a = static_cast<int>(axis.edge_a[lane]);
      const int edge_b = static_cast<int>(axis.edge_b[lane]);
      if (hull_a.face_count == 0) {
        const LaneFrames<F>& frame = search.side[1].other;
        face_b = face_under_segment(hull_b, edge_b, in_b, frame.origin_of(lane),
                                    rotate(frame.turn_of(lane), hull_a.vertex(1)), slope_b);
        if (face_b < 0) return false;
      } else {
        face_a = facing_face_of_edge(hull_a, edge_a, normal, slope_a);
        face_b = facing_face_of_edge(hull_b, edge_b, in_b, slope_b);
      }
      which = slope_b > slope_a ? 1 : 0;
      if (!((which == 1 ? slope_b : slope_a) > kLeastSlope<T>)) return false;
      face = which == 1 ? face_b : face_a;
      other_face = which == 1 ? face_a : face_b;
      outward = which == 1 ? in_b : normal;
    } else {
      which = axis.side[lane] > 0 ? 1 : 0;
      face = static_cast<int>(axis.face[lane]);
      const HullView<T>& own = search.side[which].hull[lane];
      if (face >= own.face_count || !(own.face_gap(face) > 2 * slack)) return false;
      outward = own.face_normal(face);
    }
    const BoundedHulls<F>& side = search.side[which];
    const HullView<T>&hull = side.hull[lane], &other = search.side[1 - which].hull[lane];
    if (!has_room(hull, face)) return false;
    if (other.face_count == 0) {
      const Vec<T, 3> half = other.vertex(1);
      if (!(dot(half, half) > 0)) return false;
      incident_.set_segment(count_, other);
    } else {
      if (!is_edge) {
        const Vec<T, 3> local = -rotate_back(side.other.turn_of(lane), outward);
        const LevelVertices<T> level(other, local, slack);
        const FacingFace best = facing_face(other, level, local);
        // If several faces are level, one must be chosen.
        if (best.level >= 3 && level.count > best.level) return false;
        other_face = best.face;
      }
      if (!has_room(other, other_face)) return false;
      incident_.set(count_, other, other_face);
    }
    reference_.set(count_, hull, face);
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) {
        to_reference_.turn[k][j].number[count_] = side.other.turn[k][j][lane];
        to_scene_.turn[k][j].number[count_] = frames.turn[which][k][j][lane];
      }
      to_reference_.origin[k].number[count_] = side.other.origin[k][lane];
      to_scene_.origin[k].number[count_] = which == 1 ? frames.apart[k][lane] : T(0);
      outward_[k].number[count_] = outward[k];
    }
    by_b_.number[count_] = static_cast<T>(which);
    size_.number[count_] = size;
    depth_.number[count_] = axis.overlap[lane];
    limit_.number[count_] = frames.limit[lane];
    entry_[count_] = {&hull, face, is_edge, lane, last, &table};
    ++count_;
    return true;
  }
  WIDEPHASE_INLINE bool is_full() const { return count_ == lanes; }

  /// Puts the points of all, and leaves those that turn out not to be plain open.
  __attribute__((noinline)) void put_points(LaneCounter<F>& counter) {
    if (count_ == 0) return;
    counter.add_queue(count_);
    reference_.fill();
    incident_.fill();
    const F zero = F(0), size = load(size_.number), depth = load(depth_.number);
    const F rounding = roundings<F>(32) * size, steady = F(steadiness);
    const Vec<F, 3> outward = load_vec(outward_);
    FaceClippers<F> clippers(reference_, incident_, to_reference_.turns(), to_reference_.origins(),
                             outward, rounding);
    clippers.clip();
    const auto by_b = load(by_b_.number) > zero;
    // Those of the face of fewer corners, A's of two.
    const F own = load(reference_.count), others = load(incident_.count);
    const auto is_of_incident = (others < own) | (by_b & (others == own));
    FacePoint<F> kept[4];
    const F least_height = clippers.choose(rounding - load(limit_.number), is_of_incident,
                                           steady - depth, rounding, kept);
    // One point beside the face may be another one's, and one that is not as deep not all: slower
    // ways know.
    const F lag = (rounding + flush_slacks(size)) + select(depth < zero, zero, steady);
    const unsigned is_as_deep = mask_bits(least_height + depth <= lag);
    const auto has_second = kept[1].exists > zero;
    unsigned plain = is_as_deep & mask_bits(has_second);
    const unsigned single = is_as_deep & ~mask_bits(has_second);
    if (single != 0) {
      const Vec<F, 3> at = clippers.place(kept[0]);
      const Lanes<F> x(at[0]), y(at[1]), z(at[2]);
      for (int n = 0; n < count_; ++n) {
        if ((single >> n & 1) == 0) continue;
        const bool is_over = entry_[n].is_edge || inside_of_face(*entry_[n].hull, entry_[n].face,
                                                                 {{x[n], y[n], z[n]}}) >= 0;
        plain |= static_cast<unsigned>(is_over) << n;
      }
    }
    F depths[4];
    find_depths(kept, depth, rounding, steady, load(limit_.number), depths);
    PointTable<F> found;
    for (int p = 0; p < 4; ++p) {
      const FacePoint<F>& corner = kept[p];
      const F height = select(by_b, corner.height, zero);
      const Vec<F, 3> at = to_scene_.origins() +
                           rotate(to_scene_.turns(), clippers.place(corner) + height * outward);
      for (int k = 0; k < 3; ++k) store(found.position[p][k], at[k]);
      store(found.depth[p], depths[p]);
      store(found.feature_a[p], select(by_b, corner.incident_feature, corner.reference_feature));
      store(found.feature_b[p], select(by_b, corner.reference_feature, corner.incident_feature));
      store(found.exists[p], corner.exists);
    }
    for (int n = 0; n < count_; ++n) {
      PointTable<F>& table = *entry_[n].table;
      // Which of last step's points stay is said a pair at a time (core/faces/last_corners.hpp),
      // where there was a choice.
      const PointNames& last = entry_[n].last;
      const bool has_choice = !last.is_empty() && found.exists[2][n] > 0;
      if ((plain >> n & 1) != 0 && (!has_choice || found.names(n).has_all_of(last))) {
        table.put(entry_[n].lane, found, n);
      } else {
        table.open |= 1u << entry_[n].lane;
      }
    }
    count_ = 0;
    reference_.clear();
    incident_.clear();
  }

 private:
  struct Entry {
    const HullView<T>* hull;  ///< of the face
    int face;
    bool is_edge;  ///< the way out is across edges
    int lane;
    PointNames last;
    PointTable<F>* table;
  };

  static WIDEPHASE_INLINE bool has_room(const HullView<T>& hull, int face) {
    return hull.face_start(face + 1) - hull.face_start(face) <= FaceRings<F>::most;
  }

  FaceRings<F> reference_, incident_;
  LaneFrames<F> to_reference_;  ///< from the incident hull's frame
  LaneFrames<F> to_scene_;      ///< from the reference hull's frame, from A's middle on
  Lanes<F> outward_[3], by_b_, size_, depth_, limit_;
  Entry entry_[lanes];
  int count_ = 0;
};

/// Puts the deepest point of pairs whose way out is across an edge of each, as `put_vertex_points`.
template <class F>
__attribute__((noinline)) unsigned put_edge_points(const HullSearch<F>& search,
                                                   const Rotation3<F>& turn_a, unsigned found,
                                                   PointTable<F>& table) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  const HullAxes<F>& axis = search.axis;
  const BoundedHulls<F>(&sides)[2] = search.side;
  const F size = load(search.size.number);
  const F slack = flush_slacks(size);
  const Vec<F, 3> normal = axis_of(axis);
  const Rotation3<F> turn = sides[0].other.turns();

  std::int32_t record[2][kLanes] = {};
  const unsigned plain = found & mask_bits(load(axis.is_alone.number) > F(0));
  if (plain == 0) return 0;
  for (unsigned left = plain; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    record[0][i] = edge_record(sides[0], i, static_cast<int>(axis.edge_a[i]));
    record[1][i] = edge_record(sides[1], i, static_cast<int>(axis.edge_b[i]));
  }
  const HullEdgeLines<F> a(sides[0].base, record[0]), in_b(sides[1].base, record[1]);
  const Vec<F, 3> along = rotate(turn, in_b.along);
  const Vec<F, 3> to_b = (sides[0].other.origins() + rotate(turn, in_b.from)) - a.from;
  const F along2 = dot(a.along, a.along), other2 = dot(along, along);
  const Vec<F, 3> n = cross(a.along, along);
  // As in `put_edges`: B's share from the point itself.
  const F t = divide(dot(cross(to_b, along), normal), dot(n, normal));
  const F u = divide(dot(t * a.along - to_b, along), other2);
  const F end_a = divide(slack, sqrt(along2)), end_b = divide(slack, sqrt(other2));
  const F one = F(1);
  const auto is_plain = (dot(n, n) > (slack * slack) * along2) & (t > end_a) & (t < one - end_a) &
                        (u > end_b) & (u < one - end_b);
  const unsigned done = plain & mask_bits(is_plain);
  if (done == 0) return 0;
  const auto is_done = lanes_of<F>(done);
  const Vec<F, 3> at = rotate(turn_a, a.from + t * a.along);
  const auto put = [&](T(&to)[kLanes], const F& value) { store_where(is_done, to, value); };
  for (int k = 0; k < 3; ++k) put(table.position[0][k], at[k]);
  put(table.depth[0], load(axis.overlap.number));
  put(table.feature_a[0], edge_feature(load(axis.edge_a.number)));
  put(table.feature_b[0], edge_feature(load(axis.edge_b.number)));
  return done;
}

}  // namespace
}  // namespace widephase
