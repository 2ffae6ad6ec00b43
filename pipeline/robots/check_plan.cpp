// The plan of a robot's check in float, and how far its centres may be off by rounding.
//
// With u = 2^-24 and lengths of matrices by Frobenius, a frame's columns miss by at most 12 u more
// than its parent's after a product with constants (four roundings in each of nine sums of three
// products of numbers below 1), and by 24 u more after a turn (sine and cosine are within 2 u, see
// the kernel), 40 u after a quaternion. An origin at a distance d from its parent's misses by d
// times what the parent's columns do, 8 u d for the products, and 2 u times its own coordinates.
//
// The way from a joint's origin to a centre misses by what both do. The distance from the axis
// misses by that, by the way's length times what the axis does, and by 16 u of it: differences,
// products, sums and a root have a rounding each. No way is longer than 4 times the largest
// coordinate, and nodes toward the base miss by less.

#include "pipeline/robots/check_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "pipeline/robots/convex_core.hpp"
#include "pipeline/robots/enclosing_balls.hpp"
#include "pipeline/robots/frame.hpp"
#include "pipeline/robots/node_convex.hpp"
#include "pipeline/robots/robot_plan.hpp"
#include "pipeline/rows/pair_filter.hpp"
#include "soa/join_column.hpp"
#include "soa/kind_traits.hpp"
#include "soa/turn.hpp"

namespace widephase {

namespace {

using Vector = std::array<double, 3>;

constexpr double kU = 0x1p-24;
/// The most shapes of a robot, whose pairs are listed.
constexpr std::int32_t kMostShapes = 2000;
/// Angles whose remainder the kernel finds with all digits.
constexpr double kMostCheckedAngle = 1e6;
/// Balls along a capsule or hull at most.
constexpr int kMostBalls = 32;

Frame shifted(const double* by, double factor) {
  Frame frame;
  for (std::size_t k = 0; k < 3; ++k) frame.position[k] = factor * by[k];
  return frame;
}

/// A rotation that takes z to a unit vector, and its inverse.
struct TurnToAxis {
  Frame to, back;
};
TurnToAxis turn_to(const double* axis) {
  const Vector z{axis[0], axis[1], axis[2]};
  TurnToAxis turn;
  if (z[0] == 0 && z[1] == 0 && z[2] > 0) return turn;
  const std::size_t least = std::abs(z[0]) <= std::abs(z[1]) && std::abs(z[0]) <= std::abs(z[2]) ? 0
                            : std::abs(z[1]) <= std::abs(z[2])                                   ? 1
                                                               : 2;
  Vector x = plus({}, -z[least], z);
  x[least] += 1;
  x = plus({}, 1 / length(x), x);
  const Vector y{z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]};
  turn.to.column = {x, y, z};
  for (std::size_t k = 0; k < 3; ++k) turn.back.column[k] = {x[k], y[k], z[k]};
  return turn;
}

/// What is known of a node's frame in all configurations.
struct NodeBounds {
  double turn_error = 0, position_error = 0;
  bool is_fixed = true;  ///< `start` is its frame
  Frame start;           ///< if it is fixed
  Vector around{};       ///< its origin is within `reach` of this place
  double reach = 0;
  double size() const {
    return std::max({std::abs(around[0]), std::abs(around[1]), std::abs(around[2])}) + reach;
  }
};

class Planner {
 public:
  Planner(const RobotColumns& robot, const RobotPlan& plan) : robot_(robot), plan_(plan) {}

  CheckPlan plan() {
    const SceneLayout layout = layout_of(robot_.shapes);
    if (robot_.shapes.domain.is_periodic() || layout.shape_count() > kMostShapes) return {};
    for (int k = 0; k < kKindCount; ++k) {
      const KindTraits traits = traits_of(static_cast<Kind>(k));
      if ((traits.is_unbounded || traits.is_surface) && layout.count(static_cast<Kind>(k)) != 0) {
        return {};
      }
    }
    find_slide_limits();
    add_node(-1, {}, NodeMotion::fixed, -1, 0);
    place_bodies();
    if (!add_units(layout) || !(check_.size < 1e12)) return {};
    check_.is_there = std::ranges::all_of(check_.units, [](const PlannedUnit& planned) {
      return planned.unit.bound.most < CheckPlan::kMostRadius;
    });
    return std::move(check_);
  }

