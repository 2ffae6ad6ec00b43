#pragma once

#include <cstddef>

namespace widephase::test {

/// An executor's for_each: runs all indices on the calling thread, the last one first.
inline void run_backwards(void*, std::size_t count, void (*function)(std::size_t, void*),
                          void* context) {
  for (std::size_t i = count; i-- > 0;) function(i, context);
}

}  // namespace widephase::test
