#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/formats/array.hpp"

namespace widephase::tools {

/// What stands before the numbers of a `.npy` file, NPY versions 1.0 to 3.0.
struct NpyHeader {
  Type type = Type::float64;
  std::vector<std::size_t> shape;
  std::size_t data_bytes = 0;  ///< that type and shape need
};

/// Bytes of magic, version and the header's length field: what must be read to know the rest.
inline constexpr std::size_t kNpyStart = 12;

/// The size of everything before the numbers, from the first `kNpyStart` bytes (or fewer, of a
/// short file). Throws `FileError` for what is not NPY.
std::size_t npy_header_size(std::string_view start, const std::string& path, std::string_view name);

/// Parses the header, of which `npy_header_size` told the size.
NpyHeader parse_npy_header(std::string_view header, const std::string& path, std::string_view name);

/// A header of version 1.0, padded so that the numbers begin at a multiple of 64 bytes.
std::string npy_header(Type type, const std::vector<std::size_t>& shape);

}  // namespace widephase::tools
