#include "support/worlds_scene.hpp"

namespace widephase::test {

template <int D, class T>
SceneColumns<D, T> worlds_scene(std::size_t count, std::uint64_t seed, double spacing) {
  SceneColumns<D, T> scene;
  add_mixed(scene, {count, seed, spacing});
  add_tags(scene, 1, seed + 1);
  Random random(seed + 2);
  for (const Kind kind : kinds(D)) {
    with_table(scene, kind, [&](auto& table) {
      for (std::size_t i = 0; i < row_count(table); ++i) {
        const double draw = random.uniform(0, 1);
        const auto world = static_cast<std::int32_t>(kWorlds * draw * draw * draw);
        table.world[i] = random.chance(0.05) ? -1 : world % 5 == 3 ? world - 1 : world;
      }
    });
  }
  return scene;
}

template <int D, class T>
std::vector<std::int32_t> world_by_id(const SceneColumns<D, T>& scene) {
  std::vector<std::int32_t> worlds;
  for (const ShapeTags& tags : tags_of(scene)) worlds.push_back(tags.world);
  return worlds;
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                     \
  template SceneColumns<D, T> worlds_scene<D, T>(std::size_t count, std::uint64_t seed, \
                                                 double spacing);                       \
  template std::vector<std::int32_t> world_by_id<D, T>(const SceneColumns<D, T>& scene)
WIDEPHASE_INSTANTIATE(2, float);
WIDEPHASE_INSTANTIATE(2, double);
WIDEPHASE_INSTANTIATE(2, Mixed);
WIDEPHASE_INSTANTIATE(3, float);
WIDEPHASE_INSTANTIATE(3, double);
WIDEPHASE_INSTANTIATE(3, Mixed);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
