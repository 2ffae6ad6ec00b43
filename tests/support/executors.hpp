#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>
#include <widephase/executor.hpp>

namespace widephase::test {

/// Besides one thread: even and odd numbers, fewer and more than the machine has.
inline constexpr int kThreadCounts[] = {2, 3, 8};

/// An executor's for_each that runs all indices on the calling thread, the last one first.
inline void run_backwards(void*, std::size_t count, void (*function)(std::size_t, void*),
                          void* context) {
  for (std::size_t i = count; i-- > 0;) function(i, context);
}

/// The caller's own threads, which take indices as they come.
struct OwnThreads {
  int count;
  std::atomic<int> calls{0};

  static void for_each(void* self, std::size_t count,
                       void (*function)(std::size_t index, void* context), void* context) {
    auto& own = *static_cast<OwnThreads*>(self);
    ++own.calls;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < count; i = next++) function(i, context);
    };
    std::vector<std::thread> threads;
    for (int i = 1; i < own.count; ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
  }
};

/// The caller's arena; one thread; several threads; one thread that acts as many and runs
/// backwards; and the caller's own threads.
inline std::vector<Threads> all_threads(OwnThreads& own) {
  std::vector<Threads> all{{0, {}}, {1, {}}};
  for (const int count : kThreadCounts) all.push_back({count, {}});
  all.push_back({0, {run_backwards, nullptr, 3}});
  all.push_back({0, {&OwnThreads::for_each, &own, own.count}});
  return all;
}

}  // namespace widephase::test
