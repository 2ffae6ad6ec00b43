#pragma once

// Numbers in messages: the shortest text that reads back as the same number.

#include <array>
#include <charconv>
#include <string>

namespace widephase {

template <class N>
std::string number(N value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

}  // namespace widephase
