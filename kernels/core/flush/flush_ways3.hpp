#pragma once

// The directions of a part in 3D, a box or a hull, for the rule of flush_rule.hpp: those of its
// faces and edges. What they lead out to is a shape or a surface: a core with support points.

#include "kernels/core/flush/flush_solid3.hpp"

namespace widephase {
namespace {

template <class T>
class FlushWays3 : protected FlushRule<T, FlushSolid3<T>, 3> {
 protected:
  using Solid = FlushSolid3<T>;
  using Rule = FlushRule<T, Solid, 3>;
  using Rule::a_;
  using Rule::b_;
  using Rule::best_;
  using Rule::contact_;
  using Rule::image_;
  using Rule::rounding_;
  using Rule::Rule;
  using Rule::solid;
  using typename Rule::Side;
  using typename Rule::Support;
  static constexpr double kSameAngle = kSameFlushAngle<T>;

  /// Those of a part, and of the neighbours that keep a direction out of it from being felt.
  template <class Other>
  void try_ways(bool by_a, const Vector& u, const Vector& place, const Other& other) {
    const Solid& part = solid(by_a);
    const auto try_of = [&](const Source& source) {
      try_faces(by_a, source, other);
      try_edges(by_a, source, other);
    };
    try_of({part, true});
    this->try_neighbours(part, u, part.end_along(u, place, rounding_), [&](const Solid& beside) {
      try_of({beside, false});
    });
  }

 private:
  /// What is tried of a part, or of a neighbour in its place: a neighbour's direction has the
  /// length that it has for the neighbour, from which the part must not stick out.
  struct Source {
    const Solid& solid;
    bool is_own;
  };
  void take_of(bool by_a, const Source& source, const Vector& u, double depth, double longer,
               const Support& low, T feature) {
    if (source.is_own) return this->take(by_a, u, depth, longer, true, low, feature);
    const Support far = solid(by_a).farthest_along(u);
    const double own = dot(u, far.point - low.point) + solid(!by_a).radius;
    if (!(own <= depth + rounding_)) return;
    this->take(by_a, u, own, depth - own + longer, true, low, solid(by_a).vertex_name(far.number));
  }

  /// The direction of an arc that leads from a place to a core apart from it, if one does. How far
  /// along it is concave over the cone of the arc: its slope tells on which side the most is.
  template <class Other>
  bool find_gap_on_arc(const Other& other, const Vector& from, const Vector& to, const Vector& at,
                       WayOut& way) const {
    constexpr int kMostHalvings = 50;
    const Vector toward = unit_or(to - scaled(from, dot(from, to)), from);
    const double end = dot(to, toward) / (1 + dot(from, to));  // half angles' tangents
    const auto direction = [&](double t) {
      const double size = 1 + t * t;
      return scaled(from, (1 - t * t) / size) + scaled(toward, 2 * t / size);
    };
    double low = 0, high = end, t = 0.5 * end;
    for (int step = 0; step < kMostHalvings; ++step) {
      way = way_out_along(other.core, direction(t), at);
      if (step > 0 && (low >= high || t == low || t == high)) break;
      // Straight to the point, if that is within.
      const Vector off = way.lowest.point - at;
      const double x = dot(off, from), y = dot(off, toward), size = root(x * x + y * y);
      const double slope = (1 - t * t) * y - 2 * t * x;
      if (magnitude(slope) <= 1e-15 * size) break;
      (slope > 0 ? low : high) = t;
      const double straight = y / (size + x);
      t = straight > low && straight < high && step < kMostHalvings / 2 ? straight
                                                                        : 0.5 * (low + high);
    }
    return way.depth < 0;
  }

  template <class Other>
  void try_faces(bool by_a, const Source& source, const Other& other) {
    const Solid& part = source.solid;
    for (int face = 0; face < part.face_count(); ++face) {
      if (part.side->view.faces[part.part->first_face + face] == kCoveredFace) continue;
      const Vector u = part.face_normal(face);
      const CoreSupport low = other.farthest_along(-u);
      const double depth = dot(u, part.face_point(face) - low.point) + other.radius;
      if (!(depth < best_.length)) continue;
      take_of(by_a, source, u, depth, part.aside(face, low.point), low, face_feature(T(face)));
    }
  }

