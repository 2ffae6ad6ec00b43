#pragma once

// What a tracker keeps of a step, for those whose pairs come from other trackers and go to others.

#include <widephase/tracker.hpp>

#include "pipeline/steps/step.hpp"

namespace widephase {

/// The pairs and contacts of a step by ids of its shapes: a `Step` without its chains.
template <int D, class T>
struct StepColumns {
  SceneLayout layout;  ///< of the moving shapes; ids above are kept ones
  Column<std::int64_t> key;
  Column<std::int32_t> world;
  Column<ShapeFrame<D, T>> frame;  ///< empty: none were read
  Column<Pair> warm_pair;          ///< the pairs with words
  Column<WarmStart> words;         ///< of these
  Column<Pair> pair;               ///< by contact; those of a pair lie together
  Column<std::uint32_t> offset;    ///< by contact, and one more: as in `ContactBuffer`
  Column<std::uint32_t> feature;   ///< by point, as the next two
  Column<std::int32_t, 2> part;    ///< may be empty
  Column<PositionOf<T>, D> point;  ///< empty without frames
};

/// The step that a tracker compares with the next one.
template <int D, class T>
WIDEPHASE_API const Step<D, T>& last_step(Tracker<D, T>& tracker);

/// Replaces it; the kept scene stays. If it throws, nothing is replaced.
template <int D, class T>
WIDEPHASE_API void replace_last_step(Tracker<D, T>& tracker, const StepColumns<D, T>& columns);

}  // namespace widephase
