#pragma once

#include <widephase/scene.hpp>

namespace widephase::tools {

/// A copy of the scene in which shapes of bodies are placed by the poses of their bodies.
template <int D, class T>
SceneColumns<D, T> scene_in_world(const SceneColumns<D, T>& scene);

}  // namespace widephase::tools