 private:
  /// A slide that has no limits may go eight times as far as the robot is large.
  void find_slide_limits() {
    double size = 1e-3;
    for (std::size_t s = 0; s < plan_.body_count; ++s) {
      const double* const at = plan_.steps[s].position;
      size += length({at[0], at[1], at[2]});
    }
    for (const RobotSlots& slots : plan_.slots) {
      const RobotJoints& joints = robot_.joints;
      const auto row = static_cast<std::size_t>(slots.joint);
      double most = 8 * size;
      const std::int32_t mimic = joints.mimic.empty() ? -1 : joints.mimic[row];
      const std::size_t own = mimic < 0 ? row : static_cast<std::size_t>(mimic);
      if (slots.motion == JointMotion::slide && !joints.lower.empty()) {
        const double far = std::max(std::abs(joints.lower[own]), std::abs(joints.upper[own]));
        const double moved = std::abs(slots.multiplier) * far + std::abs(slots.offset);
        if (moved < most) most = moved;
      }
      most_slide_.push_back(most);
    }
  }

  std::int32_t add_node(std::int32_t parent, const Frame& start, NodeMotion motion,
                        std::int32_t slot, double most_slide) {
    CheckNode node{};
    node.parent = parent;
    node.slot = slot;
    node.motion = motion;
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) {
        // Rotations by quarters are exact; quaternions leave some 1e-17.
        const double part = std::abs(start.column[j][k]) < 1e-15 ? 0 : start.column[j][k];
        node.turn[j][k] = static_cast<float>(part);
        node.has_turn |= node.turn[j][k] != (j == k ? 1.0f : 0.0f);
      }
      node.position[j] = static_cast<float>(start.position[j]);
    }
    NodeBounds bounds;
    const double away = length(start.position);
    if (parent >= 0) bounds = bounds_[static_cast<std::size_t>(parent)];
    bounds.position_error += away * (bounds.turn_error + 8 * kU);
    bounds.turn_error += 12 * kU;
    if (motion == NodeMotion::turn) bounds.turn_error += 24 * kU;
    if (motion == NodeMotion::ball) bounds.turn_error += 40 * kU;
    if (bounds.is_fixed) {
      bounds.start = bounds.start.times(start);
      bounds.around = bounds.start.position;
      bounds.is_fixed = motion == NodeMotion::fixed;
    } else {
      bounds.reach += away;
    }
    if (motion == NodeMotion::slide) {
      bounds.position_error += most_slide * (bounds.turn_error + 8 * kU);
      bounds.reach += most_slide;
    }
    bounds.reach *= 1 + 1e-12;
    bounds.position_error += 2 * kU * bounds.size();
    if (motion == NodeMotion::turn) check_.limits.push_back({slot, kMostCheckedAngle});
    if (motion == NodeMotion::slide) check_.limits.push_back({slot, most_slide});
    bounds_.push_back(bounds);
    check_.nodes.push_back(node);
    return static_cast<std::int32_t>(bounds_.size()) - 1;
  }

  /// A body's frame, in that of a node.
  struct Place {
    std::int32_t node = 0;
    Frame frame;
  };

  void move(Place& place, const double* axis, NodeMotion motion, std::int32_t slot, double most) {
    const TurnToAxis turn = turn_to(axis);
    place.node = add_node(place.node, place.frame.times(turn.to), motion, slot, most);
    place.frame = turn.back;
  }
  void turn_by(Place& place, std::int32_t slot) {
    place.node = add_node(place.node, place.frame, NodeMotion::ball, slot, 0);
    place.frame = {};
  }

  void move_by_joint(Place& place, std::size_t index) {
    const RobotJoint& joint = plan_.joints[index];
    const double most = most_slide_[index];
    constexpr double kAxes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (joint.has_anchor) place.frame = place.frame.times(shifted(joint.anchor, 1));
    switch (joint.motion) {
      case JointMotion::turn:
        move(place, joint.axis, NodeMotion::turn, joint.slot, 0);
        break;
      case JointMotion::slide:
        move(place, joint.axis, NodeMotion::slide, joint.slot, most);
        break;
      case JointMotion::plane:
        for (int k = 0; k < 2; ++k) {
          move(place, joint.plane[k], NodeMotion::slide, joint.slot + k, most);
        }
        move(place, joint.axis, NodeMotion::turn, joint.slot + 2, 0);
        break;
      case JointMotion::ball:
        turn_by(place, joint.slot);
        break;
      case JointMotion::floating:
        for (int k = 0; k < 3; ++k) {
          move(place, kAxes[k], NodeMotion::slide, joint.slot + k, most);
        }
        turn_by(place, joint.slot + 3);
        break;
    }
    if (joint.has_anchor) place.frame = place.frame.times(shifted(joint.anchor, -1));
  }

  void place_bodies() {
    places_.resize(plan_.body_count);
    for (std::size_t s = 0; s < plan_.body_count; ++s) {
      const RobotStep& step = plan_.steps[s];
      Place place = step.parent < 0 ? Place{} : places_[static_cast<std::size_t>(step.parent)];
      place.frame = place.frame.times(frame_of(step.position, step.turn));
      for (std::int32_t j = step.first_joint; j < step.last_joint; ++j) {
        move_by_joint(place, static_cast<std::size_t>(j));
      }
      places_[static_cast<std::size_t>(step.frame)] = place;
    }
  }

  /// One ball inside of a shape that is rounded, and one around it.
  static std::vector<Ball> single(const Vector& center, double inner, double outer,
                                  double rounding) {
    return {{center, inner + rounding, outer + rounding}};
  }
  /// Balls along a segment, from end to end. Those around are larger by at most a twentieth, unless
  /// there would be very many.
  static std::vector<Ball> along(const Vector& a, const Vector& b, double radius) {
    const Vector way = plus(b, -1, a);
    const double far = length(way);
    int count = kMostBalls;
    if (radius > 0) {
      count = static_cast<int>(std::min(std::ceil(far / (0.6 * radius)), 1.0 * kMostBalls));
    }
    count = std::max(count, 1);
    const double half = far / (2 * count);
    std::vector<Ball> balls;
    for (int i = 0; i <= count; ++i) {
      balls.push_back({plus(a, 1.0 * i / count, way), radius, std::hypot(radius, half)});
      if (far == 0) break;
    }
    return balls;
  }

  std::vector<Ball> balls_of(Kind kind, std::size_t row) const {
    const SceneColumns<3, double>& shapes = robot_.shapes;
    switch (kind) {
      case Kind::sphere:
        return single(shapes.spheres.center.row(row), 0, 0, shapes.spheres.radius[row]);
      case Kind::capsule:
        return along(shapes.capsules.a.row(row), shapes.capsules.b.row(row),
                     shapes.capsules.radius[row]);
      case Kind::aabb: {
        const Vector low = shapes.aabbs.min.row(row), high = shapes.aabbs.max.row(row);
        const Vector half = plus(plus({}, 0.5, high), -0.5, low);
        return single(plus(low, 1, half), std::min({half[0], half[1], half[2]}), length(half), 0);
      }
      case Kind::box: {
        const Vector half = shapes.boxes.half_extents.row(row);
        return single(shapes.boxes.center.row(row), std::min({half[0], half[1], half[2]}),
                      length(half), rounding_of(shapes.boxes.radius, row));
      }
      case Kind::cylinder: {
        const double radius = shapes.cylinders.radius[row];
        const double half = shapes.cylinders.half_height[row];
        return single(shapes.cylinders.center.row(row), std::min(radius, half),
                      std::hypot(radius, half), rounding_of(shapes.cylinders.rounding, row));
      }
      case Kind::ellipsoid: {
        const Vector half = shapes.ellipsoids.half_extents.row(row);
        return single(shapes.ellipsoids.center.row(row), std::min({half[0], half[1], half[2]}),
                      std::max({half[0], half[1], half[2]}),
                      rounding_of(shapes.ellipsoids.rounding, row));
      }
      case Kind::cone:
        return single(shapes.cones.center.row(row), -1e30,
                      std::hypot(shapes.cones.radius[row], shapes.cones.half_height[row]),
                      rounding_of(shapes.cones.rounding, row));
      case Kind::hull:
        return along_hull(row);
      case Kind::polygon:
      case Kind::halfspace:
      case Kind::heightfield:
      case Kind::mesh:
      case Kind::chain:
        break;
    }
    return {};
  }

  /// Balls around the slices of a hull across its longest way, with those inside of the hull that
  /// have the same centres.
  std::vector<Ball> along_hull(std::size_t row) const {
    const auto& hulls = robot_.shapes.hulls;
    const auto& sets = robot_.shapes.geometries;
    const auto set = static_cast<std::size_t>(hulls.geometry[row]);
    const auto begin = static_cast<std::size_t>(sets.offsets[set]);
    const auto end = static_cast<std::size_t>(sets.offsets[set + 1]);
    std::vector<Vector> vertices;
    for (std::size_t v = begin; v < end; ++v) vertices.push_back(sets.vertices.row(v));
    std::vector<Ball> balls = balls_of_hull(vertices, kMostBalls);
    const double rounding = rounding_of(hulls.radius, row);
    const Frame pose = pose_of(hulls, row);
    for (Ball& ball : balls) {
      ball = {pose.placed(ball.center), ball.least + rounding, ball.most + rounding};
    }
    return balls;
  }

  /// Whatever decides whom a shape meets. Those that are alone have a number of their own.
  using Key = std::tuple<std::int32_t, std::int32_t, std::int32_t, std::uint32_t, std::uint32_t,
                         int, std::int32_t, std::int32_t>;
  struct Unit {
    std::int32_t node;
    std::int32_t shape;  ///< its first one
    std::int32_t world;
    bool is_fixed;
    std::uint32_t category, mask;
    std::int32_t body;
    bool is_exact;
    std::vector<Ball> balls;  ///< in the frame of the node
    std::vector<NodeConvex> convexes;
    std::vector<Ball> in_body;  ///< in that of the body
    std::vector<ShapeBall> of_shape;
    std::vector<double> margin;  ///< of the shape of each ball
  };

  /// With bounds of the rounding of its node's frame, as for balls.
  void add_convex(const NodeConvex& convex, std::int32_t node, std::int32_t first_ball) {
    const NodeBounds& bounds = bounds_[static_cast<std::size_t>(node)];
    CheckConvex planned{};
    planned.core = convex.core;
    planned.node = node;
    planned.first_ball = first_ball;
    planned.last_ball = first_ball + static_cast<std::int32_t>(convex.ball_count);
    for (std::size_t k = 0; k < 3; ++k) {
      planned.core.center[k] = static_cast<float>(convex.center[k]);
    }
    find_inside(planned.core);
    if (planned.core.core == CheckCore::hull) {
      for (std::size_t k = 0; k < 3; ++k) {
        planned.core.inside[k] = static_cast<float>(convex.inside[k]);
      }
    }
    const double size = bounds.size() + convex.reach;
    check_.size = std::max(check_.size, size);
    const double error = bounds.position_error + convex.reach * (bounds.turn_error + 8 * kU) +
                         8 * kU * size + 4 * kU * std::abs(convex.radius);
    planned.core.least = convex.is_exact ? static_cast<float>(convex.radius - error) : -1e30f;
    planned.core.most = static_cast<float>(convex.radius + error);
    planned.core.rounding = static_cast<float>(kConvexRoundings * (size + convex.radius));
    check_.convexes.push_back(planned);
  }

  bool add_units(const SceneLayout& layout) {
    const SceneSpan<3, double> shapes = robot_.shapes;
    Column<std::int32_t> world, owner, body;
    Column<std::uint32_t> category, mask;
    Column<std::uint8_t> fixed;
    Column<double> margin;
    const auto join = [&](auto member, auto otherwise, auto& to) {
      using N = decltype(otherwise);
      join_column<N>(column_of_kinds<N>(shapes, member), layout, {1, {}}, otherwise, to);
    };
    join([](const auto& table) { return table.world; }, std::int32_t{0}, world);
    join([](const auto& table) { return table.owner; }, std::int32_t{-1}, owner);
    join([](const auto& table) { return table.body; }, std::int32_t{-1}, body);
    join([](const auto& table) { return table.category; }, std::uint32_t{1}, category);
    join([](const auto& table) { return table.mask; }, ~std::uint32_t{0}, mask);
    join([](const auto& table) { return table.fixed; }, std::uint8_t{0}, fixed);
    join([](const auto& table) { return table.margin; }, 0.0, margin);
    const auto count = static_cast<std::size_t>(layout.shape_count());
    std::vector<bool> is_excluded(count);
    for (std::size_t row = 0; row < shapes.excluded.size(); ++row) {
      for (int k = 0; k < 2; ++k) {
        const std::int32_t id = shapes.excluded(row, k);
        if (is_row(id, count)) is_excluded[static_cast<std::size_t>(id)] = true;
      }
    }
    const auto value = [](const auto& column, std::size_t row, auto otherwise) {
      return column.empty() ? otherwise : column[row];
    };
    std::map<Key, std::size_t> unit_of;
    std::vector<Unit> units;
    for (std::size_t i = 0; i < count; ++i) {
      const auto id = static_cast<std::int32_t>(i);
      const std::int32_t of_body = value(body, i, std::int32_t{-1});
      const std::int32_t of_owner = value(owner, i, std::int32_t{-1});
      const Place place = of_body < 0 ? Place{} : places_[static_cast<std::size_t>(of_body)];
      const bool is_alone = is_excluded[i] || (of_body < 0 && of_owner < 0);
      Unit unit{place.node,
                id,
                value(world, i, std::int32_t{0}),
                value(fixed, i, std::uint8_t{0}) != 0,
                value(category, i, std::uint32_t{1}),
                value(mask, i, ~std::uint32_t{0}),
                of_body,
                true,
                {},
                {},
                {},
                {},
                {}};
      const Key key{unit.node, of_owner,      of_body,    unit.category,
                    unit.mask, unit.is_fixed, unit.world, is_alone ? id : -1};
      const auto [found, is_new] = unit_of.try_emplace(key, units.size());
      if (is_new) units.push_back(unit);
      const double own = value(margin, i, 0.0);
      const Kind kind = layout.kind_of(id);
      const auto row = static_cast<std::size_t>(layout.row(id));
      const std::vector<Ball> balls = balls_of(kind, row);
      Unit& of_shape = units[found->second];
      of_shape.convexes.push_back(
          convex_of(robot_.shapes, kind, row, place.frame, own, balls, check_.vertices));
      for (Ball ball : balls) {
        const bool is_whole = balls.size() == 1 && ball.least == ball.most;
        of_shape.of_shape.push_back({id, 0, static_cast<std::uint8_t>(is_whole)});
        of_shape.margin.push_back(own);
        ball.least += own;
        ball.most += own;
        of_shape.is_exact &= ball.least == ball.most;
        of_shape.in_body.push_back(ball);
        ball.center = place.frame.placed(ball.center);
        of_shape.balls.push_back(ball);
      }
    }
    for (const Unit& unit : units) add_unit(unit);
    sort_units(units);
    FilterSpan filters;
    filters.world = world;
    filters.category = category;
    filters.mask = mask;
    filters.owner = owner;
    filters.body = body;
    filters.fixed = fixed;
    filters.excluded = shapes.excluded;
    filters.excluded_owners = shapes.excluded_owners;
    filters.excluded_bodies = shapes.excluded_bodies;
    add_pairs(units, filters, count);
    return true;
  }

  void add_unit(const Unit& unit) {
    const NodeBounds& bounds = bounds_[static_cast<std::size_t>(unit.node)];
    const auto error_of = [&](const Vector& center) {
      const double away = length(center);
      const double size = bounds.size() + away;
      check_.size = std::max(check_.size, size);
      return bounds.position_error + away * (bounds.turn_error + 8 * kU) + 8 * kU * size;
    };
    const auto checked = [&](const Ball& ball) {
      CheckBall to{};
      for (std::size_t k = 0; k < 3; ++k) to.center[k] = static_cast<float>(ball.center[k]);
      const double error = error_of(ball.center) + 4 * kU * ball.most;
      to.least = static_cast<float>(ball.least - error);
      to.most = static_cast<float>(ball.most + error);
      return to;
    };
    PlannedUnit planned{};
    planned.unit.node = unit.node;
    planned.unit.first_ball = static_cast<std::int32_t>(check_.balls.size());
    for (const Ball& ball : unit.balls) check_.balls.push_back(checked(ball));
    planned.unit.last_ball = static_cast<std::int32_t>(check_.balls.size());
    planned.unit.first_convex = static_cast<std::int32_t>(check_.convexes.size());
    std::int32_t first_ball = planned.unit.first_ball;
    for (const NodeConvex& convex : unit.convexes) {
      add_convex(convex, unit.node, first_ball);
      first_ball = check_.convexes.back().last_ball;
    }
    planned.unit.last_convex = static_cast<std::int32_t>(check_.convexes.size());
    planned.unit.is_exact = unit.is_exact;
    const Ball bound = enclosing(unit.balls);
    planned.unit.bound = checked(bound);
    double inner = std::numeric_limits<double>::max();
    for (std::size_t b = 0; b < unit.balls.size(); ++b) {
      Ball bare = unit.balls[b];
      bare.least -= unit.margin[b];
      check_.shape_balls.push_back(unit.of_shape[b]);
      check_.shape_balls.back().least = checked(bare).least;
      inner = std::min(inner, length(plus(bare.center, -1, bound.center)) - bare.least);
    }
    inner += error_of(bound.center) + 4 * kU * (std::abs(inner) + bound.most);
    planned.inner = static_cast<float>(std::min(inner, 1e30));
    const double longest = 4 * (bounds.size() + length(bound.center));
    check_.lever_error = std::max(
        check_.lever_error, error_of(bound.center) + bounds.position_error +
                                longest * (bounds.turn_error + 16 * kU));
    planned.around = bounds.is_fixed ? bounds.start.placed(bound.center) : bounds.around;
    planned.reach = bounds.is_fixed ? 0 : bounds.reach + length(bound.center);
    planned.meets_surroundings = unit.world != -1 && !unit.is_fixed;
    planned.unit.category = unit.category;
    planned.unit.mask = unit.mask;
    planned.body = unit.body;
    planned.shape = unit.shape;
    planned.is_exact = unit.is_exact;
    const auto in_body = [](const Ball& ball) {
      return BodyBall{ball.center, ball.most * (1 + 1e-12)};
    };
    planned.bound = in_body(enclosing(unit.in_body));
    for (const Ball& ball : unit.in_body) planned.balls.push_back(in_body(ball));
    check_.units.push_back(planned);
  }

  /// The farthest from the base first: it decides most configurations.
  void sort_units(std::vector<Unit>& units) {
    std::vector<std::size_t> order(units.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const std::int32_t of_a = check_.units[a].unit.node, of_b = check_.units[b].unit.node;
      return of_a != of_b ? of_a > of_b : a < b;
    });
    std::vector<Unit> sorted;
    std::vector<PlannedUnit> planned;
    for (const std::size_t i : order) {
      sorted.push_back(std::move(units[i]));
      planned.push_back(check_.units[i]);
    }
    units = std::move(sorted);
    check_.units = std::move(planned);
  }

  void add_pairs(const std::vector<Unit>& units, const FilterSpan& filters, std::size_t count) {
    PairFilter filter;
    filter.set(filters, count);
    for (std::size_t a = 0; a < units.size(); ++a) {
      for (std::size_t b = a + 1; b < units.size(); ++b) {
        if (units[a].world == -1 && units[b].world == -1) continue;
        Pair pair{std::min(units[a].shape, units[b].shape),
                  std::max(units[a].shape, units[b].shape)};
        if (filter.keep(&pair, 1) == 0) continue;
        check_.pairs.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)});
      }
    }
  }

  const RobotColumns& robot_;
  const RobotPlan& plan_;
  CheckPlan check_;
  std::vector<double> most_slide_;  ///< per joint that moves
  std::vector<NodeBounds> bounds_;  ///< per node
  std::vector<Place> places_;       ///< per body
};

}  // namespace

unsigned plain_lanes(const CheckPlan& plan, const double* numbers) {
  unsigned bits = (1u << kRobotBlock) - 1;
  for (const CheckLimit& limit : plan.limits) {
    const double* const lanes = numbers + static_cast<std::size_t>(limit.slot) * kRobotBlock;
    bool are_all = true;
    for (std::size_t i = 0; i < kRobotBlock; ++i) are_all &= std::abs(lanes[i]) <= limit.most;
    if (are_all) continue;
    for (std::size_t i = 0; i < kRobotBlock; ++i) {
      if (!(std::abs(lanes[i]) <= limit.most)) bits &= ~(1u << i);
    }
  }
  return bits;
}

CheckPlan check_plan_of(const RobotColumns& robot, const RobotPlan& plan) {
  return Planner(robot, plan).plan();
}

}  // namespace widephase
