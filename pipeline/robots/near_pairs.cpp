#include "pipeline/robots/near_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "soa/threads.hpp"

namespace widephase {

namespace {

/// Configurations of a chunk of a thread.
constexpr std::size_t kChunk = 64 * kRobotBlock;
/// Pairs of a block that may be nearest.
constexpr std::size_t kMostNear = 2048;
/// Units by obstacles that are gone through.
constexpr std::size_t kMostListed = 1 << 16;
/// More than a number in float may miss, as a share.
constexpr float kRounding = 0x1p-22f;

float without_margin(float least, double margin) {
  const auto taken = static_cast<float>(margin);
  return (least - taken) - kRounding * (std::abs(least) + taken);
}

float limit_in_float(double limit) {
  const auto rounded = static_cast<float>(std::clamp(limit, -1e30, 1e30));
  return rounded + kRounding * std::abs(rounded);
}

}  // namespace

bool can_list_near_pairs(const Robot& robot, const Environment& environment) {
  const CheckPlan& plan = robot.plan().check;
  const Environment::State& around = environment.state();
  return plan.is_there && around.points.empty() && row_count(robot.shapes().aabbs) == 0 &&
         around.obstacles.size() * plan.units.size() + plan.pairs.size() <= kMostListed;
}

NearPairs::NearPairs(const Robot& robot, const Environment& environment, std::int32_t world,
                     double limit, const CollideOptions& options)
    : robot_(robot),
      options_(options),
      scene_(robot.plan().check, environment.state(),
             CheckQuestion{0, world, options.moving_pairs, false}) {
  const CheckPlan& plan = robot.plan().check;
  job_.check = scene_.job();
  balls_ = plan.balls;
  for (std::size_t b = 0; b < balls_.size(); ++b) {
    balls_[b].least = plan.shape_balls[b].least;
    is_whole_.push_back(plan.shape_balls[b].is_whole);
  }
  for (const PlannedUnit& unit : plan.units) inner_.push_back(unit.inner);
  const SceneSpan<3, double> shapes = environment.shapes();
  Column<double> margin;
  join_column<double>(
      column_of_kinds<double>(shapes, [](const auto& table) { return table.margin; }),
      layout_of(shapes), {1, {}}, 0.0, margin);
  for (std::size_t o = 0; o < scene_.obstacle_ids().size(); ++o) {
    CheckObstacle obstacle = job_.check.obstacles[o];
    const auto id = static_cast<std::size_t>(scene_.obstacle_ids()[o]);
    obstacle.least = without_margin(obstacle.least, margin.empty() ? 0 : margin[id]);
    obstacles_.push_back(obstacle);
  }
  job_.check.balls = balls_.data();
  job_.check.obstacles = obstacles_.data();
  job_.inner = inner_.data();
  job_.is_whole = is_whole_.data();
  job_.limit = limit_in_float(limit);
  job_.most = kMostNear;
}

template <class T>
NearPairList NearPairs::find(const Configurations<T>& q) const {
  const std::size_t chunks = (q.count + kChunk - 1) / kChunk;
  std::vector<NearPairList> lists(chunks);
  for_chunks(options_.threads, chunks, [&](std::size_t chunk) {
    find_of_chunk(q, chunk * kChunk, std::min(q.count, (chunk + 1) * kChunk), lists[chunk]);
  });
  NearPairList all;
  for (const NearPairList& list : lists) {
    all.pairs.insert(all.pairs.end(), list.pairs.begin(), list.pairs.end());
    all.unknown.insert(all.unknown.end(), list.unknown.begin(), list.unknown.end());
  }
  return all;
}

template <class T>
void NearPairs::find_of_chunk(const Configurations<T>& q, std::size_t begin, std::size_t end,
                              NearPairList& list) const {
  const RobotTable& table = robot_table(chosen_isa(options_.isa));
  CheckRoom room(job_.check, robot_.plan().slot_count);
  DistanceJob job = job_;
  job.check = room.job();
  CheckJob& check = job.check;
  Gatherer<T> gatherer(robot_, q, false);
  std::size_t listed = check.pair_count;
  for (std::size_t u = 0; u < check.unit_count; ++u) {
    listed +=
        static_cast<std::size_t>(check.units[u].last_obstacle - check.units[u].first_obstacle);
  }
  Column<float> gaps, bounds;
  gaps.resize_uninitialized(listed * kRobotBlock);
  bounds.resize_uninitialized(kMostNear * kRobotBlock);
  std::vector<NearPair> near(kMostNear);
  job.gaps = gaps.plane();
  job.bounds = bounds.plane();
  job.near = near.data();
  std::vector<RobotPair> of_lane;
  for (std::size_t first = begin; first < end; first += kRobotBlock) {
    const std::size_t count = std::min(kRobotBlock, end - first);
    gatherer.gather(first, count, room.numbers());
    const unsigned all = (1u << count) - 1;
    check.wanted = all & plain_lanes(robot_.plan().check, room.numbers());
    table.find_near_pairs(job);
    const unsigned unknown = (all & ~check.wanted) | job.too_many;
    check.wanted &= ~unknown;
    for (std::size_t i = 0; i < count; ++i) {
      if ((unknown >> i & 1) != 0) list.unknown.push_back(static_cast<std::int64_t>(first + i));
    }
    append(job, first, of_lane, list);
  }
}

/// The pairs of shapes of a block, each once in a configuration.
void NearPairs::append(const DistanceJob& job, std::size_t first, std::vector<RobotPair>& of_lane,
                       NearPairList& list) const {
  const std::vector<ShapeBall>& balls = robot_.plan().check.shape_balls;
  for (std::size_t lane = 0; lane < kRobotBlock; ++lane) {
    if ((job.check.wanted >> lane & 1) == 0) continue;
    of_lane.clear();
    for (std::size_t i = 0; i < job.count; ++i) {
      const NearPair& near = job.near[i];
      if ((near.lanes >> lane & 1) == 0) continue;
      const std::int32_t shape = balls[static_cast<std::size_t>(near.ball)].shape;
      if (near.other >= 0) {
        const auto obstacle = static_cast<std::size_t>(near.other);
        of_lane.push_back({shape, scene_.obstacle_ids()[obstacle], -1});
      } else {
        const std::int32_t other = balls[static_cast<std::size_t>(~near.other)].shape;
        of_lane.push_back({std::min(shape, other), -1, std::max(shape, other)});
      }
    }
    if (of_lane.size() > 1) {
      const auto is_before = [](const RobotPair& a, const RobotPair& b) {
        return a.order() < b.order();
      };
      const auto is_same = [](const RobotPair& a, const RobotPair& b) {
        return a.order() == b.order();
      };
      std::sort(of_lane.begin(), of_lane.end(), is_before);
      of_lane.erase(std::unique(of_lane.begin(), of_lane.end(), is_same), of_lane.end());
    }
    for (const RobotPair& pair : of_lane) list.pairs.push_back({first + lane, pair});
  }
}

template NearPairList NearPairs::find(const Configurations<float>&) const;
template NearPairList NearPairs::find(const Configurations<double>&) const;

}  // namespace widephase
