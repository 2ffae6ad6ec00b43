// Yes or no per configuration: worlds of configurations, some thousand at a time, so that memory
// does not grow with their number.

#include <algorithm>

#include <widephase/worlds.hpp>

#include "pipeline/robots/robot_plan.hpp"
#include "pipeline/rows/static_scene_state.hpp"
#include "soa/number_text.hpp"

namespace widephase {

namespace {

/// Configurations that are worlds of one scene.
constexpr std::size_t kWorlds = 4096;

/// What is kept meets every configuration, and no link's own number keeps it from doing so.
void require_surroundings(const Robot& robot, const StaticScene<3, double>& kept) {
  const auto& rows = kept.state().rows;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::int32_t world = rows.world.empty() ? 0 : rows.world[i];
    if (world != -1) {
      throw Error(Finding{
          "kept", static_cast<std::int64_t>(i),
          "is of world " + number(world) + "; expected world -1, which meets every configuration"});
    }
    const std::int32_t owner = rows.owner.empty() ? -1 : rows.owner[i];
    if (owner >= 0 && static_cast<std::size_t>(owner) < robot.columns().links.name.size()) {
      throw Error(Finding{"kept", static_cast<std::int64_t>(i),
                          "is of owner " + number(owner) + ", the number of the link " +
                              robot.columns().links.name[static_cast<std::size_t>(owner)] +
                              ", which it would never meet; leave the column owner out"});
    }
  }
}

template <class T>
Configurations<T> part_of(const Configurations<T>& q, std::size_t first, std::size_t count) {
  Configurations<T> part = q;
  part.first = reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(q.first) +
                                          static_cast<std::ptrdiff_t>(first) * q.row_stride);
  part.count = count;
  return part;
}

}  // namespace

template <class T>
void any_contact(const Robot& robot, const Configurations<T>& q, std::span<std::uint8_t> is_contact,
                 Workspace<3, double>& workspace, const CollideOptions& options,
                 const StaticScene<3, double>* kept) {
  if (is_contact.size() < q.count) {
    throw Error(Finding{
        "is_contact", -1,
        "has " + number(is_contact.size()) + " entries; expected " + number(q.count) + " or more"});
  }
  if (!options.world_mask.empty() || !options.world_status.empty()) {
    throw Error("configurations have neither a world mask nor a status; leave both out");
  }
  if (kept != nullptr) require_surroundings(robot, *kept);
  RobotOptions placing;
  placing.threads = options.threads;
  placing.isa = options.isa;
  SceneColumns<3, double> worlds;
  std::size_t made = 0;
  // Without configurations `place` still refuses those of the wrong width.
  if (q.count == 0) place(robot, q, worlds.bodies, placing);
  for (std::size_t first = 0; first < q.count; first += kWorlds) {
    const std::size_t count = std::min(kWorlds, q.count - first);
    if (count != made) {
      replicate<3, double>(robot.shapes(), static_cast<std::int32_t>(count), worlds);
      made = count;
    }
    const Configurations<T> part = part_of(q, first, count);
    try {
      place(robot, part, worlds.bodies, placing);
    } catch (const Error& error) {
      if (!error.finding() || error.finding()->row < 0) throw;
      Finding finding = *error.finding();
      finding.row += static_cast<std::int64_t>(first);
      throw Error(finding);
    }
    SceneSpan<3, double> scene = worlds;
    scene.kept = kept;
    any_contact<3, double>(scene, is_contact.subspan(first, count), workspace, options);
  }
}

#define WIDEPHASE_INSTANTIATE(T)                                                              \
  template WIDEPHASE_API void any_contact<T>(                                                 \
      const Robot&, const Configurations<T>&, std::span<std::uint8_t>, Workspace<3, double>&, \
      const CollideOptions&, const StaticScene<3, double>*);
WIDEPHASE_INSTANTIATE(float)
WIDEPHASE_INSTANTIATE(double)

}  // namespace widephase
