#pragma once

// heightfield_heightfield, heightfield_mesh, mesh_mesh, chain_chain: contacts, distances, and
// whether two surfaces meet.
//
// Normal: A to B. Points: on A, up to four per patch (chains: two). Surfaces that cross have one
// contact without a depth, status 3. Else contacts are the local minima of the distance: n from A
// to B is one where neither surface goes on towards the other, which each says of its own pieces
// (felt from both sides). A piece of one side is not met from behind it: that side decides by where
// the other surface is nearest, which has no middle. Directions within 1e-9 count as felt, so level
// ground has more contacts than one; all of one direction are one patch. Its points are the corners
// of what pieces that face one another have in common.
// Cost: some microseconds for two meshes of 10^5 triangles; per pair of near pieces half a
// microsecond.

#include "kernels/core/concave/common_places.hpp"

namespace widephase {
namespace {

/// A pair of pieces within the limit.
template <int D>
struct NearPieces {
  PiecePair<D> pair;
  Vec<double, D> along;               ///< unit, from A to B
  Vec<double, D> normal_a, normal_b;  ///< of the faces; of two-sided ones to the other piece
  std::int32_t patch;                 ///< of a contact; -1: it is not one
};

template <class T, int D>
class ConcaveSearch : ConcavePair<T, D> {
  using Base = ConcavePair<T, D>;
  using Point = Vec<double, D>;
  using Base::a_;
  using Base::arena_;
  using Base::b_;
  using Base::margin_;
  using Base::own_;
  using Base::place_;
  using Base::radii_;
  using Base::run_;
  using Base::size_;
  using Base::touching_;

 public:
  using Base::Base;

  SurfaceAnswer<T, D> find() {
    SurfaceAnswer<T, D> answer{nullptr, 0, 0, 0, 0};
    if (!this->begin()) return needs(0);
    if (!this->has_squares()) return answer;
    const Question question = run_.pairs.question;
    const double limit = margin_ + radii_;
    const bool is_plain =
        !a_.has_front() && !b_.has_front() && !a_.has_neighbours() && !b_.has_neighbours();
    PiecePair<D> pair;
    if (question == Question::contact && meets_again(limit, is_plain, pair)) {
      return crossing_answer(pair, answer);
    }
    if (this->find_crossing(pair)) {
      if (question == Question::contact) this->keep_last(pair);
      return crossing_answer(pair, answer);
    }
    if (question == Question::deepest) {
      if (!this->find_nearest(kInfinite<double>, false, pair)) return answer;
      return single_answer(pair, answer);
    }
    if (!(limit > touching_)) return answer;
    if (question == Question::contact && is_plain) {
      if (!this->find_nearest(limit, true, pair)) return answer;
      return single_answer(pair, answer);
    }
    return near_answer(limit, answer);
  }

 private:
  SurfaceAnswer<T, D> needs(std::size_t more) const {
    return {nullptr, 0, 0, 0, arena_.used() + more + 4096};
  }

  /// Whether the pieces of the pair's word meet, which is enough for a yes, whichever others do.
  bool meets_again(double limit, bool is_plain, PiecePair<D>& pair) {
    const bool has_limit = limit > touching_, has_solid = a_.is_solid() || b_.is_solid();
    const double touching2 = touching_ * touching_;
    const double limit2 = limit * limit * (is_plain ? 1 : 1 + 8 * kRounding<double>);
    if (!this->ask_last()) return false;
    PieceBatch<D>& batch = *this->batch_;
    pair = {batch.number_a[0], batch.number_b[0], 0, {}};
    if (this->is_below()) return true;
    batch.find_nearest(has_limit ? limit2 : touching2);
    const double distance2 = batch.distance2[0];
    if (!has_solid && distance2 <= touching2) return true;
    if (!has_limit || !(distance2 <= limit2)) return false;
    if (is_plain) return true;
    pair.distance = root(distance2);
    if (!(pair.distance <= limit)) return false;
    if (!(pair.distance > touching_)) return true;
    Point a[D], b[D];
    batch.corners_of(batch.a, 0, a);
    batch.corners_of(batch.b, 0, b);
    pair.meeting = nearest_of_pair(a, b, static_cast<int>(batch.place[0]));
    NearPieces<D> near;
    near.pair = pair;
    return complete(near) && is_contact(near);
  }

