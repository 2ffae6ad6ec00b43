#pragma once

// Numbers in messages: the shortest text that reads back as the same number.

#include <array>
#include <charconv>
#include <cstdint>
#include <string>

namespace widephase {

inline std::string number(double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}
inline std::string number(float value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}
inline std::string number(std::int64_t value) { return std::to_string(value); }
inline std::string number(std::size_t value) { return std::to_string(value); }
inline std::string number(int value) { return std::to_string(value); }

}  // namespace widephase
