// The broad phase in periodic domains and with halfspaces.
// Labels: optimized emulated-arm dated own-sets

#include <gtest/gtest.h>

#include "pipeline/broad/find_pairs.hpp"
#include "reference/scaled.hpp"
#include "support/boxes.hpp"

namespace widephase::test {
namespace {

template <class Case>
class find_pairs_domain_of : public testing::Test {};
TYPED_TEST_SUITE(find_pairs_domain_of, BoxCases);

// --- periodic domains: numbers that are multiples of 1/64, so that wrapping is exact ---

TYPED_TEST(find_pairs_domain_of, periodic_axes_in_every_combination_equal_brute_force) {
  WIDEPHASE_CASE
  for (unsigned axes = 1; axes < 1u << D; ++axes) {
    for (const unsigned filters : {0u, 1u, 127u}) {
      for (const double low : {0.0, -20.0}) {
        // The last has more than one node of 256 boxes.
        for (const int count : {1, 2, 20, 150, static_cast<int>(scaled(800, 300))}) {
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

TYPED_TEST(find_pairs_domain_of, a_world_alone_keeps_its_sequence_in_a_periodic_domain) {
  WIDEPHASE_CASE
  Random random(23);
  Boxes<D, T> boxes = on_a_grid<D, T>(900, 0, 12, random);
  for (int d = 0; d < D; ++d) {
    boxes.domain.max[d] = 12;
    boxes.domain.periodic[d] = true;
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) boxes.world.push_back(random.integer(0, 4) - 1);
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

TYPED_TEST(find_pairs_domain_of, a_domain_that_is_too_thin_is_refused_by_axis) {
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

/// How deep box `a` reaches into halfspace `h`; very negative if the box is invalid.
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
  const UnboundedIds unbounded{static_cast<std::int32_t>(box_count),
                               static_cast<std::int32_t>(boxes.size())};
  find_scene_pairs<D, T>(boxes.bounds, unbounded, halfspaces.normal, halfspaces.offset,
                         boxes.filters(), boxes.domain, pairs, workspace, options);
  return to_pairs(pairs);
}

TYPED_TEST(find_pairs_domain_of, halfspaces_meet_boxes_by_their_support_point) {
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
        // The bounds of this row must not be read.
        add_around(boxes, same<D>(0), same<D>(1e9));
      }
      add_filters(boxes, filters, random);
      const auto box_count = static_cast<std::size_t>(count);
      const Pairs found = found_scene_pairs(boxes, box_count, halfspaces, with(Isa::widest, 1));
      const Pairs in_order = sorted(found);
      ASSERT_TRUE(std::adjacent_find(in_order.begin(), in_order.end()) == in_order.end());
      for (const Isa isa : isas()) {
        ASSERT_TRUE(found_scene_pairs(boxes, box_count, halfspaces, with(isa, 1)) == found);
      }
      // Coordinates reach 50: pairs that rounding in T may decide either way are left open.
      const long double open = 50 * 16 * std::numeric_limits<T>::epsilon();
      for (std::size_t a = 0; a < boxes.size(); ++a) {
        for (std::size_t b = a + 1; b < boxes.size(); ++b) {
          const bool is_found =
              std::binary_search(in_order.begin(), in_order.end(),
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

TYPED_TEST(find_pairs_domain_of, a_world_of_halfspaces_alone_meets_shared_shapes) {
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

}  // namespace
}  // namespace widephase::test
