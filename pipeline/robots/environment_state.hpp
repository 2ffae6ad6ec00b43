#pragma once

// What an environment holds: its shapes in double, as obstacles of the check in float, and as a
// static scene for the calls in double.

#include <array>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <widephase/environment.hpp>

#include "kernels/robot_table.hpp"
#include "pipeline/robots/obstacle_grid.hpp"
#include "pipeline/robots/obstacle_tree.hpp"
#include "pipeline/robots/point_grid.hpp"

namespace widephase {

/// A shape in the world, as the check sees it: a core that is rounded by a radius.
struct Obstacle {
  CheckCore core = CheckCore::box;
  std::array<double, 3> center{};
  std::array<std::array<double, 3>, 3> axis{};
  std::array<double, 3> size{};
  double radius = 0;                    ///< with the shape's own margin
  double extent = 0;                    ///< no number of it is beyond
  bool is_exact = false;                ///< whether it is that core; else the core is around it
  std::array<double, 3> low{}, high{};  ///< bounds without a margin of the call
  std::int32_t first_face = 0, last_face = 0;
  std::int32_t first_vertex = 0, vertex_count = 0;  ///< of a hull, as those of `CheckObstacle`
  std::array<double, 3> inside{};  ///< a point of a hull in the world
  double inner = 0;                ///< how far around it the hull reaches at least
  std::int32_t world = -1;
  std::uint32_t category = 1, mask = ~std::uint32_t{0};
};

/// What finds the obstacles near places.
struct NearObstacles {
  ObstacleGrid grid;
  ObstacleTree tree;
};

struct Environment::State {
  SceneColumns<3, double> shapes;   ///< in the world: no bodies; without owners and keys
  std::vector<Obstacle> obstacles;  ///< by id; none for points
  PointGrid points;                 ///< the shapes, if they are points
  std::vector<CheckFace> faces;
  std::vector<CheckSide> sides;
  std::vector<float> vertices;
  std::int32_t world_count = 1;  ///< 1 unless shapes are of worlds
  /// Ids of `obstacles`, world by world, from -1 on.
  std::vector<std::int32_t> by_world;

  std::int32_t world_of(std::int32_t id) const {
    return obstacles[static_cast<std::size_t>(id)].world;
  }
  /// The ids of the obstacles of a world alone.
  std::span<const std::int32_t> obstacles_of(std::int32_t world) const;

  /// The shapes as those of world -1, with the same ids. Those of other worlds than `world` and -1
  /// are there, but meet nothing.
  SceneColumns<3, double> shapes_of(std::int32_t world) const;
  /// The same, kept for margins up to the given one at least. The last one is made only once.
  std::shared_ptr<const StaticScene<3, double>> kept(std::int32_t world, double margin) const;
  /// Where obstacles are, for a robot whose coordinates are all within `size`; null unless such
  /// questions, of `asked` obstacles now, have been so many that it pays. The last one is kept.
  std::shared_ptr<const NearObstacles> near(const GridPlace& place, double size,
                                            double asked) const;

 private:
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const StaticScene<3, double>> kept_;
  mutable std::int32_t world_ = -1;
  mutable double margin_ = 0;
  mutable std::mutex near_mutex_;
  mutable std::shared_ptr<const NearObstacles> near_;
  mutable GridPlace place_;
  mutable double size_ = 0;
  mutable double asked_ = 0;
};

}  // namespace widephase
