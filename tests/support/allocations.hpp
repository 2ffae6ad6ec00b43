#pragma once

// Counts every call of the global operator new, and lets one of them fail: a program of several
// files includes it once.

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> allocation_count{0};
std::atomic<long> failing_allocation{-1};  // the count that throws; -1: none

void* allocate(std::size_t size, std::size_t alignment) {
  if (++allocation_count == failing_allocation) throw std::bad_alloc();
  void* memory = nullptr;
  if (alignment <= alignof(std::max_align_t)) {
    memory = std::malloc(size == 0 ? 1 : size);
  } else if (posix_memalign(&memory, alignment, size == 0 ? 1 : size) != 0) {
    memory = nullptr;
  }
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// The array and nothrow forms of the standard library call these. Not inlined: g++ would then see
// malloc's memory deleted, and warn.
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

namespace widephase::test {

/// Allocations during `run`.
template <class Run>
long count_allocations(Run&& run) {
  const long before = allocation_count;
  run();
  return allocation_count - before;
}

/// Whether `run` ends in `std::bad_alloc` when its allocation `failing`, counted from 1 and over
/// all threads, fails. That one alone does: what then runs has memory.
template <class Run>
bool fails_without_allocation(long failing, Run&& run) {
  bool has_failed = false;
  failing_allocation = allocation_count + failing;
  try {
    run();
  } catch (const std::bad_alloc&) {
    has_failed = true;
  }
  failing_allocation = -1;
  return has_failed;
}

}  // namespace widephase::test
