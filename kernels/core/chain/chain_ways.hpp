#pragma once

// The least ways out of the segments that a core meets: over the directions that the chain has
// there. A segment has its normal, a vertex the arc between the normals of its two segments if it
// is convex. Within the arc only the core's own edges are left by least ways, so each is found
// exactly. At an open end the chain goes on straight behind itself, as if there were a wall.

#include "kernels/core/chain/near_segments.hpp"

namespace widephase {
namespace {

template <class T>
class ChainWays : protected NearSegments<T> {
 protected:
  using Near = NearSegments<T>;
  using Near::core_;
  using Near::count_;
  using Near::list_;
  using Near::Near;
  using Near::touching_;

  void find_ways() {
    bool leaves_ends = false;
    for (std::int32_t t = 0; t < count_; ++t) {
      const ListedSegment& segment = list_[t];
      if (segment.state != SegmentState::hit) continue;
      const int farthest = core_.lowest(-segment.normal);
      leaves_ends |= dot(segment.normal, core_.vertex[farthest] - segment.end[0]) > 0;
    }
    StraightRun runs[2];  // towards either end
    for (std::int32_t t = 0; t < count_; ++t) {
      ListedSegment& segment = list_[t];
      if (segment.state != SegmentState::hit) continue;
      segment.way = segment.normal;
      segment.way_depth = segment.below;
      segment.way_feature = kBetween;
      segment.way_segment = segment.segment;
      if (core_.count < 2) continue;
      for (int end = 0; end < 2; ++end) add_end(segment, end, leaves_ends, runs[end]);
    }
  }

  /// How much shorter a way out must be for a vertex to have it, not the segment.
  double shorter_by(const Vector2& at) const {
    return 64 * (double(kRounding<T>) * core_.reach + kRounding<double> * length_of(at));
  }

  static constexpr double kLevel = 1e-9;  // a sine under which rounding decides what is level

  /// The way along a straight line from a segment to the end of it that was found. A segment of the
  /// line takes it as its own: cut finely, each would walk over all that follow.
  struct StraightRun {
    std::int32_t from = -1, last = -1;  ///< segments; none
    Vector2 at{};                       ///< the end
    Vector2 normal{};                   ///< of `from`
    double most_rise = 0;               ///< of the others against it
    double most_distance2 = 0;          ///< of the vertices before the end

    bool has(std::int32_t segment, int end) const {
      return end == 0 ? segment <= from && segment >= last : segment >= from && segment <= last;
    }
  };

  /// Walks from an end of a hit segment as far as the line is straight, up to a distance.
  void walk_straight(const ListedSegment& segment, int end, double far, StraightRun& run) const {
    StraightRun own{segment.segment, segment.segment, segment.end[end], segment.normal, 0, 0};
    const Vector2 back = unit_along(segment.end[1 - end] - own.at);
    // What another segment of the line found holds if each step from here would be taken as well.
    const double lent_rise =
        run.most_rise + length_of(run.normal - segment.normal) + 16 * kRounding<double>;
    bool can_take = lent_rise <= kLevel && run.most_distance2 < far * far;
    for (;;) {
      if (can_take && run.has(own.last, end)) {
        own.last = run.last;
        own.at = run.at;
        own.most_rise = lent_rise > own.most_rise ? lent_rise : own.most_rise;
        if (run.most_distance2 > own.most_distance2) own.most_distance2 = run.most_distance2;
        can_take = false;
      }
      const std::int32_t other = this->beside(own.last, end);
      const double distance2 = dot(own.at, own.at);
      if (other < 0 || other == segment.segment || !(distance2 < far * far)) break;
      const Vector2 next = this->position(end == 0 ? other : other + 1);
      const Vector2 along = unit_along(next - own.at);
      const double rise = magnitude(dot(segment.normal, along));
      if (!(rise <= kLevel && dot(back, along) < 0)) break;
      own.most_rise = rise > own.most_rise ? rise : own.most_rise;
      own.most_distance2 = distance2 > own.most_distance2 ? distance2 : own.most_distance2;
      own.at = next;
      own.last = other;
    }
    run = own;
  }

