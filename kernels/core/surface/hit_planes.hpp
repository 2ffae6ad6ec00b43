#pragma once

// Planes that a core crosses. An area of a mesh in one plane may be cut into triangles in any way,
// of which the core crosses only some. The others count as crossed too, so that the area's edges
// and vertices are left as if it were one triangle. Where the area goes on level on all sides, as
// on level ground, it has none that are felt, and the others need not count. An area that hangs
// together has one way out, the shortest of its triangles', and another one's clears it only as a
// whole. What its own leaves round a corner of it is again left as a whole, by the shortest way of
// its edges and vertices there (surface_contacts.hpp). So only the area counts, not its triangles.

#include "kernels/core/surface/listed_triangles.hpp"
#include "kernels/core/surface/mesh_seams.hpp"
#include "kernels/core/surface/vertex_cone.hpp"

namespace widephase {
namespace {

/// Triangles whose normals have this cosine, 1e-5 rad, are in one plane or parallel ones.
inline constexpr double kSamePlane = 1 - 5e-11;

/// Whether two triangles are in one plane and look to the same side of it, to a length.
WIDEPHASE_INLINE bool are_in_one_plane(const ListedTriangle& a, const ListedTriangle& b,
                                       double rounding) {
  if (a.is_flipped != b.is_flipped || !(dot(a.normal, b.normal) >= kSamePlane)) return false;
  const auto holds = [&](const ListedTriangle& plane, const ListedTriangle& other) {
    bool is_in = true;
    for (const Vector& vertex : other.vertex) {
      is_in &= magnitude(dot(plane.normal, vertex - plane.vertex[0])) <= rounding;
    }
    return is_in;
  };
  return holds(a, b) || holds(b, a);
}

/// The planes of hit triangles and the triangles near the core in them. On ground of many planes
/// few triangles are in one.
template <class T>
class HitPlanes {
 public:
  /// Triangles that are `far` are farther from the core than `limit`.
  HitPlanes(const FieldTriangles<T>& surface, const ConvexShape<T>& core, const CoreBounds& bounds,
            const TriangleList& list, double limit, double touching)
      : surface_(surface),
        core_(core),
        bounds_(bounds),
        list_(list),
        limit_(limit),
        touching_(touching),
        rounding_(width_of_seams(*surface.mesh())) {}

  /// How far the core is below planes of hit triangles that go on in triangles which are not
  /// listed, though they may be no farther from it; 0 if none does. Listed are those within `reach`
  /// of its bounds.
  double depth_beyond(double reach) const {
    double depth = 0;
    for (std::int32_t t = 0; t < list_.count; ++t) {
      const ListedTriangle& triangle = list_.triangle[t];
      const bool is_deeper = triangle.state == TriangleState::hit && triangle.below > depth;
      depth = is_deeper ? triangle.below : depth;
    }
    if (!(depth + touching_ > reach)) return 0;
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) {
      low[k] = (surface_.origin()[k] + bounds_.low[k]) - (depth + reach);
      high[k] = (surface_.origin()[k] + bounds_.high[k]) + (depth + reach);
    }
    constexpr int kMostAsked = 4096;
    int asked = 0;
    bool has = false;
    walk_with_beyond(*surface_.mesh(), low, high, [&](std::int32_t number) {
      if (list_.find_number(number) >= 0) return true;
      ListedTriangle beyond;
      surface_.vertices(surface_.place_of(number), beyond.vertex);
      if (!surface_.front(beyond.vertex, beyond.normal, beyond.is_flipped)) return true;
      for (std::int32_t t = 0; t < list_.count && !has; ++t) {
        if (list_.triangle[t].state != TriangleState::hit) continue;
        has = ++asked > kMostAsked || are_in_one_plane(list_.triangle[t], beyond, rounding_);
      }
      return !has;
    });
    return has ? depth : 0;
  }

  /// Whether a triangle in the plane of a hit one may have an edge that is felt: one that is no
  /// farther from the core than it is below the plane, and beyond which the plane does not go on.
  bool may_end() {
    for (std::int32_t t = 0; t < list_.count; ++t) {
      const ListedTriangle& triangle = list_.triangle[t];
      if (triangle.state != TriangleState::hit || plane_of(triangle) != nullptr) continue;
      if (count_ == kMost) return true;
      plane_[count_++] = &triangle;
    }
    for (std::int32_t t = 0; t < list_.count; ++t) {
      const ListedTriangle& triangle = list_.triangle[t];
      if (triangle.state == TriangleState::hit || triangle.is_behind) continue;
      const ListedTriangle* const plane = plane_of(triangle);
      if (plane == nullptr) continue;
      const double least = triangle.state == TriangleState::apart ? triangle.distance : limit_;
      if (least > plane->below + touching_) continue;
      for (int edge = 0; edge < 3; ++edge) {
        if (ends_at(*plane, triangle, edge)) return true;
      }
    }
    return false;
  }

 private:
  static constexpr int kMost = 4;