  Point direction_of(const PiecePair<D>& pair) const {
    const Point apart = pair.meeting.on_b - pair.meeting.on_a;
    return scaled(apart, 1 / root(dot(apart, apart)));
  }

  /// One patch of one point.
  SurfaceAnswer<T, D> answer_at(const PiecePair<D>& pair, const Point& along, double depth,
                                Status status, SurfaceAnswer<T, D>& answer) {
    SurfacePatch<T, D>* const patch = arena_.template take<SurfacePatch<T, D>>(1);
    if (patch == nullptr) return needs(0);
    set_patch(along, depth, status, *patch);
    patch->point_count = 1;
    set_point(pair.meeting.on_a, along, depth, pair.a, pair.meeting.feature_a, pair.b,
              pair.meeting.feature_b, patch->points[0]);
    answer.patches = patch;
    answer.count = answer.triangles = 1;
    return answer;
  }
  /// The normal leads out of a field, or else into B's piece.
  SurfaceAnswer<T, D> crossing_answer(const PiecePair<D>& pair, SurfaceAnswer<T, D>& answer) {
    Point a[D], b[D], normal{};
    this->corners_of(pair, a, b);
    if (a_.is_solid()) {
      a_.front(a, normal);
    } else {
      b_.front(b, normal);
      normal = -normal;
    }
    return answer_at(pair, normal, 0, Status::crossing, answer);
  }
  SurfaceAnswer<T, D> single_answer(const PiecePair<D>& pair, SurfaceAnswer<T, D>& answer) {
    if (!(pair.distance > touching_)) return crossing_answer(pair, answer);
    double depth = radii_ - pair.distance;
    // Distances are not below 0.
    if (run_.pairs.question == Question::deepest && depth > 0) depth = 0;
    return answer_at(pair, direction_of(pair), depth, Status::exact, answer);
  }

  void set_patch(const Point& along, double depth, Status status, SurfacePatch<T, D>& patch) const {
    const Point normal = a_.to_scene(along);
    for (int k = 0; k < D; ++k) patch.normal[k] = static_cast<T>(normal[k]);
    patch.depth = static_cast<T>(depth);
    patch.status = static_cast<std::uint8_t>(status);
  }
  void set_point(const Point& on_a, const Point& along, double depth, std::int32_t a, int feature_a,
                 std::int32_t b, int feature_b, SurfacePoint<T, D>& point) const {
    const Point offset = a_.to_scene(on_a + scaled(along, a_.thickness()));
    for (int k = 0; k < D; ++k) point.offset[k] = offset[k];
    point.depth = static_cast<T>(depth);
    const double name_a = a_.name(a, feature_a), name_b = b_.name(b, feature_b);
    point.part_a = static_cast<std::int32_t>(name_a / kTriangleStep);
    point.part = static_cast<std::int32_t>(name_b / kTriangleStep);
    const auto of_a = static_cast<std::uint32_t>(name_a - double(point.part_a) * kTriangleStep);
    const auto of_b = static_cast<std::uint32_t>(name_b - double(point.part) * kTriangleStep);
    point.feature = of_a << 16 | of_b;
  }

  /// Whether no piece of a side that has a place goes on along a direction.
  static bool is_felt(const ConcaveSide<T, D>& side, std::int32_t piece, int feature,
                      const Point& at, const Point& towards, double tolerance, double width) {
    if (feature == kOfFace) return true;
    bool is = true;
    const auto ask = [&](const Point(&corners)[D]) {
      for (const Point& corner : corners) {
        const Point there = corner - at;
        is &= dot(towards, there) <= tolerance * size_along_axes(there) + width;
      }
      return is;
    };
    side.for_each_at(piece, feature, at, width, ask);
    return is;
  }

