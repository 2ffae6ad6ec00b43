#pragma once

// Clips a face, edge or vertex of a convex core to a face of another one, seen along the contact's
// normal. Each edge is clipped to one interval (Liang and Barsky 1984); the other points are
// corners of the reference face within the incident face. For two caps, the points are the rims'
// sampled points within the other cap, and the two points where the rims cross. At most four are
// kept (core/faces/four_corners.hpp).

#include "kernels/core/faces/convex_face.hpp"
#include "kernels/core/faces/four_corners_single.hpp"
#include "kernels/core/faces/last_corners.hpp"

namespace widephase {
namespace {

template <class T>
class FaceClipper {
 public:
  /// `offset` is from the reference core's middle to the incident core's; `outward` is the normal
  /// out of the reference face; coordinates of the pair round by `rounding`. Corners higher than
  /// `most_height` are left out.
  FaceClipper(const ConvexFace<T>& reference, const ConvexFace<T>& incident,
              const Vec<T, 3>& offset, const Vec<T, 3>& outward, T rounding, T most_height)
      : reference_(reference),
        incident_(incident),
        origin_(reference.corner[0]),
        x_axis_(across_of(reference.normal)),
        y_axis_(cross(reference.normal, x_axis_)),
        outward_(outward),
        by_rise_(1 / dot(outward, reference.normal)),
        rounding_(rounding),
        most_height_(most_height) {
    for (int c = 0; c < reference.count; ++c) {
      const Vec<T, 3> from = reference.corner[c] - origin_;
      rim_[c] = {dot(from, x_axis_), dot(from, y_axis_), 0};
    }
    if (reference.radius > 0) {
      middle_ = seen(reference.middle);
    } else {
      for (int c = 0; c < reference.count; ++c) {
        side_[c] = {dot(reference.along[c], x_axis_), dot(reference.along[c], y_axis_), 0};
        side_[c].length = root(side_[c].x * side_[c].x + side_[c].y * side_[c].y);
      }
      find_ends();
    }
    for (int c = 0; c < incident.count; ++c) corner_[c] = seen(offset + incident.corner[c]);
    first_incident_ = offset + incident.corner[0];
    T area = 0;
    for (int c = 0; incident.count > 2 && c < incident.count; ++c) {
      const Seen &a = corner_[c], &b = corner_[c + 1 == incident.count ? 0 : c + 1];
      area += a.x * b.y - a.y * b.x;
    }
    turn_ = area > 0 ? T(1) : area < 0 ? T(-1) : T(0);
  }

  void clip() {
    count_ = 0;
    if (incident_.count == 1) {
      clip_edge(0, 0);
      return;
    }
    if (reference_.radius > 0 && incident_.radius > 0) {
      add_cap_corners();
      return;
    }
    const int edges = incident_.count == 2 ? 1 : incident_.count;
    for (int e = 0; e < edges; ++e) clip_edge(e, (e + 1) % incident_.count);
    if (incident_.count > 2) add_rim_corners();
  }

  int count() const { return count_; }
  const FaceCorner<T>& corner(int n) const { return found_[n]; }
  /// The smallest height of a corner; infinite if there is none.
  T least_height() const {
    T least = kInfinite<T>;
    for (int n = 0; n < count_; ++n) least = found_[n].height < least ? found_[n].height : least;
    return least;
  }

