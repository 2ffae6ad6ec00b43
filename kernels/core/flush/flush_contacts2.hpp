#pragma once

// The directions of parts in 2D, which are aabbs, boxes or polygons, for the rule of
// flush_rule.hpp, and the points along the best one. Where shapes have edges marked as inside their
// owner (inner_edges.hpp), the search for flush parts takes a part's as covered, and here those of
// other shapes are left out.

#include "kernels/core/flush/flush_ways2.hpp"

namespace widephase {
namespace {

template <class T>
class FlushContacts : FlushWays2<T> {
 public:
  using Ways = FlushWays2<T>;
  using typename Ways::Solid;
  using typename Ways::Support;
  /// Memory for a contact.
  using Room = typename Ways::Neighbours;

  FlushContacts(const FlushRows<T>& rows, const FlushContact<T, 2>& contact, Room& room)
      : Ways(rows, contact, room) {}

  bool replace(SurfacePatch<T, 2>& answer) {
    const bool is_found = this->find_best([&](bool by_a, const Vector2& u, const Vector2& place) {
      this->try_ways(by_a, u, place, solid(!by_a));
      if (solid(!by_a).part == nullptr) try_other_sides(by_a);
    });
    return is_found && find_points(answer);
  }

 private:
  using typename Ways::Side;
  using Ways::a_;
  using Ways::b_;
  using Ways::best_;
  using Ways::contact_;
  using Ways::image_;
  using Ways::rounding_;
  using Ways::solid;
  using Ways::status_;
  static constexpr double kSameAngle = kSameFlushAngle<T>;

  static bool is_same(const Vector2& u, const Vector2& v) {
    return dot(u - v, u - v) <= kSameAngle * kSameAngle;
  }

  /// The normals of sides of a shape that is no part, at a vertex of the part: those at its sides
  /// are tried there.
  void try_other_sides(bool by_a) {
    const Solid &part = solid(by_a), &other = solid(!by_a);
    for (int e = 0; e < other.core.edge_count(); ++e) {
      if (other.is_inner(e)) continue;
      const Vector2 u = -other.core.normal[e];
      const Support far = part.farthest_along(u);
      const double depth = dot(u, far.point - other.vertex(e)) + other.radius;
      if (!(depth < best_.length)) continue;
      if (part.other_end(u, far.number, rounding_) != far.number) continue;
      const double longer =
          other.off_side(e, far.point) + this->climb(part, u, far.point, best_.length - depth);
      this->take(by_a, u, depth, longer, false, far, other.edge_name(e));
    }
  }

  /// What of a core is foremost along a direction: a vertex, and its edge that looks most along it,
  /// unless that is inside the owner. `x` is across the direction, `height` along it.
  struct Front {
    Vector2 end[2];
    double x[2], height[2];
    T name[2], edge_name;
    bool is_level;  ///< an edge across the direction
    int count;      ///< of ends
  };
  static int foremost_edge(const ChainCore& core, const Vector2& u) {
    int edge = -1;
    for (int e = 0; e < core.edge_count(); ++e) {
      if (edge < 0 || dot(u, core.normal[e]) > dot(u, core.normal[edge])) edge = e;
    }
    return edge;
  }
  /// From the foremost vertex, beyond a stretch of the other shape, the edge that comes to it.
  static int edge_toward(const Solid& shape, const Vector2& u, const Vector2& across, double first,
                         double last) {
    const ChainCore& core = shape.core;
    const auto x = [&](int v) { return dot(across, shape.vertex(v)); };
    int from = core.lowest(-u);
    const double sign = x(from) > last ? 1 : -1, end = sign > 0 ? last : 0 - first;
    const bool is_forth = sign * x(core.next(from)) < sign * x(shape.before(from));
    const auto step = [&](int v) { return is_forth ? core.next(v) : shape.before(v); };
    int to = step(from);
    for (int n = 0; n < core.count && sign * x(to) > end && sign * x(to) < sign * x(from); ++n) {
      from = to;
      to = step(from);
    }
    return is_forth ? from : to;
  }
  static Front front_of(const Solid& shape, const Vector2& u, const Vector2& across, int edge,
                        double rounding) {
    const ChainCore& core = shape.core;
    Front front{};
    if (edge >= 0 &&
        (shape.part == nullptr ? core.is_inner[edge] != 0 : shape.left_of(edge) == kCoveredFace)) {
      edge = -1;
    }
    const int p = edge < 0 ? core.lowest(-u) : edge, q = edge < 0 ? p : core.next(edge);
    const int vertices[2] = {p, q};
    for (int n = 0; n < 2; ++n) {
      front.end[n] = shape.vertex(vertices[n]);
      front.x[n] = dot(across, front.end[n]);
      front.height[n] = dot(u, front.end[n]);
      front.name[n] = shape.vertex_name(vertices[n]);
    }
    front.count = 2;
    if (!(magnitude(front.x[1] - front.x[0]) > rounding)) {  // it stands along the direction
      const int low = front.height[1] > front.height[0] ? 1 : 0;
      front.end[1 - low] = front.end[low];
      front.x[1 - low] = front.x[low];
      front.height[1 - low] = front.height[low];
      front.name[1 - low] = front.name[low];
      front.count = 1;
    }
    front.edge_name = edge < 0 ? front.name[0] : shape.edge_name(edge);
    front.is_level = edge >= 0 && is_same(core.normal[edge], u);
    return front;
  }

