// Whole calls with any scene, valid or not: an error, or answers that agree and have no NaN.

#include <vector>

#include <widephase/bodies.hpp>

#include "answers.hpp"

namespace widephase::fuzz {
namespace {

constexpr std::size_t kWorlds = 4;

template <class AnyScene>
bool has_keys(const AnyScene& scene) {
  bool has = false;
  for_each_table(scene, [&](const auto& table) { has |= !table.key.empty(); });
  return has;
}

template <int D, class T>
void check_static_scene(const SceneColumns<D, T>& scene, const SceneColumns<D, T>& other,
                        Workspace<D, T>& workspace, const CollideOptions& options) {
  CollideOptions of_building;
  of_building.threads = options.threads;
  of_building.margin = options.margin;
  StaticScene<D, T> kept;
  build_static_scene<D, T>(scene, kept, workspace, of_building);
  SceneColumns<D, T> moving = other;
  moving.geometries = {};
  if constexpr (D == 3) moving.heightfield_geometries = {}, moving.mesh_geometries = {};
  if constexpr (D == 2) moving.chain_geometries = {};
  moving.halfspaces = {};
  moving.domain = scene.domain;
  ContactBuffer<D, T> contacts;
  collide<D, T>(moving, kept, contacts, workspace, options);
  check_contacts(contacts);
}

template <int D, class T>
void run(Drawn& drawn) {
  SceneDraw how;
  how.most_shapes = 24;
  how.is_valid = drawn.byte() % 4 != 0;
  how.has_tags = drawn.flag();
  SceneColumns<D, T> scene = draw_scene<D, T>(drawn, how);
  CollideOptions options;
  options.margin = drawn.flag() ? static_cast<double>(drawn.real<float>()) : 0;
  options.order = static_cast<Order>(drawn.below(4));
  options.method = static_cast<Method>(drawn.below(3));
  options.threads.count = 1 + drawn.below(2);
  const unsigned extras = drawn.byte();
  for (std::size_t d = 0; (extras & 1) != 0 && d < D; ++d) {
    scene.domain.min[d] = drawn.real<PositionOf<T>>();
    scene.domain.max[d] = drawn.real<PositionOf<T>>();
    scene.domain.periodic[d] = drawn.flag();
  }
  for (int i = drawn.below(6); (extras & 2) != 0 && i > 0; --i) {
    const Column<std::int32_t, 2> rows{{drawn.below(26) - 1, drawn.below(26) - 1}};
    scene.excluded.push_back(rows.row(0));
    scene.excluded_owners.push_back({drawn.below(4), drawn.below(4)});
  }
  for (int i = drawn.below(4); (extras & 4) != 0 && i > 0; --i) {
    scene.bodies.position.push_back(
        draw_row<PositionOf<T>, D>(drawn, Rule::finite, how.is_valid, 1));
    if ((extras & 8) == 0) continue;
    using Angle = std::remove_cvref_t<decltype(scene.bodies.turn)>;
    scene.bodies.turn.push_back(draw_row<SizeOf<T>, Angle::width>(
        drawn, D == 2 ? Rule::finite : Rule::unit, how.is_valid, 1));
  }
  std::vector<std::uint8_t> status(kWorlds), mask(kWorlds);
  if ((extras & 16) != 0) options.world_status = status;
  if ((extras & 32) != 0) {
    for (std::uint8_t& world : mask) world = drawn.byte() % 2;
    options.world_mask = mask;
  }
  if ((extras & 64) != 0) options.max_contacts = static_cast<std::size_t>(drawn.below(20));

  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  try {
    collide<D, T>(scene, contacts, workspace, options);
  } catch (const Error&) {
    require(contacts.size() == 0, "a refused call has no contacts");
    return;
  }
  check_contacts(contacts);
  options.max_contacts = kNoCap;

  // The same call again: with a tracker, a second time, and in chunks.
  Tracker<D, T> tracker;
  ContactBuffer<D, T> again;
  const bool is_within = is_within_range(scene) && options.margin <= 1e9;
  try {
    for (int step = 0; step < 2; ++step) {
      collide<D, T>(scene, again, workspace, tracker, options);
      check_contacts(again);
      require(!is_within || again.size() == contacts.size(), "a tracker changes no overlap");
    }
    for (const std::int64_t last : tracker.last_contact()) {
      require(!is_within || last >= 0, "a scene that stays has no new contacts");
    }
  } catch (const Error& error) {
    // A key may repeat within a world.
    require(has_keys(scene), "a tracker takes a scene without keys", error.what());
  }
  if (options.order == Order::kind) {
    std::size_t streamed = 0;
    const auto sink = [&](const ContactBuffer<D, T>& chunk) { streamed += chunk.size(); };
    stream_collide<D, T>(scene, sink, workspace, options);
    require(streamed == contacts.size(), "a stream has all contacts");
  }
  const auto worlds = static_cast<std::size_t>(world_count<D, T>(scene));
  if (worlds > 1000) return;
  std::vector<std::uint8_t> is_contact(worlds);
  any_contact<D, T>(scene, is_contact, workspace, options);
  try {
    WorldDistanceBuffer<D, T> nearest;
    min_distance<D, T>(scene, nearest, workspace, options);
    check_distances<D, T>(nearest);
  } catch (const Error& error) {
    require(scene.domain.is_periodic() || is_overflow(error),
            "a scene without a periodic domain has least distances", error.what());
  }
  if constexpr (!is_mixed<T>) {
    try {
      check_static_scene<D, T>(scene, draw_scene<D, T>(drawn, how), workspace, options);
    } catch (const Error&) {
    }
  }
  ContactBuffer<D, T> last;
  collide<D, T>(scene, last, workspace, options);
  require(hash(last) == hash(contacts), "a call leaves nothing behind for the next");
}

}  // namespace
}  // namespace widephase::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  widephase::fuzz::Drawn drawn(data, size);
  widephase::fuzz::in_a_dimension_and_precision(
      drawn, [&]<int D, class T>() { widephase::fuzz::run<D, T>(drawn); });
  return 0;
}
