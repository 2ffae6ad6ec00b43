#pragma once

// Contacts of a part with a surface in 3D, for the rule of flush_rule.hpp. A surface has no support
// points but those that are climbed to, from vertex to vertex, from where the contact is: what is
// beyond a valley is another contact's. So a way out clears all that the contact stands for.

#include "kernels/core/flush/flush_ways3.hpp"
#include "kernels/core/surface/surface_search.hpp"
#include "kernels/flush_shape.hpp"

namespace widephase {
namespace {

/// The surface about a triangle of it, seen from the anchor of a shape's row in the scene's axes,
/// as a core with support points.
template <class T>
struct ClimbedSurface {
  T reach;  ///< of the shape: nothing farther counts
  const FieldTriangles<T>* surface;
  const PlacedShape<T>* placed;
  TrianglePlace from;

  Vector to_scene(const Vector& about_core) const {
    return placed->to_scene(about_core + placed->from_anchor) + placed->rest;
  }
};
template <class T>
CoreSupport support_of(const ClimbedSurface<T>& core, const Vector& direction) {
  constexpr int kMostSteps = 256;
  const Vector u = core.placed->to_field(direction);
  SamplePlace best = sample_of(core.from, 0);
  Vector at = core.surface->position(best);
  double height = dot(u, at);
  bool has_next = false;
  const auto ask = [&](const SamplePlace& other) {
    const Vector there = core.surface->position(other);
    const double here = dot(u, there);
    if (!(here > height)) return;
    height = here;
    best = other;
    at = there;
    has_next = true;
  };
  for (int k = 1; k < 3; ++k) ask(sample_of(core.from, k));
  const double start = height;
  for (int step = 0; step < kMostSteps && height - start <= 4 * double(core.reach); ++step) {
    const SamplePlace here = best;
    has_next = false;
    for (int k = 0; k < triangles_around(here); ++k) {
      const TriangleAround around = around_sample(here, k);
      if (here.mesh == nullptr && !core.surface->exists(around.place)) continue;
      for (int other = 1; other < 3; ++other) {
        ask(sample_of(around.place, (around.vertex + other) % 3));
      }
    }
    if (!has_next) break;
  }
  // A field reaches down endlessly, which is far enough.
  if (core.surface->is_solid() && u[2] < 0) at[2] -= 1e4 * double(core.reach);
  return {core.to_scene(at), best.row};
}
template <class T>
bool goes_before(const ClimbedSurface<T>&, const Vector&, const Vector&) {
  return false;
}
template <class T>
bool box_way_out(const ClimbedSurface<T>&, const Vector&, const Vector&, double, WayOut&) {
  return false;
}

template <class T>
struct SurfaceOfPart {
  ClimbedSurface<T> core;
  Vector at{{0, 0, 0}};
  double radius;
  CoreSupport farthest_along(const Vector& u) const { return support_of(core, u); }
};

template <class T>
class FlushSurface : FlushWays3<T> {
 public:
  using Ways = FlushWays3<T>;
  using typename Ways::Solid;
  /// Memory for a contact.
  using Room = typename Ways::Neighbours;
  /// The direction out of the part, its depth with the surface's thickness, and where the part is
  /// foremost along it, nearest to the contact.
  struct Answer {
    Vector normal;
    double depth;
    typename Solid::Foremost on_part;
  };

  /// `contact`: its point need not be set, but by `touch` or the caller.
  FlushSurface(const FlushRows<T>& rows, FlushContact<T, 3>& contact,
               const SurfaceOfPart<T>& surface, Room& room)
      : Ways(rows, contact, surface.radius, room), other_(surface), own_(contact) {
    for (int k = 0; k < 3; ++k) normal_[k] = double(contact.normal[k]);
  }

  /// The contact's point is where the part meets a vertex, an edge or a triangle, `near` a place of
  /// that: of several what is nearest to the rest that neighbours leave of the part's face.
  void touch(const Vector* corners, int count, const Vector& near) {
    const int face = a_.face_along(normal_, kSameFlushAngle<T>);
    Vector place = near;
    double off = 0;
    if (face >= 0 && a_.side->view.faces[a_.part->first_face + face] >= 0) {
      const Vector triangle[3] = {corners[0], corners[count > 1 ? 1 : 0], corners[count - 1]};
      off = a_.aside(face, triangle, place);
    } else {
      const typename Solid::End end = a_.find_end(normal_, rounding_);
      if (end.count == 2) {
        place = place_on_edge(end.vertex.point, a_.vertex(end.other), corners, count, near);
      }
      place = a_.foremost_near(normal_, place, rounding_).point;
    }
    if (!(off < off_)) return;
    off_ = off;
    for (int k = 0; k < 3; ++k) own_.point[k] = place[k];
  }
  /// Whether nothing is over what neighbours leave of the part's face.
  bool is_aside() const { return off_ > rounding_; }