  /// A point where both meet, before it is moved by A's radius.
  struct Meeting {
    Vector2 on_a;
    double depth;  ///< of the cores
    double x;
    T name_a, name_b;
  };

  /// The ends of what one shape's edge has over the other's level one, which is the reference, as
  /// the manifolds of all outlines have them (edge_manifold.hpp). Returns how many.
  int meet(const Front& a, const Front& b, bool is_by_a, Meeting (&found)[2]) const {
    const Front &reference = is_by_a ? a : b, &incident = is_by_a ? b : a;
    const int low = reference.x[0] < reference.x[1] ? 0 : 1;
    const double first = reference.x[low], last = reference.x[1 - low];
    const double far_low = incident.x[0] < incident.x[1] ? incident.x[0] : incident.x[1];
    const double far_high = incident.x[0] < incident.x[1] ? incident.x[1] : incident.x[0];
    if (far_low > last + rounding_ || far_high < first - rounding_) return 0;
    const auto share_at = [](const Front& front, double x) {
      const double run = front.x[1] - front.x[0];
      if (front.count < 2) return 0.0;
      const double share = (x - front.x[0]) / run;
      return share > 0 ? (share < 1 ? share : 1) : 0;
    };
    const auto height_at = [&](const Front& front, double x) {
      return front.height[0] + share_at(front, x) * (front.height[1] - front.height[0]);
    };
    int count = 0;
    for (int n = 0; n < incident.count; ++n) {
      double x = incident.x[n];
      T of_incident = incident.name[n], of_reference = reference.edge_name;
      if (x < first - rounding_ || x > last + rounding_) {
        const int end = x > last ? 1 - low : low;
        x = reference.x[end];
        of_incident = incident.edge_name;
        of_reference = reference.name[end];
      }
      const Meeting meeting{
          a.end[0] + scaled(a.end[1] - a.end[0], share_at(a, x)), height_at(a, x) - height_at(b, x),
          x, is_by_a ? of_reference : of_incident, is_by_a ? of_incident : of_reference};
      const double apart = count == 0 ? kInfinite<double> : magnitude(x - found[0].x);
      if (apart > 2 * rounding_) {
        found[count++] = meeting;
      } else if (meeting.depth > found[0].depth) {
        found[0] = meeting;
      }
    }
    return count;
  }

  T name_of(const Solid& shape, int number) const {
    return number < 0 ? shape.edge_name(-1 - number) : shape.vertex_name(number);
  }

  /// How far a core reaches along a direction at a place across it; minus infinity beside it.
  static double height_at(const Solid& shape, const Vector2& u, const Vector2& across, double x) {
    double most = -kInfinite<double>;
    for (int v = 0; v < shape.core.count; ++v) {
      const Vector2 p = shape.vertex(v), q = shape.vertex(shape.core.next(v));
      const double from = dot(across, p) - x, to = dot(across, q) - x;
      const double rise = dot(u, q - p), start = dot(u, p);
      if (from == 0 && start > most) most = start;
      if ((from < 0) == (to < 0)) continue;
      const double height = start + from / (from - to) * rise;
      most = height > most ? height : most;
    }
    return most;
  }
  /// The most that A's core is over B's along a direction anywhere: it is concave across it, with
  /// corners where they have theirs.
  double overlap_along(const Vector2& u, const Vector2& across) const {
    double most = -kInfinite<double>;
    for (const Solid* shape : {&a_, &b_}) {
      for (int v = 0; v < shape->core.count; ++v) {
        const double x = dot(across, shape->vertex(v));
        const double here = height_at(a_, u, across, x) + height_at(b_, -u, across, x);
        most = here > most ? here : most;
      }
    }
    return most;
  }

