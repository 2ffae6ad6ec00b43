#pragma once

// capsule_chain, aabb_chain, box_chain, polygon_chain: the contacts, one pair at a time; of circles
// those that chain_circles.hpp leaves to it, and all distances.
//
// Frame: the chain's axes, from the middle of the shape's core, in double. The normal leads from
// the shape into the chain. Points: 1 or 2 per patch, on A. Features: A's as in other pairs; edge 0
// or vertex 0 or 1 of the segment, a vertex of two segments by the lower one.
//
// Passes over the segments near the shape:
// 1. each is far, apart or hit: it meets the core (near_segments.hpp);
// 2. of apart ones count those at whose nearest place no other segment there is nearer, strictly:
//    these are the local minima of the distance, with no tolerance and no angle;
// 3. of hit ones the least ways out over the directions that the chain has there (chain_ways.hpp),
//    the shortest first: one that clears others stands for them;
// 4. where the shape is a flush part, another direction for those that its solid does not feel
//    (core/flush/flush_chain2.hpp);
// 5. patches: contacts whose normals agree are one (chain_points.hpp).
//
// Ties and degenerate input: a circle's centre on a segment has its normal, status 1. Segments
// without length are not in the list. Open ends are felt from above and from beside. Cost: 0.1
// to 0.3 microseconds per listed segment.

#include "kernels/core/chain/chain_points.hpp"
#include "kernels/core/surface/heap_sort.hpp"

namespace widephase {
namespace {

/// What a search has found before it makes patches.
template <class T>
struct FoundChainContacts {
  const SurfaceRun<T, 2>& run;
  const Pair& own;  ///< the shape, then the chain
  const ChainPlace& place;
  const ChainCore& core;
  const ChainView<T>& chain;
  ChainContact* contacts;
  std::int32_t count;
  double touching;
  Arena& arena;
};

/// `Settle`: where shapes may be flush parts, `settle(found)` may change contacts. It answers false
/// if the arena is too small.
template <class T, class Settle>
class ChainSearch : ChainPoints<T> {
  using Near = NearSegments<T>;
  using Ways = ChainWays<T>;
  using Points = ChainPoints<T>;
  using Near::arena_;
  using Near::chain_;
  using Near::core_;
  using Near::count_;
  using Near::list_;
  using Near::margin_;
  using Near::place_;
  using Near::run_;
  using Near::touching_;
  using Points::contact_count_;
  using Points::contacts_;

 public:
  ChainSearch(const SurfaceRun<T, 2>& run, std::int64_t i, const SurfaceRoom& room,
              const Settle& settle)
      : Points(run, i, room), settle_(settle) {}

  SurfaceAnswer<T, 2> find() {
    SurfaceAnswer<T, 2> answer{};
    const double far = core_.reach + length_of(place_.middle);
    if (!(far - far == 0)) return answer;
    limit_ = margin_ + this->radii();
    limit_ += 4 * double(kRounding<T>) * limit_;
    if (this->is_nearest()) {
      const double nearest = root(this->bound_nearest());
      limit_ =
          nearest + 16 * double(kRounding<T>) * nearest + 4 * touching_ + this->distance_rounding();
    }
    const double reach =
        limit_ + 2 * touching_ + this->distance_rounding() + 8 * kRounding<double> * far;
    if (!this->list_segments(reach)) return needs_more();
    answer.triangles = count_;
    this->measure(limit_);
    return this->is_nearest() ? nearest_answer(answer) : patches(answer);
  }

 private:
  SurfaceAnswer<T, 2> needs_more() const {
    SurfaceAnswer<T, 2> answer{};
    answer.bytes_needed = arena_.used() + this->missing_ + 64 * sizeof(ChainContact);
    return answer;
  }

