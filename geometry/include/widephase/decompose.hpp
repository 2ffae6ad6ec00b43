#pragma once

#include <cstdint>
#include <span>

#include <widephase/export.h>
#include <widephase/shapes.hpp>

namespace widephase {

/// A polygon of any vertex count with any number of holes, borrowed. Ring r has the vertices
/// ring_offsets[r] ... ring_offsets[r+1] - 1; ring 0 is the outer one, the others are holes. Rings
/// may wind either way, and their last vertex may repeat the first.
struct OutlineSpan {
  ColumnSpan<double, 2> vertices;              ///< of all rings, one ring after the other
  std::span<const std::int64_t> ring_offsets;  ///< rings + 1 entries, ascending
};

/// What `decompose` found, left out and repaired. None of it changes the area.
struct DecomposeReport {
  double area = 0;                    ///< of the outer ring, minus that of the holes
  std::int64_t part_count = 0;        ///< polygons appended
  std::int64_t vertex_count = 0;      ///< their vertices
  std::int64_t closing_points = 0;    ///< rings whose last vertex repeats the first
  std::int64_t turned_rings = 0;      ///< outer rings given clockwise, holes counter-clockwise
  std::int64_t straight_points = 0;   ///< vertices in the middle of a straight side, left out
  std::int64_t touching_points = 0;   ///< vertices that lie on an edge, which they divide
  std::int64_t duplicate_points = 0;  ///< other vertices that repeat the one before, left out
  std::int64_t cancelled_edges = 0;   ///< stretches that run there and back: spikes, shared edges
  std::int64_t dropped_rings = 0;  ///< holes of fewer than three different points or without area

  /// Whether the outline had flaws. Orientation, closing, straight and touching points are not
  /// flaws.
  bool is_repaired() const {
    return duplicate_points > 0 || cancelled_edges > 0 || dropped_rings > 0;
  }
};

/// Thrown for an outline that encloses no clear area. `finding()->row` is the vertex in its ring.
class WIDEPHASE_API OutlineError : public Error {
 public:
  /// What is wrong at a vertex (-1: with the ring as a whole) of a ring.
  OutlineError(std::int64_t ring, std::int64_t vertex, std::string message)
      : Error(Finding{"outline.rings[" + std::to_string(ring) + "]", vertex, std::move(message)}),
        ring_(ring) {}
  /// The ring: 0 the outer one, else a hole.
  std::int64_t ring() const { return ring_; }

 private:
  std::int64_t ring_;
};

/// The most vertices of a part.
inline constexpr int kMostPartVertices = 64;

/// Cuts an outline into convex parts and appends them to `parts`: strictly convex,
/// counter-clockwise, 3 to 64 vertices, all of them vertices of the outline. `parts.inner` marks
/// the edges between parts.
///
/// Rings may touch themselves and each other at points and along edges. The outer ring is first
/// made counter-clockwise and the holes clockwise. A point is then inside if the outline winds
/// around it once, and outside if it winds 0 times. Anything else is an error: a ring that crosses
/// or overlaps itself or another, or a hole outside. Edges that cross where no vertex is, an
/// outline without area and coordinates that are not finite or beyond 1e75 are errors too.
/// Coordinates below 1e-75 count as 0. All decisions are exact. After an error `parts` is as
/// before.
///
/// Time: n log n for n vertices.
WIDEPHASE_API DecomposeReport decompose(const OutlineSpan& outline,
                                        GeometryTable<Owned<2, double>>& parts);

}  // namespace widephase