  /// `near`: a place of the triangle near the part.
  bool replace(const Vector& near, Answer& answer) {
    const bool is_found = this->find_best([&](bool by_a, const Vector& u, const Vector& place) {
      this->try_ways(by_a, u, place, other_);
      try_triangles();
    });
    // What overlaps is apart in no direction: then the contact stood for more than was climbed to.
    if (!is_found || (contact_.depth >= 0 && !(best_.depth >= 0))) return false;
    answer.normal = best_.normal;
    answer.depth = best_.depth;
    const double most = contact_.depth < 0 ? double(contact_.depth) : kInfinite<double>;
    if (answer.depth > most) answer.depth = most;  // shapes that are apart stay as far apart
    answer.on_part = a_.foremost_near(best_.normal, near, rounding_);
    const Vector& u = answer.normal;
    const double sum = ((u[0] - u[0]) + (u[1] - u[1])) + (u[2] - u[2]);
    return sum + (answer.depth - answer.depth) == 0;
  }

 private:
  using Ways::a_;
  using Ways::best_;
  using Ways::contact_;
  using Ways::rounding_;

  /// Seen along the contact's direction, where an edge of the part is over an edge or a triangle.
  Vector place_on_edge(const Vector& from, const Vector& to, const Vector* corners, int count,
                       const Vector& near) const {
    const Vector own = to - from;
    const auto seen = [&](const Vector& v, const Vector& w) { return dot(cross(v, w), normal_); };
    if (count == 2) {
      const Vector along = corners[1] - corners[0];
      const double across = seen(own, along);
      if (!(across * across > 0)) return scaled(corners[0] + corners[1], 0.5);
      return from + scaled(own, seen(corners[0] - from, along) / across);
    }
    double low = 0, high = 1;
    const double facing = count < 3 ? 0 : seen(corners[1] - corners[0], corners[2] - corners[0]);
    for (int k = 0; k < 3 && facing != 0; ++k) {
      const Vector edge = corners[(k + 1) % 3] - corners[k];
      const double start = seen(edge, from - corners[k]) * facing;
      const double end = seen(edge, to - corners[k]) * facing;
      if (start < 0 && end < 0) return near;
      if (start < 0) low = start / (start - end) > low ? start / (start - end) : low;
      if (end < 0) high = start / (start - end) < high ? start / (start - end) : high;
    }
    return facing != 0 && low <= high ? from + scaled(own, 0.5 * (low + high)) : near;
  }

  /// The normals of the triangle and those around it, at a vertex of the part: those at its faces
  /// and edges are tried there.
  void try_triangles() {
    const ClimbedSurface<T>& core = other_.core;
    const auto ask = [&](const TrianglePlace& at) {
      Vector vertex[3], normal;
      bool is_flipped;
      if (!core.surface->vertices(at, vertex)) return;
      if (!core.surface->front(vertex, normal, is_flipped)) return;
      if (core.surface->is_behind(vertex, normal)) return;
      const Vector u = -core.placed->to_scene(normal);
      const CoreSupport far = a_.farthest_along(u);
      const double depth = dot(u, far.point - other_.farthest_along(-u).point) + other_.radius;
      if (!(depth < best_.length) || a_.find_end(u, rounding_).count > 1) return;
      const double longer = this->climb(a_, u, far.point, best_.length - depth);
      this->take(true, u, depth, longer, false, far, T(0));
    };
    constexpr int kMostAround = 16;
    ask(core.from);
    for (int k = 0; k < 3; ++k) {
      const SamplePlace sample = sample_of(core.from, k);
      const int count = triangles_around(sample);
      for (int n = 0; n < count && n < kMostAround; ++n) ask(around_sample(sample, n).place);
    }
  }

  const SurfaceOfPart<T>& other_;
  FlushContact<T, 3>& own_;
  Vector normal_;
  double off_ = kInfinite<double>;  ///< as `is_aside`
};

/// Gives contacts of flush parts that their solids do not feel another direction.
template <class T>
class UnfeltOnSurfaces {
 public:
  using Found = FoundContacts<T>;
  /// False if the arena is too small.
  bool operator()(const Found& found) const {
    const FlushShape part = flush_shape(*found.run.flush, found.run.pairs.kind_a, found.own.a);
    if (part.part < 0) return true;
    auto* const room = found.arena.template take<typename FlushSurface<T>::Room>(1);
    if (room == nullptr) return false;
    for (std::int32_t c = 0; c < found.count; ++c) replace(found, part, found.contacts[c], *room);
    return true;
  }

