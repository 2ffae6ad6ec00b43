#pragma once

#include <widephase/scene.hpp>

namespace widephase::tools {

/// Puts the point sets of `moving` behind those of `kept`, as a static scene wants them: both then
/// name the rows there, and `moving` has none.
template <int D, class T>
void give_point_sets(SceneColumns<D, T>& moving, SceneColumns<D, T>& kept);

}  // namespace widephase::tools
