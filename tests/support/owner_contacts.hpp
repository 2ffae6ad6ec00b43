#pragma once

// Contacts of one cut outline with another, against the rings as they were before the cut, and a
// pair of parts at a time against the axes of all their outline edges: by exhaustion in long
// double, with nothing of the kernels.

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "support/placed_outlines.hpp"

namespace widephase::test {

// Pairs of parts.

/// A unit direction from A to B that is normal to an edge, and how far it parts the two.
struct Axis {
  Vec<2> normal;
  Real separation;
  bool is_outline;
};

std::vector<Axis> axes_of(const PlacedPart& a, const PlacedPart& b);

struct PartTally {
  std::size_t together = 0;    ///< contacts of parts that clearly overlap
  std::size_t over_inner = 0;  ///< of those, the ones whose plain least way out is an inner edge's
  std::size_t apart = 0;       ///< contacts within the margin
  std::size_t corner = 0;      ///< of those, the ones between corners of the outlines
  std::size_t inner_only = 0;  ///< contacts of parts without outline edges
  std::size_t ties = 0;        ///< status 1 besides
};

// Scenes.

/// Every pair of outlines in a world of its own, the parts of A with owner 0 and of B with owner 1.
template <class T>
struct OwnerScene {
  SceneColumns<2, T> scene;
  struct Row {
    std::size_t pair;
    bool is_b;
    std::size_t part;
  };
  std::vector<Row> rows;

  OwnerScene(const std::vector<CutOutline>& outlines, const std::vector<OwnerPair>& pairs);
};

struct OwnerTally : PartTally {
  std::size_t meetings[3] = {0, 0, 0};  ///< pairs of outlines by `Meeting`
  std::size_t of(Meeting meeting) const { return meetings[static_cast<int>(meeting)]; }
};

/// Collides every pair of outlines by itself and says what is wrong with the first contact, or lack
/// of one, that is. `margin` is that of a second call, for parts that are apart.
template <class T>
std::string owner_contacts_problem(const std::vector<CutOutline>& outlines,
                                   const std::vector<OwnerPair>& pairs, double margin,
                                   OwnerTally& tally);

}  // namespace widephase::test