  /// Adds the foremost points of caps that lean, if they are not higher than `most_height`: the
  /// rims' sampled points may all be less deep.
  void add_foremost(T most_height) {
    const T slope = dot(incident_.normal, outward_);
    if (incident_.radius > 0 && incident_.lag > rounding_) {
      const Seen at = seen(first_incident_ + (incident_.foremost - incident_.corner[0]));
      Stretch whole;
      const bool is_over =
          reference_.radius > 0 ? clip_to_disc(at, at, whole) : clip_to_sides(at, at, whole);
      if (is_over && at.height <= most_height) {
        add(at, reference_.face_feature, incident_.foremost_feature);
      }
    }
    if (!(reference_.radius > 0 && reference_.lag > rounding_) || incident_.count < 3 ||
        !(magnitude(slope) > kLeastSlope<T>)) {
      return;
    }
    Seen at = seen(reference_.foremost);
    at.height = -dot(incident_.normal, reference_.foremost - first_incident_) / slope;
    const Vec<T, 3> on_incident = reference_.foremost + at.height * outward_;
    if (!(at.height <= most_height)) return;
    if (incident_.radius > 0) {
      const Vec<T, 3> center = first_incident_ + (incident_.middle - incident_.corner[0]);
      const Vec<T, 3> from = on_incident - center;
      const T reach = incident_.radius + rounding_;
      if (!(dot(from, from) <= reach * reach)) return;
    } else if (!is_in_incident(at)) {
      return;
    }
    add(at, reference_.foremost_feature, incident_.face_feature);
  }

  /// Adds the point that the search has found as one more corner. `position` is on the reference
  /// face, from the reference core's middle.
  void join(const Vec<T, 3>& position, T height, T reference_feature, T incident_feature) {
    const Vec<T, 3> from = position - origin_;
    for (int n = 0; n < count_; ++n) {
      if (found_[n].reference_feature != reference_feature ||
          found_[n].incident_feature != incident_feature) {
        continue;
      }
      found_[n].height = height;  // the same corner, up to rounding
      return;
    }
    add({dot(from, x_axis_), dot(from, y_axis_), height}, reference_feature, incident_feature);
  }

  /// Chooses four corners (core/faces/four_corners_single.hpp) by the axes of the incident face or
  /// of the reference face. One of them is as deep as the deepest, within `level`.
  /// `incident_first`: the incident face is A's. With steadiness last step's corners stay
  /// (core/faces/last_corners.hpp).
  int choose(T level, bool is_of_incident, bool incident_first, T steadiness,
             const PointNames& last, FaceCorner<T> (&kept)[4]) {
    if (count_ == 0) return 0;
    if (count_ == 1) {
      kept[0] = found_[0];
      return 1;
    }
    Vec<T, 2> first, second;
    find_lasting(is_of_incident, first, second);
    const T reference_span = span_of(rim_, reference_.count),
            of_incident = span_of(corner_, incident_.count);
    const bool has_both =
        reference_.count > 1 && incident_.count > 2 && reference_span < of_incident;
    const T least = kOneCornerShare<T> * (has_both ? reference_span : of_incident);
    FourCorners<T> four(found_, count_, {first, second}, least);
    const int named_count = four.choose(level, incident_first, kept);
    if (last.is_empty()) return named_count;
    PointNames names{};
    for (int n = 0; n < named_count; ++n) names.name[n] = name_of(kept[n], incident_first);
    if (names.has_all_of(last)) return named_count;
    const LastCorners<T, FaceClipper> stays(*this, last, incident_first, steadiness);
    return stays.keep(found_, count_, four.least_height() + level, least, bearing_, kept,
                      named_count);
  }

  /// What `LastCorners` reads.
  SeenFace<T> reference() const { return seen_face(reference_, rim_); }
  SeenFace<T> incident() const { return seen_face(incident_, corner_); }
  T outside_reference(T x, T y) const {
    if (!(reference_.radius > 0)) return distance_outside(rim_, reference_.count, T(1), x, y);
    const T off_x = x - middle_.x, off_y = y - middle_.y;
    return root(off_x * off_x + off_y * off_y) - reference_.radius;
  }
  T outside_incident(T x, T y) const {
    if (!(incident_.radius > 0)) return distance_outside(corner_, incident_.count, turn_, x, y);
    const Vec<T, 3> from = on_reference(x, y);
    const T height =
        -dot(incident_.normal, from - first_incident_) / dot(incident_.normal, outward_);
    const Vec<T, 3> off =
        (from + height * outward_) - (first_incident_ + (incident_.middle - incident_.corner[0]));
    return root(dot(off, off)) - incident_.radius;
  }

