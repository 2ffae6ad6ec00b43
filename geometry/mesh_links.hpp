#pragma once

// How the triangles of a mesh hang together.

#include <cstdint>
#include <vector>

#include <widephase/executor.hpp>
#include <widephase/shapes.hpp>

#include "geometry/orientation.hpp"

namespace widephase {

/// Numbers vertices so that those at one place have one number, in the order of their first ones.
/// Writes the number of each and returns how many numbers there are.
template <class T>
std::int32_t weld_vertices(const ColumnSpan<T, 3>& vertices, std::size_t begin, std::size_t count,
                           std::int32_t* number_of);

/// Whether no two of some positions (x, y, z) are equal.
template <class T>
bool are_apart(const T* positions, std::int32_t count);

/// Whether three points are not on one line, exactly.
template <class T>
inline bool has_area(const T* a, const T* b, const T* c) {
  const auto turns = [&](int x, int y) {
    const auto point = [&](const T* p) {
      return Point2{static_cast<double>(p[x]), static_cast<double>(p[y])};
    };
    return orientation(point(a), point(b), point(c)) != 0;
  };
  return turns(0, 1) || turns(1, 2) || turns(2, 0);
}

/// Counts of what a mesh has besides triangles between two others.
struct MeshCounts {
  std::int64_t without_area = 0;
  std::int64_t duplicates = 0;  ///< of an earlier triangle, with the same front
  std::int64_t borders = 0;     ///< edges of a number of triangles other than two, and flips
  std::int64_t flips = 0;       ///< edges that two triangles run in one direction
};

/// Where a mesh's links are written, see `MeshView`.
struct MeshLinks {
  const std::int32_t* corners;
  std::int32_t triangle_count;
  std::int32_t vertex_count;
  std::int32_t* across;      ///< three by triangle
  std::int32_t* ring_begin;  ///< one more than vertices
  std::int32_t* ring;        ///< room for three by triangle
};

/// Finds what lies across each edge and around each vertex. Triangles without area and those that
/// repeat an earlier one meet nothing: the earlier one has their contacts.
template <class T>
MeshCounts link_triangles(const T* positions, const MeshLinks& links, const Threads& threads);

}  // namespace widephase
