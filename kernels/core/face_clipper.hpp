#pragma once

// A face, edge or vertex of a convex core clipped to a face of another one, seen along the
// contact's normal: each edge to one stretch (Liang and Barsky 1984); corners of the face within
// the other are the rest. Of these up to four stay, as for boxes (core/box_faces3.hpp).

#include "core/convex_face.hpp"

namespace widephase {
namespace {

/// A corner of the overlap of two faces, seen along the normal on the reference face.
template <class T>
struct FaceCorner {
  T x, y;
  T height;  ///< of the incident face above the reference face
  T reference_feature, incident_feature;
};

template <class T>
class FaceClipper {
 public:
  /// `offset` leads from the reference core's middle to the incident one's; `outward` is the
  /// normal out of the reference face; coordinates of the pair round by `rounding`.
  FaceClipper(const ConvexFace<T>& reference, const ConvexFace<T>& incident,
              const Vec<T, 3>& offset, const Vec<T, 3>& outward, T rounding)
      : reference_(reference),
        incident_(incident),
        origin_(reference.corner[0]),
        x_axis_(across_of(reference.normal)),
        y_axis_(cross(reference.normal, x_axis_)),
        outward_(outward),
        rise_(dot(outward, reference.normal)),
        rounding_(rounding) {
    for (int c = 0; c < reference.count; ++c) {
      rim_[c] = seen(reference.corner[c]);
      side_[c] = {dot(reference.along[c], x_axis_), dot(reference.along[c], y_axis_), 0};
      side_[c].length = root(side_[c].x * side_[c].x + side_[c].y * side_[c].y);
    }
    find_ends();
    if (reference.radius > 0) middle_ = seen(reference.middle);
    for (int c = 0; c < incident.count; ++c) corner_[c] = seen(offset + incident.corner[c]);
    first_incident_ = offset + incident.corner[0];
  }

  void clip() {
    count_ = 0;
    if (incident_.count == 1) {
      clip_edge(0, 0);
      return;
    }
    const int edges = incident_.count == 2 ? 1 : incident_.count;
    for (int e = 0; e < edges; ++e) clip_edge(e, (e + 1) % incident_.count);
    if (incident_.count > 2) add_rim_corners();
  }

  /// Up to four of the corners, the deepest first; of the others those of heights up to
  /// `most_height`.
  int reduce(T most_height, FaceCorner<T> (&kept)[4]) const {
    if (count_ == 0) return 0;
    int deepest = 0;
    for (int n = 1; n < count_; ++n) {
      if (found_[n].height < found_[deepest].height) deepest = n;
    }
    kept[0] = found_[deepest];
    int count = 1;
    const FaceCorner<T>& from = kept[0];
    T reach = 0;
    for (int n = 0; n < count_; ++n) {
      const T distance = magnitude(found_[n].x - from.x) + magnitude(found_[n].y - from.y);
      reach = distance > reach ? distance : reach;
    }
    const T least = least_stretch_of() * reach;
    const auto take = [&](const auto& measure, T beyond) {
      int best = -1;
      for (int n = 0; n < count_; ++n) {
        if (found_[n].height > most_height || is_kept(found_[n], kept, count)) continue;
        const T value = measure(found_[n]);
        if (value > beyond) {
          beyond = value;
          best = n;
        }
      }
      if (best < 0) return false;
      kept[count++] = found_[best];
      return true;
    };
    const bool has_second = take(
        [&](const FaceCorner<T>& p) {
          const T x = p.x - from.x, y = p.y - from.y;
          return x * x + y * y;
        },
        least * least);
    if (!has_second) return count;
    kept[1] = second_of(kept[1], from, most_height, least * reach);
    const T way_x = kept[1].x - from.x, way_y = kept[1].y - from.y;
    const auto side = [&](const FaceCorner<T>& p) {
      return way_x * (p.y - from.y) - way_y * (p.x - from.x);
    };
    take(side, least * reach);
    take([&](const FaceCorner<T>& p) { return -side(p); }, least * reach);
    return count;
  }

