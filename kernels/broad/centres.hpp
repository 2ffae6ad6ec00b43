#pragma once

// Turns the caller's boxes into rows and keys, 16 boxes at a time.

#include "kernels/broad/hilbert.hpp"
#include "kernels/lanes/limits.hpp"

namespace widephase {
namespace {

template <int D, class T>
struct BoxBlock {
  alignas(64) T min[D][kTileLanes];
  alignas(64) T max[D][kTileLanes];
};

template <class T>
WIDEPHASE_INLINE T load_at(const T* data, std::ptrdiff_t offset) {
  T value;
  __builtin_memcpy(&value, reinterpret_cast<const char*>(data) + offset, sizeof(T));
  return value;
}

// Loads boxes from `begin` on, at most 16; lanes past `end` are NaN.
template <int D, class T>
WIDEPHASE_INLINE void load_boxes(const BoxSource<D, T>& source, std::size_t begin, std::size_t end,
                                 BoxBlock<D, T>& block) {
  const std::size_t live = end - begin < kTileLanes ? end - begin : kTileLanes;
  constexpr std::ptrdiff_t kPacked = sizeof(T);
  if (source.ids == nullptr && source.min_stride == kPacked && source.max_stride == kPacked &&
      live == kTileLanes) {
    const std::size_t row = static_cast<std::size_t>(source.first) + begin;
    for (int d = 0; d < D; ++d) {
      __builtin_memcpy(block.min[d], source.min[d] + row, sizeof block.min[d]);
      __builtin_memcpy(block.max[d], source.max[d] + row, sizeof block.max[d]);
    }
    return;
  }
  for (std::size_t i = 0; i < live; ++i) {
    const std::ptrdiff_t row = source.ids == nullptr
                                   ? source.first + static_cast<std::ptrdiff_t>(begin + i)
                                   : static_cast<std::ptrdiff_t>(source.ids[begin + i]);
    for (int d = 0; d < D; ++d) {
      block.min[d][i] = load_at(source.min[d], row * source.min_stride);
      block.max[d][i] = load_at(source.max[d], row * source.max_stride);
    }
  }
  for (std::size_t i = live; i < kTileLanes; ++i) {
    for (int d = 0; d < D; ++d) {
      block.min[d][i] = __builtin_nan("");
      block.max[d][i] = __builtin_nan("");
    }
  }
}

template <int D, class T>
struct RangeBlock {
  alignas(64) T min[D][kTileLanes];
  alignas(64) T max[D][kTileLanes];

