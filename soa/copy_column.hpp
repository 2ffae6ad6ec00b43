#pragma once

#include <cstddef>
#include <type_traits>

namespace widephase {

/// Makes a column the rows of another, whose numbers may be of another type.
template <class From, class To>
void copy_column(const From& from, To& to) {
  to.resize_uninitialized(from.size());
  for (int w = 0; w < To::width; ++w) {
    for (std::size_t row = 0; row < from.size(); ++row) {
      using Number = std::remove_cvref_t<decltype(to(row, w))>;
      to(row, w) = static_cast<Number>(from(row, w));
    }
  }
}

}  // namespace widephase
