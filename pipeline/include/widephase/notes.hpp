#pragma once

#include <vector>

#include <widephase/export.h>
#include <widephase/scene.hpp>

namespace widephase {

/// What is valid in a scene and what it keeps, and yet seldom meant, in the form of `validate`'s
/// findings: tables without `world` where others name worlds. Their shapes are in world 0 alone.
template <int D, class T>
WIDEPHASE_API std::vector<Finding> notes_of(const SceneSpan<D, T>& scene);

}  // namespace widephase
