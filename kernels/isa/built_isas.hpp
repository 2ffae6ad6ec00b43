#pragma once

// The instruction sets of this build, for the sources that the build defines WIDEPHASE_BUILT_* for.

#include <string>

#include <widephase/isa.hpp>
#include <widephase/types.hpp>

// Every one, narrowest first: X(name, whether the CPU has it, ...).
#ifdef WIDEPHASE_BUILT_scalar
#define WIDEPHASE_IF_SCALAR(X, ...) X(scalar, true, __VA_ARGS__)
#else
#define WIDEPHASE_IF_SCALAR(X, ...)
#endif
#ifdef WIDEPHASE_BUILT_sse2
#define WIDEPHASE_IF_SSE2(X, ...) X(sse2, __builtin_cpu_supports("sse2"), __VA_ARGS__)
#else
#define WIDEPHASE_IF_SSE2(X, ...)
#endif
#ifdef WIDEPHASE_BUILT_avx2
#define WIDEPHASE_IF_AVX2(X, ...) X(avx2, __builtin_cpu_supports("avx2"), __VA_ARGS__)
#else
#define WIDEPHASE_IF_AVX2(X, ...)
#endif
#ifdef WIDEPHASE_BUILT_avx512
#define WIDEPHASE_IF_AVX512(X, ...)                                                 \
  X(avx512,                                                                         \
    __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&      \
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && \
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi") &&      \
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt"),          \
    __VA_ARGS__)
#else
#define WIDEPHASE_IF_AVX512(X, ...)
#endif
#ifdef WIDEPHASE_BUILT_neon64
#define WIDEPHASE_IF_NEON64(X, ...) X(neon64, true, __VA_ARGS__)
#else
#define WIDEPHASE_IF_NEON64(X, ...)
#endif
#define WIDEPHASE_FOR_EACH_BUILT_ISA(X, ...) \
  WIDEPHASE_IF_SCALAR(X, __VA_ARGS__)        \
  WIDEPHASE_IF_SSE2(X, __VA_ARGS__)          \
  WIDEPHASE_IF_AVX2(X, __VA_ARGS__)          \
  WIDEPHASE_IF_AVX512(X, __VA_ARGS__)        \
  WIDEPHASE_IF_NEON64(X, __VA_ARGS__)

// Each set has an object of its own, whose tables are named begin##set##end.
#define WIDEPHASE_DECLARE_TABLE(isa, is_supported, begin, end, ...) \
  extern const __VA_ARGS__ begin##isa##end;
#define WIDEPHASE_TABLE_OF_EACH_ISA(begin, end, ...) \
  WIDEPHASE_FOR_EACH_BUILT_ISA(WIDEPHASE_DECLARE_TABLE, begin, end, __VA_ARGS__)
#define WIDEPHASE_CASE_OF_TABLE(isa, is_supported, begin, end) \
  case Isa::isa:                                               \
    return begin##isa##end;
/// The statements of a function that returns the table of the set `wanted`.
#define WIDEPHASE_RETURN_TABLE(begin, end)                                            \
  switch (wanted) {                                                                   \
    WIDEPHASE_FOR_EACH_BUILT_ISA(WIDEPHASE_CASE_OF_TABLE, begin, end)                 \
    default:                                                                          \
      throw Error("no kernels for instruction set " + std::string(isa_name(wanted))); \
  }
