#pragma once

#include <vector>

#include <widephase/export.h>
#include <widephase/scene.hpp>

namespace widephase {

/// What is valid in a scene and what it keeps, and yet seldom meant, in the form of `validate`'s
/// findings:
///
/// - tables without `world` where others name worlds: their shapes are in world 0 alone;
/// - `fixed` set for every shape beside a kept scene: nothing meets;
/// - owners of the scene that what it keeps has too: their shapes never meet;
/// - a column `body` in a scene without poses of bodies: it only filters;
/// - a `category` of 0: the shape meets nothing.
template <int D, class T>
WIDEPHASE_API std::vector<Finding> notes_of(const SceneSpan<D, T>& scene);

}  // namespace widephase
