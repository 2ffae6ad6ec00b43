#pragma once

// Checks contacts of one cut outline with another: against the rings before the cut, and each pair
// of parts against the axes of all their outline edges. By brute force in long double, without any
// code of the kernels.

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "support/placed_outlines.hpp"

namespace widephase::test {

// Pairs of parts.

/// A unit direction from A to B, normal to an edge, and how far it separates the two.
struct Axis {
  Vec<2> normal;
  Real separation;
  bool is_outline;
};

std::vector<Axis> axes_of(const PlacedPart& a, const PlacedPart& b);

struct PartTally {
  std::size_t together = 0;    ///< contacts of parts that clearly overlap
  std::size_t over_inner = 0;  ///< of those, the ones whose least depth of all is an inner edge's
  std::size_t apart = 0;       ///< contacts within the margin
  std::size_t corner = 0;      ///< the ones among them between corners of the outlines
  std::size_t inner_only = 0;  ///< contacts of parts without outline edges
  std::size_t ties = 0;        ///< other contacts with status 1
};

// Scenes.

/// Every pair of outlines has its own world; the parts of A have owner 0, those of B owner 1.
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
  std::size_t meetings[3] = {0, 0, 0};  ///< number of outline pairs, by `Meeting`
  std::size_t of(Meeting meeting) const { return meetings[static_cast<int>(meeting)]; }
};

/// Collides each pair of outlines separately. Says what is wrong with the first wrong or missing
/// contact. `margin` is for a second call, for parts that are apart.
template <class T>
std::string owner_contacts_problem(const std::vector<CutOutline>& outlines,
                                   const std::vector<OwnerPair>& pairs, double margin,
                                   OwnerTally& tally);

}  // namespace widephase::test
