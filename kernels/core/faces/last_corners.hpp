#pragma once

// With steadiness a contact keeps the corners that it had in the last step. The lasting choice
// (core/faces/four_corners.hpp) usually names the same ones again, but not if two equal faces lie
// on one another. Then jitter decides whether a corner is a vertex of one, a vertex of the other or
// a crossing of edges. So last step's corners are looked up by their names, which the pair's words
// hold (`PointNames`). This is done one pair at a time and only if the new choice lacks one of
// them:
//
// 1. A corner of last step stays if it is still there. If it is outside one of the faces by no more
//    than the steadiness, and as near to a corner that is there, that corner gets its name.
// 2. Corners of the new choice fill these up to four, by the area that they add.
// 3. The result is taken if one of its corners is as deep as the deepest, within the steadiness, if
//    its area is at least 0.9 of the new choice's, and if the centroid of all corners is within it,
//    up to the steadiness. Otherwise the new choice stays.

#include "kernels/core/basis/warm_words.hpp"
#include "kernels/core/faces/four_corners_single.hpp"
#include "kernels/core/support/convex_shape.hpp"

namespace widephase {
namespace {

/// A place on the reference face, as seen along the contact's normal.
template <class T>
struct SeenCorner {
  T x, y;
  T height;  ///< above the reference face, along the normal
};

/// One of the two faces, as seen. Its corners are in order around it.
template <class T>
struct SeenFace {
  const SeenCorner<T>* corner;
  const T* corner_feature;
  const T* edge_feature;  ///< from a corner to the next
  int count;
  T face_feature;
  bool is_round;  ///< corners are sampled points of a rim
};

/// The squared distance of a place from the segment between two others.
template <class T>
T square_from_edge(const SeenCorner<T>& p, const SeenCorner<T>& q, T x, T y) {
  const T along_x = q.x - p.x, along_y = q.y - p.y, from_x = x - p.x, from_y = y - p.y;
  const T length2 = along_x * along_x + along_y * along_y;
  const T share = length2 > 0 ? (along_x * from_x + along_y * from_y) / length2 : T(0);
  const T at = share > 1 ? T(1) : share > 0 ? share : T(0);
  const T off_x = from_x - at * along_x, off_y = from_y - at * along_y;
  return off_x * off_x + off_y * off_y;
}

/// How far a place is outside a convex polygon, 0 within it. `turn` is 1 if its corners are
/// counter-clockwise, else -1. A place that is not a number is not within.
template <class T>
T distance_outside(const SeenCorner<T>* corner, int count, T turn, T x, T y) {
  bool is_outside = false;
  T least2 = kInfinite<T>;
  for (int c = 0; c < count; ++c) {
    const SeenCorner<T>&p = corner[c], &q = corner[c + 1 == count ? 0 : c + 1];
    is_outside |= !(turn * ((q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x)) >= 0);
    const T square = square_from_edge(p, q, x, y);
    least2 = square < least2 ? square : least2;
  }
  return is_outside ? root(least2) : T(0);
}

/// A corner's name in `PointNames`.
template <class T>
std::uint32_t name_of(const FaceCorner<T>& corner, bool incident_is_a) {
  const int reference = static_cast<int>(corner.reference_feature);
  const int incident = static_cast<int>(corner.incident_feature);
  return incident_is_a ? PointNames::name_of(incident, reference)
                       : PointNames::name_of(reference, incident);
}

/// A corner and its angle about a middle, as a number that grows once around.
template <class T>
struct Bearing {
  T turn;
  int corner;

  static Bearing of(int corner, T x, T y) {
    const T size = magnitude(x) + magnitude(y);
    const T share = size > 0 ? x / size : T(0);
    return {y >= 0 ? 1 - share : 3 + share, corner};
  }
  friend bool operator<(const Bearing& a, const Bearing& b) {
    return a.turn < b.turn || (a.turn == b.turn && a.corner < b.corner);
  }
};

/// Sorts in ascending order, by steps of 3^k / 2 (Shell 1959; Knuth 1973), because prisms have
/// hundreds of corners.
template <class T>
void sort_bearings(Bearing<T>* bearings, int count) {
  int gap = 1;
  while (gap < count / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (int n = gap; n < count; ++n) {
      const Bearing<T> moved = bearings[n];
      int at = n;
      for (; at >= gap && moved < bearings[at - gap]; at -= gap) bearings[at] = bearings[at - gap];
      bearings[at] = moved;
    }
  }
}

/// A contact's last points and what is known about its corners now. `Faces` has the two faces as
/// seen, `reference()` and `incident()`, and how far a place is outside each of them,
/// `outside_reference(x, y)` and `outside_incident(x, y)`.
template <class T, class Faces>
class LastCorners {
 public:
  LastCorners(const Faces& faces, const PointNames& last, bool incident_is_a, T steadiness)
      : faces_(faces), last_(last), incident_is_a_(incident_is_a), steadiness_(steadiness) {}

