#include "tools/formats/number_shifts.hpp"

#include "tools/formats/wording.hpp"

namespace widephase::tools {

std::set<std::int32_t> numbers_of(const SceneFile& scene, std::string_view field,
                                  std::string_view excluded) {
  std::set<std::int32_t> numbers;
  for (const NamedArray& entry : scene.arrays()) {
    if (!entry.name.ends_with(field) && entry.name != excluded) continue;
    for (const std::int32_t number : entry.array.values<std::int32_t>()) {
      if (number >= 0) numbers.insert(number);
    }
  }
  return numbers;
}

std::int32_t owner_shift(const SceneFile& scene, const SceneFile& kept) {
  Shifts<std::int32_t> shifts("owners");
  std::int32_t shift = 0;
  for (const SceneFile* file : {&scene, &kept}) {
    const auto owners = numbers_of(*file, ".owner", "excluded_owners");
    if (owners.empty()) return 0;
    shift = shifts.add(*file, *owners.begin(), *owners.rbegin());
  }
  return shift;
}

bool names_worlds(const SceneFile& scene) {
  return std::ranges::any_of(scene.arrays(), [](const NamedArray& entry) {
    if (!entry.name.ends_with(".world")) return false;
    const auto worlds = entry.array.values<std::int32_t>();
    return std::ranges::any_of(worlds, [](std::int32_t world) { return world != -1; });
  });
}

std::string all_worlds_note(const SceneFile& scene, std::int64_t worlds) {
  return fmt::format("{} names no world: its shapes are in all {} (world -1)", scene.path(),
                     counted(worlds, "world"));
}

}  // namespace widephase::tools
