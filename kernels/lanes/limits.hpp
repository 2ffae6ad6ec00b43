#pragma once

namespace widephase {
namespace {

template <class T>
inline constexpr T kLargest = static_cast<T>(sizeof(T) == 4 ? __FLT_MAX__ : __DBL_MAX__);
template <class T>
inline constexpr T kLeastNormal = static_cast<T>(sizeof(T) == 4 ? __FLT_MIN__ : __DBL_MIN__);
template <class T>
inline constexpr T kInfinite = static_cast<T>(__builtin_huge_val());
template <class T>
inline constexpr T kNoNumber = static_cast<T>(__builtin_nan(""));

}  // namespace
}  // namespace widephase
