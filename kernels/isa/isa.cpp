#include <widephase/isa.hpp>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include <widephase/types.hpp>

#include "kernels/cast_table.hpp"
#include "kernels/isa/widest_of.hpp"
#include "kernels/nearest_table.hpp"
#include "kernels/ray_table.hpp"
#include "kernels/robot_table.hpp"
#include "kernels/surface_table.hpp"
#include "kernels/table.hpp"

// Every instruction set of this build, narrowest first: its name, and whether the CPU has it.
#ifdef WIDEPHASE_BUILT_scalar
#define WIDEPHASE_IF_SCALAR(X) X(scalar, true)
#else
#define WIDEPHASE_IF_SCALAR(X)
#endif
#ifdef WIDEPHASE_BUILT_sse2
#define WIDEPHASE_IF_SSE2(X) X(sse2, __builtin_cpu_supports("sse2"))
#else
#define WIDEPHASE_IF_SSE2(X)
#endif
#ifdef WIDEPHASE_BUILT_avx2
#define WIDEPHASE_IF_AVX2(X) X(avx2, __builtin_cpu_supports("avx2"))
#else
#define WIDEPHASE_IF_AVX2(X)
#endif
#ifdef WIDEPHASE_BUILT_avx512
#define WIDEPHASE_IF_AVX512(X)                                                              \
  X(avx512, __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&      \
                __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && \
                __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi") &&      \
                __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt"))
#else
#define WIDEPHASE_IF_AVX512(X)
#endif
#ifdef WIDEPHASE_BUILT_neon64
#define WIDEPHASE_IF_NEON64(X) X(neon64, true)
#else
#define WIDEPHASE_IF_NEON64(X)
#endif
#define WIDEPHASE_FOR_EACH_BUILT_ISA(X) \
  WIDEPHASE_IF_SCALAR(X)                \
  WIDEPHASE_IF_SSE2(X)                  \
  WIDEPHASE_IF_AVX2(X)                  \
  WIDEPHASE_IF_AVX512(X)                \
  WIDEPHASE_IF_NEON64(X)

