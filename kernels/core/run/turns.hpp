#pragma once

// Turns of a column of angles. The compiler makes vectors of the loop, whose bits are those of one
// angle alone: only sums, products and bit operations.

#include "soa/turn.hpp"

namespace widephase {
namespace {

template <class T>
void find_turns(const T* angles, std::size_t count, T* cosines, T* sines) {
  for (std::size_t i = 0; i < count; ++i) {
    const Turn2<T> turn = turn_of(angles[i]);
    cosines[i] = turn.cosine;
    sines[i] = turn.sine;
  }
}

}  // namespace
}  // namespace widephase
