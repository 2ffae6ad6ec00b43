#pragma once

#include <widephase/scene.hpp>

#include "scenes/random.hpp"

namespace widephase::scenes {

/// Adds `count` hulls of 3 to 8 points near ellipses of semi-axes in [low, high] around the origin.
/// Most keep all their points, and no two vertices come nearer than about 0.1 semi-axes.
template <class T>
void add_small_polygons(SceneColumns<2, T>& scene, int count, double low, double high,
                        Random& random);

/// Adds `count` polygons of 64 vertices near ellipses of semi-axes in [low, high] around the
/// origin.
template <class T>
void add_large_polygons(SceneColumns<2, T>& scene, int count, double low, double high,
                        Random& random);

/// Adds `count` hulls of `vertices` (4 or more) points on ellipsoids of semi-axes in [low, high]
/// around the origin. All points are vertices, spread evenly but for a random part of their
/// spacing.
template <class T>
void add_hulls(SceneColumns<3, T>& scene, int count, int vertices, double low, double high,
               Random& random);

inline constexpr int kHullLibrarySize = 200;

/// Adds `kHullLibrarySize` such hulls, as many of each number of vertices from 8 to 32.
template <class T>
void add_hull_library(SceneColumns<3, T>& scene, double low, double high, Random& random);

}  // namespace widephase::scenes