  /// Where a corner lies on the reference face, from the reference core's middle.
  Vec<T, 3> position_of(const FaceCorner<T>& corner) const {
    return on_reference(corner.x, corner.y);
  }

 private:
  static constexpr int most = ConvexFace<T>::most_corners;
  using Seen = SeenCorner<T>;
  struct Side {
    T x, y, length;
  };

  Vec<T, 3> on_reference(T x, T y) const { return origin_ + (x * x_axis_ + y * y_axis_); }
  static SeenFace<T> seen_face(const ConvexFace<T>& face, const Seen* corner) {
    return {corner,     face.corner_feature, face.edge_feature,
            face.count, face.face_feature,   face.radius > 0};
  }

  /// A diagonal of a face's own axes, turned by 0.14 rad, and the one across it, as seen on the
  /// reference face. No diagonal of a box, prism or rim is perpendicular to it. For an edge it is
  /// the edge's direction.
  void find_lasting(bool is_of_incident, Vec<T, 2>& first, Vec<T, 2>& second) const {
    const ConvexFace<T>& face = is_of_incident ? incident_ : reference_;
    const auto seen_direction = [&](const Vec<T, 3>& direction) {
      const Vec<T, 3> foot = direction - (dot(direction, reference_.normal) * by_rise_) * outward_;
      return Vec<T, 2>{{dot(foot, x_axis_), dot(foot, y_axis_)}};
    };
    if (face.count < 3) {
      first = face.count < 2 ? Vec<T, 2>{{1, 0}}
                             : seen_direction(unit_of(face.corner[1] - face.corner[0]));
      second = {{-first[1], first[0]}};
      return;
    }
    const Vec<T, 3> x = unit_of(face.first_axis), y = cross(face.normal, x);
    first = seen_direction(kDiagonalCosine<T> * x + kDiagonalSine<T> * y);
    second = seen_direction(kDiagonalCosine<T> * y - kDiagonalSine<T> * x);
  }

  /// The mean side of a face's bounds.
  static T span_of(const auto* corners, int count) {
    if (count == 0) return 0;
    T low[2] = {corners[0].x, corners[0].y}, high[2] = {low[0], low[1]};
    for (int c = 1; c < count; ++c) {
      const T at[2] = {corners[c].x, corners[c].y};
      for (int k = 0; k < 2; ++k) {
        low[k] = at[k] < low[k] ? at[k] : low[k];
        high[k] = at[k] > high[k] ? at[k] : high[k];
      }
    }
    return T(0.5) * ((high[0] - low[0]) + (high[1] - low[1]));
  }

  /// Projects along the contact's normal onto the face's plane.
  Seen seen(const Vec<T, 3>& position) const {
    const Vec<T, 3> from = position - origin_;
    const T height = dot(from, reference_.normal) * by_rise_;
    const Vec<T, 3> foot = from - height * outward_;
    return {dot(foot, x_axis_), dot(foot, y_axis_), height};
  }

  /// A corner at the limit is kept, up to rounding.
  bool is_too_high(T height) const { return !(height <= most_height_ + rounding_); }

  void add(const Seen& at, T reference_feature, T incident_feature) {
    if (is_too_high(at.height) || count_ == 3 * most) return;
    const T height = at.height < most_height_ ? at.height : most_height_;
    found_[count_++] = {at.x, at.y, height, reference_feature, incident_feature};
  }

  /// Finds the interval that the face takes along its longest side. A point may be outside two
  /// sides only by rounding, but far beyond the corner where they meet, if that corner is as sharp
  /// as a needle.
  void find_ends() {
    length_ = {0, 0, 0};
    for (int s = 0; s < reference_.count; ++s) {
      if (side_[s].length > length_.length) length_ = side_[s];
    }
    first_ = last_ = 0;
    for (int c = 1; c < reference_.count; ++c) {
      if (along_length(rim_[c]) < along_length(rim_[first_])) first_ = c;
      if (along_length(rim_[c]) > along_length(rim_[last_])) last_ = c;
    }
  }
  T along_length(const Seen& at) const { return length_.x * at.x + length_.y * at.y; }

