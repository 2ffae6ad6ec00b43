#include "tools/formats/wide_texts.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>

namespace widephase::tools {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool is_character(char32_t c) { return c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF); }

/// Takes the first character off; an invalid byte counts as one character.
char32_t take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  text.remove_prefix(1);
  if (first < 0x80) return first;
  const std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  if (first < 0xC2 || first > 0xF4 || text.size() < more) return kReplacement;
  char32_t c = first & (0x3Fu >> more);
  for (std::size_t i = 0; i < more; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0u) != 0x80u) return kReplacement;
    c = c << 6 | (next & 0x3Fu);
  }
  // A character must have the shortest form.
  constexpr char32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
  if (c < kLeast[more] || !is_character(c)) return kReplacement;
  text.remove_prefix(more);
  return c;
}

void append(std::string& text, char32_t c) {
  if (!is_character(c)) c = kReplacement;
  const auto byte = [&](char32_t value) { text += static_cast<char>(value); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | c >> 6);
    byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3F));
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  }
}

std::u32string characters_of(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) characters += take_character(text);
  return characters;
}

}  // namespace

WideTexts wide_texts(const Array& texts) {
  std::vector<std::u32string> distinct;
  if (texts.count() > 0) {
    for (const std::string& text : texts.distinct_texts()) distinct.push_back(characters_of(text));
  }
  WideTexts wide;
  for (const std::u32string& text : distinct) wide.width = std::max(wide.width, text.size());
  wide.characters.assign(texts.count() * wide.width, 0);
  for (std::size_t i = 0; i < texts.count(); ++i) {
    const auto index = static_cast<std::size_t>(texts.values<std::int32_t>()[i]);
    std::ranges::copy(distinct[index],
                      wide.characters.begin() + static_cast<std::ptrdiff_t>(i * wide.width));
  }
  return wide;
}

Array texts_of(std::span<const char32_t> characters, std::size_t width,
               std::vector<std::size_t> shape) {
  auto distinct = std::make_shared<std::vector<std::string>>();
  std::unordered_map<std::u32string_view, std::int32_t> known;
  std::vector<std::int32_t> indices;
  std::size_t count = 1;
  for (const std::size_t length : shape) count *= length;
  for (std::size_t i = 0; i < count; ++i) {
    std::u32string_view wide;
    if (width > 0) wide = {characters.data() + i * width, width};
    while (!wide.empty() && wide.back() == 0) wide.remove_suffix(1);
    const auto [place, is_new] = known.emplace(wide, static_cast<std::int32_t>(distinct->size()));
    if (is_new) {
      std::string& text = distinct->emplace_back();
      for (const char32_t c : wide) append(text, c);
    }
    indices.push_back(place->second);
  }
  return Array::of_texts(indices, std::move(distinct), std::move(shape));
}

std::size_t character_count(const std::string& text) { return characters_of(text).size(); }

}  // namespace widephase::tools
