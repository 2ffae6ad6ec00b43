#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tools/formats/array.hpp"

namespace widephase::tools {

/// Texts as NumPy's type `<U12` stores them: as many characters each, filled up by zeros.
struct WideTexts {
  std::size_t width = 1;  ///< characters per text; NumPy's least is 1
  std::vector<char32_t> characters;
};

/// Bytes that are not UTF-8 become U+FFFD.
WideTexts wide_texts(const Array& texts);

/// The reverse: `characters` has `width` of them per element of the shape. What is not a character
/// becomes U+FFFD.
Array texts_of(std::span<const char32_t> characters, std::size_t width,
               std::vector<std::size_t> shape);

/// The number of characters in a text of UTF-8.
std::size_t character_count(const std::string& text);

}  // namespace widephase::tools
