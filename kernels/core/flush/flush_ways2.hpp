#pragma once

// The directions of a part in 2D, an aabb, box or polygon, for the rule of flush_rule.hpp: those of
// its sides and vertices. What they lead out to is a shape or a chain.

#include "kernels/core/flush/flush_solid2.hpp"

namespace widephase {
namespace {

/// The parts that a walk from neighbour to neighbour has come to, by their own ids, and the place
/// whose nearest image each is.
struct FlushWalk2 {
  static constexpr int kMost = 32;
  std::int32_t own[kMost];
  Vector2 near[kMost];
  int count;
  bool is_cut_short;  ///< there were more

  void add(std::int32_t id, const Vector2& place) {
    bool is_new = true;
    for (int n = 0; n < count; ++n) is_new &= own[n] != id;
    if (!is_new) return;
    is_cut_short |= count == kMost;
    if (count == kMost) return;
    own[count] = id;
    near[count++] = place;
  }
};

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
  static constexpr double kSameAngle = kSameFlushAngle<T>;

  std::uint8_t status_ = 0;  ///< of a contact that is replaced: 2 if a walk was cut short

  /// What is tried of a part, or of another in its place: that one's direction has the length that
  /// it has there, which must part the other shape from the part as well.
  struct Source {
    const Solid& solid;
    bool is_own;
    bool is_far;  ///< no neighbour: it counts only where the other shape is over what is felt
  };

  /// Those of a part, of the neighbours that keep the contact's direction from being felt, of those
  /// that keep the least way out of these from being felt, and so on: each is nearer to where the
  /// other shape leaves the solid.
  template <class Other>
  void try_ways(bool by_a, const Vector2& u, const Vector2& place, const Other& other) {
    const Solid& part = solid(by_a);
    const auto try_of = [&](const Source& source) {
      try_sides(by_a, source, other);
      try_vertices(by_a, source, other);
    };
    try_of({part, true, false});
    FlushWalk2 walk;
    walk.count = 0;
    walk.is_cut_short = false;
    walk_on(part, u, part.end_along(u, place, rounding_), walk);
    const int beside_count = walk.count;
    for (int n = 0; n < walk.count; ++n) {
      Solid beside;
      this->read_part(*part.side, walk.own[n], walk.near[n], beside);
      if (beside.part == part.part) continue;
      try_of({beside, false, n >= beside_count});
      const Vector2 way = least_way(beside, other);
      const int low = other.farthest_along(-way).number;
      for (const int v : {low, other.other_end(-way, low, rounding_)}) {
        walk_on(beside, way, beside.end_along(way, other.vertex(v), rounding_), walk);
      }
    }
    if (walk.is_cut_short) status_ = 2;
  }

  /// The length along a direction that parts two shapes that overlap: where the ray leaves what the
  /// other one's point may not be in, an outline of their edges with arcs around its corners.
  template <class Other>
  double parting_along(const Solid& part, const Vector2& u, const Other& other) const {
    const auto depth_along = [&](const Vector2& n) {
      return dot(n, part.farthest_along(n).point - other.farthest_along(-n).point) + other.radius;
    };
    double least = depth_along(u);
    if (!(contact_.depth >= 0)) return least;
    const auto ask = [&](const Vector2& n) {
      const double slope = dot(n, u), depth = depth_along(n);
      if (slope > 0 && depth < least * slope) least = depth / slope;
    };
    for (int v = 0; v < part.core.count; ++v) {
      const Vector2 &from = part.core.normal[part.before(v)], &to = part.core.normal[v];
      const auto is_between = [&](const Vector2& n) {
        return cross(from, n) >= 0 && cross(n, to) >= 0;
      };
      ask(to);
      other.for_each_edge(from, to, [&](int e) {
        const Vector2 n = -other.normal(e);
        if (is_between(n)) ask(n);
      });
      if (!(other.radius > 0)) continue;
      other.for_each_vertex(from, to, [&](int w) {
        const Vector2 off = part.vertex(v) - other.vertex(w);
        const double across = cross(u, off);
        const double square = other.radius * other.radius - across * across;
        if (!(square >= 0)) return;
        const double length = dot(u, off) + root(square);
        const Vector2 n = scaled(scaled(u, length) - off, 1 / other.radius);
        if (length < least && is_between(n) &&
            !(dot(n, other.vertex(w) - other.farthest_along(-n).point) > rounding_)) {
          least = length;
        }
      });
    }
    return least;
  }

