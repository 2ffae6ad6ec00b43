#pragma once

// Runs of pairs (shape, surface): in lanes where a kind has such a kernel, else one by one.

#include "kernels/core/surface/ball_run.hpp"

namespace widephase {
namespace {

template <class T>
SurfaceAnswer<T> find_run(const SurfaceRun<T>& run, std::int64_t i, const SurfaceRoom& room) {
  const bool is_deepest = run.pairs.question == Question::deepest;
  if (!is_deepest && run.pairs.kind_a == Kind::sphere) {
    const SurfaceAnswer<T> answer = BallRun<T>(run).find(i, room);
    if (answer.bytes_needed > 0 || answer.end > i) return answer;
  }
  SurfaceAnswer<T> answer = find_patches(run, i, room);
  answer.end = i + 1;
  return answer;
}

}  // namespace
}  // namespace widephase
