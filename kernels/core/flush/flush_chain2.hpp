#pragma once

// Contacts of a part with a chain in 2D, for the rule of flush_rule.hpp. As of a surface
// (flush_surface3.hpp), what is foremost of a chain is climbed to, from where the contact is.

#include "kernels/core/chain/chain_search.hpp"
#include "kernels/core/flush/flush_ways2.hpp"
#include "kernels/flush_shape.hpp"

namespace widephase {
namespace {

/// A chain about a segment of it, seen from the anchor of a shape's row in the scene's axes.
template <class T>
struct ChainOfPart {
  using Support = typename FlushSolid2<T>::Support;
  static constexpr int kMostSteps = 256;

  const ChainView<T>* chain;
  const ChainPlace* placed;
  std::int32_t segment;
  bool is_flipped;  ///< the shape is at its back
  double radius;
  double far;  ///< nothing farther from the segment counts

  /// A vertex begins the segment of its number; an open end begins none.
  Vector2 vertex(int v) const {
    const T* const at = chain->positions + 2 * std::ptrdiff_t{v};
    const Vector2 about_core = Vector2{{double(at[0]), double(at[1])}} - placed->middle;
    return placed->to_scene(about_core + placed->from_anchor) + placed->rest;
  }
  /// The vertex after one, or before it; -1 beyond an open end.
  int beside(int v, bool is_after) const {
    const int count = chain->segment_count;
    if (is_after) return v + 1 < count ? v + 1 : chain->is_loop ? 0 : v < count ? count : -1;
    return v > 0 ? v - 1 : chain->is_loop ? count - 1 : -1;
  }
  int end_of(int e) const { return beside(e, true); }
  Vector2 first_of(int e) const { return vertex(is_flipped ? end_of(e) : e); }
  Vector2 last_of(int e) const { return vertex(is_flipped ? e : end_of(e)); }
  Vector2 normal(int e) const { return right_of(unit_along(last_of(e) - first_of(e))); }

  Support farthest_along(const Vector2& u) const {
    int best = segment;
    double height = dot(u, vertex(best));
    const auto climb = [&](int next) {
      if (next < 0) return false;
      const double here = dot(u, vertex(next));
      if (!(here > height)) return false;
      height = here;
      best = next;
      return true;
    };
    climb(end_of(segment));
    const double start = height;
    for (const bool is_after : {true, false}) {
      const int from = best;
      for (int step = 0; step < kMostSteps && height - start <= far; ++step) {
        if (!climb(beside(best, is_after))) break;
      }
      if (best != from) break;
    }
    return {vertex(best), best};
  }
  int other_end(const Vector2& u, int v, double rounding) const {
    const double least = dot(u, vertex(v)) - rounding;
    for (const bool is_after : {true, false}) {
      const int other = beside(v, is_after);
      if (other >= 0 && dot(u, vertex(other)) >= least) return other;
    }
    return v;
  }
  /// How far a place, seen along a segment's normal, is from the segment.
  double off_side(int e, const Vector2& place) const {
    const Vector2 first = first_of(e), along = unit_along(last_of(e) - first);
    const double x = dot(along, place - first), end = dot(along, last_of(e) - first);
    return x < 0 ? 0 - x : x > end ? x - end : 0;
  }
  /// Calls `op(vertex, segment after it)` from what is foremost along the first direction to what
  /// is along the last, both into the chain; the segment is -1 at the end.
  template <class Op>
  void for_each_between(const Vector2& from, const Vector2& to, const Op& op) const {
    int v = farthest_along(-from).number;
    Vector2 last = from;
    for (int step = 0; step < kMostSteps; ++step) {
      const int next = beside(v, !is_flipped);
      const int e = next < 0 ? -1 : is_flipped ? next : v;
      const Vector2 u = e < 0 ? to : -normal(e);
      const bool is_last = e < 0 || !(cross(u, to) > 0) || (step > 0 && cross(last, u) < 0);
      op(v, is_last ? -1 : e);
      if (is_last) return;
      last = u;
      v = next;
    }
  }
  template <class Op>
  void for_each_edge(const Vector2& from, const Vector2& to, const Op& op) const {
    for_each_between(from, to, [&](int, int e) {
      if (e >= 0) op(e);
    });
  }
  template <class Op>
  void for_each_vertex(const Vector2& from, const Vector2& to, const Op& op) const {
    for_each_between(from, to, [&](int v, int) { op(v); });
  }
};

template <class T>
class FlushChain : FlushWays2<T> {
 public:
  using Ways = FlushWays2<T>;
  using typename Ways::Solid;
  using typename Ways::Support;
  /// Memory for a contact.
  using Room = typename Ways::Neighbours;
  /// The direction out of the part, its depth with the chain's thickness, and where the part is
  /// foremost along it, nearest to the contact: a vertex, or a side between two.
  struct Answer {
    Vector2 normal;
    double depth;
    Vector2 on_part;
    std::uint32_t name;
    std::uint8_t status;
  };

