// widephase.h: shapes that move until they touch others.

#include "c/c_handles.hpp"

namespace widephase {

namespace {

/// The directions and ends of casts in a scene's dimension and precision.
template <int D, class T>
const RaySpan<D, T>& ways_of(const widephase_rays* ways) {
  if (const auto* columns = std::get_if<RaySpan<D, T>>(&required(ways, "ways").columns)) {
    return *columns;
  }
  refuse("ways", "are not of the scene's dimension and precision");
}

}  // namespace

}  // namespace widephase

using namespace widephase;

widephase_result widephase_cast_pairs(const widephase_scene* scene, const int32_t* pairs,
                                      int64_t pair_count, const widephase_rays* ways,
                                      widephase_hits* hits, widephase_workspace* workspace,
                                      const widephase_options* options) {
  return guarded([&] {
    required(workspace, "workspace");
    with_columns(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
      const RaySpan<D, T>& along = ways_of<D, T>(ways);
      cast_pairs<D, T>(columns, pairs_of(pairs, pair_count), along.direction, along.max_t,
                       held_as<CastHits<D, T>>(required(hits, "hits").held),
                       held_as<Workspace<D, T>>(workspace->held), shape_cast_options_of(options));
    });
  });
}

widephase_result widephase_cast_shapes(const widephase_static_scene* static_scene,
                                       const widephase_scene* moving, const widephase_rays* ways,
                                       widephase_hits* hits, widephase_workspace* workspace,
                                       const widephase_options* options) {
  return guarded([&] {
    required(workspace, "workspace");
    with_columns(moving, [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
      const RaySpan<D, T>& along = ways_of<D, T>(ways);
      cast_shapes<D, T>(columns, along.direction, along.max_t,
                        static_scene_of<D, T>(required(static_scene, "static_scene")),
                        held_as<CastHits<D, T>>(required(hits, "hits").held),
                        held_as<Workspace<D, T>>(workspace->held), shape_cast_options_of(options));
    });
  });
}
