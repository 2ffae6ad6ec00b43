#pragma once

// Contacts of configurations that are worlds of one scene, with both sides named as the robot and
// its environment number them.

#include <array>
#include <tuple>
#include <vector>

#include "pipeline/robots/contact_worlds.hpp"
#include "pipeline/robots/robot_contacts.hpp"
#include "soa/join_column.hpp"

namespace widephase {

/// What meets: a shape of the robot, and an obstacle or another shape of the robot with a higher
/// id.
struct RobotPair {
  std::int32_t shape = -1, obstacle = -1, other = -1;
  /// Obstacles before shapes of the robot.
  auto order() const { return std::tuple(shape, obstacle < 0, obstacle < 0 ? other : obstacle); }
};

/// The names of the shapes of `ContactWorlds`.
class RobotShapeNames {
 public:
  RobotShapeNames(const SceneColumns<3, double>& robot, const Environment& environment,
                  bool is_beside);

  /// What a shape of a scene of worlds is.
  struct Named {
    std::int32_t world;     ///< -1: it is in all
    std::int32_t shape;     ///< of the robot; -1: an obstacle
    std::int32_t obstacle;  ///< of the environment; -1: of the robot
  };
  /// For ids of `worlds`, and behind them of what is kept.
  Named of(std::int32_t id, const SceneLayout& worlds) const;

 private:
  SceneLayout robot_, obstacles_;
  bool is_beside_;
  std::array<std::vector<std::int32_t>, kKindCount> shared_, repeated_;
};

/// A pair of ids in a world. In the scene its A may be what is B here.
struct NamedPair {
  std::int32_t world = -1;  ///< -1: both are in all worlds
  RobotPair pair;
  bool is_swapped = false;
};
NamedPair named(const Pair& ids, const RobotShapeNames& names, const SceneLayout& worlds);

/// Configurations that are worlds of one scene.
inline constexpr std::size_t kNamedWorlds = 512;

/// Calls `found(configuration, named, contacts, i)` for all contacts of the configurations `rows`,
/// which are valid and of one world of the environment.
template <class T, class Found>
void for_each_contact(const Robot& robot, const Configurations<T>& q,
                      const Environment& environment, std::int32_t world,
                      std::span<const std::int64_t> rows, Workspace<3, double>& workspace,
                      const CollideOptions& options, const Found& found) {
  if (rows.empty()) return;
  ContactWorlds<T> worlds(robot, environment, world, options);
  const RobotShapeNames names(robot.shapes(), environment, worlds.is_beside());
  ContactBuffer<3, double> contacts;
  worlds.ask(q, rows, kNamedWorlds,
             [&](const SceneSpan<3, double>& scene, std::size_t first, std::size_t) {
               collide<3, double>(scene, contacts, workspace, options);
               const SceneLayout layout = layout_of(scene);
               for (std::size_t i = 0; i < contacts.size(); ++i) {
                 const NamedPair pair = named(contacts.pair[i], names, layout);
                 if (pair.world < 0) continue;
                 const std::int64_t row = rows[first + static_cast<std::size_t>(pair.world)];
                 found(static_cast<std::size_t>(row), pair, contacts, i);
               }
             });
}

/// The configurations in which something touches.
template <class T>
std::vector<std::int64_t> touching_rows(const Robot& robot, const Configurations<T>& q,
                                        const Environment& environment, std::int32_t world,
                                        Workspace<3, double>& workspace,
                                        const CollideOptions& options) {
  std::vector<std::uint8_t> is_contact(q.count);
  find_contacts_of(robot, q, environment, world, std::span<std::uint8_t>(is_contact), workspace,
                   options);
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < q.count; ++i) {
    if (is_contact[i] != 0) rows.push_back(static_cast<std::int64_t>(i));
  }
  return rows;
}

/// The caller's columns of pairs, with the links of the robot's shapes.
void write_pairs(const Robot& robot, std::span<const RobotPair> all, RobotPairs& pairs);

}  // namespace widephase
