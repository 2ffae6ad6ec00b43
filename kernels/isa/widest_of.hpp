#pragma once

#include <span>
#include <string>

#include <widephase/isa.hpp>
#include <widephase/types.hpp>

namespace widephase {

/// "scalar, avx2".
inline std::string names_of(std::span<const Isa> isas) {
  std::string names;
  for (const Isa isa : isas) names += (names.empty() ? "" : ", ") + std::string(isa_name(isa));
  return names;
}

/// The widest of `built`, narrowest first, that this CPU has; an `Error` if it has none of them.
inline Isa widest_of(std::span<const Isa> built) {
  for (std::size_t i = built.size(); i > 0; --i) {
    if (cpu_has(built[i - 1])) return built[i - 1];
  }
  throw Error("this CPU has none of the instruction sets of this build, which has " +
              names_of(built) + "; build with WIDEPHASE_ISAS=scalar, which every CPU has");
}

}  // namespace widephase
