#pragma once

// Sanitizers check every copy of what is inlined: a kernel in one piece takes them minutes.
#if defined(WIDEPHASE_SANITIZED)
#define WIDEPHASE_INLINE inline
#else
#define WIDEPHASE_INLINE inline __attribute__((always_inline))
#endif
