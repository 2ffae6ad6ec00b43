#pragma once

// What the standard library of emscripten 3.1 lacks of what the library uses. Read before every
// source of the lab's WebAssembly; newer ones have it themselves.

#include <atomic>
#include <bit>
#include <charconv>
#include <cstdio>
#include <memory>
#include <type_traits>
#include <utility>
#include <version>

#if defined(__EMSCRIPTEN__) && !defined(__cpp_lib_bit_cast)
namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif

#if defined(__EMSCRIPTEN__) && !defined(__cpp_lib_smart_ptr_for_overwrite)
namespace std {
template <class Array>
unique_ptr<Array> make_unique_for_overwrite(size_t count) {
  return unique_ptr<Array>(new remove_extent_t<Array>[count]);
}
}  // namespace std
#endif

#if defined(__EMSCRIPTEN__) && (!defined(_LIBCPP_VERSION) || _LIBCPP_VERSION < 14000)
namespace std {
/// For texts of errors alone: digits enough to read back, not the fewest.
inline to_chars_result to_chars(char* first, char* last, double value) {
  const int length = snprintf(first, static_cast<size_t>(last - first), "%.9g", value);
  return {first + length, errc{}};
}
}  // namespace std
#endif

#if defined(__EMSCRIPTEN__) && !defined(__cpp_lib_atomic_ref)
namespace std {
/// The lab has one thread.
template <class T>
class atomic_ref {
 public:
  explicit atomic_ref(T& value) : value_(&value) {}
  T load(memory_order) const { return *value_; }
  void store(T value, memory_order) const { *value_ = value; }
  T exchange(T value, memory_order) const { return std::exchange(*value_, value); }

 private:
  T* value_;
};
}  // namespace std
#endif
