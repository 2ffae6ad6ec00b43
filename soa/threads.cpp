#include "soa/threads.hpp"

#include <algorithm>
#include <atomic>
#include <exception>

#include <widephase/types.hpp>

#include "soa/number_text.hpp"

#ifdef WIDEPHASE_STD_THREADS
#include <thread>
#include <vector>
#else
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace widephase {

namespace {

/// Chunks on threads that must not meet exceptions. Only the first exception is kept, and chunks
/// that begin after it do nothing.
class Chunks {
 public:
  Chunks(void (*function)(std::size_t index, void* context), void* context)
      : function_(function), context_(context) {}

  void run(std::size_t index) noexcept {
    if (has_failed_.load(std::memory_order_relaxed)) return;
    try {
      function_(index, context_);
    } catch (...) {
      if (!has_failed_.exchange(true)) failure_ = std::current_exception();
    }
  }
  /// Once all threads are done.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void (*function_)(std::size_t index, void* context);
  void* context_;
  std::atomic<bool> has_failed_{false};
  std::exception_ptr failure_;
};

void run_on(const Executor& executor, std::size_t count,
            void (*function)(std::size_t index, void* context), void* context) {
  Chunks chunks(function, context);
  executor.for_each(
      executor.self, count,
      [](std::size_t index, void* all) { static_cast<Chunks*>(all)->run(index); }, &chunks);
  chunks.rethrow();
}

}  // namespace

void require_threads(const Threads& threads) {
  if (threads.count < 0) {
    throw Error(Finding{
        "threads.count", -1,
        "is " + number(threads.count) + "; it must be 0, for all of the arena's threads, or more"});
  }
  if (threads.executor.for_each != nullptr && threads.executor.threads < 1) {
    throw Error(Finding{"threads.executor.threads", -1,
                        "is " + number(threads.executor.threads) + "; it must be 1 or more"});
  }
}

#ifdef WIDEPHASE_STD_THREADS

int thread_count(const Threads& threads) {
  require_threads(threads);
  if (threads.executor.for_each != nullptr) return threads.executor.threads;
  if (threads.count > 0) return threads.count;
  const int hardware = static_cast<int>(std::thread::hardware_concurrency());
  return hardware > 0 ? hardware : 1;
}

void run_chunks(const Threads& threads, std::size_t count,
                void (*function)(std::size_t index, void* context), void* context) {
  if (threads.executor.for_each != nullptr) {
    run_on(threads.executor, count, function, context);
    return;
  }
  Chunks chunks(function, context);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) chunks.run(i);
  };
  std::vector<std::thread> helpers;
  try {
    for (int t = 1; t < thread_count(threads); ++t) helpers.emplace_back(work);
  } catch (...) {
    // The threads that started do all the work.
  }
  work();
  for (std::thread& helper : helpers) helper.join();
  chunks.rethrow();
}

void run_isolated(const Threads&, void (*function)(void* context), void* context) {
  function(context);
}

#else

int thread_count(const Threads& threads) {
  require_threads(threads);
  if (threads.executor.for_each != nullptr) return threads.executor.threads;
  return threads.count > 0 ? threads.count : tbb::this_task_arena::max_concurrency();
}

void run_chunks(const Threads& threads, std::size_t count,
                void (*function)(std::size_t index, void* context), void* context) {
  if (threads.executor.for_each != nullptr) {
    run_on(threads.executor, count, function, context);
    return;
  }
  const auto loop = [&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i != range.end(); ++i) function(i, context);
        },
        tbb::simple_partitioner());
  };
  if (threads.count <= 0 || threads.count == tbb::this_task_arena::max_concurrency()) {
    loop();
  } else if (threads.count <= tbb::info::default_concurrency()) {
    tbb::task_arena(threads.count).execute(loop);
  } else {
    // If more threads than cores are asked for, oneTBB starts them only with a higher limit.
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads.count));
    tbb::task_arena(threads.count).execute(loop);
  }
}

void run_isolated(const Threads& threads, void (*function)(void* context), void* context) {
  if (threads.executor.for_each != nullptr || threads.count == 1) {
    function(context);
  } else {
    tbb::this_task_arena::isolate([&] { function(context); });
  }
}

#endif

}  // namespace widephase
