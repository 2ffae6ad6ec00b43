#pragma once

// Contacts with parts: boxes and hulls that lie flush with others of their owner, so that together
// they are one solid. A part's kernel knows nothing of its neighbours. Here the directions are told
// that the solid does not feel, and others take their place.
//
// A direction out of a part is felt at a place of it
//   - if it is a face's normal, as far as no neighbour covers the face;
//   - else if no neighbour that has the place reaches farther along it: then it is in the solid's
//     cone of normals there, whatever the part's own features are.
// A contact whose direction is felt stays as it is, to the bit. Else the shortest of these ways out
// counts, the first of equals: the normals of faces that are not covered, those between the two
// normals of an edge where they are felt, both of the part and then of the neighbours that reach
// farther at its place, the normals of the other shape's faces, and the contact's own. What is not
// felt is longer: by how far the solid reaches along it, climbed from neighbour to neighbour, or by
// how far the place is from the uncovered rest of the face.
//
// So a contact is never lost, and a face always counts where the solid has it (meshes drop contacts
// by rules for edges alone: rapier issue 524). Two parts in contact are both asked.

#include "kernels/core/convex/one_pair3.hpp"
#include "kernels/core/flush/flush_solid.hpp"
#include "kernels/core/surface/felt_directions.hpp"

namespace widephase {
namespace {

/// Directions within this are the same.
template <class T>
inline constexpr double kSameFlushAngle = sizeof(T) == 4 ? 2e-5 : 1e-10;

/// Memory for a contact: the faces that meet, and the first neighbours of both shapes, each read
/// when it is asked for.
template <class T>
struct FlushRoom {
  static constexpr int kKept = 16;
  FacesRoom<T> faces;
  FlushSolid<T> beside[2][kKept];
  int read[2];
};

template <class T>
class FlushContacts {
 public:
  using Solid = FlushSolid<T>;

  FlushContacts(const FlushRows<T>& rows, const FlushContact<T>& contact, FlushRoom<T>& room)
      : rows_(rows),
        contact_(contact),
        room_(room.faces),
        beside_(room),
        origin_(flush_anchor(rows, contact.a.kind, contact.a.id)),
        a_(solid_of(contact.a)),
        b_(solid_of(contact.b)),
        rounding_(32 * double(kRounding<T>) * (double(a_.core.reach) + double(b_.core.reach))) {}

  bool replace(SurfacePatch<T>& answer) {
    const Vector normal{
        {double(contact_.normal[0]), double(contact_.normal[1]), double(contact_.normal[2])}};
    const Vector on_a{{contact_.point[0], contact_.point[1], contact_.point[2]}};
    const double depth = double(contact_.depth);
    const Vector on_b = on_a - scaled(normal, depth);
    if (is_felt(a_, normal, on_a) && is_felt(b_, -normal, on_b)) return false;
    best_.side = Side::none;
    best_.length = kInfinite<double>;
    for (const bool by_a : {true, false}) {
      if ((by_a ? a_ : b_).part == nullptr) continue;
      const Vector u = by_a ? normal : -normal;
      try_faces(by_a, {solid(by_a), true});
      try_edges(by_a, {solid(by_a), true});
      try_neighbours(by_a, u, end_along(solid(by_a), u, by_a ? on_a : on_b));
      if (solid(!by_a).part == nullptr) try_other_faces(by_a);
    }
    if (best_.side == Side::none) return false;
    // Its own direction last: a solid that is large is not climbed to its end.
    const double most = best_.length + rounding_ - depth;
    const double of_a = beyond(a_, normal, on_a, most);
    if (of_a + beyond(b_, -normal, on_b, most - of_a) <= most) return false;
    return find_points(answer);
  }

 private:
  static constexpr double kSameAngle = kSameFlushAngle<T>;
  static constexpr int kMostSteps = 256;  ///< from neighbour to neighbour

  enum class Side : std::uint8_t { none, a, b };
  /// The best direction so far, and the point that bounds it: the foremost one of a side.
  struct Best {
    Vector normal;  ///< from A to B
    double length;  ///< for the solids
    double depth;   ///< of the pair alone
    Side side;      ///< whose point it is
    Vector point;
    int vertex;
    T other_feature;  ///< of the other side; below 0: asked by place
  };