  /// Fills what is derived from a pair within the limit. False if it is met from behind.
  bool complete(NearPieces<D>& near) const {
    Point a[D], b[D];
    this->corners_of(near.pair, a, b);
    near.along = direction_of(near.pair);
    near.patch = -1;
    a_.front(a, near.normal_a);
    b_.front(b, near.normal_b);
    // Edge on is in front.
    const double slack = 4 * touching_;
    const double before_a = dot(near.normal_a, near.pair.meeting.on_b - a[0]);
    const double before_b = dot(near.normal_b, near.pair.meeting.on_a - b[0]);
    if ((a_.has_front() && before_a < -slack) || (b_.has_front() && before_b < -slack)) {
      return false;
    }
    if (!a_.has_front() && !a_.is_solid() && before_a < 0) near.normal_a = -near.normal_a;
    if (!b_.has_front() && !b_.is_solid() && before_b < 0) near.normal_b = -near.normal_b;
    return true;
  }
  bool is_contact(const NearPieces<D>& near) const {
    const PiecePair<D>& pair = near.pair;
    const double tolerance = 1e-9 + 8 * touching_ / pair.distance;
    return is_felt(a_, pair.a, pair.meeting.feature_a, pair.meeting.on_a, near.along, tolerance,
                   a_.width() + touching_) &&
           is_felt(b_, pair.b, pair.meeting.feature_b, place_.back(pair.meeting.on_b),
                   -place_.direction_back(near.along), tolerance, b_.width() + touching_);
  }

  /// Lists the pairs within the limit, and says which are contacts.
  SurfaceAnswer<T, D> near_answer(double limit, SurfaceAnswer<T, D>& answer) {
    // Half of the room: the other one is for patches.
    const std::size_t room = arena_.left() / (2 * sizeof(NearPieces<D>));
    NearPieces<D>* const list = arena_.template take<NearPieces<D>>(room);
    std::size_t count = 0;
    bool is_one = false;
    PiecePair<D> first{};
    const double limit2 = limit * limit * (1 + 8 * kRounding<double>);
    this->for_batches(limit2, [&](PieceBatch<D>& batch) {
      batch.find_nearest(limit2);
      for (int i = 0; i < batch.count; ++i) {
        if (!(batch.distance2[i] <= limit2)) continue;
        NearPieces<D> near;
        Point a[D], b[D];
        batch.corners_of(batch.a, i, a);
        batch.corners_of(batch.b, i, b);
        near.pair = {batch.number_a[i], batch.number_b[i], root(batch.distance2[i]),
                     nearest_of_pair(a, b, static_cast<int>(batch.place[i]))};
        if (!(near.pair.distance <= limit)) continue;
        if (!(near.pair.distance > touching_)) {
          first = near.pair;
          is_one = true;
          return false;
        }
        if (!complete(near)) continue;
        if (is_contact(near)) near.patch = 0;
        if (run_.pairs.question == Question::contact) {
          if (near.patch < 0) continue;
          first = near.pair;
          is_one = true;
          return false;
        }
        if (count < room && list != nullptr) list[count] = near;
        ++count;
      }
      return true;
    });
    if (is_one) {
      if (run_.pairs.question == Question::contact) this->keep_last(first);
      return single_answer(first, answer);
    }
    if (list == nullptr || count > room) return needs(4 * count * sizeof(NearPieces<D>));
    arena_.keep(list, count);
    answer.triangles = static_cast<std::int64_t>(count);
    return count == 0 ? answer : patches(list, static_cast<std::int32_t>(count), answer);
  }

