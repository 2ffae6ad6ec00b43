#pragma once

#include <cstdint>

namespace widephase {

/// Where the search for a pair's contact ended, so that the next step's can begin there. Zero at
/// first; its content belongs to the library. It is only a guess: whatever the words are, the
/// answer is as exact as without them. Among equally short translations, or equally near points,
/// another one may be taken; with steadiness other corners, too.
struct WarmStart {
  std::uint64_t axis = 0;     ///< the face of the least overlap, of hulls, or with steadiness
  std::uint64_t simplex = 0;  ///< the vertices, or of cylinders the direction, at which GJK ended
  std::uint32_t points[4]{};  ///< the features of the points, in 3D with steadiness

  /// Whether all words are the same.
  friend bool operator==(const WarmStart&, const WarmStart&) = default;
};

}  // namespace widephase
