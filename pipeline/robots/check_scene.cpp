#include "pipeline/robots/check_scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pipeline/robots/convex_core.hpp"

namespace widephase {

namespace {

constexpr float kNever = -1e30f;
/// So many obstacles are asked as fast as a grid.
constexpr std::size_t kFewObstacles = 4;

CheckObstacle checked(const Obstacle& given, double size) {
  CheckObstacle obstacle{};
  obstacle.category = given.category;
  obstacle.mask = given.mask;
  if (!(given.extent + given.radius < kMostExtent)) {
    // Near to everything, and nothing surely touches it.
    obstacle.core = CheckCore::box;
    obstacle.least = kNever;
    obstacle.most = 1e14f;
    return obstacle;
  }
  obstacle.core = given.core;
  for (std::size_t k = 0; k < 3; ++k) {
    obstacle.center[k] = static_cast<float>(given.center[k]);
    obstacle.size[k] = static_cast<float>(given.size[k]);
    for (std::size_t j = 0; j < 3; ++j) {
      obstacle.axis[k][j] = static_cast<float>(given.axis[k][j]);
    }
  }
  obstacle.first_face = given.first_face;
  obstacle.last_face = given.last_face;
  obstacle.first_vertex = given.first_vertex;
  obstacle.vertex_count = given.vertex_count;
  find_inside(obstacle);
  if (given.core == CheckCore::hull) {
    for (std::size_t k = 0; k < 3; ++k) obstacle.inside[k] = static_cast<float>(given.inside[k]);
    obstacle.inner = static_cast<float>(given.inner);
  }
  const double error = kRoundings * (size + given.extent + given.radius);
  obstacle.least = given.is_exact ? static_cast<float>(given.radius - error) : kNever;
  obstacle.most = static_cast<float>(given.radius + error);
  obstacle.rounding = static_cast<float>(kConvexRoundings * (given.extent + given.radius));
  return obstacle;
}

/// How far a place is from the bounds of an obstacle.
double distance(const std::array<double, 3>& place, const Obstacle& obstacle) {
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double beyond = std::max({obstacle.low[k] - place[k], place[k] - obstacle.high[k], 0.0});
    square += beyond * beyond;
  }
  return std::sqrt(square);
}

/// How far from the middle of its places a unit may touch something.
double reach_of(const PlannedUnit& planned, const CheckPlan& plan, const CheckQuestion& question) {
  return planned.reach + static_cast<double>(planned.unit.bound.most) +
         std::max(question.margin, 0.0) + kRoundings * plan.size;
}

}  // namespace

bool is_core(const CheckObstacle& obstacle) { return obstacle.least != kNever; }

CheckScene::CheckScene(const CheckPlan& plan, const Environment::State& environment,
                       const CheckQuestion& question) {
  add_obstacles(plan, environment, question);
  if (question.has_culls) add_near(plan, environment, question);
  if (!environment.points.empty()) add_points(plan, environment.points, question);
  job_.nodes = plan.nodes.data();
  job_.node_count = plan.nodes.size();
  job_.units = units_.data();
  job_.unit_count = units_.size();
  job_.balls = plan.balls.data();
  job_.ball_count = plan.balls.size();
  job_.pairs = plan.pairs.data();
  job_.pair_count = question.moving_pairs ? plan.pairs.size() : 0;
  job_.obstacle_list = list_.data();
  job_.obstacles = obstacles_.data();
  job_.faces = environment.faces.data();
  job_.sides = environment.sides.data();
  job_.convexes = plan.convexes.data();
  job_.vertices = plan.vertices.data();
  job_.obstacle_vertices = environment.vertices.data();
  job_.margin = static_cast<float>(question.margin);
  job_.has_culls = question.has_culls;
}

