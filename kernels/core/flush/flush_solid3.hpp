#pragma once

// A shape of a contact in 3D, or a part beside it, about the anchor of the contact's A. The faces
// and edges of parts, which are boxes or hulls, by the numbers of their features.

#include "kernels/core/flush/flush_rule.hpp"
#include "kernels/core/surface/felt_directions.hpp"

namespace widephase {
namespace {

template <class T>
struct FlushSolid3 {
  using Support = CoreSupport;

  ConvexShape<T> core;
  Vector at;       ///< the middle of its core
  double radius;   ///< outside of the core; 0 of parts
  double half[3];  ///< of a box
  std::int32_t id;
  Kind kind;
  const FlushSide* side;
  const FlushPart* part;  ///< null: it has no neighbours

  void read(const FlushRows<T>& rows, Kind of_kind, std::int32_t of_id, const Vector& origin);
  T reach() const { return core.reach; }
  static Vector unit_or(const Vector& v, const Vector& otherwise) {
    return widephase::unit_or(v, otherwise);
  }

  Vector to_scene(const Vector& local) const {
    return scaled(widened(core.turn.column[0]), local[0]) +
           scaled(widened(core.turn.column[1]), local[1]) +
           scaled(widened(core.turn.column[2]), local[2]);
  }
  Vector to_own(const Vector& v) const {
    return {{dot(widened(core.turn.column[0]), v), dot(widened(core.turn.column[1]), v),
             dot(widened(core.turn.column[2]), v)}};
  }
  /// The core's farthest point along a direction.
  CoreSupport farthest_along(const Vector& u) const {
    CoreSupport found = support_of(core, u);
    found.point = found.point + at;
    return found;
  }

