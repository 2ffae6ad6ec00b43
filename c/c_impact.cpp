// widephase.h: when moving bodies meet.

#include <widephase/answers.hpp>

#include "c/c_handles.hpp"

namespace widephase {

namespace {

/// Where all bodies end; what is NULL does not change.
template <int D, class T>
Motion<D, T> motion_of(const widephase_array* position_end, const widephase_array* turn_end) {
  constexpr int kNumbers = D == 2 ? 1 : 4;
  Motion<D, T> motion;
  if (position_end != nullptr) {
    motion.position_end = borrowed<PositionOf<T>, D>(*position_end, "position_end");
  }
  if (turn_end == nullptr) return motion;
  const ColumnSpan<SizeOf<T>, kNumbers> turns =
      borrowed<SizeOf<T>, kNumbers>(*turn_end, "turn_end");
  if constexpr (D == 2) {
    motion.angle_end = turns;
  } else {
    motion.orientation_end = turns;
  }
  return motion;
}

}  // namespace

}  // namespace widephase

using namespace widephase;

widephase_result widephase_impacts_create(widephase_impacts** impacts) {
  return create(impacts, "impacts");
}
void widephase_impacts_destroy(widephase_impacts** impacts) { destroy(impacts); }
widephase_result widephase_impacts_get(const widephase_impacts* impacts, const char* name,
                                       widephase_type type, widephase_array* array) {
  return get(impacts, "impacts", name, type, array, [](const auto& held, AnswerColumn& column) {
    for_each_answer(
        [&](const AnswerField& field, const auto& values) { column.consider(field.name, values); },
        held);
  });
}

widephase_result widephase_time_of_impact(const widephase_scene* scene,
                                          const widephase_array* position_end,
                                          const widephase_array* turn_end, const int32_t* pairs,
                                          int64_t pair_count, widephase_impacts* impacts,
                                          widephase_workspace* workspace,
                                          const widephase_options* options) {
  return guarded([&] {
    required(impacts, "impacts");
    required(workspace, "workspace");
    with_columns(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
      time_of_impact(columns, motion_of<D, T>(position_end, turn_end), pairs_of(pairs, pair_count),
                     held_as<ImpactHits<D, T>>(impacts->held),
                     held_as<Workspace<D, T>>(workspace->held), shape_cast_options_of(options));
    });
  });
}

widephase_result widephase_first_impacts(const widephase_scene* scene,
                                         const widephase_array* position_end,
                                         const widephase_array* turn_end,
                                         widephase_impacts* impacts, widephase_workspace* workspace,
                                         const widephase_options* options) {
  return guarded([&] {
    required(impacts, "impacts");
    required(workspace, "workspace");
    with_columns(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
      first_impacts(columns, motion_of<D, T>(position_end, turn_end),
                    held_as<ImpactHits<D, T>>(impacts->held),
                    held_as<Workspace<D, T>>(workspace->held), shape_cast_options_of(options));
    });
  });
}
