#include "pipeline/robots/named_contacts.hpp"

namespace widephase {

RobotShapeNames::RobotShapeNames(const SceneColumns<3, double>& robot,
                                 const Environment& environment, bool is_beside)
    : robot_(layout_of(robot)), obstacles_(layout_of(environment.shapes())), is_beside_(is_beside) {
  const SceneSpan<3, double> shapes = robot;
  Column<std::int32_t> world;
  join_column<std::int32_t>(
      column_of_kinds<std::int32_t>(shapes, [](const auto& table) { return table.world; }), robot_,
      {1, {}}, 0, world);
  for (int k = 0; k < kKindCount; ++k) {
    for (std::int32_t id = robot_.first[k]; id < robot_.first[k + 1]; ++id) {
      const bool is_shared = !world.empty() && world[static_cast<std::size_t>(id)] == -1;
      (is_shared ? shared_ : repeated_)[static_cast<std::size_t>(k)].push_back(id);
    }
  }
}

RobotShapeNames::Named RobotShapeNames::of(std::int32_t id, const SceneLayout& worlds) const {
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

NamedPair named(const Pair& ids, const RobotShapeNames& names, const SceneLayout& worlds) {
  const RobotShapeNames::Named a = names.of(ids.a, worlds), b = names.of(ids.b, worlds);
  const std::int32_t world = std::max(a.world, b.world);
  if (a.obstacle >= 0) return {world, {b.shape, a.obstacle, -1}, true};
  if (b.obstacle >= 0) return {world, {a.shape, b.obstacle, -1}, false};
  return {world, {std::min(a.shape, b.shape), -1, std::max(a.shape, b.shape)}, b.shape < a.shape};
}

void write_pairs(const Robot& robot, std::span<const RobotPair> all, RobotPairs& pairs) {
  const SceneSpan<3, double> shapes = robot.shapes();
  Column<std::int32_t> owner;
  join_column<std::int32_t>(
      column_of_kinds<std::int32_t>(shapes, [](const auto& table) { return table.owner; }),
      layout_of(shapes), {1, {}}, -1, owner);
  const auto link_of = [&](std::int32_t shape) {
    return shape < 0 || owner.empty() ? -1 : owner[static_cast<std::size_t>(shape)];
  };
  for (Column<std::int32_t>* column :
       {&pairs.shape, &pairs.link, &pairs.obstacle, &pairs.other_shape, &pairs.other_link}) {
    column->resize_uninitialized(all.size());
  }
  for (std::size_t row = 0; row < all.size(); ++row) {
    const RobotPair& pair = all[row];
    pairs.shape[row] = pair.shape;
    pairs.link[row] = link_of(pair.shape);
    pairs.obstacle[row] = pair.obstacle;
    pairs.other_shape[row] = pair.other;
    pairs.other_link[row] = link_of(pair.other);
  }
}

}  // namespace widephase
