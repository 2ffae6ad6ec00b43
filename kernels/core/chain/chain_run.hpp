#pragma once

// Runs of pairs (shape, chain): circles in lanes, the others one by one.

#include "kernels/core/chain/chain_circles.hpp"
#include "kernels/core/chain/chain_plane.hpp"
#include "soa/kind_traits.hpp"

namespace widephase {
namespace {

/// `settle`: see `ChainSearch`.
template <class T, class Settle>
SurfaceAnswer<T, 2> find_chain_patches(const SurfaceRun<T, 2>& run, std::int64_t i,
                                       const SurfaceRoom& room, const Settle& settle) {
  const Kind kind = run.pairs.kind_a;
  const bool is_plane = traits_of(kind).is_unbounded;
  if (!is_plane && flat_form(kind) == FlatForm::point && run.pairs.question != Question::deepest) {
    return ChainCircles<T, Settle>(run, settle).find(i, room);
  }
  SurfaceAnswer<T, 2> answer = is_plane ? ChainPlane<T>(run, i, room).find()
                                        : ChainSearch<T, Settle>(run, i, room, settle).find();
  answer.begin = i;
  answer.end = i + 1;
  return answer;
}

}  // namespace
}  // namespace widephase
