#pragma once

// Boxes placed in every way that ever hurt a broad phase, brute force, and what to compare.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include <widephase/pairs.hpp>

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
    return {world, category, mask, owner, fixed, body, excluded, excluded_owners, world_mask};
  }
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  int below(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }

 private:
  std::mt19937_64 engine_;
};

template <int D, class T>
void add_around(Boxes<D, T>& boxes, const std::type_identity_t<std::array<double, D>>& centre,
                const std::type_identity_t<std::array<double, D>>& half) {
  std::array<T, D> min;
  std::array<T, D> max;
  for (int d = 0; d < D; ++d) {
    min[d] = static_cast<T>(centre[d] - half[d]);
    max[d] = static_cast<T>(centre[d] + half[d]);
  }
  boxes.add(min, max);
}

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

// --- ways of placing boxes; `side` is chosen so that a box meets a few others ---

template <int D, class T>
double side_of(int count) {
  return 1.7 * std::pow(static_cast<double>(count), 1.0 / D);
}

template <int D, class T>
Boxes<D, T> uniform(int count, Random& random) {
  Boxes<D, T> boxes;
  const double side = side_of<D, T>(count);
  for (int i = 0; i < count; ++i) {
    add_around(boxes, anywhere<D>(random, 0, side), anywhere<D>(random, 0.3, 1));
  }
  return boxes;
}

template <int D, class T>
Boxes<D, T> clustered(int count, Random& random) {
  Boxes<D, T> boxes;
  std::array<double, D> centre{};
  for (int i = 0; i < count; ++i) {
    if (i % 100 == 0) centre = anywhere<D>(random, -1000, 1000);
    std::array<double, D> place = centre;
    for (double& x : place) x += random.uniform(-4, 4) * random.uniform(0, 1);
    add_around(boxes, place, same<D>(0.4));
  }
  return boxes;
}

template <int D, class T>
Boxes<D, T> power_law(int count, Random& random) {
  Boxes<D, T> boxes;
  const double side = side_of<D, T>(count);
  for (int i = 0; i < count; ++i) {
    const double size = std::min(0.1 / std::sqrt(random.uniform(1e-6, 1)), 100.0);
    add_around(boxes, anywhere<D>(random, 0, side), same<D>(size));
  }
  return boxes;
}

template <int D, class T>
Boxes<D, T> identical(int count, Random&) {
  Boxes<D, T> boxes;
  for (int i = 0; i < std::min(count, 1000); ++i) add_around(boxes, same<D>(3), same<D>(0.5));
  return boxes;
}

template <int D, class T>
Boxes<D, T> one_place(int count, Random& random) {
  Boxes<D, T> boxes;
  for (int i = 0; i < std::min(count, 1000); ++i) {
    add_around(boxes, same<D>(-7), anywhere<D>(random, 0, 2));
  }
  return boxes;
}

template <int D, class T>
Boxes<D, T> sticks(int count, Random& random) {
  Boxes<D, T> boxes;
  const double side = 4 * side_of<D, T>(count);
  for (int i = 0; i < count; ++i) {
    std::array<double, D> half = same<D>(0.5);
    half[random.below(D)] = 15;
    add_around(boxes, anywhere<D>(random, 0, side), half);
  }
  return boxes;
}

template <int D, class T>
Boxes<D, T> plates(int count, Random& random) {
  Boxes<D, T> boxes;
  const double side = 4 * side_of<D, T>(count);
  for (int i = 0; i < count; ++i) {
    std::array<double, D> half = same<D>(5);
    half[random.below(D)] = 0.5;
    add_around(boxes, anywhere<D>(random, 0, side), half);
  }
  return boxes;
}

template <int D, class T>
Boxes<D, T> two_outliers(int count, Random& random) {
  Boxes<D, T> boxes = uniform<D, T>(count, random);
  if (count > 2) {
    boxes.bounds.min.set(static_cast<std::size_t>(count / 2), {T(1e7), T(1e7)});
    boxes.bounds.max.set(static_cast<std::size_t>(count / 2), {T(1e7 + 4), T(1e7 + 4)});
    boxes.bounds.min.set(0, {T(-1e7), T(1e7)});
    boxes.bounds.max.set(0, {T(-1e7 + 4), T(1e7 + 4)});
  }
  return boxes;
}

