#pragma once

// How far the segments near a shape are from its core: far, apart, or hit.

#include "kernels/core/chain/chain_core.hpp"
#include "kernels/core/chain/chain_walk.hpp"
#include "kernels/core/surface/arena.hpp"

namespace widephase {
namespace {

/// What a search found of a segment. `hit`: it meets the shape's core.
enum class SegmentState : std::uint8_t { far, apart, hit };

/// Places of a segment: between its ends, 1 + k its end k.
inline constexpr int kBetween = 0, kAtEnd = 1;

struct ListedSegment {
  std::int32_t segment;
  bool is_own;     ///< not a neighbour's, and not seen from behind
  bool is_behind;  ///< the shape is behind a one-sided segment and does not meet it
  SegmentState state;
  Vector2 end[2];
  Vector2 normal;  ///< unit, to the shape's side of a two-sided segment
  double below;    ///< how far the core reaches below the line; negative above it
  int lowest;      ///< the core's vertex that does
  // Where an apart core is nearest.
  double distance;  ///< from the core; once ways are found, a hit one's depth along its least
  Vector2 on_core, on_segment;
  Vector2 away;  ///< unit, from the segment towards the core
  int feature;
  std::uint32_t core_name;
  // The least way out of a hit one.
  Vector2 way;
  double way_depth;
  int way_feature;
  std::int32_t way_segment;   ///< whose place that is
  std::int32_t cleared_from;  ///< the segment whose way out cleared it; -1 none
  std::int32_t contact;       ///< of it; -1 none
};

/// The greatest coordinate of a chain.
template <class T>
double size_of(const ChainView<T>& chain) {
  double size = 0;
  for (int k = 0; k < 2; ++k) {
    const double low = magnitude(double(chain.low[k])), high = magnitude(double(chain.high[k]));
    size = low > size ? low : size;
    size = high > size ? high : size;
  }
  return size;
}
/// By how much distances round for a core of a reach, `far` from the origin of a chain of a size.
WIDEPHASE_INLINE double distance_rounding_of(double size, double reach, double far) {
  return 32 * kRounding<double> * (size + reach + far);
}

template <class T>
class NearSegments {
 public:
  NearSegments(const SurfaceRun<T, 2>& run, std::int64_t i, const SurfaceRoom& room)
      : run_(run), own_(shape_and_chain(run.pairs.pairs[i])), arena_(room) {
    place_ = place_chain(run.pairs, own_);
    place_core(run.pairs, own_, place_, core_);
    chain_ = run.chains + place_.chain;
    margin_ = margin_with_chain(run.pairs, own_);
    touching_ = 8 * double(kRounding<T>) * core_.reach;
    size_ = size_of(*chain_);
  }

 protected:
  bool is_nearest() const { return run_.pairs.question == Question::deepest; }
  double radii() const { return core_.radius + place_.thickness; }
  /// By how much rounding moves the chain's vertices, and what a neighbour says of them.
  double chain_rounding() const { return double(kRounding<T>) * size_; }
  double distance_rounding() const {
    return distance_rounding_of(size_, core_.reach, length_of(place_.middle));
  }

  Vector2 position(std::int32_t vertex) const {
    const T* const at = chain_->positions + 2 * std::ptrdiff_t{vertex};
    return Vector2{{double(at[0]), double(at[1])}} - place_.middle;
  }
  /// The segment before one, and after it; -1 at an open end.
  std::int32_t before(std::int32_t segment) const {
    return segment > 0 ? segment - 1 : chain_->is_loop ? chain_->segment_count - 1 : -1;
  }
  std::int32_t after(std::int32_t segment) const {
    return segment + 1 < chain_->segment_count ? segment + 1 : chain_->is_loop ? 0 : -1;
  }
  std::int32_t beside(std::int32_t segment, int end) const {
    return end == 0 ? before(segment) : after(segment);
  }
  /// The place in the list of the segment beyond an end of a listed one; -1 none.
  std::int32_t listed_beside(std::int32_t t, int end) const {
    const std::int32_t segment = beside(list_[t].segment, end);
    if (segment < 0) return -1;
    for (const std::int32_t other : {t + (end == 0 ? -1 : 1), end == 0 ? count_ - 1 : 0}) {
      if (other >= 0 && other < count_ && other != t && list_[other].segment == segment) {
        return other;
      }
    }
    return -1;
  }

