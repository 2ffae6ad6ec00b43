#pragma once

// Parts of motions, a part per lane of blocks: which are free, which touch at their middle.

#include <span>
#include <vector>

#include "pipeline/robots/motion_parts.hpp"
#include "pipeline/robots/proof_scene.hpp"

namespace widephase {

/// What float knows of a part.
enum class PartAnswer : std::uint8_t {
  free,
  hit,     ///< the configuration at its middle touches
  open,    ///< that one does not, but balls show no more without a division
  unknown  ///< ask in double
};

class LaneProver {
 public:
  /// What the arguments refer to is kept.
  LaneProver(const Robot& robot, const ProofScene& scene, const MotionEnds& motions,
             const CollideOptions& options);

  /// Answers for each of the parts. Those that are open get a list of the pairs that are.
  void ask(std::span<const Interval> parts, std::span<PartAnswer> answers,
           std::span<OpenPairs> listed) const;

 private:
  class Block;
  /// Where a number of a joint comes from.
  struct Source {
    std::size_t value;
    double multiplier, offset;
  };
  /// How fast a node moves: numbers from `slot` on, `count` of them.
  struct Mover {
    std::size_t node, slot, count;
    bool is_turn;
  };
  /// How much a number of a motion changes in all, and what rounding may add to that.
  struct Change {
    double difference, rounding;
  };

  const Robot& robot_;
  const ProofScene& scene_;
  MotionEnds motions_;
  const CollideOptions& options_;
  std::vector<Source> sources_;  ///< by slot
  std::vector<Mover> movers_;
  std::vector<Change> changes_;  ///< of each motion, by slot
};

}  // namespace widephase