  /// The part of an edge within the face, from `enter` to `leave` of its length.
  struct Stretch {
    T enter = 0, leave = 1;
    T enter_feature = 0, leave_feature = 0;  ///< of the reference face, where its rim is crossed
    bool is_entering = false, is_leaving = false;

    /// Cuts off the part where a linear height is below 0. Answers false if that is the whole edge.
    bool cut(T of_p, T of_q, T feature) {
      if (of_p < 0 && of_q < 0) return false;
      if (of_p >= 0 && of_q >= 0) return true;
      const T t = of_p / (of_p - of_q);
      if (of_p < 0 && t > enter) {
        enter = t;
        enter_feature = feature;
        is_entering = true;
      }
      if (of_q < 0 && t < leave) {
        leave = t;
        leave_feature = feature;
        is_leaving = true;
      }
      return true;
    }
  };

  bool clip_to_sides(const Seen& p, const Seen& q, Stretch& stretch) const {
    for (int s = 0; s < reference_.count; ++s) {
      const Seen& a = rim_[s];
      const T x = side_[s].x, y = side_[s].y;
      if (!(side_[s].length > 0)) continue;
      const T slack = rounding_ * side_[s].length;
      const T of_p = (x * (p.y - a.y) - y * (p.x - a.x)) + slack;
      const T of_q = (x * (q.y - a.y) - y * (q.x - a.x)) + slack;
      if (!stretch.cut(of_p, of_q, reference_.edge_feature[s])) return false;
    }
    if (length_.length > 0) {
      // Twice, so that sides that are across the longest one cut first.
      const T slack = 2 * rounding_ * length_.length;
      const T low = along_length(rim_[first_]) - slack, high = along_length(rim_[last_]) + slack;
      const T of_p = along_length(p), of_q = along_length(q);
      if (!stretch.cut(of_p - low, of_q - low, reference_.corner_feature[first_]) ||
          !stretch.cut(high - of_p, high - of_q, reference_.corner_feature[last_])) {
        return false;
      }
    }
    return true;
  }
  /// Clips to a cap, which reaches beyond the sides between the points of its rim.
  bool clip_to_disc(const Seen& p, const Seen& q, Stretch& stretch) const {
    const T x = q.x - p.x, y = q.y - p.y, from_x = p.x - middle_.x, from_y = p.y - middle_.y;
    const T reach = reference_.radius + rounding_;
    const T length2 = x * x + y * y, toward = -(from_x * x + from_y * y);
    if (!(length2 > 0)) return from_x * from_x + from_y * from_y <= reach * reach;
    // From how far the line passes the middle, because ends may be far from a small cap.
    const T across = from_x * y - from_y * x;
    const T square = (reach * reach) * length2 - across * across;
    if (!(square >= 0)) return false;
    const T half = root(square);
    const T enter = (toward - half) / length2, leave = (toward + half) / length2;
    if (leave < 0 || enter > 1) return false;
    if (enter > 0) {
      stretch.enter = enter;
      stretch.enter_feature = rim_crossing(reference_, false);
      stretch.is_entering = true;
    }
    if (leave < 1) {
      stretch.leave = leave;
      stretch.leave_feature = rim_crossing(reference_, true);
      stretch.is_leaving = true;
    }
    return true;
  }

