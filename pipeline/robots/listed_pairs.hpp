#pragma once

// Pairs of shapes in configurations of a robot, as a caller lists them, asked in double by the
// kernels of scenes: without a search, bounds or worlds. Answers have the bits that scenes of
// worlds (contact_worlds.hpp) give for these pairs.

#include <array>
#include <span>
#include <vector>

#include <widephase/distance.hpp>

#include "pipeline/robots/named_contacts.hpp"
#include "pipeline/rows/scene_rows.hpp"

namespace widephase {

struct ListedPair {
  std::size_t configuration;
  RobotPair pair;
};

class ListedPairs {
 public:
  /// The robot has a plan of the check in float: no shapes without bounds, no surfaces. The
  /// workspace keeps what it knows of hulls; until the last question it must not be used elsewhere.
  ListedPairs(const Robot& robot, const Environment& environment, Workspace<3, double>& workspace,
              const CollideOptions& options);

  /// Whether the shapes of each pair touch, by the margin of the options and their own. Pairs
  /// ascend by configurations, which are valid; it is not asked here who may meet whom.
  template <class T>
  void find_touching(const Configurations<T>& q, std::span<const ListedPair> pairs,
                     std::span<std::uint8_t> is_touching) const;

  /// The distance of each pair likewise, with the robot's `shape` as A.
  template <class T>
  void find_distances(const Configurations<T>& q, std::span<const ListedPair> pairs,
                      DistanceBuffer<3, double>& distances) const;

  /// The lower one is the pair that scenes name, of several that are equally near.
  std::array<std::int32_t, 2> order_of(const RobotPair& pair) const;

 private:
  friend class ListAsker;
  std::int32_t place_of_other(const RobotPair& pair) const;
  template <class T, class Ask>
  void for_each_part(const Configurations<T>& q, std::span<const ListedPair> pairs,
                     const Ask& ask) const;

  const Robot& robot_;
  const SceneColumns<3, double>& obstacles_;
  const CollideOptions& options_;
  SceneLayout of_robot_, of_obstacles_;
  SceneColumns<3, double> libraries_;  ///< those of the robot, then the obstacles'; no shapes
  const SceneRows<3, double>* geometries_;
  /// Where shapes of the robot are in a scene of one configuration and the obstacles.
  std::vector<std::int32_t> place_of_shape_;
  std::array<std::int32_t, kKindCount> first_obstacle_{};  ///< likewise, of each kind
  std::vector<std::int32_t> body_;                         ///< of each shape of the robot
};

}  // namespace widephase
