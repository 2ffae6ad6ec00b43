#include "support/boxes.hpp"

namespace widephase::test {

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
    half[random.integer(0, D - 1)] = 15;
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
    half[random.integer(0, D - 1)] = 0.5;
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
    for (double& x : place) x += 1e6 * random.integer(0, 3);
    add_around(boxes, place, same<D>(0.5));
  }
  return boxes;
}

template <int D, class T>
Boxes<D, T> tiles(int count, Random&) {
  // Unit cells that share faces, edges and corners: boxes that touch count as overlapping.
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
    if (random.integer(0, 19) != 0) continue;
    const int which = random.integer(0, 3);
    for (int d = 0; d < D; ++d) {
      if (which == 0 || random.integer(0, 1) == 0) boxes.bounds.min(i, d) = -kInfinity;
      if (which == 0 || random.integer(0, 1) == 0) boxes.bounds.max(i, d) = kInfinity;
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
    if (random.integer(0, 4) != 0) continue;
    const int d = random.integer(0, D - 1);
    switch (random.integer(0, 3)) {
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
    const double scale = random.integer(0, 1) == 0 ? largest / 2.1 : 1e-30;
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

template <int D, class T>
Pairs plain_pairs(const Boxes<D, T>& boxes) {
  const auto meet = [&](std::size_t a, std::size_t b) {
    bool is_met = true;
    for (int d = 0; d < D; ++d) is_met &= boxes.bounds.min(a, d) <= boxes.bounds.max(b, d);
    return is_met;
  };
  Pairs pairs;
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    for (std::size_t b = a + 1; b < boxes.size(); ++b) {
      // A box that does not overlap itself is invalid.
      if (meet(a, b) && meet(b, a) && meet(a, a) && meet(b, b)) {
        pairs.emplace_back(static_cast<int>(a), static_cast<int>(b));
      }
    }
  }
  return pairs;
}

Pairs to_pairs(const Column<Pair>& column) {
  Pairs pairs;
  for (const Pair& pair : column) pairs.emplace_back(pair.a, pair.b);
  return pairs;
}

Pairs sorted(Pairs pairs) {
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

PairOptions with(Isa isa, int threads) {
  PairOptions options;
  options.isa = isa;
  options.threads.count = threads;
  return options;
}

template <int D, class T>
Pairs found_pairs(const Boxes<D, T>& boxes, const PairOptions& options) {
  Column<Pair> pairs;
  PairWorkspace<D, T> workspace;
  find_pairs<D, T>(boxes.bounds, boxes.filters(), boxes.domain, pairs, workspace, options);
  return to_pairs(pairs);
}

std::vector<Isa> isas() {
  std::vector<Isa> usable;
  for (const Isa isa : built_isas()) {
    if (cpu_has(isa)) usable.push_back(isa);
  }
  return usable;
}

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
    if (which & 1) boxes.world.push_back(random.integer(0, 3) - 1);
    if (which & 2) boxes.category.push_back(1u << random.integer(0, 2));
    if (which & 4) boxes.mask.push_back(static_cast<std::uint32_t>(random.integer(0, 7)));
    if (which & 8) boxes.owner.push_back(random.integer(0, 3) - 1);
    if (which & 16) boxes.fixed.push_back(static_cast<std::uint8_t>(random.integer(0, 2) * 100));
    if (which & 32) boxes.body.push_back(random.integer(0, 3) - 1);
  }
  if (which & 64) {
    // Half of the real pairs, in either order, some repeated, and a shape with itself.
    for (const auto& [a, b] : expected_pairs(boxes)) {
      if (random.integer(0, 1) == 0) boxes.excluded.push_back({a, b});
      if (random.integer(0, 3) == 0) boxes.excluded.push_back({b, a});
    }
    if (boxes.size() != 0) boxes.excluded.push_back({0, 0});
  }
  if (which & 256) boxes.world_mask = {1, 0, 1};  // for the worlds -1 to 2
  if (which & 128) {
    // Repeats, an owner with itself, an owner without boxes, and one with the low bits of another.
    boxes.excluded_owners = {{0, 1}, {2, 0}, {1, 0}, {2, 2}, {77, 1}, {4097, 2}, {4095, 0}};
  }
}

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

#define WIDEPHASE_INSTANTIATE(D, T)                                                         \
  template void add_around<D, T>(Boxes<D, T> & boxes,                                       \
                                 const std::type_identity_t<std::array<double, D>>& centre, \
                                 const std::type_identity_t<std::array<double, D>>& half);  \
  template Boxes<D, T> clustered<D, T>(int count, Random& random);                          \
  template Boxes<D, T> identical<D, T>(int count, Random& random);                          \
  template Boxes<D, T> one_place<D, T>(int count, Random& random);                          \
  template Boxes<D, T> plates<D, T>(int count, Random& random);                             \
  template Boxes<D, T> two_outliers<D, T>(int count, Random& random);                       \
  template Boxes<D, T> one_huge<D, T>(int count, Random& random);                           \
  template Boxes<D, T> far_apart<D, T>(int count, Random& random);                          \
  template Boxes<D, T> tiles<D, T>(int count, Random& random);                              \
  template Boxes<D, T> infinite_sides<D, T>(int count, Random& random);                     \
  template Boxes<D, T> largest_numbers<D, T>(int count, Random& random);                    \
  template Boxes<D, T> points_in_a_line<D, T>(int count, Random& random);                   \
  template Boxes<D, T> uniform<D, T>(int count, Random& random);                            \
  template Boxes<D, T> power_law<D, T>(int count, Random& random);                          \
  template Boxes<D, T> sticks<D, T>(int count, Random& random);                             \
  template Boxes<D, T> invalid_boxes<D, T>(int count, Random& random);                      \
  template Boxes<D, T> on_a_grid<D, T>(int count, double low, double high, Random& random); \
  template std::vector<Family<D, T>> families<D, T>();                                      \
  template bool overlap<D, T>(const Boxes<D, T>& boxes, std::size_t a, std::size_t b);      \
  template bool passes<D, T>(const Boxes<D, T>& boxes, std::size_t a, std::size_t b);       \
  template Pairs expected_pairs<D, T>(const Boxes<D, T>& boxes);                            \
  template Pairs plain_pairs<D, T>(const Boxes<D, T>& boxes);                               \
  template Pairs found_pairs<D, T>(const Boxes<D, T>& boxes, const PairOptions& options);   \
  template void expect_right<D, T>(const Boxes<D, T>& boxes);                               \
  template void add_filters<D, T>(Boxes<D, T> & boxes, unsigned which, Random& random);     \
  template Boxes<D, T> only_worlds<D, T>(                                                   \
      const Boxes<D, T>& boxes, const std::vector<std::int32_t>& worlds, std::vector<int>& names)
WIDEPHASE_INSTANTIATE(2, float);
WIDEPHASE_INSTANTIATE(2, double);
WIDEPHASE_INSTANTIATE(3, float);
WIDEPHASE_INSTANTIATE(3, double);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
