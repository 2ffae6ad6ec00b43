#pragma once

// Where the features of hulls and cylinders lie, by their numbers.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <widephase/hulls.hpp>

#include "reference/cylinder.hpp"

namespace widephase::test {

/// The library's surface of a hull, whose edges and faces number the features. Found once a
/// geometry, while it is in use.
template <class T>
const HullTopology<T>& topology_of(const std::vector<Point<3>>& vertices);

/// Whether what of a hull is outermost along `n`, to within `slack`, is more than one of its faces:
/// faces that are level only to rounding are faces of their own, and a manifold is that of one.
template <class T>
bool has_joined_faces(const Solid<3>& solid, const Vec<3>& n, Real slack);

/// What is wrong with a feature of a hull of real numbers `T`, given where its core has the contact
/// point.
template <class T>
std::string hull_feature_problem(const Solid<3>& solid, Feature kind, int index,
                                 const Vec<3>& core_point, Real tolerance);

inline constexpr int kRimPoints = 16;
inline constexpr int kSideEnds = 32;      ///< the first of two vertices
inline constexpr int kSideLine = 32;      ///< an edge
inline constexpr int kRimCrossings = 33;  ///< the first of four edges

/// The same of a cylinder: vertices 0 to 15 are points of the lower rim, vertex k at k + 1/2
/// sixteenths of a turn from the first axis on, 16 to 31 of the upper one; edge i is the rim from
/// vertex i to the next, with what lies between its chord and the arc; edge 32 a line of the side,
/// vertices 32 and 33 its lower and its upper end; edges 33 and 34 where the lower rim is crossed
/// by what is no place of its own, 35 and 36 the upper one; face 0 the lower cap, 1 the upper one,
/// 2 the side.
std::string cylinder_feature_problem(const Solid<3>& solid, Feature kind, int index,
                                     const Vec<3>& core_point, Real tolerance);

}  // namespace widephase::test