template <int D, class T>
Boxes<D, T> one_huge(int count, Random& random) {
  Boxes<D, T> boxes = uniform<D, T>(count, random);
  add_around(boxes, same<D>(0), same<D>(1e6));
  return boxes;
}

template <int D, class T>
Boxes<D, T> far_apart(int count, Random& random) {
  Boxes<D, T> boxes;
  for (int i = 0; i < count; ++i) {
    std::array<double, D> place = anywhere<D>(random, 0, 8);
    for (double& x : place) x += 1e6 * random.below(4);
    add_around(boxes, place, same<D>(0.5));
  }
  return boxes;
}

template <int D, class T>
Boxes<D, T> tiles(int count, Random&) {
  // Unit cells that share faces, edges and corners: every touching counts.
  Boxes<D, T> boxes;
  const int side = static_cast<int>(std::ceil(std::pow(static_cast<double>(count), 1.0 / D)));
  for (int i = 0; i < count; ++i) {
    std::array<double, D> centre;
    for (int d = 0, rest = i; d < D; ++d, rest /= side) centre[d] = rest % side + 0.5;
    add_around(boxes, centre, same<D>(0.5));
  }
  return boxes;
}

template <int D, class T>
Boxes<D, T> infinite_sides(int count, Random& random) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  Boxes<D, T> boxes = uniform<D, T>(count, random);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (random.below(20) != 0) continue;
    const int which = random.below(4);
    for (int d = 0; d < D; ++d) {
      if (which == 0 || random.below(2) == 0) boxes.bounds.min(i, d) = -kInfinity;
      if (which == 0 || random.below(2) == 0) boxes.bounds.max(i, d) = kInfinity;
      if (which == 1 && d == 0) boxes.bounds.min(i, d) = boxes.bounds.max(i, d) = kInfinity;
    }
  }
  return boxes;
}

template <int D, class T>
Boxes<D, T> invalid_boxes(int count, Random& random) {
  constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
  Boxes<D, T> boxes = infinite_sides<D, T>(count, random);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (random.below(5) != 0) continue;
    const int d = random.below(D);
    switch (random.below(4)) {
      case 0:
        boxes.bounds.min(i, d) = kNan;
        break;
      case 1:
        boxes.bounds.max(i, d) = kNan;
        break;
      case 2:
        std::swap(boxes.bounds.min(i, d), boxes.bounds.max(i, d));
        break;
      default:
        for (int k = 0; k < D; ++k) boxes.bounds.min(i, k) = boxes.bounds.max(i, k) = kNan;
    }
  }
  return boxes;
}

template <int D, class T>
Boxes<D, T> largest_numbers(int count, Random& random) {
  Boxes<D, T> boxes;
  const double largest = static_cast<double>(std::numeric_limits<T>::max());
  for (int i = 0; i < count; ++i) {
    const double scale = random.below(2) == 0 ? largest / 2.1 : 1e-30;
    std::array<double, D> centre = anywhere<D>(random, -scale, scale);
    add_around(boxes, centre, same<D>(scale / 10));
  }
  return boxes;
}

template <int D, class T>
Boxes<D, T> points_in_a_line(int count, Random&) {
  Boxes<D, T> boxes;
  for (int i = 0; i < count; ++i) {
    std::array<double, D> centre{};
    centre[0] = i / 2;
    add_around(boxes, centre, same<D>(0));
  }
  return boxes;
}

/// Numbers that are multiples of 1/64, so that wrapping into a domain is exact.
template <int D, class T>
Boxes<D, T> on_a_grid(int count, double low, double high, Random& random) {
  Boxes<D, T> boxes;
  const auto on_grid = [](double x) { return std::round(x * 64) / 64; };
  for (int i = 0; i < count; ++i) {
    std::array<double, D> centre = anywhere<D>(random, low, high);
    std::array<double, D> half = anywhere<D>(random, 0.2, 1);
    for (int d = 0; d < D; ++d) {
      centre[d] = on_grid(centre[d]);
      half[d] = on_grid(half[d]);
    }
    add_around(boxes, centre, half);
  }
  return boxes;
}

