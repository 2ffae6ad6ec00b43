#include <widephase/isa.hpp>

#include <array>
#include <cstdlib>
#include <string>

#include "kernels/isa/built_isas.hpp"
#include "kernels/isa/widest_of.hpp"

namespace widephase {

namespace {

constexpr std::array<std::string_view, 6> kIsaNames{"widest", "scalar", "sse2",
                                                    "avx2",   "avx512", "neon64"};

#define WIDEPHASE_LIST(isa, ...) Isa::isa,
constexpr Isa kBuiltIsas[] = {WIDEPHASE_FOR_EACH_BUILT_ISA(WIDEPHASE_LIST, )};
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
#define WIDEPHASE_SUPPORTED(name, is_supported, ...) \
  if (isa == Isa::name) return is_supported;
  WIDEPHASE_FOR_EACH_BUILT_ISA(WIDEPHASE_SUPPORTED, )
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
