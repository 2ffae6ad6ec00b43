#pragma once

// Which part a shape of a contact is. Instruction sets' objects share no function with others, so
// each file that includes this has its own.

#include "kernels/flush_table.hpp"
#include "soa/kind_traits.hpp"

namespace widephase {
namespace {

/// A shape by its id among the rows, and which part it is.
template <class T>
FlushShape flush_shape(const FlushRows<T>& rows, Kind kind, std::int32_t id) {
  if (!may_be_flush(kind)) return {kind, id, -1, 0};
  const int k = static_cast<int>(kind);
  const int side = id - rows.sides[0].shift[k] >= rows.sides[0].first[k + 1] ? 1 : 0;
  const std::int32_t* const parts = rows.sides[side].view.part_of;
  const std::int32_t own = id - rows.sides[side].shift[k];
  return {kind, id, parts == nullptr ? -1 : parts[own], side};
}

}  // namespace
}  // namespace widephase
