#pragma once

// With steadiness, a face or cap is preferred to exits that are shorter by no more than the
// steadiness; A's face comes first. What lies over it must be as deep, within the steadiness.

#include "kernels/core/faces/convex_features.hpp"
#include "kernels/core/faces/convex_manifold.hpp"
#include "kernels/core/support/polytope3.hpp"

namespace widephase {
namespace {

/// Finds the direction of the preferred face, and its points. Returns whether there is one.
template <class T>
__attribute__((noinline)) bool find_steady_face(const ShapePair<T>& pair, T size,
                                                const CoreContact<T>& found,
                                                CoreContact<T>& contact, CoreManifold<T>& points,
                                                FacesRoom<T>& room) {
  ConvexFace<T>* const faces[2] = {&room.a, &room.b};
  const ConvexShape<T>* const shapes[2] = {&pair.a, &pair.b};
  const T slack = flush_slack(size);
  for (int s = 0; s < 2; ++s) {
    const Vec<T, 3> out = s == 0 ? found.normal : -found.normal;
    find_face<T>(*shapes[s], out, slack, nullptr, *faces[s]);
    // A face that leans farther is another exit, not the same one after a small movement.
    if (faces[s]->count < 3 || !(dot(faces[s]->normal, out) > T(0.9))) continue;
    contact = found;
    contact.normal = s == 0 ? faces[s]->normal : -faces[s]->normal;
    const PolytopeVertex<T> deepest = farthest(pair, contact.normal);
    contact.depth = dot(contact.normal, deepest.point);
    if (!(contact.depth <= found.depth + found.steadiness)) continue;
    const Vec<T, 3> on_face = (pair.apart + deepest.of_b) + contact.depth * contact.normal;
    contact.deepest = {s == 0 ? on_face : deepest.of_a, contact.depth, faces[s]->face_feature,
                       faces[s]->face_feature};
    if (s == 0) {
      contact.deepest.feature_b = feature_between(pair.b, &deepest.b, 1, -contact.normal,
                                                  deepest.of_b, 32 * kRounding<T> * size);
    } else {
      contact.deepest.feature_a = feature_between(pair.a, &deepest.a, 1, contact.normal,
                                                  deepest.of_a, 32 * kRounding<T> * size);
    }
    const Vec<T, 3> other = s == 0 ? -contact.normal : contact.normal;
    find_face<T>(*shapes[1 - s], other, slack, nullptr, *faces[1 - s]);
    if (find_points(room.a, room.b, pair.apart, size, contact, points, room)) return true;
  }
  return false;
}

}  // namespace
}  // namespace widephase