  Solid solid_of(const FlushShape& shape) const {
    Solid solid = flush_solid(rows_, shape.kind, shape.id, origin_);
    if (shape.part >= 0) {
      solid.side = &rows_.sides[shape.side];
      solid.part = solid.side->view.parts + shape.part;
    }
    return solid;
  }
  /// Whether a part's neighbour is one of those that are kept, by its number in the part's list.
  bool is_kept(const Solid& part, int n) const {
    return n < FlushRoom<T>::kKept && (part.part == a_.part || part.part == b_.part);
  }
  const Solid& kept(const Solid& part, int n) const {
    const int slot = part.part == a_.part ? 0 : 1;
    int& read = beside_.read[slot];
    for (; read <= n; ++read) beside_.beside[slot][read] = read_neighbour(part, read);
    return beside_.beside[slot][n];
  }
  const Solid& neighbour(const Solid& part, int n, Solid& other) const {
    if (is_kept(part, n)) return kept(part, n);
    other = read_neighbour(part, n);
    return other;
  }
  Solid read_neighbour(const Solid& part, int n) const {
    const FlushSide& side = *part.side;
    const std::int32_t own = side.view.neighbours[part.part->first_neighbour + n];
    int kind = 0;
    while (own >= side.first[kind + 1]) ++kind;
    Solid found = flush_solid(rows_, static_cast<Kind>(kind), own + side.shift[kind], origin_);
    found.side = &side;
    const std::int32_t row = side.view.part_of[own];
    found.part = row < 0 ? nullptr : side.view.parts + row;
    return found;
  }
  double slack(const Solid& part) const { return part.side->view.tolerance + rounding_; }

  /// Whether a neighbour that has a place of a part, within the tolerance, reaches farther along a
  /// direction by more than `most`, and than by rounding.
  bool exceeds(const Solid& part, const Vector& u, const Vector& place, double most) const {
    const double allowed = slack(part), start = dot(u, place);
    const double least = most > rounding_ ? most : rounding_;
    for (int n = 0; n < part.part->neighbour_count; ++n) {
      const auto is_it = [&](const Solid& beside) {
        return beside.has(place, allowed) && dot(u, beside.farthest_along(u).point) - start > least;
      };
      if (is_kept(part, n) ? is_it(kept(part, n)) : is_it(read_neighbour(part, n))) return true;
    }
    return false;
  }
  /// How much farther along a direction a part's solid reaches than a place of the part: from one
  /// neighbour that has the farthest place, within the tolerance, to the next. Infinite if that is
  /// more than `most`.
  double climb(const Solid& part, const Vector& u, const Vector& place, double most) const {
    if (exceeds(part, u, place, most)) return kInfinite<double>;
    const double allowed = slack(part), start = dot(u, place);
    Solid here = part;
    Vector at = place;
    double top = start;
    for (int step = 0; here.part != nullptr; ++step) {
      double next_top = top + rounding_;
      Solid next = here, other = here;
      Vector next_at;
      bool has_next = false;
      for (int n = 0; n < here.part->neighbour_count; ++n) {
        const Solid& beside = neighbour(here, n, other);
        if (!beside.has(at, allowed)) continue;
        const Vector far = beside.farthest_along(u).point;
        const double height = dot(u, far);
        if (!(height > next_top)) continue;
        if (height - start > most) return kInfinite<double>;
        next_top = height;
        next = beside;
        next_at = far;
        has_next = true;
      }
      if (!has_next) break;
      top = next_top;
      if (step == kMostSteps) return kInfinite<double>;
      here = next;
      at = next_at;
    }
    return top - start;
  }

  /// How far a place, seen along a face's normal, is from what neighbours leave of the face.
  double aside(const Solid& part, int face, const Vector& place) const {
    const FlushView& view = part.side->view;
    const std::int32_t left = view.faces[part.part->first_face + face];
    if (left == kOpenFace) return 0;
    if (left == kCoveredFace) return kInfinite<double>;
    const Vector normal = part.to_own(part.face_normal(face));
    Vector own = part.to_own(place - part.at);
    double least2 = kInfinite<double>;
    for (std::int32_t p = left; p >= 0; p = view.pieces[p].next) {
      const FlushPiece& piece = view.pieces[p];
      const double* const corners = view.corners + std::ptrdiff_t{3} * piece.first_corner;
      const auto corner = [&](std::int32_t c) {
        const double* const at = corners + std::ptrdiff_t{3} * c;
        return Vector{{at[0], at[1], at[2]}};
      };
      own = own - scaled(normal, dot(normal, own - corner(0)));
      bool is_inside = true;
      Vector from = corner(piece.corner_count - 1);
      for (std::int32_t c = 0; c < piece.corner_count; ++c) {
        const Vector to = corner(c), along = to - from, off = own - from;
        if (dot(cross(along, off), normal) < 0) {
          is_inside = false;
          const double length2 = dot(along, along), t = dot(off, along);
          const double share = t > 0 && length2 > 0 ? (t < length2 ? t / length2 : 1) : 0;
          const Vector rest = off - scaled(along, share);
          least2 = dot(rest, rest) < least2 ? dot(rest, rest) : least2;
        }
        from = to;
      }
      if (is_inside) return 0;
    }
    return root(least2);
  }

