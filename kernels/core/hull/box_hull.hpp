#pragma once

// A box or aabb as a hull in the library's form (core/support/hull_view.hpp), for kernels that read
// hulls. Its vertices, edges and faces are numbered as those of a box
// (core/basis/box_features.hpp).

#include "kernels/core/support/convex_shape.hpp"

namespace widephase {
namespace {

struct BoxHullLayout {
  static constexpr int faces = HullLayout::header + HullLayout::vertex_block;
  static constexpr int edges = faces + HullLayout::face_block;
  static constexpr int size = edges + 12 * HullLayout::edge;
  // Places in the indices, where HullView looks for them.
  static constexpr int starts = HullLayout::table;
  static constexpr int face_vertices = starts + 6 + 1;
  static constexpr int face_edges = face_vertices + 24;
  static constexpr int vertex_starts = face_edges + 24;
  static constexpr int vertex_faces = vertex_starts + 8 + 1;
  static constexpr int edge_faces = vertex_faces + 24;
  static constexpr int face_bits = edge_faces + 24;
  static constexpr int index_count = face_bits + 4 * 8;
};

/// What all boxes have in common: which vertices, edges and faces meet, and the numbers of a box
/// with half extents of 1.
template <class T>
struct UnitBoxHull {
  T numbers[BoxHullLayout::size];
  std::int16_t indices[BoxHullLayout::index_count];

  constexpr UnitBoxHull() : numbers{}, indices{} {
    for (int v = 0; v < 8; ++v) {
      for (int k = 0; k < 3; ++k) {
        numbers[HullLayout::header + 8 * k + v] = (v >> k & 1) != 0 ? T(1) : T(-1);
      }
    }
    for (int f = 0; f < 8; ++f) {
      T* const face = numbers + BoxHullLayout::faces + f;
      // Two of eight lanes have no face. The widest arc between the normals of two faces of a box
      // is a right angle.
      face[HullLayout::offset] = f < 6 ? T(1) : kInfinite<T>;
      face[HullLayout::arc_share] = f < 6 ? T(1.4142137) : T(1);
      if (f < 6) face[8 * (f / 2)] = f % 2 != 0 ? T(1) : T(-1);
    }
    for (int e = 0; e < 12; ++e) set_edge(e);
    set_faces();
    set_table();
  }

