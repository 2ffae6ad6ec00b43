#pragma once

#include <functional>

#include "tools/pictures/picture_parts.hpp"

namespace widephase::tools {

/// Draws the cells of a height field that are seen from the side `toward`, or the triangles of a
/// mesh, from the far ones to the near ones; of a large one every k-th sample or triangle.
void draw_field(const DrawnShape& shape, const Point& toward,
                const std::function<std::array<double, 2>(const Point&)>& on_page, Svg& svg);

}  // namespace widephase::tools
