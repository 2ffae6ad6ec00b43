// Unbounded ids among the others, as kinds that are appended behind the halfspace make them: what
// is found is what is found where they come last, by other names.
// Labels: threads

#include "soa/unbounded_ids.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "pipeline/broad/find_pairs.hpp"
#include "pipeline/broad/nearest_pairs.hpp"
#include "soa/ascending.hpp"
#include "support/boxes.hpp"

namespace widephase::test {
namespace {

TEST(bounded_first, puts_the_unbounded_ids_last) {
  // Ids 2 and 3 are unbounded; ids 0, 1, 4 and 5 come before them.
  const BoundedFirst order({2, 4}, 6);
  const std::size_t expected[] = {0, 1, 4, 5, 2, 3};
  for (std::size_t place = 0; place < 6; ++place) EXPECT_EQ(order.id_at(place), expected[place]);
  EXPECT_EQ(order.bounded_count(), 4u);
  EXPECT_FALSE(order.is_identity());
  // Unbounded ids that come last already; none; all.
  EXPECT_TRUE(BoundedFirst({4, 6}, 6).is_identity());
  EXPECT_TRUE(BoundedFirst({2, 2}, 6).is_identity());
  EXPECT_TRUE(BoundedFirst({0, 6}, 6).is_identity());
  EXPECT_EQ(BoundedFirst({0, 2}, 6).id_at(0), 2u);
}

/// Boxes with the columns of filters, and halfspaces whose rows are NaN or infinity. In the order
/// of places, the halfspaces come last.
template <int D, class T>
struct Mixture {
  BoundsBuffer<D, T> bounds;
  Column<std::int32_t> world, owner;
  Column<std::uint32_t> category, mask;
  Column<T, D> normal;
  Column<T> offset;
  Domain<D, T> domain;

