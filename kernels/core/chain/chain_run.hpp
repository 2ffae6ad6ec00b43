#pragma once

// Runs of pairs (shape, chain), one by one.

#include "kernels/core/chain/chain_plane.hpp"
#include "kernels/core/chain/chain_search.hpp"
#include "soa/kind_traits.hpp"

namespace widephase {
namespace {

template <class T>
SurfaceAnswer<T, 2> find_chain_patches(const SurfaceRun<T, 2>& run, std::int64_t i,
                                       const SurfaceRoom& room) {
  SurfaceAnswer<T, 2> answer = traits_of(run.pairs.kind_a).is_unbounded
                                   ? ChainPlane<T>(run, i, room).find()
                                   : ChainSearch<T>(run, i, room).find();
  answer.begin = i;
  answer.end = i + 1;
  return answer;
}

}  // namespace
}  // namespace widephase
