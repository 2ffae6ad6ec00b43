#pragma once

// The contacts of a core with a chain, and the points of their patches.

#include "kernels/core/chain/chain_ways.hpp"

namespace widephase {
namespace {

/// A place where a core meets a chain.
struct ChainContact {
  Vector2 away;  ///< unit, from the chain towards the core
  double depth;  ///< of the core; below 0 apart
  Vector2 on_core, on_segment;
  std::int32_t segment;  ///< whose place it is
  int feature;
  std::uint32_t core_name;
  std::uint8_t status;
  std::int32_t patch;  ///< -1 none yet
  bool is_lent;        ///< a neighbour's: this chain's part of it is not as deep, or none
};

/// A point of a patch before it is chosen.
struct ChainPoint {
  double x;      ///< across the patch's normal
  double depth;  ///< of the core
  Vector2 on_core;
  std::int32_t part;
  std::uint32_t feature;
};

/// Up to two of many: the deepest and the farthest from it; an end instead if it is as deep.
class TwoPoints {
 public:
  void add(const ChainPoint& point, double rounding) {
    if (count_++ == 0) {
      first_ = last_ = deepest_ = point;
      return;
    }
    const auto is_at = [&](const ChainPoint& end) {
      return point.x == end.x && point.depth > end.depth;
    };
    if (point.x < first_.x || is_at(first_)) first_ = point;
    if (point.x > last_.x || is_at(last_)) last_ = point;
    if (point.depth > deepest_.depth + rounding) deepest_ = point;
  }
  bool is_empty() const { return count_ == 0; }
  double most() const {
    const double ends = first_.depth > last_.depth ? first_.depth : last_.depth;
    return deepest_.depth > ends ? deepest_.depth : ends;
  }
  /// Writes the chosen ones; `apart`: as far as two are apart at least.
  int choose(double rounding, double apart, ChainPoint (&to)[2]) const {
    const double ends = first_.depth > last_.depth ? first_.depth : last_.depth;
    to[0] = first_;
    to[1] = last_;
    if (!(ends + rounding >= deepest_.depth)) {
      const bool is_first = deepest_.x - first_.x > last_.x - deepest_.x;
      to[is_first ? 1 : 0] = deepest_;
    }
    if (to[1].x - to[0].x > apart) return 2;
    if (to[1].depth > to[0].depth) to[0] = to[1];
    return 1;
  }

 private:
  int count_ = 0;
  ChainPoint first_{}, last_{}, deepest_{};
};

template <class T>
class ChainPoints : protected ChainWays<T> {
 protected:
  using Near = NearSegments<T>;
  using Ways = ChainWays<T>;
  using Near::chain_;
  using Near::core_;
  using Near::count_;
  using Near::list_;
  using Near::margin_;
  using Near::place_;
  using Near::run_;
  using Near::touching_;
  using Ways::Ways;

  double rounding() const { return 32 * double(kRounding<T>) * (core_.reach + core_.radius); }

  /// The name of a place of a segment; a vertex by the lowest own segment that has it.
  void name_place(std::int32_t segment, int feature, std::int32_t& part,
                  std::uint32_t& name) const {
    std::int32_t lowest = segment;
    int own = feature;
    if (feature != kBetween) {
      const std::int32_t other = this->beside(segment, feature - kAtEnd);
      const bool is_own = other >= chain_->own_begin && other < chain_->own_end;
      if (is_own && chain_->number[other] < chain_->number[segment]) {
        lowest = other;
        own = feature == kAtEnd ? kAtEnd + 1 : kAtEnd;
      }
    }
    part = chain_->number[lowest];
    name = static_cast<std::uint32_t>(own == kBetween ? edge_feature(0.0)
                                                      : vertex_feature(double(own - kAtEnd)));
  }

  /// Up to two points of a patch that the deepest contact begins.
  void find_points(std::int32_t p, const ChainContact& deepest, SurfacePatch<T, 2>& patch) const {
    const Vector2& up = deepest.away;
    const Vector2 across = right_of(up);
    const double slack = rounding();
    TwoPoints points;
    if (core_.count > 1) put_edge(deepest, up, across, points);
    const bool needs_own =
        !deepest.is_lent && (points.is_empty() || points.most() < deepest.depth - slack);
    for (std::int32_t c = 0; c < contact_count_; ++c) {
      const ChainContact& contact = contacts_[c];
      if (core_.count == 1 ? contact.patch != p : &contact != &deepest || !needs_own) continue;
      ChainPoint point{dot(across, contact.on_segment), contact.depth, contact.on_core, 0, 0};
      if (core_.count == 1) {  // on the circle, in the contact's own direction
        point.on_core = scaled(up - contact.away, core_.radius);
      }
      name_place(contact.segment, contact.feature, point.part, point.feature);
      point.feature |= contact.core_name << 16;
      points.add(point, slack);
    }
    patch.point_count = 0;
    if (points.is_empty()) return;
    const double most = deepest.is_lent ? points.most() : deepest.depth;
    patch.depth = static_cast<T>(this->radii() + most);
    ChainPoint chosen[2];
    const int count = points.choose(slack, 4 * touching_ + slack, chosen);
    const double most_height = margin_ + this->radii();
    int deepest_of = 0;
    if (count == 2 && chosen[1].depth > chosen[0].depth + slack) deepest_of = 1;
    patch.point_count = count;
    for (int n = 0; n < count; ++n) {
      ChainPoint& point = chosen[n];
      if (n == deepest_of || point.depth >= most - slack) point.depth = most;
      if (!(point.depth >= -most_height)) point.depth = -most_height;
      set_point(up, point, patch.points[n]);
    }
    if (count == 2 && goes_before(patch.points[1], patch.points[0])) {
      const SurfacePoint<T, 2> first = patch.points[0];
      patch.points[0] = patch.points[1];
      patch.points[1] = first;
    }
  }

