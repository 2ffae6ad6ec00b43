#pragma once

// What rays are answered on a chosen way through the trees.

#include "pipeline/narrow/workspace.hpp"
#include "support/rays.hpp"

#include <widephase/rays.hpp>

namespace widephase::test {

template <int D, class T>
RayHits<D, T> answers(const StaticScene<D, T>& kept, const RaySpan<D, T>& rays,
                      RayPath path = RayPath::by_counts, const CastOptions& options = {}) {
  Workspace<D, T> workspace;
  workspace.state().rays.path = path;
  RayHits<D, T> hits;
  cast_rays(kept, rays, hits, workspace, options);
  return hits;
}

template <class T>
RayHits<3, T> ask(const SceneColumns<3, T>& scene, const RayColumns<3, T>& rays,
                  const CastOptions& options = {}, RayPath path = RayPath::by_counts) {
  Workspace<3, T> workspace;
  StaticScene<3, T> kept;
  build_static_scene(scene, kept, workspace);
  return answers(kept, rays.span(), path, options);
}

}  // namespace widephase::test
