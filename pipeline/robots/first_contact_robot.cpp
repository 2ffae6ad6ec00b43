// The first contact of each configuration that has any: all contacts of worlds in double, of which
// the first in the order of `FirstContacts` counts.

#include <algorithm>
#include <tuple>

#include "pipeline/robots/contact_worlds.hpp"
#include "pipeline/robots/robot_contacts.hpp"
#include "soa/join_column.hpp"

namespace widephase {

namespace {

/// Configurations that are worlds of one scene.
constexpr std::size_t kWorlds = 512;

/// What a shape of a scene of worlds is.
struct Named {
  std::int32_t world;     ///< -1: it is in all
  std::int32_t shape;     ///< of the robot; -1: an obstacle
  std::int32_t obstacle;  ///< of the environment; -1: of the robot
};

/// The names of the shapes of `ContactWorlds`.
class Names {
 public:
  Names(const SceneColumns<3, double>& robot, const Environment& environment, bool is_beside)
      : robot_(layout_of(robot)),
        obstacles_(layout_of(environment.shapes())),
        is_beside_(is_beside) {
    const SceneSpan<3, double> shapes = robot;
    Column<std::int32_t> world;
    join_column<std::int32_t>(
        column_of_kinds<std::int32_t>(shapes, [](const auto& table) { return table.world; }),
        robot_, {1, {}}, 0, world);
    for (int k = 0; k < kKindCount; ++k) {
      for (std::int32_t id = robot_.first[k]; id < robot_.first[k + 1]; ++id) {
        const bool is_shared = !world.empty() && world[static_cast<std::size_t>(id)] == -1;
        (is_shared ? shared_ : repeated_)[static_cast<std::size_t>(k)].push_back(id);
      }
    }
  }

  /// For ids of `worlds`, and behind them of what is kept.
  Named of(std::int32_t id, const SceneLayout& worlds) const {
    if (id >= worlds.shape_count()) return {-1, -1, id - worlds.shape_count()};
    const Kind kind = worlds.kind_of(id);
    const auto k = static_cast<std::size_t>(kind);
    const auto row = static_cast<std::size_t>(worlds.row(id));
    const auto& shared = shared_[k];
    // `replicate` has the shared rows first: those of the robot, then of what was joined with it.
    if (row < shared.size()) return {-1, shared[row], -1};
    const auto joined = static_cast<std::size_t>(is_beside_ ? 0 : obstacles_.count(kind));
    if (row < shared.size() + joined) {
      return {-1, -1, obstacles_.id(kind, static_cast<std::int32_t>(row - shared.size()))};
    }
    const std::size_t rest = row - shared.size() - joined, count = repeated_[k].size();
    return {static_cast<std::int32_t>(rest / count), repeated_[k][rest % count], -1};
  }

 private:
  SceneLayout robot_, obstacles_;
  bool is_beside_;
  std::array<std::vector<std::int32_t>, kKindCount> shared_, repeated_;
};

/// The columns of a row.
struct First {
  std::int32_t shape = -1, obstacle = -1, other = -1;
  /// Obstacles before shapes of the robot.
  auto order() const { return std::tuple(shape, obstacle < 0, obstacle < 0 ? other : obstacle); }
};

First first_of(const Named& a, const Named& b) {
  if (a.obstacle >= 0) return {b.shape, a.obstacle, -1};
  if (b.obstacle >= 0) return {a.shape, b.obstacle, -1};
  return {std::min(a.shape, b.shape), -1, std::max(a.shape, b.shape)};
}

/// The first contacts of configurations of one world of the environment.
template <class T>
std::vector<First> find_first(const Robot& robot, const Configurations<T>& q,
                              const Environment& environment, std::int32_t world,
                              Workspace<3, double>& workspace, const CollideOptions& options) {
  std::vector<std::uint8_t> is_contact(q.count);
  find_contacts_of(robot, q, environment, world, std::span<std::uint8_t>(is_contact), workspace,
                   options);
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < q.count; ++i) {
    if (is_contact[i] != 0) rows.push_back(static_cast<std::int64_t>(i));
  }
  std::vector<First> all(q.count);
  if (rows.empty()) return all;
  ContactWorlds<T> worlds(robot, environment, world, options);
  const Names names(robot.shapes(), environment, worlds.is_beside());
  ContactBuffer<3, double> contacts;
  worlds.ask(
      q, rows, kWorlds, [&](const SceneSpan<3, double>& scene, std::size_t first, std::size_t) {
        collide<3, double>(scene, contacts, workspace, options);
        const SceneLayout layout = layout_of(scene);
        for (std::size_t i = 0; i < contacts.size(); ++i) {
          const Named a = names.of(contacts.pair[i].a, layout);
          const Named b = names.of(contacts.pair[i].b, layout);
          const std::int32_t in = std::max(a.world, b.world);
          if (in < 0) continue;  // both are in all worlds
          const First found = first_of(a, b);
          First& least = all[static_cast<std::size_t>(rows[first + static_cast<std::size_t>(in)])];
          if (least.shape < 0 || found.order() < least.order()) least = found;
        }
      });
  return all;
}

}  // namespace

template <class T>
void first_contact(const Robot& robot, const Configurations<T>& q, const Environment& environment,
                   FirstContacts& contacts, Workspace<3, double>& workspace,
                   const CollideOptions& options, std::span<const std::int32_t> worlds) {
  const SceneSpan<3, double> shapes = robot.shapes();
  Column<std::int32_t> owner;
  join_column<std::int32_t>(
      column_of_kinds<std::int32_t>(shapes, [](const auto& table) { return table.owner; }),
      layout_of(shapes), {1, {}}, -1, owner);
  const auto link_of = [&](std::int32_t shape) {
    return shape < 0 || owner.empty() ? -1 : owner[static_cast<std::size_t>(shape)];
  };
  // The caller's columns get them all or, after an error, none.
  std::vector<First> all;
  for_each_world(robot, q, environment, worlds, workspace, options,
                 [&](const auto& part, std::int32_t world, const std::size_t* rows) {
                   std::vector<First> found =
                       find_first(robot, part, environment, world, workspace, options);
                   if (rows == nullptr) {
                     all.swap(found);
                     return;
                   }
                   all.resize(q.count);
                   for (std::size_t i = 0; i < part.count; ++i) all[rows[i]] = found[i];
                 });
  for (Column<std::int32_t>* column : {&contacts.shape, &contacts.link, &contacts.obstacle,
                                       &contacts.other_shape, &contacts.other_link}) {
    column->resize_uninitialized(q.count);
  }
  for (std::size_t row = 0; row < all.size(); ++row) {
    const First& found = all[row];
    contacts.shape[row] = found.shape;
    contacts.link[row] = link_of(found.shape);
    contacts.obstacle[row] = found.obstacle;
    contacts.other_shape[row] = found.other;
    contacts.other_link[row] = link_of(found.other);
  }
}

#define WIDEPHASE_INSTANTIATE(T)                                                  \
  template WIDEPHASE_API void first_contact<T>(                                   \
      const Robot&, const Configurations<T>&, const Environment&, FirstContacts&, \
      Workspace<3, double>&, const CollideOptions&, std::span<const std::int32_t>);
WIDEPHASE_INSTANTIATE(float)
WIDEPHASE_INSTANTIATE(double)

}  // namespace widephase
