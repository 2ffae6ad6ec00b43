#include "pipeline/robots/obstacle_tree.hpp"

#include <algorithm>
#include <numeric>

#include <widephase/executor.hpp>

#include "geometry/mesh_tree.hpp"
#include "pipeline/robots/environment_state.hpp"

namespace widephase {

namespace {

constexpr std::size_t kTileNumbers = 6 * std::size_t{kMeshTile};
/// A number whose squares are in range, for an obstacle that is near to everything.
constexpr double kEverywhere = 1e15;

}  // namespace

ObstacleTree::ObstacleTree(double size, std::span<const Obstacle> obstacles,
                           std::span<const std::int32_t> ids) {
  const std::size_t count = ids.size();
  // Triangles between a lowest and a highest corner, which has the box of both.
  std::vector<float> positions;
  std::vector<std::int32_t> corners, order(count);
  positions.reserve(6 * count + 1);
  corners.reserve(3 * count);
  for (const std::int32_t id : ids) {
    const Obstacle& obstacle = obstacles[static_cast<std::size_t>(id)];
    // Twice what is added to its radius: the rounding of its own numbers is a small part of that.
    const double more = 2 * kRoundings * (size + obstacle.extent + obstacle.radius);
    const bool is_near = !(obstacle.extent + obstacle.radius < kMostExtent);
    const auto add = [&](double beyond, double way) {
      const double place = is_near ? way * kEverywhere : beyond + way * more;
      positions.push_back(static_cast<float>(std::clamp(place, -kEverywhere, kEverywhere)));
    };
    const auto low = static_cast<std::int32_t>(positions.size() / 3);
    for (const double x : obstacle.low) add(x, -1);
    for (const double x : obstacle.high) add(x, 1);
    corners.insert(corners.end(), {low, low + 1, low});
  }
  positions.push_back(0);  // read, but not used
  std::iota(order.begin(), order.end(), 0);
  MeshView<float> mesh;
  mesh.positions = positions.data();
  mesh.corners = corners.data();
  mesh.order = order.data();
  tiles_.resize(kTileNumbers * static_cast<std::size_t>(
                                   count_tiles(static_cast<std::int32_t>(count), mesh)));
  Threads one_thread;
  one_thread.count = 1;
  order_triangles(mesh, order.data(), one_thread);
  fit_tiles(mesh, tiles_.data(), one_thread);
  tree_.tiles = tiles_.data();
  tree_.level_count = mesh.level_count;
  std::copy_n(mesh.level_begin, kMostMeshLevels, tree_.level_begin);
  for (const std::int32_t place : order) ids_.push_back(ids[static_cast<std::size_t>(place)]);
}

}  // namespace widephase