  bool is_felt(const Solid& part, const Vector& u, const Vector& place) const {
    return beyond(part, u, place, 0) <= 0;
  }
  /// By how much a direction out of a shape at a place is longer for its solid; 0 if it is felt.
  double beyond(const Solid& part, const Vector& u, const Vector& place, double most) const {
    if (part.part == nullptr) return 0;
    const int face = part.face_along(u, kSameAngle);
    const double off = face < 0 ? kInfinite<double> : aside(part, face, place);
    if (!(off > rounding_)) return 0;
    if (off < kInfinite<double>) return off;
    return climb(part, u, end_along(part, u, place), most);
  }
  /// What of a part is farthest along a direction: one vertex, the edge to another, or a face.
  struct End {
    CoreSupport vertex;
    int other;
    int count;  ///< vertices, of a box's face 3
  };
  End find_end(const Solid& part, const Vector& u) const {
    End end{part.farthest_along(u), 0, 1};
    end.other = end.vertex.number;
    if (part.is_box()) {
      for (int k = 0; k < 3; ++k) {
        if (magnitude(dot(widened(part.core.axis[k]), u)) > rounding_) continue;
        ++end.count;
        end.other = end.vertex.number ^ (1 << k);
      }
      return end;
    }
    const double least = dot(u, end.vertex.point) - rounding_;
    for (int v = 0; v < part.core.hull().vertex_count; ++v) {
      if (v == end.vertex.number || !(dot(u, part.vertex(v)) >= least)) continue;
      ++end.count;
      end.other = v;
    }
    return end;
  }
  /// The point of it that is nearest to a place, but of a face the place itself. The points of a
  /// contact may lag behind by a small angle.
  Vector end_along(const Solid& part, const Vector& u, const Vector& place) const {
    const End end = find_end(part, u);
    if (end.count > 2) return place;
    const Vector along = part.vertex(end.other) - end.vertex.point, off = place - end.vertex.point;
    const double length2 = dot(along, along), t = dot(off, along);
    const double share = t > 0 && length2 > 0 ? (t < length2 ? t / length2 : 1) : 0;
    return end.vertex.point + scaled(along, share);
  }

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

  const Solid& solid(bool is_a) const { return is_a ? a_ : b_; }

  /// Takes a direction out of A, or of B, if it is shorter. `part_beyond`: how much longer it is
  /// for the solid of the shape that it leads out of.
  void take(bool by_a, const Vector& u, double depth, double longer, bool is_point_of_other,
            const CoreSupport& point, T other_feature) {
    if (!(depth + longer < best_.length - rounding_)) return;
    const Solid& other = solid(!by_a);
    longer += beyond(other, -u, other_point(by_a, u, depth, is_point_of_other, point),
                     best_.length - depth);
    if (!(depth + longer < best_.length - rounding_)) return;
    best_.normal = by_a ? u : -u;
    best_.length = depth + longer;
    best_.depth = depth;
    best_.side = by_a != is_point_of_other ? Side::a : Side::b;
    best_.point = point.point;
    best_.vertex = point.number;
    best_.other_feature = other_feature;
  }
  Vector other_point(bool by_a, const Vector& u, double depth, bool is_point_of_other,
                     const CoreSupport& point) const {
    if (is_point_of_other) return point.point - scaled(u, solid(!by_a).radius);
    return point.point + scaled(u, solid(by_a).radius - depth);
  }

  /// What is tried of a part, or of a neighbour in its place: a neighbour's direction has the
  /// length that it has for the neighbour, from which the part must not stick out.
  struct Source {
    const Solid& solid;
    bool is_own;
  };
  void take_of(bool by_a, const Source& source, const Vector& u, double depth, double longer,
               const CoreSupport& low, T feature) {
    if (source.is_own) return take(by_a, u, depth, longer, true, low, feature);
    const CoreSupport far = solid(by_a).farthest_along(u);
    const double own = dot(u, far.point - low.point) + solid(!by_a).radius;
    if (!(own <= depth + rounding_)) return;
    take(by_a, u, own, depth - own + longer, true, low, vertex_feature(T(far.number)));
  }

