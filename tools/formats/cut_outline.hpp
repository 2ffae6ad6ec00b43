#pragma once

#include "tools/formats/read_outlines.hpp"

namespace widephase::tools {

/// Cuts an outline as `decompose` does. On a grid all is decided in its steps, which are whole
/// numbers: rounding would move a vertex that lies on an edge to one side of it. The parts are
/// scaled then, and the area with them. Throws `OutlineError` as well where they are beyond 1e75,
/// or rounded so that they are not strictly convex.
DecomposeReport cut_outline(const Outline& outline, GeometryTable<Owned<2, double>>& parts);

}  // namespace widephase::tools
