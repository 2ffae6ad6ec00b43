#pragma once

// Which pairs may be the nearest of each configuration: by balls in float, in lanes.

#include <vector>

#include "pipeline/robots/check_scene.hpp"
#include "pipeline/robots/listed_pairs.hpp"

namespace widephase {

/// What may be nearest, and configurations of which that is not known.
struct NearPairList {
  std::vector<ListedPair> pairs;  ///< by configuration
  std::vector<std::int64_t> unknown;
};

class NearPairs {
 public:
  /// For configurations in a world of the environment, up to a distance. The robot and the
  /// environment satisfy `can_list_near_pairs`.
  NearPairs(const Robot& robot, const Environment& environment, std::int32_t world, double limit,
            const CollideOptions& options);

  /// All pairs that may have the least distance, unless that is above the limit, of configurations
  /// that are valid.
  template <class T>
  NearPairList find(const Configurations<T>& q) const;

 private:
  template <class T>
  void find_of_chunk(const Configurations<T>& q, std::size_t begin, std::size_t end,
                     NearPairList& list) const;
  void append(const DistanceJob& job, std::size_t first, std::vector<RobotPair>& scratch,
              NearPairList& list) const;

  const Robot& robot_;
  const CollideOptions& options_;
  CheckScene scene_;
  std::vector<CheckBall> balls_;
  std::vector<CheckObstacle> obstacles_;
  std::vector<float> inner_;
  std::vector<std::uint8_t> is_whole_;
  DistanceJob job_{};
};

/// Whether `NearPairs` can be made and pays.
bool can_list_near_pairs(const Robot& robot, const Environment& environment);

}  // namespace widephase