  /// How far a segment is that keeps others from being felt at a place that it has. One that the
  /// shape is behind has no contact there, and one beyond an open end has it in another chain,
  /// which rounds otherwise: so these must be nearer than by rounding.
  double rival_distance(const ListedSegment& segment) const {
    if (segment.is_own) return segment.distance;
    const double rounding = 4 * touching_ + this->distance_rounding();
    return segment.distance + rounding + (segment.is_behind ? 0 : 4 * this->chain_rounding());
  }
  /// Whether an apart segment's nearest place is nearest on all segments that have it: those at its
  /// vertex, and any others that touch or cross there.
  bool is_felt(std::int32_t t) const {
    const ListedSegment& segment = list_[t];
    if (segment.feature == kBetween) return segment.below <= 0;
    const double width = 8 * this->chain_rounding();
    const auto is_nearer_there = [&](const ListedSegment& other) {
      if (other.state == SegmentState::far) return false;
      if (!(rival_distance(other) < segment.distance)) return false;
      const Vector2 along = other.end[1] - other.end[0], from = segment.on_segment - other.end[0];
      const double share = dot(from, along) / dot(along, along);
      const Vector2 apart = from - scaled(along, share > 0 ? (share < 1 ? share : 1) : 0);
      return dot(apart, apart) <= width * width;
    };
    // Those beside it are the likeliest.
    for (int end = 0; end < 2; ++end) {
      const std::int32_t o = this->listed_beside(t, end);
      if (o >= 0 && is_nearer_there(list_[o])) return false;
    }
    for (std::int32_t o = 0; o < count_; ++o) {
      if (o != t && is_nearer_there(list_[o])) return false;
    }
    return true;
  }

  bool is_own_segment(std::int32_t number) const {
    return number >= chain_->own_begin && number < chain_->own_end;
  }
  void add_apart(std::int32_t t) {
    ListedSegment& segment = list_[t];
    segment.contact = contact_count_;
    contacts_[contact_count_++] = {segment.away,
                                   -segment.distance,
                                   segment.on_core,
                                   segment.on_segment,
                                   segment.segment,
                                   segment.feature,
                                   segment.core_name,
                                   0,
                                   -1,
                                   false};
  }
  void add_hit(std::int32_t t) {
    ListedSegment& segment = list_[t];
    segment.contact = contact_count_;
    const int lowest = core_.lowest(segment.way);
    ChainContact& contact = contacts_[contact_count_++];
    contact = {segment.way,
               segment.way_depth,
               core_.vertex[lowest],
               core_.vertex[lowest] + scaled(segment.way, segment.way_depth),
               segment.way_segment,
               segment.way_feature,
               core_.vertex_name(lowest),
               std::uint8_t(core_.count == 1 && segment.way_depth == 0 ? 1 : 0),
               -1,
               false};
    if (segment.way_feature == kBetween) return;
    // The core's point is straight behind the vertex, or it is a corner of the core.
    contact.on_segment = this->position(segment.way_segment + (segment.way_feature - kAtEnd));
    if (!is_own_segment(segment.way_segment)) {  // named by what this chain has of the line
      contact.segment = segment.segment;
      contact.feature = kBetween;
    }
    for (int e = 0; e < core_.edge_count(); ++e) {
      if (!(dot(core_.normal[e], segment.way) <= -1 + 1e-12)) continue;
      const Vector2 own = core_.vertex[core_.next(e)] - core_.vertex[e];
      const Vector2 behind = contact.on_segment - scaled(segment.way, segment.way_depth);
      const double at = dot(behind - core_.vertex[e], own);
      if (!(at > 0 && at < dot(own, own))) continue;
      contact.on_core = behind;
      contact.core_name = core_.edge_name(e);
    }
  }