  template <class Other>
  void try_edges(bool by_a, const Source& source, const Other& other) {
    const Solid& part = source.solid;
    for (int e = 0; e < part.edge_count(); ++e) {
      if (part.side->view.edges[part.part->first_edge + e] == 0) continue;
      const typename Solid::Edge edge = part.edge(e);
      const Vector from = part.vertex(edge.vertex[0]), along = part.vertex(edge.vertex[1]) - from;
      const Vector first = part.face_normal(edge.face[0]), last = part.face_normal(edge.face[1]);
      Vector low = first, high = last;
      // First over all of the arc, then over what the neighbours at that place leave of it.
      for (const bool is_cut : {false, true}) {
        WayOut way;
        if (!find_gap_on_arc(other, low, high, from - other.at, way)) {
          way = least_on_arc(other.core, low, high, from - other.at, best_.length);
        }
        const double depth = way.depth + other.radius;
        // An end that is not cut off is the normal of a face, which is tried as such.
        const auto is_end = [&](const Vector& end) {
          const Vector off = way.direction - end;
          return dot(off, off) <= kSameAngle * kSameAngle;
        };
        if (!(depth < best_.length) || is_end(first) || is_end(last)) break;
        CoreSupport point = way.lowest;
        point.point = point.point + other.at;
        const double length2 = dot(along, along), t = dot(point.point - from, along);
        const double share = share_of(t, length2);
        const Vector place = from + scaled(along, share);
        if (is_cut || !this->exceeds(part, way.direction, place, 0)) {
          // Where an arc is cut off, the edge is not straight behind the point.
          const Vector off = place - point.point;
          const Vector beside = off - scaled(way.direction, dot(off, way.direction));
          const double longer =
              is_cut && (is_end(low) || is_end(high)) ? root(dot(beside, beside)) : 0;
          take_of(by_a, source, way.direction, depth, longer, point, edge_feature(T(e)));
          break;
        }
        if (!this->cut_arc(part, place, low, high)) break;
      }
    }
  }
};

/// Whether a direction is the normal of a face of a part that no neighbour covers: nearly all
/// contacts' are.
template <class T>
bool is_on_open_face(const FlushRows<T>& rows, const FlushShape& shape, const T* normal) {
  const FlushView& view = rows.sides[shape.side].view;
  const auto is_open = [&](int face) {
    return face >= 0 && view.faces[view.parts[shape.part].first_face + face] == kOpenFace;
  };
  if (core_form(shape.kind) != CoreForm::box) {
    const Vector u{{double(normal[0]), double(normal[1]), double(normal[2])}};
    FlushSolid3<T> solid;
    solid.read(rows, shape.kind, shape.id, {{0, 0, 0}});
    return is_open(solid.face_along(u, kSameFlushAngle<T>));
  }
  // The same, in as few steps.
  const int width = rows.row_width[static_cast<int>(shape.kind)];
  const T* const row = rows.rows[static_cast<int>(shape.kind)] + std::ptrdiff_t{shape.id} * width;
  const bool is_turned = width > 8;  // an aabb's row has two points
  constexpr double kMost2 = kSameFlushAngle<T> * kSameFlushAngle<T>;
  for (int k = 0; k < 3; ++k) {
    double along = 0, off2 = 0, axis[3];
    for (int j = 0; j < 3; ++j) {
      axis[j] = is_turned ? double(row[4 + 4 * k + j]) : (j == k ? 1.0 : 0.0);
      along += axis[j] * double(normal[j]);
    }
    if (!(along * along > 0.5)) continue;
    for (int j = 0; j < 3; ++j) {
      const double off = double(normal[j]) - (along > 0 ? axis[j] : -axis[j]);
      off2 += off * off;
    }
    return off2 <= kMost2 && is_open(2 * k + (along > 0 ? 1 : 0));
  }
  return false;
}

}  // namespace
}  // namespace widephase