  // What follows is for parts.
  bool is_box() const { return core.form == CoreForm::box; }
  int face_count() const { return is_box() ? 6 : core.hull().face_count; }
  int edge_count() const { return is_box() ? 12 : core.hull().edge_count; }
  Vector face_normal(int face) const {
    if (!is_box()) return to_scene(widened(core.hull().face_normal(face)));
    const Vector axis = widened(core.turn.column[face / 2]);
    return face % 2 != 0 ? axis : -axis;
  }
  /// A point of a face.
  Vector face_point(int face) const {
    if (is_box()) {
      const Vector out = widened(core.axis[face / 2]);
      return at + (face % 2 != 0 ? out : -out);
    }
    const HullView<T> hull = core.hull();
    return at + to_scene(widened(hull.vertex(hull.face_vertices()[hull.face_start(face)])));
  }
  int vertex_count() const { return is_box() ? 8 : core.hull().vertex_count; }
  T vertex_name(int number) const { return vertex_feature(T(number)); }
  Vector vertex(int number) const { return at + widened(vertex_of(core, number)); }
  struct Edge {
    int vertex[2];
    int face[2];
  };
  Edge edge(int number) const {
    if (!is_box()) {
      const HullView<T> hull = core.hull();
      return {{hull.edge_vertex(number, 0), hull.edge_vertex(number, 1)},
              {hull.edge_faces()[2 * number], hull.edge_faces()[2 * number + 1]}};
    }
    const int axis = number / 4, u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    const int up_u = number & 1, up_v = number >> 1 & 1, low = (up_u << u) | (up_v << v);
    return {{low, low | (1 << axis)}, {2 * u + up_u, 2 * v + up_v}};
  }
  /// The face whose normal is within `angle` of a unit direction; -1 if there is none.
  int face_along(const Vector& u, double angle) const {
    const auto is_it = [&](int face) {
      const Vector off = face_normal(face) - u;
      return dot(off, off) <= angle * angle;
    };
    if (!is_box()) {
      for (int face = 0; face < face_count(); ++face) {
        if (is_it(face)) return face;
      }
      return -1;
    }
    int axis = 0;
    double slope[3];
    for (int k = 0; k < 3; ++k) {
      slope[k] = dot(widened(core.turn.column[k]), u);
      if (magnitude(slope[k]) > magnitude(slope[axis])) axis = k;
    }
    const int face = 2 * axis + (slope[axis] > 0 ? 1 : 0);
    return is_it(face) ? face : -1;
  }
  /// Whether a part has a point in it, or within `slack` of each of its faces' planes.
  bool has(const Vector& point, double slack) const {
    const Vector own = to_own(point - at);
    if (!is_box()) {
      const HullView<T> hull = core.hull();
      for (int face = 0; face < hull.face_count; ++face) {
        if (dot(widened(hull.face_normal(face)), own) - double(hull.face_offset(face)) > slack) {
          return false;
        }
      }
      return true;
    }
    for (int k = 0; k < 3; ++k) {
      if (magnitude(own[k]) > half[k] + slack) return false;
    }
    return true;
  }
  /// How far a place, seen along a face's normal, is from what neighbours leave of the face.
  double aside(int face, const Vector& place) const {
    const FlushView& view = side->view;
    const std::int32_t left = view.faces[part->first_face + face];
    if (left == kOpenFace) return 0;
    if (left == kCoveredFace) return kInfinite<double>;
    const Vector normal = to_own(face_normal(face));
    Vector own = to_own(place - at);
    double least2 = kInfinite<double>;
    for (std::int32_t p = left; p >= 0; p = view.pieces[p].next) {
      const FlushPiece& piece = view.pieces[p];
      const double* const corners = view.corners + std::ptrdiff_t{3} * piece.first_corner;
      const auto corner = [&](std::int32_t c) {
        const double* const place_of = corners + std::ptrdiff_t{3} * c;
        return Vector{{place_of[0], place_of[1], place_of[2]}};
      };
      own = own - scaled(normal, dot(normal, own - corner(0)));
      bool is_inside = true;
      Vector from = corner(piece.corner_count - 1);
      for (std::int32_t c = 0; c < piece.corner_count; ++c) {
        const Vector to = corner(c), along = to - from, off = own - from;
        if (dot(cross(along, off), normal) < 0) {
          is_inside = false;
          const double length2 = dot(along, along), t = dot(off, along);
          const double share = share_of(t, length2);
          const Vector rest = off - scaled(along, share);
          least2 = dot(rest, rest) < least2 ? dot(rest, rest) : least2;
        }
        from = to;
      }
      if (is_inside) return 0;
    }
    return root(least2);
  }
  /// What of a part is farthest along a direction: one vertex, the edge to another, or a face.
  struct End {
    CoreSupport vertex;
    int other;
    int count;  ///< vertices, of a box's face 3
  };
  End find_end(const Vector& u, double rounding) const {
    End end{farthest_along(u), 0, 1};
    end.other = end.vertex.number;
    if (is_box()) {
      for (int k = 0; k < 3; ++k) {
        if (magnitude(dot(widened(core.axis[k]), u)) > rounding) continue;
        ++end.count;
        end.other = end.vertex.number ^ (1 << k);
      }
      return end;
    }
    const double least = dot(u, end.vertex.point) - rounding;
    for (int v = 0; v < core.hull().vertex_count; ++v) {
      if (v == end.vertex.number || !(dot(u, vertex(v)) >= least)) continue;
      ++end.count;
      end.other = v;
    }
    return end;
  }
  /// The point of it that is nearest to a place, but of a face the place itself. The points of a
  /// contact may lag behind by a small angle.
  Vector end_along(const Vector& u, const Vector& place, double rounding) const {
    const End end = find_end(u, rounding);
    if (end.count > 2) return place;
    const Vector along = vertex(end.other) - end.vertex.point, off = place - end.vertex.point;
    const double length2 = dot(along, along), t = dot(off, along);
    const double share = share_of(t, length2);
    return end.vertex.point + scaled(along, share);
  }
  /// The point of what is foremost along a direction that is nearest to a place, of a face too, and
  /// up to three vertices that have it between them.
  struct Foremost {
    Vector point;
    int vertex[3];
    int count;
  };
  Foremost foremost_near(const Vector& u, const Vector& place, double rounding) const {
    const End end = find_end(u, rounding);
    Foremost found{end.vertex.point, {end.vertex.number, end.other, 0}, 1};
    if (end.count < 3) {
      found.point = end_along(u, place, rounding);
      const auto is_at = [&](const Vector& corner) {
        const Vector off = found.point - corner;
        return dot(off, off) <= rounding * rounding;
      };
      if (end.count == 1 || is_at(end.vertex.point)) return found;
      found.count = 2;
      if (!is_at(vertex(end.other))) return found;
      found.vertex[0] = end.other;
      found.count = 1;
      return found;
    }
    if (is_box()) return foremost_in_face(u, place, rounding);
    found.point = place + scaled(u, dot(u, end.vertex.point - place));
    if (has(found.point, rounding)) {
      for (int v = 0; v < core.hull().vertex_count; ++v) {
        if (v == end.vertex.number || v == end.other) continue;
        if (dot(u, vertex(v) - end.vertex.point) >= -rounding) found.vertex[2] = v;
      }
      found.count = 3;
      return found;
    }
    const Vector beside = found.point;
    double least2 = kInfinite<double>;
    for (int v = 0; v < core.hull().vertex_count; ++v) {
      const Vector corner = vertex(v), off = corner - beside;
      if (!(dot(u, corner - end.vertex.point) >= -rounding) || !(dot(off, off) < least2)) continue;
      least2 = dot(off, off);
      found.point = corner;
      found.vertex[0] = v;
    }
    return found;
  }
  /// The same in a face of a box.
  Foremost foremost_in_face(const Vector& u, const Vector& place, double rounding) const {
    const Vector own = to_own(place - at);
    int axis = 0, number = 0;
    double slope[3];
    for (int k = 0; k < 3; ++k) {
      slope[k] = dot(widened(core.turn.column[k]), u);
      if (magnitude(slope[k]) > magnitude(slope[axis])) axis = k;
    }
    Foremost found{};
    Vector inside;
    int between[3], between_count = 0;
    for (int k = 0; k < 3; ++k) {
      const bool is_up = k == axis ? slope[k] > 0 : own[k] > 0;
      number |= is_up ? 1 << k : 0;
      inside[k] = is_up ? half[k] : -half[k];
      if (k == axis || !(magnitude(own[k]) < half[k] - rounding)) continue;
      inside[k] = own[k];
      between[between_count++] = k;
    }
    found.point = at + to_scene(inside);
    found.vertex[0] = number;
    for (int n = 0; n < between_count; ++n) found.vertex[1 + n] = number ^ (1 << between[n]);
    found.count = 1 + between_count;
    return found;
  }

