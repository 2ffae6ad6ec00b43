#pragma once

// How far the shapes of a robot can move between two times of a motion.
//
// Joints are taken one by one from the tip to the base, the others staying where they are. A turn
// by an angle moves a point by at most the angle times its distance from the axis; the point itself
// is off by what the joints before have moved it. So with rho the distance of a ball's far side
// from the axis at the time t, g += angle * (rho + g). A slide adds its length. Quaternions on a
// straight line, off by e times their length, turn by an angle whose half has a sine of at most e:
// a point at a distance r moves by at most 2 e r.
//
// Between two shapes only the joints count that carry one of both, up to the joint where their ways
// to the base meet.

#include <array>
#include <span>
#include <vector>

#include <widephase/robot.hpp>

#include "pipeline/robots/robot_plan.hpp"
#include "soa/turn.hpp"

namespace widephase {

/// An elementary motion of a joint.
enum class MoveType : std::uint8_t { turn, slide, ball };

class MotionTree {
 public:
  explicit MotionTree(const Robot& robot);

  /// Where the bodies are, and the axes of their joints, with the numbers of one configuration.
  void place(const double* numbers, std::size_t stride);
  /// How fast each move goes per unit of time, of numbers that are apart by `differences`, all of
  /// the stride of `place`.
  void set_speeds(const double* differences);

  /// How fast the distance grows with each number of the configuration (by slot), for the nearest
  /// points of A and B and the unit normal from A to B. `b` is -1 for an obstacle.
  void gradient(std::int32_t a, std::int32_t b, const std::array<double, 3>& point_a,
                const std::array<double, 3>& point_b, const std::array<double, 3>& normal,
                std::vector<double>& by_slot) const;

  /// No number of a part that has an end is beyond, in the configuration.
  double size() const;

  /// A point of a body (-1: the world), in the world.
  std::array<double, 3> placed(std::int32_t body, const std::array<double, 3>& point) const {
    return body < 0 ? point : frames_[static_cast<std::size_t>(body)].placed(point);
  }
  std::int32_t part_of(std::int32_t shape) const {
    return part_of_shape_[static_cast<std::size_t>(shape)];
  }
  /// How far a part may move from where it is, within `width` of the time.
  double reach(std::int32_t part, double width) const { return reach_until(part, -1, width); }
  /// How far one may move relative to the other.
  double reach(std::int32_t a, std::int32_t b, double width) const;
  /// The largest of all parts' reaches and, of parts that may meet, of relative ones.
  double most_reach(double width) const;

 private:
  struct Move {
    MoveType type;
    std::int32_t slot;
    std::int32_t before;  ///< the next one toward the base; -1: none
    std::int32_t depth;   ///< how many are before
  };
  using Vector = std::array<double, 3>;
  struct Frame {
    std::array<Vector, 3> column{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    Vector position{};
    Vector turned(const Vector& v) const;
    Vector placed(const Vector& v) const;
  };

  RobotParts make_parts() const;
  /// Adds `sign` times the speed of a point of a part along the normal, for joints up to `end`.
  void add_speeds(std::int32_t part, std::int32_t end, const Vector& point, const Vector& normal,
                  double sign, std::vector<double>& by_slot) const;
  double reach_until(std::int32_t part, std::int32_t end, double width) const;
  /// The move of its body that is nearest to the tip; -1 without one.
  std::int32_t last_move_of(std::int32_t part) const;
  std::int32_t meeting(std::int32_t a, std::int32_t b) const;
  void move(Frame& frame, const RobotJoint& joint, std::size_t& next, const double* numbers,
            std::size_t stride);

  const Robot& robot_;
  std::vector<Move> moves_;
  std::vector<std::int32_t> last_move_;  ///< of each body
  std::span<const RobotParts::Part> parts_;
  std::span<const std::int32_t> part_of_shape_;
  std::vector<std::array<std::int32_t, 2>> pairs_;  ///< parts on different moves
  std::size_t stride_ = 1;
  // What the configuration changes:
  std::vector<Frame> frames_;
  std::vector<Vector> axis_, point_, centers_;
  /// The frame that a ball's quaternion x y z w rotates, and that quaternion.
  std::vector<std::array<Vector, 3>> before_;
  std::vector<std::array<double, 4>> quaternion_;
  std::vector<double> scale_;  ///< of a ball's quaternion 1 / length, else 1
  std::vector<double> speed_;
};

}  // namespace widephase