  void try_faces(bool by_a, const Source& source) {
    const Solid &part = source.solid, &other = solid(!by_a);
    for (int face = 0; face < part.face_count(); ++face) {
      if (part.side->view.faces[part.part->first_face + face] == kCoveredFace) continue;
      const Vector u = part.face_normal(face);
      const CoreSupport low = other.farthest_along(-u);
      const double depth = dot(u, part.face_point(face) - low.point) + other.radius;
      if (!(depth < best_.length)) continue;
      take_of(by_a, source, u, depth, aside(part, face, low.point), low, face_feature(T(face)));
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
        if (is_cut || !exceeds(part, way.direction, place, 0)) {
          take_of(by_a, source, way.direction, depth, 0, point, edge_feature(T(e)));
          break;
        }
        if (!cut_arc(part, place, low, high)) break;
      }
    }
  }

  /// The directions of the neighbours that keep one out of a part at a place from being felt.
  void try_neighbours(bool by_a, const Vector& u, const Vector& place) {
    const Solid& part = solid(by_a);
    Solid other = part;
    for (int n = 0; n < part.part->neighbour_count; ++n) {
      const Solid& beside = neighbour(part, n, other);
      if (beside.part == nullptr || !beside.has(place, slack(part))) continue;
      if (!(dot(u, beside.farthest_along(u).point - place) > rounding_)) continue;
      try_faces(by_a, {beside, false});
      try_edges(by_a, {beside, false});
    }
  }
  /// Leaves of an arc of directions those along which no neighbour reaches beyond a place of the
  /// edge. False if none are left.
  bool cut_arc(const Solid& part, const Vector& place, Vector& from, Vector& to) const {
    const double allowed = slack(part);
    double low = 0, high = 1;
    Solid other = part;
    for (int n = 0; n < part.part->neighbour_count; ++n) {
      const Solid& beside = neighbour(part, n, other);
      if (!beside.has(place, allowed)) continue;
      const int vertices = beside.is_box() ? 8 : beside.core.hull().vertex_count;
      for (int v = 0; v < vertices; ++v) {
        const Vector off = beside.vertex(v) - place;
        const double first = dot(from, off) - allowed, last = dot(to, off) - allowed;
        if (first > 0 && last > 0) return false;
        if (first > 0) low = first / (first - last) > low ? first / (first - last) : low;
        if (last > 0) high = first / (first - last) < high ? first / (first - last) : high;
      }
    }
    if (!(low + 1e-9 < high)) return false;
    const Vector first = unit_or(scaled(from, 1 - low) + scaled(to, low), from);
    to = unit_or(scaled(from, 1 - high) + scaled(to, high), to);
    from = first;
    return true;
  }

  /// The normals of faces of a shape that is no part, at a vertex of the part: those at its faces
  /// and edges are tried there.
  void try_other_faces(bool by_a) {
    const Solid &part = solid(by_a), &other = solid(!by_a);
    const auto ask = [&](const Vector& out, double height, T feature) {
      const Vector u = -out;
      const CoreSupport far = part.farthest_along(u);
      const double depth = height + dot(u, far.point) + other.radius;
      if (!(depth < best_.length) || find_end(part, u).count > 1) return;
      take(by_a, u, depth, climb(part, u, far.point, best_.length - depth), false, far, feature);
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
    double margin = double(rows_.margin);
    if (rows_.margins != nullptr) {
      margin += double(rows_.margins[contact_.a.id]) + double(rows_.margins[contact_.b.id]);
    }
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
        to.offset[k] = at[k];
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

  const FlushRows<T>& rows_;
  const FlushContact<T>& contact_;
  FacesRoom<T>& room_;
  FlushRoom<T>& beside_;
  Vector origin_;
  Solid a_, b_;
  double rounding_;
  Best best_{};
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
    return is_open(
        flush_solid(rows, shape.kind, shape.id, {{0, 0, 0}}).face_along(u, kSameFlushAngle<T>));
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
bool replace_contact(const FlushRows<T>& rows, const FlushContact<T>& contact, void* room,
                     SurfacePatch<T>& answer) {
  auto& memory = *new (room) FlushRoom<T>;
  memory.read[0] = memory.read[1] = 0;
  return FlushContacts<T>(rows, contact, memory).replace(answer);
}

}  // namespace
}  // namespace widephase