  SurfaceAnswer<T, D> patches(NearPieces<D>* list, std::int32_t count,
                              SurfaceAnswer<T, D>& answer) {
    std::int32_t* const order = arena_.template take<std::int32_t>(static_cast<std::size_t>(count));
    if (order == nullptr) return needs(0);
    std::int32_t contacts = 0;
    for (std::int32_t n = 0; n < count; ++n) {
      if (list[n].patch >= 0) order[contacts++] = n;
    }
    const auto is_before = [&](std::int32_t p, std::int32_t q) {
      const PiecePair<D>&a = list[p].pair, &b = list[q].pair;
      if (a.distance != b.distance) return a.distance < b.distance;
      return a.a != b.a ? a.a < b.a : a.b < b.b;
    };
    heap_sort(order, contacts, is_before);
    std::int32_t* const first =
        arena_.template take<std::int32_t>(static_cast<std::size_t>(contacts));
    if (first == nullptr) return needs(0);
    std::int32_t patch_count = 0;
    for (std::int32_t n = 0; n < contacts; ++n) {
      NearPieces<D>& near = list[order[n]];
      std::int32_t p = 0;
      while (p < patch_count &&
             !(dot(list[order[first[p]]].along, near.along) >= run_.patch_cosine)) {
        ++p;
      }
      near.patch = p;
      if (p == patch_count) first[patch_count++] = n;
    }
    const auto patch_room = static_cast<std::size_t>(patch_count);
    SurfacePatch<T, D>* const found = arena_.template take<SurfacePatch<T, D>>(patch_room);
    SurfacePatch<T, D>* const ascending = arena_.template take<SurfacePatch<T, D>>(patch_room);
    if (found == nullptr || ascending == nullptr) return needs(0);
    constexpr std::size_t kBytesAPlace = sizeof(CommonPlace<D>) + sizeof(FaceCorner<double>);
    const std::size_t most = arena_.left() > 256 ? (arena_.left() - 256) / kBytesAPlace : 0;
    CommonPlace<D>* const places = arena_.template take<CommonPlace<D>>(most);
    FaceCorner<double>* const corners = arena_.template take<FaceCorner<double>>(most);
    if (places == nullptr || corners == nullptr) return needs(kBytesAPlace * 64);
    for (std::int32_t p = 0; p < patch_count; ++p) {
      const std::size_t wanted =
          put_points(list, count, p, list[order[first[p]]], most, places, corners, found[p]);
      if (wanted > most) return needs(2 * wanted * kBytesAPlace);
    }
    return in_order(found, ascending, order, patch_count, answer);
  }

