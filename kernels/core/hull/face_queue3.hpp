#pragma once

// The points of hulls that overlap along a known axis, over the faces that meet along it, with
// pairs in lanes. The faces are the exit's own, or those beside its edges that face the axis most.
// They are clipped to one another in the frame of the hull whose face is the reference. Pairs that
// are not plain are left to core/faces/convex_manifold.hpp.

#include "kernels/core/faces/convex_manifold.hpp"
#include "kernels/core/faces/face_clipper_lanes.hpp"
#include "kernels/core/hull/hull_axes3.hpp"

namespace widephase {
namespace {

/// Where hulls lie, to be read one lane at a time.
template <class F>
struct HullFrames {
  Lanes<F> turn[2][3][3];  ///< of the frames of A's and B's hull
  Lanes<F> apart[3];       ///< of the middles
  Lanes<F> limit;          ///< the least depth of points

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
  WIDEPHASE_INLINE Rotation3<RealOf<F>> turn_of(int side, int i) const {
    return {{vec_of(turn[side][0], i), vec_of(turn[side][1], i), vec_of(turn[side][2], i)}};
  }
};

/// The one of an edge's two faces that faces a direction more; the first of two equal ones.
template <class T>
WIDEPHASE_INLINE int facing_face_of_edge(const HullView<T>& hull, int edge,
                                         const Vec<T, 3>& direction, T& slope) {
  const std::int16_t* const faces = hull.edge_faces() + 2 * edge;
  const T first = dot(hull.face_normal(faces[0]), direction);
  const T second = dot(hull.face_normal(faces[1]), direction);
  slope = second > first ? second : first;
  return second > first ? faces[1] : faces[0];
}

/// The one of an edge's two faces that both ends of a segment are over, as seen along `outward`,
/// and how far it faces that way. Answers -1 if each end is over another face.
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

/// The face of the other hull that meets the face of an exit.
struct MeetingFace {
  int face;
  bool is_one_of_many;  ///< several faces are level, and one must be chosen
};
template <class T>
WIDEPHASE_INLINE MeetingFace meeting_face(const HullView<T>& other, const Vec<T, 3>& local,
                                          T slack) {
  const LevelVertices<T> level(other, local, slack);
  const FacingFace best = facing_face_of_few(other, level, local);
  return {best.face, best.level >= 3 && level.count > best.level};
}

/// The meeting faces of the pairs of `found`, whose exits are across a face. They are found before
/// anything else of these pairs, so that none waits for the one before.
template <class F>
__attribute__((noinline)) void find_meeting_faces(const HullSearch<F>& search, unsigned found,
                                                  MeetingFace* meeting) {
  using T = RealOf<F>;
  const HullAxes<F>& axis = search.axis;
  for (; found != 0; found &= found - 1) {
    const int i = __builtin_ctz(found), which = axis.side[i] > 0 ? 1 : 0;
    const BoundedHulls<F>& side = search.side[which];
    const HullView<T>& other = search.side[1 - which].hull[i];
    if (other.face_count == 0) continue;
    const Vec<T, 3> outward = side.hull[i].face_normal(static_cast<int>(axis.face[i]));
    meeting[i] = meeting_face(other, -rotate_back(side.other.turn_of(i), outward),
                              flush_slack(search.size[i]));
  }
}

/// Plain pairs of several batches whose exit is known, on the way to their points. A batch has only
/// a few of them, so they wait until all lanes have one.
template <class F>
class FaceQueue {
 public:
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  T steadiness = 0;  ///< how much less deep a point that stands for the deepest may be

  /// Adds the pair in a lane of a search. `meeting` is known if the exit is across a face. The
  /// points go to that lane of `table`; `last` are those of the last step. Answers false if the
  /// pair is not plain.
  WIDEPHASE_INLINE bool add(const HullSearch<F>& search, const HullFrames<F>& frames, int lane,
                            const MeetingFace& meeting, const PointNames& last,
                            PointTable<F>& table) {
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
    if (!FaceRingLanes<F>::has_room(hull, face)) return false;
    if (other.face_count == 0) {
      const Vec<T, 3> half = other.vertex(1);
      if (!(dot(half, half) > 0)) return false;
      incident_.set_segment(count_, other);
    } else {
      if (!is_edge) {
        if (meeting.is_one_of_many) return false;
        other_face = meeting.face;
      }
      if (!FaceRingLanes<F>::has_room(other, other_face)) return false;
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

  /// Puts the points of all pairs. Those that turn out not to be plain stay open.
  __attribute__((noinline)) void put_points(LaneCounter<F>& counter) {
    if (count_ == 0) return;
    counter.add_queue(count_);
    reference_.fill();
    incident_.fill();
    const F zero = F(0), size = load(size_.number), depth = load(depth_.number);
    const F rounding = roundings<F>(32) * size, steady = F(steadiness);
    const Vec<F, 3> outward = load_vec(outward_);
    FaceClipperLanes<F> clippers(reference_, incident_, to_reference_.turns(),
                                 to_reference_.origins(), outward, rounding);
    clippers.clip();
    const auto by_b = load(by_b_.number) > zero;
    // By the face with fewer corners; if both have as many, by A's.
    const F own = load(reference_.count), others = load(incident_.count);
    const auto is_of_incident = (others < own) | (by_b & (others == own));
    FacePoint<F> kept[4];
    const F least_height = clippers.choose(rounding - load(limit_.number), is_of_incident,
                                           steady - depth, rounding, kept);
    // A single point beside the face may belong to another face, and a point that is less deep than
    // the pair may not be the only one. Slower steps find out.
    const F lag = (rounding + flush_slack_lanes(size)) + select(depth < zero, zero, steady);
    const unsigned is_as_deep = mask_bits(least_height + depth <= lag);
    const auto has_second = kept[1].exists > zero;
    unsigned plain = is_as_deep & mask_bits(has_second);
    const unsigned single = is_as_deep & ~mask_bits(has_second);
    if (single != 0) {
      const Vec<F, 3> at = clippers.position_of(kept[0]);
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
      const Vec<F, 3> at =
          to_scene_.origins() +
          rotate(to_scene_.turns(), clippers.position_of(corner) + height * outward);
      for (int k = 0; k < 3; ++k) store(found.position[p][k], at[k]);
      store(found.depth[p], depths[p]);
      store(found.feature_a[p], select(by_b, corner.incident_feature, corner.reference_feature));
      store(found.feature_b[p], select(by_b, corner.reference_feature, corner.incident_feature));
      store(found.exists[p], corner.exists);
    }
    for (int n = 0; n < count_; ++n) {
      PointTable<F>& table = *entry_[n].table;
      // If there was a choice, core/faces/last_corners.hpp decides one pair at a time which of last
      // step's points stay.
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
    const HullView<T>* hull;  ///< that has the face
    int face;
    bool is_edge;  ///< the exit is across edges
    int lane;
    PointNames last;
    PointTable<F>* table;
  };

  FaceRingLanes<F> reference_, incident_;
  // Numbers for all lanes, although those without a pair decide nothing.
  LaneFrames<F> to_reference_{};  ///< from the incident hull's frame
  LaneFrames<F> to_scene_{};      ///< from the reference hull to the scene's axes at A's middle
  Lanes<F> outward_[3]{}, by_b_{}, size_{}, depth_{}, limit_{};
  Entry entry_[lanes];
  int count_ = 0;
};

}  // namespace
}  // namespace widephase
