#pragma once

// Outlines for tests, and properties of their parts. The checks do not use the code under test,
// except the exact orientation, which has its own test.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <widephase/decompose.hpp>

#include "geometry/orientation.hpp"
#include "reference/solids.hpp"

namespace widephase::test {

using Rings = std::vector<std::vector<Point2>>;
using Parts = GeometryTable<Owned<2, double>>;

/// Rings as columns that an `OutlineSpan` borrows.
struct OutlineColumns {
  explicit OutlineColumns(const Rings& rings) {
    for (const auto& ring : rings) {
      for (const Point2 point : ring) vertices.push_back({point.x, point.y});
      offsets.push_back(static_cast<std::int64_t>(vertices.size()));
    }
  }
  OutlineSpan span() const { return {vertices, offsets}; }

  Column<double, 2> vertices;
  std::vector<std::int64_t> offsets{0};
};

/// Computed relative to the first point, so that a small outline far from the origin keeps its
/// digits.
long double area_of(const std::vector<Point2>& ring);

/// The area of the outer ring minus that of the holes.
long double area_of(const Rings& rings);

std::vector<std::vector<Point2>> polygons_of(const Parts& parts);

/// Checks random points: a point inside the outline is in one part, any other point in none.
std::string points_problem(const Rings& rings, const Parts& parts, int count, Random& random);

/// What is wrong with the parts of an outline; empty if nothing is.
std::string parts_problem(const Rings& rings, const Parts& parts, const DecomposeReport& report);

}  // namespace widephase::test
