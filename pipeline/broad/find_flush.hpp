#pragma once

#include "pipeline/rows/flush_parts.hpp"
#include "pipeline/rows/scene_rows.hpp"

namespace widephase {

/// Finds the boxes (aabbs too) and hulls without radius of a scene in 3D that lie flush within
/// `tolerance` with others of their world, owner and body; 0: none. `rows` have read the scene,
/// whose hulls are those of `hulls`. What is known stays if nothing has changed.
template <class T>
void find_flush(const SceneSpan<3, T>& scene, const SceneRows<3, T>& rows,
                const GeometryTable<Borrowed<3, SizeOf<T>>>& hulls, double tolerance,
                const Threads& threads, FlushParts& found);

}  // namespace widephase
