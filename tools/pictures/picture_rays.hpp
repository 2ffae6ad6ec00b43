#pragma once

#include <string>

#include <widephase/rays.hpp>

#include "tools/pictures/picture.hpp"

namespace widephase::tools {

/// An SVG of the shapes with rays, and points and normals where they hit. The colour of a shape
/// shows its number of hits; misses are faint.
template <int D, class T>
std::string picture_of_rays(const SceneColumns<D, T>& scene, const RaySpan<D, T>& rays,
                            const RayHits<D, T>& hits, const PictureOptions& options);

}  // namespace widephase::tools
