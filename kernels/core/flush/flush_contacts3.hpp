#pragma once

// The directions of parts in 3D, which are boxes or hulls, for the rule of flush_rule.hpp, and the
// points along the best one.

#include "kernels/core/convex/one_pair3.hpp"
#include "kernels/core/flush/flush_solid3.hpp"

namespace widephase {
namespace {

template <class T>
class FlushContacts : FlushRule<T, FlushSolid3<T>, 3> {
 public:
  using Solid = FlushSolid3<T>;
  using Rule = FlushRule<T, Solid, 3>;
  /// Memory for a contact: the faces that meet, and the neighbours.
  struct Room {
    FacesRoom<T> faces;
    typename Rule::Neighbours beside;
  };

  FlushContacts(const FlushRows<T>& rows, const FlushContact<T, 3>& contact, Room& room)
      : Rule(rows, contact, room.beside), room_(room.faces) {}

  bool replace(SurfacePatch<T>& answer) {
    const bool is_found = this->find_best([&](bool by_a, const Vector& u, const Vector& place) {
      const Solid& part = solid(by_a);
      try_faces(by_a, {part, true});
      try_edges(by_a, {part, true});
      this->try_neighbours(part, u, part.end_along(u, place, rounding_), [&](const Solid& beside) {
        try_faces(by_a, {beside, false});
        try_edges(by_a, {beside, false});
      });
      if (solid(!by_a).part == nullptr) try_other_faces(by_a);
    });
    return is_found && find_points(answer);
  }

 private:
  using Rule::a_;
  using Rule::b_;
  using Rule::best_;
  using Rule::contact_;
  using Rule::image_;
  using Rule::rounding_;
  using Rule::solid;
  using typename Rule::Side;
  using typename Rule::Source;
  static constexpr double kSameAngle = kSameFlushAngle<T>;

