// A world on several ranks has the contacts of one machine, to the bit, whoever owns what.
// Ranks: 7

#include <cmath>

#include <widephase/chains.hpp>
#include <widephase/hulls.hpp>

#include "mpi/ranks.hpp"
#include "scenes/random.hpp"
#include "scenes/scenes.hpp"

namespace widephase::test {
namespace {

/// How far a row moves in a step, along an axis: the same wherever it is.
double move_of(std::int32_t row, int step, int axis) {
  return 0.3 * std::sin(0.37 * row + 1.7 * step + 2.1 * axis);
}

/// Moves shapes, all positions of each alike; `row_of(kind, row)` is a row in the world.
template <int D, class T, class RowOf>
void move(SceneColumns<D, T>& scene, int step, const RowOf& row_of) {
  for_each_table(scene, [&](auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    Table::for_each_own(
        [&](const Field& field, auto& column) {
          using C = std::remove_cvref_t<decltype(column)>;
          if constexpr (C::width == D) {
            if (!field.is_position) return;
            for (std::size_t i = 0; i < column.size(); ++i) {
              for (int k = 0; k < D; ++k) {
                using V = typename C::value_type;
                column(i, k) += static_cast<V>(move_of(row_of(Table::kind, i), step, k));
              }
            }
          }
        },
        table);
  });
}

/// Expects the hashes of one machine from numbers of ranks, in each of two steps.
template <int D, class T>
void expect_one_hash(const SceneColumns<D, T>& given, const CollideOptions& options = {},
                     Division division = Division::space, const std::vector<int>& counts = {2, 7}) {
  const int steps = 2;
  std::vector<Hashes> expected(static_cast<std::size_t>(steps));
  if (world_rank() == 0) {
    SceneColumns<D, T> scene = given;
    for (int step = 0; step < steps; ++step) {
      expected[static_cast<std::size_t>(step)] = single_hashes<D, T>(scene, options);
      EXPECT_GT(expected[static_cast<std::size_t>(step)].contacts, 0u);
      move(scene, step, [](Kind, std::size_t row) { return static_cast<std::int32_t>(row); });
    }
  }
  for (const int count : counts) {
    on_ranks(count, [&](MPI_Comm ranks) {
      DistributedOptions how;
      how.division = division;
      DistributedScene<D, T> scene(ranks, how);
      scene.take_whole(SceneSpan<D, T>(given));
      for (int step = 0; step < steps; ++step) {
        ContactBuffer<D, T> contacts;
        scene.step(contacts, options);
        const Hashes hashes = gathered_hashes<D, T>(ranks, contacts);
        if (world_rank() == 0) {
          const Hashes& wanted = expected[static_cast<std::size_t>(step)];
          EXPECT_EQ(hashes.contacts, wanted.contacts) << count << " ranks, step " << step;
          EXPECT_EQ(hashes.ordered, wanted.ordered) << count << " ranks, step " << step;
          EXPECT_EQ(hashes.content, wanted.content) << count << " ranks, step " << step;
        }
        move(scene.own(), step,
             [&](Kind kind, std::size_t row) { return scene.own_rows(kind)[row]; });
      }
    });
  }
}

/// Every optional column of every table, with a few worlds.
template <int D, class T>
void add_all_tags(SceneColumns<D, T>& scene) {
  scenes::Random random(7);
  std::int64_t key = 1000000;
  for_each_table(scene, [&](auto& table) {
    const std::size_t count = row_count(table);
    for (std::size_t i = 0; i < count; ++i) {
      table.world.push_back(random.below(4) - 1);
      table.category.push_back(std::uint32_t{1} << random.below(3));
      table.mask.push_back(random.below(8) == 0 ? 5u : ~0u);
      table.owner.push_back(random.below(10) - 1);
      table.fixed.push_back(random.below(5) == 0 ? 1 : 0);
      table.margin.push_back(0.01 * random.below(4));
      table.key.push_back(key--);
      table.body.push_back(random.below(20) - 1);
    }
  });
  const std::int32_t shapes = layout_of(scene).shape_count();
  for (int i = 0; i < 2000; ++i) {
    scene.excluded.push_back({random.below(shapes), random.below(shapes)});
  }
  scene.excluded_owners.push_back({1, 2});
  scene.excluded_bodies.push_back({4, 5});
}

template <int D, class T>
SceneColumns<D, T> generated(const char* name, std::size_t count) {
  return scenes::generate<D, T>(name, {scaled_count(count), 3});
}

/// Positions in double beside sizes in float.
template <int D>
SceneColumns<D, Mixed> mixed_precision(const SceneColumns<D, double>& scene) {
  SceneColumns<D, Mixed> mixed;
  const auto convert = [](const auto& from, auto& to) {
    using V = typename std::remove_cvref_t<decltype(to)>::value_type;
    to.resize_uninitialized(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (int w = 0; w < std::remove_cvref_t<decltype(to)>::width; ++w) {
        to(i, w) = static_cast<V>(from(i, w));
      }
    }
  };
  for_each_table_pair(scene, mixed, [&](const auto& from, auto& to) {
    for_each_field_pair(from, to, [&](const Field&, const auto& a, auto& b) { convert(a, b); });
  });
  mixed.for_each_geometry_column([&](auto, auto, auto& to, const auto& from) { convert(from, to); },
                                 mixed, scene);
  mixed.domain = scene.domain;
  return mixed;
}

TEST(distributed_scene, uniform_bodies_have_one_hash_on_any_number_of_ranks) {
  expect_one_hash(generated<2, float>("uniform", 4000), {}, Division::space, {1, 2, 3, 4, 7});
  expect_one_hash(generated<3, double>("uniform", 2000));
}

TEST(distributed_scene, sizes_by_a_power_law_may_exceed_a_ranks_domain) {
  expect_one_hash(generated<2, double>("power_law", 2000));
  expect_one_hash(generated<3, float>("power_law", 2000));
}

TEST(distributed_scene, clusters_have_one_hash) {
  expect_one_hash(generated<3, float>("clustered", 2000));
}

TEST(distributed_scene, all_kinds_have_one_hash_with_floors_without_bounds) {
  expect_one_hash(generated<2, float>("mixed", 1000));
  expect_one_hash(mixed_precision(generated<3, double>("smooth", 300)));
  expect_one_hash(generated<3, float>("pile", 150));
}

TEST(distributed_scene, surfaces_keep_their_parts_on_ranks_with_and_without) {
  expect_one_hash(generated<3, float>("terrain", 200));
}

TEST(distributed_scene, margins_reach_across_borders) {
  CollideOptions options;
  options.margin = 0.25;
  options.threads.count = 2;
  expect_one_hash(generated<3, float>("uniform", 1000), options);
}

TEST(distributed_scene, filters_of_every_column_hold_across_ranks) {
  SceneColumns<2, float> flat = generated<2, float>("mixed", 1000);
  add_all_tags(flat);
  expect_one_hash(flat);
  SceneColumns<3, double> scene = generated<3, double>("uniform", 1500);
  add_all_tags(scene);
  expect_one_hash(scene, {}, Division::worlds);
}

TEST(distributed_scene, worlds_are_dealt_out_whole) {
  expect_one_hash(generated<3, float>("worlds", 1000), {}, Division::worlds, {1, 3, 7});
  expect_one_hash(generated<2, float>("worlds", 1000));
}

/// A domain that half of the shapes lie outside of, some by many periods.
template <int D, class T>
SceneColumns<D, T> periodic_scene() {
  SceneColumns<D, T> scene = generated<D, T>("uniform", 1000);
  const double side = scenes::uniform_side<D>(scaled_count(1000));
  for (int k = 0; k < D; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    scene.domain.periodic[axis] = k != 1;
    scene.domain.min[axis] = static_cast<PositionOf<T>>(0.3 * side);
    scene.domain.max[axis] = static_cast<PositionOf<T>>(1.3 * side);
  }
  for_each_table(scene, [&](auto& table) {
    std::remove_cvref_t<decltype(table)>::for_each_own(
        [&](const Field& field, auto& column) {
          using C = std::remove_cvref_t<decltype(column)>;
          if constexpr (C::width == D) {
            for (std::size_t i = 0; field.is_position && i < column.size(); i += 5) {
              column(i, 0) += static_cast<typename C::value_type>(3 * side);
            }
          }
        },
        table);
  });
  return scene;
}

TEST(distributed_scene, periodic_domains_have_one_hash) {
  expect_one_hash(periodic_scene<2, float>());
  expect_one_hash(periodic_scene<3, double>());
  expect_one_hash(mixed_precision(periodic_scene<3, double>()));
}

TEST(distributed_scene, bodies_carry_their_shapes_from_rank_to_rank) {
  SceneColumns<3, float> scene = generated<3, float>("uniform", 1500);
  scenes::Random random(5);
  const std::int32_t bodies = 200;
  const double side = scenes::uniform_side<3>(scaled_count(1500));
  scene.bodies.position.resize(static_cast<std::size_t>(bodies));
  for (std::size_t b = 0; b < static_cast<std::size_t>(bodies); ++b) {
    const auto at = random.point<3>(0, side);
    for (int k = 0; k < 3; ++k) scene.bodies.position(b, k) = static_cast<float>(at[static_cast<std::size_t>(k)]);
    const auto turn = random.orientation();
    scene.bodies.turn.push_back({static_cast<float>(turn[0]), static_cast<float>(turn[1]),
                                 static_cast<float>(turn[2]), static_cast<float>(turn[3])});
  }
  scene.aabbs = {};
  for_each_table(scene, [&](auto& table) {
    for (std::size_t i = 0; i < row_count(table); ++i) table.body.push_back(random.below(bodies + 50) - 50 < 0 ? -1 : random.below(bodies));
  });
  scene.excluded_bodies.push_back({0, 1});
  expect_one_hash(scene);
}

/// Hulls 1100 from their bodies, which end at a cut to within roundings: who has copies and who answers must agree.
TEST(distributed_scene, no_pair_is_lost_where_a_placed_hull_ends_at_a_cut) {
  SceneColumns<3, float> scene;
  const Column<float, 3> far{{1100, 0, 0}, {1102, 0, 0}, {1101, 1, 0}, {1101, 0.3f, 1}};
  add_hull(scene.geometries, far.span());
  const std::int64_t count = 300;
  for (int i = 0; i < count; ++i) {
    const double a = 0.3 * std::sin(i), b = 0.2 * std::cos(3 * i);
    const float side = 10 * static_cast<float>(i);
    scene.bodies.position.push_back({static_cast<float>(-1100 * std::cos(a + b)), side - static_cast<float>(1100 * std::sin(a + b)), 0});
    scene.bodies.turn.push_back({0, 0, static_cast<float>(std::sin(a / 2)), static_cast<float>(std::cos(a / 2))});
    scene.hulls.center.push_back({0, 0, 0});
    scene.hulls.turn.push_back({0, 0, static_cast<float>(std::sin(b / 2)), static_cast<float>(std::cos(b / 2))});
    scene.hulls.geometry.push_back(0);
    scene.hulls.body.push_back(i);
    scene.spheres.center.push_back({0, side, 0});
    scene.spheres.radius.push_back(3);
    scene.spheres.body.push_back(-1);
  }
  on_ranks(3, [&](MPI_Comm ranks) {
    Bricks bricks(3, {{{-500, 0}, {}, {}}});  // bodies are the first rank's, spheres the last one's
    DistributedOptions how;
    how.partition = &bricks;
    DistributedScene<3, float> distributed(ranks, how);
    distributed.take_whole(SceneSpan<3, float>(scene));
    ContactBuffer<3, float> contacts;
    distributed.step(contacts);
    std::int64_t pairs = distributed.stats().pairs;
    MPI_Allreduce(MPI_IN_PLACE, &pairs, 1, MPI_INT64_T, MPI_SUM, ranks);
    EXPECT_EQ(pairs, count);
  });
}

TEST(distributed_scene, a_kept_scene_is_on_every_rank) {
  StaticScene<3, float> kept;
  Workspace<3, float> workspace;
  SceneColumns<3, float> level = generated<3, float>("pile", 100);
  build_static_scene<3, float>(level, kept, workspace);
  SceneColumns<3, float> scene = generated<3, float>("pile", 100);
  scene.halfspaces = {};
  scene.geometries = {};
  scene.hulls = {};
  scene.kept = &kept;
  expect_one_hash(scene);
}

TEST(distributed_scene, all_bodies_in_one_place_lie_on_one_rank) {
  SceneColumns<2, float> scene;
  for (int i = 0; i < 60; ++i) {
    scene.circles.center.push_back({5, 5});
    scene.circles.radius.push_back(0.5f);
  }
  expect_one_hash(scene);
}

TEST(distributed_scene, there_may_be_more_ranks_than_bodies_and_none_at_all) {
  SceneColumns<3, double> scene;
  scene.spheres.center = {{0, 0, 0}, {1, 0, 0}};
  scene.spheres.radius = {0.6, 0.6};
  expect_one_hash(scene);
  for (const int count : {1, 7}) {
    on_ranks(count, [&](MPI_Comm ranks) {
      DistributedScene<3, double> empty(ranks);
      empty.take_whole({});
      ContactBuffer<3, double> contacts;
      empty.step(contacts);
      EXPECT_EQ(contacts.size(), 0u);
    });
  }
}

TEST(distributed_scene, what_contacts_say_of_shapes_reaches_their_owners) {
  const SceneColumns<3, float> given = generated<3, float>("uniform", 1500);
  ContactBuffer<3, float> contacts;
  std::vector<Pair> expected;  // each shape with each that it touches
  if (world_rank() == 0) {
    Workspace<3, float> workspace;
    collide<3, float>(given, contacts, workspace);
    for (const Pair pair : contacts.pair) expected.insert(expected.end(), {pair, {pair.b, pair.a}});
  }
  on_ranks(5, [&](MPI_Comm ranks) {
    DistributedScene<3, float> scene(ranks);
    scene.take_whole(SceneSpan<3, float>(given));
    scene.step(contacts);
    std::vector<std::int32_t> ids, own_ids;
    std::vector<std::int32_t> others, own_others;
    for (const Pair pair : contacts.pair) {
      ids.insert(ids.end(), {pair.a, pair.b});
      others.insert(others.end(), {pair.b, pair.a});
    }
    scene.send_to_owners<std::int32_t>(ids, others, own_ids, own_others);
    const Column<std::int32_t>& own = scene.own_rows(Kind::sphere);
    EXPECT_TRUE(std::is_sorted(own_ids.begin(), own_ids.end()));
    std::uint64_t sums[2] = {own_ids.size(), 0};
    for (std::size_t i = 0; i < own_ids.size(); ++i) {
      EXPECT_TRUE(std::binary_search(own.begin(), own.end(), own_ids[i])) << "a shape of another rank";
      sums[1] += static_cast<std::uint64_t>(own_ids[i]) * 0x9e3779b97f4a7c15u ^ static_cast<std::uint64_t>(own_others[i]);
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM, ranks);
    if (world_rank() == 0) {
      std::uint64_t sum = 0;
      for (const Pair pair : expected) {
        sum += static_cast<std::uint64_t>(pair.a) * 0x9e3779b97f4a7c15u ^ static_cast<std::uint64_t>(pair.b);
      }
      EXPECT_EQ(sums[0], expected.size());
      EXPECT_EQ(sums[1], sum);
    }
    // A shape far from a rank, and too few rows, are told of on all.
    others.push_back(0);
    EXPECT_THROW(scene.send_to_owners<std::int32_t>(ids, others, own_ids, own_others), Error);
    const std::vector<std::int32_t> unknown(world_rank() == 3 ? 1 : 0, -1);
    EXPECT_THROW(scene.send_to_owners<std::int32_t>(unknown, unknown, own_ids, own_others), Error);
  });
}

TEST(distributed_scene, bricks_of_the_callers_have_the_same_hash) {
  const SceneColumns<2, float> scene = generated<2, float>("uniform", 2000);
  Hashes expected;
  if (world_rank() == 0) expected = single_hashes<2, float>(scene, {});
  const double side = scenes::uniform_side<2>(scaled_count(2000));
  Bricks bricks(2, std::vector<double>{0, 0}, std::vector<double>{side, side}, std::vector<int>{3, 2});
  on_ranks(6, [&](MPI_Comm ranks) {
    DistributedOptions how;
    how.partition = &bricks;
    DistributedScene<2, float> distributed(ranks, how);
    distributed.take_whole(SceneSpan<2, float>(scene));
    ContactBuffer<2, float> contacts;
    distributed.step(contacts);
    const Hashes hashes = gathered_hashes<2, float>(ranks, contacts);
    if (world_rank() == 0) {
      EXPECT_EQ(hashes, expected);
    }
  });
}

/// What a step says that must fail on every rank.
template <int D, class T>
std::string error_of_step(DistributedScene<D, T>& scene, const CollideOptions& options = {}) {
  ContactBuffer<D, T> contacts;
  try {
    scene.step(contacts, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing is wrong";
}

TEST(distributed_scene, flush_tolerance_is_refused_on_all_ranks) {
  on_ranks(3, [](MPI_Comm ranks) {
    DistributedScene<2, float> distributed(ranks);
    const SceneColumns<2, float> scene = generated<2, float>("uniform", 100);
    distributed.take_whole(SceneSpan<2, float>(scene));
    CollideOptions options;
    options.flush_tolerance = 1e-4f;
    EXPECT_EQ(error_of_step(distributed, options),
              "flush_tolerance is not for many machines: each has a part of the shapes; leave it 0");
    EXPECT_EQ(error_of_step(distributed), "nothing is wrong");
  });
}

TEST(distributed_scene, more_bricks_than_ranks_are_refused_on_all_ranks) {
  const SceneColumns<2, float> scene = generated<2, float>("uniform", 500);
  const double side = scenes::uniform_side<2>(scaled_count(500));
  const std::vector<double> low{0, 0}, high{side, side};
  Bricks six(2, low, high, std::vector<int>{3, 2});
  on_ranks(4, [&](MPI_Comm ranks) {
    DistributedOptions how;
    how.partition = &six;
    DistributedScene<2, float> distributed(ranks, how);
    distributed.take_whole(SceneSpan<2, float>(scene));
    const std::string said = error_of_step(distributed);
    EXPECT_TRUE(said.starts_with("the partition names rank ")) << said;
    EXPECT_TRUE(said.ends_with("; the communicator has 4 ranks, counted from 0")) << said;
  });
}

/// All space is rank 0's, but a question may fail, or name another rank.
struct Failing final : Partition {
  enum class At { owner, copies, wrong_copies, text };
  At at = At::owner;
  bool fails = false;
  void divide(std::span<const double>, std::span<const double>) override {}
  int owner_of(const double*) const override {
    if (fails && at == At::owner) throw Error("no owner is known");
    if (fails && at == At::text) throw "no text either";
    return 0;
  }
  void ranks_of(const double*, const double*, std::vector<int>& ranks) const override {
    if (fails && at == At::copies) throw std::runtime_error("no box is known");
    ranks.assign(1, fails && at == At::wrong_copies ? -1 : 0);
  }
};

TEST(distributed_scene, a_partition_that_fails_on_one_rank_ends_the_step_on_all) {
  const SceneColumns<2, float> scene = generated<2, float>("uniform", 500);
  Hashes expected;
  if (world_rank() == 0) expected = single_hashes<2, float>(scene, {});
  on_ranks(3, [&](MPI_Comm ranks) {
    Failing partition;
    DistributedOptions how;
    how.partition = &partition;
    DistributedScene<2, float> distributed(ranks, how);
    const auto said = [&](Failing::At at, int rank) {
      distributed.take_whole(SceneSpan<2, float>(scene));
      partition.at = at;
      partition.fails = world_rank() == rank;
      return error_of_step(distributed);
    };
    EXPECT_EQ(said(Failing::At::owner, 2), "no owner is known");
    EXPECT_EQ(said(Failing::At::text, 1), "a rank failed");
    EXPECT_EQ(said(Failing::At::copies, 0), "no box is known");
    EXPECT_EQ(said(Failing::At::wrong_copies, 0),
              "the partition names rank -1; the communicator has 3 ranks, counted from 0");
    // After a failure the scene still holds each shape once.
    partition.fails = false;
    ContactBuffer<2, float> contacts;
    distributed.step(contacts);
    const Hashes hashes = gathered_hashes<2, float>(ranks, contacts);
    if (world_rank() == 0) {
      EXPECT_EQ(hashes, expected);
    }
  });
}

TEST(distributed_scene, rows_that_one_rank_takes_away_end_the_step_on_all) {
  const SceneColumns<2, float> scene = generated<2, float>("uniform", 500);
  on_ranks(3, [&](MPI_Comm ranks) {
    DistributedScene<2, float> distributed(ranks);
    for (const bool is_first_step : {true, false}) {
      distributed.take_whole(SceneSpan<2, float>(scene));
      ContactBuffer<2, float> contacts;
      if (!is_first_step) distributed.step(contacts);
      auto& circles = distributed.own().circles;
      const std::size_t count = row_count(circles);
      if (world_rank() == 1) circles.center.resize(count - 1);
      std::string said = error_of_step(distributed);
      EXPECT_TRUE(said.starts_with("circle.center has ")) << said;
      EXPECT_TRUE(said.ends_with(", since rows and columns may not come or go between steps")) << said;
      if (world_rank() == 1) circles.center.resize(count);
      if (world_rank() == 2) circles.margin.resize(count);
      said = error_of_step(distributed);
      EXPECT_TRUE(said.starts_with("circle.margin has ")) << said;
    }
  });
}

TEST(distributed_scene, a_world_written_above_the_others_is_answered) {
  SceneColumns<3, float> scene = generated<3, float>("worlds", 500);
  std::int32_t most = 0;
  for_each_table(scene, [&](const auto& table) {
    for (const std::int32_t world : table.world) most = std::max(most, world);
  });
  const SceneColumns<3, float> before = scene;
  // One world's spheres and another one's, all of them elsewhere now.
  const auto raise = [&](Column<std::int32_t>& worlds) {
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      if (worlds[i] == most || worlds[i] == 0) worlds[i] += most + 1;
    }
  };
  raise(scene.spheres.world);
  Hashes expected;
  if (world_rank() == 0) {
    expected = single_hashes<3, float>(scene, {});
    EXPECT_GT(expected.contacts, 0u);
  }
  on_ranks(3, [&](MPI_Comm ranks) {
    DistributedOptions how;
    how.division = Division::worlds;
    how.most_imbalance = 1e9;
    DistributedScene<3, float> distributed(ranks, how);
    distributed.take_whole(SceneSpan<3, float>(before));
    ContactBuffer<3, float> contacts;
    distributed.step(contacts);
    raise(distributed.own().spheres.world);
    distributed.step(contacts);
    EXPECT_FALSE(distributed.stats().was_divided);
    const Hashes hashes = gathered_hashes<3, float>(ranks, contacts);
    if (world_rank() == 0) {
      EXPECT_EQ(hashes, expected);
    }
  });
}

TEST(distributed_scene, a_number_that_is_wrong_on_one_rank_ends_the_step_on_all) {
  SceneColumns<3, float> scene = generated<3, float>("uniform", 500);
  const std::size_t last = row_count(scene.spheres) - 1;
  ASSERT_GT(last, 0u);
  scene.spheres.center(last, 1) = std::nanf("");
  std::string expected;
  try {
    ContactBuffer<3, float> contacts;
    Workspace<3, float> workspace;
    collide<3, float>(scene, contacts, workspace);
  } catch (const Error& error) {
    expected = error.what();
  }
  on_ranks(4, [&](MPI_Comm ranks) {
    DistributedScene<3, float> distributed(ranks);
    distributed.take_whole(SceneSpan<3, float>(scene));
    ContactBuffer<3, float> contacts;
    std::string said;
    try {
      distributed.step(contacts);
    } catch (const Error& error) {
      said = error.what();
    }
    EXPECT_EQ(said, expected);
    EXPECT_NE(said.find("sphere.center[" + std::to_string(last) + "]"), std::string::npos) << said;
  });
}

TEST(distributed_scene, parts_that_lack_a_row_are_refused_on_all_ranks) {
  on_ranks(3, [&](MPI_Comm ranks) {
    DistributedScene<2, float> distributed(ranks);
    SceneColumns<2, float> part;
    part.circles.center = {{0, 0}};
    part.circles.radius = {1};
    std::array<ColumnSpan<std::int32_t>, kKindCount> rows;
    const std::vector<std::int32_t> row{world_rank() == 2 ? 3 : world_rank()};
    rows[0] = row;
    EXPECT_THROW(distributed.take(part, rows, {}), Error);
    const std::vector<std::int32_t> right{world_rank()};
    rows[0] = right;
    if (world_rank() == 1) part.circles.radius = {1, 2};
    EXPECT_THROW(distributed.take(part, rows, {}), Error);
    part.circles.radius = {1};
    distributed.take(part, rows, {});
    EXPECT_EQ(distributed.layout().shape_count(), 3);
  });
}

TEST(distributed_scene, chains_are_whole_on_every_rank_that_they_reach) {
  SceneColumns<2, float> scene = generated<2, float>("uniform", 1000);
  const double side = scenes::uniform_side<2>(scaled_count(1000));
  Column<float, 2> line;
  for (int i = 0; i <= 20; ++i) {
    const float height = static_cast<float>(side * (i % 2 == 0 ? 0.45 : 0.55));
    line.push_back({static_cast<float>(side * i / 20), height});
  }
  add_chain(scene.chain_geometries, line.span());
  for (const float height : {-0.2f, 0.0f, 0.2f}) {
    scene.chains.center.push_back({0, height * static_cast<float>(side)});
    scene.chains.turn.push_back(0.0f);
    scene.chains.geometry.push_back(0);
  }
  expect_one_hash(scene);
}

}  // namespace
}  // namespace widephase::test
