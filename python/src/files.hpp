#pragma once

// Scenes as files have them, for those who save, load and join them.

#include "scene.hpp"
#include "tools/formats/scene_file.hpp"

namespace widephase::python {

/// The scene as a file would hold it; `name` is for messages.
tools::SceneFile file_of(const SceneObject& scene, const std::string& name);

/// Gives the scene the shapes of the file, in its own precision.
void take_file(SceneObject& scene, const tools::SceneFile& file);

/// Adds the names and frames of a scene.
void add_labels(const SceneObject& scene, std::vector<tools::NamedArray>& arrays);
/// Those of a file; null if it has none.
SharedLabels labels_of(const tools::SceneFile& file);
/// Those of `replicate`, which has other worlds and so no frames.
SharedLabels replicated_labels(const SceneObject& scene, std::int32_t world_count);

}  // namespace widephase::python
