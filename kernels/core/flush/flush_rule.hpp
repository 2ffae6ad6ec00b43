#pragma once

// Contacts with parts: shapes with flat sides alone that lie flush with others of their owner, so
// that together they are one solid. A part's kernel knows nothing of its neighbours. Here the
// directions are told that the solid does not feel, and others take their place.
//
// A direction out of a part is felt at a place of it
//   - if it is a face's normal (2D: a side's), as far as no neighbour covers the face;
//   - else if no neighbour that has the place reaches farther along it: then it is in the solid's
//     cone of normals there, whatever the part's own features are.
// A contact whose direction is felt stays as it is, to the bit. Else the shortest of these ways out
// counts, the first of equals: the normals of faces that are not covered, those between the two
// normals of an edge (2D: of a vertex) where they are felt, both of the part and then of the
// neighbours that reach farther at its place, the normals of the other shape's faces, and the
// contact's own. What is not felt is longer: by how far the solid reaches along it, climbed from
// neighbour to neighbour, or by how far the place is from the uncovered rest of the face.
//
// So a contact is never lost, and a face always counts where the solid has it (meshes drop contacts
// by rules for edges alone: rapier issue 524). Two parts in contact are both asked.

#include "kernels/core/support/convex_shape.hpp"
#include "kernels/flush_table.hpp"

namespace widephase {
namespace {

/// Where a segment is nearest to a place, 0 to 1: `t` is the product of the segment with the way
/// to the place from its start, `length2` the square of its length.
WIDEPHASE_INLINE double share_of(double t, double length2) {
  return t > 0 && length2 > 0 ? (t < length2 ? t / length2 : 1) : 0;
}

/// Directions within this are the same.
template <class T>
inline constexpr double kSameFlushAngle = sizeof(T) == 4 ? 2e-5 : 1e-10;

/// The first neighbours of both shapes of a contact, each read when it is asked for.
template <class Solid>
struct FlushNeighbours {
  static constexpr int kKept = 16;
  Solid beside[2][kKept];
  int read[2];
};

/// The point of a shape that its row begins with, from the origin of the scene.
template <int D, class T>
Vec<double, D> flush_anchor(const FlushRows<T>& rows, Kind kind, std::int32_t id) {
  const int k = static_cast<int>(kind);
  Vec<double, D> point;
  if constexpr (sizeof(T) == 4) {
    if (rows.anchors[k] != nullptr) {
      const double* const at = rows.anchors[k] + std::ptrdiff_t{id} * rows.anchor_width[k];
      for (int d = 0; d < D; ++d) point[d] = at[d];
      return point;
    }
  }
  const T* const at = rows.rows[k] + std::ptrdiff_t{id} * rows.row_width[k];
  for (int d = 0; d < D; ++d) point[d] = double(at[d]);
  return point;
}

/// What holds for contacts in both dimensions: `Solid` is a shape about the anchor of A.
template <class T, class Solid, int D>
class FlushRule {
 public:
  using Point = Vec<double, D>;
  using Support = typename Solid::Support;
  using Neighbours = FlushNeighbours<Solid>;

 protected:
  FlushRule(const FlushRows<T>& rows, const FlushContact<T, D>& contact, Neighbours& beside)
      : rows_(rows),
        contact_(contact),
        beside_(beside),
        origin_(flush_anchor<D>(rows, contact.a.kind, contact.a.id)),
        a_(solid_of(contact.a)),
        b_(solid_of(contact.b)),
        rounding_(32 * double(kRounding<T>) * (double(a_.reach()) + double(b_.reach()))) {
    beside_.read[0] = beside_.read[1] = 0;
    is_periodic_ = false;
    for (int k = 0; k < D; ++k) is_periodic_ |= rows.period[k] > 0;
    for (int k = 0; k < D; ++k) image_[k] = 0;
    if (!is_periodic_) return;
    b_.at = b_.at + to_image(middle_of(b_), middle_of(a_));
    Point on_a;
    for (int k = 0; k < D; ++k) on_a[k] = contact.point[k];
    image_ = to_image(on_a, middle_of(a_));
  }

  /// A part and a surface of a thickness, whose search asks: it is not read, and never periodic.
  FlushRule(const FlushRows<T>& rows, const FlushContact<T, D>& contact, double thickness,
            Neighbours& beside)
      : rows_(rows),
        contact_(contact),
        beside_(beside),
        origin_(flush_anchor<D>(rows, contact.a.kind, contact.a.id)),
        a_(solid_of(contact.a)),
        b_{},
        rounding_(64 * double(kRounding<T>) * double(a_.reach())),
        is_periodic_(false) {
    beside_.read[0] = beside_.read[1] = 0;
    b_.radius = thickness;
    for (int k = 0; k < D; ++k) image_[k] = 0;
  }

