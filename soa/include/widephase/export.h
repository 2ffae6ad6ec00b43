#pragma once

/// \file
/// What a shared library shows, for C too.

/// \def WIDEPHASE_API
/// Everything without this mark is hidden in a shared library.
#ifdef __GNUC__
#define WIDEPHASE_API __attribute__((visibility("default")))
#else
#define WIDEPHASE_API
#endif
