#pragma once

// Boxes some hundred at a time, an array per side, for loops that compilers turn into vectors.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/broad_table.hpp"

namespace widephase {

template <int D, class T>
struct Box {
  T min[D];
  T max[D];
};

template <int D, class T>
Box<D, T> box_of(const BoxSource<D, T>& source, std::size_t row) {
  const std::ptrdiff_t index =
      source.ids == nullptr ? source.first + static_cast<std::ptrdiff_t>(row) : source.ids[row];
  Box<D, T> box;
  for (int d = 0; d < D; ++d) {
    std::memcpy(&box.min[d],
                reinterpret_cast<const char*>(source.min[d]) + index * source.min_stride,
                sizeof(T));
    std::memcpy(&box.max[d],
                reinterpret_cast<const char*>(source.max[d]) + index * source.max_stride,
                sizeof(T));
  }
  return box;
}

template <int D, class T>
bool is_valid(const Box<D, T>& box) {
  bool is_ordered = true;
  for (int d = 0; d < D; ++d) is_ordered &= box.min[d] <= box.max[d];
  return is_ordered;
}

template <int D, class T>
Box<D, T> empty_hull() {
  Box<D, T> hull;
  for (int d = 0; d < D; ++d) {
    hull.min[d] = std::numeric_limits<T>::infinity();
    hull.max[d] = -std::numeric_limits<T>::infinity();
  }
  return hull;
}
template <int D, class T>
void widen(Box<D, T>& hull, const Box<D, T>& box) {
  for (int d = 0; d < D; ++d) {
    hull.min[d] = box.min[d] < hull.min[d] ? box.min[d] : hull.min[d];
    hull.max[d] = box.max[d] > hull.max[d] ? box.max[d] : hull.max[d];
  }
}

/// Some rows of a source, copied unless they lie packed. The rows behind the last are NaN.
template <int D, class T>
class BoxPlanes {
 public:
  static constexpr std::size_t kRows = 256;
  static constexpr std::size_t kLanes = 8;
  /// As wide as T: 0, or -1 for true.
  using Flag = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

  void read(const BoxSource<D, T>& source, std::size_t begin, std::size_t end) {
    constexpr std::ptrdiff_t kPacked = sizeof(T);
    if (end - begin == kRows && source.ids == nullptr && source.min_stride == kPacked &&
        source.max_stride == kPacked) {
      for (int d = 0; d < D; ++d) {
        min[d] = source.min[d] + source.first + begin;
        max[d] = source.max[d] + source.first + begin;
      }
      return;
    }
    for (int d = 0; d < D; ++d) {
      for (std::size_t i = end - begin; i < kRows; ++i) {
        copies_[d][i] = copies_[D + d][i] = std::numeric_limits<T>::quiet_NaN();
      }
      min[d] = copies_[d];
      max[d] = copies_[D + d];
    }
    for (std::size_t row = begin; row < end; ++row) {
      const Box<D, T> box = box_of(source, row);
      for (int d = 0; d < D; ++d) {
        copies_[d][row - begin] = box.min[d];
        copies_[D + d][row - begin] = box.max[d];
      }
    }
  }

  Box<D, T> box(std::size_t i) const {
    Box<D, T> box;
    for (int d = 0; d < D; ++d) {
      box.min[d] = min[d][i];
      box.max[d] = max[d][i];
    }
    return box;
  }

  void find_valid(Flag* is_valid) const {
    for (std::size_t i = 0; i < kRows; ++i) is_valid[i] = -1;
    for (int d = 0; d < D; ++d) {
      const T* const low = min[d];
      const T* const high = max[d];
      for (std::size_t i = 0; i < kRows; ++i) is_valid[i] &= low[i] <= high[i] ? -1 : 0;
    }
  }

  /// Widens by the valid boxes.
  void widen(const Flag* is_valid, Box<D, T>& hull) const {
    for (int d = 0; d < D; ++d) {
      const T* const mins = min[d];
      const T* const maxs = max[d];
      T low[kLanes], high[kLanes];
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        low[lane] = hull.min[d];
        high[lane] = hull.max[d];
      }
      for (std::size_t i = 0; i < kRows; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          const bool is_lower = mins[i + lane] < low[lane];
          const bool is_higher = maxs[i + lane] > high[lane];
          low[lane] = (is_lower & (is_valid[i + lane] != 0)) ? mins[i + lane] : low[lane];
          high[lane] = (is_higher & (is_valid[i + lane] != 0)) ? maxs[i + lane] : high[lane];
        }
      }
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        hull.min[d] = low[lane] < hull.min[d] ? low[lane] : hull.min[d];
        hull.max[d] = high[lane] > hull.max[d] ? high[lane] : hull.max[d];
      }
    }
  }

  const T* min[D];
  const T* max[D];

 private:
  T copies_[2 * D][kRows];
};

}  // namespace widephase
