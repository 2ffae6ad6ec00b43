#pragma once

// What the commands that write pages share.

#include <cstddef>
#include <string>

#include "tools/commands/common_options.hpp"
#include "tools/formats/scene_file.hpp"
#include "tools/page/view_page.hpp"

namespace widephase::tools {

/// Throws a `UsageError` if this build has no page.
void require_page();

/// Throws a `FileError` for a page that is larger than browsers open; `remedy` ends the sentence.
void require_page_size(const std::string& scene, std::size_t bytes,
                       std::string_view remedy = "--world N shows one world, or take fewer shapes");

/// All that a page shows of a scene itself.
template <int D, class T>
ViewScene view_scene_of(const SceneColumns<D, T>& scene, const SceneFile& file,
                        const WorldChoice& world);

}  // namespace widephase::tools