  static constexpr double kSameAngle = kSameFlushAngle<T>;
  static constexpr int kMostSteps = 256;  ///< from neighbour to neighbour

  enum class Side : std::uint8_t { none, a, b };
  /// The best direction so far, and the point that bounds it: the foremost one of a side.
  struct Best {
    Point normal;   ///< from A to B
    double length;  ///< for the solids
    double depth;   ///< of the pair alone
    Side side;      ///< whose point it is
    Point point;
    int vertex;
    T other_feature;  ///< of the other side; below 0: asked by place
  };

  /// Finds the shortest of what `try_out` takes for each shape that is a part: `try_out(by_a, u,
  /// place)`, u the contact's direction out of it. False: the contact stays.
  template <class TryOut>
  bool find_best(const TryOut& try_out) {
    Point normal, on_a;
    for (int k = 0; k < D; ++k) {
      normal[k] = double(contact_.normal[k]);
      on_a[k] = contact_.point[k] + image_[k];
    }
    const double depth = double(contact_.depth);
    const Point on_b = on_a - scaled(normal, depth);
    if (is_felt(a_, normal, on_a) && is_felt(b_, -normal, on_b)) return false;
    best_.side = Side::none;
    best_.length = kInfinite<double>;
    for (const bool by_a : {true, false}) {
      if (solid(by_a).part != nullptr) try_out(by_a, by_a ? normal : -normal, by_a ? on_a : on_b);
    }
    if (best_.side == Side::none) return false;
    // Its own direction last: a solid that is large is not climbed to its end.
    const double most = best_.length + rounding_ - depth;
    const double of_a = beyond(a_, normal, on_a, most);
    return !(of_a + beyond(b_, -normal, on_b, most - of_a) <= most);
  }

  const Solid& solid(bool is_a) const { return is_a ? a_ : b_; }

  /// The margin of the pair.
  double margin() const {
    double margin = double(rows_.margin);
    if (rows_.margins != nullptr) {
      margin += double(rows_.margins[contact_.a.id]) + double(rows_.margins[contact_.b.id]);
    }
    return margin;
  }

  Solid solid_of(const FlushShape& shape) const {
    Solid solid;
    solid.read(rows_, shape.kind, shape.id, origin_);
    if (shape.part >= 0) {
      solid.side = &rows_.sides[shape.side];
      solid.part = solid.side->view.parts + shape.part;
    }
    return solid;
  }
  /// Whether a part's neighbour is one of those that are kept, by its number in the part's list.
  bool is_kept(const Solid& part, int n) const {
    return n < Neighbours::kKept && (part.part == a_.part || part.part == b_.part);
  }
  const Solid& kept(const Solid& part, int n) const {
    const int slot = part.part == a_.part ? 0 : 1;
    int& read = beside_.read[slot];
    for (; read <= n; ++read) read_neighbour(part, read, beside_.beside[slot][read]);
    return beside_.beside[slot][n];
  }
  const Solid& neighbour(const Solid& part, int n, Solid& other) const {
    if (is_kept(part, n)) return kept(part, n);
    read_neighbour(part, n, other);
    return other;
  }
  void read_neighbour(const Solid& part, int n, Solid& found) const {
    read_part(*part.side, part.side->view.neighbours[part.part->first_neighbour + n],
              middle_of(part), found);
  }
  /// Reads a part by its own id, in the image that is nearest to a place.
  void read_part(const FlushSide& side, std::int32_t own, const Point& near, Solid& found) const {
    int kind = 0;
    while (own >= side.first[kind + 1]) ++kind;
    found.read(rows_, static_cast<Kind>(kind), own + side.shift[kind], origin_);
    found.side = &side;
    const std::int32_t row = side.view.part_of[own];
    found.part = row < 0 ? nullptr : side.view.parts + row;
    if (is_periodic_) found.at = found.at + to_image(middle_of(found), near);
  }
  /// The middle of a shape's bounds along the axes that wrap: it tells which image is the nearest.
  Point middle_of(const Solid& solid) const {
    Point middle = solid.at;
    for (int k = 0; k < D; ++k) {
      if (!(rows_.period[k] > 0)) continue;
      Point up;
      for (int j = 0; j < D; ++j) up[j] = j == k ? 1 : 0;
      middle[k] = 0.5 * solid.farthest_along(up).point[k];
      up[k] = -1;
      middle[k] += 0.5 * solid.farthest_along(up).point[k];
    }
    return middle;
  }
  /// From a place to its image that is nearest to another place.
  Point to_image(const Point& from, const Point& near) const {
    Point image;
    for (int k = 0; k < D; ++k) {
      const double period = rows_.period[k];
      // Adding 1.5 * 2^52 rounds to an integer.
      constexpr double kRounder = 6755399441055744.0;
      const double turns = period > 0 ? ((near[k] - from[k]) / period + kRounder) - kRounder : 0;
      image[k] = turns * period;
    }
    return image;
  }
  double slack(const Solid& part) const { return part.side->view.tolerance + rounding_; }

