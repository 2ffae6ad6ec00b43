#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace widephase::tools {

/// An image in shades of grey, row by row from the top.
struct GreyImage {
  std::size_t rows = 0, columns = 0;
  std::vector<std::uint8_t> shades;
};

/// Reads a PNG image of at most 8 bits per sample. Colours must be shades of grey; transparency is
/// left out. A `FileError` with `path` says why `bytes` are not read.
GreyImage read_png(const std::string& path, std::string_view bytes);

}  // namespace widephase::tools
