#pragma once

#include <widephase/cast_status.hpp>
#include <widephase/collide.hpp>

namespace widephase {

/// How calls with shapes in motion answer. Of the other members `margin`, `threads`, `isa`, and for
/// scenes `world_mask` and `world_status` count. A margin is a distance at which shapes count as
/// met.
struct ShapeCastOptions : CollideOptions {
  StartOverlap start_overlap = StartOverlap::report;  ///< what an overlap at the start is
  double tolerance = 0;  ///< a length by which t may be early; 0: what the call says
  bool wants_normals = true;  ///< without, `normal`, `point`, `feature`, `depth`, `part` are empty
};

}  // namespace widephase