template <int D, class T>
struct Family {
  const char* name;
  Boxes<D, T> (*make)(int count, Random& random);
};

template <int D, class T>
std::vector<Family<D, T>> families() {
  return {{"uniform", uniform<D, T>},
          {"clustered", clustered<D, T>},
          {"power_law", power_law<D, T>},
          {"identical", identical<D, T>},
          {"one_place", one_place<D, T>},
          {"sticks", sticks<D, T>},
          {"plates", plates<D, T>},
          {"two_outliers", two_outliers<D, T>},
          {"one_huge", one_huge<D, T>},
          {"far_apart", far_apart<D, T>},
          {"tiles", tiles<D, T>},
          {"infinite_sides", infinite_sides<D, T>},
          {"invalid_boxes", invalid_boxes<D, T>},
          {"largest_numbers", largest_numbers<D, T>},
          {"points_in_a_line", points_in_a_line<D, T>}};
}

// --- the reference ---

/// Whether the boxes overlap, or an image of theirs does: along a periodic axis any of the moves
/// by whole periods may bring them together, and axes are independent of each other.
template <int D, class T>
bool overlap(const Boxes<D, T>& boxes, std::size_t a, std::size_t b) {
  for (int d = 0; d < D; ++d) {
    const double period = static_cast<double>(boxes.domain.max[d]) - boxes.domain.min[d];
    const double min_a = boxes.bounds.min(a, d);
    const double max_a = boxes.bounds.max(a, d);
    const double min_b = boxes.bounds.min(b, d);
    const double max_b = boxes.bounds.max(b, d);
    if (!(min_a <= max_a && min_b <= max_b)) return false;
    bool is_met = min_a <= max_b && min_b <= max_a;
    if (boxes.domain.periodic[d]) {
      const double turns = std::round((min_b + max_b - min_a - max_a) / 2 / period);
      for (double turn = turns - 1; turn <= turns + 1; ++turn) {
        const double shift = turn * period;
        is_met = is_met || (min_a <= max_b - shift && min_b - shift <= max_a);
      }
    }
    if (!is_met) return false;
  }
  return true;
}

template <int D, class T>
bool passes(const Boxes<D, T>& boxes, std::size_t a, std::size_t b) {
  const auto at = [](const auto& column, std::size_t i, auto otherwise) {
    return column.empty() ? otherwise : column[i];
  };
  const std::int32_t world_a = at(boxes.world, a, 0);
  const std::int32_t world_b = at(boxes.world, b, 0);
  if (world_a != world_b && world_a != -1 && world_b != -1) return false;
  for (const std::int32_t world : {world_a, world_b}) {
    if (world >= 0 && at(boxes.world_mask, static_cast<std::size_t>(world), 1) == 0) return false;
  }
  const std::uint32_t category_a = at(boxes.category, a, 1u);
  const std::uint32_t category_b = at(boxes.category, b, 1u);
  if ((category_a & at(boxes.mask, b, ~0u)) == 0) return false;
  if ((category_b & at(boxes.mask, a, ~0u)) == 0) return false;
  const std::int32_t owner = at(boxes.owner, a, -1);
  if (owner != -1 && owner == at(boxes.owner, b, -1)) return false;
  const std::int32_t body = at(boxes.body, a, -1);
  if (body != -1 && body == at(boxes.body, b, -1)) return false;
  if (at(boxes.fixed, a, std::uint8_t{0}) != 0 && at(boxes.fixed, b, std::uint8_t{0}) != 0) {
    return false;
  }
  for (std::size_t k = 0; k < boxes.excluded.size(); ++k) {
    const auto first = static_cast<std::size_t>(boxes.excluded(k, 0));
    const auto second = static_cast<std::size_t>(boxes.excluded(k, 1));
    if ((first == a && second == b) || (first == b && second == a)) return false;
  }
  const std::int32_t other_owner = at(boxes.owner, b, -1);
  for (std::size_t k = 0; k < boxes.excluded_owners.size(); ++k) {
    const std::int32_t first = boxes.excluded_owners(k, 0), second = boxes.excluded_owners(k, 1);
    if (first == owner && second == other_owner) return false;
    if (first == other_owner && second == owner) return false;
  }
  return true;
}

