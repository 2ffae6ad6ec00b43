#pragma once

#include "soa/threads.hpp"

namespace widephase {

/// Boxes that are worth a chunk in a streaming step.
inline constexpr std::size_t kBoxGrain = 8192;

/// The threads of one step. Chunks depend on counts alone and results are joined in the order of
/// the chunks, so that answers do not depend on who ran them.
struct Crew {
  const Threads* threads = nullptr;
  int size = 1;

  /// The number of chunks for `count` items, of which `grain` are worth a chunk.
  std::size_t chunk_count(std::size_t count, std::size_t grain) const {
    if (size <= 1 || count < 2 * grain) return 1;
    const std::size_t most = static_cast<std::size_t>(size) * 4;
    const std::size_t worth = count / grain;
    return worth < most ? worth : most;
  }

  template <class Body>
  void run(std::size_t chunks, const Body& body) const {
    if (chunks == 1) {
      body(std::size_t{0});
    } else {
      for_chunks(*threads, chunks, body);
    }
  }

  /// body(chunk, begin, end) over [0, count); chunks begin at multiples of `unit`.
  template <class Body>
  void run_ranges(std::size_t count, std::size_t chunks, std::size_t unit, const Body& body) const {
    run(chunks, [&](std::size_t chunk) {
      const std::size_t begin = boundary(count, chunks, unit, chunk);
      const std::size_t end = boundary(count, chunks, unit, chunk + 1);
      if (begin < end) body(chunk, begin, end);
    });
  }

  static std::size_t boundary(std::size_t count, std::size_t chunks, std::size_t unit,
                              std::size_t chunk) {
    if (chunk == chunks) return count;
    const std::size_t units = (count + unit - 1) / unit;
    const std::size_t begin = units * chunk / chunks * unit;
    return begin < count ? begin : count;
  }
};

}  // namespace widephase
