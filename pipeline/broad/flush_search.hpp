#pragma once

// What of a part its neighbours cover, by dimension: flush_search2.hpp and flush_search3.hpp.

#include <limits>

#include "pipeline/rows/flush_parts.hpp"

namespace widephase {

/// Finds what neighbours cover, part by part: `place` puts a part into the axes of its scene or
/// body, `are_neighbours` asks two of these, and `add` appends one to what is found.
template <int D>
class FlushSearch;

/// How far two parts may be apart, for shapes of a size.
inline double flush_slack(const FlushParts& found, double size) {
  return found.tolerance + 64 * std::numeric_limits<double>::epsilon() * size;
}

/// A vertex or an edge is not felt where its arc of felt directions is shorter than this: about
/// radians.
inline constexpr double kLeastArc = 1e-2;

}  // namespace widephase
