#pragma once

// Shapes of one owner that lie flush, as kernels read them (pipeline/broad/find_flush.cpp finds
// them). Every instruction set's object includes this header, so it has no function.

#include <cstdint>

namespace widephase {

/// What the neighbours of a part leave of one of its faces. In 2D sides take the place of faces,
/// and vertices that of edges.
inline constexpr std::int32_t kCoveredFace = -1, kOpenFace = -2;

/// A part with neighbours: where its neighbours, its faces and its edges begin in the lists.
struct FlushPart {
  std::int32_t first_neighbour;
  std::int32_t neighbour_count;
  std::int32_t first_face;
  std::int32_t first_edge;
};

/// A convex polygon of what is left of a face; in 2D a stretch, from one corner to the other.
struct FlushPiece {
  std::int32_t first_corner;
  std::int32_t corner_count;
  std::int32_t next;  ///< of the same face; -1: the last
};

/// The parts of a scene, by its own ids.
struct FlushView {
  const std::int32_t* part_of = nullptr;  ///< by id: a row of `parts`, or -1
  const FlushPart* parts = nullptr;
  const std::int32_t* neighbours = nullptr;  ///< ids, ascending
  /// By face: `kCoveredFace`, `kOpenFace`, or the first piece of what is left.
  const std::int32_t* faces = nullptr;
  const std::uint8_t* edges = nullptr;  ///< by edge: 1 where directions between its faces are felt
  const FlushPiece* pieces = nullptr;
  /// Three numbers per corner, counter-clockwise seen from outside, in the part's own axes from the
  /// middle of its core. In 2D one number: along the side, from its first vertex counter-clockwise.
  const double* corners = nullptr;
  double tolerance = 0;
};

}  // namespace widephase
