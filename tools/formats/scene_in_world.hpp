#pragma once

#include <widephase/scene.hpp>

namespace widephase::tools {

/// A copy in which what lies in the frame of a body lies where that is.
template <int D, class T>
SceneColumns<D, T> scene_in_world(const SceneColumns<D, T>& scene);

}  // namespace widephase::tools
