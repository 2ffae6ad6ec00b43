#pragma once

#include <widephase/scene.hpp>

namespace widephase {

/// Closed boxes along the axes, one a shape. Infinite sides are allowed; a box with a NaN or with
/// min > max meets nothing.
template <int D, class T>
struct BoundsBuffer {
  Column<T, D> min;
  Column<T, D> max;
  std::size_t size() const { return min.size(); }
};

template <int D, class T>
struct BoundsSpan {
  ColumnSpan<T, D> min;
  ColumnSpan<T, D> max;

  BoundsSpan() = default;
  BoundsSpan(ColumnSpan<T, D> min_, ColumnSpan<T, D> max_) : min(min_), max(max_) {}
  BoundsSpan(const BoundsBuffer<D, T>& buffer) : min(buffer.min), max(buffer.max) {}
  std::size_t size() const { return min.size(); }
};

}  // namespace widephase
