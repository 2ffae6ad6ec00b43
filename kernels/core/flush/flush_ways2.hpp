#pragma once

// The directions of a part in 2D, an aabb, box or polygon, for the rule of flush_rule.hpp: those of
// its sides and vertices. What they lead out to is a shape or a chain.

#include "kernels/core/flush/flush_solid2.hpp"

namespace widephase {
namespace {

template <class T>
class FlushWays2 : protected FlushRule<T, FlushSolid2<T>, 2> {
 protected:
  using Solid = FlushSolid2<T>;
  using Support = typename Solid::Support;
  using Rule = FlushRule<T, Solid, 2>;
  using Rule::a_;
  using Rule::b_;
  using Rule::best_;
  using Rule::contact_;
  using Rule::image_;
  using Rule::rounding_;
  using Rule::Rule;
  using Rule::solid;
  using typename Rule::Side;
  using typename Rule::Source;
  static constexpr double kSameAngle = kSameFlushAngle<T>;

  /// Those of a part and of its neighbours, see `try_sources`.
  template <class Other>
  void try_ways(bool by_a, const Vector2& u, const Vector2& place, const Other& other) {
    this->try_sources(by_a, u, place, [&](const Source& source) {
      try_sides(by_a, source, other);
      try_vertices(by_a, source, other);
    });
  }

 private:
  template <class Other>
  void try_sides(bool by_a, const Source& source, const Other& other) {
    const Solid& part = source.solid;
    for (int e = 0; e < part.core.count; ++e) {
      if (part.left_of(e) == kCoveredFace) continue;
      const Vector2& u = part.core.normal[e];
      const Support low = other.farthest_along(-u);
      const double depth = dot(u, part.vertex(e) - low.point) + other.radius;
      if (!(depth < best_.length)) continue;
      const int end = other.other_end(-u, low.number, rounding_);
      this->take_of(by_a, source, u, depth, part.aside(e, low.point, other.vertex(end)), low,
                    part.edge_name(e));
    }
  }

  /// Calls `op(normal, along)` for the sides of the neighbours that have a place of a part.
  template <class Op>
  void for_each_side_beside(const Solid& part, const Vector2& place, const Op& op) const {
    Solid other;
    for (int n = 0; n < part.part->neighbour_count; ++n) {
      const Solid& beside = this->neighbour(part, n, other);
      if (!beside.has(place, this->slack(part))) continue;
      for (int e = 0; e < beside.core.count; ++e) {
        op(beside.core.normal[e], beside.last_of(e) - beside.first_of(e));
      }
    }
  }

  /// Where neighbours end what is felt at a vertex: the normals of their sides there, and else the
  /// first and last direction that they leave. The other shape's point is beside the vertex, which
  /// makes them longer by how far that is.
  template <class Other>
  void try_ends(bool by_a, const Source& source, const Other& other, int v, const Vector2& from,
                const Vector2& to) {
    const Solid& part = source.solid;
    const Vector2 at = part.vertex(v);
    const Vector2 &first = part.core.normal[part.before(v)], &last = part.core.normal[v];
    // An end that is not cut off is the normal of a side, which is tried as such.
    const auto is_cut_off = [&](const Vector2& u) {
      return cross(first, u) > kSameAngle && cross(u, last) > kSameAngle;
    };
    const auto try_end = [&](const Vector2& u) {
      const Support low = other.farthest_along(-u);
      const Vector2 off = at - low.point;
      const double depth = dot(u, off) + other.radius, longer = magnitude(cross(u, off));
      if (!(depth + longer < best_.length) || this->exceeds(part, u, at, 0)) return;
      this->take_of(by_a, source, u, depth, longer, low, part.vertex_name(v));
    };
    for_each_side_beside(part, at, [&](const Vector2& u, const Vector2&) {
      if (is_cut_off(u)) try_end(u);
    });
    for (const Vector2& u : {from, to}) {
      if (!is_cut_off(u)) continue;
      bool is_side = false;
      for_each_side_beside(part, at, [&](const Vector2& normal, const Vector2& along) {
        is_side |= dot(normal, u) > 0 && magnitude(dot(along, u)) <= 2 * this->slack(part);
      });
      if (!is_side) try_end(u);
    }
  }

