// Point sets are where the shapes are that name them, and nowhere else.
// Ranks: 4

#include <array>
#include <cmath>

#include <widephase/heightfields.hpp>
#include <widephase/hulls.hpp>

#include "mpi/ranks.hpp"
#include "scenes/random.hpp"
#include "support/allocations.hpp"

namespace widephase::test {
namespace {

/// Hulls in a row along x, each with a point set of its own.
SceneColumns<3, float> row_of_hulls(int count) {
  SceneColumns<3, float> scene;
  for (int i = 0; i < count; ++i) {
    scene.hulls.geometry.push_back(add_cylinder_hull(scene.geometries, 8 + i % 5, 0.5f, 0.51f + 0.0001f * static_cast<float>(i)));
    scene.hulls.center.push_back({static_cast<float>(i), 0, 0});
    scene.hulls.turn.push_back({0, 0, 0, 1});
  }
  return scene;
}

/// A square of height fields that share their borders, and balls on them, many at seams and corners.
SceneColumns<3, float> tiles(int side, int balls) {
  SceneColumns<3, float> scene;
  constexpr int kSamples = 5;
  const auto height = [](int x, int y) {
    return static_cast<float>(0.3 * std::sin(0.9 * x) + 0.3 * std::cos(1.3 * y));
  };
  HeightfieldTable<Owned<3, float>>& fields = scene.heightfield_geometries;
  fields.offsets.push_back(0);
  const auto number = [&](int x, int y) { return x < 0 || y < 0 || x >= side || y >= side ? -1 : y * side + x; };
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      for (int j = 0; j < kSamples; ++j) {
        for (int i = 0; i < kSamples; ++i) {
          const bool is_inside = i % (kSamples - 1) != 0 && j % (kSamples - 1) != 0;
          const bool is_hill = is_inside && x % 2 == 0 && y % 2 == 0;
          fields.heights.push_back(height((kSamples - 1) * x + i, (kSamples - 1) * y + j) + (is_hill ? 2.0f : 0.0f));
        }
      }
      fields.offsets.push_back(static_cast<std::int64_t>(fields.heights.size()));
      fields.columns.push_back(kSamples);
      fields.cell.push_back({1, 1});
      fields.neighbours.push_back({number(x - 1, y), number(x + 1, y), number(x, y - 1), number(x, y + 1)});
      scene.heightfields.center.push_back({static_cast<float>((kSamples - 1) * x), static_cast<float>((kSamples - 1) * y), 0});
      scene.heightfields.turn.push_back({0, 0, 0, 1});
      scene.heightfields.geometry.push_back(number(x, y));
    }
  }
  scenes::Random random(3);
  const int cells = side * (kSamples - 1);
  for (int i = 0; i < balls; ++i) {
    const int x = i % 3 == 0 ? (kSamples - 1) * random.below(side + 1) : random.below(cells);
    const int y = i % 2 == 0 ? (kSamples - 1) * random.below(side + 1) : random.below(cells);
    scene.spheres.center.push_back({static_cast<float>(x), static_cast<float>(y), height(x, y) + 0.3f});
    scene.spheres.radius.push_back(0.45f);
  }
  // Wider than half a tile, beyond all corners: a rank answers for them that has no part of the tile there, a hill by
  // which they do not feel the corner.
  for (int y = 1; y < side; ++y) {
    for (int x = 1; x < side; ++x) {
      const int i = (kSamples - 1) * x, j = (kSamples - 1) * y;
      scene.spheres.center.push_back({static_cast<float>(i) + 1, static_cast<float>(j) + 1, height(i, j) + 3});
      scene.spheres.radius.push_back(3.5f);
    }
  }
  return scene;
}

struct Held {
  std::int64_t most_sets = 0;   ///< of a rank, in the last step
  double bytes_per_move = 0;    ///< of shapes that moved, in all steps
  std::int64_t moves = 0;
  std::size_t most_bytes = 0;   ///< that a rank holds
};

