// Pairs that are listed have the answers of scenes of worlds, to the bit.
// Labels: own-sets threads

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include <widephase/robot_distances.hpp>

#include "pipeline/robots/listed_pairs.hpp"
#include "support/expect.hpp"
#include "support/shaped_robots.hpp"

namespace widephase {
namespace {

using namespace test::robots;

/// Pairs that touch in scenes of worlds, by configuration.
std::vector<ListedPair> contacts_of(const Robot& robot, const Configurations<double>& q,
                                    const Environment& environment, double margin) {
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < q.count; ++i) rows.push_back(static_cast<std::int64_t>(i));
  Workspace<3, double> workspace;
  CollideOptions options;
  options.margin = margin;
  std::vector<ListedPair> pairs;
  for_each_contact(
      robot, q, environment, -1, rows, workspace, options,
      [&](std::size_t row, const NamedPair& pair, const ContactBuffer<3, double>&, std::size_t) {
        pairs.push_back({row, pair.pair});
      });
  std::sort(pairs.begin(), pairs.end(), [](const ListedPair& a, const ListedPair& b) {
    return std::tuple(a.configuration, a.pair.order()) <
           std::tuple(b.configuration, b.pair.order());
  });
  return pairs;
}

void expect_same(const Robot& robot, const std::vector<double>& values,
                 const Environment& environment, const CollideOptions& options) {
  const Configurations<double> q(values, robot.values().size());
  const std::vector<ListedPair> all = contacts_of(robot, q, environment, 1e3);
  const std::vector<ListedPair> near = contacts_of(robot, q, environment, options.margin);
  ASSERT_GT(all.size(), near.size());
  Workspace<3, double> workspace, own;
  const ListedPairs list(robot, environment, own, options);
  std::vector<std::uint8_t> is_touching(all.size());
  list.find_touching(q, all, std::span<std::uint8_t>(is_touching));
  std::size_t next = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_next = next < near.size() && near[next].configuration == all[i].configuration &&
                         near[next].pair.order() == all[i].pair.order();
    ASSERT_EQ(is_touching[i] != 0, is_next) << i;
    next += is_next ? 1 : 0;
  }
  EXPECT_EQ(next, near.size());
  DistanceBuffer<3, double> distances;
  list.find_distances(q, all, distances);
  RobotDistances nearest;
  min_distance(robot, q, environment, nearest, workspace, {}, options);
  std::vector<std::size_t> least(q.count, all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t& best = least[all[i].configuration];
    const auto order = [&](std::size_t k) {
      return std::tuple(distances.distance[k], list.order_of(all[k].pair));
    };
    if (best == all.size() || order(i) < order(best)) best = i;
  }
  for (std::size_t i = 0; i < q.count; ++i) {
    const std::size_t k = least[i];
    ASSERT_LT(k, all.size());
    EXPECT_EQ(nearest.shape[i], all[k].pair.shape) << i;
    EXPECT_EQ(nearest.obstacle[i], all[k].pair.obstacle) << i;
    EXPECT_EQ(nearest.other_shape[i], all[k].pair.other) << i;
    EXPECT_EQ(nearest.distance[i], distances.distance[k]) << i;
    EXPECT_EQ(nearest.normal.row(i), distances.normal.row(k)) << i;
    EXPECT_EQ(nearest.point_a.row(i), distances.point_a.row(k)) << i;
    EXPECT_EQ(nearest.point_b.row(i), distances.point_b.row(k)) << i;
  }
}

TEST(listed_pairs, have_the_bits_of_scenes) {
  Random random(3);
  for (std::size_t n = 0; n < test::scaled(12, 4); ++n) {
    RobotColumns columns = robot_with_shapes(random, n % 4 == 0);
    // Some shapes are the same in all configurations.
    columns.shapes.spheres.center.push_back({0.3, 0.1, 0});
    columns.shapes.spheres.radius.push_back(0.1);
    columns.shapes.spheres.body.push_back(-1);
    columns.shapes.spheres.owner.push_back(-1);
    columns.shapes.spheres.category.push_back(1);
    columns.shapes.spheres.margin.push_back(0);
    columns.shapes.spheres.world.resize(columns.shapes.spheres.radius.size(), 0);
    columns.shapes.spheres.world[columns.shapes.spheres.radius.size() - 1] = -1;
    const Robot robot(columns);
    if (robot.values().empty()) continue;
    const Environment environment{SceneSpan<3, double>(obstacles(random))};
    CollideOptions options;
    options.margin = 0.05;
    options.isa = n % 2 == 0 ? Isa::widest : test::usable_isas().front();
    options.threads.count = n % 3 == 0 ? 2 : 1;
    expect_same(robot, values_of(robot, 5, random), environment, options);
  }
}

}  // namespace
}  // namespace widephase
