#pragma once

#include <widephase/executor.hpp>

namespace widephase {

/// Throws `Error` for a count of threads below 0.
void require_threads(const Threads& threads);

/// How many threads a call with these options runs on. Throws as `require_threads`.
int thread_count(const Threads& threads);

/// Calls `function(index, context)` once for each index below `count`: inline on one thread, else
/// on the caller's executor or on oneTBB. Returns when all are done.
void run_chunks(const Threads& threads, std::size_t count,
                void (*function)(std::size_t index, void* context), void* context);

/// Calls the caller's `function(context)` on a thread that works in `run_chunks`. If it waits for
/// threads of its own, oneTBB gives this thread no other chunk of ours meanwhile.
void run_isolated(const Threads& threads, void (*function)(void* context), void* context);

template <class Body>
void run_isolated(const Threads& threads, const Body& body) {
  run_isolated(
      threads, [](void* context) { (*static_cast<const Body*>(context))(); },
      const_cast<Body*>(&body));
}

/// The only place where the library uses threads: `body(chunk)` for each chunk below `count`.
template <class Body>
void for_chunks(const Threads& threads, std::size_t count, const Body& body) {
  if (count <= 1 || (threads.count == 1 && threads.executor.for_each == nullptr)) {
    for (std::size_t chunk = 0; chunk < count; ++chunk) body(chunk);
    return;
  }
  run_chunks(
      threads, count,
      [](std::size_t chunk, void* context) { (*static_cast<const Body*>(context))(chunk); },
      const_cast<Body*>(&body));
}

}  // namespace widephase
