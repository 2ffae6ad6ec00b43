#pragma once

// What robots need from an instruction set, with a configuration per lane: forward kinematics of a
// block, and whether its configurations touch. Every such object includes this header, so it has no
// inline function.

#include <cstddef>
#include <cstdint>

#include <widephase/isa.hpp>

#include "soa/mesh_view.hpp"

namespace widephase {

/// Configurations that are placed together, on every instruction set.
inline constexpr std::size_t kRobotBlock = 16;
/// Numbers of a frame: position, then quaternion x y z w.
inline constexpr std::size_t kFrameNumbers = 7;

/// How the numbers of a joint move its frame.
enum class JointMotion : std::uint8_t {
  turn,      ///< one angle about the axis
  slide,     ///< one length along the axis
  plane,     ///< two lengths along `plane`, then an angle about the axis
  ball,      ///< a quaternion x y z w of any length above 0
  floating,  ///< three lengths, then a quaternion likewise
};

/// A joint that moves.
struct RobotJoint {
  JointMotion motion;
  bool has_anchor;     ///< whether `anchor` is not the frame's origin
  std::int32_t slot;   ///< of its first number
  double axis[3];      ///< of unit length, in the frame that it moves
  double anchor[3];    ///< a point that a turn or ball leaves where it is
  double plane[2][3];  ///< unit vectors across the axis
};

/// A frame, which follows its parent by an origin and by joints, one after the other.
struct RobotStep {
  std::int32_t frame;
  std::int32_t parent;  ///< the frame it is given in; -1: the world
  bool has_turn;        ///< whether `turn` is not the identity
  double position[3];
  double turn[4];  ///< x y z w, of unit length
  std::int32_t first_joint, last_joint;
};

/// A block of configurations. Number n of lane i is at n * kRobotBlock + i of an array that is
/// aligned to 64 bytes.
struct RobotJob {
  const RobotStep* steps;  ///< parents before their children
  std::size_t step_count;
  const RobotJoint* joints;
  std::size_t joint_count;
  const double* numbers;  ///< of all slots, finite
  double* cosines;        ///< room for one of each joint: of half its angle
  double* sines;          ///< likewise
  double* frames;         ///< written: kFrameNumbers per frame
};

/// How a node moves in its own frame.
enum class NodeMotion : std::uint8_t {
  fixed,
  turn,   ///< about z by an angle
  slide,  ///< along z by a length
  ball,   ///< by a quaternion x y z w
};

/// A frame of the check in float: that of its parent, turned and shifted by constants, then moved
/// by one joint about or along its own z. A joint of several motions is several nodes.
struct CheckNode {
  std::int32_t parent;  ///< -1: the world
  std::int32_t slot;    ///< of the motion's first number; -1 for a fixed node
  NodeMotion motion;
  bool has_turn;      ///< whether `turn` is not the identity
  float turn[3][3];   ///< its columns: the images of the axes
  float position[3];  ///< of its origin in the parent
};

/// A ball that has a part of a robot between two of its own size: whatever the ball of radius
/// `least` touches, the part does, and what the ball of radius `most` is apart from, the part is.
/// Both allow for the rounding of its centre. `least` is negative if the part has no such ball.
struct CheckBall {
  float center[3];  ///< in the frame of its node
  float least;
  float most;
};

/// Parts of a robot on one node that meet the same others.
struct CheckUnit {
  std::int32_t node;
  std::int32_t first_ball, last_ball;
  std::int32_t first_convex, last_convex;  ///< its shapes
  bool is_exact;                           ///< whether balls say all: then no convex is asked
  CheckBall bound;                             ///< around all; only `most` counts
  std::int32_t first_obstacle, last_obstacle;  ///< places in the list of the job
  bool meets_points;                           ///< whether it may touch points of the job
  std::uint32_t category, mask;
};

/// Two units that may meet.
struct CheckPair {
  std::int32_t a, b;
};

/// The core of an obstacle, which is rounded by a radius.
enum class CheckCore : std::uint8_t {
  point,
  segment,    ///< axis[0]: from `center`, its start, to its end; size[0] = 1 / squared length
  box,        ///< unit axes, half extents
  cylinder,   ///< unit axis[2]; size[0] = radius, size[2] = half height
  halfspace,  ///< unit axis[2], out of the solid; size[0] = offset
  hull,       ///< `faces` and their `sides`, relative to `center`
};

/// An obstacle as its core and two radii, which allow for the rounding of its numbers. If it is not
/// of this form, `least` is so far below 0 that nothing surely touches it.
struct CheckObstacle {
  CheckCore core;
  float center[3];
  float axis[3][3];
  float size[3];
  float least;
  float most;
  std::int32_t first_face, last_face;  ///< of a hull
  /// Vertices of a hull, relative to `center`: all x, then all y, then all z, from this place of a
  /// list on. The count is a multiple of `kVertexTile`; the last vertex is repeated.
  std::int32_t first_vertex, vertex_count;
  float inside[3];  ///< a point of the core, and how far around it the core reaches at least
  float inner;
  float rounding;  ///< what the test of two convexes takes off `least` and adds to `most`
  std::uint32_t category, mask;
};
/// As many as the widest vector has floats.
inline constexpr std::int32_t kVertexTile = 16;

/// A shape of a robot as a core in the frame of its node, and the balls of it alone.
struct CheckConvex {
  CheckObstacle core;
  std::int32_t node;
  std::int32_t first_ball, last_ball;
};

/// A face of a hull: the points of its plane have this height along the normal.
struct CheckFace {
  float normal[3];
  float height;
  std::int32_t first_side, last_side;
};

/// A side of a face, and the face's inward unit vector across it.
struct CheckSide {
  float from[3];
  float along[3];
  float inverse;  ///< 1 / squared length
  float inward[3];
};

/// A grid of cells that know how far the nearest of something is. Beyond its box nothing counts.
struct CheckGrid {
  float low[3], high[3];  ///< of the box; without far ones the grid fills it
  float first[3];         ///< the middle of the first cell
  float step, inverse;    ///< from cell to cell, and 1 / step
  float reach;            ///< no place of the box is farther from the middle of its cell
  std::int32_t size[3];   ///< cells along each axis; x runs first
  /// Per cell: the nearest is at least so many units from the middle, and less than one more
  /// but for a share of 2^-19.
  const std::uint16_t* apart;
  float unit;
};

/// A tree of boxes: levels of tiles as those of `MeshView`.
struct CheckTiles {
  const float* tiles;
  int level_count;
  std::int32_t level_begin[kMostMeshLevels];
};

/// Boxes of obstacles with their radii and all rounding.
struct CheckTree : CheckTiles {
  const std::int32_t* obstacle;  ///< by place of level 0: that of the job; -1: none
};

/// Points of one radius: a tree of their places, and a grid of cells that know how far the nearest
/// one is. Radii are as those of an obstacle.
struct CheckPoints : CheckGrid, CheckTiles {
  std::int32_t count;           ///< of points; the least numbers of level 0 are their places
  const std::int32_t* nearest;  ///< per cell: the tile of that point
  float least, most;
};

/// A block of configurations, as in `RobotJob`, and what they may meet.
struct CheckJob {
  const CheckNode* nodes;  ///< parents before their children
  std::size_t node_count;
  const CheckUnit* units;  ///< in the order in which they are asked
  std::size_t unit_count;
  const CheckBall* balls;
  std::size_t ball_count;
  const CheckPair* pairs;
  std::size_t pair_count;
  const std::int32_t* obstacle_list;
  const CheckObstacle* obstacles;
  const CheckFace* faces;
  const CheckSide* sides;
  const CheckConvex* convexes;
  const float* vertices;           ///< of convexes
  const float* obstacle_vertices;  ///< of obstacles
  const CheckPoints* points;        ///< null for none
  const CheckGrid* near_obstacles;  ///< how far obstacles are at least; null: not known
  const CheckTree* obstacle_tree;   ///< of obstacles, in place of long lists; null: none
  float margin;                     ///< added to the distance of all pairs
  bool has_culls;         ///< whether bounds are asked before their balls; changes no answer
  const double* numbers;  ///< of all slots, finite
  /// Room for `kRobotBlock` times: 4 numbers and a frame per node, a point and, if there is a grid,
  /// one number per unit and ball.
  float* scratch;
  bool* is_placed;       ///< room for one per unit
  unsigned* open_balls;  ///< room for one per ball if there are points
  unsigned wanted;       ///< bit i: configuration i is asked
  /// Per configuration those that nobody asks about if it touches; null: none. These are taken out
  /// of `wanted`, and what is written of them means nothing.
  const unsigned* later;
  unsigned touching;  ///< written: those that surely touch
  unsigned unsure;    ///< written: those of the others that may touch
};

/// Two that may meet, and places in the list of joints of a proof: of the last joint that moves the
/// one against the other, on the way from each to the base. -1 for none.
struct ProofPair {
  std::int32_t a;         ///< a unit
  std::int32_t b;         ///< a unit; -1: an obstacle
  std::int32_t obstacle;  ///< of the job; -1: a unit
  std::int32_t reach_a, reach_b;
};

/// Parts of motions: times around those of the configurations of `check`. What is apart by balls
/// that are as much larger as their units can move is apart within the part.
struct ProofJob {
  CheckJob check;  ///< without lists of obstacles and pairs
  const ProofPair* pairs;
  const std::int32_t* joints;       ///< nodes that move a unit, from it to the base, unit by unit
  const std::int32_t* first_joint;  ///< of each unit, and of one more
  float lever_error;  ///< what rounding takes from the distance of a unit's middle from a joint
  float share;        ///< 1 and what rounding takes from a way
  /// How far each node moves at most, per lane: by an angle, twice the sine of half of one, or a
  /// length.
  const float* moved;
  float* reaches;             ///< room for `kRobotBlock` per entry of `joints`
  const std::int32_t* asked;  ///< rows of `pairs`
  std::size_t asked_count;
  /// Lanes that ask each of them; written: those whose pair may come together. Means nothing for
  /// lanes that touch.
  std::uint16_t* open;
};

/// Numbers of a frame of the check: three columns and a position.
inline constexpr std::size_t kCheckFrame = 12;
inline constexpr std::size_t kCheckPoint = 3;

/// Samples of one motion: those from `first` on, in the lanes from `lane` on. Lanes beyond the last
/// sample, which is `steps`, have that one.
struct SampleRun {
  const double* from;  ///< values of configurations
  const double* to;
  double first, steps;
  double lane;
};

/// The number of a slot, from a value of the configuration.
struct SampleNumber {
  std::int32_t value;
  double multiplier, offset;
};

/// A block of samples. The first run begins in lane 0, and each ends where the next begins.
struct SampleJob {
  const SampleRun* runs;
  std::size_t run_count;
  const SampleNumber* numbers;  ///< of all slots
  std::size_t number_count;
  double* lanes;  ///< written: as the numbers of `CheckJob`; finite before
};

/// A ball of a robot, and an obstacle of the job or (`~`) another ball.
struct NearPair {
  std::int32_t ball, other;
  unsigned lanes;  ///< where it may be the nearest
};

/// Which pairs may be the nearest of each configuration (kernels/robots/distances.hpp).
struct DistanceJob {
  /// The `least` of balls and obstacles counts no margin of the shape; `most` may.
  CheckJob check;
  /// Per unit: no more than this farther than the bound's centre from a place is one of its shapes.
  const float* inner;
  const std::uint8_t* is_whole;  ///< per ball: whether it is its shape
  float limit;                   ///< farther ones are not asked for
  std::size_t most;              ///< room for pairs
  float* gaps;     ///< room for `kRobotBlock` per pair of units and entry of the list of obstacles
  float* bounds;   ///< room for `kRobotBlock` per pair
  NearPair* near;  ///< written
  std::size_t count;  ///< written
  unsigned too_many;  ///< written: lanes whose pairs found no room, and are not there
};

struct RobotTable {
  void (*place)(const RobotJob& job);
  void (*check)(CheckJob& job);
  void (*place_samples)(const SampleJob& job);
  void (*find_near_pairs)(DistanceJob& job);
  void (*prove)(ProofJob& job);
};

/// The table of an instruction set that is in this build and that the CPU has (`chosen_isa`).
const RobotTable& robot_table(Isa isa);

}  // namespace widephase
