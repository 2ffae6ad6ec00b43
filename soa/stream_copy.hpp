#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace widephase {

/// Copies past the caches, for arrays too large to be found there later. Ordinary writes would read
/// their lines first. `end_stream_copies` must follow on the same thread.
inline void stream_copy(void* to, const void* from, std::size_t bytes) {
#if defined(__SSE2__)
  auto* target = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  const std::size_t to_line = (64 - reinterpret_cast<std::uintptr_t>(target) % 64) % 64;
  const std::size_t head = to_line < bytes ? to_line : bytes;
  std::memcpy(target, source, head);
  std::size_t at = head;
  for (; at + 64 <= bytes; at += 64) {
    const auto* const line = reinterpret_cast<const __m128i*>(source + at);
    auto* const target_line = reinterpret_cast<__m128i*>(target + at);
    const __m128i a = _mm_loadu_si128(line), b = _mm_loadu_si128(line + 1);
    const __m128i c = _mm_loadu_si128(line + 2), d = _mm_loadu_si128(line + 3);
    _mm_stream_si128(target_line, a);
    _mm_stream_si128(target_line + 1, b);
    _mm_stream_si128(target_line + 2, c);
    _mm_stream_si128(target_line + 3, d);
  }
  std::memcpy(target + at, source + at, bytes - at);
#else
  std::memcpy(to, from, bytes);
#endif
}

/// Makes the copies of this thread visible to threads that see its later writes.
inline void end_stream_copies() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace widephase
