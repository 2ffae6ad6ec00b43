#pragma once

#include <cstdint>
#include <string_view>

namespace widephase {

/// What a row has in an optional column of shapes that is not there. A key is the row's id instead.
template <class T>
T optional_default(std::string_view field) {
  if (field == "category") return static_cast<T>(1);
  if (field == "mask") return static_cast<T>(~std::uint32_t{0});
  if (field == "owner" || field == "body") return static_cast<T>(-1);
  return T{0};
}

}  // namespace widephase
