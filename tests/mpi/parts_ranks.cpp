// A world from the parts that ranks have, and its contacts in one place.
// Ranks: 3

#include <cmath>
#include <string>

#include <widephase/version.hpp>

#include "mpi/messages.hpp"
#include "mpi/ranks.hpp"

namespace widephase::test {
namespace {

TEST(parts, parts_without_optional_columns_get_the_defaults) {
  // Two bodies of two spheres each; the second rank's has no category, key or turn.
  SceneColumns<3, float> whole;
  whole.spheres.center = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}};
  whole.spheres.radius = {0.6f, 0.6f, 0.6f, 0.6f};
  whole.spheres.body = {0, 0, 1, 1};
  whole.bodies.position = {{0, 0, 0}, {0.5f, 0.5f, 0}};
  const float half = std::sqrt(0.5f);
  SceneColumns<3, float> first = whole, second = whole;
  first.spheres.center.resize(2);
  first.spheres.radius.resize(2);
  first.spheres.body.resize(2);
  first.spheres.category.resize(2, 3);
  first.spheres.key.resize(2, 70);
  first.spheres.key[1] = 71;
  first.bodies.position.resize(1);
  first.bodies.turn.push_back({0, 0, half, half});
  second.spheres.center = {{0, 0, 0}, {1, 0, 0}};
  second.spheres.radius.resize(2);
  second.spheres.body = {1, 1};
  second.bodies.position = {{0.5f, 0.5f, 0}};
  whole.spheres.category = {3, 3, 1, 1};
  whole.spheres.key = {70, 71, 2, 3};
  whole.bodies.turn = {{0, 0, half, half}, {0, 0, 0, 1}};
  Hashes expected;
  if (world_rank() == 0) {
    expected = single_hashes<3, float>(whole, {});
    EXPECT_GT(expected.contacts, 0u);
  }
  on_ranks(2, [&](MPI_Comm ranks) {
    const bool is_first = world_rank() == 0;
    const std::vector<std::int32_t> numbers = is_first ? std::vector<std::int32_t>{0, 1}
                                                       : std::vector<std::int32_t>{2, 3};
    const std::vector<std::int32_t> bodies{is_first ? 0 : 1};
    std::array<ColumnSpan<std::int32_t>, kKindCount> rows;
    rows[0] = numbers;
    DistributedScene<3, float> distributed(ranks);
    distributed.take(is_first ? first : second, rows, bodies);
    ContactBuffer<3, float> contacts;
    distributed.step(contacts);
    const Hashes hashes = gathered_hashes<3, float>(ranks, contacts);
    if (world_rank() == 0) {
      EXPECT_EQ(hashes, expected);
    }
  });
}

/// Expects a sentence of `take`, or none, where two ranks have these circles and bodies.
void expect_of_take(const std::vector<std::vector<std::int32_t>>& circles,
                    const std::vector<std::vector<std::int32_t>>& bodies, const std::string& expected) {
  on_ranks(2, [&](MPI_Comm ranks) {
    const auto rank = static_cast<std::size_t>(world_rank());
    SceneColumns<2, float> part;
    part.circles.center.resize(circles[rank].size());
    part.circles.radius.resize(circles[rank].size(), 1);
    part.bodies.position.resize(bodies[rank].size());
    std::array<ColumnSpan<std::int32_t>, kKindCount> rows;
    rows[0] = circles[rank];
    DistributedScene<2, float> distributed(ranks);
    std::string said;
    try {
      distributed.take(part, rows, bodies[rank]);
    } catch (const Error& error) {
      said = error.what();
    }
    EXPECT_EQ(said, expected);
  });
}

TEST(parts, each_row_and_each_body_is_on_one_rank) {
  const std::string rows = "the ranks together must have each row of the circle table once, from 0 on";
  const std::string body = "the ranks together must have each body once, from 0 on";
  // As many rows as the largest says, and of the right sum.
  expect_of_take({{0, 0}, {3, 3}}, {{}, {}}, rows);
  expect_of_take({{-1, 2}, {2}}, {{}, {}}, rows);
  expect_of_take({{0, 3}, {2, 1}}, {{}, {}}, "");
  expect_of_take({{0}, {1}}, {{0, 1}, {1}}, body);
  expect_of_take({{0}, {1}}, {{0, 0}, {3, 3}}, body);
  expect_of_take({{0}, {1}}, {{-1}, {0}}, body);
  expect_of_take({{0}, {1}}, {{1}, {0}}, "");
}

TEST(parts, ranks_of_different_versions_are_refused_by_all) {
  const Communicator all(MPI_COMM_WORLD);
  EXPECT_NO_THROW(require_one_version(all, version()));
  std::string said;
  try {
    require_one_version(all, all.rank() == 2 ? "0.9.1" : "0.9.0");
  } catch (const Error& error) {
    said = error.what();
  }
  EXPECT_EQ(said,
            "rank 0 runs widephase 0.9.0 and rank 2 runs 0.9.1; install one version on all machines");
}

TEST(parts, a_rank_without_memory_is_named_on_all) {
  const Communicator all(MPI_COMM_WORLD);
  std::string said;
  try {
    run_together(all, [&] {
      if (all.rank() == 1) throw NoMemory(10, 40);
    });
  } catch (const Error& error) {
    said = error.what();
  }
  EXPECT_EQ(said,
            "rank 1 of 3 has not enough memory (out of memory: a column of 10 rows takes 40 bytes); "
            "use more ranks on more machines");
}

TEST(parts, contacts_are_gathered_of_buffers_that_nobody_wrote_to) {
  SceneColumns<2, float> scene;
  scene.circles.center = {{0, 0}, {1, 0}};
  scene.circles.radius = {1, 1};
  ContactBuffer<2, float> found, none;
  Workspace<2, float> workspace;
  collide<2, float>(scene, found, workspace);
  ASSERT_EQ(found.size(), 1u);
  collide<2, float>({}, none, workspace);
  on_ranks(3, [&](MPI_Comm ranks) {
    ContactBuffer<2, float> gathered;
    gather<2, float>(ranks, ContactBuffer<2, float>{}, gathered);
    EXPECT_EQ(gathered.size(), 0u);
    EXPECT_EQ(hash(gathered), hash(none));
    ASSERT_EQ(gathered.offset.size(), 1u);
    EXPECT_EQ(gathered.offset[0], 0);
    // Beside one that has a contact, at another root.
    gather<2, float>(ranks, world_rank() == 1 ? found : ContactBuffer<2, float>{}, gathered, 2);
    EXPECT_EQ(gathered.size(), world_rank() == 2 ? 1u : 0u);
    if (world_rank() == 2) {
      EXPECT_EQ(hash(gathered), hash(found));
    }
    for (const int root : {-1, 3}) {
      std::string said;
      try {
        gather<2, float>(ranks, found, gathered, root);
      } catch (const Error& error) {
        said = error.what();
      }
      EXPECT_EQ(said, "root is " + std::to_string(root) +
                          "; the communicator has 3 ranks, counted from 0");
    }
  });
}

}  // namespace
}  // namespace widephase::test
