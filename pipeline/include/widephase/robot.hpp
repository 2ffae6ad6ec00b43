#pragma once

// Robots in bulk: a tree of bodies that joints move, and its poses in many configurations at once.

#include <memory>
#include <string>
#include <vector>

#include <widephase/export.h>
#include <widephase/bodies.hpp>
#include <widephase/collide.hpp>
#include <widephase/environment.hpp>
#include <widephase/isa.hpp>

namespace widephase {

/// How a joint moves, and how many values it has in a configuration.
enum class JointType : std::uint8_t {
  fixed,       ///< not at all: no values
  revolute,    ///< one angle about its axis, within limits
  continuous,  ///< one angle about its axis
  prismatic,   ///< one length along its axis
  planar,      ///< two lengths x, y across its axis, then an angle about it
  floating,    ///< a position x y z, then a quaternion
  ball         ///< a quaternion
};

/// The word for a type, as URDF has it: "revolute". A ball joint is "ball".
WIDEPHASE_API std::string_view joint_type_name(JointType type);

/// Whether a joint has one value, an angle or a length: it may have limits, and a mimic.
constexpr bool has_one_value(JointType type) {
  return type == JointType::revolute || type == JointType::continuous ||
         type == JointType::prismatic;
}

/// The frames of a robot that move as one piece each. A body's frame is its origin in the frame of
/// its parent, moved by its joints.
struct RobotBodies {
  std::vector<std::string> name;  ///< empty texts for none
  Column<std::int32_t> parent;    ///< a row of these; -1: the world
  Column<double, 3> position;     ///< of the origin in the parent's frame
  Column<double, 4> turn;         ///< of the origin, a unit quaternion x y z w
};

/// The joints of a robot. Several joints of one body act one after the other, in the order of their
/// rows, each in the frame as moved so far.
struct RobotJoints {
  std::vector<std::string> name;  ///< empty texts for none
  Column<JointType> type;         ///< how each moves
  Column<std::int32_t> body;      ///< which it moves
  /// A unit vector in the body's frame. For a planar joint x and y are the axes across it: those of
  /// the frame, rotated by the shortest rotation from z to the axis. Not used by ball and floating
  /// joints.
  Column<double, 3> axis;
  /// A point of the body's frame that a rotation leaves where it is. Empty: the origin for all.
  /// Only of revolute, continuous and ball joints.
  Column<double, 3> anchor;
  /// The lower limit of the value of a joint that has one; infinite for none. Empty: no limits at
  /// all.
  Column<double> lower;
  Column<double> upper;  ///< the upper limit, likewise
  /// The joint whose value it takes: one with one value of its own. -1: its own. Empty: all have
  /// their own.
  Column<std::int32_t> mimic;
  /// A joint of one value moves by `multiplier * value + offset`. Empty: 1 and 0 for all.
  Column<double> multiplier;
  Column<double> offset;  ///< as `multiplier` says; empty if that is
};

/// The parts of a robot as its file names them: several may be on one body.
struct RobotLinks {
  std::vector<std::string> name;  ///< empty texts for none
  Column<std::int32_t> body;      ///< a row of the bodies; -1: the world
  Column<double, 3> position;     ///< of the link's frame in the body's
  Column<double, 4> turn;         ///< of that frame, a unit quaternion x y z w
};

/// All that a robot is made of.
struct RobotColumns {
  RobotBodies bodies;  ///< what moves as one piece each
  RobotJoints joints;  ///< how these move
  RobotLinks links;    ///< the names of their parts
  /// Shapes on these bodies (column `body`), with the link as `owner`. Links that never meet are
  /// `excluded_owners`. The scene's own `bodies` are not used. Shapes are of world 0, or of -1
  /// where `replicate` must not copy them.
  SceneColumns<3, double> shapes;
  /// The start of each value. Empty: 0, and no rotation.
  std::vector<double> start;
  /// The order in which configurations have quaternions.
  QuaternionOrder quaternions = QuaternionOrder::xyzw;
};

/// Shapes that a robot carries, such as what it has grasped.
struct Attachment {
  std::string name;                           ///< of its own link
  std::int32_t link = -1;                     ///< the link that carries it
  std::array<double, 3> position{};           ///< of its frame in that of the link
  std::array<double, 4> turn = {0, 0, 0, 1};  ///< of its frame, a unit quaternion x y z w
  /// In its frame. Categories, masks and margins count; owners, bodies, worlds and excluded pairs
  /// do not.
  SceneColumns<3, double> shapes;
  /// Links that it may touch, beside the one that carries it and links of the same body.
  std::vector<std::int32_t> allowed;
};

/// One of the numbers of a configuration.
struct RobotValue {
  std::string name;        ///< of the joint; "base.x" or "base.qw" if that has several
  std::int32_t joint = 0;  ///< a row of the joints
  double start = 0;        ///< where `Robot::shapes` have it
  bool is_angle = false;   ///< in radians
  double lower = 0;        ///< its limit; infinite for none
  double upper = 0;        ///< likewise
};

/// What `place` reads of a robot; the library's own.
struct RobotPlan;

/// A robot that never changes; threads may share it.
class WIDEPHASE_API Robot {
 public:
  /// Throws `Error` for columns of unequal length, parents in a ring, and numbers that are not
  /// finite. It also does for axes and quaternions that are not of unit length, and for limits in
  /// the wrong order. The same holds for mimics of joints without one value of their own, and for
  /// shapes that are not valid.
  explicit Robot(RobotColumns columns);

