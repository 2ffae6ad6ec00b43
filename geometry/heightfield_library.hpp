#pragma once

#include <vector>

#include <widephase/executor.hpp>
#include <widephase/shapes.hpp>

#include "soa/heightfield_view.hpp"

namespace widephase {

/// The height fields of a scene as kernels read them.
template <class T>
struct HeightfieldLibrary {
  Column<T> heights;                       ///< of all fields, those of the caller
  Column<T> tiles;                         ///< of their trees
  std::vector<HeightfieldView<T>> fields;  ///< by geometry

  HeightfieldLibrary() = default;
  HeightfieldLibrary(HeightfieldLibrary&&) = default;  // a copy's views would be of the original
  HeightfieldLibrary& operator=(HeightfieldLibrary&&) = default;

  /// Reads the fields, unless they are those of the last call. Returns false if some are not valid;
  /// the library is then empty.
  bool update(const HeightfieldTable<Borrowed<3, T>>& table, const Threads& threads);

  std::size_t bytes() const {
    return heights.bytes() + tiles.bytes() + fields.capacity() * sizeof(HeightfieldView<T>);
  }
};

}  // namespace widephase
