// The broad phase against brute force over every way of placing boxes that ever hurt one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include <widephase/pairs.hpp>

#include "../soa/src/find_pairs.hpp"

namespace {
bool is_counting = false;
std::size_t allocations = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  if (is_counting) ++allocations;
  void* memory = nullptr;
  if (posix_memalign(&memory, std::max(alignment, sizeof(void*)), size) != 0) throw std::bad_alloc();
  return memory;
}
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace widephase {
namespace {

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
  Domain<D, T> domain;

  std::size_t size() const { return bounds.size(); }
  void add(const std::array<T, D>& min, const std::array<T, D>& max) {
    bounds.min.push_back(min);
    bounds.max.push_back(max);
  }
  FilterSpan filters() const { return {world, category, mask, owner, fixed, body, excluded}; }
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
      case 0: boxes.bounds.min(i, d) = kNan; break;
      case 1: boxes.bounds.max(i, d) = kNan; break;
      case 2: std::swap(boxes.bounds.min(i, d), boxes.bounds.max(i, d)); break;
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

Pairs to_pairs(const Column<Pair>& column) {
  Pairs pairs;
  for (const Pair& pair : column) pairs.emplace_back(pair.a, pair.b);
  return pairs;
}

PairOptions with(Isa isa, int threads) {
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

std::vector<Isa> isas() {
  std::vector<Isa> usable;
  for (const Isa isa : built_isas()) {
    if (cpu_has(isa)) usable.push_back(isa);
  }
  return usable;
}

Pairs sorted(Pairs pairs) {
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

template <class Case>
class find_pairs_of : public testing::Test {};

template <int D_, class T_>
struct Case {
  static constexpr int D = D_;
  using T = T_;
};

using Cases = testing::Types<Case<2, float>, Case<2, double>, Case<3, float>, Case<3, double>>;
TYPED_TEST_SUITE(find_pairs_of, Cases);

#define WIDEPHASE_CASE                    \
  constexpr int D = TypeParam::D;         \
  using T = typename TypeParam::T;

TYPED_TEST(find_pairs_of, every_family_and_count_equals_brute_force) {
  WIDEPHASE_CASE
  for (const auto& family : families<D, T>()) {
    for (const int count : {0, 1, 2, 3, 15, 16, 17, 33, 100, 255, 256, 257, 700, 1000}) {
      SCOPED_TRACE(std::string(family.name) + " " + std::to_string(count));
      Random random(static_cast<std::uint64_t>(count) + 1);
      expect_right(family.make(count, random));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(find_pairs_of, five_thousand_boxes_equal_brute_force) {
  WIDEPHASE_CASE
  for (const auto& family : families<D, T>()) {
    SCOPED_TRACE(family.name);
    Random random(5);
    expect_right(family.make(5000, random));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TYPED_TEST(find_pairs_of, any_stride_is_read_in_place) {
  WIDEPHASE_CASE
  Random random(3);
  const Boxes<D, T> boxes = uniform<D, T>(777, random);
  std::vector<T> rows;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (int d = 0; d < D; ++d) rows.push_back(boxes.bounds.min(i, d));
    for (int d = 0; d < D; ++d) rows.push_back(boxes.bounds.max(i, d));
  }
  constexpr std::ptrdiff_t kStride = 2 * D * sizeof(T);
  const BoundsSpan<D, T> bounds(
      ColumnSpan<T, D>::interleaved(rows.data(), boxes.size(), kStride),
      ColumnSpan<T, D>::interleaved(rows.data() + D, boxes.size(), kStride));
  Column<Pair> pairs;
  PairWorkspace<D, T> workspace;
  find_pairs<D, T>(bounds, {}, {}, pairs, workspace);
  EXPECT_TRUE(to_pairs(pairs) == found_pairs(boxes));
}

// --- filters ---

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
}

TYPED_TEST(find_pairs_of, filters_alone_and_together_equal_brute_force) {
  WIDEPHASE_CASE
  for (const unsigned which : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 63u, 127u}) {
    for (const int count : {5, 40, 300, 900}) {
      SCOPED_TRACE(std::to_string(which) + " " + std::to_string(count));
      Random random(which);
      Boxes<D, T> boxes = uniform<D, T>(count, random);
      add_filters(boxes, which, random);
      expect_right(boxes);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(find_pairs_of, columns_of_another_length_are_refused_by_name) {
  WIDEPHASE_CASE
  Random random(1);
  Boxes<D, T> boxes = uniform<D, T>(10, random);
  boxes.owner = {1, 2, 3};
  try {
    found_pairs(boxes);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    ASSERT_TRUE(error.finding().has_value());
    EXPECT_EQ(error.finding()->array, "owner");
  }
  boxes.owner.clear();
  boxes.world.assign(10, 0);
  boxes.world[7] = -2;
  try {
    found_pairs(boxes);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    ASSERT_TRUE(error.finding().has_value());
    EXPECT_EQ(error.finding()->array, "world");
    EXPECT_EQ(error.finding()->row, 7);
  }
}

// --- worlds ---

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

/// Worlds of unequal sizes, mixed in storage.
template <int D, class T>
Boxes<D, T> some_worlds(int count, bool with_shared, Random& random) {
  Boxes<D, T> boxes = uniform<D, T>(count, random);
  for (int i = 0; i < count; ++i) {
    const int draw = random.below(100);
    const int world = draw < 50 ? 0 : draw < 70 ? 3 : draw < 72 ? 4 : 5 + random.below(20);
    boxes.world.push_back(with_shared && draw % 10 == 0 ? -1 : world);
  }
  return boxes;
}

TYPED_TEST(find_pairs_of, a_world_alone_gives_the_sequence_it_gives_among_others) {
  WIDEPHASE_CASE
  for (const bool with_shared : {false, true}) {
    Random random(17);
    const Boxes<D, T> boxes = some_worlds<D, T>(3000, with_shared, random);
    const Pairs all = found_pairs(boxes);
    for (const std::int32_t world : {0, 3, 4, 7, 12, 24}) {
      std::vector<int> names;
      Pairs alone = found_pairs(only_worlds(boxes, {-1, world}, names));
      for (auto& [a, b] : alone) {
        a = names[static_cast<std::size_t>(a)];
        b = names[static_cast<std::size_t>(b)];
      }
      Pairs among;
      for (const auto& [a, b] : all) {
        const std::int32_t world_a = boxes.world[static_cast<std::size_t>(a)];
        const std::int32_t world_b = boxes.world[static_cast<std::size_t>(b)];
        if ((world_a == -1 || world_a == world) && (world_b == -1 || world_b == world)) {
          among.emplace_back(a, b);
        }
      }
      ASSERT_TRUE(alone == among) << world;
    }
  }
}

TYPED_TEST(find_pairs_of, pairs_come_by_world_those_of_shared_shapes_first) {
  WIDEPHASE_CASE
  Random random(18);
  const Boxes<D, T> boxes = some_worlds<D, T>(2000, true, random);
  std::int32_t before = -1;
  for (const auto& [a, b] : found_pairs(boxes)) {
    const std::int32_t world = std::max(boxes.world[static_cast<std::size_t>(a)],
                                        boxes.world[static_cast<std::size_t>(b)]);
    ASSERT_GE(world, before);
    before = world;
  }
}

TYPED_TEST(find_pairs_of, thousands_of_worlds_grouped_or_mixed_equal_brute_force) {
  WIDEPHASE_CASE
  for (const bool is_grouped : {true, false}) {
    Random random(19);
    Boxes<D, T> boxes;
    constexpr int kWorlds = 3000;
    for (int i = 0; i < kWorlds * 5; ++i) {
      add_around(boxes, anywhere<D>(random, 0, 4), same<D>(0.5));
      const int world = is_grouped ? i / 5 : random.below(kWorlds);
      boxes.world.push_back(world * 1000);
    }
    // Brute force a world at a time: all against all of them would take minutes.
    std::vector<std::vector<std::size_t>> members(kWorlds);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      members[static_cast<std::size_t>(boxes.world[i] / 1000)].push_back(i);
    }
    Pairs expected;
    for (const auto& ids : members) {
      for (const std::size_t a : ids) {
        for (const std::size_t b : ids) {
          if (a < b && overlap(boxes, a, b)) {
            expected.emplace_back(static_cast<int>(a), static_cast<int>(b));
          }
        }
      }
    }
    const Pairs found = found_pairs(boxes);
    ASSERT_TRUE(sorted(found) == sorted(expected));
    for (const int threads : {2, 3, 8}) {
      ASSERT_TRUE(found_pairs(boxes, with(Isa::widest, threads)) == found) << threads;
    }
  }
}

// --- periodic domains: numbers that are multiples of 1/64, so that wrapping is exact ---

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

TYPED_TEST(find_pairs_of, periodic_axes_in_every_combination_equal_brute_force) {
  WIDEPHASE_CASE
  for (unsigned axes = 1; axes < 1u << D; ++axes) {
    for (const unsigned filters : {0u, 1u, 127u}) {
      for (const double low : {0.0, -20.0}) {
        for (const int count : {1, 2, 20, 150, 800}) {
          SCOPED_TRACE(std::to_string(axes) + " " + std::to_string(filters) + " " +
                       std::to_string(low) + " " + std::to_string(count));
          Random random(axes);
          // From -20 to 25 in a domain from 0 to 5, 6, 7: some are several periods outside.
          Boxes<D, T> boxes = on_a_grid<D, T>(count, low, low == 0 ? 7 : 25, random);
          for (int d = 0; d < D; ++d) {
            boxes.domain.max[d] = static_cast<T>(5 + d);
            boxes.domain.periodic[d] = (axes >> d & 1) != 0;
          }
          add_filters(boxes, filters, random);
          expect_right(boxes);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

TYPED_TEST(find_pairs_of, a_world_alone_keeps_its_sequence_in_a_periodic_domain) {
  WIDEPHASE_CASE
  Random random(23);
  Boxes<D, T> boxes = on_a_grid<D, T>(900, 0, 12, random);
  for (int d = 0; d < D; ++d) {
    boxes.domain.max[d] = 12;
    boxes.domain.periodic[d] = true;
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) boxes.world.push_back(random.below(5) - 1);
  const Pairs all = found_pairs(boxes);
  for (std::int32_t world = 0; world < 4; ++world) {
    std::vector<int> names;
    Pairs alone = found_pairs(only_worlds(boxes, {-1, world}, names));
    for (auto& [a, b] : alone) {
      a = names[static_cast<std::size_t>(a)];
      b = names[static_cast<std::size_t>(b)];
    }
    Pairs among;
    for (const auto& [a, b] : all) {
      const std::int32_t world_a = boxes.world[static_cast<std::size_t>(a)];
      const std::int32_t world_b = boxes.world[static_cast<std::size_t>(b)];
      if ((world_a == -1 || world_a == world) && (world_b == -1 || world_b == world)) {
        among.emplace_back(a, b);
      }
    }
    ASSERT_TRUE(alone == among) << world;
  }
}

TYPED_TEST(find_pairs_of, a_domain_that_is_too_thin_is_refused_by_axis) {
  WIDEPHASE_CASE
  // Widths 2 and 1.5 along y: 3.5 is too thin, 3.75 is not.
  Boxes<D, T> boxes;
  add_around(boxes, same<D>(1), same<D>(0.75));
  add_around(boxes, same<D>(2), same<D>(1));
  add_around(boxes, same<D>(3), same<D>(0.5));
  boxes.domain.max.fill(T(3.5));
  boxes.domain.periodic[1] = true;
  try {
    found_pairs(boxes);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    ASSERT_TRUE(error.finding().has_value());
    EXPECT_EQ(error.finding()->array, "domain.max");
    EXPECT_EQ(error.finding()->row, 1);
  }
  boxes.domain.max.fill(T(3.75));
  expect_right(boxes);
}

// --- halfspaces, through the scene's entry ---

template <int D, class T>
struct Halfspaces {
  Column<T, D> normal;
  Column<T> offset;
};

/// How deep box `a` reaches into halfspace `h`; far negative where an invalid box can't.
template <int D, class T>
long double reach(const Boxes<D, T>& boxes, std::size_t a, const Halfspaces<D, T>& halfspaces,
                  std::size_t h) {
  long double lowest = 0;
  for (int d = 0; d < D; ++d) {
    if (!(boxes.bounds.min(a, d) <= boxes.bounds.max(a, d))) return -1e30L;
    const long double normal = halfspaces.normal(h, d);
    if (normal == 0) continue;
    lowest += normal * (normal > 0 ? boxes.bounds.min(a, d) : boxes.bounds.max(a, d));
  }
  return halfspaces.offset[h] - lowest;
}

template <int D, class T>
Pairs found_scene_pairs(const Boxes<D, T>& boxes, std::size_t box_count,
                        const Halfspaces<D, T>& halfspaces, const PairOptions& options) {
  Column<Pair> pairs;
  PairWorkspace<D, T> workspace;
  find_scene_pairs<D, T>(boxes.bounds, static_cast<std::int32_t>(box_count), halfspaces.normal,
                         halfspaces.offset, boxes.filters(), boxes.domain, pairs, workspace,
                         options);
  return to_pairs(pairs);
}

TYPED_TEST(find_pairs_of, halfspaces_meet_boxes_by_their_support_point) {
  WIDEPHASE_CASE
  for (const unsigned filters : {0u, 1u, 63u}) {
    for (const int count : {0, 1, 10, 200, 2000}) {
      SCOPED_TRACE(std::to_string(filters) + " " + std::to_string(count));
      Random random(filters + 29);
      Boxes<D, T> boxes = invalid_boxes<D, T>(count, random);
      Halfspaces<D, T> halfspaces;
      constexpr int kCount = 7;
      for (int h = 0; h < kCount; ++h) {
        std::array<double, D> normal = anywhere<D>(random, -1, 1);
        if (h < D) {
          normal.fill(0);
          normal[h] = h == 1 ? -1 : 1;
        }
        double length = 0;
        for (const double x : normal) length += x * x;
        std::array<T, D> unit;
        for (int d = 0; d < D; ++d) unit[d] = static_cast<T>(normal[d] / std::sqrt(length));
        halfspaces.normal.push_back(unit);
        halfspaces.offset.push_back({static_cast<T>(random.uniform(-5, 5))});
        // Its row of bounds is not to be looked at.
        add_around(boxes, same<D>(0), same<D>(1e9));
      }
      add_filters(boxes, filters, random);
      const auto box_count = static_cast<std::size_t>(count);
      const Pairs found =
          found_scene_pairs(boxes, box_count, halfspaces, with(Isa::widest, 1));
      const Pairs in_order = sorted(found);
      ASSERT_TRUE(std::adjacent_find(in_order.begin(), in_order.end()) == in_order.end());
      for (const Isa isa : isas()) {
        ASSERT_TRUE(found_scene_pairs(boxes, box_count, halfspaces, with(isa, 1)) == found);
      }
      // Coordinates reach 50: what rounding may decide either way, in T, is left open.
      const long double open = 50 * 16 * std::numeric_limits<T>::epsilon();
      for (std::size_t a = 0; a < boxes.size(); ++a) {
        for (std::size_t b = a + 1; b < boxes.size(); ++b) {
          const bool is_found = std::binary_search(
              in_order.begin(), in_order.end(),
              std::pair<int, int>(static_cast<int>(a), static_cast<int>(b)));
          bool is_expected = passes(boxes, a, b);
          if (b < box_count) {
            is_expected = is_expected && overlap(boxes, a, b);
          } else if (a >= box_count) {
            is_expected = false;
          } else {
            const long double depth = reach(boxes, a, halfspaces, b - box_count);
            if (std::abs(depth) < open || std::isnan(depth)) continue;
            is_expected = is_expected && depth > 0;
          }
          ASSERT_EQ(is_found, is_expected) << a << " " << b;
        }
      }
      std::int32_t before = -1;
      for (const auto& [a, b] : found) {
        if (boxes.world.empty()) break;
        const std::int32_t world = std::max(boxes.world[static_cast<std::size_t>(a)],
                                            boxes.world[static_cast<std::size_t>(b)]);
        ASSERT_GE(world, before);
        before = world;
      }
    }
  }
}

TYPED_TEST(find_pairs_of, a_world_of_halfspaces_alone_meets_shared_shapes) {
  WIDEPHASE_CASE
  // One box of world -1 reaching down to -1, a floor at 0 that only world 6 has.
  Boxes<D, T> boxes;
  add_around(boxes, same<D>(0), same<D>(1));
  add_around(boxes, same<D>(0), same<D>(0));
  boxes.world = {-1, 6};
  Halfspaces<D, T> halfspaces;
  std::array<T, D> up{};
  up[D - 1] = 1;
  halfspaces.normal.push_back(up);
  halfspaces.offset.push_back({0});
  const Pairs expected{{0, 1}};
  EXPECT_EQ(found_scene_pairs(boxes, 1, halfspaces, with(Isa::widest, 1)), expected);
}

// --- threads, workspaces ---

/// An executor of the caller's own, which runs the chunks last to first on two threads.
void run_backwards(void*, std::size_t count, void (*function)(std::size_t, void*),
                   void* context) {
  std::thread other([&] {
    for (std::size_t i = count; i-- > 0;) {
      if (i % 2 == 1) function(i, context);
    }
  });
  for (std::size_t i = count; i-- > 0;) {
    if (i % 2 == 0) function(i, context);
  }
  other.join();
}

template <int D, class T>
void expect_same_on_any_threads(const Boxes<D, T>& boxes) {
  const Pairs found = found_pairs(boxes);
  for (int threads = 2; threads <= 8; ++threads) {
    ASSERT_TRUE(found_pairs(boxes, with(Isa::widest, threads)) == found) << threads;
  }
  PairOptions options;
  options.threads.executor.for_each = run_backwards;
  options.threads.executor.threads = 3;
  ASSERT_TRUE(found_pairs(boxes, options) == found);
  for (const Isa isa : isas()) {
    ASSERT_TRUE(found_pairs(boxes, with(isa, 2)) == found) << isa_name(isa);
  }
}

TYPED_TEST(find_pairs_of, threads_and_executors_do_not_change_the_sequence) {
  WIDEPHASE_CASE
  for (const auto make : {uniform<D, T>, clustered<D, T>, two_outliers<D, T>, one_huge<D, T>,
                          tiles<D, T>, sticks<D, T>, points_in_a_line<D, T>}) {
    Random random(31);
    const Boxes<D, T> boxes = make(40000, random);
    expect_same_on_any_threads(boxes);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TYPED_TEST(find_pairs_of, threads_do_not_change_the_sequence_of_worlds_and_images) {
  WIDEPHASE_CASE
  Random random(37);
  Boxes<D, T> boxes = uniform<D, T>(150000, random);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    // World 40 is large, the others are not.
    boxes.world.push_back(i % 2 == 0 ? 40 : i % 1000 == 1 ? -1 : random.below(100));
  }
  expect_same_on_any_threads(boxes);
  for (int d = 0; d < D; ++d) {
    boxes.domain.max[d] = static_cast<T>(side_of<D, T>(150000));
    boxes.domain.periodic[d] = d != 1;
  }
  expect_same_on_any_threads(boxes);
}

TYPED_TEST(find_pairs_of, twenty_thousand_boxes_on_two_threads_equal_brute_force) {
  WIDEPHASE_CASE
  for (const auto make : {power_law<D, T>, two_outliers<D, T>, sticks<D, T>}) {
    Random random(41);
    const Boxes<D, T> boxes = make(20000, random);
    ASSERT_TRUE(sorted(found_pairs(boxes, with(Isa::widest, 2))) == expected_pairs(boxes));
  }
}

TYPED_TEST(find_pairs_of, a_second_call_allocates_nothing) {
  WIDEPHASE_CASE
  Random random(43);
  for (const unsigned filters : {0u, 127u}) {
    for (const int count : {40, 3000}) {
      for (const bool is_periodic : {false, true}) {
        Boxes<D, T> boxes = sticks<D, T>(count, random);
        add_filters(boxes, filters, random);
        for (int d = 0; d < D; ++d) {
          boxes.domain.max[d] = static_cast<T>(100 + 4 * side_of<D, T>(count));
          boxes.domain.periodic[d] = is_periodic;
        }
        Column<Pair> pairs;
        PairWorkspace<D, T> workspace;
        const PairOptions options = with(Isa::widest, 1);
        find_pairs<D, T>(boxes.bounds, boxes.filters(), boxes.domain, pairs, workspace, options);
        const Pairs first = to_pairs(pairs);
        const std::size_t bytes = workspace.bytes();
        allocations = 0;
        is_counting = true;
        find_pairs<D, T>(boxes.bounds, boxes.filters(), boxes.domain, pairs, workspace, options);
        is_counting = false;
        EXPECT_EQ(allocations, 0u);
        EXPECT_EQ(workspace.bytes(), bytes);
        EXPECT_TRUE(to_pairs(pairs) == first);
      }
    }
  }
}

TYPED_TEST(find_pairs_of, one_workspace_serves_calls_of_any_size) {
  WIDEPHASE_CASE
  PairWorkspace<D, T> workspace;
  Column<Pair> pairs;
  Random random(47);
  for (const int count : {1000, 3, 0, 257, 5000, 16, 1}) {
    const Boxes<D, T> boxes = power_law<D, T>(count, random);
    find_pairs<D, T>(boxes.bounds, {}, {}, pairs, workspace);
    ASSERT_TRUE(to_pairs(pairs) == found_pairs(boxes));
  }
}

}  // namespace
}  // namespace widephase
