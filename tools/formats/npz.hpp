#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/formats/array.hpp"
#include "tools/formats/output_file.hpp"

namespace widephase::tools {

/// All arrays of a `.npz` archive, stored or deflated, in the archive's order. Of names that are
/// not wanted there is an empty array: their entries, which may be far larger than the file, are
/// not read.
std::vector<NamedArray> read_npz(const std::string& path,
                                 const std::function<bool(std::string_view)>& is_wanted);
std::vector<NamedArray> read_npz(const std::string& path);

/// An array to write, borrowed.
struct ArrayView {
  std::string name;
  Type type;
  std::vector<std::size_t> shape;
  const void* data;
};

/// A deflated archive. Equal arrays give equal bytes: the entries carry no date.
void write_npz(const std::vector<ArrayView>& arrays, OutputFile& file);

}  // namespace widephase::tools
