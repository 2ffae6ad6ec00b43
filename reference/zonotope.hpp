#pragma once

// Cores that are centrally symmetric: a centre plus all combinations, within [-1, 1] each, of a few
// generators. `reference.hpp` says why these suffice and what makes them safe against rounding.

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/vec.hpp"

namespace widephase::test {

template <int D>
struct Zonotope {
  Vec<D> center{};
  std::vector<Vec<D>> generators;

  /// The largest n.z.
  Real support(const Vec<D>& n) const {
    Real sum = dot(n, center);
    for (const Vec<D>& g : generators) sum += std::abs(dot(n, g));
    return sum;
  }
  /// No point is farther than this from the centre.
  Real reach() const {
    Real sum = 0;
    for (const Vec<D>& g : generators) sum += length(g);
    return sum;
  }
};

/// The core of a sphere, capsule, aabb or box.
template <int D>
Zonotope<D> core_of(const Solid<D>& solid);

/// A - B. Generators along one axis are joined, so that there are at most four in 2D, six in 3D.
template <int D>
Zonotope<D> difference(const Solid<D>& a, const Solid<D>& b);

/// The point of Z nearest to the origin.
template <int D>
Vec<D> nearest_to_origin(const Zonotope<D>& zonotope);

/// Unit directions among which the normals of all facets of Z are, and more where Z is flat.
template <int D>
std::vector<Vec<D>> candidate_normals(const Zonotope<D>& zonotope);

}  // namespace widephase::test
