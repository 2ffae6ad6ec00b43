#pragma once

// The seams of a shape's triangles (mesh_seams.hpp): what is across parts of their border edges,
// and what vertices of borders lie on.

#include "kernels/core/surface/mesh_seams.hpp"
#include "kernels/core/surface/near_triangles.hpp"
#include "kernels/core/surface/vertex_cone.hpp"

namespace widephase {
namespace {

/// The most triangles that a vertex of a border lies on and that do not have it.
inline constexpr int kMostGuests = 4;

/// The edges that leave a sample, from there on, and how far rounding moves their heights. Empty
/// if they are very many: then a `VertexCone` has them.
struct SampleRing {
  static constexpr int kMost = 2 * kManyAround + 3 * kMostGuests,
                       kRoom = (kMost + 7) / 8 * 8;
  int count = 0;
  alignas(64) double along[3][kRoom], rounding[kRoom];

  Vector edge(int k) const { return {{along[0][k], along[1][k], along[2][k]}}; }
  void add(const Vector& edge, double rounds) {
    for (int k = 0; k < 3; ++k) along[k][count] = edge[k];
    rounding[count++] = rounds;
  }
  /// Fills the last batch with edges of no length.
  void pad() {
    for (int k = count; k % LaneTraits<Batch<double>>::count != 0; ++k) {
      along[0][k] = along[1][k] = along[2][k] = rounding[k] = 0;
    }
  }
};

template <class T>
class BorderSeams : protected NearTriangles<T> {
 protected:
  using Near = NearTriangles<T>;
  using Near::list_;
  using Near::Near;
  using Near::surface_;

  /// Hit triangles on both sides of a seam, in lists by triangle and edge.
  struct SeamLink {
    std::int32_t other;
    int edge;
    std::int32_t next;
  };
  bool take_seam_room() {
    if (surface_.is_solid()) return true;
    most_seams_ = 6 * list_.count;
    seams_ = this->arena_.template take<SeamLink>(static_cast<std::size_t>(most_seams_));
    return seams_ != nullptr;
  }
  void link_seam(std::int32_t t, int edge, std::int32_t other, int there) {
    if (other < 0 || seam_count_ == most_seams_) return;
    if (list_.triangle[other].state != TriangleState::hit) return;
    ListedTriangle& triangle = list_.triangle[t];
    seams_[seam_count_] = {other, there, triangle.seam[edge]};
    triangle.seam[edge] = seam_count_++;
  }
  /// Calls `op(triangle, edge)` for the hit ones across the seam of a hit one's border edge.
  template <class Op>
  void for_each_in_seam(const ListedTriangle& triangle, int edge, const Op& op) const {
    for (std::int32_t n = triangle.seam[edge]; n >= 0; n = seams_[n].next) {
      op(seams_[n].other, seams_[n].edge);
    }
  }

  void forget_seams() { seam_count_ = 0; }

  /// Finds the triangles that a vertex of a mesh's border lies on and that do not have it, if
  /// these are asked for.
  void find_guests(const SamplePlace& sample, const Vector& at, bool are_asked) {
    guest_count_ = 0;
    has_seams_ = are_asked && !surface_.is_solid() && is_border_vertex(sample);
    if (!has_seams_) return;
    int count = 0;
    const auto is_guest = [&](const TrianglePlace& place) {
      bool has = false;
      for (int k = 0; k < 3; ++k) has |= mesh_corner(place, k) == sample.row;
      return !has;
    };
    for_each_at_point(surface_, at, is_guest, [&](const TrianglePlace& place) {
      if (count < kMostGuests) guest_[count] = place;
      return ++count <= kMostGuests;
    });
    guest_count_ = count <= kMostGuests ? count : 0;
  }
  /// What is across a border edge that leaves a vertex, there, if it is exactly one triangle.
  TriangleAcross across_seam(const SamplePlace& sample, const TrianglePlace& place,
                             const Vector (&corner)[3], int edge) const {
    const TriangleAcross nothing = across_edge(place, edge);
    if (!is_alone_at_edge(place, edge, kManyAround)) return nothing;
    const SeamEdge seam(place, corner, edge, width_of_seams(*surface_.mesh()));
    const bool begins = seam.number[0] == sample.row;
    TriangleAcross found = nothing;
    int count = 0;
    const auto ask = [&](const TrianglePlace& other) {
      seam.for_each_along(surface_, other, [&](const SeamPart& part) {
        if ((begins ? part.from : 1 - part.to) > seam.least_share()) return;
        if (part.is_opposite) found = part.across;
        ++count;
      });
    };
    for (int k = 0; k < triangles_around(sample); ++k) ask(around_sample(sample, k).place);
    for (int n = 0; n < guest_count_; ++n) ask(guest_[n]);
    return count == 1 ? found : nothing;
  }

  bool has_seams_ = false;  ///< the vertex that is asked is on a border
  TrianglePlace guest_[kMostGuests];
  int guest_count_ = 0;

 private:
  SeamLink* seams_ = nullptr;
  std::int32_t seam_count_ = 0, most_seams_ = 0;
};

}  // namespace
}  // namespace widephase
