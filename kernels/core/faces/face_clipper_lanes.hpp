#pragma once

// Clips faces to faces, edge by edge (Liang and Barsky 1984), with pairs in lanes: what
// core/faces/face_clipper.hpp does with one pair at a time. Here faces have few corners and no
// rims.

#include "kernels/core/faces/convex_face.hpp"
#include "kernels/core/faces/face_rings.hpp"
#include "kernels/core/faces/four_corners_lanes.hpp"

namespace widephase {
namespace {

/// Two unit vectors perpendicular to a third one and to one another.
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

/// The part of an edge within a face.
template <class F>
struct StretchLanes {
  F enter, leave;
  F enter_feature, leave_feature;  ///< 0 if the edge's own ends are within
  MaskOf<F> is_within;

  /// Cuts off the part where a linear height is below 0.
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

/// The interval that a face takes along its longest side (core/faces/face_clipper.hpp).
template <class F>
struct FaceExtentLanes {
  Vec<F, 2> longest_side;
  F low, high, low_feature, high_feature;

  FaceExtentLanes() = default;
  /// A face is given by its corners, sides and their lengths, as seen.
  WIDEPHASE_INLINE FaceExtentLanes(const FaceRingLanes<F>& ring, const Vec<F, 2>* rim,
                                   const Vec<F, 2>* side, const F* side_length, const F& rounding) {
    const F zero = F(0);
    F longest = zero;
    longest_side = {{zero, zero}};
    for (int s = 0; s < ring.most_count; ++s) {
      const auto is_longer = side_length[s] > longest;
      longest = select(is_longer, side_length[s], longest);
      longest_side = select(is_longer, side[s], longest_side);
    }
    const F slack = F(2) * rounding * longest;
    low = high = dot(longest_side, rim[0]);
    low_feature = high_feature = load(ring.corner_feature[0]);
    for (int c = 1; c < ring.most_count; ++c) {
      const F along = dot(longest_side, rim[c]);
      const F feature = load(ring.corner_feature[c]);
      const auto is_low = along < low;
      const auto is_high = along > high;
      low = select(is_low, along, low);
      low_feature = select(is_low, feature, low_feature);
      high = select(is_high, along, high);
      high_feature = select(is_high, feature, high_feature);
    }
    low = low - slack;
    high = high + slack;
  }
  WIDEPHASE_INLINE void cut(const Vec<F, 2>& p, const Vec<F, 2>& q,
                            StretchLanes<F>& stretch) const {
    const F of_p = dot(longest_side, p), of_q = dot(longest_side, q);
    stretch.cut(of_p - low, of_q - low, low_feature);
    stretch.cut(high - of_p, high - of_q, high_feature);
  }
};

/// Clips faces to faces, one pair per lane.
template <class F>
class FaceClipperLanes {
 public:
  using T = RealOf<F>;
  static constexpr int most = FaceRingLanes<F>::most;

  /// `turn` and `origin` map the incident hull's frame to the reference hull's, in which `outward`
  /// is the normal out of the reference hull. Coordinates round by `rounding`.
  WIDEPHASE_INLINE FaceClipperLanes(const FaceRingLanes<F>& reference,
                                    const FaceRingLanes<F>& incident, const Rotation3<F>& turn,
                                    const Vec<F, 3>& origin, const Vec<F, 3>& outward,
                                    const F& rounding)
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
    extent_ = FaceExtentLanes<F>(reference, rim_, side_, length_, rounding);
  }

  WIDEPHASE_INLINE void clip() {
    // A segment is clipped once, not there and back.
    const bool is_segment = incident_.most_count == 2;
    for (int e = 0; e < (is_segment ? 1 : incident_.most_count); ++e) clip_edge(e, is_segment);
    if (!is_segment) add_rim_corners();
    // The choice reads at least three.
    for (; count_ < 3;) add(found_[0], F(0) < F(0));
  }

  /// Up to four of the corners that are not higher than `most_height`. Answers the smallest height
  /// of all.
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
  WIDEPHASE_INLINE Vec<F, 3> position_of(const FacePoint<F>& corner) const {
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

  /// The mean side of the bounds of corners.
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

  /// A face's axes follow its first edge, as in core/faces/face_clipper.hpp; a segment's follow
  /// itself.
  WIDEPHASE_INLINE LastingAxes<F> lasting_axes(const MaskOf<F>& is_of_incident) const {
    const F zero = F(0);
    Vec<F, 2> along = select(is_of_incident, corner_[1].at - corner_[0].at, side_[0]);
    F rise = select(is_of_incident, corner_[1].height - corner_[0].height, zero);
    F size2 = dot(along, along) + rise * rise;
    if (incident_.most_count > 2) {
      // An edge that is too short has no direction.
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
    // Across it in the face, then along the normal onto the reference plane.
    const Vec<F, 3> edge = x[0] * axes_.x + x[1] * axes_.y + divide_or_zero(rise, size) * outward_;
    const Vec<F, 3> across = cross(select(is_of_incident, incident_normal_, normal_), edge);
    const F height = dot(across, normal_) * by_rise_;
    const Vec<F, 2> y{
        {dot(across, axes_.x) - height * lean_[0], dot(across, axes_.y) - height * lean_[1]}};
    const LastingAxes<F> turned = LastingAxes<F>::turned(x, y);
    const Vec<F, 2> beside{{negate(x[1]), x[0]}};
    return {select(is_segment, x, turned.first), select(is_segment, beside, turned.second)};
  }

  WIDEPHASE_INLINE void clip_edge(int e, bool is_segment) {
    const F zero = F(0), one = F(1);
    const Seen &p = corner_[e], &q = corner_[e + 1];
    StretchLanes<F> stretch{zero, one, zero, zero, F(static_cast<T>(e)) < load(incident_.count)};
    for (int s = 0; s < reference_.most_count; ++s) {
      const F slack = rounding_ * length_[s];
      stretch.cut(cross(side_[s], p.at - rim_[s]) + slack, cross(side_[s], q.at - rim_[s]) + slack,
                  load(reference_.edge_feature[s]));
    }
    extent_.cut(p.at, q.at, stretch);
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

  const FaceRingLanes<F>& reference_;
  const FaceRingLanes<F>& incident_;
  Vec<F, 3> normal_;
  PlaneAxes<F> axes_;
  Vec<F, 3> origin_, outward_, first_incident_, incident_normal_;
  F by_rise_;
  Vec<F, 2> lean_;
  F rounding_;
  Vec<F, 2> rim_[most + 1], side_[most];
  F length_[most];
  FaceExtentLanes<F> extent_;
  Seen corner_[most + 1];
  int count_ = 0;
  FacePoint<F> found_[3 * most];
};

}  // namespace
}  // namespace widephase
