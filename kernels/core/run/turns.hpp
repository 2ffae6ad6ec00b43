#pragma once

// Cosines and sines of a column of angles. The loop uses only sums, products and bit operations. So
// the compiler can vectorize it, and the bits are those of a single angle.

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
