#include "support/mixed_pairs.hpp"

namespace widephase::test {

template <int D>
std::vector<SolidPair<D>> mixed_pairs(std::size_t count, std::uint64_t seed) {
  std::vector<SolidPair<D>> all;
  for (const Kind a : kinds(D)) {
    for (const Kind b : kinds(D)) {
      for (const auto& family :
           {random_pairs<D>(a, b, count, seed), grid_pairs<D>(a, b, count, seed + 1),
            near_grid_pairs<D>(a, b, count, seed + 2), sized_pairs<D>(a, b, count, seed + 3),
            far_pairs<D>(random_pairs<D>(a, b, count, seed + 4), seed + 5)}) {
        all.insert(all.end(), family.begin(), family.end());
      }
    }
  }
  if constexpr (D == 2) {
    const auto family = pairs_of_many_corners(10 * count, seed + 6);
    all.insert(all.end(), family.begin(), family.end());
  } else {
    for (const auto& family :
         {crossing_edges(Kind::box, Kind::box, 2 * count, seed + 6), thin_boxes(count, seed + 7),
          concentric_boxes(count, seed + 8), stacked_boxes(2 * count, seed + 9)}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    for (const Kind a : {Kind::box, Kind::hull, Kind::cylinder}) {
      for (const Kind b : {Kind::hull, Kind::cylinder}) {
        if (!has_kind(D, a) || !has_kind(D, b)) continue;
        const auto family = stacked_solids(a, b, count, seed + 10);
        all.insert(all.end(), family.begin(), family.end());
      }
    }
  }
  Random random(seed);
  for (std::size_t i = all.size(); i > 1; --i) {
    std::swap(all[i - 1],
              all[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
  }
  return all;
}

#define WIDEPHASE_INSTANTIATE(D) \
  template std::vector<SolidPair<D>> mixed_pairs<D>(std::size_t count, std::uint64_t seed)
WIDEPHASE_INSTANTIATE(2);
WIDEPHASE_INSTANTIATE(3);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
