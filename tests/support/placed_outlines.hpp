#pragma once

// Cut outlines in a scene, and whether two of them touch: from their rings before the cut, by brute
// force in long double.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "reference/outline.hpp"
#include "support/outlines.hpp"

namespace widephase::test {

struct CutOutline {
  std::string name;
  Rings rings;
  Parts parts;
  DecomposeReport report;
};

/// The rings rounded to `float`, so that both precisions have the same outline, with their parts.
CutOutline cut_in_float(std::string name, Rings rings);

/// An outline of a list, placed in a scene.
struct OutlineAt {
  std::size_t outline;
  Point<2> center;
  double turn;
};
struct OwnerPair {
  OutlineAt a;
  OutlineAt b;
};

/// A list of points with its bounds.
struct BoundedOutline {
  Outline corners;
  Vec<2> low{1e300L, 1e300L};
  Vec<2> high{-1e300L, -1e300L};

  void add(const Vec<2>& corner) {
    corners.push_back(corner);
    for (int k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], corner[k]);
      high[k] = std::max(high[k], corner[k]);
    }
  }
  bool is_within(const BoundedOutline& other, Real gap) const {
    for (int k = 0; k < 2; ++k) {
      if (low[k] > other.high[k] + gap || other.low[k] > high[k] + gap) return false;
    }
    return true;
  }
};

struct PlacedPart : BoundedOutline {
  std::vector<bool> is_inner;  ///< for the edge from each corner to the next
  /// The outward normal of the same edge. It is rotated from the outline's own frame, because the
  /// corners of a short edge far from the origin lose digits when they are rotated.
  std::vector<Vec<2>> normals;
};

/// An outline in the world, relative to `origin`.
struct PlacedOutline {
  std::vector<BoundedOutline> rings;
  std::vector<PlacedPart> parts;
  Real reach = 0;  ///< the largest distance of a vertex from the outline's own origin

  PlacedOutline(const CutOutline& cut, const OutlineAt& at, const Point<2>& origin) {
    const Vec<2> center = minus(widened(at.center), widened(origin));
    const Real cosine = std::cos(static_cast<Real>(at.turn));
    const Real sine = std::sin(static_cast<Real>(at.turn));
    const auto placed = [&](Real x, Real y) {
      return plus(center, Vec<2>{cosine * x - sine * y, sine * x + cosine * y});
    };
    for (const auto& ring : cut.rings) {
      BoundedOutline& into = rings.emplace_back();
      for (const Point2 p : ring) {
        into.add(placed(p.x, p.y));
        reach = std::max(reach, std::hypot(Real{p.x}, Real{p.y}));
      }
    }
    for (std::size_t part = 0; part + 1 < cut.parts.offsets.size(); ++part) {
      PlacedPart& into = parts.emplace_back();
      for (std::int64_t i = cut.parts.offsets[part]; i < cut.parts.offsets[part + 1]; ++i) {
        const auto row = static_cast<std::size_t>(i);
        into.add(placed(cut.parts.vertices(row, 0), cut.parts.vertices(row, 1)));
        into.is_inner.push_back(cut.parts.inner[row] != 0);
        const auto next = static_cast<std::size_t>(
            i + 1 < cut.parts.offsets[part + 1] ? i + 1 : cut.parts.offsets[part]);
        const Real x = Real{cut.parts.vertices(next, 0)} - cut.parts.vertices(row, 0);
        const Real y = Real{cut.parts.vertices(next, 1)} - cut.parts.vertices(row, 1);
        const Vec<2> normal = times(Vec<2>{y, -x}, 1 / std::hypot(x, y));
        into.normals.push_back(
            {cosine * normal[0] - sine * normal[1], sine * normal[0] + cosine * normal[1]});
      }
    }
  }
};

// Whether two outlines touch, by their rings.

/// Uses the even-odd rule.
bool is_in_rings(const PlacedOutline& outline, const Vec<2>& point);

enum class Meeting { apart, together, unclear };

/// `unclear` if moving an outline by about `tolerance` may change the answer.
Meeting meeting_of(const PlacedOutline& a, const PlacedOutline& b, Real tolerance);

}  // namespace widephase::test
