#pragma once

// Tables of hulls as plain points, and properties of every hull and its surface.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <widephase/hulls.hpp>

#include "reference/solids.hpp"
#include "support/error_of.hpp"

namespace widephase::test {

template <class T>
using HullTable = GeometryTable<Owned<3, T>>;
using Vertex3 = std::array<double, 3>;
using Vertices3 = std::vector<Vertex3>;

template <class T>
Column<T, 3> column_of(const Vertices3& points);

template <class T>
Vertices3 rows_of(const Column<T, 3>& column);

template <class T>
Vertices3 vertices_of(const HullTable<T>& table, std::int32_t index) {
  const Vertices3 all = rows_of(table.vertices);
  const auto row = static_cast<std::size_t>(index);
  return {all.begin() + table.offsets[row], all.begin() + table.offsets[row + 1]};
}

template <class T>
Vertices3 hull_of(const Vertices3& points) {
  HullTable<T> table;
  EXPECT_EQ(add_hull(table, column_of<T>(points)), 0);
  return vertices_of(table, 0);
}

template <class T>
GeometryTable<Borrowed<3, T>> borrow(const HullTable<T>& table) {
  return {table.vertices, table.offsets, table.inner};
}

/// Rotates points by a random rotation, then shifts them.
Vertices3 turned(const Vertices3& points, Random& random, Vertex3 shift = {});

Vertices3 shuffled(Vertices3 points, Random& random);

double extent_of(const Vertices3& points);

/// dot(normal, point) - offset of a face, in long double.
template <class T>
long double above(const HullTopology<T>& surface, std::int32_t face, const Vertex3& p);

/// What is wrong with a surface; empty if nothing is. It must be closed, with two faces per edge,
/// three or more per vertex, and Euler's relation. Faces must be convex and counter-clockwise.
/// Every vertex must be behind every face, and the vertices of a face on its plane, to within the
/// tolerance.
template <class T>
std::string surface_problem(const Vertices3& vertices, const HullTopology<T>& surface);

/// How far a point is outside of the farthest face, in long double; at most 0 inside.
template <class T>
double outside(const HullTopology<T>& surface, const Vertex3& point);

/// What is wrong with the hull that add_hull made of `given`; empty if nothing is. If a point of
/// the set is farther outside than `most_outside`, writes how far, in tolerances.
template <class T>
std::string hull_problem(const Vertices3& given, const HullTable<T>& table, std::int32_t index,
                         double& most_outside);

}  // namespace widephase::test