  /// The hit segments' ways out, the shortest first; what one clears has none of its own.
  void add_hits(std::int32_t* order) {
    this->find_ways();
    std::int32_t count = 0;
    for (std::int32_t t = 0; t < count_; ++t) {
      if (list_[t].state == SegmentState::hit) order[count++] = t;
    }
    heap_sort(order, count, [&](std::int32_t a, std::int32_t b) {
      const double x = list_[a].way_depth, y = list_[b].way_depth;
      return x != y ? x < y : a < b;
    });
    for (std::int32_t k = 0; k < count; ++k) {
      const std::int32_t t = order[k];
      if (list_[t].cleared_from >= 0) continue;
      this->clear_by(t);
      if (list_[t].is_own) {
        add_hit(t);
        continue;
      }
      // A neighbour's way out stands for own segments as well: those with nearly its direction are
      // this chain's part of the patch.
      for (std::int32_t n = k; n < count; ++n) {
        const ListedSegment& own = list_[order[n]];
        if (own.cleared_from != t || !own.is_own || own.contact >= 0) continue;
        if (!(dot(own.way, list_[t].way) >= run_.patch_cosine)) continue;
        add_hit(order[n]);
        ChainContact& contact = contacts_[contact_count_ - 1];
        contact.away = list_[t].way;
        contact.depth = list_[t].way_depth;
        contact.is_lent = core_.count > 1;
        break;
      }
    }
  }

  void set_normal(const ChainContact& contact, SurfacePatch<T, 2>& patch) const {
    const Vector2 normal = place_.to_scene(contact.away);
    for (int k = 0; k < 2; ++k) patch.normal[k] = static_cast<T>(0 - normal[k]);
    patch.depth = static_cast<T>(this->radii() + contact.depth);
    patch.status = contact.status;
    patch.point_count = 0;
  }

  SurfaceAnswer<T, 2> nearest_answer(SurfaceAnswer<T, 2>& answer) {
    SurfacePatch<T, 2>* const patch = arena_.template take<SurfacePatch<T, 2>>(1);
    contacts_ = arena_.template take<ChainContact>(1);
    if (patch == nullptr || contacts_ == nullptr) return needs_more();
    this->find_ways();
    std::int32_t best = -1;
    const auto distance_of = [&](const ListedSegment& segment) {
      return segment.state == SegmentState::hit ? 0 : segment.distance;
    };
    for (std::int32_t t = 0; t < count_; ++t) {
      const ListedSegment& segment = list_[t];
      if (segment.state == SegmentState::far || !segment.is_own) continue;
      if (best < 0 || distance_of(segment) < distance_of(list_[best])) best = t;
    }
    if (best < 0) return answer;
    list_[best].state == SegmentState::hit ? add_hit(best) : add_apart(best);
    const ChainContact& contact = contacts_[0];
    set_normal(contact, *patch);
    ChainPoint point{0, contact.depth, contact.on_core, 0, 0};
    this->name_place(contact.segment, contact.feature, point.part, point.feature);
    point.feature |= contact.core_name << 16;
    this->set_point(contact.away, point, patch->points[0]);
    patch->point_count = 1;
    if (patch->depth > 0) patch->depth = patch->points[0].depth = 0;
    answer.patches = patch;
    answer.count = 1;
    return answer;
  }

  /// Whether a direction begins a patch before another one that is as deep but for rounding: by the
  /// scene's axes, so that numbers of segments do not decide.
  bool begins(const Vector2& a, const Vector2& b) const {
    const Vector2 ahead = place_.to_scene(a - b);
    for (const int k : {1, 0}) {
      if (magnitude(ahead[k]) > 1e-6) return ahead[k] > 0;
    }
    return false;
  }