template <int D, class T>
Pairs expected_pairs(const Boxes<D, T>& boxes) {
  Pairs pairs;
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    for (std::size_t b = a + 1; b < boxes.size(); ++b) {
      if (overlap(boxes, a, b) && passes(boxes, a, b)) {
        pairs.emplace_back(static_cast<int>(a), static_cast<int>(b));
      }
    }
  }
  return pairs;
}

// --- runs ---

inline Pairs to_pairs(const Column<Pair>& column) {
  Pairs pairs;
  for (const Pair& pair : column) pairs.emplace_back(pair.a, pair.b);
  return pairs;
}

inline PairOptions with(Isa isa, int threads) {
  PairOptions options;
  options.isa = isa;
  options.threads.count = threads;
  return options;
}

template <int D, class T>
Pairs found_pairs(const Boxes<D, T>& boxes, const PairOptions& options = with(Isa::widest, 1)) {
  Column<Pair> pairs;
  PairWorkspace<D, T> workspace;
  find_pairs<D, T>(boxes.bounds, boxes.filters(), boxes.domain, pairs, workspace, options);
  return to_pairs(pairs);
}

inline std::vector<Isa> isas() {
  std::vector<Isa> usable;
  for (const Isa isa : built_isas()) {
    if (cpu_has(isa)) usable.push_back(isa);
  }
  return usable;
}

inline Pairs sorted(Pairs pairs) {
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// The pairs of brute force, and one sequence on every instruction set.
template <int D, class T>
void expect_right(const Boxes<D, T>& boxes) {
  const Pairs found = found_pairs(boxes);
  const Pairs expected = expected_pairs(boxes);
  const Pairs in_order = sorted(found);
  ASSERT_EQ(in_order.size(), expected.size());
  ASSERT_TRUE(in_order == expected);
  for (const Isa isa : isas()) {
    ASSERT_TRUE(found_pairs(boxes, with(isa, 1)) == found) << isa_name(isa);
  }
}

template <int D, class T>
void add_filters(Boxes<D, T>& boxes, unsigned which, Random& random) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (which & 1) boxes.world.push_back(random.below(4) - 1);
    if (which & 2) boxes.category.push_back(1u << random.below(3));
    if (which & 4) boxes.mask.push_back(static_cast<std::uint32_t>(random.below(8)));
    if (which & 8) boxes.owner.push_back(random.below(4) - 1);
    if (which & 16) boxes.fixed.push_back(static_cast<std::uint8_t>(random.below(3) * 100));
    if (which & 32) boxes.body.push_back(random.below(4) - 1);
  }
  if (which & 64) {
    // Half of the real pairs, one way round or the other, with repeats and a shape with itself.
    for (const auto& [a, b] : expected_pairs(boxes)) {
      if (random.below(2) == 0) boxes.excluded.push_back({a, b});
      if (random.below(4) == 0) boxes.excluded.push_back({b, a});
    }
    if (boxes.size() != 0) boxes.excluded.push_back({0, 0});
  }
  if (which & 256) boxes.world_mask = {1, 0, 1};  // of the worlds -1 to 2
  if (which & 128) {
    // Repeats, an owner with itself, one that no box has, and one whose low bits are another's.
    boxes.excluded_owners = {{0, 1}, {2, 0}, {1, 0}, {2, 2}, {77, 1}, {4097, 2}, {4095, 0}};
  }
}

/// The boxes of the given worlds, with what they were called before.
template <int D, class T>
Boxes<D, T> only_worlds(const Boxes<D, T>& boxes, const std::vector<std::int32_t>& worlds,
                        std::vector<int>& names) {
  Boxes<D, T> some;
  some.domain = boxes.domain;
  names.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (std::find(worlds.begin(), worlds.end(), boxes.world[i]) == worlds.end()) continue;
    some.add(boxes.bounds.min.row(i), boxes.bounds.max.row(i));
    some.world.push_back(boxes.world[i]);
    names.push_back(static_cast<int>(i));
  }
  return some;
}

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
