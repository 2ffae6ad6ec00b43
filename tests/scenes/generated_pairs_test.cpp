// The pairs of every generated scene against brute force: from collide, with every filter, with a
// kept tree, with a kept order, and in periodic domains.
// Labels: optimized long own-sets

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "reference/scaled.hpp"
#include "support/generated.hpp"
#include "support/two_sets.hpp"

namespace widephase::test {
namespace {

using scenes::generate;

template <class Case>
class generated_pairs : public testing::Test {};
TYPED_TEST_SUITE(generated_pairs, BoxCases);

std::size_t scene_size() { return scaled(2000, 300); }

/// The bounds that the library computes for a scene; a halfspace perpendicular to an axis has those
/// of its side.
template <int D, class T>
Boxes<D, T> boxes_of(const SceneColumns<D, T>& scene) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  Workspace<D, T> workspace;
  update_bounds<D, T>(scene, workspace);
  Boxes<D, T> boxes;
  boxes.bounds.min = workspace.bounds().min;
  boxes.bounds.max = workspace.bounds().max;
  const auto first = static_cast<std::size_t>(layout_of(scene).id(Kind::halfspace, 0));
  for (std::size_t row = 0; row < row_count(scene.halfspaces); ++row) {
    for (int d = 0; d < D; ++d) {
      const T normal = scene.halfspaces.normal(row, d);
      const T offset = scene.halfspaces.offset(row);
      boxes.bounds.min(first + row, d) = normal < 0 ? -offset : -kInfinity;
      boxes.bounds.max(first + row, d) = normal > 0 ? offset : kInfinity;
    }
  }
  return boxes;
}

/// The pairs that the filters let through.
template <int D, class T>
Pairs filtered(const Boxes<D, T>& boxes, const Pairs& pairs) {
  Pairs kept;
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(kept), [&](const auto& pair) {
    return passes(boxes, static_cast<std::size_t>(pair.first),
                  static_cast<std::size_t>(pair.second));
  });
  return kept;
}

TYPED_TEST(generated_pairs, of_a_scene_equal_brute_force) {
  WIDEPHASE_CASE
  for_each_generator<D>([](std::string_view name) {
    const SceneColumns<D, T> scene = generate<D, T>(name, {scene_size(), 1});
    Boxes<D, T> boxes = boxes_of(scene);
    boxes.world = worlds_by_id(scene);
    boxes.fixed =
        by_id(scene, [](const auto& table) -> auto& { return table.fixed; }, std::uint8_t{0});
    const Pairs expected = expected_pairs(boxes);
    ASSERT_GT(expected.size(), scene_size() / 20);
    for (const Isa isa : isas()) {
      Workspace<D, T> workspace;
      ContactBuffer<D, T> contacts;
      CollideOptions options;
      options.isa = isa;
      collide<D, T>(scene, contacts, workspace, options);
      const Pairs found = sorted(to_pairs(workspace.pairs()));
      ASSERT_EQ(found.size(), expected.size()) << isa_name(isa);
      ASSERT_TRUE(found == expected) << isa_name(isa);
    }
  });
}

/// Every third box queries a tree of the others; `pairs` becomes the pairs between these two sets.
template <int D, class T>
TwoSets<D, T> split(const Boxes<D, T>& boxes, const Pairs& pairs, Pairs& between) {
  TwoSets<D, T> sets;
  std::vector<int> row(boxes.size());
  const auto is_asked = [](int i) { return i % 3 == 2; };
  const auto add = [](auto& column, const auto& all, std::size_t i) {
    if (!all.empty()) column.push_back(all[i]);
  };
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    Boxes<D, T>& side = is_asked(static_cast<int>(i)) ? sets.asked : sets.tree;
    row[i] = static_cast<int>(side.size());
    side.add(boxes.bounds.min.row(i), boxes.bounds.max.row(i));
    add(side.world, boxes.world, i);
    add(side.category, boxes.category, i);
    add(side.mask, boxes.mask, i);
    add(side.owner, boxes.owner, i);
    add(side.fixed, boxes.fixed, i);
    add(side.body, boxes.body, i);
  }
  const auto add_between = [&](int a, int b, const auto& take) {
    if (is_asked(a) == is_asked(b)) return;
    take(row[static_cast<std::size_t>(is_asked(a) ? b : a)],
         row[static_cast<std::size_t>(is_asked(a) ? a : b)]);
  };
  for (std::size_t k = 0; k < boxes.excluded.size(); ++k) {
    add_between(boxes.excluded(k, 0), boxes.excluded(k, 1),
                [&](int a, int b) { sets.asked.excluded.push_back({a, b}); });
  }
  sets.asked.excluded_owners = boxes.excluded_owners;
  sets.asked.world_mask = boxes.world_mask;
  sets.tree.domain = boxes.domain;
  between.clear();
  for (const auto& [a, b] : pairs) {
    add_between(a, b, [&](int first, int second) { between.emplace_back(first, second); });
  }
  return sets;
}