  WIDEPHASE_INLINE RangeBlock() {
    for (int d = 0; d < D; ++d) {
      for (int i = 0; i < kTileLanes; ++i) {
        min[d][i] = kInfinite<T>;
        max[d][i] = -kInfinite<T>;
      }
    }
  }
  WIDEPHASE_INLINE void widen(const BoxBlock<D, T>& block) {
    for (int d = 0; d < D; ++d) {
      for (int i = 0; i < kTileLanes; ++i) {
        const T centre = block.min[d][i] + block.max[d][i];
        const T low = centre >= -kLargest<T> ? centre : kInfinite<T>;
        const T high = centre <= kLargest<T> ? centre : -kInfinite<T>;
        min[d][i] = low < min[d][i] ? low : min[d][i];
        max[d][i] = high > max[d][i] ? high : max[d][i];
      }
    }
  }
  WIDEPHASE_INLINE void store(CentreRange<D, T>& range) const {
    for (int d = 0; d < D; ++d) {
      for (int i = 0; i < kTileLanes; ++i) {
        range.min[d] = min[d][i] < range.min[d] ? min[d][i] : range.min[d];
        range.max[d] = max[d][i] > range.max[d] ? max[d][i] : range.max[d];
      }
    }
  }
};

template <int D, class T>
void centre_range(const BoxSource<D, T>& source, std::size_t begin, std::size_t end,
                  CentreRange<D, T>& range) {
  RangeBlock<D, T> widest;
  BoxBlock<D, T> block;
  for (std::size_t i = begin; i < end; i += kTileLanes) {
    load_boxes(source, i, end, block);
    widest.widen(block);
  }
  widest.store(range);
}

template <int D, class T>
WIDEPHASE_INLINE void keys_of(const BoxBlock<D, T>& block, const KeyFrame<D, T>& frame,
                              std::uint32_t (&keys)[kTileLanes]) {
  for (int lane = 0; lane < kTileLanes; lane += kWideLanes) {
    WideUint cells[D];
#pragma GCC unroll 3
    for (int d = 0; d < D; ++d) {
      WideFloat place;
      if constexpr (sizeof(T) == 4) {
        place = (load_wide<WideFloat>(block.min[d] + lane) +
                 load_wide<WideFloat>(block.max[d] + lane) - frame.min[d]) *
                frame.scale;
      } else {
        for (int i = lane; i < lane + kWideLanes; ++i) {
          place[i - lane] =
              static_cast<float>((block.min[d][i] + block.max[d][i] - frame.min[d]) * frame.scale);
        }
      }
      const float limit = static_cast<float>(1 << frame.bits);
      // This is also false for NaN and infinite centres.
      const WideInt is_cell = (place >= 0.0f) & (place < limit);
      cells[d] = reinterpret_cast<WideUint>(__builtin_convertvector(
          reinterpret_cast<WideFloat>(reinterpret_cast<WideInt>(place) & is_cell), WideInt));
    }
    store_wide(keys + lane, hilbert_index<D>(cells, frame.bits));
  }
}

// A float bound that contains the double. It is always moved outwards by one step of rounding,
// needed or not, so that it also covers the rounding of `value` itself.
WIDEPHASE_INLINE float rounded_outwards(double value, float side) {
  const float rounded = static_cast<float>(value);
  const float size = rounded < 0 ? -rounded : rounded;
  const float widened = rounded + side * (size * kOutwards + kLeastNormal<float>);
  return size <= kLargest<float> ? widened : rounded;
}

// Fills a box that has a NaN or min > max with NaN, so that it meets nothing.
template <int D>
WIDEPHASE_INLINE void clear_invalid(float (&planes)[kRowFloats<D>][kTileLanes]) {
  for (int lane = 0; lane < kTileLanes; lane += kWideLanes) {
    WideInt is_valid =
        load_wide<WideFloat>(planes[0] + lane) <= load_wide<WideFloat>(planes[D] + lane);
    for (int d = 1; d < D; ++d) {
      is_valid &=
          load_wide<WideFloat>(planes[d] + lane) <= load_wide<WideFloat>(planes[D + d] + lane);
    }
    // All bits set is a NaN.
    for (int k = 0; k < 2 * D; ++k) {
      store_wide(planes[k] + lane, load_wide<WideInt>(planes[k] + lane) | ~is_valid);
    }
  }
}

// `row_at(i)` is where the row of lane i is stored.
template <int D, class RowAt>
WIDEPHASE_INLINE void store_rows(const float (&planes)[kRowFloats<D>][kTileLanes], std::size_t live,
                                 const RowAt& row_at) {
  if (live < kTileLanes) {
    for (std::size_t i = 0; i < live; ++i) {
      float* const row = row_at(i);
      for (int k = 0; k < kRowFloats<D>; ++k) row[k] = planes[k][i];
    }
    return;
  }
  for (int lane = 0; lane < kTileLanes; lane += 4) {
    for (int k = 0; k < kRowFloats<D>; k += 4) {
      Quad a = load_quad(planes[k] + lane);
      Quad b = load_quad(planes[k + 1] + lane);
      Quad c = load_quad(planes[k + 2] + lane);
      Quad d = load_quad(planes[k + 3] + lane);
      transpose(a, b, c, d);
      const std::size_t first = static_cast<std::size_t>(lane);
      store_quad(row_at(first) + k, a);
      store_quad(row_at(first + 1) + k, b);
      store_quad(row_at(first + 2) + k, c);
      store_quad(row_at(first + 3) + k, d);
    }
  }
}

// Rows are scattered over memory, so they are prefetched this far ahead. Rows to be read go to the
// second-level cache, which can wait for more lines at once than the first.
inline constexpr std::size_t kFetchAhead = 32 * kTileLanes;

template <int D, class T>
void make_rows(const BoxSource<D, T>& source, const KeyFrame<D, T>& frame, std::size_t begin,
               std::size_t end, const std::int32_t* slots, float* rows, T* exact,
               std::uint64_t* records) {
  BoxBlock<D, T> block;
  alignas(64) std::uint32_t keys[kTileLanes];
  alignas(64) float walked[kRowFloats<D>][kTileLanes] = {};
  for (std::size_t first = begin; first < end; first += kTileLanes) {
    const std::size_t live = end - first < kTileLanes ? end - first : kTileLanes;
    load_boxes(source, first, end, block);
    for (int d = 0; d < D; ++d) {
      for (int i = 0; i < kTileLanes; ++i) {
        if constexpr (sizeof(T) == 8) {
          const float min = rounded_outwards(block.min[d][i] - frame.origin[d], -1.0f);
          const float max = rounded_outwards(block.max[d][i] - frame.origin[d], 1.0f);
          // Compare before rounding, which may move a min that is too large below the max.
          walked[d][i] = block.min[d][i] <= block.max[d][i] ? min : __builtin_nanf("");
          walked[D + d][i] = max;
        }
      }
    }
    if constexpr (sizeof(T) == 4) {
      __builtin_memcpy(walked[0], block.min[0], sizeof block.min);
      __builtin_memcpy(walked[D], block.max[0], sizeof block.max);
    }
    clear_invalid<D>(walked);
    if (slots == nullptr) {
      store_rows<D>(walked, live,
                    [&](std::size_t i) { return rows + (first + i) * kRowFloats<D>; });
    } else {
      const auto row_at = [&](std::size_t i) {
        return rows + static_cast<std::size_t>(slots[i]) * kRowFloats<D>;
      };
      if (first + kFetchAhead + kTileLanes <= end) {
        for (std::size_t i = first; i < first + kTileLanes; ++i) {
          __builtin_prefetch(row_at(i + kFetchAhead), 1);
        }
      }
      store_rows<D>(walked, live, [&](std::size_t i) { return row_at(first + i); });
    }
    if (exact != nullptr) {
      T* number = exact + first * kExactNumbers<D>;
      for (std::size_t i = 0; i < live; ++i) {
        for (int d = 0; d < D; ++d) number[d] = block.min[d][i];
        for (int d = 0; d < D; ++d) number[D + d] = block.max[d][i];
        number += kExactNumbers<D>;
      }
    }
    if (records == nullptr) continue;
    keys_of(block, frame, keys);
    for (std::size_t i = 0; i < live; ++i) {
      records[first + i] = static_cast<std::uint64_t>(keys[i]) << 32 | (first + i);
    }
  }
}

// Loads the boxes of 16 records into a tile; lanes past the last are NaN.
template <int D>
WIDEPHASE_INLINE void gather_rows(const float* rows, const std::uint64_t* records, std::size_t live,
                                  float* tile) {
  if (live == kTileLanes) {
    for (int lane = 0; lane < kTileLanes; lane += 4) {
      const float* row[4];
      for (int i = 0; i < 4; ++i) {
        row[i] = rows + (records[lane + i] & 0xFFFFFFFFu) * kRowFloats<D>;
      }
      for (int k = 0; k < 2 * D; k += 4) {
        Quad a = load_quad(row[0] + k);
        Quad b = load_quad(row[1] + k);
        Quad c = load_quad(row[2] + k);
        Quad d = load_quad(row[3] + k);
        transpose(a, b, c, d);
        float* const to = tile + k * kTileLanes + lane;
        store_quad(to, a);
        store_quad(to + kTileLanes, b);
        if (k + 2 < 2 * D) {
          store_quad(to + 2 * kTileLanes, c);
          store_quad(to + 3 * kTileLanes, d);
        }
      }
    }
    return;
  }
  for (std::size_t i = 0; i < live; ++i) {
    const float* const row = rows + (records[i] & 0xFFFFFFFFu) * kRowFloats<D>;
    for (int k = 0; k < 2 * D; ++k) tile[k * kTileLanes + static_cast<int>(i)] = row[k];
  }
  for (std::size_t i = live; i < kTileLanes; ++i) {
    for (int k = 0; k < 2 * D; ++k) {
      tile[k * kTileLanes + static_cast<int>(i)] = __builtin_nanf("");
    }
  }
}

template <int D>
void row_range(const float* rows, const std::uint64_t* records, std::size_t count,
               CentreRange<D, float>& range) {
  RangeBlock<D, float> widest;
  BoxBlock<D, float> block;
  for (std::size_t first = 0; first < count; first += kTileLanes) {
    const std::size_t live = count - first < kTileLanes ? count - first : kTileLanes;
    gather_rows<D>(rows, records + first, live, block.min[0]);
    widest.widen(block);
  }
  widest.store(range);
}

template <int D>
void row_keys(const float* rows, const KeyFrame<D, float>& frame, std::uint64_t* records,
              std::size_t count) {
  BoxBlock<D, float> block;
  alignas(64) std::uint32_t keys[kTileLanes];
  for (std::size_t first = 0; first < count; first += kTileLanes) {
    const std::size_t live = count - first < kTileLanes ? count - first : kTileLanes;
    gather_rows<D>(rows, records + first, live, block.min[0]);
    keys_of(block, frame, keys);
    for (std::size_t i = 0; i < live; ++i) {
      const std::uint64_t row = records[first + i] & 0xFFFFFFFFu;
      records[first + i] = static_cast<std::uint64_t>(keys[i]) << 32 | row;
    }
  }
}

inline std::size_t find_run(const std::uint64_t* records, std::size_t begin, std::size_t end) {
  std::size_t i = begin;
  for (; i + 2 * kTileLanes <= end; i += kTileLanes) {
    std::uint64_t found = 0;
    for (int k = 0; k < kTileLanes; ++k) {
      found |= (records[i + k] >> 32) == (records[i + k + kTileLanes] >> 32) ? 1u : 0u;
    }
    if (found != 0) break;
  }
  for (; i + kTileLanes < end; ++i) {
    if (records[i] >> 32 == records[i + kTileLanes] >> 32) return i;
  }
  return end;
}

}  // namespace
}  // namespace widephase
