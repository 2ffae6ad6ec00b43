#pragma once

#include <functional>

#include "tools/pictures/picture_parts.hpp"

namespace widephase::tools {

/// Draws the cells of a height field that are seen from the side `toward`, from the far ones to the
/// near ones; of a large field every k-th sample.
void draw_field(const DrawnShape& shape, const Point& toward,
                const std::function<std::array<double, 2>(const Point&)>& on_page, Svg& svg);

}  // namespace widephase::tools
