#pragma once

#include <array>

namespace widephase::bench {

/// What is asked of a pair.
enum class Question {
  manifold,  ///< all of a contact: normal, depth and the points where faces meet
  deepest,   ///< normal and depth, at one point
  overlap,   ///< yes or no
  distance,  ///< of shapes that are apart
};

inline const char* question_name(Question question) {
  constexpr const char* names[] = {"manifold", "deepest", "overlap", "distance"};
  return names[static_cast<int>(question)];
}

/// What widephase or a peer says of a pair.
struct Answer {
  bool is_hit = false;
  double depth = 0;  ///< of the deepest point; minus the distance; of `overlap` 0
  /// From A to B, the way that B leaves by; without a meaning where overlaps or distances are
  /// asked. In 2D the third is 0.
  std::array<double, 3> normal{};
};

}  // namespace widephase::bench
