#pragma once

// Whether the caller's arrays can be read at the given addresses, checked before any number is.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <widephase/columns.hpp>
#include <widephase/types.hpp>

#include "soa/number_text.hpp"

namespace widephase {

/// The addresses of the components of row 0, without their type, so that the checks exist once.
struct ColumnLayout {
  std::array<const void*, 4> planes{};
  int width;
  std::size_t number_size;
  std::size_t count;
  std::ptrdiff_t stride;
};

template <class T, int W>
ColumnLayout column_layout(const ColumnSpan<T, W>& column) {
  static_assert(W <= 4);
  ColumnLayout layout{{}, W, sizeof(T), column.size(), column.stride()};
  for (int w = 0; w < W; ++w) layout.planes[static_cast<std::size_t>(w)] = column.plane(w);
  return layout;
}

/// The fault, to follow the array's name in a message; empty if there is none. Addresses must not
/// be null; they and the stride must be multiples of a number's size. Rows with adjacent components
/// must not overlap, except for a stride of 0, which repeats one row.
[[gnu::noinline]] inline std::string wrong_layout(const ColumnLayout& layout) {
  if (layout.count == 0) return {};
  const std::size_t size = layout.number_size;
  const auto stride = static_cast<std::uintptr_t>(layout.stride);
  const std::uintptr_t length = layout.stride < 0 ? 0 - stride : stride;
  std::uintptr_t first = ~std::uintptr_t{0}, last = 0;
  bool is_aligned = (length & (size - 1)) == 0;  // sizes are powers of two
  for (int w = 0; w < layout.width; ++w) {
    const auto address =
        reinterpret_cast<std::uintptr_t>(layout.planes[static_cast<std::size_t>(w)]);
    if (address == 0) return "is given with " + number(layout.count) + " rows and is NULL";
    is_aligned &= (address & (size - 1)) == 0;
    first = address < first ? address : first;
    last = address > last ? address : last;
  }
  if (!is_aligned) {
    return "is given with addresses or a stride (" + number(std::int64_t{layout.stride}) +
           " bytes) that are not a multiple of " + number(size);
  }
  // If components are in arrays of their own, last - first is not the length of a row.
  const std::uintptr_t row = last - first + size;
  const bool is_interleaved = row <= static_cast<std::uintptr_t>(layout.width) * size;
  if (layout.count > 1 && is_interleaved && length != 0 && length < row) {
    return "is given with a stride of " + number(std::int64_t{layout.stride}) +
           " bytes, but a row has " + number(std::size_t{row}) +
           "; rows must not overlap (a stride of 0 repeats one)";
  }
  return {};
}

template <class T, int W>
std::string wrong_layout(const ColumnSpan<T, W>& column) {
  return column.empty() ? std::string() : wrong_layout(column_layout(column));
}
/// An owner's memory is valid.
template <class T, int W>
std::string wrong_layout(const Column<T, W>&) {
  return {};
}

/// Throws `Error`, by the array's name, if it cannot be read.
template <class T, int W>
void require_layout(std::string_view array, const ColumnSpan<T, W>& column) {
  std::string wrong = wrong_layout(column);
  if (!wrong.empty()) throw Error(Finding{std::string(array), -1, std::move(wrong)});
}

/// The same for a span: without an address it must have no entries.
template <class T>
void require_address(std::string_view array, std::span<T> entries) {
  if (entries.empty() || entries.data() != nullptr) return;
  throw Error(Finding{std::string(array), -1,
                      "is given with " + number(entries.size()) + " entries and is NULL"});
}

}  // namespace widephase
