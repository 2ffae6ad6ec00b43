#pragma once

// A hull as kernels read it.

#include "kernels/core/basis/rows.hpp"

namespace widephase {
namespace {

/// The hull library, as `geometry/hull_library.hpp` writes it. Each hull has a header, blocks of
/// eight vertices, blocks of eight faces, then one record per edge. A place in the library counts
/// in records of eight numbers.
struct HullLayout {
  static constexpr int record = 8;
  /// Counts and places are stored as the bits of integers. The places of faces and edges count
  /// numbers from the header on. The place of indices counts in the library's indices, behind the
  /// table of directions.
  static constexpr int vertex_count = 0, face_count = 1, edge_count = 2;
  static constexpr int faces = 3, edges = 4, indices = 5;
  static constexpr int inner = 6;  ///< a point well inside: three numbers
  static constexpr int inner_radius = 9;
  static constexpr int reach = 10;  ///< the greatest distance of a vertex from the origin
  static constexpr int header = 16;
  static constexpr int vertex_block = 24;  ///< x, y, z; vertex 0 pads the last block
  static constexpr int face_block = 48;    ///< normal, offset, arc share, gap
  static constexpr int offset = 24;
  static constexpr int arc_share = 32;  ///< geometry/hull_library.cpp
  static constexpr int gap = 40;        ///< how far behind the face the nearest other vertex lies
  /// Vertices p and q, the left and right normals, the bits of the numbers of p and q, then the
  /// gaps of the left and right face.
  static constexpr int edge = 16;
  static constexpr int edge_vertices = 12;
  static constexpr int edge_gaps = 14;

  /// The table of directions: each face of a cube about a hull's inner point has 4 x 4 cells, in
  /// the order of `cells_of` (core/hull/hull_bounds3.hpp), and each cell three vertices that are
  /// far out along its directions, one byte each. Any vertices would do for a right answer.
  static constexpr int cells_a_side = 4;
  static constexpr int cell_vertices = 3;
  static constexpr int cells = 6 * cells_a_side * cells_a_side;
  static constexpr int table = cells * cell_vertices / 2;  ///< its size in indices

  static constexpr int vertex_place(int v) { return (v >> 3) * vertex_block + (v & 7); }
  static constexpr int face_place(int f) { return (f >> 3) * face_block + (f & 7); }
};

/// A hull of the library. Its indices are, in this order: the table of directions; where each face
/// starts in the list of face vertices; that list; the edges that start at those vertices; starts
/// and list of the faces of each vertex; the two faces of each edge; the faces of each vertex as
/// bits, in words of 64.
template <class T>
struct HullView {
  const T* numbers;
  const std::int16_t* starts;
  int faces_at, edges_at;  ///< in `numbers`
  int vertex_count;
  int face_count;
  int edge_count;

  WIDEPHASE_INLINE HullView() = default;
  WIDEPHASE_INLINE HullView(const T* library, const std::int16_t* indices, std::int32_t place)
      : numbers(library + std::ptrdiff_t{HullLayout::record} * place),
        starts(indices + integer_in(numbers[HullLayout::indices])),
        faces_at(integer_in(numbers[HullLayout::faces])),
        edges_at(integer_in(numbers[HullLayout::edges])),
        vertex_count(integer_in(numbers[HullLayout::vertex_count])),
        face_count(integer_in(numbers[HullLayout::face_count])),
        edge_count(integer_in(numbers[HullLayout::edge_count])) {}

  WIDEPHASE_INLINE const T* vertex_blocks() const { return numbers + HullLayout::header; }
  WIDEPHASE_INLINE int vertex_block_count() const { return (vertex_count + 7) >> 3; }
  WIDEPHASE_INLINE const T* face_blocks() const { return numbers + faces_at; }
  WIDEPHASE_INLINE int face_block_count() const { return (face_count + 7) >> 3; }
  WIDEPHASE_INLINE const T* edges() const { return numbers + edges_at; }
  WIDEPHASE_INLINE Vec<T, 3> vertex(int v) const {
    const T* const at = vertex_blocks() + HullLayout::vertex_place(v);
    return {{at[0], at[8], at[16]}};
  }
  WIDEPHASE_INLINE Vec<T, 3> face_normal(int face) const {
    const T* const at = face_blocks() + HullLayout::face_place(face);
    return {{at[0], at[8], at[16]}};
  }
  WIDEPHASE_INLINE T face_offset(int face) const {
    return face_blocks()[HullLayout::face_place(face) + HullLayout::offset];
  }
  WIDEPHASE_INLINE T face_gap(int face) const {
    return face_blocks()[HullLayout::face_place(face) + HullLayout::gap];
  }
  WIDEPHASE_INLINE int edge_vertex(int e, int end) const {
    return integer_in(edges()[e * HullLayout::edge + HullLayout::edge_vertices + end]);
  }
  /// The vertices of a cell of the table of directions.
  WIDEPHASE_INLINE const std::uint8_t* vertices_of_cell(int cell) const {
    return reinterpret_cast<const std::uint8_t*>(starts - HullLayout::table) +
           HullLayout::cell_vertices * cell;
  }
  WIDEPHASE_INLINE int face_start(int face) const { return starts[face]; }
  WIDEPHASE_INLINE const std::int16_t* face_vertices() const { return starts + face_count + 1; }
  WIDEPHASE_INLINE const std::int16_t* face_edges() const {
    return face_vertices() + 2 * edge_count;
  }
  WIDEPHASE_INLINE const std::int16_t* edge_faces() const {
    return vertex_faces() + 2 * edge_count;
  }
  WIDEPHASE_INLINE const std::int16_t* vertex_starts() const {
    return face_edges() + 2 * edge_count;
  }
  WIDEPHASE_INLINE const std::int16_t* vertex_faces() const {
    return vertex_starts() + vertex_count + 1;
  }
  WIDEPHASE_INLINE int face_words() const { return (face_count + 63) >> 6; }
  /// 64 of the faces of a vertex, as bits.
  WIDEPHASE_INLINE std::uint64_t faces_of(int vertex, int word) const {
    std::uint64_t faces;
    const std::int16_t* const bits = edge_faces() + 2 * edge_count;
    __builtin_memcpy(&faces, bits + 4 * (vertex * face_words() + word), sizeof faces);
    return faces;
  }
  /// The lowest face that has all three vertices (some may be equal); -1 if there is none.
  WIDEPHASE_INLINE int face_of(int u, int v, int w) const {
    for (int word = 0; word < face_words(); ++word) {
      const std::uint64_t common = faces_of(u, word) & faces_of(v, word) & faces_of(w, word);
      if (common != 0) return 64 * word + __builtin_ctzll(common);
    }
    return -1;
  }
  /// The edge between two vertices of a face; -1 if they are not neighbours.
  WIDEPHASE_INLINE int edge_between(int face, int u, int v) const {
    const std::int16_t* const ring = face_vertices();
    const std::int16_t* const edges = face_edges();
    const int end = face_start(face + 1);
    int before = end - 1, edge = -1;
    // Always walks the whole ring and uses masks: branches on the vertices would cost more.
    for (int at = face_start(face); at < end; ++at) {
      const int from = ring[before], to = ring[at];
      const bool is_it = ((from == u) & (to == v)) | ((from == v) & (to == u));
      edge += (edges[before] + 1) & -static_cast<int>(is_it);
      before = at;
    }
    return edge;
  }
};

}  // namespace
}  // namespace widephase