  /// Whether a point, from the reference core's middle, lies over the reference face.
  bool is_over(const Vec<T, 3>& position) const {
    Stretch stretch;
    const Seen at = seen(position);
    return reference_.radius > 0 ? clip_to_disc(at, at, stretch) : clip_to_sides(at, at, stretch);
  }

  /// Where a corner lies on the reference face, from the reference core's middle.
  Vec<T, 3> place(const FaceCorner<T>& corner) const {
    return origin_ + (corner.x * x_axis_ + corner.y * y_axis_);
  }

 private:
  static constexpr int most = ConvexFace<T>::most_corners;
  struct Seen {
    T x, y, height;
  };
  struct Side {
    T x, y, length;
  };

  static T least_stretch_of() { return sizeof(T) == 4 ? T(1e-6) : T(1e-14); }

  /// Of the corners that are as far from `from` as the farthest to rounding the first one with
  /// others on both sides of the line there, else the farthest: of a strip narrower than the root
  /// of rounding rounding says whether the farthest is the next corner or the one across.
  FaceCorner<T> second_of(const FaceCorner<T>& farthest, const FaceCorner<T>& from, T most_height,
                          T least_area) const {
    const auto distance_of = [&](const FaceCorner<T>& p) {
      const T x = p.x - from.x, y = p.y - from.y;
      return root(x * x + y * y);
    };
    const T least = distance_of(farthest) - 4 * rounding_;
    for (int n = 0; n < count_; ++n) {
      const FaceCorner<T>& at = found_[n];
      if (at.height > most_height || !(distance_of(at) >= least)) continue;
      bool has_left = false, has_right = false;
      for (int m = 0; m < count_; ++m) {
        if (found_[m].height > most_height) continue;
        const T side =
            (at.x - from.x) * (found_[m].y - from.y) - (at.y - from.y) * (found_[m].x - from.x);
        has_left = has_left || side > least_area;
        has_right = has_right || side < -least_area;
      }
      if (has_left && has_right) return at;
    }
    return farthest;
  }

  static bool is_kept(const FaceCorner<T>& corner, const FaceCorner<T> (&kept)[4], int count) {
    for (int n = 0; n < count; ++n) {
      if (kept[n].reference_feature == corner.reference_feature &&
          kept[n].incident_feature == corner.incident_feature) {
        return true;
      }
    }
    return false;
  }

  /// Along the contact's normal onto the face's plane.
  Seen seen(const Vec<T, 3>& position) const {
    const Vec<T, 3> from = position - origin_;
    const T height = dot(from, reference_.normal) / rise_;
    const Vec<T, 3> foot = from - height * outward_;
    return {dot(foot, x_axis_), dot(foot, y_axis_), height};
  }

  void add(const Seen& at, T reference_feature, T incident_feature) {
    if (count_ == 3 * most) return;
    found_[count_++] = {at.x, at.y, at.height, reference_feature, incident_feature};
  }

  /// The stretch that the face takes along its longest side. A point beside two sides by rounding
  /// may be far beyond the corner where they meet, if that is all but a needle's.
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

  /// What of an edge is within the face, from `enter` to `leave` of its length.
  struct Stretch {
    T enter = 0, leave = 1;
    T enter_feature = 0, leave_feature = 0;  ///< of the reference face, where its rim is crossed
    bool is_entering = false, is_leaving = false;

