#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/formats/array.hpp"
#include "tools/formats/output_file.hpp"

namespace widephase::tools {

/// All arrays of a `.npz` archive, stored or deflated, in the order of the archive. A name that is
/// not wanted gets an empty array. Its entry is not read, since it may be far larger than the file.
std::vector<NamedArray> read_npz(const std::string& path,
                                 const std::function<bool(std::string_view)>& is_wanted);
std::vector<NamedArray> read_npz(const std::string& path);

/// A borrowed array to write.
struct ArrayView {
  std::string name;
  Type type;
  std::vector<std::size_t> shape;
  const void* data;            ///< of texts: characters of 4 bytes (`WideTexts`)
  std::size_t text_width = 0;  ///< of type text: characters per element
};

/// Writes a deflated archive. Equal arrays give equal bytes, because all entries have the same
/// date.
void write_npz(const std::vector<ArrayView>& arrays, OutputFile& file);

}  // namespace widephase::tools
