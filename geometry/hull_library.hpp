#pragma once

#include <widephase/executor.hpp>
#include <widephase/shapes.hpp>

namespace widephase {

/// The hulls of a scene as kernels read them. `HullLayout` of kernels/core/support/hull_view.hpp
/// describes the numbers and indices: a header, blocks of eight vertices, blocks of eight faces,
/// one record per edge, a table of directions, and which vertices, edges and faces meet. Positions
/// are relative to the middle of the geometry.
template <class T>
struct HullLibrary {
  static constexpr int kRecord = 8;
  static constexpr int kHeader = 16;
  static constexpr int kVertexBlock = 24;
  static constexpr int kFaceBlock = 48;
  static constexpr int kEdge = 16;
  static constexpr int kCellsASide = 4;
  static constexpr int kCellVertices = 3;
  /// The offset of faces that fill up a block: whatever overflows, no shape is farther beyond it
  /// than beyond a true face.
  static constexpr T kFiller = std::numeric_limits<T>::infinity();

  Column<T> numbers;
  Column<std::int16_t> indices;
  Column<std::int32_t> place;         ///< of each geometry in `numbers`, in records
  Column<std::int32_t> vertex_count;  ///< of each geometry
  Column<T> reach;                    ///< the largest distance of a vertex from the middle
  Column<T, 3> middle;                ///< of each geometry in its own frame (`middle_of_span`)
  bool has_middles = false;           ///< some middle is not the frame's origin
  std::int64_t version = 0;           ///< another one in each library and after each change

  /// Reads the geometries, unless they are those of the last call. Returns false if some are not
  /// hulls; the library is then empty.
  bool update(const GeometryTable<Borrowed<3, T>>& hulls, const Threads& threads);

  /// Eight numbers x, then y and z, relative to the middle, of the vertices 8 * block ... of a
  /// geometry; after the last vertex the first one repeats.
  const T* vertices(std::int32_t geometry, int block) const {
    return numbers.plane() + std::ptrdiff_t{kRecord} * place[static_cast<std::size_t>(geometry)] +
           kHeader + block * kVertexBlock;
  }
  std::size_t geometry_numbers() const { return numbers.size(); }
  std::size_t bytes() const {
    return numbers.bytes() + indices.bytes() + place.bytes() + vertex_count.bytes() +
           reach.bytes() + middle.bytes() + known_vertices_.bytes() + known_offsets_.bytes();
  }

 private:
  bool is_known(const GeometryTable<Borrowed<3, T>>& hulls) const;

  Column<T, 3> known_vertices_;
  Column<std::int64_t> known_offsets_;
};

}  // namespace widephase
