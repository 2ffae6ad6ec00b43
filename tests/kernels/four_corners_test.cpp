// The choice of four corners for one pair: corners beyond those that fit into its lanes at once,
// here copies of the first one, change nothing, and one of the chosen is as deep as the deepest.

#define WIDEPHASE_ISA_scalar 1
#include "kernels/core/faces/four_corners_single.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "reference/random.hpp"

namespace widephase::test {
namespace {

template <class T>
struct Choice {
  int count;
  FaceCorner<T> kept[4];
  T least_height;
};

template <class T>
Choice<T> choose(const std::vector<FaceCorner<T>>& corners, T level) {
  const LastingAxes<T> axes{{{T(0.8), T(0.6)}}, {{T(-0.6), T(0.8)}}};
  FourCorners<T> four(corners.data(), static_cast<int>(corners.size()), axes, T(1e-4));
  Choice<T> choice{};
  choice.count = four.choose(level, false, choice.kept);
  choice.least_height = four.least_height();
  return choice;
}

template <class T>
void expect_same(const Choice<T>& a, const Choice<T>& b) {
  ASSERT_EQ(a.count, b.count);
  EXPECT_EQ(a.least_height, b.least_height);
  for (int n = 0; n < a.count; ++n) {
    EXPECT_EQ(a.kept[n].x, b.kept[n].x);
    EXPECT_EQ(a.kept[n].y, b.kept[n].y);
    EXPECT_EQ(a.kept[n].height, b.kept[n].height);
    EXPECT_EQ(a.kept[n].reference_feature, b.kept[n].reference_feature);
  }
}

/// Corners on a rim, on a line, on a grid with many ties, or anywhere.
template <class T>
std::vector<FaceCorner<T>> corners_of(Random& random, std::size_t count, int family) {
  std::vector<FaceCorner<T>> corners(count);
  for (std::size_t n = 0; n < count; ++n) {
    T x = static_cast<T>(random.uniform(-1, 1)), y = static_cast<T>(random.uniform(-1, 1));
    if (family == 0) {
      const double angle = 6.283185307179586 * static_cast<double>(n) / static_cast<double>(count);
      x = static_cast<T>(std::cos(angle));
      y = static_cast<T>(std::sin(angle));
    }
    if (family == 1) y = x / 2;
    if (family == 2) {
      x = std::round(2 * x);
      y = std::round(2 * y);
    }
    const T height = family == 2 ? T(0) : static_cast<T>(random.uniform(-1, 0));
    corners[n] = {x, y, height, static_cast<T>(n), static_cast<T>(n)};
  }
  return corners;
}

template <class T>
void expect_choices_stand() {
  Random random(7);
  const T level = T(1e-3);
  for (int family = 0; family < 4; ++family) {
    for (std::size_t count = 2; count <= 72; ++count) {
      SCOPED_TRACE(std::to_string(family) + " " + std::to_string(count));
      auto corners = corners_of<T>(random, count, family);
      const Choice<T> chosen = choose(corners, level);
      ASSERT_GE(chosen.count, 1);
      T least = corners[0].height, kept = chosen.kept[0].height;
      for (const FaceCorner<T>& corner : corners) least = std::min(least, corner.height);
      for (int n = 1; n < chosen.count; ++n) kept = std::min(kept, chosen.kept[n].height);
      EXPECT_EQ(chosen.least_height, least);
      EXPECT_LE(kept, least + level);
      corners.resize(count + 100, FaceCorner<T>(corners[0]));
      expect_same(chosen, choose(corners, level));
    }
  }
}

TEST(four_corners, of_many_are_those_without_the_copies_of_one) {
  expect_choices_stand<float>();
  expect_choices_stand<double>();
}

}  // namespace
}  // namespace widephase::test