  std::size_t size() const { return bounds.size(); }
  FilterSpan filters() const {
    FilterSpan span;
    span.world = world;
    span.owner = owner;
    span.category = category;
    span.mask = mask;
    return span;
  }
};

template <int D, class T>
Mixture<D, T> mixture(std::size_t boxes, std::size_t halfspaces, int worlds, bool is_periodic) {
  Random random(boxes + 7 * static_cast<std::size_t>(worlds));
  Mixture<D, T> made;
  const T infinity = std::numeric_limits<T>::infinity();
  for (std::size_t i = 0; i < boxes + halfspaces; ++i) {
    std::array<T, D> low{}, high{};
    for (int k = 0; k < D; ++k) {
      low[k] = static_cast<T>(random.uniform(0, 20));
      high[k] = low[k] + static_cast<T>(random.uniform(0.2, 2));
      if (i >= boxes) low[k] = -infinity, high[k] = infinity;
    }
    made.bounds.min.push_back(low);
    made.bounds.max.push_back(high);
    // Every other halfspace is in all worlds.
    const bool is_everywhere = i >= boxes && i % 2 == 0;
    if (worlds > 0) made.world.push_back({is_everywhere ? -1 : random.integer(-1, worlds - 1)});
    made.owner.push_back({random.integer(-1, 38)});
    made.category.push_back({1u << random.integer(0, 2)});
    made.mask.push_back({static_cast<std::uint32_t>(random.integer(0, 7))});
  }
  for (std::size_t i = 0; i < halfspaces; ++i) {
    // Along the last axis, which does not wrap: the lowest few boxes reach into it.
    std::array<T, D> normal{};
    normal[D - 1] = i % 2 == 0 ? T(1) : T(-1);
    made.normal.push_back(normal);
    made.offset.push_back({i % 2 == 0 ? T(3) : T(-18)});
  }
  if (is_periodic) {
    made.domain.min.fill(0);
    made.domain.max.fill(20);
    for (int k = 0; k + 1 < D; ++k) made.domain.periodic[static_cast<std::size_t>(k)] = true;
  }
  return made;
}

/// The same boxes with the halfspaces from id `first` on.
template <int D, class T>
Mixture<D, T> with_halfspaces_from(const Mixture<D, T>& last, const BoundedFirst& order) {
  Mixture<D, T> made = last;
  for (std::size_t place = 0; place < last.size(); ++place) {
    const std::size_t id = order.id_at(place);
    made.bounds.min.set(id, last.bounds.min.row(place));
    made.bounds.max.set(id, last.bounds.max.row(place));
    if (!last.world.empty()) made.world[id] = last.world[place];
    made.owner[id] = last.owner[place];
    made.category[id] = last.category[place];
    made.mask[id] = last.mask[place];
  }
  return made;
}

std::vector<std::pair<std::int32_t, std::int32_t>> sorted(const Column<Pair>& pairs) {
  std::vector<std::pair<std::int32_t, std::int32_t>> all;
  for (const Pair pair : pairs) all.emplace_back(pair.a, pair.b);
  std::sort(all.begin(), all.end());
  return all;
}

/// Replaces places by ids in pairs, the lower id first.
Column<Pair> renamed(const Column<Pair>& pairs, const BoundedFirst& order) {
  Column<Pair> named;
  for (const Pair pair : pairs) {
    const auto id = [&](std::int32_t place) {
      return static_cast<std::int32_t>(order.id_at(static_cast<std::size_t>(place)));
    };
    named.push_back({ascending({id(pair.a), id(pair.b)})});
  }
  return named;
}

template <int D, class T>
void expect_the_same(std::size_t boxes, int worlds, bool is_periodic) {
  constexpr std::int32_t kHalfspaces = 5;
  const Mixture<D, T> last = mixture<D, T>(boxes, kHalfspaces, worlds, is_periodic);
  const Mixture<D, T> asked = mixture<D, T>(boxes, 0, worlds, is_periodic);
  const auto count = static_cast<std::int32_t>(last.size());
  const UnboundedIds behind{count - kHalfspaces, count};
  PairWorkspace<D, T> workspace;
  BoundsTree<D, T> tree;
  Column<Pair> expected, met_by_tree, found;
  find_scene_pairs<D, T>(last.bounds, behind, last.normal, last.offset, last.filters(), last.domain,
                         expected, workspace, {});
  ASSERT_TRUE(
      std::any_of(expected.begin(), expected.end(), [&](Pair pair) { return behind.has(pair.b); }));
  build_scene_tree<D, T>(last.bounds, behind, last.filters(), last.domain, tree, workspace, {});
  find_pairs<D, T>(tree, BoundsSpan<D, T>(asked.bounds), asked.filters(), met_by_tree, workspace,
                   {});
  ASSERT_FALSE(met_by_tree.empty());
  for (const std::int32_t first : {0, 1, count / 3, count - kHalfspaces - 1}) {
    const UnboundedIds among{first, first + kHalfspaces};
    const BoundedFirst order(among, last.size());
    const Mixture<D, T> mixed = with_halfspaces_from(last, order);
    for (const int threads : {1, 3}) {
      SCOPED_TRACE("from " + std::to_string(first) + ", threads " + std::to_string(threads));
      PairOptions options;
      options.threads.count = threads;
      options.keeps_order = threads == 3;
      find_scene_pairs<D, T>(mixed.bounds, among, mixed.normal, mixed.offset, mixed.filters(),
                             mixed.domain, found, workspace, options);
      EXPECT_EQ(sorted(found), sorted(renamed(expected, order)));
      EXPECT_TRUE(
          std::all_of(found.begin(), found.end(), [](Pair pair) { return pair.a < pair.b; }));
      // A tree of the boxes only, whose rows are their ids.
      build_scene_tree<D, T>(mixed.bounds, among, mixed.filters(), mixed.domain, tree, workspace,
                             options);
      find_pairs<D, T>(tree, BoundsSpan<D, T>(asked.bounds), asked.filters(), found, workspace,
                       options);
      Column<Pair> named;
      for (const Pair pair : met_by_tree) {
        const std::size_t id = order.id_at(static_cast<std::size_t>(pair.a));
        named.push_back({Pair{static_cast<std::int32_t>(id), pair.b}});
      }
      EXPECT_EQ(sorted(found), sorted(named));
    }
  }
}

TEST(unbounded_ids, may_stand_anywhere_for_the_broad_phase) {
  for (const int worlds : {0, 1, 4, 300}) {
    SCOPED_TRACE("worlds " + std::to_string(worlds));
    expect_the_same<2, float>(500, worlds, false);
    expect_the_same<3, float>(500, worlds, false);
    expect_the_same<3, double>(3000, worlds, false);
  }
}

TEST(unbounded_ids, may_stand_anywhere_in_a_periodic_domain) {
  expect_the_same<2, double>(500, 0, true);
  expect_the_same<3, float>(500, 3, true);
}

/// The pairs that the search for the least distance tries first.
template <int D>
Column<Pair> nearest(const Mixture<D, double>& mixture, UnboundedIds unbounded) {
  SceneRows<D, double> rows;
  const auto count = static_cast<std::int32_t>(mixture.size());
  std::fill(rows.layout.first.begin() + 1, rows.layout.first.end(), count);
  rows.bounds = mixture.bounds;
  rows.world = mixture.world;
  rows.halfspace_normal = mixture.normal;
  rows.halfspace_offset = mixture.offset;
  PairFilter filter;
  filter.set(mixture.filters(), mixture.size());
  WorldTrees<D, double> trees;
  trees.build(rows, unbounded, mixture.filters(), Threads{});
  NearestPairs<D, double> search;
  Column<Pair> all;
  for (std::int32_t world = 0; world < rows.world_count(); ++world) {
    const NearestInputs<D, double> inputs{rows, trees, nullptr, nullptr, filter, true, unbounded};
    search.start(inputs, world);
    search.advance(inputs, 20);
    for (const Pair pair : search.next) all.push_back({pair});
  }
  return all;
}

TEST(unbounded_ids, may_stand_anywhere_for_least_distances) {
  const Mixture<3, double> last = mixture<3, double>(300, 5, 12, false);
  const UnboundedIds behind{300, 305};
  const Column<Pair> expected = nearest(last, behind);
  ASSERT_GE(expected.size(), 6u);
  for (const std::int32_t first : {0, 100, 299}) {
    const UnboundedIds among{first, first + 5};
    const BoundedFirst order(among, last.size());
    const Column<Pair> found = nearest(with_halfspaces_from(last, order), among);
    EXPECT_EQ(sorted(found), sorted(renamed(expected, order)));
  }
}

}  // namespace
}  // namespace widephase::test
