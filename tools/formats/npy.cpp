#include "tools/formats/npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <optional>

#include "tools/formats/file_error.hpp"
#include "tools/formats/text.hpp"

// The format is described under numpy.lib.format in NumPy's documentation: magic, two bytes of
// version, the length of the header (2 bytes, or 4 from version 2.0 on), then a Python dictionary
// as text.

namespace widephase::tools {

static_assert(std::endian::native == std::endian::little, "arrays of files are little-endian");

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

[[noreturn]] void fail(const std::string& path, std::string_view name, const std::string& what) {
  throw FileError(path, fmt::format("{} {}", name, what));
}

/// The text after `'key':` in the dictionary.
std::optional<std::string_view> value_of(std::string_view dictionary, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string quoted_key = fmt::format("{0}{1}{0}", quote, key);
    std::size_t at = dictionary.find(quoted_key);
    if (at == dictionary.npos) continue;
    at = dictionary.find(':', at + quoted_key.size());
    if (at == dictionary.npos) return std::nullopt;
    return trim(dictionary.substr(at + 1));
  }
  return std::nullopt;
}

/// `text_width` is set for texts.
Type parse_type(std::string_view text, const std::string& path, std::string_view name,
                std::size_t& text_width) {
  constexpr std::string_view kExpected =
      "expected float32, float64, bool or integers, little-endian";
  if (text.empty() || (text[0] != '\'' && text[0] != '"')) {
    fail(path, name, fmt::format("is an array of records; {}", kExpected));
  }
  const std::size_t end = text.find(text[0], 1);
  std::string_view type = text.substr(1, end == text.npos ? text.npos : end - 1);
  const std::string_view whole = type;
  char order = '=';
  if (!type.empty() && std::string_view("<>|=").find(type[0]) != std::string_view::npos) {
    order = type[0];
    type.remove_prefix(1);
  }
  if (type.substr(0, 1) == "O") {
    fail(path, name, fmt::format("holds Python objects; {}", kExpected));
  }
  if (type.substr(0, 1) == "U" && order != '>') {
    const auto [stop, error] =
        std::from_chars(type.data() + 1, type.data() + type.size(), text_width);
    if (error == std::errc{} && stop == type.data() + type.size()) return Type::text;
  }
  struct Word {
    std::string_view word;
    Type type;
  };
  constexpr Word kWords[] = {{"f4", Type::float32}, {"f8", Type::float64}, {"b1", Type::uint8},
                             {"?", Type::uint8},    {"i1", Type::int8},    {"i2", Type::int16},
                             {"i4", Type::int32},   {"i8", Type::int64},   {"u1", Type::uint8},
                             {"u2", Type::uint16},  {"u4", Type::uint32},  {"u8", Type::uint64}};
  for (const Word& word : kWords) {
    if (word.word != type) continue;
    if (order == '>' && size_of(word.type) > 1) {
      fail(path, name, fmt::format("is big-endian ({}); {}", whole, kExpected));
    }
    return word.type;
  }
  fail(path, name, fmt::format("has the type {}; {}", in_quotes(whole), kExpected));
}

std::vector<std::size_t> parse_shape(std::string_view text, const std::string& path,
                                     std::string_view name) {
  const auto malformed = [&]() { fail(path, name, "has a malformed shape in its NPY header"); };
  const std::size_t end = text.find(')');
  if (text.empty() || text[0] != '(' || end == text.npos) malformed();
  std::vector<std::string_view> words;
  split_commas(text.substr(1, end - 1), words);
  if (words.back().empty()) words.pop_back();
  std::vector<std::size_t> shape;
  for (std::string_view word : words) {
    if (!word.empty() && word.back() == 'L') word.remove_suffix(1);  // a Python 2 long
    std::size_t length = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), length);
    if (error != std::errc{} || stop != word.data() + word.size()) malformed();
    shape.push_back(length);
  }
  return shape;
}

}  // namespace

std::size_t npy_header_size(std::string_view start, const std::string& path,
                            std::string_view name) {
  if (start.size() < 10 || start.substr(0, kMagic.size()) != kMagic) {
    fail(path, name, "is not an NPY array");
  }
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(start[i]));
  };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3) {
    fail(path, name, fmt::format("has NPY version {}; expected 1.0, 2.0 or 3.0", version));
  }
  if (version == 1) return 10 + byte(8) + (byte(9) << 8);
  if (start.size() < kNpyStart) fail(path, name, "ends within its NPY header");
  return kNpyStart + byte(8) + (byte(9) << 8) + (byte(10) << 16) + (byte(11) << 24);
}

NpyHeader parse_npy_header(std::string_view header, const std::string& path,
                           std::string_view name) {
  const std::size_t start = header[6] == 1 ? 10 : kNpyStart;
  const std::string_view dictionary = header.substr(start);
  const auto type = value_of(dictionary, "descr");
  const auto order = value_of(dictionary, "fortran_order");
  const auto shape = value_of(dictionary, "shape");
  if (!type || !order || !shape) {
    fail(path, name, "has an NPY header without descr, fortran_order and shape");
  }
  NpyHeader result;
  result.type = parse_type(*type, path, name, result.text_width);
  result.shape = parse_shape(*shape, path, name);
  // An array with one axis has the same order either way.
  result.is_fortran = order->substr(0, 4) == "True" && result.shape.size() > 1;
  std::size_t bytes = size_of(result.type);
  bool is_too_large =
      result.type == Type::text && __builtin_mul_overflow(bytes, result.text_width, &bytes);
  for (const std::size_t length : result.shape) {
    is_too_large |= __builtin_mul_overflow(bytes, length, &bytes);
  }
  if (is_too_large) {
    fail(path, name,
         fmt::format("has the shape {}, more than memory can hold", shape_text(result.shape)));
  }
  result.data_bytes = bytes;
  return result;
}

void put_into_c_order(Array& array) {
  const std::vector<std::size_t>& shape = array.shape();
  const std::size_t size = size_of(array.type());
  const std::vector<std::byte> numbers(array.bytes().begin(), array.bytes().end());
  std::vector<std::size_t> at(shape.size(), 0);  // the indices of number i in C's order
  for (std::size_t i = 0; i < array.count(); ++i) {
    std::size_t place = 0;
    for (std::size_t axis = shape.size(); axis-- > 0;) place = place * shape[axis] + at[axis];
    std::memcpy(array.bytes().data() + i * size, numbers.data() + place * size, size);
    for (std::size_t axis = shape.size(); axis-- > 0 && ++at[axis] == shape[axis];) at[axis] = 0;
  }
}

std::string npy_header(Type type, const std::vector<std::size_t>& shape, std::size_t text_width) {
  std::string word;
  switch (type) {
    case Type::float32:
    case Type::float64:
      word = fmt::format("<f{}", size_of(type));
      break;
    case Type::int8:
    case Type::int16:
    case Type::int32:
    case Type::int64:
      word = fmt::format("<i{}", size_of(type));
      break;
    case Type::text:
      word = fmt::format("<U{}", text_width);
      break;
    default:
      word = fmt::format("<u{}", size_of(type));
  }
  if (size_of(type) == 1) word[0] = '|';
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                       word, shape_text(shape));
  constexpr std::size_t kStart = 10;
  dictionary.append(63 - (kStart + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string header(kMagic);
  header += {'\x01', '\x00', static_cast<char>(dictionary.size() & 255),
             static_cast<char>(dictionary.size() >> 8)};
  return header + dictionary;
}

}  // namespace widephase::tools