/// Expects one machine's contacts of each of some steps, in which the world drifts over its cuts.
template <int D, class T>
Held expect_one_hash(const SceneColumns<D, T>& given, int ranks, float drift, int steps = 3) {
  Held held;
  std::vector<Hashes> expected;
  const auto move = [&](auto& scene, int step) {
    const auto one = [&](auto& column) {
      for (std::size_t i = 0; i < column.size(); ++i) column(i, 0) += drift * static_cast<float>(step % 2 == 0 ? 1 : -1);
    };
    one(scene.hulls.center);
    one(scene.spheres.center);
    if (scene.spheres.center.empty()) return;
    one(scene.heightfields.center);
  };
  SceneColumns<D, T> scene = given;
  for (int step = 0; step < steps && world_rank() == 0; ++step) {
    expected.push_back(single_hashes<D, T>(scene, {}));
    EXPECT_GT(expected.back().contacts, 0u);
    move(scene, step);
  }
  on_ranks(ranks, [&](MPI_Comm some) {
    const std::vector<double> low{0, 0, 0}, high{static_cast<double>(row_count(given.hulls) + 48), 48, 1};
    const bool is_square = ranks == 4 && row_count(given.heightfields) != 0;
    Bricks bricks(3, low, high, is_square ? std::vector<int>{2, 2, 1} : std::vector<int>{ranks, 1, 1});
    DistributedOptions how;
    how.partition = drift == 0 ? nullptr : &bricks;  // cuts that stay, so that shapes cross them
    DistributedScene<D, T> distributed(some, how);
    distributed.take_whole(SceneSpan<D, T>(given));
    std::int64_t sums[2] = {0, 0};
    for (int step = 0; step < steps; ++step) {
      ContactBuffer<D, T> contacts;
      distributed.step(contacts);
      if (step > 0) {
        sums[0] += distributed.stats().moved_rows;
        sums[1] += distributed.stats().moved_bytes;
      }
      const Hashes hashes = gathered_hashes<D, T>(some, contacts);
      if (world_rank() == 0) {
        EXPECT_EQ(hashes, expected[static_cast<std::size_t>(step)]) << ranks << " ranks, step " << step;
      }
      move(distributed.own(), step);
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT64_T, MPI_SUM, some);
    std::int64_t most[2] = {distributed.stats().point_sets, static_cast<std::int64_t>(distributed.stats().bytes)};
    MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_INT64_T, MPI_MAX, some);
    held = {most[0], sums[0] == 0 ? 0 : static_cast<double>(sums[1]) / static_cast<double>(sums[0]), sums[0],
            static_cast<std::size_t>(most[1])};
  });
  return held;
}

TEST(point_sets, a_rank_holds_those_of_its_shapes_and_of_copies) {
  const SceneColumns<3, float> scene = row_of_hulls(300);
  const Held one = expect_one_hash(scene, 1, 0);
  const Held four = expect_one_hash(scene, 4, 0);
  if (world_rank() != 0) return;
  std::printf("300 hulls: sets of the fullest of 4 ranks %lld, bytes %zu; of 1 rank %lld, %zu\n",
              static_cast<long long>(four.most_sets), four.most_bytes,
              static_cast<long long>(one.most_sets), one.most_bytes);
  EXPECT_EQ(one.most_sets, 300);
  EXPECT_LE(four.most_sets, 80);
  EXPECT_LE(four.most_bytes, one.most_bytes / 2);
}

TEST(point_sets, they_move_once_with_their_shapes) {
  const SceneColumns<3, float> scene = row_of_hulls(200);
  const Held held = expect_one_hash(scene, 4, 40);
  if (world_rank() != 0) return;
  // A hull has 32 bytes and its set, of 16 to 24 vertices, 240 on average.
  std::printf("bytes per moved hull: %.1f (%lld moves)\n", held.bytes_per_move, static_cast<long long>(held.moves));
  EXPECT_GT(held.moves, 50);
  EXPECT_LE(held.most_sets, 80);  // 62 hulls are in a brick, and a quarter more may stay
  EXPECT_LE(held.bytes_per_move, 1.2 * (32 + 240));
}

TEST(point_sets, height_fields_come_with_those_around_them) {
  const SceneColumns<3, float> scene = tiles(12, 300);
  for (const int ranks : {1, 2, 4}) {
    const Held held = expect_one_hash(scene, ranks, 0);
    expect_one_hash(scene, ranks, -6);
    if (world_rank() == 0 && ranks == 4) {
      EXPECT_LT(held.most_sets, 110);
    }
  }
}

template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing is wrong";
}

TEST(point_sets, what_is_wrong_with_one_is_said_as_by_one_machine) {
  const SceneColumns<3, float> scene = row_of_hulls(40);
  SceneColumns<3, float> flat = scene, far = scene, unordered = scene, tile = tiles(3, 10);
  for (std::size_t row = static_cast<std::size_t>(flat.geometries.offsets[30]); row < flat.geometries.vertices.size(); ++row) flat.geometries.vertices(row, 2) = 0;
  far.hulls.geometry[33] = 40;
  unordered.geometries.offsets[7] = 1000000;
  tile.heightfield_geometries.neighbours(4, 2) = 17;
  for (const SceneColumns<3, float>* wrong : {&flat, &far, &unordered, &tile}) {
    const std::string expected = error_of([&] {
      ContactBuffer<3, float> contacts;
      Workspace<3, float> workspace;
      collide<3, float>(*wrong, contacts, workspace);
    });
    EXPECT_NE(expected, "nothing is wrong");
    on_ranks(4, [&](MPI_Comm ranks) {
      const std::string said = error_of([&] {
        DistributedScene<3, float> distributed(ranks);
        distributed.take_whole(SceneSpan<3, float>(*wrong));
        ContactBuffer<3, float> contacts;
        distributed.step(contacts);
      });
      EXPECT_EQ(said, expected);
    });
  }
}

