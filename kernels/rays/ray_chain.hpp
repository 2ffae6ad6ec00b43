#pragma once

// A ray against a chain: its segments, through the tree of their bounds (soa/chain_view.hpp), in
// the plane z = 0 of the vectors that rays against surfaces have.
//
// A segment is met where its ends are not on the same side of the ray. On which side a vertex is,
// is computed from the vertex alone, so both segments that share it agree, and no ray passes
// between them. One-sided segments let rays from behind pass, and none is met by a ray along it.
// Without thickness a chain has no inside.
// Normal: of the segment, to the ray's side. Of equal t the lowest segment is named.
// Cost: 2 divisions per segment that is met.
//
// A cast ball, or one against a chain with thickness, meets segments and vertices at its radius, of
// one-sided segments only while its centre is in front.

#include "kernels/core/chain/chain_walk.hpp"
#include "kernels/rays/sheet_ray.hpp"

namespace widephase {
namespace {

/// A point of a chain's plane.
WIDEPHASE_INLINE Vector in_plane(const Vector2& v) { return {{v[0], v[1], 0}}; }

template <class T>
WIDEPHASE_INLINE Vector chain_vertex(const ChainView<T>& chain, std::int32_t vertex) {
  const T* const at = chain.positions + 2 * std::ptrdiff_t{vertex};
  return {{double(at[0]), double(at[1]), 0}};
}
/// Unit, to the right.
template <class T>
WIDEPHASE_INLINE Vector chain_normal(const ChainView<T>& chain, std::int32_t segment) {
  const Vector along = chain_vertex(chain, segment + 1) - chain_vertex(chain, segment);
  return in_plane(right_of(unit_along({{along[0], along[1]}})));
}

inline constexpr int kMostOpenPlaces = kMostChainLevels * kChainTile;

/// Calls `op(segment)` for own segments whose bounds a box meets on its way from `first` to
/// `last()`, which may come nearer; the near ones first.
template <class T, class Last, class Op>
void walk_chain_way(const ChainView<T>& chain, const double* low, const double* high,
                    const Vector& along, double first, const Last& last, const Op& op) {
  struct OpenPlaces {
    int level;
    std::int32_t begin;  ///< of a tile; on level -1 the segment
    double entry;
  };
  OpenPlaces open[kMostOpenPlaces];
  int count = 1;
  open[0] = {chain.level_count - 1, 0, first};
  while (count > 0) {
    const OpenPlaces at = open[--count];
    if (at.entry > last()) continue;
    if (at.level < 0) {
      op(at.begin);
      continue;
    }
    const int bottom = count;  // the tile's own, the nearest last
    const std::int32_t places = places_of(chain, at.level);
    for (std::int32_t place = at.begin; place < places && place < at.begin + kChainTile; ++place) {
      if (at.level == 0 && (place < chain.own_begin || place >= chain.own_end)) continue;
      const ChainBounds bounds = bounds_of_place(chain, at.level, place);
      BoxStretch way{first, last()};
      for (int k = 0; k < 2; ++k) {
        way.cut(low[k], high[k], along[k], bounds.low[k], bounds.high[k]);
      }
      if (way.is_empty()) continue;
      int to = count++;
      for (; to > bottom && open[to - 1].entry < way.from; --to) open[to] = open[to - 1];
      open[to] = {at.level - 1, at.level == 0 ? place : place * kChainTile, way.from};
    }
  }
}

template <class T>
class ChainRay : public SheetRay<ChainRay<T>> {
  friend class SheetRay<ChainRay<T>>;
  using SheetRay<ChainRay<T>>::ray_;

 public:
  ChainRay(const ChainView<T>& chain, const SurfaceRay& ray)
      : SheetRay<ChainRay<T>>(ray), chain_(chain) {
    for (int k = 0; k < 2; ++k) {
      const double below = magnitude(double(chain.low[k])),
                   above = magnitude(double(chain.high[k]));
      const double size = below > above ? below : above;
      const double grown = ray.reach + 1e-13 * (magnitude(ray.origin[k]) + size + ray.reach);
      low_[k] = ray.origin[k] - grown;
      high_[k] = ray.origin[k] + grown;
    }
  }

 private:
  /// How far to the left of the ray a vertex is, by the direction's length.
  double side_of(const Vector& apart) const {
    return ray_.direction[0] * apart[1] - ray_.direction[1] * apart[0];
  }
  SurfaceMeet meet(std::int32_t segment) const {
    const Vector a = chain_vertex(chain_, segment) - ray_.origin;
    const Vector b = chain_vertex(chain_, segment + 1) - ray_.origin;
    const double from = side_of(a), to = side_of(b), whole = from - to;
    SurfaceMeet found;
    const bool is_front = from >= 0 && to <= 0, is_back = from <= 0 && to >= 0;
    if (whole == 0 || !(is_front || (is_back && chain_.is_two_sided))) return found;
    // What each end adds lies along the ray alone: the rest cancels.
    const double height = from * dot(ray_.direction, b) - to * dot(ray_.direction, a);
    const double t = height / whole / dot(ray_.direction, ray_.direction);
    if (!(t >= 0)) return found;
    found.is_met = true;
    found.t = t;
    found.part = segment;
    found.feature = surface_edge(0);
    return found;
  }
  /// To the ray's side.
  Vector normal_of(std::int32_t segment) const {
    const Vector normal = chain_normal(chain_, segment);
    return dot(normal, ray_.direction) > 0 ? -normal : normal;
  }

  /// All within reach of a segment, in front of it if it has one side. Vertices that segments share
  /// have the same bits in both.
  Stretch body_of(std::int32_t segment) const {
    const Vector a = chain_vertex(chain_, segment), b = chain_vertex(chain_, segment + 1);
    const Vector normal = chain_normal(chain_, segment), along = b - a, apart = ray_.origin - a;
    const double height = dot(normal, apart), rise = dot(normal, ray_.direction);
    const double place = dot(along, apart), speed = dot(along, ray_.direction);
    double from = -__builtin_inf(), to = __builtin_inf();
    cut_half(height + ray_.reach, rise, from, to);
    cut_half(ray_.reach - height, -rise, from, to);
    cut_half(place, speed, from, to);
    cut_half(dot(along, along) - place, -speed, from, to);
    Stretch body;
    const auto side = [&](double t) { return height + t * rise < 0 ? -normal : normal; };
    body.add(from, to, surface_edge(0), side(from), side(to));
    add_ball(ray_, a, surface_vertex(0), body, normal);
    add_ball(ray_, b, surface_vertex(1), body, normal);
    if (chain_.is_two_sided || body.is_empty()) return body;
    return in_front(ray_, a, normal, surface_edge(0), body);
  }

  /// As that of a mesh.
  template <class Op>
  void walk(double first, double last, const double& best, const bool& is_best,
            const Op& op) const {
    const auto limit = [&] { return is_best && best < last ? best : last; };
    walk_chain_way(chain_, low_, high_, ray_.direction, first, limit, op);
  }

  const ChainView<T>& chain_;
  double low_[2], high_[2];  ///< of the ball at the ray's origin, and more than rounding
};

}  // namespace
}  // namespace widephase
