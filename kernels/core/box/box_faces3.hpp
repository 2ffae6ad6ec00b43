#pragma once

// The manifold of two boxes in 3D. The reference face is the one most along the normal. The
// incident face is the other box's most opposed one; it is clipped to the reference face, seen
// along the normal. This holds whichever axis is the exit.
//
// Seen so, the incident face is a parallelogram in the reference face's plane, and clipping needs
// no chain of cuts. Each of its edges keeps one stretch (Liang and Barsky 1984). The corners of the
// reference rectangle inside it complete the overlap, for 12 candidates in all.
// core/faces/four_corners.hpp chooses which of them to keep.

#include "kernels/core/basis/warm_start.hpp"
#include "kernels/core/box/box_axes3.hpp"
#include "kernels/core/faces/four_corners_lanes.hpp"
#include "kernels/core/faces/last_corners.hpp"

namespace widephase {
namespace {

/// The features of a face's corners and edges. The face's plane is perpendicular to `axis`, on the
/// side `side` (1 is the upper). u and v are the next axes; their sides are 0 or 1.
template <class F>
class BoxFaceFeatures {
 public:
  WIDEPHASE_INLINE BoxFaceFeatures(const F& axis, const F& side)
      : face_(face_feature(axis + axis + side)) {
    const F u = next_axis(axis), v = next_axis(u);
    weight_u_ = weight(u);
    weight_v_ = weight(v);
    bits_ = weight(axis) * side;
    // The lower one of the two axes across an edge has the lower bit.
    const F by_u = select(axis == F(0), F(1), F(2)), by_v = select(axis == F(2), F(2), F(1));
    along_u_[0] = edge_feature(F(4) * u + by_u * side);
    along_u_[1] = along_u_[0] + (F(3) - by_u);
    along_v_[0] = edge_feature(F(4) * v + by_v * side);
    along_v_[1] = along_v_[0] + (F(3) - by_v);
  }
  WIDEPHASE_INLINE const F& face() const { return face_; }
  WIDEPHASE_INLINE F vertex(bool side_u, bool side_v) const {
    return vertex_feature(bits_ + ((side_u ? weight_u_ : F(0)) + (side_v ? weight_v_ : F(0))));
  }
  /// The edge along u, on the given side of v.
  WIDEPHASE_INLINE const F& edge_along_u(bool side_v) const { return along_u_[side_v ? 1 : 0]; }
  WIDEPHASE_INLINE const F& edge_along_v(bool side_u) const { return along_v_[side_u ? 1 : 0]; }

