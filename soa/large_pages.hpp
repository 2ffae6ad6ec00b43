#pragma once

#include <widephase/columns.hpp>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace widephase {

/// Columns from this size on ask for large pages. Otherwise random reads and many parallel streams
/// spend most of their time finding pages.
inline constexpr std::size_t kLargePageBytes = std::size_t{1} << 21;

/// Asks for large pages for a column that has just grown.
template <class T, int W>
void ask_for_large_pages(const Column<T, W>& column) {
#if defined(__linux__)
  if (column.bytes() < 2 * kLargePageBytes) return;
  const auto address = reinterpret_cast<std::uintptr_t>(column.plane());
  const std::uintptr_t begin = (address + kLargePageBytes - 1) / kLargePageBytes * kLargePageBytes;
  const std::uintptr_t end = (address + column.bytes()) / kLargePageBytes * kLargePageBytes;
  // Only a request: if it fails, only the speed changes.
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  static_cast<void>(column);
#endif
}

/// `Column::reserve` and `Column::resize_uninitialized` in large pages.
template <class T, int W>
void reserve_large(Column<T, W>& column, std::size_t count) {
  if (count <= column.capacity()) return;
  column.reserve(count);
  ask_for_large_pages(column);
}
template <class T, int W>
void resize_scratch(Column<T, W>& column, std::size_t count) {
  const std::size_t before = column.capacity();
  column.resize_uninitialized(count);
  if (column.capacity() != before) ask_for_large_pages(column);
}

}  // namespace widephase
