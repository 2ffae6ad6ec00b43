// The broad phase against brute force, for any boxes, worlds, filters and domains, with one set and
// with two.

#include <widephase/bounds_tree.hpp>

#include "drawn.hpp"
#include "support/boxes.hpp"

namespace widephase::fuzz {
namespace {

using test::Boxes;
using test::Pairs;

constexpr std::int32_t kMostWorlds = 4;

template <int D, class T>
Boxes<D, T> draw_boxes(Drawn& drawn) {
  Boxes<D, T> boxes;
  const bool is_periodic = drawn.byte() % 4 == 0;
  const int count = drawn.below(80);
  if (!is_periodic) drawn.draw_unit();
  for (int i = 0; i < count; ++i) {
    std::array<T, D> min, max;
    for (std::size_t d = 0; d < D; ++d) {
      if (is_periodic) {
        // Multiples of 1/64 are wrapped into a domain without rounding.
        const double centre = static_cast<double>(drawn.bits(2) % 4096) / 64 - 16;
        const double half = static_cast<double>(drawn.byte() % 128) / 64;
        min[d] = static_cast<T>(centre - half);
        max[d] = static_cast<T>(centre + half);
      } else {
        min[d] = drawn.real<T>();
        max[d] = drawn.real<T>();
        if (max[d] < min[d] && drawn.byte() % 16 != 0) std::swap(min[d], max[d]);
      }
    }
    boxes.add(min, max);
  }
  for (std::size_t d = 0; is_periodic && d < D; ++d) {
    boxes.domain.max[d] = static_cast<T>(8 + drawn.below(32));
    boxes.domain.periodic[d] = drawn.flag();
  }
  const unsigned filters = drawn.byte();
  for (int i = 0; i < count; ++i) {
    if ((filters & 1) != 0) boxes.world.push_back(drawn.below(kMostWorlds + 1) - 1);
    if ((filters & 2) != 0) boxes.category.push_back(drawn.byte());
    if ((filters & 4) != 0) boxes.mask.push_back(drawn.byte());
    if ((filters & 8) != 0) boxes.owner.push_back(drawn.below(5) - 1);
    if ((filters & 16) != 0) boxes.fixed.push_back(drawn.byte() % 2);
    if ((filters & 32) != 0) boxes.body.push_back(drawn.below(9) - 1);
  }
  for (int i = drawn.below(6); (filters & 64) != 0 && count > 0 && i > 0; --i) {
    boxes.excluded.push_back({drawn.below(count), drawn.below(count)});
    boxes.excluded_owners.push_back({drawn.below(5), drawn.below(5)});
  }
  if ((filters & 128) != 0) {
    for (std::int32_t world = 0; world < kMostWorlds; ++world) {
      boxes.world_mask.push_back(drawn.byte() % 2);
    }
  }
  return boxes;
}

/// Checks the pairs between two sets: the boxes before `first_asked`, and the others.
template <int D, class T>
void check_two_sets(const Boxes<D, T>& boxes, const Pairs& expected, std::size_t first_asked,
                    const PairOptions& options) {
  const auto part = [&](std::size_t begin, std::size_t end) {
    Boxes<D, T> rows;
    rows.domain = boxes.domain;
    for (std::size_t i = begin; i < end; ++i) {
      rows.add(boxes.bounds.min.row(i), boxes.bounds.max.row(i));
      if (!boxes.world.empty()) rows.world.push_back(boxes.world[i]);
      if (!boxes.category.empty()) rows.category.push_back(boxes.category[i]);
      if (!boxes.mask.empty()) rows.mask.push_back(boxes.mask[i]);
      if (!boxes.owner.empty()) rows.owner.push_back(boxes.owner[i]);
      if (!boxes.fixed.empty()) rows.fixed.push_back(boxes.fixed[i]);
      if (!boxes.body.empty()) rows.body.push_back(boxes.body[i]);
    }
    return rows;
  };
  const Boxes<D, T> kept = part(0, first_asked);
  Boxes<D, T> asked = part(first_asked, boxes.size());
  const auto first = static_cast<std::int32_t>(first_asked);
  for (std::size_t i = 0; i < boxes.excluded.size(); ++i) {
    const std::int32_t a = std::min(boxes.excluded(i, 0), boxes.excluded(i, 1));
    const std::int32_t b = std::max(boxes.excluded(i, 0), boxes.excluded(i, 1));
    if (a < first && b >= first) asked.excluded.push_back({a, b - first});
  }
  asked.excluded_owners = boxes.excluded_owners;
  asked.world_mask = boxes.world_mask;
  Column<Pair> pairs;
  PairWorkspace<D, T> workspace;
  BoundsTree<D, T> tree;
  build_tree<D, T>(kept.bounds, kept.filters(), kept.domain, tree, workspace, options);
  find_pairs<D, T>(tree, asked.bounds, asked.filters(), pairs, workspace, options);
  Pairs across;
  for (const auto& [a, b] : expected) {
    if (a < first && b >= first) across.emplace_back(a, b - first);
  }
  require(test::sorted(test::to_pairs(pairs)) == across,
          "pairs of two sets are those of brute force");
}

template <int D, class T>
void run(Drawn& drawn) {
  const Boxes<D, T> boxes = draw_boxes<D, T>(drawn);
  const Pairs expected = test::expected_pairs(boxes);
  PairOptions options;
  options.threads.count = 1;
  const auto first_asked = static_cast<std::size_t>(drawn.below(80)) % (boxes.size() + 1);
  Pairs first;
  for (const Isa isa : test::isas()) {
    options.isa = isa;
    try {
      const Pairs found = test::found_pairs(boxes, options);
      if (first.empty()) first = found;
      require(found == first, "all instruction sets find the pairs in one order");
      require(test::sorted(found) == expected, "pairs are those of brute force");
      check_two_sets(boxes, expected, first_asked, options);
    } catch (const Error&) {
      require(boxes.domain.is_periodic(), "boxes without a domain are taken");
    }
  }
}

}  // namespace
}  // namespace widephase::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  widephase::fuzz::Drawn drawn(data, size);
  widephase::fuzz::in_a_dimension_and_precision(drawn, [&]<int D, class T>() {
    using Real = widephase::PositionOf<T>;
    widephase::fuzz::run<D, Real>(drawn);
  });
  return 0;
}
