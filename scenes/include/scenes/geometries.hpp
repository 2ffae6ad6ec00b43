#pragma once

#include <widephase/scene.hpp>

#include "scenes/random.hpp"

namespace widephase::scenes {

/// Adds `count` polygons: hulls of 3 to 8 points near ellipses around the origin, with semi-axes in
/// [low, high]. Most keep all their points. Vertices are at least about 0.1 semi-axes apart.
template <class T>
void add_small_polygons(SceneColumns<2, T>& scene, int count, double low, double high,
                        Random& random);

/// Adds `count` polygons of 64 vertices near ellipses around the origin, with semi-axes in [low,
/// high].
template <class T>
void add_large_polygons(SceneColumns<2, T>& scene, int count, double low, double high,
                        Random& random);

/// Adds `count` hulls of `vertices` (4 or more) points on ellipsoids around the origin, with
/// semi-axes in [low, high]. All points are vertices. They are spread evenly, except for a random
/// part of their spacing.
template <class T>
void add_hulls(SceneColumns<3, T>& scene, int count, int vertices, double low, double high,
               Random& random);

inline constexpr int kHullLibrarySize = 200;

/// Adds `kHullLibrarySize` hulls like these, equally many for each number of vertices from 8 to 32.
template <class T>
void add_hull_library(SceneColumns<3, T>& scene, double low, double high, Random& random);

}  // namespace widephase::scenes
