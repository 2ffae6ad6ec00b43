#pragma once

// Runs of pairs (shape, surface): in lanes where a kind has such a kernel, else one by one.

#include "kernels/core/surface/ball_run.hpp"
#include "kernels/core/surface/mesh_ball_run.hpp"

namespace widephase {
namespace {

/// `settle`: see `SurfaceSearch`.
template <class T, class Settle>
SurfaceAnswer<T> find_run(const SurfaceRun<T>& run, std::int64_t i, const SurfaceRoom& room,
                          const Settle& settle) {
  const Kind kind = run.pairs.kind_a;
  std::int64_t at = i;
  const bool is_of_mesh = traits_of(run.pairs.kind_b).is_sheet;
  if (run.pairs.question != Question::deepest && !traits_of(kind).is_unbounded) {
    if (core_form(kind) == CoreForm::point) {
      const SurfaceAnswer<T> answer =
          is_of_mesh ? MeshBallRun<T>(run).find(i, room) : BallRun<T>(run).find(i, room);
      if (answer.bytes_needed > 0 || answer.end > i) return answer;
    } else if (!is_of_mesh) {
      FieldRun<T> field(run);
      while (at < run.pairs.count && field.is_far(run.pairs.pairs[at])) ++at;
    }
  }
  if (at == run.pairs.count) return {nullptr, 0, 0, 0, 0, nullptr, at, at};
  SurfaceAnswer<T> answer = find_patches(run, at, room, settle);
  answer.begin = at;
  answer.end = at + 1;
  return answer;
}

}  // namespace
}  // namespace widephase