  /// Replaces `kept`, the new choice among `corners`, by the corners of last step that stay.
  /// Corners within `least` of one another are one. One of those that stay has a height of at most
  /// `deep_height`. Answers how many there are. `room` has one place per corner.
  int keep(const FaceCorner<T>* corners, int count, T deep_height, T least, Bearing<T>* room,
           FaceCorner<T> (&kept)[4], int kept_count) const {
    if (kept_count < 3) return kept_count;
    FaceCorner<T> stays[4];
    int stay_count = 0;
    for (int n = 0; n < 4; ++n) {
      FaceCorner<T> found;
      if (!find(corners, count, last_.name[n], found)) continue;
      bool is_new = true;
      for (int s = 0; s < stay_count; ++s) is_new &= !is_one(stays[s], found, least);
      if (is_new) stays[stay_count++] = found;
    }
    if (stay_count == 0) return kept_count;
    fill(kept, kept_count, least, stays, stay_count);
    const T area = area_of(stays, stay_count);
    bool is_deep = false;
    for (int s = 0; s < stay_count; ++s) is_deep |= stays[s].height <= deep_height;
    if (!is_deep || !(area > 0) || !(area >= kLeastShare * area_of(kept, kept_count)) ||
        !holds_centroid(corners, count, room, stays, stay_count)) {
      return kept_count;
    }
    for (int s = 0; s < stay_count; ++s) kept[s] = stays[s];
    return stay_count;
  }

 private:
  static constexpr T kLeastShare = T(0.9);
  /// A corner that adds a smaller share to the area is left out.
  static constexpr T kLeastAdded = T(1e-3);
  /// If edges cross at a smaller sine, the place where they cross is not certain.
  static constexpr T kLeastSine = T(0.05);

  static bool is_one(const FaceCorner<T>& a, const FaceCorner<T>& b, T least) {
    const T x = a.x - b.x, y = a.y - b.y;
    return x * x + y * y <= least * least || has_one_name(a, b);
  }

  /// Finds the corner with that name: the deepest that has it, or else the corner nearest to its
  /// place, within the steadiness.
  bool find(const FaceCorner<T>* corners, int count, std::uint32_t name,
            FaceCorner<T>& found) const {
    if (name == 0) return false;
    int best = -1;
    for (int n = 0; n < count; ++n) {
      if (name_of(corners[n], incident_is_a_) != name) continue;
      if (best < 0 || corners[n].height < corners[best].height) best = n;
    }
    if (best >= 0) {
      found = corners[best];
      return true;
    }
    if (!find_outside(name, found)) return false;
    T least2 = steadiness_ * steadiness_;
    for (int n = 0; n < count; ++n) {
      const T x = corners[n].x - found.x, y = corners[n].y - found.y;
      if (!(x * x + y * y <= least2) || (best >= 0 && x * x + y * y == least2)) continue;
      least2 = x * x + y * y;
      best = n;
    }
    if (best < 0) return false;
    found.x = corners[best].x;
    found.y = corners[best].y;
    found.height = corners[best].height;
    return true;
  }

  /// Finds where a corner with that name is, outside a face by at most the steadiness.
  bool find_outside(std::uint32_t name, FaceCorner<T>& found) const {
    const SeenFace<T>&reference = faces_.reference(), &incident = faces_.incident();
    const auto is_named = [&](T reference_feature, T incident_feature) {
      found.reference_feature = reference_feature;
      found.incident_feature = incident_feature;
      return name_of(found, incident_is_a_) == name;
    };
    const auto is_near = [&](const SeenCorner<T>& at, T distance) {
      found.x = at.x;
      found.y = at.y;
      return distance <= steadiness_;
    };
    for (int c = 0; c < incident.count; ++c) {
      const SeenCorner<T>& at = incident.corner[c];
      if (is_named(reference.face_feature, incident.corner_feature[c]) &&
          is_near(at, faces_.outside_reference(at.x, at.y))) {
        return true;
      }
    }
    for (int r = 0; r < reference.count; ++r) {
      const T x = reference.corner[r].x, y = reference.corner[r].y;
      if (is_named(reference.corner_feature[r], incident.face_feature) &&
          is_near({x, y, 0}, faces_.outside_incident(x, y))) {
        return true;
      }
    }
    if (reference.is_round || incident.is_round) return false;
    for (int e = 0; e < incident.count; ++e) {
      for (int s = 0; s < reference.count; ++s) {
        SeenCorner<T> at;
        if (is_named(reference.edge_feature[s], incident.edge_feature[e]) &&
            find_crossing(reference, s, incident, e, at) && is_near(at, 0)) {
          return true;
        }
      }
    }
    return false;
  }