void CheckScene::add_obstacles(const CheckPlan& plan, const Environment::State& environment,
                               const CheckQuestion& question) {
  std::vector<std::int32_t> ids;  // of those of all worlds and of the asked one
  const auto add_ids = [&](std::int32_t world) {
    const auto of_world = environment.obstacles_of(world);
    ids.insert(ids.end(), of_world.begin(), of_world.end());
  };
  add_ids(-1);
  if (question.world != -1) add_ids(question.world);
  std::vector<std::int32_t> place(ids.size(), -1);
  for (const PlannedUnit& planned : plan.units) {
    CheckUnit unit = planned.unit;
    unit.first_obstacle = static_cast<std::int32_t>(list_.size());
    const double reach = reach_of(planned, plan, question);
    for (std::size_t i = 0; planned.meets_surroundings && i < place.size(); ++i) {
      const Obstacle& obstacle = environment.obstacles[static_cast<std::size_t>(ids[i])];
      if ((obstacle.category & unit.mask) == 0 || (obstacle.mask & unit.category) == 0) {
        continue;
      }
      if (question.has_culls && distance(planned.around, obstacle) > reach) continue;
      if (place[i] < 0) {
        place[i] = static_cast<std::int32_t>(obstacles_.size());
        obstacles_.push_back(checked(obstacle, plan.size));
        obstacle_ids_.push_back(ids[i]);
      }
      list_.push_back(place[i]);
    }
    unit.last_obstacle = static_cast<std::int32_t>(list_.size());
    units_.push_back(unit);
  }
}

void CheckScene::add_near(const CheckPlan& plan, const Environment::State& environment,
                          const CheckQuestion& question) {
  if (obstacles_.size() < kFewObstacles) return;
  GridPlace place;
  place.low.fill(std::numeric_limits<double>::infinity());
  place.high.fill(-std::numeric_limits<double>::infinity());
  place.world = question.world;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (units_[u].first_obstacle == units_[u].last_obstacle) continue;
    const PlannedUnit& planned = plan.units[u];
    // No bound's centre is outside, whatever rounding does.
    const double reach = planned.reach + 1e-3 * plan.size;
    for (std::size_t k = 0; k < 3; ++k) {
      place.low[k] = std::min(place.low[k], planned.around[k] - reach);
      place.high[k] = std::max(place.high[k], planned.around[k] + reach);
    }
  }
  near_ = environment.near(place, plan.size, question.count * static_cast<double>(list_.size()));
  if (near_ == nullptr) return;
  job_.near_obstacles = &near_->grid.grid();
  std::vector<std::int32_t> place_of(environment.obstacles.size(), -1);
  for (std::size_t o = 0; o < obstacle_ids_.size(); ++o) {
    place_of[static_cast<std::size_t>(obstacle_ids_[o])] = static_cast<std::int32_t>(o);
  }
  for (const std::int32_t id : near_->tree.ids()) {
    tree_obstacles_.push_back(place_of[static_cast<std::size_t>(id)]);
  }
  tree_ = {near_->tree.tiles(), tree_obstacles_.data()};
  job_.obstacle_tree = &tree_;
}

void CheckScene::add_points(const CheckPlan& plan, const PointGrid& grid,
                            const CheckQuestion& question) {
  double most = 0;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const PlannedUnit& planned = plan.units[u];
    most = std::max(most, static_cast<double>(planned.unit.bound.most) + question.margin);
    // Points are of all categories.
    units_[u].meets_points =
        planned.meets_surroundings && planned.unit.category != 0 && planned.unit.mask != 0 &&
        (!question.has_culls ||
         grid.apart(planned.around) <= reach_of(planned, plan, question) + grid.radius());
  }
  points_ = grid.checked(plan.size, most);
  job_.points = &points_;
}

CheckRoom::CheckRoom(const CheckJob& job, std::size_t slot_count) : job_(job) {
  numbers_.resize(slot_count * kRobotBlock, 0);
  const bool has_grid = job_.points != nullptr || job_.near_obstacles != nullptr;
  const std::size_t frames = (4 + kCheckFrame) * job_.node_count;
  const std::size_t numbers = kCheckPoint + (has_grid ? 1 : 0);
  const std::size_t points = numbers * (job_.unit_count + job_.ball_count);
  scratch_.resize_uninitialized((frames + points) * kRobotBlock);
  is_placed_ = std::make_unique<bool[]>(job_.unit_count);
  if (job_.points != nullptr) open_balls_ = std::make_unique<unsigned[]>(job_.ball_count);
  job_.numbers = numbers_.plane();
  job_.scratch = scratch_.plane();
  job_.is_placed = is_placed_.get();
  job_.open_balls = open_balls_.get();
}

}  // namespace widephase