  /// Sets a patch; answers for how many places there must be room.
  std::size_t put_points(const NearPieces<D>* list, std::int32_t count, std::int32_t p,
                         const NearPieces<D>& deepest, std::size_t most, CommonPlace<D>* places,
                         FaceCorner<double>* corners, SurfacePatch<T, D>& patch) const {
    const Point& along = deepest.along;
    const double least = deepest.pair.distance, limit = margin_ + radii_;
    Point a[D], b[D];
    this->corners_of(deepest.pair, a, b);
    double extent = 0;
    for (int k = 1; k < D; ++k) {
      const double own = size_along_axes(a[k] - a[0]), other = size_along_axes(b[k] - b[0]);
      extent = own > extent ? own : extent;
      extent = other > extent ? other : extent;
    }
    const double rounding = double(kRounding<T>) * (4 * size_ + 32 * extent);
    std::size_t place_count = 0;
    const auto put = [&](const NearPieces<D>& near, const Point& on_a, double gap, int feature_a,
                         int feature_b) {
      if (place_count < most) {
        // Pieces that lean are nearer along the normal than the contact; none says so.
        places[place_count] = {
            on_a, gap > least ? gap : least, near.pair.a, near.pair.b, feature_a, feature_b};
      }
      ++place_count;
    };
    for (std::int32_t n = 0; n < count; ++n) {
      const NearPieces<D>& near = list[n];
      const bool is_of_patch = near.patch == p;
      const bool faces = dot(near.normal_a, along) >= run_.patch_cosine &&
                         -dot(near.normal_b, along) >= run_.patch_cosine;
      if (!is_of_patch && !faces) continue;
      if (is_of_patch) {
        const PieceMeeting<D>& at = near.pair.meeting;
        put(near, at.on_a, dot(along, at.on_b - at.on_a), at.feature_a, at.feature_b);
      }
      this->corners_of(near.pair, a, b);
      // Where pieces lean, only what is as near as the contact: an edge along a face has two ends.
      const double farthest = faces ? limit : near.pair.distance + rounding;
      for_each_common_place(a, b, along, touching_,
                            [&](const Point& on_a, double gap, int feature_a, int feature_b) {
                              if (gap >= least - rounding && gap <= farthest) {
                                put(near, on_a, gap, feature_a, feature_b);
                              }
                            });
    }
    if (place_count > most) return place_count;
    set_patch(along, radii_ - least, Status::exact, patch);
    std::int32_t chosen[4];
    patch.point_count = choose_places(places, static_cast<std::int32_t>(place_count), along,
                                      rounding, corners, chosen);
    double nearest = kInfinite<double>;
    for (int n = 0; n < patch.point_count; ++n) {
      nearest = places[chosen[n]].gap < nearest ? places[chosen[n]].gap : nearest;
    }
    for (int n = 0; n < patch.point_count; ++n) {
      const CommonPlace<D>& place = places[chosen[n]];
      // The deepest has the patch's depth.
      double gap = place.gap <= nearest + rounding ? least : place.gap;
      gap = gap < limit ? gap : limit;
      set_point(place.on_a, along, radii_ - gap, place.a, place.feature_a, place.b, place.feature_b,
                patch.points[n]);
    }
    sort_points(patch);
    return place_count;
  }
  static bool is_before(const SurfacePoint<T, D>& a, const SurfacePoint<T, D>& b) {
    if (a.part_a != b.part_a) return a.part_a < b.part_a;
    return a.part != b.part ? a.part < b.part : a.feature < b.feature;
  }
  static bool have_one_name(const SurfacePoint<T, D>& a, const SurfacePoint<T, D>& b) {
    return !is_before(a, b) && !is_before(b, a);
  }
  /// By parts, then feature; of points of one name the deeper one.
  static void sort_points(SurfacePatch<T, D>& patch) {
    int count = 0;
    for (int n = 0; n < patch.point_count; ++n) {
      const SurfacePoint<T, D> point = patch.points[n];
      int to = 0;
      while (to < count && is_before(patch.points[to], point)) ++to;
      if (to < count && have_one_name(patch.points[to], point)) {
        if (point.depth > patch.points[to].depth) patch.points[to] = point;
        continue;
      }
      for (int m = count; m > to; --m) patch.points[m] = patch.points[m - 1];
      patch.points[to] = point;
      ++count;
    }
    patch.point_count = count;
  }

  static std::int32_t lowest_part(const SurfacePatch<T, D>& patch) {
    std::int32_t lowest = patch.points[0].part;
    for (int n = 1; n < patch.point_count; ++n) {
      lowest = patch.points[n].part < lowest ? patch.points[n].part : lowest;
    }
    return lowest;
  }
  /// The patches that are wanted, ascending by B's lowest part.
  SurfaceAnswer<T, D> in_order(const SurfacePatch<T, D>* found, SurfacePatch<T, D>* ascending,
                               std::int32_t* order, std::int32_t count,
                               SurfaceAnswer<T, D>& answer) const {
    for (std::int32_t p = 0; p < count; ++p) order[p] = p;
    const auto is_lower = [&](std::int32_t a, std::int32_t b) {
      const std::int32_t x = lowest_part(found[a]), y = lowest_part(found[b]);
      return x != y ? x < y : a < b;
    };
    if (run_.most_patches > 0 && run_.most_patches < count) {
      heap_sort(order, count, [&](std::int32_t a, std::int32_t b) {
        if (found[a].depth != found[b].depth) return found[a].depth > found[b].depth;
        return is_lower(a, b);
      });
      answer.left_out = count - run_.most_patches;
      count = static_cast<std::int32_t>(run_.most_patches);
    }
    heap_sort(order, count, is_lower);
    for (std::int32_t p = 0; p < count; ++p) ascending[p] = found[order[p]];
    answer.patches = ascending;
    answer.count = count;
    return answer;
  }
};

}  // namespace
}  // namespace widephase
