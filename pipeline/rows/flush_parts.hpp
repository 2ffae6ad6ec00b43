#pragma once

// Shapes of one owner that lie flush: what `find_flush` (pipeline/broad/find_flush.hpp) finds of a
// scene, and kernels read.

#include <array>
#include <cstdint>
#include <vector>

#include "soa/flush_view.hpp"

namespace widephase {

/// A box, hull or polygon with an owner, as it was when its neighbours were found: they are kept
/// while no part has changed.
struct KnownPart {
  std::array<double, 3> at;
  std::array<double, 4> turn;  ///< a quaternion, in 2D cosine and sine
  std::array<double, 3> half;  ///< of boxes
  std::int32_t id;
  std::int32_t geometry;  ///< of hulls and polygons; -1 for boxes
  std::int32_t world;
  std::int32_t owner;
  std::int32_t body;
  std::int32_t unused = 0;
  friend bool operator==(const KnownPart&, const KnownPart&) = default;
};

struct FlushParts {
  double tolerance = 0;  ///< 0: none are sought
  std::vector<std::int32_t> part_of;
  std::vector<FlushPart> parts;
  std::vector<std::int32_t> neighbours;
  std::vector<std::int32_t> faces;
  std::vector<std::uint8_t> edges;
  std::vector<FlushPiece> pieces;
  std::vector<double> corners;

  std::vector<KnownPart> known;
  std::vector<double> known_sets;  ///< `HullLibrary::version`, and the polygons that parts name
  std::vector<KnownPart> read;     ///< scratch
  std::vector<double> read_sets;   ///< scratch

  bool empty() const { return parts.empty(); }
  FlushView view() const {
    return {part_of.data(), parts.data(),  neighbours.data(), faces.data(),
            edges.data(),   pieces.data(), corners.data(),    tolerance};
  }
  void clear() {
    part_of.clear();
    parts.clear();
    neighbours.clear();
    faces.clear();
    edges.clear();
    pieces.clear();
    corners.clear();
  }
  std::size_t bytes() const {
    return part_of.capacity() * sizeof part_of[0] + parts.capacity() * sizeof parts[0] +
           neighbours.capacity() * sizeof neighbours[0] + faces.capacity() * sizeof faces[0] +
           edges.capacity() + pieces.capacity() * sizeof pieces[0] +
           corners.capacity() * sizeof corners[0] + known.capacity() * sizeof known[0] +
           read.capacity() * sizeof read[0] +
           (known_sets.capacity() + read_sets.capacity()) * sizeof(double);
  }
};

}  // namespace widephase
