#pragma once

// Finds errors in the contacts of one convex shape with one mesh of triangles, by the reference for
// surfaces: every triangle that the shape crosses, or to which its distance has a local minimum, is
// cleared by a contact; every contact has a direction that is felt where the shape leaves a
// triangle, that triangle's depth, and points on both.

#include <string>
#include <vector>

#include "support/surface_judge.hpp"

namespace widephase::test {

/// A mesh in the world.
struct PlacedMesh {
  std::vector<Point<3>> vertices;
  std::vector<std::array<std::int32_t, 3>> triangles;
  bool is_two_sided = false;
  Point<3> center{};
  Quaternion orientation{0, 0, 0, 1};
  double radius = 0;  ///< its thickness
};

/// The mesh with its numbers rounded to `T`.
template <class T>
PlacedMesh stored(PlacedMesh mesh);

/// Appends the mesh and an instance of it; returns the instance's row.
template <class T>
std::int32_t append(SceneColumns<3, T>& scene, const PlacedMesh& mesh);

/// What is wrong with the contacts of a shape and a mesh, both as stored in `T`, with a patch angle
/// of 0; empty if nothing. Judges of the same shape and mesh at several margins may share what they
/// search.
template <class T>
std::string mesh_problem(const PlacedMesh& mesh, const Solid<3>& solid, double margin,
                         const std::vector<PatchAnswer<T>>& patches,
                         std::shared_ptr<KnownWays> known = std::make_shared<KnownWays>());

}  // namespace widephase::test