 private:
  static Vector about_anchor(const Found& found, const Vector& about_core) {
    return found.placed.to_scene(about_core + found.placed.from_anchor) + found.placed.rest;
  }
  static void replace(const Found& found, const FlushShape& part, SurfaceContact& contact,
                      typename FlushSurface<T>::Room& room) {
    const PlacedShape<T>& placed = found.placed;
    const ListedTriangle& triangle = found.list.triangle[contact.triangle];
    const Vector out = placed.to_scene(-contact.away);
    FlushContact<T, 3> asked{part, {found.run.pairs.kind_b, found.own.b, -1, 0}, {}, {}, {}};
    for (int k = 0; k < 3; ++k) asked.normal[k] = T(out[k]);
    if (is_on_open_face(*found.run.flush, part, asked.normal)) return;
    asked.depth = T(placed.radii() + contact.depth);
    const SurfaceOfPart<T> surface{
        {placed.core.reach, &found.surface, &placed, triangle.place}, {{0, 0, 0}}, placed.radii()};
    FlushSurface<T> rule(*found.run.flush, asked, surface, room);
    const Vector near = about_anchor(found, place_near(triangle, contact));
    if (triangle.state == TriangleState::hit) {
      touch(found, contact, near, rule);
    } else {
      for (int k = 0; k < 3; ++k) asked.point[k] = near[k];
    }
    typename FlushSurface<T>::Answer answer;
    if (!rule.replace(near, answer)) return;
    contact.away = placed.to_field(-answer.normal);
    contact.rank = contact.depth = answer.depth - placed.radii();
    const Vector on_part = answer.on_part.point - placed.rest;
    contact.on_core = placed.to_field(on_part) - placed.from_anchor;
    contact.core_vertices = answer.on_part.count;
    for (int k = 0; k < contact.core_vertices; ++k) {
      contact.core_vertex[k] = answer.on_part.vertex[k];
    }
    contact.feature = foremost_of(triangle, contact.away, found.touching);
    contact.is_faces = false;
    contact.status = 0;
  }
  /// The core's place near a triangle; of a hit one, the triangle's near the core's middle.
  static Vector place_near(const ListedTriangle& triangle, const SurfaceContact& contact) {
    if (triangle.state != TriangleState::hit) return contact.on_core;
    const Vector* const v = triangle.vertex;
    const nearest::OnFace at = nearest::on_triangle(v[0], v[1], v[2]);
    return (scaled(v[0], at.share[0]) + scaled(v[1], at.share[1])) + scaled(v[2], at.share[2]);
  }
  /// Tells the rule where a contact's way out is from: of a face, with the hit triangles of its
  /// plane that it clears.
  static void touch(const Found& found, const SurfaceContact& contact, const Vector& near,
                    FlushSurface<T>& rule) {
    const TriangleList& list = found.list;
    const ListedTriangle& own = list.triangle[contact.triangle];
    const auto touch_triangle = [&](const ListedTriangle& triangle) {
      Vector corners[3];
      for (int k = 0; k < 3; ++k) corners[k] = about_anchor(found, triangle.vertex[k]);
      rule.touch(corners, 3, near);
    };
    if (contact.feature != kOfFace) {
      const bool is_edge = contact.feature < kOfVertex;
      const int first = contact.feature - (is_edge ? kOfEdge : kOfVertex);
      const Vector corners[2] = {about_anchor(found, own.vertex[first]),
                                 about_anchor(found, own.vertex[(first + 1) % 3])};
      return rule.touch(corners, is_edge ? 2 : 1, near);
    }
    touch_triangle(own);
    for (std::int32_t t = 0; rule.is_aside() && t < list.count; ++t) {
      const ListedTriangle& other = list.triangle[t];
      if (other.state != TriangleState::hit || other.cleared_from != contact.triangle) continue;
      if (dot(other.normal, own.normal) >= kSamePlane) touch_triangle(other);
    }
  }
  /// What of a triangle is foremost along a direction.
  static int foremost_of(const ListedTriangle& triangle, const Vector& u, double touching) {
    int best = 0, level = 0, last = 0;
    for (int k = 1; k < 3; ++k) {
      if (dot(u, triangle.vertex[k] - triangle.vertex[best]) > 0) best = k;
    }
    for (int k = 0; k < 3; ++k) {
      if (k == best || dot(u, triangle.vertex[best] - triangle.vertex[k]) > touching) continue;
      last = k;
      ++level;
    }
    if (level != 1) return level == 0 ? kOfVertex + best : kOfFace;
    return kOfEdge + ((best + 1) % 3 == last ? best : last);
  }
};

}  // namespace
}  // namespace widephase
