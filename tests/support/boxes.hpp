#pragma once

// Boxes placed in every way that has caused trouble for a broad phase, brute force, and
// comparisons.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include <widephase/pairs.hpp>

#include "reference/random.hpp"

namespace widephase::test {

using Pairs = std::vector<std::pair<int, int>>;

template <int D, class T>
struct Boxes {
  BoundsBuffer<D, T> bounds;
  std::vector<std::int32_t> world;
  std::vector<std::uint32_t> category;
  std::vector<std::uint32_t> mask;
  std::vector<std::int32_t> owner;
  std::vector<std::uint8_t> fixed;
  std::vector<std::int32_t> body;
  Column<std::int32_t, 2> excluded;
  Column<std::int32_t, 2> excluded_owners;
  std::vector<std::uint8_t> world_mask;
  Domain<D, T> domain;

  std::size_t size() const { return bounds.size(); }
  void add(const std::array<T, D>& min, const std::array<T, D>& max) {
    bounds.min.push_back(min);
    bounds.max.push_back(max);
  }
  FilterSpan filters() const {
    return {world, category, mask, owner, fixed, body, excluded, excluded_owners, {}, world_mask};
  }
};

template <int D, class T>
void add_around(Boxes<D, T>& boxes, const std::type_identity_t<std::array<double, D>>& centre,
                const std::type_identity_t<std::array<double, D>>& half);

template <int D>
std::array<double, D> same(double value) {
  std::array<double, D> values;
  values.fill(value);
  return values;
}

template <int D>
std::array<double, D> anywhere(Random& random, double low, double high) {
  std::array<double, D> point;
  for (double& x : point) x = random.uniform(low, high);
  return point;
}

// --- ways to place boxes; `side` is chosen so that a box overlaps a few others ---

template <int D, class T>
double side_of(int count) {
  return 1.7 * std::pow(static_cast<double>(count), 1.0 / D);
}

template <int D, class T>
Boxes<D, T> uniform(int count, Random& random);

template <int D, class T>
Boxes<D, T> power_law(int count, Random& random);

template <int D, class T>
Boxes<D, T> sticks(int count, Random& random);

template <int D, class T>
Boxes<D, T> invalid_boxes(int count, Random& random);

template <int D, class T>
Boxes<D, T> clustered(int count, Random& random);

template <int D, class T>
Boxes<D, T> identical(int count, Random& random);

template <int D, class T>
Boxes<D, T> one_place(int count, Random& random);

template <int D, class T>
Boxes<D, T> plates(int count, Random& random);

template <int D, class T>
Boxes<D, T> two_outliers(int count, Random& random);

template <int D, class T>
Boxes<D, T> one_huge(int count, Random& random);

template <int D, class T>
Boxes<D, T> far_apart(int count, Random& random);

template <int D, class T>
Boxes<D, T> tiles(int count, Random& random);

template <int D, class T>
Boxes<D, T> infinite_sides(int count, Random& random);

template <int D, class T>
Boxes<D, T> largest_numbers(int count, Random& random);

template <int D, class T>
Boxes<D, T> points_in_a_line(int count, Random& random);

/// Numbers that are multiples of 1/64, so that they wrap into a domain without rounding.
template <int D, class T>
Boxes<D, T> on_a_grid(int count, double low, double high, Random& random);

template <int D, class T>
struct Family {
  const char* name;
  Boxes<D, T> (*make)(int count, Random& random);
};

template <int D, class T>
std::vector<Family<D, T>> families();

// --- the reference ---

/// Whether two boxes or images of them overlap. Along a periodic axis, a shift by any number of
/// periods may bring them together; the axes are independent.
template <int D, class T>
bool overlap(const Boxes<D, T>& boxes, std::size_t a, std::size_t b);

template <int D, class T>
bool passes(const Boxes<D, T>& boxes, std::size_t a, std::size_t b);

template <int D, class T>
Pairs expected_pairs(const Boxes<D, T>& boxes);

/// The same for boxes without filters and domain.
template <int D, class T>
Pairs plain_pairs(const Boxes<D, T>& boxes);

// --- runs ---

Pairs to_pairs(const Column<Pair>& column);

PairOptions with(Isa isa, int threads);

template <int D, class T>
Pairs found_pairs(const Boxes<D, T>& boxes, const PairOptions& options = with(Isa::widest, 1));

std::vector<Isa> isas();

Pairs sorted(Pairs pairs);

/// Checks the pairs against brute force, and that every instruction set returns the same sequence.
template <int D, class T>
void expect_right(const Boxes<D, T>& boxes);

template <int D, class T>
void add_filters(Boxes<D, T>& boxes, unsigned which, Random& random);

/// The boxes of the given worlds; `names` gets their earlier ids.
template <int D, class T>
Boxes<D, T> only_worlds(const Boxes<D, T>& boxes, const std::vector<std::int32_t>& worlds,
                        std::vector<int>& names);

template <int D_, class T_>
struct BoxCase {
  static constexpr int D = D_;
  using T = T_;
};

using BoxCases =
    testing::Types<BoxCase<2, float>, BoxCase<2, double>, BoxCase<3, float>, BoxCase<3, double>>;

#define WIDEPHASE_CASE            \
  constexpr int D = TypeParam::D; \
  using T = typename TypeParam::T;

}  // namespace widephase::test
