#pragma once

#include <algorithm>

#include <widephase/columns.hpp>

namespace widephase {

/// `resize_uninitialized` of all columns, or of none where an allocation fails.
template <class... Columns>
void resize_together(std::size_t count, Columns&... columns) {
  const auto make_room = [&](auto& column) {
    if (count > column.capacity()) column.reserve(std::max(count, 2 * column.capacity()));
  };
  (make_room(columns), ...);
  (columns.resize_uninitialized(count), ...);
}

}  // namespace widephase
