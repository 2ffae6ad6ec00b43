#pragma once

// Scenes as files have them, for those who save, load and join them.

#include "scene.hpp"
#include "tools/formats/scene_file.hpp"

namespace widephase::python {

/// The scene as a file would hold it; `name` is for messages.
tools::SceneFile file_of(const SceneObject& scene, const std::string& name);

/// In the precision that is wanted, else in that of the file.
std::shared_ptr<SceneObject> scene_of(const tools::SceneFile& file,
                                      std::optional<Precision> wanted);

/// A file name for the system. It may have any bytes; str holds those that are not UTF-8 as
/// surrogates.
std::string path_of(const py::object& path, std::string_view name = "path");

/// Raises each note as a warning.
void warn(const std::vector<std::string>& notes);

/// Gives the scene the shapes of the file, in its own precision.
void take_file(SceneObject& scene, const tools::SceneFile& file);

/// Adds the names and frames of a scene.
void add_labels(const SceneObject& scene, std::vector<tools::NamedArray>& arrays);
/// Those of a file; null if it has none.
SharedLabels labels_of(const tools::SceneFile& file);
/// Those of `replicate`, which has other worlds and so no frames.
SharedLabels replicated_labels(const SceneObject& scene, std::int32_t world_count);

}  // namespace widephase::python
