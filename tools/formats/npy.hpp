#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/formats/array.hpp"

namespace widephase::tools {

/// The header of a `.npy` file, NPY versions 1.0 to 3.0.
struct NpyHeader {
  Type type = Type::float64;
  std::vector<std::size_t> shape;
  std::size_t data_bytes = 0;  ///< the size of the numbers, from type and shape
  std::size_t text_width = 0;  ///< of type text: characters per element, 4 bytes each
  bool is_fortran = false;     ///< whether the first axis runs fastest, not the last
};

/// Puts numbers that were read in Fortran's order into C's.
void put_into_c_order(Array& array);

/// The size of magic, version and the field for the header's length: read these first.
inline constexpr std::size_t kNpyStart = 12;

/// The size of everything before the numbers. `start` has the first `kNpyStart` bytes (fewer if the
/// file is shorter). Throws `FileError` if it is not NPY.
std::size_t npy_header_size(std::string_view start, const std::string& path, std::string_view name);

/// Parses the header; `npy_header_size` gives its size.
NpyHeader parse_npy_header(std::string_view header, const std::string& path, std::string_view name);

/// A header of version 1.0, padded so that the numbers start at a multiple of 64 bytes. Texts have
/// `text_width` characters each.
std::string npy_header(Type type, const std::vector<std::size_t>& shape,
                       std::size_t text_width = 0);

}  // namespace widephase::tools
