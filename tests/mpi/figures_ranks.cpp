// What ranks send and do in vain, in counts: no figure here is a time.
// Ranks: 8

#include <algorithm>
#include <cmath>

#include "mpi/ranks.hpp"
#include "scenes/scenes.hpp"

namespace widephase::test {
namespace {

struct Figures {
  double extra = 0;       ///< candidates beyond one machine's, as a share of these
  double imbalance = 0;
  double moved = 0;       ///< bytes per row that moved
  double copied = 0;      ///< bytes per body and step for copies
  double largest = 0;     ///< shapes of the fullest rank, copies too, over the mean of all
};

/// Those of the third step of bodies that drift: by then a division went by measured work.
template <int D, class T>
Figures figures_of(const char* name, std::size_t count, int ranks) {
  Figures figures;
  const SceneColumns<D, T> scene = scenes::generate<D, T>(name, {count, 3});
  on_ranks(ranks, [&](MPI_Comm some) {
    DistributedScene<D, T> distributed(some);
    distributed.take_whole(SceneSpan<D, T>(scene));
    ContactBuffer<D, T> contacts;
    std::int64_t moved_rows = 0, moved_bytes = 0;
    for (int step = 0; step < 3; ++step) {
      distributed.step(contacts);
      if (step > 0) {
        moved_rows += distributed.stats().moved_rows;
        moved_bytes += distributed.stats().moved_bytes;
      }
      for_each_table(distributed.own(), [](auto& table) {
        std::remove_cvref_t<decltype(table)>::for_each_own(
            [](const Field& field, auto& column) {
              using C = std::remove_cvref_t<decltype(column)>;
              if constexpr (C::width == D) {
                for (std::size_t i = 0; field.is_position && i < column.size(); ++i) column(i, 0) += 1;
              }
            },
            table);
      });
    }
    const DistributedStats& stats = distributed.stats();
    std::int64_t sums[] = {stats.candidates, stats.pairs, moved_rows, moved_bytes, stats.copied_bytes,
                           stats.own_shapes};
    MPI_Allreduce(MPI_IN_PLACE, sums, 6, MPI_INT64_T, MPI_SUM, some);
    std::int64_t most = stats.own_shapes + stats.copied_shapes;
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX, some);
    const auto ratio = [](std::int64_t a, std::int64_t b) {
      return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
    };
    figures.extra = ratio(sums[0], sums[1]) - 1;
    figures.imbalance = stats.imbalance;
    figures.moved = ratio(sums[3], sums[2]);
    figures.copied = ratio(sums[4], sums[5]);
    figures.largest = ratio(most * ranks, sums[5]);
    if (world_rank() == 0) {
      std::printf(
          "%s %dD, %zu bodies, %d ranks: extra candidates %.4f, imbalance %.3f, bytes per moved row "
          "%.1f (%lld rows), copied bytes per body %.2f, shapes of the fullest rank / mean %.3f\n",
          name, D, count, ranks, figures.extra, figures.imbalance, figures.moved,
          static_cast<long long>(sums[2]), figures.copied, figures.largest);
    }
  });
  return figures;
}

TEST(figures, copies_cost_little_beside_own_bodies) {
  // Borders are the square of the cube root: at 10^6 bodies, with a scale of 50, well below.
  const std::size_t count = scaled_count(20000);
  const Figures uniform = figures_of<3, float>("uniform", count, 8);
  const double bound = 0.03 * std::cbrt(1e6 / static_cast<double>(count));
  EXPECT_LE(uniform.extra, bound);
  EXPECT_LE(uniform.imbalance, 1.2);
  // A sphere has 16 bytes, and 4 more name its row. Headers are paid by few rows here.
  if (world_rank() < 8 && uniform.moved > 0) {
    EXPECT_LE(uniform.moved, 24 + 112 * std::min(1.0, 1000 / static_cast<double>(count)));
  }
}

TEST(figures, clusters_are_balanced_after_two_steps) {
  const Figures clustered = figures_of<3, float>("clustered", scaled_count(20000), 8);
  EXPECT_LE(clustered.imbalance, 1.2);
  figures_of<2, float>("uniform", scaled_count(20000), 8);
  for (const int ranks : {1, 2, 4}) figures_of<3, float>("uniform", scaled_count(20000), ranks);
}

}  // namespace
}  // namespace widephase::test