  void clip_edge(int from, int to) {
    const Seen &p = corner_[from], &q = corner_[to];
    if (is_too_high(p.height) && is_too_high(q.height)) return;
    Stretch stretch;
    const bool is_disc = reference_.radius > 0;
    if (!(is_disc ? clip_to_disc(p, q, stretch) : clip_to_sides(p, q, stretch))) return;
    const T enter = stretch.enter, leave = stretch.leave;
    if (enter > leave) return;
    const auto between = [&](T t) {
      return Seen{p.x + t * (q.x - p.x), p.y + t * (q.y - p.y),
                  p.height + t * (q.height - p.height)};
    };
    if (!stretch.is_entering) {
      add(p, reference_.face_feature, incident_.corner_feature[from]);
    } else {
      add(between(enter), stretch.enter_feature, incident_.edge_feature[from]);
    }
    if (stretch.is_leaving) {
      if (leave > enter) {
        add(between(leave), stretch.leave_feature, incident_.edge_feature[from]);
      }
    } else if (incident_.count == 2) {
      add(q, reference_.face_feature, incident_.corner_feature[to]);
    }
  }

  /// Adds the sampled points of both rims within the other cap, and where the rims cross.
  void add_cap_corners() {
    for (int c = 0; c < incident_.count; ++c) {
      Stretch whole;
      if (!is_too_high(corner_[c].height) && clip_to_disc(corner_[c], corner_[c], whole)) {
        add(corner_[c], reference_.face_feature, incident_.corner_feature[c]);
      }
    }
    const T slope = dot(incident_.normal, outward_);
    if (!(magnitude(slope) > 0)) return;
    // Projects a point of the reference rim along the normal to the incident cap, relative to its
    // middle.
    const Vec<T, 3> center = first_incident_ + (incident_.middle - incident_.corner[0]);
    const auto on_incident = [&](const Vec<T, 3>& position, T& height) {
      height = -dot(incident_.normal, position - first_incident_) / slope;
      return (position + height * outward_) - center;
    };
    const T reach = incident_.radius + rounding_;
    T height;
    for (int r = 0; r < reference_.count; ++r) {
      const Vec<T, 3> from = on_incident(reference_.corner[r], height);
      if (!(dot(from, from) <= reach * reach)) continue;
      add({rim_[r].x, rim_[r].y, height}, reference_.corner_feature[r], incident_.face_feature);
    }
    // Starts as if both were circles, then takes Newton steps along the reference rim.
    const Seen other = seen(center);
    const T x = other.x - middle_.x, y = other.y - middle_.y, apart = root(x * x + y * y);
    const T radius = reference_.radius,
            along = (apart * apart + (radius + incident_.radius) * (radius - incident_.radius)) /
                    (2 * apart);
    // If rims hardly part, they cross near sampled points, and jitter decides which.
    const T smaller = radius < incident_.radius ? radius : incident_.radius;
    // If two rims touch only up to rounding, the place where they cross is not known. The point
    // that the search has found is.
    if (!(apart > T(0.1) * smaller) || !(magnitude(along) < radius - rounding_)) return;
    for (int side = 0; side < 2; ++side) {
      const T across = root((radius + along) * (radius - along));
      T cosine = along / radius, sine = (side == 0 ? across : -across) / radius;
      Vec<T, 3> at;
      bool is_there = false;
      for (int step = 0; step < 12 && !is_there; ++step) {
        const T u = (cosine * x - sine * y) / apart, v = (cosine * y + sine * x) / apart;
        const Vec<T, 3> out = u * x_axis_ + v * y_axis_;
        const Vec<T, 3> tangent = u * y_axis_ - v * x_axis_;
        at = reference_.middle + radius * out;
        const Vec<T, 3> from = on_incident(at, height);
        const T lead = -dot(incident_.normal, tangent) / slope;
        const T slope_of_square = 2 * radius * dot(from, tangent + lead * outward_);
        if (!(magnitude(slope_of_square) > 0)) break;
        T turn = (incident_.radius * incident_.radius - dot(from, from)) / slope_of_square;
        turn = turn > T(0.5) ? T(0.5) : turn < T(-0.5) ? T(-0.5) : turn;
        is_there = magnitude(turn) * radius <= rounding_;
        const T next = cosine - turn * sine, size = root(1 + turn * turn);
        sine = (sine + turn * cosine) / size;
        cosine = next / size;
      }
      // If a rim leans, it may not be crossed where the circle would be.
      if (!is_there) continue;
      const Seen crossing = seen(at);
      add({crossing.x, crossing.y, height}, rim_crossing(reference_, side == 1),
          rim_crossing(incident_, side == 1));
    }
  }