 private:
  /// The lower vertex of an edge.
  static constexpr int first_vertex(int edge) {
    const int axis = edge / 4, bits = edge % 4;
    return (bits & ((1 << axis) - 1)) | (bits >> axis << (axis + 1));
  }
  static constexpr T bits_of(int value) {
    if constexpr (sizeof(T) == 4) {
      return __builtin_bit_cast(T, std::int32_t{value});
    } else {
      return __builtin_bit_cast(T, std::int64_t{value});
    }
  }
  static constexpr int face_of(int vertex, int axis) { return 2 * axis + (vertex >> axis & 1); }
  static constexpr int edge_between(int v, int w) {
    const int axis = (v ^ w) == 1 ? 0 : (v ^ w) == 2 ? 1 : 2;
    return 4 * axis + ((v & ((1 << axis) - 1)) | (v >> (axis + 1) << axis));
  }
  constexpr void set_edge(int edge) {
    T* const record = numbers + BoxHullLayout::edges + edge * HullLayout::edge;
    const int axis = edge / 4, v = first_vertex(edge), w = v | 1 << axis;
    for (int k = 0; k < 3; ++k) {
      record[k] = (v >> k & 1) != 0 ? T(1) : T(-1);
      record[3 + k] = (w >> k & 1) != 0 ? T(1) : T(-1);
    }
    record[HullLayout::edge_vertices] = bits_of(v);
    record[HullLayout::edge_vertices + 1] = bits_of(w);
    int side = 0;
    for (int k = 0; k < 3; ++k) {
      if (k == axis) continue;
      record[6 + 3 * side + k] = record[k];
      indices[BoxHullLayout::edge_faces + 2 * edge + side++] =
          static_cast<std::int16_t>(face_of(v, k));
    }
  }
  constexpr void set_faces() {
    int counts[8] = {};
    for (int f = 0; f <= 6; ++f) {
      indices[BoxHullLayout::starts + f] = static_cast<std::int16_t>(4 * f);
    }
    for (int v = 0; v <= 8; ++v) {
      indices[BoxHullLayout::vertex_starts + v] = static_cast<std::int16_t>(3 * v);
    }
    for (int f = 0; f < 6; ++f) {
      const int axis = f / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
      const bool is_up = f % 2 != 0;
      // Counter-clockwise seen from outside.
      const int ring[4] = {0, is_up ? 1 << u : 1 << v, (1 << u) + (1 << v),
                           is_up ? 1 << v : 1 << u};
      for (int c = 0; c < 4; ++c) {
        const int here = ring[c] + (is_up ? 1 << axis : 0);
        const int next = ring[(c + 1) % 4] + (is_up ? 1 << axis : 0);
        indices[BoxHullLayout::face_vertices + 4 * f + c] = static_cast<std::int16_t>(here);
        indices[BoxHullLayout::face_edges + 4 * f + c] =
            static_cast<std::int16_t>(edge_between(here, next));
        indices[BoxHullLayout::vertex_faces + 3 * here + counts[here]++] =
            static_cast<std::int16_t>(f);
        // The lowest 16 of the 64 bits.
        std::int16_t& bits = indices[BoxHullLayout::face_bits + 4 * here];
        bits = static_cast<std::int16_t>(bits | 1 << f);
      }
    }
  }
  /// For each cell its corner of the box, then the neighbours along the cell's two smaller axes.
  constexpr void set_table() {
    constexpr int side = HullLayout::cells_a_side;
    for (int at = 0; at < HullLayout::cells * HullLayout::cell_vertices; ++at) {
      const int cell = at / HullLayout::cell_vertices, face = cell / (side * side);
      const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
      const int row = cell / side % side, column = cell % side;
      const int corner = (face % 2 << axis) | (2 * row / side << u) | (2 * column / side << v);
      const int beside[3] = {0, 1 << u, 1 << v};
      const int vertex = corner ^ beside[at % HullLayout::cell_vertices];
      std::int16_t& both = indices[at / 2];
      both = static_cast<std::int16_t>(both | vertex << 8 * (at % 2));
    }
  }
};
template <class T>
inline constexpr UnitBoxHull<T> kUnitBoxHull{};

/// The numbers of one box.
template <class T>
struct BoxHull {
  T numbers[BoxHullLayout::size];

  WIDEPHASE_INLINE void set(const T (&half)[3]) {
    const T* const unit = kUnitBoxHull<T>.numbers;
    for (int k = 0; k < BoxHullLayout::size; ++k) numbers[k] = unit[k];
    T least = half[0];
    for (int k = 0; k < 3; ++k) {
      T* const vertices = numbers + HullLayout::header + 8 * k;
      for (int v = 0; v < 8; ++v) vertices[v] = unit[HullLayout::header + 8 * k + v] * half[k];
      T* const offsets = numbers + BoxHullLayout::faces + HullLayout::offset;
      offsets[2 * k] = offsets[2 * k + 1] = half[k];
      T* const gaps = numbers + BoxHullLayout::faces + HullLayout::gap;
      gaps[2 * k] = gaps[2 * k + 1] = 2 * half[k];
      least = half[k] < least ? half[k] : least;
    }
    const T sizes[8] = {half[0], half[1], half[2], half[0], half[1], half[2], 1, 1};
    const Eight<T> of_record = load_eight(sizes);
    for (int e = 0; e < 12; ++e) {
      const int record = BoxHullLayout::edges + e * HullLayout::edge, axis = e / 4;
      store(numbers + record, load_eight(unit + record) * of_record);
      numbers[record + HullLayout::edge_gaps] = 2 * half[axis == 0 ? 1 : 0];
      numbers[record + HullLayout::edge_gaps + 1] = 2 * half[axis == 2 ? 1 : 2];
    }
    numbers[HullLayout::inner_radius] = least;
    numbers[HullLayout::reach] = root((half[0] * half[0] + half[1] * half[1]) + half[2] * half[2]);
  }
  HullView<T> view() const {
    HullView<T> hull;
    hull.numbers = numbers;
    hull.starts = kUnitBoxHull<T>.indices + BoxHullLayout::starts;
    hull.faces_at = BoxHullLayout::faces;
    hull.edges_at = BoxHullLayout::edges;
    hull.vertex_count = 8;
    hull.face_count = 6;
    hull.edge_count = 12;
    return hull;
  }
};

}  // namespace
}  // namespace widephase
