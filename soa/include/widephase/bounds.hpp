#pragma once

#include <widephase/scene.hpp>

namespace widephase {

/// Closed boxes along the axes, one per shape. Infinite sides are allowed; a box with a NaN or with
/// min > max meets nothing.
template <int D, class T>
struct BoundsBuffer {
  Column<T, D> min;  ///< the lower corner
  Column<T, D> max;  ///< the upper corner
  /// Boxes.
  std::size_t size() const { return min.size(); }
};

/// The same borrowed: boxes in arrays of the caller or of a `BoundsBuffer`, which must outlive it.
template <int D, class T>
struct BoundsSpan {
  ColumnSpan<T, D> min;  ///< the lower corner
  ColumnSpan<T, D> max;  ///< the upper corner; as many rows

  /// No boxes.
  BoundsSpan() = default;
  /// Boxes given by their two corners.
  BoundsSpan(ColumnSpan<T, D> min_, ColumnSpan<T, D> max_) : min(min_), max(max_) {}
  /// Those of a buffer.
  BoundsSpan(const BoundsBuffer<D, T>& buffer) : min(buffer.min), max(buffer.max) {}
  /// Boxes.
  std::size_t size() const { return min.size(); }
};

}  // namespace widephase
