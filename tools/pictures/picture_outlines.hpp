#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <widephase/decompose.hpp>

#include "tools/formats/output_file.hpp"

namespace widephase::tools {

/// An SVG of outlines cut into parts, with one colour per owner. Outlines are thick lines; edges
/// between parts are thin and dashed. `owners` has one entry per part.
void write_outlines_picture(const GeometryTable<Owned<2, double>>& parts,
                            const std::vector<std::int32_t>& owners, const std::string& title,
                            const std::string& caption, OutputFile& file);

}  // namespace widephase::tools