  /// The ways out at an end of a hit segment, or at that of the straight line that it is part of.
  void add_end(ListedSegment& segment, int end, bool leaves_ends, StraightRun& run) const {
    const Vector2 own = unit_along(segment.end[1 - end] - segment.end[end]);
    // Beyond this no way out is shorter than the segment's own.
    walk_straight(segment, end, 4 * core_.reach + magnitude(segment.below), run);
    const Vector2 at = run.at;
    const std::int32_t last = run.last, other = this->beside(last, end);
    Vector2 beside = own;
    if (other >= 0) {
      beside = unit_along(this->position(end == 0 ? other : other + 1) - at);
      const double rise = dot(segment.normal, beside);
      if (!(rise < -kLevel) && !(rise <= kLevel && dot(own, beside) > 0)) return;
    } else if (!leaves_ends) {
      return;
    }
    const auto ask = [&](const Vector2& way, int lowest) {
      const double depth = dot(way, at - core_.vertex[lowest]);
      if (!(depth + shorter_by(at) < segment.way_depth) || !reaches_behind(at, way)) return;
      segment.way = way;
      segment.way_depth = depth;
      segment.way_feature = kAtEnd + end;
      segment.way_segment = last;
    };
    if (other < 0) ask(-own, core_.lowest(-own));
    for (int e = 0; e < core_.edge_count(); ++e) {
      if (core_.is_inner[e] != 0) continue;
      const Vector2 way = -core_.normal[e];
      if (dot(way, own) > kLevel || dot(way, beside) > kLevel) continue;
      if (other < 0 && dot(way, segment.normal) < 0) continue;
      ask(way, e);
    }
  }

  /// Whether part of the core is behind a point, seen along a direction.
  bool reaches_behind(const Vector2& at, const Vector2& way) const {
    const Vector2 across = right_of(way);
    const double x = dot(across, at);
    double low = kInfinite<double>, high = -kInfinite<double>, least = kInfinite<double>;
    for (int v = 0; v < core_.count; ++v) {
      const Vector2 &p = core_.vertex[v], &q = core_.vertex[core_.next(v)];
      const double from = dot(across, p), to = dot(across, q);
      low = from < low ? from : low;
      high = from > high ? from : high;
      const double p_height = dot(way, p), q_height = dot(way, q);
      if (magnitude(from - x) <= touching_ && p_height < least) least = p_height;
      if (!((from < x && to > x) || (from > x && to < x))) continue;
      const double here = p_height + (q_height - p_height) * ((x - from) / (to - from));
      least = here < least ? here : least;
    }
    return x >= low - touching_ && x <= high + touching_ && least <= dot(way, at) + touching_;
  }

  /// Marks the hit segments that a way out clears, from its own on: over ends that the core reaches
  /// behind.
  void clear_by(std::int32_t from) {
    const ListedSegment& first = list_[from];
    const Vector2 way = first.way;
    const Vector2 along = first.end[1] - first.end[0];
    // Vertices round, so normals of level ground differ, and over the core's size its depths.
    const double extent = core_.reach;
    const double level = 64 * double(kRounding<T>) * extent +
                         16 * this->chain_rounding() * (1 + extent / root(dot(along, along))) +
                         touching_;
    const double most = dot(way, core_.vertex[core_.lowest(way)]) + first.way_depth + level;
    list_[from].cleared_from = from;
    for (int end = 0; end < 2; ++end) {
      for (std::int32_t t = from;;) {
        const ListedSegment& segment = list_[t];
        const std::int32_t other = this->listed_beside(t, end);
        if (other < 0 || list_[other].state != SegmentState::hit) break;
        ListedSegment& beside = list_[other];
        if (beside.cleared_from == from) break;
        const Vector2& at = segment.end[end];
        const double rise = dot(segment.normal, beside.end[end] - at);
        const bool is_level = magnitude(rise) <= 16 * this->chain_rounding() + touching_;
        if (!is_level && !reaches_behind(at, segment.normal) &&
            !reaches_behind(at, beside.normal)) {
          break;
        }
        if (reaches_before(beside, way, most)) break;
        beside.cleared_from = from;
        t = other;
      }
    }
  }

  /// Whether the core meets the part of a segment that is farther along a direction.
  bool reaches_before(const ListedSegment& segment, const Vector2& way, double most) const {
    const double a = dot(way, segment.end[0]) - most, b = dot(way, segment.end[1]) - most;
    if (!(a > 0) && !(b > 0)) return false;
    ListedSegment part = segment;
    if ((a > 0) != (b > 0)) {
      const Vector2 cut = segment.end[0] + scaled(segment.end[1] - segment.end[0], a / (a - b));
      part.end[a > 0 ? 1 : 0] = cut;
    }
    part.is_behind = false;
    part.state = SegmentState::far;
    this->find_apart(part, touching_);
    return part.state == SegmentState::hit;
  }
};

}  // namespace
}  // namespace widephase
