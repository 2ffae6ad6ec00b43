#pragma once

#include <widephase/columns.hpp>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace widephase {

/// Scratch from this size on asks for large pages: its random reads and the many streams of the
/// sort would else spend most of their time finding pages.
inline constexpr std::size_t kLargePageBytes = std::size_t{1} << 21;

/// `Column::resize_uninitialized` for scratch that is read or written in no order.
template <class T>
void resize_scratch(Column<T>& column, std::size_t count) {
  const std::size_t before = column.capacity();
  column.resize_uninitialized(count);
#if defined(__linux__)
  if (column.capacity() == before || column.bytes() < 2 * kLargePageBytes) return;
  const auto address = reinterpret_cast<std::uintptr_t>(column.plane());
  const std::uintptr_t begin = (address + kLargePageBytes - 1) / kLargePageBytes * kLargePageBytes;
  const std::uintptr_t end = (address + column.bytes()) / kLargePageBytes * kLargePageBytes;
  // A wish: where it fails, nothing changes but the speed.
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  static_cast<void>(before);
#endif
}

}  // namespace widephase
