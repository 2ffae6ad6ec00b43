#pragma once

// Counts every call of the global operator new and can make one fail. A program of several files
// includes this once. The thread sanitizer keeps its own operator new: tests that count are skipped
// there.

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_THREAD__)
#define WIDEPHASE_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#define WIDEPHASE_COUNTS_ALLOCATIONS !__has_feature(thread_sanitizer)
#else
#define WIDEPHASE_COUNTS_ALLOCATIONS 1
#endif

namespace {

std::atomic<long> allocation_count{0};
/// The allocation with this number fails.
std::atomic<long> failing_allocation{-1};
/// Larger ones fail.
std::atomic<std::size_t> largest_allocation{~std::size_t{0}};

#if WIDEPHASE_COUNTS_ALLOCATIONS
void* allocate(std::size_t size, std::size_t alignment) {
  if (++allocation_count == failing_allocation || size > largest_allocation) throw std::bad_alloc();
  void* memory = nullptr;
  if (alignment <= alignof(std::max_align_t)) {
    memory = std::malloc(size == 0 ? 1 : size);
  } else if (posix_memalign(&memory, alignment, size == 0 ? 1 : size) != 0) {
    memory = nullptr;
  }
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
#endif

}  // namespace

#if WIDEPHASE_COUNTS_ALLOCATIONS
// The array and nothrow forms of the standard library call these. Not inlined: otherwise g++ would
// see memory of malloc being deleted, and warn.
[[gnu::noinline]] void* operator new(std::size_t size) { return allocate(size, 0); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
#endif

namespace widephase::test {

/// Whether allocations are counted in this build.
constexpr bool kCountsAllocations = WIDEPHASE_COUNTS_ALLOCATIONS;

/// The number of allocations during `run`.
template <class Run>
long count_allocations(Run&& run) {
  const long before = allocation_count;
  run();
  return allocation_count - before;
}

/// Lets allocation `n` (1, 2, ...) of `run` fail, counted over all threads. Returns whether there
/// were that many. Later allocations succeed.
template <class Run>
bool fail_allocation(long n, Run&& run) {
  failing_allocation = allocation_count + n;
  try {
    run();
  } catch (const std::bad_alloc&) {
  }
  const bool has_failed = allocation_count >= failing_allocation;
  failing_allocation = -1;
  return has_failed;
}

}  // namespace widephase::test
