#pragma once

// Hashes of the contacts of every generator's scene of 500 bodies with seed 1 and margin 0.0625. If
// kernels change them, the changelog says so; the test prints the new lines.

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
    {"uniform", 2, 0x434a5d4bf3edd33f, 0xcc5baaaba36707f6, 0x434a5d4bf3edd33f, 0xcc5baaaba36707f6},
    {"power_law", 2, 0x3b565d7a07609b38, 0x1d7e16fa6aff99e8, 0x3b565d7a07609b38,
     0x1d7e16fa6aff99e8},
    {"outliers", 2, 0xec4a4c3e2a54e844, 0x095d618f55091d7c, 0xec4a4c3e2a54e844, 0x095d618f55091d7c},
    {"clustered", 2, 0xca3132527ae6bd7c, 0xc464c46e5acf76e8, 0xca3132527ae6bd7c,
     0xc464c46e5acf76e8},
    {"packed", 2, 0x4b665a0e9fa2f508, 0xc7ccf15bb0c42553, 0x58c1f214f18bae7d, 0xbb89ea42a4d1ab02},
    {"plates", 2, 0x4821cfe57cdc8961, 0xc66665bc20b0a6c6, 0xc53e61e549a56a00, 0x987d5e1f30e2342b},
    {"sticks", 2, 0x8310c65ad071d0f1, 0xe6f71cfe9242ae46, 0x72745d03527216f8, 0x72e786c24d9ad6cb},
    {"mixed", 2, 0x549039110465271f, 0x0536637633ac4ca4, 0x3ed121df16b702fd, 0xd9e2448138cf3efb},
    {"stack", 2, 0x75065deb21f2c5d1, 0xa20e2c778037a778, 0x75065deb21f2c5d1, 0xa20e2c778037a778},
    {"pyramid", 2, 0x973be5a12e16345d, 0x7226e43225a27003, 0x973be5a12e16345d, 0x7226e43225a27003},
    {"pile", 2, 0xf96c0dafd5e85246, 0x54914a78fb7cd2c6, 0x387f18d6d4a0664d, 0x234c2ee6564777c1},
    {"corridor", 2, 0x4c45eae709197d95, 0x48e3b45b1a4ca6a7, 0x4c45eae709197d95, 0x48e3b45b1a4ca6a7},
    {"worlds", 2, 0x6fb7956a8be10a3a, 0xfff251a58f5d28ea, 0xeeced95d2984b727, 0xc3450d28a990c394},
    {"uniform", 3, 0x0f47bbf2718620c6, 0x49340fe7bd7e828e, 0x0f47bbf2718620c6, 0x49340fe7bd7e828e},
    {"power_law", 3, 0x0776b3f0b7b274b9, 0x13080281e5c644e7, 0x0776b3f0b7b274b9,
     0x13080281e5c644e7},
    {"outliers", 3, 0x356931fa26d983f4, 0x47e43ba612aa695b, 0x356931fa26d983f4, 0x47e43ba612aa695b},
    {"clustered", 3, 0x570cff6d68544eb9, 0xcb26956373bd4edc, 0x570cff6d68544eb9,
     0xcb26956373bd4edc},
    {"packed", 3, 0x2cdf63785306eb60, 0x63d85aecb7aea901, 0x267fea4cb7953f3a, 0xb3d911d5c660b188},
    {"plates", 3, 0x08343c6af4584ef9, 0x40b312e097f0028d, 0x0d66cd9f29415dfd, 0xbae27d3ffd4386af},
    {"sticks", 3, 0x8067177abe9cd9bf, 0xc722588321c91512, 0x4227aa38968af798, 0xbfea1281feb3dad7},
    {"mixed", 3, 0x789553b7dce9800a, 0x723d385f9e8d580b, 0x364c56566b7485e3, 0xb5f1cc816c85148e},
    {"stack", 3, 0x38c8ca14dc676497, 0x9a70e448847052f2, 0xc295fad5ae784064, 0x42ef9c4356027e77},
    {"pyramid", 3, 0x1be3e329989bd44e, 0x0fe9e41d6e0a0add, 0xb9fcc35060085966, 0xcc3e50cf6c82873b},
    {"pile", 3, 0x30817ffda17a3764, 0xba21d215eff345aa, 0x44cdb0e7681843bc, 0x093476c588e7359a},
    {"worlds", 3, 0x5657872702ba6ea2, 0x431117e6690b49e4, 0xbb7127dad462a296, 0xe57c0238593402fe},
    {"smooth", 3, 0x4386ab9f8361e035, 0xd58ab57a56832522, 0x2cd815b8dc3ac1b6, 0xc4fb93f0121301dc},
    {"smooth_pile", 3, 0xfa5a67ec0671149d, 0xf01855eec6ff1387, 0x15a8942ec21c2e3d,
     0xb493e95f104bf947},
    {"terrain", 3, 0x14d2d5a67382817a, 0x539e8d8500cef27b, 0x14d2d5a67382817a, 0x539e8d8500cef27b},
    {"stairs", 3, 0x384f7ef4a9d1eaa6, 0x9f97278133e95b8e, 0x384f7ef4a9d1eaa6, 0x9f97278133e95b8e},
    {"level", 3, 0xf7039c0c7c7ab0fd, 0x83e9c2bdaec64009, 0xf7039c0c7c7ab0fd, 0x83e9c2bdaec64009},
    {"walls", 3, 0xdc9211ea160e317b, 0x88c2a852199c3b38, 0xdc9211ea160e317b, 0x88c2a852199c3b38},
};

}  // namespace widephase::test