  /// The direction of an arc that leads from a place to a core apart from it, if one does. How far
  /// along it is concave over the cone of the arc: its slope tells on which side the most is.
  bool find_gap_on_arc(const Solid& other, const Vector& from, const Vector& to, const Vector& at,
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

  void try_faces(bool by_a, const Source& source) {
    const Solid &part = source.solid, &other = solid(!by_a);
    for (int face = 0; face < part.face_count(); ++face) {
      if (part.side->view.faces[part.part->first_face + face] == kCoveredFace) continue;
      const Vector u = part.face_normal(face);
      const CoreSupport low = other.farthest_along(-u);
      const double depth = dot(u, part.face_point(face) - low.point) + other.radius;
      if (!(depth < best_.length)) continue;
      this->take_of(by_a, source, u, depth, part.aside(face, low.point), low,
                    face_feature(T(face)));
    }
  }

  void try_edges(bool by_a, const Source& source) {
    const Solid &part = source.solid, &other = solid(!by_a);
    for (int e = 0; e < part.edge_count(); ++e) {
      if (part.side->view.edges[part.part->first_edge + e] == 0) continue;
      const typename Solid::Edge edge = part.edge(e);
      const Vector from = part.vertex(edge.vertex[0]), along = part.vertex(edge.vertex[1]) - from;
      Vector low = part.face_normal(edge.face[0]), high = part.face_normal(edge.face[1]);
      // First over all of the arc, then over what the neighbours at that place leave of it.
      for (const bool is_cut : {false, true}) {
        WayOut way;
        if (!find_gap_on_arc(other, low, high, from - other.at, way)) {
          way = least_on_arc(other.core, low, high, from - other.at, best_.length);
        }
        const double depth = way.depth + other.radius;
        // An end is the normal of a face, which is tried as such.
        const auto is_end = [&](const Vector& end) {
          const Vector off = way.direction - end;
          return dot(off, off) <= kSameAngle * kSameAngle;
        };
        if (!(depth < best_.length) || is_end(low) || is_end(high)) break;
        CoreSupport point = way.lowest;
        point.point = point.point + other.at;
        const double length2 = dot(along, along), t = dot(point.point - from, along);
        const double share = t > 0 && length2 > 0 ? (t < length2 ? t / length2 : 1) : 0;
        const Vector place = from + scaled(along, share);
        if (is_cut || !this->exceeds(part, way.direction, place, 0)) {
          this->take_of(by_a, source, way.direction, depth, 0, point, edge_feature(T(e)));
          break;
        }
        if (!this->cut_arc(part, place, low, high)) break;
      }
    }
  }

  /// The normals of faces of a shape that is no part, at a vertex of the part: those at its faces
  /// and edges are tried there.
  void try_other_faces(bool by_a) {
    const Solid &part = solid(by_a), &other = solid(!by_a);
    const auto ask = [&](const Vector& out, double height, T feature) {
      const Vector u = -out;
      const CoreSupport far = part.farthest_along(u);
      const double depth = height + dot(u, far.point) + other.radius;
      if (!(depth < best_.length) || part.find_end(u, rounding_).count > 1) return;
      const double longer = this->climb(part, u, far.point, best_.length - depth);
      this->take(by_a, u, depth, longer, false, far, feature);
    };
    switch (other.core.form) {
      case CoreForm::point:
      case CoreForm::segment:
      case CoreForm::ellipsoid:
        return;
      case CoreForm::box:
      case CoreForm::hull:
        for (int face = 0; face < other.face_count(); ++face) {
          const Vector out = other.face_normal(face);
          ask(out, dot(out, other.face_point(face)), face_feature(T(face)));
        }
        return;
      case CoreForm::cylinder:
      case CoreForm::cone:
        for (int face = 0; face < (other.core.form == CoreForm::cone ? 1 : 2); ++face) {
          const Vector axis = widened(other.core.axis[2]);
          const Vector out = unit_of(face == 1 ? axis : -axis);
          ask(out, dot(out, other.at + (face == 1 ? axis : -axis)), face_feature(T(face)));
        }
        return;
    }
  }

  /// The points along the best direction, by the rule for all cores.
  bool find_points(SurfacePatch<T>& answer) {
    const ShapePair<T> pair{a_.core, b_.core, narrowed<T>(b_.at - a_.at)};
    const T size = size_of(pair), slack = flush_slack(size), rounding = 32 * kRounding<T> * size;
    const double radii = a_.radius + b_.radius;
    const Vec<T, 3> normal = narrowed<T>(best_.normal);
    CoreContact<T> found;
    found.normal = normal;
    found.depth = T(best_.depth - radii);
    const double margin = this->margin();
    found.least_depth = T(-(margin + radii) * (1 + 4 * double(kRounding<T>)));
    found.steadiness = 0;
    const bool is_of_a = best_.side == Side::a;
    const Vector across = scaled(best_.normal, double(found.depth));
    const Vec<T, 3> on_a = narrowed<T>((is_of_a ? best_.point : best_.point + across) - a_.at);
    const Vec<T, 3> on_b = narrowed<T>((is_of_a ? best_.point - across : best_.point) - b_.at);
    const T own = is_of_a ? feature_between(a_.core, &best_.vertex, 1, normal, on_a, rounding)
                          : feature_between(b_.core, &best_.vertex, 1, -normal, on_b, rounding);
    found.deepest = {on_a, found.depth, is_of_a ? own : best_.other_feature,
                     is_of_a ? best_.other_feature : own};
    CoreManifold<T> points{1, {found.deepest}};
    if (a_.core.form != CoreForm::point && b_.core.form != CoreForm::point) {
      find_face(a_.core, normal, slack, &on_a, room_.a);
      find_face(b_.core, -normal, slack, &on_b, room_.b);
      widephase::find_points(room_.a, room_.b, pair.apart, size, found, points, room_, &a_.core,
                             &b_.core);
    }
    // Shapes that are apart stay as far apart.
    const double most = contact_.depth < 0 ? double(contact_.depth) : kInfinite<double>;
    answer.depth = T(best_.depth < most ? best_.depth : most);
    answer.status = 0;
    answer.point_count = points.count;
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      answer.normal[k] = T(0) + normal[k];
      sum += double(answer.normal[k]);
    }
    sum += double(answer.depth - answer.depth);
    for (int p = 0; p < points.count; ++p) {
      const CorePoint<T>& from = points.points[p];
      SurfacePoint<T>& to = answer.points[p];
      const Vector at = a_.at + widened(from.on_a) + scaled(best_.normal, a_.radius);
      for (int k = 0; k < 3; ++k) {
        to.offset[k] = at[k] - image_[k];
        sum += at[k] - at[k];
      }
      const double depth = double(from.depth) + radii;
      to.depth = T(depth < most ? depth : most);
      if (!(to.depth >= T(-margin))) to.depth = T(-margin);
      sum += double(to.depth - to.depth);
      to.feature = static_cast<std::uint32_t>(from.feature_a) << 16 |
                   static_cast<std::uint32_t>(from.feature_b);
      to.part = -1;
    }
    return sum - sum == 0;
  }

  FacesRoom<T>& room_;
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

template <class T>
bool replace_contact(const FlushRows<T>& rows, const FlushContact<T, 3>& contact, void* room,
                     SurfacePatch<T>& answer) {
  auto& memory = *new (room) typename FlushContacts<T>::Room;
  return FlushContacts<T>(rows, contact, memory).replace(answer);
}

}  // namespace
}  // namespace widephase
