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
  double work = 0;        ///< shapes and candidates of the busiest rank
  double bytes = 0;       ///< that the fullest rank holds
};

/// Those of the third step of bodies that drift: by then a division went by measured work.
template <int D, class T>
Figures figures_of(const char* name, std::size_t count, int ranks, bool is_tracked = false) {
  Figures figures;
  const SceneColumns<D, T> scene = scenes::generate<D, T>(name, {count, 3});
  on_ranks(ranks, [&](MPI_Comm some) {
    DistributedScene<D, T> distributed(some);
    distributed.take_whole(SceneSpan<D, T>(scene));
    ContactBuffer<D, T> contacts;
    DistributedTracker<D, T> tracker;
    std::int64_t moved_rows = 0, moved_bytes = 0;
    for (int step = 0; step < 3; ++step) {
      if (is_tracked) {
        distributed.step(contacts, tracker);
      } else {
        distributed.step(contacts);
      }
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
                           stats.own_shapes, stats.moved_pairs, stats.tracker_bytes, stats.contacts};
    MPI_Allreduce(MPI_IN_PLACE, sums, 9, MPI_INT64_T, MPI_SUM, some);
    const std::int64_t shapes = stats.own_shapes + stats.copied_shapes;
    std::int64_t most[] = {shapes, shapes + stats.candidates, static_cast<std::int64_t>(stats.bytes)};
    MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_INT64_T, MPI_MAX, some);
    const auto ratio = [](std::int64_t a, std::int64_t b) {
      return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
    };
    figures.extra = ratio(sums[0], sums[1]) - 1;
    figures.imbalance = stats.imbalance;
    figures.moved = ratio(sums[3], sums[2]);
    figures.copied = ratio(sums[4], sums[5]);
    figures.largest = ratio(most[0] * ranks, sums[5]);
    figures.work = static_cast<double>(most[1]);
    figures.bytes = static_cast<double>(most[2]);
    if (world_rank() == 0) {
      std::printf(
          "%s %dD, %zu bodies, %d ranks: extra candidates %.4f, imbalance %.3f, bytes per moved row "
          "%.1f (%lld rows), copied bytes per body %.2f, shapes of the fullest rank / mean %.3f, shapes and "
          "candidates of the busiest rank %.0f, bytes of the fullest %.0f\n",
          name, D, count, ranks, figures.extra, figures.imbalance, figures.moved,
          static_cast<long long>(sums[2]), figures.copied, figures.largest, figures.work, figures.bytes);
      if (is_tracked) {
        std::printf("  tracked: %lld of %lld contacts' pairs moved, bytes per moved pair %.1f, per body %.2f\n",
                    static_cast<long long>(sums[6]), static_cast<long long>(sums[8]), ratio(sums[7], sums[6]),
                    ratio(sums[7], sums[5]));
      }
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
}

TEST(figures, a_world_on_more_ranks_is_less_work_and_memory_on_each) {
  const std::size_t count = scaled_count(20000);
  const Figures one = figures_of<3, float>("uniform", count, 1);
  for (const int ranks : {2, 4, 8}) {
    const Figures strong = figures_of<3, float>("uniform", count, ranks);
    if (world_rank() != 0) continue;
    const double share = 1.0 / ranks;
    EXPECT_LE(strong.work, share * one.work * strong.largest * 1.05) << ranks;
    // A megabyte is each rank's, however little it has.
    EXPECT_LE(strong.bytes, 1.3 * share * one.bytes * strong.largest + 1e6) << ranks;
  }
  for (const int ranks : {2, 4, 8}) {
    figures_of<3, float>("uniform", count / 8 * static_cast<std::size_t>(ranks), ranks);  // as many on each
  }
}

TEST(figures, few_pairs_of_a_tracker_move) {
  figures_of<3, float>("uniform", scaled_count(20000), 8, true);
}

}  // namespace
}  // namespace widephase::test
