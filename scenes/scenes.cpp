#include "scenes/scenes.hpp"

#include <algorithm>
#include <string>

#include "make.hpp"
#include "soa/hasher.hpp"

namespace widephase::scenes {
namespace {

constexpr Generator kGenerators[] = {
    {"uniform", "balls of radius 0.3 to 1 anywhere, 2 pairs each", true, true},
    {"power_law", "balls of radius 0.001 to 1 by a power law, anywhere", true, true},
    {"outliers", "uniform, but two balls 10^7 away", true, true},
    {"clustered", "balls in a hundred normal clusters", true, true},
    {"packed", "balls, aabbs and boxes that fill the cells of a lattice and touch", true, true},
    {"plates", "aabbs of 10:10:1 (2D: 10:1) across any axis", true, true},
    {"sticks", "aabbs of 30:1 along any axis", true, true},
    {"mixed", "shapes of many kinds anywhere at any angle, 2 pairs each", true, true},
    {"stack", "stacks of ten boxes on a floor", true, true},
    {"pyramid", "a pyramid of boxes on a floor", true, true},
    {"pile", "a heap of hulls (2D: polygons), boxes and others on a floor", true, true},
    {"corridor", "a crowd of circles that walks both ways between two walls", true, false},
    {"worlds", "mixed, in worlds of 64", true, true, 64},
    {"smooth", "ellipsoids, cones and rounded cylinders anywhere at any angle, 2 pairs each", false,
     true},
    {"smooth_pile", "a heap of ellipsoids, cones and rounded cylinders on a floor", false, true},
    {"terrain", "shapes of many kinds at rest on a height field of hills", false, true},
    {"stairs", "the same on pyramids of stairs", false, true},
    {"level", "the same on a mesh of tiles, ramps and the faces between them", false, true},
    {"walls", "shapes that stand on a mesh of a floor and lean against its walls", false, true},
};

template <int D, class T>
struct Maker {
  std::string_view name;
  void (*add)(SceneColumns<D, T>& scene, std::size_t count, Random& random);
};

template <int D, class T>
constexpr auto makers() {
  constexpr Maker<D, T> kBoth[] = {
      {"uniform", add_uniform},     {"power_law", add_power_law}, {"outliers", add_outliers},
      {"clustered", add_clustered}, {"packed", add_packed},       {"plates", add_plates},
      {"sticks", add_sticks},       {"mixed", add_mixed},         {"stack", add_stacks},
      {"pyramid", add_pyramid},     {"pile", add_pile},           {"worlds", add_mixed}};
  const auto with = [&]<std::size_t N>(const Maker<D, T>(&more)[N]) {
    std::array<Maker<D, T>, std::size(kBoth) + N> all;
    std::copy(more, more + N, std::copy(std::begin(kBoth), std::end(kBoth), all.begin()));
    return all;
  };
  if constexpr (D == 3) {
    return with({{"smooth", add_smooth},
                 {"smooth_pile", add_smooth_pile},
                 {"terrain", add_terrain},
                 {"stairs", add_stairs},
                 {"level", add_level},
                 {"walls", add_walls}});
  } else {
    return with({{"corridor", add_corridor}});
  }
}

template <int D, class T>
const Maker<D, T>& find_maker(std::string_view name) {
  static constexpr auto kMakers = makers<D, T>();
  const auto found = std::find_if(kMakers.begin(), kMakers.end(),
                                  [&](const Maker<D, T>& maker) { return maker.name == name; });
  if (found != kMakers.end()) return *found;
  throw Error("no generator of " + std::to_string(D) + "D scenes has the name " +
              std::string(name));
}

std::size_t worlds_of(const Recipe& recipe, std::size_t world_size) {
  if (recipe.count == 0) return 0;
  if (recipe.worlds == 0) {
    return world_size == 0 ? 1 : (recipe.count + world_size - 1) / world_size;
  }
  if (recipe.worlds <= recipe.count) return recipe.worlds;
  throw Error(std::to_string(recipe.worlds) + " worlds have no body each of " +
              std::to_string(recipe.count) + "; ask for fewer worlds or more bodies");
}

}  // namespace

std::span<const Generator> generators() { return kGenerators; }

const Generator* find_generator(std::string_view name) {
  const auto found = std::find_if(std::begin(kGenerators), std::end(kGenerators),
                                  [&](const Generator& one) { return one.name == name; });
  return found == std::end(kGenerators) ? nullptr : found;
}

template <int D, class T>
SceneColumns<D, T> generate(std::string_view name, const Recipe& recipe) {
  const Maker<D, T>& maker = find_maker<D, T>(name);
  const std::size_t worlds = worlds_of(recipe, find_generator(name)->world_size);
  SceneColumns<D, T> scene;
  Random random(recipe.seed);
  for (std::size_t world = 0; world < worlds; ++world) {
    maker.add(scene, recipe.count / worlds + (world < recipe.count % worlds ? 1 : 0), random);
    if (worlds == 1) break;
    for_each_table(scene, [&](auto& table) {
      table.world.resize(row_count(table), static_cast<std::int32_t>(world));
    });
  }
  return scene;
}

/// Whether the length of a column counts even if it is 0. It does not for columns that were added
/// later, so that scenes without them keep their hashes.
constexpr bool does_length_count(Kind kind, std::string_view field) {
  switch (kind) {
    case Kind::sphere:
    case Kind::capsule:
    case Kind::aabb:
    case Kind::box:
    case Kind::polygon:
    case Kind::hull:
    case Kind::halfspace:
      return true;
    case Kind::cylinder:
      return field != "rounding";
    case Kind::ellipsoid:
    case Kind::cone:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      break;
  }
  return false;
}

template <int D, class T>
std::uint64_t hash(const SceneColumns<D, T>& scene) {
  Hasher hasher;
  for_each_table(scene, [&](const auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    for_each_field(table, [&](const auto& field, const auto& column) {
      if (column.size() > 0 || does_length_count(Table::kind, field.name)) {
        hasher.add_column(column);
      }
    });
  });
  hasher.add_column(scene.excluded);
  scene.for_each_geometry_column(
      [&](std::string_view library, auto, const auto& column) {
        const bool is_later =
            library == "heightfields" || library == "meshes" || library == "chains";
        if (!is_later || !column.empty()) hasher.add_column(column);
      },
      scene);
  return hasher.value();
}

#define WIDEPHASE_INSTANTIATE(D, T)                                      \
  template SceneColumns<D, T> generate(std::string_view, const Recipe&); \
  template std::uint64_t hash(const SceneColumns<D, T>&);
WIDEPHASE_INSTANTIATE(2, float)
WIDEPHASE_INSTANTIATE(3, float)
WIDEPHASE_INSTANTIATE(2, double)
WIDEPHASE_INSTANTIATE(3, double)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::scenes
