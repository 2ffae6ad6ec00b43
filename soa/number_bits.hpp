#pragma once

#include <cstdint>
#include <cstring>

namespace widephase {

/// Bits of an integer in a number's place, as rows and libraries have them.
template <class T>
T number_of_bits(std::int32_t value) {
  T number = 0;
  std::memcpy(&number, &value, sizeof value);
  return number;
}

}  // namespace widephase
