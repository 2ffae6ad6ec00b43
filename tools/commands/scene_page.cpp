#include "tools/commands/scene_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "soa/instantiate.hpp"
#include "tools/formats/contact_sides.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/scene_in_world.hpp"
#include "tools/formats/wording.hpp"
#include "tools/page/view_page_parts.hpp"

namespace widephase::tools {

namespace {

/// Browsers limit a text to about 512 MiB.
constexpr std::size_t kMostPageBytes = std::size_t{480} << 20;

/// The names that the file has of its shapes and bodies.
ViewNames names_of(const SceneFile& file) {
  ViewNames names;
  std::map<std::string, std::int32_t> known;
  const auto place_of = [&](const std::string& text) {
    if (text.empty()) return -1;
    const auto next = static_cast<std::int32_t>(names.texts.size());
    const auto [found, is_new] = known.emplace(text, next);
    if (is_new) names.texts.push_back(text);
    return found->second;
  };
  for (const KindRows& rows : rows_of(file).kinds) {
    for (std::size_t row = 0; row < rows.count; ++row) {
      names.of_shape.push_back(rows.name == nullptr ? -1 : place_of(rows.name->text(row)));
    }
  }
  if (names.texts.empty()) names.of_shape.clear();
  const Array* bodies = file.find("bodies.name");
  for (std::size_t row = 0; bodies != nullptr && row < bodies->count(); ++row) {
    names.of_body.push_back(place_of(bodies->text(row)));
  }
  return names;
}

}  // namespace

void require_page() {
  if (*kViewPage != '\0') return;
  throw UsageError(
      "this build has no page; collide --picture FILE.svg draws the scene, and one configured with "
      "-DWIDEPHASE_WEB=ON after scripts/setup, which fetches what pages are bundled of, has them");
}

void require_page_size(const std::string& scene, std::size_t bytes, std::string_view remedy) {
  if (bytes <= kMostPageBytes) return;
  throw FileError(scene,
                  fmt::format("takes a page of {} MB, more than browsers open ({}); {}",
                              bytes >> 20, kMostPageBytes >> 20, remedy));
}

template <int D, class T>
ViewScene view_scene_of(const SceneColumns<D, T>& scene, const SceneFile& file,
                        const WorldChoice& world) {
  ViewScene view;
  view.dimension = D;
  view.worlds = world_count<D, T>(scene);
  view.world = chosen_world(file, view.worlds, world);
  view.names = names_of(file);
  view.title = name_of(file.path());
  view.layout = layout_of(SceneSpan<D, T>(scene));
  const std::span<const std::int64_t> frames = file.frames();
  view.frames.assign(frames.begin(),
                     frames.begin() + std::min<std::size_t>(view.worlds, frames.size()));
  view.shapes = drawn_shapes(scene.bodies.empty() ? scene : scene_in_world(scene));
  add_filters(scene, view);
  for (std::size_t axis = 0; axis < D; ++axis) {
    view.domain_min[axis] = static_cast<double>(scene.domain.min[axis]);
    view.domain_max[axis] = static_cast<double>(scene.domain.max[axis]);
    view.periodic[axis] = scene.domain.periodic[axis];
  }
  return view;
}

#define WIDEPHASE_INSTANTIATE(D, T) \
  template ViewScene view_scene_of(const SceneColumns<D, T>&, const SceneFile&, const WorldChoice&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::tools