 private:
  static WIDEPHASE_INLINE F weight(const F& axis) {
    return select(axis == F(0), F(1), axis + axis);
  }
  F face_;
  F bits_, weight_u_, weight_v_;  ///< the sides' bits in a vertex number
  F along_u_[2], along_v_[2];
};

/// Two faces in the reference face's frame: x and y along the face, z out of it.
template <class F>
struct FacePair3 {
  F half_x, half_y;  ///< of the reference face
  Vec<F, 3> center;  ///< of the incident face; z is its height over the reference face
  Vec<F, 3> u, v;    ///< half of its edges
  BoxFaceFeatures<F> reference;
  BoxFaceFeatures<F> incident;
};

/// Two on each edge of the incident face, and the reference face's corners. The overlap has at most
/// eight corners, so there is room for one that the search has found.
inline constexpr int kFaceCandidates = 12;

/// Computes the candidates for the overlap's corners, and marks those that exist.
template <class F>
WIDEPHASE_INLINE void overlap_corners(const FacePair3<F>& faces,
                                      FacePoint<F> (&corners)[kFaceCandidates]) {
  const F zero = F(0), one = F(1), two = F(2);
  const Vec<F, 3>&c = faces.center, &u = faces.u, &v = faces.v;
  // Edges that are flush except for rounding count as inside.
  const F size = (abs(c[0]) + abs(c[1])) + (abs(u[0]) + abs(u[1])) + (abs(v[0]) + abs(v[1])) +
                 (faces.half_x + faces.half_y);
  const F slack = roundings<F>(16) * size;
  // Ignore a component so small that dividing by it might overflow.
  const F least = roundings<F>(1) * slack;
  const auto without_dust = [&](const Vec<F, 3>& w) {
    return Vec<F, 3>{
        {select(abs(w[0]) <= least, zero, w[0]), select(abs(w[1]) <= least, zero, w[1]), w[2]}};
  };
  const Vec<F, 3> along[2] = {without_dust(two * u), without_dust(two * v)};
  F inverse_x[2], inverse_y[2], slack_x[2], slack_y[2], shift_x[2], shift_y[2];
  for (int d = 0; d < 2; ++d) {
    inverse_x[d] = divide_or_zero(one, along[d][0]);
    inverse_y[d] = divide_or_zero(one, along[d][1]);
    slack_x[d] = slack * abs(inverse_x[d]);
    slack_y[d] = slack * abs(inverse_y[d]);
    // Where an edge meets a side is known to within the slack. For an edge nearly parallel to the
    // side, that is far along the edge.
    const F small = F(static_cast<RealOf<F>>(0.01));
    shift_x[d] = select(slack_x[d] > small, slack_x[d], zero);
    shift_y[d] = select(slack_y[d] > small, slack_y[d], zero);
  }
  // Counter-clockwise in (u, v): from (-, -) along u, along v, back along u, back along v.
  for (int e = 0; e < 4; ++e) {
    const int d = e % 2;
    const bool is_back = e >= 2;
    const bool start_u = e == 1 || e == 2, start_v = e >= 2;
    const F sign_u = F(start_u ? 1 : -1), sign_v = F(start_v ? 1 : -1);
    const Vec<F, 3> start = c + (sign_u * u + sign_v * v);
    const Vec<F, 3> edge = is_back ? -along[d] : along[d];
    const F by_x = is_back ? negate(inverse_x[d]) : inverse_x[d];
    const F by_y = is_back ? negate(inverse_y[d]) : inverse_y[d];
    const F low_x = (negate(faces.half_x) - start[0]) * by_x;
    const F high_x = (faces.half_x - start[0]) * by_x;
    const F low_y = (negate(faces.half_y) - start[1]) * by_y;
    const F high_y = (faces.half_y - start[1]) * by_y;
    const auto is_level_x = edge[0] == zero, is_level_y = edge[1] == zero;
    const F enter_x = lesser(low_x, high_x), enter_y = lesser(low_y, high_y);
    const F leave_x = select(is_level_x, one, greater(low_x, high_x));
    const F leave_y = select(is_level_y, one, greater(low_y, high_y));
    // The sides moved outward decide whether an edge is cut; the sides themselves decide where.
    const F enter = greater(greater(enter_x - slack_x[d], enter_y - slack_y[d]), zero);
    const F leave = lesser(lesser(leave_x + slack_x[d], leave_y + slack_y[d]), one);
    F first_cut = clamp(greater(enter_x - shift_x[d], enter_y - shift_y[d]), zero, one);
    F last_cut = clamp(lesser(leave_x + shift_x[d], leave_y + shift_y[d]), zero, one);
    // If an edge misses the face by rounding only, use the cut that is known better.
    const auto is_missed = (last_cut < first_cut) & (enter <= leave);
    if (any<F>(is_missed)) {
      const F enter_slack = select(enter_x >= enter_y, slack_x[d], slack_y[d]);
      const F leave_slack = select(leave_x <= leave_y, slack_x[d], slack_y[d]);
      const F better_cut = select(enter_slack <= leave_slack, first_cut, last_cut);
      first_cut = select(is_missed, better_cut, first_cut);
      last_cut = select(is_missed, better_cut, last_cut);
    }
    const auto is_over = (enter <= leave) &
                         ((!is_level_x) | (abs(start[0]) <= faces.half_x + slack)) &
                         ((!is_level_y) | (abs(start[1]) <= faces.half_y + slack));
    const F incident_edge =
        d == 0 ? faces.incident.edge_along_u(start_v) : faces.incident.edge_along_v(start_u);
    // A cut is named by the side that the edge moves toward, or away from.
    const auto is_up_x = edge[0] > zero, is_up_y = edge[1] > zero;
    const auto side_of = [&](const MaskOf<F>& by_x, const MaskOf<F>& is_upper_x,
                             const MaskOf<F>& is_upper_y) __attribute__((always_inline)) {
      const BoxFaceFeatures<F>& of = faces.reference;
      return select(by_x, select(is_upper_x, of.edge_along_v(true), of.edge_along_v(false)),
                    select(is_upper_y, of.edge_along_u(true), of.edge_along_u(false)));
    };
    const auto corner_at = [&](const F& at, const F& reference_feature, const F& incident_feature,
                               const F& exists) __attribute__((always_inline)) {
      const Vec<F, 3> point = start + at * edge;
      return FacePoint<F>{point[0],          point[1],         point[2],
                          reference_feature, incident_feature, exists};
    };
    const auto is_start = enter == zero;
    corners[2 * e] = corner_at(
        select(is_start, zero, first_cut),
        select(is_start, faces.reference.face(), side_of(enter_x >= enter_y, !is_up_x, !is_up_y)),
        select(is_start, faces.incident.vertex(start_u, start_v), incident_edge),
        one_where<F>(is_over));
    // An end that is not cut is the start of the next edge.
    corners[2 * e + 1] =
        corner_at(last_cut, side_of(leave_x <= leave_y, is_up_x, is_up_y), incident_edge,
                  one_where<F>(is_over & (leave < one) & (enter < leave)));
  }
  // Corners of the reference face inside the incident one.
  const F area = u[0] * v[1] - u[1] * v[0];
  const F inverse_area = divide_or_zero(one, area);
  for (int n = 0; n < 4; ++n) {
    const bool side_x = (n & 1) != 0, side_y = n >> 1 != 0;
    const F x = side_x ? faces.half_x : negate(faces.half_x);
    const F y = side_y ? faces.half_y : negate(faces.half_y);
    const F at_x = x - c[0], at_y = y - c[1];
    const F at_u = (at_x * v[1] - at_y * v[0]) * inverse_area;
    const F at_v = (u[0] * at_y - u[1] * at_x) * inverse_area;
    const auto is_inside = (!(area == zero)) & (abs(at_u) < one) & (abs(at_v) < one);
    corners[8 + n] = {x,
                      y,
                      c[2] + (at_u * u[2] + at_v * v[2]),
                      faces.reference.vertex(side_x, side_y),
                      faces.incident.face(),
                      one_where<F>(is_inside)};
  }
}

/// One lane of two faces, in the form that `LastCorners` needs.
template <class T>
class BoxFacesSeen {
 public:
  template <class F>
  BoxFacesSeen(const FacePair3<F>& faces, int lane) {
    const auto in_lane = [&](const F& value) { return Lanes<F>(value)[lane]; };
    const T half_x = in_lane(faces.half_x), half_y = in_lane(faces.half_y);
    T c[3], u[3], v[3];
    for (int k = 0; k < 3; ++k) {
      c[k] = in_lane(faces.center[k]);
      u[k] = in_lane(faces.u[k]);
      v[k] = in_lane(faces.v[k]);
    }
    for (int n = 0; n < 4; ++n) {
      const bool side_u = n == 1 || n == 2, side_v = n >= 2;
      const T by_u = side_u ? T(1) : T(-1), by_v = side_v ? T(1) : T(-1);
      corner_[0][n] = {by_u * half_x, by_v * half_y, 0};
      corner_[1][n] = {c[0] + (by_u * u[0] + by_v * v[0]), c[1] + (by_u * u[1] + by_v * v[1]),
                       c[2] + (by_u * u[2] + by_v * v[2])};
      for (int f = 0; f < 2; ++f) {
        const BoxFaceFeatures<F>& of = f == 0 ? faces.reference : faces.incident;
        corner_feature_[f][n] = in_lane(of.vertex(side_u, side_v));
        edge_feature_[f][n] =
            in_lane(n % 2 == 0 ? of.edge_along_u(side_v) : of.edge_along_v(side_u));
        face_feature_[f] = in_lane(of.face());
      }
    }
    area_ = u[0] * v[1] - u[1] * v[0];
  }