    /// Cuts off where a height that is linear is below 0; answers false where it is all along.
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
      // Twice: sides that are across the longest one come first.
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
  /// To a cap, which reaches beyond the sides between the points of its rim.
  bool clip_to_disc(const Seen& p, const Seen& q, Stretch& stretch) const {
    const T x = q.x - p.x, y = q.y - p.y, from_x = p.x - middle_.x, from_y = p.y - middle_.y;
    const T reach = reference_.radius + rounding_;
    const T length2 = x * x + y * y, toward = -(from_x * x + from_y * y);
    if (!(length2 > 0)) return from_x * from_x + from_y * from_y <= reach * reach;
    // By how far the line passes the middle: ends may be far from a small cap.
    const T across = from_x * y - from_y * x;
    const T square = (reach * reach) * length2 - across * across;
    if (!(square >= 0)) return false;
    const T half = root(square);
    const T enter = (toward - half) / length2, leave = (toward + half) / length2;
    if (leave < 0 || enter > 1) return false;
    const auto feature_at = [&](T t) {
      const T at_x = p.x + t * x, at_y = p.y + t * y;
      int nearest = 0;
      T least = kInfinite<T>;
      for (int s = 0; s < reference_.count; ++s) {
        const T height =
            (side_[s].x * (at_y - rim_[s].y) - side_[s].y * (at_x - rim_[s].x)) / side_[s].length;
        if (!(height < least)) continue;
        least = height;
        nearest = s;
      }
      return reference_.edge_feature[nearest];
    };
    if (enter > 0) {
      stretch.enter = enter;
      stretch.enter_feature = feature_at(enter);
      stretch.is_entering = true;
    }
    if (leave < 1) {
      stretch.leave = leave;
      stretch.leave_feature = feature_at(leave);
      stretch.is_leaving = true;
    }
    return true;
  }

  void clip_edge(int from, int to) {
    const Seen &p = corner_[from], &q = corner_[to];
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
      // A line may cross one arc twice; both points are also on the incident face.
      const bool is_same =
          stretch.is_entering && stretch.enter_feature == stretch.leave_feature && is_disc;
      if (leave > enter) {
        add(between(leave), stretch.leave_feature,
            is_same ? incident_.face_feature : incident_.edge_feature[from]);
      }
    } else if (incident_.count == 2) {
      add(q, reference_.face_feature, incident_.corner_feature[to]);
    }
  }

  void add_rim_corners() {
    T area = 0;
    for (int c = 0; c < incident_.count; ++c) {
      const Seen &a = corner_[c], &b = corner_[(c + 1) % incident_.count];
      area += a.x * b.y - a.y * b.x;
    }
    const T slope = dot(incident_.normal, outward_);
    if (!(magnitude(area) > 0) || !(magnitude(slope) > 0)) return;
    const T turn = area > 0 ? T(1) : T(-1);
    const auto add_inside = [&](Seen at, const Vec<T, 3>& position, T feature) {
      for (int c = 0; c < incident_.count; ++c) {
        const Seen &a = corner_[c], &b = corner_[(c + 1) % incident_.count];
        const T side = (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
        if (!(turn * side > 0)) return false;
      }
      at.height = -dot(incident_.normal, position - first_incident_) / slope;
      add(at, feature, incident_.face_feature);
      return true;
    };
    bool has_corner = false;
    for (int r = 0; r < reference_.count; ++r) {
      has_corner |= add_inside(rim_[r], reference_.corner[r], reference_.corner_feature[r]);
    }
    // What of a rim is within the other face may be less than from one of its points to the next:
    // of that the middle.
    for (int c = 0; reference_.radius > 0 && !has_corner && c < incident_.count; ++c) {
      const Seen &a = corner_[c], &b = corner_[(c + 1) % incident_.count];
      const T x = b.x - a.x, y = b.y - a.y, length = root(x * x + y * y);
      if (!(length > 0)) continue;
      const T out = turn * (reference_.radius / length);
      const Seen at{middle_.x - out * y, middle_.y + out * x, 0};
      has_corner =
          add_inside(at, origin_ + (at.x * x_axis_ + at.y * y_axis_), reference_.face_feature);
    }
  }

  const ConvexFace<T>& reference_;
  const ConvexFace<T>& incident_;
  Vec<T, 3> origin_, x_axis_, y_axis_, outward_, first_incident_;
  T rise_;
  T rounding_;
  Seen rim_[most], corner_[most];
  Seen middle_;  ///< of a cap
  Side side_[most];
  Side length_;
  int first_, last_;  ///< the corners at its ends
  int count_;
  FaceCorner<T> found_[3 * most];
};

}  // namespace
}  // namespace widephase