TEST(point_sets, a_shape_is_given_another_one_only_where_that_is) {
  const SceneColumns<3, float> given = row_of_hulls(40);
  SceneColumns<3, float> changed = given;
  on_ranks(4, [&](MPI_Comm ranks) {
    DistributedScene<3, float> distributed(ranks);
    distributed.take_whole(SceneSpan<3, float>(given));
    ContactBuffer<3, float> contacts;
    distributed.step(contacts);
    // The first of each rank becomes like the second.
    std::vector<std::int32_t> firsts(4);
    auto& hulls = distributed.own().hulls;
    ASSERT_GE(row_count(hulls), 2u);
    const std::int32_t first = hulls.geometry[0];
    hulls.geometry[0] = hulls.geometry[1];
    MPI_Allgather(&first, 1, MPI_INT, firsts.data(), 1, MPI_INT, ranks);
    for (const std::int32_t row : firsts) changed.hulls.geometry[static_cast<std::size_t>(row)] = row + 1;
    distributed.step(contacts);
    const Hashes hashes = gathered_hashes<3, float>(ranks, contacts);
    if (world_rank() == 0) {
      EXPECT_EQ(hashes, (single_hashes<3, float>(changed, {})));
    }
    auto& geometry = distributed.own().hulls.geometry;
    geometry[0] = geometry[0] < 20 ? 39 : 0;
    const std::string said = error_of([&] { distributed.step(contacts); });
    EXPECT_TRUE(said.starts_with("hull.geometry[")) << said;
    EXPECT_NE(said.find(", which this rank does not hold; "), std::string::npos) << said;
  });
}

/// A tile at a cut gets the heights of the second one beyond it, of which the rank has no shape.
TEST(point_sets, a_height_field_that_is_here_for_others_is_not_a_shapes) {
  const SceneColumns<3, float> scene = tiles(12, 0);
  on_ranks(4, [&](MPI_Comm ranks) {
    Bricks bricks(3, std::vector<double>{0, 0, 0}, std::vector<double>{48, 48, 1}, std::vector<int>{2, 2, 1});
    DistributedOptions how;
    how.partition = &bricks;
    DistributedScene<3, float> distributed(ranks, how);
    distributed.take_whole(SceneSpan<3, float>(scene));
    ContactBuffer<3, float> contacts;
    distributed.step(contacts);
    const Column<std::int32_t>& rows = distributed.own_rows(Kind::heightfield);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] == 65) distributed.own().heightfields.geometry[i] = 67;
    }
    const std::string said = error_of([&] { distributed.step(contacts); });
    EXPECT_TRUE(said.starts_with("heightfield.geometry[65] is 67, which this rank does not hold; ")) << said;
  });
}

TEST(point_sets, a_rank_without_memory_ends_all) {
  if (!kCountsAllocations) GTEST_SKIP() << "the thread sanitizer keeps its own operator new";
  const SceneColumns<3, float> scene = row_of_hulls(300);
  on_ranks(3, [&](MPI_Comm ranks) {
    DistributedScene<3, float> distributed(ranks);
    ContactBuffer<3, float> contacts;
    distributed.take_whole(SceneSpan<3, float>(scene));
    const auto expect_want = [&](std::size_t most, const auto& work) {
      if (world_rank() == 1) largest_allocation = most;
      const std::string said = error_of(work);
      largest_allocation = ~std::size_t{0};
      EXPECT_TRUE(said.starts_with("rank 1 of 3 has not enough memory (")) << said;
      distributed.step(contacts);
      return distributed.stats().own_shapes;
    };
    // For its rows, and for the sets that it checks: the old world stays.
    for (const std::size_t most : {std::size_t{1000}, std::size_t{8000}}) {
      EXPECT_GT(expect_want(most, [&] { distributed.take_whole(SceneSpan<3, float>(scene)); }), 0);
    }
    SceneColumns<3, float> part;
    Column<std::int32_t> rows;
    for (int i = 0; i < 3000; ++i) {
      part.spheres.center.push_back({static_cast<float>(i), 3.0f * static_cast<float>(world_rank()), 0});
      part.spheres.radius.push_back(0.6f);
      rows.push_back(3 * i + world_rank());
    }
    std::array<ColumnSpan<std::int32_t>, kKindCount> numbers;
    numbers[static_cast<std::size_t>(Kind::sphere)] = rows;
    EXPECT_EQ(expect_want(8000, [&] { distributed.take(part, numbers, {}); }), 0);
    // For what rays meet.
    distributed.take(part, numbers, {});
    const std::size_t count = 3000;
    Column<float, 3> origin, direction;
    for (std::size_t i = 0; i < count; ++i) {
      origin.push_back({static_cast<float>(i), -5, 0});
      direction.push_back({0, 1, 0});
    }
    RayHits<3, float> hits;
    EXPECT_GT(expect_want(8000, [&] { distributed.cast_rays({origin, direction, {}, {}}, hits); }), 0);
    distributed.take_whole(SceneSpan<3, float>(scene));
    distributed.step(contacts);
    const Hashes hashes = gathered_hashes<3, float>(ranks, contacts);
    if (world_rank() == 0) {
      EXPECT_EQ(hashes, (single_hashes<3, float>(scene, {})));
    }
  });
}

}  // namespace
}  // namespace widephase::test