  /// `contact`: its point is set by `touch`.
  FlushChain(const FlushRows<T>& rows, FlushContact<T, 2>& contact, const ChainOfPart<T>& chain,
             Room& room)
      : Ways(rows, contact, chain.radius, room), other_(chain), own_(contact) {
    for (int k = 0; k < 2; ++k) normal_[k] = double(contact.normal[k]);
  }

  /// The contact's point is where the part meets a segment: what of that is nearest to the rest
  /// that neighbours leave of the part's side.
  void touch(const Vector2 (&end)[2], const Vector2& near) {
    const Support far = a_.farthest_along(normal_);
    const Vector2 from = far.point;
    const Vector2 along = a_.vertex(a_.other_end(normal_, far.number, rounding_)) - from;
    const double length2 = dot(along, along);
    Vector2 place = a_.end_along(normal_, near, rounding_);
    if (length2 > 0) {
      double low = dot(end[0] - from, along) / length2, high = dot(end[1] - from, along) / length2;
      if (low > high) {
        const double other = low;
        low = high;
        high = other;
      }
      low = low > 0 ? (low < 1 ? low : 1) : 0;
      high = high > 0 ? (high < 1 ? high : 1) : 0;
      const int side = a_.face_along(normal_, kSameFlushAngle<T>);
      double share = 0.5 * (low + high), least = kInfinite<double>;
      for (const double there : {0.5 * (low + high), low, high}) {
        const double off = side < 0 ? 0 : a_.aside(side, from + scaled(along, there));
        if (!(off < least)) continue;
        least = off;
        share = there;
      }
      if (side >= 0 && least > 0)
        open_between(side, from + scaled(along, low), from + scaled(along, high), from, along,
                     share);
      place = from + scaled(along, share);
    }
    for (int k = 0; k < 2; ++k) own_.point[k] = place[k];
  }

  /// `near`: a place of the segment near the part.
  bool replace(const Vector2& near, Answer& answer) {
    const bool is_found = this->find_best([&](bool by_a, const Vector2& u, const Vector2& place) {
      this->try_ways(by_a, u, place, other_);
      try_segments();
    });
    // What overlaps is apart in no direction: then the contact stood for more than was climbed to.
    if (!is_found || (contact_.depth >= 0 && !(best_.depth >= 0))) return false;
    const Vector2& u = answer.normal = best_.normal;
    const double most = contact_.depth < 0 ? double(contact_.depth) : kInfinite<double>;
    answer.depth = best_.depth < most ? best_.depth : most;  // apart they stay as far apart
    answer.status = this->status_;
    answer.on_part = a_.end_along(u, near, rounding_);
    const int v = a_.farthest_along(u).number, w = a_.other_end(u, v, rounding_);
    const auto is_at = [&](int corner) {
      return length_of(answer.on_part - a_.vertex(corner)) <= rounding_;
    };
    answer.name = is_at(v)   ? a_.core.vertex_name(v)
                  : is_at(w) ? a_.core.vertex_name(w)
                             : a_.core.edge_name(a_.core.next(v) == w ? v : w);
    return ((u[0] - u[0]) + (u[1] - u[1])) + (answer.depth - answer.depth) == 0;
  }

 private:
  using Ways::a_;
  using Ways::best_;
  using Ways::contact_;
  using Ways::rounding_;

  /// A place between two of a side that neighbours leave in part, if there is one that they leave.
  void open_between(int side, const Vector2& low, const Vector2& high, const Vector2& from,
                    const Vector2& along, double& share) const {
    const std::int32_t left = a_.left_of(side);
    if (left < 0) return;
    const FlushView& view = a_.side->view;
    const Vector2 across{{0 - a_.core.normal[side][1], a_.core.normal[side][0]}};
    const double start = dot(across, a_.vertex(side));
    const double x = dot(across, low) - start, y = dot(across, high) - start;
    for (std::int32_t p = left; p >= 0; p = view.pieces[p].next) {
      const double* const ends = view.corners + view.pieces[p].first_corner;
      if (!(ends[0] >= (x < y ? x : y) && ends[0] <= (x < y ? y : x))) continue;
      const Vector2 place = a_.vertex(side) + scaled(across, ends[0]);
      share = dot(place - from, along) / dot(along, along);
      return;
    }
  }