  /// Finds where two edges cross, or would if they were longer by the steadiness.
  bool find_crossing(const SeenFace<T>& reference, int s, const SeenFace<T>& incident, int e,
                     SeenCorner<T>& at) const {
    const auto next = [](const SeenFace<T>& face, int c) {
      return face.corner[c + 1 == face.count ? 0 : c + 1];
    };
    const SeenCorner<T> a = reference.corner[s], b = next(reference, s);
    const SeenCorner<T> p = incident.corner[e], q = next(incident, e);
    const Vec<T, 2> side{{b.x - a.x, b.y - a.y}}, edge{{q.x - p.x, q.y - p.y}};
    const T sine = cross(side, edge), side2 = dot(side, side), edge2 = dot(edge, edge);
    if (!(magnitude(sine) > kLeastSine * (root(side2) * root(edge2)))) return false;
    const T share = cross(side, Vec<T, 2>{{a.x - p.x, a.y - p.y}}) / sine;
    at = {p.x + share * edge[0], p.y + share * edge[1], 0};
    return root(square_from_edge(p, q, at.x, at.y)) <= steadiness_ &&
           root(square_from_edge(a, b, at.x, at.y)) <= steadiness_;
  }

  /// Adds the corners of the new choice that add most area, up to four.
  static void fill(const FaceCorner<T> (&kept)[4], int kept_count, T least,
                   FaceCorner<T> (&stays)[4], int& stay_count) {
    while (stay_count < 4) {
      const T area = area_of(stays, stay_count);
      T most = stay_count == 3 ? (1 + kLeastAdded) * area : T(0);
      int best = -1;
      for (int k = 0; k < kept_count; ++k) {
        bool is_there = false;
        for (int s = 0; s < stay_count; ++s) is_there |= is_one(stays[s], kept[k], least);
        if (is_there) continue;
        stays[stay_count] = kept[k];
        const T x = kept[k].x - stays[0].x, y = kept[k].y - stays[0].y;
        const T value = stay_count == 1 ? x * x + y * y : area_of(stays, stay_count + 1);
        if (!(value > most)) continue;
        most = value;
        best = k;
      }
      if (best < 0) return;
      stays[stay_count++] = kept[best];
    }
  }

  /// Whether the centroid of all corners is within those that stay, up to the steadiness.
  bool holds_centroid(const FaceCorner<T>* corners, int count, Bearing<T>* room,
                      const FaceCorner<T>* stays, int stay_count) const {
    T x = 0, y = 0;
    for (int s = 0; s < stay_count; ++s) {
      x += stays[s].x;
      y += stays[s].y;
    }
    x = x / static_cast<T>(stay_count);
    y = y / static_cast<T>(stay_count);
    // Moments are cubes of lengths: as shares of the size, none of them overflows.
    T size = 0;
    for (int s = 0; s < stay_count; ++s) {
      const T reach = magnitude(stays[s].x - x) + magnitude(stays[s].y - y);
      size = reach > size ? reach : size;
    }
    if (!(size > 0)) return false;
    const auto share = [&](const FaceCorner<T>& corner) {
      return Vec<T, 2>{{(corner.x - x) / size, (corner.y - y) / size}};
    };
    const auto sort_round = [&](const FaceCorner<T>* all, int number, Bearing<T>* order) {
      for (int n = 0; n < number; ++n) {
        const Vec<T, 2> at = share(all[n]);
        order[n] = Bearing<T>::of(n, at[0], at[1]);
      }
      sort_bearings(order, number);
    };
    // All are corners of a convex polygon, so their order about a place within is the order around
    // it.
    sort_round(corners, count, room);
    T area = 0;
    Vec<T, 2> moment{{0, 0}};
    for (int n = 0; n < count; ++n) {
      const Vec<T, 2> p = share(corners[room[n].corner]);
      const Vec<T, 2> q = share(corners[room[n + 1 == count ? 0 : n + 1].corner]);
      const T part = cross(p, q);
      area += part;
      moment = moment + part * (p + q);
    }
    if (!(area > 0)) return false;
    Bearing<T> order[4];
    sort_round(stays, stay_count, order);
    SeenCorner<T> round[4];
    for (int s = 0; s < stay_count; ++s) {
      const Vec<T, 2> at = share(stays[order[s].corner]);
      round[s] = {at[0], at[1], 0};
    }
    const T at_x = moment[0] / (3 * area), at_y = moment[1] / (3 * area);
    return distance_outside<T>(round, stay_count, T(1), at_x, at_y) * size <= steadiness_;
  }

  const Faces& faces_;
  PointNames last_;
  bool incident_is_a_;
  T steadiness_;
};

}  // namespace
}  // namespace widephase
