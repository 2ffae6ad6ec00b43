// The nearest pair of each configuration, and how its distance changes with the joints. Balls in
// float leave few pairs, which are asked in double; what they do not know of is worlds of one
// scene.

#include <widephase/robot_distances.hpp>

#include <cmath>

#include "pipeline/robots/expect_placed.hpp"
#include "pipeline/robots/motion_tree.hpp"
#include "pipeline/robots/near_pairs.hpp"
#include "pipeline/robots/robot_contacts.hpp"

namespace widephase {

namespace {

using Vector = std::array<double, 3>;

struct Nearest {
  RobotPair pair;
  double distance = std::numeric_limits<double>::max();
  Vector normal{}, point_a{}, point_b{};
};

/// A row of distances, of a pair whose A may be `shape` or what it is near.
Nearest nearest_of(const DistanceBuffer<3, double>& found, std::size_t row, const RobotPair& pair,
                   bool is_swapped) {
  Nearest nearest;
  nearest.pair = pair;
  nearest.distance = found.distance[row];
  nearest.normal = found.normal.row(row);
  nearest.point_a = found.point_a.row(row);
  nearest.point_b = found.point_b.row(row);
  if (is_swapped) {
    std::swap(nearest.point_a, nearest.point_b);
    for (double& part : nearest.normal) part = -part;
  }
  return nearest;
}

/// What all steps ask.
struct Question {
  const Robot& robot;
  const Environment& environment;
  std::int32_t world;
  Workspace<3, double>& workspace;
  double limit;
  const CollideOptions& options;
};

/// The configurations `rows` as worlds of scenes.
template <class T>
void find_in_worlds(const Question& question, const Configurations<T>& q,
                    std::span<const std::int64_t> rows, std::vector<Nearest>& all) {
  if (rows.empty()) return;
  ContactWorlds<T> worlds(question.robot, question.environment, question.world, question.options);
  const RobotShapeNames names(question.robot.shapes(), question.environment, worlds.is_beside());
  WorldDistanceBuffer<3, double> found;
  worlds.ask(q, rows, kNamedWorlds,
             [&](const SceneSpan<3, double>& scene, std::size_t first, std::size_t count) {
               min_distance<3, double>(scene, found, question.workspace, question.options);
               const SceneLayout layout = layout_of(scene);
               // Without shapes of a configuration's own there are fewer worlds.
               for (std::size_t i = 0; i < std::min(count, found.pair.size()); ++i) {
                 if (found.pair[i].a < 0 || found.distance[i] > question.limit) continue;
                 const NamedPair pair = named(found.pair[i], names, layout);
                 all[static_cast<std::size_t>(rows[first + i])] =
                     nearest_of(found, i, pair.pair, pair.is_swapped);
               }
             });
}

/// The pairs that may be nearest, each in double. Returns the configurations that are left.
template <class T>
std::vector<std::int64_t> find_in_list(const Question& question, const Configurations<T>& q,
                                       std::vector<Nearest>& all) {
  const NearPairs near(question.robot, question.environment, question.world, question.limit,
                       question.options);
  NearPairList listed = near.find(q);
  if (listed.pairs.empty()) return std::move(listed.unknown);
  const ListedPairs list(question.robot, question.environment, question.workspace,
                         question.options);
  DistanceBuffer<3, double> found;
  list.find_distances(q, listed.pairs, found);
  const std::size_t count = listed.pairs.size();
  for (std::size_t i = 0, end = 0; i < count; i = end) {
    std::size_t least = i;
    const std::size_t row = listed.pairs[i].configuration;
    for (end = i + 1; end < count && listed.pairs[end].configuration == row; ++end) {
      const double distance = found.distance[end], before = found.distance[least];
      const bool is_nearer = distance != before ? distance < before
                                                : list.order_of(listed.pairs[end].pair) <
                                                      list.order_of(listed.pairs[least].pair);
      if (is_nearer) least = end;
    }
    if (found.distance[least] > question.limit) continue;
    all[row] = nearest_of(found, least, listed.pairs[least].pair, false);
  }
  return std::move(listed.unknown);
}

template <class T>
std::vector<Nearest> find_nearest(const Question& question, const Configurations<T>& q,
                                  CheckUse use) {
  std::vector<Nearest> all(q.count);
  std::vector<std::int64_t> rows;
  if (use != CheckUse::none && can_list_near_pairs(question.robot, question.environment)) {
    rows = find_in_list(question, q, all);
  } else {
    for (std::size_t i = 0; i < q.count; ++i) rows.push_back(static_cast<std::int64_t>(i));
  }
  find_in_worlds<T>(question, q, rows, all);
  return all;
}

/// Sums what numbers of joints say of the values that they follow.
void add_to_values(const Robot& robot, const std::vector<double>& by_slot, double* values) {
  const bool is_first = robot.columns().quaternions == QuaternionOrder::wxyz;
  for (const RobotSlots& slots : robot.plan().slots) {
    const std::int32_t count = number_count(slots.motion);
    const bool has_turn =
        slots.motion == JointMotion::ball || slots.motion == JointMotion::floating;
    for (std::int32_t k = 0; k < count; ++k) {
      std::int32_t value = k;
      const std::int32_t part = k - (count - 4);  // of a quaternion
      if (has_turn && part >= 0 && is_first) value = count - 4 + (part + 1) % 4;
      const double factor = has_turn && part >= 0 ? 1 : slots.multiplier;
      values[slots.value + value] += factor * by_slot[static_cast<std::size_t>(slots.slot + k)];
    }
  }
}

template <class T>
void find_gradients(const Robot& robot, const Configurations<T>& q,
                    const std::vector<Nearest>& nearest, Column<double>& gradient) {
  const std::size_t width = robot.values().size();
  gradient.clear();
  gradient.resize(q.count * width, 0.0);
  if (width == 0) return;
  MotionTree tree(robot);
  Gatherer<T> gatherer(robot, q, false);
  Column<double> numbers;
  numbers.resize_uninitialized(robot.plan().slot_count * kRobotBlock);
  std::vector<double> by_slot;
  for (std::size_t i = 0; i < q.count; ++i) {
    const std::size_t lane = i % kRobotBlock;
    if (lane == 0) gatherer.gather(i, std::min(kRobotBlock, q.count - i), numbers.plane());
    const Nearest& one = nearest[i];
    if (one.pair.shape < 0) continue;
    tree.place(numbers.plane() + lane, kRobotBlock);
    const std::int32_t other = one.pair.other < 0 ? -1 : tree.part_of(one.pair.other);
    tree.gradient(tree.part_of(one.pair.shape), other, one.point_a, one.point_b, one.normal,
                  by_slot);
    add_to_values(robot, by_slot, gradient.plane() + i * width);
  }
}

}  // namespace

template <class T>
void find_least_distances(const Robot& robot, const Configurations<T>& q,
                          const Environment& environment, RobotDistances& distances,
                          Workspace<3, double>& workspace, const RobotDistanceOptions& wanted,
                          const CollideOptions& options, std::span<const std::int32_t> worlds,
                          CheckUse use) {
  if (std::isnan(wanted.limit)) throw Error(Finding{"limit", -1, "is nan; expected a number"});
  expect_width(robot, q);
  expect_placed(robot, q, "q");
  std::vector<Nearest> all(q.count);
  for_each_world(robot, q, environment, worlds, options,
                 [&](const auto& part, std::int32_t world, const std::size_t* rows) {
                   const Question question{robot,     environment,  world,
                                           workspace, wanted.limit, options};
                   const std::vector<Nearest> found = find_nearest(question, part, use);
                   for (std::size_t i = 0; i < part.count; ++i) {
                     all[rows == nullptr ? i : rows[i]] = found[i];
                   }
                 });
  RobotDistances made;
  std::vector<RobotPair> pairs;
  for (const Nearest& one : all) {
    pairs.push_back(one.pair);
    made.distance.push_back(one.distance);
    made.normal.push_back(one.normal);
    made.point_a.push_back(one.point_a);
    made.point_b.push_back(one.point_b);
  }
  write_pairs(robot, pairs, made);
  if (wanted.has_gradient) find_gradients(robot, q, all, made.gradient);
  distances = std::move(made);
}

template <class T>
void min_distance(const Robot& robot, const Configurations<T>& q, const Environment& environment,
                  RobotDistances& distances, Workspace<3, double>& workspace,
                  const RobotDistanceOptions& wanted, const CollideOptions& options,
                  std::span<const std::int32_t> worlds) {
  find_least_distances(robot, q, environment, distances, workspace, wanted, options, worlds,
                       CheckUse::all);
}

#define WIDEPHASE_INSTANTIATE(T)                                                   \
  template void find_least_distances<T>(                                           \
      const Robot&, const Configurations<T>&, const Environment&, RobotDistances&, \
      Workspace<3, double>&, const RobotDistanceOptions&, const CollideOptions&,   \
      std::span<const std::int32_t>, CheckUse);                                    \
  template WIDEPHASE_API void min_distance<T>(                                     \
      const Robot&, const Configurations<T>&, const Environment&, RobotDistances&, \
      Workspace<3, double>&, const RobotDistanceOptions&, const CollideOptions&,   \
      std::span<const std::int32_t>);
WIDEPHASE_INSTANTIATE(float)
WIDEPHASE_INSTANTIATE(double)

}  // namespace widephase
