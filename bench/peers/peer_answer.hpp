#pragma once

#include <array>

namespace widephase::bench {

/// A question about a pair.
enum class Question {
  manifold,  ///< the whole contact: normal, depth and the points where faces meet
  deepest,   ///< normal and depth, at one point
  overlap,   ///< yes or no
  distance,  ///< for shapes that are apart
};

inline const char* question_name(Question question) {
  constexpr const char* names[] = {"manifold", "deepest", "overlap", "distance"};
  return names[static_cast<int>(question)];
}

/// The answer of widephase or a peer for a pair.
struct Answer {
  bool is_hit = false;
  double depth = 0;  ///< at the deepest point; minus the distance; 0 for `overlap`
  /// From A to B, the direction in which B moves to separate. Not used for overlaps and distances.
  /// In 2D the third component is 0.
  std::array<double, 3> normal{};
};

}  // namespace widephase::bench