  static bool goes_before(const SurfacePoint<T, 2>& a, const SurfacePoint<T, 2>& b) {
    return a.part != b.part ? a.part < b.part : a.feature < b.feature;
  }

  /// Points of the core's edge that looks against the normal, over segments that look along it.
  void put_edge(const ChainContact& deepest, const Vector2& up, const Vector2& across,
                TwoPoints& points) const {
    int edge = 0;
    double least = dot(up, core_.normal[0]);
    for (int e = 1; e < core_.edge_count(); ++e) {
      const double here = dot(up, core_.normal[e]);
      edge = here < least ? e : edge;
      least = here < least ? here : least;
    }
    const Vector2 p = core_.vertex[edge], q = core_.vertex[core_.next(edge)];
    const double slack = rounding(), most_height = margin_ + this->radii();
    const double px = dot(across, p), qx = dot(across, q);
    const bool is_steep = magnitude(qx - px) <= touching_;
    // The lower one of an edge that stands along the normal.
    const bool is_p_lower = dot(up, p) < dot(up, q);
    const double low = is_steep ? (is_p_lower ? px : qx) : (px < qx ? px : qx);
    const double high = is_steep ? low : (px < qx ? qx : px);
    for (std::int32_t t = 0; t < count_; ++t) {
      const ListedSegment& segment = list_[t];
      if (!segment.is_own || !(dot(segment.normal, up) >= this->least_slope())) continue;
      const double x[2] = {dot(across, segment.end[0]), dot(across, segment.end[1])};
      const int left = x[0] < x[1] ? 0 : 1;
      const double from = x[left], to = x[1 - left];
      if (!(to > from) || from > high || to < low) continue;
      const auto put = [&](double at, int end) {
        if (end >= 0 && is_level(segment, end)) return;
        ChainPoint point{};
        point.x = at;
        const double share = is_steep ? (is_p_lower ? 0 : 1) : (at - px) / (qx - px);
        const bool is_p = share <= 0 || at == px, is_q = share >= 1 || at == qx;
        point.on_core = is_p ? p : is_q ? q : p + scaled(q - p, share);
        const double there =
            end >= 0 ? dot(up, segment.end[end])
                     : dot(up, segment.end[0]) +
                           dot(up, segment.end[1] - segment.end[0]) * ((at - x[0]) / (x[1] - x[0]));
        point.depth = there - dot(up, point.on_core);
        if (point.depth > deepest.depth + slack || point.depth < -(most_height + slack)) return;
        name_place(segment.segment, end >= 0 ? kAtEnd + end : kBetween, point.part, point.feature);
        const std::uint32_t own = is_p   ? core_.vertex_name(edge)
                                  : is_q ? core_.vertex_name(core_.next(edge))
                                         : core_.edge_name(edge);
        point.feature |= own << 16;
        points.add(point, slack);
      };
      from > low ? put(from, left) : put(low, -1);
      to < high ? put(to, 1 - left) : put(high, -1);
    }
  }

  /// Whether the chain goes straight on beyond an end of a segment: a cut there has no point.
  bool is_level(const ListedSegment& segment, int end) const {
    const std::int32_t other = this->beside(segment.segment, end);
    if (other < chain_->own_begin || other >= chain_->own_end) return false;
    const Vector2 beside = this->position(end == 0 ? other : other + 1) - segment.end[end];
    const Vector2 along = segment.end[end] - segment.end[1 - end];
    const double rounding = 4 * this->chain_rounding() * (1 + length_of(beside) / length_of(along));
    return magnitude(dot(segment.normal, beside)) <= rounding && dot(along, beside) > 0;
  }

  double least_slope() const {
    constexpr double kLeastRise = 0.1;
    return run_.patch_cosine > kLeastRise ? run_.patch_cosine : kLeastRise;
  }

  void set_point(const Vector2& away, const ChainPoint& from, SurfacePoint<T, 2>& point) const {
    const Vector2 local = (from.on_core + place_.from_anchor) - scaled(away, core_.radius);
    const Vector2 offset = place_.to_scene(local) + place_.rest;
    for (int k = 0; k < 2; ++k) point.offset[k] = offset[k];
    point.depth = static_cast<T>(this->radii() + from.depth);
    point.part = from.part;
    point.feature = from.feature;
  }

  ChainContact* contacts_ = nullptr;
  std::int32_t contact_count_ = 0;
};

}  // namespace
}  // namespace widephase