  SurfaceAnswer<T, 2> patches(SurfaceAnswer<T, 2>& answer) {
    const auto room_for = static_cast<std::size_t>(count_);
    contacts_ = arena_.template take<ChainContact>(room_for);
    std::int32_t* const order = arena_.template take<std::int32_t>(room_for);
    std::int32_t* const first = arena_.template take<std::int32_t>(room_for);
    SurfacePatch<T, 2>* const found = arena_.template take<SurfacePatch<T, 2>>(room_for);
    SurfacePatch<T, 2>* const ascending = arena_.template take<SurfacePatch<T, 2>>(room_for);
    if (contacts_ == nullptr || order == nullptr || first == nullptr || found == nullptr ||
        ascending == nullptr) {
      return needs_more();
    }
    for (std::int32_t t = 0; t < count_; ++t) {
      const ListedSegment& segment = list_[t];
      if (segment.state != SegmentState::apart || !segment.is_own) continue;
      if (segment.distance <= limit_ && is_felt(t)) add_apart(t);
    }
    add_hits(order);
    const FoundChainContacts<T> settled{run_,      this->own_,     place_,    core_, *chain_,
                                        contacts_, contact_count_, touching_, arena_};
    if (run_.flush != nullptr && !settle_(settled)) return needs_more();
    const double least = -margin_ - this->radii();
    std::int32_t count = 0;
    for (std::int32_t c = 0; c < contact_count_; ++c) {
      if (contacts_[c].depth >= least) order[count++] = c;
    }
    heap_sort(order, count, [&](std::int32_t a, std::int32_t b) {
      const double x = contacts_[a].depth, y = contacts_[b].depth;
      return x != y ? x > y : a < b;
    });
    std::int32_t patch_count = join(order, count, first), kept = 0;
    answer.patches = found;
    for (std::int32_t p = 0; p < patch_count; ++p) {
      const ChainContact& contact = contacts_[first[p]];
      set_normal(contact, found[kept]);
      if (run_.pairs.question != Question::contact || contact.is_lent) {
        this->find_points(p, contact, found[kept]);
        if (found[kept].point_count == 0) continue;  // all of it is a neighbour's
      }
      ++kept;
    }
    patch_count = kept;
    answer.count = patch_count;
    if (run_.pairs.question == Question::contact) return answer;
    for (std::int32_t p = 0; p < patch_count; ++p) order[p] = p;
    const auto is_lower = [&](std::int32_t a, std::int32_t b) {
      const auto &x = found[a].points[0], &y = found[b].points[0];
      return x.part != y.part ? x.part < y.part : a < b;
    };
    if (run_.most_patches > 0 && run_.most_patches < patch_count) {
      heap_sort(order, patch_count, [&](std::int32_t a, std::int32_t b) {
        return found[a].depth != found[b].depth ? found[a].depth > found[b].depth : is_lower(a, b);
      });
      answer.left_out = patch_count - run_.most_patches;
      answer.count = run_.most_patches;
    }
    heap_sort(order, static_cast<std::int32_t>(answer.count), is_lower);
    for (std::int32_t p = 0; p < answer.count; ++p) ascending[p] = found[order[p]];
    answer.patches = ascending;
    return answer;
  }

  /// Gives the contacts, the deepest first, to patches; `first`: the contact that begins each.
  std::int32_t join(const std::int32_t* order, std::int32_t count, std::int32_t* first) {
    std::int32_t patch_count = 0;
    const auto patch_of = [&](const ChainContact& contact) {
      for (std::int32_t p = 0; p < patch_count; ++p) {
        if (dot(contacts_[first[p]].away, contact.away) >= run_.patch_cosine) return p;
      }
      return -1;
    };
    for (std::int32_t n = 0; n < count; ++n) {
      ChainContact& contact = contacts_[order[n]];
      if (contact.patch >= 0) continue;  // it has begun one
      while ((contact.patch = patch_of(contact)) < 0) {
        std::int32_t best = order[n];
        for (std::int32_t m = n + 1; m < count; ++m) {
          const ChainContact& other = contacts_[order[m]];
          if (!(other.depth >= contact.depth - this->rounding())) break;
          if (other.patch >= 0 || patch_of(other) >= 0) continue;
          if (begins(other.away, contacts_[best].away)) best = order[m];
        }
        contacts_[best].patch = patch_count;
        first[patch_count++] = best;
        if (best == order[n]) break;
      }
    }
    return patch_count;
  }

  const Settle& settle_;
  double limit_ = 0;
};

}  // namespace
}  // namespace widephase
