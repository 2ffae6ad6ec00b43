#pragma once

// The positions of the features of hulls, cylinders and cones, by their numbers.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <widephase/hulls.hpp>

#include "reference/cylinder.hpp"

namespace widephase::test {

/// The library's surface of a hull; its edges and faces number the features. Computed once per
/// geometry, while it stays in the cache.
template <class T>
const HullTopology<T>& topology_of(const std::vector<Point<3>>& vertices);

/// Whether several faces of a hull are outermost along `n` to within `slack`. Faces that are level
/// only to rounding are separate faces, and a manifold uses one of them.
template <class T>
bool has_joined_faces(const Solid<3>& solid, const Vec<3>& n, Real slack);

/// What is wrong with a feature of a hull of real numbers `T`, if the contact point of its core is
/// at `core_point`.
template <class T>
std::string hull_feature_problem(const Solid<3>& solid, Feature kind, int index,
                                 const Vec<3>& core_point, Real tolerance);

inline constexpr int kRimPoints = 16;
inline constexpr int kSideEnds = 32;      ///< the first of two vertices
inline constexpr int kSideLine = 32;      ///< an edge
inline constexpr int kRimCrossings = 33;  ///< the first of four edges

/// The same for a cylinder. Vertices 0 to 15 are points of the lower rim; vertex k is k + 1/2
/// sixteenths of a turn from the first axis. Vertices 16 to 31 are on the upper rim. Edge i is the
/// rim from vertex i to the next, including the area between its chord and the arc. Edge 32 is a
/// line of the side; vertices 32 and 33 are its lower and upper end. Edges 33 and 34 are points
/// where something crosses the lower rim, 35 and 36 the upper rim. Face 0 is the lower cap, 1 the
/// upper cap, 2 the side.
std::string cylinder_feature_problem(const Solid<3>& solid, Feature kind, int index,
                                     const Vec<3>& core_point, Real tolerance);

/// The same for a cone. Its rim has the numbers of a cylinder's lower one; vertex 33 is the apex.
std::string cone_feature_problem(const Solid<3>& solid, Feature kind, int index,
                                 const Vec<3>& core_point, Real tolerance);

}  // namespace widephase::test
