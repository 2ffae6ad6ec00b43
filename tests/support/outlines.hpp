#pragma once

// Outlines for tests, and what must hold of their parts, checked without the code under test but
// for the exact orientation, which has a test of its own.

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

/// Rings as columns, which an `OutlineSpan` borrows.
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

/// Relative to the first point, so that a small outline far from the origin keeps its digits.
long double area_of(const std::vector<Point2>& ring);

/// The outer ring's area less that of the holes.
long double area_of(const Rings& rings);

std::vector<std::vector<Point2>> polygons_of(const Parts& parts);

/// Random points are in one part where the outline has them inside, else in none.
std::string points_problem(const Rings& rings, const Parts& parts, int count, Random& random);

/// What is wrong with the parts of an outline; empty when nothing is.
std::string parts_problem(const Rings& rings, const Parts& parts, const DecomposeReport& report);

}  // namespace widephase::test
