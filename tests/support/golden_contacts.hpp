#pragma once

// The hashes of the contacts of every generator's scene of 500 bodies by seed 1, margin 0.0625. A
// change of kernels that changes them appears in the changelog; the test prints the new lines.

#include <cstdint>
#include <string_view>

namespace widephase::test {

struct GoldenContacts {
  std::string_view name;
  int dimension;
  std::uint64_t single;   ///< in float
  std::uint64_t twofold;  ///< in double
  std::uint64_t single_by_gjk;
  std::uint64_t twofold_by_gjk;

  friend bool operator==(const GoldenContacts&, const GoldenContacts&) = default;
};

inline constexpr GoldenContacts kGoldenContacts[] = {
    {"", 2, 0, 0, 0, 0},
};

}  // namespace widephase::test
