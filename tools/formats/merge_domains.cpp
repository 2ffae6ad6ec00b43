#include "tools/formats/merge_domains.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/formats/file_error.hpp"

namespace widephase::tools {

namespace {

struct Box {
  std::vector<double> numbers;  ///< min, max
  std::vector<std::uint8_t> periodic;
  bool is_periodic() const {
    return std::ranges::any_of(periodic, [](std::uint8_t flag) { return flag != 0; });
  }
  friend bool operator==(const Box&, const Box&) = default;
};

Box box_of(const SceneFile& scene) {
  Box box;
  for (const char* name : {"domain.min", "domain.max"}) {
    visit_values(*scene.find(name), [&](auto numbers) {
      for (const auto number : numbers) box.numbers.push_back(static_cast<double>(number));
    });
  }
  box.periodic.assign(static_cast<std::size_t>(scene.dimension()), 0);
  if (const Array* periodic = scene.find("domain.periodic")) {
    std::ranges::copy(periodic->values<std::uint8_t>(), box.periodic.begin());
  }
  return box;
}

}  // namespace

/// A box that is not periodic says nothing, so it gives way to another.
const SceneFile* scene_with_domain(const std::vector<const SceneFile*>& scenes) {
  const SceneFile* chosen = nullptr;
  bool is_unclear = false;
  for (const SceneFile* scene : scenes) {
    if (scene->find("domain.min") == nullptr) continue;
    if (chosen == nullptr) {
      chosen = scene;
      continue;
    }
    const Box one = box_of(*chosen), other = box_of(*scene);
    if (one == other) continue;
    if (one.is_periodic() && other.is_periodic()) {
      throw FileError(scene->path(), fmt::format("has another periodic domain than {}; a scene "
                                                 "has one (--periodic none takes it away)",
                                                 chosen->path()));
    }
    is_unclear |= !one.is_periodic() && !other.is_periodic();
    if (other.is_periodic()) chosen = scene;
  }
  if (chosen == nullptr || (is_unclear && !box_of(*chosen).is_periodic())) return nullptr;
  return chosen;
}

}  // namespace widephase::tools
