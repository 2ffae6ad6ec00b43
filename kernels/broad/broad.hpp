#pragma once

// The broad phase of one instruction set, dimension and precision.

#include "kernels/broad/tiles.hpp"
#include "kernels/broad/walk.hpp"

namespace widephase {
namespace {

template <int D, class T>
constexpr BroadTable<D, T> make_broad_table() {
  return {centre_range<D, T>, make_rows<D, T>, row_range<D>,   row_keys<D>, find_run,
          gather_tiles<D>,    sticking<D>,     raise_level<D>, walk<D>,     descend<D>,
          halfspaces<D>};
}

}  // namespace
}  // namespace widephase