  /// The square of at least the core's distance from the nearest own segment.
  double bound_nearest() const {
    double best = kInfinite<double>;
    const auto ask = [&](std::int32_t segment) {
      if (segment < chain_->own_begin || segment >= chain_->own_end) return;
      const Vector2 a = position(segment), along = position(segment + 1) - a;
      const double share = 0 - dot(a, along) / dot(along, along);
      const Vector2 at = a + scaled(along, share > 0 ? (share < 1 ? share : 1) : 0);
      const double here = dot(at, at);
      best = here < best ? here : best;
    };
    // The nearest place of each level first, so that few others are as near.
    std::int32_t tile = 0, end = places_of(*chain_, chain_->level_count - 1);
    for (int level = chain_->level_count - 1; level >= 0; --level) {
      std::int32_t nearest = tile;
      double least = kInfinite<double>;
      for (std::int32_t place = tile; place < end; ++place) {
        const double here = distance2_of(bounds_of_place(*chain_, level, place), place_.middle);
        nearest = here < least ? place : nearest;
        least = here < least ? here : least;
      }
      if (level == 0) {
        ask(nearest);
        break;
      }
      const std::int32_t places = places_of(*chain_, level - 1);
      tile = nearest * kChainTile;
      end = tile + kChainTile < places ? tile + kChainTile : places;
    }
    const double reach = root(best) + distance_rounding();
    double low[2], high[2];
    for (int k = 0; k < 2; ++k) {
      low[k] = place_.middle[k] - reach;
      high[k] = place_.middle[k] + reach;
    }
    walk_chain(*chain_, ChainBox<T>(low, high), ask);
    return best;
  }

  /// Lists the segments that are within a distance of the core. False if the arena is too small.
  bool list_segments(double reach) {
    double low[2], high[2];
    for (int k = 0; k < 2; ++k) {
      double least = core_.vertex[0][k], most = least;
      for (int v = 1; v < core_.count; ++v) {
        least = core_.vertex[v][k] < least ? core_.vertex[v][k] : least;
        most = core_.vertex[v][k] > most ? core_.vertex[v][k] : most;
      }
      low[k] = place_.middle[k] + least - reach;
      high[k] = place_.middle[k] + most + reach;
    }
    // All of the room at first, since the number is not known.
    const std::size_t room = arena_.left() < 64 ? 0 : (arena_.left() - 64) / sizeof(ListedSegment);
    list_ = arena_.template take<ListedSegment>(room);
    std::size_t count = 0;
    count_ = 0;
    walk_chain(*chain_, ChainBox<T>(low, high), [&](std::int32_t segment) {
      if (++count <= room) begin(segment);
    });
    if (count > room) {
      missing_ = count * sizeof(ListedSegment);
      return false;
    }
    if (room > 0) arena_.keep(list_, count);
    return true;
  }

  void begin(std::int32_t number) {
    ListedSegment& segment = list_[count_++];
    segment.segment = number;
    segment.end[0] = position(number);
    segment.end[1] = position(number + 1);
    segment.normal = right_of(unit_along(segment.end[1] - segment.end[0]));
    const bool is_two_sided = chain_->is_two_sided || is_nearest();
    const bool is_front = dot(segment.normal, core_.inner - segment.end[0]) >= 0;
    if (!is_front && is_two_sided) segment.normal = -segment.normal;
    segment.is_behind = !is_front && !is_two_sided;
    segment.is_own = number >= chain_->own_begin && number < chain_->own_end && !segment.is_behind;
    segment.state = SegmentState::far;
    segment.cleared_from = segment.contact = -1;
    segment.distance = kInfinite<double>;
    segment.lowest = core_.lowest(segment.normal);
    segment.below = dot(segment.normal, segment.end[0] - core_.vertex[segment.lowest]);
  }

  void measure(double limit) {
    for (std::int32_t t = 0; t < count_; ++t) {
      if (-list_[t].below > limit + touching_) continue;
      find_apart(list_[t], limit);
    }
  }

