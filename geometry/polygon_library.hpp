#pragma once

#include <widephase/executor.hpp>
#include <widephase/shapes.hpp>

namespace widephase {

/// The polygons of a scene as kernels read them. `PolygonLayout` of kernels/core/basis/rows.hpp
/// describes the numbers: blocks of eight faces and vertices, then one record of eight numbers per
/// edge, then, for many vertices, 24 numbers per sector of directions. Positions are relative to
/// the middle of the geometry.
template <class T>
struct PolygonLibrary {
  static constexpr int kRecord = 8;
  static constexpr int kBlock = 48;
  static constexpr int kFlat = 256;
  static constexpr int kBlockVertices = 8;
  static constexpr int kLeastWithSectors = 17;
  static constexpr int kSectors = 16;
  static constexpr int kSector = 24;
  /// The offset of faces that fill up a block: whatever overflows, no shape is farther beyond it
  /// than beyond a true face.
  static constexpr T kFiller = std::numeric_limits<T>::infinity();
  /// The offset of a face inside its owner: no shape lies beyond it.
  static constexpr T kNoFace = std::numeric_limits<T>::max() / 4;

  Column<T> numbers;
  Column<std::int32_t> place;         ///< of each geometry in `numbers`, in records
  Column<std::int32_t> vertex_count;  ///< of each geometry
  Column<std::uint8_t> has_flat;      ///< whether a geometry has corners nearly flat
  Column<std::uint8_t> has_inner;     ///< whether a geometry has edges inside its owner
  bool has_any_inner = false;
  bool has_any_large = false;  ///< a geometry of more than a block
  Column<T> reach;             ///< the largest distance of a vertex from the middle
  Column<T, 2> middle;         ///< of each geometry in its own frame (`middle_of_span`)
  bool has_middles = false;    ///< some middle is not the frame's origin

  /// What a row says of a geometry: `PolygonLayout::vertex_count`, `flat`.
  std::int32_t counts(std::size_t geometry) const {
    return vertex_count[geometry] + kFlat * has_flat[geometry];
  }
  static constexpr int vertices_of(std::int32_t counts) { return counts % kFlat; }
  static constexpr int blocks_of(int vertices) {
    return (vertices + kBlockVertices - 1) / kBlockVertices;
  }

  /// Reads valid polygons (`are_valid_polygons`).
  void update(const GeometryTable<Borrowed<2, T>>& polygons, const Threads& threads);

  /// Records of a separate outline: one block, and one edge per vertex.
  static constexpr int outline_records(int vertices) { return kBlock / kRecord + vertices; }
  /// Makes room for `records` more behind the polygons and returns where they begin. A later
  /// `update` forgets them.
  std::int32_t add_records(std::int64_t records);
  /// Writes a point (1), a segment (2) or an upright rectangle (4, from the lower corner, along its
  /// axes even if it has no width) at a place from `add_records`.
  void write_outline(std::int32_t at, int vertices, const std::array<std::array<T, 2>, 4>& corners);

  /// The first of eight numbers of the vertices 8 * block ... of a geometry, x and then y, relative
  /// to the middle.
  const T* vertices(std::int32_t geometry, int block) const {
    return numbers.plane() + std::ptrdiff_t{kRecord} * place[static_cast<std::size_t>(geometry)] +
           block * kBlock;
  }
  /// The numbers of the geometries, without the outlines behind them.
  std::size_t geometry_numbers() const { return geometry_numbers_; }
  std::size_t bytes() const {
    return numbers.bytes() + place.bytes() + vertex_count.bytes() + has_flat.bytes() +
           has_inner.bytes() + reach.bytes() + middle.bytes();
  }

 private:
  std::size_t geometry_numbers_ = 0;
};

}  // namespace widephase
