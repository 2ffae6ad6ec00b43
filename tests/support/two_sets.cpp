#include "support/two_sets.hpp"

namespace widephase::test {

template <int D, class T>
TwoSets<D, T> dealt(const Boxes<D, T>& all, int asked_count) {
  TwoSets<D, T> sets;
  sets.tree.domain = all.domain;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto asked_before = [&](std::size_t row) {
      return row * static_cast<std::size_t>(asked_count) / all.size();
    };
    Boxes<D, T>& side = asked_before(i) != asked_before(i + 1) ? sets.asked : sets.tree;
    side.add(all.bounds.min.row(i), all.bounds.max.row(i));
  }
  return sets;
}

namespace {

template <class Value>
void join(std::vector<Value>& all, std::size_t count_all, const std::vector<Value>& more,
          std::size_t count_more, Value otherwise) {
  if (all.empty() && more.empty()) return;
  if (all.empty()) all.assign(count_all, otherwise);
  if (more.empty()) {
    all.resize(count_all + count_more, otherwise);
  } else {
    all.insert(all.end(), more.begin(), more.end());
  }
}

}  // namespace

template <int D, class T>
Boxes<D, T> joined(const TwoSets<D, T>& sets) {
  Boxes<D, T> all = sets.tree;
  const Boxes<D, T>& asked = sets.asked;
  const std::size_t n = all.size();
  const std::size_t m = asked.size();
  join(all.world, n, asked.world, m, 0);
  join(all.category, n, asked.category, m, 1u);
  join(all.mask, n, asked.mask, m, ~0u);
  join(all.owner, n, asked.owner, m, -1);
  join(all.fixed, n, asked.fixed, m, std::uint8_t{0});
  join(all.body, n, asked.body, m, -1);
  for (std::size_t i = 0; i < m; ++i) all.add(asked.bounds.min.row(i), asked.bounds.max.row(i));
  for (std::size_t k = 0; k < asked.excluded.size(); ++k) {
    all.excluded.push_back({asked.excluded(k, 0), asked.excluded(k, 1) + static_cast<int>(n)});
  }
  all.excluded_owners = asked.excluded_owners;
  all.world_mask = asked.world_mask;
  return all;
}

template <int D, class T>
Pairs expected_pairs(const TwoSets<D, T>& sets) {
  const Boxes<D, T> all = joined(sets);
  const std::size_t n = sets.tree.size();
  Pairs pairs;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < sets.asked.size(); ++b) {
      if (overlap(all, a, n + b) && passes(all, a, n + b)) {
        pairs.emplace_back(static_cast<int>(a), static_cast<int>(b));
      }
    }
  }
  return pairs;
}

template <int D, class T>
BoundsTree<D, T> built(const Boxes<D, T>& boxes, const PairOptions& options) {
  BoundsTree<D, T> tree;
  PairWorkspace<D, T> workspace;
  build_tree<D, T>(boxes.bounds, boxes.filters(), boxes.domain, tree, workspace, options);
  return tree;
}

template <int D, class T>
Pairs asked_pairs(const BoundsTree<D, T>& tree, const Boxes<D, T>& asked,
                  const PairOptions& options) {
  Column<Pair> pairs;
  PairWorkspace<D, T> workspace;
  find_pairs<D, T>(tree, asked.bounds, asked.filters(), pairs, workspace, options);
  return to_pairs(pairs);
}

template <int D, class T>
Pairs found_pairs(const TwoSets<D, T>& sets, const PairOptions& options) {
  return asked_pairs(built(sets.tree, options), sets.asked, options);
}

template <int D, class T>
void expect_right(const TwoSets<D, T>& sets) {
  const Pairs found = found_pairs(sets);
  const Pairs expected = expected_pairs(sets);
  const Pairs in_order = sorted(found);
  ASSERT_EQ(in_order.size(), expected.size());
  ASSERT_TRUE(in_order == expected);
  const BoundsTree<D, T> tree = built(sets.tree, with(Isa::widest, 1));
  for (const Isa isa : isas()) {
    ASSERT_TRUE(found_pairs(sets, with(isa, 1)) == found) << isa_name(isa);
    ASSERT_TRUE(asked_pairs(tree, sets.asked, with(isa, 1)) == found) << isa_name(isa);
  }
}

template <int D, class T>
void exclude_some(TwoSets<D, T>& sets, Random& random) {
  for (const auto& [a, b] : expected_pairs(sets)) {
    if (random.integer(0, 1) == 0) sets.asked.excluded.push_back({a, b});
  }
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                            \
  template TwoSets<D, T> dealt<D, T>(const Boxes<D, T>& all, int asked_count);                 \
  template Boxes<D, T> joined<D, T>(const TwoSets<D, T>& sets);                                \
  template Pairs expected_pairs<D, T>(const TwoSets<D, T>& sets);                              \
  template BoundsTree<D, T> built<D, T>(const Boxes<D, T>& boxes, const PairOptions& options); \
  template Pairs asked_pairs<D, T>(const BoundsTree<D, T>& tree, const Boxes<D, T>& asked,     \
                                   const PairOptions& options);                                \
  template Pairs found_pairs<D, T>(const TwoSets<D, T>& sets, const PairOptions& options);     \
  template void expect_right<D, T>(const TwoSets<D, T>& sets);                                 \
  template void exclude_some<D, T>(TwoSets<D, T> & sets, Random & random)
WIDEPHASE_INSTANTIATE(2, float);
WIDEPHASE_INSTANTIATE(2, double);
WIDEPHASE_INSTANTIATE(3, float);
WIDEPHASE_INSTANTIATE(3, double);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