  /// Whether no line is between a core with an area and a segment.
  bool meets(const ListedSegment& segment) const {
    if (segment.below < 0) return false;
    const int farthest = core_.lowest(-segment.normal);
    if (dot(segment.normal, core_.vertex[farthest] - segment.end[0]) < 0) return false;
    for (int e = 0; e < core_.count; ++e) {
      const Vector2& out = core_.normal[e];
      if (dot(out, segment.end[0] - core_.vertex[e]) > 0 &&
          dot(out, segment.end[1] - core_.vertex[e]) > 0) {
        return false;
      }
    }
    return true;
  }
  /// Whether a core of two vertices crosses a segment.
  bool is_crossed(const ListedSegment& segment) const {
    const Vector2 own = core_.vertex[1] - core_.vertex[0];
    const double a = cross(own, segment.end[0] - core_.vertex[0]);
    const double b = cross(own, segment.end[1] - core_.vertex[0]);
    const double p = dot(segment.normal, core_.vertex[0] - segment.end[0]);
    const double q = dot(segment.normal, core_.vertex[1] - segment.end[0]);
    return ((a < 0 && b > 0) || (a > 0 && b < 0)) && ((p < 0 && q > 0) || (p > 0 && q < 0));
  }

  void set_hit(ListedSegment& segment) const {
    segment.state = segment.is_behind ? SegmentState::apart : SegmentState::hit;
    segment.distance = 0;
    segment.feature = kBetween;
  }

  void find_apart(ListedSegment& segment, double limit) const {
    if (core_.count > 2 ? meets(segment) : core_.count == 2 && is_crossed(segment)) {
      return set_hit(segment);
    }
    const Vector2& a = segment.end[0];
    const Vector2 along = segment.end[1] - a;
    const double length2 = dot(along, along);
    double best = kInfinite<double>;
    for (int v = 0; v < core_.count; ++v) {
      const Vector2& p = core_.vertex[v];
      const double share = dot(p - a, along) / length2;
      const int feature = share > 0 ? (share < 1 ? kBetween : kAtEnd + 1) : kAtEnd;
      const Vector2 at =
          feature == kBetween ? a + scaled(along, share) : segment.end[feature - kAtEnd];
      const double here = dot(p - at, p - at);
      if (!(here < best)) continue;
      best = here;
      segment.feature = feature;
      segment.on_core = p;
      segment.on_segment = at;
      segment.core_name = core_.vertex_name(v);
    }
    const int edges = core_.count == 2 ? 1 : core_.edge_count();
    for (int e = 0; e < edges; ++e) {
      const Vector2& p = core_.vertex[e];
      const Vector2 own = core_.vertex[core_.next(e)] - p;
      const double own2 = dot(own, own);
      for (int k = 0; k < 2; ++k) {
        const double at = dot(segment.end[k] - p, own);
        if (!(at > 0 && at < own2)) continue;
        const Vector2 place = p + scaled(own, at / own2);
        const Vector2 apart = place - segment.end[k];
        const double here = dot(apart, apart);
        if (!(here < best)) continue;
        best = here;
        segment.feature = kAtEnd + k;
        segment.on_core = place;
        segment.on_segment = segment.end[k];
        segment.core_name = core_.edge_name(e);
      }
    }
    segment.distance = root(best);
    if (segment.distance <= (core_.count < 2 ? 0 : touching_)) return set_hit(segment);
    if (is_along(segment)) segment.feature = kBetween;
    const bool is_above = segment.below <= 0;
    if (segment.feature == kBetween) {
      segment.away = is_above ? segment.normal : -segment.normal;
    } else {
      segment.away = unit_along(segment.on_core - segment.on_segment);
    }
    if (segment.distance <= limit) segment.state = SegmentState::apart;
  }

  /// Whether an edge of the core is level over a segment, and over more than an end of it.
  bool is_along(const ListedSegment& segment) const {
    const double height = -segment.below;
    if (core_.count < 2 || !(height > 0) || segment.distance > height + touching_) return false;
    const Vector2 along = unit_along(segment.end[1] - segment.end[0]);
    const double length = dot(along, segment.end[1] - segment.end[0]);
    double low = kInfinite<double>, high = -kInfinite<double>;
    for (int v = 0; v < core_.count; ++v) {
      const Vector2 from = core_.vertex[v] - segment.end[0];
      if (!(dot(segment.normal, from) <= height + touching_)) continue;
      const double at = dot(along, from);
      low = at < low ? at : low;
      high = at > high ? at : high;
    }
    low = low > 0 ? low : 0;
    high = high < length ? high : length;
    return high - low > 4 * touching_;
  }

  const SurfaceRun<T, 2>& run_;
  Pair own_;
  ChainPlace place_;
  ChainCore core_;
  const ChainView<T>* chain_;
  Arena arena_;
  ListedSegment* list_ = nullptr;
  std::int32_t count_ = 0;
  std::size_t missing_ = 0;  ///< bytes that the list has no room for
  double margin_, touching_;
  double size_;  ///< the chain's greatest coordinate
};

}  // namespace
}  // namespace widephase