  /// Whether a neighbour that has a place of a part, within the tolerance, reaches farther along a
  /// direction by more than `most`, and than by rounding.
  bool exceeds(const Solid& part, const Point& u, const Point& place, double most) const {
    const double allowed = slack(part), start = dot(u, place);
    const double least = most > rounding_ ? most : rounding_;
    Solid other;
    for (int n = 0; n < part.part->neighbour_count; ++n) {
      const Solid& beside = neighbour(part, n, other);
      if (beside.has(place, allowed) && dot(u, beside.farthest_along(u).point) - start > least) {
        return true;
      }
    }
    return false;
  }
  /// How much farther along a direction a part's solid reaches than a place of the part: from one
  /// neighbour that has the farthest place, within the tolerance, to the next. Infinite if that is
  /// more than `most`.
  double climb(const Solid& part, const Point& u, const Point& place, double most) const {
    if (exceeds(part, u, place, most)) return kInfinite<double>;
    const double allowed = slack(part), start = dot(u, place);
    Solid here = part;
    Point at = place;
    double top = start;
    for (int step = 0; here.part != nullptr; ++step) {
      double next_top = top + rounding_;
      Solid next = here, other;
      Point next_at;
      bool has_next = false;
      for (int n = 0; n < here.part->neighbour_count; ++n) {
        const Solid& beside = neighbour(here, n, other);
        if (!beside.has(at, allowed)) continue;
        const Point far = beside.farthest_along(u).point;
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

  bool is_felt(const Solid& part, const Point& u, const Point& place) const {
    return beyond(part, u, place, rows_.steadiness) <= rows_.steadiness;
  }
  /// By how much a direction out of a shape at a place is longer for its solid; 0 if it is felt.
  double beyond(const Solid& part, const Point& u, const Point& place, double most) const {
    if (part.part == nullptr) return 0;
    const int face = part.face_along(u, kSameAngle);
    const double off = face < 0 ? kInfinite<double> : part.aside(face, place);
    if (!(off > rounding_)) return 0;
    if (off < kInfinite<double>) return off;
    return climb(part, u, part.end_along(u, place, rounding_), most);
  }

  /// Takes a direction out of A, or of B, if it is shorter. `longer`: by how much for the solid of
  /// the shape that it leads out of.
  void take(bool by_a, const Point& u, double depth, double longer, bool is_point_of_other,
            const Support& point, T other_feature) {
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
  Point other_point(bool by_a, const Point& u, double depth, bool is_point_of_other,
                    const Support& point) const {
    if (is_point_of_other) return point.point - scaled(u, solid(!by_a).radius);
    return point.point + scaled(u, solid(by_a).radius - depth);
  }

  /// Calls `try_of` for the neighbours that keep a direction out of a part at a place from being
  /// felt.
  template <class TryOf>
  void try_neighbours(const Solid& part, const Point& u, const Point& place,
                      const TryOf& try_of) const {
    Solid other;
    for (int n = 0; n < part.part->neighbour_count; ++n) {
      const Solid& beside = neighbour(part, n, other);
      if (beside.part == nullptr || !beside.has(place, slack(part))) continue;
      if (!(dot(u, beside.farthest_along(u).point - place) > rounding_)) continue;
      try_of(beside);
    }
  }
  /// Leaves of the directions from one to another, less than half a turn, those along which no
  /// neighbour reaches beyond a place of the part. False if none are left.
  bool cut_arc(const Solid& part, const Point& place, Point& from, Point& to) const {
    const double allowed = slack(part);
    double low = 0, high = 1;
    Solid other;
    for (int n = 0; n < part.part->neighbour_count; ++n) {
      const Solid& beside = neighbour(part, n, other);
      if (!beside.has(place, allowed)) continue;
      for (int v = 0; v < beside.vertex_count(); ++v) {
        const Point off = beside.vertex(v) - place;
        const double first = dot(from, off) - allowed, last = dot(to, off) - allowed;
        if (first > 0 && last > 0) return false;
        if (first > 0) low = first / (first - last) > low ? first / (first - last) : low;
        if (last > 0) high = first / (first - last) < high ? first / (first - last) : high;
      }
    }
    if (!(low + 1e-9 < high)) return false;
    const Point first = Solid::unit_or(scaled(from, 1 - low) + scaled(to, low), from);
    to = Solid::unit_or(scaled(from, 1 - high) + scaled(to, high), to);
    from = first;
    return true;
  }

  const FlushRows<T>& rows_;
  const FlushContact<T, D>& contact_;
  Neighbours& beside_;
  Point origin_;
  Solid a_, b_;
  double rounding_;
  bool is_periodic_;
  Point image_;  ///< from the contact's points to those on A
  Best best_{};
};

}  // namespace
}  // namespace widephase