  /// The points along the best direction.
  bool find_points(SurfacePatch<T, 2>& answer) const {
    const Vector2& u = best_.normal;
    const Vector2 across{{0 - u[1], u[0]}};
    const double radii = a_.radius + b_.radius, depth = best_.depth - radii;
    const bool is_of_a = best_.side == Side::a;
    Meeting meetings[2] = {};
    int count = 0;
    Front a = front_of(a_, u, across, foremost_edge(a_.core, u), rounding_);
    Front b = front_of(b_, -u, across, foremost_edge(b_.core, -u), rounding_);
    if (a.is_level || b.is_level) {
      const bool is_by_a = a.is_level && (!b.is_level || !is_of_a);
      const Front& reference = is_by_a ? a : b;
      const Solid& other = is_by_a ? b_ : a_;
      const double first = reference.x[0] < reference.x[1] ? reference.x[0] : reference.x[1];
      const double last = reference.x[0] < reference.x[1] ? reference.x[1] : reference.x[0];
      const Vector2 out = is_by_a ? -u : u;
      const double x = dot(across, other.farthest_along(out).point);
      if (other.core.count > 1 && (x > last + rounding_ || x < first - rounding_)) {
        const int edge = edge_toward(other, out, across, first, last);
        (is_by_a ? b : a) = front_of(other, out, across, edge, rounding_);
      }
      for (double& height : b.height) height = 0 - height;
      count = meet(a, b, is_by_a, meetings);
    }
    const double margin = this->margin();
    const double least = -(margin + radii) - rounding_;
    int kept = 0, deepest = 0;
    for (int n = 0; n < count; ++n) {
      if (!(meetings[n].depth >= least)) continue;
      meetings[kept] = meetings[n];
      if (meetings[kept].depth > meetings[deepest].depth + rounding_) deepest = kept;
      ++kept;
    }
    count = kept;
    if (count == 0) {
      // They are beside one another: the search's own place.
      const T own = name_of(is_of_a ? a_ : b_, best_.vertex);
      Meeting& place = meetings[0];
      place.on_a = is_of_a ? best_.point : best_.point + scaled(u, depth);
      place.depth = depth;
      place.name_a = is_of_a ? own : best_.other_feature;
      place.name_b = is_of_a ? best_.other_feature : own;
      count = 1;
      deepest = 0;
    }
    // What is deepest of one may be beside the other. Then they part sooner along the direction.
    const bool is_beside = contact_.depth >= 0 && meetings[deepest].depth < depth - 2 * rounding_;
    const double overlap = is_beside ? overlap_along(u, across) : depth;
    const double whole = overlap < depth ? overlap + radii : best_.depth;
    meetings[deepest].depth = whole - radii;
    // Shapes that are apart stay as far apart.
    const double most = contact_.depth < 0 ? double(contact_.depth) : kInfinite<double>;
    answer.depth = T(whole < most ? whole : most);
    answer.status = status_;
    answer.point_count = count;
    double sum = double(answer.depth - answer.depth);
    for (int k = 0; k < 2; ++k) {
      answer.normal[k] = T(0) + T(u[k]);
      sum += u[k] - u[k];
    }
    for (int p = 0; p < count; ++p) {
      const Meeting& from = meetings[p];
      SurfacePoint<T, 2>& to = answer.points[p];
      const Vector2 at = from.on_a + scaled(u, a_.radius);
      for (int k = 0; k < 2; ++k) {
        to.offset[k] = at[k] - image_[k];
        sum += at[k] - at[k];
      }
      const double of_point = from.depth < whole - radii ? from.depth + radii : whole;
      to.depth = T(of_point < most ? of_point : most);
      if (!(to.depth >= T(-margin))) to.depth = T(-margin);
      sum += double(to.depth - to.depth);
      to.feature =
          static_cast<std::uint32_t>(from.name_a) << 16 | static_cast<std::uint32_t>(from.name_b);
      to.part = -1;
    }
    return sum - sum == 0;
  }
};

template <class T>
bool replace_contact(const FlushRows<T>& rows, const FlushContact<T, 2>& contact, void* room,
                     SurfacePatch<T, 2>& answer) {
  auto& memory = *new (room) typename FlushContacts<T>::Room;
  return FlushContacts<T>(rows, contact, memory).replace(answer);
}

}  // namespace
}  // namespace widephase