namespace widephase {

#define WIDEPHASE_DECLARE(isa, is_supported)                                  \
  extern const KernelTable<2, float> kernel_table_##isa##_2_float;            \
  extern const KernelTable<2, double> kernel_table_##isa##_2_double;          \
  extern const KernelTable<3, float> kernel_table_##isa##_3_float;            \
  extern const KernelTable<3, double> kernel_table_##isa##_3_double;          \
  extern const SurfaceTable<float> surface_kernel_table_##isa##_float;        \
  extern const SurfaceTable<double> surface_kernel_table_##isa##_double;      \
  extern const SurfaceTable<float, 2> chain_kernel_table_##isa##_float;       \
  extern const SurfaceTable<double, 2> chain_kernel_table_##isa##_double;     \
  extern const RayTables<2, float> ray_kernel_table_##isa##_2_float;          \
  extern const RayTables<2, double> ray_kernel_table_##isa##_2_double;        \
  extern const RayTables<3, float> ray_kernel_table_##isa##_3_float;          \
  extern const RayTables<3, double> ray_kernel_table_##isa##_3_double;        \
  extern const NearestTable<2, float> nearest_kernel_table_##isa##_2_float;   \
  extern const NearestTable<2, double> nearest_kernel_table_##isa##_2_double; \
  extern const NearestTable<3, float> nearest_kernel_table_##isa##_3_float;   \
  extern const NearestTable<3, double> nearest_kernel_table_##isa##_3_double; \
  extern const CastTables<2, float> cast_kernel_table_##isa##_2_float;        \
  extern const CastTables<2, double> cast_kernel_table_##isa##_2_double;      \
  extern const CastTables<3, float> cast_kernel_table_##isa##_3_float;        \
  extern const CastTables<3, double> cast_kernel_table_##isa##_3_double;      \
  extern const RobotTable robot_kernel_table_##isa;
WIDEPHASE_FOR_EACH_BUILT_ISA(WIDEPHASE_DECLARE)
#undef WIDEPHASE_DECLARE

#define WIDEPHASE_TABLES(D, T)                                                          \
  template <>                                                                           \
  const KernelTable<D, T>& kernel_table<D, T>(Isa wanted) {                             \
    switch (wanted) {                                                                   \
      WIDEPHASE_FOR_EACH_BUILT_ISA(WIDEPHASE_CASE_##D##_##T)                            \
      default:                                                                          \
        throw Error("no kernels for instruction set " + std::string(isa_name(wanted))); \
    }                                                                                   \
  }
#define WIDEPHASE_CASE_2_float(isa, is_supported) \
  case Isa::isa:                                  \
    return kernel_table_##isa##_2_float;
#define WIDEPHASE_CASE_2_double(isa, is_supported) \
  case Isa::isa:                                   \
    return kernel_table_##isa##_2_double;
#define WIDEPHASE_CASE_3_float(isa, is_supported) \
  case Isa::isa:                                  \
    return kernel_table_##isa##_3_float;
#define WIDEPHASE_CASE_3_double(isa, is_supported) \
  case Isa::isa:                                   \
    return kernel_table_##isa##_3_double;
WIDEPHASE_TABLES(2, float)
WIDEPHASE_TABLES(2, double)
WIDEPHASE_TABLES(3, float)
WIDEPHASE_TABLES(3, double)

#define WIDEPHASE_SURFACE_TABLES(D, T)                                                  \
  template <>                                                                           \
  const SurfaceTable<T, D>& surface_table<T, D>(Isa wanted) {                           \
    switch (wanted) {                                                                   \
      WIDEPHASE_FOR_EACH_BUILT_ISA(WIDEPHASE_SURFACE_CASE_##D##_##T)                    \
      default:                                                                          \
        throw Error("no kernels for instruction set " + std::string(isa_name(wanted))); \
    }                                                                                   \
  }
#define WIDEPHASE_SURFACE_CASE_2_float(isa, is_supported) \
  case Isa::isa:                                          \
    return chain_kernel_table_##isa##_float;
#define WIDEPHASE_SURFACE_CASE_2_double(isa, is_supported) \
  case Isa::isa:                                           \
    return chain_kernel_table_##isa##_double;
#define WIDEPHASE_SURFACE_CASE_3_float(isa, is_supported) \
  case Isa::isa:                                          \
    return surface_kernel_table_##isa##_float;
#define WIDEPHASE_SURFACE_CASE_3_double(isa, is_supported) \
  case Isa::isa:                                           \
    return surface_kernel_table_##isa##_double;
WIDEPHASE_SURFACE_TABLES(2, float)
WIDEPHASE_SURFACE_TABLES(2, double)
WIDEPHASE_SURFACE_TABLES(3, float)
WIDEPHASE_SURFACE_TABLES(3, double)

// The tables of rays and of casts, and in which object they are.
#define WIDEPHASE_QUESTION_TABLES(Table, word, D, T)                                    \
  template <>                                                                           \
  const Table<D, T>& word##_table<D, T>(Isa wanted) {                                   \
    switch (wanted) {                                                                   \
      WIDEPHASE_FOR_EACH_BUILT_ISA(WIDEPHASE_CASE_##word##_##D##_##T)                   \
      default:                                                                          \
        throw Error("no kernels for instruction set " + std::string(isa_name(wanted))); \
    }                                                                                   \
  }
#define WIDEPHASE_QUESTION_CASE(word, isa, object, member) \
  case Isa::isa:                                           \
    return word##_kernel_table_##isa##_##object.member;
#define WIDEPHASE_CASE_ray_2_float(isa, is_supported) \
  WIDEPHASE_QUESTION_CASE(ray, isa, 2_float, plain)
#define WIDEPHASE_CASE_ray_2_double(isa, is_supported) \
  WIDEPHASE_QUESTION_CASE(ray, isa, 2_double, plain)
#define WIDEPHASE_CASE_ray_2_Mixed(isa, is_supported) \
  WIDEPHASE_QUESTION_CASE(ray, isa, 2_double, mixed)
#define WIDEPHASE_CASE_ray_3_float(isa, is_supported) \
  WIDEPHASE_QUESTION_CASE(ray, isa, 3_float, plain)
#define WIDEPHASE_CASE_ray_3_double(isa, is_supported) \
  WIDEPHASE_QUESTION_CASE(ray, isa, 3_double, plain)
#define WIDEPHASE_CASE_ray_3_Mixed(isa, is_supported) \
  WIDEPHASE_QUESTION_CASE(ray, isa, 3_double, mixed)
#define WIDEPHASE_CASE_cast_2_float(isa, is_supported) \
  WIDEPHASE_QUESTION_CASE(cast, isa, 2_float, plain)
#define WIDEPHASE_CASE_cast_2_double(isa, is_supported) \
  WIDEPHASE_QUESTION_CASE(cast, isa, 2_double, plain)
#define WIDEPHASE_CASE_cast_2_Mixed(isa, is_supported) \
  WIDEPHASE_QUESTION_CASE(cast, isa, 2_double, mixed)
#define WIDEPHASE_CASE_cast_3_float(isa, is_supported) \
  WIDEPHASE_QUESTION_CASE(cast, isa, 3_float, plain)
#define WIDEPHASE_CASE_cast_3_double(isa, is_supported) \
  WIDEPHASE_QUESTION_CASE(cast, isa, 3_double, plain)
#define WIDEPHASE_CASE_cast_3_Mixed(isa, is_supported) \
  WIDEPHASE_QUESTION_CASE(cast, isa, 3_double, mixed)
WIDEPHASE_QUESTION_TABLES(RayTable, ray, 2, float)
WIDEPHASE_QUESTION_TABLES(RayTable, ray, 2, double)
WIDEPHASE_QUESTION_TABLES(RayTable, ray, 2, Mixed)
WIDEPHASE_QUESTION_TABLES(RayTable, ray, 3, float)
WIDEPHASE_QUESTION_TABLES(RayTable, ray, 3, double)
WIDEPHASE_QUESTION_TABLES(RayTable, ray, 3, Mixed)
WIDEPHASE_QUESTION_TABLES(CastTable, cast, 2, float)
WIDEPHASE_QUESTION_TABLES(CastTable, cast, 2, double)
WIDEPHASE_QUESTION_TABLES(CastTable, cast, 2, Mixed)
WIDEPHASE_QUESTION_TABLES(CastTable, cast, 3, float)
WIDEPHASE_QUESTION_TABLES(CastTable, cast, 3, double)
WIDEPHASE_QUESTION_TABLES(CastTable, cast, 3, Mixed)

#define WIDEPHASE_NEAREST_TABLES(D, P)                                                  \
  template <>                                                                           \
  const NearestTable<D, P>& nearest_table<D, P>(Isa wanted) {                           \
    switch (wanted) {                                                                   \
      WIDEPHASE_FOR_EACH_BUILT_ISA(WIDEPHASE_NEAREST_CASE_##D##_##P)                    \
      default:                                                                          \
        throw Error("no kernels for instruction set " + std::string(isa_name(wanted))); \
    }                                                                                   \
  }
#define WIDEPHASE_NEAREST_CASE_2_float(isa, is_supported) \
  case Isa::isa:                                          \
    return nearest_kernel_table_##isa##_2_float;
#define WIDEPHASE_NEAREST_CASE_2_double(isa, is_supported) \
  case Isa::isa:                                           \
    return nearest_kernel_table_##isa##_2_double;
#define WIDEPHASE_NEAREST_CASE_3_float(isa, is_supported) \
  case Isa::isa:                                          \
    return nearest_kernel_table_##isa##_3_float;
#define WIDEPHASE_NEAREST_CASE_3_double(isa, is_supported) \
  case Isa::isa:                                           \
    return nearest_kernel_table_##isa##_3_double;
WIDEPHASE_NEAREST_TABLES(2, float)
WIDEPHASE_NEAREST_TABLES(2, double)
WIDEPHASE_NEAREST_TABLES(3, float)
WIDEPHASE_NEAREST_TABLES(3, double)

const RobotTable& robot_table(Isa wanted) {
  switch (wanted) {
#define WIDEPHASE_ROBOT_CASE(isa, is_supported) \
  case Isa::isa:                                \
    return robot_kernel_table_##isa;
    WIDEPHASE_FOR_EACH_BUILT_ISA(WIDEPHASE_ROBOT_CASE)
#undef WIDEPHASE_ROBOT_CASE
    default:
      throw Error("no kernels for instruction set " + std::string(isa_name(wanted)));
  }
}

namespace {

constexpr std::array<std::string_view, 6> kIsaNames{"widest", "scalar", "sse2",
                                                    "avx2",   "avx512", "neon64"};

#define WIDEPHASE_LIST(isa, is_supported) Isa::isa,
constexpr Isa kBuiltIsas[] = {WIDEPHASE_FOR_EACH_BUILT_ISA(WIDEPHASE_LIST)};
#undef WIDEPHASE_LIST

bool is_built(Isa isa) {
  for (const Isa built : kBuiltIsas) {
    if (built == isa) return true;
  }
  return false;
}

}  // namespace

std::string_view isa_name(Isa isa) { return kIsaNames[static_cast<std::size_t>(isa)]; }

Isa isa_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kIsaNames.size(); ++i) {
    if (kIsaNames[i] == name) return static_cast<Isa>(i);
  }
  throw Error("unknown instruction set '" + std::string(name) + "'; this build has " +
              names_of(kBuiltIsas));
}

std::span<const Isa> built_isas() { return kBuiltIsas; }

bool cpu_has(Isa isa) {
#define WIDEPHASE_SUPPORTED(name, is_supported) \
  if (isa == Isa::name) return is_supported;
  WIDEPHASE_FOR_EACH_BUILT_ISA(WIDEPHASE_SUPPORTED)
#undef WIDEPHASE_SUPPORTED
  return false;
}

Isa chosen_isa(Isa isa) {
  if (isa == Isa::widest) {
    const char* forced = std::getenv("WIDEPHASE_ISA");
    if (forced != nullptr && *forced != '\0') isa = isa_from_name(forced);
  }
  if (isa == Isa::widest) return widest_of(kBuiltIsas);
  if (!is_built(isa)) {
    throw Error("instruction set " + std::string(isa_name(isa)) +
                " is not in this build, which has " + names_of(kBuiltIsas));
  }
  if (!cpu_has(isa)) {
    throw Error("this CPU lacks instruction set " + std::string(isa_name(isa)) +
                "; choose another of " + names_of(kBuiltIsas));
  }
  return isa;
}

}  // namespace widephase