  SeenFace<T> reference() const { return face(0); }
  SeenFace<T> incident() const { return face(1); }
  T outside_reference(T x, T y) const { return distance_outside(corner_[0], 4, T(1), x, y); }
  T outside_incident(T x, T y) const {
    return distance_outside(corner_[1], 4, area_ < 0 ? T(-1) : T(1), x, y);
  }

 private:
  SeenFace<T> face(int f) const {
    return {corner_[f], corner_feature_[f], edge_feature_[f], 4, face_feature_[f], false};
  }
  SeenCorner<T> corner_[2][4];
  T corner_feature_[2][4], edge_feature_[2][4], face_feature_[2];
  T area_;  ///< a quarter of the incident face's area, as seen along the normal
};

/// The lanes of a corner in memory, to read and write them one by one.
template <class F>
struct CornerLanes {
  Lanes<F> x, y, height, reference_feature, incident_feature, exists;

  CornerLanes() = default;
  WIDEPHASE_INLINE explicit CornerLanes(const FacePoint<F>& of)
      : x(of.x),
        y(of.y),
        height(of.height),
        reference_feature(of.reference_feature),
        incident_feature(of.incident_feature),
        exists(of.exists) {}
  WIDEPHASE_INLINE FacePoint<F> corner() const {
    return {load(x.number),
            load(y.number),
            load(height.number),
            load(reference_feature.number),
            load(incident_feature.number),
            load(exists.number)};
  }
  FaceCorner<RealOf<F>> in_lane(int i) const {
    return {x[i], y[i], height[i], reference_feature[i], incident_feature[i]};
  }
  void set(int i, const FaceCorner<RealOf<F>>& to) {
    x.number[i] = to.x;
    y.number[i] = to.y;
    height.number[i] = to.height;
    reference_feature.number[i] = to.reference_feature;
    incident_feature.number[i] = to.incident_feature;
  }
};

/// Replaces the new choice `kept` by last step's corners where they persist
/// (core/faces/last_corners.hpp).
template <class F>
__attribute__((noinline)) void keep_last_corners(const FacePair3<F>& faces,
                                                 const FacePoint<F> (&corners)[kFaceCandidates],
                                                 const MaskOf<F>& by_a,
                                                 const WarmStartLanes<F>& warm,
                                                 const F& deep_height, const F& least,
                                                 FacePoint<F> (&kept)[4]) {
  using T = RealOf<F>;
  constexpr int kLanes = LaneTraits<F>::count;
  CornerLanes<F> chosen[4];
  for (int p = 0; p < 4; ++p) chosen[p] = CornerLanes<F>(kept[p]);
  const unsigned of_a = mask_bits(by_a);
  unsigned lost = 0;
  for (int i = 0; i < kLanes; ++i) {
    PointNames names{};
    for (int p = 0; p < 4; ++p) {
      if (chosen[p].exists[i] > 0)
        names.name[p] = name_of(chosen[p].in_lane(i), (of_a >> i & 1) == 0);
    }
    lost |= static_cast<unsigned>(!names.has_all_of(warm.last_points(i))) << i;
  }
  if (lost == 0) return;
  CornerLanes<F> all[kFaceCandidates];
  for (int n = 0; n < kFaceCandidates; ++n) all[n] = CornerLanes<F>(corners[n]);
  const Lanes<F> deep_heights(deep_height), leasts(least);
  for (; lost != 0; lost &= lost - 1) {
    const int i = __builtin_ctz(lost);
    FaceCorner<T> there[kFaceCandidates], four[4];
    Bearing<T> room[kFaceCandidates];
    int count = 0, kept_count = 0;
    for (const CornerLanes<F>& corner : all) {
      if (corner.exists[i] > 0) there[count++] = corner.in_lane(i);
    }
    for (const CornerLanes<F>& corner : chosen) {
      if (corner.exists[i] > 0) four[kept_count++] = corner.in_lane(i);
    }
    const BoxFacesSeen<T> seen(faces, i);
    const LastCorners<T, BoxFacesSeen<T>> stays(seen, warm.last_points(i), (of_a >> i & 1) == 0,
                                                warm.steadiness);
    kept_count = stays.keep(there, count, deep_heights[i], leasts[i], room, four, kept_count);
    for (int p = 0; p < 4; ++p) {
      chosen[p].exists.number[i] = p < kept_count ? T(1) : T(0);
      if (p < kept_count) chosen[p].set(i, four[p]);
    }
  }
  for (int p = 0; p < 4; ++p) kept[p] = chosen[p].corner();
}

/// The face that an axis belongs to. For an edge axis, it is the face of either box whose own
/// normal is nearest to the contact normal; that face has the edge.
template <class F>
WIDEPHASE_INLINE F facing_face(const BoxPair3<F>& pair, const BoxAxis3<F>& axis) {
  const Vec<F, 3> in_b = rotate_back(pair.turn, axis.normal);
  F most = F(-1), face = F(0);
  for (int k = 0; k < 6; ++k) {
    const F slope = abs(k < 3 ? axis.normal[k] : in_b[k - 3]);
    const auto is_more = slope > most;
    most = select(is_more, slope, most);
    face = select(is_more, F(k), face);
  }
  return select(axis.number < F(6), axis.number, face);
}

/// Gives a point the names of the deepest point that the search found, if only that point is at the
/// same place. A vertex near an edge or a vertex may lie over faces that it does not meet.
template <class F>
__attribute__((noinline)) void name_as_found(const FacePoint<F>& found, const MaskOf<F>& asked,
                                             const F& near, FacePoint<F> (&kept)[4]) {
  F count = F(0);
  const auto is_there = [&](const FacePoint<F>& point) {
    return asked & (point.exists > F(0)) & (abs(point.x - found.x) <= near) &
           (abs(point.y - found.y) <= near);
  };
  for (const FacePoint<F>& point : kept) {
    const auto is_named = (point.exists > F(0)) &
                          (point.reference_feature == found.reference_feature) &
                          (point.incident_feature == found.incident_feature);
    count = count + select(is_named, F(2), one_where<F>(is_there(point)));
  }
  for (FacePoint<F>& point : kept) {
    const auto is_found = is_there(point) & (count == F(1));
    point.reference_feature = select(is_found, found.reference_feature, point.reference_feature);
    point.incident_feature = select(is_found, found.incident_feature, point.incident_feature);
  }
}

/// Contact points of the cores, on A's core. They are corners of the overlap of the face
/// `axis.number` and the other box's most opposed face, seen along the normal. Each has its own
/// depth along the normal. If none is as deep as the pair, except for rounding, `found` is added:
/// the point that the search has found. Returns where the deepest point lies over the face, within
/// rounding and steadiness.
template <class F>
WIDEPHASE_INLINE MaskOf<F> face_points(const BoxPair3<F>& pair, const BoxAxis3<F>& axis,
                                       const F& limit, const F& rounding,
                                       const WarmStartLanes<F>& warm,
                                       const ManifoldPoint<F, 3>* found,
                                       Manifold<F, 3, 4>& manifold) {
  const F zero = F(0), one = F(1), steadiness = F(warm.steadiness);
  const auto by_a = whole(axis.number < F(3));
  const F number = select(by_a, axis.number, lesser(axis.number - F(3), F(2)));
  // The incident box's axes in the reference box's frame, and its centre.
  const Rotation3<F> turn = select(by_a, pair.turn, inverse(pair.turn));
  const Vec<F, 3> center = select(by_a, pair.center, -pair.center_in_b);
  const Vec<F, 3> half = select(by_a, pair.half_a, pair.half_b);
  const Vec<F, 3> incident_half = select(by_a, pair.half_b, pair.half_a);
  // Whether the reference face is on the upper side of its axis (1) or the lower (-1).
  const F up = select(by_a, sign_of(at_index(axis.normal, number)),
                      negate(sign_of(dot(axis.normal, column_at(pair.turn, number)))));
  // In the face's frame: x and y along the next axes, z out of it.
  const auto seen = [&](const Vec<F, 3>& v) __attribute__((always_inline)) {
    const auto is_0 = number == zero, is_1 = number == one;
    return Vec<F, 3>{{select(is_0, v[1], select(is_1, v[2], v[0])),
                      select(is_0, v[2], select(is_1, v[0], v[1])),
                      up * select(is_0, v[0], select(is_1, v[1], v[2]))}};
  };
  const Vec<F, 3> columns[3] = {seen(turn.column[0]), seen(turn.column[1]), seen(turn.column[2])};
  // The normal in that frame, out of the face; it may lean away from the face's own normal.
  const Vec<F, 3> out = seen(select(by_a, axis.normal, -rotate_back(pair.turn, axis.normal)));
  const Vec<F, 3> slopes{{dot(out, columns[0]), dot(out, columns[1]), dot(out, columns[2])}};
  F most = abs(slopes[0]), incident_axis = zero;
  for (int m = 1; m < 3; ++m) {
    const auto is_more = abs(slopes[m]) > most;
    most = select(is_more, abs(slopes[m]), most);
    incident_axis = select(is_more, F(m), incident_axis);
  }
  const Rotation3<F> incident{{columns[0], columns[1], columns[2]}};
  const F slope = at_index(slopes, incident_axis);
  const F toward = negate(sign_of(slope));
  const F u_axis = next_axis(incident_axis), v_axis = next_axis(u_axis);
  const Vec<F, 3> seen_half{{at_index(half, next_axis(number)),
                             at_index(half, next_axis(next_axis(number))), at_index(half, number)}};
  // Projects along the normal onto the face's plane; heights are measured along the normal.
  const F by_rise = divide(one, out[2]);
  const auto flattened = [&](const Vec<F, 3>& v) __attribute__((always_inline)) {
    const F height = v[2] * by_rise;
    return Vec<F, 3>{{v[0] - height * out[0], v[1] - height * out[1], height}};
  };
  Vec<F, 3> middle = seen(center) + (toward * at_index(incident_half, incident_axis)) *
                                        column_at(incident, incident_axis);
  middle[2] = middle[2] - seen_half[2];
  const F half_u = at_index(incident_half, u_axis), half_v = at_index(incident_half, v_axis);
  const Vec<F, 3> u = flattened(column_at(incident, u_axis));
  const Vec<F, 3> v = flattened(column_at(incident, v_axis));
  const FacePair3<F> faces{seen_half[0],
                           seen_half[1],
                           flattened(middle),
                           half_u * u,
                           half_v * v,
                           BoxFaceFeatures<F>(number, one_where<F>(up > zero)),
                           BoxFaceFeatures<F>(incident_axis, one_where<F>(toward > zero))};
  FacePoint<F> corners[kFaceCandidates];
  overlap_corners(faces, corners);

  // Back to A's frame.
  const auto axis_of = [&](const F& n) __attribute__((always_inline)) {
    return select(by_a, axis_at(n), column_at(pair.turn, n));
  };
  const Vec<F, 3> x = axis_of(next_axis(number)), y = axis_of(next_axis(next_axis(number)));
  const Vec<F, 3> origin =
      select(by_a, zero_vec<F, 3>(), pair.center) + (up * seen_half[2]) * axis_of(number);
  const Vec<F, 3> outward = select(by_a, axis.normal, -axis.normal);

  const F as_deep = rounding - manifold.depth;
  const F none = F(kLargest<RealOf<F>>);
  F heights[kFaceCandidates], lowest = none;
  for (int n = 0; n < kFaceCandidates; ++n) {
    heights[n] = select(corners[n].exists > zero, corners[n].height, none);
    lowest = lesser(lowest, heights[n]);
  }
  FacePoint<F> deepest = corners[kFaceCandidates - 1];  // the first of them, if none exists
  for (int n = kFaceCandidates - 2; n >= 0; --n) {
    deepest = select(heights[n] == lowest, corners[n], deepest);
  }
  auto is_apart = zero < zero;
  FacePoint<F> last = corners[0];
  if (found != nullptr) {
    const auto is_lost =
        (found->exists > zero) & !((deepest.exists > zero) & (deepest.height <= as_deep));
    is_apart = (found->exists > zero) & (manifold.depth < zero);
    if (any<F>(is_lost | is_apart)) {
      const Vec<F, 3> from =
          select(by_a, found->position, found->position - manifold.depth * axis.normal) - origin;
      last = {dot(from, x),
              dot(from, y),
              negate(manifold.depth),
              select(by_a, found->feature.a, found->feature.b),
              select(by_a, found->feature.b, found->feature.a),
              one_where<F>(is_lost)};
      deepest = select(is_lost, last, deepest);
      // It comes after the corners, of which some move to make room.
      FacePoint<F> moved = last;
      auto is_moved = is_lost;
      for (int n = kFaceCandidates - 1; n >= 0; --n) {
        FacePoint<F> corner = corners[n];
        // It may be one of the corners, moved by rounding.
        const auto is_same = is_lost & (corner.reference_feature == last.reference_feature) &
                             (corner.incident_feature == last.incident_feature);
        corner.exists = select(is_same, zero, corner.exists);
        corners[n] = select(is_moved, moved, corner);
        is_moved = is_moved & (corner.exists > zero);
        moved = corner;
      }
    }
  }
  const auto is_met = (deepest.exists > zero) &
                      (deepest.height <= as_deep + select(manifold.depth < zero, zero, steadiness));

  // Axes on A's face, whichever face is the reference.
  const LastingAxes<F> axes =
      LastingAxes<F>::turned({{select(by_a, one, u[0]), select(by_a, zero, u[1])}},
                             {{select(by_a, zero, v[0]), select(by_a, one, v[1])}});
  // Points within rounding of the limit are kept.
  const F most_height = rounding - limit;
  for (FacePoint<F>& corner : corners) {
    corner.exists = select(corner.height <= most_height, corner.exists, zero);
  }
  const F least =
      F(kOneCornerShare<RealOf<F>>) * lesser(faces.half_x + faces.half_y, half_u + half_v);
  FacePoint<F> kept[4];
  const F level = greater(steadiness - (deepest.height + manifold.depth), rounding);
  choose_corners<kFaceCandidates, false>(corners, kFaceCandidates, deepest, axes, least, level,
                                         kept);
  if (warm.is_given) {
    keep_last_corners(faces, corners, by_a, warm, deepest.height + level, least, kept);
  }
  // If faces overlap, small movements decide which corner is the nearest.
  const auto is_renamed = is_apart & !((steadiness > zero) & (kept[2].exists > zero));
  if (any<F>(is_renamed)) name_as_found(last, is_renamed, rounding, kept);
  // Only a box without extent can have corners with one name at two places.
  if (any<F>(faces.half_x * faces.half_y * (half_u * half_v) == zero)) keep_one_of_each_name(kept);
  F depths[4];
  find_depths(kept, manifold.depth, rounding, steadiness, limit, depths);
  for (int p = 0; p < 4; ++p) {
    const FacePoint<F>& corner = kept[p];
    const Vec<F, 3> on_reference = origin + (corner.x * x + corner.y * y);
    manifold.points[p] = {select(by_a, on_reference, on_reference + corner.height * outward),
                          depths[p],
                          {select(by_a, corner.reference_feature, corner.incident_feature),
                           select(by_a, corner.incident_feature, corner.reference_feature)},
                          corner.exists};
  }
  return is_met;
}

}  // namespace
}  // namespace widephase
