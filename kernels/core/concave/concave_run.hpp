#pragma once

// Runs of pairs with a surface: of two surfaces one by one, of a shape and a surface by their own
// ways.

#include "kernels/core/chain/chain_run.hpp"
#include "kernels/core/concave/concave_search.hpp"
#include "kernels/core/flush/flush_chain2.hpp"
#include "kernels/core/flush/flush_surface3.hpp"
#include "kernels/core/surface/surface_run.hpp"

namespace widephase {
namespace {

template <class T, int D>
SurfaceAnswer<T, D> find_any_patches(const SurfaceRun<T, D>& run, std::int64_t i,
                                     const SurfaceRoom& room) {
  if (!traits_of(run.pairs.kind_a).is_surface) {
    if constexpr (D == 2) {
      return find_chain_patches(run, i, room, UnfeltOnChains<T>());
    } else {
      return find_run(run, i, room, UnfeltOnSurfaces<T>());
    }
  }
  SurfaceAnswer<T, D> answer = ConcaveSearch<T, D>(run, i, room).find();
  answer.begin = i;
  answer.end = i + 1;
  return answer;
}

}  // namespace
}  // namespace widephase