  /// What it was made of. `shapes` have the `bodies` in the start configuration.
  const RobotColumns& columns() const { return *columns_; }
  /// Shapes, with their bodies in the start configuration.
  const SceneColumns<3, double>& shapes() const { return columns_->shapes; }
  /// How many frames `place` gives.
  std::size_t body_count() const { return columns_->bodies.name.size(); }
  /// The numbers of a configuration, in their order: joint by joint, without mimics.
  const std::vector<RobotValue>& values() const { return *values_; }

  /// The same robot with shapes that a link carries. Calls count them as those of the robot. They
  /// are behind its own shapes, kind by kind, and their `owner` is a new link behind all others.
  /// Throws `Error` for a name that is empty or that a link has, and for links that the robot does
  /// not have. It also does for surfaces and halfspaces, and for shapes that are not valid.
  Robot attached(const Attachment& attachment) const;
  /// The same robot without an attachment of this name. The links of later ones get lower numbers.
  /// Throws `Error` for a name that no attachment has.
  Robot detached(std::string_view name) const;
  /// What is attached, in the order of its links, which are the last ones.
  const std::vector<Attachment>& attachments() const { return attachments_; }

  /// \cond  The library's own.
  const RobotPlan& plan() const { return *plan_; }
  /// \endcond

 private:
  std::shared_ptr<RobotColumns> columns_;
  std::shared_ptr<std::vector<RobotValue>> values_;
  std::shared_ptr<const RobotPlan> plan_;
  std::shared_ptr<const RobotColumns> bare_;  ///< without attachments; null if there are none
  std::vector<Attachment> attachments_;
};

/// Configurations in the caller's array, with any strides. They must outlive the call.
template <class T>
struct Configurations {
  const T* first = nullptr;                 ///< the first value of the first configuration
  std::size_t count = 0;                    ///< configurations
  std::size_t width = 0;                    ///< values of each
  std::ptrdiff_t row_stride = 0;            ///< bytes from a configuration to the next
  std::ptrdiff_t value_stride = sizeof(T);  ///< bytes from a value to the next