  /// Whether a point is within the incident polygon, as seen.
  bool is_in_incident(const Seen& at) const {
    for (int c = 0; c < incident_.count; ++c) {
      const Seen &a = corner_[c], &b = corner_[c + 1 == incident_.count ? 0 : c + 1];
      const T side = (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
      if (!(turn_ * side > 0)) return false;
    }
    return true;
  }

  /// The same for the points of a cap's rim together, as bits.
  unsigned rim_in_incident() const {
    T at_x[kRimPoints], at_y[kRimPoints];
    for (int r = 0; r < kRimPoints; ++r) {
      at_x[r] = rim_[r].x;
      at_y[r] = rim_[r].y;
    }
    const Sixteen<T> x = load_row<16>(at_x), y = load_row<16>(at_y), zero = row_of<16>(T(0));
    unsigned bits = (1u << kRimPoints) - 1;
    for (int c = 0; c < incident_.count && bits != 0; ++c) {
      const Seen &a = corner_[c], &b = corner_[c + 1 == incident_.count ? 0 : c + 1];
      const Sixteen<T> side = row_of<16>(b.x - a.x) * (y - row_of<16>(a.y)) -
                              row_of<16>(b.y - a.y) * (x - row_of<16>(a.x));
      bits &= ~bits_at_least(zero, row_of<16>(turn_) * side);
    }
    return bits;
  }

  void add_rim_corners() {
    const T slope = dot(incident_.normal, outward_);
    if (turn_ == 0 || !(magnitude(slope) > kLeastSlope<T>)) return;
    const T by_slope = -1 / slope;
    const auto height_at = [&](const Vec<T, 3>& position) {
      return dot(incident_.normal, position - first_incident_) * by_slope;
    };
    const auto add_rim_corner = [&](int r) {
      const T height = height_at(reference_.corner[r]);
      if (is_too_high(height)) return;
      add({rim_[r].x, rim_[r].y, height}, reference_.corner_feature[r], incident_.face_feature);
    };
    if (!(reference_.radius > 0)) {
      for (int r = 0; r < reference_.count; ++r) {
        if (is_in_incident(rim_[r])) add_rim_corner(r);
      }
      return;
    }
    const unsigned within = rim_in_incident();
    for (unsigned left = within; left != 0; left &= left - 1) add_rim_corner(__builtin_ctz(left));
    bool has_corner = within != 0;
    // The part of a rim within the other face may be shorter than from one sampled point to the
    // next. Then the middle of that part is added.
    for (int c = 0; !has_corner && c < incident_.count; ++c) {
      const Seen &a = corner_[c], &b = corner_[(c + 1) % incident_.count];
      const T x = b.x - a.x, y = b.y - a.y, length = root(x * x + y * y);
      if (!(length > 0)) continue;
      const T out = turn_ * (reference_.radius / length);
      const Seen at{middle_.x - out * y, middle_.y + out * x, 0};
      has_corner = is_in_incident(at);
      if (!has_corner) continue;
      const T height = height_at(on_reference(at.x, at.y));
      add({at.x, at.y, height}, reference_.face_feature, incident_.face_feature);
    }
  }

  const ConvexFace<T>& reference_;
  const ConvexFace<T>& incident_;
  Vec<T, 3> origin_, x_axis_, y_axis_, outward_, first_incident_;
  T by_rise_;
  T rounding_;
  T most_height_;
  Seen rim_[most], corner_[most];
  Seen middle_;  ///< of a cap
  T turn_;       ///< 1 if the incident face is counter-clockwise as seen, -1 if not, 0 without area
  Side side_[most];
  Side length_;
  int first_, last_;  ///< the corners at its ends
  int count_;
  FaceCorner<T> found_[3 * most];
  Bearing<T> bearing_[3 * most];
};

}  // namespace
}  // namespace widephase