  /// Finds the place of a triangle, seen along a face's normal, that is nearest to what neighbours
  /// leave of the face, and how far that is; they leave it in part.
  double aside(int face, const Vector (&triangle)[3], Vector& place) const;
};

template <class T>
double FlushSolid3<T>::aside(int face, const Vector (&triangle)[3], Vector& place) const {
  const FlushView& view = side->view;
  const Vector normal = to_own(face_normal(face));
  Vector own[3];
  for (int k = 0; k < 3; ++k) own[k] = to_own(triangle[k] - at);
  const Vector area = cross(own[1] - own[0], own[2] - own[0]);
  const double facing = dot(area, normal);
  const auto crossing = [&](const Vector& along, const Vector& off) {
    return dot(cross(along, off), normal);
  };
  double least2 = kInfinite<double>;
  const auto keep = [&](const Vector& there, double off2) {
    if (!(off2 < least2)) return;
    least2 = off2;
    place = at + to_scene(there);
  };
  const auto seen2 = [&](const Vector& off) {
    const double along = dot(off, normal), square = dot(off, off) - along * along;
    return square > 0 ? square : 0;
  };
  for (std::int32_t p = view.faces[part->first_face + face]; p >= 0; p = view.pieces[p].next) {
    const FlushPiece& piece = view.pieces[p];
    const double* const corners = view.corners + std::ptrdiff_t{3} * piece.first_corner;
    const auto corner = [&](std::int32_t c) {
      const double* const numbers = corners + std::ptrdiff_t{3} * c;
      return Vector{{numbers[0], numbers[1], numbers[2]}};
    };
    for (const Vector& vertex : own) {  // a vertex over the piece
      bool is_inside = true;
      for (std::int32_t c = 0; c < piece.corner_count; ++c) {
        const Vector from = corner(c), to = corner(c + 1 < piece.corner_count ? c + 1 : 0);
        is_inside &= crossing(to - from, vertex - from) >= 0;
      }
      if (is_inside) keep(vertex, 0);
    }
    for (std::int32_t c = 0; c < piece.corner_count && least2 > 0; ++c) {
      const Vector from = corner(c), to = corner(c + 1 < piece.corner_count ? c + 1 : 0);
      const Vector along = to - from;
      bool is_under = magnitude(facing) > 0;  // the piece's corner under the triangle
      for (int k = 0; k < 3; ++k) {
        const Vector &a = own[k], &b = own[(k + 1) % 3], edge = b - a;
        is_under &= crossing(edge, from - a) * facing >= 0;
        const double first = crossing(along, a - from), last = crossing(along, b - from);
        const double start = crossing(edge, from - a), end = crossing(edge, to - a);
        if ((first < 0) != (last < 0) && (start < 0) != (end < 0)) {
          keep(a + scaled(edge, first / (first - last)), 0);
        }
        const double edge2 = seen2(edge);
        const Vector off = from - a;
        const double t = dot(off, edge) - dot(off, normal) * dot(edge, normal);
        const Vector on_edge = a + scaled(edge, share_of(t, edge2));
        keep(on_edge, seen2(from - on_edge));
        const double s = dot(a - from, along);
        keep(a, seen2(a - from - scaled(along, share_of(s, dot(along, along)))));
      }
      if (is_under) keep(from, 0);
    }
    if (least2 == 0) break;
  }
  return root(least2);
}

template <class T>
void FlushSolid3<T>::read(const FlushRows<T>& rows, Kind of_kind, std::int32_t of_id,
                          const Vector& origin) {
  kind = of_kind;
  id = of_id;
  const T* const row = rows.rows[static_cast<int>(kind)] +
                       std::ptrdiff_t{id} * rows.row_width[static_cast<int>(kind)];
  side = nullptr;
  part = nullptr;
  at = flush_anchor<3>(rows, kind, id) - origin;
  radius = double(row[3]);
  core.form = core_form(kind);
  core.library = rows.library;
  core.indices = rows.indices;
  core.place = 0;
  T extent[3] = {0, 0, 0};
  for (Vec<T, 3>& column : core.turn.column) column = {{0, 0, 0}};
  const int quads = ConvexLanes<Batch<T>>::quads_of(kind);
  if (quads == 2) {  // two points: a capsule or an aabb
    const bool has_sides = is_box();
    for (int k = 0; k < 3; ++k) {
      const T along = T(0.5) * (row[4 + k] - row[k]);
      at[k] += double(along);
      extent[k] = has_sides ? along : T(k == 0 ? 1 : 0);
      core.turn.column[has_sides ? k : 0][k] = has_sides ? T(1) : along;
    }
    if (has_sides) radius = 0;
  } else if (quads == 4) {
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) core.turn.column[k][j] = row[4 + 4 * k + j];
      extent[k] = row[7 + 4 * k];
    }
  }
  T square = 0;
  for (int k = 0; k < 3; ++k) {
    half[k] = double(extent[k]);
    core.axis[k] = extent[k] * core.turn.column[k];
    square += dot(core.axis[k], core.axis[k]);
  }
  core.reach = root(square);
  if (core.form == CoreForm::ellipsoid) {
    core.ellipsoid = EllipsoidCore<SingleNumbers<T>>(Vec<T, 3>{{extent[0], extent[1], extent[2]}});
  }
  if (core.form == CoreForm::hull) {
    core.place = integer_in(extent[0]);
    core.reach = core.hull().numbers[HullLayout::reach];
    for (int k = 0; k < 3; ++k) {
      core.axis[k] = {{0, 0, 0}};
      if (rows.rests != nullptr) at[k] += double(rows.rests[std::ptrdiff_t{id} * 4 + k]);
    }
  }
}

}  // namespace
}  // namespace widephase
