#pragma once

#include <cstdint>
#include <cstring>

namespace widephase {

/// The bits of an integer stored as a number, as in rows and libraries.
template <class T>
T number_of_bits(std::int32_t value) {
  T number = 0;
  std::memcpy(&number, &value, sizeof value);
  return number;
}

}  // namespace widephase