  /// None.
  Configurations() = default;
  /// Rows of `width` values, one after the other. Throws `Error` if values are left.
  Configurations(std::span<const T> values, std::size_t width)
      : first(values.data()),
        count(width == 0 ? 0 : values.size() / width),
        width(width),
        row_stride(static_cast<std::ptrdiff_t>(width * sizeof(T))) {
    if (width == 0 || values.size() % width == 0) return;
    throw Error(Finding{"q", -1,
                        "has " + std::to_string(values.size()) +
                            " values; expected a multiple of " + std::to_string(width)});
  }
};

/// What `place` did with a configuration.
enum class ConfigurationStatus : std::uint8_t {
  placed,        ///< 0: its poses are there
  invalid,       ///< a value has no meaning, and its poses are NaN
  beyond_limits  ///< placed, and a value is beyond its limits; only if these are checked
};

/// Which frames `place` gives.
enum class RobotFrames : std::uint8_t {
  bodies,  ///< those that move as one piece, which shapes refer to
  links    ///< those that the robot's file names
};

/// Options of `place`.
struct RobotOptions {
  Threads threads;                           ///< who runs the chunks
  Isa isa = Isa::widest;                     ///< changes no bit
  RobotFrames frames = RobotFrames::bodies;  ///< which frames are written
  bool checks_limits = false;                ///< whether a value beyond its limits is a fault
  /// Gets what became of each configuration. Null: the first fault is an error.
  Column<ConfigurationStatus>* status = nullptr;
};

/// Forward kinematics: the poses of a robot's bodies in many configurations. Row
/// `configuration * bodies + body` of `poses` has the frame of a body relative to the world. This
/// is the numbering of `replicate`:
///
///     replicate(robot.shapes(), count, worlds);
///     place(robot, q, worlds.bodies);  // world w is in configuration w
///     any_contact(worlds, is_contact, workspace);
///
/// All is computed in double and rounded once; the bits depend neither on threads nor on the
/// instruction set, nor on the other configurations. Quaternions of ball and floating joints may
/// have any length from 1e-75 to 1e75. A value has no meaning if it is not finite, or is an angle
/// beyond 2^50 radians or a length beyond 1e75; mimics likewise.
///
/// Throws `Error` for configurations of the wrong width, and without `status` for the first value
/// without a meaning or, if they are checked, beyond its limits. `poses` then hold anything.
template <class T, class P>
WIDEPHASE_API void place(const Robot& robot, const Configurations<T>& q,
                         BodyTable<Owned<3, P>>& poses, const RobotOptions& options = {});

/// Yes or no for each configuration: `is_contact[i]` is 1 exactly when two shapes of the robot
/// touch in configuration i, or one of it and an obstacle. The answers are those of `any_contact`
/// for worlds of the robot's shapes, in double. Most are found in float, many configurations at a
/// time, and those that are close are decided in double. So the bits depend neither on threads nor
/// on the instruction set, nor on the other configurations.
///
/// `worlds` is empty, or has the world of each configuration, which meets the obstacles of that
/// world and of -1. Worlds are 0 or more; one without obstacles of its own has those of -1 alone.
/// An environment of one world meets every configuration. Each world is asked alone, so that many
/// worlds of few configurations cost more than few worlds of many; one with close configurations
/// costs as much as all obstacles.
///
/// Throws `Error` as `place` and `any_contact` do, for fewer entries than configurations, and for a
/// world mask or status. It also does for an environment with worlds if `worlds` is empty.
/// `is_contact` then stays as it was.
template <class T>
WIDEPHASE_API void any_contact(const Robot& robot, const Configurations<T>& q,
                               const Environment& environment, std::span<std::uint8_t> is_contact,
                               Workspace<3, double>& workspace, const CollideOptions& options = {},
                               std::span<const std::int32_t> worlds = {});

/// Which shapes meet: one of the robot, and an obstacle or another shape of the robot.
struct RobotPairs {
  Column<std::int32_t> shape;        ///< an id of the robot's shapes
  Column<std::int32_t> link;         ///< its link; -1 if it has none
  Column<std::int32_t> obstacle;     ///< an id of the environment; -1: the robot meets itself
  Column<std::int32_t> other_shape;  ///< the robot's other shape; -1: it meets an obstacle
  Column<std::int32_t> other_link;   ///< its link
};

/// What touches first in each configuration; one row per configuration, -1 in all columns where
/// nothing touches.
struct FirstContacts : RobotPairs {};

/// The first contact of each configuration. Of all pairs that touch it is one of the lowest id of a
/// shape of the robot. Of that shape's pairs it is the one with the lowest obstacle; without any,
/// the one with the lowest other shape. A configuration has one exactly where `any_contact` says
/// yes; arguments and errors are the same, and after one `contacts` stay as they were.
template <class T>
WIDEPHASE_API void first_contact(const Robot& robot, const Configurations<T>& q,
                                 const Environment& environment, FirstContacts& contacts,
                                 Workspace<3, double>& workspace,
                                 const CollideOptions& options = {},
                                 std::span<const std::int32_t> worlds = {});

/// All contacts of configurations: one row per pair that touches, and for surfaces per patch.
/// Contact i has the points `offset[i]` ... `offset[i + 1] - 1`. A is the robot's `shape`, B the
/// obstacle or `other_shape`.
struct RobotContacts : RobotPairs {
  Column<std::int64_t> configuration;  ///< its row in `q`
  Column<double, 3> normal;            ///< unit, from A to B
  Column<double> depth;         ///< moving B by depth * normal separates; < 0: apart by -depth
  Column<std::int64_t> offset;  ///< one more than contacts
  Column<double, 3> point;      ///< as in `ContactBuffer`, in the world
  Column<double> point_depth;   ///< as in `ContactBuffer`
};

/// All contacts, ascending by configuration. Those of one configuration are in the order by which
/// `first_contact` takes the first. `options.margin` also reports pairs that are apart by no more;
/// `max_contacts` and `max_points` count for 512 configurations at a time. Other arguments and
/// errors are those of `any_contact`; after an error `contacts` stay as they were.
template <class T>
WIDEPHASE_API void contacts(const Robot& robot, const Configurations<T>& q,
                            const Environment& environment, RobotContacts& contacts,
                            Workspace<3, double>& workspace, const CollideOptions& options = {},
                            std::span<const std::int32_t> worlds = {});

}  // namespace widephase
