#pragma once

// For C too: the version, and which names a shared library shows.

#define WIDEPHASE_VERSION "0.1.0"

// Only what a public header declares in a namespace or function with this mark can be linked from
// a shared library.
#if defined(__GNUC__)
#define WIDEPHASE_API __attribute__((visibility("default")))
#else
#define WIDEPHASE_API
#endif
