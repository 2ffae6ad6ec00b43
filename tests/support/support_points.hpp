#pragma once

// Queries for support points, and properties of every answer.

#include <gtest/gtest.h>

#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <widephase/support.hpp>

#include "support/compare.hpp"
#include "support/generate.hpp"
#include "support/verify.hpp"

namespace widephase::test {

/// A shape and a direction.
template <int D>
using Question = std::pair<Solid<D>, Point<D>>;

template <int D, class T>
std::vector<std::uint64_t> row_bits(const SupportBuffer<D, T>& support, std::size_t i) {
  std::vector<std::uint64_t> bits{support.feature[i]};
  for (int k = 0; k < D; ++k) bits.push_back(bits_of(support.point(i, k)));
  return bits;
}

template <int D, class T>
::testing::AssertionResult same_rows(const SupportBuffer<D, T>& left,
                                     const SupportBuffer<D, T>& right);

template <int D>
Real place_of(const Solid<D>& solid);

/// Checks the answers of every instruction set against all vertices of the shapes.
template <class T, int D>
void check_support(const std::vector<Question<D>>& list);

/// Shapes of a kind from every family, each with a direction of length 1e-3 to 1e3.
template <int D>
std::vector<Question<D>> random_questions(Kind kind, std::size_t count, std::uint64_t seed);

/// All kinds, mixed.
template <int D>
std::vector<Question<D>> mixed_questions(std::size_t count, std::uint64_t seed);

/// Every special shape, along all axes and diagonals.
template <int D>
std::vector<Question<D>> special_questions();

/// The answer that one query must give on every instruction set, in float and double.
template <int D>
struct SupportAnswer {
  Solid<D> solid;
  Point<D> direction;
  Point<D> point;
  std::uint32_t feature;
};

template <int D>
void check_answers(const std::vector<SupportAnswer<D>>& expected);

template <int D>
void check_directions_of_any_length();

template <int D>
void check_directions_of_any_stride();

/// Checks that lists of 0 to 40 queries have the same bits as the narrowest set gives for all at
/// once.
template <int D>
void check_lists_of_any_length();

/// Calls support with wrong input and returns the finding of the error.
template <int D, class T>
Finding finding_of(const SceneColumns<D, T>& scene, const std::vector<std::int32_t>& ids,
                   const Column<T, D>& direction);

template <int D>
void check_wrong_questions();

}  // namespace widephase::test
