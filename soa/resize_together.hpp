#pragma once

#include <algorithm>

#include <widephase/columns.hpp>

namespace widephase {

/// Makes room for `count` rows, at least by doubling.
template <class Column>
void make_room(Column& column, std::size_t count) {
  if (count > column.capacity()) column.reserve(std::max(count, 2 * column.capacity()));
}

/// `resize_uninitialized` of all columns, or of none if an allocation fails.
template <class... Columns>
void resize_together(std::size_t count, Columns&... columns) {
  (make_room(columns, count), ...);
  (columns.resize_uninitialized(count), ...);
}

}  // namespace widephase
