// Who owns what: whole worlds where that is best, regions of the caller's. Contacts do not show it.
// Ranks: 7

#include <string>

#include "mpi/ranks.hpp"
#include "scenes/random.hpp"
#include "scenes/scenes.hpp"

namespace widephase::test {
namespace {

/// Expects one machine's contacts in each of two steps, and returns what the last one did here.
template <int D, class T>
DistributedStats expect_hashes(MPI_Comm ranks, const SceneColumns<D, T>& scene, const DistributedOptions& how) {
  Hashes expected;
  if (world_rank() == 0) expected = single_hashes<D, T>(scene, {});
  DistributedScene<D, T> distributed(ranks, how);
  distributed.take_whole(SceneSpan<D, T>(scene));
  for (int step = 0; step < 2; ++step) {
    ContactBuffer<D, T> contacts;
    distributed.step(contacts);
    const Hashes hashes = gathered_hashes<D, T>(ranks, contacts);
    if (world_rank() == 0) {
      EXPECT_EQ(hashes, expected);
      EXPECT_GT(hashes.contacts, 0u);
    }
  }
  return distributed.stats();
}

TEST(division, worlds_stay_whole_where_all_ranks_get_about_as_much) {
  SceneColumns<3, float> scene = scenes::generate<3, float>("worlds", {5600, 3});
  on_ranks(7, [&](MPI_Comm ranks) {
    const DistributedStats stats = expect_hashes<3, float>(ranks, scene, {});
    EXPECT_EQ(stats.division, Division::worlds);
    EXPECT_EQ(stats.copied_shapes, 0);
    EXPECT_EQ(stats.candidates, stats.pairs);
    // One for all worlds lies on every rank.
    SceneColumns<3, float> shared = scene;
    for_each_table(shared, [](auto& table) {
      if (row_count(table) > 0) table.world[0] = -1;
    });
    EXPECT_EQ((expect_hashes<3, float>(ranks, shared, {}).division), Division::worlds);
    // A partition of the caller's is of space.
    Bricks bricks(3, {{{0.1, 0.2, 0.3}, {}, {}}});
    DistributedOptions how;
    how.partition = &bricks;
    EXPECT_EQ((expect_hashes<3, float>(ranks, scene, how).division), Division::space);
  });
}

TEST(division, a_large_world_is_cut) {
  // Half of all shapes are in one world: no rank of three can have it whole.
  SceneColumns<2, float> scene = scenes::generate<2, float>("uniform", {3000, 3});
  for_each_table(scene, [](auto& table) {
    for (std::size_t row = 0; row < row_count(table); ++row) {
      table.world.push_back(row % 2 == 0 ? 0 : static_cast<std::int32_t>(row % 50));
    }
  });
  on_ranks(3, [&](MPI_Comm ranks) {
    EXPECT_EQ((expect_hashes<2, float>(ranks, scene, {}).division), Division::space);
    for_each_table(scene, [](auto& table) {
      for (std::int32_t& world : std::span<std::int32_t>(table.world.plane(), row_count(table))) world = -1;
    });
    // Shapes that meet all worlds would be on every rank.
    EXPECT_EQ((expect_hashes<2, float>(ranks, scene, {}).division), Division::space);
  });
}

TEST(division, a_step_that_failed_after_shapes_had_moved_is_none_to_divide_by) {
  const SceneColumns<3, float> scene = scenes::generate<3, float>("uniform", {2000, 3});
  const auto shift = [](SceneColumns<3, float>& some, float by) {
    for (float& x : std::span<float>(some.spheres.center.plane(0), row_count(some.spheres))) x += by;
  };
  Hashes expected;
  if (world_rank() == 0) {
    SceneColumns<3, float> moved = scene;
    shift(moved, 3);
    expected = single_hashes<3, float>(moved, {});
  }
  on_ranks(3, [&](MPI_Comm ranks) {
    Bricks bricks(3, {{{4, 8}, {}, {}}});
    DistributedOptions how;
    how.most_imbalance = 1;
    how.partition = &bricks;
    DistributedScene<3, float> distributed(ranks, how);
    distributed.take_whole(SceneSpan<3, float>(scene));
    ContactBuffer<3, float> contacts;
    distributed.step(contacts);
    shift(distributed.own(), 3);
    CollideOptions wrong;
    wrong.margin = -1;
    EXPECT_THROW(distributed.step(contacts, wrong), Error);
    distributed.step(contacts);
    EXPECT_TRUE(distributed.stats().was_divided);
    const Hashes hashes = gathered_hashes<3, float>(ranks, contacts);
    if (world_rank() == 0) {
      EXPECT_EQ(hashes, expected);
      EXPECT_GT(hashes.contacts, 0u);
    }
  });
}

TEST(division, regions_of_bricks_are_ranks) {
  SceneColumns<2, float> scene = scenes::generate<2, float>("uniform", {3000, 3});
  const double side = scenes::uniform_side<2>(3000);
  // Some reach across many bricks.
  for (std::size_t i = 0; i < row_count(scene.circles); i += 400) scene.circles.radius[i] *= 8;
  scene.domain.periodic = {true, false};
  scene.domain.max = {static_cast<float>(side), static_cast<float>(side)};
  for (const int count : {1, 3, 7}) {
    scenes::Random random(11);
    std::vector<int> regions(30 * 20);
    for (int& rank : regions) rank = random.below(count);
    const Bricks bricks(2, std::vector<double>{0, 0}, std::vector<double>{side, side}, std::vector<int>{30, 20}, regions);
    EXPECT_EQ(bricks.size(), count);
    on_ranks(count, [&](MPI_Comm ranks) {
      Bricks own = bricks;
      DistributedOptions how;
      how.partition = &own;
      expect_hashes<2, float>(ranks, scene, how);
    });
  }
}

TEST(division, ranks_of_bricks_are_checked) {
  const auto said = [](std::vector<int> ranks) -> std::string {
    try {
      Bricks(2, {{{1, 2}, {5}, {}}}, std::move(ranks));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(said({}), "");
  EXPECT_EQ(said({0, 1, 2, 2, 1, 0}), "");
  EXPECT_EQ(said({0, 1, 2}), "there are 6 bricks and 3 ranks; give one for each");
  EXPECT_EQ(said({0, 1, -2, 2, 1, 0}), "the ranks of bricks count from 0");
  const Bricks bricks(2, {{{1, 2}, {5}, {}}}, {4, 1, 2, 2, 1, 0});
  std::vector<int> ranks;
  const double low[] = {1.5, 3}, high[] = {2, 5};
  bricks.ranks_of(low, high, ranks);
  EXPECT_EQ(ranks, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(bricks.owner_of(low), 1);
  EXPECT_EQ(bricks.owner_of(high), 0);
}

}  // namespace
}  // namespace widephase::test