/// In one set, with an order kept from an earlier step, and with a kept tree, on every instruction
/// set.
template <int D, class T>
void expect_pairs(const Boxes<D, T>& boxes, const Pairs& expected) {
  Pairs between;
  const TwoSets<D, T> sets = split(boxes, expected, between);
  for (const Isa isa : isas()) {
    SCOPED_TRACE(isa_name(isa));
    PairOptions options = with(isa, 2);
    ASSERT_TRUE(sorted(found_pairs(boxes, options)) == expected);
    ASSERT_TRUE(sorted(found_pairs(sets, options)) == sorted(between));
    options.keeps_order = true;
    Column<Pair> pairs;
    PairWorkspace<D, T> workspace;
    for (int step = 0; step < 2; ++step) {
      find_pairs<D, T>(boxes.bounds, boxes.filters(), boxes.domain, pairs, workspace, options);
      ASSERT_TRUE(sorted(to_pairs(pairs)) == expected);
    }
  }
}

TYPED_TEST(generated_pairs, under_every_filter_equal_brute_force) {
  WIDEPHASE_CASE
  for_each_generator<D>([](std::string_view name) {
    Random random(3);
    const Boxes<D, T> boxes = boxes_of(generate<D, T>(name, {scene_size(), 2}));
    const Pairs all = expected_pairs(boxes);
    Pairs excluded;
    Column<std::int32_t, 2> excluded_rows;
    for (const auto& [a, b] : all) {
      if (random.integer(0, 1) == 0) continue;
      excluded.emplace_back(a, b);
      excluded_rows.push_back(random.integer(0, 1) == 0 ? std::array{a, b} : std::array{b, a});
    }
    // Bits of `add_filters`: world, category, mask, owner, fixed, body; 64 for excluded pairs, 128
    // for excluded owners and 256 for a mask of worlds.
    for (const unsigned which : {0u, 1u, 2u, 4u, 6u, 8u, 16u, 32u, 64u, 127u, 136u, 257u, 511u}) {
      SCOPED_TRACE(which);
      Boxes<D, T> some = boxes;
      add_filters(some, which & ~64u, random);
      Pairs expected = filtered(some, all);
      if ((which & 64u) != 0) {
        some.excluded = excluded_rows;
        Pairs left;
        std::set_difference(expected.begin(), expected.end(), excluded.begin(), excluded.end(),
                            std::back_inserter(left));
        expected = left;
      }
      expect_pairs(some, expected);
      if (testing::Test::HasFatalFailure()) return;
      // Where all pairs are with one ground, its owner need not be another shape's.
      const bool is_mixed = std::ranges::any_of(
          all, [&](const auto& pair) { return pair.second != all.front().second; });
      if (which != 0 && which != 2 && which != 4 && (is_mixed || which >= 64)) {
        ASSERT_LT(expected.size(), all.size());
      }
    }
  });
}

TYPED_TEST(generated_pairs, in_a_periodic_domain_equal_brute_force) {
  WIDEPHASE_CASE
  for_each_generator<D>([](std::string_view name) {
    // At the two outliers, floats are farther apart than 1/64. Height fields have no lowest place,
    // and periodic domains refuse them.
    if (name == "outliers" && sizeof(T) == 4) return;
    if (name == "terrain" || name == "stairs") return;
    const SceneColumns<D, T> scene = generate<D, T>(name, {scene_size(), 2});
    const Boxes<D, T> exact = boxes_of(scene);
    Boxes<D, T> boxes;
    std::array<T, D> low, high, widest{};
    low.fill(std::numeric_limits<T>::max());
    high.fill(std::numeric_limits<T>::lowest());
    // Without halfspaces, and in multiples of 1/64, so that they wrap without rounding.
    const SceneLayout layout = layout_of(scene);
    for (std::size_t i = 0; i < exact.bounds.min.size(); ++i) {
      if (layout.kind_of(static_cast<std::int32_t>(i)) == Kind::halfspace) continue;
      std::array<T, D> min, max;
      for (int d = 0; d < D; ++d) {
        min[d] = std::floor(exact.bounds.min(i, d) * 64) / 64;
        max[d] = std::ceil(exact.bounds.max(i, d) * 64) / 64;
        low[d] = std::min(low[d], min[d]);
        high[d] = std::max(high[d], max[d]);
        widest[d] = std::max(widest[d], max[d] - min[d]);
      }
      boxes.add(min, max);
    }
    // A third of the scene's extent if its shapes allow it: some are several periods outside.
    for (int d = 0; d < D; ++d) {
      const T period = std::max(std::ceil((high[d] - low[d]) / 3), std::ceil(3 * widest[d]) + 1);
      boxes.domain.min[d] = std::floor(low[d]);
      boxes.domain.max[d] = boxes.domain.min[d] + period;
      boxes.domain.periodic[d] = d != 1;
    }
    const Pairs expected = expected_pairs(boxes);
    ASSERT_GT(expected.size(), scene_size() / 20);
    expect_pairs(boxes, expected);
  });
}

}  // namespace
}  // namespace widephase::test
