#pragma once

// A shape of a contact, or a part beside it, about the anchor of the contact's A. The faces and
// edges of parts, which are boxes or hulls, by the numbers of their features.

#include "kernels/core/surface/polygon_nearest.hpp"
#include "kernels/flush_table.hpp"

namespace widephase {
namespace {

template <class T>
struct FlushSolid {
  ConvexShape<T> core;
  Vector at;       ///< the middle of its core
  double radius;   ///< outside of the core; 0 of parts
  double half[3];  ///< of a box
  std::int32_t id;
  Kind kind;
  const FlushSide* side;
  const FlushPart* part;  ///< null: it has no neighbours

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
};

/// The point of a shape that its row begins with, from the origin of the scene.
template <class T>
Vector flush_anchor(const FlushRows<T>& rows, Kind kind, std::int32_t id) {
  const int k = static_cast<int>(kind);
  if constexpr (sizeof(T) == 4) {
    if (rows.anchors[k] != nullptr) {
      const double* const at = rows.anchors[k] + std::ptrdiff_t{id} * rows.anchor_width[k];
      return {{at[0], at[1], at[2]}};
    }
  }
  const T* const at = rows.rows[k] + std::ptrdiff_t{id} * rows.row_width[k];
  return {{double(at[0]), double(at[1]), double(at[2])}};
}

template <class T>
FlushSolid<T> flush_solid(const FlushRows<T>& rows, Kind kind, std::int32_t id,
                          const Vector& origin) {
  const T* const row = rows.rows[static_cast<int>(kind)] +
                       std::ptrdiff_t{id} * rows.row_width[static_cast<int>(kind)];
  FlushSolid<T> solid;
  solid.id = id;
  solid.kind = kind;
  solid.side = nullptr;
  solid.part = nullptr;
  solid.at = flush_anchor(rows, kind, id) - origin;
  solid.radius = double(row[3]);
  ConvexShape<T>& core = solid.core;
  core.form = core_form(kind);
  core.library = rows.library;
  core.indices = rows.indices;
  core.place = 0;
  T half[3] = {0, 0, 0};
  for (Vec<T, 3>& column : core.turn.column) column = {{0, 0, 0}};
  const int quads = ConvexLanes<Batch<T>>::quads_of(kind);
  if (quads == 2) {  // two points: a capsule or an aabb
    const bool is_box = core.form == CoreForm::box;
    for (int k = 0; k < 3; ++k) {
      const T along = T(0.5) * (row[4 + k] - row[k]);
      solid.at[k] += double(along);
      half[k] = is_box ? along : T(k == 0 ? 1 : 0);
      core.turn.column[is_box ? k : 0][k] = is_box ? T(1) : along;
    }
    if (is_box) solid.radius = 0;
  } else if (quads == 4) {
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) core.turn.column[k][j] = row[4 + 4 * k + j];
      half[k] = row[7 + 4 * k];
    }
  }
  T square = 0;
  for (int k = 0; k < 3; ++k) {
    solid.half[k] = double(half[k]);
    core.axis[k] = half[k] * core.turn.column[k];
    square += dot(core.axis[k], core.axis[k]);
  }
  core.reach = root(square);
  if (core.form == CoreForm::ellipsoid) {
    core.ellipsoid = EllipsoidCore<SingleNumbers<T>>(Vec<T, 3>{{half[0], half[1], half[2]}});
  }
  if (core.form == CoreForm::hull) {
    core.place = integer_in(half[0]);
    core.reach = core.hull().numbers[HullLayout::reach];
    for (int k = 0; k < 3; ++k) {
      core.axis[k] = {{0, 0, 0}};
      if (rows.rests != nullptr) solid.at[k] += double(rows.rests[std::ptrdiff_t{id} * 4 + k]);
    }
  }
  return solid;
}

}  // namespace
}  // namespace widephase
