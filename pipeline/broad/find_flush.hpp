#pragma once

#include "pipeline/rows/flush_parts.hpp"
#include "pipeline/rows/scene_rows.hpp"

namespace widephase {

/// Finds the aabbs, boxes and hulls (2D: polygons) without radius of a scene that lie flush within
/// `tolerance` with others of their world, owner and body; 0: none. `rows` have read the scene,
/// whose point sets are `geometries`. What is known stays if nothing has changed.
template <int D, class T>
void find_flush(const SceneSpan<D, T>& scene, const SceneRows<D, T>& rows,
                const GeometryTable<Borrowed<D, SizeOf<T>>>& geometries, double tolerance,
                const Threads& threads, FlushParts& found);

}  // namespace widephase
