#pragma once

#include <cstddef>

namespace widephase {

/// The caller's own threads. `for_each` must call `function(index, context)` once for each index
/// below `count`, on any threads, and return when all are done. A call takes at most 64 KiB of a
/// thread's stack (docs/conventions.md, Threads).
struct Executor {
  /// Runs all indices as described above; null leaves them to oneTBB. `self` is the member below.
  void (*for_each)(void* self, std::size_t count,
                   void (*function)(std::size_t index, void* context), void* context) = nullptr;
  void* self = nullptr;  ///< passed to `for_each`: the caller's own, such as a thread pool
  int threads = 1;       ///< how many run at once, 1 or more, to size the chunks
};

/// Who runs the chunks of a call. The answers do not depend on it.
struct Threads {
  /// 1: the calling thread alone. 0: the oneTBB arena of the caller. n: n threads. Below 0: an
  /// `Error`.
  int count = 0;
  /// Used in place of oneTBB when its `for_each` is set.
  Executor executor;
};

}  // namespace widephase
