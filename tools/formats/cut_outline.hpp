#pragma once

#include "tools/formats/read_outlines.hpp"

namespace widephase::tools {

/// Cuts an outline as `decompose` does. On a grid, everything is computed in grid steps, which are
/// whole numbers. Rounding first would move a vertex that is on an edge to one side of it. The
/// parts and the area are scaled afterwards. Also throws `OutlineError` if the parts are beyond
/// 1e75, or are no longer strictly convex after rounding.
DecomposeReport cut_outline(const Outline& outline, GeometryTable<Owned<2, double>>& parts);

}  // namespace widephase::tools
