#pragma once

// What rays and casts require of the caller's rows.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <widephase/collide.hpp>

#include "soa/number_text.hpp"

namespace widephase {

/// A column must have one row per question (`each`), or none if it `may_be_empty`.
inline void require_rows(const char* array, std::size_t size, std::size_t count, const char* each,
                         bool may_be_empty) {
  if (size == count || (may_be_empty && size == 0)) return;
  throw Error(Finding{array, -1,
                      "has " + number(size) + " rows; give one per " + each + " (" + number(count) +
                          ")" + (may_be_empty ? " or none" : "")});
}

/// What is wrong with where a way ends.
template <class S>
std::optional<Finding> wrong_end(S most, std::size_t row) {
  if (most >= 0 && most <= std::numeric_limits<S>::max()) return {};
  return Finding{"max_t", static_cast<std::int64_t>(row),
                 "is " + number(most) + "; it must be a finite number >= 0"};
}

/// Leaves a world with a wrong row out if the caller asks for that, else throws.
inline void leave_out_world(std::int32_t world, Finding wrong, Column<std::uint8_t>& mask,
                            std::span<std::uint8_t> status) {
  if (world < 0 || status.empty()) throw Error(std::move(wrong));
  mask[static_cast<std::size_t>(world)] = 0;
  status[static_cast<std::size_t>(world)] = static_cast<std::uint8_t>(WorldStatus::invalid);
}

}  // namespace widephase