 private:
  /// Adds the neighbours that keep a direction out of a part at a place from being felt.
  void walk_on(const Solid& part, const Vector2& u, const Vector2& place, FlushWalk2& walk) const {
    Solid other;
    for (int n = 0; n < part.part->neighbour_count; ++n) {
      const Solid& beside = this->neighbour(part, n, other);
      if (beside.part == nullptr || !beside.has(place, this->slack(part))) continue;
      if (!(dot(u, beside.farthest_along(u).point - place) > rounding_)) continue;
      walk.add(part.side->view.neighbours[part.part->first_neighbour + n], this->middle_of(part));
    }
  }

  template <class Other>
  void take_of(bool by_a, const Source& source, const Other& other, const Vector2& u, double depth,
               double longer, const Support& low, T feature) {
    if (source.is_own) return this->take(by_a, u, depth, longer, true, low, feature);
    if (source.is_far && longer > rounding_) return;
    const Solid& part = solid(by_a);
    const int far = part.farthest_along(u).number;
    double own = dot(u, part.vertex(far) - low.point) + other.radius;
    const double most = depth + this->slack(part);  // they may be flush there
    if (!(own <= most)) own = parting_along(part, u, other);
    if (!(own <= most)) return;
    const double rest = depth + longer - own;
    this->take(by_a, u, own, rest > 0 ? rest : 0, true, low, part.vertex_name(far));
  }

  /// The direction out of a part, alone, that is the shortest.
  template <class Other>
  static Vector2 least_way(const Solid& part, const Other& other) {
    Vector2 least = part.core.normal[0];
    double least_depth = kInfinite<double>;
    const auto ask = [&](const Vector2& u) {
      const double depth = dot(u, part.farthest_along(u).point - other.farthest_along(-u).point);
      if (!(depth < least_depth)) return;
      least_depth = depth;
      least = u;
    };
    for (int v = 0; v < part.core.count; ++v) {
      const Vector2 &from = part.core.normal[part.before(v)], &to = part.core.normal[v];
      const auto ask_between = [&](const Vector2& u) {
        if (cross(from, u) > 0 && cross(u, to) > 0) ask(u);
      };
      ask(to);
      other.for_each_edge(from, to, [&](int e) { ask_between(-other.normal(e)); });
      other.for_each_vertex(from, to, [&](int w) {
        const Vector2 off = other.vertex(w) - part.vertex(v);
        const double length = length_of(off);
        if (length > 0) ask_between(scaled(off, 1 / length));
      });
    }
    return least;
  }

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
      take_of(by_a, source, other, u, depth, part.aside(e, low.point, other.vertex(end)), low,
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
      Support low = other.farthest_along(-u);
      const double depth = dot(u, at - low.point) + other.radius;
      if (!(depth < best_.length)) return;
      const int end = other.other_end(-u, low.number, rounding_);
      const Vector2 along = other.vertex(end) - low.point;
      const double length2 = dot(along, along), t = dot(at - low.point, along);
      const double share = share_of(t, length2);
      low = {low.point + scaled(along, share), share > 0.5 ? end : low.number};
      const double longer = magnitude(cross(u, at - low.point));
      if (!(depth + longer < best_.length) || this->exceeds(part, u, at, 0)) return;
      take_of(by_a, source, other, u, depth, longer, low, part.vertex_name(v));
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
        const double share = share_of(t, length2);
        take_of(by_a, source, other, u, depth, other.off_side(e, at),
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
          take_of(by_a, source, other, u, depth + other.radius, 0, {other.vertex(w), w},
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
