#pragma once

#include <cstdint>
#include <cstring>

#include <widephase/columns.hpp>

namespace widephase {

/// FNV-1a over 64-bit words (Fowler, Noll, Vo); each array contributes its length and the bytes of
/// its rows.
class Hasher {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3u; }

  template <class T>
  void add_plane(const T* values, std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    add(bytes);
    const char* data = reinterpret_cast<const char*>(values);
    std::size_t at = 0;
    for (; at + 8 <= bytes; at += 8) {
      std::uint64_t word;
      std::memcpy(&word, data + at, 8);
      add(word);
    }
    if (at < bytes) {
      std::uint64_t word = 0;
      std::memcpy(&word, data + at, bytes - at);
      add(word);
    }
  }

  template <class T, int W>
  void add_column(const Column<T, W>& column) {
    for (int w = 0; w < W; ++w) add_plane(column.plane(w), column.size());
  }

  std::uint64_t value() const {
    // FNV's low bits depend on every word, its high ones only on the early words: mix once
    // (Stafford 13).
    std::uint64_t x = value_;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace widephase
