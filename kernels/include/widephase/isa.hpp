#pragma once

#include <span>
#include <string_view>

#include <widephase/export.h>

namespace widephase {

/// Instruction sets that the kernels are built for. Every one gives the same bits.
enum class Isa {
  widest,  ///< the widest that this CPU has, or what WIDEPHASE_ISA names
  scalar,  ///< one number at a time, everywhere
  sse2,    ///< x86-64's baseline: 128 bits
  avx2,    ///< x86-64 with AVX2: 256 bits
  avx512,  ///< x86-64 with AVX-512 F, CD, DQ, BW and VL: 512 bits
  neon64,  ///< 64-bit ARM: 128 bits
};

/// "scalar", "sse2", "avx2", "avx512", "neon64"; "widest".
WIDEPHASE_API std::string_view isa_name(Isa isa);

/// The set of a name. Throws `Error` for an unknown name; the message lists the known ones.
WIDEPHASE_API Isa isa_from_name(std::string_view name);

/// The sets in this build, narrowest first.
WIDEPHASE_API std::span<const Isa> built_isas();

/// Whether this CPU can run the set.
WIDEPHASE_API bool cpu_has(Isa isa);

/// The set that a call with `isa` runs on. `Isa::widest` is the widest that is built and that the
/// CPU has, unless the environment variable WIDEPHASE_ISA names one. A set that was not built or
/// that the CPU lacks is an `Error`, never a silent fallback.
WIDEPHASE_API Isa chosen_isa(Isa isa = Isa::widest);

}  // namespace widephase
