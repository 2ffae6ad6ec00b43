#pragma once

#include <optional>
#include <vector>

#include <widephase/shapes.hpp>

namespace widephase {

/// What is wrong with the columns of a table before any height is read: offsets must rise from 0 to
/// the count of heights, and the other columns have a row per field. An empty table is valid.
template <class T>
std::optional<Finding> wrong_heightfield_layout(const HeightfieldTable<Borrowed<3, T>>& table);

/// What is wrong with field `f` of a table whose layout is right, but for its heights: whole rows,
/// two or more of each, cells above 0, neighbours that fit its border.
template <class T>
std::optional<Finding> wrong_heightfield(const HeightfieldTable<Borrowed<3, T>>& table,
                                         std::size_t f);

/// What is wrong with the height fields of a scene, the first finding per field, in their order, at
/// most `limit`.
template <class T>
std::vector<Finding> heightfield_findings(const HeightfieldTable<Borrowed<3, T>>& table,
                                          std::size_t limit);

}  // namespace widephase