  const ListedTriangle* plane_of(const ListedTriangle& triangle) const {
    for (int k = 0; k < count_; ++k) {
      if (are_in_one_plane(*plane_[k], triangle, rounding_)) return plane_[k];
    }
    return nullptr;
  }
  bool goes_on(const ListedTriangle& plane, const TrianglePlace& at) const {
    const std::int32_t listed = list_.find(at);
    if (listed >= 0) {
      const ListedTriangle& beside = list_.triangle[listed];
      return !beside.is_behind && are_in_one_plane(plane, beside, rounding_);
    }
    ListedTriangle beside;
    surface_.vertices(at, beside.vertex);
    return surface_.front(beside.vertex, beside.normal, beside.is_flipped) &&
           are_in_one_plane(plane, beside, rounding_);
  }
  bool ends_at(const ListedTriangle& plane, const ListedTriangle& triangle, int edge) const {
    // The part of the edge that is near the core's bounds.
    const Vector& at = triangle.vertex[edge];
    const Vector along = triangle.vertex[(edge + 1) % 3] - at;
    const double most = plane.below + touching_;
    double first = 0, last = 1, reach = 0;
    for (int k = 0; k < 3; ++k) {
      const double low = bounds_.low[k] - most, high = bounds_.high[k] + most;
      reach = -low > reach ? -low : reach;
      reach = high > reach ? high : reach;
      if (along[k] == 0) {
        if (!(at[k] >= low && at[k] <= high)) return false;
        continue;
      }
      const double a = (low - at[k]) / along[k], b = (high - at[k]) / along[k];
      first = (a < b ? a : b) > first ? (a < b ? a : b) : first;
      last = (a < b ? b : a) < last ? (a < b ? b : a) : last;
    }
    if (!(first <= last)) return false;
    const TrianglePlace across = across_edge(triangle.place, edge).place;
    if (across.row >= 0) return !goes_on(plane, across);
    if (!is_alone_at_edge(triangle.place, edge, kManyAround)) return true;
    const SeamEdge seam(triangle.place, triangle.vertex, edge, rounding_);
    if (way_out_along(core_, seam.aside, at).depth < -most) return false;
    if (way_out_along(core_, -seam.aside, at).depth < -most) return false;
    SeamParts parts;
    find_seam(surface_, triangle.place, triangle.vertex, edge, reach, parts);
    bool ends = false;
    parts.for_each_piece(seam.least_share(), [&](double from, double to, const SeamPart* part) {
      if (ends || to < first || from > last) return;
      ends = part == nullptr || !goes_on(plane, part->across.place);
    });
    return ends;
  }

  const FieldTriangles<T>& surface_;
  const ConvexShape<T>& core_;
  const CoreBounds& bounds_;
  const TriangleList& list_;
  double limit_, touching_, rounding_;
  const ListedTriangle* plane_[kMost];
  int count_ = 0;
};

/// Calls `op(place)` for the triangles of a mesh across the edges of one, and across its seams as
/// far as `reach`.
template <class T, class Op>
void for_each_beside(const FieldTriangles<T>& surface, const ListedTriangle& triangle, double reach,
                     const Op& op) {
  for (int edge = 0; edge < 3; ++edge) {
    const TrianglePlace across = across_edge(triangle.place, edge).place;
    if (across.row >= 0) {
      op(across);
    } else if (is_alone_at_edge(triangle.place, edge, kManyAround)) {
      SeamParts parts;
      find_seam(surface, triangle.place, triangle.vertex, edge, reach, parts);
      for (int k = 0; k < parts.count; ++k) op(parts.part[k].across.place);
    }
  }
}

/// Counts the triangles of a mesh as hit that are in the plane of a hit one, hang together with it
/// there and are no farther from the core than it is below the plane: a way out at a place takes at
/// least its distance. `is_near(triangle, distance)` tells that. Both arrays have room for all;
/// `reach` is the core's.
template <class T, class IsNear>
void hit_planes(const FieldTriangles<T>& surface, double reach, const IsNear& is_near,
                TriangleList& list, std::int32_t* hits, std::int32_t* planes) {
  const double rounding = width_of_seams(*surface.mesh());
  std::int32_t count = 0;
  for (std::int32_t t = 0; t < list.count; ++t) {
    if (list.triangle[t].state != TriangleState::hit) continue;
    planes[count] = t;
    hits[count++] = t;
  }
  if (count == list.count) return;
  for (std::int32_t n = 0; n < count; ++n) {
    const ListedTriangle& triangle = list.triangle[hits[n]];
    const auto add = [&](const TrianglePlace& at) {
      const std::int32_t other = list.find(at);
      if (other < 0) return;
      ListedTriangle& beside = list.triangle[other];
      if (beside.state == TriangleState::hit || beside.is_behind) return;
      const ListedTriangle& plane = list.triangle[planes[n]];
      if (!are_in_one_plane(plane, beside, rounding) || !is_near(beside, plane.below)) return;
      set_hit(beside);
      beside.is_beside = true;
      planes[count] = planes[n];
      hits[count++] = other;
    };
    for_each_beside(surface, triangle, reach, add);
  }
}

}  // namespace
}  // namespace widephase