  /// The normals of the segment and those before and after it, at a vertex of the part: those at
  /// its sides are tried there.
  void try_segments() {
    constexpr int kMostBeside = 32;
    try_segment(other_.segment);
    for (const bool is_after : {true, false}) {
      int e = other_.segment;
      for (int n = 0; n < kMostBeside; ++n) {
        e = other_.beside(e, is_after);
        if (e < 0 || e >= other_.chain->segment_count || e == other_.segment) break;
        try_segment(e);
      }
    }
  }
  void try_segment(int e) {
    const Vector2 u = -other_.normal(e);
    const Support far = a_.farthest_along(u);
    const double depth = dot(u, far.point - other_.farthest_along(-u).point) + other_.radius;
    if (!(depth < best_.length)) return;
    if (a_.other_end(u, far.number, rounding_) != far.number) return;
    const double longer =
        other_.off_side(e, far.point) + this->climb(a_, u, far.point, best_.length - depth);
    this->take(true, u, depth, longer, false, far, T(0));
  }

  const ChainOfPart<T>& other_;
  FlushContact<T, 2>& own_;
  Vector2 normal_;
};

/// Gives contacts of flush parts that their solids do not feel another direction.
template <class T>
class UnfeltOnChains {
 public:
  using Found = FoundChainContacts<T>;
  /// False if the arena is too small.
  bool operator()(const Found& found) const {
    const FlushShape part = flush_shape(*found.run.flush, found.run.pairs.kind_a, found.own.a);
    if (part.part < 0) return true;
    auto* const room = found.arena.template take<typename FlushChain<T>::Room>(1);
    if (room == nullptr) return false;
    for (std::int32_t c = 0; c < found.count; ++c) replace(found, part, found.contacts[c], *room);
    return true;
  }

 private:
  static Vector2 about_anchor(const Found& found, const Vector2& about_core) {
    return found.place.to_scene(about_core + found.place.from_anchor) + found.place.rest;
  }
  static void replace(const Found& found, const FlushShape& part, ChainContact& contact,
                      typename FlushChain<T>::Room& room) {
    const ChainPlace& place = found.place;
    const Vector2 out = place.to_scene(-contact.away);
    FlushContact<T, 2> asked{part, {found.run.pairs.kind_b, found.own.b, -1, 0}, {}, {}, {}};
    for (int k = 0; k < 2; ++k) asked.normal[k] = T(out[k]);
    if (is_on_open_side(*found.run.flush, part, asked.normal)) return;
    const double radii = found.core.radius + place.thickness;
    asked.depth = T(radii + contact.depth);
    const auto position = [&](std::int32_t vertex) {
      const T* const at = found.chain.positions + 2 * std::ptrdiff_t{vertex};
      return Vector2{{double(at[0]), double(at[1])}} - place.middle;
    };
    const Vector2 ends[2] = {position(contact.segment), position(contact.segment + 1)};
    const Vector2 normal = right_of(unit_along(ends[1] - ends[0]));
    const bool is_flipped = found.chain.is_two_sided && dot(normal, found.core.inner - ends[0]) < 0;
    const ChainOfPart<T> chain{&found.chain, &place, contact.segment,
                               is_flipped,   radii,  4 * found.core.reach};
    FlushChain<T> rule(*found.run.flush, asked, chain, room);
    const Vector2 near =
        about_anchor(found, contact.feature == kBetween ? contact.on_core : contact.on_segment);
    const int end = contact.feature == kBetween ? 0 : contact.feature - kAtEnd;
    const bool is_apart = contact.depth < 0;
    const Vector2 touched[2] = {
        about_anchor(found, is_apart ? contact.on_core : ends[end]),
        about_anchor(found,
                     is_apart ? contact.on_core : ends[contact.feature == kBetween ? 1 : end])};
    rule.touch(touched, near);
    typename FlushChain<T>::Answer answer;
    if (!rule.replace(near, answer)) return;
    contact.away = place.to_chain(-answer.normal);
    contact.depth = answer.depth - radii;
    contact.on_core = place.to_chain(answer.on_part - place.rest) - place.from_anchor;
    contact.on_segment = contact.on_core + scaled(contact.away, contact.depth);
    contact.core_name = answer.name;
    contact.status = answer.status;
    const double rise = dot(contact.away, ends[1] - ends[0]);
    contact.feature = magnitude(rise) <= found.touching ? kBetween : rise > 0 ? kAtEnd + 1 : kAtEnd;
  }
};

}  // namespace
}  // namespace widephase
