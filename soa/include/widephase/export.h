#pragma once

// For C too: what a shared library shows. Everything without this mark is hidden in it.
#ifdef __GNUC__
#define WIDEPHASE_API __attribute__((visibility("default")))
#else
#define WIDEPHASE_API
#endif
