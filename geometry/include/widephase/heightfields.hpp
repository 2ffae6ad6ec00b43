#pragma once

// The height fields that 3D shapes share (`SceneColumns<3, T>::heightfield_geometries`).

#include <type_traits>

#include <widephase/export.h>
#include <widephase/shapes.hpp>

namespace widephase {

/// The fewest rows and columns of samples of a height field.
inline constexpr int kFewestSamples = 2;
/// The most samples of a height field, so that its triangles have numbers. Larger ones are split
/// into `neighbours`.
inline constexpr std::int64_t kMostSamples = std::int64_t{1} << 30;

/// Appends a height field and returns its index. `heights` are its samples row by row, NaN for
/// holes, `columns` in a row, `cell_x` and `cell_y` apart. It has no neighbours.
///
/// Throws `Error` naming `heights`, `columns`, `cell_x` or `cell_y`, with the row where a number is
/// at fault; the table then stays as it was. What is allowed is in `HeightfieldTable`.
template <class T>
WIDEPHASE_API std::int32_t add_heightfield(HeightfieldTable<Owned<3, T>>& table,
                                           const std::type_identity_t<ColumnSpan<T>>& heights,
                                           std::int32_t columns, std::type_identity_t<T> cell_x,
                                           std::type_identity_t<T> cell_y);

/// A triangle of a height field.
template <class T>
struct HeightfieldTriangle {
  T vertices[3][3];  ///< x y z in the field's frame, counter-clockwise as seen from above
  bool is_hole;      ///< a height is NaN, and so is that vertex
};

/// The triangle that a contact's `part` names, of field `index`. Throws `Error` if there is none.
template <class Storage>
WIDEPHASE_API HeightfieldTriangle<typename Storage::Real> heightfield_triangle(
    const HeightfieldTable<Storage>& table, std::int32_t index, std::int32_t triangle);

}  // namespace widephase
