#pragma once

// Centrally symmetric cores: a centre plus all combinations of a few generators, with coefficients
// in [-1, 1]. `reference.hpp` explains why these suffice and why they are safe against rounding.

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/vec.hpp"

namespace widephase::test {

template <int D>
struct Zonotope {
  Vec<D> center{};
  std::vector<Vec<D>> generators;

  /// The largest dot product of `n` with a point of the core.
  Real support(const Vec<D>& n) const {
    Real sum = dot(n, center);
    for (const Vec<D>& g : generators) sum += std::abs(dot(n, g));
    return sum;
  }
  /// An upper bound of the distance of any point from the centre.
  Real reach() const {
    Real sum = 0;
    for (const Vec<D>& g : generators) sum += length(g);
    return sum;
  }
};

/// The core of a sphere, capsule, aabb or box.
template <int D>
Zonotope<D> core_of(const Solid<D>& solid);

/// A - B. Generators along the same axis are added up, so there are at most four in 2D and six in
/// 3D.
template <int D>
Zonotope<D> difference(const Solid<D>& a, const Solid<D>& b);

/// The point of Z nearest to the origin.
template <int D>
Vec<D> nearest_to_origin(const Zonotope<D>& zonotope);

/// Unit directions that include the normals of all facets of Z, and more if Z is flat.
template <int D>
std::vector<Vec<D>> candidate_normals(const Zonotope<D>& zonotope);

}  // namespace widephase::test