  /// Directions between the normals of a vertex's two sides: of what neighbours leave of them the
  /// shortest is against a side of the other shape that the vertex is under, or leads to a vertex
  /// of it, or is an end. Against a side beside it, it is longer by how far that is: a corner
  /// elsewhere of a side that is nearly parallel does not hold the other shape.
  template <class Other>
  void try_vertices(bool by_a, const Source& source, const Other& other) {
    const Solid& part = source.solid;
    for (int v = 0; v < part.core.count; ++v) {
      const Vector2 at = part.vertex(v);
      Vector2 from = part.core.normal[part.before(v)], to = part.core.normal[v];
      const bool is_left = part.is_vertex_felt(v) && this->cut_arc(part, at, from, to);
      try_ends(by_a, source, other, v, from, to);
      if (!is_left) continue;
      const auto is_between = [&](const Vector2& u) {
        return cross(from, u) > kSameAngle && cross(u, to) > kSameAngle;
      };
      other.for_each_edge(from, to, [&](int e) {
        const Vector2 u = -other.normal(e), p = other.first_of(e);
        if (!is_between(u)) return;
        const double depth = dot(u, at - p) + other.radius;
        if (!(depth < best_.length)) return;
        const Vector2 along = other.last_of(e) - p;
        const double length2 = dot(along, along), t = dot(at - p, along);
        const double share = t > 0 && length2 > 0 ? (t < length2 ? t / length2 : 1) : 0;
        this->take_of(by_a, source, u, depth, other.off_side(e, at),
                      {p + scaled(along, share), -1 - e}, part.vertex_name(v));
      });
      other.for_each_vertex(from, to, [&](int w) {
        const Vector2 off = other.vertex(w) - at;
        const double length = length_of(off);
        for (const double depth : {-length, length}) {  // apart from the vertex, or beyond it
          if (!(length > 0) || !(depth + other.radius < best_.length)) continue;
          const Vector2 u = scaled(off, -1 / depth);
          if (!is_between(u)) continue;
          const Support low = other.farthest_along(-u);
          if (dot(u, other.vertex(w) - low.point) > rounding_) continue;  // it is not the nearest
          this->take_of(by_a, source, u, depth + other.radius, 0, {other.vertex(w), w},
                        part.vertex_name(v));
        }
      });
    }
  }
};

/// Whether a direction is the normal of a side of a part that no neighbour covers: nearly all
/// contacts' are.
template <class T>
bool is_on_open_side(const FlushRows<T>& rows, const FlushShape& shape, const T* normal) {
  const FlushView& view = rows.sides[shape.side].view;
  const auto is_open = [&](int side) {
    return view.faces[view.parts[shape.part].first_face + side] == kOpenFace;
  };
  const FlatForm form = flat_form(shape.kind);
  const int k = static_cast<int>(shape.kind);
  const T* const row = rows.rows[k] + std::ptrdiff_t{shape.id} * rows.row_width[k];
  Vector2 u{{double(normal[0]), double(normal[1])}};
  constexpr double kMost2 = kSameFlushAngle<T> * kSameFlushAngle<T>;
  if (form != FlatForm::aabb) {
    const double c = double(row[2]), s = double(row[3]);
    u = {{c * u[0] + s * u[1], c * u[1] - s * u[0]}};
  }
  if (form != FlatForm::polygon) {
    const int axis = magnitude(u[1]) > magnitude(u[0]) ? 1 : 0;
    const double over = magnitude(u[axis]) - 1, off = u[1 - axis];
    return over * over + off * off <= kMost2 && is_open(2 * axis + (u[axis] > 0 ? 1 : 0));
  }
  const int count = PolygonLayout::vertex_count(integer_in(row[6]));
  const T* const blocks = rows.library + std::ptrdiff_t{PolygonLayout::record} * integer_in(row[5]);
  for (int e = 0; e < count; ++e) {
    const T* const block = blocks + e / 8 * PolygonLayout::block + e % 8;
    const double x = double(block[PolygonLayout::normal_x]) - u[0];
    const double y = double(block[PolygonLayout::normal_y]) - u[1];
    if (x * x + y * y <= kMost2) return is_open(e);
  }
  return false;
}

}  // namespace
}  // namespace widephase
