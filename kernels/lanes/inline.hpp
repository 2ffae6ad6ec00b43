#pragma once

// Sanitizers instrument every inlined copy: a kernel in one piece would take them minutes.
#if defined(WIDEPHASE_SANITIZED)
#define WIDEPHASE_INLINE inline
#else
#define WIDEPHASE_INLINE inline __attribute__((always_inline))
#endif
