#pragma once

// A shape of a contact in 2D, or a part beside it, about the anchor of the contact's A. Sides and
// vertices of parts, which are aabbs, boxes or polygons, go around counter-clockwise; the lists of
// `FlushView` have them by the numbers of their features.

#include "kernels/core/chain/chain_core.hpp"
#include "kernels/core/flush/flush_rule.hpp"

namespace widephase {
namespace {

/// The number of a feature without the bits that say which kind it is.
WIDEPHASE_INLINE std::int32_t feature_number(std::uint32_t feature) {
  return static_cast<std::int32_t>(feature & 0x3fff);
}

template <class T>
struct FlushSolid2 {
  struct Support {
    Vector2 point;
    int number;
  };

  ChainCore core;
  Vector2 at;     ///< the middle of its core
  double radius;  ///< outside of the core; 0 of parts
  const FlushSide* side;
  const FlushPart* part;  ///< null: it has no neighbours

  void read(const FlushRows<T>& rows, Kind kind, std::int32_t id, const Vector2& origin) {
    const int k = static_cast<int>(kind);
    const T* const row = rows.rows[k] + std::ptrdiff_t{id} * rows.row_width[k];
    side = nullptr;
    part = nullptr;
    const auto as_it_is = [](const Vector2& v) { return v; };
    at = flush_anchor<2>(rows, kind, id) - origin;
    at = at + read_core(kind, row, rows.library, as_it_is, core);
    if (core.form == FlatForm::polygon && rows.rests != nullptr) {
      for (int d = 0; d < 2; ++d) at[d] += double(rows.rests[std::ptrdiff_t{id} * 4 + d]);
    }
    radius = core.radius;
  }
  double reach() const { return core.reach; }
  static Vector2 unit_or(const Vector2& v, const Vector2& otherwise) {
    return dot(v, v) > 0 ? unit_along(v) : otherwise;
  }

  int vertex_count() const { return core.count; }
  Vector2 vertex(int v) const { return at + core.vertex[v]; }
  T vertex_name(int v) const { return T(core.vertex_name(v)); }
  T edge_name(int e) const { return T(core.edge_name(e)); }
  int before(int v) const { return v > 0 ? v - 1 : core.count - 1; }
  /// The core's farthest point along a direction.
  Support farthest_along(const Vector2& u) const {
    const int v = core.lowest(-u);
    return {vertex(v), v};
  }
  /// The other end of a side that is farthest along a direction with a vertex, within rounding;
  /// that vertex if there is none.
  int other_end(const Vector2& u, int v, double rounding) const {
    const double least = dot(u, core.vertex[v]) - rounding;
    const int next = core.next(v), last = before(v);
    if (dot(u, core.vertex[next]) >= least) return next;
    return dot(u, core.vertex[last]) >= least ? last : v;
  }
  /// The point of what is farthest along a direction that is nearest to a place. The points of a
  /// contact may lag behind by a small angle.
  Vector2 end_along(const Vector2& u, const Vector2& place, double rounding) const {
    const Support far = farthest_along(u);
    const Vector2 along = vertex(other_end(u, far.number, rounding)) - far.point;
    const double length2 = dot(along, along), t = dot(place - far.point, along);
    const double share = share_of(t, length2);
    return far.point + scaled(along, share);
  }

  // As what another shape's directions lead out to.
  Vector2 normal(int e) const { return core.normal[e]; }
  Vector2 first_of(int e) const { return vertex(e); }
  Vector2 last_of(int e) const { return vertex(core.next(e)); }
  /// Whether an edge of a shape that is no part lies inside its owner.
  bool is_inner(int e) const { return part == nullptr && core.is_inner[e] != 0; }
  /// How far a place, seen along a side's normal, is from the side.
  double off_side(int e, const Vector2& place) const {
    const Vector2 off = place - vertex(e), &normal = core.normal[e];
    const Vector2 along{{0 - normal[1], normal[0]}};
    const double end = dot(along, core.vertex[core.next(e)] - core.vertex[e]);
    const double x = dot(along, off);
    return x < 0 ? 0 - x : x > end ? x - end : 0;
  }
  /// Calls `op` for what may count between two directions out of the other shape.
  template <class Op>
  void for_each_edge(const Vector2&, const Vector2&, const Op& op) const {
    for (int e = 0; e < core.edge_count(); ++e) {
      if (!is_inner(e)) op(e);
    }
  }
  template <class Op>
  void for_each_vertex(const Vector2&, const Vector2&, const Op& op) const {
    for (int v = 0; v < core.count; ++v) {
      if (core.count < 2 || !(is_inner(v) || is_inner(before(v)))) op(v);
    }
  }

  // What follows is for parts.
  std::int32_t left_of(int e) const {
    return side->view.faces[part->first_face + feature_number(core.edge_name(e))];
  }
  bool is_vertex_felt(int v) const {
    return side->view.edges[part->first_edge + feature_number(core.vertex_name(v))] != 0;
  }
  /// The side whose normal is within `angle` of a unit direction; -1 if there is none.
  int face_along(const Vector2& u, double angle) const {
    for (int e = 0; e < core.count; ++e) {
      const Vector2 off = core.normal[e] - u;
      if (dot(off, off) <= angle * angle) return e;
    }
    return -1;
  }
  /// Whether a part has a point in it, or within `slack` of each of its sides' lines.
  bool has(const Vector2& point, double slack) const {
    const Vector2 own = point - at;
    for (int e = 0; e < core.count; ++e) {
      if (dot(core.normal[e], own - core.vertex[e]) > slack) return false;
    }
    return true;
  }
  /// How far places of a side between two, seen along its normal, are from what neighbours leave of
  /// it.
  double aside(int e, const Vector2& place, const Vector2& other) const {
    const std::int32_t left = left_of(e);
    if (left == kOpenFace) return 0;
    if (left == kCoveredFace) return kInfinite<double>;
    const Vector2 along{{0 - core.normal[e][1], core.normal[e][0]}};
    const double start = dot(along, vertex(e)), end = dot(along, vertex(core.next(e))) - start;
    // Beside the side its ends count, as of sides that are open.
    const auto on_side = [&](const Vector2& point) {
      const double x = dot(along, point) - start;
      return x > 0 ? (x < end ? x : end) : 0;
    };
    const double x = on_side(place), y = on_side(other);
    const double low = x < y ? x : y, high = x < y ? y : x;
    const FlushView& view = side->view;
    double least = kInfinite<double>;
    for (std::int32_t p = left; p >= 0; p = view.pieces[p].next) {
      const double* const ends = view.corners + view.pieces[p].first_corner;
      const double under = ends[0] - high, over = low - ends[1];
      const double off = under > over ? under : over;
      least = off < least ? off : least;
    }
    return least > 0 ? least : 0;
  }
  double aside(int e, const Vector2& place) const { return aside(e, place, place); }
};

}  // namespace
}  // namespace widephase
